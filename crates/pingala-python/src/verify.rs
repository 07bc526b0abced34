//! Signatures: verdicts and lists.

use crate::call::{self, Lent};
use crate::errors::Raised;
use crate::keywords::Given;
use crate::list::{elements, refused};
use crate::public::{DSAPublicKey, RSAPublicKey, bytes, natural, word};
use crate::watch::Caller;
use crate::{errors, number, pickle, truth};
use pingala_core::{Error, Natural};
use pingala_verify::{
    Check, Encoding, Hash, Message, Policy, PublicKey, Salt, Scheme, Signature, explain_verify_list as explained,
    verify_list as verified,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyInt, PyTuple};
use std::borrow::Cow;

/// What verify_list says of a signature: True if it is valid and False otherwise, with the reason.
///
/// It compares, hashes and counts as that bool, so two verdicts are equal if both are true or both are false.
#[pyclass(frozen, module = "pingala")]
#[derive(Debug)]
pub struct Verdict {
    reason: Option<Cow<'static, str>>,
    message: String,
    weaknesses: Vec<Cow<'static, str>>,
}

impl Verdict {
    fn truth(&self) -> bool {
        self.reason.is_none()
    }
}

truth_value! {
    Verdict {
        /// Whether the signature is valid under the policy.
        #[getter]
        fn valid(&self) -> bool {
            self.truth()
        }

        /// Why it is not valid, as a stable name: "mismatch", "bad_encoding", "out_of_range", "policy", "key_too_short", or the code of
        /// an error. None for a valid one.
        #[getter]
        fn reason(&self) -> Option<&str> {
            self.reason.as_deref()
        }

        /// The reason in words; "" for a valid signature.
        #[getter]
        fn message(&self) -> &str {
            &self.message
        }

        /// What is weak about the key and the hash function, whether the signature is valid or not: names such as "sha1".
        #[getter]
        fn weaknesses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
            PyTuple::new(py, self.weaknesses.iter().map(|name| &**name))
        }

        /// A pickle contains the reason, the message and the weaknesses.
        fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
            let parameters = (self.reason(), self.message(), self.weaknesses(py)?);
            pickle::reduced(py, "verdict", parameters.into_pyobject(py)?)
        }

        fn __repr__(&self) -> String {
            let weaknesses =
                if self.weaknesses.is_empty() { String::new() } else { format!(", weak: {}", self.weaknesses.join(", ")) };
            match &self.reason {
                None => format!("<Verdict: valid{weaknesses}>"),
                Some(reason) => format!("<Verdict: not valid, {reason}{weaknesses}>"),
            }
        }
    }
}

/// What `Verdict.__reduce__` wrote.
#[pyfunction]
#[pyo3(name = "_verdict")]
pub fn verdict_of_pickle(reason: Option<String>, message: String, weaknesses: Vec<String>) -> Verdict {
    let weaknesses = weaknesses.into_iter().map(Cow::from).collect();
    Verdict { reason: reason.map(Cow::from), message, weaknesses }
}

/// A signature as Python has it.
enum Read {
    Bytes(PyBackedBytes),
    Number(Natural),
    Pair(Natural, Natural),
}

impl Read {
    fn of(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(pair) = object.cast::<PyTuple>() {
            let (r, s): (Bound<'_, PyAny>, Bound<'_, PyAny>) =
                pair.extract().map_err(|_| refused("a signature", "bytes, an int, or (r, s)", object))?;
            return Ok(Self::Pair(natural("r", &r)?, natural("s", &s)?));
        }
        if object.is_instance_of::<PyInt>() {
            return natural("a signature", object).map(Self::Number);
        }
        bytes("a signature", object).map(Self::Bytes)
    }

    fn signature(&self, encoding: Encoding) -> Signature<'_> {
        match self {
            Self::Bytes(bytes) => Signature::Bytes(bytes, encoding),
            Self::Number(number) => Signature::Number(number),
            Self::Pair(r, s) => Signature::Numbers(r, s),
        }
    }
}

/// How signatures are made.
#[derive(Clone, Copy, Debug)]
pub struct Ways {
    pub scheme: Scheme,
    pub encoding: Encoding,
    pub policy: Policy,
}

/// The arguments of a list, read.
struct Listed {
    keys: Vec<PublicKey>,
    signatures: Vec<Read>,
    messages: Vec<PyBackedBytes>,
    are_digests: bool,
    ways: Ways,
}

fn key(object: &Bound<'_, PyAny>) -> PyResult<PublicKey> {
    if let Ok(key) = object.cast::<DSAPublicKey>() {
        return Ok(key.get().library().clone());
    }
    if let Ok(key) = object.cast::<RSAPublicKey>() {
        return Ok(key.get().library().clone());
    }
    Err(refused("a key", "a DSAPublicKey or an RSAPublicKey", object))
}

