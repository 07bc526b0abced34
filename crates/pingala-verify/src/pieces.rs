//! Pieces of DER that keys of every form have.

use der::asn1::{AnyRef, ObjectIdentifier};
use der::{Decode, Reader, Tag, Tagged};

/// The elements of a sequence.
pub(crate) fn elements(sequence: AnyRef<'_>) -> Result<Vec<AnyRef<'_>>, der::Error> {
    sequence.sequence(all)
}

/// What is left to read.
pub(crate) fn all<'a>(reader: &mut impl Reader<'a>) -> Result<Vec<AnyRef<'a>>, der::Error> {
    let mut elements = Vec::new();
    while !reader.is_finished() {
        elements.push(AnyRef::decode(reader)?);
    }
    Ok(elements)
}

/// An AlgorithmIdentifier (RFC 5280, section 4.1.1.2).
#[derive(Clone, Copy)]
pub(crate) struct Algorithm<'a> {
    /// The content of the object identifier.
    pub(crate) oid: &'a [u8],
    pub(crate) parameters: Option<AnyRef<'a>>,
}

impl<'a> Algorithm<'a> {
    pub(crate) fn of(sequence: AnyRef<'a>) -> Result<Self, der::Error> {
        match elements(sequence)?[..] {
            [oid] if oid.tag() == Tag::ObjectIdentifier => Ok(Self { oid: oid.value(), parameters: None }),
            [oid, parameters] if oid.tag() == Tag::ObjectIdentifier => {
                Ok(Self { oid: oid.value(), parameters: Some(parameters) })
            }
            _ => Err(Tag::ObjectIdentifier.value_error().into()),
        }
    }

    /// Whether there are no parameters, or NULL.
    pub(crate) fn is_plain(&self) -> bool {
        self.parameters.is_none_or(AnyRef::is_null)
    }
}

/// The arcs of an object identifier, with its name if it has one here.
pub(crate) fn told(oid: &[u8]) -> String {
    let arcs = ObjectIdentifier::from_bytes(oid)
        .map_or_else(|_| "an object identifier that is damaged or long".into(), |oid| oid.to_string());
    match NAMES.iter().find(|(of, _)| *of == arcs) {
        Some((_, name)) => format!("{arcs} ({name})"),
        None => arcs,
    }
}

/// What people have instead of keys of DSA and RSA.
const NAMES: [(&str, &str); 24] = [
    ("1.2.840.10045.2.1", "id-ecPublicKey, an elliptic curve"),
    ("1.3.132.1.12", "id-ecDH, an elliptic curve"),
    ("1.3.101.110", "X25519"),
    ("1.3.101.111", "X448"),
    ("1.3.101.112", "Ed25519"),
    ("1.3.101.113", "Ed448"),
    ("1.2.840.10046.2.1", "dhpublicnumber, Diffie-Hellman"),
    ("1.2.840.113549.1.3.1", "dhKeyAgreement, Diffie-Hellman"),
    ("1.2.840.113549.1.1.1", "rsaEncryption"),
    ("1.2.840.113549.1.1.7", "id-RSAES-OAEP"),
    ("1.2.840.113549.1.1.8", "id-mgf1"),
    ("1.2.840.113549.1.1.10", "id-RSASSA-PSS"),
    ("1.2.840.10040.4.1", "id-dsa"),
    ("1.2.840.113549.2.5", "MD5"),
    ("2.16.840.1.101.3.4.2.11", "SHAKE128"),
    ("2.16.840.1.101.3.4.2.12", "SHAKE256"),
    ("2.16.840.1.101.3.4.3.17", "ML-DSA-44"),
    ("2.16.840.1.101.3.4.3.18", "ML-DSA-65"),
    ("2.16.840.1.101.3.4.3.19", "ML-DSA-87"),
    ("2.16.840.1.101.3.4.4.1", "ML-KEM-512"),
    ("2.16.840.1.101.3.4.4.2", "ML-KEM-768"),
    ("2.16.840.1.101.3.4.4.3", "ML-KEM-1024"),
    ("1.3.6.1.4.1.11129.2.4.3", "the poison of a precertificate"),
    ("2.5.29.15", "keyUsage"),
];
