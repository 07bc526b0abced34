//! The tree of a plan: all decisions, in the order of execution, printed as one line.

use crate::algorithm::{Algorithm, ManyExponents};
use crate::kernel::registry::{Form, Kernel};
use core::fmt;
use smallvec::{SmallVec, smallvec};

/// A plan. `Display` prints one nested line; `FromStr` parses it. The leaves name an algorithm for the
/// workload: one power, several powers of one base, a product of powers, a fixed base; and a kernel with its parameters.
///
/// The elements of a list are taken in one order: the longest modulus first, then the longest exponent. Classes follow each
/// other in that order, so that a line holds counts and no indices.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Plan<A = Algorithm, F = Form> {
    /// One algorithm on one kernel.
    Run {
        /// The algorithm with its parameters.
        algorithm: A,
        /// The kernel with its parameters.
        form: F,
    },
    /// The odd part and the power of two separately, recombined by a Hensel inverse.
    Even {
        /// Modulo the odd part.
        odd: Box<Plan<A, F>>,
        /// Modulo the power of two.
        two: Box<Plan<A, F>>,
    },
    /// One plan for each coprime factor, recombined by Garner's method. Factors with the same run on a kernel with lanes go
    /// side by side.
    Crt(Vec<Plan<A, F>>),
    /// One plan for each of `count` elements. A kernel with lanes computes one in each lane at a time.
    Batch {
        /// For each of them.
        plan: Box<Plan<A, F>>,
        /// How many.
        count: u64,
    },
    /// The classes of a list, in the order of its elements. A class of one element is its plan.
    List(Vec<Plan<A, F>>),
    /// A list whose elements with known factors are first split into parts: the plan is that of the parts.
    Parts(Box<Plan<A, F>>),
    /// Several powers of one base in one run, which computes shared operations once.
    Share {
        /// The run.
        plan: Box<Plan<ManyExponents>>,
        /// How many powers.
        count: u64,
    },
    /// Several powers of one base in one run, with the squarings on one thread while the others multiply.
    Stream {
        /// The run.
        plan: Box<Plan<ManyExponents>>,
        /// How many powers.
        count: u64,
    },
    /// A product as `count` products of equally many factors, multiplied in the end.
    Split {
        /// For each of them.
        plan: Box<Plan<A, F>>,
        /// How many.
        count: u64,
    },
    /// A product over another one, which is inverted: the powers with positive exponents, if there are any, and those with
    /// negative ones.
    Over {
        /// The first product.
        above: Option<Box<Plan<A, F>>>,
        /// The product that is inverted.
        below: Box<Plan<A, F>>,
    },
    /// Work that is handed out to several threads.
    Threads {
        /// How many, at least 2.
        threads: usize,
        /// The work.
        plan: Box<Plan<A, F>>,
    },
}

/// A list that mostly has one entry, so that short work allocates no memory for it.
pub(crate) type SmallList<T> = SmallVec<[T; 1]>;

/// One class of a list: the plan of each of its elements, or the node of a run that all of them share; and their number.
pub(crate) type Class<'p, A> = (&'p Plan<A>, usize);

impl<A, F> Plan<A, F> {
    /// The plans that it consists of, but for a run that powers share.
    fn children(&self) -> SmallVec<[&Self; 2]> {
        match self {
            Plan::Run { .. } | Plan::Share { .. } | Plan::Stream { .. } => SmallVec::new(),
            Plan::Even { odd, two } => smallvec![&**odd, &**two],
            Plan::Crt(plans) | Plan::List(plans) => plans.iter().collect(),
            Plan::Over { above, below } => above.iter().chain([below]).map(|side| &**side).collect(),
            Plan::Batch { plan, .. } | Plan::Split { plan, .. } | Plan::Threads { plan, .. } | Plan::Parts(plan) => {
                smallvec![&**plan]
            }
        }
    }

    /// The runs of the parts of one element's plan, in order.
    pub(crate) fn runs(&self) -> Vec<(&A, &F)> {
        match self {
            Plan::Run { algorithm, form } => vec![(algorithm, form)],
            plan => plan.children().into_iter().flat_map(Plan::runs).collect(),
        }
    }
}

impl<A> Plan<A> {
    /// Whether it runs on a kernel with lanes, apart from a power of two in the modulus.
    pub(crate) fn is_in_lanes(&self) -> bool {
        self.lanes() > 1
    }

