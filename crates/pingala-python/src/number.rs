//! Python integers in and out, by their 30-bit digits. The only unsafe code of this crate.
//!
//! Why not the safe routes: `_PyLong_AsByteArray` and its kin move one byte a turn, `int.to_bytes` makes an object
//! as well, and the conversions would be a good part of a list of short powers. The figures stand in `Cargo.toml`.
//!
//! CPython publishes the layout of `int` for this use: as a struct in `cpython/longintrepr.h` up to 3.13, as
//! `PyLong_Export` and `PyLongWriter` from 3.14 on (PEP 757), in the stable ABI from 3.15 on. Other interpreters and an older
//! stable ABI take the methods `to_bytes` and `from_bytes`.
#![allow(unsafe_code)]

use crate::errors::{self, Raised};
use crate::list::refused;
use pingala_core::{Error, Integer, Natural};
use pyo3::exceptions::{PyImportError, PyMemoryError, PyTypeError};
use pyo3::ffi;
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

/// What `operator.index` gives: the object itself if it is an `int`, a TypeError with the name of the argument for what is no integer.
#[inline]
pub fn index<'py>(name: &str, object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyInt>> {
    if let Ok(int) = object.cast::<PyInt>() {
        return Ok(int.clone());
    }
    // SAFETY: `object` is a live reference and this thread is attached, both by the type of `Bound`; the call only looks at the type.
    if unsafe { ffi::PyObject_CheckBuffer(object.as_ptr()) } != 0 && is_masked(object)? {
        return Err(PyTypeError::new_err(format!("{name}: a masked value has no number")));
    }
    // SAFETY: as above.
    if unsafe { ffi::PyIndex_Check(object.as_ptr()) } == 0 {
        return Err(refused(name, "an integer", object));
    }
    // SAFETY: `object` is a live reference and this thread is attached (both by the type of `Bound`); the call returns
    // a new reference or NULL with an exception set, which is what `from_owned_ptr_or_err` takes, and PyNumber_Index
    // returns nothing but an `int`.
    unsafe {
        let number = Bound::from_owned_ptr_or_err(object.py(), ffi::PyNumber_Index(object.as_ptr()))?;
        Ok(number.cast_into_unchecked())
    }
}

/// Whether it is an array of NumPy without dimensions whose value is masked: `__index__` gives what lies below the mask.
fn is_masked(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    match object.getattr_opt(intern!(object.py(), "mask"))? {
        // An array that has dimensions has no truth, and no `__index__`.
        Some(mask) => Ok(!mask.is_callable() && mask.is_truthy().unwrap_or(false)),
        None => Ok(false),
    }
}

