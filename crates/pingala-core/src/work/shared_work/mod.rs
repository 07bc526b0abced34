//! Work that is more than one power: several powers of one base, a product of powers.

pub(crate) mod plan;
pub(crate) mod run;
pub(crate) mod stream;
pub(crate) mod stream_plan;

use crate::algorithm::{PowerProduct, ShapeBits};
use crate::engine::execute::{ProductOf, Watch, while_reading};
use crate::engine::plan::line::{is_tree, sides_of_line};
use crate::engine::plan::{Explanation, Plan, Planner};
use crate::error::{Error, pairs};
use crate::exponent::Exponent;
use crate::kernel::matrix_products::means;
use crate::natural::euclid::Means;
use crate::natural::{Integer, Natural, chores, euclid};
use crate::work::factored::shape_problem;
use crate::work::list::Admitted;
use crate::work::shared_work::plan::product_lengths;
use crate::work::shared_work::run::product_of_parts;
use crate::work::{Job, Limits, Modulus, Options};

/// One answer for each element.
type Results = Vec<Result<Natural, Error>>;

impl Modulus {
    /// base^e mod m for each exponent e, each with its own error. The planner chooses between common squarings, common bits and
    /// separate powers by price, within `options.memory_bytes`. Exponents may have any lengths; negative ones need a base with
    /// an inverse.
    ///
    /// The outer error is `bad_plan`, for the settings, or `interrupted`. Leaks: everything, by its timing.
    ///
    /// ```
    /// # use pingala_core as pingala;
    /// use pingala::{Modulus, Options};
    /// let modulus = Modulus::new(1009u64.into())?;
    /// let powers = modulus.pow_exp_list(&11u64.into(), &[2u64.into(), 3u64.into()], &Options::default())?;
    /// assert_eq!(powers, [Ok(121u64.into()), Ok(322u64.into())]);
    /// # Ok::<(), pingala::Error>(())
    /// ```
    pub fn pow_exp_list(&self, base: &Integer, exponents: &[Integer], options: &Options<'_>) -> Result<Results, Error> {
        let jobs: Vec<Job<'_>> = exponents.iter().map(|exponent| Job { base, exponent, modulus: self }).collect();
        crate::work::pow_list(&jobs, options)
    }

    /// b^exponent mod m for each base b, each with its own error. The exponent is recoded once for eight powers that run at a time
    /// if the CPU has lanes. Errors as [`Modulus::pow_exp_list`].
    pub fn pow_base_list(
        &self,
        bases: &[Integer],
        exponent: &Integer,
        options: &Options<'_>,
    ) -> Result<Results, Error> {
        let jobs: Vec<Job<'_>> = bases.iter().map(|base| Job { base, exponent, modulus: self }).collect();
        crate::work::pow_list(&jobs, options)
    }

