//! What a key of RSA says about its use: keys of type id-RSASSA-PSS (RFC 4055) are only for that scheme.

use crate::pieces::{Algorithm, elements, told};
use crate::verdict::Reason;
use crate::{Hash, Salt, Scheme};
use der::asn1::{AnyRef, UintRef};
use der::{Decode, Tag, TagNumber, Tagged};

pub(crate) const RSA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01];
const RSA_OAEP: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x07];
pub(crate) const MGF1: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x08];
pub(crate) const RSA_PSS: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0a];

/// The restriction of a key of type id-RSASSA-PSS: it verifies only this scheme, and only with its parameters if it has some.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct PssRestriction {
    /// None: only the scheme is restricted.
    pub parameters: Option<PssParameters>,
}

/// The parameters of a key of type id-RSASSA-PSS.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PssParameters {
    /// The hash function of messages.
    pub hash: Hash,
    /// The hash function of the mask.
    pub mgf: Hash,
    /// The length of the shortest salt, in bytes.
    pub least_salt: usize,
}

impl PssRestriction {
    /// A restriction to the scheme, or to the scheme with these parameters.
    pub fn new(parameters: Option<PssParameters>) -> Self {
        Self { parameters }
    }

    /// Error: `policy` for a scheme that the key does not allow.
    pub(crate) fn check(&self, scheme: Scheme) -> Result<(), Reason> {
        let allows = match (scheme, self.parameters) {
            (Scheme::RsaPss { .. }, None) => true,
            (Scheme::RsaPss { hash, mgf, salt }, Some(wanted)) => {
                let is_long = !matches!(salt, Salt::Bytes(bytes) if bytes < wanted.least_salt);
                hash == wanted.hash && mgf == wanted.mgf && is_long
            }
            _ => false,
        };
        if allows { Ok(()) } else { Err(Reason::Policy) }
    }

    /// The length of the shortest salt, in bytes.
    pub(crate) fn least_salt(&self) -> usize {
        self.parameters.map_or(0, |parameters| parameters.least_salt)
    }
}

impl core::fmt::Display for PssRestriction {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self.parameters {
            None => write!(f, "RSASSA-PSS"),
            Some(PssParameters { hash, mgf, least_salt }) => {
                write!(f, "RSASSA-PSS with {hash}, a mask by {mgf} and a salt of at least {least_salt} bytes")
            }
        }
    }
}

/// The restriction that the algorithm of a key of RSA states. Error: the reason why the key is refused, or none if it is no key of RSA.
pub(crate) fn of_rsa(algorithm: Algorithm<'_>) -> Result<Option<PssRestriction>, Option<String>> {
    match (algorithm.oid, algorithm.parameters) {
        (RSA, _) if algorithm.is_plain() => Ok(None),
        (RSA, _) => Err(Some("the parameters of rsaEncryption are not NULL: they may restrict the key".into())),
        (RSA_PSS, None) => Ok(Some(PssRestriction { parameters: None })),
        (RSA_PSS, Some(parameters)) => {
            let parameters = of_parameters(parameters).map_err(Some)?;
            Ok(Some(PssRestriction { parameters: Some(parameters) }))
        }
        (RSA_OAEP, _) => Err(Some("a key for encryption alone: its type is id-RSAES-OAEP".into())),
        _ => Err(None),
    }
}

/// RSASSA-PSS-params (RFC 4055, section 3.1): each field has a tag of its own, an order, and a default value.
fn of_parameters(parameters: AnyRef<'_>) -> Result<PssParameters, String> {
    let damaged = |_: der::Error| String::from("the parameters of id-RSASSA-PSS are damaged");
    let mut found = PssParameters { hash: Hash::Sha1, mgf: Hash::Sha1, least_salt: 20 };
    let mut next = 0;
    for field in elements(parameters).map_err(damaged)? {
        let Tag::ContextSpecific { constructed: true, number: TagNumber(number) } = field.tag() else {
            return Err("the parameters of id-RSASSA-PSS are damaged".into());
        };
        if number < next {
            return Err("the parameters of id-RSASSA-PSS are out of order".into());
        }
        next = number + 1;
        let value = AnyRef::from_der(field.value()).map_err(damaged)?;
        match number {
            0 => found.hash = hash(Algorithm::of(value).map_err(damaged)?)?,
            1 => {
                let mask = Algorithm::of(value).map_err(damaged)?;
                let (MGF1, Some(of)) = (mask.oid, mask.parameters) else {
                    return Err(format!("the mask of its id-RSASSA-PSS is not MGF1 but {}", told(mask.oid)));
                };
                found.mgf = hash(Algorithm::of(of).map_err(damaged)?)?;
            }
            2 => {
                let bytes = value.decode_as::<UintRef<'_>>().map_err(damaged)?;
                // What is too long for a number is too long for any key.
                found.least_salt = bytes
                    .as_bytes()
                    .iter()
                    .fold(0usize, |sum, &byte| sum.saturating_mul(256).saturating_add(byte.into()));
            }
            3 if value.decode_as::<u64>() == Ok(1) => {}
            3 => return Err("the trailer field of its id-RSASSA-PSS is not 1".into()),
            _ => return Err("the parameters of id-RSASSA-PSS have an unknown field".into()),
        }
    }
    Ok(found)
}

fn hash(algorithm: Algorithm<'_>) -> Result<Hash, String> {
    let hash = Hash::ALL.into_iter().find(|hash| hash.oid() == algorithm.oid).filter(|_| algorithm.is_plain());
    hash.ok_or_else(|| format!("a hash function of its id-RSASSA-PSS that is not supported: {}", told(algorithm.oid)))
}
