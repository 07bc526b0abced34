//! The floating-point environments that a host may have.

/// The environment that Rust expects: exceptions masked, rounding to nearest.
pub(in crate::kernel) const USUAL: u32 = 0x1f80;

/// The usual one first; rounding down, up, to zero; denormals flushed, as operands and as results; all exceptions unmasked; every flag set; all
/// at once.
pub(in crate::kernel) const ENVIRONMENTS: &[u32] = &[USUAL, 0x3f80, 0x5f80, 0x7f80, 0x9fc0, 0x0000, 0x1fbf, 0xe07f];

/// Calls `work` in a floating-point environment, and checks that it leaves it as it was.
#[cfg(target_arch = "x86_64")]
pub(in crate::kernel) fn within(environment: u32, work: impl FnOnce()) {
    use crate::kernel::exceptions::{mxcsr, set_mxcsr};
    if cfg!(miri) || environment == USUAL {
        return work();
    }
    set_mxcsr(environment);
    work();
    let after = mxcsr();
    set_mxcsr(USUAL);
    assert_eq!(after, environment, "MXCSR after a call");
}

#[cfg(not(target_arch = "x86_64"))]
pub(in crate::kernel) fn within(_environment: u32, work: impl FnOnce()) {
    work();
}
