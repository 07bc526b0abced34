//! Repeated squaring with a proof by Wesolowski.

mod buckets;
mod challenge;
mod checkpoint;
mod digits;
mod kept;
mod run;
mod sizes;
mod verify;

pub(crate) use self::verify::is_invertible;
pub use self::verify::{Refusal, SMALLEST_MODULUS_BITS, refusal, refusals, verify_squaring, verify_squaring_list};

use crate::log::Log;
use crate::squaring::kept::Kept;
use crate::squaring::sizes::Sizes;
use crate::squaring::verify::reduced;
use core::fmt;
use core::str::FromStr;
use core::time::Duration;
use pingala_core::{Error, Integer, Modulus, Natural, Options};
use std::path::PathBuf;

/// A proof that a number is base^(2^squarings) modulo m: [`verify_squaring`] reads it.
///
/// It is one number p = x^floor(2^(t - 1) / l) modulo m, or -p, whichever is smaller. l is the challenge, a prime of 256 bits that SHA-256 draws
/// from modulus, base, count and result; `challenge.rs` defines it. Without squarings p is 1. As text it is `wesolowski-v1:0x` and p in hexadecimal,
/// lower case, without leading zeros; no other text is read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SquaringProof {
    pub(crate) root: Natural,
}

/// What the text of a proof starts with.
const PREFIX: &str = "wesolowski-v1:";

impl SquaringProof {
    /// The proof with this number. Whether it holds is not asked here.
    pub fn new(root: Natural) -> Self {
        Self { root }
    }

    /// Its number.
    pub fn root(&self) -> &Natural {
        &self.root
    }

    /// The proof with this number or its negative modulo m.
    fn canonical(root: Natural, modulus: &Natural) -> Self {
        let negative = modulus - &root;
        Self { root: negative.min(root) }
    }
}

impl fmt::Display for SquaringProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{:#x}", self.root)
    }
}

impl FromStr for SquaringProof {
    type Err = Error;

    /// Reads the text that [`Display`](fmt::Display) writes. Error: `not_a_number`.
    fn from_str(text: &str) -> Result<Self, Error> {
        let wrong = |position, reason| Error::NotANumber { position, reason };
        let number = text.strip_prefix(PREFIX).ok_or(wrong(0, "expected a proof, wesolowski-v1:0x..."))?;
        let root: Natural = number.parse().map_err(|error| match error {
            Error::NotANumber { position, reason } => wrong(position + PREFIX.len(), reason),
            other => other,
        })?;
        let proof = Self { root };
        if proof.to_string() == text {
            Ok(proof)
        } else {
            Err(wrong(PREFIX.len(), "expected hexadecimal digits in lower case behind 0x, without leading zeros"))
        }
    }
}

/// base^(2^squarings) modulo m with a proof, as a job that can be stopped and resumed, also in another process.
///
/// ```
/// use pingala::{Integer, Modulus, Natural, Options};
/// use pingala_proofs::{ProvedSquaring, verify_squaring};
/// // RSA-2048 of the factoring challenge, whose factors nobody is known to have.
/// let modulus: Natural = "\
///     2519590847565789349402718324004839857142928212620403202777713783604366202070759555626401852588078440691829064124951508218929\
///     8559149176184502808489120072844992687392807287776735971418347270261896375014971824691165077613379859095700097330459748808428\
///     4017974291006424586918171951187461215151726546322822168699875491824224336372590851418654620435767984233871847744479207399342\
///     3658482382428119816381501067481045166037730605620161967625613384414360383390441495263443219011465754445417842402092461651572\
///     3350778707749817125772467962926386356373289912154831438167899885040445364023527381951378636564391212010397122822120720357".parse()?;
/// let modulus = Modulus::new(modulus)?;
/// let (base, options) = (Integer::from(3u64), Options::default());
/// let (result, proof) = ProvedSquaring::new(&modulus, &base, 1000)?.run(&options)?;
/// assert!(verify_squaring(&base, 1000, &modulus, &result, &proof, &options)?);
/// assert!(!verify_squaring(&base, 1001, &modulus, &result, &proof, &options)?);
/// # Ok::<(), pingala::Error>(())
/// ```
///
/// Residues are kept at equal distances while squaring, within a memory cap. When the result is known, and with it the challenge, they are
/// multiplied in buckets, on all threads [wesolowski2019efficient, 4.1]. A digit has k bits, every k s-th residue is kept: about t / k + s 2^(k + 1)
/// products, with k and s such that they are the fewest within the cap.
///
/// If all factors of the modulus are known and prime, power and proof are taken by the order of the group, and no squarings run. A proof shows nothing to
/// somebody who holds the factors, or trusts nobody who does.
pub struct ProvedSquaring {
    modulus: Modulus,
    base: Natural,
    squarings: u64,
    memory_bytes: u64,
    checkpoint: Option<Checkpoint>,
    state: State,
}

