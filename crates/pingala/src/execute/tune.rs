//! Measures the prices of all kernels that this CPU can run, with a stamp of their origin.

use crate::execute::measure::measure;
use crate::kernel::cpu;
use crate::kernel::registry::{Form, Kernel, forms};
use crate::plan::{FORMAT, FormPrice, Prices};
use core::time::Duration;
use std::time::SystemTime;

/// Lengths in limbs of 64 bits; between them the planner interpolates.
const LENGTHS: [usize; 33] = [
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20, 24, 28, 32, 36, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 256,
    384, 512, 1024,
];

/// Everything is measured so often, and the middle counts: machines have slow phases, which last longer than one
/// measurement, and the time of data beyond the first caches depends on its place in memory.
const PASSES: usize = 3;

/// One timing takes at least this long.
const ROUND: Duration = Duration::from_micros(100);

/// Measures the prices of these kernels (of all, if none is named) that this CPU can run, and reports to `progress(done, total)`.
/// The stamp has the CPU, the date (UTC), the compiler, the version, the file's format, and the note, if there is one.
pub fn tune(kernels: &[Kernel], note: Option<&str>, mut progress: impl FnMut(usize, usize)) -> Prices {
    let wanted = |form: &Form| kernels.is_empty() || kernels.contains(&form.kernel);
    // Where a form pads, a padded length would be measured twice.
    let of_length =
        |n| [true, false].into_iter().flat_map(move |odd| forms(odd, n)).filter(|form| form.words() == form.n);
    let all: Vec<Form> = LENGTHS.into_iter().flat_map(of_length).filter(wanted).collect();
    let mut passes = vec![[FormPrice::default(); PASSES]; all.len()];
    let total = PASSES * all.len();
    for pass in 0..PASSES {
        for (at, (form, prices)) in all.iter().zip(&mut passes).enumerate() {
            progress(pass * all.len() + at, total);
            prices[pass] = measure(form, ROUND);
        }
    }
    progress(total, total);
    Prices::measured(stamp(note), all.into_iter().zip(passes.iter().map(|passes| FormPrice::middle(passes))))
}

fn stamp(note: Option<&str>) -> Vec<(String, String)> {
    let days = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs() / 86_400);
    let (year, month, day) = date(days);
    let mut stamp = vec![
        ("cpu", cpu::model()),
        ("date", format!("{year}-{month:02}-{day:02}")),
        ("compiler", env!("PINGALA_COMPILER").into()),
        ("version", env!("CARGO_PKG_VERSION").into()),
        ("format", FORMAT.into()),
    ];
    // One line, whatever the note has in it.
    stamp.extend(note.map(|note| ("note", note.split_whitespace().collect::<Vec<_>>().join(" "))));
    stamp.into_iter().map(|(name, value)| (name.into(), value)).collect()
}

/// Year, month and day in the Gregorian calendar, this many days after 1970-01-01. Years start in March here, so that the
/// leap day is the last of its year and of its 4, 100 and 400 years.
fn date(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year + year / 4 - year / 100);
    // From March on the months have 31 30 31 30 31 days, again and again: 153 in five.
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    (400 * era + year + u64::from(month >= 10), if month < 10 { month + 3 } else { month - 9 }, day)
}

#[cfg(test)]
#[path = "../../tests/inside/execute/tune.rs"]
mod tests;
