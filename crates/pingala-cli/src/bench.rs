//! `pingala bench`: the time of a power on this machine, and its energy if the machine has counters.

use crate::bench_kernels::{self, Power};
use crate::failure::{Failure, GOOD, Outcome};
use crate::powercap::{Meter, ROOT};
use crate::print::{self, row};
use crate::settings::{self, Forced};
use clap::Args;
use pingala_core::{Integer, Limits, Modulus, Natural};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const NOTES: &str = "\
Base, exponent and odd modulus have the given lengths and are the same numbers in every run. Every result is compared \
with that of the kernel `portable_r64`.

The first time is the mean by the clock, other work of this machine included. The second table has the least time of a \
call on each kernel of this CPU, each with its cheapest algorithm, for an eighth of the seconds; kernels that need \
longer for one call are left out. A kernel that is named makes each call choose its plan anew, which at 64 bits takes \
longer than the power. --kernel, --plan and --energy leave the table out.

Energy comes from Linux's powercap counters (RAPL: packages and DRAM of the whole machine); on most systems only root \
can read them. The power of the idle machine is measured first, for the same time, and subtracted, so nothing else \
should run. Without counters the command shows the reason, and the time.";

/// The longest turn between two looks at clock and counters.
const TURN: Duration = Duration::from_millis(250);

/// Time a power on each kernel of this machine, and measure its energy if there are counters
#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub(crate) struct Arguments {
    /// Length of the modulus
    #[arg(long, value_name = "BITS", default_value_t = 2048, value_parser = settings::count(2..=16_777_216))]
    modulus_bits: u64,
    /// Length of the exponent (default: that of the modulus)
    #[arg(long, value_name = "BITS", value_parser = settings::count(1..=16_777_216))]
    exponent_bits: Option<u64>,
    /// Repeat for at least this long
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0, value_parser = settings::seconds(0.01..=3600.0))]
    seconds: f64,
    /// Also measure energy
    #[arg(long)]
    energy: bool,
    /// The folder of the energy counters
    #[arg(long, value_name = "FOLDER", default_value = ROOT, requires = "energy", hide = true)]
    powercap: PathBuf,
    #[command(flatten)]
    forced: Forced,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let exponent_bits = arguments.exponent_bits.unwrap_or(arguments.modulus_bits);
    let options = arguments.forced.options(Limits::default(), None);
    let modulus = Modulus::new(number(arguments.modulus_bits, 1, true))?;
    let base = Integer::from(number(arguments.modulus_bits, 2, false));
    let exponent = Integer::from(number(exponent_bits, 3, false));
    let plan = modulus.plan(&base, &exponent, &options)?;
    let result = modulus.pow_with(&base, &exponent, &options)?;
    let portable = options.with_kernel(Some("portable_r64")).with_plan(None);
    if modulus.pow_with(&base, &exponent, &portable)? != result {
        return Err(Failure::Failed(format!("{plan} and the kernel `portable_r64` disagree")));
    }
    let power = || match modulus.pow_with(&base, &exponent, &options) {
        Ok(again) if again == result => Ok(()),
        Ok(_) => Err(Failure::Failed(format!("{plan} gave two results for one power"))),
        Err(error) => Err(error.into()),
    };
    let wanted = Duration::from_secs_f64(arguments.seconds);
    let measured = if arguments.energy { Some(energy(&arguments.powercap, wanted, &power)) } else { None };
    let mut rows = vec![row("power", format!("{} bits to {exponent_bits} bits", arguments.modulus_bits))];
    rows.push(row("plan", plan.to_string()));
    match measured {
        Some(Ok(measured)) => rows.extend(measured?.rows()),
        other => {
            let (count, elapsed) = repeat(wanted, &power, || Ok(()))?;
            rows.extend(time_rows(count, elapsed));
            if let Some(Err(why)) = other {
                rows.push(row("energy", format!("not available: {why}")));
            }
        }
    }
    let mut text = print::table(&rows);
    if !arguments.energy && arguments.forced.kernel_and_line() == (None, None) {
        let power = Power { modulus: &modulus, base: &base, exponent: &exponent, result: &result };
        let times = bench_kernels::times(power, options, wanted / 8)?;
        if times.len() > 1 {
            text += &format!("\n{}", bench_kernels::chart(&times));
        }
    }
    print::shown(&text)?;
    Ok(GOOD)
}

