//! `pingala algorithms`: the catalogue.

use crate::failure::{GOOD, Outcome};
use crate::print;
use clap::Args;
use pingala::algorithm::{CatalogueEntry, ENTRIES, Schedule};
use pingala_study::{ADAPTIVE_WINDOWS, AdaptiveWindow};
use serde_json::{Value, json};

/// List the algorithms with their schedules and sources
#[derive(Debug, Args)]
#[command(after_help = "\
An algorithm's schedule is what its sequence of operations depends on: `uniform` on lengths only, which secrets need;
`by exponent` on the exponent's value. Keys in brackets are those of docs/references.bib.")]
pub(crate) struct Arguments {
    /// Print a JSON list
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let rows: Vec<Row> = ENTRIES.iter().map(Row::of).chain(ADAPTIVE_WINDOWS.iter().map(Row::of_study)).collect();
    if arguments.json {
        let list: Vec<Value> = rows.iter().map(Row::as_json).collect();
        print::output(&format!("{:#}\n", Value::from(list)))?;
    } else {
        let blocks: Vec<String> = rows.iter().map(Row::block).collect();
        print::output(&blocks.join("\n"))?;
    }
    Ok(GOOD)
}

/// An algorithm of the library, which plans may name, or one for study.
struct Row {
    name: &'static str,
    parameter: &'static str,
    schedule: Schedule,
    source: &'static str,
    summary: &'static str,
}

impl Row {
    fn of(entry: &CatalogueEntry) -> Self {
        let CatalogueEntry { name, form, schedule, source, summary, .. } = *entry;
        Self { name, parameter: form, schedule, source, summary }
    }

    fn of_study(&AdaptiveWindow { name, source, summary, .. }: &AdaptiveWindow) -> Self {
        Self { name, parameter: "", schedule: Schedule::ByExponent, source, summary }
    }

    fn as_json(&self) -> Value {
        json!({
            "name": self.name,
            "parameter": self.parameter,
            "schedule": self.schedule.to_string(),
            "source": self.source,
            "summary": self.summary,
        })
    }

    /// A block of lines: a table of summaries and sources would be wider than a terminal.
    fn block(&self) -> String {
        let title = format!("{}{}", self.name, self.parameter);
        let mut text = format!("{title:<40}{}\n    {}\n", self.schedule, self.summary);
        for source in self.source.split("; ") {
            text.push_str(&format!("    {source}\n"));
        }
        text
    }
}
