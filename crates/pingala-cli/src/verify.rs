//! `pingala verify`: a file of signatures, in constant memory. Rows are read, verified and counted in [`pingala_rows::stream`].

use crate::batch::status;
use crate::failure::{Failure, GOOD, Outcome};
use crate::json::{self, Object};
use crate::names::{self, Names};
use crate::output::Output;
use crate::print::{self, counted, grouped};
use crate::progress::Progress;
use crate::settings::{self, Rows, SALT_BYTES};
use clap::Args;
use clap::builder::PossibleValuesParser;
use pingala_core::Options;
use pingala_core::files::read_capped;
use pingala_rows::records::Rules;
use pingala_rows::stream::{self, Csv, Input, Source, Tally};
use pingala_rows::verdicts::{FILE_BYTES, NAMES, Settings, Signatures, Verdicts, holds};
use pingala_rows::{Folder, SCHEMES};
use pingala_verify::{Check, Encoding, Hash, Policy, PublicKey, Weaknesses, explain_verify_list};
use std::path::{Path, PathBuf};

const USAGE: &str = "pingala verify [OPTIONS] --output <OUT> <IN>
       pingala verify [OPTIONS] --explain <IN>";

const FORMATS: &str = "\
Input: Parquet; or text, packed or not, with one signature per line, as a JSON object or as CSV with a header line. Fields:
  signature   hexadecimal, or base64 behind `base64:`; or r and s of DSA, or s of RSA, as numbers
  message     text; or message_hex, hexadecimal; or digest, hexadecimal
  key         the text of a key file, or, with --key-folder, the name of one; or the numbers p, q, g, y of DSA, or n, e of RSA; \
              or 0x and hexadecimal DER; default: --key
  scheme, hash, encoding   as the options, which they replace for the row
  salt, mgf_hash, policy and fail_on are options of the run: a row that has one of them is refused
  id          optional: copied to the output; the default is the number of the line or row
  expected    optional: true or false, to compare with
Binary columns of Parquet are the bytes of a signature, a message, a digest or a key, or an unsigned number; bytes that all \
read as text need --binary.
Key files: PEM or DER of SubjectPublicKeyInfo, PKCS#1 or X.509 certificates, lines of OpenSSH (ssh-rsa, ssh-dss).

