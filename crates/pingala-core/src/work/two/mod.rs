//! Lists of powers of 2.

mod plan;

use crate::engine::execute::poll::NestedWatch;
use crate::engine::execute::{Answer, LaneJob, Poll, Watch, Workspace, parallel_in_order, report_done, while_reading};
use crate::engine::plan::Planner;
use crate::error::{Error, pairs};
use crate::natural::{Integer, Natural};
use crate::work::list::{Job, pow_list};
use crate::work::{Modulus, Options};
use plan::{SharedShifts, packs_on_threads};

/// 2^exponents\[i\] mod moduli\[i\] for each i, each with its own error, as [`pow_list`] has powers of any bases. Odd moduli of the same
/// number of limbs share lanes, whatever their exponents are. There a factor 2^d, d being a digit of the exponent, is a shift, so that
/// hardly anything but squarings is left: what the strong test of primality to the base 2 takes. Where lanes do not shift, or a plan or
/// kernel is forced, [`pow_list`] computes the powers.
///
/// The outer error is `bad_argument` for lists whose lengths differ, `bad_plan`, or `interrupted`. Leaks: everything, by its timing.
///
/// ```
/// # use pingala_core as pingala;
/// use pingala::{Natural, Options, pow_two_list};
/// let (exponents, moduli) = (["10", "3"].map(|n| n.parse().unwrap()), ["1000", "5"].map(|n| n.parse().unwrap()));
/// let powers = pow_two_list(&exponents, &moduli, &Options::default())?;
/// assert_eq!(powers, [Ok(Natural::from(24u64)), Ok(Natural::from(3u64))]);
/// # Ok::<(), pingala::Error>(())
/// ```
pub fn pow_two_list(
    exponents: &[Natural],
    moduli: &[Natural],
    options: &Options<'_>,
) -> Result<Vec<Result<Natural, Error>>, Error> {
    if exponents.len() != moduli.len() {
        return Err(Error::BadArgument(format!("{} exponents for {} moduli", exponents.len(), moduli.len())));
    }
    let options = options.resolved()?;
    let mut shifted = Vec::new();
    if !options.forces() {
        for (index, (exponent, modulus)) in pairs(exponents, moduli)?.enumerate() {
            while_reading(options.watch(), index)?;
            let within =
                modulus.bits() <= options.limits.modulus_bits && exponent.bits() <= options.limits.exponent_bits;
            if within && !modulus.is_even() && modulus.limbs().len() > 1 {
                shifted.push(index);
            }
        }
    }
    let lengths = |index: usize| (moduli[index].bits(), exponents[index].bits());
    let (mut packs, nanoseconds) = Planner::of_this_machine().plan_powers_of_two(shifted, lengths)?;
    let threads = options.thread_budget().for_work(nanoseconds);
    packs.truncate(packs_on_threads(&packs, threads));
    let work = |own: &mut Workspace, results: &mut Vec<(usize, Answer)>, pack: &SharedShifts, poll: &Poll<'_>| {
        let jobs: Vec<LaneJob<'_>> = pack
            .places
            .iter()
            .map(|&at| LaneJob { modulus: &moduli[at], base: &moduli[at], exponent: &exponents[at] })
            .collect();
        let done = own.powers_of_two(&jobs, pack.digit_bits, &pack.form, poll, |lane, power| {
            results.push((pack.places[lane], Ok(power)));
        });
        if let Err(error) = done {
            results.extend(pack.places.iter().map(|&at| (at, Err(error.clone()))));
        }
        jobs.len()
    };
    let mut answers: Vec<Option<Answer>> = vec![None; moduli.len()];
    let results: Vec<Vec<(usize, Answer)>> =
        parallel_in_order(packs.iter(), threads.min(packs.len()), options.watch(), (0, moduli.len()), work)?.0;
    results.into_iter().flatten().for_each(|(at, answer)| answers[at] = Some(answer));
    let places: Vec<usize> = (0..moduli.len()).filter(|&at| answers[at].is_none()).collect();
    if !places.is_empty() {
        // The powers before these count as done.
        let (watch, before, all) = (options.watch(), moduli.len() - places.len(), moduli.len());
        let report = |done: usize, _: usize| {
            watch.filter(|_| before + done < all).inspect(|watch| watch.progress(before + done, all));
        };
        let counted = NestedWatch { watch, stopped: None, report: Some(&report) };
        let options = options.with_watch(watch.map(|_| &counted as &dyn Watch)).with_deadline(None);
        by_list(&places, (exponents, moduli), &options, &mut answers)?;
    }
    report_done(options.watch(), moduli.len())?;
    answers.into_iter().map(|answer| answer.ok_or(Error::Fault("a power of the list is missing"))).collect()
}

/// The powers at these places, by [`pow_list`].
fn by_list(
    places: &[usize],
    (exponents, moduli): (&[Natural], &[Natural]),
    options: &Options<'_>,
    answers: &mut [Option<Answer>],
) -> Result<(), Error> {
    let two = Integer::from(2u64);
    let mut prepared = Vec::new();
    for &at in places {
        match Modulus::with_limits(moduli[at].clone(), &options.limits) {
            Ok(modulus) => prepared.push((at, modulus, Integer::from(&exponents[at]))),
            Err(error) => answers[at] = Some(Err(error)),
        }
    }
    let jobs: Vec<Job<'_>> =
        prepared.iter().map(|(_, modulus, exponent)| Job { base: &two, exponent, modulus }).collect();
    pairs(&prepared, pow_list(&jobs, options)?)?.for_each(|((at, ..), answer)| answers[*at] = Some(answer));
    Ok(())
}
