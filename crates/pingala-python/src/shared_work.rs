//! Products of powers, and explanations of workloads that share work.

use crate::call::{self, Divisor, Keywords};
use crate::errors;
use crate::explanation::explanation;
use crate::list::{self, Settings, Source};
use crate::number::{self, Count};
use crate::watch::Caller;
use pingala::plan::Summary;
use pingala::{Error, Integer, Options};
use pyo3::prelude::*;
use pyo3::types::PyList;

/// The product of bases[i]^exponents[i] mod modulus: an int, 1 % modulus for no bases.
///
/// bases, exponents: iterables of integers, of the same length. The planner chooses the method by price: interleaved windows,
/// Straus, Bos-Coster or Pippenger. Negative exponents share one inversion.
///
/// memory: the most bytes for residues (2**30 by default). kernel, plan, max_modulus_bits, max_exponent_bits: as in
/// powmod; plan is a line such as "interleaved_windows(w=5)". threads: the most threads to use; all cores by default.
///
/// Raises NotInvertibleError with the index of the base that has no inverse, ArgumentError for lists of different lengths,
/// ZeroModulusError, TooLongError, PlanError, TypeError. Long calls release the GIL, and Ctrl-C stops them.
#[pyfunction]
#[pyo3(signature = (
    bases, exponents, modulus, *, kernel=None, plan=None, threads=None, memory=None, max_modulus_bits=None,
    max_exponent_bits=None
))]
#[expect(clippy::too_many_arguments, reason = "each is a keyword that a user types")]
pub fn powmod_product<'py>(
    py: Python<'py>,
    bases: &Bound<'py, PyAny>,
    exponents: &Bound<'py, PyAny>,
    modulus: &Bound<'py, PyAny>,
    kernel: Option<&str>,
    plan: Option<&str>,
    threads: Option<&Bound<'py, PyAny>>,
    memory: Option<Count>,
    max_modulus_bits: Option<Count>,
    max_exponent_bits: Option<Count>,
) -> PyResult<Bound<'py, PyAny>> {
    let (bases, exponents) = (Source::many("bases", bases)?, Source::many("exponents", exponents)?);
    let keywords = Keywords::new(kernel, plan, max_modulus_bits, max_exponent_bits);
    let divisor = Divisor::of(modulus, &keywords.limits)?;
    let threads = threads.map(list::read_threads).transpose()?;
    // The modulus first: that it is 0 is the error of the call, whatever the lists hold.
    let kept = divisor.kept(&keywords.limits).map_err(|error| errors::raise(py, error))?;
    let (bases, exponents) = list::read_pairs(py, bases, exponents, Source::one(modulus), &keywords.limits)?;
    let (caller, memory) = (Caller::new(None), memory.map(u64::from));
    let result = if call::runs_apart(kept.value().bits()) && exponents.iter().any(Integer::is_negative) {
        let keywords = keywords.owned();
        call::run_apart(py, caller, move |watch| {
            let options = keywords.options(watch).with_threads(threads).with_memory_bytes(memory);
            kept.pow_product(&bases, &exponents, &options)
        })?
    } else {
        call::run(py, Some(&caller), |watch| {
            let options = keywords.options(watch).with_threads(threads).with_memory_bytes(memory);
            kept.pow_product(&bases, &exponents, &options)
        })?
    };
    divisor.result(py, &result)
}

/// [powmod_product(bases[i], exponents[i], moduli[i]) for each i], as a list of int: products of equal shape are computed side by
/// side.
///
/// bases, exponents: iterables with an iterable of integers for each product. moduli: an iterable of as many integers, or one integer
/// for all. kernel, plan, threads, errors, progress, max_modulus_bits, max_exponent_bits: as in powmod_list. memory: as in
/// powmod_product. Raises what powmod_list raises; the error of a product has its index in .index.
#[pyfunction]
#[pyo3(signature = (
    bases, exponents, moduli, *, kernel=None, plan=None, threads=None, errors="raise", progress=None,
    memory=None, max_modulus_bits=None, max_exponent_bits=None
))]
#[expect(clippy::too_many_arguments, reason = "each is a keyword that a user types")]
pub fn powmod_product_list<'py>(
    py: Python<'py>,
    bases: &Bound<'py, PyAny>,
    exponents: &Bound<'py, PyAny>,
    moduli: &Bound<'py, PyAny>,
    kernel: Option<&str>,
    plan: Option<&str>,
    threads: Option<&Bound<'py, PyAny>>,
    errors: &str,
    progress: Option<&Bound<'py, PyAny>>,
    memory: Option<Count>,
    max_modulus_bits: Option<Count>,
    max_exponent_bits: Option<Count>,
) -> PyResult<Bound<'py, PyList>> {
    let (bases, exponents) = (Source::many("bases", bases)?, Source::many("exponents", exponents)?);
    let keywords = Keywords::new(kernel, plan, max_modulus_bits, max_exponent_bits);
    let settings = Settings { keywords, threads, errors, progress, memory };
    list::products(py, bases, exponents, Source::either("moduli", moduli)?, &settings)
}

