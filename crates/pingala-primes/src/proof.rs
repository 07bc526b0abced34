//! Proofs of primality by the prime factors of n - 1: checking them, and finding them.

use crate::certificate::{Certificate, SELF_EVIDENT_BITS};
use crate::division::odd_primes;
use crate::range::{big, natural};
use dashu_int::UBig;
use dashu_int::ops::{BitTest, Gcd, SquareRoot};
use pingala::{Error, Integer, Limits, Modulus, Natural, Options};
use std::collections::BTreeMap;

/// A prime factor of n - 1 with the base that belongs to it.
pub(crate) type Step = (UBig, UBig);

/// What comes of checking one step of a certificate.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Proved,
    NotProved(&'static str),
}

/// Whether a number of up to 64 bits is prime: the strong test to the first twelve prime bases [sorenson2017strong].
pub(crate) fn is_prime_word(n: &UBig) -> bool {
    let Ok(n) = u64::try_from(n) else { return false };
    const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
    if n < 2 || BASES.iter().any(|&base| n % base == 0) {
        return BASES.contains(&n);
    }
    let product = |a: u64, b: u64| (u128::from(a) * u128::from(b) % u128::from(n)) as u64;
    let s = (n - 1).trailing_zeros();
    BASES.into_iter().all(|base| {
        let mut x = (0..64 - s).rev().fold(1, |x, bit| {
            let square = product(x, x);
            if n >> s >> bit & 1 == 1 { product(square, base) } else { square }
        });
        (0..s).any(|round| {
            let passes = x == n - 1 || round == 0 && x == 1;
            x = product(x, x);
            passes
        })
    })
}

fn is_evident(n: &UBig) -> bool {
    n.bit_len() <= SELF_EVIDENT_BITS
}

fn stopped(options: &Options<'_>) -> Result<(), Error> {
    if options.watch().is_some_and(|watch| watch.stop()) { Err(Error::Interrupted) } else { Ok(()) }
}

fn power(modulus: &Modulus, base: &UBig, exponent: &UBig, options: &Options<'_>) -> Result<UBig, Error> {
    let silent = options.with_plan(None);
    Ok(big(&modulus.pow_with(&Integer::from(natural(base)), &Integer::from(natural(exponent)), &silent)?))
}

/// Removes all of q from n, and returns the part that it has.
fn remove(n: &mut UBig, q: &UBig) -> UBig {
    let mut part = UBig::ONE;
    while (&*n % q).is_zero() {
        *n /= q;
        part *= q;
    }
    part
}

/// Whether the factored part F of n - 1 is long enough, F^3 >= n.
fn suffices(n: &UBig, factored: &UBig) -> bool {
    factored.pow(3) >= *n
}

/// Checks one step: n above 2^64 is prime if all q are, by the theorems that [`Certificate`] names. Errors: those of powers.
pub(crate) fn judge(n: &UBig, factors: &[Step], options: &Options<'_>) -> Result<Verdict, Error> {
    let less = n - UBig::ONE;
    let (mut rest, mut factored) = (less.clone(), UBig::ONE);
    let modulus = Modulus::with_limits(natural(n), options.limits())?;
    for (q, a) in factors {
        if *q <= UBig::ONE || *a <= UBig::ONE || *a >= less {
            return Ok(Verdict::NotProved("a factor or a base is out of range"));
        }
        let part = remove(&mut rest, q);
        if part.is_one() {
            return Ok(Verdict::NotProved("a factor does not divide it less 1"));
        }
        factored *= part;
        if !is_witness(n, &modulus, q, a, options)? {
            return Ok(Verdict::NotProved("a base does not fit its factor"));
        }
    }
    if !suffices(n, &factored) {
        return Ok(Verdict::NotProved("its factors are too small together"));
    }
    if &factored * &factored > *n {
        return Ok(Verdict::Proved);
    }
    let (c2, c1) = (&rest / &factored, &rest % &factored);
    let (square, four) = (&c1 * &c1, c2 * UBig::from(4u8));
    if square >= four {
        let difference = square - four;
        let root = difference.sqrt();
        if &root * &root == difference {
            return Ok(Verdict::NotProved("it is the product of two factors"));
        }
    }
    Ok(Verdict::Proved)
}

/// Whether a^(n-1) = 1 modulo n, and gcd(a^((n-1)/q) - 1, n) = 1.
fn is_witness(n: &UBig, modulus: &Modulus, q: &UBig, a: &UBig, options: &Options<'_>) -> Result<bool, Error> {
    let y = power(modulus, a, &((n - UBig::ONE) / q), options)?;
    if y.is_zero() || !power(modulus, &y, q, options)?.is_one() {
        return Ok(false);
    }
    Ok((y - UBig::ONE).gcd(n).is_one())
}

