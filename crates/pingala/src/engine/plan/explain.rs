//! The plan with its candidates.

use super::planner::Run;
use super::problem::Part;
use super::summary::{self, Row, Summary};
use super::{Plan, Problem};
use crate::algorithm::{Algorithm, ExpectedCost};
use crate::exponent::order;
use crate::kernel::registry::Form;
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

/// One part of a problem: its choice and its candidates.
#[derive(Clone, Debug)]
pub(crate) struct ExplainedPart<A> {
    heading: String,
    /// Cheapest first.
    candidates: Vec<Candidate<A>>,
    /// The place of the chosen one.
    chosen: usize,
}

impl<A: PartialEq> ExplainedPart<A> {
    /// `runs` holds the chosen one.
    pub(crate) fn new(heading: String, mut runs: Vec<Run<A>>, (algorithm, form): (&A, &Form)) -> Self {
        order::sort(&mut runs, |a, b| a.nanoseconds.total_cmp(&b.nanoseconds));
        let chosen = runs.iter().position(|run| run.algorithm == *algorithm && run.form == *form).unwrap_or(0);
        Self { heading, candidates: runs.into_iter().map(Candidate::from).collect(), chosen }
    }
}

/// The basis of a choice: prices, masked features, forced plan.
#[derive(Clone, Debug)]
pub(crate) struct ExplanationBasis {
    /// Whether a kernel or a line was forced.
    pub(crate) forced: bool,
    /// Which prices.
    pub(crate) prices: String,
    /// Sources of prices that were found and not used, with the reason.
    pub(crate) notes: Vec<String>,
}

/// The plan chosen for a problem, and for each of its parts every candidate, cheapest first. `Display` prints the [`Summary`].
#[derive(Clone, Debug)]
pub struct Explanation<A = Algorithm> {
    /// The problem, in one line.
    heading: String,
    plan: Plan<A>,
    parts: Vec<ExplainedPart<A>>,
    seconds: f64,
    basis: ExplanationBasis,
}

impl<A> Explanation<A> {
    pub(crate) fn new(
        heading: String,
        plan: Plan<A>,
        parts: Vec<ExplainedPart<A>>,
        nanoseconds: f64,
        basis: ExplanationBasis,
    ) -> Self {
        Self { heading, plan, parts, seconds: nanoseconds * 1e-9, basis }
    }

    /// Adds to the description of the problem.
    pub(crate) fn of(self, more: &str) -> Self {
        Self { heading: format!("{}{more}", self.heading), ..self }
    }

    /// Gives it the tree and the time of a list, in seconds.
    pub(crate) fn of_list(self, plan: Plan<A>, seconds: f64) -> Self {
        Self { plan, seconds, ..self }
    }

    /// The explanation of a choice that the caller forced, or did not, whatever the line that the planner got.
    pub(crate) fn by_force(mut self, forced: bool) -> Self {
        self.basis.forced = forced;
        self
    }

    /// Keeps these candidates only; the chosen ones are among them.
    pub(crate) fn only(mut self, fits: impl Fn(&Plan<A>) -> bool) -> Self {
        for part in &mut self.parts {
            part.chosen = part.candidates[..part.chosen].iter().filter(|candidate| fits(&candidate.plan)).count();
            part.candidates.retain(|candidate| fits(&candidate.plan));
        }
        self
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
        self.parts.iter().map(|part| part.candidates.as_slice())
    }

    /// The problem, in one line.
    pub(crate) fn heading(&self) -> &str {
        &self.heading
    }

    pub(crate) fn basis(&self) -> &ExplanationBasis {
        &self.basis
    }
}

impl<A: fmt::Display> Explanation<A> {
    /// The explanation as figures and text.
    pub fn summary(&self) -> Summary {
        Summary::new(&self.basis, self.heading.clone(), self.plan.to_string(), (self.seconds, None), self.rows(), None)
    }

    /// The candidates of each part as rows.
    pub(crate) fn rows(&self) -> Vec<summary::SummaryPart> {
        let part = |part: &ExplainedPart<A>| {
            let chosen = part.candidates.get(part.chosen).map_or(1.0, |candidate| candidate.seconds);
            let rows = part.candidates.iter().enumerate().map(|(index, candidate)| {
                let line = candidate.plan.to_string();
                let ratio = candidate.seconds / chosen;
                Row::new(&line, (&candidate.cost, candidate.seconds, ratio), index == part.chosen)
            });
            summary::SummaryPart::new(part.heading.clone(), rows.collect())
        };
        self.parts.iter().map(part).collect()
    }
}

/// A modulus in words.
pub(crate) struct Divisor {
    pub(crate) bits: u64,
    pub(crate) trailing_zeros: u64,
    pub(crate) known_factors: usize,
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
    /// The problem, in one line.
    pub(crate) fn heading(&self) -> String {
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
    pub(crate) fn heading(&self) -> String {
        format!("{} of {} bits, exponent of {} bits", self.kind(), self.bits, self.exponent_bits)
    }
}

impl<A: fmt::Display> fmt::Display for Explanation<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.summary().fmt(f)
    }
}
