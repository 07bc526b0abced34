//! Modular exponentiation for one number or for long lists, with plans chosen by measured prices.
//!
//! ```
//! # use pingala_core as pingala;
//! use pingala::{Integer, Modulus};
//! let modulus = Modulus::new("1000000007".parse()?)?;
//! let power = modulus.pow(&Integer::from(2u64), &"1000000000000".parse()?)?;
//! assert_eq!(power.to_string(), "959366170");
//! # Ok::<(), pingala::Error>(())
//! ```
//!
//! The flow is `integers -> Modulus -> Problem -> Plan -> execution -> integers`. Each call is planned by the prices of
//! this machine's kernels; [`Modulus::explain`] gives the reasons. [`Options`] change a call; each setting has a `with_` method,
//! and any version may add settings.
//!
//! # Features
//!
//! | feature | default | what it adds |
//! |---|---|---|
//! | `files` | yes | `FixedBase::save` and `load`, checkpoints of [`RepeatedSquare`]; depends on memmap2 and sha2 |
//! | `plan-lines` | yes | reads plan lines: `Options::with_plan` and `with_kernel`, which fail without it |
//! | `threads` | yes | lists and long work on several threads |
//! | `num-bigint` | no | `From` and `TryFrom` between [`Natural`], [`Integer`] and `BigUint`, `BigInt` of num-bigint 0.5 |
//! | `num-bigint-04` | no | the same for version 0.4 of that crate; both features may be on |
//! | `crypto-bigint` | no | the same for `Uint` and `BoxedUint` |
//!
//! [`algorithm`] is the catalogue of exponentiation algorithms, each a program over a monoid; [`plan`] has plans as trees, prices and
//! the planner, [`kernels`] the kernels of this build and of this CPU, [`texts`] the products over any word. The crate `pingala-study`
//! stands on them to count, to record addition chains, to trace and to tune. All public names are listed in `public-api.txt` next to
//! `Cargo.toml`, which a test compares.
//!
//! Secrets: [`Modulus::pow_sec`] takes a [`SecretExponent`] and runs in constant time. All other functions may leak
//! their arguments by their timing.
//!
//! No function panics on any input, except the few that document it under "Panics". Every error has a stable
//! [`Error::code`].

// What the vector kernels of x86-64 stand on is compiled everywhere; elsewhere only tests call it.
#![cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]

mod engine;
mod error;
mod kernel;
mod modulus;
mod natural;
mod once;
mod secrecy;
mod table;
mod text;
mod work;

pub mod algorithm;
pub mod exponent;

/// Problem, plan, planner, prices: what to run, chosen by price and printed as one line that parses back.
pub mod plan {
    pub use crate::engine::plan::{
        Explanation, FORMAT, FactorShape, FixedBaseProblem, FormPrice, Plan, Planner, Prices, Problem, ShapeProblem,
        Source, Summary, prices_path, summary,
    };
    pub use crate::work::shared_work::plan::ShapeAlgorithm;
}

pub use engine::execute::poll::Watch;
pub use engine::execute::room::has_memory;
pub use error::{Error, pairs};
pub use exponent::SecretExponent;
pub use modulus::SecretFactor;
pub use natural::{Integer, Natural};
pub use secrecy::released as release_secret;
#[cfg(feature = "files")]
pub use work::fixed_base::stored::Expected;
pub use work::fixed_base::{FixedBase, Uses};
pub use work::fixed_exponent::PlannedPower;
pub use work::{
    Column, Job, Limits, Modulus, Options, RepeatedSquare, Residues, explain_product_list, is_prime_secret, modexp,
    mulmod_rows, mulmod_words, plan_list, plan_product_list, pow_list, pow_product_list, pow_rows, pow_words, powmod,
    powmod_with,
};
pub use work::{MOST_SQUARINGS, invert, jacobi, perfect_power, pow_two_list, powmod_word};

// The suite uses what everybody can use, by the name that everybody uses.
#[cfg(test)]
extern crate self as pingala_core;
#[cfg(test)]
#[path = "../tests/suite/mod.rs"]
mod suite;

/// The kernels of this build and the CPU that it found.
pub mod kernels {
    pub use crate::kernel::cpu::{Feature, has, mask, masked, model};
    pub use crate::kernel::registry::{
        Entry, Form, KERNELS, Kernel, Layout, Product, Settings, Threshold, every_form, forms,
    };
}

/// The texts of the products over any word, to run them over a word that counts.
pub mod texts {
    pub use crate::kernel::montgomery::{Constants, Unreduced, cios, karatsuba_sos, kcm, sos};
    pub use crate::kernel::odd::OddRing;
    pub use crate::kernel::product::{Leaf, comba, karatsuba, schoolbook};
    pub use crate::natural::linear::clear;
    pub use crate::natural::word::{Accumulator, Word};
}

/// How the library reads and writes its files, for the command and the other crates.
#[cfg(feature = "files")]
pub mod files {
    pub use crate::table::ordinary::{open_ordinary, read_capped, read_to_cap};
    pub use crate::table::replace::Replacement;
}

/// Threads that work for one call: the one way in which the library and the crates that stand on it start and await them.
pub mod threads {
    pub use crate::engine::execute::threads::{Crew, each};
}

/// Measuring the prices that plans are chosen by.
pub mod tune {
    pub use crate::engine::execute::measure::{measure, measure_by};
    pub use crate::engine::plan::FORMAT;
    /// The compiler of this build, to which its prices belong.
    pub const COMPILER: &str = env!("PINGALA_COMPILER");
}
