//! Eight residues side by side at radix 2^52, each modulo its own odd number: limb i of all of them is one vector.
//!
//! Lemmas: Montgomery.amm_product, Montgomery.amm_enter, Montgomery.amm_leave, Montgomery.amm_shifted,
//! Montgomery.amm_gathered, Montgomery.ifma_lanes_room, Montgomery.ifma_lanes_shift, vectors.reduce_once
//! (proofs/README.md).

mod columns;
mod product;
mod setup;

#[cfg(test)]
#[path = "../../../tests/inside/kernel/lanes_formal.rs"]
mod formal;
#[cfg(test)]
#[path = "../../../tests/inside/kernel/lanes.rs"]
mod tests;

use super::form::{Form, Layout};
use super::lane_ring::LaneRing;
#[cfg(not(target_arch = "wasm32"))]
use super::lane_ring::{HasLanes, LaneFamily, PrepareLanes};
use super::limbs;
use super::vector::{LANES, Lanes, MASK, Task, VectorUnit, words, words_mut};
#[cfg(target_arch = "x86_64")]
use super::vector::{avx_ifma::Half, avx512::Avx512};
use crate::natural::linear::with_constant;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use columns::unroll;
use core::cell::Cell;
use product::{Mul, Redc, Reduction, Sqr};

use product::MAX_LIMBS;

/// The residues modulo eight odd numbers in Montgomery form x R, R = 2^(52 n) > 4m: limbs of 52 bits, `n` vectors each.
///
/// A residue is n consecutive vectors of an arena and is named by its offset; `out`, `a` and `b` must coincide or be
/// disjoint. Residues are almost reduced: below 2m. Bits above the low 52 of a limb are ignored.
///
/// Constant-time in the values of moduli and residues; the lengths of the moduli are public.
#[derive(Debug)]
pub(crate) struct LanesRing<U> {
    unit: U,
    n: usize,
    /// m, R mod m, R^2 mod m, n vectors each.
    constants: Box<[Lanes]>,
    m_prime: Lanes,
}

/// Runs an expression with the constant `N`: the length, if the number is a single block of columns; otherwise 0, for any
/// length. Without it half of a short product is branches: a power of 256 bits took 1.5 times as long, one of 512 bits 1.1 to
/// 1.2 times; from 20 limbs on there is no gain. No form has 1 or 6 limbs: 64 bits take 2 limbs of 52 bits, 320 take 7.
macro_rules! one_block {
    ($n:expr, $N:ident => $run:expr) => { one_block!($n, $N => $run; 2 3 4 5 7 8 9 10) };
    ($n:expr, $N:ident => $run:expr; $($limbs:literal)*) => {
        with_constant!($n, $N in [$($limbs)*], $run, {
            const $N: usize = 0;
            $run
        })
    };
}

/// Limbs of a modulus of this many limbs of 64 bits: two bits more make the subtractions between products unnecessary.
pub(super) fn limbs(limbs64: usize) -> usize {
    (64 * limbs64 + 2).div_ceil(52)
}

/// The rings on vectors of 512 bits.
#[cfg(target_arch = "x86_64")]
pub(super) const FAMILY_512: LaneFamily = family(|form, moduli| prepare(Avx512::detected()?, form, moduli));
/// The rings on vectors of 256 bits; in tests also on a CPU with AVX-512, which has longer ones.
#[cfg(target_arch = "x86_64")]
pub(super) const FAMILY_256: LaneFamily = family(|form, moduli| {
    #[cfg(test)]
    if let (None, Some(unit)) = (Half::of_avx_ifma(), Half::of_avx512()) {
        return prepare(unit, form, moduli);
    }
    prepare(Half::of_avx_ifma()?, form, moduli)
});
/// No rings on this architecture.
#[cfg(not(any(target_arch = "x86_64", target_arch = "wasm32")))]
pub(super) const FAMILY_512: LaneFamily = family(|_, _| None);
#[cfg(not(any(target_arch = "x86_64", target_arch = "wasm32")))]
pub(super) const FAMILY_256: LaneFamily = FAMILY_512;

