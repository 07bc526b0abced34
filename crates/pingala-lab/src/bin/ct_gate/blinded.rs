//! Powers whose base is blinded, as their public exponent and public factors are known: the pair is drawn for the first and squared for the
//! second. Also powers without blinding, or without factors, whose result is only checked.

use crate::cases::{Gate, Random, compare, expected, message};
use crate::factors::{CASES, EXPONENT_BITS, PUBLIC_EXPONENT};
use crate::memcheck;
use pingala_core::{Modulus, Natural, Options, SecretExponent};

/// Powers modulo one number: with a new pair, and with the one after it.
const POWERS: usize = 2;

/// What is known of the modulus, whether its factors, and whether bases are blinded.
const WAYS: [(&str, bool, bool); 3] =
    [("no factors", false, true), ("public factors", true, true), ("public factors, not blinded", true, false)];

fn run_one(factors: bool, blinding: bool, kernel: Option<&str>, random: &mut Random) -> Result<(), String> {
    let case = &CASES[0];
    let value = case.value();
    let inverse = case.inverse().ok_or("the first case has an inverse")?;
    let modulus =
        if factors { Modulus::with_factors(value.clone(), &case.factors()) } else { Modulus::new(value.clone()) };
    let modulus = modulus.map_err(message)?;
    let public_exponent = Natural::from(PUBLIC_EXPONENT);
    let options =
        Options::default().with_kernel(kernel).with_public_exponent(Some(&public_exponent)).with_blinding(blinding);
    for _ in 0..POWERS {
        let (mut base, mut exponent) = (random.bytes(80), inverse.clone());
        let expected = expected(&value, &base, &exponent)?;
        memcheck::make_secret(&mut base);
        memcheck::make_secret(&mut exponent);
        compare(&expected, value.bits(), memcheck::is_secret, |out| {
            let exponent = SecretExponent::from_be_bytes(&exponent, EXPONENT_BITS as u64)?;
            modulus.pow_sec_bytes(&base, &exponent, out, &options)
        })?;
    }
    Ok(())
}

/// Runs the cases on each of `kernels` (`None`: as planned).
pub fn run(gate: &mut Gate, kernels: &[Option<&str>]) {
    for ((what, factors, blinding), kernel) in
        WAYS.iter().flat_map(|&way| kernels.iter().map(move |&kernel| (way, kernel)))
    {
        let name = format!("public exponent, {what}; {}", kernel.unwrap_or("as planned"));
        gate.case(&name, |random| run_one(factors, blinding, kernel, random));
    }
}
