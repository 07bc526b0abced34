//! An explanation as JSON: the fields that the command and the C ABI show.

use super::summary::{Part, Row, Summary};
use core::fmt::{self, Display, Write};

impl Summary {
    /// All of it as a JSON object: the fields of this type, all candidates included. docs/command.md has the fields.
    pub fn json(&self) -> String {
        let alternative = self.alternative.as_ref().map(|other| {
            object(&[
                ("what", &Text(&other.what)),
                ("plan", &Text(&other.plan)),
                ("seconds", &Number(Some(other.seconds))),
            ])
        });
        object(&[
            ("chosen", &Text(&self.chosen)),
            ("next_best", &Text(&self.next_best)),
            ("problem", &Text(&self.problem)),
            ("masked", &array(&self.masked, |feature| Text(feature).to_string())),
            ("plan", &Text(&self.plan)),
            ("seconds", &Number(Some(self.seconds))),
            ("build_seconds", &Number(self.build_seconds)),
            ("notes", &array(&self.notes, |note| Text(note).to_string())),
            ("parts", &array(&self.parts, part)),
            ("alternative", &alternative.as_deref().unwrap_or("null")),
        ])
    }
}

fn part(part: &Part) -> String {
    let candidates = array(&part.candidates, row);
    object(&[("problem", &Text(&part.problem)), ("count", &part.count), ("candidates", &candidates)])
}

fn row(row: &Row) -> String {
    let null = || "null".to_string();
    object(&[
        ("plan", &Text(&row.plan())),
        ("algorithm", &Text(&row.algorithm)),
        ("kernel", &Text(&row.kernel)),
        ("chosen", &row.chosen),
        ("squarings", &Number(Some(row.squarings))),
        ("products", &Number(Some(row.products))),
        ("base_products", &Number(Some(row.base_products))),
        ("selections", &Number(Some(row.selections))),
        ("seconds", &Number(Some(row.seconds))),
        ("ratio", &Number(Some(row.ratio))),
        ("entries", &row.table.map_or_else(null, |table| table.entries.to_string())),
        ("bytes", &row.table.map_or_else(null, |table| table.bytes.to_string())),
        ("build_seconds", &Number(row.table.map(|table| table.build_seconds))),
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
struct Number(Option<f64>);

impl Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.filter(|number| number.is_finite()) {
            Some(number) => write!(f, "{number:?}"),
            None => f.write_str("null"),
        }
    }
}

/// A text in quotes.
struct Text<'a>(&'a str);

impl Display for Text<'_> {
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
