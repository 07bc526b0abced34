//! Powers with secret exponents, one and many: lengths are checked here, no value is looked at.

pub(crate) mod factored;
mod primality;

use crate::engine::execute::{Poll, Prepared, SecretPower};
use crate::engine::plan::{Plan, Planner, PricedClass, Problem};
use crate::error::Error;
use crate::exponent::SecretExponent;
use crate::natural::bytes::{limb_from_be, write_be};
use crate::natural::{Integer, Natural, Wiped};
use crate::work::fixed_base::FixedBase;
use crate::work::rows::{FailedRows, rows_in_parallel};
use crate::work::{Modulus, Options};
pub use primality::is_prime_secret;

impl Modulus {
    /// base^exponent mod m in constant time: no branch and no address depends on the values of base and exponent.
    /// Public are the modulus, the declared width of the exponent, the length and sign of the base.
    ///
    /// The planner considers only uniform algorithms and constant-time kernels; a forced plan with any other is `bad_plan`.
    /// Further errors: `too_long`, `interrupted`.
    ///
    /// An odd modulus with several known factors is computed modulo each, unless a plan is forced; exponents are reduced
    /// if a factor is prime, as in [`Modulus::with_factors`]. A single hardware fault in one of the halves would reveal the
    /// factors, so each half is also computed modulo a random prime of 64 bits, where all must agree; or, with
    /// [`Options::with_public_exponent`], the result is raised to the public exponent. Errors, with which nothing is released: `fault`;
    /// `bad_argument` for a public exponent that is not the inverse of the secret one.
    ///
    /// Unless [`Options::with_blinding`] says otherwise, the exponent of each factor that is known to be prime is blinded by a random
    /// multiple of the order. Factors of up to 2^14 bits are tested: secret ones at once, a public one when an exponent is wider than its
    /// part of the modulus. With a public exponent the base is blinded too, if all factors are known to be prime and the exponent is
    /// the inverse of the public one modulo each order: otherwise the blinding might not come off. Further error: `fault`
    /// if the system has no random numbers.
    pub fn pow_sec(&self, base: &Integer, exponent: &SecretExponent, options: &Options<'_>) -> Result<Natural, Error> {
        let (negative, base) = (base.is_negative(), base.magnitude().limbs());
        let poll = &Poll::new(options.watch(), None);
        let power = SecretPower { base, negative, exponent: Some(exponent), poll };
        Ok(Natural::from_limbs(&self.secret_power(power, options)?))
    }

    /// [`Modulus::pow_sec`] on big-endian bytes, for callers who must not reveal the length of a number: nothing is
    /// trimmed. `out` receives the result, padded with zeros in front; it must be at least as long as the modulus
    /// (`bad_argument`).
    pub fn pow_sec_bytes(
        &self,
        base: &[u8],
        exponent: &SecretExponent,
        out: &mut [u8],
        options: &Options<'_>,
    ) -> Result<(), Error> {
        self.check_width(out.len())?;
        self.secret_power_of_bytes(base, exponent, out, options, &Poll::new(options.watch(), None))
    }

