//! Products of numbers in columns: rows of bytes, and single words.

use super::lists::{IN_AND_OUT, OPERAND, RESULT};
use super::plan::{ElementWork, ResiduePlan, shares_of_words};
use super::run::ResidueRoom;
use super::{MORE, enter, refuse_plan};
use crate::engine::execute::Prepared;
use crate::error::Error;
use crate::kernel::fixed::{FixedOdd, FixedRing};
use crate::natural::{Integer, Natural, chores};
use crate::work::column::{AbsentRows, checked};
use crate::work::rows::{FailedRows, or_zeros, rows_in_parallel, rows_of};
use crate::work::words::run::at;
use crate::work::words::{are_over, as_rows, check_lengths};
use crate::work::{Column, Modulus, Options};

/// `a[i] * b[i] mod moduli[i]` for each row, into rows of `width` bytes of `out`: unsigned numbers with zeros on top, in the byte order of
/// `moduli`. Gives the rows that failed, in order, each with its error: those of [`Modulus::new`], `too_long` for a modulus whose residues do
/// not fit `width`, and `bad_plan` for a kernel that does not fit. Such a row is all zeros and does not affect other rows.
///
/// The kernel is chosen by price if all rows have one modulus, or forced. The watch receives the number of rows done.
///
/// The outer error is `bad_argument` for columns whose lengths differ, `bad_plan` for a plan line, or `interrupted`; then all of `out` is
/// zeros. Leaks: everything, by its timing.
///
/// ```
/// # use pingala_core as pingala;
/// use pingala::{Column, Error, Integer, Options, mulmod_rows};
/// let (a, b, moduli) = ([0u8, 3, 0, 5, 1, 0], Integer::from(200u64), [13u8, 0, 17]);
/// let mut out = [9u8; 3];
/// let failed = mulmod_rows(
///     Column::fixed(&a, 2), (&b).into(), Column::fixed(&moduli, 1), &mut out, 1, &Options::default())?;
/// assert_eq!(out, [2, 0, 13]);
/// assert_eq!(failed, [(1, Error::ZeroModulus)]);
/// # Ok::<(), Error>(())
/// ```
pub fn mulmod_rows(
    a: Column<'_>,
    b: Column<'_>,
    moduli: Column<'_>,
    out: &mut [u8],
    width: usize,
    options: &Options<'_>,
) -> Result<Vec<(usize, Error)>, Error> {
    products([&a, &b, &moduli], AbsentRows::default(), out, width, options)
}

