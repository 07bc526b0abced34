//! One case under memcheck: base and exponent marked as secrets, the engine called, the result compared.

use crate::memcheck;
use crate::shapes::{Shape, Value};
use pingala::{Integer, Modulus, Natural, Options, SecretExponent};

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
        let mut bytes = match self.value {
            Value::Random => random.bytes(self.exponent_bits.div_ceil(8)),
            Value::Zero => vec![0; self.exponent_bits.div_ceil(8)],
            Value::Ones => vec![0xff; self.exponent_bits.div_ceil(8)],
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
        let modulus = Modulus::new(value.clone()).map_err(|error| format!("Modulus::new: {error}"))?;
        let (mut base, mut exponent) = (random.bytes(self.base_bytes), self.exponent(random));
        let expected = modulus
            .pow(&number(&base), &number(&exponent))
            .map_err(|error| format!("the public path, as oracle: {error}"))?;
        let mut result = vec![0xaau8; self.modulus_bits.div_ceil(8)];

        memcheck::make_secret(&mut base);
        memcheck::make_secret(&mut exponent);
        if let (Some(top), surplus @ 1..) = (exponent.first_mut(), self.exponent_bits % 8) {
            // The declared width is public, so the bits above it are known zeros.
            memcheck::make_low_bits_secret(top, surplus as u32);
        }
        // Modulo 1 the result is 0 for everybody; with no base it is 0^e, which still depends on whether e = 0.
        let depends = |out: &[u8]| value.is_one() || memcheck::is_secret(out);
        let watched = memcheck::watched(&mut result, depends, |out| {
            let secret = SecretExponent::from_be_bytes(&exponent, self.exponent_bits as u64)?;
            modulus.pow_sec_bytes(&base, &secret, out, &options)
        });
        memcheck::make_public(&mut base);
        memcheck::make_public(&mut exponent);
        watched?;
        if number(&result).magnitude() != &expected {
            return Err("the result differs from the public path".into());
        }
        Ok(())
    }
}

/// Prints and counts the outcome of a case.
pub fn report(name: &str, outcome: Result<(), String>, passed: &mut usize, failed: &mut usize) {
    match outcome {
        Ok(()) => {
            *passed += 1;
            println!("ok      {name}");
        }
        Err(reason) => {
            *failed += 1;
            println!("FAILED  {name}: {reason}");
        }
    }
}

/// Big-endian bytes as a number; for public bytes only.
pub fn number(bytes: &[u8]) -> Integer {
    let limbs: Vec<u64> =
        bytes.rchunks(8).map(|chunk| chunk.iter().fold(0, |limb, &byte| limb << 8 | u64::from(byte))).collect();
    Natural::from_limbs(&limbs).into()
}

/// splitmix64: the same cases on every run.
pub struct Random(u64);

impl Random {
    pub fn new() -> Self {
        Self(0x70696e67616c61)
    }

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

/// Runs the cases, one line each; returns how many passed and failed.
pub fn run(shapes: &[Shape], kernel: Option<&str>) -> (usize, usize) {
    let mut random = Random::new();
    let (mut passed, mut failed) = (0, 0);
    for shape in shapes {
        report(&shape.name(), shape.run(kernel, &mut random), &mut passed, &mut failed);
    }
    (passed, failed)
}
