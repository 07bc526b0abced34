//! Lists of products of powers.

pub(crate) mod plan;
pub(crate) mod run;

use self::plan::listed_lengths;
use crate::algorithm::PowerProduct;
use crate::engine::execute::{Inverses, has_memory_for_results, while_reading};
use crate::engine::plan::line::Forced;
use crate::engine::plan::{Explanation, ListPlan, Plan, Planner, ShapeProblem};
use crate::error::Error;
use crate::exponent::Exponent;
use crate::natural::{Integer, Natural};
use crate::work::factored::shape_problem;
use crate::work::list::Job;
use crate::work::product_list::run::ListedProduct;
use crate::work::{Modulus, Options};

/// The bases of a product, their exponents, and the modulus.
type ProductJob<'a> = (&'a [Integer], &'a [Integer], &'a Modulus);

/// The product of `bases[i]^exponents[i]` mod m for each `(bases, exponents, m)`, in order, each with its own error, computed on several threads, and eight at a time if the CPU has lanes.
/// A base with a negative exponent is inverted first.
///
/// The errors of an element are those of [`Modulus::pow_product`]. The outer error is `bad_plan`, for the settings, or `interrupted`.
/// Leaks: everything, by its timing.
///
/// ```
/// # use pingala_core as pingala;
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
    has_memory_for_results(products.iter().map(|(.., modulus)| modulus.value().bits()))?;
    AdmittedProducts::with(products, &options, |admitted| {
        let plan = admitted.plan(&options)?;
        run::run(&admitted.products, &plan, products.len(), admitted.trivial_results, options.watch())
    })
}

/// The tree that [`pow_product_list`] follows: a line for [`Options::with_plan`] with the same list. Errors as there.
pub fn plan_product_list(
    products: &[(&[Integer], &[Integer], &Modulus)],
    options: &Options<'_>,
) -> Result<Plan<PowerProduct>, Error> {
    let options = options.resolved()?;
    let plan = AdmittedProducts::with(products, &options, |admitted| admitted.plan(&options));
    Ok(plan?.plan)
}

/// Why [`pow_product_list`] follows that tree: the candidates of the products that are expected to take the most time, counts,
/// prices, estimated seconds of the list. `Display` prints two sentences and at most twelve candidates; `{:#}` prints all candidates.
///
/// Errors: `bad_argument` if no element needs a product; `bad_plan`, `interrupted`.
pub fn explain_product_list(
    products: &[(&[Integer], &[Integer], &Modulus)],
    options: &Options<'_>,
) -> Result<Explanation<PowerProduct>, Error> {
    let options = options.resolved()?;
    AdmittedProducts::with(products, &options, |admitted| {
        let (forced, list) = (admitted.forced(&options)?, admitted.plan(&options)?);
        Planner::of_this_machine().explain_product_list(&admitted.problems, &list, &forced)
    })
}

/// A list without the elements whose results need no plan.
struct AdmittedProducts<'a> {
    products: Vec<ListedProduct<'a>>,
    problems: Vec<ShapeProblem>,
    trivial_results: Vec<(usize, Result<Natural, Error>)>,
}

impl AdmittedProducts<'_> {
    /// Calls `work` with these products. Errors: those of `work`, `interrupted`.
    fn with<T>(
        jobs: &[ProductJob<'_>],
        options: &Options<'_>,
        work: impl FnOnce(AdmittedProducts<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let (mut trivial_results, mut open) = (Vec::new(), Vec::with_capacity(jobs.len()));
        // The powers of all products are one list, whose inverses are computed together.
        let mut n_powers = 0;
        for (place, job) in jobs.iter().enumerate() {
            while_reading(options.watch(), place)?;
            match trivial(job, options) {
                Some(answer) => trivial_results.push((place, answer)),
                None => {
                    open.push((place, job, n_powers));
                    n_powers += job.0.len();
                }
            }
        }
        let all = open.iter().flat_map(|(_, job, first)| powers(job, *first));
        let inverses = Inverses::of(all, options.limits.exponent_bits, options.workers())?;
        let (mut products, mut problems) = (Vec::with_capacity(open.len()), Vec::with_capacity(open.len()));
        for (index, &(place, job, first)) in open.iter().enumerate() {
            while_reading(options.watch(), index)?;
            match listed(place, job, first, &inverses) {
                Err(error) => trivial_results.push((place, Err(error))),
                Ok(product) => {
                    let work = listed_lengths(product.exponents.iter().map(Exponent::bits));
                    problems.push(shape_problem(product.modulus, work, options)?);
                    products.push(product);
                }
            }
        }
        work(AdmittedProducts { products, problems, trivial_results })
    }

    fn plan(&self, options: &Options<'_>) -> Result<ListPlan<PowerProduct>, Error> {
        let forced = self.forced(options)?;
        Planner::of_this_machine().plan_product_list(&self.problems, options.thread_budget(), &forced)
    }

    fn forced(&self, options: &Options<'_>) -> Result<Forced<PowerProduct>, Error> {
        Forced::read(options.kernel, options.plan)?.of_each(self.problems.len())
    }
}

/// The result of a product that needs no work, if it does not. An exponent over the cap comes first, then the modulus of 1.
fn trivial(&(bases, exponents, modulus): &ProductJob<'_>, options: &Options<'_>) -> Option<Result<Natural, Error>> {
    if bases.len() != exponents.len() {
        return Some(Err(Error::BadArgument(format!("{} bases and {} exponents", bases.len(), exponents.len()))));
    }
    if let Err(error) = options.limits.check_exponents(exponents) {
        return Some(Err(error));
    }
    if modulus.value().is_one() {
        return Some(Ok(Natural::default()));
    }
    exponents.iter().all(|exponent| exponent.magnitude().is_zero()).then(|| Ok(Natural::from(1u64)))
}

/// The powers of a product, each behind its place, with places from `first` on.
fn powers<'a>(&(bases, exponents, modulus): &ProductJob<'a>, first: usize) -> impl Iterator<Item = (usize, Job<'a>)> {
    (0..bases.len()).map(move |at| (first + at, Job { base: &bases[at], exponent: &exponents[at], modulus }))
}

/// The powers that need a product. Error: `not_invertible`, at the first base that has no inverse.
fn listed<'a>(
    place: usize,
    job: &ProductJob<'a>,
    first: usize,
    inverses: &'a Inverses,
) -> Result<ListedProduct<'a>, Error> {
    let (mut bases, mut exponents, mut negative) =
        (Vec::with_capacity(job.0.len()), Vec::with_capacity(job.0.len()), false);
    for (index, (at, power)) in powers(job, first).enumerate() {
        let Some(exponent) = Exponent::new(power.exponent.magnitude().clone()) else { continue };
        let element = inverses.element(at, power).map_err(|error| Error::At { index, error: Box::new(error) })?;
        bases.push(element.base);
        exponents.push(exponent);
        negative ^= element.negated;
    }
    Ok(ListedProduct { place, modulus: &job.2.prepared, bases, exponents, negative })
}
