//! The by-value rings of 1 to 4 limbs against the oracle, and one program run through the kernel's entry.

use super::{Dice, big, words};
use crate::kernel::fixed::{FixedOdd, FixedPowerOfTwo, FixedRing, Program, run};
use num_bigint::BigUint;

/// a^5 b by the entry: a program that a kernel would be handed.
struct FifthPower<const N: usize>([u64; N], [u64; N]);

impl<const N: usize> Program<N> for FifthPower<N> {
    type Output = [u64; N];

    #[inline(always)]
    fn run(self, ring: &impl FixedRing<N>) -> [u64; N] {
        let (a, b) = (ring.enter(self.0), ring.enter(self.1));
        let fourth = ring.sqr(ring.sqr(a));
        ring.leave(ring.mul(ring.mul(fourth, a), b))
    }
}

fn ring_is_right<const N: usize>(ring: &impl FixedRing<N>, m: &BigUint, dice: &mut Dice) {
    assert_eq!(big(&ring.leave(ring.one())), BigUint::from(1u32) % m, "one modulo {m}");
    let number = |dice: &mut Dice| -> [u64; N] { dice.number(N).try_into().expect("N limbs") };
    let last: [u64; N] = words(&(m - 1u32), N).try_into().expect("N limbs");
    for values in [[[u64::MAX; N], [u64::MAX; N]], [last, last], [last, number(dice)], [number(dice), number(dice)]] {
        let [a, b] = values.map(|value| ring.enter(value));
        assert!(big(&a) < *m && big(&b) < *m);
        let (a_big, b_big) = (big(&values[0]), big(&values[1]));
        let product = ring.mul(a, b);
        assert!(big(&product) < *m, "canonical modulo {m}");
        assert_eq!(big(&ring.leave(product)), &a_big * &b_big % m, "mul modulo {m}");
        let square = ring.sqr(a);
        assert!(big(&square) < *m, "canonical modulo {m}");
        assert_eq!(big(&ring.leave(square)), &a_big * &a_big % m, "sqr modulo {m}");
        for small in [0, 1, 2, 3, 0xffff_ffff, u64::MAX] {
            assert_eq!(big(&ring.leave(ring.mul_small(a, small))), &a_big * small % m, "mul_small modulo {m}");
        }
        let fifth = run(ring, FifthPower(values[0], values[1]));
        assert_eq!(big(&fifth), a_big.modpow(&BigUint::from(5u32), m) * b_big % m);
    }
}

fn odd_rings<const N: usize>() {
    let mut dice = Dice::new(20 + N as u64);
    let mut moduli = vec![[u64::MAX; N]];
    for low in [1, 3, u64::MAX] {
        for top in [0, 1, 1 << 63] {
            let mut m = [0; N];
            m[N - 1] |= top;
            m[0] |= low;
            moduli.push(m);
        }
    }
    for _ in 0..2000 {
        let mut m: [u64; N] = dice.number(N).try_into().expect("N limbs");
        m[0] |= 1;
        moduli.push(m);
    }
    for m in moduli {
        let ring = FixedOdd::new(m);
        assert_eq!(ring.modulus(), m);
        ring_is_right(&ring, &big(&m), &mut dice);
        if N == 1 {
            assert_eq!(format!("{:?}", FixedOdd::new_public(m[0])), format!("{ring:?}"), "set-up by division");
        }
    }
}

#[test]
fn odd_moduli_of_1_to_4_limbs() {
    odd_rings::<1>();
    odd_rings::<2>();
    odd_rings::<3>();
    odd_rings::<4>();
}

#[test]
fn powers_of_two_to_256_bits() {
    let mut dice = Dice::new(30);
    for k in 1..=64usize {
        let m = |k: usize| BigUint::from(1u32) << k;
        ring_is_right(&FixedPowerOfTwo::<1>::new(k), &m(k), &mut dice);
        ring_is_right(&FixedPowerOfTwo::<2>::new(64 + k), &m(64 + k), &mut dice);
        ring_is_right(&FixedPowerOfTwo::<3>::new(128 + k), &m(128 + k), &mut dice);
        ring_is_right(&FixedPowerOfTwo::<4>::new(192 + k), &m(192 + k), &mut dice);
    }
}
