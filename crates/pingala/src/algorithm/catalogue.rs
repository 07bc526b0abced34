//! All algorithms, one row each: powers, several powers of one base, products of powers, tables of a fixed base.

use super::{
    AdditionChain, BinaryLeftToRight, BinaryRightToLeft, BosCoster, BucketProgram, Catalogued, CommonBits, Counts,
    Divisions, ExpectedCost, ExponentShape, FixedWindow, Insertions, InterleavedWindows, KAry, ModifiedKAry, Monoid,
    MontgomeryLadder, Parameter, Pippenger, Program, Register, Schedule, SeparateWindows, ShapeBits, ShapeProgram,
    SharedComb, SharedSquarings, SlidingWindow, Straus, wanted,
};
use crate::algorithm::fixed_base::{
    BitCombinations, BitPowers, Comb, Euclidean, FixedBaseProgram, Rounds, ScannedTable, TableShape, Windowing,
};
use crate::algorithm::many_exponents::run_on_powers;
use crate::error::Error;
use crate::exponent::{CombColumns, Digits, Exponent};
use core::fmt;
use core::str::FromStr;

/// A row of a catalogue; of powers unless it says otherwise.
pub type CatalogueEntry<A = Algorithm> = wanted::AnyEntry<A>;

/// An algorithm as a caller asks for it; one of powers unless it says otherwise.
pub type Wanted<A = Algorithm> = wanted::AnyWanted<A>;

/// Hands the list of the programs of one catalogue to another macro, before the rest of what it is given.
macro_rules! lists {
    ($d:tt $($list:ident: $($program:ident)*;)*) => {
        $(lists!(@one $d $list [$($program)*]);)*
    };
    (@one $d:tt $list:ident $programs:tt) => {
        macro_rules! $list {
            ($d with:ident $d ($d rest:tt)*) => { $d with! { $programs $d ($d rest)* } };
        }
    };
}

lists! { $
    powers:
        BinaryRightToLeft BinaryLeftToRight KAry ModifiedKAry SlidingWindow
        MontgomeryLadder FixedWindow AdditionChain;
    many_exponents: SeparateWindows SharedComb CommonBits SharedSquarings;
    power_products: Straus InterleavedWindows BosCoster Pippenger;
    fixed_bases: Windowing Euclidean Comb BitPowers BitCombinations;
}

/// Calls the program of whichever variant it is.
macro_rules! each {
    ([$($variant:ident)*] $name:ident($it:expr), $program:ident => $call:expr) => {
        match $it {
            $($name::$variant($program) => $call,)*
        }
    };
}

/// Methods that call the method of that name of the program.
macro_rules! delegates {
    ($list:ident $name:ident; $($(#[$doc:meta])* fn $method:ident($($argument:ident: $type:ty),*) -> $result:ty;)+) => {
        impl $name {
            $($(#[$doc])*
            pub fn $method(&self, $($argument: $type),*) -> $result {
                $list!(each $name(self), program => program.$method($($argument),*))
            })+
        }
    };
}

/// What every catalogue has: the enum, its rows, its text.
macro_rules! catalogue {
    ([$($program:ident)*] $(#[$doc:meta])* $name:ident, $shape:ty, $list:ident, $entries:ident, $row:ident) => {
        $(#[$doc])*
        ///
        /// It prints as its name, `sliding_window(w=7)`, and parses back.
        #[derive(Clone, Debug, PartialEq)]
        pub enum $name {
            $(
                #[doc = concat!("See [`", stringify!($program), "`].")]
                $program($program),
            )*
        }

        /// The catalogue, in the order of the sources.
        pub static $entries: &[CatalogueEntry<$name>] = &[$(CatalogueEntry::$row::<$program>(),)*];

        impl Catalogued for $name {
            type Shape = $shape;

            fn entries() -> &'static [CatalogueEntry<Self>] {
                $entries
            }

            fn expected(&self, shape: &Self::Shape) -> ExpectedCost {
                $list!(each $name(self), program => program.expected(shape))
            }
        }

        $(
            impl From<$program> for $name {
                fn from(program: $program) -> Self {
                    $name::$program(program)
                }
            }
        )*

        impl $name {
            /// Its row in the catalogue.
            pub fn entry(&self) -> &'static CatalogueEntry<Self> {
                match self {
                    $($name::$program(_) => const { &CatalogueEntry::$row::<$program>() },)*
                }
            }

            /// The name without the parameter.
            pub fn name(&self) -> &'static str {
                self.entry().name
            }

            /// Its origin, with keys into docs/references.bib.
            pub fn source(&self) -> &'static str {
                self.entry().source
            }

            /// One sentence on what it does.
            pub fn summary(&self) -> &'static str {
                self.entry().summary
            }

            /// Expected operations, in (nearly) constant time.
            pub fn expected(&self, shape: &$shape) -> ExpectedCost {
                Catalogued::expected(self, shape)
            }

            /// Every algorithm with every window up to `max_window_bits` (at most 16): for listings and tests. Addition
            /// chains are not among them; they come from an exponent.
            pub fn all(max_window_bits: u32) -> Vec<Self> {
                $entries.iter().flat_map(|entry| entry.all(max_window_bits)).collect()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())?;
                $list!(each $name(self), program => program.parameter().write(f))
            }
        }

        impl FromStr for $name {
            type Err = Error;

            /// Parses what `Display` prints. A bare name whose parameter is open is for [`Wanted`].
            fn from_str(text: &str) -> Result<Self, Error> {
                text.parse::<Wanted<Self>>()?.complete(text)
            }
        }
    };
}

