//! Powers of single words, from columns into a column: rows go to the lanes of general registers as they come, and nothing is
//! allocated for one.

use crate::engine::execute::{LaneExponents, Poll, Power, Prepared, fixed::powers_in_limb_lanes};
use crate::engine::plan::{Chunk, ListPlan, Plan, Problem};
use crate::error::Error;
use crate::exponent::{Exponent, order};
use crate::kernel::limb_lanes::LimbLanes;
use crate::kernel::montgomery::neg_mod_inv_limb;
use crate::kernel::vector::LANES;
use crate::natural::Natural;
use crate::work::Options;
use crate::work::column::AbsentRows;
use crate::work::list::plan::{Key, ListedProblem, OWN_EXPONENT};
use crate::work::rows::{FailedRows, rows_in_parallel};
use core::array::from_fn;

/// The word of a row in a column of words: one for each row, or one for all.
#[inline(always)]
pub(crate) fn at(column: &[u64], row: usize) -> u64 {
    if let [one] = *column { one } else { column[row] }
}

/// The bits of the longest word.
fn longest(column: &[u64]) -> u64 {
    u64::from(u64::BITS - column.iter().fold(0, |bits, word| bits | word).leading_zeros())
}

/// base^exponent mod modulus in each row.
#[derive(Debug)]
pub(crate) struct WordPowers<'a> {
    bases: &'a [u64],
    exponents: &'a [u64],
    moduli: &'a [u64],
    absent: AbsentRows<'a>,
    /// The exponent of all rows, if they have one other than 0.
    exponent: Option<Exponent>,
    /// The ring of all rows, if they have one odd modulus.
    ring: Option<LimbLanes>,
}

/// A row that needs a product modulo an odd number above 1.
#[derive(Clone, Copy, Default)]
struct WordRow {
    place: usize,
    base: u64,
    exponent: u64,
    modulus: u64,
    odd: u64,
}

