//! Work that is more than one power: several powers of one base, a product of powers.

use super::{Job, Limits, Modulus, Options, Report, factored, list, report};
use crate::algorithm::{ManyExponents, PowerProduct, ShapeBits};
use crate::error::Error;
use crate::execute;
use crate::execute::prepared::Prepared;
use crate::execute::pulse::{Pulse, Watch};
use crate::execute::shape::{Powers, Told};
use crate::exponent::Exponent;
use crate::natural::{Integer, Natural, chores};
use crate::plan::{Explanation, ListExplanation, OnThreads, Piece, Planner, ShapeProblem, WORTH_SHARING, line_of_each};
use core::cmp::Reverse;
use std::sync::{Arc, Mutex, PoisonError};

/// One answer for each element.
type Answers = Vec<Result<Natural, Error>>;

impl Modulus {
    /// [base^e mod m for each of the exponents], each with its own error. What the powers share is done once: the planner
    /// chooses between common squarings, common bits and separate powers by price, within `options.memory_bytes`. Any mix of
    /// lengths; negative exponents take the inverse of the base.
    ///
    /// The outer error is one of the settings (`bad_plan`) or `interrupted`. Leaks: everything, by its timing.
    ///
    /// ```
    /// use pingala::{Modulus, Options};
    /// let modulus = Modulus::new(1009u64.into())?;
    /// let powers = modulus.pow_exp_list(&11u64.into(), &[2u64.into(), 3u64.into()], &Options::default())?;
    /// assert_eq!(powers, [Ok(121u64.into()), Ok(322u64.into())]);
    /// # Ok::<(), pingala::Error>(())
    /// ```
    pub fn pow_exp_list(&self, base: &Integer, exponents: &[Integer], options: &Options<'_>) -> Result<Answers, Error> {
        let jobs: Vec<Job<'_>> = exponents.iter().map(|exponent| Job { base, exponent, modulus: self }).collect();
        super::pow_list(&jobs, options)
    }

    /// [b^exponent mod m for each of the bases], each with its own error: one exponent, which is recoded once for eight
    /// powers side by side where the CPU has lanes. Errors as [`Modulus::pow_exp_list`].
    pub fn pow_base_list(
        &self,
        bases: &[Integer],
        exponent: &Integer,
        options: &Options<'_>,
    ) -> Result<Answers, Error> {
        let jobs: Vec<Job<'_>> = bases.iter().map(|base| Job { base, exponent, modulus: self }).collect();
        super::pow_list(&jobs, options)
    }

    /// The product of `bases[i]^exponents[i]` mod m; 1 mod m for no bases. Negative exponents share one inversion.
    ///
    /// Errors: `bad_argument` for lists of different lengths; `too_long`; `not_invertible`, at the index of the base that has
    /// no inverse; `bad_plan`, `interrupted`. Leaks: everything, by its timing.
    ///
    /// ```
    /// use pingala::{Modulus, Options};
    /// let modulus = Modulus::new(1009u64.into())?;
    /// let product = modulus.pow_product(&[2u64.into(), 3u64.into()], &[10u64.into(), 4u64.into()], &Options::default())?;
    /// assert_eq!(product, 206u64.into());
    /// # Ok::<(), pingala::Error>(())
    /// ```
    pub fn pow_product(
        &self,
        bases: &[Integer],
        exponents: &[Integer],
        options: &Options<'_>,
    ) -> Result<Natural, Error> {
        let options = options.resolved()?;
        let work = self.power_product(bases, exponents, &options.limits)?;
        let m = self.value();
        if m.is_one() {
            return Ok(Natural::default());
        }
        let over = self.one_sided(&work.above, &options)?;
        let product = if work.below.is_empty() {
            over
        } else {
            let under = self.one_sided(&work.below, &options)?;
            let inverse = chores::inverse(&under, m).ok_or_else(|| work.without_inverse(m))?;
            chores::rem(&chores::mul(&over, &inverse), m)
        };
        Ok(if work.negative { chores::negate(product, m) } else { product })
    }

