//! An exponentiation algorithm is a program over a monoid.
//!
//! Each file of this folder is one named algorithm, written once against [`Monoid`]. What a run *means* depends on the
//! monoid: residues give the power, a counter gives the executed cost, the recorder of `reading` gives the addition
//! chain, the tracer the steps.

/// One cell of the monoid's arena. Aliasing is legal by register: `mul(r, r, r)` is well defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Register(pub usize);

/// The register that holds the base when a program starts. No program writes it.
pub const BASE: Register = Register(0);

/// One independent product `out = a * b` of [`Monoid::mul_each`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Product {
    /// Where the product goes.
    pub out: Register,
    /// First operand.
    pub a: Register,
    /// Second operand; equal to `a` for a squaring.
    pub b: Register,
}

/// What an algorithm may ask of the place where its elements live.
///
/// Elements live in numbered registers of one arena; register 0 is [`BASE`] and is filled before the program starts,
/// all others hold nothing until they are written. The algorithm declares how many it needs, execution allocates them,
/// and nothing allocates inside a loop.
pub trait Monoid {
    /// An index into a table: one public index, one per lane, or a secret one.
    type Digit: Copy;

    /// `out = 1`.
    fn one(&mut self, out: Register);
    /// `out = from`.
    fn copy(&mut self, out: Register, from: Register);
    /// `out = a * b`.
    fn mul(&mut self, out: Register, a: Register, b: Register);
    /// `out = a^(2^count)`: `count` squarings in one call; a copy for 0.
    fn sqr_n(&mut self, out: Register, a: Register, count: usize);
    /// `out = a * base`, cheap where the base is short.
    fn mul_base(&mut self, out: Register, a: Register);
    /// `out = table[digit]`, the table being the `length` registers from `first` on; `digit < length`.
    fn select(&mut self, out: Register, first: Register, length: usize, digit: Self::Digit);
    /// A set of independent products: no register is written twice, none that is written is read by another product.
    /// A monoid may spread them over lanes or threads.
    fn mul_each(&mut self, products: &[Product]) {
        for &Product { out, a, b } in products {
            if a == b { self.sqr_n(out, a, 1) } else { self.mul(out, a, b) }
        }
    }
}
