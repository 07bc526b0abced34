//! Words of 64 bits where a product with all its 128 bits is a call: four products of 32 bits by 32, as `__multi3` computes it, without passing the
//! result through memory (docs/records/wasm.md).

use crate::natural::word::{Word, impl_word};

impl_word!(u64, carrying_mul, carrying_mul_add, u64::carrying_add, u64::borrowing_sub);

/// `a * b + addend` as (low, high).
#[inline(always)]
pub(crate) fn carrying_mul(a: u64, b: u64, addend: u64) -> (u64, u64) {
    carrying_mul_add(a, b, addend, 0)
}

/// `a * b + addend + carry` as (low, high).
///
/// Each step is a product of halves and two halves more, at most (2^32 - 1)^2 + 2 (2^32 - 1) = 2^64 - 1.
#[inline(always)]
fn carrying_mul_add(a: u64, b: u64, addend: u64, carry: u64) -> (u64, u64) {
    const HALF: u64 = 0xffff_ffff;
    let step = |a: u64, b: u64, c: u64, d: u64| (a & HALF) * (b & HALF) + (c & HALF) + (d & HALF);
    let t00 = step(a, b, addend, carry);
    let t01 = step(a, b >> 32, addend >> 32, t00 >> 32);
    let t10 = step(a >> 32, b, t01, carry >> 32);
    let t11 = step(a >> 32, b >> 32, t01 >> 32, t10 >> 32);
    (t00 & HALF | t10 << 32, t11)
}
