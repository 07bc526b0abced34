//! What the conformance tests share: seeded exponents and a five-line monoid.

use super::reading::chain_of;
use core::marker::PhantomData;
use pingala_core::Natural;
use pingala_core::algorithm::fixed_base::ScannedTable;
use pingala_core::algorithm::{AdditionChain, Algorithm, BASE, IndependentProduct, Monoid, Register};
use pingala_core::exponent::{Exponent, SecretDigit};
use std::collections::HashSet;

/// xorshift64*, seeded: the same exponents in every run.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }

    /// Uniform among the exponents of exactly this length.
    pub fn exponent(&mut self, bits: usize) -> Exponent {
        let mut limbs: Vec<u64> = (0..bits.div_ceil(64)).map(|_| self.next()).collect();
        let top = limbs.last_mut().unwrap();
        let shift = (bits - 1) % 64;
        *top = (*top & ((1 << shift) - 1)) | 1 << shift;
        Exponent::new(Natural::from_limbs(&limbs)).unwrap()
    }
}

pub fn exponent(value: u64) -> Exponent {
    Exponent::new(Natural::from(value)).unwrap()
}

/// The exponent with these bits set.
pub fn from_bits(positions: impl IntoIterator<Item = usize>) -> Exponent {
    let mut limbs = Vec::new();
    for position in positions {
        if limbs.len() <= position / 64 {
            limbs.resize(position / 64 + 1, 0);
        }
        limbs[position / 64] |= 1 << (position % 64);
    }
    Exponent::new(Natural::from_limbs(&limbs)).unwrap()
}

/// 2^k, 2^k - 1, 2^k + 1, and runs of ones and zeros around the edges of limbs.
pub fn structured_exponents() -> Vec<Exponent> {
    let mut all = vec![exponent(65_537), exponent(u64::MAX)];
    for k in [1, 2, 3, 7, 16, 17, 62, 63, 64, 65, 127, 128, 200] {
        all.extend([from_bits([k]), from_bits(0..k), from_bits([0, k])]);
        all.push(from_bits((0..k).chain(k + 9..2 * k + 9)));
        all.push(from_bits((5..k + 5).chain([2 * k + 40])));
        all.push(from_bits((0..=k).step_by(2)));
        all.push(from_bits((0..=3 * k).step_by(3).chain([3 * k + 5])));
    }
    all
}

/// Every algorithm with windows up to `max_window_bits`, and the sliding window's chain for this exponent.
pub fn all_for(exponent: &Exponent, max_window_bits: u32) -> Vec<Algorithm> {
    let mut all = Algorithm::all(max_window_bits);
    let chain = chain_of(&"sliding_window(w=3)".parse().unwrap(), exponent).unwrap();
    all.push(AdditionChain::new(chain).into());
    all
}

/// A digit that picks an entry of a table.
pub trait Pick: Copy {
    fn pick(self, table: &[u64]) -> u64;
}

impl Pick for usize {
    fn pick(self, table: &[u64]) -> u64 {
        table[self]
    }
}

/// Every entry of the table is read, one mask keeps.
impl Pick for SecretDigit {
    fn pick(self, table: &[u64]) -> u64 {
        (0..).zip(table).fold(0, |kept, (index, entry)| kept | (self.mask_eq(index) & entry))
    }
}

/// Residues modulo a word: the oracle that shares nothing with the readings. Registers start unwritten, and reading
/// one fails.
pub struct Residues<D> {
    modulus: u64,
    bases: usize,
    cells: Vec<Option<u64>>,
    digits: PhantomData<D>,
}

impl<D> Residues<D> {
    pub fn new(base: u64, modulus: u64, registers: usize) -> Self {
        Self::of_bases(&[base], modulus, registers)
    }

    pub fn of_bases(bases: &[u64], modulus: u64, registers: usize) -> Self {
        let mut cells = vec![None; registers];
        for (cell, base) in cells.iter_mut().zip(bases) {
            *cell = Some(base % modulus);
        }
        Self { modulus, bases: bases.len(), cells, digits: PhantomData }
    }

