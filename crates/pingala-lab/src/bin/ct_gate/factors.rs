//! Secret factors under memcheck: set-up and a power by them, with base, exponent and every bit of the factors secret but the
//! lowest and the highest, which every odd number of that length has.

use crate::cases::{Gate, Random, compare, expected};
use crate::memcheck;
use num_bigint::{BigInt, BigUint};
use pingala_core::kernels::KERNELS;
use pingala_core::{Modulus, Natural, Options, SecretExponent, SecretFactor};

/// A sum of powers of two, each with its factor and exponent.
type Sum = &'static [(i64, u32)];

pub struct Case {
    pub name: &'static str,
    /// The factors with their multiplicities.
    sums: [(Sum, u32); 2],
    /// Whether the public exponent has an inverse modulo the order of the group, and the factors are different primes: the halves are then
    /// checked by it, and the base is blinded.
    pub is_invertible: bool,
    /// Only as planned: the prime test takes seconds under memcheck.
    pub is_long: bool,
}

const P256: Sum = &[(1, 256), (-1, 224), (1, 192), (1, 96), (-1, 0)];
pub const CASES: &[Case] = &[
    Case {
        name: "primes of 256 bits",
        sums: [(&[(1, 256), (-189, 0)], 1), (P256, 1)],
        is_invertible: true,
        is_long: false,
    },
    Case {
        name: "a prime squared, and a prime",
        sums: [(&[(1, 127), (-1, 0)], 2), (&[(1, 192), (-237, 0)], 1)],
        is_invertible: false,
        is_long: false,
    },
    Case {
        name: "a composite of 67 bits, and a prime",
        sums: [(&[(1, 67), (-1, 0)], 1), (&[(1, 127), (-1, 0)], 1)],
        is_invertible: false,
        is_long: false,
    },
    Case {
        name: "primes of 1024 bits",
        sums: [(&[(1, 1024), (-105, 0)], 1), (&[(1, 1023), (1493, 0)], 1)],
        is_invertible: true,
        is_long: true,
    },
];

/// Bits of the exponents, if an inverse needs no more: longer than every factor but the long ones, so that they are reduced if it is
/// prime.
pub const EXPONENT_BITS: usize = 600;

/// The public exponent of each case that has an inverse.
pub const PUBLIC_EXPONENT: u64 = 7;

fn natural(value: &BigUint) -> Natural {
    Natural::from_be_bytes(&value.to_bytes_be())
}

impl Case {
    fn big(&self) -> [(BigUint, u32); 2] {
        let sum = |sum: Sum| sum.iter().map(|&(factor, exponent)| BigInt::from(factor) << exponent).sum::<BigInt>();
        self.sums.map(|(terms, k)| (sum(terms).to_biguint().expect("it is positive"), k))
    }

    pub fn factors(&self) -> [(Natural, u32); 2] {
        self.big().map(|(factor, k)| (natural(&factor), k))
    }

    pub fn value(&self) -> Natural {
        natural(&self.big().iter().map(|(factor, k)| factor.pow(*k)).product())
    }

    /// The inverse of the public exponent as a secret exponent's bytes.
    pub fn inverse(&self) -> Option<Vec<u8>> {
        let order = self.big().into_iter().map(|(prime, _)| prime - 1u8).product();
        let inverse = BigUint::from(PUBLIC_EXPONENT).modinv(&order).filter(|_| self.is_invertible)?;
        natural(&inverse).to_be_bytes_padded(EXPONENT_BITS.max(self.value().bits() as usize).div_ceil(8))
    }

    /// Runs the case; the error names what went wrong.
    fn run(&self, kernel: Option<&str>, is_public: bool, random: &mut Random) -> Result<(), String> {
        let value = self.value();
        let (mut base, mut exponent) = (random.bytes(80), random.bytes(EXPONENT_BITS / 8));
        let inverse = self.inverse().filter(|_| is_public);
        let public_exponent = inverse.as_ref().map(|_| Natural::from(PUBLIC_EXPONENT));
        exponent = inverse.unwrap_or(exponent);
        let expected = expected(&value, &base, &exponent)?;
        let mut factors = self.factors().map(|(factor, k)| (factor.to_be_bytes(), factor.bits(), k));

        memcheck::make_secret(&mut base);
        memcheck::make_secret(&mut exponent);
        for (bytes, bits, _) in &mut factors {
            memcheck::make_secret(bytes);
            let last = bytes.len() - 1;
            memcheck::make_bits_secret(&mut bytes[0], (1u8 << ((*bits - 1) % 8)) - 1);
            memcheck::make_bits_secret(&mut bytes[last], 0xfe);
        }
        let secret = factors.iter().map(|(bytes, bits, k)| SecretFactor::from_be_bytes(bytes, *bits, *k));
        compare(&expected, value.bits(), memcheck::is_secret, |out| {
            let factors = secret.collect::<Result<Vec<_>, _>>()?;
            let modulus = Modulus::with_secret_factors(value.clone(), &factors, &Options::default())?;
            let exponent = SecretExponent::from_be_bytes(&exponent, 8 * exponent.len() as u64)?;
            let options = Options::default().with_kernel(kernel).with_public_exponent(public_exponent.as_ref());
            modulus.pow_sec_bytes(&base, &exponent, out, &options)
        })
    }
}

/// The kernel, if it takes such powers here; without one those that are planned, and each that claims to be constant-time.
pub fn kernels(kernel: Option<&str>) -> Vec<Option<&str>> {
    let fitting = KERNELS.iter().filter(|entry| entry.constant_time && entry.odd && entry.available());
    let named = fitting.map(|entry| Some(entry.name)).filter(|&name| kernel.is_none() || name == kernel);
    kernel.is_none().then_some(None).into_iter().chain(named).collect()
}

/// Runs the cases on each of `kernels` (`None`: as planned). `are_public`: whether with a public exponent, in each case that has one, or
/// without it, or both.
pub fn run(gate: &mut Gate, kernels: &[Option<&str>], are_public: &[bool]) {
    for case in CASES {
        let is_run = |kernel: &&Option<&str>| !case.is_long || kernel.is_none() || !kernels.contains(&None);
        for &kernel in kernels.iter().filter(is_run) {
            for &is_public in are_public.iter().filter(|&&is_public| !is_public || case.is_invertible) {
                let with = if is_public { ", with a public exponent" } else { "" };
                let name = format!("secret factors: {}{with}; {}", case.name, kernel.unwrap_or("as planned"));
                gate.case(&name, |random| case.run(kernel, is_public, random));
            }
        }
    }
}
