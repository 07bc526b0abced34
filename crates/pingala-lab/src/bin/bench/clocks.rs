//! One sample by three clocks: the wall, this process's time on a processor, and the time stamp counter. Virtual machines miscount
//! processor time when they are loaded, and a wall counts what other programs do; if the clocks agree, nothing disturbed the sample.

use crate::machine::{counter, process_nanoseconds};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// What the clocks may differ by, as a part of the longest.
const TOLERANCE: f64 = 0.02;

/// In nanoseconds: below this, the clocks differ by the time that reading them takes.
const READING: f64 = 1e3;

/// How long a piece of work took.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// The figure: processor time on one thread, time on the wall with default options.
    pub nanoseconds: f64,
    /// Whether the clocks agree, so that the figure can be trusted.
    pub agrees: bool,
}

impl Timing {
    /// Of the figure, and of what all clocks say.
    pub fn of(nanoseconds: f64, clocks: &[f64]) -> Self {
        let least = clocks.iter().copied().fold(f64::INFINITY, f64::min);
        let most = clocks.iter().copied().fold(0.0, f64::max);
        Self { nanoseconds, agrees: most - least <= (TOLERANCE * most).max(READING) }
    }
}

/// Runs work of one thread; or of several, which is timed `by_wall`: their processor time is no measure of it.
pub fn timed(by_wall: bool, work: impl FnOnce()) -> Timing {
    let counts_per_nanosecond = counts_per_nanosecond();
    let (wall, process, counts) = (Instant::now(), process_nanoseconds(), counter());
    work();
    let counted = counter().wrapping_sub(counts) as f64;
    let process = process_nanoseconds() - process;
    let wall = wall.elapsed().as_nanos() as f64;
    let counted = counts_per_nanosecond.map_or(wall, |rate| counted / rate);
    if by_wall {
        return Timing::of(wall, &[wall, counted]);
    }
    Timing::of(process, &[wall, process, counted])
}

/// Its rate by the wall, measured once.
fn counts_per_nanosecond() -> Option<f64> {
    static RATE: OnceLock<Option<f64>> = OnceLock::new();
    *RATE.get_or_init(|| {
        let (start, from) = (Instant::now(), counter());
        while start.elapsed() < Duration::from_millis(100) {}
        let counts = counter().wrapping_sub(from);
        (counts > 0).then(|| counts as f64 / start.elapsed().as_nanos() as f64)
    })
}

#[cfg(test)]
#[path = "../../../tests/inside/clocks.rs"]
mod tests;
