//! Cache lines: their starts, and asking for them ahead of use.

#![allow(unsafe_code)]

/// Bytes of a cache line; the widest vectors have the same size.
const LINE_BYTES: usize = 64;

/// Spare words to allocate, so that a cache line starts within them wherever the allocation starts.
pub(crate) const fn spare<W>() -> usize {
    LINE_BYTES / size_of::<W>() - 1
}

/// The index of the first word of `room` at which a cache line starts; `room` has [`spare`] extra words.
#[inline]
pub(crate) fn first_word<W>(room: &[W]) -> usize {
    room.as_ptr().align_offset(LINE_BYTES).min(spare::<W>())
}

/// The words from the first start of a cache line on.
#[inline]
pub(crate) fn aligned<W>(room: &mut [W]) -> &mut [W] {
    let origin = first_word(room);
    &mut room[origin..]
}

/// Prefetches the cache lines of these words for writing, on CPUs with such an instruction: another core may hold them.
#[inline]
pub(crate) fn prefetch_for_writing<W>(words: &[W]) {
    #[cfg(target_arch = "x86_64")]
    for line in words.chunks(LINE_BYTES / size_of::<W>()) {
        // SAFETY: a hint about memory that the slice owns; a CPU without the instruction does nothing. (`_mm_prefetch`
        // compiles to the instruction for reading if the build does not know the CPU.)
        unsafe { core::arch::asm!("prefetchw [{}]", in(reg) line.as_ptr(), options(nostack, preserves_flags)) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (words, LINE_BYTES);
}

/// Prefetches the cache lines of these words, on CPUs with such an instruction, without waiting for them.
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

#[cfg(test)]
#[path = "../../tests/inside/kernel/cache_line.rs"]
mod tests;
