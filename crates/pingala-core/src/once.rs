//! What a process computes once and keeps.

use std::sync::OnceLock;

/// Returns the kept value, which the first caller makes.
///
/// It is made before it is put there, by two threads perhaps: a fork meanwhile leaves the child a place that is empty, not one that
/// is being filled by a thread which the child does not have, and which it would wait for without an end.
#[inline]
pub(crate) fn once<T>(kept: &OnceLock<T>, make: impl FnOnce() -> T) -> &T {
    kept.get().unwrap_or_else(|| {
        let made = make();
        kept.get_or_init(|| made)
    })
}

#[cfg(test)]
#[path = "../tests/inside/once.rs"]
mod tests;