/// The plan of powmod_base_list(bases, exponent, modulus) for bases of these lengths, on all cores or on the given number of
/// threads, and its reasons: an Explanation, which can be printed.
///
/// kernel, plan, max_modulus_bits, max_exponent_bits: as in powmod_base_list. Raises the errors of that call, and
/// ArgumentError for no bases.
#[pyfunction]
#[pyo3(signature = (
    bases, exponent, modulus, *, kernel=None, plan=None, threads=None, max_modulus_bits=None, max_exponent_bits=None
))]
#[expect(clippy::too_many_arguments, reason = "each is a keyword that a user types")]
pub fn explain_base_list<'py>(
    bases: &Bound<'py, PyAny>,
    exponent: &Bound<'py, PyAny>,
    modulus: &Bound<'py, PyAny>,
    kernel: Option<&str>,
    plan: Option<&str>,
    threads: Option<&Bound<'_, PyAny>>,
    max_modulus_bits: Option<Count>,
    max_exponent_bits: Option<Count>,
) -> PyResult<Bound<'py, PyAny>> {
    let keywords = Keywords::new(kernel, plan, max_modulus_bits, max_exponent_bits);
    let exponent = number::within(exponent, "exponent", keywords.limits.exponent_bits)?;
    explain((bases, u64::MAX), modulus, &keywords, (threads, None), |modulus, bases, options| {
        modulus.explain_base_list(bases, &exponent, options).map(|explained| explained.summary())
    })
}

/// The plan of powmod_exp_list(base, exponents, modulus), on all cores or on the given number of threads, and its reasons: an
/// Explanation, which can be printed. It is the same for every base.
///
/// base, exponents, modulus, memory, kernel, plan, max_modulus_bits, max_exponent_bits: as in powmod_exp_list. Raises the errors of
/// that call.
#[pyfunction]
#[pyo3(signature = (
    base, exponents, modulus, *, kernel=None, plan=None, threads=None, memory=None, max_modulus_bits=None,
    max_exponent_bits=None
))]
#[expect(clippy::too_many_arguments, reason = "each is a keyword that a user types")]
pub fn explain_exp_list<'py>(
    base: &Bound<'py, PyAny>,
    exponents: &Bound<'py, PyAny>,
    modulus: &Bound<'py, PyAny>,
    kernel: Option<&str>,
    plan: Option<&str>,
    threads: Option<&Bound<'_, PyAny>>,
    memory: Option<Count>,
    max_modulus_bits: Option<Count>,
    max_exponent_bits: Option<Count>,
) -> PyResult<Bound<'py, PyAny>> {
    number::integer(base)?;
    let keywords = Keywords::new(kernel, plan, max_modulus_bits, max_exponent_bits);
    explain(
        (exponents, keywords.limits.exponent_bits),
        modulus,
        &keywords,
        (threads, memory),
        |modulus, exponents, options| modulus.explain_exp_list(exponents, options).map(|explained| explained.summary()),
    )
}

/// The plan of powmod_product(bases, exponents, modulus), and its reasons: an Explanation, which can be printed. It is the same for
/// all bases. Positive and negative exponents have separate plans.
///
/// bases, exponents, modulus, kernel, plan, threads, memory, max_modulus_bits, max_exponent_bits: as in powmod_product. Raises the
/// errors of powmod_product.
#[pyfunction]
#[pyo3(signature = (
    bases, exponents, modulus, *, kernel=None, plan=None, threads=None, memory=None, max_modulus_bits=None,
    max_exponent_bits=None
))]
#[expect(clippy::too_many_arguments, reason = "each is a keyword that a user types")]
pub fn explain_product<'py>(
    bases: &Bound<'py, PyAny>,
    exponents: &Bound<'py, PyAny>,
    modulus: &Bound<'py, PyAny>,
    kernel: Option<&str>,
    plan: Option<&str>,
    threads: Option<&Bound<'_, PyAny>>,
    memory: Option<Count>,
    max_modulus_bits: Option<Count>,
    max_exponent_bits: Option<Count>,
) -> PyResult<Bound<'py, PyAny>> {
    let keywords = Keywords::new(kernel, plan, max_modulus_bits, max_exponent_bits);
    let n_bases = integers(bases, u64::MAX)?.len();
    explain(
        (exponents, keywords.limits.exponent_bits),
        modulus,
        &keywords,
        (threads, memory),
        |modulus, exponents, options| {
            if n_bases != exponents.len() {
                return Err(Error::BadArgument(format!("{n_bases} bases and {} exponents", exponents.len())));
            }
            modulus.explain_product(exponents, options).map(|explained| explained.summary())
        },
    )
}

/// `numbers` are the bases or the exponents, whichever the plan depends on, and how long they may be.
fn explain<'py>(
    (numbers, most_bits): (&Bound<'py, PyAny>, u64),
    modulus: &Bound<'py, PyAny>,
    keywords: &Keywords<'_>,
    (threads, memory): (Option<&Bound<'_, PyAny>>, Option<Count>),
    summary: impl FnOnce(&pingala::Modulus, &[Integer], &Options<'_>) -> Result<Summary, Error> + Send,
) -> PyResult<Bound<'py, PyAny>> {
    let py = numbers.py();
    let threads = threads.map(list::read_threads).transpose()?;
    let modulus =
        Divisor::of(modulus, &keywords.limits)?.kept(&keywords.limits).map_err(|error| errors::raise(py, error))?;
    let numbers = integers(numbers, most_bits)?;
    let summary = call::run(py, Some(&Caller::new(None)), |watch| {
        let options = keywords.options(watch).with_threads(threads).with_memory_bytes(memory.map(u64::from));
        summary(&modulus, &numbers, &options)
    })?;
    explanation(py, &summary)
}

fn integers(numbers: &Bound<'_, PyAny>, most_bits: u64) -> PyResult<Vec<Integer>> {
    let integer = |(index, item): (usize, PyResult<Bound<'_, PyAny>>)| {
        number::capped(&item?, "exponent", most_bits)?
            .map_err(|error| errors::exception(numbers.py(), &error, Some(index)))
    };
    numbers.try_iter()?.enumerate().map(integer).collect()
}
