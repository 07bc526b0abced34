//! Signatures: public keys, verdicts, lists.

use crate::errors;
use crate::list::{self, refused};
use crate::watch::Caller;
use crate::{call, number};
use pingala::{Error, Limits, Natural, Options};
use pingala_verify::{
    Check, Depth, DsaKey, Encoding, Hash, Message, Policy, PublicKey, RsaKey, Salt, Scheme, Signature,
    explain_verify_list as explained, verify_list as verified,
};
use pyo3::basic::CompareOp;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyInt, PyList, PyMemoryView, PyString, PyTuple};
use std::str::FromStr;

fn natural(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Natural> {
    // No key is so long, by far; which length is too long for one, the library says.
    let number = number::within(object, "number", Limits::default().modulus_bits)?;
    if number.is_negative() {
        return Err(errors::bad_argument(object.py(), format!("{name} is negative")));
    }
    Ok(number.into_magnitude())
}

/// Of bytes, and of everything with a buffer.
fn bytes(name: &str, object: &Bound<'_, PyAny>) -> PyResult<PyBackedBytes> {
    if let Ok(bytes) = object.extract() {
        return Ok(bytes);
    }
    let view = PyMemoryView::from(object).map_err(|_| refused(name, "bytes", object))?;
    Ok(view.call_method0("tobytes")?.extract()?)
}

/// A setting that is one of some words.
fn word<T: FromStr<Err = Error>>(py: Python<'_>, word: &str) -> PyResult<T> {
    word.parse().map_err(|error| errors::raise(py, error))
}

fn weaknesses<'py>(py: Python<'py>, key: &PublicKey, hash: &str) -> PyResult<Bound<'py, PyTuple>> {
    PyTuple::new(py, key.weaknesses(word::<Hash>(py, hash)?).names().collect::<Vec<_>>())
}

fn validated<'py>(py: Python<'py>, key: &PublicKey, depth: &str) -> PyResult<Bound<'py, PyTuple>> {
    let depth = match depth {
        "ranges" => Depth::Ranges,
        "subgroup" => Depth::Subgroup,
        "primes" => Depth::Primes,
        other => {
            let why = format!("depth must be \"ranges\", \"subgroup\" or \"primes\", not \"{other}\"");
            return Err(errors::bad_argument(py, why));
        }
    };
    let defects = call::run(py, Some(&Caller::new(None)), |watch| {
        key.validate_with(depth, &Options::default().with_watch(watch))
    })?;
    PyTuple::new(py, defects.iter().map(|defect| defect.code()).collect::<Vec<_>>())
}

fn compared(one: &PublicKey, other: &PublicKey, how: CompareOp, py: Python<'_>) -> Py<PyAny> {
    match how {
        CompareOp::Eq => (one == other)
            .into_pyobject(py)
            .map(|truth| truth.to_owned().into_any().unbind())
            .unwrap_or_else(|never| match never {}),
        CompareOp::Ne => (one != other)
            .into_pyobject(py)
            .map(|truth| truth.to_owned().into_any().unbind())
            .unwrap_or_else(|never| match never {}),
        _ => py.NotImplemented(),
    }
}

/// A public key of DSA: the domain parameters p, q, g and the public value y. Immutable.
///
/// Ranges are checked: p (at most 10,000 bits) and q odd, q < p, 1 < g < p, 1 < y < p; validate() checks more. Raises
/// ArgumentError, TooLongError, TypeError.
#[pyclass(frozen, module = "pingala")]
#[derive(Debug)]
pub struct DSAPublicKey(PublicKey);

#[pymethods]
impl DSAPublicKey {
    #[new]
    fn new(p: &Bound<'_, PyAny>, q: &Bound<'_, PyAny>, g: &Bound<'_, PyAny>, y: &Bound<'_, PyAny>) -> PyResult<Self> {
        let key = DsaKey::new(natural("p", p)?, natural("q", q)?, natural("g", g)?, natural("y", y)?);
        key.map(|key| Self(key.into())).map_err(|error| errors::raise(p.py(), error))
    }