    /// The product of powers with positive exponents, on as many threads as it is worth.
    fn one_sided(&self, factors: &[Factor<'_>], options: &Options<'_>) -> Result<Natural, Error> {
        let (bases, exponents): (Vec<&Natural>, Vec<Exponent>) =
            factors.iter().map(|factor| (factor.base, factor.exponent.clone())).unzip();
        if bases.is_empty() {
            return Ok(Natural::from(1u64));
        }
        let planner = Planner::of_this_machine()?;
        let problem = shape_problem(&self.prepared, ShapeBits::of(&exponents), options)?;
        let (parts, plan, nanoseconds) =
            planner.share_out_product(&problem, |price| options.threads_for(price), options.kernel, options.plan)?;
        let range = |part: usize| part * bases.len() / parts..(part + 1) * bases.len() / parts;
        let product = |part: usize, pulse: &Pulse<'_>| {
            execute::shape::product(&self.prepared, &plan, &bases[range(part)], &exponents[range(part)], pulse)
        };
        if parts == 1 {
            return product(0, &Pulse::new(options.watch, None));
        }
        let prices = vec![nanoseconds; parts];
        let work =
            |(): &mut (), part: usize, pulse: &Pulse<'_>, answer: &mut dyn FnMut(usize, Result<Natural, Error>)| {
                answer(part, product(part, pulse));
            };
        let products = execute::list::run(parts, Vec::new(), &prices, parts, options.watch, work)?;
        products
            .into_iter()
            .try_fold(Natural::from(1u64), |all, product| Ok(chores::rem(&chores::mul(&all, &product?), self.value())))
    }

    /// What [`Modulus::pow_base_list`] plans for bases and an exponent of these lengths, as an explanation: one plan, which
    /// each of the powers follows, or eight of them side by side; and where `threads` is 2 or more, what those do.
    ///
    /// Errors: `bad_argument` for no bases; `bad_plan`, `interrupted`.
    pub fn explain_base_list(
        &self,
        bases: &[Integer],
        exponent: &Integer,
        options: &Options<'_>,
    ) -> Result<Report<ListExplanation>, Error> {
        let mut options = options.resolved()?;
        options.limits.check_exponent_bits(exponent.magnitude().bits())?;
        if bases.is_empty() {
            return Err(Error::BadArgument("without a base there is nothing to plan".into()));
        }
        let jobs: Vec<Job<'_>> = bases.iter().map(|base| Job { base, exponent, modulus: self }).collect();
        options.plan = options.plan.map(|line| line_of_each(line, jobs.len())).transpose()?;
        let (separate, prices) = list::explain(&jobs, &options)?;
        let on_threads = each_on_threads(&options, &prices);
        Ok(report(ListExplanation { together: Vec::new(), separate: Some(separate), on_threads }))
    }

    /// What [`Modulus::pow_exp_list`] plans for a base as long as the modulus, as an explanation: what shares squarings or a
    /// table and what goes for itself, candidates, counts, prices, estimated seconds on one thread; and where `threads` is 2 or
    /// more, what those do.
    ///
    /// Errors: `bad_argument` without an exponent other than 0; `too_long` at the first exponent above the limit; `bad_plan`,
    /// `interrupted`.
    pub fn explain_exp_list(
        &self,
        exponents: &[Integer],
        options: &Options<'_>,
    ) -> Result<Report<ListExplanation>, Error> {
        let mut options = options.resolved()?;
        check_planned(exponents, &options.limits)?;
        // It has an inverse.
        let base = Integer::from(chores::negate(Natural::from(1u64), self.value()));
        let jobs: Vec<Job<'_>> =
            exponents.iter().map(|exponent| Job { base: &base, exponent, modulus: self }).collect();
        if options.plan.is_some_and(Planner::is_shape::<ManyExponents>) {
            let list = OneBase::of(&jobs, &options);
            let (together, on_threads) = (list.explain(&options)?, list.explain_threads(&options, None)?);
            return Ok(report(ListExplanation { together, separate: None, on_threads }));
        }
        options.plan = options.plan.map(|line| line_of_each(line, jobs.len())).transpose()?;
        let (separate, prices) = list::explain(&jobs, &options)?;
        let (mut together, mut on_threads) = (Vec::new(), each_on_threads(&options, &prices));
        if worth_sharing(&jobs, &options, prices.iter().sum()) {
            let list = OneBase::of(&jobs, &options);
            together = match list.explain(&options) {
                Err(Error::Interrupted) => return Err(Error::Interrupted),
                // Nothing fits: each goes for itself.
                together => together.unwrap_or_default(),
            };
            on_threads = list.explain_threads(&options, Some(&prices))?;
        }
        Ok(report(ListExplanation { together, separate: Some(separate), on_threads }))
    }

    /// What [`Modulus::pow_product`] plans for these exponents, as an explanation: those of either sign apart, and where
    /// `threads` is 2 or more, what those do. Errors as [`Modulus::explain_exp_list`].
    pub fn explain_product(
        &self,
        exponents: &[Integer],
        options: &Options<'_>,
    ) -> Result<Report<ListExplanation<PowerProduct>>, Error> {
        let options = options.resolved()?;
        check_planned(exponents, &options.limits)?;
        let planner = Planner::of_this_machine()?;
        let (mut together, mut pieces, mut nanoseconds, mut most_parts) = (Vec::new(), Vec::new(), 0.0, 1);
        for negative in [false, true] {
            let side = exponents.iter().filter(|exponent| exponent.is_negative() == negative);
            let side: Vec<Exponent> = side.filter_map(|exponent| Exponent::new(exponent.magnitude().clone())).collect();
            if side.is_empty() {
                continue;
            }
            let problem = shape_problem(&self.prepared, ShapeBits::of(&side), &options)?;
            let explanation = planner.explain_shape(&problem, options.kernel, options.plan)?;
            together.push(if negative { explanation.of(", negative (one inversion)") } else { explanation });
            let threads = |price| planned_threads(&options, price).unwrap_or(1);
            let (parts, plan, of_side) = planner.share_out_product(&problem, threads, options.kernel, options.plan)?;
            pieces.extend(core::iter::repeat_n((plan, 1), parts));
            most_parts = parts.max(most_parts);
            nanoseconds += of_side;
        }
        let several = OnThreads { threads: most_parts, pieces, seconds: nanoseconds * 1e-9 };
        Ok(report(ListExplanation { together, separate: None, on_threads: (most_parts > 1).then_some(several) }))
    }

    /// Sorts the factors of a product by the sign of their exponents.
    fn power_product<'a>(
        &self,
        bases: &'a [Integer],
        exponents: &[Integer],
        limits: &Limits,
    ) -> Result<Factors<'a>, Error> {
        if bases.len() != exponents.len() {
            let why = format!("{} bases and {} exponents", bases.len(), exponents.len());
            return Err(Error::BadArgument(why));
        }
        let mut factors = Factors { above: Vec::new(), below: Vec::new(), negative: false };
        for (index, (base, exponent)) in bases.iter().zip(exponents).enumerate() {
            let at = |error| Error::At { index, error: Box::new(error) };
            limits.check_exponent_bits(exponent.magnitude().bits()).map_err(at)?;
            let Some(magnitude) = Exponent::new(exponent.magnitude().clone()) else { continue };
            factors.negative ^= base.is_negative() && magnitude.is_odd();
            let side = if exponent.is_negative() { &mut factors.below } else { &mut factors.above };
            side.push(Factor { index, base: base.magnitude(), exponent: magnitude });
        }
        Ok(factors)
    }
}

