//! Plans lists of powers: by price, which elements share lanes and which run separately.

use crate::algorithm::{self, Algorithm};
use crate::engine::plan::kinds::{Key, Kind, Kinds, ListedProblem, OWN_EXPONENT, Sequence, in_order};
use crate::engine::plan::line::Line;
use crate::engine::plan::list::{self, ListPlan};
use crate::engine::plan::planner::Run;
use crate::engine::plan::problem::Part;
use crate::engine::plan::schedule::{PricedClass, ThreadBudget};
use crate::engine::plan::tree::{ClassStep, SmallList};
use crate::engine::plan::{FactorShape, Plan, Planner, Problem};
use crate::error::Error;
use crate::kernel::registry::KERNELS;
use crate::kernel::spec::KernelSpec;
use core::num::NonZeroUsize;
use core::ops::Range;
use std::borrow::Cow;

/// Fewest parts of one power for which lanes are considered. Two parts gain only at about 192 bits, and less than the
/// comparison costs.
const FEWEST_PARTS: usize = 3;

/// The forced choice: a kernel, a line for each element, or the whole tree.
#[derive(Clone, Debug, Default)]
pub(crate) struct Forced {
    kernel: Option<KernelSpec>,
    line: Option<Line>,
    tree: Option<Plan>,
}

impl Forced {
    /// Error: `bad_plan` for a kernel or a line that cannot be read.
    pub(crate) fn read(kernel: Option<&str>, line: Option<&str>) -> Result<Self, Error> {
        let kernel = kernel.map(str::parse).transpose()?;
        Ok(match line {
            Some(line) if crate::engine::plan::line::is_tree(line) => {
                Self { kernel, line: None, tree: Some(line.parse()?) }
            }
            line => Self { kernel, line: line.map(str::parse).transpose()?, tree: None },
        })
    }

    /// The tree that a line is, if it is one. Error: `bad_plan`.
    pub(crate) fn tree(line: &str) -> Result<Option<Plan>, Error> {
        crate::engine::plan::line::is_tree(line).then(|| line.parse()).transpose()
    }

    /// Whether each element is planned only by price.
    pub(crate) fn is_nothing(&self) -> bool {
        self.kernel.is_none() && self.line.is_none() && self.tree.is_none()
    }
}

/// Elements that share lanes.
struct Batch {
    plan: Plan,
    /// How many elements.
    width: usize,
    /// Whether they are of one kind.
    alike: bool,
    /// Expected nanoseconds of a run.
    nanoseconds: f64,
}

/// Builds the classes of a list.
pub(crate) struct Classes<A = Algorithm> {
    plans: SmallList<(Plan<A>, usize)>,
    priced: SmallList<PricedClass>,
}

impl<A> Default for Classes<A> {
    fn default() -> Self {
        Self { plans: SmallList::new(), priced: SmallList::new() }
    }
}

impl<A: PartialEq> Classes<A> {
    /// Adds elements that each follow `plan`; `joins`: they may share a unit with those before.
    pub(crate) fn push(&mut self, plan: Plan<A>, class: PricedClass, joins: bool) {
        if let (Some((last, count)), Some(priced)) = (self.plans.last_mut(), self.priced.last_mut())
            && *last == plan
            && (joins || *count % class.unit == 0)
        {
            *count += class.count;
            priced.count += class.count;
            priced.nanoseconds = priced.nanoseconds.max(class.nanoseconds);
            return;
        }
        self.plans.push((plan, class.count));
        self.priced.push(class);
    }

