//! Public keys: the classes `DSAPublicKey` and `RSAPublicKey`, and arguments as numbers, bytes and words.

use crate::errors::Raised;
use crate::keywords::Given;
use crate::list::refused;
use crate::{call, errors, number, pickle};
use pingala_core::{Error, Limits, Natural};
use pingala_verify::{Depth, DsaKey, Hash, PublicKey, RsaKey};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyInt, PyMemoryView, PyString, PyTuple};
use std::str::FromStr;

pub fn natural(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Natural> {
    // This is far above the length of any key; the library knows the limit of each kind.
    let number = number::within(name, object, "number", Limits::default().modulus_bits)?;
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
    word.parse().raised(py)
}

/// A key, and the content that it was loaded from. A pickle holds the content, so that the key keeps its restrictions.
#[derive(Debug)]
struct Key {
    key: PublicKey,
    loaded_from: Option<Vec<u8>>,
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Key {
    fn of(key: Result<impl Into<PublicKey>, Error>, py: Python<'_>) -> PyResult<Self> {
        let key = key.raised(py)?;
        Ok(Self { key: key.into(), loaded_from: None })
    }

    fn weaknesses<'py>(&self, py: Python<'py>, hash: &str) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.key.weaknesses(word::<Hash>(py, hash)?).names().collect::<Vec<_>>())
    }

    fn validated<'py>(
        &self,
        py: Python<'py>,
        depth: &str,
        timeout: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let depth = match depth {
            "ranges" => Depth::Ranges,
            "subgroup" => Depth::Subgroup,
            "primes" => Depth::Primes,
            other => {
                let why = format!("depth must be \"ranges\", \"subgroup\" or \"primes\", not \"{other}\"");
                return Err(errors::bad_argument(py, why));
            }
        };
        let options = Given { timeout, ..Given::default() }.keywords()?.options(None);
        let defects = call::watched(py, |watch| self.key.validate_with(depth, &options.with_watch(watch)))?;
        PyTuple::new(py, defects.iter().map(|defect| defect.code()).collect::<Vec<_>>())
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

/// Defines the class of one kind of key: its numbers, each with its text, its constructor and its own methods.
macro_rules! public_key {
    ($(#[$doc:meta])* $class:ident($Key:ident, $Kind:ident, $function:literal),
        $($(#[$text:meta])* $number:ident),* => { $($others:tt)* }) => {
        $(#[$doc])*
        #[pyclass(frozen, module = "pingala", eq)]
        #[derive(Debug, PartialEq)]
        pub struct $class(Key);

        #[pymethods]
        impl $class {
            #[new]
            fn new($($number: &Bound<'_, PyAny>),*) -> PyResult<Self> {
                let py = [$($number),*][0].py();
                Key::of($Key::new($(natural(stringify!($number), $number)?),*), py).map(Self)
            }

            $(
                $(#[$text])*
                #[getter]
                fn $number<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyInt>> {
                    number::int(py, self.key().$number())
                }
            )*

            /// The length of p or of n, in bits.
            #[getter]
            fn bits(&self) -> u64 {
                self.0.key.bits()
            }

            /// What is weak about the key used with a hash function: names such as "short_key".
            #[pyo3(signature = (hash="sha256"))]
            fn weaknesses<'py>(&self, py: Python<'py>, hash: &str) -> PyResult<Bound<'py, PyTuple>> {
                self.0.weaknesses(py, hash)
            }

            /// What is wrong with the key, as names; () for a sound one. depth: "ranges"; "subgroup", for DSA: q divides p - 1, and g and y
            /// have order q; or "primes", for DSA: p and q are prime, too (tens of milliseconds at 2048 bits), for RSA: n is not prime,
            /// is no power, and has no prime factor below 752.
            ///
            /// timeout: the seconds that it may take.
            #[pyo3(signature = (depth="subgroup", *, timeout=None))]
            fn validate<'py>(
                &self,
                py: Python<'py>,
                depth: &str,
                timeout: Option<&Bound<'py, PyAny>>,
            ) -> PyResult<Bound<'py, PyTuple>> {
                self.0.validated(py, depth, timeout)
            }

            /// A pickle contains the numbers; of a key that was loaded, the content that it was loaded from.
            fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
                self.0.reduced(py, $function, ($(self.$number(py)?,)*).into_pyobject(py)?)
            }

            $($others)*
        }

        impl $class {
            pub fn library(&self) -> &PublicKey {
                &self.0.key
            }

            fn key(&self) -> &$Key {
                match &self.0.key {
                    PublicKey::$Kind(key) => key,
                    _ => unreachable!("it was made with a key of this kind"),
                }
            }
        }
    };
}

public_key! {
    /// A public key of DSA: the domain parameters p, q, g and the public value y. Immutable.
    ///
    /// Ranges are checked: p (at most 10,000 bits) and q odd, q < p, 1 < g < p, 1 < y < p; validate() checks more. Raises
    /// ArgumentError, TooLongError, TypeError.
    DSAPublicKey(DsaKey, Dsa, "dsa_public_key"),

    /// The prime of the field.
    p,
    /// The order of g.
    q,
    /// The generator.
    g,
    /// The public value.
    y => {
        fn __hash__(&self) -> u64 {
            self.key().y().limbs()[0]
        }

        fn __repr__(&self) -> String {
            format!("<DSAPublicKey of {}/{} bits>", self.0.key.bits(), self.key().q().bits())
        }
    }
}

public_key! {
    /// A public key of RSA: the modulus n and the public exponent e. Immutable.
    ///
    /// Ranges are checked: n odd, of at most 16,384 bits; e odd, 1 < e < n. Raises ArgumentError, TooLongError, TypeError.
    RSAPublicKey(RsaKey, Rsa, "rsa_public_key"),

    /// The modulus.
    n,
    /// The public exponent.
    e => {
        fn __hash__(&self) -> u64 {
            self.key().n().limbs()[0]
        }

        fn __repr__(&self) -> String {
            format!("<RSAPublicKey of {} bits>", self.0.key.bits())
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
            of_path
                && !text.contains(char::is_control)
                && !text.contains("-----")
                && !text.starts_with("ssh-")
                && !text.starts_with('{')
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
