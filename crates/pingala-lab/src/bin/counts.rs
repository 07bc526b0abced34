//! What every product and every exponentiation executes, as JSON on standard output: `papers/energy.py` prices it.
//!
//! The products are the texts that ship, over a counting word of 32 bits ([`pingala_lab::counting`]).

use pingala_core::algorithm::{Algorithm, ExponentShape, Program, SlidingWindow};
use pingala_core::exponent::Exponent;
use pingala_lab::counting::count;
use pingala_study::texts::{Operation, Text};
use serde_json::{Value, json};

const WORD_BITS: usize = 32;

/// Every text at one length.
fn products(bits: usize) -> Vec<Value> {
    let words = bits / WORD_BITS;
    let of = |text: Text, operation: Operation| {
        let tally = count(text, operation, words).expect("it takes the length");
        json!({
            "text": text.to_string(),
            "name": text.name(),
            "operation": operation.name(),
            "bits": bits,
            "words": words,
            "risc": tally.risc(),
            "arm": tally.arm(),
        })
    };
    Text::all(words).into_iter().flat_map(|text| Operation::ALL.map(|operation| of(text, operation))).collect()
}

/// An exponent of exactly `bits` bits, always the same, about half of its bits set.
fn exponent(bits: usize) -> Exponent {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut limbs: Vec<u64> = Vec::new();
    for _ in 0..bits.div_ceil(64) {
        // xorshift*
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        limbs.push(state.wrapping_mul(0x2545_f491_4f6c_dd1d));
    }
    let top = (bits - 1) % 64;
    let last = limbs.last_mut().expect("at least one bit");
    *last = *last >> (63 - top) | 1 << top;
    Exponent::from_limbs(&limbs).expect("not 0")
}

/// The sliding window with the fewest expected products, and what it executes. Bringing the base into Montgomery form and
/// the result out of it is not counted: two or three products of hundreds or thousands.
fn power(bits: usize) -> Value {
    let shape = ExponentShape::of_bits(bits);
    let expected = |program: &SlidingWindow| program.expected(&shape).products();
    let best = SlidingWindow::candidates(&shape).into_iter().min_by(|a, b| expected(a).total_cmp(&expected(b)));
    let algorithm = Algorithm::from(best.expect("there are windows"));
    let counts = algorithm.exact(&exponent(bits));
    json!({
        "bits": bits,
        "algorithm": algorithm.to_string(),
        "squarings": counts.squarings,
        "products": counts.products() - counts.squarings,
    })
}

fn main() {
    let products: Vec<Value> = (256..=4096).step_by(64).flat_map(products).collect();
    let powers = [512, 1024, 2048, 3072, 4096].map(power);
    println!("{}", json!({ "word_bits": WORD_BITS, "products": products, "powers": powers }));
}
