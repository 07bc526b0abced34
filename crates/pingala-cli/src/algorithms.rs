//! `pingala algorithms`: the catalogue.

use crate::failure::{GOOD, Outcome};
use crate::json::{self, Object};
use clap::Args;
use pingala_core::algorithm::{ENTRIES, Schedule};
use pingala_study::ADAPTIVE_WINDOWS;

/// List the algorithms with their schedules and sources
#[derive(Debug, Args)]
#[command(after_help = "\
An algorithm's schedule is what its sequence of operations depends on: `uniform` on lengths only, which secrets need; \
`by exponent` on the exponent's value. Keys in brackets are those of docs/references.bib.")]
pub(crate) struct Arguments {}

pub(crate) fn run(_: &Arguments) -> Outcome {
    // The algorithms of the library, which plans may name, then those for study.
    let planned = ENTRIES.iter().map(|entry| (entry.name, entry.form, entry.schedule, entry.source, entry.summary));
    let of_study = ADAPTIVE_WINDOWS.iter();
    let of_study = of_study.map(|entry| (entry.name, "", Schedule::ByExponent, entry.source, entry.summary));
    let rows: Vec<_> = planned.chain(of_study).collect();
    // Blocks of lines: a table of summaries and sources would be wider than a terminal.
    let blocks = rows.iter().map(|(name, parameter, schedule, source, summary)| {
        let title = format!("{name}{parameter}");
        let sources: String = source.split("; ").map(|source| format!("    {source}\n")).collect();
        format!("{title:<40}{schedule}\n    {summary}\n{sources}")
    });
    let objects = rows.iter().map(|(name, parameter, schedule, source, summary)| {
        let object = Object::new().with("name", name).with("parameter", parameter);
        object.with("schedule", schedule.to_string()).with("source", source).with("summary", summary)
    });
    json::answer_shown(
        || blocks.collect::<Vec<_>>().join("\n"),
        || Object::new().with("algorithms", objects.collect::<Vec<_>>()),
    )?;
    Ok(GOOD)
}
