//! The plan with what it was chosen from.

use super::planner::Run;
use super::problem::Part;
use super::{Plan, Problem};
use crate::algorithm::ExpectedCost;
use core::fmt;

/// One algorithm on one kernel, with its expected counts and price.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// As a plan line.
    pub plan: Plan,
    /// Expected executed squarings, multiplications, products by the base, selections.
    pub cost: ExpectedCost,
    /// Expected seconds, set-up and conversions included.
    pub seconds: f64,
}

impl From<Run> for Candidate {
    fn from(run: Run) -> Self {
        Self { cost: run.cost, seconds: run.nanoseconds * 1e-9, plan: run.into() }
    }
}

/// The plan chosen for a problem, and for each of its parts every candidate, cheapest first. `Display` prints tables.
#[derive(Clone, Debug)]
pub struct Explanation {
    problem: Problem,
    plan: Plan,
    parts: Vec<(Part, Vec<Candidate>)>,
    seconds: f64,
}

impl Explanation {
    pub(crate) fn new(problem: Problem, plan: Plan, parts: Vec<(Part, Vec<Candidate>)>, seconds: f64) -> Self {
        Self { problem, plan, parts, seconds }
    }

    /// The plan chosen.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Expected seconds of the whole problem by this machine's prices.
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    /// For each part of the plan, in its order, the candidates, cheapest first.
    pub fn candidates(&self) -> impl Iterator<Item = &[Candidate]> {
        self.parts.iter().map(|(_, candidates)| candidates.as_slice())
    }
}

/// The candidates that are printed: every algorithm on its cheapest kernel, and the chosen one on every kernel. The rest is
/// counted.
fn shown(candidates: &[Candidate]) -> Vec<&Candidate> {
    let algorithm = |candidate: &Candidate| match &candidate.plan {
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

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let problem = &self.problem;
        write!(f, "problem   modulus of {} bits", problem.modulus_bits)?;
        match (problem.trailing_zeros, problem.odd_bits()) {
            (0, _) => {}
            (k, 1) => write!(f, " (2^{k})")?,
            (k, odd) => write!(f, " ({odd} odd bits times 2^{k})")?,
        }
        if !problem.factors.is_empty() {
            write!(f, ", {} known factors", problem.factors.len())?;
        }
        let secret = if problem.secret { "secret " } else { "" };
        write!(f, ", {secret}exponent of {} bits", problem.exponent_bits)?;
        if let Some(bits) = problem.short_base_bits {
            write!(f, ", base of {bits} bits")?;
        }
        if problem.count > 1 {
            write!(f, ", {} times", problem.count)?;
        }
        writeln!(f, "\nplan      {}", self.plan)?;
        writeln!(f, "estimate  {}", Seconds(self.seconds))?;
        for (part, candidates) in &self.parts {
            let kind = if part.odd { "odd modulus" } else { "power of two" };
            writeln!(f, "\n{kind} of {} bits, exponent of {} bits", part.bits, part.exponent_bits)?;
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
