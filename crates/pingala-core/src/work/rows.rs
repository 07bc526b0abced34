//! Powers of numbers that lie in rows of bytes, into rows of bytes.

use crate::engine::execute::{
    Argument, NestedWatch, Poll, Prepared, Watch, Workers, normalise, parallel_in_order, report_done,
};
use crate::engine::plan::RowBlocks;
use crate::error::{Error, pairs};
use crate::exponent::order;
use crate::natural::{Integer, Natural, chores};
use crate::work::column::{AbsentRows, Column, checked};
use crate::work::list::Admitted;
use crate::work::{Modulus, Options};
use core::num::NonZeroUsize;
use core::ops::Range;
use std::borrow::Cow;
use std::sync::{Mutex, PoisonError};

/// The rows that failed, in order, each with its error.
pub(crate) type FailedRows = Vec<(usize, Error)>;

/// Inverses whose memory is held at once.
const INVERSES_AT_ONCE: usize = 1 << 14;

/// The number at an index, or the one number for all.
pub(crate) fn at(numbers: &[Integer], index: usize) -> &Integer {
    if let [one] = numbers { one } else { &numbers[index] }
}

/// `bases[i]^exponents[i] mod moduli[i]` for each row, into rows of `width` bytes of `out`: unsigned numbers with zeros on top, in
/// the byte order of `moduli`. Gives the rows that failed, in order, each with its error: those of [`Modulus::new`] and
/// [`Modulus::pow_with`], and `too_long` for a modulus whose residues do not fit `width`. Such a row is all zeros and does not
/// affect other rows.
///
/// The list is planned as [`pow_list`](crate::work::pow_list) plans, long ones in blocks that threads take; numbers are read from their
/// rows as a block is done, so that memory does not grow with the list, unless all rows have one base and one modulus and may
/// share runs, or a plan is forced. Inverses (an exponent of -1) modulo one number share work as in [`Modulus::invert_list`]. The watch receives the
/// number of rows done.
///
/// The outer error is `bad_argument` for columns whose lengths differ, `bad_plan`, or `interrupted`; then all of `out` is zeros.
/// Leaks: everything, by its timing.
///
/// ```
/// # use pingala_core as pingala;
/// use pingala::{Error, Integer, Options, Column, pow_rows};
/// let (bases, exponent, moduli) = ([0u8, 3, 0, 5, 1, 0], Integer::from(200u64), [13u8, 0, 17]);
/// let mut out = [9u8; 3];
/// let failed = pow_rows(
///     Column::fixed(&bases, 2), (&exponent).into(), Column::fixed(&moduli, 1), &mut out, 1, &Options::default())?;
/// assert_eq!(out, [9, 0, 1]);
/// assert_eq!(failed, [(1, Error::ZeroModulus)]);
/// # Ok::<(), Error>(())
/// ```
pub fn pow_rows(
    bases: Column<'_>,
    exponents: Column<'_>,
    moduli: Column<'_>,
    out: &mut [u8],
    width: usize,
    options: &Options<'_>,
) -> Result<Vec<(usize, Error)>, Error> {
    powers([&bases, &exponents, &moduli], AbsentRows::default(), out, width, options)
}

