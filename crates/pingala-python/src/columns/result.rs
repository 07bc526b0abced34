//! The results of a call on columns.

use super::arrow::{Lending, bytes_of_offsets, bytes_of_words};
use super::capsule::{Exported, array_capsule, export, schema_capsule};
use super::{Errors, grow};
use crate::truth::{self, Truth};
use crate::{errors, number, pickle};
use core::ffi::c_int;
use pingala_core::{Error, Natural};
use pyo3::exceptions::{PyBufferError, PyIndexError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyIterator, PyList, PyTuple};
use std::borrow::Cow;
use std::sync::Arc;

/// The values of a result.
#[derive(Debug)]
pub enum Values {
    /// Words.
    Words(Vec<u64>),
    /// Unsigned numbers of one width.
    Fixed { bytes: Vec<u8>, width: usize },
    /// Unsigned numbers, each of its own width; `offsets` has one entry more than there are rows.
    Variable { bytes: Vec<u8>, offsets: Vec<i64> },
    /// A bit for each row.
    Truths(Vec<u8>),
    /// 1, 0 or -1 for each row, as bytes with a sign.
    Symbols(Vec<u8>),
}

/// What a result owns, and shares with those who borrow it.
#[derive(Debug)]
pub struct Data {
    pub values: Values,
    pub length: usize,
    pub little_endian: bool,
    /// A bit for each row that has a result, and how many have none.
    pub valid: Vec<u8>,
    pub nulls: usize,
    /// The rows with an error, in order, each with the code.
    pub failed: Vec<Failed>,
    /// For `errors="column"`: the codes as a column of text.
    pub codes: Option<Codes>,
}

/// A row, and the code of its error.
pub type Failed = (usize, Cow<'static, str>);

/// A column of codes; null means no error.
#[derive(Debug)]
pub struct Codes {
    text: Vec<u8>,
    offsets: Vec<i64>,
    valid: Vec<u8>,
    nulls: usize,
}

impl Codes {
    fn of(failed: &[Failed], length: usize) -> Self {
        let (mut text, mut offsets, mut valid) = (Vec::new(), vec![0; length + 1], vec![0; length.div_ceil(8)]);
        for (row, code) in failed {
            text.extend_from_slice(code.as_bytes());
            offsets[row + 1] = code.len() as i64;
            set(&mut valid, *row);
        }
        let mut end = 0;
        for offset in &mut offsets {
            end += *offset;
            *offset = end;
        }
        Self { text, offsets, valid, nulls: length - failed.len() }
    }
}

/// Sets a bit.
pub fn set(bits: &mut [u8], row: usize) {
    bits[row / 8] |= 1 << (row % 8);
}

pub fn is_set(bits: &[u8], row: usize) -> bool {
    bits[row / 8] >> (row % 8) & 1 == 1
}

impl Values {
    /// The bytes of a row, if every row has the same number of them.
    fn width(&self) -> Option<usize> {
        match self {
            Self::Words(_) => Some(8),
            Self::Fixed { width, .. } => Some(*width),
            Self::Symbols(_) => Some(1),
            Self::Variable { .. } | Self::Truths(_) => None,
        }
    }
}

impl Data {
    /// Of rows of which none has a result yet. Error: `bad_argument` if there is no memory.
    pub fn of(values: Values, length: usize, little_endian: bool) -> Result<Self, Error> {
        let mut valid = Vec::new();
        grow(&mut valid, length.div_ceil(8))?;
        Ok(Self { values, length, little_endian, valid, nulls: 0, failed: Vec::new(), codes: None })
    }

    /// Takes in the rows from `first` on, of which those that are absent and those that failed have no result. Error: the first failure, with
    /// its index, if errors are raised.
    pub fn settle(
        &mut self,
        first: usize,
        absent: &[bool],
        failed: &[(usize, Error)],
        errors: Errors,
    ) -> Result<(), Error> {
        if let (Errors::Raise, Some((row, error))) = (errors, failed.first()) {
            return Err(Error::At { index: first + row, error: Box::new(error.clone()) });
        }
        let mut failures = failed.iter().peekable();
        for (row, absent) in absent.iter().enumerate() {
            if failures.next_if(|(at, _)| *at == row).is_some() || *absent {
                self.nulls += 1;
            } else {
                set(&mut self.valid, first + row);
            }
        }
        self.failed.extend(failed.iter().map(|(row, error)| (first + row, error.code().into())));
        Ok(())
    }

    /// With the codes of errors as a column, if that is wanted.
    pub fn finished(mut self, errors: Errors) -> Self {
        self.codes = (errors == Errors::Column).then(|| Codes::of(&self.failed, self.length));
        self
    }

    fn valid(&self) -> Option<&[u8]> {
        (self.nulls > 0).then_some(&self.valid)
    }

    fn lending(&self) -> Lending<'_> {
        let (format, mut buffers) = match &self.values {
            Values::Words(words) => ("L".into(), vec![Some(bytes_of_words(words))]),
            Values::Fixed { bytes, width } => (format!("w:{width}"), vec![Some(&bytes[..])]),
            Values::Variable { bytes, offsets } => {
                ("Z".into(), vec![Some(bytes_of_offsets(offsets)), Some(&bytes[..])])
            }
            Values::Truths(bits) => ("b".into(), vec![Some(&bits[..])]),
            Values::Symbols(bytes) => ("c".into(), vec![Some(&bytes[..])]),
        };
        buffers.insert(0, self.valid());
        let mut result =
            Lending { format, name: "", length: self.length, nulls: self.nulls, buffers, children: Vec::new() };
        let Some(codes) = &self.codes else { return result };
        result.name = "result";
        let error = Lending {
            format: "U".into(),
            name: "error",
            length: self.length,
            nulls: codes.nulls,
            buffers: vec![Some(&codes.valid), Some(bytes_of_offsets(&codes.offsets)), Some(&codes.text)],
            children: Vec::new(),
        };
        let children = vec![result, error];
        Lending { format: "+s".into(), name: "", length: self.length, nulls: 0, buffers: vec![None], children }
    }
}

