//! The steps of a job, each a list of powers, and the file that keeps their results.
//!
//! The steps follow from the job alone: the modulus, the base, the exponents and the memory cap. So a file is those, and the results of the steps
//! in order; a run that is resumed takes as many steps from the file as it has.
//!
//! The first record: the modulus and the base as little-endian bytes with their lengths, the number of the exponents, SHA-256 of each exponent
//! with its length, the sizes that cut the work into steps ([`tree::sizes`]), the memory cap. Each further record: results, each with as many bytes as the modulus.

use crate::accumulator::Witnesses;
use crate::accumulator::tree::{self, product};
use crate::log::{self, Kind, Log, MOST_FIRST_BYTES, Payload, Receiver, Replay, bad};
use core::time::Duration;
use pingala_core::{Error, Integer, Job, Modulus, Natural, Options, Watch, pairs};
use sha2::{Digest, Sha256};
use std::path::Path;
use std::time::Instant;

const KIND: Kind = Kind { magic: *b"pingalaA", version: 1, name: "checkpoint of witnesses" };

/// Opens the job's file, or makes it; gives its memory cap too. Error: `bad_file`.
pub(crate) fn open(job: &Witnesses<'_>, path: &Path) -> Result<(Log, u64), Error> {
    let mut first = Vec::new();
    log::field(&mut first, &job.modulus.value().to_le_bytes());
    log::field(&mut first, &job.base.to_le_bytes());
    first.extend((job.exponents.len() as u64).to_le_bytes());
    let mut hash = Sha256::new();
    for exponent in job.exponents {
        let bytes = exponent.to_le_bytes();
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(&bytes);
    }
    first.extend(hash.finalize());
    tree::sizes(job.modulus).iter().for_each(|size| first.extend(size.to_le_bytes()));
    let n_described = first.len();
    first.extend(job.memory_bytes.to_le_bytes());
    if !path.try_exists().map_err(|error| bad(path, format!("cannot read: {error}")))? {
        return Ok((Log::create(path, &KIND, &first)?, job.memory_bytes));
    }
    let mut first = First {
        n_described,
        bytes: first,
        memory_bytes: None,
        most_later: tree::most_bytes(job.modulus, job.exponents),
    };
    let log = Log::open(path, &KIND, &mut first)?;
    Ok((log, first.memory_bytes.unwrap_or(job.memory_bytes)))
}

/// What the first record of a job's file is, up to the cap of its memory, and how long later ones may be.
struct First {
    bytes: Vec<u8>,
    n_described: usize,
    /// Of the file.
    memory_bytes: Option<u64>,
    most_later: u64,
}

impl Receiver for First {
    fn most_bytes(&self) -> u64 {
        if self.memory_bytes.is_some() { self.most_later } else { MOST_FIRST_BYTES.max(self.bytes.len() as u64) }
    }

    fn receive(&mut self, payload: &mut Payload<'_, '_>) -> Result<(), String> {
        if self.memory_bytes.is_none() {
            let record = payload.bytes()?;
            if record.len() != self.bytes.len() || record[..self.n_described] != self.bytes[..self.n_described] {
                return Err("it is of other witnesses (of another modulus, base or list of exponents), or of another version of this program".into());
            }
            let cap = record[self.n_described..].try_into().map_err(|_| "its first record is too short")?;
            self.memory_bytes = Some(u64::from_le_bytes(cap));
        }
        Ok(())
    }
}

/// Computes steps, or takes them from the file.
pub(crate) struct Steps<'a> {
    modulus: &'a Modulus,
    options: Options<'a>,
    /// Bits of exponents.
    done: u64,
    total: u64,
    file: Option<Keeper>,
}

/// The file of a job.
struct Keeper {
    log: Log,
    every: Duration,
    saved: Instant,
    /// Results that are not in the file yet.
    unsaved: Vec<u8>,
    /// What is in the file and was not asked for yet.
    replay: Option<Replay>,
    width: usize,
}

impl<'a> Steps<'a> {
    /// Error: `bad_file`.
    pub(crate) fn new(
        modulus: &'a Modulus,
        options: Options<'a>,
        total: u64,
        file: Option<(Log, Duration)>,
    ) -> Result<Self, Error> {
        let file = file.map(|(log, every)| {
            let width = modulus.value().bits().div_ceil(8) as usize;
            let replay = Some(log.replay()?);
            Ok(Keeper { log, every, saved: Instant::now(), unsaved: Vec::new(), replay, width })
        });
        Ok(Self { modulus, options, done: 0, total, file: file.transpose()? })
    }

