//! What a [`Program`](super::Program) has beside its text: a [`Schedule`] and a [`Parameter`].

use crate::exponent::MAX_DIGIT_BITS;
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
