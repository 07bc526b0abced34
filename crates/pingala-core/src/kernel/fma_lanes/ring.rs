//! The ring: constants, numbers in and out, residues from tables.
#![allow(unsafe_code)]

use super::product::{FmaOperands, starts};
use super::unit::{Doubles, FourLimbs, LANES, LOW, Number, RADIX_BITS};
use super::{MORE_BITS, TABLE_BITS};
use crate::kernel::form::Layout;
use crate::kernel::lane_ring::LaneRing;
use crate::kernel::limbs::{bits_from, join};
use crate::kernel::montgomery::neg_mod_inv_limb;
use crate::kernel::product::schoolbook::add_row;
use crate::kernel::short::ShortFactor;
use crate::kernel::vector::{self, Lanes};
use crate::natural::linear;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::array::from_fn;
use core::cell::Cell;

/// The residues modulo four odd numbers in Montgomery form x R, R = 2^(51 n) > 4M, M = k m = -1 mod 2^51: limbs as doubles.
///
/// A residue is below 2M. Where factors come from tables it may be more, but not by much: an entry is a number below 2^64w times
/// a power of two, A < R. A product by A of B < c M is below B + M, so c grows by 1. While c is below 2^17 - 1, a
/// square is below c^2 M^2 / R + M < 2M, because forms for tables have R >= 2^34 M; and as c M < R, numbers keep to n limbs.
#[derive(Debug)]
pub(super) struct FmaRing<U> {
    unit: U,
    n: usize,
    /// M + 1, R mod m (below 2M), R^2 mod m, 1: n limbs each.
    constants: Box<[Lanes]>,
    /// Of products, of squares.
    starts: [Box<[u64]>; 2],
    moduli: Vec<LaneModulus>,
}

/// One of the moduli, for the division of what leaves.
#[derive(Clone, Debug)]
struct LaneModulus {
    limbs: Vec<u64>,
    division: ShortFactor<u64>,
}

/// The constants, by their places.
const SCALED_PLUS_1: usize = 0;
const ONE: usize = 1;
const RR: usize = 2;
const PLAIN_ONE: usize = 3;
const CONSTANTS: usize = 4;

/// Vectors of an arena as limbs of numbers.
fn cells(vectors: &mut [Lanes]) -> Number<'_> {
    let cells = Cell::from_mut(vectors).as_slice_of_cells();
    // SAFETY: one of `Lanes` is two of `FourLimbs` in size and alignment, all bits are values of both, and cells have their layout.
    unsafe { core::slice::from_raw_parts(cells.as_ptr().cast(), 2 * cells.len()) }
}

/// Constants as limbs of numbers.
fn limbs(vectors: &[Lanes]) -> &[FourLimbs] {
    // SAFETY: as above.
    unsafe { core::slice::from_raw_parts(vectors.as_ptr().cast(), 2 * vectors.len()) }
}

/// Limb `index` of `value` * 2^`shift`.
#[inline]
fn limb(value: &[u64], shift: usize, index: usize) -> f64 {
    (bits_from(value, shift, RADIX_BITS * index) & LOW) as i64 as f64
}

/// Sets one lane of a number to `value` * 2^`shift`, which fits.
fn spread(out: Number<'_>, lane: usize, value: &[u64], shift: usize) {
    debug_assert!(linear::bits(value) + shift <= RADIX_BITS * out.len());
    for (index, out) in out.iter().enumerate() {
        let mut limbs = out.get();
        limbs.0[lane] = limb(value, shift, index);
        out.set(limbs);
    }
}

impl<U: Doubles> FmaRing<U> {
    /// Prepares the constants for the first four of these moduli, of [`super::modulus_bits`] at most.
    pub(super) fn new(unit: U, moduli: &[&[u64]; vector::LANES], n: usize) -> Self {
        let most = super::modulus_bits(n);
        assert!(most.is_some_and(|most| moduli[..LANES].iter().all(|m| linear::bits(m) <= most)), "moduli that fit");
        let constants = vec![Lanes::default(); CONSTANTS * n / 2].into_boxed_slice();
        let starts = [false, true].map(|square| starts(n, square));
        let mut ring = Self { unit, n, constants, starts, moduli: Vec::new() };
        ring.change(moduli, &mut Vec::new());
        ring
    }

