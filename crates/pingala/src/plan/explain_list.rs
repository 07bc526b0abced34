//! The plan of a list with the alternative: shared runs, or separate powers.

use super::Plan;
use super::explain::Explanation;
use super::summary::{Alternative, Part, Summary};
use crate::algorithm::{Algorithm, ManyExponents};
use core::fmt;

/// Most runs whose problems a heading names.
const NAMED_RUNS: usize = 3;

/// What a list of powers does, or a product of powers: the tree that runs, what shares a run, and what the other way would take.
/// `Display` prints the [`Summary`].
#[derive(Clone, Debug)]
pub struct ListExplanation<A = ManyExponents, T = Algorithm> {
    plan: Plan<T>,
    seconds: f64,
    /// One for each run that powers could share, on one thread; none where nothing fits or nothing was asked for.
    together: Vec<Explanation<A>>,
    /// None where the powers go together, whatever it costs.
    separate: Option<Explanation<T>>,
    shares: bool,
}

impl<A, T> ListExplanation<A, T> {
    /// Powers that share runs. `separate` is what each by itself would take.
    pub(crate) fn shared(
        plan: Plan<T>,
        nanoseconds: f64,
        together: Vec<Explanation<A>>,
        separate: Option<Explanation<T>>,
    ) -> Self {
        Self { plan, seconds: nanoseconds * 1e-9, together, separate, shares: true }
    }

    /// Powers that go each by itself, or side by side. `together` is what they could share.
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

    /// What is done together, run by run, as on one thread; empty where each power goes for itself.
    pub fn together(&self) -> &[Explanation<A>] {
        if self.shares { &self.together } else { &[] }
    }

    /// Each power for itself, or eight side by side; its seconds are those of all.
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
            return Summary::new(separate.grounds(), heading, plan, (self.seconds, None), rows, together);
        }
        let apart = self.separate.as_ref().map(|separate| Alternative {
            what: "each power by itself".into(),
            plan: separate.plan().to_string(),
            seconds: separate.seconds(),
        });
        let rows: Vec<Part> = self.together.iter().flat_map(Explanation::rows).collect();
        // Powers that share have one run at least.
        Summary::new(self.together[0].grounds(), self.heading(), plan, (self.seconds, None), rows, apart)
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
