//! The plan of a job: task, inputs, parts, the type of the results. It names no kernel: each machine plans for itself.

use crate::binary::{self, Wanted, kind_of};
use crate::error::{Error, Result};
use crate::identity::Facts;
use crate::input::Input;
use crate::numbers::Kind;
use crate::output::text::kept_kind;
use crate::seal;
use crate::stage;
use crate::table::is_text;
use crate::task::{Binary, Format, NUMBERS, Operand, Task, Workload};
use parquet::basic::Type as Physical;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The kind of the sealed file.
pub(crate) const KIND: &str = "job plan";
/// Its name in the folder of the results.
pub(crate) const NAME: &str = "_plan.json";

/// The column with the errors of rows of text.
pub(crate) const FLAW: &str = "_flaw";

/// Rows of one input that stand in one part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Piece {
    pub(crate) input: usize,
    pub(crate) first: u64,
    pub(crate) rows: u64,
}

/// The plan in a folder, checked, and its digest. Error: `bad_file`.
pub(crate) fn read(folder: &Path) -> Result<Option<(Plan, String)>> {
    let path = folder.join(NAME);
    let found = seal::read::<Plan>(&path, KIND)?;
    if let Some((plan, _)) = &found {
        plan.check().map_err(|why| Error::file(&path, format!("this is no plan of a job: {why}")))?;
    }
    Ok(found)
}

/// What the column of results holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Results {
    /// This number of bytes, most significant first.
    Fixed(u32),
    /// Unsigned 64-bit integers.
    Word,
    /// As many bytes as the modulus of the row.
    Variable,
    /// True and false.
    Truth,
}

impl Results {
    /// Bytes of a result; 0 if they differ.
    pub(crate) fn bytes(self) -> u64 {
        match self {
            Results::Fixed(width) => width.into(),
            Results::Word => 8,
            Results::Variable | Results::Truth => 0,
        }
    }
}

/// The plan.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Plan {
    pub(crate) task: Task,
    /// Text that was cut into Parquet first.
    pub(crate) texts: Vec<Facts>,
    /// Parquet.
    pub(crate) inputs: Vec<Facts>,
    pub(crate) results: Results,
    /// What kept columns hold to which Parquet gives no meaning.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) meanings: BTreeMap<String, Binary>,
    pub(crate) rows: u64,
    pub(crate) part_rows: u64,
    pub(crate) parts: Vec<Vec<Piece>>,
}

impl Plan {
    /// Plans a task over these inputs.
    pub(crate) fn of(task: Task, texts: Vec<Facts>, inputs: &[Input], part_rows: u64) -> Result<Self> {
        let first = inputs.first().ok_or_else(|| Error::argument("a job needs an input"))?;
        let results = results(&task, first)?;
        for input in inputs {
            operands_are_read(&task, input)?;
            input.is_unpacked(&task.columns())?;
            if self::results(&task, input)? != results {
                return Err(Error::argument(format!(
                    "the moduli of {} have another width than those of {}; --width makes all results alike",
                    input.facts().path,
                    first.facts().path
                )));
            }
            for name in &task.keep {
                if input.root(name)? != first.root(name)? {
                    return Err(Error::argument(format!(
                        "column {name} of {} has another type than that of {}",
                        input.facts().path,
                        first.facts().path
                    )));
                }
                if task.format != Format::Parquet && input.leaf(name).ok().and_then(|leaf| kept_kind(&leaf)).is_none() {
                    return Err(Error::argument(format!(
                        "column {name} cannot be kept as text: its type is neither text nor bytes, nor a plain number; --format parquet keeps it"
                    )));
                }
            }
        }
        let groups: Vec<Vec<u64>> = inputs.iter().map(Input::groups).collect();
        let facts: Vec<Facts> = inputs.iter().map(|input| input.facts().clone()).collect();
        let rows = facts.iter().map(|facts| facts.rows).sum();
        let meanings = binary::of_kept(&task, inputs)?;
        Ok(Self { task, texts, inputs: facts, results, meanings, rows, part_rows, parts: cut(&groups, part_rows) })
    }

