//! Checkpoints of proved squarings.
//!
//! The first record: the modulus and the base as little-endian bytes with their lengths; the squarings, the bits of a digit, the stride and the parts
//! of [`Sizes`], 8 bytes each. Each further record is a state; numbers have as many bytes as the modulus.
//!
//! ```text
//! 0, 8 bytes    squarings done, 8 bytes; the residue; the residues that were kept since the record before
//! 1, 8 bytes    tasks of the proof done, 8 bytes; their product
//! ```

use crate::log::{self, Kind, Log, MOST_FIRST_BYTES, Payload, Reader, Receiver, bad};
use crate::squaring::sizes::{MOST_BITS, Sizes};
use crate::squaring::{Checkpoint, ProvedSquaring};
use core::time::Duration;
use pingala_core::files::Replacement;
use pingala_core::{Error, Natural};
use std::path::Path;

const KIND: Kind = Kind { magic: *b"pingalaW", version: 1, name: "checkpoint of proved squarings" };

/// Bytes of the sizes in the first record.
const SIZES_BYTES: u64 = 24;
/// More parts than [`Sizes::choose`] takes for any number of threads.
const MOST_PARTS: u64 = 1 << 20;

const SQUARINGS: u64 = 0;
const PROOF: u64 = 1;

impl ProvedSquaring {
    /// Makes [`ProvedSquaring::run`] keep its state in a file: from the beginning, after each interval `every`, when it is stopped, and at the end
    /// of the squarings and of the proof. If the file exists, this call resumes the job from it. The file only grows, to about the memory
    /// cap; each state is on the disk before the next one is written, and a crash loses what was done since the last, but for the proof
    /// at least one task of about a second. With known factors no file is written.
    ///
    /// Errors: `bad_file` for a file that cannot be read or written, is damaged, is in use, or belongs to another modulus, base or count.
    pub fn with_checkpoint(mut self, path: &Path, every: Duration) -> Result<Self, Error> {
        let mut log = None;
        if path.try_exists().map_err(|error| bad(path, format!("cannot read: {error}")))? {
            // The file decides.
            self.state.sizes = None;
            log = Some(Log::open(path, &KIND, &mut self)?);
        } else {
            Replacement::check(path, false)?;
        }
        let (kept_saved, done_saved) = if log.is_some() { (self.state.kept.len(), self.state.done) } else { (0, 0) };
        self.checkpoint = Some(Checkpoint { path: path.into(), every, log, kept_saved, done_saved });
        Ok(self)
    }

    fn first(&self) -> Vec<u8> {
        let mut first = Vec::new();
        log::field(&mut first, &self.modulus.value().to_le_bytes());
        log::field(&mut first, &self.base.to_le_bytes());
        first.extend(self.squarings.to_le_bytes());
        first
    }

    fn read_first(&mut self, record: &[u8]) -> Result<(), String> {
        let first = self.first();
        let sizes = record.strip_prefix(&*first).ok_or("it is of another modulus, base or number of squarings")?;
        let mut fields = Reader::new(sizes);
        let (bits, stride, parts) = (fields.u64()?, fields.u64()?, fields.u64()?);
        let may_be = (1..=u64::from(MOST_BITS)).contains(&bits) && stride > 0 && (1..=MOST_PARTS).contains(&parts);
        if !fields.is_empty() || !may_be {
            return Err("its sizes are out of their range".into());
        }
        let n = self.squarings.saturating_sub(1);
        self.state.sizes = Some(Sizes { n, bits: bits as u32, stride, parts });
        Ok(())
    }

