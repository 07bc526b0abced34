//! Accumulators: g to the product of a set of numbers, and a witness for each of them: g to the product of all others
//! \[benaloh1994oneway\].

mod checkpoint;
mod tree;
mod verify;

pub use self::verify::{failing_witnesses, verify_witnesses};

use crate::accumulator::checkpoint::Steps;
use crate::accumulator::tree::{Node, product};
use crate::log::Log;
use core::fmt;
use core::time::Duration;
use pingala_core::{Error, Integer, Limits, Modulus, Natural, Options, has_memory};
use std::path::Path;

/// g to the product of the exponents, modulo m: the accumulator of the set. Modulo 1 it is 0; of no exponents it is g mod m.
///
/// Errors: `too_long` for an exponent above the limit of the options, which holds for each exponent and not for the product;
/// `bad_plan`, `interrupted`.
pub fn accumulate(
    g: &Integer,
    exponents: &[Natural],
    modulus: &Modulus,
    options: &Options<'_>,
) -> Result<Natural, Error> {
    check_exponents(exponents, options)?;
    let mut power = modulus.pow(g, &Integer::from(1u64))?;
    let options = unlimited(options);
    let chunk_bits = tree::chunk_bits(modulus);
    let mut rest = exponents;
    while !rest.is_empty() {
        go_on(&options)?;
        let (chunk, after) = rest.split_at(chunk_length(rest, chunk_bits));
        power = modulus.pow_with(&power.into(), &product(chunk).into(), &options)?;
        rest = after;
    }
    Ok(power)
}

/// The witness of each exponent: g to the product of all others, modulo m, in the order of the exponents. A [`Witnesses`] has a memory cap, a
/// checkpoint and an estimate.
///
/// ```
/// use pingala::{Integer, Modulus, Natural, Options};
/// use pingala_proofs::{accumulate, verify_witnesses, witnesses};
/// let (modulus, options) = (Modulus::new(Natural::from(1009u64 * 2003))?, Options::default());
/// let (g, exponents) = (Integer::from(65537u64), [3u64, 5, 7, 11].map(Natural::from));
/// let of_all = accumulate(&g, &exponents, &modulus, &options)?;
/// let found = witnesses(&g, &exponents, &modulus, &options)?;
/// assert_eq!(modulus.pow(&found[2].clone().into(), &Integer::from(7u64))?, of_all);
/// assert!(verify_witnesses(&of_all, &exponents, &found, &modulus, &options)?);
/// # Ok::<(), pingala::Error>(())
/// ```
///
/// Errors: those of [`Witnesses::run`].
pub fn witnesses(
    g: &Integer,
    exponents: &[Natural],
    modulus: &Modulus,
    options: &Options<'_>,
) -> Result<Vec<Natural>, Error> {
    Witnesses::new(g, exponents, modulus)?.run(options)
}

/// The witnesses of the old elements after `added` were added to the set: each to the product of the new ones. The new elements
/// take theirs from [`witnesses`] of `added`, with the old accumulator in place of g.
///
/// Errors: as [`accumulate`].
pub fn update_witnesses(
    witnesses: &[Natural],
    added: &[Natural],
    modulus: &Modulus,
    options: &Options<'_>,
) -> Result<Vec<Natural>, Error> {
    check_exponents(added, options)?;
    let options = unlimited(options);
    let chunk_bits = tree::chunk_bits(modulus);
    has_memory((witnesses.len() as u64).saturating_mul(2 * modulus.value().bits().div_ceil(8)))?;
    let mut values: Vec<Integer> = witnesses.iter().cloned().map(Integer::from).collect();
    let mut rest = added;
    // At least one power, so that the results are reduced.
    loop {
        go_on(&options)?;
        let (chunk, after) = rest.split_at(chunk_length(rest, chunk_bits));
        let powers = modulus.pow_base_list(&values, &product(chunk).into(), &options)?;
        values = powers.into_iter().map(|power| power.map(Integer::from)).collect::<Result<_, _>>()?;
        rest = after;
        if rest.is_empty() {
            return Ok(values.into_iter().map(Integer::into_magnitude).collect());
        }
    }
}

/// The witnesses of a set as a job with a memory cap, which can be stopped and resumed, also in another process.
///
/// A product tree: a node of the elements i to j holds g to the product of all elements but these. Its children take the powers by each
/// other's elements \[sander2000blind\]. n elements of k bits take about n k log2(n) squarings. The powers of one level
/// run as lists, in lanes and on all threads.
pub struct Witnesses<'a> {
    modulus: &'a Modulus,
    base: Natural,
    exponents: &'a [Natural],
    memory_bytes: u64,
    log: Option<(Log, Duration)>,
}

/// How many, without the numbers.
impl fmt::Debug for Witnesses<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<Witnesses of {} elements modulo {} bits>", self.exponents.len(), self.modulus.value().bits())
    }
}

/// Bytes that values may take besides the results, unless the caller says otherwise.
const MEMORY_BYTES: u64 = 1 << 30;

impl<'a> Witnesses<'a> {
    /// A job of which nothing is done. Nothing is refused here but what the library refuses of each number.
    pub fn new(g: &Integer, exponents: &'a [Natural], modulus: &'a Modulus) -> Result<Self, Error> {
        let base = modulus.pow(g, &Integer::from(1u64))?;
        Ok(Self { modulus, base, exponents, memory_bytes: MEMORY_BYTES, log: None })
    }