#[cfg(not(target_arch = "wasm32"))]
const fn family(prepare: PrepareLanes) -> LaneFamily {
    LaneFamily {
        exists: HasLanes,
        prepare,
        modulus_bits: |n| (1..=MAX_LIMBS).contains(&n).then(|| 52 * n - 2),
        // A < 2^(d + 1) m has A^2 <= m R if 2^(2d + 2) m <= R.
        shift_bits: |n, bits| ((52 * n).saturating_sub(bits + 2) / 2).min(51) as u32,
        limbs_for_table: |layout| (layout.odd && layout.limb_bits == 52).then_some(layout.limbs),
    }
}

/// The ring of a form; none in builds of the constant-time gate, as secrets do not use lanes.
fn prepare(unit: impl VectorUnit, form: &Form, moduli: &[&[u64]; LANES]) -> Option<Box<dyn LaneRing>> {
    if cfg!(pingala_without = "lanes") { None } else { Some(Box::new(LanesRing::new(unit, moduli, form.n))) }
}

impl<U: VectorUnit> LanesRing<U> {
    /// Prepares the constants for eight odd moduli, least significant limb first, without zero limbs on top. Each has at
    /// most 52n - 2 bits; n is at most [`MAX_LIMBS`].
    pub(crate) fn new(unit: U, moduli: &[&[u64]; LANES], n: usize) -> Self {
        assert!((1..=MAX_LIMBS).contains(&n));
        let constants = vec![Lanes::default(); 3 * n].into_boxed_slice();
        let mut ring = Self { unit, n, constants, m_prime: Lanes::default() };
        ring.change(moduli, &mut Vec::new());
        ring
    }

    /// The moduli.
    fn m(&self) -> &[Lanes] {
        &self.constants[..self.n]
    }

    fn reduction<'a>(&'a self, scratch: &'a [Cell<Lanes>]) -> Reduction<'a> {
        Reduction { m: self.m(), m_prime: &self.m_prime, q: &scratch[..self.n] }
    }
}

impl<U: VectorUnit> LaneRing for LanesRing<U> {
    fn change(&mut self, moduli: &[&[u64]; LANES], room: &mut Vec<Lanes>) {
        self.m_prime = setup::m_prime(moduli);
        setup::prepare(self, moduli, room);
    }

    fn vectors(&self) -> usize {
        self.n
    }

    fn entering_bits(&self) -> u64 {
        52 * self.n as u64
    }

    fn scratch_vectors(&self) -> usize {
        2 * self.n
    }

    fn one(&self, arena: &mut [Lanes], out: usize) {
        arena[out..out + self.n].copy_from_slice(&self.constants[self.n..2 * self.n]);
    }

    /// A number A need not be below m: R^2 mod m is below m, so that the product is below 2m for any A < R.
    fn enter(&self, arena: &mut [Lanes], out: usize, values: &[&[u64]; LANES], scratch: &mut [Lanes]) {
        for (lane, value) in values.iter().enumerate() {
            setup::spread(&mut arena[out..out + self.n], lane, value, 0);
        }
        let (q, rr) = scratch[..2 * self.n].split_at_mut(self.n);
        rr.copy_from_slice(&self.constants[2 * self.n..]);
        let (q, rr, arena) = (cells(q), cells(rr), cells(arena));
        let residue = &arena[out..out + self.n];
        self.unit.run_task(Mul::<0> { reduction: self.reduction(q), out: residue, a: residue, b: rr });
    }

