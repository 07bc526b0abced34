//! `pingala info`: what this build is and what it runs on.

use crate::failure::{GOOD, Outcome};
use crate::json::{self, Object};
use crate::print::{self, grouped, row};
use clap::Args;
use pingala_core::kernels::{self, Feature, KERNELS, has};
use pingala_core::plan::{Planner, Prices};
use pingala_core::{Limits, algorithm};
use std::collections::BTreeMap;

/// Show version, machine, kernels, and the sources of prices
#[derive(Debug, Args)]
pub(crate) struct Arguments {}

pub(crate) fn run(_: &Arguments) -> Outcome {
    let prices = Planner::of_this_machine().prices();
    let sections = || {
        let kernels = format!("kernels\n{}", print::table(&kernels()));
        [print::table(&build()), kernels, format!("prices\n{}", prices_text(prices))].join("\n")
    };
    json::answer_shown(sections, || object(prices))?;
    Ok(GOOD)
}

/// What [`build`], [`kernels`] and [`prices_text`] show, as fields.
fn object(prices: &Prices) -> Object {
    let limits = Limits::default();
    let masked: Vec<_> = kernels::masked().unwrap_or_default().iter().map(|feature| feature.name()).collect();
    let kernels = KERNELS.iter().map(|entry| {
        let object = Object::new().with("name", entry.name).with("available", entry.available());
        object
            .with("constant_time", entry.constant_time)
            .with("checked", entry.is_checked())
            .with("summary", entry.summary)
    });
    let sources = prices.sources().map(|(source, kernels)| {
        let kernels: Vec<_> = kernels.into_iter().map(|kernel| kernel.entry().name).collect();
        let stamp: BTreeMap<_, _> = source.stamp().iter().map(|(name, value)| (name, value)).collect();
        Object::new().with("source", source.name()).with("kernels", kernels).with("stamp", stamp)
    });
    Object::new()
        .with("version", env!("CARGO_PKG_VERSION"))
        .with("architecture", std::env::consts::ARCH)
        .with("system", std::env::consts::OS)
        .with("cpu", kernels::model())
        .with("features", features())
        .with("masked", masked)
        .with("cores", std::thread::available_parallelism().ok())
        .with("algorithms", algorithm::ENTRIES.len())
        .with("max_modulus_bits", limits.modulus_bits)
        .with("max_exponent_bits", limits.exponent_bits)
        .with("kernels", kernels.collect::<Vec<_>>())
        .with("prices", sources.collect::<Vec<_>>())
        .with("notes", prices.notes())
}

/// The names of the features of this CPU that a kernel uses.
fn features() -> Vec<&'static str> {
    Feature::ALL.into_iter().filter(|&feature| has(feature)).map(Feature::name).collect()
}

fn build() -> Vec<Vec<String>> {
    let limits = Limits::default();
    let cores = std::thread::available_parallelism().map_or_else(|_| "unknown".to_string(), |n| n.to_string());
    let features = features();
    let features = if features.is_empty() { "none that a kernel uses".to_string() } else { features.join(" ") };
    let masked: Vec<_> = kernels::masked().unwrap_or_default().iter().map(|feature| feature.name()).collect();
    let masked = if masked.is_empty() { "nothing".to_string() } else { masked.join(" ") };
    let bits = |bits: u64| format!("{} bits", grouped(bits));
    let mut rows = vec![
        row("pingala", env!("CARGO_PKG_VERSION")),
        row("machine", format!("{} {}", std::env::consts::ARCH, std::env::consts::OS)),
        row("cpu", kernels::model()),
        row("features", features),
        row("masked", masked),
        row("cores", cores),
        row("algorithms", algorithm::ENTRIES.len().to_string()),
        row("modulus cap", bits(limits.modulus_bits)),
        row("exponent cap", bits(limits.exponent_bits)),
    ];
    rows.extend(untried(has));
    rows
}

/// Names a feature of this CPU that no CPU has shown yet.
fn untried(has: impl Fn(Feature) -> bool) -> Option<Vec<String>> {
    let text = "avxifma: this CPU has it, and no CPU has run avxifma_lanes_r52 yet; please report how it does";
    has(Feature::AvxIfma).then(|| row("untried", text))
}

fn kernels() -> Vec<Vec<String>> {
    let row = |entry: &kernels::Entry| {
        let runs = if entry.available() { "runs here" } else { "not on this CPU" };
        let secrets = match (entry.constant_time, entry.is_checked()) {
            (false, _) => "public only",
            (true, true) => "fit for secrets",
            (true, false) => "for secrets, not checked on this architecture",
        };
        vec![format!("  {}", entry.name), runs.to_string(), secrets.to_string(), entry.summary.to_string()]
    };
    KERNELS.iter().map(row).collect()
}

/// Each source of prices in force: its name and kernels, then its stamp; last what was found and is not used.
fn prices_text(prices: &Prices) -> String {
    let mut text = String::new();
    for (source, kernels) in prices.sources() {
        let kernels: Vec<_> = kernels.into_iter().map(|kernel| kernel.entry().name).collect();
        let mut rows = vec![row("    kernels", kernels.join(" "))];
        rows.extend(source.stamp().iter().map(|(name, value)| row(&format!("    {name}"), value)));
        text += &format!("  {}\n{}", source.name(), print::table(&rows));
    }
    prices.notes().iter().for_each(|note| text += &format!("  note: {note}\n"));
    text
}

#[cfg(test)]
#[path = "../tests/inside/info.rs"]
mod tests;
