//! Lists of powers: what is alike goes side by side, parts modulo known factors too; answers in order.

use super::{Modulus, Options, factored, positive_power, power, problem, shape};
use crate::error::Error;
use crate::execute::lanes::Workspace;
use crate::execute::list::Answer;
use crate::execute::prepared::Prepared;
use crate::execute::pulse::Pulse;
use crate::execute::{self, crt, together};
use crate::exponent::Exponent;
use crate::natural::{Integer, Natural, chores};
use crate::plan::{Explanation, InLine, Neighbours, Plan, Planner, Problem, Run, Shape, Work, line_of_each};
use smallvec::SmallVec;
use std::sync::{Arc, Mutex, PoisonError};

/// One element of a list: base^exponent mod modulus.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// Any integer; reduced first.
    pub base: &'a Integer,
    /// Any integer; negative ones take the inverse of the base.
    pub exponent: &'a Integer,
    /// The modulus.
    pub modulus: &'a Modulus,
}

/// A list of powers, in order, each with its own error; spread over threads. The outer error is one of the settings
/// (`bad_plan`) or `interrupted`.
pub fn pow_list(jobs: &[Job<'_>], options: &Options<'_>) -> Result<Vec<Result<Natural, Error>>, Error> {
    // A setting that cannot be read is one error, not one per element.
    let mut options = options.resolved()?;
    options.plan = options.plan.map(|line| line_of_each(line, jobs.len())).transpose()?;
    let options = &options;
    if let Some(answers) = in_order(jobs, options)? {
        return Ok(answers);
    }
    if let Some(answers) = shape::forced_powers_of_one_base(jobs, options)? {
        return Ok(answers);
    }
    let list = List::of(jobs, options)?;
    let shared = Planner::of_this_machine()?.share_out(&list.shapes, options.kernel, options.plan)?;
    let prices: Vec<f64> = shared.iter().map(|unit| unit.nanoseconds).collect();
    let (threads, watch) = (options.threads_for(prices.iter().sum()), options.watch);
    if let Some(answers) = shape::powers_of_one_base(jobs, options, &prices, threads)? {
        return Ok(answers);
    }
    execute::list::run(jobs.len(), Vec::new(), &prices, threads, watch, |workspace, unit: usize, pulse, answer| {
        list.work(&shared[unit].work, workspace, pulse, answer);
    })
}

/// What a list, not an empty one, does where each power is for itself: the plan of the longest exponent with the time of all,
/// and the expected nanoseconds of each unit of the work.
///
/// Errors as [`pow_list`], and `bad_plan` for a line that fits no element.
pub(super) fn explain(jobs: &[Job<'_>], options: &Options<'_>) -> Result<(Explanation, Vec<f64>), Error> {
    let longest = jobs.iter().max_by_key(|job| job.exponent.magnitude().bits()).expect("the list is not empty");
    let planner = Planner::of_this_machine()?;
    let list = List::of(jobs, options)?;
    let shared = planner.share_out(&list.shapes, options.kernel, options.plan)?;
    let prices: Vec<f64> = shared.iter().map(|unit| unit.nanoseconds).collect();
    let same_exponent = jobs.iter().all(|job| job.exponent == longest.exponent);
    let of_longest = problem(&longest.modulus.prepared, longest.base.magnitude(), longest.exponent.magnitude());
    let problem = Problem { count: jobs.len() as u64, same_exponent, ..of_longest };
    let explanation = planner.explain(&problem, options.kernel, options.plan)?;
    Ok((explanation.in_all(prices.iter().sum::<f64>() * 1e-9), prices))
}

/// Does a list of which no element gains by being sorted. None where some may.
fn in_order<'a>(jobs: &[Job<'a>], options: &Options<'_>) -> Result<Option<Vec<Answer>>, Error> {
    if options.kernel.is_some() || options.plan.is_some() {
        return Ok(None);
    }
    let mut before = jobs.first().map(|job| job.exponent);
    let in_line = |job: &Job<'a>| {
        let (exponent, magnitude) = (job.exponent, job.exponent.magnitude());
        let same_exponent =
            before.replace(exponent).is_some_and(|before| core::ptr::eq(before, exponent) || before == exponent);
        let plain = !job.base.is_negative()
            && !exponent.is_negative()
            && !magnitude.is_zero()
            && options.limits.check_exponent_bits(magnitude.bits()).is_ok();
        InLine { problem: problem(&job.modulus.prepared, job.base.magnitude(), magnitude), same_exponent, plain }
    };
    let Some(order) = Planner::of_this_machine()?.in_order(jobs.iter().map(in_line))? else { return Ok(None) };
    let prices = order.prices();
    let (threads, watch) = (options.threads_for(prices.iter().sum()), options.watch);
    if let Some(answers) = shape::powers_of_one_base(jobs, options, &prices, threads)? {
        return Ok(Some(answers));
    }
    let alone = |job: &Job<'_>, pulse: &Pulse<'_>| power(&job.modulus.prepared, job.base, job.exponent, options, pulse);
    if threads == 1 && watch.is_none() {
        let (pulse, mut answers) = (Pulse::none(), Vec::with_capacity(jobs.len()));
        for at in 0..order.len() {
            match order.step(at) {
                (step, None) => answers.extend(jobs[step].iter().map(|job| alone(job, &pulse))),
                (step, Some(together)) => neighbours(&jobs[step], together, &pulse, |result| answers.push(result)),
            }
        }
        return Ok(Some(answers));
    }
    let work = |(): &mut (), unit: usize, pulse: &Pulse<'_>, answer: &mut dyn FnMut(usize, Answer)| {
        let (step, together) = order.step(unit);
        let mut places = step.clone();
        let mut next = |result| {
            if let Some(place) = places.next() {
                answer(place, result);
            }
        };
        match together {
            None => jobs[step].iter().for_each(|job| next(alone(job, pulse))),
            Some(together) => neighbours(&jobs[step], together, pulse, next),
        }
    };
    execute::list::run(jobs.len(), Vec::new(), &prices, threads, watch, work).map(Some)
}

