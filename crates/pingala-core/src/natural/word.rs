//! The machine word that a multi-precision product is written over.
//!
//! Every product of `kernel::product` is one text over [`Word`]. `u64` is the word that ships, `u32` serves 32-bit
//! targets, and `u8` makes every carry path reachable by exhaustive test. The counting word (`pingala_lab::counting`, which adds
//! up what it is asked to do) needs no second text, because the word also owns what a plain integer type would leave to
//! the language: its loads and stores, the three-word accumulator, the comparison with 0, and the mark of a loop turn. On
//! real words all of that costs nothing. Equality and order of the type itself are for assertions: a product compares
//! through [`Word::is_zero`] and borrows.

use core::fmt::Debug;

/// An unsigned word of [`Word::BITS`] bits; `b` stands for 2^BITS in the documentation of the products.
///
/// Registers are plain values of this type; memory is `[W]` and is read through [`Word::load`] and written through
/// [`Word::store`] only, so that a counting word can distinguish the two.
pub trait Word: Copy + Default + Eq + Ord + Debug + Send + Sync + 'static {
    /// Bits in the word.
    const BITS: u32;
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// b - 1.
    const MAX: Self;

    /// `self * other` as (low, high).
    fn mul_wide(self, other: Self) -> (Self, Self);
    /// `self * other` mod b.
    fn mul_low(self, other: Self) -> Self;
    /// `self * other + addend` as (low, high): the first step of a row, to which nothing is carried.
    fn mul_add(self, other: Self, addend: Self) -> (Self, Self);
    /// `self * other + addend + carry` as (low, high); at most b^2 - 1, so it cannot overflow.
    fn mul_add_carry(self, other: Self, addend: Self, carry: Self) -> (Self, Self);
    /// `accumulator += a * b`, the multiply-accumulate into three words. The caller keeps the sum below b^3.
    #[inline(always)]
    fn accumulate(accumulator: &mut Accumulator<Self>, a: Self, b: Self) {
        let (product_low, product_high) = a.mul_wide(b);
        let (low, carry) = accumulator.low.add_out(product_low);
        let (mid, carry) = accumulator.mid.add_carry(product_high, carry);
        let (high, _) = accumulator.high.add_carry(Self::ZERO, carry);
        *accumulator = Accumulator { low, mid, high };
    }
    /// `accumulator += a * b` for words in memory. A processor with few registers fetches them at each use, also
    /// when straight-line code uses a word again and again, instead of keeping it on the stack.
    #[inline(always)]
    fn accumulate_from(accumulator: &mut Accumulator<Self>, a: &Self, b: &Self) {
        Self::accumulate(accumulator, a.load(), b.load());
    }
    /// `self + other` as (low, carry out).
    fn add_out(self, other: Self) -> (Self, bool);
    /// `self + other + carry` as (low, carry out).
    fn add_carry(self, other: Self, carry: bool) -> (Self, bool);
    /// `self - other` as (low, borrow out).
    fn sub_out(self, other: Self) -> (Self, bool);
    /// `self - other - borrow` as (low, borrow out).
    fn sub_borrow(self, other: Self, borrow: bool) -> (Self, bool);
    /// `self >> count`, `count < BITS`.
    fn shift_right(self, count: u32) -> Self;
    /// `self << count` mod b, `count < BITS`.
    fn shift_left(self, count: u32) -> Self;
    /// All ones for `true`, 0 for `false`, behind an optimisation barrier, so that what is selected with it is not
    /// turned back into a branch.
    fn mask(condition: bool) -> Self;
    /// `if_set` if the bits of `mask` are ones, `if_clear` if they are zeros. Branch-free.
    fn select(mask: Self, if_set: Self, if_clear: Self) -> Self;

    /// `self` if the bits of `mask` are zeros, its complement if they are ones.
    fn flip(self, mask: Self) -> Self;
    /// Whether the word is 0.
    fn is_zero(self) -> bool;

    /// Reads a word of memory.
    #[inline(always)]
    fn load(&self) -> Self {
        *self
    }
    /// Writes a word of memory.
    #[inline(always)]
    fn store(&mut self, value: Self) {
        *self = value;
    }
    /// Marks one turn of a loop of the product's text.
    #[inline(always)]
    fn turn() {}

    /// The low BITS bits of `value`.
    fn from_u64(value: u64) -> Self;
    /// The value, for words of at most 64 bits.
    fn to_u64(self) -> u64;
}

/// Three words `low + mid*b + high*b^2` that stay in registers: the column sum of product scanning.
///
/// A column of n products is below n*b^2, so n < b products (and the carry of the column before) always fit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accumulator<W> {
    /// Weight 1.
    pub low: W,
    /// Weight b.
    pub mid: W,
    /// Weight b^2.
    pub high: W,
}

impl<W: Word> Accumulator<W> {
    /// 0.
    pub const ZERO: Self = Self { low: W::ZERO, mid: W::ZERO, high: W::ZERO };

