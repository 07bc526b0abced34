//! Inverses modulo powers of two by products modulo 2^m - 1.

use super::product::LongProducts;
use crate::kernel::hensel;
use crate::natural::linear;

/// The longest inverse, in limbs, that is not found by transforms.
const SHORT_INVERSE: usize = 96;

/// `1 / odd` modulo B^n, B = 2^64, in n limbs, by Hensel's lifting: with x the inverse modulo B^k and N = `odd` modulo B^t, k < t <= 2k,
///
/// 1. N x = 1 + e B^k modulo B^t.
/// 2. The inverse modulo B^t is x - (x e mod B^(t - k)) B^k.
///
/// Both products are modulo B^l - 1 for an l >= t. The second is below B^t. In the first only the part above B^l comes in at the bottom:
/// w = floor(N x / B^l), below B^k - 1, because N x <= (B^t - 1) (B^k - 1) < (B^k - 1) B^t. So the k lowest limbs become 1 + w, nothing
/// is carried out of them, and the limbs above are those of e.
///
/// Count: five transforms of n limbs in the last step, two of them of x and e, and half as much before each time.
pub(crate) fn inverse(products: &mut dyn LongProducts, odd: &[u64], n: usize) -> Vec<u64> {
    let cut = |limbs: usize| &odd[..limbs.min(odd.len())];
    let mut targets = Vec::new();
    let mut known = n;
    while known > SHORT_INVERSE {
        targets.push(known);
        known = known.div_ceil(2);
    }
    let mut x = hensel::quickest_inverse(cut(known), 64 * known).into_vec();
    x.reserve(n - known);
    for target in targets.into_iter().rev() {
        products.set_factor(&x, target);
        // 1.
        let mut product = vec![0; products.limbs()];
        products.times(&mut product, cut(target));
        debug_assert!(product[..known].iter().any(|&limb| limb != 0), "1 + w");
        // 2.
        let error = product[known..target].to_vec();
        let change = &mut product[..target - known];
        products.times(change, &error);
        linear::negate(change);
        x.extend_from_slice(change);
        known = target;
    }
    x
}

#[cfg(test)]
#[path = "../../../tests/inside/kernel/ntt_two_adic.rs"]
mod tests;