    /// The prime of the field.
    #[getter]
    fn p<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyInt>> {
        number::int(py, self.key().p())
    }

    /// The order of g.
    #[getter]
    fn q<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyInt>> {
        number::int(py, self.key().q())
    }

    /// The generator.
    #[getter]
    fn g<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyInt>> {
        number::int(py, self.key().g())
    }

    /// The public value.
    #[getter]
    fn y<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyInt>> {
        number::int(py, self.key().y())
    }

    /// The length of p, in bits.
    #[getter]
    fn bits(&self) -> u64 {
        self.0.bits()
    }

    /// What is weak about the key used with a hash function: names such as "short_key".
    #[pyo3(signature = (hash="sha256"))]
    fn weaknesses<'py>(&self, py: Python<'py>, hash: &str) -> PyResult<Bound<'py, PyTuple>> {
        weaknesses(py, &self.0, hash)
    }

    /// What is wrong with the key, as names; () for a sound one. depth: "ranges", "subgroup" (q divides p - 1, and g and y have
    /// order q), or "primes" (p and q are prime, too; tens of milliseconds at 2048 bits).
    #[pyo3(signature = (depth="subgroup"))]
    fn validate<'py>(&self, py: Python<'py>, depth: &str) -> PyResult<Bound<'py, PyTuple>> {
        validated(py, &self.0, depth)
    }

    fn __richcmp__(&self, other: &Self, how: CompareOp, py: Python<'_>) -> Py<PyAny> {
        compared(&self.0, &other.0, how, py)
    }

    fn __hash__(&self) -> u64 {
        self.key().y().limbs()[0]
    }

    fn __repr__(&self) -> String {
        format!("<DSAPublicKey of {}/{} bits>", self.0.bits(), self.key().q().bits())
    }
}

impl DSAPublicKey {
    fn key(&self) -> &DsaKey {
        match &self.0 {
            PublicKey::Dsa(key) => key,
            _ => unreachable!("it was made with a key of DSA"),
        }
    }
}

/// A public key of RSA: the modulus n and the public exponent e. Immutable.
///
/// Ranges are checked: n odd, of at most 16,384 bits; e odd, 1 < e < n. Raises ArgumentError, TooLongError, TypeError.
#[pyclass(frozen, module = "pingala")]
#[derive(Debug)]
pub struct RSAPublicKey(PublicKey);

#[pymethods]
impl RSAPublicKey {
    #[new]
    fn new(n: &Bound<'_, PyAny>, e: &Bound<'_, PyAny>) -> PyResult<Self> {
        let key = RsaKey::new(natural("n", n)?, natural("e", e)?);
        key.map(|key| Self(key.into())).map_err(|error| errors::raise(n.py(), error))
    }

    /// The modulus.
    #[getter]
    fn n<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyInt>> {
        number::int(py, self.key().n())
    }

    /// The public exponent.
    #[getter]
    fn e<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyInt>> {
        number::int(py, self.key().e())
    }

    /// The length of n, in bits.
    #[getter]
    fn bits(&self) -> u64 {
        self.0.bits()
    }

    /// What is weak about the key used with a hash function: names such as "short_key".
    #[pyo3(signature = (hash="sha256"))]
    fn weaknesses<'py>(&self, py: Python<'py>, hash: &str) -> PyResult<Bound<'py, PyTuple>> {
        weaknesses(py, &self.0, hash)
    }

    /// What is wrong with the key, as names; () for a sound one. depth "primes" finds a prime n, and prime factors below 752.
    #[pyo3(signature = (depth="subgroup"))]
    fn validate<'py>(&self, py: Python<'py>, depth: &str) -> PyResult<Bound<'py, PyTuple>> {
        validated(py, &self.0, depth)
    }

    fn __richcmp__(&self, other: &Self, how: CompareOp, py: Python<'_>) -> Py<PyAny> {
        compared(&self.0, &other.0, how, py)
    }

    fn __hash__(&self) -> u64 {
        self.key().n().limbs()[0]
    }

    fn __repr__(&self) -> String {
        format!("<RSAPublicKey of {} bits>", self.0.bits())
    }
}