    /// Adds `a * b`.
    #[inline(always)]
    pub fn add_product(&mut self, a: W, b: W) {
        W::accumulate(self, a, b);
    }

    /// Adds one word.
    #[inline(always)]
    pub fn add_word(&mut self, a: W) {
        let (low, carry) = self.low.add_out(a);
        let (mid, carry) = self.mid.add_carry(W::ZERO, carry);
        let (high, _) = self.high.add_carry(W::ZERO, carry);
        *self = Self { low, mid, high };
    }

    /// Adds another accumulator. The caller keeps the sum below b^3.
    #[inline(always)]
    pub fn add(&mut self, other: &Self) {
        let (low, carry) = self.low.add_out(other.low);
        let (mid, carry) = self.mid.add_carry(other.mid, carry);
        let (high, _) = self.high.add_carry(other.high, carry);
        *self = Self { low, mid, high };
    }

    /// Doubles the sum: squarings count each off-diagonal product once and double the column.
    #[inline(always)]
    pub fn double(&mut self) {
        let copy = *self;
        self.add(&copy);
    }

    /// Takes the low word out and moves the rest down one word: the step to the next column.
    #[inline(always)]
    pub fn shift_out(&mut self) -> W {
        let out = self.low;
        *self = Self { low: self.mid, mid: self.high, high: W::ZERO };
        out
    }
}

/// Implements [`Word`] for a primitive integer, from its product with one addend and with two, its addition with a carry, its
/// subtraction with a borrow, and what it does otherwise than the trait.
macro_rules! impl_word {
    ($word:ty, $carrying_mul:expr, $carrying_mul_add:expr, $carrying_add:expr, $borrowing_sub:expr $(, $own:item)*) => {
        impl Word for $word {
            const BITS: u32 = <$word>::BITS;
            const ZERO: Self = 0;
            const ONE: Self = 1;
            const MAX: Self = <$word>::MAX;

            #[inline(always)]
            fn mul_wide(self, other: Self) -> (Self, Self) {
                $carrying_mul(self, other, 0)
            }
            #[inline(always)]
            fn mul_low(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
            #[inline(always)]
            fn mul_add(self, other: Self, addend: Self) -> (Self, Self) {
                $carrying_mul(self, other, addend)
            }
            #[inline(always)]
            fn mul_add_carry(self, other: Self, addend: Self, carry: Self) -> (Self, Self) {
                $carrying_mul_add(self, other, addend, carry)
            }
            $($own)*
            #[inline(always)]
            fn add_out(self, other: Self) -> (Self, bool) {
                self.overflowing_add(other)
            }
            #[inline(always)]
            fn sub_out(self, other: Self) -> (Self, bool) {
                self.overflowing_sub(other)
            }
            #[inline(always)]
            fn add_carry(self, other: Self, carry: bool) -> (Self, bool) {
                $carrying_add(self, other, carry)
            }
            #[inline(always)]
            fn sub_borrow(self, other: Self, borrow: bool) -> (Self, bool) {
                $borrowing_sub(self, other, borrow)
            }
            #[inline(always)]
            fn shift_right(self, count: u32) -> Self {
                self >> count
            }
            #[inline(always)]
            fn shift_left(self, count: u32) -> Self {
                self << count
            }
            #[inline(always)]
            fn mask(condition: bool) -> Self {
                core::hint::black_box((condition as $word).wrapping_neg())
            }
            #[inline(always)]
            fn select(mask: Self, if_set: Self, if_clear: Self) -> Self {
                if_clear ^ (mask & (if_set ^ if_clear))
            }
            #[inline(always)]
            fn flip(self, mask: Self) -> Self {
                self ^ mask
            }
            #[inline(always)]
            fn is_zero(self) -> bool {
                self == 0
            }
            #[inline(always)]
            fn from_u64(value: u64) -> Self {
                value as $word
            }
            #[inline(always)]
            fn to_u64(self) -> u64 {
                self as u64
            }
        }
    };
}

impl_word!(u8, u8::carrying_mul, u8::carrying_mul_add, u8::carrying_add, u8::borrowing_sub);
impl_word!(u16, u16::carrying_mul, u16::carrying_mul_add, u16::carrying_add, u16::borrowing_sub);
// 32-bit ARM needs other texts of the same two: `kernel::umull`; aarch64 and WebAssembly of u64: `kernel::adcs`, `kernel::half_words`.
#[cfg(not(target_arch = "arm"))]
impl_word!(u32, u32::carrying_mul, u32::carrying_mul_add, u32::carrying_add, u32::borrowing_sub);
#[cfg(not(any(target_arch = "arm", target_arch = "aarch64", target_arch = "wasm32")))]
impl_word!(u64, u64::carrying_mul, u64::carrying_mul_add, u64::carrying_add, u64::borrowing_sub);
#[cfg(any(target_arch = "arm", target_arch = "aarch64", target_arch = "wasm32"))]
pub(crate) use impl_word;

#[cfg(test)]
#[path = "../../tests/inside/natural/word.rs"]
mod tests;
