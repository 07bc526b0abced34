//! The vector operations in plain Rust: what the others compute, for tests on any machine. None of them is inlined: eight words at a time,
//! the unrolled code over them would take the compiler minutes.
//!
//! Sums are checked: a column that ran over 64 bits would be a broken bound.

#![allow(unsafe_code)]

use super::across::{Compiles, LOWER_MARKS, SharedCode, VectorProgram, Vectors};
use super::{LANES, MASK, Task, VectorUnit};
use core::array::from_fn;

/// Eight words, computed one after the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plain;

type Words = [u64; LANES];

fn product(a: u64, b: u64) -> u128 {
    u128::from(a & MASK) * u128::from(b & MASK)
}

impl VectorUnit for Plain {
    type Vector = Words;

    fn run_task<T: Task>(self, task: T) {
        task.run(self);
    }
    fn splat(self, word: u64) -> Words {
        [word; LANES]
    }
    fn transposed(self, rows: [&Words; LANES]) -> [Words; LANES] {
        from_fn(|word| rows.map(|row| row[word]))
    }
    #[inline(never)]
    fn add(self, a: Words, b: Words) -> Words {
        from_fn(|lane| a[lane] + b[lane])
    }
    #[inline(never)]
    fn add_signed(self, a: Words, b: Words) -> Words {
        from_fn(|lane| (a[lane].cast_signed() + b[lane].cast_signed()).cast_unsigned())
    }
    #[inline(never)]
    fn sub_signed(self, a: Words, b: Words) -> Words {
        from_fn(|lane| (a[lane].cast_signed() - b[lane].cast_signed()).cast_unsigned())
    }
    #[inline(never)]
    fn and(self, a: Words, b: Words) -> Words {
        from_fn(|lane| a[lane] & b[lane])
    }
    #[inline(never)]
    fn carry(self, a: Words) -> Words {
        a.map(|word| word >> 52)
    }
    #[inline(never)]
    fn signed_carry(self, a: Words) -> Words {
        a.map(|word| (word.cast_signed() >> 52).cast_unsigned())
    }
    #[inline(never)]
    fn madd_low(self, sum: Words, a: Words, b: Words) -> Words {
        from_fn(|lane| sum[lane] + (product(a[lane], b[lane]) as u64 & MASK))
    }
    #[inline(never)]
    fn madd_high(self, sum: Words, a: Words, b: Words) -> Words {
        from_fn(|lane| sum[lane] + (product(a[lane], b[lane]) >> 52) as u64)
    }
    #[inline(never)]
    fn with_lane(self, mut value: Words, other: Words, lane: usize) -> Words {
        value[lane] = other[lane];
        value
    }
    #[inline(never)]
    fn select(self, sign: Words, if_negative: Words, otherwise: Words) -> Words {
        from_fn(|lane| if sign[lane] >> 63 == 1 { if_negative[lane] } else { otherwise[lane] })
    }
}

impl Compiles for Plain {
    fn run(self, program: impl VectorProgram) {
        program.run(self);
    }
    unsafe fn call<C: SharedCode>(self, limbs: usize, vectors: usize, out: *mut u64, a: *const u64, b: *const u64) {
        // SAFETY: the caller keeps the contract of `C`.
        unsafe { C::run(self, limbs, vectors, out, a, b) }
    }
}

impl Vectors for Plain {
    type Lanes = u8;
    type Marks = u64;

