//! Powers from one table in lanes: several exponents, each lane with the entries that its exponent selects.

use crate::algorithm::fixed_base::{FixedBaseAlgorithm, rounds_side_by_side};
use crate::algorithm::{BASE, ManyExponents, Monoid, Register, ShapeBits};
use crate::engine::execute::{Answer, Answering, Answers, LaneResidues, Poll, Prepared, lane_ring};
use crate::engine::plan::{Chunk, ListPlan, Plan};
use crate::error::{Error, pairs};
use crate::exponent::Exponent;
use crate::kernel::cache_line::prefetch;
use crate::kernel::lane_ring::BoxedLaneRing;
use crate::kernel::registry::Form;
use crate::kernel::vector::{LANES, Lanes};
use crate::natural::Natural;
use crate::work::fixed_base::Shared;
use crate::work::fixed_base::run::PreparedTable;
use crate::work::request::Powers;
use core::array::from_fn;
use core::ops::Range;

/// Registers behind the table and 1: those of the rounds, and one for the base.
const WORK: usize = 3;

/// The data that the threads of a list share, in addition to the table.
#[derive(Debug)]
pub(crate) struct SideBySide {
    form: Form,
    ring: BoxedLaneRing,
    one: Box<[u64]>,
    /// Limbs of a power.
    limbs: usize,
}

/// The state that a thread keeps between runs.
#[derive(Debug, Default)]
pub(crate) struct LaneSpace {
    arena: Vec<Lanes>,
    scratch: Vec<Lanes>,
}

impl SideBySide {
    /// Prepares the lanes of `form`, which reads the packed residues of the part, modulo `modulus`. Error: `bad_plan` if this CPU
    /// lacks them.
    pub(crate) fn new(part: &PreparedTable, form: &Form, modulus: &Natural) -> Result<Self, Error> {
        let ring = lane_ring(form, &[modulus.limbs(); LANES])?;
        Ok(Self { form: *form, one: ring.packed_one(&part.table.layout), ring, limbs: modulus.limbs().len() })
    }

    /// Computes the powers to one exponent for each lane or fewer, none longer than the table's, canonical. Idle lanes
    /// repeat the first.
    ///
    /// Errors: `interrupted`; `bad_plan` for a method that has no rounds.
    pub(crate) fn powers(
        &self,
        part: &PreparedTable,
        exponents: &[Exponent],
        space: &mut LaneSpace,
        poll: &Poll<'_>,
    ) -> Result<Vec<Natural>, Error> {
        let (table, n) = (&part.table, self.ring.vectors());
        let entries = table.entries();
        let rounds = exponents.iter().map(|exponent| table.algorithm.rounds(table.exponent_bits, exponent));
        let rounds: Vec<_> = rounds.collect::<Option<_>>().unwrap_or_default();
        let Some(first) = rounds.first() else {
            return Err(Error::BadPlan(format!("{} cannot run in lanes", table.algorithm)));
        };
        if first.per_round > self.ring.most_gathered() {
            return Err(Error::BadPlan(format!("{} has too many steps in a round for {}", table.algorithm, self.form)));
        }
        let step = |step: usize| {
            let digit: [usize; LANES] =
                from_fn(|lane| rounds.get(lane).unwrap_or(first).steps[step].map_or(entries, |entry| entry.0));
            (digit != [entries; LANES]).then_some(digit)
        };
        let steps: Vec<_> = (0..first.steps.len()).map(step).collect();
        space.arena.resize(WORK * n, Lanes::default());
        space.scratch.resize(self.ring.scratch_vectors(), Lanes::default());
        let poll = poll.for_words(self.form.n);
        let lanes = LaneResidues::new(&*self.ring, &mut space.arena, &mut space.scratch, &poll);
        let words = table.words.as_slice();
        let mut residues = TableLanes { lanes, words, entries, one: &self.one, gathered: [false; WORK] };
        let result = rounds_side_by_side(entries, first.per_round, &steps, &mut residues);
        let result = residues.work(result);
        if poll.halted() {
            return Err(Error::Interrupted);
        }
        let residues = self.ring.leave(&mut space.arena, result.0 * n, &mut space.scratch);
        let power = |index| {
            let mut limbs = vec![0; self.limbs];
            self.ring.lane(residues, index, &mut limbs);
            Natural::from_limbs(&limbs)
        };
        Ok((0..exponents.len()).map(power).collect())
    }
}

