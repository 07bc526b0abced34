//! The name and the parameter of a program: [`Named`].

use super::{ExpectedCost, Parameter};
use alloc::vec::Vec;
use core::fmt;

/// Whether the sequence of operations follows the exponent's value or its length only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedule {
    /// The operations depend on the length only: fit for secrets, and for lanes with different exponents.
    Uniform,
    /// The operations follow the exponent: public exponents, one for all lanes.
    ByExponent,
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Schedule::Uniform => "uniform",
            Schedule::ByExponent => "by exponent",
        })
    }
}

/// An algorithm's name and parameter, and what a listing says of it.
pub trait Named: Clone + fmt::Debug + PartialEq {
    /// What distinguishes two instances: a window, a chain, or nothing.
    type Parameter: Parameter;

    /// The name in plans, `snake_case`.
    const NAME: &'static str;
    /// Its origin, with keys into docs/references.bib.
    const SOURCE: &'static str;
    /// One sentence for a listing.
    const SUMMARY: &'static str;
    /// What its sequence of operations depends on.
    const SCHEDULE: Schedule = Schedule::ByExponent;

    /// The instance with this parameter.
    fn with(parameter: Self::Parameter) -> Self;
    /// The parameter of this instance.
    fn parameter(&self) -> Self::Parameter;

    /// The instances of all parameters with windows up to this width.
    fn all(max_window_bits: u32) -> Vec<Self> {
        Self::Parameter::values(max_window_bits).into_iter().map(Self::with).collect()
    }
}

/// Names a program that is a wrapper around its parameter, or that has no parameter; behind `@` one with another way from its parameter
/// and back.
macro_rules! named {
    ($program:ident($parameter:ty), $($text:literal),+ $(, $schedule:ident)?) => {
        named! { @ $program, $parameter, Self, |program: &$program| program.0, $($text),+ $(, $schedule)? }
    };
    ($program:ident, $($text:literal),+ $(, $schedule:ident)?) => {
        named! { @ $program, (), |()| Self, |_| (), $($text),+ $(, $schedule)? }
    };
    (@ $program:ident, $parameter:ty, $with:expr, $get:expr,
     $name:literal, $source:literal, $summary:literal $(, $schedule:ident)?) => {
        impl crate::algorithm::Named for $program {
            type Parameter = $parameter;

            const NAME: &'static str = $name;
            const SOURCE: &'static str = $source;
            const SUMMARY: &'static str = $summary;
            $(const SCHEDULE: crate::algorithm::Schedule = crate::algorithm::Schedule::$schedule;)?

            fn with(parameter: $parameter) -> Self {
                $with(parameter)
            }

            fn parameter(&self) -> $parameter {
                $get(self)
            }
        }
    };
}

/// A list up to the first element behind the one with the fewest products (the first one on a tie), and its place; 0 if the list is
/// empty.
pub(super) fn up_to_fewest_products<P>(mut all: Vec<P>, expected: impl Fn(&P) -> ExpectedCost) -> (Vec<P>, usize) {
    let products = all.iter().map(|program| expected(program).products()).enumerate();
    let best = products.min_by(|(_, a), (_, b)| a.total_cmp(b)).map_or(0, |(place, _)| place);
    all.truncate(best + 2);
    (all, best)
}
