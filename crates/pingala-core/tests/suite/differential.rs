//! Against num-bigint, with numbers whose limbs are mostly the ones that break carries.

use super::common::Random;
use num_bigint::{BigInt, BigUint, Sign};
use pingala_core::{Integer, Job, Modulus, Natural, Options, SecretExponent, pow_list, powmod};
use proptest::prelude::*;

/// At least half of the limbs are structured: 0, all ones, the top bit, small, runs of ones.
fn limb() -> impl Strategy<Value = u64> {
    prop_oneof![
        4 => any::<u64>(),
        2 => Just(0),
        2 => Just(u64::MAX),
        1 => Just(1 << 63),
        1 => Just(1),
        1 => (0u32..64, 0u32..64).prop_map(|(from, length)| (u64::MAX >> (63 - length)) << from),
    ]
}

fn natural(limbs: usize) -> impl Strategy<Value = Natural> {
    prop::collection::vec(limb(), 0..=limbs).prop_map(|limbs| Natural::from_limbs(&limbs))
}

/// 1 or more.
fn positive(limbs: usize) -> impl Strategy<Value = Natural> {
    natural(limbs).prop_map(|value| if value.is_zero() { Natural::from(1u64) } else { value })
}

fn integer(limbs: usize) -> impl Strategy<Value = Integer> {
    (any::<bool>(), natural(limbs)).prop_map(|(negative, magnitude)| Integer::new(negative, magnitude))
}

fn big(value: &Natural) -> BigUint {
    BigUint::from_bytes_be(&value.to_be_bytes())
}

fn signed(value: &Integer) -> BigInt {
    BigInt::from_biguint(if value.is_negative() { Sign::Minus } else { Sign::Plus }, big(value.magnitude()))
}

/// base^exponent mod modulus by the oracle; None if the base has no inverse.
fn oracle(base: &Integer, exponent: &Integer, modulus: &Natural) -> Option<BigUint> {
    let m = BigInt::from(big(modulus));
    let mut base = ((signed(base) % &m) + &m) % &m;
    if exponent.is_negative() {
        base = base.modinv(&m)?;
    }
    Some(base.to_biguint()?.modpow(&big(exponent.magnitude()), &big(modulus)))
}

fn agree(base: &Integer, exponent: &Integer, modulus: &Natural) -> Result<(), TestCaseError> {
    let result = powmod(base, exponent, modulus).ok().map(|result| big(&result));
    prop_assert_eq!(result, oracle(base, exponent, modulus), "{} ^ {} mod {}", base, exponent, modulus);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn powers_agree(base in integer(9), exponent in integer(3), modulus in positive(8)) {
        agree(&base, &exponent, &modulus)?;
    }

    #[test]
    fn long_exponents_on_short_moduli_agree(base in integer(6), exponent in integer(9), modulus in positive(4)) {
        agree(&base, &exponent, &modulus)?;
    }

    #[test]
    fn secrets_agree(base in integer(6), exponent in natural(2), modulus in positive(5), spare in 0u64..70) {
        let secret = SecretExponent::new(&exponent, Some(exponent.bits() + spare)).unwrap();
        let result = Modulus::new(modulus.clone()).unwrap().pow_sec(&base, &secret, &Options::default()).unwrap();
        prop_assert_eq!(Some(big(&result)), oracle(&base, &exponent.into(), &modulus));
    }

    #[test]
    fn factors_agree(
        factors in prop::collection::vec((positive(3), 1u32..3), 1..4), base in integer(6), exponent in integer(3),
    ) {
        let product = factors.iter().fold(BigUint::from(1u32), |product, (factor, multiplicity)| {
            product * big(factor).pow(*multiplicity)
        });
        let m = Natural::from_be_bytes(&product.to_bytes_be());
        // Shared divisors are refused; what is accepted must agree.
        if let Ok(modulus) = Modulus::with_factors(m.clone(), &factors) {
            let result = modulus.pow(&base, &exponent).ok().map(|result| big(&result));
            prop_assert_eq!(result, oracle(&base, &exponent, &m));
        }
    }
}

/// A stream with structured limbs, for sweeps that must see every length.
struct Stream(Random);

impl Stream {
    fn limb(&mut self) -> u64 {
        match self.0.next() % 10 {
            0 | 1 => 0,
            2 | 3 => u64::MAX,
            4 => 1 << 63,
            5 => self.0.next() >> (self.0.next() % 64),
            _ => self.0.next(),
        }
    }

    /// A number of exactly `bits` bits.
    fn natural(&mut self, bits: u64) -> Natural {
        let mut limbs: Vec<u64> = (0..bits.div_ceil(64)).map(|_| self.limb()).collect();
        if let Some(top) = limbs.last_mut() {
            let used = (bits - 1) % 64;
            *top = *top & ((1 << used) - 1) | 1 << used;
        }
        Natural::from_limbs(&limbs)
    }
}

