//! Tests of `work/shared_work/stream_plan.rs`.

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

/// The longer of squarings and insertions, a little of the other, and the assembly; the memory that
/// suffices is that of the buckets and powers, and of the blocks in use.
#[test]
fn a_stream_costs_the_longer_side_and_the_assembly() {
    let form = Form::new(Kernel::by_name("portable_r64").unwrap(), 32, Some(Product::Cios));
    let prices = FormPrice { setup: 1009.0, convert: 211.0, sqr: 100.0, mul: 120.0, ..FormPrice::default() };
    let work = ShapeBits::equal(4, 200_000);
    for w in 2..=10 {
        let algorithm = ManyExponents::from(SharedSquarings(WindowBits::new(w)));
        let priced = |memory_bytes: usize| price(&algorithm, (&form, &prices), (&work, 2048, memory_bytes as u64), 2);
        let (cost, buckets) = (algorithm.expected(&work), algorithm.buckets(&work).unwrap());
        let squarings = 1009.0 + 100.0 * cost.squarings;
        let products = 1009.0 + 2.5 * 211.0 + 120.0 * (cost.multiplications + cost.base_multiplications);
        let products = products + algorithm.extra_nanoseconds(&work, &cost);
        let assembly = (240.0 * buckets as f64).min(products);
        let (a, b) = (squarings, products - assembly);
        let want = a.max(b) + 0.13 * a.min(b) + assembly;
        let residues = algorithm.most_registers(&work) + 7 * block_bits(32, work.max_bits);
        let got = priced(256 * residues).unwrap();
        assert!((got / want - 1.0).abs() < 1e-9, "{w}: {got}, {want}");
        assert!(priced(256 * residues - 1).is_none());
    }
}