impl<'a> WordPowers<'a> {
    pub(crate) fn new([bases, exponents, moduli]: [&'a [u64]; 3], absent: AbsentRows<'a>) -> Self {
        let same = exponents.first().filter(|first| exponents.iter().all(|exponent| exponent == *first));
        let exponent = same.and_then(|&exponent| Exponent::new(Natural::from(exponent)));
        let ring = match *moduli {
            [modulus] if modulus % 2 == 1 => Some(LimbLanes::new([modulus; LANES])),
            _ => None,
        };
        Self { bases, exponents, moduli, absent, exponent, ring }
    }

    /// The elements for the planner: one power for each row, as if each had the longest exponent and an odd modulus of one limb.
    pub(crate) fn elements(&self) -> (impl Fn(usize) -> Option<Key>, impl Fn(usize) -> ListedProblem) {
        let problem = Problem {
            exponent_weight: self.exponent.as_ref().map(|exponent| exponent.magnitude().weight()),
            ..Problem::new(longest(self.moduli).max(2), longest(self.exponents).max(1))
        };
        let exponent = if self.exponent.is_some() { 0 } else { OWN_EXPONENT };
        let element = ListedProblem { problem, factor: None, exponent, forced: None };
        let key = element.key(0);
        // All are alike.
        (move |index| (index == 0).then_some(key), move |_| element.clone())
    }

    /// All rows into `out`; gives those that failed, whose results are 0. Errors: `interrupted`.
    pub(crate) fn run(&self, list: &ListPlan, mut out: &mut [u64], options: &Options<'_>) -> Result<FailedRows, Error> {
        let (count, schedule) = (out.len(), list.schedule());
        debug_assert_eq!(schedule.stages.len(), 1, "no row waits for another one");
        let threads = schedule.stages.iter().map(|stage| stage.threads).max().unwrap_or(1);
        let mut chunks: Vec<&Chunk> = schedule.stages.iter().flat_map(|stage| &stage.chunks).collect();
        order::sort(&mut chunks, |a, b| a.elements.start.cmp(&b.elements.start));
        let shares = chunks.into_iter().map(|chunk| {
            let (share, rest) = core::mem::take(&mut out).split_at_mut(chunk.elements.len());
            out = rest;
            (chunk, share)
        });
        rows_in_parallel(shares, threads, count, options, |failed, (chunk, out), poll| {
            // An error is the poll's, which has told the others already.
            let _ = self.run_chunk(schedule.steps[chunk.class], chunk.elements.start, out, failed, poll);
            out.len()
        })
    }

    /// The rows from `first` on, by one plan. Error: `interrupted`.
    fn run_chunk(
        &self,
        plan: &Plan,
        first: usize,
        out: &mut [u64],
        failed: &mut FailedRows,
        poll: &Poll<'_>,
    ) -> Result<(), Error> {
        let width = if plan.is_in_lanes() { LANES } else { 1 };
        let (mut pack, mut waiting) = ([WordRow::default(); LANES], 0);
        for place in 0..out.len() {
            let row = first + place;
            let (base, exponent, modulus) = (at(self.bases, row), at(self.exponents, row), at(self.moduli, row));
            if self.absent.has(row) {
                out[place] = 0;
                continue;
            }
            if modulus <= 1 || exponent == 0 {
                out[place] = u64::from(modulus > 1);
                if modulus == 0 {
                    failed.push((row, Error::ZeroModulus));
                }
                continue;
            }
            let odd = modulus >> modulus.trailing_zeros();
            if odd == 1 {
                out[place] = power_of_two(base, exponent, modulus);
                continue;
            }
            pack[waiting] = WordRow { place, base, exponent, modulus, odd };
            waiting += 1;
            if waiting == width {
                self.pack(plan, &pack[..waiting], out, poll)?;
                waiting = 0;
            }
        }
        if waiting > 0 { self.pack(plan, &pack[..waiting], out, poll) } else { Ok(()) }
    }

    /// Up to eight rows side by side. Error: `interrupted`.
    fn pack(&self, plan: &Plan, rows: &[WordRow], out: &mut [u64], poll: &Poll<'_>) -> Result<(), Error> {
        let residues = self.residues(plan, rows, poll)?;
        for (row, residue) in rows.iter().zip(residues) {
            out[row.place] = if row.odd == row.modulus { residue } else { recombined(row, residue) };
        }
        Ok(())
    }

    /// The powers modulo the odd parts, in the lanes of their places. Error: `interrupted`.
    fn residues(&self, plan: &Plan, rows: &[WordRow], poll: &Poll<'_>) -> Result<[u64; LANES], Error> {
        let of = |lane: usize| &rows[if lane < rows.len() { lane } else { 0 }];
        let exponents: [Natural; LANES];
        let each;
        let exponent = match &self.exponent {
            Some(exponent) => Ok(exponent),
            None => {
                exponents = from_fn(|lane| Natural::from(of(lane).exponent));
                each = LaneExponents(from_fn(|lane| &exponents[lane]));
                Err(&each)
            }
        };
        match plan {
            Plan::Run { algorithm, form } if form.kernel.batches_in_order() => {
                poll.walked(rows.len(), &format_args!("{algorithm} on {form}"));
                let bases: [[u64; 1]; LANES] = from_fn(|lane| [of(lane).base]);
                let own;
                let ring = match &self.ring {
                    Some(ring) => ring,
                    None => {
                        own = LimbLanes::new(from_fn(|lane| of(lane).odd));
                        &own
                    }
                };
                powers_in_limb_lanes(ring, bases.each_ref().map(|base| &base[..]), exponent, algorithm, poll)
            }
            plan => {
                let mut residues = [0; LANES];
                for (row, residue) in rows.iter().zip(&mut residues) {
                    let (odd, base) = (Natural::from(row.odd), Natural::from(row.base));
                    let exponent = Exponent::of_nonzero(Natural::from(row.exponent));
                    let (base, exponent) = (&base, &exponent);
                    let power =
                        Prepared::for_one_call(&odd, |modulus| Power { modulus, base, exponent, poll }.by(plan))?;
                    *residue = power.limbs().first().copied().unwrap_or(0);
                }
                Ok(residues)
            }
        }
    }
}

/// base^exponent modulo a power of two, above 1.
fn power_of_two(base: u64, exponent: u64, modulus: u64) -> u64 {
    // The odd residues modulo 2^64 form a group of exponent 2^62.
    let mut left = if base % 2 == 1 { exponent & (u64::MAX >> 2) } else { exponent };
    let (mut power, mut square) = (1u64, base);
    while left > 0 {
        if left % 2 == 1 {
            power = power.wrapping_mul(square);
        }
        square = square.wrapping_mul(square);
        left >>= 1;
    }
    power & (modulus - 1)
}

/// The power modulo an even number from that modulo its odd part: x = x_odd + odd * ((x_two - x_odd) * odd^-1 mod 2^k), below
/// odd + odd (2^k - 1) = m.
fn recombined(row: &WordRow, x_odd: u64) -> u64 {
    let two = 1 << row.modulus.trailing_zeros();
    let difference = power_of_two(row.base, row.exponent, two).wrapping_sub(x_odd);
    let inverse = neg_mod_inv_limb(row.odd).wrapping_neg();
    x_odd + row.odd * (difference.wrapping_mul(inverse) & (two - 1))
}