/// Neighbours side by side, their answers in order.
fn neighbours(jobs: &[Job<'_>], runs: &Neighbours, pulse: &Pulse<'_>, answer: impl FnMut(Answer)) {
    let neighbours = jobs.iter().map(|job| together::Neighbour {
        modulus: &job.modulus.prepared,
        base: job.base.magnitude(),
        exponent: job.exponent.magnitude(),
    });
    together::neighbours(&neighbours.collect::<SmallVec<[_; 8]>>(), runs, pulse, answer);
}

/// Exponents that a list may repeat in turn and still be seen to share.
const RECENT_EXPONENTS: usize = 4;

/// Elements that are looked at between two questions whether to stop; one may take 0.1 ms, where exponents are reduced.
const ELEMENTS_BETWEEN: usize = 256;

/// The last few things of a kind.
struct Recent<T>(Vec<T>);

impl<T> Recent<T> {
    fn push(&mut self, thing: T) {
        if self.0.len() == RECENT_EXPONENTS {
            self.0.remove(0);
        }
        self.0.push(thing);
    }
}

/// What is computed for an element of a list.
enum Task<'a> {
    /// The element as it is, by its place.
    Whole(usize),
    /// What it is modulo one of the known factors, without the sign of its base.
    Part(Box<Part<'a>>),
}

struct Part<'a> {
    /// Of the element.
    place: usize,
    /// Which factor.
    index: usize,
    modulus: &'a Prepared<'a>,
    exponent: Arc<Exponent>,
    /// What is forced.
    plan: Option<Plan>,
    /// What all parts of the element share.
    open: Arc<Mutex<Open>>,
}

/// An element whose parts are not all there yet.
struct Open {
    missing: usize,
    residues: Vec<Natural>,
    failed: bool,
}

/// A list with what its elements take, each task with its shape.
struct List<'a> {
    jobs: &'a [Job<'a>],
    options: &'a Options<'a>,
    tasks: Vec<Task<'a>>,
    shapes: Vec<Shape>,
}

