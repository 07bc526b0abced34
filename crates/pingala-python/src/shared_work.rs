//! Products of powers, and explanations of workloads that share work.

use crate::call::{self, Divisor};
use crate::errors::Raised;
use crate::explanation::{explained, explanation};
use crate::keywords::Given;
use crate::list::{self, ANY_BITS, BASE, EXPONENT, Names, Source, Table};
use crate::number;
use crate::watch::Caller;
use pingala_core::plan::Summary;
use pingala_core::{Error, Integer, Options};
use pyo3::prelude::*;
use pyo3::types::PyList;

functions! {
    /// The product of bases[i]^exponents[i] mod modulus: an int, 1 % modulus for no bases.
    ///
    /// bases, exponents: iterables of integers, of the same length. The planner chooses the method by price: interleaved windows,
    /// Straus, Bos-Coster or Pippenger. Negative exponents share one inversion.
    ///
    /// memory: the most bytes for residues (2**30 by default). kernel, plan, timeout, max_modulus_bits,
    /// max_exponent_bits: as in powmod; plan is a line such as "interleaved_windows(w=5)". threads: the most threads to use; all cores by default.
    ///
    /// Raises NotInvertibleError with the index of the base that has no inverse, ArgumentError for lists of different lengths,
    /// ZeroModulusError, TooLongError, PlanError, TypeError. Long calls release the GIL, and Ctrl-C stops them.
    fn powmod_product(
        bases, exponents, modulus, *, kernel, plan, threads, timeout, memory, max_modulus_bits, max_exponent_bits
    ) -> Bound<'py, PyAny> = |py, given| {
        let (bases, exponents) = (Source::many("bases", bases)?, Source::many("exponents", exponents)?);
        let keywords = given.keywords()?;
        let divisor = Divisor::of(modulus, &keywords.limits)?;
        // The modulus first: that it is 0 is the error of the call, whatever the lists hold.
        let kept = divisor.kept(&keywords.limits).raised(py)?;
        let (bases, exponents) = list::read_pairs(py, [bases, exponents, Source::one(modulus)], &keywords.limits)?;
        let apart = call::runs_apart(kept.value().bits()) && exponents.iter().any(Integer::is_negative);
        let keywords = keywords.owned();
        let result = call::run_or_apart(py, Some(Caller::new(None)), apart, move |watch| {
            kept.pow_product(&bases, &exponents, &keywords.options(watch))
        })?;
        divisor.result(py, &result)
    }

    /// [powmod_product(bases[i], exponents[i], moduli[i]) for each i], as a list of int: products of equal shape are computed side by
    /// side.
    ///
    /// bases, exponents: iterables with an iterable of integers for each product. moduli: an iterable of integers of the same length, or one integer
    /// for all. kernel, plan, threads, errors, progress, timeout, max_modulus_bits, max_exponent_bits: as in powmod_list. memory: as in
    /// powmod_product. Raises what powmod_list raises; the error of a product has its index in .index.
    fn powmod_product_list(
        bases, exponents, moduli, *, kernel, plan, threads, errors, progress, timeout, memory, max_modulus_bits,
        max_exponent_bits
    ) -> Bound<'py, PyList> = |py, given| {
        let products = Source::products([bases, exponents, moduli])?;
        list::listed(py, products, &given, given.keywords()?, |table: &Table<Vec<Integer>>, options| {
            pingala_core::pow_product_list(&table.products(), options)
        })
    }

    /// The plan of powmod_list(bases, exponents, moduli): one line that `plan=` accepts.
    ///
    /// bases, exponents, moduli, kernel, plan, threads, max_modulus_bits, max_exponent_bits: as in powmod_list. Raises the errors of that
    /// call.
    fn plan_list(
        bases, exponents, moduli, *, kernel, plan, threads, max_modulus_bits, max_exponent_bits
    ) -> String = |py, given| {
        let plan = |table: &Table<_>, options: &Options<'_>| pingala_core::plan_list(&table.jobs(), options);
        Ok(list::planned(py, Source::powers([bases, exponents, moduli])?, &given, plan)?.to_string())
    }

    /// The plan of powmod_product_list(bases, exponents, moduli): one line that `plan=` accepts.
    ///
    /// bases, exponents, moduli, kernel, plan, threads, memory, max_modulus_bits, max_exponent_bits: as in powmod_product_list. Raises the
    /// errors of that call.
    fn plan_product_list(
        bases, exponents, moduli, *, kernel, plan, threads, memory, max_modulus_bits, max_exponent_bits
    ) -> String = |py, given| {
        let plan = |table: &Table<_>, options: &Options<'_>| pingala_core::plan_product_list(&table.products(), options);
        Ok(list::planned(py, Source::products([bases, exponents, moduli])?, &given, plan)?.to_string())
    }
    /// The plan of powmod_product_list(bases, exponents, moduli), and its reasons: an Explanation, which can be printed. The candidates are
    /// those of the products that are expected to take the most time.
    ///
    /// bases, exponents, moduli, kernel, plan, threads, memory, max_modulus_bits, max_exponent_bits: as in powmod_product_list. Raises the
    /// errors of that call, and ArgumentError if no product needs a plan.
    fn explain_product_list(
        bases, exponents, moduli, *, kernel, plan, threads, memory, max_modulus_bits, max_exponent_bits
    ) -> Bound<'py, PyAny> = |py, given| {
        let summary = |table: &Table<_>, options: &Options<'_>| {
            pingala_core::explain_product_list(&table.products(), options).map(|explained| explained.summary())
        };
        explanation(py, &list::planned(py, Source::products([bases, exponents, moduli])?, &given, summary)?)
    }

    /// The plan of powmod_base_list(bases, exponent, modulus) for bases of these lengths, on all cores or on the given number of
    /// threads, and its reasons: an Explanation, which can be printed.
    ///
    /// kernel, plan, max_modulus_bits, max_exponent_bits: as in powmod_base_list. Raises the errors of that call, and
    /// ArgumentError for no bases.
    fn explain_base_list(
        bases, exponent, modulus, *, kernel, plan, threads, max_modulus_bits, max_exponent_bits
    ) -> Bound<'py, PyAny> = |_py, given| {
        let exponent = number::exponent(exponent, given.limits().exponent_bits)?;
        explain(BASE, bases, ANY_BITS, modulus, &given, |modulus, bases, options| {
            modulus.explain_base_list(bases, &exponent, options).map(|explained| explained.summary())
        })
    }

    /// The plan of powmod_exp_list(base, exponents, modulus), on all cores or on the given number of threads, and its reasons: an
    /// Explanation, which can be printed. It is the same for every base.
    ///
    /// base, exponents, modulus, memory, kernel, plan, max_modulus_bits, max_exponent_bits: as in powmod_exp_list. Raises the errors of
    /// that call.
    fn explain_exp_list(
        base, exponents, modulus, *, kernel, plan, threads, memory, max_modulus_bits, max_exponent_bits
    ) -> Bound<'py, PyAny> = |_py, given| {
        number::integer("base", base)?;
        explain(EXPONENT, exponents, given.limits().exponent_bits, modulus, &given, |modulus, exponents, options| {
            modulus.explain_exp_list(exponents, options).map(|explained| explained.summary())
        })
    }

    /// The plan of powmod_product(bases, exponents, modulus), and its reasons: an Explanation, which can be printed. It is the same for
    /// all bases. Positive and negative exponents have separate plans.
    ///
    /// bases, exponents, modulus, kernel, plan, threads, memory, max_modulus_bits, max_exponent_bits: as in powmod_product. Raises the
    /// errors of powmod_product.
    fn explain_product(
        bases, exponents, modulus, *, kernel, plan, threads, memory, max_modulus_bits, max_exponent_bits
    ) -> Bound<'py, PyAny> = |_py, given| {
        let n_bases = list::integers(BASE, bases, ANY_BITS)?.len();
        explain(EXPONENT, exponents, given.limits().exponent_bits, modulus, &given, |modulus, exponents, options| {
            if n_bases != exponents.len() {
                return Err(Error::BadArgument(format!("{n_bases} bases and {} exponents", exponents.len())));
            }
            modulus.explain_product(exponents, options).map(|explained| explained.summary())
        })
    }
}

/// `numbers` are the bases or the exponents, whichever the plan depends on; none is longer than `most_bits`.
fn explain<'py>(
    names: Names,
    numbers: &Bound<'py, PyAny>,
    most_bits: u64,
    modulus: &Bound<'py, PyAny>,
    given: &Given<'_, 'py>,
    summary: impl FnOnce(&pingala_core::Modulus, &[Integer], &Options<'_>) -> Result<Summary, Error> + Send,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, limits) = (numbers.py(), given.limits());
    let modulus = Divisor::of(modulus, &limits)?.kept(&limits).raised(py)?;
    let numbers = list::integers(names, numbers, most_bits)?;
    explained(py, given, |options| summary(&modulus, &numbers, options))
}
