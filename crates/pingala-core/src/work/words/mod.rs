//! Powers of single words, from columns into a column.

pub(crate) mod run;

use crate::engine::execute::Poll;
use crate::engine::plan::Planner;
use crate::engine::plan::line::Forced;
use crate::error::{Error, pairs};
use crate::natural::Integer;
use crate::work::power::Call;
use crate::work::rows::{FailedRows, or_zeros};
use crate::work::words::run::WordPowers;
use crate::work::{Column, Limits, Options, pow_rows};
use core::array::from_fn;

/// `bases[i]^exponents[i] mod moduli[i]` for each `i`, into `out`. A column of one word stands for that word in each row; any other
/// is as long as `out`. Gives the rows that failed, in order, each with its error, which is `zero_modulus`, or what a forced plan
/// says; their results are 0.
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
    or_zeros(out, |out| of_words([bases, exponents, moduli], out, options))
}

fn of_words(columns: [&[u64]; 3], out: &mut [u64], options: &Options<'_>) -> Result<FailedRows, Error> {
    let options = options.resolved()?;
    check_lengths(columns, ["bases", "exponents", "moduli"], out.len())?;
    let over_the_cap = |&exponent: &u64| u64::from(64 - exponent.leading_zeros()) > options.limits.exponent_bits;
    if options.kernel.is_some() || options.plan.is_some() || columns[1].iter().any(over_the_cap) {
        return as_rows(columns, out, &options, pow_rows);
    }
    let [bases, exponents, moduli] = columns;
    let work = WordPowers::new(bases, exponents, moduli);
    let planner = Planner::of_this_machine();
    let list =
        planner.plan_power_list(out.len(), work.elements(), &Forced::default(), false, options.thread_budget())?;
    work.run(&list, out, &options)
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
type OfRows = fn(Column<'_>, Column<'_>, Column<'_>, &mut [u8], usize, &Options<'_>) -> Result<FailedRows, Error>;

/// Rows by a kernel or a plan that is forced, or with other errors than zero moduli: as rows of any numbers.
pub(crate) fn as_rows(
    columns: [&[u64]; 3],
    out: &mut [u64],
    options: &Options<'_>,
    of_rows: OfRows,
) -> Result<FailedRows, Error> {
    let ones = columns.map(|column| Integer::from(column.first().copied().unwrap_or_default()));
    let bytes = columns.map(|column| column.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>());
    let [a, b, moduli] = from_fn(|at| {
        let column = if columns[at].len() == 1 { Column::from(&ones[at]) } else { Column::fixed(&bytes[at], 8) };
        column.little_endian()
    });
    // A modulus of one word is below any cap.
    let options = options.with_limits(Limits::new(u64::MAX, options.limits.exponent_bits));
    let mut rows = vec![0; 8 * out.len()];
    let failed = of_rows(a, b, moduli, &mut rows, 8, &options)?;
    pairs(out, rows.as_chunks().0)?.for_each(|(word, row)| *word = u64::from_le_bytes(*row));
    Ok(failed)
}
