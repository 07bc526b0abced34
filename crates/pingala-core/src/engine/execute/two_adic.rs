//! Inverses modulo powers of two, by products or by transforms.

use crate::engine::plan::EvenRecombination;
use crate::kernel::hensel::{self, FEW};
use crate::kernel::ntt::{self, long_products};
use crate::natural::linear;
use smallvec::SmallVec;

/// 1 / odd mod 2^k, in the words of a number of k bits. Not for secrets.
pub(crate) fn inverse_mod_power_of_two(odd: &[u64], k: usize) -> SmallVec<[u64; FEW]> {
    let words = k.div_ceil(64);
    if !ntt::LINKED || EvenRecombination::fastest(words) != EvenRecombination::Transforms {
        return hensel::quickest_inverse(odd, k);
    }
    let mut inverse = ntt::inverse(&mut *long_products(words), odd, words);
    linear::truncate(&mut inverse, k);
    inverse.into()
}
