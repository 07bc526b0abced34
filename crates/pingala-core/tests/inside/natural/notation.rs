//! Tests of `natural/notation.rs`.

use super::*;

#[test]
fn secret_text_is_read_as_other_text() {
    let long = "9".repeat(300);
    let texts = [
        "0",
        "-0",
        "7",
        "+7",
        "-18446744073709551615",
        "18446744073709551616",
        "0x0",
        "-0xFFffFFffFFffFFff",
        "0x10000000000000000",
    ];
    for text in
        texts.into_iter().chain([long.as_str(), "0000000000000000000000012", "0x00000000000000000000000000000c"])
    {
        assert_eq!(*Integer::parse_secret(text, 1000).unwrap(), text.parse().unwrap(), "{text}");
    }
    for text in ["", "-", "0x", "1 2", "1_2", "--1", "0x-1", "1.0", "\u{661}"] {
        assert_eq!(Integer::parse_secret(text, 1000).unwrap_err(), text.parse::<Integer>().unwrap_err(), "{text:?}");
    }
}

/// At the cap, one bit over it, and with a text that is itself too long.
#[test]
fn secret_text_has_a_cap() {
    for (text, fits) in [
        ("255", true),
        ("256", false),
        ("-0xff", true),
        ("0x100", false),
        ("0x0ff", true),
        ("0x000ff", false),
        ("2550", false),
    ] {
        let read = Integer::parse_secret(text, 8);
        assert_eq!(read.as_ref().map_err(Error::code).err(), (!fits).then_some("too_long"), "{text}");
    }
    let digits = "1".repeat(SECRET_DECIMAL_DIGITS_CAP + 1);
    assert_eq!(Integer::parse_secret(&digits, u64::MAX).unwrap_err().code(), "too_long");
}

/// Every byte, as std's characters have it.
#[test]
fn digits_are_those_of_characters() {
    for byte in 0..=u8::MAX {
        for radix in [10, 16] {
            let wanted = char::from(byte).to_digit(radix);
            assert_eq!(is_digit(byte, radix), wanted.is_some(), "{byte}");
            assert!(wanted.is_none_or(|wanted| digit_value(byte) == u64::from(wanted)), "{byte}");
        }
    }
}
