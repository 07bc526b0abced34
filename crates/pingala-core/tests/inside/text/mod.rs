use super::*;
use crate::natural::testing::{from_oracle, integer_to_oracle, structured_integer, structured_natural, to_oracle};
use num_bigint::BigUint;
use proptest::prelude::*;

const DECIMAL: &str = "expected a decimal digit";
const HEXADECIMAL: &str = "expected a hexadecimal digit";
const SPACE: &str = "no white space is allowed";
const UNDERSCORE: &str = "no underscore is allowed";

/// Text, byte, reason: what a natural number refuses.
const MALFORMED: &[(&str, usize, &str)] = &[
    ("", 0, DECIMAL),
    (" ", 0, SPACE),
    (" 1", 0, SPACE),
    ("1 ", 1, SPACE),
    ("12\n", 2, SPACE),
    ("\t12", 0, SPACE),
    ("1 2", 1, SPACE),
    ("0x", 2, HEXADECIMAL),
    ("0X", 2, HEXADECIMAL),
    ("0x ", 2, SPACE),
    ("0x_1", 2, UNDERSCORE),
    ("0x0x1", 3, HEXADECIMAL),
    ("0x-1", 2, HEXADECIMAL),
    ("0xfg", 3, HEXADECIMAL),
    ("x1", 0, DECIMAL),
    ("0b1", 1, DECIMAL),
    ("0o7", 1, DECIMAL),
    ("00x1", 2, DECIMAL),
    ("1_000", 1, UNDERSCORE),
    ("_1", 0, UNDERSCORE),
    ("12a", 2, DECIMAL),
    ("abc", 0, DECIMAL),
    ("1.5", 1, DECIMAL),
    ("1e5", 1, DECIMAL),
    ("1,000", 1, DECIMAL),
    ("--1", 0, DECIMAL),
    ("inf", 0, DECIMAL),
    ("12345678901234567890123456789012345678901234567890:", 50, DECIMAL),
    // More than one byte per character: the position is the character's first byte, and nothing is cut in two.
    ("1é", 1, DECIMAL),
    ("٣", 0, DECIMAL),
    ("0x１", 2, HEXADECIMAL),
    ("12\u{a0}", 2, DECIMAL),
    ("\0", 0, DECIMAL),
];

#[test]
fn malformed_text_names_the_byte() {
    for &(text, position, reason) in MALFORMED {
        let error = Error::NotANumber { position, reason };
        assert_eq!(text.parse::<Natural>(), Err(error.clone()), "{text:?}");
        assert_eq!(Natural::parse_capped(text, 0), Err(error.clone()), "{text:?}");
        assert_eq!(format!("+{text}").parse::<Integer>(), Err(Error::NotANumber { position: position + 1, reason }));
        assert_eq!(format!("-{text}").parse::<Integer>(), Err(Error::NotANumber { position: position + 1, reason }));
        if !text.starts_with('-') {
            assert_eq!(text.parse::<Integer>(), Err(error), "{text:?}");
        }
    }
}

#[test]
fn only_an_integer_has_a_sign() {
    for text in ["-1", "+1", "-", "+", "-0x1"] {
        assert_eq!(text.parse::<Natural>(), Err(Error::NotANumber { position: 0, reason: DECIMAL }));
    }
    for (text, negative, magnitude) in [
        ("-0", false, 0u64),
        ("+0x0", false, 0),
        ("-1", true, 1),
        ("+12", false, 12),
        ("-0xFf", true, 255),
        ("-007", true, 7),
    ] {
        let value: Integer = text.parse().unwrap();
        assert_eq!((value.is_negative(), value.magnitude()), (negative, &Natural::from(magnitude)), "{text}");
    }
}

#[test]
fn leading_zeros_and_case_change_nothing() {
    for text in ["255", "000255", "0xff", "0xFF", "0XfF", "0x000000000000000000000000000ff"] {
        assert_eq!(text.parse::<Natural>(), Ok(Natural::from(255u64)), "{text}");
        assert_eq!(Natural::parse_capped(text, 8), Ok(Natural::from(255u64)), "{text}");
    }
    for text in ["0", "000000000000000000000000000000000", "0x0", "0x00000000000000000000"] {
        assert_eq!(Natural::parse_capped(text, 0), Ok(Natural::default()), "{text}");
    }
}

#[test]
fn formats_follow_the_flags() {
    let value: Natural = "0x1f".parse().unwrap();
    assert_eq!(
        format!("{value} {value:x} {value:#x} {value:08} {value:>5} {value:<5}| {value:+}"),
        "31 1f 0x1f 00000031    31 31   | +31"
    );
    let value: Integer = "-0x1f".parse().unwrap();
    assert_eq!(format!("{value} {value:x} {value:#x} {value:#08x} {value:6}"), "-31 -1f -0x1f -0x0001f    -31");
    let zero = Integer::default();
    assert_eq!(format!("{zero} {zero:x} {zero:#x}"), "0 0 0x0");
    // A limb inside the number keeps its zeros.
    let value = Natural::from_limbs(&[0, 0xa, 1]);
    assert_eq!(format!("{value:#x}"), "0x1000000000000000a0000000000000000");
}

