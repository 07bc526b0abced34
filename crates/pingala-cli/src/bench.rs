//! `pingala bench`: the time of a power on this machine, and its energy if the machine has counters.

use crate::bench_kernels::{self, Power};
use crate::bench_python::{self, Timed};
use crate::failure::{Failure, GOOD, Outcome};
use crate::json::{self, Object};
use crate::powercap::{Meter, ROOT};
use crate::print::{self, row};
use crate::settings::{self, Forced};
use crate::width::columns;
use clap::Args;
use pingala_core::{Integer, Limits, Modulus, Natural};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const NOTES: &str = "\
Base, exponent and odd modulus have the given lengths and are the same numbers in every run. Every result is compared \
with that of the kernel `portable_r64`.

The least time is the best guess at what a call takes; the mean has the other work of this machine in it. The table has \
the least time of a call on each kernel of this CPU, each with its cheapest algorithm, for an eighth of the seconds; \
kernels that need longer for one call are left out. A kernel that is named makes each call choose its plan anew, which \
at 64 bits takes longer than the power. --kernel, --plan and --energy leave the table out.

If there is a python3, its `pow` computes the same power for another eighth of the seconds, and the last sentence says \
how many times as long it takes.

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
        return Err(Failure::fault(format!("{plan} and the kernel `portable_r64` disagree")));
    }
    let power = || match modulus.pow_with(&base, &exponent, &options) {
        Ok(again) if again == result => Ok(()),
        Ok(_) => Err(Failure::fault(format!("{plan} gave two results for one power"))),
        Err(error) => Err(error.into()),
    };
    let wanted = Duration::from_secs_f64(arguments.seconds);
    let measured = if arguments.energy { Some(energy(&arguments.powercap, wanted, &power)) } else { None };
    let mut object = Object::new().with("modulus_bits", arguments.modulus_bits).with("exponent_bits", exponent_bits);
    object = object.with("plan", plan.to_string());
    let mut rows = vec![row("power", format!("{} bits to {exponent_bits} bits", arguments.modulus_bits))];
    rows.push(row("plan", plan.to_string()));
    match measured {
        Some(Ok(measured)) => {
            let measured = measured?;
            rows.extend(measured.rows());
            json::answer_shown(|| print::table(&rows), || measured.fields(object))?;
            return Ok(GOOD);
        }
        Some(Err(why)) => {
            rows.push(row("energy", format!("not available: {why}")));
            object = object.with("no_energy", why);
        }
        None => {}
    }
    let times = repeat(wanted, &power, || Ok(()))?;
    rows.extend(times.rows());
    let mut text = print::table(&rows);
    object = times.fields(object);
    if arguments.energy {
        json::answer_shown(|| text, || object)?;
        return Ok(GOOD);
    }
    let planned = times.least.as_secs_f64();
    let mut kernels = Vec::new();
    if arguments.forced.kernel_and_line() == (None, None) {
        let power = Power { modulus: &modulus, base: &base, exponent: &exponent, result: &result };
        kernels = bench_kernels::times(power, options, wanted / 8)?;
    }
    let python = bench_python::time((&base, &exponent, modulus.value()), &result, wanted / 8, wanted * 8)?;
    let of_kernels = kernels.iter().map(|(name, time)| {
        Object::new().with("name", name).with("least_seconds", time * 1e-6).with("ratio", time * 1e-6 / planned)
    });
    object = object.with("kernels", of_kernels.collect::<Vec<_>>());
    let of_python = python.as_ref().ok().map(|timed| {
        let object = Object::new().with("version", &timed.version).with("least_seconds", timed.seconds);
        object.with("ratio", timed.seconds / planned)
    });
    object = object.with("python", of_python);
    if kernels.len() > 1 {
        kernels.extend(python.as_ref().ok().map(|timed| ("pow of Python".to_string(), timed.seconds * 1e6)));
        text += &format!("\n{}", bench_kernels::chart(&kernels, planned * 1e6, columns().unwrap_or(COLUMNS)));
    }
    text += &format!("\n{}\n", against_python(&python, planned));
    json::answer_shown(|| text, || object)?;
    Ok(GOOD)
}

