//! Walks the tree of a list of powers: what is planned to go side by side goes so, parts modulo known factors too.

use crate::error::Error;
use crate::execute::lanes::{LaneJob, Workspace};
use crate::execute::prepared::Prepared;
use crate::execute::pulse::{Pulse, Watch};
use crate::execute::threads::{Answer, Answering, Answers};
use crate::execute::{crt, even, power};
use crate::exponent::Exponent;
use crate::kernel::vector::LANES;
use crate::natural::{Integer, Natural, chores};
use crate::plan::schedule::{Stage, Take};
use crate::plan::{Element, OWN_EXPONENT, Plan, PowerList, Problem, Step};
use smallvec::SmallVec;
use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};

/// Exponents that a list may repeat in turn and still be seen to share.
const RECENT_EXPONENTS: usize = 4;

/// One power of a list, with an exponent other than 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Power<'a> {
    /// Its place among the answers.
    pub(crate) place: usize,
    pub(crate) modulus: &'a Prepared<'a>,
    pub(crate) base: &'a Integer,
    pub(crate) exponent: &'a Integer,
}

impl Power<'_> {
    /// The power by itself, as a planner sees it.
    pub(crate) fn problem(&self) -> Problem {
        self.modulus.problem(self.base.magnitude(), self.exponent.magnitude())
    }

    /// Gives a power of the base without its sign that sign: (-b)^e = -(b^e) for odd e.
    fn signed(&self, power: Natural) -> Natural {
        let negative = self.base.is_negative() && !self.exponent.magnitude().is_even();
        if negative { chores::negate(power, self.modulus.facts().value()) } else { power }
    }

    /// The base without its sign, or its inverse where the exponent is negative.
    fn base(&self) -> Result<Cow<'_, Natural>, Error> {
        if !self.exponent.is_negative() {
            return Ok(Cow::Borrowed(self.base.magnitude()));
        }
        let m = self.modulus.facts().value();
        chores::inverse(&chores::rem(self.base.magnitude(), m), m).map(Cow::Owned).ok_or(Error::NotInvertible)
    }
}

/// What a power is modulo one of the known factors, without the sign of its base.
struct Part<'a> {
    /// Which power.
    of: usize,
    /// Which factor.
    index: usize,
    modulus: &'a Prepared<'a>,
    exponent: Arc<Exponent>,
    exponent_number: usize,
    /// What is forced.
    forced: Option<Plan>,
    /// What all parts of the power share.
    open: Arc<Mutex<Open>>,
}

/// A power whose parts are not all there yet.
struct Open {
    missing: usize,
    residues: Vec<Natural>,
    failed: bool,
}

/// What is computed for a power.
enum Task<'a> {
    /// The power as it is.
    Whole(usize),
    /// One of its parts.
    Part(Box<Part<'a>>),
}

/// A list of powers.
pub(crate) struct List<'a> {
    powers: Vec<Power<'a>>,
    /// The number of each exponent: see [`Element::exponent`].
    numbers: Vec<usize>,
    /// What is computed; the powers as they are where none is taken apart.
    tasks: Option<Vec<Task<'a>>>,
}

impl<'a> List<'a> {
    pub(crate) fn new(powers: Vec<Power<'a>>) -> Self {
        let numbers = numbers(&powers);
        Self { powers, numbers, tasks: None }
    }

    pub(crate) fn powers(&self) -> &[Power<'a>] {
        &self.powers
    }

    /// Whether all powers have one exponent and one modulus.
    pub(crate) fn is_alike(&self) -> bool {
        let same = |power: &Power<'_>| core::ptr::eq(power.modulus, self.powers[0].modulus);
        self.numbers.iter().all(|&number| number == 0) && self.powers.iter().all(same)
    }

