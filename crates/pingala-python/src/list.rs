//! Lists: read and checked element by element before any work, then one call of the library for all.

pub mod words;

use crate::call::{self, Divisor};
use crate::errors;
use crate::keywords::{Given, Keywords};
use crate::modulus::Modulus;
use crate::number;
use crate::secret::SecretInt;
use crate::watch::{Caller, Progress};
use pingala_core::{Error, Integer, Job, Limits, Natural, Options};
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyInt, PyIterator, PyList, PyString, PyTuple};
use std::collections::TryReserveError;
use std::num::NonZeroUsize;

/// Bits of moduli read between two looks for a signal; an element counts for 2^8 at least. Setting up a modulus takes
/// some nanoseconds a bit.
const READ_BETWEEN_LOOKS: u64 = 1 << 20;

/// An argument of a list call.
pub enum Source<'py> {
    /// One number for all.
    One(Bound<'py, PyAny>),
    /// An iterator, the number of elements if the argument knows it, otherwise 0, and the list, if the argument is one.
    Many(Bound<'py, PyIterator>, usize, Option<Bound<'py, PyList>>),
}

impl<'py> Source<'py> {
    /// A number, which the caller checks.
    pub fn one(object: &Bound<'py, PyAny>) -> Self {
        Self::One(object.clone())
    }

    /// An iterable of numbers. TypeError, also for text and bytes.
    pub fn many(name: &str, object: &Bound<'py, PyAny>) -> PyResult<Self> {
        match Self::either(name, object)? {
            Self::One(_) => Err(refused(name, "an iterable of integers", object)),
            many => Ok(many),
        }
    }

    /// One or the other. (NumPy's arrays have `__index__` too, and NumPy's numbers `__iter__`: `iter` decides.)
    pub fn either(name: &str, object: &Bound<'py, PyAny>) -> PyResult<Self> {
        const EXPECTED: &str = "an integer or an iterable of integers";
        if object.is_instance_of::<PyInt>() || object.is_instance_of::<Modulus>() {
            return Ok(Self::one(object));
        }
        if is_text(object) {
            return Err(refused(name, EXPECTED, object));
        }
        let dimensions: Option<usize> = object.getattr("ndim").ok().and_then(|count| count.extract().ok());
        if let Some(dimensions @ 2..) = dimensions {
            let array = "an array of one dimension, such as array.ravel() gives";
            let found = format!("{name} must be {EXPECTED}, not an array of {dimensions} dimensions: give {array}");
            return Err(PyTypeError::new_err(found));
        }
        match object.try_iter() {
            Ok(iterator) => {
                let list = object.cast_exact::<PyList>().ok();
                let length = list.map(|list| list.len());
                let length = length.or_else(|| Some(object.cast_exact::<PyTuple>().ok()?.len()));
                Ok(Self::Many(iterator, length.unwrap_or(0), list.cloned()))
            }
            Err(error) if !error.is_instance_of::<PyTypeError>(object.py()) => Err(error),
            Err(_) if number::index(name, object).is_ok() => Ok(Self::one(object)),
            Err(_) => Err(refused(name, EXPECTED, object)),
        }
    }

    /// Whether it is an iterable.
    pub fn is_many(&self) -> bool {
        matches!(self, Self::Many(..))
    }

