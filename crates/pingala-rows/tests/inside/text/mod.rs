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
        ("+10", "+0x10"),
        ("+0x10", "+0x10"),
        ("+", "+"),
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
fn ascii_blanks_around_a_number_are_no_part_of_it() {
    let read =
        |text, is_hexadecimal| number("base", text, is_hexadecimal, 64).map(|n| n.to_string()).map_err(|e| e.code());
    for text in ["5", " 5", "5\r", "\t5\n ", "+5", " +5", "0x5", "0X5", "+0X5", "005"] {
        assert_eq!((read(text, false), read(text, true)), (Ok("5".into()), Ok("5".into())), "{text:?}");
    }
    assert_eq!((read("+10", true), read(" -10 ", true)), (Ok("16".into()), Ok("-16".into())));
    for text in ["", " ", "\u{a0}5", "5\u{2003}", "\u{feff}5", "\u{b}5", "5 5", "- 5", "0x", "true"] {
        assert_eq!((read(text, false), read(text, true)), (Err("not_a_number"), Err("not_a_number")), "{text:?}");
    }
}

#[test]
fn a_terminal_obeys_nothing_that_is_shown() {
    assert_eq!(shown("g\u{e4}\t\u{1b}[31m\u{9b}\n\u{202e}"), "g\u{e4}\\t\\u{1b}[31m\\u{9b}\\n\\u{202e}");
    assert_eq!(shown(&"ab".repeat(1000)), format!("{}...{}", "ab".repeat(12), "ab".repeat(12)));
}
