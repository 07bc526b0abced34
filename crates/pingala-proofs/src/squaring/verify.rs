//! Whether a proof holds.

use crate::squaring::SquaringProof;
use crate::squaring::challenge::challenge;
use crate::squaring::digits::Challenge;
use crate::weak::weakness;
use core::fmt;
use pingala_core::threads::each;
use pingala_core::{Error, Integer, Modulus, Natural, Options, from_ubig, pairs, pow_product_list};

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
    /// The result is negative, or not below the modulus.
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

/// [`verify_squaring`] of each row: whether `proofs[i]` shows that `results[i]` is `bases[i]`^(2^squarings), all of one count, such as the delay of a
/// beacon. The products of powers run side by side in vector lanes, and all rows on the threads of the options.
///
/// Errors: `bad_argument` for lists of different lengths; `interrupted`, `bad_plan`.
pub fn verify_squaring_list(
    bases: &[Integer],
    squarings: u64,
    modulus: &Modulus,
    results: &[Integer],
    proofs: &[SquaringProof],
    options: &Options<'_>,
) -> Result<Vec<bool>, Error> {
    let refused = refusals(bases, squarings, modulus, (results, proofs), SMALLEST_MODULUS_BITS, options)?;
    Ok(refused.iter().map(Option::is_none).collect())
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
    if let Some(refused) = refused_modulus(modulus, smallest_modulus_bits, options)? {
        return Ok(Some(refused));
    }
    match Claim::of(base, squarings, modulus, result, proof)? {
        Claim::Refused(refused) => Ok(Some(refused)),
        Claim::Holds => Ok(None),
        Claim::Product { bases, exponents } => {
            let before = modulus.pow_product(&bases, &exponents, options)?;
            Ok(mismatch(before, modulus, result))
        }
    }
}

/// [`refusal`] for each row of [`verify_squaring_list`]: `results` and `proofs` are as many as `bases`. Errors: as there.
pub fn refusals(
    bases: &[Integer],
    squarings: u64,
    modulus: &Modulus,
    (results, proofs): (&[Integer], &[SquaringProof]),
    smallest_modulus_bits: u64,
    options: &Options<'_>,
) -> Result<Vec<Option<Refusal>>, Error> {
    let count = bases.len();
    if results.len() != count || proofs.len() != count {
        let (n_results, n_proofs) = (results.len(), proofs.len());
        return Err(Error::BadArgument(format!("{count} bases, {n_results} results and {n_proofs} proofs")));
    }
    if let Some(refused) = refused_modulus(modulus, smallest_modulus_bits, options)? {
        return Ok(vec![Some(refused); count]);
    }
    let mut refused = Vec::with_capacity(count);
    for from in (0..count).step_by(AT_ONCE) {
        let rows = from..count.min(from + AT_ONCE);
        let threads = options.threads_for(rows.len() as f64 * NANOSECONDS_OF_CLAIM);
        let claims = each(rows.len(), threads, options.watch(), 0, |row, _| {
            let at = from + row;
            let result = &results[at];
            if result.is_negative() {
                return Ok(Claim::Refused(Refusal::ResultNotReduced));
            }
            Claim::of(&bases[at], squarings, modulus, result.magnitude(), &proofs[at])
        })?;
        let products = claims.iter().filter_map(|claim| match claim {
            Claim::Product { bases, exponents } => Some((&bases[..], &exponents[..], modulus)),
            Claim::Refused(_) | Claim::Holds => None,
        });
        let mut products = pow_product_list(&products.collect::<Vec<_>>(), options)?.into_iter();
        for (claim, result) in pairs(&claims, &results[rows])? {
            refused.push(match claim {
                Claim::Refused(refused) => Some(*refused),
                Claim::Holds => None,
                Claim::Product { .. } => {
                    let before = products.next().ok_or(Error::Fault("a product of a proof is missing"))??;
                    mismatch(before, modulus, result.magnitude())
                }
            });
        }
    }
    Ok(refused)
}

/// Rows whose exponents are in memory at a time.
const AT_ONCE: usize = 1 << 12;
/// Expected nanoseconds of a row before its product, for the choice of threads: most of it is the search for the challenge.
const NANOSECONDS_OF_CLAIM: f64 = 1e5;

/// Why no proof modulo this number is accepted.
fn refused_modulus(
    modulus: &Modulus,
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
    if smallest_modulus_bits > 0 { weakness(modulus, options) } else { Ok(None) }
}

/// What is known of a proof before its powers are computed.
enum Claim {
    Refused(Refusal),
    /// Without squarings there is nothing to compute.
    Holds,
    /// It holds if the square of this product is the result.
    Product {
        bases: Vec<Integer>,
        exponents: Vec<Integer>,
    },
}

impl Claim {
    fn of(
        base: &Integer,
        squarings: u64,
        modulus: &Modulus,
        result: &Natural,
        proof: &SquaringProof,
    ) -> Result<Self, Error> {
        let m = modulus.value();
        if result >= m {
            return Ok(Self::Refused(Refusal::ResultNotReduced));
        }
        let root = &proof.root;
        if root.is_zero() || root << 1 > *m {
            return Ok(Self::Refused(Refusal::ProofNotReduced));
        }
        let base = reduced(base, modulus)?;
        if !is_invertible(&base, modulus)? {
            return Ok(Self::Refused(Refusal::Base));
        }
        if !is_invertible(result, modulus)? {
            return Ok(Self::Refused(Refusal::ResultNotInvertible));
        }
        let Some(n) = squarings.checked_sub(1) else {
            let holds = *result == base && root.is_one();
            return Ok(if holds { Self::Holds } else { Self::Refused(Refusal::Mismatch) });
        };
        let challenge = Challenge::new(challenge(m, &base, squarings, result)?);
        let exponents = [challenge.prime().clone(), challenge.power_of_two(n)];
        let exponents = exponents.iter().map(|exponent| Integer::from(from_ubig(exponent))).collect();
        Ok(Self::Product { bases: vec![root.clone().into(), base.into()], exponents })
    }
}

/// Whether the square of what stands before the last squaring is not the result.
fn mismatch(before: Natural, modulus: &Modulus, result: &Natural) -> Option<Refusal> {
    (modulus.sqr(&before.into()) != *result).then_some(Refusal::Mismatch)
}

/// Whether a number has no divisor in common with the modulus.
pub(crate) fn is_invertible(number: &Natural, modulus: &Modulus) -> Result<bool, Error> {
    match modulus.invert(&number.clone().into()) {
        Ok(_) => Ok(true),
        Err(Error::NotInvertible) => Ok(false),
        Err(error) => Err(error),
    }
}

/// The base, at least 0 and below m.
pub(crate) fn reduced(base: &Integer, modulus: &Modulus) -> Result<Natural, Error> {
    modulus.pow(base, &Integer::from(1u64))
}
