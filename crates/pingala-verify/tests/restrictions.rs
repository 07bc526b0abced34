//! What a key says about its use is obeyed, or the key is refused: types of keys, their parameters, certificates, settings of trust, lines of
//! OpenSSH, attributes of private keys.

use pingala_core::{Error, Options};
use pingala_verify::{
    Check, Hash, Message, Policy, PssParameters, PssRestriction, PublicKey, Reason, RsaKey, RsaPrivateKey, Salt,
    Scheme, Signature, verify, verify_list,
};

const MESSAGE: &[u8] = b"Pingala\n";
const RSA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01];
const OAEP: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x07];
const MGF1: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x08];
const PSS: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0a];
const SHA1: &[u8] = &[0x2b, 0x0e, 0x03, 0x02, 0x1a];
const SHA256: &[u8] = &[0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01];
const MD5: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x02, 0x05];
const NULL: &[u8] = &[5, 0];

/// An element of DER.
fn tlv(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let content = parts.concat();
    let length = match content.len() {
        short @ ..0x80 => vec![short as u8],
        long @ ..0x100 => vec![0x81, long as u8],
        long => vec![0x82, (long >> 8) as u8, long as u8],
    };
    [&[tag][..], &length, &content].concat()
}

fn algorithm(oid: &[u8], parameters: Option<&[u8]>) -> Vec<u8> {
    tlv(0x30, &[&tlv(6, &[oid]), parameters.unwrap_or_default()])
}

fn hash_field(oid: &[u8]) -> Vec<u8> {
    tlv(0xa0, &[&algorithm(oid, Some(NULL))])
}

fn mask_field(oid: &[u8]) -> Vec<u8> {
    tlv(0xa1, &[&algorithm(MGF1, Some(&algorithm(oid, Some(NULL))))])
}

fn number_field(tag: u8, number: &[u8]) -> Vec<u8> {
    tlv(tag, &[&tlv(2, &[number])])
}

fn private() -> RsaPrivateKey {
    RsaPrivateKey::load(include_bytes!("data/private_pkcs8.pem"), &Options::default()).unwrap()
}

/// n and e as PKCS#1 has them.
fn pkcs1() -> Vec<u8> {
    let key = private();
    let n = [&[0], &key.modulus().value().to_be_bytes()[..]].concat();
    tlv(0x30, &[&tlv(2, &[&n]), &tlv(2, &[&key.public_exponent().to_be_bytes()])])
}

fn spki(oid: &[u8], parameters: Option<&[u8]>) -> Vec<u8> {
    tlv(0x30, &[&algorithm(oid, parameters), &tlv(3, &[&[0], &pkcs1()])])
}

fn parameters(fields: &[Vec<u8>]) -> Vec<u8> {
    tlv(0x30, &fields.iter().map(Vec::as_slice).collect::<Vec<_>>())
}

/// s of an encoded message as wide as n, which has 1024 bits.
fn signed(encoded: &[u8]) -> Vec<u8> {
    let mut out = vec![0; 128];
    assert_eq!(private().pow_list(&[encoded], &mut out, &Options::default()), Ok(Vec::new()));
    out
}

fn pss(hash: Hash, mgf: Hash, salt: usize) -> Vec<u8> {
    let salt = vec![7; salt];
    let seed = hash.digest(&[&[0; 8][..], &hash.digest(MESSAGE), &salt].concat());
    let length = 128 - seed.len() - 1;
    let mut block = vec![0; length];
    block[length - salt.len() - 1] = 1;
    block[length - salt.len()..].copy_from_slice(&salt);
    let mask = (0u32..).flat_map(|at| mgf.digest(&[&seed[..], &at.to_be_bytes()].concat()));
    block.iter_mut().zip(mask).for_each(|(to, by)| *to ^= by);
    block[0] &= 0x7f;
    signed(&[&block[..], &seed, &[0xbc]].concat())
}

fn pkcs1_signature() -> Vec<u8> {
    let info = [&[0x30, 0x31, 0x30, 0x0d, 6, 9], SHA256, &[5, 0, 4, 32], &Hash::Sha256.digest(MESSAGE)].concat();
    signed(&[&[0, 1][..], &vec![0xff; 125 - info.len()], &[0], &info].concat())
}