/// A column of results, which Arrow, NumPy and everything else that reads buffers take without a copy. Immutable.
///
/// pyarrow.array(column), polars.Series(column) and others read it by __arrow_c_array__; numpy.asarray(column) by the buffer
/// protocol, which knows no nulls: they are zeros there.
#[pyclass(frozen, sequence, module = "pingala", name = "Column")]
#[derive(Debug)]
pub struct ResultColumn {
    data: Arc<Data>,
    shape: [isize; 2],
    strides: [isize; 2],
}

impl From<Data> for ResultColumn {
    fn from(data: Data) -> Self {
        let width = data.values.width().unwrap_or(1) as isize;
        Self { shape: [data.length as isize, width], strides: [width, 1], data: data.into() }
    }
}

impl ResultColumn {
    /// Whether rows of bytes have the least significant one first.
    pub fn is_little_endian(&self) -> bool {
        self.data.little_endian
    }

    /// What a row is to Python: an int, a bool, or None.
    fn item<'py>(&self, py: Python<'py>, row: usize) -> PyResult<Bound<'py, PyAny>> {
        let data = &*self.data;
        if !is_set(&data.valid, row) {
            return Ok(py.None().into_bound(py));
        }
        let bytes = match &data.values {
            Values::Truths(bits) => return Ok(is_set(bits, row).into_pyobject(py)?.to_owned().into_any()),
            Values::Symbols(symbols) => return Ok((symbols[row] as i8).into_pyobject(py)?.into_any()),
            Values::Words(words) => return Ok(words[row].into_pyobject(py)?.into_any()),
            Values::Fixed { bytes, width } => &bytes[row * width..][..*width],
            Values::Variable { bytes, offsets } => &bytes[offsets[row] as usize..offsets[row + 1] as usize],
        };
        let number = if data.little_endian { Natural::from_le_bytes(bytes) } else { Natural::from_be_bytes(bytes) };
        Ok(number::int(py, &number)?.into_any())
    }
}

/// A row, as it is compared.
#[derive(PartialEq)]
enum Row {
    Null,
    Truth(bool),
    Symbol(i8),
    /// Least byte first, without zeros at the end.
    Number(Vec<u8>),
}

impl Row {
    fn of(mut bytes: Vec<u8>) -> Self {
        bytes.truncate(bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1));
        Self::Number(bytes)
    }
}

impl Data {
    fn row(&self, row: usize) -> Row {
        if !is_set(&self.valid, row) {
            return Row::Null;
        }
        let bytes = match &self.values {
            Values::Truths(bits) => return Row::Truth(is_set(bits, row)),
            Values::Symbols(symbols) => return Row::Symbol(symbols[row] as i8),
            Values::Words(words) => return Row::of(words[row].to_le_bytes().to_vec()),
            Values::Fixed { bytes, width } => &bytes[row * width..][..*width],
            Values::Variable { bytes, offsets } => &bytes[offsets[row] as usize..offsets[row + 1] as usize],
        };
        Row::of(if self.little_endian { bytes.to_vec() } else { bytes.iter().rev().copied().collect() })
    }
}

