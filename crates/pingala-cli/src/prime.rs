//! `pingala prime`: primes, tested, found, drawn, proved and checked.

use crate::batch::status;
use crate::elements::Elements;
use crate::failure::{Failure, GOOD, MISMATCHES, Outcome};
use crate::json::{self, Object};
use crate::names::{self, Names};
use crate::number::{self, Field, Number};
use crate::prime_random::{self, Random};
use crate::prime_roots::{self, Between, Sqrt, Symbol};
use crate::print::{self, counted};
use crate::progress::Progress;
use crate::settings::{self, Notation};
use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use pingala_core::files::read_to_cap;
use pingala_core::{Integer, Limits, Options, Watch};
use pingala_primes::{Certificate, Primality, ROUNDS, certify, is_prime_list, next_prime, previous_prime};
use pingala_rows::primality::{self, Candidates, Tests};
use pingala_rows::records::Rules;
use pingala_rows::stream::{self, Input, Source};
use pingala_rows::text::csv_by_name;
use pingala_rows::{Binaries, Meaning};
use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Test, find, draw and prove primes; symbols and square roots
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Test(Test),
    Next(Next),
    Between(Between),
    Random(Random),
    Certify(Certify),
    Check(Check),
    Symbol(Symbol),
    Sqrt(Sqrt),
}

/// What the commands on primes share.
#[derive(Args, Clone, Debug)]
pub(crate) struct Common {
    /// Refuse a longer number
    #[arg(long, value_name = "BITS", default_value_t = Limits::default().modulus_bits, value_parser = settings::count(0..=u64::MAX))]
    max_modulus_bits: u64,
    /// Threads (default: all cores)
    #[arg(long, value_name = "COUNT", value_parser = settings::threads)]
    threads: Option<NonZeroUsize>,
    /// Print nothing on standard error unless something is wrong
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

impl Common {
    /// The library's settings. The exponents of tests are as long as the numbers.
    pub(crate) fn options(&self) -> Options<'_> {
        let bits = self.max_modulus_bits;
        let limits = Limits::new(bits, bits.saturating_add(1).max(Limits::default().exponent_bits));
        Options::default().with_limits(limits).with_threads(self.threads)
    }

    /// Reads a number of the command line.
    pub(crate) fn number(&self, text: &str) -> Result<Number, Failure> {
        number::argument(text, Field::Number, self.options().limits())
    }
}

const TEST_NOTES: &str = "\
One line a number, in the order given: `prime` (proved, for all below 2^64), `probable prime (error bound 2^-2, 2^-83 if random)`, \
`composite`, or `not prime` for a number below 2. A number above 2^64 passes trial division, the test of Baillie and PSW, then \
--rounds of Miller and Rabin with random bases. The first bound holds for numbers that an adversary chose, the second for \
random ones. With --json: one object a line, with the number of the line or argument as `id`.

With --field the file is JSON Lines, CSV with a header line, or Parquet, also packed by gzip or zstd; rows are answered as they come, \
as one object each, as by --json: with the `id` of the row if it has one, or `error` with `code` and `message`.

Exit status:
  0    all numbers are prime
  1    the run failed: a file, or without --field a line that is no number; nothing is tested then
  2    the command line is wrong
  3    some rows are errors, all other numbers prime
  4    some numbers are not prime";

