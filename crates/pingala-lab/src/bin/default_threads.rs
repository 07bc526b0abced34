//! `make bench WHAT=threads`: calls with default options beside the same calls on one thread, by the wall clock, in turn, answers compared.
//!
//! Both have a watch, as every call of Python and each call with a time limit has. A figure is the median of the samples of one call; for searches of
//! primes, whose time is random, the mean of many. The figures hold on a quiet machine.

use pingala_core::{
    Column, Integer, Job, Modulus, Natural, Options, Watch, mulmod_rows, pow_list, pow_rows, pow_words,
};
use pingala_primes::{PrimeOptions, is_prime_list, is_prime_words, next_prime, random_prime};
use std::error::Error;
use std::num::NonZeroUsize;
use std::time::Instant;

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

/// A watch that never stops.
struct Silent;

impl Watch for Silent {}

/// Marsaglia's xorshift: the same numbers in each run.
struct Random(u64);

impl Random {
    fn word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// An odd number of exactly this length, a multiple of 64.
    fn number(&mut self, bits: usize) -> Integer {
        let mut limbs: Vec<u64> = (0..bits / 64).map(|_| self.word()).collect();
        limbs[0] |= 1;
        limbs[bits / 64 - 1] |= 1 << 63;
        Natural::from_limbs(&limbs).into()
    }

    fn numbers(&mut self, count: usize, bits: usize) -> Vec<Integer> {
        (0..count).map(|_| self.number(bits)).collect()
    }
}

/// Samples of a call take at least this long together, in seconds.
const SAMPLED: f64 = 0.4;

fn seconds(work: impl FnOnce() -> Outcome) -> Outcome<f64> {
    let start = Instant::now();
    work()?;
    Ok(start.elapsed().as_secs_f64())
}

fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}

/// A row: the call on one thread, with default options, and the gain.
fn row(name: &str, one: f64, default: f64) {
    println!("| {name} | {:.3} | {:.3} | {:.2} |", 1e3 * one, 1e3 * default, one / default);
}

