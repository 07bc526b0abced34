//! What an X.509 certificate says about the use of its key (RFC 5280), and what its owner adds to it in a TRUSTED CERTIFICATE.
//!
//! A restriction that cannot be judged without the application is one of two kinds: what only chains are judged by (dates, names,
//! policies, the list of applications) is the caller's, and docs/signatures.md says so; everything else refuses the key.

use crate::pieces::{all, elements, told};
use der::asn1::{AnyRef, BitStringRef, OctetStringRef};
use der::{Decode, SliceReader, Tag, TagNumber, Tagged};
use std::collections::HashSet;

const KEY_USAGE: &[u8] = &[0x55, 0x1d, 0x0f];
const EXTENDED_KEY_USAGE: &[u8] = &[0x55, 0x1d, 0x25];
const ANY_USAGE: &[u8] = &[0x55, 0x1d, 0x25, 0x00];

/// The last arc below 2.5.29 of extensions that restrict names, chains and dates, not what the key is for: subjectKeyIdentifier,
/// privateKeyUsagePeriod, subjectAltName, issuerAltName, basicConstraints, nameConstraints, cRLDistributionPoints, certificatePolicies,
/// policyMappings, authorityKeyIdentifier, policyConstraints, freshestCRL, inhibitAnyPolicy.
const OF_CHAINS: [u8; 13] = [14, 16, 17, 18, 19, 30, 31, 32, 33, 35, 36, 46, 54];

/// Applications that never sign: Microsoft's file encryption and its recovery, key recovery, drive encryption and its recovery,
/// and document encryption, below 1.3.6.1.4.1.311.
const MICROSOFT: &[u8] = &[0x2b, 0x06, 0x01, 0x04, 0x01, 0x82, 0x37];
const ENCRYPTING: [&[u8]; 8] =
    [&[10, 3, 4], &[10, 3, 4, 1], &[10, 3, 11], &[21, 5], &[21, 6], &[67, 1, 1], &[67, 1, 2], &[80, 1]];

const CURE: &str = "`openssl x509 -in FILE -pubkey -noout` writes the key without it";

fn damaged(error: der::Error) -> String {
    format!("certificate: {error}")
}

/// The SubjectPublicKeyInfo of a certificate: in its body, behind the version, which may be missing, and five fields.
///
/// Error: why the key is refused. What stands at another place, has another tag or is there twice is refused too: another reader may find a
/// restriction in it.
pub(crate) fn key(certificate: AnyRef<'_>) -> Result<AnyRef<'_>, String> {
    let parts = elements(certificate).map_err(damaged)?;
    let fields = parts.first().ok_or("certificate: it is empty").map_err(String::from)?;
    let fields = elements(*fields).map_err(damaged)?;
    let version = fields.first().filter(|first| first.tag() == context(true, 0));
    if let Some(version) = version {
        let version = AnyRef::from_der(version.value()).and_then(|version| version.decode_as::<u8>());
        if version.map_err(damaged)? > 2 {
            return Err("certificate: its version is none of 1, 2 and 3".into());
        }
    }
    let at = if version.is_some() { 6 } else { 5 };
    let key = *fields.get(at).ok_or("certificate: it has no key").map_err(String::from)?;
    // The identifiers of issuer and subject, and the extensions.
    let order = [context(false, 1), context(false, 2), context(true, 3)];
    for (field, _) in in_order(&fields[at + 1..], &order).ok_or("certificate: it has a field that is malformed")? {
        if field.tag() == context(true, 3) {
            let list = AnyRef::from_der(field.value()).map_err(damaged)?;
            let mut seen = HashSet::new();
            for extension in elements(list).map_err(damaged)? {
                let oid = examine(extension)?;
                if !seen.insert(oid) {
                    return Err(format!("certificate: it has the extension {} twice", told(oid)));
                }
            }
        }
    }
    Ok(key)
}

fn context(constructed: bool, number: u32) -> Tag {
    Tag::ContextSpecific { constructed, number: TagNumber(number) }
}

/// Optional fields with the places of their tags in `order`, each at most once; none for any other fields.
fn in_order<'a>(fields: &[AnyRef<'a>], order: &[Tag]) -> Option<Vec<(AnyRef<'a>, usize)>> {
    let mut next = 0;
    let mut place = |field: &AnyRef<'a>| {
        let at = next + order[next..].iter().position(|tag| *tag == field.tag())?;
        next = at + 1;
        Some((*field, at))
    };
    fields.iter().map(&mut place).collect()
}

/// The object identifiers of a list of purposes. Error: the list is malformed.
fn purposes<'a>(list: AnyRef<'a>, of: &str) -> Result<Vec<&'a [u8]>, String> {
    let purposes = elements(list).map_err(damaged)?;
    if purposes.iter().any(|purpose| purpose.tag() != Tag::ObjectIdentifier) {
        return Err(format!("{of} is malformed: a purpose is no object identifier"));
    }
    Ok(purposes.iter().map(|purpose| purpose.value()).collect())
}