    /// The arguments of a list of powers.
    pub fn powers(arguments: [&Bound<'py, PyAny>; 3]) -> PyResult<[Self; 3]> {
        let [bases, exponents, moduli] = arguments;
        Ok([Self::either("bases", bases)?, Self::either("exponents", exponents)?, Self::either("moduli", moduli)?])
    }

    /// The arguments of a list of products.
    pub fn products(arguments: [&Bound<'py, PyAny>; 3]) -> PyResult<[Self; 3]> {
        let [bases, exponents, moduli] = arguments;
        Ok([Self::many("bases", bases)?, Self::many("exponents", exponents)?, Self::either("moduli", moduli)?])
    }

    /// How many elements there probably are.
    fn length(&self) -> usize {
        if let Self::Many(_, length, _) = self { *length } else { 0 }
    }

    /// The next element; `None` at the end of an iterable or for one number.
    pub fn next(&mut self) -> PyResult<Option<Bound<'py, PyAny>>> {
        match self {
            Self::One(_) => Ok(None),
            Self::Many(iterator, ..) => iterator.next().transpose(),
        }
    }
}

/// Whether it is text or bytes: iterables, but no list of anything.
pub fn is_text(object: &Bound<'_, PyAny>) -> bool {
    object.is_instance_of::<PyString>() || object.is_instance_of::<PyBytes>() || object.is_instance_of::<PyByteArray>()
}

/// The elements of a list of anything else than numbers. TypeError, also for text and bytes.
pub fn elements<'py>(name: &str, expected: &str, object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyIterator>> {
    match object.try_iter() {
        Err(error) if !error.is_instance_of::<PyTypeError>(object.py()) => Err(error),
        Ok(elements) if !is_text(object) => Ok(elements),
        _ => Err(refused(name, expected, object)),
    }
}

/// The TypeError for an argument, or an element of it, that is not what the call takes.
pub fn refused(name: &str, expected: &str, object: &Bound<'_, PyAny>) -> PyErr {
    let kind = object.get_type().name().map_or_else(|_| String::from("this"), |kind| kind.to_string());
    let secret = if object.is_instance_of::<SecretInt>() {
        ": powmod_sec, pow_sec and pow_sec_list take secrets, this call does not"
    } else {
        ""
    };
    PyTypeError::new_err(errors::shortened(&format!("{name} must be {expected}, not {kind}{secret}")).into_owned())
}

/// Numbers of a list, or the one for all.
enum Column<T> {
    One(T),
    Many(Vec<T>),
}

impl<T> Column<T> {
    fn get(&self, row: usize) -> &T {
        match self {
            Self::One(value) => value,
            Self::Many(values) => &values[row],
        }
    }

    fn any(&self, holds: impl Fn(&T) -> bool) -> bool {
        match self {
            Self::One(value) => holds(value),
            Self::Many(values) => values.iter().any(holds),
        }
    }

    fn last(&self) -> Option<&T> {
        match self {
            Self::One(_) => None,
            Self::Many(values) => values.last(),
        }
    }

    fn reserve(&mut self, count: usize) -> Result<(), TryReserveError> {
        match self {
            Self::One(_) => Ok(()),
            Self::Many(values) => values.try_reserve(count),
        }
    }

    fn push(&mut self, value: Option<T>) {
        if let (Self::Many(values), Some(value)) = (self, value) {
            values.push(value);
        }
    }
}

/// A modulus of a list, set up.
#[derive(Clone)]
struct Ready {
    modulus: pingala_core::Modulus,
    negative: bool,
}

/// Why an element is not read: its own error, or one of Python.
pub enum Refused {
    Element(Error),
    Python(PyErr),
}

impl Refused {
    /// Whether it is an error of the element: `__index__` may raise any other one.
    fn is_of_element(&self, py: Python<'_>) -> bool {
        match self {
            Self::Element(_) => true,
            Self::Python(error) => error.is_instance_of::<PyTypeError>(py),
        }
    }

    /// The exception for the element of this index.
    fn at(self, py: Python<'_>, index: usize) -> PyErr {
        match self {
            Self::Element(error) => errors::exception(py, &error, Some(index)),
            Self::Python(error) if error.is_instance_of::<PyTypeError>(py) => {
                errors::element_type_error(py, &error, index)
            }
            Self::Python(error) => error,
        }
    }
}

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        Self::Element(error)
    }
}

impl From<PyErr> for Refused {
    fn from(error: PyErr) -> Self {
        Self::Python(error)
    }
}

/// Sets up the modulus.
fn ready(object: &Bound<'_, PyAny>, limits: &Limits) -> Result<Ready, Refused> {
    let divisor = Divisor::read(object, limits)??;
    Ok(Ready { modulus: divisor.kept(limits)?, negative: divisor.is_negative() })
}