    /// The product of `bases[i]^exponents[i]` mod m; 1 mod m for no bases. Negative exponents share one inversion.
    ///
    /// Errors: `bad_argument` for lists of different lengths; `too_long`; `not_invertible`, at the index of the base that has
    /// no inverse; `bad_plan`, `interrupted`. Leaks: everything, by its timing.
    ///
    /// ```
    /// # use pingala_core as pingala;
    /// use pingala::{Modulus, Options};
    /// let modulus = Modulus::new(1009u64.into())?;
    /// let product = modulus.pow_product(&[2u64.into(), 3u64.into()], &[10u64.into(), 4u64.into()], &Options::default())?;
    /// assert_eq!(product, 206u64.into());
    /// # Ok::<(), pingala::Error>(())
    /// ```
    pub fn pow_product(
        &self,
        bases: &[Integer],
        exponents: &[Integer],
        options: &Options<'_>,
    ) -> Result<Natural, Error> {
        let options = options.resolved()?;
        let work = self.power_product(bases, exponents, &options)?;
        let m = self.value();
        if m.is_one() {
            return Ok(Natural::default());
        }
        let plan = self.plan_sides(work.bits(), &options)?;
        let one_sided = |side: &ProductSide<'_>, plan: &Plan<PowerProduct>| {
            let ProductSide { bases, exponents, .. } = side;
            product_of_parts(&ProductOf { modulus: &self.prepared, bases, exponents }, plan, options.watch())
        };
        let product = match &plan {
            None => Natural::from(1u64),
            Some((Plan::Over { above, below }, _)) => {
                let over = above.as_ref().map(|above| one_sided(&work.above, above)).transpose()?;
                let under = one_sided(&work.below, below)?;
                let go_on = || !options.watch().is_some_and(Watch::stop);
                let inverse = match euclid::inverse(&under, m, means(&go_on))? {
                    Some(inverse) => inverse,
                    None => return Err(work.without_inverse(m, means(&go_on))?),
                };
                over.map_or(inverse.clone(), |over| chores::rem(&chores::mul(&over, &inverse), m))
            }
            Some((plan, _)) => one_sided(&work.above, plan)?,
        };
        Ok(if work.negative { chores::negate(product, m) } else { product })
    }

    /// Explains the plan of [`Modulus::pow_base_list`] for bases and an exponent of these lengths: one plan for each power, or for
    /// eight powers at a time.
    ///
    /// Errors: `bad_argument` for no bases; `bad_plan`, `interrupted`.
    pub fn explain_base_list(
        &self,
        bases: &[Integer],
        exponent: &Integer,
        options: &Options<'_>,
    ) -> Result<Explanation, Error> {
        let options = options.resolved()?;
        options.limits.check_exponent_bits(exponent.magnitude().bits())?;
        if bases.is_empty() {
            return Err(Error::BadArgument("without a base there is nothing to plan".into()));
        }
        let jobs: Vec<Job<'_>> = bases.iter().map(|base| Job { base, exponent, modulus: self }).collect();
        Admitted::of_jobs(&jobs, &options, |mut list| list.explain(&options))
    }

    /// Explains the plan of [`Modulus::pow_exp_list`] for a base as long as the modulus: which powers share squarings or a table,
    /// which are separate, candidates, counts, prices, estimated seconds.
    ///
    /// Errors: `bad_argument` without an exponent other than 0; `too_long` at the first exponent above the limit; `bad_plan`,
    /// `interrupted`.
    pub fn explain_exp_list(&self, exponents: &[Integer], options: &Options<'_>) -> Result<Explanation, Error> {
        let options = options.resolved()?;
        check_planned(exponents, &options.limits)?;
        // It has an inverse.
        let base = Integer::from(chores::negate(Natural::from(1u64), self.value()));
        let jobs: Vec<Job<'_>> =
            exponents.iter().map(|exponent| Job { base: &base, exponent, modulus: self }).collect();
        Admitted::of_jobs(&jobs, &options, |mut list| list.explain(&options))
    }

    /// Explains the plan of [`Modulus::pow_product`] for these exponents; positive and negative exponents have separate
    /// plans. Errors as [`Modulus::explain_exp_list`].
    pub fn explain_product(
        &self,
        exponents: &[Integer],
        options: &Options<'_>,
    ) -> Result<Explanation<PowerProduct>, Error> {
        let options = options.resolved()?;
        check_planned(exponents, &options.limits)?;
        // Whatever the bases are.
        let sides = self.power_product(exponents, exponents, &options)?.bits();
        let plan = self.plan_sides(sides, &options)?;
        let line = options.plan.filter(|line| !is_tree(line));
        let mut together = Vec::new();
        for (negative, work) in pairs([false, true], sides)? {
            let Some(work) = work else { continue };
            let problem = shape_problem(&self.prepared, work, &options)?;
            let mut explanation: Explanation<PowerProduct> =
                Planner::of_this_machine().explain_shape(&problem, options.kernel, line)?;
            explanation.summary.forced = options.forces();
            explanation.summary.problem += if negative { ", negative (one inversion)" } else { "" };
            together.push(explanation);
        }
        let (plan, nanoseconds) = plan.ok_or(Error::Fault("a product without factors is not planned"))?;
        Explanation::of_runs(plan, nanoseconds, together)
    }

    /// The tree of a product, if there is anything to multiply, with its expected nanoseconds: the powers with positive
    /// exponents, over those with negative ones.
    fn plan_sides(
        &self,
        [above, below]: [Option<ShapeBits>; 2],
        options: &Options<'_>,
    ) -> Result<Option<(Plan<PowerProduct>, f64)>, Error> {
        let planner = Planner::of_this_machine();
        let plan = |work: ShapeBits, line: Option<&str>| {
            let problem = shape_problem(&self.prepared, work, options)?;
            planner.plan_product(&problem, options.thread_budget(), options.kernel, line)
        };
        let Some(below) = below else { return above.map(|only| plan(only, options.plan)).transpose() };
        let [of_above, of_below] = sides_of_line(options.plan, above.is_some())?;
        let (below, under) = plan(below, of_below)?;
        let (above, over) = above.map(|above| plan(above, of_above)).transpose()?.unzip();
        let plan = Plan::Over { above: above.map(Box::new), below: Box::new(below) };
        Ok(Some((plan, under + over.unwrap_or(0.0))))
    }

    /// Sorts the factors of a product by the sign of their exponents.
    fn power_product<'a>(
        &self,
        bases: &'a [Integer],
        exponents: &[Integer],
        options: &Options<'_>,
    ) -> Result<Factors<'a>, Error> {
        if bases.len() != exponents.len() {
            let why = format!("{} bases and {} exponents", bases.len(), exponents.len());
            return Err(Error::BadArgument(why));
        }
        options.limits.check_exponents(exponents)?;
        let mut factors = Factors::default();
        for (index, (base, exponent)) in pairs(bases, exponents)?.enumerate() {
            while_reading(options.watch(), index)?;
            let Some(magnitude) = Exponent::new(exponent.magnitude().clone()) else { continue };
            factors.negative ^= base.is_negative() && magnitude.is_odd();
            let side = if exponent.is_negative() { &mut factors.below } else { &mut factors.above };
            side.places.push(index);
            side.bases.push(base.magnitude());
            side.exponents.push(magnitude);
        }
        Ok(factors)
    }
}

