//! Numbers in the columns of Parquet: the meaning of each type, and cells as integers.

use crate::error::{Error, Result};
use crate::leaf::Leaf;
use crate::meaning::holds;
use crate::text::{number, shown};
use parquet::basic::{ConvertedType as Converted, LogicalType as Logical, Type as Physical};
use parquet::schema::types::ColumnDescriptor;
use pingala_core::{Error as LibraryError, Integer, Natural};

/// How the values of a column are numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Nothing but nulls, of no type.
    Nulls,
    /// Unsigned, most significant byte first.
    Bytes,
    /// Text: decimal, or hexadecimal behind 0x.
    Text,
    /// Machine words with a sign.
    Signed,
    /// Machine words without.
    Unsigned,
    /// Decimals without a fraction, and integers: two's complement, most significant byte first.
    Twos,
    /// Unsigned, least significant byte first.
    Little,
    /// Two's complement, least significant byte first.
    TwosLittle,
}

/// The kind of a column at the root, or why its values are no integers. What the footer says beside the type is in [`crate::meaning`].
pub(crate) fn kind(column: &ColumnDescriptor) -> Result<Kind> {
    let refuse = |what: &str| Err(Error::argument(format!("column {} {}", shown(column.name()), holds(what))));
    let is_word = match column.physical_type() {
        Physical::FLOAT | Physical::DOUBLE => return refuse(FLOATS),
        Physical::BOOLEAN => return refuse("true and false"),
        Physical::INT96 => return refuse("timestamps"),
        Physical::INT32 | Physical::INT64 => true,
        Physical::BYTE_ARRAY | Physical::FIXED_LEN_BYTE_ARRAY => false,
    };
    // Old writers annotate by converted types alone.
    Ok(match (column.logical_type_ref(), column.converted_type()) {
        (Some(Logical::Decimal(_)), _) | (None, Converted::DECIMAL) => match column.type_scale() {
            0 if is_word => Kind::Signed,
            0 => Kind::Twos,
            _ => return refuse("decimals with a fraction"),
        },
        (Some(Logical::Integer(int)), _) if int.is_signed => Kind::Signed,
        (Some(Logical::Integer(_)), _)
        | (None, Converted::UINT_8 | Converted::UINT_16 | Converted::UINT_32 | Converted::UINT_64) => Kind::Unsigned,
        (None, Converted::INT_8 | Converted::INT_16 | Converted::INT_32 | Converted::INT_64) => Kind::Signed,
        (Some(Logical::String | Logical::Enum), _) | (None, Converted::UTF8 | Converted::ENUM) => Kind::Text,
        (None, Converted::NONE) if is_word => Kind::Signed,
        (None, Converted::NONE) => Kind::Bytes,
        (Some(Logical::Unknown), _) if column.physical_type() == Physical::INT32 => Kind::Nulls,
        (logical, converted) => return refuse(other(logical, converted)),
    })
}

const FLOATS: &str = "floats, which lose digits of long numbers";

/// The values of an annotation that is not read.
fn other(logical: Option<&Logical>, converted: Converted) -> &'static str {
    match (logical, converted) {
        (Some(Logical::Date), _) | (None, Converted::DATE) => "dates",
        (Some(Logical::Time(_)), _) | (None, Converted::TIME_MILLIS | Converted::TIME_MICROS) => "times of day",
        (Some(Logical::Timestamp(_)), _) | (None, Converted::TIMESTAMP_MILLIS | Converted::TIMESTAMP_MICROS) => {
            "timestamps"
        }
        (None, Converted::INTERVAL) => "intervals",
        (Some(Logical::Json), _) | (None, Converted::JSON) => "JSON",
        (Some(Logical::Bson), _) | (None, Converted::BSON) => "BSON",
        (Some(Logical::Uuid), _) => "UUIDs",
        (Some(Logical::Float16), _) => FLOATS,
        (Some(Logical::Geometry(_) | Logical::Geography(_)), _) => "geometries",
        (Some(Logical::Variant(_)), _) => "variants",
        (Some(Logical::Map | Logical::List), _)
        | (None, Converted::MAP | Converted::MAP_KEY_VALUE | Converted::LIST) => "lists or groups",
        _ => "values of a logical type that is not known here",
    }
}

