//! Private keys of RSA: every form of a file gives the same key, and what is no key is refused.

use pingala_core::{Error, Integer, Natural, Options};
use pingala_verify::{PublicKey, RsaKey, RsaPrivateKey};

const PKCS1: &str = include_str!("data/private_pkcs1.pem");
const PKCS8: &str = include_str!("data/private_pkcs8.pem");
const ENCRYPTED: &str = include_str!("data/private_encrypted.pem");

fn der(pem: &str) -> Vec<u8> {
    pem_rfc7468::decode_vec(pem.as_bytes()).unwrap().1
}

fn load(data: &[u8]) -> Result<RsaPrivateKey, Error> {
    RsaPrivateKey::load(data, &Options::default())
}

fn inverted(key: &RsaPrivateKey, bases: &[&[u8]]) -> Vec<Natural> {
    let mut out = vec![0; bases.len() * 128];
    assert_eq!(key.pow_list(bases, &mut out, &Options::default()), Ok(Vec::new()));
    out.chunks(128).map(Natural::from_be_bytes).collect()
}

#[test]
fn every_form_gives_the_same_key() {
    let bases: [&[u8]; 4] = [&[0], &[1], b"Pingala", &[0xff; 128]];
    let mut seen = None;
    // What stands behind the key is not read, though it looks like the beginning of PEM.
    let mut labelled = der(PKCS8);
    labelled.extend_from_slice(b"\x04\x0b-----BEGIN ");
    let length = labelled.len() - 4;
    labelled[2..4].copy_from_slice(&[(length >> 8) as u8, length as u8]);
    let noted = format!("\u{feff}\n a note: \u{e9}\n{PKCS8}\n\n{PKCS1} -----END \u{e9}");
    for data in [PKCS1.as_bytes(), PKCS8.as_bytes(), &der(PKCS1), &der(PKCS8), &labelled, noted.as_bytes()] {
        let key = load(data).unwrap();
        assert_eq!(key.modulus().value().bits(), 1024);
        assert_eq!(*key.public_exponent(), Natural::from(65537u64));
        let roots = inverted(&key, &bases);
        for (root, base) in roots.iter().zip(bases) {
            let back = key.modulus().pow(&root.into(), &key.public_exponent().into()).unwrap();
            let base = Integer::from(Natural::from_be_bytes(base));
            assert_eq!(back, key.modulus().pow(&base, &Integer::from(1u64)).unwrap());
        }
        assert_eq!(*seen.get_or_insert_with(|| roots.clone()), roots);
        assert_eq!(key.pow_list(&[], &mut [], &Options::default()), Ok(Vec::new()));
        assert_eq!(format!("{key:?}"), "<RsaPrivateKey of 1024 bits>");
        let public = RsaKey::new(key.modulus().value().clone(), key.public_exponent().clone()).unwrap();
        assert_eq!(format!("{:?}", PublicKey::Rsa(public)), "Rsa(<RsaKey of 1024 bits>)");
    }
}

/// PKCS#8 around PKCS#1.
fn pkcs8(key: &[u8]) -> Vec<u8> {
    let whole = der(PKCS8);
    let at = whole.windows(key.len()).position(|window| window == der(PKCS1)).unwrap();
    [&whole[..at], key].concat()
}

/// The position of the last byte of a number (n, e, d, p, q, ...) in the DER of PKCS#1.
fn last_byte(der: &[u8], place: usize) -> usize {
    // The sequence has two bytes of length, the version three bytes.
    let mut at = 4 + 3;
    for index in 0.. {
        let (length, header) = match der[at + 1] {
            0x81 => (usize::from(der[at + 2]), 3),
            0x82 => (usize::from(der[at + 2]) << 8 | usize::from(der[at + 3]), 4),
            short => (usize::from(short), 2),
        };
        at += header + length;
        if index == place {
            break;
        }
    }
    at - 1
}

#[test]
fn a_key_that_does_not_fit_is_refused() {
    let whole = der(PKCS1);
    // n, p, q: another product.
    for place in [0, 3, 4] {
        let mut other = whole.clone();
        other[last_byte(&whole, place)] ^= 4;
        assert_eq!(load(&other).unwrap_err().code(), "wrong_factors", "{place}");
    }
    // e and d: a power finds that one is not the inverse of the other. It is an error of the file, not of the computer.
    for (place, mask) in [(1, 2), (1, 4), (2, 4), (2, 0x80)] {
        let mut other = whole.clone();
        other[last_byte(&whole, place)] ^= mask;
        for data in [other.clone(), pkcs8(&other)] {
            let error = load(&data).unwrap_err();
            assert!(error.code() == "bad_argument" && error.to_string().contains("inverse of e"), "{place}: {error}");
        }
    }
    // What is derived of them is not read.
    let mut other = whole.clone();
    other[last_byte(&whole, 5)] ^= 4;
    assert!(load(&other).is_ok());
}

/// Behind a length that is too short, bytes of d are taken for tags and lengths: the message is the same for every d.
#[test]
fn a_damaged_length_shows_no_secret() {
    let form = der(PKCS1);
    let last = last_byte(&form, 2);
    let header =
        [128, 129].map(|length| last - length).into_iter().find(|&at| usize::from(form[at]) == last - at).unwrap();
    assert_eq!(form[header - 1], 0x81);
    for less in 1..=60 {
        let of = |mask: u8| {
            let mut other = form.clone();
            other[header] -= less;
            other[header + 2..=last].iter_mut().for_each(|byte| *byte ^= mask);
            load(&other).map(|_| ()).unwrap_err().to_string()
        };
        let told = of(0);
        assert!((1..=255).all(|mask| of(mask) == told), "{less}");
    }
}

#[test]
fn what_is_no_private_key_is_refused_and_not_shown() {
    let refused = |data: &[u8], why: &str| {
        let error = load(data).unwrap_err();
        assert!(error.code() == "bad_argument" && error.to_string().contains(why), "{error}");
    };
    refused(b"", "DER");
    refused(ENCRYPTED.as_bytes(), "encrypted");
    let traditional = PKCS1
        .replace("-----BEGIN RSA PRIVATE KEY-----\n", "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n");
    refused(traditional.as_bytes(), "encrypted");
    refused(include_bytes!("data/rsa.pem"), "PUBLIC KEY");
    refused(PKCS8.replace("PRIVATE KEY", "EC PRIVATE KEY").as_bytes(), "EC PRIVATE KEY");
    let whole = der(PKCS8);
    for length in 0..whole.len() {
        assert!(load(&whole[..length]).is_err(), "cut to {length} bytes");
    }
    // Flipped anywhere it is an error or a key, and never a panic.
    for (form, step) in [(der(PKCS1), 3), (whole, 5)] {
        for at in (0..form.len()).step_by(step).chain(0..40) {
            let mut other = form.clone();
            other[at] ^= 0x81;
            _ = load(&other);
        }
    }
    let mut three = der(PKCS1);
    three[6] = 1;
    refused(&three, "two primes");
}
