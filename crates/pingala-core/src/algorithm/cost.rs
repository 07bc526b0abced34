//! The cost of an exponentiation in operations of the monoid.

use super::{Monoid, Register};
use crate::algorithm::real::powi;
use crate::exponent::Exponent;
use core::ops::{Add, Mul};

/// Operations by kind. `T` is `usize` for what is executed and `f64` for what is expected.
///
/// Copies and the identity are not counted: they move one element and multiply nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost<T> {
    /// Squarings, those of the tables included.
    pub squarings: T,
    /// General products, those of the tables included; products by the base are counted apart.
    pub multiplications: T,
    /// Products by the base itself ([`super::Monoid::mul_base`]), cheap if the base is short.
    pub base_multiplications: T,
    /// Table look-ups by a digit ([`super::Monoid::select`]).
    pub selections: T,
}

/// Executed operations.
pub type Counts = Cost<usize>;

/// Expected operations.
pub type ExpectedCost = Cost<f64>;

impl<T: Copy + Add<Output = T>> Cost<T> {
    /// Squarings and products of both kinds; selections multiply nothing and do not count.
    pub fn products(&self) -> T {
        self.squarings + self.multiplications + self.base_multiplications
    }
}

impl<T> Cost<T> {
    fn map<U>(self, with: impl Fn(T) -> U) -> Cost<U> {
        Cost {
            squarings: with(self.squarings),
            multiplications: with(self.multiplications),
            base_multiplications: with(self.base_multiplications),
            selections: with(self.selections),
        }
    }
}

impl<T: Copy + Default + Add<Output = T>> Cost<T> {
    /// The cost if a product by the base costs as much as any other.
    pub(super) fn without_base(self) -> Self {
        let multiplications = self.multiplications + self.base_multiplications;
        Self { multiplications, base_multiplications: T::default(), ..self }
    }
}

impl<T: Add<Output = T>> Add for Cost<T> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Cost {
            squarings: self.squarings + other.squarings,
            multiplications: self.multiplications + other.multiplications,
            base_multiplications: self.base_multiplications + other.base_multiplications,
            selections: self.selections + other.selections,
        }
    }
}

impl Mul<f64> for ExpectedCost {
    type Output = Self;

    fn mul(self, times: f64) -> Self {
        self.map(|field| field * times)
    }
}

impl From<Counts> for ExpectedCost {
    fn from(counts: Counts) -> Self {
        counts.map(|field| field as f64)
    }
}

/// Counts the operations that a program asks for.
impl Monoid for Counts {
    type Digit = usize;

    fn one(&mut self, _: Register) {}

    fn copy(&mut self, _: Register, _: Register) {}

    fn mul(&mut self, _: Register, _: Register, _: Register) {
        self.multiplications += 1;
    }

    fn sqr_n(&mut self, _: Register, _: Register, count: usize) {
        self.squarings += count;
    }

    fn mul_base(&mut self, _: Register, _: Register) {
        self.base_multiplications += 1;
    }

    fn select(&mut self, _: Register, _: Register, _: usize, _: usize) {
        self.selections += 1;
    }
}

/// Expected work on the exponents themselves, in addition to the products: divisions of the largest of some integers by the second
/// largest, as in Euclid's algorithm.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Divisions {
    /// How many divisions.
    pub count: f64,
    /// How many integers there are.
    pub integers: usize,
    /// Limbs of each at the start.
    pub limbs: usize,
}

/// All that an expectation knows of an exponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExponentShape {
    /// Bit length of a public exponent (its top bit is set), or the declared width of a secret one.
    pub bits: usize,
    /// Number of one bits, if it is known. The bits below the top count as independent, each set with the same
    /// probability: (weight - 1)/(bits - 1), or 1/2 if the weight is not known.
    pub weight: Option<usize>,
}

impl ExponentShape {
    /// A random exponent of exactly `bits` bits.
    pub fn of_bits(bits: usize) -> Self {
        Self { bits, weight: None }
    }

    /// The shape of this exponent, weight included.
    pub fn of(exponent: &Exponent) -> Self {
        Self { bits: exponent.bits(), weight: Some(exponent.weight()) }
    }

    /// The probability that a bit below the top is set.
    pub fn density(&self) -> f64 {
        match self.weight {
            Some(weight) if self.bits > 1 => (weight.saturating_sub(1)) as f64 / (self.bits - 1) as f64,
            _ => 0.5,
        }
    }

    /// Expected number of zero bits at the low end of the `length` bits below a set top bit, `length` of them if all
    /// are zero: sum of q^j, j = 1..length, with q = 1 - density.
    pub(crate) fn trailing_zeros(&self, length: usize) -> f64 {
        let p = self.density();
        if p == 0.0 {
            return length as f64;
        }
        let q = 1.0 - p;
        q * (1.0 - powi(q, length as i32)) / p
    }
}
