//! The task of `pingala verify`: whether the signature of each row is valid.

mod keys;

pub use keys::FILE_BYTES;

use crate::error::{Error as Failure, count};
use crate::folder::Folder;
use crate::records::{Holds, RowSource};
use crate::stream::{Ask, Interpret, Judgement, Task};
use crate::task::{SCHEMES, scheme};
use crate::text::{Value, from_hex, number, shown};
pub(crate) use keys::{Keys, Named};
use pingala_core::{Error, Integer, Natural, Options, pairs};
use pingala_verify::{
    Check, Encoding, Hash, Message, Policy, PublicKey, Scheme, Signature, Verdict, Weaknesses, verify_list,
};
use std::collections::{BTreeMap, HashMap};

/// The names of the fields, and of options of the run.
pub const NAMES: [&str; 24] = [
    "id",
    "expected",
    "signature",
    "message",
    "message_hex",
    "digest",
    "key",
    "scheme",
    "hash",
    "encoding",
    "r",
    "s",
    "p",
    "q",
    "g",
    "y",
    "n",
    "e",
    "salt",
    "mgf_hash",
    "mgf-hash",
    "policy",
    "fail_on",
    "fail-on",
];

/// What the field of each place holds.
pub fn holds(place: usize) -> Holds {
    match place {
        0..2 => Holds::Truths,
        2..10 => Holds::Text,
        10..18 => Holds::Numbers,
        _ => Holds::Option,
    }
}

/// Most bits of a number of a key or a signature.
const MOST_BITS: u64 = 1 << 16;

/// A signature that could be read.
#[derive(Debug)]
pub struct Signed {
    pub(crate) key: PublicKey,
    pub(crate) scheme: Scheme,
    pub(crate) message: Vec<u8>,
    /// Whether the message is a digest.
    pub(crate) is_digest: bool,
    pub(crate) signature: Form,
}

/// A signature: its encoding, or its numbers.
#[derive(Debug)]
pub(crate) enum Form {
    Bytes(Vec<u8>, Encoding),
    Pair(Natural, Natural),
    Number(Natural),
}

impl Signed {
    /// As the library takes it.
    pub fn check(&self) -> Check<'_> {
        Check {
            key: &self.key,
            scheme: self.scheme,
            message: if self.is_digest { Message::Digest(&self.message) } else { Message::Raw(&self.message) },
            signature: match &self.signature {
                Form::Bytes(bytes, encoding) => Signature::Bytes(bytes, *encoding),
                Form::Pair(r, s) => Signature::Numbers(r, s),
                Form::Number(s) => Signature::Number(s),
            },
        }
    }
}

const ONE_MESSAGE: &str = "this row has more than one of message, message_hex and digest";

/// The fields of a row that are there, as text.
type Fields = HashMap<&'static str, String>;

fn bad_row(why: impl Into<String>) -> Failure {
    Failure::bad_row(why)
}

/// The settings of rows that do not name their own.
#[derive(Clone, Debug)]
pub struct Settings {
    /// One of `dsa`, `rsa-pkcs1` and `rsa-pss`.
    pub scheme: Option<String>,
    /// The hash function of the messages; by default `sha256`, for `rsa-pss` what the key says.
    pub hash: Option<Hash>,
    /// The hash function of the mask of PSS; by default what the key says, or that of the message.
    pub mgf_hash: Option<Hash>,
    /// Bytes of the salt of PSS; by default any.
    pub salt: Option<usize>,
    /// The encoding of the signatures.
    pub encoding: Encoding,
    /// Whether numbers are hexadecimal without 0x too.
    pub hexadecimal: bool,
}

/// Reads signatures, and remembers their keys.
pub struct Signatures {
    settings: Settings,
    keys: Keys,
}

