//! `pingala verify`: a file of signatures, in constant memory, some thousands at a time.

mod keys;
mod row;

pub(crate) use keys::read_key_file;

use crate::failure::{self, Failure, Outcome};
use crate::output::Output;
use crate::print::{self, Counts, counted, grouped};
use crate::settings;
use clap::{Args, ValueEnum};
use pingala::{Error, Options};
use pingala_rows::exactly;
use pingala_rows::text::shown;
use pingala_verify::{
    Check, Encoding, Hash, Policy, Salt, Scheme, Verdict, Weaknesses, explain_verify_list, verify_list,
};
use row::{Flaw, Row, Rows, Task, of_error};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

const FORMATS: &str = "\
Input: one signature per line, as a JSON object or as CSV with a header line. Fields:
  signature   hexadecimal, or base64 behind `base64:`; or r and s of DSA, or s of RSA, as numbers
  message     text; or message_hex, hexadecimal; or digest, hexadecimal
  key         the text of a key file, or, with --key-folder, the name of one; or the numbers p, q, g, y of DSA, or n, e of RSA;
              default: --key
  scheme, hash, encoding   as the options, which they replace for the row
  id          optional: copied to the output; the default is the line number
  expected    optional: true or false, to compare with
Key files: PEM or DER of SubjectPublicKeyInfo, PKCS#1 or X.509 certificates, lines of OpenSSH (ssh-rsa, ssh-dss).

Output: one JSON object per line, in the order of the input.
  {\"id\":1,\"valid\":true,\"weaknesses\":[]}               with expected also \"match\":true or false
  {\"id\":2,\"valid\":false,\"reason\":\"mismatch\",\"weaknesses\":[\"sha1\"]}
  {\"id\":3,\"error\":{\"code\":\"bad_row\",\"message\":\"...\",\"line\":3}}
Reasons: mismatch, bad_encoding, out_of_range, policy, key_too_short.

The summary counts weaknesses of all signatures. With --fail-on sha1,short_key a valid signature that has one of them is not as it should
be: it has \"fails_on\":[\"sha1\"] in its row, and the status is 4. An input without a signature is an error.

Exit status:
  0    every signature is valid, or as its row expected
  1    the run failed: a file or a setting, or no signature at all
  2    the command line is wrong
  3    some rows are errors
  4    some signatures are not valid, or not as expected, or weak as --fail-on says (wins over 3)
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
    /// Let rows name key files below this folder (default: rows name no files)
    #[arg(long, value_name = "DIR")]
    key_folder: Option<PathBuf>,
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
    /// Numbers of rows are hexadecimal, with 0x or without
    #[arg(long)]
    hex_input: bool,
    /// Weaknesses with which no signature is good: short_key, sha1, odd_sizes, small_exponent, short_digest
    #[arg(long, value_name = "WEAKNESSES", value_delimiter = ',', value_parser = weakness)]
    fail_on: Vec<Weaknesses>,
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

fn weakness(name: &str) -> Result<Weaknesses, String> {
    const ALL: [Weaknesses; 5] = [
        Weaknesses::SHORT_KEY,
        Weaknesses::SHA1,
        Weaknesses::ODD_SIZES,
        Weaknesses::SMALL_EXPONENT,
        Weaknesses::SHORT_DIGEST,
    ];
    ALL.into_iter().find(|weakness| weakness.names().eq([name])).ok_or_else(|| {
        let names: Vec<&str> = ALL.iter().flat_map(|weakness| weakness.names()).collect();
        format!("no weakness is called '{}'; there are {}", shown(name), names.join(", "))
    })
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
                Scheme::RsaPssOfKey { hash: Some(hash), mgf: self.mgf_hash, salt }
            }
        }
    }
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
    let inputs: Vec<&Path> =
        [Some(&arguments.input), arguments.key.as_ref()].into_iter().flatten().map(PathBuf::as_path).collect();
    let mut output = Output::open(&path, &inputs, arguments.force)?;
    let options = Options::default().with_threads(arguments.threads);
    let mut tally = Tally::default();
    let mut text = String::new();
    loop {
        let chunk = rows.chunk()?;
        if chunk.is_empty() {
            break;
        }
        let checks: Vec<Check<'_>> = chunk.iter().filter_map(|row| row.task.as_ref().ok()).map(Task::check).collect();
        let verdicts = verify_list(&checks, arguments.policy, &options)?;
        let mut verdicts = exactly(&checks, verdicts)?.map(|(_, verdict)| verdict);
        text.clear();
        for row in &chunk {
            let said: Result<Verdict, Flaw> = match &row.task {
                Err(flaw) => Err(flaw.clone()),
                Ok(_) => verdicts
                    .next()
                    .unwrap_or(Err(Error::Fault("a row has no verdict")))
                    .map_err(|error| of_error(&error)),
            };
            let fails_on = fails_on(&said, &arguments.fail_on);
            tally.add(row, &said, &fails_on);
            write_row(&mut text, row, &said, &fails_on);
        }
        output.write(text.as_bytes())?;
    }
    if tally.rows() == 0 {
        return Err(Failure::Failed(format!("{} holds no signature", rows.name())));
    }
    output.finish()?;
    if !arguments.quiet {
        tally.summarise();
    }
    Ok(tally.status())
}

