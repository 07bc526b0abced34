//! Runs an algorithm on several residues in lanes, eight at most.

use crate::algorithm::{Algorithm, BASE, Monoid, PowerProduct, Register, Straus};
use crate::engine::execute::{Poll, Prepared, fixed, reserve};
use crate::error::Error;
use crate::exponent::{Digits, Exponent, digit_of};
use crate::kernel::lane_ring::{BoxedLaneRing, Exists, LaneRing};
use crate::kernel::registry::Form;
use crate::kernel::vector::{LANES, Lanes};
use crate::natural::{Natural, chores};
use core::array::from_fn;
use core::iter::once;
use core::ops::Range;
use smallvec::SmallVec;

/// Squarings between two questions of the poll: a run of them is one call of the kernel.
const SQUARINGS_AT_ONCE: usize = 16;

/// base^exponent modulo an odd number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LaneJob<'a> {
    pub(crate) modulus: &'a Natural,
    pub(crate) base: &'a Natural,
    /// At least 1.
    pub(crate) exponent: &'a Natural,
}

/// The product of bases[i]^exponents[i] modulo a number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProductOf<'a> {
    pub(crate) modulus: &'a Prepared<'a>,
    pub(crate) bases: &'a [&'a Natural],
    /// As many.
    pub(crate) exponents: &'a [Exponent],
}

/// One index for all lanes, or one for each.
pub(crate) trait LaneDigit: Copy {
    /// The index in a lane.
    fn of(self, lane: usize) -> usize;

    /// Each lane's own entry of a table of residues of one word a lane.
    #[inline(always)]
    fn entry<const N: usize>(self, table: &[[u64; N]]) -> [u64; N] {
        from_fn(|lane| table[self.of(lane)][lane])
    }
}

impl LaneDigit for usize {
    fn of(self, _lane: usize) -> usize {
        self
    }

    #[inline(always)]
    fn entry<const N: usize>(self, table: &[[u64; N]]) -> [u64; N] {
        table[self]
    }
}

impl LaneDigit for [usize; LANES] {
    fn of(self, lane: usize) -> usize {
        self[lane]
    }
}

/// Exponents in lanes, all of the length of the longest; a kernel of fewer lanes looks at the first.
pub(crate) struct LaneExponents<'a>(pub(crate) [&'a Natural; LANES]);

impl LaneExponents<'_> {
    /// The one that all lanes have.
    pub(crate) fn shared(&self) -> Option<Exponent> {
        let first = self.0[0];
        let same = self.0.iter().all(|&other| core::ptr::eq(other, first) || other == first);
        same.then(|| Exponent::of_nonzero(first.clone()))
    }

    /// The error for an algorithm that cannot take different exponents.
    pub(crate) fn unfit(&self, algorithm: &Algorithm) -> Error {
        Error::BadPlan(format!("{algorithm} depends on the exponent, and the exponents of the lanes differ"))
    }
}

impl Digits<[usize; LANES]> for LaneExponents<'_> {
    fn bits(&self) -> usize {
        self.0.iter().map(|exponent| exponent.bits()).max().unwrap_or(0) as usize
    }

    /// In a loop, not by `map`, which would be a call for every digit of eight.
    #[inline]
    fn digit(&self, position: usize, width: u32) -> [usize; LANES] {
        let mut digits = [0; LANES];
        for (digit, exponent) in digits.iter_mut().zip(self.0) {
            *digit = digit_of(exponent, position, width);
        }
        digits
    }
}

/// A ring, its arena and its scratch.
struct RingWithRoom<'a> {
    _exists: Exists,
    ring: &'a dyn LaneRing,
    arena: &'a mut [Lanes],
    scratch: &'a mut [Lanes],
}

