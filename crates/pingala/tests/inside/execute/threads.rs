//! Tests of `execute/threads.rs`.

use crate::{Integer, Modulus, Natural, Options};
use core::cell::Cell;
use core::num::NonZeroUsize;

thread_local! {
    /// How many threads this one may still start: a system at its limit.
    static LEFT: Cell<usize> = const { Cell::new(usize::MAX) };
}

pub(super) fn may_start() -> bool {
    LEFT.replace(LEFT.get().saturating_sub(1)) > 0
}

#[test]
fn work_is_done_by_the_threads_that_there_are() {
    let modulus = Modulus::new(
        (1..=32).fold(Natural::from(1u64), |m, _| Natural::from_limbs(&[&[0x9e37_79b9_7f4a_7c15], m.limbs()].concat())),
    );
    let modulus = modulus.unwrap();
    let exponents: Vec<Integer> =
        (0..40u64).map(|at| Natural::from_limbs(&[[at | 1 << 60; 31].as_slice(), &[7]].concat()).into()).collect();
    let base = Integer::from(3u64);
    let one_by_one: Vec<_> = exponents.iter().map(|exponent| modulus.pow(&base, exponent)).collect();
    // Each power for itself, and one thread that squares for the others.
    for line in [None, Some("shared_squarings(w=4)")] {
        for (left, threads) in [(0, 2), (0, 4), (1, 2), (1, 4), (2, 4), (3, 4)] {
            let options = Options { threads: NonZeroUsize::new(threads), plan: line, ..Options::default() };
            LEFT.set(left);
            let powers = modulus.pow_exp_list(&base, &exponents, &options);
            LEFT.set(usize::MAX);
            assert_eq!(powers.unwrap(), one_by_one, "{left} more threads, of {threads}");
        }
    }
}
