//! Square roots modulo a prime.

use crate::arith::{from_ubig, reduce, to_ubig};
use crate::test::is_prime;
use dashu_int::UBig;
use pingala_core::{Error, Integer, Job, Modulus, Natural, Options, jacobi, pow_list};

/// The most twos in p - 1 for which Tonelli and Shanks' loop is taken: it has about s^2 / 4 products by division.
const MOST_TWOS: u64 = 32;

/// Numbers that are tried for a non-residue before the modulus is tested. Modulo a prime half of all numbers are, but the least one may be
/// large; modulo a square there is none.
const TRIES_BEFORE_TEST: u64 = 50;

/// A root modulo p that is still to be computed: what is done with the power of the list.
#[derive(Debug)]
enum Way {
    /// The result is there.
    Known(Natural),
    /// p = 3 (mod 4): a^((p + 1) / 4) is a root.
    Direct,
    /// p = 5 (mod 8), Atkin: with v = (2a)^((p - 5) / 8) and i = 2 a v^2, a v (i - 1) is a root.
    Atkin,
    /// p - 1 = 2^s q, Tonelli and Shanks: from a^((q - 1) / 2).
    Tonelli(u64),
    /// p = 1 (mod 8) with many twos in p - 1, by a Lucas sequence.
    Lucas,
}

/// A root of each element of a list.
#[derive(Debug)]
struct Task<'a> {
    a: Natural,
    modulus: &'a Modulus,
    way: Way,
    power: Option<(Integer, Integer)>,
}

impl<'a> Task<'a> {
    fn new(value: &Integer, modulus: &'a Modulus) -> Result<Self, Error> {
        let p = modulus.value();
        let a = reduce(value, p);
        if p.bits() < 2 || p.is_even() && p.limbs() != [2] {
            return Err(no_prime(p));
        }
        let low = p.limbs()[0];
        let twos = p.checked_sub(&Natural::from(1u64)).unwrap_or_default().trailing_zeros();
        let own = || Integer::from(&a);
        let (way, power) = match low % 8 {
            _ if a.is_zero() || a.is_one() || low == 2 && p.bits() == 2 => (Way::Known(a.clone()), None),
            3 | 7 => (Way::Direct, Some((own(), &(p + 1) >> 2))),
            5 => {
                let twice = from_ubig(&(to_ubig(&a) * 2u8 % to_ubig(p)));
                (Way::Atkin, Some((twice.into(), p >> 3)))
            }
            // (q - 1) / 2 for an odd q.
            _ if twos <= MOST_TWOS => (Way::Tonelli(twos), Some((own(), p >> (twos + 1)))),
            _ => (Way::Lucas, None),
        };
        Ok(Self { a, modulus, way, power: power.map(|(base, exponent)| (base, exponent.into())) })
    }

    /// The lesser root, from the power of the list. Error: `bad_argument` if the root that a prime would have is none.
    fn root(&self, power: Option<Natural>, options: &Options<'_>) -> Result<Natural, Error> {
        let (m, p) = (self.modulus, self.modulus.value());
        let mul = |x: &Natural, y: &Natural| m.mul(&x.into(), &y.into());
        let power = power.unwrap_or_default();
        let root = match &self.way {
            Way::Known(root) => Some(root.clone()),
            Way::Direct => Some(power),
            Way::Atkin => {
                let i = mul(&from_ubig(&(to_ubig(&self.a) * 2u8)), &m.sqr(&(&power).into()));
                let less = from_ubig(&((to_ubig(&i) + to_ubig(p) - 1u8) % to_ubig(p)));
                Some(mul(&mul(&self.a, &power), &less))
            }
            Way::Tonelli(s) => self.tonelli(*s, &power, options)?,
            Way::Lucas => self.by_lucas(options)?,
        };
        let Some(root) = root.filter(|root| m.sqr(&root.into()) == self.a) else {
            // Modulo a prime every number with the symbol 0 or 1 has a root.
            let symbol = jacobi(&(&self.a).into(), p, options)?;
            return Err(if symbol == -1 { no_square(p) } else { no_prime(p) });
        };
        let other = from_ubig(&((to_ubig(p) - to_ubig(&root)) % to_ubig(p)));
        Ok(if other < root { other } else { root })
    }

    /// Tonelli and Shanks [menezes1996handbook, 3.34] from w = a^((q - 1) / 2): x = a w and b = x w, so that x^2 = a b, and b has an order
    /// 2^i. A non-residue to the power q has the order 2^s; a power of it is multiplied into x until b is 1. None if that fails.
    fn tonelli(&self, s: u64, w: &Natural, options: &Options<'_>) -> Result<Option<Natural>, Error> {
        let (m, p) = (self.modulus, self.modulus.value());
        let mul = |x: &Natural, y: &Natural| m.mul(&x.into(), &y.into());
        let sqr = |x: &Natural| m.sqr(&x.into());
        let mut x = mul(&self.a, w);
        let mut b = mul(&x, w);
        if b.is_one() {
            return Ok(Some(x));
        }
        let mut z = 2;
        while jacobi(&z.into(), p, options)? != -1 {
            z += 1;
            if z == TRIES_BEFORE_TEST && !is_prime(&p.into(), 0, options)?.prime {
                return Ok(None);
            }
        }
        let (mut c, mut order) = (m.pow_with(&z.into(), &(p >> s).into(), options)?, s);
        while !b.is_one() {
            // The least i with b^(2^i) = 1.
            let (mut i, mut power) = (0, b.clone());
            while !power.is_one() {
                power = sqr(&power);
                i += 1;
                if i >= order {
                    return Ok(None);
                }
            }
            let factor = (1..order - i).fold(c, |c, _| sqr(&c));
            x = mul(&x, &factor);
            c = sqr(&factor);
            b = mul(&b, &c);
            order = i;
        }
        Ok(Some(x))
    }