impl RingWithRoom<'_> {
    /// A base in each lane. What is too long for the lanes is reduced by division; anything shorter is reduced as it enters.
    fn enter(&mut self, out: Register, moduli: &[&Natural; LANES], bases: [&Natural; LANES]) {
        let ring = self.ring;
        let reduced: [Option<Natural>; LANES] =
            from_fn(|lane| (bases[lane].bits() > ring.entering_bits()).then(|| chores::rem(bases[lane], moduli[lane])));
        let bases = from_fn(|lane| reduced[lane].as_ref().unwrap_or(bases[lane]).limbs());
        ring.enter(self.arena, out.0 * ring.vectors(), &bases, self.scratch);
    }

    /// The registers of one run.
    fn residues<'r, D>(&'r mut self, poll: &'r Poll<'r>) -> LaneResidues<'r, D> {
        LaneResidues::new(self.ring, self.arena, self.scratch, poll)
    }

    /// The canonical residue of each lane, with its index to `each`.
    fn leave(self, result: Register, moduli: &[&Natural], mut each: impl FnMut(usize, Natural)) {
        let residues = self.ring.leave(self.arena, result.0 * self.ring.vectors(), self.scratch);
        for (index, modulus) in moduli.iter().enumerate() {
            let mut limbs = SmallVec::from_elem(0, modulus.limbs().len());
            self.ring.lane(residues, index, &mut limbs);
            each(index, Natural::from_limb_buffer(limbs));
        }
    }
}

/// The state that a thread keeps between runs: memory, and the constants of the last moduli.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    arena: Vec<Lanes>,
    scratch: Vec<Lanes>,
    ring: Option<(Form, BoxedLaneRing)>,
    /// The moduli of the ring, each behind its length in limbs.
    moduli: Vec<u64>,
}

