//! The class `Modulus`.

use crate::call::{self, Divisor};
use crate::errors::{self, Raised};
use crate::keywords::Given;
use crate::list::{self, Source};
use crate::number::{self, Count};
use crate::pickle;
use crate::planning;
use crate::residues::{self, Residues};
use crate::secret::{self, SecretKeywords};
use crate::watch::Caller;
use pingala_core::{Error, Natural, Options, SecretFactor};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyMapping, PyTuple};
use zeroize::Zeroizing;

/// `repr` has the digits of a modulus up to this length, and the length of a longer one.
const SHOWN_BITS: u64 = 256;

/// A modulus m >= 1 with its prepared constants, for many powers modulo the same number.
///
/// value: the modulus, any integer from 1 up. factors: {p: multiplicity}, pairwise coprime, with this product; powers
/// are then computed modulo each factor and recombined. If p is prime, exponents are reduced modulo p^(multiplicity-1) (p-1)
/// (p is tested when the reduction first helps; a composite passes with probability 2^-80 at most). repr() hides the factors,
/// but a pickle contains them. secret: only pow_sec uses the factors, in constant time in their values too. They must be odd,
/// at least two, and 64 bits or longer; their primality is tested at once. Such a Modulus keeps no copy of the ints, so it
/// cannot be pickled; Python's own copies are not wiped. max_modulus_bits: refuse a longer value (2**24 by default; with
/// factors that is the highest cap).
///
/// Every function of this package accepts a Modulus as its modulus. Immutable and safe to share between threads; equal to
/// another Modulus with the same value.
///
/// Raises ZeroModulusError, NegativeModulusError, TooLongError, WrongFactorsError, and TypeError for an argument that is not an
/// integer.
#[pyclass(frozen, module = "pingala", name = "Modulus")]
#[derive(Debug)]
pub struct Modulus {
    modulus: pingala_core::Modulus,
    factors: Option<Py<PyDict>>,
    /// Whether there are factors that no call gives back.
    secret: bool,
    /// The cap that it was let in under, if it is not the library's.
    max_modulus_bits: Option<Count>,
}

impl Modulus {
    /// A modulus without factors.
    pub fn of(modulus: pingala_core::Modulus) -> Self {
        Self { modulus, factors: None, secret: false, max_modulus_bits: None }
    }

    /// The library's modulus.
    pub fn library(&self) -> &pingala_core::Modulus {
        &self.modulus
    }

    /// The factors, if there are any and they are public.
    pub fn public_factors(&self, py: Python<'_>) -> PyResult<Option<Vec<(Natural, u32)>>> {
        let read = |factors: &Py<PyDict>| {
            read_factors(factors.bind(py).as_any(), self.modulus.value().bits()).map(|(pairs, _)| pairs.to_vec())
        };
        self.factors.as_ref().map(read).transpose()
    }

    fn divisor(&self) -> Divisor {
        Divisor::Kept(self.modulus.clone())
    }
}

/// (p, multiplicity), as the library takes them. They may be secret, so they are wiped, also when a later one is refused.
type Factors = Zeroizing<Vec<(Natural, u32)>>;

/// The factors as numbers, none of them of more bits than the modulus has, and as a dictionary to pickle.
fn read_factors<'py>(factors: &Bound<'py, PyAny>, most_bits: u64) -> PyResult<(Factors, Bound<'py, PyDict>)> {
    let py = factors.py();
    let refuse = |why: &str| errors::raise(py, Error::WrongFactors(why.to_owned()));
    let Ok(mapping) = factors.cast::<PyMapping>() else {
        let kind = factors.get_type().name()?;
        return Err(PyTypeError::new_err(format!("factors must be a mapping {{p: multiplicity}}, not {kind}")));
    };
    let (items, copy) = (mapping.items()?, PyDict::new(py));
    // It does not grow: what the old room held would stay behind.
    let mut pairs = Zeroizing::new(Vec::with_capacity(items.len()));
    for item in items.iter() {
        let (factor, multiplicity): (Bound<'py, PyAny>, Bound<'py, PyAny>) = item.extract()?;
        let (factor, multiplicity) =
            (number::index("a factor", &factor)?, number::index("a multiplicity", &multiplicity)?);
        let value = number::capped("a factor", &factor, "factor", most_bits)?
            .map_err(|_| refuse("a factor is longer than the modulus"))?;
        let value = Zeroizing::new(value);
        if value.is_negative() {
            return Err(refuse("a factor is negative"));
        }
        let count = multiplicity.extract().map_err(|_| refuse("a multiplicity is not in 0..2^32"))?;
        pairs.push((value.magnitude().clone(), count));
        copy.set_item(factor, multiplicity)?;
    }
    Ok((pairs, copy))
}

