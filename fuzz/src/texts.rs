//! Texts and small encodings.

use num_bigint::BigInt;
use pingala_chains::{evaluate, integer, read_json, read_script, write_json, write_script};
use pingala_core::plan::Prices;
use pingala_core::{Integer, Modulus, Natural, Options, SecretExponent};
use pingala_verify::{
    Check, Encoding, Hash, Message, Policy, PublicKey, RsaPrivateKey, Salt, Scheme, Signature, verify,
};
use std::sync::LazyLock;

/// Numbers in decimal and hexadecimal: what is read is what num-bigint reads, and comes back.
pub fn numbers(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let number = Integer::parse_capped(text, 1 << 16);
    secrets(text, number.as_ref().ok());
    let Ok(number) = number else {
        // What num-bigint reads without signs and separators is a number for us as well.
        let plain = text.bytes().all(|byte| byte.is_ascii_digit());
        assert!(!plain || text.is_empty() || text.len() > 19_000, "{text} is refused");
        return;
    };
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (digits, radix) = match unsigned.strip_prefix("0x").or_else(|| unsigned.strip_prefix("0X")) {
        Some(digits) => (digits, 16),
        None => (unsigned, 10),
    };
    let wanted = BigInt::parse_bytes(digits.as_bytes(), radix).expect("num-bigint reads it as well");
    assert_eq!(number.magnitude().to_string(), wanted.to_string());
    assert_eq!(number.to_string().parse::<Integer>().as_ref(), Ok(&number));
    let bytes = number.magnitude().to_be_bytes();
    assert_eq!(Natural::from_be_bytes(&bytes), *number.magnitude());
}

/// Reads a number as a secret, by other code, and compares: one value, or an error for both.
fn secrets(text: &str, number: Option<&Integer>) {
    const BITS: u64 = 200;
    match (Integer::parse_secret(text, 1 << 16), number) {
        (Ok(secret), number) => assert_eq!(number, Some(&*secret), "{text}"),
        // Zeros in front count for a secret, whose length is not looked at.
        (Err(_), number) => assert!(number.is_none() || text.len() > 16_000, "{text} is refused"),
    }
    let secret = SecretExponent::parse_capped(text, BITS, 1 << 16);
    let Some(number) = number.filter(|_| !text.starts_with(['-', '+'])) else { return assert!(secret.is_err()) };
    if number.magnitude().bits() > BITS {
        return assert!(secret.is_err());
    }
    let Ok(secret) = secret else { return assert!(text.len() > 1 << 20) };
    static MODULUS: LazyLock<Modulus> =
        LazyLock::new(|| Modulus::new(Natural::from(0xffff_ffff_ffff_ffc5u64)).expect("a modulus"));
    assert_eq!(
        MODULUS.pow_sec(&3u64.into(), &secret, &Options::default()),
        MODULUS.pow(&3u64.into(), number),
        "{text}"
    );
}

/// Lines of plans: a plan that is accepted gives the right power.
pub fn plans(data: &[u8]) {
    let Ok(line) = std::str::from_utf8(data) else { return };
    static MODULI: LazyLock<[Modulus; 2]> = LazyLock::new(|| {
        ["0xf123456789abcdef0123456789abcdef0123456789abcdef", "0x123456789abcdef0"]
            .map(|text| Modulus::new(text.parse().expect("a number")).expect("a modulus"))
    });
    let (base, exponent) = (Integer::from(0x1234_5678_9abcu64), Integer::from(0xdead_beef_1234_5678u64));
    let options = Options::default().with_plan(Some(line));
    for modulus in &*MODULI {
        let wanted = modulus.pow(&base, &exponent);
        if let Ok(power) = modulus.pow_with(&base, &exponent, &options) {
            assert_eq!(Ok(power), wanted, "{line}");
        }
        // Shapes of shared work have plans of their own.
        let exponents = [exponent.clone(), 3u64.into()];
        if let Ok(product) = modulus.pow_product(&[base.clone(), 7u64.into()], &exponents, &options) {
            let all = modulus.pow_product(&[base.clone(), 7u64.into()], &exponents, &Options::default());
            assert_eq!(Ok(product), all, "{line}");
        }
        // A plan that does not fit is an error of each element there.
        if let Ok(powers) = modulus.pow_exp_list(&base, &exponents, &options)
            && powers[0].is_ok()
        {
            assert_eq!(powers[0], wanted, "{line}");
        }
    }
}

