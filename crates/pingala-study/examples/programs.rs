//! The instructions that the catalogue's programs issue for all exponents of up to some bits, a run a line: the proofs compare
//! them with their model (proofs/README.md).
//!
//! ```text
//! cargo run --release -p pingala-study --example programs -- 10 4
//! ```
//!
//! A line is the algorithm, the declared bits, the exponent, the register of the result, and the instructions: `O out` for 1, `C out from`, `M out a b`, `S
//! out a count` for `count` squarings, `T out first length digit` for a selection. A product by the base is one by register 0.
//!
//! Lines of products of powers have the word `product` and the exponents with commas in the place of the declared bits and the exponent; base i is
//! register i. Their exponents have at most [`PAIR_BITS`] bits if they are two, [`MORE_BITS`] if they are three or four.

use pingala_core::algorithm::{Algorithm, BASE, Monoid, PowerProduct, Register, Schedule};
use pingala_core::exponent::{Digits, Exponent};
use std::fmt::Write as _;
use std::io::{self, BufWriter, Write as _};

/// Writes every instruction down and computes nothing.
#[derive(Default)]
struct Recorder(String);

impl Recorder {
    fn write<const N: usize>(&mut self, letter: char, numbers: [usize; N]) {
        self.0.push(' ');
        self.0.push(letter);
        for (index, number) in numbers.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            write!(self.0, "{comma}{number}").expect("a string takes all text");
        }
    }
}

impl Monoid for Recorder {
    type Digit = usize;

    fn one(&mut self, out: Register) {
        self.write('O', [out.0]);
    }

    fn copy(&mut self, out: Register, from: Register) {
        self.write('C', [out.0, from.0]);
    }

    fn mul(&mut self, out: Register, a: Register, b: Register) {
        self.write('M', [out.0, a.0, b.0]);
    }

    fn sqr_n(&mut self, out: Register, a: Register, count: usize) {
        self.write('S', [out.0, a.0, count]);
    }

    fn mul_base(&mut self, out: Register, a: Register) {
        self.mul(out, a, BASE);
    }

    fn select(&mut self, out: Register, first: Register, length: usize, digit: usize) {
        self.write('T', [out.0, first.0, length, digit]);
    }
}

/// The digits of a number that is declared to have some bits.
struct Declared {
    value: usize,
    bits: usize,
}

impl Digits<usize> for Declared {
    fn bits(&self) -> usize {
        self.bits
    }

    fn digit(&self, position: usize, width: u32) -> usize {
        self.value.checked_shr(position as u32).unwrap_or(0) & ((1 << width) - 1)
    }
}

/// Bits of the exponents of products of two powers, and of more.
const PAIR_BITS: u32 = 4;
const MORE_BITS: u32 = 2;
/// The widest windows of products, and registers that an instruction can name.
const PRODUCT_WINDOWS: u32 = 2;
const MOST_REGISTERS: usize = 256;

/// All lists of `count` exponents of at most `bits` bits.
fn lists(count: usize, bits: u32) -> impl Iterator<Item = Vec<u64>> {
    let most = (1 << bits) - 1;
    (0..u64::pow(most, count as u32))
        .map(move |number| (0..count as u32).map(|at| number / most.pow(at) % most + 1).collect())
}

/// Writes the programs of products of powers.
fn products(out: &mut impl io::Write) -> io::Result<()> {
    for product in PowerProduct::all(PRODUCT_WINDOWS) {
        for values in lists(2, PAIR_BITS).chain(lists(3, MORE_BITS)).chain(lists(4, MORE_BITS)) {
            let exponents: Vec<Exponent> =
                values.iter().map(|&value| Exponent::from_limbs(&[value]).expect("above 0")).collect();
            if product.registers(&exponents) > MOST_REGISTERS {
                continue;
            }
            let mut recorder = Recorder::default();
            let results = product.run(&exponents, &mut recorder);
            let [result] = results[..] else { unreachable!("one product") };
            let listed: Vec<String> = values.iter().map(u64::to_string).collect();
            writeln!(out, "{product} product {} {}{}", listed.join(","), result.0, recorder.0)?;
        }
    }
    Ok(())
}

fn main() -> io::Result<()> {
    let numbers: Option<Vec<u32>> = std::env::args().skip(1).map(|text| text.parse().ok()).collect();
    let Some(&[bits @ 1..=20, windows @ 1..=16]) = numbers.as_deref() else {
        eprintln!("usage: programs BITS MAX_WINDOW_BITS");
        std::process::exit(2);
    };
    let mut out = BufWriter::new(io::stdout().lock());
    for algorithm in Algorithm::all(windows) {
        let mut line = |declared: usize, value: usize, recorder: Recorder, result: Register| {
            writeln!(out, "{algorithm} {declared} {value} {}{}", result.0, recorder.0)
        };
        for value in 1..1usize << bits {
            let exponent = Exponent::from_limbs(&[value as u64]).expect("above 0");
            let mut recorder = Recorder::default();
            let result = algorithm.run(&exponent, &mut recorder);
            line(exponent.bits(), value, recorder, result)?;
        }
        if algorithm.schedule() == Schedule::Uniform {
            for value in 0..1usize << bits {
                let mut recorder = Recorder::default();
                let declared = Declared { value, bits: bits as usize };
                let result = algorithm.run_uniform(&declared, &mut recorder).expect("a uniform program");
                line(declared.bits, value, recorder, result)?;
            }
        }
    }
    products(&mut out)
}
