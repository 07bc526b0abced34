//! The operations across lanes in plain Rust: for tests of the arithmetic on any machine.

use super::Plain;
use crate::kernel::vector::VectorUnit;
use crate::kernel::vector::across::{LOWER_MARKS, SharedCode, VectorProgram, Vectors};
use core::array::from_fn;

impl Vectors for Plain {
    type Lanes = u8;
    type Marks = u64;

    fn run(self, program: impl VectorProgram) {
        program.run(self);
    }
    unsafe fn call<C: SharedCode>(self, limbs: usize, vectors: usize, out: *mut u64, a: *const u64, b: *const u64) {
        // SAFETY: the caller keeps the contract of `C`.
        unsafe { C::run(self, limbs, vectors, out, a, b) }
    }
    fn lanes(self, mask: u8) -> u8 {
        mask
    }
    fn madd_low_modulo(self, sum: [u64; 8], a: [u64; 8], b: [u64; 8]) -> [u64; 8] {
        self.add_modulo(sum, self.madd_low([0; 8], a, b))
    }
    fn madd_low_lanes(self, lanes: u8, sum: [u64; 8], a: [u64; 8], b: [u64; 8]) -> [u64; 8] {
        self.madd_low(sum, self.keep(lanes, a), b)
    }
    fn madd_high_lanes(self, lanes: u8, sum: [u64; 8], a: [u64; 8], b: [u64; 8]) -> [u64; 8] {
        self.madd_high(sum, self.keep(lanes, a), b)
    }
    #[inline(never)]
    fn or(self, a: [u64; 8], b: [u64; 8]) -> [u64; 8] {
        from_fn(|i| a[i] | b[i])
    }
    #[inline(never)]
    fn shift_left<const AT: u32>(self, a: [u64; 8]) -> [u64; 8] {
        a.map(|a| a << AT)
    }
    fn shift_right<const AT: u32>(self, a: [u64; 8]) -> [u64; 8] {
        a.map(|a| a >> AT)
    }
    fn shift_right_signed<const AT: u32>(self, a: [u64; 8]) -> [u64; 8] {
        a.map(|a| (a.cast_signed() >> AT).cast_unsigned())
    }
    fn look_up(self, table: [u64; 8], index: [u64; 8]) -> [u64; 8] {
        index.map(|index| table[index as usize])
    }
    fn up_two(self, a: [u64; 8], below: [u64; 8]) -> [u64; 8] {
        from_fn(|i| if i < 2 { below[i + 6] } else { a[i - 2] })
    }
    fn add_modulo(self, a: [u64; 8], b: [u64; 8]) -> [u64; 8] {
        from_fn(|i| a[i].wrapping_add(b[i]))
    }
    fn add_in(self, mask: u8, a: [u64; 8], b: [u64; 8]) -> [u64; 8] {
        from_fn(|i| if mask >> i & 1 == 1 { a[i].wrapping_add(b[i]) } else { a[i] })
    }
    fn up(self, a: [u64; 8], below: [u64; 8]) -> [u64; 8] {
        from_fn(|i| if i == 0 { below[7] } else { a[i - 1] })
    }
    #[inline(never)]
    fn down(self, above: [u64; 8], a: [u64; 8]) -> [u64; 8] {
        from_fn(|i| if i == 7 { above[0] } else { a[i + 1] })
    }
    #[inline(never)]
    fn interleave_low(self, a: [u64; 8], b: [u64; 8]) -> [u64; 8] {
        from_fn(|i| if i % 2 == 0 { a[i / 2] } else { b[i / 2] })
    }
    #[inline(never)]
    fn interleave_high(self, a: [u64; 8], b: [u64; 8]) -> [u64; 8] {
        from_fn(|i| if i % 2 == 0 { a[4 + i / 2] } else { b[4 + i / 2] })
    }
    #[inline(never)]
    fn keep(self, mask: u8, a: [u64; 8]) -> [u64; 8] {
        from_fn(|i| if mask >> i & 1 == 1 { a[i] } else { 0 })
    }
    #[inline(never)]
    fn equal(self, a: [u64; 8], b: [u64; 8]) -> u8 {
        (0..8).map(|i| u8::from(a[i] == b[i]) << i).sum()
    }
    #[inline(never)]
    fn sum(self, a: [u64; 8]) -> [u64; 8] {
        [a.iter().sum(); 8]
    }
    #[inline(never)]
    fn above(self, a: [u64; 8], b: [u64; 8]) -> u8 {
        (0..8).map(|i| u8::from(a[i] > b[i]) << i).sum()
    }
    #[inline(never)]
    fn edges(self, a: [u64; 8]) -> u64 {
        (0..8).map(|i| (u64::from(a[i] as u32 != 0) | (a[i] >> 52 & 1) << 1) << (2 * i)).sum()
    }
    fn lower_marks<const G: usize>(self) -> u64 {
        LOWER_MARKS >> (64 - 16 * G)
    }
    #[inline(never)]
    fn ones_at(self, marks: u64) -> [u64; 8] {
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
    fn lanes_where_equal(self, a: [u64; 8], b: [u64; 8]) -> [u64; 8] {
        from_fn(|i| u64::from(a[i] == b[i]).wrapping_neg())
    }
}
