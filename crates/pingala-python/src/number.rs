//! Python integers in and out, by their 30-bit digits. The only unsafe code of this crate.
//!
//! Why not the safe routes: `_PyLong_AsByteArray` and its kin move one byte a turn, `int.to_bytes` makes an object
//! besides, and of a list of short powers the conversions would be a good part. The figures stand in `Cargo.toml`.
//!
//! CPython publishes the layout of `int` for this use: as a struct in `cpython/longintrepr.h` up to 3.13, as
//! `PyLong_Export` and `PyLongWriter` from 3.14 on (PEP 757), in the stable ABI from 3.15 on. Other interpreters and an older
//! stable ABI take the methods `to_bytes` and `from_bytes`.
#![allow(unsafe_code)]

use crate::errors;
use pingala::{Integer, Natural};
use pyo3::exceptions::PyImportError;
use pyo3::ffi;
#[cfg(any(all(Py_LIMITED_API, not(Py_3_15)), PyPy, GraalPy))]
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyInt;

/// Bits of one digit of an `int`; [`check_layout`] established it.
const DIGIT_BITS: usize = 30;

/// Refuses, when the module is imported, an interpreter whose `int` has other digits (15 bits are a build option).
pub fn check_layout(py: Python<'_>) -> PyResult<()> {
    let bits: usize = py.import("sys")?.getattr("int_info")?.getattr("bits_per_digit")?.extract()?;
    if bits == DIGIT_BITS {
        return Ok(());
    }
    Err(PyImportError::new_err(format!("pingala needs an interpreter with 30-bit int digits, this one has {bits}")))
}

/// What `operator.index` gives: the object itself if it is an `int`, TypeError for what is no integer.
#[inline]
pub fn index<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyInt>> {
    if let Ok(int) = object.cast::<PyInt>() {
        return Ok(int.clone());
    }
    // SAFETY: `object` is a live reference and this thread is attached (both by the type of `Bound`); the call returns
    // a new reference or NULL with an exception set, which is what `from_owned_ptr_or_err` takes, and PyNumber_Index
    // returns nothing but an `int`.
    unsafe {
        let number = Bound::from_owned_ptr_or_err(object.py(), ffi::PyNumber_Index(object.as_ptr()))?;
        Ok(number.cast_into_unchecked())
    }
}

/// The number that a Python object stands for by `__index__`.
#[inline]
pub fn integer(object: &Bound<'_, PyAny>) -> PyResult<Integer> {
    match object.cast::<PyInt>() {
        Ok(int) => read(int),
        Err(_) => read(&index(object)?),
    }
}

/// A number from 0 on: beyond 64 bits it is the largest of them. None below 0.
pub fn saturated(number: &Bound<'_, PyInt>) -> PyResult<Option<u64>> {
    match number.extract() {
        Ok(count) => Ok(Some(count)),
        Err(_) => Ok(number.gt(0)?.then_some(u64::MAX)),
    }
}

/// A length, a cap or a count, by `__index__`: no number is too large. ArgumentError for one below 0.
pub fn count(object: &Bound<'_, PyAny>) -> PyResult<u64> {
    let number = index(object)?;
    saturated(&number)?
        .ok_or_else(|| errors::bad_argument(object.py(), format!("a length, cap or count is at least 0, not {number}")))
}

/// [`count`] as an argument that may be left out.
#[derive(Clone, Copy, Debug)]
pub struct Count(u64);

impl From<Count> for u64 {
    fn from(count: Count) -> Self {
        count.0
    }
}

impl FromPyObject<'_, '_> for Count {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        count(&object).map(Self)
    }
}

/// A Python `int` of this value.
#[inline]
pub fn int<'py>(py: Python<'py>, value: &Natural) -> PyResult<Bound<'py, PyInt>> {
    match *value.limbs() {
        [] => Ok(0u64.into_pyobject(py)?),
        [limb] => Ok(limb.into_pyobject(py)?),
        _ => write(py, value),
    }
}

/// Reads an `int` where it stands.
#[cfg(not(any(Py_3_14, Py_LIMITED_API, PyPy, GraalPy)))]
#[inline]
fn read(int: &Bound<'_, PyInt>) -> PyResult<Integer> {
    /// `struct _longobject` of CPython 3.11 to 3.13.
    #[repr(C)]
    struct Long {
        head: ffi::PyObject,
        /// 3.11: the count of digits with the number's sign. From 3.12: count << 3 | flag << 2 | 1 - sign.
        tag: isize,
        digits: [u32; 0],
    }
    let long = int.as_ptr().cast::<Long>();
    // SAFETY: `int` is a live `int` by the type of `Bound`, its layout up to 3.13 is that of `Long` by
    // cpython/longintrepr.h with digits as `check_layout` found them, and it is never written after it was made.
    let (negative, digits) = unsafe {
        let tag = (&raw const (*long).tag).read();
        let (negative, n_digits) =
            if cfg!(Py_3_12) { (tag & 3 == 2, tag as usize >> 3) } else { (tag < 0, tag.unsigned_abs()) };
        (negative, core::slice::from_raw_parts((&raw const (*long).digits).cast::<u32>(), n_digits))
    };
    Ok(Integer::new(negative, Natural::from_digits::<DIGIT_BITS>(digits)))
}

