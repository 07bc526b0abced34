//! `pingala prime random`: random primes, public ones, and secret ones for files.

use crate::failure::{Failure, GOOD, Outcome};
use crate::json::{self, Object};
use crate::output::{self, Output};
use crate::prime::{Common, positive, proved};
use crate::print;
use crate::progress::Progress;
use crate::settings::{self, Notation};
use clap::Args;
use clap::builder::PossibleValuesParser;
use pingala_core::{Natural, Options};
use pingala_primes::{
    PairKind, PrimeOptions, SecretPrime, estimate_random_prime, prime_pair, random_prime, random_secret_prime,
};
use std::path::PathBuf;
use zeroize::Zeroizing;

const NOTES: &str = "\
By default a random interval is sieved and one of its primes is taken, which loses up to 3 bits of entropy; with --uniform each \
candidate is drawn afresh. A prime above 2^64 has passed the test of Baillie and PSW and one round of Miller and Rabin, or \
--rounds of them. With --proof the prime is built from smaller primes, and its certificate is printed in its place: \
`pingala prime check` reads it.

Secrets: --secret and --pair draw and test candidates in constant time, by FIPS 186-5, A.1.3, and write hexadecimal numbers, one a \
line, to the file of --output, which only its owner can read. --pair makes two primes for a modulus of BITS bits: `rsa` for the \
public exponent --exponent, `paillier`, or `safe`, of two safe primes.";

/// Draw a random prime, or two secret ones
#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub(crate) struct Random {
    /// Length of the prime; with --pair of the product of both
    #[arg(value_name = "BITS", value_parser = settings::count(0..=u64::MAX))]
    bits: u64,
    /// (p - 1) / 2 is prime too
    #[arg(long)]
    safe: bool,
    /// p = R modulo Q
    #[arg(long, value_name = "R,Q")]
    residue: Option<String>,
    /// How many of the highest bits are set
    #[arg(long, value_name = "1|2", default_value = "1", value_parser = PossibleValuesParser::new(["1", "2"]), hide_possible_values = true)]
    #[arg(conflicts_with = "pair")]
    top_bits: String,
    /// Each prime that fits has the same probability
    #[arg(long)]
    uniform: bool,
    /// Print a certificate, which proves the prime
    #[arg(long, conflicts_with_all = ["secret", "pair"])]
    proof: bool,
    /// Rounds of Miller and Rabin's test (default: 1; for secrets by length, so that the error is below 2^-112)
    #[arg(long, value_name = "COUNT", value_parser = settings::count(1..=1000))]
    rounds: Option<u64>,
    /// A secret prime, of 64 bits or more; needs --output
    #[arg(long, requires = "output", conflicts_with = "pair")]
    secret: bool,
    /// Two secret primes whose product has BITS bits; needs --output
    #[arg(long, value_name = "rsa|paillier|safe", value_parser = PossibleValuesParser::new(["rsa", "paillier", "safe"]), hide_possible_values = true)]
    #[arg(requires = "output")]
    pair: Option<String>,
    /// The public exponent of --pair rsa, odd (default: 65537)
    #[arg(long, value_name = "E", requires = "pair")]
    exponent: Option<String>,
    /// Print how many numbers the search is expected to test, and in how many seconds, in place of a prime
    #[arg(long, conflicts_with_all = ["proof", "output"])]
    estimate: bool,
    /// Some look for it; the names that are like it do other things.
    #[arg(long, hide = true, num_args = 0..=1)]
    seed: Option<Option<String>>,
    /// The file of the result (`-`: standard output, the default but for secrets)
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Replace an existing output
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    notation: Notation,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// Seconds from which an expected time is told.
const LONG_SECONDS: f64 = 5.0;

pub(crate) fn run(arguments: &Random) -> Outcome {
    let common = &arguments.common;
    if arguments.seed.is_some() {
        let why = "there is no option --seed: the system draws the primes at random, and no seed repeats them";
        return Err(Failure::Usage(why.into()));
    }
    let residue = arguments.residue.as_ref().map(|text| read_residue(text, common)).transpose()?;
    let exponent = match &arguments.exponent {
        Some(text) => positive(common.number(text)?)?,
        None => Natural::from(65537u64),
    };
    if arguments.exponent.is_some() && arguments.pair.as_deref() != Some("rsa") {
        return Err(Failure::Usage("--exponent is for --pair rsa".into()));
    }
    let is_secret = arguments.secret || arguments.pair.is_some();
    if is_secret && arguments.notation.is_given() {
        return Err(Failure::Usage(
            "secret primes are written in hexadecimal, whatever --hex and --decimal say".into(),
        ));
    }
    let prime = PrimeOptions::default()
        .with_safe(arguments.safe)
        .with_residue(residue.as_ref().map(|(r, q)| (r, q)))
        .with_top_bits(if arguments.top_bits == "2" { 2 } else { 1 })
        .with_uniform(arguments.uniform)
        .with_proof(arguments.proof)
        .with_rounds(arguments.rounds.map(|rounds| rounds as u32));
    if arguments.estimate {
        let Expected { tests, seconds, .. } = expected(arguments, &prime, &common.options())?;
        let object = || Object::new().with("tests", tests.round()).with("seconds", seconds);
        json::answer(|| format!("{tests:.0} tests, {seconds:.3} s\n"), object)?;
        return Ok(GOOD);
    }
    let path = arguments.output.clone().unwrap_or_else(|| "-".into());
    let progress = Progress::new("tests", 0, !common.quiet);
    let options = common.options().with_watch(Some(&progress));
    if is_secret {
        if json::is_wanted() && path.as_os_str() == "-" {
            return Err(Failure::Usage("--json prints no secret: name a file with --output".into()));
        }
        output::check_secret(&path, arguments.force)?;
        expect(arguments, &prime, &common.options())?;
        let primes = secrets(arguments, &exponent, &prime, &options);
        progress.clear();
        let text = hexadecimal(&primes?);
        output::write_secret(&path, &text, arguments.force)?;
        if json::is_wanted() {
            let file = path.display().to_string();
            print::output(&Object::new().with("file", file).with("primes", count(arguments)).line())?;
        }
        return Ok(GOOD);
    }
    let mut output = Output::open(&path, &[], arguments.force)?;
    expect(arguments, &prime, &common.options())?;
    let found = random_prime(arguments.bits, &prime, &options);
    progress.clear();
    let found = found?;
    let text = match found.certificate() {
        Some(certificate) if json::is_wanted() => proved(certificate).line(),
        Some(certificate) => certificate.to_string(),
        None if json::is_wanted() => Object::new().with("prime", arguments.notation.json(found.value())).line(),
        None => print::number(found.value(), arguments.notation.is_hexadecimal(false)),
    };
    output.write(text.as_bytes())?;
    output.finish()?;
    Ok(GOOD)
}

