//! What outlives the process: tables of fixed bases, and checkpoints of repeated squaring.

use crate::engine::execute::poll::Poll;
use crate::error::Error;
use crate::natural::{Integer, Natural};
use crate::table::checkpoint::Checkpoint;
use crate::work::fixed_base::stored::{self, ExpectedFile, Loaded};
use crate::work::fixed_base::{FixedBase, Shared, kernel_and_line};
use crate::work::{Modulus, Options, RepeatedSquare};
use core::time::Duration;
use std::path::Path;
use std::sync::Arc;

/// Requirements on a file that is loaded. `Expected::default()` accepts any table of up to 2^32 bytes.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Expected<'a> {
    pub(crate) modulus: Option<&'a Natural>,
    pub(crate) base: Option<&'a Integer>,
    pub(crate) map: bool,
    pub(crate) max_bytes: u64,
}

impl<'a> Expected<'a> {
    /// The modulus that the table must have; any by default.
    pub fn with_modulus(self, modulus: Option<&'a Natural>) -> Self {
        Self { modulus, ..self }
    }

    /// The base that the table must have, modulo the modulus; any by default.
    pub fn with_base(self, base: Option<&'a Integer>) -> Self {
        Self { base, ..self }
    }

    /// Whether to map the table read-only from the file, if this CPU's kernels can use its format; by default the table is a private
    /// copy.
    ///
    /// # Safety
    ///
    /// With `map`, no program may change or truncate the file while a table that was loaded so, or a clone of it, exists: a change gives
    /// wrong powers, a truncated file ends the process. A file that [`FixedBase::save`] replaces is another file, which does no harm.
    #[allow(unsafe_code)]
    pub unsafe fn with_map(self, map: bool) -> Self {
        Self { map, ..self }
    }

    /// Longest payload that is read, in bytes.
    pub fn with_max_bytes(self, max_bytes: u64) -> Self {
        Self { max_bytes, ..self }
    }
}

/// Longest file that is loaded unless the caller allows more, in bytes.
const MAX_FILE_BYTES: u64 = 1 << 32;

impl Default for Expected<'_> {
    fn default() -> Self {
        Self { modulus: None, base: None, map: false, max_bytes: MAX_FILE_BYTES }
    }
}

impl FixedBase {
    /// Longest file that is loaded unless the caller allows more, in bytes.
    pub const MAX_FILE_BYTES: u64 = MAX_FILE_BYTES;

    /// Writes the table to a temporary file in the same folder and renames it. Symbolic links are refused. Error: `bad_file`; the
    /// old file is then unchanged.
    pub fn save(&self, path: &Path) -> Result<(), Error> {
        let Shared { modulus, base, exponent_bits, tables, .. } = &*self.shared;
        tables.save(path, modulus.value(), base, *exponent_bits)
    }

    /// Loads a table that [`FixedBase::save`] wrote. Checked before it is used: lengths, SHA-256, the expected modulus and base,
    /// the range of every entry, and the values of six entries by computing them again. [`FixedBase::notes`] says whether the
    /// table was converted. `options.kernel` forces a kernel.
    ///
    /// These checks find damage, not forgery: a program that can write the file can change other entries and the checksum. For
    /// a file from another party call [`FixedBase::verify`], which computes every entry.
    ///
    /// Errors: `bad_file`, whose message names the failed check; `bad_plan`; `bad_argument` without memory; `interrupted`.
    pub fn load(path: &Path, expected: &Expected<'_>, options: &Options<'_>) -> Result<Self, Error> {
        let (kernel, _) = kernel_and_line(options)?;
        let Expected { modulus, base, map, max_bytes } = *expected;
        let wanted = ExpectedFile { modulus, base, map, max_bytes, kernel };
        let loaded = stored::load(path, &wanted, &Poll::new(options.watch, None))?;
        let Loaded { modulus, base, exponent_bits, tables, notes } = loaded;
        let modulus = Modulus { prepared: Arc::new(modulus) };
        Ok(Self { shared: Arc::new(Shared { modulus, base, exponent_bits, tables, notes }) })
    }
}

impl RepeatedSquare {
    /// Makes [`RepeatedSquare::run`] write a checkpoint file before the first squaring, after each interval `every`, when it is
    /// stopped, and at the end. If the file exists, this call resumes the job from it. The file is replaced as a whole: after a
    /// power failure it contains the old state or the new one.
    ///
    /// Error: `bad_file` for a file that cannot be read, is damaged, or belongs to another modulus, base or number of
    /// squarings, both of which are named. A finished run of fewer squarings is accepted: this job continues from its end.
    pub fn with_checkpoint(mut self, path: &Path, every: Duration) -> Result<Self, Error> {
        let there = path.try_exists().map_err(|error| Error::BadFile {
            path: path.display().to_string(),
            reason: format!("cannot read: {error}"),
        })?;
        if there {
            let odd = self.modulus.prepared.facts().odd().clone();
            (self.done, self.residue) = self.on_disk().read(path, &odd)?;
        }
        self.checkpoint = Some((path.into(), every));
        Ok(self)
    }

    fn on_disk(&self) -> Checkpoint<'_> {
        Checkpoint { modulus: self.modulus.value(), base: &self.base, squarings: self.squarings }
    }

    /// Writes the checkpoint. Error: `bad_file`.
    pub(crate) fn write(&self, path: &Path, done: u64, residue: &Natural) -> Result<(), Error> {
        self.on_disk().write(path, done, residue)
    }
}
