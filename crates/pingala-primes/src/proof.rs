//! Proofs of primality by the prime factors of n - 1: checking them, and finding them.

use crate::arith::{from_ubig, to_ubig};
use crate::certificate::{Certificate, SELF_EVIDENT_BITS};
use crate::small::odd_primes;
use crate::test::is_prime;
use crate::words::is_prime_word;
use dashu_int::UBig;
use dashu_int::ops::{BitTest, Gcd, SquareRoot};
use pingala_core::{Error, Integer, Limits, Modulus, Natural, Options};
use std::collections::BTreeMap;

/// A prime factor of n - 1 with the base that belongs to it.
pub(crate) type Step = (UBig, UBig);

/// What comes of checking one step of a certificate.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Proved,
    NotProved(&'static str),
}

/// Whether a number of up to 64 bits is prime; longer ones are not.
pub(crate) fn is_short_prime(n: &UBig) -> bool {
    u64::try_from(n).is_ok_and(is_prime_word)
}

fn is_evident(n: &UBig) -> bool {
    n.bit_len() <= SELF_EVIDENT_BITS
}

fn stopped(options: &Options<'_>) -> Result<(), Error> {
    if options.watch().is_some_and(|watch| watch.stop()) { Err(Error::Interrupted) } else { Ok(()) }
}

fn power(modulus: &Modulus, base: &UBig, exponent: &UBig, options: &Options<'_>) -> Result<UBig, Error> {
    let silent = options.with_plan(None);
    Ok(to_ubig(&modulus.pow_with(&Integer::from(from_ubig(base)), &Integer::from(from_ubig(exponent)), &silent)?))
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
    let modulus = Modulus::with_limits(from_ubig(n), options.limits())?;
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
    let modulus = Modulus::with_limits(from_ubig(n), options.limits())?;
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
/// effort. The factors may be given in any order and need not be complete. Primes among them above 2^64 are proved in the same way; factors
/// of those less 1 may be given too.
///
/// # Errors
/// `bad_argument` for a number that is not prime, for a factor that divides none of these or is not prime, and where too little of n - 1 is
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
    let n = to_ubig(n);
    let mut steps = BTreeMap::new();
    let factors: Vec<UBig> = factors.iter().map(to_ubig).collect();
    let divides = |q: &UBig, n: &UBig| *n > UBig::ONE && ((n - UBig::ONE) % q).is_zero();
    let is_of_use = |q: &UBig| *q > UBig::ONE && (divides(q, &n) || factors.iter().any(|n| divides(q, n)));
    if !factors.iter().all(is_of_use) {
        return Err(Error::BadArgument("a given factor divides neither n - 1 nor another one less 1".into()));
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

/// Whether n passes the test without rounds: proved below 2^64, otherwise by Baillie and PSW.
fn looks_prime(n: &UBig, options: &Options<'_>) -> Result<bool, Error> {
    Ok(is_prime(&Integer::from(from_ubig(n)), 0, options)?.prime)
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
        match prove(&q, given, steps, options) {
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
            "n - 1 is factored to {has} bits, and the proof of a number of {} bits needs {needs}: give more prime factors of n - 1, by `factors`",
            n.bit_len()
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
    if let Some(factor) = rho(n, options)? {
        return Ok(Some(factor));
    }
    p_minus_1(n, options)
}

/// The bound of Pollard's p - 1.
const SMOOTH: u32 = 1 << 17;

/// Pollard's p - 1 [menezes1996handbook, 3.14]: a proper factor of n, where x is 2 to the product of all prime powers below a bound.
fn p_minus_1(n: &UBig, options: &Options<'_>) -> Result<Option<UBig>, Error> {
    let modulus = Modulus::with_limits(from_ubig(n), options.limits())?;
    let mut x = power(&modulus, &UBig::from(2u8), &(UBig::ONE << SMOOTH.ilog2() as usize), options)?;
    for primes in odd_primes(SMOOTH).collect::<Vec<_>>().chunks(512) {
        stopped(options)?;
        let exponent = primes.iter().fold(UBig::ONE, |all, &q| all * UBig::from(q.pow(SMOOTH.ilog(q))));
        x = power(&modulus, &x, &exponent, options)?;
        let common = (&x + n - UBig::ONE).gcd(n);
        if !common.is_one() {
            return Ok((common != *n).then_some(common));
        }
    }
    Ok(None)
}

/// Steps of Pollard's rho.
const RHO_STEPS: usize = 1 << 17;

/// Pollard's rho in Brent's form [brent1980improved]: a proper factor of n, with x <- x^2 + 1.
fn rho(n: &UBig, options: &Options<'_>) -> Result<Option<UBig>, Error> {
    const TOGETHER: usize = 64;
    let next = |x: &UBig| (x * x + UBig::ONE) % n;
    let difference = |a: &UBig, b: &UBig| if a > b { a - b } else { b - a };
    let mut y = UBig::from(2u8);
    // Longer numbers get fewer steps, so that each effort takes about as long.
    let steps = RHO_STEPS / (n.bit_len() / 256 + 1);
    let mut length = 1;
    for _ in 0..steps.ilog2() {
        let x = y.clone();
        for done in (0..length).step_by(TOGETHER) {
            stopped(options)?;
            let (start, count) = (y.clone(), TOGETHER.min(length - done));
            let mut product = UBig::ONE;
            for _ in 0..count {
                y = next(&y);
                product = product * difference(&x, &y) % n;
            }
            if product.gcd(n).is_one() {
                continue;
            }
            // The first of these differences that has a factor: mostly one only.
            let mut y = start;
            for _ in 0..count {
                y = next(&y);
                let common = difference(&x, &y).gcd(n);
                if !common.is_one() {
                    return Ok((common != *n).then_some(common));
                }
            }
        }
        length *= 2;
    }
    Ok(None)
}