/// A number and an iterable of them, in messages.
pub type Names = [&'static str; 2];
pub const BASE: Names = ["base", "bases"];
pub const EXPONENT: Names = ["exponent", "exponents"];

/// What a list has in one of its columns: a number, or for products the numbers of one of them.
pub trait Item: Sized {
    /// Whether it is negative, or one of its numbers is.
    fn has_negative(&self) -> bool;

    /// Reads it, unless a number has more than `most_bits`.
    fn read(names: Names, object: &Bound<'_, PyAny>, most_bits: u64) -> Result<Self, Refused>;
}

impl Item for Integer {
    fn has_negative(&self) -> bool {
        self.is_negative()
    }

    fn read([name, _]: Names, object: &Bound<'_, PyAny>, most_bits: u64) -> Result<Self, Refused> {
        Ok(number::capped(name, object, "exponent", most_bits)??)
    }
}

impl Item for Vec<Integer> {
    fn has_negative(&self) -> bool {
        self.iter().any(Integer::is_negative)
    }

    fn read(names: Names, object: &Bound<'_, PyAny>, most_bits: u64) -> Result<Self, Refused> {
        let mut source = Source::many(names[1], object)?;
        let mut numbers = Vec::new();
        while let Some(number) = source.next()? {
            numbers.push(Integer::read(names, &number, most_bits)?);
        }
        Ok(numbers)
    }
}

/// Bases are reduced, so they may have any length.
pub const ANY_BITS: u64 = u64::MAX;

/// The good elements, in columns, one row each.
pub struct Table<T> {
    bases: Column<T>,
    exponents: Column<T>,
    moduli: Column<Ready>,
    rows: usize,
}

/// The errors of the others, with their places in the list. They are objects of Python, which work without the interpreter must not drop.
type Failed = Vec<(usize, PyErr)>;

impl Table<Integer> {
    pub fn jobs(&self) -> Vec<Job<'_>> {
        let job = |row| Job {
            base: self.bases.get(row),
            exponent: self.exponents.get(row),
            modulus: &self.moduli.get(row).modulus,
        };
        (0..self.rows).map(job).collect()
    }
}

impl Table<Vec<Integer>> {
    pub fn products(&self) -> Vec<(&[Integer], &[Integer], &pingala_core::Modulus)> {
        let product = |row| (&**self.bases.get(row), &**self.exponents.get(row), &self.moduli.get(row).modulus);
        (0..self.rows).map(product).collect()
    }
}

impl<T: Item> Table<T> {
    /// Whether there is a negative exponent and a modulus so long that an inverse takes a while.
    fn has_long_inverse(&self) -> bool {
        let is_long = |ready: &Ready| call::runs_apart(ready.modulus.value().bits());
        self.moduli.any(is_long) && self.exponents.any(T::has_negative)
    }
}

impl<T> Table<T> {
    /// Room for `count` more elements, or an error where Rust would abort the process.
    fn reserve(&mut self, count: usize) -> PyResult<()> {
        let room = |table: &mut Self| {
            table.bases.reserve(count)?;
            table.exponents.reserve(count)?;
            table.moduli.reserve(count)
        };
        room(self).map_err(|_: TryReserveError| PyMemoryError::new_err("the lists are too long for the memory"))
    }
}

/// A column before its rows are read: the one number for all, if there is one. Its error is that of every element.
fn column<'py, T>(
    source: &Source<'py>,
    shared_error: &mut Option<Error>,
    read: impl FnOnce(&Bound<'py, PyAny>) -> Result<T, Refused>,
) -> PyResult<Column<T>> {
    let Source::One(object) = source else { return Ok(Column::Many(Vec::new())) };
    match read(object) {
        Ok(item) => Ok(Column::One(item)),
        Err(Refused::Element(error)) => {
            shared_error.get_or_insert(error);
            Ok(Column::Many(Vec::new()))
        }
        Err(Refused::Python(error)) => Err(error),
    }
}

/// Reads the lists in step. `collect`: errors go in their places, otherwise the first one is raised.
fn read<'py, T: Item>(
    py: Python<'py>,
    mut sources: [Source<'py>; 3],
    limits: &Limits,
    collect: bool,
) -> PyResult<(Table<T>, Failed)> {
    let read_base = |object: &Bound<'py, PyAny>| T::read(BASE, object, ANY_BITS);
    let read_exponent = |object: &Bound<'py, PyAny>| T::read(EXPONENT, object, limits.exponent_bits);
    let (mut shared_error, mut failed) = (None, Vec::new());
    let mut table = Table {
        bases: column(&sources[0], &mut shared_error, read_base)?,
        exponents: column(&sources[1], &mut shared_error, read_exponent)?,
        moduli: column(&sources[2], &mut shared_error, |object| ready(object, limits))?,
        rows: 0,
    };
    let lengths = sources.each_ref().map(Source::length);
    table.reserve(lengths.into_iter().filter(|&length| length > 0).min().unwrap_or(0))?;
    let mut unlooked = READ_BETWEEN_LOOKS;
    // The modulus read last, which the last row has: a list often repeats one.
    let mut last: Option<Bound<'py, PyAny>> = None;
    loop {
        let at = table.rows + failed.len();
        let newest = table.moduli.last().map_or(0, |ready| ready.modulus.value().bits());
        unlooked += newest.max(1 << 8);
        if unlooked >= READ_BETWEEN_LOOKS {
            unlooked = 0;
            py.check_signals()?;
        }
        table.reserve(1)?;
        let next = [sources[0].next()?, sources[1].next()?, sources[2].next()?];
        let ended: [bool; 3] = core::array::from_fn(|column| sources[column].is_many() && next[column].is_none());
        if ended.contains(&true) {
            let going = next.iter().any(Option::is_some);
            return if going { Err(differing(py, sources, ended, at)?) } else { Ok((table, failed)) };
        }
        let mut element = || -> Result<_, Refused> {
            let base = next[0].as_ref().map(read_base).transpose()?;
            let has_zero = || next[2].as_ref().is_some_and(|modulus| number::word(modulus) == Some(0));
            let exponent = next[1].as_ref().map(read_exponent).transpose().map_err(|refused| match refused {
                Refused::Element(error) => Refused::Element(error.unless_modulus_is_zero(has_zero)),
                refused => refused,
            })?;
            if let Some(error) = &shared_error {
                return Err(error.clone().unless_modulus_is_zero(has_zero).into());
            }
            let Some(object) = &next[2] else { return Ok((base, exponent, None)) };
            if let Some(ready) = table.moduli.last().filter(|_| last.as_ref().is_some_and(|seen| seen.is(object))) {
                return Ok((base, exponent, Some(ready.clone())));
            }
            last = None;
            let ready = ready(object, limits)?;
            // Another type may change its value between two elements.
            if object.is_exact_instance_of::<PyInt>() || object.is_exact_instance_of::<Modulus>() {
                last = Some(object.clone());
            }
            Ok((base, exponent, Some(ready)))
        };
        match element() {
            Ok((base, exponent, modulus)) => {
                table.bases.push(base);
                table.exponents.push(exponent);
                table.moduli.push(modulus);
                table.rows += 1;
            }
            Err(refused) if collect && refused.is_of_element(py) => failed.push((at, refused.at(py, at))),
            Err(refused) => return Err(refused.at(py, at)),
        }
    }
}

/// The error of lists of different lengths: which ended after `at` elements, and how many the others have. A list knows its length; of
/// another iterable the rest is counted, up to `at` elements and a thousand.
fn differing(py: Python<'_>, sources: [Source<'_>; 3], ended: [bool; 3], at: usize) -> PyResult<PyErr> {
    let mut lengths = Vec::new();
    for ((name, mut source), ended) in ["bases", "exponents", "moduli"].into_iter().zip(sources).zip(ended) {
        if !source.is_many() {
            continue;
        }
        let (mut length, known) = (if ended { at } else { at + 1 }, source.length());
        let mut ends = ended || known > 0;
        if known > 0 && !ended {
            length = known;
        }
        while !ends && length < 2 * at + 1000 {
            match source.next()? {
                Some(_) => length += 1,
                None => ends = true,
            }
        }
        lengths.push(format!("{}{length} {name}", if ends { "" } else { "at least " }));
    }
    Ok(errors::bad_argument(py, format!("the lists differ in length: {}", lengths.join(", "))))
}

