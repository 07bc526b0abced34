//! Columns of bytes to which Parquet gives no meaning: numbers in one of two orders, with a sign or without, or text. Bytes of fixed width
//! are read when the user says what they are, or the file if this crate wrote it. Impala, Hive and old Spark write text as
//! bytes of any width.

use crate::error::{Error, Result};
use crate::input::Input;
use crate::numbers::{Cell, Kind, cells};
use crate::plan::Plan;
use crate::task::{Binaries, Binary, NUMBERS, Task};
use crate::text::{hexadecimal, shown};
use parquet::basic::Type as Physical;
use pingala_core::Integer;
use std::collections::BTreeMap;

/// Rows that are looked at.
const LOOK_ROWS: u64 = 1000;
/// The longest number that is looked at: a shorter one of text is there, or none.
const LOOK_BITS: u64 = 1 << 16;

/// What a column is wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    Numbers,
    Signatures,
    /// Text, or bytes as they are.
    Text,
}

/// The kind of a column of an input, by its type, by what the user says of bytes without a meaning, and by what the file says.
pub(crate) fn kind_of(input: &Input, name: &str, binaries: &Binaries, wanted: Wanted) -> Result<Kind> {
    let (kind, binary) = (input.kind(name)?, binaries.of(name).or(input.meaning(name)));
    Ok(meant(kind, binary.filter(|binary| wanted == Wanted::Numbers || *binary == Binary::Text)))
}

/// The kind of bytes that mean this.
pub(crate) fn meant(kind: Kind, binary: Option<Binary>) -> Kind {
    match binary {
        Some(binary) if kind == Kind::Bytes => match binary {
            Binary::Big => Kind::Bytes,
            Binary::Little => Kind::Little,
            Binary::SignedBig => Kind::Twos,
            Binary::SignedLittle => Kind::TwosLittle,
            Binary::Text => Kind::Text,
        },
        _ => kind,
    }
}

/// The meanings of the kept columns of a task, as far as the user or all files say them.
pub(crate) fn of_kept(task: &Task, inputs: &[Input]) -> Result<BTreeMap<String, Binary>> {
    let (numbers, mut kept) = (task.numbers(), BTreeMap::new());
    for name in &task.keep {
        let is_said = numbers.contains(name) || task.binary.columns().any(|column| column == name);
        let said = task.binary.of(name).filter(|_| is_said);
        let mut meanings = Vec::with_capacity(inputs.len());
        for input in inputs {
            // Integers of 128 bits have no type of Parquet, which the results would have.
            meanings.push(match input.kind(name) {
                Ok(Kind::Bytes) => said.or(input.meaning(name)),
                Ok(Kind::Little) => Some(Binary::Little),
                Ok(Kind::TwosLittle) => Some(Binary::SignedLittle),
                _ => None,
            });
        }
        if let Some(Some(first)) = meanings.first().filter(|first| meanings.iter().all(|one| one == *first)) {
            kept.insert(name.clone(), *first);
        }
    }
    Ok(kept)
}

/// Error: `bad_argument`, for bytes without a meaning of which neither user nor file says what they are: those of fixed width, and those of any width
/// that read as the text of numbers; and for columns of which the user says it although their type does.
pub(crate) fn is_said(plan: &Plan, input: &Input) -> Result<()> {
    let operands = plan.task.operands();
    let columns = operands.iter().enumerate().filter_map(|(at, operand)| {
        let wanted = if at < NUMBERS {
            Wanted::Numbers
        } else if at == NUMBERS {
            Wanted::Signatures
        } else {
            Wanted::Text
        };
        Some((operand.as_ref()?.column()?, wanted))
    });
    refuse_unsaid(input, columns, &plan.task.binary, &plan.task.keep)
}

