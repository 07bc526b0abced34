//! Columns of bytes that may be text: Impala, Hive and old Spark write text without annotating it.

use crate::error::{Error, Result};
use crate::input::Input;
use crate::numbers::{Cell, Kind, cells, kind};
use crate::plan::Plan;
use crate::task::Binary;
use crate::text::{hexadecimal, shown};
use parquet::basic::Type as Physical;
use parquet::schema::types::ColumnDescriptor;
use pingala::Integer;

/// Rows that are looked at.
const LOOK_ROWS: u64 = 1000;
/// The longest number that is looked at: a shorter one of text is there, or none.
const LOOK_BITS: u64 = 1 << 16;

/// The kind of a column, by what the task says of bytes without a meaning.
pub(crate) fn kind_of(column: &ColumnDescriptor, binary: Option<Binary>) -> Result<Kind> {
    let kind = kind(column)?;
    let is_text = kind == Kind::Bytes && column.physical_type() == Physical::BYTE_ARRAY && binary == Some(Binary::Text);
    Ok(if is_text { Kind::Text } else { kind })
}

/// Error: `bad_argument`, for bytes of any length without a meaning, all of which read as the text of a number, if the request does
/// not say what they are.
pub(crate) fn is_said(plan: &Plan, input: &Input) -> Result<()> {
    if plan.task.binary.is_some() {
        return Ok(());
    }
    // After base, exponent and modulus come signatures.
    let operands = plan.task.operands();
    let columns = operands.iter().take(4).enumerate();
    refuse_unsaid(input, columns.filter_map(|(at, operand)| Some((operand.as_ref()?.column()?, at == 3))))
}

/// Error: as [`is_said`], for these columns; of signatures only text that begins with 0x reads as a number.
pub(crate) fn refuse_unsaid<'c>(input: &Input, columns: impl Iterator<Item = (&'c str, bool)>) -> Result<()> {
    for (name, is_signature) in columns.filter(|_| input.facts().rows > 0) {
        let column = input.leaf(name)?;
        if column.physical_type() != Physical::BYTE_ARRAY {
            continue;
        }
        if kind(&column)? != Kind::Bytes {
            continue;
        }
        let (mut found, mut is_text) = (None, true);
        let mut rows = input.rows(&[name.to_string()], 0, LOOK_ROWS.min(input.facts().rows))?;
        while let Some(batch) = rows.next(LOOK_ROWS as usize)? {
            let Some(leaf) = batch.columns.first().and_then(|column| column.first()) else { break };
            for cell in cells(leaf, Kind::Bytes).into_iter().flatten() {
                let Cell::Bytes(bytes) = cell else { continue };
                let text = std::str::from_utf8(bytes).ok().filter(|text| reads_as_number(text, is_signature));
                is_text &= text.is_some();
                found = found.or(text.map(str::to_string));
            }
        }
        if let Some(text) = found.filter(|_| is_text) {
            return Err(Error::argument(format!(
                "column {} of {} holds bytes without a meaning, which read as text: '{}'; say --binary text, or --binary bytes for \
                 unsigned numbers, most significant byte first",
                shown(name),
                input.facts().path,
                shown(&text)
            )));
        }
    }
    Ok(())
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
