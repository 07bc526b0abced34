//! One signature to verify: what its encodings and ranges leave to compute.

use crate::key::{DsaKey, RsaKey};
use crate::padding::{self, Salt};
use crate::verdict::{Reason, Weaknesses};
use crate::{Encoding, Hash, PublicKey, Signature, Verdict};
use pingala_core::{Error, Integer, Natural};
use std::borrow::Cow;

/// A signature with its key and its message.
#[derive(Clone, Copy, Debug)]
pub struct Check<'a> {
    /// The key.
    pub key: &'a PublicKey,
    /// The signature scheme.
    pub scheme: Scheme,
    /// The message, or its digest.
    pub message: Message<'a>,
    /// The signature.
    pub signature: Signature<'a>,
}

impl<'a> Check<'a> {
    /// Of a message and a signature in its usual encoding: DER for DSA, as wide as n for RSA.
    pub fn new(key: &'a PublicKey, scheme: Scheme, message: &'a [u8], signature: &'a [u8]) -> Self {
        Self { key, scheme, message: Message::Raw(message), signature: Signature::Bytes(signature, Encoding::Der) }
    }
}

/// A signature scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// DSA (FIPS 186-4, section 4.7).
    Dsa(Hash),
    /// RSASSA-PKCS1-v1_5 (RFC 8017, section 8.2).
    RsaPkcs1(Hash),
    /// RSASSA-PSS (RFC 8017, section 8.1) with MGF1.
    RsaPss {
        /// Of the message.
        hash: Hash,
        /// Of the mask.
        mgf: Hash,
        /// Its length.
        salt: Salt,
    },
    /// RSASSA-PSS. What is not given here the key says ([`crate::RsaKey::restriction`]). If it says nothing, SHA-256 is used for the
    /// message, and the message's hash for the mask.
    RsaPssOfKey {
        /// Of the message.
        hash: Option<Hash>,
        /// Of the mask.
        mgf: Option<Hash>,
        /// Its length; of any the key may demand the shortest.
        salt: Salt,
    },
}

impl Scheme {
    /// The hash function of the message; of [`Scheme::RsaPssOfKey`] without one that of a key that says nothing.
    pub fn hash(self) -> Hash {
        match self {
            Scheme::Dsa(hash) | Scheme::RsaPkcs1(hash) | Scheme::RsaPss { hash, .. } => hash,
            Scheme::RsaPssOfKey { hash, .. } => hash.unwrap_or(Hash::Sha256),
        }
    }

    /// The scheme with what this key says about it: never [`Scheme::RsaPssOfKey`].
    #[must_use]
    pub fn with_key(self, key: &PublicKey) -> Self {
        let Scheme::RsaPssOfKey { hash, mgf, salt } = self else { return self };
        let of_key = match key {
            PublicKey::Rsa(key) => key.restriction().and_then(|restriction| restriction.parameters),
            PublicKey::Dsa(_) => None,
        };
        let hash = hash.or(of_key.map(|of_key| of_key.hash)).unwrap_or(Hash::Sha256);
        Scheme::RsaPss { hash, mgf: mgf.or(of_key.map(|of_key| of_key.mgf)).unwrap_or(hash), salt }
    }
}

/// What was signed.
#[derive(Clone, Copy, Debug)]
pub enum Message<'a> {
    /// The message, which is hashed here.
    Raw(&'a [u8]),
    /// Its digest, as wide as the hash function makes it.
    Digest(&'a [u8]),
}

/// Which sizes are accepted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Policy {
    /// All sizes up to 10,000 bits (DSA) and 16,384 bits (RSA).
    #[default]
    Legacy,
    /// Those of FIPS 186-4 and 186-5. DSA: 1024/160, 2048/224, 2048/256, 3072/256, with a digest at least as long as q. RSA: 1024
    /// bits, or an even number of at least 2048; e between 2^16 and 2^256.
    Strict,
    /// As strict, and nothing weak: no weakness of [`Weaknesses`], so no SHA-1, no key below 112 bits of security.
    Modern,
}

impl core::str::FromStr for Policy {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        match name {
            "legacy" => Ok(Policy::Legacy),
            "strict" => Ok(Policy::Strict),
            "modern" => Ok(Policy::Modern),
            other => {
                Err(Error::BadArgument(format!("there is no policy `{other}`; there are legacy, strict and modern")))
            }
        }
    }
}

/// A check whose ranges hold.
pub(crate) enum Open<'a> {
    Dsa(OpenDsa<'a>),
    Rsa(OpenRsa<'a>),
}

/// r, s in 1..q and the digest, cut to the leftmost bits of q.
pub(crate) struct OpenDsa<'a> {
    /// In the list of the caller.
    pub(crate) place: usize,
    pub(crate) key: &'a DsaKey,
    pub(crate) r: Natural,
    pub(crate) s: Integer,
    pub(crate) digest: Natural,
}

/// s in 0..n.
pub(crate) struct OpenRsa<'a> {
    /// In the list of the caller.
    pub(crate) place: usize,
    pub(crate) key: &'a RsaKey,
    pub(crate) s: Integer,
    wanted: Wanted<'a>,
}

