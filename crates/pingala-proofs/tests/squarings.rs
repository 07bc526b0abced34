//! Proofs of repeated squaring: right ones of every shape, forged ones, runs that were stopped or killed.

mod common;

use common::{Draw, Folder, Impatient};
use pingala_core::{Error, Integer, Modulus, Natural, Options};
use pingala_proofs::{
    ProvedSquaring, Refusal, SMALLEST_MODULUS_BITS, SquaringProof, refusal, refusals, verify_squaring,
    verify_squaring_list,
};
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

type Proved = (Natural, SquaringProof);

/// The reason why a proof is refused, for a modulus of any length.
fn why(base: &Integer, t: u64, modulus: &Modulus, (result, proof): &Proved) -> Option<Refusal> {
    refusal(base, t, modulus, result, proof, 0, &Options::default()).unwrap()
}

fn job(modulus: &Modulus, base: &Integer, t: u64) -> ProvedSquaring {
    ProvedSquaring::new(modulus, base, t).unwrap()
}

/// An odd modulus and a base that has no divisor in common with it.
fn draw_pair(draw: &mut Draw, bits: usize) -> (Modulus, Integer) {
    loop {
        let (modulus, base) = (draw.odd_modulus(bits), Integer::new(draw.below(2) == 0, draw.number(bits + 8)));
        if ProvedSquaring::new(&modulus, &base, 1).is_ok() {
            return (modulus, base);
        }
    }
}

/// A product of two random primes.
fn hard_modulus(bits: u64) -> Modulus {
    let (kind, options) = (pingala_primes::PairKind::Paillier, Options::default());
    let pair = pingala_primes::prime_pair(bits, &kind, &pingala_primes::PrimeOptions::default(), &options).unwrap();
    let [p, q] = [&pair.p, &pair.q].map(|prime| Natural::from_be_bytes(prime.as_be_bytes()));
    let product =
        p.to_string().parse::<num_bigint::BigUint>().unwrap() * q.to_string().parse::<num_bigint::BigUint>().unwrap();
    Modulus::new(Natural::from_le_bytes(&product.to_bytes_le())).unwrap()
}

/// With an element of known order anybody proves a wrong result: the verifier refuses the modulus.
#[test]
fn moduli_with_elements_of_small_order() {
    let options = Options::default();
    // 2^1277 - 1 has no known factor; the order of 2 is 1277.
    let mut bytes = vec![0xff; 160];
    bytes[159] = 0x1f;
    let modulus = Modulus::new(Natural::from_le_bytes(&bytes)).unwrap();
    let (base, t) = (Integer::from(3u64), 1000);
    let (result, _) = job(&modulus, &base, t).run(&options).unwrap();
    // result times 4, and the proof times the root of 2 whose order is 1277: with l the challenge of the wrong result, 2^(1 / l).
    let wrong = modulus.mul(&result.clone().into(), &Integer::from(4u64));
    let (_, right) = job(&modulus, &base, t).run(&options).unwrap();
    assert_eq!(why(&base, t, &modulus, &(result.clone(), right.clone())), None);
    let verified = |result: &Natural, proof: &SquaringProof| {
        let verified = refusal(&base, t, &modulus, result, proof, 1, &options).unwrap();
        assert_eq!(verify_squaring(&base, t, &modulus, result, proof, &options).unwrap(), verified.is_none());
        verified
    };
    assert_eq!(verified(&result, &right), Some(Refusal::SmallOrder));
    assert_eq!(verified(&wrong, &right), Some(Refusal::SmallOrder));
    assert_eq!(pingala_proofs::weakness(&modulus, &options).unwrap(), Some(Refusal::SmallOrder));
    let good = hard_modulus(1100);
    assert_eq!(pingala_proofs::weakness(&good, &options).unwrap(), None);
    let (result, proof) = job(&good, &base, t).run(&options).unwrap();
    assert!(verify_squaring(&base, t, &good, &result, &proof, &options).unwrap());
}

fn negative(number: &Natural, modulus: &Modulus) -> Natural {
    modulus.mul(&number.clone().into(), &Integer::from(-1i64))
}

