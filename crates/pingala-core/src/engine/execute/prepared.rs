//! The constants of one modulus in the forms that its plans need, built once and kept with the modulus.

use crate::engine::execute::blinding_pairs::BlindingPairs;
use crate::engine::execute::guarded_factors::{FactorInput, Guarded};
use crate::engine::execute::rings::{Rings, prepare};
use crate::engine::execute::two_adic::inverse_mod_power_of_two;
use crate::engine::plan::{FactorShape, Problem};
use crate::error::Error;
use crate::kernel::hensel::FEW;
use crate::kernel::registry::Form;
use crate::kernel::{ModulusParts, SharedRing};
use crate::modulus::{Factor, Facts};
use crate::natural::{Natural, Wiped};
use crate::once::once;
use core::sync::atomic::{AtomicBool, Ordering};
use smallvec::SmallVec;
use std::sync::OnceLock;

impl<'a> ModulusParts<'a> {
    /// The parts of a public modulus, for any number of powers.
    pub(crate) fn of(facts: &'a Facts) -> Self {
        let odd = facts.odd();
        let trailing_zeros = facts.trailing_zeros() as usize;
        Self { odd: odd.limbs(), odd_bits: odd.bits() as usize, trailing_zeros, public: true, once: None }
    }

    /// A public modulus as a whole, in the place of the odd part: see `Entry::plain`.
    pub(crate) fn whole(facts: &'a Facts) -> Self {
        let whole = facts.value();
        Self { odd: whole.limbs(), odd_bits: whole.bits() as usize, ..Self::of(facts) }
    }
}

/// A modulus with its prepared constants.
#[derive(Debug)]
pub(crate) struct Prepared<'m> {
    facts: Facts<'m>,
    parts: Vec<Prepared<'static>>,
    /// Whether there may be another call.
    keeps: bool,
    /// Whether there was one: the first keeps nothing, because moduli of a list may have a single power each.
    used: AtomicBool,
    /// In a box, because a short modulus never needs it.
    kept: OnceLock<Box<Kept>>,
}

/// The constants kept for further calls.
#[derive(Default)]
struct Kept {
    rings: Rings,
    /// odd^-1 mod 2^trailing_zeros, for the recombination of an even modulus.
    odd_inverse: OnceLock<SmallVec<[u64; FEW]>>,
    /// For secret exponents by the factors.
    guarded: OnceLock<Guarded>,
    /// For secret exponents whose inverse is public.
    pairs: BlindingPairs,
}

impl core::fmt::Debug for Kept {
    /// Prints no secret. An attacker who knows the random prime of [`Guarded`] can choose a fault that passes its check.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Kept").finish_non_exhaustive()
    }
}

impl<'m> Prepared<'m> {
    /// For any number of calls.
    pub(crate) fn new(facts: Facts<'m>) -> Self {
        let parts = facts.factors().iter().map(|factor| Prepared::new(factor.power().clone())).collect();
        Self { facts, parts, keeps: true, used: AtomicBool::new(false), kept: OnceLock::new() }
    }