/// Test numbers for primality
#[derive(Debug, Args)]
#[command(after_help = TEST_NOTES)]
struct Test {
    /// Any integers; or one argument that is no number but names a file, as by --file
    #[arg(value_name = "N", allow_negative_numbers = true, required_unless_present = "file")]
    numbers: Vec<String>,
    /// Test the numbers of a file, one a line; blank lines are skipped (`-`: standard input)
    #[arg(long, value_name = "FILE", conflicts_with = "numbers")]
    file: Option<PathBuf>,
    /// The field of the numbers, in a file of JSON Lines, CSV or Parquet
    #[arg(long, value_name = "NAME")]
    field: Option<String>,
    /// Format of that file (default: by its extension, else by its first line)
    #[arg(long, value_parser = PossibleValuesParser::new(["jsonl", "csv"]), value_name = "jsonl|csv", hide_possible_values = true, requires = "field")]
    format: Option<String>,
    /// The delimiter of CSV (default: a comma; \t: a tab)
    #[arg(long, value_name = "CHARACTER", default_value = ",", hide_default_value = true, value_parser = settings::delimiter, requires = "field")]
    delimiter: char,
    /// Numbers in text are hexadecimal, with 0x or without
    #[arg(long, requires = "field")]
    hex_input: bool,
    /// Numbers in a binary column of Parquet without a type: big, little, signed-big, signed-little or text
    #[arg(long, value_name = "[COL=]WORD", value_delimiter = ',', value_parser = Names::<Meaning>::new(names::binaries), hide_possible_values = true, requires = "field")]
    binary: Vec<Meaning>,
    /// Rounds with random bases for numbers above 2^64
    #[arg(long, value_name = "COUNT", default_value_t = ROUNDS.into(), value_parser = settings::count(0..=1000))]
    rounds: u64,
    /// Refuse a longer line
    #[arg(long, value_name = "BYTES", default_value = "64M", value_parser = settings::size)]
    max_line_bytes: u64,
    #[command(flatten)]
    common: Common,
}

impl Test {
    /// The file of numbers: that of --file, or the one argument if it is no number and names a file, `-` for standard input.
    fn file(&self) -> Option<&Path> {
        let named = match self.numbers.as_slice() {
            [text]
                if text == "-"
                    || number::is_none(text, self.common.options().limits())
                        && Path::new(text).exists()
                        && !Path::new(text).is_dir() =>
            {
                Some(Path::new(text))
            }
            _ => None,
        };
        self.file.as_deref().or(named)
    }
}

/// Find the next primes after a number, or before it
#[derive(Debug, Args)]
struct Next {
    /// Any integer; with --previous above 2
    #[arg(value_name = "N", allow_hyphen_values = true)]
    number: String,
    /// Go down
    #[arg(long)]
    previous: bool,
    /// How many primes
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = settings::count(0..=u64::MAX))]
    count: u64,
    #[command(flatten)]
    notation: Notation,
    #[command(flatten)]
    common: Common,
}

const CERTIFY_NOTES: &str = "\
The certificate goes to standard output, as text. Small factors of n - 1, and what Pollard's methods find soon, need not be given. \
The factors known must have a product of a third of the length of n. `pingala prime random BITS --proof` builds primes \
with certificates.";

/// Prove that a number is prime by the factors of n - 1, as a certificate
#[derive(Debug, Args)]
#[command(after_help = CERTIFY_NOTES)]
struct Certify {
    /// The number
    #[arg(value_name = "N", allow_hyphen_values = true)]
    number: String,
    /// Prime factors of n - 1
    #[arg(long, value_name = "Q,...", value_delimiter = ',')]
    factors: Vec<String>,
    #[command(flatten)]
    common: Common,
}

/// Check a certificate, and print the prime that it proves
#[derive(Debug, Args)]
struct Check {
    /// What `certify` or `random --proof` printed (`-`: standard input)
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Refuse a longer file
    #[arg(long, value_name = "BYTES", default_value = "64M", value_parser = settings::size)]
    max_bytes: u64,
    #[command(flatten)]
    common: Common,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    match &arguments.action {
        Action::Test(arguments) => test(arguments),
        Action::Next(arguments) => next(arguments),
        Action::Between(arguments) => prime_roots::between(arguments),
        Action::Random(arguments) => prime_random::run(arguments),
        Action::Certify(arguments) => prove(arguments),
        Action::Check(arguments) => check(arguments),
        Action::Symbol(arguments) => prime_roots::symbol(arguments),
        Action::Sqrt(arguments) => prime_roots::sqrt(arguments),
    }
}

/// Bits of the numbers that are tested between two outputs.
const CHUNK_BITS: u64 = 1 << 22;

