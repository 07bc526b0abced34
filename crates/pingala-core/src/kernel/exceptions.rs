//! The floating-point environment: the host's exceptions and rounding must not reach a kernel, and it must not see the kernel's.
#![allow(unsafe_code)]

use core::arch::asm;

/// The bits of MXCSR that mask the six exceptions.
const MASKS: u32 = 0x1f80;

/// The bits of MXCSR that choose a rounding mode.
const ROUNDING: u32 = 0x6000;

/// The modes that kernels need.
pub(super) const TO_NEAREST: u32 = 0;
pub(super) const TOWARD_ZERO: u32 = 0x6000;

/// While it lives, floating-point instructions of this thread round in one mode and do not trap; the treatment of denormals stays the
/// host's. When it is dropped, MXCSR is as it was, with the flags of exceptions that the host had seen, and no others.
///
/// Most hosts mask all exceptions, round to nearest and have seen an inexact result: for a kernel that rounds so the register is only read then.
#[derive(Debug)]
pub(super) struct KernelEnvironment {
    host: u32,
}

impl KernelEnvironment {
    #[inline]
    pub(super) fn new(rounding: u32) -> Self {
        let host = mxcsr();
        if host & (MASKS | ROUNDING) != MASKS | rounding {
            set_mxcsr(host & !ROUNDING | MASKS | rounding);
        }
        Self { host }
    }
}

impl Drop for KernelEnvironment {
    #[inline]
    fn drop(&mut self) {
        if mxcsr() != self.host {
            set_mxcsr(self.host);
        }
    }
}

/// Whether a fused multiply-add rounds toward zero when the register says so. The CPU must have the instruction. Emulators may round to nearest.
pub(super) fn rounds_toward_zero() -> bool {
    let _environment = KernelEnvironment::new(TOWARD_ZERO);
    // Three quarters of the unit of the last place, 2^52, more than a sum: the rest is cut, or the sum is rounded up.
    const SUM: f64 = (3u128 << 103) as f64;
    let mut sum = SUM;
    // Not pure: it must stay behind the change of the register. SAFETY: the CPU has the instruction.
    unsafe {
        asm!("vfmadd231sd {sum}, {x}, {y}", sum = inout(xmm_reg) sum, x = in(xmm_reg) 3.0f64, y = in(xmm_reg) (1u64 << 50) as f64,
            options(nomem, nostack, preserves_flags));
    }
    sum.to_bits() == SUM.to_bits()
}

/// The register.
#[inline]
pub(super) fn mxcsr() -> u32 {
    let mut word = 0u32;
    // SAFETY: every x86-64 has the instruction, which stores four bytes.
    unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut word, options(nostack, preserves_flags)) }
    word
}

/// Sets the register to a value that it had before, or to one that differs in masks, rounding or the treatment of denormals.
#[inline]
pub(super) fn set_mxcsr(word: u32) {
    // SAFETY: every x86-64 has the instruction, which loads four bytes; reserved bits are as the processor left them.
    unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const word, options(nostack, preserves_flags, readonly)) }
}
