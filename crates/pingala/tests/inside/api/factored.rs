//! Tests of `api/factored.rs`.

use super::super::Modulus;
use super::*;
use crate::execute::guarded::tests::FAULT;
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
