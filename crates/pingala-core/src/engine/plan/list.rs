//! The plan of a list, for every workload: its elements sorted into kinds that cost the same, a tree, the order of the elements in it, and
//! its classes with their prices.

use super::Plan;
use super::memory::PartHasher;
use super::schedule::{self, ListSchedule, PricedClass, ThreadBudget};
use super::tree::SmallList;
use crate::algorithm::Algorithm;
use crate::error::Error;
use crate::exponent::order;
use core::hash::{BuildHasherDefault, Hash};
use core::ops::Range;
use std::collections::HashMap;

/// The plan of a list.
#[derive(Clone, Debug)]
pub(crate) struct ListPlan<A = Algorithm> {
    /// The tree.
    pub(crate) plan: Plan<A>,
    /// The elements in the order of the tree; none if that is their own order.
    pub(crate) order: Option<Vec<usize>>,
    /// The classes of the tree, priced.
    pub(crate) classes: SmallList<PricedClass>,
    /// Elements that a forced line does not fit; they are not in the tree.
    pub(crate) refused: Vec<(usize, Error)>,
    /// Expected nanoseconds on the threads that the tree names, with starting them.
    pub(crate) nanoseconds: f64,
}

impl<A> ListPlan<A> {
    /// The plan with this tree, on the threads that the work is worth, unless the tree names threads.
    pub(crate) fn new(
        (plan, classes): (Plan<A>, SmallList<PricedClass>),
        order: Option<Vec<usize>>,
        budget: ThreadBudget,
    ) -> Self {
        let named = plan.stages().iter().map(|stage| stage.0).max().filter(|&threads| threads > 1);
        let threads = named.unwrap_or_else(|| budget.for_classes(&classes));
        let nanoseconds = budget.expected(&classes, threads);
        let plan = if named.is_some() { plan } else { plan.on_threads(threads) };
        Self { plan, order, classes, refused: Vec::new(), nanoseconds }
    }

    /// The element at a place of the order.
    pub(crate) fn element(&self, place: usize) -> usize {
        self.order.as_ref().map_or(place, |order| order[place])
    }

    /// The list as execution walks it.
    pub(crate) fn schedule(&self) -> ListSchedule<'_, A> {
        ListSchedule::new(&self.plan, &self.classes)
    }
}

/// Elements with the same cost to the planner.
pub(crate) struct Kind<E> {
    /// The first of them.
    pub(crate) element: E,
    /// How many.
    pub(crate) count: usize,
}

/// Elements sorted into kinds.
pub(crate) struct Kinds<E> {
    pub(crate) kinds: Vec<Kind<E>>,
    /// The kind of each element, from the first one on that is not of the first kind.
    of: Vec<usize>,
}

impl<E> Kinds<E> {
    /// Sorts `count` elements into kinds. A key may be left out if it is that of the element before.
    pub(crate) fn new<K: Clone + Eq + Hash>(
        count: usize,
        key: impl Fn(usize) -> Option<K>,
        element: impl Fn(usize) -> E,
    ) -> Self {
        let (mut kinds, mut of, mut last): (Vec<Kind<E>>, Vec<usize>, usize) = (Vec::new(), Vec::new(), 0);
        let mut keys: SmallList<K> = SmallList::new();
        let mut beyond_few: HashMap<K, usize, BuildHasherDefault<PartHasher>> = HashMap::default();
        for index in 0..count {
            if let Some(key) = key(index).filter(|key| keys.get(last) != Some(key)) {
                let known = keys.iter().take(FEW_KINDS).position(|known| *known == key);
                let known = known.or_else(|| beyond_few.get(&key).copied());
                last = known.unwrap_or(keys.len());
                if known.is_none() {
                    kinds.push(Kind { element: element(index), count: 0 });
                    if keys.len() >= FEW_KINDS {
                        beyond_few.insert(key.clone(), last);
                    }
                    keys.push(key);
                }
            }
            if last > 0 && of.is_empty() {
                of.reserve_exact(count);
                of.resize(index, 0);
            }
            if !of.is_empty() {
                of.push(last);
            }
            kinds[last].count += 1;
        }
        Self { kinds, of }
    }

    /// `count` elements that are all alike; there may be more of them than memory holds.
    pub(crate) fn alike(count: usize, element: E) -> Self {
        Self { kinds: vec![Kind { element, count }], of: Vec::new() }
    }

    /// The elements of a kind.
    pub(crate) fn elements(&self, kind: usize, count: usize) -> Vec<usize> {
        (0..count).filter(|&index| self.of.get(index).copied().unwrap_or(0) == kind).collect()
    }

