//! Tests of `execute/shared_work.rs`.

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
    let asked = |index: usize| still(&Poll::new(Some(&Stopped), None), index).is_err();
    assert_eq!((0..1000).filter(|&index| asked(index)).collect::<Vec<_>>(), [255, 511, 767]);
    assert_eq!(still(&Poll::none(), 255), Ok(()));
}
