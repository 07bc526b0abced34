//! Secret exponents and bases: the class `SecretInt`, and the calls that take them. What this crate copies of them is wiped.

use crate::call::{self, Divisor};
use crate::errors::{self, Raised};
use crate::keywords::{Given, Keywords};
use crate::list::{self, ANY_BITS, BASE, EXPONENT, Names, Source};
use crate::number::{self, Count};
use crate::watch::Caller;
use pingala_core::{Error, FixedBase, Integer, Modulus, Natural, Options, PlannedPower, SecretExponent};
use pyo3::exceptions::{PyMemoryError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyInt, PyList};
use std::sync::Arc;
use zeroize::Zeroizing;

/// A secret number from 0 up, in memory that is wiped when the object goes. Calls that take secrets accept it in place of an int.
///
/// value: an int, or bytes, most significant first; a bytearray can be wiped by its owner afterwards. bits: its declared length in
/// bits, which is public; by default eight for each byte, or the length of the int.
///
/// A power with a SecretInt as its base is a SecretInt. It has no arithmetic, no hash and no order, does not print its value, and
/// cannot be pickled or copied.
///
/// Raises SecretError for a number that is negative or longer than declared, TypeError.
#[pyclass(frozen, module = "pingala", name = "SecretInt")]
pub struct SecretInt {
    /// Most significant first, as many as the declared length takes.
    bytes: Zeroizing<Vec<u8>>,
    bits: u64,
}

/// Longest declared length, in bits: that of exponents.
const MAX_BITS: u64 = 1 << 26;

impl SecretInt {
    /// Of bytes, which become exactly as many as the length takes. Error: `bad_secret` for a longer number; `too_long`.
    pub fn of(bytes: &[u8], bits: u64) -> Result<Self, Error> {
        if bits > MAX_BITS {
            return Err(Error::TooLong { what: "secret", length: bits, cap: MAX_BITS });
        }
        // Bits of every byte are looked at, whatever they are.
        SecretExponent::from_be_bytes(bytes, bits)
            .map_err(|_| Error::BadSecret("the secret number is longer than declared"))?;
        let mut own = Zeroizing::new(vec![0; bits.div_ceil(8) as usize]);
        for (to, from) in own.iter_mut().rev().zip(bytes.iter().rev()) {
            *to = *from;
        }
        Ok(Self { bytes: own, bits })
    }

    fn exponent(&self, width: u64) -> Result<SecretExponent, Error> {
        SecretExponent::from_be_bytes(&self.bytes, width)
    }
}

impl std::fmt::Debug for SecretInt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.__repr__())
    }
}

#[pymethods]
impl SecretInt {
    #[new]
    #[pyo3(signature = (value, bits=None))]
    fn new(value: &Bound<'_, PyAny>, bits: Option<Count>) -> PyResult<Self> {
        let py = value.py();
        let bits = bits.map(u64::from);
        let made = if let Ok(bytes) = value.cast::<PyBytes>() {
            let bytes = bytes.as_bytes();
            short_enough(bytes.len()).raised(py)?;
            Self::of(bytes, bits.unwrap_or(8 * bytes.len() as u64))
        } else if let Ok(bytes) = value.cast::<PyByteArray>() {
            short_enough(bytes.len()).raised(py)?;
            let bytes = Zeroizing::new(bytes.to_vec());
            Self::of(&bytes, bits.unwrap_or(8 * bytes.len() as u64))
        } else {
            let number = Zeroizing::new(number::within("value", value, "secret", MAX_BITS)?);
            let bits = bits.unwrap_or_else(|| number.magnitude().bits());
            not_negative(&number, "a secret number must not be negative").and_then(|()| {
                let bytes = Zeroizing::new(number.magnitude().to_be_bytes());
                Self::of(&bytes, bits)
            })
        };
        made.raised(py)
    }

    /// The declared length in bits.
    #[getter]
    fn bits(&self) -> u64 {
        self.bits
    }