/// Tests the rows of a file, as they come.
fn test_rows(arguments: &Test, field: &str, file: &Path) -> Outcome {
    let (common, input) = (&arguments.common, Input::open(file)?);
    let csv = arguments.format.as_ref().map(|format| format == "csv");
    let rules = Rules {
        csv: csv.or_else(|| csv_by_name(input.file.as_deref()?)),
        header_by_names: true,
        needed: vec![vec![field.to_string()]],
        advice: "; --field names another column, --delimiter another delimiter",
        choose: "; --field names another column",
        names: vec![field.to_string(), primality::NAMES[1].to_string()],
        delimiter: arguments.delimiter as u8,
        row_bytes: usize::try_from(arguments.max_line_bytes).unwrap_or(usize::MAX),
        holds: primality::holds,
        ..Rules::default()
    };
    let progress = Progress::of_stream(input.total_bytes, !common.quiet && !io::stdout().is_terminal());
    let options = common.options().with_watch(Some(&progress));
    let candidates = Candidates { limits: *common.options().limits(), hexadecimal: arguments.hex_input };
    let source = Source::start(input.rows(rules, &Binaries::new(arguments.binary.iter().cloned())?)?, candidates);
    let mut task = Tests { options, rounds: arguments.rounds as u32 };
    let ran = stream::run(&source, &mut task, &progress, print::output);
    progress.clear();
    let tally = ran?;
    if json::is_wanted() {
        let object = Object::new().with("rows", tally.rows).with("not_prime", tally.mismatches);
        json::summary(&json::errors(object, &tally.errors), true)?;
    } else if !common.quiet {
        let numbers = counted(tally.rows, "row");
        print::note(&format!("{numbers}: {} not prime, {}", tally.mismatches, counted(tally.errors.rows, "error")));
        print::errors(&tally.errors);
    }
    Ok(status(&tally))
}

fn test(arguments: &Test) -> Outcome {
    let common = &arguments.common;
    let file = arguments.file();
    match (&arguments.field, file) {
        (Some(field), Some(file)) => return test_rows(arguments, field, file),
        (Some(_), None) => return Err(Failure::Usage("--field: no file of numbers is named".into())),
        _ => {}
    }
    let options = common.options();
    let mut numbers: Vec<Integer> = Vec::new();
    let places: Vec<u64> = match file {
        None => {
            for text in &arguments.numbers {
                numbers.push(common.number(text)?.value);
            }
            (1..=numbers.len() as u64).collect()
        }
        Some(file) => Elements::of(file, arguments.max_line_bytes).read(|text| {
            numbers.push(number::parse(text, Field::Number, options.limits())?);
            Ok(())
        })?,
    };
    let progress = Progress::new("numbers", 0, !common.quiet);
    let (mut done, mut all_prime) = (0, true);
    while done < numbers.len() {
        let (mut end, mut bits) = (done, 0);
        while end < numbers.len() && bits < CHUNK_BITS {
            bits += numbers[end].magnitude().bits().max(64);
            end += 1;
        }
        let answers = is_prime_list(&numbers[done..end], arguments.rounds as u32, &options)?;
        let mut text = String::new();
        for ((answer, number), &id) in answers.iter().zip(&numbers[done..end]).zip(&places[done..end]) {
            all_prime &= answer.prime;
            text += &match json::is_wanted() {
                true => object(id, answer).line(),
                false => sentence(answer, number) + "\n",
            };
        }
        print::output(&text)?;
        done = end;
        progress.progress(done, numbers.len());
    }
    progress.clear();
    Ok(if all_prime { GOOD } else { MISMATCHES })
}

/// The answer for a number, in words.
fn sentence(answer: &Primality, number: &Integer) -> String {
    let is_below_2 = || number.is_negative() || number.magnitude().is_zero() || number.magnitude().is_one();
    match answer {
        Primality { prime: false, .. } if is_below_2() => "not prime".into(),
        Primality { prime: false, .. } => "composite".into(),
        Primality { proved: true, .. } => "prime".into(),
        _ if answer.error_bound >= 1.0 => "probable prime (no error bound)".into(),
        _ => {
            // Rounded towards 1.
            let power = |bound: f64| format!("2^{}", bound.log2().ceil());
            let (any, random) = (power(answer.error_bound), power(answer.random_error_bound));
            format!("probable prime (error bound {any}, {random} if random)")
        }
    }
}

