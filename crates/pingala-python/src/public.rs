//! Public keys: the classes `DSAPublicKey` and `RSAPublicKey`, and arguments as numbers, bytes and words.

use crate::list::refused;
use crate::watch::Caller;
use crate::{call, errors, number, pickle};
use pingala::{Error, Limits, Natural, Options};
use pingala_verify::{Depth, DsaKey, Hash, PublicKey, RsaKey};
use pyo3::basic::CompareOp;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyInt, PyMemoryView, PyString, PyTuple};
use std::str::FromStr;

pub fn natural(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Natural> {
    // This is far above the length of any key; the library knows the limit of each kind.
    let number = number::within(object, "number", Limits::default().modulus_bits)?;
    if number.is_negative() {
        return Err(errors::bad_argument(object.py(), format!("{name} is negative")));
    }
    Ok(number.into_magnitude())
}

/// Of bytes, and of everything with a buffer.
pub fn bytes(name: &str, object: &Bound<'_, PyAny>) -> PyResult<PyBackedBytes> {
    if let Ok(bytes) = object.extract() {
        return Ok(bytes);
    }
    let view = PyMemoryView::from(object).map_err(|_| refused(name, "bytes", object))?;
    Ok(view.call_method0("tobytes")?.extract()?)
}

/// A setting that is one of some words.
pub fn word<T: FromStr<Err = Error>>(py: Python<'_>, word: &str) -> PyResult<T> {
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

/// A key, and the content that it was loaded from. A pickle holds the content, so that the key keeps its restrictions.
#[derive(Debug)]
struct Key {
    key: PublicKey,
    loaded_from: Option<Vec<u8>>,
}

impl Key {
    fn of(key: impl Into<PublicKey>) -> Self {
        Self { key: key.into(), loaded_from: None }
    }

    /// What `__reduce__` returns: the content, or a function with the numbers.
    fn reduced<'py>(
        &self,
        py: Python<'py>,
        function: &str,
        numbers: Bound<'py, PyTuple>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        match &self.loaded_from {
            Some(content) => pickle::reduced(py, "public_key", (PyBytes::new(py, content),).into_pyobject(py)?),
            None => pickle::reduced(py, function, numbers),
        }
    }
}

/// A public key of DSA: the domain parameters p, q, g and the public value y. Immutable.
///
/// Ranges are checked: p (at most 10,000 bits) and q odd, q < p, 1 < g < p, 1 < y < p; validate() checks more. Raises
/// ArgumentError, TooLongError, TypeError.
#[pyclass(frozen, module = "pingala")]
#[derive(Debug)]
pub struct DSAPublicKey(Key);

#[pymethods]
impl DSAPublicKey {
    #[new]
    fn new(p: &Bound<'_, PyAny>, q: &Bound<'_, PyAny>, g: &Bound<'_, PyAny>, y: &Bound<'_, PyAny>) -> PyResult<Self> {
        let key = DsaKey::new(natural("p", p)?, natural("q", q)?, natural("g", g)?, natural("y", y)?);
        key.map(|key| Self(Key::of(key))).map_err(|error| errors::raise(p.py(), error))
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
        self.0.key.bits()
    }

    /// What is weak about the key used with a hash function: names such as "short_key".
    #[pyo3(signature = (hash="sha256"))]
    fn weaknesses<'py>(&self, py: Python<'py>, hash: &str) -> PyResult<Bound<'py, PyTuple>> {
        weaknesses(py, &self.0.key, hash)
    }

    /// What is wrong with the key, as names; () for a sound one. depth: "ranges", "subgroup" (q divides p - 1, and g and y have
    /// order q), or "primes" (p and q are prime, too; tens of milliseconds at 2048 bits).
    #[pyo3(signature = (depth="subgroup"))]
    fn validate<'py>(&self, py: Python<'py>, depth: &str) -> PyResult<Bound<'py, PyTuple>> {
        validated(py, &self.0.key, depth)
    }

    fn __richcmp__(&self, other: &Self, how: CompareOp, py: Python<'_>) -> Py<PyAny> {
        compared(&self.0.key, &other.0.key, how, py)
    }

    /// A pickle contains the numbers; of a key that was loaded, the content that it was loaded from.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let numbers = (self.p(py)?, self.q(py)?, self.g(py)?, self.y(py)?);
        self.0.reduced(py, "dsa_public_key", numbers.into_pyobject(py)?)
    }

    fn __hash__(&self) -> u64 {
        self.key().y().limbs()[0]
    }

    fn __repr__(&self) -> String {
        format!("<DSAPublicKey of {}/{} bits>", self.0.key.bits(), self.key().q().bits())
    }
}

impl DSAPublicKey {
    pub fn library(&self) -> &PublicKey {
        &self.0.key
    }

