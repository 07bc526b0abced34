//! Measures the thresholds and the prices of all kernels that this CPU can run, with a stamp of their origin.

use pingala_core::Options;
use pingala_core::kernels::{self, Form, Kernel, Product, Settings, Threshold, every_form, forms};
use pingala_core::plan::{FormPrice, Prices};
use pingala_core::threads::Crew;
use pingala_core::tune::{COMPILER, FORMAT, measure_by};
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant, SystemTime};

/// Lengths in limbs of 64 bits; between them the planner interpolates.
const LENGTHS: [usize; 33] = [
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20, 24, 28, 32, 36, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 256,
    384, 512, 1024,
];

/// The number of measurements of each value, of which the middle one counts:
/// machines have slow phases, which last longer than one
/// measurement, and the time of data beyond the first caches depends on its place in memory.
const PASSES: usize = 3;

/// One timing takes at least this long.
const ROUND: Duration = Duration::from_micros(100);

/// Measures the thresholds and the prices of these kernels (of all, if none is named) that this CPU can run, and reports to
/// `progress(done, total)`, from a first call with 0 on. The unit is the measurement of one form, so that equal parts take about equal times.
/// The stamp has the CPU, the date (UTC), the compiler, the version, the file's format, and the note, if there is one.
pub fn tune(kernels: &[Kernel], note: Option<&str>, progress: impl FnMut(usize, usize)) -> Prices {
    let days = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs() / 86_400);
    let start = Instant::now();
    let prices = tune_by(kernels, &kernels::model(), days, note, &|| start.elapsed(), progress);
    match thread_start() {
        Some(nanoseconds) => prices.with_thread_start(nanoseconds),
        None => prices,
    }
}

/// By how many nanoseconds work that two threads share ends later than half of the time that one takes: the lower quartile of several
/// measurements. None where a call has one thread.
fn thread_start() -> Option<f64> {
    const MEASUREMENTS: usize = 15;
    const UNITS: usize = 40;
    /// A thread that starts at once costs this much at least.
    const LEAST: f64 = 5_000.0;
    if Options::default().threads() < 2 {
        return None;
    }
    // Some work that no compiler leaves out, long beside the time that it takes to count it.
    let unit = || (0..20_000u64).fold(1u64, |x, k| black_box(x.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ k));
    let nanoseconds = |threads: usize| {
        let (next, crew, started) = (AtomicUsize::new(0), Crew::new(), Instant::now());
        let serve = || {
            while next.fetch_add(1, Ordering::Relaxed) < UNITS {
                black_box(unit());
            }
        };
        std::thread::scope(|scope| {
            (1..threads).for_each(|_| drop(crew.start(scope, serve)));
            serve();
            crew.wait(|| {});
        });
        started.elapsed().as_nanos() as f64
    };
    let mut lost: Vec<f64> = (0..MEASUREMENTS)
        .map(|_| {
            let alone = nanoseconds(1);
            nanoseconds(2) - alone / 2.0
        })
        .collect();
    lost.sort_by(f64::total_cmp);
    Some(lost[MEASUREMENTS / 4].max(LEAST))
}

/// Measures as [`tune`] does, where the target has no clock and does not know its CPU: `cpu` and `days`, since 1970-01-01, go into the stamp, and
/// `now` returns the time since any fixed moment.
pub fn tune_by(
    kernels: &[Kernel],
    cpu: &str,
    days: u64,
    note: Option<&str>,
    now: &dyn Fn() -> Duration,
    mut progress: impl FnMut(usize, usize),
) -> Prices {
    let wanted = |kernel: Kernel| kernels.is_empty() || kernels.contains(&kernel);
    let compared: usize = Kernel::all().filter(|&kernel| wanted(kernel) && kernel.available()).map(comparisons).sum();
    let mut done = 0;
    let mut settled: Vec<(Kernel, Settings)> = Vec::new();
    // If a form pads, a padded length would be measured twice.
    let of_length =
        |n| [true, false].into_iter().flat_map(move |odd| every_form(odd, n)).filter(|form| form.words() == form.n);
    let usual = LENGTHS.into_iter().flat_map(of_length);
    let own = |kernel: Kernel| {
        kernel.entry().tuned.iter().flat_map(move |&n| of_length(n).filter(move |form| form.kernel == kernel))
    };
    let mut all: Vec<Form> = usual.chain(Kernel::all().flat_map(own)).filter(|form| wanted(form.kernel)).collect();
    let mut passes = vec![[None; PASSES]; all.len()];
    let total = compared + PASSES * all.len();
    let mut step = |measurements: usize| {
        progress(done, total);
        done += measurements;
    };
    for form in &mut all {
        if settled.iter().all(|(kernel, _)| *kernel != form.kernel) {
            settled.push((form.kernel, thresholds(form.kernel, now, &mut step)));
        }
        let known = settled.iter().find(|(kernel, _)| *kernel == form.kernel);
        form.settings = known.map_or(form.settings, |&(_, settings)| settings);
    }
    for pass in 0..PASSES {
        for (form, prices) in all.iter().zip(&mut passes) {
            step(1);
            prices[pass] = Some(measure_by(form, ROUND, now));
        }
    }
    progress(total, total);
    let middles = passes.into_iter().map(|passes| middle(passes.into_iter().flatten().collect()));
    Prices::measured(stamp(cpu, days, note), all.into_iter().zip(middles))
}

