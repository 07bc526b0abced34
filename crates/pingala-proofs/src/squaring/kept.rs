//! The residues that are kept while squaring.

use pingala_core::Residues;
use pingala_core::{Error, Modulus, Natural, Options};

/// Residues of a block: a block takes its memory at once, and nothing is copied.
const BLOCK: usize = 1024;
/// Bytes that a block takes at once; one of longer residues grows.
const BLOCK_BYTES: usize = 1 << 20;

/// Residues in the order of their powers.
#[derive(Debug)]
pub(crate) struct Kept {
    modulus: Modulus,
    blocks: Vec<Residues>,
    length: usize,
}

impl Kept {
    pub(crate) fn new(modulus: &Modulus) -> Self {
        Self { modulus: modulus.clone(), blocks: Vec::new(), length: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.length
    }

    /// The list with this residue, and its place there.
    pub(crate) fn at(&self, index: usize) -> (&Residues, usize) {
        (&self.blocks[index / BLOCK], index % BLOCK)
    }

    /// It as a number.
    pub(crate) fn number(&self, index: usize) -> Result<Natural, Error> {
        let (block, at) = self.at(index);
        block.get(at)
    }

    /// The list that takes the next residue.
    fn block(&mut self, options: &Options<'_>) -> Result<&mut Residues, Error> {
        if self.length == BLOCK * self.blocks.len() {
            let mut block = self.modulus.residues(&[], &silent(options))?;
            block.reserve(BLOCK.min(BLOCK_BYTES / block.bytes_each().max(1)))?;
            self.blocks.push(block);
        }
        self.length += 1;
        self.blocks.last_mut().ok_or(Error::Fault("no block"))
    }

    /// Adds a residue. Errors: those of [`Modulus::residues`].
    pub(crate) fn push_from(&mut self, list: &Residues, index: usize, options: &Options<'_>) -> Result<(), Error> {
        self.block(options)?.push_from(list, index)
    }

    /// Adds a number.
    pub(crate) fn push(&mut self, value: Natural) -> Result<(), Error> {
        self.block(&Options::default())?.push(&value.into())
    }
}

/// The options without a watch, whose progress is that of the whole job.
pub(crate) fn silent<'o>(options: &Options<'o>) -> Options<'o> {
    options.with_watch(None)
}
