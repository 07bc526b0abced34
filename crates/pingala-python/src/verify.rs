//! Signatures: verdicts and lists.

use crate::list::{self, refused};
use crate::public::{DSAPublicKey, RSAPublicKey, bytes, natural, word};
use crate::watch::Caller;
use crate::{call, errors, pickle};
use pingala::{Error, Natural, Options};
use pingala_verify::{
    Check, Encoding, Hash, Message, Policy, PublicKey, Salt, Scheme, Signature, explain_verify_list as explained,
    verify_list as verified,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyByteArray, PyBytes, PyInt, PyList, PyString, PyTuple};
use std::borrow::Cow;
use std::sync::Arc;

/// What verify_list says of a signature: true only if it is valid.
#[pyclass(frozen, module = "pingala", eq, hash)]
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Verdict {
    reason: Option<Cow<'static, str>>,
    message: String,
    weaknesses: Vec<Cow<'static, str>>,
}

#[pymethods]
impl Verdict {
    /// Whether the signature is valid under the policy.
    #[getter]
    fn valid(&self) -> bool {
        self.reason.is_none()
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

    fn __bool__(&self) -> bool {
        self.reason.is_none()
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

/// What `Verdict.__reduce__` wrote.
#[pyfunction]
#[pyo3(name = "_verdict")]
pub fn verdict_of_pickle(reason: Option<String>, message: String, weaknesses: Vec<String>) -> Verdict {
    let weaknesses = weaknesses.into_iter().map(Cow::from).collect();
    Verdict { reason: reason.map(Cow::from), message, weaknesses }
}

/// A signature as Python has it.
enum Given {
    Bytes(PyBackedBytes),
    Number(Natural),
    Pair(Natural, Natural),
}

impl Given {
    fn read(object: &Bound<'_, PyAny>) -> PyResult<Self> {
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
    signatures: Vec<Given>,
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
    if object.is_instance_of::<PyBytes>()
        || object.is_instance_of::<PyString>()
        || object.is_instance_of::<PyByteArray>()
    {
        let expected = "a key, which load_public_key makes of the content of a file, or an iterable of keys";
        return Err(refused("keys", expected, object));
    }
    let all = object.try_iter().map_err(|_| refused("keys", "a key, or an iterable of keys", object))?;
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

/// The words that say how the signatures are made.
pub struct Words<'a, 'py> {
    pub scheme: &'a str,
    /// None: what the key says, for PSS, otherwise SHA-256.
    pub hash: Option<&'a str>,
    pub mgf_hash: Option<&'a str>,
    pub encoding: &'a str,
    pub salt: Option<&'a Bound<'py, PyAny>>,
    pub policy: &'a str,
}

impl Words<'_, '_> {
    /// What they mean. ArgumentError, TypeError.
    pub fn read(&self, py: Python<'_>) -> PyResult<Ways> {
        let named: Option<Hash> = self.hash.map(|hash| word(py, hash)).transpose()?;
        let hash = named.unwrap_or(Hash::Sha256);
        let mgf = self.mgf_hash.map(|mgf| word(py, mgf)).transpose()?;
        let salt = match self.salt {
            None => Salt::Any,
            Some(any) if any.extract::<&str>().is_ok_and(|text| text == "any") => Salt::Any,
            Some(bytes) => {
                Salt::Bytes(bytes.extract().map_err(|_| refused("salt", "\"any\" or a number of bytes", bytes))?)
            }
        };
        let scheme = match self.scheme {
            "dsa" => Scheme::Dsa(hash),
            "rsa-pkcs1" => Scheme::RsaPkcs1(hash),
            "rsa-pss" => Scheme::RsaPssOfKey { hash: named, mgf, salt },
            other => {
                let why = format!("scheme must be \"dsa\", \"rsa-pkcs1\" or \"rsa-pss\", not \"{other}\"");
                return Err(errors::bad_argument(py, why));
            }
        };
        Ok(Ways { scheme, encoding: word(py, self.encoding)?, policy: word(py, self.policy)? })
    }
}

impl Listed {
    fn read(
        keys: &Bound<'_, PyAny>,
        signatures: &Bound<'_, PyAny>,
        messages: Option<&Bound<'_, PyAny>>,
        digests: Option<&Bound<'_, PyAny>>,
        words: &Words<'_, '_>,
    ) -> PyResult<Self> {
        let py = keys.py();
        let ways = words.read(py)?;
        let (source, are_digests) = messages_or_digests("verify_list", messages, digests)?;
        let name = if are_digests { "digests" } else { "messages" };
        if source.is_instance_of::<PyBytes>() || source.is_instance_of::<PyString>() {
            return Err(refused(name, "an iterable of bytes", source));
        }
        let (keys, is_one_key) = self::keys(keys)?;
        let mut listed = Self { keys, signatures: Vec::new(), messages: Vec::new(), are_digests, ways };
        if signatures.is_instance_of::<PyBytes>() {
            return Err(refused("signatures", "an iterable of signatures", signatures));
        }
        for object in signatures.try_iter()? {
            listed.signatures.push(Given::read(&object?)?);
        }
        for object in source.try_iter()? {
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
            message: if self.are_digests {
                Message::Digest(&self.messages[at])
            } else {
                Message::Raw(&self.messages[at])
            },
            signature: self.signatures[at].signature(self.ways.encoding),
        };
        (0..self.signatures.len()).map(check).collect()
    }
}

/// The longest message, in bytes, that is hashed under the eye of the thread that called: some ten milliseconds.
const LONG_MESSAGE: usize = 1 << 24;

/// A list of Verdicts, one for each signature, which are true only for valid ones.
///
/// keys: one DSAPublicKey or RSAPublicKey for all signatures, or one for each. signatures: bytes, or (r, s) for DSA, or an int for
/// RSA. messages, or their digests, one for each signature.
///
/// scheme: "dsa", "rsa-pkcs1" or "rsa-pss". hash: of the message, by hashlib's name; "sha256" by default, for "rsa-pss" what the
/// key says if it says something. mgf_hash: of the mask of PSS; by default what the key says, or the same. encoding of bytes: "der" (exactly), "lenient" (padded integers and long lengths too), "p1363" or "raw" (r and s of
/// equal width), "ssh", "openpgp"; for RSA "der" and "raw" are as wide as n. salt of PSS: "any", or a number of bytes. policy:
/// "legacy" (all sizes), "strict" (those of FIPS 186) or "modern" (as strict, and nothing weak). threads: the most threads to use; all cores by default.
///
/// Signatures of one key, and keys with the same p, q, g, share work. A signature that is not valid is no error: its verdict has
/// the reason. An error is a key of another kind than the scheme's, or a digest of another width than the hash function's;
/// errors: "raise" raises it, with its index; "return" gives a false verdict with the code of the error as its reason.
///
/// Raises ArgumentError, TypeError. Releases the GIL; Ctrl-C stops it.
#[pyfunction]
#[pyo3(signature = (
    keys, signatures, messages=None, *, digests=None, scheme="dsa", hash=None, mgf_hash=None, encoding="der", salt=None,
    policy="legacy", errors="raise", threads=None
), text_signature = "(keys, signatures, messages=None, *, digests=None, scheme='dsa', hash=None, mgf_hash=None, \
    encoding='der', salt='any', policy='legacy', errors='raise', threads=None)")]
#[expect(clippy::too_many_arguments, reason = "each is a keyword that a user types")]
pub fn verify_list<'py>(
    py: Python<'py>,
    keys: &Bound<'py, PyAny>,
    signatures: &Bound<'py, PyAny>,
    messages: Option<&Bound<'py, PyAny>>,
    digests: Option<&Bound<'py, PyAny>>,
    scheme: &str,
    hash: Option<&str>,
    mgf_hash: Option<&str>,
    encoding: &str,
    salt: Option<&Bound<'py, PyAny>>,
    policy: &str,
    errors: &str,
    threads: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyList>> {
    let raises = match errors {
        "raise" => true,
        "return" => false,
        other => {
            return Err(errors::bad_argument(py, format!("errors must be \"raise\" or \"return\", not \"{other}\"")));
        }
    };
    let words = Words { scheme, hash, mgf_hash, encoding, salt, policy };
    let listed = Listed::read(keys, signatures, messages, digests, &words)?;
    let threads = threads.map(list::read_threads).transpose()?;
    let (caller, listed) = (Caller::new(None), Arc::new(listed));
    let options = Options::default().with_threads(threads);
    let verdicts = if listed.messages.iter().any(|message| message.len() > LONG_MESSAGE) {
        let listed = listed.clone();
        call::run_apart(py, caller, move |watch| {
            let options = Options::default().with_threads(threads).with_watch(Some(watch));
            verified(&listed.checks(), listed.ways.policy, &options)
        })?
    } else {
        call::run(py, Some(&caller), |watch| {
            verified(&listed.checks(), listed.ways.policy, &options.with_watch(watch))
        })?
    };
    let list = PyList::empty(py);
    for (index, verdict) in verdicts.into_iter().enumerate() {
        let verdict = match verdict {
            Ok(verdict) => Verdict {
                reason: verdict.reason().map(|reason| reason.code().into()),
                message: verdict.reason().map(|reason| reason.to_string()).unwrap_or_default(),
                weaknesses: verdict.weaknesses().names().map(Cow::from).collect(),
            },
            Err(error) if raises => {
                return Err(errors::of_code(py, error.code(), &listed.sentence(index, &error), Some(index)));
            }
            Err(error) => Verdict {
                reason: Some(error.code().into()),
                message: listed.sentence(index, &error),
                weaknesses: Vec::new(),
            },
        };
        list.append(Bound::new(py, verdict)?)?;
    }
    Ok(list)
}

/// How verify_list computes these signatures, as text: what shares work, and the expected time.
///
/// keys, signatures, messages, digests, scheme, hash, mgf_hash, encoding, salt, policy: as in verify_list. Raises the errors that
/// verify_list raises.
#[pyfunction]
#[pyo3(signature = (
    keys, signatures, messages=None, *, digests=None, scheme="dsa", hash=None, mgf_hash=None, encoding="der", salt=None,
    policy="legacy"
), text_signature = "(keys, signatures, messages=None, *, digests=None, scheme='dsa', hash=None, mgf_hash=None, \
    encoding='der', salt='any', policy='legacy')")]
#[expect(clippy::too_many_arguments, reason = "each is a keyword that a user types")]
pub fn explain_verify_list<'py>(
    py: Python<'py>,
    keys: &Bound<'py, PyAny>,
    signatures: &Bound<'py, PyAny>,
    messages: Option<&Bound<'py, PyAny>>,
    digests: Option<&Bound<'py, PyAny>>,
    scheme: &str,
    hash: Option<&str>,
    mgf_hash: Option<&str>,
    encoding: &str,
    salt: Option<&Bound<'py, PyAny>>,
    policy: &str,
) -> PyResult<String> {
    let words = Words { scheme, hash, mgf_hash, encoding, salt, policy };
    let listed = Listed::read(keys, signatures, messages, digests, &words)?;
    explained(&listed.checks(), listed.ways.policy).map_err(|error| errors::raise(py, error))
}
