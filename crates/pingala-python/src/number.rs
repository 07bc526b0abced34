//! Python integers in and out, by their 30-bit digits. The only unsafe code of this crate.
//!
//! Why not the safe routes: `_PyLong_AsByteArray` and its kin move one byte a turn, `int.to_bytes` makes an object
//! besides, and of a list of short powers the conversions would be a good part. The figures stand in `Cargo.toml`.
//!
//! CPython publishes the layout of `int` for this use: as a struct in `cpython/longintrepr.h` up to 3.13, as
//! `PyLong_Export` and `PyLongWriter` from 3.14 on (PEP 757). Other interpreters and the stable ABI take the methods
//! `to_bytes` and `from_bytes`.
#![allow(unsafe_code)]

use pingala::{Integer, Natural};
use pyo3::exceptions::PyImportError;
use pyo3::ffi;
#[cfg(any(Py_LIMITED_API, PyPy, GraalPy))]
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyInt;

/// Bits of one digit of an `int`; [`check_layout`] established it.
const DIGIT_BITS: usize = 30;

/// Limbs packed on the stack: 4096 bits.
const STACK_LIMBS: usize = 64;

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

/// A Python `int` of this value.
#[inline]
pub fn int<'py>(py: Python<'py>, value: &Natural) -> PyResult<Bound<'py, PyInt>> {
    match *value.limbs() {
        [] => Ok(0u64.into_pyobject(py)?),
        [limb] => Ok(limb.into_pyobject(py)?),
        ref limbs => write(py, limbs),
    }
}

/// The limbs of 30-bit digits, both least significant first.
#[inline]
fn natural_of_digits(digits: &[u32]) -> Natural {
    let n_limbs = (digits.len() * DIGIT_BITS).div_ceil(64);
    if n_limbs <= 4 {
        let mut limbs = [0; 4];
        pack(digits, &mut limbs[..n_limbs]);
        Natural::from_limbs(&limbs)
    } else if n_limbs <= STACK_LIMBS {
        let mut limbs = [0; STACK_LIMBS];
        pack(digits, &mut limbs[..n_limbs]);
        Natural::from_limbs(&limbs[..n_limbs])
    } else {
        let mut limbs = vec![0; n_limbs];
        pack(digits, &mut limbs);
        Natural::from_limbs(&limbs)
    }
}

/// Fills `limbs` (as many as the digits need) from 30-bit digits.
#[inline]
fn pack(digits: &[u32], limbs: &mut [u64]) {
    let (mut limb, mut filled) = (0u64, 0);
    let mut out = limbs.iter_mut();
    for &digit in digits {
        limb |= u64::from(digit) << filled;
        filled += DIGIT_BITS;
        if filled >= 64 {
            filled -= 64;
            if let Some(slot) = out.next() {
                *slot = limb;
            }
            // The digit's upper `filled` bits did not fit.
            limb = u64::from(digit) >> (DIGIT_BITS - filled);
        }
    }
    if let Some(slot) = out.next() {
        *slot = limb;
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
    Ok(Integer::new(negative, natural_of_digits(digits)))
}

/// Reads an `int` through its export.
#[cfg(all(Py_3_14, not(any(Py_LIMITED_API, PyPy, GraalPy))))]
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
        let value = Integer::new(export.negative != 0, natural_of_digits(digits));
        ffi::PyLong_FreeExport(export);
        Ok(value)
    }
}

/// Reads an `int` through its methods.
#[cfg(any(Py_LIMITED_API, PyPy, GraalPy))]
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

/// Writes the digits of an `int`; `limbs` has no leading zero limb.
#[cfg(all(Py_3_14, not(any(Py_LIMITED_API, PyPy, GraalPy))))]
fn write<'py>(py: Python<'py>, limbs: &[u64]) -> PyResult<Bound<'py, PyInt>> {
    let bits = limbs.len() * 64 - limbs.last().map_or(0, |top| top.leading_zeros() as usize);
    let n_digits = bits.div_ceil(DIGIT_BITS);
    let mut digits = core::ptr::null_mut();
    // SAFETY: this thread is attached by the type of `py`; PyLongWriter_Create gives room for `n_digits` digits of the
    // size that `check_layout` found or NULL with an exception set; all of them are written before
    // PyLongWriter_Finish makes an `int` of them and consumes the writer.
    unsafe {
        let writer = ffi::PyLongWriter_Create(0, n_digits as ffi::Py_ssize_t, &raw mut digits);
        if writer.is_null() {
            return Err(PyErr::fetch(py));
        }
        for at in 0..n_digits {
            let (limb, shift) = (at * DIGIT_BITS / 64, at * DIGIT_BITS % 64);
            let above =
                if shift + DIGIT_BITS > 64 && limb + 1 < limbs.len() { limbs[limb + 1] << (64 - shift) } else { 0 };
            let digit = (limbs[limb] >> shift | above) & ((1 << DIGIT_BITS) - 1);
            digits.cast::<u32>().add(at).write(digit as u32);
        }
        let number = Bound::from_owned_ptr_or_err(py, ffi::PyLongWriter_Finish(writer))?;
        Ok(number.cast_into_unchecked())
    }
}

/// Makes an `int` of little-endian bytes.
#[cfg(not(any(Py_3_14, Py_LIMITED_API, PyPy, GraalPy)))]
fn write<'py>(py: Python<'py>, limbs: &[u64]) -> PyResult<Bound<'py, PyInt>> {
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
#[cfg(any(Py_LIMITED_API, PyPy, GraalPy))]
fn write<'py>(py: Python<'py>, limbs: &[u64]) -> PyResult<Bound<'py, PyInt>> {
    let bytes: Vec<u8> = limbs.iter().flat_map(|limb| limb.to_le_bytes()).collect();
    let bytes = pyo3::types::PyBytes::new(py, &bytes);
    let number = py.get_type::<PyInt>().call_method1(intern!(py, "from_bytes"), (bytes, intern!(py, "little")))?;
    Ok(number.cast_into()?)
}
