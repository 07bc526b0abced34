//! Tests of `once.rs`.

use super::*;

/// A thread that asks while the value is being made does not wait, as a child of a fork
/// would wait for ever: it makes its own; the first one stays.
#[test]
fn who_asks_meanwhile_makes_its_own() {
    let kept = OnceLock::new();
    let first = once(&kept, || {
        assert_eq!(once(&kept, || 2), &2);
        1
    });
    assert_eq!((first, once(&kept, || unreachable!())), (&2, &2));
}