    pub(crate) fn modulus(&self) -> &'a Modulus {
        self.modulus
    }

    /// Each base to the product of its exponents. Errors: those of a list, `bad_file`.
    pub(crate) fn powers(&mut self, bases: Vec<&Integer>, exponents: &[&[Natural]]) -> Result<Vec<Integer>, Error> {
        let bits = exponents.iter().copied().flatten().map(Natural::bits).sum();
        let kept = match &mut self.file {
            Some(file) => file.next(bases.len(), self.modulus)?,
            None => None,
        };
        let values = match kept {
            Some(values) => {
                if self.options.watch().is_some_and(|watch| watch.stop()) {
                    return Err(Error::Interrupted);
                }
                values
            }
            None => {
                let values = self.compute(&bases, exponents, bits).or_else(|error| self.stopped(error))?;
                if let Some(file) = &mut self.file {
                    file.keep(&values)?;
                }
                values
            }
        };
        self.done += bits;
        self.options.watch().inspect(|watch| watch.progress(self.done as usize, self.total as usize));
        Ok(values)
    }

    fn compute(&self, bases: &[&Integer], exponents: &[&[Natural]], bits: u64) -> Result<Vec<Integer>, Error> {
        let exponents: Vec<Integer> = exponents.iter().map(|chunk| product(chunk).into()).collect();
        let jobs = pairs(bases, &exponents)?.map(|(base, exponent)| Job { base, exponent, modulus: self.modulus });
        let watch = self.options.watch().map(|watch| Part { watch, before: self.done, bits, total: self.total });
        let options = self.options.with_watch(watch.as_ref().map(|watch| watch as &dyn Watch));
        let powers = pingala_core::pow_list(&jobs.collect::<Vec<_>>(), &options)?;
        powers.into_iter().map(|power| power.map(Integer::from)).collect()
    }

    /// Saves what was computed before a step failed. Error: that of the step, or `bad_file`.
    fn stopped<T>(&mut self, error: Error) -> Result<T, Error> {
        if let Some(file) = &mut self.file {
            file.save()?;
        }
        Err(error)
    }

    /// The last results are saved too. A disk that is full by now does not take them away.
    pub(crate) fn finish(mut self) -> Result<(), Error> {
        if let Some(file) = &mut self.file {
            let _ = file.save();
        }
        Ok(())
    }
}

impl Keeper {
    /// The next `count` results, if the file has them.
    fn next(&mut self, count: usize, modulus: &Modulus) -> Result<Option<Vec<Integer>>, Error> {
        let Some(replay) = &mut self.replay else { return Ok(None) };
        let Some(bytes) = replay.take(count * self.width)? else {
            self.replay = None;
            self.saved = Instant::now();
            return Ok(None);
        };
        let values = bytes.chunks_exact(self.width).map(|bytes| {
            let value = Natural::from_le_bytes(bytes);
            if value < *modulus.value() {
                Ok(value.into())
            } else {
                Err(bad(self.log.path(), "its numbers are out of their range"))
            }
        });
        values.collect::<Result<_, _>>().map(Some)
    }

    /// Takes results, and saves them when it is time.
    fn keep(&mut self, values: &[Integer]) -> Result<(), Error> {
        for value in values {
            let mut bytes = value.magnitude().to_le_bytes();
            bytes.resize(self.width, 0);
            self.unsaved.extend(bytes);
        }
        // A disk that is full for a while does not end a run of hours: the next time comes, and the last one counts.
        if self.saved.elapsed() >= self.every {
            let _ = self.save();
        }
        Ok(())
    }

    fn save(&mut self) -> Result<(), Error> {
        self.saved = Instant::now();
        if self.unsaved.is_empty() {
            return Ok(());
        }
        self.log.append(&[&self.unsaved])?;
        self.unsaved.clear();
        Ok(())
    }
}

/// The watch of one step.
struct Part<'w> {
    watch: &'w dyn Watch,
    before: u64,
    bits: u64,
    total: u64,
}

impl Watch for Part<'_> {
    fn stop(&self) -> bool {
        self.watch.stop()
    }

    fn progress(&self, finished: usize, total: usize) {
        let part = u128::from(self.bits) * finished as u128 / total.max(1) as u128;
        self.watch.progress((self.before + part as u64) as usize, self.total as usize);
    }
}
