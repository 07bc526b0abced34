//! The operations on vectors of four doubles: one text of assembly each, which has the sums of a block in registers from its first row to its last, and
//! in memory before and after. Whatever rounds is assembly: compiled code may assume rounding to nearest.
//!
//! [`super::texts`] has the pieces that they are made of, and says what is in which register.

#![allow(unsafe_code)]

use super::product::Work;
use super::unit::{
    ALL, C1, C2, CORNER, Chain, Doubles, EXCESS, Four, HIGH_BIAS, HIGH_PRODUCT, HIGH_SQUARE, LANES, LOW, LOW_BIAS,
    LOW_SQUARE, RADIX_BITS, ROUND, Sums, TOP, WHOLE,
};
use crate::kernel::cpu::{Feature, has};
use crate::kernel::exceptions::{KernelEnvironment, TOWARD_ZERO};
use core::arch::asm;

/// The unit: with `TWICE` rows read each vector of an operand twice. A value of the type proves that this CPU has AVX2 and FMA.
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx2<const TWICE: bool>(());

impl<const TWICE: bool> Avx2<TWICE> {
    /// The unit, if this CPU has it.
    pub(super) fn detected() -> Option<Self> {
        (has(Feature::Avx2) && has(Feature::Fma)).then_some(Self(()))
    }
}

/// Constants in memory: C1, C2, the lanes above lane 0, lane 3, and what digits take.
#[repr(C, align(32))]
struct RowConstants([[u64; LANES]; 8]);

static CONSTANTS: RowConstants = RowConstants([
    [C1.to_bits(); LANES],
    [C2.to_bits(); LANES],
    [0, u64::MAX, u64::MAX, u64::MAX],
    [0, 0, 0, u64::MAX],
    [ROUND; LANES],
    [LOW_BIAS; LANES],
    [LOW; LANES],
    [EXCESS.to_bits(); LANES],
]);

/// Runs the text for blocks of V vectors, and for either way to read operands.
macro_rules! each_form {
    ($text:ident $($operand:tt)*) => {
        match (V, TWICE) {
            (3, false) => on_vectors!(($text!(once 3)), $($operand)*),
            (3, true) => on_vectors!(($text!(twice 3)), $($operand)*),
            (4, false) => on_vectors!(($text!(once 4)), $($operand)*),
            (4, true) => on_vectors!(($text!(twice 4)), $($operand)*),
            (_, false) => on_vectors!(($text!(once 5)), $($operand)*),
            (_, true) => on_vectors!(($text!(twice 5)), $($operand)*),
        }
    };
}

/// Runs a text for each of V vectors that goes from the sums to columns or digits.
macro_rules! each_width {
    ($piece:ident, $($operand:tt)*) => {
        match V {
            3 => each_width!(@[0 1 2] $piece $($operand)*),
            4 => each_width!(@[0 1 2 3] $piece $($operand)*),
            _ => each_width!(@[0 1 2 3 4] $piece $($operand)*),
        }
    };
    (@$vectors:tt $piece:ident $($operand:tt)*) => {
        on_vectors!(
            (
                "vmovdqa ymm8, [{chain}]",
                "vmovdqa ymm9, [{chain} + 32]",
                load_digit_constants!(),
                sums!($piece $vectors),
                "vmovdqa [{chain}], ymm8",
                "vmovdqa [{chain} + 32], ymm9"
            ),
            $($operand)*
        )
    };
}

/// A text that takes the list of all vectors of a block.
macro_rules! vectors {
    ($text:ident $($way:ident)? 3) => { $text!($($way)? [0 1 2]) };
    ($text:ident $($way:ident)? 4) => { $text!($($way)? [0 1 2 3]) };
    ($text:ident $($way:ident)? 5) => { $text!($($way)? [0 1 2 3 4]) };
}

macro_rules! upper {
    ($way:ident 3) => { rows!($way [1 2 3 4] [0] [5 6 7 8] [0 1] [9 10 11] [0 1 2]) };
    ($way:ident 4) => { rows!($way [1 2 3 4] [0] [5 6 7 8] [0 1] [9 10 11 12] [0 1 2] [13 14 15] [0 1 2 3]) };
    ($way:ident 5) => {
        rows!($way [1 2 3 4] [0] [5 6 7 8] [0 1] [9 10 11 12] [0 1 2] [13 14 15 16] [0 1 2 3] [17 18 19] [0 1 2 3 4])
    };
}

