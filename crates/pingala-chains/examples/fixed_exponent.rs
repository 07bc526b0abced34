//! What the chains of the table save in time: each next to `Modulus::pow`, in turn, answers compared, medians of the ratios.
//!
//! ```text
//! cargo run --release -p pingala-chains --example fixed_exponent
//! ```

use pingala_chains::{FixedExponent, TABLE, evaluate};
use pingala_core::{Error, Integer, Modulus};
use std::time::Instant;

/// Names of exponents. The modulus is 2 above: the prime or the order for inverses, a number without structure for random exponents.
const RUNS: [&str; 7] = [
    "25519_inverse",
    "p256_order_inverse",
    "secp256k1_order_inverse",
    "bls12_381_inverse",
    "random512",
    "random1024",
    "random2048",
];
const ROUNDS: usize = 41;

fn main() -> Result<(), Error> {
    println!("exponent                 steps  window  products  time: median and quartiles of ours / pow");
    for name in RUNS {
        let entry = TABLE.iter().find(|entry| entry.name == name).expect("a name of the table");
        let fixed = FixedExponent::new(entry.kept()?.chain);
        let modulus = Modulus::new(evaluate(&format!("{}+2", entry.expression))?.magnitude().clone())?;
        let exponent = Integer::from(fixed.exponent().magnitude().clone());
        let power = fixed.modulo(&modulus)?;
        let saving = fixed.explain(&modulus)?;
        // So many powers a sample that a sample takes about a millisecond.
        let started = Instant::now();
        let mut result = modulus.pow(&Integer::from(3u64), &exponent)?;
        let count = (1e-3 / started.elapsed().as_secs_f64()).ceil().clamp(1.0, 1000.0) as usize;
        let mut ratios = Vec::new();
        for _ in 0..ROUNDS {
            let base = Integer::from(result.clone());
            let started = Instant::now();
            let usual = (0..count).try_fold(result, |_, _| modulus.pow(&base, &exponent))?;
            let pow = started.elapsed();
            let started = Instant::now();
            result = (0..count).try_fold(usual.clone(), |_, _| power.pow(&base))?;
            ratios.push(started.elapsed().as_secs_f64() / pow.as_secs_f64());
            assert!(result == usual, "{name}: the answers differ");
        }
        ratios.sort_by(f64::total_cmp);
        let [low, median, high] = [1, 2, 3].map(|quarter| ratios[ROUNDS * quarter / 4]);
        let (steps, window) = (saving.products, saving.usual_products);
        let share = steps as f64 / window as f64;
        println!("{name:24} {steps:5}  {window:6}  {share:.3}     {median:.3} ({low:.3} to {high:.3})");
    }
    Ok(())
}