fn reason(key: &PublicKey, scheme: Scheme, signature: &[u8]) -> Option<Reason> {
    let check = Check::new(key, scheme, MESSAGE, signature);
    let legacy = verify(&check, Policy::Legacy).unwrap().reason();
    assert_eq!(verify(&check, Policy::Strict).unwrap().reason(), legacy);
    let listed = verify_list(&[check, check], Policy::Legacy, &Options::default()).unwrap();
    assert!(listed.into_iter().all(|verdict| verdict.unwrap().reason() == legacy));
    legacy
}

fn scheme(hash: Hash, mgf: Hash, salt: Salt) -> Scheme {
    Scheme::RsaPss { hash, mgf, salt }
}

fn told(data: &[u8]) -> String {
    let error = PublicKey::load(data).unwrap_err();
    assert!(matches!(error, Error::BadArgument(_)), "{error}");
    error.to_string()
}

#[test]
fn a_key_without_a_restriction_verifies_all() {
    for data in [spki(RSA, Some(NULL)), spki(RSA, None), pkcs1()] {
        let key = PublicKey::load(&data).unwrap();
        let PublicKey::Rsa(rsa) = &key else { panic!("{key:?}") };
        assert_eq!(rsa.restriction(), None);
        assert_eq!(reason(&key, Scheme::RsaPkcs1(Hash::Sha256), &pkcs1_signature()), None);
        let signature = pss(Hash::Sha256, Hash::Sha1, 3);
        assert_eq!(reason(&key, scheme(Hash::Sha256, Hash::Sha1, Salt::Any), &signature), None);
        let of_key = Scheme::RsaPssOfKey { hash: None, mgf: None, salt: Salt::Any };
        assert_eq!(of_key.with_key(&key), scheme(Hash::Sha256, Hash::Sha256, Salt::Any));
        assert_eq!(reason(&key, of_key, &pss(Hash::Sha256, Hash::Sha256, 0)), None);
        let of_key = Scheme::RsaPssOfKey { hash: Some(Hash::Sha384), mgf: None, salt: Salt::Bytes(9) };
        assert_eq!(of_key.with_key(&key), scheme(Hash::Sha384, Hash::Sha384, Salt::Bytes(9)));
    }
}

#[test]
fn a_key_for_pss_without_parameters_verifies_pss_alone() {
    let key = PublicKey::load(&spki(PSS, None)).unwrap();
    let PublicKey::Rsa(rsa) = &key else { panic!("{key:?}") };
    assert_eq!(rsa.restriction(), Some(PssRestriction::new(None)));
    assert_eq!(reason(&key, Scheme::RsaPkcs1(Hash::Sha256), &pkcs1_signature()), Some(Reason::Policy));
    for (hash, mgf, salt) in
        [(Hash::Sha1, Hash::Sha256, 0), (Hash::Sha256, Hash::Sha256, 32), (Hash::Sha384, Hash::Sha1, 5)]
    {
        let signature = pss(hash, mgf, salt);
        assert_eq!(reason(&key, scheme(hash, mgf, Salt::Any), &signature), None);
        assert_eq!(reason(&key, scheme(hash, mgf, Salt::Bytes(salt)), &signature), None);
        assert_eq!(reason(&key, scheme(hash, mgf, Salt::Bytes(salt + 1)), &signature), Some(Reason::Mismatch));
    }
    // Another key, as the restriction differs.
    assert_ne!(key, PublicKey::load(&spki(RSA, None)).unwrap());
    let dsa = verify(&Check::new(&key, Scheme::Dsa(Hash::Sha1), MESSAGE, &[]), Policy::Legacy);
    assert!(matches!(dsa, Err(Error::BadArgument(_))));
}

