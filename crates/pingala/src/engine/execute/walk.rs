//! Walks the tree of a list, for every workload.

use crate::engine::execute::pulse::Pulse;
use crate::engine::execute::threads::{Answer, Answering, Answers};
use crate::engine::plan::ClassStep;
use crate::engine::plan::schedule::{ListSchedule, Stage, Take};
use crate::error::Error;

/// A step of a tree, and the threads that it may start.
pub(crate) struct WalkedStep<'p, A> {
    pub(crate) step: ClassStep<'p, A>,
    pub(crate) threads: usize,
}

impl Answers<'_> {
    /// Walks the tree of a list: the stages one after the other, the takes of a stage on the threads that it names. `work(own, step, take,
    /// pulse, answer)` does a take of a class. Gives the results, in order. Error: `interrupted`.
    pub(crate) fn walk<A: Sync, S: Default>(
        mut self,
        schedule: &ListSchedule<'_, A>,
        work: impl Fn(&mut S, &WalkedStep<'_, A>, &Take, &Pulse<'_>, Answering<'_>) + Sync,
    ) -> Result<Vec<Answer>, Error> {
        for Stage { threads, takes } in &schedule.stages {
            // Powers that share a run start the threads themselves if they are the only take of their stage.
            let is_alone = takes.len() == 1 && !matches!(schedule.steps[takes[0].class], ClassStep::Each(_));
            let (side_by_side, within) = if is_alone { (1, *threads) } else { (*threads, 1) };
            self.take(takes, side_by_side, |own: &mut S, take: &Take, pulse: &Pulse<'_>, answer: Answering<'_>| {
                let step = WalkedStep { step: schedule.steps[take.class], threads: within };
                work(own, &step, take, pulse, answer);
            })?;
        }
        self.finish()
    }
}
