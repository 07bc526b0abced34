//! Plans lists of products: by price, which share lanes and which run separately.

use crate::algorithm::{ExpectedCost, PowerProduct, ShapeBits};
use crate::engine::plan::SharedPart;
use crate::engine::plan::explain::Explanation;
use crate::engine::plan::line::{Line, is_tree};
use crate::engine::plan::list::{self, ListPlan};
use crate::engine::plan::parts::{Divisible, Parts};
use crate::engine::plan::planner::Run;
use crate::engine::plan::schedule::{PricedClass, ThreadBudget};
use crate::engine::plan::tree::{ClassStep, SmallList};
use crate::engine::plan::{Plan, Planner};
use crate::error::Error;
use crate::exponent::order;
use crate::kernel::spec::KernelSpec;
use crate::work::list::plan::Classes;
use crate::work::shared_work::plan::ShapeProblem;
use crate::work::shared_work::plan::candidates;
use core::cmp::Reverse;
use std::collections::HashMap;

/// The lengths of the exponents of a product, in bits, rounded up by less than a hundredth: the few bits in which random exponents
/// differ change no plan, and products with the same lengths here are priced once.
pub(crate) fn product_lengths(bits: impl ExactSizeIterator<Item = usize>) -> ShapeBits {
    rounded_lengths::<128>(bits)
}

/// The lengths rounded up by less than a sixteenth: in a list more products are alike and share lanes.
pub(crate) fn listed_lengths(bits: impl ExactSizeIterator<Item = usize>) -> ShapeBits {
    rounded_lengths::<16>(bits)
}

fn rounded_lengths<const STEPS: usize>(bits: impl ExactSizeIterator<Item = usize>) -> ShapeBits {
    let round = |bits: usize| bits.next_multiple_of((bits.next_power_of_two() / (2 * STEPS)).max(1));
    let count = bits.len();
    let (max_bits, total_bits) = bits.fold((1, 0), |(max, sum), bits| (max.max(bits), sum + bits));
    let others = (total_bits.saturating_sub(max_bits)).div_ceil((count - 1).max(1));
    ShapeBits { count, max_bits: round(max_bits), total_bits: (round(max_bits) + (count - 1) * round(others)) as u64 }
}

/// Products that cost the same.
struct AlikeProducts<'p> {
    problem: &'p ShapeProblem,
    places: Vec<usize>,
}

impl Planner {
    /// Plans products of these lengths; `kernel` or `line` is forced on each, or the line is the whole tree.
    ///
    /// Error: `bad_plan` for a line that does not fit, or if nothing fits the memory.
    pub(crate) fn plan_product_list(
        &self,
        problems: &[ShapeProblem],
        budget: ThreadBudget,
        kernel: Option<&str>,
        line: Option<&str>,
    ) -> Result<ListPlan<PowerProduct>, Error> {
        let kinds = alike(problems);
        let order = kinds.iter().flat_map(|kind| kind.places.iter().copied()).collect();
        if let Some(line) = line.filter(|line| is_tree(line)) {
            let tree: Plan<PowerProduct> = line.parse()?;
            let classes = self.classes_of_products(&tree, &kinds)?;
            return Ok(ListPlan::new(tree, Some(order), classes, budget));
        }
        let (mut classes, forced) = (Classes::default(), kernel.is_some() || line.is_some());
        for AlikeProducts { problem, places } in &kinds {
            let lanes = self.product_in_lanes(problem, kernel, line)?;
            let alone = match (self.priced_product(problem, kernel, line), &lanes) {
                // What is forced may be only for lanes.
                (Err(_), Some(run)) if forced => (run.clone().into(), f64::INFINITY),
                (alone, _) => alone?,
            };
            let width = lanes.as_ref().map_or(1, |run| run.form.kernel.lanes());
            let rest = places.len() % width;
            // Whole packs, then the rest.
            for (count, width) in [(places.len() - rest, width), (rest, rest)] {
                let gains = |run: &&Run<PowerProduct>| run.nanoseconds < width as f64 * alone.1;
                let (plan, nanoseconds) = match lanes.as_ref().filter(gains) {
                    Some(run) => (run.clone().into(), run.nanoseconds),
                    None => alone.clone(),
                };
                if count > 0 {
                    let unit = Plan::lanes(&plan);
                    classes.push(plan, PricedClass { count, unit, nanoseconds }, unit == 1);
                }
            }
        }
        let (plan, classes) = classes.plan();
        Ok(ListPlan::new(plan, Some(order), classes, budget))
    }

