//! Tests of `engine/execute/secret.rs`: what secret powers are computed from, which their results do not show.

use crate::exponent::{Digits, SecretExponent};
use crate::natural::{Natural, chores, euclid};
use crate::{Modulus, Options, SecretFactor};
use core::cell::RefCell;
use core::num::NonZeroUsize;

/// Base and exponent of one run.
#[derive(Clone, Debug, PartialEq)]
struct Run {
    base: Natural,
    exponent: Natural,
    exponent_bits: usize,
}

thread_local! {
    /// The runs of this thread, while it records.
    static RUNS: RefCell<Option<Vec<Run>>> = const { RefCell::new(None) };
}

pub(super) fn record(base: &[u64], exponent: Option<&SecretExponent>) {
    RUNS.with_borrow_mut(|runs| {
        let (Some(runs), Some(exponent)) = (runs, exponent) else { return };
        let exponent_bits = exponent.bits();
        let digit = |at: usize| exponent.digit(at, (exponent_bits - at).min(16) as u32).for_vectors() << (at % 64);
        let mut limbs = vec![0; exponent_bits.div_ceil(64)];
        (0..exponent_bits).step_by(16).for_each(|at| limbs[at / 64] |= digit(at));
        runs.push(Run { base: Natural::from_limbs(base), exponent: Natural::from_limbs(&limbs), exponent_bits });
    });
}

/// The public exponent of [`Key`].
const E: u64 = 65537;

/// What `work` computes from a secret exponent: without the powers by e, and by 1, of the check and of the blinding.
fn runs_during<T>(work: impl FnOnce() -> T) -> (T, Vec<Run>) {
    RUNS.set(Some(Vec::new()));
    let done = work();
    let runs = RUNS.take().unwrap();
    (done, runs.into_iter().filter(|run| run.exponent_bits as u64 > Natural::from(E).bits()).collect())
}

/// Numbers of a private key: (2^127 - 1) (2^89 - 1).
struct Key {
    p: Natural,
    q: Natural,
    n: Natural,
    e: Natural,
    d: Natural,
}

impl Key {
    fn new() -> Self {
        let (p, q) = (u128::MAX >> 1, u128::MAX >> 39);
        let order = chores::mul(&Natural::from(p - 1), &Natural::from(q - 1));
        let (p, q, e) = (Natural::from(p), Natural::from(q), Natural::from(E));
        Self {
            n: chores::mul(&p, &q),
            d: euclid::inverse(&e, &order, crate::natural::testing::plain()).unwrap().unwrap(),
            p,
            q,
            e,
        }
    }

    fn exponent(&self) -> SecretExponent {
        SecretExponent::new(&self.d, Some(220)).unwrap()
    }

    fn plain(&self) -> Modulus {
        Modulus::new(self.n.clone()).unwrap()
    }

    fn with_factors(&self) -> Modulus {
        Modulus::with_factors(self.n.clone(), &[(self.p.clone(), 1), (self.q.clone(), 1)]).unwrap()
    }

    fn with_secret_factors(&self) -> Modulus {
        let factors = [&self.p, &self.q].map(|p| SecretFactor::new(p, 1).unwrap());
        Modulus::with_secret_factors(self.n.clone(), &factors, &Options::default()).unwrap()
    }
}

fn all_different<T: PartialEq>(values: &[T]) -> bool {
    values.iter().enumerate().all(|(at, value)| !values[..at].contains(value))
}

fn all_equal<T: PartialEq>(values: &[T]) -> bool {
    values.windows(2).all(|pair| pair[0] == pair[1])
}