/// Error: as [`is_said`], for these columns; of signatures only text that begins with 0x reads as a number.
pub(crate) fn refuse_unsaid<'c>(
    input: &Input,
    columns: impl Iterator<Item = (&'c str, Wanted)>,
    binaries: &Binaries,
    kept: &[String],
) -> Result<()> {
    let columns: Vec<_> = columns.collect();
    let is_there =
        |name: &str| columns.iter().any(|(column, _)| *column == name) || kept.iter().any(|kept| kept == name);
    if let Some(name) = binaries.columns().find(|name| !is_there(name)) {
        return Err(Error::argument(format!("binary names the column {}, of which nothing is read", shown(name))));
    }
    for (name, wanted) in columns {
        let column = input.leaf(name)?;
        if input.kind(name)? != Kind::Bytes {
            if binaries.columns().any(|said| said == name) {
                let (name, path) = (shown(name), &input.facts().path);
                let why = "has a type that says what its values are; leave it out of binary";
                return Err(Error::argument(format!("column {name} of {path} {why}")));
            }
            continue;
        }
        if binaries.of(name).or(input.meaning(name)).is_some() {
            continue;
        }
        match column.physical_type() {
            Physical::FIXED_LEN_BYTE_ARRAY if wanted == Wanted::Numbers => {
                return Err(Error::argument(format!(
                    "column {} of {} holds {} bytes a row, and nothing says whether they are numbers, in which order and with which sign: {}",
                    shown(name),
                    input.facts().path,
                    column.type_length(),
                    advice(input.writer(), name)
                )));
            }
            Physical::BYTE_ARRAY if wanted != Wanted::Text => refuse_text(input, name, wanted)?,
            _ => {}
        }
    }
    Ok(())
}

/// What to type for bytes of fixed width in a file of this writer.
fn advice(writer: &str, name: &str) -> String {
    let name = shown(name);
    let all = format!(
        "say --binary {name}=big (unsigned, most significant byte first), {name}=little, {name}=signed-big (two's complement), \
         {name}=signed-little or {name}=text"
    );
    if writer.starts_with("ClickHouse") {
        format!(
            "ClickHouse wrote the file; say --binary {name}=little for its UInt128 and UInt256, {name}=signed-little for Int128 and \
             Int256, {name}=big for IPv6 and a FixedString of bytes, {name}=text for a FixedString of digits"
        )
    } else if writer.starts_with("Polars") {
        format!("polars wrote the file; say --binary {name}=little for its UInt128, {name}=signed-little for Int128")
    } else if writer.starts_with("DuckDB") {
        format!(
            "DuckDB wrote the file, and gives numbers their types: cast the column to DECIMAL(38, 0) or VARCHAR there, or {all}"
        )
    } else if writer.starts_with("parquet-mr") {
        format!(
            "a program in Java wrote the file; say --binary {name}=signed-big for what BigInteger.toByteArray gave, or {all}"
        )
    } else if writer.starts_with("fastparquet") {
        format!(
            "fastparquet wrote the file, which has no zero bytes at the end of what was of NumPy's type S: write integers or text, or {all}"
        )
    } else {
        all
    }
}

/// Error: `bad_argument`, for a column of any width that holds nothing but the text of numbers in its first rows.
fn refuse_text(input: &Input, name: &str, wanted: Wanted) -> Result<()> {
    if input.facts().rows == 0 {
        return Ok(());
    }
    let (mut found, mut is_text) = (None, true);
    let mut rows = input.rows(&[name.to_string()], 0, LOOK_ROWS.min(input.facts().rows))?;
    while let Some(batch) = rows.next(LOOK_ROWS as usize)? {
        let Some(leaf) = batch.columns.first().and_then(|column| column.first()) else { break };
        for cell in cells(leaf, Kind::Bytes).into_iter().flatten() {
            let Cell::Bytes(bytes) = cell else { continue };
            let text = std::str::from_utf8(bytes).ok();
            let text = text.filter(|text| reads_as_number(text, wanted == Wanted::Signatures));
            is_text &= text.is_some();
            found = found.or(text.map(str::to_string));
        }
    }
    match found.filter(|_| is_text) {
        Some(text) => Err(Error::argument(format!(
            "column {} of {} holds bytes without a meaning, which read as text: '{}'; say --binary text, or --binary big for unsigned \
             numbers, most significant byte first",
            shown(name),
            input.facts().path,
            shown(&text)
        ))),
        None => Ok(()),
    }
}

/// Whether this is a number as text has it, hexadecimal with 0x or without; of signatures with it.
fn reads_as_number(text: &str, has_mark: bool) -> bool {
    let text = text.trim_ascii();
    let is_long = |text: &str| text.len() > 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    (!has_mark || text.starts_with("0x"))
        && (Integer::parse_capped(&hexadecimal(text), LOOK_BITS).is_ok() || is_long(text.trim_start_matches("0x")))
}

#[cfg(test)]
#[path = "../tests/inside/binary.rs"]
mod tests;
