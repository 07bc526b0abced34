//! Lists of powers: arguments are checked here, the planner decides how they are done, and execution follows its tree.

pub(crate) mod one_base_plan;
pub(crate) mod one_base_run;
pub(crate) mod plan;
pub(crate) mod run;

use self::one_base_plan::{SharedList, is_worth_sharing, names_shared_powers};
use crate::algorithm::{ManyExponents, ShapeBits};
use crate::engine::execute::normalise::{inverses_of, trivial};
use crate::engine::execute::{Answer, Argument, Element, Inverses, Poll, Prepared, has_memory_for_results};
use crate::engine::plan::line::{Forced, is_tree};
use crate::engine::plan::schedule;
use crate::engine::plan::{Explanation, ListPlan, Plan, Planner, Problem, ShapeProblem, ThreadBudget};
use crate::error::Error;
use crate::natural::{Integer, Natural, chores};
use crate::work::factored;
use crate::work::list::one_base_run::OneBase;
use crate::work::list::run::List;
use crate::work::{Modulus, Options};
use std::sync::Arc;

/// One element of a list: base^exponent mod modulus.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// Any integer; reduced first.
    pub base: &'a Integer,
    /// Any integer; a negative one needs a base with an inverse.
    pub exponent: &'a Integer,
    /// The modulus.
    pub modulus: &'a Modulus,
}

impl<'a> Argument<'a> for Job<'a> {
    #[inline]
    fn base(self) -> &'a Integer {
        self.base
    }

    #[inline]
    fn exponent(self) -> &'a Integer {
        self.exponent
    }

    #[inline]
    fn modulus(self) -> &'a Prepared<'a> {
        &self.modulus.prepared
    }
}

/// A list of powers, in order, each with its own error, computed on several threads. The outer error is `bad_plan`, for the
/// settings, or `interrupted`.
pub fn pow_list(jobs: &[Job<'_>], options: &Options<'_>) -> Result<Vec<Result<Natural, Error>>, Error> {
    let options = options.resolved()?;
    has_memory_for_results(jobs.iter().map(|job| job.modulus.value().bits()))?;
    match modulus_of_inverses(jobs, &options) {
        Some(modulus) => inverses_of(&[(modulus, residues(jobs, modulus))], options.workers()),
        None => Admitted::of_jobs(jobs, &options, |list| list.run(&options)),
    }
}

/// The one modulus of jobs that are all inverses, which no plan line is about; none of others.
fn modulus_of_inverses<'a>(jobs: &[Job<'a>], options: &Options<'_>) -> Option<&'a Prepared<'static>> {
    let Job { modulus, exponent, .. } = jobs.first()?;
    let is_trivial = trivial(modulus.value(), exponent, options.limits.exponent_bits).is_some();
    let minus_one = Integer::from(-1i64);
    let alike = |job: &Job<'_>| Arc::ptr_eq(&job.modulus.prepared, &modulus.prepared) && *job.exponent == minus_one;
    (!is_trivial && !options.forces() && jobs.iter().all(alike)).then_some(&*modulus.prepared)
}

