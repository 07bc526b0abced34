//! Witnesses against powers by the product of all other elements.

mod common;

use common::{Draw, Folder, Impatient};
use pingala_core::{Integer, Limits, Modulus, Natural, Options, powmod};
use pingala_proofs::{Witnesses, accumulate, failing_witnesses, update_witnesses, verify_witnesses, witnesses};
use std::num::NonZeroUsize;
use std::time::Duration;

/// g to the product of all but one of the exponents, one power after the other.
fn brute(g: &Integer, exponents: &[Natural], without: Option<usize>, modulus: &Modulus) -> Natural {
    let mut power = powmod(g, &1u64.into(), modulus.value()).unwrap();
    for (index, exponent) in exponents.iter().enumerate() {
        if without != Some(index) {
            power = modulus.pow(&power.into(), &exponent.clone().into()).unwrap();
        }
    }
    power
}

fn moduli(draw: &mut Draw) -> Vec<Modulus> {
    let small = [1u64, 2, 3, 1024, 1_000_003, 2 * 1_000_003].map(|m| Modulus::new(m.into()).unwrap());
    small.into_iter().chain([64, 128, 192, 504, 1024].map(|bits| draw.odd_modulus(bits))).collect()
}

#[test]
fn every_length_against_single_powers() {
    let mut draw = Draw(1);
    let options = Options::default();
    for modulus in moduli(&mut draw) {
        for n in 0..=40 {
            let exponents: Vec<Natural> = (0..n)
                .map(|_| match draw.word() % 16 {
                    0 => Natural::from(1u64),
                    1 if n > 20 => Natural::default(),
                    2 => Natural::from(17u64),
                    3 => draw.number(1000),
                    _ => draw.number(64),
                })
                .collect();
            let g = Integer::new(n % 3 == 0, draw.number(200));
            let of_all = accumulate(&g, &exponents, &modulus, &options).unwrap();
            assert_eq!(of_all, brute(&g, &exponents, None, &modulus));
            let found = witnesses(&g, &exponents, &modulus, &options).unwrap();
            let wanted: Vec<_> = (0..n).map(|i| brute(&g, &exponents, Some(i), &modulus)).collect();
            assert_eq!(found, wanted, "{n} modulo {:?}", modulus.value());
            assert!(failing_witnesses(&of_all, &exponents, &found, &modulus, &options).unwrap().is_empty());
            assert!(verify_witnesses(&of_all, &exponents, &found, &modulus, &options).unwrap());
            let threads = options.with_threads(NonZeroUsize::new(1 + n % 3));
            for memory in [0, 1, 300, 1000, 10_000] {
                let job = Witnesses::new(&g, &exponents, &modulus).unwrap().with_memory(memory);
                assert_eq!(job.run(&threads).unwrap(), wanted, "{n} within {memory} bytes");
            }
        }
    }
}

#[test]
fn zeros_and_long_elements() {
    let modulus = Draw(2).odd_modulus(256);
    let (g, options) = (Integer::from(3u64), Options::default());
    let (zero, long) = (Natural::default(), Draw(3).number(1 << 16));
    let lists =
        [vec![zero.clone()], vec![zero.clone(); 2], vec![zero.clone(), long.clone(), long.clone()], vec![long; 5]];
    for exponents in lists {
        let found = witnesses(&g, &exponents, &modulus, &options).unwrap();
        let wanted: Vec<_> = (0..exponents.len()).map(|i| brute(&g, &exponents, Some(i), &modulus)).collect();
        assert_eq!(found, wanted);
    }
    let limited = options.with_limits(Limits::new(1 << 20, 1000));
    let long = Natural::from_le_bytes(&[0xff; 250]);
    let error = witnesses(&g, &[zero, long], &modulus, &limited).unwrap_err();
    assert_eq!(error.to_string(), "element 1: exponent of 2000 bits is over the cap of 1000");
}

#[test]
fn additions() {
    let mut draw = Draw(4);
    let options = Options::default();
    for modulus in moduli(&mut draw) {
        let exponents: Vec<_> = (0..9).map(|_| draw.number(96)).collect();
        let g = Integer::from(5u64);
        for old in 0..=exponents.len() {
            let (kept, added) = exponents.split_at(old);
            let before = accumulate(&g, kept, &modulus, &options).unwrap();
            let of_kept = witnesses(&g, kept, &modulus, &options).unwrap();
            let mut all = update_witnesses(&of_kept, added, &modulus, &options).unwrap();
            all.extend(witnesses(&before.clone().into(), added, &modulus, &options).unwrap());
            assert_eq!(all, witnesses(&g, &exponents, &modulus, &options).unwrap(), "{old}");
            let after = accumulate(&before.into(), added, &modulus, &options).unwrap();
            assert_eq!(after, accumulate(&g, &exponents, &modulus, &options).unwrap());
        }
    }
}

