//! Tests of `once.rs`.

use super::*;

/// Who asks while it is being made waits for nobody, as a child of a fork would for ever: it makes its own, and what is there first stays.
#[test]
fn who_asks_meanwhile_makes_its_own() {
    let kept = OnceLock::new();
    let first = once(&kept, || {
        assert_eq!(once(&kept, || 2), &2);
        1
    });
    assert_eq!((first, once(&kept, || unreachable!())), (&2, &2));
}
