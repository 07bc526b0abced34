//! The plan of a list, for every workload: a tree, the order of the elements in it, and its classes with their prices.

use super::Plan;
use super::schedule::{self, ListSchedule, PricedClass, ThreadBudget};
use super::tree::{ClassStep, SmallList};
use crate::algorithm::Algorithm;
use crate::error::Error;
use core::ops::Range;

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
}

impl<A> ListPlan<A> {
    /// The plan with this tree, on the threads that the work is worth, unless the tree names threads.
    pub(crate) fn new(
        plan: Plan<A>,
        order: Option<Vec<usize>>,
        classes: SmallList<PricedClass>,
        budget: ThreadBudget,
    ) -> Self {
        let named = plan.stages().iter().any(|stage| stage.0 > 1);
        let threads = if named { 1 } else { budget.for_classes(&classes) };
        Self { plan: plan.on_threads(threads), order, classes, refused: Vec::new() }
    }

    /// The element at a place of the order.
    pub(crate) fn element(&self, place: usize) -> usize {
        self.order.as_ref().map_or(place, |order| order[place])
    }

    /// The list as execution walks it.
    pub(crate) fn schedule(&self) -> ListSchedule<'_, A> {
        ListSchedule::new(&self.plan, &self.classes)
    }

    /// Expected nanoseconds on the threads that the tree names.
    pub(crate) fn nanoseconds(&self) -> f64 {
        schedule::expected(&self.classes, self.plan.stages().iter().map(|stage| stage.0).max().unwrap_or(1))
    }
}

/// The classes of a forced tree for a list of `listed` elements; `price` checks a class, which has the elements in a range of the order,
/// and gives how many of them a unit has, and its expected nanoseconds.
///
/// Error: `bad_plan` if the tree is for another number of elements, or has a class of powers that share a run; those of `price`.
pub(crate) fn classes_of_tree<A>(
    tree: &Plan<A>,
    listed: usize,
    mut price: impl FnMut(&Plan<A>, Range<usize>) -> Result<(usize, f64), Error>,
) -> Result<SmallList<PricedClass>, Error> {
    let classes = tree.classes();
    let planned: usize = classes.iter().map(|(_, count)| count).sum();
    if planned != listed {
        return Err(Error::BadPlan(format!(
            "the plan is for {planned} elements, the list has {listed} that need one; a line without counts fits any list"
        )));
    }
    let (mut priced, mut first) = (SmallList::with_capacity(classes.len()), 0);
    for (step, count) in classes {
        let ClassStep::Each(plan) = step else {
            return Err(Error::BadPlan("share() and stream() are for powers of one base modulo one number".into()));
        };
        let (unit, nanoseconds) = price(plan, first..first + count)?;
        priced.push(PricedClass { count, unit, nanoseconds });
        first += count;
    }
    Ok(priced)
}