#[test]
fn wrong_witnesses_are_found() {
    let mut draw = Draw(5);
    let options = Options::default();
    let modulus = draw.odd_modulus(512);
    let exponents: Vec<_> = (0..20).map(|_| Natural::from(draw.word() | 1)).collect();
    let g = Integer::from(2u64);
    let of_all = accumulate(&g, &exponents, &modulus, &options).unwrap();
    let right = witnesses(&g, &exponents, &modulus, &options).unwrap();
    let verify = |witnesses: &[Natural]| {
        let batch = verify_witnesses(&of_all, &exponents, witnesses, &modulus, &options).unwrap();
        (batch, failing_witnesses(&of_all, &exponents, witnesses, &modulus, &options).unwrap())
    };
    assert_eq!(verify(&right), (true, vec![]));
    for place in 0..right.len() {
        let with = |wrong: Natural| {
            let mut witnesses = right.clone();
            witnesses[place] = wrong;
            verify(&witnesses)
        };
        let one_more = modulus.mul(&right[place].clone().into(), &Integer::from(3u64));
        assert_eq!(with(one_more), (false, vec![place]));
        for wrong in [Natural::default(), Natural::from(1u64), of_all.clone(), modulus.value().clone()] {
            assert_eq!(with(wrong), (false, vec![place]));
        }
        // Not reduced: m more.
        let bytes = right[place].to_le_bytes().into_iter().map(u16::from);
        let mut sum: Vec<u16> = bytes.collect();
        sum.resize(65, 0);
        let mut carry = 0;
        for (at, digit) in sum.iter_mut().enumerate() {
            *digit += u16::from(*modulus.value().to_le_bytes().get(at).unwrap_or(&0)) + carry;
            carry = *digit >> 8;
            *digit &= 0xff;
        }
        let sum: Vec<u8> = sum.into_iter().map(|digit| digit as u8).collect();
        assert_eq!(with(Natural::from_le_bytes(&sum)), (false, vec![place]));
        // Modulo a short number each power is compared exactly, also its sign.
        let negative = modulus.mul(&right[place].clone().into(), &Integer::from(-1i64));
        assert_eq!(with(negative), (false, vec![place]));
    }
    let mut swapped = right.clone();
    swapped.swap(3, 4);
    assert_eq!(verify(&swapped), (false, vec![3, 4]));
    // Two errors that cancel in a product without coefficients.
    let mut both = right.clone();
    let power = |e: &Natural, negative| modulus.pow(&g, &Integer::new(negative, e.clone())).unwrap().into();
    both[0] = modulus.mul(&right[0].clone().into(), &power(&exponents[1], false));
    both[1] = modulus.mul(&right[1].clone().into(), &power(&exponents[0], true));
    assert_eq!(verify(&both), (false, vec![0, 1]));
    let error = verify_witnesses(&of_all, &exponents, &right[1..], &modulus, &options).unwrap_err();
    assert_eq!(error.code(), "bad_argument");
    // An accumulator without an inverse: a product would be 0 whatever the others are.
    let nothing = [Natural::default(), Natural::from(5u64)];
    let zero = Natural::default();
    assert!(!verify_witnesses(&zero, &exponents[..2], &nothing, &modulus, &options).unwrap());
    let zeros = [Natural::default(), Natural::default()];
    assert!(verify_witnesses(&zero, &exponents[..2], &zeros, &modulus, &options).unwrap());
}

/// The negative is what the batch does not see, and says so; where everybody knows roots of unity, powers are compared exactly.
#[test]
fn roots_of_unity() {
    let options = Options::default();
    let p =
        pingala_primes::random_prime(1100, &pingala_primes::PrimeOptions::default(), &options).unwrap().into_value();
    let times = |factor: u64| {
        let mut limbs = vec![0; p.limbs().len() + 1];
        let mut carry = 0;
        for (out, &limb) in limbs.iter_mut().zip(p.limbs()) {
            let wide = u128::from(limb) * u128::from(factor) + carry;
            (*out, carry) = (wide as u64, wide >> 64);
        }
        limbs[p.limbs().len()] = carry as u64;
        Natural::from_limbs(&limbs)
    };
    let (g, exponents) = (Integer::from(3u64), [5u64, 7, 11].map(Natural::from));
    for (factor, passes) in [(1, true), (3, false), (7, false), (8, false)] {
        let modulus = Modulus::new(times(factor)).unwrap();
        let of_all = accumulate(&g, &exponents, &modulus, &options).unwrap();
        let mut found = witnesses(&g, &exponents, &modulus, &options).unwrap();
        assert!(verify_witnesses(&of_all, &exponents, &found, &modulus, &options).unwrap());
        found[1] = modulus.mul(&found[1].clone().into(), &Integer::from(-1i64));
        assert_eq!(verify_witnesses(&of_all, &exponents, &found, &modulus, &options).unwrap(), passes, "{factor}");
    }
}