macro_rules! lower {
    ($way:ident 3) => { rows!($way [0 1 2 3] [1 2] [4 5 6 7] [2]) };
    ($way:ident 4) => { rows!($way [0 1 2 3] [1 2 3] [4 5 6 7] [2 3] [8 9 10 11] [3]) };
    ($way:ident 5) => { rows!($way [0 1 2 3] [1 2 3 4] [4 5 6 7] [2 3 4] [8 9 10 11] [3 4] [12 13 14 15] [4]) };
}

macro_rules! diagonal {
    ($way:ident 3) => { masked!($way (0 1 0 [1 2] [1 2]) (2 3 1 [2] [2]) (4 5 2 [] [])) };
    ($way:ident 4) => { masked!($way (0 1 0 [1 2 3] [1 2 3]) (2 3 1 [2 3] [2 3]) (4 5 2 [3] [3]) (6 7 3 [] [])) };
    ($way:ident 5) => {
        masked!($way (0 1 0 [1 2 3 4] [1 2 3 4]) (2 3 1 [2 3 4] [2 3 4]) (4 5 2 [3 4] [3 4]) (6 7 3 [4] [4]) (8 9 4 [] []))
    };
}

macro_rules! corner_rows {
    ($way:ident 3) => {
        concat!(rows!($way [1 2 3 4] [0] [5] [0 1]), masked!($way (6 7 0 [1] [1]) (8 9 1 [] [2]) (10 11 2 [] [])))
    };
    ($way:ident 4) => {
        concat!(
            rows!($way [1 2 3 4] [0] [5 6 7] [0 1]),
            masked!($way (8 9 0 [1] [1 2]) (10 11 1 [2] [2]) (12 13 2 [] [3]) (14 15 3 [] []))
        )
    };
    ($way:ident 5) => {
        concat!(
            rows!($way [1 2 3 4] [0] [5 6 7 8] [0 1] [9] [0 1 2]),
            masked!($way (10 11 0 [1 2] [1 2]) (12 13 1 [2] [2 3]) (14 15 2 [3] [3]) (16 17 3 [] [4]) (18 19 4 [] []))
        )
    };
}

/// A block of rows, from the starts to the sums in memory.
macro_rules! block {
    ($width:tt, $($piece:expr),+) => {
        concat!(load_constants!(), vectors!(start_sums $width), $($piece,)+ vectors!(store_sums $width))
    };
}

macro_rules! start_sums { ($vectors:tt) => { sums!(start $vectors) } }
macro_rules! store_sums { ($vectors:tt) => { sums!(store $vectors) } }

/// To the window above the upper rows.
macro_rules! move_up {
    ($bytes:literal) => { concat!("add {p}, ", $bytes, "\nsub {x}, ", $bytes, "\n") };
    (of 3) => { move_up!(96) };
    (of 4) => { move_up!(128) };
    (of 5) => { move_up!(160) };
}

macro_rules! low_square {
    ($way:ident $v:tt) => { block!($v, vectors!(window $way $v), diagonal!($way $v)) };
}
macro_rules! high_square {
    ($way:ident $v:tt) => {
        block!($v, upper!($way $v), move_up!(of $v), vectors!(window $way $v), diagonal!($way $v))
    };
}
macro_rules! corner {
    ($way:ident $v:tt) => { block!($v, corner_rows!($way $v)) };
}
macro_rules! low_product {
    ($way:ident $v:tt) => { block!($v, vectors!(window $way $v), lower!($way $v)) };
}
macro_rules! high_product {
    ($way:ident $v:tt) => { block!($v, upper!($way $v), move_up!(of $v), vectors!(window $way $v)) };
}