    /// The number as a bytearray, most significant byte first, as long as the declared length takes. The caller wipes it.
    fn reveal<'py>(&self, py: Python<'py>) -> Bound<'py, PyByteArray> {
        PyByteArray::new(py, &self.bytes)
    }

    fn __repr__(&self) -> String {
        format!("<SecretInt of {} bits>", self.bits)
    }

    fn __eq__(&self, _other: &Bound<'_, PyAny>) -> PyResult<bool> {
        Err(PyTypeError::new_err("a SecretInt is not compared: hmac.compare_digest compares what reveal() gives"))
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err("a SecretInt cannot be pickled or copied: a pickle would hold it in the clear"))
    }
}

/// A secret argument: a number that Python has, or one of ours.
pub enum Secret<'py> {
    Int(Zeroizing<Integer>),
    Own(Bound<'py, SecretInt>),
}

impl<'py> Secret<'py> {
    /// Reads a base, which may have any length, or an exponent. TooLongError before it is copied, TypeError.
    pub fn read(names: Names, object: &Bound<'py, PyAny>, most_bits: u64) -> PyResult<Self> {
        Self::read_within(names, object, most_bits)?.raised(object.py())
    }

    fn read_within(names: Names, object: &Bound<'py, PyAny>, most_bits: u64) -> PyResult<Result<Self, Error>> {
        if !object.is_instance_of::<PyInt>()
            && let Ok(own) = object.cast::<SecretInt>()
        {
            return Ok(Ok(Self::Own(own.clone())));
        }
        let number = number::capped(names[0], object, "exponent", most_bits)?;
        Ok(number.map(|number| Self::Int(Zeroizing::new(number))))
    }

    /// As an exponent of a declared width. Error: `bad_secret`.
    fn exponent(&self, width: u64) -> Result<SecretExponent, Error> {
        match self {
            Self::Int(number) => {
                not_negative(number, "a secret exponent must not be negative")?;
                SecretExponent::new(number.magnitude(), Some(width))
            }
            Self::Own(own) => own.get().exponent(width),
        }
    }

    /// [`Secret::exponent`], of the element of this index if it is one of a list. SecretError tells the declared lengths, which are public;
    /// the length of an int is a secret.
    fn declared(&self, py: Python<'_>, width: u64, index: Option<usize>) -> PyResult<SecretExponent> {
        let length = self.length();
        self.exponent(width).map_err(|error| match error {
            Error::BadSecret(_) if length > width && !self.is_negative() => {
                let (own, wanted) = match self {
                    Self::Int(_) => (String::new(), "a greater exponent_bits".into()),
                    Self::Own(_) => (format!(" of {length} bits"), format!("exponent_bits={length}, or more")),
                };
                let sentence = format!(
                    "bad secret: the secret exponent{own} is wider than declared, {width} bits (by default the length of the modulus, or \
                     that of the table): give {wanted}"
                );
                errors::of_code(py, error.code(), &sentence, index)
            }
            error => errors::exception(py, &error, index),
        })
    }

    /// The length in bits; of one of ours, that which is declared.
    fn length(&self) -> u64 {
        match self {
            Self::Int(number) => number.magnitude().bits(),
            Self::Own(own) => own.get().bits,
        }
    }

    fn is_negative(&self) -> bool {
        matches!(self, Self::Int(number) if number.is_negative())
    }

    /// As bytes, most significant first. Error: `bad_secret`.
    pub fn bytes(&self) -> Result<Zeroizing<Vec<u8>>, Error> {
        match self {
            Self::Int(number) => {
                not_negative(number, "a secret base must not be negative")?;
                Ok(Zeroizing::new(number.magnitude().to_be_bytes()))
            }
            Self::Own(own) => Ok(own.get().bytes.clone()),
        }
    }

    /// The declared width, if there is one.
    fn width(&self) -> Option<u64> {
        matches!(self, Self::Own(_)).then(|| self.length())
    }
}