/// [`pow_rows`] of the rows that are not absent.
pub(crate) fn powers(
    [bases, exponents, moduli]: [&Column<'_>; 3],
    absent: AbsentRows<'_>,
    out: &mut [u8],
    width: usize,
    options: &Options<'_>,
) -> Result<FailedRows, Error> {
    or_zeros(out, |out| {
        let options = options.resolved()?;
        let count = rows_of(out, width, [(bases, "bases"), (exponents, "exponents"), (moduli, "moduli")])?;
        let one_modulus = moduli.modulus_of_all(width, &options);
        let work = RowPowers { bases, exponents, moduli, one_modulus, absent, width };
        if let Some(modulus) = work.modulus_of_inverses(&options) {
            return work.inverses(modulus, out, &options);
        }
        match work.blocks(count, &options)? {
            None => work.powers(0..count, out, &options),
            Some(blocks) => work.in_blocks(out, blocks, &options),
        }
    })
}

/// How many rows the results have. Error: `bad_argument`, for bytes that are no whole rows, and for a column of another length.
pub(crate) fn rows_of(out: &[u8], width: usize, columns: [(&Column<'_>, &str); 3]) -> Result<usize, Error> {
    if width == 0 || !out.len().is_multiple_of(width) {
        let bytes = out.len();
        return Err(Error::BadArgument(format!("{bytes} bytes for results, in rows of {width} bytes")));
    }
    let count = out.len() / width;
    columns.into_iter().try_for_each(|(column, what)| column.check(what, count))?;
    Ok(count)
}

/// Calls `work` with the room of its results, which are all 0 if it fails.
pub(crate) fn or_zeros<T: Clone + Default>(
    out: &mut [T],
    work: impl FnOnce(&mut [T]) -> Result<FailedRows, Error>,
) -> Result<FailedRows, Error> {
    work(out).inspect_err(|_| out.fill(T::default()))
}

/// The columns of a call.
struct RowPowers<'a> {
    bases: &'a Column<'a>,
    exponents: &'a Column<'a>,
    moduli: &'a Column<'a>,
    /// The modulus of all rows, or what is wrong with it.
    one_modulus: Option<Result<Cow<'a, Modulus>, Error>>,
    absent: AbsentRows<'a>,
    width: usize,
}

/// A power of a row, whose modulus other rows may have too.
#[derive(Clone, Copy)]
struct RowPower<'a> {
    base: &'a Integer,
    exponent: &'a Integer,
    modulus: &'a Prepared<'a>,
}

impl<'a> Argument<'a> for RowPower<'a> {
    #[inline]
    fn base(self) -> &'a Integer {
        self.base
    }

    #[inline]
    fn exponent(self) -> &'a Integer {
        self.exponent
    }

    #[inline]
    fn modulus(self) -> &'a Prepared<'a> {
        self.modulus
    }
}

