//! Plans lists of powers: by price, which elements share lanes and which run separately.

use crate::algorithm::{self, Algorithm};
use crate::engine::plan::line::Forced;
use crate::engine::plan::list::{Classes, Kind, Kinds, ListPlan, Sequence, packs_are_alike};
use crate::engine::plan::parts::{Divisible, PlannedPart};
use crate::engine::plan::planner::Run;
use crate::engine::plan::problem::Part;
use crate::engine::plan::schedule::{PricedClass, ThreadBudget};
use crate::engine::plan::tree::SmallList;
use crate::engine::plan::{Plan, Planner, Problem};
use crate::error::Error;
use crate::kernel::registry::{HAS_LANES, KERNELS};
use core::cmp::Reverse;
use smallvec::SmallVec;
use std::borrow::Cow;

/// Fewest parts of one power for which lanes are considered. Two parts gain only at about 192 bits, and less than the
/// comparison costs.
const FEWEST_PARTS: usize = 3;

/// The number of an exponent that no other element has.
pub(crate) const OWN_EXPONENT: usize = usize::MAX;

/// One power of a list as a planner sees it, with an exponent of 1 or more.
#[derive(Clone, Debug)]
pub(crate) struct ListedProblem {
    /// The power as a problem of its own.
    pub(crate) problem: Problem,
    /// The known factor of the modulus for which it is the part of a power; none for a whole power. Adjacent elements modulo the same
    /// factor share its constants.
    pub(crate) factor: Option<usize>,
    /// Elements with the same number here have the same exponent, but for [`OWN_EXPONENT`].
    pub(crate) exponent: usize,
    /// The forced plan, if it is known already.
    pub(crate) forced: Option<Box<Plan>>,
}

impl ListedProblem {
    /// Whether it may stand in a lane.
    fn fits_lanes(&self) -> bool {
        self.problem.odd_bits() > 1 && self.problem.factors.is_empty()
    }

    /// The key of a whole power, or of its part modulo a known factor. A part never has the key of a whole power: their plans differ even
    /// if their lengths are the same, because a whole power modulo a number with one known factor is split and its part is not.
    /// `modulus` is 0 if moduli of one length need no telling apart.
    #[inline]
    pub(crate) fn key(&self, modulus: usize) -> Key {
        let &Self { ref problem, factor, exponent, .. } = self;
        let (odd_bits, trailing_zeros) = (problem.odd_bits(), problem.trailing_zeros);
        let part = problem.odd_part(odd_bits).canonical();
        // Short exponents of usual weights go together, or lanes would not fill.
        let usual = |&weight: &u64| Problem::is_usual_weight(weight, part.exponent_bits);
        let part = Part { exponent_weight: part.exponent_weight.filter(|weight| !usual(weight)), ..part };
        Key { part, has_odd_part: odd_bits > 1, trailing_zeros, factor, exponent, modulus }
    }

    fn repeats_its_exponent(&self) -> bool {
        self.exponent != OWN_EXPONENT
    }

    /// As a problem of `count` powers that may share lanes.
    fn times(&self, count: usize, same_exponent: bool) -> Problem {
        Problem { count: count as u64, same_exponent, ..self.problem.clone() }
    }
}

/// The key of a kind, which needs no memory for each element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    part: Part,
    has_odd_part: bool,
    trailing_zeros: u64,
    /// See [`ListedProblem::factor`] and [`ListedProblem::exponent`].
    factor: Option<usize>,
    exponent: usize,
    /// Elements with known factors, or a forced plan of their own, are alike only modulo the same number.
    modulus: usize,
}

impl Planner {
    /// Plans a list of `count` powers, some of which were taken `apart`. `budget` decides how many threads they get, unless the
    /// forced tree does.
    ///
    /// Error: `bad_plan` for a forced tree that does not fit this list, or if nothing has a price.
    pub(crate) fn plan_power_list(
        &self,
        count: usize,
        (key, element): (impl Fn(usize) -> Option<Key>, impl Fn(usize) -> ListedProblem),
        forced: &Forced,
        apart: bool,
        budget: ThreadBudget,
    ) -> Result<ListPlan, Error> {
        let mut kinds = Kinds::new(count, key, element);
        let mut refused: Vec<(usize, Error)> = Vec::new();
        if !forced.is_nothing() && forced.tree().is_none() {
            for at in 0..kinds.kinds.len() {
                match self.forced_plan(&kinds.kinds[at], forced, count) {
                    Ok(plan) => kinds.kinds[at].element.forced = Some(Box::new(plan)),
                    Err(error) => {
                        refused.extend(kinds.elements(at, count).into_iter().map(|index| (index, error.clone())));
                        kinds.kinds[at].count = 0;
                    }
                }
            }
        }
        let (sequence, order) = kinds.in_order(|element| {
            let ListedProblem { problem, factor, exponent, .. } = element;
            let lengths = [problem.odd_bits(), problem.trailing_zeros].map(|bits| Reverse(bits.div_ceil(64)));
            (!element.fits_lanes(), lengths, Reverse(problem.exponent_bits), *factor, *exponent)
        });
        let (plan, classes) = match forced.tree() {
            Some(tree) => (tree.clone(), self.classes_of_tree(tree, &sequence)?),
            None if forced.is_nothing() => {
                let alone = sequence.kinds.iter().map(|kind| self.plan_alone(&kind.element));
                let alone = alone.collect::<Result<SmallList<_>, Error>>()?;
                let pack = |_, pack: &[(&Kind<ListedProblem>, usize)], width| self.plan_batch(pack, width);
                let (lanes, fits) = (lane_widths(), |element: &ListedProblem| element.fits_lanes());
                sequence.classes_by_price(&alone, &lanes, (fits, true, 2), budget, pack)?.plan()
            }
            None => self.forced_classes(sequence).plan(),
        };
        let plan = if apart && forced.tree().is_none() { Plan::Parts(Box::new(plan)) } else { plan };
        Ok(ListPlan { refused, ..ListPlan::new((plan, classes), order, budget) })
    }

