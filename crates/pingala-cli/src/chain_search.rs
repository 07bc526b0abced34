//! `pingala chain search`, `check`, `show`, `best` and `gen`: short chains for exponents that are known in advance.

use crate::failure::{Failure, GOOD, Outcome};
use crate::interrupt;
use crate::output::Output;
use crate::print::{self, grouped};
use crate::settings;
use clap::{Args, Subcommand};
use pingala_chains::{
    CostModel, Found, Language, Progress, Search, TABLE, best, evaluate, generate, lower_bound, plot, read_json,
    read_script, shape, svg, write_json, write_script,
};
use pingala_core::algorithm::Chain;
use pingala_core::exponent::Exponent;
use pingala_core::files::{read_capped, read_to_cap};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The longest file that is read as a chain.
const MAX_FILE_BYTES: u64 = 1 << 24;

/// Subcommands of `pingala chain`.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum ChainCommand {
    Search(SearchArguments),
    /// Check a chain in a file, and print its figures
    Check(FileArguments),
    Show(ShowArguments),
    Best(BestArguments),
    Gen(GenArguments),
}

/// Runs one.
pub(crate) fn run(command: &ChainCommand) -> Outcome {
    match command {
        ChainCommand::Search(arguments) => search(arguments),
        ChainCommand::Check(arguments) => check(arguments),
        ChainCommand::Show(arguments) => show(arguments),
        ChainCommand::Best(arguments) => table(arguments),
        ChainCommand::Gen(arguments) => code(arguments),
    }
}

const SEARCH_NOTES: &str = "\
EXPR has + - * / (exact) ^ and parentheses: '2^255-21', '(2^381-3)/4'. The result is JSON: `exponent`, and `steps`, a list of \
pairs of places (place 0 is 1, place k + 1 the sum of step k). Exponents up to 2^20 get a shortest chain, and standard error says \
so. Others get the best of some fifty methods and of annealing; the same \
seed and steps find the same chain on every machine and any number of threads. Ctrl-C ends the search within a second and with \
the best chain so far; the status is then 130.";

/// Search a short addition chain for an exponent
#[derive(Args, Clone, Debug)]
#[command(after_help = SEARCH_NOTES)]
pub(crate) struct SearchArguments {
    /// The exponent, an expression
    #[arg(value_name = "EXPR", allow_hyphen_values = true)]
    exponent: String,
    /// Stop after SECONDS; the result then depends on the machine
    #[arg(long, value_name = "SECONDS", conflicts_with = "steps", value_parser = settings::seconds(0.0..=1e9))]
    seconds: Option<f64>,
    /// Moves of the annealing in all
    #[arg(long, value_name = "N", default_value_t = 20_000_000, value_parser = settings::count(0..=u64::MAX))]
    steps: u64,
    /// The cost to minimise: `length`, or the time on a kernel by this machine's prices, such as `price:mulx_r64:2048`
    #[arg(long, value_name = "COST", default_value = "length", value_parser = read_cost)]
    cost: CostModel,
    /// Most values that a chain may need at the same time, the base included
    #[arg(long, value_name = "N", value_parser = settings::count(1..=u64::MAX))]
    registers: Option<u64>,
    /// Seed of the annealing
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = settings::count(0..=u64::MAX))]
    seed: u64,
    /// Rounds of annealing, each with its own seed, which share the moves; several rounds use several threads
    #[arg(long, value_name = "N", default_value = "1", value_parser = settings::positive)]
    rounds: NonZeroUsize,
    /// Threads (default: all cores)
    #[arg(long, value_name = "COUNT", value_parser = settings::threads)]
    threads: Option<NonZeroUsize>,
    /// Write the chain to this file
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Replace an output file that exists
    #[arg(long)]
    force: bool,
    /// Continue from the chain in the output file, if it exists, with the next seed
    #[arg(long)]
    resume: bool,
    /// Say nothing on standard error
    #[arg(short, long)]
    quiet: bool,
}