#[test]
fn parameters_are_obeyed() {
    let full =
        parameters(&[hash_field(SHA256), mask_field(SHA256), number_field(0xa2, &[32]), number_field(0xa3, &[1])]);
    let key = PublicKey::load(&spki(PSS, Some(&full))).unwrap();
    let good = scheme(Hash::Sha256, Hash::Sha256, Salt::Any);
    // The salt of the key is the shortest.
    for salt in [32, 33, 60] {
        let signature = pss(Hash::Sha256, Hash::Sha256, salt);
        assert_eq!(reason(&key, good, &signature), None, "{salt}");
        assert_eq!(reason(&key, scheme(Hash::Sha256, Hash::Sha256, Salt::Bytes(salt)), &signature), None);
        let of_key = Scheme::RsaPssOfKey { hash: None, mgf: None, salt: Salt::Any };
        assert_eq!(reason(&key, of_key, &signature), None);
    }
    for salt in [0, 20, 31] {
        let signature = pss(Hash::Sha256, Hash::Sha256, salt);
        assert_eq!(reason(&key, good, &signature), Some(Reason::Policy), "{salt}");
        let exact = scheme(Hash::Sha256, Hash::Sha256, Salt::Bytes(salt));
        assert_eq!(reason(&key, exact, &signature), Some(Reason::Policy));
    }
    assert_eq!(reason(&key, good, &pss(Hash::Sha256, Hash::Sha1, 32)), Some(Reason::Mismatch));
    for (hash, mgf) in
        [(Hash::Sha1, Hash::Sha1), (Hash::Sha256, Hash::Sha1), (Hash::Sha1, Hash::Sha256), (Hash::Sha512, Hash::Sha512)]
    {
        let signature = pss(hash, mgf, 32);
        assert_eq!(reason(&key, scheme(hash, mgf, Salt::Any), &signature), Some(Reason::Policy), "{hash} {mgf}");
    }
    assert_eq!(reason(&key, Scheme::RsaPkcs1(Hash::Sha256), &pkcs1_signature()), Some(Reason::Policy));
    // One key that is restricted spoils no other in a list.
    let free = PublicKey::load(&pkcs1()).unwrap();
    let signature = pkcs1_signature();
    let check = |key| Check {
        key,
        scheme: Scheme::RsaPkcs1(Hash::Sha256),
        message: Message::Raw(MESSAGE),
        signature: Signature::Bytes(&signature, Default::default()),
    };
    let listed = verify_list(&[check(&free), check(&key), check(&free)], Policy::Legacy, &Options::default()).unwrap();
    let listed: Vec<_> = listed.into_iter().map(|verdict| verdict.unwrap().reason()).collect();
    assert_eq!(listed, [None, Some(Reason::Policy), None]);
}

#[test]
fn what_is_missing_has_the_values_of_rfc_4055() {
    let of = |fields: &[Vec<u8>]| {
        let key = PublicKey::load(&spki(PSS, Some(&parameters(fields)))).unwrap();
        let PublicKey::Rsa(key) = key else { panic!("{key:?}") };
        key.restriction().unwrap().parameters.unwrap()
    };
    let wanted = |hash, mgf, least_salt| PssParameters { hash, mgf, least_salt };
    assert_eq!(of(&[]), wanted(Hash::Sha1, Hash::Sha1, 20));
    assert_eq!(of(&[hash_field(SHA256)]), wanted(Hash::Sha256, Hash::Sha1, 20));
    assert_eq!(of(&[mask_field(SHA256)]), wanted(Hash::Sha1, Hash::Sha256, 20));
    assert_eq!(of(&[number_field(0xa2, &[0])]), wanted(Hash::Sha1, Hash::Sha1, 0));
    assert_eq!(of(&[hash_field(SHA1), mask_field(SHA1), number_field(0xa3, &[1])]), wanted(Hash::Sha1, Hash::Sha1, 20));
    // Parameters of a hash function may be missing.
    assert_eq!(of(&[tlv(0xa0, &[&algorithm(SHA256, None)])]), wanted(Hash::Sha256, Hash::Sha1, 20));
    // Without a word the key says which.
    let key = PublicKey::load(&spki(PSS, Some(&parameters(&[hash_field(SHA256)])))).unwrap();
    let of_key = Scheme::RsaPssOfKey { hash: None, mgf: None, salt: Salt::Any };
    assert_eq!(reason(&key, of_key, &pss(Hash::Sha256, Hash::Sha1, 20)), None);
    assert_eq!(reason(&key, of_key, &pss(Hash::Sha256, Hash::Sha1, 19)), Some(Reason::Policy));
    let named = Scheme::RsaPssOfKey { hash: Some(Hash::Sha512), mgf: None, salt: Salt::Any };
    assert_eq!(reason(&key, named, &pss(Hash::Sha512, Hash::Sha1, 20)), Some(Reason::Policy));
}

