//! Columns that are lent to others.

use super::{Array, Schema};
use core::ffi::c_void;
use core::ptr::{null, null_mut};
use std::ffi::CString;
use std::sync::Arc;

/// Words as the bytes that this machine has them in.
pub fn bytes_of_words(words: &[u64]) -> &[u8] {
    // SAFETY: every byte of a word may be read, and they are borrowed as long as the words are.
    unsafe { core::slice::from_raw_parts(words.as_ptr().cast(), size_of_val(words)) }
}

/// The bytes of offsets.
pub fn bytes_of_offsets(offsets: &[i64]) -> &[u8] {
    // SAFETY: as for words.
    unsafe { core::slice::from_raw_parts(offsets.as_ptr().cast(), size_of_val(offsets)) }
}

/// What a lent array keeps until it is released.
struct Kept<T> {
    _owner: Arc<T>,
    buffers: Vec<*const c_void>,
    children: Vec<*mut Array>,
}

/// A column that is lent out: its format, and its buffers, which `T` owns.
#[derive(Debug)]
pub struct Lending<'a> {
    /// As in the schema.
    pub format: String,
    /// The name of a child; empty for the column itself.
    pub name: &'a str,
    /// Rows, and how many of them are null.
    pub length: usize,
    /// The first of `buffers` has a bit for each row that is not null; none if no row is null.
    pub nulls: usize,
    /// In the order of the format.
    pub buffers: Vec<Option<&'a [u8]>>,
    /// The columns of a struct.
    pub children: Vec<Lending<'a>>,
}

impl Lending<'_> {
    /// The schema. What is lent is nullable.
    pub fn schema(&self) -> Schema {
        const NULLABLE: i64 = 2;
        let children: Vec<*mut Schema> =
            self.children.iter().map(|child| Box::into_raw(Box::new(child.schema()))).collect();
        let text = |text: &str| CString::new(text).unwrap_or_default().into_raw();
        let mut children = core::mem::ManuallyDrop::new(children.into_boxed_slice());
        Schema {
            format: text(&self.format),
            name: text(self.name),
            metadata: null(),
            flags: NULLABLE,
            n_children: children.len() as i64,
            children: children.as_mut_ptr(),
            dictionary: null_mut(),
            release: Some(release_schema),
            private_data: null_mut(),
        }
    }

    /// The array. `owner` lives until it is released.
    ///
    /// # Safety
    ///
    /// `owner` owns the buffers, and they do not change.
    pub unsafe fn array<T: Send + Sync>(&self, owner: &Arc<T>) -> Array {
        let buffers = self.buffers.iter().map(|buffer| buffer.map_or(null(), |bytes| bytes.as_ptr().cast())).collect();
        // SAFETY: the caller answers for all buffers.
        let child = |child: &Lending<'_>| Box::into_raw(Box::new(unsafe { child.array(owner) }));
        let children = self.children.iter().map(child).collect();
        let mut kept = Box::new(Kept { _owner: owner.clone(), buffers, children });
        Array {
            length: self.length as i64,
            null_count: self.nulls as i64,
            offset: 0,
            n_buffers: kept.buffers.len() as i64,
            n_children: kept.children.len() as i64,
            buffers: kept.buffers.as_mut_ptr(),
            children: kept.children.as_mut_ptr(),
            dictionary: null_mut(),
            release: Some(release_array::<T>),
            private_data: Box::into_raw(kept).cast(),
        }
    }
}

/// Releases what [`Lending::schema`] made. A consumer may have moved a child out, which leaves it released.
unsafe extern "C" fn release_schema(schema: *mut Schema) {
    // SAFETY: the interface calls this once, with the struct that `Lending::schema` filled; texts and children are its own.
    unsafe {
        let schema = &mut *schema;
        drop(CString::from_raw(schema.format.cast_mut()));
        drop(CString::from_raw(schema.name.cast_mut()));
        let children = core::ptr::slice_from_raw_parts_mut(schema.children, schema.n_children as usize);
        Box::from_raw(children).iter().for_each(|&child| drop(Box::from_raw(child)));
        schema.release = None;
    }
}

/// Releases what [`Lending::array`] made.
unsafe extern "C" fn release_array<T>(array: *mut Array) {
    // SAFETY: the interface calls this once, with the struct that `Lending::array` filled for this `T`.
    unsafe {
        let kept = Box::from_raw((*array).private_data.cast::<Kept<T>>());
        kept.children.iter().for_each(|&child| drop(Box::from_raw(child)));
        (*array).release = None;
    }
}
