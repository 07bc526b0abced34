//! One part: its rows read, computed and written, in batches that fit the memory.

use crate::binary::kind_of;
use crate::compute::Computer;
use crate::error::{Error, Result};
use crate::input::Input;
use crate::numbers::Kind;
use crate::output::{Ready, Sink};
use crate::plan::Plan;
use crate::stage;
use crate::task::{Errors, Operand};
use parquet::basic::Type as Physical;
use pingala::{Options, Watch};
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// How a part is computed, which changes nothing in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Means<'a> {
    pub(crate) threads: NonZeroUsize,
    pub(crate) memory_bytes: u64,
    pub(crate) kernel: Option<&'a str>,
    pub(crate) plan: Option<&'a str>,
}

/// What a runner tells the one who computes, and what he hears.
#[derive(Debug, Default)]
pub(crate) struct Pulse {
    pub(crate) stop: AtomicBool,
    /// Rows of the part so far.
    pub(crate) rows: AtomicU64,
    /// Rows before the batch in work.
    before: AtomicU64,
}

impl Watch for Pulse {
    fn stop(&self) -> bool {
        self.stop.load(Relaxed)
    }

    fn progress(&self, finished: usize, _total: usize) {
        self.rows.fetch_max(self.before.load(Relaxed) + finished as u64, Relaxed);
    }
}

impl Pulse {
    fn batch_is_done(&self, rows: usize) {
        let before = self.before.fetch_add(rows as u64, Relaxed) + rows as u64;
        self.rows.store(before, Relaxed);
    }
}

/// Fewest and most rows of a batch: lanes want company, and more than this many gain nothing.
const BATCH_ROWS: [u64; 2] = [16, 4096];
/// Bytes that a byte of a row weighs on its way: read, as an integer, prepared, computed.
const WEIGHT: u64 = 16;

/// Rows of a batch when rows have so many bytes.
pub(crate) fn batch_rows(memory_bytes: u64, row_bytes: u64) -> usize {
    let [fewest, most] = BATCH_ROWS;
    (memory_bytes / 3 / (WEIGHT * row_bytes.max(1))).clamp(fewest, most) as usize
}

/// The kinds of the columns that are read, `None` for those that are only kept.
pub(crate) fn kinds(plan: &Plan, input: &Input) -> Result<Vec<Option<Kind>>> {
    let operands = plan.task.operands();
    let is_operand = |name: &String| operands.iter().flatten().any(|operand| operand.column() == Some(name));
    let is_number = |name: &String| operands[..3].iter().flatten().any(|operand| operand.column() == Some(name));
    let kind = |name: &String| {
        let kind = is_operand(name).then(|| kind_of(&*input.leaf(name)?, plan.task.binary)).transpose()?;
        let is_hexadecimal = plan.task.hex_input && is_number(name);
        Ok(kind.map(|kind| if kind == Kind::Text && is_hexadecimal { Kind::Hexadecimal } else { kind }))
    };
    plan.columns().iter().map(kind).collect()
}

/// The longest exponent that its column can hold, if its type says so.
pub(crate) fn exponent_bits(plan: &Plan, input: &Input) -> Result<Option<u64>> {
    let Some(name) = plan.task.exponent.as_ref().and_then(Operand::column) else { return Ok(None) };
    let column = input.leaf(name)?;
    Ok(match column.physical_type() {
        Physical::INT32 | Physical::INT64 => Some(64),
        Physical::FIXED_LEN_BYTE_ARRAY => Some(8 * u64::from(column.type_length().unsigned_abs())),
        _ => None,
    })
}

/// Where a row stands, for the one who wrote it: in text by its line, if that can be read here.
pub(crate) fn place_of_row(plan: &Plan, input: usize, row: u64) -> String {
    let before: u64 = plan.inputs.iter().take(input).map(|facts| facts.rows).sum();
    let line = stage::line_of_row(&plan.texts, plan.task.delimiter, before.saturating_add(row));
    line.unwrap_or_else(|| {
        format!("row {row} of {}", plan.inputs.get(input).map_or("an input", |facts| facts.path.as_str()))
    })
}

/// Computes a part and writes it aside.
pub(crate) fn run(
    folder: &Path,
    (plan, digest): (&Plan, &str),
    part: usize,
    computer: &Computer,
    means: &Means<'_>,
    pulse: &Pulse,
) -> Result<Ready> {
    let columns = plan.columns();
    let place = |name: &String| columns.iter().position(|column| column == name).unwrap_or_default();
    let kept: Vec<usize> = plan.task.keep.iter().map(place).collect();
    let options = Options::default()
        .with_threads(Some(means.threads))
        .with_kernel(means.kernel)
        .with_plan(means.plan)
        .with_watch(Some(pulse));
    let mut sink = None;
    let mut before = 0;
    for piece in &plan.parts[part] {
        let input = Input::expect(&plan.inputs[piece.input], &|| pulse.stop.load(Relaxed))?;
        plan.fits(&input)?;
        let kinds = kinds(plan, &input)?;
        let sink = match &mut sink {
            Some(sink) => sink,
            none => {
                let types = plan.task.keep.iter().map(|name| input.root(name)).collect::<Result<Vec<_>>>()?;
                none.insert(Sink::create(folder, (plan, digest), part, &types, means.memory_bytes / 3)?)
            }
        };
        let most = batch_rows(means.memory_bytes, input.row_bytes(&columns).saturating_add(plan.results.bytes()));
        let mut rows = input.rows(&columns, piece.first, piece.rows)?;
        while let Some(batch) = rows.next(most)? {
            let answers = computer.answers(&batch, &kinds, &options)?;
            if let Some((row, flaw)) = answers.errors.first().filter(|_| plan.task.errors == Errors::Fail) {
                let place = place_of_row(plan, piece.input, piece.first + before + *row as u64);
                return Err(Error::new("bad_row", format!("{place}: {}", flaw.message)));
            }
            let count = batch.rows;
            sink.note(&answers.errors, piece.input, piece.first + before);
            sink.push(batch, &kept, answers)?;
            before += count as u64;
            pulse.batch_is_done(count);
            if pulse.stop() {
                return Err(Error::interrupted());
            }
        }
        before = 0;
        input.is_unchanged()?;
    }
    match sink {
        Some(sink) => sink.end(),
        None => Err(Error::argument(format!("part {part} has no rows"))),
    }
}
