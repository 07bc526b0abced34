//! Checkpoints of long runs, on disk.

use super::sealed::{self, FileKind, Reader};
use crate::error::Error;
use crate::natural::Natural;
use std::path::Path;

const KIND: FileKind = FileKind { magic: *b"pingalaS", version: 1, name: "checkpoint of repeated squaring" };

/// base^(2^done) of base^(2^squarings) mod modulus. On disk: the modulus, the base and the residue as little-endian bytes
/// with their lengths, and squarings and done between base and residue, 8 bytes each.
#[derive(Debug)]
pub(crate) struct Checkpoint<'a> {
    pub(crate) modulus: &'a Natural,
    pub(crate) base: &'a Natural,
    pub(crate) squarings: u64,
}

/// A number at a length that a person compares.
fn brief(number: &Natural) -> String {
    let text = format!("{number:#x}");
    if text.len() <= 44 {
        text
    } else {
        format!("{}...{} ({} bits)", &text[..18], &text[text.len() - 16..], number.bits())
    }
}

impl Checkpoint<'_> {
    /// Writes the file. Error: `bad_file`.
    pub(crate) fn write(&self, path: &Path, done: u64, residue: &Natural) -> Result<(), Error> {
        let mut payload = Vec::new();
        sealed::field(&mut payload, &self.modulus.to_le_bytes());
        sealed::field(&mut payload, &self.base.to_le_bytes());
        payload.extend(self.squarings.to_le_bytes());
        payload.extend(done.to_le_bytes());
        sealed::field(&mut payload, &residue.to_le_bytes());
        sealed::write(path, &KIND, &[&payload])
    }

    /// The squarings done and the residue, canonical modulo `odd`, of this run or of a finished shorter one. Error: `bad_file`,
    /// which names both numbers if the file belongs to another run.
    pub(crate) fn read(&self, path: &Path, odd: &Natural) -> Result<(u64, Natural), Error> {
        // Three numbers of the modulus' length and what stands around them; of another run whose numbers are not huge it
        // shall be said whose it is.
        let cap_bytes = (3 * self.modulus.bits().div_ceil(8) + 64).max(1 << 20);
        let payload = sealed::read(path, &KIND, cap_bytes)?;
        self.parse(&payload, odd).map_err(|reason| Error::BadFile { path: path.display().to_string(), reason })
    }

    fn parse(&self, payload: &[u8], odd: &Natural) -> Result<(u64, Natural), String> {
        let mut fields = Reader::new(payload);
        let modulus = Natural::from_le_bytes(fields.field()?);
        let base = Natural::from_le_bytes(fields.field()?);
        let (squarings, done) = (fields.u64()?, fields.u64()?);
        let residue = Natural::from_le_bytes(fields.field()?);
        fields.end()?;
        for (name, found, wanted) in [("modulus", &modulus, self.modulus), ("base", &base, self.base)] {
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
        if done > squarings || residue >= *odd {
            return Err("its numbers are out of their range".into());
        }
        Ok((done, residue))
    }
}