/// The list of results; an error of an element is raised, unless errors are collected.
pub fn answers<'py>(
    py: Python<'py>,
    answers: &[Result<Natural, Error>],
    collect: bool,
) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for (index, answer) in answers.iter().enumerate() {
        match answer {
            Ok(number) => list.append(number::int(py, number)?)?,
            Err(error) if collect => list.append(errors::exception(py, error, Some(index)).into_value(py))?,
            Err(error) => return Err(errors::exception(py, error, Some(index))),
        }
    }
    Ok(list)
}

/// The numbers of an iterable, none of more bits. Errors have the index.
pub fn integers<'py>(names: Names, object: &Bound<'py, PyAny>, most_bits: u64) -> PyResult<Vec<Integer>> {
    if most_bits == ANY_BITS {
        // Without a look at the length, which takes a part of the time of a short number.
        return items(names[1], object, |number| Ok(number::integer(names[0], number)?));
    }
    items(names[1], object, |number| Ok(number::capped(names[0], number, "exponent", most_bits)??))
}

/// What `read` makes of the elements of an iterable. Errors have the index.
pub fn items<'py, T>(
    name: &str,
    object: &Bound<'py, PyAny>,
    read: impl Fn(&Bound<'py, PyAny>) -> Result<T, Refused>,
) -> PyResult<Vec<T>> {
    let (py, mut source, mut items) = (object.py(), Source::many(name, object)?, Vec::new());
    let room = items.try_reserve(source.length());
    room.map_err(|_| PyMemoryError::new_err("the list is too long for the memory"))?;
    while let Some(element) = source.next()? {
        if items.len().is_multiple_of(1024) {
            py.check_signals()?;
        }
        items.push(read(&element).map_err(|refused| refused.at(py, items.len()))?);
    }
    Ok(items)
}

