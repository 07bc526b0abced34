//! The rows of `pingala verify`: read, and understood as tasks, or as what is wrong with them.

use super::keys::Keys;
use super::{Arguments, SchemeName};
use crate::failure::{self, Failure};
use clap::ValueEnum;
use pingala::{Error, Natural};
use pingala_rows::exactly;
use pingala_rows::text::csv::{Quoting, header, split};
use pingala_rows::text::json::members;
use pingala_rows::text::lines::{Found, Lines};
use pingala_rows::text::{csv_by_name, hexadecimal, hint, shown};
use pingala_verify::{Check, Encoding, Message, PublicKey, Scheme, Signature};
use serde_json::value::RawValue;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};

/// Signatures that are verified together, and about the most bytes of their lines.
const CHUNK: usize = 4096;
const CHUNK_BYTES: usize = 1 << 26;
/// Longest line.
const LINE_BYTES: usize = 1 << 26;

/// The fields that mean something.
const NAMES: [&str; 18] = [
    "id",
    "expected",
    "signature",
    "r",
    "s",
    "message",
    "message_hex",
    "digest",
    "key",
    "p",
    "q",
    "g",
    "y",
    "n",
    "e",
    "scheme",
    "hash",
    "encoding",
];

/// The place of a name among [`NAMES`].
fn place(name: &str) -> Option<usize> {
    NAMES.iter().position(|known| *known == name)
}

/// A row that could be read.
pub(super) struct Task {
    key: PublicKey,
    scheme: Scheme,
    message: Given,
    signature: Signed,
}

/// What was signed.
enum Given {
    Message(Vec<u8>),
    Digest(Vec<u8>),
}

enum Signed {
    Bytes(Vec<u8>, Encoding),
    Pair(Natural, Natural),
    Number(Natural),
}

impl Task {
    pub(super) fn check(&self) -> Check<'_> {
        Check {
            key: &self.key,
            scheme: self.scheme,
            message: match &self.message {
                Given::Message(bytes) => Message::Raw(bytes),
                Given::Digest(bytes) => Message::Digest(bytes),
            },
            signature: match &self.signature {
                Signed::Bytes(bytes, encoding) => Signature::Bytes(bytes, *encoding),
                Signed::Pair(r, s) => Signature::Numbers(r, s),
                Signed::Number(s) => Signature::Number(s),
            },
        }
    }
}

/// A line: what to verify, or the code and the message of its error.
pub(super) struct Row {
    pub(super) line: u64,
    /// As JSON.
    pub(super) id: String,
    pub(super) expected: Option<bool>,
    pub(super) task: Result<Task, Flaw>,
}

/// The fields of a row that are there, as text.
pub(super) type Fields = HashMap<&'static str, String>;

/// What is wrong with a row.
pub(super) type Flaw = (&'static str, String);

pub(super) fn bad_row(why: impl Into<String>) -> Flaw {
    ("bad_row", why.into())
}

pub(super) fn of_error(error: &Error) -> Flaw {
    (error.code(), error.to_string())
}

/// Reads rows.
pub(super) struct Rows<'a> {
    arguments: &'a Arguments,
    lines: Lines<Box<dyn Read>>,
    name: String,
    /// The columns of CSV, once the header was read.
    header: Option<Vec<String>>,
    is_csv: Option<bool>,
    keys: Keys,
}

impl<'a> Rows<'a> {
    pub(super) fn open(arguments: &'a Arguments) -> Result<Self, Failure> {
        let (stream, name): (Box<dyn Read>, _) = if arguments.input.as_os_str() == "-" {
            (Box::new(io::stdin()), "standard input".into())
        } else {
            let file =
                File::open(&arguments.input).map_err(|error| Failure::of_file("read", &arguments.input, &error))?;
            (Box::new(file), arguments.input.display().to_string())
        };
        let keys = Keys::open(arguments.key.as_deref(), arguments.key_folder.as_deref())?;
        let is_csv = csv_by_name(&arguments.input);
        let lines = Lines::new(stream, LINE_BYTES);
        Ok(Self { arguments, lines, name, header: None, is_csv, keys })
    }