/// Reads R,Q.
fn read_residue(text: &str, common: &Common) -> Result<(Natural, Natural), Failure> {
    let Some((r, q)) = text.split_once(',') else {
        return Err(Failure::Usage("--residue: expected R,Q for p = R modulo Q".into()));
    };
    Ok((positive(common.number(r)?)?, positive(common.number(q)?)?))
}

/// What the search that the arguments ask for is expected to take.
struct Expected {
    tests: f64,
    seconds: f64,
    what: &'static str,
}

/// The number of primes.
fn count(arguments: &Random) -> u8 {
    if arguments.pair.is_some() { 2 } else { 1 }
}

/// Whether the primes are safe ones.
fn is_safe(arguments: &Random) -> bool {
    arguments.safe || arguments.pair.as_deref() == Some("safe")
}

/// Bits of a prime.
fn bits(arguments: &Random) -> u64 {
    if arguments.pair.is_some() { arguments.bits / 2 } else { arguments.bits }
}

fn expected(arguments: &Random, prime: &PrimeOptions<'_>, options: &Options<'_>) -> Result<Expected, Failure> {
    let (is_pair, prime) = (arguments.pair.is_some(), prime.with_safe(is_safe(arguments)));
    let estimate = estimate_random_prime(bits(arguments), &prime, is_pair || arguments.secret, options)?;
    let (count, what) = (f64::from(count(arguments)), if is_pair { "two primes" } else { "the prime" });
    Ok(Expected { tests: estimate.tests * count, seconds: estimate.seconds * count, what })
}

/// Says how long a long search is expected to take.
fn expect(arguments: &Random, prime: &PrimeOptions<'_>, options: &Options<'_>) -> Result<(), Failure> {
    // An estimate takes time too.
    if arguments.common.quiet || bits(arguments) < if is_safe(arguments) { 768 } else { 6144 } {
        return Ok(());
    }
    let Expected { tests, seconds, what } = expected(arguments, prime, options)?;
    if seconds >= LONG_SECONDS {
        let (tests, time) = (print::grouped(tests as u64), print::time_text(seconds));
        print::note(&format!("{what} should take about {time}, or {tests} tests; it may be some times as long"));
    }
    Ok(())
}

/// The secret primes that the arguments ask for.
fn secrets(
    arguments: &Random,
    exponent: &Natural,
    prime: &PrimeOptions<'_>,
    options: &Options<'_>,
) -> Result<Vec<SecretPrime>, Failure> {
    let kind = match arguments.pair.as_deref() {
        None => return Ok(vec![random_secret_prime(arguments.bits, prime, options)?]),
        Some("rsa") => PairKind::Rsa(exponent.clone()),
        Some("safe") => PairKind::Safe,
        Some(_) => PairKind::Paillier,
    };
    let pair = prime_pair(arguments.bits, &kind, prime, options)?;
    Ok(vec![pair.p, pair.q])
}

/// Secret primes as hexadecimal text, one a line. No branch and no address depends on their digits.
fn hexadecimal(primes: &[SecretPrime]) -> Zeroizing<Vec<u8>> {
    let length = primes.iter().map(|prime| 2 * prime.as_be_bytes().len() + 3).sum();
    // It never grows, which would leave a copy.
    let mut text = Zeroizing::new(Vec::with_capacity(length));
    for prime in primes {
        text.extend_from_slice(b"0x");
        let digits = prime.as_be_bytes().iter().flat_map(|byte| [byte >> 4, byte & 15]);
        // The length in bits is public.
        let skipped = usize::from(matches!(prime.bits() % 8, 1..=4));
        text.extend(
            digits.skip(skipped).map(|digit| digit + b'0' + (9u8.wrapping_sub(digit) >> 7) * (b'a' - b'0' - 10)),
        );
        text.push(b'\n');
    }
    text
}
