//! Tests of `plan/stream.rs`.

use super::*;
use crate::algorithm::{SharedSquarings, WindowBits};
use crate::kernel::registry::{Kernel, Product};

/// Insertions hide behind squarings, the assembly does not: windows are shorter than on one thread. What is handed over
/// counts as memory.
#[test]
fn the_assembly_is_not_hidden() {
    let form = Form::new(Kernel::by_name("portable_r64").unwrap(), 32, Some(Product::Cios));
    let prices = FormPrice { sqr: 100.0, mul: 120.0, ..FormPrice::default() };
    let work = ShapeBits::equal(4, 200_000);
    let priced = |w: u32, memory_bytes: u64| {
        let algorithm = ManyExponents::from(SharedSquarings(WindowBits::new(w)));
        price(&algorithm, (&form, &prices), (&work, 2048, memory_bytes), 2)
    };
    let best = (2..=14).min_by(|&a, &b| priced(a, 1 << 30).unwrap().total_cmp(&priced(b, 1 << 30).unwrap())).unwrap();
    assert!((7..=10).contains(&best), "{best}");
    let squarings = work.max_bits as f64 * prices.sqr;
    assert!((1.0..1.1).contains(&(priced(best, 1 << 30).unwrap() / squarings)));
    let buckets = 4 * 256 * 256;
    assert!(priced(9, buckets + 4 * BLOCK_BYTES as u64).is_none());
    assert!(priced(9, buckets + 9 * BLOCK_BYTES as u64).is_some());
}
