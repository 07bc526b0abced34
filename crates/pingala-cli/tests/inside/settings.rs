use super::*;

#[test]
fn counts_are_numbers_as_people_type_them() {
    for (text, number) in [("1", 1), ("2048", 2048), ("1_000", 1000), ("1e3", 1000), ("2**10-1", 1023), ("0x10", 16)] {
        assert_eq!(count(1..=4096)(text), Ok(number));
    }
    for text in ["", "0", "4097", "-1", "2k", "1.5", "2**64"] {
        assert_eq!(
            count(1..=4096)(text).unwrap_err(),
            "expected a whole number from 1 to 4096: 2048, 1_000_000 or 1e9"
        );
    }
    assert_eq!(count(0..=u64::MAX)("0"), Ok(0));
    assert_eq!(count(0..=u64::MAX)("2**64-1"), Ok(u64::MAX));
    assert!(count(1..=u64::MAX)("0").unwrap_err().starts_with("expected a whole number from 1 on"));
}

#[test]
fn sizes_are_powers_of_1024() {
    for (text, bytes) in [("0", 0), ("4096", 4096), ("64K", 65536), ("1m", 1 << 20), ("2G", 1 << 31), ("1T", 1 << 40)] {
        assert_eq!(size(text), Ok(bytes));
    }
    for text in ["", "K", "1.5G", "-1", "64KB", "99999999999G", "1 K", "0x10"] {
        assert!(size(text).unwrap_err().contains("64K"), "{text}");
    }
}
