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

pub(crate) mod divisions;
pub(crate) mod explain;
mod few_products;
pub(crate) mod inverses;
mod kept_choice;
pub(crate) mod line;
pub(crate) mod list;
pub(crate) mod memory;
pub(crate) mod parts;
pub(crate) mod planner;
pub(crate) mod prices;
pub(crate) mod problem;
pub(crate) mod reasons;
pub(crate) mod schedule;
pub mod summary;
pub(crate) mod tree;
mod unpriced;

pub use explain::Explanation;
pub(crate) use inverses::InverseList;
pub(crate) use list::ListPlan;
pub use planner::Planner;
pub(crate) use planner::Run;
pub use prices::{FORMAT, FormPrice, Prices, Source, path as prices_path};
pub use problem::{FactorShape, FixedBaseProblem, Problem, ShapeProblem};
pub(crate) use schedule::{Chunk, ListSchedule, PricedClass, RowBlocks, Stage, ThreadBudget};
pub use summary::Summary;
pub use tree::Plan;
pub(crate) use unpriced::EvenRecombination;
