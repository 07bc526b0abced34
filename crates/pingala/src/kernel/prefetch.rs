//! Asks for memory ahead of its use.

#![allow(unsafe_code)]

/// Bytes of a cache line.
const LINE_BYTES: usize = 64;

/// Has the lines of these words brought near, where the CPU can be asked; nobody waits for them.
#[inline]
pub(crate) fn prefetch<W>(words: &[W]) {
    #[cfg(target_arch = "x86_64")]
    for line in words.chunks(LINE_BYTES / size_of::<W>()) {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a hint about memory that the slice owns; SSE is part of the architecture.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(line.as_ptr().cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (words, LINE_BYTES);
}
