//! Energy of Montgomery products on processors that are not at hand: executed counts, times cycles, times current.
//!
//! The counts come from the texts that ship, run over a counting word (`pingala_lab::counting`, docs/counting.md); the
//! processors from files of prices (crates/pingala-lab/processors/). papers/003.md reads the tables.

mod exponentiation;
mod model;
mod processor;
mod record;
mod sweep;
mod tables;

use model::Profile;
use processor::{Processor, SHIPPED};
use std::path::PathBuf;
use std::process::ExitCode;

const USAGE: &str = "\
usage: energy [--processor FILE]... [--profile risc|arm] [--bits N] [--json FILE]

Prints, for each processor, its prices, the energy of a product and of an exponentiation, a sweep over cycles and lengths,
and crossovers. Processors: the files named, otherwise those that ship. --bits: the length of the products shown, a
multiple of 64, 1024 otherwise. --json: the whole record, `-` for standard output instead of the tables.";

struct Arguments {
    processors: Vec<Processor>,
    profiles: Vec<Profile>,
    bits: usize,
    json: Option<PathBuf>,
}

fn arguments() -> Result<Arguments, String> {
    let mut found = Arguments { processors: Vec::new(), profiles: Profile::ALL.to_vec(), bits: 1024, json: None };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} takes a value\n{USAGE}"));
        match word.as_str() {
            "--processor" => found.processors.push(Processor::read(value()?.as_ref())?),
            "--profile" => {
                let name = value()?;
                let profile = Profile::ALL.into_iter().find(|profile| profile.name() == name);
                found.profiles = vec![profile.ok_or(format!("there is no profile '{name}'\n{USAGE}"))?];
            }
            "--bits" => {
                let bits = value()?;
                let bits =
                    bits.parse().ok().filter(|bits: &usize| bits.is_multiple_of(64) && (128..=16_384).contains(bits));
                found.bits = bits.ok_or(format!("--bits takes a multiple of 64 from 128 to 16384\n{USAGE}"))?;
            }
            "--json" => found.json = Some(value()?.into()),
            _ => return Err(USAGE.into()),
        }
    }
    if found.processors.is_empty() {
        found.processors = SHIPPED.into_iter().map(Processor::parse).collect::<Result<_, _>>()?;
    }
    Ok(found)
}

fn run(arguments: &Arguments) -> Result<(), String> {
    if let Some(path) = &arguments.json {
        let text = format!("{:#}\n", record::all(&arguments.processors));
        if path.as_os_str() == "-" {
            print!("{text}");
            return Ok(());
        }
        std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    let bits = arguments.bits;
    let mut parts = vec![tables::counts(bits), tables::memory_machine(bits)];
    for processor in &arguments.processors {
        parts.push(tables::prices(processor));
        for &profile in &arguments.profiles {
            parts.push(tables::savings(processor, profile, bits));
            parts.push(tables::sweep(processor, profile));
            parts.push(tables::crossovers(processor, profile));
            parts.push(tables::exponentiations(processor, profile));
        }
    }
    print!("{}", parts.join("\n"));
    Ok(())
}

fn main() -> ExitCode {
    match arguments().and_then(|arguments| run(&arguments)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("energy: {message}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests;