/// [`mulmod_rows`] of the rows that are not absent.
pub(crate) fn products(
    [a, b, moduli]: [&Column<'_>; 3],
    absent: AbsentRows<'_>,
    out: &mut [u8],
    width: usize,
    options: &Options<'_>,
) -> Result<FailedRows, Error> {
    or_zeros(out, |out| {
        refuse_plan(options)?;
        let options = options.resolved()?;
        let count = rows_of(out, width, [(a, "factors"), (b, "factors"), (moduli, "moduli")])?;
        match moduli.modulus_of_all(width, &options) {
            Some(Ok(modulus)) => modulo_one([a, b, moduli], &modulus, absent, (out, width), &options),
            Some(Err(error)) => {
                out.fill(0);
                Ok((0..count).filter(|row| !absent.has(*row)).map(|row| (row, error.clone())).collect())
            }
            None => modulo_each([a, b, moduli], absent, (out, width), &options),
        }
    })
}

/// Rows of one modulus. Errors: `bad_plan`, `interrupted`.
fn modulo_one(
    [a, b, moduli]: [&Column<'_>; 3],
    modulus: &Modulus,
    absent: AbsentRows<'_>,
    (out, width): (&mut [u8], usize),
    options: &Options<'_>,
) -> Result<FailedRows, Error> {
    let (m, count) = (modulus.value(), out.len() / width);
    // The operand of all products enters once.
    let (each, one) = if a.is_one() { (b, a) } else { (a, b) };
    let prepare = |room: &mut ResidueRoom| {
        if one.is_one() && count > 0 {
            enter(room, OPERAND, &one.number(0), m);
        }
    };
    modulus.list_work(count, IN_AND_OUT, options, prepare)?.rows(out, width, |room, row, out| {
        if absent.has(row) {
            return out.fill(0);
        }
        let by = each.number(row);
        let mut negative = by.is_negative();
        if !one.is_one() {
            let other = one.number(row);
            negative ^= other.is_negative();
            room.enter(OPERAND, other.magnitude());
        }
        let product = room.leave_times(&modulus.prepared, OPERAND, by.magnitude(), RESULT);
        moduli.write(&if negative { chores::negate(product, m) } else { product }, out);
    })?;
    Ok(Vec::new())
}

/// Rows with a modulus each. Errors: `bad_plan`, `interrupted`.
fn modulo_each(
    [a, b, moduli]: [&Column<'_>; 3],
    absent: AbsentRows<'_>,
    (out, width): (&mut [u8], usize),
    options: &Options<'_>,
) -> Result<FailedRows, Error> {
    let count = out.len() / width;
    let row_product = |row: usize| -> Result<Natural, Error> {
        if absent.has(row) {
            return Ok(Natural::default());
        }
        let (a, b, m) = (a.number(row), b.number(row), moduli.number(row));
        checked(&m, width, options)?;
        let m = m.magnitude();
        match options.kernel {
            Some(_) => of_kernel([&a, &b], m, options),
            None => {
                // Without a ring to prepare: a product of whole numbers and a division.
                let product = chores::rem(&chores::mul(a.magnitude(), b.magnitude()), m);
                Ok(if a.is_negative() != b.is_negative() { chores::negate(product, m) } else { product })
            }
        }
    };
    let shares = shares_of_words(count, width.div_ceil(size_of::<u64>()), options.thread_budget());
    let blocks = out.chunks_mut(shares.elements * width).enumerate();
    rows_in_parallel(blocks, shares.threads, count, options, |failed, (share, out), _| {
        let first = share * shares.elements;
        for (at, out) in out.chunks_exact_mut(width).enumerate() {
            match row_product(first + at) {
                Ok(product) => moduli.write(&product, out),
                Err(error) => {
                    out.fill(0);
                    failed.push((first + at, error));
                }
            }
        }
        out.len() / width
    })
}

/// One product on a kernel that is forced. Error: `bad_plan`.
fn of_kernel([a, b]: [&Integer; 2], m: &Natural, options: &Options<'_>) -> Result<Natural, Error> {
    let modulus = Prepared::passing(m.clone());
    let facts = modulus.facts();
    let work = ElementWork::of_one_product(1, IN_AND_OUT);
    let plan = ResiduePlan::new((facts.bits(), facts.trailing_zeros()), options.kernel, work)?;
    let mut room = ResidueRoom::new(&modulus, &plan.forms, MORE)?;
    enter(&mut room, OPERAND, a, m);
    let product = room.leave_times(&modulus, OPERAND, b.magnitude(), RESULT);
    Ok(if b.is_negative() { chores::negate(product, m) } else { product })
}

/// `a[i] * b[i] mod moduli[i]` for each `i`, into `out`. A column of one word stands for that word in each row; any other is as long as
/// `out`. Gives the rows that failed, in order, each with its error, which is `zero_modulus`, `too_long` below caps of 64 bits, or
/// `bad_plan` for a kernel that does not fit; their results are 0.
///
/// Nothing is allocated for a row, unless a kernel is forced. The watch receives the number of rows done.
///
/// The outer error is `bad_argument` for columns whose lengths differ, `bad_plan` for a plan line, or `interrupted`; then all of `out` is 0.
/// Leaks: everything, by its timing.
///
/// ```
/// # use pingala_core as pingala;
/// use pingala::{Error, Options, mulmod_words};
/// let mut out = [0; 3];
/// let failed = mulmod_words(&[2, 3, u64::MAX], &[u64::MAX - 1], &[1_000_003, 0, u64::MAX], &mut out, &Options::default())?;
/// assert_eq!(out, [701_370, 0, 0]);
/// assert_eq!(failed, [(1, Error::ZeroModulus)]);
/// # Ok::<(), Error>(())
/// ```
pub fn mulmod_words(
    a: &[u64],
    b: &[u64],
    moduli: &[u64],
    out: &mut [u64],
    options: &Options<'_>,
) -> Result<Vec<(usize, Error)>, Error> {
    products_in_words([a, b, moduli], AbsentRows::default(), out, options)
}

/// [`mulmod_words`] of the rows that are not absent.
pub(crate) fn products_in_words(
    columns: [&[u64]; 3],
    absent: AbsentRows<'_>,
    out: &mut [u64],
    options: &Options<'_>,
) -> Result<FailedRows, Error> {
    or_zeros(out, |out| {
        refuse_plan(options)?;
        let options = options.resolved()?.with_plan(None);
        check_lengths(columns, ["factors", "factors", "moduli"], out.len())?;
        if options.kernel.is_some() || are_over(columns[2], options.limits.modulus_bits) {
            return as_rows(columns, absent, out, &options, products);
        }
        let count = out.len();
        let shares = shares_of_words(count, 1, options.thread_budget());
        let blocks = out.chunks_mut(shares.elements).enumerate();
        rows_in_parallel(blocks, shares.threads, count, &options, |failed, (share, out), _| {
            products_of_words(columns, absent, share * shares.elements, out, failed);
            out.len()
        })
    })
}

/// The products of the rows from `first` on.
fn products_of_words(
    [a, b, moduli]: [&[u64]; 3],
    absent: AbsentRows<'_>,
    first: usize,
    out: &mut [u64],
    failed: &mut FailedRows,
) {
    let rows = out.iter_mut().enumerate().map(|(place, out)| (first + place, out));
    if let [m] = *moduli
        && m % 2 == 1
    {
        // By two products of Montgomery: a (b R^2 / R) / R.
        let ring = FixedOdd::<1>::new(&[m]);
        let rr = ring.enter(&ring.one());
        rows.for_each(|(row, out)| [*out] = ring.mul([at(a, row)], ring.mul([at(b, row)], rr)));
    } else {
        for (row, out) in rows {
            let m = at(moduli, row);
            let product = u128::from(at(a, row)) * u128::from(at(b, row));
            *out = product.checked_rem(m.into()).unwrap_or_else(|| {
                if !absent.has(row) {
                    failed.push((row, Error::ZeroModulus));
                }
                0
            }) as u64;
        }
    }
    absent.clear(first, out);
}
