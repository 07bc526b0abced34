//! Problem, Plan, planner, prices: what to run, chosen by price and printed as one line that parses back.
//!
//! A plan is a tree. First decompose (known factors, powers of two), then run one algorithm on one kernel:
//!
//! ```text
//! sliding_window(w=7) on portable_r64(n=32, product=kcm)
//! even(sliding_window(w=6) on portable_r64(n=16, product=cios), sliding_window(w=6) on portable_low_r64(n=17))
//! crt(sliding_window(w=6) on portable_r64(n=16, product=kcm), sliding_window(w=6) on portable_r64(n=16, product=kcm))
//! batch(fixed_window(w=6) on ifma_lanes_r52(n=40) x 1000)
//! ```

mod crossovers;
mod divisions;
mod explain;
mod fixed_base;
mod inverses;
mod line;
mod list;
mod parts;
mod planner;
mod prices;
mod problem;
mod shape;
pub(crate) mod stream;
mod table_list;

use crate::algorithm::Algorithm;
use crate::exponent::Exponent;
use crate::kernel::registry::{Form, Kernel};
use core::fmt;

pub use crossovers::Crossover;
pub use explain::{Candidate, Explanation, ListExplanation, OnThreads};
pub use fixed_base::{FixedBaseCandidate, FixedBaseExplanation, FixedBaseProblem};
pub(crate) use line::{is_by_factors, line_of_each};
pub(crate) use list::{InLine, NANOSECONDS_PER_THREAD, Neighbours, Shape, Work};
pub use planner::Planner;
pub(crate) use planner::Run;
pub use prices::{FormPrice, Prices, Source, path as prices_path};
pub use problem::{FactorShape, Problem};
pub(crate) use shape::{Piece, WORTH_SHARING};
pub use shape::{ShapeAlgorithm, ShapeProblem};
pub(crate) use table_list::TableList;

/// How a problem is done. `Display` prints one nested line; `FromStr` reads it back. What stands in its leaves is an
/// algorithm for the shape of the work: one power, several powers of one base, a product of powers, a fixed base.
#[derive(Clone, Debug, PartialEq)]
pub enum Plan<A = Algorithm> {
    /// One algorithm on one kernel.
    Run {
        /// The algorithm with its parameters.
        algorithm: A,
        /// The kernel with its parameters.
        form: Form,
    },
    /// The odd part and the power of two apart, recombined by a Hensel inverse.
    Even {
        /// Modulo the odd part.
        odd: Box<Plan<A>>,
        /// Modulo the power of two.
        two: Box<Plan<A>>,
    },
    /// One plan for each coprime factor, recombined by Garner's method.
    Crt(Vec<Plan<A>>),
    /// One plan, many times.
    Batch {
        /// For each of them.
        plan: Box<Plan<A>>,
        /// How many.
        count: u64,
    },
}

impl Plan {
    /// Whether all of it leads to this exponent: a plan with a given addition chain may lead to another one.
    pub(crate) fn serves(&self, exponent: &Exponent) -> bool {
        self.runs().iter().all(|(algorithm, _)| algorithm.serves(exponent))
    }
}

impl<A> Plan<A> {
    /// Whether it runs on a kernel that does several powers side by side, but for a power of two in the modulus.
    pub(crate) fn is_in_lanes(&self) -> bool {
        match self {
            Plan::Run { form, .. } => form.kernel.lanes() > 1,
            Plan::Even { odd, .. } => odd.is_in_lanes(),
            Plan::Crt(_) | Plan::Batch { .. } => false,
        }
    }

    /// What each part runs, in order.
    pub(crate) fn runs(&self) -> Vec<(&A, &Form)> {
        match self {
            Plan::Run { algorithm, form } => vec![(algorithm, form)],
            Plan::Even { odd, two } => [odd, two].into_iter().flat_map(|part| part.runs()).collect(),
            Plan::Crt(parts) => parts.iter().flat_map(Plan::runs).collect(),
            Plan::Batch { plan, .. } => plan.runs(),
        }
    }

    /// Whether some part of it runs on this kernel.
    pub fn runs_on(&self, kernel: Kernel) -> bool {
        self.runs().iter().any(|(_, form)| form.kernel == kernel)
    }
}

impl<A: fmt::Display> fmt::Display for Plan<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Plan::Run { algorithm, form } => write!(f, "{algorithm} on {form}"),
            Plan::Even { odd, two } => write!(f, "even({odd}, {two})"),
            Plan::Crt(parts) => {
                f.write_str("crt(")?;
                for (index, part) in parts.iter().enumerate() {
                    if index > 0 {
                        f.write_str(", ")?;
                    }
                    write!(f, "{part}")?;
                }
                f.write_str(")")
            }
            Plan::Batch { plan, count } => write!(f, "batch({plan} x {count})"),
        }
    }
}