    /// Takes powers apart: `plans` has an entry for each known factor of the modulus, with its plan where one is forced, or
    /// none for a power that is done as it is. Error: `interrupted`.
    pub(crate) fn take_apart(
        &mut self,
        mut plans: impl FnMut(&Power<'a>) -> Option<Vec<Option<Plan>>>,
        pulse: &Pulse<'_>,
    ) -> Result<(), Error> {
        /// Powers that are looked at between two questions whether to stop; one may take 0.1 ms to reduce its exponent.
        const POWERS_BETWEEN: usize = 256;
        let mut tasks = Vec::with_capacity(self.powers.len());
        // Exponents modulo the factors: lists repeat one or a handful, or none.
        let mut reduced: Recent<(usize, usize, &Prepared<'_>, Vec<Arc<Exponent>>)> = Recent(Vec::new());
        for (of, power) in self.powers.iter().enumerate() {
            if of % POWERS_BETWEEN == 0 && !pulse.ask() {
                return Err(Error::Interrupted);
            }
            let Some(plans) = plans(power) else {
                tasks.push(Task::Whole(of));
                continue;
            };
            let number = self.numbers[of];
            let seen = reduced.0.iter().find(|(_, other, modulus, _)| {
                *other == number && number != OWN_EXPONENT && core::ptr::eq(*modulus, power.modulus)
            });
            let (first, exponents) = match seen {
                Some((first, _, _, exponents)) => (*first, exponents.clone()),
                None => {
                    let exponents = exponents(power, &plans);
                    reduced.push((of, number, power.modulus, exponents.clone()));
                    (of, exponents)
                }
            };
            let missing = plans.len();
            let open = Open { missing, residues: vec![Natural::default(); missing], failed: false };
            let open = Arc::new(Mutex::new(open));
            for (index, (exponent, forced)) in exponents.into_iter().zip(plans).enumerate() {
                let modulus = &power.modulus.parts()[index];
                // A number that no other exponent has.
                let exponent_number =
                    if number == OWN_EXPONENT { OWN_EXPONENT } else { self.powers.len() * (1 + index) + first };
                let part = Part { of, index, modulus, exponent, exponent_number, forced, open: open.clone() };
                tasks.push(Task::Part(Box::new(part)));
            }
        }
        self.tasks = Some(tasks);
        Ok(())
    }

    /// How many elements the plan has.
    pub(crate) fn len(&self) -> usize {
        self.tasks.as_ref().map_or(self.powers.len(), Vec::len)
    }

    /// An element as a planner sees it.
    pub(crate) fn element(&self, index: usize) -> Element {
        let whole = |of: usize| Element {
            problem: self.powers[of].problem(),
            part: 0,
            exponent: self.numbers[of],
            forced: None,
        };
        match self.tasks.as_ref().map(|tasks| &tasks[index]) {
            None => whole(index),
            Some(Task::Whole(of)) => whole(*of),
            Some(Task::Part(part)) => {
                let whole = self.powers[part.of].problem();
                Element {
                    problem: whole.factor(whole.factors[part.index]),
                    part: part.index,
                    exponent: part.exponent_number,
                    forced: part.forced.clone().map(Box::new),
                }
            }
        }
    }

    /// Does the whole list of `count` answers, of which some are settled. Errors: `interrupted`.
    pub(crate) fn run(
        &self,
        list: &PowerList,
        count: usize,
        mut settled: Vec<(usize, Answer)>,
        watch: Option<&dyn Watch>,
    ) -> Result<Vec<Answer>, Error> {
        for (index, error) in &list.refused {
            self.settle(*index, Err(error.clone()), &mut |place, answer| settled.push((place, answer)));
        }
        let (mut answers, schedule) = (Answers::new(count, settled, watch), list.schedule());
        for Stage { threads, takes } in &schedule.stages {
            let work = |workspace: &mut Workspace, take: &Take, pulse: &Pulse<'_>, answer: Answering<'_>| {
                if let Step::Each(plan) = schedule.steps[take.class] {
                    self.each(plan, take, list, workspace, pulse, answer);
                }
            };
            answers.take(takes, *threads, work)?;
        }
        answers.finish()
    }

    /// Does elements that each follow one plan.
    fn each(
        &self,
        plan: &Plan,
        take: &Take,
        list: &PowerList,
        workspace: &mut Workspace,
        pulse: &Pulse<'_>,
        answer: Answering<'_>,
    ) {
        if !plan.is_in_lanes() {
            for place in take.elements.clone() {
                let index = list.element(place);
                self.settle(index, self.alone(index, plan, pulse), answer);
            }
            return;
        }
        let places = take.elements.clone().step_by(plan.lanes());
        for pack in places.map(|first| first..(first + plan.lanes()).min(take.elements.end)) {
            let indices: SmallVec<[usize; LANES]> = pack.map(|place| list.element(place)).collect();
            self.together(&indices, plan, workspace, pulse, answer);
        }
    }

    fn alone(&self, index: usize, plan: &Plan, pulse: &Pulse<'_>) -> Answer {
        let (of, modulus) = match self.tasks.as_ref().map(|tasks| &tasks[index]) {
            None => (index, self.powers[index].modulus),
            Some(Task::Whole(of)) => (*of, self.powers[*of].modulus),
            Some(Task::Part(part)) => {
                let base = self.powers[part.of].base.magnitude();
                return power(part.modulus, plan, base, &part.exponent, pulse);
            }
        };
        let of = &self.powers[of];
        let exponent = Exponent::of_nonzero(of.exponent.magnitude().clone());
        power(modulus, plan, &*of.base()?, &exponent, pulse).map(|power| of.signed(power))
    }

    /// Does elements side by side: the odd parts together, the powers of two one by one.
    fn together(
        &self,
        indices: &[usize],
        plan: &Plan,
        workspace: &mut Workspace,
        pulse: &Pulse<'_>,
        answer: Answering<'_>,
    ) {
        let mut jobs: SmallVec<[Job<'_>; LANES]> = SmallVec::new();
        for &index in indices {
            match self.job(index) {
                Ok(job) => jobs.push(job),
                Err(error) => self.settle(index, Err(error), answer),
            }
        }
        let (odd, two) = match plan {
            Plan::Even { odd, two } => (&**odd, Some(&**two)),
            odd => (odd, None),
        };
        let lanes: SmallVec<[LaneJob<'_>; LANES]> = jobs
            .iter()
            .map(|job| LaneJob { modulus: job.modulus.facts().odd(), base: &job.base, exponent: &job.exponent })
            .collect();
        let Plan::Run { algorithm, form } = odd else { return };
        let modulo_odd = match if lanes.is_empty() { return } else { workspace.powers(&lanes, algorithm, form, pulse) }
        {
            Ok(powers) => powers,
            Err(error) => return jobs.iter().for_each(|job| self.settle(job.index, Err(error.clone()), answer)),
        };
        for (job, mut residue) in jobs.iter().zip(modulo_odd) {
            let mut result = Ok(());
            if let Some(two) = two {
                let modulo_two = power(job.modulus, two, &job.base, &job.exponent, pulse);
                result = modulo_two.map(|modulo_two| even::recombine(job.modulus, &mut residue, &modulo_two));
            }
            let whole = !matches!(self.tasks.as_ref().map(|tasks| &tasks[job.index]), Some(Task::Part(_)));
            let residue = if whole { self.powers[self.of(job.index)].signed(residue) } else { residue };
            self.settle(job.index, result.map(|()| residue), answer);
        }
    }

    /// The power that an element is, or is a part of.
    fn of(&self, index: usize) -> usize {
        match self.tasks.as_ref().map(|tasks| &tasks[index]) {
            None => index,
            Some(Task::Whole(of)) => *of,
            Some(Task::Part(part)) => part.of,
        }
    }

    /// An element for a lane.
    fn job(&self, index: usize) -> Result<Job<'_>, Error> {
        if let Some(Task::Part(part)) = self.tasks.as_ref().map(|tasks| &tasks[index]) {
            let base = Cow::Borrowed(self.powers[part.of].base.magnitude());
            return Ok(Job { index, modulus: part.modulus, base, exponent: Cow::Borrowed(&part.exponent) });
        }
        let power = &self.powers[self.of(index)];
        let exponent = Cow::Owned(Exponent::of_nonzero(power.exponent.magnitude().clone()));
        Ok(Job { index, modulus: power.modulus, base: power.base()?, exponent })
    }

    /// Answers for an element: at once, or when its last part is there, or with the error of the first part that failed.
    fn settle(&self, index: usize, result: Answer, answer: Answering<'_>) {
        let part = match self.tasks.as_ref().map(|tasks| &tasks[index]) {
            None => return answer(self.powers[index].place, result),
            Some(Task::Whole(of)) => return answer(self.powers[*of].place, result),
            Some(Task::Part(part)) => part,
        };
        let power = &self.powers[part.of];
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
                        answer(power.place, Err(error));
                    }
                    return;
                }
            }
        };
        answer(power.place, Ok(power.signed(power.modulus.facts().recombine(&residues))));
    }
}

