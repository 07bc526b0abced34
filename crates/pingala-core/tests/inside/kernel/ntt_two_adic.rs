//! Tests of `kernel/ntt/two_adic.rs`.

use super::*;
use crate::kernel::conformance::{Dice, big};
use crate::kernel::ntt::long_products;
use num_bigint::BigUint;

/// All lengths around those of transforms, numbers at the edges: all ones, whose first product is B^l - 1 if the transform has the length
/// of the inverse; 1; 1 + 2^k; shorter and longer than the inverse.
#[test]
fn inverses_modulo_powers_of_limbs() {
    let mut dice = Dice::new(21);
    let lengths: &[usize] =
        if cfg!(miri) { &[1, 100] } else { &[1, 2, 95, 96, 97, 127, 128, 129, 192, 193, 255, 256, 257, 320, 576, 700] };
    for &n in lengths {
        let sparse = |at: usize| {
            let mut odd = vec![0; at + 1];
            odd[at] = 1;
            odd[0] |= 1;
            odd
        };
        let mut random = |limbs: usize| {
            let mut odd = dice.number::<u64>(limbs);
            odd[0] |= 1;
            odd
        };
        let numbers = [
            vec![u64::MAX; n],
            vec![u64::MAX; 2 * n + 1],
            vec![u64::MAX; n.div_ceil(2)],
            sparse(0),
            sparse(n / 2),
            sparse(n - 1),
            sparse(n),
            random(n),
            random(n),
            random(n.div_ceil(3)),
            random(n + 9),
        ];
        let unit = BigUint::from(1u8) << (64 * n);
        for odd in &numbers {
            let got = inverse(&mut *long_products(n), odd, n);
            assert!(got.len() == n && big(&got) * big(odd) % &unit == BigUint::from(1u8), "{n} limbs, {odd:x?}");
        }
    }
}
