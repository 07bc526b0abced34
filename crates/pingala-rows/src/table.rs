//! The rows of a Parquet file, one after the other, as [`crate::records`] has those of text.

use crate::binary::{Wanted, kind_of, refuse_unsaid};
use crate::error::{Error, Result};
use crate::input::{Input, Rows, is_no_table};
use crate::leaf::Leaf;
use crate::numbers::{Cell, Kind, cells, integer};
use crate::records::{Holds, RowSource, Rules};
use crate::task::Binaries;
use crate::text::{Value, listed, shown};
use crate::verdicts::no_field;
use parquet::basic::Type as Physical;
use pingala_core::pairs;
use std::path::Path;

/// Rows that are read at once.
const BATCH_ROWS: usize = 256;

/// A column: its name, the kind of its values (none for truth values), and those of the batch.
struct Column {
    name: String,
    kind: Option<Kind>,
    values: Vec<Option<Result<Value<'static>>>>,
}

/// The rows of a file.
pub(crate) struct Table {
    rows: Rows<Box<Input>>,
    columns: Vec<Column>,
    /// For each wanted value its column.
    places: Vec<Option<usize>>,
    /// The number of rows read so far, the place of the last one in its batch, and the rows of the batch.
    number: u64,
    at: usize,
    in_batch: usize,
    total: u64,
    bytes: u64,
}

impl Table {
    /// The columns of a file that rules want. Errors: `bad_file`; `bad_argument`, for a column whose values are neither text, bytes,
    /// whole numbers nor truth values, and for binary columns that may be several things, unless `binary` says what they are.
    pub(crate) fn open(path: &Path, rules: &Rules, binary: &Binaries) -> Result<Self> {
        is_no_table(path)?;
        let input = Input::open(path)?;
        let there = input.columns();
        if let Some(names) = rules.lacking(&there) {
            let there = listed(&there);
            return Err(Error::file(path, format!("there is no column {names}; there are {there}{}", rules.choose)));
        }
        let mut columns: Vec<Column> = Vec::new();
        let (mut places, mut wanted_for) = (Vec::with_capacity(rules.names.len()), Vec::new());
        for (place, name) in rules.names.iter().enumerate() {
            if name.is_empty() || !there.contains(name) {
                places.push(None);
                continue;
            }
            let holds = (rules.holds)(place);
            let wanted = match holds {
                _ if name == "signature" => Wanted::Signatures,
                Holds::Numbers => Wanted::Numbers,
                _ => Wanted::Text,
            };
            let read = || {
                let leaf = input.leaf(name)?;
                let is_truth = leaf.physical_type() == Physical::BOOLEAN && holds == Holds::Truths;
                let kind = if is_truth { None } else { Some(kind_of(&input, name, binary, wanted)?) };
                if holds == Holds::Text { is_text(name, kind).map(|()| kind) } else { Ok(kind) }
            };
            // A column that is no field has no type that would be right.
            let kind = read().map_err(|why| match holds {
                Holds::Option => Error::argument(no_field(name)),
                _ => why,
            })?;
            let known = columns.iter().position(|column| column.name == *name);
            places.push(Some(known.unwrap_or(columns.len())));
            if known.is_none() {
                columns.push(Column { name: name.clone(), kind, values: Vec::new() });
                wanted_for.push(wanted);
            }
        }
        let names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
        // Truth values have no kind.
        let read = pairs(&columns, wanted_for)?.filter(|(column, _)| column.kind.is_some());
        refuse_unsaid(&input, read.map(|(column, wanted)| (column.name.as_str(), wanted)), binary, &[])?;
        let (total, bytes) = (input.facts().rows, input.facts().bytes);
        let rows = Rows::of(Box::new(input), &names, 0, total)?;
        Ok(Self { rows, columns, places, number: 0, at: 0, in_batch: 0, total, bytes })
    }
}

impl RowSource for Table {
    fn next(&mut self, before_waiting: &mut dyn FnMut()) -> Result<bool> {
        self.at += 1;
        if self.at >= self.in_batch {
            before_waiting();
            let Some(batch) = self.rows.next(BATCH_ROWS)? else { return Ok(false) };
            for (column, leaves) in pairs(&mut self.columns, &batch.columns)? {
                column.values = leaves.first().map_or(Vec::new(), |leaf| values(leaf, column.kind, &column.name));
                if column.values.len() != batch.rows {
                    return Err(pingala_core::Error::Fault("a column differs from its batch in length").into());
                }
            }
            (self.at, self.in_batch) = (0, batch.rows);
        }
        self.number += 1;
        Ok(true)
    }

    fn values<'a>(&'a self, into: &mut [Option<Value<'a>>]) -> Result<()> {
        for (into, place) in pairs(into, &self.places)? {
            *into = match place.and_then(|place| self.columns[place].values[self.at].as_ref()) {
                None => None,
                Some(Ok(value)) => Some(value.clone()),
                Some(Err(flaw)) => return Err(flaw.clone()),
            };
        }
        Ok(())
    }

    fn has_column(&self, place: usize) -> bool {
        self.places.get(place).is_some_and(Option::is_some)
    }

    fn place(&self) -> (&'static str, u64) {
        ("row", self.number - 1)
    }

    fn offset_bytes(&self) -> u64 {
        (u128::from(self.bytes) * u128::from(self.number) / u128::from(self.total.max(1))) as u64
    }

    fn row_bytes(&self) -> usize {
        usize::try_from(self.bytes / self.total.max(1)).unwrap_or(usize::MAX)
    }
}

/// Error: `bad_argument`, for a column of numbers where text or bytes are wanted.
pub(crate) fn is_text(name: &str, kind: Option<Kind>) -> Result<()> {
    match kind {
        Some(Kind::Bytes | Kind::Text | Kind::Nulls) => Ok(()),
        _ => Err(Error::argument(format!("column {} holds numbers; expected bytes or text", shown(name)))),
    }
}

/// The values of a stretch; none for a null.
fn values(leaf: &Leaf, kind: Option<Kind>, name: &str) -> Vec<Option<Result<Value<'static>>>> {
    let value = |cell: Cell<'_>| match cell {
        Cell::Bytes(bytes) => Ok(Value::Bytes(bytes.to_vec().into())),
        Cell::Text(text) => match std::str::from_utf8(text) {
            Ok(text) => Ok(Value::Field(text.to_string().into())),
            Err(error) => {
                let at = error.valid_up_to() + 1;
                Err(Error::bad_row(format!("{}: not UTF-8 at byte {at}", shown(name))))
            }
        },
        // Columns of such cells are as wide as their type.
        Cell::Signed(_) | Cell::Unsigned(_) | Cell::Twos(_) | Cell::Little(_) | Cell::TwosLittle(_) => {
            integer(cell, "number", u64::MAX - 7, false).map(Value::Number)
        }
    };
    match (leaf, kind) {
        (Leaf::Bool(chunk), _) => {
            let truth = |truth: &bool| Ok(Value::Json(if *truth { "true" } else { "false" }));
            chunk.rows().map(|row| row.map(truth)).collect()
        }
        (leaf, Some(kind)) => cells(leaf, kind).into_iter().map(|cell| cell.map(value)).collect(),
        (_, None) => Vec::new(),
    }
}
