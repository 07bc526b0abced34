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