/// Bases for prime factors of n - 1, each the least one; none if n is composite. Errors: those of powers.
pub(crate) fn find_bases(n: &UBig, factors: &[UBig], options: &Options<'_>) -> Result<Option<Vec<Step>>, Error> {
    let modulus = Modulus::with_limits(natural(n), options.limits())?;
    let mut steps = Vec::with_capacity(factors.len());
    for q in factors {
        // A base of a prime n fails with probability 1 / q. A composite one mostly has none.
        let fits = |a: &UBig| is_witness(n, &modulus, q, a, options);
        let mut found = None;
        for a in 2u32..1000 {
            let a = UBig::from(a);
            if fits(&a)? {
                found = Some(a);
                break;
            }
            if !power(&modulus, &a, &(n - UBig::ONE), options)?.is_one() {
                return Ok(None);
            }
        }
        let Some(a) = found else { return Ok(None) };
        steps.push((q.clone(), a));
    }
    steps.sort();
    Ok(Some(steps))
}

/// Proves that n is prime: n - 1 is divided by `factors`, primes below 2^16, and what Pollard's methods p - 1 and rho find with little
/// effort. The factors may be given in any order and need not be complete. Primes among them of 64 bits or more are proved in the same way.
///
/// # Errors
/// `bad_argument` for a number that is not prime, for a factor that does not divide n - 1 or is not prime, and where too little of n - 1 is
/// factored: its factored part must be at least the cube root of n. `too_long`, `interrupted`.
///
/// ```
/// use pingala::{Natural, Options};
/// let n: Natural = "0x1ffffffffffffffffffffffffffffffff".parse::<Natural>()?;
/// assert_eq!(pingala_primes::certify(&n, &[], &Options::default()).unwrap_err().code(), "bad_argument");
/// let n: Natural = "0x7fffffffffffffffffffffffffffffff".parse()?;
/// let certificate = pingala_primes::certify(&n, &[], &Options::default())?;
/// assert_eq!(certificate.prime(), n);
/// pingala_primes::Certificate::check(&certificate.to_string(), &Options::default())?;
/// # Ok::<(), pingala::Error>(())
/// ```
pub fn certify(n: &Natural, factors: &[Natural], options: &Options<'_>) -> Result<Certificate, Error> {
    let cap = options.limits().modulus_bits;
    if n.bits() > cap {
        return Err(Error::TooLong { what: "number", length: n.bits(), cap });
    }
    // Exponents are as long as the numbers, whatever cap there is for others.
    let options = &options.with_limits(Limits::new(cap, cap.saturating_add(1))).with_plan(None);
    let n = big(n);
    let mut steps = BTreeMap::new();
    let factors: Vec<UBig> = factors.iter().map(big).collect();
    if factors.iter().any(|q| *q <= UBig::ONE || n <= UBig::ONE || !((&n - UBig::ONE) % q).is_zero()) {
        return Err(Error::BadArgument("a given factor does not divide n - 1, or is below 2".into()));
    }
    if let Some(q) = factors.iter().map(|q| Ok((q, looks_prime(q, options)?))).find_map(|found| match found {
        Ok((_, true)) => None,
        Ok((q, false)) => Some(Ok(q)),
        Err(error) => Some(Err(error)),
    }) {
        return Err(Error::BadArgument(format!("the given factor {:#x} of n - 1 is not prime", q?)));
    }
    prove(&n, &factors, &mut steps, options)?;
    Ok(Certificate::new(n, steps))
}

/// Whether n is prime below 2^64, and otherwise whether it passes Fermat's test to the base 2.
fn looks_prime(n: &UBig, options: &Options<'_>) -> Result<bool, Error> {
    if is_evident(n) {
        return Ok(is_prime_word(n));
    }
    if !n.bit(0) {
        return Ok(false);
    }
    let modulus = Modulus::with_limits(natural(n), options.limits())?;
    Ok(power(&modulus, &UBig::from(2u8), &(n - UBig::ONE), options)?.is_one())
}

