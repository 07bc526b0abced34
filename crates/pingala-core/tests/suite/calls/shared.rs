//! What the generators of calls share: the one of this crate, and that of `crates/pingala-proofs/tests/calls/`.

use core::fmt::{self, Debug, Display};
use core::ops::Range;
use num_bigint::BigUint;
use pingala_core::{Natural, Watch};
use std::panic::{catch_unwind, resume_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// What became of a call.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Compared {
    /// So many answers agree.
    Answers(usize),
    /// The forced kernel does not fit.
    Misfit,
    /// It was stopped.
    Interrupted,
}

/// How many calls were made, and what became of them.
#[derive(Default)]
pub(crate) struct Counts {
    calls: u64,
    /// Answers that were compared with the oracle, and calls that ended otherwise.
    pub(crate) answers: u64,
    misfits: u64,
    interrupted: u64,
}

impl Counts {
    pub(crate) fn count(&mut self, compared: Compared) {
        self.calls += 1;
        match compared {
            Compared::Answers(count) => self.answers += count as u64,
            Compared::Misfit => self.misfits += 1,
            Compared::Interrupted => self.interrupted += 1,
        }
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.calls += other.calls;
        self.answers += other.answers;
        self.misfits += other.misfits;
        self.interrupted += other.interrupted;
    }
}

impl Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { calls, answers, misfits, interrupted } = self;
        write!(f, "{calls} calls: {answers} answers compared, ")?;
        write!(f, "{misfits} calls on a kernel that does not fit, {interrupted} interrupted")
    }
}

/// A kind of calls, each drawn from its number alone, and what was seen of them.
pub(crate) trait Calls: Default + Send {
    type Call: Display;

    fn draw(number: u64) -> Self::Call;

    /// Makes the call. A difference from the oracle is a panic.
    fn compare(call: &Self::Call) -> Compared;

    fn count(&mut self, call: &Self::Call, compared: Compared);

    fn add(&mut self, other: Self);
}

/// Most calls that a failed test prints.
const PRINTED: usize = 20;

/// Makes the calls of these numbers on `threads` threads. Calls that differ from the oracle, and calls that panic, are printed, and fail the
/// test.
pub(crate) fn check<C: Calls>(numbers: Range<u64>, threads: usize) -> C {
    let (next, wrong) = (AtomicU64::new(numbers.start), AtomicUsize::new(0));
    let work = || {
        let mut seen = C::default();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= numbers.end || wrong.load(Ordering::Relaxed) >= PRINTED {
                return seen;
            }
            let call = C::draw(number);
            match catch_unwind(core::panic::AssertUnwindSafe(|| C::compare(&call))) {
                Ok(compared) => seen.count(&call, compared),
                Err(_) => {
                    wrong.fetch_add(1, Ordering::Relaxed);
                    println!("{call}");
                }
            }
        }
    };
    std::thread::scope(|scope| {
        let started: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let mut all = C::default();
        for one in started {
            all.add(one.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        let wrong = wrong.load(Ordering::Relaxed);
        assert_eq!(wrong, 0, "{wrong} calls of {} are wrong", numbers.end - numbers.start);
        all
    })
}

/// Makes the call that the environment names.
pub(crate) fn one_call<C: Calls>() {
    let Ok(number) = std::env::var("PINGALA_CALL") else { return };
    let call = C::draw(number.parse().expect("PINGALA_CALL is the number of a call"));
    println!("{call}");
    println!("{:?}", C::compare(&call));
}

/// Says stop after some polls, and from then on.
pub(crate) struct StopAfter(pub(crate) AtomicUsize);

impl Watch for StopAfter {
    fn stop(&self) -> bool {
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_err()
    }
}

pub(crate) fn natural(value: &BigUint) -> Natural {
    Natural::from_limbs(&value.to_u64_digits())
}

pub(crate) fn big(value: &Natural) -> BigUint {
    BigUint::from_bytes_le(&value.to_le_bytes())
}

/// The name of a workload in a file of calls.
pub(crate) fn name(workload: impl Debug) -> String {
    let mut name = String::new();
    for (at, letter) in format!("{workload:?}").chars().enumerate() {
        if letter.is_uppercase() && at > 0 {
            name.push('_');
        }
        name.extend(letter.to_lowercase());
    }
    name
}

/// The time-out of a call in a file of calls: it stops as one that was polled so often.
pub(crate) fn timeout(stop_after: Option<usize>) -> &'static str {
    match stop_after {
        None => "none",
        Some(0..10) => "past",
        Some(_) => "long",
    }
}

/// A list in a file of calls.
pub(crate) fn joined(texts: impl Iterator<Item = String>) -> String {
    let all: Vec<String> = texts.collect();
    if all.is_empty() { "-".into() } else { all.join(";") }
}

/// The text of a file of calls: a line for each of the first `each` calls of each workload that has one.
pub(crate) fn lines<C: Calls, W: PartialEq>(
    header: &str,
    workloads: &[W],
    each: usize,
    of: impl Fn(&C::Call) -> W,
    line: impl Fn(&C::Call) -> Option<String>,
) -> String {
    let each = std::env::var("PINGALA_EACH").map_or(each, |each| each.parse().expect("PINGALA_EACH is a number"));
    let mut lines: Vec<Vec<String>> = workloads.iter().map(|_| Vec::new()).collect();
    for number in 0.. {
        let call = C::draw(number);
        let Some(at) = workloads.iter().position(|workload| *workload == of(&call)) else { continue };
        if lines[at].len() < each {
            lines[at].extend(line(&call));
        }
        if lines.iter().all(|lines| lines.len() == each) {
            break;
        }
    }
    let mut text = format!("{header}\n");
    lines.iter().flatten().for_each(|line| text += &format!("{line}\n"));
    text
}

/// Compares a file of calls with its text. `PINGALA_WRITE=1` writes it, `PINGALA_WRITE=FOLDER` another one there, and `PINGALA_EACH=NUMBER` makes
/// it longer: for a comparison of more calls in all bindings.
pub(crate) fn is_current(path: &Path, text: &str) {
    match std::env::var_os("PINGALA_WRITE") {
        None => {}
        Some(one) if one == "1" => std::fs::write(path, text).expect("the file of calls"),
        Some(folder) => {
            let path = Path::new(&folder).join(path.file_name().expect("a file"));
            return std::fs::write(path, text).expect("a file of more calls");
        }
    }
    let there = std::fs::read_to_string(path).unwrap_or_default();
    assert!(there == text, "{} is not what the calls are: write it again with PINGALA_WRITE=1", path.display());
}