/// One key for all, or one for each.
pub fn keys(object: &Bound<'_, PyAny>) -> PyResult<(Vec<PublicKey>, bool)> {
    if let Ok(one) = key(object) {
        return Ok((vec![one], true));
    }
    let expected = "a key, which load_public_key makes of the content of a file, or an iterable of keys";
    let all = elements("keys", expected, object)?;
    Ok((all.map(|object| key(&object?)).collect::<PyResult<_>>()?, false))
}

/// Either messages or their digests, and whether it is these.
pub fn messages_or_digests<'a, 'py>(
    function: &str,
    messages: Option<&'a Bound<'py, PyAny>>,
    digests: Option<&'a Bound<'py, PyAny>>,
) -> PyResult<(&'a Bound<'py, PyAny>, bool)> {
    match (messages, digests) {
        (Some(messages), None) => Ok((messages, false)),
        (None, Some(digests)) => Ok((digests, true)),
        _ => Err(PyTypeError::new_err(format!("{function} takes either messages or digests"))),
    }
}

impl Ways {
    /// A message, or its digest.
    pub fn message(self, bytes: &[u8], is_digest: bool) -> Message<'_> {
        if is_digest { Message::Digest(bytes) } else { Message::Raw(bytes) }
    }

    /// What the keywords of a call say. ArgumentError, TypeError.
    pub fn read(py: Python<'_>, given: &Given<'_, '_>) -> PyResult<Self> {
        let named: Option<Hash> = given.hash.map(|hash| word(py, hash)).transpose()?;
        let hash = named.unwrap_or(Hash::Sha256);
        let mgf = given.mgf_hash.map(|mgf| word(py, mgf)).transpose()?;
        let salt = match given.salt {
            None => Salt::Any,
            Some(any) if any.extract::<&str>().is_ok_and(|text| text == "any") => Salt::Any,
            Some(bytes) => {
                let expected = "\"any\" or a number of bytes from 0 on";
                let number = number::index("salt", bytes).map_err(|_| refused("salt", expected, bytes))?;
                let wrong =
                    || errors::bad_argument(py, format!("salt must be {expected}, not {}", number::shown(&number)));
                Salt::Bytes(number.extract().map_err(|_| wrong())?)
            }
        };
        let scheme = match given.scheme {
            "dsa" => Scheme::Dsa(hash),
            "rsa-pkcs1" => Scheme::RsaPkcs1(hash),
            // Without a hash function the key says which, otherwise it is SHA-256.
            "rsa-pss" => Scheme::RsaPssOfKey { hash: named, mgf, salt },
            other => {
                let why = format!("scheme must be \"dsa\", \"rsa-pkcs1\" or \"rsa-pss\", not \"{other}\"");
                return Err(errors::bad_argument(py, why));
            }
        };
        Ok(Self { scheme, encoding: word(py, given.encoding)?, policy: word(py, given.policy)? })
    }
}

impl Listed {
    fn read(
        keys: &Bound<'_, PyAny>,
        signatures: &Bound<'_, PyAny>,
        messages: Option<&Bound<'_, PyAny>>,
        given: &Given<'_, '_>,
    ) -> PyResult<Self> {
        let py = keys.py();
        let ways = Ways::read(py, given)?;
        let (source, are_digests) = messages_or_digests("verify_list", messages, given.digests)?;
        let name = if are_digests { "digests" } else { "messages" };
        let (keys, is_one_key) = self::keys(keys)?;
        let mut listed = Self { keys, signatures: Vec::new(), messages: Vec::new(), are_digests, ways };
        for object in elements("signatures", "an iterable of signatures", signatures)? {
            listed.signatures.push(Read::of(&object?)?);
        }
        for object in elements(name, "an iterable of bytes", source)? {
            listed.messages.push(bytes(name, &object?)?);
        }
        let counts = [listed.messages.len(), if is_one_key { listed.signatures.len() } else { listed.keys.len() }];
        if counts.iter().any(|&count| count != listed.signatures.len()) {
            let why =
                format!("{} signatures, {} {name}, {} keys", listed.signatures.len(), counts[0], listed.keys.len());
            return Err(errors::bad_argument(py, why));
        }
        Ok(listed)
    }

    fn key(&self, at: usize) -> &PublicKey {
        &self.keys[if self.keys.len() == 1 { 0 } else { at }]
    }

    /// What the error of a signature says; of a key of another kind than the scheme's also which schemes it has.
    fn sentence(&self, at: usize, error: &Error) -> String {
        match (self.key(at), self.ways.scheme) {
            (PublicKey::Rsa(_), Scheme::Dsa(_)) => format!("{error}: give scheme=\"rsa-pkcs1\" or scheme=\"rsa-pss\""),
            (PublicKey::Dsa(_), Scheme::RsaPkcs1(_) | Scheme::RsaPss { .. } | Scheme::RsaPssOfKey { .. }) => {
                format!("{error}: give scheme=\"dsa\"")
            }
            _ => error.to_string(),
        }
    }

