//! PEM as people have it and as OpenSSL reads it: lines of any width and with any ends, blanks at their ends, text around the block,
//! other blocks before it. The Base64 itself is exact.

use base64ct::{Base64, Encoding};

const BEGIN: &[u8] = b"-----BEGIN ";
const END: &[u8] = b"-----END ";
const DASHES: &[u8] = b"-----";
/// The longest label that is looked for.
const LONGEST_LABEL: usize = 64;

/// A block between its lines.
pub(crate) struct Block<'a> {
    pub(crate) label: &'a str,
    body: &'a [u8],
}

fn find(data: &[u8], what: &[u8]) -> Option<usize> {
    data.windows(what.len()).position(|at| at == what)
}

/// A label, and what stands behind its dashes.
fn label(data: &[u8]) -> Option<(&str, &[u8])> {
    let end = find(&data[..data.len().min(LONGEST_LABEL + DASHES.len())], DASHES)?;
    let label = core::str::from_utf8(&data[..end]).ok()?;
    label.bytes().all(|byte| (b' '..=b'~').contains(&byte)).then_some((label, &data[end + DASHES.len()..]))
}

/// The first block with one of these labels; without one the first of all. None: there is no line of BEGIN. Error: why it is broken.
pub(crate) fn first<'a>(data: &'a [u8], labels: &[&str]) -> Option<Result<Block<'a>, String>> {
    let (mut rest, mut other) = (data, None);
    while let Some(at) = find(rest, BEGIN) {
        rest = &rest[at + BEGIN.len()..];
        let Some((label, body)) = label(rest) else { continue };
        rest = body;
        if labels.contains(&label) {
            return Some(whole(label, body));
        }
        // Only the first block is read to its end: a text of many BEGIN lines would be searched once for each of them.
        other.get_or_insert_with(|| whole(label, body));
    }
    other
}

fn whole<'a>(begun: &'a str, body: &'a [u8]) -> Result<Block<'a>, String> {
    let end = find(body, END).ok_or_else(|| format!("PEM: the line -----END {begun}----- is missing"))?;
    match label(&body[end + END.len()..]) {
        Some((ended, _)) if ended == begun => Ok(Block { label: begun, body: &body[..end] }),
        _ => Err(format!("PEM: what begins as {begun} does not end so")),
    }
}

impl Block<'_> {
    /// Whether header lines of RFC 1421 say that it is encrypted.
    pub(crate) fn is_encrypted(&self) -> bool {
        self.body.trim_ascii_start().starts_with(b"Proc-Type:") && find(self.body, b"ENCRYPTED").is_some()
    }

    /// Decodes the block into `room`, which is at least as long as the text: nothing of it is copied elsewhere. Error: why not.
    pub(crate) fn decode<'r>(&self, room: &'r mut Vec<u8>) -> Result<&'r [u8], String> {
        if self.body.contains(&b':') {
            return Err("PEM: header lines before the Base64".into());
        }
        room.extend(self.body.iter().filter(|byte| !byte.is_ascii_whitespace() && **byte != 0x0b));
        let length =
            Base64::decode_in_place(room).map_err(|_| "PEM: what stands between its lines is not Base64")?.len();
        Ok(&room[..length])
    }

    /// An upper bound of what is decoded.
    pub(crate) fn length(&self) -> usize {
        self.body.len()
    }
}
