//! Short moduli: residues of a few limbs by value, their registers on the stack.

use crate::algorithm::{Algorithm, BASE, Monoid, Program, Register, SlidingWindow, WindowBits};
use crate::engine::execute::{LaneDigit, LaneExponents, LaneJob, Poll, stack_or_heap};
use crate::error::Error;
use crate::exponent::{Digits, Exponent};
use crate::kernel::fixed::{FixedRing, Visitor};
use crate::kernel::limb_lanes::LimbLanes;
use crate::kernel::vector::LANES;
use crate::natural::Natural;
use core::array::from_fn;
use core::hint::select_unpredictable;
use core::marker::PhantomData;

/// Registers that fit the stack: enough for every window that the planner gives to exponents of 256 bits. A forced
/// plan that needs more takes them from the heap.
const STACK_REGISTERS: usize = 20;

/// Registers of the algorithms without a table, which short exponents take: not worth clearing more.
const FEW_REGISTERS: usize = 4;

/// Squarings between two polls.
const RUN: usize = 256;

struct FixedResidues<'r, const N: usize, R, D = usize> {
    ring: &'r R,
    poll: &'r Poll<'r>,
    registers: &'r mut [[u64; N]],
    digits: PhantomData<D>,
}

impl<const N: usize, R: FixedRing<N>, D> FixedResidues<'_, N, R, D> {
    #[inline(always)]
    fn get(&self, register: Register) -> [u64; N] {
        self.registers[register.0]
    }
}

impl<const N: usize, R: FixedRing<N>, D: LaneDigit> Monoid for FixedResidues<'_, N, R, D> {
    type Digit = D;

    #[inline(always)]
    fn one(&mut self, out: Register) {
        self.registers[out.0] = self.ring.one();
    }

    #[inline(always)]
    fn copy(&mut self, out: Register, from: Register) {
        self.registers[out.0] = self.get(from);
    }

    #[inline(always)]
    fn mul(&mut self, out: Register, a: Register, b: Register) {
        if self.poll.go_on() {
            self.registers[out.0] = self.ring.mul(self.get(a), self.get(b));
        }
    }

    #[inline(always)]
    fn sqr_n(&mut self, out: Register, a: Register, count: usize) {
        let mut value = self.get(a);
        let mut left = count;
        while left > 0 && self.poll.go_on() {
            value = self.ring.sqr_n(value, left.min(RUN));
            left = left.saturating_sub(RUN);
        }
        self.registers[out.0] = value;
    }

    #[inline(always)]
    fn mul_base(&mut self, out: Register, a: Register) {
        // At these lengths a product by one word gains nothing over the whole product.
        self.mul(out, a, BASE);
    }

    #[inline(always)]
    fn mul_power(&mut self, out: Register, a: Register, b: Register) {
        self.mul(out, a, b);
    }

    #[inline(always)]
    fn select(&mut self, out: Register, first: Register, length: usize, digit: D) {
        self.registers[out.0] = digit.entry(&self.registers[first.0..first.0 + length]);
    }
}

/// Runs an algorithm. The text of those that plans for so short moduli name is compiled for each ring; the others have one text
/// that calls the operations, or they would take the compiler a tenth of its time.
#[inline(always)]
fn run<const N: usize, R: FixedRing<N>>(
    algorithm: &Algorithm,
    exponent: &Exponent,
    residues: &mut FixedResidues<'_, N, R>,
) -> Register {
    match algorithm {
        Algorithm::SlidingWindow(_) | Algorithm::BinaryLeftToRight(_) => {
            // One text for both: bit by bit is windows of one bit.
            let windows = if let Algorithm::SlidingWindow(program) = algorithm {
                *program
            } else {
                SlidingWindow(WindowBits::new(1))
            };
            windows.run(exponent, residues)
        }
        Algorithm::BinaryRightToLeft(_) if const { R::PAIRS } => right_to_left(exponent, residues),
        Algorithm::BinaryRightToLeft(program) => program.run(exponent, residues),
        // A squaring of up to 4 limbs costs as much as a product; plans for longer numbers do not name this algorithm.
        Algorithm::KAry(program) if const { N <= 4 } => program.run(exponent, residues),
        _ => {
            // A copy: what is handed to a call has to lie in memory, for the texts above too.
            let FixedResidues { ring, poll, registers, digits } = residues;
            let mut residues = FixedResidues { ring: *ring, poll, registers, digits: *digits };
            algorithm.run::<dyn Monoid<Digit = usize> + '_>(exponent, &mut residues)
        }
    }
}

