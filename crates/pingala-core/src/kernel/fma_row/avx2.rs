//! The operations on vectors of four doubles: one text of assembly each, which has the sums of a block in registers from its first row to its last, and
//! in memory before and after. Whatever rounds is assembly: compiled code may assume rounding to nearest.
//!
//! [`super::texts`] has the pieces that they are made of, and says what is in which register.

#![allow(unsafe_code)]

use super::product::RowWork;
use super::unit::{
    BLOCK, BlockSums, C1, C2, CORNER, ColumnChain, DoubleRows, EXCESS, Fold, FourWords, HIGH_BIAS, HIGH_PRODUCT,
    HIGH_SQUARE, HIGHEST, LANES, LOW, LOW_BIAS, LOW_SQUARE, RADIX_BITS, ROUND, TOP, WHOLE,
};
use crate::kernel::cpu::{Feature, has};
use crate::kernel::exceptions::{KernelEnvironment, TOWARD_ZERO};
use core::arch::asm;
use core::mem::MaybeUninit;

/// The unit: with `TWICE` rows read each vector of an operand twice. A value of the type proves that this CPU has AVX2, and FMA that rounds as told.
#[derive(Clone, Copy, Debug)]
pub(super) struct DoubleRowUnit<const TWICE: bool>(());

impl<const TWICE: bool> DoubleRowUnit<TWICE> {
    /// The unit, if this CPU has it.
    pub(super) fn detected() -> Option<Self> {
        [Feature::Avx2, Feature::Fma, Feature::Rounding].into_iter().all(has).then_some(Self(()))
    }
}

/// In memory: C1, C2, the lanes above lane 0, lane 3, what digits take, and the carry below the lowest vector.
#[repr(C, align(32))]
struct RowVectors([[u64; LANES]; 9]);

