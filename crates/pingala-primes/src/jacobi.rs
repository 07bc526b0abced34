//! The symbols of Jacobi and Kronecker.

use crate::test::go_on;
use pingala_core::{Error, Integer, Options};

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
    pingala_core::jacobi(a, n.magnitude(), options)
}

/// The Kronecker symbol (a/n) for every n: 1, -1, or 0 if a and n have a common factor [cohen1993course, 1.4.2]. It is the Jacobi symbol for an
/// odd n above 0; (a/2) is 0, 1 or -1 for an even a, a = 1 or 7, and a = 3 or 5 modulo 8; (a/-1) is the sign of a, 1 for 0; (a/0) is 1 for 1
/// and -1, otherwise 0. Error: `interrupted`. Leaks: both numbers, by its timing.
///
/// ```
/// use pingala_primes::kronecker;
/// let options = pingala::Options::default();
/// assert_eq!(kronecker(&"-3".parse()?, &"-8".parse()?, &options)?, 1);
/// # Ok::<(), pingala::Error>(())
/// ```
pub fn kronecker(a: &Integer, n: &Integer, options: &Options<'_>) -> Result<i32, Error> {
    let (of, twos) = (a.magnitude(), n.magnitude().trailing_zeros());
    if n.magnitude().is_zero() {
        return Ok(of.is_one().into());
    }
    if twos > 0 && of.is_even() {
        return Ok(0);
    }
    let low = of.limbs().first().map_or(0, |limb| limb % 8);
    // The class of a modulo 8 up to the sign decides (a/2).
    let by_two = twos % 2 == 1 && matches!(low, 3 | 5);
    let by_sign = n.is_negative() && a.is_negative();
    let symbol = pingala_core::jacobi(a, &(n.magnitude() >> twos), options)?;
    Ok(if by_two != by_sign { -symbol } else { symbol })
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
