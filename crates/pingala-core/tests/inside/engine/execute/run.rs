//! Every algorithm on every product at every word size, against square-and-multiply on the oracle's numbers.

use super::RingResidues;
use crate::algorithm::{AdditionChain, Algorithm, BASE, Chain};
use crate::engine::execute::poll::Poll;
use crate::engine::execute::selection::{Public, Secret};
use crate::exponent::{Exponent, SecretExponent};
use crate::kernel::Ring;
use crate::kernel::montgomery::Product;
use crate::kernel::odd::OddRing;
use crate::kernel::power_of_two::PowerOfTwoRing;
use crate::natural::Natural;
use crate::natural::testing::{big, to_oracle, words};
use crate::natural::word::Word;
use num_bigint::BigUint;

/// The oracle.
fn power(base: &BigUint, exponent: &Natural, m: &BigUint) -> BigUint {
    (0..exponent.bits()).rev().fold(BigUint::from(1u32) % m, |power, bit| {
        let square = &power * &power % m;
        if to_oracle(exponent).bit(bit) { square * base % m } else { square }
    })
}

/// The catalogue up to windows of 5 bits (under Miri of 2), and one chain for 283, which a list of algorithms cannot hold.
fn algorithms() -> Vec<Algorithm> {
    let pairs = [(0, 0), (1, 1), (2, 2), (3, 3), (0, 4), (5, 5), (0, 6), (7, 7), (8, 8), (0, 9), (10, 10), (0, 11)];
    let chain = Chain::from_pairs(pairs.to_vec()).unwrap();
    Algorithm::all(if cfg!(miri) { 2 } else { 5 }).into_iter().chain([AdditionChain::new(chain).into()]).collect()
}

/// The chain's 283; but under Miri, which would take hours, also 1, 2, a lone bit, all ones, and neither.
fn exponents() -> Vec<Exponent> {
    let values: &[u64] = if cfg!(miri) { &[283] } else { &[283, 1, 2, 1 << 40, (1 << 41) - 1, 0x1_6b5f_0c3d_9a27] };
    values.iter().map(|&value| Exponent::new(value.into()).unwrap()).collect()
}

/// A base without a pattern; but under Miri also one of one word, 0, 1, -1, and all ones beyond the modulus.
fn bases<W: Word>(n: usize, m: &BigUint) -> Vec<Vec<W>> {
    let one = BigUint::from(1u32);
    let mixed: Vec<W> =
        (1..=n as u64).map(|i| W::from_u64(i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - W::BITS))).collect();
    let mut bases =
        vec![mixed, vec![W::from_u64(0xb5)], vec![], vec![W::ONE], words(&(m - one), n), vec![W::MAX; n + 1]];
    bases.truncate(if cfg!(miri) { 1 } else { bases.len() });
    bases
}

/// Runs the catalogue on one ring: public digits, a base of one word also as the short one, and secret digits if the
/// schedule is uniform.
fn catalogue_is_right<W: Word>(ring: &dyn Ring<W>, m: &BigUint, what: &str) {
    let poll = Poll::none();
    for exponent in exponents() {
        let secret = SecretExponent::new(exponent.magnitude(), Some(exponent.bits() as u64 + 3)).unwrap();
        for base in bases::<W>(ring.words(), m) {
            let expected = power(&big(&base), exponent.magnitude(), m);
            for algorithm in algorithms().iter().filter(|algorithm| algorithm.serves(&exponent)) {
                let mut out = vec![W::MAX; ring.words()];
                let registers = algorithm.registers(secret.bits());
                // With nothing said of the base, with the base as a number, and as a short one.
                for known in [0, 1, 2].into_iter().filter(|&known| known < 2 || base.len() == 1) {
                    let mut room = vec![W::MAX; RingResidues::<W, Public>::room_words(ring, registers)];
                    let mut residues = RingResidues::<W, Public>::new(ring, &mut room, &poll);
                    residues.set(BASE, &base);
                    match known {
                        1 => residues.set_plain_base(&base),
                        2 => residues.set_short_base(base[0]),
                        _ => {}
                    }
                    let result = algorithm.run(&exponent, &mut residues);
                    residues.take(&mut out, result);
                    assert_eq!(big(&out), expected, "{algorithm} on {what}: {base:?}^{exponent}, known: {known}");
                }
                let mut room = vec![W::MAX; RingResidues::<W, Secret>::room_words(ring, registers)];
                let mut residues = RingResidues::<W, Secret>::new(ring, &mut room, &poll);
                residues.set(BASE, &base);
                if let Some(result) = algorithm.run_uniform(&secret, &mut residues) {
                    residues.take(&mut out, result);
                    assert_eq!(big(&out), expected, "{algorithm} on {what}: {base:?}^{exponent}, secret");
                }
            }
        }
    }
}

/// Odd moduli of n words: all ones, and a lone bit on top of 1.
fn odd_moduli<W: Word>(n: usize) -> [Vec<W>; 2] {
    let mut sparse = vec![W::ZERO; n];
    sparse[n - 1] = W::ONE.shift_left(W::BITS - 1);
    sparse[0] = if n == 1 { W::ONE.shift_left(W::BITS - 1).sub_borrow(W::ONE, false).0 } else { W::ONE };
    [vec![W::MAX; n], sparse]
}

/// Lengths with a single word, an odd and an even number of them, and, but under Miri, halves that Karatsuba splits.
fn odd_rings_are_right<W: Word>() {
    let (lengths, n_moduli): (&[usize], _) = if cfg!(miri) { (&[2], 1) } else { (&[1, 2, 5, 18], 2) };
    for &n in lengths {
        for modulus in &odd_moduli::<W>(n)[..n_moduli] {
            for product in Product::ALL {
                let ring = OddRing::<W>::new(modulus, product);
                catalogue_is_right(&ring, &big(modulus), &format!("{product}, {n} words of {} bits", W::BITS));
            }
        }
    }
}

fn power_of_two_rings_are_right<W: Word>() {
    let bits = W::BITS as usize;
    let lengths = if cfg!(miri) { vec![bits + 1] } else { vec![1, bits - 1, bits, bits + 1, 5 * bits - 3, 18 * bits] };
    for k in lengths {
        let ring = PowerOfTwoRing::<W>::new(k);
        catalogue_is_right(&ring, &(BigUint::from(1u32) << k), &format!("2^{k}, words of {bits} bits"));
    }
}

#[test]
#[cfg_attr(miri, ignore = "the same text as at 64 bits")]
fn algorithms_on_products_of_bytes() {
    odd_rings_are_right::<u8>();
    power_of_two_rings_are_right::<u8>();
}

#[test]
#[cfg_attr(miri, ignore = "the same text as at 64 bits")]
fn algorithms_on_products_of_u32() {
    odd_rings_are_right::<u32>();
    power_of_two_rings_are_right::<u32>();
}

#[test]
fn algorithms_on_products_of_u64() {
    odd_rings_are_right::<u64>();
    power_of_two_rings_are_right::<u64>();
}
