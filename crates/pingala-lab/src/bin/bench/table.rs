//! Tables in Markdown: one a shape, a row a contender, a column a length.

use crate::bound::{self, Operations};
use crate::cell::{Cell, Contender};
use crate::work::Shape;
use std::fmt::Write;

/// The least operations that a shape needs at one length; none where no bound is stated.
fn operations(shape: Shape, bits: u64) -> Option<Operations> {
    match shape {
        Shape::Call | Shape::CallBetween | Shape::ListSharedExponent => Some(bound::sliding(bits)),
        Shape::List | Shape::ListTwoThreads | Shape::List32Bytes => Some(bound::fixed(bits, bound::lanes_window(bits))),
        Shape::CallFermat4 | Shape::ListFermat4 => Some(bound::FERMAT_4),
        Shape::CallEven | Shape::CallHalfEven | Shape::CallEvenFermat4 | Shape::CallBase2 => None,
    }
}

/// Whether a contender works on 52-bit limbs in vectors, and so against the other bound.
fn is_ifma(cell: &Cell, contender: &Contender) -> bool {
    let text = if contender.name == crate::peers::pingala::PLANNER { &cell.plan } else { &contender.name };
    text.contains("ifma") || text.contains("crypto_mb")
}

/// The lower quartile as a multiple of the bound that is stated for such a contender.
pub fn times_bound(cell: &Cell, contender: &Contender) -> Option<f64> {
    let (bits, rates) = (cell.work.modulus_bits, cell.rates());
    let operations = operations(cell.work.shape, bits)?;
    let limit = if is_ifma(cell, contender) { bound::ifma } else { bound::scalar }(bits, operations, rates)?;
    Some(contender.quartiles().lower / limit * cell.work.threads as f64)
}

/// Three or four digits.
pub fn digits(value: f64) -> String {
    match value {
        ..10.0 => format!("{value:.2}"),
        ..100.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

/// The table of one shape.
pub fn markdown(shape: Shape, cells: &[Cell]) -> String {
    let cells: Vec<&Cell> = cells.iter().filter(|cell| cell.work.shape == shape).collect();
    let mut text = format!("### {}\n\n", shape.title());
    let per = if shape.is_list() { ", per power" } else { "" };
    let _ = writeln!(text, "Microseconds{per}, lower quartile; in parentheses the multiple of the bound.\n");
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
            let multiple = times_bound(cell, contender).map_or(String::new(), |times| format!(" ({times:.2})"));
            let _ = write!(text, " {}{multiple} |", digits(quartiles.lower / 1e3));
        }
        let widest = widths.into_iter().fold(0.0, f64::max);
        let _ = writeln!(text, " {:.0}% |", widest * 100.0);
    }
    text.push('\n');
    text
}
