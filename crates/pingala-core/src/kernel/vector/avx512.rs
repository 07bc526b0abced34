//! The vector operations as AVX-512 instructions with IFMA: eight lanes in one register.

#![allow(unsafe_code)]

use super::across::{LOWER_MARKS, Vectors};
use super::{AVX512, LANES, Task, VectorUnit};
use crate::kernel::cpu::has;
use core::arch::x86_64::*;

/// A value proves that this CPU has AVX-512F, BW and IFMA; only [`Avx512::detected`] makes one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512(());

impl Avx512 {
    /// The unit, if this CPU has it.
    pub(crate) fn detected() -> Option<Self> {
        AVX512.iter().all(|&feature| has(feature)).then_some(Self(()))
    }
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512ifma")]
fn task_with_features(unit: Avx512, task: impl Task) {
    task.run(unit);
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

/// All ones in the lanes in which a = b. Hidden from the compiler, which would otherwise load table entries under a mask, so that the words it
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
/// which takes several times longer (docs/records/thresholds.md).
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

/// Vector i of the result has quarter i of a, b, c and d, in this order.
///
/// # Safety
/// The CPU has avx512f.
#[inline(always)]
unsafe fn quarters(a: __m512i, b: __m512i, c: __m512i, d: __m512i) -> [__m512i; 4] {
    // SAFETY: by the caller.
    unsafe {
        let (ab_even, ab_odd) = (_mm512_shuffle_i64x2::<0x88>(a, b), _mm512_shuffle_i64x2::<0xdd>(a, b));
        let (cd_even, cd_odd) = (_mm512_shuffle_i64x2::<0x88>(c, d), _mm512_shuffle_i64x2::<0xdd>(c, d));
        [
            _mm512_shuffle_i64x2::<0x88>(ab_even, cd_even),
            _mm512_shuffle_i64x2::<0x88>(ab_odd, cd_odd),
            _mm512_shuffle_i64x2::<0xdd>(ab_even, cd_even),
            _mm512_shuffle_i64x2::<0xdd>(ab_odd, cd_odd),
        ]
    }
}

impl VectorUnit for Avx512 {
    type Vector = __m512i;

    #[inline(always)]
    fn run_task<T: Task>(self, task: T) {
        // SAFETY: a value of this type exists only if the CPU has the instructions.
        unsafe { task_with_features(self, task) }
    }
    /// Interleaves words of two rows, then quarters of vectors.
    #[inline(always)]
    fn transposed(self, rows: [&[u64; LANES]; LANES]) -> [__m512i; LANES] {
        // SAFETY: a value of this type exists only if the CPU has the instructions; a row has 64 bytes.
        unsafe {
            let row = |lane: usize| _mm512_loadu_si512(rows[lane].as_ptr().cast());
            let low = |lane: usize| _mm512_unpacklo_epi64(row(lane), row(lane + 1));
            let high = |lane: usize| _mm512_unpackhi_epi64(row(lane), row(lane + 1));
            let [v0, v2, v4, v6] = quarters(low(0), low(2), low(4), low(6));
            let [v1, v3, v5, v7] = quarters(high(0), high(2), high(4), high(6));
            [v0, v1, v2, v3, v4, v5, v6, v7]
        }
    }
    instructions! {
        splat(word: u64) -> __m512i = _mm512_set1_epi64(word.cast_signed());
        add(a: __m512i, b: __m512i) -> __m512i = _mm512_add_epi64(a, b);
        add_signed(a: __m512i, b: __m512i) -> __m512i = _mm512_add_epi64(a, b);
        sub_signed(a: __m512i, b: __m512i) -> __m512i = _mm512_sub_epi64(a, b);
        and(a: __m512i, b: __m512i) -> __m512i = _mm512_and_si512(a, b);
        carry(a: __m512i) -> __m512i = _mm512_srli_epi64::<52>(a);
        signed_carry(a: __m512i) -> __m512i = _mm512_srai_epi64::<52>(a);
        madd_low(sum: __m512i, a: __m512i, b: __m512i) -> __m512i = _mm512_madd52lo_epu64(sum, a, b);
        madd_high(sum: __m512i, a: __m512i, b: __m512i) -> __m512i = _mm512_madd52hi_epu64(sum, a, b);
        with_lane(value: __m512i, other: __m512i, lane: usize) -> __m512i =
            _mm512_mask_blend_epi64(1 << lane, value, other);
        select(sign: __m512i, if_negative: __m512i, otherwise: __m512i) -> __m512i = _mm512_mask_blend_epi64(
            _mm512_cmplt_epi64_mask(sign, _mm512_setzero_si512()), otherwise, if_negative);
    }
}

impl Vectors for Avx512 {
    type Lanes = __mmask8;
    type Marks = u64;

    instructions! {
        madd_low_modulo(sum: __m512i, a: __m512i, b: __m512i) -> __m512i = _mm512_madd52lo_epu64(sum, a, b);
        madd_low_lanes(lanes: __mmask8, sum: __m512i, a: __m512i, b: __m512i) -> __m512i =
            _mm512_mask_madd52lo_epu64(sum, lanes, a, b);
        madd_high_lanes(lanes: __mmask8, sum: __m512i, a: __m512i, b: __m512i) -> __m512i =
            _mm512_mask_madd52hi_epu64(sum, lanes, a, b);
        or(a: __m512i, b: __m512i) -> __m512i = _mm512_or_si512(a, b);
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
        lanes(mask: u8) -> __mmask8 = hidden_lanes(mask);
        lanes_where_equal(a: __m512i, b: __m512i) -> __m512i = hidden_equal(a, b);
        marks_down<AT: u32>(marks: u64) -> u64 = marks_right::<AT>(marks);
        lower_marks<G: usize>() -> u64 = known_marks(LOWER_MARKS >> (64 - 16 * G));
        shift_right_signed<AT: u32>(a: __m512i) -> __m512i = _mm512_srai_epi64::<AT>(a);
        shift_right<AT: u32>(a: __m512i) -> __m512i = _mm512_srli_epi64::<AT>(a);
        shift_left<AT: u32>(a: __m512i) -> __m512i = _mm512_slli_epi64::<AT>(a);
    }
    #[inline(always)]
    fn sum(self, a: __m512i) -> __m512i {
        // SAFETY: a value of this type exists only if the CPU has the instructions.
        unsafe {
            let a = _mm512_add_epi64(a, _mm512_shuffle_i64x2::<0x4e>(a, a));
            let a = _mm512_add_epi64(a, _mm512_shuffle_i64x2::<0xb1>(a, a));
            _mm512_add_epi64(a, _mm512_shuffle_epi32::<0x4e>(a))
        }
    }
}
