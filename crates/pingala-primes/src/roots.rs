//! Square roots modulo a number whose prime factors are known: one, or all.

use crate::arith::{from_ubig, reduce, to_ubig};
use crate::sqrt::{named, no_prime, no_square, sqrt_mod};
use crate::test::{go_on, is_prime};
use dashu_int::UBig;
use pingala_core::{Error, Integer, Modulus, Natural, Options, invert};

/// The roots modulo one power of a prime: `offset + t step` for each offset and 0 <= t < `turns`.
#[derive(Debug)]
struct Roots {
    offsets: Vec<UBig>,
    step: UBig,
    turns: UBig,
}

/// The inverse of x modulo m. Errors: `not_invertible`, `interrupted`.
fn inverse(x: &UBig, m: &UBig, options: &Options<'_>) -> Result<UBig, Error> {
    Ok(to_ubig(&invert(&from_ubig(x).into(), &from_ubig(m), options)?))
}

/// a - b modulo m, for a and b below m.
fn minus(a: UBig, b: UBig, m: &UBig) -> UBig {
    if a < b { a + m - b } else { a - b }
}

/// The lesser root modulo p^e of a u that p does not divide, for an odd prime p, from its root modulo p by Newton's method: with x^2 = u
/// modulo p^j, x - (x^2 - u) / (2 x) is a root modulo p^2j. Errors: those of [`sqrt_mod`].
fn odd_root(u: &UBig, p: &Natural, e: u64, options: &Options<'_>) -> Result<UBig, Error> {
    let base = to_ubig(p);
    let mut x = to_ubig(&sqrt_mod(&from_ubig(&(u % &base)).into(), p, options)?);
    let mut known = 1;
    while known < e {
        go_on(options.watch())?;
        known = (2 * known).min(e);
        let m = base.pow(known as usize);
        let half = inverse(&(&x * 2u8 % &m), &m, options)?;
        let error = minus(&x * &x % &m, u % &m, &m);
        x = minus(x, error * half % &m, &m);
    }
    let m = base.pow(e as usize);
    let other = &m - &x;
    Ok(if other < x { other } else { x })
}

/// A root of u = 1 (mod 8) modulo 2^e, e >= 3: with x^2 = u + 2^j t, j >= 3, x - 2^(j-1) t / x is a root modulo 2^(2j - 2). Error: `interrupted`.
fn even_root(u: &UBig, e: u64, options: &Options<'_>) -> Result<UBig, Error> {
    let (mut x, mut known) = (UBig::ONE, 3);
    while known < e {
        go_on(options.watch())?;
        known = (2 * known - 2).min(e);
        // One bit more, because the error is halved.
        let m = UBig::ONE << (known as usize + 1);
        let error = minus(&x * &x % &m, u % &m, &m) >> 1;
        let change = error * inverse(&(&x % &m), &m, options)? % &m;
        x = minus(x % &m, change, &m);
    }
    Ok(x % (UBig::ONE << e as usize))
}

impl Roots {
    /// The roots of a modulo p^k; none if there are none. Errors: those of [`sqrt_mod`].
    fn new(a: &Integer, (p, k): &(Natural, u32), options: &Options<'_>) -> Result<Option<Self>, Error> {
        let (base, k) = (to_ubig(p), u64::from(*k));
        let power = |exponent: u64| base.pow(exponent as usize);
        let mut u = to_ubig(&reduce(a, &from_ubig(&power(k))));
        if u == UBig::ZERO {
            return Ok(Some(Self { offsets: vec![UBig::ZERO], step: power(k.div_ceil(2)), turns: power(k / 2) }));
        }
        // a = p^v u: a root is p^(v / 2) times a root of u modulo p^(k - v), which is known modulo that only.
        let twos = if base == UBig::from(2u8) { u.trailing_zeros().unwrap_or(0) } else { 0 };
        u >>= twos;
        let mut v = twos as u64;
        while &u % &base == UBig::ZERO {
            go_on(options.watch())?;
            u /= &base;
            v += 1;
        }
        let (w, e) = (v / 2, k - v);
        if v % 2 == 1 {
            return Ok(None);
        }
        let m = power(e);
        let units = if base == UBig::from(2u8) {
            let low = &u % 8u8;
            match e {
                1 => vec![UBig::ONE],
                2 if low % 4 == 1 => vec![UBig::ONE, UBig::from(3u8)],
                2.. if low == 1 && e > 2 => {
                    let (x, half) = (even_root(&u, e, options)?, &m >> 1);
                    let other = &m - &x;
                    vec![(&x + &half) % &m, (&other + &half) % &m, x, other]
                }
                _ => return Ok(None),
            }
        } else {
            match odd_root(&u, p, e, options) {
                Ok(x) => vec![&m - &x, x],
                Err(error) if error == no_square(p) => return Ok(None),
                Err(error) => return Err(error),
            }
        };
        let turns = power(w);
        let offsets: Vec<UBig> = units.into_iter().map(|x| x * &turns).collect();
        Ok(Some(Self { offsets, step: power(k - w), turns }))
    }

    fn count(&self) -> UBig {
        &self.turns * self.offsets.len()
    }

    /// All of them, as few as the caller has found.
    fn all(&self) -> Vec<UBig> {
        let turns = usize::try_from(&self.turns).unwrap_or(0);
        let of = |offset: &UBig| (0..turns).map(|t| offset + &self.step * t).collect::<Vec<_>>();
        self.offsets.iter().flat_map(of).collect()
    }
}

/// The powers of the primes of a modulus, and for each the number that is 1 modulo it and 0 modulo the others.
struct Parts {
    value: UBig,
    units: Vec<UBig>,
}

