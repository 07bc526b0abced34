//! The second table of `pingala bench`: the same power on each kernel of this CPU, with bars.

use crate::failure::Failure;
use crate::print;
use pingala::kernels::KERNELS;
use pingala::{Integer, Modulus, Natural, Options};
use std::time::{Duration, Instant};

/// The longest bar, in columns.
const LONGEST: f64 = 40.0;

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
            return Err(Failure::Failed("two kernels disagree".into()));
        }
    }
    Ok(least.as_secs_f64() * 1e6)
}

/// One line a kernel: its name, its time, how many times the quickest that is, and a bar as long as the time.
pub(crate) fn chart(times: &[(String, f64)]) -> String {
    let most = times.iter().map(|row| row.1).fold(0.0, f64::max);
    let least = times.iter().map(|row| row.1).fold(f64::INFINITY, f64::min);
    let mut rows = vec![["kernel", "time in us", "ratio"].map(String::from).to_vec()];
    rows.extend(times.iter().map(|(name, time)| {
        vec![name.clone(), format!("{time:10.3}"), format!("{:5.2}", time / least), bar(LONGEST * time / most)]
    }));
    print::table(&rows)
}

/// A bar of this many columns, by eighths.
fn bar(columns: f64) -> String {
    let eighths = ((columns * 8.0).round() as usize).max(1);
    let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8];
    format!("{}{rest}", "█".repeat(eighths / 8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_the_times() {
        let rows = [("a", 10.0), ("long", 20.0), ("c", 0.001)].map(|(name, time)| (name.to_string(), time));
        let text = chart(&rows);
        let full = "█".repeat(40);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[0], "kernel  time in us  ratio");
        assert_eq!(lines[1], format!("a           10.000  10000.00  {}", "█".repeat(20)));
        assert_eq!(lines[2], format!("long        20.000  20000.00  {full}"));
        assert!(lines[3].ends_with("▏"), "{text}");
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
