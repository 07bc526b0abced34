//! Tests of `exponent/secret.rs`.

use super::*;

#[test]
fn debug_shows_the_width_and_hides_the_value() {
    let secret = SecretExponent::new(&Natural::from(0xdead_beefu64), Some(40)).unwrap();
    let text = format!("{secret:?} {:?}", secret.digit(0, 16));
    assert_eq!(text, "<SecretExponent of 40 bits> <SecretDigit>");
    for value in ["3735928559", "deadbeef", "beef", "48879"] {
        assert!(!text.contains(value));
    }
}

#[test]
fn a_value_wider_than_declared_is_refused() {
    let value = Natural::from(256u64);
    assert_eq!(SecretExponent::new(&value, Some(8)).unwrap_err().code(), "bad_secret");
    assert_eq!(SecretExponent::new(&value, Some(9)).unwrap().bits(), 9);
    assert_eq!(SecretExponent::new(&value, None).unwrap().bits(), 9);
    assert_eq!(SecretExponent::new(&value, Some(u64::MAX)).unwrap_err().code(), "too_long");
    assert_eq!(SecretExponent::new(&Natural::from(0u64), Some(0)).unwrap().bits(), 0);
    assert_eq!(SecretExponent::new(&Natural::from(0u64), None).unwrap().bits(), 1);
}

fn digits(secret: &SecretExponent) -> Vec<u64> {
    (0..120).map(|i| secret.digit(16 * i, 16).0).collect()
}

/// Bytes with leading zeros and without, longer and shorter than the limbs of the declared width.
#[test]
fn bytes_are_read_most_significant_first() {
    for (bytes, value) in [
        (&[][..], 0u128),
        (&[0; 40][..], 0),
        (&[1, 2, 3][..], 0x01_0203),
        (&[0, 0, 0, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0][..], 0x0908_0706_0504_0302_0100),
    ] {
        let natural = Natural::from(value);
        for width in [natural.bits(), natural.bits() + 1, 128, 129, 300] {
            let secret = SecretExponent::from_be_bytes(bytes, width).unwrap();
            assert_eq!(digits(&secret), digits(&SecretExponent::new(&natural, Some(width)).unwrap()));
        }
        if value > 0 {
            let error = SecretExponent::from_be_bytes(bytes, natural.bits() - 1).unwrap_err();
            assert_eq!(error.code(), "bad_secret");
        }
    }
    assert_eq!(SecretExponent::from_be_bytes(&[1; 9], 64).unwrap_err().code(), "bad_secret");
    assert_eq!(SecretExponent::from_be_bytes(&[1], u64::MAX).unwrap_err().code(), "too_long");
}

#[test]
fn reduction_keeps_the_residue_and_stays_at_or_above_the_order() {
    let number = |limbs: &[u64]| limbs.iter().rev().fold(0u128, |sum, &limb| sum << 64 | u128::from(limb));
    for order in [1u128, 2, 3, 5, 6, 1 << 20, (1 << 63) - 25, u128::from(u64::MAX), 1 << 64, (3 << 90) + 8] {
        let limbs = Natural::from(order);
        for width in [1u64, 8, 64, 100, 127] {
            for value in [0u128, 1, order - 1, order, order + 1, 2 * order, 7 * order + 3, u128::MAX, 0x5555 << 80] {
                let value = value & (u128::MAX >> (128 - width));
                let secret = SecretExponent::new(&Natural::from(value), Some(width)).unwrap();
                let rest = |e: &[u64], rest: &mut [u64]| {
                    let remainder = number(e) % order;
                    rest.iter_mut().enumerate().for_each(|(at, limb)| *limb = (remainder >> (64 * at)) as u64);
                };
                match secret.reduced(limbs.limbs(), limbs.bits() as usize, rest) {
                    None => assert!(width <= limbs.bits() + 1),
                    Some(reduced) => {
                        assert!(width > limbs.bits() + 1, "{width} bits are short enough");
                        let want = if value < order { value } else { value % order + order };
                        assert_eq!(number(&reduced.limbs), want, "{value} mod {order}");
                        assert_eq!(reduced.bits() as u64, limbs.bits() + 1);
                    }
                }
            }
        }
    }
}

