//! Keys from the files that people have: DER and PEM of SubjectPublicKeyInfo, PKCS#1 and X.509 certificates, and lines of OpenSSH.

use crate::wire::Wire;
use crate::{DsaKey, PublicKey, RsaKey};
use base64ct::{Base64, Encoding};
use der::asn1::{AnyRef, BitStringRef, ObjectIdentifier, UintRef};
use der::{Decode, Reader, Tag, TagNumber, Tagged};
use pingala::{Error, Natural};

const DSA: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.10040.4.1");
pub(crate) const RSA: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.1");
const RSA_PSS: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.10");

/// The bytes of padded base64 without white space; none for anything else.
pub fn base64(text: &str) -> Option<Vec<u8>> {
    Base64::decode_vec(text).ok()
}

fn bad(why: impl core::fmt::Display) -> Error {
    Error::BadArgument(format!("not a public key: {why}"))
}

/// The first block of PEM, to the end of its last line; what stands before it and behind is not read: notes, blank lines, other
/// blocks. No byte of Base64 is a dash, so that none decides more than that.
pub(crate) fn first_block(data: &[u8]) -> Option<&[u8]> {
    const END: &[u8] = b"-----END ";
    let begin = data.windows(11).take(1 << 16).position(|at| at == b"-----BEGIN ")?;
    let text = &data[begin..];
    let end = text.windows(END.len()).position(|at| at == END).map_or(text.len(), |at| at + END.len());
    let line = text[end..].windows(5).position(|at| at == b"-----").map_or(text.len(), |at| end + at + 5);
    Some(&text[..line])
}

impl PublicKey {
    /// A key from bytes: PEM (`PUBLIC KEY`, `RSA PUBLIC KEY`, `CERTIFICATE`), DER of the same, or a line of OpenSSH (`ssh-rsa ...`,
    /// `ssh-dss ...`). Of a certificate the key alone is read: nothing else is checked.
    ///
    /// Errors: `bad_argument`, `too_long`.
    pub fn load(data: &[u8]) -> Result<Self, Error> {
        let start = data.trim_ascii_start();
        if start.starts_with(b"ssh-") {
            return Self::of_openssh_line(start);
        }
        if let Some(text) = first_block(data) {
            let (label, der) = pem_rfc7468::decode_vec(text).map_err(|error| bad(format!("PEM: {error}")))?;
            return match label {
                "PUBLIC KEY" => Self::of_spki(any(&der)?),
                "RSA PUBLIC KEY" => of_pkcs1(any(&der)?),
                "CERTIFICATE" | "TRUSTED CERTIFICATE" | "X509 CERTIFICATE" => Self::of_certificate(any(&der)?),
                _ => {
                    Err(bad(format!("PEM with the label {label}; PUBLIC KEY, RSA PUBLIC KEY and CERTIFICATE are read")))
                }
            };
        }
        let whole = any(data)?;
        // What stands first tells them apart: a number, or an algorithm, or the body of a certificate.
        match first(whole)? {
            (Tag::Integer, _) => of_pkcs1(whole),
            (Tag::Sequence, inner) if first(inner)?.0 == Tag::ObjectIdentifier => Self::of_spki(whole),
            (Tag::Sequence, _) => Self::of_certificate(whole),
            (tag, _) => Err(bad(format!("DER that begins with {tag}"))),
        }
    }

    /// SubjectPublicKeyInfo (RFC 5280).
    fn of_spki(spki: AnyRef<'_>) -> Result<Self, Error> {
        let (oid, parameters, key) = in_sequence(spki, |reader| {
            let algorithm = AnyRef::decode(reader)?;
            let (oid, parameters) = algorithm.sequence(|reader| {
                let oid = ObjectIdentifier::decode(reader)?;
                let parameters = if reader.is_finished() { None } else { Some(AnyRef::decode(reader)?) };
                Ok::<_, der::Error>((oid, parameters))
            })?;
            Ok((oid, parameters, BitStringRef::decode(reader)?))
        })?;
        let key = key.as_bytes().ok_or_else(|| bad("the key has unused bits"))?;
        match oid {
            RSA | RSA_PSS => of_pkcs1(any(key)?),
            DSA => {
                let parameters = parameters.filter(|parameters| parameters.tag() == Tag::Sequence);
                let parameters = parameters.ok_or_else(|| bad("its DSA parameters are left to the issuer"))?;
                let [p, q, g] = in_sequence(parameters, |reader| Ok([uint(reader)?, uint(reader)?, uint(reader)?]))?;
                let y = UintRef::from_der(key).map_err(|error| bad(format!("y: {error}")))?;
                Ok(DsaKey::new(p, q, g, Natural::from_be_bytes(y.as_bytes()))?.into())
            }
            other => Err(bad(format!("an algorithm other than DSA and RSA: {other}"))),
        }
    }

