//! All algorithms, one row each.

use super::{
    AdaptiveMAry, AdaptiveSlidingWindow, AdditionChain, BinaryLeftToRight, BinaryRightToLeft, Counts, ExpectedCost,
    ExponentShape, FixedWindow, KAry, ModifiedKAry, Monoid, MontgomeryLadder, Parameter, Program, Register, Schedule,
    SlidingWindow,
};
use crate::error::Error;
use crate::exponent::{Digits, Exponent};
use core::fmt;
use core::str::FromStr;

/// Makes [`Algorithm`] and [`ENTRIES`] from the list of types that implement [`Program`].
macro_rules! catalogue {
    ($($program:ident,)*) => {
        /// One exponentiation algorithm with its parameter, as plans name it.
        ///
        /// It prints as its name, `sliding_window(w=7)`, and parses back.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Algorithm {
            $(
                #[doc = concat!("See [`", stringify!($program), "`].")]
                $program($program),
            )*
        }

        /// The catalogue, in the order of the sources.
        pub static ENTRIES: &[Entry] = &[$(Entry::of::<$program>(),)*];

        $(
            impl From<$program> for Algorithm {
                fn from(program: $program) -> Self {
                    Algorithm::$program(program)
                }
            }
        )*

        impl Algorithm {
            /// Its row in the catalogue.
            pub fn entry(&self) -> &'static Entry {
                match self {
                    $(Algorithm::$program(_) => const { &Entry::of::<$program>() },)*
                }
            }

            /// Registers that a run with an exponent of this length needs, the base's included: the arena's size.
            #[inline]
            pub fn registers(&self, exponent_bits: usize) -> usize {
                match self {
                    $(Algorithm::$program(program) => program.registers(exponent_bits),)*
                }
            }

            /// The length of the tables that it selects from; 0 if it selects nothing. A constant-time selection
            /// reads that many elements.
            pub fn table_length(&self) -> usize {
                match self {
                    $(Algorithm::$program(program) => program.table_length(),)*
                }
            }

            /// Expected operations, in constant time.
            pub fn expected(&self, shape: &ExponentShape) -> ExpectedCost {
                match self {
                    $(Algorithm::$program(program) => program.expected(shape),)*
                }
            }

            /// The exact operations of a run with this exponent, without running.
            pub fn exact(&self, exponent: &Exponent) -> Counts {
                match self {
                    $(Algorithm::$program(program) => program.exact(exponent),)*
                }
            }

            /// Raises the base to `exponent` and names the register that holds the result.
            ///
            /// # Panics
            /// An addition chain panics for an exponent that is not its target: see [`Algorithm::serves`].
            #[inline]
            pub fn run<M: Monoid<Digit = usize>>(&self, exponent: &Exponent, monoid: &mut M) -> Register {
                match self {
                    $(Algorithm::$program(program) => program.run(exponent, monoid),)*
                }
            }

            /// The same for digits of any kind (secret, or one per lane); `None`, and nothing done, if the schedule
            /// is by exponent.
            #[inline]
            pub fn run_uniform<M: Monoid, E: Digits<M::Digit>>(&self, exponent: &E, monoid: &mut M) -> Option<Register> {
                match self {
                    $(Algorithm::$program(program) => program.run_uniform(exponent, monoid),)*
                }
            }
        }

        impl fmt::Display for Algorithm {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())?;
                match self {
                    $(Algorithm::$program(program) => program.parameter().write(f),)*
                }
            }
        }
    };
}

catalogue! {
    BinaryRightToLeft,
    BinaryLeftToRight,
    KAry,
    ModifiedKAry,
    SlidingWindow,
    AdaptiveMAry,
    AdaptiveSlidingWindow,
    MontgomeryLadder,
    FixedWindow,
    AdditionChain,
}

impl Algorithm {
    /// The name without the parameter.
    pub fn name(&self) -> &'static str {
        self.entry().name
    }

    /// Where it comes from, with keys into docs/references.bib.
    pub fn source(&self) -> &'static str {
        self.entry().source
    }

    /// One sentence on what it does.
    pub fn summary(&self) -> &'static str {
        self.entry().summary
    }

    /// What its sequence of operations depends on.
    #[inline]
    pub fn schedule(&self) -> Schedule {
        self.entry().schedule
    }

    /// Whether it can raise to this exponent: an addition chain serves its target only, the others serve all.
    pub fn serves(&self, exponent: &Exponent) -> bool {
        match self {
            Algorithm::AdditionChain(program) => program.chain().target() == exponent,
            _ => true,
        }
    }

    /// What a planner should price for exponents of this length: every name, with the windows around its minimiser.
    pub fn candidates(exponent_bits: usize) -> Vec<Algorithm> {
        ENTRIES.iter().flat_map(|entry| entry.candidates(exponent_bits)).collect()
    }

    /// Every algorithm with every window up to `max_window_bits` (at most 16): for listings and tests. Addition chains
    /// are not among them; they come from an exponent.
    pub fn all(max_window_bits: u32) -> Vec<Algorithm> {
        ENTRIES.iter().flat_map(|entry| (entry.all)(max_window_bits)).collect()
    }
}

