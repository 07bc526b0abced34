//! The word of 32-bit ARM: `u32` with three operations written so that LLVM makes of them what the processor has.
//!
//! **The product.** Where a double-length product is added to two words, LLVM's backend for ARM takes `umlal`, which sets no
//! flags. Where the carry out of that addition is wanted too, as by an accumulator of three words, it takes `umlal` for the
//! sum and multiplies once more, `umull` and two additions, for the carry: every product is made twice. So the high
//! word goes through an empty piece of assembly: nothing is executed there, but what comes out is not known to be half of
//! a product.
//!
//! **The subtraction.** A borrow that goes from word to word becomes two comparisons and an `or` at each of them. As the sum
//! with the complement, which is how the processor has it, it becomes a chain of `sbcs`.
//!
//! **Products of straight-line code.** Words that are used again and again are loaded once, early, and kept on the stack for
//! want of registers. Here they are fetched where they are used, one product after the other.
//!
//! What is executed is counted: docs/arm-counts.md.
#![allow(unsafe_code)]

use crate::natural::word::{Accumulator, Word, impl_word};
use core::arch::asm;

impl_word!(u32, carrying_mul, borrowing_sub, accumulate_from);

/// `a * b + addend` as (low, high).
#[inline(always)]
fn carrying_mul(a: u32, b: u32, addend: u32) -> (u32, u32) {
    let product = u64::from(a) * u64::from(b);
    let mut high = (product >> 32) as u32;
    // SAFETY: a comment of the assembler, which executes nothing; it names the register because every operand must be used.
    unsafe { asm!("@ {0}", inout(reg) high, options(pure, nomem, nostack, preserves_flags)) };
    let (low, carry) = (product as u32).overflowing_add(addend);
    (low, high + u32::from(carry))
}

/// `a - b - borrow` as (low, borrow out).
#[inline(always)]
fn borrowing_sub(a: u32, b: u32, borrow: bool) -> (u32, bool) {
    let (difference, carry) = a.carrying_add(!b, !borrow);
    (difference, !carry)
}

/// `accumulator += a * b`, both fetched here, and everything done before the next product's words are.
#[inline(always)]
fn accumulate_from(accumulator: &mut Accumulator<u32>, a: &u32, b: &u32) {
    // SAFETY: a reference is valid for reading.
    let (a, b) = unsafe { (core::ptr::read_volatile(a), core::ptr::read_volatile(b)) };
    accumulator.add_product(a, b);
    // SAFETY: a comment of the assembler, which executes nothing; without `pure` it stays in order with the volatile reads.
    unsafe {
        asm!("@ {0} {1} {2}", inout(reg) accumulator.low, inout(reg) accumulator.mid, inout(reg) accumulator.high,
            options(nomem, nostack, preserves_flags));
    }
}
