//! Keys, and signatures that are verified.

use super::key as of_call;
use crate::handle::Handle;
use crate::request::{Answer, Request, missing};
use pingala_core::{Error, Watch};
use pingala_verify::{
    Check, Depth, DsaKey, Encoding, Hash, Message, Policy, PublicKey, RsaKey, Salt, Scheme, Signature, Verdict,
    explain_verify_list, verify_list,
};
use std::sync::Arc;
use zeroize::Zeroizing;

type Watched<'a> = Option<&'a dyn Watch>;

fn key(key: PublicKey) -> Answer {
    Answer::Handle(Handle::Key(Arc::new(key)))
}

/// The bytes of a key: PEM, DER, OpenSSH.
pub(super) fn load(request: &Request, _: Watched<'_>) -> Result<Answer, Error> {
    Ok(key(PublicKey::load(request.bytes(0)?)?))
}

/// n, e.
pub(super) fn rsa(request: &Request, _: Watched<'_>) -> Result<Answer, Error> {
    Ok(key(RsaKey::new(request.natural(0)?.clone(), request.natural(1)?.clone())?.into()))
}

/// p, q, g, y.
pub(super) fn dsa(request: &Request, _: Watched<'_>) -> Result<Answer, Error> {
    let [p, q, g, y] = [0, 1, 2, 3].map(|at| request.natural(at).cloned());
    Ok(key(DsaKey::new(p?, q?, g?, y?)?.into()))
}

/// The kind and the length in bits, a line each.
pub(super) fn facts(request: &Request, _: Watched<'_>) -> Result<Answer, Error> {
    let key = of_call(request)?;
    Ok(Answer::Text(format!("{}\n{}", key.kind(), key.bits())))
}

/// Hash functions by their places in `js/src/verify.js`.
const HASHES: [Hash; 11] = [
    Hash::Sha1,
    Hash::Sha224,
    Hash::Sha256,
    Hash::Sha384,
    Hash::Sha512,
    Hash::Sha512_224,
    Hash::Sha512_256,
    Hash::Sha3_224,
    Hash::Sha3_256,
    Hash::Sha3_384,
    Hash::Sha3_512,
];

/// A hash function by its place, from 1 on; none for 0.
fn hash(place: u64) -> Result<Option<Hash>, Error> {
    let Some(place) = place.checked_sub(1) else { return Ok(None) };
    let hash = HASHES.get(place as usize).copied();
    hash.map(Some).ok_or_else(|| Error::BadArgument("an unknown hash function".into()))
}

/// For each signature the message and the signature. Settings: scheme (1 DSA, 2 RSA PKCS #1 1.5, 3 RSA PSS), hash, mask's hash, salt
/// (0 any, n for n - 1 bytes), encoding (0 DER, 1 raw, 2 SSH, 3 lenient, 4 OpenPGP), policy (0 legacy, 1 strict, 2 modern), 1 if
/// messages are digests.
fn checks<'r, T>(
    request: &'r Request,
    work: impl FnOnce(&[Check<'r>], Policy) -> Result<T, Error>,
) -> Result<T, Error> {
    let key = of_call(request)?;
    let [scheme, hash_place, mgf_place, salt, encoding, policy, digests] = request.own_settings() else {
        return Err(missing("setting", 6));
    };
    let needed = || hash(*hash_place)?.ok_or_else(|| Error::BadArgument("a hash function is needed".into()));
    let scheme = match scheme {
        1 => Scheme::Dsa(needed()?),
        2 => Scheme::RsaPkcs1(needed()?),
        3 => {
            let salt = salt.checked_sub(1).map_or(Salt::Any, |bytes| Salt::Bytes(bytes as usize));
            Scheme::RsaPssOfKey { hash: hash(*hash_place)?, mgf: hash(*mgf_place)?, salt }
        }
        _ => return Err(Error::BadArgument("an unknown scheme".into())),
    };
    let encoding = match encoding {
        0 => Encoding::Der,
        1 => Encoding::Raw,
        2 => Encoding::Ssh,
        3 => Encoding::Lenient,
        4 => Encoding::OpenPgp,
        _ => return Err(Error::BadArgument("an unknown encoding".into())),
    };
    let policy = match policy {
        0 => Policy::Legacy,
        1 => Policy::Strict,
        2 => Policy::Modern,
        _ => return Err(Error::BadArgument("an unknown policy".into())),
    };
    let (pairs, rest) = request.bytes.as_chunks::<2>();
    if !rest.is_empty() {
        return Err(missing("signature", pairs.len()));
    }
    let check = |[message, signature]: &'r [Zeroizing<Vec<u8>>; 2]| {
        let message = if *digests != 0 { Message::Digest(message) } else { Message::Raw(message) };
        Check { key, scheme, message, signature: Signature::Bytes(signature, encoding) }
    };
    let checks: Vec<Check<'_>> = pairs.iter().map(check).collect();
    work(&checks, policy)
}

/// As [`checks`]. The answer is a line for each: `valid`, or a reason.
pub(super) fn verify(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let verdicts = checks(request, |checks, policy| verify_list(checks, policy, &request.options(watch)))?;
    let line = |verdict: &Result<Verdict, Error>| match verdict {
        Ok(verdict) => verdict.reason().map_or("valid", |reason| reason.code()),
        Err(error) => error.code(),
    };
    Ok(Answer::Text(verdicts.iter().map(line).collect::<Vec<_>>().join("\n")))
}

/// As [`checks`].
pub(super) fn explain(request: &Request, _: Watched<'_>) -> Result<Answer, Error> {
    Ok(Answer::Text(checks(request, explain_verify_list)?))
}

/// The setting is the depth: 0 ranges, 1 subgroups, 2 primes. The answer is a line for each defect.
pub(super) fn validate(request: &Request, watch: Watched<'_>) -> Result<Answer, Error> {
    let depth = match request.setting(0)? {
        0 => Depth::Ranges,
        1 => Depth::Subgroup,
        2 => Depth::Primes,
        _ => return Err(Error::BadArgument("an unknown depth".into())),
    };
    let defects = of_call(request)?.validate_with(depth, &request.options(watch))?;
    Ok(Answer::Text(defects.iter().map(|defect| defect.code()).collect::<Vec<_>>().join("\n")))
}

/// The setting is a hash function. The answer is a line for each weakness.
pub(super) fn weaknesses(request: &Request, _: Watched<'_>) -> Result<Answer, Error> {
    let hash = hash(request.setting(0)?)?.ok_or_else(|| Error::BadArgument("a hash function is needed".into()))?;
    Ok(Answer::Text(of_call(request)?.weaknesses(hash).names().collect::<Vec<_>>().join("\n")))
}
