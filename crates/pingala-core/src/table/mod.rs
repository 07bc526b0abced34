//! Tables of fixed bases, their file format, and the frame of all files that the library writes.

#[cfg(feature = "files")]
pub(crate) mod file;
#[cfg(feature = "files")]
pub(crate) mod map;
#[cfg(feature = "files")]
pub(crate) mod ordinary;
#[cfg(feature = "files")]
pub(crate) mod replace;
#[cfg(feature = "files")]
pub(crate) mod sealed;

use crate::algorithm::fixed_base::FixedBaseAlgorithm;
use crate::error::Error;
use crate::kernel::cache_line;
use crate::kernel::registry::Layout;
use core::ops::Range;
#[cfg(feature = "files")]
use map::MappedWords;

/// The words of a table in memory, from a cache line on: residues of whole vectors are then read without touching two lines at a time.
#[derive(Debug)]
pub(crate) struct OwnedWords {
    room: Vec<u64>,
    origin: usize,
}

impl OwnedWords {
    /// Allocates zeros for `entries` entries of `limbs` words. Error: `bad_argument` if the system does not have the memory.
    pub(crate) fn zeros(entries: usize, limbs: usize) -> Result<Self, Error> {
        let length = entries.saturating_mul(limbs).saturating_add(cache_line::spare::<u64>());
        let mut room = Vec::new();
        room.try_reserve_exact(length).map_err(|_| {
            let bytes = entries.saturating_mul(limbs).saturating_mul(size_of::<u64>());
            Error::BadArgument(format!("cannot allocate {bytes} bytes for a table"))
        })?;
        room.resize(length, 0);
        let origin = cache_line::first_word(&room);
        Ok(Self { room, origin })
    }

    fn range(&self) -> Range<usize> {
        self.origin..self.origin + self.room.len() - cache_line::spare::<u64>()
    }

    pub(crate) fn as_slice(&self) -> &[u64] {
        &self.room[self.range()]
    }

    pub(crate) fn as_mut_slice(&mut self) -> &mut [u64] {
        let range = self.range();
        &mut self.room[range]
    }
}

/// The residues of a table, one after the other, packed.
#[derive(Debug)]
pub(crate) enum Words {
    /// In memory of their own.
    Owned(OwnedWords),
    /// In a file that is mapped read-only.
    #[cfg(feature = "files")]
    Mapped(MappedWords),
}

impl Words {
    pub(crate) fn as_slice(&self) -> &[u64] {
        match self {
            Words::Owned(words) => words.as_slice(),
            #[cfg(feature = "files")]
            Words::Mapped(words) => words.as_slice(),
        }
    }
}

/// Powers of one base, ready for one method, in the layout of some kernels. A table in a file has the range of its bytes for `words`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Table<W = Words> {
    pub(crate) algorithm: FixedBaseAlgorithm,
    /// The length of the longest exponent.
    pub(crate) exponent_bits: usize,
    pub(crate) layout: Layout,
    pub(crate) words: W,
}

impl<W> Table<W> {
    pub(crate) fn entries(&self) -> usize {
        self.algorithm.entries(self.exponent_bits)
    }

    /// Copies the table with other words.
    #[cfg(feature = "files")]
    pub(crate) fn with_words<V>(&self, words: V) -> Table<V> {
        let Self { algorithm, exponent_bits, layout, .. } = self;
        Table { algorithm: algorithm.clone(), exponent_bits: *exponent_bits, layout: *layout, words }
    }
}

impl Table {
    #[cfg(feature = "files")]
    pub(crate) fn entry(&self, index: usize) -> &[u64] {
        &self.words.as_slice()[index * self.layout.limbs..][..self.layout.limbs]
    }

    /// Bytes that it holds.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(self.words.as_slice())
    }
}

#[cfg(test)]
#[path = "../../tests/inside/table/mod.rs"]
mod tests;
