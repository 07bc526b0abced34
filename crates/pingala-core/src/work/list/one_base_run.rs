//! Walks the tree of a list of powers of one base that share runs.

use super::one_base_plan::SharedList;
use crate::engine::execute::{Answer, Answers, Element, NestedWatch, Prepared, Watch, while_reading};
use crate::engine::plan::ListSchedule;
use crate::error::{Error, pairs};
use crate::exponent::{Exponent, order};
use crate::natural::{Natural, chores};
use crate::work::request::{Powers, ProgressSlice};
use crate::work::shared_work::run::powers;
use std::sync::{Mutex, PoisonError};

/// Powers of one base modulo one number, sorted by the sign of the exponents.
pub(crate) struct OneBase<'a> {
    modulus: &'a Prepared<'a>,
    sides: Vec<Side>,
}

/// Powers of one number to exponents of 1 or more, the longest exponent first: each with its place among the answers, and whether the
/// answer has the other sign.
struct Side {
    base: Natural,
    places: Vec<(usize, bool)>,
    exponents: Vec<Exponent>,
}

impl Side {
    /// Copies the exponents in their order, with polls; sorting a million of them in place would move each twice without a poll. Error:
    /// `interrupted`.
    fn new(powers: &[&Element<'_>], watch: Option<&dyn Watch>) -> Result<Self, Error> {
        let order = order::longest_first(powers.iter().map(|power| power.exponent.bits() as usize));
        let (mut places, mut exponents) = (Vec::with_capacity(order.len()), Vec::with_capacity(order.len()));
        for (index, from) in order.into_iter().enumerate() {
            while_reading(watch, index)?;
            let power = powers[from];
            places.push((power.place, power.negated));
            exponents.push(Exponent::of_nonzero(power.exponent.clone()));
        }
        Ok(Self { base: powers[0].base.clone(), places, exponents })
    }
}

impl<'a> OneBase<'a> {
    /// None if the powers have several bases or moduli, or if there is no power: those with inverted bases have one base, and those with
    /// others. Error: `interrupted`.
    pub(crate) fn of(list: &[Element<'a>], watch: Option<&dyn Watch>) -> Result<Option<Self>, Error> {
        let Some(modulus) = list.first().map(|power| power.modulus) else { return Ok(None) };
        let mut sides: [Vec<&Element<'_>>; 2] = Default::default();
        for (index, power) in list.iter().enumerate() {
            while_reading(watch, index)?;
            let side = &mut sides[usize::from(power.inverted)];
            let same = |first: &&&Element<'_>| core::ptr::eq(first.base, power.base) || first.base == power.base;
            if !core::ptr::eq(power.modulus, modulus) || !side.is_empty() && side.first().filter(same).is_none() {
                return Ok(None);
            }
            side.push(power);
        }
        let sides = sides.iter().filter(|side| !side.is_empty()).map(|side| Side::new(side, watch));
        Ok(Some(Self { modulus, sides: sides.collect::<Result<_, _>>()? }))
    }

    /// The exponents of each side.
    pub(crate) fn sides(&self) -> Vec<&[Exponent]> {
        self.sides.iter().map(|side| &side.exponents[..]).collect()
    }

    /// Computes them; the other results among the `count` are settled already. Error: `interrupted`.
    pub(crate) fn run(
        self,
        list: &SharedList,
        count: usize,
        trivial_results: Vec<(usize, Answer)>,
        watch: Option<&dyn Watch>,
    ) -> Result<Vec<Answer>, Error> {
        let monotone = watch.map(|watch| MonotoneProgress {
            watch,
            trivial_results: trivial_results.len(),
            total: count,
            runs: Mutex::new((list.classes.iter().map(|class| (class.nanoseconds, 0.0)).collect(), 0)),
        });
        let m = self.modulus.facts().value();
        // Before the end the number of finished powers says less than the share of the work.
        let at_end = |finished: usize, total: usize| {
            watch.filter(|_| finished == total).inspect(|watch| watch.progress(finished, total));
        };
        let end = NestedWatch { watch, report: Some(&at_end), ..NestedWatch::default() };
        Answers::new(count, trivial_results, watch.map(|_| &end as &dyn Watch)).walk(
            &ListSchedule::new(&list.plan, &list.classes),
            |(): &mut (), (node, threads), chunk, poll, answer| {
                let (side, range) = &list.ranges[chunk.class];
                let side = &self.sides[*side];
                let (places, exponents) = (&side.places[range.clone()], &side.exponents[range.clone()]);
                let report = monotone.as_ref().map(|monotone| move |share: f64| monotone.report(chunk.class, share));
                let progress = report.as_ref().map(|report| ProgressSlice::new(report));
                let Some((plan, _)) = node.shared() else { return };
                let wanted = Powers { base: &side.base, exponents, threads, progress, poll };
                let powers = powers(self.modulus, plan, &wanted);
                match powers.and_then(|powers| pairs(places, powers)) {
                    Ok(powers) => powers.for_each(|(&(place, negated), power)| {
                        answer(place, Ok(if negated { chores::negate(power, m) } else { power }));
                    }),
                    // The answers are not needed, and a million of them would take a tenth of a second.
                    Err(Error::Interrupted) => return poll.halt(),
                    Err(error) => places.iter().for_each(|&(place, _)| answer(place, Err(error.clone()))),
                }
                progress.inspect(|slice| slice.report(1, 1));
            },
        )
    }
}

/// Progress of several runs, perhaps in parallel: it never decreases, and the end is reported once.
struct MonotoneProgress<'a> {
    watch: &'a dyn Watch,
    /// Elements that needed no work, and all.
    trivial_results: usize,
    total: usize,
    /// The expected work of each run with the share that is done, and the most that was reported.
    runs: Mutex<(Vec<(f64, f64)>, usize)>,
}

impl MonotoneProgress<'_> {
    /// Says that a share of a run is done.
    fn report(&self, run: usize, share: f64) {
        let (runs, most) = &mut *self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        runs[run].1 = share;
        let (all, done) = runs.iter().fold((0.0, 0.0), |(all, done), (time, share)| (all + time, done + time * share));
        let open = self.total - self.trivial_results;
        // The answers are not there yet.
        let finished = (self.trivial_results + (open as f64 * done / all) as usize).min(self.total - 1);
        if finished > *most {
            *most = finished;
            self.watch.progress(finished, self.total);
        }
    }
}