    /// A root modulo p = 1 (mod 4) [muller2004roots]: for t with a t^2 - 4 a non-residue, V_((p - 1) / 4)(a t^2 - 2, 1) / t. None if no t is
    /// found.
    fn by_lucas(&self, options: &Options<'_>) -> Result<Option<Natural>, Error> {
        let p = self.modulus.value();
        let m = to_ubig(p);
        for t in 1u64.. {
            if t == TRIES_BEFORE_TEST && !is_prime(&p.into(), 0, options)?.prime {
                break;
            }
            let square = to_ubig(&self.a) * (t * t) % &m;
            let less = |small: u8| from_ubig(&((&square + &m + &m - small) % &m));
            let by_t =
                |v: &Natural| Ok(Some(self.modulus.mul(&v.into(), &Integer::from(&self.modulus.invert(&t.into())?))));
            match jacobi(&less(4).into(), p, options)? {
                0 if square == UBig::from(4u8) => return by_t(&2u64.into()),
                -1 => {
                    let [v, _] = self.modulus.lucas(&less(2).into(), &(p >> 2), options)?;
                    return by_t(&v);
                }
                _ => {}
            }
        }
        Ok(None)
    }
}

/// A number in a sentence.
pub(crate) fn named(n: &Natural) -> String {
    if n.bits() <= 128 { n.to_string() } else { format!("a number of {} bits", n.bits()) }
}

/// The error of a modulus that is no prime.
pub(crate) fn no_prime(p: &Natural) -> Error {
    Error::BadArgument(if p.bits() < 2 {
        format!("p must be a prime, not {p}")
    } else {
        format!("{} is composite: square roots need a prime, or all prime factors of the modulus", named(p))
    })
}

/// The error of a number that is no square.
pub(crate) fn no_square(p: &Natural) -> Error {
    Error::BadArgument(format!("no square root modulo {}: the number is no square there", named(p)))
}

/// The lesser of the two square roots of a modulo a prime p, from 0 to (p - 1) / 2; by one power if p = 3 (mod 4) or 5 (mod 8), otherwise by
/// Tonelli and Shanks, or by a Lucas sequence if p - 1 has many factors 2.
///
/// The root is squared before it is returned. So nothing wrong is returned for a p that is no prime: either a root modulo p, or the error.
///
/// Errors: `bad_argument` if a is no square modulo p, if p is below 2, or if p is composite and no root is found, which the sentence says; `zero_modulus`;
/// `too_long`; `interrupted`, `bad_plan`. Leaks: both numbers, by its timing.
///
/// ```
/// use pingala_primes::sqrt_mod;
/// let options = pingala::Options::default();
/// assert_eq!(sqrt_mod(&"-1".parse()?, &"13".parse()?, &options)?.to_string(), "5");
/// assert_eq!(sqrt_mod(&"2".parse()?, &"13".parse()?, &options).unwrap_err().code(), "bad_argument");
/// # Ok::<(), pingala::Error>(())
/// ```
pub fn sqrt_mod(a: &Integer, p: &Natural, options: &Options<'_>) -> Result<Natural, Error> {
    let roots = sqrt_mod_list(core::slice::from_ref(a), core::slice::from_ref(p), options)?;
    roots.into_iter().next().unwrap_or(Err(Error::Fault("a root is missing")))
}

/// Square roots of values\[i\] modulo primes\[i\], each with its own error, as [`sqrt_mod`] has one; a list of one prime serves all. The powers
/// of all elements go to the lanes together. The outer error is `bad_argument` for lists whose lengths differ, `bad_plan`, or
/// `interrupted`.
pub fn sqrt_mod_list(
    values: &[Integer],
    primes: &[Natural],
    options: &Options<'_>,
) -> Result<Vec<Result<Natural, Error>>, Error> {
    if primes.len() != values.len() && primes.len() != 1 {
        return Err(Error::BadArgument(format!("{} primes for {} numbers", primes.len(), values.len())));
    }
    let of = |p: &Natural| Modulus::with_limits(p.clone(), options.limits());
    let moduli: Vec<Result<Modulus, Error>> = primes.iter().map(of).collect();
    let modulus = |index: usize| if moduli.len() == 1 { &moduli[0] } else { &moduli[index] };
    let task =
        |(index, value)| modulus(index).as_ref().map_err(Clone::clone).and_then(|modulus| Task::new(value, modulus));
    let tasks: Vec<Result<Task<'_>, Error>> = values.iter().enumerate().map(task).collect();
    let jobs: Vec<Job<'_>> = tasks
        .iter()
        .flatten()
        .filter_map(|task| task.power.as_ref().map(|(base, exponent)| Job { base, exponent, modulus: task.modulus }))
        .collect();
    let mut powers = pow_list(&jobs, options)?.into_iter();
    let mut roots = Vec::with_capacity(tasks.len());
    for task in tasks {
        let root = task.and_then(|task| {
            let power = task.power.is_some().then(|| powers.next().unwrap_or(Err(Error::Fault("a power is missing"))));
            task.root(power.transpose()?, options)
        });
        if root == Err(Error::Interrupted) {
            return Err(Error::Interrupted);
        }
        roots.push(root);
    }
    Ok(roots)
}