macro_rules! fold_all {
    ($way:ident 3) => { fold_all!($way 96 [0 1 2]) };
    ($way:ident 4) => { fold_all!($way 128 [0 1 2 3]) };
    ($way:ident 5) => { fold_all!($way 160 [0 1 2 3 4]) };
    ($way:ident $bytes:literal $vectors:tt) => {
        concat!(load_constants!(), sums!(start_fold $vectors), fold_rows!($way $bytes $vectors), sums!(store $vectors))
    };
}
/// The rows from the fifth on, then the four lowest, which begin at {rows} and {digits}.
macro_rules! fold_top {
    ($way:ident 3) => { fold_top!($way 96 [2]) };
    ($way:ident 4) => { fold_top!($way 128 [3]) };
    ($way:ident 5) => { fold_top!($way 160 [4]) };
    ($way:ident $bytes:literal $vectors:tt) => {
        concat!(
            load_constants!(), sums!(start_fold $vectors), "mov {rows}, {x}\nmov {digits}, {p}\n",
            "add {p}, 32\nadd {x}, 4*", $bytes, "\ndec {n}\n", fold_rows!($way $bytes $vectors),
            "mov {x}, {rows}\nmov {p}, {digits}\n", four_rows!($way $bytes $vectors), sums!(store $vectors)
        )
    };
}
/// Then the row of the quotient for all vectors.
macro_rules! fold_rest {
    ($way:ident 3) => { fold_rest!($way 96 [0 1] [2] [0 1 2]) };
    ($way:ident 4) => { fold_rest!($way 128 [0 1 2] [3] [0 1 2 3]) };
    ($way:ident 5) => { fold_rest!($way 160 [0 1 2 3] [4] [0 1 2 3 4]) };
    ($way:ident $bytes:literal $rest:tt $top:tt $all:tt) => {
        concat!(
            load_constants!(), sums!(start_fold $rest), fold_rows!($way $bytes $rest), sums!(load $top),
            "mov {p}, {q}\nmov {x}, {multiple}\n", rows!($way [0] $all), sums!(store $all)
        )
    };
}
macro_rules! one_row {
    ($way:ident 3) => { one_row!($way [0 1 2]) };
    ($way:ident 4) => { one_row!($way [0 1 2 3]) };
    ($way:ident 5) => { one_row!($way [0 1 2 3 4]) };
    ($way:ident $all:tt) => {
        concat!(load_constants!(), sums!(load $all), rows!($way [0] $all), sums!(store $all))
    };
}

/// SAFETY of all blocks: `self` exists, so the CPU has AVX2 and FMA; pointers are as the trait's contracts say; the environment is that of `run`.
impl<const TWICE: bool> Doubles for Avx2<TWICE> {
    #[inline(never)]
    fn run(self, work: &Work) {
        let _environment = KernelEnvironment::new(TOWARD_ZERO);
        unsafe {
            work.run(self);
            // Other code is slow while the upper halves of registers are in use.
            asm!("vzeroupper", out("xmm0") _, options(nomem, nostack, preserves_flags));
        }
    }

    unsafe fn squares(self, out: *mut u64, a: *const u64, n: usize) {
        unsafe {
            on_vectors!(
                (
                    load_constants!(),
                    ".p2align 4\n2:",
                    "vmovupd ymm0, [{a}]",
                    "vmovapd ymm1, ymm10",
                    "vfmadd231pd ymm1, ymm0, ymm0",
                    "vsubpd ymm2, ymm11, ymm1",
                    "vfmadd231pd ymm2, ymm0, ymm0",
                    "vunpcklpd ymm3, ymm2, ymm1",
                    "vunpckhpd ymm4, ymm2, ymm1",
                    "vperm2f128 ymm5, ymm3, ymm4, 0x20",
                    "vperm2f128 ymm6, ymm3, ymm4, 0x31",
                    "vmovupd [{out}], ymm5",
                    "vmovupd [{out} + 32], ymm6",
                    "add {a}, 32",
                    "add {out}, 64",
                    "dec {n}",
                    "jnz 2b"
                ),
                a = inout(reg) a => _, out = inout(reg) out => _, n = inout(reg) n / LANES => _,
            );
        }
    }

    #[inline(never)]
    unsafe fn rows<const V: usize, const KIND: u8>(
        self,
        s: &mut Sums,
        starts: *const u64,
        p: *const u64,
        x: *const u64,
        count: usize,
    ) {
        unsafe {
            match KIND {
                LOW_SQUARE => each_form!(low_square s = in(reg) s, starts = in(reg) starts, p = inout(reg) p => _,
                    x = inout(reg) x => _, n = inout(reg) count => _,),
                HIGH_SQUARE => each_form!(high_square s = in(reg) s, starts = in(reg) starts, p = inout(reg) p => _,
                    x = inout(reg) x => _, n = inout(reg) count => _,),
                CORNER => {
                    let p = x.wrapping_sub(LANES * V);
                    each_form!(corner s = in(reg) s, starts = in(reg) starts, p = in(reg) p, x = in(reg) x,)
                }
                HIGH_PRODUCT => each_form!(high_product s = in(reg) s, starts = in(reg) starts, p = inout(reg) p => _,
                    x = inout(reg) x => _, n = inout(reg) count => _,),
                _ => each_form!(low_product s = in(reg) s, starts = in(reg) starts, p = inout(reg) p => _,
                    x = inout(reg) x => _, n = inout(reg) count => _,),
            }
        }
    }

