//! Calls for primes, proofs of squarings and accumulators that combine every kind of number with every setting, against an oracle of a few
//! lines. Those of powers and of lists of products are drawn in `crates/pingala/tests/suite/calls/`.
//!
//! A call is drawn only from its number. `PINGALA_CALL=NUMBER cargo test --release -p pingala-proofs --test calls one_call -- --nocapture`
//! repeats one.

#[path = "../common/mod.rs"]
#[allow(dead_code)]
mod common;
mod coverage;
mod draw;
mod file;
mod oracle;
mod perform;

use coverage::Coverage;
use draw::Draw;
use num_bigint::{BigInt, BigUint};
use std::collections::BTreeMap;
use std::fmt;
use std::panic::{catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// What is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Workload {
    IsPrime,
    IsPrimeList,
    IsPrimeWords,
    NextPrime,
    PreviousPrime,
    PrimesBetween,
    Jacobi,
    JacobiList,
    SqrtMod,
    SqrtModList,
    ProveSquaring,
    VerifySquaring,
    Accumulate,
    Witnesses,
    UpdateWitnesses,
    FailingWitnesses,
    VerifyWitnesses,
}

/// All of them.
const WORKLOADS: [Workload; 17] = {
    use Workload::*;
    [
        IsPrime,
        IsPrimeList,
        IsPrimeWords,
        NextPrime,
        PreviousPrime,
        PrimesBetween,
        Jacobi,
        JacobiList,
        SqrtMod,
        SqrtModList,
        ProveSquaring,
        VerifySquaring,
        Accumulate,
        Witnesses,
        UpdateWitnesses,
        FailingWitnesses,
        VerifyWitnesses,
    ]
};

impl Workload {
    /// Whether an element with an error leaves the others their answers.
    fn has_errors_of_elements(self) -> bool {
        self == Self::SqrtModList
    }

    /// Whether the cap of the call is that of exponents, and not of numbers.
    fn caps_exponents(self) -> bool {
        self >= Self::Accumulate
    }
}

/// How a call is run.
#[derive(Clone, Debug)]
struct Settings {
    kernel: Option<&'static str>,
    threads: usize,
    /// Longest number or exponent in bits.
    cap: Option<u64>,
    rounds: u32,
    /// Bytes for proofs and trees; none for the default.
    memory: Option<u64>,
    /// Polls before the call is stopped, 0 for a deadline that has passed; none for a call that runs to its end.
    stop_after: Option<usize>,
}

/// A modulus, or a number below in a symbol, with the factors that the drawing knows.
#[derive(Clone, Debug)]
struct DrawnModulus {
    value: BigUint,
    factors: Vec<(BigUint, u32)>,
    /// Whether the caller passes the factors.
    passed: bool,
}

/// What one answer is for.
#[derive(Clone, Debug, Default)]
struct Element {
    /// Which of the moduli.
    modulus: usize,
    /// Two arguments each; `file.rs` says which.
    pairs: Vec<(BigInt, BigInt)>,
    /// A square root that was drawn first.
    root: Option<BigUint>,
}

/// A call.
#[derive(Clone, Debug)]
struct Call {
    number: u64,
    workload: Workload,
    moduli: Vec<DrawnModulus>,
    elements: Vec<Element>,
    settings: Settings,
    /// What was drawn in each dimension.
    kinds: BTreeMap<&'static str, Vec<&'static str>>,
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PINGALA_CALL={} {:?} {:?} {:?}", self.number, self.workload, self.settings, self.kinds)?;
        for modulus in &self.moduli {
            write!(f, "; {:#x}", modulus.value)?;
            modulus.factors.iter().try_for_each(|(base, k)| write!(f, " {base:#x}^{k}"))?;
        }
        for (at, element) in self.elements.iter().enumerate() {
            write!(f, "; {at} mod #{}:", element.modulus)?;
            element.pairs.iter().try_for_each(|(a, b)| write!(f, " {a:#x},{b:#x}"))?;
        }
        Ok(())
    }
}

/// Most calls that a failed test prints.
const PRINTED: usize = 20;

/// Runs the calls of these numbers on two threads, and counts what they cover. Calls that differ from the oracle, and calls that panic, are
/// printed, and fail the test.
fn check(numbers: core::ops::Range<u64>) -> Coverage {
    let (next, wrong) = (AtomicU64::new(numbers.start), AtomicUsize::new(0));
    let work = || {
        let mut coverage = Coverage::default();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= numbers.end || wrong.load(Ordering::Relaxed) >= PRINTED {
                return coverage;
            }
            let call = Draw::call(number);
            match catch_unwind(|| perform::check(&call)) {
                Ok(compared) => coverage.count(&call, compared),
                Err(_) => {
                    wrong.fetch_add(1, Ordering::Relaxed);
                    println!("{call}");
                }
            }
        }
    };
    std::thread::scope(|scope| {
        let started: Vec<_> = (0..2).map(|_| scope.spawn(work)).collect();
        let mut all = Coverage::default();
        for one in started {
            all.add(one.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        let wrong = wrong.load(Ordering::Relaxed);
        assert_eq!(wrong, 0, "{wrong} calls of {} are wrong", numbers.end - numbers.start);
        all
    })
}

/// Calls in each run of the tests.
const CALLS: u64 = 20_000;

#[test]
fn every_pair_of_kinds_and_settings() {
    let coverage = check(0..CALLS);
    let missing = coverage.missing();
    assert!(missing.is_empty(), "no call has {missing:#?}");
    println!("{coverage}");
}

/// The call that the environment names.
#[test]
fn one_call() {
    let Ok(number) = std::env::var("PINGALA_CALL") else { return };
    let call = Draw::call(number.parse().expect("PINGALA_CALL is the number of a call"));
    println!("{call}");
    println!("{:?}", perform::check(&call));
}

/// Calls without an end, for as many seconds as `PINGALA_CALLS_SECONDS` says: `make -C hardening prime-calls`.
#[test]
fn without_an_end() {
    const IN_A_BATCH: u64 = 1000;
    let Ok(seconds) = std::env::var("PINGALA_CALLS_SECONDS") else { return };
    let seconds = seconds.parse().expect("PINGALA_CALLS_SECONDS is a number");
    let since_1970 = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("a time after 1970");
    let (started, mut first) = (std::time::Instant::now(), since_1970.as_nanos() as u64 >> 1);
    let mut all = Coverage::default();
    println!("from call {first} on");
    while started.elapsed().as_secs() < seconds {
        all.add(check(first..first + IN_A_BATCH));
        first += IN_A_BATCH;
    }
    println!("{all}");
}
