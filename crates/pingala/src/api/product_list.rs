//! Lists of products of powers.

use super::shared_work::shape_problem;
use super::{Modulus, Options, Report, report};
use crate::algorithm::PowerProduct;
use crate::error::Error;
use crate::execute::product_list::{self, ListedProduct};
use crate::execute::pulse::while_reading;
use crate::exponent::Exponent;
use crate::natural::{Integer, Natural};
use crate::plan::{Plan, Planner, ProductList, ShapeProblem, line_of_each, listed_lengths};
use std::borrow::Cow;

/// The bases of a product, as many exponents, and the modulus.
type ProductJob<'a> = (&'a [Integer], &'a [Integer], &'a Modulus);

/// The product of `bases[i]^exponents[i]` mod m for each `(bases, exponents, m)`, in order, each with its own error, computed on several threads, and eight at a time where the CPU has lanes.
/// A base with a negative exponent is inverted first.
///
/// The errors of an element are those of [`Modulus::pow_product`]. The outer error is `bad_plan`, for the settings, or `interrupted`.
/// Leaks: everything, by its timing.
///
/// ```
/// use pingala::{Modulus, Options, pow_product_list};
/// let modulus = Modulus::new(1009u64.into())?;
/// let (bases, exponents) = ([2u64.into(), 3u64.into()], [10u64.into(), 4u64.into()]);
/// let product = (&bases[..], &exponents[..], &modulus);
/// assert_eq!(pow_product_list(&[product, product], &Options::default())?, [Ok(206u64.into()), Ok(206u64.into())]);
/// # Ok::<(), pingala::Error>(())
/// ```
pub fn pow_product_list(
    products: &[(&[Integer], &[Integer], &Modulus)],
    options: &Options<'_>,
) -> Result<Vec<Result<Natural, Error>>, Error> {
    let options = options.resolved()?;
    let admitted = AdmittedProducts::of(products, &options)?;
    let plan = admitted.plan(&options)?;
    product_list::run(&admitted.products, &plan, products.len(), admitted.settled, options.watch)
}

/// The tree that [`pow_product_list`] follows: a line for [`Options::with_plan`] with the same list. Errors as there.
pub fn plan_product_list(
    products: &[(&[Integer], &[Integer], &Modulus)],
    options: &Options<'_>,
) -> Result<Report<Plan<PowerProduct>>, Error> {
    let options = options.resolved()?;
    Ok(report(AdmittedProducts::of(products, &options)?.plan(&options)?.plan))
}

/// A list without the elements whose results need no plan.
struct AdmittedProducts<'a> {
    products: Vec<ListedProduct<'a>>,
    problems: Vec<ShapeProblem>,
    settled: Vec<(usize, Result<Natural, Error>)>,
}

impl<'a> AdmittedProducts<'a> {
    fn of(jobs: &[ProductJob<'a>], options: &Options<'_>) -> Result<Self, Error> {
        let (mut products, mut problems, mut settled) = (Vec::with_capacity(jobs.len()), Vec::new(), Vec::new());
        for (place, job) in jobs.iter().enumerate() {
            while_reading(options.watch, place)?;
            match listed(place, job, options) {
                Err(error) => settled.push((place, Err(error))),
                Ok(_) if job.2.value().is_one() => settled.push((place, Ok(Natural::default()))),
                Ok(product) if product.bases.is_empty() => settled.push((place, Ok(Natural::from(1u64)))),
                Ok(product) => {
                    let work = listed_lengths(product.exponents.iter().map(Exponent::bits));
                    problems.push(shape_problem(product.modulus, work, options)?);
                    products.push(product);
                }
            }
        }
        Ok(Self { products, problems, settled })
    }

    fn plan(&self, options: &Options<'_>) -> Result<ProductList, Error> {
        let line = options.plan.map(|line| line_of_each(line, self.problems.len())).transpose()?;
        Planner::of_this_machine().plan_product_list(&self.problems, options.crew(), options.kernel, line)
    }
}

/// The factors that need a product. Errors: those of the element.
fn listed<'a>(place: usize, job: &ProductJob<'a>, options: &Options<'_>) -> Result<ListedProduct<'a>, Error> {
    let &(bases, exponents, modulus) = job;
    if bases.len() != exponents.len() {
        return Err(Error::BadArgument(format!("{} bases and {} exponents", bases.len(), exponents.len())));
    }
    let mut product = ListedProduct {
        place,
        modulus: &modulus.prepared,
        bases: Vec::with_capacity(bases.len()),
        exponents: Vec::with_capacity(bases.len()),
        negative: false,
    };
    for (index, (base, exponent)) in bases.iter().zip(exponents).enumerate() {
        let at = |error| Error::At { index, error: Box::new(error) };
        options.limits.check_exponent_bits(exponent.magnitude().bits()).map_err(at)?;
        let Some(magnitude) = Exponent::new(exponent.magnitude().clone()) else { continue };
        if exponent.is_negative() {
            product.bases.push(Cow::Owned(modulus.invert(base).map_err(at)?));
        } else {
            product.negative ^= base.is_negative() && magnitude.is_odd();
            product.bases.push(Cow::Borrowed(base.magnitude()));
        }
        product.exponents.push(magnitude);
    }
    Ok(product)
}
