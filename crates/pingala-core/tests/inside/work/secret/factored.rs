//! Tests of `work/secret/factored.rs`.

use super::super::Modulus;
use super::*;
use crate::engine::execute::guarded::tests::FAULT;
use crate::natural::Integer;

/// A fault in either half, or in what is joined, is caught, whatever it is; without one the result is right.
#[test]
fn planted_faults_are_caught() {
    let prime = |bits: u32| Natural::from(u128::MAX >> (128 - bits));
    // 2^107 - 1, 2^127 - 1 squared, 2^89 - 1: Mersenne's primes.
    let factors = [(prime(107), 1), (prime(127), 2), (prime(89), 1)];
    let value = factors.iter().fold(Natural::from(1u64), |product, (p, k)| {
        crate::natural::chores::mul(&product, &crate::natural::chores::pow(p, *k))
    });
    let secret = factors.each_ref().map(|(p, k)| SecretFactor::new(p, *k).unwrap());
    let moduli = [
        Modulus::with_factors(value.clone(), &factors).unwrap(),
        Modulus::with_secret_factors(value.clone(), &secret, &Options::default()).unwrap(),
    ];
    let plain = Modulus::new(value.clone()).unwrap();
    let base: Integer = Natural::from_limbs(&[3, 1, 4, 1, 5, 9, 2, 6]).into();
    let exponent = || SecretExponent::new(&Natural::from_limbs(&[7, 8, 9, 10, 11, 12, 13]), Some(500)).unwrap();
    let want = plain.pow_sec(&base, &exponent(), &Options::default()).unwrap();
    for (modulus, place) in moduli.iter().flat_map(|modulus| (0..=factors.len()).map(move |place| (modulus, place))) {
        for bit in [0, 1, 31, 63, 64, 100, 127, 128, 200] {
            FAULT.set(Some((place, bit)));
            let struck = modulus.pow_sec(&base, &exponent(), &Options::default());
            assert_eq!(struck.unwrap_err().code(), "fault", "{place} {bit}");
            let mut bytes = [0xaa; 100];
            modulus.pow_sec_bytes(&[3], &exponent(), &mut bytes, &Options::default()).unwrap_err();
            assert_eq!(bytes, [0; 100], "nothing of it is released");
        }
    }
    FAULT.set(None);
    for modulus in moduli {
        assert_eq!(modulus.pow_sec(&base, &exponent(), &Options::default()).as_ref(), Ok(&want));
    }
}

/// With a public exponent no half carries a check of its own: the last one finds the faults. Blinded or not, the result is the
/// same, of elements without an inverse too.
#[test]
fn a_public_exponent_checks_and_blinds() {
    let (p, q) = (Natural::from(u128::MAX >> 1), Natural::from(u128::MAX >> 39));
    let value = crate::natural::chores::mul(&p, &q);
    let e = Natural::from(65537u64);
    let less = |n: &Natural| Natural::from_limbs(&[&[n.limbs()[0] - 1], &n.limbs()[1..]].concat());
    let d = crate::natural::euclid::inverse(
        &e,
        &crate::natural::chores::mul(&less(&p), &less(&q)),
        crate::natural::testing::plain(),
    )
    .unwrap()
    .unwrap();
    let secret = [&p, &q].map(|p| SecretFactor::new(p, 1).unwrap());
    let plain = Modulus::new(value.clone()).unwrap();
    let moduli = [
        plain.clone(),
        Modulus::with_factors(value.clone(), &[(p.clone(), 1), (q.clone(), 1)]).unwrap(),
        Modulus::with_secret_factors(value.clone(), &secret, &Options::default()).unwrap(),
    ];
    let options = Options::default().with_public_exponent(Some(&e));
    let exponent = || SecretExponent::new(&d, Some(220)).unwrap();
    let numbers = [Natural::default(), Natural::from(1u64), p.clone(), q.clone(), less(&value), Natural::from(99u64)];
    for (modulus, base) in moduli.iter().flat_map(|modulus| numbers.iter().map(move |base| (modulus, base))) {
        for base in [Integer::from(base.clone()), Integer::new(true, base.clone())] {
            let want = plain.pow(&base, &d.clone().into()).unwrap();
            for options in [options, options.with_blinding(false), Options::default().with_blinding(false)] {
                assert_eq!(modulus.pow_sec(&base, &exponent(), &options).as_ref(), Ok(&want), "{base}");
            }
        }
    }
    for place in 0..=2 {
        FAULT.set(Some((place, 5)));
        let struck = moduli[2].pow_sec(&99u64.into(), &exponent(), &options);
        assert_eq!(struck.unwrap_err().code(), "fault", "{place}");
    }
    FAULT.set(None);
    let other = SecretExponent::new(&Natural::from(12345u64), Some(220)).unwrap();
    for modulus in moduli {
        assert_eq!(
            modulus.pow_sec(&99u64.into(), &other, &options).unwrap_err().code(),
            "bad_argument",
            "no inverse of e"
        );
    }
}

