//! Options whose values are names: the shell proposes the names, and the library reads them.

use crate::settings::parsed;
use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command, Error};
use pingala_verify::Hash;
use std::ffi::OsStr;
use std::fmt::Display;
use std::marker::PhantomData;
use std::str::FromStr;

/// A value that the library reads by its name. For `String` any text is a value, and the command checks it later.
#[derive(Debug)]
pub(crate) struct Names<T> {
    names: fn() -> Vec<&'static str>,
    value: PhantomData<fn() -> T>,
}

impl<T> Names<T> {
    /// Proposes these names. Other texts that the library reads, such as other spellings, are values too.
    pub(crate) fn new(names: fn() -> Vec<&'static str>) -> Self {
        Self { names, value: PhantomData }
    }
}

impl<T> Clone for Names<T> {
    fn clone(&self) -> Self {
        Self::new(self.names)
    }
}

impl<T: FromStr<Err: Display> + Clone + Send + Sync + 'static> TypedValueParser for Names<T> {
    type Value = T;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, text: &OsStr) -> Result<T, Error> {
        let read: fn(&str) -> Result<T, String> = parsed::<T>;
        read.parse_ref(command, argument, text)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.names)().into_iter().map(PossibleValue::new)))
    }
}

pub(crate) fn hashes() -> Vec<&'static str> {
    Hash::ALL.map(Hash::name).to_vec()
}

pub(crate) fn encodings() -> Vec<&'static str> {
    vec!["der", "lenient", "p1363", "raw", "ssh", "openpgp"]
}

pub(crate) fn policies() -> Vec<&'static str> {
    vec!["legacy", "strict", "modern"]
}

pub(crate) fn weaknesses() -> Vec<&'static str> {
    vec!["short_key", "sha1", "odd_sizes", "small_exponent", "short_digest"]
}

/// The words for binary columns.
pub(crate) fn binaries() -> Vec<&'static str> {
    vec!["big", "little", "signed-big", "signed-little", "text"]
}

/// The ways of `job run --errors`.
pub(crate) fn errors() -> Vec<&'static str> {
    vec!["column", "fail"]
}

pub(crate) fn languages() -> Vec<&'static str> {
    vec!["rust", "c", "go", "python"]
}

pub(crate) fn clusters() -> Vec<&'static str> {
    vec!["ray"]
}

/// What `chain search --cost` minimises, if it is no price of a kernel.
pub(crate) fn costs() -> Vec<&'static str> {
    vec!["length"]
}

#[cfg(test)]
#[path = "../tests/inside/names.rs"]
mod tests;