#[test]
fn parameters_that_are_not_understood_refuse_the_key() {
    let refused = |why: &str, parameters: &[u8]| {
        let told = told(&spki(PSS, Some(parameters)));
        assert!(told.contains(why), "{told}");
    };
    refused("damaged", NULL);
    refused("damaged", &tlv(0x30, &[&tlv(2, &[&[1]])]));
    refused("MD5", &parameters(&[hash_field(MD5)]));
    refused("MD5", &parameters(&[mask_field(MD5)]));
    refused("not MGF1", &parameters(&[tlv(0xa1, &[&algorithm(SHA256, Some(NULL))])]));
    refused("not MGF1", &parameters(&[tlv(0xa1, &[&algorithm(MGF1, None)])]));
    refused("trailer", &parameters(&[number_field(0xa3, &[2])]));
    refused("out of order", &parameters(&[number_field(0xa2, &[9]), hash_field(SHA256)]));
    refused("out of order", &parameters(&[hash_field(SHA256), hash_field(SHA1)]));
    refused("unknown field", &parameters(&[number_field(0xa4, &[1])]));
    refused("damaged", &parameters(&[number_field(0xa2, &[0xff])]));
    refused("too short for the salt", &parameters(&[number_field(0xa2, &[107])]));
    refused("too short for the salt", &parameters(&[number_field(0xa2, &[1; 40])]));
    assert!(PublicKey::load(&spki(PSS, Some(&parameters(&[number_field(0xa2, &[106])])))).is_ok());
    // The other types.
    assert!(told(&spki(OAEP, None)).contains("id-RSAES-OAEP"));
    assert!(told(&spki(OAEP, Some(&tlv(0x30, &[])))).contains("id-RSAES-OAEP"));
    assert!(told(&spki(RSA, Some(&tlv(0x30, &[])))).contains("not NULL"));
    assert!(told(&spki(RSA, Some(&tlv(5, &[&[0]])))).contains("not NULL"));
    assert!(told(&spki(&[0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1], Some(NULL))).contains("elliptic curve"));
    assert!(told(&spki(&[0x2b, 0x65, 0x70], None)).contains("Ed25519"));
    // DSA whose parameters the issuer has.
    let dsa = [0x2a, 0x86, 0x48, 0xce, 0x38, 4, 1];
    assert!(told(&spki(&dsa, None)).contains("left to the issuer"));
    assert!(told(&spki(&dsa, Some(NULL))).contains("left to the issuer"));
    // Only the numbers, with a restriction.
    let (n, e) = (private().modulus().value().clone(), private().public_exponent().clone());
    let long = PssParameters { hash: Hash::Sha512, mgf: Hash::Sha512, least_salt: 63 };
    assert!(RsaKey::restricted(n, e, Some(PssRestriction::new(Some(long)))).is_err());
}

/// Made by OpenSSL: SHA-256, a mask by SHA-1, a salt of 32 bytes or more.
#[test]
fn keys_and_certificates_of_openssl() {
    let signature = include_bytes!("data/pss_restricted.sig");
    for data in [&include_bytes!("data/pss_restricted.pem")[..], include_bytes!("data/pss_certificate.pem")] {
        let key = PublicKey::load(data).unwrap();
        let PublicKey::Rsa(rsa) = &key else { panic!("{key:?}") };
        let told = rsa.restriction().unwrap().to_string();
        assert_eq!(told, "RSASSA-PSS with sha256, a mask by sha1 and a salt of at least 32 bytes");
        assert_eq!(reason(&key, scheme(Hash::Sha256, Hash::Sha1, Salt::Any), signature), None);
        assert_eq!(reason(&key, scheme(Hash::Sha256, Hash::Sha256, Salt::Any), signature), Some(Reason::Policy));
        assert_eq!(reason(&key, Scheme::RsaPkcs1(Hash::Sha256), signature), Some(Reason::Policy));
    }
}