powers! { catalogue
    /// One exponentiation algorithm with its parameter, as plans name it.
    Algorithm, ExponentShape, powers, ENTRIES, of_program
}

delegates! { powers Algorithm;
    /// Registers that a run with an exponent of this length needs, the base's included: the arena's size.
    #[inline]
    fn registers(exponent_bits: usize) -> usize;
    /// The length of the tables that it selects from; 0 if it selects nothing. A constant-time selection reads that many
    /// elements.
    fn table_length() -> usize;
    /// The exact operations of a run with this exponent, without running.
    fn exact(exponent: &Exponent) -> Counts;
}

impl Algorithm {
    /// [`Algorithm::run`] for digits of any kind (secret, or one per lane); `None`, and nothing done, if the schedule is by
    /// exponent.
    #[inline]
    pub fn run_uniform<M: Monoid, E: Digits<M::Digit>>(&self, exponent: &E, monoid: &mut M) -> Option<Register> {
        powers!(each Algorithm(self), program => program.run_uniform(exponent, monoid))
    }

    /// What its sequence of operations depends on.
    #[inline]
    pub fn schedule(&self) -> Schedule {
        self.entry().schedule
    }

    /// Whether it can raise to this exponent: an addition chain serves its target only, the others serve all.
    #[inline]
    pub fn serves(&self, exponent: &Exponent) -> bool {
        match self {
            Algorithm::AdditionChain(program) => program.chain().target() == exponent,
            _ => true,
        }
    }

    /// What a planner should price for exponents of this length: every name, with the windows around its minimiser.
    pub fn candidates(exponent_bits: usize) -> Vec<Algorithm> {
        let shape = ExponentShape::of_bits(exponent_bits);
        ENTRIES.iter().flat_map(|entry| entry.candidates(&shape)).collect()
    }
}

many_exponents! { catalogue
    /// An algorithm for several powers of one base, with its parameter.
    ManyExponents, ShapeBits, many_exponents, MANY_EXPONENTS, of_shape
}

/// Calls the program of an algorithm with buckets, in which the squarings are shared; `None` for the others.
macro_rules! with_buckets {
    ($it:expr, $program:ident => $call:expr) => {
        match $it {
            ManyExponents::CommonBits($program) => Some($call),
            ManyExponents::SharedSquarings($program) => Some($call),
            ManyExponents::SeparateWindows(_) | ManyExponents::SharedComb(_) => None,
        }
    };
}

impl ManyExponents {
    /// The insertions into buckets, in the order of their bits; `None` for an algorithm without buckets. With
    /// [`ManyExponents::assemble`] behind them they are what [`ManyExponents::run`] does.
    pub fn insertions<'a>(&self, exponents: &'a [Exponent]) -> Option<Insertions<'a>> {
        with_buckets!(self, program => program.insertions(exponents))
    }

    /// The powers from the buckets, after all insertions; `filled` is [`Insertions::filled`]. `None` for an algorithm
    /// without buckets.
    pub fn assemble<M: Monoid>(
        &self,
        exponents: &[Exponent],
        filled: &[bool],
        monoid: &mut M,
    ) -> Option<Vec<Register>> {
        with_buckets!(self, program => program.assemble(exponents, filled, monoid))
    }
}

impl ManyExponents {
    /// Runs on powers of the base that are made elsewhere: `powers(monoid, bits, first)` puts g^(2^bit) into successive
    /// registers from `first` on, for ascending bits from 1 on, so that the squarings can go on during the products. `None`,
    /// and nothing done, if the squarings are not shared.
    pub fn run_on_powers<M: Monoid<Digit = usize>>(
        &self,
        exponents: &[Exponent],
        monoid: &mut M,
        powers: &mut dyn FnMut(&mut M, &[usize], Register),
    ) -> Option<Vec<Register>> {
        with_buckets!(self, program => run_on_powers(program, exponents, monoid, powers))
    }

    /// See [`ShapeProgram::run_telling`].
    pub fn run_telling<M: Monoid<Digit = usize>>(
        &self,
        exponents: &[Exponent],
        monoid: &mut M,
        tell: &mut dyn FnMut(usize),
    ) -> Vec<Register> {
        many_exponents!(each ManyExponents(self), program => program.run_telling(exponents, monoid, tell))
    }

