//! Keys from the files that people have: DER and PEM of SubjectPublicKeyInfo, PKCS#1 and X.509 certificates, and lines of OpenSSH.

use crate::pieces::{Algorithm, elements, told};
use crate::{DsaKey, PublicKey, RsaKey, certificate, openssh, pem, restriction};
use base64ct::{Base64, Encoding};
use der::asn1::{AnyRef, BitStringRef, UintRef};
use der::{Decode, Tag, Tagged};
use pingala_core::{Error, Natural};

pub(crate) const DSA: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x38, 0x04, 0x01];

const LABELS: [&str; 5] = ["PUBLIC KEY", "RSA PUBLIC KEY", "CERTIFICATE", "TRUSTED CERTIFICATE", "X509 CERTIFICATE"];

const PERHAPS_A_PATH: &str =
    "a text that is neither PEM nor DER; if it is the path of a file, give the content of the file";

/// The bytes of padded base64 without white space; none for anything else.
pub fn base64(text: &str) -> Option<Vec<u8>> {
    Base64::decode_vec(text).ok()
}

pub(crate) fn bad(why: impl core::fmt::Display) -> Error {
    Error::BadArgument(format!("not a public key: {why}"))
}

fn of_der(error: der::Error) -> Error {
    bad(format!("DER: {error}"))
}

/// Error: why data is longer than any file of a key.
pub(crate) fn check_file(data: &[u8]) -> Result<(), String> {
    const LONGEST_FILE: usize = 1 << 24;
    if data.len() <= LONGEST_FILE {
        return Ok(());
    }
    Err(format!("{} bytes, more than any file of a key has; at most {LONGEST_FILE} are read", data.len()))
}

/// A text in quotes, shortened, without characters that a terminal would obey.
pub(crate) fn quoted(text: &str) -> String {
    const LONGEST: usize = 60;
    let short: String = text.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if text.chars().nth(LONGEST).is_some() { format!("`{short}...`") } else { format!("`{short}`") }
}

/// Whether data is a sequence of DER as a whole. It is no text then: its numbers are not searched for a label.
pub(crate) fn is_sequence(data: &[u8]) -> bool {
    AnyRef::from_der(data).is_ok_and(|whole| whole.tag() == Tag::Sequence)
}

/// What data is that is neither PEM nor DER; none if it may be DER that is damaged. Nothing of it is quoted.
pub(crate) fn kind_of_text(data: &[u8]) -> Option<&'static str> {
    const LONGEST_PATH: usize = 4096;
    match data {
        [] => return Some("there is nothing, neither PEM nor DER"),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => return Some("text in UTF-16; save it as UTF-8"),
        [_, 0, _, 0, ..] | [0, _, 0, _, ..] => return Some("text in UTF-16, or binary data; save text as UTF-8"),
        _ => {}
    }
    let text = core::str::from_utf8(data).ok()?;
    if text.chars().any(|c| c.is_control() && !c.is_whitespace()) {
        return None;
    }
    let text = text.trim();
    Some(if text.is_empty() {
        "there is nothing but blanks"
    } else if text.starts_with('{') {
        "JSON; a JSON Web Key is not read: give its key as PEM"
    } else if text.starts_with("---- BEGIN SSH2 ") {
        "a key in the format of RFC 4716; `ssh-keygen -i -f FILE` writes it as a line of OpenSSH"
    } else if text.len() > 64 && text.bytes().all(|c| c.is_ascii_alphanumeric() || b"+/=\r\n".contains(&c)) {
        "Base64 or hexadecimal digits alone; PEM has the lines -----BEGIN ...----- and -----END ...----- around them"
    } else if text.len() < LONGEST_PATH && !text.contains(['\n', '\r']) {
        PERHAPS_A_PATH
    } else {
        "a text that is neither PEM nor DER"
    })
}

impl PublicKey {
    /// A key from bytes: PEM (`PUBLIC KEY`, `RSA PUBLIC KEY`, `CERTIFICATE`, `TRUSTED CERTIFICATE`), DER of the same, or a line of OpenSSH
    /// (`ssh-rsa ...`, `ssh-dss ...`). PEM may have lines of any width, text around it, and other blocks before it.
    ///
    /// What restricts the key is obeyed: a key of type id-RSASSA-PSS verifies only that scheme, with only its parameters
    /// ([`RsaKey::restriction`]). A key is refused if its type, or its certificate by keyUsage, extendedKeyUsage, an unknown critical
    /// extension or settings of trust, is not for signatures. Dates and chains of certificates are not checked.
    ///
    /// Errors: `bad_argument`, `too_long`.
    pub fn load(data: &[u8]) -> Result<Self, Error> {
        check_file(data).map_err(bad)?;
        if is_sequence(data) {
            return Self::of_der(data);
        }
        if let Some(block) = pem::first(data, &LABELS) {
            return Self::of_block(&block.map_err(bad)?);
        }
        // Comments may be in any encoding.
        let text = String::from_utf8_lossy(data);
        let text = text.trim_start_matches('\u{feff}').trim();
        if let Some(key) = openssh::key(text) {
            return key;
        }
        match kind_of_text(data) {
            Some(PERHAPS_A_PATH) => Err(bad(format!("{} is {PERHAPS_A_PATH}", quoted(text)))),
            Some(kind) => Err(bad(kind)),
            None => Self::of_der(data),
        }
    }

