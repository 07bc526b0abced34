//! Numbers as limbs and bytes, machine words, and the set-up arithmetic that a library does.
//!
//! A *limb* is a full 64-bit word, least significant first. Nothing here knows a modulus.

/// Conversions from values, by those from references.
#[cfg(any(test, feature = "crypto-bigint", feature = "num-bigint", feature = "num-bigint-04"))]
macro_rules! from_values {
    ($($from:ty => $to:ty),+) => {
        $(impl From<$from> for $to {
            fn from(value: $from) -> Self {
                Self::from(&value)
            }
        })+
    };
}

pub(crate) mod bytes;
pub(crate) mod chores;
#[cfg(any(test, feature = "crypto-bigint"))]
mod crypto_bigint;
mod digits;
pub(crate) mod euclid;
mod integer;
pub(crate) mod linear;
mod notation;
#[cfg(any(test, feature = "num-bigint", feature = "num-bigint-04"))]
mod num_bigint;
pub(crate) mod odd_inverse;
mod operators;
pub(crate) mod power;
#[cfg(feature = "std")]
pub(crate) mod random;
mod remainder;
#[cfg(test)]
#[path = "../../tests/inside/natural/testing.rs"]
pub(crate) mod testing;
mod wiped;
pub(crate) mod word;

pub use chores::{from_ubig, to_ubig};
pub use integer::{Integer, Natural};
pub(crate) use integer::{compare, significant};
pub(crate) use notation::{add_digits, check_digits, check_secret_digits, digit_value};
pub(crate) use wiped::Wiped;