/// Each power has exponents of its own modulo prime factors, and with a public exponent a base of its own; without blinding, or
/// without factors, all have the same. One by one, and in a list.
#[test]
fn each_power_has_another_exponent_and_base() {
    let key = Key::new();
    let base = Natural::from(0x1234_5678_9abc_def0u64);
    let bytes = 0x1234_5678_9abc_def0u64.to_be_bytes();
    let want = key.plain().pow(&base.clone().into(), &key.d.clone().into()).unwrap();
    let count = 6;
    for (modulus, halves) in [(key.plain(), 1), (key.with_factors(), 2), (key.with_secret_factors(), 2)] {
        // The first draws the prime of the check, which takes powers of its own.
        modulus.pow_sec(&base.clone().into(), &key.exponent(), &Options::default()).unwrap();
        for (checked, blinding) in [(false, false), (false, true), (true, false), (true, true)] {
            let options = Options::default().with_blinding(blinding).with_threads(NonZeroUsize::new(1));
            let options = options.with_public_exponent(checked.then_some(&key.e));
            let (_, mut runs) = runs_during(|| {
                for _ in 0..count {
                    assert_eq!(modulus.pow_sec(&base.clone().into(), &key.exponent(), &options).as_ref(), Ok(&want));
                }
            });
            let width = key.n.bits().div_ceil(8) as usize;
            let mut out = vec![0; count * width];
            let (failed, of_list) =
                runs_during(|| modulus.pow_sec_list(&vec![&bytes[..]; count], &[key.exponent()], &mut out, &options));
            assert!(failed.unwrap().is_empty());
            runs.extend(of_list);
            let case = format!("{halves} halves, checked: {checked}, blinding: {blinding}");
            assert_eq!(runs.len(), 2 * count * halves, "{case}");
            for half in 0..halves {
                let of_half = || runs.iter().skip(half).step_by(halves);
                let bases: Vec<_> = of_half().map(|run| &run.base).collect();
                let exponents: Vec<_> = of_half().map(|run| &run.exponent).collect();
                if blinding && halves > 1 {
                    assert!(all_different(&exponents), "{case}");
                } else {
                    assert!(all_equal(&exponents), "{case}");
                }
                if blinding && checked && halves > 1 {
                    assert!(all_different(&bases), "{case}");
                    assert!(!bases.contains(&&base), "{case}");
                } else {
                    assert!(bases.iter().all(|used| **used == base), "{case}");
                }
            }
        }
    }
}

/// Both go on at the same time with the modulus that the parent has used: results are right in both, and no base and no exponent of
/// one is used by the other, as both would be if the child took the parent's blinding pair.
#[cfg(all(target_os = "linux", not(miri)))]
#[test]
fn a_child_of_a_fork_has_other_exponents_and_bases() {
    use crate::natural::Integer;
    use std::io::{Read, Write};

    let key = Key::new();
    let base = Integer::from(77u64);
    let want = key.plain().pow(&base, &key.d.clone().into()).unwrap();
    let options = Options::default().with_public_exponent(Some(&key.e));
    // Results, bases and exponents as text. Nothing here panics.
    let powers = |modulus: &Modulus| {
        let (results, runs) = runs_during(|| {
            (0..3).map(|_| modulus.pow_sec(&base, &key.exponent(), &options)).collect::<Result<Vec<_>, _>>()
        });
        let right = results.is_ok_and(|results| results.iter().all(|result| *result == want));
        let numbers = runs.iter().map(|run| format!("{} {}\n", run.base, run.exponent));
        (right, numbers.collect::<Vec<_>>())
    };
    // A modulus without known factors leaves both exponents unreduced.
    for modulus in [key.with_factors(), key.with_secret_factors()] {
        let (right, before) = powers(&modulus);
        assert!(right);
        let (mut from_child, mut to_parent) = std::io::pipe().unwrap();
        // SAFETY: this thread is the only one of the child. It works with what the library promises to work after a fork, ends without
        // output to the harness, and is ended by the alarm if it hangs.
        #[allow(unsafe_code)]
        let child = unsafe { libc::fork() };
        assert!(child >= 0, "no fork");
        if child == 0 {
            // SAFETY: as above; neither touches memory.
            #[allow(unsafe_code)]
            unsafe {
                libc::alarm(600);
            }
            let (right, lines) = powers(&modulus);
            let told = to_parent.write_all(lines.concat().as_bytes()).is_ok();
            // SAFETY: as above.
            #[allow(unsafe_code)]
            unsafe {
                libc::_exit(i32::from(!(right && told)))
            }
        }
        drop(to_parent);
        let (right, own) = powers(&modulus);
        let mut of_child = String::new();
        from_child.read_to_string(&mut of_child).unwrap();
        let mut status = 0;
        // SAFETY: the child is this test's own, and `status` is a place for its end.
        #[allow(unsafe_code)]
        let ended = unsafe { libc::waitpid(child, &mut status, 0) };
        assert_eq!((ended, status), (child, 0), "the child's results are wrong, or it did not end");
        assert!(right, "the parent's results are wrong");
        assert_eq!(of_child.lines().count(), own.len());
        let numbers = |lines: &str, column: usize| -> Vec<String> {
            lines.lines().map(|line| line.split(' ').nth(column).unwrap().into()).collect()
        };
        let (before, own) = (before.concat(), own.concat());
        for column in 0..2 {
            for of_parent in [&before, &own].map(|lines| numbers(lines, column)) {
                for number in numbers(&of_child, column) {
                    assert!(!of_parent.contains(&number), "column {column}: {number} of parent and child");
                }
            }
        }
    }
}