impl Workspace {
    /// Powers with one schedule, as many as the form's kernel has lanes at most, canonical, each with its index to `each`. Every modulus
    /// fits the form.
    ///
    /// Idle lanes repeat a job. Lanes with different exponents take a uniform algorithm. Error: `interrupted`; `bad_plan`
    /// if the schedule follows exponents that differ, or this CPU lacks the kernel.
    pub(crate) fn powers(
        &mut self,
        jobs: &[LaneJob<'_>],
        algorithm: &Algorithm,
        form: &Form,
        poll: &Poll<'_>,
        mut each: impl FnMut(usize, Natural),
    ) -> Result<(), Error> {
        poll.walked(jobs.len(), &format_args!("{algorithm} on {form}"));
        if form.kernel.batches_in_order() {
            let powers = fixed::powers_of_limbs(jobs, algorithm, poll)?;
            (0..jobs.len()).for_each(|index| each(index, Natural::from(powers[index])));
            return Ok(());
        }
        let lanes: [LaneJob<'_>; LANES] = from_fn(|lane| jobs[lane % jobs.len()]);
        let exponents = LaneExponents(lanes.map(|job| job.exponent));
        let moduli = lanes.map(|job| job.modulus);
        let poll = poll.for_words(form.n);
        let mut room = self.prepare(form, &moduli, algorithm.registers(exponents.bits()))?;
        room.enter(BASE, &moduli, lanes.map(|job| job.base));
        let result = match exponents.shared() {
            Some(exponent) => algorithm.run(&exponent, &mut room.residues::<usize>(&poll)),
            None => {
                let result = algorithm.run_uniform(&exponents, &mut room.residues::<[usize; LANES]>(&poll));
                result.ok_or_else(|| exponents.unfit(algorithm))?
            }
        };
        if poll.halted() {
            return Err(Error::Interrupted);
        }
        room.leave(result, &moduli[..jobs.len()], each);
        Ok(())
    }

    /// Powers of 2, as [`Workspace::powers`] has powers: squarings, and shifts by digits of `digit_bits` bits. The form's kernel shifts by
    /// 2^`digit_bits` - 1 for moduli of these lengths. Exponents may be 0. Error: `interrupted`; `bad_plan` if this CPU lacks the kernel.
    pub(crate) fn powers_of_two(
        &mut self,
        jobs: &[LaneJob<'_>],
        digit_bits: u32,
        form: &Form,
        poll: &Poll<'_>,
        each: impl FnMut(usize, Natural),
    ) -> Result<(), Error> {
        poll.walked(jobs.len(), &format_args!("powers of two on {form}"));
        let lanes: [LaneJob<'_>; LANES] = from_fn(|lane| jobs[lane % jobs.len()]);
        let exponents = LaneExponents(lanes.map(|job| job.exponent));
        let moduli = lanes.map(|job| job.modulus);
        let poll = poll.for_words(form.n);
        let room = self.prepare(form, &moduli, 1)?;
        room.ring.one(room.arena, BASE.0);
        let width = digit_bits as usize;
        for position in (0..exponents.bits().div_ceil(width)).rev() {
            if !poll.go_on() {
                return Err(Error::Interrupted);
            }
            // The first squarings are of 1.
            if position + 1 < exponents.bits().div_ceil(width) {
                room.ring.sqr_n(room.arena, BASE.0, BASE.0, width, room.scratch);
            }
            room.ring.shift(
                room.arena,
                BASE.0,
                exponents.digit(position * width, digit_bits).map(|digit| digit as u32),
            );
        }
        room.leave(BASE, &moduli[..jobs.len()], each);
        Ok(())
    }

    /// Products of equally many powers modulo odd numbers, as many as there are lanes at most, as [`Workspace::powers`] has powers.
    pub(crate) fn products(
        &mut self,
        jobs: &[ProductOf<'_>],
        straus: &Straus,
        form: &Form,
        poll: &Poll<'_>,
        each: impl FnMut(usize, Natural),
    ) -> Result<(), Error> {
        poll.walked(jobs.len(), &format_args!("{} on {form}", PowerProduct::Straus(*straus)));
        let lanes: [&ProductOf<'_>; LANES] = from_fn(|lane| &jobs[lane % jobs.len()]);
        let count = lanes[0].exponents.len();
        let moduli = lanes.map(|job| job.modulus.facts().value());
        let poll = poll.for_words(form.n);
        let mut room = self.prepare(form, &moduli, straus.uniform_registers(count))?;
        for base in 0..count {
            room.enter(Register(base), &moduli, lanes.map(|job| job.bases[base]));
        }
        let max_bits = lanes.iter().flat_map(|job| job.exponents.iter().map(Exponent::bits)).max().unwrap_or(1);
        let w = straus.0.window_bits();
        let digit = |bases: &[usize], bit: usize| -> [usize; LANES] {
            let mut joint = [0; LANES];
            for &base in bases.iter().rev() {
                for (joint, job) in joint.iter_mut().zip(lanes) {
                    *joint = *joint << w | digit_of(job.exponents[base].magnitude(), bit, w);
                }
            }
            joint
        };
        let result = straus.run_uniform((count, max_bits), digit, &mut room.residues::<[usize; LANES]>(&poll));
        if poll.halted() {
            return Err(Error::Interrupted);
        }
        room.leave(result, &moduli[..jobs.len()], each);
        Ok(())
    }

    /// The ring of these moduli, and memory for the registers. Error: `bad_plan` if this CPU lacks the kernel.
    fn prepare(
        &mut self,
        form: &Form,
        moduli: &[&Natural; LANES],
        registers: usize,
    ) -> Result<RingWithRoom<'_>, Error> {
        let moduli = moduli.map(Natural::limbs);
        let same_form = self.ring.as_ref().is_some_and(|(of_form, _)| of_form == form);
        if !same_form || !flat(&moduli).eq(self.moduli.iter().copied()) {
            match &mut self.ring {
                Some((_, ring)) if same_form => ring.change(&moduli, &mut self.scratch),
                ring => *ring = Some((*form, lane_ring(form, &moduli)?)),
            }
            self.moduli.clear();
            self.moduli.extend(flat(&moduli));
        }
        let Some((_, ring)) = &self.ring else { unreachable!("it was just filled") };
        let vectors = registers * ring.vectors();
        if self.arena.len() < vectors {
            reserve(&mut self.arena, vectors)?;
            self.arena.resize(vectors, Lanes::default());
        }
        if self.scratch.len() < ring.scratch_vectors() {
            self.scratch.resize(ring.scratch_vectors(), Lanes::default());
        }
        Ok(RingWithRoom { _exists: ring.witness(), ring: &**ring, arena: &mut self.arena, scratch: &mut self.scratch })
    }
}

/// The ring of these moduli. Error: `bad_plan` if this CPU lacks the kernel.
pub(crate) fn lane_ring(form: &Form, moduli: &[&[u64]; LANES]) -> Result<BoxedLaneRing, Error> {
    let ring = form.kernel.lane_family().and_then(|family| family.ring(form, moduli));
    ring.ok_or_else(|| Error::BadPlan(format!("this CPU cannot run {form}")))
}

/// Numbers in one row, each behind its length.
fn flat<'a>(numbers: &'a [&[u64]; LANES]) -> impl Iterator<Item = u64> + 'a {
    numbers.iter().flat_map(|limbs| once(limbs.len() as u64).chain(limbs.iter().copied()))
}

/// The registers of one run.
pub(crate) struct LaneResidues<'r, D> {
    ring: &'r dyn LaneRing,
    arena: &'r mut [Lanes],
    scratch: &'r mut [Lanes],
    poll: &'r Poll<'r>,
    /// The registers of a table that is arranged for its lanes: they are selected from, and nothing else.
    arranged: Range<usize>,
    digits: core::marker::PhantomData<D>,
}

impl<'r, D> LaneResidues<'r, D> {
    pub(crate) fn new(
        ring: &'r dyn LaneRing,
        arena: &'r mut [Lanes],
        scratch: &'r mut [Lanes],
        poll: &'r Poll<'r>,
    ) -> Self {
        Self { ring, arena, scratch, poll, arranged: 0..0, digits: core::marker::PhantomData }
    }

    /// `out` = a packed residue in each lane.
    pub(crate) fn gather(&mut self, out: Register, from: [&[u64]; LANES]) {
        let out = self.at(out);
        self.ring.gather(self.arena, out, from);
    }

    /// Makes what was gathered a residue.
    pub(crate) fn settle(&mut self, register: Register) {
        let at = self.at(register);
        self.ring.settle(self.arena, at, self.scratch);
    }

    /// The start of a register that holds a residue in lanes.
    fn at(&self, register: Register) -> usize {
        debug_assert!(!self.arranged.contains(&register.0), "it is arranged for its lanes");
        register.0 * self.ring.vectors()
    }
}

impl<D: LaneDigit> Monoid for LaneResidues<'_, D> {
    type Digit = D;

    fn one(&mut self, out: Register) {
        let out = self.at(out);
        self.ring.one(self.arena, out);
    }

    fn copy(&mut self, out: Register, from: Register) {
        let (out, from) = (self.at(out), self.at(from));
        self.arena.copy_within(from..from + self.ring.vectors(), out);
    }

    fn mul(&mut self, out: Register, a: Register, b: Register) {
        if self.poll.go_on() {
            let (out, a, b) = (self.at(out), self.at(a), self.at(b));
            self.ring.mul(self.arena, out, a, b, self.scratch);
        }
    }

    fn sqr_n(&mut self, out: Register, a: Register, count: usize) {
        if count == 0 {
            return self.copy(out, a);
        }
        let (out, mut a) = (self.at(out), self.at(a));
        for done in (0..count).step_by(SQUARINGS_AT_ONCE) {
            if !self.poll.go_on() {
                return;
            }
            self.ring.sqr_n(self.arena, out, a, SQUARINGS_AT_ONCE.min(count - done), self.scratch);
            a = out;
        }
    }

    fn mul_base(&mut self, out: Register, a: Register) {
        self.mul(out, a, BASE);
    }

    fn tabulated(&mut self, first: Register, length: usize) {
        for entry in first.0..first.0 + length {
            let at = self.at(Register(entry));
            self.ring.arrange(self.arena, at, self.scratch);
        }
        self.arranged = first.0..first.0 + length;
    }

    /// Reads one entry in each lane; of a table that is arranged to a register above it. Leaks: the digits, by their addresses.
    fn select(&mut self, out: Register, first: Register, length: usize, digit: D) {
        let n = self.ring.vectors();
        let out = self.at(out);
        let from: [usize; LANES] = from_fn(|lane| (first.0 + digit.of(lane)) * n);
        debug_assert!(from.iter().all(|&at| at < (first.0 + length) * n));
        if self.arranged == (first.0..first.0 + length) {
            self.ring.select_arranged(self.arena, out, from);
        } else {
            self.ring.select(self.arena, out, from);
        }
    }
}