    /// For a few calls: it keeps nothing until [`Prepared::keep`] is called.
    pub(crate) fn passing(value: Natural) -> Prepared<'static> {
        Prepared { keeps: false, ..Prepared::new(Facts::new(value)) }
    }

    /// There will be further calls.
    pub(crate) fn keep(&mut self) {
        self.keeps = true;
    }

    /// Calls `call` with `value`, at least 1, without factors, prepared for this one call and never moved.
    #[inline(always)]
    pub(crate) fn for_one_call<T>(value: &'m Natural, call: impl FnOnce(&Prepared<'m>) -> T) -> T {
        let mut prepared = Self {
            facts: Facts::unsplit(value),
            parts: Vec::new(),
            keeps: false,
            used: AtomicBool::new(false),
            kept: OnceLock::new(),
        };
        prepared.facts.split();
        call(&prepared)
    }

    /// Whether constants are to be kept: from the second power on.
    fn keeps_now(&self) -> bool {
        self.keeps && (self.used.load(Ordering::Relaxed) || self.used.swap(true, Ordering::Relaxed))
    }

    /// Whether the next power finds its constants kept, or keeps them.
    pub(crate) fn has_kept(&self) -> bool {
        self.keeps && self.used.load(Ordering::Relaxed)
    }

    /// Notes a power that keeps nothing itself.
    pub(crate) fn note_use(&self) {
        if self.keeps && !self.used.load(Ordering::Relaxed) {
            self.used.store(true, Ordering::Relaxed);
        }
    }

    fn kept(&self) -> &Kept {
        once::<Box<Kept>>(&self.kept, Box::default)
    }

    pub(crate) fn facts(&self) -> &Facts<'m> {
        &self.facts
    }

    /// The known coprime factors.
    pub(crate) fn parts(&self) -> &[Prepared<'static>] {
        &self.parts
    }

    /// One power modulo this number with a base and an exponent of these lengths, as a planner sees it.
    #[inline(always)]
    pub(crate) fn problem(&self, base: &Natural, exponent: &Natural) -> Problem {
        let facts = &self.facts;
        let mut problem = Problem {
            trailing_zeros: facts.trailing_zeros(),
            exponent_weight: Some(exponent.weight()),
            short_base_bits: (base.bits() <= Problem::SHORT_BASE_BITS).then(|| base.bits() as u32),
            same_exponent: true,
            prepared: self.has_kept(),
            ..Problem::new(facts.bits(), exponent.bits().max(1))
        };
        // Most moduli have none, and collecting takes a measurable part of a short call.
        if !facts.factors().is_empty() {
            problem.factors = self.factor_shapes();
        }
        problem
    }

    /// The known factors, as a planner sees them.
    pub(crate) fn factor_shapes(&self) -> Vec<FactorShape> {
        let shape = |factor: &Factor| FactorShape {
            bits: factor.power().bits(),
            trailing_zeros: factor.power().trailing_zeros(),
            reduced_exponent_bits: factor.group_order().map(Natural::bits),
        };
        self.facts.factors().iter().map(shape).collect()
    }

    /// Returns the ring of the form's kernel, of the odd part, of the power of two, or of the modulus as a whole.
    pub(crate) fn ring(&self, form: &Form) -> Result<SharedRing, Error> {
        let plain = form.kernel.entry().plain;
        let parts = if plain { ModulusParts::whole(&self.facts) } else { ModulusParts::of(&self.facts) };
        if self.keeps { self.kept().rings.ring(form, &parts) } else { prepare(form, &parts) }
    }

    /// The ring of the form's kernel if it is kept: rings are, from the second power on.
    pub(crate) fn kept_ring(&self, form: &Form) -> Result<Option<SharedRing>, Error> {
        if self.keeps_now() { self.ring(form).map(Some) } else { Ok(None) }
    }

    /// A modulus with secret factors: everything computed from them is dropped with it.
    pub(crate) fn with_guarded(facts: Facts<'m>, guarded: Guarded) -> Self {
        let kept = Kept { guarded: OnceLock::from(guarded), ..Kept::default() };
        Self { kept: OnceLock::from(Box::new(kept)), ..Self::new(facts) }
    }

    /// Whether the constants of secret exponents modulo the factors are prepared already.
    pub(crate) fn has_guarded(&self) -> bool {
        self.kept.get().is_some_and(|kept| kept.guarded.get().is_some())
    }

    /// What blinds the bases of secret exponents whose inverse is public.
    pub(crate) fn pairs(&self) -> &BlindingPairs {
        &self.kept().pairs
    }

    /// Returns the constants of secret exponents modulo the factors, of which there are two or more, all odd. Errors: `fault` if
    /// the system has no random numbers; those of the prime test.
    pub(crate) fn guarded(&self, is_prime: impl FnMut(&[u64]) -> Result<bool, Error>) -> Result<&Guarded, Error> {
        let kept = &self.kept().guarded;
        if let Some(guarded) = kept.get() {
            return Ok(guarded);
        }
        let part = |factor: &Factor| FactorInput {
            power: Wiped::new(factor.power().value().limbs().to_vec()),
            bits: factor.power().bits() as usize,
            multiplicity: factor.multiplicity(),
            group_order: None,
        };
        let new = Guarded::new(&self.facts, self.facts.factors().iter().map(part).collect(), is_prime)?;
        // Another thread may have prepared them meanwhile.
        Ok(kept.get_or_init(|| new))
    }

    /// odd^-1 mod 2^trailing_zeros, least significant limb first, if it is kept for further calls. One of a single limb is not: making
    /// it takes no longer than finding it.
    pub(crate) fn kept_odd_inverse(&self) -> Option<&[u64]> {
        let k = self.facts.trailing_zeros() as usize;
        let inverse = || inverse_mod_power_of_two(self.facts.odd().limbs(), k);
        let kept = (k > 64 && self.keeps_now()).then(|| &self.kept().odd_inverse)?;
        Some(&**once(kept, inverse))
    }
}

#[cfg(test)]
#[path = "../../../tests/inside/engine/execute/prepared.rs"]
mod tests;
