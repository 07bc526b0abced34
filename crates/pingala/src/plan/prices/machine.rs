//! The prices of this machine: the file that `pingala tune` wrote for it, over the built-in ones.

use super::Prices;
use crate::error::Error;
use crate::kernel::cpu;
use std::env;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The value of `PINGALA_PRICES` that asks for the prices that ship.
const BUILT_IN: &str = "built-in";

/// Longest file that is read.
const MAX_BYTES: u64 = 1 << 20;

/// Where this machine's prices are looked for: the file that `PINGALA_PRICES` names, otherwise
/// `pingala/prices.txt` in `$XDG_CONFIG_HOME`, or in `~/.config` (on Windows in `%APPDATA%`). None where there is no such
/// folder, or the variable asks for the prices that ship by the word `built-in`.
pub fn path() -> Option<PathBuf> {
    match env::var_os("PINGALA_PRICES").filter(|value| !value.is_empty()) {
        Some(value) if value == BUILT_IN => None,
        Some(value) => Some(value.into()),
        None => of_this_user(),
    }
}

/// A relative folder counts for none, as the XDG base directory specification has it.
fn of_this_user() -> Option<PathBuf> {
    let folder = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let config = if cfg!(windows) {
        folder("APPDATA")
    } else {
        folder("XDG_CONFIG_HOME").or_else(|| Some(folder("HOME")?.join(".config")))
    };
    Some(config?.join("pingala").join("prices.txt"))
}

impl Prices {
    /// The prices in force on this machine: those of the file at [`path`], over the built-in ones. A file that is not there
    /// is none, unless `PINGALA_PRICES` names it. Errors as [`Prices::read`].
    pub fn of_this_machine() -> Result<Self, Error> {
        let asked_for = env::var_os("PINGALA_PRICES").is_some_and(|value| !value.is_empty());
        match path() {
            Some(path) if asked_for || path.exists() => Self::read(&path),
            _ => Ok(Self::built_in().clone()),
        }
    }

    /// The prices of a file over the built-in ones. A file of another CPU or version is set aside, with a note.
    ///
    /// Error: `bad_argument`, with the file's name and the line, where the file cannot be read or is no file of prices.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let name = path.display().to_string();
        let text = text_of(path).map_err(|error| Error::BadArgument(format!("cannot read prices {name}: {error}")))?;
        let stamped = Self::stamped(&name, &text);
        let stamp = |name| {
            let value = stamped.sources[0].value(name);
            value.ok_or_else(|| Error::BadArgument(format!("prices {}: no line '{name}: ...'", path.display())))
        };
        let (here, version) = (cpu::model(), env!("CARGO_PKG_VERSION"));
        let other = match (stamp("cpu")?, stamp("version")?) {
            (cpu, _) if cpu != here => Some(format!("CPU {cpu}")),
            // What stands behind the number is for people.
            (_, other) if other.split(' ').next() != Some(version) => Some(format!("version {other}")),
            _ => None,
        };
        let mut prices = Self::built_in().clone();
        match other {
            Some(other) => prices.notes.push(format!("{name} was measured on {other}, and is not used")),
            None => prices = Self::named(&name, &text)?.over(&prices),
        }
        Ok(prices)
    }
}

fn text_of(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    File::open(path)?.take(MAX_BYTES + 1).read_to_string(&mut text)?;
    if text.len() as u64 > MAX_BYTES {
        return Err(io::Error::new(io::ErrorKind::InvalidData, format!("it is longer than {MAX_BYTES} bytes")));
    }
    Ok(text)
}
