//! The cost of a row of a column, compared with the same power of numbers that are ready, on one thread; answers are checked:
//! `make bench WHAT=columns`. Figures are medians of rounds; `peers/columns.py` measures the Python package.

use pingala::{Column, Error, Integer, Job, Modulus, Natural, Options, pow_list, pow_rows, pow_words};
use std::num::NonZeroUsize;
use std::time::Instant;

const ROUNDS: usize = 9;
const ROWS: usize = 16_384;
const WORDS: usize = 1_000_000;
/// Bytes of 2048 bits.
const WIDTH: usize = 256;

/// Numbers without a meaning: a linear congruential generator is enough.
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    state.rotate_left(32)
}

/// The median nanoseconds of an item.
fn median(items: usize, mut work: impl FnMut() -> Result<(), Error>) -> Result<f64, Error> {
    let mut rounds = Vec::new();
    for _ in 0..ROUNDS {
        let start = Instant::now();
        work()?;
        rounds.push(start.elapsed().as_secs_f64() * 1e9 / items as f64);
    }
    rounds.sort_by(f64::total_cmp);
    Ok(rounds[ROUNDS / 2])
}

fn rows(state: &mut u64, options: &Options<'_>) -> Result<(), Error> {
    let mut bytes = || -> Vec<u8> { (0..ROWS * WIDTH).map(|_| random(state) as u8).collect() };
    let (bases, mut moduli) = (bytes(), bytes());
    for modulus in moduli.chunks_mut(WIDTH) {
        modulus[0] |= 0x80;
        modulus[WIDTH - 1] |= 1;
    }
    let exponent = Integer::from(65_537u64);
    let numbers: Vec<Integer> = bases.chunks(WIDTH).map(|row| Natural::from_be_bytes(row).into()).collect();
    let ready: Vec<Modulus> =
        moduli.chunks(WIDTH).map(|row| Modulus::new(Natural::from_be_bytes(row))).collect::<Result<_, _>>()?;
    let pairs = numbers.iter().zip(&ready);
    let jobs: Vec<Job<'_>> = pairs.map(|(base, modulus)| Job { base, exponent: &exponent, modulus }).collect();
    let mut powers = Vec::new();
    let list = median(ROWS, || {
        powers = pow_list(&jobs, options)?;
        Ok(())
    })?;
    let mut out = vec![0; ROWS * WIDTH];
    let column = median(ROWS, || {
        let (bases, moduli) = (Column::fixed(&bases, WIDTH), Column::fixed(&moduli, WIDTH));
        pow_rows(bases, (&exponent).into(), moduli, &mut out, WIDTH, options).map(drop)
    })?;
    let same = powers.iter().zip(out.chunks(WIDTH)).all(|(power, row)| *power == Ok(Natural::from_be_bytes(row)));
    assert!(same, "the answers differ");
    println!("2048 bits, e = 65537: {list:.0} ns a power of ready numbers, {column:.0} ns a row: {:.3}", list / column);
    Ok(())
}

fn words(state: &mut u64, options: &Options<'_>) -> Result<(), Error> {
    let mut column = || -> Vec<u64> { (0..WORDS).map(|_| random(state)).collect() };
    let (bases, exponents, any) = (column(), column(), column());
    let odd: Vec<u64> = any.iter().map(|word| word | 1).collect();
    let cases: [(&str, &[u64], &[u64]); 5] = [
        ("e = 65537, odd moduli of their own", &[65_537], &odd),
        ("e = 65537, one odd modulus", &[65_537], &odd[..1]),
        ("e = 65537, any moduli of their own", &[65_537], &any),
        ("exponents and odd moduli of their own", &exponents, &odd),
        ("one exponent of 64 bits, odd moduli of their own", &exponents[..1], &odd),
    ];
    let mut out = vec![0; WORDS];
    for (name, exponents, moduli) in cases {
        let nanoseconds = median(WORDS, || pow_words(&bases, exponents, moduli, &mut out, options).map(drop))?;
        println!("64 bits, {name}: {nanoseconds:.1} ns a row");
    }
    Ok(())
}

fn main() -> Result<(), Error> {
    let options = Options::default().with_threads(NonZeroUsize::new(1));
    let mut state = 22;
    rows(&mut state, &options)?;
    words(&mut state, &options)
}
