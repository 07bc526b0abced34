//! What all cases share: numbers, the comparison with the public path, and the verdicts; and the cases of one power.

use crate::memcheck;
use crate::shapes::{Shape, Value};
use pingala_core::{Error, Integer, Modulus, Natural, Options, SecretExponent};
use std::process::ExitCode;

/// The cases so far, and the source of their numbers.
pub struct Gate {
    random: Random,
    pub passed: usize,
    pub failed: usize,
}

impl Gate {
    pub fn new() -> Self {
        Self { random: Random(0x70696e67616c61), passed: 0, failed: 0 }
    }

    pub fn random(&mut self) -> &mut Random {
        &mut self.random
    }

    /// Runs a case, prints its outcome and counts it.
    pub fn case(&mut self, name: &str, run: impl FnOnce(&mut Random) -> Result<(), String>) {
        match run(&mut self.random) {
            Ok(()) => {
                self.passed += 1;
                println!("ok      {name}");
            }
            Err(reason) => {
                self.failed += 1;
                println!("FAILED  {name}: {reason}");
            }
        }
    }

    /// The last line, and the status.
    pub fn verdict(&self) -> ExitCode {
        println!("constant-time: {} passed, {} failed", self.passed, self.failed);
        if self.failed == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) }
    }
}

pub fn message(error: Error) -> String {
    format!("error {}: {error}", error.code())
}

/// The power by the public path.
pub fn expected(modulus: &Natural, base: &[u8], exponent: &[u8]) -> Result<Natural, String> {
    let modulus = Modulus::new(modulus.clone()).map_err(message)?;
    modulus.pow(&number(base), &number(exponent)).map_err(|error| format!("the public path, as oracle: {error}"))
}

/// Runs `work` on secrets under memcheck, and compares what it writes with `expected`; the modulus has `modulus_bits` bits.
pub fn compare<T>(
    expected: &Natural,
    modulus_bits: u64,
    depends: impl Fn(&[u8]) -> bool,
    work: impl FnOnce(&mut [u8]) -> Result<T, Error>,
) -> Result<(), String> {
    let mut result = vec![0xaau8; modulus_bits.div_ceil(8) as usize];
    memcheck::watched(&mut result, depends, work)?;
    let same = number(&result).magnitude() == expected;
    same.then_some(()).ok_or_else(|| "the result differs from the public path".into())
}

impl Shape {
    fn modulus(&self, random: &mut Random) -> Natural {
        let mut limbs = random.limbs(self.modulus_bits.div_ceil(64));
        for (i, limb) in limbs.iter_mut().enumerate() {
            for bit in 0..64 {
                let position = i * 64 + bit;
                if position < self.trailing_zeros || position >= self.modulus_bits {
                    *limb &= !(1 << bit);
                }
                if position == self.trailing_zeros || position == self.modulus_bits - 1 {
                    *limb |= 1 << bit;
                }
            }
        }
        Natural::from_limbs(&limbs)
    }

    fn exponent(&self, random: &mut Random) -> Vec<u8> {
        let length = self.exponent_bits.div_ceil(8);
        let mut bytes = match self.value {
            Value::Random => random.bytes(length),
            Value::Zero => vec![0; length],
            Value::Ones => vec![0xff; length],
        };
        if let (Some(top), surplus @ 1..) = (bytes.first_mut(), self.exponent_bits % 8) {
            *top &= (1 << surplus) - 1;
        }
        bytes
    }

    /// Runs the case with base and exponent secret; the error names what went wrong.
    fn run(&self, kernel: Option<&str>, random: &mut Random) -> Result<(), String> {
        let options = Options::default().with_kernel(kernel).with_plan(self.plan.as_deref());
        let value = self.modulus(random);
        let modulus = Modulus::new(value.clone()).map_err(message)?;
        let (mut base, mut exponent) = (random.bytes(self.base_bytes), self.exponent(random));
        let expected = expected(&value, &base, &exponent)?;

        memcheck::make_secret(&mut base);
        memcheck::make_secret(&mut exponent);
        if let (Some(top), surplus @ 1..) = (exponent.first_mut(), self.exponent_bits % 8) {
            // The declared width is public, so the bits above it are known zeros.
            memcheck::make_low_bits_secret(top, surplus as u32);
        }
        // Modulo 1 the result is 0 for everybody; with no base it is 0^e, which still depends on whether e = 0.
        let depends = |out: &[u8]| value.is_one() || memcheck::is_secret(out);
        compare(&expected, self.modulus_bits as u64, depends, |out| {
            let secret = SecretExponent::from_be_bytes(&exponent, self.exponent_bits as u64)?;
            modulus.pow_sec_bytes(&base, &secret, out, &options)
        })
    }
}

/// Big-endian bytes as a number; for public bytes only.
pub fn number(bytes: &[u8]) -> Integer {
    Natural::from_limbs(&words(bytes)).into()
}

/// Big-endian bytes as words, the lowest first; of secret ones too.
pub fn words(bytes: &[u8]) -> Vec<u64> {
    bytes.rchunks(8).map(|chunk| chunk.iter().fold(0, |word, &byte| word << 8 | u64::from(byte))).collect()
}

/// splitmix64: the same cases on every run.
pub struct Random(u64);

impl Random {
    fn limb(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn limbs(&mut self, count: usize) -> Vec<u64> {
        (0..count).map(|_| self.limb()).collect()
    }

    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.limb() as u8).collect()
    }
}

/// Runs the cases, one line each.
pub fn run(gate: &mut Gate, shapes: &[Shape], kernel: Option<&str>) {
    for shape in shapes {
        gate.case(&shape.name(), |random| shape.run(kernel, random));
    }
}
