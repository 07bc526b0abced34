//! Walks the tree of a list of powers of one base that share runs.

use crate::error::Error;
use crate::execute::power_list::ListedPower;
use crate::execute::prepared::Prepared;
use crate::execute::pulse::{Pulse, Watch, while_reading};
use crate::execute::shared_work::{Powers, ProgressSlice, powers};
use crate::execute::threads::{Answer, Answering, Answers};
use crate::exponent::{Exponent, order};
use crate::natural::{Integer, Natural, chores};
use crate::plan::schedule::{Stage, Take};
use crate::plan::{ClassStep, SharedList};
use std::sync::{Mutex, PoisonError};

/// Powers of one base modulo one number, sorted by the sign of the exponents.
pub(crate) struct OneBase<'a> {
    modulus: &'a Prepared<'a>,
    base: &'a Integer,
    sides: Vec<Side>,
    /// Answers that need no product.
    settled: Vec<(usize, Answer)>,
}

/// Powers of one number to exponents of 1 or more, each with its place among the answers, the longest exponent first.
struct Side {
    base: Natural,
    places: Vec<usize>,
    exponents: Vec<Exponent>,
}

impl Side {
    /// The exponents are copied in their order: a million that were sorted where they lie would move twice while nobody polls. Error:
    /// `interrupted`.
    fn new(base: Natural, powers: &[(usize, &Natural)], watch: Option<&dyn Watch>) -> Result<Self, Error> {
        let order = order::longest_first(powers.iter().map(|(_, exponent)| exponent.bits() as usize));
        let (mut places, mut exponents) = (Vec::with_capacity(order.len()), Vec::with_capacity(order.len()));
        for (index, from) in order.into_iter().enumerate() {
            while_reading(watch, index)?;
            let (place, exponent) = powers[from];
            places.push(place);
            exponents.push(Exponent::of_nonzero(exponent.clone()));
        }
        Ok(Self { base, places, exponents })
    }
}

impl<'a> OneBase<'a> {
    /// None if the powers have several bases or moduli, or if there is no power. Error: `interrupted`.
    pub(crate) fn of(list: &[ListedPower<'a>], watch: Option<&dyn Watch>) -> Result<Option<Self>, Error> {
        let [first, rest @ ..] = list else { return Ok(None) };
        let ListedPower { modulus, base, .. } = *first;
        let same = |power: &ListedPower<'_>| {
            core::ptr::eq(power.modulus, modulus) && (core::ptr::eq(power.base, base) || power.base == base)
        };
        if rest.iter().all(same) { Self::sorted(list, modulus, base, watch).map(Some) } else { Ok(None) }
    }

