//! Primes: tests, searches, random primes, certificates, Jacobi symbols.

use crate::call;
use crate::errors::{self, Raised};
use crate::keywords::Given;
use crate::list::{self, Names, Source};
use crate::modulus::Modulus;
use crate::number::{self, Count};
use crate::pickle;
use crate::secret::SecretInt;
use crate::truth;
use pingala_core::{Error, Integer, Limits, Natural, Options};
use pingala_primes::{Certificate, PairKind, PrimeOptions, SecretPrime};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

/// What is_prime says of a number: True for a prime or a probable prime and False otherwise, with the details.
///
/// It compares, hashes and counts as that bool, so two answers are equal if both are true or both are false.
///
/// proved: whether the answer is certain, as it is below 2**64 and for every number that is not prime. error_bound: the most that the
/// probability of a wrong True can be if an adversary chose the number, 4**-rounds. random_error_bound: the same for a number drawn
/// uniformly from the odd numbers of its length. Both are 0.0 for a proved answer.
#[pyclass(frozen, module = "pingala", get_all)]
#[derive(Clone, Copy, Debug)]
pub struct Primality {
    /// Whether the number is prime.
    prime: bool,
    /// Whether the answer is certain.
    proved: bool,
    /// The most that the probability of a wrong True can be, whoever chose the number.
    error_bound: f64,
    /// The same for a number that was drawn at random.
    random_error_bound: f64,
}

impl From<pingala_primes::Primality> for Primality {
    fn from(answer: pingala_primes::Primality) -> Self {
        let pingala_primes::Primality { prime, proved, error_bound, random_error_bound, .. } = answer;
        Self { prime, proved, error_bound, random_error_bound }
    }
}

impl Primality {
    fn truth(&self) -> bool {
        self.prime
    }
}

truth_value! {
    Primality {
        fn __repr__(&self) -> String {
            match (self.prime, self.proved) {
                (false, _) => "<Primality: not prime>".into(),
                (true, true) => "<Primality: prime>".into(),
                (true, false) => format!("<Primality: probably prime, error bound {:.3e}>", self.error_bound),
            }
        }

        /// A pickle contains the four fields.
        fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
            let parameters = (self.prime, self.proved, self.error_bound, self.random_error_bound);
            pickle::reduced(py, "primality", parameters.into_pyobject(py)?)
        }
    }
}

/// The details of a list of answers, as a sequence that makes each object when it is asked for.
#[pyclass(frozen, sequence, module = "pingala._pingala", name = "_Primalities")]
#[derive(Debug)]
pub struct Primalities(Vec<pingala_primes::Primality>);

#[pymethods]
impl Primalities {
    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// The answer at a place; from the end, if it is negative. IndexError.
    fn __getitem__(&self, place: isize) -> PyResult<Primality> {
        let from_start = if place < 0 { place.checked_add_unsigned(self.0.len()) } else { Some(place) };
        let answer = from_start.and_then(|place| self.0.get(usize::try_from(place).ok()?));
        let answer = answer.ok_or_else(|| PyIndexError::new_err(format!("answer {place} of {}", self.0.len())))?;
        Ok((*answer).into())
    }

    fn __repr__(&self) -> String {
        format!("<details of {} answers>", self.0.len())
    }
}

/// What `Primality.__reduce__` wrote.
#[pyfunction]
#[pyo3(name = "_primality")]
pub fn primality_of_pickle(prime: bool, proved: bool, error_bound: f64, random_error_bound: f64) -> Primality {
    Primality { prime, proved, error_bound, random_error_bound }
}

/// The names of numbers that are tested.
const NUMBER: Names = ["n", "numbers"];

/// A number, no longer than moduli may be.
fn candidate(name: &str, object: &Bound<'_, PyAny>, limits: &Limits) -> PyResult<Integer> {
    number::within(name, object, "number", limits.modulus_bits)
}