#[test]
fn every_bit_length_round_trips() {
    for bits in 1..=600u32 {
        for oracle in [BigUint::from(1u8) << (bits - 1), (BigUint::from(1u8) << bits) - 1u8] {
            let value = from_oracle(&oracle);
            let (decimal, hexadecimal) = (value.to_string(), format!("{value:#x}"));
            assert_eq!(decimal, oracle.to_string());
            assert_eq!(hexadecimal, format!("{oracle:#x}"));
            for text in [decimal, hexadecimal] {
                assert_eq!(text.parse::<Natural>().unwrap(), value);
                assert_eq!(Natural::parse_capped(&text, u64::from(bits)).unwrap(), value);
                let cap = u64::from(bits) - 1;
                match Natural::parse_capped(&text, cap) {
                    Err(Error::TooLong { what: "number", length, cap: refused }) => {
                        assert_eq!((length, refused), (u64::from(bits), cap));
                    }
                    other => panic!("{other:?}"),
                }
            }
        }
    }
}

#[test]
fn powers_of_ten_round_trip() {
    // Round numbers have the runs of zero digits that a divide and conquer could lose.
    for digits in (1..200).chain([1000, 4299, 20_000]) {
        let text = format!("1{}", "0".repeat(digits));
        let value: Natural = text.parse().unwrap();
        assert_eq!(to_oracle(&value), BigUint::from(10u8).pow(digits as u32));
        assert_eq!(value.to_string(), text);
        // The least bit length of these digits is that of the power itself.
        assert_eq!(CheckedDigits::check(&text, 0).unwrap().least_bits(), value.bits());
        let nines = "9".repeat(digits);
        assert_eq!(nines.parse::<Natural>().unwrap().to_string(), nines);
    }
}

#[test]
fn a_length_far_over_the_cap_is_refused_before_conversion() {
    // floor((2^26 - 1) * log2(10)) + 1 = 222930818.
    let text = "9".repeat(1 << 26);
    let refused = Natural::parse_capped(&text, 1 << 20);
    assert_eq!(refused, Err(Error::TooLong { what: "number", length: 222_930_818, cap: 1 << 20 }));
    let refused = Integer::parse_capped(&format!("-0x{text}"), 1 << 20);
    assert_eq!(refused, Err(Error::TooLong { what: "number", length: 1 << 28, cap: 1 << 20 }));
    // A fault of the text comes first, wherever it stands.
    let refused = Natural::parse_capped(&(text + "z"), 8);
    assert_eq!(refused, Err(Error::NotANumber { position: 1 << 26, reason: DECIMAL }));
    // Zeros have no length.
    assert_eq!(Natural::parse_capped(&"0".repeat(1 << 20), 0), Ok(Natural::default()));
}

proptest! {
    #[test]
    fn text_agrees_with_the_oracle(value in structured_integer(40)) {
        let oracle = integer_to_oracle(&value);
        prop_assert_eq!(value.to_string(), oracle.to_string());
        prop_assert_eq!(format!("{value:#x}"), format!("{oracle:#x}"));
        prop_assert_eq!(&value.to_string().parse::<Integer>().unwrap(), &value);
        prop_assert_eq!(&format!("{value:#x}").parse::<Integer>().unwrap(), &value);
    }

    #[test]
    fn a_cap_is_exact(value in structured_natural(8), cap in 0..600u64) {
        for text in [value.to_string(), format!("{value:#x}")] {
            match Natural::parse_capped(&text, cap) {
                Ok(read) => prop_assert!(read == value && value.bits() <= cap),
                Err(Error::TooLong { length, .. }) => prop_assert!(cap < length && length <= value.bits()),
                Err(other) => prop_assert!(false, "{other:?}"),
            }
        }
    }

    /// Whatever the text, it is read, or refused at the start of a character, and everything before is digits.
    #[test]
    fn no_text_panics(text in "(0x|0X|-|\\+)?[0-9a-f_ é٣]{0,12}\\PC{0,4}") {
        if let Err(error) = text.parse::<Integer>() {
            let Error::NotANumber { position, .. } = error else { panic!("{error:?}") };
            prop_assert!(text.is_char_boundary(position));
            prop_assert!(text[..position].bytes().skip(1).all(|byte| byte.is_ascii_hexdigit() || byte | 0x20 == b'x'));
        } else {
            let unsigned = text.trim_start_matches(['-', '+']);
            prop_assert!(unsigned.bytes().all(|byte| byte.is_ascii_hexdigit() || byte | 0x20 == b'x'));
        }
    }
}
