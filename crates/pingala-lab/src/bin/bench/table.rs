//! Tables in Markdown: one a shape, a row a contender, a column a length.

use crate::cell::Cell;
use crate::peers::gmp::NATIVE;
use crate::peers::pingala::{MODEXP, PLANNER};
use crate::work::{Shape, set_up_label};
use serde_json::Value;
use std::fmt::Write;

/// Three or four digits.
pub fn digits(value: f64) -> String {
    match value {
        ..10.0 => format!("{value:.2}"),
        ..100.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

/// The table of one shape.
pub fn markdown(shape: Shape, all: &[Cell]) -> String {
    let cells: Vec<&Cell> = all.iter().filter(|cell| cell.work.shape == shape).collect();
    let mut text = format!("### {}\n\n", shape.title());
    if shape == Shape::Evm {
        return text + &evm(&cells);
    }
    let per = if shape.is_list() { ", per power" } else { "" };
    let _ = writeln!(text, "Microseconds{per}, lower quartile.\n");
    let _ =
        writeln!(text, "| |{} width |", cells.iter().map(|cell| format!(" {} |", cell.work.label)).collect::<String>());
    let _ = writeln!(text, "|---|{}---:|", "---:|".repeat(cells.len()));
    let mut names: Vec<&str> = Vec::new();
    for name in cells.iter().flat_map(|cell| &cell.contenders).map(|contender| contender.name.as_str()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    for name in names {
        let _ = write!(text, "| {name} |");
        let mut widths = Vec::new();
        for cell in &cells {
            let Some(contender) = cell.contenders.iter().find(|contender| contender.name == name) else {
                text.push_str(" - |");
                continue;
            };
            let quartiles = contender.quartiles();
            widths.push(quartiles.upper / quartiles.lower - 1.0);
            let _ = write!(text, " {} |", digits(quartiles.lower / 1e3));
        }
        let widest = widths.into_iter().fold(0.0, f64::max);
        let _ = writeln!(text, " {:.0}% |", widest * 100.0);
    }
    for (what, figure) in DERIVED {
        let figures: Vec<_> = cells.iter().map(|cell| figure(cell, all)).collect();
        if figures.iter().any(Option::is_some) {
            let columns: String = figures.iter().map(|f| format!(" {} |", f.map_or("-".into(), digits))).collect();
            let _ = writeln!(text, "| *{what}* |{columns} |");
        }
    }
    text.push('\n');
    text
}

/// A figure of one cell that is made from others, or from the cell of an odd modulus and a general base.
type Figure = fn(&Cell, &[Cell]) -> Option<f64>;

/// The last rows of a table.
const DERIVED: [(&str, Figure); 5] = [
    ("native GMP / pingala", |cell, _| Some(cell.time(NATIVE)? / cell.time(PLANNER)?)),
    ("even / odd modulus", |cell, all| {
        let odd = match cell.work.shape {
            Shape::CallEven | Shape::CallHalfEven => Shape::Call,
            Shape::CallEvenFermat4 => Shape::CallFermat4,
            _ => return None,
        };
        Some(cell.time(PLANNER)? / twin(cell, odd, all)?)
    }),
    ("general base / base 2", |cell, all| {
        (cell.work.shape == Shape::CallBase2).then_some(twin(cell, Shape::Call, all)? / cell.time(PLANNER)?)
    }),
    ("one thread / default", |cell, all| {
        cell.work.default_options.then_some(twin(cell, Shape::List, all)? / cell.time(PLANNER)?)
    }),
    // What is left at no bits of the line through the times at 64 and 32 bits.
    ("planning, set-up and conversions", |cell, all| {
        let of =
            |bits| all.iter().find(|other| other.work.shape == Shape::SetUp && other.work.label == set_up_label(bits));
        (cell.work.label == set_up_label(32)).then_some((2.0 * of(32)?.time(PLANNER)? - of(64)?.time(PLANNER)?) / 1e3)
    }),
];

/// The time of the planner's choice in the cell of another shape with moduli of the same length.
fn twin(cell: &Cell, shape: Shape, all: &[Cell]) -> Option<f64> {
    let same = |other: &&Cell| other.work.shape == shape && other.work.modulus_bits == cell.work.modulus_bits;
    all.iter().find(same)?.time(PLANNER)
}

/// Where and with what the tables were measured.
pub fn heading(header: &Value) -> String {
    let text = |key: &str| header[key].as_str().unwrap_or("unknown").to_string();
    let mut heading = format!(
        "Measured {} on {} ({}), commit {}, {}, {} rounds, {} threads by default. Times {}.\n\n",
        text("date"),
        text("cpu"),
        text("system"),
        text("commit"),
        text("rustc"),
        header["rounds"],
        header["default_threads"],
        text("time"),
    );
    let masked = text("masked");
    if !masked.is_empty() {
        let _ = writeln!(heading, "As if the CPU had no {masked}.\n");
    }
    let (dropped, busy) = (&header["dropped"], header["dropped"]["busy"] == true);
    let busy = if busy { "; the machine was busy" } else { "" };
    let _ = writeln!(
        heading,
        "Wall, processor time and time stamp counter disagreed by more than 2% in {} of {} samples, which are dropped{busy}.\n",
        dropped["samples"], dropped["of"]
    );
    if let Some(peers) = header["peers"].as_object() {
        for (name, version) in peers {
            let _ = writeln!(heading, "- {name}: {}", version.as_str().unwrap_or("unknown"));
        }
    }
    heading.push('\n');
    heading
}

/// The EVM's cases, dearest per gas of EIP-7883 first.
fn evm(cells: &[&Cell]) -> String {
    let mut rows: Vec<(f64, String)> = Vec::new();
    for cell in cells {
        let (Some([old, new]), Some(ours)) = (cell.work.gas, cell.time(MODEXP)) else { continue };
        let gmp = cell.time(NATIVE).map_or("-".into(), |time| digits(time / 1e3));
        let per_gas = ours / new as f64;
        let label = &cell.work.label;
        let (us, per_old) = (digits(ours / 1e3), digits(ours / old as f64));
        rows.push((per_gas, format!("| {label} | {us} | {gmp} | {old} | {per_old} | {new} | {} |\n", digits(per_gas))));
    }
    rows.sort_by(|one, other| other.0.total_cmp(&one.0));
    let mut text = String::from("Dearest first. Bytes to bytes; GMP without conversions.\n\n");
    text += "| case | pingala, us | GMP native, us | gas, EIP-2565 | ns per gas | gas, EIP-7883 | ns per gas |\n";
    text += "|---|---:|---:|---:|---:|---:|---:|\n";
    text.extend(rows.into_iter().map(|(_, row)| row));
    text + "\n"
}
