//! Computes some rows of a finished job again, by another algorithm on another kernel, and compares them with its files.

use crate::compute::{Answer, Answers, Computer};
use crate::error::{Error, Result};
use crate::input::{Batch, Input};
use crate::job::expected;
use crate::leaf::Leaf;
use crate::numbers::{Cell, Kind, cells, integer};
use crate::output;
use crate::part;
use crate::plan::{Piece, Plan, Results};
use crate::settings::Settings;
use crate::task::{Format, Workload};
use pingala_core::{Integer, Options, Watch};
use std::num::NonZeroUsize;
use std::path::Path;

/// The kernel of other machines, and the plainest algorithm, which no plan of a long exponent names.
const OTHER_KERNEL: &str = "portable_r64";
const OTHER_PLAN: &str = "binary_left_to_right on portable_r64";
/// Most rows in one place.
const RUN_ROWS: u64 = 8;

/// Compares at least `rows` rows, or all; gives how many.
pub(crate) fn check(folder: &Path, plan: &Plan, digest: &str, rows: u64, settings: &Settings<'_>) -> Result<u64> {
    let watch = settings.watch;
    let mut checked = 0;
    // Evenly over the parts, at places that the plan's digest chooses.
    let mut state = u64::from_str_radix(digest.get(..16).unwrap_or_default(), 16).unwrap_or(1);
    let mut random = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((u128::from(state >> 11) * u128::from(below)) >> 53) as u64
    };
    let runs = rows.div_ceil(RUN_ROWS);
    if runs > 0 {
        // All rows were computed from these, not only the rows that are compared.
        expected(plan, settings)?;
    }
    // Without a table, so that the powers do not depend on the table of the job.
    let options = Options::default().with_kernel(Some(OTHER_KERNEL)).with_threads(NonZeroUsize::new(1));
    let computer = Computer::new(plan, None, &options)?;
    let border = |run: u64| (u128::from(plan.rows) * u128::from(run) / u128::from(runs.max(1))) as u64;
    for run in 0..runs {
        let (of, until) = (border(run), border(run + 1));
        let mut left = RUN_ROWS.min(until - of);
        let mut row = of + random(until - of - left + 1);
        while left > 0 {
            let (part, piece, before) = locate(plan, row);
            let rows = left.min(piece.rows);
            compare(folder, plan, part, (piece, before, rows), &computer, watch)?;
            (row, left, checked) = (row + rows, left - rows, checked + rows);
        }
        if watch.stop() {
            return Err(Error::interrupted());
        }
    }
    Ok(checked)
}

/// The part that has a row of the job, the rows from it on in one input, and how many rows of the part come before.
fn locate(plan: &Plan, mut row: u64) -> (usize, Piece, u64) {
    for (number, part) in plan.parts.iter().enumerate() {
        let mut before = 0;
        for piece in part {
            if row < piece.rows {
                return (number, Piece { first: piece.first + row, rows: piece.rows - row, ..*piece }, before + row);
            }
            (row, before) = (row - piece.rows, before + piece.rows);
        }
    }
    (0, plan.parts[0][0], 0)
}

fn compare(
    folder: &Path,
    plan: &Plan,
    part: usize,
    (piece, before, rows): (Piece, u64, u64),
    computer: &Computer,
    watch: &dyn Watch,
) -> Result<()> {
    let (input, kinds) = part::open(plan, piece.input, watch)?;
    let mut stream = input.rows(&plan.columns(), piece.first, rows)?;
    let mut at = before;
    while let Some(batch) = stream.next(rows as usize)? {
        let answers = again(computer, &batch, &kinds, plan)?;
        let path = plan.part_path(folder, part);
        let differs = match plan.task.format {
            Format::Parquet => parquet_rows(&path, plan, (at, batch.rows), &answers)?,
            _ => {
                let types = plan.task.keep.iter().map(|name| input.root(name)).collect::<Result<Vec<_>>>()?;
                output::text_rows(&path, plan, &types, at, &batch, &answers)?
            }
        };
        if let Some(row) = differs {
            let row = at + row;
            return Err(Error::new(
                "fault",
                format!("row {row} of {} comes out otherwise by {OTHER_PLAN}", path.display()),
            ));
        }
        at += batch.rows as u64;
    }
    Ok(())
}

/// Computes a batch by the other algorithm, or else by the other kernel, or else as before. A plan fits no power that needs an inverse
/// first and no even modulus; a named kernel fits no power of two.
fn again(computer: &Computer, batch: &Batch, kinds: &[Option<Kind>], plan: &Plan) -> Result<Answers> {
    let options = Options::default().with_threads(NonZeroUsize::new(1));
    let (line, kernel) = (options.with_plan(Some(OTHER_PLAN)), options.with_kernel(Some(OTHER_KERNEL)));
    let ways = if plan.task.workload == Workload::Power { vec![line, kernel] } else { vec![kernel] };
    for forced in ways {
        let unfit = |answers: &Answers| answers.errors().any(|(_, flaw)| flaw.code() == "bad_plan");
        if let Some(answers) = computer.answers(batch, kinds, &forced).ok().filter(|answers| !unfit(answers)) {
            return Ok(answers);
        }
    }
    computer.answers(batch, kinds, &options)
}

/// A result in a form that can be compared; true is not the number 1.
#[derive(PartialEq)]
enum Shown {
    Truth(bool),
    Number(Integer),
}

/// The first row of a Parquet part that differs, if one does.
fn parquet_rows(path: &Path, plan: &Plan, (first, rows): (u64, usize), answers: &Answers) -> Result<Option<u64>> {
    let number = |cell: Cell<'_>| integer(cell, "result", u64::MAX - 7, false).map(Shown::Number);
    let truth = |truth: bool| Ok(Shown::Truth(truth));
    let kind = if plan.results == Results::Word { Kind::Unsigned } else { Kind::Bytes };
    let output = Input::open(path)?;
    let mut stream = output.rows(std::slice::from_ref(&plan.task.result), first, rows as u64)?;
    let mut found = Vec::new();
    while let Some(batch) = stream.next(rows)? {
        match &batch.columns[0][0] {
            Leaf::Bool(chunk) => found.extend(chunk.rows().map(|row| row.map(|&row| truth(row)))),
            leaf => found.extend(cells(leaf, kind).into_iter().map(|cell| cell.map(number))),
        }
    }
    let wanted = answers.rows.iter().map(|row| match *row {
        Answer::Truth(is_so, _) => Some(truth(is_so)),
        Answer::Number(start, end) => Some(number(Cell::Bytes(&answers.bytes[start..end]))),
        Answer::Null | Answer::Error(_) => None,
    });
    let wanted: Vec<_> = wanted.collect();
    Ok((0..rows).find(|&row| found.get(row) != wanted.get(row)).map(|row| row as u64))
}
