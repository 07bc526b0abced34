//! What came of the rows: one output line each, and the sums for the summary and the exit status.

use super::progress::rate_text;
use super::row::{Expected, Row, RowError};
use crate::failure::{BAD_ROWS, GOOD, MISMATCHES};
use crate::print::{Counts, grouped, note};
use pingala::Natural;
use std::fmt::Write;
use std::time::Duration;

/// Counts of a run.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// Whether results are written in decimal.
    decimal: bool,
    rows: u64,
    results: u64,
    expected_errors: u64,
    errors: u64,
    mismatches: u64,
    codes: Counts,
    first_error: Option<String>,
    first_mismatch: Option<u64>,
}

impl Tally {
    /// Of a run that writes results in decimal, or in hexadecimal.
    pub(crate) fn new(decimal: bool) -> Self {
        Self { decimal, ..Self::default() }
    }

    /// Rows so far.
    pub(crate) fn rows(&self) -> u64 {
        self.rows
    }

    /// Counts a row and writes its output line.
    pub(crate) fn add(&mut self, row: &Row, outcome: &Result<Natural, RowError>, out: &mut String) {
        let matches = self.count(row, outcome);
        out.push_str("{\"id\":");
        match &row.id {
            Some(id) => out.push_str(id),
            None => push(out, format_args!("{}", row.line)),
        }
        match outcome {
            Ok(result) if self.decimal => push(out, format_args!(",\"result\":\"{result}\"")),
            Ok(result) => push(out, format_args!(",\"result\":\"{result:#x}\"")),
            Err(error) => {
                let message = serde_json::Value::from(error.message.as_str());
                let (code, line) = (error.code, row.line);
                let members = format_args!("{{\"code\":\"{code}\",\"message\":{message},\"line\":{line}}}");
                push(out, format_args!(",\"error\":{members}"));
            }
        }
        if let Some(matches) = matches {
            push(out, format_args!(",\"match\":{matches}"));
        }
        out.push_str("}\n");
    }

    /// Counts a row and says whether it came to what it expected, if it expected something.
    fn count(&mut self, row: &Row, outcome: &Result<Natural, RowError>) -> Option<bool> {
        self.rows += 1;
        let matches = match (outcome, &row.expected) {
            (_, None) => None,
            (Ok(result), Some(Expected::Value(value))) => Some(!value.is_negative() && value.magnitude() == result),
            (Ok(_), Some(Expected::Error)) => Some(false),
            (Err(error), Some(expected)) if error.is_arithmetic() => Some(*expected == Expected::Error),
            // What could not be read or was over a cap has not been computed: no verdict on it.
            (Err(_), Some(_)) => None,
        };
        match (outcome, matches) {
            (Ok(_), _) => self.results += 1,
            (Err(_), Some(true)) => self.expected_errors += 1,
            (Err(error), _) => {
                self.errors += 1;
                self.codes.add(error.code);
                self.first_error.get_or_insert_with(|| format!("line {}: {}", row.line, error.message));
            }
        }
        if matches == Some(false) {
            self.mismatches += 1;
            self.first_mismatch.get_or_insert(row.line);
        }
        matches
    }

    /// The exit status.
    pub(crate) fn status(&self) -> i32 {
        match (self.mismatches, self.errors) {
            (0, 0) => GOOD,
            (0, _) => BAD_ROWS,
            _ => MISMATCHES,
        }
    }

    /// Tells the counts, and where to look first.
    pub(crate) fn summarise(&self, elapsed: Duration) {
        let count = |number: u64, one: &str, many: &str| {
            format!("{} {}", grouped(number), if number == 1 { one } else { many })
        };
        let mut text = count(self.rows, "row", "rows");
        let _ = write!(text, ": {}", count(self.results, "result", "results"));
        if self.expected_errors > 0 {
            let _ = write!(text, ", {}", count(self.expected_errors, "expected error", "expected errors"));
        }
        let _ = write!(text, ", {}", count(self.errors, "error", "errors"));
        let _ = write!(text, ", {}", count(self.mismatches, "mismatch", "mismatches"));
        if !self.codes.is_empty() {
            let _ = write!(text, "; errors by code: {}", self.codes);
        }
        let seconds = elapsed.as_secs_f64();
        let _ = write!(text, "; {seconds:.2} s, {}", rate_text(self.rows as f64 / seconds.max(1e-6)));
        note(&text);
        if let Some(line) = self.first_mismatch {
            note(&format!("first mismatch: line {line}"));
        }
        if let Some(error) = &self.first_error {
            note(&format!("first error: {error}"));
        }
    }
}

/// Writing to a `String` cannot fail.
fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    let _ = out.write_fmt(text);
}
