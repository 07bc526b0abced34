//! Walks trees: that of one power, and that of a list for every workload.

use crate::engine::execute::{Answer, Answering, Answers, Poll, Power, crt, even};
use crate::engine::plan::{Chunk, ListPlan, ListSchedule, Plan, Stage};
use crate::error::Error;
use crate::kernel::vector::LANES;
use smallvec::SmallVec;

impl Power<'_> {
    /// By the plan of one power.
    pub(crate) fn by(&self, plan: &Plan) -> Answer {
        match plan {
            Plan::Run { algorithm, form } => self.by_run(algorithm, form),
            Plan::Even { odd, two } => {
                let mut result = self.by(odd)?;
                even::recombine(self.modulus, &mut result, &self.by(two)?);
                Ok(result)
            }
            Plan::Crt(plans) => crt::power(self, plans),
            Plan::Batch { plan, count: 1 } => self.by(plan),
            _ => Err(Error::BadPlan("a plan for a list does not fit one power".into())),
        }
    }
}

impl Answers<'_> {
    /// Walks the tree of a list: the stages one after the other, the chunks of a stage on the threads that it names. `work(own, (plan, threads),
    /// chunk, poll, answer)` runs a chunk of a class, for which it may start threads. Gives the results, in order. Error: `interrupted`.
    pub(crate) fn walk<A: Sync, S: Default>(
        mut self,
        schedule: &ListSchedule<'_, A>,
        work: impl Fn(&mut S, (&Plan<A>, usize), &Chunk, &Poll<'_>, Answering<'_>) + Sync,
    ) -> Result<Vec<Answer>, Error> {
        for Stage { threads, chunks } in &schedule.stages {
            // Powers that share a run start the threads themselves if their stage has no other class.
            let is_alone = chunks.len() == 1 && schedule.steps[chunks[0].class].shared().is_some();
            let (side_by_side, within) = if is_alone { (1, *threads) } else { (*threads, 1) };
            self.run_chunks(
                chunks,
                side_by_side,
                |own: &mut S, chunk: &Chunk, poll: &Poll<'_>, answer: Answering<'_>| {
                    work(own, (schedule.steps[chunk.class], within), chunk, poll, answer);
                },
            )?;
        }
        self.finish()
    }

    /// Walks the tree of a list whose elements each follow a plan: `work(own, plan, elements, poll, answer)` runs as many as the plan has
    /// lanes.
    pub(crate) fn walk_each<A: Sync, S: Default>(
        self,
        list: &ListPlan<A>,
        work: impl Fn(&mut S, &Plan<A>, &[usize], &Poll<'_>, Answering<'_>) + Sync,
    ) -> Result<Vec<Answer>, Error> {
        self.walk(&list.schedule(), |own: &mut S, (plan, _), chunk, poll, answer| {
            for first in chunk.elements.clone().step_by(plan.lanes()) {
                let places = first..(first + plan.lanes()).min(chunk.elements.end);
                let elements: SmallVec<[usize; LANES]> = places.map(|place| list.element(place)).collect();
                work(own, plan, &elements, poll, answer);
            }
        })
    }
}
