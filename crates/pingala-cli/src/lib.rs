//! The command `pingala` as a library: [`run`] takes the arguments and gives the exit status.
//!
//! Each subcommand is one module with its arguments and its `run`. They parse, call the public API of the crate
//! `pingala`, and print; none of them does arithmetic.
#![deny(unsafe_code)]

mod algorithms;
mod batch;
mod bench;
mod bench_kernels;
mod bench_python;
mod chain;
mod chain_progress;
mod chain_search;
mod elements;
mod explain;
mod failure;
mod info;
mod interrupt;
mod job;
mod json;
mod manual;
mod names;
mod number;
mod output;
mod plan;
mod pow;
mod powercap;
mod prime;
mod prime_random;
mod prime_roots;
mod print;
mod progress;
mod settings;
mod shared_work;
mod square;
mod square_proof;
mod table;
mod tune;
mod verify;
mod width;

pub use job::{Cluster, ClusterRun, set_cluster};

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use failure::{Failure, Outcome};
use std::ffi::OsString;

/// The environment and the exit statuses.
const NOTES: &str = "\
Numbers on the command line are decimal, or hexadecimal with 0x. `@FILE` reads the number from a file, `-` from standard \
input. 1_000, 1e9, 2**127-1 and 2^127-1 are numbers too. Sizes are bytes: 4096, 64K, 1M, 2G (powers of 1024).

Environment:
  PINGALA_KERNEL, PINGALA_PLAN  force a kernel or a plan, if the command line forces neither
  PINGALA_CPU                   CPU features to ignore, if --cpu is not given: -avx512f,-adx
  PINGALA_PRICES                the file of prices for planning, or `built-in` for the built-in prices (see `pingala tune --help`)

Exit status:
  0    success
  1    the run failed: a file, a setting, or arithmetic that has no result
  2    the command line is wrong
  3    batch, job, verify: some rows are errors
  4    batch: some results differ from what the row expected; verify: some signatures are not valid (wins over 3); \
       prime test: some numbers are not prime; square --verify: the proof is not valid
  130  interrupted by Ctrl-C (143: terminated)
  141  the reader of standard output closed it";

/// Modular exponentiation, with plans chosen by measured prices
#[derive(Debug, Parser)]
#[command(name = "pingala", bin_name = "pingala", version, after_help = NOTES)]
#[command(subcommand_required = true, arg_required_else_help = true)]
struct Cli {
    /// Ignore these features of this CPU: -avx512f,-adx (environment: PINGALA_CPU)
    #[arg(
        long,
        global = true,
        help_heading = "This machine",
        display_order = 1000,
        value_name = "-FEATURE,...",
        allow_hyphen_values = true
    )]
    cpu: Option<String>,
    /// Print each answer as one JSON object on a line, errors too (on standard error), and no other messages
    #[arg(long, global = true, display_order = 900)]
    json: bool,
    #[command(subcommand)]
    command: Command,
}

/// Declares the subcommands: their arguments, and the functions that run them.
macro_rules! commands {
    ($($(#[$doc:meta])* $name:ident($arguments:path) => $run:path,)*) => {
        #[derive(Debug, Subcommand)]
        enum Command {
            $($(#[$doc])* $name($arguments)),*
        }

        fn dispatch(command: &Command) -> Outcome {
            match command {
                $(Command::$name(arguments) => $run(arguments)),*
            }
        }
    };
}

commands! {
    Pow(pow::Arguments) => pow::run,
    Square(square::Arguments) => square::run,
    Batch(batch::Arguments) => batch::run,
    Job(job::Arguments) => job::run,
    Multi(shared_work::MultiArguments) => shared_work::multi,
    Product(shared_work::ProductArguments) => shared_work::product,
    Verify(verify::Arguments) => verify::run,
    Prime(prime::Arguments) => prime::run,
    Plan(plan::Arguments) => plan::run,
    Explain(plan::ExplainArguments) => plan::explain,
    /// Print the addition chain of an algorithm for an exponent, or compare those of all; search, check and use short chains
    Chain(chain::ChainArguments) => chain::chain,
    /// Print the steps of an algorithm for an exponent
    Trace(chain::TraceArguments) => chain::trace,
    Algorithms(algorithms::Arguments) => algorithms::run,
    Info(info::Arguments) => info::run,
    Table(table::Arguments) => table::run,
    Tune(tune::Arguments) => tune::run,
    Bench(bench::Arguments) => bench::run,
    Completions(manual::CompletionsArguments) => manual::completions,
    Man(manual::ManArguments) => manual::man,
}

/// Runs the command with these arguments (the first is the program's name) and gives its exit status, as listed by
/// `pingala --help`.
///
/// Ctrl-C and SIGTERM end the whole process, after the temporary file of an unfinished output has been removed.
pub fn run<I, T>(arguments: I) -> i32
where
    I: IntoIterator<Item = T>,
    T: Into<OsString> + Clone,
{
    let arguments: Vec<OsString> = arguments.into_iter().map(Into::into).collect();
    // Of a command line that cannot be read, the option is known by its text.
    json::choose(arguments.iter().take_while(|text| *text != "--").any(|text| text == "--json"));
    let command = width::in_columns(Cli::command(), width::of_help());
    let cli = match command.try_get_matches_from(arguments).and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(message) => return print::usage(&message),
    };
    json::choose(cli.json);
    let mask = match &cli.cpu {
        Some(features) => pingala_core::kernels::mask(features).map_err(|why| Failure::Usage(format!("--cpu: {why}"))),
        None => pingala_core::kernels::masked().map(drop).map_err(Failure::from),
    };
    if let Err(failure) = mask {
        return failure.report();
    }
    interrupt::watch_signals();
    dispatch(&cli.command).unwrap_or_else(Failure::report)
}

/// Tells the command that standard output was closed when the process started. By the time of [`run`] that cannot be seen: the
/// runtime of Rust opens `/dev/null` in place of a closed standard stream.
pub fn stdout_was_closed() {
    print::STDOUT_WAS_CLOSED.store(true, std::sync::atomic::Ordering::Relaxed);
}
