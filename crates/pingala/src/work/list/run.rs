//! Walks the tree of a list of powers: single runs, batches in lanes, parts modulo known factors.

use crate::engine::execute::lanes::{LaneJob, Workspace};
use crate::engine::execute::normalise::Element;
use crate::engine::execute::poll::{Poll, Watch};
use crate::engine::execute::prepared::Prepared;
use crate::engine::execute::threads::{Answer, Answering, Answers};
use crate::engine::execute::{crt, even, power};
use crate::engine::plan::parts::Divisible;
use crate::engine::plan::schedule::Chunk;
use crate::engine::plan::{ListPlan, Plan, Problem};
use crate::error::{Error, pairs};
use crate::exponent::Exponent;
use crate::kernel::vector::LANES;
use crate::natural::Natural;
use crate::work::list::plan::{Key, ListedProblem, OWN_EXPONENT};
use smallvec::SmallVec;
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
    /// Which power.
    of: usize,
    /// Which factor.
    index: usize,
    modulus: &'a Prepared<'a>,
    exponent: Arc<Exponent>,
    exponent_number: usize,
    /// The forced plan.
    forced: Option<Plan>,
    /// The data that all parts of the power share.
    open: Arc<Mutex<Open>>,
}

/// A power whose parts are not all there yet.
struct Open {
    missing: usize,
    residues: Vec<Option<Natural>>,
    failed: bool,
}

/// The tasks of a power.
enum ListTask<'a> {
    /// A power that is not split.
    Whole(usize),
    /// One of its parts.
    Part(Box<FactorTask<'a>>),
}

/// A list of powers.
pub(crate) struct List<'a> {
    powers: Vec<Element<'a>>,
    /// The number of each exponent: see [`ListedProblem::exponent`]. None if all are equal.
    numbers: Option<Vec<usize>>,
    /// The tasks; the powers themselves if none is split.
    tasks: Option<Vec<ListTask<'a>>>,
}

impl<'a> List<'a> {
    pub(crate) fn new(powers: Vec<Element<'a>>) -> Self {
        let numbers = numbers(&powers);
        Self { powers, numbers, tasks: None }
    }

