//! The parameters in the parentheses after an algorithm's name: how each is written, and which values it takes.

use crate::exponent::MAX_DIGIT_BITS;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

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

/// The decimal numbers of a text like `h=3, v=5` with these keys.
fn read_numbers<const N: usize>(text: Option<&str>, keys: [&str; N]) -> Option<[u32; N]> {
    let mut parts = text?.split(',');
    let mut numbers = [0; N];
    for (number, key) in numbers.iter_mut().zip(keys) {
        let digits = parts.next()?.trim().strip_prefix(key)?.strip_prefix('=')?;
        // `parse` would also take a sign.
        *number = digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())??;
    }
    parts.next().is_none().then_some(numbers)
}

/// A parameter that is one number in a range: `$values` lists the numbers for windows up to a width.
macro_rules! one_number {
    ($(#[$doc:meta])* $name:ident($number:ty), $key:literal in $least:literal..=$most:expr, $form:literal, $refusal:literal, $values:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $name {
            const MAX: u32 = $most;

            /// # Panics
            /// Unless the number is in its range.
            pub const fn new(number: $number) -> Self {
                assert!($least <= number && number <= Self::MAX as $number, $refusal);
                Self(number as u32)
            }

            /// The number.
            #[inline]
            pub const fn get(self) -> $number {
                self.0 as $number
            }
        }

        impl Parameter for $name {
            const FORM: &'static str = $form;

            fn read(text: Option<&str>) -> Option<Self> {
                let [number] = read_numbers(text, [$key])?;
                ($least..=Self::MAX).contains(&number).then_some(Self(number))
            }

            fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!("(", $key, "={})"), self.0)
            }

            fn values(max_window_bits: u32) -> Vec<Self> {
                let numbers: fn(u32) -> Vec<u32> = $values;
                numbers(max_window_bits).into_iter().map(Self).collect()
            }
        }
    };
}

one_number! {
    /// The width of a window, 1 to 16 bits.
    WindowBits(u32), "w" in 1..=MAX_DIGIT_BITS, "(w=1..16)", "a window has 1 to 16 bits",
    |max_window_bits| (1..=max_window_bits.min(MAX_DIGIT_BITS)).collect()
}

one_number! {
    /// How many exponents a group has, 1 to 20.
    GroupSize(usize), "c" in 1..=20, "(c=1..20)", "a group has 1 to 20 exponents",
    |max_window_bits| (1..=max_window_bits.min(GroupSize::MAX)).collect()
}

one_number! {
    /// The radix of the digits, 2 to 2^16.
    Radix(u32), "h" in 2..=1 << MAX_DIGIT_BITS, "(h=2..65536)", "a radix is 2 to 2^16",
    |max_window_bits| (1..=max_window_bits.min(MAX_DIGIT_BITS)).map(|bits| 1 << bits).collect()
}

one_number! {
    /// Bits of a digit that may be longer than a word, 1 to 2^26.
    DigitBits(usize), "digit_bits" in 1..=1 << 26, "(digit_bits=1..)", "a digit has 1 to 2^26 bits",
    |max_window_bits| (1..=max_window_bits).collect()
}

impl WindowBits {
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

/// The size of groups and the width of their windows, c w <= 16.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GroupWindow {
    size: u32,
    window_bits: u32,
}

impl GroupWindow {
    /// `None` unless both are at least 1 and their product at most 16.
    pub const fn new(size: u32, window_bits: u32) -> Option<Self> {
        let each = 1 <= size && size <= MAX_DIGIT_BITS && 1 <= window_bits && window_bits <= MAX_DIGIT_BITS;
        if each && size * window_bits <= MAX_DIGIT_BITS { Some(Self { size, window_bits }) } else { None }
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
        let [size, window_bits] = read_numbers(text, ["c", "w"])?;
        Self::new(size, window_bits)
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

/// The rows h (1 to 16) and blocks v (1 to 2^16) of a comb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CombShape {
    rows: u32,
    blocks: usize,
}

impl CombShape {
    /// `None` unless `rows` is 1 to 16 and `blocks` 1 to 2^16.
    pub const fn new(rows: u32, blocks: usize) -> Option<Self> {
        let fits = 1 <= rows && rows <= MAX_DIGIT_BITS && 1 <= blocks && blocks <= 1 << 16;
        if fits { Some(Self { rows, blocks }) } else { None }
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
        let [rows, blocks] = read_numbers(text, ["h", "v"])?;
        Self::new(rows, blocks as usize)
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "(h={}, v={})", self.rows, self.blocks)
    }

    fn values(max_window_bits: u32) -> Vec<Self> {
        let rows = 1..=max_window_bits.min(MAX_DIGIT_BITS);
        rows.flat_map(|rows| [1, 2, 3, 4, 8].map(|blocks| Self { rows, blocks })).collect()
    }
}