/// base^exponent modulo a number whose odd part is above 1.
struct Job<'a> {
    index: usize,
    modulus: &'a Prepared<'a>,
    base: Cow<'a, Natural>,
    exponent: Cow<'a, Exponent>,
}

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

/// For each power the first one with its exponent, as far as the last few exponents tell, or that nobody else has it.
fn numbers(powers: &[Power<'_>]) -> Vec<usize> {
    let mut recent: Recent<(&Natural, usize)> = Recent(Vec::new());
    let (mut numbers, mut repeated): (Vec<usize>, Vec<bool>) = (Vec::new(), vec![false; powers.len()]);
    for (index, power) in powers.iter().enumerate() {
        let magnitude = power.exponent.magnitude();
        let seen = recent.0.iter().rev().find(|(other, _)| core::ptr::eq(*other, magnitude) || *other == magnitude);
        let number = seen.map_or(index, |(_, number)| *number);
        if number == index {
            recent.push((magnitude, index));
        } else {
            repeated[number] = true;
        }
        numbers.push(number);
    }
    numbers.iter_mut().filter(|number| !repeated[**number]).for_each(|number| *number = OWN_EXPONENT);
    numbers
}

/// What the exponent of a power is modulo each factor.
fn exponents(power: &Power<'_>, plans: &[Option<Plan>]) -> Vec<Arc<Exponent>> {
    let exponent = Exponent::of_nonzero(power.exponent.magnitude().clone());
    let parts = power.modulus.facts().factors().iter().zip(plans);
    parts.map(|(factor, plan)| Arc::new(crt::exponent(factor, &exponent, plan.as_ref()).into_owned())).collect()
}
