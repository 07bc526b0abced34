//! Normalisation: arguments with signs and of any size become elements without signs, or results that need no work.
//!
//! An element has a base without a sign and an exponent of 1 or more, for one modulus above 1. The rules, of which the first that applies
//! wins: an exponent over the cap is an error; modulo 1 every result is 0; an exponent of 0 gives 1; a negative exponent needs the inverse
//! of the base; an odd exponent keeps the sign of the base, which the result gets.

use crate::engine::execute::{
    Answer, Answering, Answers, NestedWatch, Poll, Prepared, Watch, inverses::inverses, while_reading,
};
use crate::engine::plan::{Chunk, InverseList, ThreadBudget};
use crate::error::{Error, pairs};
use crate::kernel::matrix_products::means;
use crate::natural::{Integer, Natural, chores, euclid};
use core::mem::replace;
use std::collections::HashMap;

/// A power as the caller gives it, in whatever form.
pub(crate) trait Argument<'a>: Copy {
    fn base(self) -> &'a Integer;

    fn exponent(self) -> &'a Integer;

    fn modulus(self) -> &'a Prepared<'a>;
}

/// A power without signs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Element<'a> {
    /// Its place among the results.
    pub(crate) place: usize,
    pub(crate) modulus: &'a Prepared<'a>,
    /// Not reduced: a short base stays short.
    pub(crate) base: &'a Natural,
    /// At least 1.
    pub(crate) exponent: &'a Natural,
    /// Whether the base is the inverse of the caller's.
    pub(crate) inverted: bool,
    /// Whether the result is that of the caller with the other sign.
    pub(crate) negated: bool,
}

impl Element<'_> {
    /// The caller's result from that of the element.
    pub(crate) fn signed(&self, power: Natural) -> Natural {
        if self.negated { chores::negate(power, self.modulus.facts().value()) } else { power }
    }
}

/// The result of a power that needs no work: an exponent of more than `cap` bits, a modulus of 1, an exponent of 0.
#[inline]
pub(crate) fn trivial(m: &Natural, exponent: &Integer, cap: u64) -> Option<Answer> {
    let length = exponent.magnitude().bits();
    if length > cap {
        return Some(Err(Error::TooLong { what: "exponent", length, cap }));
    }
    if m.is_one() {
        return Some(Ok(Natural::default()));
    }
    (length == 0).then(|| Ok(Natural::from(1u64)))
}

/// The power of a base of 0, 1 or -1, for m above 1 and an exponent that is not 0. Element's error: `not_invertible`.
#[inline]
pub(crate) fn of_unit(m: &Natural, base: &Integer, exponent: &Integer) -> Option<Answer> {
    match *base.magnitude().limbs() {
        [] if exponent.is_negative() => Some(Err(Error::NotInvertible)),
        [] => Some(Ok(Natural::default())),
        [1] => {
            let one = Natural::from(1u64);
            let negative = base.is_negative() && !exponent.magnitude().is_even();
            Some(Ok(if negative { chores::negate(one, m) } else { one }))
        }
        _ => None,
    }
}

/// Whether a power of the base without its sign has the other sign: (-b)^e = -(b^e) for odd e. For negative exponents the inverse of the
/// base has the sign already.
#[inline]
pub(crate) fn negates(base: &Integer, exponent: &Integer) -> bool {
    base.is_negative() && !exponent.is_negative() && !exponent.magnitude().is_even()
}

/// The inverse of a base, canonical. Errors: `not_invertible`, `interrupted`.
pub(crate) fn inverse(base: &Integer, m: &Natural, poll: &Poll<'_>) -> Answer {
    euclid::inverse(&chores::reduce(base, m), m, means(&|| poll.now()))?.ok_or(Error::NotInvertible)
}

/// The inverses that the negative exponents of a list need: each base once if it stands in a row.
#[derive(Debug, Default)]
pub(crate) struct Inverses {
    inverses: Vec<Answer>,
    /// The index of the inverse for an argument, by the argument's place.
    of: HashMap<usize, usize>,
}

/// The threads of a list, the planner of its inverses, and its watch.
#[derive(Clone, Copy)]
pub(crate) struct Workers<'w> {
    pub(crate) budget: ThreadBudget,
    /// Plans inverses modulo a number, from the bits of its odd part and their count. Error: `bad_plan`.
    pub(crate) plan_inverses: fn(usize, usize) -> Result<InverseList, Error>,
    pub(crate) watch: Option<&'w dyn Watch>,
}

