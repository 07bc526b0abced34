//! The Arrow C data and stream interfaces, by hand: what others lend is read by copying, and results are lent out.
//!
//! These files know neither Python nor Pingala, so that the library's tests run them, also under Miri. All memory that a producer lends stays
//! his: he may write to it while it is read. So nothing is borrowed from it: each row is copied once, and what was copied is
//! what is checked and used. Lengths of buffers are not part of the interface; what a producer says of them is checked for
//! contradictions, and otherwise believed.

#![allow(unsafe_code)]

mod lend;
mod read;
pub mod schema;

use core::ffi::{CStr, c_char, c_int, c_void};
use core::ptr::{null, null_mut};
pub use lend::{Lending, bytes_of_offsets, bytes_of_words};
pub use read::{Block, Chunk, Strided};

/// `struct ArrowSchema`.
#[repr(C)]
#[derive(Debug)]
pub struct Schema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut Schema,
    dictionary: *mut Schema,
    release: Option<unsafe extern "C" fn(*mut Schema)>,
    private_data: *mut c_void,
}

/// `struct ArrowArray`.
#[repr(C)]
#[derive(Debug)]
pub struct Array {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut Array,
    dictionary: *mut Array,
    release: Option<unsafe extern "C" fn(*mut Array)>,
    private_data: *mut c_void,
}

/// `struct ArrowArrayStream`.
#[repr(C)]
#[derive(Debug)]
pub struct Stream {
    pub get_schema: Option<unsafe extern "C" fn(*mut Stream, *mut Schema) -> c_int>,
    pub get_next: Option<unsafe extern "C" fn(*mut Stream, *mut Array) -> c_int>,
    pub get_last_error: Option<unsafe extern "C" fn(*mut Stream) -> *const c_char>,
    pub release: Option<unsafe extern "C" fn(*mut Stream)>,
    pub private_data: *mut c_void,
}

/// The three structs: a release callback, absent once it was called, and moves that leave the source released.
pub trait Lent: Sized {
    /// Released: what a consumer hands in to be filled, and what it leaves behind.
    fn released() -> Self;

    /// Whether there is nothing in it.
    fn is_released(&self) -> bool;

    /// Moves what is in the struct of a producer out of it, as a consumer of a capsule has to; none if it was released or moved
    /// before.
    ///
    /// # Safety
    ///
    /// `lent` points to a struct of this kind, which no other code uses now and which the producer made by the interface.
    unsafe fn take(lent: *mut Self) -> Option<Self> {
        // SAFETY: the caller answers for the pointer.
        let taken = unsafe { core::ptr::replace(lent, Self::released()) };
        (!taken.is_released()).then_some(taken)
    }
}

macro_rules! lent {
    ($kind:ident, $released:expr) => {
        impl Lent for $kind {
            fn released() -> Self {
                $released
            }

            fn is_released(&self) -> bool {
                self.release.is_none()
            }
        }

        impl Drop for $kind {
            fn drop(&mut self) {
                if let Some(release) = self.release {
                    // SAFETY: a struct that is not released may be released once by its owner; the callback marks it.
                    unsafe { release(self) };
                    self.release = None;
                }
            }
        }

        // SAFETY: the interface allows a struct to be used and released by any thread, one at a time; what it points to is only read.
        unsafe impl Send for $kind {}
        // SAFETY: no method changes it through a shared reference.
        unsafe impl Sync for $kind {}
    };
}

lent!(
    Schema,
    Self {
        format: null(),
        name: null(),
        metadata: null(),
        flags: 0,
        n_children: 0,
        children: null_mut(),
        dictionary: null_mut(),
        release: None,
        private_data: null_mut(),
    }
);
lent!(
    Array,
    Self {
        length: 0,
        null_count: 0,
        offset: 0,
        n_buffers: 0,
        n_children: 0,
        buffers: null_mut(),
        children: null_mut(),
        dictionary: null_mut(),
        release: None,
        private_data: null_mut(),
    }
);
lent!(Stream, Self { get_schema: None, get_next: None, get_last_error: None, release: None, private_data: null_mut() });

/// The place of the bytes of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Between two offsets of 32 bits.
    Offsets,
    /// Between two offsets of 64 bits.
    LargeOffsets,
    /// In a view of 16 bytes, or behind its pointer.
    Views,
}

/// The formats that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Nothing but nulls.
    Null,
    /// Integers of 1, 2, 4 or 8 bytes.
    Int {
        /// Their length.
        bytes: usize,
        /// Whether they may be negative.
        signed: bool,
    },
    /// Integers of this many bytes, 16 or more, and decimals without a fraction, in the order of this machine.
    Wide {
        /// Their length.
        bytes: usize,
        /// Whether they may be negative.
        signed: bool,
    },
    /// Rows of this many bytes each.
    Fixed(usize),
    /// Rows of any length: bytes.
    Binary(Layout),
    /// Rows of any length: text in UTF-8.
    Text(Layout),
}

impl Stream {
    /// The format of all chunks. Error: what the producer says.
    pub fn format(&mut self) -> Result<Format, String> {
        let mut schema = Schema::released();
        let get = self.get_schema.ok_or("its stream has no get_schema")?;
        // SAFETY: the stream is not released, and the schema is.
        match unsafe { get(self, &raw mut schema) } {
            0 if schema.is_released() => Err("its stream has no schema".into()),
            0 => schema.read(),
            code => Err(self.failure(code)),
        }
    }

    /// The next chunk; none at the end. Error: what the producer says, or what contradicts itself.
    pub fn next(&mut self, format: Format) -> Result<Option<Chunk>, String> {
        let mut array = Array::released();
        let get = self.get_next.ok_or("its stream has no get_next")?;
        // SAFETY: the stream is not released, and the array is.
        match unsafe { get(self, &raw mut array) } {
            0 if array.is_released() => Ok(None),
            0 => Chunk::new(array, format).map(Some),
            code => Err(self.failure(code)),
        }
    }

    fn failure(&mut self, code: c_int) -> String {
        // SAFETY: the call before failed, which is when this callback may be called.
        let text = self.get_last_error.map_or(null(), |get| unsafe { get(self) });
        if text.is_null() {
            return format!("its stream failed with the error number {code}");
        }
        // SAFETY: a text that is not null ends in a zero byte, and lives until the next call.
        format!("its stream failed: {}", unsafe { CStr::from_ptr(text) }.to_string_lossy())
    }
}
