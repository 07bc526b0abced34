//! Walks the tree of a list, for every workload.

use crate::engine::execute::poll::Poll;
use crate::engine::execute::threads::{Answer, Answering, Answers};
use crate::engine::plan::Plan;
use crate::engine::plan::schedule::{Chunk, ListSchedule, Stage};
use crate::error::Error;

/// A step of a tree, and the threads that it may start.
pub(crate) struct WalkedStep<'p, A> {
    pub(crate) plan: &'p Plan<A>,
    pub(crate) threads: usize,
}

impl Answers<'_> {
    /// Walks the tree of a list: the stages one after the other, the chunks of a stage on the threads that it names. `work(own, step, chunk,
    /// poll, answer)` runs a chunk of a class. Gives the results, in order. Error: `interrupted`.
    pub(crate) fn walk<A: Sync, S: Default>(
        mut self,
        schedule: &ListSchedule<'_, A>,
        work: impl Fn(&mut S, &WalkedStep<'_, A>, &Chunk, &Poll<'_>, Answering<'_>) + Sync,
    ) -> Result<Vec<Answer>, Error> {
        for Stage { threads, chunks } in &schedule.stages {
            // Powers that share a run start the threads themselves if their stage has no other class.
            let is_alone = chunks.len() == 1 && schedule.steps[chunks[0].class].shared().is_some();
            let (side_by_side, within) = if is_alone { (1, *threads) } else { (*threads, 1) };
            self.run_chunks(
                chunks,
                side_by_side,
                |own: &mut S, chunk: &Chunk, poll: &Poll<'_>, answer: Answering<'_>| {
                    let step = WalkedStep { plan: schedule.steps[chunk.class], threads: within };
                    work(own, &step, chunk, poll, answer);
                },
            )?;
        }
        self.finish()
    }
}