    pub(crate) fn powers(&self) -> &[Element<'a>] {
        &self.powers
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
        poll: &Poll<'_>,
    ) -> Result<(), Error> {
        /// Powers between two polls: reducing that number of long exponents takes some ten milliseconds.
        const POWERS_BETWEEN: usize = 256;
        let mut tasks = Vec::with_capacity(self.powers.len());
        // Exponents modulo the factors: lists repeat one or a handful, or none.
        let mut reduced: Recent<(usize, usize, &Prepared<'_>, Vec<Arc<Exponent>>)> = Recent(Vec::new());
        for (of, power) in self.powers.iter().enumerate() {
            if of % POWERS_BETWEEN == 0 && !poll.now() {
                return Err(Error::Interrupted);
            }
            let Some(plans) = plans(power) else {
                tasks.push(ListTask::Whole(of));
                continue;
            };
            let number = self.number(of);
            let seen = reduced.0.iter().find(|(_, other, modulus, _)| {
                *other == number && number != OWN_EXPONENT && core::ptr::eq(*modulus, power.modulus)
            });
            let (first, exponents) = match seen {
                Some((first, _, _, exponents)) => (*first, exponents.clone()),
                None => {
                    let exponents = exponents(power, &plans)?;
                    reduced.push((of, number, power.modulus, exponents.clone()));
                    (of, exponents)
                }
            };
            let missing = plans.len();
            let open = Open { missing, residues: vec![None; missing], failed: false };
            let open = Arc::new(Mutex::new(open));
            for (index, (exponent, forced)) in pairs(exponents, plans)?.enumerate() {
                let modulus = &power.modulus.parts()[index];
                // A number that no other exponent has.
                let exponent_number =
                    if number == OWN_EXPONENT { OWN_EXPONENT } else { self.powers.len() * (1 + index) + first };
                let part = FactorTask { of, index, modulus, exponent, exponent_number, forced, open: open.clone() };
                tasks.push(ListTask::Part(Box::new(part)));
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

    fn key(&self, index: usize) -> Key {
        let Some(part) = self.part(index) else { return self.key_of(self.of(index)) };
        let modulus = core::ptr::from_ref(self.powers[part.of].modulus).addr();
        Key::new(&self.element(index).problem, Some(part.index), part.exponent_number, modulus)
    }

    #[inline]
    fn key_of(&self, of: usize) -> Key {
        let power = &self.powers[of];
        let has_factors = !power.modulus.parts().is_empty();
        let modulus = if has_factors { core::ptr::from_ref(power.modulus).addr() } else { 0 };
        Key::new(&power.problem(), None, self.number(of), modulus)
    }

    /// An element as a planner sees it.
    pub(crate) fn element(&self, index: usize) -> ListedProblem {
        let Some(part) = self.part(index) else {
            let of = self.of(index);
            let problem = self.powers[of].problem();
            return ListedProblem { problem, factor: None, exponent: self.number(of), forced: None };
        };
        let whole = self.powers[part.of].problem();
        ListedProblem {
            problem: whole.modulo(whole.factors[part.index]),
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
        answers.walk(&list.schedule(), |workspace: &mut Workspace, step, chunk, poll, answer| {
            self.each(step.plan, chunk, list, workspace, poll, answer);
        })
    }

    /// Does elements that each follow one plan.
    fn each(
        &self,
        plan: &Plan,
        chunk: &Chunk,
        list: &ListPlan,
        workspace: &mut Workspace,
        poll: &Poll<'_>,
        answer: Answering<'_>,
    ) {
        if !plan.is_in_lanes() {
            for place in chunk.elements.clone() {
                let index = list.element(place);
                self.answer_element(index, self.run_single(index, plan, poll), answer);
            }
            return;
        }
        let places = chunk.elements.clone().step_by(plan.lanes());
        for pack in places.map(|first| first..(first + plan.lanes()).min(chunk.elements.end)) {
            let indices: SmallVec<[usize; LANES]> = pack.map(|place| list.element(place)).collect();
            self.run_lanes(&indices, plan, workspace, poll, answer);
        }
    }

    fn run_single(&self, index: usize, plan: &Plan, poll: &Poll<'_>) -> Answer {
        let of = &self.powers[self.of(index)];
        if let Some(part) = self.part(index) {
            return power(part.modulus, plan, of.base, &part.exponent, poll);
        }
        let exponent = Exponent::of_nonzero(of.exponent.clone());
        power(of.modulus, plan, of.base, &exponent, poll).map(|power| of.signed(power))
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
                let exponent = self.exponent(indices[if one_exponent { 0 } else { lane }]);
                let base = self.powers[self.of(indices[lane])].base;
                LaneJob { modulus: self.modulus(indices[lane]).facts().odd(), base, exponent }
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
                let exponent = Exponent::of_nonzero(lane.exponent.clone());
                match power(modulus, two, lane.base, &exponent, poll) {
                    Ok(modulo_two) => even::recombine(modulus, &mut residue, &modulo_two),
                    Err(error) => return self.answer_element(index, Err(error), answer),
                }
            }
            let of = &self.powers[self.of(index)];
            if self.part(index).is_none() {
                residue = of.signed(residue);
            }
            self.answer_element(index, Ok(residue), answer);
        };
        if let Err(error) = workspace.powers(&lanes, algorithm, form, poll, each) {
            indices.iter().for_each(|&index| self.answer_element(index, Err(error.clone()), answer));
        }
    }

    /// The exponent of an element.
    fn exponent(&self, index: usize) -> &Natural {
        self.part(index).map_or(self.powers[self.of(index)].exponent, |part| part.exponent.magnitude())
    }

    /// The modulus of an element.
    fn modulus(&self, index: usize) -> &Prepared<'a> {
        self.part(index).map_or(self.powers[self.of(index)].modulus, |part| part.modulus)
    }

    /// An element that is a part of a power; none for a whole power.
    #[inline]
    fn part(&self, index: usize) -> Option<&FactorTask<'a>> {
        match self.tasks.as_ref().map(|tasks| &tasks[index]) {
            Some(ListTask::Part(part)) => Some(part),
            _ => None,
        }
    }

    /// The power that an element is, or is a part of.
    fn of(&self, index: usize) -> usize {
        match self.tasks.as_ref().map(|tasks| &tasks[index]) {
            None => index,
            Some(ListTask::Whole(of)) => *of,
            Some(ListTask::Part(part)) => part.of,
        }
    }

    /// Answers for an element: at once, or when its last part is there, or with the error of the first part that failed.
    fn answer_element(&self, index: usize, result: Answer, answer: Answering<'_>) {
        let power = &self.powers[self.of(index)];
        let Some(part) = self.part(index) else { return answer(power.place, result) };
        let residues = {
            let mut open = part.open.lock().unwrap_or_else(PoisonError::into_inner);
            match result {
                Ok(residue) => {
                    open.residues[part.index] = Some(residue);
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
        let residues: Vec<Natural> = residues.into_iter().flatten().collect();
        answer(power.place, power.modulus.facts().recombine(&residues).map(|result| power.signed(result)));
    }
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
    let mut recent: Recent<(&Natural, usize)> = Recent(Vec::new());
    let (mut numbers, mut repeated) = (vec![OWN_EXPONENT; powers.len()], vec![false; powers.len()]);
    let mut repeats = 0;
    for (index, power) in powers.iter().enumerate() {
        let magnitude = power.exponent;
        let seen = recent.0.iter().rev().find(|(other, _)| core::ptr::eq(*other, magnitude) || *other == magnitude);
        numbers[index] = seen.map_or(index, |(_, number)| *number);
        if numbers[index] == index {
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