    /// Error, if [`Plan::of`] cannot have made this plan. A plan that was read from a file is checked before it is followed.
    pub(crate) fn check(&self) -> Result<()> {
        self.task.check_alone()?;
        let wrong = |what: &str| Err(Error::argument(format!("its {what}")));
        let has_truths = matches!(self.task.workload, Workload::Verify | Workload::IsPrime);
        match self.results {
            Results::Fixed(width) if width == 0 || width > i32::MAX.unsigned_abs() => {
                return wrong("width is out of range");
            }
            Results::Truth if !has_truths => return wrong("results are of another workload"),
            results if has_truths && results != Results::Truth => return wrong("results are of another workload"),
            _ => {}
        }
        let mut facts = self.inputs.iter().chain(&self.texts);
        if self.inputs.is_empty() || facts.any(|facts| !Path::new(&facts.path).is_absolute()) {
            return wrong("inputs have no absolute paths");
        }
        let staged = |(place, facts): (usize, &Facts)| Path::new(&facts.path).ends_with(stage::name(place));
        if !self.texts.is_empty() && !self.inputs.iter().enumerate().all(staged) {
            return wrong("inputs are not the pieces of its text");
        }
        let mut rows = self.inputs.iter().map(|facts| facts.rows);
        if rows.try_fold(0u64, u64::checked_add) != Some(self.rows) {
            return wrong("rows are not those of its inputs");
        }
        if !self.parts_cover() {
            return wrong("parts do not have each row of its inputs once, in order");
        }
        Ok(())
    }

    /// Whether the parts have each row of the inputs once, in order, and none has too many.
    fn parts_cover(&self) -> bool {
        if self.rows == 0 {
            return self.parts == [[Piece { input: 0, first: 0, rows: 0 }]];
        }
        let rows = |pieces: &[Piece]| pieces.iter().try_fold(0u64, |sum, piece| sum.checked_add(piece.rows));
        let has_fit = |part: &Vec<Piece>| rows(part).is_some_and(|rows| (1..=self.part_rows).contains(&rows));
        let mut whole: Vec<Piece> = Vec::new();
        for piece in self.parts.iter().flatten() {
            match whole.last_mut().filter(|last| last.input == piece.input) {
                _ if piece.rows == 0 => return false,
                Some(last) if last.rows == piece.first => last.rows = last.rows.saturating_add(piece.rows),
                Some(_) => return false,
                None => whole.push(*piece),
            }
        }
        let inputs = (0..).zip(&self.inputs).filter(|(_, facts)| facts.rows > 0);
        self.parts.iter().all(has_fit)
            && whole.into_iter().eq(inputs.map(|(input, facts)| Piece { input, first: 0, rows: facts.rows }))
    }

    /// Error, if an input has not the columns and types for which this was planned.
    pub(crate) fn fits(&self, input: &Input) -> Result<()> {
        self.task.check(&input.columns())?;
        operands_are_read(&self.task, input)?;
        if results(&self.task, input)? != self.results {
            return Err(Error::file(
                Path::new(&input.facts().path),
                "its results have another type than the plan says",
            ));
        }
        Ok(())
    }

    /// Every column that is read; behind those of the task what is wrong with a row of text.
    pub(crate) fn columns(&self) -> Vec<String> {
        let mut columns = self.task.columns();
        columns.extend((!self.texts.is_empty()).then(|| FLAW.into()));
        columns
    }

    /// The places of the kept columns among them.
    pub(crate) fn kept(&self) -> Vec<usize> {
        let columns = self.columns();
        self.task.keep.iter().filter_map(|name| columns.iter().position(|column| column == name)).collect()
    }

    /// The name of a part.
    pub(crate) fn part_name(&self, part: usize) -> String {
        format!("part-{part:05}.{}", self.task.format.extension())
    }

    /// The path of a part.
    pub(crate) fn part_path(&self, folder: &Path, part: usize) -> PathBuf {
        folder.join(self.part_name(part))
    }

    /// Rows of a part.
    pub(crate) fn part_len(&self, part: usize) -> u64 {
        self.parts[part].iter().map(|piece| piece.rows).sum()
    }

