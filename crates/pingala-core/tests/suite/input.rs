//! What input gets, row by row of the design's table, and how a call is watched.

use pingala_core::{
    Error, Integer, Job, Limits, Modulus, Natural, Options, SecretExponent, Watch, modexp, pow_list, powmod,
};
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

fn n(value: u64) -> Natural {
    value.into()
}

fn z(value: i64) -> Integer {
    value.into()
}

#[test]
fn the_table_row_by_row() {
    for (base, exponent, modulus, want) in [
        (2, 3, 0, Err(Error::ZeroModulus)),
        (2, -3, 0, Err(Error::ZeroModulus)),
        (2, 3, 1, Ok(0)),
        (2, -3, 1, Ok(0)),
        (0, 0, 1, Ok(0)),
        (2, 0, 7, Ok(1)),
        (0, 0, 7, Ok(1)),
        (3, -1, 7, Ok(5)),
        (3, -2, 7, Ok(4)),
        (-3, -1, 7, Ok(2)),
        (2, -1, 8, Err(Error::NotInvertible)),
        (0, -1, 8, Err(Error::NotInvertible)),
        (10, 1, 7, Ok(3)),
        (-1, 1, 7, Ok(6)),
        (-1, 2, 7, Ok(1)),
        (-3, 3, 27, Ok(0)),
        (-8, 3, 8, Ok(0)),
        (3, 2, 9, Ok(0)),
        (3, 5, 8, Ok(3)),
        (6, 2, 8, Ok(4)),
    ] {
        assert_eq!(powmod(&z(base), &z(exponent), &n(modulus)), want.map(n), "{base}^{exponent} mod {modulus}");
    }
}

#[test]
fn lengths_are_capped_before_work() {
    let limits = Limits::new(128, 10);
    let options = Options::default().with_limits(limits);
    let long = Natural::from_limbs(&[1, 1, 1]);
    let error = pingala_core::powmod_with(&z(2), &z(2), &long, &options).unwrap_err();
    assert_eq!(error, Error::TooLong { what: "modulus", length: 129, cap: 128 });
    assert_eq!(error.to_string(), "modulus of 129 bits is over the cap of 128");
    let error = pingala_core::powmod_with(&z(2), &z(1024), &n(7), &options).unwrap_err();
    assert_eq!(error, Error::TooLong { what: "exponent", length: 11, cap: 10 });
    assert_eq!(Modulus::with_limits(long, &limits).unwrap_err().code(), "too_long");
    assert_eq!(Modulus::new(n(0)).unwrap_err().code(), "zero_modulus");
}

#[test]
fn inverses() {
    for m in 1..60u64 {
        let modulus = Modulus::new(n(m)).unwrap();
        for a in -60..60i64 {
            let inverse = modulus.invert(&z(a));
            let coprime = (1..=m).filter(|d| m % d == 0 && a.unsigned_abs() % d == 0).max() == Some(1);
            assert_eq!(inverse.is_ok(), coprime, "{a} mod {m}");
            if let Ok(inverse) = inverse {
                assert!(inverse < n(m) || m == 1);
                let product = i128::from(a) * i128::from(inverse.limbs().first().copied().unwrap_or(0));
                assert_eq!((product - 1).rem_euclid(i128::from(m)), 0, "{a} mod {m}");
            }
        }
    }
}

#[test]
fn bytes_for_the_evm() {
    assert_eq!(modexp(&[], &[], &[]), [0u8; 0]);
    assert_eq!(modexp(&[3], &[2], &[0, 0]), [0, 0]);
    assert_eq!(modexp(&[3], &[2], &[0, 5]), [0, 4]);
    assert_eq!(modexp(&[], &[], &[0, 1]), [0, 0]);
    assert_eq!(modexp(&[], &[], &[7]), [1]);
    assert_eq!(modexp(&[0, 0, 0xff], &[0, 3], &[1, 0]), [0, 0xff]);
}

/// What the environment forces, or points at, is heard by other calls; an answer to the EVM it does not touch.
#[test]
#[cfg_attr(miri, ignore)]
fn bytes_for_the_evm_in_any_environment() {
    let folder = std::env::temp_dir();
    let folder = folder.to_str().unwrap();
    for (name, value) in [
        ("PINGALA_PRICES", "/nonexistent/prices.txt"),
        ("PINGALA_PRICES", folder),
        ("PINGALA_KERNEL", "abacus"),
        ("PINGALA_PLAN", "no line"),
    ] {
        let mut again = std::process::Command::new(std::env::current_exe().unwrap());
        again.args(["--exact", "suite::input::bytes_for_the_evm"]).env(name, value);
        let ran = again.output().unwrap();
        assert!(ran.status.success() && String::from_utf8_lossy(&ran.stdout).contains("1 passed"), "{name}={value}");
    }
}