    pub fn get(&self, register: Register) -> u64 {
        self.cells[register.0].expect("a register that was written")
    }

    fn set(&mut self, out: Register, value: u64) {
        assert!(out.0 >= self.bases, "no program writes a base");
        self.cells[out.0] = Some(value);
    }
}

impl<D: Pick> Monoid for Residues<D> {
    type Digit = D;
    fn one(&mut self, out: Register) {
        self.set(out, 1 % self.modulus);
    }
    fn copy(&mut self, out: Register, from: Register) {
        self.set(out, self.get(from));
    }
    fn mul(&mut self, out: Register, a: Register, b: Register) {
        self.set(out, product(self.get(a), self.get(b), self.modulus));
    }
    fn sqr_n(&mut self, out: Register, a: Register, count: usize) {
        assert!(count > 0, "a call for no squaring");
        self.set(out, (0..count).fold(self.get(a), |value, _| product(value, value, self.modulus)));
    }
    fn mul_base(&mut self, out: Register, a: Register) {
        self.mul(out, a, BASE);
    }
    fn select(&mut self, out: Register, first: Register, length: usize, digit: D) {
        let table: Vec<u64> = (first.0..first.0 + length).map(|index| self.get(Register(index))).collect();
        self.set(out, digit.pick(&table));
    }
    /// All is read before anything is written, and what must be independent is.
    fn mul_each(&mut self, products: &[IndependentProduct]) {
        assert!(!products.is_empty(), "a round of nothing");
        let written: HashSet<Register> = products.iter().map(|product| product.out).collect();
        assert_eq!(written.len(), products.len(), "a register is written twice in a round");
        let results: Vec<u64> = products
            .iter()
            .map(|&IndependentProduct { out, a, b }| {
                let foreign = |read: Register| read != out && written.contains(&read);
                assert!(!foreign(a) && !foreign(b), "a product reads what another one of its round writes");
                product(self.get(a), self.get(b), self.modulus)
            })
            .collect();
        for (product, result) in products.iter().zip(results) {
            self.set(product.out, result);
        }
    }
}

impl<D: Pick> ScannedTable for Residues<D> {
    fn select_or_one(&mut self, out: Register, first: Register, length: usize, digit: D) {
        let entries = (first.0..first.0 + length).map(|index| self.get(Register(index)));
        let table: Vec<u64> = core::iter::once(1 % self.modulus).chain(entries).collect();
        self.set(out, digit.pick(&table));
    }
}

fn product(a: u64, b: u64, modulus: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(modulus)) as u64
}

/// base^exponent mod modulus, bit by bit.
pub fn power(base: u64, exponent: &Exponent, modulus: u64) -> u64 {
    (0..exponent.bits()).rev().fold(1 % modulus, |result, position| {
        let square = product(result, result, modulus);
        if exponent.bit(position) { product(square, base % modulus, modulus) } else { square }
    })
}

/// Says that this machine lacks what the running test needs, for all of it or for a part: `make test` counts and names it at the
/// end. The harness would call the test passed, and keep to itself what it printed.
pub fn skipped(reason: &str) {
    println!("skipped: {reason}");
    let Some(path) = std::env::var_os("PINGALA_SKIPPED") else { return };
    let mut file = std::fs::OpenOptions::new().append(true).open(path).expect("the list of what is skipped");
    let test = std::thread::current().name().unwrap_or("a thread of a test").to_string();
    // One write: tests run side by side.
    std::io::Write::write_all(&mut file, format!("{test}: {reason}\n").as_bytes())
        .expect("the list of what is skipped");
}

/// Without this line in the list, the summary cannot say whether tests are skipped.
#[test]
fn the_list_of_what_is_skipped_is_kept() {
    skipped("nothing: the list is kept");
}

/// What is expected of a table's file, with a map of it or without.
#[allow(unsafe_code)]
pub(crate) fn mapped(expected: pingala_core::Expected<'_>, map: bool) -> pingala_core::Expected<'_> {
    // SAFETY: no other process writes to the files of the tests.
    unsafe { expected.with_map(map) }
}