/// Stores powers at their places, or their common error at each place.
fn answer_elements(places: Range<usize>, powers: Result<Vec<Natural>, Error>, mut answer: impl FnMut(usize, Answer)) {
    match powers.and_then(|powers| pairs(places.clone(), powers)) {
        Ok(powers) => powers.for_each(|(place, power)| answer(place, Ok(power))),
        Err(error) => places.for_each(|place| answer(place, Err(error.clone()))),
    }
}

/// Computes the powers modulo an odd number, canonical, in order: several at a time, from a table that is made for them.
///
/// Errors: `interrupted`; `bad_plan` for an algorithm without a table, or if this CPU lacks the lanes.
pub(crate) fn list(
    modulus: &Prepared,
    algorithm: &ManyExponents,
    form: &Form,
    &Powers { base, exponents, threads, progress, poll }: &Powers<'_>,
) -> Result<Vec<Natural>, Error> {
    let odd = modulus.facts().odd();
    let table = algorithm.table().zip(form.maker(odd.bits() as usize));
    let (method, maker) = table.ok_or_else(|| Error::BadPlan(format!("{algorithm} does not run on {form}")))?;
    let longest = ShapeBits::of(exponents).max_bits;
    let part = PreparedTable::build(modulus, &method, &maker, longest, base, poll)?;
    let lanes = SideBySide::new(&part, form, odd)?;
    let work = |space: &mut LaneSpace, chunk: &Chunk, poll: &Poll<'_>, answer: Answering<'_>| {
        let places = chunk.elements.clone();
        answer_elements(places.clone(), lanes.powers(&part, &exponents[places], space, poll), answer);
    };
    let count = exponents.len();
    let wide = form.kernel.lanes();
    let packs = (0..count).step_by(wide).map(|first| Chunk { class: 0, elements: first..(first + wide).min(count) });
    let report = progress.map(|slice| move |done, all| slice.report(done, all));
    let report = report.as_ref().map(|report| report as &(dyn Fn(usize, usize) + Sync));
    let within = poll.nested(report);
    let mut answers = Answers::new(count, Vec::new(), Some(&within));
    answers.run_chunks(&packs.collect::<Vec<_>>(), threads, work)?;
    answers.finish()?.into_iter().collect()
}

impl Shared {
    /// Walks the tree of a list of powers; `finish` makes a power its answer. Errors: `interrupted`; those of [`SideBySide::new`].
    pub(crate) fn power_list(
        &self,
        list: &ListPlan<FixedBaseAlgorithm>,
        exponents: &[Exponent],
        finish: impl Fn(usize, Answer) -> (usize, Answer) + Sync,
        answers: Answers<'_>,
    ) -> Result<Vec<Answer>, Error> {
        let (schedule, part, modulus) = (list.schedule(), self.tables.part(true), &self.modulus.prepared);
        let lanes = |plan: &&Plan<FixedBaseAlgorithm>| -> Result<_, Error> {
            let form = plan.runs().into_iter().map(|(_, form)| *form).find(|form| form.kernel.lanes() > 1);
            let Some(form) = form else { return Ok(None) };
            let part = part.ok_or_else(|| Error::BadPlan(format!("{form} is for odd moduli")))?;
            Ok(Some((part, SideBySide::new(part, &form, modulus.facts().odd())?)))
        };
        let lanes: Vec<_> = schedule.steps.iter().map(lanes).collect::<Result<_, Error>>()?;
        answers.walk(&schedule, |space: &mut LaneSpace, _, chunk, poll, answer| {
            let mut answer = |at: usize, power: Answer| {
                let (place, power) = finish(at, power);
                answer(place, power);
            };
            let range = chunk.elements.clone();
            let Some((part, lanes)) = &lanes[chunk.class] else {
                return range.for_each(|at| answer(at, self.tables.power(&self.power_of(&exponents[at], poll))));
            };
            let wide = lanes.form.kernel.lanes();
            for first in range.clone().step_by(wide) {
                let pack = first..(first + wide).min(range.end);
                let exponents = &exponents[pack.clone()];
                poll.walked(pack.len(), &format_args!("{} on {}", part.table.algorithm, lanes.form));
                let powers = lanes.powers(part, exponents, space, poll).and_then(|odd| {
                    let whole = |(exponent, odd)| self.tables.recombined(&self.power_of(exponent, poll), Some(odd));
                    pairs(exponents, odd)?.map(whole).collect()
                });
                answer_elements(pack, powers, &mut answer);
            }
        })
    }
}