/// The numbers of an iterable.
fn numbers(name: &str, object: &Bound<'_, PyAny>, limits: &Limits) -> PyResult<Vec<Integer>> {
    list::items(name, object, |number| Ok(number::capped(NUMBER[0], number, "number", limits.modulus_bits)??))
}

/// Has the library work on numbers of this length: a brief call is not watched.
fn run<T: Send>(
    py: Python<'_>,
    given: &Given<'_, '_>,
    (numbers, rounds): (&[&Natural], u32),
    work: impl FnOnce(&Options<'_>) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let is_brief = given.timeout.is_none() && rounds <= 64 && !call::is_long(numbers.iter().copied());
    if is_brief { work(&given.keywords()?.options(None)).raised(py) } else { given.run(py, 0, work) }
}

/// Python's number.
fn int<'py>(py: Python<'py>, value: &Natural) -> PyResult<Bound<'py, PyAny>> {
    Ok(number::int(py, value)?.into_any())
}

/// A list of Python's numbers.
pub fn ints<'py>(py: Python<'py>, values: &[Natural]) -> PyResult<Bound<'py, PyList>> {
    let values: Vec<_> = values.iter().map(|value| number::int(py, value)).collect::<PyResult<_>>()?;
    PyList::new(py, values)
}

/// A natural number, as an argument.
fn natural(name: &str, object: &Bound<'_, PyAny>, limits: &Limits) -> PyResult<Natural> {
    let value = candidate(name, object, limits)?;
    if value.is_negative() {
        return Err(errors::bad_argument(object.py(), format!("{name} must not be negative")));
    }
    Ok(value.into_magnitude())
}

/// The longest numbers, in bits, of a symbol that keeps the interpreter: it takes as long as handing it over.
const BRIEF_SYMBOL: u64 = 1024;

/// The factors of a Modulus that has some.
fn factors_of(object: &Bound<'_, PyAny>) -> PyResult<Option<Vec<(Natural, u32)>>> {
    object.cast::<Modulus>().map_or(Ok(None), |modulus| modulus.get().public_factors(object.py()))
}

/// The settings of a random prime.
fn settings(safe: bool, top_bits: u32, rounds: Option<u32>, residue: Option<&(Natural, Natural)>) -> PrimeOptions<'_> {
    let settings = PrimeOptions::default().with_safe(safe).with_top_bits(top_bits).with_rounds(rounds);
    settings.with_residue(residue.map(|(r, q)| (r, q)))
}

/// The two numbers of `residue`.
fn residue(object: Option<&Bound<'_, PyAny>>, limits: &Limits) -> PyResult<Option<(Natural, Natural)>> {
    let Some(object) = object else { return Ok(None) };
    let pair: (Bound<'_, PyAny>, Bound<'_, PyAny>) =
        object.extract().map_err(|_| list::refused("residue", "a tuple (r, q)", object))?;
    let q = natural("q", &pair.1, limits)?;
    let r = candidate("r", &pair.0, limits)?;
    if q.is_zero() {
        return Err(errors::bad_argument(object.py(), "residue=(r, q): q must be at least 1, not 0"));
    }
    let one = Integer::from(1u64);
    Ok(Some((pingala_core::Modulus::with_limits(q.clone(), limits).raised(object.py())?.mul(&r, &one), q)))
}

/// A drawn secret prime: a SecretInt, or an int if it need not stay secret.
fn drawn<'py>(py: Python<'py>, prime: &SecretPrime, secret: bool) -> PyResult<Bound<'py, PyAny>> {
    if secret {
        let prime = SecretInt::of(prime.as_be_bytes(), prime.bits()).raised(py)?;
        return Ok(Bound::new(py, prime)?.into_any());
    }
    int(py, &Natural::from_be_bytes(prime.as_be_bytes()))
}

