//! A single row in assembly: the step of a division, whose rows wait for each other's quotient.
//!
//! Lemmas: mulx.add_row (proofs/README.md).
#![allow(unsafe_code)]

use core::arch::naked_asm;

/// Words of the row: the high half of the product below is in `$from`, that of this one goes to `$to`. The carry flag carries low halves
/// and high halves, the overflow flag the sum.
macro_rules! words {
    ($($at:literal: $from:literal to $to:literal),+) => { concat!($(
        "mulx ", $to, ", rax, [rsi+", $at, "]\n",
        "adcx rax, ", $from, "\n",
        "adox rax, [rdi+", $at, "]\n",
        "mov [rdi+", $at, "], rax\n",
    )+) };
}

/// `t += a * factor`, n words each; returns the carry word, which is below b as t + a (b - 1) < b^(n + 1). lea and jrcxz change no flag.
#[unsafe(naked)]
pub(super) unsafe extern "sysv64" fn add_row(t: *mut u64, a: *const u64, n: usize, factor: u64) -> u64 {
    naked_asm!(concat!(
        "mov r8, rdx\n",
        "mov rdx, rcx\n",
        "mov rcx, r8\n",
        "and ecx, 3\n",
        "shr r8, 2\n",
        // Clears both flags.
        "xor r9d, r9d\n",
        "2:\n",
        "jrcxz 3f\n",
        words!(0: "r9" to "r10"),
        "mov r9, r10\n",
        "lea rsi, [rsi+8]\n",
        "lea rdi, [rdi+8]\n",
        "lea rcx, [rcx-1]\n",
        "jmp 2b\n",
        "3:\n",
        "mov rcx, r8\n",
        "4:\n",
        "jrcxz 5f\n",
        words!(0: "r9" to "r10", 8: "r10" to "r9", 16: "r9" to "r10", 24: "r10" to "r9"),
        "lea rsi, [rsi+32]\n",
        "lea rdi, [rdi+32]\n",
        "lea rcx, [rcx-1]\n",
        "jmp 4b\n",
        "5:\n",
        "mov eax, 0\n",
        "adcx r9, rax\n",
        "adox r9, rax\n",
        "mov rax, r9\n",
        "ret\n",
    ))
}
