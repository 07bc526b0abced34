//! Workloads of several exponents: [`ShapeProgram`], and the lengths that its expectations depend on.

use super::program::read_number;
use super::{Counts, Divisions, ExpectedCost, Monoid, Parameter, Register};
use crate::exponent::{Exponent, MAX_DIGIT_BITS};
use core::fmt;

/// The lengths of several exponents, as far as an expectation knows them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ShapeBits {
    /// How many exponents, at least 1.
    pub count: usize,
    /// Bit length of the longest, at least 1.
    pub max_bits: usize,
    /// Sum of all bit lengths.
    pub total_bits: u64,
}

impl ShapeBits {
    /// `count` exponents of the same length.
    pub fn equal(count: usize, bits: usize) -> Self {
        Self { count, max_bits: bits, total_bits: count as u64 * bits as u64 }
    }

    /// The lengths of these exponents.
    ///
    /// # Panics
    /// If there are none.
    pub fn of(exponents: &[Exponent]) -> Self {
        let max_bits = exponents.iter().map(Exponent::bits).max().expect("at least one exponent");
        Self { count: exponents.len(), max_bits, total_bits: exponents.iter().map(|e| e.bits() as u64).sum() }
    }

    /// Whether all are as long as the longest.
    pub(super) fn is_equal(&self) -> bool {
        self.total_bits == self.count as u64 * self.max_bits as u64
    }

    /// Two classes of (how many, bit length): the longest one, and the others, taken to be equally long. Exact for
    /// equal lengths, and for one long exponent among short ones.
    pub(super) fn classes(&self) -> [(f64, usize); 2] {
        let others = self.count - 1;
        let others_bits = self.total_bits.saturating_sub(self.max_bits as u64) / (others as u64).max(1);
        [(1.0, self.max_bits), (others as f64, (others_bits as usize).max(1))]
    }
}

/// A program whose work is more than one exponent: several powers of one base, or a product of powers of several bases.
///
/// Exponents are at least 1, of any mix of lengths, and there is at least one. All programs of this kind follow the
/// exponents' values.
pub trait ShapeProgram: Clone + fmt::Debug + PartialEq {
    /// What distinguishes two instances: a window, a group, or nothing.
    type Parameter: Parameter;

    /// The name in plans, `snake_case`.
    const NAME: &'static str;
    /// Its origin, with keys into docs/references.bib.
    const SOURCE: &'static str;
    /// One sentence for a listing.
    const SUMMARY: &'static str;

    /// The instance with this parameter.
    fn with(parameter: Self::Parameter) -> Self;
    /// The parameter of this instance.
    fn parameter(&self) -> Self::Parameter;

    /// Registers that a run may write or read, those of the bases included: the arena's size.
    fn registers(&self, exponents: &[Exponent]) -> usize;
    /// Registers that a run with exponents of these lengths may take, at most.
    fn most_registers(&self, bits: &ShapeBits) -> usize;
    /// The exact operations of a run, by a formula or from the recoded exponents, without running.
    fn exact(&self, exponents: &[Exponent]) -> Counts;
    /// Expected operations for random exponents of these lengths, in (nearly) constant time.
    fn expected(&self, bits: &ShapeBits) -> ExpectedCost;
    /// Expected work on such exponents apart from the products, if it exceeds reading them.
    fn divisions(&self, _bits: &ShapeBits) -> Divisions {
        Divisions::default()
    }

    /// Runs.
    ///
    /// Many exponents: [`super::BASE`] holds the base; the answer names one register for each exponent, in order (equal
    /// powers may stand in one register). A product of powers of k bases: registers 0 to k - 1 hold the bases; the
    /// answer names the one register of the product. The registers of the bases are not written.
    fn run<M: Monoid<Digit = usize>>(&self, exponents: &[Exponent], monoid: &mut M) -> Vec<Register>;

    /// Runs, and reports the number of finished powers after each, if one comes after the other.
    fn run_telling<M: Monoid<Digit = usize>>(
        &self,
        exponents: &[Exponent],
        monoid: &mut M,
        _tell: &mut dyn FnMut(usize),
    ) -> Vec<Register> {
        self.run(exponents, monoid)
    }

    /// The instances worth pricing: from the smallest parameter, which needs the least memory, to the first behind the
    /// one with the fewest expected products.
    fn candidates(bits: &ShapeBits) -> Vec<Self> {
        let mut all: Vec<Self> = Self::Parameter::values(MAX_DIGIT_BITS).into_iter().map(Self::with).collect();
        let products: Vec<f64> = all.iter().map(|program| program.expected(bits).products()).collect();
        let best = (0..all.len()).min_by(|&a, &b| products[a].total_cmp(&products[b])).unwrap_or(0);
        all.truncate(best + 2);
        all
    }
}

/// How many exponents a group has, 1 to 20.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupSize(u32);

impl GroupSize {
    /// The largest group.
    pub(super) const MAX: u32 = 20;

    /// # Panics
    /// Unless `size` is 1 to 20.
    pub const fn new(size: u32) -> Self {
        assert!(1 <= size && size <= Self::MAX, "a group has 1 to 20 exponents");
        Self(size)
    }

    /// The number of exponents.
    pub const fn get(self) -> usize {
        self.0 as usize
    }
}

impl Parameter for GroupSize {
    const FORM: &'static str = "(c=1..20)";

    fn read(text: Option<&str>) -> Option<Self> {
        read_number(text?, "c=").filter(|size| (1..=Self::MAX).contains(size)).map(Self)
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "(c={})", self.0)
    }

    fn values(max_window_bits: u32) -> Vec<Self> {
        (1..=max_window_bits.min(Self::MAX)).map(Self).collect()
    }
}

/// The size of groups and the width of their windows, c w <= 16.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GroupWindow {
    size: u32,
    window_bits: u32,
}

impl GroupWindow {
    /// `None` unless both are at least 1 and their product at most 16.
    pub const fn new(size: u32, window_bits: u32) -> Option<Self> {
        let fits = 1 <= size && size <= MAX_DIGIT_BITS && 1 <= window_bits && size * window_bits <= MAX_DIGIT_BITS;
        if fits { Some(Self { size, window_bits }) } else { None }
    }

    /// How many exponents a group has.
    pub const fn size(self) -> usize {
        self.size as usize
    }

    /// The bits of each exponent that are looked at together.
    pub const fn window_bits(self) -> u32 {
        self.window_bits
    }
}

impl Parameter for GroupWindow {
    const FORM: &'static str = "(c=1..16, w=1..16), c w <= 16";

    fn read(text: Option<&str>) -> Option<Self> {
        let (size, window_bits) = text?.split_once(',')?;
        let window_bits = read_number(window_bits, "w=").filter(|&bits| bits <= MAX_DIGIT_BITS)?;
        Self::new(read_number(size, "c=")?, window_bits)
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "(c={}, w={})", self.size, self.window_bits)
    }

    /// In the order of their tables' lengths.
    fn values(max_window_bits: u32) -> Vec<Self> {
        let of = |digit_bits: u32| {
            (1..=digit_bits)
                .filter(move |w| digit_bits.is_multiple_of(*w))
                .filter_map(move |w| Self::new(digit_bits / w, w))
        };
        (1..=max_window_bits.min(MAX_DIGIT_BITS)).flat_map(of).collect()
    }
}