/// How much is done, without the numbers.
impl fmt::Debug for ProvedSquaring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (done, squarings, bits) = (self.done(), self.squarings, self.modulus.value().bits());
        write!(f, "<ProvedSquaring: {done} of {squarings} squarings modulo {bits} bits>")
    }
}

/// Bytes of residues, unless the caller says otherwise.
const MEMORY_BYTES: u64 = 64_000_000;

/// What a run has done.
#[derive(Debug)]
struct State {
    /// Chosen when the run begins.
    sizes: Option<Sizes>,
    kept: Kept,
    /// Squarings done, up to one less than the job has.
    done: u64,
    /// base^(2^done).
    residue: Natural,
    /// Tasks of the proof done.
    tasks_done: u64,
    /// Their product.
    root: Natural,
}

/// Where the state is kept.
#[derive(Debug)]
struct Checkpoint {
    path: PathBuf,
    every: Duration,
    /// Open from the beginning of the first run on.
    log: Option<Log>,
    /// Residues that are in the file.
    kept_saved: usize,
    /// Squarings that the last state in the file has.
    done_saved: u64,
}

impl ProvedSquaring {
    /// A job with no squaring done, of any count below 2^64.
    ///
    /// Errors: `bad_argument` for a modulus that is even or 1, `not_invertible` for a base that has a divisor in common with it.
    pub fn new(modulus: &Modulus, base: &Integer, squarings: u64) -> Result<Self, Error> {
        let m = modulus.value();
        if m.is_even() || m.is_one() {
            return Err(Error::BadArgument("proofs of squarings are for odd moduli above 1".into()));
        }
        let base = reduced(base, modulus)?;
        if !is_invertible(&base, modulus)? {
            return Err(Error::NotInvertible);
        }
        let state = State {
            sizes: None,
            kept: Kept::new(modulus),
            done: 0,
            residue: base.clone(),
            tasks_done: 0,
            root: Natural::from(1u64),
        };
        let memory_bytes = MEMORY_BYTES;
        Ok(Self { modulus: modulus.clone(), base, squarings, memory_bytes, checkpoint: None, state })
    }

    /// Lets residues take about this many bytes, but room for a few is always used; default 64 MB. The proof is the same whatever the cap is; with less
    /// memory it takes longer. The first run of a job decides: a cap that is set later, or for a checkpoint that exists, changes nothing.
    pub fn with_memory(mut self, bytes: u64) -> Self {
        self.memory_bytes = bytes;
        self
    }

    /// Number of squarings done.
    pub fn done(&self) -> u64 {
        self.state.done
    }

    /// Number of squarings of the job.
    pub fn squarings(&self) -> u64 {
        self.squarings
    }

    /// Runs to the end: the result and its proof, which is verified before it is given. The watch receives the number of squarings and then
    /// of digits of the proof, done and in all. Squarings use one thread, the proof all of them. Of a plan only a kernel can be forced.
    ///
    /// Errors: `interrupted`, with the state kept in this job and in its checkpoint; `bad_plan`; `bad_file`, if the checkpoint cannot be
    /// written at the start or when the run is stopped; `fault`, if the proof does not hold: the processor or the memory made an error.
    pub fn run(&mut self, options: &Options<'_>) -> Result<(Natural, SquaringProof), Error> {
        run::run(self, options)
    }
}
