//! The Rust side of `make bench`: Pingala beside num-bigint, even moduli beside odd ones, base 2 beside a general base,
//! and what planning and set-up cost. One process, contenders interleaved, medians of rounds; every answer compared.

use num_bigint::BigUint;
use pingala::{Integer, Modulus, Natural, powmod};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Rounds per comparison.
const ROUNDS: usize = 21;
/// What one contender gets of a round.
const SLICE: Duration = Duration::from_millis(10);

/// Xorshift: the numbers are the same in every run.
struct Stream(u64);

impl Stream {
    fn natural(&mut self, bits: u64) -> Natural {
        let mut limbs: Vec<u64> = (0..bits.div_ceil(64)).map(|_| self.next()).collect();
        let used = (bits - 1) % 64;
        if let Some(top) = limbs.last_mut() {
            *top = *top & ((1 << used) - 1) | 1 << used;
        }
        Natural::from_limbs(&limbs)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

/// A modulus of `bits` bits with exactly `zeros` trailing zeros.
fn modulus(stream: &mut Stream, bits: u64, zeros: u64) -> Natural {
    let odd = big(&stream.natural(bits - zeros)) | BigUint::from(1u32);
    Natural::from_be_bytes(&(odd << zeros).to_bytes_be())
}

fn big(value: &Natural) -> BigUint {
    BigUint::from_bytes_be(&value.to_be_bytes())
}

/// Median nanoseconds of each contender, their calls in turn.
fn medians<const N: usize>(contenders: [&mut dyn FnMut(); N]) -> [f64; N] {
    let mut contenders = contenders.map(|call| {
        let start = Instant::now();
        call();
        let count = (SLICE.as_secs_f64() / start.elapsed().as_secs_f64().max(1e-9)).clamp(1.0, 1e5) as u32;
        (call, count, Vec::new())
    });
    for _ in 0..ROUNDS {
        for (call, count, times) in &mut contenders {
            let start = Instant::now();
            for _ in 0..*count {
                call();
            }
            times.push(start.elapsed().as_secs_f64() * 1e9 / f64::from(*count));
        }
    }
    contenders.map(|(_, _, mut times)| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    })
}

fn main() {
    let mut stream = Stream(0x2545_f491_4f6c_dd1d);
    println!("| bits | pingala, us | num-bigint, us | ratio | base 2, us | gain | plan |");
    println!("|---:|---:|---:|---:|---:|---:|---|");
    for bits in [64, 128, 256, 512, 1024, 2048, 3072, 4096, 8192] {
        let m = modulus(&mut stream, bits, 0);
        let (base, exponent) = (stream.natural(bits - 1), stream.natural(bits));
        let (b, e, n) = (big(&base), big(&exponent), big(&m));
        let (base, exponent, two) = (Integer::from(base), Integer::from(exponent), Integer::from(2u64));
        assert_eq!(big(&powmod(&base, &exponent, &m).unwrap()), b.modpow(&e, &n));
        let [ours, theirs, short] = medians([
            &mut || drop(black_box(powmod(&base, &exponent, &m))),
            &mut || drop(black_box(b.modpow(&e, &n))),
            &mut || drop(black_box(powmod(&two, &exponent, &m))),
        ]);
        let plan = Modulus::new(m).and_then(|m| m.plan(&base, &exponent, &Default::default())).unwrap();
        let us = 1e-3;
        println!(
            "| {bits} | {:.2} | {:.2} | {:.3} | {:.2} | {:.3} | {plan} |",
            ours * us,
            theirs * us,
            ours / theirs,
            short * us,
            ours / short
        );
    }
    println!("\n| bits | worst even / odd | at trailing zeros |");
    println!("|---:|---:|---:|");
    for bits in [64, 128, 192, 256, 320, 512, 768, 1024, 2048, 4096] {
        let odd = modulus(&mut stream, bits, 0);
        let (base, exponent) = (Integer::from(stream.natural(bits - 1)), Integer::from(stream.natural(bits)));
        let mut worst = (0.0, 0);
        for zeros in [1, 63, 64, 65, bits / 4, bits / 2, bits - 1].into_iter().filter(|&zeros| zeros < bits) {
            let even = modulus(&mut stream, bits, zeros);
            let want = big(base.magnitude()).modpow(&big(exponent.magnitude()), &big(&even));
            assert_eq!(big(&powmod(&base, &exponent, &even).unwrap()), want);
            let [even_time, odd_time] =
                medians([&mut || drop(black_box(powmod(&base, &exponent, &even))), &mut || {
                    drop(black_box(powmod(&base, &exponent, &odd)))
                }]);
            if even_time / odd_time > worst.0 {
                worst = (even_time / odd_time, zeros);
            }
        }
        println!("| {bits} | {:.3} | {} |", worst.0, worst.1);
    }
    // Planning and set-up at 64 bits: what a call costs beyond its products. An exponent of 1 has none.
    let m = modulus(&mut stream, 64, 0);
    let (base, one) = (Integer::from(stream.natural(63)), Integer::from(1u64));
    let [whole] = medians([&mut || drop(black_box(powmod(&base, &one, &m)))]);
    println!("\nplanning, set-up and conversions at 64 bits: {whole:.0} ns");
}