    fn leave<'a>(&self, arena: &mut [Lanes], from: usize, scratch: &'a mut [Lanes]) -> &'a [Lanes] {
        let n = self.n;
        let (q, value) = cells(&mut scratch[..2 * n]).split_at(n);
        let limbs = &cells(arena)[from..from + n];
        self.unit.run_task(Redc { reduction: self.reduction(q), out: value, limbs });
        // (a + Q m) / R <= m for a < 2m, so that one subtraction is enough.
        self.unit.run_task(ReduceOnce { x: value, m: self.m(), scratch: q });
        &scratch[n..2 * n]
    }

    fn select(&self, arena: &mut [Lanes], out: usize, from: [usize; LANES]) {
        let arena = cells(arena);
        let register = |at: usize| &arena[at..at + self.n];
        self.unit.run_task(Select { out: register(out), from: from.map(register) });
    }

    /// The packed residues of the lanes, one after the other: an entry of each lane's own is a cache line a limb otherwise, and in a row
    /// an eighth of them.
    fn arrange(&self, arena: &mut [Lanes], at: usize, scratch: &mut [Lanes]) {
        let (residue, limbs) = (&mut arena[at..at + self.n], &mut scratch[..self.n]);
        limbs.copy_from_slice(residue);
        self.unit.run_task(Pack { rows: Cell::from_mut(words_mut(residue)).as_slice_of_cells(), limbs });
    }

    fn select_arranged(&self, arena: &mut [Lanes], out: usize, from: [usize; LANES]) {
        let n = self.n;
        let (below, rest) = arena.split_at_mut(out);
        let rows = words(below);
        self.gather(rest, 0, core::array::from_fn(|lane| &rows[LANES * from[lane] + lane * n..][..n]));
    }

    /// n words of 52 bits. Where R > 4n m, a packed residue may be any number below 2n m, the bound of the row kernel: a product of two such
    /// numbers is below (4n^2 m / R + 1) m < (n + 1) m, which is within the bound again: what is
    /// gathered is a residue.
    fn gather(&self, arena: &mut [Lanes], out: usize, from: [&[u64]; LANES]) {
        self.unit.run_task(Gather { out: &cells(arena)[out..out + self.n], from });
    }

    fn packed_one(&self, _layout: &Layout) -> Box<[u64]> {
        self.constants[self.n..2 * self.n].iter().map(|limb| limb.0[0] & MASK).collect()
    }

    fn mul(&self, arena: &mut [Lanes], out: usize, a: usize, b: usize, scratch: &mut [Lanes]) {
        let (arena, n) = (cells(arena), self.n);
        let reduction = self.reduction(&cells(scratch)[..n]);
        let (out, a, b) = (&arena[out..out + n], &arena[a..a + n], &arena[b..b + n]);
        one_block!(n, N => self.unit.run_task(Mul::<N> { reduction, out, a, b }));
    }

    fn sqr_n(&self, arena: &mut [Lanes], out: usize, a: usize, count: usize, scratch: &mut [Lanes]) {
        let (arena, n) = (cells(arena), self.n);
        let reduction = self.reduction(&cells(scratch)[..n]);
        let (out, a) = (&arena[out..out + n], &arena[a..a + n]);
        if n.is_multiple_of(2) {
            one_block!(n, N => self.unit.run_task(Sqr::<false, N> { reduction, out, a, count }); 2 4 8 10);
        } else {
            one_block!(n, N => self.unit.run_task(Sqr::<true, N> { reduction, out, a, count }); 3 5 7 9);
        }
    }

    /// x 2^d < 2^(d + 1) m, whose square is at most m R: the reduced square is below 2m again. Its limbs are below 2^52: the low half of a
    /// limb's product is a multiple of 2^d, and the high half of the one below is less than 2^d.
    fn shift(&self, arena: &mut [Lanes], at: usize, counts: [u32; LANES]) {
        let residue = &cells(arena)[at..at + self.n];
        self.unit.run_task(Shift { residue, factors: &Lanes(counts.map(|count| 1 << count)) });
    }

    fn lane(&self, left: &[Lanes], lane: usize, out: &mut [u64]) {
        limbs::join::<52>(out, |index| left.get(index).map_or(0, |limb| limb.0[lane]));
    }
}

fn cells(vectors: &mut [Lanes]) -> &[Cell<Lanes>] {
    Cell::from_mut(vectors).as_slice_of_cells()
}

/// Multiplies each lane by its factor, a power of two below 2^52; what would lie above the top limb is 0.
#[derive(Clone, Copy)]
struct Shift<'a> {
    residue: &'a [Cell<Lanes>],
    factors: &'a Lanes,
}

impl Task for Shift<'_> {
    #[inline(always)]
    fn run<U: VectorUnit>(self, unit: U) {
        let factors = unit.get(self.factors);
        let mut above = unit.splat(0);
        for limb in self.residue {
            let x = unit.get(limb);
            unit.set(limb, unit.madd_low(above, x, factors));
            above = unit.madd_high(unit.splat(0), x, factors);
        }
    }
}