/// Errors: `bad_argument` if no power needs a product; `too_long` at the first exponent above the limit.
fn check_planned(exponents: &[Integer], limits: &Limits) -> Result<(), Error> {
    limits.check_exponents(exponents)?;
    if exponents.iter().all(|exponent| exponent.magnitude().is_zero()) {
        return Err(Error::BadArgument("without an exponent other than 0 there is nothing to plan".into()));
    }
    Ok(())
}

/// Powers of bases without their signs, with their places in the list.
#[derive(Default)]
struct ProductSide<'a> {
    places: Vec<usize>,
    bases: Vec<&'a Natural>,
    exponents: Vec<Exponent>,
}

/// The factors with positive exponents and those with negative ones; whether the signs of the bases make a minus.
#[derive(Default)]
struct Factors<'a> {
    above: ProductSide<'a>,
    below: ProductSide<'a>,
    negative: bool,
}

impl Factors<'_> {
    /// The lengths of each side that has factors.
    fn bits(&self) -> [Option<ShapeBits>; 2] {
        [&self.above, &self.below].map(|ProductSide { exponents, .. }| {
            (!exponents.is_empty()).then(|| product_lengths(exponents.iter().map(Exponent::bits)))
        })
    }

    /// The first base, among those with negative exponents, that shares a divisor with the modulus.
    /// Error: `interrupted`.
    fn without_inverse(&self, m: &Natural, means: Means<'_>) -> Result<Error, Error> {
        for (&base, &index) in pairs(&self.below.bases, &self.below.places)? {
            if !euclid::gcd(&chores::rem(base, m), m, means)?.is_one() {
                return Ok(Error::At { index, error: Box::new(Error::NotInvertible) });
            }
        }
        Ok(Error::NotInvertible)
    }
}