/// The answer for a number, as fields.
fn object(id: u64, answer: &Primality) -> Object {
    let object = Object::new().with("id", id).with("prime", answer.prime).with("proved", answer.proved);
    object.with("error_bound", answer.error_bound).with("random_error_bound", answer.random_error_bound)
}

/// Between two outputs of primes.
const OUTPUT_EVERY: Duration = Duration::from_millis(100);
const OUTPUT_BYTES: usize = 1 << 16;

fn next(arguments: &Next) -> Outcome {
    let options = arguments.common.options();
    let Number { mut value, hexadecimal } = arguments.common.number(&arguments.number)?;
    let hexadecimal = arguments.notation.is_hexadecimal(hexadecimal);
    let progress = Progress::new("primes", 0, !arguments.common.quiet);
    let total = usize::try_from(arguments.count).unwrap_or(usize::MAX);
    let (mut text, mut shown_at) = (String::new(), Instant::now());
    let mut ended = Ok(());
    for done in 0..total {
        let found = match arguments.previous {
            true => previous_prime(&value, &options),
            false => next_prime(&value, &options),
        };
        match found {
            Ok(prime) => {
                text += &match json::is_wanted() {
                    true => Object::new().with("prime", arguments.notation.json(&prime)).line(),
                    false => print::number(&prime, hexadecimal),
                };
                value = Integer::new(false, prime);
            }
            Err(error) => {
                ended = Err(Failure::from(error));
                break;
            }
        }
        if text.len() > OUTPUT_BYTES || shown_at.elapsed() > OUTPUT_EVERY {
            print::output(&text)?;
            (text, shown_at) = (String::new(), Instant::now());
            progress.progress(done + 1, total);
        }
    }
    progress.clear();
    print::output(&text)?;
    ended.map(|()| GOOD)
}

fn prove(arguments: &Certify) -> Outcome {
    let common = &arguments.common;
    let number = positive(common.number(&arguments.number)?)?;
    let factors = arguments.factors.iter().map(|text| positive(common.number(text)?));
    let certificate = certify(&number, &factors.collect::<Result<Vec<_>, _>>()?, &common.options());
    let certificate = certificate.map_err(|error| match Failure::from(error) {
        // The library names its own argument.
        Failure::Failed(code, message) => Failure::Failed(code, message.replace("by `factors`", "by --factors Q,...")),
        failure => failure,
    })?;
    json::answer(|| certificate.to_string(), || proved(&certificate))?;
    Ok(GOOD)
}

/// A prime and what proves it, as fields.
pub(crate) fn proved(certificate: &Certificate) -> Object {
    let object = Object::new().with("prime", json::number(certificate.prime(), false));
    object.with("certificate", certificate.to_string())
}

/// Error: a usage error for a negative number.
pub(crate) fn positive(number: Number) -> Result<pingala_core::Natural, Failure> {
    if number.value.is_negative() {
        return Err(Failure::Usage("the number is negative; expected a positive one".into()));
    }
    Ok(number.value.into_magnitude())
}

fn check(arguments: &Check) -> Outcome {
    let path = &arguments.file;
    let read = |stream: &mut dyn Read| read_to_cap(stream, arguments.max_bytes);
    let bytes = match path.as_os_str() == "-" {
        true => read(&mut io::stdin().lock()),
        false => File::open(path).and_then(|mut file| read(&mut file)),
    };
    let bytes = bytes.map_err(|error| Failure::of_file("read", path, &error))?;
    let refused = |why: &str| Failure::bad_file(format!("{}: {why}", path.display()));
    let text = std::str::from_utf8(&bytes).map_err(|_| refused("contains bytes that are not text"))?;
    match Certificate::check(text, &arguments.common.options()) {
        Ok(certificate) => {
            let prime = certificate.prime();
            json::answer(|| print::number(&prime, true), || Object::new().with("prime", json::number(&prime, false)))?;
            Ok(GOOD)
        }
        Err(error) => Err(refused(&Failure::sentence(error))),
    }
}