/// A table of packed residues, then 1, then work registers in lanes.
struct TableLanes<'r> {
    lanes: LaneResidues<'r, [usize; LANES]>,
    words: &'r [u64],
    entries: usize,
    one: &'r [u64],
    /// The work registers that hold what was gathered, see [`LaneRing::gather`](crate::kernel::lane_ring::LaneRing::gather).
    gathered: [bool; WORK],
}

impl TableLanes<'_> {
    /// The register of the lanes for a register that may be written.
    fn work(&self, register: Register) -> Register {
        debug_assert!(register.0 > self.entries, "an entry, or 1");
        Register(register.0 - self.entries - 1)
    }

    /// The register of the lanes for one that is squared, or for one of two gathered factors.
    fn with_pending_applied(&mut self, register: Register) -> Register {
        let work = self.work(register);
        if core::mem::take(&mut self.gathered[work.0]) {
            self.lanes.settle(work);
        }
        work
    }
}

impl Monoid for TableLanes<'_> {
    type Digit = [usize; LANES];

    /// The 1 after the table is there from the beginning.
    fn one(&mut self, out: Register) {
        if out.0 != self.entries {
            self.lanes.one(self.work(out));
            self.gathered[self.work(out).0] = false;
        }
    }

    fn copy(&mut self, out: Register, from: Register) {
        let (out, from) = (self.work(out), self.work(from));
        self.lanes.copy(out, from);
        self.gathered[out.0] = self.gathered[from.0];
    }

    fn mul(&mut self, out: Register, a: Register, b: Register) {
        let (out, b) = (self.work(out), self.work(b));
        let a = if self.gathered[b.0] { self.with_pending_applied(a) } else { self.work(a) };
        self.lanes.mul(out, a, b);
        self.gathered[out.0] = false;
    }

    fn sqr_n(&mut self, out: Register, a: Register, count: usize) {
        let (out, a) = (self.work(out), self.with_pending_applied(a));
        self.lanes.sqr_n(out, a, count);
        self.gathered[out.0] = false;
    }

    fn mul_base(&mut self, out: Register, a: Register) {
        let base = Register(self.entries + WORK);
        self.select(base, BASE, 1, [0; LANES]);
        self.mul(out, a, base);
    }

    fn prefetch_digit(&mut self, first: Register, digit: [usize; LANES]) {
        let n = self.one.len();
        for index in digit {
            prefetch(self.words.get((first.0 + index) * n..(first.0 + index + 1) * n).unwrap_or(self.one));
        }
    }

    /// Leaks: the digits, by the addresses of the entries.
    fn select(&mut self, out: Register, first: Register, length: usize, digit: [usize; LANES]) {
        debug_assert!(first.0 + length <= self.entries + 1 && digit.iter().all(|&digit| digit < length));
        let (n, entries) = (self.one.len(), self.entries);
        let entry = |index: usize| if index < entries { &self.words[index * n..][..n] } else { self.one };
        let out = self.work(out);
        self.lanes.gather(out, digit.map(|digit| entry(first.0 + digit)));
        self.gathered[out.0] = true;
    }
}
