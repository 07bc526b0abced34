//! A call as both borders read it, and its answer as both write it.

use crate::handle::Handle;
use pingala_core::{Error, Integer, Limits, Natural, Options, Watch};
use std::num::NonZeroUsize;
#[cfg(not(target_arch = "wasm32"))]
use std::time::Duration;
use std::time::Instant;
use zeroize::Zeroizing;

/// Most bytes of one number: exponents of 2^26 bits, and moduli are shorter. The package refuses longer ones first.
pub(crate) const NUMBER_BYTES: usize = 1 << 23;

/// Most bytes of the numbers of a call, and of those of its answer: js/src/number.js has the same. The engines of JavaScript end the process
/// where their heap is full.
#[cfg(any(feature = "all-operations", not(target_arch = "wasm32")))]
pub(crate) const MOST_BYTES: usize = 1 << 30;

/// The error of a call whose numbers, or results, take more.
pub(crate) fn no_memory() -> Error {
    Error::BadArgument("there is no memory for this call".into())
}

/// A call: what is done, and its arguments.
#[derive(Debug)]
pub(crate) struct Request {
    /// One of the operations of `calls/mod.rs`.
    pub(crate) operation: u32,
    /// The object whose method is called.
    pub(crate) subject: Option<Handle>,
    /// Lists of numbers.
    pub(crate) numbers: Vec<Vec<Integer>>,
    /// Threads, the longest exponent in bits, whether not to blind, the longest modulus in bits, bytes of memory, milliseconds until the call
    /// ends; then those of the operation. 0 is the default.
    pub(crate) settings: Vec<u64>,
    /// A kernel and a plan line, of which each may be missing or empty.
    pub(crate) texts: Vec<String>,
    /// Secrets, keys, messages, files.
    pub(crate) bytes: Vec<Zeroizing<Vec<u8>>>,
}

/// Settings that every operation has.
const COMMON: usize = 6;

#[cfg_attr(not(feature = "all-operations"), allow(dead_code))]
impl Request {
    /// A list of numbers.
    pub(crate) fn list(&self, at: usize) -> Result<&[Integer], Error> {
        self.numbers.get(at).map(Vec::as_slice).ok_or_else(|| missing("list", at))
    }

    /// A number of the first list.
    pub(crate) fn number(&self, at: usize) -> Result<&Integer, Error> {
        self.list(0)?.get(at).ok_or_else(|| missing("number", at))
    }

    /// The number of a list of one.
    pub(crate) fn only(&self, at: usize) -> Result<&Integer, Error> {
        self.list(at)?.first().ok_or_else(|| missing("number", at))
    }

    /// A number of the first list that may not be negative.
    pub(crate) fn natural(&self, at: usize) -> Result<&Natural, Error> {
        not_negative(self.number(at)?)
    }

    /// Some bytes.
    pub(crate) fn bytes(&self, at: usize) -> Result<&[u8], Error> {
        self.bytes.get(at).map(|bytes| bytes.as_slice()).ok_or_else(|| missing("bytes", at))
    }

    /// A setting of the operation.
    pub(crate) fn setting(&self, at: usize) -> Result<u64, Error> {
        self.settings.get(COMMON + at).copied().ok_or_else(|| missing("setting", at))
    }

    /// The settings of the operation.
    pub(crate) fn own_settings(&self) -> &[u64] {
        self.settings.get(COMMON..).unwrap_or_default()
    }

    /// Bytes of memory, if they are set.
    pub(crate) fn memory(&self) -> Option<u64> {
        self.settings.get(4).copied().filter(|&bytes| bytes > 0)
    }

    /// The settings that every operation has. A time-out counts from now on; in WebAssembly the host counts it.
    pub(crate) fn options<'a>(&'a self, watch: Option<&'a dyn Watch>) -> Options<'a> {
        let set = |at: usize| self.settings.get(at).copied().filter(|&set| set > 0);
        let text = |at: usize| self.texts.get(at).map(String::as_str).filter(|text| !text.is_empty());
        let default = Limits::default();
        let limits = Limits::new(set(3).unwrap_or(default.modulus_bits), set(1).unwrap_or(default.exponent_bits));
        Options::default()
            .with_threads(set(0).and_then(|threads| NonZeroUsize::new(threads as usize)))
            .with_limits(limits)
            .with_blinding(set(2).is_none())
            .with_memory_bytes(self.memory())
            .with_kernel(text(0))
            .with_plan(text(1))
            .with_deadline(set(5).and_then(deadline))
            .with_watch(watch)
    }
}

/// The end of a call that begins now.
#[cfg(not(target_arch = "wasm32"))]
fn deadline(milliseconds: u64) -> Option<Instant> {
    Instant::now().checked_add(Duration::from_millis(milliseconds))
}

/// The module has no clock.
#[cfg(target_arch = "wasm32")]
fn deadline(_: u64) -> Option<Instant> {
    None
}

/// The package makes complete requests; an incomplete one comes from elsewhere.
pub(crate) fn missing(what: &str, at: usize) -> Error {
    Error::BadArgument(format!("the request has no {what} {at}"))
}

/// Error: `bad_argument` for a negative number.
pub(crate) fn not_negative(number: &Integer) -> Result<&Natural, Error> {
    if number.is_negative() {
        return Err(Error::BadArgument("a number is negative, and only 0 and greater ones are allowed here".into()));
    }
    Ok(number.magnitude())
}

/// What a call returns.
#[derive(Debug)]
#[cfg_attr(not(feature = "all-operations"), allow(dead_code))]
pub(crate) enum Answer {
    /// A number; as bytes it has this length.
    Number(Natural, usize),
    /// A number or an error for each element, with the length of each number as bytes.
    Numbers(Vec<Result<Natural, Error>>, Widths),
    Handle(Handle),
    Text(String),
    Bytes(Zeroizing<Vec<u8>>),
    /// Several of these.
    ManyBytes(Vec<Zeroizing<Vec<u8>>>),
    /// A small number for each element.
    Small(Vec<i32>),
}

/// How long the numbers of a list are as bytes.
#[derive(Debug)]
#[cfg_attr(not(feature = "all-operations"), allow(dead_code))]
pub(crate) enum Widths {
    All(usize),
    Each(Vec<usize>),
}

impl Widths {
    pub(crate) fn of(&self, index: usize) -> usize {
        match self {
            Widths::All(width) => *width,
            Widths::Each(widths) => widths.get(index).copied().unwrap_or_default(),
        }
    }
}

/// The bytes that hold every residue modulo a number.
pub(crate) fn width(modulus: &Natural) -> usize {
    modulus.bits().div_ceil(8) as usize
}

/// Error: `bad_argument` if so many results modulo numbers of these lengths in bytes are more than [`MOST_BYTES`].
#[cfg(feature = "all-operations")]
pub(crate) fn results_fit(widths: impl IntoIterator<Item = usize>) -> Result<(), Error> {
    let mut left = MOST_BYTES;
    widths.into_iter().try_for_each(|width| {
        left = left.checked_sub(width).ok_or_else(no_memory)?;
        Ok(())
    })
}

/// The index of an error in its list, and the error itself.
pub(crate) fn index_and_error(error: &Error) -> (Option<usize>, &Error) {
    match error {
        Error::At { index, error } => (Some(*index), error),
        other => (None, other),
    }
}