    /// The input, for messages.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// At most a chunk of rows; none at the end.
    pub(super) fn chunk(&mut self) -> Result<Vec<Row>, Failure> {
        let (mut rows, mut bytes) = (Vec::new(), 0);
        while rows.len() < CHUNK && bytes < CHUNK_BYTES {
            let failed =
                |error: io::Error| Failure::Failed(format!("cannot read {}: {}", self.name, failure::plain(&error)));
            let found = self.lines.read(|| {}).map_err(failed)?;
            let line = self.lines.number();
            match found {
                Found::End => break,
                Found::TooLong => {
                    rows.push(row(line, None, Err(bad_row(format!("the line is over {LINE_BYTES} bytes")))))
                }
                Found::Line if self.lines.text().trim_ascii().is_empty() => {}
                Found::Line => {
                    let is_csv = *self.is_csv.get_or_insert(!self.lines.text().trim_ascii_start().starts_with(b"{"));
                    if is_csv {
                        let mut quoting = Quoting::default().after(self.lines.text(), b',');
                        while quoting.is_open() {
                            let used = self.lines.text().len();
                            match self.lines.read_more(|| {}).map_err(failed)? {
                                Found::Line => quoting = quoting.after(&self.lines.text()[used..], b','),
                                _ => break,
                            }
                        }
                        if self.header.is_none() {
                            self.read_header(line)?;
                            continue;
                        }
                    }
                    bytes += self.lines.text().len();
                    let fields = self.fields(is_csv);
                    rows.push(match fields {
                        Err(flaw) => row(line, None, Err(flaw)),
                        Ok(fields) => {
                            let task = self.task(&fields);
                            row(line, Some(&fields), task)
                        }
                    });
                }
            }
        }
        Ok(rows)
    }

    fn read_header(&mut self, line: u64) -> Result<(), Failure> {
        let text = String::from_utf8_lossy(self.lines.text()).into_owned();
        let columns =
            header(&text, b',').map_err(|why| Failure::Failed(format!("{}, line {line}: {why}", self.name)))?;
        if !columns.iter().any(|column| ["signature", "s"].contains(&column.as_str())) {
            let why = "the header names no column signature, and no s; see `pingala verify --help`";
            return Err(Failure::Failed(format!("{}, line {line}: {why}", self.name)));
        }
        self.header = Some(columns);
        Ok(())
    }

    fn fields(&self, is_csv: bool) -> Result<Fields, Flaw> {
        let text = std::str::from_utf8(self.lines.text()).map_err(|_| bad_row("the row is not UTF-8"))?;
        let mut fields = Fields::new();
        if is_csv {
            let values = split(text, b',').map_err(bad_row)?;
            let header = self.header.as_deref().unwrap_or_default();
            if values.len() != header.len() {
                return Err(bad_row(format!("the row has {} fields, the header {}", values.len(), header.len())));
            }
            for (name, value) in exactly(header, values).map_err(|error| of_error(&error))? {
                if let Some(name) = place(name).filter(|_| !value.is_empty()) {
                    fields.insert(NAMES[name], value.into_owned());
                }
            }
            return Ok(fields);
        }
        let mut values: [Option<&RawValue>; NAMES.len()] = [None; NAMES.len()];
        members(text, &place, &mut values).map_err(|flaw| bad_row(flaw.sentence("no JSON object")))?;
        for (name, value) in exactly(NAMES, values).map_err(|error| of_error(&error))? {
            let Some(raw) = value.map(RawValue::get).filter(|raw| *raw != "null") else { continue };
            let text = match raw.as_bytes().first() {
                Some(b'{' | b'[') => return Err(bad_row(format!("{name} is neither text nor a number"))),
                Some(b'"') if name != "id" => {
                    serde_json::from_str(raw).map_err(|error| bad_row(format!("{name}: {error}")))?
                }
                _ => raw.to_string(),
            };
            fields.insert(name, text);
        }
        Ok(fields)
    }