fn time_rows(count: u64, elapsed: Duration) -> [Vec<String>; 2] {
    let microseconds = elapsed.as_secs_f64() * 1e6 / count as f64;
    [
        row("time", format!("{microseconds:.3} us in the mean")),
        row("repeated", format!("{count} times in {:.2} s", elapsed.as_secs_f64())),
    ]
}

/// A number of exactly this length, which the seed decides.
fn number(bits: u64, seed: u64, odd: bool) -> Natural {
    let mut state = seed;
    let words = bits.div_ceil(64) as usize;
    let mut limbs: Vec<u64> = (0..words)
        .map(|_| {
            // SplitMix64
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            mixed ^ mixed >> 31
        })
        .collect();
    let top = (bits - 1) % 64;
    if let Some(last) = limbs.last_mut() {
        *last = *last >> (63 - top) | 1 << top;
    }
    limbs[0] |= u64::from(odd);
    Natural::from_limbs(&limbs)
}

/// Repeats the work for at least the time `wanted`, with `look` between turns; returns the count and the time.
fn repeat(
    wanted: Duration,
    work: &dyn Fn() -> Result<(), Failure>,
    mut look: impl FnMut() -> Result<(), Failure>,
) -> Result<(u64, Duration), Failure> {
    let start = Instant::now();
    let mut count = 0;
    loop {
        let turn = Instant::now();
        while turn.elapsed() < TURN && start.elapsed() < wanted || count == 0 {
            work()?;
            count += 1;
        }
        look()?;
        if start.elapsed() >= wanted {
            return Ok((count, start.elapsed()));
        }
    }
}

/// A measurement with energy.
struct Measured {
    zones: String,
    count: u64,
    elapsed: Duration,
    /// Joule while the work ran, and watt of the idle machine.
    joule: f64,
    idle_watt: f64,
}

impl Measured {
    /// Joule of one power, idle power subtracted.
    fn joule_each(&self) -> f64 {
        (self.joule - self.idle_watt * self.elapsed.as_secs_f64()) / self.count as f64
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let watt = self.joule / self.elapsed.as_secs_f64();
        let mut rows = time_rows(self.count, self.elapsed).to_vec();
        rows.push(row("energy", format!("{:.3} uJ per power, idle power subtracted", self.joule_each() * 1e6)));
        rows.push(row("watt", format!("{watt:.2} at work, {:.2} idle, of {}", self.idle_watt, self.zones)));
        rows
    }
}

/// Idle first, then the work. The outer error says why there is no energy here.
fn energy(
    root: &Path,
    wanted: Duration,
    work: &dyn Fn() -> Result<(), Failure>,
) -> Result<Result<Measured, Failure>, String> {
    let mut meter = Meter::open(root)?;
    let started = Instant::now();
    while started.elapsed() < wanted {
        std::thread::sleep(TURN.min(wanted - started.elapsed().min(wanted)));
        meter.read()?;
    }
    let idle = meter.read()?;
    let idle_watt = idle as f64 * 1e-6 / started.elapsed().as_secs_f64();
    let mut total = idle;
    let ran = repeat(wanted, work, || {
        total = meter.read().map_err(Failure::Failed)?;
        Ok(())
    });
    let zones = meter.names();
    Ok(ran.map(|(count, elapsed)| Measured { zones, count, elapsed, joule: (total - idle) as f64 * 1e-6, idle_watt }))
}

#[cfg(test)]
#[path = "../tests/inside/bench.rs"]
mod tests;
