//! Plans and their explanations, to be printed, compared and read by fields.
//!
//! A plan prints as one line, which parses back and forces the plan ([`Options::with_plan`](crate::Options::with_plan)). The types below
//! that are aliases are opaque here: what a node of the tree or an algorithm consists of is told by `pingala-core`, and may change.

#[doc(inline)]
pub use pingala_core::plan::Explanation;
#[doc(inline)]
pub use pingala_core::plan::summary::{Alternative, MOST_ROWS, Row, Summary, SummaryPart, SummaryTable};

/// A plan: `Display` prints its line, and `FromStr` parses one.
pub type Plan<A = Algorithm> = pingala_core::plan::Plan<A>;

/// An algorithm for one power, with its parameters: `Display` prints them.
pub type Algorithm = pingala_core::algorithm::Algorithm;

/// An algorithm for powers of a fixed base.
pub type FixedBaseAlgorithm = pingala_core::algorithm::fixed_base::FixedBaseAlgorithm;

/// An algorithm for a product of powers.
pub type PowerProduct = pingala_core::algorithm::PowerProduct;