/// A number in a row, before it is read.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cell<'a> {
    Bytes(&'a [u8]),
    Text(&'a [u8]),
    Signed(i64),
    Unsigned(u64),
    Twos(&'a [u8]),
    Little(&'a [u8]),
    TwosLittle(&'a [u8]),
}

/// The cells of a leaf; `None` for a null.
pub(crate) fn cells(leaf: &Leaf, kind: Kind) -> Vec<Option<Cell<'_>>> {
    let bytes = |bytes| match kind {
        Kind::Text => Cell::Text(bytes),
        Kind::Twos => Cell::Twos(bytes),
        Kind::Little => Cell::Little(bytes),
        Kind::TwosLittle => Cell::TwosLittle(bytes),
        _ => Cell::Bytes(bytes),
    };
    let word = |signed, unsigned| if kind == Kind::Unsigned { Cell::Unsigned(unsigned) } else { Cell::Signed(signed) };
    match leaf {
        Leaf::Int32(chunk) if kind == Kind::Nulls => chunk.rows().map(|_| None).collect(),
        Leaf::Bytes(chunk) => chunk.rows().map(|row| row.map(|value| bytes(value.data()))).collect(),
        Leaf::Fixed(chunk) if kind == Kind::Text => {
            let text = |bytes: &[u8]| bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
            chunk.rows().map(|row| row.map(|value| Cell::Text(&value.data()[..text(value.data())]))).collect()
        }
        Leaf::Fixed(chunk) => chunk.rows().map(|row| row.map(|value| bytes(value.data()))).collect(),
        Leaf::Int32(chunk) => chunk.rows().map(|row| row.map(|&n| word(n.into(), n.cast_unsigned().into()))).collect(),
        Leaf::Int64(chunk) => chunk.rows().map(|row| row.map(|&n| word(n, n.cast_unsigned()))).collect(),
        // `kind` admits no others.
        _ => Vec::new(),
    }
}

/// The number of a cell, of at most `cap` bits; text may be hexadecimal without 0x too. Errors: `too_long`, `not_a_number`.
pub(crate) fn integer(cell: Cell<'_>, what: &'static str, cap: u64, is_hexadecimal: bool) -> Result<Integer> {
    let capped = |bytes: &[u8]| {
        let length = 8 * bytes.len() as u64;
        if length > cap.saturating_add(7) { Err(LibraryError::TooLong { what, length, cap }) } else { Ok(()) }
    };
    match cell {
        Cell::Signed(value) => Ok(Integer::new(value < 0, Natural::from(value.unsigned_abs()))),
        Cell::Unsigned(value) => Ok(value.into()),
        Cell::Bytes(bytes) => {
            let bytes = &bytes[bytes.iter().take_while(|&&byte| byte == 0).count()..];
            capped(bytes)?;
            Ok(Natural::from_be_bytes(bytes).into())
        }
        Cell::Little(bytes) => {
            let bytes = &bytes[..bytes.iter().rposition(|&byte| byte != 0).map_or(0, |top| top + 1)];
            capped(bytes)?;
            Ok(Natural::from_le_bytes(bytes).into())
        }
        Cell::Twos(bytes) => {
            capped(bytes)?;
            Ok(of_twos_complement(bytes.iter().rev().copied()))
        }
        Cell::TwosLittle(bytes) => {
            capped(bytes)?;
            Ok(of_twos_complement(bytes.iter().copied()))
        }
        Cell::Text(text) => {
            let text = std::str::from_utf8(text).map_err(|error| {
                let error = LibraryError::NotANumber { position: error.valid_up_to(), reason: "not UTF-8" };
                Error::of(&error, format!("{what}: {error}"))
            })?;
            number(what, text, is_hexadecimal, cap)
        }
    }
}

/// The number of two's complement, of which these are the bytes, the least significant one first; 0 without a byte.
pub fn of_twos_complement(bytes: impl Iterator<Item = u8>) -> Integer {
    let mut magnitude: Vec<u8> = bytes.collect();
    let negative = magnitude.last().is_some_and(|top| *top >= 0x80);
    if negative {
        let mut carry = true;
        for byte in &mut magnitude {
            (*byte, carry) = (!*byte).overflowing_add(carry.into());
        }
    }
    Integer::new(negative, Natural::from_le_bytes(&magnitude))
}

#[cfg(test)]
#[path = "../tests/inside/numbers.rs"]
mod tests;
