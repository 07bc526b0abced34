//! `pingala pow`.

use crate::common::{Folder, command, feed, nothing_there, run};

#[test]
fn the_result_is_printed_as_the_numbers_were() {
    for (arguments, out) in [
        (&["2", "10", "1000"][..], "24\n"),
        (&["0x2", "10", "1000"][..], "0x18\n"),
        (&["2", "0XA", "1000"][..], "0x18\n"),
        (&["2", "10", "1000", "--hex"][..], "0x18\n"),
        (&["0x2", "10", "1000", "--decimal"][..], "24\n"),
        (&["3", "-5", "7"][..], "3\n"),
        (&["-3", "5", "7", "--hex", "-q"][..], "0x2\n"),
        (&["--hex", "-0x3", "-5", "7"][..], "0x4\n"),
        (&["0", "0", "1"][..], "0\n"),
        (&["0", "0", "2"][..], "1\n"),
        (&["5", "-1", "1"][..], "0\n"),
        (&["6", "3", "12"][..], "0\n"),
    ] {
        let ran = run(&[&["pow"], arguments].concat());
        assert_eq!((ran.out.as_str(), ran.status), (out, 0), "{arguments:?}: {}", ran.err);
    }
}

#[test]
fn the_mode_is_told_on_standard_error() {
    // Only a terminal gets the note that public numbers are taken as public.
    assert_eq!(run(&["pow", "2", "3", "5"]).err, "");
    let secret = |more: &[&str]| feed(&[&["pow", "2", "5", "--secret-exponent-file", "-"], more].concat(), "3").err;
    assert!(secret(&[]).starts_with("pingala: constant-time mode; the exponent is secret"));
    assert_eq!(secret(&["--quiet"]), "");
}

#[test]
fn what_has_no_result_says_so() {
    for (arguments, status, err) in [
        (&["2", "3", "0"][..], 1, "pingala: zero modulus\n"),
        (&["2", "3", "-5"][..], 1, "pingala: negative modulus\n"),
        (&["2", "-3", "4"][..], 1, "pingala: base is not invertible for the given modulus\n"),
        (&["2", "1_", "5"][..], 2, "pingala: exponent: '1_' is not a number: expected a decimal digit at byte 1\n"),
        (&["2", "1e-5", "5"][..], 2, "pingala: exponent: '1e-5' is not a number: expected a decimal digit at byte 2\n"),
        (&["", "1", "5"][..], 2, "pingala: base: '' is not a number: expected a decimal digit at byte 0\n"),
        (
            &["ff", "5", "7"][..],
            2,
            "pingala: base: 'ff' is not a number: expected a decimal digit at byte 0; hexadecimal starts with 0x: 0xff\n",
        ),
        (&["2", "3", "--bogus"][..], 2, "pingala: there is no option --bogus\n"),
        (
            &["2", "0x1ff", "5", "--max-exponent-bits", "8"][..],
            1,
            "pingala: exponent of 9 bits is over the cap of 8; --max-exponent-bits raises it\n",
        ),
        (
            &["2", "3", "0x1ff", "--max-modulus-bits", "8"][..],
            1,
            "pingala: modulus of 9 bits is over the cap of 8; --max-modulus-bits raises it\n",
        ),
    ] {
        let ran = run(&[&["pow", "--quiet"], arguments].concat());
        assert_eq!((ran.status, ran.err.as_str(), ran.out.as_str()), (status, err, ""), "{arguments:?}");
    }
    let ran = run(&["pow", "2", "3"]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.starts_with("pingala: the modulus is missing\nUsage: "), "{}", ran.err);
    let ran = run(&["pow", "2"]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.starts_with("pingala: "), "{}", ran.err);
}

/// The default caps refuse by length, before the text is converted.
#[test]
fn lengths_are_capped() {
    let modulus = format!("0x1{}", "0".repeat(1 << 18));
    let ran = run(&["pow", "2", "3", modulus.get(..100_000).unwrap()]);
    assert_eq!(ran.status, 0);
    let ran = feed(&["pow", "2", "--secret-exponent-file", "-", "5"], "1".repeat(30 << 20));
    assert_eq!((ran.status, ran.out.as_str()), (1, ""));
    assert!(ran.err.contains("is longer than"), "{}", ran.err);
}

