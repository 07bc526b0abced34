//! AVX-512 IFMA: eight lanes in one register.
#![allow(unsafe_code)]

use super::{Lanes, Place, Task, VectorUnit};
use crate::kernel::cpu::{Feature, has};
use core::arch::x86_64::*;
use core::cell::Cell;

/// A CPU with AVX-512 F and IFMA. Its one maker is [`Avx512::detected`], so that whoever holds a value may use the
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