/// Error: `too_long` for more bytes than a secret may have.
fn short_enough(bytes: usize) -> Result<(), Error> {
    let length = 8 * bytes as u64;
    if length > MAX_BITS { Err(Error::TooLong { what: "secret", length, cap: MAX_BITS }) } else { Ok(()) }
}

fn not_negative(number: &Integer, why: &'static str) -> Result<(), Error> {
    if number.is_negative() { Err(Error::BadSecret(why)) } else { Ok(()) }
}

/// The settings of powers with secret exponents.
pub struct SecretKeywords<'a> {
    pub keywords: Keywords<'a>,
    /// The declared width of exponents.
    exponent_bits: Option<Count>,
    /// What is said to be the inverse of the exponent.
    public_exponent: Option<Integer>,
    blinding: bool,
}

impl<'a> SecretKeywords<'a> {
    /// Reads the keywords of a power with a secret exponent. ArgumentError, TypeError.
    pub fn of(py: Python<'_>, given: &Given<'a, '_>) -> PyResult<Self> {
        let public_exponent = given
            .public_exponent
            .map(|object| number::within("public_exponent", object, "exponent", MAX_BITS))
            .transpose()?;
        if public_exponent.as_ref().is_some_and(Integer::is_negative) {
            return Err(errors::bad_argument(py, "a public exponent must not be negative"));
        }
        let (keywords, blinding) = (given.keywords()?, given.blinding);
        Ok(Self { keywords, exponent_bits: given.exponent_bits, public_exponent, blinding })
    }

    pub fn options<'b>(&'b self, watch: Option<&'b dyn pingala_core::Watch>) -> Options<'b> {
        let public_exponent = self.public_exponent.as_ref().map(Integer::magnitude);
        self.keywords.options(watch).with_public_exponent(public_exponent).with_blinding(self.blinding)
    }

    /// The declared width of one exponent.
    fn width(&self, exponent: &Secret<'_>, otherwise: u64) -> u64 {
        self.exponent_bits.map(u64::from).or(exponent.width()).unwrap_or(otherwise)
    }
}

/// One power with a secret exponent, for `powmod_sec` and `Modulus.pow_sec`.
pub fn power<'py>(
    base: &Bound<'py, PyAny>,
    exponent: &Bound<'py, PyAny>,
    divisor: &Divisor,
    settings: &SecretKeywords<'_>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = base.py();
    let (base, exponent) = (Secret::read(BASE, base, ANY_BITS)?, Secret::read(EXPONENT, exponent, MAX_BITS)?);
    let modulus = divisor.positive(py, &settings.keywords.limits)?;
    let width = settings.width(&exponent, modulus.value().bits());
    let exponent = exponent.declared(py, width, None)?;
    let caller = call::are_long(&[base.length(), modulus.value().bits(), width]).then(|| Caller::new(None));
    match &base {
        Secret::Int(base) => {
            let result = call::run(py, caller.as_ref(), |watch| {
                modulus.pow_sec(base, &exponent, &settings.options(watch)).map(Zeroizing::new)
            })?;
            divisor.result(py, &result)
        }
        Secret::Own(base) => {
            let base = &base.get().bytes;
            let result = call::run(py, caller.as_ref(), |watch| {
                let mut out = Zeroizing::new(vec![0; modulus.value().bits().div_ceil(8) as usize]);
                modulus.pow_sec_bytes(base, &exponent, &mut out, &settings.options(watch))?;
                SecretInt::of(&out, modulus.value().bits())
            })?;
            Ok(Bound::new(py, result)?.into_any())
        }
    }
}