    fn sorted(
        list: &[ListedPower<'a>],
        modulus: &'a Prepared<'a>,
        base: &'a Integer,
        watch: Option<&dyn Watch>,
    ) -> Result<Self, Error> {
        let (mut above, mut below, mut settled) = (Vec::new(), Vec::new(), Vec::new());
        for (index, power) in list.iter().enumerate() {
            while_reading(watch, index)?;
            let side = if power.exponent.is_negative() { &mut below } else { &mut above };
            side.push((power.place, power.exponent.magnitude()));
        }
        let mut sides = Vec::new();
        if !above.is_empty() {
            sides.push(Side::new(base.magnitude().clone(), &above, watch)?);
        }
        if !below.is_empty() {
            let m = modulus.facts().value();
            match chores::inverse(&chores::rem(base.magnitude(), m), m) {
                Some(inverse) => sides.push(Side::new(inverse, &below, watch)?),
                None => settled.extend(below.into_iter().map(|(place, _)| (place, Err(Error::NotInvertible)))),
            }
        }
        Ok(Self { modulus, base, sides, settled })
    }

    /// The exponents of each side.
    pub(crate) fn sides(&self) -> Vec<&[Exponent]> {
        self.sides.iter().map(|side| &side.exponents[..]).collect()
    }

    /// Computes them; the other results among the `count` are settled already. Error: `interrupted`.
    pub(crate) fn run(
        mut self,
        list: &SharedList,
        count: usize,
        mut settled: Vec<(usize, Answer)>,
        watch: Option<&dyn Watch>,
    ) -> Result<Vec<Answer>, Error> {
        settled.append(&mut self.settled);
        let rising = watch.map(|watch| Rising {
            watch,
            settled: settled.len(),
            total: count,
            runs: Mutex::new(list.weights().into_iter().map(|weight| (weight, 0.0)).collect()),
            most: Mutex::new(0),
        });
        let ranges = list.ranges();
        let watch = rising.as_ref().map(|rising| rising as &dyn Watch);
        let (mut answers, schedule) = (Answers::new(count, settled, watch), list.schedule());
        for Stage { threads, takes } in &schedule.stages {
            // A run that has all threads starts them itself.
            let (side_by_side, in_run) = if takes.len() > 1 { (*threads, 1) } else { (1, *threads) };
            let work = |(): &mut (), take: &Take, pulse: &Pulse<'_>, answer: Answering<'_>| {
                let (side, range) = &ranges[take.class];
                let side = &self.sides[*side];
                let (places, exponents) = (&side.places[range.clone()], &side.exponents[range.clone()]);
                let tell = rising.as_ref().map(|rising| move |share: f64| rising.tell(take.class, share));
                let progress = tell.as_ref().map(|tell| ProgressSlice::new(tell));
                let (ClassStep::Share(plan) | ClassStep::Stream(plan)) = schedule.steps[take.class] else { return };
                let wanted = Powers { base: &side.base, exponents, threads: in_run, progress, pulse };
                match powers(self.modulus, plan, &wanted) {
                    Ok(powers) => {
                        let signed = exponents.iter().zip(powers).map(|(exponent, power)| self.signed(exponent, power));
                        places.iter().zip(signed).for_each(|(&place, power)| answer(place, Ok(power)));
                    }
                    // Nobody reads the answers: a million of them would take a tenth of a second.
                    Err(Error::Interrupted) => return pulse.halt(),
                    Err(error) => places.iter().for_each(|&place| answer(place, Err(error.clone()))),
                }
                progress.inspect(|slice| slice.report(1, 1));
            };
            answers.take(takes, side_by_side, work)?;
        }
        answers.finish()
    }

    /// (-b)^e = -(b^e) for odd e.
    fn signed(&self, exponent: &Exponent, power: Natural) -> Natural {
        let negative = self.base.is_negative() && exponent.is_odd();
        if negative { chores::negate(power, self.modulus.facts().value()) } else { power }
    }
}

/// Progress of several runs, perhaps in parallel: it never decreases, and the end is reported once.
struct Rising<'a> {
    watch: &'a dyn Watch,
    /// Elements that needed no work, and all.
    settled: usize,
    total: usize,
    /// The expected work of each run, and the share that is done.
    runs: Mutex<Vec<(f64, f64)>>,
    most: Mutex<usize>,
}

impl Rising<'_> {
    /// Says that a share of a run is done.
    fn tell(&self, run: usize, share: f64) {
        let mut runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        runs[run].1 = share;
        let (all, done) = runs.iter().fold((0.0, 0.0), |(all, done), (time, share)| (all + time, done + time * share));
        drop(runs);
        let open = self.total - self.settled;
        // The answers are not there yet.
        let finished = (self.settled + (open as f64 * done / all) as usize).min(self.total - 1);
        let mut most = self.most.lock().unwrap_or_else(PoisonError::into_inner);
        if finished > *most {
            *most = finished;
            self.watch.progress(finished, self.total);
        }
    }
}

impl Watch for Rising<'_> {
    fn stop(&self) -> bool {
        self.watch.stop()
    }

    /// The end alone: how many powers are finished says less than which share of the work is done.
    fn progress(&self, finished: usize, total: usize) {
        if finished == total {
            self.watch.progress(finished, total);
        }
    }

    #[cfg(test)]
    fn recorder(&self) -> usize {
        self.watch.recorder()
    }
}
