//! Tests of `modulus/factored.rs`.

use super::*;

fn n(value: u64) -> Natural {
    Natural::from(value)
}

#[test]
fn garner_is_exact_for_every_residue() {
    let facts =
        Facts::with_factors(n(2 * 2 * 9 * 5), &[(n(3), 2), (n(2), 2), (n(5), 1)], crate::natural::testing::plain())
            .unwrap();
    for x in 0..180u64 {
        assert_eq!(facts.recombine(&[n(x % 9), n(x % 4), n(x % 5)]), Ok(n(x)));
    }
}

#[test]
fn reduced_exponents_give_every_base_the_same_power() {
    let pow = |base: u64, exponent: u64, m: u64| (0..exponent).fold(1 % m, |power, _| power * base % m);
    for (p, k) in [(3u64, 1u32), (3, 2), (3, 4), (5, 3), (7, 1), (11, 2)] {
        let m = p.pow(k);
        let facts = Facts::with_factors(n(m), &[(n(p), k)], crate::natural::testing::plain()).unwrap();
        let factor = &facts.factors()[0];
        let unreduced = n(2000);
        assert_eq!(*factor.reduce_exponent(&unreduced), unreduced);
        factor.learn(2, |_| panic!("nothing is gained")).unwrap();
        factor.learn(200, |_| Ok(true)).unwrap();
        factor.learn(200, |_| panic!("it is known")).unwrap();
        for exponent in 1..600 {
            let reduced = factor.reduce_exponent(&n(exponent)).limbs()[0];
            assert!(reduced >= 1 && reduced <= exponent);
            for base in 0..m {
                assert_eq!(pow(base, reduced, m), pow(base, exponent, m), "{base}^{exponent} mod {p}^{k}");
            }
        }
    }
}

#[test]
fn wrong_factors_are_refused() {
    for factors in [
        vec![(n(3), 1), (n(7), 1)],
        vec![(n(3), 1), (n(15), 1)],
        vec![(n(45), 2)],
        vec![(n(1), 1), (n(45), 1)],
        vec![(n(45), 0)],
        vec![(n(0), 1)],
        vec![(n(3), u32::MAX), (n(5), 1)],
    ] {
        assert_eq!(
            Facts::with_factors(n(45), &factors, crate::natural::testing::plain()).unwrap_err().code(),
            "wrong_factors",
            "{factors:?}"
        );
    }
    assert_eq!(
        Facts::with_factors(n(45), &[(n(3), 2), (n(5), 1)], crate::natural::testing::plain()).unwrap().factors().len(),
        2
    );
    assert_eq!(
        Facts::with_factors(n(45), &[(n(9), 1), (n(5), 1)], crate::natural::testing::plain()).unwrap().factors().len(),
        2
    );
}
