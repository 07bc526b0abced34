//! The test of the test: small exponentiations modulo 2^64 inside the gate itself, one of them constant-time and two
//! with a leak planted. memcheck must pass the first and report the others; otherwise its silence about the engine
//! would mean nothing.

use core::hint::black_box;

/// Multiplication that the compiler cannot pull into a conditional move: a real branch stays a branch.
#[inline(never)]
fn multiply(a: u64, b: u64) -> u64 {
    black_box(a).wrapping_mul(b)
}

/// `powers[digit]` by reading the whole table: addresses do not depend on the digit.
fn masked_select(powers: &[u64; 16], digit: usize) -> u64 {
    let mut chosen = 0;
    for (index, &entry) in powers.iter().enumerate() {
        let difference = (digit ^ index) as u64;
        let differs = (difference | difference.wrapping_neg()) >> 63;
        chosen |= entry & black_box(differs).wrapping_sub(1);
    }
    chosen
}

/// PLANTED LEAK: `powers[digit]` by address, which the data cache shows.
fn indexed_select(powers: &[u64; 16], digit: usize) -> u64 {
    powers[digit & 15]
}

/// Fixed window of 4 bits; constant-time exactly if `select` is.
#[inline(always)]
fn fixed_window(base: u64, exponent: &[u8], select: impl Fn(&[u64; 16], usize) -> u64) -> u64 {
    let mut powers = [1u64; 16];
    for i in 1..16 {
        powers[i] = multiply(powers[i - 1], base);
    }
    let mut result = 1;
    for byte in exponent {
        for digit in [byte >> 4, byte & 15] {
            for _ in 0..4 {
                result = multiply(result, result);
            }
            result = multiply(result, select(&powers, usize::from(digit)));
        }
    }
    result
}

/// Constant-time: must be clean.
#[inline(never)]
pub fn clean(base: u64, exponent: &[u8]) -> u64 {
    fixed_window(base, exponent, masked_select)
}

/// Leaks every digit through an address: must be reported.
#[inline(never)]
pub fn leaky_index(base: u64, exponent: &[u8]) -> u64 {
    fixed_window(base, exponent, indexed_select)
}

/// PLANTED LEAK: left-to-right binary, which multiplies only if the bit is 1. Must be reported.
#[inline(never)]
pub fn leaky_branch(base: u64, exponent: &[u8]) -> u64 {
    let mut result = 1;
    for byte in exponent {
        for position in (0..8).rev() {
            result = multiply(result, result);
            if byte >> position & 1 == 1 {
                result = multiply(result, base);
            }
        }
    }
    result
}
