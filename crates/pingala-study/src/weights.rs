//! Digits for any weights: algorithms 8 and 9 of \[tandrup2004fast\] in their general form, for any {b_i} and h.

use pingala_core::Error;
use pingala_core::algorithm::fixed_base::{Buckets, divided_product, weighted_product};
use pingala_core::algorithm::{Monoid, Register};
use pingala_core::exponent::{Euclid, Exponent, weighted_digits};

/// e = sum of e_i b_i with digits e_i below h, over a table of g^(b_i): mixed radices, say, or powers of one radix h, which is
/// [`pingala_core::algorithm::fixed_base::Windowing`].
///
/// Digits are taken greedily from the largest weight down. They are below h for every exponent below 2^n, if and only if
/// b_0 = 1, each weight is at most h times the one before, and 2^n at most h times the last.
///
/// Registers 0 to t are the table, [`Weights::work_registers`] behind it are work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    weights: Vec<Exponent>,
    h: u64,
    exponent_bits: usize,
}

impl Weights {
    /// The largest h of [`Weights::windowing`], which has a bucket for each digit.
    pub const MAX_BUCKETS: u64 = 1 << 16;

    /// Weights in ascending order, the first one 1, for exponents of at most `exponent_bits` bits, at least 1, and digits below h,
    /// 2 to 2^63.
    ///
    /// Error: `bad_argument` where some exponent has no such digits.
    pub fn new(weights: &[Exponent], h: u64, exponent_bits: usize) -> Result<Self, Error> {
        let bad = |what: String| Err(Error::BadArgument(what));
        if !(2..=1 << 63).contains(&h) || exponent_bits == 0 {
            return bad("digits are below an h of 2 to 2^63, exponents have a bit at least".into());
        }
        let (Some(first), Some(last)) = (weights.first(), weights.last()) else { return bad("no weights".into()) };
        if *first != Exponent::one() {
            return bad("the first weight is not 1".into());
        }
        let fits = |pair: &[Exponent]| pair[0].magnitude() < pair[1].magnitude() && pair[1].is_at_most(h, &pair[0]);
        if let Some(index) = weights.windows(2).position(|pair| !fits(pair)) {
            return bad(format!("weight {} is not above the one before, or above {h} times that", index + 1));
        }
        if !Exponent::of_bits([exponent_bits]).is_at_most(h, last) {
            return bad(format!("{h} times the last weight does not reach 2^{exponent_bits}"));
        }
        Ok(Self { weights: weights.to_vec(), h, exponent_bits })
    }

    /// The digits of an exponent that is not longer than declared, one for each weight.
    pub fn digits(&self, exponent: &Exponent) -> Vec<u64> {
        debug_assert!(exponent.bits() <= self.exponent_bits);
        weighted_digits(exponent, &self.weights)
    }

    /// Entries of the table.
    pub fn entries(&self) -> usize {
        self.weights.len()
    }

    /// Registers behind the table that building or a run may write.
    pub fn work_registers(&self) -> usize {
        self.entries() + 1
    }

    /// Fills the table from the base in its entry 0, each weight by its own digits over the weights before.
    pub fn build<M: Monoid>(&self, monoid: &mut M) {
        for (index, weight) in self.weights.iter().enumerate().skip(1) {
            let digits = weighted_digits(weight, &self.weights[..index]);
            let power = divided_product(Euclid::of_words(&digits), self.entries(), monoid);
            monoid.copy(Register(index), power);
        }
    }

    /// Algorithm 8: one running product for all digits.
    ///
    /// # Panics
    /// If h is above [`Weights::MAX_BUCKETS`].
    pub fn windowing<M: Monoid>(&self, exponent: &Exponent, monoid: &mut M) -> Register {
        assert!(self.h <= Self::MAX_BUCKETS, "a bucket for each digit below {}", self.h);
        let digits = self.digits(exponent);
        let mut buckets = Buckets::new(self.h as usize, digits.len());
        let not_zero = digits.iter().enumerate().filter(|&(_, &digit)| digit > 0);
        not_zero.for_each(|(index, &digit)| buckets.put(digit as usize, index));
        let work = self.entries();
        weighted_product(&buckets, buckets.top().unwrap_or(1), Register(work), Register(work + 1), monoid).0
    }

    /// Algorithm 9: the largest digit divided by the next until one is left.
    pub fn euclidean<M: Monoid>(&self, exponent: &Exponent, monoid: &mut M) -> Register {
        divided_product(Euclid::of_words(&self.digits(exponent)), self.entries(), monoid)
    }
}
