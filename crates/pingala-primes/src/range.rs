//! The numbers among which a prime is drawn: an arithmetic progression.

use crate::arith::to_ubig;
use crate::settings::PrimeOptions;
use dashu_int::UBig;
use dashu_int::ops::{BitTest, Gcd};
use pingala_core::Error;

/// The shortest candidates that are drawn from a progression; the primes of fewer bits are listed.
pub(crate) const SHORTEST: u64 = 17;

/// The numbers first + step t for all t below `count`, which is not 0. All of them fit the conditions of length and residue, are odd,
/// and have no divisor in common with the step; if safe primes are sought, neither has half of them less 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Progression {
    pub(crate) first: UBig,
    pub(crate) step: UBig,
    pub(crate) count: UBig,
}

fn refused<T>(why: &str) -> Result<T, Error> {
    Err(Error::BadArgument(why.into()))
}

/// The least number of a length with as many of the highest bits set. Error: `bad_argument` for other counts than 1 and 2, and for
/// fewer than 2 bits.
pub(crate) fn least(bits: u64, top_bits: u32) -> Result<UBig, Error> {
    if bits < 2 {
        return refused(&format!("a prime has at least 2 bits, not {bits}"));
    }
    match top_bits {
        1 => Ok(UBig::ONE << (bits as usize - 1)),
        2 => Ok(UBig::from(3u8) << (bits as usize - 2)),
        _ => refused("1 or 2 of the highest bits can be set"),
    }
}

/// The one number of `bits` bits from `least` on that may be prime if a residue r and its modulus q have a common divisor: a prime
/// p = r modulo q then divides both, so that it is the least positive number with this residue. Error: `zero_modulus`.
pub(crate) fn lone(bits: u64, least: &UBig, prime: &PrimeOptions<'_>) -> Result<Option<UBig>, Error> {
    let Some((r, q)) = prime.residue else { return Ok(None) };
    if q.is_zero() {
        return Err(Error::ZeroModulus);
    }
    let (q, r) = (to_ubig(q), to_ubig(r) % to_ubig(q));
    let is_lone = (&r).gcd(&q) > UBig::ONE;
    let number = is_lone.then(|| if r.is_zero() { q } else { r });
    Ok(number.filter(|number| number >= least && number.bit_len() as u64 == bits))
}

impl Progression {
    /// The candidates of `bits` bits from `least` on, at least [`SHORTEST`] bits. Error: `bad_argument` where no prime can fit.
    pub(crate) fn new(bits: u64, least: &UBig, prime: &PrimeOptions<'_>) -> Result<Self, Error> {
        debug_assert!(bits >= SHORTEST);
        // A safe prime above 7 is 3 modulo 4 and 2 modulo 3.
        let (rest, modulus) = if prime.safe { (11u8, 12u8) } else { (1, 2) };
        let (mut rest, mut step) = (UBig::from(rest), UBig::from(modulus));
        if let Some((r, q)) = prime.residue {
            if q.is_zero() {
                return Err(Error::ZeroModulus);
            }
            let (q, r) = (to_ubig(q), to_ubig(r) % to_ubig(q));
            if (&r).gcd(&q) > UBig::ONE {
                return refused(
                    "the residue and its modulus have a common divisor, and no other prime than that one can fit",
                );
            }
            let mut common = if q.is_one() { UBig::ONE } else { (&r + &q - UBig::ONE).gcd(&q) };
            while prime.safe && common.bit_len() > 1 && (&common % 2u8) == 0 {
                common >>= 1;
            }
            if prime.safe && common > UBig::ONE {
                return refused("the residue less 1 and its modulus have an odd common divisor, so no safe prime fits");
            }
            let joined = (0..modulus).map(|k| &r + &q * UBig::from(k)).find(|joined| joined % &step == rest);
            let Some(joined) = joined else {
                return refused("the residue contradicts that the prime is odd or safe");
            };
            step = &q * &step / (&q).gcd(&step);
            rest = joined % &step;
        }
        let offset = (&rest + &step - least % &step) % &step;
        let (first, end) = (least + offset, UBig::ONE << bits as usize);
        if first >= end {
            return refused("no number of this length has the residue");
        }
        let count = (end - UBig::ONE - &first) / &step + UBig::ONE;
        Ok(Self { first, step, count })
    }

    /// Number t of the progression.
    pub(crate) fn at(&self, t: &UBig) -> UBig {
        &self.first + &self.step * t
    }

    /// The density of primes among the numbers of a length, times what the progression has more: of (p, and (p - 1) / 2 if safe).
    pub(crate) fn density(&self, safe: bool) -> f64 {
        let ln = self.first.bit_len() as f64 * std::f64::consts::LN_2;
        // Numbers that small primes do not divide are likelier to be prime.
        let divides = |q: u32| (&self.step % q) == 0;
        let gained = |q: u32| {
            let q = f64::from(q);
            if safe { q / (q - 2.0) } else { q / (q - 1.0) }
        };
        let small = [3, 5, 7, 11, 13, 17, 19, 23, 29, 31];
        let odd: f64 = small.into_iter().filter(|&q| divides(q)).map(gained).product();
        // Twice the twin prime constant for p = 2 p' + 1; both odd, so 2 times more where 4 divides the step.
        if safe { 2.0 * 1.320_32 * odd / (ln * ln) } else { 2.0 * odd / ln }
    }
}