/// The width that is taken for what is no terminal.
const COLUMNS: usize = 80;

/// The measurement compared with Python's `pow`, or why it is not compared.
fn against_python(python: &Result<Timed, String>, planned: f64) -> String {
    let Timed { version, seconds } = match python {
        Ok(timed) => timed,
        Err(why) => return format!("Python's pow is not compared: {why}."),
    };
    let (took, planned_took) = (short_time(*seconds), short_time(planned));
    let ratio = match seconds / planned {
        ratio if ratio >= 10.0 => format!("{ratio:.0}"),
        ratio => format!("{ratio:.1}"),
    };
    format!("Python {version}'s pow takes {took}, {ratio} times as long as Pingala's {planned_took}.")
}

/// A short time with three digits.
fn short_time(seconds: f64) -> String {
    let (value, unit) = match seconds {
        seconds if seconds < 1e-3 => (seconds * 1e6, "us"),
        seconds if seconds < 1.0 => (seconds * 1e3, "ms"),
        seconds => (seconds, "s"),
    };
    let decimals = if value < 10.0 { 2 } else { usize::from(value < 100.0) };
    format!("{value:.decimals$} {unit}")
}

/// What many calls took.
#[derive(Clone, Copy, Debug)]
struct Times {
    count: u64,
    elapsed: Duration,
    /// The least time of a call.
    least: Duration,
}

impl Times {
    fn mean(&self) -> f64 {
        self.elapsed.as_secs_f64() / self.count as f64
    }

    fn rows(&self) -> [Vec<String>; 2] {
        let (least, mean) = (self.least.as_secs_f64() * 1e6, self.mean() * 1e6);
        [
            row("time", format!("{least:.3} us at least, {mean:.3} us in the mean")),
            row("repeated", format!("{} times in {:.2} s", self.count, self.elapsed.as_secs_f64())),
        ]
    }

    fn fields(&self, object: Object) -> Object {
        let object = object.with("least_seconds", self.least.as_secs_f64()).with("mean_seconds", self.mean());
        object.with("repeated", self.count).with("elapsed_seconds", self.elapsed.as_secs_f64())
    }
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

/// Repeats the work for at least the time `wanted`, with `look` between turns.
fn repeat(
    wanted: Duration,
    work: &dyn Fn() -> Result<(), Failure>,
    mut look: impl FnMut() -> Result<(), Failure>,
) -> Result<Times, Failure> {
    let start = Instant::now();
    let (mut count, mut least) = (0, Duration::MAX);
    loop {
        let turn = Instant::now();
        while turn.elapsed() < TURN && start.elapsed() < wanted || count == 0 {
            let call = Instant::now();
            work()?;
            least = least.min(call.elapsed());
            count += 1;
        }
        look()?;
        if start.elapsed() >= wanted {
            return Ok(Times { count, elapsed: start.elapsed(), least });
        }
    }
}

/// A measurement with energy.
struct Measured {
    zones: String,
    times: Times,
    /// Joule while the work ran, and watt of the idle machine.
    joule: f64,
    idle_watt: f64,
}

impl Measured {
    /// Joule of one power, idle power subtracted.
    fn joule_each(&self) -> f64 {
        (self.joule - self.idle_watt * self.times.elapsed.as_secs_f64()) / self.times.count as f64
    }

    /// Watt while the work ran, idle power included.
    fn watt(&self) -> f64 {
        self.joule / self.times.elapsed.as_secs_f64()
    }

    fn fields(&self, object: Object) -> Object {
        let object = self.times.fields(object).with("joule_each", self.joule_each()).with("watt", self.watt());
        object.with("idle_watt", self.idle_watt).with("zones", &self.zones)
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let watt = self.watt();
        let mut rows = self.times.rows().to_vec();
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
        total = meter.read().map_err(Failure::bad_file)?;
        Ok(())
    });
    let zones = meter.names();
    Ok(ran.map(|times| Measured { zones, times, joule: (total - idle) as f64 * 1e-6, idle_watt }))
}

#[cfg(test)]
#[path = "../tests/inside/bench.rs"]
mod tests;
