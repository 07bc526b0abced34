//! Powers of numbers that lie in rows of bytes, into rows of bytes.

use crate::engine::execute::{Argument, Poll, Prepared, parallel_in_order, report_done};
use crate::engine::plan::RowBlocks;
use crate::error::{Error, pairs};
use crate::exponent::order;
use crate::natural::bytes::write_be;
use crate::natural::{Integer, Natural};
use crate::work::list::Admitted;
use crate::work::{Modulus, Options};
use core::num::NonZeroUsize;
use core::ops::Range;
use std::borrow::Cow;
use std::sync::{Mutex, PoisonError};

/// The rows that failed, in order, each with its error.
pub(crate) type FailedRows = Vec<(usize, Error)>;

/// A column of numbers, each in a row of bytes that the caller owns, or one number for all rows.
///
/// Bytes are unsigned numbers, most significant first unless [`Column::little_endian`] says otherwise; no bytes are 0. Columns come
/// from [`Column::fixed`], and by `From` from rows of any length (`&[&[u8]]`), numbers (`&[Integer]`), one number (`&Integer`), and
/// one modulus with what it has prepared (`&Modulus`).
#[derive(Clone, Copy, Debug)]
pub struct Column<'a> {
    source: ColumnRows<'a>,
    little_endian: bool,
}

#[derive(Clone, Copy, Debug)]
enum ColumnRows<'a> {
    One(&'a Integer),
    Modulus(&'a Modulus),
    Numbers(&'a [Integer]),
    Slices(&'a [&'a [u8]]),
    Fixed { bytes: &'a [u8], width: usize },
}

impl<'a> Column<'a> {
    /// Column of `width` bytes each, one behind the other.
    pub fn fixed(bytes: &'a [u8], width: usize) -> Self {
        Self { source: ColumnRows::Fixed { bytes, width }, little_endian: false }
    }

    /// The column with its bytes least significant first.
    pub fn little_endian(self) -> Self {
        Self { little_endian: true, ..self }
    }

    /// Error: `bad_argument` for a column that has another number of rows.
    pub(crate) fn check(&self, what: &str, count: usize) -> Result<(), Error> {
        let found = match self.source {
            ColumnRows::One(_) | ColumnRows::Modulus(_) => return Ok(()),
            ColumnRows::Numbers(numbers) => numbers.len(),
            ColumnRows::Slices(rows) => rows.len(),
            ColumnRows::Fixed { bytes, width } if count.checked_mul(width) == Some(bytes.len()) => return Ok(()),
            ColumnRows::Fixed { bytes, width } => {
                let found = bytes.len();
                return Err(Error::BadArgument(format!("{found} bytes of {what} for {count} rows of {width} bytes")));
            }
        };
        if found == count { Ok(()) } else { Err(Error::BadArgument(format!("{found} {what} for {count} rows"))) }
    }

    /// The number in a row.
    pub(crate) fn number(&self, row: usize) -> Cow<'a, Integer> {
        match self.source {
            ColumnRows::One(number) => Cow::Borrowed(number),
            ColumnRows::Modulus(modulus) => Cow::Owned(modulus.value().into()),
            ColumnRows::Numbers(numbers) => Cow::Borrowed(&numbers[row]),
            ColumnRows::Slices(rows) => Cow::Owned(self.natural(rows[row]).into()),
            ColumnRows::Fixed { bytes, width } => Cow::Owned(self.natural(&bytes[row * width..][..width]).into()),
        }
    }

    fn natural(&self, bytes: &[u8]) -> Natural {
        if self.little_endian { Natural::from_le_bytes(bytes) } else { Natural::from_be_bytes(bytes) }
    }

    /// Whether a row has what the row before has.
    pub(crate) fn is_repeated(&self, row: usize) -> bool {
        match self.source {
            ColumnRows::One(_) | ColumnRows::Modulus(_) => true,
            ColumnRows::Numbers(numbers) => numbers[row] == numbers[row - 1],
            ColumnRows::Slices(rows) => rows[row] == rows[row - 1],
            ColumnRows::Fixed { bytes, width } => {
                let (before, here) = bytes[(row - 1) * width..(row + 1) * width].split_at(width);
                before == here
            }
        }
    }

    /// Whether all rows have one number.
    pub(crate) fn is_one(&self) -> bool {
        matches!(self.source, ColumnRows::One(_) | ColumnRows::Modulus(_))
    }

    /// The modulus of all rows, or what is wrong with it, where residues take rows of `width` bytes; none if each row has its own.
    pub(crate) fn modulus_of_all(
        &self,
        width: usize,
        options: &Options<'_>,
    ) -> Option<Result<Cow<'a, Modulus>, Error>> {
        match self.source {
            ColumnRows::Modulus(modulus) => Some(fits(modulus.value(), width).map(|()| Cow::Borrowed(modulus))),
            ColumnRows::One(number) => Some(
                checked(number, width, options)
                    .and_then(|()| Modulus::with_limits(number.magnitude().clone(), &options.limits))
                    .map(Cow::Owned),
            ),
            _ => None,
        }
    }

    /// Writes a number that fits as the bytes of a row, in the order of this column.
    pub(crate) fn write(&self, number: &Natural, out: &mut [u8]) {
        write(number, out, self.little_endian);
    }

    /// The numbers in these rows, or the one number for all.
    fn read(&self, rows: Range<usize>) -> Cow<'a, [Integer]> {
        match self.source {
            ColumnRows::One(number) => Cow::Borrowed(core::slice::from_ref(number)),
            ColumnRows::Modulus(modulus) => Cow::Owned(vec![modulus.value().into()]),
            ColumnRows::Numbers(numbers) => Cow::Borrowed(&numbers[rows]),
            _ => rows.map(|row| self.number(row).into_owned()).collect(),
        }
    }
}