    fn constant(&self, place: usize) -> &[Lanes] {
        &self.constants[place * self.vectors()..][..self.vectors()]
    }

    fn operands<'a>(&'a self, [out, a, b]: [Number<'a>; 3], scratch: &'a mut [Lanes]) -> FmaOperands<'a> {
        let (m, q) = (limbs(self.constant(SCALED_PLUS_1)), &cells(scratch)[..self.n]);
        FmaOperands { out, a, b, m, q, starts: self.starts.each_ref().map(|starts| &**starts) }
    }

    /// `out = a * constant`, all but the constant in an arena.
    fn mul_by(&self, arena: &mut [Lanes], [out, a]: [usize; 2], place: usize, scratch: &mut [Lanes]) {
        let (arena, n) = (cells(arena), self.n);
        let (q, factor) = scratch.split_at_mut(self.vectors());
        factor[..self.vectors()].copy_from_slice(self.constant(place));
        let number = |at: usize| &arena[2 * at..][..n];
        self.unit.run(&self.operands([number(out), number(a), &cells(factor)[..n]], q), None);
    }
}

impl<U: Doubles> LaneRing for FmaRing<U> {
    fn vectors(&self) -> usize {
        self.n / 2
    }

    fn scratch_vectors(&self) -> usize {
        3 * self.vectors()
    }

    fn entering_bits(&self) -> u64 {
        (RADIX_BITS * self.n) as u64
    }

    fn change(&mut self, moduli: &[&[u64]; vector::LANES], _room: &mut Vec<Lanes>) {
        let (n, vectors) = (self.n, self.vectors());
        self.moduli.clear();
        for (lane, &m) in moduli[..LANES].iter().enumerate() {
            assert!(m.first().is_some_and(|limb| limb & 1 == 1), "the modulus is odd");
            if let Some(same) = moduli[..lane].iter().position(|other| *other == m) {
                for limbs in cells(&mut self.constants) {
                    let mut value = limbs.get();
                    value.0[lane] = value.0[same];
                    limbs.set(value);
                }
                self.moduli.push(self.moduli[same].clone());
                continue;
            }
            let division = ShortFactor::of_public_bits(m, linear::bits(m));
            let k = neg_mod_inv_limb(m[0]) & LOW;
            let mut scaled = vec![0; m.len() + 1];
            scaled[0] = 1;
            scaled[m.len()] = add_row(&mut scaled[..m.len()], m, k);
            let constants = cells(&mut self.constants);
            spread(&constants[SCALED_PLUS_1 * n..][..n], lane, &scaled, 0);
            let (mut rr, mut room) = (vec![0; m.len()], vec![0; m.len() + 1]);
            division.enter_shifted(&mut rr, &[1], 2 * RADIX_BITS * n, m, &mut room);
            spread(&constants[RR * n..][..n], lane, &rr, 0);
            spread(&constants[PLAIN_ONE * n..][..n], lane, &[1], 0);
            self.moduli.push(LaneModulus { limbs: m.to_vec(), division });
        }
        let (mut one, mut scratch) = (self.constant(RR).to_vec(), vec![Lanes::default(); 2 * vectors]);
        self.mul_by(&mut one, [0, 0], PLAIN_ONE, &mut scratch);
        self.constants[ONE * vectors..][..vectors].copy_from_slice(&one);
    }

    fn one(&self, arena: &mut [Lanes], out: usize) {
        arena[out..out + self.vectors()].copy_from_slice(self.constant(ONE));
    }