methods! {
    Modulus {
        #[new]
        #[pyo3(signature = (value, factors=None, max_modulus_bits=None, *, secret=false))]
        fn new(
            value: &Bound<'_, PyAny>,
            factors: Option<&Bound<'_, PyAny>>,
            max_modulus_bits: Option<Count>,
            secret: bool,
        ) -> PyResult<Self> {
            let py = value.py();
            let limits = Given { max_modulus_bits, ..Given::default() }.limits();
            let value = number::within("value", value, "modulus", limits.modulus_bits)?;
            if value.is_negative() {
                return Err(errors::raise(py, Error::NegativeModulus));
            }
            let modulus = pingala_core::Modulus::with_limits(value.into_magnitude(), &limits).raised(py)?;
            let most_bits = modulus.value().bits();
            let factors = factors.map(|factors| read_factors(factors, most_bits)).transpose()?;
            let Some((pairs, copy)) = factors else {
                if secret {
                    return Err(errors::bad_argument(py, "secret is said of factors, and there are none"));
                }
                return Ok(Self { modulus, factors: None, secret, max_modulus_bits });
            };
            if secret {
                // The prime tests of long factors take a while.
                let modulus = call::watched(py, |watch| {
                    let factors = pairs.iter().map(|(p, multiplicity)| SecretFactor::new(p, *multiplicity));
                    let options = Options::default().with_limits(limits).with_watch(watch);
                    factors.collect::<Result<Vec<_>, _>>().and_then(|factors| {
                        pingala_core::Modulus::with_secret_factors(modulus.value().clone(), &factors, &options)
                    })
                });
                return Ok(Self { modulus: modulus?, factors: None, secret, max_modulus_bits });
            }
            let value = modulus.value().clone();
            let modulus = call::run_or_apart(py, Some(Caller::new(None)), call::runs_apart(8 * most_bits), move |_| {
                pingala_core::Modulus::with_factors(value, &pairs)
            })?;
            Ok(Self { modulus, factors: Some(copy.unbind()), secret, max_modulus_bits })
        }

        /// The inverse of value modulo this number m, 0 <= result < m; modulo 1 it is 0. Raises NotInvertibleError, TypeError.
        fn invert<'py>(&self, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
            call::inverse(value, &self.divisor(), None)
        }

        /// The modulus as an int.
        #[getter]
        fn value<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
            Ok(number::int(py, self.modulus.value())?.into_any())
        }

        /// The length of the modulus in bits.
        #[getter]
        fn bits(&self) -> u64 {
            self.modulus.value().bits()
        }

        fn __index__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
            self.value(py)
        }

        fn __repr__(&self) -> String {
            let value = self.modulus.value();
            if value.bits() <= SHOWN_BITS { format!("Modulus({value:#x})") } else { format!("<Modulus of {} bits>", value.bits()) }
        }

        fn __eq__(&self, other: &Self) -> bool {
            self.modulus.value() == other.modulus.value()
        }

        fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
            self.value(py)?.hash()
        }

        fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
            if self.secret {
                return Err(PyTypeError::new_err(
                    "a Modulus with secret factors cannot be pickled: a pickle would hold the factors in the clear. Send them by a \
                     way that keeps them secret, and make the Modulus there",
                ));
            }
            let factors = self.factors.as_ref().map(|factors| factors.clone_ref(py));
            let parameters = (self.value(py)?, factors, self.max_modulus_bits.map(u64::from));
            pickle::reduced(py, "modulus", parameters.into_pyobject(py)?)
        }
    }

    /// base^exponent modulo this number m, 0 <= result < m. A negative exponent needs a base with an inverse.
    ///
    /// kernel, plan, progress, timeout, max_exponent_bits: as in powmod. Raises NotInvertibleError, TooLongError, PlanError, TypeError.
    fn pow(
        &this, base, exponent, *, kernel, plan, progress, timeout, max_exponent_bits
    ) -> Bound<'py, PyAny> = |_py, given| {
        call::power(base, exponent, &this.get().divisor(), &given)
    }

    /// [bases[i]^exponents[i] modulo this for each i], equal to powmod_list(bases, exponents, this).
    ///
    /// bases, exponents, kernel, plan, threads, errors, progress, timeout, max_exponent_bits: as in powmod_list.
    fn pow_list(
        &this, bases, exponents, *, kernel, plan, threads, errors, progress, timeout, max_exponent_bits
    ) -> Bound<'py, PyList> = |py, given| {
        let (bases, exponents) = (Source::either("bases", bases)?, Source::either("exponents", exponents)?);
        list::powers(py, [bases, exponents, Source::one(this)], &given)
    }

    /// [the inverse of value modulo this for value in values]. About a hundred values share one inversion (Montgomery's trick), so
    /// that each costs little more than three products. A value without an inverse does not affect the others.
    ///
    /// threads, errors, progress: as in powmod_list. Raises NotInvertibleError and ElementTypeError with the index of the value,
    /// ArgumentError, TypeError.
    fn invert_list(&this, values, *, threads, errors, progress) -> Bound<'py, PyList> = |py, given| {
        let exponent = Source::one(&(-1i64).into_pyobject(py)?.into_any());
        list::powers(py, [Source::many("values", values)?, exponent, Source::one(this)], &given)
    }

    /// [a[i] * b[i] modulo this for each i].
    ///
    /// a, b: iterables of integers of the same length, or one integer for all elements; at least one is an iterable.
    ///
    /// kernel: force a kernel by name; without it the environment variable PINGALA_KERNEL applies. threads: the most threads to use;
    /// all cores by default. progress: called as progress(done, total) on this thread, at most about ten times a second and once at the
    /// end; an exception from it stops the call. timeout: the seconds that the call may take.
    ///
    /// Raises ArgumentError for lengths that differ, ElementTypeError with the index of what is not an integer, PlanError, TypeError,
    /// TimeLimitError. Ctrl-C stops the call.
    fn mul_list(&this, a, b, *, kernel, threads, progress, timeout) -> Bound<'py, PyList> = |_py, given| {
        residues::mul_list(&this.get().modulus, [a, b], &given)
    }

    /// [value^2 modulo this for value in values].
    ///
    /// kernel, threads, progress, timeout: as in mul_list.
    fn square_list(&this, values, *, kernel, threads, progress, timeout) -> Bound<'py, PyList> = |_py, given| {
        let modulus = &this.get().modulus;
        residues::mapped(values, &given, |values, options| modulus.square_list(values, options))
    }

    /// The product of all values modulo this; of no values it is 1 modulo this.
    ///
    /// kernel, threads, progress, timeout: as in mul_list.
    fn product(&this, values, *, kernel, threads, progress, timeout) -> Bound<'py, PyAny> = |_py, given| {
        residues::product(&this.get().modulus, values, &given)
    }

    /// [the product of values[0] to values[i] modulo this for each i]. It uses one thread.
    ///
    /// kernel, progress, timeout: as in mul_list.
    fn running_product(&this, values, *, kernel, progress, timeout) -> Bound<'py, PyList> = |_py, given| {
        let modulus = &this.get().modulus;
        residues::mapped(values, &given, |values, options| modulus.running_product(values, options))
    }

    /// The residues of these values, as Residues: operations on them convert nothing.
    ///
    /// kernel, threads, progress, timeout: as in mul_list.
    fn residues(&this, values, *, kernel, threads, progress, timeout) -> Residues = |_py, given| {
        residues::residues(this, values, &given)
    }

    /// base^exponent modulo this, in constant time in base and exponent; see powmod_sec.
    ///
    /// base, exponent, exponent_bits, public_exponent, blinding, kernel, plan, max_exponent_bits: as in powmod_sec.
    ///
    /// For an odd modulus with several factors the power is computed modulo each factor and checked: FaultError if the parts
    /// disagree.
    fn pow_sec(
        &this, base, exponent, exponent_bits, *, public_exponent, blinding, kernel, plan,
        max_exponent_bits
    ) -> Bound<'py, PyAny> = |py, given| {
        secret::power(base, exponent, &this.get().divisor(), &SecretKeywords::of(py, &given)?)
    }

    /// [bases[i]^exponents[i] modulo this for each i], each in constant time as by pow_sec.
    ///
    /// bases, exponents: iterables of integers or SecretInts of the same length, or one number for all; bases are not negative. The
    /// result of a base that is a SecretInt is one, that of another an int. threads: the most threads to use; all cores by default.
    /// exponent_bits, public_exponent, blinding, kernel, plan, max_exponent_bits: as in powmod_sec.
    ///
    /// Raises the errors of pow_sec with the index of the element, ArgumentError for lengths that differ.
    fn pow_sec_list(
        &this, bases, exponents, exponent_bits, *, public_exponent, blinding, threads, kernel, plan,
        max_exponent_bits
    ) -> Bound<'py, PyList> = |py, given| {
        secret::power_list(bases, exponents, &this.get().modulus, &SecretKeywords::of(py, &given)?)
    }

    /// The plan that pow would follow for these arguments: one line that `plan=` accepts.
    ///
    /// base, exponent, kernel, plan, max_exponent_bits: as in plan().
    fn plan(&this, base, exponent, *, kernel, plan, max_exponent_bits) -> String = |_py, given| {
        planning::plan_of([base, exponent], &this.get().divisor(), &given.keywords()?)
    }

    /// The reasons for that plan: an Explanation, which can be printed.
    ///
    /// base, exponent, kernel, plan, max_exponent_bits: as in plan().
    fn explain(&this, base, exponent, *, kernel, plan, max_exponent_bits) -> Bound<'py, PyAny> = |_py, given| {
        planning::explanation_of([base, exponent], &this.get().divisor(), &given.keywords()?)
    }
}
