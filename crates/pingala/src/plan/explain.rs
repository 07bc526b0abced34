//! The plan with what it was chosen from.

use super::planner::Run;
use super::problem::Part;
use super::{Plan, Problem};
use crate::algorithm::{Algorithm, ExpectedCost};
use crate::kernel::cpu;
use core::fmt;

/// One algorithm on one kernel, with its expected counts and price.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate<A = Algorithm> {
    /// As a plan line.
    pub plan: Plan<A>,
    /// Expected executed squarings, multiplications, products by the base, selections.
    pub cost: ExpectedCost,
    /// Expected seconds, set-up and conversions included.
    pub seconds: f64,
}

impl<A> From<Run<A>> for Candidate<A> {
    fn from(run: Run<A>) -> Self {
        Self { cost: run.cost, seconds: run.nanoseconds * 1e-9, plan: run.into() }
    }
}

/// The plan chosen for a problem, and for each of its parts every candidate, cheapest first. `Display` prints tables.
#[derive(Clone, Debug)]
pub struct Explanation<A = Algorithm> {
    /// What was asked, in a line.
    heading: String,
    plan: Plan<A>,
    parts: Vec<(String, Vec<Candidate<A>>)>,
    seconds: f64,
}

impl<A> Explanation<A> {
    /// The candidates of each part stand below the part's own heading.
    pub(crate) fn new(heading: String, plan: Plan<A>, parts: Vec<(String, Vec<Candidate<A>>)>, seconds: f64) -> Self {
        Self { heading, plan, parts, seconds }
    }

    /// The same, with more to say about what was asked.
    pub(crate) fn of(self, more: &str) -> Self {
        Self { heading: format!("{}{more}", self.heading), ..self }
    }

    /// The same for a list that is done by this tree in so many seconds.
    pub(crate) fn of_list(self, plan: Plan<A>, seconds: f64) -> Self {
        Self { plan, seconds, ..self }
    }

    /// The plan chosen.
    pub fn plan(&self) -> &Plan<A> {
        &self.plan
    }

    /// Expected seconds of the whole problem by this machine's prices.
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    /// For each part of the plan, in its order, the candidates, cheapest first.
    pub fn candidates(&self) -> impl Iterator<Item = &[Candidate<A>]> {
        self.parts.iter().map(|(_, candidates)| candidates.as_slice())
    }
}

/// A modulus in words.
pub(super) struct Divisor {
    pub(super) bits: u64,
    pub(super) trailing_zeros: u64,
    pub(super) known_factors: usize,
}

impl fmt::Display for Divisor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "modulus of {} bits", self.bits)?;
        match (self.trailing_zeros, self.bits - self.trailing_zeros) {
            (0, _) => {}
            (k, 1) => write!(f, " (2^{k})")?,
            (k, odd) => write!(f, " ({odd} odd bits times 2^{k})")?,
        }
        match self.known_factors {
            0 => Ok(()),
            factors => write!(f, ", {factors} known factors"),
        }
    }
}

impl Problem {
    /// What was asked, in a line.
    pub(super) fn heading(&self) -> String {
        let Problem { modulus_bits: bits, trailing_zeros, .. } = *self;
        let secret = if self.secret { "secret " } else { "" };
        let mut heading = format!(
            "{}, {secret}exponent of {} bits",
            Divisor { bits, trailing_zeros, known_factors: self.factors.len() },
            self.exponent_bits
        );
        if let Some(bits) = self.short_base_bits {
            heading += &format!(", base of {bits} bits");
        }
        if self.count > 1 {
            heading += &format!(", {} times", self.count);
        }
        heading
    }
}

impl Part {
    /// The heading above its candidates.
    pub(super) fn heading(&self) -> String {
        let kind = if self.odd { "odd modulus" } else { "power of two" };
        format!("{kind} of {} bits, exponent of {} bits", self.bits, self.exponent_bits)
    }
}

/// The candidates that are printed: every algorithm on its cheapest kernel, and the chosen one on every kernel. The rest is
/// counted.
fn shown<A: Clone + PartialEq>(candidates: &[Candidate<A>]) -> Vec<&Candidate<A>> {
    let algorithm = |candidate: &Candidate<A>| match &candidate.plan {
        Plan::Run { algorithm, .. } => Some(algorithm.clone()),
        _ => None,
    };
    let chosen = candidates.first().and_then(algorithm);
    let mut seen = Vec::new();
    let mut rows = Vec::new();
    for candidate in candidates {
        let this = algorithm(candidate);
        if this == chosen || !seen.contains(&this) {
            rows.push(candidate);
        }
        seen.push(this);
    }
    rows
}

impl<A: Clone + PartialEq + fmt::Display> fmt::Display for Explanation<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "problem   {}", self.heading)?;
        if let Ok(masked @ [_, ..]) = cpu::masked() {
            let names: Vec<&str> = masked.iter().map(|feature| feature.name()).collect();
            writeln!(f, "masked    {}", names.join(" "))?;
        }
        writeln!(f, "plan      {}", self.plan)?;
        writeln!(f, "estimate  {}", Seconds(self.seconds))?;
        for (heading, candidates) in &self.parts {
            writeln!(f, "\n{heading}")?;
            let rows = shown(candidates);
            let lines: Vec<String> = rows.iter().map(|candidate| candidate.plan.to_string()).collect();
            let width = lines.iter().map(String::len).max().unwrap_or(0).max("candidate".len());
            writeln!(
                f,
                "  {:width$}  {:>9}  {:>9}  {:>9}  {:>9}  {:>10}  {:>6}",
                "candidate", "squarings", "products", "by base", "selected", "time", "ratio"
            )?;
            let best = candidates.first().map_or(1.0, |candidate| candidate.seconds);
            for (line, candidate) in lines.iter().zip(&rows) {
                let cost = &candidate.cost;
                writeln!(
                    f,
                    "  {line:width$}  {:>9.1}  {:>9.1}  {:>9.1}  {:>9.1}  {:>10}  {:>6.3}",
                    cost.squarings,
                    cost.multiplications,
                    cost.base_multiplications,
                    cost.selections,
                    Seconds(candidate.seconds).to_string(),
                    candidate.seconds / best,
                )?;
            }
            if candidates.len() > rows.len() {
                writeln!(f, "  and {} of these algorithms on dearer kernels", candidates.len() - rows.len())?;
            }
        }
        Ok(())
    }
}

/// Seconds in the unit that leaves one to three digits before the point.
pub(super) struct Seconds(pub(super) f64);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (scale, unit) = match self.0 {
            s if s < 1e-6 => (1e9, "ns"),
            s if s < 1e-3 => (1e6, "us"),
            s if s < 1.0 => (1e3, "ms"),
            _ => (1.0, "s"),
        };
        write!(f, "{:.4} {unit}", self.0 * scale)
    }
}
