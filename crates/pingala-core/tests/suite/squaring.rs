//! Repeated squaring: against powers, across stops, on every kernel.

use pingala_core::kernels::KERNELS;
use pingala_core::{Integer, Modulus, Natural, Options, RepeatedSquare, Watch, powmod};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

fn n(value: u64) -> Natural {
    Natural::from(value)
}

fn power_of_two(count: u64) -> Integer {
    let mut limbs = vec![0; (count / 64) as usize + 1];
    limbs[(count / 64) as usize] = 1 << (count % 64);
    Natural::from_limbs(&limbs).into()
}

/// An odd number of `limbs` limbs.
fn odd(limbs: usize) -> Natural {
    let mut limbs: Vec<u64> = (1..=limbs as u64).map(|i| (i * i + 7).wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    limbs[0] |= 1;
    Natural::from_limbs(&limbs)
}

/// Times 2^k.
fn shifted(value: &Natural, k: usize) -> Natural {
    format!("{value:#x}{}", "0".repeat(k / 4)).parse().unwrap()
}

#[test]
fn odd_and_even_moduli() {
    for limbs in [1, 2, 4, 5, 17, 40] {
        for m in [odd(limbs), shifted(&odd(limbs), 4), shifted(&odd(limbs), 100), shifted(&n(1), 64 * limbs)] {
            let modulus = Modulus::new(m.clone()).unwrap();
            for base in [Integer::from(0u64), Integer::from(1u64), Integer::from(-6i64), odd(limbs + 1).into()] {
                for t in [0, 1, 2, 3, 63, 64, 300, 1000] {
                    let want = powmod(&base, &power_of_two(t), &m).unwrap();
                    let got = modulus.repeated_square(&base, t, &Options::default()).unwrap();
                    assert_eq!(got, want, "{base:?}^(2^{t}) mod {m:#x}");
                }
            }
        }
    }
}

#[test]
fn every_kernel_by_name() {
    for entry in KERNELS.iter().filter(|entry| entry.odd && entry.available()) {
        let modulus = Modulus::new(odd(entry.max_limbs.unwrap_or(9).min(9).max(entry.min_limbs))).unwrap();
        let base = Integer::from(-3i64);
        let options = Options::default().with_kernel(Some(entry.name));
        let got = modulus.repeated_square(&base, 500, &options);
        if entry.lanes > 1 {
            assert_eq!(got.unwrap_err().code(), "bad_plan", "{}", entry.name);
        } else {
            assert_eq!(got.unwrap(), modulus.pow(&base, &power_of_two(500)).unwrap(), "{}", entry.name);
        }
    }
}

/// A kernel that no part can run on is refused, as for a power. One that takes an even modulus as a whole has no stream of squarings modulo it.
#[test]
fn kernels_that_do_not_fit() {
    let base = Integer::from(3u64);
    for entry in KERNELS.iter().filter(|entry| entry.available() && !entry.plain) {
        let options = Options::default().with_kernel(Some(entry.name));
        for modulus in [101u64, 128, 96].map(|value| Modulus::new(value.into()).unwrap()) {
            let power = modulus.pow_with(&base, &power_of_two(10), &options).map_err(|error| error.code());
            let squared = modulus.repeated_square(&base, 10, &options).map_err(|error| error.code());
            if entry.lanes == 1 {
                assert_eq!(squared, power, "{} modulo {:?}", entry.name, modulus.value());
            } else {
                assert_eq!(squared, Err("bad_plan"), "{}", entry.name);
            }
        }
    }
}

/// Known primes take no squarings: t of 2^40 is done at once. A composite factor takes them.
#[test]
fn known_factors() {
    let factors = [(n(1_000_003), 2), (n(65_537), 1), (n(3), 5), (n(2), 7)];
    let value: Natural = (1_000_003u128 * 1_000_003 * 65_537 * 243 * 128).into();
    let modulus = Modulus::with_factors(value.clone(), &factors).unwrap();
    for base in [0i64, 1, 2, -3, 6, 65_537, 1_000_003 * 6] {
        let base = Integer::from(base);
        for t in [0, 1, 5, 10, 39, 40, 41, 500] {
            let want = powmod(&base, &power_of_two(t), &value).unwrap();
            assert_eq!(modulus.repeated_square(&base, t, &Options::default()).unwrap(), want, "{base:?} {t}");
        }
    }
    // Python: pow(5, pow(2, 2**40, l), m) with l the least common multiple of the orders.
    let at_once = modulus.repeated_square(&Integer::from(5u64), 1 << 40, &Options::default()).unwrap();
    assert_eq!(format!("{at_once:#x}"), "0x4171d47a32e69fde01");
    let composite = Modulus::with_factors(n(15 * 7), &[(n(15), 1), (n(7), 1)]).unwrap();
    let got = composite.repeated_square(&Integer::from(2u64), 1001, &Options::default());
    assert_eq!(got, powmod(&2u64.into(), &power_of_two(1001), &n(15 * 7)));
    // Python: pow(5, pow(2, 2**64 - 1, l), m).
    let most =
        modulus.repeated_square(&Integer::from(5u64), pingala_core::MOST_SQUARINGS, &Options::default()).unwrap();
    assert_eq!(format!("{most:#x}"), "0x55270f5276903c6481");
}

/// Stops at every third question.
#[derive(Default)]
struct Impatient {
    asked: AtomicUsize,
    seen: AtomicUsize,
}

impl Watch for Impatient {
    fn stop(&self) -> bool {
        self.asked.fetch_add(1, Relaxed) % 3 == 2
    }

    fn progress(&self, finished: usize, total: usize) {
        assert!(finished >= self.seen.swap(finished, Relaxed) && total == 100_000);
    }
}

#[test]
fn a_stopped_job_goes_on() {
    let modulus = Modulus::new(shifted(&odd(33), 8)).unwrap();
    let base = Integer::from(12_345u64);
    let want = modulus.repeated_square(&base, 100_000, &Options::default()).unwrap();
    let path = std::env::temp_dir().join(format!("pingala-squaring-{}", std::process::id()));
    let watch = Impatient::default();
    let options = Options::default().with_watch(Some(&watch));
    let fresh = || {
        let job = RepeatedSquare::new(&modulus, &base, 100_000).unwrap();
        job.with_checkpoint(&path, std::time::Duration::from_millis(1)).unwrap()
    };
    let (mut job, mut stops) = (fresh(), 0);
    let result = loop {
        match job.run(&options) {
            Ok(result) => break result,
            Err(error) => assert_eq!(error.code(), "interrupted"),
        }
        stops += 1;
        let done = job.done();
        assert!(done < 100_000);
        // The same job once more, or another that finds its file, as another process would.
        if stops % 2 == 0 {
            job = fresh();
            assert_eq!(job.done(), done);
        }
    };
    // The finished run is the beginning of a longer one, and of no shorter one.
    let of = |squarings| {
        let job = RepeatedSquare::new(&modulus, &base, squarings).unwrap();
        job.with_checkpoint(&path, std::time::Duration::from_secs(1))
    };
    assert_eq!(of(99_999).unwrap_err().code(), "bad_file");
    let mut longer = of(100_500).unwrap();
    assert_eq!(longer.done(), 100_000);
    let options = Options::default();
    assert_eq!(longer.run(&options).unwrap(), modulus.repeated_square(&base, 100_500, &options).unwrap());
    std::fs::remove_file(&path).unwrap();
    assert!(stops > 2, "{stops}");
    assert_eq!(result, want);
}

/// The plan that is explained is followed and can be forced; by the factors, and by squarings. What does not fit is an error.
#[test]
fn explained_plans_are_taken_back() {
    let base = Integer::from(-3i64);
    let factors = [(n(1_000_003), 2), (n(65_537), 1), (n(2), 7)];
    let value: Natural = (1_000_003u128 * 1_000_003 * 65_537 * 128).into();
    let by_factors = Modulus::with_factors(value.clone(), &factors).unwrap();
    let whole = [Modulus::new(odd(17)).unwrap(), Modulus::new(shifted(&odd(5), 100)).unwrap()];
    let all = [(&by_factors, "crt("), (&whole[0], "binary"), (&whole[1], "even(")];
    for (modulus, beginning) in all {
        let explanation = modulus.explain_repeated_square(500, &Options::default()).unwrap();
        let line = explanation.plan().to_string();
        assert!(line.starts_with(beginning) && explanation.seconds() > 0.0, "{line}");
        let options = Options::default().with_plan(Some(&line));
        let want = powmod(&base, &power_of_two(500), modulus.value());
        assert_eq!(modulus.repeated_square(&base, 500, &options), want, "{line}");
        assert_eq!(modulus.explain_repeated_square(500, &options).unwrap().plan(), explanation.plan());
        assert!(modulus.explain_repeated_square(0, &Options::default()).is_ok());
    }
    // A forced plan runs the squarings themselves, and reports every one of them.
    let plan = whole[1].explain_repeated_square(500, &Options::default()).unwrap().plan().to_string();
    let options = Options::default().with_plan(Some(&plan));
    assert_eq!(by_factors.repeated_square(&base, 500, &options).unwrap_err().code(), "bad_plan");
    let options = Options::default().with_kernel(Some("portable_r64"));
    assert_eq!(by_factors.repeated_square(&base, 500, &options), powmod(&base, &power_of_two(500), &value));
    let line = by_factors.explain_repeated_square(500, &Options::default()).unwrap().plan().to_string();
    for (modulus, line) in [(&whole[0], &*line), (&by_factors, "crt(k_ary)"), (&whole[0], "k_ary on no_such_kernel")] {
        let options = Options::default().with_plan(Some(line));
        assert_eq!(modulus.repeated_square(&base, 500, &options).unwrap_err().code(), "bad_plan", "{line}");
        assert_eq!(modulus.explain_repeated_square(500, &options).unwrap_err().code(), "bad_plan", "{line}");
    }
    for squarings in [(1 << 49) - 1, 1 << 49, u64::MAX] {
        for modulus in [&whole[0], &whole[1], &by_factors] {
            let explanation = modulus.explain_repeated_square(squarings, &Options::default()).unwrap();
            assert!(explanation.seconds() < 1e12, "{squarings}");
        }
    }
    // One stream does not fill lanes: what is refused is not explained either.
    for entry in KERNELS.iter().filter(|entry| entry.lanes > 1 && entry.available()) {
        let kernel = entry.name;
        let options = Options::default().with_kernel(Some(kernel));
        for count in [63, 1_000_003] {
            assert_eq!(whole[0].repeated_square(&base, count, &options).unwrap_err().code(), "bad_plan", "{kernel}");
            assert_eq!(whole[0].explain_repeated_square(count, &options).unwrap_err().code(), "bad_plan", "{kernel}");
        }
    }
}

/// The number of units, where each factor is known and prime.
#[test]
fn units() {
    let options = Options::default();
    let of = |value: u64, factors: &[(u64, u32)]| {
        let factors: Vec<_> = factors.iter().map(|&(base, k)| (n(base), k)).collect();
        Modulus::with_factors(n(value), &factors).unwrap().units(&options).unwrap()
    };
    assert_eq!(of(1_000_003 * 243 * 128, &[(1_000_003, 1), (3, 5), (2, 7)]), Some(n(1_000_002 * 162 * 64)));
    assert_eq!(of(2 * 7, &[(2, 1), (7, 1)]), Some(n(6)));
    assert_eq!(of(15 * 7, &[(15, 1), (7, 1)]), None);
    assert_eq!(Modulus::new(n(7)).unwrap().units(&options).unwrap(), None);
    assert_eq!(
        options.with_threads(std::num::NonZeroUsize::new(3)).threads(),
        if cfg!(feature = "threads") { 3 } else { 1 }
    );
}
