//! x^(2^t) mod m by repeated squaring, which can be stopped and resumed.

#[cfg(feature = "files")]
mod checkpoint;
pub(crate) mod run;

use crate::algorithm::{Algorithm, BinaryLeftToRight};
use crate::engine::execute::{Poll, Power, Prepared, Watch, crt, even};
use crate::engine::plan::Explanation;
use crate::engine::plan::line::{Forced, READS, is_by_factors};
use crate::engine::plan::summary::Row;
use crate::engine::plan::{Plan, Planner, Problem};
use crate::error::Error;
use crate::exponent::Exponent;
use crate::modulus::Facts;
use crate::natural::{Integer, Natural, chores};
use crate::work::factored;
use crate::work::power::positive_power;
use crate::work::{Modulus, Options};
use core::fmt;
use core::time::Duration;
use std::path::PathBuf;
use std::time::Instant;

/// The most squarings of one job.
pub const MOST_SQUARINGS: u64 = u64::MAX;

/// The most squarings of which a plan takes account: no run of more comes to its end, and the choice of a kernel does not change.
const MOST_PLANNED: u64 = 1 << 49;

/// base^(2^squarings) mod m as a job that can be stopped and resumed, also in another process.
///
/// ```
/// # use pingala_core as pingala;
/// use pingala::{Modulus, Options, RepeatedSquare};
/// let modulus = Modulus::new("0xffffffff00000001ffffffff".parse()?)?;
/// let mut job = RepeatedSquare::new(&modulus, &7u64.into(), 100_000)?;
/// let result = job.run(&Options::default())?;
/// assert_eq!(result, modulus.repeated_square(&7u64.into(), 100_000, &Options::default())?);
/// assert_eq!(job.done(), 100_000);
/// # Ok::<(), pingala::Error>(())
/// ```
///
/// If all factors of the modulus are known and prime (of at most 2^14 bits), no squarings run: 2^squarings is reduced modulo
/// the orders of their groups.
pub struct RepeatedSquare {
    pub(crate) modulus: Modulus,
    pub(crate) base: Natural,
    pub(crate) squarings: u64,
    pub(crate) done: u64,
    /// base^(2^done) modulo the odd part of the modulus.
    pub(crate) residue: Natural,
    pub(crate) checkpoint: Option<(PathBuf, Duration)>,
}

/// How much is done, without the numbers.
impl fmt::Debug for RepeatedSquare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (done, squarings, bits) = (self.done, self.squarings, self.modulus.value().bits());
        write!(f, "<RepeatedSquare: {done} of {squarings} squarings modulo {bits} bits>")
    }
}

impl Modulus {
    /// base^(2^squarings) mod m, at least 0 and below m. The [`Watch`] of the options receives the number of squarings done. A
    /// [`RepeatedSquare`] can be stopped without losing its state. Errors: as [`RepeatedSquare::new`] and [`RepeatedSquare::run`].
    pub fn repeated_square(&self, base: &Integer, squarings: u64, options: &Options<'_>) -> Result<Natural, Error> {
        RepeatedSquare::new(self, base, squarings)?.run(options)
    }

    /// The plan of `squarings` squarings of any number, with its rejected candidates, their counts, prices and estimated seconds:
    /// `crt(...)` if it uses the factors. Beyond 2^49 squarings the plan and its seconds are those of 2^49. Errors: `bad_plan`,
    /// `interrupted`.
    pub fn explain_repeated_square(&self, squarings: u64, options: &Options<'_>) -> Result<Explanation, Error> {
        let options = options.resolved()?;
        let problem = problem(&self.prepared, squarings, &options, &Poll::new(options.watch(), None))?;
        let mut explanation = Planner::of_this_machine().explain_forced(&problem, &forced(&problem, &options)?)?;
        explanation.summary.forced = options.forces();
        is_one_stream(explanation.plan())?;
        if READS && !matches!(explanation.plan(), Plan::Crt(_)) {
            // The other candidates would be refused.
            let fits = |row: &Row| row.plan().parse().is_ok_and(|plan| is_one_stream(&plan).is_ok());
            explanation.summary.parts.iter_mut().for_each(|part| part.candidates.retain(fits));
        }
        Ok(explanation)
    }
}

impl RepeatedSquare {
    /// A job with no squaring done. Every count below 2^64 is allowed.
    pub fn new(modulus: &Modulus, base: &Integer, squarings: u64) -> Result<Self, Error> {
        let base = chores::reduce(base, modulus.value());
        let residue = chores::rem(&base, modulus.prepared.facts().odd());
        Ok(Self { modulus: modulus.clone(), base, squarings, done: 0, residue, checkpoint: None })
    }

