//! Secrets in written form: an exponent in decimal and in hexadecimal digits, a base in hexadecimal ones, a private key in DER; read, and
//! then used. What they are used on is public, so that the result depends only on what was read.

use crate::cases::{Gate, Random, compare, expected, message, number};
use crate::factors::{CASES, Case, PUBLIC_EXPONENT};
use crate::memcheck;
use pingala_core::{Error, Integer, Modulus, Natural, Options, SecretExponent};
use pingala_verify::RsaPrivateKey;

/// More than one limb, and not a whole number of them.
const EXPONENT_BITS: usize = 200;

/// AlgorithmIdentifier of rsaEncryption with its empty parameters (RFC 8017, appendix A.1).
const RSA: [u8; 15] = [0x30, 13, 6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 1, 5, 0];

/// The text with its digits secret from the one at `start` on.
fn with_secret_digits(text: &str, start: usize) -> Vec<u8> {
    let is_hexadecimal = text.starts_with("0x");
    let mut text = text.as_bytes().to_vec();
    for digit in &mut text[start + if is_hexadecimal { 2 } else { 0 }..] {
        // All bits that differ from one digit to another, and the case of letters; the other bits are public.
        memcheck::make_bits_secret(digit, if is_hexadecimal { 0x7f } else { 0x0f });
    }
    text
}

/// A power of a base of these hexadecimal digits. Public are their number, as for the exponent, and those before `start`, which decide how
/// many limbs an [`Integer`] has.
fn run_base(text: &str, start: usize, random: &mut Random) -> Result<(), String> {
    let exponent = random.bytes(EXPONENT_BITS / 8);
    let given: Integer = text.parse().map_err(message)?;
    run_text(text, start, &given.magnitude().to_be_bytes(), &exponent, |text| {
        let base = Integer::parse_secret(text, 4 * text.len() as u64)?;
        // Not `pow_sec`: its result is a `Natural`, which reveals its own length in limbs.
        let exponent = SecretExponent::from_be_bytes(&exponent, EXPONENT_BITS as u64)?;
        Ok((base.magnitude().to_be_bytes(), exponent))
    })
}

/// A power with an exponent of these digits, whose notation and number are public.
fn run_exponent(text: &str, random: &mut Random) -> Result<(), String> {
    let base = random.bytes(64);
    let given: Integer = text.parse().map_err(message)?;
    run_text(text, 0, &base, &given.magnitude().to_be_bytes(), |text| {
        Ok((base.clone(), SecretExponent::parse_capped(text, EXPONENT_BITS as u64, EXPONENT_BITS as u64)?))
    })
}

/// The power of the base and the exponent that `read` makes of the text, secret from the digit at `start` on.
fn run_text(
    text: &str,
    start: usize,
    base: &[u8],
    exponent: &[u8],
    read: impl FnOnce(&str) -> Result<(Vec<u8>, SecretExponent), Error>,
) -> Result<(), String> {
    let value = CASES[0].value();
    let modulus = Modulus::new(value.clone()).map_err(message)?;
    let expected = expected(&value, base, exponent)?;
    let text = with_secret_digits(text, start);
    let text = std::str::from_utf8(&text).map_err(|error| error.to_string())?;
    compare(&expected, value.bits(), memcheck::is_secret, |out| {
        let (base, exponent) = read(text)?;
        modulus.pow_sec_bytes(&base, &exponent, out, &Options::default())
    })
}

/// A value of DER with this tag.
fn tagged(tag: u8, content: &[u8]) -> Vec<u8> {
    let length = content.len();
    let header = match length {
        0..0x80 => vec![tag, length as u8],
        0x80..0x100 => vec![tag, 0x81, length as u8],
        _ => vec![tag, 0x82, (length >> 8) as u8, length as u8],
    };
    [header, content.to_vec()].concat()
}

/// A number that is secret below its highest byte, as an INTEGER; of an odd one the last bit is public too.
fn secret(number: &Natural, odd: bool) -> Vec<u8> {
    let bytes = number.to_be_bytes();
    let zero = usize::from(bytes.first().is_some_and(|top| top >> 7 == 1));
    let mut integer = tagged(2, &[vec![0; zero], bytes.clone()].concat());
    let start = integer.len() - bytes.len() + 1;
    memcheck::make_secret(&mut integer[start..]);
    if let Some(last) = integer.last_mut().filter(|_| odd) {
        memcheck::make_bits_secret(last, 0xfe);
    }
    integer
}

