//! `pingala verify`: a file of signatures, in constant memory, some thousands at a time.

use crate::failure::{self, Failure, Outcome};
use crate::output::Output;
use crate::print::{self, counted};
use crate::settings;
use clap::{Args, ValueEnum};
use pingala::{Error, Natural, Options};
use pingala_jobs::text::csv::{Quoting, split};
use pingala_jobs::text::lines::{Found, Lines};
use pingala_verify::{
    Check, DsaKey, Encoding, Hash, Message, Policy, PublicKey, RsaKey, Salt, Scheme, Signature, Verdict,
    explain_verify_list, verify_list,
};
use serde_json::value::RawValue;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Signatures that are verified together.
const CHUNK: usize = 4096;
/// Keys that are remembered by their text.
const MOST_KEYS: usize = 1 << 16;
/// Longest line.
const LINE_BYTES: usize = 1 << 26;

const FORMATS: &str = "\
Input: one signature per line, as a JSON object or as CSV with a header line. Fields:
  signature   hexadecimal, or base64 behind `base64:`; or r and s of DSA, or s of RSA, as numbers
  message     text; or message_hex, hexadecimal; or digest, hexadecimal
  key         the name of a key file, or its text; or the numbers p, q, g, y of DSA, or n, e of RSA; default: --key
  scheme, hash, encoding   as the options, which they replace for the row
  id          optional: copied to the output; the default is the line number
  expected    optional: true or false, to compare with
Key files: PEM or DER of SubjectPublicKeyInfo, PKCS#1 or X.509 certificates, lines of OpenSSH (ssh-rsa, ssh-dss).

