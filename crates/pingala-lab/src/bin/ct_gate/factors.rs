//! Secret factors under memcheck: set-up and a power by them, with base, exponent and every bit of the factors secret but the
//! lowest and the highest, which every odd number of that length has.

use crate::cases::{Random, number, report};
use crate::memcheck;
use pingala::kernels::KERNELS;
use pingala::{Modulus, Natural, Options, SecretExponent, SecretFactor};

pub struct Case {
    pub name: &'static str,
    /// In hexadecimal, with their multiplicities.
    pub factors: &'static [(&'static str, u32)],
    modulus: &'static str,
    /// The inverse of [`PUBLIC_EXPONENT`] modulo the order of the group, if the factors are prime: the halves are then checked by it, and the
    /// base is blinded.
    pub inverse: Option<&'static str>,
    /// Only as planned: the prime test takes seconds under memcheck.
    pub is_long: bool,
}

pub const CASES: &[Case] = &[
    Case {
        name: "primes of 256 bits",
        factors: &[
            ("ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff43", 1),
            ("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff", 1),
        ],
        modulus: "0xffffffff00000001000000000000000000000000ffffffffffffffffffffff42000000bcffffff42ffffffffffffffffffffff430000000000000000000000bd",
        inverse: Some(
            "0x92492491b6db6db76db6db6db6db6db6db6db6dbffffffffffffffffffffff92492492b5b6db6d4a492492492492492492492425b6db6db6db6db6db6db6dc47",
        ),
        is_long: false,
    },
    Case {
        name: "a prime squared, and a prime",
        factors: &[("7fffffffffffffffffffffffffffffff", 2), ("ffffffffffffffffffffffffffffffffffffffffffffff13", 1)],
        modulus: "0x3ffffffffffffffffffffffffffffffeffffffffffffffc4c00000000000000100000000000000ecffffffffffffffffffffffffffffff13",
        inverse: None,
        is_long: false,
    },
    Case {
        name: "a composite of 67 bits, and a prime",
        factors: &[("7ffffffffffffffff", 1), ("7fffffffffffffffffffffffffffffff", 1)],
        modulus: "0x3ffffffffffffffff7ffffffffffffff80000000000000001",
        inverse: None,
        is_long: false,
    },
    Case {
        name: "primes of 1024 bits",
        factors: &[
            (
                "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff\
                ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff\
                ffffffffffffffffffffffffffffffffffffffffffffffffffffff97",
                1,
            ),
            (
                "8000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000\
                0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000\
                000000000000000000000000000000000000000000000000000005d5",
                1,
            ),
        ],
        modulus: "0x80000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000\
                0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000\
                00000000000000000000000000000000000000000000000000000005a07fffffffffffffffffffffffffffffffffffffffff\
                ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff\
                ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff\
                fffffffffd9ba3",
        inverse: Some(
            "0x36db6db6db6db6db6db6db6db6db6db6db6db6db6db6db6db6db6db6db6db6db6db6db6db6db6db6db6db6db6db6db6db6\
            db6db6db6db6db6db6db6db6db6db6db6db6db6db6db6db6db6db6db6db6db6db6db6db6db6db6db6db6db6db6db6db6db6d\
            b6db6db6db6db6db6db6db6db6db6db6db6db6db6db6db6db6db6db944249249249249249249249249249249249249249249\
            2492492492492492492492492492492492492492492492492492492492492492492492492492492492492492492492492492\
            4924924924924924924924924924924924924924924924924924924924924924924924924924924924924924924924924924\
            92492492481bcf",
        ),
        is_long: true,
    },
];

/// Bits of the exponents, if an inverse needs no more: longer than every factor but the long ones, so that they are reduced if it is
/// prime.
pub const EXPONENT_BITS: usize = 600;

/// The public exponent of each case that has an inverse.
pub const PUBLIC_EXPONENT: u64 = 7;

/// A factor as bytes, with its length in bits.
fn bytes(hexadecimal: &str) -> (Vec<u8>, u64) {
    let number: Natural = format!("0x{hexadecimal}").parse().expect("hexadecimal");
    (number.to_be_bytes(), number.bits())
}

impl Case {
    pub fn value(&self) -> Result<Natural, String> {
        self.modulus.parse().map_err(|error| format!("the modulus: {error}"))
    }

