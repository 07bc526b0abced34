//! The Montgomery ladder: two powers one factor g apart, climbed bit by bit.
//!
//! Lemmas: Programs.montgomery_ladder_raises (proofs/README.md).

use super::{BASE, Cost, Counts, ExpectedCost, ExponentShape, IndependentProduct, Monoid, Program, Register};
use crate::exponent::{Digits, Exponent, fixed_digits};

/// The Montgomery ladder, by selection only: (P, Q) = (g^k, g^(k+1)) throughout, k being the bits read so far.
///
/// 1. At the top bit: (P, Q) <- (1, g) if it is 0, (g, g^2) if it is 1.
/// 2. For each further bit b: T <- P * Q; S <- P^2 for b = 0, Q^2 for b = 1; then (P, Q) <- (S, T) for b = 0, (T, S) for
///    b = 1.
/// 3. The result is P.
///
/// Every case of b is a selection among two registers that lie side by side, so the operations depend on the declared
/// length only. T and S are independent and go to the monoid together. An exponent of 0, and a declared length of 0,
/// give 1.
///
/// Exactly and expected, with k = max(1, bits): k squarings (one for g^2), k - 1 products, 3k - 1 selections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MontgomeryLadder;

impl MontgomeryLadder {
    fn counts(exponent_bits: usize) -> Counts {
        let bits = exponent_bits.max(1);
        Cost { squarings: bits, multiplications: bits - 1, base_multiplications: 0, selections: 3 * bits - 1 }
    }
}

named! {
    MontgomeryLadder, "montgomery_ladder",
    "[montgomery1987speeding]; [joye2003montgomery]",
    "one squaring and one product per bit, keeping two powers one factor g apart", Uniform
}

impl Program for MontgomeryLadder {
    fn registers(&self, _exponent_bits: usize) -> usize {
        6
    }

    fn table_length(&self) -> usize {
        2
    }

    fn expected(&self, shape: &ExponentShape) -> ExpectedCost {
        Self::counts(shape.bits).into()
    }

    #[inline]
    fn run<M: Monoid<Digit = usize> + ?Sized>(&self, exponent: &Exponent, monoid: &mut M) -> Register {
        self.run_uniform(exponent, monoid).expect("a uniform program")
    }

    #[inline]
    fn run_uniform<M: Monoid + ?Sized, E: Digits<M::Digit>>(&self, exponent: &E, monoid: &mut M) -> Option<Register> {
        let [first, second, third, p, q] = [1, 2, 3, 4, 5].map(Register);
        monoid.one(first);
        monoid.copy(second, BASE);
        monoid.sqr_n(third, BASE, 1);
        let mut bits = fixed_digits(exponent, 1);
        if let Some(top) = bits.next() {
            monoid.select(p, first, 2, top);
            monoid.select(q, second, 2, top);
        }
        for bit in bits {
            // The three registers become S, T, S: the pairs (S, T) and (T, S) both lie side by side.
            monoid.select(third, p, 2, bit);
            monoid.mul_each(&[
                IndependentProduct { out: first, a: third, b: third },
                IndependentProduct { out: second, a: p, b: q },
            ]);
            monoid.copy(third, first);
            monoid.select(p, first, 2, bit);
            monoid.select(q, second, 2, bit);
        }
        Some(p)
    }
}
