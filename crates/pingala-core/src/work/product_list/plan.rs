//! Plans lists of products: by price, which share lanes and which run separately.

use crate::algorithm::{ExpectedCost, PowerProduct, ShapeBits};
use crate::engine::plan::explain::Explanation;
use crate::engine::plan::line::Forced;
use crate::engine::plan::list::{Kind, Kinds, ListPlan, Sequence, packs_are_alike};
use crate::engine::plan::parts::{Divisible, cheapest};
use crate::engine::plan::planner::Run;
use crate::engine::plan::schedule::{PricedClass, ThreadBudget};
use crate::engine::plan::tree::SmallList;
use crate::engine::plan::{Plan, Planner, ShapeProblem};
use crate::error::Error;
use crate::kernel::spec::KernelSpec;
use crate::work::shared_work::plan::{nanoseconds, rounded_lengths};
use core::cmp::Reverse;

/// The lengths rounded up by less than a sixteenth: in a list more products are alike and share lanes.
pub(crate) fn listed_lengths(bits: impl ExactSizeIterator<Item = usize>) -> ShapeBits {
    rounded_lengths::<16>(bits)
}

/// Products sorted into kinds that cost the same.
type AlikeProducts<'p> = Sequence<&'p ShapeProblem>;

impl Planner {
    /// Plans products of these lengths, each as forced, or all by the forced tree.
    ///
    /// Error: `bad_plan` for a line that does not fit, or if nothing fits the memory.
    pub(crate) fn plan_product_list(
        &self,
        problems: &[ShapeProblem],
        budget: ThreadBudget,
        forced: &Forced<PowerProduct>,
    ) -> Result<ListPlan<PowerProduct>, Error> {
        let (kinds, order) = alike(problems);
        if let Some(tree) = forced.tree() {
            let classes = self.classes_of_products(tree, &kinds)?;
            return Ok(ListPlan::new((tree.clone(), classes), order, budget));
        }
        let (mut alone, mut in_lanes) = (Vec::new(), Vec::new());
        for Kind { element: problem, .. } in &kinds.kinds {
            let run = self.product_in_lanes(problem, forced)?;
            alone.push(match (self.priced_product(problem, forced), &run) {
                // What is forced may be only for lanes.
                (Err(_), Some(run)) if !forced.is_nothing() => (run.clone().into(), f64::INFINITY),
                (alone, _) => alone?,
            });
            in_lanes.push(run);
        }
        let mut lanes: Vec<usize> = in_lanes.iter().flatten().map(|run| run.form.kernel.lanes()).collect();
        lanes.sort_unstable_by_key(|&lanes| Reverse(lanes));
        lanes.dedup();
        let pack = |kind: usize, _: &[(&Kind<&ShapeProblem>, usize)], width| {
            let run = in_lanes[kind].as_ref().filter(|run| width <= run.form.kernel.lanes());
            Ok(run.map(|run| (run.clone().into(), run.nanoseconds)))
        };
        let classes = kinds.classes_by_price(&alone, &lanes, (|_: &&ShapeProblem| true, false, 1), budget, pack)?;
        Ok(ListPlan::new(classes.plan(), order, budget))
    }

    /// Expected seconds of `count` such products in one list, on one thread. Error: `bad_plan`.
    pub fn seconds_of_products(&self, problem: &ShapeProblem, count: usize) -> Result<f64, Error> {
        let alone = count as f64 * self.priced_product(problem, &Forced::default())?.1;
        let in_lanes = self
            .product_in_lanes(problem, &Forced::default())?
            .map_or(f64::INFINITY, |run| count.div_ceil(run.form.kernel.lanes()) as f64 * run.nanoseconds);
        Ok(alone.min(in_lanes) * 1e-9)
    }

