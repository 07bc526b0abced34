//! The second table of `pingala bench`: the same power on each kernel of this CPU, with bars.

use crate::failure::Failure;
use crate::print;
use pingala_core::kernels::KERNELS;
use pingala_core::{Integer, Modulus, Natural, Options};
use std::time::{Duration, Instant};

/// The longest bar, in columns, if there is room for it.
const LONGEST: usize = 40;
/// How many times the quickest the longest bar is at most: one slow kernel would leave the others no length.
const SHOWN: f64 = 5.0;
/// What follows a bar that is cut.
const BEYOND: &str = "...";

/// Which power is timed, and what it must give.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Power<'a> {
    pub(crate) modulus: &'a Modulus,
    pub(crate) base: &'a Integer,
    pub(crate) exponent: &'a Integer,
    pub(crate) result: &'a Natural,
}

/// Microseconds on each kernel that computes such a power here, the quickest first. One whose expected time is beyond
/// `most` is left out.
pub(crate) fn times(power: Power<'_>, options: Options<'_>, most: Duration) -> Result<Vec<(String, f64)>, Failure> {
    let mut rows = Vec::new();
    for entry in KERNELS.iter().filter(|entry| entry.available()) {
        let options = options.with_kernel(Some(entry.name)).with_plan(None);
        let Ok(explained) = power.modulus.explain(power.base, power.exponent, &options) else { continue };
        if explained.seconds() > most.as_secs_f64() {
            continue;
        }
        rows.push((entry.name.to_string(), microseconds(power, &options, most)?));
    }
    rows.sort_by(|one, other| one.1.total_cmp(&other.1));
    Ok(rows)
}

/// The least time of a call, of as many as fit.
fn microseconds(power: Power<'_>, options: &Options<'_>, most: Duration) -> Result<f64, Failure> {
    let (start, mut least) = (Instant::now(), Duration::MAX);
    while least == Duration::MAX || start.elapsed() < most {
        let call = Instant::now();
        let result = power.modulus.pow_with(power.base, power.exponent, options)?;
        least = least.min(call.elapsed());
        if result != *power.result {
            return Err(Failure::fault("a kernel and the plan that was chosen give different results"));
        }
    }
    Ok(least.as_secs_f64() * 1e6)
}

/// One line a kernel: its name, its time, its ratio to `planned`, and a bar as long as the time, or as what is shown of it. No line is
/// longer than `columns`, if there is room for a short bar.
pub(crate) fn chart(times: &[(String, f64)], planned: f64, columns: usize) -> String {
    let least = times.iter().map(|row| row.1).fold(f64::INFINITY, f64::min);
    let most = times.iter().map(|row| row.1).fold(0.0, f64::max).min(SHOWN * least);
    let mut rows = vec![["kernel", "least in us", "ratio"].map(String::from).to_vec()];
    rows.extend(
        times.iter().map(|(name, time)| vec![name.clone(), format!("{time:11.3}"), format!("{:5.2}", time / planned)]),
    );
    // A bar stands two columns behind them.
    let width = print::table(&rows).lines().map(|line| line.chars().count()).max().unwrap_or(0) + 2;
    let longest = columns.saturating_sub(width + BEYOND.len()).clamp(LONGEST / 8, LONGEST);
    for (row, (_, time)) in rows.iter_mut().skip(1).zip(times) {
        row.push(bar(time / most, longest));
    }
    print::table(&rows)
}

/// A bar of this part of the longest, by eighths of a column; three points for what is longer.
fn bar(part: f64, longest: usize) -> String {
    let eighths = ((part.min(1.0) * longest as f64 * 8.0).round() as usize).max(1);
    let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8];
    let beyond = if part > 1.0 { BEYOND } else { "" };
    format!("{}{rest}{beyond}", "█".repeat(eighths / 8))
}

#[cfg(test)]
#[path = "../tests/inside/bench_kernels.rs"]
mod tests;