    /// A secret power for each base and exponent, in order, as [`Modulus::pow_sec_bytes`], on several threads. A single base is that
    /// of all powers, and a single exponent likewise. `out` has a row of bytes for each power, all of one width. Returns the rows
    /// that have an error, with zeros in `out`.
    ///
    /// Errors: `bad_argument` if the lengths do not fit; `bad_plan`; `interrupted`.
    pub fn pow_sec_list(
        &self,
        bases: &[&[u8]],
        exponents: &[SecretExponent],
        out: &mut [u8],
        options: &Options<'_>,
    ) -> Result<Vec<(usize, Error)>, Error> {
        let options = options.resolved()?;
        let count = if bases.len() == 1 { exponents.len() } else { bases.len() };
        if ![bases.len(), exponents.len()].iter().all(|&length| length == count || length == 1) {
            let (bases, exponents) = (bases.len(), exponents.len());
            return Err(Error::BadArgument(format!("{bases} bases and {exponents} exponents do not make pairs")));
        }
        let widest = exponents.iter().map(SecretExponent::bits).max().unwrap_or(0) as u64;
        let plan = secret_plan(&self.prepared, widest, (options.kernel, options.plan))?;
        let nanoseconds = Planner::of_this_machine().price_of(&plan, &secret_problem(&self.prepared, widest));
        let one = |row: usize, out: &mut [u8], poll: &Poll<'_>| {
            let base = if bases.len() == 1 { bases[0] } else { bases[row] };
            let exponent = if exponents.len() == 1 { &exponents[0] } else { &exponents[row] };
            #[cfg(pingala_planted_leak = "list")]
            crate::secrecy::planted::branch(crate::exponent::Digits::digit(exponent, 0, 3).for_vectors());
            self.secret_power_of_bytes(base, exponent, out, &options, poll)
        };
        self.secret_list(count, nanoseconds, out, &options, one)
    }

    /// Computes rows of results, on several threads if their time justifies it: `one(row, out, poll)` computes a row.
    fn secret_list(
        &self,
        count: usize,
        nanoseconds: f64,
        out: &mut [u8],
        options: &Options<'_>,
        one: impl Fn(usize, &mut [u8], &Poll<'_>) -> Result<(), Error> + Sync,
    ) -> Result<FailedRows, Error> {
        if count == 0 {
            return if out.is_empty() {
                Ok(Vec::new())
            } else {
                Err(Error::BadArgument("no power fills `out`".into()))
            };
        }
        let width = out.len() / count;
        if width * count != out.len() {
            let length = out.len();
            return Err(Error::BadArgument(format!("{length} bytes are not {count} rows of one width")));
        }
        self.check_width(width)?;
        let threads = options.thread_budget().for_classes(&[PricedClass { count, unit: 1, nanoseconds }]);
        let work = |failed: &mut FailedRows, (row, out): (usize, &mut [u8]), poll: &Poll<'_>| {
            if let Err(error) = one(row, out, poll) {
                out.fill(0);
                failed.push((row, error));
            }
            1
        };
        let rows = out.chunks_exact_mut(width).enumerate();
        rows_in_parallel(rows, threads, count, options, work)
    }

    /// Error: `bad_argument` for results of `width` bytes if they are shorter than the modulus.
    fn check_width(&self, width: usize) -> Result<(), Error> {
        let bytes = self.value().bits().div_ceil(8) as usize;
        if width < bytes {
            return Err(Error::BadArgument(format!("the result takes {bytes} bytes, there are {width}")));
        }
        Ok(())
    }

    fn secret_power_of_bytes(
        &self,
        base: &[u8],
        exponent: &SecretExponent,
        out: &mut [u8],
        options: &Options<'_>,
        poll: &Poll<'_>,
    ) -> Result<(), Error> {
        let base = Wiped::new(base.rchunks(8).map(limb_from_be).collect());
        out.fill(0);
        let power = SecretPower { base: &base, negative: false, exponent: Some(exponent), poll };
        write_be(&self.secret_power(power, options)?, out);
        Ok(())
    }

    /// Computes and checks a power, canonical, in the limbs of the modulus.
    fn secret_power(&self, power: SecretPower<'_>, options: &Options<'_>) -> Result<Wiped, Error> {
        let (modulus, options) = (&*self.prepared, options.resolved()?);
        let forced = (options.kernel, options.plan);
        options.limits.check_exponent_bits(power.exponent_bits() as u64)?;
        if self.value().is_one() {
            // Nothing to compute, but what is forced is checked as for every modulus.
            secret_plan(modulus, power.exponent_bits() as u64, forced)?;
            return Ok(Wiped::new(vec![0]));
        }
        let result = if options.plan.is_none() && factored::guards(modulus) {
            factored::secret_power(modulus, power, &options)?
        } else {
            whole_secret_power(modulus, power, forced)?
        };
        if let Some(public_exponent) = options.public_exponent {
            factored::verify(modulus, power, &result, public_exponent)?;
        }
        Ok(result)
    }
}

impl FixedBase {
    /// base^exponent mod m in constant time, as [`Modulus::pow_sec`], from a table that each step reads completely: one built for secrets
    /// ([`Uses::secret`](crate::Uses)), or one with such a plan. The base is public here. Only the watch and the kernel of the
    /// options are used.
    ///
    /// Errors: `too_long` for an exponent declared wider than those of the table; `bad_plan` for a table that cannot be read so;
    /// `interrupted`.
    pub fn pow_sec(&self, exponent: &SecretExponent, options: &Options<'_>) -> Result<Natural, Error> {
        Ok(Natural::from_limbs(&self.secret_power(exponent, options, &Poll::new(options.watch(), None))?))
    }

    /// A power for each exponent, in order, as [`FixedBase::pow_sec`], on several threads. `out` has a row of big-endian bytes for
    /// each, all of one width.
    /// Returns the rows that have an error, with zeros in `out`.
    ///
    /// Errors: `bad_argument` if the lengths do not fit; `bad_plan`; `interrupted`.
    pub fn pow_sec_list(
        &self,
        exponents: &[SecretExponent],
        out: &mut [u8],
        options: &Options<'_>,
    ) -> Result<Vec<(usize, Error)>, Error> {
        let one = |row: usize, out: &mut [u8], poll: &Poll<'_>| {
            write_be(&self.secret_power(&exponents[row], options, poll)?, out);
            Ok(())
        };
        let nanoseconds = self.secret_nanoseconds(options)?;
        self.modulus().secret_list(exponents.len(), nanoseconds, out, options, one)
    }
}

/// Computes a secret power modulo m as a whole, on the kernel or by the line that is forced.
fn whole_secret_power(modulus: &Prepared, power: SecretPower<'_>, forced: ByForce<'_>) -> Result<Wiped, Error> {
    power.modulo(modulus, &secret_plan(modulus, power.exponent_bits() as u64, forced)?)
}

/// The kernel and the line that are forced.
type ByForce<'a> = (Option<&'a str>, Option<&'a str>);

/// The plan of a secret power modulo m as a whole. Error: `bad_plan` for one that secrets refuse.
pub(crate) fn secret_plan(modulus: &Prepared, bits: u64, (kernel, line): ByForce<'_>) -> Result<Plan, Error> {
    Planner::of_this_machine().plan_with(&secret_problem(modulus, bits), kernel, line)
}

/// A secret power modulo m as a whole.
fn secret_problem(modulus: &Prepared, exponent_bits: u64) -> Problem {
    let facts = modulus.facts();
    Problem { trailing_zeros: facts.trailing_zeros(), secret: true, ..Problem::new(facts.bits(), exponent_bits.max(1)) }
}
