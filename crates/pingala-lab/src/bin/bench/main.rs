//! `make bench`: Pingala compared with every peer that this machine has.
//!
//! Every cell of every table is visited once in a round, and each contender of the cell is timed once, in turn; so the
//! samples of one figure are spread over the whole run. A figure is the lower quartile. Answers are compared before and
//! after. A sample counts where wall, processor time and time stamp counter agree. On a CPU with more than AVX2 all is done
//! again as if it had no more. The record (JSON) and the tables (Markdown) go to target/bench/.

mod cell;
mod clocks;
mod evm;
mod machine;
mod peers;
mod record;
mod table;
mod work;

use cell::{Cell, Effort};
use pingala_core::kernels::{self, Feature, has};
use serde_json::json;
use std::process::{Command, ExitCode};
use std::time::Instant;
use work::Shape;

const USAGE: &str = "usage: bench [--quick] [--core N] [--rounds N] [SHAPE...]";

struct Arguments {
    quick: bool,
    core: usize,
    rounds: Option<usize>,
    shapes: Vec<Shape>,
}

fn arguments() -> Result<Arguments, String> {
    let mut found = Arguments { quick: false, core: 0, rounds: None, shapes: Vec::new() };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut number = || words.next().and_then(|text| text.parse().ok()).ok_or(format!("{word} takes a number"));
        match word.as_str() {
            "--quick" => found.quick = true,
            "--core" => found.core = number()?,
            "--rounds" => found.rounds = Some(number()?.max(1)),
            name => {
                let shape = Shape::ALL.into_iter().find(|shape| shape.key() == name);
                found.shapes.push(shape.ok_or_else(|| {
                    let names: Vec<&str> = Shape::ALL.iter().map(|shape| shape.key()).collect();
                    format!("{USAGE}\nshapes: {}", names.join(" "))
                })?);
            }
        }
    }
    if found.shapes.is_empty() {
        found.shapes = Shape::ALL.into_iter().filter(|shape| !shape.is_of_peers()).collect();
    }
    Ok(found)
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let started = Instant::now();
    machine::choose_core(arguments.core);
    machine::keep_on(1);
    let peers = peers::all();
    let mut effort = if arguments.quick {
        Effort { rounds: 20, slice: 0.5e6, cap: 0.15e9 }
    } else {
        Effort { rounds: 24, slice: 4e6, cap: 3e9 }
    };
    effort.rounds = arguments.rounds.unwrap_or(effort.rounds);
    let mut cells = Vec::new();
    for &shape in &arguments.shapes {
        for work in shape.works(arguments.quick) {
            cells.push(Cell::new(work, &peers, &effort)?);
        }
    }
    for round in 0..effort.rounds {
        eprintln!("round {} of {}, after {:.0} s", round + 1, effort.rounds, started.elapsed().as_secs_f64());
        cells.iter_mut().for_each(|cell| cell.round(round));
    }
    cells.iter_mut().try_for_each(Cell::compare)?;
    let mut header = record::header(&peers, &effort);
    let [dropped, samples] = record::dropped(&cells);
    header["dropped"] = json!({ "samples": dropped, "of": samples, "busy": record::is_busy(&cells) });
    let tables: String = arguments.shapes.iter().map(|&shape| table::markdown(shape, &cells)).collect();
    let tables = format!("{}{tables}", table::heading(&header));
    println!("{tables}");
    let record = json!({ "header": header, "cells": cells.iter().map(record::cell).collect::<Vec<_>>() });
    for (ending, text) in [("json", format!("{record:#}\n")), ("md", tables)] {
        let path = record::write(&header, ending, &text).map_err(|error| format!("target/bench: {error}"))?;
        println!("{}", path.display());
    }
    Ok(())
}

/// All tables again, in a process in which this CPU is an AVX2 machine; if it is one, or is masked already, there is nothing
/// more to say.
fn run_as_lesser(arguments: &Arguments) -> Result<(), String> {
    const AVX2: &str = "-avx512f,-avxifma";
    const QUICK_ROUNDS: &str = "8";
    let is_masked = !kernels::masked().map_err(|error| error.to_string())?.is_empty();
    if is_masked || !(has(Feature::Avx512f) || has(Feature::AvxIfma)) {
        return Ok(());
    }
    eprintln!("the same tables as on an AVX2 machine, PINGALA_CPU={AVX2}");
    let program = std::env::current_exe().map_err(|error| format!("this program again: {error}"))?;
    let mut again = Command::new(program);
    again.args(std::env::args_os().skip(1)).env("PINGALA_CPU", AVX2);
    if arguments.quick && arguments.rounds.is_none() {
        again.args(["--rounds", QUICK_ROUNDS]);
    }
    let status = again.status().map_err(|error| format!("this program again: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("as an AVX2 machine: {status}")) }
}

fn main() -> ExitCode {
    match arguments().and_then(|arguments| run(&arguments).and_then(|()| run_as_lesser(&arguments))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}
