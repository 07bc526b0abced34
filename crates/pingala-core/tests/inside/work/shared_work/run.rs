//! Tests of `work/shared_work/run.rs`.

use super::*;
use crate::engine::execute::poll::Watch;

struct Stopped;

impl Watch for Stopped {
    fn stop(&self) -> bool {
        true
    }
}

/// Conversions of numbers are no products, at which a run polls for cancellation: so every 256th number polls.
#[test]
fn every_256th_number_asks() {
    let asked = |index: usize| while_reading(Some(&Stopped), index).is_err();
    assert_eq!((1..1000).filter(|&index| asked(index)).collect::<Vec<_>>(), [256, 512, 768]);
    assert_eq!(while_reading(None, 256), Ok(()));
}
