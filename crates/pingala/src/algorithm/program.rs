//! The trait that each file of this folder implements: [`Program`], with its [`Schedule`] and its [`Parameter`].

use super::{Counts, ExpectedCost, ExponentShape, Monoid, Register};
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

/// A named exponentiation algorithm: the descriptor that a planner prices, and the text that a monoid runs.
pub trait Program: Clone + fmt::Debug + PartialEq {
    /// What distinguishes two instances: a window, a chain, or nothing.
    type Parameter: Parameter;

    /// The name in plans, `snake_case`.
    const NAME: &'static str;
    /// Its origin, with keys into docs/references.bib.
    const SOURCE: &'static str;
    /// One sentence for a listing.
    const SUMMARY: &'static str;
    /// What its sequence of operations depends on.
    const SCHEDULE: Schedule;

    /// The instance with this parameter.
    fn with(parameter: Self::Parameter) -> Self;
    /// The parameter of this instance.
    fn parameter(&self) -> Self::Parameter;

    /// Registers that a run with an exponent of this length may write or read, [`super::BASE`] included: the
    /// arena's size.
    fn registers(&self, exponent_bits: usize) -> usize;
    /// The longest table that it selects from; 0 if it selects nothing.
    fn table_length(&self) -> usize {
        0
    }
    /// Expected operations, in constant time.
    fn expected(&self, shape: &ExponentShape) -> ExpectedCost;
    /// The exact operations of a run with this exponent, from its length, weight and windows, without running.
    fn exact(&self, exponent: &Exponent) -> Counts;

    /// Raises the base to `exponent` and names the register that holds the result.
    fn run<M: Monoid<Digit = usize> + ?Sized>(&self, exponent: &Exponent, monoid: &mut M) -> Register;
    /// Runs on digits of any kind (secret, or one per lane); `None`, and nothing done, if the schedule is by
    /// exponent.
    fn run_uniform<M: Monoid + ?Sized, E: Digits<M::Digit>>(&self, _exponent: &E, _monoid: &mut M) -> Option<Register> {
        None
    }

    /// How many smaller parameters than the one with the fewest products are worth pricing.
    const SMALLER: usize = 1;

    /// The instances worth pricing for exponents of this length: the parameter with the fewest expected products
    /// (the smaller one on a tie), [`Self::SMALLER`] below it and one above.
    fn candidates(exponent_bits: usize) -> Vec<Self> {
        let shape = ExponentShape::of_bits(exponent_bits);
        let all: Vec<Self> = Self::Parameter::values(MAX_DIGIT_BITS).into_iter().map(Self::with).collect();
        let products: Vec<f64> = all.iter().map(|program| program.expected(&shape).products()).collect();
        let Some(best) = (0..all.len()).min_by(|&a, &b| products[a].total_cmp(&products[b])) else {
            return all;
        };
        all[best.saturating_sub(Self::SMALLER)..all.len().min(best + 2)].to_vec()
    }
}

/// How a parameter is written behind an algorithm's name, and which values it takes.
pub trait Parameter: Sized {
    /// The form for a listing: `(w=1..16)`; empty for none.
    const FORM: &'static str;
    /// Reads what stands between the parentheses; `None` stands for a bare name.
    fn read(text: Option<&str>) -> Option<Self>;
    /// Writes it, parentheses included.
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;
    /// All values, windows up to `max_window_bits`; none if they cannot be listed.
    fn values(max_window_bits: u32) -> Vec<Self>;
}

impl Parameter for () {
    const FORM: &'static str = "";

    fn read(text: Option<&str>) -> Option<Self> {
        text.is_none().then_some(())
    }

    fn write(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }

    fn values(_: u32) -> Vec<Self> {
        vec![()]
    }
}

/// The decimal number behind `prefix`.
pub(super) fn read_number(text: &str, prefix: &str) -> Option<u32> {
    let number = text.trim().strip_prefix(prefix)?;
    // `parse` would also take a sign.
    number.bytes().all(|byte| byte.is_ascii_digit()).then(|| number.parse().ok())?
}

/// The width of a window, 1 to 16 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WindowBits(u32);

impl WindowBits {
    /// # Panics
    /// Unless `window_bits` is 1 to 16.
    pub const fn new(window_bits: u32) -> Self {
        assert!(1 <= window_bits && window_bits <= MAX_DIGIT_BITS, "a window has 1 to 16 bits");
        Self(window_bits)
    }

    /// The number of bits.
    #[inline]
    pub const fn get(self) -> u32 {
        self.0
    }

    /// This, or the fewer bits that serve an exponent of this length best where each costs 2^(w-1) for the odd powers:
    /// the w with the least `exponent_bits`/(w+1) + 2^(w-1).
    pub const fn up_to_best(self, exponent_bits: usize) -> Self {
        let mut w = 1;
        while w < self.0 && exponent_bits > ((w as usize + 1) * (w as usize + 2)) << (w - 1) {
            w += 1;
        }
        Self(w)
    }

    /// The number of bits, as a length.
    #[inline]
    pub const fn width(self) -> usize {
        self.0 as usize
    }
}

impl Parameter for WindowBits {
    const FORM: &'static str = "(w=1..16)";

    fn read(text: Option<&str>) -> Option<Self> {
        read_number(text?, "w=").filter(|bits| (1..=MAX_DIGIT_BITS).contains(bits)).map(Self)
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "(w={})", self.0)
    }

    fn values(max_window_bits: u32) -> Vec<Self> {
        (1..=max_window_bits.min(MAX_DIGIT_BITS)).map(Self).collect()
    }
}
