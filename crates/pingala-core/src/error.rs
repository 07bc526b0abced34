//! One error type for every interface. The code is stable; the sentence may improve.

use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;

/// What can go wrong. Every binding shows [`Error::code`] and the `Display` sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// Text that is not a number; `position` is the byte where reading stopped.
    NotANumber {
        /// Byte offset in the text.
        position: usize,
        /// What was expected or found there.
        reason: &'static str,
    },
    /// A length beyond its limit, refused before memory is allocated.
    TooLong {
        /// `modulus`, `exponent`, `number` or `text`.
        what: &'static str,
        /// The length, in bits (in bytes for text).
        length: u64,
        /// The limit, in the same unit.
        cap: u64,
    },
    /// The modulus is 0.
    ZeroModulus,
    /// The modulus is negative, which this call does not accept.
    NegativeModulus,
    /// The exponent is negative, and the base has no inverse modulo the modulus.
    NotInvertible,
    /// The given factors do not fit the modulus.
    WrongFactors(String),
    /// A plan or kernel that is not valid, or does not fit the problem, this CPU or a secret.
    BadPlan(String),
    /// A secret exponent that is negative, or wider than declared.
    BadSecret(&'static str),
    /// Arguments whose lengths differ, or a setting out of range.
    BadArgument(String),
    /// The caller asked to stop.
    Interrupted,
    /// A result failed its check and was not released.
    Fault(&'static str),
    /// A file that cannot be read or written, or has unexpected content.
    BadFile {
        /// The file as it was named.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The error of one element of a list.
    At {
        /// Index in the list, from 0.
        index: usize,
        /// What went wrong there.
        error: Box<Error>,
    },
}

impl Error {
    /// Of two errors of a row a modulus of 0 is the first: returns this error of a number that was refused for its length before it was
    /// read, or `zero_modulus` if the modulus of its row is 0.
    // Not promised: it keeps the order of errors alike in our crates.
    #[doc(hidden)]
    pub fn unless_modulus_is_zero(self, is_zero: impl FnOnce() -> bool) -> Self {
        match self {
            Error::TooLong { what, .. } if what != "modulus" && is_zero() => Error::ZeroModulus,
            error => error,
        }
    }

    /// A stable name for programs to match on.
    pub fn code(&self) -> &'static str {
        match self {
            Error::NotANumber { .. } => "not_a_number",
            Error::TooLong { .. } => "too_long",
            Error::ZeroModulus => "zero_modulus",
            Error::NegativeModulus => "negative_modulus",
            Error::NotInvertible => "not_invertible",
            Error::WrongFactors(_) => "wrong_factors",
            Error::BadPlan(_) => "bad_plan",
            Error::BadSecret(_) => "bad_secret",
            Error::BadArgument(_) => "bad_argument",
            Error::Interrupted => "interrupted",
            Error::Fault(_) => "fault",
            Error::BadFile { .. } => "bad_file",
            Error::At { error, .. } => error.code(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NotANumber { position, reason } => write!(f, "not a number: {reason} at byte {position}"),
            Error::TooLong { what, length, cap } => {
                let unit = if *what == "text" { "bytes" } else { "bits" };
                write!(f, "{what} of {length} {unit} is over the cap of {cap}")
            }
            Error::ZeroModulus => write!(f, "zero modulus"),
            Error::NegativeModulus => write!(f, "negative modulus"),
            Error::NotInvertible => write!(f, "base is not invertible for the given modulus"),
            Error::WrongFactors(why) => write!(f, "wrong factors: {why}"),
            Error::BadPlan(why) => write!(f, "bad plan: {}", shortened(why)),
            Error::BadSecret(why) => write!(f, "bad secret: {why}"),
            Error::BadArgument(why) => write!(f, "bad argument: {}", shortened(why)),
            Error::Interrupted => write!(f, "interrupted"),
            Error::Fault(why) => write!(f, "fault: {why}"),
            Error::BadFile { path, reason } => write!(f, "bad file {path}: {reason}"),
            Error::At { index, error } => write!(f, "element {index}: {error}"),
        }
    }
}

/// Pairs the elements of two sequences that belong together: plans and parts, results and rows.
///
/// Error: `fault` if they differ in length. `Iterator::zip` would leave out the rest of the longer one without a word, and a result that
/// is left out looks like a result.
pub fn pairs<A, B>(one: A, other: B) -> Result<core::iter::Zip<A::IntoIter, B::IntoIter>, Error>
where
    A: IntoIterator<IntoIter: ExactSizeIterator>,
    B: IntoIterator<IntoIter: ExactSizeIterator>,
{
    let (one, other) = (one.into_iter(), other.into_iter());
    if one.len() == other.len() {
        Ok(one.zip(other))
    } else {
        Err(Error::Fault("sequences that belong together differ in length"))
    }
}

/// A message that quotes its input, shortened.
fn shortened(why: &str) -> alloc::borrow::Cow<'_, str> {
    const EACH_END: usize = 200;
    let n_chars = why.chars().count();
    if n_chars <= 2 * EACH_END {
        return why.into();
    }
    let head = why.chars().take(EACH_END);
    head.chain(" ... ".chars()).chain(why.chars().skip(n_chars - EACH_END)).collect::<String>().into()
}

impl core::error::Error for Error {}