impl RSAPublicKey {
    fn key(&self) -> &RsaKey {
        match &self.0 {
            PublicKey::Rsa(key) => key,
            _ => unreachable!("it was made with a key of RSA"),
        }
    }
}

/// A key from the content of a file, as bytes or str: PEM or DER of a SubjectPublicKeyInfo, of PKCS#1 or of an X.509 certificate (of
/// which nothing but the key is read), or a line of OpenSSH (ssh-rsa, ssh-dss). A DSAPublicKey or RSAPublicKey.
///
/// data: that content.
///
/// Raises ArgumentError, TooLongError, TypeError.
#[pyfunction]
pub fn load_public_key<'py>(data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = data.py();
    let key = match data.cast::<PyString>() {
        Ok(text) => PublicKey::load(text.to_str()?.as_bytes()),
        Err(_) => PublicKey::load(&bytes("data", data)?),
    };
    match key.map_err(|error| errors::raise(py, error))? {
        PublicKey::Dsa(key) => Ok(Bound::new(py, DSAPublicKey(key.into()))?.into_any()),
        key => Ok(Bound::new(py, RSAPublicKey(key))?.into_any()),
    }
}

/// What verify_list says of a signature: true only if it is valid.
#[pyclass(frozen, module = "pingala", eq, hash)]
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Verdict {
    reason: Option<&'static str>,
    message: String,
    weaknesses: Vec<&'static str>,
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
    fn reason(&self) -> Option<&'static str> {
        self.reason
    }

    /// The same in words; "" for a valid one.
    #[getter]
    fn message(&self) -> &str {
        &self.message
    }

    /// What is weak about the key and the hash function, whether the signature is valid or not: names such as "sha1".
    #[getter]
    fn weaknesses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.weaknesses)
    }

    fn __bool__(&self) -> bool {
        self.reason.is_none()
    }

    fn __repr__(&self) -> String {
        let weaknesses =
            if self.weaknesses.is_empty() { String::new() } else { format!(", weak: {}", self.weaknesses.join(", ")) };
        match self.reason {
            None => format!("<Verdict: valid{weaknesses}>"),
            Some(reason) => format!("<Verdict: not valid, {reason}{weaknesses}>"),
        }
    }
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
        return Ok(key.get().0.clone());
    }
    if let Ok(key) = object.cast::<RSAPublicKey>() {
        return Ok(key.get().0.clone());
    }
    Err(refused("a key", "a DSAPublicKey or an RSAPublicKey", object))
}

