//! Client requests to valgrind, which the constant-time gate runs under: four rotations and an exchange that do nothing on a
//! CPU. They are in every build, so that the gate looks at the machine code that ships. Constants and the sequence are those
//! of valgrind.h and memcheck.h (BSD-style licence).
#![allow(unsafe_code)]

/// The request for the number of valgrinds that the program runs under: 0 on a CPU.
#[cfg(target_arch = "x86_64")]
const RUNNING_ON_VALGRIND: usize = 0x1001;
/// A request to memcheck: the letters MC, which name the tool, and 2.
const MAKE_MEM_DEFINED: usize = 0x4d43_0002;

/// Whether the program runs under valgrind.
#[cfg(target_arch = "x86_64")]
pub(crate) fn is_running() -> bool {
    // SAFETY: it reads no memory but the block.
    unsafe { request([RUNNING_ON_VALGRIND, 0, 0, 0, 0, 0]) != 0 }
}

/// Marks a word as defined for memcheck: branches and addresses may depend on it from here on.
#[inline]
pub(crate) fn make_public(word: &mut u64) {
    let at = core::ptr::from_mut(word).expose_provenance();
    // SAFETY: `word` is a unique reference to 8 bytes, and memcheck does not change the value.
    unsafe { request([MAKE_MEM_DEFINED, at, size_of::<u64>(), 0, 0, 0]) };
}

/// Sends valgrind a request with its arguments and returns the answer, 0 on a CPU.
///
/// # Safety
///
/// The memory that the request names must be valid for it.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline]
unsafe fn request(block: [usize; 6]) -> usize {
    let mut answer = 0;
    // SAFETY: the rotations of rdi add up to 128 places and rbx is exchanged with itself, so on a CPU only the flags change,
    // which asm! assumes anyway; under valgrind the request reads the block, which outlives it, and touches what it names.
    unsafe {
        core::arch::asm!(
            "rol rdi, 3", "rol rdi, 13", "rol rdi, 61", "rol rdi, 51", "xchg rbx, rbx",
            in("rax") block.as_ptr(), inout("rdx") answer, options(nostack),
        );
    }
    answer
}

/// Other processors have other sequences, and the gate runs on x86-64 only; Miri does not run assembly.
#[cfg(any(not(target_arch = "x86_64"), miri))]
unsafe fn request(_: [usize; 6]) -> usize {
    0
}
