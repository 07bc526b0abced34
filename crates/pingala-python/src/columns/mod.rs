//! Columns of numbers: Arrow, NumPy, buffers and sequences of bytes in, a column of results out, and no Python object a row.

mod arrow;
mod capsule;
mod order;
mod powers;
pub mod primes;
pub mod result;
mod source;
pub mod verdicts;

use crate::call::{self, Divisor};
use crate::errors;
use crate::keywords::{Given, Keywords};
use crate::watch::Caller;
use core::num::NonZeroUsize;
use core::ops::Range;
use order::Order;
use pingala_core::{Error, Limits, Natural};
use powers::{Operation, Powers, Shape};
use pyo3::prelude::*;
pub use result::ResultColumn;
use source::{Argument, Role};

/// Rows of a block: few enough for its copies to stay small, and enough for many threads and for work that rows share.
const MOST_ROWS: usize = 1 << 16;

/// The rows of each block of so many.
fn blocks(length: usize) -> impl Iterator<Item = Range<usize>> {
    (0..length).step_by(MOST_ROWS).map(move |first| first..(first + MOST_ROWS).min(length))
}

/// What becomes of rows with an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Errors {
    /// The first one is the error of the call.
    Raise,
    /// They are nulls.
    Null,
    /// They are nulls, and a second column holds their codes.
    Column,
}

fn read_errors(py: Python<'_>, errors: &str) -> PyResult<Errors> {
    match errors {
        "raise" => Ok(Errors::Raise),
        "null" => Ok(Errors::Null),
        "column" => Ok(Errors::Column),
        other => {
            let why = format!("errors must be 'raise', 'null' or 'column', not {other:?}");
            Err(errors::bad_argument(py, why))
        }
    }
}

/// Room for `count` items.
///
/// Error: `bad_argument` if there is no memory; Rust would end the process.
fn room<T>(count: usize) -> Result<Vec<T>, Error> {
    let mut items = Vec::new();
    items.try_reserve_exact(count).map_err(|_| no_memory(count))?;
    Ok(items)
}

/// Adds zeros. Error as [`room`].
fn grow<T: Clone + Default>(items: &mut Vec<T>, count: usize) -> Result<(), Error> {
    items.try_reserve(count).map_err(|_| no_memory(count))?;
    items.resize(items.len() + count, T::default());
    Ok(())
}

fn no_memory(count: usize) -> Error {
    Error::BadArgument(format!("there is no memory for {count} items of results"))
}

/// The arguments of products.
const FACTORS: [&str; 3] = ["a", "b", "moduli"];

/// The length of columns that are equally long.
fn common_length<'a>(
    py: Python<'_>,
    columns: impl IntoIterator<Item = (&'a str, &'a source::Column)>,
) -> PyResult<Option<usize>> {
    let mut first: Option<(&str, usize)> = None;
    for (name, column) in columns {
        match first {
            Some((other, length)) if length != column.length => {
                let found = column.length;
                return Err(errors::bad_argument(py, format!("{length} {other} and {found} {name}")));
            }
            _ => first = Some((name, column.length)),
        }
    }
    Ok(first.map(|(_, length)| length))
}

/// The columns among arguments, with their names.
fn columns_of<'a, const N: usize>(
    names: [&'a str; N],
    arguments: &'a [Argument; N],
) -> impl Iterator<Item = (&'a str, &'a source::Column)> {
    names.into_iter().zip(arguments).filter_map(|(name, argument)| match argument {
        Argument::Many(column) => Some((name, column)),
        Argument::One(_) => None,
    })
}

/// The three arguments of a power, and the error of one that is a number for all rows and too long.
fn read_arguments(
    bases: &Bound<'_, PyAny>,
    exponents: &Bound<'_, PyAny>,
    moduli: &Bound<'_, PyAny>,
    limits: &Limits,
) -> PyResult<([Argument; 3], Option<Error>)> {
    let mut bad = None;
    let bases = Argument::read(Role::base("bases"), bases, &mut bad)?;
    let exponents = Argument::read(Role::exponents(limits), exponents, &mut bad)?;
    Ok(([bases, exponents, Argument::read(Role::moduli(limits), moduli, &mut bad)?], bad))
}

/// Powers or products of columns. `batch_of_words`: for a batch of a stream, which has one type, whether that is words. `threads`: the most unless the call
/// says how many.
fn powers(
    py: Python<'_>,
    (columns, bad): ([Argument; 3], Option<Error>),
    operation: Operation,
    batch_of_words: Option<bool>,
    threads: Option<NonZeroUsize>,
    given: &Given<'_, '_>,
) -> PyResult<ResultColumn> {
    let names = if matches!(operation, Operation::Products) { FACTORS } else { ["bases", "exponents", "moduli"] };
    let (errors, keywords) = (read_errors(py, given.errors)?, given.keywords()?);
    let keywords = Keywords { threads: keywords.threads.or(threads), ..keywords };
    let order = Order::read(py, given.byteorder)?;
    let little_endian = order.is_some_and(|order| order.little_endian);
    let [one, other, moduli] = columns;
    let columns = [one.ordered(order)?, other.ordered(order)?, moduli.ordered(order)?];
    /// The widest row: a number is a number of bits, and memory is asked for rows of this width.
    const MOST_WIDTH: u64 = 1 << 31;
    let width = given.width.map(u64::from);
    if let Some(width) = width.filter(|width| !(1..MOST_WIDTH).contains(width)) {
        return Err(errors::bad_argument(py, format!("width must be at least 1 and below 2**31, not {width}")));
    }
    let Some(length) = common_length(py, columns_of(names, &columns))? else {
        let [one, other, modulus] = names;
        let why = format!("at least one of {one}, {other} and {modulus} must be a column");
        return Err(errors::bad_argument(py, why));
    };
    let caller = Caller::new(given.progress(length)?);
    let shape = Shape { width: width.map(|width| width as usize), batch_of_words, little_endian };
    let most = keywords.threads.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    let work = Powers { columns, bad, operation, length, threads: most, errors, shape };
    if batch_of_words == Some(true) && !work.gives_words() {
        let why = "results are words where all columns are integers, moduli fit 64 bits, and no width is given";
        return Err(errors::bad_argument(py, why));
    }
    let (apart, keywords) = (work.may_invert(), keywords.owned());
    let data = call::run_or_apart(py, Some(caller), apart, move |watch| work.run(&keywords.options(None), watch))?;
    if length > 0 {
        given.tell_end(length)?;
    }
    Ok(data.into())
}