    /// The plan of a single element, and its expected nanoseconds.
    fn plan_alone(&self, element: &ListedProblem) -> Result<(Plan, f64), Error> {
        let problem = Problem { count: 1, ..element.problem.clone() };
        if problem.factors.is_empty() {
            let [odd, two] = self.runs(&problem)?;
            let nanoseconds = [&odd, &two].into_iter().flatten().map(|run| run.nanoseconds).sum();
            return Ok((tree_of(odd.map(Cow::into_owned), two.map(Cow::into_owned))?, nanoseconds));
        }
        let plan = self.plan(&problem)?;
        let nanoseconds = self.price_of(&plan, &problem);
        Ok((plan, nanoseconds))
    }

    /// The plan of elements that go side by side, and the expected nanoseconds of all of them; none if no kernel with lanes
    /// is the cheapest.
    fn plan_batch(&self, pack: &[(&Kind<ListedProblem>, usize)], width: usize) -> Result<Option<(Plan, f64)>, Error> {
        let first = &pack[0].0.element;
        let same_exponent =
            first.repeats_its_exponent() && pack.iter().all(|(kind, _)| kind.element.exponent == first.exponent);
        let most = |of: fn(&Problem) -> u64| pack.iter().map(|(kind, _)| of(&kind.element.problem)).max().unwrap_or(1);
        let part = Part {
            bits: most(Problem::odd_bits),
            exponent_bits: most(|problem| problem.exponent_bits),
            exponent_weight: first.problem.exponent_weight.filter(|_| same_exponent),
            short_base_bits: None,
            count: width as u64,
            same_exponent: same_exponent || width == 1,
            ..first.problem.odd_part(first.problem.odd_bits())
        };
        let odd = part.canonical().cheapest(self, None, None)?;
        if odd.form.kernel.lanes() == 1 {
            return Ok(None);
        }
        // Powers of two go one by one; those of a class have one plan, that of the longest.
        let k = most(|problem| problem.trailing_zeros);
        if pack.iter().any(|(kind, _)| kind.element.problem.trailing_zeros.div_ceil(64) != k.div_ceil(64)) {
            return Ok(None);
        }
        let two = (k > 0).then(|| first.problem.power_of_two_part(k).cheapest(self, None, None)).transpose()?;
        let beside = two.as_ref().map_or(0.0, |two| two.nanoseconds);
        let nanoseconds = (odd.nanoseconds + beside) * width as f64;
        Ok(Some((tree_of(Some(odd), two)?, nanoseconds)))
    }

    /// The plan that is forced on each element of a kind. Error: `bad_plan`.
    fn forced_plan(&self, kind: &Kind<ListedProblem>, forced: &Forced, count: usize) -> Result<Plan, Error> {
        let element = &kind.element;
        if let Some(plan) = &element.forced {
            return Ok((**plan).clone());
        }
        let same_exponent = element.repeats_its_exponent() || kind.count == 1;
        let exponent_weight = element.problem.exponent_weight.filter(|_| same_exponent);
        let problem = element.times(if element.fits_lanes() { count } else { 1 }, same_exponent);
        self.plan_each(&Problem { exponent_weight, ..problem }, forced)
    }

    /// The classes where each kind has its plan: adjacent elements with the same run on lanes share a batch, if the run accepts
    /// their exponents.
    fn forced_classes(&self, sequence: Sequence<ListedProblem>) -> Classes {
        let mut classes = Classes::default();
        let mut before = None;
        for Kind { element, count } in sequence.kinds {
            let Some(plan) = &element.forced else { continue };
            let unit = plan.lanes();
            let nanoseconds = self.price_of_unit(plan, &element, unit);
            let exponent = Some(element.exponent).filter(|_| element.repeats_its_exponent());
            let joins = is_uniform(plan) || before.is_some() && before == exponent;
            classes.push((**plan).clone(), PricedClass { count, unit, nanoseconds }, joins);
            before = exponent;
        }
        classes
    }