    /// Without files there is no checkpoint to write.
    #[cfg(not(feature = "files"))]
    fn write(&self, _: &std::path::Path, _: u64, _: &Natural) -> Result<(), Error> {
        Ok(())
    }

    /// Number of squarings done.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// Number of squarings of the job.
    pub fn squarings(&self) -> u64 {
        self.squarings
    }

    /// Runs to the end. The watch receives the number of squarings done, about a hundred times a second if they are short. A
    /// forced plan `crt(...)` uses the factors; any other must name a binary algorithm, and the squarings are then computed modulo
    /// the whole modulus, as with a forced kernel. One stream of squarings uses one thread.
    ///
    /// Errors: `interrupted`, with the state kept in this job and in its checkpoint; `bad_plan`; `bad_file`, if the checkpoint
    /// cannot be written at the start or when the run is stopped.
    pub fn run(&mut self, options: &Options<'_>) -> Result<Natural, Error> {
        let options = options.resolved()?;
        let poll = Poll::new(options.watch(), None);
        let prepared = self.modulus.prepared.clone();
        let facts = prepared.facts();
        if facts.value().is_one() || self.squarings == 0 {
            self.ends_with(self.residue.clone())?;
            return Ok(self.base.clone());
        }
        let problem = problem(&prepared, self.squarings, &options, &poll)?;
        let plan = Planner::of_this_machine().plan_forced(&problem, &forced(&problem, &options)?)?;
        is_one_stream(&plan)?;
        match &plan {
            Plan::Crt(plans) => {
                let power = self.by_factors(plans, &options, &poll)?;
                self.ends_with(chores::rem(&power, facts.odd()))?;
                Ok(power)
            }
            Plan::Even { odd, two } => {
                self.squares(odd, &poll, options.watch())?;
                self.join(two, &poll)
            }
            // A power of two needs no squarings beyond its length.
            two if facts.odd().is_one() => {
                self.ends_with(Natural::default())?;
                self.join(two, &poll)
            }
            odd => {
                self.squares(odd, &poll, options.watch())?;
                Ok(self.residue.clone())
            }
        }
    }

    /// The power by the orders of the groups modulo the factors, all of them powers of primes, by one plan for each.
    fn by_factors(&self, plans: &[Plan], options: &Options<'_>, poll: &Poll<'_>) -> Result<Natural, Error> {
        let (modulus, squarings) = (&*self.modulus.prepared, self.squarings);
        let free = Options { kernel: None, plan: None, ..*options };
        let exponents = modulus.facts().factors().iter().map(|factor| {
            let exponent = if factor.is_power_of_two() {
                Natural::power_of_two(squarings.min(factor.power().bits()))
            } else {
                let reduced = factor.reduce_power_of_two(squarings, |order| {
                    let count = Exponent::new(Natural::from(squarings)).ok_or(Error::Fault("no squarings"))?;
                    let order = Prepared::new(Facts::new(order.clone()));
                    let of = Power { modulus: &order, base: &Natural::from(2u64), exponent: &count, poll };
                    positive_power(&of, &free)
                });
                reduced.ok_or(Error::Fault("a factor without the order of its group"))??
            };
            Exponent::new(exponent).ok_or(Error::Fault("an exponent was reduced to 0"))
        });
        crt::powers(modulus, plans, &self.base, &exponents.collect::<Result<Vec<_>, _>>()?, poll)
    }

    /// base^(2^squarings) modulo the power of two in the modulus, joined with the residue modulo the odd part.
    ///
    /// Modulo 2^k nothing changes after k squarings: an odd base is 1 then, an even one 0.
    fn join(&self, two: &Plan, poll: &Poll<'_>) -> Result<Natural, Error> {
        let modulus = &*self.modulus.prepared;
        let exponent = &Exponent::power_of_two(self.squarings.min(modulus.facts().trailing_zeros()));
        let modulo_two = Power { modulus, base: &self.base, exponent, poll }.by(two)?;
        let mut power = self.residue.clone();
        even::recombine(modulus, &mut power, &modulo_two);
        Ok(power)
    }

    /// All squarings are done, with this residue modulo the odd part: the checkpoint says so. Error: `bad_file`.
    fn ends_with(&mut self, residue: Natural) -> Result<(), Error> {
        (self.residue, self.done) = (residue, self.squarings);
        self.save()
    }