/// `FixedExponent.pow_sec`.
pub fn chain_power<'py>(
    base: &Bound<'py, PyAny>,
    planned: &Arc<PlannedPower>,
    modulus_bits: u64,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, planned) = (base.py(), planned.clone());
    // It polls no watch. As many products as an inverse of the length at which that is run apart takes, about.
    let (caller, apart) = (Some(Caller::new(None)), call::runs_apart(16 * modulus_bits));
    match Secret::read(BASE, base, ANY_BITS)? {
        Secret::Int(base) => {
            let power = call::run_or_apart(py, caller, apart, move |_| planned.pow_sec(&base).map(Zeroizing::new))?;
            Ok(number::int(py, &power)?.into_any())
        }
        Secret::Own(base) => {
            let base = base.get().bytes.clone();
            let power = call::run_or_apart(py, caller, apart, move |_| {
                let word = |bytes: &[u8]| bytes.iter().fold(0, |word, &byte| word << 8 | u64::from(byte));
                let words: Zeroizing<Vec<u64>> = Zeroizing::new(base.rchunks(8).map(word).collect());
                let mut out = Zeroizing::new(vec![0u64; modulus_bits.div_ceil(64) as usize]);
                planned.pow_sec_words(&words, &mut out)?;
                let bytes: Zeroizing<Vec<u8>> =
                    Zeroizing::new(out.iter().rev().flat_map(|word| word.to_be_bytes()).collect());
                SecretInt::of(&bytes, modulus_bits)
            });
            Ok(Bound::new(py, power?)?.into_any())
        }
    }
}

/// The numbers of an argument, or the one for all, and whether they are many. Errors of numbers have the index.
fn read_either<'py>(names: Names, object: &Bound<'py, PyAny>, most_bits: u64) -> PyResult<(Vec<Secret<'py>>, bool)> {
    if object.is_instance_of::<SecretInt>() || !Source::either(names[1], object)?.is_many() {
        return Ok((vec![Secret::read(names, object, most_bits)?], false));
    }
    Ok((read(names, object, most_bits)?, true))
}

/// The numbers of an iterable, none of more bits. Errors have the index.
pub fn read<'py>(names: Names, object: &Bound<'py, PyAny>, most_bits: u64) -> PyResult<Vec<Secret<'py>>> {
    list::items(names[1], object, |number| Ok(Secret::read_within(names, number, most_bits)??))
}

/// The error of one element, with its index.
fn at(index: usize, error: Error) -> Error {
    Error::At { index, error: Box::new(error) }
}

/// The exponents as the library takes them. SecretError and TooLongError with the index.
fn exponents(
    py: Python<'_>,
    numbers: &[Secret<'_>],
    settings: &SecretKeywords<'_>,
    otherwise: u64,
) -> PyResult<Vec<SecretExponent>> {
    let exponent =
        |(index, number): (usize, &Secret<'_>)| number.declared(py, settings.width(number, otherwise), Some(index));
    numbers.iter().enumerate().map(exponent).collect()
}

/// Bases as big-endian bytes, and for each whether its result is secret too.
pub type Rows = (Vec<Zeroizing<Vec<u8>>>, Vec<bool>);

/// The bases of a list. Error: `bad_secret`, with the index.
pub fn rows(bases: &[Secret<'_>]) -> Result<Rows, Error> {
    let rows = bases.iter().enumerate().map(|(index, base)| base.bytes().map_err(|error| at(index, error)));
    let rows = rows.collect::<Result<_, _>>()?;
    Ok((rows, bases.iter().map(|base| matches!(base, Secret::Own(_))).collect()))
}

/// `Modulus.pow_sec_list`.
pub fn power_list<'py>(
    bases: &Bound<'py, PyAny>,
    exponents_given: &Bound<'py, PyAny>,
    modulus: &Modulus,
    settings: &SecretKeywords<'_>,
) -> PyResult<Bound<'py, PyList>> {
    let py = bases.py();
    let (bases, many_bases) = read_either(BASE, bases, ANY_BITS)?;
    let (numbers, many_exponents) = read_either(EXPONENT, exponents_given, MAX_BITS)?;
    if !many_bases && !many_exponents {
        return Err(errors::bad_argument(py, "at least one of bases and exponents must be a list or iterable"));
    }
    if many_bases && many_exponents && bases.len() != numbers.len() {
        let why = format!("{} bases and {} exponents do not make pairs", bases.len(), numbers.len());
        return Err(errors::bad_argument(py, why));
    }
    if bases.is_empty() || numbers.is_empty() {
        return Ok(PyList::empty(py));
    }
    let (rows, secret_bases) = rows(&bases).raised(py)?;
    let exponents = exponents(py, &numbers, settings, modulus.value().bits())?;
    let rows: Vec<&[u8]> = rows.iter().map(|row| row.as_slice()).collect();
    results(py, modulus, rows.len().max(exponents.len()), &secret_bases, |out, watch| {
        modulus.pow_sec_list(&rows, &exponents, out, &settings.options(watch))
    })
}

/// `FixedBase.pow_sec`.
pub fn table_power<'py>(
    exponent: &Bound<'py, PyAny>,
    table: &FixedBase,
    settings: &SecretKeywords<'_>,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, number) = (exponent.py(), Secret::read(EXPONENT, exponent, MAX_BITS)?);
    let width = settings.width(&number, table.exponent_bits());
    let exponent = number.declared(py, width, None)?;
    let caller = call::are_long(&[width, table.modulus().value().bits()]).then(|| Caller::new(None));
    let power = call::run(py, caller.as_ref(), |watch| table.pow_sec(&exponent, &settings.options(watch)))?;
    Ok(number::int(py, &Zeroizing::new(power))?.into_any())
}

