//! The inner loop in assembly: blocks of 1 to 8 rows, the sum in registers.
//!
//! A block is S rows at once, as in `product::schoolbook`, but it runs along the other operand word by word: step j
//! multiplies one word a_j by the S words of the block and adds the products, and the word t_j of the sum, to a window of S
//! registers; the lowest register is then finished and becomes word t_j. Neither mul nor umulh touches the flags, so that each
//! step is two carry chains, one after the other: t_j and the high halves, whose carry goes to a register on top; then the low
//! halves, which move the window down on their way, since an addition may write to a third register.
//!
//! Bound: a window below b^S stays so, since b^S - 1 + (b - 1)(b^S - 1) + (b - 1) = b^(S+1) - 1, of which one word leaves.
//!
//! Count: S products in 4S + 7 instructions, two loads and a store among them: 4.9 a product at S = 8. What the compiler makes
//! of the tiles takes 6.5 at S = 4 and 7.8 at S = 6, because it moves carries through registers.
#![allow(unsafe_code)]

use core::arch::naked_asm;

/// The most rows of a block: 8 words, 8 of the window and the temporaries of a step take 25 registers.
pub(super) const ROWS: usize = 8;

/// Moves the words at a base address to or from registers.
macro_rules! each {
    ($instruction:literal, $base:literal, $_offsets:tt []) => { "" };
    ($instruction:literal, $base:literal, [$offset:literal $($offsets:literal)*] [$word:literal $($words:literal)*]) => { concat!(
        $instruction, " ", $word, ", [", $base, ", #", $offset, "]\n",
        each!($instruction, $base, [$($offsets)*] [$($words)*]),
    ) };
}

/// Adds the high halves of x22 * factors to the window from its second word on; the last one and the carry go to x28.
macro_rules! add_high {
    ([$tmp:literal $_next:literal] [$factor:literal] []) => { concat!(
        "umulh ", $tmp, ", x22, ", $factor, "\n",
        "adc x28, ", $tmp, ", xzr\n",
    ) };
    ([$tmp:literal $next:literal] [$factor:literal $($factors:literal)+] [$word:literal $($words:literal)*]) => { concat!(
        "umulh ", $tmp, ", x22, ", $factor, "\n",
        "adcs ", $word, ", ", $word, ", ", $tmp, "\n",
        add_high!([$next $tmp] [$($factors)+] [$($words)*]),
    ) };
}

/// Adds the low halves of x22 * factors to the window from its second word on, one register down; x28 becomes its last word.
macro_rules! add_low {
    ($_tmp:tt [] [$last:literal]) => { concat!("adc ", $last, ", x28, xzr\n") };
    ([$tmp:literal $next:literal] [$factor:literal $($factors:literal)*] [$below:literal $word:literal $($words:literal)*]) => { concat!(
        "mul ", $tmp, ", x22, ", $factor, "\n",
        "adcs ", $below, ", ", $word, ", ", $tmp, "\n",
        add_low!([$next $tmp] [$($factors)*] [$word $($words)*]),
    ) };
}

/// The loop of a block with one row for each factor.
macro_rules! block {
    ($name:ident, [$first_factor:literal $($factors:literal)*] [$first:literal $($words:literal)*]) => {
        /// `t = ` the lower n words of `t + a * factors + window`, `window = ` the S words above, for n words of `t` and `a`.
        ///
        /// # Safety
        /// `t` has n words to be written, `a` n to be read, which n may be 0; `factors` has S words, `window` S to be written, and no
        /// two of them overlap, but `a` and `factors` may.
        #[unsafe(naked)]
        pub(super) unsafe extern "C" fn $name(t: *mut u64, a: *const u64, n: usize, factors: *const u64, window: *mut u64) {
            naked_asm!(concat!(
                "stp x19, x20, [sp, #-80]!\n",
                "stp x21, x22, [sp, #16]\n",
                "stp x23, x24, [sp, #32]\n",
                "stp x25, x26, [sp, #48]\n",
                "stp x27, x28, [sp, #64]\n",
                each!("ldr", "x3", [0 8 16 24 32 40 48 56] [$first_factor $($factors)*]),
                each!("ldr", "x4", [0 8 16 24 32 40 48 56] [$first $($words)*]),
                "cbz x2, 3f\n",
                "2:\n",
                "ldr x22, [x1], #8\n",
                "ldr x25, [x0]\n",
                "adds ", $first, ", ", $first, ", x25\n",
                add_high!(["x23" "x24"] [$first_factor $($factors)*] [$($words)*]),
                "mul x26, x22, ", $first_factor, "\n",
                "adds x26, x26, ", $first, "\n",
                "str x26, [x0], #8\n",
                add_low!(["x23" "x24"] [$($factors)*] [$first $($words)*]),
                "sub x2, x2, #1\n",
                "cbnz x2, 2b\n",
                "3:\n",
                each!("str", "x4", [0 8 16 24 32 40 48 56] [$first $($words)*]),
                "ldp x27, x28, [sp, #64]\n",
                "ldp x25, x26, [sp, #48]\n",
                "ldp x23, x24, [sp, #32]\n",
                "ldp x21, x22, [sp, #16]\n",
                "ldp x19, x20, [sp], #80\n",
                "ret\n",
            ))
        }
    };
}

block!(one, ["x5"]["x13"]);
block!(two, ["x5" "x6"] ["x13" "x14"]);
block!(three, ["x5" "x6" "x7"] ["x13" "x14" "x15"]);
block!(four, ["x5" "x6" "x7" "x8"] ["x13" "x14" "x15" "x16"]);
block!(five, ["x5" "x6" "x7" "x8" "x9"] ["x13" "x14" "x15" "x16" "x17"]);
block!(six, ["x5" "x6" "x7" "x8" "x9" "x10"] ["x13" "x14" "x15" "x16" "x17" "x19"]);
block!(seven, ["x5" "x6" "x7" "x8" "x9" "x10" "x11"] ["x13" "x14" "x15" "x16" "x17" "x19" "x20"]);
block!(eight, ["x5" "x6" "x7" "x8" "x9" "x10" "x11" "x12"] ["x13" "x14" "x15" "x16" "x17" "x19" "x20" "x21"]);
