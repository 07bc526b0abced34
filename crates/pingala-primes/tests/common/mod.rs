//! What several tests need.
#![allow(dead_code)]

use pingala_core::{Error, Integer, Modulus, Natural, Options, Watch};
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Whether n passes Miller and Rabin's test to the first 24 primes, by the powers of the library.
pub fn is_prime(n: &Natural) -> bool {
    const BASES: [u64; 24] =
        [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89];
    if let [word] = *n.limbs()
        && word < 8000
    {
        return word > 1 && (2..word).take_while(|d| d * d <= word).all(|d| word % d != 0);
    }
    if n.is_even() || n.is_zero() {
        return false;
    }
    let less = less_1(n);
    let modulus = Modulus::new(n.clone()).unwrap();
    let s = less.trailing_zeros();
    BASES.iter().all(|&base| {
        let mut x = modulus.pow(&base.into(), &shifted(&less, s).into()).unwrap();
        (0..s).any(|round| {
            let passes = x == less || round == 0 && x.is_one();
            x = modulus.pow(&Integer::from(&x), &2u64.into()).unwrap();
            passes
        })
    })
}

pub fn less_1(n: &Natural) -> Natural {
    let mut limbs = n.limbs().to_vec();
    for limb in &mut limbs {
        let (less, borrow) = limb.overflowing_sub(1);
        *limb = less;
        if !borrow {
            break;
        }
    }
    Natural::from_limbs(&limbs)
}

pub fn shifted(n: &Natural, count: u64) -> Natural {
    let bytes: Vec<bool> = (count..n.bits()).map(|at| n.bit(at)).collect();
    let limbs: Vec<u64> =
        bytes.chunks(64).map(|bits| bits.iter().rev().fold(0, |word, &bit| word << 1 | u64::from(bit))).collect();
    Natural::from_limbs(&limbs)
}

/// n modulo a word.
pub fn rest(n: &Natural, q: u64) -> u64 {
    n.limbs().iter().rev().fold(0, |rest, &limb| ((u128::from(rest) << 64 | u128::from(limb)) % u128::from(q)) as u64)
}

/// A generator with a seed, for tests only: SplitMix64.
pub struct Seeded(Mutex<u64>);

impl Seeded {
    pub fn new(seed: u64) -> Self {
        Self(Mutex::new(seed))
    }

    pub fn next(&self) -> u64 {
        let mut state = self.0.lock().unwrap();
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = *state;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub fn fill(&self, bytes: &mut [u8]) -> Result<(), Error> {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.next().to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }
}

/// Stops at the question of this number, or before if it is told to stop behind the first report. Counts questions and reports.
pub struct Stopping {
    last: usize,
    stops_at_report: bool,
    asked: AtomicUsize,
    reports: AtomicUsize,
    /// The number of the question that was answered by a stop first.
    stopped: AtomicUsize,
}

impl Watch for Stopping {
    fn stop(&self) -> bool {
        let asked = self.asked.fetch_add(1, Relaxed) + 1;
        let stops = asked >= self.last || self.stops_at_report && self.reports.load(Relaxed) > 0;
        if stops {
            self.stopped.fetch_min(asked, Relaxed);
        }
        stops
    }

    fn progress(&self, finished: usize, total: usize) {
        assert!(finished <= total, "{finished} of {total}");
        self.reports.fetch_add(1, Relaxed);
    }
}

/// Long work of one or two threads is interrupted wherever it asks, and reports before it has asked very often. A thread that is told to
/// stop asks a few times more at most: once on each level that it leaves.
pub fn stops_and_reports(work: impl Fn(&Options<'_>) -> Result<(), Error>) {
    for threads in [1, 2] {
        for (last, stops_at_report) in [(1, false), (2, false), (10, false), (100, false), (10_000, true)] {
            let [asked, reports] = [0, 0].map(AtomicUsize::new);
            let watch = Stopping { last, stops_at_report, asked, reports, stopped: usize::MAX.into() };
            let options = Options::default().with_watch(Some(&watch)).with_threads(NonZeroUsize::new(threads));
            assert_eq!(work(&options), Err(Error::Interrupted));
            let more = watch.asked.into_inner() - watch.stopped.into_inner();
            assert!(more <= 5 * threads, "{threads} threads ask {more} times after a stop at question {last}");
            assert!(!stops_at_report || watch.reports.into_inner() > 0, "no report at {last} questions");
        }
    }
}