/// Reads an `int` through its export.
#[cfg(all(any(Py_3_15, all(Py_3_14, not(Py_LIMITED_API))), not(any(PyPy, GraalPy))))]
#[inline]
fn read(int: &Bound<'_, PyInt>) -> PyResult<Integer> {
    let mut export = core::mem::MaybeUninit::<ffi::PyLongExport>::uninit();
    // SAFETY: `int` is a live `int` and this thread is attached, by the type of `Bound`; a status of 0 says that
    // `export` was filled, and its digits stay valid until PyLong_FreeExport, which follows their only use.
    unsafe {
        if ffi::PyLong_Export(int.as_ptr(), export.as_mut_ptr()) != 0 {
            return Err(PyErr::fetch(int.py()));
        }
        let export = export.assume_init_mut();
        if export.digits.is_null() {
            return Ok(Integer::from(export.value));
        }
        let digits = core::slice::from_raw_parts(export.digits.cast::<u32>(), export.ndigits as usize);
        let value = Integer::new(export.negative != 0, Natural::from_digits::<DIGIT_BITS>(digits));
        ffi::PyLong_FreeExport(export);
        Ok(value)
    }
}

/// Reads an `int` through its methods.
#[cfg(any(all(Py_LIMITED_API, not(Py_3_15)), PyPy, GraalPy))]
fn read(int: &Bound<'_, PyInt>) -> PyResult<Integer> {
    let py = int.py();
    if let Ok(value) = int.extract::<i64>() {
        return Ok(Integer::from(value));
    }
    let bits: usize = int.call_method0(intern!(py, "bit_length"))?.extract()?;
    let negative = int.lt(0)?;
    let magnitude = int.call_method0(intern!(py, "__abs__"))?;
    let bytes = magnitude.call_method1(intern!(py, "to_bytes"), (bits.div_ceil(8), intern!(py, "little")))?;
    Ok(Integer::new(negative, Natural::from_le_bytes(bytes.extract()?)))
}

/// Writes the digits of an `int`.
#[cfg(all(any(Py_3_15, all(Py_3_14, not(Py_LIMITED_API))), not(any(PyPy, GraalPy))))]
fn write<'py>(py: Python<'py>, value: &Natural) -> PyResult<Bound<'py, PyInt>> {
    let digits = value.digits::<DIGIT_BITS>();
    let mut places = core::ptr::null_mut();
    // SAFETY: this thread is attached by the type of `py`; PyLongWriter_Create gives room for as many digits as it is
    // asked for, of the size that `check_layout` found, or NULL with an exception set; `digits` yields exactly that
    // many, so that all are written before PyLongWriter_Finish makes an `int` of them and consumes the writer.
    unsafe {
        let writer = ffi::PyLongWriter_Create(0, digits.len() as ffi::Py_ssize_t, &raw mut places);
        if writer.is_null() {
            return Err(PyErr::fetch(py));
        }
        for (at, digit) in digits.enumerate() {
            places.cast::<u32>().add(at).write(digit);
        }
        let number = Bound::from_owned_ptr_or_err(py, ffi::PyLongWriter_Finish(writer))?;
        Ok(number.cast_into_unchecked())
    }
}

/// Makes an `int` of little-endian bytes.
#[cfg(not(any(Py_3_14, Py_LIMITED_API, PyPy, GraalPy)))]
fn write<'py>(py: Python<'py>, value: &Natural) -> PyResult<Bound<'py, PyInt>> {
    let limbs = value.limbs();
    let bytes = limbs.as_ptr().cast::<u8>();
    let turned: Vec<u8>;
    let bytes = if cfg!(target_endian = "little") {
        bytes
    } else {
        turned = limbs.iter().flat_map(|limb| limb.to_le_bytes()).collect();
        turned.as_ptr()
    };
    // SAFETY: this thread is attached by the type of `py`; `bytes` points to size_of_val(limbs) readable bytes, borrowed
    // or owned in this frame, least significant first; the call copies them and returns a new `int` or NULL with an
    // exception set.
    unsafe {
        #[cfg(Py_3_13)]
        let number = ffi::PyLong_FromUnsignedNativeBytes(
            bytes.cast(),
            size_of_val(limbs),
            ffi::Py_ASNATIVEBYTES_LITTLE_ENDIAN | ffi::Py_ASNATIVEBYTES_UNSIGNED_BUFFER,
        );
        #[cfg(not(Py_3_13))]
        let number = ffi::_PyLong_FromByteArray(bytes, size_of_val(limbs), 1, 0);
        Ok(Bound::from_owned_ptr_or_err(py, number)?.cast_into_unchecked())
    }
}

/// Makes an `int` by `int.from_bytes`.
#[cfg(any(all(Py_LIMITED_API, not(Py_3_15)), PyPy, GraalPy))]
fn write<'py>(py: Python<'py>, value: &Natural) -> PyResult<Bound<'py, PyInt>> {
    let bytes = pyo3::types::PyBytes::new(py, &value.to_le_bytes());
    let number = py.get_type::<PyInt>().call_method1(intern!(py, "from_bytes"), (bytes, intern!(py, "little")))?;
    Ok(number.cast_into()?)
}
