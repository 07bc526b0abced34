//! What a user calls: a file or a folder for each kind of work.

pub(crate) mod column;
mod factored;
pub(crate) mod fixed_base;
pub(crate) mod fixed_exponent;
mod inverse;
pub(crate) mod list;
pub(crate) mod lucas;
mod modulus;
mod options;
mod power;
pub(crate) mod product_list;
pub(crate) mod request;
pub(crate) mod residues;
mod row_request;
mod rows;
pub(crate) mod secret;
pub(crate) mod shared_work;
pub(crate) mod squaring;
pub(crate) mod two;
#[cfg(test)]
#[path = "../../tests/inside/work/walked.rs"]
mod walked;
pub(crate) mod words;

pub use column::Column;
pub use inverse::{invert, jacobi, perfect_power};
pub use list::{Job, plan_list, pow_list};
pub use modulus::Modulus;
pub use options::{Limits, Options};
pub use power::{modexp, powmod, powmod_with};
pub use product_list::{explain_product_list, plan_product_list, pow_product_list};
pub use residues::{Residues, mulmod_rows, mulmod_words};
pub use row_request::RowRequest;
pub use rows::pow_rows;
pub use secret::is_prime_secret;
pub use squaring::{MOST_SQUARINGS, RepeatedSquare};
pub use two::pow_two_list;
pub use words::{pow_words, powmod_word};