/// The number that a Python object stands for by `__index__`.
#[inline]
pub fn integer(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Integer> {
    match object.cast::<PyInt>() {
        Ok(int) => read(int),
        Err(_) => read(&index(name, object)?),
    }
}

/// The number that a Python object stands for by `__index__`. One of more than `cap` bits is not copied: it is the error `too_long` of this
/// kind of number.
#[inline]
pub fn capped(name: &str, object: &Bound<'_, PyAny>, what: &'static str, cap: u64) -> PyResult<Result<Integer, Error>> {
    let number = index(name, object)?;
    let length = bits(&number)?;
    if length > cap {
        return Ok(Err(Error::TooLong { what, length, cap }));
    }
    read(&number).map(Ok)
}

/// [`capped`], whose error is raised.
#[inline]
pub fn within(name: &str, object: &Bound<'_, PyAny>, what: &'static str, cap: u64) -> PyResult<Integer> {
    capped(name, object, what, cap)?.raised(object.py())
}

/// An exponent, whose cap is `most_bits`.
#[inline]
pub fn exponent(object: &Bound<'_, PyAny>, most_bits: u64) -> PyResult<Integer> {
    within("exponent", object, "exponent", most_bits)
}

/// A number for a message: a long one by its length.
pub fn shown(number: &Bound<'_, PyInt>) -> String {
    const MOST_BITS: u64 = 256;
    match bits(number) {
        Ok(bits) if bits > MOST_BITS => format!("a number of {bits} bits"),
        _ => number.to_string(),
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
    let number = index("the value", object)?;
    saturated(&number)?.ok_or_else(|| {
        errors::bad_argument(object.py(), format!("a length, cap or count is at least 0, not {}", shown(&number)))
    })
}

/// [`count`] of few things, such as rounds: 2^32 - 1 at most.
pub fn few(object: &Bound<'_, PyAny>) -> PyResult<u32> {
    Ok(u32::try_from(count(object)?).unwrap_or(u32::MAX))
}

/// [`few`], or None.
pub fn few_or_none(object: &Bound<'_, PyAny>) -> PyResult<Option<u32>> {
    (!object.is_none()).then(|| few(object)).transpose()
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

/// `struct _longobject` of CPython 3.11 to 3.13.
#[cfg(not(any(Py_3_14, Py_LIMITED_API, PyPy, GraalPy)))]
#[repr(C)]
struct Long {
    head: ffi::PyObject,
    /// 3.11: the count of digits with the number's sign. From 3.12: count << 3 | flag << 2 | 1 - sign.
    tag: isize,
    digits: [u32; 0],
}

/// Whether an `int` is negative, and its digits in their place.
#[cfg(not(any(Py_3_14, Py_LIMITED_API, PyPy, GraalPy)))]
#[inline]
fn digits<'a>(int: &'a Bound<'_, PyInt>) -> (bool, &'a [u32]) {
    let long = int.as_ptr().cast::<Long>();
    // SAFETY: `int` is a live `int` by the type of `Bound`, its layout up to 3.13 is that of `Long` by
    // cpython/longintrepr.h with digits as `check_layout` found them, and it is never written after it was made.
    unsafe {
        let tag = (&raw const (*long).tag).read();
        let (negative, n_digits) =
            if cfg!(Py_3_12) { (tag & 3 == 2, tag as usize >> 3) } else { (tag < 0, tag.unsigned_abs()) };
        (negative, core::slice::from_raw_parts((&raw const (*long).digits).cast::<u32>(), n_digits))
    }
}

/// The length of an `int` in bits, without its sign.
#[cfg(not(any(Py_3_14, Py_LIMITED_API, PyPy, GraalPy)))]
#[inline]
fn bits(int: &Bound<'_, PyInt>) -> PyResult<u64> {
    Ok(match digits(int).1 {
        [] => 0,
        [below @ .., top] => (below.len() * DIGIT_BITS) as u64 + u64::from(u32::BITS - top.leading_zeros()),
    })
}

/// The length of an `int` in bits, without its sign.
#[cfg(any(Py_3_14, Py_LIMITED_API, PyPy, GraalPy))]
fn bits(int: &Bound<'_, PyInt>) -> PyResult<u64> {
    int.call_method0(intern!(int.py(), "bit_length"))?.extract()
}

/// Reads the digits of an `int` in their place.
#[cfg(not(any(Py_3_14, Py_LIMITED_API, PyPy, GraalPy)))]
#[inline]
fn read(int: &Bound<'_, PyInt>) -> PyResult<Integer> {
    let (negative, digits) = digits(int);
    has_memory(size_of_val(digits))?;
    Ok(Integer::new(negative, Natural::from_digits::<DIGIT_BITS>(digits)))
}

/// Numbers of so many bytes are made without asking for the memory first.
const SHORT_BYTES: usize = 1 << 16;
/// What there is to be besides a long number.
const SPARE_BYTES: usize = 1 << 25;

/// MemoryError if there is no memory for the copy of a long number: a list may have one often.
#[inline]
fn has_memory(bytes: usize) -> PyResult<()> {
    #[cold]
    fn ask(bytes: usize) -> PyResult<()> {
        pingala_core::has_memory((bytes + SPARE_BYTES) as u64)
            .map_err(|_| PyMemoryError::new_err("there is no memory for the numbers"))
    }
    if bytes <= SHORT_BYTES { Ok(()) } else { ask(bytes) }
}

/// An `int` from 0 on of one word; none of others, and where its digits are not to be seen.
#[inline]
pub fn word(object: &Bound<'_, PyAny>) -> Option<u64> {
    #[cfg(not(any(Py_3_14, Py_LIMITED_API, PyPy, GraalPy)))]
    if let Ok(int) = object.cast::<PyInt>() {
        return match digits(int) {
            (false, []) => Some(0),
            (false, &[a]) => Some(u64::from(a)),
            (false, &[a, b]) => Some(u64::from(a) | u64::from(b) << DIGIT_BITS),
            (false, &[a, b, c]) if c >> (64 - 2 * DIGIT_BITS) == 0 => {
                Some(u64::from(a) | u64::from(b) << DIGIT_BITS | u64::from(c) << (2 * DIGIT_BITS))
            }
            _ => None,
        };
    }
    let _ = object;
    None
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
        if let Err(error) = has_memory(size_of_val(digits)) {
            ffi::PyLong_FreeExport(export);
            return Err(error);
        }
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
    let count = value.count_digits::<DIGIT_BITS>();
    let mut places = core::ptr::null_mut();
    // SAFETY: this thread is attached by the type of `py`; PyLongWriter_Create gives room for `count`
    // digits, of the size that `check_layout` found, or NULL with an exception set; all of them are written before
    // PyLongWriter_Finish makes an `int` of them and consumes the writer.
    unsafe {
        let writer = ffi::PyLongWriter_Create(0, count as ffi::Py_ssize_t, &raw mut places);
        if writer.is_null() {
            return Err(PyErr::fetch(py));
        }
        write_digits(value, places.cast(), count);
        let number = Bound::from_owned_ptr_or_err(py, ffi::PyLongWriter_Finish(writer))?;
        Ok(number.cast_into_unchecked())
    }
}

/// Writes the digits to new memory.
///
/// # Safety
/// `places` has room for `count` digits, which are those of the number, and no other code sees it.
#[cfg(not(any(all(Py_LIMITED_API, not(Py_3_15)), PyPy, GraalPy, all(windows, not(Py_3_14)))))]
#[inline]
unsafe fn write_digits(value: &Natural, places: *mut u32, count: usize) {
    // SAFETY: the caller promises the room, which is zeroed before it is lent as digits.
    let digits = unsafe {
        places.write_bytes(0, count);
        core::slice::from_raw_parts_mut(places, count)
    };
    value.write_digits::<DIGIT_BITS>(digits);
}

#[cfg(not(any(Py_3_14, Py_LIMITED_API, PyPy, GraalPy, windows)))]
unsafe extern "C" {
    /// A new positive `int` of `digits` digits, which are not written yet (cpython/longintrepr.h), or NULL with an exception set.
    fn _PyLong_New(digits: ffi::Py_ssize_t) -> *mut ffi::PyObject;
}

/// Makes an `int` of little-endian bytes: on Windows only what pyo3 declares can be linked.
#[cfg(all(windows, not(any(Py_3_14, Py_LIMITED_API, PyPy, GraalPy))))]
fn write<'py>(py: Python<'py>, value: &Natural) -> PyResult<Bound<'py, PyInt>> {
    let limbs = value.limbs();
    // SAFETY: this thread is attached by the type of `py`; the pointer is to size_of_val(limbs) readable bytes, least significant
    // first; the call copies them and returns a new `int` or NULL with an exception set.
    unsafe {
        #[cfg(Py_3_13)]
        let number = ffi::PyLong_FromUnsignedNativeBytes(
            limbs.as_ptr().cast(),
            size_of_val(limbs),
            ffi::Py_ASNATIVEBYTES_LITTLE_ENDIAN | ffi::Py_ASNATIVEBYTES_UNSIGNED_BUFFER,
        );
        #[cfg(not(Py_3_13))]
        let number = ffi::_PyLong_FromByteArray(limbs.as_ptr().cast(), size_of_val(limbs), 1, 0);
        Ok(Bound::from_owned_ptr_or_err(py, number)?.cast_into_unchecked())
    }
}

