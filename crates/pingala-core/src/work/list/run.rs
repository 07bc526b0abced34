//! Walks the tree of a list of powers: single runs, batches in lanes, parts modulo known factors.

use crate::engine::execute::{
    Answer, Answering, Answers, Element, LaneJob, Poll, Power, Prepared, Watch, Workspace, crt, even, while_reading,
};
use crate::engine::plan::parts::Divisible;
use crate::engine::plan::{ListPlan, Plan, Problem};
use crate::error::{Error, pairs};
use crate::exponent::Exponent;
use crate::kernel::vector::LANES;
use crate::natural::Natural;
use crate::work::list::plan::{Key, ListedProblem, OWN_EXPONENT};
use smallvec::SmallVec;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Exponents that a list may repeat in turn and still be seen to share.
const RECENT_EXPONENTS: usize = 4;

impl Element<'_> {
    /// The power as a problem of the planner.
    #[inline]
    pub(crate) fn problem(&self) -> Problem {
        self.modulus.problem(self.base, self.exponent)
    }

    #[inline]
    fn has_long_base(&self) -> bool {
        self.base.bits() > Problem::SHORT_BASE_BITS
    }
}

/// A power modulo one of the known factors, without the sign of its base.
struct FactorTask<'a> {
    /// Which factor.
    index: usize,
    modulus: &'a Prepared<'a>,
    exponent: Arc<Exponent>,
    exponent_number: usize,
    /// The forced plan.
    forced: Option<Plan>,
    /// The residues of the power modulo all its factors, as far as they are there; none after the first error.
    residues: Arc<Mutex<Option<Vec<Option<Natural>>>>>,
}

/// A list of powers.
pub(crate) struct List<'a> {
    pub(crate) powers: Vec<Element<'a>>,
    /// The number of each exponent: see [`ListedProblem::exponent`]. None if all are equal.
    numbers: Option<Vec<usize>>,
    /// The tasks, each a power, or its part modulo a factor; the powers themselves if none is split.
    tasks: Option<Vec<(usize, Option<Box<FactorTask<'a>>>)>>,
}

impl<'a> List<'a> {
    pub(crate) fn new(powers: Vec<Element<'a>>) -> Self {
        let numbers = numbers(&powers);
        Self { powers, numbers, tasks: None }
    }

    /// Whether all powers have one exponent and one modulus.
    pub(crate) fn is_alike(&self) -> bool {
        let same = |power: &Element<'_>| core::ptr::eq(power.modulus, self.powers[0].modulus);
        self.numbers.is_none() && self.powers.iter().all(same)
    }

