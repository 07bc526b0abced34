//! Tables of fixed bases, and files of tables and checkpoints.

#[cfg(feature = "files")]
pub(crate) mod checkpoint;
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
use crate::kernel::cache_line;
use crate::kernel::registry::Layout;
use core::ops::Range;
#[cfg(feature = "files")]
use map::MappedWords;

/// Zeros to be filled, from a cache line on: residues of whole vectors are then read without touching two lines at a time.
#[derive(Debug)]
pub(crate) struct OwnedWords {
    room: Vec<u64>,
    origin: usize,
}

impl OwnedWords {
    /// So many words; none if the system does not have the memory.
    pub(crate) fn zeros(count: usize) -> Option<Self> {
        let (length, mut room) = (count.checked_add(cache_line::spare::<u64>())?, Vec::new());
        room.try_reserve_exact(length).ok()?;
        room.resize(length, 0);
        let origin = cache_line::first_word(&room);
        Some(Self { room, origin })
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

/// Powers of one base, ready for one method, in the layout of some kernels.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) algorithm: FixedBaseAlgorithm,
    /// The length of exponent that it is for.
    pub(crate) exponent_bits: usize,
    pub(crate) layout: Layout,
    pub(crate) words: Words,
}

impl Table {
    pub(crate) fn entries(&self) -> usize {
        self.algorithm.entries(self.exponent_bits)
    }

    #[cfg(feature = "files")]
    pub(crate) fn entry(&self, index: usize) -> &[u64] {
        &self.words.as_slice()[index * self.layout.limbs..][..self.layout.limbs]
    }

    /// Bytes that it holds.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(self.words.as_slice())
    }
}
