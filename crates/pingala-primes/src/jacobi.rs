//! The Jacobi symbol.

use crate::test::go_on;
use pingala::{Error, Integer, Options};

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

/// [`jacobi`] that asks the watch of the options. Errors: those, and `interrupted`.
pub fn jacobi_with(a: &Integer, n: &Integer, options: &Options<'_>) -> Result<i32, Error> {
    if n.is_negative() {
        let n = n.magnitude();
        let what = if n.bits() <= 64 { format!("-{n}") } else { format!("a negative number of {} bits", n.bits()) };
        return Err(Error::BadArgument(format!("n must be odd and positive, not {what}")));
    }
    pingala::jacobi(a, n.magnitude(), options)
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
