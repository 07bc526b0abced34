//! The EVM's MODEXP: what EIP-2565 and EIP-7883 charge, and the cases in which a node works longest for its gas.

use crate::work::{Job, Shape, Stream, Work};
use pingala_core::Natural;

/// Lengths of the operands in bytes.
#[derive(Clone, Copy)]
struct Lengths {
    base: u64,
    exponent: u64,
    modulus: u64,
}

/// Squarings that are charged: the exponent's bits, of which those behind the first 32 bytes count `weight` a byte.
fn iterations(exponent_bytes: u64, head_bits: u64, weight: u64) -> u64 {
    (weight * exponent_bytes.saturating_sub(32) + head_bits.saturating_sub(1)).max(1)
}

/// Gas by EIP-2565 and by EIP-7883 for an exponent whose first 32 bytes have `head_bits` bits.
fn gas(lengths: Lengths, head_bits: u64) -> [u64; 2] {
    let longest = lengths.base.max(lengths.modulus);
    let square = longest.div_ceil(8).pow(2);
    let complexity = if longest > 32 { 2 * square } else { 16 };
    [
        (square * iterations(lengths.exponent, head_bits, 8) / 3).max(200),
        (complexity * iterations(lengths.exponent, head_bits, 16)).max(500),
    ]
}

/// Exponents by name, with their bytes: `None` for as many as the modulus has.
const EXPONENTS: [(&str, &[u8]); 2] = [("2", &[2]), ("65537", &[1, 0, 1])];

/// All cases, shortest moduli first: exponents 2, 65537, 32 bytes of ones, ones with the length of the modulus; odd moduli,
/// even ones, half zeros; and the unbalanced lengths that client benchmarks use.
pub fn works(quick: bool) -> Vec<Work> {
    let mut works = Vec::new();
    let sizes: &[u64] = if quick { &[32, 256] } else { &[32, 64, 128, 256, 384, 512, 1024] };
    for &bytes in sizes {
        let long: Vec<Vec<u8>> = [32, bytes].into_iter().map(|length| vec![0xff; length as usize]).collect();
        let mut exponents: Vec<(String, &[u8])> =
            EXPONENTS.iter().map(|&(name, bytes)| (name.to_string(), bytes)).collect();
        exponents.extend(long.iter().map(|ones| (format!("{} bytes of ones", ones.len()), ones.as_slice())));
        exponents.dedup();
        for (name, exponent) in exponents {
            for (kind, zeros) in [("odd", 0), ("even", 1), ("half zeros", bytes * 4)] {
                let label = format!("{bytes} bytes, {kind}; exponent {name}");
                works.push(work(label, bytes, exponent, bytes, zeros));
            }
        }
    }
    for (bytes, exponent_bytes) in [(8, 648), (8, 896), (32, 40), (32, 128), (24, 168)] {
        let label = format!("{bytes} bytes, odd; exponent {exponent_bytes} bytes of ones");
        works.push(work(label, bytes, &vec![0xff; exponent_bytes], bytes, 0));
    }
    works
}

fn work(label: String, base: u64, exponent: &[u8], modulus: u64, zeros: u64) -> Work {
    let mut stream = Stream::new(modulus);
    let lengths = Lengths { base, exponent: exponent.len() as u64, modulus };
    let head_bits = Natural::from_be_bytes(&exponent[..exponent.len().min(32)]).bits();
    let job = Job {
        base: stream.natural(8 * base),
        exponent: Natural::from_be_bytes(exponent),
        modulus: stream.modulus(8 * modulus, zeros),
    };
    let mut work = Work::new(Shape::Evm, label, vec![job]);
    work.gas = Some(gas(lengths, head_bits));
    work
}

#[cfg(test)]
#[path = "../../../tests/inside/evm.rs"]
mod tests;