#[test]
fn a_secret_exponent_never_stands_on_the_command_line() {
    let folder = Folder::new();
    let file = folder.file("secret", "5");
    let ran = run(&["pow", "2", "5", "7", "--secret-exponent-file", &file]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.starts_with("pingala: with --secret-exponent-file no exponent stands on"), "{}", ran.err);
    let ran = run(&["pow", "2", "7", "--exponent-bits", "5"]);
    assert_eq!(ran.status, 2);
}

/// What is wrong with a secret is said without showing it.
#[test]
fn complaints_do_not_show_the_secret() {
    let secret = "918273645";
    for (content, why) in [
        (format!("{secret}\n{secret}"), "no white space is allowed at byte 9"),
        (format!("-{secret}"), "a negative number"),
        (format!("{secret}x"), "expected a decimal digit at byte 9"),
        (format!("{secret}.0"), "expected a decimal digit at byte 9"),
        (String::new(), "expected a decimal digit at byte 0"),
    ] {
        let ran = feed(&["pow", "2", "--secret-exponent-file", "-", "1000003", "--exponent-bits", "64"], &content);
        assert_eq!((ran.status, ran.out.as_str()), (1, ""), "{content:?}");
        assert!(ran.err.contains(why), "{content:?}: {}", ran.err);
        assert!(!ran.err.contains("91827"), "{}", ran.err);
    }
    let ran = feed(&["pow", "2", "--secret-exponent-file", "-", "1000003"], secret);
    assert_eq!(ran.status, 1);
    assert!(ran.err.contains("declare its width with --exponent-bits"), "{}", ran.err);
    assert!(!ran.err.contains("91827"), "{}", ran.err);
    // A secret base likewise, which may be negative.
    let folder = Folder::new();
    let exponent = folder.file("exponent", "5");
    let with_base = |content: &str| {
        let base = folder.file("base", content);
        run(&["pow", "1000003", "--secret-exponent-file", &exponent, "--secret-base-file", &base])
    };
    for (content, why) in [
        (
            format!("{secret}\n{secret}"),
            "the secret base's file holds not a number: no white space is allowed at byte 9",
        ),
        (format!("{secret}x"), "expected a decimal digit at byte 9"),
        (format!("-{secret}.0"), "expected a decimal digit at byte 10"),
        (String::new(), "expected a decimal digit at byte 0"),
        ("PAR1".into(), "holds a Parquet file"),
    ] {
        let ran = with_base(&content);
        assert_eq!((ran.status, ran.out.as_str()), (1, ""), "{content:?}");
        assert!(ran.err.contains(why), "{content:?}: {}", ran.err);
        assert!(!ran.err.contains("91827"), "{}", ran.err);
    }
    assert_eq!(with_base(&format!("-{secret}\n")).out, run(&["pow", &format!("-{secret}"), "5", "1000003"]).out);
    let ran = run(&["pow", "2", "--secret-exponent-file", "/nonexistent", "1000003"]);
    assert_eq!(ran.err, format!("pingala: cannot read /nonexistent: {}\n", nothing_there()));
    assert_eq!(ran.status, 1);
}

#[test]
fn a_secret_exponent_gives_the_same_result() {
    let folder = Folder::new();
    for (base, exponent, modulus, bits) in [
        ("3", "65537", "1000003", "17"),
        ("3", "0x10001", "1000003", "20"),
        ("-3", "0x0", "0xfffffffffffffffffffffffffffffffe", "128"),
        ("0x123456789abcdef0", "1", "0x10000000000000000", "64"),
        ("5", "123456789", "1", "64"),
    ] {
        let file = folder.file("secret", format!("{exponent}\n"));
        let public = run(&["pow", base, exponent, modulus, "--hex"]);
        let secret = ["pow", base, modulus, "--hex", "--exponent-bits", bits, "--secret-exponent-file"];
        for ran in [run(&[&secret[..], &[&file]].concat()), feed(&[&secret[..], &["-"]].concat(), exponent)] {
            assert_eq!((ran.status, &ran.out), (0, &public.out), "{base} {exponent} {modulus}: {}", ran.err);
            let mode = "pingala: constant-time mode; the exponent is secret, its width of ";
            assert_eq!(ran.err, format!("{mode}{bits} bits public\n"));
        }
    }
    // Notation decides how the result is printed, the secret's too.
    assert_eq!(feed(&["pow", "2", "1009", "--secret-exponent-file", "-"], "0x5").out, "0x20\n");
    assert_eq!(feed(&["pow", "2", "1009", "--secret-exponent-file", "-"], "5").out, "32\n");
}

