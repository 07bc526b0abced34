//! Secret bases: the results; tools/ct_gate.sh has the time.

use pingala_chains::{FixedExponent, evaluate};
use pingala_core::{Error, Integer, Modulus, Natural};

#[test]
fn powers_of_secret_bases_are_those_of_pow() {
    for (exponent, modulus) in [
        ("2^61-3", "2305843009213693951"),
        ("2^255-21", "57896044618658097711785492504343953926634992332820282019728792003956564819949"),
        ("0xb5bf992dc9e9c616612e7696a6cecc1b", "340282366920938463463374607431768211456"),
        ("12509", "1000000016000000064"),
        ("65537", "1"),
        ("1", "24"),
    ] {
        let fixed = FixedExponent::search(&evaluate(exponent).unwrap(), 2000, 1).unwrap();
        let modulus = Modulus::new(modulus.parse().unwrap()).unwrap();
        let (power, usual) = (fixed.modulo(&modulus).unwrap(), Integer::from(fixed.exponent().magnitude().clone()));
        for base in ["0", "1", "-1", "2", "-12345678901234567890", "0xffffffffffffffffffffffffffffffff"] {
            let base = base.parse().unwrap();
            assert_eq!(power.pow_sec(&base).unwrap(), modulus.pow(&base, &usual).unwrap(), "{base}^{exponent}");
        }
    }
}

/// Nothing is trimmed, and what does not fit is refused.
#[test]
fn secret_bases_in_words() {
    let fixed = FixedExponent::search(&evaluate("2^127-3").unwrap(), 2000, 1).unwrap();
    let modulus = Modulus::new(Natural::from_limbs(&[u64::MAX, u64::MAX >> 1])).unwrap();
    let power = fixed.modulo(&modulus).unwrap();
    let mut out = [7; 3];
    power.pow_sec_words(&[2, 0, 0, 0], &mut out).unwrap();
    assert_eq!(out, [0, 1 << 62, 0], "2^-1 modulo 2^127 - 1");
    power.pow_sec_words(&[], &mut out).unwrap();
    assert_eq!(out, [0; 3]);
    assert!(matches!(power.pow_sec_words(&[2], &mut [0]), Err(Error::BadArgument(_))));
    let other = "sliding_window(w=3)".parse::<pingala_core::algorithm::Algorithm>().unwrap();
    let other = pingala_core::PlannedPower::new(&modulus, fixed.exponent(), &other).unwrap();
    assert!(matches!(other.pow_sec(&Integer::from(2u64)), Err(Error::BadPlan(_))));
}