/// Adds the steps that prove n. Errors: those of [`certify`].
fn prove(n: &UBig, given: &[UBig], steps: &mut BTreeMap<UBig, Vec<Step>>, options: &Options<'_>) -> Result<(), Error> {
    let composite = || Err(Error::BadArgument(format!("{n:#x} is not prime")));
    if !looks_prime(n, options)? {
        return composite();
    }
    if is_evident(n) || steps.contains_key(n) {
        return Ok(());
    }
    let mut rest = n - UBig::ONE;
    let mut known: Vec<UBig> = Vec::new();
    let mut parts: Vec<UBig> = Vec::new();
    let mut take = |rest: &mut UBig, q: &UBig| {
        let part = remove(rest, q);
        if !part.is_one() {
            known.push(q.clone());
            parts.push(part);
        }
    };
    take(&mut rest, &UBig::from(2u8));
    given.iter().for_each(|q| take(&mut rest, q));
    for q in odd_primes(1 << 16) {
        let q = UBig::from(q);
        if (&rest % &q).is_zero() {
            take(&mut rest, &q);
        }
    }
    // What is left, in pieces that are prime, and composite.
    let (mut pieces, mut found) = (vec![rest], Vec::new());
    while let Some(piece) = pieces.pop() {
        if piece.is_one() {
            continue;
        }
        if looks_prime(&piece, options)? {
            found.push(piece);
        } else if !suffices(n, &parts.iter().chain(&found).fold(UBig::ONE, |all, part| all * part))
            && let Some(factor) = split(&piece, options)?
        {
            pieces.push(&piece / &factor);
            pieces.push(factor);
        }
    }
    found.sort();
    found.dedup();
    let mut less = n - UBig::ONE;
    let mut all: Vec<(UBig, UBig)> = known.into_iter().zip(parts).collect();
    for q in found {
        // Two pieces may share a factor.
        if all.iter().all(|(other, _)| *other != q) {
            let part = remove(&mut less.clone(), &q);
            all.push((q, part));
        }
    }
    // The longest parts first, so that few suffice; those of self-evident primes before others.
    all.sort_by(|(q, part), (other, its)| (!is_evident(q), its).cmp(&(!is_evident(other), part)));
    let mut chosen = Vec::new();
    let mut factored = UBig::ONE;
    for (q, part) in all {
        if suffices(n, &factored) {
            break;
        }
        match prove(&q, &[], steps, options) {
            Ok(()) => {
                remove(&mut less, &q);
                factored *= part;
                chosen.push(q);
            }
            // It cannot be used.
            Err(Error::BadArgument(_)) => {}
            Err(error) => return Err(error),
        }
    }
    if !suffices(n, &factored) {
        let (has, needs) = (factored.bit_len(), n.bit_len().div_ceil(3));
        return Err(Error::BadArgument(format!(
            "n - 1 is factored to {has} bits, and the proof of {n:#x} needs {needs}: give more prime factors of n - 1"
        )));
    }
    chosen.sort();
    let Some(bases) = find_bases(n, &chosen, options)? else { return composite() };
    if judge(n, &bases, options)? != Verdict::Proved {
        return composite();
    }
    steps.insert(n.clone(), bases);
    Ok(())
}

/// A proper factor of a composite number without a prime factor below 2^16, if little effort finds one.
fn split(n: &UBig, options: &Options<'_>) -> Result<Option<UBig>, Error> {
    let root = n.sqrt();
    if &root * &root == *n {
        return Ok(Some(root));
    }
    let proper = |factor: UBig| (!factor.is_one() && factor != *n).then_some(factor);
    if let Some(factor) = rho(n, options)?.and_then(proper) {
        return Ok(Some(factor));
    }
    let modulus = Modulus::with_limits(natural(n), options.limits())?;
    // Pollard's p - 1: the power of 2 by the product of all prime powers below a bound.
    let mut x = UBig::from(2u8);
    for primes in odd_primes(SMOOTH as usize).chunks(512) {
        stopped(options)?;
        let exponent = primes.iter().fold(UBig::ONE, |all, &q| all * UBig::from(q.pow(SMOOTH.ilog(q))));
        x = power(&modulus, &x, &(exponent << 2), options)?;
        if x.is_zero() || x.is_one() {
            return Ok(None);
        }
    }
    Ok(proper((x - UBig::ONE).gcd(n)))
}

/// The bound of Pollard's p - 1.
const SMOOTH: u64 = 1 << 17;

/// Steps of Pollard's rho.
const RHO_STEPS: usize = 1 << 17;

/// Pollard's rho in Brent's form [brent1980improved]: a divisor of n that is not 1, with x <- x^2 + 1.
fn rho(n: &UBig, options: &Options<'_>) -> Result<Option<UBig>, Error> {
    const TOGETHER: usize = 128;
    let next = |x: &UBig| (x * x + UBig::ONE) % n;
    let difference = |a: &UBig, b: &UBig| if a > b { a - b } else { b - a };
    let mut y = UBig::from(2u8);
    let (mut x, mut product, mut length, mut left) = (y.clone(), UBig::ONE, 1usize, 1usize);
    // Longer numbers get fewer steps, so that each effort takes about as long.
    let steps = RHO_STEPS / (n.bit_len() / 256 + 1);
    for step in 1..=steps {
        if left == 0 {
            (x, length) = (y.clone(), 2 * length);
            left = length;
        }
        left -= 1;
        y = next(&y);
        product = product * difference(&x, &y) % n;
        if step % TOGETHER == 0 || step == steps {
            stopped(options)?;
            if product.is_zero() {
                return Ok(None);
            }
            let common = (&product).gcd(n);
            if !common.is_one() {
                return Ok(Some(common));
            }
        }
    }
    Ok(None)
}
