//! The plan of a list with the alternative: shared runs, or separate powers.

use super::Plan;
use super::explain::Explanation;
use super::summary::{Alternative, Summary, SummaryPart};
use crate::algorithm::{Algorithm, ManyExponents};
use core::fmt;

/// Most runs whose problems a heading names.
const NAMED_RUNS: usize = 3;

/// The explanation of a list or a product of powers: the tree that runs, the shared runs, and the cost of the alternative.
/// `Display` prints the [`Summary`].
#[derive(Clone, Debug)]
pub struct ListExplanation<A = ManyExponents, T = Algorithm> {
    plan: Plan<T>,
    seconds: f64,
    /// One for each run that powers could share, on one thread; empty if nothing fits or nothing was requested.
    together: Vec<Explanation<A>>,
    /// None if the powers share runs by a forced plan.
    separate: Option<Explanation<T>>,
    shares: bool,
}

impl<A, T> ListExplanation<A, T> {
    /// Powers that share runs. `separate` explains separate powers.
    pub(crate) fn shared(
        plan: Plan<T>,
        nanoseconds: f64,
        together: Vec<Explanation<A>>,
        separate: Option<Explanation<T>>,
    ) -> Self {
        Self { plan, seconds: nanoseconds * 1e-9, together, separate, shares: true }
    }

    /// Separate powers, or powers in lanes. `together` explains the runs that they could share.
    pub(crate) fn apart(separate: Explanation<T>, together: Vec<Explanation<A>>) -> Self
    where
        T: Clone,
    {
        let (plan, seconds) = (separate.plan().clone(), separate.seconds());
        Self { plan, seconds, together, separate: Some(separate), shares: false }
    }

    /// The tree that runs: a line for `plan=` with the same list.
    pub fn plan(&self) -> &Plan<T> {
        &self.plan
    }

    /// The shared runs, as on one thread; empty if the powers are separate.
    pub fn together(&self) -> &[Explanation<A>] {
        if self.shares { &self.together } else { &[] }
    }

    /// Separate powers, or eight at a time; its seconds are those of all powers.
    pub fn separate(&self) -> Option<&Explanation<T>> {
        self.separate.as_ref()
    }

    /// Expected seconds of the whole by this machine's prices.
    pub fn seconds(&self) -> f64 {
        self.seconds
    }
}

impl<A: fmt::Display, T: fmt::Display> ListExplanation<A, T> {
    /// The explanation as figures and text.
    pub fn summary(&self) -> Summary {
        let plan = self.plan.to_string();
        if let Some(separate) = self.separate.as_ref().filter(|_| !self.shares) {
            let lines: Vec<String> = self.together.iter().map(|run| run.plan().to_string()).collect();
            let together = (!lines.is_empty()).then(|| Alternative {
                what: "one run for all powers, on one thread".into(),
                plan: lines.join(", then "),
                seconds: self.together.iter().map(Explanation::seconds).sum(),
            });
            let (heading, rows) = (separate.heading().to_owned(), separate.rows());
            return Summary::new(separate.basis(), heading, plan, (self.seconds, None), rows, together);
        }
        let apart = self.separate.as_ref().map(|separate| Alternative {
            what: "each power by itself".into(),
            plan: separate.plan().to_string(),
            seconds: separate.seconds(),
        });
        let mut rows: Vec<SummaryPart> = self.together.iter().flat_map(Explanation::rows).collect();
        if self.plan.stages().iter().any(|&(threads, _)| threads > 1) {
            // Threads may take other windows, or fewer exponents each, than the candidates below.
            rows.iter_mut().for_each(|part| part.problem.push_str(", candidates on one thread"));
        }
        // Powers that share have one run at least.
        Summary::new(self.together[0].basis(), self.heading(), plan, (self.seconds, None), rows, apart)
    }

    /// The problem of each run.
    fn heading(&self) -> String {
        let runs: Vec<&str> = self.together.iter().map(Explanation::heading).collect();
        if runs.len() > NAMED_RUNS { format!("{} runs, first: {}", runs.len(), runs[0]) } else { runs.join("; ") }
    }
}

impl<A: fmt::Display, T: fmt::Display> fmt::Display for ListExplanation<A, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.summary().fmt(f)
    }
}
