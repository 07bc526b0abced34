//! The traits that each file of this folder implements: [`Named`], and [`Program`] for one base and one exponent.

use super::{ExpectedCost, ExponentShape, Monoid, Parameter, Register};
use crate::exponent::{Digits, Exponent, MAX_DIGIT_BITS};
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

/// Names a program that is a wrapper around its parameter, or that has no parameter.
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
/// A named exponentiation algorithm: the descriptor that a planner prices, and the text that a monoid runs.
pub trait Program: Named {
    /// Registers that a run with an exponent of this length may write or read, [`super::BASE`] included: the
    /// arena's size.
    fn registers(&self, exponent_bits: usize) -> usize;
    /// The longest table that it selects from; 0 if it selects nothing.
    fn table_length(&self) -> usize {
        0
    }
    /// Expected operations, in constant time.
    fn expected(&self, shape: &ExponentShape) -> ExpectedCost;
    /// Whether it can raise to this exponent.
    fn serves(&self, _exponent: &Exponent) -> bool {
        true
    }

    /// Raises the base to `exponent` and names the register that holds the result.
    #[inline]
    fn run<M: Monoid<Digit = usize> + ?Sized>(&self, exponent: &Exponent, monoid: &mut M) -> Register {
        self.run_uniform(exponent, monoid).expect("a program by exponent runs otherwise")
    }
    /// Runs on digits of any kind (secret, or one per lane); `None`, and nothing done, if the schedule is by
    /// exponent.
    fn run_uniform<M: Monoid + ?Sized, E: Digits<M::Digit>>(&self, _exponent: &E, _monoid: &mut M) -> Option<Register> {
        None
    }

    /// How many smaller parameters than the one with the fewest products are worth pricing.
    const SMALLER: usize = 1;

    /// The instances worth pricing for exponents of this length: the parameter with the fewest expected products
    /// (the smaller one on a tie), [`Self::SMALLER`] below it and one above.
    fn candidates(&ExponentShape { bits, .. }: &ExponentShape) -> Vec<Self> {
        let shape = ExponentShape::of_bits(bits);
        let (mut all, best) = with_fewest_products(Self::all(MAX_DIGIT_BITS), |program| program.expected(&shape));
        all.truncate(best + 2);
        all.split_off(best.saturating_sub(Self::SMALLER))
    }
}

/// A list, and the place of the element with the fewest products, the first one on a tie; 0 if it is empty.
pub(super) fn with_fewest_products<P>(all: Vec<P>, expected: impl Fn(&P) -> ExpectedCost) -> (Vec<P>, usize) {
    let products = all.iter().map(|program| expected(program).products()).enumerate();
    let best = products.min_by(|(_, a), (_, b)| a.total_cmp(b)).map_or(0, |(place, _)| place);
    (all, best)
}
