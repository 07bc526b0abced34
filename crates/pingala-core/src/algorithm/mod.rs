//! An exponentiation algorithm is a program over a monoid.
//!
//! The two traits are in `program`. Every other file of this folder is one named algorithm, written once against [`Monoid`], or a part that
//! several share. What a run *means* depends on the monoid: residues give the power, a counter gives the executed cost, the recorder of
//! `reading` gives the addition chain, the tracer the steps.
//!
//! Rules for all of them:
//! - nothing squares or multiplies 1: a run starts from the base or from a table entry (the first squaring is free);
//! - a run of squarings is one call of [`Monoid::sqr_n`];
//! - every product by the base itself is [`Monoid::mul_base`] or [`Monoid::mul_power`], also while a table is built;
//! - the result may be in any register, [`BASE`] included; [`Program::run`] names it.
//!
//! Workloads of several exponents have their own folders: `many_exponents` for several powers of one base,
//! `power_product` for the product of powers of several bases. Their programs are [`ShapeProgram`]s, follow the same
//! rules, and pass independent products in rounds ([`Monoid::mul_each`]).
//!
//! To add one: write its file (a type that implements [`Program`] or [`ShapeProgram`]), name the file here, add its row in
//! `catalogue`.

#[macro_use]
mod named;
mod addition_chain;
mod binary_left_to_right;
mod binary_right_to_left;
mod buckets;
#[macro_use]
mod catalogue;
mod chain;
mod cost;
pub mod fixed_base;
mod fixed_window;
mod k_ary;
mod many_exponents;
mod modified_k_ary;
mod montgomery_ladder;
mod parameter;
mod power_product;
mod powers;
mod program;
mod real;
mod shape_program;
mod sliding_window;
mod wanted;

pub use addition_chain::AdditionChain;
pub use binary_left_to_right::BinaryLeftToRight;
pub use binary_right_to_left::BinaryRightToLeft;
pub use catalogue::{Algorithm, ENTRIES, MANY_EXPONENTS, ManyExponents, POWER_PRODUCTS, PowerProduct};
pub use chain::Chain;
pub use cost::{Cost, Counts, Divisions, ExpectedCost, ExponentShape};
pub use fixed_window::FixedWindow;
pub use k_ary::KAry;
pub use many_exponents::{CommonBits, SeparateWindows, SharedComb, SharedSquarings};
pub use modified_k_ary::ModifiedKAry;
pub use montgomery_ladder::MontgomeryLadder;
pub use named::{Named, Schedule};
pub use parameter::{GroupSize, GroupWindow, Parameter, WindowBits};
pub use power_product::{BosCoster, InterleavedWindows, Pippenger, Straus};
pub use program::{AHEAD, BASE, IndependentProduct, Monoid, Program, Register};
pub use shape_program::{ShapeBits, ShapeProgram};
pub use sliding_window::SlidingWindow;
pub use wanted::{CatalogueEntry, Catalogued, Wanted};
