//! A narrow door for benchmarks: one residue ring on `u64` with two operands in it. Not part of the public interface.

use super::fixed::{FixedOdd, FixedRing, Program, run};
use super::{OddRing, PowerOfTwoRing, Product, Ring};
use core::hint::black_box;

/// The names of the Montgomery products.
pub fn product_names() -> Vec<&'static str> {
    Product::ALL.iter().map(|product| product.name()).collect()
}

/// A ring and its buffers: registers 0 and 1 hold operands, register 2 takes results.
#[derive(Debug)]
pub struct Bench {
    ring: Kind,
    arena: Vec<u64>,
    scratch: Vec<u64>,
}

#[derive(Debug)]
enum Kind {
    Odd(OddRing<u64>),
    PowerOfTwo(PowerOfTwoRing<u64>),
}

impl Kind {
    fn ring(&self) -> &dyn Ring<u64> {
        match self {
            Kind::Odd(ring) => ring,
            Kind::PowerOfTwo(ring) => ring,
        }
    }
}

impl Bench {
    /// Modulo an odd number, by the product of that name.
    pub fn odd(modulus: &[u64], product: &str) -> Result<Self, crate::Error> {
        Ok(Self::new(Kind::Odd(OddRing::new(modulus, product.parse()?))))
    }

    /// Modulo 2^k.
    pub fn power_of_two(k: usize) -> Self {
        Self::new(Kind::PowerOfTwo(PowerOfTwoRing::new(k)))
    }

    fn new(ring: Kind) -> Self {
        let (words, scratch_words) = (ring.ring().words(), ring.ring().scratch_words());
        Self { ring, arena: vec![0; 3 * words], scratch: vec![0; scratch_words] }
    }

    /// Fills both operands.
    pub fn enter(&mut self, a: &[u64], b: &[u64]) {
        let ring = self.ring.ring();
        ring.enter(&mut self.arena, 0, a, &mut self.scratch);
        ring.enter(&mut self.arena, ring.words(), b, &mut self.scratch);
    }

    /// The result as a number.
    pub fn leave(&mut self) -> Vec<u64> {
        let ring = self.ring.ring();
        let mut value = vec![0; ring.words()];
        ring.leave(&mut value, &self.arena, 2 * ring.words(), &mut self.scratch);
        value
    }

    /// result = a * b.
    pub fn mul(&mut self) {
        let n = self.ring.ring().words();
        self.ring.ring().mul(&mut self.arena, 2 * n, 0, n, &mut self.scratch);
    }

    /// result = a^2.
    pub fn sqr(&mut self) {
        let n = self.ring.ring().words();
        self.ring.ring().sqr(&mut self.arena, 2 * n, 0, &mut self.scratch);
    }

    /// a = a^2, `count` times: a chain, each squaring waiting for the one before.
    pub fn sqr_chain(&mut self, count: usize) {
        for _ in 0..count {
            self.ring.ring().sqr(&mut self.arena, 0, 0, &mut self.scratch);
        }
    }

    /// result = a * small.
    pub fn mul_small(&mut self, small: u64) {
        let n = self.ring.ring().words();
        self.ring.ring().mul_small(&mut self.arena, 2 * n, 0, small, &mut self.scratch);
    }
}

/// `count` squarings in a chain, or products by the base.
struct Chain<const N: usize> {
    base: [u64; N],
    count: usize,
    squares: bool,
}

impl<const N: usize> Program<N> for Chain<N> {
    type Output = [u64; N];

    #[inline(always)]
    fn run(self, ring: &impl FixedRing<N>) -> [u64; N] {
        let base = ring.enter(self.base);
        let mut power = base;
        for _ in 0..self.count {
            power = if self.squares { ring.sqr(power) } else { ring.mul(power, base) };
        }
        ring.leave(power)
    }
}

/// base^(2^count), or base^(count + 1), modulo an odd number of N limbs, on residues by value; set-up included.
pub fn fixed_chain<const N: usize>(modulus: [u64; N], base: [u64; N], count: usize, squares: bool) -> [u64; N] {
    run(&FixedOdd::new(black_box(modulus)), Chain { base, count, squares })
}

/// The same for one limb, with the set-up for public moduli.
pub fn fixed_chain_public(modulus: u64, base: u64, count: usize, squares: bool) -> u64 {
    run(&FixedOdd::new_public(black_box(modulus)), Chain { base: [base], count, squares })[0]
}