impl Inverses {
    /// The inverses for these arguments, each behind its place, on several threads; numbers modulo one modulus share inversions. Errors:
    /// `interrupted`, `bad_plan` if no kernel has a price.
    pub(crate) fn of<'a, A: Argument<'a>>(
        arguments: impl Iterator<Item = (usize, A)>,
        cap: u64,
        workers: Workers<'_>,
    ) -> Result<Self, Error> {
        let mut groups: Vec<(&Prepared<'_>, Vec<Natural>)> = Vec::new();
        // The group of the inverse of a base, and its index in the group.
        let (mut group_of, mut found) = (HashMap::new(), Vec::new());
        let mut before: Option<(&Prepared<'_>, &Integer)> = None;
        for (index, (place, argument)) in arguments.enumerate() {
            while_reading(workers.watch, index)?;
            let (modulus, base, exponent) = (argument.modulus(), argument.base(), argument.exponent());
            if !exponent.is_negative() || trivial(modulus.facts().value(), exponent, cap).is_some() {
                continue;
            }
            let repeated = before.filter(|last| core::ptr::eq(last.0, modulus) && last.1 == base);
            let (group, at) = match found.last().filter(|_| repeated.is_some()) {
                Some(&(_, group, at)) => (group, at),
                None => {
                    let group = *group_of.entry(core::ptr::from_ref(modulus)).or_insert(groups.len());
                    if group == groups.len() {
                        groups.push((modulus, Vec::new()));
                    }
                    groups[group].1.push(chores::reduce(base, modulus.facts().value()));
                    (group, groups[group].1.len() - 1)
                }
            };
            before = Some((modulus, base));
            found.push((place, group, at));
        }
        if groups.is_empty() {
            return Ok(Self::default());
        }
        let silent = NestedWatch { watch: workers.watch, ..NestedWatch::default() };
        let watch = workers.watch.map(|_| &silent as &dyn Watch);
        let inverses = inverses_of(&groups, Workers { watch, ..workers })?;
        let end = |end: &mut usize, (_, values): &(_, Vec<Natural>)| Some(replace(end, *end + values.len()));
        let firsts: Vec<usize> = groups.iter().scan(0, end).collect();
        let of = found.into_iter().map(|(place, group, at)| (place, firsts[group] + at)).collect();
        Ok(Self { inverses, of })
    }

    /// The elements of a list whose inverses these are, and the results of the other arguments, each behind its place. Error:
    /// `interrupted`.
    ///
    /// A base of 0, 1 or -1 is no element, also if a plan is forced: the plan that is printed is that of the others.
    pub(crate) fn elements<'a, 'b: 'a, A: Argument<'b>>(
        &'a self,
        arguments: impl Iterator<Item = (usize, A)>,
        cap: u64,
        trivial_results: &mut Vec<(usize, Answer)>,
        watch: Option<&dyn Watch>,
    ) -> Result<Vec<Element<'a>>, Error> {
        let mut elements = Vec::with_capacity(arguments.size_hint().0);
        for (index, (place, argument)) in arguments.enumerate() {
            while_reading(watch, index)?;
            let (m, exponent) = (argument.modulus().facts().value(), argument.exponent());
            if let Some(answer) = trivial(m, exponent, cap).or_else(|| of_unit(m, argument.base(), exponent)) {
                trivial_results.push((place, answer));
                continue;
            }
            match self.element(place, argument) {
                // The power of an inverse is the inverse itself, which is canonical.
                Ok(element) if element.inverted && element.exponent.is_one() => {
                    trivial_results.push((place, Ok(element.base.clone())));
                }
                Ok(element) => elements.push(element),
                Err(error) => trivial_results.push((place, Err(error))),
            }
        }
        Ok(elements)
    }

    /// The power of this place without signs. Errors: `not_invertible`; `fault` if these are not its inverses.
    pub(crate) fn element<'a, 'b: 'a>(&'a self, place: usize, of: impl Argument<'b>) -> Result<Element<'a>, Error> {
        let (base, exponent) = (of.base(), of.exponent());
        let inverted = exponent.is_negative();
        let magnitude = if inverted {
            let at = *self.of.get(&place).ok_or(Error::Fault("a negative exponent without the inverse of its base"))?;
            self.inverses[at].as_ref().map_err(Error::clone)?
        } else {
            base.magnitude()
        };
        let (negated, exponent) = (negates(base, exponent), exponent.magnitude());
        Ok(Element { place, modulus: of.modulus(), base: magnitude, exponent, inverted, negated })
    }
}

/// The inverse of each number of each list modulo its modulus, in order; the numbers of a list share inversions. Errors: `interrupted`;
/// `bad_plan` if no kernel has a price. An element's error: `not_invertible`.
pub(crate) fn inverses_of(lists: &[(&Prepared<'_>, Vec<Natural>)], workers: Workers<'_>) -> Result<Vec<Answer>, Error> {
    // A chunk of a class is a range of a list; its places follow those of the lists before.
    let (mut chunks, mut forms, mut nanoseconds, mut first) = (Vec::new(), Vec::new(), 0.0, 0);
    let mut shares = Vec::with_capacity(lists.len());
    for (modulus, values) in lists {
        let shared = (workers.plan_inverses)(modulus.facts().odd().bits() as usize, values.len())?;
        nanoseconds += shared.nanoseconds * values.len() as f64;
        shares.push(shared);
    }
    let threads = workers.budget.for_work(nanoseconds);
    for (class, (shared, (_, values))) in pairs(shares, lists)?.enumerate() {
        let at_once = shared.at_once.min(values.len().div_ceil(threads)).max(1);
        for start in (0..values.len()).step_by(at_once) {
            chunks.push(Chunk { class, elements: first + start..first + (start + at_once).min(values.len()) });
        }
        forms.push((shared.form, first));
        first += values.len();
    }
    let work = |(): &mut (), chunk: &Chunk, poll: &Poll<'_>, answer: Answering<'_>| {
        let ((modulus, values), (form, first)) = (&lists[chunk.class], &forms[chunk.class]);
        let values = &values[chunk.elements.start - first..chunk.elements.end - first];
        match inverses(modulus, form.as_ref(), values, poll)
            .and_then(|inverses| pairs(chunk.elements.clone(), inverses))
        {
            Ok(inverses) => inverses.for_each(|(place, inverse)| answer(place, inverse.ok_or(Error::NotInvertible))),
            Err(error) => chunk.elements.clone().for_each(|place| answer(place, Err(error.clone()))),
        }
    };
    let mut answers = Answers::new(first, Vec::new(), workers.watch);
    answers.run_chunks(&chunks, threads, work)?;
    answers.finish()
}