    /// The plan of a list with the candidates of the products that are expected to take the most time, priced for one product.
    ///
    /// Errors: `bad_argument` without a product, `bad_plan`.
    pub(crate) fn explain_product_list(
        &self,
        problems: &[ShapeProblem],
        list: &ListPlan<PowerProduct>,
        forced: &Forced<PowerProduct>,
    ) -> Result<Explanation<PowerProduct>, Error> {
        let kinds = alike(problems).0.kinds;
        let seconds = kinds.iter().map(|kind| self.seconds_of_products(kind.element, kind.count));
        let seconds: Vec<f64> = seconds.collect::<Result<_, _>>()?;
        // The first of those that take as long.
        let longest = (0..kinds.len()).rev().max_by(|&a, &b| seconds[a].total_cmp(&seconds[b]));
        let longest = longest.ok_or_else(|| Error::BadArgument("without a product there is nothing to plan".into()))?;
        let first = kinds[..longest].iter().map(|kind| kind.count).sum();
        let Kind { element: problem, count } = kinds[longest];
        let classes = list.plan.classes();
        let chosen = classes.iter().flat_map(|(plan, count)| core::iter::repeat_n(*plan, *count)).nth(first);
        let chosen = chosen.ok_or(Error::Fault("a product has no class"))?;
        let on_kernel = Forced::default().on(forced.kernel);
        let mut in_lanes = self.products_in_lanes(problem, &on_kernel)?;
        if chosen.is_in_lanes() && !in_lanes.iter().any(|run| Plan::from(run.clone()) == *chosen) {
            in_lanes.extend(self.products_in_lanes(problem, &Forced::by(chosen)?)?);
        }
        for run in &mut in_lanes {
            run.nanoseconds /= run.form.kernel.lanes().min(count) as f64;
        }
        let mut heading = format!("{}, {count} times", problem.heading::<PowerProduct>());
        if let others @ 1.. = problems.len() - count {
            heading += &format!("; {others} other products");
        }
        let explanation = self.explain_plan(heading, (chosen.clone(), 0.0), problem.parts(), forced, &in_lanes)?;
        Ok(explanation.of_list(list.plan.clone(), list.nanoseconds))
    }

    /// The cheapest run that computes several such products at once; its price is that of the run. None if no kernel with lanes
    /// fits, or what is forced is not for lanes. Error: `bad_plan`.
    fn product_in_lanes(
        &self,
        problem: &ShapeProblem,
        forced: &Forced<PowerProduct>,
    ) -> Result<Option<Run<PowerProduct>>, Error> {
        Ok(cheapest(self.products_in_lanes(problem, forced)?).ok())
    }

    /// Every run that computes several such products at once, priced.
    fn products_in_lanes(
        &self,
        problem: &ShapeProblem,
        forced: &Forced<PowerProduct>,
    ) -> Result<Vec<Run<PowerProduct>>, Error> {
        if !problem.factors.is_empty() || problem.trailing_zeros > 0 || problem.modulus_bits < 2 {
            return Ok(Vec::new());
        }
        let work = &problem.work;
        let (algorithms, spec): (_, Option<KernelSpec>) = match &forced.line {
            None => (PowerProduct::candidates(work), forced.kernel),
            Some(Plan::Run { algorithm, form }) => (algorithm.candidates(work), form.or(forced.kernel)),
            Some(_) => return Ok(Vec::new()),
        };
        let mut runs = Vec::new();
        for (form, prices) in self.all_forms(&problem.modulus_part(), spec) {
            if form.kernel.lane_family().is_none() {
                continue;
            }
            for algorithm in &algorithms {
                let PowerProduct::Straus(straus) = algorithm else { continue };
                let bytes = straus.uniform_registers(work.count) * form.n * 8 * form.kernel.lanes();
                if bytes as u64 <= problem.memory_bytes {
                    let cost = ExpectedCost::from(straus.uniform_cost(work.count, work.max_bits));
                    let nanoseconds = nanoseconds(&cost, &prices, work.count + 1);
                    runs.push(Run { algorithm: algorithm.clone(), form, cost, nanoseconds, table: None });
                }
            }
        }
        Ok(runs)
    }

    /// The classes of a forced tree. Error: `bad_plan` if they do not fit the list.
    fn classes_of_products(
        &self,
        tree: &Plan<PowerProduct>,
        kinds: &AlikeProducts<'_>,
    ) -> Result<SmallList<PricedClass>, Error> {
        kinds.classes_of_tree(tree, |plan, class| {
            if !packs_are_alike(class, plan.lanes(), |a, b| a.work.count == b.work.count) {
                return Err(Error::BadPlan(format!("{plan} for products of different numbers of powers")));
            }
            let (forced, mut nanoseconds) = (Forced::by(plan)?, 0.0_f64);
            for (Kind { element: problem, .. }, _) in class {
                nanoseconds = nanoseconds.max(match self.product_in_lanes(problem, &forced)? {
                    Some(run) if plan.is_in_lanes() => run.nanoseconds,
                    _ => self.priced_product(problem, &forced)?.1,
                });
            }
            Ok((plan.lanes(), nanoseconds))
        })
    }
}

/// The kinds in the order of the tree, and the products in that order.
fn alike(problems: &[ShapeProblem]) -> (AlikeProducts<'_>, Option<Vec<usize>>) {
    let key = |at: usize| {
        let parts: Vec<ShapeProblem> = problems[at].parts().into_iter().map(ShapeProblem::canonical).collect();
        Some((problems[at].factors.len(), parts))
    };
    Kinds::new(problems.len(), key, |at| &problems[at]).in_order(|problem| {
        let work = &problem.work;
        let limbs = problem.modulus_bits.div_ceil(64);
        Reverse((limbs, work.count, work.max_bits, work.total_bits))
    })
}