    pub(crate) fn plan(self) -> (Plan<A>, SmallList<PricedClass>) {
        let mut classes = self.plans.into_iter().map(|(plan, count)| Plan::class(plan, count));
        if classes.len() == 1
            && let Some(class) = classes.next()
        {
            return (class, self.priced);
        }
        (Plan::list(classes.collect()), self.priced)
    }
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
        let mut plans: Vec<Option<Plan>> = Vec::new();
        if (forced.kernel.is_some() || forced.line.is_some()) && forced.tree.is_none() {
            for at in 0..kinds.kinds.len() {
                plans.push(match self.forced_plan(&kinds.kinds[at], forced, count) {
                    Ok(plan) => Some(plan),
                    Err(error) => {
                        refused.extend(kinds.elements(at, count).into_iter().map(|index| (index, error.clone())));
                        kinds.kinds[at].count = 0;
                        None
                    }
                });
            }
        }
        let (sequence, order, plans) = in_order(kinds, plans);
        let (plan, classes) = match &forced.tree {
            Some(tree) => (tree.clone(), self.classes_of_tree(tree, &sequence)?),
            None if forced.is_nothing() => self.classes_by_price(&sequence)?.plan(),
            None => self.forced_classes(&sequence, plans).plan(),
        };
        let plan = if apart && forced.tree.is_none() { Plan::Parts(Box::new(plan)) } else { plan };
        Ok(ListPlan { refused, ..ListPlan::new(plan, order, classes, budget) })
    }

    /// By price: the next elements fill the lanes if that is cheaper than single powers; otherwise the first of them, the longest,
    /// is a single power.
    fn classes_by_price(&self, sequence: &Sequence) -> Result<Classes, Error> {
        if let [kind] = &sequence.kinds[..] {
            return self.classes_of_kind(kind);
        }
        let (most, kinds) = (most_lanes(), &sequence.kinds);
        let alone = kinds.iter().map(|kind| self.plan_alone(kind)).collect::<Result<Vec<_>, Error>>()?;
        let (mut classes, mut at, mut offset) = (Classes::default(), 0, 0);
        while at < kinds.len() {
            let (kind, left) = (&kinds[at], kinds[at].count - offset);
            let fitting = kinds[at..].iter().take_while(|kind| kind.fits_lanes()).map(|kind| kind.count).sum::<usize>();
            let batch = self.cheapest_batch(
                fitting.saturating_sub(offset),
                |width| sequence.next((at, offset), width),
                |pack| (at..).zip(pack).map(|(kind, (_, count))| alone[kind].1 * *count as f64).sum(),
            )?;
            match batch {
                Some(Batch { plan, width, alike: true, nanoseconds }) => {
                    // Every full pack of this kind is alike.
                    let unit = plan.lanes();
                    let count = if width >= unit { left - left % unit } else { width };
                    classes.push(plan, PricedClass { count, unit, nanoseconds }, false);
                    offset += count;
                }
                Some(Batch { plan, width, nanoseconds, .. }) => {
                    let unit = plan.lanes();
                    classes.push(plan, PricedClass { count: width, unit, nanoseconds }, false);
                    let mut rest = width;
                    while rest > 0 {
                        let here = rest.min(kinds[at].count - offset);
                        (rest, offset) = (rest - here, offset + here);
                        if offset == kinds[at].count && rest > 0 {
                            (at, offset) = (at + 1, 0);
                        }
                    }
                }
                None => {
                    // Too few for whole lanes may still share lanes with the next kind.
                    let count = if kind.fits_lanes() && left >= most { left - (most - 1) } else { 1 };
                    let count = if kind.fits_lanes() { count } else { left };
                    let (plan, nanoseconds) = alone[at].clone();
                    classes.push(plan, PricedClass { count, unit: 1, nanoseconds }, true);
                    offset += count;
                }
            }
            if at < kinds.len() && offset == kinds[at].count {
                (at, offset) = (at + 1, 0);
            }
        }
        Ok(classes)
    }

    /// The classes of elements that are all alike: whole packs, then the rest.
    fn classes_of_kind(&self, kind: &Kind) -> Result<Classes, Error> {
        let (mut classes, mut left) = (Classes::default(), kind.count);
        let (plan, each) = self.plan_alone(kind)?;
        while left > 0 {
            let fitting = if kind.fits_lanes() { left } else { 1 };
            let apart = |pack: &[(&Kind, usize)]| pack[0].1 as f64 * each;
            match self.cheapest_batch(fitting, |width| vec![(kind, width)], apart)? {
                Some(Batch { plan, width, nanoseconds, .. }) => {
                    let unit = plan.lanes();
                    let count = if width >= unit { left - left % unit } else { width };
                    classes.push(plan, PricedClass { count, unit, nanoseconds }, false);
                    left -= count;
                }
                None => {
                    classes.push(plan, PricedClass { count: left, unit: 1, nanoseconds: each }, true);
                    break;
                }
            }
        }
        Ok(classes)
    }

    /// Picks the batch in lanes with the largest gain from the next `left` elements: one for each lane of a kernel, or all that are left.
    /// None if single powers, whose time `apart` gives, are as cheap.
    fn cheapest_batch<'k>(
        &self,
        left: usize,
        next: impl Fn(usize) -> Vec<(&'k Kind, usize)>,
        apart: impl Fn(&[(&Kind, usize)]) -> f64,
    ) -> Result<Option<Batch>, Error> {
        let mut best: Option<(f64, Batch)> = None;
        let mut before = 1;
        for width in lane_widths().map(|lanes| lanes.min(left)) {
            if width < 2 || core::mem::replace(&mut before, width) == width {
                continue;
            }
            let pack = next(width);
            let Some((plan, nanoseconds)) = self.plan_batch(&pack, width)? else { continue };
            let ratio = nanoseconds / apart(&pack);
            if ratio < best.as_ref().map_or(1.0, |(least, _)| *least) {
                let nanoseconds = nanoseconds / width.div_ceil(plan.lanes()) as f64;
                best = Some((ratio, Batch { plan, width, alike: pack.len() == 1, nanoseconds }));
            }
        }
        Ok(best.map(|(_, batch)| batch))
    }

    /// The plan of a single element, and its expected nanoseconds.
    fn plan_alone(&self, kind: &Kind) -> Result<(Plan, f64), Error> {
        let problem = Problem { count: 1, ..kind.element.problem.clone() };
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
    fn plan_batch(&self, pack: &[(&Kind, usize)], width: usize) -> Result<Option<(Plan, f64)>, Error> {
        let first = &pack[0].0.element;
        let same_exponent =
            pack[0].0.repeats_its_exponent() && pack.iter().all(|(kind, _)| kind.element.exponent == first.exponent);
        let most = |of: fn(&Problem) -> u64| pack.iter().map(|(kind, _)| of(&kind.element.problem)).max().unwrap_or(1);
        let part = Part {
            bits: most(Problem::odd_bits),
            exponent_bits: most(|problem| problem.exponent_bits),
            ..side_by_side(&first.problem, width as u64, same_exponent)
        };
        let odd = self.cheapest(&part.canonical())?;
        if odd.form.kernel.lanes() == 1 {
            return Ok(None);
        }
        // Powers of two go one by one; those of a class have one plan, that of the longest.
        let k = most(|problem| problem.trailing_zeros);
        if pack.iter().any(|(kind, _)| kind.element.problem.trailing_zeros.div_ceil(64) != k.div_ceil(64)) {
            return Ok(None);
        }
        let two = (k > 0).then(|| self.cheapest(&first.problem.power_of_two_part(k))).transpose()?;
        let beside = two.as_ref().map_or(0.0, |two| two.nanoseconds);
        let nanoseconds = (odd.nanoseconds + beside) * width as f64;
        Ok(Some((tree_of(Some(odd), two)?, nanoseconds)))
    }

    /// The plan that is forced on each element of a kind. Error: `bad_plan`.
    fn forced_plan(&self, kind: &Kind, forced: &Forced, count: usize) -> Result<Plan, Error> {
        if let Some(plan) = &kind.element.forced {
            return Ok((**plan).clone());
        }
        let same_exponent = kind.repeats_its_exponent() || kind.count == 1;
        let exponent_weight = kind.element.problem.exponent_weight.filter(|_| same_exponent);
        let count = if kind.fits_lanes() { count as u64 } else { 1 };
        let problem = Problem { count, same_exponent, exponent_weight, ..kind.element.problem.clone() };
        self.plan_each(&problem, forced.kernel.as_ref(), forced.line.as_ref())
    }

    /// The classes where each kind has its plan: adjacent elements with the same run on lanes share a batch, if the run accepts
    /// their exponents.
    fn forced_classes(&self, sequence: &Sequence, plans: Vec<Option<Plan>>) -> Classes {
        let mut classes = Classes::default();
        let mut before = None;
        for (kind, plan) in sequence.kinds.iter().zip(plans) {
            let Some(plan) = plan else { continue };
            let unit = plan.lanes();
            let nanoseconds = self.price_of_unit(&plan, kind, unit);
            let exponent = Some(kind.element.exponent).filter(|_| kind.repeats_its_exponent());
            let joins = is_uniform(&plan) || before.is_some() && before == exponent;
            classes.push(plan, PricedClass { count: kind.count, unit, nanoseconds }, joins);
            before = exponent;
        }
        classes
    }

    /// The classes of a forced tree. Error: `bad_plan` if they do not fit the list.
    fn classes_of_tree(&self, tree: &Plan, sequence: &Sequence) -> Result<SmallList<PricedClass>, Error> {
        let listed: usize = sequence.kinds.iter().map(|kind| kind.count).sum();
        list::classes_of_tree(tree, listed, |plan, range| {
            let (unit, count, class) = (plan.lanes(), range.len(), sequence.within(range));
            let same = packs_share_exponents(&class, unit);
            if unit > 1 && count > 1 && !same && !is_uniform(plan) {
                return Err(Error::BadPlan(format!(
                    "{plan} depends on the exponent, and the exponents of powers that share its lanes differ"
                )));
            }
            let (line, mut nanoseconds): (Line, _) = (plan.to_string().parse()?, 0.0_f64);
            for (kind, _) in class {
                let same_exponent = same || count == 1;
                let problem = Problem { count: count as u64, same_exponent, ..kind.element.problem.clone() };
                self.plan_each(&problem, None, Some(&line))?;
                nanoseconds = nanoseconds.max(self.price_of_unit(plan, kind, unit));
            }
            Ok((unit, nanoseconds))
        })
    }

    /// Expected nanoseconds of a unit of elements of this kind.
    fn price_of_unit(&self, plan: &Plan, kind: &Kind, unit: usize) -> f64 {
        let same_exponent = unit == 1 || kind.repeats_its_exponent();
        let problem = Problem { count: unit as u64, same_exponent, ..kind.element.problem.clone() };
        unit as f64 * self.price_of(plan, &problem)
    }

    /// Whether one of `count` powers, which are `alike`, is taken apart by the known factors of its modulus: then an entry for
    /// each of them, with its plan if one is forced. None for a power that is not split: a single power, or one by a forced plan
    /// without lanes.
    pub(crate) fn parts_of(
        &self,
        whole: &Problem,
        count: usize,
        alike: bool,
        forced: &Forced,
    ) -> Option<Vec<Option<Plan>>> {
        let each = || Some(vec![None; whole.factors.len()]);
        if let Some(tree) = &forced.tree {
            return if tree.splits_by_factors() { each() } else { None };
        }
        if forced.is_nothing() {
            return if count > 1 { each() } else { None };
        }
        let problem = Problem { count: count as u64, same_exponent: alike, ..whole.clone() };
        // An element says itself what is wrong with a plan.
        let Ok(Plan::Crt(plans)) = self.plan_each(&problem, forced.kernel.as_ref(), forced.line.as_ref()) else {
            return None;
        };
        (count > 1 && plans.iter().any(Plan::is_in_lanes)).then(|| plans.into_iter().map(Some).collect())
    }

    /// The plan of one power modulo known factors where some of them are cheaper side by side: those have the same run on a
    /// kernel with lanes. None where each goes by itself.
    pub(crate) fn parts_side_by_side(&self, problem: &Problem) -> Result<Option<Plan>, Error> {
        let factors = &problem.factors;
        if factors.len() < FEWEST_PARTS || problem.secret || problem.count > 1 {
            return Ok(None);
        }
        // Exponents that were the same differ modulo different factors.
        let exponent = |factor: FactorShape| if factor.reduced_exponent_bits.is_some() { OWN_EXPONENT } else { 0 };
        let element = |index: usize| {
            let factor = factors[index];
            ListedProblem { problem: problem.factor(factor), factor: Some(0), exponent: exponent(factor), forced: None }
        };
        let key = |index: usize| Key::new(&problem.factor(factors[index]), Some(0), exponent(factors[index]), 0);
        let budget = ThreadBudget { most: NonZeroUsize::new(1) };
        let list = self.plan_power_list(
            factors.len(),
            (|index| Some(key(index)), element),
            &Forced::default(),
            false,
            budget,
        )?;
        let mut plans = vec![None; factors.len()];
        let mut first = 0;
        for (step, count) in list.plan.classes() {
            let ClassStep::Each(plan) = step else { continue };
            places(&mut plans, &list, first..first + count, plan);
            first += count;
        }
        let plans: Vec<Plan> = plans.into_iter().flatten().collect();
        Ok(plans.iter().any(Plan::is_in_lanes).then_some(Plan::Crt(plans)))
    }
}