    /// A number A need not be below m: R^2 mod m is below M, so that the product is below 2M for any A < R.
    fn enter(&self, arena: &mut [Lanes], out: usize, values: &[&[u64]; vector::LANES], scratch: &mut [Lanes]) {
        let number = &cells(arena)[2 * out..][..self.n];
        values[..LANES].iter().enumerate().for_each(|(lane, value)| spread(number, lane, value, 0));
        self.mul_by(arena, [out, out], RR, scratch);
    }

    /// The numbers become (a + Q M) / R <= M for a < R.
    fn leave<'a>(&self, arena: &mut [Lanes], from: usize, scratch: &'a mut [Lanes]) -> &'a [Lanes] {
        let vectors = self.vectors();
        let (value, scratch) = scratch.split_at_mut(vectors);
        value.copy_from_slice(&arena[from..from + vectors]);
        self.mul_by(value, [0, 0], PLAIN_ONE, scratch);
        value
    }

    fn lane(&self, left: &[Lanes], lane: usize, out: &mut [u64]) {
        let LaneModulus { limbs: m, division } = &self.moduli[lane];
        let left = limbs(left);
        let limb = |index: usize| left.get(index).map_or(0, |limbs| limbs.0[lane] as i64 as u64);
        let [mut words, mut room] = [0; 2].map(|word| vec![word; m.len() + 1]);
        join::<RADIX_BITS>(&mut words, limb);
        let (low, high) = out.split_at_mut(m.len());
        division.enter_shifted(low, &words, 0, m, &mut room);
        high.fill(0);
    }

    fn mul(&self, arena: &mut [Lanes], out: usize, a: usize, b: usize, scratch: &mut [Lanes]) {
        let arena = cells(arena);
        let numbers = [out, a, b].map(|at| &arena[2 * at..][..self.n]);
        self.unit.run(&self.operands(numbers, scratch), None);
    }

    fn sqr_n(&self, arena: &mut [Lanes], out: usize, a: usize, count: usize, scratch: &mut [Lanes]) {
        let arena = cells(arena);
        let numbers = [out, a, a].map(|at| &arena[2 * at..][..self.n]);
        self.unit.run(&self.operands(numbers, scratch), Some(count));
    }

    fn select(&self, arena: &mut [Lanes], out: usize, from: [usize; vector::LANES]) {
        let arena = cells(arena);
        let from: [Number<'_>; LANES] = from_fn(|lane| &arena[2 * from[lane]..][..self.n]);
        for (limb, out) in arena[2 * out..][..self.n].iter().enumerate() {
            out.set(FourLimbs(from_fn(|lane| from[lane][limb].get().0[lane])));
        }
    }

    /// An entry x 2^64w mod m of w words is scaled to x R by a shift.
    fn gather(&self, arena: &mut [Lanes], out: usize, from: [&[u64]; vector::LANES]) {
        let number = &cells(arena)[2 * out..][..self.n];
        let words = from[0].len();
        let (from, shift): ([&[u64]; LANES], _) =
            (from_fn(|lane| &from[lane][..words]), RADIX_BITS * self.n - 64 * words);
        for (index, out) in number.iter().enumerate() {
            out.set(FourLimbs(from_fn(|lane| limb(from[lane], shift, index))));
        }
    }

    /// A product by R: below 2M for any A < R.
    fn settle(&self, arena: &mut [Lanes], at: usize, scratch: &mut [Lanes]) {
        self.mul_by(arena, [at, at], ONE, scratch);
    }

    fn packed_one(&self, layout: &Layout) -> Box<[u64]> {
        let mut one = vec![0; layout.limbs];
        let LaneModulus { limbs: m, division } = &self.moduli[0];
        let mut room = vec![0; m.len() + 1];
        division.enter_shifted(&mut one[..m.len()], &[1], layout.scaling_bits(), m, &mut room);
        one.into()
    }

    fn most_gathered(&self) -> usize {
        (1 << (TABLE_BITS / 2)) - 4
    }
}

const _: () = assert!(MORE_BITS < RADIX_BITS + TABLE_BITS);