    /// The part that a file of this name would be.
    pub(crate) fn part_of(&self, name: &str) -> Option<usize> {
        let number = name.strip_prefix("part-")?.split('.').next()?.parse().ok()?;
        (number < self.parts.len() && self.part_name(number) == name).then_some(number)
    }
}

/// Error: `bad_argument`, for a column whose values are not what the task takes them for.
fn operands_are_read(task: &Task, input: &Input) -> Result<()> {
    for (place, operand) in task.operands().iter().enumerate() {
        let Some(name) = operand.as_ref().and_then(Operand::column) else { continue };
        let wanted = if place < NUMBERS { Wanted::Numbers } else { Wanted::Text };
        let kind = kind_of(input, name, &task.binary, wanted)?;
        if wanted == Wanted::Text {
            is_text(name, Some(kind))?;
        }
    }
    Ok(())
}

/// The type of the results of an input.
fn results(task: &Task, input: &Input) -> Result<Results> {
    if matches!(task.workload, Workload::Verify | Workload::IsPrime) {
        return Ok(Results::Truth);
    }
    if let Some(width) = task.width {
        return Ok(Results::Fixed(width));
    }
    let is_word = |operand: &Option<Operand>| -> Result<bool> {
        match operand.as_ref().and_then(Operand::column) {
            None => Ok(true),
            Some(name) => Ok(matches!(input.leaf(name)?.physical_type(), Physical::INT32 | Physical::INT64)),
        }
    };
    Ok(match &task.modulus {
        Some(Operand::Column(name)) => {
            let column = input.leaf(name)?;
            match (kind_of(input, name, &task.binary, Wanted::Numbers)?, column.physical_type()) {
                (Kind::Signed | Kind::Unsigned, _) => Results::Word,
                (Kind::Text, _) => Results::Variable,
                (_, Physical::FIXED_LEN_BYTE_ARRAY) => Results::Fixed(column.type_length().unsigned_abs()),
                _ => Results::Variable,
            }
        }
        Some(operand) => {
            let modulus = operand.value().unwrap_or_else(|| Ok(0u64.into()))?;
            let bits = modulus.magnitude().bits();
            if bits <= 64 && is_word(&task.base)? {
                Results::Word
            } else {
                Results::Fixed(u32::try_from(bits.div_ceil(8).max(1)).unwrap_or(u32::MAX))
            }
        }
        None => Results::Variable,
    })
}

/// Cuts the row groups of all inputs into parts of at most `part_rows`; longer groups are divided evenly.
fn cut(inputs: &[Vec<u64>], part_rows: u64) -> Vec<Vec<Piece>> {
    let part_rows = part_rows.max(1);
    let (mut parts, mut part, mut used): (Vec<Vec<Piece>>, Vec<Piece>, u64) = (Vec::new(), Vec::new(), 0);
    for (input, groups) in inputs.iter().enumerate() {
        let mut first = 0;
        for &rows in groups.iter().filter(|&&rows| rows > 0) {
            if used > 0 && used + rows > part_rows {
                parts.push(std::mem::take(&mut part));
                used = 0;
            }
            if rows > part_rows {
                let count = rows.div_ceil(part_rows);
                let border = |place: u64| u128::from(rows) * u128::from(place) / u128::from(count);
                for place in 0..count {
                    let (start, end) = (border(place) as u64, border(place + 1) as u64);
                    parts.push(vec![Piece { input, first: first + start, rows: end - start }]);
                }
            } else {
                match part.last_mut().filter(|piece| piece.input == input) {
                    Some(piece) => piece.rows += rows,
                    None => part.push(Piece { input, first, rows }),
                }
                used += rows;
            }
            first += rows;
        }
    }
    if used > 0 {
        parts.push(part);
    }
    if parts.is_empty() {
        // So that there is a file with the columns.
        parts.push(vec![Piece { input: 0, first: 0, rows: 0 }]);
    }
    parts
}

#[cfg(test)]
#[path = "../tests/inside/plan.rs"]
mod tests;
