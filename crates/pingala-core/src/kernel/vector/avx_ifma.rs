//! The 52-bit multiply-add on 256-bit vectors: four lanes in one register, so that every text runs twice.
//!
//! A text keeps twenty sums at work; these CPUs have sixteen registers of four lanes. Both halves of the eight lanes at a time would
//! keep most sums in memory. As lanes never meet, the text runs whole on the lower four, then whole on the upper four.
//!
//! The multiply-add exists in two encodings, one for CPUs without AVX-512 (AVX-IFMA) and one for those with it (AVX-512
//! VL, IFMA), which bring sixteen registers more. All else is AVX2.
#![allow(unsafe_code)]

use super::{LANES, Task, VectorUnit};
use crate::kernel::cpu::{Feature, has};
use core::arch::x86_64::*;
use core::fmt::Debug;

/// Lanes of one register.
const HALF: usize = LANES / 2;

/// The encoding of the multiply-add. A value of the type proves that this CPU has it, and AVX2.
pub(crate) trait Encoding: Copy + Debug + Send + Sync + 'static {
    /// Runs `task` on four lanes with the instructions inlined.
    fn run_half<T: Task>(unit: Half<Self>, task: T);
    fn madd_low(self, sum: __m256i, a: __m256i, b: __m256i) -> __m256i;
    fn madd_high(self, sum: __m256i, a: __m256i, b: __m256i) -> __m256i;
}

/// The four lanes from `first`, which is 0 or 4. It is a run-time value, because as a constant it would have every text compiled
/// twice. [`VectorUnit::run_task`] of either half runs the task on both halves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Half<E> {
    encoding: E,
    first: usize,
}

