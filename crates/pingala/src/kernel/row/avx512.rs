//! The vector operations as AVX-512 instructions with IFMA.

#![allow(unsafe_code)]

use super::REQUIRES;
use super::vectors::{Program, Vectors};
use crate::kernel::cpu;
use core::arch::x86_64::*;

/// Says that this CPU has AVX-512F and IFMA: [`Ifma::new`] is the only way to one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ifma(());

impl Ifma {
    /// None where the CPU lacks something.
    pub(super) fn new() -> Option<Self> {
        REQUIRES.iter().all(|&feature| cpu::has(feature)).then_some(Self(()))
    }
}

#[target_feature(enable = "avx512f,avx512ifma")]
fn run_with_ifma(ops: Ifma, program: impl Program) {
    program.run(ops);
}

/// A mask that is hidden from the compiler, which would otherwise move the constant into a mask register again before
/// every use, on a port that multiplies.
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

    fn run(self, program: impl Program) {
        // SAFETY: a value of this type exists only where the CPU has the instructions.
        unsafe { run_with_ifma(self, program) }
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
    unsafe fn load_lanes(self, lanes: __mmask8, from: *const u64) -> __m512i {
        // SAFETY: the caller's promise; the instructions exist.
        unsafe { _mm512_maskz_loadu_epi64(lanes, from.cast()) }
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
        madd_high(sum: __m512i, a: __m512i, b: __m512i) -> __m512i = _mm512_madd52hi_epu64(sum, a, b);
        add(a: __m512i, b: __m512i) -> __m512i = _mm512_add_epi64(a, b);
        add_signed(a: __m512i, b: __m512i) -> __m512i = _mm512_add_epi64(a, b);
        sub_signed(a: __m512i, b: __m512i) -> __m512i = _mm512_sub_epi64(a, b);
        xor(a: __m512i, b: __m512i) -> __m512i = _mm512_xor_si512(a, b);
        and(a: __m512i, b: __m512i) -> __m512i = _mm512_and_si512(a, b);
        or(a: __m512i, b: __m512i) -> __m512i = _mm512_or_si512(a, b);
        carries(a: __m512i) -> __m512i = _mm512_srli_epi64::<52>(a);
        up(a: __m512i, below: __m512i) -> __m512i = _mm512_alignr_epi64::<7>(a, below);
        down(above: __m512i, a: __m512i) -> __m512i = _mm512_alignr_epi64::<1>(above, a);
        interleave_low(a: __m512i, b: __m512i) -> __m512i =
            _mm512_permutex2var_epi64(a, _mm512_set_epi64(11, 3, 10, 2, 9, 1, 8, 0), b);
        interleave_high(a: __m512i, b: __m512i) -> __m512i =
            _mm512_permutex2var_epi64(a, _mm512_set_epi64(15, 7, 14, 6, 13, 5, 12, 4), b);
        keep(mask: u8, a: __m512i) -> __m512i = _mm512_maskz_mov_epi64(mask, a);
        increment(mask: u8, a: __m512i) -> __m512i = _mm512_mask_sub_epi64(a, mask, a, _mm512_set1_epi64(-1));
        above(a: __m512i, b: __m512i) -> u8 = _mm512_cmpgt_epu64_mask(a, b);
        equal(a: __m512i, b: __m512i) -> u8 = _mm512_cmpeq_epi64_mask(a, b);
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