impl<'a> List<'a> {
    /// Elements that are an error, or known without a product, or need an inverse first, stand alone: they cannot spoil a
    /// neighbour. Error: `interrupted`: lists may be long, and factors are tested for primality where exponents gain by it.
    fn of(jobs: &'a [Job<'a>], options: &'a Options<'a>) -> Result<Self, Error> {
        let (tasks, shapes) = (Vec::with_capacity(jobs.len()), Vec::with_capacity(jobs.len()));
        let mut list = Self { jobs, options, tasks, shapes };
        // The last few exponents that differ, with their numbers: lists repeat one or a handful, or none.
        let mut recent: Recent<(&Natural, usize)> = Recent(Vec::new());
        let number = |(index, job): (usize, &Job<'a>)| {
            let magnitude = job.exponent.magnitude();
            let seen = recent.0.iter().find(|(other, _)| core::ptr::eq(*other, magnitude) || *other == magnitude);
            if let Some(&(_, number)) = seen {
                return number;
            }
            recent.push((magnitude, index));
            index
        };
        let numbers: Vec<usize> = jobs.iter().enumerate().map(number).collect();
        let alike = |(job, number): (&Job<'_>, &usize)| {
            *number == numbers[0] && Arc::ptr_eq(&job.modulus.prepared, &jobs[0].modulus.prepared)
        };
        let alike = jobs.iter().zip(&numbers).all(alike);
        // What exponents are modulo the factors, the place where that was first met, and the number of the exponent.
        let mut reduced: Recent<(usize, usize, &Prepared, Vec<Arc<Exponent>>)> = Recent(Vec::new());
        let pulse = Pulse::new(options.watch, None);
        for (place, (job, &number)) in jobs.iter().zip(&numbers).enumerate() {
            if place % ELEMENTS_BETWEEN == 0 && !pulse.ask() {
                return Err(Error::Interrupted);
            }
            let (prepared, magnitude) = (&*job.modulus.prepared, job.exponent.magnitude());
            let plain = options.limits.check_exponent_bits(magnitude.bits()).is_ok()
                && !job.exponent.is_negative()
                && !magnitude.is_zero();
            if plain && !prepared.parts().is_empty() {
                factored::learn(prepared, magnitude.bits(), &pulse)?;
            }
            let whole = problem(prepared, job.base.magnitude(), magnitude);
            let parts = if plain { list.parts(&whole, alike)? } else { None };
            let Some(plans) = parts else {
                let odd = !prepared.facts().odd().is_one();
                let fits_lanes = plain && odd && prepared.parts().is_empty();
                list.shapes.push(Shape { problem: whole, part: 0, exponent: number, fits_lanes, plan: None });
                list.tasks.push(Task::Whole(place));
                continue;
            };
            let seen = reduced.0.iter().find(|(_, other, of, _)| *other == number && core::ptr::eq(*of, prepared));
            let (first, exponents) = match seen {
                Some((first, _, _, exponents)) => (*first, exponents.clone()),
                None => {
                    let exponents = list.exponents(prepared, magnitude, &plans);
                    reduced.push((place, number, prepared, exponents.clone()));
                    (place, exponents)
                }
            };
            let missing = whole.factors.len();
            let open = Open { missing, residues: vec![Natural::default(); missing], failed: false };
            let open = Arc::new(Mutex::new(open));
            for (index, (exponent, plan)) in exponents.into_iter().zip(plans).enumerate() {
                let problem = whole.factor(whole.factors[index]);
                let fits_lanes = problem.odd_bits() > 1;
                // A number that no other exponent has.
                let exponent_number = jobs.len() * (1 + index) + first;
                list.shapes.push(Shape {
                    problem,
                    part: index,
                    exponent: exponent_number,
                    fits_lanes,
                    plan: plan.clone().map(Box::new),
                });
                let modulus = &prepared.parts()[index];
                let part = Part { place, index, modulus, exponent, plan, open: open.clone() };
                list.tasks.push(Task::Part(Box::new(part)));
            }
        }
        Ok(list)
    }

    /// One entry for each factor of the modulus, with its plan where one is forced. None for an element that is done as it is:
    /// without known factors, or by a forced plan that leaves nothing to the lanes.
    fn parts(&self, whole: &Problem, alike: bool) -> Result<Option<Vec<Option<Plan>>>, Error> {
        let Options { kernel, plan, .. } = *self.options;
        if whole.factors.is_empty() || self.jobs.len() < 2 {
            return Ok(None);
        }
        if kernel.is_none() && plan.is_none() {
            return Ok(Some(vec![None; whole.factors.len()]));
        }
        let problem = Problem { count: self.jobs.len() as u64, same_exponent: alike, ..whole.clone() };
        // An element says itself what is wrong with a plan.
        let Ok(Plan::Batch { plan, .. }) = Planner::of_this_machine()?.plan_with(&problem, kernel, plan) else {
            return Ok(None);
        };
        let Plan::Crt(plans) = *plan else { return Ok(None) };
        Ok(plans.iter().any(Plan::is_in_lanes).then(|| plans.into_iter().map(Some).collect()))
    }

    /// What an exponent is modulo each factor.
    fn exponents(&self, modulus: &Prepared, exponent: &Natural, plans: &[Option<Plan>]) -> Vec<Arc<Exponent>> {
        let Some(exponent) = Exponent::new(exponent.clone()) else { return Vec::new() };
        let parts = modulus.facts().factors().iter().zip(plans);
        parts.map(|(factor, plan)| Arc::new(crt::exponent(factor, &exponent, plan.as_ref()).into_owned())).collect()
    }

    /// Does one unit.
    fn work(
        &self,
        unit: &Work,
        workspace: &mut Workspace,
        pulse: &Pulse<'_>,
        answer: &mut dyn FnMut(usize, Result<Natural, Error>),
    ) {
        match unit {
            Work::Alone(index) => {
                let result = match &self.tasks[*index] {
                    Task::Whole(place) => {
                        let Job { base, exponent, modulus } = self.jobs[*place];
                        power(&modulus.prepared, base, exponent, self.options, pulse)
                    }
                    Task::Part(part) => self.part_alone(part, pulse),
                };
                self.settle(*index, result, answer);
            }
            Work::Together { algorithm, form, jobs: indices } => {
                let pack = indices.iter().filter_map(|(index, two)| self.in_lanes(*index, two.as_ref()));
                match together::powers(workspace, &pack.collect::<Vec<_>>(), algorithm, form, pulse) {
                    Ok(powers) => indices.iter().zip(powers).for_each(|((index, _), power)| {
                        self.settle(*index, Ok(power), answer);
                    }),
                    Err(error) => indices.iter().for_each(|(index, _)| self.settle(*index, Err(error.clone()), answer)),
                }
            }
        }
    }

    fn part_alone(&self, part: &Part<'_>, pulse: &Pulse<'_>) -> Result<Natural, Error> {
        let base = self.jobs[part.place].base.magnitude();
        match &part.plan {
            Some(plan) => execute::power(part.modulus, plan, base, &part.exponent, pulse),
            None => positive_power(part.modulus, base, &part.exponent, self.options, pulse),
        }
    }

    fn in_lanes<'j>(&'j self, index: usize, two: Option<&'j Run>) -> Option<together::Job<'j>> {
        Some(match &self.tasks[index] {
            Task::Whole(place) => {
                let Job { base, exponent, modulus } = self.jobs[*place];
                let exponent = Exponent::new(exponent.magnitude().clone())?;
                let (negative, base) = (base.is_negative(), base.magnitude());
                together::Job { modulus: &modulus.prepared, base, negative, exponent, two }
            }
            Task::Part(part) => {
                let base = self.jobs[part.place].base.magnitude();
                let exponent = Exponent::clone(&part.exponent);
                together::Job { modulus: part.modulus, base, negative: false, exponent, two }
            }
        })
    }

    /// Answers for an element: at once, or when its last part is there, or with the error of the first part that failed.
    fn settle(
        &self,
        index: usize,
        result: Result<Natural, Error>,
        answer: &mut dyn FnMut(usize, Result<Natural, Error>),
    ) {
        let part = match &self.tasks[index] {
            Task::Whole(place) => return answer(*place, result),
            Task::Part(part) => part,
        };
        let place = part.place;
        let residues = {
            let mut open = part.open.lock().unwrap_or_else(PoisonError::into_inner);
            match result {
                Ok(residue) => {
                    open.residues[part.index] = residue;
                    open.missing -= 1;
                    if open.missing > 0 || open.failed {
                        return;
                    }
                    core::mem::take(&mut open.residues)
                }
                Err(error) => {
                    if !core::mem::replace(&mut open.failed, true) {
                        answer(place, Err(error));
                    }
                    return;
                }
            }
        };
        let Job { base, exponent, modulus } = self.jobs[place];
        let facts = modulus.prepared.facts();
        let power = facts.recombine(&residues);
        // (-b)^e = -(b^e) for odd e.
        let negative = base.is_negative() && !exponent.magnitude().is_even();
        answer(place, Ok(if negative { chores::negate(power, facts.value()) } else { power }));
    }
}
