//! Sealed JSON: a body, its kind, and SHA-256 over both. Whatever byte of such a file is changed, it is refused.
//!
//! ```text
//! {"pingala":"job plan","version":1,"sha256":"<64 digits>","body":{...}}\n
//! ```

use crate::error::{Doing, Error, Result};
use crate::folder::open_own;
use crate::reading::Reading;
use serde::{Serialize, de::DeserializeOwned};
use sha2::{Digest, Sha256};
use std::io::{self, Read};
use std::path::Path;

/// Of the layout of all sealed files; no other is read.
const VERSION: u32 = 1;

/// Longest sealed file.
const CAP_BYTES: u64 = 1 << 30;

/// Hexadecimal digits of a digest.
pub(crate) fn hex(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Hashes a stream to its end, and says how long it is. Errors: `bad_file`, with the path of its file; `interrupted`.
pub(crate) fn hash_into(hash: &mut Sha256, stream: &mut impl Read, path: &Path, reading: &Reading<'_>) -> Result<u64> {
    let (mut buffer, mut bytes) = (vec![0; 1 << 20], 0);
    loop {
        let count = match stream.read(&mut buffer) {
            Ok(0) => return Ok(bytes),
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => 0,
            Err(error) => return Err(Error::io("read", path, &error)),
        };
        hash.update(&buffer[..count]);
        bytes += count as u64;
        reading.add(count as u64)?;
    }
}

/// The text before and after the digest.
fn frame(kind: &str) -> (String, &'static str) {
    (format!("{{\"pingala\":\"{kind}\",\"version\":{VERSION},\"sha256\":\""), "\",\"body\":")
}

/// The bytes of a sealed file, and the digest that names it.
pub(crate) fn seal(kind: &str, body: &impl Serialize) -> Result<(Vec<u8>, String)> {
    let body =
        serde_json::to_string(body).map_err(|error| Error::argument(format!("a {kind} has no JSON form: {error}")))?;
    let (before, behind) = frame(kind);
    let digest = hex(&Sha256::new().chain_update(&before).chain_update(&body).finalize());
    Ok((format!("{before}{digest}{behind}{body}}}\n").into_bytes(), digest))
}

/// The body of a sealed file, and its digest.
fn open<T: DeserializeOwned>(kind: &str, bytes: &[u8]) -> std::result::Result<(T, String), String> {
    let (before, behind) = frame(kind);
    let rest =
        bytes.strip_prefix(before.as_bytes()).ok_or_else(|| format!("this is not a {kind} that this version reads"))?;
    let (digest, rest) = rest.split_at_checked(64).ok_or("it is too short")?;
    let body = rest.strip_prefix(behind.as_bytes()).and_then(|rest| rest.strip_suffix(b"}\n"));
    let body = body.ok_or_else(|| "it was damaged: its frame is broken".to_string())?;
    let expected = hex(&Sha256::new().chain_update(&before).chain_update(body).finalize());
    if expected.as_bytes() != digest {
        return Err("it was damaged: its SHA-256 does not match".into());
    }
    let body = serde_json::from_slice(body).map_err(|error| format!("it is not a {kind}: {error}"))?;
    Ok((body, expected))
}

/// Reads a sealed file; `None` if there is none.
pub(crate) fn read<T: DeserializeOwned>(path: &Path, kind: &str) -> Result<Option<(T, String)>> {
    let file = match open_own(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Error::io("read", path, &error)),
    };
    let length = file.metadata().doing("read", path)?.len();
    if length > CAP_BYTES {
        return Err(Error::file(path, format!("{length} bytes are too many for a {kind}")));
    }
    let mut bytes = Vec::new();
    file.take(CAP_BYTES).read_to_end(&mut bytes).doing("read", path)?;
    open(kind, &bytes).map(Some).map_err(|why| Error::file(path, why))
}

#[cfg(test)]
#[path = "../tests/inside/seal.rs"]
mod tests;