#[test]
fn every_small_count() {
    let mut draw = Draw(1);
    for bits in [8, 16, 64, 128, 192, 256, 320, 512, 1024, 2048] {
        let (modulus, base) = draw_pair(&mut draw, bits);
        let counts: Vec<u64> = if bits > 500 { (0..600).step_by(23).collect() } else { (0..300).collect() };
        for t in counts {
            let proved = job(&modulus, &base, t).run(&Options::default()).unwrap();
            assert_eq!(proved.0, modulus.repeated_square(&base, t, &Options::default()).unwrap());
            assert_eq!(why(&base, t, &modulus, &proved), None, "{t} modulo {:?}", modulus.value());
        }
    }
    let three = Modulus::new(Natural::from(3u64)).unwrap();
    for t in 0..5 {
        let proved = job(&three, &Integer::from(2u64), t).run(&Options::default()).unwrap();
        assert_eq!(why(&Integer::from(2u64), t, &three, &proved), None);
    }
}

#[test]
fn the_proof_does_not_depend_on_memory_or_threads() {
    let mut draw = Draw(2);
    for bits in [64, 200, 256, 520, 1024, 1536] {
        let (modulus, base) = draw_pair(&mut draw, bits);
        for round in 0..12 {
            // Counts on both sides of what digits and distances divide.
            let t = [1, 2 * 3 * 5 * 7, 1 << 10, 5040, 20_000, 4096 * 13][round % 6] + draw.below(5) as u64;
            let wanted = job(&modulus, &base, t).run(&Options::default()).unwrap();
            assert_eq!(why(&base, t, &modulus, &wanted), None);
            for memory in [0, 100, 1000, 5000, 20_000, 100_000, 1 << 20, u64::MAX] {
                let threads = NonZeroUsize::new(1 + draw.below(4));
                let mut job = job(&modulus, &base, t).with_memory(memory);
                let found = job.run(&Options::default().with_threads(threads)).unwrap();
                assert_eq!(found, wanted, "{t} squarings of {bits} bits within {memory} bytes on {threads:?} threads");
            }
        }
    }
}

#[test]
fn vectors() {
    for line in include_str!("squarings.tsv").lines().filter(|line| !line.starts_with('#')) {
        let [modulus, base, t, result, proof] = *line.split('\t').collect::<Vec<_>>() else { panic!("{line}") };
        let modulus = Modulus::new(modulus.parse().unwrap()).unwrap();
        let (base, t): (Integer, u64) = (base.parse().unwrap(), t.parse().unwrap());
        let wanted = (result.parse().unwrap(), proof.parse().unwrap());
        assert_eq!(job(&modulus, &base, t).run(&Options::default()).unwrap(), wanted, "{line}");
        assert_eq!(why(&base, t, &modulus, &wanted), None, "{line}");
        assert_eq!(wanted.1.to_string(), proof);
    }
}

