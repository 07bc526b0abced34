//! Tests of `execute/guarded.rs`.

use super::{Limbs, differing, random_prime};
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
pub(super) fn struck(place: usize, mut half: Limbs) -> Limbs {
    strike(place, &mut half);
    half
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
    let mut drawn: Vec<u64> = (0..8).map(|_| random_prime(&15u64.into(), |_| Ok(true)).unwrap()).collect();
    assert!(drawn.iter().all(|r| r >> 63 == 1 && r & 1 == 1));
    drawn.sort_unstable();
    drawn.dedup();
    assert_eq!(drawn.len(), 8);
    // A composite is drawn again.
    let mut tried = 0;
    random_prime(&15u64.into(), |_| {
        tried += 1;
        Ok(tried == 3)
    })
    .unwrap();
    assert_eq!(tried, 3);
}