Output: one JSON object per line, in the order of the input.
  {\"id\":1,\"valid\":true,\"weaknesses\":[]}               with expected also \"match\":true or false
  {\"id\":2,\"valid\":false,\"reason\":\"mismatch\",\"weaknesses\":[\"sha1\"]}
  {\"id\":3,\"error\":{\"code\":\"bad_row\",\"message\":\"...\",\"line\":3}}
Reasons: mismatch, bad_encoding, out_of_range, policy, key_too_short.

Exit status:
  0    every signature is valid, or as its row expected
  1    the run failed: a file or a setting
  2    the command line is wrong
  3    some rows are errors
  4    some signatures are not valid, or not as expected (wins over 3)
  130  interrupted by Ctrl-C (143: terminated)
  141  the reader of standard output closed it";

/// Verify a file of signatures, one per line: DSA and RSA
#[derive(Debug, Args)]
#[command(after_help = FORMATS)]
pub(crate) struct Arguments {
    /// JSON Lines or CSV (`-`: standard input)
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// Where the verdicts go (`-`: standard output)
    #[arg(short, long, value_name = "OUT", required_unless_present = "explain")]
    output: Option<PathBuf>,
    /// Replace an existing output
    #[arg(long)]
    force: bool,
    /// The key of rows that name none
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// Of rows that name none: dsa (default for DSA keys), rsa-pkcs1 or rsa-pss
    #[arg(long, value_enum, value_name = "SCHEME", hide_possible_values = true)]
    scheme: Option<SchemeName>,
    /// sha1, sha224, sha256, sha384, sha512, sha512_224, sha512_256, sha3_224, sha3_256, sha3_384, sha3_512
    #[arg(long, value_name = "HASH", default_value = "sha256", value_parser = parsed::<Hash>)]
    hash: Hash,
    /// The hash function of the mask of PSS (default: that of the message)
    #[arg(long, value_name = "HASH", value_parser = parsed::<Hash>)]
    mgf_hash: Option<Hash>,
    /// Bytes of the salt of PSS (default: any)
    #[arg(long, value_name = "BYTES")]
    salt: Option<usize>,
    /// der, lenient, p1363, raw, ssh or openpgp; for RSA der and raw are as wide as n
    #[arg(long, value_name = "ENCODING", default_value = "der", value_parser = parsed::<Encoding>)]
    encoding: Encoding,
    /// legacy (all sizes) or strict (those of FIPS 186)
    #[arg(long, value_name = "POLICY", default_value = "legacy", value_parser = parsed::<Policy>)]
    policy: Policy,
    /// Threads (default: all cores)
    #[arg(long, value_name = "COUNT", value_parser = settings::threads)]
    threads: Option<NonZeroUsize>,
    /// Print how the first signatures would be verified, and verify none
    #[arg(long)]
    explain: bool,
    /// No summary on standard error
    #[arg(short, long)]
    quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SchemeName {
    Dsa,
    RsaPkcs1,
    RsaPss,
}

fn parsed<T: std::str::FromStr<Err = Error>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: Error| error.to_string().replace("bad argument: ", ""))
}

impl Arguments {
    fn scheme(&self, name: SchemeName, hash: Hash) -> Scheme {
        match name {
            SchemeName::Dsa => Scheme::Dsa(hash),
            SchemeName::RsaPkcs1 => Scheme::RsaPkcs1(hash),
            SchemeName::RsaPss => {
                let salt = self.salt.map_or(Salt::Any, Salt::Bytes);
                Scheme::RsaPss { hash, mgf: self.mgf_hash.unwrap_or(hash), salt }
            }
        }
    }
}

/// A row that could be read.
struct Task {
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
    fn check(&self) -> Check<'_> {
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
struct Row {
    line: u64,
    /// As JSON.
    id: String,
    expected: Option<bool>,
    task: Result<Task, (&'static str, String)>,
}

/// The fields of a row that are there, as text.
type Fields = HashMap<String, String>;

/// What is wrong with a row.
type Flaw = (&'static str, String);

fn bad_row(why: impl Into<String>) -> Flaw {
    ("bad_row", why.into())
}

fn of_error(error: &Error) -> Flaw {
    (error.code(), error.to_string())
}

/// Reads rows, and remembers keys.
struct Rows<'a> {
    arguments: &'a Arguments,
    lines: Lines<Box<dyn Read>>,
    name: String,
    /// The columns of CSV, once the header was read.
    header: Option<Vec<String>>,
    is_csv: Option<bool>,
    default_key: Option<PublicKey>,
    keys: HashMap<String, Result<PublicKey, Flaw>>,
}

impl<'a> Rows<'a> {
    fn open(arguments: &'a Arguments) -> Result<Self, Failure> {
        let (stream, name): (Box<dyn Read>, _) = if arguments.input.as_os_str() == "-" {
            (Box::new(io::stdin()), "standard input".into())
        } else {
            let file =
                File::open(&arguments.input).map_err(|error| Failure::of_file("read", &arguments.input, &error))?;
            (Box::new(file), arguments.input.display().to_string())
        };
        let default_key = match &arguments.key {
            None => None,
            Some(path) => {
                let key = PublicKey::load(&fs::read(path).map_err(|error| Failure::of_file("read", path, &error))?);
                Some(key.map_err(|error| Failure::Failed(format!("{}: {error}", path.display())))?)
            }
        };
        let extension =
            arguments.input.extension().and_then(|extension| extension.to_str()).map(str::to_ascii_lowercase);
        let is_csv = match extension.as_deref() {
            Some("csv") => Some(true),
            Some("jsonl" | "ndjson" | "json") => Some(false),
            _ => None,
        };
        let lines = Lines::new(stream, LINE_BYTES);
        Ok(Self { arguments, lines, name, header: None, is_csv, default_key, keys: HashMap::new() })
    }

    /// At most a chunk of rows; none at the end.
    fn chunk(&mut self) -> Result<Vec<Row>, Failure> {
        let mut rows = Vec::new();
        while rows.len() < CHUNK {
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
            split(&text, b',').map_err(|why| Failure::Failed(format!("{}, line {line}: {why}", self.name)))?;
        let columns: Vec<String> = columns.into_iter().map(|column| column.trim().to_string()).collect();
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
            let named = header.iter().zip(values).filter(|(_, value)| !value.is_empty());
            fields.extend(named.map(|(name, value)| (name.clone(), value.into_owned())));
            return Ok(fields);
        }
        let object: HashMap<String, &RawValue> =
            serde_json::from_str(text).map_err(|error| bad_row(format!("no JSON object: {error}")))?;
        for (name, value) in object {
            let raw = value.get();
            if raw == "null" {
                continue;
            }
            let text = if name != "id" && raw.starts_with('"') {
                serde_json::from_str(raw).map_err(|error| bad_row(format!("{name}: {error}")))?
            } else {
                raw.to_string()
            };
            fields.insert(name, text);
        }
        Ok(fields)
    }

    fn task(&mut self, fields: &Fields) -> Result<Task, Flaw> {
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
            (None, Some(r), Some(s)) => Signed::Pair(number("r", r)?, number("s", s)?),
            (None, None, Some(s)) => Signed::Number(number("s", s)?),
            _ => return Err(bad_row("a row has signature, or r and s, or s")),
        };
        let key = self.key(fields)?;
        let name = match (name, &key) {
            (Some(name), _) => name,
            (None, PublicKey::Dsa(_)) => SchemeName::Dsa,
            (None, _) => {
                return Err(bad_row("a key of RSA needs a scheme: --scheme rsa-pkcs1 or rsa-pss, or the field scheme"));
            }
        };
        Ok(Task { key, scheme: self.arguments.scheme(name, hash.unwrap_or(self.arguments.hash)), message, signature })
    }

    fn key(&mut self, fields: &Fields) -> Result<PublicKey, Flaw> {
        const NUMBERS: [&str; 6] = ["p", "q", "g", "y", "n", "e"];
        let numbers = NUMBERS.map(|name| fields.get(name).map_or("", String::as_str));
        let given = match fields.get("key") {
            Some(text) => text.clone(),
            None if numbers.iter().any(|text| !text.is_empty()) => numbers.join(" "),
            None => {
                return self.default_key.clone().ok_or_else(|| bad_row("the row names no key, and there is no --key"));
            }
        };
        if let Some(known) = self.keys.get(&given) {
            return known.clone();
        }
        let key = match fields.get("key") {
            Some(text) if text.contains("-----BEGIN ") || text.trim_start().starts_with("ssh-") => {
                PublicKey::load(text.as_bytes()).map_err(|error| of_error(&error))
            }
            Some(path) => fs::read(path)
                .map_err(|error| ("bad_file", format!("cannot read {path}: {}", failure::plain(&error))))
                .and_then(|data| PublicKey::load(&data).map_err(|error| (error.code(), format!("{path}: {error}")))),
            None => {
                let at = |index: usize| number(NUMBERS[index], numbers[index]);
                if numbers[4].is_empty() {
                    DsaKey::new(at(0)?, at(1)?, at(2)?, at(3)?).map(PublicKey::from).map_err(|error| of_error(&error))
                } else {
                    RsaKey::new(at(4)?, at(5)?).map(PublicKey::from).map_err(|error| of_error(&error))
                }
            }
        };
        if self.keys.len() >= MOST_KEYS {
            self.keys.clear();
        }
        self.keys.insert(given, key.clone());
        key
    }
}

fn row(line: u64, fields: Option<&Fields>, task: Result<Task, Flaw>) -> Row {
    let id = fields.and_then(|fields| fields.get("id")).map(|id| match serde_json::from_str::<&RawValue>(id) {
        Ok(_) => id.clone(),
        Err(_) => serde_json::Value::from(id.as_str()).to_string(),
    });
    let expected = fields.and_then(|fields| fields.get("expected")).map(|text| text.trim().to_ascii_lowercase());
    let (expected, task) = match expected.as_deref() {
        None => (None, task),
        Some("true" | "valid") => (Some(true), task),
        Some("false" | "invalid") => (Some(false), task),
        Some(other) => (None, Err(bad_row(format!("expected is true or false, not {other}")))),
    };
    Row { line, id: id.unwrap_or_else(|| line.to_string()), expected, task }
}

fn number(name: &str, text: &str) -> Result<Natural, Flaw> {
    if text.is_empty() {
        return Err(bad_row(format!("the row has no {name}")));
    }
    Natural::parse_capped(text.trim(), 1 << 16).map_err(|error| (error.code(), format!("{name}: {error}")))
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

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let mut rows = Rows::open(arguments)?;
    if arguments.explain {
        let rows = rows.chunk()?;
        let checks: Vec<Check<'_>> = rows.iter().filter_map(|row| row.task.as_ref().ok()).map(Task::check).collect();
        print::output(&format!("{}\n", explain_verify_list(&checks, arguments.policy)?))?;
        return Ok(failure::GOOD);
    }
    let path = arguments.output.clone().unwrap_or_default();
    let input = [arguments.input.as_path()];
    let mut output =
        Output::open(&path, if arguments.input.as_os_str() == "-" { &[] } else { &input }, arguments.force)?;
    let options = Options::default().with_threads(arguments.threads);
    let (mut valid, mut invalid, mut errors, mut surprises) = (0u64, 0u64, 0u64, 0u64);
    let mut first_error = String::new();
    let mut text = String::new();
    loop {
        let chunk = rows.chunk()?;
        if chunk.is_empty() {
            break;
        }
        let checks: Vec<Check<'_>> = chunk.iter().filter_map(|row| row.task.as_ref().ok()).map(Task::check).collect();
        let mut verdicts = verify_list(&checks, arguments.policy, &options)?.into_iter();
        text.clear();
        for row in &chunk {
            let said: Result<Verdict, Flaw> = match &row.task {
                Err(flaw) => Err(flaw.clone()),
                Ok(_) => match verdicts.next() {
                    Some(verdict) => verdict.map_err(|error| of_error(&error)),
                    None => return Err(Failure::Failed("fewer verdicts than rows; this is a bug in pingala".into())),
                },
            };
            match &said {
                Err((_, message)) => {
                    if errors == 0 {
                        first_error = format!("; the first, line {}: {message}", row.line);
                    }
                    errors += 1;
                }
                Ok(verdict) if verdict.is_valid() => valid += 1,
                Ok(_) => invalid += 1,
            }
            if let Ok(verdict) = &said {
                surprises += u64::from(verdict.is_valid() != row.expected.unwrap_or(true));
            }
            write_row(&mut text, row, &said);
        }
        output.write(text.as_bytes())?;
    }
    output.finish()?;
    if !arguments.quiet {
        print::note(&format!("{valid} valid, {invalid} not valid, {}{first_error}", counted(errors, "error")));
    }
    Ok(match (surprises, errors) {
        (0, 0) => failure::GOOD,
        (0, _) => failure::BAD_ROWS,
        _ => failure::MISMATCHES,
    })
}

fn write_row(text: &mut String, row: &Row, said: &Result<Verdict, Flaw>) {
    let id = &row.id;
    match said {
        Ok(verdict) => {
            let names: Vec<String> = verdict.weaknesses().names().map(|name| format!("\"{name}\"")).collect();
            *text += &format!("{{\"id\":{id},\"valid\":{}", verdict.is_valid());
            if let Some(reason) = verdict.reason() {
                *text += &format!(",\"reason\":\"{}\"", reason.code());
            }
            *text += &format!(",\"weaknesses\":[{}]", names.join(","));
            if let Some(expected) = row.expected {
                *text += &format!(",\"match\":{}", verdict.is_valid() == expected);
            }
        }
        Err((code, message)) => {
            let message = serde_json::Value::from(message.as_str());
            *text +=
                &format!("{{\"id\":{id},\"error\":{{\"code\":\"{code}\",\"message\":{message},\"line\":{}}}", row.line);
        }
    }
    *text += "}\n";
}
