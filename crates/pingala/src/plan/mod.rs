//! Problem, Plan, planner, prices: what to run, chosen by price and printed as one line that parses back.
//!
//! A plan is a tree. First decompose (known factors, powers of two), then run one algorithm on one kernel; a list is sorted into
//! classes, each with its plan:
//!
//! ```text
//! sliding_window(w=7) on portable_r64(n=32, product=kcm)
//! even(sliding_window(w=6) on portable_r64(n=16, product=cios), sliding_window(w=6) on portable_low_r64(n=17))
//! crt(sliding_window(w=6) on portable_r64(n=16, product=kcm), sliding_window(w=6) on portable_r64(n=16, product=kcm))
//! batch(fixed_window(w=6) on ifma_lanes_r52(n=40) x 1000)
//! threads(2, list(batch(fixed_window(w=6) on ifma_lanes_r52(n=40) x 1000), sliding_window(w=7) on portable_r64(n=32, product=kcm)))
//! stream(shared_squarings(w=8) on ifma_row_r52(n=32) x 4)
//! ```

mod divisions;
mod explain;
mod explain_list;
mod fixed_base;
mod fixed_base_list;
mod inverses;
mod kinds;
mod line;
mod list;
mod memory;
mod one_base_list;
mod parts;
mod planner;
mod power_list;
mod prices;
mod problem;
mod product_list;
mod reasons;
pub(crate) mod schedule;
mod shared_work;
pub(crate) mod stream;
pub mod summary;
mod tree;

pub use explain::{Candidate, Explanation};
pub use explain_list::ListExplanation;
pub use fixed_base::{FixedBaseCandidate, FixedBaseExplanation, FixedBaseProblem};
pub(crate) use inverses::InverseList;
pub(crate) use kinds::{Key, ListedProblem, OWN_EXPONENT};
pub(crate) use line::{is_by_factors, is_tree, line_of_each, sides_of_line};
pub(crate) use list::ListPlan;
pub(crate) use one_base_list::{SharedList, is_worth_sharing};
pub(crate) use parts::DIVIDED_WORDS;
pub use planner::Planner;
pub(crate) use planner::Run;
pub(crate) use power_list::Forced;
pub use prices::{FORMAT, FormPrice, Prices, Source, path as prices_path};
pub use problem::{FactorShape, Problem};
pub(crate) use product_list::{listed_lengths, product_lengths};
pub use shared_work::{ShapeAlgorithm, ShapeProblem};
pub use summary::Summary;
pub(crate) use tree::ClassStep;
pub use tree::Plan;
