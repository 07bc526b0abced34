//! All methods for fixed bases, one row each.

use super::{BitCombinations, BitPowers, Comb, Euclidean, FixedBaseProgram, Windowing};
use crate::algorithm::{Counts, ExpectedCost, Monoid, Parameter, Register};
use crate::error::Error;
use crate::exponent::Exponent;
use core::fmt;
use core::str::FromStr;

/// Makes [`FixedBaseAlgorithm`] and [`FIXED_BASE_ENTRIES`] from the list of types that implement [`FixedBaseProgram`].
macro_rules! catalogue {
    ($($program:ident,)*) => {
        /// One method for a fixed base with its parameter, as plans name it.
        ///
        /// It prints as its name, `comb(h=8, v=4)`, and parses back.
        #[derive(Clone, Debug, PartialEq)]
        pub enum FixedBaseAlgorithm {
            $(
                #[doc = concat!("See [`", stringify!($program), "`].")]
                $program($program),
            )*
        }

        /// The catalogue of methods for fixed bases.
        pub static FIXED_BASE_ENTRIES: &[FixedBaseEntry] = &[$(FixedBaseEntry::of::<$program>(),)*];

        $(
            impl From<$program> for FixedBaseAlgorithm {
                fn from(program: $program) -> Self {
                    FixedBaseAlgorithm::$program(program)
                }
            }
        )*

        impl FixedBaseAlgorithm {
            /// See [`FixedBaseProgram::entries`].
            pub fn entries(&self, exponent_bits: usize) -> usize {
                match self {
                    $(Self::$program(program) => program.entries(exponent_bits),)*
                }
            }

            /// See [`FixedBaseProgram::work_registers`].
            pub fn work_registers(&self, exponent_bits: usize) -> usize {
                match self {
                    $(Self::$program(program) => program.work_registers(exponent_bits),)*
                }
            }

            /// See [`FixedBaseProgram::entry_exponent`].
            pub fn entry_exponent(&self, exponent_bits: usize, index: usize) -> Exponent {
                match self {
                    $(Self::$program(program) => program.entry_exponent(exponent_bits, index),)*
                }
            }

            /// See [`FixedBaseProgram::build_cost`].
            pub fn build_cost(&self, exponent_bits: usize) -> Counts {
                match self {
                    $(Self::$program(program) => program.build_cost(exponent_bits),)*
                }
            }

            /// See [`FixedBaseProgram::build`].
            pub fn build<M: Monoid>(&self, exponent_bits: usize, monoid: &mut M) {
                match self {
                    $(Self::$program(program) => program.build(exponent_bits, monoid),)*
                }
            }

            /// See [`FixedBaseProgram::expected`].
            pub fn expected(&self, exponent_bits: usize) -> ExpectedCost {
                match self {
                    $(Self::$program(program) => program.expected(exponent_bits),)*
                }
            }

            /// See [`FixedBaseProgram::exact`].
            pub fn exact(&self, exponent_bits: usize, exponent: &Exponent) -> Counts {
                match self {
                    $(Self::$program(program) => program.exact(exponent_bits, exponent),)*
                }
            }

            /// See [`FixedBaseProgram::run`].
            pub fn run<M: Monoid>(&self, exponent_bits: usize, exponent: &Exponent, monoid: &mut M) -> Register {
                match self {
                    $(Self::$program(program) => program.run(exponent_bits, exponent, monoid),)*
                }
            }
        }

        impl fmt::Display for FixedBaseAlgorithm {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Self::$program(program) => {
                        f.write_str($program::NAME)?;
                        program.parameter().write(f)
                    })*
                }
            }
        }
    };
}

catalogue! {
    Windowing,
    Euclidean,
    Comb,
    BitPowers,
    BitCombinations,
}

impl FixedBaseAlgorithm {
    /// Every method with its parameters worth pricing whose table has at most `max_entries`.
    pub fn candidates(exponent_bits: usize, max_entries: usize) -> Vec<Self> {
        FIXED_BASE_ENTRIES.iter().flat_map(|entry| (entry.candidates)(exponent_bits, max_entries)).collect()
    }

    /// Every method with every window, radix and row up to `max_window_bits`: for listings and tests.
    pub fn all(max_window_bits: u32) -> Vec<Self> {
        FIXED_BASE_ENTRIES.iter().flat_map(|entry| (entry.all)(max_window_bits)).collect()
    }
}

/// One row: what a listing shows, and how the method is read.
#[derive(Clone, Copy, Debug)]
pub struct FixedBaseEntry {
    /// The name in plans.
    pub name: &'static str,
    /// How the parameter is written, `(h=1..16, v=1..)`.
    pub form: &'static str,
    /// Where it comes from, with keys into docs/references.bib.
    pub source: &'static str,
    /// One sentence on what it does.
    pub summary: &'static str,
    read: fn(Option<&str>) -> Option<FixedBaseAlgorithm>,
    candidates: fn(usize, usize) -> Vec<FixedBaseAlgorithm>,
    all: fn(u32) -> Vec<FixedBaseAlgorithm>,
}

impl FixedBaseEntry {
    const fn of<P: FixedBaseProgram + Into<FixedBaseAlgorithm>>() -> Self {
        Self {
            name: P::NAME,
            form: P::Parameter::FORM,
            source: P::SOURCE,
            summary: P::SUMMARY,
            read: |parameter| P::Parameter::read(parameter).map(|parameter| P::with(parameter).into()),
            candidates: |bits, most| P::candidates(bits, most).into_iter().map(Into::into).collect(),
            all: |most| P::Parameter::values(most).into_iter().map(|parameter| P::with(parameter).into()).collect(),
        }
    }
}

impl FromStr for FixedBaseAlgorithm {
    type Err = Error;

    /// Parses what `Display` prints. Error: `bad_plan`.
    fn from_str(text: &str) -> Result<Self, Error> {
        let text = text.trim();
        let (name, parameter) = match text.split_once('(') {
            Some((name, rest)) => match rest.strip_suffix(')') {
                Some(parameter) => (name.trim(), Some(parameter.trim())),
                None => return Err(Error::BadPlan(format!("missing ')' in `{text}`"))),
            },
            None => (text, None),
        };
        let Some(entry) = FIXED_BASE_ENTRIES.iter().find(|entry| entry.name == name) else {
            let names: Vec<&str> = FIXED_BASE_ENTRIES.iter().map(|entry| entry.name).collect();
            return Err(Error::BadPlan(format!("no fixed-base method `{name}`; there are {}", names.join(", "))));
        };
        let read = (entry.read)(parameter);
        read.ok_or_else(|| Error::BadPlan(format!("`{text}` should read {}{}", entry.name, entry.form)))
    }
}