#[test]
fn secrets_of_every_shape() {
    for m in 1..40u64 {
        let modulus = Modulus::new(n(m)).unwrap();
        for e in [0u64, 1, 2, 5, 63, 64, 255] {
            for width in [None, Some(8), Some(9), Some(64), Some(65), Some(200)] {
                let secret = SecretExponent::new(&n(e), width).unwrap();
                for base in [-41i64, -1, 0, 1, 2, 6, 100] {
                    let want = powmod(&z(base), &z(e as i64), &n(m));
                    assert_eq!(modulus.pow_sec(&z(base), &secret, &Options::default()), want, "{base}^{e} mod {m}");
                    if base >= 0 {
                        let mut out = [0xaa; 11];
                        modulus.pow_sec_bytes(&[0, 0, base as u8], &secret, &mut out, &Options::default()).unwrap();
                        assert_eq!(Natural::from_be_bytes(&out), want.unwrap());
                    }
                }
            }
        }
    }
    let secret = SecretExponent::new(&n(5), None).unwrap();
    let modulus = Modulus::new(Natural::from_limbs(&[1, 1])).unwrap();
    let error = modulus.pow_sec_bytes(&[2], &secret, &mut [0; 8], &Options::default()).unwrap_err();
    assert_eq!(error.code(), "bad_argument");
}

/// Stops after this number of polls.
struct Patience(AtomicUsize);

impl Watch for Patience {
    fn stop(&self) -> bool {
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_err()
    }
}

/// A base that is far longer than the modulus is reduced piece by piece, also for an exponent of 1 and where a square has no kernel.
#[test]
fn the_reduction_of_a_long_base_stops_when_told() {
    let long = Integer::from(Natural::from_limbs(&vec![0xabcd_ef01_2345_6789; 40_000]));
    for limbs in [3, 600, 3000] {
        let m = Modulus::new(Natural::from_limbs(&vec![u64::MAX - 1; limbs])).unwrap();
        for exponent in 1..=3u64 {
            for base in [&long, &Integer::new(true, long.magnitude().clone())] {
                let power = |polls: usize| {
                    let patience = Patience(AtomicUsize::new(polls));
                    m.pow_with(base, &exponent.into(), &Options::default().with_watch(Some(&patience)))
                };
                assert_eq!(power(3), Err(Error::Interrupted), "{limbs} {exponent}");
                let residue = m.pow(base, &Integer::from(1u64)).unwrap();
                let want =
                    (1..exponent).fold(residue.clone(), |power, _| m.mul(&power.into(), &residue.clone().into()));
                assert_eq!(power(usize::MAX).unwrap(), want, "{limbs} {exponent}");
            }
        }
    }
}

#[test]
fn a_long_call_stops_when_told() {
    let m = Modulus::new(Natural::from_limbs(&vec![u64::MAX; 256])).unwrap();
    let exponent = Natural::from_limbs(&vec![u64::MAX; 256]).into();
    let watch = Patience(AtomicUsize::new(3));
    let options = Options::default().with_watch(Some(&watch));
    assert_eq!(m.pow_with(&z(3), &exponent, &options), Err(Error::Interrupted));
    let secret = SecretExponent::new(exponent.magnitude(), None).unwrap();
    assert_eq!(m.pow_sec(&z(3), &secret, &options), Err(Error::Interrupted));
    let base = z(3);
    let jobs = vec![Job { base: &base, exponent: &exponent, modulus: &m }; 100];
    assert_eq!(pow_list(&jobs, &options), Err(Error::Interrupted));
}

/// Counts the questions that come when a deadline has passed.
struct AfterDeadline {
    deadline: Instant,
    asked: AtomicUsize,
}

impl Watch for AfterDeadline {
    fn stop(&self) -> bool {
        self.asked.fetch_add(usize::from(Instant::now() >= self.deadline), Ordering::Relaxed);
        false
    }
}