    /// Expected seconds of `count` such products in one list, on one thread. Error: `bad_plan`.
    pub fn seconds_of_products(&self, problem: &ShapeProblem, count: usize) -> Result<f64, Error> {
        let alone = count as f64 * self.priced_product(problem, None, None)?.1;
        let in_lanes = self
            .product_in_lanes(problem, None, None)?
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
        kernel: Option<&str>,
        line: Option<&str>,
    ) -> Result<Explanation<PowerProduct>, Error> {
        let kinds = alike(problems);
        let mut longest: Option<(f64, usize, &AlikeProducts<'_>)> = None;
        let mut first = 0;
        for kind in &kinds {
            let seconds = self.seconds_of_products(kind.problem, kind.places.len())?;
            if longest.is_none_or(|(most, ..)| seconds > most) {
                longest = Some((seconds, first, kind));
            }
            first += kind.places.len();
        }
        let Some((_, first, AlikeProducts { problem, places })) = longest else {
            return Err(Error::BadArgument("without a product there is nothing to plan".into()));
        };
        let mut end = 0;
        let chosen = list.plan.classes().into_iter().find_map(|(step, count)| {
            end += count;
            if let ClassStep::Each(plan) = step { Some(plan).filter(|_| end > first) } else { None }
        });
        let chosen = chosen.ok_or(Error::Fault("a product has no class"))?;
        let mut in_lanes = self.products_in_lanes(problem, kernel, None)?;
        if chosen.is_in_lanes() && !in_lanes.iter().any(|run| Plan::from(run.clone()) == *chosen) {
            in_lanes.extend(self.products_in_lanes(problem, None, Some(&chosen.to_string()))?);
        }
        for run in &mut in_lanes {
            run.nanoseconds /= run.form.kernel.lanes().min(places.len()) as f64;
        }
        let parts = self.explained_parts(problem, chosen, kernel, &in_lanes)?;
        let mut heading = format!("{}, {} times", problem.heading::<PowerProduct>(), places.len());
        if let others @ 1.. = problems.len() - places.len() {
            heading += &format!("; {others} other products");
        }
        Ok(Explanation::new(heading, list.plan.clone(), parts, list.nanoseconds(), self.basis(kernel, line)))
    }

    /// The cheapest run that computes several such products at once; its price is that of the run. None if no kernel with lanes
    /// fits, or what is forced is not for lanes. Error: `bad_plan`.
    fn product_in_lanes(
        &self,
        problem: &ShapeProblem,
        kernel: Option<&str>,
        line: Option<&str>,
    ) -> Result<Option<Run<PowerProduct>>, Error> {
        let runs = self.products_in_lanes(problem, kernel, line)?;
        Ok(runs.into_iter().min_by(|a, b| a.nanoseconds.total_cmp(&b.nanoseconds)))
    }

    /// Every run that computes several such products at once, priced.
    fn products_in_lanes(
        &self,
        problem: &ShapeProblem,
        kernel: Option<&str>,
        line: Option<&str>,
    ) -> Result<Vec<Run<PowerProduct>>, Error> {
        if !problem.factors.is_empty() || problem.trailing_zeros > 0 || problem.modulus_bits < 2 {
            return Ok(Vec::new());
        }
        let (part, work) = (problem.odd(), &problem.work);
        let mut spec: Option<KernelSpec> = kernel.map(str::parse).transpose()?;
        let algorithms = match line.map(str::parse::<Line<PowerProduct>>).transpose()? {
            None => candidates(work),
            Some(Line::Run { algorithm, kernel }) => {
                spec = kernel.or(spec);
                algorithm.candidates(work)
            }
            Some(_) => return Ok(Vec::new()),
        };
        let mut runs = Vec::new();
        for (form, prices) in self.all_forms(part.modulus(), spec.as_ref()) {
            if form.kernel.lane_family().is_none() {
                continue;
            }
            for algorithm in &algorithms {
                let PowerProduct::Straus(straus) = algorithm else { continue };
                let bytes = straus.uniform_registers(work.count) * form.n * 8 * form.kernel.lanes();
                if bytes as u64 <= problem.memory_bytes {
                    let cost = ExpectedCost::from(straus.uniform_cost(work.count, work.max_bits));
                    let convert = prices.convert * 0.5 * (work.count + 1) as f64;
                    let nanoseconds = prices.setup + convert + prices.products(&cost) + cost.selections * prices.select;
                    runs.push(Run { algorithm: algorithm.clone(), form, cost, nanoseconds });
                }
            }
        }
        Ok(runs)
    }

    /// The classes of a forced tree. Error: `bad_plan` if they do not fit the list.
    fn classes_of_products(
        &self,
        tree: &Plan<PowerProduct>,
        kinds: &[AlikeProducts<'_>],
    ) -> Result<SmallList<PricedClass>, Error> {
        let problems: Vec<&ShapeProblem> =
            kinds.iter().flat_map(|kind| core::iter::repeat_n(kind.problem, kind.places.len())).collect();
        list::classes_of_tree(tree, problems.len(), |plan, range| {
            let (line, mut nanoseconds) = (plan.to_string(), 0.0_f64);
            let mut before: Option<&ShapeProblem> = None;
            for &problem in &problems[range] {
                if before.is_some_and(|before| core::ptr::eq(before, problem)) {
                    continue;
                }
                if plan.is_in_lanes() && before.is_some_and(|before| before.work.count != problem.work.count) {
                    return Err(Error::BadPlan(format!("{plan} for products of different numbers of powers")));
                }
                before = Some(problem);
                nanoseconds = nanoseconds.max(match self.product_in_lanes(problem, None, Some(&line))? {
                    Some(run) if plan.is_in_lanes() => run.nanoseconds,
                    _ => self.priced_product(problem, None, Some(&line))?.1,
                });
            }
            Ok((plan.lanes(), nanoseconds))
        })
    }
}

/// The kinds in the order of the tree.
fn alike(problems: &[ShapeProblem]) -> Vec<AlikeProducts<'_>> {
    let mut kinds: Vec<AlikeProducts<'_>> = Vec::new();
    let mut known: HashMap<Parts<SharedPart>, usize> = HashMap::new();
    for (place, problem) in problems.iter().enumerate() {
        let kind = *known.entry(problem.parts().map(&SharedPart::canonical)).or_insert(kinds.len());
        if kind == kinds.len() {
            kinds.push(AlikeProducts { problem, places: Vec::new() });
        }
        kinds[kind].places.push(place);
    }
    let key = |AlikeProducts { problem, .. }: &AlikeProducts<'_>| {
        let work = &problem.work;
        (
            Reverse(problem.modulus_bits.div_ceil(64)),
            Reverse(work.count),
            Reverse(work.max_bits),
            Reverse(work.total_bits),
        )
    };
    order::sort(&mut kinds, |a, b| key(a).cmp(&key(b)));
    kinds
}
