//! Tests of `algorithm/buckets.rs`.

use super::*;
use crate::algorithm::Counts;
use crate::suite::exact::of_buckets;

#[test]
fn both_sums_agree() {
    for buckets in [2, 4, 8, 16, 128, 1 << 12] {
        for insertions in [1.0, 2.0, 3.5, 10.0, 100.0, 127.0, 128.0, 129.0, 5000.0] {
            let n = f64::from(buckets);
            let sum: f64 = (1..buckets).map(|index| 1.0 - (f64::from(index) / n).powf(insertions)).sum();
            let top = expected_top(n, insertions);
            assert!((top - sum).abs() < 0.01, "{buckets} buckets, {insertions} insertions: {top}, {sum}");
        }
    }
}

/// Rows of all patterns of filled buckets, side by side: the product by exponents modulo a prime order, its count.
#[test]
fn rows_of_all_patterns() {
    /// Elements are exponents of one generator: a product is a sum.
    struct Exponents(Vec<u64>, Counts);
    impl Monoid for Exponents {
        type Digit = usize;
        fn one(&mut self, _: Register) {}
        fn copy(&mut self, _: Register, _: Register) {}
        fn mul(&mut self, out: Register, a: Register, b: Register) {
            self.0[out.0] = self.0[a.0] + self.0[b.0];
            self.1.multiplications += 1;
        }
        fn sqr_n(&mut self, out: Register, a: Register, count: usize) {
            self.0[out.0] = self.0[a.0] << count;
            self.1.squarings += count;
        }
        fn mul_base(&mut self, _: Register, _: Register) {}
        fn select(&mut self, _: Register, _: Register, _: usize, _: usize) {}
        fn mul_each(&mut self, products: &[IndependentProduct]) {
            assert!(!products.is_empty());
            for &IndependentProduct { out, a, b } in products {
                if a == b { self.sqr_n(out, a, 1) } else { self.mul(out, a, b) }
            }
        }
    }
    for weights in [BucketWeights::All, BucketWeights::Odd] {
        let patterns: Vec<Vec<bool>> =
            (0..64usize).map(|mask| (0..6).map(|bit| mask >> bit & 1 == 1).collect()).collect();
        let rows: Vec<_> =
            patterns.iter().enumerate().map(|(i, filled)| BucketRow { first: 1 + 6 * i, filled }).collect();
        // An empty bucket holds what must not be used.
        let value = |i: usize, bucket: usize| (1000 * i + 7 * bucket + 1) as u64;
        let mut cells = vec![0];
        for (i, filled) in patterns.iter().enumerate() {
            cells.extend((0..6).map(|bucket| if filled[bucket] { value(i, bucket) } else { 1 << 40 }));
        }
        let mut monoid = Exponents(cells, Counts::default());
        let results = aggregate(&mut monoid, &rows, weights);
        let mut counts = Counts::default();
        for (i, (filled, result)) in patterns.iter().zip(results).enumerate() {
            let weight = |bucket: usize| if weights == BucketWeights::All { bucket + 1 } else { 2 * bucket + 1 } as u64;
            let want: u64 = (0..6).filter(|&b| filled[b]).map(|b| value(i, b) * weight(b)).sum();
            assert_eq!(result.map_or(0, |result| monoid.0[result.0]), want, "{weights:?} {filled:?}");
            counts = counts + of_buckets(filled, weights == BucketWeights::Odd);
        }
        assert_eq!(monoid.1, counts);
    }
}

/// Lengths are equal where all are as long as the longest.
#[test]
fn equal_lengths_are_known() {
    use crate::algorithm::ShapeBits;
    for (count, bits) in [(1, 1), (1, 300), (2, 2), (5, 7), (300, 64)] {
        assert!(ShapeBits::equal(count, bits).is_equal());
    }
    assert!(!ShapeBits { count: 2, max_bits: 9, total_bits: 11 }.is_equal());
    assert!(!ShapeBits { count: 100, max_bits: 64, total_bits: 6399 }.is_equal());
}

/// A uniform run of Straus's method takes exactly what its cost says.
#[test]
fn uniform_products_are_counted() {
    use crate::algorithm::{GroupWindow, Straus};
    for (size, window) in [(1, 1), (2, 2), (3, 1), (2, 5)] {
        let straus = Straus(GroupWindow::new(size, window).unwrap());
        for (count, bits) in [(1, 1), (2, 10), (5, 64), (6, 65)] {
            let mut counts = Counts::default();
            straus.run_uniform((count, bits), |_, _| 0, &mut counts);
            assert_eq!(counts, straus.uniform_cost(count, bits), "{straus:?}, {count} exponents of {bits} bits");
        }
    }
}