/// Work of days ends at its deadline, with or without a watch, and work that is done in time has its result. A watch is asked at most once
/// more by each thread on each level that it leaves.
#[test]
fn calls_end_at_their_deadline() {
    let m = Modulus::new(Natural::from_limbs(&vec![u64::MAX; 512])).unwrap();
    let (base, long): (_, Integer) = (z(3), Natural::from_limbs(&vec![u64::MAX; 1 << 19]).into());
    let long_jobs = vec![Job { base: &base, exponent: &long, modulus: &m }; 3];
    let short = z(65537);
    let short_jobs = vec![Job { base: &base, exponent: &short, modulus: &m }; 3];
    let watch = Patience(AtomicUsize::new(usize::MAX));
    type Call<'a> = &'a dyn Fn(&Options<'_>) -> Result<(), Error>;
    let calls: [Call<'_>; 4] = [
        &|options| m.pow_with(&base, &long, options).map(drop),
        &|options| pow_list(&long_jobs, &options.with_threads(NonZeroUsize::new(2))).map(drop),
        &|options| m.pow_product(&[z(2), z(3)], &[long.clone(), long.clone()], options).map(drop),
        &|options| m.repeated_square(&base, 1 << 40, options).map(drop),
    ];
    for call in calls {
        let deadline = Instant::now() + Duration::from_millis(50);
        let options = Options::default().with_deadline(Some(deadline));
        assert_eq!(call(&options), Err(Error::Interrupted));
        let deadline = Instant::now() + Duration::from_millis(50);
        let watch = AfterDeadline { deadline, asked: AtomicUsize::new(0) };
        let options = Options::default().with_deadline(Some(deadline)).with_watch(Some(&watch));
        assert_eq!(call(&options), Err(Error::Interrupted));
        let asked = watch.asked.into_inner();
        assert!(asked <= 10, "asked {asked} times after the deadline");
    }
    for watch in [None, Some(&watch as &dyn Watch)] {
        let options = Options::default().with_watch(watch);
        let past = options.with_deadline(Some(Instant::now()));
        for (count, plan) in
            [(1, "sliding_window"), (9, "straus"), (9, "interleaved_windows"), (9, "bos_coster"), (90, "pippenger")]
        {
            let bases: Vec<Integer> = (2..2 + count).map(z).collect();
            let exponents = vec![long.clone(); bases.len()];
            let plan = (count > 1).then_some(plan);
            assert_eq!(m.pow_product(&bases, &exponents, &past.with_plan(plan)), Err(Error::Interrupted), "{plan:?}");
        }
        let later = options.with_deadline(Some(Instant::now() + Duration::from_secs(3600)));
        assert_eq!(m.pow_with(&base, &short, &later), m.pow(&base, &short));
        assert_eq!(pow_list(&short_jobs, &later).unwrap(), vec![m.pow(&base, &short); 3]);
    }
}

/// How many elements of a list are finished, how many were at the last question, and the most that were between two.
struct Questions {
    finished: AtomicUsize,
    asked_at: AtomicUsize,
    most_between: AtomicUsize,
}

impl Watch for Questions {
    fn stop(&self) -> bool {
        let finished = self.finished.load(Ordering::Relaxed);
        let between = finished.saturating_sub(self.asked_at.swap(finished, Ordering::Relaxed));
        self.most_between.fetch_max(between, Ordering::Relaxed);
        finished >= 8000
    }

    fn progress(&self, finished: usize, _: usize) {
        self.finished.store(finished, Ordering::Relaxed);
    }
}

/// Its elements are too short to ask themselves, and a piece of it takes long.
#[test]
fn a_list_of_short_elements_stops_when_told() {
    let m = Modulus::new(Natural::from_limbs(&[u64::MAX; 8])).unwrap();
    let exponent = Natural::from_limbs(&[u64::MAX; 8]).into();
    let bases: Vec<Integer> = (2..200_002).map(z).collect();
    let jobs: Vec<Job<'_>> = bases.iter().map(|base| Job { base, exponent: &exponent, modulus: &m }).collect();
    let [finished, asked_at, most_between] = [const { AtomicUsize::new(0) }; 3];
    let watch = Questions { finished, asked_at, most_between };
    let options = Options::default().with_watch(Some(&watch)).with_threads(NonZeroUsize::new(1));
    assert_eq!(pow_list(&jobs, &options), Err(Error::Interrupted));
    // 5 ms of what the planner expects, of 2.5 us or more an element by the prices of any CPU; a 64th of the list is more.
    let most = watch.most_between.into_inner();
    assert!(most < 2000, "{most}");
}

/// Records the reports of progress.
struct Diary(Mutex<Vec<(usize, usize)>>);

impl Watch for Diary {
    fn progress(&self, finished: usize, total: usize) {
        self.0.lock().unwrap().push((finished, total));
    }
}

#[test]
fn progress_rises_to_the_total() {
    let m = Modulus::new(Natural::from_limbs(&[u64::MAX; 16])).unwrap();
    let exponent = Natural::from_limbs(&[u64::MAX; 16]).into();
    let base = z(3);
    let jobs = vec![Job { base: &base, exponent: &exponent, modulus: &m }; 2000];
    for threads in [1, 2] {
        let diary = Diary(Mutex::new(Vec::new()));
        let options = Options::default().with_watch(Some(&diary)).with_threads(NonZeroUsize::new(threads));
        assert!(pow_list(&jobs, &options).unwrap().iter().all(Result::is_ok));
        let told = diary.0.into_inner().unwrap();
        assert!(told.is_sorted() && told.len() > 2 && told.last() == Some(&(2000, 2000)), "{told:?}");
    }
}

#[test]
fn factors_give_the_same_power() {
    let m: Natural = "0x2d0bc5d8d35a1dbb4a5b".parse().unwrap();
    let wrong = Modulus::with_factors(m, &[(n(3), 1), (n(5), 2)]).unwrap_err();
    assert_eq!(wrong.code(), "wrong_factors");
    let factors = [(n(1_000_003), 2), (n(65_537), 1), (n(2), 5)];
    let value: Natural = (1_000_003u128 * 1_000_003 * 65_537 * 32).into();
    let known = Modulus::with_factors(value.clone(), &factors).unwrap();
    for base in [-7i64, 0, 1, 2, 1_000_003, 123_456_789] {
        for exponent in [-1i64, 0, 1, 2, 65_537, i64::MAX] {
            assert_eq!(known.pow(&z(base), &z(exponent)), powmod(&z(base), &z(exponent), &value), "{base}^{exponent}");
        }
    }
    let secret = SecretExponent::new(&n(77), Some(100)).unwrap();
    assert_eq!(known.pow_sec(&z(5), &secret, &Options::default()), powmod(&z(5), &z(77), &value));
}

/// A base of many times the modulus is reduced in pieces, with the same result.
#[test]
fn a_base_far_longer_than_the_modulus() {
    for (base_limbs, modulus_limbs) in [(5000usize, 3usize), (5000, 40), (9001, 1500)] {
        let limbs = |n: usize, seed: u64| -> Vec<u64> {
            (0..n as u64).map(|i| (i + seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ i << 40).collect()
        };
        let base = Natural::from_limbs(&limbs(base_limbs, 1));
        let mut m = limbs(modulus_limbs, 2);
        m[0] |= 1;
        let modulus = Natural::from_limbs(&m);
        let oracle = |value: &Natural| num_bigint::BigUint::from_bytes_be(&value.to_be_bytes());
        let want = oracle(&base).modpow(&17u8.into(), &oracle(&modulus));
        assert_eq!(oracle(&powmod(&base.into(), &17u64.into(), &modulus).unwrap()), want);
    }
}

/// The reports that a watch received.
struct Told(Mutex<Vec<(usize, usize)>>);

impl Watch for Told {
    fn progress(&self, finished: usize, total: usize) {
        self.0.lock().unwrap().push((finished, total));
    }
}

/// A long power reports its progress in order, on every kind of plan, and ends with all bits; a list reports only elements.
#[test]
fn one_power_tells_its_progress() {
    let bits = 30_000usize;
    let exponent: Integer = format!("0x{}", "b".repeat(bits / 4)).parse().unwrap();
    for (modulus, least) in
        [("f".repeat(600), 4), (format!("{}1{}", "f".repeat(400), "0".repeat(200)), 4), ("1d".into(), 1)]
    {
        let modulus: Natural = format!("0x{modulus}").parse().unwrap();
        let told = Told(Default::default());
        let options = Options::default().with_watch(Some(&told));
        let base = if least == 4 { 3u64.into() } else { Integer::from(modulus.clone()) };
        let power = pingala_core::powmod_with(&base, &exponent, &modulus, &options).unwrap();
        assert_eq!(power, powmod(&base, &exponent, &modulus).unwrap());
        let told = told.0.into_inner().unwrap();
        assert!(told.len() >= least && told.is_sorted(), "{told:?}");
        assert_eq!(told.last(), Some(&(bits, bits)));
        assert!(told.iter().all(|&(finished, total)| finished <= total && total == bits));
        assert!(least == 1 || told[told.len() - 2].0 > bits * 3 / 4, "{told:?}");
    }
    let modulus = Modulus::with_factors(15u64.into(), &[(3u64.into(), 1), (5u64.into(), 1)]).unwrap();
    let told = Told(Default::default());
    modulus.pow_with(&2u64.into(), &exponent, &Options::default().with_watch(Some(&told))).unwrap();
    assert_eq!(*told.0.lock().unwrap(), [(bits, bits)]);
}
