//! `pingala pow`.

use crate::common::{Folder, feed, run};

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
    assert_eq!(run(&["pow", "2", "3", "5"]).err, "pingala: fast mode; base and exponent are treated as public\n");
    assert_eq!(run(&["pow", "2", "3", "5", "--quiet"]).err, "");
}

#[test]
fn what_has_no_result_says_so() {
    for (arguments, status, err) in [
        (&["2", "3", "0"][..], 1, "pingala: zero modulus\n"),
        (&["2", "3", "-5"][..], 1, "pingala: negative modulus\n"),
        (&["2", "-3", "4"][..], 1, "pingala: base is not invertible for the given modulus\n"),
        (&["2", "1_0", "5"][..], 2, "pingala: exponent: not a number: no underscore is allowed at byte 1\n"),
        (&["2", "1e5", "5"][..], 2, "pingala: exponent: not a number: expected a decimal digit at byte 1\n"),
        (&["", "1", "5"][..], 2, "pingala: base: not a number: expected a decimal digit at byte 0\n"),
        (&["2", "3", "--bogus"][..], 2, "pingala: there is no option --bogus\n"),
        (&["2", "0x1ff", "5", "--max-exponent-bits", "8"][..], 1, "pingala: exponent of 9 bits is over the cap of 8\n"),
        (&["2", "3", "0x1ff", "--max-modulus-bits", "8"][..], 1, "pingala: modulus of 9 bits is over the cap of 8\n"),
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
    let ran = run(&["pow", "2", "--secret-exponent-file", "/nonexistent", "1000003"]);
    assert_eq!(ran.err, "pingala: cannot read /nonexistent: No such file or directory\n");
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
