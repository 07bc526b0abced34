use super::*;

fn value(text: &str) -> String {
    integer(text, 4096).unwrap_or_else(|error| panic!("{text}: {error:?}")).to_string()
}

#[test]
fn expressions_are_exact() {
    for (text, want) in [
        ("0", "0"),
        ("-5", "-5"),
        ("+5", "5"),
        ("1_000", "1000"),
        ("0xff_ff", "65535"),
        ("1e9", "1000000000"),
        ("25E3", "25000"),
        ("0e5", "0"),
        ("2**127-1", "170141183460469231731687303715884105727"),
        ("2^127 - 1", "170141183460469231731687303715884105727"),
        ("-2**2", "-4"),
        ("2**3**2", "512"),
        ("3**40", "12157665459056928801"),
        ("10**20", "100000000000000000000"),
        ("2 * 3 + 4 * 5", "26"),
        ("1 - 2 - 3", "-4"),
        ("2**64 - 2**64", "0"),
        ("0x10000000000000000-1", "18446744073709551615"),
        ("18446744073709551615+1", "18446744073709551616"),
        ("5*0", "0"),
        ("7**0*3", "3"),
        ("0**5", "0"),
        ("1**99999999999999999999999999", "1"),
        ("(2 ^ 8 - 4) / 4", "63"),
        ("0xff * 2 + 1_000", "1510"),
        ("-(1 - 3) * 7", "14"),
        ("12/4/3", "1"),
        ("3*-2", "-6"),
        ("(-1)**7", "-1"),
        ("(-1)**99999999999999999999998", "1"),
        ("(-2)**3", "-8"),
    ] {
        assert_eq!(value(text), want, "{text}");
    }
    assert_eq!(*evaluate("2^255-21").unwrap().magnitude(), *integer("2^255-21", 300).unwrap().magnitude());
}

/// Against sums and products of 128 bits.
#[test]
fn sums_and_products_agree_with_those_of_the_machine() {
    let mut state = 7u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i128::from(state >> 20 >> (state % 40))
    };
    for _ in 0..200 {
        let [a, b, c] = [next(), next(), next()];
        assert_eq!(value(&format!("{a}*{b}-{c}")), (a * b - c).to_string());
        assert_eq!(value(&format!("-{a}+{b}-{c}*{a}")), (-a + b - c * a).to_string());
    }
}

#[test]
fn what_is_no_number_says_where() {
    for (text, at) in [
        ("", 0),
        ("-", 1),
        ("1_", 1),
        ("_1", 0),
        ("1__0", 1),
        ("ff", 0),
        ("12x", 2),
        ("2**", 3),
        ("2**-1", 3),
        ("2^(0-1)", 2),
        ("1e-3", 2),
        ("1.5", 1),
        ("0x", 2),
        ("(2", 2),
        ("2)", 1),
        ("2 3", 2),
        ("5/2", 2),
        ("1/0", 2),
    ] {
        match integer(text, 4096) {
            Err(ParseError::Syntax(position, _)) => assert_eq!(position, at, "{text}"),
            other => panic!("{text}: {other:?}"),
        }
    }
    for text in ["1-1", "1-2", "x", "2^65537", "9^99999999"] {
        assert!(matches!(evaluate(text), Err(Error::BadArgument(_))), "{text}");
    }
    for deep in ["(", "2^", "-"] {
        assert!(matches!(integer(&deep.repeat(100_000), 4096), Err(ParseError::Syntax(..))), "{deep}");
    }
}

/// In no time: the length is known before the number, and so is the work of many of them.
#[test]
fn lengths_are_capped_before_anything_is_computed() {
    assert_eq!(integer("2**4096-1", 4096).unwrap().magnitude().bits(), 4096);
    for text in ["2**4096", "9**9**9**9", "2**99999999999999999999999", "1e999999999999", "2**4000*2**4000", "10**1300"]
    {
        assert!(matches!(integer(text, 4096), Err(ParseError::TooLong { cap: 4096, .. })), "{text}");
    }
    assert!(matches!(integer("3**60000000", 1 << 26), Err(ParseError::TooLong { cap: POWER_BITS, .. })));
    let many = "2**67000000-".repeat(2000) + "1";
    assert!(matches!(integer(&many, 1 << 26), Err(ParseError::Syntax(_, "expected a shorter computation"))));
}
