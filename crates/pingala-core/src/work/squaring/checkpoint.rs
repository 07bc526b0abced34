//! Checkpoints of repeated squaring: the file from which a run is resumed.
//!
//! Its payload: the modulus and the base as little-endian bytes with their lengths, the squarings and those done with 8 bytes each, and
//! the residue, again with its length.

use crate::error::Error;
use crate::natural::Natural;
use crate::table::replace::{bad, failed};
use crate::table::sealed::{self, FileKind, Reader, brief};
use crate::work::RepeatedSquare;
use core::time::Duration;
use std::path::Path;

const KIND: FileKind = FileKind { magic: *b"pingalaS", version: 1, name: "checkpoint of repeated squaring" };

impl RepeatedSquare {
    /// Makes [`RepeatedSquare::run`] write a checkpoint file before the first squaring, after each interval `every`, when it is
    /// stopped, and at the end. If the file exists, this call resumes the job from it. The file is replaced as a whole: after a
    /// power failure it contains the old state or the new one.
    ///
    /// Error: `bad_file` for a file that cannot be read, is damaged, or belongs to another modulus, base or number of
    /// squarings, both of which are named. A finished run of fewer squarings is accepted: this job continues from its end.
    pub fn with_checkpoint(mut self, path: &Path, every: Duration) -> Result<Self, Error> {
        if path.try_exists().map_err(|error| failed(path, "cannot read", &error))? {
            // Room for three numbers of the modulus' length and the fields around them. A checkpoint of another run whose numbers are
            // not huge is read too, so that the error can name that run.
            let cap_bytes = (3 * self.modulus.value().bits().div_ceil(8) + 64).max(1 << 20);
            let payload = sealed::read(path, &KIND, cap_bytes)?;
            (self.done, self.residue) = self.parse(&payload).map_err(|reason| bad(path, reason))?;
        }
        self.checkpoint = Some((path.into(), every));
        Ok(self)
    }

    /// Writes the checkpoint. Error: `bad_file`.
    pub(crate) fn write(&self, path: &Path, done: u64, residue: &Natural) -> Result<(), Error> {
        let mut payload = Vec::new();
        sealed::field(&mut payload, &self.modulus.value().to_le_bytes());
        sealed::field(&mut payload, &self.base.to_le_bytes());
        payload.extend(self.squarings.to_le_bytes());
        payload.extend(done.to_le_bytes());
        sealed::field(&mut payload, &residue.to_le_bytes());
        sealed::write(path, &KIND, &[&payload])
    }

    /// Reads the squarings done and the residue, canonical modulo the odd part, of this run or of a finished shorter one. The error
    /// names both numbers if the file belongs to another run.
    fn parse(&self, payload: &[u8]) -> Result<(u64, Natural), String> {
        let mut fields = Reader::new(payload);
        let modulus = Natural::from_le_bytes(fields.field()?);
        let base = Natural::from_le_bytes(fields.field()?);
        let (squarings, done) = (fields.u64()?, fields.u64()?);
        let residue = Natural::from_le_bytes(fields.field()?);
        fields.end()?;
        for (name, found, wanted) in [("modulus", &modulus, self.modulus.value()), ("base", &base, &self.base)] {
            if found != wanted {
                return Err(format!("it is of the {name} {}, not of {}", brief(found), brief(wanted)));
            }
        }
        // A finished run is the beginning of a longer one.
        if squarings != self.squarings && !(done == squarings && squarings < self.squarings) {
            let wanted = self.squarings;
            return Err(format!(
                "it is of {squarings} squarings ({done} done), not of {wanted}; only a finished run is extended"
            ));
        }
        if done > squarings || residue >= *self.modulus.prepared.facts().odd() {
            return Err("its numbers are out of their range".into());
        }
        Ok((done, residue))
    }
}
