//! The operations as instructions of WebAssembly. A module is checked as a whole before any of it runs, so code that runs has them.

#![allow(unsafe_code)]

use super::product::DotColumns;
use super::reduction::DotWork;
use super::unit::DotUnit;
use core::arch::wasm32::{
    i16x8_narrow_i32x4, i16x8_shuffle, i16x8_splat, i32x4_add, i32x4_dot_i16x8, i32x4_shr, i32x4_shuffle, i32x4_splat,
    i32x4_sub, v128, v128_and, v128_load, v128_load32_splat, v128_store,
};

/// The unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Simd128;

#[target_feature(enable = "simd128")]
fn run(work: &DotWork) {
    // SAFETY: the ring's places.
    unsafe { work.run(Simd128) };
}

#[inline(never)]
#[target_feature(enable = "simd128")]
unsafe fn product<const LONG: bool>(columns: &DotColumns) {
    // SAFETY: the caller's promise.
    unsafe { columns.product::<Simd128, LONG>(Simd128) };
}

#[inline(never)]
#[target_feature(enable = "simd128")]
unsafe fn square<const LONG: bool>(columns: &DotColumns) {
    // SAFETY: the caller's promise.
    unsafe { columns.square::<Simd128, LONG>(Simd128) };
}

/// SAFETY of all operations: the caller's promise.
impl DotUnit for Simd128 {
    type Vector = v128;

    fn run(self, work: &DotWork) {
        run(work);
    }
    #[inline(always)]
    unsafe fn product<const LONG: bool>(self, columns: &DotColumns) {
        // SAFETY: as above.
        unsafe { product::<LONG>(columns) };
    }
    #[inline(always)]
    unsafe fn square<const LONG: bool>(self, columns: &DotColumns) {
        // SAFETY: as above.
        unsafe { square::<LONG>(columns) };
    }

    #[inline(always)]
    fn splat(self, value: i32) -> v128 {
        i32x4_splat(value)
    }
    #[inline(always)]
    unsafe fn load(self, from: *const i32) -> v128 {
        // SAFETY: as above.
        unsafe { v128_load(from.cast()) }
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut i32, vector: v128) {
        // SAFETY: as above.
        unsafe { v128_store(to.cast(), vector) };
    }
    #[inline(always)]
    unsafe fn pair(self, from: *const i16) -> v128 {
        // SAFETY: as above.
        unsafe { v128_load32_splat(from.cast()) }
    }
    #[inline(always)]
    fn dot(self, a: v128, b: v128) -> v128 {
        i32x4_dot_i16x8(a, b)
    }
    #[inline(always)]
    fn add(self, a: v128, b: v128) -> v128 {
        i32x4_add(a, b)
    }
    #[inline(always)]
    fn sub(self, a: v128, b: v128) -> v128 {
        i32x4_sub(a, b)
    }
    #[inline(always)]
    fn and(self, a: v128, b: v128) -> v128 {
        v128_and(a, b)
    }
    #[inline(always)]
    fn shift_right<const BITS: u32>(self, a: v128) -> v128 {
        i32x4_shr(a, BITS)
    }
    #[inline(always)]
    fn up(self, a: v128, below: v128) -> v128 {
        i32x4_shuffle::<3, 4, 5, 6>(below, a)
    }
    #[inline(always)]
    unsafe fn narrow(self, to: *mut i16, low: v128, high: v128) {
        // SAFETY: as above.
        unsafe { v128_store(to.cast(), i16x8_narrow_i32x4(low, high)) };
    }
    #[inline(always)]
    unsafe fn neighbours(self, to: *mut i32, digits: *const i16, before: i16) {
        // SAFETY: as above.
        unsafe {
            let digits = v128_load(digits.cast());
            let below = i16x8_shuffle::<7, 8, 9, 10, 11, 12, 13, 14>(i16x8_splat(before), digits);
            let low = i16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(digits, below);
            let high = i16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(digits, below);
            v128_store(to.cast(), low);
            v128_store(to.add(4).cast(), high);
        }
    }
}
