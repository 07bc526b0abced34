//! The task of a job, which is the same for every part, every machine and every run.

use crate::error::{Error, Result};
use crate::seal::hex;
use crate::text::{listed, shown};
use pingala_core::{Integer, Limits};
use pingala_verify::{Encoding, Hash, Policy, Salt, Scheme};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use std::str::FromStr;

/// A job as a user asks for it; the plan settles the rest.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Request {
    /// Files, folders, or names with `*` and `?` in their last component.
    pub inputs: Vec<String>,
    /// The folder of the results.
    pub output: PathBuf,
    /// What is computed.
    pub workload: Workload,
    /// Columns or numbers: a column's name wins, `value:` says otherwise.
    pub base: Option<String>,
    /// A column or a number, like the base.
    pub exponent: Option<String>,
    /// A column or a number, like the base.
    pub modulus: Option<String>,
    /// The rounds of Miller and Rabin with random bases of a job that tests for primality; by default 1.
    pub rounds: Option<u32>,
    /// The settings of a job that verifies signatures.
    pub signatures: Signatures,
    /// Columns that are copied, in this order.
    pub keep: Vec<String>,
    /// The name of the results' column; by default `result`.
    pub result: Option<String>,
    /// Rows of a part; by default as many as take some ten seconds.
    pub part_rows: Option<u64>,
    /// The treatment of rows without a result.
    pub errors: Errors,
    /// Bytes of each result; by default those of the moduli's type.
    pub width: Option<u32>,
    /// The format of the results.
    pub format: Format,
    /// Text results in decimal instead of hexadecimal.
    pub decimal: bool,
    /// Text in columns of numbers is hexadecimal, with `0x` or without.
    pub hex_input: bool,
    /// The meanings of binary columns that Parquet does not annotate. Without one a column of bytes of fixed width is refused, and so is
    /// one of any width that reads as text; others are unsigned numbers, most significant byte first.
    pub binary: Binaries,
    /// Between the fields of CSV, in and out; by default a comma.
    pub delimiter: Option<char>,
}

impl Request {
    /// All texts that may be names of columns.
    pub(crate) fn names(&self) -> Vec<&str> {
        let Signatures { signature, message, key, .. } = &self.signatures;
        let given = [&self.base, &self.exponent, &self.modulus, key].into_iter().flatten();
        given.chain([signature, message]).chain(&self.keep).map(String::as_str).collect()
    }
}

/// What is computed of each row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Workload {
    /// base^exponent mod modulus.
    #[default]
    Power,
    /// The inverse of the base.
    Inverse,
    /// Whether a signature is valid.
    Verify,
    /// Whether the base is prime.
    #[serde(rename = "is_prime")]
    IsPrime,
}

/// The treatment of rows without a result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Errors {
    /// A null, and its code in the column `error`.
    #[default]
    Column,
    /// The job ends.
    Fail,
}

/// The meaning of the numbers in a binary column that Parquet does not annotate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Binary {
    /// Unsigned, most significant byte first. Plans of version 0.3.0 call it `bytes`.
    #[serde(alias = "bytes")]
    Big,
    /// Unsigned, least significant byte first.
    Little,
    /// Two's complement, most significant byte first.
    SignedBig,
    /// Two's complement, least significant byte first.
    SignedLittle,
    /// Text; zero bytes at the end of a fixed width are no part of it.
    Text,
}

/// One meaning as a user gives it: for a column, or for all columns.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Meaning {
    /// The column; none for all that have no meaning of their own.
    pub column: Option<String>,
    /// What it holds.
    pub binary: Binary,
}

impl Meaning {
    /// What a column holds, or without one all that have no meaning of their own.
    pub fn new(column: Option<String>, binary: Binary) -> Self {
        Self { column, binary }
    }
}

impl FromStr for Meaning {
    type Err = Error;

    /// `big`, or `base=big` for the column `base`. Error: `bad_argument`.
    fn from_str(text: &str) -> Result<Self> {
        let (column, word) = text.rsplit_once('=').map_or((None, text), |(column, word)| (Some(column.into()), word));
        Ok(Self { column, binary: word.parse()? })
    }
}

/// The meanings of binary columns that Parquet does not annotate.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
pub struct Binaries {
    of_others: Option<Binary>,
    of_columns: BTreeMap<String, Binary>,
}

/// The meanings in a plan.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Written {
    One(Option<Binary>),
    Each { of_others: Option<Binary>, of_columns: BTreeMap<String, Binary> },
}

impl From<Written> for Binaries {
    fn from(written: Written) -> Self {
        match written {
            Written::One(of_others) => Self { of_others, of_columns: BTreeMap::new() },
            Written::Each { of_others, of_columns } => Self { of_others, of_columns },
        }
    }
}