functions! {
    /// base^exponent mod modulus in each row of columns, as a Column: no Python object is made for a row.
    ///
    /// bases, exponents, moduli: each a column, one int for all rows, or, for moduli, a Modulus. A column is an object with __arrow_c_array__ or
    /// __arrow_c_stream__ (pyarrow, polars, pandas, DuckDB: integers of 8 to 128 bits, decimals without a fraction, fixed-size, variable
    /// and view binary, text with decimal or 0x numbers), a buffer (NumPy: integers, V of any width, uint8 of two dimensions), or a
    /// sequence of bytes and None. Bytes are numbers in the byteorder: "big" or "little" (unsigned), "signed-big" or "signed-little" (two's
    /// complement). Without it they are big; fixed-size binary of Arrow and V of NumPy need it, but a Column of this package knows its own.
    ///
    /// The results are uint64 where all columns are integers and moduli fit 64 bits; otherwise bytes in the byteorder, each row as wide
    /// as the longest modulus, or width bytes. Null in any column gives null. errors: "raise" raises the error of the first bad row,
    /// with its index; "null" makes bad rows null; "column" does so and adds their codes (Column.error_codes, and a struct of result and
    /// error for Arrow).
    ///
    /// kernel, plan, threads, progress, max_modulus_bits, max_exponent_bits: as in powmod_list.
    ///
    /// Each row of a column is copied once before it is checked: its owner may write to it meanwhile. Raises ArgumentError, TypeError,
    /// PlanError, and those of rows. Releases the GIL; Ctrl-C stops it.
    fn powmod_column(
        bases, exponents, moduli, *, width, errors, byteorder, threads, progress, kernel, plan, max_modulus_bits,
        max_exponent_bits
    ) -> ResultColumn = |py, given| {
        powers(py, read_arguments(bases, exponents, moduli, &given.limits())?, Operation::Powers, None, None, &given)
    }

    /// The inverse of each row of a column, as a Column. Modulo one number inverses share work. A row without an inverse has the error
    /// "not_invertible". values, moduli, width, errors, byteorder, threads, progress, max_modulus_bits: as the bases and the other arguments
    /// of powmod_column. Raises what powmod_column raises.
    fn invert_column(
        values, moduli, *, width, errors, byteorder, threads, progress, max_modulus_bits
    ) -> ResultColumn = |py, given| {
        let minus_one = Argument::One(Divisor::Number { negative: true, magnitude: Natural::from(1u64) });
        let mut bad = None;
        let values = Argument::read(Role::base("values"), values, &mut bad)?;
        let columns = ([values, minus_one, Argument::read(Role::moduli(&given.limits()), moduli, &mut bad)?], bad);
        powers(py, columns, Operation::Powers, None, None, &given)
    }

    /// a * b mod modulus in each row of columns, as a Column.
    ///
    /// a, b, moduli: each a column, one int for all rows, or, for moduli, a Modulus; columns and results are those of powmod_column.
    /// width, errors, byteorder, threads, progress, kernel, max_modulus_bits: as in powmod_column. Raises what powmod_column raises.
    fn mulmod_column(
        a, b, moduli, *, width, errors, byteorder, threads, progress, kernel, max_modulus_bits
    ) -> ResultColumn = |py, given| {
        let mut bad = None;
        let [a, b] = [("a", a), ("b", b)].map(|(name, object)| Argument::read(Role::base(name), object, &mut bad));
        let columns = [a?, b?, Argument::read(Role::moduli(&given.limits()), moduli, &mut bad)?];
        powers(py, (columns, bad), Operation::Products, None, None, &given)
    }
}

functions! { apart
    /// One batch of a stream, whose batches must have one type, for pingala.polars and pingala.duckdb: as powmod_column, but with words
    /// the results are uint64, and otherwise bytes, each row as wide as its own modulus, or width bytes.
    fn powmod_batch(
        bases, exponents, moduli, *, words: bool = false, width, errors, byteorder, threads
    ) -> ResultColumn = |py, given| {
        powers(py, read_arguments(bases, exponents, moduli, &given.limits())?, Operation::Powers, Some(words), None, &given)
    }
}

/// `FixedBase.pow_column`.
pub fn table_powers<'py>(
    table: &pingala_core::FixedBase,
    threads: Option<NonZeroUsize>,
    exponents: &Bound<'py, PyAny>,
    given: &Given<'_, 'py>,
) -> PyResult<ResultColumn> {
    let base = Argument::One(Divisor::Number { negative: false, magnitude: table.base().clone() });
    let modulus = Argument::One(Divisor::Kept(table.modulus().clone()));
    let (py, mut bad) = (exponents.py(), None);
    let exponents = Argument::read(Role::exponents(&given.limits()), exponents, &mut bad)?;
    powers(py, ([base, exponents, modulus], bad), Operation::Table(table.clone()), None, threads, given)
}
