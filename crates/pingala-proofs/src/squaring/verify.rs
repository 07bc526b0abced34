//! Whether a proof holds.

use crate::number::{self, big, is_below};
use crate::squaring::SquaringProof;
use crate::squaring::challenge::challenge;
use crate::squaring::digits::Challenge;
use crate::weak::weakness;
use core::fmt;
use dashu_int::UBig;
use dashu_int::ops::Gcd;
use pingala_core::{Error, Integer, Modulus, Natural, Options};

/// The shortest modulus that [`verify_squaring`] accepts, in bits: no shorter one of random primes is beyond reach of public factorisations by a
/// wide margin. Whoever knows the factors can prove any result.
pub const SMALLEST_MODULUS_BITS: u64 = 1024;

/// Why a proof is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// The modulus is even, or 1.
    Modulus,
    /// The modulus has fewer bits than the verifier asks for.
    ShortModulus,
    /// The modulus has a factor below 2^12.
    SmallFactor,
    /// The modulus is the power of a smaller number.
    Power,
    /// A small number, or the quotient of two, has a small order modulo the modulus.
    SmallOrder,
    /// The base has a divisor in common with the modulus.
    Base,
    /// The result is not below the modulus.
    ResultNotReduced,
    /// The result has a divisor in common with the modulus.
    ResultNotInvertible,
    /// The number of the proof is 0, or above (m - 1) / 2.
    ProofNotReduced,
    /// The numbers do not belong together.
    Mismatch,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Modulus => "the modulus is not an odd number above 1",
            Self::ShortModulus => "the modulus is too short: its factors can be found",
            Self::SmallFactor => "the modulus has a factor below 4096",
            Self::Power => "the modulus is the power of a smaller number",
            Self::SmallOrder => {
                "a small number has a small order modulo the modulus, which divides a^n - b^n or a^n + b^n: use a product of two random primes"
            }
            Self::Base => "the base has a divisor in common with the modulus",
            Self::ResultNotReduced => "the result is not below the modulus",
            Self::ResultNotInvertible => "the result has a divisor in common with the modulus",
            Self::ProofNotReduced => "the number of the proof is not between 1 and half of the modulus",
            Self::Mismatch => "the proof does not belong to this base, count, modulus and result",
        })
    }
}

/// Whether the proof shows that `result` is base^(2^squarings) modulo a number of at least [`SMALLEST_MODULUS_BITS`] bits without a known
/// [`weakness`](crate::weakness). Base and modulus are the verifier's own; result and proof are the prover's. [`refusal`] gives the reason.
///
/// With t = `squarings`, l the challenge and p the number of the proof, it asks whether
///
/// ```text
/// (p^l x^(2^(t - 1) mod l))^2 = result (mod m)
/// ```
///
/// So p proves t - 1 squarings in the group modulo 1 and -1 \[wesolowski2019efficient\], and the last squaring is the verifier's: it removes a sign and
/// every element of order 2. A prover who does not know the factors of m is left with elements of other small orders: whoever has a u of small odd
/// order d, or of an order 2d, can prove result · u^2. For d > 1 such a u gives a factor of m where its order differs modulo two factors. Nobody
/// knows how to find one for a product of two random primes, and a product of two safe primes has none. A square root of -1 would prove
/// -result: it does not exist if a prime factor of m is 3 modulo 4, and a modulus a^2 + b^2 that is published with a and b has one.
///
/// Errors: `interrupted`, `bad_plan`; everything else is `false`.
pub fn verify_squaring(
    base: &Integer,
    squarings: u64,
    modulus: &Modulus,
    result: &Natural,
    proof: &SquaringProof,
    options: &Options<'_>,
) -> Result<bool, Error> {
    Ok(refusal(base, squarings, modulus, result, proof, SMALLEST_MODULUS_BITS, options)?.is_none())
}

/// Why [`verify_squaring`] refuses a proof, or `None`, for a modulus of at least `smallest_modulus_bits` bits. With 0 the verifier trusts the
/// modulus as it is, and no [`weakness`](crate::weakness) is looked for. Errors: as there.
pub fn refusal(
    base: &Integer,
    squarings: u64,
    modulus: &Modulus,
    result: &Natural,
    proof: &SquaringProof,
    smallest_modulus_bits: u64,
    options: &Options<'_>,
) -> Result<Option<Refusal>, Error> {
    let m = modulus.value();
    if m.is_even() || m.is_one() {
        return Ok(Some(Refusal::Modulus));
    }
    if m.bits() < smallest_modulus_bits {
        return Ok(Some(Refusal::ShortModulus));
    }
    if smallest_modulus_bits > 0
        && let Some(weakness) = weakness(modulus, options)?
    {
        return Ok(Some(weakness));
    }
    if !is_below(result, m) {
        return Ok(Some(Refusal::ResultNotReduced));
    }
    let (root, of_modulus) = (&proof.root, big(m));
    if root.is_zero() || (big(root) << 1) > of_modulus {
        return Ok(Some(Refusal::ProofNotReduced));
    }
    let base = reduced(base, modulus)?;
    if (&big(&base)).gcd(&of_modulus) != UBig::ONE {
        return Ok(Some(Refusal::Base));
    }
    if (&big(result)).gcd(&of_modulus) != UBig::ONE {
        return Ok(Some(Refusal::ResultNotInvertible));
    }
    let holds = match squarings.checked_sub(1) {
        None => *result == base && root.is_one(),
        Some(n) => {
            let challenge = Challenge::new(challenge(m, &base, squarings, result)?);
            let exponents = [challenge.prime().clone(), challenge.power_of_two(n)];
            let exponents = exponents.map(|exponent| Integer::from(number::natural(&exponent)));
            let before = modulus.pow_product(&[root.clone().into(), base.into()], &exponents, options)?;
            modulus.sqr(&before.into()) == *result
        }
    };
    Ok((!holds).then_some(Refusal::Mismatch))
}

/// The base, at least 0 and below m.
pub(crate) fn reduced(base: &Integer, modulus: &Modulus) -> Result<Natural, Error> {
    modulus.pow(base, &Integer::from(1u64))
}