    /// Splits powers by the known factors of their moduli: `plans` has an entry for each factor, with its plan if one is forced, or
    /// none for a power that is not split. Error: `interrupted`.
    pub(crate) fn split_by_factors(
        &mut self,
        mut plans: impl FnMut(&Element<'a>) -> Option<Vec<Option<Plan>>>,
        watch: Option<&dyn Watch>,
    ) -> Result<(), Error> {
        let mut tasks = Vec::with_capacity(self.powers.len());
        // Exponents modulo the factors, each with the first power that has it: lists repeat one or a handful, or none.
        let mut reduced: HashMap<_, (usize, Vec<Arc<Exponent>>)> = HashMap::new();
        for (of, power) in self.powers.iter().enumerate() {
            while_reading(watch, of)?;
            let Some(plans) = plans(power) else {
                tasks.push((of, None));
                continue;
            };
            let number = self.number(of);
            let key = (number, core::ptr::from_ref(power.modulus));
            let (first, exponents) = match reduced.get(&key) {
                Some(seen) => seen.clone(),
                None => (of, exponents(power, &plans)?),
            };
            if first == of && number != OWN_EXPONENT {
                reduced.insert(key, (first, exponents.clone()));
            }
            let residues = Arc::new(Mutex::new(Some(vec![None; plans.len()])));
            for (index, (exponent, forced)) in pairs(exponents, plans)?.enumerate() {
                let modulus = &power.modulus.parts()[index];
                // A number that no other exponent has.
                let exponent_number =
                    if number == OWN_EXPONENT { OWN_EXPONENT } else { self.powers.len() * (1 + index) + first };
                let residues = residues.clone();
                let part = FactorTask { index, modulus, exponent, exponent_number, forced, residues };
                tasks.push((of, Some(Box::new(part))));
            }
        }
        self.tasks = Some(tasks);
        Ok(())
    }

    /// The number of the exponent of a power.
    #[inline]
    fn number(&self, of: usize) -> usize {
        self.numbers.as_ref().map_or(0, |numbers| numbers[of])
    }

    /// How many elements the plan has.
    pub(crate) fn len(&self) -> usize {
        self.tasks.as_ref().map_or(self.powers.len(), Vec::len)
    }

    /// The key of an element; none if it is certainly that of the element before.
    #[inline]
    pub(crate) fn new_key(&self, index: usize) -> Option<Key> {
        let same = self.tasks.is_none() && index > 0 && self.number(index - 1) == self.number(index) && {
            let (one, other) = (&self.powers[index - 1], &self.powers[index]);
            let own = self.number(index) == OWN_EXPONENT;
            one.has_long_base()
                && other.has_long_base()
                && moduli_look_alike(one.modulus, other.modulus)
                && (!own || exponents_look_alike(one.exponent, other.exponent))
        };
        (!same).then(|| self.key(index))
    }

    #[inline]
    fn key(&self, index: usize) -> Key {
        let power = self.task(index).1;
        let has_factors = !power.modulus.parts().is_empty();
        self.element(index).key(if has_factors { core::ptr::from_ref(power.modulus).addr() } else { 0 })
    }

    /// An element as a planner sees it.
    #[inline]
    pub(crate) fn element(&self, index: usize) -> ListedProblem {
        let (of, power, part) = self.task(index);
        let problem = power.problem();
        let Some(part) = part else {
            return ListedProblem { problem, factor: None, exponent: self.number(of), forced: None };
        };
        ListedProblem {
            problem: problem.modulo(problem.factors[part.index]),
            factor: Some(part.index),
            exponent: part.exponent_number,
            forced: part.forced.clone().map(Box::new),
        }
    }

    /// Computes the whole list of `count` results, of which some are settled. Errors: `interrupted`.
    pub(crate) fn run(
        &self,
        list: &ListPlan,
        count: usize,
        mut trivial_results: Vec<(usize, Answer)>,
        watch: Option<&dyn Watch>,
    ) -> Result<Vec<Answer>, Error> {
        for (index, error) in &list.refused {
            self.answer_element(*index, Err(error.clone()), &mut |place, answer| trivial_results.push((place, answer)));
        }
        let answers = Answers::new(count, trivial_results, watch);
        answers.walk_each(list, |workspace: &mut Workspace, plan, indices, poll, answer| {
            if plan.is_in_lanes() {
                return self.run_lanes(indices, plan, workspace, poll, answer);
            }
            indices.iter().for_each(|&index| self.answer_element(index, self.run_single(index, plan, poll), answer));
        })
    }

    fn run_single(&self, index: usize, plan: &Plan, poll: &Poll<'_>) -> Answer {
        let (_, of, part) = self.task(index);
        if let Some(part) = part {
            return Power { modulus: part.modulus, base: of.base, exponent: &part.exponent, poll }.by(plan);
        }
        let exponent = &Exponent::of_nonzero(of.exponent.clone());
        Power { modulus: of.modulus, base: of.base, exponent, poll }.by(plan).map(|power| of.signed(power))
    }

    /// Computes elements in lanes: the odd parts together, the powers of two one at a time.
    fn run_lanes(
        &self,
        indices: &[usize],
        plan: &Plan,
        workspace: &mut Workspace,
        poll: &Poll<'_>,
        answer: Answering<'_>,
    ) {
        let one_exponent = self.tasks.is_none() && self.numbers.is_none();
        let lanes: SmallVec<[LaneJob<'_>; LANES]> = (0..indices.len())
            .map(|lane| {
                // If all have one exponent, it comes from one place, so that it need not be compared.
                let (_, of, part) = self.task(indices[if one_exponent { 0 } else { lane }]);
                let exponent = part.map_or(of.exponent, |part| part.exponent.magnitude());
                let (modulus, base) = (self.modulus(indices[lane]).facts().odd(), self.task(indices[lane]).1.base);
                LaneJob { modulus, base, exponent }
            })
            .collect();
        let (odd, two) = match plan {
            Plan::Even { odd, two } => (&**odd, Some(&**two)),
            odd => (odd, None),
        };
        let Plan::Run { algorithm, form } = odd else { return };
        // Avoids copies, which are measurable for short results.
        let each = |at: usize, mut residue: Natural| {
            let (index, lane) = (indices[at], &lanes[at]);
            if let Some(two) = two {
                let modulus = self.modulus(index);
                let exponent = &Exponent::of_nonzero(lane.exponent.clone());
                match (Power { modulus, base: lane.base, exponent, poll }).by(two) {
                    Ok(modulo_two) => even::recombine(modulus, &mut residue, &modulo_two),
                    Err(error) => return self.answer_element(index, Err(error), answer),
                }
            }
            let (_, of, part) = self.task(index);
            if part.is_none() {
                residue = of.signed(residue);
            }
            self.answer_element(index, Ok(residue), answer);
        };
        if let Err(error) = workspace.powers(&lanes, algorithm, form, poll, each) {
            indices.iter().for_each(|&index| self.answer_element(index, Err(error.clone()), answer));
        }
    }

    /// The modulus of an element.
    fn modulus(&self, index: usize) -> &Prepared<'a> {
        let (_, power, part) = self.task(index);
        part.map_or(power.modulus, |part| part.modulus)
    }

    /// The power that an element is, or is a part of, with its index; and the part.
    #[inline]
    fn task(&self, index: usize) -> (usize, &Element<'a>, Option<&FactorTask<'a>>) {
        let (of, part) = match &self.tasks {
            None => (index, None),
            Some(tasks) => (tasks[index].0, tasks[index].1.as_deref()),
        };
        (of, &self.powers[of], part)
    }

    /// Answers for an element: at once, or when its last part is there, or with the error of the first part that failed.
    fn answer_element(&self, index: usize, result: Answer, answer: Answering<'_>) {
        let (_, power, part) = self.task(index);
        let Some(part) = part else { return answer(power.place, result) };
        let mut open = part.residues.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(residues) = open.as_mut() else { return };
        match result {
            Ok(residue) => residues[part.index] = Some(residue),
            Err(error) => {
                *open = None;
                return answer(power.place, Err(error));
            }
        }
        if residues.iter().all(Option::is_some) {
            let residues: Vec<Natural> = open.take().into_iter().flatten().flatten().collect();
            drop(open);
            answer(power.place, power.modulus.facts().recombine(&residues).map(|result| power.signed(result)));
        }
    }
}

/// For each power the index of the first recent power with the same exponent, or [`OWN_EXPONENT`]; none if all exponents are equal.
fn numbers(powers: &[Element<'_>]) -> Option<Vec<usize>> {
    /// If this many exponents from the first one on differ, the others are taken to differ too.
    const LOOKED_AT: usize = 64;
    let first = powers.first()?.exponent;
    let is_first = |power: &Element<'_>| core::ptr::eq(power.exponent, first) || power.exponent == first;
    let alike = powers.iter().take_while(|power| is_first(power)).count();
    if alike == powers.len() && (alike > 1 || powers.is_empty()) {
        return None;
    }
    let mut recent: Vec<(&Natural, usize)> = Vec::new();
    let (mut numbers, mut repeated) = (vec![OWN_EXPONENT; powers.len()], vec![false; powers.len()]);
    let mut repeats = 0;
    for (index, power) in powers.iter().enumerate() {
        let magnitude = power.exponent;
        let seen = recent.iter().rev().find(|(other, _)| core::ptr::eq(*other, magnitude) || *other == magnitude);
        numbers[index] = seen.map_or(index, |(_, number)| *number);
        if numbers[index] == index {
            if recent.len() == RECENT_EXPONENTS {
                recent.remove(0);
            }
            recent.push((magnitude, index));
        } else {
            repeated[numbers[index]] = true;
            repeats += 1;
        }
        if index == LOOKED_AT && repeats == 0 {
            break;
        }
    }
    let own = |number: &&mut usize| **number != OWN_EXPONENT && !repeated[**number];
    numbers.iter_mut().filter(own).for_each(|number| *number = OWN_EXPONENT);
    Some(numbers)
}

/// Whether a planner does not tell these moduli apart by themselves.
fn moduli_look_alike(one: &Prepared<'_>, other: &Prepared<'_>) -> bool {
    let is_odd_and_whole = |modulus: &Prepared<'_>| modulus.parts().is_empty() && modulus.facts().trailing_zeros() == 0;
    core::ptr::eq(one, other)
        || (one.facts().value().limbs().len() == other.facts().value().limbs().len()
            && is_odd_and_whole(one)
            && is_odd_and_whole(other))
}

/// Whether a planner does not tell these exponents apart by themselves.
fn exponents_look_alike(one: &Natural, other: &Natural) -> bool {
    let is_usual = |exponent: &Natural| Problem::is_usual_weight(exponent.weight(), exponent.bits());
    one.bits() == other.bits() && is_usual(one) && is_usual(other)
}

/// The exponents of a power modulo each factor.
fn exponents(power: &Element<'_>, plans: &[Option<Plan>]) -> Result<Vec<Arc<Exponent>>, Error> {
    let exponent = Exponent::of_nonzero(power.exponent.clone());
    let parts = pairs(power.modulus.facts().factors(), plans)?;
    Ok(parts.map(|(factor, plan)| Arc::new(crt::exponent(factor, &exponent, plan.as_ref()).into_owned())).collect())
}