/// Compares the answers of both, then times them in turn.
fn compare<T: PartialEq>(name: &str, mut call: impl FnMut(&Options<'_>) -> Outcome<T>) -> Outcome {
    let default = Options::default().with_watch(Some(&Silent));
    let one = default.with_threads(NonZeroUsize::new(1));
    if call(&one)? != call(&default)? {
        return Err(format!("{name}: other answers on several threads").into());
    }
    let once = seconds(|| call(&one).map(drop))?;
    let (mut on_one, mut on_all) = (Vec::new(), Vec::new());
    for round in 0..((SAMPLED / 2.0 / once) as usize).clamp(6, 200) {
        // Each is the first of a round as often as the other.
        for is_one in [round % 2 == 0, round % 2 == 1] {
            let (options, samples) = if is_one { (&one, &mut on_one) } else { (&default, &mut on_all) };
            samples.push(seconds(|| call(options).map(drop))?);
        }
    }
    row(name, median(on_one), median(on_all));
    Ok(())
}

/// As [`compare`], for a call that writes its answers.
fn compare_into<T: Clone + PartialEq>(
    name: &str,
    out: &mut [T],
    mut call: impl FnMut(&mut [T], &Options<'_>) -> Outcome,
) -> Outcome {
    let default = Options::default().with_watch(Some(&Silent));
    call(out, &default.with_threads(NonZeroUsize::new(1)))?;
    let on_one = out.to_vec();
    call(out, &default)?;
    if out != &on_one[..] {
        return Err(format!("{name}: other answers on several threads").into());
    }
    compare(name, |options| call(out, options))
}

/// Times calls that take a random time; both take them `count` times.
fn compare_means(name: &str, count: usize, mut call: impl FnMut(usize, &Options<'_>) -> Outcome) -> Outcome {
    let default = Options::default().with_watch(Some(&Silent));
    let one = default.with_threads(NonZeroUsize::new(1));
    let (mut on_one, mut on_all) = (0.0, 0.0);
    for index in 0..count {
        on_one += seconds(|| call(index, &one))?;
        on_all += seconds(|| call(index, &default))?;
    }
    row(&format!("{name}, mean of {count}"), on_one / count as f64, on_all / count as f64);
    Ok(())
}

fn lists(bits: usize, random: &mut Random) -> Outcome {
    let modulus = Modulus::new(random.number(bits).into_magnitude())?;
    for count in [1, 2, 3, 4, 8, 12, 16, 32, 64, 128, 300, 1000] {
        let (bases, exponents) = (random.numbers(count, bits), random.numbers(count, bits));
        let pairs = bases.iter().zip(&exponents);
        let jobs: Vec<Job<'_>> = pairs.map(|(base, exponent)| Job { base, exponent, modulus: &modulus }).collect();
        let name = |what: &str| format!("{count} {what}, {bits} bits");
        compare(&name("powers"), |options| Ok(pow_list(&jobs, options)?))?;
        compare(&name("powers of one base"), |options| Ok(modulus.pow_exp_list(&bases[0], &exponents, options)?))?;
        if count <= 128 {
            compare(&name("factors of a product"), |options| Ok(modulus.pow_product(&bases, &exponents, options)?))?;
        }
        compare(&name("tests of primality"), |options| Ok(is_prime_list(&bases, 1, options)?))?;
    }
    Ok(())
}

/// The bytes of all numbers, each `width` bytes, most significant first.
fn bytes(numbers: &[Integer], width: usize) -> Vec<u8> {
    let of = |number: &Integer| {
        let mut bytes: Vec<u8> = number.magnitude().limbs().iter().flat_map(|limb| limb.to_le_bytes()).collect();
        bytes.resize(width, 0);
        bytes.reverse();
        bytes
    };
    numbers.iter().flat_map(of).collect()
}

fn columns(random: &mut Random) -> Outcome {
    for (bits, count) in [(256, 1000), (256, 30_000), (2048, 100), (2048, 1000)] {
        let (width, modulus) = (bits / 8, random.number(bits));
        let [bases, exponents] = [(); 2].map(|()| bytes(&random.numbers(count, bits), width));
        let mut out = vec![0; count * width];
        let column = |bytes| Column::fixed(bytes, width);
        compare_into(&format!("column of {count} powers, {bits} bits"), &mut out, |out, options| {
            Ok(pow_rows(column(&bases), column(&exponents), (&modulus).into(), out, width, options).map(drop)?)
        })?;
        compare_into(&format!("column of {count} products, {bits} bits"), &mut out, |out, options| {
            Ok(mulmod_rows(column(&bases), column(&exponents), (&modulus).into(), out, width, options).map(drop)?)
        })?;
    }
    for count in [1000, 10_000, 100_000, 1_000_000] {
        let [bases, moduli] = [(); 2].map(|()| (0..count).map(|_| random.word() | 1).collect::<Vec<u64>>());
        compare_into(&format!("column of {count} powers, words, e = 65537"), &mut vec![0; count], |out, options| {
            Ok(pow_words(&bases, &[65537], &moduli, out, options).map(drop)?)
        })?;
        compare_into(
            &format!("column of {count} tests of primality, words"),
            &mut vec![false; count],
            |out, options| Ok(is_prime_words(&moduli, out, options)?),
        )?;
    }
    Ok(())
}

fn searches(random: &mut Random) -> Outcome {
    for (bits, count) in [(256, 1000), (1024, 200), (2048, 100)] {
        let draw = |_, options: &Options<'_>| Ok(random_prime(bits, &PrimeOptions::default(), options).map(drop)?);
        compare_means(&format!("random_prime({bits})"), count, draw)?;
        let starts = random.numbers(count, bits as usize);
        let next = |index: usize, options: &Options<'_>| Ok(next_prime(&starts[index], options).map(drop)?);
        compare_means(&format!("next_prime, {bits} bits"), count, next)?;
    }
    Ok(())
}

fn main() -> Outcome {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let wants = |part: &str| wanted.is_empty() || wanted.iter().any(|name| name == part);
    let mut random = Random(88_172_645_463_325_252);
    println!("{}, {} threads by default\n", pingala_core::kernels::model(), Options::default().threads());
    println!("| call | one thread, ms | default, ms | gain |\n|---|---:|---:|---:|");
    for bits in [256, 512, 1024, 2048, 4096] {
        if wants("lists") || wants(&bits.to_string()) {
            lists(bits, &mut random)?;
        }
    }
    if wants("columns") {
        columns(&mut random)?;
    }
    if wants("primes") {
        searches(&mut random)?;
    }
    Ok(())
}
