//! Products and inverses without a power.

use super::common::Random;
use pingala_core::{Error, Integer, Modulus, Natural, Options, Watch, invert};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

fn integer(random: &mut Random, bits: usize) -> Integer {
    let negative = random.below(2) == 1;
    Integer::new(negative, random.exponent(bits).magnitude().clone())
}

fn moduli() -> Vec<Modulus> {
    let texts =
        ["1", "2", "15", "0x10000000000000000000000000000", "0xffffffffffffffc5", "1000000000000000000000000000000"];
    let mut all: Vec<Natural> = texts.iter().map(|text| text.parse().unwrap()).collect();
    all.extend([130, 700, 2048].map(|bits| Random::new(bits as u64).exponent(bits).magnitude().clone()));
    all.into_iter().map(|value| Modulus::new(value).unwrap()).collect()
}

/// Against the single inverse: odd, even and composite moduli, numbers with and without an inverse, of any length and sign.
#[test]
fn lists_of_inverses_are_the_inverses() {
    let mut random = Random::new(11);
    for modulus in moduli() {
        for length in [0, 1, 2, 3, 64, 1300] {
            let values: Vec<Integer> = (0..length).map(|at| integer(&mut random, 1 + at % 900)).collect();
            for threads in [None, Some(1.try_into().unwrap()), Some(3.try_into().unwrap())] {
                let got = modulus.invert_list(&values, &Options::default().with_threads(threads)).unwrap();
                let want: Vec<_> = values.iter().map(|value| modulus.invert(value)).collect();
                assert_eq!(got, want, "modulo {}", modulus.value());
            }
        }
    }
}

/// The definition, and a sign on either side.
#[test]
fn products_and_inverses_agree() {
    let mut random = Random::new(12);
    for modulus in moduli() {
        for bits in [1, 64, 300, 3000] {
            let (a, b) = (integer(&mut random, bits), integer(&mut random, 70));
            let product = modulus.mul(&a, &b);
            assert!(product < *modulus.value() && modulus.mul(&b, &a) == product);
            assert_eq!(modulus.sqr(&a), modulus.pow(&a, &2u64.into()).unwrap());
            let sum = modulus.sqr(&Integer::from(product));
            assert_eq!(sum, modulus.mul(&modulus.sqr(&a).into(), &modulus.sqr(&b).into()));
            match modulus.invert(&a) {
                Ok(inverse) => {
                    let one = if modulus.value().is_one() { 0u64 } else { 1 };
                    assert_eq!(modulus.mul(&inverse.into(), &a), one.into());
                }
                Err(error) => assert_eq!(error, Error::NotInvertible),
            }
        }
    }
}

/// Stops at the poll of this number.
struct Impatient(AtomicUsize);

impl Watch for Impatient {
    fn stop(&self) -> bool {
        self.0.fetch_add(1, Relaxed) >= 3
    }
}

#[test]
fn a_list_of_inverses_can_be_stopped() {
    let modulus = Modulus::new(Random::new(5).exponent(2048).magnitude().clone()).unwrap();
    let values: Vec<Integer> = (0..3000u64).map(|at| Integer::from(2 * at + 3)).collect();
    let watch = Impatient(AtomicUsize::new(0));
    let options = Options::default().with_watch(Some(&watch)).with_threads(Some(1.try_into().unwrap()));
    assert_eq!(modulus.invert_list(&values, &options), Err(Error::Interrupted));
}

/// Says stop from the second poll on.
#[derive(Default)]
struct Second(AtomicUsize);

impl Watch for Second {
    fn stop(&self) -> bool {
        self.0.fetch_add(1, Relaxed) > 0
    }
}

/// A long inversion polls, wherever it is: by itself, before a power and before a product, and in a list.
#[test]
fn long_inversions_stop() {
    let mut random = Random::new(0x10_0000);
    let mut long = |bits: usize| Integer::new(false, random.exponent(bits).magnitude().clone());
    let (m, base) = (Modulus::new(long(1 << 18).into_magnitude()).unwrap(), long(1 << 17));
    let minus = Integer::from(-1i64);
    let pairs = (core::slice::from_ref(&base), core::slice::from_ref(&minus));
    type Call<'c> = (&'c str, &'c dyn Fn(&Options<'_>) -> Option<Error>);
    let calls: [Call<'_>; 5] = [
        ("invert", &|options| invert(&base, m.value(), options).err()),
        ("pow", &|options| m.pow_with(&base, &minus, options).err()),
        ("pow_product", &|options| m.pow_product(pairs.0, pairs.1, options).err()),
        ("pow_exp_list", &|options| m.pow_exp_list(&base, pairs.1, options).err()),
        ("invert_list", &|options| m.invert_list(pairs.0, options).err()),
    ];
    for (name, call) in calls {
        let watch = Second::default();
        let error = call(&Options::default().with_watch(Some(&watch)));
        assert_eq!(error, Some(Error::Interrupted), "{name} after {:?} polls", watch.0);
    }
}