    /// The classes of a forced tree. Error: `bad_plan` if they do not fit the list.
    fn classes_of_tree(
        &self,
        tree: &Plan,
        sequence: &Sequence<ListedProblem>,
    ) -> Result<SmallList<PricedClass>, Error> {
        sequence.classes_of_tree(tree, |plan, class| {
            let (unit, count) = (plan.lanes(), class.iter().map(|(_, count)| count).sum());
            let same = packs_are_alike(class, unit, |a, b| a.repeats_its_exponent() && a.exponent == b.exponent);
            if unit > 1 && count > 1 && !same && !is_uniform(plan) {
                return Err(Error::BadPlan(format!(
                    "{plan} depends on the exponent, and the exponents of powers that share its lanes differ"
                )));
            }
            let (forced, mut nanoseconds) = (Forced::by(plan)?, 0.0_f64);
            for (Kind { element, .. }, _) in class {
                self.plan_each(&element.times(count, same || count == 1), &forced)?;
                nanoseconds = nanoseconds.max(self.price_of_unit(plan, element, unit));
            }
            Ok((unit, nanoseconds))
        })
    }

    /// Expected nanoseconds of a unit of elements of this kind.
    fn price_of_unit(&self, plan: &Plan, element: &ListedProblem, unit: usize) -> f64 {
        unit as f64 * self.price_of(plan, &element.times(unit, unit == 1 || element.repeats_its_exponent()))
    }

    /// Whether one of `count` powers, which are `alike`, is taken apart by the known factors of its modulus: then an entry for
    /// each of them, with its plan if one is forced. None for a single power, for one that a forced tree does not split, and for one that
    /// cannot have the forced plan.
    pub(crate) fn parts_of(
        &self,
        whole: &Problem,
        count: usize,
        alike: bool,
        forced: &Forced,
    ) -> Option<Vec<Option<Plan>>> {
        let each = |splits: bool| splits.then(|| vec![None; whole.factors.len()]);
        if let Some(tree) = forced.tree() {
            return each(tree.splits_by_factors());
        }
        if forced.is_nothing() {
            return each(count > 1);
        }
        let problem = Problem { count: count as u64, same_exponent: alike, ..whole.clone() };
        // An element says itself what is wrong with a plan.
        let Ok(Plan::Crt(plans)) = self.plan_each(&problem, forced) else { return None };
        (count > 1).then(|| plans.into_iter().map(Some).collect())
    }

    /// The plan of one power modulo known factors where some of them are cheaper side by side: those have the same run on a
    /// kernel with lanes. None where each goes by itself.
    pub(crate) fn parts_side_by_side(&self, problem: &Problem) -> Result<Option<Plan>, Error> {
        let factors = &problem.factors;
        if !HAS_LANES || factors.len() < FEWEST_PARTS || problem.secret || problem.count > 1 {
            return Ok(None);
        }
        let element = |index: usize| {
            // Exponents that were the same differ modulo different factors.
            let exponent = if factors[index].reduced_exponent_bits.is_some() { OWN_EXPONENT } else { 0 };
            ListedProblem { problem: problem.modulo(factors[index]), factor: Some(0), exponent, forced: None }
        };
        let key = |index: usize| Some(element(index).key(0));
        let list = self.plan_power_list(factors.len(), (key, element), &Forced::default(), false, ThreadBudget::ONE)?;
        let mut plans = vec![None; factors.len()];
        let in_order = list.plan.classes().into_iter().flat_map(|(plan, count)| core::iter::repeat_n(plan, count));
        in_order.enumerate().for_each(|(place, plan)| plans[list.element(place)] = Some(plan.clone()));
        let plans: Vec<Plan> = plans.into_iter().flatten().collect();
        Ok(plans.iter().any(Plan::is_in_lanes).then_some(Plan::Crt(plans)))
    }
}

/// Whether different exponents may share the lanes of a plan.
fn is_uniform(plan: &Plan) -> bool {
    let may = |(algorithm, form): &(&Algorithm, &crate::kernel::registry::Form)| {
        form.kernel.lanes() == 1 || algorithm.schedule() == algorithm::Schedule::Uniform
    };
    plan.runs().iter().all(may)
}

/// The tree of the runs modulo the odd part and modulo the power of two.
fn tree_of(odd: Option<Run>, two: Option<Run>) -> Result<Plan, Error> {
    match (odd, two) {
        (Some(odd), Some(two)) => Ok(Plan::Even { odd: Box::new(odd.into()), two: Box::new(two.into()) }),
        (Some(run), None) | (None, Some(run)) => Ok(run.into()),
        (None, None) => Err(Error::Fault("a modulus without parts")),
    }
}

/// How many powers runs of this CPU give at once, the most first.
fn lane_widths() -> SmallVec<[usize; 4]> {
    if !HAS_LANES {
        return SmallVec::new();
    }
    let mut widths: SmallVec<[usize; 4]> =
        KERNELS.iter().filter(|entry| entry.available() && entry.lanes > 1).map(|entry| entry.lanes).collect();
    widths.sort_unstable_by(|a, b| b.cmp(a));
    widths.dedup();
    widths
}