#[test]
fn certificates_say_what_their_keys_are_for() {
    let of = |name: &str| {
        std::fs::read(format!("{}/tests/data/certificates/{name}.pem", env!("CARGO_MANIFEST_DIR"))).unwrap()
    };
    let wanted = PublicKey::load(&of("sign")).unwrap();
    for name in ["issue", "mixed", "trusted_name", "trusted_bare", "trusted_for_any"] {
        assert_eq!(PublicKey::load(&of(name)).unwrap(), wanted, "{name}");
    }
    for (name, why) in [
        ("encipher", "keyEncipherment"),
        ("file_encryption", "extendedKeyUsage"),
        ("critical", "critical extension that is not known here, 1.2.3.4"),
        ("trusted_for", "TRUSTED CERTIFICATE"),
        ("rejected", "TRUSTED CERTIFICATE"),
    ] {
        let told = told(&of(name));
        assert!(told.contains(why), "{name}: {told}");
    }
    // Another label does not make settings of trust readable.
    let text = String::from_utf8(of("trusted_name")).unwrap().replace("TRUSTED CERT", "CERT");
    assert!(PublicKey::load(text.as_bytes()).is_err());
    let (_, der) = pem_rfc7468::decode_vec(&of("trusted_name")).unwrap();
    assert!((0..der.len()).all(|end| PublicKey::load(&der[..end]).is_err() || end == certificate_length(&der)));
}

/// A certificate whose body has these fields behind its key.
fn certificate(version: &[u8], more: &[&[u8]]) -> Vec<u8> {
    let (name, number) = (tlv(0x30, &[]), tlv(2, &[&[1]]));
    let signature = algorithm(RSA, Some(NULL));
    let key = spki(RSA, Some(NULL));
    let fields = [&[version, &number, &signature, &name, &name, &name, &key][..], more].concat();
    tlv(0x30, &[&tlv(0x30, &fields), &signature, &tlv(3, &[&[0, 1]])])
}

/// The block of extensions, of these with their values.
fn extensions(list: &[(&[u8], &[u8])]) -> Vec<u8> {
    let list: Vec<Vec<u8>> = list.iter().map(|(oid, value)| tlv(0x30, &[&tlv(6, &[oid]), &tlv(4, &[value])])).collect();
    tlv(0xa3, &[&tlv(0x30, &list.iter().map(Vec::as_slice).collect::<Vec<_>>())])
}

