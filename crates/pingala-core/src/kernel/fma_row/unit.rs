//! The vector operations that the kernel is written over, and why they are exact.
//!
//! Lemmas: Columns.fma_row_column, Exact.high_half, Exact.exact_difference, Exact.low_half, Exact.high_half_range,
//! Exact.fma_row_rounds_downward, Exact.bits_add (proofs/README.md).

#![allow(unsafe_code)]

use super::product::RowWork;
use core::fmt::Debug;
use core::mem::MaybeUninit;

/// Digits of a vector.
pub(super) const LANES: usize = 4;

/// Most vectors of a block: two sums for each, two constants, an operand, a digit, its masked copy and a temporary take 16 registers.
pub(super) const MOST: usize = 5;

pub(super) const RADIX_BITS: usize = 52;

/// The bits below the radix.
pub(super) const LOW: u64 = (1 << RADIX_BITS) - 1;

/// C1 = 1.5 2^104; the bits of a high half are those of C1, plus the half.
pub(super) const C1: f64 = (3u128 << 103) as f64;

/// C2 = C1 + 2^52, which takes 53 bits.
pub(super) const C2: f64 = (3u128 << 103 | 1 << RADIX_BITS) as f64;

/// The bits of C1.
pub(super) const HIGH_BIAS: u64 = C1.to_bits();

/// 2^52: its bits plus an integer below 2^52 are the bits of 2^52 plus the integer.
pub(super) const DIGIT_BIAS: f64 = (1u64 << RADIX_BITS) as f64;

/// The bits of 2^52; the bits of a low half are these, plus the half.
pub(super) const LOW_BIAS: u64 = DIGIT_BIAS.to_bits();

/// Half of the radix, which makes the digit of a column signed, and 2^62, which makes it positive.
pub(super) const ROUND: u64 = 1 << (RADIX_BITS - 1) | 1 << 62;

/// What a digit and the carry below it have too much as doubles, both as 2^52 plus an integer: half of the radix, and 2^10.
pub(super) const EXCESS: f64 = 2.0 * DIGIT_BIAS + (1u64 << (RADIX_BITS - 1) | 1 << 10) as f64;

/// 1.5 2^52: added and subtracted again it leaves the integer part of a number below 2^51.
pub(super) const WHOLE: f64 = 1.5 * DIGIT_BIAS;

/// FourWords words of memory.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(32))]
pub(super) struct FourWords(pub(super) [u64; LANES]);

/// The sums of a block of columns: bits of low halves of these columns, and bits of high halves, which belong one column higher.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(super) struct BlockSums {
    pub(super) low: [FourWords; MOST],
    pub(super) high: [FourWords; MOST],
}

/// What a vector of columns leaves to the next one, in lane 0: its highest high half, and the carry of its highest column as bits of 2^52 plus the
/// carry and what [`ROUND`] adds to it.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct ColumnChain {
    pub(super) high: FourWords,
    pub(super) carry: FourWords,
    /// The columns of the lowest vector of the last block that became digits.
    pub(super) lowest: FourWords,
}

impl ColumnChain {
    /// Below the lowest vector.
    pub(super) const START: Self = Self {
        high: FourWords([0; LANES]),
        carry: FourWords([LOW_BIAS + (1 << 10); LANES]),
        lowest: FourWords([0; LANES]),
    };
}

/// What the sums of a vector start at: the low halves of even and of odd columns, the high halves.
pub(super) const START_WORDS: usize = 4;

/// The rows of a block of columns, row k a digit p\[k\] times vectors x\[4w - k\], w < V. A *window* of `count` rows has them all, and so moves p up
/// and x down by `count`. Low blocks leave columns, high ones digits; columns of squares are doubled, and squares of digits added.
///
/// Window, then the diagonal: rows k < 2V of vectors 2w >= k - 1, without products by p\[k\] and digits below. There p = x.
pub(super) const LOW_SQUARE: u8 = 0;
/// Rows 0 < k < 4V of vectors 4w < k, p up and x down by 4V, window, diagonal.
pub(super) const HIGH_SQUARE: u8 = 1;
/// Rows 0 < k < 4V of vectors 4w < k, without products by p\[k\] and digits below, where p = x - 4V.
pub(super) const CORNER: u8 = 2;
/// Window, then rows k < 4V - 4 of vectors 4w > k.
pub(super) const LOW_PRODUCT: u8 = 3;
/// Rows 0 < k < 4V of vectors 4w < k, p up and x down by 4V, window.
pub(super) const HIGH_PRODUCT: u8 = 4;

/// The fold of a block: all vectors, and the row of the quotient, to digits.
pub(super) const BLOCK: u8 = 0;
/// Of the highest block: all vectors, to sums.
pub(super) const HIGHEST: u8 = 1;
/// Of the only block: the top vector, to sums.
pub(super) const TOP: u8 = 2;
/// Of the only block: the other vectors, and then for all of them, sums of the top one included, the row of the quotient, to digits.
pub(super) const REST: u8 = 3;

