use super::*;

#[test]
fn numbers_are_told_from_bytes() {
    for text in ["2", "12", "-7", "0xff", "ca12", " 9\n", &"f".repeat(100_000)] {
        assert!(reads_as_number(text, false), "{text}");
    }
    for text in ["", " ", "\u{1}", "g", "1.5", "0x", "12\u{0}", "1_0"] {
        assert!(!reads_as_number(text, false), "{text}");
    }
    assert!(reads_as_number("0xff", true) && !reads_as_number("12", true));
}
