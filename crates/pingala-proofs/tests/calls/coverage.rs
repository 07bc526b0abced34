//! Which pairs of kinds and settings the calls of a workload had together.

use super::perform::Compared;
use super::{Call, Workload};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// A dimension and one of its values.
type Value = (&'static str, &'static str);

/// Dimensions of single elements, which an empty list does not have.
const OF_ELEMENTS: [&str; 7] = ["number", "above", "below", "exponent", "width", "damage", "base"];

/// What was seen.
#[derive(Default)]
pub(super) struct Coverage {
    pairs: BTreeSet<(Workload, Value, Value)>,
    /// The values of each dimension of a workload.
    values: BTreeMap<Workload, BTreeSet<Value>>,
    calls: u64,
    answers: u64,
    misfits: u64,
    interrupted: u64,
}

impl Coverage {
    pub(super) fn count(&mut self, call: &Call, compared: Compared) {
        self.calls += 1;
        match compared {
            Compared::Answers(count) => self.answers += count as u64,
            Compared::Misfit => self.misfits += 1,
            Compared::Interrupted => self.interrupted += 1,
        }
        let had = call.kinds.iter().flat_map(|(&name, values)| values.iter().map(move |&value| (name, value)));
        let had: BTreeSet<Value> = had.collect();
        for &one in &had {
            self.pairs.extend(had.iter().filter(|other| one.0 < other.0).map(|&other| (call.workload, one, other)));
        }
        self.values.entry(call.workload).or_default().extend(had);
    }

    pub(super) fn add(&mut self, other: Self) {
        self.pairs.extend(other.pairs);
        other.values.into_iter().for_each(|(workload, values)| self.values.entry(workload).or_default().extend(values));
        self.calls += other.calls;
        self.answers += other.answers;
        self.misfits += other.misfits;
        self.interrupted += other.interrupted;
    }

    /// The workloads and pairs that no call had, though calls can have them.
    pub(super) fn missing(&self) -> Vec<(Workload, Value, Value)> {
        let never = |workload| (workload, ("workload", ""), ("workload", ""));
        let seen = |workload: &Workload| self.values.contains_key(workload);
        let mut missing: Vec<_> = super::WORKLOADS.into_iter().filter(|one| !seen(one)).map(never).collect();
        for (&workload, values) in &self.values {
            for one in values {
                let others = values.iter().filter(|other| one.0 < other.0 && possible(one, other));
                missing.extend(others.map(|&other| (workload, *one, other)).filter(|pair| !self.pairs.contains(pair)));
            }
        }
        missing
    }
}

/// Whether a call can have both.
fn possible(one: &Value, other: &Value) -> bool {
    let empty = ("count", "0");
    !(*one == empty && OF_ELEMENTS.contains(&other.0) || *other == empty && OF_ELEMENTS.contains(&one.0))
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { calls, answers, misfits, interrupted, .. } = self;
        let pairs = self.pairs.len();
        write!(f, "{calls} calls, {pairs} pairs: {answers} answers compared, ")?;
        write!(f, "{misfits} calls on a kernel that does not fit, {interrupted} interrupted")
    }
}