/// The multiple is added from the least value on, wherever the bits are that make it so large.
#[test]
fn blinding_adds_the_multiple_from_the_least_on() {
    let number = |limbs: &[u64]| limbs.iter().rev().fold(0u128, |sum, &limb| sum << 64 | u128::from(limb));
    let (order, order_bits) = (0x3_0000_0000_0001u64, 50);
    for least in [1u32, 5] {
        for value in [0, 1, 4, 5, 6, u64::MAX.into(), 1 << 64, (1 << 64) + 4, (1 << 64) + 5, 7 << 90u128] {
            for width in [Natural::from(value).bits(), 100] {
                let secret = SecretExponent::new(&Natural::from(value), Some(width)).unwrap();
                for multiple in [1, 0x1234_5678, u64::MAX] {
                    let blinded = secret.blinded(&[order], order_bits, multiple, least);
                    let added = u128::from(multiple) * u128::from(order);
                    let want = if value >= least.into() { value + added } else { value };
                    assert_eq!(number(&blinded.limbs), want, "{value} from {least} on, {multiple} times");
                    assert_eq!(blinded.bits(), secret.bits().max(order_bits + 64) + 1);
                }
            }
        }
    }
}

/// Bits above the limbs do not hide the same bits in the top limb, nor those the others.
#[test]
fn whatever_is_above_the_width_is_seen() {
    for limbs in [[1 << 60, 1], [1 << 60, 0], [0, 1], [5 << 60, 5]] {
        let refused = SecretExponent::new(&Natural::from_limbs(&limbs), Some(60)).unwrap_err();
        assert_eq!(refused.code(), "bad_secret");
    }
}

#[test]
fn the_longest_width_is_two_to_the_twenty_sixth() {
    let one = Natural::from(1u64);
    assert_eq!(SecretExponent::new(&one, Some(1 << 26)).unwrap().bits(), 1 << 26);
    assert_eq!(SecretExponent::new(&one, Some((1 << 26) + 1)).unwrap_err().code(), "too_long");
}

#[test]
fn masks_are_all_or_nothing() {
    let secret = SecretExponent::new(&Natural::from(0xa5f0u64), Some(200)).unwrap();
    for (position, digit) in [(0, 0), (4, 15), (8, 5), (12, 10), (16, 0), (196, 0), (900, 0)] {
        for index in 0..16 {
            let want = if index == digit { u64::MAX } else { 0 };
            assert_eq!(secret.digit(position, 4).mask_eq(index), want);
        }
    }
    assert_eq!(SecretDigit(0).mask_eq(1 << 63), 0);
}

#[test]
fn text_of_either_notation() {
    let same = |text: &str, bits: u64| {
        let secret = SecretExponent::parse_capped(text, bits, 4096).unwrap();
        let wanted = SecretExponent::new(&text.parse().unwrap(), Some(bits)).unwrap();
        assert_eq!(digits(&secret), digits(&wanted), "{text}");
    };
    for text in ["0", "0x0", "1", "0xaBcDef", "0X00ff", "000123", "18446744073709551615", "18446744073709551616"] {
        same(text, 65);
    }
    same(&format!("{}", u128::MAX), 128);
    same(&"9".repeat(500), 1661);
    same(&format!("0x{}", "f9".repeat(200)), 1600);
}

#[test]
fn text_that_is_refused() {
    let refused = |text: &str, bits| SecretExponent::parse_capped(text, bits, 4096).unwrap_err();
    for (text, position) in [("", 0), ("0x", 2), ("12a", 2), ("0x1g", 3), (" 1", 0), ("-1", 0), ("+1", 0), ("0x-1", 2)]
    {
        assert!(matches!(refused(text, 64), Error::NotANumber { position: at, .. } if at == position), "{text:?}");
    }
    for (text, bits) in [("0x100", 8), ("256", 8), ("1", 0), ("0x1ffffffffffffffff", 64), ("18446744073709551616", 64)]
    {
        assert!(matches!(refused(text, bits), Error::BadSecret(_)), "{text} in {bits} bits");
    }
    assert!(matches!(refused("1", 4097), Error::TooLong { cap: 4096, .. }));
    assert!(matches!(refused(&"1".repeat((1 << 20) + 1), 64), Error::TooLong { what: "text", .. }));
}
