//! The Jacobi symbol.

use crate::arith::{from_ubig, reduce, rem_word, to_u64, to_ubig};
use crate::test::go_on;
use dashu_int::UBig;
use pingala::{Error, Integer, Natural, Options, Watch};

/// Bytes of a number from which on each step of the algorithm asks the watch: a step takes as long as asking, and there are thousands.
const LONG: usize = 1 << 10;

/// (a/n) for an odd n, by the binary algorithm [menezes1996handbook, 2.149].
pub(crate) fn jacobi_words(a: u64, n: u64) -> i32 {
    let (mut a, mut n, mut sign) = (a % n, n, 1);
    while a != 0 {
        let twos = a.trailing_zeros();
        a >>= twos;
        if twos % 2 == 1 && matches!(n % 8, 3 | 5) {
            sign = -sign;
        }
        if a % 4 == 3 && n % 4 == 3 {
            sign = -sign;
        }
        (a, n) = (n % a, a);
    }
    if n == 1 { sign } else { 0 }
}

/// The Jacobi symbol (a/n): 1, -1, or 0 if a and n have a common factor [menezes1996handbook, 2.149]. For a prime n it says whether a is
/// a square modulo n. Error: `bad_argument` unless n is odd and positive. Leaks: both numbers, by its timing.
///
/// ```
/// use pingala_primes::jacobi;
/// assert_eq!(jacobi(&"-5".parse()?, &"21".parse()?)?, 1);
/// # Ok::<(), pingala::Error>(())
/// ```
pub fn jacobi(a: &Integer, n: &Integer) -> Result<i32, Error> {
    jacobi_with(a, n, &Options::default())
}

/// [`jacobi`] that asks the watch of the options: long numbers take quadratic time. Errors: those, and `interrupted`.
pub fn jacobi_with(a: &Integer, n: &Integer, options: &Options<'_>) -> Result<i32, Error> {
    if n.is_negative() || n.magnitude().is_even() {
        return Err(Error::BadArgument("the Jacobi symbol needs an odd positive number below".into()));
    }
    jacobi_natural(&reduce(a, n.magnitude()), n.magnitude(), options.watch())
}

/// Jacobi symbols `(a[i]/n[i])`; a list of one n serves all. Errors: `bad_argument` if the lengths differ; that of the first symbol
/// that has one, with its index.
pub fn jacobi_list(a: &[Integer], n: &[Integer]) -> Result<Vec<i32>, Error> {
    jacobi_list_with(a, n, &Options::default())
}

/// [`jacobi_list`] that asks the watch of the options. Errors: those, and `interrupted`, without an index.
pub fn jacobi_list_with(a: &[Integer], n: &[Integer], options: &Options<'_>) -> Result<Vec<i32>, Error> {
    if n.len() != a.len() && n.len() != 1 {
        return Err(Error::BadArgument(format!("{} numbers below for {} above", n.len(), a.len())));
    }
    let below = |index: usize| if n.len() == 1 { &n[0] } else { &n[index] };
    let symbol = |(index, a): (usize, &Integer)| {
        if index.is_multiple_of(64) {
            go_on(options.watch())?;
        }
        jacobi_with(a, below(index), options).map_err(|error| match error {
            Error::Interrupted => error,
            error => Error::At { index, error: Box::new(error) },
        })
    };
    a.iter().enumerate().map(symbol).collect()
}

/// (a/n) for an odd n. Error: `interrupted`.
pub(crate) fn jacobi_natural(a: &Natural, n: &Natural, watch: Option<&dyn Watch>) -> Result<i32, Error> {
    let low = |value: &UBig| value.as_words().first().map_or(0, |word| word % 8);
    let (mut x, mut y, mut sign) = (to_ubig(a), to_ubig(n), 1);
    while size_of_val(y.as_words()) > size_of::<u64>() {
        if size_of_val(y.as_words()) > LONG {
            go_on(watch)?;
        }
        let Some(twos) = x.trailing_zeros() else { return Ok(0) };
        x >>= twos;
        if twos % 2 == 1 && matches!(low(&y), 3 | 5) {
            sign = -sign;
        }
        if low(&x) % 4 == 3 && low(&y) % 4 == 3 {
            sign = -sign;
        }
        (x, y) = (y % &x, x);
    }
    let y = to_u64(&from_ubig(&y)).unwrap_or(1);
    Ok(sign * jacobi_words(rem_word(&from_ubig(&x), y), y))
}