impl PartialEq for Data {
    fn eq(&self, other: &Self) -> bool {
        self.length == other.length
            && self.nulls == other.nulls
            && self.failed == other.failed
            && (0..self.length).all(|row| self.row(row) == other.row(row))
    }
}

/// The kind, the length, the width, whether it is little-endian, and whether a column of codes follows.
type PickledShape = (String, usize, usize, bool, bool);

/// What `Column.__reduce__` wrote. ArgumentError for what contradicts itself.
#[pyfunction]
#[pyo3(name = "_column")]
pub fn column_of_pickle(
    py: Python<'_>,
    shape: PickledShape,
    values: &[u8],
    offsets: Vec<i64>,
    valid: Vec<u8>,
    failed: Vec<(usize, String)>,
) -> PyResult<ResultColumn> {
    let (kind, length, width, little_endian, has_codes) = shape;
    let bits = length.div_ceil(8);
    let (rows, rest) = values.as_chunks();
    let values = match &*kind {
        "words" if rows.len() == length && rest.is_empty() => {
            Some(Values::Words(rows.iter().map(|&row| u64::from_le_bytes(row)).collect()))
        }
        "fixed" if width > 0 && length.checked_mul(width) == Some(values.len()) => {
            Some(Values::Fixed { bytes: values.to_vec(), width })
        }
        "variable" if are_offsets(&offsets, length, values.len()) => {
            Some(Values::Variable { bytes: values.to_vec(), offsets })
        }
        "truths" if values.len() == bits => Some(Values::Truths(values.to_vec())),
        "symbols" if values.len() == length && values.iter().all(|&byte| matches!(byte as i8, -1..=1)) => {
            Some(Values::Symbols(values.to_vec()))
        }
        _ => None,
    };
    let ordered = failed.is_sorted_by(|(one, _), (next, _)| one < next);
    let inside = failed.last().is_none_or(|(row, _)| *row < length);
    let (Some(values), true) = (values, valid.len() == bits && ordered && inside) else {
        return Err(errors::bad_argument(py, "the pickle of a Column contradicts itself"));
    };
    let nulls = (0..length).filter(|&row| !is_set(&valid, row)).count();
    let failed: Vec<Failed> = failed.into_iter().map(|(row, code)| (row, code.into())).collect();
    let codes = has_codes.then(|| Codes::of(&failed, length));
    Ok(Data { values, length, little_endian, valid, nulls, failed, codes }.into())
}

/// Whether they belong to this number of rows and bytes.
fn are_offsets(offsets: &[i64], rows: usize, bytes: usize) -> bool {
    rows.checked_add(1) == Some(offsets.len())
        && offsets.first() == Some(&0)
        && offsets.is_sorted()
        && offsets.last().is_some_and(|&last| usize::try_from(last) == Ok(bytes))
}

