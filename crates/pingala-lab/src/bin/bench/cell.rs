//! One cell of a table: a piece of work, the contenders that do it in turn, and their times.

use crate::machine;
use crate::peers::{Peer, Task, gmp, pingala};
use crate::work::Work;
use pingala_core::Natural;
use std::rc::Rc;

/// How long to measure.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Rounds; in each of them every contender is timed once.
    pub rounds: usize,
    /// Nanoseconds that one sample takes at least, by repeating the call.
    pub slice: f64,
    /// Nanoseconds for all samples of one contender, beyond which it sits out rounds; Pingala and GMP get eight times this.
    pub cap: f64,
}

/// Nanoseconds from which on one call tells how long the next will take.
const FIRST_CALL_COUNTS: f64 = 50e6;

/// Nanoseconds of one call from which on the first moments do not matter.
const WARM_UP_BELOW: f64 = 5e6;

/// What Pingala and GMP may take, in units of the cap.
const FAVOUR: f64 = 8.0;

/// Fewest samples of a slow contender.
const LEAST_SAMPLES: usize = 3;

/// Quartiles of nanoseconds per power.
#[derive(Clone, Copy, Debug)]
pub struct Quartiles {
    pub lower: f64,
    pub median: f64,
    pub upper: f64,
    pub least: f64,
    pub samples: usize,
}

impl Quartiles {
    fn of(samples: &[f64]) -> Self {
        let mut sorted = samples.to_vec();
        sorted.sort_by(f64::total_cmp);
        let at = |numerator: usize| sorted[(sorted.len() - 1) * numerator / 4];
        Self { lower: at(1), median: at(2), upper: at(3), least: at(0), samples: sorted.len() }
    }
}

/// A peer at work.
pub struct Contender {
    pub name: String,
    task: Box<dyn Task>,
    /// Calls of one sample.
    calls: usize,
    /// Calls before it, in which caches, branch predictors and the clock of the vector units adapt to the change.
    warm_up: usize,
    /// It is timed in one round of `every`.
    every: usize,
    samples: Vec<f64>,
    /// Samples in which the clocks disagreed.
    suspect: Vec<f64>,
}

impl Contender {
    /// Quartiles of the trusted samples, in nanoseconds per power; if none can be trusted, of all samples.
    pub fn quartiles(&self) -> Quartiles {
        Quartiles::of(if self.samples.is_empty() { &self.suspect } else { &self.samples })
    }

    /// Samples that were dropped because the clocks disagreed, and all.
    pub fn dropped(&self) -> [usize; 2] {
        [self.suspect.len(), self.samples.len() + self.suspect.len()]
    }
}

pub struct Cell {
    pub work: Rc<Work>,
    /// The plan of the planner's choice, for its first power.
    pub plan: String,
    pub contenders: Vec<Contender>,
}

impl Cell {
    /// Loads the work into every peer that takes it, lets each compute it once, and compares. Error: who disagrees.
    pub fn new(work: Work, peers: &[Box<dyn Peer>], effort: &Effort) -> Result<Self, String> {
        let work = Rc::new(work);
        machine::keep_on(work.processors());
        let plan = pingala::plan_line(&work);
        let mut contenders = Vec::new();
        for peer in peers.iter().filter(|peer| work.shape.wants(&peer.name())) {
            let Some(mut task) = peer.load(&work) else { continue };
            let name = peer.name();
            // The first call of all pays for what is made once in a process; unless it is long anyway, it says nothing.
            let first = task.time(1, &work).nanoseconds;
            let once = if first < FIRST_CALL_COUNTS { task.time(1, &work).nanoseconds } else { first }.max(1.0);
            let calls = (effort.slice / once).clamp(1.0, 1e6) as usize;
            let favoured = name.starts_with(pingala::PLANNER) || name == gmp::NATIVE;
            let cap = if favoured { FAVOUR * effort.cap } else { effort.cap };
            let affordable = (cap / (once * calls as f64)) as usize;
            let samples = affordable.max(LEAST_SAMPLES).clamp(1, effort.rounds);
            let every = effort.rounds.div_ceil(samples);
            let warm_up = if once < WARM_UP_BELOW { 1 + calls / 8 } else { 0 };
            contenders.push(Contender { name, task, calls, warm_up, every, samples: Vec::new(), suspect: Vec::new() });
        }
        let mut cell = Self { work, plan, contenders };
        cell.compare()?;
        Ok(cell)
    }

    /// Times every contender once; who begins changes from round to round.
    pub fn round(&mut self, round: usize) {
        machine::keep_on(self.work.processors());
        let (count, work) = (self.contenders.len(), self.work.clone());
        for turn in 0..count {
            let contender = &mut self.contenders[(turn + round) % count];
            if !round.is_multiple_of(contender.every) {
                continue;
            }
            if contender.warm_up > 0 {
                contender.task.time(contender.warm_up, &work);
            }
            let timing = contender.task.time(contender.calls, &work);
            let sample = timing.nanoseconds / (contender.calls * work.jobs.len()) as f64;
            if timing.agrees { contender.samples.push(sample) } else { contender.suspect.push(sample) }
        }
    }

    /// Whether all contenders have the same answers. Error: who disagrees with whom.
    pub fn compare(&mut self) -> Result<(), String> {
        let mut first: Option<(String, Vec<Natural>)> = None;
        for contender in &mut self.contenders {
            let answers = contender.task.answers();
            match &first {
                None => first = Some((contender.name.clone(), answers)),
                Some((_, known)) if *known == answers => {}
                Some((name, _)) => {
                    let (shape, label) = (self.work.shape.key(), &self.work.label);
                    return Err(format!("{} and {name} differ: {shape}, {label}", contender.name));
                }
            }
        }
        Ok(())
    }

    /// A contender's lower quartile in nanoseconds per power.
    pub fn time(&self, name: &str) -> Option<f64> {
        Some(self.contenders.iter().find(|contender| contender.name == name)?.quartiles().lower)
    }

    /// Samples of its contenders that were dropped, and all.
    pub fn dropped(&self) -> [usize; 2] {
        self.contenders.iter().map(Contender::dropped).fold([0, 0], |sum, one| [sum[0] + one[0], sum[1] + one[1]])
    }
}
