//! Moduli modulo which everybody knows elements of small order.

use crate::squaring::Refusal;
use dashu_int::UBig;
use dashu_int::ops::{BitTest, Gcd};
use pingala_core::{Error, Integer, Modulus, Natural, Options, from_ubig, perfect_power, to_ubig};
use std::sync::{LazyLock, Mutex};

/// A factor below this is found by anybody.
const SMALL: u64 = 1 << 12;

/// The product of the odd primes below [`SMALL`].
static SMALL_PRIMES: LazyLock<UBig> =
    LazyLock::new(|| (3..SMALL).step_by(2).filter(|&n| is_prime(n)).map(UBig::from).product());

/// By trial division, for an odd number below [`SMALL`]^2.
fn is_prime(n: u64) -> bool {
    (3..).step_by(2).take_while(|d| d * d <= n).all(|d| !n.is_multiple_of(d))
}

/// The bases a of the numbers a^n - b^n and a^n + b^n, b below a, that are looked for.
const BASES: core::ops::RangeInclusive<u64> = 2..=16;
/// The exponents n of each base, from log_a(m) on: cofactors below a^64.
const STEPS: usize = 64;
/// The bits by which b^n is shorter than the modulus, at least. From 1,024 bits on, (15/16)^n is smaller than 2^-20 for the first n.
const GAP_BITS: u32 = 20;
/// Words of a fraction: each of the [`STEPS`] takes up to four bits of it, and a comparison a word.
const FRACTION_WORDS: usize = STEPS * 4 / 64 + 2;
/// The bases of the Cunningham project: cofactors of a^n - 1 and a^n + 1 are published for n up to some thousands.
const CUNNINGHAM: [u64; 8] = [2, 3, 5, 6, 7, 10, 11, 12];
/// n is at most this many times the logarithm of the modulus to the base a: more than n / phi(n) for all n of use.
const ORDERS: usize = 6;

/// The last modulus in which no weakness was found: a verifier has many proofs modulo one, and the search takes as long as a verification.
struct LastSound(Mutex<Option<Natural>>);

static LAST_SOUND: LastSound = LastSound(Mutex::new(None));

impl LastSound {
    /// The weakness of this modulus: kept, or searched for. Errors as of [`weakness`].
    fn weakness(&self, modulus: &Modulus, options: &Options<'_>) -> Result<Option<Refusal>, Error> {
        let m = modulus.value();
        // Who does not get the lock at once, because another thread has it or had it when the process forked, searches.
        if self.0.try_lock().is_ok_and(|last| last.as_ref() == Some(m)) {
            return Ok(None);
        }
        let found = search(modulus, options)?;
        if found.is_none()
            && let Ok(mut last) = self.0.try_lock()
        {
            *last = Some(m.clone());
        }
        Ok(found)
    }
}

/// Why proofs modulo this number show nothing, as [`verify_squaring`](crate::verify_squaring) and
/// [`verify_witnesses`](crate::verify_witnesses) see it; `None` for any product of two random primes of the same length.
///
/// It asks, in this order, whether m
///
/// 1. is even, or 1: [`Refusal::Modulus`];
/// 2. has a factor below 2^12: [`Refusal::SmallFactor`]. Elements that are 1 modulo the rest of m have its small orders;
/// 3. is the power of a smaller number: [`Refusal::Power`]. With m = r^k, 1 + r^(k - 1) has an order that divides r;
/// 4. divides a^n - b^n or a^n + b^n with 1 <= b < a <= 16, n at most log_a(m) + 64 and b^n below 2^-20 m, or a^n - 1 or a^n + 1 with a one of 2, 3, 5, 6, 7,
///    10, 11, 12 and n at most 6 log_a(m): [`Refusal::SmallOrder`]. The order of a / b divides 2n.
///
/// With an element of known odd order d anybody takes roots in its powers, and so proves a result that is wrong by such a power. Not every
/// such modulus is seen: primes, products of numbers of step 4, and moduli whose maker has built in an element of known order are not.
///
/// The last modulus without a weakness is kept, and costs nothing when it comes again. Errors: `interrupted`; `bad_plan`, if the system does not
/// have the memory.
pub fn weakness(modulus: &Modulus, options: &Options<'_>) -> Result<Option<Refusal>, Error> {
    LAST_SOUND.weakness(modulus, options)
}

