//! Tables of fixed bases, and files of tables and checkpoints.

#[cfg(feature = "files")]
pub(crate) mod checkpoint;
#[cfg(feature = "files")]
pub(crate) mod file;
#[cfg(feature = "files")]
pub(crate) mod map;
#[cfg(feature = "files")]
pub(crate) mod replace;
#[cfg(feature = "files")]
pub(crate) mod sealed;

use crate::algorithm::fixed_base::FixedBaseAlgorithm;
use crate::kernel::registry::Layout;
#[cfg(feature = "files")]
use map::MappedWords;

/// The residues of a table, one after the other, packed.
#[derive(Debug)]
pub(crate) enum Words {
    /// In memory of their own.
    Owned(Vec<u64>),
    /// In a file that is mapped read-only.
    #[cfg(feature = "files")]
    Mapped(MappedWords),
}

impl Words {
    pub(crate) fn as_slice(&self) -> &[u64] {
        match self {
            Words::Owned(words) => words,
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