/// The two columns of a product of powers, read in step, all elements good.
pub fn read_pairs<'py>(
    py: Python<'py>,
    sources: [Source<'py>; 3],
    limits: &Limits,
) -> PyResult<(Vec<Integer>, Vec<Integer>)> {
    let (table, _) = read(py, sources, limits, false)?;
    let column = |column| match column {
        Column::Many(values) => values,
        Column::One(value) => vec![value],
    };
    Ok((column(table.bases), column(table.exponents)))
}

pub fn read_threads(threads: &Bound<'_, PyAny>) -> PyResult<NonZeroUsize> {
    let count = number::index("threads", threads)?;
    // It is the most that may be used: no number is too large.
    let most = number::saturated(&count)?.map_or(0, |most| usize::try_from(most).unwrap_or(usize::MAX));
    NonZeroUsize::new(most).ok_or_else(|| {
        errors::bad_argument(threads.py(), format!("threads must be at least 1, not {}", number::shown(&count)))
    })
}

/// A list of powers.
pub fn powers<'py>(py: Python<'py>, sources: [Source<'py>; 3], given: &Given<'_, 'py>) -> PyResult<Bound<'py, PyList>> {
    if !sources.iter().any(Source::is_many) {
        return Err(errors::bad_argument(py, "at least one of bases, exponents and moduli must be a list or iterable"));
    }
    // Words that may be too long are read one by one, as longer numbers are, so that the same error comes first.
    let limits = given.limits();
    if limits.modulus_bits.min(limits.exponent_bits) >= 64
        && let Some(columns) = words::columns(py, sources.each_ref())?
    {
        return words::powers(py, columns, sources[2].length(), given);
    }
    listed(py, sources, given, given.keywords()?, |table, options| pingala_core::pow_list(&table.jobs(), options))
}

/// A list of powers by a table; `threads` unless the call gives a number.
pub fn table_powers<'py>(
    exponents: &Bound<'py, PyAny>,
    table: &pingala_core::FixedBase,
    threads: Option<NonZeroUsize>,
    given: &Given<'_, 'py>,
) -> PyResult<Bound<'py, PyList>> {
    let (py, table) = (exponents.py(), table.clone());
    let given_keywords = given.keywords()?;
    let limits = Limits::new(u64::MAX, table.exponent_bits());
    let keywords = Keywords { threads: given_keywords.threads.or(threads), limits, ..given_keywords };
    let base = Source::One(number::int(py, table.base())?.into_any());
    let modulus = Source::One(Bound::new(py, Modulus::of(table.modulus().clone()))?.into_any());
    let sources = [base, Source::many("exponents", exponents)?, modulus];
    listed(py, sources, given, keywords, move |read: &Table<Integer>, options| match &read.exponents {
        Column::Many(exponents) => table.pow_list(exponents, options),
        Column::One(_) => Err(Error::Fault("a list without its exponents")),
    })
}