/// Files of prices.
pub fn prices(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Ok(prices) = Prices::parse(text) {
        // What prints parses, to the same text.
        let printed = prices.to_string();
        let again = Prices::parse(&printed).expect("its own text");
        assert_eq!(again.to_string(), printed);
    }
}

/// Chains as JSON and as scripts, and expressions.
pub fn chains(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if text.len() > 4096 {
        return;
    }
    if let Ok(chain) = read_json(text) {
        let again = read_json(&write_json(&chain)).expect("its own text");
        assert_eq!(again, chain);
        let again = read_script(&write_script(&chain)).expect("its own script");
        assert_eq!(again, chain);
    }
    if let Ok(chain) = read_script(text) {
        let again = read_json(&write_json(&chain)).expect("its own text");
        assert_eq!(again, chain);
    }
    drop(evaluate(text));
    drop(integer(text, 1 << 20));
}

/// Public keys: PEM, DER, certificates, lines of OpenSSH.
pub fn keys(data: &[u8]) {
    drop(PublicKey::load(data));
}

/// Private keys of RSA: PEM and DER of PKCS#1 and PKCS#8. What is released is a root of the base.
pub fn private_keys(data: &[u8]) {
    let Ok(key) = RsaPrivateKey::load(data, &Options::default()) else { return };
    let n = key.modulus().value();
    let mut out = vec![0; n.bits().div_ceil(8) as usize];
    let failed = key.pow_list(&[&[2]], &mut out, &Options::default()).expect("one base and one row");
    if failed.is_empty() {
        let root = Integer::from(Natural::from_be_bytes(&out));
        assert!(root.magnitude() < n);
        let base = key.modulus().pow(&root, &key.public_exponent().into());
        assert_eq!(base, key.modulus().pow(&2u64.into(), &1u64.into()));
    } else {
        assert!(out.iter().all(|&byte| byte == 0), "nothing of it is released");
    }
}

/// Signatures in every encoding, of every scheme, under a key of each kind.
pub fn signatures(data: &[u8]) {
    let Some((&choice, signature)) = data.split_first() else { return };
    static RSA: LazyLock<PublicKey> = LazyLock::new(|| {
        PublicKey::load(include_bytes!("../../crates/pingala-verify/tests/data/rsa.pem")).expect("a key")
    });
    static DSA: LazyLock<PublicKey> = LazyLock::new(|| {
        // The numbers mean nothing: a key asks of them no more than their ranges.
        let number = |text: &str| text.parse::<Natural>().expect("a number");
        let q = number("618970019642690137449562111");
        let p = number("0x4ffffffffffffffffffffffb0000000000000000000000001");
        pingala_verify::DsaKey::new(p, q, number("4"), number("9")).map(PublicKey::from).expect("a key")
    });
    let encodings = [Encoding::Der, Encoding::Lenient, Encoding::Raw, Encoding::Ssh, Encoding::OpenPgp];
    let encoding = encodings[usize::from(choice) % encodings.len()];
    let hash = [Hash::Sha1, Hash::Sha256, Hash::Sha3_224][usize::from(choice >> 4) % 3];
    let pss = Scheme::RsaPss { hash, mgf: hash, salt: Salt::default() };
    for (key, scheme) in [(&*RSA, Scheme::RsaPkcs1(hash)), (&*RSA, pss), (&*DSA, Scheme::Dsa(hash))] {
        for policy in [Policy::Legacy, Policy::Strict] {
            let mut check = Check::new(key, scheme, b"a message", signature);
            check.signature = Signature::Bytes(signature, encoding);
            check.message = Message::Raw(b"a message");
            drop(verify(&check, policy));
        }
    }
}
