//! Tests of `natural/word.rs`.

use super::*;

/// Every pair of bytes, with every extreme of the addend and the carry.
#[test]
fn products_of_bytes_are_exact() {
    for a in 0..=u8::MAX {
        for b in 0..=u8::MAX {
            for (addend, carry) in [(0, 0), (255, 0), (0, 255), (255, 255), (a, b)] {
                let (low, high) = Word::mul_add_carry(a, b, addend, carry);
                let want = a as u32 * b as u32 + addend as u32 + carry as u32;
                assert_eq!(low as u32 + 256 * high as u32, want);
            }
            let mut accumulator = Accumulator { low: 255, mid: 255, high: 3 };
            accumulator.add_product(a, b);
            let sum = accumulator.low as u32 + ((accumulator.mid as u32) << 8) + ((accumulator.high as u32) << 16);
            assert_eq!(sum, 0x3ffff + a as u32 * b as u32);
        }
    }
}

/// Every pair of bytes and both carries; masks select all bits or none.
#[test]
fn sums_and_selections_of_bytes_are_exact() {
    for a in 0..=u8::MAX {
        for b in 0..=u8::MAX {
            for carry in [false, true] {
                let (sum, out) = Word::add_carry(a, b, carry);
                assert_eq!(sum as u32 + 256 * out as u32, a as u32 + b as u32 + carry as u32);
                let (difference, out) = Word::sub_borrow(a, b, carry);
                assert_eq!(difference as i32 - 256 * out as i32, a as i32 - b as i32 - carry as i32);
                assert_eq!(u8::select(u8::mask(carry), a, b), if carry { a } else { b });
                assert_eq!(a.flip(u8::mask(carry)), if carry { !a } else { a });
            }
            assert_eq!(a.mul_low(b), Word::mul_wide(a, b).0);
            assert_eq!((a.add_out(b), a.sub_out(b)), (Word::add_carry(a, b, false), Word::sub_borrow(a, b, false)));
            assert_eq!(a.mul_add(b, a), Word::mul_add_carry(a, b, a, 0));
        }
    }
}

/// The accumulator of each width against one wide integer, at the extremes of every part.
fn accumulator_agrees<W: Word>(edges: &[W]) {
    let value = |sum: &Accumulator<W>| {
        let part = |word: W, weight: u32| u128::from(word.to_u64()) << (weight * W::BITS);
        part(sum.low, 0) + part(sum.mid, 1) + part(sum.high, 2)
    };
    for &low in edges {
        for &mid in edges {
            for &a in edges {
                for &b in edges {
                    let start = Accumulator { low, mid, high: W::ONE };
                    let product = u128::from(a.to_u64()) * u128::from(b.to_u64());
                    let mut sum = start;
                    sum.add_product(a, b);
                    assert_eq!(value(&sum), value(&start) + product);
                    sum.add_word(a);
                    assert_eq!(value(&sum), value(&start) + product + u128::from(a.to_u64()));
                    let before = value(&sum);
                    sum.double();
                    assert_eq!(value(&sum), 2 * before);
                    assert_eq!(sum.shift_out().to_u64() as u128, 2 * before % (1 << W::BITS));
                    assert_eq!(value(&sum), (2 * before) >> W::BITS);
                    let mut sum = start;
                    sum.add(&Accumulator { low: a, mid: b, high: W::ZERO });
                    assert_eq!(value(&sum), value(&start) + value(&Accumulator { low: a, mid: b, high: W::ZERO }));
                }
            }
        }
    }
}

#[test]
fn accumulators_agree_with_a_wide_integer() {
    accumulator_agrees::<u8>(&[0, 1, 2, 0x7f, 0x80, 0xfe, 0xff]);
    accumulator_agrees::<u16>(&[0, 1, 2, 0x7fff, 0x8000, 0xfffe, 0xffff]);
    accumulator_agrees::<u32>(&[0, 1, 2, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe, 0xffff_ffff]);
}

/// The word that ships, whose three-word sums no primitive integer holds: by parts.
#[test]
fn the_accumulator_of_limbs_carries_into_its_top_word() {
    let mut sum = Accumulator { low: u64::MAX, mid: u64::MAX, high: 5 };
    sum.add_product(u64::MAX, u64::MAX);
    // (b^2 - 1) + (b - 1)^2 = b^2 + (b - 2)*b + 0, and the 5.
    assert_eq!(sum, Accumulator { low: 0, mid: u64::MAX - 1, high: 6 });
    sum.double();
    assert_eq!(sum, Accumulator { low: 0, mid: u64::MAX - 3, high: 13 });
    assert_eq!((sum.shift_out(), sum), (0, Accumulator { low: u64::MAX - 3, mid: 13, high: 0 }));
}
