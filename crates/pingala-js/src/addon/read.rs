//! Values of JavaScript in.

use super::{Env, Failure, Value, check};
use crate::handle;
use crate::request::{MOST_BYTES, NUMBER_BYTES, Request, no_memory};
use napi_sys as sys;
use pingala_core::{Error, Integer, Natural};
use smallvec::SmallVec;
use std::cell::Cell;
use std::ptr::null_mut;
use zeroize::Zeroizing;

/// Words that are read without memory of their own: 1,024 bits.
const INLINE: usize = 16;

/// The words of a BigInt, the lowest first, and its sign.
#[derive(Debug)]
pub(super) struct Words {
    negative: bool,
    words: SmallVec<[u64; INLINE]>,
}

impl Words {
    /// Error: `too_long`, before memory is taken.
    pub(super) fn read(env: Env, value: Value) -> Result<Self, Failure> {
        let (mut sign, mut count, mut words) = (0, INLINE, SmallVec::<[u64; INLINE]>::from([0; INLINE]));
        // SAFETY: `words` has room for `count` words; `env` and `value` are those of the call.
        check(unsafe { sys::napi_get_value_bigint_words(env.0, value, &mut sign, &mut count, words.as_mut_ptr()) })?;
        if count > INLINE {
            let (length, cap) = (count as u64 * 64, NUMBER_BYTES as u64 * 8);
            if length > cap {
                return Err(Error::TooLong { what: "number", length, cap }.into());
            }
            words.resize(count, 0);
            // SAFETY: as above.
            check(unsafe {
                sys::napi_get_value_bigint_words(env.0, value, &mut sign, &mut count, words.as_mut_ptr())
            })?;
        }
        words.truncate(count);
        Ok(Self { negative: sign != 0, words })
    }

    /// The number, if it fits in a word and is not negative.
    #[inline]
    pub(super) fn word(&self) -> Option<u64> {
        match self.words[..] {
            _ if self.negative => None,
            [] => Some(0),
            [word] => Some(word),
            _ => None,
        }
    }

    pub(super) fn is_negative(&self) -> bool {
        self.negative
    }

    pub(super) fn integer(&self) -> Integer {
        Integer::new(self.negative, Natural::from_limbs(&self.words))
    }
}

/// A Number.
pub(super) fn number(env: Env, value: Value) -> Result<f64, Failure> {
    let mut number = 0.0;
    // SAFETY: `env` and `value` are those of the call.
    check(unsafe { sys::napi_get_value_double(env.0, value, &mut number) })?;
    Ok(number)
}

/// The elements of an array, each read in a scope of its own, so that long lists leave no handles behind.
fn elements<T>(env: Env, array: Value, read: impl Fn(Value) -> Result<T, Failure>) -> Result<Vec<T>, Failure> {
    let mut count = 0;
    // SAFETY: `env` and `array` are those of the call.
    check(unsafe { sys::napi_get_array_length(env.0, array, &mut count) })?;
    let mut all = Vec::new();
    if all.try_reserve_exact(count as usize).is_err() {
        return Err(Error::BadArgument("there is no memory for the list".into()).into());
    }
    for index in 0..count {
        let (mut scope, mut value) = (null_mut(), null_mut());
        // SAFETY: `env` is that of the call, and the scope is closed below.
        check(unsafe { sys::napi_open_handle_scope(env.0, &mut scope) })?;
        // SAFETY: as above.
        let found = check(unsafe { sys::napi_get_element(env.0, array, index, &mut value) });
        let element = found.and_then(|()| read(value));
        // SAFETY: the scope that was opened last; nothing of it is used after this.
        check(unsafe { sys::napi_close_handle_scope(env.0, scope) })?;
        all.push(element?);
    }
    Ok(all)
}

/// The bytes that the numbers of a call may still take: a list may have one number often, and each becomes a copy.
struct Room(Cell<usize>);

impl Room {
    /// Error: `bad_argument` if there is no more of it.
    fn take(&self, bytes: usize) -> Result<(), Failure> {
        self.0.set(self.0.get().checked_sub(bytes).ok_or_else(no_memory)?);
        Ok(())
    }
}

/// A copy of the bytes of a Uint8Array. The package refuses shared memory, which another thread may change meanwhile.
fn copied(env: Env, value: Value, cap: usize, room: &Room) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let (mut kind, mut length, mut data) = (0, 0, null_mut());
    // SAFETY: `env` and `value` are those of the call, and Node-API fails unless `value` is a typed array.
    check(unsafe {
        sys::napi_get_typedarray_info(env.0, value, &mut kind, &mut length, &mut data, null_mut(), null_mut())
    })?;
    if kind != sys::TypedarrayType::uint8_array {
        return Err(Failure::Refused);
    }
    if length > cap {
        return Err(Error::TooLong { what: "number", length: length as u64 * 8, cap: cap as u64 * 8 }.into());
    }
    room.take(length)?;
    let mut bytes = Zeroizing::new(Vec::new());
    if bytes.try_reserve_exact(length).is_err() {
        return Err(no_memory().into());
    }
    if length > 0 {
        // SAFETY: Node-API says that `length` bytes are there, and no code of JavaScript runs before this returns.
        bytes.extend_from_slice(unsafe { std::slice::from_raw_parts(data.cast(), length) });
    }
    Ok(bytes)
}

/// A text. What is no UTF-16 becomes U+FFFD.
fn text(env: Env, value: Value) -> Result<String, Failure> {
    let mut length = 0;
    // SAFETY: `env` and `value` are those of the call; without a place for the text Node-API gives its length.
    check(unsafe { sys::napi_get_value_string_utf8(env.0, value, null_mut(), 0, &mut length) })?;
    let mut bytes = vec![0u8; length + 1];
    // SAFETY: as above, with room for the text and the zero byte at its end.
    check(unsafe {
        sys::napi_get_value_string_utf8(env.0, value, bytes.as_mut_ptr().cast(), bytes.len(), &mut length)
    })?;
    bytes.truncate(length);
    String::from_utf8(bytes).map_err(|_| Failure::Refused)
}

/// A number: a BigInt, or a Uint8Array with the highest byte first.
fn integer(env: Env, value: Value, room: &Room) -> Result<Integer, Failure> {
    let mut kind = 0;
    // SAFETY: `env` and `value` are those of the call.
    check(unsafe { sys::napi_typeof(env.0, value, &mut kind) })?;
    if kind == sys::ValueType::napi_bigint {
        let words = Words::read(env, value)?;
        room.take(8 * words.words.len())?;
        return Ok(words.integer());
    }
    Ok(Natural::from_be_bytes(&copied(env, value, NUMBER_BYTES, room)?).into())
}

/// A request, and whether its numbers go back as bytes.
pub(super) fn request(env: Env, arguments: [Value; 7]) -> Result<(Request, bool), Failure> {
    let [operation, handle, form, numbers, settings, bytes, texts] = arguments;
    let room = &Room(Cell::new(MOST_BYTES));
    let request = Request {
        operation: number(env, operation)? as u32,
        subject: handle::find(number(env, handle)? as u32)?,
        numbers: elements(env, numbers, |list| elements(env, list, |value| integer(env, value, room)))?,
        settings: elements(env, settings, |value| Ok(number(env, value)? as u64))?,
        texts: elements(env, texts, |value| text(env, value))?,
        bytes: elements(env, bytes, |value| copied(env, value, usize::MAX, room))?,
    };
    Ok((request, number(env, form)? != 0.0))
}
