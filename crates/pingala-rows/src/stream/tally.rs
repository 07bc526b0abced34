//! Writes one output line for each row, and counts for the summary.

use super::{Row, Task};
use crate::error::{Error, ErrorRows};
use std::fmt::Write;

/// Counts of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tally {
    /// Rows in all.
    pub rows: u64,
    /// Rows with a result.
    pub results: u64,
    /// Rows without a result that expected none.
    pub expected_errors: u64,
    /// Other rows without a result.
    pub errors: ErrorRows,
    /// Rows whose result is not as it should be.
    pub mismatches: u64,
    /// The place of the first of them.
    pub first_mismatch: Option<String>,
}

impl Tally {
    /// Counts a row and writes its output line.
    pub(super) fn add<T: Task>(
        &mut self,
        task: &mut T,
        row: &Row<T::Work, T::Expected>,
        came: &Result<T::Answer, Error>,
        out: &mut String,
    ) {
        let judged = task.judge(came, row.ask.expected.as_ref());
        self.rows += 1;
        out.push_str("{\"id\":");
        match &row.ask.id {
            Some(id) => out.push_str(id),
            None => push(out, format_args!("{}", row.place.1)),
        }
        match came {
            Ok(answer) => {
                self.results += 1;
                task.write(answer, out);
            }
            Err(flaw) => {
                if judged.matches == Some(true) {
                    self.expected_errors += 1;
                } else {
                    self.errors.add(|| format!("{} {}", row.place.0, row.place.1), flaw);
                }
                let message = serde_json::Value::from(flaw.to_string());
                let (code, (word, number)) = (flaw.code(), row.place);
                let members = format_args!("{{\"code\":\"{code}\",\"message\":{message},\"{word}\":{number}}}");
                push(out, format_args!(",\"error\":{members}"));
            }
        }
        if let Some(matches) = judged.matches {
            push(out, format_args!(",\"match\":{matches}"));
        }
        out.push_str("}\n");
        if !judged.is_good {
            self.mismatches += 1;
            self.first_mismatch.get_or_insert_with(|| format!("{} {}", row.place.0, row.place.1));
        }
    }
}

/// Writing to a `String` cannot fail.
pub(crate) fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    let _ = out.write_fmt(text);
}
