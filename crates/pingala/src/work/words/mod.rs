//! Powers of single words, from columns into a column.

pub(crate) mod run;

use crate::engine::execute::poll::{Poll, report_done};
use crate::engine::plan::Planner;
use crate::engine::plan::line::Forced;
use crate::error::{Error, pairs};
use crate::exponent::order;
use crate::natural::Integer;
use crate::work::one_power;
use crate::work::words::run::WordPowers;
use crate::work::{Job, Modulus, Options, pow_list};

/// `bases[i]^exponents[i] mod moduli[i]` for each `i`, into `out`. A column of one word stands for that word in each row; any other
/// is as long as `out`. Gives the rows that failed, in order, each with its error, which is `zero_modulus`, or what a forced plan
/// says; their results are 0.
///
/// The list is planned as [`pow_list`] plans. Nothing is allocated for a row, unless a kernel or a plan is forced. The watch
/// receives the number of rows done.
///
/// The outer error is `bad_argument` for columns whose lengths differ, `bad_plan`, or `interrupted`; then all of `out` is 0.
/// Leaks: everything, by its timing.
///
/// ```
/// use pingala::{Error, Options, pow_words};
/// let mut out = [0; 3];
/// let failed = pow_words(&[2, 3, 5], &[65537], &[1_000_003, 0, u64::MAX], &mut out, &Options::default())?;
/// assert_eq!(out, [50199, 0, 8769174011990876855]);
/// assert_eq!(failed, [(1, Error::ZeroModulus)]);
/// # Ok::<(), Error>(())
/// ```
pub fn pow_words(
    bases: &[u64],
    exponents: &[u64],
    moduli: &[u64],
    out: &mut [u64],
    options: &Options<'_>,
) -> Result<Vec<(usize, Error)>, Error> {
    let done = of_words([bases, exponents, moduli], out, options);
    if done.is_err() {
        out.fill(0);
    }
    done
}

fn of_words(columns: [&[u64]; 3], out: &mut [u64], options: &Options<'_>) -> Result<Vec<(usize, Error)>, Error> {
    let options = options.resolved()?;
    for (column, what) in pairs(columns, ["bases", "exponents", "moduli"])? {
        let (found, count) = (column.len(), out.len());
        if found != count && found != 1 {
            return Err(Error::BadArgument(format!("{found} {what} for {count} rows")));
        }
    }
    let over_the_cap = |&exponent: &u64| u64::from(64 - exponent.leading_zeros()) > options.limits.exponent_bits;
    if options.kernel.is_some() || options.plan.is_some() || columns[1].iter().any(over_the_cap) {
        return forced(columns, out, &options);
    }
    let [bases, exponents, moduli] = columns;
    let work = WordPowers::new(bases, exponents, moduli);
    let planner = Planner::of_this_machine();
    let list =
        planner.plan_power_list(out.len(), work.elements(), &Forced::default(), false, options.thread_budget())?;
    let failed = work.run(&list, out, options.watch)?;
    report_done(options.watch, out.len())?;
    Ok(failed.into_iter().map(|row| (row, Error::ZeroModulus)).collect())
}

/// base^exponent mod modulus of single words, as [`powmod`](crate::powmod) has it without settings; none for modulus 0, and if the
/// environment forces a kernel or a plan. Nothing is allocated.
pub fn powmod_word(base: u64, exponent: u64, modulus: u64) -> Option<u64> {
    if modulus == 0 || !Options::default().are_resolved() {
        return None;
    }
    match exponent {
        _ if modulus == 1 => Some(0),
        0 => Some(1),
        1 => Some(if base < modulus { base } else { base % modulus }),
        2 | 3 => {
            let modulo = |product: u128| (product % u128::from(modulus)) as u64;
            let square = modulo(u128::from(base) * u128::from(base));
            Some(if exponent == 2 { square } else { modulo(u128::from(square) * u128::from(base)) })
        }
        _ => {
            let (base, exponent) = (Integer::from(base), Integer::from(exponent));
            let power = one_power(&modulus.into(), &base, &exponent, &Options::default(), &Poll::none()).ok()?;
            Some(power.limbs().first().copied().unwrap_or(0))
        }
    }
}

/// Rows by a kernel or a plan that is forced, or with other errors than zero moduli: as a list of any numbers.
fn forced(columns: [&[u64]; 3], out: &mut [u64], options: &Options<'_>) -> Result<Vec<(usize, Error)>, Error> {
    let [bases, exponents, moduli] = columns;
    let integers = |column: &[u64]| column.iter().map(|&word| Integer::from(word)).collect::<Vec<_>>();
    let (bases, exponents) = (integers(bases), integers(exponents));
    let moduli: Vec<_> = moduli.iter().map(|&word| Modulus::new(word.into())).collect();
    let at = |length: usize, row: usize| if length == 1 { 0 } else { row };
    let (mut jobs, mut places, mut failed) = (Vec::new(), Vec::new(), Vec::new());
    for row in 0..out.len() {
        match &moduli[at(moduli.len(), row)] {
            Ok(modulus) => {
                let (base, exponent) = (&bases[at(bases.len(), row)], &exponents[at(exponents.len(), row)]);
                jobs.push(Job { base, exponent, modulus });
                places.push(row);
            }
            Err(error) => failed.push((row, error.clone())),
        }
    }
    out.fill(0);
    for (row, power) in pairs(places, pow_list(&jobs, options)?)? {
        match power {
            Ok(power) => out[row] = power.limbs().first().copied().unwrap_or(0),
            Err(error) => failed.push((row, error)),
        }
    }
    order::sort(&mut failed, |(a, _), (b, _)| a.cmp(b));
    Ok(failed)
}
