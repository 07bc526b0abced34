//! Long runs of squarings on one residue, which stays in its kernel's form between polls.

use crate::algorithm::{Algorithm, Monoid, Register};
use crate::engine::execute::even;
use crate::engine::execute::poll::Poll;
use crate::engine::execute::prepared::Prepared;
use crate::engine::execute::run::Residues;
use crate::engine::execute::selection::Public;
use crate::engine::plan::Plan;
use crate::error::Error;
use crate::exponent::Exponent;
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
    fn value(&mut self) -> Natural;
}

/// The poll: receives the number of squarings done and returns whether to continue.
pub(crate) trait Look: FnMut(u64, &mut dyn Squarer) -> Result<bool, Error> {}

impl<F: FnMut(u64, &mut dyn Squarer) -> Result<bool, Error>> Look for F {}

/// Squares `start` modulo the odd part of the modulus, `done` squarings having been done, until there are `total`. Gives
/// the residue, and how many there are: fewer where `look` said so.
///
/// Errors: those of `look`; `bad_plan` for a kernel that does not square one number in an arena or in registers.
pub(crate) fn run(
    modulus: &Prepared,
    algorithm: &Algorithm,
    form: &Form,
    start: &Natural,
    (done, total): (u64, u64),
    poll: &Poll<'_>,
    look: impl Look,
) -> Result<(Natural, u64), Error> {
    poll.walked(1, &format_args!("{algorithm} on {form}"));
    let work = Work { start, done, total, words: form.n as u64, look };
    match form.kernel.residence() {
        Residence::Registers(RingsByValue::Odd) => fixed::with_odd_ring(modulus.facts().odd().limbs(), form.n, work),
        _ => {
            let (ring, poll) = (modulus.ring(form)?, Poll::none());
            let mut room = vec![0; Residues::<u64, Public>::room_words(&*ring, 1)];
            let mut residues = Residues::<u64, Public>::new(&*ring, &mut room, &poll);
            residues.set(STREAM, work.start.limbs());
            work.on(&mut residues)
        }
    }
}

const STREAM: Register = Register(0);

impl Squarer for Residues<'_, u64, Public> {
    fn square(&mut self, count: usize) {
        self.sqr_n(STREAM, STREAM, count);
    }

    fn value(&mut self) -> Natural {
        let mut limbs = vec![0; self.words()];
        self.take(&mut limbs, STREAM);
        Natural::from_limbs(&limbs)
    }
}

/// The residues of 1 to 4 limbs.
struct Short<const N: usize, R> {
    ring: R,
    residue: [u64; N],
}

impl<const N: usize, R: FixedRing<N>> Squarer for Short<N, R> {
    fn square(&mut self, count: usize) {
        let mut residue = self.residue;
        for _ in 0..count {
            residue = self.ring.sqr(residue);
        }
        self.residue = residue;
    }

    fn value(&mut self) -> Natural {
        Natural::from_limbs(&self.ring.leave(self.residue))
    }
}

struct Work<'a, L> {
    start: &'a Natural,
    done: u64,
    total: u64,
    words: u64,
    look: L,
}

impl<L: Look> Work<'_, L> {
    fn on(mut self, stream: &mut dyn Squarer) -> Result<(Natural, u64), Error> {
        let at_once = (WORK_BETWEEN / (self.words * self.words)).max(1);
        while self.done < self.total && (self.look)(self.done, stream)? {
            let count = at_once.min(self.total - self.done);
            stream.square(count as usize);
            self.done += count;
        }
        Ok((stream.value(), self.done))
    }
}

impl<L: Look> fixed::Visitor<Result<(Natural, u64), Error>> for Work<'_, L> {
    fn visit<const N: usize, R: FixedRing<N>>(self, make: impl Fn() -> R) -> Result<(Natural, u64), Error> {
        let ring = make();
        let residue = ring.enter(self.start.limbs());
        self.on(&mut Short { ring, residue })
    }
}

/// base^(2^squarings) modulo the power of two in the modulus, joined with the residue modulo the odd part.
///
/// Modulo 2^k nothing changes after k squarings: an odd base is 1 then, an even one 0.
pub(crate) fn join(
    modulus: &Prepared,
    mut modulo_odd: Natural,
    two: &Plan,
    base: &Natural,
    squarings: u64,
    poll: &Poll<'_>,
) -> Result<Natural, Error> {
    let k = modulus.facts().trailing_zeros();
    let exponent = Exponent::power_of_two(squarings.min(k));
    let modulo_two = crate::engine::execute::power(modulus, two, base, &exponent, poll)?;
    even::recombine(modulus, &mut modulo_odd, &modulo_two);
    Ok(modulo_odd)
}
