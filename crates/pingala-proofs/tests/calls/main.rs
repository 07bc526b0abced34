//! Calls for primes, proofs of squarings and accumulators that combine every kind of number with every setting, against an oracle of a few
//! lines. Those of powers and of lists of products are drawn in `crates/pingala-core/tests/suite/calls/`.
//!
//! A call is drawn only from its number. `PINGALA_CALL=NUMBER cargo test --release -p pingala-proofs --test calls one_call -- --nocapture`
//! repeats one.

#[path = "../common/mod.rs"]
#[allow(dead_code)]
mod common;
mod conditions;
mod coverage;
mod draw;
mod file;
mod kinds;
mod oracle;
mod perform;
#[path = "../../../pingala-core/tests/suite/calls/shared.rs"]
mod shared;

use conditions::Conditions;
use coverage::Coverage;
use num_bigint::{BigInt, BigUint};
use shared::{Calls, check};
use std::collections::BTreeSet;
use std::fmt;

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
    Kronecker,
    SqrtMod,
    SqrtModList,
    SqrtModAll,
    RandomPrime,
    EstimatePrime,
    SecretPrime,
    PrimePair,
    Certify,
    CheckCertificate,
    ProveSquaring,
    VerifySquaring,
    Accumulate,
    Witnesses,
    UpdateWitnesses,
    FailingWitnesses,
    VerifyWitnesses,
}

/// All of them.
const WORKLOADS: [Workload; 25] = {
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
        Kronecker,
        SqrtMod,
        SqrtModList,
        SqrtModAll,
        RandomPrime,
        EstimatePrime,
        SecretPrime,
        PrimePair,
        Certify,
        CheckCertificate,
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

    /// Whether it is a symbol: the library has no cap for those, but every binding has.
    fn is_symbol(self) -> bool {
        matches!(self, Self::Jacobi | Self::JacobiList | Self::Kronecker)
    }

    /// Whether its results are not compared with one answer.
    fn has_conditions(self) -> bool {
        (Self::RandomPrime..=Self::CheckCertificate).contains(&self)
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
#[derive(Clone, Debug, Default)]
struct DrawnModulus {
    value: BigUint,
    factors: Vec<(BigUint, u32)>,
    /// Whether the caller passes the factors.
    passed: bool,
    /// Whether a symbol has the negative of it below.
    negative: bool,
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
    /// What primes are asked for, in place of elements.
    conditions: Option<Conditions>,
    /// What was drawn in each dimension.
    kinds: BTreeSet<Value>,
    /// What could have been.
    offered: BTreeSet<Value>,
}

/// A dimension and one of its values.
type Value = (&'static str, &'static str);

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PINGALA_CALL={} {:?} {:?} {:?}", self.number, self.workload, self.settings, self.kinds)?;
        for modulus in &self.moduli {
            write!(f, "; {:#x}", modulus.value)?;
            modulus.factors.iter().try_for_each(|(base, k)| write!(f, " {base:#x}^{k}"))?;
        }
        if let Some(conditions) = &self.conditions {
            write!(f, "; {conditions:?}")?;
        }
        for (at, element) in self.elements.iter().enumerate() {
            write!(f, "; {at} mod #{}:", element.modulus)?;
            element.pairs.iter().try_for_each(|(a, b)| write!(f, " {a:#x},{b:#x}"))?;
        }
        Ok(())
    }
}

/// Calls in each run of the tests.
const CALLS: u64 = 30_000;

#[test]
fn every_pair_of_kinds_and_settings() {
    let coverage: Coverage = check(0..CALLS, 2);
    let missing = coverage.missing();
    assert!(missing.is_empty(), "no call has {missing:#?}");
    println!("{coverage}");
}

/// The call that the environment names.
#[test]
fn one_call() {
    shared::one_call::<Coverage>();
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
        all.add(check(first..first + IN_A_BATCH, 2));
        first += IN_A_BATCH;
    }
    println!("{all}");
}