    fn of_block(block: &pem::Block<'_>) -> Result<Self, Error> {
        match block.label {
            label if LABELS.contains(&label) => {}
            "PRIVATE KEY" | "RSA PRIVATE KEY" | "ENCRYPTED PRIVATE KEY" | "DSA PRIVATE KEY" => {
                return Err(bad("a private key; `openssl pkey -in FILE -pubout` writes its public key"));
            }
            "OPENSSH PRIVATE KEY" => {
                return Err(bad("a private key; `ssh-keygen -y -f FILE` writes its public key"));
            }
            label => {
                let why = "PUBLIC KEY, RSA PUBLIC KEY, CERTIFICATE and TRUSTED CERTIFICATE are read";
                return Err(bad(format!("PEM with the label {}; {why}", quoted(label))));
            }
        }
        let mut room = Vec::with_capacity(block.length());
        let der = block.decode(&mut room).map_err(bad)?;
        match block.label {
            "PUBLIC KEY" => Self::of_spki(any(der)?),
            "RSA PUBLIC KEY" => of_pkcs1(any(der)?),
            "TRUSTED CERTIFICATE" => Self::of_certificate(certificate::trusted(der).map_err(bad)?),
            _ => Self::of_certificate(any(der)?),
        }
    }

    /// What stands first tells them apart: a number, or an algorithm, or the body of a certificate.
    fn of_der(data: &[u8]) -> Result<Self, Error> {
        let whole = any(data)?;
        let inner = elements(whole).map_err(of_der)?;
        let first = *inner.first().ok_or_else(|| bad("DER: an empty sequence"))?;
        match first.tag() {
            Tag::Integer if inner.len() > 2 => {
                Err(bad("DER of a private key, or of something else that begins with numbers"))
            }
            Tag::Integer => of_pkcs1(whole),
            Tag::Sequence => {
                let is_algorithm =
                    elements(first).map_err(of_der)?.first().is_some_and(|it| it.tag() == Tag::ObjectIdentifier);
                if is_algorithm { Self::of_spki(whole) } else { Self::of_certificate(whole) }
            }
            tag => Err(bad(format!("DER that begins with {tag}"))),
        }
    }

    /// SubjectPublicKeyInfo (RFC 5280).
    fn of_spki(spki: AnyRef<'_>) -> Result<Self, Error> {
        let [algorithm, key] = fields(spki)?;
        let algorithm = Algorithm::of(algorithm).map_err(of_der)?;
        let key = key.decode_as::<BitStringRef<'_>>().map_err(of_der)?;
        let key = key.as_bytes().ok_or_else(|| bad("the key has unused bits"))?;
        if algorithm.oid != DSA {
            let restriction = restriction::of_rsa(algorithm);
            let restriction = restriction.map_err(|why| {
                bad(why.unwrap_or_else(|| format!("an algorithm other than DSA and RSA: {}", told(algorithm.oid))))
            })?;
            let [n, e] = fields(any(key)?)?;
            return Ok(RsaKey::restricted(uint(n)?, uint(e)?, restriction)?.into());
        }
        let parameters = algorithm.parameters.filter(|parameters| parameters.tag() == Tag::Sequence);
        let parameters = parameters.ok_or_else(|| bad("its DSA parameters are left to the issuer"))?;
        let [p, q, g] = fields(parameters)?;
        let y = UintRef::from_der(key).map_err(|error| bad(format!("y: {error}")))?;
        Ok(DsaKey::new(uint(p)?, uint(q)?, uint(g)?, Natural::from_be_bytes(y.as_bytes()))?.into())
    }

    fn of_certificate(certificate: AnyRef<'_>) -> Result<Self, Error> {
        Self::of_spki(certificate::key(certificate).map_err(bad)?)
    }
}

/// RSAPublicKey (RFC 8017, appendix A.1.1).
fn of_pkcs1(key: AnyRef<'_>) -> Result<PublicKey, Error> {
    let [n, e] = fields(key)?;
    Ok(RsaKey::new(uint(n)?, uint(e)?)?.into())
}

fn any(data: &[u8]) -> Result<AnyRef<'_>, Error> {
    AnyRef::from_der(data).map_err(of_der)
}

/// The elements of a sequence of `COUNT` elements.
fn fields<const COUNT: usize>(sequence: AnyRef<'_>) -> Result<[AnyRef<'_>; COUNT], Error> {
    let found = elements(sequence).map_err(of_der)?;
    let count = found.len();
    found.try_into().map_err(|_| bad(format!("DER: a sequence of {count} elements instead of {COUNT}")))
}

fn uint(number: AnyRef<'_>) -> Result<Natural, Error> {
    let number = number.decode_as::<UintRef<'_>>().map_err(of_der)?;
    Ok(Natural::from_be_bytes(number.as_bytes()))
}
