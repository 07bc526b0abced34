//! AVX-512 IFMA: eight lanes in one register.
#![allow(unsafe_code)]

use super::{LANES, Lanes, Place, Task, VectorUnit};
use crate::kernel::cpu::{Feature, has};
use core::arch::x86_64::*;
use core::cell::Cell;

/// A CPU with AVX-512 F and IFMA. Only [`Avx512::detected`] makes a value: a value proves that the CPU has the
/// instructions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512(());

impl Avx512 {
    /// The unit, if this CPU has it.
    pub(crate) fn detected() -> Option<Self> {
        (has(Feature::Avx512f) && has(Feature::Avx512ifma)).then_some(Self(()))
    }
}

#[target_feature(enable = "avx512f,avx512ifma")]
#[inline(never)]
fn with_features<T: Task>(unit: Avx512, task: T) {
    task.run(unit);
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
    fn run<T: Task>(self, task: T) {
        // SAFETY: `self` exists, so `detected` has seen both features.
        unsafe { with_features(self, task) }
    }

    #[inline(always)]
    fn splat(self, word: u64) -> __m512i {
        // SAFETY: `self` exists, so `detected` has seen avx512f.
        unsafe { _mm512_set1_epi64(word as i64) }
    }

    #[inline(always)]
    fn load(self, from: &impl Place) -> __m512i {
        // SAFETY: avx512f as above; `Place::address` is readable while `from` is borrowed, and `Lanes` is aligned to 64.
        unsafe { _mm512_load_si512(from.address().cast()) }
    }

    #[inline(always)]
    fn store(self, to: &Cell<Lanes>, value: __m512i) {
        // SAFETY: avx512f as above; a cell is writable through its shared reference, and `Lanes` is aligned to 64.
        unsafe { _mm512_store_si512(to.as_ptr().cast(), value) }
    }

    #[inline(always)]
    fn store_words(self, to: &[Cell<u64>; LANES], value: __m512i) {
        // SAFETY: avx512f as above; eight cells are writable through their shared reference, 64 bytes of any alignment.
        unsafe { _mm512_storeu_si512(to.as_ptr().cast_mut().cast(), value) }
    }

    /// Interleaves words of two rows, then quarters of vectors.
    #[inline(always)]
    fn transposed(self, rows: [&[u64; LANES]; LANES]) -> [__m512i; LANES] {
        // SAFETY: avx512f as above; a row has 64 bytes.
        unsafe {
            let row = |lane: usize| _mm512_loadu_si512(rows[lane].as_ptr().cast());
            let (r0, r1, r2, r3) = (row(0), row(1), row(2), row(3));
            let (r4, r5, r6, r7) = (row(4), row(5), row(6), row(7));
            let [v0, v2, v4, v6] = quarters(
                _mm512_unpacklo_epi64(r0, r1),
                _mm512_unpacklo_epi64(r2, r3),
                _mm512_unpacklo_epi64(r4, r5),
                _mm512_unpacklo_epi64(r6, r7),
            );
            let [v1, v3, v5, v7] = quarters(
                _mm512_unpackhi_epi64(r0, r1),
                _mm512_unpackhi_epi64(r2, r3),
                _mm512_unpackhi_epi64(r4, r5),
                _mm512_unpackhi_epi64(r6, r7),
            );
            [v0, v1, v2, v3, v4, v5, v6, v7]
        }
    }

    #[inline(always)]
    fn add(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: avx512f as above.
        unsafe { _mm512_add_epi64(a, b) }
    }

    #[inline(always)]
    fn sub(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: avx512f as above.
        unsafe { _mm512_sub_epi64(a, b) }
    }

    #[inline(always)]
    fn and(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: avx512f as above.
        unsafe { _mm512_and_si512(a, b) }
    }

    #[inline(always)]
    fn carry(self, a: __m512i) -> __m512i {
        // SAFETY: avx512f as above.
        unsafe { _mm512_srli_epi64::<52>(a) }
    }

    #[inline(always)]
    fn signed_carry(self, a: __m512i) -> __m512i {
        // SAFETY: avx512f as above.
        unsafe { _mm512_srai_epi64::<52>(a) }
    }

    #[inline(always)]
    fn madd_lo(self, sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: `self` exists, so `detected` has seen avx512ifma.
        unsafe { _mm512_madd52lo_epu64(sum, a, b) }
    }

    #[inline(always)]
    fn madd_hi(self, sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: `self` exists, so `detected` has seen avx512ifma.
        unsafe { _mm512_madd52hi_epu64(sum, a, b) }
    }

    #[inline(always)]
    fn with_lane(self, value: __m512i, from: &impl Place, lane: usize) -> __m512i {
        // SAFETY: avx512f as above.
        unsafe { _mm512_mask_blend_epi64(1 << lane, value, self.load(from)) }
    }

    #[inline(always)]
    fn with_word(self, value: __m512i, from: &u64, lane: usize) -> __m512i {
        // SAFETY: avx512f as above.
        unsafe { _mm512_mask_set1_epi64(value, 1 << lane, *from as i64) }
    }

    #[inline(always)]
    fn select(self, sign: __m512i, if_negative: __m512i, otherwise: __m512i) -> __m512i {
        // SAFETY: avx512f as above.
        unsafe {
            let negative = _mm512_cmplt_epi64_mask(sign, _mm512_setzero_si512());
            _mm512_mask_blend_epi64(negative, otherwise, if_negative)
        }
    }
}
