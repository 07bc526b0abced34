//! Modular exponentiation for one number or for long lists, with plans chosen by measured prices.
//!
//! ```
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
//! # What is promised
//!
//! All names of this crate are listed in `public-api.txt` next to `Cargo.toml`, which a test compares; they are stable as semantic
//! versioning says. The code lies in the crate `pingala-core`: algorithms, kernels, plans as trees, prices. Its types are those of this
//! crate, and any version may change what it has beyond them, so name it with `=` and the version of `pingala`.
//!
//! Secrets: [`Modulus::pow_sec`] takes a [`SecretExponent`] and runs in constant time. All other functions may leak
//! their arguments by their timing.
//!
//! No function panics on any input, except the few that document it under "Panics". Every error has a stable
//! [`Error::code`].

pub mod plan;

#[cfg(feature = "files")]
#[doc(inline)]
pub use pingala_core::Expected;
#[doc(inline)]
pub use pingala_core::{
    Column, Error, FixedBase, Integer, Job, Limits, MOST_SQUARINGS, Modulus, Natural, Options, RepeatedSquare,
    Residues, SecretExponent, SecretFactor, Uses, Watch, explain_product_list, invert, is_prime_secret, jacobi, modexp,
    mulmod_rows, mulmod_words, perfect_power, plan_list, plan_product_list, pow_list, pow_product_list, pow_rows,
    pow_two_list, pow_words, powmod, powmod_with, powmod_word,
};

/// The examples of pages for Rust are compiled and run with those of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/rust.md")]
#[doc = include_str!("../../../docs/recipes/evm.md")]
#[doc = include_str!("../README.md")]
struct Pages;
