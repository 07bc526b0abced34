//! The final subtraction in assembly.
//!
//! Lemmas: mulx.subtract_once (proofs/README.md).
#![allow(unsafe_code)]

use core::arch::naked_asm;

/// Computes words of `value - m` with the carry flag, or selects words: those of `value` if the zero flag is clear.
macro_rules! subtract {
    ($($at:literal)+) => { concat!($(
        "mov r9, [rsi+8*rax+", $at, "]\n",
        "sbb r9, [rdx+8*rax+", $at, "]\n",
        "mov [rdi+8*rax+", $at, "], r9\n",
    )+) };
}
macro_rules! choose {
    ($($at:literal)+) => { concat!($(
        "mov r10, [rdi+8*rax+", $at, "]\n",
        "cmovnz r10, [rsi+8*rax+", $at, "]\n",
        "mov [rdi+8*rax+", $at, "], r10\n",
    )+) };
}

/// `out = value - m` if that is not negative, otherwise `value`, where value = `value + overflow b^n` is below 2m, n words each;
/// it always computes both; `out` is not `value`. It loads word by word: a load of two words would wait for both stores.
#[unsafe(naked)]
pub(super) unsafe extern "sysv64" fn subtract_once(
    out: *mut u64,
    value: *const u64,
    m: *const u64,
    n: usize,
    overflow: u64,
) {
    naked_asm!(concat!(
        "mov r11, rcx\n",
        "shr r11, 2\n",
        "and ecx, 3\n",
        "xor eax, eax\n",
        "2:\n",
        "jrcxz 3f\n",
        subtract!(0),
        "lea rax, [rax+1]\n",
        "lea rcx, [rcx-1]\n",
        "jmp 2b\n",
        "3:\n",
        "mov rcx, r11\n",
        "4:\n",
        "jrcxz 5f\n",
        subtract!(0 8 16 24),
        "lea rax, [rax+4]\n",
        "lea rcx, [rcx-1]\n",
        "jmp 4b\n",
        // The borrow without the overflow, as a mask.
        "5:\n",
        "sbb rcx, rcx\n",
        "add rcx, r8\n",
        "6:\n",
        "sub rax, 4\n",
        "jc 7f\n",
        "test rcx, rcx\n",
        choose!(0 8 16 24),
        "jmp 6b\n",
        "7:\n",
        "add rax, 4\n",
        "8:\n",
        "sub rax, 1\n",
        "jc 9f\n",
        "test rcx, rcx\n",
        choose!(0),
        "jmp 8b\n",
        "9:\n",
        "ret\n",
    ))
}