/// One key for all, or one for each.
pub fn keys(object: &Bound<'_, PyAny>) -> PyResult<(Vec<PublicKey>, bool)> {
    if let Ok(one) = key(object) {
        return Ok((vec![one], true));
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
    pub hash: &'a str,
    pub mgf_hash: Option<&'a str>,
    pub encoding: &'a str,
    pub salt: Option<&'a Bound<'py, PyAny>>,
    pub policy: &'a str,
}

impl Words<'_, '_> {
    /// What they mean. ArgumentError, TypeError.
    pub fn read(&self, py: Python<'_>) -> PyResult<Ways> {
        let hash: Hash = word(py, self.hash)?;
        let mgf = self.mgf_hash.map_or(Ok(hash), |mgf| word(py, mgf))?;
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
            "rsa-pss" => Scheme::RsaPss { hash, mgf, salt },
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

    fn checks(&self) -> Vec<Check<'_>> {
        let check = |at: usize| Check {
            key: &self.keys[if self.keys.len() == 1 { 0 } else { at }],
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

/// A list of Verdicts, one for each signature, which are true only for valid ones.
///
/// keys: one DSAPublicKey or RSAPublicKey for all signatures, or one for each. signatures: bytes, or (r, s) for DSA, or an int for
/// RSA. messages, or their digests, one for each signature.
///
/// scheme: "dsa", "rsa-pkcs1" or "rsa-pss". hash: of the message, by hashlib's name; mgf_hash: of the mask of PSS, the same by
/// default. encoding of bytes: "der" (exactly), "lenient" (padded integers and long lengths too), "p1363" or "raw" (r and s of
/// equal width), "ssh", "openpgp"; for RSA "der" and "raw" are as wide as n. salt of PSS: "any", or a number of bytes. policy:
/// "legacy" (all sizes) or "strict" (those of FIPS 186). threads: the most threads to use; all cores by default.
///
/// Signatures of one key, and keys with the same p, q, g, share work. A signature that is not valid is no error: its verdict has
/// the reason. An error is a key of another kind than the scheme's, or a digest of another width than the hash function's;
/// errors: "raise" raises it, with its index; "return" gives a false verdict with the code of the error as its reason.
///
/// Raises ArgumentError, TypeError. Releases the GIL; Ctrl-C stops it.
#[pyfunction]
#[pyo3(signature = (
    keys, signatures, messages=None, *, digests=None, scheme="dsa", hash="sha256", mgf_hash=None, encoding="der", salt=None,
    policy="legacy", errors="raise", threads=None
), text_signature = "(keys, signatures, messages=None, *, digests=None, scheme='dsa', hash='sha256', mgf_hash=None, \
    encoding='der', salt='any', policy='legacy', errors='raise', threads=None)")]
#[expect(clippy::too_many_arguments, reason = "each is a keyword that a user types")]
pub fn verify_list<'py>(
    py: Python<'py>,
    keys: &Bound<'py, PyAny>,
    signatures: &Bound<'py, PyAny>,
    messages: Option<&Bound<'py, PyAny>>,
    digests: Option<&Bound<'py, PyAny>>,
    scheme: &str,
    hash: &str,
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
    let caller = Caller::new(None);
    let verdicts = call::run(py, Some(&caller), |watch| {
        verified(&listed.checks(), listed.ways.policy, &Options::default().with_threads(threads).with_watch(watch))
    })?;
    let list = PyList::empty(py);
    for (index, verdict) in verdicts.into_iter().enumerate() {
        let verdict = match verdict {
            Ok(verdict) => Verdict {
                reason: verdict.reason().map(|reason| reason.code()),
                message: verdict.reason().map(|reason| reason.to_string()).unwrap_or_default(),
                weaknesses: verdict.weaknesses().names().collect(),
            },
            Err(error) if raises => return Err(errors::exception(py, &error, Some(index))),
            Err(error) => Verdict { reason: Some(error.code()), message: error.to_string(), weaknesses: Vec::new() },
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
    keys, signatures, messages=None, *, digests=None, scheme="dsa", hash="sha256", mgf_hash=None, encoding="der", salt=None,
    policy="legacy"
), text_signature = "(keys, signatures, messages=None, *, digests=None, scheme='dsa', hash='sha256', mgf_hash=None, \
    encoding='der', salt='any', policy='legacy')")]
#[expect(clippy::too_many_arguments, reason = "each is a keyword that a user types")]
pub fn explain_verify_list<'py>(
    py: Python<'py>,
    keys: &Bound<'py, PyAny>,
    signatures: &Bound<'py, PyAny>,
    messages: Option<&Bound<'py, PyAny>>,
    digests: Option<&Bound<'py, PyAny>>,
    scheme: &str,
    hash: &str,
    mgf_hash: Option<&str>,
    encoding: &str,
    salt: Option<&Bound<'py, PyAny>>,
    policy: &str,
) -> PyResult<String> {
    let words = Words { scheme, hash, mgf_hash, encoding, salt, policy };
    let listed = Listed::read(keys, signatures, messages, digests, &words)?;
    explained(&listed.checks(), listed.ways.policy).map_err(|error| errors::raise(py, error))
}
