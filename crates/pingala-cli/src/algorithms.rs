//! `pingala algorithms`: the catalogue.

use crate::failure::{GOOD, Outcome};
use crate::print;
use clap::Args;
use pingala::algorithm::{CatalogueEntry, ENTRIES};
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
    if arguments.json {
        let list: Vec<Value> = ENTRIES.iter().map(as_json).collect();
        print::output(&format!("{:#}\n", Value::from(list)))?;
    } else {
        let blocks: Vec<String> = ENTRIES.iter().map(block).collect();
        print::output(&blocks.join("\n"))?;
    }
    Ok(GOOD)
}

fn as_json(entry: &CatalogueEntry) -> Value {
    json!({
        "name": entry.name,
        "parameter": entry.form,
        "schedule": entry.schedule.to_string(),
        "source": entry.source,
        "summary": entry.summary,
    })
}

/// A block of lines: a table of summaries and sources would be wider than a terminal.
fn block(entry: &CatalogueEntry) -> String {
    let title = format!("{}{}", entry.name, entry.form);
    let mut text = format!("{title:<40}{}\n    {}\n", entry.schedule, entry.summary);
    for source in entry.source.split("; ") {
        text.push_str(&format!("    {source}\n"));
    }
    text
}