/// The plan of a list call, or its explanation; the first error of an element is raised.
pub fn planned<'py, T: Item + Sync, P: Send>(
    py: Python<'py>,
    sources: [Source<'py>; 3],
    given: &Given<'_, 'py>,
    plan: impl FnOnce(&Table<T>, &Options<'_>) -> Result<P, Error> + Send,
) -> PyResult<P> {
    let keywords = given.keywords()?;
    let (table, _) = read(py, sources, &keywords.limits, false)?;
    call::watched(py, |watch| plan(&table, &keywords.options(watch)))
}

/// A list call: reads the lists, computes the good elements by one call of the library, and writes all.
pub fn listed<'py, T: Item + Send + Sync + 'static>(
    py: Python<'py>,
    sources: [Source<'py>; 3],
    given: &Given<'_, 'py>,
    keywords: Keywords<'_>,
    compute: impl FnOnce(&Table<T>, &Options<'_>) -> Result<Vec<Result<Natural, Error>>, Error> + Send + 'static,
) -> PyResult<Bound<'py, PyList>> {
    let (collect, progress) = (given.collects(py)?, given.progress(0)?);
    let (table, failed) = read(py, sources, &keywords.limits, collect)?;
    let (settled, total) = (failed.len(), table.rows + failed.len());
    let caller = Caller::new(progress.map(|progress| Progress { settled, total, ..progress }));
    let (apart, keywords) = (table.has_long_inverse(), keywords.owned());
    let (table, results) = call::run_or_apart(py, Some(caller), apart, move |watch| {
        let results = compute(&table, &keywords.options(watch))?;
        Ok((table, results))
    })?;
    if total > 0 {
        given.tell_end(total)?;
    }
    write(py, &table, failed, &results, collect)
}

/// The list of results, or the first error.
fn write<'py, T>(
    py: Python<'py>,
    table: &Table<T>,
    failed: Failed,
    results: &[Result<Natural, Error>],
    collect: bool,
) -> PyResult<Bound<'py, PyList>> {
    if results.len() != table.rows {
        return Err(PyValueError::new_err("the library returned a list of another length"));
    }
    let (list, mut failed) = (PyList::empty(py), failed.into_iter().peekable());
    let mut rows = results.iter().enumerate();
    loop {
        let at = list.len();
        let error = if let Some((_, error)) = failed.next_if(|(place, _)| *place == at) {
            error
        } else {
            match rows.next() {
                None => return Ok(list),
                Some((_, Err(error))) => errors::exception(py, error, Some(at)),
                Some((row, Ok(result))) => {
                    let Ready { modulus, negative } = table.moduli.get(row);
                    if *negative {
                        list.append(call::below_zero(py, result, modulus.value())?)?;
                    } else {
                        list.append(number::int(py, result)?)?;
                    }
                    continue;
                }
            }
        };
        if !collect {
            return Err(error);
        }
        list.append(error.into_value(py))?;
    }
}