Output: one JSON object per line, in the order of the input.
  {\"id\":1,\"valid\":true,\"weaknesses\":[]}               with expected also \"match\":true or false
  {\"id\":2,\"valid\":false,\"reason\":\"mismatch\",\"weaknesses\":[\"sha1\"]}
  {\"id\":3,\"error\":{\"code\":\"bad_row\",\"message\":\"...\",\"line\":3}}
Or CSV with the columns id, valid, reason, weaknesses and fails_on (with blanks between their words), match, error, message and line \
(row, if the input is Parquet), for an output whose name ends with .csv, or with --format csv.
Reasons: mismatch, bad_encoding, out_of_range, policy, key_too_short.

The summary counts weaknesses of all signatures. With --fail-on sha1,short_key a valid signature with one of them fails: \
its row has \"fails_on\":[\"sha1\"], and the status is 4. An input without a signature is an error.

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
#[command(override_usage = USAGE, after_help = FORMATS)]
pub(crate) struct Arguments {
    #[command(flatten)]
    rows: Rows,
    /// The file of the verdicts (`-`: standard output)
    #[arg(short, long, value_name = "OUT", required_unless_present = "explain")]
    output: Option<PathBuf>,
    /// The key of rows that name none
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// Let rows name key files below this folder (default: rows name no files)
    #[arg(long, value_name = "DIR")]
    key_folder: Option<PathBuf>,
    /// Scheme of rows that name none: dsa (default for DSA keys), rsa-pkcs1 or rsa-pss
    #[arg(long, value_parser = PossibleValuesParser::new(SCHEMES), value_name = "SCHEME", hide_possible_values = true)]
    scheme: Option<String>,
    /// sha1, sha224, sha256, sha384, sha512, sha512_224, sha512_256, sha3_224, sha3_256, sha3_384, sha3_512 (default: sha256, or for
    /// rsa-pss that of the key)
    #[arg(long, value_name = "HASH", value_parser = Names::<Hash>::new(names::hashes), hide_possible_values = true)]
    hash: Option<Hash>,
    /// The hash function of the mask of PSS (default: that of the key, or of the message)
    #[arg(long, value_name = "HASH", value_parser = Names::<Hash>::new(names::hashes), hide_possible_values = true)]
    mgf_hash: Option<Hash>,
    /// Bytes of the salt of PSS (default: any)
    #[arg(long, value_name = "BYTES", value_parser = settings::count(0..=SALT_BYTES))]
    salt: Option<u64>,
    /// der, lenient, p1363, raw, ssh or openpgp; for RSA der and raw are as wide as n
    #[arg(long, value_name = "ENCODING", default_value = "der", value_parser = Names::<Encoding>::new(names::encodings), hide_possible_values = true)]
    encoding: Encoding,
    /// legacy (all sizes), strict (those of FIPS 186) or modern (as strict, and nothing weak)
    #[arg(long, value_name = "POLICY", default_value = "legacy", value_parser = Names::<Policy>::new(names::policies), hide_possible_values = true)]
    policy: Policy,
    /// Weaknesses that a signature must not have: short_key, sha1, odd_sizes, small_exponent, short_digest
    #[arg(long, value_name = "WEAKNESSES", value_delimiter = ',', value_parser = Names::<Weaknesses>::new(names::weaknesses), hide_possible_values = true)]
    fail_on: Vec<Weaknesses>,
    /// Print how the first signatures would be verified, and verify none
    #[arg(long)]
    explain: bool,
}

impl Arguments {
    /// How rows are read.
    fn rules(&self) -> Rules {
        Rules {
            names: NAMES.map(str::to_string).into(),
            csv: self.rows.is_csv(),
            needed: vec![vec!["signature".into(), "s".into()]],
            holds,
            advice: "; `pingala verify --help` lists the columns, --delimiter chooses another delimiter",
            choose: "; `pingala verify --help` lists the columns",
            delimiter: self.rows.reading.delimiter as u8,
            ..Rules::default()
        }
    }

    /// The interpreter of the rows.
    fn signatures(&self) -> Result<Signatures, Failure> {
        let settings = Settings {
            scheme: self.scheme.clone(),
            hash: self.hash,
            mgf_hash: self.mgf_hash,
            salt: self.salt.map(|bytes| bytes as usize),
            encoding: self.encoding,
            hexadecimal: self.rows.reading.hex_input,
        };
        let key = |path: &PathBuf| {
            let data = read_key_file(path)?;
            PublicKey::load(&data).map_err(|error| Failure::bad_file(format!("{}: {error}", path.display())))
        };
        let open = |path: &PathBuf| {
            Folder::open(path).map_err(|error| Failure::of_file("read the folder of keys", path, &error))
        };
        let (key, folder) = (self.key.as_ref().map(key).transpose()?, self.key_folder.as_ref().map(open).transpose()?);
        Ok(Signatures::new(settings, key, folder))
    }
}

/// The bytes of a key file that the command line names: a file, or a pipe as of `<(...)`.
pub(crate) fn read_key_file(path: &Path) -> Result<Vec<u8>, Failure> {
    read_capped(path, FILE_BYTES).map_err(|error| Failure::of_file("read", path, &error))
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let reading = &arguments.rows.reading;
    let input = Input::open(&arguments.rows.input)?;
    let name = input.name.clone();
    let signatures = arguments.signatures()?;
    if arguments.explain {
        let rows = Source::of(input.rows(arguments.rules(), &reading.binaries()?)?, signatures).next()?;
        let rows = rows.unwrap_or_default();
        let checks: Vec<Check<'_>> =
            rows.iter().filter_map(|row| row.ask.what.as_ref().ok()).map(|signed| signed.check()).collect();
        let explanation = explain_verify_list(&checks, arguments.policy)?;
        // A source of its own takes this many rows for its first chunk.
        let text = || {
            let read = format!(
                "of the first {}: {}",
                counted(rows.len() as u64, "row"),
                counted(checks.len() as u64, "signature")
            );
            let errors = match rows.len() - checks.len() {
                0 => String::new(),
                errors => format!(", {}", counted(errors as u64, "error")),
            };
            format!("{read}{errors}\n{explanation}\n")
        };
        let object = || {
            let object = Object::new().with("rows", rows.len()).with("signatures", checks.len());
            object.with("explanation", explanation.to_string())
        };
        json::answer_shown(text, object)?;
        return Ok(GOOD);
    }
    let path = arguments.output.clone().unwrap_or_default();
    let csv = arguments.rows.csv(&path, &input, &["valid", "reason", "weaknesses", "fails_on"])?;
    let inputs = [input.file.as_deref(), arguments.key.as_deref()];
    let mut output = Output::open(&path, &inputs.into_iter().flatten().collect::<Vec<_>>(), arguments.rows.force)?;
    let progress = Progress::of_stream(input.total_bytes, !reading.quiet && !output.is_shown());
    let source = Source::start(input.rows(arguments.rules(), &reading.binaries()?)?, signatures);
    let options = Options::default().with_threads(reading.threads).with_watch(Some(&progress));
    let mut task = Verdicts::new(options, arguments.policy, arguments.fail_on.clone());
    output.write(csv.as_ref().map(Csv::header).unwrap_or_default().as_bytes())?;
    let ran = stream::run(&source, &mut task, &progress, |text| output.lines(text, csv.as_ref()));
    progress.clear();
    let tally = ran?;
    if tally.rows == 0 {
        return Err(Failure::bad_file(format!("{name} holds no signature")));
    }
    output.finish()?;
    if json::is_wanted() {
        json::summary(&object(&tally, &task), path.as_os_str() == "-")?;
    } else if !reading.quiet {
        summarise(&tally, &task);
    }
    Ok(status(&tally))
}

/// What [`summarise`] prints, as fields.
fn object(tally: &Tally, task: &Verdicts<'_>) -> Object {
    let object = Object::new().with("rows", tally.rows).with("valid", task.valid).with("invalid", task.invalid);
    let object = json::errors(object.with("reasons", &task.reasons), &tally.errors);
    object.with("weaknesses", &task.weaknesses).with("valid_but_weak", task.weak).with("mismatches", tally.mismatches)
}

/// Prints the counts and the first error.
fn summarise(tally: &Tally, task: &Verdicts<'_>) {
    let (valid, invalid) = (grouped(task.valid), grouped(task.invalid));
    print::note(&format!("{valid} valid, {invalid} not valid, {}", counted(tally.errors.rows, "error")));
    if !task.reasons.is_empty() {
        print::note(&format!("not valid by reason: {}", print::counts(&task.reasons)));
    }
    print::errors(&tally.errors);
    if !task.weaknesses.is_empty() {
        print::note(&format!("weaknesses: {}", print::counts(&task.weaknesses)));
    }
    if task.weak > 0 {
        print::note(&format!("valid, but refused by --fail-on: {}", grouped(task.weak)));
    }
}
