//! `pingala info`: what this build is and what it runs on.

use crate::failure::{GOOD, Outcome};
use crate::print::{self, grouped};
use clap::Args;
use pingala::{Limits, algorithm};

/// Show version, machine, and caps
#[derive(Debug, Args)]
pub(crate) struct Arguments {}

pub(crate) fn run(_: &Arguments) -> Outcome {
    let limits = Limits::default();
    let cores = std::thread::available_parallelism().map_or_else(|_| "unknown".to_string(), |n| n.to_string());
    let caps = |bits: u64| format!("{} bits", grouped(bits));
    let rows = [
        ["pingala", env!("CARGO_PKG_VERSION")].map(String::from),
        ["machine".to_string(), format!("{} {}", std::env::consts::ARCH, std::env::consts::OS)],
        ["cores".to_string(), cores],
        ["algorithms".to_string(), algorithm::ENTRIES.len().to_string()],
        ["modulus cap".to_string(), caps(limits.modulus_bits)],
        ["exponent cap".to_string(), caps(limits.exponent_bits)],
    ];
    print::output(&print::table(&rows.map(|row| row.to_vec())))?;
    Ok(GOOD)
}