    fn lanes(self, mask: u8) -> u8 {
        mask
    }
    fn madd_low_modulo(self, sum: Words, a: Words, b: Words) -> Words {
        self.add_modulo(sum, self.madd_low([0; 8], a, b))
    }
    fn madd_low_lanes(self, lanes: u8, sum: Words, a: Words, b: Words) -> Words {
        self.madd_low(sum, self.keep(lanes, a), b)
    }
    fn madd_high_lanes(self, lanes: u8, sum: Words, a: Words, b: Words) -> Words {
        self.madd_high(sum, self.keep(lanes, a), b)
    }
    #[inline(never)]
    fn or(self, a: Words, b: Words) -> Words {
        from_fn(|i| a[i] | b[i])
    }
    #[inline(never)]
    fn shift_left<const AT: u32>(self, a: Words) -> Words {
        a.map(|a| a << AT)
    }
    fn shift_right<const AT: u32>(self, a: Words) -> Words {
        a.map(|a| a >> AT)
    }
    fn shift_right_signed<const AT: u32>(self, a: Words) -> Words {
        a.map(|a| (a.cast_signed() >> AT).cast_unsigned())
    }
    fn look_up(self, table: Words, index: Words) -> Words {
        index.map(|index| table[index as usize])
    }
    fn up_two(self, a: Words, below: Words) -> Words {
        from_fn(|i| if i < 2 { below[i + 6] } else { a[i - 2] })
    }
    fn add_modulo(self, a: Words, b: Words) -> Words {
        from_fn(|i| a[i].wrapping_add(b[i]))
    }
    fn add_in(self, mask: u8, a: Words, b: Words) -> Words {
        from_fn(|i| if mask >> i & 1 == 1 { a[i].wrapping_add(b[i]) } else { a[i] })
    }
    fn up(self, a: Words, below: Words) -> Words {
        from_fn(|i| if i == 0 { below[7] } else { a[i - 1] })
    }
    #[inline(never)]
    fn down(self, above: Words, a: Words) -> Words {
        from_fn(|i| if i == 7 { above[0] } else { a[i + 1] })
    }
    #[inline(never)]
    fn interleave_low(self, a: Words, b: Words) -> Words {
        from_fn(|i| if i % 2 == 0 { a[i / 2] } else { b[i / 2] })
    }
    #[inline(never)]
    fn interleave_high(self, a: Words, b: Words) -> Words {
        from_fn(|i| if i % 2 == 0 { a[4 + i / 2] } else { b[4 + i / 2] })
    }
    #[inline(never)]
    fn keep(self, mask: u8, a: Words) -> Words {
        from_fn(|i| if mask >> i & 1 == 1 { a[i] } else { 0 })
    }
    #[inline(never)]
    fn equal(self, a: Words, b: Words) -> u8 {
        (0..8).map(|i| u8::from(a[i] == b[i]) << i).sum()
    }
    #[inline(never)]
    fn sum(self, a: Words) -> Words {
        [a.iter().sum(); 8]
    }
    #[inline(never)]
    fn above(self, a: Words, b: Words) -> u8 {
        (0..8).map(|i| u8::from(a[i] > b[i]) << i).sum()
    }
    #[inline(never)]
    fn edges(self, a: Words) -> u64 {
        (0..8).map(|i| (u64::from(a[i] as u32 != 0) | (a[i] >> 52 & 1) << 1) << (2 * i)).sum()
    }
    fn lower_marks<const G: usize>(self) -> u64 {
        LOWER_MARKS >> (64 - 16 * G)
    }
    #[inline(never)]
    fn ones_at(self, marks: u64) -> Words {
        from_fn(|i| marks >> (2 * i) & 1)
    }
    fn beside_16(self, below: u64, above: u64) -> u64 {
        below & 0xffff | (above & 0xffff) << 16
    }
    fn beside_32(self, below: u64, above: u64) -> u64 {
        below & 0xffff_ffff | above << 32
    }
    fn marks_down<const AT: u32>(self, marks: u64) -> u64 {
        marks >> AT
    }
    fn differing(self, a: u64, b: u64) -> u64 {
        a ^ b
    }
    fn sum_of_marks(self, a: u64, b: u64) -> u64 {
        a + b
    }
    fn lanes_where_equal(self, a: Words, b: Words) -> Words {
        from_fn(|i| u64::from(a[i] == b[i]).wrapping_neg())
    }
}