#[pymethods]
impl ResultColumn {
    /// The PyCapsule interface of Arrow: a schema and an array. The type is uint64 for words, fixed-size binary for other numbers
    /// (large binary where every row has a width of its own), bool for verdicts, int8 for Jacobi symbols; with errors="column" a struct of result and error.
    #[pyo3(signature = (requested_schema=None))]
    #[allow(unsafe_code)]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        // A consumer has to take another type than it asked for.
        let _ = requested_schema;
        let lending = self.data.lending();
        // SAFETY: the buffers are those of `data`, which is never changed.
        let array = unsafe { array_capsule(py, &lending, &self.data)? };
        PyTuple::new(py, [schema_capsule(py, &lending)?, array])
    }

    /// Only the type.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, &self.data.lending())
    }

    #[allow(unsafe_code)]
    unsafe fn __getbuffer__(slf: Bound<'_, Self>, view: *mut ffi::Py_buffer, flags: c_int) -> PyResult<()> {
        let this = slf.get();
        let (bytes, item_bytes, format, dimensions) = match &this.data.values {
            Values::Words(words) => (bytes_of_words(words), 8, c"Q", 1),
            Values::Fixed { bytes, .. } => (&bytes[..], 1, c"B", 2),
            Values::Symbols(bytes) => (&bytes[..], 1, c"b", 1),
            _ => return Err(PyBufferError::new_err("these rows have no fixed width: read them as an Arrow column")),
        };
        let (shape, strides) = (&this.shape[..dimensions], &this.strides[..dimensions]);
        let exported = Exported { bytes, item_bytes, format, shape, strides };
        // SAFETY: the interpreter calls this as bf_getbuffer; values, shape and strides are never changed.
        unsafe { export(slf.clone().into_any(), &exported, view, flags) }
    }

    /// The numbers as a list of int, None for a null; bool for verdicts.
    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for row in 0..self.data.length {
            list.append(self.item(py, row)?)?;
        }
        Ok(list)
    }

    /// For each row the code of its error, such as "zero_modulus" (for verdicts also the reason why a signature is not valid), or
    /// None.
    #[getter]
    fn error_codes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        let mut failed = self.data.failed.iter().peekable();
        for row in 0..self.data.length {
            match failed.next_if(|(at, _)| *at == row) {
                Some((_, code)) => list.append(&**code)?,
                None => list.append(py.None())?,
            }
        }
        Ok(list)
    }

    /// Bytes of a row, or None where rows have no fixed width.
    #[getter]
    fn width(&self) -> Option<usize> {
        self.data.values.width()
    }

    /// How many rows have no result.
    #[getter]
    fn null_count(&self) -> usize {
        self.data.nulls
    }

    fn __len__(&self) -> usize {
        self.data.length
    }

    /// Whether the other column has the same numbers, truth values or symbols, the same nulls and the same errors, however wide its rows are.
    fn __eq__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Truth<'py>> {
        match other.cast::<Self>() {
            Ok(other) => Ok(Truth::Known(self.data == other.get().data)),
            Err(_) => truth::incomparable(
                "Column",
                "column.to_pylist(), pyarrow.array(column) or numpy.asarray(column)",
                other,
            ),
        }
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        let ends = match self.data.length {
            0 => None,
            length => Some((self.item(py, 0)?, self.item(py, length - 1)?)),
        };
        (self.data.length, self.data.nulls, ends).into_pyobject(py)?.hash()
    }

    /// The number of one row, None for a null; from the end, if row is negative. IndexError.
    fn __getitem__<'py>(&self, py: Python<'py>, row: isize) -> PyResult<Bound<'py, PyAny>> {
        let length = self.data.length;
        let place = if row < 0 { row.checked_add_unsigned(length) } else { Some(row) };
        match place.and_then(|place| usize::try_from(place).ok()).filter(|&place| place < length) {
            Some(place) => self.item(py, place),
            None => Err(PyIndexError::new_err(format!("row {row} of a column of {length} rows"))),
        }
    }

    /// The numbers, one after another; what makes a column of a list, such as pandas, takes them so. TypeError for numbers with nulls:
    /// such a column would become one of floating-point numbers.
    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        if self.data.nulls > 0 && !matches!(self.data.values, Values::Truths(_)) {
            return Err(PyTypeError::new_err(format!(
                "a Column with nulls ({} of {} rows) is not iterated, as pandas and others make floating-point numbers of integers \
                 and None: give pyarrow.array(column), or column.to_pylist()",
                self.data.nulls, self.data.length
            )));
        }
        self.to_pylist(py)?.try_iter()
    }

    /// A pickle contains the values, which rows have one, and the codes of errors.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let data = &*self.data;
        let (kind, width, values, offsets) = match &data.values {
            Values::Words(words) => {
                ("words", 8, words.iter().flat_map(|word| word.to_le_bytes()).collect(), Vec::new())
            }
            Values::Fixed { bytes, width } => ("fixed", *width, bytes.clone(), Vec::new()),
            Values::Variable { bytes, offsets } => ("variable", 0, bytes.clone(), offsets.clone()),
            Values::Truths(bits) => ("truths", 0, bits.clone(), Vec::new()),
            Values::Symbols(bytes) => ("symbols", 1, bytes.clone(), Vec::new()),
        };
        let failed: Vec<(usize, &str)> = data.failed.iter().map(|(row, code)| (*row, &**code)).collect();
        let [values, valid] = [&values, &data.valid].map(|bytes| PyBytes::new(py, bytes));
        let shape = (kind, data.length, width, data.little_endian, data.codes.is_some());
        pickle::reduced(py, "column", (shape, values, offsets, valid, failed).into_pyobject(py)?)
    }

    fn __repr__(&self) -> String {
        let kind = match &self.data.values {
            Values::Words(_) => "words".into(),
            Values::Fixed { width, .. } => format!("numbers of {width} bytes"),
            Values::Variable { .. } => "numbers".into(),
            Values::Truths(_) => "verdicts".into(),
            Values::Symbols(_) => "symbols".into(),
        };
        format!("<Column of {} {kind}, {} null>", self.data.length, self.data.nulls)
    }
}
