//! The tree of a plan: all decisions, in the order of execution, printed as one line.

use crate::algorithm::{Algorithm, ManyExponents};
use crate::exponent::Exponent;
use crate::kernel::registry::{Form, Kernel};
use core::fmt;
use smallvec::{SmallVec, smallvec};

/// A plan. `Display` prints one nested line; `FromStr` parses it. The leaves name an algorithm for the
/// workload: one power, several powers of one base, a product of powers, a fixed base.
///
/// The elements of a list are taken in one order: the longest modulus first, then the longest exponent. Classes follow each
/// other in that order, so that a line holds counts and no indices.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Plan<A = Algorithm> {
    /// One algorithm on one kernel.
    Run {
        /// The algorithm with its parameters.
        algorithm: A,
        /// The kernel with its parameters.
        form: Form,
    },
    /// The odd part and the power of two separately, recombined by a Hensel inverse.
    Even {
        /// Modulo the odd part.
        odd: Box<Plan<A>>,
        /// Modulo the power of two.
        two: Box<Plan<A>>,
    },
    /// One plan for each coprime factor, recombined by Garner's method. Factors with the same run on a kernel with lanes go
    /// side by side.
    Crt(Vec<Plan<A>>),
    /// One plan for each of `count` elements. A kernel with lanes computes one in each lane at a time.
    Batch {
        /// For each of them.
        plan: Box<Plan<A>>,
        /// How many.
        count: u64,
    },
    /// The classes of a list, in the order of its elements. A class of one element is its plan.
    List(Vec<Plan<A>>),
    /// A list whose elements with known factors are first split into parts: the plan is that of the parts.
    Parts(Box<Plan<A>>),
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
        plan: Box<Plan<A>>,
        /// How many.
        count: u64,
    },
    /// A product over another one, which is inverted: the powers with positive exponents, if there are any, and those with
    /// negative ones.
    Over {
        /// The first product.
        above: Option<Box<Plan<A>>>,
        /// The product that is inverted.
        below: Box<Plan<A>>,
    },
    /// Work that is handed out to several threads.
    Threads {
        /// How many, at least 2.
        threads: usize,
        /// The work.
        plan: Box<Plan<A>>,
    },
}

impl Plan {
    /// Whether all of it leads to this exponent: a plan with a given addition chain may lead to another one.
    pub(crate) fn serves(&self, exponent: &Exponent) -> bool {
        self.runs().iter().all(|(algorithm, _)| algorithm.serves(exponent))
    }
}

/// The step of one class of a list.
#[derive(Debug)]
pub(crate) enum ClassStep<'p, A> {
    /// Each element by this plan.
    Each(&'p Plan<A>),
    /// All of them in one run.
    Share(&'p Plan<ManyExponents>),
    /// All of them in one run, with the squarings on a thread of their own.
    Stream(&'p Plan<ManyExponents>),
}

// Derived, these would want a copy of the algorithm as well, of which a step has a reference.
impl<A> Clone for ClassStep<'_, A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A> Copy for ClassStep<'_, A> {}

/// A list that mostly has one entry, so that short work allocates no memory for it.
pub(crate) type SmallList<T> = SmallVec<[T; 1]>;

/// One class: its step and its number of elements.
pub(crate) type Class<'p, A> = (ClassStep<'p, A>, usize);

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

    /// The runs of the parts of one element's plan, in order.
    pub(crate) fn runs(&self) -> Vec<(&A, &Form)> {
        match self {
            Plan::Run { algorithm, form } => vec![(algorithm, form)],
            Plan::Even { odd, two } => [odd, two].into_iter().flat_map(|part| part.runs()).collect(),
            Plan::Crt(parts) | Plan::List(parts) => parts.iter().flat_map(Plan::runs).collect(),
            Plan::Batch { plan, .. } | Plan::Split { plan, .. } | Plan::Threads { plan, .. } | Plan::Parts(plan) => {
                plan.runs()
            }
            Plan::Over { above, below } => {
                let above = above.as_ref().map(|above| above.runs()).unwrap_or_default();
                above.into_iter().chain(below.runs()).collect()
            }
            Plan::Share { .. } | Plan::Stream { .. } => Vec::new(),
        }
    }

    /// Whether some part of it runs on this kernel.
    pub fn runs_on(&self, kernel: Kernel) -> bool {
        self.runs().iter().any(|(_, form)| form.kernel == kernel)
            || self.classes().iter().any(|(step, _)| match step {
                ClassStep::Each(_) => false,
                ClassStep::Share(plan) | ClassStep::Stream(plan) => plan.runs_on(kernel),
            })
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
    pub(crate) fn list(mut classes: Vec<Self>) -> Self {
        if classes.len() == 1 { classes.remove(0) } else { Plan::List(classes) }
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
            Plan::Batch { plan, count } | Plan::Split { plan, count } => {
                smallvec![(ClassStep::Each(&**plan), *count as usize)]
            }
            Plan::Share { plan, count } => smallvec![(ClassStep::Share(plan), *count as usize)],
            Plan::Stream { plan, count } => smallvec![(ClassStep::Stream(plan), *count as usize)],
            plan => smallvec![(ClassStep::Each(plan), 1)],
        }
    }

    /// Whether elements with known factors are split.
    pub(crate) fn splits_by_factors(&self) -> bool {
        match self {
            Plan::Parts(_) => true,
            Plan::Threads { plan, .. } => plan.splits_by_factors(),
            _ => false,
        }
    }
}

impl<A: fmt::Display> fmt::Display for Plan<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let each = |f: &mut fmt::Formatter<'_>, name: &str, parts: &[Plan<A>]| {
            write!(f, "{name}(")?;
            for (index, part) in parts.iter().enumerate() {
                f.write_str(if index > 0 { ", " } else { "" })?;
                write!(f, "{part}")?;
            }
            f.write_str(")")
        };
        match self {
            Plan::Run { algorithm, form } => write!(f, "{algorithm} on {form}"),
            Plan::Even { odd, two } => write!(f, "even({odd}, {two})"),
            Plan::Crt(parts) => each(f, "crt", parts),
            Plan::List(classes) => each(f, "list", classes),
            Plan::Parts(plan) => write!(f, "parts({plan})"),
            Plan::Batch { plan, count } => write!(f, "batch({plan} x {count})"),
            Plan::Share { plan, count } => write!(f, "share({plan} x {count})"),
            Plan::Stream { plan, count } => write!(f, "stream({plan} x {count})"),
            Plan::Split { plan, count } => write!(f, "split({plan} x {count})"),
            Plan::Over { above: Some(above), below } => write!(f, "over({above}, {below})"),
            Plan::Over { above: None, below } => write!(f, "over({below})"),
            Plan::Threads { threads, plan } => write!(f, "threads({threads}, {plan})"),
        }
    }
}
