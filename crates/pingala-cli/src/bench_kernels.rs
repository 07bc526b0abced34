//! The second table of `pingala bench`: the same power on each kernel of this CPU, with bars.

use crate::failure::Failure;
use crate::print;
use pingala::kernels::KERNELS;
use pingala::{Integer, Modulus, Natural, Options};
use std::time::{Duration, Instant};

/// The longest bar, in columns, and how many times the quickest it is at most: one slow kernel would leave the others no length.
const LONGEST: f64 = 40.0;
const SHOWN: f64 = 5.0;

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
            return Err(Failure::Failed("a kernel and the plan that was chosen give different results".into()));
        }
    }
    Ok(least.as_secs_f64() * 1e6)
}

/// One line a kernel: its name, its time, how many times the quickest that is, and a bar as long as the time, or as what is shown of it.
pub(crate) fn chart(times: &[(String, f64)]) -> String {
    let least = times.iter().map(|row| row.1).fold(f64::INFINITY, f64::min);
    let most = times.iter().map(|row| row.1).fold(0.0, f64::max).min(SHOWN * least);
    let mut rows = vec![["kernel", "least in us", "ratio"].map(String::from).to_vec()];
    rows.extend(times.iter().map(|(name, time)| {
        vec![name.clone(), format!("{time:11.3}"), format!("{:5.2}", time / least), bar(time / most)]
    }));
    print::table(&rows)
}

/// A bar of this part of the longest, by eighths of a column; three points for what is longer.
fn bar(part: f64) -> String {
    let eighths = ((part.min(1.0) * LONGEST * 8.0).round() as usize).max(1);
    let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8];
    let beyond = if part > 1.0 { "..." } else { "" };
    format!("{}{rest}{beyond}", "█".repeat(eighths / 8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_the_times() {
        let rows = [("a", 10.0), ("long", 20.0), ("c", 1_000.0)].map(|(name, time)| (name.to_string(), time));
        let text = chart(&rows);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[0], "kernel  least in us  ratio");
        let length = |line: &str| line.chars().filter(|&c| c == '█').count();
        assert_eq!(lines[1..].iter().map(|line| length(line)).collect::<Vec<_>>(), [8, 16, 40], "{text}");
        assert!(lines[3].starts_with("c          1000.000  100.00  ") && lines[3].ends_with("█..."), "{text}");
        assert_eq!(chart(&rows[..2]).lines().map(length).collect::<Vec<_>>(), [0, 20, 40]);
    }

    #[test]
    fn every_kernel_of_this_cpu_is_timed() {
        let modulus = Modulus::new(Natural::from_limbs(&[u64::MAX; 8])).unwrap();
        let [base, exponent] = [3u64, 65537].map(Integer::from);
        let result = modulus.pow(&base, &exponent).unwrap();
        let power = Power { modulus: &modulus, base: &base, exponent: &exponent, result: &result };
        let rows = times(power, Options::default(), Duration::from_millis(2)).unwrap();
        assert!(rows.iter().any(|row| row.0 == "portable_r64"), "{rows:?}");
        assert!(rows.is_sorted_by(|one, other| one.1 <= other.1));
        assert!(times(power, Options::default(), Duration::ZERO).unwrap().is_empty());
    }
}
