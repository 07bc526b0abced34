//! Tests of `kernel/limb_lanes.rs`.

use super::*;

/// Every lane at the edges, next to lanes with other values, against plain arithmetic.
#[test]
fn lanes_do_not_meet() {
    let edges = [3, 5, 0x7fff_ffff_ffff_ffff, 0x8000_0000_0000_0001, 0x0123_4567_89ab_cdef, u64::MAX - 58, u64::MAX];
    let values = [0, 1, 2, 0x8000_0000_0000_0000, 0xfedc_ba98_7654_3210, u64::MAX - 1, u64::MAX];
    for turn in 0..edges.len() * values.len() * values.len() {
        let at = |lane: usize, of: usize| (turn / of + lane * (1 + of % 5)) % 7;
        let m: [u64; LANES] = from_fn(|lane| edges[at(lane, 1)]);
        let a: [u64; LANES] = from_fn(|lane| values[at(lane, 7)]);
        let b: [[u64; 2]; LANES] = from_fn(|lane| [values[at(lane, 49)], values[at(lane, 3)]]);
        let ring = LimbLanes::new(m);
        let x = ring.enter_each(a.each_ref().map(core::slice::from_ref));
        let y = ring.enter_each(b.each_ref().map(|b| &b[..]));
        let product = ring.leave(ring.mul(x, y));
        let square = ring.leave(ring.sqr(x));
        for lane in 0..LANES {
            let m = u128::from(m[lane]);
            let times = |x: u128, y: u128| (x % m) * (y % m) % m;
            let (a, [low, high]) = (u128::from(a[lane]), b[lane].map(u128::from));
            assert_eq!(u128::from(product[lane]), times(a, low | high << 64), "{a:x} {low:x} {high:x} mod {m:x}");
            assert_eq!(u128::from(square[lane]), times(a, a), "{a:x}^2 mod {m:x}");
            assert_eq!(u128::from(ring.leave(ring.one())[lane]), 1);
        }
    }
}
