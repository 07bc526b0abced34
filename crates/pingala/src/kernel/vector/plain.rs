//! The vector operations in plain Rust: the meaning of the others, and their stand-in where the CPU has none. None of them is
//! inlined: eight words at a time, the unrolled texts over them would take the compiler minutes.

use super::{LANES, Lanes, Place, Task, VectorUnit};
use core::array::from_fn;
use core::cell::Cell;

/// Eight words, computed one after the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plain;

const LOW: u64 = (1 << 52) - 1;

fn product(a: u64, b: u64) -> u128 {
    u128::from(a & LOW) * u128::from(b & LOW)
}

impl VectorUnit for Plain {
    type Vector = [u64; LANES];

    fn run<T: Task>(self, task: T) {
        task.run(self);
    }

    fn splat(self, word: u64) -> [u64; LANES] {
        [word; LANES]
    }

    #[allow(unsafe_code)]
    fn load(self, from: &impl Place) -> [u64; LANES] {
        // SAFETY: `Place::address` is readable while `from` is borrowed, and no other thread sees a `Cell`.
        unsafe { from.address().read() }.0
    }

    fn store(self, to: &Cell<Lanes>, value: [u64; LANES]) {
        to.set(Lanes(value));
    }

    fn store_words(self, to: &[Cell<u64>; LANES], value: [u64; LANES]) {
        to.iter().zip(value).for_each(|(to, word)| to.set(word));
    }

    fn transposed(self, rows: [&[u64; LANES]; LANES]) -> [[u64; LANES]; LANES] {
        from_fn(|word| rows.map(|row| row[word]))
    }

    #[inline(never)]
    fn add(self, a: [u64; LANES], b: [u64; LANES]) -> [u64; LANES] {
        from_fn(|lane| a[lane].wrapping_add(b[lane]))
    }

    #[inline(never)]
    fn sub(self, a: [u64; LANES], b: [u64; LANES]) -> [u64; LANES] {
        from_fn(|lane| a[lane].wrapping_sub(b[lane]))
    }

    #[inline(never)]
    fn and(self, a: [u64; LANES], b: [u64; LANES]) -> [u64; LANES] {
        from_fn(|lane| a[lane] & b[lane])
    }

    #[inline(never)]
    fn carry(self, a: [u64; LANES]) -> [u64; LANES] {
        a.map(|word| word >> 52)
    }

    #[inline(never)]
    fn signed_carry(self, a: [u64; LANES]) -> [u64; LANES] {
        a.map(|word| (word as i64 >> 52) as u64)
    }

    #[inline(never)]
    fn madd_lo(self, sum: [u64; LANES], a: [u64; LANES], b: [u64; LANES]) -> [u64; LANES] {
        // Columns are proved to stay below 2^64; a larger sum is a defect, and debug builds panic.
        from_fn(|lane| sum[lane] + (product(a[lane], b[lane]) as u64 & LOW))
    }

    #[inline(never)]
    fn madd_hi(self, sum: [u64; LANES], a: [u64; LANES], b: [u64; LANES]) -> [u64; LANES] {
        from_fn(|lane| sum[lane] + (product(a[lane], b[lane]) >> 52) as u64)
    }

    #[inline(never)]
    fn with_lane(self, mut value: [u64; LANES], from: &impl Place, lane: usize) -> [u64; LANES] {
        value[lane] = self.load(from)[lane];
        value
    }

    #[inline(never)]
    fn with_word(self, mut value: [u64; LANES], from: &u64, lane: usize) -> [u64; LANES] {
        value[lane] = *from;
        value
    }

    #[inline(never)]
    fn select(self, sign: [u64; LANES], if_negative: [u64; LANES], otherwise: [u64; LANES]) -> [u64; LANES] {
        from_fn(|lane| if sign[lane] >> 63 == 1 { if_negative[lane] } else { otherwise[lane] })
    }
}