    fn task(&mut self, fields: &Fields) -> Result<Task, Flaw> {
        let hexadecimal = self.arguments.hex_input;
        let setting = |name: &str| fields.get(name).map(String::as_str);
        let name = setting("scheme").map(|text| SchemeName::from_str(text, false)).transpose();
        let name = name.map_err(|_| bad_row("scheme is none of dsa, rsa-pkcs1, rsa-pss"))?.or(self.arguments.scheme);
        let hash = setting("hash").map(str::parse).transpose().map_err(|error| of_error(&error))?;
        let encoding = setting("encoding").map(str::parse).transpose().map_err(|error| of_error(&error))?;
        let message = match (setting("message"), setting("message_hex"), setting("digest")) {
            (Some(text), None, None) => Given::Message(text.as_bytes().to_vec()),
            (None, Some(hex), None) => Given::Message(from_hex("message_hex", hex)?),
            (None, None, Some(hex)) => Given::Digest(from_hex("digest", hex)?),
            _ => return Err(bad_row("a row has one of message, message_hex and digest")),
        };
        let signature = match (setting("signature"), setting("r"), setting("s")) {
            (Some(text), None, None) => {
                let bytes = match text.strip_prefix("base64:") {
                    None => from_hex("signature", text)?,
                    Some(text) => {
                        pingala_verify::base64(text.trim()).ok_or_else(|| bad_row("signature is no base64"))?
                    }
                };
                Signed::Bytes(bytes, encoding.unwrap_or(self.arguments.encoding))
            }
            (None, Some(r), Some(s)) => Signed::Pair(number("r", r, hexadecimal)?, number("s", s, hexadecimal)?),
            (None, None, Some(s)) => Signed::Number(number("s", s, hexadecimal)?),
            _ => return Err(bad_row("a row has signature, or r and s, or s")),
        };
        let key = self.keys.of(fields, hexadecimal)?;
        let name = match (name, &key) {
            (Some(name), _) => name,
            (None, PublicKey::Dsa(_)) => SchemeName::Dsa,
            (None, _) => {
                return Err(bad_row("a key of RSA needs a scheme: --scheme rsa-pkcs1 or rsa-pss, or the field scheme"));
            }
        };
        Ok(Task { key, scheme: self.arguments.scheme(name, hash.unwrap_or(self.arguments.hash)), message, signature })
    }
}

fn row(line: u64, fields: Option<&Fields>, task: Result<Task, Flaw>) -> Row {
    let is_scalar = |id: &str| !id.starts_with(['{', '[']) && serde_json::from_str::<&RawValue>(id).is_ok();
    let id = fields.and_then(|fields| fields.get("id")).map(|id| match is_scalar(id.trim_start()) {
        true => id.clone(),
        false => serde_json::Value::from(id.as_str()).to_string(),
    });
    let expected = fields.and_then(|fields| fields.get("expected")).map(|text| text.trim().to_ascii_lowercase());
    let (expected, task) = match expected.as_deref() {
        None => (None, task),
        Some("true" | "valid") => (Some(true), task),
        Some("false" | "invalid") => (Some(false), task),
        Some(other) => (None, Err(bad_row(format!("expected is true or false, not {}", shown(other))))),
    };
    Row { line, id: id.unwrap_or_else(|| line.to_string()), expected, task }
}

pub(super) fn number(name: &str, text: &str, is_hexadecimal: bool) -> Result<Natural, Flaw> {
    if text.is_empty() {
        return Err(bad_row(format!("the row has no {name}")));
    }
    let digits = if is_hexadecimal { hexadecimal(text) } else { text.trim().into() };
    Natural::parse_capped(&digits, 1 << 16).map_err(|error| (error.code(), format!("{name}: {error}{}", hint(text))))
}

fn from_hex(name: &str, text: &str) -> Result<Vec<u8>, Flaw> {
    let digits = text.trim().strip_prefix("0x").unwrap_or(text.trim()).as_bytes();
    let byte = |pair: &[u8]| {
        let pair = std::str::from_utf8(pair).ok()?;
        pair.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u8::from_str_radix(pair, 16).ok())?
    };
    let bytes = digits.len().is_multiple_of(2).then(|| digits.chunks(2).map(byte).collect::<Option<_>>()).flatten();
    bytes.ok_or_else(|| bad_row(format!("{name} is no hexadecimal of whole bytes")))
}
