//! `u64` as a word of aarch64: carries and borrows by the processor's own instructions.
//!
//! Here LLVM makes a choice between a sum and its successor of the addition of a carry, and a branch of the choice. A carry tells
//! something of the secret that it came from. In assembly there is nothing to choose: docs/constant-time.md.
#![allow(unsafe_code)]

use crate::natural::word::{Accumulator, Word, impl_word};
use core::arch::asm;

impl_word!(
    u64,
    u64::carrying_mul,
    u64::carrying_mul_add,
    carrying_add,
    borrowing_sub,
    #[inline(always)]
    fn accumulate(accumulator: &mut Accumulator<u64>, a: u64, b: u64) {
        accumulate(accumulator, a, b);
    }
);

/// A chain of carries: the flag from a bit, an operation on words, the bit from the flag.
macro_rules! with_carry {
    ($(#[$attribute:meta])* $name:ident, $set:literal, $operation:literal, $get:literal) => {
        $(#[$attribute])*
        #[inline(always)]
        fn $name(a: u64, b: u64, carry: bool) -> (u64, bool) {
            let mut bit: u64 = carry.into();
            let out: u64;
            // SAFETY: it reads and writes registers and flags.
            unsafe {
                asm!(
                    $set,
                    $operation,
                    $get,
                    word = inout(reg) a => out,
                    bit = inout(reg) bit,
                    b = in(reg) b,
                    options(pure, nomem, nostack),
                );
            }
            (out, bit != 0)
        }
    };
}

with_carry! {
    /// `a + b + carry` as (low, carry out). A carry of 1 minus 1 sets the flag, 0 minus 1 clears it.
    carrying_add, "subs {bit}, {bit}, #1", "adcs {word}, {word}, {b}", "cset {bit}, cs"
}
with_carry! {
    /// `a - b - borrow` as (low, borrow out). 0 minus a borrow sets the flag, which means no borrow, if there is none.
    borrowing_sub, "subs {bit}, xzr, {bit}", "sbcs {word}, {word}, {b}", "cset {bit}, cc"
}

/// `accumulator += a * b`.
#[inline(always)]
fn accumulate(accumulator: &mut Accumulator<u64>, a: u64, b: u64) {
    let (product_low, product_high) = a.carrying_mul(b, 0);
    let Accumulator { low, mid, high } = accumulator;
    // SAFETY: it reads and writes registers and flags.
    unsafe {
        asm!(
            "adds {low}, {low}, {product_low}",
            "adcs {mid}, {mid}, {product_high}",
            "adc {high}, {high}, xzr",
            low = inout(reg) *low,
            mid = inout(reg) *mid,
            high = inout(reg) *high,
            product_low = in(reg) product_low,
            product_high = in(reg) product_high,
            options(pure, nomem, nostack),
        );
    }
}
