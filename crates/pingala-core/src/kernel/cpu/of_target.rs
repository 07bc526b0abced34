//! What every CPU of the target has. Without the standard library nothing asks the CPU: a program that is compiled for more of them has more.

use super::{Feature, reports};

#[cfg(target_arch = "x86_64")]
macro_rules! reports_bit {
    ($name:tt) => {
        cfg!(target_feature = $name)
    };
}
#[cfg(target_arch = "x86_64")]
pub(super) use reports_bit;

/// Whether every CPU of the target has `feature`.
pub fn has(feature: Feature) -> bool {
    reports(feature)
}

/// Such CPUs are not told apart.
pub(crate) fn splits_256_bit_vectors() -> bool {
    false
}