#[test]
fn a_kernel_and_a_plan_can_be_forced() {
    let numbers = ["pow", "3", "5", "1009", "--quiet"];
    for forced in [&["--kernel", "portable_r64"][..], &["--plan", "montgomery_ladder on portable_r64"]] {
        let ran = run(&[&numbers[..], forced].concat());
        assert_eq!((ran.status, ran.out.as_str()), (0, "243\n"), "{forced:?}: {}", ran.err);
    }
    for forced in [&["--kernel", "portable_r63"][..], &["--plan", "montgomery_ladder on"]] {
        let ran = run(&[&numbers[..], forced].concat());
        assert_eq!((ran.status, ran.out.as_str()), (1, ""), "{forced:?}");
        assert!(ran.err.starts_with("pingala: bad plan: "), "{}", ran.err);
    }
}

#[test]
fn numbers_are_read_as_people_type_them() {
    let folder = Folder::new();
    let file = folder.file("modulus", " 0x3e8\n");
    let at = format!("@{file}");
    for (arguments, out) in [
        (&["2", "2**127-1", "1_000"][..], "728\n"),
        (&["2", "2^127 - 1", "1e3"][..], "728\n"),
        (&["2", "10", &at][..], "0x18\n"),
        (&["-3**2", "1", "100"][..], "91\n"),
    ] {
        let ran = run(&[&["pow"], arguments].concat());
        assert_eq!((ran.out.as_str(), ran.status), (out, 0), "{arguments:?}: {}", ran.err);
    }
    assert_eq!(feed(&["pow", "2", "-", "1000"], "10\n").out, "24\n");
    // Numbers of any length, although the system limits arguments.
    let long = "9".repeat(300_000);
    assert_eq!(feed(&["pow", "-", "1", "1000"], long).out, "999\n");
    // A file holds a number, not an expression.
    let file = folder.file("expression", "2**5");
    let ran = run(&["pow", "2", &format!("@{file}"), "1000"]);
    assert!(ran.status == 1 && ran.err.contains("holds '2**5': not a number"), "{}", ran.err);
    for (input, why) in
        [("", "is empty"), ("-----BEGIN PUBLIC KEY-----\n", "a PEM block"), ("ff", "starts with 0x: 0xff")]
    {
        let ran = feed(&["pow", "2", "-", "1000"], input);
        assert!(ran.status == 1 && ran.err.contains(why), "{}", ran.err);
    }
    // Over the cap, and refused before it is computed.
    let ran = run(&["pow", "2", "9**9**9**9", "1000"]);
    assert!(ran.status == 1 && ran.err.contains("is over the cap of "), "{}", ran.err);
}

#[test]
fn a_secret_base_stands_in_a_file_too() {
    let folder = Folder::new();
    let (base, exponent) = (folder.file("base", "3\n"), folder.file("exponent", "65537"));
    let files = ["--secret-exponent-file", &exponent, "--secret-base-file", &base];
    let ran = run(&[&["pow", "1000003", "--exponent-bits", "17"][..], &files].concat());
    assert_eq!((ran.out, ran.status), (run(&["pow", "3", "65537", "1000003"]).out, 0), "{}", ran.err);
    assert_eq!(run(&[&["pow", "3", "1000003"][..], &files].concat()).status, 2);
    assert_eq!(run(&["pow", "5", "1000003", "--secret-base-file", &base]).status, 2);
}