/// The names of the weaknesses for which a valid signature is refused.
fn fails_on(said: &Result<Verdict, Flaw>, refused: &[Weaknesses]) -> Vec<&'static str> {
    match said {
        Ok(verdict) if verdict.is_valid() => {
            let of = |weakness: &&Weaknesses| verdict.weaknesses().contains(**weakness);
            refused.iter().filter(of).flat_map(|weakness| weakness.names()).collect()
        }
        _ => Vec::new(),
    }
}

/// What came of the rows.
#[derive(Default)]
struct Tally {
    valid: u64,
    invalid: u64,
    errors: u64,
    /// Verdicts that are not as they should be.
    surprises: u64,
    refused: u64,
    weaknesses: Counts,
    codes: Counts,
    first_error: String,
}

impl Tally {
    fn add(&mut self, row: &Row, said: &Result<Verdict, Flaw>, fails_on: &[&str]) {
        match said {
            Err((code, message)) => {
                if self.errors == 0 {
                    self.first_error = format!("; the first, line {}: {message}", row.line);
                }
                self.errors += 1;
                self.codes.add(code);
            }
            Ok(verdict) => {
                *(if verdict.is_valid() { &mut self.valid } else { &mut self.invalid }) += 1;
                verdict.weaknesses().names().for_each(|name| self.weaknesses.add(name));
                self.refused += u64::from(!fails_on.is_empty());
                let is_good = verdict.is_valid() == row.expected.unwrap_or(true) && fails_on.is_empty();
                self.surprises += u64::from(!is_good);
            }
        }
    }

    fn rows(&self) -> u64 {
        self.valid + self.invalid + self.errors
    }

    fn status(&self) -> i32 {
        match (self.surprises, self.errors) {
            (0, 0) => failure::GOOD,
            (0, _) => failure::BAD_ROWS,
            _ => failure::MISMATCHES,
        }
    }

    fn summarise(&self) {
        let (valid, invalid, errors) = (grouped(self.valid), grouped(self.invalid), counted(self.errors, "error"));
        print::note(&format!("{valid} valid, {invalid} not valid, {errors}{}", self.first_error));
        if !self.codes.is_empty() {
            print::note(&format!("errors by code: {}", self.codes));
        }
        if !self.weaknesses.is_empty() {
            print::note(&format!("weaknesses: {}", self.weaknesses));
        }
        if self.refused > 0 {
            print::note(&format!("valid, but refused by --fail-on: {}", grouped(self.refused)));
        }
    }
}

fn write_row(text: &mut String, row: &Row, said: &Result<Verdict, Flaw>, fails_on: &[&str]) {
    let id = &row.id;
    match said {
        Ok(verdict) => {
            let names: Vec<String> = verdict.weaknesses().names().map(|name| format!("\"{name}\"")).collect();
            *text += &format!("{{\"id\":{id},\"valid\":{}", verdict.is_valid());
            if let Some(reason) = verdict.reason() {
                *text += &format!(",\"reason\":\"{}\"", reason.code());
            }
            *text += &format!(",\"weaknesses\":[{}]", names.join(","));
            if !fails_on.is_empty() {
                *text += &format!(",\"fails_on\":[\"{}\"]", fails_on.join("\",\""));
            }
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
