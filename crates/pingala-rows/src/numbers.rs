//! Numbers in the columns of Parquet: the meaning of each type, and cells as integers.

use crate::error::{Error, Result};
use crate::leaf::Leaf;
use crate::text::number;
use parquet::basic::{ConvertedType, LogicalType, Type as Physical};
use parquet::schema::types::ColumnDescriptor;
use pingala::{Error as LibraryError, Integer, Natural};

/// How the values of a column are numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Unsigned, most significant byte first.
    Bytes,
    /// Text: decimal, or hexadecimal behind 0x.
    Text,
    /// Machine words with a sign.
    Signed,
    /// Machine words without.
    Unsigned,
    /// Decimals without a fraction: two's complement, most significant byte first.
    Twos,
}

/// The kind of a column, or why its values are no integers.
pub(crate) fn kind(column: &ColumnDescriptor) -> Result<Kind> {
    let name = column.name();
    let refuse =
        |what: &str| Err(Error::argument(format!("column {name} holds {what}; expected bytes, text or integers")));
    if column.max_rep_level() > 0 || column.path().parts().len() > 1 {
        return refuse("lists or groups");
    }
    if column.converted_type() == ConvertedType::DECIMAL
        || matches!(column.logical_type_ref(), Some(LogicalType::Decimal(_)))
    {
        return if column.type_scale() == 0 {
            Ok(match column.physical_type() {
                Physical::INT32 | Physical::INT64 => Kind::Signed,
                _ => Kind::Twos,
            })
        } else {
            refuse("decimals with a fraction")
        };
    }
    let unsigned = match (column.logical_type_ref(), column.converted_type()) {
        (Some(LogicalType::Integer(int)), _) => !int.is_signed,
        (None, ConvertedType::UINT_8 | ConvertedType::UINT_16 | ConvertedType::UINT_32 | ConvertedType::UINT_64) => {
            true
        }
        _ => false,
    };
    match (column.physical_type(), column.logical_type_ref(), column.converted_type()) {
        (_, Some(LogicalType::Date | LogicalType::Time(_) | LogicalType::Timestamp(_)), _) => refuse("dates or times"),
        (Physical::INT32 | Physical::INT64, None | Some(LogicalType::Integer(_)), _) => {
            Ok(if unsigned { Kind::Unsigned } else { Kind::Signed })
        }
        (Physical::BYTE_ARRAY, Some(LogicalType::String | LogicalType::Enum | LogicalType::Json), _)
        | (Physical::BYTE_ARRAY, None, ConvertedType::UTF8 | ConvertedType::ENUM | ConvertedType::JSON) => {
            Ok(Kind::Text)
        }
        (Physical::BYTE_ARRAY | Physical::FIXED_LEN_BYTE_ARRAY, None, ConvertedType::NONE) => Ok(Kind::Bytes),
        (Physical::FLOAT | Physical::DOUBLE, ..) => refuse("floats, which lose digits of long numbers"),
        (Physical::BOOLEAN, ..) => refuse("true and false"),
        _ => refuse("values of a type that means something else"),
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
}

/// The cells of a leaf; `None` for a null.
pub(crate) fn cells(leaf: &Leaf, kind: Kind) -> Vec<Option<Cell<'_>>> {
    let bytes = |bytes| match kind {
        Kind::Text => Cell::Text(bytes),
        Kind::Twos => Cell::Twos(bytes),
        _ => Cell::Bytes(bytes),
    };
    let word = |signed, unsigned| if kind == Kind::Unsigned { Cell::Unsigned(unsigned) } else { Cell::Signed(signed) };
    match leaf {
        Leaf::Bytes(chunk) => chunk.rows().map(|row| row.map(|value| bytes(value.data()))).collect(),
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
        Cell::Twos(bytes) => {
            capped(bytes)?;
            if bytes.first().is_none_or(|top| top < &0x80) {
                return Ok(Natural::from_be_bytes(bytes).into());
            }
            let mut carry = true;
            let mut magnitude: Vec<u8> = bytes.iter().map(|byte| !byte).collect();
            for byte in magnitude.iter_mut().rev() {
                (*byte, carry) = byte.overflowing_add(carry.into());
            }
            Ok(Integer::new(true, Natural::from_be_bytes(&magnitude)))
        }
        Cell::Text(text) => {
            let text = std::str::from_utf8(text).map_err(|error| {
                let error = LibraryError::NotANumber { position: error.valid_up_to(), reason: "not UTF-8" };
                Error::of(&error, format!("{what}: {error}"))
            })?;
            number(what, text.trim(), is_hexadecimal, cap)
        }
    }
}

#[cfg(test)]
#[path = "../tests/inside/numbers.rs"]
mod tests;
