//! Powers of secret bases by an addition chain: the exponent is public, and nothing but it decides what is done.

use crate::cases::{Gate, Random, compare, expected, message, words};
use crate::memcheck;
use pingala_core::algorithm::{AdditionChain, Chain};
use pingala_core::{Modulus, Natural, PlannedPower};

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
    let value: Natural = modulus.parse().map_err(message)?;
    let modulus = Modulus::new(value.clone()).map_err(message)?;
    let chain = Chain::from_pairs(PAIRS.to_vec()).map_err(message)?;
    let exponent = chain.target().clone();
    let power = PlannedPower::new(&modulus, &exponent, &AdditionChain::new(chain).into()).map_err(message)?;
    let limbs = value.limbs().len();
    // Longer than the modulus: the base is reduced in constant time too.
    let mut base = random.bytes(8 * (limbs + 1));
    let expected = expected(&value, &base, &exponent.magnitude().to_be_bytes())?;

    memcheck::make_secret(&mut base);
    compare(&expected, 64 * limbs as u64, memcheck::is_secret, |out| {
        let mut result = vec![u64::MAX; limbs];
        power.pow_sec_words(&words(&base), &mut result)?;
        out.rchunks_mut(8).zip(&result).for_each(|(bytes, limb)| bytes.copy_from_slice(&limb.to_be_bytes()));
        Ok(())
    })
}

/// Runs the cases, one line each.
pub fn run(gate: &mut Gate) {
    for modulus in MODULI {
        gate.case(&format!("secret base by an addition chain modulo {modulus}"), |random| run_one(modulus, random));
    }
}
