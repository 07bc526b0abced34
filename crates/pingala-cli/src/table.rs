//! `pingala table`: tables for the powers of one base, in files.

use crate::elements::{Elements, Results};
use crate::explain;
use crate::failure::{Failure, GOOD, Outcome};
use crate::json::{self, Object};
use crate::number::{self, Field};
use crate::print::{self, grouped, row};
use crate::settings::{self, Planning};
use clap::{Args, Subcommand};
use pingala_core::{Expected, FixedBase, Limits, Natural, Options, Uses};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// Build, describe, check or use a table of one base, which makes many powers of it cheaper
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Build(Build),
    /// Describe a file, after the checks on loading: checksum, lengths, some entries
    Info(File),
    /// Check a file by computing every entry again
    Verify(File),
    Pow(Pow),
}

const POW_NOTES: &str = "\
FILE has one exponent per line; blank lines are skipped. The results are printed in the same order, one per line, \
hexadecimal if any exponent is.";

/// Build a table and write it to a file
#[derive(Debug, Args)]
struct Build {
    /// Any integer
    #[arg(value_name = "BASE", allow_hyphen_values = true)]
    base: String,
    /// At least 1
    #[arg(value_name = "MODULUS", allow_hyphen_values = true)]
    modulus: String,
    /// The file of the table; it appears when it is complete
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Length of the longest exponent (default: that of the modulus)
    #[arg(long, value_name = "BITS", value_parser = settings::count(1..=u64::MAX))]
    exponent_bits: Option<u64>,
    /// Memory limit for the table
    #[arg(long, value_name = "BYTES", default_value = "256K", value_parser = settings::size)]
    memory: u64,
    /// How many powers to expect; they share the cost of building
    #[arg(long, value_name = "COUNT", default_value_t = 10_000, value_parser = settings::count(1..=u64::MAX))]
    uses: u64,
    /// Expect most of them in lists
    #[arg(long)]
    lists: bool,
    /// Replace a file of that name
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    planning: Planning,
}

#[derive(Debug, Args)]
struct File {
    /// What `pingala table build` wrote
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Refuse a longer file
    #[arg(long, value_name = "BYTES", default_value_t = FixedBase::MAX_FILE_BYTES, value_parser = settings::size)]
    max_bytes: u64,
}

/// Raise the base of a table to many powers
#[derive(Debug, Args)]
#[command(after_help = POW_NOTES)]
struct Pow {
    /// What `pingala table build` wrote
    #[arg(value_name = "TABLE")]
    table: PathBuf,
    #[command(flatten)]
    exponents: Elements,
    #[command(flatten)]
    results: Results,
    /// Map the table from its file, which must not change meanwhile
    #[arg(long)]
    map: bool,
    /// Refuse a longer table
    #[arg(long, value_name = "BYTES", default_value_t = FixedBase::MAX_FILE_BYTES, value_parser = settings::size)]
    max_bytes: u64,
    /// Threads (default: all cores)
    #[arg(long, value_name = "COUNT", value_parser = settings::threads)]
    threads: Option<NonZeroUsize>,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    match &arguments.action {
        Action::Build(arguments) => build(arguments)?,
        Action::Info(arguments) => describe(&arguments.file, &load(arguments)?)?,
        Action::Verify(arguments) => {
            let table = load(arguments)?;
            table.verify(&Options::default())?;
            let file = arguments.file.display().to_string();
            json::answer(
                || format!("{file}: all {} entries are right\n", table.entries()),
                || Object::new().with("file", &file).with("entries", table.entries()).with("valid", true),
            )?;
        }
        Action::Pow(arguments) => pow(arguments)?,
    }
    Ok(GOOD)
}

fn build(arguments: &Build) -> Result<(), Failure> {
    let options = arguments.planning.options();
    let limits = *options.limits();
    let base = number::argument(&arguments.base, Field::Base, &limits)?.value;
    let (modulus, _) = number::modulus(&arguments.modulus, &limits)?;
    let bits = arguments.exponent_bits.unwrap_or_else(|| modulus.value().bits());
    let memory = arguments.memory;
    let uses = Uses::new(arguments.uses, arguments.lists);
    if let Some(how) = arguments.planning.how.explain {
        let explanation = FixedBase::explain(&base, &modulus, bits, memory, uses, &options)?;
        return print::output(&explain::shown(&explanation.summary(), how));
    }
    let file = &arguments.file;
    crate::output::check(file, arguments.force)?;
    let table = FixedBase::for_uses(&base, &modulus, bits, memory, uses, &options)?;
    table.save(file)?;
    describe(file, &table)
}

fn pow(arguments: &Pow) -> Result<(), Failure> {
    let expected = Expected::default().with_max_bytes(arguments.max_bytes);
    // SAFETY: the user established it by --map, whose help says that the file must not change.
    #[allow(unsafe_code)]
    let expected = unsafe { expected.with_map(arguments.map) };
    let table = FixedBase::load(&arguments.table, &expected, &Options::default())?;
    let limits = Limits::new(Limits::default().modulus_bits, table.exponent_bits());
    let (exponents, lines, hexadecimal) = arguments.exponents.exponents(&limits)?;
    arguments.results.write((&arguments.exponents, Some(&arguments.table)), &lines, hexadecimal, |progress| {
        let options = Options::default().with_threads(arguments.threads).with_watch(Some(progress));
        table.pow_list(&exponents, &options)
    })
}

fn load(arguments: &File) -> Result<FixedBase, Failure> {
    let expected = Expected::default().with_max_bytes(arguments.max_bytes);
    Ok(FixedBase::load(&arguments.file, &expected, &Options::default())?)
}

fn describe(file: &Path, table: &FixedBase) -> Result<(), Failure> {
    let number = |number: &Natural| format!("{number:#x}");
    let mut rows = vec![
        row("file", file.display().to_string()),
        row("modulus", number(table.modulus().value())),
        row("base", number(table.base())),
        row("exponents", format!("up to {} bits", grouped(table.exponent_bits()))),
        row("plan", table.plan().to_string()),
        row("entries", grouped(table.entries())),
        row("bytes", grouped(table.table_bytes())),
    ];
    rows.extend(table.notes().iter().map(|note| row("note", note.clone())));
    json::answer_shown(
        || print::table(&rows),
        || {
            Object::new()
                .with("file", file.display().to_string())
                .with("modulus", number(table.modulus().value()))
                .with("base", number(table.base()))
                .with("exponent_bits", table.exponent_bits())
                .with("plan", table.plan().to_string())
                .with("entries", table.entries())
                .with("bytes", table.table_bytes())
                .with("notes", table.notes())
        },
    )
}
