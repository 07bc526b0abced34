//! The operations on doubles as AVX2 and FMA instructions.

#![allow(unsafe_code)]

use super::compiled::FieldProgram;
use super::doubles::{AVX2_FMA, DoubleField, Four};
use crate::kernel::cpu;
use crate::kernel::vector::instructions;
use core::arch::x86_64::*;

/// A value proves that this CPU has AVX2 and FMA; only [`FourOnAvx2::new`] makes one.
#[derive(Clone, Copy, Debug)]
pub(super) struct FourOnAvx2(());

impl FourOnAvx2 {
    /// None if the CPU lacks something.
    pub(super) fn new() -> Option<Self> {
        AVX2_FMA.iter().all(|&feature| cpu::has(feature)).then_some(Self(()))
    }
}

#[target_feature(enable = "avx2,fma")]
fn run_with_fma(ops: FourOnAvx2, program: impl FieldProgram) {
    program.run(DoubleField(ops));
}

/// The bits of 2^52 and of 2^84.
const BITS_52: i64 = 0x4330_0000_0000_0000;
const BITS_84: i64 = 0x4530_0000_0000_0000;

impl Four for FourOnAvx2 {
    type Vector = __m256d;

    fn run(self, program: impl FieldProgram) {
        // SAFETY: a value of this type exists only if the CPU has the instructions.
        unsafe { run_with_fma(self, program) }
    }
    instructions! {
        splat(x: f64) -> __m256d = _mm256_set1_pd(x);
        add(a: __m256d, b: __m256d) -> __m256d = _mm256_add_pd(a, b);
        sub(a: __m256d, b: __m256d) -> __m256d = _mm256_sub_pd(a, b);
        mul(a: __m256d, b: __m256d) -> __m256d = _mm256_mul_pd(a, b);
        mul_sub(a: __m256d, b: __m256d, c: __m256d) -> __m256d = _mm256_fmsub_pd(a, b, c);
        sub_product(c: __m256d, a: __m256d, b: __m256d) -> __m256d = _mm256_fnmadd_pd(a, b, c);
        round(a: __m256d) -> __m256d = _mm256_round_pd::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(a);
        words(x: __m256d) -> __m256d = {
            let bits = _mm256_castsi256_pd(_mm256_set1_epi64x(BITS_52));
            _mm256_xor_pd(_mm256_add_pd(x, bits), bits)
        };
        // The half below the bits of 2^52 is 2^52 more, exactly; above those of 2^84 likewise.
        halves(words: __m256d) -> [__m256d; 2] = {
            let words = _mm256_castpd_si256(words);
            let (low, high) = (_mm256_set1_epi64x(BITS_52), _mm256_set1_epi64x(BITS_84));
            let bottom = _mm256_blend_epi32::<0b1010_1010>(words, low);
            let top = _mm256_or_si256(_mm256_srli_epi64::<32>(words), high);
            let [bottom, low] = [_mm256_castsi256_pd(bottom), _mm256_castsi256_pd(low)];
            let [top, high] = [_mm256_castsi256_pd(top), _mm256_castsi256_pd(high)];
            [_mm256_sub_pd(bottom, low), _mm256_sub_pd(top, high)]
        };
        transpose(x: [__m256d; 4]) -> [__m256d; 4] = {
            let [a, b, c, d] = x;
            let (ab0, ab1) = (_mm256_unpacklo_pd(a, b), _mm256_unpackhi_pd(a, b));
            let (cd0, cd1) = (_mm256_unpacklo_pd(c, d), _mm256_unpackhi_pd(c, d));
            [
                _mm256_permute2f128_pd::<0x20>(ab0, cd0),
                _mm256_permute2f128_pd::<0x20>(ab1, cd1),
                _mm256_permute2f128_pd::<0x31>(ab0, cd0),
                _mm256_permute2f128_pd::<0x31>(ab1, cd1),
            ]
        };
    }
}
