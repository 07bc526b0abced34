//! The progress of measuring.

use pingala_core::kernels::Kernel;
use pingala_study::tune_by;
use std::cell::Cell;
use std::time::Duration;

/// Each measurement is reported, those for thresholds too: none is counted twice, and none is left out.
#[test]
fn progress_counts_every_measurement() {
    // It runs everywhere, and has thresholds.
    let kernels = [Kernel::by_name("portable_r64").unwrap()];
    assert!(!kernels[0].entry().thresholds.is_empty());
    // A clock by which each measurement is long enough at once.
    let ticks = Cell::new(0);
    let now = || {
        ticks.set(ticks.get() + 1);
        Duration::from_secs(ticks.get())
    };
    let mut seen = Vec::new();
    tune_by(&kernels, "a test", 0, None, &now, |done, total| seen.push((done, total)));
    let (last, total) = seen.pop().unwrap();
    assert_eq!((last, seen[0]), (total, (0, total)));
    assert!(seen.is_sorted() && seen.iter().all(|&(done, of)| done < total && of == total));
    // Thresholds that a kernel does not take are counted without a report.
    let steps: Vec<usize> = seen.windows(2).map(|pair| pair[1].0 - pair[0].0).collect();
    assert!(steps.iter().filter(|&&step| step != 1).count() < steps.len() / 10, "{steps:?}");
}