impl Parts {
    /// Errors: those of [`Modulus::with_factors_and_options`].
    fn new(factors: &[(Natural, u32)], options: &Options<'_>) -> Result<Self, Error> {
        let cap = options.limits().modulus_bits;
        // p^k has more than (bits - 1) k bits.
        let length: u64 = factors
            .iter()
            .map(|(p, k)| p.bits().saturating_sub(1).saturating_mul((*k).into()))
            .fold(0, u64::saturating_add);
        if length > cap {
            return Err(Error::TooLong { what: "modulus", length, cap });
        }
        if factors.iter().any(|(p, _)| p.is_zero()) {
            return Err(Error::ZeroModulus);
        }
        if let Some((p, _)) = factors.iter().find(|(p, _)| p.is_one()) {
            return Err(no_prime(p));
        }
        let powers: Vec<UBig> = factors.iter().map(|(p, k)| to_ubig(p).pow(*k as usize)).collect();
        let value = powers.iter().fold(UBig::ONE, |value, power| value * power);
        Modulus::with_factors_and_options(from_ubig(&value), factors, options)?;
        let unit = |power: &UBig| {
            let others = &value / power;
            Ok(&others * inverse(&(&others % power), power, options)?)
        };
        let units = powers.iter().map(unit).collect::<Result<_, Error>>()?;
        Ok(Self { value, units })
    }
}

/// A square root of a modulo the product of p^k for the `factors` (p, k), primes: the lesser of it and its negative, below half of the modulus. Others
/// may be lesser still ([`sqrt_mod_all`] has them). No factors stand for the modulus 1.
///
/// Errors: `bad_argument` if a is no square modulo one of the p^k, or a p is found to be composite; `wrong_factors` if two of them share a
/// divisor, or a k is 0; `zero_modulus` if a p is 0; `too_long`, `interrupted`, `bad_plan`. Leaks: everything, by its timing.
///
/// ```
/// use pingala_primes::sqrt_mod_factored;
/// let options = pingala::Options::default();
/// let factors = [(2u64.into(), 3), (3u64.into(), 2)];
/// assert_eq!(sqrt_mod_factored(&"25".parse()?, &factors, &options)?.to_string(), "23");
/// # Ok::<(), pingala::Error>(())
/// ```
pub fn sqrt_mod_factored(a: &Integer, factors: &[(Natural, u32)], options: &Options<'_>) -> Result<Natural, Error> {
    let parts = Parts::new(factors, options)?;
    let mut root = UBig::ZERO;
    for (factor, unit) in factors.iter().zip(&parts.units) {
        let roots = Roots::new(a, factor, options)?;
        let offset = roots.as_ref().and_then(|roots| roots.offsets.iter().min()).ok_or_else(|| {
            let (p, k) = factor;
            let what = if *k == 1 { named(p) } else { format!("({})^{k}", named(p)) };
            Error::BadArgument(format!("no square root modulo {what}: the number is no square there"))
        })?;
        root += offset * unit;
    }
    root %= &parts.value;
    let other = (&parts.value - &root) % &parts.value;
    let root = from_ubig(if other < root { &other } else { &root });
    let value = from_ubig(&parts.value);
    // Whatever the factors were, what is returned is a root.
    let is_root = reduce(&(&root * &root).into(), &value) == reduce(a, &value);
    if is_root { Ok(root) } else { Err(Error::Fault("a square root is none")) }
}

/// All square roots of a modulo the product of p^k for the `factors` (p, k), primes, in order; an empty list if there are none. No factors
/// stand for the modulus 1, where the only root is 0. There may be many: 2 for each odd prime, 4 for a power of two, p^(k / 2) for an a that p^k divides.
///
/// Errors: `bad_argument` if there are more than `most` roots, or a p is composite; `wrong_factors` if two of them share a divisor, or a k is 0;
/// `zero_modulus` if a p is 0; `too_long`, `interrupted`, `bad_plan`. Leaks: everything, by its timing.
///
/// ```
/// use pingala_primes::sqrt_mod_all;
/// let roots = sqrt_mod_all(&"4".parse()?, &[(3u64.into(), 1), (5u64.into(), 1)], 100, &pingala::Options::default())?;
/// assert_eq!(roots, [2u64.into(), 7u64.into(), 8u64.into(), 13u64.into()]);
/// # Ok::<(), pingala::Error>(())
/// ```
pub fn sqrt_mod_all(
    a: &Integer,
    factors: &[(Natural, u32)],
    most: usize,
    options: &Options<'_>,
) -> Result<Vec<Natural>, Error> {
    let parts = Parts::new(factors, options)?;
    let mut of_parts = Vec::with_capacity(factors.len());
    let (mut count, mut some) = (UBig::ONE, true);
    for factor in factors {
        // Modulo a composite number there would be more roots.
        if !is_prime(&(&factor.0).into(), 1, options)?.prime {
            return Err(no_prime(&factor.0));
        }
        match Roots::new(a, factor, options)? {
            Some(roots) => {
                count *= roots.count();
                of_parts.push(roots);
            }
            None => some = false,
        }
    }
    if !some {
        return Ok(Vec::new());
    }
    if count > UBig::from(most) {
        return Err(Error::BadArgument(format!(
            "the number of square roots is {}, above the limit of {most}",
            named(&from_ubig(&count))
        )));
    }
    let mut sums = vec![UBig::ZERO];
    for (roots, unit) in of_parts.iter().zip(&parts.units) {
        let of_part: Vec<UBig> = roots.all().into_iter().map(|root| root * unit % &parts.value).collect();
        let mut next = Vec::with_capacity(sums.len() * of_part.len());
        for sum in &sums {
            go_on(options.watch())?;
            next.extend(of_part.iter().map(|root| (sum + root) % &parts.value));
        }
        sums = next;
    }
    sums.sort();
    Ok(sums.iter().map(from_ubig).collect())
}