/// A key of the case's primes with d, p and q secret, and what stands behind them as well.
fn key(case: &Case, random: &mut Random) -> Result<Vec<u8>, String> {
    let public = |number: &Natural| tagged(2, &[vec![0], number.to_be_bytes()].concat());
    let inverse = number(&case.inverse().ok_or("a case without an inverse makes no key")?);
    let primes = case.factors().map(|(prime, _)| secret(&prime, true)).concat();
    // d mod (p - 1), d mod (q - 1) and 1/q mod p are not read, so any numbers will do.
    let rest = (0..3).map(|_| secret(number(&[&[0x55], &*random.bytes(31)].concat()).magnitude(), false));
    let numbers = [
        tagged(2, &[0]),
        public(&case.value()),
        tagged(2, &[PUBLIC_EXPONENT as u8]),
        secret(inverse.magnitude(), false),
        primes,
        rest.flatten().collect(),
    ];
    Ok(tagged(0x30, &numbers.concat()))
}

/// Reads a private key, of which only the lengths are public, and computes a power by it if `is_used`.
fn run_key(case: &Case, is_pkcs8: bool, is_used: bool, random: &mut Random) -> Result<(), String> {
    let (mut data, value) = (key(case, random)?, case.value());
    if is_pkcs8 {
        data = tagged(0x30, &[tagged(2, &[0]), RSA.to_vec(), tagged(4, &data)].concat());
    }
    let mut base = random.bytes(value.bits().div_ceil(8) as usize);
    base[0] = 0;
    let expected = expected(&value, &base, &case.inverse().ok_or("no inverse")?)?;

    let key = memcheck::watched(&mut [], |_| true, |_| RsaPrivateKey::load(&data, &Options::default()))?;
    if !is_used {
        return Ok(());
    }
    compare(&expected, value.bits(), memcheck::is_secret, |out| {
        match key.pow_list(&[&base], out, &Options::default())?.pop() {
            Some((_, error)) => Err(error),
            None => Ok(()),
        }
    })
}

/// Runs the cases of text, one line each.
pub fn digits(gate: &mut Gate) {
    let random = gate.random();
    let mut hexadecimal = |bytes| random.bytes(bytes).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    // The highest limb of a base is public. Five limbs, which a number holds in itself, and ten.
    let (digits, short, long) = (hexadecimal(EXPONENT_BITS / 8), hexadecimal(40), hexadecimal(80));
    let decimal = number(&random.bytes(EXPONENT_BITS / 8)).to_string();
    let texts = [
        ("lower-case hexadecimal digits", format!("0x{digits}")),
        ("upper-case hexadecimal digits, and zeros", format!("0x0000{}", digits.to_uppercase())),
        ("decimal digits", decimal.clone()),
        ("decimal digits after zeros", format!("000{decimal}")),
    ];
    for (name, text) in texts {
        gate.case(&format!("secret exponent in {name}"), |random| run_exponent(&text, random));
    }
    let bases = [
        ("lower-case hexadecimal digits", format!("0x{short}"), 16),
        ("upper-case hexadecimal digits, and zeros", format!("0x0000{}", long.to_uppercase()), 20),
    ];
    for (name, text, start) in bases {
        gate.case(&format!("secret base in {name}"), |random| run_base(&text, start, random));
    }
}

/// Reads private keys, and uses them or not: each case that has an inverse makes one, and a long one only to be used.
pub fn keys(gate: &mut Gate, are_used: bool) {
    for case in CASES.iter().filter(|case| case.is_invertible && (are_used || !case.is_long)) {
        for (format, is_pkcs8) in [("PKCS#1", false), ("PKCS#8", true)].into_iter().take(2 - usize::from(case.is_long))
        {
            let name = format!("private key in DER, {format}, {}", case.name);
            gate.case(&name, |random| run_key(case, is_pkcs8, are_used, random));
        }
    }
}
