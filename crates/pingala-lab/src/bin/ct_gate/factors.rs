//! Secret factors under memcheck: set-up and a power by them, with base, exponent and every bit of the factors secret but the
//! lowest and the highest, which every odd number of that length has.

use crate::cases::{Random, number};
use crate::memcheck;
use pingala::kernels::Kernel;
use pingala::{Modulus, Natural, Options, SecretExponent, SecretFactor};

struct Case {
    name: &'static str,
    /// In hexadecimal, with their multiplicities.
    factors: &'static [(&'static str, u32)],
    modulus: &'static str,
    /// The inverse of [`PUBLIC_EXPONENT`] modulo the order of the group, where the factors are prime: the halves are then checked by it, and the
    /// base is blinded.
    inverse: Option<&'static str>,
}

const CASES: &[Case] = &[
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
    },
    Case {
        name: "a prime squared, and a prime",
        factors: &[("7fffffffffffffffffffffffffffffff", 2), ("ffffffffffffffffffffffffffffffffffffffffffffff13", 1)],
        modulus: "0x3ffffffffffffffffffffffffffffffeffffffffffffffc4c00000000000000100000000000000ecffffffffffffffffffffffffffffff13",
        inverse: None,
    },
    Case {
        name: "a composite of 67 bits, and a prime",
        factors: &[("7ffffffffffffffff", 1), ("7fffffffffffffffffffffffffffffff", 1)],
        modulus: "0x3ffffffffffffffff7ffffffffffffff80000000000000001",
        inverse: None,
    },
];

/// Bits of the exponents: longer than every factor, so that they are reduced where it is prime.
const EXPONENT_BITS: usize = 600;

/// The one that has an inverse in the first case.
const PUBLIC_EXPONENT: u64 = 7;

/// A factor as bytes, with its length in bits.
fn bytes(hexadecimal: &str) -> (Vec<u8>, u64) {
    let number: Natural = format!("0x{hexadecimal}").parse().expect("hexadecimal");
    (number.to_be_bytes(), number.bits())
}

impl Case {
    /// Runs the case; the error names what went wrong.
    fn run(&self, kernel: Option<&str>, inverse: Option<&str>, random: &mut Random) -> Result<(), String> {
        let value: Natural = self.modulus.parse().map_err(|error| format!("the modulus: {error}"))?;
        let (mut base, mut exponent) = (random.bytes(80), random.bytes(EXPONENT_BITS / 8));
        let public_exponent = inverse.map(|_| Natural::from(PUBLIC_EXPONENT));
        if let Some(inverse) = inverse {
            let inverse: Natural = inverse.parse().map_err(|error| format!("the inverse: {error}"))?;
            exponent = inverse.to_be_bytes_padded(EXPONENT_BITS / 8).ok_or("the inverse is too long")?;
        }
        let plain = Modulus::new(value.clone()).map_err(|error| format!("Modulus::new: {error}"))?;
        let expected = plain.pow(&number(&base), &number(&exponent)).map_err(|error| format!("the oracle: {error}"))?;
        let mut result = vec![0xaau8; value.bits().div_ceil(8) as usize];
        let mut factors: Vec<_> = self.factors.iter().map(|&(p, k)| (bytes(p), k)).collect();

        let errors_before = memcheck::errors();
        memcheck::make_secret(&mut base);
        memcheck::make_secret(&mut exponent);
        for ((bytes, bits), _) in &mut factors {
            memcheck::make_secret(bytes);
            let last = bytes.len() - 1;
            memcheck::make_bits_secret(&mut bytes[0], (1u8 << ((*bits - 1) % 8)) - 1);
            memcheck::make_bits_secret(&mut bytes[last], 0xfe);
        }
        let secret = factors.iter().map(|((bytes, bits), k)| SecretFactor::from_be_bytes(bytes, *bits, *k));
        let outcome = secret.collect::<Result<Vec<_>, _>>().and_then(|secret| {
            let modulus = Modulus::with_secret_factors(value, &secret, &Options::default())?;
            let exponent = SecretExponent::from_be_bytes(&exponent, EXPONENT_BITS as u64)?;
            let options = Options::default().with_kernel(kernel).with_public_exponent(public_exponent.as_ref());
            modulus.pow_sec_bytes(&base, &exponent, &mut result, &options)
        });
        let errors = memcheck::errors() - errors_before;
        let tainted = memcheck::is_secret(&result);
        memcheck::make_public(&mut result);

        outcome.map_err(|error| format!("error {}: {error}", error.code()))?;
        if errors > 0 {
            return Err(format!("memcheck reports {errors} uses of a secret in a branch or an address"));
        }
        if !tainted {
            return Err("the result does not depend on the secrets: the gate checked nothing".into());
        }
        if number(&result).magnitude() != &expected {
            return Err("the result differs from the public path".into());
        }
        Ok(())
    }
}

/// Runs the cases on the kernel, or as planned and on the portable one; returns how many passed and failed.
pub fn run(kernel: Option<&str>) -> (usize, usize) {
    let fits = |name: &&str| Kernel::by_name(name).is_some_and(|kernel| kernel.odd() && kernel.available());
    let kernels = match kernel {
        Some(name) => Some(name).filter(fits).map(Some).into_iter().collect(),
        None => vec![None, Some("portable_r64")],
    };
    let mut random = Random::new();
    let (mut passed, mut failed) = (0, 0);
    let each = CASES.iter().flat_map(|case| kernels.iter().map(move |&kernel| (case, kernel)));
    // Each without a public exponent, and with it where the case has one.
    let each = each.flat_map(|(case, kernel)| {
        [None, case.inverse].into_iter().take(1 + usize::from(case.inverse.is_some())).map(move |i| (case, kernel, i))
    });
    for (case, kernel, inverse) in each {
        let with = if inverse.is_some() { ", with a public exponent" } else { "" };
        let name = format!("secret factors: {}{with}; {}", case.name, kernel.unwrap_or("as planned"));
        match case.run(kernel, inverse, &mut random) {
            Ok(()) => {
                passed += 1;
                println!("ok      {name}");
            }
            Err(reason) => {
                failed += 1;
                println!("FAILED  {name}: {reason}");
            }
        }
    }
    (passed, failed)
}