/// An encoding: the features that it needs, as the CPU and as the compiler names them, and its instructions.
macro_rules! encoding {
    ($(#[$attribute:meta])* $encoding:ident $detected:ident $run:ident [$($feature:ident)+] $features:literal $low:ident $high:ident) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct $encoding(());

        $(#[$attribute])*
        impl Half<$encoding> {
            /// The unit, if this CPU has it.
            pub(crate) fn $detected() -> Option<Self> {
                [$(Feature::$feature),+].into_iter().all(has).then_some(Self { encoding: $encoding(()), first: 0 })
            }
        }

        $(#[$attribute])*
        #[target_feature(enable = $features)]
        #[inline(never)]
        fn $run<T: Task>(unit: Half<$encoding>, task: T) {
            task.run(unit);
        }

        $(#[$attribute])*
        impl Encoding for $encoding {
            #[inline(always)]
            fn run_half<T: Task>(unit: Half<Self>, task: T) {
                // SAFETY: `unit` exists, so the CPU has the features.
                unsafe { $run(unit, task) }
            }
            instructions! {
                madd_low(sum: __m256i, a: __m256i, b: __m256i) -> __m256i = $low(sum, a, b);
                madd_high(sum: __m256i, a: __m256i, b: __m256i) -> __m256i = $high(sum, a, b);
            }
        }
    };
}

encoding! {
    /// The encoding of AVX-IFMA.
    Vex of_avx_ifma with_vex [Avx2 AvxIfma] "avx2,avxifma" _mm256_madd52lo_avx_epu64 _mm256_madd52hi_avx_epu64
}
encoding! {
    /// The encoding of AVX-512 VL, for tests: CPUs that have it also have vectors of twice the length, which are quicker.
    #[cfg(test)]
    Evex of_avx512 with_evex [Avx2 Avx512f Avx512vl Avx512ifma] "avx2,avx512f,avx512vl,avx512ifma"
    _mm256_madd52lo_epu64 _mm256_madd52hi_epu64
}

impl<E: Encoding> Half<E> {
    /// Vector i has the words of four rows in column i of their lower half, 0, or upper half, 1.
    #[inline(always)]
    fn transposed_half(self, rows: [&[u64; LANES]; HALF], half: usize) -> [__m256i; HALF] {
        // SAFETY: `self` exists, so the CPU has avx2; a row has 64 bytes, two vectors.
        unsafe {
            let row = |lane: usize| _mm256_loadu_si256(rows[lane].as_ptr().cast::<__m256i>().add(half));
            let (r0, r1, r2, r3) = (row(0), row(1), row(2), row(3));
            let (low_even, low_odd) = (_mm256_unpacklo_epi64(r0, r1), _mm256_unpackhi_epi64(r0, r1));
            let (high_even, high_odd) = (_mm256_unpacklo_epi64(r2, r3), _mm256_unpackhi_epi64(r2, r3));
            [
                _mm256_permute2x128_si256::<0x20>(low_even, high_even),
                _mm256_permute2x128_si256::<0x20>(low_odd, high_odd),
                _mm256_permute2x128_si256::<0x31>(low_even, high_even),
                _mm256_permute2x128_si256::<0x31>(low_odd, high_odd),
            ]
        }
    }
}

impl<E: Encoding> VectorUnit for Half<E> {
    type Vector = __m256i;

    #[inline(always)]
    fn run_task<T: Task>(self, task: T) {
        E::run_half(Self { first: 0, ..self }, task);
        E::run_half(Self { first: HALF, ..self }, task);
    }

    #[inline(always)]
    unsafe fn load(self, from: *const u64) -> __m256i {
        debug_assert!(self.first == 0 || self.first == HALF);
        // SAFETY: the caller says that eight words may be read, and each half of them is a vector; `self` exists, so the CPU has avx2.
        unsafe { _mm256_loadu_si256(from.cast::<__m256i>().add(self.first / HALF)) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u64, value: __m256i) {
        debug_assert!(self.first == 0 || self.first == HALF);
        // SAFETY: the caller says that eight words may be written, and each half of them is a vector; `self` exists, so the CPU has avx2.
        unsafe { _mm256_storeu_si256(to.cast::<__m256i>().add(self.first / HALF), value) }
    }

    /// The rows of these four lanes.
    #[inline(always)]
    fn transposed(self, rows: [&[u64; LANES]; LANES]) -> [__m256i; LANES] {
        let rows = [rows[self.first], rows[self.first + 1], rows[self.first + 2], rows[self.first + 3]];
        let ([v0, v1, v2, v3], [v4, v5, v6, v7]) = (self.transposed_half(rows, 0), self.transposed_half(rows, 1));
        [v0, v1, v2, v3, v4, v5, v6, v7]
    }

    instructions! {
        splat(word: u64) -> __m256i = _mm256_set1_epi64x(word.cast_signed());
        add(a: __m256i, b: __m256i) -> __m256i = _mm256_add_epi64(a, b);
        add_signed(a: __m256i, b: __m256i) -> __m256i = _mm256_add_epi64(a, b);
        sub_signed(a: __m256i, b: __m256i) -> __m256i = _mm256_sub_epi64(a, b);
        and(a: __m256i, b: __m256i) -> __m256i = _mm256_and_si256(a, b);
        carry(a: __m256i) -> __m256i = _mm256_srli_epi64::<52>(a);
        // AVX2 has no arithmetic shift of 64-bit words: the sign is put into the 52 upper bits separately.
        signed_carry(a: __m256i) -> __m256i = {
            let sign = _mm256_cmpgt_epi64(_mm256_setzero_si256(), a);
            _mm256_or_si256(_mm256_srli_epi64::<52>(a), _mm256_slli_epi64::<12>(sign))
        };
        select(sign: __m256i, if_negative: __m256i, otherwise: __m256i) -> __m256i = {
            let [sign, if_negative, otherwise] = [sign, if_negative, otherwise].map(|a| _mm256_castsi256_pd(a));
            _mm256_castpd_si256(_mm256_blendv_pd(otherwise, if_negative, sign))
        };
    }

    #[inline(always)]
    fn madd_low(self, sum: __m256i, a: __m256i, b: __m256i) -> __m256i {
        self.encoding.madd_low(sum, a, b)
    }

    #[inline(always)]
    fn madd_high(self, sum: __m256i, a: __m256i, b: __m256i) -> __m256i {
        self.encoding.madd_high(sum, a, b)
    }

    /// Lanes of the other half do not change.
    #[inline(always)]
    fn with_lane(self, value: __m256i, other: __m256i, lane: usize) -> __m256i {
        if lane / HALF != self.first / HALF {
            return value;
        }
        // SAFETY: `self` exists, so the CPU has avx2.
        unsafe {
            match lane % HALF {
                0 => _mm256_blend_epi32::<0b0000_0011>(value, other),
                1 => _mm256_blend_epi32::<0b0000_1100>(value, other),
                2 => _mm256_blend_epi32::<0b0011_0000>(value, other),
                _ => _mm256_blend_epi32::<0b1100_0000>(value, other),
            }
        }
    }
}