    /// The kinds that have elements, in the order of the tree: the element with the least key first, so that the most expensive come first
    /// and similar ones are adjacent and share lanes. And the elements in that order, if it is not their own.
    pub(crate) fn in_order<K: Ord>(self, key: impl Fn(&E) -> K) -> (Sequence<E>, Option<Vec<usize>>) {
        let Self { kinds, of } = self;
        if of.is_empty() {
            return (Sequence::new(kinds.into_iter().filter(|kind| kind.count > 0).collect()), None);
        }
        let mut places: Vec<(usize, Kind<E>)> = kinds.into_iter().enumerate().collect();
        let mut starts = vec![None; places.len()];
        places.retain(|(_, kind)| kind.count > 0);
        order::sort(&mut places, |(_, a), (_, b)| key(&a.element).cmp(&key(&b.element)));
        let mut start = 0;
        for (at, kind) in &places {
            starts[*at] = Some(start);
            start += kind.count;
        }
        let mut order = vec![0; start];
        for (index, &kind) in of.iter().enumerate() {
            if let Some(next) = &mut starts[kind] {
                order[*next] = index;
                *next += 1;
            }
        }
        (Sequence::new(places.into_iter().map(|(_, kind)| kind).collect()), Some(order))
    }
}

/// Up to this many kinds are searched one by one.
const FEW_KINDS: usize = 4;

/// Elements in the order of the tree, by kind.
pub(crate) struct Sequence<E> {
    pub(crate) kinds: Vec<Kind<E>>,
    /// The place after the last element of each kind.
    ends: SmallList<usize>,
}

impl<E> Sequence<E> {
    fn new(kinds: Vec<Kind<E>>) -> Self {
        let ends = kinds.iter().scan(0, |end, kind| {
            *end += kind.count;
            Some(*end)
        });
        Self { ends: ends.collect(), kinds }
    }

    /// How many elements there are.
    pub(crate) fn len(&self) -> usize {
        self.ends.last().copied().unwrap_or(0)
    }

    /// The index of the kind at a place.
    fn at(&self, place: usize) -> usize {
        self.ends.partition_point(|&end| end <= place)
    }

    /// The kinds of the elements at a range of places, each with how many of them are there.
    pub(crate) fn within(&self, range: Range<usize>) -> SmallList<(&Kind<E>, usize)> {
        let (mut within, mut first) = (SmallList::new(), range.start);
        while first < range.end {
            let at = self.at(first);
            let end = self.ends[at].min(range.end);
            within.push((&self.kinds[at], end - first));
            first = end;
        }
        within
    }

    /// The classes of a forced tree; `price` checks a class, which has some elements of these kinds, and gives how many of them a unit has,
    /// and its expected nanoseconds.
    ///
    /// Error: `bad_plan` if the tree is for another number of elements, or has a class of powers that share a run; those of `price`.
    pub(crate) fn classes_of_tree<A>(
        &self,
        tree: &Plan<A>,
        mut price: impl FnMut(&Plan<A>, &[(&Kind<E>, usize)]) -> Result<(usize, f64), Error>,
    ) -> Result<SmallList<PricedClass>, Error> {
        let (classes, listed) = (tree.classes(), self.len());
        let planned = classes.iter().try_fold(0usize, |sum, (_, count)| sum.checked_add(*count));
        if planned != Some(listed) {
            let planned = planned.map_or("too many".into(), |planned| planned.to_string());
            return Err(Error::BadPlan(format!(
                "the plan is for {planned} elements, the list has {listed} that need one; a line without counts fits any list"
            )));
        }
        let (mut priced, mut first) = (SmallList::with_capacity(classes.len()), 0);
        for (plan, count) in classes {
            if plan.shared().is_some() {
                return Err(Error::BadPlan("share() and stream() are for powers of one base modulo one number".into()));
            }
            let (unit, nanoseconds) = price(plan, &self.within(first..first + count))?;
            priced.push(PricedClass { count, unit, nanoseconds });
            first += count;
        }
        Ok(priced)
    }

