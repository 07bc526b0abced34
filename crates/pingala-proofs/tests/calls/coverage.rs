//! Which pairs of kinds and settings the calls of a workload had together.

use super::draw::Draw;
use super::shared::{Calls, Compared, Counts};
use super::{Call, Value, Workload, perform};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Dimensions of single elements, which an empty list does not have.
const OF_ELEMENTS: [&str; 7] = ["number", "above", "below", "exponent", "width", "damage", "base"];

/// What was seen.
#[derive(Default)]
pub(super) struct Coverage {
    pairs: BTreeSet<(Workload, Value, Value)>,
    /// The values that each dimension of a workload can have.
    values: BTreeMap<Workload, BTreeSet<Value>>,
    counts: Counts,
}

impl Calls for Coverage {
    type Call = Call;

    fn draw(number: u64) -> Call {
        Draw::call(number)
    }

    fn compare(call: &Call) -> Compared {
        perform::check(call)
    }

    fn count(&mut self, call: &Call, compared: Compared) {
        self.counts.count(compared);
        for &one in &call.kinds {
            let others = call.kinds.iter().filter(|other| one.0 < other.0);
            self.pairs.extend(others.map(|&other| (call.workload, one, other)));
        }
        self.values.entry(call.workload).or_default().extend(&call.offered);
    }

    fn add(&mut self, other: Self) {
        self.pairs.extend(other.pairs);
        other.values.into_iter().for_each(|(workload, values)| self.values.entry(workload).or_default().extend(values));
        self.counts.add(&other.counts);
    }
}

impl Coverage {
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
    // A number of its own kind takes the place of any.
    let named = ("proved", "many twos");
    let excludes = |one: &Value, other: &Value| {
        *one == empty && OF_ELEMENTS.contains(&other.0) || *one == named && other.0 == "number"
    };
    !excludes(one, other) && !excludes(other, one)
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} pairs of {}", self.pairs.len(), self.counts)
    }
}