/// Every bit length of the modulus from 1 to 2200, odd and even, full-length base, short exponent.
#[test]
fn every_modulus_length() {
    let mut stream = Stream(Random::new(0x1234_5678_9abc_def1));
    for bits in 1..=2200u64 {
        let modulus = stream.natural(bits);
        let base_bits = bits + stream.0.next() % 3;
        let base = Integer::new(stream.0.next().is_multiple_of(2), stream.natural(base_bits));
        let exponent_bits = 1 + stream.0.next() % 40;
        let exponent = stream.natural(exponent_bits).into();
        assert_eq!(
            powmod(&base, &exponent, &modulus).ok().map(|r| big(&r)),
            oracle(&base, &exponent, &modulus),
            "{bits}"
        );
        let odd = Natural::from_limbs(&[&[modulus.limbs()[0] | 1], &modulus.limbs()[1..]].concat());
        assert_eq!(powmod(&base, &exponent, &odd).ok().map(|r| big(&r)), oracle(&base, &exponent, &odd), "odd {bits}");
    }
}

/// Every number of trailing zeros from 1 to 130, at several lengths, odd and even bases, public and secret.
#[test]
fn every_number_of_trailing_zeros() {
    let mut stream = Stream(Random::new(0xfedc_ba98_7654_3211));
    for zeros in 1..=130u64 {
        for odd_bits in [1u64, 2, 63, 64, 65, 129, 300] {
            let odd = stream.natural(odd_bits);
            let odd = BigUint::from_bytes_be(&odd.to_be_bytes()) | BigUint::from(1u32);
            let modulus = Natural::from_be_bytes(&(odd << zeros).to_bytes_be());
            for base_shift in [0, 1, zeros / 2] {
                let base_bits = 1 + stream.0.next() % 400;
                let base = BigUint::from_bytes_be(&stream.natural(base_bits).to_be_bytes()) << base_shift;
                let base = Integer::new(stream.0.next().is_multiple_of(2), Natural::from_be_bytes(&base.to_bytes_be()));
                for exponent_bits in [1, 7, 64, 200] {
                    let exponent = stream.natural(exponent_bits);
                    let want = oracle(&base, &(&exponent).into(), &modulus);
                    let result = powmod(&base, &(&exponent).into(), &modulus).unwrap();
                    assert_eq!(Some(big(&result)), want, "{base}^{exponent} mod {modulus}");
                    let secret = SecretExponent::new(&exponent, Some(exponent_bits + 3)).unwrap();
                    let handle = Modulus::new(modulus.clone()).unwrap();
                    let result = handle.pow_sec(&base, &secret, &Options::default()).unwrap();
                    assert_eq!(Some(big(&result)), want, "secret {base}^{exponent} mod {modulus}");
                }
            }
        }
    }
}

/// Moduli next to powers of two at limb edges, operands m - 1, m, m + 1, exponents at digit edges.
#[test]
fn edges_of_lengths() {
    for limbs in [1u64, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 40, 64] {
        for offset in -3i64..=3 {
            let power = BigInt::from(1) << (64 * limbs);
            let m = power + offset;
            let modulus = Natural::from_be_bytes(&m.to_bytes_be().1);
            for base_offset in [-1i32, 0, 1] {
                let base: Integer = Natural::from_be_bytes(&(&m + base_offset).to_bytes_be().1).into();
                for exponent in [1u64, 2, 3, 63, 64, 65, (1 << 32) - 1, 1 << 32, 1 << 63, u64::MAX] {
                    let exponent = exponent.into();
                    let result = powmod(&base, &exponent, &modulus).ok().map(|r| big(&r));
                    assert_eq!(result, oracle(&base, &exponent, &modulus), "{base}^{exponent} mod {modulus}");
                }
            }
        }
    }
}

/// A list is its elements one by one, on any number of threads, and one bad element spoils no neighbour.
#[test]
fn lists_are_their_elements() {
    let mut stream = Stream(Random::new(99));
    let moduli: Vec<Modulus> = (0..200).map(|i| Modulus::new(stream.natural(1 + 7 * i)).unwrap()).collect();
    let bases: Vec<Integer> = (0..200).map(|i| Integer::new(i % 3 == 0, stream.natural(900))).collect();
    let exponents: Vec<Integer> = (0..200).map(|i| Integer::new(i % 5 == 0, stream.natural(300))).collect();
    let jobs: Vec<Job<'_>> =
        (0..200).map(|i| Job { base: &bases[i], exponent: &exponents[i], modulus: &moduli[i] }).collect();
    let alone: Vec<_> = jobs.iter().map(|job| job.modulus.pow(job.base, job.exponent)).collect();
    assert!(alone.iter().any(Result::is_err) && alone.iter().any(Result::is_ok));
    for threads in [1, 2, 3, 8] {
        let options = Options::default().with_threads(std::num::NonZeroUsize::new(threads));
        assert_eq!(pow_list(&jobs, &options).unwrap(), alone);
    }
    assert_eq!(pow_list(&[], &Options::default()), Ok(Vec::new()));
}
