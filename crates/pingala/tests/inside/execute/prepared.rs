//! Tests of `execute/prepared.rs`.

use super::*;
use crate::kernel::registry::forms;

/// As a child finds the lock that another thread of its parent held when it forked.
#[test]
fn a_held_lock_stops_nobody() {
    let modulus = Prepared::new(Facts::new(Natural::from(0xffff_ffff_ffff_ffc5u64)));
    let form = forms(true, 1).find(|form| form.kernel.has_arena()).unwrap();
    let held = modulus.kept().rings.0.write().unwrap();
    let own = modulus.ring(&form).unwrap();
    drop(held);
    let kept = modulus.ring(&form).unwrap();
    assert_eq!(own.words(), kept.words());
    let _held = modulus.kept().rings.0.read().unwrap();
    modulus.ring(&form).unwrap();
    assert_eq!(modulus.kept().rings.0.read().unwrap().len(), 1);
}
