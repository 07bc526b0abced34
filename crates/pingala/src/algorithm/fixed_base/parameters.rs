//! The parameters in the parentheses after a method's name.

use crate::algorithm::Parameter;
use crate::algorithm::program::read_number;
use crate::exponent::MAX_DIGIT_BITS;
use core::fmt;

/// The radix of the digits, 2 to 2^16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Radix(u32);

impl Radix {
    const MAX: u32 = 1 << MAX_DIGIT_BITS;

    /// # Panics
    /// Unless `radix` is 2 to 2^16.
    pub const fn new(radix: u32) -> Self {
        assert!(2 <= radix && radix <= Self::MAX, "a radix is 2 to 2^16");
        Self(radix)
    }

    /// The number of values of a digit.
    pub const fn get(self) -> u32 {
        self.0
    }
}

impl Parameter for Radix {
    const FORM: &'static str = "(h=2..65536)";

    fn read(text: Option<&str>) -> Option<Self> {
        read_number(text?, "h=").filter(|radix| (2..=Self::MAX).contains(radix)).map(Self)
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "(h={})", self.0)
    }

    fn values(max_window_bits: u32) -> Vec<Self> {
        (1..=max_window_bits.min(MAX_DIGIT_BITS)).map(|bits| Self(1 << bits)).collect()
    }
}

/// Bits of a digit that may be longer than a word, 1 to 2^26.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DigitBits(usize);

impl DigitBits {
    const MAX: usize = 1 << 26;

    /// # Panics
    /// Unless `bits` is 1 to 2^26.
    pub const fn new(bits: usize) -> Self {
        assert!(1 <= bits && bits <= Self::MAX, "a digit has 1 to 2^26 bits");
        Self(bits)
    }

    /// The number of bits.
    pub const fn get(self) -> usize {
        self.0
    }
}

impl Parameter for DigitBits {
    const FORM: &'static str = "(digit_bits=1..)";

    fn read(text: Option<&str>) -> Option<Self> {
        let bits = read_number(text?, "digit_bits=")? as usize;
        (1..=Self::MAX).contains(&bits).then_some(Self(bits))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "(digit_bits={})", self.0)
    }

    fn values(max_window_bits: u32) -> Vec<Self> {
        (1..=max_window_bits as usize).map(Self).collect()
    }
}

/// The rows h (1 to 16) and blocks v (1 to 2^16) of a comb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CombShape {
    rows: u32,
    blocks: usize,
}

impl CombShape {
    const MAX_BLOCKS: usize = 1 << 16;

    /// # Panics
    /// Unless `rows` is 1 to 16 and `blocks` 1 to 2^16.
    pub const fn new(rows: u32, blocks: usize) -> Self {
        assert!(1 <= rows && rows <= MAX_DIGIT_BITS, "a comb has 1 to 16 rows");
        assert!(1 <= blocks && blocks <= Self::MAX_BLOCKS, "a comb has 1 to 2^16 blocks");
        Self { rows, blocks }
    }

    /// h.
    pub const fn rows(self) -> u32 {
        self.rows
    }

    /// v.
    pub const fn blocks(self) -> usize {
        self.blocks
    }
}

impl Parameter for CombShape {
    const FORM: &'static str = "(h=1..16, v=1..)";

    fn read(text: Option<&str>) -> Option<Self> {
        let (rows, blocks) = text?.split_once(',')?;
        let (rows, blocks) = (read_number(rows, "h=")?, read_number(blocks, "v=")? as usize);
        let in_range = (1..=MAX_DIGIT_BITS).contains(&rows) && (1..=Self::MAX_BLOCKS).contains(&blocks);
        in_range.then_some(Self { rows, blocks })
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "(h={}, v={})", self.rows, self.blocks)
    }

    fn values(max_window_bits: u32) -> Vec<Self> {
        let rows = 1..=max_window_bits.min(MAX_DIGIT_BITS);
        rows.flat_map(|rows| [1, 2, 3, 4, 8].map(|blocks| Self { rows, blocks })).collect()
    }
}
