//! `pingala chain search`, `check`, `show`, `best` and `gen`: short chains for exponents that are known in advance.

use crate::chain_progress::Shown;
use crate::failure::{Failure, GOOD, Outcome};
use crate::interrupt;
use crate::json::{self, Object};
use crate::names::{self, Names};
use crate::output::Output;
use crate::print::{self, grouped};
use crate::settings;
use clap::{Args, Subcommand};
use pingala_chains::{
    CostModel, Found, Language, Search, TABLE, best, evaluate, generate, lower_bound, plot, read_json, read_script,
    shape, svg, write_json, write_script,
};
use pingala_core::algorithm::Chain;
use pingala_core::exponent::Exponent;
use pingala_core::files::{read_capped, read_to_cap};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::str::FromStr;
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
    #[arg(long, value_name = "COST", default_value = "length")]
    #[arg(value_parser = Names::<Cost>::new(names::costs), hide_possible_values = true)]
    cost: Cost,
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

/// Print a chain as a script, as its elements, as a picture, or by --json as a file that the other commands read
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
    #[arg(long, value_name = "LANGUAGE", value_parser = Names::<Language>::new(names::languages), hide_possible_values = true)]
    to: Language,
    /// The name of the function
    #[arg(long, value_name = "NAME", default_value = "power")]
    function: String,
    /// The type of the field's elements
    #[arg(long = "type", value_name = "TYPE", default_value = "Element")]
    field: String,
}

/// A cost, as the command line names it.
#[derive(Clone, Copy, Debug)]
struct Cost(CostModel);

impl FromStr for Cost {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "length" {
            return Ok(Self(CostModel::LENGTH));
        }
        let kernel = text.strip_prefix("price:").and_then(|rest| rest.rsplit_once(':'));
        let named = kernel.and_then(|(kernel, bits)| Some((kernel, bits.parse().ok()?)));
        let (kernel, bits) = named.ok_or("expected `length` or `price:KERNEL:BITS`")?;
        CostModel::of_kernel(kernel, bits).map(Self).map_err(Failure::sentence)
    }
}

fn read_exponent(text: &str) -> Result<Exponent, Failure> {
    evaluate(text).map_err(|error| Failure::Usage(Failure::sentence(error)))
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
        ..arguments.cost.0
    };
    // The file names no steps if the time decides.
    let steps = if arguments.seconds.is_some() { 0 } else { arguments.steps };
    let limit = arguments.seconds.map(Duration::from_secs_f64);
    let start = kept.map(|(chain, _)| chain);
    let search = Search { exponent, steps, limit, seed, cost, rounds: arguments.rounds, threads, start };
    let started = Instant::now();
    let shown = Shown::new(!arguments.quiet, limit);
    let found = interrupt::stoppable(|| search.run_with(&shown));
    shown.clear();
    let found = found?;
    let seconds = started.elapsed().as_secs_f64();
    let object = || {
        let object = Object::new().with("length", found.chain.length()).with("lower_bound", found.bound.length);
        let object = object.with("method", &found.method).with("moves", steps).with("seed", seed);
        let object = object.with("rounds", arguments.rounds).with("seconds", seconds);
        chain_fields(object.with("interrupted", interrupt::asked().is_some()), &found.chain)
    };
    let text = match json::is_wanted() {
        true => object().line(),
        false => document(&found, steps, seed, arguments.rounds, seconds),
    };
    output.write(text.as_bytes())?;
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

/// The exponent as hexadecimal text.
fn exponent(chain: &Chain) -> String {
    format!("{:#x}", pingala_chains::number(chain.target()))
}

/// Adds the fields of a chain, from which [`read_json`] reads it.
fn chain_fields(object: Object, chain: &Chain) -> Object {
    object.with("exponent", exponent(chain)).with("steps", chain.pairs())
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
    let named = |error| Failure::bad_file(format!("{}: {}", path.display(), Failure::sentence(error)));
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
    String::from_utf8(bytes)
        .map_err(|_| Failure::bad_file(format!("{} is not a chain: it is not text", path.display())))
}

