//! Times repeated squaring, the same with a proof, and the verification. Arguments: bits of a random modulus, squarings, megabytes of memory,
//! threads, and the name of a checkpoint file if it is to keep one.

use pingala_core::{Integer, Modulus, Natural, Options};
use pingala_proofs::{ProvedSquaring, verify_squaring};
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default: u64| arguments.get(at).map_or(Ok(default), |text| text.parse());
    let (bits, squarings, megabytes) = (number(0, 2048)?, number(1, 1_000_000)?, number(2, 64)?);
    let options = Options::default().with_threads(NonZeroUsize::new(number(3, 2)? as usize));
    // Digits of a fixed sequence, odd and of full length.
    let mut word = 1u64;
    let mut limbs = vec![];
    for _ in 0..bits.div_ceil(64) {
        word = word.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        limbs.push(word ^ word >> 29);
    }
    limbs[0] |= 1;
    if let Some(top) = limbs.last_mut() {
        *top |= 1 << 63;
    }
    let modulus = Modulus::new(Natural::from_limbs(&limbs))?;
    let base = Integer::from(65_537u64);
    let start = Instant::now();
    let plain = modulus.repeated_square(&base, squarings, &options)?;
    let squaring = start.elapsed().as_secs_f64();
    let mut job = ProvedSquaring::new(&modulus, &base, squarings)?.with_memory(megabytes * 1_000_000);
    if let Some(path) = arguments.get(4) {
        job = job.with_checkpoint(path.as_ref(), Duration::from_secs(30))?;
    }
    let start = Instant::now();
    let (result, proof) = job.run(&options)?;
    let proved = start.elapsed().as_secs_f64();
    assert_eq!(result, plain);
    let start = Instant::now();
    const VERIFICATIONS: u32 = 100;
    for _ in 0..VERIFICATIONS {
        assert!(verify_squaring(&base, squarings, &modulus, &result, &proof, &options)?);
    }
    let verification = start.elapsed().as_secs_f64() / f64::from(VERIFICATIONS);
    println!("squaring {squaring:.2} s, with proof {proved:.2} s, ratio {:.3}", proved / squaring);
    println!("verification {:.3} ms", 1e3 * verification);
    Ok(())
}
