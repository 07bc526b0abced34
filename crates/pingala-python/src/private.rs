//! The class `RSAPrivateKey`.

use crate::call;
use crate::errors::Raised;
use crate::list::{ANY_BITS, BASE};
use crate::number;
use crate::public::{not_content, short_enough, unreadable};
use crate::secret::{self, Secret, SecretKeywords};
use pingala_core::Options;
use pingala_verify::RsaPrivateKey;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyList, PyString};
use zeroize::Zeroizing;

/// A private key of RSA, for the raw operation base^d mod n. load_private_key makes it.
///
/// The operation is constant-time, goes modulo the secret primes, is blinded, and its result is released only if result^e is the base.
/// Nothing is padded: pow is not a signature. Immutable and safe to share between threads; it cannot be pickled.
#[pyclass(frozen, module = "pingala", name = "RSAPrivateKey")]
#[derive(Debug)]
pub struct PrivateKey(RsaPrivateKey);

/// A private key from the content of a file, as bytes or str: PEM or DER of PKCS#8 or PKCS#1, not encrypted. An RSAPrivateKey.
///
/// data: that content; a bytearray can be wiped by its owner afterwards.
///
/// Raises ArgumentError, WrongFactorsError for numbers that are no key, TooLongError, TypeError.
#[pyfunction]
pub fn load_private_key(data: &Bound<'_, PyAny>) -> PyResult<PrivateKey> {
    let py = data.py();
    short_enough(data)?;
    let bytes = if let Ok(text) = data.cast::<PyString>() {
        text.to_str()?.as_bytes().to_vec()
    } else if let Ok(bytes) = data.cast::<PyBytes>() {
        bytes.as_bytes().to_vec()
    } else if let Ok(bytes) = data.cast::<PyByteArray>() {
        bytes.to_vec()
    } else {
        return Err(not_content(data));
    };
    let bytes = Zeroizing::new(bytes);
    // The prime tests take a while.
    let loaded = call::watched(py, |watch| Ok(RsaPrivateKey::load(&bytes, &Options::default().with_watch(watch))))?;
    loaded.map(PrivateKey).map_err(|error| unreadable(py, &bytes, error))
}

methods! {
    PrivateKey {
        /// The modulus n.
        #[getter]
        fn n<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
            Ok(number::int(py, self.0.modulus().value())?.into_any())
        }

        /// The public exponent e.
        #[getter]
        fn e<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
            Ok(number::int(py, self.0.public_exponent())?.into_any())
        }

        /// The length of n in bits.
        #[getter]
        fn bits(&self) -> u64 {
            self.0.modulus().value().bits()
        }

        fn __eq__(&self, _other: &Bound<'_, PyAny>) -> PyResult<bool> {
            Err(PyTypeError::new_err("an RSAPrivateKey is not compared: compare .n and .e, which are public"))
        }

        fn __repr__(&self) -> String {
            format!("<RSAPrivateKey of {} bits>", self.bits())
        }

        fn __reduce__(&self) -> PyResult<()> {
            Err(PyTypeError::new_err("an RSAPrivateKey cannot be pickled or copied: a pickle would hold it in the clear"))
        }
    }

    /// base^d mod n, for a base from 0 up; the result of a SecretInt is one.
    ///
    /// blinding: as in powmod_sec. Raises FaultError if the computer erred; SecretError for a negative base; TypeError.
    fn pow(&this, base, *, blinding) -> Bound<'py, PyAny> = |py, given| {
        let (key, base) = (&this.get().0, Secret::read(BASE, base, ANY_BITS)?);
        let bytes = base.bytes().raised(py)?;
        let mut out = Zeroizing::new(vec![0; key.modulus().value().bits().div_ceil(8) as usize]);
        call::watched(py, |watch| {
            let options = Options::default().with_blinding(given.blinding).with_watch(watch);
            key.pow_list(&[&bytes], &mut out, &options)?.pop().map_or(Ok(()), |(_, error)| Err(error))
        })?;
        secret::result(py, &out, key.modulus(), matches!(base, Secret::Own(_)))
    }

    /// [pow(base) for base in bases], on several threads: threads at most, all cores by default; blinding: as in pow. Raises what pow
    /// raises, with the index of the element.
    fn pow_list(&this, bases, *, blinding, threads) -> Bound<'py, PyList> = |py, given| {
        let (key, settings) = (&this.get().0, SecretKeywords::of(py, &given)?);
        let numbers = secret::read(BASE, bases, ANY_BITS)?;
        let (rows, secret) = secret::rows(&numbers).raised(py)?;
        let rows: Vec<&[u8]> = rows.iter().map(|row| row.as_slice()).collect();
        secret::results(py, key.modulus(), rows.len(), &secret, |out, watch| {
            key.pow_list(&rows, out, &settings.options(watch))
        })
    }
}
