//! Long runs of squarings on one residue, which stays in its kernel's form between polls.

use crate::algorithm::{Algorithm, Monoid, Register};
use crate::engine::execute::{Poll, Prepared, Public, RingResidues, with_registers};
use crate::error::Error;
use crate::kernel::fixed::{self, FixedRing, RingsByValue};
use crate::kernel::registry::{Form, Residence};
use crate::natural::Natural;

/// Word products of work between two looks: some milliseconds.
const WORK_BETWEEN: u64 = 8_000_000;

/// A residue on some kernel.
pub(crate) trait Squarer {
    /// Squares the residue `count` times.
    fn square(&mut self, count: usize);
    /// It, canonical.
    fn value(&mut self) -> Result<Natural, Error>;
}

/// The poll: receives the number of squarings done and returns whether to continue.
pub(crate) type Look<'a> = &'a mut dyn FnMut(u64, &mut dyn Squarer) -> bool;

/// Squares `start` modulo the odd part of the modulus, `done` squarings having been done, until there are `total`. Gives
/// the residue, and how many there are: fewer where `look` said so.
///
/// Error: `bad_plan` for a kernel that does not square one number in an arena or in registers.
pub(crate) fn run(
    modulus: &Prepared,
    (algorithm, form): (&Algorithm, &Form),
    start: &Natural,
    (done, total): (u64, u64),
    poll: &Poll<'_>,
    look: Look<'_>,
) -> Result<(Natural, u64), Error> {
    poll.walked(1, &format_args!("{algorithm} on {form}"));
    let work = Work { start, done, total, words: form.n as u64, look };
    match form.kernel.residence() {
        Residence::Registers(RingsByValue::Odd) => fixed::with_odd_ring(modulus.facts().odd().limbs(), form.n, work),
        _ => with_registers(&*modulus.ring(form)?, 1, &Poll::none(), |mut residues: RingResidues<'_, u64, Public>| {
            residues.set(STREAM, start.limbs());
            work.on(&mut residues)
        }),
    }
}

const STREAM: Register = Register(0);

impl Squarer for RingResidues<'_, u64, Public> {
    fn square(&mut self, count: usize) {
        self.sqr_n(STREAM, STREAM, count);
    }

    fn value(&mut self) -> Result<Natural, Error> {
        self.number(STREAM, 0)
    }
}

/// The residues of 1 to 4 limbs.
struct Short<const N: usize, R> {
    ring: R,
    residue: [u64; N],
}

impl<const N: usize, R: FixedRing<N>> Squarer for Short<N, R> {
    fn square(&mut self, count: usize) {
        self.residue = (0..count).fold(self.residue, |residue, _| self.ring.sqr(residue));
    }

    fn value(&mut self) -> Result<Natural, Error> {
        Ok(Natural::from_limbs(&self.ring.leave(self.residue)))
    }
}

struct Work<'a> {
    start: &'a Natural,
    done: u64,
    total: u64,
    words: u64,
    look: Look<'a>,
}

impl Work<'_> {
    fn on(mut self, stream: &mut dyn Squarer) -> Result<(Natural, u64), Error> {
        let at_once = (WORK_BETWEEN / (self.words * self.words)).max(1);
        while self.done < self.total && (self.look)(self.done, stream) {
            let count = at_once.min(self.total - self.done);
            stream.square(count as usize);
            self.done += count;
        }
        Ok((stream.value()?, self.done))
    }
}

impl fixed::Visitor<Result<(Natural, u64), Error>> for Work<'_> {
    fn visit<const N: usize, R: FixedRing<N>>(self, make: impl Fn() -> R) -> Result<(Natural, u64), Error> {
        let ring = make();
        let residue = ring.enter(self.start.limbs());
        self.on(&mut Short { ring, residue })
    }
}
