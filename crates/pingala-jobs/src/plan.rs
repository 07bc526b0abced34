//! The plan of a job: task, inputs, parts, the type of the results. It names no kernel: each machine plans for itself.

use crate::error::{Error, Result};
use crate::identity::Facts;
use crate::input::Input;
use crate::numbers::{self, Kind};
use crate::task::{Format, Operand, Task, Workload};
use crate::text::shown;
use parquet::basic::Type as Physical;
use parquet::schema::types::Type;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The kind of the sealed file.
pub(crate) const KIND: &str = "job plan";
/// Its name in the folder of the results.
pub(crate) const NAME: &str = "_plan.json";

/// The column that says what is wrong with a row of text.
pub(crate) const FLAW: &str = "_flaw";

/// Rows of one input that stand in one part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Piece {
    pub(crate) input: usize,
    pub(crate) first: u64,
    pub(crate) rows: u64,
}

/// What the column of results holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Results {
    /// So many bytes, most significant first.
    Fixed(u32),
    /// Unsigned 64-bit integers.
    Word,
    /// As many bytes as the modulus of the row.
    Variable,
    /// True and false.
    Truth,
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
    pub(crate) rows: u64,
    pub(crate) part_rows: u64,
    pub(crate) parts: Vec<Vec<Piece>>,
}

impl Plan {
    /// Of a task over these inputs.
    pub(crate) fn of(task: Task, texts: Vec<Facts>, inputs: &[Input], part_rows: u64) -> Result<Self> {
        let first = inputs.first().ok_or_else(|| Error::argument("a job needs an input"))?;
        let results = results(&task, first)?;
        for input in inputs {
            for (place, operand) in task.operands().iter().enumerate() {
                let Some(name) = operand.as_ref().and_then(Operand::column) else { continue };
                let kind = numbers::kind(&*input.leaf(name)?)?;
                // Behind base, exponent and modulus are signature, message and key.
                if place >= 3 && !matches!(kind, Kind::Bytes | Kind::Text) {
                    let name = shown(name);
                    return Err(Error::argument(format!("column {name} holds numbers; expected bytes or text")));
                }
            }
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
                if task.format != Format::Parquet {
                    is_text(&*input.root(name)?)?;
                }
            }
        }
        let groups: Vec<Vec<u64>> = inputs.iter().map(Input::groups).collect();
        let facts: Vec<Facts> = inputs.iter().map(|input| input.facts().clone()).collect();
        let rows = facts.iter().map(|facts| facts.rows).sum();
        Ok(Self { task, texts, inputs: facts, results, rows, part_rows, parts: cut(&groups, part_rows) })
    }

    /// Every column that is read; behind those of the task what is wrong with a row of text.
    pub(crate) fn columns(&self) -> Vec<String> {
        let mut columns = self.task.columns();
        columns.extend((!self.texts.is_empty()).then(|| FLAW.into()));
        columns
    }

    /// The name of a part.
    pub(crate) fn part_name(&self, part: usize) -> String {
        format!("part-{part:05}.{}", self.task.format.extension())
    }

    /// Where a part is.
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

/// The type of the results of an input.
fn results(task: &Task, input: &Input) -> Result<Results> {
    if task.workload == Workload::Verify {
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
            match (numbers::kind(&column)?, column.physical_type()) {
                (Kind::Signed | Kind::Unsigned, _) => Results::Word,
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

/// Whether text can hold the values of a column.
fn is_text(column: &Type) -> Result<()> {
    use parquet::basic::{ConvertedType, LogicalType};
    let info = column.get_basic_info();
    let plain = column.is_primitive()
        && !(info.has_repetition() && info.repetition() == parquet::basic::Repetition::REPEATED)
        && column.get_physical_type() != Physical::INT96
        && matches!(
            (info.logical_type_ref(), info.converted_type()),
            (Some(LogicalType::String | LogicalType::Enum | LogicalType::Json | LogicalType::Integer(_)), _)
                | (None, ConvertedType::NONE | ConvertedType::UTF8 | ConvertedType::ENUM | ConvertedType::JSON)
        );
    if plain {
        return Ok(());
    }
    Err(Error::argument(format!(
        "column {} cannot be kept as text: its type is neither text nor bytes, nor a plain number; --format parquet keeps it",
        column.name()
    )))
}

/// Parts of about so many rows: runs of row groups; longer groups are divided evenly.
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
mod tests {
    use super::*;

    #[test]
    fn parts_have_each_row_once() {
        for inputs in [
            vec![vec![]],
            vec![vec![1]],
            vec![vec![10, 10, 10], vec![], vec![3, 0, 4]],
            vec![vec![1000], vec![1], vec![2, 7, 25, 26]],
        ] {
            for part_rows in [1, 2, 7, 25, 10_000] {
                let parts = cut(&inputs, part_rows);
                let mut rows = Vec::new();
                for part in &parts {
                    let count: u64 = part.iter().map(|piece| piece.rows).sum();
                    assert!(count <= part_rows);
                    for piece in part {
                        rows.extend((piece.first..piece.first + piece.rows).map(|row| (piece.input, row)));
                    }
                }
                let wanted = inputs.iter().enumerate();
                let wanted = wanted.flat_map(|(input, groups)| (0..groups.iter().sum()).map(move |row| (input, row)));
                assert_eq!(rows, wanted.collect::<Vec<_>>());
            }
        }
        assert_eq!(cut(&[vec![25]], 10).len(), 3);
        assert_eq!(cut(&[vec![5], vec![5]], 10).len(), 1);
    }
}
