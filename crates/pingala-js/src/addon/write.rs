//! Answers and errors out.

use super::{Env, Failure, Value, check};
use crate::handle;
use crate::request::{Answer, index_and_error};
use napi_sys as sys;
use pingala_core::{Error, Natural};
use std::ptr::{null, null_mut};

/// Defines a function that makes a value by one function of Node-API.
macro_rules! makes {
    ($($(#[$doc:meta])* $name:ident($($argument:ident: $type:ty),*) by $function:ident($($given:expr),*);)*) => {
        $($(#[$doc])*
        pub(super) fn $name(env: Env, $($argument: $type),*) -> Result<Value, Failure> {
            let mut value = null_mut();
            // SAFETY: `env` is that of the call; pointers come with the length of what they point to.
            check(unsafe { sys::$function(env.0, $($given,)* &mut value) })?;
            Ok(value)
        })*
    };
}

makes! {
    /// `undefined`.
    undefined() by napi_get_undefined();
    /// A Number.
    number(number: f64) by napi_create_double(number);
    /// A BigInt that is not negative.
    words(words: &[u64]) by napi_create_bigint_words(0, words.len(), words.as_ptr());
    /// Text.
    text(text: &str) by napi_create_string_utf8(text.as_ptr().cast(), text.len() as isize);
    /// An array.
    array(length: usize) by napi_create_array_with_length(length);
    /// An Error with its message, and a code.
    error_of(code: Value, message: Value) by napi_create_error(code, message);
}

/// A Uint8Array.
fn bytes(env: Env, bytes: &[u8]) -> Result<Value, Failure> {
    let (mut data, mut buffer, mut array) = (null_mut(), null_mut(), null_mut());
    // SAFETY: `env` is that of the call.
    check(unsafe { sys::napi_create_arraybuffer(env.0, bytes.len(), &mut data, &mut buffer) })?;
    if !bytes.is_empty() {
        // SAFETY: the new buffer has that many bytes, and nobody else has seen it.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), data.cast(), bytes.len()) };
    }
    let kind = sys::TypedarrayType::uint8_array;
    // SAFETY: the array covers the whole buffer.
    check(unsafe { sys::napi_create_typedarray(env.0, kind, bytes.len(), buffer, 0, &mut array) })?;
    Ok(array)
}

/// A BigInt, or bytes of this length.
fn natural(env: Env, value: &Natural, width: Option<usize>) -> Result<Value, Failure> {
    match width {
        None => words(env, value.limbs()),
        Some(width) => {
            let padded = value.to_be_bytes_padded(width).ok_or(Error::Fault("a result longer than its modulus"))?;
            bytes(env, &padded)
        }
    }
}

/// An array, each element made in a scope of its own.
fn list<T>(
    env: Env,
    elements: impl ExactSizeIterator<Item = T>,
    make: impl Fn(usize, T) -> Result<Value, Failure>,
) -> Result<Value, Failure> {
    let all = array(env, elements.len())?;
    for (index, element) in elements.enumerate() {
        let mut scope = null_mut();
        // SAFETY: `env` is that of the call, and the scope is closed below.
        check(unsafe { sys::napi_open_handle_scope(env.0, &mut scope) })?;
        let value = make(index, element);
        // SAFETY: `all` and the element are values of this call.
        let set = value.and_then(|value| check(unsafe { sys::napi_set_element(env.0, all, index as u32, value) }));
        // SAFETY: the scope that was opened last; the array keeps the element.
        check(unsafe { sys::napi_close_handle_scope(env.0, scope) })?;
        set?;
    }
    Ok(all)
}

/// What a call returns.
pub(super) fn answer(env: Env, answer: Answer, as_bytes: bool) -> Result<Value, Failure> {
    match answer {
        Answer::Number(value, width) => natural(env, &value, as_bytes.then_some(width)),
        Answer::Numbers(values, widths) => list(env, values.into_iter(), |index, value| match value {
            Ok(value) => natural(env, &value, as_bytes.then(|| widths.of(index))),
            Err(error) => error_value(env, &error),
        }),
        Answer::Handle(object) => number(env, handle::keep(object, env.owner())?.into()),
        Answer::Text(answer) => text(env, &answer),
        Answer::Bytes(answer) => bytes(env, &answer),
        Answer::ManyBytes(answers) => list(env, answers.iter(), |_, answer| bytes(env, answer)),
        Answer::Small(answers) => list(env, answers.into_iter(), |_, answer| number(env, answer.into())),
    }
}

/// An Error with the code and the message of ours, and its index in a list.
pub(super) fn error_value(env: Env, error: &Error) -> Result<Value, Failure> {
    let (index, inner) = index_and_error(error);
    let value = error_of(env, text(env, inner.code())?, text(env, &inner.to_string())?)?;
    if let Some(index) = index {
        let index = number(env, index as f64)?;
        // SAFETY: values of this call, and a name that ends with a zero.
        check(unsafe { sys::napi_set_named_property(env.0, value, c"index".as_ptr(), index) })?;
    }
    Ok(value)
}

/// Throws a failure; the exception that is pending already stays.
pub(super) fn throw(env: Env, failure: Failure) {
    let thrown = match failure {
        Failure::Error(error) => error_value(env, &error).and_then(|value| check(throw_value(env, value))),
        Failure::Refused => Err(failure),
    };
    if thrown.is_err() {
        // SAFETY: `env` is that of the call, the text ends with a zero. With an exception pending this changes nothing.
        unsafe { sys::napi_throw_type_error(env.0, null(), c"an argument of the addon has the wrong type".as_ptr()) };
    }
}

fn throw_value(env: Env, value: Value) -> sys::napi_status {
    // SAFETY: values of this call.
    unsafe { sys::napi_throw(env.0, value) }
}
