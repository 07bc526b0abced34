//! The words of 32-bit ARM: `u32` with three operations written so that LLVM makes of them what the processor has, and
//! `u64` with two.
//!
//! **The product.** When a double-length product is added to two words, LLVM's backend for ARM takes `umlal`, which sets no
//! flags. When the carry out of that addition is wanted too, as by an accumulator of three words, it takes `umlal` for the
//! sum and multiplies once more, `umull` and two additions, for the carry: every product is made twice. So the high
//! word goes through an empty piece of assembly: nothing is executed there, but what comes out is not known to be half of
//! a product.
//!
//! **The subtraction.** A borrow that goes from word to word becomes two comparisons and an `or` at each of them. As the sum
//! with the complement, which is how the processor has it, it becomes a chain of `sbcs`.
//!
//! **Products of straight-line code.** Words that are used again and again are loaded once, early, and kept on the stack for
//! want of registers. Here they are fetched at each use, one product after the other.
//!
//! **Products of `u64`** are four of `u32`, each with what it is added to, so that no addition carries out of it. As a product
//! of 128 bits they are four and, for a carry, one of them again.
//!
//! What is executed is counted: docs/records/arm-counts.md.
#![allow(unsafe_code)]

use crate::natural::word::{Accumulator, Word, impl_word};
use core::arch::asm;

impl_word!(
    u32,
    carrying_mul,
    u32::carrying_mul_add,
    u32::carrying_add,
    borrowing_sub,
    #[inline(always)]
    fn accumulate_from(accumulator: &mut Accumulator<u32>, a: &u32, b: &u32) {
        accumulate_from(accumulator, a, b);
    }
);
impl_word!(
    u64,
    carrying_mul_64,
    carrying_mul_add_64,
    u64::carrying_add,
    u64::borrowing_sub,
    #[inline(always)]
    fn accumulate(accumulator: &mut Accumulator<u64>, a: u64, b: u64) {
        accumulate_64(accumulator, a, b);
    }
);

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

/// `a * b + addend` as (low, high).
#[inline(always)]
fn carrying_mul_64(a: u64, b: u64, addend: u64) -> (u64, u64) {
    carrying_mul_add_64(a, b, addend, 0)
}

/// `a * b + addend + carry` as (low, high).
///
/// Each step is a product of words and two words more, at most (2^32 - 1)^2 + 2 (2^32 - 1) = 2^64 - 1.
#[inline(always)]
fn carrying_mul_add_64(a: u64, b: u64, addend: u64, carry: u64) -> (u64, u64) {
    const WORD: u64 = 0xffff_ffff;
    let step = |a: u64, b: u64, c: u64, d: u64| (a & WORD) * (b & WORD) + (c & WORD) + (d & WORD);
    let t00 = step(a, b, addend, carry);
    let t01 = step(a, b >> 32, addend >> 32, t00 >> 32);
    let t10 = opaque(step(a >> 32, b, t01, carry >> 32));
    let t11 = step(a >> 32, b >> 32, t01 >> 32, t10 >> 32);
    (t00 & WORD | t10 << 32, t11)
}

/// Returns `number`, hidden from LLVM, which would otherwise recognise a product of 128 bits in four of 64 bits and compute it with
/// five.
#[inline(always)]
fn opaque(number: u64) -> u64 {
    let (mut low, mut high) = (number as u32, (number >> 32) as u32);
    // SAFETY: a comment of the assembler, which executes nothing.
    unsafe { asm!("@ {0} {1}", inout(reg) low, inout(reg) high, options(pure, nomem, nostack, preserves_flags)) };
    u64::from(low) | u64::from(high) << 32
}

/// `accumulator += a * b`.
#[inline(always)]
fn accumulate_64(accumulator: &mut Accumulator<u64>, a: u64, b: u64) {
    let (low, high) = carrying_mul_64(a, b, 0);
    let halves = |word: u64| [word as u32, (word >> 32) as u32];
    let ([p0, p1], [p2, p3]) = (halves(low), halves(opaque(high)));
    let ([s0, s1], [s2, s3]) = (halves(accumulator.low), halves(accumulator.mid));
    let word = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
    let (s0, carry) = s0.overflowing_add(p0);
    let (s1, carry) = s1.carrying_add(p1, carry);
    let (s2, carry) = s2.carrying_add(p2, carry);
    let (s3, carry) = s3.carrying_add(p3, carry);
    *accumulator = Accumulator { low: word(s0, s1), mid: word(s2, s3), high: accumulator.high + u64::from(carry) };
}

/// `a - b - borrow` as (low, borrow out).
#[inline(always)]
fn borrowing_sub(a: u32, b: u32, borrow: bool) -> (u32, bool) {
    let (difference, carry) = a.carrying_add(!b, !borrow);
    (difference, !carry)
}

/// `accumulator += a * b`. It loads both words, and finishes before the next product's words are loaded.
#[inline(always)]
fn accumulate_from(accumulator: &mut Accumulator<u32>, a: &u32, b: &u32) {
    // SAFETY: a reference is valid for reading.
    let (a, b) = unsafe { (core::ptr::read_volatile(a), core::ptr::read_volatile(b)) };
    accumulator.add_product(a, b);
    // SAFETY: a comment of the assembler, which executes nothing; without `pure` its order with the volatile reads is kept.
    unsafe {
        asm!("@ {0} {1} {2}", inout(reg) accumulator.low, inout(reg) accumulator.mid, inout(reg) accumulator.high,
            options(nomem, nostack, preserves_flags));
    }
}
