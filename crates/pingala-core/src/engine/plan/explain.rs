//! The plan with its candidates, for every workload.

use super::summary::{Alternative, Row, Seconds, Summary, SummaryPart};
use super::{Plan, Prices, Problem};
use crate::algorithm::Algorithm;
use crate::error::Error;
use crate::kernel::cpu;
use core::fmt;

/// Most runs whose problems a heading names.
const NAMED_RUNS: usize = 3;

/// The plan chosen for a problem, and for each of its parts every candidate, cheapest first. `Display` prints the [`Summary`].
#[derive(Clone)]
pub struct Explanation<A = Algorithm> {
    plan: Plan<A>,
    /// But for its sentences.
    pub(crate) summary: Summary,
}

impl<A: fmt::Display> Explanation<A> {
    /// Explains a plan, expected to take `nanoseconds`, for the problem that `heading` describes. `forced` says whether the caller forces a
    /// kernel or a line; the plan was chosen by `prices`.
    pub(crate) fn new(
        heading: String,
        plan: Plan<A>,
        parts: Vec<SummaryPart>,
        nanoseconds: f64,
        (forced, prices): (bool, &Prices),
    ) -> Self {
        let summary = Summary {
            chosen: String::new(),
            next_best: String::new(),
            forced,
            prices: match prices.sources().next() {
                Some((source, _)) if !source.is_built_in() => format!("the prices in {}", source.name()),
                _ => "built-in prices".into(),
            },
            problem: heading,
            masked: cpu::masked().unwrap_or_default().iter().map(|feature| feature.name().to_string()).collect(),
            plan: plan.to_string(),
            seconds: nanoseconds * 1e-9,
            build_seconds: None,
            notes: prices.notes().to_vec(),
            parts: SummaryPart::together(parts),
            alternative: None,
        };
        Self { plan, summary }
    }

    /// Explains a plan by its runs, each explained as on one thread. Error: `fault` without a run.
    pub(crate) fn of_runs<B>(plan: Plan<A>, nanoseconds: f64, mut runs: Vec<Explanation<B>>) -> Result<Self, Error> {
        if runs.is_empty() {
            return Err(Error::Fault("a plan without a run is explained"));
        }
        let headings: Vec<&str> = runs.iter().map(|run| run.summary.problem.as_str()).collect();
        let problem = match headings.len() {
            count if count > NAMED_RUNS => format!("{count} runs, first: {}", headings[0]),
            _ => headings.join("; "),
        };
        let mut parts: Vec<SummaryPart> = runs.iter().flat_map(|run| run.summary.parts.iter().cloned()).collect();
        if plan.stages().iter().any(|&(threads, _)| threads > 1) {
            // Threads may take other windows, or fewer exponents each, than the candidates below.
            parts.iter_mut().for_each(|part| part.problem.push_str(", candidates on one thread"));
        }
        let (line, seconds, parts) = (plan.to_string(), nanoseconds * 1e-9, SummaryPart::together(parts));
        let summary = Summary { problem, plan: line, seconds, parts, ..runs.swap_remove(0).summary };
        Ok(Self { plan, summary })
    }

    /// Gives it the tree and the time of a list, in nanoseconds.
    pub(crate) fn of_list(mut self, plan: Plan<A>, nanoseconds: f64) -> Self {
        (self.summary.plan, self.summary.seconds) = (plan.to_string(), nanoseconds * 1e-9);
        Self { plan, ..self }
    }

    /// Adds another way to do the whole work, with its plan and its expected seconds.
    pub(crate) fn instead(mut self, what: &str, plan: &impl ToString, seconds: f64) -> Self {
        self.summary.alternative = Some(Alternative { what: what.into(), plan: plan.to_string(), seconds });
        self
    }

    /// The explanation as figures and text.
    pub fn summary(&self) -> Summary {
        self.summary.clone().with_sentences()
    }
}

impl<A> Explanation<A> {
    /// The plan chosen: as a line it forces the same work.
    pub fn plan(&self) -> &Plan<A> {
        &self.plan
    }

    /// Expected seconds of the whole problem by this machine's prices; for a table, of one power.
    pub fn seconds(&self) -> f64 {
        self.summary.seconds
    }

    /// For each part of the plan, in its order, the candidates, cheapest first; parts in a row that are alike are one.
    pub fn candidates(&self) -> impl Iterator<Item = &[Row]> {
        self.summary.parts.iter().map(|part| &part.candidates[..])
    }
}

/// A modulus in words.
pub(crate) fn modulus_in_words(bits: u64, trailing_zeros: u64, known_factors: usize) -> String {
    let parts = match (trailing_zeros, bits - trailing_zeros) {
        (0, _) => String::new(),
        (k, 1) => format!(" (2^{k})"),
        (k, odd) => format!(" ({odd} odd bits times 2^{k})"),
    };
    let factors = if known_factors > 0 { format!(", {known_factors} known factors") } else { String::new() };
    format!("modulus of {bits} bits{parts}{factors}")
}

impl Problem {
    /// The problem, in one line.
    pub(crate) fn heading(&self) -> String {
        let modulus = modulus_in_words(self.modulus_bits, self.trailing_zeros, self.factors.len());
        let secret = if self.secret { "secret " } else { "" };
        let mut heading = format!("{modulus}, {secret}exponent of {} bits", self.exponent_bits);
        if let Some(bits) = self.short_base_bits {
            heading += &format!(", base of {bits} bits");
        }
        if self.count > 1 {
            heading += &format!(", {} times", self.count);
        }
        heading
    }
}

/// The plan and its expected time.
impl<A> fmt::Debug for Explanation<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary { plan, seconds, .. } = &self.summary;
        write!(f, "<Explanation: {plan}, {}; print it for the reasons>", Seconds(*seconds))
    }
}

impl<A: fmt::Display> fmt::Display for Explanation<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.summary().fmt(f)
    }
}
