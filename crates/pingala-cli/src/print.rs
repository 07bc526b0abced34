//! Standard output and standard error: nothing here panics when the other end has gone.

use crate::failure::{Failure, GOOD, USAGE, USAGE_CODE};
use crate::json;
use crate::width::{columns, fitted};
use pingala_core::Natural;
use pingala_rows::ErrorRows;
use pingala_rows::text::escaped;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Whether standard output was closed when the process started: Rust opens `/dev/null` in its place, before `main`.
pub(crate) static STDOUT_WAS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Error, if standard output is closed. The standard library does not report this.
pub(crate) fn stdout_is_open() -> Result<(), Failure> {
    let closed = || Failure::bad_file("cannot write to standard output: it is closed");
    if STDOUT_WAS_CLOSED.load(Relaxed) {
        return Err(closed());
    }
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        io::stdout().as_fd().try_clone_to_owned().map_err(|_| closed())?;
    }
    Ok(())
}

/// Writes text to standard output and flushes it.
pub(crate) fn output(text: &str) -> Result<(), Failure> {
    stdout_is_open()?;
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).map_err(|error| Failure::of_stdout(&error))
}

/// [`output`] of text for people, in the width of the terminal.
pub(crate) fn shown(text: &str) -> Result<(), Failure> {
    output(&fitted(text, columns()))
}

/// Writes the remark `pingala: message` to standard error; nothing with --json, whose standard error has at most one object.
pub(crate) fn note(message: &str) {
    if !json::is_wanted() {
        say(message);
    }
}

/// Writes why a run ended early to standard error: as [`note`], or with --json as an object.
pub(crate) fn error(code: &str, message: &str) {
    if !json::is_wanted() {
        return say(message);
    }
    // How the command is used is for people.
    let message = message.split("\nUsage:").next().unwrap_or_default();
    let message = message.split("\n\nFor more information").next().unwrap_or_default();
    aside(&json::error(code, message.trim()).line());
}

/// Writes `pingala: message` to standard error, without characters that a terminal obeys, as names in files may have them. If
/// standard error is closed, the message is lost.
fn say(message: &str) {
    let _ = writeln!(io::stderr().lock(), "pingala: {}", lines(message));
}

/// Text of several lines, escaped.
fn lines(text: &str) -> String {
    text.split('\n').map(escaped).collect::<Vec<_>>().join("\n")
}

/// Writes text to standard error without a prefix.
pub(crate) fn aside(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Prints a message of clap (help and version to standard output, errors to standard error) and returns the status.
pub(crate) fn usage(message: &clap::Error) -> i32 {
    if message.use_stderr() {
        let text = message.render().to_string();
        if json::is_wanted() {
            error(USAGE_CODE, text.trim_start_matches("error: "));
            return USAGE;
        }
        let text = text.strip_prefix("error: ").map_or(text.clone(), |rest| format!("pingala: {rest}"));
        aside(&lines(&text));
        USAGE
    } else {
        match output(&message.render().to_string()) {
            // A closed pipe, as in `pingala --help | head -1`, is no error.
            Ok(()) | Err(Failure::PipeClosed) => GOOD,
            Err(failure) => failure.report(),
        }
    }
}

/// Rows as columns: all flush left, two spaces between, none at the end of a line.
pub(crate) fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let mut widths = vec![0; columns];
    for row in rows {
        for (cell, width) in row.iter().zip(&mut widths) {
            *width = cell.chars().count().max(*width);
        }
    }
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (cell, &width) in row.iter().zip(&widths) {
            line.push_str(&format!("{cell:width$}  "));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// A row of a table with a name and a value.
pub(crate) fn row(name: &str, value: impl Into<String>) -> Vec<String> {
    vec![name.to_string(), value.into()]
}

/// Prints the first of the rows without a result, and the number of each code.
pub(crate) fn errors(errors: &ErrorRows) {
    if let Some(first) = &errors.first {
        note(&format!("first error: {first}"));
    }
    if !errors.codes.is_empty() {
        note(&format!("errors by code: {}", counts(&errors.codes)));
    }
}

/// The counts of names, in the order of the names: `2 bad_row, 1,000 not_a_number`.
pub(crate) fn counts(counts: &BTreeMap<String, u64>) -> String {
    let counts: Vec<String> = counts.iter().map(|(name, count)| format!("{} {name}", grouped(*count))).collect();
    counts.join(", ")
}

/// A result on a line of its own.
pub(crate) fn number(number: &Natural, hexadecimal: bool) -> String {
    if hexadecimal { format!("{number:#x}\n") } else { format!("{number}\n") }
}

/// 1234567 as `1,234,567`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A size in the unit of its greatest power of 1000: `512 bytes`, `57 MB`, `3.2 GB`.
pub(crate) fn size_text(bytes: u64) -> String {
    let (number, unit) = of_size(bytes, bytes);
    format!("{number} {unit}")
}

/// A size in the unit of another one: 3,000,000 next to 400,000,000 is `3` in `MB`.
pub(crate) fn of_size(bytes: u64, of: u64) -> (String, &'static str) {
    const UNITS: [&str; 5] = ["bytes", "kB", "MB", "GB", "TB"];
    let power = (1..UNITS.len()).rev().find(|&power| of >= 1000u64.pow(power as u32)).unwrap_or(0);
    let number = bytes as f64 / 1000f64.powi(power as i32);
    let is_short = power > 0 && of < 10 * 1000u64.pow(power as u32);
    (if is_short { format!("{number:.1}") } else { grouped(number as u64) }, UNITS[power])
}

/// A count with its noun: `1 row`, `2,000 rows`.
pub(crate) fn counted(number: u64, thing: &str) -> String {
    plural(number, thing, &format!("{thing}s"))
}

/// A count with its noun, whose plural is given.
pub(crate) fn plural(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { many })
}

/// A rate with three digits or so: `12,345 rows/s`, `3.21 rows/s`.
pub(crate) fn rate_text(rate: f64) -> String {
    if rate >= 100.0 { format!("{} rows/s", grouped(rate as u64)) } else { format!("{rate:.2} rows/s") }
}

/// A time with two units at most: `8 s`, `3 min 20 s`, `2 h 05 min`, `3 d 4 h`.
pub(crate) fn time_text(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400);
    match (days, hours, minutes) {
        (0, 0, 0) => format!("{seconds} s"),
        (0, 0, _) => format!("{minutes} min {:02} s", seconds % 60),
        (0, ..) => format!("{hours} h {:02} min", minutes % 60),
        _ => format!("{days} d {} h", hours % 24),
    }
}

#[cfg(test)]
#[path = "../tests/inside/print.rs"]
mod tests;