#[test]
fn stopped_and_resumed() {
    let mut draw = Draw(6);
    let folder = Folder::new("witnesses");
    let modulus = draw.odd_modulus(512);
    let exponents: Vec<_> = (0..300).map(|_| draw.number(128)).collect();
    let g = Integer::from(7u64);
    let wanted = witnesses(&g, &exponents, &modulus, &Options::default()).unwrap();
    for (round, memory) in [1u64 << 30, 20_000, 1].into_iter().enumerate() {
        for every in [0, 3600] {
            let path = folder.0.join(format!("{round}-{every}"));
            let new = |memory| Witnesses::new(&g, &exponents, &modulus).unwrap().with_memory(memory);
            let (mut stops, mut length) = (0, 0);
            let found = loop {
                let watch = Impatient::after(10 + 10 * stops);
                // Every second run asks for another cap: that of the first holds.
                let job = new(if stops % 2 == 0 { memory } else { memory / 2 });
                let job = job.with_checkpoint(&path, Duration::from_secs(every)).unwrap();
                match job.run(&Options::default().with_watch(Some(&watch))) {
                    Ok(found) => break found,
                    Err(error) => assert_eq!(error.code(), "interrupted"),
                }
                stops += 1;
                let now = std::fs::metadata(&path).unwrap().len();
                assert!(now >= length);
                length = now;
            };
            assert!(stops > 2, "{stops}");
            assert_eq!(found, wanted);
            // A finished file gives the results again.
            let again = new(memory).with_checkpoint(&path, Duration::from_secs(every)).unwrap();
            assert_eq!(again.run(&Options::default()).unwrap(), wanted);
            let used = new(memory).with_checkpoint(&path, Duration::ZERO).unwrap();
            let error = new(memory).with_checkpoint(&path, Duration::ZERO).unwrap_err();
            assert!(error.to_string().ends_with("another run is using it"), "{error}");
            drop(used);
            // Another job.
            for other in [
                Witnesses::new(&Integer::from(8u64), &exponents, &modulus).unwrap(),
                Witnesses::new(&g, &exponents[1..], &modulus).unwrap(),
            ] {
                let error = other.with_checkpoint(&path, Duration::ZERO).unwrap_err();
                assert!(error.to_string().contains("of other witnesses"), "{error}");
            }
            // Cut or altered at random places, it is refused or resumed, and never gives another result.
            let whole = std::fs::read(&path).unwrap();
            for _ in 0..5 {
                let at = draw.below(whole.len());
                let mut altered = whole.clone();
                altered[at] ^= 1 << draw.below(8);
                for (content, how) in [(&whole[..at], "cut"), (&altered, "altered")] {
                    std::fs::write(&path, content).unwrap();
                    if let Ok(job) = new(memory).with_checkpoint(&path, Duration::ZERO) {
                        assert_eq!(job.run(&Options::default()).unwrap(), wanted, "{how} at {at}");
                    }
                }
            }
        }
    }
}

#[test]
fn an_estimate_grows_with_the_work() {
    let mut draw = Draw(7);
    let modulus = draw.odd_modulus(2048);
    let exponents: Vec<_> = (0..1000).map(|_| draw.number(256)).collect();
    let g = Integer::from(3u64);
    let seconds = |n| {
        let job = Witnesses::new(&g, &exponents[..n], &modulus).unwrap();
        job.seconds(&Options::default().with_threads(NonZeroUsize::new(1))).unwrap()
    };
    assert_eq!(seconds(0), 0.0);
    assert_eq!(seconds(1), 0.0);
    assert!(seconds(1000) > 2.0 * seconds(400));
}

/// A file whose record claims a length that it does not have, or has only as a hole.
#[test]
fn false_lengths() {
    let folder = Folder::new("witness-lengths");
    let mut draw = Draw(8);
    let modulus = draw.odd_modulus(512);
    let exponents: Vec<_> = (0..300).map(|_| draw.number(128)).collect();
    let path = folder.0.join("state");
    let new =
        || Witnesses::new(&Integer::from(7u64), &exponents, &modulus).unwrap().with_checkpoint(&path, Duration::ZERO);
    new().unwrap().run(&Options::default()).unwrap();
    let whole = std::fs::read(&path).unwrap();
    let first = 64;
    let second = first + 8 + u64::from_le_bytes(whole[64..72].try_into().unwrap()) as usize + 32;
    assert!(second < whole.len());
    for at in [first, second] {
        for claimed in [u64::MAX, 1 << 40, 1 << 32, whole.len() as u64] {
            let mut altered = whole.clone();
            altered[at..at + 8].copy_from_slice(&claimed.to_le_bytes());
            std::fs::write(&path, &altered).unwrap();
            let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
            if cfg!(target_os = "linux") && claimed <= 1 << 40 {
                file.set_len(claimed + whole.len() as u64).unwrap();
            }
            let error = new().unwrap_err();
            assert_eq!(error.code(), "bad_file", "{claimed} at {at}: {error}");
        }
    }
}

#[test]
fn a_job_shows_how_many_elements_it_has() {
    let (modulus, exponents) = (Modulus::new(Natural::from_limbs(&[u64::MAX; 32])).unwrap(), vec![3u64.into(); 1000]);
    let job = Witnesses::new(&2u64.into(), &exponents, &modulus).unwrap();
    assert_eq!(format!("{job:?}"), "<Witnesses of 1000 elements modulo 2048 bits>");
}
