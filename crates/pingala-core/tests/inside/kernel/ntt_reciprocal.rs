//! Tests of `kernel/ntt/reciprocal.rs`.

use super::*;
use crate::natural::testing::{structured_natural, to_oracle};
use num_bigint::BigUint;
use proptest::prelude::*;

#[test]
fn reciprocals_are_close_from_below() {
    let values = [1u64, 2, 3, u64::MAX, 1 << 63, (1 << 63) - 1, (1 << 63) + 1];
    let mut products = long_products(100);
    for n in [1, 2, 7, 8, 9, 10, 17, 40, 300] {
        for p in [1, 2, 8, 9, 10, 16, 17, 33, 70, 300] {
            for top in values {
                for fill in [0, u64::MAX, 1 << 63, 0x1234_5678_9abc_def1] {
                    let mut d = vec![fill; n];
                    d[n - 1] = top;
                    let oracle = to_oracle(&Natural::from_limbs(&d));
                    let unit = BigUint::from(1u8) << (64 * (p + n));
                    let got = to_oracle(&Natural::from_limbs(&reciprocal(&mut *products, &d, p)));
                    let product = &oracle * &got;
                    assert!(product <= unit, "n = {n}, p = {p}, {top:x}, {fill:x}");
                    let error = (&unit - product) / &oracle;
                    assert!(
                        error <= BigUint::from(1u8) << (4 + top.leading_zeros()),
                        "n = {n}, p = {p}, {top:x}, {fill:x}"
                    );
                }
            }
        }
    }
}

/// Products that are no longer than was said.
#[derive(Debug)]
struct Limited {
    products: Box<dyn LongProducts>,
    most: usize,
}

impl LongProducts for Limited {
    fn set_factor(&mut self, b: &[u64], limbs: usize) {
        assert!(limbs <= self.most, "{limbs} limbs");
        self.products.set_factor(b, limbs);
    }
    fn times(&mut self, out: &mut [u64], a: &[u64]) {
        self.products.times(out, a);
    }
    fn foresee(&mut self, _: usize) {}
    fn limbs(&self) -> usize {
        self.products.limbs()
    }
    fn square(&mut self, _: &mut [u64], _: &[u64], _: usize) {}
}

/// Reciprocals that are longer than a product can be, and around that length.
#[test]
fn reciprocals_by_pieces() {
    for most in [100, 128] {
        for n in [most - 5, most - 4, most - 3, most + 1, 3 * most + 7] {
            for fill in [0, u64::MAX, 0x1234_5678_9abc_def1] {
                let mut d = vec![fill; n];
                d[n - 1] |= 1 << 63;
                let y = newton(&mut Limited { products: long_products(most), most }, &d, n, most);
                let [y, d] = [y, d].map(|limbs| to_oracle(&Natural::from_limbs(&limbs)));
                let (product, unit) = (&y * &d, BigUint::from(1u8) << (128 * n));
                let error = if product > unit { product - unit } else { unit - product };
                assert!(error <= d * 8u8, "n = {n}, {fill:x}, {most} limbs");
            }
        }
    }
}

/// Divisors as long as the transforms, so that the product wraps around at their top, and others; each as long as 2^m - 1 allows.
#[test]
fn powers_of_two_modulo_a_number() {
    for (n, p) in
        [(1, 40), (2, 127), (64, 64), (100, 60), (128, 55), (128, 100), (192, 87), (192, 300), (256, 119), (320, 400)]
    {
        for top in [1, 2, 3, 1 << 63, (1 << 63) + 1, u64::MAX] {
            for fill in [0, 1, u64::MAX, 1 << 63, 0x1234_5678_9abc_def1] {
                let mut d = vec![fill; n];
                d[n - 1] = top;
                d[0] |= 1;
                let oracle = to_oracle(&Natural::from_limbs(&d));
                let power = BigUint::from(1u8) << (64 * (p + n));
                let got = power_of_two(&mut *long_products(n.max(p + 4)), &d, p);
                let got = to_oracle(&Natural::from_limbs(&got));
                let (power, got_rest) = (power % &oracle, &got % &oracle);
                assert!(
                    power == got_rest && got < BigUint::from(1u8) << (64 * n + 4),
                    "n = {n}, p = {p}, {top:x}, {fill:x}"
                );
            }
        }
    }
}

/// x mod m by transforms, compared with the oracle.
fn remainder_is_right(divisor: &mut LongDivisor<'_>, x: &[u64], m: &Natural) {
    let rest = divisor.remainder(x);
    assert_eq!(rest.len(), m.limbs().len());
    assert_eq!(to_oracle(&Natural::from_limbs(&rest)), to_oracle(&Natural::from_limbs(x)) % to_oracle(m));
}

/// Numbers around multiples of the divisor, for which the quotient of an estimate is most easily wrong.
#[test]
fn remainders_beside_multiples() {
    for (n, more) in
        [(1, 0), (1, 3), (2, 9), (3, 1), (126, 5), (127, 127), (128, 128), (129, 130), (200, 400), (500, 12)]
    {
        for top in [1, 2, 1 << 63, u64::MAX] {
            for fill in [0, 1, u64::MAX, 0x9e37_79b9_7f4a_7c15] {
                let mut m = vec![fill; n];
                m[n - 1] = top;
                let m = Natural::from_limbs(&m);
                let mut divisor = LongDivisor::new(m.limbs(), n + more);
                for q in [0, 1, 2, u64::MAX - 1, u64::MAX] {
                    let multiple = to_oracle(&m) * to_oracle(&Natural::from_limbs(&vec![q; more]));
                    let mut limbs = crate::natural::testing::from_oracle(&multiple).limbs().to_vec();
                    limbs.resize(n + more, 0);
                    remainder_is_right(&mut divisor, &limbs, &m);
                    let mut above = limbs.clone();
                    if !linear::add_word(&mut above, 1) {
                        remainder_is_right(&mut divisor, &above, &m);
                    }
                    if !linear::sub_shorter(&mut limbs, &[1]) {
                        remainder_is_right(&mut divisor, &limbs, &m);
                    }
                }
                remainder_is_right(&mut divisor, &vec![u64::MAX; n + more], &m);
                remainder_is_right(&mut divisor, &[], &m);
                remainder_is_right(&mut divisor, &m.limbs()[..n - 1], &m);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn remainders_agree_with_the_oracle(x in structured_natural(700), m in structured_natural(400)) {
        if m.is_zero() {
            return Ok(());
        }
        let mut divisor = LongDivisor::new(m.limbs(), x.limbs().len().max(m.limbs().len()));
        remainder_is_right(&mut divisor, x.limbs(), &m);
        let square = to_oracle(&x) * to_oracle(&x);
        prop_assert_eq!(to_oracle(&Natural::from_limbs(&divisor.square(x.limbs()))), square);
    }
}

#[test]
fn differences_wrap_around() {
    let all = u64::MAX;
    for (a, b, expected) in [
        (vec![], vec![0, 0], [0, 0]),
        (vec![all, all], vec![0, 0], [0, 0]),
        (vec![0, 0], vec![all, all], [0, 0]),
        (vec![5], vec![5, 0], [0, 0]),
        (vec![4], vec![5, 0], [all - 1, all]),
        (vec![0, 0, 1], vec![0, 0], [1, 0]),
        (vec![all, all, all, all, 3], vec![2, 0], [1, 0]),
        (vec![all, all, 1], vec![0, 0], [1, 0]),
    ] {
        assert_eq!(difference(&a, &b), expected, "{a:x?} - {b:x?}");
    }
}
