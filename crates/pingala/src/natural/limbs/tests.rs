use super::*;
use crate::natural::testing::{limbs_to_oracle, oracle_to_limbs, structured_limb};
use num_bigint::BigUint;
use proptest::prelude::*;

/// A two-word number, b = 2^8.
fn two(value: u32) -> [u8; 2] {
    (value as u16).to_le_bytes()
}

/// What two words hold.
fn number(words: [u8; 2]) -> u32 {
    u32::from(u16::from_le_bytes(words))
}

/// Every low byte under each high byte at which carries start, end or run through.
fn edge_numbers() -> impl Iterator<Item = u32> + Clone {
    [0x00, 0x01, 0x02, 0x7f, 0x80, 0x81, 0xfe, 0xff]
        .into_iter()
        .flat_map(|high| (0..256).map(move |low| high << 8 | low))
}

/// Every operand `a` of two words.
fn all_numbers() -> core::ops::RangeInclusive<u32> {
    0..=0xffff
}

fn check_pair(a: u32, b: u32) {
    let mut words = two(a);
    let carry = add_assign(&mut words, &two(b));
    assert_eq!(number(words) + ((carry as u32) << 16), a + b);
    let mut words = two(a);
    let borrow = sub_assign(&mut words, &two(b));
    assert_eq!(i64::from(number(words)) - (i64::from(borrow) << 16), i64::from(a) - i64::from(b));
    assert_eq!(is_below(&two(a), &two(b)), a < b);
    assert_eq!(compare(&two(a), &two(b)), a.cmp(&b));
}

fn check_subtract(t: u32, m: u32) {
    let want = if t >= m { t - m } else { t };
    // The content of `out` on entry does not matter.
    let mut out = [0xa5; 2];
    conditional_subtract(&mut out, &two(t), (t >> 16) as u8, &two(m));
    assert_eq!(number(out), want, "{t} - {m}");
    let mut words = two(t);
    reduce_once(&mut words, (t >> 16) as u8, &two(m));
    assert_eq!(number(words), want, "{t} - {m}");
}

#[test]
fn two_words_by_edge_numbers() {
    for b in edge_numbers() {
        for a in all_numbers() {
            check_pair(a, b);
        }
    }
}

#[test]
fn conditional_subtract_of_every_number_below_twice_an_edge_modulus() {
    for m in edge_numbers() {
        for t in 0..2 * m {
            check_subtract(t, m);
        }
    }
}

#[test]
#[ignore = "2^32 cases each, a minute together; the edge tests above are the everyday part of it"]
fn two_words_exhaustively() {
    for b in all_numbers() {
        for a in all_numbers() {
            check_pair(a, b);
        }
        for t in 0..2 * b {
            check_subtract(t, b);
        }
    }
}

#[test]
fn a_shorter_operand_carries_to_the_top() {
    for a in all_numbers() {
        for b in 0..=0xffu8 {
            let mut words = two(a);
            let carry = add_assign(&mut words, &[b]);
            assert_eq!(number(words) + ((carry as u32) << 16), a + u32::from(b));
            let mut words = two(a);
            let borrow = sub_assign(&mut words, &[b]);
            assert_eq!(number(words), a.wrapping_sub(u32::from(b)) & 0xffff);
            assert_eq!(borrow, a < u32::from(b));
            assert_eq!(compare(&two(a), &[b]), a.cmp(&u32::from(b)));
            assert_eq!(compare(&[b], &two(a)), u32::from(b).cmp(&a));
        }
        let mut words = two(a);
        assert!(!add_assign(&mut words, &[]) && !sub_assign(&mut words, &[]));
        assert_eq!(number(words), a);
    }
    assert!(add_carry_assign::<u8>(&mut [], true));
    assert!(sub_borrow_assign::<u8>(&mut [], true));
}

#[test]
fn shifts_of_two_words_exhaustively() {
    for a in all_numbers() {
        for count in 0..8u32 {
            let mut words = two(a);
            let out = shift_left_bits(&mut words, count);
            assert_eq!(number(words) + (u32::from(out) << 16), a << count);
            let mut words = two(a);
            let out = shift_right_bits(&mut words, count);
            assert_eq!((number(words) << count) + u32::from(out), a);
        }
        for count in 0..40usize {
            let shifted = |by: fn(u64, u32) -> Option<u64>| by(u64::from(a), count as u32).unwrap_or(0) as u32 & 0xffff;
            let mut words = two(a);
            shift_left(&mut words, count);
            assert_eq!(number(words), shifted(u64::checked_shl), "{a} << {count}");
            let mut words = two(a);
            shift_right(&mut words, count);
            assert_eq!(number(words), shifted(u64::checked_shr), "{a} >> {count}");
        }
        assert_eq!(bit_length(&two(a)), (u32::BITS - a.leading_zeros()) as usize);
        assert_eq!(significant(&two(a)).len(), (u32::BITS - a.leading_zeros()).div_ceil(8) as usize);
    }
}

