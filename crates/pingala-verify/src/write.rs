//! Keys as SubjectPublicKeyInfo, with what restricts them.

use crate::restriction::{MGF1, PssParameters, RSA, RSA_PSS};
use crate::{Hash, PublicKey};
use pingala::Natural;

const NULL: &[u8] = &[5, 0];

/// An element of DER.
fn element(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    let mut element = vec![tag];
    if length < 0x80 {
        element.push(length as u8);
    } else {
        let digits = length.to_be_bytes();
        let digits = &digits[length.leading_zeros() as usize / 8..];
        element.push(0x80 | digits.len() as u8);
        element.extend(digits);
    }
    parts.iter().for_each(|part| element.extend(*part));
    element
}

fn sequence(parts: &[&[u8]]) -> Vec<u8> {
    element(0x30, parts)
}

fn integer(number: &Natural) -> Vec<u8> {
    // A zero on top if the first bit would be a sign, and for 0.
    element(2, &[&number.to_be_bytes_padded(number.bits() as usize / 8 + 1).unwrap_or_default()])
}

fn algorithm(oid: &[u8], parameters: &[u8]) -> Vec<u8> {
    sequence(&[&element(6, &[oid]), parameters])
}

/// RSASSA-PSS-params, without the values that are the default.
fn of_pss(parameters: &PssParameters) -> Vec<u8> {
    let of = |hash: Hash| algorithm(&hash.oid(), NULL);
    let mut fields = Vec::new();
    if parameters.hash != Hash::Sha1 {
        fields.extend(element(0xa0, &[&of(parameters.hash)]));
    }
    if parameters.mgf != Hash::Sha1 {
        fields.extend(element(0xa1, &[&algorithm(MGF1, &of(parameters.mgf))]));
    }
    if parameters.least_salt != 20 {
        fields.extend(element(0xa2, &[&integer(&Natural::from(parameters.least_salt as u64))]));
    }
    sequence(&[&fields])
}

impl PublicKey {
    /// The key as DER of a SubjectPublicKeyInfo, with its restriction: [`PublicKey::load`] makes the same key of it.
    pub fn to_der(&self) -> Vec<u8> {
        let (algorithm, key) = match self {
            PublicKey::Dsa(key) => {
                let domain = sequence(&[&integer(key.p()), &integer(key.q()), &integer(key.g())]);
                (algorithm(crate::load::DSA, &domain), integer(key.y()))
            }
            PublicKey::Rsa(key) => {
                let algorithm = match key.restriction() {
                    None => algorithm(RSA, NULL),
                    Some(restriction) => {
                        algorithm(RSA_PSS, &restriction.parameters.as_ref().map(of_pss).unwrap_or_default())
                    }
                };
                (algorithm, sequence(&[&integer(key.n()), &integer(key.e())]))
            }
        };
        sequence(&[&algorithm, &element(3, &[&[0], &key])])
    }
}
