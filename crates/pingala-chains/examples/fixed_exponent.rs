//! What the chains of the table save in time: each next to `Modulus::pow`, in turn, answers compared, medians of the ratios.
//!
//! ```text
//! cargo run --release -p pingala-chains --example fixed_exponent
//! ```

use pingala::{Error, Integer, Modulus, Natural};
use pingala_chains::{FixedExponent, TABLE};
use std::time::Instant;

/// Name of the exponent, the modulus to run it by.
const RUNS: [(&str, Modulo); 7] = [
    ("25519_inverse", Modulo::Above(2)),
    ("p256_order_inverse", Modulo::Above(2)),
    ("secp256k1_order_inverse", Modulo::Above(2)),
    ("bls12_381_inverse", Modulo::Above(2)),
    ("random512", Modulo::Bits(512)),
    ("random1024", Modulo::Bits(1024)),
    ("random2048", Modulo::Bits(2048)),
];
const ROUNDS: usize = 41;

enum Modulo {
    /// The exponent and so much.
    Above(u64),
    /// A number without structure, of this length in bits.
    Bits(u64),
}

fn main() -> Result<(), Error> {
    println!("exponent                 steps  window  products  time: median and quartiles of ours / pow");
    for (name, modulo) in RUNS {
        let entry = TABLE.iter().find(|entry| entry.name == name).expect("a name of the table");
        let fixed = FixedExponent::new(entry.kept()?.chain);
        let exponent = fixed.exponent().magnitude().clone();
        let modulus = match modulo {
            Modulo::Above(more) => plus(&exponent, more),
            Modulo::Bits(bits) => pattern(bits),
        };
        let modulus = Modulus::new(modulus)?;
        let exponent = Integer::from(exponent);
        let power = fixed.modulo(&modulus)?;
        let saving = fixed.explain(&modulus)?;
        let mut base = Integer::from(pattern(modulus.value().bits() - 3));
        // So many powers a sample that a sample takes about a millisecond.
        let started = Instant::now();
        let mut result = modulus.pow(&base, &exponent)?;
        let count = (1e-3 / started.elapsed().as_secs_f64()).ceil().clamp(1.0, 1000.0) as usize;
        let mut ratios = Vec::new();
        for _ in 0..ROUNDS {
            base = Integer::from(result);
            let (started, mut usual) = (Instant::now(), Natural::default());
            for _ in 0..count {
                usual = modulus.pow(&base, &exponent)?;
            }
            let pow = started.elapsed();
            let (started, mut ours) = (Instant::now(), Natural::default());
            for _ in 0..count {
                ours = power.pow(&base)?;
            }
            ratios.push(started.elapsed().as_secs_f64() / pow.as_secs_f64());
            assert!(ours == usual, "{name}: the answers differ");
            result = ours;
        }
        ratios.sort_by(f64::total_cmp);
        let [low, median, high] = [1, 2, 3].map(|quarter| ratios[ROUNDS * quarter / 4]);
        let (steps, window) = (saving.products, saving.usual_products);
        let share = steps as f64 / window as f64;
        println!("{name:24} {steps:5}  {window:6}  {share:.3}     {median:.3} ({low:.3} to {high:.3})");
    }
    Ok(())
}

fn plus(number: &Natural, more: u64) -> Natural {
    let mut limbs = number.limbs().to_vec();
    let mut carry = more;
    for limb in &mut limbs {
        let (sum, over) = limb.overflowing_add(carry);
        *limb = sum;
        carry = u64::from(over);
    }
    Natural::from_limbs(&limbs)
}

/// An odd number of `bits` bits, by a linear congruential generator.
fn pattern(bits: u64) -> Natural {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut limbs: Vec<u64> = (0..bits.div_ceil(64))
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state ^ state >> 29
        })
        .collect();
    let top = limbs.last_mut().expect("at least one limb");
    *top = (*top | 1 << 63) >> ((64 - bits % 64) % 64);
    limbs[0] |= 1;
    Natural::from_limbs(&limbs)
}