#[test]
fn forged() {
    let mut draw = Draw(3);
    let (modulus, base) = (hard_modulus(1024), Integer::from(-12_345i64));
    let (m, options) = (modulus.value().clone(), Options::default());
    for t in [1, 2, 1000] {
        let (result, proof) = job(&modulus, &base, t).run(&options).unwrap();
        let verify = |base: &Integer, t, modulus: &Modulus, result: &Natural, root: &Natural| {
            let proof = SquaringProof::new(root.clone());
            let accepted = verify_squaring(base, t, modulus, result, &proof, &options).unwrap();
            let why = why(base, t, modulus, &(result.clone(), proof));
            assert_eq!(accepted, why.is_none());
            why
        };
        let root = proof.root();
        assert_eq!(verify(&base, t, &modulus, &result, root), None);
        let (no_result, no_root) = (negative(&result, &modulus), negative(root, &modulus));
        let mismatch = Some(Refusal::Mismatch);
        assert_eq!(verify(&base, t, &modulus, &no_result, root), mismatch);
        assert_eq!(verify(&base, t, &modulus, &no_result, &no_root), Some(Refusal::ProofNotReduced));
        assert_eq!(verify(&base, t, &modulus, &result, &no_root), Some(Refusal::ProofNotReduced));
        for other in [t - 1, t + 1, 2 * t, u64::MAX, 0] {
            assert_eq!(verify(&base, other, &modulus, &result, root), mismatch);
        }
        let one_more = modulus.mul(&result.clone().into(), &base);
        assert_eq!(verify(&base, t, &modulus, &one_more, root), mismatch);
        let other_root = modulus.mul(&root.clone().into(), &Integer::from(2u64));
        assert!(verify(&base, t, &modulus, &result, &other_root).is_some());
        // -x has the same powers, but the challenge is of x; it does not matter where 2^(t - 1) is below it.
        let no_base = Integer::new(!base.is_negative(), base.magnitude().clone());
        assert_eq!(verify(&no_base, t, &modulus, &result, root), mismatch.filter(|_| t > 256));
        assert_eq!(verify(&Integer::from(2u64), t, &modulus, &result, root), mismatch);
        let other = draw.odd_modulus(1024);
        assert!(verify(&base, t, &other, &result, root).is_some());
        // Not reduced, no numbers of the group, moduli that are refused.
        let plus = |a: &Natural| Natural::from_le_bytes(&sum(&a.to_le_bytes(), &m.to_le_bytes()));
        assert_eq!(verify(&base, t, &modulus, &plus(&result), root), Some(Refusal::ResultNotReduced));
        assert_eq!(verify(&base, t, &modulus, &result, &plus(root)), Some(Refusal::ProofNotReduced));
        assert_eq!(verify(&base, t, &modulus, &result, &Natural::default()), Some(Refusal::ProofNotReduced));
        assert_eq!(verify(&base, t, &modulus, &Natural::default(), root), Some(Refusal::ResultNotInvertible));
        assert_eq!(verify(&Integer::from(0u64), t, &modulus, &result, root), Some(Refusal::Base));
        let even = Modulus::new(Natural::from_le_bytes(&sum(&m.to_le_bytes(), &[1]))).unwrap();
        assert_eq!(verify(&base, t, &even, &result, root), Some(Refusal::Modulus));
        let one = Modulus::new(Natural::from(1u64)).unwrap();
        assert_eq!(verify(&base, t, &one, &Natural::default(), root), Some(Refusal::Modulus));
        // Every bit counts.
        for _ in 0..20 {
            let flipped = |number: &Natural| {
                let mut bytes = number.to_le_bytes();
                let at = Draw(number.limbs()[0] ^ t).below(bytes.len());
                bytes[at] ^= 1;
                Natural::from_le_bytes(&bytes)
            };
            assert!(verify(&base, t, &modulus, &flipped(&result), root).is_some());
            assert!(verify(&base, t, &modulus, &result, &flipped(root)).is_some());
        }
    }
    // Without squarings.
    let (result, proof) = job(&modulus, &base, 0).run(&options).unwrap();
    assert!(proof.root().is_one());
    assert!(verify_squaring(&base, 0, &modulus, &result, &proof, &options).unwrap());
    assert_eq!(why(&base, 0, &modulus, &(negative(&result, &modulus), proof)), Some(Refusal::Mismatch));
    assert_eq!(why(&base, 0, &modulus, &(result, SquaringProof::new(2u64.into()))), Some(Refusal::Mismatch));
}

fn sum(a: &[u8], b: &[u8]) -> Vec<u8> {
    let (mut out, mut carry) = (Vec::new(), 0);
    for at in 0..=a.len().max(b.len()) {
        carry += u16::from(*a.get(at).unwrap_or(&0)) + u16::from(*b.get(at).unwrap_or(&0));
        out.push(carry as u8);
        carry >>= 8;
    }
    out
}

/// Whoever knows an element of order 2, which is a factor, or a square root of it, gets so far.
#[test]
fn elements_of_small_orders() {
    let options = Options::default();
    // m = p q with p = 1 (mod 4): an element of order 2 modulo p, and 1 modulo q; and i with i^2 that element.
    let (p, q) = (1_000_033u64, 1_000_003u64);
    let modulus = Modulus::new(Natural::from(p * q)).unwrap();
    let joined = |a: u64| {
        let inverse = modulus_inverse(q % p, p);
        let k = (u128::from((a + p - 1) % p) * u128::from(inverse) % u128::from(p)) as u64;
        1 + q * k
    };
    let of_order_two = joined(p - 1);
    let base = Integer::from(5u64);
    let t = 1000;
    let (result, proof) = job(&modulus, &base, t).run(&options).unwrap();
    let times = |a: &Natural, b: u64| modulus.mul(&a.clone().into(), &Integer::from(b));
    for root in [proof.root().clone(), times(proof.root(), of_order_two)] {
        for root in [root.clone(), negative(&root, &modulus)] {
            for result in [times(&result, of_order_two), negative(&result, &modulus)] {
                assert!(why(&base, t, &modulus, &(result, SquaringProof::new(root.clone()))).is_some());
            }
        }
    }
}

