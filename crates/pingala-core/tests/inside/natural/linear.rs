use super::*;
use crate::natural::testing::{big, structured_limb};
use num_bigint::BigUint;
use proptest::prelude::*;

/// Every pair of two-word numbers whose high byte is one at which carries start, end or run through.
fn edge_pairs() -> impl Iterator<Item = (u16, u16)> {
    let edges = || {
        [0x00, 0x01, 0x02, 0x7f, 0x80, 0x81, 0xfe, 0xffu16]
            .into_iter()
            .flat_map(|high| (0..256).map(move |low| high << 8 | low))
    };
    edges().flat_map(move |a| edges().map(move |b| (a, b)))
}

fn words(value: u16) -> [u8; 2] {
    value.to_le_bytes()
}

fn number(words: [u8; 2]) -> u16 {
    u16::from_le_bytes(words)
}

#[test]
fn sums_and_differences_of_two_words() {
    for (a, b) in edge_pairs() {
        for carry in [false, true] {
            let sum = u32::from(a) + u32::from(b) + u32::from(carry);
            let mut out = [0xa5; 2];
            assert_eq!(add(&mut out, &words(a), &words(b), carry), sum > 0xffff);
            assert_eq!(number(out), sum as u16);
            let mut out = words(a);
            assert_eq!(add_assign(&mut out, &words(b), carry), sum > 0xffff);
            assert_eq!(number(out), sum as u16);
            let difference = i32::from(a) - i32::from(b) - i32::from(carry);
            let mut out = [0xa5; 2];
            assert_eq!(sub(&mut out, &words(a), &words(b), carry), difference < 0);
            assert_eq!(number(out), difference as u16);
            let mut out = words(a);
            assert_eq!(sub_assign(&mut out, &words(b), carry), difference < 0);
            assert_eq!(number(out), difference as u16);
        }
        assert_eq!(less(&words(a), &words(b)), a < b);
        let mut out = [0xa5; 2];
        assert_eq!(abs_diff(&mut out, &words(a), &words(b)), u8::mask(a < b));
        assert_eq!(number(out), a.abs_diff(b));
    }
}

#[test]
fn masks_take_all_or_nothing() {
    for (a, b) in edge_pairs() {
        let mut out = words(a);
        assert_eq!(add_masked(&mut out, &words(b), 0xff), a.checked_add(b).is_none());
        assert_eq!(number(out), a.wrapping_add(b));
        let mut out = words(a);
        assert!(!add_masked(&mut out, &words(b), 0));
        assert_eq!(number(out), a);
        let mut out = words(a);
        assert!(!flip_add_assign(&mut out, 0xff, &words(b), true) || b >= a);
        assert_eq!(number(out), b.wrapping_sub(a));
    }
}

#[test]
fn one_subtraction_makes_every_number_below_twice_m_canonical() {
    for m in [1u16, 2, 3, 0xff, 0x100, 0x101, 0x7fff, 0x8000, 0x8001, 0xff00, 0xff01, 0xfffe, 0xffff] {
        for value in 0..2 * u32::from(m) {
            let mut out = [0xa5; 2];
            subtract_once(&mut out, &words(value as u16), value > 0xffff, &words(m));
            assert_eq!(u32::from(number(out)), value % u32::from(m), "{value} mod {m}");
        }
    }
}

#[test]
fn one_number_of_two_words() {
    for a in 0..=0xffffu16 {
        let mut out = words(a);
        assert_eq!(negate(&mut out), a != 0);
        assert_eq!(number(out), a.wrapping_neg());
        assert_eq!(bits(&words(a)), (16 - a.leading_zeros()) as usize);
        for count in 0..=20 {
            let mut out = words(a);
            truncate(&mut out, count);
            assert_eq!(number(out), if count < 16 { a & ((1 << count) - 1) } else { a });
        }
        for value in [0, 1, 0x7f, 0xff] {
            let mut out = words(a);
            assert_eq!(add_word(&mut out, value), a.checked_add(value.into()).is_none());
            assert_eq!(number(out), a.wrapping_add(value.into()));
        }
    }
    assert!(add_bit::<u8>(&mut [], true) && !add_word::<u8>(&mut [], 0) && add_word::<u8>(&mut [], 1));
}

/// Two words around the slice stay: a wipe is no longer than what it is given.
#[test]
fn wiped_words_are_zeros() {
    let mut room = [0xa5u64; 9];
    wipe(&mut room[1..8]);
    assert_eq!(room, [0xa5, 0, 0, 0, 0, 0, 0, 0, 0xa5]);
}

proptest! {
    /// Lengths on both sides of the chunks in which carries run.
    #[test]
    fn a_shorter_operand_carries_to_the_top(
        a in proptest::collection::vec(structured_limb(), 0..20),
        b in proptest::collection::vec(structured_limb(), 0..20),
    ) {
        let (a, b) = if a.len() < b.len() { (b, a) } else { (a, b) };
        let (x, y) = (big(&a), big(&b));
        let top = BigUint::from(1u8) << (64 * a.len());
        let mut sum = a.clone();
        let carry = add_shorter(&mut sum, &b);
        prop_assert_eq!(big(&sum) + if carry { top.clone() } else { BigUint::ZERO }, &x + &y);
        let mut difference = a.clone();
        let borrow = sub_shorter(&mut difference, &b);
        prop_assert_eq!(borrow, x < y);
        prop_assert_eq!(big(&difference) + &y, x + if borrow { top } else { BigUint::ZERO });
    }
}
