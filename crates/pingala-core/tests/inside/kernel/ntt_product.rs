//! Tests of `kernel/ntt/product.rs`: which tables products make, and which they take. What they give is tested in `ntt.rs`.

use super::super::scalar::Scalar;
use super::*;
use std::sync::Arc;

/// Digits of the products of `limbs` limbs.
fn digits(products: &mut CyclicProducts, limbs: usize) -> usize {
    products.set_factor(&[1], limbs);
    products.now.as_ref().map_or(0, |now| now.length.digits())
}

/// Digits of the longest product that the tables of each odd factor serve.
fn served(products: &CyclicProducts) -> [usize; ODD_FACTORS.len()] {
    products.tables.each_ref().map(|table| table.as_ref().map_or(0, |tables| tables.length.digits()))
}

/// Tables that were foreseen serve products that are a little shorter, and those that no table serves make the shortest.
#[test]
fn tables_are_foreseen() {
    let mut products = CyclicProducts::new(Scalar.into(), 700);
    products.foresee(570);
    assert_eq!(served(&products), [0, 0, 0, 0, 576]);
    // 512 digits would do; 5 quarters of them are the limit.
    assert_eq!(digits(&mut products, 500), 576);
    assert_eq!(digits(&mut products, 440), 448, "576 are more than 5 quarters");
    assert_eq!(digits(&mut products, 128), 128);
    assert_eq!(served(&products), [128, 0, 0, 448, 576]);
}

/// Tables are made once, and for products of up to eight times the length, if such are to come.
#[test]
fn tables_are_made_once() {
    for (most, served_by_first) in [(128, 128), (255, 256), (1000, 1024), (5000, 1024)] {
        let mut products = CyclicProducts::new(Scalar.into(), most);
        assert_eq!(digits(&mut products, 128), 128);
        assert_eq!(served(&products), [served_by_first, 0, 0, 0, 0], "{most}");
        let tables = |products: &CyclicProducts| products.tables[0].as_ref().map(|tables| tables.transforms.clone());
        let first = tables(&products).expect("they were made");
        for limbs in [served_by_first, 128] {
            digits(&mut products, limbs);
            assert!(tables(&products).is_some_and(|now| Arc::ptr_eq(&now, &first)), "{most}, {limbs} limbs");
        }
    }
}

/// Products that look only at their lengths.
#[derive(Debug)]
struct Lengths(usize);

impl LongProducts for Lengths {
    fn set_factor(&mut self, b: &[u64], limbs: usize) {
        assert!(b.len() <= limbs && limbs <= MAX_LIMBS, "{limbs} limbs");
        self.0 = limbs;
    }
    fn times(&mut self, out: &mut [u64], a: &[u64]) {
        assert!(a.len() < self.0 && out.len() <= self.0, "{} limbs", out.len());
    }
    fn foresee(&mut self, _: usize) {}
    fn limbs(&self) -> usize {
        self.0
    }
    fn square(&mut self, _: &mut [u64], _: &[u64], _: usize) {}
}

/// No piece of a long product is longer than transforms.
#[test]
fn pieces_are_short_enough() {
    for [a, b] in [[MAX_LIMBS / 2, MAX_LIMBS / 2 + 1], [MAX_LIMBS + 1, 3]] {
        for [a, b] in [[a, b], [b, a]] {
            assert_eq!(product(&mut Lengths(0), &vec![0; a], &vec![0; b]).len(), a + b);
        }
    }
}
