//! Tests of `engine/execute/prepared.rs`.

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

/// The inverse of the odd part is kept from the second call on, if it is long and another call may come.
#[test]
fn a_long_inverse_of_the_odd_part_is_kept() {
    let even = |zeros: usize| Natural::from_limbs(&[vec![0; zeros / 64], vec![5 << (zeros % 64), 1]].concat());
    for (zeros, keeps, long) in
        [(10, true, false), (64, true, false), (65, true, true), (130, true, true), (130, false, true)]
    {
        let mut modulus = Prepared::passing(even(zeros));
        assert_eq!(modulus.facts().trailing_zeros(), zeros as u64);
        assert_eq!(modulus.kept_odd_inverse(), None, "{zeros} zeros, nothing to be kept");
        if keeps {
            modulus.keep();
        }
        assert_eq!(modulus.kept_odd_inverse(), None, "{zeros} zeros, the first call");
        let kept = modulus.kept_odd_inverse().map(<[u64]>::len);
        assert_eq!(kept, (keeps && long).then(|| zeros.div_ceil(64)), "{zeros} zeros");
    }
}
