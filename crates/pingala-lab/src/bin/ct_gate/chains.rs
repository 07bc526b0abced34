//! Powers of secret bases by an addition chain: the exponent is public, and nothing but it decides what is done.

use crate::cases::{Random, number, report};
use crate::memcheck;
use pingala::algorithm::{AdditionChain, Chain};
use pingala::{Modulus, Natural, PlannedPower};

/// A chain of 13 steps for 846: doublings in a row and single ones, products with the base, with the element before, and with older ones.
const PAIRS: [(usize, usize); 13] =
    [(0, 0), (0, 1), (1, 2), (3, 3), (2, 4), (4, 5), (6, 6), (7, 7), (5, 8), (9, 9), (10, 10), (2, 11), (12, 12)];

/// An odd prime, an odd number of many words, an even number, a power of two, and a short one.
const MODULI: [&str; 5] = [
    "0xffffffff00000001000000000000000000000000ffffffffffffffffffffffff",
    "0x3ffffffffffffffff7ffffffffffffff800000000000000013ffffffffffffffff7ffffffffffffff80000000000000001",
    "0x7fffffffffffffffffffffffffffffff70000000000",
    "0x1000000000000000000000000000000000",
    "0x10001",
];

fn run_one(modulus: &str, random: &mut Random) -> Result<(), String> {
    let of = |error: pingala::Error| format!("error {}: {error}", error.code());
    let value: Natural = modulus.parse().map_err(|error| format!("the modulus: {error}"))?;
    let modulus = Modulus::new(value.clone()).map_err(of)?;
    let chain = Chain::from_pairs(PAIRS.to_vec()).map_err(of)?;
    let exponent = chain.target().clone();
    let power = PlannedPower::new(&modulus, &exponent, &AdditionChain::new(chain).into()).map_err(of)?;
    // Longer than the modulus: the base is reduced in constant time too.
    let mut base = random.bytes(8 * (value.limbs().len() + 1));
    let expected = modulus.pow(&number(&base), &exponent.magnitude().clone().into()).map_err(of)?;
    let mut result = vec![0xaa; 8 * value.limbs().len()];

    memcheck::make_secret(&mut base);
    let words: Vec<u64> =
        base.rchunks(8).map(|chunk| chunk.iter().fold(0, |word, &byte| word << 8 | u64::from(byte))).collect();
    memcheck::watched(&mut result, memcheck::is_secret, |out| {
        let mut limbs = vec![u64::MAX; value.limbs().len()];
        power.pow_sec_words(&words, &mut limbs)?;
        out.rchunks_mut(8).zip(&limbs).for_each(|(bytes, limb)| bytes.copy_from_slice(&limb.to_be_bytes()));
        Ok(())
    })?;
    if number(&result).magnitude() != &expected {
        return Err("the result differs from the public path".into());
    }
    Ok(())
}

/// Runs the cases, one line each; returns how many passed and failed.
pub fn run() -> (usize, usize) {
    let mut random = Random::new();
    let (mut passed, mut failed) = (0, 0);
    for modulus in MODULI {
        let name = format!("secret base by an addition chain modulo {modulus}");
        report(&name, run_one(modulus, &mut random), &mut passed, &mut failed);
    }
    (passed, failed)
}