/// The threads that an explanation is about, where the settings name two or more and work of so many nanoseconds is worth their
/// start.
fn planned_threads(options: &Options<'_>, nanoseconds: f64) -> Option<usize> {
    options.threads?;
    Some(options.threads_for(nanoseconds)).filter(|&threads| threads > 1)
}

/// What these threads do with units of such expected nanoseconds that share nothing.
fn each_on_threads(options: &Options<'_>, prices: &[f64]) -> Option<OnThreads> {
    let threads = planned_threads(options, prices.iter().sum())?;
    let (threads, seconds) = (execute::list::worth(prices, threads), execute::list::expected(prices, threads) * 1e-9);
    (threads > 1).then(|| OnThreads { threads, pieces: Vec::new(), seconds })
}

/// Errors: `bad_argument` where no power takes a product; `too_long` at the first exponent above the limit.
fn check_planned(exponents: &[Integer], limits: &Limits) -> Result<(), Error> {
    for (index, exponent) in exponents.iter().enumerate() {
        let checked = limits.check_exponent_bits(exponent.magnitude().bits());
        checked.map_err(|error| Error::At { index, error: Box::new(error) })?;
    }
    if exponents.iter().all(|exponent| exponent.magnitude().is_zero()) {
        return Err(Error::BadArgument("without an exponent other than 0 there is nothing to plan".into()));
    }
    Ok(())
}