    /// Lets the values of the tree take about this many bytes besides the exponents and the results; default 2^30. A level that would
    /// take more is computed in parts, one after another. A run that is resumed obeys the cap of its beginning.
    pub fn with_memory(mut self, bytes: u64) -> Self {
        self.memory_bytes = bytes;
        self
    }

    /// Makes [`Witnesses::run`] keep what it has computed in a file: when the interval `every` has passed since it was last written, when the
    /// run is stopped, and at the end. If the file exists, the run resumes from it. The file grows to about twice the bytes of the
    /// results. A crash loses what was computed since it was last written.
    ///
    /// Errors: `bad_file` for a file that cannot be read or written, is damaged, is in use, or belongs to another job.
    pub fn with_checkpoint(mut self, path: &Path, every: Duration) -> Result<Self, Error> {
        let (log, memory_bytes) = checkpoint::open(&self, path)?;
        (self.log, self.memory_bytes) = (Some((log, every)), memory_bytes);
        Ok(self)
    }

    /// The seconds that the whole run is expected to take with these options, by the prices of this machine.
    ///
    /// Errors: `bad_plan`, `interrupted`.
    pub fn seconds(&self, options: &Options<'_>) -> Result<f64, Error> {
        let options = unlimited(options);
        // Bases as long as the modulus, and all different: powers of one base would share work.
        let m = self.modulus.value();
        let base = |index: usize| Integer::from(m - Natural::from(1 + index as u64).min(m.clone()));
        tree::levels(self.exponents).into_iter().try_fold(0.0, |seconds, level| {
            let bits = level.bits.div_ceil(level.powers.max(1) as u64).min(tree::chunk_bits(self.modulus));
            let count = level.powers.min(256);
            let exponent = Integer::from(half_weight(bits));
            let bases: Vec<Integer> = (0..count).map(base).collect();
            let list = self.modulus.explain_base_list(&bases, &exponent, &options)?;
            Ok(seconds + list.seconds() * level.bits as f64 / (bits.max(1) * count.max(1) as u64) as f64)
        })
    }

    /// The witnesses, in the order of the exponents. The watch receives bits of exponents, done and in all.
    ///
    /// Errors: `interrupted`; `too_long` for an exponent above the limit of the options; `bad_plan`; `bad_file`, if the checkpoint
    /// cannot be written when the run is stopped.
    pub fn run(self, options: &Options<'_>) -> Result<Vec<Natural>, Error> {
        check_exponents(self.exponents, options)?;
        if self.exponents.is_empty() {
            return Ok(Vec::new());
        }
        has_memory((self.exponents.len() as u64).saturating_mul(self.modulus.value().bits().div_ceil(8)))?;
        let root = Node { from: 0, to: self.exponents.len(), value: self.base.into() };
        let total: u64 = tree::levels(self.exponents).iter().map(|level| level.bits).sum();
        let steps = Steps::new(self.modulus, unlimited(options), total, self.log)?;
        tree::descend(root, self.exponents, self.memory_bytes, steps)
    }
}

/// An exponent of this many bits of which every other one is set.
fn half_weight(bits: u64) -> Natural {
    let mut bytes = vec![0x55; bits.div_ceil(8) as usize];
    if let Some(top) = bytes.last_mut() {
        *top = 0x80 >> (7 - (bits.max(1) - 1) % 8);
    }
    Natural::from_le_bytes(&bytes)
}

/// Error: `too_long` at the first exponent above the limit.
fn check_exponents(exponents: &[Natural], options: &Options<'_>) -> Result<(), Error> {
    let cap = options.limits().exponent_bits;
    let long = exponents.iter().enumerate().find(|(_, exponent)| exponent.bits() > cap);
    long.map_or(Ok(()), |(index, exponent)| {
        let error = Error::TooLong { what: "exponent", length: exponent.bits(), cap };
        Err(Error::At { index, error: error.into() })
    })
}

/// The options without a limit on exponents: those of the caller were checked, and products of them are the job's own.
fn unlimited<'o>(options: &Options<'o>) -> Options<'o> {
    options.with_limits(Limits::new(options.limits().modulus_bits, u64::MAX))
}

/// Error: `interrupted` if the watch says stop.
fn go_on(options: &Options<'_>) -> Result<(), Error> {
    if options.watch().is_some_and(|watch| watch.stop()) { Err(Error::Interrupted) } else { Ok(()) }
}

/// Bits of exponents that one step takes: about a second of one thread.
fn step_bits(modulus: &Modulus) -> u64 {
    const WORD_PRODUCTS: u64 = 1 << 32;
    let words = modulus.value().bits().div_ceil(64);
    (WORD_PRODUCTS / (words * words)).clamp(1 << 12, 1 << 26)
}

/// How many of the exponents, at least one if there are any, have a product of about `bits` bits.
fn chunk_length(exponents: &[Natural], bits: u64) -> usize {
    let mut sum = 0u64;
    let fits = exponents.iter().take_while(|exponent| {
        sum += exponent.bits();
        sum <= bits
    });
    fits.count().max(1).min(exponents.len())
}
