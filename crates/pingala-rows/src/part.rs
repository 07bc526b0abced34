//! One part: its rows read, computed and written, in batches that fit the memory.

use crate::binary::{Wanted, kind_of};
use crate::compute::Computer;
use crate::error::{Error, Result};
use crate::input::Input;
use crate::numbers::Kind;
use crate::output::{Ready, Sink};
use crate::plan::Plan;
use crate::reading::Reading;
use crate::settings::Settings;
use crate::stage;
use crate::task::{Errors, NUMBERS, Operand};
use parquet::basic::Type as Physical;
use pingala_core::Watch;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// State shared between the runner and the worker of a part: a stop flag and a count of rows.
#[derive(Debug, Default)]
pub(crate) struct Poll {
    pub(crate) stop: AtomicBool,
    /// Rows of the part so far.
    pub(crate) rows: AtomicU64,
    /// Rows before the batch in work.
    before: AtomicU64,
}

impl Watch for Poll {
    fn stop(&self) -> bool {
        self.stop.load(Relaxed)
    }

    fn progress(&self, finished: usize, _total: usize) {
        self.rows.fetch_max(self.before.load(Relaxed) + finished as u64, Relaxed);
    }
}

impl Poll {
    fn batch_is_done(&self, rows: usize) {
        let before = self.before.fetch_add(rows as u64, Relaxed) + rows as u64;
        self.rows.store(before, Relaxed);
    }
}

/// Fewest and most rows of a batch: enough to fill the lanes; more give no speed-up.
const BATCH_ROWS: [u64; 2] = [16, 4096];
/// Bytes of memory for each byte of a row: as read, as integers, prepared and computed.
const WEIGHT: u64 = 16;

/// Rows of a batch whose rows have `row_bytes`.
pub(crate) fn batch_rows(memory_bytes: u64, row_bytes: u64) -> usize {
    let [fewest, most] = BATCH_ROWS;
    (memory_bytes / 3 / (WEIGHT * row_bytes.max(1))).clamp(fewest, most) as usize
}

/// An input of a plan, with the kinds of the columns that are read, `None` for those that are only kept.
pub(crate) fn open(plan: &Plan, place: usize, watch: &dyn Watch) -> Result<(Input, Vec<Option<Kind>>)> {
    let input = Input::expect(&plan.inputs[place], &Reading::silent(watch))?;
    plan.fits(&input)?;
    let operands = plan.task.operands();
    let of = |name: &String| operands.iter().position(|of| of.as_ref().is_some_and(|of| of.column() == Some(name)));
    let wanted = |place: usize| if place < NUMBERS { Wanted::Numbers } else { Wanted::Text };
    let kind =
        |name: &String| of(name).map(|place| kind_of(&input, name, &plan.task.binary, wanted(place))).transpose();
    let kinds = plan.columns().iter().map(kind).collect::<Result<_>>()?;
    Ok((input, kinds))
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

/// The place of a row, for a message: the line of text, if the text can be read here, or the number of the row.
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
    settings: &Settings<'_>,
    poll: &Poll,
) -> Result<Ready> {
    let (columns, kept) = (plan.columns(), plan.kept());
    let options = settings.options(settings.threads).with_watch(Some(poll));
    let mut sink = None;
    let mut before = 0;
    for piece in &plan.parts[part] {
        let (input, kinds) = open(plan, piece.input, poll)?;
        let sink = match &mut sink {
            Some(sink) => sink,
            none => {
                let types = plan.task.keep.iter().map(|name| input.root(name)).collect::<Result<Vec<_>>>()?;
                none.insert(Sink::create(folder, (plan, digest), part, &types, settings.memory_bytes() / 3)?)
            }
        };
        let most = batch_rows(settings.memory_bytes(), input.row_bytes(&columns).saturating_add(plan.results.bytes()));
        let mut rows = input.rows(&columns, piece.first, piece.rows)?;
        while let Some(batch) = rows.next(most)? {
            let answers = computer.answers(&batch, &kinds, &options)?;
            if let Some((row, flaw)) = answers.errors().next().filter(|_| plan.task.errors == Errors::Fail) {
                let place = place_of_row(plan, piece.input, piece.first + before + row as u64);
                return Err(Error::new("bad_row", format!("{place}: {flaw}")));
            }
            let count = batch.rows;
            sink.push(batch, &kept, answers, piece.input, piece.first + before)?;
            before += count as u64;
            poll.batch_is_done(count);
            if poll.stop() {
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
