use super::*;

#[test]
fn digits_become_hexadecimal() {
    for (text, wanted) in [
        ("ff", "0xff"),
        ("-10", "-0x10"),
        ("0x1", "0x1"),
        ("-0X1", "-0X1"),
        (" 1e5\t", "0x1e5"),
        ("", ""),
        ("-", "-"),
        ("--1", "--1"),
    ] {
        assert_eq!(hexadecimal(text), wanted);
    }
    for (text, hinted) in
        [("ff", true), ("-1a", true), ("1e5", false), ("e5", true), ("12", false), ("xy", false), ("", false)]
    {
        assert_eq!(!hint(text).is_empty(), hinted, "{text}");
    }
}

#[test]
fn a_terminal_obeys_nothing_that_is_shown() {
    assert_eq!(shown("g\u{e4}\t\u{1b}[31m\u{9b}\n\u{202e}"), "g\u{e4}\\t\\u{1b}[31m\\u{9b}\\n\\u{202e}");
    assert_eq!(shown(&"ab".repeat(1000)), format!("{}...{}", "ab".repeat(12), "ab".repeat(12)));
}