functions! {
    /// Whether n is prime: a Primality, which is true for a prime or probable prime.
    ///
    /// Below 2**64 the answer is proved. Above, n passes trial division, the Baillie-PSW test, and then `rounds` rounds of Miller and
    /// Rabin's test with bases from the system's generator; .error_bound says how sure a True is. No number below 2 is prime.
    ///
    /// timeout, max_modulus_bits: as in powmod, for n. Raises TooLongError, ArgumentError, TypeError. Ctrl-C stops it.
    fn is_prime(n, #[pyo3(from_py_with = number::few)] rounds: u32 = 1, *, timeout, max_modulus_bits) -> Primality = |py, given| {
        let n = candidate(NUMBER[0], n, &given.limits())?;
        let answer = run(py, &given, (&[n.magnitude()], rounds), |options| pingala_primes::is_prime(&n, rounds, options))?;
        Ok(answer.into())
    }

    /// [bool(is_prime(n, rounds)) for n in numbers] as Answers, whose .details are the Primality of each number; the powers of all
    /// numbers are computed side by side.
    ///
    /// threads, timeout, max_modulus_bits: as in powmod_list. progress: called as progress(done, total) on this thread. Raises what is_prime
    /// raises, with the index of the element.
    fn is_prime_list(
        numbers: &Bound<'py, PyAny>, #[pyo3(from_py_with = number::few)] rounds: u32 = 1, *, threads, progress, timeout, max_modulus_bits
    ) -> Bound<'py, PyAny> = |py, given| {
        let numbers = self::numbers(NUMBER[1], numbers, &given.limits())?;
        let answers =
            given.run(py, numbers.len(), |options| pingala_primes::is_prime_list(&numbers, rounds, options))?;
        let truths: Vec<bool> = answers.iter().map(|answer| answer.prime).collect();
        truth::answers(py, truths.into_iter(), Primalities(answers))
    }

    /// The least prime above n, a probable one as is_prime has it; 2 for every n below 2.
    ///
    /// threads, timeout, max_modulus_bits: as in powmod. Raises TooLongError, TypeError. Ctrl-C stops it.
    fn next_prime(n, *, threads, timeout, max_modulus_bits) -> Bound<'py, PyAny> = |py, given| {
        let n = candidate(NUMBER[0], n, &given.limits())?;
        int(py, &run(py, &given, (&[n.magnitude()], 1), |options| pingala_primes::next_prime(&n, options))?)
    }

    /// The greatest prime below n, a probable one as is_prime has it.
    ///
    /// threads, timeout, max_modulus_bits: as in powmod. Raises ArgumentError for n <= 2, and what next_prime raises. Ctrl-C stops it.
    fn previous_prime(n, *, threads, timeout, max_modulus_bits) -> Bound<'py, PyAny> = |py, given| {
        let n = candidate(NUMBER[0], n, &given.limits())?;
        int(py, &run(py, &given, (&[n.magnitude()], 1), |options| pingala_primes::previous_prime(&n, options))?)
    }

    /// The primes p with a <= p < b, in order, as a list of int.
    ///
    /// threads, timeout, max_modulus_bits: as in powmod_list. Raises TooLongError, ArgumentError for an interval whose sieve would take too
    /// much memory, TypeError. Ctrl-C stops it.
    fn primes_between(a, b, *, threads, timeout, max_modulus_bits) -> Bound<'py, PyList> = |py, given| {
        let limits = given.limits();
        let (a, b) = (candidate("a", a, &limits)?, candidate("b", b, &limits)?);
        match given.run(py, 0, |options| pingala_primes::prime_words_between(&a, &b, options))? {
            Some(words) => PyList::new(py, words),
            None => ints(py, &given.run(py, 0, |options| pingala_primes::primes_between(&a, &b, options))?),
        }
    }

    /// A random prime of exactly `bits` bits.
    ///
    /// By default random intervals are sieved and a prime found there is chosen at random: primes behind long gaps are slightly
    /// preferred, and docs/primes.md says by how much. uniform: every prime that fits has the same probability. safe: (p - 1) / 2 is prime
    /// too. residue=(r, q): p = r modulo q. top_bits: how many of the highest bits are set, 1 or 2. rounds: of Miller and Rabin's test.
    ///
    /// secret: the prime is a SecretInt, drawn and tested in constant time; what still leaks is in docs/promises.md. proof: the
    /// result is a tuple of the prime and a certificate, which check_certificate reads; such primes are built, and so not uniform.
    ///
    /// threads, timeout: as in powmod_list. max_modulus_bits: the cap on `bits`. progress: called as progress(tested, expected) on this
    /// thread. Raises ArgumentError for conditions that no prime fits or that exclude each other, TooLongError, TypeError. Ctrl-C stops it.
    fn random_prime(
        bits: Count, *, safe: bool = false, residue: Option<&Bound<'py, PyAny>> = None, #[pyo3(from_py_with = number::few)] top_bits: u32 = 1,
        uniform: bool = false, secret: bool = false, proof: bool = false, #[pyo3(from_py_with = number::few_or_none)] rounds: Option<u32> = None, threads, progress,
        timeout, max_modulus_bits
    ) -> Bound<'py, PyAny> = |py, given| {
        let (bits, residue) = (u64::from(bits), self::residue(residue, &given.limits())?);
        let settings = settings(safe, top_bits, rounds, residue.as_ref()).with_uniform(uniform).with_proof(proof);
        if secret {
            let prime =
                given.run(py, 0, |options| pingala_primes::random_secret_prime(bits, &settings, options))?;
            return drawn(py, &prime, true);
        }
        let prime = given.run(py, 0, |options| pingala_primes::random_prime(bits, &settings, options))?;
        let value = int(py, prime.value())?;
        match prime.certificate() {
            Some(certificate) => Ok((value, certificate.to_string()).into_pyobject(py)?.into_any()),
            None => Ok(value),
        }
    }

    /// How long random_prime(bits, ...) is expected to take: a tuple of the numbers that are tested and of seconds.
    ///
    /// bits, safe, residue, top_bits, uniform, secret, rounds, threads, max_modulus_bits: as in random_prime. The time of one search is
    /// random: one in a hundred takes 4.6 times as long. Raises what random_prime raises.
    fn estimate_random_prime(
        bits: Count, *, safe: bool = false, residue: Option<&Bound<'py, PyAny>> = None, #[pyo3(from_py_with = number::few)] top_bits: u32 = 1,
        uniform: bool = false, secret: bool = false, #[pyo3(from_py_with = number::few_or_none)] rounds: Option<u32> = None, threads, max_modulus_bits
    ) -> (f64, f64) = |py, given| {
        let (bits, residue) = (u64::from(bits), self::residue(residue, &given.limits())?);
        let settings = settings(safe, top_bits, rounds, residue.as_ref()).with_uniform(uniform);
        let estimate =
            given.run(py, 0, |options| pingala_primes::estimate_random_prime(bits, &settings, secret, options))?;
        Ok((estimate.tests, estimate.seconds))
    }

    /// Two random primes p and q whose product has exactly `bits` bits, an even number, as a tuple of two SecretInts.
    ///
    /// kind: "rsa", gcd(p - 1, exponent) = gcd(q - 1, exponent) = 1 (FIPS 186-5, A.1.3); "paillier"; "safe", where (p - 1) / 2 and
    /// (q - 1) / 2 are prime. secret=False gives ints, drawn in the same way. rounds: of Miller and Rabin's test. What still leaks is in
    /// docs/promises.md.
    ///
    /// threads, timeout: as in powmod_list. max_modulus_bits: the cap on `bits`. progress: called as progress(tested, expected) on this
    /// thread. Raises ArgumentError, TooLongError, TypeError. Ctrl-C stops it.
    fn prime_pair(
        bits: Count, kind: &str = "rsa", *, exponent: Option<&Bound<'py, PyAny>> = None, secret: bool = true,
        #[pyo3(from_py_with = number::few_or_none)] rounds: Option<u32> = None, threads, progress, timeout, max_modulus_bits
    ) -> Bound<'py, PyTuple> = |py, given| {
        let exponent = exponent.map(|e| natural("exponent", e, &given.limits())).transpose()?;
        let kind = match (kind, exponent) {
            ("rsa", e) => PairKind::Rsa(e.unwrap_or_else(|| Natural::from(65_537u64))),
            ("paillier", None) => PairKind::Paillier,
            ("safe", None) => PairKind::Safe,
            ("paillier" | "safe", Some(_)) => {
                return Err(errors::bad_argument(py, format!("exponent is for kind 'rsa', not {kind:?}")));
            }
            _ => return Err(errors::bad_argument(py, format!("kind must be 'rsa', 'paillier' or 'safe', not {kind:?}"))),
        };
        let settings = settings(false, 1, rounds, None);
        let pair =
            given.run(py, 0, |options| pingala_primes::prime_pair(u64::from(bits), &kind, &settings, options))?;
        PyTuple::new(py, [drawn(py, &pair.p, secret)?, drawn(py, &pair.q, secret)?])
    }

    /// A certificate that the prime n is prime, as text: it can be checked without this package (docs/primes.md has the form).
    ///
    /// factors: prime factors of n - 1 that are known; others are searched for a short time. timeout, max_modulus_bits: as in is_prime.
    /// Raises ArgumentError for an n that is not prime, and if too little of n - 1 was factored; TooLongError, TypeError. Ctrl-C stops it.
    fn certify(n, factors: Option<&Bound<'py, PyAny>> = None, *, timeout, max_modulus_bits) -> String = |py, given| {
        let limits = given.limits();
        let n = natural(NUMBER[0], n, &limits)?;
        let factor = |factor: &Bound<'py, PyAny>| Ok(natural("a factor", factor, &limits)?);
        let factors = factors.map_or(Ok(Vec::new()), |factors| list::items("factors", factors, factor))?;
        Ok(given.run(py, 0, |options| pingala_primes::certify(&n, &factors, options))?.to_string())
    }

    /// The prime that a certificate proves, as an int. Every step is checked; nothing is taken from elsewhere.
    ///
    /// timeout, max_modulus_bits: as in is_prime. Raises ArgumentError for a text that is no certificate or proves nothing, TooLongError, TypeError.
    fn check_certificate(text: &str, *, timeout, max_modulus_bits) -> Bound<'py, PyAny> = |py, given| {
        int(py, &given.run(py, 0, |options| Certificate::check(text, options))?.prime())
    }

    /// The Jacobi symbol (a/n): 1, -1, or 0 if a and n have a common factor. n is odd and positive.
    ///
    /// timeout: as in powmod. max_modulus_bits: the cap on both numbers. Raises ArgumentError, TooLongError, TypeError. Ctrl-C stops it.
    fn jacobi(a, n, *, timeout, max_modulus_bits) -> i32 = |py, given| {
        let limits = given.limits();
        let (a, n) = (candidate("a", a, &limits)?, candidate("n", n, &limits)?);
        let is_long = n.magnitude().bits() > BRIEF_SYMBOL || a.magnitude().bits() > BRIEF_SYMBOL;
        if given.timeout.is_none() && !is_long {
            return pingala_primes::jacobi(&a, &n).raised(py);
        }
        given.run(py, 0, |options| pingala_primes::jacobi_with(&a, &n, options))
    }

    /// The Kronecker symbol (a/n) for every n, also even, negative or 0: the Jacobi symbol for an odd n above 0.
    ///
    /// timeout, max_modulus_bits: as in jacobi. Raises TooLongError, TypeError. Ctrl-C stops it.
    fn kronecker(a, n, *, timeout, max_modulus_bits) -> i32 = |py, given| {
        let limits = given.limits();
        let (a, n) = (candidate("a", a, &limits)?, candidate("n", n, &limits)?);
        run(py, &given, (&[a.magnitude(), n.magnitude()], 1), |options| pingala_primes::kronecker(&a, &n, options))
    }

    /// [jacobi(a, n) for each a], for one n or an iterable of as many.
    ///
    /// timeout, max_modulus_bits: as in jacobi. Raises what jacobi raises, with the index of the element.
    fn jacobi_list(a, n, *, timeout, max_modulus_bits) -> Vec<i32> = |py, given| {
        let limits = given.limits();
        let below = match Source::either("n", n)? {
            Source::One(n) => vec![candidate("n", &n, &limits)?],
            Source::Many(..) => numbers("n", n, &limits)?,
        };
        let above = numbers("a", a, &limits)?;
        given.run(py, 0, |options| pingala_primes::jacobi_list_with(&above, &below, options))
    }

    /// A square root of a modulo a prime p, or modulo a Modulus with its prime factors, such as Modulus(p**k, factors={p: k}): the lesser
    /// of it and its negative. It is squared again before it is returned.
    ///
    /// timeout, max_modulus_bits: as in powmod, for both numbers. Raises ArgumentError if a is no square, or no root is found because p, or a
    /// factor, is composite; TooLongError, TypeError. Ctrl-C stops it.
    fn sqrt_mod(a, p, *, timeout, max_modulus_bits) -> Bound<'py, PyAny> = |py, given| {
        let limits = given.limits();
        let a = candidate("a", a, &limits)?;
        let root = if let Some(factors) = factors_of(p)? {
            given.run(py, 0, |options| pingala_primes::sqrt_mod_factored(&a, &factors, options))?
        } else {
            let p = natural("p", p, &limits)?;
            run(py, &given, (&[a.magnitude(), &p], 1), |options| pingala_primes::sqrt_mod(&a, &p, options))?
        };
        int(py, &root)
    }

    /// All square roots of a modulo a prime p, or modulo a Modulus with its prime factors, in order; an empty list if there are none.
    ///
    /// most: how many there may be; a power of a prime has many if it divides a. timeout, max_modulus_bits: as in sqrt_mod. Raises ArgumentError
    /// if there are more, or if p, or a factor, is composite; TooLongError, TypeError. Ctrl-C stops it.
    fn sqrt_mod_all(a, p, *, #[pyo3(from_py_with = number::few)] most: u32 = 65_536, timeout, max_modulus_bits) -> Bound<'py, PyList> = |py, given| {
        let limits = given.limits();
        let a = candidate("a", a, &limits)?;
        let factors = factors_of(p)?.map_or_else(|| Ok(vec![(natural("p", p, &limits)?, 1)]), PyResult::Ok)?;
        ints(py, &given.run(py, 0, |options| pingala_primes::sqrt_mod_all(&a, &factors, most as usize, options))?)
    }

    /// [sqrt_mod(value, p) for value in values], for one prime or an iterable of as many primes, with all powers side by side.
    ///
    /// errors, threads, progress, timeout, max_modulus_bits: as in powmod_list. Raises what sqrt_mod raises, with the index of the element.
    fn sqrt_mod_list(
        values, primes, *, errors, threads, progress, timeout, max_modulus_bits
    ) -> Bound<'py, PyList> = |py, given| {
        let (limits, collect) = (given.limits(), given.collects(py)?);
        let prime = |object: &Bound<'py, PyAny>| natural("a prime", object, &limits);
        let primes = match Source::either("primes", primes)? {
            Source::One(p) => vec![prime(&p)?],
            Source::Many(..) => list::items("primes", primes, |p| Ok(prime(p)?))?,
        };
        let values = numbers("values", values, &limits)?;
        let roots = given.run(py, values.len(), |options| pingala_primes::sqrt_mod_list(&values, &primes, options))?;
        list::answers(py, &roots, collect)
    }
}
