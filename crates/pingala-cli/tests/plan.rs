//! `pingala plan`: its command line.

mod common;
use common::run;

#[test]
fn a_problem_needs_a_modulus_and_an_exponent() {
    for (arguments, why) in [
        (&["--modulus-bits", "64"][..], "the following required arguments were not provided"),
        (&["--exponent-bits", "64"][..], "the following required arguments were not provided"),
        (&["--modulus-bits", "9", "--modulus", "9", "--exponent", "3"][..], "the argument '--modulus-bits <BITS>'"),
        (&["--modulus", "9", "--trailing-zeros", "1", "--exponent", "3"][..], "the argument '--modulus <NUMBER>'"),
        (
            &["--modulus-bits", "8", "--trailing-zeros", "8", "--exponent-bits", "8"][..],
            "a modulus of 8 bits cannot end",
        ),
        (&["--modulus-bits", "-8", "--exponent-bits", "8"][..], "unexpected argument '-8'"),
        (&["--modulus-bits", "8", "--exponent-bits", "8", "--count", "0"][..], "invalid value '0'"),
        (&["--modulus", "x", "--exponent", "3"][..], "modulus: not a number"),
    ] {
        let ran = run(&[&["plan"], arguments].concat());
        assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{arguments:?}");
        assert!(ran.err.starts_with(&format!("pingala: {why}")), "{arguments:?}: {}", ran.err);
    }
}

#[test]
fn a_secret_exponent_is_planned_by_its_length() {
    let ran = run(&["plan", "--modulus-bits", "64", "--exponent", "5", "--secret"]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("cannot be used with"), "{}", ran.err);
}

#[test]
fn a_modulus_must_be_positive() {
    for (modulus, err) in [("0", "pingala: zero modulus\n"), ("-0x5", "pingala: negative modulus\n")] {
        let ran = run(&["plan", "--modulus", modulus, "--exponent", "-3", "--base", "-2"]);
        assert_eq!((ran.status, ran.err.as_str()), (1, err));
    }
}
