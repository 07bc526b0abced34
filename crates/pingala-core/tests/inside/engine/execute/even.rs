//! Tests of `engine/execute/even.rs`.

use super::*;
use crate::modulus::Facts;
use crate::natural::chores;

/// A number without a pattern, odd, of exactly `bits` bits.
fn odd_number(seed: u64, bits: u64) -> Natural {
    let limb = |index: u64| (index + seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left((seed % 64) as u32);
    let mut limbs: Vec<u64> = (0..bits.div_ceil(64)).map(limb).collect();
    let top = limbs.len() - 1;
    limbs[top] = limbs[top] & (u64::MAX >> (63 - (bits - 1) % 64)) | 1 << ((bits - 1) % 64);
    limbs[0] |= 1;
    Natural::from_limbs(&limbs)
}

/// Odd parts and powers of two of all lengths in words, by a division in one call and by a kept inverse in many.
#[test]
fn residues_recombine() {
    let lengths =
        [1, 2, 3, 63, 64, 65, 127, 128, 129, 320, 513, 577, 705, 64 * EvenRecombination::DIVIDED_WORDS as u64 + 1];
    they_recombine(&[2, 64, 65, 192, 321, 577], &lengths);
}

/// The longer part is cut into pieces as long as the shorter one, and what is left of it is nearly as long as that.
#[test]
fn residues_recombine_by_pieces() {
    they_recombine(&[64 * 65, 64 * 72 + 9], &[64 * 33, 64 * 40 - 7]);
    they_recombine(&[64 * 33, 64 * 40 - 7], &[64 * 65, 64 * 73]);
}

/// By transforms, those as long as the power of two and others, on every CPU.
#[test]
#[cfg_attr(miri, ignore)]
fn long_residues_recombine() {
    assert_eq!(
        [127, 1024].map(EvenRecombination::fastest),
        [EvenRecombination::Karatsuba, EvenRecombination::Transforms]
    );
    they_recombine(&[2, 64, 40_000, 65_536, 90_001], &[65_536, 65_535, 70_001]);
}

fn they_recombine(odd_lengths: &[u64], lengths: &[u64]) {
    for &odd_bits in odd_lengths {
        for &k in lengths {
            let odd = odd_number(odd_bits + k, odd_bits);
            let two = Natural::power_of_two(k);
            let m = chores::mul(&odd, &two);
            let one_less = chores::sub(&m, &Natural::from(1u64));
            for x in [Natural::default(), Natural::from(1u64), chores::rem(&odd_number(k, 900), &m), one_less] {
                let parts = || (chores::rem(&x, &odd), chores::rem(&x, &two));
                let check = |modulus: &Prepared<'_>| {
                    let (mut modulo_odd, modulo_two) = parts();
                    let mut out = vec![0xaa; m.limbs().len() + 1];
                    recombine_secrets(modulus, &mut out, modulo_odd.limbs(), modulo_two.limbs());
                    assert_eq!(Natural::from_limbs(&out), x, "{x} mod {odd} 2^{k}");
                    recombine(modulus, &mut modulo_odd, &modulo_two);
                    assert_eq!(modulo_odd, x, "{x} mod {odd} 2^{k}");
                };
                Prepared::for_one_call(&m, check);
                check(&Prepared::new(Facts::new(m.clone())));
            }
        }
    }
}
