//! The keys of rows: as text, as numbers, or as names of files below a folder that the user allowed.

use super::{Fields, bad_row, natural, not_negative};
use crate::error::{Error as Failure, without_number};
use crate::folder::Folder;
use crate::text::{from_hex, shown};
use pingala_core::{Integer, Natural};
use pingala_verify::{DsaKey, PublicKey, RsaKey};
use std::collections::HashMap;

/// Keys that are remembered, and the most bytes of the texts that name them.
const MOST_KEYS: usize = 1 << 16;
const MOST_BYTES: usize = 1 << 26;
/// Longest file of a key: a certificate has a few thousand bytes.
pub const FILE_BYTES: u64 = 1 << 20;

/// The ways in which a row gives its key. The cache is keyed by this type: the content of a key never stands for the name of a file,
/// nor for the numbers of a key.
#[derive(PartialEq, Eq, Hash)]
pub(crate) enum Named {
    Content(Vec<u8>),
    File(String),
    Dsa([Natural; 4]),
    Rsa([Natural; 2]),
}

impl Named {
    /// The numbers of a key of RSA. Error: `bad_argument`, if one is negative.
    pub(crate) fn rsa(n: Integer, e: Integer) -> Result<Self, Failure> {
        Ok(Named::Rsa([not_negative("n", n)?, not_negative("e", e)?]))
    }
}

/// The keys of a run.
pub(crate) struct Keys {
    default: Option<PublicKey>,
    folder: Option<Folder>,
    known: HashMap<Named, Result<PublicKey, Failure>>,
    known_bytes: usize,
}

impl Keys {
    /// With the key of rows that name none, and the folder whose files rows may name.
    pub(crate) fn new(default: Option<PublicKey>, folder: Option<Folder>) -> Self {
        Self { default, folder, known: HashMap::new(), known_bytes: 0 }
    }

    /// The key of a row, whose numbers may be hexadecimal without 0x.
    pub(super) fn of(&mut self, fields: &Fields, hexadecimal: bool) -> Result<PublicKey, Failure> {
        match named(fields, hexadecimal)? {
            Some(named) => self.get(named),
            None => self.default.clone().ok_or_else(|| bad_row("the row names no key, and there is no --key")),
        }
    }

    /// Loads a key, or finds it in the cache.
    pub(crate) fn get(&mut self, named: Named) -> Result<PublicKey, Failure> {
        if let Some(known) = self.known.get(&named) {
            return known.clone();
        }
        let key = self.load(&named);
        let bytes = match &named {
            Named::Content(content) => content.len(),
            Named::File(name) => name.len(),
            Named::Dsa(_) | Named::Rsa(_) => 0,
        };
        if self.known.len() >= MOST_KEYS || self.known_bytes + bytes > MOST_BYTES {
            (self.known, self.known_bytes) = (HashMap::new(), 0);
        }
        self.known_bytes += bytes;
        self.known.insert(named, key.clone());
        key
    }

    fn load(&self, named: &Named) -> Result<PublicKey, Failure> {
        match named {
            Named::Content(content) => PublicKey::load(content).map_err(Failure::from),
            Named::File(name) => {
                let folder = self.folder.as_ref().ok_or_else(|| {
                    bad_row(format!(
                        "key: '{}' is neither PEM nor a line of OpenSSH; names of files are read with --key-folder DIR",
                        shown(name)
                    ))
                })?;
                let data = folder.read(name, FILE_BYTES).map_err(|error| {
                    let why = without_number(&error.to_string());
                    Failure::new("bad_file", format!("key: cannot read '{}': {why}", shown(name)))
                })?;
                PublicKey::load(&data).map_err(|error| Failure::of(&error, format!("key: '{}': {error}", shown(name))))
            }
            Named::Dsa([p, q, g, y]) => {
                let key = DsaKey::new(p.clone(), q.clone(), g.clone(), y.clone());
                key.map(PublicKey::from).map_err(Failure::from)
            }
            Named::Rsa([n, e]) => RsaKey::new(n.clone(), e.clone()).map(PublicKey::from).map_err(Failure::from),
        }
    }
}

/// What a row says of its key, if it says something.
fn named(fields: &Fields, hexadecimal: bool) -> Result<Option<Named>, Failure> {
    const DSA: [&str; 4] = ["p", "q", "g", "y"];
    const RSA: [&str; 2] = ["n", "e"];
    // Empty text is a key that cannot be read, and never stands for the default one.
    let any = |names: &[&str]| names.iter().any(|name| fields.contains_key(name));
    let at = |name| {
        let text = fields.get(name).ok_or_else(|| bad_row(format!("the row has no {name}")))?;
        natural(name, text, hexadecimal)
    };
    Ok(match (fields.get("key"), any(&DSA), any(&RSA)) {
        (None, false, false) => None,
        (Some(text), false, false) if text.contains("-----BEGIN ") || text.trim_start().starts_with("ssh-") => {
            Some(Named::Content(text.clone().into_bytes()))
        }
        (Some(text), false, false) => {
            let der = text.strip_prefix("0x").and_then(|digits| from_hex(digits.as_bytes()));
            Some(der.map_or_else(|| Named::File(text.clone()), Named::Content))
        }
        (None, true, false) => Some(Named::Dsa([at("p")?, at("q")?, at("g")?, at("y")?])),
        (None, false, true) => Some(Named::Rsa([at("n")?, at("e")?])),
        _ => return Err(bad_row("the row has two keys; expected one of key, of p, q, g and y, and of n and e")),
    })
}
