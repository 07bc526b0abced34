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
mod explain;
mod fixed_base;
mod line;
mod list;
mod planner;
mod prices;
mod problem;

use crate::algorithm::Algorithm;
use crate::kernel::registry::{Form, Kernel};
use core::fmt;

pub use crossovers::Crossover;
pub use explain::{Candidate, Explanation};
pub use fixed_base::{FixedBaseCandidate, FixedBaseExplanation, FixedBasePlan, FixedBaseProblem, FixedBaseRun};
pub(crate) use line::line_of_each;
pub(crate) use list::{Shape, Work};
pub use planner::Planner;
pub(crate) use planner::Run;
pub use prices::{FormPrice, Prices, Source, path as prices_path};
pub use problem::Problem;

/// How a problem is done. `Display` prints one nested line; `FromStr` reads it back.
#[derive(Clone, Debug, PartialEq)]
pub enum Plan {
    /// One algorithm on one kernel.
    Run {
        /// The algorithm with its parameters.
        algorithm: Algorithm,
        /// The kernel with its parameters.
        form: Form,
    },
    /// The odd part and the power of two apart, recombined by a Hensel inverse.
    Even {
        /// Modulo the odd part.
        odd: Box<Plan>,
        /// Modulo the power of two.
        two: Box<Plan>,
    },
    /// One plan for each coprime factor, recombined by Garner's method.
    Crt(Vec<Plan>),
    /// One plan, many times.
    Batch {
        /// For each of them.
        plan: Box<Plan>,
        /// How many.
        count: u64,
    },
}

impl Plan {
    /// Whether some part of it runs on this kernel.
    pub fn runs_on(&self, kernel: Kernel) -> bool {
        match self {
            Plan::Run { form, .. } => form.kernel == kernel,
            Plan::Even { odd, two } => odd.runs_on(kernel) || two.runs_on(kernel),
            Plan::Crt(parts) => parts.iter().any(|part| part.runs_on(kernel)),
            Plan::Batch { plan, .. } => plan.runs_on(kernel),
        }
    }
}

impl fmt::Display for Plan {
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