fn read(arguments: &FileArguments) -> Result<Chain, Failure> {
    let text = text_of(&arguments.file)?;
    let chain = if text.trim_start().starts_with('{') { read_json(&text) } else { read_script(&text) };
    chain.map_err(|error| Failure::bad_file(format!("{}: {}", arguments.file.display(), Failure::sentence(error))))
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
    let shape = shape(&chain);
    let object = || {
        let object = Object::new().with("exponent", exponent(&chain)).with("length", shape.length);
        let object = object.with("squarings", shape.squarings).with("products", shape.products);
        let object = object.with("registers", shape.registers).with("depth", shape.depth);
        object.with("is_star", shape.is_star).with("lower_bound", bound.length)
    };
    let kind = if shape.is_star { "a star chain" } else { "no star chain" };
    let text = || {
        let (exponent, figures) = (exponent(&chain), figures(&chain));
        format!("an addition chain for {exponent}\n{figures}, {kind}\nevery chain has a length of {bound} at least\n")
    };
    json::answer(text, object)?;
    Ok(GOOD)
}

fn show(arguments: &ShowArguments) -> Outcome {
    if arguments.svg || arguments.elements {
        no_json()?;
    }
    let chain = read(&arguments.file)?;
    let text = || match () {
        () if arguments.svg => svg(&chain),
        () if arguments.elements => format!("{chain}\n"),
        () => write_script(&chain),
    };
    json::answer(text, || chain_fields(Object::new(), &chain))?;
    Ok(GOOD)
}

/// Error: a usage error with --json, which would take the place of another form.
fn no_json() -> Result<(), Failure> {
    if json::is_wanted() {
        return Err(Failure::Usage("--json, --svg and --elements exclude each other".into()));
    }
    Ok(())
}

fn table(arguments: &BestArguments) -> Outcome {
    if arguments.svg {
        no_json()?;
        print::output(&plot()?)?;
        return Ok(GOOD);
    }
    let Some(wanted) = &arguments.exponent else {
        let mut rows =
            vec![["name", "exponent", "length", "at least", "elsewhere", "method"].map(String::from).to_vec()];
        let mut objects = Vec::new();
        for entry in TABLE {
            let kept = entry.kept()?;
            let elsewhere = entry.elsewhere.map(|(length, _)| length).or(entry.addchain);
            let bound = lower_bound(kept.chain.target()).length;
            let object = Object::new().with("name", entry.name).with("exponent", exponent(&kept.chain));
            let object = object.with("length", kept.chain.length()).with("lower_bound", bound);
            objects.push(object.with("length_elsewhere", elsewhere).with("method", &kept.method));
            rows.push(vec![
                entry.name.into(),
                shortened(entry.expression),
                kept.chain.length().to_string(),
                bound.to_string(),
                elsewhere.map_or(String::new(), |length| length.to_string()),
                kept.method,
            ]);
        }
        json::answer_shown(|| print::table(&rows), || Object::new().with("chains", &objects))?;
        return Ok(GOOD);
    };
    let chain = match TABLE.iter().find(|entry| entry.name == wanted) {
        Some(entry) => Some(entry.kept()?.chain),
        None => best(&read_exponent(wanted)?)?.map(|(_, kept)| kept.chain),
    };
    let Some(chain) = chain else {
        let how = "`pingala chain best` lists the table, `pingala chain search` searches";
        return Err(Failure::bad_argument(format!("{wanted} is not in the table; {how}")));
    };
    json::answer(|| write_json(&chain), || chain_fields(Object::new(), &chain))?;
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
    let code = generate(&chain, arguments.to, &arguments.function, &arguments.field)?;
    json::answer(|| code.clone(), || Object::new().with("function", &arguments.function).with("code", &code))?;
    Ok(GOOD)
}