/// What a reader may overlook is refused: bits that are not used, fields at another place, of another tag or there twice.
#[test]
fn malformed_restrictions_of_certificates_are_refused() {
    const USAGE: &[u8] = &[0x55, 0x1d, 0x0f];
    const EXTENDED: &[u8] = &[0x55, 0x1d, 0x25];
    let v3 = tlv(0xa0, &[&tlv(2, &[&[2]])]);
    let usage = |bits: &[u8]| extensions(&[(USAGE, bits)]);
    let load = |more: &[&Vec<u8>]| {
        PublicKey::load(&certificate(&v3, &more.iter().map(|field| &field[..]).collect::<Vec<_>>()))
    };
    let wanted = PublicKey::load(&pkcs1()).unwrap();
    let number = tlv(0x82, &[&[0, 1]]);
    for good in [
        &[][..],
        &[&usage(&[3, 2, 7, 0x80])],
        &[&usage(&[3, 2, 1, 0x06])],
        &[&usage(&[3, 3, 7, 0x80, 0x80])],
        &[&tlv(0x81, &[&[0, 1]]), &number, &usage(&[3, 2, 5, 0xa0])],
    ] {
        assert_eq!(load(good), Ok(wanted.clone()), "{good:?}");
    }
    // Without a version it is the first one.
    assert_eq!(PublicKey::load(&certificate(&[], &[])), Ok(wanted));
    let encipher = usage(&[3, 2, 5, 0x20]);
    let (good, name) = (usage(&[3, 2, 7, 0x80]), tlv(0x30, &[&tlv(6, &[&[0x2a, 3]])]));
    let primitive = [&[0x83], &good[1..]].concat();
    for (more, why) in [
        // Bits of keyCertSign and cRLSign that are not used.
        (&[&usage(&[3, 2, 5, 0x27])][..], "malformed"),
        (&[&usage(&[3, 2, 7, 0x06])], "malformed"),
        (&[&usage(&[3, 2, 7, 0xc0])], "malformed"),
        (&[&usage(&[3, 4, 0, 0x80, 0, 1])], "malformed"),
        // The tenth bit, which has no name, and the ninth without others.
        (&[&usage(&[3, 3, 6, 0x80, 0x40])], "malformed"),
        (&[&usage(&[3, 3, 0, 0x80, 0x01])], "malformed"),
        (&[&usage(&[3, 3, 7, 0x00, 0x80])], "is for decipherOnly, not"),
        (&[&usage(&[3, 1, 0])], "nothing"),
        (&[&usage(&[2, 1, 1])], "certificate"),
        (&[&encipher], "keyEncipherment"),
        (&[&good, &encipher], "malformed"),
        (&[&good, &good], "malformed"),
        (&[&good, &number], "malformed"),
        (&[&number, &number], "malformed"),
        (&[&primitive], "malformed"),
        (&[&good, &tlv(4, &[&[1]])], "malformed"),
        (&[&tlv(0xa4, &[&good])], "malformed"),
        (&[&extensions(&[(USAGE, &[3, 2, 7, 0x80]), (USAGE, &[3, 2, 5, 0x20])])], "keyEncipherment"),
        (&[&extensions(&[(USAGE, &[3, 2, 7, 0x80]), (USAGE, &[3, 2, 7, 0x80])])], "twice"),
        (&[&extensions(&[(&[0x2a, 3], &[5, 0]), (&[0x2a, 3], &[5, 0])])], "twice"),
        (&[&extensions(&[(EXTENDED, &tlv(0x30, &[&tlv(2, &[&[1]])]))])], "malformed"),
        (&[&extensions(&[(EXTENDED, &tlv(0x30, &[&tlv(4, &[&[0x55, 0x1d, 0x25, 0]])]))])], "malformed"),
    ] {
        let told = load(more).unwrap_err().to_string();
        assert!(told.contains(why), "{why}: {told}");
    }
    for version in [tlv(0xa0, &[&tlv(2, &[&[9]])]), tlv(0xa0, &[&tlv(2, &[&[0xff]])]), tlv(0xa0, &[&tlv(4, &[&[2]])])] {
        assert!(PublicKey::load(&certificate(&version, &[])).is_err());
    }
    // Settings of trust.
    let trusted = |settings: &[&Vec<u8>]| {
        let settings: Vec<&[u8]> = settings.iter().map(|field| &field[..]).collect();
        let der = [certificate(&v3, &[]), tlv(0x30, &settings)].concat();
        PublicKey::load(
            pem_rfc7468::encode_string("TRUSTED CERTIFICATE", pem_rfc7468::LineEnding::LF, &der).unwrap().as_bytes(),
        )
    };
    let any = tlv(0x30, &[&tlv(6, &[&[0x55, 0x1d, 0x25, 0]])]);
    let (text, id) = (tlv(0x0c, &[b"name"]), tlv(4, &[&[1]]));
    for good in [&[][..], &[&any], &[&any, &text, &id], &[&text], &[&id, &tlv(0xa1, &[])]] {
        assert!(trusted(good).is_ok(), "{good:?}");
    }
    for (settings, why) in [
        (&[&name][..], "trusted for alone"),
        (&[&tlv(0xa0, &[&tlv(6, &[&[0x2a, 3]])])], "rejected"),
        (&[&tlv(0x80, &[&tlv(6, &[&[0x2a, 3]])])], "rejected"),
        (&[&any, &name], "malformed"),
        (&[&text, &any], "malformed"),
        (&[&tlv(0x30, &[&tlv(4, &[&[0x55, 0x1d, 0x25, 0]])])], "malformed"),
        (&[&tlv(2, &[&[1]])], "malformed"),
        (&[&tlv(0xa2, &[])], "malformed"),
    ] {
        let told = trusted(settings).unwrap_err().to_string();
        assert!(told.contains(why), "{why}: {told}");
    }
}

/// The length of the certificate before settings of trust.
fn certificate_length(der: &[u8]) -> usize {
    4 + usize::from(der[2]) * 256 + usize::from(der[3])
}

