//! Moduli modulo which everybody knows elements of small order.

use crate::number::{big, natural};
use crate::squaring::Refusal;
use core::cmp::Ordering;
use dashu_int::UBig;
use dashu_int::ops::BitTest;
use pingala::{Error, Modulus, Natural, Options};

/// A factor below this is found by anybody.
const SMALL: u64 = 1 << 12;

/// The products of the odd primes below [`SMALL`], as many in each word as fit; those that are left over are 1.
const GROUPS: [u64; 128] = {
    let (mut groups, mut at, mut n) = ([1u64; 128], 0, 3);
    while n < SMALL {
        let (mut divisor, mut is_prime) = (3, true);
        while divisor * divisor <= n {
            is_prime &= n % divisor != 0;
            divisor += 2;
        }
        if is_prime {
            match groups[at].checked_mul(n) {
                Some(product) => groups[at] = product,
                None => {
                    at += 1;
                    groups[at] = n;
                }
            }
        }
        n += 2;
    }
    groups
};

/// The bases a of the numbers a^n - b^n and a^n + b^n, b below a, that are looked for.
const BASES: core::ops::RangeInclusive<u64> = 2..=16;
/// Cofactors below a^64 are seen.
const STEPS: u64 = 64;
/// Bits that a^n is closer to a multiple of the modulus than a random number: from 1,024 bits on, (15/16)^n is smaller.
const GAP_BITS: u32 = 20;
/// The bases of the Cunningham project: cofactors of a^n - 1 and a^n + 1 are published for n up to some thousands.
const CUNNINGHAM: [u64; 8] = [2, 3, 5, 6, 7, 10, 11, 12];
/// n is at most this many times the logarithm of the modulus to the base a: more than n / phi(n) for all n of use.
const ORDERS: usize = 6;

/// Why proofs modulo this number show nothing, as [`verify_squaring`](crate::verify_squaring) and
/// [`verify_witnesses`](crate::verify_witnesses) see it; `None` for any product of two random primes of the same length.
///
/// It asks, in this order, whether m
///
/// 1. is even, or 1: [`Refusal::Modulus`];
/// 2. has a factor below 2^12: [`Refusal::SmallFactor`]. Elements that are 1 modulo the rest of m have its small orders;
/// 3. is the power of a smaller number: [`Refusal::Power`]. With m = r^k, 1 + r^(k - 1) has an order that divides r;
/// 4. divides a^n - b^n or a^n + b^n with 1 <= b < a <= 16 and n at most log_a(m) + 64, or a^n - 1 or a^n + 1 with a one of 2, 3, 5, 6, 7,
///    10, 11, 12 and n at most 6 log_a(m): [`Refusal::SmallOrder`]. The order of a / b divides 2n.
///
/// With an element of known odd order d anybody takes roots in its powers, and so proves a result that is wrong by such a power. Not every
/// such modulus is seen: primes, products of numbers of step 4, and moduli whose maker has built in an element of known order are not.
///
/// It takes about half as long as the rest of a verification. Error: `interrupted`.
pub fn weakness(modulus: &Modulus, options: &Options<'_>) -> Result<Option<Refusal>, Error> {
    let m = modulus.value();
    if m.is_even() || m.is_one() {
        return Ok(Some(Refusal::Modulus));
    }
    let value = big(m);
    if has_small_factor(m) {
        return Ok(Some(Refusal::SmallFactor));
    }
    if is_power(&value, options)? {
        return Ok(Some(Refusal::Power));
    }
    for a in BASES {
        go_on(options)?;
        if is_near_powers(m, &value, a) {
            return Ok(Some(Refusal::SmallOrder));
        }
    }
    for a in CUNNINGHAM {
        go_on(options)?;
        if has_small_order(&value, a) {
            return Ok(Some(Refusal::SmallOrder));
        }
    }
    Ok(None)
}