impl std::fmt::Debug for Signatures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Signatures").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl Signatures {
    /// With the key of rows that name none, and the folder whose files rows may name.
    pub fn new(settings: Settings, key: Option<PublicKey>, folder: Option<Folder>) -> Self {
        Self { settings, keys: Keys::new(key, folder) }
    }

    fn signed(&mut self, fields: &Fields) -> Result<Signed, Failure> {
        let hexadecimal = self.settings.hexadecimal;
        let setting = |name: &str| fields.get(name).map(String::as_str);
        let name = setting("scheme").or(self.settings.scheme.as_deref());
        if let Some(name) = name.filter(|name| !SCHEMES.contains(name)) {
            return Err(bad_row(format!("scheme is none of dsa, rsa-pkcs1, rsa-pss: '{}'", shown(name))));
        }
        let hash: Option<Hash> = setting("hash").map(str::parse).transpose()?;
        let encoding: Option<Encoding> = setting("encoding").map(str::parse).transpose()?;
        let (message, is_digest) = match (setting("message"), setting("message_hex"), setting("digest")) {
            (Some(text), None, None) => (text.as_bytes().to_vec(), false),
            (None, Some(hex), None) => (bytes_of("message_hex", hex)?, false),
            (None, None, Some(hex)) => (bytes_of("digest", hex)?, true),
            (None, None, None) => return Err(bad_row("this row has none of message, message_hex and digest")),
            _ => return Err(bad_row(ONE_MESSAGE)),
        };
        let signature = match (setting("signature"), setting("r"), setting("s")) {
            (Some(text), None, None) => {
                let bytes = match text.strip_prefix("base64:") {
                    None => bytes_of("signature", text)?,
                    Some(text) => {
                        let no_base64 = || bad_row(format!("signature is no base64: '{}'", shown(text)));
                        pingala_verify::base64(text.trim_ascii()).ok_or_else(no_base64)?
                    }
                };
                Form::Bytes(bytes, encoding.unwrap_or(self.settings.encoding))
            }
            (None, Some(r), Some(s)) => Form::Pair(natural("r", r, hexadecimal)?, natural("s", s, hexadecimal)?),
            (None, None, Some(s)) => Form::Number(natural("s", s, hexadecimal)?),
            _ => return Err(bad_row("a row has signature, or r and s, or s")),
        };
        let key = self.keys.of(fields, hexadecimal)?;
        let name = match (name, &key) {
            (Some(name), _) => name,
            (None, PublicKey::Dsa(_)) => "dsa",
            (None, _) => {
                return Err(bad_row("a key of RSA needs a scheme: --scheme rsa-pkcs1 or rsa-pss, or the field scheme"));
            }
        };
        let Settings { hash: usual, mgf_hash, salt, .. } = self.settings;
        let scheme = scheme(name, hash.or(usual), mgf_hash, salt).map_err(|error| bad_row(error.to_string()))?;
        Ok(Signed { key, scheme, message, is_digest, signature })
    }
}

/// Why an option of the run is refused that stands in a row.
pub(crate) fn no_field(name: &str) -> String {
    format!("{name} is no field of a row; the option --{} says it for all rows", name.replace('_', "-"))
}

/// The fields of a row as text; those that are null are not there.
fn fields(values: &[Option<Value<'_>>]) -> Result<Fields, Failure> {
    let mut fields = Fields::new();
    for (place, (name, value)) in pairs(NAMES, values)?.enumerate() {
        let Some(value) = value.as_ref().filter(|value| !value.is_null()) else { continue };
        if holds(place) == Holds::Option {
            return Err(bad_row(no_field(name)));
        }
        if let Some(what) = value.not_text().filter(|_| holds(place) == Holds::Text) {
            return Err(bad_row(format!("{name} is {what}; expected text: {}", value.quoted())));
        }
        if matches!(value.other(), Some("an object" | "a list")) {
            return Err(bad_row(format!("{name} is neither text nor a number: {}", value.quoted())));
        }
        let text = match value {
            // Bytes without digits are the number 0.
            Value::Bytes(bytes) if bytes.is_empty() && holds(place) == Holds::Numbers => "0".into(),
            value => value.text().map_err(|error| bad_row(format!("{name}: {error}")))?,
        };
        // Bytes of Parquet are the bytes of the message.
        let name = if name == "message" && matches!(value, Value::Bytes(_)) { "message_hex" } else { name };
        if fields.insert(name, text.into_owned()).is_some() {
            return Err(bad_row(ONE_MESSAGE));
        }
    }
    Ok(fields)
}

impl Interpret for Signatures {
    type Work = Signed;
    type Expected = bool;

    fn row(&mut self, rows: &dyn RowSource) -> Ask<Signed, bool> {
        let mut values = [const { None }; NAMES.len()];
        let read = rows.values(&mut values).and_then(|()| fields(&values));
        let id = values[0].as_ref().filter(|id| !id.is_null() && !matches!(id.other(), Some("an object" | "a list")));
        let id = id.map(|id| match id {
            // A number of CSV stays one.
            Value::Field(text) if is_json(text) => text.as_ref().into(),
            id => id.json(),
        });
        let fields = match read {
            Ok(fields) => fields,
            Err(flaw) => return Ask { id, expected: None, what: Err(flaw) },
        };
        let what = self.signed(&fields);
        let expected = fields.get("expected").map(|text| text.trim_ascii().to_ascii_lowercase());
        let (expected, what) = match expected.as_deref() {
            None => (None, what),
            Some("true" | "valid") => (Some(true), what),
            Some("false" | "invalid") => (Some(false), what),
            Some(other) => (None, Err(bad_row(format!("expected is true or false, not {}", shown(other))))),
        };
        Ask { id, expected, what }
    }
}

/// Whether text is a scalar of JSON.
fn is_json(text: &str) -> bool {
    !text.trim_start().starts_with(['{', '[']) && serde_json::from_str::<&serde_json::value::RawValue>(text).is_ok()
}

/// Verifies signatures, and counts their weaknesses.
#[derive(Debug)]
pub struct Verdicts<'a> {
    options: Options<'a>,
    policy: Policy,
    /// Weaknesses with which no signature is good.
    refused: Vec<Weaknesses>,
    /// Valid signatures, and others.
    pub valid: u64,
    /// Signatures that are not valid.
    pub invalid: u64,
    /// How many signatures are not valid for each reason: a mismatch may be an attack, a policy refuses an old key.
    pub reasons: BTreeMap<String, u64>,
    /// Valid signatures that are refused for a weakness.
    pub weak: u64,
    /// How many signatures have each weakness.
    pub weaknesses: BTreeMap<String, u64>,
}

