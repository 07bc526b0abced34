//! How explanations are shown: a few rows, all of them, or JSON.

use crate::json;
use crate::width::{columns, fitted};
use clap::{Args, ValueEnum};
use pingala_core::plan::Summary;
use serde_json::Value;

/// What the columns and the fields mean.
pub(crate) const COLUMNS: &str = "\
The first sentence says what was chosen. The second names the next best candidate and says why it is more expensive. \
Then come at most twelve candidates for each plan, the cheapest first:
  >          marks the chosen candidate
  candidate  an algorithm on a kernel; `--plan` accepts this line
  squarings  expected squarings of a run
  products   multiplications of two residues
  by base    multiplications by the base itself, which are cheaper for a base of up to 32 bits
  selected   look-ups in a table; for a secret exponent each look-up reads the whole table
  entries, bytes, to build   of a table for a fixed base: its length, and the time to build it
  time       of one run (of one power in a list), by the prices that `pingala info` shows, good for two or three digits
  ratio      its time divided by the chosen candidate's; for a table, with a share of the time to build it
Commands that compute accept --explain, --explain=all and --explain=json. docs/command.md has the fields.";

/// How much is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum How {
    /// Two sentences and at most twelve candidates
    Short,
    /// All candidates
    All,
    /// All candidates, as JSON
    Json,
}

/// The option of every command that plans.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Plans and limits")]
pub(crate) struct Explain {
    /// Explain the choice of the plan: short (default), all, json
    #[arg(long, value_name = "HOW", num_args = 0..=1, require_equals = true, default_missing_value = "short")]
    #[arg(hide_possible_values = true)]
    pub(crate) explain: Option<How>,
}

/// The explanation, with one line end at its end; with --json as one line. `all` is the option that shows all candidates.
pub(crate) fn text(summary: &Summary, how: How, all: &str) -> String {
    if json::is_wanted() {
        return pingala_study::json(summary) + "\n";
    }
    let columns = columns();
    // The widest that a format takes.
    let wide = columns.map_or(usize::from(u16::MAX), |columns| columns.min(u16::MAX.into()));
    match how {
        // In lines, and its fields in order.
        How::Json => {
            let text = pingala_study::json(summary);
            serde_json::from_str(&text).map_or(text, |json: Value| format!("{json:#}\n"))
        }
        How::All => fitted(&format!("{summary:#0$}", wide), columns),
        How::Short => {
            let text = format!("{summary:0$}", wide);
            let more = if summary.left_out() > 0 { format!("; {all} shows them\n") } else { "\n".into() };
            fitted(&format!("{}{more}", text.trim_end()), columns)
        }
    }
}

/// What an option `--explain` asks for.
pub(crate) fn shown(summary: &Summary, how: How) -> String {
    text(summary, how, "--explain=all")
}
