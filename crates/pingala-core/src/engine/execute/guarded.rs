//! Powers with a secret exponent modulo each known factor, checked before they are recombined and released.
//!
//! One fault in one half of such a power reveals the factors [boneh2001importance]. Shamir's trick [shamir1999method] detects it:
//! with a random prime r of 64 bits, each half is computed modulo p^k r, and all must agree modulo r. A fault in one half stays
//! undetected with probability 2^-63 if its effect is random. The recombined result is then compared with the halves.
//!
//! If the caller checks the result by the public exponent, which finds every fault if that exponent has an inverse, the halves are
//! computed only modulo p^k.
//!
//! If p is known to be prime, the exponent is blinded [kocher1996timing]: a random multiple of the order of the group is added, so
//! that no two powers process the same digits. This module also finds out whether the base may be blinded ([`Halves::inverse`]).
//!
//! Branch-free in base, exponent, residues, result and factors, set-up included, except for what [`released`] reveals: whether
//! factors fit the modulus, how often r was drawn, whether a check failed, whether the exponent is the inverse of a public one, and
//! lengths.
//!
//! Lemmas: Blinding.check_by_public_exponent, Blinding.identity_modulo_two_primes, Blinding.power_by_halves,
//! Fermat.rsa_identity (proofs/README.md).

use crate::engine::execute::guarded_factors::{Guarded, GuardedFactor, SecretModulus, differing, enter, times};
use crate::engine::execute::{SecretPower, secret};
use crate::engine::plan::Plan;
use crate::error::{Error, pairs};
use crate::exponent::{Digits, SecretExponent};
use crate::kernel::product::schoolbook;
use crate::kernel::short::ShortFactor;
use crate::kernel::{ModulusParts, Ring};
use crate::modulus::Facts;
use crate::natural::{Natural, Wiped, linear, random};
use crate::secrecy::{hidden, released};
use core::hint::black_box;
use zeroize::Zeroizing;

/// What a power does modulo each factor.
pub(crate) struct Halves {
    /// A plan for each factor, and the exponent if it is not the given one.
    plans: Vec<(Plan, Option<SecretExponent>)>,
    /// Whether the caller checks the result by a public exponent before it is released.
    checked: bool,
    /// Whether the exponent is known to be the inverse of the public one modulo the order of every factor's group. Then, and
    /// only then, the blinding of a base by the public exponent can be removed from the result.
    pub(crate) inverse: bool,
}

impl Guarded {
    /// Plans the halves of a power: `plan(modulus_bits, exponent_bits)` plans one. For a prime p a longer exponent is reduced to one of
    /// the group, and blinded if `blinded`. With a public exponent the caller checks the result by it. Errors: `fault` if the system
    /// has no random numbers; those of `plan`.
    pub(crate) fn halves(
        &self,
        facts: &Facts,
        exponent: &SecretExponent,
        public_exponent: Option<&Natural>,
        blinded: bool,
        plan: impl Fn(u64, usize) -> Result<Plan, Error>,
    ) -> Result<Halves, Error> {
        let checked = public_exponent.is_some();
        let mut no_inverse = u64::from(public_exponent.is_none());
        let mut own_exponent = |index: usize, part: &GuardedFactor| {
            let public = || facts.factors().get(index)?.group_order().map(Natural::limbs);
            let Some(order) = part.group_order.as_deref().map(Vec::as_slice).or_else(public) else {
                no_inverse |= 1;
                return Ok(None);
            };
            // (p - 1) p^(k-1), or that times r - 1.
            let last = if checked { 1 } else { self.r[0] - 1 };
            let (order, order_bits) = times(order, 64 * order.len(), &[last], 64);
            // Every order is at least k, as the reduction wants it: [`Factor::reduce_exponent`](crate::modulus::Factor).
            let reduced = exponent.reduced(&order, order_bits, |e, rest| rest_of_division(rest, e, &order, order_bits));
            if let Some(e) = public_exponent {
                let d = reduced.as_ref().unwrap_or(exponent);
                no_inverse |= is_no_inverse(d.limbs(), e.limbs(), &order, order_bits);
            }
            if !blinded {
                return Ok(reduced);
            }
            let mut multiple = Zeroizing::new([0]);
            random::fill(&mut *multiple)?;
            hidden(&mut *multiple, exponent.digit(0, 8).for_vectors());
            let exponent = reduced.as_ref().unwrap_or(exponent);
            Ok::<_, Error>(Some(exponent.blinded(&order, order_bits, multiple[0], part.multiplicity)))
        };
        let mut plans = Vec::with_capacity(self.parts.len());
        for (index, part) in self.parts.iter().enumerate() {
            let bits = part.modulus(checked).bits as u64;
            let own = own_exponent(index, part)?;
            plans.push((plan(bits, own.as_ref().unwrap_or(exponent).bits())?, own));
        }
        Ok(Halves { plans, checked, inverse: released(no_inverse) == 0 })
    }

