//! The inside of the crate `pingala`: numbers, exponents, algorithms, kernels, plans, workloads.
//!
//! Programs use `pingala`, which offers what is promised of this crate under the same names. This crate is for those of its workspace, and
//! for whoever needs an algorithm, a kernel or a price by itself: **any version may change it**, so depend on it by `=`.
//!
//! [`algorithm`] is the catalogue of exponentiation algorithms, each a program over a monoid; [`plan`] has plans as trees, prices and
//! the planner, [`kernels`] the kernels of this build and of this CPU, [`texts`] the products over any word. The crate `pingala-study`
//! stands on them to count, to record addition chains, to trace and to tune.
//!
//! # Features
//!
//! Those of `pingala`, of which `files`, `plan-lines` and `threads` are on by default and need `std`. Without `std` the crate uses `core` and
//! `alloc` only, and has [`algorithm`], [`exponent`], [`Natural`], [`Integer`], [`texts`], and [`kernels`] without transforms; a CPU is what its
//! target says.

// What the vector kernels of x86-64 stand on is compiled everywhere; elsewhere only tests call it.
#![cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
// Without the standard library nothing plans, and much of what kernels offer to plans and calls is not asked for.
#![cfg_attr(not(feature = "std"), no_std, allow(dead_code, unused_imports))]

extern crate alloc;

// Without the standard library: numbers, exponents, algorithms, and the kernels without transforms.
mod error;
mod kernel;
mod natural;
mod secrecy;
mod text;

pub mod algorithm;
pub mod exponent;

#[cfg(feature = "std")]
mod engine;
#[cfg(feature = "std")]
mod modulus;
#[cfg(feature = "std")]
mod once;
#[cfg(feature = "std")]
mod table;
#[cfg(feature = "std")]
mod work;

pub use error::{Error, pairs};
pub use exponent::SecretExponent;
pub use natural::{Integer, Natural, from_ubig, to_ubig};
pub use secrecy::released as release_secret;
#[cfg(feature = "std")]
pub use whole::*;

/// What stands on the standard library: planned calls, their threads and files.
#[cfg(feature = "std")]
mod whole {
    pub use crate::engine::execute::poll::Watch;
    pub use crate::engine::execute::room::has_memory;
    pub use crate::modulus::SecretFactor;
    #[cfg(feature = "files")]
    pub use crate::work::fixed_base::stored::Expected;
    pub use crate::work::fixed_base::{FixedBase, Uses};
    pub use crate::work::fixed_exponent::PlannedPower;
    pub use crate::work::{
        Column, Job, Limits, MOST_SQUARINGS, Modulus, Options, RepeatedSquare, Residues, RowRequest,
        explain_product_list, invert, is_prime_secret, jacobi, modexp, mulmod_rows, mulmod_words, perfect_power,
        plan_list, plan_product_list, pow_list, pow_product_list, pow_rows, pow_two_list, pow_words, powmod,
        powmod_with, powmod_word,
    };

    /// Problem, plan, planner, prices: what to run, chosen by price and printed as one line that parses back.
    pub mod plan {
        pub use crate::engine::plan::{
            Explanation, FORMAT, FactorShape, FixedBaseProblem, FormPrice, Plan, Planner, Prices, Problem,
            ShapeProblem, Source, Summary, prices_path, summary,
        };
        pub use crate::work::shared_work::plan::ShapeAlgorithm;
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
}

// The suite uses what everybody can use, by the name that everybody uses.
#[cfg(test)]
extern crate self as pingala_core;
#[cfg(test)]
#[path = "../tests/suite/mod.rs"]
mod suite;

/// The kernels of this build and the CPU that it found.
pub mod kernels {
    pub use crate::kernel::cpu::{Feature, has};
    #[cfg(feature = "std")]
    pub use crate::kernel::cpu::{mask, masked, model};
    pub use crate::kernel::registry::{
        Entry, Form, KERNELS, Kernel, Layout, Product, Settings, Threshold, every_form, forms,
    };
}

/// The texts of the products over any word, to run them over a word that counts, and the ring of an odd modulus over them.
pub mod texts {
    pub use crate::kernel::Ring;
    pub use crate::kernel::montgomery::{Constants, Unreduced, cios, karatsuba_sos, kcm, sos};
    pub use crate::kernel::odd::OddRing;
    pub use crate::kernel::product::{Leaf, comba, karatsuba, schoolbook};
    pub use crate::natural::linear::clear;
    pub use crate::natural::word::{Accumulator, Word};
}
