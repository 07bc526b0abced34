//! The one way from a secret to a branch: what stands here is public from then on, by a decision that
//! docs/constant-time.md lists.

#![cfg_attr(pingala_memcheck, allow(unsafe_code))]

/// A word that was computed from secrets and that anybody may know. In the constant-time gate's builds memcheck is told so.
#[inline]
pub(crate) fn released(word: u64) -> u64 {
    #[cfg_attr(not(pingala_memcheck), expect(unused_mut, reason = "valgrind marks it in place"))]
    let mut word = core::hint::black_box(word);
    #[cfg(all(pingala_memcheck, target_arch = "x86_64"))]
    {
        /// Valgrind's request MAKE_MEM_DEFINED, of the tool 'MC'.
        const MAKE_MEM_DEFINED: usize = (b'M' as usize) << 24 | (b'C' as usize) << 16 | 2;
        let block = [MAKE_MEM_DEFINED, core::ptr::from_mut(&mut word).expose_provenance(), size_of::<u64>(), 0, 0, 0];
        // SAFETY: the rotations of rdi add up to 128 places and rbx is exchanged with itself, so on a CPU only the flags
        // change; under valgrind the request reads `block`, which outlives it, and marks `word`.
        unsafe {
            core::arch::asm!(
                "rol rdi, 3", "rol rdi, 13", "rol rdi, 61", "rol rdi, 51", "xchg rbx, rbx",
                in("rax") block.as_ptr(), inout("rdx") 0usize => _, options(nostack),
            );
        }
    }
    word
}

/// The length of a number of at most `at_most_bits` bits, which becomes public, and nothing else of it.
pub(crate) fn released_bits(limbs: &[u64], at_most_bits: usize) -> usize {
    let is_top = |&bits: &usize| released(limbs[(bits - 1) / 64] >> ((bits - 1) % 64) & 1) == 1;
    (1..=at_most_bits).rev().find(is_top).unwrap_or(0)
}
