//! The constants of one modulus in the forms that its plans asked for, built once and kept with the modulus.

use crate::error::Error;
use crate::execute::guarded::{Given, Guarded};
use crate::kernel::hensel::{FEW, inverse_mod_power_of_two};
use crate::kernel::registry::Form;
use crate::kernel::{Ground, SharedRing};
use crate::modulus::{Factor, Facts};
use crate::natural::Natural;
use smallvec::SmallVec;
use std::sync::{Mutex, OnceLock, PoisonError};
use zeroize::Zeroizing;

/// Most bytes of constants that one modulus keeps; a form beyond that is built anew for each call.
const KEPT_BYTES: usize = 1 << 20;

/// The rings of one modulus, as many as fit. Nobody else has them: constants of a secret factor go with it.
#[derive(Debug, Default)]
pub(crate) struct Rings(Mutex<Vec<(Form, SharedRing)>>);

impl Rings {
    /// The ring as the form's kernel has it.
    pub(crate) fn ring(&self, form: &Form, ground: &Ground<'_>) -> Result<SharedRing, Error> {
        // A thread that panicked left the list whole: it is only ever pushed to.
        let mut rings = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, ring)) = rings.iter().find(|(kept, _)| kept == form) {
            return Ok(ring.clone());
        }
        let ring = prepare(form, ground)?;
        let bytes: usize = rings.iter().map(|(_, ring)| ring.bytes()).sum();
        if bytes + ring.bytes() <= KEPT_BYTES {
            rings.push((*form, ring.clone()));
        }
        Ok(ring)
    }
}

/// A ring that nobody keeps.
pub(crate) fn prepare(form: &Form, ground: &Ground<'_>) -> Result<SharedRing, Error> {
    let prepare = form.kernel.entry().ring;
    let prepare = prepare.ok_or_else(|| Error::BadPlan(format!("{form} keeps its residues in registers")))?;
    prepare(form, ground)
}

/// A modulus with what was prepared for it.
#[derive(Debug)]
pub(crate) struct Prepared {
    facts: Facts,
    parts: Vec<Prepared>,
    /// Whether there will be another call.
    keeps: bool,
    rings: Rings,
    /// odd^-1 mod 2^trailing_zeros, for the recombination of an even modulus.
    odd_inverse: OnceLock<SmallVec<[u64; FEW]>>,
    /// For secret exponents by the factors; in a box, as most moduli never have it and every one is moved.
    guarded: OnceLock<Box<Guarded>>,
}

impl Prepared {
    /// For any number of calls.
    pub(crate) fn new(facts: Facts) -> Self {
        let parts = facts.factors().iter().map(|factor| Prepared::new(factor.power().clone())).collect();
        Self { parts, keeps: true, ..Self::for_one_call(facts) }
    }

    /// For one call, without factors: what is prepared goes with it.
    pub(crate) fn for_one_call(facts: Facts) -> Self {
        Self {
            facts,
            parts: Vec::new(),
            keeps: false,
            rings: Rings::default(),
            odd_inverse: OnceLock::new(),
            guarded: OnceLock::new(),
        }
    }

    pub(crate) fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The coprime factors, where they are known.
    pub(crate) fn parts(&self) -> &[Prepared] {
        &self.parts
    }

    /// The ring of the odd part, or of the power of two, as the form's kernel has it.
    pub(crate) fn ring(&self, form: &Form) -> Result<SharedRing, Error> {
        let ground = Ground::of(&self.facts);
        if self.keeps { self.rings.ring(form, &ground) } else { prepare(form, &ground) }
    }

    /// The same for a power of a base of `base_words` limbs, if no other one comes.
    pub(crate) fn ring_for(&self, form: &Form, base_words: usize) -> Result<SharedRing, Error> {
        if self.keeps {
            return self.ring(form);
        }
        prepare(form, &Ground { once: Some(base_words), ..Ground::of(&self.facts) })
    }

    /// A modulus whose factors are secret: all that knows them goes with it.
    pub(crate) fn with_guarded(facts: Facts, guarded: Guarded) -> Self {
        Self { guarded: OnceLock::from(Box::new(guarded)), ..Self::new(facts) }
    }

    /// What secret exponents need modulo the factors, where that is there already.
    pub(crate) fn has_guarded(&self) -> bool {
        self.guarded.get().is_some()
    }

    /// What secret exponents need modulo the factors, of which there are two or more, all odd. Errors: `fault` where the
    /// system has no random numbers; those of the prime test.
    pub(crate) fn guarded(&self, is_prime: impl FnMut(&Natural) -> Result<bool, Error>) -> Result<&Guarded, Error> {
        if let Some(guarded) = self.guarded.get() {
            return Ok(guarded);
        }
        let part = |factor: &Factor| Given {
            power: Zeroizing::new(factor.power().value().limbs().to_vec()),
            bits: factor.power().bits() as usize,
            group_order: None,
        };
        let new = Guarded::new(&self.facts, self.facts.factors().iter().map(part).collect(), is_prime)?;
        // Another thread may have been quicker.
        Ok(self.guarded.get_or_init(|| Box::new(new)))
    }

    /// odd^-1 mod 2^trailing_zeros, least significant limb first, where it is kept for further calls.
    pub(crate) fn kept_odd_inverse(&self) -> Option<&[u64]> {
        let k = self.facts.trailing_zeros() as usize;
        let inverse = || inverse_mod_power_of_two(self.facts.odd().limbs(), k);
        self.keeps.then(|| &self.odd_inverse.get_or_init(inverse)[..])
    }
}