fn modulus_inverse(a: u64, p: u64) -> u64 {
    let p = Modulus::new(p.into()).unwrap();
    p.invert(&Integer::from(a)).unwrap().limbs()[0]
}

#[test]
fn arguments() {
    let new = |m: u64, base: i64| ProvedSquaring::new(&Modulus::new(m.into()).unwrap(), &base.into(), 5).map(drop);
    for m in [1, 2, 1000] {
        assert_eq!(new(m, 3).unwrap_err().code(), "bad_argument");
    }
    for (m, base) in [(15, 3), (15, 0), (15, -10), (7, 14)] {
        assert_eq!(new(m, base), Err(Error::NotInvertible));
    }
    // A short modulus is refused by the verifier, unless it asks for less.
    let modulus = Draw(9).odd_modulus(SMALLEST_MODULUS_BITS as usize - 8);
    let base = Integer::from(1u64);
    let (result, proof) = job(&modulus, &base, 5).run(&Options::default()).unwrap();
    assert!(!verify_squaring(&base, 5, &modulus, &result, &proof, &Options::default()).unwrap());
    assert_eq!(why(&base, 5, &modulus, &(result, proof)), None);
    for text in [
        "",
        "0x5",
        "wesolowski-v1:",
        "wesolowski-v1:5",
        "wesolowski-v1:0x05",
        "wesolowski-v1:0xAB",
        "wesolowski-v2:0x5",
    ] {
        assert_eq!(text.parse::<SquaringProof>().unwrap_err().code(), "not_a_number", "{text}");
    }
    assert_eq!("wesolowski-v1:0x5f".parse::<SquaringProof>().unwrap(), SquaringProof::new(0x5fu64.into()));
}

/// Known factors take no squarings, up to the largest count; the proof is the same.
#[test]
fn known_factors() {
    let (p, q) = (Natural::from(1_000_000_007u64), Natural::from((1u64 << 61) - 1));
    let value = Natural::from(1_000_000_007u128 * 1_000_000_007 * ((1 << 61) - 1));
    let known = Modulus::with_factors(value.clone(), &[(p, 2), (q, 1)]).unwrap();
    let unknown = Modulus::new(value).unwrap();
    let base = Integer::from(-12345i64);
    for t in (0..70).chain([255, 256, 257, 1000, 54_321]) {
        let proved = job(&known, &base, t).run(&Options::default()).unwrap();
        assert_eq!(proved, job(&unknown, &base, t).run(&Options::default()).unwrap(), "{t}");
    }
    for t in [79_685_186_856_218, u64::MAX] {
        let proved = job(&known, &base, t).run(&Options::default()).unwrap();
        assert_eq!(why(&base, t, &unknown, &proved), None);
        assert_eq!(why(&base, t - 1, &unknown, &proved), Some(Refusal::Mismatch));
    }
    // Without the factors such a job can only begin.
    for polls in [0, 1, 100] {
        let stopped = |memory| {
            let mut job = job(&unknown, &base, u64::MAX).with_memory(memory);
            job.run(&Options::default().with_watch(Some(&Impatient::after(polls))))
        };
        assert_eq!((stopped(0), stopped(64_000_000)), (Err(Error::Interrupted), Err(Error::Interrupted)));
    }
}