    fn checks(&self) -> Vec<Check<'_>> {
        let check = |at: usize| Check {
            key: self.key(at),
            scheme: self.ways.scheme,
            message: self.ways.message(&self.messages[at], self.are_digests),
            signature: self.signatures[at].signature(self.ways.encoding),
        };
        (0..self.signatures.len()).map(check).collect()
    }
}

/// The longest message, in bytes, that is hashed under the eye of the thread that called: some ten milliseconds.
const LONG_MESSAGE: usize = 1 << 24;

functions! {
    /// Answers: a list of bool, one for each signature, True only for a valid one. Their .details are Verdicts, which have the reasons.
    ///
    /// keys: one DSAPublicKey or RSAPublicKey for all signatures, or one for each. signatures: bytes, or (r, s) for DSA, or an int for
    /// RSA. messages, or their digests, one for each signature.
    ///
    /// scheme: "dsa", "rsa-pkcs1" or "rsa-pss". hash: of the message, by hashlib's name; "sha256" by default, for "rsa-pss" what the
    /// key says if it says something. mgf_hash: of the mask of PSS; by default what the key says, or the same. encoding of bytes: "der"
    /// (exactly), "lenient" (padded integers and long lengths too), "p1363" or "raw" (r and s of equal width), "ssh", "openpgp"; for RSA
    /// "der" and "raw" are as wide as n. salt of PSS: "any", or a number of bytes. policy: "legacy" (all sizes), "strict" (those of FIPS
    /// 186) or "modern" (as strict, and nothing weak). threads: the most threads to use; all cores by default.
    ///
    /// Signatures of one key, and keys with the same p, q, g, share work. A signature that is not valid is no error: its verdict has
    /// the reason. An error is a key of another kind than the scheme's, or a digest of another width than the hash function's;
    /// errors: "raise" raises it, with its index; "return" gives False, and a Verdict with the code of the error as its reason.
    ///
    /// Raises ArgumentError, TypeError. Releases the GIL; Ctrl-C stops it.
    fn verify_list(
        keys, signatures, messages: Option<&Bound<'py, PyAny>> = None, *, digests, scheme, hash, mgf_hash, encoding, salt,
        policy, errors, threads
    ) as "(keys, signatures, messages=None, *, digests=None, scheme='dsa', hash=None, mgf_hash=None, encoding='der', \
          salt='any', policy='legacy', errors='raise', threads=None)" -> Bound<'py, PyAny> = |py, given| {
        let returns = given.collects(py)?;
        let listed = Lent::new(Listed::read(keys, signatures, messages, &given)?);
        let keywords = given.keywords()?.owned();
        // Hashing does not ask its watch.
        let apart = listed.messages.iter().any(|message| message.len() > LONG_MESSAGE);
        let (listed, verdicts) = call::run_or_apart(py, Some(Caller::new(None)), apart, move |watch| {
            let verdicts = verified(&listed.checks(), listed.ways.policy, &keywords.options(watch))?;
            Ok((listed, verdicts))
        })?;
        let mut details = Vec::with_capacity(verdicts.len());
        for (index, verdict) in verdicts.into_iter().enumerate() {
            details.push(match verdict {
                Ok(verdict) => Verdict {
                    reason: verdict.reason().map(|reason| reason.code().into()),
                    message: verdict.reason().map(|reason| reason.to_string()).unwrap_or_default(),
                    weaknesses: verdict.weaknesses().names().map(Cow::from).collect(),
                },
                Err(error) if returns => Verdict {
                    reason: Some(error.code().into()),
                    message: listed.sentence(index, &error),
                    weaknesses: Vec::new(),
                },
                Err(error) => {
                    return Err(errors::of_code(py, error.code(), &listed.sentence(index, &error), Some(index)));
                }
            });
        }
        let truths: Vec<bool> = details.iter().map(Verdict::truth).collect();
        truth::answers(py, truths.into_iter(), details)
    }

    /// How verify_list computes these signatures, as text: what shares work, and the expected time.
    ///
    /// keys, signatures, messages, digests, scheme, hash, mgf_hash, encoding, salt, policy: as in verify_list. Raises the errors that
    /// verify_list raises.
    fn explain_verify_list(
        keys, signatures, messages: Option<&Bound<'py, PyAny>> = None, *, digests, scheme, hash, mgf_hash, encoding, salt,
        policy
    ) as "(keys, signatures, messages=None, *, digests=None, scheme='dsa', hash=None, mgf_hash=None, encoding='der', \
          salt='any', policy='legacy')" -> String = |py, given| {
        let listed = Listed::read(keys, signatures, messages, &given)?;
        explained(&listed.checks(), listed.ways.policy).raised(py)
    }
}