    /// Writes the checkpoint, if there is to be one. Error: `bad_file`.
    fn save(&self) -> Result<(), Error> {
        match &self.checkpoint {
            Some((path, _)) => self.write(path, self.done, &self.residue),
            None => Ok(()),
        }
    }

    /// All squarings modulo the odd part. Errors as [`RepeatedSquare::run`].
    fn squares(&mut self, plan: &Plan, poll: &Poll<'_>, watch: Option<&dyn Watch>) -> Result<(), Error> {
        let Plan::Run { algorithm, form } = plan else {
            return Err(Error::BadPlan(format!("{plan} is not a plan for one stream of squarings")));
        };
        let total = self.squarings;
        // That the file cannot be written is known before the work, not at its end.
        if self.done < total {
            self.save()?;
        }
        // Without checkpoints no clock is asked: WebAssembly has none.
        let mut saved = self.checkpoint.as_ref().map(|_| Instant::now());
        let mut look = |done, stream: &mut dyn run::Squarer| {
            watch.inspect(|watch| watch.progress(done as usize, total as usize));
            if let Some((path, every)) = &self.checkpoint
                && saved.is_some_and(|saved| saved.elapsed() >= *every)
            {
                // A disk that is full for a while does not end a run of days: the next time comes, and the last one counts.
                let _ = stream.value().and_then(|residue| self.write(path, done, &residue));
                saved = Some(Instant::now());
            }
            !watch.is_some_and(Watch::stop)
        };
        let (prepared, run) = (&self.modulus.prepared, (algorithm, form));
        let (residue, done) = run::run(prepared, run, &self.residue, (self.done, total), poll, &mut look)?;
        (self.residue, self.done) = (residue, done);
        let saved = self.save();
        if done < total {
            return Err(saved.err().unwrap_or(Error::Interrupted));
        }
        // The answer is there: a file that cannot be written by now does not take it away.
        watch.inspect(|watch| watch.progress(total as usize, total as usize));
        Ok(())
    }
}

/// What the planner obeys: the caller's line, or an algorithm that leaves it only the choice of kernels. By price it could also take a window
/// of one bit, which has the same products. Error: `bad_plan`.
fn forced(problem: &Problem, options: &Options<'_>) -> Result<Forced, Error> {
    let by_caller = Forced::of_one(options.kernel, options.plan)?.of_each(problem.count as usize)?;
    Ok(if options.plan.is_none() && problem.factors.is_empty() {
        Forced::algorithm(Algorithm::BinaryLeftToRight(BinaryLeftToRight)).on(by_caller.kernel)
    } else {
        by_caller
    })
}

/// Error: `bad_plan` for a kernel that squares several numbers side by side, and for an algorithm that does more than square.
fn is_one_stream(plan: &Plan) -> Result<(), Error> {
    let odd = match plan {
        Plan::Even { odd, .. } => odd,
        plan => plan,
    };
    if let Plan::Run { algorithm, form } = odd
        && form.kernel.odd()
        && !matches!(algorithm, Algorithm::BinaryLeftToRight(_) | Algorithm::BinaryRightToLeft(_))
    {
        return Err(Error::BadPlan(format!(
            "{algorithm} is not for squarings alone: binary_left_to_right on {form} is"
        )));
    }
    if plan.is_in_lanes() {
        return Err(Error::BadPlan(format!("one stream of squarings does not fill the lanes of {plan}")));
    }
    Ok(())
}

/// The shape of `squarings` squarings: modulo each factor if all are known to be powers of primes, so that their number is
/// reduced, and no other plan is forced; otherwise modulo the whole. Error: `interrupted`.
fn problem(modulus: &Prepared, squarings: u64, options: &Options<'_>, poll: &Poll<'_>) -> Result<Problem, Error> {
    let facts = modulus.facts();
    // x^(2^t) has an exponent of t + 1 bits.
    let exponent_bits = squarings.min(MOST_PLANNED) + 1;
    let mut problem = Problem {
        trailing_zeros: facts.trailing_zeros(),
        exponent_weight: Some(1),
        in_parts: facts.trailing_zeros() > 0,
        ..Problem::new(facts.bits(), exponent_bits)
    };
    if options.kernel.is_none() && options.plan.is_none_or(is_by_factors) {
        factored::learn(modulus, exponent_bits, poll)?;
        if facts.factors().iter().all(|factor| factor.is_power_of_two() || factor.group_order().is_some()) {
            problem.factors = modulus.factor_shapes();
        }
    }
    Ok(problem)
}