    fn key(&self) -> &DsaKey {
        match &self.0.key {
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
pub struct RSAPublicKey(Key);

#[pymethods]
impl RSAPublicKey {
    #[new]
    fn new(n: &Bound<'_, PyAny>, e: &Bound<'_, PyAny>) -> PyResult<Self> {
        let key = RsaKey::new(natural("n", n)?, natural("e", e)?);
        key.map(|key| Self(Key::of(key))).map_err(|error| errors::raise(n.py(), error))
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
        self.0.key.bits()
    }

    /// What is weak about the key used with a hash function: names such as "short_key".
    #[pyo3(signature = (hash="sha256"))]
    fn weaknesses<'py>(&self, py: Python<'py>, hash: &str) -> PyResult<Bound<'py, PyTuple>> {
        weaknesses(py, &self.0.key, hash)
    }

    /// What is wrong with the key, as names; () for a sound one. depth "primes" finds a prime n, and prime factors below 752.
    #[pyo3(signature = (depth="subgroup"))]
    fn validate<'py>(&self, py: Python<'py>, depth: &str) -> PyResult<Bound<'py, PyTuple>> {
        validated(py, &self.0.key, depth)
    }

    fn __richcmp__(&self, other: &Self, how: CompareOp, py: Python<'_>) -> Py<PyAny> {
        compared(&self.0.key, &other.0.key, how, py)
    }

    /// A pickle contains the numbers; of a key that was loaded, the content that it was loaded from.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.0.reduced(py, "rsa_public_key", (self.n(py)?, self.e(py)?).into_pyobject(py)?)
    }

    fn __hash__(&self) -> u64 {
        self.key().n().limbs()[0]
    }

    fn __repr__(&self) -> String {
        format!("<RSAPublicKey of {} bits>", self.0.key.bits())
    }
}

impl RSAPublicKey {
    pub fn library(&self) -> &PublicKey {
        &self.0.key
    }

    fn key(&self) -> &RsaKey {
        match &self.0.key {
            PublicKey::Rsa(key) => key,
            _ => unreachable!("it was made with a key of RSA"),
        }
    }
}

/// The longest file of a key, or of a certificate.
pub const MOST_BYTES: usize = 1 << 24;

/// The content of a file. ArgumentError for one that is too long, before it is copied; TypeError, also for a path.
fn content(data: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    short_enough(data)?;
    match data.cast::<PyString>() {
        Ok(text) => Ok(text.to_str()?.as_bytes().to_vec()),
        Err(_) => bytes("data", data).map(|bytes| bytes.to_vec()).map_err(|_| not_content(data)),
    }
}

/// ArgumentError for content that is too long for a key.
pub fn short_enough(data: &Bound<'_, PyAny>) -> PyResult<()> {
    match data.len() {
        Ok(length) if length > MOST_BYTES => {
            let why = format!("the file of a key has at most {MOST_BYTES} bytes, not {length}");
            Err(errors::bad_argument(data.py(), why))
        }
        _ => Ok(()),
    }
}

/// The TypeError for what is not the content of a file, such as its path.
pub fn not_content(data: &Bound<'_, PyAny>) -> PyErr {
    let hint = if data.hasattr(intern!(data.py(), "__fspath__")).unwrap_or(false) {
        ", such as path.read_bytes() gives"
    } else {
        ""
    };
    refused("data", &format!("the content of a file as bytes, bytearray or str{hint}"), data)
}

/// The error of content that is no key. What looks like the path of a file is said to be one; the content is not quoted.
pub fn unreadable(py: Python<'_>, content: &[u8], error: Error) -> PyErr {
    const LONGEST_PATH: usize = 1024;
    let is_path = content.len() <= LONGEST_PATH
        && core::str::from_utf8(content).is_ok_and(|text| {
            let text = text.trim_end();
            // A dot, a backslash, a tilde and an underscore are in no Base64, and a key does not begin with a slash.
            let of_path = text.contains(['.', '\\', '~', '_']) || text.starts_with('/');
            of_path && !text.contains(char::is_control) && !text.contains("-----") && !text.starts_with("ssh-")
        });
    if is_path {
        let why = "this is no key, and looks like the path of a file: give the file's content, such as \
                   pathlib.Path(path).read_bytes()";
        return errors::bad_argument(py, why);
    }
    errors::raise(py, error)
}

/// A key from the content of a file, as bytes or str: PEM or DER of a SubjectPublicKeyInfo, of PKCS#1 or of an X.509 certificate (of
/// which nothing but the key is read), or a line of OpenSSH (ssh-rsa, ssh-dss). A DSAPublicKey or RSAPublicKey.
///
/// data: that content.
///
/// Raises ArgumentError, also for the path of a file, TooLongError, TypeError.
#[pyfunction]
pub fn load_public_key<'py>(data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = data.py();
    let content = content(data)?;
    let key = PublicKey::load(&content).map_err(|error| unreadable(py, &content, error))?;
    let loaded = Key { key, loaded_from: Some(content) };
    match loaded.key {
        PublicKey::Dsa(_) => Ok(Bound::new(py, DSAPublicKey(loaded))?.into_any()),
        _ => Ok(Bound::new(py, RSAPublicKey(loaded))?.into_any()),
    }
}
