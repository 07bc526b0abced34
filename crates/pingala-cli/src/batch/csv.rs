//! Rows as comma-separated values (RFC 4180): a header line names the columns, a quoted field may hold commas, doubled
//! quotes, and line ends.

use super::row::{RowError, Text, Texts};
use crate::number;
use std::borrow::Cow;

/// Where the columns stand.
#[derive(Debug)]
pub(crate) struct Columns {
    base: usize,
    exponent: usize,
    modulus: usize,
    id: Option<usize>,
    expected: Option<usize>,
    n_columns: usize,
}

impl Columns {
    /// From the header line: the names in any order, others beside them.
    pub(crate) fn of(header: &str) -> Result<Self, String> {
        let fields = split(header).map_err(|error| error.message)?;
        let optional = |name: &str| {
            let mut places = (0..fields.len()).filter(|&place| fields[place].trim() == name);
            match (places.next(), places.next()) {
                (place, None) => Ok(place),
                _ => Err(format!("the header names the column {name} twice")),
            }
        };
        let needed = |name| {
            optional(name)?.ok_or_else(|| {
                let found = number::brief(header);
                format!("the header names no column {name}: it is '{found}'; expected names in lower case with commas between, as in base,exponent,modulus")
            })
        };
        Ok(Self {
            base: needed("base")?,
            exponent: needed("exponent")?,
            modulus: needed("modulus")?,
            id: optional("id")?,
            expected: optional("expected")?,
            n_columns: fields.len(),
        })
    }

    /// The texts of a row. An empty field is an absent one. White space around a number is no part of it.
    pub(crate) fn texts<'a>(&self, record: &'a str) -> Texts<'a> {
        let fields = match split(record) {
            Ok(fields) => fields,
            Err(flaw) => return Texts { flaw: Some(flaw), ..Texts::default() },
        };
        let number = |place: usize| match fields.get(place).map(|field| trim(field.clone())) {
            Some(text) if !text.is_empty() => Some(Text::Number(text)),
            _ => None,
        };
        let id = self.id.and_then(|place| fields.get(place)).filter(|id| !id.is_empty());
        let flaw = (fields.len() != self.n_columns).then(|| {
            let (n_fields, n_columns) = (fields.len(), self.n_columns);
            RowError::bad_row(format!("the row has {n_fields} fields, the header {n_columns}"))
        });
        Texts {
            base: number(self.base),
            exponent: number(self.exponent),
            modulus: number(self.modulus),
            expected: self.expected.and_then(number),
            id: id.map(|id| serde_json::Value::from(id.as_ref()).to_string().into()),
            flaw,
        }
    }
}

fn trim(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
        Cow::Owned(text) => Cow::Owned(text.trim().to_string()),
    }
}

/// Whether a record goes on after a line, told from its lines one after the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Quoting {
    /// At the start of a field.
    #[default]
    Start,
    /// In a field without quotes, or behind the closing quote of one with.
    Plain,
    /// Between quotes.
    Quoted,
    /// Behind a quote between quotes: the closing one, or the first of two.
    Quote,
}

impl Quoting {
    /// The state after one more line of the record, `\n` included where it goes on.
    pub(crate) fn after(self, line: &[u8]) -> Self {
        line.iter().fold(self, |state, byte| match (state, byte) {
            (Quoting::Start, b'"') | (Quoting::Quote, b'"') => Quoting::Quoted,
            (Quoting::Quoted, b'"') => Quoting::Quote,
            (Quoting::Quoted, _) => Quoting::Quoted,
            (_, b',') => Quoting::Start,
            _ => Quoting::Plain,
        })
    }

    /// Whether the record goes on in the next line.
    pub(crate) fn is_open(self) -> bool {
        self == Quoting::Quoted
    }
}

/// The fields of one record.
pub(crate) fn split(record: &str) -> Result<Vec<Cow<'_, str>>, RowError> {
    let mut fields = Vec::new();
    let mut rest = record;
    loop {
        let behind = match rest.strip_prefix('"') {
            None => {
                let end = rest.find(',').unwrap_or(rest.len());
                fields.push(Cow::Borrowed(&rest[..end]));
                &rest[end..]
            }
            Some(quoted) => {
                let (field, behind) = unquote(quoted).ok_or_else(|| RowError::bad_row("a quote is never closed"))?;
                fields.push(field);
                behind
            }
        };
        match behind.strip_prefix(',') {
            Some(next) => rest = next,
            None if behind.is_empty() => return Ok(fields),
            None => return Err(RowError::bad_row(format!("text behind the closing quote of field {}", fields.len()))),
        }
    }
}

/// The field that starts behind an opening quote, and what follows its closing one.
fn unquote(text: &str) -> Option<(Cow<'_, str>, &str)> {
    let end = text.find('"')?;
    let (field, behind) = (&text[..end], &text[end + 1..]);
    if !behind.starts_with('"') {
        return Some((Cow::Borrowed(field), behind));
    }
    let mut whole = field.to_string();
    let mut rest = behind;
    while let Some(next) = rest.strip_prefix('"') {
        let end = next.find('"')?;
        whole.push('"');
        whole.push_str(&next[..end]);
        rest = &next[end + 1..];
    }
    Some((Cow::Owned(whole), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(record: &str) -> Vec<String> {
        split(record).unwrap().into_iter().map(Cow::into_owned).collect()
    }

    #[test]
    fn fields_plain_and_quoted() {
        assert_eq!(fields(""), [""]);
        assert_eq!(fields("a,,b"), ["a", "", "b"]);
        assert_eq!(fields("a,"), ["a", ""]);
        assert_eq!(fields(r#""a,b","""c""","d""e""#), ["a,b", "\"c\"", "d\"e"]);
        assert_eq!(fields("\"two\nlines\",x"), ["two\nlines", "x"]);
        assert_eq!(fields(r#"1"2"#), ["1\"2"]);
        assert_eq!(split("\"a\"b").unwrap_err().message, "text behind the closing quote of field 1");
        assert_eq!(split("\"a").unwrap_err().message, "a quote is never closed");
        assert_eq!(split("\"a\"\"").unwrap_err().message, "a quote is never closed");
    }

    /// A record is open exactly where splitting it finds a quote that is never closed.
    #[test]
    fn quoting_agrees_with_splitting() {
        let letters = ["\"", ",", "a"];
        for index in 0..3usize.pow(8) {
            let record: String = (0..8).map(|i| letters[index / 3usize.pow(i) % 3]).collect();
            let open = split(&record).is_err_and(|error| error.message.contains("never"));
            let misplaced = split(&record).is_err_and(|error| error.message.contains("behind"));
            if !misplaced {
                assert_eq!(Quoting::default().after(record.as_bytes()).is_open(), open, "{record}");
            }
        }
    }
}