/// [`BinaryRightToLeft`](crate::algorithm::BinaryRightToLeft) with each product in parallel with the next squaring, which does not wait for it. A product
/// for a zero bit is computed too, and dropped: a branch that the processor cannot foresee takes longer.
#[inline(always)]
fn right_to_left<const N: usize, R: FixedRing<N>>(
    exponent: &Exponent,
    residues: &mut FixedResidues<'_, N, R>,
) -> Register {
    let (ring, poll) = (residues.ring, residues.poll);
    let (bits, first) = (exponent.bits(), exponent.trailing_zeros());
    residues.sqr_n(BASE, BASE, first);
    let mut square = residues.get(BASE);
    let (mut product, mut position) = (square, first + 1);
    while position < bits && poll.go_on() {
        // The bits of one limb.
        let end = bits.min((position / 64 + 1) * 64);
        let mut limb = exponent.magnitude().limbs()[position / 64] >> (position % 64);
        for _ in position..end {
            square = ring.sqr(square);
            let with = ring.mul(product, square);
            product = from_fn(|index| select_unpredictable(limb & 1 == 1, with[index], product[index]));
            limb >>= 1;
        }
        position = end;
    }
    residues.registers[BASE.0] = product;
    BASE
}

/// base^exponent in such a ring.
pub(crate) struct RegisterPower<'a> {
    pub(crate) algorithm: &'a Algorithm,
    pub(crate) base: &'a Natural,
    pub(crate) exponent: &'a Exponent,
    pub(crate) poll: &'a Poll<'a>,
}

impl Visitor<Result<Natural, Error>> for RegisterPower<'_> {
    #[inline(always)]
    fn visit<const N: usize, R: FixedRing<N>>(self, make: impl Fn() -> R) -> Result<Natural, Error> {
        let ring = make();
        let poll = self.poll.for_runs();
        let count = self.algorithm.registers(self.exponent.bits());
        stack_or_heap!(registers = [[0; N]; count], FEW_REGISTERS, STACK_REGISTERS);
        let mut residues = FixedResidues::<N, R> { ring: &ring, poll: &poll, registers, digits: PhantomData };
        residues.registers[BASE.0] = ring.enter(self.base.limbs());
        let result = run(self.algorithm, self.exponent, &mut residues);
        if poll.halted() {
            return Err(Error::Interrupted);
        }
        Ok(Natural::from_limbs(&ring.leave(residues.get(result))))
    }
}

/// Up to eight powers with one schedule modulo numbers of one limb, canonical, in the lanes of their places; idle lanes
/// repeat a job. Errors as [`Workspace::powers`](crate::engine::execute::lanes::Workspace::powers).
pub(crate) fn powers_of_limbs(
    jobs: &[LaneJob<'_>],
    algorithm: &Algorithm,
    poll: &Poll<'_>,
) -> Result<[u64; LANES], Error> {
    let lanes: [&LaneJob<'_>; LANES] = from_fn(|lane| &jobs[if lane < jobs.len() { lane } else { 0 }]);
    let ring = LimbLanes::new(lanes.map(|job| job.modulus.limbs()[0]));
    let exponents = LaneExponents(lanes.map(|job| job.exponent));
    let shared = exponents.shared();
    let exponents = shared.as_ref().ok_or(&exponents);
    powers_in_limb_lanes(&ring, lanes.map(|job| job.base.limbs()), exponents, algorithm, poll)
}

/// The powers of eight bases of any length with an exponent that all have, or else with these, which are not all the same.
#[inline]
pub(crate) fn powers_in_limb_lanes(
    ring: &LimbLanes,
    bases: [&[u64]; LANES],
    exponents: Result<&Exponent, &LaneExponents<'_>>,
    algorithm: &Algorithm,
    poll: &Poll<'_>,
) -> Result<[u64; LANES], Error> {
    let bits = exponents.map_or_else(|each| each.bits(), |shared| shared.bits());
    let poll = &poll.for_runs();
    let count = algorithm.registers(bits);
    stack_or_heap!(registers = [[0; LANES]; count], FEW_REGISTERS, STACK_REGISTERS);
    registers[BASE.0] = ring.enter_each(bases);
    let power = match exponents {
        Ok(exponent) => {
            let mut residues = FixedResidues::<_, _, usize> { ring, poll, registers, digits: PhantomData };
            let result = run(algorithm, exponent, &mut residues);
            residues.get(result)
        }
        Err(exponents) => {
            let mut residues = FixedResidues::<_, _, [usize; LANES]> { ring, poll, registers, digits: PhantomData };
            let result = algorithm.run_uniform(exponents, &mut residues);
            residues.get(result.ok_or_else(|| exponents.unfit(algorithm))?)
        }
    };
    if poll.halted() { Err(Error::Interrupted) } else { Ok(ring.leave(power)) }
}

#[cfg(test)]
#[path = "../../../tests/inside/engine/execute/fixed.rs"]
mod tests;