/// Copies each lane of `out` from the same lane of that lane's source residue.
#[derive(Clone, Copy)]
struct Select<'a> {
    out: &'a [Cell<Lanes>],
    from: [&'a [Cell<Lanes>]; LANES],
}

impl Task for Select<'_> {
    #[inline(always)]
    fn run<U: VectorUnit>(self, unit: U) {
        let n = self.out.len();
        let from = self.from.map(|register| &register[..n]);
        for (limb, out) in self.out.iter().enumerate() {
            let mut value = unit.get(&from[0][limb]);
            for (lane, from) in from.iter().enumerate().skip(1) {
                value = unit.with_lane(value, unit.get(&from[limb]), lane);
            }
            unit.set(out, value);
        }
    }
}

/// Copies each lane of `out` from that lane's words.
#[derive(Clone, Copy)]
struct Gather<'a> {
    out: &'a [Cell<Lanes>],
    from: [&'a [u64]; LANES],
}

impl Task for Gather<'_> {
    /// Short rows are copied word by word: for ten limbs two overlapping blocks take longer.
    #[inline(always)]
    fn run<U: VectorUnit>(self, unit: U) {
        let n = self.out.len();
        let from = self.from.map(|words| &words[..n]);
        if n < 2 * LANES {
            for (limb, out) in self.out.iter().enumerate() {
                let mut value = unit.splat(from[0][limb]);
                for (lane, from) in from.iter().enumerate().skip(1) {
                    value = unit.with_lane(value, unit.splat(from[limb]), lane);
                }
                unit.set(out, value);
            }
            return;
        }
        for at in eights(n) {
            let rows = from.map(|words| words[at..].first_chunk().expect("eight words"));
            let (limbs, out) = (unit.transposed(rows), &self.out[at..at + LANES]);
            unroll!(LIMB in [0 1 2 3 4 5 6 7], { unit.set(&out[LIMB], limbs[LIMB]) });
        }
    }
}

/// Copies each lane of `limbs` to that lane's row of n words.
#[derive(Clone, Copy)]
struct Pack<'a> {
    rows: &'a [Cell<u64>],
    limbs: &'a [Lanes],
}

impl Task for Pack<'_> {
    #[inline(always)]
    fn run<U: VectorUnit>(self, unit: U) {
        let n = self.limbs.len();
        if n < LANES {
            for (lane, row) in self.rows.chunks_exact(n).enumerate() {
                for (word, limb) in row.iter().zip(self.limbs) {
                    word.set(limb.0[lane]);
                }
            }
            return;
        }
        for at in eights(n) {
            let limbs: &[Lanes; LANES] = self.limbs[at..].first_chunk().expect("eight limbs");
            let words = unit.transposed(limbs.each_ref().map(|limb| &limb.0));
            unroll!(LANE in [0 1 2 3 4 5 6 7], {
                unit.set_words(self.rows[LANE * n + at..].first_chunk().expect("eight words"), words[LANE]);
            });
        }
    }
}

/// The starts of the blocks of eight that cover n >= 8 limbs; the last block may overlap the one before.
#[inline(always)]
fn eights(n: usize) -> impl Iterator<Item = usize> {
    (0..n).step_by(LANES).map(move |at| at.min(n - LANES))
}

/// x mod m for x < 2m with unmasked limbs; the limbs of the result are below 2^52.
#[derive(Clone, Copy)]
struct ReduceOnce<'a> {
    x: &'a [Cell<Lanes>],
    m: &'a [Lanes],
    scratch: &'a [Cell<Lanes>],
}

impl Task for ReduceOnce<'_> {
    #[inline(always)]
    fn run<U: VectorUnit>(self, unit: U) {
        let mask = unit.splat(MASK);
        let mut borrow = unit.splat(0);
        for ((x, m), difference) in self.x.iter().zip(self.m).zip(self.scratch) {
            let limb = unit.and(unit.get(x), mask);
            let d = unit.add_signed(unit.sub_signed(limb, unit.get(m)), borrow);
            borrow = unit.signed_carry(d);
            unit.set(x, limb);
            unit.set(difference, unit.and(d, mask));
        }
        for (x, difference) in self.x.iter().zip(self.scratch) {
            unit.set(x, unit.select(borrow, unit.get(x), unit.get(difference)));
        }
    }
}
