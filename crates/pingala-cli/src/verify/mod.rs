//! `pingala verify`: a file of signatures, in constant memory, some thousands at a time.

mod keys;
mod row;

pub(crate) use keys::read_key_file;

use crate::failure::{self, Outcome};
use crate::output::Output;
use crate::print::{self, counted};
use crate::settings;
use clap::{Args, ValueEnum};
use pingala::{Error, Options};
use pingala_jobs::exactly;
use pingala_verify::{Check, Encoding, Hash, Policy, Salt, Scheme, Verdict, explain_verify_list, verify_list};
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
    let (mut valid, mut invalid, mut errors, mut surprises) = (0u64, 0u64, 0u64, 0u64);
    let mut first_error = String::new();
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
