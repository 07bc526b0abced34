//! Addition chains for exponents that are known in advance: searched once, checked, kept as data, turned into code.
//!
//! ```
//! use pingala_chains::{Search, evaluate, write_json};
//! let exponent = evaluate("2^255-21")?;
//! let found = Search { steps: 20_000, ..Search::new(&exponent) }.run()?;
//! assert!(found.chain.length() <= 266);
//! assert!(write_json(&found.chain).starts_with("{\n  \"exponent\": \"0x7fff"));
//! # Ok::<(), pingala::Error>(())
//! ```
//!
//! The value is [`pingala_core::algorithm::Chain`]: a chain that is checked when it is made, and that the library can run.

mod anneal;
mod bounds;
mod cost;
mod elements;
mod exact;
mod expression;
mod fixed;
mod generate;
mod methods;
mod picture;
mod plot;
mod prune;
mod search;
mod shape;
mod table;
mod text;

pub use anneal::{Annealing, Phase, Progress};
pub use bounds::{LowerBound, lower_bound};
pub use cost::CostModel;
pub use elements::{chain_of_elements, number};
pub use exact::{Certificate, MAX_EXACT, exact};
pub use expression::{ParseError, evaluate, integer};
pub use fixed::{FixedExponent, Saving};
pub use generate::{Language, generate};
pub use methods::{Method, Sequence, ensemble};
pub use picture::svg;
pub use plot::plot;
pub use prune::prune;
pub use search::{Found, Search};
pub use shape::{Shape, shape};
pub use table::{Entry, Kept, TABLE, best};
pub use text::{read_json, read_script, write_json, write_script};

pub use pingala_core::algorithm::Chain;

/// The example of docs/chains.md is compiled and run with those of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/chains.md")]
struct Page;

/// The example of the package's page is compiled and run with those of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