    #[inline(never)]
    unsafe fn fold<const V: usize, const PART: u8>(
        self,
        s: &mut Sums,
        [low, high]: [*const u64; 2],
        p: *const u64,
        rows: *const u64,
        count: usize,
        [q, multiple]: [*const u64; 2],
    ) {
        debug_assert!(count > LANES && count.is_multiple_of(LANES));
        let n = count / LANES;
        unsafe {
            match PART {
                ALL => each_form!(fold_all s = in(reg) s, low = in(reg) low, high = in(reg) high, p = inout(reg) p => _,
                    x = inout(reg) rows => _, n = inout(reg) n => _,),
                TOP => each_form!(fold_top s = in(reg) s, low = in(reg) low, high = in(reg) high, p = inout(reg) p => _,
                    x = inout(reg) rows => _, n = inout(reg) n => _, rows = out(reg) _, digits = out(reg) _,),
                _ => each_form!(fold_rest s = in(reg) s, low = in(reg) low, high = in(reg) high, p = inout(reg) p => _,
                    x = inout(reg) rows => _, n = inout(reg) n => _, q = in(reg) q, multiple = in(reg) multiple,),
            }
        }
    }

    #[inline(never)]
    unsafe fn row<const V: usize>(self, s: &mut Sums, digit: *const u64, x: *const u64) {
        unsafe { each_form!(one_row s = in(reg) s, p = in(reg) digit, x = in(reg) x,) }
    }

    #[inline(always)]
    unsafe fn quotient(self, low: &Four, high: &Four, ratio: f64, out: &mut u64) {
        // The one row that is left would take these biases away.
        let both = HIGH_BIAS + LOW_BIAS;
        let (low, high) = (low.0, high.0);
        let [above, top, below] =
            [high[3].wrapping_add(HIGH_BIAS), low[3].wrapping_add(high[2]).wrapping_add(both), low[2].wrapping_add(high[1]).wrapping_add(both)];
        unsafe {
            asm!(
                "vxorpd {sum}, {sum}, {sum}",
                "vcvtsi2sd {part}, {sum}, {above}",
                "vmulsd {part}, {part}, {radix}",
                "vcvtsi2sd {sum}, {sum}, {top}",
                "vaddsd {sum}, {part}, {sum}",
                "vxorpd {part}, {part}, {part}",
                "vcvtsi2sd {part}, {part}, {below}",
                "vmulsd {part}, {part}, {inverse}",
                "vaddsd {sum}, {sum}, {part}",
                "vmulsd {sum}, {sum}, {ratio}",
                "vaddsd {sum}, {sum}, {whole}",
                "vsubsd {sum}, {sum}, {whole}",
                "vmovq {out}, {sum}",
                sum = out(xmm_reg) _, part = out(xmm_reg) _, above = in(reg) above, top = in(reg) top, below = in(reg) below,
                radix = in(xmm_reg) (1u64 << RADIX_BITS) as f64, inverse = in(xmm_reg) 1.0 / (1u64 << RADIX_BITS) as f64,
                ratio = in(xmm_reg) ratio, whole = in(xmm_reg) WHOLE, out = lateout(reg) *out,
                options(pure, nomem, nostack, preserves_flags)
            );
        }
    }

    #[inline(never)]
    unsafe fn columns<const V: usize, const DIGITS: bool>(
        self,
        s: &mut Sums,
        chain: &mut Chain,
        squares: Option<*const u64>,
        out: *mut u64,
    ) {
        unsafe {
            match (squares, DIGITS) {
                (Some(squares), false) => each_width!(doubled_columns, s = in(reg) s, chain = in(reg) chain,
                    squares = in(reg) squares, out = in(reg) out,),
                (Some(squares), true) => each_width!(doubled_digits, s = in(reg) s, chain = in(reg) chain,
                    squares = in(reg) squares, out = in(reg) out,),
                (None, false) => each_width!(plain_columns, s = in(reg) s, chain = in(reg) chain, out = in(reg) out,),
                (None, true) => each_width!(plain_digits, s = in(reg) s, chain = in(reg) chain, out = in(reg) out,),
            }
        }
    }

    #[inline(always)]
    unsafe fn lowest_digits(self, columns: &Four, out: *mut u64) {
        unsafe {
            on_vectors!(
                (
                    load_digit_constants!(),
                    "vmovdqa ymm1, [{columns}]",
                    "vmovdqa ymm9, [{carry}]",
                    digits_of_columns!(),
                    "vmovupd [{out}], ymm2"
                ),
                columns = in(reg) columns, carry = in(reg) &Chain::START.carry, out = in(reg) out,
            );
        }
    }
}