/// base^exponent, the base without its sign, at its place in the list.
struct Factor<'a> {
    index: usize,
    base: &'a Natural,
    exponent: Exponent,
}

/// The factors with positive exponents and those with negative ones; whether the signs of the bases make a minus.
struct Factors<'a> {
    above: Vec<Factor<'a>>,
    below: Vec<Factor<'a>>,
    negative: bool,
}

impl Factors<'_> {
    /// The first base below the line that shares a divisor with the modulus.
    fn without_inverse(&self, m: &Natural) -> Error {
        let shares = |factor: &&Factor<'_>| !chores::gcd(&chores::rem(factor.base, m), m).is_one();
        match self.below.iter().find(shares) {
            Some(factor) => Error::At { index: factor.index, error: Box::new(Error::NotInvertible) },
            None => Error::NotInvertible,
        }
    }
}

/// The shape of the work modulo this number, whose factors are tested where that helps. Error: `interrupted`.
fn shape_problem(modulus: &Prepared, work: ShapeBits, options: &Options<'_>) -> Result<ShapeProblem, Error> {
    factored::learn(modulus, work.max_bits as u64, &Pulse::new(options.watch, None))?;
    let facts = modulus.facts();
    Ok(ShapeProblem {
        modulus_bits: facts.bits(),
        trailing_zeros: facts.trailing_zeros(),
        factors: facts.factors().iter().map(factored::shape).collect(),
        memory_bytes: options.memory_bytes.unwrap_or(Options::MEMORY_BYTES),
        work,
    })
}

/// Does a list by a line that says how its powers are to be done together; none for other lines.
///
/// Error: `bad_plan` for such a line and powers that have not one base.
pub(super) fn forced_powers_of_one_base(jobs: &[Job<'_>], options: &Options<'_>) -> Result<Option<Answers>, Error> {
    let Some(line) = options.plan.filter(|line| Planner::is_shape::<ManyExponents>(line)) else { return Ok(None) };
    if jobs.is_empty() {
        return Ok(Some(Vec::new()));
    }
    if !have_one_base(jobs) {
        return Err(Error::BadPlan(format!("`{line}` is for powers of one base modulo one number above 1")));
    }
    let list = OneBase::of(jobs, options);
    let threads = options.threads_for(f64::INFINITY);
    let (pieces, _) = list.share_out(options, threads)?;
    list.run(&pieces, threads, options).map(Some)
}

/// Does a list whose powers have one base and one modulus where that is cheaper than each for itself, in units of `separate`
/// nanoseconds. None otherwise.
pub(super) fn powers_of_one_base(
    jobs: &[Job<'_>],
    options: &Options<'_>,
    separate: &[f64],
    threads: usize,
) -> Result<Option<Answers>, Error> {
    if !worth_sharing(jobs, options, separate.iter().sum()) {
        return Ok(None);
    }
    let list = OneBase::of(jobs, options);
    let Some((pieces, _)) = list.share_out_if_sooner(options, threads, separate)? else { return Ok(None) };
    list.run(&pieces, threads, options).map(Some)
}

/// Whether it is worth planning what a list can share that takes `separate` nanoseconds, each for itself.
fn worth_sharing(jobs: &[Job<'_>], options: &Options<'_>, separate: f64) -> bool {
    jobs.len() >= 2 && options.plan.is_none() && separate >= WORTH_SHARING && have_one_base(jobs)
}

/// Whether there are jobs, and all have one base and one modulus above 1.
fn have_one_base(jobs: &[Job<'_>]) -> bool {
    let [first, rest @ ..] = jobs else { return false };
    let same = |job: &Job<'_>| {
        Arc::ptr_eq(&job.modulus.prepared, &first.modulus.prepared)
            && (core::ptr::eq(job.base, first.base) || job.base == first.base)
    };
    rest.iter().all(same) && !first.modulus.value().is_one()
}

/// Progress of several pieces, which may go on side by side: it never goes back, and the end is told once.
struct Rising<'a> {
    watch: &'a dyn Watch,
    /// Elements that needed no work, and all.
    settled: usize,
    total: usize,
    /// What is expected of each piece, and how much of it is done.
    pieces: Mutex<Vec<(f64, f64)>>,
    most: Mutex<usize>,
}

impl Rising<'_> {
    /// Says that a share of a piece is done.
    fn tell(&self, piece: usize, share: f64) {
        let mut pieces = self.pieces.lock().unwrap_or_else(PoisonError::into_inner);
        pieces[piece].1 = share;
        let (all, done) =
            pieces.iter().fold((0.0, 0.0), |(all, done), (time, share)| (all + time, done + time * share));
        drop(pieces);
        let open = self.total - self.settled;
        // The answers are not there yet.
        self.progress((self.settled + (open as f64 * done / all) as usize).min(self.total - 1), self.total);
    }
}

impl Watch for Rising<'_> {
    fn stop(&self) -> bool {
        self.watch.stop()
    }

    fn progress(&self, finished: usize, total: usize) {
        let mut most = self.most.lock().unwrap_or_else(PoisonError::into_inner);
        if finished > *most {
            *most = finished;
            self.watch.progress(finished, total);
        }
    }
}