/// Columns of what a source can be made of.
macro_rules! columns_from {
    ($($source:ident $type:ty;)*) => {
        $(impl<'a> From<$type> for Column<'a> {
            fn from(source: $type) -> Self {
                Self { source: ColumnRows::$source(source), little_endian: false }
            }
        })*
    };
}

columns_from! {
    One &'a Integer;
    Modulus &'a Modulus;
    Numbers &'a [Integer];
    Slices &'a [&'a [u8]];
}

/// The number at an index, or the one number for all.
fn at(numbers: &[Integer], index: usize) -> &Integer {
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
    or_zeros(out, |out| {
        let options = options.resolved()?;
        let count = rows_of(out, width, [(&bases, "bases"), (&exponents, "exponents"), (&moduli, "moduli")])?;
        let work = RowPowers::new([bases, exponents, moduli], width, &options);
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
    bases: Column<'a>,
    exponents: Column<'a>,
    moduli: Column<'a>,
    /// The modulus of all rows, or what is wrong with it.
    one_modulus: Option<Result<Cow<'a, Modulus>, Error>>,
    width: usize,
}

impl<'a> RowPowers<'a> {
    fn new([bases, exponents, moduli]: [Column<'a>; 3], width: usize, options: &Options<'_>) -> Self {
        let one_modulus = moduli.modulus_of_all(width, options);
        Self { bases, exponents, moduli, one_modulus, width }
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
                Ok(power) => write(&power, out, self.moduli.little_endian),
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
                Ok(modulus) => {
                    let (base, exponent) = (at(&bases, place), at(&exponents, place));
                    arguments.push(Argument { place, modulus, base, exponent });
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

/// Errors: `zero_modulus`, `negative_modulus`, `too_long`.
pub(crate) fn checked(modulus: &Integer, width: usize, options: &Options<'_>) -> Result<(), Error> {
    if modulus.is_negative() {
        return Err(Error::NegativeModulus);
    }
    options.limits.check_modulus(modulus.magnitude())?;
    fits(modulus.magnitude(), width)
}

/// Error: `too_long`, where not all residues fit the rows of the results.
fn fits(modulus: &Natural, width: usize) -> Result<(), Error> {
    let bits = modulus.bits();
    // A power of two is a bit longer than its residues.
    let residue_bits = bits - u64::from(modulus.trailing_zeros() + 1 == bits);
    let cap = 8 * width as u64;
    if residue_bits > cap { Err(Error::TooLong { what: "modulus", length: bits, cap }) } else { Ok(()) }
}

/// A number that fits, as the row's bytes.
fn write(number: &Natural, out: &mut [u8], little_endian: bool) {
    debug_assert!(number.bits() <= 8 * out.len() as u64);
    if !little_endian {
        return write_be(number.limbs(), out);
    }
    for (index, chunk) in out.chunks_mut(8).enumerate() {
        chunk.copy_from_slice(&number.limbs().get(index).copied().unwrap_or(0).to_le_bytes()[..chunk.len()]);
    }
}

#[cfg(test)]
#[path = "../../tests/inside/work/rows.rs"]
mod tests;
