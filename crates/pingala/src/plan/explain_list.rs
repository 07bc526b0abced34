//! The plan of a list with the other way to do it: together, or each power for itself.

use super::Plan;
use super::explain::{Explanation, Seconds};
use crate::algorithm::{Algorithm, ManyExponents};
use core::fmt;

/// What a list of powers does, or a product of powers: the tree that runs, what shares a run, and what the other way would take.
/// `Display` prints what is done, and below it the other way.
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

impl<A: Clone + PartialEq + fmt::Display, T: Clone + PartialEq + fmt::Display> fmt::Display for ListExplanation<A, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let instead = |f: &mut fmt::Formatter<'_>, what: &str, plan: &dyn fmt::Display, seconds: f64| {
            writeln!(f, "\n{what}: {plan}, {}, ratio {:.3}", Seconds(seconds), seconds / self.seconds)
        };
        if let Some(separate) = self.separate.as_ref().filter(|_| !self.shares) {
            separate.fmt(f)?;
            let plans: Vec<String> = self.together.iter().map(|run| run.plan().to_string()).collect();
            if !plans.is_empty() {
                let seconds = self.together.iter().map(Explanation::seconds).sum();
                instead(f, "together, on one thread", &plans.join(", then "), seconds)?;
            }
            return Ok(());
        }
        writeln!(f, "plan      {}\nestimate  {}", self.plan, Seconds(self.seconds))?;
        for run in &self.together {
            write!(f, "\n{run}")?;
        }
        if let Some(separate) = &self.separate {
            instead(f, "each for itself", separate.plan(), separate.seconds())?;
        }
        Ok(())
    }
}