static CONSTANTS: RowVectors = RowVectors([
    [C1.to_bits(); LANES],
    [C2.to_bits(); LANES],
    [0, u64::MAX, u64::MAX, u64::MAX],
    [0, 0, 0, u64::MAX],
    [ROUND; LANES],
    [LOW_BIAS; LANES],
    [LOW; LANES],
    [EXCESS.to_bits(); LANES],
    ColumnChain::START.carry.0,
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

/// A low block, from the starts to columns, and a high one, to digits.
macro_rules! low_block {
    ($v:tt $way:ident $($piece:expr),+) => {
        concat!(load_constants!(), vectors!(start_sums $v), $($piece,)+ load_chain!(), columns!($way store_columns $v))
    };
}
macro_rules! high_block {
    ($v:tt $way:ident $($piece:expr),+) => {
        concat!(load_constants!(), vectors!(start_sums $v), $($piece,)+ to_digits!($way $v))
    };
}

macro_rules! start_sums { ($vectors:tt) => { sums!(start $vectors) } }
macro_rules! load_sums { ($vectors:tt) => { sums!(load $vectors) } }
macro_rules! store_sums { ($vectors:tt) => { sums!(store $vectors) } }
macro_rules! to_digits {
    ($way:ident $v:tt) => { concat!(load_digits!(), columns!($way store_digits $v), store_carry!()) };
}

/// To the window above the upper rows.
macro_rules! move_up {
    (3) => { move_up!(@96) };
    (4) => { move_up!(@128) };
    (5) => { move_up!(@160) };
    (@$bytes:literal) => { concat!("add {p}, ", $bytes, "\nsub {x}, ", $bytes, "\n") };
}

macro_rules! low_square {
    ($way:ident $v:tt) => { low_block!($v doubled vectors!(window $way $v), diagonal!($way $v)) };
}
macro_rules! high_square {
    ($way:ident $v:tt) => {
        high_block!($v doubled upper!($way $v), move_up!($v), vectors!(window $way $v), diagonal!($way $v))
    };
}
macro_rules! corner {
    ($way:ident $v:tt) => { high_block!($v doubled corner_rows!($way $v)) };
}
macro_rules! low_product {
    ($way:ident $v:tt) => { low_block!($v plain vectors!(window $way $v), lower!($way $v)) };
}
macro_rules! high_product {
    ($way:ident $v:tt) => { high_block!($v plain upper!($way $v), move_up!($v), vectors!(window $way $v)) };
}

/// The fold of some vectors, given all, those below the top one and the top one, with the bytes of a row.
macro_rules! fold {
    ($part:ident $way:ident 3) => { $part!($way 96 [0 1 2] [0 1] [2] 3) };
    ($part:ident $way:ident 4) => { $part!($way 128 [0 1 2 3] [0 1 2] [3] 4) };
    ($part:ident $way:ident 5) => { $part!($way 160 [0 1 2 3 4] [0 1 2 3] [4] 5) };
}
macro_rules! fold_highest { ($way:ident $v:tt) => { fold!(highest_part $way $v) } }
macro_rules! fold_block { ($way:ident $v:tt) => { fold!(block_part $way $v) } }
macro_rules! fold_top { ($way:ident $v:tt) => { fold!(top_part $way $v) } }
macro_rules! fold_rest { ($way:ident $v:tt) => { fold!(rest_part $way $v) } }

macro_rules! highest_part {
    ($way:ident $bytes:literal $all:tt $below:tt $top:tt $v:tt) => {
        concat!(load_constants!(), sums!(start_fold $all), fold_rows!($way $bytes $all), sums!(store $all))
    };
}
macro_rules! block_part {
    ($way:ident $bytes:literal $all:tt $below:tt $top:tt $v:tt) => {
        concat!(
            load_constants!(), sums!(start_fold $all), fold_rows!($way $bytes $all),
            "mov {p}, {q}\nmov {x}, {multiple}\n", rows!($way [0] $all), to_digits!(plain $v)
        )
    };
}
macro_rules! top_part {
    ($way:ident $bytes:literal $all:tt $below:tt $top:tt $v:tt) => {
        concat!(load_constants!(), sums!(start_fold $top), fold_rows!($way $bytes $top), sums!(store $top))
    };
}
macro_rules! rest_part {
    ($way:ident $bytes:literal $all:tt $below:tt $top:tt $v:tt) => {
        concat!(
            load_constants!(), sums!(start_fold $below), fold_rows!($way $bytes $below), sums!(load $top),
            "mov {p}, {q}\nmov {x}, {multiple}\n", rows!($way [0] $all), to_digits!(plain $v)
        )
    };
}

macro_rules! one_row {
    ($way:ident $v:tt) => {
        concat!(load_constants!(), vectors!(load_sums $v), vectors!(first_row $way $v), vectors!(store_sums $v))
    };
}
macro_rules! last_row {
    ($way:ident $v:tt) => {
        concat!(load_constants!(), vectors!(load_sums $v), vectors!(first_row $way $v), to_digits!(plain $v))
    };
}
macro_rules! first_row { ($way:ident $vectors:tt) => { rows!($way [0] $vectors) } }

/// SAFETY of all blocks: `self` exists, so the CPU has AVX2 and FMA; pointers are as the trait's contracts say; the environment is that of `run`.
impl<const TWICE: bool> DoubleRows for DoubleRowUnit<TWICE> {
    #[inline(never)]
    fn run(self, work: &RowWork) {
        let _environment = KernelEnvironment::new(TOWARD_ZERO);
        // SAFETY: as above.
        unsafe {
            work.run(self);
            // Other code is slow while the upper halves of registers are in use.
            asm!("vzeroupper", out("xmm0") _, options(nomem, nostack, preserves_flags));
        }
    }

    unsafe fn squares(self, out: *mut u64, a: *const u64, n: usize) {
        // SAFETY: as above.
        unsafe {
            on_vectors!(
                (
                    load_constants!(),
                    ".p2align 6\n2:",
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
        chain: &mut ColumnChain,
        starts: *const u64,
        p: *const u64,
        x: *const u64,
        count: usize,
        squares: *const u64,
        out: *mut u64,
    ) {
        macro_rules! with_window {
            ($text:ident $($squares:tt)*) => {
                each_form!($text starts = in(reg) starts, p = inout(reg) p => _, x = inout(reg) x => _, n = inout(reg) count => _,
                    chain = in(reg) chain, out = in(reg) out, $($squares)*)
            };
        }
        // SAFETY: as above.
        unsafe {
            match KIND {
                LOW_SQUARE => with_window!(low_square squares = in(reg) squares,),
                HIGH_SQUARE => with_window!(high_square squares = in(reg) squares,),
                CORNER => {
                    each_form!(corner starts = in(reg) starts, p = in(reg) x.wrapping_sub(LANES * V), x = in(reg) x,
                    chain = in(reg) chain, out = in(reg) out, squares = in(reg) squares,)
                }
                HIGH_PRODUCT => with_window!(high_product),
                _ => with_window!(low_product),
            }
        }
    }

    #[inline(never)]
    unsafe fn fold<const V: usize, const PART: u8>(
        self,
        s: *mut BlockSums,
        fold: &Fold,
        p: *const u64,
        count: usize,
        chain: &mut ColumnChain,
        quotient: &u64,
    ) {
        debug_assert!(count > LANES && count.is_multiple_of(LANES));
        let (Fold { low, high, rows, multiple, out }, n) = (*fold, count / LANES);
        macro_rules! fold_with {
            ($text:ident $($operand:tt)*) => {
                each_form!($text low = in(reg) low, high = in(reg) high, p = inout(reg) p => _, x = inout(reg) rows => _,
                    n = inout(reg) n => _, $($operand)*)
            };
        }
        // SAFETY: as above.
        unsafe {
            match PART {
                BLOCK => {
                    fold_with!(fold_block q = in(reg) quotient, multiple = in(reg) multiple, chain = in(reg) chain,
                    out = in(reg) out,)
                }
                HIGHEST => fold_with!(fold_highest s = in(reg) s,),
                TOP => fold_with!(fold_top s = in(reg) s,),
                _ => fold_with!(fold_rest s = in(reg) s, q = in(reg) quotient, multiple = in(reg) multiple,
                    chain = in(reg) chain, out = in(reg) out,),
            }
        }
    }

    #[inline(never)]
    unsafe fn row<const V: usize>(self, s: &mut BlockSums, digit: &u64, x: *const u64) {
        // SAFETY: as above.
        unsafe { each_form!(one_row s = in(reg) s, p = in(reg) digit, x = in(reg) x,) }
    }

    #[inline(never)]
    unsafe fn last<const V: usize>(
        self,
        s: *mut BlockSums,
        digit: &u64,
        x: *const u64,
        chain: &mut ColumnChain,
        out: *mut u64,
    ) {
        // SAFETY: as above.
        unsafe {
            each_form!(last_row s = in(reg) s, p = in(reg) digit, x = in(reg) x, chain = in(reg) chain, out = in(reg) out,)
        }
    }

    #[inline(always)]
    unsafe fn quotient(self, low: &FourWords, high: &FourWords, ratio: f64, out: &mut u64) {
        // The one row that is left would take these biases away.
        let both = HIGH_BIAS + LOW_BIAS;
        let (low, high) = (low.0, high.0);
        let [above, top, below] = [
            high[3].wrapping_add(HIGH_BIAS),
            low[3].wrapping_add(high[2]).wrapping_add(both),
            low[2].wrapping_add(high[1]).wrapping_add(both),
        ];
        // SAFETY: as above.
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
                options(nomem, nostack, preserves_flags)
            );
        }
    }

    #[inline(always)]
    unsafe fn lowest_digits(self, columns: &FourWords, lacking: u64, out: *mut u64) {
        // SAFETY: as above.
        unsafe {
            on_vectors!(
                (load_radix!(), load_start!(), "vmovq xmm0, {lacking}\nvpaddq ymm0, ymm0, [{columns}]", store_digits!(@"0")),
                columns = in(reg) columns, lacking = in(reg) lacking, out = in(reg) out,
            );
        }
    }

    #[inline(always)]
    fn begin(self, chain: &mut MaybeUninit<ColumnChain>) -> &mut ColumnChain {
        // SAFETY: as above; all of the chain is written.
        unsafe {
            on_vectors!(
                (
                    load_start!(),
                    "vpxor xmm0, xmm0, xmm0",
                    "vmovdqa [{chain}], ymm0\nvmovdqa [{chain} + 32], ymm13\nvmovdqa [{chain} + 64], ymm0"
                ),
                chain = in(reg) chain.as_mut_ptr(),
            );
            chain.assume_init_mut()
        }
    }

    #[inline(always)]
    fn copy(self, from: &FourWords, to: &mut MaybeUninit<FourWords>) {
        // SAFETY: as above.
        unsafe {
            asm!("vmovdqa ymm0, [{from}]\nvmovdqa [{to}], ymm0", out("ymm0") _, from = in(reg) from, to = in(reg) to.as_mut_ptr(),
                options(nostack, preserves_flags));
        }
    }
}