#[test]
fn lines_of_openssh_with_options_and_other_kinds_are_refused_by_name() {
    let key = private();
    let string = |bytes: &[u8]| [&(bytes.len() as u32).to_be_bytes(), bytes].concat();
    let n = [&[0], &key.modulus().value().to_be_bytes()[..]].concat();
    let blob = [string(b"ssh-rsa"), string(&key.public_exponent().to_be_bytes()), string(&n)].concat();
    let blob = {
        use base64ct::{Base64, Encoding};
        Base64::encode_string(&blob)
    };
    let line = format!("ssh-rsa {blob} a comment");
    let wanted = PublicKey::load(&pkcs1()).unwrap();
    for text in [line.clone(), format!("# keys\n\n{line}\r\n{line}"), format!("\u{feff}{line}")] {
        assert_eq!(PublicKey::load(text.as_bytes()).unwrap(), wanted);
    }
    let latin = [line.as_bytes(), b" m\xfcller"].concat();
    assert_eq!(PublicKey::load(&latin).unwrap(), wanted);
    for (text, why) in [
        (format!("restrict {line}"), "`restrict` stands before `ssh-rsa`"),
        (format!("from=\"10.0.0.1\",no-pty {line}"), "may restrict the key"),
        (format!("@revoked host {line}"), "`@revoked` stands before"),
        (format!("me@example.org namespaces=\"file\" {line}"), "stands before"),
        (format!("ssh-rsa-cert-v01@openssh.com {blob}"), "certificate of OpenSSH"),
        (format!("rsa-sha2-256-cert-v01@openssh.com {blob}"), "certificate of OpenSSH"),
        (format!("ecdsa-sha2-nistp256 {blob}"), "`ecdsa-sha2-nistp256`"),
        (format!("sk-ssh-ed25519@openssh.com {blob}"), "`sk-ssh-ed25519@openssh.com`"),
    ] {
        let told = told(text.as_bytes());
        assert!(told.contains(why), "{told}");
    }
}

#[test]
fn private_keys_that_say_what_they_are_for_are_refused() {
    let pem = include_str!("data/private_pkcs1.pem");
    let (_, inner) = pem_rfc7468::decode_vec(pem.as_bytes()).unwrap();
    let pkcs8 = |oid: &[u8], parameters: Option<&[u8]>, more: &[u8]| {
        tlv(0x30, &[&tlv(2, &[&[0]]), &algorithm(oid, parameters), &tlv(4, &[&inner]), more])
    };
    let attribute = |name: &[u8]| tlv(0xa0, &[&tlv(0x30, &[&tlv(6, &[name]), &tlv(0x31, &[&tlv(3, &[&[4, 0x10]])])])]);
    let load = |data: &[u8]| RsaPrivateKey::load(data, &Options::default()).map(|_| ());
    let friendly_name = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 0x14];
    for data in [pkcs8(RSA, Some(NULL), &[]), pkcs8(RSA, None, &[]), pkcs8(RSA, Some(NULL), &attribute(&friendly_name))]
    {
        assert_eq!(load(&data), Ok(()));
    }
    for (data, why) in [
        (pkcs8(PSS, None, &[]), "id-RSASSA-PSS"),
        (pkcs8(PSS, Some(&parameters(&[hash_field(SHA256)])), &[]), "id-RSASSA-PSS"),
        (pkcs8(PSS, Some(NULL), &[]), "id-RSASSA-PSS"),
        (pkcs8(OAEP, None, &[]), "id-RSAES-OAEP"),
        (pkcs8(RSA, Some(&tlv(0x30, &[])), &[]), "not NULL"),
        (pkcs8(&[0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1], Some(NULL), &[]), "elliptic curve"),
        (pkcs8(RSA, Some(NULL), &attribute(&[0x55, 0x1d, 0x0f])), "keyUsage"),
        (pkcs8(RSA, Some(NULL), &attribute(&[0x55, 0x1d, 0x25])), "keyUsage"),
        (pkcs8(RSA, Some(NULL), &[&[0x80][..], &attribute(&friendly_name)[1..]].concat()), "malformed"),
        (pkcs8(RSA, Some(NULL), &tlv(0xa0, &[&tlv(0x30, &[&tlv(4, &[&[0x55, 0x1d, 0x0f]])])])), "malformed"),
    ] {
        let error = load(&data).unwrap_err();
        assert!(error.code() == "bad_argument" && error.to_string().contains(why), "{error}");
    }
}