impl From<Binaries> for Written {
    fn from(Binaries { of_others, of_columns }: Binaries) -> Self {
        if of_columns.is_empty() { Self::One(of_others) } else { Self::Each { of_others, of_columns } }
    }
}

impl Binaries {
    /// What a user says. Error: `bad_argument`, if that is two things of one column.
    pub fn new(meanings: impl IntoIterator<Item = Meaning>) -> Result<Self> {
        let mut all = Self::default();
        for Meaning { column, binary } in meanings {
            let old = match &column {
                None => all.of_others.replace(binary),
                Some(column) => all.of_columns.insert(column.clone(), binary),
            };
            if old.is_some_and(|old| old != binary) {
                let of = column.map_or(String::new(), |column| format!(" of column {}", shown(&column)));
                return Err(Error::argument(format!("binary says two things{of}; it says one for each column")));
            }
        }
        Ok(all)
    }

    /// The meaning of a column.
    pub(crate) fn of(&self, column: &str) -> Option<Binary> {
        self.of_columns.get(column).copied().or(self.of_others)
    }

    /// The columns that have a meaning of their own.
    pub(crate) fn columns(&self) -> impl Iterator<Item = &str> {
        self.of_columns.keys().map(String::as_str)
    }

    fn is_empty(&self) -> bool {
        self.of_others.is_none() && self.of_columns.is_empty()
    }
}

/// How results are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Parquet, packed by zstd.
    #[default]
    Parquet,
    /// Comma-separated values below a header line.
    Csv,
    /// One JSON object a line.
    Jsonl,
}

impl Format {
    pub(crate) fn extension(self) -> &'static str {
        match self {
            Format::Parquet => "parquet",
            Format::Csv => "csv",
            Format::Jsonl => "jsonl",
        }
    }
}

macro_rules! names {
    ($($type:ident: $what:literal, $($name:literal => $value:ident),*;)*) => {
        $(impl FromStr for $type {
            type Err = Error;

            fn from_str(name: &str) -> Result<Self> {
                match name {
                    $($name => Ok(Self::$value),)*
                    other => {
                        let names = [$($name),*].join(", ");
                        Err(Error::argument(format!("there is no {} `{other}`; there are {names}", $what)))
                    }
                }
            }
        })*
    };
}

names! {
    Workload: "workload", "power" => Power, "inverse" => Inverse, "verify" => Verify, "is_prime" => IsPrime;
    Binary: "reading of binary", "big" => Big, "little" => Little, "signed-big" => SignedBig, "signed-little" => SignedLittle,
        "text" => Text, "bytes" => Big;
    Errors: "way of errors", "column" => Column, "fail" => Fail;
    Format: "format", "parquet" => Parquet, "csv" => Csv, "jsonl" => Jsonl;
}

/// The columns and settings of signatures; names as in `pingala verify`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Signatures {
    /// `dsa`, `rsa-pkcs1` or `rsa-pss`.
    pub scheme: String,
    /// The hash function of the messages; by default `sha256`, for `rsa-pss` that of the key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
    /// The hash function of the mask of PSS; by default that of the key, or of the message.
    pub mgf_hash: Option<String>,
    /// Bytes of the salt of PSS; by default any.
    pub salt: Option<u32>,
    /// The encoding of the signatures: `der`, `lenient`, `p1363`, `raw`, `ssh`, `openpgp`.
    pub encoding: String,
    /// `legacy`, `strict` or `modern`.
    pub policy: String,
    /// The column of the signatures.
    pub signature: String,
    /// The column of the messages, or of their digests.
    pub message: String,
    /// Whether that column holds digests.
    pub digests: bool,
    /// The column of the keys, as PEM, DER or a line of OpenSSH. Without it n and e are modulus and exponent.
    pub key: Option<String>,
    /// The key of all rows, as text or hexadecimal DER behind `0x`.
    pub one_key: Option<String>,
}

impl Signatures {
    /// The key of all rows for `one_key`: its text, or if it is not text, its digits behind `0x`.
    pub fn key_text(bytes: &[u8]) -> String {
        std::str::from_utf8(bytes).map_or_else(|_| format!("0x{}", hex(bytes)), str::to_string)
    }

    /// Adds the default hash function, which plans name; only for PSS the key may decide.
    fn with_hash(mut self) -> Self {
        if self.scheme != "rsa-pss" {
            self.hash.get_or_insert_with(|| "sha256".into());
        }
        self
    }

