//! All algorithms, one row each: powers, several powers of one base, products of powers, tables of a fixed base.

use super::fixed_base::{
    BitCombinations, BitPowers, Comb, Euclidean, FixedBaseProgram, Rounds, ScannedTable, TableShape, Windowing,
};
use super::many_exponents::{BucketProgram, run_on_powers};
use super::{
    AdditionChain, BinaryLeftToRight, BinaryRightToLeft, BosCoster, CatalogueEntry, Catalogued, CommonBits, Counts,
    Divisions, ExpectedCost, ExponentShape, FixedWindow, InterleavedWindows, KAry, ModifiedKAry, Monoid,
    MontgomeryLadder, Named, Parameter, Pippenger, Program, Register, Schedule, SeparateWindows, ShapeBits,
    ShapeProgram, SharedComb, SharedSquarings, SlidingWindow, Straus, Wanted,
};
use crate::error::Error;
use crate::exponent::{CombColumns, Digits, Exponent};
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

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
    ($list:ident $name:ident: $trait:ident;
     $($(#[$doc:meta])* fn $method:ident $([$($generic:tt)+])? ($($argument:ident: $type:ty),*) -> $result:ty;)+) => {
        impl $name {
            $($(#[$doc])*
            #[doc = concat!("See [`", stringify!($trait), "::", stringify!($method), "`].")]
            pub fn $method $(<$($generic)+>)? (&self, $($argument: $type),*) -> $result {
                $list!(each $name(self), program => program.$method($($argument),*))
            })+
        }
    };
}

/// What every catalogue has: the enum, its rows, its text.
macro_rules! catalogue {
    ([$($program:ident)*] $(#[$doc:meta])* $name:ident: $trait:ident($shape:ty), $list:ident, $entries:ident) => {
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
        pub static $entries: &[CatalogueEntry<$name>] = &[$($program::ROW,)*];

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

            impl $program {
                const ROW: CatalogueEntry<$name> = CatalogueEntry::of::<Self>(|shape| {
                    <Self as $trait>::candidates(shape).into_iter().map($name::from).collect()
                });
            }
        )*

        impl $name {
            /// Its row in the catalogue.
            pub fn entry(&self) -> &'static CatalogueEntry<Self> {
                match self {
                    $($name::$program(_) => &$program::ROW,)*
                }
            }

            /// The name without the parameter.
            pub fn name(&self) -> &'static str {
                self.entry().name
            }

            /// Expected operations, in (nearly) constant time.
            pub fn expected(&self, shape: &$shape) -> ExpectedCost {
                Catalogued::expected(self, shape)
            }

            /// What a planner should price for work of this shape: every name, with the parameters that save products or memory.
            pub fn candidates(shape: &$shape) -> Vec<Self> {
                $entries.iter().flat_map(|entry| entry.candidates(shape)).collect()
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
    Algorithm: Program(ExponentShape), powers, ENTRIES
}

delegates! { powers Algorithm: Program;
    /// Registers that a run with an exponent of this length needs, the base's included: the arena's size.
    #[inline]
    fn registers(exponent_bits: usize) -> usize;
    /// The length of the tables that it selects from; 0 if it selects nothing. A constant-time selection reads that many
    /// elements.
    fn table_length() -> usize;
    /// Whether it can raise to this exponent: an addition chain serves its target only, the others serve all.
    #[inline]
    fn serves(exponent: &Exponent) -> bool;
    /// [`Algorithm::run`] for digits of any kind (secret, or one per lane); `None`, and nothing done, if the schedule is by
    /// exponent.
    #[inline]
    fn run_uniform[M: Monoid, E: Digits<M::Digit>](exponent: &E, monoid: &mut M) -> Option<Register>;
}

impl Algorithm {
    /// Raises the base to `exponent` and names the register that holds the result.
    ///
    /// # Panics
    /// An addition chain panics for an exponent that is not its target: see [`Algorithm::serves`].
    #[inline]
    pub fn run<M: Monoid<Digit = usize> + ?Sized>(&self, exponent: &Exponent, monoid: &mut M) -> Register {
        powers!(each Algorithm(self), program => program.run(exponent, monoid))
    }

    /// The exact operations of a run with this exponent, counted.
    ///
    /// # Panics
    /// As [`Algorithm::run`].
    pub fn exact(&self, exponent: &Exponent) -> Counts {
        let mut counts = Counts::default();
        self.run(exponent, &mut counts);
        counts
    }

    /// What its sequence of operations depends on.
    #[inline]
    pub fn schedule(&self) -> Schedule {
        self.entry().schedule
    }
}

many_exponents! { catalogue
    /// An algorithm for several powers of one base, with its parameter.
    ManyExponents: ShapeProgram(ShapeBits), many_exponents, MANY_EXPONENTS
}

power_products! { catalogue
    /// An algorithm for the product of powers of several bases, with its parameter.
    PowerProduct: ShapeProgram(ShapeBits), power_products, POWER_PRODUCTS
}

/// What the catalogues of [`ShapeProgram`]s have in addition.
macro_rules! shapes {
    ($name:ident, $list:ident) => {
        delegates! { $list $name: ShapeProgram;
            /// Registers that a run may touch, those of the bases included: the arena's size.
            fn registers(exponents: &[Exponent]) -> usize;
            /// Registers that a run with exponents of these lengths may take, at most.
            fn most_registers(bits: &ShapeBits) -> usize;
            fn divisions(bits: &ShapeBits) -> Divisions;
            /// Runs, and names the registers that hold the results.
            fn run[M: Monoid<Digit = usize>](exponents: &[Exponent], monoid: &mut M) -> Vec<Register>;
            fn run_telling[M: Monoid<Digit = usize>](
                exponents: &[Exponent], monoid: &mut M, tell: &mut dyn FnMut(usize)
            ) -> Vec<Register>;
        }
    };
}

shapes!(ManyExponents, many_exponents);
shapes!(PowerProduct, power_products);

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
        match self {
            ManyExponents::CommonBits(program) => Some(run_on_powers(program, exponents, monoid, powers)),
            ManyExponents::SharedSquarings(program) => Some(run_on_powers(program, exponents, monoid, powers)),
            ManyExponents::SeparateWindows(_) | ManyExponents::SharedComb(_) => None,
        }
    }

    /// Most buckets that exponents of these lengths take, if the squarings are shared, so that
    /// [`ManyExponents::run_on_powers`] works; each takes two products or fewer in the assembly.
    pub fn buckets(&self, bits: &ShapeBits) -> Option<usize> {
        match self {
            ManyExponents::CommonBits(program) => Some(program.most_buckets(bits)),
            ManyExponents::SharedSquarings(program) => Some(program.most_buckets(bits)),
            ManyExponents::SeparateWindows(_) | ManyExponents::SharedComb(_) => None,
        }
    }

    /// The table that every power is made from, for a method whose powers can go side by side.
    pub fn table(&self) -> Option<FixedBaseAlgorithm> {
        match self {
            ManyExponents::SharedComb(program) => Some(program.comb().into()),
            _ => None,
        }
    }
}

fixed_bases! { catalogue
    /// A method for the powers of a fixed base, with its parameter.
    FixedBaseAlgorithm: FixedBaseProgram(TableShape), fixed_bases, FIXED_BASES
}

delegates! { fixed_bases FixedBaseAlgorithm: FixedBaseProgram;
    fn entries(exponent_bits: usize) -> usize;
    fn work_registers(exponent_bits: usize) -> usize;
    fn divisions(shape: &TableShape) -> Divisions;
    fn entry_exponent(exponent_bits: usize, index: usize) -> Exponent;
    fn build_cost(exponent_bits: usize) -> Counts;
    fn rounds(exponent_bits: usize, exponent: &Exponent) -> Option<Rounds>;
    fn rounds_cost(exponent_bits: usize) -> Option<Counts>;
    fn scanned(exponent_bits: usize) -> Option<usize>;
    fn build[M: Monoid](exponent_bits: usize, monoid: &mut M) -> ();
    fn run[M: Monoid](exponent_bits: usize, exponent: &Exponent, monoid: &mut M) -> Register;
    fn run_uniform[M: ScannedTable, E: CombColumns<M::Digit>](
        exponent_bits: usize, exponent: &E, monoid: &mut M
    ) -> Option<Register>;
}