#[test]
fn stopped_and_resumed() {
    let mut draw = Draw(4);
    let folder = Folder::new("squarings");
    for (round, (bits, t)) in [(512, 200_000), (1024, 80_000), (2048, 30_000)].into_iter().enumerate() {
        let (modulus, base) = draw_pair(&mut draw, bits);
        let t = t + draw.below(1000) as u64;
        let wanted = job(&modulus, &base, t).run(&Options::default()).unwrap();
        for memory in [20_000, 64_000_000] {
            for (at, every) in [20, 3_600_000].into_iter().enumerate() {
                let path = folder.0.join(format!("{round}-{memory}-{at}"));
                let new = |t| job(&modulus, &base, t).with_memory(memory);
                let (mut stops, mut done) = (0, 0);
                let proved = loop {
                    let watch = Impatient::after(stops + 1);
                    let mut job = new(t).with_checkpoint(&path, Duration::from_millis(every)).unwrap();
                    assert!(job.done() >= done, "{} after {done}", job.done());
                    let threads = NonZeroUsize::new(1 + stops % 3);
                    match job.run(&Options::default().with_watch(Some(&watch)).with_threads(threads)) {
                        Ok(proved) => break proved,
                        Err(error) => assert_eq!(error, Error::Interrupted),
                    }
                    done = job.done();
                    stops += 1;
                };
                assert!(stops > 2, "{stops}");
                assert_eq!(proved, wanted);
                let open = |t: u64, base: &Integer| {
                    let job = ProvedSquaring::new(&modulus, base, t).unwrap();
                    job.with_checkpoint(&path, Duration::ZERO)
                };
                let mut again = open(t, &base).unwrap();
                assert_eq!(again.run(&Options::default()).unwrap(), wanted);
                assert!(open(t, &base).unwrap_err().to_string().ends_with("another run is using it"));
                drop(again);
                for other in [open(t + 1, &base), open(t, &Integer::from(1u64))] {
                    assert!(other.unwrap_err().to_string().contains("of another modulus, base or number"));
                }
                let whole = std::fs::read(&path).unwrap();
                for _ in 0..3 {
                    let at = draw.below(whole.len());
                    let mut altered = whole.clone();
                    altered[at] ^= 1 << draw.below(8);
                    for (content, how) in [(&whole[..at], "cut"), (&altered, "altered")] {
                        std::fs::write(&path, content).unwrap();
                        let opened = open(t, &base);
                        // No bit of what was sealed may differ; the header has its length twice.
                        assert!(how == "cut" || (16..48).contains(&at) || opened.is_err(), "{how} at {at}");
                        if let Ok(mut job) = opened {
                            assert_eq!(job.run(&Options::default()).unwrap(), wanted, "{how} at {at}");
                        }
                    }
                }
            }
        }
    }
}

/// A job stopped in this process goes on from where it was.
#[test]
fn one_job_runs_on() {
    let (modulus, base) = draw_pair(&mut Draw(6), 1024);
    let wanted = job(&modulus, &base, 80_000).run(&Options::default()).unwrap();
    let mut job = job(&modulus, &base, 80_000).with_memory(100_000);
    let mut stops = 0;
    let proved = loop {
        match job.run(&Options::default().with_watch(Some(&Impatient::after(1 + stops / 4)))) {
            Ok(proved) => break proved,
            Err(error) => assert_eq!(error, Error::Interrupted),
        }
        stops += 1;
    };
    assert!(stops > 2);
    assert_eq!(proved, wanted);
}

const CHILD: &str = "PINGALA_TEST_CHECKPOINT";
const KILLED_SQUARINGS: u64 = 400_000;

/// In a process of its own, this test is the run that [`killed`] kills.
#[test]
fn child() {
    let Some(path) = std::env::var_os(CHILD) else { return };
    let (modulus, base) = draw_pair(&mut Draw(5), 1024);
    let job = job(&modulus, &base, KILLED_SQUARINGS).with_memory(300_000);
    let every = Duration::from_millis(5);
    job.with_checkpoint(Path::new(&path), every).unwrap().run(&Options::default()).unwrap();
}

