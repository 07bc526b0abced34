//! Euclid's algorithm on long numbers, many quotients at a time: greatest common divisors, inverses, Jacobi symbols. Not for secrets.
//!
//! Lehmer's method [lehmer1938euclid; knuth1997seminumerical, algorithm 4.5.2L] in double digits ([`steps`]): one pass over the numbers takes 60
//! bits off each. Long numbers take their quotients from halves ([`half`]), by products of matrices. A Jacobi symbol follows the quotients
//! ([`symbol`]).

mod half;
mod products;
mod steps;
mod symbol;

use super::{Integer, Natural, chores};
use crate::error::Error;
use half::{CofactorRow, Cofactors, Descent, LazyProducts, Numbers};
pub(crate) use products::{GoOn, MatrixProducts, Means};
use smallvec::{SmallVec, smallvec};
use steps::Steps;
use symbol::{Symbol, Track};

/// Limbs of the shorter cofactor that take no allocation.
const FEW_WORDS: usize = 40;

impl<'p, T: Track> Descent<'p, T> {
    fn new(means: Means<'p>, limbs: usize, track: T) -> Self {
        // The longest products: a number, or a cofactor, by the entries of a half.
        Self { products: LazyProducts::new(means, limbs + limbs / 4 + 2), track }
    }

    /// Ends with the greatest common divisor, of one limb or longer, in a. Error: `interrupted`.
    #[inline]
    fn finish(&mut self, numbers: &mut Numbers<'_>, cofactors: &mut impl Cofactors) -> Result<(), Error> {
        self.reduce(numbers, cofactors)?;
        if numbers.b_is_zero() {
            return Ok(());
        }
        let (steps, divisor) = Steps::of_words(numbers.a[0], numbers.b[0], &mut self.track);
        cofactors.grow_by_words(&steps);
        // The last step, without the cofactor of 0. It does not change a symbol: it divides by 1, or the symbol is 0.
        cofactors.swap();
        (numbers.a[0], numbers.b[0]) = (divisor, 0);
        Ok(())
    }
}

/// Room for two numbers of so many limbs, with this one and this one in it.
fn placed<'w>(a: &[u64], b: &[u64], room: &'w mut [u64]) -> Numbers<'w> {
    let length = a.len();
    let (first, second) = room.split_at_mut(length);
    first.copy_from_slice(a);
    second[..b.len()].copy_from_slice(b);
    Numbers { a: first, b: second, length }
}

/// The greatest common divisor; gcd(0, a) = a, and gcd(0, 0) = 0. Error: `interrupted`.
pub(crate) fn gcd(a: &Natural, b: &Natural, means: Means<'_>) -> Result<Natural, Error> {
    if a.is_zero() || b.is_zero() {
        return Ok(if a.is_zero() { b.clone() } else { a.clone() });
    }
    let (long, short) = if a < b { (b, a) } else { (a, b) };
    let n = long.limbs().len();
    let mut room: SmallVec<[u64; FEW_WORDS]> = smallvec![0; 2 * n];
    let mut numbers = placed(long.limbs(), short.limbs(), &mut room);
    Descent::new(means, n, ()).finish(&mut numbers, &mut ())?;
    Ok(Natural::from_limbs(&numbers.a[..numbers.length]))
}

/// The inverse of `value` modulo `modulus`, in 0..modulus; none if gcd(value, modulus) > 1. Error: `interrupted`.
///
/// Modulo 1 everything is 0, and 0 is its own inverse.
///
/// # Panics
/// If the modulus is 0: the caller has refused that.
pub(crate) fn inverse(value: &Natural, modulus: &Natural, means: Means<'_>) -> Result<Option<Natural>, Error> {
    let residue = chores::rem(value, modulus);
    if modulus.is_one() || residue.is_one() {
        return Ok(Some(residue));
    }
    if residue.is_zero() {
        return Ok(None);
    }
    inverse_of_residue(&residue, modulus, means)
}

/// The inverse of 0 < `value` < `modulus`, in 1..modulus.
fn inverse_of_residue(value: &Natural, modulus: &Natural, means: Means<'_>) -> Result<Option<Natural>, Error> {
    debug_assert!(!value.is_zero() && value < modulus);
    if let &[m] = modulus.limbs() {
        return Ok(inverse_of_word(value.limbs()[0], m).map(Natural::from));
    }
    let n = modulus.limbs().len();
    let mut room: SmallVec<[u64; FEW_WORDS]> = smallvec![0; 4 * n + 4];
    let (first, rest) = room.split_at_mut(2 * n);
    let mut numbers = placed(modulus.limbs(), value.limbs(), first);
    let (p, q) = rest.split_at_mut(n + 2);
    q[0] = 1;
    // With (modulus, value) = M (a, b) the upper row of M is (q, p), and a = s (... modulus - p value) for s, the determinant of M.
    let mut row = CofactorRow { p, q, length: 1, negative: false };
    Descent::new(means, n, ()).finish(&mut numbers, &mut row)?;
    if numbers.length > 1 || numbers.a[0] != 1 {
        return Ok(None);
    }
    let factor = Natural::from_limbs(&row.p[..n]);
    Ok(Some(if row.negative { factor } else { chores::sub(modulus, &factor) }))
}

/// The inverse modulo a number of one limb.
fn inverse_of_word(value: u64, modulus: u64) -> Option<u64> {
    let (Steps { v: [_, cofactor], odd, .. }, divisor) = Steps::of_words(modulus, value, &mut ());
    (divisor == 1).then(|| if odd { modulus - cofactor } else { cofactor })
}

/// The Jacobi symbol (value/modulus) for an odd modulus: 1, -1, or 0 if they have a factor in common; (0/1) = 1. Error: `interrupted`.
pub(crate) fn jacobi(value: &Integer, modulus: &Natural, means: Means<'_>) -> Result<i32, Error> {
    debug_assert!(!modulus.is_even());
    let value = &chores::reduce(value, modulus);
    let Some(&low) = value.limbs().first() else { return Ok(i32::from(modulus.is_one())) };
    let symbol = Symbol::of_first(modulus.limbs()[0], low);
    if let &[modulus] = modulus.limbs() {
        return Ok(symbol.of_words(modulus, low));
    }
    let n = modulus.limbs().len();
    let mut room: SmallVec<[u64; FEW_WORDS]> = smallvec![0; 2 * n];
    let mut numbers = placed(modulus.limbs(), value.limbs(), &mut room);
    let mut euclid = Descent::new(means, n, symbol);
    euclid.reduce(&mut numbers, &mut ())?;
    Ok(if numbers.length == 1 { euclid.track.of_words(numbers.a[0], numbers.b[0]) } else { 0 })
}

#[cfg(test)]
#[path = "../../../tests/inside/natural/euclid.rs"]
mod tests;