    /// Classes by price: the next elements fill the lanes if that is cheaper than single ones; otherwise the first of them is a single one.
    /// The last packs are taken apart again where threads would wait for them.
    ///
    /// `alone` has the plan of a single element of each kind, with its nanoseconds. `lanes` has the numbers of elements that may go side by
    /// side, the most first: elements that `fits` accepts, of adjacent kinds if they may go `across_kinds`, at least `fewest`. `pack(kind, elements, width)`
    /// gives the plan of `width` elements, the first of them of that kind, with the expected nanoseconds of all of them; none if they cannot.
    pub(crate) fn classes_by_price<A: Clone + PartialEq>(
        &self,
        alone: &[(Plan<A>, f64)],
        lanes: &[usize],
        (fits, across_kinds, fewest): (impl Fn(&E) -> bool, bool, usize),
        budget: ThreadBudget,
        pack: impl Fn(usize, &[(&Kind<E>, usize)], usize) -> Result<Option<(Plan<A>, f64)>, Error>,
    ) -> Result<Classes<A>, Error> {
        let most = lanes.first().copied().unwrap_or(1);
        let (mut classes, mut first, mut one_by_one) = (Classes::default(), 0, None);
        while first < self.len() {
            let at = self.at(first);
            let (left, fits_lanes) = (self.ends[at] - first, fits(&self.kinds[at].element));
            let others = self.kinds[at + 1..].iter().take(most).take_while(|kind| across_kinds && fits(&kind.element));
            let fitting = if fits_lanes { left + others.map(|kind| kind.count).sum::<usize>() } else { 0 };
            // The pack with the largest gain.
            let mut best: Option<(f64, usize, bool, Plan<A>, f64)> = None;
            let mut before = 0;
            let widths = lanes.iter().filter(|_| one_by_one.is_none_or(|from| first < from));
            for width in widths.map(|&lanes| lanes.min(fitting)) {
                if width < fewest || core::mem::replace(&mut before, width) == width {
                    continue;
                }
                let elements = self.within(first..first + width);
                let Some((plan, nanoseconds)) = pack(at, &elements, width)? else { continue };
                let apart: f64 = (at..).zip(&elements).map(|(kind, (_, count))| alone[kind].1 * *count as f64).sum();
                let ratio = nanoseconds / apart;
                if ratio < best.as_ref().map_or(1.0, |best| best.0) {
                    let nanoseconds = nanoseconds / width.div_ceil(plan.lanes()) as f64;
                    best = Some((ratio, width, elements.len() == 1, plan, nanoseconds));
                }
            }
            let (plan, class) = match best {
                Some((_, width, alike, plan, nanoseconds)) => {
                    let unit = plan.lanes();
                    // Every full pack of one kind is alike.
                    let mut count = if alike && width >= unit { left - left % unit } else { width };
                    if alike && at + 1 == self.kinds.len() && one_by_one.is_none() {
                        let last = PricedClass { count: left, unit, nanoseconds };
                        let in_packs = classes.packs_on_threads(last, alone[at].1, budget);
                        one_by_one = Some(first + in_packs);
                        if in_packs == 0 {
                            continue;
                        }
                        count = count.min(in_packs);
                    }
                    (plan, PricedClass { count, unit, nanoseconds })
                }
                None => {
                    // Too few for whole lanes may still share lanes with the next kind.
                    let count = match left {
                        _ if !fits_lanes || !across_kinds || at + 1 == self.kinds.len() => left,
                        left if left >= most => left - (most - 1),
                        _ => 1,
                    };
                    let (plan, nanoseconds) = alone[at].clone();
                    (plan, PricedClass { count, unit: 1, nanoseconds })
                }
            };
            first += class.count;
            classes.push(plan, class, class.unit == 1);
        }
        Ok(classes)
    }
}

/// Whether all elements that share a pack are `alike`. Execution takes the elements of a class in order, `unit` to a pack. `alike` may deny
/// that an element is like another one of its own kind.
pub(crate) fn packs_are_alike<E>(class: &[(&Kind<E>, usize)], unit: usize, alike: impl Fn(&E, &E) -> bool) -> bool {
    // The element before, if its pack is not full yet, and how many elements that pack has.
    let (mut before, mut in_pack): (Option<&E>, usize) = (None, 0);
    class.iter().all(|(Kind { element, .. }, count)| {
        let fits = before.is_none_or(|before| alike(before, element))
            && (unit == 1 || in_pack + count <= 1 || alike(element, element));
        in_pack = (in_pack + count) % unit;
        before = Some(element).filter(|_| in_pack > 0);
        fits
    })
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
    /// How many elements of the last kind go in packs, if `last` has all that are left of it and threads share them with the classes before:
    /// all, or as many as give each thread the same number of full packs. An element by itself takes `alone` nanoseconds.
    fn packs_on_threads(&self, last: PricedClass, alone: f64, budget: ThreadBudget) -> usize {
        let threads = budget.for_work(schedule::total(&self.priced) + schedule::total(&[last]));
        if threads < 2 {
            return last.count;
        }
        let with = |ends: &[PricedClass]| self.priced.iter().chain(ends).copied().collect::<SmallList<_>>();
        let all = with(&[last]);
        let (packs, unit) = (last.count / last.unit, last.unit);
        let apart = |packs: usize| {
            let (together, single) = (packs * unit, last.count - packs * unit);
            [PricedClass { count: together, ..last }, PricedClass { count: single, unit: 1, nanoseconds: alone }]
        };
        let (mut least, mut in_packs) = (budget.expected(&all, threads), last.count);
        for kept in [packs, packs - packs % threads] {
            let nanoseconds = budget.expected(&with(&apart(kept)), threads);
            if nanoseconds < least {
                (least, in_packs) = (nanoseconds, kept * unit);
            }
        }
        in_packs
    }

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
        (Plan::list(self.plans.into_iter().map(|(plan, count)| Plan::class(plan, count))), self.priced)
    }
}

#[cfg(test)]
#[path = "../../../tests/inside/engine/plan/list.rs"]
mod tests;