    /// How many elements share lanes: 1 for a plan that is not in lanes.
    pub(crate) fn lanes(&self) -> usize {
        match self {
            Plan::Run { form, .. } => form.kernel.lanes(),
            Plan::Even { odd, .. } => odd.lanes(),
            _ => 1,
        }
    }

    /// The run that powers share, if this is its node, and how many powers.
    pub(crate) fn shared(&self) -> Option<(&Plan<ManyExponents>, u64)> {
        match self {
            Plan::Share { plan, count } | Plan::Stream { plan, count } => Some((plan, *count)),
            _ => None,
        }
    }

    /// The kernels of all its parts, with their parameters.
    pub(crate) fn forms(&self) -> Vec<&Form> {
        match self {
            Plan::Run { form, .. } => vec![form],
            Plan::Share { plan, .. } | Plan::Stream { plan, .. } => plan.forms(),
            plan => plan.children().into_iter().flat_map(Plan::forms).collect(),
        }
    }

    /// Whether some part of it runs on this kernel.
    pub fn runs_on(&self, kernel: Kernel) -> bool {
        self.forms().iter().any(|form| form.kernel == kernel)
    }

    /// Work on `threads` threads; on one it is the work itself.
    pub(crate) fn on_threads(self, threads: usize) -> Self {
        if threads > 1 { Plan::Threads { threads, plan: Box::new(self) } } else { self }
    }

    /// The class of `count` elements that each follow `plan`.
    pub(crate) fn class(plan: Self, count: usize) -> Self {
        if count == 1 { plan } else { Plan::Batch { plan: Box::new(plan), count: count as u64 } }
    }

    /// A list of classes; one class is itself.
    pub(crate) fn list(classes: impl IntoIterator<Item = Self>) -> Self {
        let mut classes: SmallList<Self> = classes.into_iter().collect();
        if classes.len() == 1 { classes.remove(0) } else { Plan::List(classes.into_vec()) }
    }

    /// The successive steps, each with its number of threads and its classes.
    pub(crate) fn stages(&self) -> SmallList<(usize, SmallList<Class<'_, A>>)> {
        match self {
            Plan::Threads { threads, plan } => smallvec![(*threads, plan.classes())],
            Plan::Parts(plan) => plan.stages(),
            Plan::List(plans) if plans.iter().any(|plan| matches!(plan, Plan::Threads { .. })) => {
                plans.iter().flat_map(Plan::stages).collect()
            }
            plan => smallvec![(1, plan.classes())],
        }
    }

    /// Its classes, in the order of the elements.
    pub(crate) fn classes(&self) -> SmallList<Class<'_, A>> {
        match self {
            Plan::Threads { plan, .. } | Plan::Parts(plan) => plan.classes(),
            Plan::List(plans) => plans.iter().flat_map(Plan::classes).collect(),
            Plan::Batch { plan, count } | Plan::Split { plan, count } => smallvec![(&**plan, *count as usize)],
            Plan::Share { count, .. } | Plan::Stream { count, .. } => smallvec![(self, *count as usize)],
            plan => smallvec![(plan, 1)],
        }
    }

    /// Whether elements with known factors are split.
    pub(crate) fn splits_by_factors(&self) -> bool {
        match self {
            Plan::Threads { plan, .. } => plan.splits_by_factors(),
            plan => matches!(plan, Plan::Parts(_)),
        }
    }
}

impl<A: fmt::Display> fmt::Display for Plan<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Plan::Run { algorithm, form } => return write!(f, "{algorithm} on {form}"),
            Plan::Batch { plan, count } => return write!(f, "batch({plan} x {count})"),
            Plan::Share { plan, count } => return write!(f, "share({plan} x {count})"),
            Plan::Stream { plan, count } => return write!(f, "stream({plan} x {count})"),
            Plan::Split { plan, count } => return write!(f, "split({plan} x {count})"),
            Plan::Threads { threads, plan } => return write!(f, "threads({threads}, {plan})"),
            Plan::Even { .. } => "even",
            Plan::Crt(_) => "crt",
            Plan::List(_) => "list",
            Plan::Parts(_) => "parts",
            Plan::Over { .. } => "over",
        };
        write!(f, "{name}(")?;
        for (index, plan) in self.children().into_iter().enumerate() {
            write!(f, "{}{plan}", if index > 0 { ", " } else { "" })?;
        }
        f.write_str(")")
    }
}
