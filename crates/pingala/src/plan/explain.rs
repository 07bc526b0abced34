//! The plan with what it was chosen from.

use super::planner::Run;
use super::problem::Part;
use super::{Plan, Problem};
use crate::algorithm::{Algorithm, ExpectedCost, ManyExponents};
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

    /// The same, when the whole takes so many seconds.
    pub(crate) fn in_all(self, seconds: f64) -> Self {
        Self { seconds, ..self }
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

/// What work of several powers does: all together, some together, or each power for itself. `Display` prints what is done,
/// and below it what the other way would take.
#[derive(Clone, Debug)]
pub struct ListExplanation<A = ManyExponents> {
    /// One for each piece of the work that is done together; none where nothing fits or nothing was asked for.
    pub(crate) together: Vec<Explanation<A>>,
    /// None where the powers go together, whatever it costs.
    pub(crate) separate: Option<Explanation>,
    /// None where one thread is asked about.
    pub(crate) on_threads: Option<OnThreads<A>>,
}

/// What several threads do with such work: pieces that go side by side, or one that all share, or each power for itself.
#[derive(Clone, Debug)]
pub struct OnThreads<A = ManyExponents> {
    /// How many.
    pub(crate) threads: usize,
    /// How, with the threads of each piece; empty where each power goes for itself.
    pub(crate) pieces: Vec<(Plan<A>, usize)>,
    pub(crate) seconds: f64,
}

impl<A> OnThreads<A> {
    /// What is done together, piece by piece, each with the threads that share it; empty where each power goes for itself.
    pub fn pieces(&self) -> &[(Plan<A>, usize)] {
        &self.pieces
    }

    /// Expected seconds of the whole.
    pub fn seconds(&self) -> f64 {
        self.seconds
    }
}

impl<A: PartialEq + fmt::Display> fmt::Display for OnThreads<A> {
    /// One thread squares while the others multiply, but in lanes, where all share a table. Pieces that go alike are counted.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.pieces.is_empty() {
            f.write_str("each for itself")?;
        }
        for (index, alike) in self.pieces.chunk_by(PartialEq::eq).enumerate() {
            let (plan, threads) = &alike[0];
            f.write_str(if index > 0 { ", " } else { "" })?;
            if alike.len() > 1 {
                write!(f, "{} times ", alike.len())?;
            }
            write!(f, "{plan}")?;
            match threads {
                1 => {}
                _ if plan.is_in_lanes() => write!(f, " (one table)")?,
                _ => write!(f, " (one squares, {} inserts)", threads - 1)?,
            }
        }
        Ok(())
    }
}

impl<A> ListExplanation<A> {
    /// What is done together, piece by piece; empty where each power goes for itself.
    pub fn shared(&self) -> &[Explanation<A>] {
        if self.shares() { &self.together } else { &[] }
    }

    /// What the threads of the settings do, where they are two or more.
    pub fn on_threads(&self) -> Option<&OnThreads<A>> {
        self.on_threads.as_ref()
    }

    /// Each power for itself, or eight side by side; its seconds are those of all.
    pub fn separate(&self) -> Option<&Explanation> {
        self.separate.as_ref()
    }

    /// Expected seconds of the whole by this machine's prices, on one thread.
    pub fn seconds(&self) -> f64 {
        match &self.separate {
            Some(separate) if !self.shares() => separate.seconds,
            _ => self.seconds_together(),
        }
    }

    fn shares(&self) -> bool {
        let sooner = |separate: &Explanation| self.seconds_together() < separate.seconds;
        !self.together.is_empty() && self.separate.as_ref().is_none_or(sooner)
    }

    fn seconds_together(&self) -> f64 {
        self.together.iter().map(Explanation::seconds).sum()
    }
}

impl<A: Clone + PartialEq + fmt::Display> fmt::Display for ListExplanation<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let instead = |f: &mut fmt::Formatter<'_>, what: &str, plan: &dyn fmt::Display, seconds: f64| {
            writeln!(f, "\n{what}: {plan}, {}, ratio {:.3}", Seconds(seconds), seconds / self.seconds())
        };
        match &self.separate {
            Some(separate) if !self.shares() => {
                separate.fmt(f)?;
                let plans: Vec<String> = self.together.iter().map(|piece| piece.plan().to_string()).collect();
                if !plans.is_empty() {
                    instead(f, "together", &plans.join(", then "), self.seconds_together())?;
                }
            }
            separate => {
                for (index, piece) in self.together.iter().enumerate() {
                    f.write_str(if index > 0 { "\n" } else { "" })?;
                    piece.fmt(f)?;
                }
                if let Some(separate) = separate {
                    instead(f, "each for itself", separate.plan(), separate.seconds)?;
                }
            }
        }
        if let Some(several) = &self.on_threads {
            instead(f, &format!("{} threads", several.threads), several, several.seconds)?;
        }
        Ok(())
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