/// What s^e is to be.
enum Wanted<'a> {
    Number(Natural),
    Pss { hash: Hash, mgf: Hash, salt: Salt, digest: Cow<'a, [u8]> },
}

impl OpenRsa<'_> {
    /// Whether it is s^e.
    pub(crate) fn judge(&self, power: &Natural) -> Result<(), Reason> {
        match &self.wanted {
            Wanted::Number(number) if number == power => Ok(()),
            Wanted::Number(_) => Err(Reason::Mismatch),
            Wanted::Pss { hash, mgf, salt, digest } => {
                let least = self.key.restriction().map_or(0, |restriction| restriction.least_salt());
                padding::pss(*hash, *mgf, (*salt, least), digest, power, self.key.n().bits())
            }
        }
    }
}

impl<'a> Check<'a> {
    pub(crate) fn weaknesses(&self) -> Weaknesses {
        self.key.weaknesses(self.scheme.with_key(self.key).hash())
    }

    /// The verdict with this reason, or without one.
    pub(crate) fn verdict(&self, reason: Option<Reason>) -> Verdict {
        Verdict { reason, weaknesses: self.weaknesses() }
    }

    /// Reads the encodings and checks the ranges: what is left to compute, or why the signature is not valid. Error: `bad_argument` for a key of another kind than the scheme, or a digest of
    /// another width than the hash function's.
    pub(crate) fn open(&self, policy: Policy, place: usize) -> Result<Result<Open<'a>, Reason>, Error> {
        let scheme = self.scheme.with_key(self.key);
        let hash = scheme.hash();
        let digest = match self.message {
            Message::Raw(message) => Cow::Owned(hash.digest(message)),
            Message::Digest(digest) if digest.len() == hash.width() => Cow::Borrowed(digest),
            Message::Digest(digest) => {
                let (found, width) = (digest.len(), hash.width());
                return Err(Error::BadArgument(format!("a digest of {found} bytes; {hash} has {width}")));
            }
        };
        Ok(match (self.key, scheme) {
            _ if !self.suits(policy) => Err(Reason::Policy),
            (PublicKey::Dsa(key), Scheme::Dsa(_)) => self.open_dsa(key, &digest, place).map(Open::Dsa),
            (PublicKey::Rsa(key), Scheme::RsaPkcs1(_) | Scheme::RsaPss { .. }) => {
                let allowed = key.restriction().map_or(Ok(()), |restriction| restriction.check(scheme));
                allowed.and_then(|()| self.open_rsa(key, scheme, digest, place)).map(Open::Rsa)
            }
            (key, scheme) => {
                let wanted = if matches!(scheme, Scheme::Dsa(_)) { "dsa" } else { "rsa" };
                return Err(Error::BadArgument(format!("a key of {} for a signature of {wanted}", key.kind())));
            }
        })
    }

    fn suits(&self, policy: Policy) -> bool {
        let weaknesses = self.weaknesses();
        match policy {
            Policy::Legacy => true,
            Policy::Strict => self.key.has_fips_sizes() && !weaknesses.contains(Weaknesses::SHORT_DIGEST),
            Policy::Modern => self.key.has_fips_sizes() && weaknesses.is_empty(),
        }
    }

    fn open_dsa(&self, key: &'a DsaKey, digest: &[u8], place: usize) -> Result<OpenDsa<'a>, Reason> {
        let q = key.q();
        let (r, s) = self.signature.pair(q.bits().div_ceil(8) as usize).ok_or(Reason::BadEncoding)?;
        if r.is_zero() || s.is_zero() || r >= *q || s >= *q {
            return Err(Reason::OutOfRange);
        }
        Ok(OpenDsa { place, key, r, s: s.into(), digest: leftmost(digest, q.bits()) })
    }

    fn open_rsa(
        &self,
        key: &'a RsaKey,
        scheme: Scheme,
        digest: Cow<'a, [u8]>,
        place: usize,
    ) -> Result<OpenRsa<'a>, Reason> {
        let width = key.n().bits().div_ceil(8) as usize;
        let wanted = match scheme {
            Scheme::RsaPss { hash, mgf, salt } => Wanted::Pss { hash, mgf, salt, digest },
            scheme => Wanted::Number(padding::pkcs1(scheme.hash(), &digest, width)?),
        };
        let s = self.signature.single(width).ok_or(Reason::BadEncoding)?;
        if s >= *key.n() {
            return Err(Reason::OutOfRange);
        }
        Ok(OpenRsa { place, key, s: s.into(), wanted })
    }
}

/// The leftmost `bits` bits of a digest.
fn leftmost(digest: &[u8], bits: u64) -> Natural {
    let bytes = &digest[..digest.len().min(bits.div_ceil(8) as usize)];
    let number = Natural::from_be_bytes(bytes);
    let beyond = (8 * bytes.len() as u64).saturating_sub(bits) as u32;
    if beyond == 0 {
        return number;
    }
    let limbs = number.limbs();
    let shifted =
        (0..limbs.len()).map(|at| limbs[at] >> beyond | limbs.get(at + 1).map_or(0, |next| next << (64 - beyond)));
    Natural::from_limbs(&shifted.collect::<Vec<_>>())
}
