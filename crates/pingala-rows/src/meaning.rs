//! What the footer of a Parquet file says about its columns beside their Parquet types: Arrow's schema, which names extension types and
//! durations, and the notes of GeoParquet, pandas, Spark and Avro. A column is never read by the storage of another type.

use crate::numbers::{self, Kind};
use crate::text::shown;
use parquet::basic::Type as Physical;
use parquet::file::metadata::FileMetaData;
use parquet::schema::types::ColumnDescriptor;
use serde_json::Value;
use std::cell::Cell;
use std::collections::HashMap;

/// The key of Arrow's schema.
const ARROW: &str = "ARROW:schema";

/// What a footer says about a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Said {
    /// Its values are of this class.
    Is(Class),
    /// Its values are not read; for a message, behind the name of the column.
    Refused(String),
}

/// The types of Arrow that are read, or may be kept as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Nulls,
    Integers,
    /// Integers of 128 bits as polars stores them: least significant byte first.
    Wide {
        signed: bool,
    },
    Bytes,
    Text,
    Decimals,
    Truths,
    Floats,
}

impl Class {
    /// Whether values of this class are stored in columns of Parquet of this type.
    pub(crate) fn fits(self, column: &ColumnDescriptor) -> bool {
        match (self, column.physical_type(), numbers::kind(column)) {
            (Class::Truths, physical, _) => physical == Physical::BOOLEAN,
            // Half floats are bytes.
            (Class::Floats, physical, kind) => {
                matches!(physical, Physical::FLOAT | Physical::DOUBLE | Physical::FIXED_LEN_BYTE_ARRAY) && kind.is_err()
            }
            (_, Physical::BOOLEAN | Physical::FLOAT | Physical::DOUBLE, _) => false,
            (Class::Nulls, _, Ok(kind)) => kind == Kind::Nulls,
            (Class::Integers, _, Ok(kind)) => matches!(kind, Kind::Signed | Kind::Unsigned),
            (Class::Wide { .. }, Physical::FIXED_LEN_BYTE_ARRAY, Ok(kind)) => {
                kind == Kind::Bytes && column.type_length() == 16
            }
            (Class::Wide { .. }, ..) => false,
            (Class::Bytes, _, Ok(kind)) => kind == Kind::Bytes,
            (Class::Text, _, Ok(kind)) => kind == Kind::Text,
            (Class::Decimals, _, Ok(kind)) => matches!(kind, Kind::Signed | Kind::Twos),
            // The type says what it is, such as JSON, and is refused by that.
            (_, _, Err(_)) => true,
        }
    }
}

/// Why a column is refused that holds `what`.
pub(crate) fn holds(what: &str) -> String {
    format!("holds {what}; expected bytes, text or integers")
}

/// The columns about which a footer says something. Error: Arrow's schema cannot be decoded, or a note that may refuse columns is no JSON.
pub(crate) fn of_footer(footer: &FileMetaData) -> Result<HashMap<String, Said>, String> {
    let mut said = HashMap::new();
    // Arrow's schema first: it has the name of an extension type.
    let mut pairs: Vec<_> = footer.key_value_metadata().into_iter().flatten().collect();
    pairs.sort_by_key(|pair| pair.key != ARROW);
    let has_schema = pairs.first().is_some_and(|pair| pair.key == ARROW && pair.value.is_some());
    for pair in pairs {
        let Some(text) = &pair.value else { continue };
        let note = |read: fn(&Value) -> Vec<(String, String)>| {
            let note = serde_json::from_str(text)
                .map_err(|why| format!("its key {} says what its columns are, and is no JSON: {why}", pair.key))?;
            Ok::<_, String>(read(&note).into_iter().map(|(name, what)| (name, Said::Refused(holds(&what)))).collect())
        };
        let found: Vec<(String, Said)> = match &*pair.key {
            ARROW => pingala_verify::base64(text)
                .and_then(|bytes| arrow(&bytes, footer.created_by().unwrap_or_default()))
                .ok_or("it is damaged: its key ARROW:schema is no schema of Arrow")?,
            "geo" => note(geometries)?,
            // Arrow's schema has all columns, and a note about the frame before a column was cast says nothing against it.
            "pandas" if !has_schema => note(of_pandas)?,
            "org.apache.spark.sql.parquet.row.metadata" => note(of_spark)?,
            "parquet.avro.schema" | "avro.schema" => note(of_avro)?,
            _ => Vec::new(),
        };
        for (name, now) in found {
            // What refuses a column wins.
            if !matches!(said.get(&name), Some(Said::Refused(_))) {
                said.insert(name, now);
            }
        }
    }
    Ok(said)
}

