//! The prices of this machine: the file that `pingala tune` wrote for it, over the built-in ones.

use super::Prices;
use crate::error::Error;
use crate::kernel::cpu;
use std::env;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The value of `PINGALA_PRICES` that selects the built-in prices.
const BUILT_IN: &str = "built-in";

/// Longest file that is read.
const MAX_BYTES: u64 = 1 << 20;

/// The file of this machine's prices: the one that `PINGALA_PRICES` names, otherwise `pingala/prices.txt` in
/// `$XDG_CONFIG_HOME`, or in `~/.config` (on Windows in `%APPDATA%`). None if there is no such folder, or if the variable is
/// `built-in`.
pub fn path() -> Option<PathBuf> {
    match env::var_os("PINGALA_PRICES").filter(|value| !value.is_empty()) {
        Some(value) if value == BUILT_IN => None,
        Some(value) => Some(value.into()),
        None => of_this_user(),
    }
}

/// A relative folder is ignored, as the XDG base directory specification demands.
fn of_this_user() -> Option<PathBuf> {
    let folder = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let config = if cfg!(windows) {
        folder("APPDATA")
    } else {
        folder("XDG_CONFIG_HOME").or_else(|| Some(folder("HOME")?.join(".config")))
    };
    Some(config?.join("pingala").join("prices.txt"))
}

/// The version of the file's format, in its line `format: ...`. A file without that line has version 1.
pub const FORMAT: &str = "1";

impl Prices {
    /// The prices of this machine: those of the file at [`path`], over the built-in ones. A missing file is no error, unless
    /// `PINGALA_PRICES` names it.
    ///
    /// A file that cannot be read, or is not a file of prices, only adds to [`Prices::notes`]: prices affect the time of a result,
    /// never whether there is one.
    pub fn of_this_machine() -> Self {
        if !cpu::HAS_ENVIRONMENT {
            return Self::built_in().clone();
        }
        let asked_for = env::var_os("PINGALA_PRICES").is_some_and(|value| !value.is_empty());
        Self::in_force(path().filter(|path| asked_for || path.exists()).as_deref())
    }

    fn in_force(path: Option<&Path>) -> Self {
        let Some(path) = path else { return Self::built_in().clone() };
        let advice = "built-in prices are used; run `pingala tune` to measure this machine, or remove the file";
        Self::read(path).unwrap_or_else(|error| Self::built_in_with(format!("{error}; {advice}")))
    }

    /// The built-in prices and a note.
    fn built_in_with(note: String) -> Self {
        let mut prices = Self::built_in().clone();
        prices.notes.push(note);
        prices
    }

    /// The prices of a file over the built-in ones. A file for another CPU or in another format is ignored, with a note.
    ///
    /// Error: `bad_argument`, with the file's name and the line, if the file cannot be read or is not a file of prices.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let name = path.display().to_string();
        let text = text_of(path).map_err(|error| Error::BadArgument(format!("cannot read prices {name}: {error}")))?;
        let stamped = Self::stamped(&name, &text);
        let stamp = &stamped.sources[0];
        let cpu = stamp.value("cpu").ok_or_else(|| Error::BadArgument(format!("prices {name}: no line 'cpu: ...'")))?;
        let format = stamp.value("format").unwrap_or(FORMAT);
        Ok(if cpu != cpu::model() {
            Self::built_in_with(format!("{name} was measured on CPU {cpu}; it is not used"))
        } else if format != FORMAT {
            let other = format!("{name} has format {format}, and this version reads format {FORMAT}; it is not used");
            Self::built_in_with(other)
        } else {
            Self::named(&name, &text)?.over(Self::built_in())
        })
    }
}

fn text_of(path: &Path) -> io::Result<String> {
    let wrong = |why: String| Err(io::Error::new(io::ErrorKind::InvalidData, why));
    // Checked before opening: opening a pipe would wait for its writer.
    if !fs::metadata(path)?.is_file() {
        return wrong("it is not an ordinary file".into());
    }
    let mut text = String::new();
    File::open(path)?.take(MAX_BYTES + 1).read_to_string(&mut text)?;
    if text.len() as u64 > MAX_BYTES {
        return wrong(format!("it is longer than {MAX_BYTES} bytes"));
    }
    Ok(text)
}

#[cfg(test)]
#[path = "../../../../tests/inside/engine/plan/prices/machine.rs"]
mod tests;
