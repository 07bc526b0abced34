//! Powers whose base is blinded, as their public exponent and public factors are known: the pair is drawn for the first and squared for the
//! second. Also powers without blinding, or without factors, whose result is only checked.

use crate::cases::{Random, number, report};
use crate::factors::{CASES, EXPONENT_BITS, PUBLIC_EXPONENT};
use crate::memcheck;
use pingala::{Modulus, Natural, Options, SecretExponent};

/// Powers modulo one number: with a new pair, and with the one after it.
const POWERS: usize = 2;

/// What is known of the modulus, and whether bases are blinded.
#[derive(Clone, Copy)]
struct Way {
    name: &'static str,
    factors: bool,
    blinding: bool,
}

const WAYS: [Way; 3] = [
    Way { name: "no factors", factors: false, blinding: true },
    Way { name: "public factors", factors: true, blinding: true },
    Way { name: "public factors, not blinded", factors: true, blinding: false },
];

fn run_one(way: Way, kernel: Option<&str>, random: &mut Random) -> Result<(), String> {
    let of = |error: pingala::Error| format!("error {}: {error}", error.code());
    let case = &CASES[0];
    let value = case.value()?;
    let inverse = case.inverse()?.ok_or("the first case has an inverse")?;
    let modulus = if way.factors {
        let factors = case.factors.iter().map(|&(p, k)| Ok((format!("0x{p}").parse::<Natural>().map_err(of)?, k)));
        Modulus::with_factors(value.clone(), &factors.collect::<Result<Vec<_>, String>>()?).map_err(of)?
    } else {
        Modulus::new(value.clone()).map_err(of)?
    };
    let public_exponent = Natural::from(PUBLIC_EXPONENT);
    let options =
        Options::default().with_kernel(kernel).with_public_exponent(Some(&public_exponent)).with_blinding(way.blinding);
    for _ in 0..POWERS {
        let (mut base, mut exponent) = (random.bytes(80), inverse.clone());
        let expected = modulus.pow(&number(&base), &number(&exponent)).map_err(of)?;
        let mut result = vec![0xaau8; value.bits().div_ceil(8) as usize];
        memcheck::make_secret(&mut base);
        memcheck::make_secret(&mut exponent);
        memcheck::watched(&mut result, memcheck::is_secret, |out| {
            let exponent = SecretExponent::from_be_bytes(&exponent, EXPONENT_BITS as u64)?;
            modulus.pow_sec_bytes(&base, &exponent, out, &options)
        })?;
        if number(&result).magnitude() != &expected {
            return Err("the result differs from the public path".into());
        }
    }
    Ok(())
}

/// Runs the cases on each of `kernels` (`None`: as planned); returns how many passed and failed.
pub fn run(kernels: &[Option<&str>]) -> (usize, usize) {
    let mut random = Random::new();
    let (mut passed, mut failed) = (0, 0);
    for (way, kernel) in WAYS.iter().flat_map(|&way| kernels.iter().map(move |&kernel| (way, kernel))) {
        let name = format!("public exponent, {}; {}", way.name, kernel.unwrap_or("as planned"));
        report(&name, run_one(way, kernel, &mut random), &mut passed, &mut failed);
    }
    (passed, failed)
}