#[test]
fn killed() {
    let mut draw = Draw(7);
    let folder = Folder::new("killed");
    let path = folder.0.join("checkpoint");
    let (modulus, base) = draw_pair(&mut Draw(5), 1024);
    let wanted = job(&modulus, &base, KILLED_SQUARINGS).run(&Options::default()).unwrap();
    let mut done = 0;
    for kill in 0..30 {
        let mut child = Command::new(std::env::current_exe().unwrap());
        let child = child.args(["--exact", "child"]).env(CHILD, &path).stdout(Stdio::null()).spawn();
        let mut child = child.unwrap();
        // The moments are additions to the file. A run that has ended adds nothing; the first one is not killed before its first squarings.
        let length = || std::fs::metadata(&path).map_or(0, |file| file.len());
        for _ in 0..if kill == 0 { 3 } else { draw.below(4) } {
            let before = length();
            while length() == before && child.try_wait().unwrap().is_none() {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        let _ = child.kill();
        child.wait().unwrap();
        if !path.exists() {
            continue;
        }
        let mut job = job(&modulus, &base, KILLED_SQUARINGS).with_checkpoint(&path, Duration::ZERO).unwrap();
        assert!(job.done() >= done);
        done = job.done();
        if done + 1 == KILLED_SQUARINGS {
            assert_eq!(job.run(&Options::default()).unwrap(), wanted);
        }
    }
    assert!(done > 0);
    let mut job = job(&modulus, &base, KILLED_SQUARINGS).with_checkpoint(&path, Duration::from_secs(60)).unwrap();
    assert_eq!(job.run(&Options::default()).unwrap(), wanted);
}

/// A file whose record claims a length that it does not have, or has only as a hole.
#[test]
fn false_lengths() {
    let folder = Folder::new("lengths");
    let (modulus, base) = draw_pair(&mut Draw(12), 512);
    let path = folder.0.join("state");
    let new = || job(&modulus, &base, 50_000).with_checkpoint(&path, Duration::ZERO);
    assert_eq!(new().unwrap().run(&Options::default().with_watch(Some(&Impatient::after(3)))), Err(Error::Interrupted));
    let whole = std::fs::read(&path).unwrap();
    let first = 64;
    let second = first + 8 + u64::from_le_bytes(whole[64..72].try_into().unwrap()) as usize + 32;
    assert!(second < whole.len());
    for at in [first, second] {
        for claimed in [u64::MAX, 1 << 40, (1 << 40) - 1, 1 << 32, whole.len() as u64] {
            let mut altered = whole.clone();
            altered[at..at + 8].copy_from_slice(&claimed.to_le_bytes());
            std::fs::write(&path, &altered).unwrap();
            // Terabytes without a byte on the disk.
            let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
            if cfg!(target_os = "linux") && claimed <= 1 << 40 {
                file.set_len(claimed + whole.len() as u64).unwrap();
            }
            let error = new().unwrap_err();
            assert_eq!(error.code(), "bad_file", "{claimed} at {at}: {error}");
        }
    }
}

/// Bases, results and proofs of one count of squarings.
#[derive(Default)]
struct Rows {
    bases: Vec<Integer>,
    results: Vec<Integer>,
    proofs: Vec<SquaringProof>,
}

impl Rows {
    fn push(&mut self, base: &Integer, result: &Natural, root: &Natural) {
        self.bases.push(base.clone());
        self.results.push(result.clone().into());
        self.proofs.push(SquaringProof::new(root.clone()));
    }

    fn refusals(&self, t: u64, modulus: &Modulus, least: u64, options: &Options<'_>) -> Vec<Option<Refusal>> {
        refusals(&self.bases, t, modulus, (&self.results, &self.proofs), least, options).unwrap()
    }

    /// What the call of one row says of each.
    fn alone(&self, t: u64, modulus: &Modulus, least: u64) -> Vec<Option<Refusal>> {
        let of = |(row, base): (usize, &Integer)| {
            let (result, proof) = (self.results[row].magnitude(), &self.proofs[row]);
            refusal(base, t, modulus, result, proof, least, &Options::default()).unwrap()
        };
        self.bases.iter().enumerate().map(of).collect()
    }
}

/// Proofs of `count` bases, with a forged, a base's, a result's and a root's change behind every third; a modulus of any length.
fn mixed(draw: &mut Draw, modulus: &Modulus, t: u64, count: usize) -> Rows {
    let mut rows = Rows::default();
    let m = modulus.value();
    while rows.bases.len() < count {
        let base = Integer::new(draw.below(2) == 0, draw.number(m.bits() as usize + 8));
        let Ok(mut job) = ProvedSquaring::new(modulus, &base, t) else { continue };
        let (result, proof) = job.run(&Options::default()).unwrap();
        rows.push(&base, &result, proof.root());
        let twice = |number: &Natural| modulus.mul(&number.clone().into(), &Integer::from(2u64));
        match draw.below(6) {
            0 => rows.push(&base, &twice(&result), proof.root()),
            1 => rows.push(&base, &result, &twice(proof.root())),
            2 => rows.push(&base, m, proof.root()),
            3 => rows.push(&Integer::from(0u64), &result, proof.root()),
            4 => rows.push(&base, &Natural::default(), proof.root()),
            _ => {}
        }
    }
    rows
}

#[test]
fn each_row_as_if_it_were_alone() {
    let mut draw = Draw(21);
    for bits in [32, 64, 200, 1024, 1104] {
        let modulus = draw.odd_modulus(bits);
        check_rows(&mut draw, &modulus);
    }
    check_rows(&mut draw, &hard_modulus(1024));
}

fn check_rows(draw: &mut Draw, modulus: &Modulus) {
    let bits = modulus.value().bits();
    for t in [0, 1, 2, 300] {
        let rows = mixed(draw, modulus, t, 20);
        let alone = rows.alone(t, modulus, 0);
        assert!(alone.iter().filter(|refused| refused.is_none()).count() >= 10, "{bits} {t}: {alone:?}");
        for threads in [1, 2, 5] {
            let options = Options::default().with_threads(NonZeroUsize::new(threads));
            assert_eq!(rows.refusals(t, modulus, 0, &options), alone, "{bits} bits, {t} squarings");
        }
        // A modulus that is refused refuses all of its rows.
        let least = rows.alone(t, modulus, 1024);
        assert_eq!(rows.refusals(t, modulus, 1024, &Options::default()), least);
        let Rows { bases, results, proofs } = &rows;
        let valid = verify_squaring_list(bases, t, modulus, results, proofs, &Options::default()).unwrap();
        assert_eq!(valid, least.iter().map(Option::is_none).collect::<Vec<_>>());
        assert_eq!(rows.refusals(t + 1, modulus, 0, &Options::default()), rows.alone(t + 1, modulus, 0));
    }
}

#[test]
fn no_row_and_more_than_a_block() {
    let modulus = Draw(5).odd_modulus(64);
    let none = Rows::default();
    assert_eq!(none.refusals(9, &modulus, 0, &Options::default()), []);
    assert_eq!(verify_squaring_list(&[], 9, &modulus, &[], &[], &Options::default()), Ok(vec![]));
    let few = mixed(&mut Draw(6), &modulus, 9, 10);
    let mut rows = Rows::default();
    while rows.bases.len() < 4_100 {
        let at = rows.bases.len() * 7 % few.bases.len();
        rows.push(&few.bases[at], few.results[at].magnitude(), few.proofs[at].root());
    }
    assert_eq!(rows.refusals(9, &modulus, 0, &Options::default()), rows.alone(9, &modulus, 0));
}

#[test]
fn moduli_and_lengths() {
    for m in [1u64, 2, 1000] {
        let modulus = Modulus::new(m.into()).unwrap();
        let mut rows = Rows::default();
        rows.push(&Integer::from(1u64), &Natural::default(), &Natural::from(1u64));
        assert_eq!(rows.refusals(5, &modulus, 0, &Options::default()), [Some(Refusal::Modulus)]);
    }
    // A negative result is none, though its magnitude is one.
    let modulus = Draw(4).odd_modulus(200);
    let mut rows = mixed(&mut Draw(4), &modulus, 0, 2);
    rows.results[0] = Integer::new(true, rows.results[0].magnitude().clone());
    assert_eq!(rows.refusals(0, &modulus, 0, &Options::default())[0], Some(Refusal::ResultNotReduced));
    let modulus = Draw(8).odd_modulus(1024);
    let rows = mixed(&mut Draw(7), &modulus, 5, 3);
    let of = |bases: &[Integer], results: &[Integer], proofs: &[SquaringProof]| {
        verify_squaring_list(bases, 5, &modulus, results, proofs, &Options::default()).map_err(|error| error.code())
    };
    assert_eq!(of(&rows.bases[1..], &rows.results, &rows.proofs), Err("bad_argument"));
    assert_eq!(of(&rows.bases, &rows.results[1..], &rows.proofs), Err("bad_argument"));
    assert_eq!(of(&rows.bases, &rows.results, &[]), Err("bad_argument"));
}

#[test]
fn stopped() {
    let modulus = Draw(11).odd_modulus(2048);
    let rows = mixed(&mut Draw(12), &modulus, 5, 40);
    for threads in [1, 3] {
        let options = Options::default().with_threads(NonZeroUsize::new(threads));
        let watch = Impatient::after(2);
        let options = options.with_watch(Some(&watch));
        let Rows { bases, results, proofs } = &rows;
        let stopped = refusals(bases, 5, &modulus, (results, proofs), 0, &options);
        assert_eq!(stopped, Err(Error::Interrupted));
    }
}

#[test]
fn a_job_shows_how_much_is_done() {
    let modulus = Modulus::new(Natural::from_limbs(&[u64::MAX - 4; 32])).unwrap();
    let mut job = job(&modulus, &3u64.into(), 1000);
    assert_eq!(format!("{job:?}"), "<ProvedSquaring: 0 of 1000 squarings modulo 2048 bits>");
    let (_, proof) = job.run(&Options::default()).unwrap();
    assert_eq!(format!("{job:?}"), format!("<ProvedSquaring: {} of 1000 squarings modulo 2048 bits>", job.done()));
    assert!(format!("{proof:?}").len() < 100, "{proof:?}");
}
