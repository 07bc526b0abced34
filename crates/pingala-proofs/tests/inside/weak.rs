//! Which moduli are refused, and that random ones are not.

use super::*;
use pingala_core::Watch;
use pingala_primes::{PrimeOptions, random_prime};

fn found(m: &UBig) -> Option<Refusal> {
    weakness(&Modulus::new(from_ubig(m)).unwrap(), &Options::default()).unwrap()
}

fn prime(bits: u64) -> UBig {
    to_ubig(random_prime(bits, &PrimeOptions::default(), &Options::default()).unwrap().value())
}

/// m without its factors below 2^12.
fn rough(mut m: UBig) -> UBig {
    for p in 2..SMALL {
        while (&m % p) == 0 {
            m /= p;
        }
    }
    m
}

#[test]
fn products_of_random_primes_pass() {
    for bits in [512, 520, 600, 1024] {
        for _ in 0..8 {
            assert_eq!(found(&(prime(bits) * prime(bits))), None);
        }
    }
    // RSA-2048 of the challenge.
    let challenge = UBig::from_str_radix(include_str!("rsa2048.txt").trim(), 10).unwrap();
    assert_eq!(challenge.bit_len(), 2048);
    assert_eq!(found(&challenge), None);
}

/// Stops at the first question.
struct Stop;

impl Watch for Stop {
    fn stop(&self) -> bool {
        true
    }
}

#[test]
fn a_sound_modulus_is_searched_once() {
    let (kept, options, stop) =
        (LastSound(Mutex::new(None)), Options::default(), Options::default().with_watch(Some(&Stop)));
    let [sound, other] = [(); 2].map(|()| Modulus::new(from_ubig(&(prime(512) * prime(512)))).unwrap());
    let weak = Modulus::new(from_ubig(&rough((UBig::ONE << 1277) - UBig::ONE))).unwrap();
    assert!(matches!(kept.weakness(&sound, &stop), Err(Error::Interrupted)));
    assert_eq!(kept.weakness(&sound, &options).unwrap(), None);
    assert_eq!(kept.weakness(&sound, &stop).unwrap(), None);
    // One that is refused is not kept, and does not displace what is.
    for _ in 0..2 {
        assert_eq!(kept.weakness(&weak, &options).unwrap(), Some(Refusal::SmallOrder));
        assert!(kept.weakness(&weak, &stop).is_err());
    }
    assert_eq!(kept.weakness(&sound, &stop).unwrap(), None);
    assert_eq!(kept.weakness(&other, &options).unwrap(), None);
    assert!(kept.weakness(&sound, &stop).is_err());
}

#[test]
fn differences_and_sums_of_powers_are_refused() {
    for (a, b) in (2u64..=16).flat_map(|a| (1..a).map(move |b| (a, b))) {
        if UBig::from(a).gcd(&UBig::from(b)) != UBig::ONE {
            continue;
        }
        for n in [1033u64, 1277] {
            let (x, y) = (UBig::from(a).pow(n as usize), UBig::from(b).pow(n as usize));
            for m in [&x - &y, &x + &y] {
                // Without its small factors, which all together are below a^64.
                let m = rough(m);
                assert!(m.bit_len() > 1000);
                assert_eq!(found(&m), Some(Refusal::SmallOrder), "{a}^{n} and {b}^{n}");
            }
        }
    }
}

#[test]
fn cofactors_are_refused() {
    // 2^n - 1 for n = 3 p, divided by 2^p - 1: half as long again.
    for (a, n, parts) in [(2u64, 3 * 601usize, [601]), (3, 5 * 211, [211]), (10, 3 * 199, [199]), (12, 7 * 101, [101])]
    {
        let less = |n: usize| UBig::from(a).pow(n) - UBig::ONE;
        let m = rough(less(n) / less(parts[0]));
        assert_eq!(found(&m), Some(Refusal::SmallOrder), "{a}^{n}");
    }
    // A cofactor of a third of the length.
    let m = UBig::from(2u8).pow(3 * 1051) + UBig::ONE;
    let m = rough(m / (UBig::from(2u8).pow(1051) + UBig::ONE));
    assert_eq!(found(&m), Some(Refusal::SmallOrder));
}

#[test]
fn powers_and_small_factors_are_refused() {
    let (p, q) = (prime(550), prime(520));
    for k in [2usize, 3, 5, 7] {
        assert_eq!(found(&p.pow(k)), Some(Refusal::Power), "{k}");
        assert_eq!(found(&(&p * &q).pow(k)), Some(Refusal::Power), "{k}");
    }
    assert_eq!(found(&prime(20).pow(53)), Some(Refusal::Power));
    assert_eq!(found(&(&p * &p * &q)), None);
    for small in [3u64, 5, 61, 4093] {
        assert_eq!(found(&(&p * &q * small)), Some(Refusal::SmallFactor), "{small}");
    }
    assert_eq!(found(&(&p * &q * 4099u64)), None);
    assert_eq!(found(&(&p * &q * 2u64)), Some(Refusal::Modulus));
    assert_eq!(found(&UBig::ONE), Some(Refusal::Modulus));
    for short in [3u64, 5, 4093] {
        assert_ne!(found(&UBig::from(short)), Some(Refusal::SmallFactor), "{short}");
    }
}

#[test]
fn logarithms() {
    for a in 2..=16u64 {
        for j in 1..200usize {
            let power = UBig::from(a).pow(j);
            assert_eq!(logarithm(&power, a), (j, power.clone()));
            assert_eq!(logarithm(&(&power - 1u8), a), (j - 1, UBig::from(a).pow(j - 1)));
            assert!(is_power_of(&power, a) && !is_power_of(&(&power + 1u8), a));
        }
    }
}