    fn read_state(&mut self, record: &[u8]) -> Result<(), String> {
        let sizes = self.state.sizes.ok_or("it has no sizes")?;
        let modulus = self.modulus.value().clone();
        let width = modulus.bits().div_ceil(8);
        let mut fields = Reader::new(record);
        let (tag, done) = (fields.u64()?, fields.u64()?);
        let number = |fields: &mut Reader<'_>| {
            let number = Natural::from_le_bytes(fields.bytes(width)?);
            if number < modulus { Ok(number) } else { Err("its numbers are out of their range".to_string()) }
        };
        let number_of_state = number(&mut fields)?;
        match tag {
            SQUARINGS if done >= self.state.done && done <= sizes.n => {
                while !fields.is_empty() {
                    self.state.kept.push(number(&mut fields)?).map_err(|error| error.to_string())?;
                }
                if self.state.kept.len() as u64 != sizes.kept_after(done) {
                    return Err("it does not have the residues of its squarings".into());
                }
                (self.state.done, self.state.residue) = (done, number_of_state);
            }
            PROOF if self.state.done == sizes.n && done <= sizes.tasks() => {
                (self.state.tasks_done, self.state.root) = (done, number_of_state);
            }
            _ => return Err("its counts are out of their range".into()),
        }
        if fields.is_empty() { Ok(()) } else { Err("a record is too long".into()) }
    }

    /// Makes the file, if there is to be one and it is not open. Error: `bad_file`.
    pub(crate) fn create_checkpoint(&mut self) -> Result<(), Error> {
        let mut first = self.first();
        let (Some(checkpoint), Some(sizes)) = (&mut self.checkpoint, &self.state.sizes) else { return Ok(()) };
        if checkpoint.log.is_none() {
            for size in [u64::from(sizes.bits), sizes.stride, sizes.parts] {
                first.extend(size.to_le_bytes());
            }
            checkpoint.log = Some(Log::create(&checkpoint.path, &KIND, &first)?);
        }
        Ok(())
    }

    /// Saves the squarings done and the residues kept, if there is a checkpoint. Error: `bad_file`.
    pub(crate) fn save_squarings(&mut self) -> Result<(), Error> {
        let state = &self.state;
        let Some(Checkpoint { log: Some(log), kept_saved, done_saved, .. }) = &mut self.checkpoint else {
            return Ok(());
        };
        let width = self.modulus.value().bits().div_ceil(8) as usize;
        let mut record = head(SQUARINGS, state.done, &state.residue, width);
        for index in *kept_saved..state.kept.len() {
            put(&mut record, &state.kept.number(index)?, width);
        }
        log.append(&[&record])?;
        (*kept_saved, *done_saved) = (state.kept.len(), state.done);
        Ok(())
    }

    /// Saves the state of the proof, and the squarings if that was not possible before. Error: `bad_file`.
    pub(crate) fn save_proof(&mut self) -> Result<(), Error> {
        let is_behind = |checkpoint: &Checkpoint| {
            checkpoint.kept_saved < self.state.kept.len() || checkpoint.done_saved < self.state.done
        };
        if self.checkpoint.as_ref().is_some_and(is_behind) {
            self.save_squarings()?;
        }
        let state = &self.state;
        let Some(Checkpoint { log: Some(log), .. }) = &mut self.checkpoint else { return Ok(()) };
        let width = self.modulus.value().bits().div_ceil(8) as usize;
        log.append(&[&head(PROOF, state.tasks_done, &state.root, width)])
    }
}

impl Receiver for ProvedSquaring {
    fn most_bytes(&self) -> u64 {
        match &self.state.sizes {
            None => MOST_FIRST_BYTES.max(self.first().len() as u64 + SIZES_BYTES),
            // A state has all residues that are not there yet.
            Some(sizes) => {
                let numbers = 1 + sizes.kept().saturating_sub(self.state.kept.len() as u64);
                numbers.saturating_mul(self.modulus.value().bits().div_ceil(8)).saturating_add(16)
            }
        }
    }

    fn receive(&mut self, payload: &mut Payload<'_, '_>) -> Result<(), String> {
        let record = payload.bytes()?;
        if self.state.sizes.is_none() { self.read_first(&record) } else { self.read_state(&record) }
    }
}

fn head(tag: u64, done: u64, number: &Natural, width: usize) -> Vec<u8> {
    let mut record = Vec::new();
    record.extend(tag.to_le_bytes());
    record.extend(done.to_le_bytes());
    put(&mut record, number, width);
    record
}

fn put(record: &mut Vec<u8>, number: &Natural, width: usize) {
    let end = record.len() + width;
    record.extend(number.to_le_bytes());
    record.resize(end, 0);
}