/// Error: `interrupted` if the watch says stop.
fn go_on(options: &Options<'_>) -> Result<(), Error> {
    if options.watch().is_some_and(|watch| watch.stop()) { Err(Error::Interrupted) } else { Ok(()) }
}

/// Whether an odd prime below [`SMALL`] divides m and is not m.
fn has_small_factor(m: &Natural) -> bool {
    let divides = |p: &u64, rest: u64| *p > 1 && rest.is_multiple_of(*p) && m.limbs() != [*p];
    GROUPS.iter().filter(|&&group| group > 1).any(|&group| {
        let step = |rest: u64, &limb: &u64| ((u128::from(rest) << 64 | u128::from(limb)) % u128::from(group)) as u64;
        let rest = m.limbs().iter().rev().fold(0, step);
        // The primes of a group are those of its factors below the bound that divide it.
        greatest_common_divisor(rest, group) > 1
            && (3..SMALL).step_by(2).any(|p| group.is_multiple_of(p) && divides(&p, rest))
    })
}

fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Whether m, which has no factor below [`SMALL`], is the k-th power of a number for a k above 1. Error: `interrupted`.
///
/// k is prime and at most log2(m) / 12. A k-th power is one modulo every prime q, which is asked for q = 1 modulo k first.
fn is_power(m: &UBig, options: &Options<'_>) -> Result<bool, Error> {
    let is_prime = |n: u64| n > 1 && (2..).take_while(|d| d * d <= n).all(|d| !n.is_multiple_of(d));
    let most = m.bit_len() as u64 / u64::from(SMALL.ilog2());
    for k in (2..=most).filter(|&k| is_prime(k)) {
        go_on(options)?;
        let may_be = (1..).map(|j| j * k + 1).filter(|&q| is_prime(q)).take(3).all(|q| {
            let rest = m % q;
            rest == 0 || power_of_word(rest, (q - 1) / k, q) == 1
        });
        if may_be {
            let root = m.nth_root(k as usize);
            if root.pow(k as usize) == *m {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// base^exponent mod q, for a q below 2^32.
fn power_of_word(mut base: u64, mut exponent: u64, q: u64) -> u64 {
    let mut power = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            power = power * base % q;
        }
        base = base * base % q;
        exponent >>= 1;
    }
    power
}

/// Whether a^n = b^n or a^n = -b^n (mod m) for an n from log_a(m) to [`STEPS`] above it and a b below a.
///
/// There b^n is below m, so that a^n is far closer to a multiple of m than a random number, and only then an exact comparison follows.
fn is_near_powers(m: &Natural, value: &UBig, a: u64) -> bool {
    let first = logarithm(value, a);
    let mut power = Walk::new(m, &UBig::from(a).pow(first as usize));
    for n in first..=first + STEPS {
        if power.is_near_multiple() {
            let rest = big(&Natural::from_limbs(&power.limbs));
            let opposite = value - &rest;
            let is_power = |b: u64| {
                let other = UBig::from(b).pow(n as usize);
                other == rest || other == opposite
            };
            if (1..a).any(is_power) {
                return true;
            }
        }
        power.step(a);
    }
    false
}

/// Whether a^n = 1 or a^n = -1 (mod m) for an n of at most [`ORDERS`] times log_a(m).
///
/// With s = floor(log_a(m)) and n = i s - j, 0 <= j < s, it is so if a^(i s) mod m or its negative is a^j itself.
fn has_small_order(value: &UBig, a: u64) -> bool {
    let s = logarithm(value, a);
    let giant = UBig::from(a).pow(s as usize);
    let mut power = giant.clone();
    for _ in 1..ORDERS {
        power = &power * &giant % value;
        if is_power_of(&power, a) || is_power_of(&(value - &power), a) {
            return true;
        }
    }
    false
}

/// Whether n is a^j for a j from 0 on.
fn is_power_of(n: &UBig, a: u64) -> bool {
    // All but few numbers are told by their lowest digits.
    let zeros = |n: u64| n.trailing_zeros() as usize;
    let Some(trailing) = n.trailing_zeros() else { return false };
    let j = logarithm(n, a);
    if trailing != j as usize * zeros(a) {
        return false;
    }
    let low = natural(&(n >> trailing)).limbs().first().copied().unwrap_or(0);
    let odd = a >> a.trailing_zeros();
    // (a / 2^k)^j modulo 2^64.
    let power = (0..64 - j.leading_zeros()).rev().fold(1u64, |power, bit| {
        let square = power.wrapping_mul(power);
        if j >> bit & 1 == 1 { square.wrapping_mul(odd) } else { square }
    });
    low == power && UBig::from(a).pow(j as usize) == *n
}

/// floor(log_a(n)), for an n above 0.
fn logarithm(n: &UBig, a: u64) -> u64 {
    let estimate = ((n.bit_len() as f64 - 1.0) / (a as f64).log2()) as u64;
    // The estimate is from the length alone, and too small by less than 2.
    let mut power = UBig::from(a).pow(estimate as usize);
    let mut j = estimate;
    if power.cmp(n) == Ordering::Greater {
        return j.saturating_sub(1);
    }
    loop {
        power *= a;
        if power > *n {
            return j;
        }
        j += 1;
    }
}

/// A power that is multiplied by small numbers modulo m.
struct Walk<'m> {
    m: &'m [u64],
    /// Below m, as long as m.
    limbs: Vec<u64>,
    /// The highest 64 bits of m, and the place of their lowest.
    top: u64,
    shift: u64,
}

impl<'m> Walk<'m> {
    fn new(m: &'m Natural, start: &UBig) -> Self {
        let mut limbs = natural(start).limbs().to_vec();
        limbs.resize(m.limbs().len(), 0);
        let shift = m.bits().saturating_sub(64);
        Self { m: m.limbs(), limbs, top: bits_from(m.limbs(), shift), shift }
    }

    /// Whether the power or its negative has at least [`GAP_BITS`] fewer bits than m.
    fn is_near_multiple(&self) -> bool {
        let top = bits_from(&self.limbs, self.shift);
        top.min(self.top.saturating_sub(top)) >> (64 - GAP_BITS - self.top.leading_zeros().min(63 - GAP_BITS)) == 0
    }

    /// Multiplies by a number of at most [`BASES`].
    ///
    /// With t and u the highest bits of the power and of m, floor(t a / (u + 1)) is at most the quotient and at least the quotient less 2
    /// where m has 64 bits or more, as u is above 2^63 then.
    fn step(&mut self, a: u64) {
        let t = u128::from(bits_from(&self.limbs, self.shift));
        let quotient = (t * u128::from(a) / (u128::from(self.top) + 1)) as i128;
        let mut carry = 0i128;
        for (limb, &m) in self.limbs.iter_mut().zip(self.m) {
            carry += i128::from(*limb) * i128::from(a) - i128::from(m) * quotient;
            *limb = carry as u64;
            carry >>= 64;
        }
        let mut above = carry as u64;
        while above > 0 || self.limbs.iter().rev().cmp(self.m.iter().rev()) != Ordering::Less {
            let mut borrow = false;
            for (limb, &m) in self.limbs.iter_mut().zip(self.m) {
                (*limb, borrow) = limb.borrowing_sub(m, borrow);
            }
            above -= u64::from(borrow);
        }
    }
}

/// 64 bits of a number from a place on.
fn bits_from(limbs: &[u64], shift: u64) -> u64 {
    let (at, bits) = ((shift / 64) as usize, shift % 64);
    let limb = |at: usize| limbs.get(at).copied().unwrap_or(0);
    // Two shifts, because one by 64 - bits would be by 64 for bits = 0.
    limb(at) >> bits | (limb(at + 1) << 1) << (63 - bits)
}

#[cfg(test)]
#[path = "../tests/inside/weak.rs"]
mod tests;
