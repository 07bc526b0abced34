//! The vector operations in plain Rust: what the others compute, and their replacement if the CPU has none. None of them is inlined:
//! eight words at a time, the unrolled code over them would take the compiler minutes.
//!
//! Sums are checked: a column that ran over 64 bits would be a broken bound.

#![allow(unsafe_code)]

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
    unsafe fn load(self, from: *const u64) -> Words {
        // SAFETY: the caller says that the words may be read.
        unsafe { from.cast::<Words>().read_unaligned() }
    }
    unsafe fn store(self, to: *mut u64, value: Words) {
        // SAFETY: the caller says that the words may be written.
        unsafe { to.cast::<Words>().write_unaligned(value) }
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

#[cfg(test)]
#[path = "../../../tests/inside/kernel/across.rs"]
mod across;
