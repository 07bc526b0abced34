//! Pingala itself: the planner's choice, every kernel that this CPU has forced by its name, the plans that the planner
//! nearly chose, the constant-time path, and the EVM's function.

use super::{Peer, Task};
use crate::work::Work;
use pingala_core::kernels::{Entry, KERNELS};
use pingala_core::{Integer, Job, Modulus, Natural, Options, SecretExponent, Watch, modexp, pow_list, powmod_with};
use std::num::NonZeroUsize;
use std::rc::Rc;

/// The planner's choice in tables.
pub const PLANNER: &str = "pingala";
/// The constant-time path.
pub const SECRET: &str = "pingala secret";
/// The plans that the planner liked less, by rank.
pub const RUNNER_UP: &str = "pingala plan";
/// Bytes in, bytes out.
pub const MODEXP: &str = "pingala modexp";
/// The number of plans that are measured next to the chosen one.
const RUNNERS_UP: usize = 3;

/// Who chooses how.
#[derive(Clone, Copy)]
enum Choice {
    Planner,
    Kernel(&'static Entry),
    /// The candidate of that rank by price; the planner's choice has rank 0.
    Rank(usize),
    Secret,
    Modexp,
}

pub struct Pingala {
    choice: Choice,
}

/// The planner's choice first, then the kernels for odd moduli in the registry's order. A kernel that this CPU cannot run
/// is reported on standard error.
pub fn all() -> Vec<Pingala> {
    let (here, elsewhere): (Vec<&'static Entry>, Vec<_>) = KERNELS.iter().partition(|entry| entry.available());
    for entry in elsewhere {
        eprintln!("left out: this CPU cannot run {}", entry.name);
    }
    let mut choices = vec![Choice::Planner];
    choices.extend(here.into_iter().filter(|entry| entry.odd).map(Choice::Kernel));
    choices.extend((1..=RUNNERS_UP).map(Choice::Rank));
    choices.extend([Choice::Secret, Choice::Modexp]);
    choices.into_iter().map(|choice| Pingala { choice }).collect()
}

impl Peer for Pingala {
    fn name(&self) -> String {
        match self.choice {
            Choice::Planner => PLANNER.into(),
            Choice::Kernel(entry) => format!("{PLANNER} {}", entry.name),
            Choice::Rank(rank) => format!("{RUNNER_UP} {}", rank + 1),
            Choice::Secret => SECRET.into(),
            Choice::Modexp => MODEXP.into(),
        }
    }

    fn version(&self) -> String {
        match self.choice {
            Choice::Planner => "the planner's choice".into(),
            Choice::Kernel(entry) => entry.summary.into(),
            Choice::Rank(rank) => format!("the candidate of rank {} by price", rank + 1),
            Choice::Secret => "Modulus::pow_sec, constant time".into(),
            Choice::Modexp => "modexp, bytes to bytes".into(),
        }
    }

    fn load(&self, work: &Rc<Work>) -> Option<Box<dyn Task>> {
        let own = |job: &crate::work::Job| Own {
            base: (&job.base).into(),
            exponent: (&job.exponent).into(),
            secret: SecretExponent::new(&job.exponent, None).expect("no longer than declared"),
            modulus: job.modulus.clone(),
            bytes: [&job.base, &job.exponent, &job.modulus].map(Natural::to_be_bytes),
        };
        let jobs: Vec<Own> = work.jobs.iter().map(own).collect();
        let line = match self.choice {
            Choice::Rank(rank) => Some(candidate(&jobs, rank)?),
            _ => None,
        };
        let kernel = match self.choice {
            Choice::Kernel(entry) => Some(entry.name),
            _ => None,
        };
        let task = Loaded {
            choice: self.choice,
            jobs,
            kernel,
            line,
            default_options: work.default_options,
            list: work.jobs.len() > 1,
            results: Vec::new(),
        };
        // A kernel that is forced takes some lengths only: then there is no plan.
        let first = task.jobs.first()?;
        let modulus = Modulus::new(first.modulus.clone()).ok()?;
        modulus.plan(&first.base, &first.exponent, &task.options()).ok()?;
        Some(Box::new(task))
    }
}

/// The plan line of that rank for the first power, if it is one run and there is a plan of that rank.
fn candidate(jobs: &[Own], rank: usize) -> Option<String> {
    let first = jobs.first()?;
    let modulus = Modulus::new(first.modulus.clone()).ok()?;
    let explanation = modulus.explain(&first.base, &first.exponent, &Options::default()).ok()?;
    let mut parts = explanation.candidates();
    let (candidates, more) = (parts.next()?, parts.next());
    more.is_none().then(|| candidates.get(rank).map(|candidate| candidate.plan()))?
}

struct Own {
    base: Integer,
    exponent: Integer,
    secret: SecretExponent,
    modulus: Natural,
    bytes: [Vec<u8>; 3],
}

/// A watch that never stops: the calls of all bindings have one.
struct Silent;

impl Watch for Silent {}

struct Loaded {
    choice: Choice,
    jobs: Vec<Own>,
    kernel: Option<&'static str>,
    line: Option<String>,
    default_options: bool,
    list: bool,
    results: Vec<Natural>,
}

impl Loaded {
    fn options(&self) -> Options<'_> {
        let options = Options::default().with_kernel(self.kernel).with_plan(self.line.as_deref());
        if self.default_options {
            options.with_watch(Some(&Silent))
        } else {
            options.with_threads(NonZeroUsize::new(1))
        }
    }

    fn power(&self, job: &Own) -> Natural {
        match self.choice {
            Choice::Modexp => Natural::from_be_bytes(&modexp(&job.bytes[0], &job.bytes[1], &job.bytes[2])),
            Choice::Secret => {
                let modulus = Modulus::new(job.modulus.clone()).expect("planned before");
                modulus.pow_sec(&job.base, &job.secret, &self.options()).expect("planned before")
            }
            _ => powmod_with(&job.base, &job.exponent, &job.modulus, &self.options()).expect("planned before"),
        }
    }
}

impl Task for Loaded {
    fn run(&mut self) {
        if !self.list {
            self.results = self.jobs.iter().map(|job| self.power(job)).collect();
            return;
        }
        let moduli: Vec<Modulus> =
            self.jobs.iter().map(|job| Modulus::new(job.modulus.clone()).expect("a modulus")).collect();
        let pairs = self.jobs.iter().zip(&moduli);
        let jobs: Vec<Job<'_>> =
            pairs.map(|(own, modulus)| Job { base: &own.base, exponent: &own.exponent, modulus }).collect();
        let results = pow_list(&jobs, &self.options()).expect("planned before");
        self.results = results.into_iter().map(|result| result.expect("planned before")).collect();
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
