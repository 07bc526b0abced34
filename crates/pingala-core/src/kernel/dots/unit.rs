//! The vector operations that the kernel is written over.

#![allow(unsafe_code)]

use super::product::DotColumns;
use super::reduction::DotWork;
use core::fmt::Debug;

/// Lanes of a vector.
pub(super) const LANES: usize = 4;

/// Vectors of four lanes of 32 bits with a sign; a lane may also be a pair of digits of 16 bits, the first one lower.
pub(super) trait DotUnit: Copy + Debug + Send + Sync + 'static {
    type Vector: Copy;

    /// Runs a computation.
    fn run(self, work: &DotWork) {
        // SAFETY: the ring's places.
        unsafe { work.run(self) };
    }

    /// [`DotColumns::product`] as a function.
    ///
    /// # Safety
    /// What an operation names may be read and written: here and below.
    unsafe fn product<const LONG: bool>(self, columns: &DotColumns) {
        // SAFETY: the caller's promise.
        unsafe { columns.product::<Self, LONG>(self) };
    }
    /// [`DotColumns::square`] as a function.
    ///
    /// # Safety
    /// As above.
    unsafe fn square<const LONG: bool>(self, columns: &DotColumns) {
        // SAFETY: the caller's promise.
        unsafe { columns.square::<Self, LONG>(self) };
    }

    fn splat(self, value: i32) -> Self::Vector;
    unsafe fn load(self, from: *const i32) -> Self::Vector;
    unsafe fn store(self, to: *mut i32, vector: Self::Vector);
    /// Two digits in all lanes.
    unsafe fn pair(self, from: *const i16) -> Self::Vector;
    /// In each lane the sum of the products of its digits.
    fn dot(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    fn sub(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    fn and(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Each lane divided by 2^BITS, rounded down.
    fn shift_right<const BITS: u32>(self, a: Self::Vector) -> Self::Vector;
    /// Moves each lane up by one; lane 0 receives lane 3 of `below`.
    fn up(self, a: Self::Vector, below: Self::Vector) -> Self::Vector;
    /// Writes eight digits.
    unsafe fn narrow(self, to: *mut i16, low: Self::Vector, high: Self::Vector);
    /// Writes eight lanes, each a digit and above it the one before; `before` is that of the first one.
    unsafe fn neighbours(self, to: *mut i32, digits: *const i16, before: i16);
}

/// The operations without instructions of their own, on every processor.
#[cfg(not(target_arch = "wasm32"))]
#[derive(Clone, Copy, Debug)]
pub(super) struct PlainDots;

/// SAFETY of all operations: the caller's promise.
#[cfg(not(target_arch = "wasm32"))]
impl DotUnit for PlainDots {
    type Vector = [i32; LANES];

    #[inline(always)]
    fn splat(self, value: i32) -> Self::Vector {
        [value; LANES]
    }
    #[inline(always)]
    unsafe fn load(self, from: *const i32) -> Self::Vector {
        // SAFETY: as above.
        unsafe { from.cast::<Self::Vector>().read() }
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut i32, vector: Self::Vector) {
        // SAFETY: as above.
        unsafe { to.cast::<Self::Vector>().write(vector) };
    }
    #[inline(always)]
    unsafe fn pair(self, from: *const i16) -> Self::Vector {
        // SAFETY: as above.
        let [first, second] = unsafe { from.cast::<[i16; 2]>().read() };
        [pair(first, second); LANES]
    }
    #[inline(always)]
    fn dot(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        let product = |a: i32, b: i32| i32::from(a as i16) * i32::from(b as i16);
        lanes(|i| product(a[i], b[i]) + product(a[i] >> 16, b[i] >> 16))
    }
    #[inline(always)]
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        lanes(|i| a[i] + b[i])
    }
    #[inline(always)]
    fn sub(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        lanes(|i| a[i] - b[i])
    }
    #[inline(always)]
    fn and(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        lanes(|i| a[i] & b[i])
    }
    #[inline(always)]
    fn shift_right<const BITS: u32>(self, a: Self::Vector) -> Self::Vector {
        lanes(|i| a[i] >> BITS)
    }
    #[inline(always)]
    fn up(self, a: Self::Vector, below: Self::Vector) -> Self::Vector {
        [below[3], a[0], a[1], a[2]]
    }
    #[inline(always)]
    unsafe fn narrow(self, to: *mut i16, low: Self::Vector, high: Self::Vector) {
        for (index, lane) in low.into_iter().chain(high).enumerate() {
            debug_assert!(i16::try_from(lane).is_ok());
            // SAFETY: as above.
            unsafe { to.add(index).write(lane as i16) };
        }
    }
    #[inline(always)]
    unsafe fn neighbours(self, to: *mut i32, digits: *const i16, mut before: i16) {
        for index in 0..2 * LANES {
            // SAFETY: as above.
            unsafe {
                let digit = digits.add(index).read();
                to.add(index).write(pair(digit, before));
                before = digit;
            }
        }
    }
}

/// Four lanes. `array::from_fn` makes tests five times as slow.
#[cfg(not(target_arch = "wasm32"))]
#[inline(always)]
fn lanes(lane: impl Fn(usize) -> i32) -> [i32; LANES] {
    [lane(0), lane(1), lane(2), lane(3)]
}

/// Two digits in a lane.
#[cfg(not(target_arch = "wasm32"))]
#[inline(always)]
fn pair(first: i16, second: i16) -> i32 {
    i32::from(first) & 0xffff | i32::from(second) << 16
}
