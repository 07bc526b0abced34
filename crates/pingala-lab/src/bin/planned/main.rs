//! `make bench WHAT=plans`: single calls as the planner chooses them, beside each kernel by force; or beside the same calls with AVX-512
//! masked.
//!
//! Each contender is a process of its own with its own prices: those of a forced kernel make every other kernel for the same moduli dear. So a
//! forced call costs what a planned one costs, and its windows are priced as usual. The contenders measure in turn, in short
//! bursts of processor time, and the least of many counts: other programs can only add time. Suspicious cells are measured again, in
//! new processes.

mod contender;
#[path = "../bench/machine.rs"]
#[allow(dead_code, reason = "the benchmarks use the rest")]
mod machine;
mod table;

use contender::{Call, Contender, serve};
use pingala_core::kernels::{Feature, Kernel, has};
use std::error::Error;
use std::process::ExitCode;
use table::Cell;

/// The mask of an AVX2 machine.
const AVX2: &str = "-avx512f,-avxifma";
/// What a planned call may take more than the best forced kernel, and more than the same call with AVX-512 masked.
const FORCED_BAR: f64 = 1.06;
const MASKED_BAR: f64 = 1.03;
/// Lengths of moduli, in bits, and exponents: values, lengths in bits, or as long as the modulus.
const LENGTHS: [usize; 27] = [
    64, 128, 192, 256, 320, 384, 512, 640, 768, 1024, 1280, 1536, 2048, 2560, 3072, 4096, 5120, 6144, 8192, 10_240,
    12_288, 14_336, 16_384, 20_480, 24_576, 32_768, 49_152,
];
const FORCED_EXPONENTS: [&str; 9] = ["=2", "=3", "3", "4", "8", "17", "64", "256", "full"];
const MASKED_EXPONENTS: [&str; 11] = ["=2", "=3", "=4", "=5", "=7", "=9", "=16", "=17", "=255", "=257", "=65537"];
const MASKED_TO: usize = 16_384;
/// The longest modulus with exponents of its length: beyond it a call takes seconds, and kernels compare as with 256 bits.
const FULL_TO: usize = 16_384;

struct Arguments {
    masked: bool,
    lesser: bool,
    from: usize,
    to: usize,
    rounds: usize,
    exponents: Vec<String>,
    kinds: Vec<String>,
    all: bool,
}

fn arguments() -> Result<Arguments, Box<dyn Error>> {
    let mut chosen = Arguments {
        masked: false,
        lesser: false,
        from: 64,
        to: 49_152,
        rounds: 16,
        exponents: Vec::new(),
        kinds: Vec::new(),
        all: false,
    };
    let mut given = std::env::args().skip(1);
    while let Some(name) = given.next() {
        let mut value = || given.next().ok_or_else(|| format!("{name} needs a value"));
        match name.as_str() {
            "forced" => chosen.masked = false,
            "masked" => chosen.masked = true,
            "--lesser" => chosen.lesser = true,
            "--all" => chosen.all = true,
            "--from" => chosen.from = value()?.parse()?,
            "--to" => chosen.to = value()?.parse()?,
            "--rounds" => chosen.rounds = value()?.parse()?,
            "--exponents" => chosen.exponents = value()?.split(',').map(Into::into).collect(),
            "--moduli" => chosen.kinds = value()?.split(',').map(Into::into).collect(),
            other => {
                return Err(format!(
                    "{other}: expected forced or masked, --lesser (as an AVX2 machine), --all (every cell), --from BITS, --to BITS, --rounds N, \
                     --exponents '=2,17,full', --moduli 'odd,even,half'"
                )
                .into());
            }
        }
    }
    Ok(chosen)
}

/// The calls of the table: odd moduli, even ones, and those with half zeros.
fn calls(chosen: &Arguments) -> Vec<Call> {
    let usual: &[&str] = if chosen.masked { &MASKED_EXPONENTS } else { &FORCED_EXPONENTS };
    let exponents: Vec<&str> = match &chosen.exponents[..] {
        [] => usual.to_vec(),
        given => given.iter().map(String::as_str).collect(),
    };
    let prepared: &[bool] = if chosen.masked { &[false, true] } else { &[false] };
    let to = if chosen.masked { chosen.to.min(MASKED_TO) } else { chosen.to };
    let mut calls = Vec::new();
    for bits in LENGTHS.into_iter().filter(|bits| (chosen.from..=to).contains(bits)) {
        for (kind, zeros) in [("odd", 0), ("even", 3), ("half", bits / 2)] {
            if !chosen.kinds.is_empty() && !chosen.kinds.iter().any(|chosen| chosen == kind) {
                continue;
            }
            for &exponent in exponents.iter().filter(|&&exponent| exponent != "full" || bits <= FULL_TO) {
                calls.extend(prepared.iter().map(|&prepared| Call {
                    bits,
                    zeros,
                    exponent: exponent.into(),
                    prepared,
                }));
            }
        }
    }
    calls
}

/// The kernels that compute single powers here.
fn kernels(odd: bool) -> impl Iterator<Item = Kernel> {
    Kernel::all().filter(move |kernel| kernel.available() && kernel.odd() == odd && kernel.lanes() == 1)
}

fn run() -> Result<(), Box<dyn Error>> {
    if std::env::args().nth(1).is_some_and(|name| name == "serve") {
        return serve();
    }
    let chosen = arguments()?;
    let mask = chosen.lesser.then_some(AVX2);
    if chosen.lesser && std::env::var_os("PINGALA_CPU").is_none() {
        // The kernels of the lesser machine are known only to a process that is one.
        let program = std::env::current_exe()?;
        let arguments = std::env::args_os().skip(1);
        let status = std::process::Command::new(program).args(arguments).env("PINGALA_CPU", AVX2).status()?;
        return if status.success() { Ok(()) } else { Err(format!("as an AVX2 machine: {status}").into()) };
    }
    if chosen.masked && !has(Feature::Avx512f) {
        println!("this CPU has no AVX-512: nothing to mask");
        return Ok(());
    }
    let mut contenders = vec![Contender::start("planned", None, mask)?];
    if chosen.masked {
        contenders.push(Contender::start("masked", None, Some(AVX2))?);
    } else {
        for kernel in kernels(true).chain(kernels(false)) {
            contenders.push(Contender::start(kernel.entry().name, Some(kernel), mask)?);
        }
    }
    let bar = if chosen.masked { MASKED_BAR } else { FORCED_BAR };
    let calls = calls(&chosen);
    let mut cells = Vec::new();
    for (at, call) in calls.into_iter().enumerate() {
        if at % 50 == 0 {
            eprintln!("cell {at}");
        }
        let mut cell = Cell::new(call, &contenders);
        cell.measure(&mut contenders, chosen.rounds)?;
        for _ in 0..3 {
            if cell.ratio() > bar {
                contenders[0].start_again()?;
                contenders[cell.best()].start_again()?;
                cell.measure(&mut contenders, 2 * chosen.rounds)?;
            }
        }
        if chosen.all || cell.ratio() > bar {
            eprintln!("{}", cell.line(&contenders));
        }
        cells.push(cell);
    }
    print!("{}", table::markdown(&cells, &contenders, bar));
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}