/// Gives the elements at these places of the order their plan.
fn places(plans: &mut [Option<Plan>], list: &ListPlan, places: Range<usize>, plan: &Plan) {
    places.for_each(|place| plans[list.element(place)] = Some(plan.clone()));
}

/// Whether each pack of `unit` elements of a class has one exponent. Execution packs the elements from the first of the class on.
fn packs_share_exponents(class: &[(&Kind, usize)], unit: usize) -> bool {
    // The exponent of the pack that is not full yet, and how many elements it has.
    let (mut exponent, mut in_pack) = (OWN_EXPONENT, 0);
    for (kind, count) in class {
        if in_pack > 0 && kind.element.exponent != exponent {
            return false;
        }
        exponent = kind.element.exponent;
        if exponent == OWN_EXPONENT && in_pack + count > 1 && unit > 1 {
            return false;
        }
        in_pack = (in_pack + count) % unit;
    }
    true
}

/// Whether different exponents may share the lanes of a plan.
fn is_uniform(plan: &Plan) -> bool {
    plan.runs()
        .iter()
        .all(|(algorithm, form)| form.kernel.lanes() == 1 || algorithm.schedule() == algorithm::Schedule::Uniform)
}

/// The tree of the runs modulo the odd part and modulo the power of two.
fn tree_of(odd: Option<Run>, two: Option<Run>) -> Result<Plan, Error> {
    match (odd, two) {
        (Some(odd), Some(two)) => Ok(Plan::Even { odd: Box::new(odd.into()), two: Box::new(two.into()) }),
        (Some(run), None) | (None, Some(run)) => Ok(run.into()),
        (None, None) => Err(Error::Fault("a modulus without parts")),
    }
}

/// The odd part of `count` problems like this one.
fn side_by_side(problem: &Problem, count: u64, same_exponent: bool) -> Part {
    Part {
        exponent_weight: problem.exponent_weight.filter(|_| same_exponent),
        short_base_bits: None,
        count,
        same_exponent: same_exponent || count == 1,
        ..problem.odd_part(problem.odd_bits())
    }
}

/// The most powers that a run of this CPU gives at once.
fn most_lanes() -> usize {
    KERNELS.iter().filter(|entry| entry.available()).map(|entry| entry.lanes).max().unwrap_or(1)
}

/// How many powers runs of this CPU give at once, the most first.
fn lane_widths() -> impl Iterator<Item = usize> {
    let has = |&width: &usize| KERNELS.iter().any(|entry| entry.lanes == width && entry.available());
    (2..=most_lanes()).rev().filter(has)
}
