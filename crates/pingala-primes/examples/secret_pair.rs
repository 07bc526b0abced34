//! Measures secret primes: `secret_pair [MODULUS_BITS [COUNT]]` draws pairs for RSA on one thread, and times a round on primes.

use pingala_core::{Error, Options, is_prime_secret};
use pingala_primes::{PairKind, PrimeOptions, prime_pair, secret_rounds};
use std::num::NonZeroUsize;
use std::time::Instant;

fn main() -> Result<(), Error> {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|text| text.parse().ok()).collect();
    let (bits, count) = (numbers.first().copied().unwrap_or(3072), numbers.get(1).copied().unwrap_or(50));
    let options = Options::default().with_threads(NonZeroUsize::new(1));
    let (kind, prime) = (PairKind::Rsa(65_537u64.into()), PrimeOptions::default());
    let started = Instant::now();
    let mut last = None;
    for _ in 0..count {
        last = Some(prime_pair(bits, &kind, &prime, &options)?);
    }
    let each = started.elapsed().as_secs_f64() / count as f64;
    println!("two primes for {bits} bits: {:.1} ms each of {count}, {} rounds", each * 1e3, secret_rounds(bits / 2));
    if let Some(pair) = last {
        let started = Instant::now();
        for _ in 0..100 {
            assert!(is_prime_secret(pair.p.as_be_bytes(), bits / 2, 1, &options)?);
        }
        println!("a round: {:.3} ms", started.elapsed().as_secs_f64() * 10.0);
    }
    Ok(())
}