    /// The inverse of the public exponent as a secret exponent's bytes.
    pub fn inverse(&self) -> Result<Option<Vec<u8>>, String> {
        let Some(inverse) = self.inverse else { return Ok(None) };
        let inverse: Natural = inverse.parse().map_err(|error| format!("the inverse: {error}"))?;
        let bytes = EXPONENT_BITS.max(self.value()?.bits() as usize).div_ceil(8);
        Ok(Some(inverse.to_be_bytes_padded(bytes).ok_or("the inverse is too long")?))
    }

    /// Runs the case; the error names what went wrong.
    fn run(&self, kernel: Option<&str>, is_public: bool, random: &mut Random) -> Result<(), String> {
        let value = self.value()?;
        let (mut base, mut exponent) = (random.bytes(80), random.bytes(EXPONENT_BITS / 8));
        let inverse = self.inverse()?.filter(|_| is_public);
        let public_exponent = inverse.as_ref().map(|_| Natural::from(PUBLIC_EXPONENT));
        exponent = inverse.unwrap_or(exponent);
        let plain = Modulus::new(value.clone()).map_err(|error| format!("Modulus::new: {error}"))?;
        let expected = plain.pow(&number(&base), &number(&exponent)).map_err(|error| format!("the oracle: {error}"))?;
        let mut result = vec![0xaau8; value.bits().div_ceil(8) as usize];
        let mut factors: Vec<_> = self.factors.iter().map(|&(p, k)| (bytes(p), k)).collect();

        memcheck::make_secret(&mut base);
        memcheck::make_secret(&mut exponent);
        for ((bytes, bits), _) in &mut factors {
            memcheck::make_secret(bytes);
            let last = bytes.len() - 1;
            memcheck::make_bits_secret(&mut bytes[0], (1u8 << ((*bits - 1) % 8)) - 1);
            memcheck::make_bits_secret(&mut bytes[last], 0xfe);
        }
        let secret = factors.iter().map(|((bytes, bits), k)| SecretFactor::from_be_bytes(bytes, *bits, *k));
        memcheck::watched(&mut result, memcheck::is_secret, |out| {
            let modulus =
                Modulus::with_secret_factors(value, &secret.collect::<Result<Vec<_>, _>>()?, &Options::default())?;
            let exponent = SecretExponent::from_be_bytes(&exponent, 8 * exponent.len() as u64)?;
            let options = Options::default().with_kernel(kernel).with_public_exponent(public_exponent.as_ref());
            modulus.pow_sec_bytes(&base, &exponent, out, &options)
        })?;
        if number(&result).magnitude() != &expected {
            return Err("the result differs from the public path".into());
        }
        Ok(())
    }
}

/// The kernel, if it takes such powers here; without one those that are planned, and each that claims to be constant-time.
pub fn kernels(kernel: Option<&str>) -> Vec<Option<&str>> {
    let fitting = KERNELS.iter().filter(|entry| entry.constant_time && entry.odd && entry.available());
    let named = fitting.map(|entry| Some(entry.name)).filter(|&name| kernel.is_none() || name == kernel);
    kernel.is_none().then_some(None).into_iter().chain(named).collect()
}

/// Runs the cases on each of `kernels` (`None`: as planned); returns how many passed and failed. `are_public`: whether with a public
/// exponent, in each case that has one, or without it, or both.
pub fn run(kernels: &[Option<&str>], are_public: &[bool]) -> (usize, usize) {
    let mut random = Random::new();
    let (mut passed, mut failed) = (0, 0);
    let of_case = |case: &'static Case| {
        let is_run = |kernel: &Option<&str>| !case.is_long || kernel.is_none() || !kernels.contains(&None);
        kernels.iter().copied().filter(is_run).map(move |kernel| (case, kernel)).collect::<Vec<_>>()
    };
    for (case, kernel) in CASES.iter().flat_map(of_case) {
        for &is_public in are_public.iter().filter(|&&is_public| !is_public || case.inverse.is_some()) {
            let with = if is_public { ", with a public exponent" } else { "" };
            let name = format!("secret factors: {}{with}; {}", case.name, kernel.unwrap_or("as planned"));
            report(&name, case.run(kernel, is_public, &mut random), &mut passed, &mut failed);
        }
    }
    (passed, failed)
}