    pub(crate) fn scheme(&self) -> Result<Scheme> {
        let hash = self.hash.as_deref().map(Hash::from_str).transpose()?;
        let mgf = self.mgf_hash.as_deref().map(Hash::from_str).transpose()?;
        scheme(&self.scheme, hash, mgf, self.salt.map(|bytes| bytes as usize))
    }

    pub(crate) fn encoding(&self) -> Result<Encoding> {
        Ok(Encoding::from_str(&self.encoding)?)
    }

    pub(crate) fn policy(&self) -> Result<Policy> {
        Ok(Policy::from_str(&self.policy)?)
    }
}

/// The names of schemes.
pub const SCHEMES: [&str; 3] = ["dsa", "rsa-pkcs1", "rsa-pss"];

/// The scheme of a name, with the hash functions and the length of the salt, if given. The default hash is `sha256`, or for
/// PSS that of the key. Error: `bad_argument`.
pub(crate) fn scheme(name: &str, hash: Option<Hash>, mgf: Option<Hash>, salt: Option<usize>) -> Result<Scheme> {
    let of_message = hash.unwrap_or(Hash::Sha256);
    Ok(match name {
        "dsa" => Scheme::Dsa(of_message),
        "rsa-pkcs1" => Scheme::RsaPkcs1(of_message),
        "rsa-pss" => Scheme::RsaPssOfKey { hash, mgf, salt: salt.map_or(Salt::Any, Salt::Bytes) },
        other => {
            return Err(Error::argument(format!("there is no scheme `{other}`; there are {}", SCHEMES.join(", "))));
        }
    })
}

/// The source of the numbers of one argument.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Operand {
    /// A column.
    Column(String),
    /// One number for all rows, in hexadecimal.
    Value(String),
}

impl Operand {
    /// The operand that a user typed: one of these columns, or a number.
    pub(crate) fn of(what: &str, text: &str, columns: &[String]) -> Result<Self> {
        let value = |text: &str| {
            Integer::parse_capped(text.trim(), Limits::default().exponent_bits)
                .map(|value| Operand::Value(format!("{value:#x}")))
        };
        if let Some(text) = text.strip_prefix("value:") {
            return value(text).map_err(|error| Error::argument(format!("{what}: {error}")));
        }
        if columns.iter().any(|column| column == text) {
            return Ok(Operand::Column(text.into()));
        }
        value(text).map_err(|_| {
            let (text, columns) = (shown(text), listed(columns));
            Error::argument(format!("{what}: `{text}` is neither a column nor a number; the columns are {columns}"))
        })
    }

    pub(crate) fn column(&self) -> Option<&str> {
        match self {
            Operand::Column(name) => Some(name),
            Operand::Value(_) => None,
        }
    }

    pub(crate) fn value(&self) -> Option<Result<Integer>> {
        match self {
            Operand::Column(_) => None,
            Operand::Value(text) => {
                Some(Integer::parse_capped(text, Limits::default().exponent_bits).map_err(Error::from))
            }
        }
    }
}

/// The task as the plan has it: columns and values told apart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Task {
    pub(crate) workload: Workload,
    pub(crate) base: Option<Operand>,
    pub(crate) exponent: Option<Operand>,
    pub(crate) modulus: Option<Operand>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) rounds: Option<u32>,
    pub(crate) signatures: Option<Signatures>,
    pub(crate) keep: Vec<String>,
    pub(crate) result: String,
    pub(crate) errors: Errors,
    pub(crate) width: Option<u32>,
    pub(crate) format: Format,
    pub(crate) decimal: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) hex_input: bool,
    #[serde(default, skip_serializing_if = "Binaries::is_empty")]
    pub(crate) binary: Binaries,
    pub(crate) delimiter: char,
}

/// The delimiter of CSV as a byte. Error: `bad_argument`, for a character that cannot stand between fields.
pub(crate) fn delimiter(letter: char) -> Result<u8> {
    match u8::try_from(letter) {
        Ok(byte) if byte.is_ascii() && !b"\"\n\r".contains(&byte) => Ok(byte),
        _ => Err(Error::argument("the delimiter is one ASCII character, and neither a quote nor a line end")),
    }
}

/// Most rounds of a test of primality.
const MOST_ROUNDS: u32 = 1000;

/// How many operands are numbers: base, exponent and modulus. Behind them come signature, message and key.
pub(crate) const NUMBERS: usize = 3;

/// The column of error codes.
pub(crate) const ERROR: &str = "error";
/// The column of why a signature is not valid.
pub(crate) const REASON: &str = "reason";