/// A private key of RSA of 1024 bits.
const KEY: &str = include_str!("../../../pingala-verify/tests/data/private_pkcs1.pem");

#[test]
fn a_private_key_takes_its_base_from_a_file_too() {
    let folder = Folder::new();
    let (key, base) = (folder.file("key", KEY), folder.file("base", "0x1234567\n"));
    let by_key = |more: &[&str], input| feed(&[&["pow", "--private-key-file"], more].concat(), input);
    let typed = by_key(&[&key, "0x1234567"], "");
    assert!(typed.status == 0 && typed.out.starts_with("0x"), "{}", typed.err);
    for (more, input) in [
        (&[&*key, "--secret-base-file", &base][..], ""),
        (&[&*key, "--secret-base-file", "-"], "0x1234567"),
        (&["-", "--secret-base-file", &base], KEY),
    ] {
        let ran = by_key(more, input);
        assert_eq!((&ran.out, ran.status, &ran.err), (&typed.out, 0, &typed.err), "{more:?}");
        assert_eq!(ran.err, "pingala: constant-time mode; a private key of 1024 bits\n");
    }
    for more in [
        &[&*key][..],
        &[&*key, "2", "3"],
        &[&*key, "2", "--secret-base-file", &base],
        &[&*key, "--secret-base-file", &key],
        &["-", "--secret-base-file", "-"],
        &[&*key, "--secret-base-file", &base, "--secret-exponent-file", &base],
        &[&*key, "2", "--exponent-bits", "1024"],
    ] {
        let ran = by_key(more, "");
        assert_eq!((ran.out.as_str(), ran.status), ("", 2), "{more:?}: {}", ran.err);
    }
    // A plan of the environment that fits no private key is no flaw of the file.
    let mut child = command();
    child.env("PINGALA_PLAN", "binary_left_to_right on portable_r64").args(["pow", "--private-key-file", &key, "2"]);
    let ran = child.output().unwrap();
    let err = String::from_utf8(ran.stderr).unwrap();
    assert!(ran.status.code() == Some(1) && err.starts_with("pingala: bad plan: ") && !err.contains(&key), "{err}");
    for (content, why) in [("-918273645", "the base is at least 0"), ("918273645x", "the secret base's file holds")] {
        let ran = by_key(&[&key, "--secret-base-file", "-"], content);
        assert_eq!((ran.out.as_str(), ran.status), ("", 1), "{content}");
        assert!(ran.err.contains(why) && !ran.err.contains("91827"), "{}", ran.err);
    }
}

#[test]
fn a_key_file_is_called_what_it_is() {
    let pem = "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n";
    let ran = feed(&["pow", "2", "--secret-exponent-file", "-", "1000003"], pem);
    assert_eq!(ran.status, 1);
    assert!(ran.err.contains("holds a PEM block, expected one decimal"), "{}", ran.err);
}

#[test]
fn misspelt_kernels_are_recognised() {
    for (typed, meant) in [("mulx", "mulx_r64 or mulx_low_r64"), ("portabel_r64", "portable_r64")] {
        let ran = run(&["pow", "3", "5", "1009", "--kernel", typed]);
        assert!(ran.err.contains(&format!("no kernel '{typed}'; did you mean {meant}?")), "{}", ran.err);
    }
}

/// A result that went nowhere is no success.
#[cfg(target_os = "linux")]
#[test]
fn a_closed_standard_output_is_a_failure() {
    let shell = |closed: &str| {
        let mut child = std::process::Command::new("sh");
        let pingala = env!("CARGO_BIN_EXE_pingala");
        child.args(["-c", &format!("\"$1\" pow 3 5 7 {closed}"), "sh", pingala]).output().unwrap()
    };
    let ran = shell(">&-");
    assert_eq!(ran.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&ran.stderr).contains("standard output: it is closed"));
    // Full, and thrown away.
    let ran = shell(">/dev/full");
    assert_eq!(ran.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&ran.stderr).contains("cannot write to standard output"));
    for open in [">/dev/null", "1<>/dev/null"] {
        assert_eq!(shell(open).status.code(), Some(0));
    }
}
