//! What came of the rows: one output line each, and the sums for a summary.

use super::{Row, Task};
use crate::error::RowFlaw;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Counts one more of this name.
pub fn count(counts: &mut BTreeMap<String, u64>, name: &str) {
    match counts.get_mut(name) {
        Some(count) => *count += 1,
        None => drop(counts.insert(name.into(), 1)),
    }
}

/// Counts of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tally {
    /// Rows in all.
    pub rows: u64,
    /// Rows with a result.
    pub results: u64,
    /// Rows without one, as they expected.
    pub expected_errors: u64,
    /// Rows without one.
    pub errors: u64,
    /// How many of these there are of each code.
    pub codes: BTreeMap<String, u64>,
    /// The line of the first of them, and what is wrong there.
    pub first_error: Option<(u64, String)>,
    /// Rows that came to something else than they should.
    pub mismatches: u64,
    /// The line of the first of them.
    pub first_mismatch: Option<u64>,
}

impl Tally {
    /// Counts a row and writes its output line.
    pub(super) fn add<T: Task>(
        &mut self,
        task: &mut T,
        row: &Row<T::Ask>,
        came: &Result<T::Answer, RowFlaw>,
        out: &mut String,
    ) {
        let judged = task.judge(came, row.ask.expected.as_ref());
        self.rows += 1;
        out.push_str("{\"id\":");
        match &row.ask.id {
            Some(id) => out.push_str(id),
            None => push(out, format_args!("{}", row.line)),
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
                    self.errors += 1;
                    count(&mut self.codes, flaw.code);
                    self.first_error.get_or_insert_with(|| (row.line, flaw.message.clone()));
                }
                let message = serde_json::Value::from(flaw.message.as_str());
                let (code, line) = (flaw.code, row.line);
                let members = format_args!("{{\"code\":\"{code}\",\"message\":{message},\"line\":{line}}}");
                push(out, format_args!(",\"error\":{members}"));
            }
        }
        if let Some(matches) = judged.matches {
            push(out, format_args!(",\"match\":{matches}"));
        }
        out.push_str("}\n");
        if !judged.is_good {
            self.mismatches += 1;
            self.first_mismatch.get_or_insert(row.line);
        }
    }
}

/// Writing to a `String` cannot fail.
pub(crate) fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    let _ = out.write_fmt(text);
}