/// The instructions of one CPU family. A value of the type proves that this CPU has them.
///
/// **A digit** is an integer as a double, |x| <= 2^51 + 2^10. To *add a product x y to column c* is, rounded toward zero or down:
/// t = fma(x, y, C1), s = fma(x, y, C2 - t); the bits of s are added to column c and those of t to column c + 1. With U = 2^52:
///
/// 1. |x y| < 2^102 + 2^63 < 2^103, so that 2^104 <= 1.5 2^104 - 2^103 < t < 2^105: t is a multiple of U there, and positive, so that both
///    roundings take the multiple below: t = C1 + h U with h = floor(x y / U). Its bits are those of C1 plus h.
/// 2. C2 - t = (1 - h) U is a multiple of U, |1 - h| < 2^52: a double, so that the subtraction is exact.
/// 3. x y + (C2 - t) = U + l with l = x y - h U, 0 <= l < U: an integer from 2^52 to 2^53, so that s is it exactly. Its bits are those of
///    2^52 plus l.
///
/// Rounded to nearest, h may be one more, l is negative, and 3 fails; so it does rounded up.
///
/// **A column** of n digits sums at most n halves l of two factors (a square adds half as many and doubles them), n + 1 of the fold, and as many h,
/// |h| <= 2^50 + 2^11. Biases are subtracted at the start, so that the column is above -2^51 (2n + 1) and below 1.26 2^52 (2n + 1).
///
/// **Carries.** y = column + 2^51 + 2^62 is between 0 and 2^63. The digit is (y mod U) - 2^51, the carry floor(y / U) - 2^10, below 2^10 in
/// size as 1.26 (2n + 1) < 2^10 for n <= 360; one addition of the carry below makes a digit. Nothing ripples. All values are integers below 2^53:
/// exact in every mode.
///
/// No operand or result is below 1 except 0, and the ratio of [`DoubleRows::quotient`] is normal: flushing denormals changes nothing.
pub(super) trait DoubleRows: Copy + Debug + Send + Sync + 'static {
    /// Runs a computation in the environment that the instructions need.
    fn run(self, work: &RowWork) {
        // SAFETY: the ring's places.
        unsafe { work.run(self) };
    }

    /// The bits of both halves of the squares of n digits, in the 2n columns that they belong to.
    ///
    /// # Safety
    /// What an operation names may be read and written: here and below.
    unsafe fn squares(self, out: *mut u64, a: *const u64, n: usize);
    /// Adds rows of this kind to the starts of V vectors, and writes their columns or digits.
    #[expect(clippy::too_many_arguments, reason = "places")]
    unsafe fn rows<const V: usize, const KIND: u8>(
        self,
        chain: &mut ColumnChain,
        starts: *const u64,
        p: *const u64,
        x: *const u64,
        count: usize,
        squares: *const u64,
        out: *mut u64,
    );
    /// Sets the sums of V vectors to low columns and the start of high halves, and adds `count` rows, a multiple of four and more than four: row k is
    /// the digit p\[k\] times the vectors rows\[4 V k + 4 w\].
    unsafe fn fold<const V: usize, const PART: u8>(
        self,
        s: *mut BlockSums,
        fold: &Fold,
        p: *const u64,
        count: usize,
        chain: &mut ColumnChain,
        quotient: &u64,
    );
    /// Adds the row of a digit by V vectors.
    unsafe fn row<const V: usize>(self, s: &mut BlockSums, digit: &u64, x: *const u64);
    /// The digits of V vectors from their sums, to which the row of a digit is added.
    unsafe fn last<const V: usize>(
        self,
        s: *mut BlockSums,
        digit: &u64,
        x: *const u64,
        chain: &mut ColumnChain,
        out: *mut u64,
    );
    /// Writes the whole part of `ratio` times the sum whose top vector these sums are, after all rows but one: of the columns n, n - 1 and
    /// n - 2, in units of column n - 1.
    unsafe fn quotient(self, low: &FourWords, high: &FourWords, ratio: f64, out: &mut u64);
    /// The digits of a vector of columns, the lowest one, to whose first column `lacking` is added.
    unsafe fn lowest_digits(self, columns: &FourWords, lacking: u64, out: *mut u64);
    /// A chain below the lowest vector. It is written, and vectors are copied, by stores of whole vectors: a load of a vector waits long for several
    /// short stores.
    fn begin(self, chain: &mut MaybeUninit<ColumnChain>) -> &mut ColumnChain;
    /// A copy of a vector.
    fn copy(self, from: &FourWords, to: &mut MaybeUninit<FourWords>);
}

/// The places of the fold of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fold {
    /// The low columns.
    pub(super) low: *const u64,
    /// One word, for all high halves.
    pub(super) high: *const u64,
    /// Of the table, and of the multiple of the modulus.
    pub(super) rows: *const u64,
    pub(super) multiple: *const u64,
    pub(super) out: *mut u64,
}