/// `FixedBase.pow_sec_list`.
pub fn table_list<'py>(
    exponents_given: &Bound<'py, PyAny>,
    table: &FixedBase,
    settings: &SecretKeywords<'_>,
) -> PyResult<Bound<'py, PyList>> {
    let py = exponents_given.py();
    let numbers = read(EXPONENT, exponents_given, MAX_BITS)?;
    let exponents = exponents(py, &numbers, settings, table.exponent_bits())?;
    results(py, table.modulus(), exponents.len(), &[false], |out, watch| {
        table.pow_sec_list(&exponents, out, &settings.options(watch))
    })
}

/// The rows of a list that `run` fills; the first error of a row is raised with its index. `secret` says which rows are secret, or
/// whether all are.
pub fn results<'py>(
    py: Python<'py>,
    modulus: &Modulus,
    count: usize,
    secret: &[bool],
    run: impl FnOnce(&mut [u8], Option<&dyn pingala_core::Watch>) -> Result<Vec<(usize, Error)>, Error> + Send,
) -> PyResult<Bound<'py, PyList>> {
    let width = modulus.value().bits().div_ceil(8) as usize;
    let mut out = Zeroizing::new(Vec::new());
    let length = count.saturating_mul(width);
    if out.try_reserve_exact(length).is_err() {
        return Err(PyMemoryError::new_err("the results are too long for the memory"));
    }
    out.resize(length, 0u8);
    call::watched(py, |watch| match run(&mut out, watch)?.into_iter().next() {
        Some((index, error)) => Err(at(index, error)),
        None => Ok(()),
    })?;
    let list = PyList::empty(py);
    for (index, row) in out.chunks_exact(width).enumerate() {
        let is_secret = if let [one] = secret { *one } else { secret[index] };
        list.append(result(py, row, modulus, is_secret)?)?;
    }
    Ok(list)
}

/// A result as the object that the caller gets.
pub fn result<'py>(py: Python<'py>, row: &[u8], modulus: &Modulus, is_secret: bool) -> PyResult<Bound<'py, PyAny>> {
    if is_secret {
        let number = SecretInt::of(row, modulus.value().bits()).raised(py)?;
        return Ok(Bound::new(py, number)?.into_any());
    }
    Ok(number::int(py, &Zeroizing::new(Natural::from_be_bytes(row)))?.into_any())
}
