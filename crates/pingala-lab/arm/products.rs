//! The products of the library, compiled from its own files, behind a `main` for 32-bit ARM.
//!
//! usage: products 32|64 NAME mul|sqr PARAMETER REPETITIONS A B M M_PRIME
//!
//! The first argument is the bits of a word, NAME an organisation of the Montgomery product, or `schoolbook`, `comba`,
//! `karatsuba` for a plain one; PARAMETER the words of a tile or of a leaf. Numbers are hexadecimal, as long as M; M_PRIME is
//! -M^-1 modulo R. A square is that of A.
//! The result of the last of REPETITIONS equal calls is printed.
#![no_std]
#![no_main]
// The library's modules are included whole; this file calls only a part of them.
#![allow(dead_code, unused_imports)]

#[macro_use]
extern crate alloc;
// The files of `pingala-study` use the library by its name.
extern crate self as pingala_core;

#[path = "../../pingala-core/src/natural/linear.rs"]
mod linear;
#[path = "../../pingala-core/src/kernel/montgomery/mod.rs"]
mod montgomery;
#[path = "../../pingala-study/src/organisations/mod.rs"]
mod organisations;
#[path = "../../pingala-core/src/kernel/product/mod.rs"]
mod product;
mod run;
mod system;
#[path = "../../pingala-core/src/kernel/threshold.rs"]
mod threshold;
#[path = "../../pingala-core/src/kernel/umull.rs"]
mod umull;
#[path = "../../pingala-core/src/natural/word.rs"]
mod word;

/// The rooms under the paths that the files know them by.
mod natural {
    pub(crate) use crate::{linear, word};
}
mod kernel {
    pub(crate) use crate::{montgomery, product, threshold};
}
mod exponent {
    /// The digit of a secret, which no product of this program selects by.
    #[derive(Clone, Copy)]
    pub struct SecretDigit;
}
mod texts {
    pub(crate) use crate::linear::clear;
    pub(crate) use crate::montgomery::{Constants, Unreduced};
    pub(crate) use crate::product::{Leaf, comba, karatsuba, schoolbook};
    pub(crate) use crate::word::{Accumulator, Word};
}

/// The library's error, as far as the files above make one.
#[derive(Debug)]
pub enum Error {
    BadPlan(alloc::string::String),
}
