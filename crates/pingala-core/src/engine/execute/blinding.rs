//! Blinding of the base of a secret power whose public exponent e is known [kocher1996timing]: base s^e in, result s^-1 out, for
//! a random s.
//!
//! (base s^e)^d s^-1 = base^d if d is the inverse of e modulo the order of s, as in RSA. The caller knows that it is: otherwise a root
//! of 1 is left in the result, which may still pass a check by e. An attacker who chooses bases does not know which numbers are
//! multiplied, so other side channels than branches and addresses (power, operand-dependent instructions) tell less.
//!
//! A pair (s^e, s^-1) costs a power and an inversion. After each use both are squared, which is the pair of s^2; after [`USES`]
//! uses a new s is drawn.
//!
//! Lemmas: Blinding.blinded_base, Blinding.squared_pair, Blinding.inverse_of_product (proofs/README.md).

use crate::engine::execute::blinding_pairs::{BlindingPair, process_id};
use crate::engine::execute::{Poll, Prepared, SecretPower, secret};
use crate::engine::plan::Plan;
use crate::error::Error;
use crate::exponent::SecretExponent;
use crate::kernel::matrix_products::means;
use crate::natural::{Natural, Wiped, euclid, random};
use crate::secrecy::{hidden, released};

/// Uses of one s.
const USES: u32 = 32;

/// The blinding of one power modulo an odd number above 1.
pub(crate) struct Blinding<'a> {
    modulus: &'a Prepared<'a>,
    /// A plan of a secret power by the public exponent: its ring multiplies.
    plan: &'a Plan,
    pair: BlindingPair,
}

impl<'a> Blinding<'a> {
    /// Takes a pair that is kept, or draws a new one, which is as secret as this base. Errors: `fault` if the system has no random
    /// numbers; those of [`SecretPower::modulo`].
    pub(crate) fn new(
        modulus: &'a Prepared<'a>,
        plan: &'a Plan,
        public_exponent: &Natural,
        base: &[u64],
        poll: &Poll<'_>,
    ) -> Result<Self, Error> {
        let pair = match modulus.pairs().take(public_exponent) {
            Some(pair) => pair,
            None => draw(modulus, plan, public_exponent, base, poll)?,
        };
        Ok(Self { modulus, plan, pair })
    }

    /// Computes base s^e. The sign of a base is public, and stays what it is.
    pub(crate) fn blinded(&self, base: &[u64]) -> Result<Wiped, Error> {
        secret::product(self.modulus, self.plan, base, &self.pair.forward)
    }

    /// Computes the result times s^-1; then keeps the pair of s^2 for another power.
    pub(crate) fn unblinded(mut self, result: &[u64]) -> Result<Wiped, Error> {
        let (modulus, plan) = (self.modulus, self.plan);
        #[cfg(pingala_planted_leak = "blinding")]
        crate::secrecy::planted::branch(self.pair.back[0]);
        let result = secret::product(modulus, plan, result, &self.pair.back)?;
        self.pair.uses += 1;
        if self.pair.uses < USES {
            for half in [&mut self.pair.forward, &mut self.pair.back] {
                *half = secret::product(modulus, plan, half, half)?;
            }
            modulus.pairs().keep(self.pair);
        }
        Ok(result)
    }
}

/// Draws a new pair. The inversion is not constant-time, so it inverts s t for a random t: a random number, which tells nothing of
/// s. Its inverse times t is the inverse of s.
fn draw(
    modulus: &Prepared<'_>,
    plan: &Plan,
    public_exponent: &Natural,
    base: &[u64],
    poll: &Poll<'_>,
) -> Result<BlindingPair, Error> {
    let m = modulus.facts().value();
    // 64 bits more than m has make the remainders uniform but for 2^-64.
    let mut drawn = [Wiped::new(vec![0; m.limbs().len() + 1]), Wiped::new(vec![0; m.limbs().len() + 1])];
    loop {
        for number in &mut drawn {
            random::fill(number)?;
            hidden(number, base.first().copied().unwrap_or(0));
        }
        let [s, t] = &drawn;
        let mut product = secret::product(modulus, plan, s, t)?;
        product.iter_mut().for_each(|word| *word = released(*word));
        // Only a number that shares a factor with m has none; modulo a short m that happens.
        let Some(inverse) = euclid::inverse(&Natural::from_limbs(&product), m, means(&|| true))? else { continue };
        let back = secret::product(modulus, plan, inverse.limbs(), t)?;
        let exponent = SecretExponent::new(public_exponent, None)?;
        let power = SecretPower { base: s, negative: false, exponent: Some(&exponent), poll };
        let forward = power.modulo(modulus, plan)?;
        let public_exponent = public_exponent.clone();
        return Ok(BlindingPair { public_exponent, forward, back, uses: 0, process: process_id() });
    }
}

#[cfg(test)]
#[path = "../../../tests/inside/engine/execute/blinding.rs"]
mod tests;
