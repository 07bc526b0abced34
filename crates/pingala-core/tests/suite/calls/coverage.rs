//! Which pairs of kinds and settings the calls had together.

use super::draw::{BASES, COUNTS, Draw, EXPONENTS, MODULI};
use super::shared::{Calls, Compared, Counts};
use super::{Call, Mode, Shape, WORKLOADS, Workload, perform};
use pingala_core::kernels::KERNELS;
use std::collections::BTreeSet;
use std::fmt;

/// A dimension and one of its values.
type Value = (&'static str, String);

/// What was seen.
#[derive(Default)]
pub(super) struct Coverage {
    pairs: BTreeSet<(Value, Value)>,
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
        let values = values_of(call);
        for (at, one) in values.iter().enumerate() {
            for other in values[at + 1..].iter().filter(|other| other.0 != one.0) {
                let pair = if one < other { (one.clone(), other.clone()) } else { (other.clone(), one.clone()) };
                self.pairs.insert(pair);
            }
        }
    }

    fn add(&mut self, other: Self) {
        self.pairs.extend(other.pairs);
        self.counts.add(&other.counts);
    }
}

impl Coverage {
    /// Answers that agree with the oracle.
    pub(super) fn answers(&self) -> u64 {
        self.counts.answers
    }

    /// The pairs that no call had, though calls can have them.
    pub(super) fn missing(&self) -> Vec<(Value, Value)> {
        let all = all_values();
        let mut missing = Vec::new();
        for (at, one) in all.iter().enumerate() {
            for other in all[at + 1..].iter().filter(|other| other.0 != one.0) {
                let pair = if one < other { (one.clone(), other.clone()) } else { (other.clone(), one.clone()) };
                if possible(one, other) && possible(other, one) && !self.pairs.contains(&pair) {
                    missing.push(pair);
                }
            }
        }
        missing
    }
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} pairs of {}", self.pairs.len(), self.counts)
    }
}

fn name(workload: Workload) -> String {
    format!("{workload:?}")
}

/// The values that a call has; several of a dimension where its elements differ.
fn values_of(call: &Call) -> Vec<Value> {
    let settings = &call.settings;
    let mut values = vec![
        ("workload", name(call.workload)),
        ("kernel", settings.kernel.unwrap_or("planned").to_string()),
        ("mode", format!("{:?}", settings.mode)),
        ("threads", settings.threads.to_string()),
        ("cap", (settings.exponent_cap < 1000).to_string()),
    ];
    if call.workload.is_secret() {
        values.push(("blinded", settings.blinded.to_string()));
    }
    if call.workload.shape() != Shape::One {
        values.push(("count", call.count.to_string()));
    }
    values.extend(call.moduli.iter().map(|modulus| ("modulus", MODULI[modulus.kind].to_string())));
    for (_, _, base, exponent) in call.elements.iter().flat_map(|element| &element.powers) {
        values.push(("base", BASES[*base].to_string()));
        values.push(("exponent", EXPONENTS[*exponent].to_string()));
    }
    values.sort();
    values.dedup();
    values
}

fn all_values() -> Vec<Value> {
    let mut values: Vec<Value> = Vec::new();
    let mut all = |dimension, names: Vec<String>| values.extend(names.into_iter().map(|name| (dimension, name)));
    let texts = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
    all("workload", WORKLOADS.iter().map(|&workload| name(workload)).collect());
    let kernels = KERNELS.iter().filter(|entry| entry.available()).map(|entry| entry.name.to_string());
    all("kernel", core::iter::once("planned".into()).chain(kernels).collect());
    all("mode", [Mode::Planned, Mode::ByItsLine, Mode::Cancelled].map(|mode| format!("{mode:?}")).to_vec());
    all("threads", texts(&["1", "2", "3"]));
    all("cap", texts(&["false", "true"]));
    all("blinded", texts(&["false", "true"]));
    all("count", COUNTS.iter().map(|count| count.to_string()).collect());
    all("modulus", texts(&MODULI));
    all("base", texts(&BASES));
    all("exponent", texts(&EXPONENTS));
    values
}

/// Whether calls can have both: what a workload does not take, and an empty list, which has no numbers.
fn possible(one: &Value, other: &Value) -> bool {
    let workload = WORKLOADS.iter().copied().find(|&workload| one.0 == "workload" && name(workload) == one.1);
    let Some(workload) = workload else {
        return !(one.0 == "count" && one.1 == "0" && matches!(other.0, "base" | "exponent")) && {
            // Only public powers have negative exponents.
            !(one.0 == "blinded" && other.0 == "exponent" && matches!(&*other.1, "minus one" | "negative"))
        };
    };
    let at = |names: &[&str]| names.iter().position(|name| *name == other.1).unwrap_or(0);
    match other.0 {
        "modulus" => workload.takes_modulus(at(&MODULI)),
        "exponent" => workload.takes_exponent(at(&EXPONENTS)),
        "kernel" => workload.takes_a_kernel() || other.1 == "planned",
        "count" => workload.shape() != Shape::One,
        "blinded" => workload.is_secret(),
        "cap" => workload.has_a_cap() || other.1 == "false",
        _ => true,
    }
}
