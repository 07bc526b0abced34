//! Powers of single words, from columns into a column.

pub(crate) mod run;

use crate::engine::execute::Poll;
use crate::engine::plan::Planner;
use crate::engine::plan::line::Forced;
use crate::error::{Error, pairs};
use crate::natural::Integer;
use crate::work::column::AbsentRows;
use crate::work::power::Call;
use crate::work::rows::{self, FailedRows, or_zeros};
use crate::work::words::run::WordPowers;
use crate::work::{Column, Limits, Options};

/// `bases[i]^exponents[i] mod moduli[i]` for each `i`, into `out`. A column of one word stands for that word in each row; any other
/// is as long as `out`. Gives the rows that failed, in order, each with its error, which is `zero_modulus`, `too_long` below caps of 64 bits,
/// or what a forced plan says; their results are 0.
///
/// The list is planned as [`pow_list`](crate::pow_list) plans. Nothing is allocated for a row, unless a kernel or a plan is forced. The watch
/// receives the number of rows done.
///
/// The outer error is `bad_argument` for columns whose lengths differ, `bad_plan`, or `interrupted`; then all of `out` is 0.
/// Leaks: everything, by its timing.
///
/// ```
/// # use pingala_core as pingala;
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
    powers([bases, exponents, moduli], AbsentRows::default(), out, options)
}

/// [`pow_words`] of the rows that are not absent.
pub(crate) fn powers(
    columns: [&[u64]; 3],
    absent: AbsentRows<'_>,
    out: &mut [u64],
    options: &Options<'_>,
) -> Result<FailedRows, Error> {
    or_zeros(out, |out| of_words(columns, absent, out, options))
}

fn of_words(
    columns: [&[u64]; 3],
    absent: AbsentRows<'_>,
    out: &mut [u64],
    options: &Options<'_>,
) -> Result<FailedRows, Error> {
    let options = options.resolved()?;
    check_lengths(columns, ["bases", "exponents", "moduli"], out.len())?;
    let Limits { modulus_bits, exponent_bits } = options.limits;
    if options.forces() || are_over(columns[1], exponent_bits) || are_over(columns[2], modulus_bits) {
        return as_rows(columns, absent, out, &options, rows::powers);
    }
    let [bases, exponents, moduli] = columns;
    let work = WordPowers::new([bases, exponents, moduli], absent);
    let planner = Planner::of_this_machine();
    let list =
        planner.plan_power_list(out.len(), work.elements(), &Forced::default(), false, options.thread_budget())?;
    work.run(&list, out, &options)
}

/// Whether one of these words is longer than a cap.
pub(crate) fn are_over(words: &[u64], cap: u64) -> bool {
    cap < u64::BITS.into() && words.iter().any(|word| word >> cap != 0)
}

/// Error: `bad_argument`, for a column that has neither one word nor a word for each row.
pub(crate) fn check_lengths(columns: [&[u64]; 3], names: [&str; 3], count: usize) -> Result<(), Error> {
    for (column, what) in pairs(columns, names)? {
        let found = column.len();
        if found != count && found != 1 {
            return Err(Error::BadArgument(format!("{found} {what} for {count} rows")));
        }
    }
    Ok(())
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
            let (options, poll) = (&Options::default(), &Poll::none());
            let power = Call { base: &base, exponent: &exponent, options, poll }.power_once(&modulus.into()).ok()?;
            Some(power.limbs().first().copied().unwrap_or(0))
        }
    }
}

/// What computes rows of bytes from three columns.
type OfRows = fn([&Column<'_>; 3], AbsentRows<'_>, &mut [u8], usize, &Options<'_>) -> Result<FailedRows, Error>;

/// Rows by a kernel or a plan that is forced, or with other errors than zero moduli: as rows of any numbers.
pub(crate) fn as_rows(
    columns: [&[u64]; 3],
    absent: AbsentRows<'_>,
    out: &mut [u64],
    options: &Options<'_>,
    of_rows: OfRows,
) -> Result<FailedRows, Error> {
    let columns = columns.map(|column| Column::of_words(column, out.len()));
    into_words(&columns[2], out, |out| of_rows(columns.each_ref(), absent, out, 8, options))
}

/// Rows of any numbers in the byte order of `moduli`, as words.
pub(crate) fn into_words(
    moduli: &Column<'_>,
    out: &mut [u64],
    of_rows: impl FnOnce(&mut [u8]) -> Result<FailedRows, Error>,
) -> Result<FailedRows, Error> {
    let mut rows = vec![0; 8 * out.len()];
    let failed = of_rows(&mut rows)?;
    pairs(out, rows.as_chunks().0)?.for_each(|(word, row)| *word = moduli.word(*row));
    Ok(failed)
}