/// [`weakness`], searched for.
fn search(modulus: &Modulus, options: &Options<'_>) -> Result<Option<Refusal>, Error> {
    let m = modulus.value();
    if m.is_even() || m.is_one() {
        return Ok(Some(Refusal::Modulus));
    }
    let value = to_ubig(m);
    if has_small_factor(&value) {
        return Ok(Some(Refusal::SmallFactor));
    }
    if perfect_power(m, options)?.is_some() {
        return Ok(Some(Refusal::Power));
    }
    for a in BASES {
        go_on(options)?;
        if divides_near_powers(&value, a) {
            return Ok(Some(Refusal::SmallOrder));
        }
    }
    Ok(has_small_order(modulus, &value, options)?.then_some(Refusal::SmallOrder))
}

/// Error: `interrupted` if the watch says stop.
fn go_on(options: &Options<'_>) -> Result<(), Error> {
    if options.watch().is_some_and(|watch| watch.stop()) { Err(Error::Interrupted) } else { Ok(()) }
}

/// Whether an odd prime below [`SMALL`] divides an odd m and is not m.
fn has_small_factor(m: &UBig) -> bool {
    let is_small_prime = || u64::try_from(m).is_ok_and(|m| m < SMALL && is_prime(m));
    (&*SMALL_PRIMES).gcd(m) != UBig::ONE && !is_small_prime()
}

/// Whether a^n = b^n or a^n = -b^n (mod m) for an n from log_a(m) to [`STEPS`] above it and a b below a whose power is short.
///
/// Then a^n is far closer to a multiple of m than a random number. The digits of a^n / m after the point tell: those of the first n, times
/// a in each step. If they are nearly 0 or 1, an exact comparison follows.
fn divides_near_powers(m: &UBig, a: u64) -> bool {
    let (first, power) = logarithm(m, a);
    let mut fraction = [0u64; FRACTION_WORDS];
    let digits = (power << (64 * FRACTION_WORDS)) / m;
    for (word, digits) in fraction.iter_mut().zip(from_ubig(&digits).limbs()) {
        *word = *digits;
    }
    for n in first..=first + STEPS {
        let top = fraction[FRACTION_WORDS - 1];
        if top.leading_zeros().max(top.leading_ones()) >= GAP_BITS {
            let rest = UBig::from(a).pow(n) % m;
            let opposite = m - &rest;
            let is_power = |b: u64| {
                let other = UBig::from(b).pow(n);
                other == rest || other == opposite
            };
            if (1..a).any(is_power) {
                return true;
            }
        }
        let mut carry = 0u128;
        for word in &mut fraction {
            carry += u128::from(*word) * u128::from(a);
            *word = carry as u64;
            carry >>= 64;
        }
    }
    false
}

/// Whether a^n = 1 or a^n = -1 (mod m) for one of the bases of [`CUNNINGHAM`] and an n of at most [`ORDERS`] times log_a(m).
///
/// With s = floor(log_a(m)) and n = i s - j, 0 <= j < s, it is so if a^(i s) mod m or its negative is a^j itself. Errors as of [`weakness`].
fn has_small_order(modulus: &Modulus, m: &UBig, options: &Options<'_>) -> Result<bool, Error> {
    let options = &options.with_kernel(None).with_plan(None);
    let giants: Vec<Integer> = CUNNINGHAM.iter().map(|&a| from_ubig(&logarithm(m, a).1).into()).collect();
    let giants = modulus.residues(&giants, options)?;
    let mut powers = giants.square(options)?;
    for order in 2..=ORDERS {
        go_on(options)?;
        for (&a, power) in CUNNINGHAM.iter().zip(powers.to_naturals(options)?) {
            let power = to_ubig(&power);
            if is_power_of(&power, a) || is_power_of(&(m - &power), a) {
                return Ok(true);
            }
        }
        if order < ORDERS {
            powers = powers.mul(&giants, options)?;
        }
    }
    Ok(false)
}

/// Whether n is a^j for a j from 0 on.
fn is_power_of(n: &UBig, a: u64) -> bool {
    // One division shows of nearly every number that it is none.
    let word = a.pow(u32::MAX.ilog2() / (a.ilog2() + 1));
    if *n >= UBig::from(word) && n % word != 0 {
        return false;
    }
    *n > UBig::ZERO && logarithm(n, a).1 == *n
}

/// floor(log_a(n)), for an n above 0, and a to this power.
fn logarithm(n: &UBig, a: u64) -> (usize, UBig) {
    // An estimate from the length alone, which is too small by less than 2.
    let estimate = ((n.bit_len() as f64 - 1.0) / (a as f64).log2()) as usize;
    let mut power = UBig::from(a).pow(estimate);
    let mut j = estimate;
    if power > *n {
        return (j - 1, power / a);
    }
    loop {
        let next = &power * a;
        if next > *n {
            return (j, power);
        }
        (j, power) = (j + 1, next);
    }
}

#[cfg(test)]
#[path = "../tests/inside/weak.rs"]
mod tests;
