//! Secret primes: the test of secret numbers, each bit secret; and the drawing of pairs from a generator whose bytes are secret.

use crate::cases::{Gate, Random, message};
use crate::memcheck;
use num_bigint::{BigInt, BigUint};
use pingala_core::{Error, Natural, Options, is_prime_secret};
use pingala_primes::{PairKind, PrimeOptions, prime_pair};
use std::num::NonZeroUsize;
use std::sync::Mutex;

/// A sum of powers of two, each with its factor and exponent, and whether it is prime.
struct Number(&'static [(i64, u32)], bool);

/// Primes with few and with many trailing zeros of p - 1, and composites; at the ends of limbs.
const NUMBERS: &[Number] = &[
    Number(&[(1, 64), (-59, 0)], true),
    Number(&[(1, 127), (-1, 0)], true),
    Number(&[(1, 192), (-237, 0)], true),
    Number(&[(1, 256), (-189, 0)], true),
    Number(&[(1, 256), (-1, 224), (1, 192), (1, 96), (-1, 0)], true),
    Number(&[(3, 189), (1, 0)], true),
    Number(&[(1, 67), (-1, 0)], false),
    Number(&[(1, 128), (1, 0)], false),
    Number(&[(1, 300), (-2, 0)], false),
];

fn tested(Number(terms, is_prime): &Number, kernel: Option<&str>) -> Result<(), String> {
    let sum = terms.iter().map(|&(factor, exponent)| BigInt::from(factor) << exponent).sum::<BigInt>();
    let number = sum.to_biguint().ok_or("it is positive")?;
    let (mut bytes, bits) = (number.to_bytes_be(), number.bits());
    memcheck::make_secret(&mut bytes);
    let mut copy = vec![0; bytes.len()];
    let options = Options::default().with_kernel(kernel);
    let answer = memcheck::watched(&mut copy, memcheck::is_secret, |copy| {
        copy.copy_from_slice(&bytes);
        is_prime_secret(&bytes, bits, 20, &options)
    })?;
    (answer == *is_prime).then_some(()).ok_or_else(|| "the answer is wrong".into())
}

/// The pairs that are drawn: for what, the bits of their product, and whether with a residue.
const PAIRS: &[(&str, u64, bool)] = &[("Paillier", 256, false), ("safe primes", 140, false), ("RSA", 256, true)];

fn drawn(index: usize, kernel: Option<&str>, random: &mut Random) -> Result<(), String> {
    let (name, bits, has_residue) = &PAIRS[index];
    let kind = match *name {
        "RSA" => PairKind::Rsa(65_537u64.into()),
        "Paillier" => PairKind::Paillier,
        _ => PairKind::Safe,
    };
    let random = Mutex::new(random);
    let source = |bytes: &mut [u8]| {
        let drawn = random.lock().map_err(|_| Error::Fault("a poisoned lock"))?.bytes(bytes.len());
        bytes.copy_from_slice(&drawn);
        memcheck::make_secret(bytes);
        Ok(())
    };
    let residue = (Natural::from(5u64), Natural::from(1_001u64));
    let residue = has_residue.then_some((&residue.0, &residue.1));
    let prime = PrimeOptions::default().with_source(Some(&source)).with_residue(residue).with_rounds(Some(8));
    let options = Options::default().with_kernel(kernel).with_threads(NonZeroUsize::new(1));
    let length = (bits / 2).div_ceil(8) as usize;
    let mut both = vec![0; 2 * length];
    memcheck::watched(&mut both, memcheck::is_secret, |both| {
        let pair = prime_pair(*bits, &kind, &prime, &options)?;
        both[..length].copy_from_slice(pair.p.as_be_bytes());
        both[length..].copy_from_slice(pair.q.as_be_bytes());
        Ok(())
    })?;
    for prime in both.chunks(length) {
        if BigUint::from_bytes_be(prime).bits() != bits / 2 {
            return Err("a prime has another length".into());
        }
        if !is_prime_secret(prime, bits / 2, 20, &Options::default()).map_err(message)? {
            return Err("a number that was drawn is composite".into());
        }
    }
    Ok(())
}

/// Runs the cases on each of `kernels` (`None`: as planned).
pub fn run(gate: &mut Gate, kernels: &[Option<&str>]) {
    for &kernel in kernels {
        let on = kernel.unwrap_or("as planned");
        for (index, number) in NUMBERS.iter().enumerate() {
            gate.case(&format!("secret numbers, {index}; {on}"), |_| tested(number, kernel));
        }
        for (index, (name, ..)) in PAIRS.iter().enumerate() {
            gate.case(&format!("secret primes: {name}; {on}"), |random| drawn(index, kernel, random));
        }
    }
}