    /// The SubjectPublicKeyInfo of an X.509 certificate: in its body, behind the version, which may be missing, and five fields.
    fn of_certificate(certificate: AnyRef<'_>) -> Result<Self, Error> {
        let (_, body) = first(certificate)?;
        let spki = body.sequence(|reader| {
            const VERSION: Tag = Tag::ContextSpecific { constructed: true, number: TagNumber(0) };
            let versioned = Tag::peek(reader)? == VERSION;
            for _ in 0..if versioned { 6 } else { 5 } {
                AnyRef::decode(reader)?;
            }
            let spki = AnyRef::decode(reader)?;
            while !reader.is_finished() {
                AnyRef::decode(reader)?;
            }
            Ok(spki)
        });
        Self::of_spki(spki.map_err(|error: der::Error| bad(format!("certificate: {error}")))?)
    }

    /// `ssh-rsa` or `ssh-dss`, a blob in base64, a comment.
    fn of_openssh_line(line: &[u8]) -> Result<Self, Error> {
        let text = core::str::from_utf8(line).map_err(|_| bad("a line of OpenSSH that is not UTF-8"))?;
        let mut words = text.lines().next().unwrap_or("").split_ascii_whitespace();
        let (name, blob) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
        let blob = Base64::decode_vec(blob).map_err(|error| bad(format!("the base64 of {name}: {error}")))?;
        Self::of_openssh_blob(&blob).and_then(|(inner, key)| {
            if inner == name { Ok(key) } else { Err(bad(format!("a line for {name} with a key for {inner}"))) }
        })
    }

    /// The name of the algorithm and the key (RFC 4253, section 6.6).
    fn of_openssh_blob(blob: &[u8]) -> Result<(&'static str, Self), Error> {
        let mut wire = Wire::new(blob);
        let key = match wire.string() {
            Some(b"ssh-rsa") => wire.mpint().zip(wire.mpint()).map(|(e, n)| Ok(("ssh-rsa", RsaKey::new(n, e)?.into()))),
            Some(b"ssh-dss") => {
                let numbers = [wire.mpint(), wire.mpint(), wire.mpint(), wire.mpint()];
                let [Some(p), Some(q), Some(g), Some(y)] = numbers else { return Err(bad("a broken blob of ssh-dss")) };
                Some(DsaKey::new(p, q, g, y).map(|key| ("ssh-dss", key.into())))
            }
            _ => return Err(bad("a key of OpenSSH that is neither ssh-rsa nor ssh-dss")),
        };
        let key = key.ok_or_else(|| bad("a broken blob of OpenSSH"))??;
        if wire.is_finished() { Ok(key) } else { Err(bad("bytes behind the blob of OpenSSH")) }
    }
}

/// RSAPublicKey (RFC 8017, appendix A.1.1).
fn of_pkcs1(key: AnyRef<'_>) -> Result<PublicKey, Error> {
    let [n, e] = in_sequence(key, |reader| Ok([uint(reader)?, uint(reader)?]))?;
    Ok(RsaKey::new(n, e)?.into())
}

fn any(data: &[u8]) -> Result<AnyRef<'_>, Error> {
    AnyRef::from_der(data).map_err(|error| bad(format!("DER: {error}")))
}

/// What a sequence begins with.
fn first(sequence: AnyRef<'_>) -> Result<(Tag, AnyRef<'_>), Error> {
    let first = sequence.sequence(|reader| {
        let first = AnyRef::decode(reader)?;
        while !reader.is_finished() {
            AnyRef::decode(reader)?;
        }
        Ok(first)
    });
    first.map(|first| (first.tag(), first)).map_err(|error: der::Error| bad(format!("DER: {error}")))
}

fn in_sequence<'a, T>(
    sequence: AnyRef<'a>,
    read: impl FnOnce(&mut der::SliceReader<'a>) -> Result<T, der::Error>,
) -> Result<T, Error> {
    sequence.sequence(read).map_err(|error| bad(format!("DER: {error}")))
}

fn uint<'a>(reader: &mut impl Reader<'a>) -> Result<Natural, der::Error> {
    UintRef::decode(reader).map(|number| Natural::from_be_bytes(number.as_bytes()))
}