fn text_of(value: &Value, name: &str) -> String {
    value[name].as_str().unwrap_or_default().to_string()
}

fn list<'v>(value: &'v Value, name: &str) -> impl Iterator<Item = &'v Value> {
    value[name].as_array().into_iter().flatten()
}

/// The columns of GeoParquet, which are bytes of an encoding such as WKB.
fn geometries(note: &Value) -> Vec<(String, String)> {
    let columns = note["columns"].as_object().into_iter().flatten();
    columns.map(|(name, _)| (name.clone(), "geometries".into())).collect()
}

/// Columns that pandas, without Arrow's schema, calls something other than their Parquet types.
fn of_pandas(note: &Value) -> Vec<(String, String)> {
    const KINDS: [(&str, &str); 5] = [
        ("timedelta64", "durations"),
        ("datetime64", "timestamps"),
        ("period", "periods of pandas"),
        ("interval", "intervals"),
        ("complex", "complex numbers"),
    ];
    let what = |column: &Value| {
        let kind = text_of(column, "numpy_type");
        let (_, what) = KINDS.iter().find(|(start, _)| kind.starts_with(start))?;
        Some((text_of(column, "field_name"), (*what).into()))
    };
    list(note, "columns").filter_map(what).collect()
}

/// Spark's intervals are integers in Parquet, and its user-defined types are whatever their classes store.
fn of_spark(note: &Value) -> Vec<(String, String)> {
    let what = |field: &Value| match &field["type"] {
        Value::String(kind) if kind.starts_with("interval") => Some("intervals".to_string()),
        kind if kind["type"] == "udt" => {
            Some(format!("values of a user-defined type of Spark, {}", quoted(&text_of(kind, "class"))))
        }
        _ => None,
    };
    list(note, "fields").filter_map(|field| Some((text_of(field, "name"), what(field)?))).collect()
}

/// Logical types of Avro. Every decimal of Avro is annotated in Parquet too.
fn of_avro(note: &Value) -> Vec<(String, String)> {
    let logical = |kind: &Value| kind["logicalType"].as_str().filter(|name| *name != "decimal").map(quoted);
    let what = |field: &Value| {
        let kinds = list(field, "type").chain([&field["type"]]);
        let name = kinds.map(logical).find_map(|name| name)?;
        Some((text_of(field, "name"), format!("values of a logical type of Avro, {name}")))
    };
    list(note, "fields").filter_map(what).collect()
}

/// Foreign text in quotes, shortened, with control characters escaped.
fn quoted(text: &str) -> String {
    format!("\"{}\"", shown(text))
}

/// The fields of Arrow's schema: in Base64 a message of Arrow's interprocess format, which is a table of FlatBuffers behind its length.
/// None for what is damaged. (<https://arrow.apache.org/docs/format/Columnar.html>, `Message.fbs`, `Schema.fbs`)
fn arrow(bytes: &[u8], writer: &str) -> Option<Vec<(String, Said)>> {
    const SCHEMA: u8 = 1;
    // Before version 0.15 of Arrow no mark stood before the length.
    let whole = bytes.strip_prefix(&[0xff; 4]).unwrap_or(bytes);
    let message = whole.get(4..)?.get(..u32::from_le_bytes(number(whole, 0)?) as usize)?;
    // Offsets may point to one place many times; what is read and kept in all is bounded.
    let left = Cell::new(message.len().saturating_mul(16).saturating_add(1024));
    let root = Table { bytes: message, at: 0, left: &left }.follow(0)?;
    let kind = root.byte(1)?;
    let schema = root.table(2)?.filter(|_| kind == SCHEMA)?;
    let named = |field: Table<'_>| {
        let found = (field.text(0)?, of_field(field, writer)?);
        let why = if let (_, Said::Refused(why)) = &found { why.len() } else { 0 };
        root.spend(size_of_val(&found) + why)?;
        Some(found)
    };
    schema.tables(1)?.into_iter().map(named).collect()
}

