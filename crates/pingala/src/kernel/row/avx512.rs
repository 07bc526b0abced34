//! The vector operations as AVX-512 instructions with IFMA.

#![allow(unsafe_code)]

use super::vectors::{LOWER_MARKS, VectorProgram, Vectors};
use super::{REQUIRES, product};
use crate::kernel::cpu;
use core::arch::x86_64::*;

/// A value proves that this CPU has AVX-512F, BW and IFMA; only [`Ifma::new`] makes one.
#[derive(Clone, Copy, Debug)]
pub(in crate::kernel) struct Ifma(());

impl Ifma {
    /// None where the CPU lacks something.
    pub(in crate::kernel) fn new() -> Option<Self> {
        REQUIRES.iter().all(|&feature| cpu::has(feature)).then_some(Self(()))
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512ifma")]
fn run_with_ifma(ops: Ifma, program: impl VectorProgram) {
    program.run(ops);
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512ifma")]
unsafe fn half_with_ifma<const HIGH: bool, const SQUARE: bool, const V: usize>(
    ops: Ifma,
    limbs: usize,
    vectors: usize,
    out: *mut u64,
    a: *const u64,
    b: *const u64,
) {
    // SAFETY: the caller's promise.
    unsafe { product::half_text::<Ifma, HIGH, SQUARE, V>(ops, limbs, vectors, out, a, b) }
}

/// A mask, hidden from the compiler, which would otherwise reload the constant into a mask register before every use, on a
/// port that multiplies.
#[inline]
#[target_feature(enable = "avx512f")]
fn hidden_lanes(mask: u8) -> __mmask8 {
    let lanes;
    // SAFETY: one instruction of AVX-512F on registers.
    unsafe {
        core::arch::asm!(
            "kmovw {}, {:e}",
            out(kreg) lanes,
            in(reg) u32::from(mask),
            options(pure, nomem, nostack, preserves_flags)
        );
    }
    lanes
}

/// All ones where a = b. Hidden from the compiler, which would otherwise load table entries under a mask, so that the words it
/// reads depend on the mask.
#[inline]
#[target_feature(enable = "avx512f")]
fn hidden_equal(a: __m512i, b: __m512i) -> __m512i {
    let mut ones = _mm512_maskz_set1_epi64(_mm512_cmpeq_epi64_mask(a, b), -1);
    // SAFETY: the block has no instruction.
    unsafe { core::arch::asm!("/* {} */", inout(zmm_reg) ones, options(pure, nomem, nostack, preserves_flags)) };
    ones
}

/// Functions on marks. Each is one instruction in assembly, because the compiler would move the words through general registers,
/// which takes several times as long (docs/records/thresholds.md).
macro_rules! on_marks {
    ($($name:ident $(<$at:ident>)?($($argument:ident: $class:ident $type:ty),*) -> $out:ident $result:ty = $template:literal;)+) => {
        $(#[inline]
        #[target_feature(enable = "avx512f,avx512bw")]
        fn $name$(<const $at: u32>)?($($argument: $type),*) -> $result {
            let result;
            // SAFETY: one instruction of AVX-512F or BW on registers.
            unsafe {
                core::arch::asm!(
                    $template,
                    out($out) result,
                    $(in($class) $argument,)*
                    $($at = const $at,)?
                    options(pure, nomem, nostack, preserves_flags)
                );
            }
            result
        })+
    };
}

on_marks! {
    known_marks(marks: reg u64) -> kreg u64 = "kmovq {}, {}";
    mark_halves(a: zmm_reg __m512i, b: zmm_reg __m512i) -> kreg u64 = "vptestmd {}, {}, {}";
    marks_right<AT>(a: kreg u64) -> kreg u64 = "kshiftrq {}, {}, {AT}";
    marks_xor(a: kreg u64, b: kreg u64) -> kreg u64 = "kxorq {}, {}, {}";
    marks_add(a: kreg u64, b: kreg u64) -> kreg u64 = "kaddq {}, {}, {}";
    marks_beside_16(above: kreg u64, below: kreg u64) -> kreg u64 = "kunpckwd {}, {}, {}";
    marks_beside_32(above: kreg u64, below: kreg u64) -> kreg u64 = "kunpckdq {}, {}, {}";
    halves_marked(marks: kreg u64, a: zmm_reg __m512i) -> zmm_reg __m512i = "vmovdqa32 {}{{{}}}{{z}}, {}";
}

/// Methods that are one safe intrinsic each.
macro_rules! instructions {
    ($($name:ident($($argument:ident: $type:ty),*) -> $result:ty = $run:expr;)+) => {
        $(#[inline(always)]
        fn $name(self, $($argument: $type),*) -> $result {
            // SAFETY: a value of this type exists only where the CPU has the instructions.
            unsafe { $run }
        })+
    };
}

impl Vectors for Ifma {
    type Vector = __m512i;
    type Lanes = __mmask8;
    type Marks = u64;

    fn run(self, program: impl VectorProgram) {
        // SAFETY: a value of this type exists only where the CPU has the instructions.
        unsafe { run_with_ifma(self, program) }
    }
    #[inline(always)]
    unsafe fn half<const HIGH: bool, const SQUARE: bool, const V: usize>(
        self,
        limbs: usize,
        vectors: usize,
        out: *mut u64,
        a: *const u64,
        b: *const u64,
    ) {
        // SAFETY: the caller's promise; a value of this type exists only where the CPU has the instructions.
        unsafe { half_with_ifma::<HIGH, SQUARE, V>(self, limbs, vectors, out, a, b) }
    }
    #[inline(always)]
    fn lanes(self, mask: u8) -> __mmask8 {
        // SAFETY: a value of this type exists only where the CPU has the instructions.
        unsafe { hidden_lanes(mask) }
    }
    #[inline(always)]
    unsafe fn load(self, from: *const u64) -> __m512i {
        // SAFETY: the caller's promise; the instructions exist.
        unsafe { _mm512_loadu_si512(from.cast()) }
    }
    #[inline(always)]
    unsafe fn broadcast(self, from: *const u64) -> __m512i {
        // SAFETY: the caller's promise; the instructions exist.
        unsafe { _mm512_set1_epi64(from.read().cast_signed()) }
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut u64, a: __m512i) {
        // SAFETY: the caller's promise; the instructions exist.
        unsafe { _mm512_storeu_si512(to.cast(), a) }
    }
    instructions! {
        zero() -> __m512i = _mm512_setzero_si512();
        splat(word: u64) -> __m512i = _mm512_set1_epi64(word.cast_signed());
        madd_low(sum: __m512i, a: __m512i, b: __m512i) -> __m512i = _mm512_madd52lo_epu64(sum, a, b);
        madd_low_modulo(sum: __m512i, a: __m512i, b: __m512i) -> __m512i = _mm512_madd52lo_epu64(sum, a, b);
        madd_high(sum: __m512i, a: __m512i, b: __m512i) -> __m512i = _mm512_madd52hi_epu64(sum, a, b);
        madd_low_lanes(lanes: __mmask8, sum: __m512i, a: __m512i, b: __m512i) -> __m512i =
            _mm512_mask_madd52lo_epu64(sum, lanes, a, b);
        madd_high_lanes(lanes: __mmask8, sum: __m512i, a: __m512i, b: __m512i) -> __m512i =
            _mm512_mask_madd52hi_epu64(sum, lanes, a, b);
        add(a: __m512i, b: __m512i) -> __m512i = _mm512_add_epi64(a, b);
        add_signed(a: __m512i, b: __m512i) -> __m512i = _mm512_add_epi64(a, b);
        sub_signed(a: __m512i, b: __m512i) -> __m512i = _mm512_sub_epi64(a, b);
        and(a: __m512i, b: __m512i) -> __m512i = _mm512_and_si512(a, b);
        or(a: __m512i, b: __m512i) -> __m512i = _mm512_or_si512(a, b);
        carries(a: __m512i) -> __m512i = _mm512_srli_epi64::<52>(a);
        look_up(table: __m512i, index: __m512i) -> __m512i = _mm512_permutexvar_epi64(index, table);
        up_two(a: __m512i, below: __m512i) -> __m512i = _mm512_alignr_epi64::<6>(a, below);
        add_modulo(a: __m512i, b: __m512i) -> __m512i = _mm512_add_epi64(a, b);
        add_in(mask: u8, a: __m512i, b: __m512i) -> __m512i = _mm512_mask_add_epi64(a, mask, a, b);
        up(a: __m512i, below: __m512i) -> __m512i = _mm512_alignr_epi64::<7>(a, below);
        down(above: __m512i, a: __m512i) -> __m512i = _mm512_alignr_epi64::<1>(above, a);
        interleave_low(a: __m512i, b: __m512i) -> __m512i =
            _mm512_permutex2var_epi64(a, _mm512_set_epi64(11, 3, 10, 2, 9, 1, 8, 0), b);
        interleave_high(a: __m512i, b: __m512i) -> __m512i =
            _mm512_permutex2var_epi64(a, _mm512_set_epi64(15, 7, 14, 6, 13, 5, 12, 4), b);
        keep(mask: u8, a: __m512i) -> __m512i = _mm512_maskz_mov_epi64(mask, a);
        equal(a: __m512i, b: __m512i) -> u8 = _mm512_cmpeq_epi64_mask(a, b);
        above(a: __m512i, b: __m512i) -> u8 = _mm512_cmpgt_epu64_mask(a, b);
        edges(a: __m512i) -> u64 = mark_halves(a, _mm512_set1_epi64(1 << 52 | 0xffff_ffff));
        ones_at(marks: u64) -> __m512i = halves_marked(marks, _mm512_set1_epi64(1));
        differing(a: u64, b: u64) -> u64 = marks_xor(a, b);
        sum_of_marks(a: u64, b: u64) -> u64 = marks_add(a, b);
        beside_16(below: u64, above: u64) -> u64 = marks_beside_16(above, below);
        beside_32(below: u64, above: u64) -> u64 = marks_beside_32(above, below);
    }
    #[inline(always)]
    fn shift_left<const AT: u32>(self, a: __m512i) -> __m512i {
        // SAFETY: a value of this type exists only where the CPU has the instructions.
        unsafe { _mm512_slli_epi64::<AT>(a) }
    }
    #[inline(always)]
    fn shift_right<const AT: u32>(self, a: __m512i) -> __m512i {
        // SAFETY: a value of this type exists only where the CPU has the instructions.
        unsafe { _mm512_srli_epi64::<AT>(a) }
    }
    #[inline(always)]
    fn shift_right_signed<const AT: u32>(self, a: __m512i) -> __m512i {
        // SAFETY: a value of this type exists only where the CPU has the instructions.
        unsafe { _mm512_srai_epi64::<AT>(a) }
    }
    #[inline(always)]
    fn lower_marks<const G: usize>(self) -> u64 {
        // SAFETY: a value of this type exists only where the CPU has the instructions.
        unsafe { known_marks(LOWER_MARKS >> (64 - 16 * G)) }
    }
    #[inline(always)]
    fn marks_down<const AT: u32>(self, marks: u64) -> u64 {
        // SAFETY: a value of this type exists only where the CPU has the instructions.
        unsafe { marks_right::<AT>(marks) }
    }
    #[inline(always)]
    fn lanes_where_equal(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: a value of this type exists only where the CPU has the instructions.
        unsafe { hidden_equal(a, b) }
    }
    #[inline(always)]
    fn sum(self, a: __m512i) -> __m512i {
        // SAFETY: a value of this type exists only where the CPU has the instructions.
        unsafe {
            let a = _mm512_add_epi64(a, _mm512_shuffle_i64x2::<0x4e>(a, a));
            let a = _mm512_add_epi64(a, _mm512_shuffle_i64x2::<0xb1>(a, a));
            _mm512_add_epi64(a, _mm512_shuffle_epi32::<0x4e>(a))
        }
    }
}