/// Writes the digits of a new `int` in their place: a call that takes bytes moves them one by one.
#[cfg(not(any(Py_3_14, Py_LIMITED_API, PyPy, GraalPy, windows)))]
#[inline]
fn write<'py>(py: Python<'py>, value: &Natural) -> PyResult<Bound<'py, PyInt>> {
    let count = value.count_digits::<DIGIT_BITS>();
    // SAFETY: this thread is attached by the type of `py`; _PyLong_New gives a new `int`, which no other code has, with room for
    // `count` digits, of the size that `check_layout` found, or NULL with an exception set; all of them are
    // written before it is read, and the top one is not 0.
    unsafe {
        let number = Bound::from_owned_ptr_or_err(py, _PyLong_New(count as ffi::Py_ssize_t))?;
        write_digits(value, (&raw mut (*number.as_ptr().cast::<Long>()).digits).cast(), count);
        Ok(number.cast_into_unchecked())
    }
}

/// Makes an `int` by `int.from_bytes`.
#[cfg(any(all(Py_LIMITED_API, not(Py_3_15)), PyPy, GraalPy))]
fn write<'py>(py: Python<'py>, value: &Natural) -> PyResult<Bound<'py, PyInt>> {
    let bytes = pyo3::types::PyBytes::new(py, &value.to_le_bytes());
    let number = py.get_type::<PyInt>().call_method1(intern!(py, "from_bytes"), (bytes, intern!(py, "little")))?;
    Ok(number.cast_into()?)
}