/// What a field of Arrow's schema in a file of this writer is. Values in dictionaries are decoded in Parquet, so a dictionary is its values.
fn of_field(field: Table<'_>, writer: &str) -> Option<Said> {
    let (mut extension, mut description) = (None, String::new());
    for pair in field.tables(6)? {
        let (key, value) = (pair.text(0)?, pair.text(1)?);
        match &*key {
            "ARROW:extension:name" => extension = Some(quoted(&value)),
            "ARROW:extension:metadata" if !value.is_empty() => description = format!(" ({})", quoted(&value)),
            _ => {}
        }
    }
    if let Some(name) = extension {
        let why = "whose storage is not its meaning: in the program that made it, cast it to integers or text";
        return Some(Said::Refused(format!("has the extension type {name}{description}, {why}")));
    }
    let refused = |what: &str| Said::Refused(holds(what));
    Some(match field.byte(2)? {
        1 => Said::Is(Class::Nulls),
        2 => match field.table(3)?.map_or(Some(0), |int| int.int(0))? {
            8 | 16 | 32 | 64 => Said::Is(Class::Integers),
            128 if writer.starts_with("Polars") => {
                let signed = field.table(3)?.map_or(Some(0), |int| int.byte(1))? != 0;
                Said::Is(Class::Wide { signed })
            }
            bits => refused(&format!("integers of {bits} bits")),
        },
        3 => Said::Is(Class::Floats),
        4 | 15 | 19 | 23 => Said::Is(Class::Bytes),
        5 | 20 | 24 => Said::Is(Class::Text),
        6 => Said::Is(Class::Truths),
        7 => Said::Is(Class::Decimals),
        8 => refused("dates"),
        9 => refused("times of day"),
        10 => refused("timestamps"),
        11 => refused("intervals"),
        12 | 16 | 21 | 25 | 26 => refused("lists"),
        13 => refused("structs"),
        14 => refused("unions"),
        17 => refused("maps"),
        18 => refused("durations"),
        22 => refused("runs"),
        other => refused(&format!("a type of Arrow that is not known here, number {other}")),
    })
}

/// A table of FlatBuffers. Every place is checked; `None` means that the bytes are damaged.
#[derive(Clone, Copy)]
struct Table<'a> {
    bytes: &'a [u8],
    at: usize,
    /// How many bytes may still be read or kept.
    left: &'a Cell<usize>,
}

fn number<const BYTES: usize>(bytes: &[u8], at: usize) -> Option<[u8; BYTES]> {
    bytes.get(at..at.checked_add(BYTES)?)?.try_into().ok()
}

impl<'a> Table<'a> {
    fn spend(&self, bytes: usize) -> Option<()> {
        self.left.set(self.left.get().checked_sub(bytes)?);
        Some(())
    }

    /// The table to which the offset at `place` points.
    fn follow(self, place: usize) -> Option<Self> {
        self.spend(4)?;
        let offset = u32::from_le_bytes(number(self.bytes, place)?) as usize;
        Some(Self { at: place.checked_add(offset)?, ..self })
    }

    /// The place of a field; `Some(None)` if the table is without it.
    fn field(self, index: usize) -> Option<Option<usize>> {
        let back = i32::from_le_bytes(number(self.bytes, self.at)?);
        let fields = usize::try_from(i64::try_from(self.at).ok()?.checked_sub(back.into())?).ok()?;
        let entry = 4 + 2 * index;
        let is_there = entry + 2 <= usize::from(u16::from_le_bytes(number(self.bytes, fields)?));
        let offset = if is_there { u16::from_le_bytes(number(self.bytes, fields.checked_add(entry)?)?) } else { 0 };
        let at = self.at.checked_add(offset.into())?;
        Some((offset > 0).then_some(at))
    }

    fn byte(self, index: usize) -> Option<u8> {
        self.field(index)?.map_or(Some(0), |at| self.bytes.get(at).copied())
    }

    fn int(self, index: usize) -> Option<i32> {
        self.field(index)?.map_or(Some(0), |at| number(self.bytes, at).map(i32::from_le_bytes))
    }

    fn table(self, index: usize) -> Option<Option<Self>> {
        self.field(index)?.map_or(Some(None), |at| self.follow(at).map(Some))
    }

    fn text(self, index: usize) -> Option<String> {
        let Some(text) = self.table(index)? else { return Some(String::new()) };
        let length = u32::from_le_bytes(number(self.bytes, text.at)?) as usize;
        self.spend(length)?;
        let text = self.bytes.get(text.at.checked_add(4)?..)?.get(..length)?;
        Some(String::from_utf8_lossy(text).into_owned())
    }

    fn tables(self, index: usize) -> Option<Vec<Self>> {
        let Some(list) = self.table(index)? else { return Some(Vec::new()) };
        let count = u32::from_le_bytes(number(self.bytes, list.at)?) as usize;
        // An element has an offset of four bytes.
        let first = list.at.checked_add(4)?;
        let end = first.checked_add(count.checked_mul(4)?).filter(|&end| end <= self.bytes.len())?;
        self.spend(count.checked_mul(size_of::<Self>())?)?;
        (first..end).step_by(4).map(|place| list.follow(place)).collect()
    }
}

#[cfg(test)]
#[path = "../tests/inside/meaning.rs"]
mod tests;
