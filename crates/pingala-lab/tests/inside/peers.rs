use super::*;
use crate::cell::{Cell, Effort};
use crate::work::Shape;

/// Every peer that is there computes one call; a cell compares the answers.
#[test]
fn peers_agree() {
    let (peers, effort) = (all(), Effort { rounds: 1, slice: 1.0, cap: 1.0 });
    for (shape, rings) in [(Shape::Peers, 2), (Shape::PeersLong, 1), (Shape::CallEven, 1), (Shape::CallHalfEven, 1)] {
        let cell = Cell::new(shape.work(512), &peers, &effort).expect("equal answers");
        let names: Vec<_> = cell.contenders.iter().map(|contender| contender.name.as_str()).collect();
        assert!(names.contains(&pingala::PLANNER), "{names:?}");
        assert_eq!(names.iter().filter(|name| name.starts_with("dashu-int")).count(), rings, "{names:?}");
        // Beside the peers there is one of ours only.
        assert!(!shape.is_of_peers() || names.iter().filter(|name| name.contains("pingala")).count() == 1, "{names:?}");
    }
}