/// What blinds a base comes off whatever the exponents are, or is not there: a power is right, or refused. Found by trying: where
/// e has no inverse modulo the order, another root of 1 may be left over, which a check by e does not see.
#[test]
fn an_exponent_that_is_no_inverse_gives_the_power_or_is_refused() {
    let less = |n: &Natural| Natural::from_limbs(&[&[n.limbs()[0] - 1], &n.limbs()[1..]].concat());
    // 2^127 - 1 and 2^89 - 1: less 1, both are multiples of 3, the first one of 27 and 7, the second one of 5.
    let (p, q) = (Natural::from(u128::MAX >> 1), Natural::from(u128::MAX >> 39));
    let value = crate::natural::chores::mul(&p, &q);
    let secret = || [&p, &q].map(|p| SecretFactor::new(p, 1).unwrap());
    let moduli = [
        Modulus::new(value.clone()).unwrap(),
        Modulus::with_factors(value.clone(), &[(p.clone(), 1), (q.clone(), 1)]).unwrap(),
        Modulus::with_secret_factors(value.clone(), &secret(), &Options::default()).unwrap(),
        Modulus::with_factors(Natural::from(45u64), &[(3u64.into(), 2), (5u64.into(), 1)]).unwrap(),
        Modulus::new(45u64.into()).unwrap(),
    ];
    let order = crate::natural::chores::mul(&less(&p), &less(&q));
    // The inverse of 65537, and numbers that are it modulo only a part of the order.
    let third = |n: &Natural| crate::natural::chores::div_rem(n, &3u64.into()).0;
    let inverse = |e: u64, order: &Natural| {
        crate::natural::euclid::inverse(&e.into(), order, crate::natural::testing::plain()).unwrap()
    };
    let d = inverse(65537, &order).unwrap();
    let near = crate::natural::chores::add(&d, &third(&order));
    let part = crate::natural::chores::mul(&third(&third(&third(&less(&p)))), &third(&less(&q)));
    let of_part = inverse(3, &part).unwrap();
    let mut right = 0;
    for (e, d) in [(65537u64, &d), (65537, &near), (3, &of_part), (3, &d), (3, &3u64.into()), (7, &7u64.into())] {
        let e = Natural::from(e);
        let options = Options::default().with_public_exponent(Some(&e));
        let exponent = SecretExponent::new(d, Some(220)).unwrap();
        for (modulus, base) in moduli.iter().flat_map(|modulus| [1u64, 8, 44, 125].map(move |base| (modulus, base))) {
            let want = modulus.pow(&base.into(), &d.clone().into()).unwrap();
            for _ in 0..12 {
                match modulus.pow_sec(&base.into(), &exponent, &options) {
                    Ok(power) => {
                        assert_eq!(power, want, "{base}^{d} mod {}, checked by {e}", modulus.value());
                        right += 1;
                    }
                    Err(error) => assert_eq!(error.code(), "bad_argument"),
                }
            }
        }
    }
    // The right pair of exponents modulo the three numbers that have its order; and 1 has a power everywhere.
    assert!(right >= 3 * 4 * 12 + 12 * (6 * 5 - 3), "{right}");
    // Such factors are those of no key, nor are composite ones.
    let with = |p: &Natural, q: &Natural, e: u64| {
        let secret = [p, q].map(|p| SecretFactor::new(p, 1).unwrap());
        let e = Natural::from(e);
        let options = Options::default().with_public_exponent(Some(&e));
        Modulus::with_secret_factors(crate::natural::chores::mul(p, q), &secret, &options)
    };
    for e in [1, 11, 65537] {
        assert!(with(&p, &q, e).is_ok(), "{e}");
    }
    let square = crate::natural::chores::mul(&q, &q);
    for (q, e) in [(&q, 3), (&q, 9), (&q, 15), (&q, 7), (&q, 2), (&q, 0), (&q, 10), (&square, 65537)] {
        assert_eq!(with(&p, q, e).unwrap_err().code(), "wrong_factors", "{e}");
    }
}

/// Exponents of 0 and below the multiplicity of a factor are not blinded away: 0^0 = 1, and p^1 is not 0 modulo p^2.
#[test]
fn blinded_exponents_of_elements_without_an_inverse() {
    let p = Natural::from(u128::MAX >> 1);
    let q = Natural::from(u128::MAX >> 39);
    let value = crate::natural::chores::mul(&crate::natural::chores::pow(&p, 3), &q);
    let secret = [SecretFactor::new(&p, 3).unwrap(), SecretFactor::new(&q, 1).unwrap()];
    let modulus = Modulus::with_secret_factors(value.clone(), &secret, &Options::default()).unwrap();
    for base in [Natural::default(), p.clone(), q.clone(), Natural::from(7u64)] {
        for e in [0u64, 1, 2, 3, 4, 5] {
            let exponent = SecretExponent::new(&e.into(), Some(600)).unwrap();
            let want = crate::powmod(&base.clone().into(), &e.into(), &value).unwrap();
            assert_eq!(modulus.pow_sec(&base.clone().into(), &exponent, &Options::default()), Ok(want), "{base}^{e}");
        }
    }
}
