//! `pingala info`: what this build is and what it runs on.

use crate::failure::{Failure, GOOD, Outcome};
use crate::print::{self, grouped, row};
use clap::Args;
use pingala_core::kernels::{self, Feature, KERNELS, has};
use pingala_core::plan::Planner;
use pingala_core::{Limits, algorithm};

/// Show version, machine, kernels, and the sources of prices
#[derive(Debug, Args)]
pub(crate) struct Arguments {}

pub(crate) fn run(_: &Arguments) -> Outcome {
    let sections =
        [print::table(&build()), format!("kernels\n{}", print::table(&kernels())), format!("prices\n{}", prices()?)];
    print::shown(&sections.join("\n"))?;
    Ok(GOOD)
}

fn build() -> Vec<Vec<String>> {
    let limits = Limits::default();
    let cores = std::thread::available_parallelism().map_or_else(|_| "unknown".to_string(), |n| n.to_string());
    let features: Vec<_> = Feature::ALL.into_iter().filter(|&feature| has(feature)).map(Feature::name).collect();
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
fn prices() -> Result<String, Failure> {
    let prices = Planner::of_this_machine().prices();
    let mut text = String::new();
    for (source, kernels) in prices.sources() {
        let kernels: Vec<_> = kernels.into_iter().map(|kernel| kernel.entry().name).collect();
        let mut rows = vec![row("    kernels", kernels.join(" "))];
        rows.extend(source.stamp().iter().map(|(name, value)| row(&format!("    {name}"), value)));
        text += &format!("  {}\n{}", source.name(), print::table(&rows));
    }
    prices.notes().iter().for_each(|note| text += &format!("  note: {note}\n"));
    Ok(text)
}

#[cfg(test)]
#[path = "../tests/inside/info.rs"]
mod tests;