    /// Computes a power modulo m, in `words` limbs as the modulus. If the caller checks the result, no half goes modulo r.
    ///
    /// Errors: `fault` if a check failed; those of [`SecretPower::modulo`].
    pub(crate) fn power(&self, planned: &Halves, power: SecretPower<'_>, words: usize) -> Result<Wiped, Error> {
        let &Halves { ref plans, checked, .. } = planned;
        let mut halves = Vec::new();
        for (part, (plan, own)) in pairs(&self.parts, plans)? {
            let half = part.power(plan, SecretPower { exponent: own.as_ref().or(power.exponent), ..power }, checked)?;
            #[cfg(test)]
            let half = tests::struck(halves.len(), half);
            halves.push(half);
        }
        let mut difference = 0;
        if !checked {
            let check = |half: &Wiped| enter(&self.modulo_r, half);
            let first = check(&halves[0]);
            difference = halves[1..].iter().fold(0, |all, half| all | differing(&first, &check(half)));
        }
        let joined = self.join(&halves, words)?;
        for (part, half) in pairs(&self.parts, &halves)? {
            difference |= differing(&enter(&part.ring, &joined), &enter(&part.ring, half));
        }
        if released(difference) != 0 {
            return Err(Error::Fault("the parts of a power do not agree; nothing is released"));
        }
        Ok(joined)
    }

    /// Garner's recombination [menezes1996handbook, 14.71] by products and masks.
    fn join(&self, halves: &[Wiped], words: usize) -> Result<Wiped, Error> {
        let mut result = Wiped::new(vec![0; words]);
        for (part, half) in pairs(&self.parts, halves)? {
            #[cfg(pingala_planted_leak = "factor")]
            crate::secrecy::planted::branch(part.ring.modulus()[0]);
            let n = part.ring.words();
            // Form(half), form(result), their difference, and the product with the inverse, in one arena.
            let mut arena = Wiped::new(vec![0; 3 * n]);
            arena[..n].copy_from_slice(&enter(&part.ring, half));
            arena[n..2 * n].copy_from_slice(&enter(&part.ring, &result));
            let (difference, known) = arena.split_at_mut(n);
            let borrow = linear::sub_assign(difference, &known[..n], false);
            let mask = black_box(u64::from(borrow)).wrapping_neg();
            linear::add_masked(difference, part.ring.modulus(), mask);
            let mut scratch = Wiped::new(vec![0; part.ring.scratch_words()]);
            if !part.inverse.is_empty() {
                arena[n..2 * n].copy_from_slice(&part.inverse);
                part.ring.mul(&mut arena, 0, 0, n, &mut scratch);
            }
            let mut t = Wiped::new(vec![0; n]);
            part.ring.leave(&mut t, &arena, 0, &mut scratch);
            // result + previous * t < previous * p^k, which divides m.
            let previous = &part.previous;
            let mut step = Wiped::new(vec![0; previous.len() + n]);
            schoolbook::mul_rows(&mut step, previous, &t);
            let length = step.len().min(words);
            debug_assert!(step[length..].iter().all(|&word| word == 0));
            let carry = linear::add_shorter(&mut result, &step[..length]);
            debug_assert!(!carry);
        }
        #[cfg(test)]
        tests::strike(halves.len(), &mut result);
        Ok(result)
    }
}

impl GuardedFactor {
    /// The modulus of a half: p^k r, or p^k if the result is checked later.
    fn modulus(&self, checked: bool) -> &SecretModulus {
        if checked { &self.plain } else { &self.with_r }
    }

    /// Computes one half.
    fn power(&self, plan: &Plan, power: SecretPower<'_>, checked: bool) -> Result<Wiped, Error> {
        let (algorithm, form) = secret::constant_time(plan)?;
        let SecretModulus { limbs, bits, rings } = self.modulus(checked);
        power.on(&*rings.ring(form, &ModulusParts::secret(limbs, *bits))?, algorithm, limbs)
    }
}

/// Computes e mod L, as long as L, for any L of exactly `order_bits` bits: a word of the quotient at a time.
fn rest_of_division(rest: &mut [u64], e: &[u64], order: &[u64], order_bits: usize) {
    let mut divider = ShortFactor::of_bits(order, order_bits);
    let mut scratch = Wiped::new(vec![0; order.len() + 1]);
    divider.enter_shifted(rest, e, 0, order, &mut scratch);
    divider.wipe();
}

/// Returns 0 exactly if d e = 1 modulo L, which is above 1 and has exactly `order_bits` bits.
fn is_no_inverse(d: &[u64], e: &[u64], order: &[u64], order_bits: usize) -> u64 {
    let mut product = Wiped::new(vec![0; d.len() + e.len()]);
    schoolbook::mul_rows(&mut product, d, e);
    let mut rest = Wiped::new(vec![0; order.len()]);
    rest_of_division(&mut rest, &product, order, order_bits);
    rest[0] ^= 1;
    rest.iter().fold(0, |all, limb| all | limb)
}

#[cfg(test)]
#[path = "../../../tests/inside/engine/execute/guarded.rs"]
pub(crate) mod tests;
