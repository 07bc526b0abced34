//! Takes and gives structs of Arrow and buffers of Python.

use super::arrow::{Array, Block, Lending, Lent, Schema, Strided};
use crate::errors;
use core::ffi::{CStr, c_int};
use core::ops::Range;
use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::{PyBufferError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::sync::Arc;

/// The struct of a capsule, moved out of it.
#[allow(unsafe_code)]
pub fn taken<T: Lent>(name: &str, object: &Bound<'_, PyAny>, kind: &CStr) -> PyResult<T> {
    let expected = kind.to_string_lossy();
    let not_one = || PyTypeError::new_err(format!("{name}: its producer gave no capsule named {expected:?}"));
    let capsule = object.cast::<PyCapsule>().map_err(|_| not_one())?;
    let pointer = capsule.pointer_checked(Some(kind)).map_err(|_| not_one())?;
    // SAFETY: a capsule of this name holds such a struct, by the PyCapsule interface of Arrow, and this thread has the interpreter.
    let lent = unsafe { T::take(pointer.cast::<T>().as_ptr()) };
    lent.ok_or_else(|| {
        errors::bad_argument(object.py(), format!("{name}: its {expected} was released, or used before"))
    })
}

/// A schema for a consumer.
pub fn schema_capsule<'py>(py: Python<'py>, lending: &Lending<'_>) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value::<Schema>(py, lending.schema(), c"arrow_schema")
}

/// An array for a consumer.
///
/// # Safety
///
/// `owner` owns the buffers, and they do not change.
#[allow(unsafe_code)]
pub unsafe fn array_capsule<'py, T: Send + Sync + 'static>(
    py: Python<'py>,
    lending: &Lending<'_>,
    owner: &Arc<T>,
) -> PyResult<Bound<'py, PyCapsule>> {
    // SAFETY: the caller answers for the buffers.
    let array: Array = unsafe { lending.array(owner) };
    PyCapsule::new_with_value(py, array, c"arrow_array")
}

/// A buffer of rows.
pub struct Buffer {
    rows: Strided,
    /// Keeps the memory, which `rows` describes.
    lent: PyUntypedBuffer,
}

// The pointer is that of the buffer, which threads may share.
#[allow(unsafe_code)]
// SAFETY: `Strided` is read only by `copy`, and its memory belongs to `lent`, which is `Send`.
unsafe impl Send for Buffer {}
#[allow(unsafe_code)]
// SAFETY: the same; nothing is changed through a shared reference.
unsafe impl Sync for Buffer {}

impl Buffer {
    /// The buffer of an object. BufferError, also for one without dimensions.
    pub fn get(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let lent = PyUntypedBuffer::get(object)?;
        let (shape, strides) = (lent.shape(), lent.strides());
        if shape.is_empty() {
            return Err(PyBufferError::new_err("a buffer without dimensions"));
        }
        // Rows of two dimensions are items of one byte, as others are refused.
        let (width, byte_stride) =
            if shape.len() == 2 && lent.item_size() == 1 { (shape[1], strides[1]) } else { (lent.item_size(), 1) };
        let rows = Strided { start: lent.buf_ptr().cast(), rows: shape[0], row_stride: strides[0], width, byte_stride };
        Ok(Self { rows, lent })
    }

    /// The type of an item, in the notation of `struct`.
    pub fn format(&self) -> String {
        self.lent.format().to_string_lossy().into_owned()
    }

    pub fn shape(&self) -> &[usize] {
        self.lent.shape()
    }

    /// Bytes of a row.
    pub fn width(&self) -> usize {
        self.rows.width
    }

    pub fn item_bytes(&self) -> usize {
        self.lent.item_size()
    }

    /// Whether it is an array of pointers.
    pub fn is_indirect(&self) -> bool {
        self.lent.suboffsets().is_some_and(|offsets| offsets.iter().any(|&offset| offset >= 0))
    }

    /// Copies rows behind those of `block`. The buffer is not indirect.
    #[allow(unsafe_code)]
    pub fn copy(&self, rows: Range<usize>, block: &mut Block) {
        // SAFETY: the description is that of the buffer, whose exporter keeps shape and memory while `lent` lives.
        unsafe { self.rows.read(rows, block) };
    }
}

/// Memory that is lent by the buffer protocol, and its description; `strides` follows `shape`.
#[derive(Debug)]
pub struct Exported<'a> {
    pub bytes: &'a [u8],
    pub item_bytes: usize,
    pub format: &'static CStr,
    pub shape: &'a [isize],
    pub strides: &'a [isize],
}

/// Fills the view of a consumer. BufferError, if it wants to write.
///
/// # Safety
///
/// `view` is that of a call of `bf_getbuffer`; the exported memory keeps its place and its content as long as `owner` lives.
#[allow(unsafe_code)]
pub unsafe fn export(
    owner: Bound<'_, PyAny>,
    exported: &Exported<'_>,
    view: *mut ffi::Py_buffer,
    flags: c_int,
) -> PyResult<()> {
    if view.is_null() {
        return Err(PyBufferError::new_err("no view to fill"));
    }
    // SAFETY: the caller answers for the view; a consumer that is refused finds no owner in it.
    unsafe {
        (*view).obj = core::ptr::null_mut();
        if flags & ffi::PyBUF_WRITABLE == ffi::PyBUF_WRITABLE {
            return Err(PyBufferError::new_err("results can be read, not written"));
        }
        let wants = |flag: c_int| flags & flag == flag;
        (*view).buf = exported.bytes.as_ptr().cast_mut().cast();
        (*view).len = exported.bytes.len() as ffi::Py_ssize_t;
        (*view).readonly = 1;
        (*view).itemsize = exported.item_bytes as ffi::Py_ssize_t;
        (*view).ndim = exported.shape.len() as c_int;
        (*view).format =
            if wants(ffi::PyBUF_FORMAT) { exported.format.as_ptr().cast_mut() } else { core::ptr::null_mut() };
        let shape = exported.shape.as_ptr().cast_mut();
        let strides = exported.strides.as_ptr().cast_mut();
        (*view).shape = if wants(ffi::PyBUF_ND) { shape } else { core::ptr::null_mut() };
        (*view).strides = if wants(ffi::PyBUF_STRIDES) { strides } else { core::ptr::null_mut() };
        (*view).suboffsets = core::ptr::null_mut();
        (*view).internal = core::ptr::null_mut();
        (*view).obj = owner.into_ptr();
    }
    Ok(())
}
