//! A table look-up that reads every entry, in vectors of 256 bits.
#![allow(unsafe_code)]

use crate::exponent::SecretDigit;
use crate::kernel::cpu::{self, Feature};
use crate::natural::linear::with_constant;
use core::arch::x86_64::{
    __m256i, _mm256_add_epi64, _mm256_and_si256, _mm256_cmpeq_epi64, _mm256_loadu_si256, _mm256_or_si256,
    _mm256_set1_epi64x, _mm256_setzero_si256, _mm256_storeu_si256,
};
use core::hint::black_box;

/// Words of a vector.
const LANES: usize = 4;
/// Vectors of an entry that are kept in registers at once.
const TILE: usize = 8;

/// Looks up in vectors; a value of this type proves that this CPU has AVX2.
#[derive(Clone, Copy, Debug)]
pub(super) struct VectorScan(());

impl VectorScan {
    pub(super) fn detected() -> Option<Self> {
        cpu::has(Feature::Avx2).then_some(Self(()))
    }

    /// [`Ring::scan_packed`](crate::kernel::Ring::scan_packed) for entries of a vector or more; otherwise false, and nothing is done.
    #[inline]
    pub(super) fn scan(self, out: &mut [u64], first: &[u64], rest: &[u64], digit: SecretDigit) -> bool {
        let words = out.len();
        if words < LANES {
            return false;
        }
        assert!(first.len() == words && rest.len().is_multiple_of(words), "entries of one length");
        let entries = PackedEntries { words, first: first.as_ptr(), rest: rest.as_ptr(), count: rest.len() / words };
        // SAFETY: `self` shows that the CPU has AVX2; `first` has `words` words, `rest` has `count` times `words` words, and `out`, an
        // exclusive borrow, is none of them and has `words` words.
        unsafe { entries.scan(out.as_mut_ptr(), digit) }
        true
    }
}

/// A first entry, and `count` others one after the other.
struct PackedEntries {
    /// Words of an entry, at least [`LANES`].
    words: usize,
    first: *const u64,
    rest: *const u64,
    count: usize,
}

impl PackedEntries {
    /// `out` = entry `digit`. All are read, by tiles of vectors that stay in registers; the digit is compared as a vector, so that an
    /// entry's mask never leaves the vector registers.
    ///
    /// SAFETY: the caller says that the entries have the words that they claim, and `out` the words of one entry, which are none of theirs.
    #[target_feature(enable = "avx2")]
    unsafe fn scan(&self, out: *mut u64, digit: SecretDigit) {
        // The compiler must not know that it is compared with the indices only.
        let digit = _mm256_set1_epi64x(black_box(digit.for_vectors()) as i64);
        let vectors = self.words.div_ceil(LANES);
        let mut at = 0;
        while at < vectors {
            let tile = (vectors - at).min(TILE);
            // SAFETY: the caller's word; `at + tile` vectors are no more than the entry has.
            unsafe {
                with_constant!(tile, V in [1 2 3 4 5 6 7], self.tile::<V>(out, at, digit), self.tile::<TILE>(out, at, digit));
            }
            at += tile;
        }
    }

    /// V vectors of the entry from vector `at` on. The last vector of an entry may begin in the one before it, so that none ends
    /// behind the entry.
    ///
    /// SAFETY: as [`PackedEntries::scan`], and `at + V` is at most the entry's words divided by [`LANES`], rounded up.
    #[target_feature(enable = "avx2")]
    #[inline]
    unsafe fn tile<const V: usize>(&self, out: *mut u64, at: usize, digit: __m256i) {
        let last = self.words - LANES;
        let offsets: [usize; V] = core::array::from_fn(|v| (LANES * (at + v)).min(last));
        let one = _mm256_set1_epi64x(1);
        let (mut kept, mut index) = ([_mm256_setzero_si256(); V], _mm256_setzero_si256());
        let mut entry = self.first;
        for next in 0..=self.count {
            let mask = _mm256_cmpeq_epi64(index, digit);
            index = _mm256_add_epi64(index, one);
            for (kept, offset) in kept.iter_mut().zip(offsets) {
                // SAFETY: `offset + LANES` is at most the words of an entry.
                let words = unsafe { _mm256_loadu_si256(entry.wrapping_add(offset).cast()) };
                *kept = _mm256_or_si256(*kept, _mm256_and_si256(words, mask));
            }
            entry = self.rest.wrapping_add(next * self.words);
        }
        for (kept, offset) in kept.into_iter().zip(offsets) {
            // SAFETY: as above, for the words at `out`.
            unsafe { _mm256_storeu_si256(out.wrapping_add(offset).cast(), kept) };
        }
    }
}