/// The middle of each price, of an odd number of measurements of one form.
fn middle(measured: Vec<FormPrice>) -> FormPrice {
    let of = |price: fn(&FormPrice) -> f64| {
        let mut values: Vec<f64> = measured.iter().map(price).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    FormPrice {
        setup: of(|price| price.setup),
        convert: of(|price| price.convert),
        sqr: of(|price| price.sqr),
        mul: of(|price| price.mul),
        mul_small: of(|price| price.mul_small),
        select: of(|price| price.select),
    }
}

/// What a value has to gain to take the place of the usual one: less is noise.
const CLEAR: f64 = 0.98;

/// Measurements for the thresholds of a kernel.
fn comparisons(kernel: Kernel) -> usize {
    let of = |threshold| threshold_forms(kernel, threshold).count() * 2 * threshold.tried.len();
    kernel.entry().thresholds.iter().map(of).sum()
}

/// The forms by which the values of a threshold are compared.
fn threshold_forms(kernel: Kernel, threshold: &Threshold) -> impl Iterator<Item = Form> {
    // If a kernel has a choice of products, only those that halve their operands have thresholds.
    let halves = |product| matches!(product, Product::KaratsubaSos | Product::Kcm);
    let all = threshold.lengths.iter().flat_map(move |&n| forms(kernel.odd(), n));
    all.filter(move |form| form.kernel == kernel && form.product.is_none_or(halves))
}

/// The thresholds of a kernel: for each the value that is clearly quicker than those before it.
fn thresholds(kernel: Kernel, now: &dyn Fn() -> Duration, step: &mut impl FnMut(usize)) -> Settings {
    let thresholds = kernel.entry().thresholds;
    let mut settings = kernel.usual_settings();
    for threshold in thresholds {
        let (mut best, mut least) = (settings, CLEAR);
        for &value in threshold.tried {
            let Some(tried) = settings.with(thresholds, threshold.name, value.into()) else {
                step(2 * threshold_forms(kernel, threshold).count());
                continue;
            };
            let ratio = ratio_of_times((kernel, threshold), tried, settings, now, step);
            if ratio < least {
                (best, least) = (tried, ratio);
            }
        }
        settings = best;
    }
    settings
}

/// The geometric mean, over the lengths that matter, of the time with one choice over that with another.
fn ratio_of_times(
    (kernel, threshold): (Kernel, &Threshold),
    one: Settings,
    other: Settings,
    now: &dyn Fn() -> Duration,
    step: &mut impl FnMut(usize),
) -> f64 {
    let mut time = |form: &Form, settings: Settings| {
        step(1);
        let price = measure_by(&Form { settings, ..*form }, ROUND, now);
        // As often as exponents of the usual lengths have them.
        if threshold.of_entering { price.setup + price.convert } else { 5.0 * price.sqr + price.mul }
    };
    let (mut sum, mut count) = (0.0, 0);
    for form in threshold_forms(kernel, threshold) {
        sum += (time(&form, one) / time(&form, other)).ln();
        count += 1;
    }
    if count > 0 { (sum / f64::from(count)).exp() } else { 1.0 }
}

fn stamp(cpu: &str, days: u64, note: Option<&str>) -> Vec<(String, String)> {
    let (year, month, day) = date(days);
    let mut stamp = vec![
        ("cpu", cpu.into()),
        ("date", format!("{year}-{month:02}-{day:02}")),
        ("compiler", COMPILER.into()),
        ("version", env!("CARGO_PKG_VERSION").into()),
        ("format", FORMAT.into()),
    ];
    // One line, whatever the note has in it.
    stamp.extend(note.map(|note| ("note", note.split_whitespace().collect::<Vec<_>>().join(" "))));
    stamp.into_iter().map(|(name, value)| (name.into(), value)).collect()
}

/// Year, month and day in the Gregorian calendar, this many days after 1970-01-01. Years start in March here, so that the
/// leap day is the last of its year and of its 4, 100 and 400 years.
pub(crate) fn date(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year + year / 4 - year / 100);
    // From March on the months have 31 30 31 30 31 days, again and again: 153 in five.
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    (400 * era + year + u64::from(month >= 10), if month < 10 { month + 3 } else { month - 9 }, day)
}
