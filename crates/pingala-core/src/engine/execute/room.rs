//! Memory for one call: on the stack if it is short, otherwise from the heap, which may refuse.

use crate::error::Error;

/// Zeros for the registers of a run. Error: `bad_plan` if the system does not have the memory.
pub(crate) fn zeroed(n_words: usize) -> Result<Vec<u64>, Error> {
    let mut words = Vec::new();
    reserve(&mut words, n_words)?;
    words.resize(n_words, 0);
    Ok(words)
}

/// Makes room for `length` elements in all. Error: `bad_plan` if the system does not have the memory.
pub(crate) fn reserve<T>(elements: &mut Vec<T>, length: usize) -> Result<(), Error> {
    elements.try_reserve_exact(length - elements.len()).map_err(|_| {
        let bytes = length.saturating_mul(size_of::<T>());
        Error::BadPlan(format!("the plan takes {bytes} bytes, which the system does not have"))
    })
}

/// Bytes that every process is taken to have.
const FEW_BYTES: u64 = 1 << 24;

/// Asks whether the system has memory for numbers of so many bytes in all, for a caller that is about to make one after the other: where it
/// has none, making one would end the process. Nothing is kept, and up to 2^24 bytes nothing is asked.
///
/// Error: `bad_argument`.
pub fn has_memory(bytes: u64) -> Result<(), Error> {
    if bytes <= FEW_BYTES {
        return Ok(());
    }
    let mut room = Vec::<u8>::new();
    let is_there = usize::try_from(bytes).is_ok_and(|bytes| room.try_reserve_exact(bytes).is_ok());
    // Memory that nobody looks at need not be asked for.
    core::hint::black_box(&mut room);
    if is_there { Ok(()) } else { Err(Error::BadArgument(format!("there is no memory for numbers of {bytes} bytes"))) }
}

/// [`has_memory`] for results modulo numbers of these lengths in bits.
#[inline]
pub(crate) fn has_memory_for_results(bits: impl Iterator<Item = u64>) -> Result<(), Error> {
    // No list in memory has so many elements that the sum of their lengths overflows.
    has_memory(bits.map(|bits| bits.div_ceil(8)).sum())
}

/// Binds `$room` to `$length` elements `$zero`: on the stack if they are at most `$few` or at most `$some`, otherwise on the heap. Only the
/// smaller size that fits is cleared, and nothing is moved, because both are measurable in short calls.
///
/// With `?` behind the brackets the heap may refuse, and the function gives that error.
macro_rules! stack_or_heap {
    ($room:ident = [0; $length:expr]?, $few:expr, $some:expr) => {
        let length = $length;
        stack_or_heap!(@ $room, 0, length, $few, $some, $crate::engine::execute::room::zeroed(length)?);
    };
    ($room:ident = [$zero:expr; $length:expr], $few:expr, $some:expr) => {
        let length = $length;
        stack_or_heap!(@ $room, $zero, length, $few, $some, vec![$zero; length]);
    };
    (@ $room:ident, $zero:expr, $length:ident, $few:expr, $some:expr, $heap:expr) => {
        let (mut few, mut some, mut many);
        let $room = if $length <= $few {
            few = [$zero; $few];
            &mut few[..$length]
        } else if $length <= $some {
            some = [$zero; $some];
            &mut some[..$length]
        } else {
            many = $heap;
            &mut many[..]
        };
    };
}
pub(crate) use stack_or_heap;
