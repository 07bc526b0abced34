//! Tests of `kernel/fixed.rs`.

use super::*;
use num_bigint::BigUint;

fn big(limbs: &[u64]) -> BigUint {
    limbs.iter().rev().fold(BigUint::from(0u32), |value, &limb| (value << 64) + limb)
}

/// Limbs at their edges, so that every carry is taken.
const EDGES: [u64; 7] = [0, 1, 2, 0x8000_0000_0000_0000, 0x0123_4567_89ab_cdef, u64::MAX - 1, u64::MAX];

/// Every number of N limbs made of edges, thinned to about `most`.
fn numbers<const N: usize>(most: usize) -> Vec<[u64; N]> {
    let count = EDGES.len().pow(N as u32);
    let step = (count / most).max(1) | 1;
    (0..count)
        .step_by(step)
        .map(|mut code| {
            core::array::from_fn(|_| {
                let limb = EDGES[code % EDGES.len()];
                code /= EDGES.len();
                limb
            })
        })
        .collect()
}

fn odd_rings<const N: usize>() {
    for mut m in numbers::<N>(200) {
        m[0] |= 1;
        let modulus = big(&m);
        let ring = FixedOdd::<N>::new(&m);
        let values = numbers::<N>(60);
        assert_eq!(big(&ring.leave(ring.one())), BigUint::from(1u32) % &modulus, "{m:x?}");
        for a in &values {
            let (x, form) = (big(a), ring.enter(a));
            assert!(big(&form) < modulus);
            assert_eq!(big(&ring.leave(form)), &x % &modulus, "{a:x?} mod {m:x?}");
            assert_eq!(big(&ring.leave(ring.sqr(form))), &x * &x % &modulus, "{a:x?}^2 mod {m:x?}");
            for b in &values {
                let product = ring.mul(form, ring.enter(b));
                assert!(big(&product) < modulus);
                assert_eq!(big(&ring.leave(product)), &x * big(b) % &modulus, "{a:x?} {b:x?} mod {m:x?}");
            }
            let long = [a.as_slice(), &m, a, &[u64::MAX]].concat();
            assert_eq!(big(&ring.leave(ring.enter(&long))), big(&long) % &modulus);
        }
    }
}

#[test]
fn odd_moduli_of_every_size() {
    odd_rings::<1>();
    odd_rings::<2>();
    odd_rings::<3>();
    odd_rings::<4>();
}

fn power_of_two_rings<const N: usize>() {
    for k in 1..=64 * N {
        let ring = FixedPowerOfTwo::<N>::new(k);
        let modulus = BigUint::from(1u32) << k;
        for a in numbers::<N>(20) {
            for b in numbers::<N>(20) {
                let product = ring.leave(ring.mul(ring.enter(&a), ring.enter(&b)));
                assert_eq!(big(&product), big(&a) * big(&b) % &modulus);
            }
            assert_eq!(big(&ring.leave(ring.enter(&[a.as_slice(), &a].concat()))), big(&a) % &modulus);
            assert_eq!(big(&ring.leave(ring.sqr(a))), big(&a) * big(&a) % &modulus);
        }
        assert_eq!(big(&ring.leave(ring.one())), BigUint::from(1u32));
    }
}

#[test]
fn powers_of_two_of_every_size() {
    power_of_two_rings::<1>();
    power_of_two_rings::<2>();
    power_of_two_rings::<3>();
    power_of_two_rings::<4>();
    power_of_two_rings::<5>();
    power_of_two_rings::<6>();
    power_of_two_rings::<7>();
    power_of_two_rings::<8>();
    power_of_two_rings::<9>();
    power_of_two_rings::<10>();
}
