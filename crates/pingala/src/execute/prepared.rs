//! The constants of one modulus in the forms that its plans asked for, built once and kept with the modulus.

use crate::error::Error;
use crate::kernel::hensel::inverse_mod_power_of_two;
use crate::kernel::odd::OddRing;
use crate::kernel::power_of_two::PowerOfTwoRing;
use crate::kernel::registry::Form;
use crate::modulus::Facts;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Most bytes of constants that one modulus keeps; a form beyond that is built anew for each call.
const KEPT_BYTES: usize = 1 << 20;

/// A modulus with what was prepared for it.
#[derive(Debug)]
pub(crate) struct Prepared {
    facts: Facts,
    parts: Vec<Prepared>,
    odd_rings: Mutex<Vec<(Form, Arc<OddRing<u64>>)>>,
    low_ring: OnceLock<PowerOfTwoRing<u64>>,
    /// odd^-1 mod 2^trailing_zeros, for the recombination of an even modulus.
    odd_inverse: OnceLock<Vec<u64>>,
}

impl Prepared {
    pub(crate) fn new(facts: Facts) -> Self {
        let parts = facts.factors().iter().map(|factor| Prepared::new(factor.power().clone())).collect();
        Self {
            facts,
            parts,
            odd_rings: Mutex::new(Vec::new()),
            low_ring: OnceLock::new(),
            odd_inverse: OnceLock::new(),
        }
    }

    pub(crate) fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The coprime factors, where they are known.
    pub(crate) fn parts(&self) -> &[Prepared] {
        &self.parts
    }

    /// The ring of the odd part in this form.
    pub(crate) fn odd_ring(&self, form: &Form) -> Result<Arc<OddRing<u64>>, Error> {
        // A thread that panicked left the list whole: it is only ever pushed to.
        let mut rings = self.odd_rings.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, ring)) = rings.iter().find(|(kept, _)| kept == form) {
            return Ok(ring.clone());
        }
        let product = form.product.ok_or_else(|| Error::BadPlan(format!("{form} names no product")))?;
        let ring = Arc::new(OddRing::new(self.facts.odd().limbs(), product));
        let bytes: usize = rings.iter().map(|(_, ring)| ring.bytes()).sum();
        if bytes + ring.bytes() <= KEPT_BYTES {
            rings.push((*form, ring.clone()));
        }
        Ok(ring)
    }

    /// The ring modulo 2^trailing_zeros.
    pub(crate) fn low_ring(&self) -> &PowerOfTwoRing<u64> {
        self.low_ring.get_or_init(|| PowerOfTwoRing::new(self.facts.trailing_zeros() as usize))
    }

    /// odd^-1 mod 2^trailing_zeros, in the words of [`Prepared::low_ring`].
    pub(crate) fn odd_inverse(&self) -> &[u64] {
        self.odd_inverse.get_or_init(|| {
            let k = self.facts.trailing_zeros() as usize;
            inverse_mod_power_of_two(self.facts.odd().limbs(), k)
        })
    }
}
