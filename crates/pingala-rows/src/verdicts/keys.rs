//! The keys of rows: as text, as numbers, or as names of files below a folder that the user allowed.

use super::{Fields, Flaw, bad_row, number};
use crate::error::without_number;
use crate::folder::Folder;
use crate::text::shown;
use pingala::Natural;
use pingala_verify::{DsaKey, PublicKey, RsaKey};
use std::collections::HashMap;

/// Keys that are remembered, and the most bytes of the texts that name them.
const MOST_KEYS: usize = 1 << 16;
const MOST_BYTES: usize = 1 << 26;
/// Longest file of a key: a certificate has a few thousand bytes.
pub const FILE_BYTES: u64 = 1 << 20;

/// What a row may say of its key. Keys are remembered by this: nothing that one row says is ever taken for what another one said in
/// another way.
#[derive(PartialEq, Eq, Hash)]
enum Named {
    Text(String),
    File(String),
    Dsa([Natural; 4]),
    Rsa([Natural; 2]),
}

/// The keys of a run.
pub(super) struct Keys {
    default: Option<PublicKey>,
    folder: Option<Folder>,
    known: HashMap<Named, Result<PublicKey, Flaw>>,
    known_bytes: usize,
}

impl Keys {
    /// With the key of rows that name none, and the folder whose files rows may name.
    pub(super) fn new(default: Option<PublicKey>, folder: Option<Folder>) -> Self {
        Self { default, folder, known: HashMap::new(), known_bytes: 0 }
    }

    /// The key of a row, whose numbers may be hexadecimal without 0x.
    pub(super) fn of(&mut self, fields: &Fields, hexadecimal: bool) -> Result<PublicKey, Flaw> {
        let named = match named(fields, hexadecimal)? {
            Some(named) => named,
            None => {
                return self.default.clone().ok_or_else(|| bad_row("the row names no key, and there is no --key"));
            }
        };
        if let Some(known) = self.known.get(&named) {
            return known.clone();
        }
        let key = self.load(&named);
        let bytes = match &named {
            Named::Text(text) | Named::File(text) => text.len(),
            Named::Dsa(_) | Named::Rsa(_) => 0,
        };
        if self.known.len() >= MOST_KEYS || self.known_bytes + bytes > MOST_BYTES {
            (self.known, self.known_bytes) = (HashMap::new(), 0);
        }
        self.known_bytes += bytes;
        self.known.insert(named, key.clone());
        key
    }

    fn load(&self, named: &Named) -> Result<PublicKey, Flaw> {
        match named {
            Named::Text(text) => PublicKey::load(text.as_bytes()).map_err(Flaw::from),
            Named::File(name) => {
                let folder = self.folder.as_ref().ok_or_else(|| {
                    bad_row(format!(
                        "key: '{}' is neither PEM nor a line of OpenSSH; names of files are read with --key-folder DIR",
                        shown(name)
                    ))
                })?;
                let data = folder.read(name, FILE_BYTES).map_err(|error| {
                    let why = without_number(&error.to_string());
                    Flaw { code: "bad_file", message: format!("key: cannot read '{}': {why}", shown(name)) }
                })?;
                PublicKey::load(&data)
                    .map_err(|error| Flaw { code: error.code(), message: format!("key: '{}': {error}", shown(name)) })
            }
            Named::Dsa([p, q, g, y]) => {
                let key = DsaKey::new(p.clone(), q.clone(), g.clone(), y.clone());
                key.map(PublicKey::from).map_err(Flaw::from)
            }
            Named::Rsa([n, e]) => RsaKey::new(n.clone(), e.clone()).map(PublicKey::from).map_err(Flaw::from),
        }
    }
}

/// What a row says of its key, if it says something.
fn named(fields: &Fields, hexadecimal: bool) -> Result<Option<Named>, Flaw> {
    const DSA: [&str; 4] = ["p", "q", "g", "y"];
    const RSA: [&str; 2] = ["n", "e"];
    let any = |names: &[&str]| names.iter().any(|name| fields.get(name).is_some_and(|text| !text.is_empty()));
    let at = |name: &str| number(name, fields.get(name).map_or("", String::as_str), hexadecimal);
    Ok(match (fields.get("key"), any(&DSA), any(&RSA)) {
        (None, false, false) => None,
        (Some(text), false, false) if text.contains("-----BEGIN ") || text.trim_start().starts_with("ssh-") => {
            Some(Named::Text(text.clone()))
        }
        (Some(name), false, false) => Some(Named::File(name.clone())),
        (None, true, false) => Some(Named::Dsa([at("p")?, at("q")?, at("g")?, at("y")?])),
        (None, false, true) => Some(Named::Rsa([at("n")?, at("e")?])),
        _ => return Err(bad_row("the row has two keys; expected one of key, of p, q, g and y, and of n and e")),
    })
}