/// Pieces, each with its side, and the expected nanoseconds until all are done.
type SharedOut = (Vec<(usize, Piece)>, f64);

/// A list of powers of one base, sorted by the sign of the exponents.
struct OneBase<'a> {
    jobs: &'a [Job<'a>],
    sides: Vec<Side>,
    /// Answers that need no product.
    settled: Vec<(usize, Result<Natural, Error>)>,
}

/// Powers of one number to exponents of 1 or more, each with its place in the list, the longest exponent first.
struct Side {
    base: Natural,
    places: Vec<usize>,
    exponents: Vec<Exponent>,
}

impl Side {
    fn new(base: Natural, mut powers: Vec<(usize, Exponent)>) -> Self {
        powers.sort_by_key(|(_, exponent)| Reverse(exponent.bits()));
        let (places, exponents) = powers.into_iter().unzip();
        Self { base, places, exponents }
    }
}

impl<'a> OneBase<'a> {
    fn of(jobs: &'a [Job<'a>], options: &Options<'_>) -> Self {
        let Job { base, modulus, .. } = jobs[0];
        let (mut above, mut below, mut settled) = (Vec::new(), Vec::new(), Vec::new());
        for (index, job) in jobs.iter().enumerate() {
            let magnitude = job.exponent.magnitude();
            if let Err(error) = options.limits.check_exponent_bits(magnitude.bits()) {
                settled.push((index, Err(error)));
                continue;
            }
            match Exponent::new(magnitude.clone()) {
                None => settled.push((index, Ok(Natural::from(1u64)))),
                Some(exponent) if job.exponent.is_negative() => below.push((index, exponent)),
                Some(exponent) => above.push((index, exponent)),
            }
        }
        let mut sides = Vec::new();
        if !above.is_empty() {
            sides.push(Side::new(base.magnitude().clone(), above));
        }
        if !below.is_empty() {
            match modulus.invert(&Integer::from(base.magnitude().clone())) {
                Ok(inverse) => sides.push(Side::new(inverse, below)),
                Err(error) => settled.extend(below.into_iter().map(|(index, _)| (index, Err(error.clone())))),
            }
        }
        Self { jobs, sides, settled }
    }

    fn modulus(&self) -> &Modulus {
        self.jobs[0].modulus
    }

    /// Who does what, with the expected nanoseconds until all is done.
    fn share_out(&self, options: &Options<'_>, threads: usize) -> Result<SharedOut, Error> {
        let planner = Planner::of_this_machine()?;
        let (mut pieces, mut nanoseconds) = (Vec::new(), 0.0);
        for (index, side) in self.sides.iter().enumerate() {
            let mut of = self.problem(&side.exponents, options)?;
            if threads > 1 {
                of.memory_bytes /= self.sides.len() as u64;
            }
            let shared = planner.share_out_powers(&of, &side.exponents, threads, options.kernel, options.plan)?;
            nanoseconds += shared.nanoseconds;
            pieces.extend(shared.pieces.into_iter().map(|piece| (index, piece)));
        }
        Ok((pieces, nanoseconds))
    }

    /// The same, none where nothing fits, or each power for itself, in units of `separate` nanoseconds, is sooner done. Error:
    /// `interrupted`.
    fn share_out_if_sooner(
        &self,
        options: &Options<'_>,
        threads: usize,
        separate: &[f64],
    ) -> Result<Option<SharedOut>, Error> {
        match self.share_out(options, threads) {
            Err(Error::Interrupted) => Err(Error::Interrupted),
            // Elements say one by one what a forced kernel cannot do.
            Err(_) => Ok(None),
            Ok(shared) => Ok((shared.1 < execute::list::expected(separate, threads)).then_some(shared)),
        }
    }

    fn problem(&self, exponents: &[Exponent], options: &Options<'_>) -> Result<ShapeProblem, Error> {
        shape_problem(&self.modulus().prepared, ShapeBits::of(exponents), options)
    }

    /// What each piece does on one thread.
    fn explain(&self, options: &Options<'_>) -> Result<Vec<Explanation<ManyExponents>>, Error> {
        let planner = Planner::of_this_machine()?;
        let (pieces, _) = self.share_out(options, 1)?;
        let explanations = pieces.into_iter().map(|(side, Piece { range, .. })| {
            let problem = self.problem(&self.sides[side].exponents[range], options)?;
            planner.explain_shape(&problem, options.kernel, options.plan)
        });
        explanations.collect()
    }

    /// What several threads do, where the settings name as many and they are worth their start: each power for itself where
    /// that is sooner done, in units of `separate` nanoseconds; None where it is ruled out. Errors: `interrupted`; `bad_plan`
    /// where nothing else is left.
    fn explain_threads(&self, options: &Options<'_>, separate: Option<&[f64]>) -> Result<Option<OnThreads>, Error> {
        let nanoseconds = separate.map_or(f64::INFINITY, |prices| prices.iter().sum());
        let Some(threads) = planned_threads(options, nanoseconds) else { return Ok(None) };
        let (pieces, nanoseconds) = match separate {
            None => self.share_out(options, threads)?,
            Some(separate) => {
                let Some(together) = self.share_out_if_sooner(options, threads, separate)? else {
                    return Ok(each_on_threads(options, separate));
                };
                together
            }
        };
        let pieces = pieces.into_iter().map(|(_, piece)| (piece.plan, piece.threads)).collect();
        Ok(Some(OnThreads { threads, pieces, seconds: nanoseconds * 1e-9 }))
    }

    fn run(mut self, pieces: &[(usize, Piece)], threads: usize, options: &Options<'_>) -> Result<Answers, Error> {
        let prices: Vec<f64> = pieces.iter().map(|(_, piece)| piece.nanoseconds).collect();
        let settled = core::mem::take(&mut self.settled);
        // Pieces that take all threads were planned one after the other.
        let threads = if pieces.iter().any(|(_, piece)| piece.threads > 1) { 1 } else { threads };
        let rising = options.watch.map(|watch| Rising {
            watch,
            settled: settled.len(),
            total: self.jobs.len(),
            pieces: Mutex::new(prices.iter().map(|&price| (price, 0.0)).collect()),
            most: Mutex::new(0),
        });
        let watch = rising.as_ref().map(|rising| rising as &dyn Watch);
        let work =
            |(): &mut (), unit: usize, pulse: &Pulse<'_>, answer: &mut dyn FnMut(usize, Result<Natural, Error>)| {
                let tell = rising.as_ref().map(|rising| move |share: f64| rising.tell(unit, share));
                let told = tell.as_ref().map(|tell| Told::new(tell));
                let (side, piece) = &pieces[unit];
                let side = &self.sides[*side];
                let (places, exponents) = (&side.places[piece.range.clone()], &side.exponents[piece.range.clone()]);
                let wanted = Powers { base: &side.base, exponents, threads: piece.threads, told, pulse };
                match execute::shape::powers(&self.modulus().prepared, &piece.plan, &wanted) {
                    Ok(powers) => {
                        let signed = exponents.iter().zip(powers).map(|(exponent, power)| self.signed(exponent, power));
                        places.iter().zip(signed).for_each(|(&place, power)| answer(place, Ok(power)));
                    }
                    Err(error) => places.iter().for_each(|&place| answer(place, Err(error.clone()))),
                }
            };
        execute::list::run(self.jobs.len(), settled, &prices, threads, watch, work)
    }

    /// (-b)^e = -(b^e) for odd e.
    fn signed(&self, exponent: &Exponent, power: Natural) -> Natural {
        let negative = self.jobs[0].base.is_negative() && exponent.is_odd();
        if negative { chores::negate(power, self.modulus().value()) } else { power }
    }
}