/// An extension and what it says; returns its object identifier. Error: why the key is refused.
fn examine(extension: AnyRef<'_>) -> Result<&[u8], String> {
    let (oid, is_critical, value) = extension
        .sequence(|reader| {
            let oid = AnyRef::decode(reader)?;
            oid.tag().assert_eq(Tag::ObjectIdentifier)?;
            let next = AnyRef::decode(reader)?;
            if next.tag() != Tag::Boolean {
                return Ok((oid.value(), false, next.decode_as::<&OctetStringRef>()?));
            }
            Ok((oid.value(), next.decode_as::<bool>()?, <&OctetStringRef>::decode(reader)?))
        })
        .map_err(damaged)?;
    let value = || AnyRef::from_der(value.as_bytes()).map_err(damaged);
    match oid {
        KEY_USAGE => usage(value()?)?,
        EXTENDED_KEY_USAGE => {
            let purposes = purposes(value()?, "the extendedKeyUsage of its certificate")?;
            let encrypts =
                |purpose: &&[u8]| purpose.strip_prefix(MICROSOFT).is_some_and(|rest| ENCRYPTING.contains(&rest));
            if purposes.iter().all(encrypts) {
                return Err(format!("the extendedKeyUsage of its certificate names no application that signs; {CURE}"));
            }
        }
        [0x55, 0x1d, of_chains] if OF_CHAINS.contains(of_chains) => {}
        _ if is_critical => {
            return Err(format!(
                "its certificate has a critical extension that is not known here, {}; {CURE}",
                told(oid)
            ));
        }
        _ => {}
    }
    Ok(oid)
}

/// Error: a key whose certificate lets it sign nothing (RFC 5280, section 4.2.1.3).
fn usage(bits: AnyRef<'_>) -> Result<(), String> {
    const NAMES: [&str; 9] = [
        "digitalSignature",
        "nonRepudiation",
        "keyEncipherment",
        "dataEncipherment",
        "keyAgreement",
        "keyCertSign",
        "cRLSign",
        "encipherOnly",
        "decipherOnly",
    ];
    // digitalSignature, nonRepudiation, keyCertSign, cRLSign.
    const SIGNS: u16 = 0b1100_0110 << 8;
    // RFC 5280 names nine bits.
    const NAMED: u16 = 0xff80;
    let bits = bits.decode_as::<BitStringRef<'_>>().map_err(damaged)?;
    // Readers differ in what unused bits mean that are set (X.690, section 11.2.1).
    let unused = bits.raw_bytes().last().map_or(0, |last| last & !(0xff << bits.unused_bits()));
    let (first, more) = bits.raw_bytes().split_at(bits.raw_bytes().len().min(2));
    let bits = (0..2).fold(0, |word, at| word << 8 | u16::from(first.get(at).copied().unwrap_or(0)));
    if unused != 0 || bits & !NAMED != 0 || !more.is_empty() {
        return Err(format!("the keyUsage of its certificate is malformed: it has bits without a meaning; {CURE}"));
    }
    if bits & SIGNS != 0 {
        return Ok(());
    }
    let names: Vec<&str> = (0..NAMES.len()).filter(|at| bits & 0x8000 >> at != 0).map(|at| NAMES[at]).collect();
    let names = if names.is_empty() { "nothing".into() } else { names.join(", ") };
    Err(format!("the keyUsage of its certificate is for {names}, not for signatures; {CURE}"))
}

/// The certificate of a TRUSTED CERTIFICATE, behind which its owner's settings may stand: purposes that he trusts it for, purposes that
/// he rejects it for, a name and an identifier. Error: for settings of trust, which only a program that judges chains can obey.
pub(crate) fn trusted(data: &[u8]) -> Result<AnyRef<'_>, String> {
    let mut reader = SliceReader::new(data).map_err(damaged)?;
    let (certificate, settings) = match all(&mut reader).map_err(damaged)?[..] {
        [certificate] => (certificate, None),
        [certificate, settings] => (certificate, Some(settings)),
        _ => return Err("TRUSTED CERTIFICATE: bytes behind its settings".into()),
    };
    let cure = "`openssl x509 -in FILE -clrtrust -clrreject` writes it without";
    let fields = settings.map_or(Ok(Vec::new()), elements).map_err(damaged)?;
    let rejects = |field: &AnyRef<'_>| [context(true, 0), context(false, 0)].contains(&field.tag());
    if fields.iter().any(rejects) {
        return Err(format!("TRUSTED CERTIFICATE with purposes that it is rejected for; {cure}"));
    }
    // Purposes, a name, an identifier of the key, other algorithms.
    let order = [Tag::Sequence, Tag::Utf8String, Tag::OctetString, context(true, 1)];
    for (field, place) in in_order(&fields, &order).ok_or("TRUSTED CERTIFICATE: its settings are malformed")? {
        if place == 0 && !purposes(field, "TRUSTED CERTIFICATE")?.contains(&ANY_USAGE) {
            return Err(format!("TRUSTED CERTIFICATE with purposes that it is trusted for alone; {cure}"));
        }
    }
    Ok(certificate)
}
