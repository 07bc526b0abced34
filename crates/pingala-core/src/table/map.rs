//! Read-only memory maps of table files, only on the caller's request.

#![allow(unsafe_code)]

use memmap2::Mmap;
use std::fs::File;
use std::io;
use std::sync::Arc;

/// Maps a file read-only.
///
/// A map shows later changes of the file, which no checksum at its opening can prevent: the table's owner must not change it in place
/// (the library's writers never do: they rename).
pub(crate) fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the mapped bytes are only ever read as integers, for which every value is valid; the caller of `Expected::with_map`
    // promised that the file is not changed while it is mapped.
    unsafe { Mmap::map(file) }
}

/// Words of a map, little-endian as they lie in the file.
#[derive(Debug)]
pub(crate) struct MappedWords {
    map: Arc<Mmap>,
    /// Byte of the first word; the map starts a page, so that this decides the alignment.
    start: usize,
    words: usize,
}

impl MappedWords {
    /// Takes `words` words from byte `start` on; none if they are not aligned, not all there, or of the other byte order.
    pub(crate) fn new(map: Arc<Mmap>, start: usize, words: usize) -> Option<Self> {
        let bytes = map.get(start..)?.get(..words.checked_mul(size_of::<u64>())?)?;
        let fits = cfg!(target_endian = "little") && bytes.as_ptr().cast::<u64>().is_aligned();
        fits.then_some(Self { map, start, words })
    }

    pub(crate) fn as_slice(&self) -> &[u64] {
        let bytes = &self.map[self.start..][..self.words * size_of::<u64>()];
        // SAFETY: `new` found the bytes aligned; the slice has their length and lives as long as the map.
        unsafe { core::slice::from_raw_parts(bytes.as_ptr().cast(), self.words) }
    }
}