impl Task {
    /// The task of a request over inputs with these columns.
    pub(crate) fn of(request: &Request, columns: &[String]) -> Result<Self> {
        let operand =
            |what: &str, text: &Option<String>| text.as_ref().map(|text| Operand::of(what, text, columns)).transpose();
        let verify = request.workload == Workload::Verify;
        let task = Self {
            workload: request.workload,
            base: operand(if request.workload == Workload::IsPrime { "number" } else { "base" }, &request.base)?,
            exponent: operand("exponent", &request.exponent)?,
            modulus: operand("modulus", &request.modulus)?,
            rounds: request.rounds,
            signatures: verify.then(|| request.signatures.clone().with_hash()),
            keep: request.keep.clone(),
            result: request.result.clone().unwrap_or_else(|| "result".into()),
            errors: request.errors,
            width: request.width,
            format: request.format,
            decimal: request.decimal,
            hex_input: request.hex_input,
            binary: request.binary.clone(),
            delimiter: request.delimiter.unwrap_or(','),
        };
        task.check(columns)?;
        Ok(task)
    }

    /// Error: `bad_argument`, for a task that cannot be done over inputs with these columns.
    pub(crate) fn check(&self, columns: &[String]) -> Result<()> {
        self.check_alone()?;
        for name in self.columns() {
            if !columns.contains(&name) {
                let (name, columns) = (shown(&name), listed(columns));
                return Err(Error::argument(format!("the input has no column {name}; it has {columns}")));
            }
        }
        Ok(())
    }

    /// The columns whose values are numbers.
    pub(crate) fn numbers(&self) -> Vec<String> {
        let operands = self.operands();
        operands.iter().take(NUMBERS).flatten().filter_map(Operand::column).map(str::to_owned).collect()
    }

    /// Error: `bad_argument`, for a task that cannot be done whatever the inputs are.
    pub(crate) fn check_alone(&self) -> Result<()> {
        if self.signatures.is_some() != (self.workload == Workload::Verify) {
            return Err(Error::argument("a job has settings of signatures if it verifies some"));
        }
        if self.rounds.is_some_and(|rounds| self.workload != Workload::IsPrime || rounds > MOST_ROUNDS) {
            return Err(Error::argument(format!("a job has rounds, {MOST_ROUNDS} at most, if it tests for primality")));
        }
        let given = [("base", &self.base), ("exponent", &self.exponent), ("modulus", &self.modulus)];
        let wanted: &[&str] = match self.workload {
            Workload::Power => &["base", "exponent", "modulus"],
            Workload::Inverse => &["base", "modulus"],
            Workload::IsPrime => &["base"],
            Workload::Verify => {
                let signatures = self.signatures.clone().unwrap_or_default();
                signatures.scheme()?;
                signatures.encoding()?;
                signatures.policy()?;
                if signatures.key.is_some() || signatures.one_key.is_some() { &[] } else { &["exponent", "modulus"] }
            }
        };
        for (name, operand) in given {
            match (operand, wanted.contains(&name)) {
                (None, true) => {
                    return Err(Error::argument(format!("this job needs the {name}: a column or a number")));
                }
                (Some(_), false) => return Err(Error::argument(format!("this job has no {name}"))),
                (operand, _) => drop(operand.as_ref().and_then(Operand::value).transpose()?),
            }
        }
        let reason = (self.workload == Workload::Verify).then_some(REASON);
        let mut written = HashSet::new();
        let names = self.keep.iter().map(String::as_str).chain([self.result.as_str(), ERROR]).chain(reason);
        if let Some(name) = names.into_iter().find(|name| !written.insert(*name)) {
            return Err(Error::argument(format!(
                "the output would have two columns named {}; --result renames the results",
                shown(name)
            )));
        }
        if self.width == Some(0) || self.width.is_some_and(|width| width > 1 << 24) {
            return Err(Error::argument("the width of results is 1 to 16777216 bytes"));
        }
        delimiter(self.delimiter).map(drop)
    }

    /// The operands in the order in which batches have them.
    pub(crate) fn operands(&self) -> [Option<Operand>; 6] {
        let of = |name: Option<&String>| name.map(|name| Operand::Column(name.clone()));
        let signatures = self.signatures.as_ref();
        [
            self.base.clone(),
            self.exponent.clone(),
            self.modulus.clone(),
            of(signatures.map(|signatures| &signatures.signature)),
            of(signatures.map(|signatures| &signatures.message)),
            of(signatures.and_then(|signatures| signatures.key.as_ref())),
        ]
    }

    /// Every column that is read.
    pub(crate) fn columns(&self) -> Vec<String> {
        let mut columns: Vec<String> = Vec::new();
        let operands = self.operands();
        let operands = operands.iter().flatten().filter_map(Operand::column).map(str::to_owned);
        for name in operands.chain(self.keep.iter().cloned()) {
            if !columns.contains(&name) {
                columns.push(name);
            }
        }
        columns
    }
}