/// One row of the catalogue: an algorithm by name, its parameter open.
#[derive(Debug)]
pub struct Entry {
    /// The name in plans.
    pub name: &'static str,
    /// How the parameter is written behind the name; empty if there is none.
    pub form: &'static str,
    /// Where it comes from, with keys into docs/references.bib.
    pub source: &'static str,
    /// One sentence on what it does.
    pub summary: &'static str,
    /// What its sequence of operations depends on.
    pub schedule: Schedule,
    read: fn(Option<&str>) -> Option<Algorithm>,
    candidates: fn(usize) -> Vec<Algorithm>,
    all: fn(u32) -> Vec<Algorithm>,
}

impl Entry {
    const fn of<P: Program>() -> Self
    where
        Algorithm: From<P>,
    {
        Self {
            name: P::NAME,
            form: P::Parameter::FORM,
            source: P::SOURCE,
            summary: P::SUMMARY,
            schedule: P::SCHEDULE,
            read: |text| P::Parameter::read(text).map(|parameter| P::with(parameter).into()),
            candidates: |exponent_bits| P::candidates(exponent_bits).into_iter().map(Algorithm::from).collect(),
            all: |max_window_bits| {
                P::Parameter::values(max_window_bits).into_iter().map(|parameter| P::with(parameter).into()).collect()
            },
        }
    }

    /// The row of this name.
    pub fn named(name: &str) -> Option<&'static Entry> {
        ENTRIES.iter().find(|entry| entry.name == name)
    }

    /// The instances worth pricing for exponents of this length; none for addition chains.
    pub fn candidates(&self, exponent_bits: usize) -> Vec<Algorithm> {
        (self.candidates)(exponent_bits)
    }

    /// The instance with the fewest expected products for this shape, the smaller window on a tie; `None` for addition
    /// chains.
    pub fn fill(&self, shape: &ExponentShape) -> Option<Algorithm> {
        let products = |algorithm: &Algorithm| algorithm.expected(shape).products();
        self.candidates(shape.bits).into_iter().min_by(|a, b| products(a).total_cmp(&products(b)))
    }
}

/// An algorithm as someone asked for it: complete, or by its bare name, to be filled in when the exponent is known.
#[derive(Clone, Debug)]
pub enum Wanted {
    /// With its parameter, or without need of one.
    Exactly(Algorithm),
    /// The name alone of an algorithm that takes a parameter.
    Named(&'static Entry),
}

impl Wanted {
    /// The algorithm, with the parameter of the fewest expected products where it was left open.
    pub fn fill(&self, shape: &ExponentShape) -> Option<Algorithm> {
        match self {
            Wanted::Exactly(algorithm) => Some(algorithm.clone()),
            Wanted::Named(entry) => entry.fill(shape),
        }
    }
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wanted::Exactly(algorithm) => algorithm.fmt(f),
            Wanted::Named(entry) => f.write_str(entry.name),
        }
    }
}

impl FromStr for Wanted {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let text = text.trim();
        let (name, parameter) = match text.split_once('(') {
            None => (text, None),
            Some((name, rest)) => match rest.strip_suffix(')') {
                Some(parameter) => (name, Some(parameter)),
                None => return Err(Error::BadPlan(format!("`{text}` lacks its closing parenthesis"))),
            },
        };
        let Some(entry) = Entry::named(name.trim_end()) else {
            let names: Vec<_> = ENTRIES.iter().map(|entry| entry.name).collect();
            return Err(Error::BadPlan(format!("no algorithm `{name}`; there are {}", names.join(", "))));
        };
        match (entry.read)(parameter) {
            Some(algorithm) => Ok(Wanted::Exactly(algorithm)),
            // A chain cannot be filled in from a length.
            None if parameter.is_none() && !entry.candidates(1).is_empty() => Ok(Wanted::Named(entry)),
            None => Err(Error::BadPlan(format!("`{text}` should read {}{}", entry.name, entry.form))),
        }
    }
}

impl FromStr for Algorithm {
    type Err = Error;

    /// Parses what `Display` prints. A bare name whose parameter is open is for [`Wanted`].
    fn from_str(text: &str) -> Result<Self, Error> {
        match text.parse()? {
            Wanted::Exactly(algorithm) => Ok(algorithm),
            Wanted::Named(entry) => {
                Err(Error::BadPlan(format!("`{}` needs its parameter: {}{}", text.trim(), entry.name, entry.form)))
            }
        }
    }
}
