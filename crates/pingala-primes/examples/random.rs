//! Measures random primes: `random BITS COUNT [safe] [uniform] [proof] [secret] [threads=N]` draws as many on one thread or N, and prints the
//! mean time after what the estimate says, and the certificate of the last one.

use pingala_core::{Error, Options};
use pingala_primes::{PrimeOptions, estimate_random_prime, random_prime, random_secret_prime};
use std::num::NonZeroUsize;
use std::time::Instant;

fn main() -> Result<(), Error> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let has = |word: &str| words.iter().any(|it| it == word);
    let numbers: Vec<u64> = words.iter().filter_map(|word| word.parse().ok()).collect();
    let (bits, count) = (numbers.first().copied().unwrap_or(1024), numbers.get(1).copied().unwrap_or(10));
    let threads = words.iter().find_map(|word| word.strip_prefix("threads=")?.parse().ok()).unwrap_or(1);
    let options = Options::default().with_threads(NonZeroUsize::new(threads));
    let prime = PrimeOptions::default().with_safe(has("safe")).with_uniform(has("uniform")).with_proof(has("proof"));
    let estimate = estimate_random_prime(bits, &prime.with_proof(false), has("secret"), &options)?;
    println!("expected: {:.0} tests, {:.3} s", estimate.tests, estimate.seconds);
    let started = Instant::now();
    let mut last = None;
    for _ in 0..count {
        if has("secret") {
            random_secret_prime(bits, &prime, &options)?;
        } else {
            last = Some(random_prime(bits, &prime, &options)?);
        }
    }
    println!("{bits} bits: {:.4} s each of {count}", started.elapsed().as_secs_f64() / count as f64);
    if let Some(certificate) = last.as_ref().and_then(|prime| prime.certificate()) {
        print!("{certificate}");
    }
    Ok(())
}
