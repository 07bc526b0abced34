//! An explanation as JSON: the fields that the command and the C ABI show.

use core::fmt::{self, Display, Write};
use pingala_core::plan::summary::{Row, Summary, SummaryPart};

/// All of an explanation as a JSON object, all candidates included. docs/command.md has the fields.
pub fn json(summary: &Summary) -> String {
    let alternative = summary.alternative.as_ref().map(|other| {
        object(&[
            ("what", &JsonText(&other.what)),
            ("plan", &JsonText(&other.plan)),
            ("seconds", &JsonNumber(Some(other.seconds))),
        ])
    });
    object(&[
        ("chosen", &JsonText(&summary.chosen)),
        ("next_best", &JsonText(&summary.next_best)),
        ("problem", &JsonText(&summary.problem)),
        ("masked", &array(&summary.masked, |feature| JsonText(feature).to_string())),
        ("plan", &JsonText(&summary.plan)),
        ("seconds", &JsonNumber(Some(summary.seconds))),
        ("build_seconds", &JsonNumber(summary.build_seconds)),
        ("notes", &array(&summary.notes, |note| JsonText(note).to_string())),
        ("parts", &array(&summary.parts, part)),
        ("alternative", &alternative.as_deref().unwrap_or("null")),
    ])
}

fn part(part: &SummaryPart) -> String {
    let candidates = array(&part.candidates, row);
    object(&[("problem", &JsonText(&part.problem)), ("count", &part.count), ("candidates", &candidates)])
}

fn row(row: &Row) -> String {
    let null = || "null".to_string();
    object(&[
        ("plan", &JsonText(&row.plan())),
        ("algorithm", &JsonText(&row.algorithm)),
        ("kernel", &JsonText(&row.kernel)),
        ("chosen", &row.chosen),
        ("squarings", &JsonNumber(Some(row.squarings))),
        ("products", &JsonNumber(Some(row.products))),
        ("base_products", &JsonNumber(Some(row.base_products))),
        ("selections", &JsonNumber(Some(row.selections))),
        ("seconds", &JsonNumber(Some(row.seconds))),
        ("ratio", &JsonNumber(Some(row.ratio))),
        ("entries", &row.table.map_or_else(null, |table| table.entries.to_string())),
        ("bytes", &row.table.map_or_else(null, |table| table.bytes.to_string())),
        ("build_seconds", &JsonNumber(row.table.map(|table| table.build_seconds))),
    ])
}

fn object(fields: &[(&str, &dyn Display)]) -> String {
    let fields: Vec<String> = fields.iter().map(|(name, value)| format!("\"{name}\": {value}")).collect();
    format!("{{{}}}", fields.join(", "))
}

fn array<T>(values: &[T], one: impl Fn(&T) -> String) -> String {
    format!("[{}]", values.iter().map(one).collect::<Vec<_>>().join(", "))
}

/// A number; null for none, and for one that JSON has not.
struct JsonNumber(Option<f64>);

impl Display for JsonNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.filter(|number| number.is_finite()) {
            Some(number) => write!(f, "{number:?}"),
            None => f.write_str("null"),
        }
    }
}

/// A text in quotes.
struct JsonText<'a>(&'a str);

impl Display for JsonText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for c in self.0.chars() {
            match c {
                '"' | '\\' => write!(f, "\\{c}")?,
                c if c < ' ' => write!(f, "\\u{:04x}", u32::from(c))?,
                c => f.write_char(c)?,
            }
        }
        f.write_char('"')
    }
}