/// A file with a chain.
#[derive(Args, Clone, Debug)]
pub(crate) struct FileArguments {
    /// A chain as JSON, or a script as addchain has it; `-` for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// Print a chain as a script, as its elements, or as a picture
#[derive(Args, Clone, Debug)]
pub(crate) struct ShowArguments {
    #[command(flatten)]
    file: FileArguments,
    /// The elements and the pairs of places
    #[arg(long, conflicts_with = "svg")]
    elements: bool,
    /// A picture, SVG
    #[arg(long)]
    svg: bool,
    /// JSON
    #[arg(long, conflicts_with_all = ["svg", "elements"])]
    json: bool,
}

/// Print the best known chain for an exponent in use, or list those exponents
#[derive(Args, Clone, Debug)]
pub(crate) struct BestArguments {
    /// The exponent, an expression, or a name of the list (default: the list)
    #[arg(value_name = "EXPR", allow_hyphen_values = true)]
    exponent: Option<String>,
    /// The list as a picture, SVG: steps above the lower bound
    #[arg(long, conflicts_with = "exponent")]
    svg: bool,
}

const GEN_NOTES: &str = "\
rust: x.square() and x.mul(&y) give a new value. c: T_sqr(T *, const T *) and T_mul(T *, const T *, const T *), which may work in \
place. go: z.Square(x) and z.Mul(x, y) set z, which may be an operand. python: x * y.";

/// Write code that raises to the exponent of a chain
#[derive(Args, Clone, Debug)]
#[command(after_help = GEN_NOTES)]
pub(crate) struct GenArguments {
    #[command(flatten)]
    file: FileArguments,
    /// rust, c, go or python
    #[arg(long, value_name = "LANGUAGE")]
    to: Language,
    /// The name of the function
    #[arg(long, value_name = "NAME", default_value = "power")]
    function: String,
    /// The type of the field's elements
    #[arg(long = "type", value_name = "TYPE", default_value = "Element")]
    field: String,
}

fn read_cost(text: &str) -> Result<CostModel, String> {
    if text == "length" {
        return Ok(CostModel::LENGTH);
    }
    let kernel = text.strip_prefix("price:").and_then(|rest| rest.rsplit_once(':'));
    let named = kernel.and_then(|(kernel, bits)| Some((kernel, bits.parse().ok()?)));
    let (kernel, bits) = named.ok_or("expected `length` or `price:KERNEL:BITS`")?;
    CostModel::of_kernel(kernel, bits).map_err(Failure::sentence)
}

fn read_exponent(text: &str) -> Result<Exponent, Failure> {
    evaluate(text).map_err(|error| Failure::Usage(Failure::sentence(error)))
}

/// Prints the progress of a search, and ends it on a signal.
struct Watch {
    shown_at: std::sync::Mutex<Instant>,
    quiet: bool,
}

impl Progress for Watch {
    fn goes_on(&self, moves: u64, best: usize) -> bool {
        if interrupt::asked().is_some() {
            return false;
        }
        if let Ok(mut shown_at) = self.shown_at.lock()
            && !self.quiet
            && shown_at.elapsed() >= Duration::from_secs(10)
        {
            *shown_at = Instant::now();
            print::note(&format!(
                "{} moves of a round, its best chain has {} steps",
                grouped(moves),
                grouped(best as u64)
            ));
        }
        true
    }
}

fn search(arguments: &SearchArguments) -> Outcome {
    let exponent = read_exponent(&arguments.exponent)?;
    let kept = (arguments.resume && arguments.output.exists()).then(|| kept(&arguments.output)).transpose()?;
    let replaces = arguments.force || kept.is_some();
    let mut output = Output::open(&arguments.output, &[], replaces)?;
    let seed = kept.as_ref().map_or(arguments.seed, |(_, seed)| seed.wrapping_add(1));
    let threads = arguments.threads.or_else(|| std::thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN);
    let cost = CostModel {
        most_registers: arguments.registers.map(|most| usize::try_from(most).unwrap_or(usize::MAX)),
        ..arguments.cost
    };
    // The file names no steps if the time decides.
    let steps = if arguments.seconds.is_some() { 0 } else { arguments.steps };
    let limit = arguments.seconds.map(Duration::from_secs_f64);
    let start = kept.map(|(chain, _)| chain);
    let search = Search { exponent, steps, limit, seed, cost, rounds: arguments.rounds, threads, start };
    let started = Instant::now();
    let watch = Watch { shown_at: std::sync::Mutex::new(started), quiet: arguments.quiet };
    let found = interrupt::stoppable(|| search.run_with(&watch))?;
    let seconds = started.elapsed().as_secs_f64();
    output.write(document(&found, steps, seed, arguments.rounds, seconds).as_bytes())?;
    output.finish()?;
    if !arguments.quiet {
        print::note(&format!("{} by {}; {:.1} s", figures(&found.chain), found.method, seconds));
        print::note(&format!("every chain for this exponent has a length of {} at least", found.bound));
        if let Some((entry, kept)) = best(&search.exponent)?
            && kept.chain.length() < found.chain.length()
        {
            let length = kept.chain.length();
            print::note(&format!("`pingala chain best {}` prints one of {length} steps", entry.name));
        }
    }
    let Some(signal) = interrupt::asked() else { return Ok(GOOD) };
    print::note("interrupted; this is the best chain so far");
    Ok(128 + signal)
}

/// The chain with what it takes to find it again.
fn document(found: &Found, moves: u64, seed: u64, rounds: NonZeroUsize, seconds: f64) -> String {
    let text = write_json(&found.chain);
    let head = format!(
        "{{\n  \"length\": {}, \"lower_bound\": {}, \"method\": \"{}\", \"moves\": {moves}, \"seed\": {seed}, \"rounds\": {rounds}, \"seconds\": {seconds:.1},",
        found.chain.length(),
        found.bound.length,
        found.method
    );
    text.replacen('{', &head, 1)
}

/// The chain in a file and the seed that it names.
fn kept(path: &Path) -> Result<(Chain, u64), Failure> {
    let text = text_of(path)?;
    let named = |error| Failure::Failed(format!("{}: {}", path.display(), Failure::sentence(error)));
    let seed =
        serde_json::from_str::<serde_json::Value>(&text).ok().and_then(|document| document.get("seed")?.as_u64());
    Ok((read_json(&text).map_err(named)?, seed.unwrap_or(0)))
}

fn text_of(path: &Path) -> Result<String, Failure> {
    let bytes = match path.as_os_str() {
        name if name == "-" => read_to_cap(std::io::stdin(), MAX_FILE_BYTES),
        _ => read_capped(path, MAX_FILE_BYTES),
    };
    let bytes = bytes.map_err(|error| Failure::of_file("read", path, &error))?;
    String::from_utf8(bytes).map_err(|_| Failure::Failed(format!("{} is not a chain: it is not text", path.display())))
}

fn read(arguments: &FileArguments) -> Result<Chain, Failure> {
    let text = text_of(&arguments.file)?;
    let chain = if text.trim_start().starts_with('{') { read_json(&text) } else { read_script(&text) };
    chain.map_err(|error| Failure::Failed(format!("{}: {}", arguments.file.display(), Failure::sentence(error))))
}

/// `265 steps: 254 squarings, 11 products, 5 registers, depth 265`
fn figures(chain: &Chain) -> String {
    let shape = shape(chain);
    format!(
        "{} steps: {} squarings, {} products, {} registers, depth {}",
        grouped(shape.length as u64),
        grouped(shape.squarings as u64),
        grouped(shape.products as u64),
        shape.registers,
        grouped(shape.depth as u64)
    )
}

fn check(arguments: &FileArguments) -> Outcome {
    let chain = read(arguments)?;
    let bound = lower_bound(chain.target());
    let kind = if shape(&chain).is_star { "a star chain" } else { "no star chain" };
    print::output(&format!(
        "an addition chain for {:#x}\n{}, {kind}\nevery chain has a length of {bound} at least\n",
        pingala_chains::number(chain.target()),
        figures(&chain)
    ))?;
    Ok(GOOD)
}

fn show(arguments: &ShowArguments) -> Outcome {
    let chain = read(&arguments.file)?;
    print::output(&match () {
        () if arguments.svg => svg(&chain),
        () if arguments.json => write_json(&chain),
        () if arguments.elements => format!("{chain}\n"),
        () => write_script(&chain),
    })?;
    Ok(GOOD)
}

fn table(arguments: &BestArguments) -> Outcome {
    if arguments.svg {
        print::output(&plot()?)?;
        return Ok(GOOD);
    }
    let Some(wanted) = &arguments.exponent else {
        let mut rows =
            vec![["name", "exponent", "length", "at least", "elsewhere", "method"].map(String::from).to_vec()];
        for entry in TABLE {
            let kept = entry.kept()?;
            let elsewhere = entry.elsewhere.map(|(length, _)| length).or(entry.addchain);
            let bound = lower_bound(kept.chain.target()).length;
            rows.push(vec![
                entry.name.into(),
                shortened(entry.expression),
                kept.chain.length().to_string(),
                bound.to_string(),
                elsewhere.map_or(String::new(), |length| length.to_string()),
                kept.method,
            ]);
        }
        print::shown(&print::table(&rows))?;
        return Ok(GOOD);
    };
    let chain = match TABLE.iter().find(|entry| entry.name == wanted) {
        Some(entry) => Some(entry.kept()?.chain),
        None => best(&read_exponent(wanted)?)?.map(|(_, kept)| kept.chain),
    };
    let Some(chain) = chain else {
        let how = "`pingala chain best` lists the table, `pingala chain search` searches";
        return Err(Failure::Failed(format!("{wanted} is not in the table; {how}")));
    };
    print::output(&write_json(&chain))?;
    Ok(GOOD)
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(30) {
        Some((at, _)) if text.len() > 33 => format!("{}...", &text[..at]),
        _ => text.into(),
    }
}

fn code(arguments: &GenArguments) -> Outcome {
    let chain = read(&arguments.file)?;
    print::output(&generate(&chain, arguments.to, &arguments.function, &arguments.field)?)?;
    Ok(GOOD)
}