impl<'a> Verdicts<'a> {
    /// By a policy; a signature with one of the weaknesses is not good.
    pub fn new(options: Options<'a>, policy: Policy, refused: Vec<Weaknesses>) -> Self {
        let (reasons, weaknesses) = (BTreeMap::new(), BTreeMap::new());
        Self { options, policy, refused, valid: 0, invalid: 0, reasons, weak: 0, weaknesses }
    }

    /// The names of the weaknesses for which a valid signature is refused.
    fn fails_on(&self, verdict: &Verdict) -> Vec<&'static str> {
        if !verdict.is_valid() {
            return Vec::new();
        }
        let has = |weakness: &&Weaknesses| verdict.weaknesses().contains(**weakness);
        self.refused.iter().filter(has).flat_map(|weakness| weakness.names()).collect()
    }
}

impl Task for Verdicts<'_> {
    type Work = Signed;
    type Expected = bool;
    type Answer = Verdict;

    fn answers(&self, work: &[&Signed]) -> Result<Vec<Result<Verdict, Error>>, Failure> {
        let checks: Vec<Check<'_>> = work.iter().map(|signed| signed.check()).collect();
        Ok(verify_list(&checks, self.policy, &self.options)?)
    }

    fn judge(&self, came: &Result<Verdict, Failure>, expected: Option<&bool>) -> Judgement {
        let Ok(verdict) = came else { return Judgement { matches: None, is_good: true } };
        let is_expected = verdict.is_valid() == expected.copied().unwrap_or(true);
        Judgement { matches: expected.map(|_| is_expected), is_good: is_expected && self.fails_on(verdict).is_empty() }
    }

    fn write(&mut self, verdict: &Verdict, out: &mut String) {
        let list = |names: &[&str]| names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(",");
        let fails_on = self.fails_on(verdict);
        *(if verdict.is_valid() { &mut self.valid } else { &mut self.invalid }) += 1;
        self.weak += u64::from(!fails_on.is_empty());
        let names: Vec<&str> = verdict.weaknesses().names().collect();
        names.iter().for_each(|name| count(&mut self.weaknesses, name));
        *out += &format!(",\"valid\":{}", verdict.is_valid());
        if let Some(reason) = verdict.reason() {
            count(&mut self.reasons, reason.code());
            *out += &format!(",\"reason\":\"{}\"", reason.code());
        }
        *out += &format!(",\"weaknesses\":[{}]", list(&names));
        if !fails_on.is_empty() {
            *out += &format!(",\"fails_on\":[{}]", list(&fails_on));
        }
    }
}

/// A number of a row, which is not negative.
fn natural(name: &'static str, text: &str, is_hexadecimal: bool) -> Result<Natural, Failure> {
    not_negative(name, number(name, text, is_hexadecimal, MOST_BITS)?)
}

fn not_negative(name: &str, number: Integer) -> Result<Natural, Failure> {
    if number.is_negative() {
        let value = shown(&format!("{number:#x}"));
        let why = format!("{name} is negative; keys and signatures have no negative numbers: '{value}'");
        return Err(Error::BadArgument(why).into());
    }
    Ok(number.into_magnitude())
}

fn bytes_of(name: &str, text: &str) -> Result<Vec<u8>, Failure> {
    let digits = text.trim_ascii();
    from_hex(digits.strip_prefix("0x").unwrap_or(digits).as_bytes())
        .ok_or_else(|| bad_row(format!("{name} is not hexadecimal of whole bytes: '{}'", shown(text))))
}
