//! Tests of `engine/execute/guarded.rs`.

use super::rest_of_division;
use crate::engine::execute::guarded_factors::{differing, random_prime};
use crate::natural::{Natural, Wiped, chores};
use crate::suite::common::from_bits;
use core::cell::Cell;

thread_local! {
    /// The place of a planted fault: the part (or, after the last, the joined result), and the bit that flips.
    pub(crate) static FAULT: Cell<Option<(usize, usize)>> = const { Cell::new(None) };
}

/// The planted fault.
pub(super) fn strike(place: usize, limbs: &mut [u64]) {
    if let Some((at, bit)) = FAULT.get()
        && at == place
    {
        limbs[bit / 64 % limbs.len()] ^= 1 << (bit % 64);
    }
}

/// The half with the fault that is planted for its place.
pub(super) fn struck(place: usize, mut half: Wiped) -> Wiped {
    strike(place, &mut half);
    half
}

/// Orders are even, and so are most that divide; of every length around words, with runs of ones and zeros on top.
#[test]
fn the_rest_of_a_division_is_that_of_the_library() {
    let mut random = crate::suite::common::Random::new(31);
    for bits in [1, 2, 3, 31, 63, 64, 65, 127, 128, 129, 192, 500, 512, 640, 641, 1023, 1024, 2049] {
        for form in 0..6 {
            let mut limbs = random.exponent(bits).magnitude().limbs().to_vec();
            let top = (bits - 1) % 64;
            match form {
                0 => limbs.fill(u64::MAX),
                1 => limbs.fill(0),
                2 => limbs[0] &= !0xffff,
                _ => {}
            }
            let last = limbs.last_mut().unwrap();
            *last = *last & ((1 << top) - 1) | 1 << top;
            let order = Natural::from_limbs(&limbs);
            assert_eq!(order.bits() as usize, bits);
            for length in [1, bits / 2 + 1, bits, bits + 1, bits + 63, 2 * bits, 2 * bits + 200] {
                for value in [random.exponent(length), from_bits(0..length), from_bits([length - 1])] {
                    let mut rest = vec![7; limbs.len()];
                    rest_of_division(&mut rest, value.magnitude().limbs(), &limbs, bits);
                    let want = chores::rem(value.magnitude(), &order);
                    assert_eq!(Natural::from_limbs(&rest), want, "{value} mod {order}");
                }
            }
        }
    }
}

#[test]
fn every_bit_tells_two_numbers_apart() {
    let a = [0x0123_4567_89ab_cdef, 0, u64::MAX];
    assert_eq!(differing(&a, &a), 0);
    for bit in 0..192 {
        let mut b = a;
        b[bit / 64] ^= 1 << (bit % 64);
        assert_ne!(differing(&a, &b), 0, "bit {bit}");
    }
}

/// Who knows r can choose a fault that passes: each modulus has its own.
#[test]
fn the_checking_prime_is_drawn_anew() {
    let mut drawn: Vec<u64> = (0..8).map(|_| random_prime(&15u64.into(), 0, |_| Ok(true)).unwrap()[0]).collect();
    assert!(drawn.iter().all(|r| r >> 63 == 1 && r & 1 == 1));
    drawn.sort_unstable();
    drawn.dedup();
    assert_eq!(drawn.len(), 8);
    // A composite is drawn again.
    let mut tried = 0;
    random_prime(&15u64.into(), 0, |_| {
        tried += 1;
        Ok(tried == 3)
    })
    .unwrap();
    assert_eq!(tried, 3);
}