impl RowPowers<'_> {
    /// The modulus of rows that are all inverses, which no plan line is about; none of others.
    fn modulus_of_inverses(&self, options: &Options<'_>) -> Option<&Modulus> {
        if !self.exponents.is_all(-1) || options.forces() {
            return None;
        }
        let modulus = self.one_modulus.as_ref()?.as_ref().ok()?;
        let is_trivial = normalise::trivial(modulus.value(), &self.exponents.number(0), options.limits.exponent_bits);
        is_trivial.is_none().then_some(&**modulus)
    }

    /// The inverses of all rows, by many at once. Errors: `bad_plan`, `interrupted`.
    fn inverses(&self, modulus: &Modulus, out: &mut [u8], options: &Options<'_>) -> Result<FailedRows, Error> {
        let (m, count, mut failed) = (modulus.value(), out.len() / self.width, Vec::new());
        let present: Vec<usize> = (0..count).filter(|row| !self.absent.has(*row)).collect();
        out.fill(0);
        for rows in present.chunks(INVERSES_AT_ONCE) {
            let residues = rows.iter().map(|row| chores::reduce(&self.bases.number(*row), m)).collect();
            let finished = rows[0];
            let report = |done, _| options.watch().map_or((), |watch| watch.progress(finished + done, count));
            let watch = NestedWatch { watch: options.watch(), report: Some(&report), ..NestedWatch::default() };
            let watch = options.watch().map(|_| &watch as &dyn Watch);
            let inverses =
                normalise::inverses_of(&[(&modulus.prepared, residues)], Workers { watch, ..options.workers() })?;
            for (row, inverse) in pairs(rows, inverses)? {
                match inverse {
                    Ok(inverse) => self.moduli.write(&inverse, &mut out[row * self.width..][..self.width]),
                    Err(error) => failed.push((*row, error)),
                }
            }
        }
        report_done(options.watch(), count)?;
        Ok(failed)
    }

    /// The blocks that threads take; none if all rows are one list. Error: `bad_plan`.
    fn blocks(&self, count: usize, options: &Options<'_>) -> Result<Option<RowBlocks>, Error> {
        let may_share = self.bases.is_one() && self.one_modulus.is_some();
        // A plan that is forced may count the elements of the whole list.
        if may_share || options.plan.is_some() {
            return Ok(None);
        }
        let first = || self.with_list(0..RowBlocks::FEWEST, options, |mut list| list.nanoseconds(options));
        RowBlocks::of(count, options.thread_budget(), first)
    }

    /// All rows, in blocks. Errors: `bad_plan`, `interrupted`.
    fn in_blocks(
        &self,
        out: &mut [u8],
        RowBlocks { rows, threads }: RowBlocks,
        options: &Options<'_>,
    ) -> Result<FailedRows, Error> {
        let count = out.len() / self.width;
        let first_error = Mutex::new(None);
        let work = |failed: &mut FailedRows, (block, out): (usize, &mut [u8]), poll: &Poll<'_>| {
            let (first, in_block) = (block * rows, out.len() / self.width);
            let watch = poll.nested(None);
            let options = options.with_threads(NonZeroUsize::new(1)).with_watch(Some(&watch));
            match self.powers(first..first + in_block, out, &options) {
                Ok(rows) => failed.extend(rows),
                Err(error) => {
                    first_error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                    poll.halt();
                }
            }
            in_block
        };
        let blocks = out.chunks_mut(rows * self.width).enumerate();
        let done = rows_in_parallel(blocks, threads, count, options, work);
        if let Some(error) = first_error.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error);
        }
        done
    }

    /// These rows as one list. Errors: `bad_plan`, `interrupted`.
    fn powers(&self, rows: Range<usize>, out: &mut [u8], options: &Options<'_>) -> Result<FailedRows, Error> {
        let answers = self.with_list(rows.clone(), options, |list| list.run(options))?;
        let mut failed = Vec::new();
        for ((row, answer), out) in pairs(pairs(rows, answers)?, out.chunks_exact_mut(self.width))? {
            match answer {
                Ok(power) => self.moduli.write(&power, out),
                Err(error) => {
                    out.fill(0);
                    failed.push((row, error));
                }
            }
        }
        Ok(failed)
    }

    /// Calls `work` with the list of these rows. Errors: those of `work`, `interrupted`.
    fn with_list<T>(
        &self,
        rows: Range<usize>,
        options: &Options<'_>,
        work: impl FnOnce(Admitted<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let (bases, exponents) = (self.bases.read(rows.clone()), self.exponents.read(rows.clone()));
        let (own, of) = match self.one_modulus {
            Some(_) => Default::default(),
            None => self.own_moduli(rows.clone(), options),
        };
        let modulus = |place: usize| match &self.one_modulus {
            Some(modulus) => modulus.as_ref().map(|modulus| &*modulus.prepared),
            None => own[of[place]].as_ref(),
        };
        let (mut arguments, mut trivial_results) = (Vec::with_capacity(rows.len()), Vec::new());
        for place in 0..rows.len() {
            match modulus(place) {
                _ if self.absent.has(rows.start + place) => trivial_results.push((place, Ok(Natural::default()))),
                Ok(modulus) => {
                    let (base, exponent) = (at(&bases, place), at(&exponents, place));
                    arguments.push((place, RowPower { base, exponent, modulus }));
                }
                Err(error) => trivial_results.push((place, Err(error.clone()))),
            }
        }
        Admitted::with(arguments.iter().copied(), trivial_results, rows.len(), options, work)
    }

    /// The moduli of these rows, each only once if successive rows repeat it, and the index of each row's.
    fn own_moduli(
        &self,
        rows: Range<usize>,
        options: &Options<'_>,
    ) -> (Vec<Result<Prepared<'static>, Error>>, Vec<usize>) {
        let mut moduli: Vec<Result<Prepared<'static>, Error>> = Vec::with_capacity(rows.len());
        let mut of = Vec::with_capacity(rows.len());
        for row in rows.clone() {
            if row > rows.start && self.moduli.is_repeated(row) {
                if let Some(Ok(modulus)) = moduli.last_mut() {
                    modulus.keep();
                }
            } else {
                let number = self.moduli.number(row);
                let checked = checked(&number, self.width, options);
                moduli.push(checked.map(|()| Prepared::passing(number.into_owned().into_magnitude())));
            }
            of.push(moduli.len() - 1);
        }
        (moduli, of)
    }
}

/// Computes `count` rows in parallel: `work(failed, item, poll)` gives the number of rows of an item, and adds those that failed.
/// Gives all rows that failed, in order. Error: `interrupted`.
pub(crate) fn rows_in_parallel<T: Send>(
    items: impl Iterator<Item = T> + Send,
    threads: usize,
    count: usize,
    options: &Options<'_>,
    work: impl Fn(&mut FailedRows, T, &Poll<'_>) -> usize + Sync,
) -> Result<FailedRows, Error> {
    let work = |(): &mut (), failed: &mut FailedRows, item, poll: &Poll<'_>| work(failed, item, poll);
    let (failed, _) = parallel_in_order(items, threads, options.watch(), (0, count), work)?;
    let mut failed: FailedRows = failed.into_iter().flatten().collect();
    order::sort(&mut failed, |(a, _), (b, _)| a.cmp(b));
    report_done(options.watch(), count)?;
    Ok(failed)
}

#[cfg(test)]
#[path = "../../tests/inside/work/rows.rs"]
mod tests;
