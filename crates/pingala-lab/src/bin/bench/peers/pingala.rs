//! Pingala itself: the planner's choice, and every kernel that this CPU has, forced by its name.

use super::{Peer, Task};
use crate::work::Work;
use pingala::kernels::{Entry, KERNELS};
use pingala::{Integer, Job, Modulus, Natural, Options, pow_list, powmod_with};
use std::num::NonZeroUsize;
use std::rc::Rc;

/// The planner's choice in tables and bars.
pub const PLANNER: &str = "pingala";

pub struct Pingala {
    kernel: Option<&'static str>,
}

/// The planner's choice first, then the kernels for odd moduli in the registry's order. A kernel that this CPU cannot run
/// is told on standard error.
pub fn all() -> Vec<Pingala> {
    let (here, elsewhere): (Vec<&Entry>, Vec<_>) = KERNELS.iter().partition(|entry| entry.kernel.available());
    for entry in elsewhere {
        eprintln!("left out: this CPU cannot run {}", entry.name);
    }
    let forced = here.into_iter().filter(|entry| entry.odd).map(|entry| Some(entry.name));
    std::iter::once(None).chain(forced).map(|kernel| Pingala { kernel }).collect()
}

impl Pingala {
    fn options(&self, threads: usize) -> Options<'static> {
        Options { kernel: self.kernel, threads: NonZeroUsize::new(threads), ..Options::default() }
    }
}

impl Peer for Pingala {
    fn name(&self) -> String {
        self.kernel.map_or(PLANNER.into(), |kernel| format!("{PLANNER} {kernel}"))
    }

    fn version(&self) -> String {
        let entry = KERNELS.iter().find(|entry| Some(entry.name) == self.kernel);
        entry.map_or("the planner's choice".into(), |entry| entry.summary.into())
    }

    fn load(&self, work: &Rc<Work>) -> Option<Box<dyn Task>> {
        let jobs: Vec<(Integer, Integer, Natural)> =
            work.jobs.iter().map(|job| ((&job.base).into(), (&job.exponent).into(), job.modulus.clone())).collect();
        let options = self.options(work.threads);
        // A kernel that is forced takes some lengths only: then there is no plan.
        let (base, exponent, modulus) = jobs.first()?;
        Modulus::new(modulus.clone()).and_then(|m| m.plan(base, exponent, &options)).ok()?;
        Some(Box::new(Loaded { jobs, options, list: work.is_list(), results: Vec::new() }))
    }
}

struct Loaded {
    jobs: Vec<(Integer, Integer, Natural)>,
    options: Options<'static>,
    list: bool,
    results: Vec<Natural>,
}

impl Task for Loaded {
    fn run(&mut self) {
        self.results.clear();
        if !self.list {
            for (base, exponent, modulus) in &self.jobs {
                self.results.push(powmod_with(base, exponent, modulus, &self.options).expect("planned before"));
            }
            return;
        }
        let moduli: Vec<Modulus> =
            self.jobs.iter().map(|(_, _, m)| Modulus::new(m.clone()).expect("a modulus")).collect();
        let jobs: Vec<Job<'_>> = self
            .jobs
            .iter()
            .zip(&moduli)
            .map(|((base, exponent, _), modulus)| Job { base, exponent, modulus })
            .collect();
        let results = pow_list(&jobs, &self.options).expect("planned before");
        self.results.extend(results.into_iter().map(|result| result.expect("planned before")));
    }

    fn answers(&mut self) -> Vec<Natural> {
        self.results.clone()
    }
}

/// The plan that the planner chooses for the first power of the work, as a line.
pub fn plan_line(work: &Work) -> String {
    let Some(job) = work.jobs.first() else { return String::new() };
    let plan = Modulus::new(job.modulus.clone())
        .and_then(|m| m.plan(&(&job.base).into(), &(&job.exponent).into(), &Options::default()));
    plan.map_or_else(|error| error.to_string(), |plan| plan.to_string())
}
