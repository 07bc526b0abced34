//! `pingala pow`.

mod common;
use common::{Folder, feed, run};

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
