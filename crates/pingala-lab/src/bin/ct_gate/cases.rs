//! What the engine is asked under memcheck: moduli of every kind and length, at the edges of the secret.

use crate::memcheck;
use pingala::{Integer, Modulus, Natural, Options, SecretExponent};

/// The shape of one case; only lengths, all of them public.
struct Shape {
    modulus_bits: usize,
    trailing_zeros: usize,
    base_bytes: usize,
    exponent_bits: usize,
    value: Value,
}

/// What the secret exponent is. memcheck must not be able to tell these apart.
#[derive(Clone, Copy, Debug)]
enum Value {
    Random,
    Zero,
    Ones,
}

/// Odd, even and power-of-two moduli from one limb to sixteen; exponents of widths around limb edges, of value 0 and all
/// ones; bases shorter than, as long as, and twice as long as the modulus.
fn shapes() -> Vec<Shape> {
    let mut shapes = Vec::new();
    let mut add = |modulus_bits: usize, trailing_zeros, base_bytes, exponent_bits, value| {
        shapes.push(Shape { modulus_bits, trailing_zeros, base_bytes, exponent_bits, value });
    };
    for modulus_bits in [2, 63, 64, 65, 127, 128, 192, 193, 256, 320, 512, 521, 1024] {
        add(modulus_bits, 0, modulus_bits.div_ceil(8), modulus_bits, Value::Random);
    }
    for value in [Value::Zero, Value::Ones] {
        for (modulus_bits, trailing_zeros) in [(64, 0), (256, 0), (256, 7), (256, 255), (1024, 0)] {
            add(modulus_bits, trailing_zeros, modulus_bits / 8, 256, value);
        }
    }
    for exponent_bits in [1, 7, 8, 63, 64, 65, 129] {
        add(192, 0, 24, exponent_bits, Value::Random);
        add(192, 5, 24, exponent_bits, Value::Random);
    }
    for (modulus_bits, trailing_zeros) in
        [(64, 1), (64, 63), (65, 64), (128, 1), (128, 64), (256, 65), (256, 128), (512, 1), (1024, 512), (1024, 1022)]
    {
        add(modulus_bits, trailing_zeros, modulus_bits.div_ceil(8), modulus_bits, Value::Random);
    }
    // Powers of two: one bit more than trailing zeros.
    for zeros in [0, 1, 2, 3, 63, 64, 65, 128, 1000] {
        add(zeros + 1, zeros, zeros / 8 + 1, 100, Value::Random);
    }
    for base_bytes in [0, 1, 64, 65] {
        add(256, 0, base_bytes, 64, Value::Random);
        add(256, 9, base_bytes, 64, Value::Random);
    }
    shapes
}

impl Shape {
    fn name(&self) -> String {
        let kind = match self.trailing_zeros {
            zeros if zeros + 1 == self.modulus_bits => format!("2^{zeros}"),
            0 => format!("odd {} bits", self.modulus_bits),
            zeros => format!("even {} bits, {zeros} zeros", self.modulus_bits),
        };
        let value = format!("{:?}", self.value).to_lowercase();
        format!("modulus {kind}; base {} bytes; exponent {} bits, {value}", self.base_bytes, self.exponent_bits)
    }

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
    fn run(&self, options: &Options<'_>, random: &mut Random) -> Result<(), String> {
        let value = self.modulus(random);
        let modulus = Modulus::new(value.clone()).map_err(|error| format!("Modulus::new: {error}"))?;
        let (mut base, mut exponent) = (random.bytes(self.base_bytes), self.exponent(random));
        let expected = modulus
            .pow(&number(&base), &number(&exponent))
            .map_err(|error| format!("the public path, as oracle: {error}"))?;
        let mut result = vec![0xaau8; self.modulus_bits.div_ceil(8)];

        let errors_before = memcheck::errors();
        memcheck::make_secret(&mut base);
        memcheck::make_secret(&mut exponent);
        if let (Some(top), surplus @ 1..) = (exponent.first_mut(), self.exponent_bits % 8) {
            // The declared width is public, so the bits above it are known zeros.
            memcheck::make_low_bits_secret(top, surplus as u32);
        }
        let outcome = SecretExponent::from_be_bytes(&exponent, self.exponent_bits as u64)
            .and_then(|secret| modulus.pow_sec_bytes(&base, &secret, &mut result, options));
        let errors = memcheck::errors() - errors_before;
        // Modulo 1 the result is 0 for everybody; with no base it is 0^e, which still depends on whether e = 0.
        let tainted = value.is_one() || memcheck::is_secret(&result);
        memcheck::make_public(&mut result);
        memcheck::make_public(&mut base);
        memcheck::make_public(&mut exponent);

        outcome.map_err(|error| format!("error {}: {error}", error.code()))?;
        if errors > 0 {
            return Err(format!("memcheck reports {errors} uses of the secret in a branch or an address"));
        }
        if !tainted {
            return Err("the result does not depend on the secret: the gate checked nothing".into());
        }
        if number(&result).magnitude() != &expected {
            return Err("the result differs from the public path".into());
        }
        Ok(())
    }
}

/// Big-endian bytes as a number; for public bytes only.
fn number(bytes: &[u8]) -> Integer {
    let limbs: Vec<u64> =
        bytes.rchunks(8).map(|chunk| chunk.iter().fold(0, |limb, &byte| limb << 8 | u64::from(byte))).collect();
    Natural::from_limbs(&limbs).into()
}

/// splitmix64: the same cases on every run.
struct Random(u64);

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

    fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.limb() as u8).collect()
    }
}

/// Runs every case, one line each; returns how many passed and failed.
pub fn run(kernel: Option<&str>) -> (usize, usize) {
    let options = Options { kernel, ..Options::default() };
    let mut random = Random(0x70696e67616c61);
    let (mut passed, mut failed) = (0, 0);
    for shape in shapes() {
        match shape.run(&options, &mut random) {
            Ok(()) => {
                passed += 1;
                println!("ok      {}", shape.name());
            }
            Err(reason) => {
                failed += 1;
                println!("FAILED  {}: {reason}", shape.name());
            }
        }
    }
    (passed, failed)
}