#[test]
fn sums_modulo_every_byte() {
    for m in 1..=0xffu8 {
        for a in 0..m {
            for b in 0..m {
                let mut sum = [a];
                mod_add_assign(&mut sum, &[b], &[m]);
                assert_eq!(u32::from(sum[0]), (u32::from(a) + u32::from(b)) % u32::from(m));
            }
            let mut value = [a];
            mod_double_assign(&mut value, &[m]);
            assert_eq!(u32::from(value[0]), 2 * u32::from(a) % u32::from(m));
        }
    }
}

#[test]
fn sums_modulo_two_words() {
    for m in [1u32, 2, 3, 0xff, 0x100, 0x101, 0x7fff, 0x8000, 0x8001, 0xff00, 0xff01, 0xfffe, 0xffff] {
        for a in 0..m {
            for b in [0, 1, 0xfe, 0xff, 0x100, m / 2, m / 2 + 1, m - 1, m - 1 - a, m - a].into_iter().filter(|&b| b < m)
            {
                let mut sum = two(a);
                mod_add_assign(&mut sum, &two(b), &two(m));
                assert_eq!(number(sum), (a + b) % m);
            }
            let mut value = two(a);
            mod_double_assign(&mut value, &two(m));
            assert_eq!(number(value), 2 * a % m);
        }
    }
}

#[test]
fn a_masked_selection_takes_all_or_nothing() {
    let table = [two(0x1234), two(0xff00), two(0x00ff), two(0xffff)];
    for wanted in 0..table.len() {
        let mut out = [0xa5, 0x5a];
        for (at, entry) in table.iter().enumerate() {
            select_into(&mut out, <u8 as Word>::mask(at == wanted), entry);
        }
        assert_eq!(out, table[wanted]);
    }
    let mut out = [7u8, 9];
    select_into(&mut out, 0, &[1, 2]);
    assert_eq!(out, [7, 9]);
}

proptest! {
    #[test]
    fn long_sums_and_differences_agree_with_the_oracle(
        a in proptest::collection::vec(structured_limb(), 0..20),
        b in proptest::collection::vec(structured_limb(), 0..20),
    ) {
        let (a, b) = if a.len() < b.len() { (b, a) } else { (a, b) };
        let (x, y) = (limbs_to_oracle(&a), limbs_to_oracle(&b));
        let top = BigUint::from(1u8) << (64 * a.len());
        let mut sum = a.clone();
        let carry = add_assign(&mut sum, &b);
        prop_assert_eq!(limbs_to_oracle(&sum) + if carry { top.clone() } else { BigUint::ZERO }, &x + &y);
        let mut difference = a.clone();
        let borrow = sub_assign(&mut difference, &b);
        prop_assert_eq!(borrow, x < y);
        prop_assert_eq!(limbs_to_oracle(&difference) + &y, x.clone() + if borrow { top } else { BigUint::ZERO });
        prop_assert_eq!(compare(&a, &b), x.cmp(&y));
        prop_assert_eq!(bit_length(&a) as u64, x.bits());
    }

    #[test]
    fn long_shifts_agree_with_the_oracle(
        a in proptest::collection::vec(structured_limb(), 0..12),
        count in 0..900usize,
    ) {
        let x = limbs_to_oracle(&a);
        let mut left = a.clone();
        shift_left(&mut left, count);
        let top = BigUint::from(1u8) << (64 * a.len());
        prop_assert_eq!(limbs_to_oracle(&left), (&x << count) % top);
        let mut right = a.clone();
        shift_right(&mut right, count);
        prop_assert_eq!(limbs_to_oracle(&right), &x >> count);
    }

    #[test]
    fn long_sums_modulo_m_agree_with_the_oracle(
        m in proptest::collection::vec(structured_limb(), 1..12),
        a in proptest::collection::vec(structured_limb(), 12),
        b in proptest::collection::vec(structured_limb(), 12),
    ) {
        let modulus = limbs_to_oracle(&m);
        prop_assume!(modulus != BigUint::ZERO);
        // Half of the limbs of a and b survive the reduction only in part; m - 1 stands for the upper edge.
        let x = if a[0] % 4 == 0 { &modulus - 1u8 } else { limbs_to_oracle(&a) % &modulus };
        let y = if b[0] % 4 == 0 { &modulus - 1u8 } else { limbs_to_oracle(&b) % &modulus };
        let mut sum = oracle_to_limbs(&x, m.len());
        mod_add_assign(&mut sum, &oracle_to_limbs(&y, m.len()), &m);
        prop_assert_eq!(limbs_to_oracle(&sum), (&x + &y) % &modulus);
        let mut double = oracle_to_limbs(&x, m.len());
        mod_double_assign(&mut double, &m);
        prop_assert_eq!(limbs_to_oracle(&double), (&x + &x) % &modulus);
    }
}