fn residues(jobs: &[Job<'_>], modulus: &Prepared<'_>) -> Vec<Natural> {
    jobs.iter().map(|job| chores::reduce(job.base, modulus.facts().value())).collect()
}

/// The tree that [`pow_list`] follows: a line for [`Options::with_plan`] with the same list. It leaves out elements that need no
/// product and elements that are an error. Errors as [`pow_list`], and that of the first element if what is forced fits none.
pub fn plan_list(jobs: &[Job<'_>], options: &Options<'_>) -> Result<Plan, Error> {
    let options = options.resolved()?;
    Admitted::of_jobs(jobs, &options, |mut list| {
        Ok(match list.plan(&options)? {
            SharedOrApart::Apart(plan) => list.unless_all_refused(plan)?.plan,
            SharedOrApart::Shared(_, list, _) => list.plan,
        })
    })
}

/// The plan of a list.
enum SharedOrApart<'a> {
    /// Each power separately, or several in lanes.
    Apart(ListPlan),
    /// Powers of one base that share runs; with the other plan, unless a line forces this one.
    Shared(OneBase<'a>, SharedList, Option<ListPlan>),
}

/// A list without the elements whose results need no plan.
pub(crate) struct Admitted<'a> {
    list: List<'a>,
    trivial_results: Vec<(usize, Answer)>,
    count: usize,
}

impl<'a> Admitted<'a> {
    /// Calls `work` with these jobs. Errors: those of `work`, `interrupted`.
    pub(crate) fn of_jobs<T>(
        jobs: &[Job<'_>],
        options: &Options<'_>,
        work: impl FnOnce(Admitted<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        Admitted::with(jobs.iter().copied().enumerate(), Vec::new(), jobs.len(), options, work)
    }

    /// Calls `work` with a list of `count` elements, each behind its place, some of which are settled already. Errors: those of `work`,
    /// `interrupted`.
    pub(crate) fn with<'s, A: Argument<'s>, T>(
        arguments: impl ExactSizeIterator<Item = (usize, A)> + Clone,
        mut trivial_results: Vec<(usize, Answer)>,
        count: usize,
        options: &Options<'_>,
        work: impl FnOnce(Admitted<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let cap = options.limits.exponent_bits;
        let inverses = Inverses::of(arguments.clone(), cap, options.workers())?;
        let elements = inverses.elements(arguments, cap, &mut trivial_results, options.watch())?;
        work(Admitted { list: List::new(elements), trivial_results, count })
    }

    /// Plans and computes the list. Errors: `bad_plan`, `interrupted`.
    pub(crate) fn run(mut self, options: &Options<'_>) -> Result<Vec<Answer>, Error> {
        match self.plan(options)? {
            SharedOrApart::Apart(plan) => self.list.run(&plan, self.count, self.trivial_results, options.watch()),
            SharedOrApart::Shared(one_base, plan, _) => {
                one_base.run(&plan, self.count, self.trivial_results, options.watch())
            }
        }
    }

    /// The nanoseconds that the list is expected to take on one thread, each power by itself or several in lanes. Error: `bad_plan`.
    pub(crate) fn nanoseconds(&mut self, options: &Options<'_>) -> Result<f64, Error> {
        let forced = self.forced(options)?;
        Ok(schedule::total(&self.plan_apart(&forced, options)?.classes))
    }

    /// Chooses the plan. Errors: `bad_plan`, `interrupted`.
    fn plan(&mut self, options: &Options<'_>) -> Result<SharedOrApart<'a>, Error> {
        if let Some(line) = options.plan.filter(|line| names_shared_powers(line)) {
            return Ok(match self.plan_shared(line, options)? {
                Some((one_base, plan)) => SharedOrApart::Shared(one_base, plan, None),
                None => SharedOrApart::Apart(self.plan_apart(&Forced::default(), options)?),
            });
        }
        let separate = self.plan_apart(&self.forced(options)?, options)?;
        let Some(one_base) = self.may_share(&separate, options)? else { return Ok(SharedOrApart::Apart(separate)) };
        let (of, forced) = (self.shape(options)?, Forced::read(options.kernel, None)?);
        let (planner, budget) = (Planner::of_this_machine(), options.thread_budget());
        Ok(match planner.share_if_sooner(&of, &one_base.sides(), &separate, budget, &forced) {
            Some(shared) => SharedOrApart::Shared(one_base, shared, Some(separate)),
            None => SharedOrApart::Apart(separate),
        })
    }

    /// Powers of one base that might share runs; none if a line says otherwise, or if they take too little time.
    fn may_share(&self, separate: &ListPlan, options: &Options<'_>) -> Result<Option<OneBase<'a>>, Error> {
        let worth = options.plan.is_none() && is_worth_sharing(separate);
        if worth { OneBase::of(&self.list.powers, options.watch()) } else { Ok(None) }
    }

    /// The forced plan of each element, or of the whole list. A batch of all elements counts as a plan of each element. Without an element
    /// a plan for another kind of work is not obeyed: nothing needs one.
    fn forced(&self, options: &Options<'_>) -> Result<Forced, Error> {
        let forced = match Forced::read(options.kernel, options.plan) {
            Err(_) if self.list.powers.is_empty() => return Ok(Forced::default()),
            forced => forced?,
        };
        forced.clone().of_each(self.count).or_else(|_| forced.of_each(self.list.powers.len()))
    }

    /// Plans each power separately, or several in lanes; splits powers by the known factors of their modulus if that is cheaper.
    fn plan_apart(&mut self, forced: &Forced, options: &Options<'_>) -> Result<ListPlan, Error> {
        let (planner, poll) = (Planner::of_this_machine(), Poll::new(options.watch(), None));
        let mut apart = false;
        if self.list.powers.iter().any(|power| !power.modulus.parts().is_empty()) {
            let (count, alike) = (self.list.powers.len(), self.list.is_alike());
            for power in &self.list.powers {
                factored::learn(power.modulus, power.exponent.bits(), &poll)?;
            }
            let plans = |power: &Element<'a>| {
                let whole = power.problem();
                let has_factors = !whole.factors.is_empty();
                let plans = has_factors.then(|| planner.parts_of(&whole, count, alike, forced)).flatten();
                apart |= plans.is_some();
                plans
            };
            self.list.split_by_factors(plans, options.watch())?;
        }
        planner.plan_power_list(
            self.list.len(),
            (|index| self.list.new_key(index), |index| self.list.element(index)),
            forced,
            apart,
            options.thread_budget(),
        )
    }

    /// Returns the plan of a list. Error: that of the first element if a forced kernel or line fits none.
    fn unless_all_refused(&self, plan: ListPlan) -> Result<ListPlan, Error> {
        match plan.refused.iter().min_by_key(|(index, _)| *index) {
            Some((_, error)) if plan.refused.len() == self.list.len() => Err(error.clone()),
            _ => Ok(plan),
        }
    }

    /// Plans powers that share runs because the forced line says so; none without a power. Error: `bad_plan` for powers of several
    /// bases.
    fn plan_shared(&self, line: &str, options: &Options<'_>) -> Result<Option<(OneBase<'a>, SharedList)>, Error> {
        if self.list.powers.is_empty() {
            return Ok(None);
        }
        let Some(one_base) = OneBase::of(&self.list.powers, options.watch())? else {
            return Err(Error::BadPlan(format!("`{line}` is for powers of one base modulo one number above 1")));
        };
        let (planner, of) = (Planner::of_this_machine(), self.shape(options)?);
        let plan = if is_tree(line) {
            planner.shared_by_tree(&line.parse()?, &of, &one_base.sides())?
        } else {
            let (budget, forced) = (options.thread_budget(), Forced::read(options.kernel, Some(line))?);
            planner.plan_shared(&of, &one_base.sides(), (budget.for_work(f64::INFINITY), budget), &forced)?
        };
        Ok(Some((one_base, plan)))
    }

    /// The workload of powers of one base.
    fn shape(&self, options: &Options<'_>) -> Result<ShapeProblem, Error> {
        let longest = self.list.powers.iter().map(|power| power.exponent.bits()).max().unwrap_or(1);
        let work = ShapeBits::equal(self.list.powers.len(), longest as usize);
        factored::shape_problem(self.list.powers[0].modulus, work, options)
    }

    /// Explains the list, with the cost of the alternative. Errors: those of [`pow_list`], and of its
    /// elements if the line fits none.
    pub(crate) fn explain(&mut self, options: &Options<'_>) -> Result<Explanation, Error> {
        match self.plan(options)? {
            SharedOrApart::Shared(one_base, plan, separate) => {
                let separate = separate.map(|separate| self.explain_apart(&separate, options)).transpose()?;
                let together = self.explain_runs(&one_base, &plan, options)?;
                let explained = Explanation::of_runs(plan.plan, plan.nanoseconds, together)?;
                Ok(match separate {
                    Some(other) => explained.instead("each power by itself", other.plan(), other.seconds()),
                    None => explained,
                })
            }
            SharedOrApart::Apart(separate) => {
                let separate = self.unless_all_refused(separate)?;
                let explained = self.explain_apart(&separate, options)?;
                let Some(one_base) = self.may_share(&separate, options)? else { return Ok(explained) };
                let (planner, of) = (Planner::of_this_machine(), self.shape(options)?);
                let forced = Forced::read(options.kernel, None)?;
                let on_one = planner.plan_shared(&of, &one_base.sides(), (1, ThreadBudget::ONE), &forced);
                let together = on_one.and_then(|plan| self.explain_runs(&one_base, &plan, options));
                let Ok(together) = together else { return Ok(explained) };
                let lines: Vec<String> = together.iter().map(|run| run.plan().to_string()).collect();
                let seconds = together.iter().map(Explanation::seconds).sum();
                Ok(explained.instead("one run for all powers, on one thread", &lines.join(", then "), seconds))
            }
        }
    }

    /// The candidates of the longest power, for the whole list.
    fn explain_apart(&self, list: &ListPlan, options: &Options<'_>) -> Result<Explanation, Error> {
        let powers = &self.list.powers;
        let longest = powers.iter().max_by_key(|power| power.exponent.bits());
        let longest = longest.ok_or_else(|| Error::BadArgument("without a power there is nothing to plan".into()))?;
        let same_exponent = powers.iter().all(|power| power.exponent == longest.exponent);
        let problem = Problem { count: powers.len() as u64, same_exponent, ..longest.problem() };
        let forced = self.forced(options)?.without_tree();
        let mut explanation = Planner::of_this_machine().explain_forced(&problem, &forced)?;
        explanation.summary.forced = options.forces();
        Ok(explanation.of_list(list.plan.clone(), list.nanoseconds))
    }

    /// The candidates of each run, on one thread.
    fn explain_runs(
        &self,
        one_base: &OneBase<'_>,
        plan: &SharedList,
        options: &Options<'_>,
    ) -> Result<Vec<Explanation<ManyExponents>>, Error> {
        let (planner, of, sides) = (Planner::of_this_machine(), self.shape(options)?, one_base.sides());
        let line = options.plan.filter(|line| !is_tree(line));
        let runs = plan.ranges.iter().map(|(side, range)| {
            let problem = ShapeProblem { work: ShapeBits::of(&sides[*side][range.clone()]), ..of.clone() };
            let mut explanation = planner.explain_shape(&problem, options.kernel, line)?;
            explanation.summary.forced = options.forces();
            Ok(explanation)
        });
        runs.collect()
    }
}
