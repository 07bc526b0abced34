//! Asks for memory ahead of its use.

#![allow(unsafe_code)]

/// Bytes of a cache line.
const LINE_BYTES: usize = 64;

/// Has the lines of these words brought near for writing, where the CPU can be asked: another core may have them.
#[inline]
pub(crate) fn prefetch_for_writing<W>(words: &[W]) {
    #[cfg(target_arch = "x86_64")]
    for line in words.chunks(LINE_BYTES / size_of::<W>()) {
        // SAFETY: a hint about memory that the slice owns; a CPU without the instruction does nothing. (`_mm_prefetch` gives
        // the instruction for reading where the build does not know the CPU.)
        unsafe { core::arch::asm!("prefetchw [{}]", in(reg) line.as_ptr(), options(nostack, preserves_flags)) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (words, LINE_BYTES);
}

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