    /// The table that every power is made from, for a method whose powers can go side by side.
    pub fn table(&self) -> Option<FixedBaseAlgorithm> {
        match self {
            ManyExponents::SharedComb(program) => Some(program.comb().into()),
            _ => None,
        }
    }

    /// Most buckets that exponents of these lengths take, if the squarings are shared, so that
    /// [`ManyExponents::run_on_powers`] works; each takes two products or fewer in the assembly.
    pub fn buckets(&self, bits: &ShapeBits) -> Option<usize> {
        with_buckets!(self, program => program.most_buckets(bits))
    }
}

power_products! { catalogue
    /// An algorithm for the product of powers of several bases, with its parameter.
    PowerProduct, ShapeBits, power_products, POWER_PRODUCTS, of_shape
}

/// What the catalogues of [`ShapeProgram`]s have in addition.
macro_rules! shapes {
    ($name:ident, $list:ident, $entries:ident) => {
        delegates! { $list $name;
            /// Registers that a run may touch, those of the bases included: the arena's size.
            fn registers(exponents: &[Exponent]) -> usize;
            /// Registers that a run with exponents of these lengths may take, at most.
            fn most_registers(bits: &ShapeBits) -> usize;
            /// The exact operations of a run, without running.
            fn exact(exponents: &[Exponent]) -> Counts;
            /// See [`ShapeProgram::divisions`].
            fn divisions(bits: &ShapeBits) -> Divisions;
        }

        impl $name {
            /// Runs, and names the registers that hold the results: see [`ShapeProgram::run`].
            pub fn run<M: Monoid<Digit = usize>>(&self, exponents: &[Exponent], monoid: &mut M) -> Vec<Register> {
                $list!(each $name(self), program => program.run(exponents, monoid))
            }

            /// What a planner should price for work of this shape: every name, with every window that saves products
            /// or memory.
            pub fn candidates(bits: &ShapeBits) -> Vec<Self> {
                $entries.iter().flat_map(|entry| entry.candidates(bits)).collect()
            }
        }
    };
}

shapes!(ManyExponents, many_exponents, MANY_EXPONENTS);
shapes!(PowerProduct, power_products, POWER_PRODUCTS);

fixed_bases! { catalogue
    /// A method for the powers of a fixed base, with its parameter.
    FixedBaseAlgorithm, TableShape, fixed_bases, FIXED_BASES, of_table
}

delegates! { fixed_bases FixedBaseAlgorithm;
    /// See [`FixedBaseProgram::entries`].
    fn entries(exponent_bits: usize) -> usize;
    /// See [`FixedBaseProgram::work_registers`].
    fn work_registers(exponent_bits: usize) -> usize;
    /// See [`FixedBaseProgram::divisions`].
    fn divisions(shape: &TableShape) -> Divisions;
    /// See [`FixedBaseProgram::entry_exponent`].
    fn entry_exponent(exponent_bits: usize, index: usize) -> Exponent;
    /// See [`FixedBaseProgram::build_cost`].
    fn build_cost(exponent_bits: usize) -> Counts;
    /// See [`FixedBaseProgram::exact`].
    fn exact(exponent_bits: usize, exponent: &Exponent) -> Counts;
    /// See [`FixedBaseProgram::rounds`].
    fn rounds(exponent_bits: usize, exponent: &Exponent) -> Option<Rounds>;
    /// See [`FixedBaseProgram::rounds_cost`].
    fn rounds_cost(exponent_bits: usize) -> Option<Counts>;
    /// See [`FixedBaseProgram::scanned`].
    fn scanned(exponent_bits: usize) -> Option<usize>;
}

impl FixedBaseAlgorithm {
    /// See [`FixedBaseProgram::build`].
    pub fn build<M: Monoid>(&self, exponent_bits: usize, monoid: &mut M) {
        fixed_bases!(each FixedBaseAlgorithm(self), program => program.build(exponent_bits, monoid))
    }

    /// See [`FixedBaseProgram::run`].
    pub fn run<M: Monoid>(&self, exponent_bits: usize, exponent: &Exponent, monoid: &mut M) -> Register {
        fixed_bases!(each FixedBaseAlgorithm(self), program => program.run(exponent_bits, exponent, monoid))
    }

    /// See [`FixedBaseProgram::run_uniform`].
    pub fn run_uniform<M: ScannedTable, E: CombColumns<M::Digit>>(
        &self,
        exponent_bits: usize,
        exponent: &E,
        monoid: &mut M,
    ) -> Option<Register> {
        fixed_bases!(each FixedBaseAlgorithm(self), program => program.run_uniform(exponent_bits, exponent, monoid))
    }

    /// Every method with its parameters worth pricing whose table fits.
    pub fn candidates(shape: &TableShape) -> Vec<Self> {
        FIXED_BASES.iter().flat_map(|entry| entry.candidates(shape)).collect()
    }
}
