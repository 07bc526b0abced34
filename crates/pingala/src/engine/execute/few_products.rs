//! Squares and cubes: one or two products, each with a division, without a plan.

use crate::engine::execute::pulse::Pulse;
use crate::engine::execute::room::room;
use crate::error::Error;
use crate::kernel::Ring;
use crate::kernel::division::{DivisionRing, zero_words};
use crate::kernel::ntt::{LongDivisor, MAX_LIMBS, TransformsOn, transforms_on};
use crate::kernel::product::schoolbook;
use crate::kernel::short::ShortFactor;
use crate::natural::Natural;
use std::borrow::Cow;

/// Products of words in the divisions of a square or cube up to which rows of words are quicker than vectors with their set-up, modulo
/// odd and even numbers; and the shortest divisor, in limbs, from which on they are quicker again (docs/records/lengths.md).
const ROWS_ODD: usize = 1600;
const ROWS_EVEN: usize = 3200;
const ROWS_AGAIN: usize = 90;
/// The longest one: a square is a single product.
const LONGEST: usize = MAX_LIMBS / 2 - 8;
/// Words of numbers and scratch on the stack.
const FEW_WORDS: usize = 64;
const STACK_WORDS: usize = 320;

/// base^2, or base^3, mod m, for an m above 1 and a base that has no more limbs; none if a plan is the better way. Error: `interrupted`.
#[inline]
pub(crate) fn power(base: &Natural, cube: bool, m: &Natural, pulse: &Pulse<'_>) -> Option<Result<Natural, Error>> {
    match m.limbs().len() {
        1 => of_length::<1>(base, cube, m).map(Ok),
        2 => of_length::<2>(base, cube, m).map(Ok),
        3 => of_length::<3>(base, cube, m).map(Ok),
        4 => of_length::<4>(base, cube, m).map(Ok),
        n if base.limbs().len() > n => None,
        n => {
            let upper = n - zero_words(m.limbs());
            let shortest = transforms_from();
            if upper >= shortest || n >= 4 * shortest {
                (n <= LONGEST).then(|| of_transforms(base, cube, m, pulse))
            } else {
                rows_are_quicker(n, upper, cube, m.is_even()).then(|| Ok(of_words(base, cube, m)))
            }
        }
    }
}

/// Whether rows of words beat a plan, modulo `n` limbs of which the `upper` ones are divided by. With vectors of 52-bit
/// multiply-accumulate a plan has the row kernel.
fn rows_are_quicker(n: usize, upper: usize, cube: bool, even: bool) -> bool {
    let most = match (even, cube) {
        (true, false) => usize::MAX,
        (true, true) => ROWS_EVEN,
        (false, _) => ROWS_ODD,
    };
    n * upper * (1 + usize::from(cube)) <= most
        || upper >= ROWS_AGAIN
        || transforms_on() != TransformsOn::MultiplyAccumulate
}

/// The shortest divisor, in limbs, that is divided by with transforms; so is a shorter one with many zeros below, whose squares are long.
fn transforms_from() -> usize {
    match transforms_on() {
        TransformsOn::MultiplyAccumulate => 340,
        TransformsOn::Doubles => 480,
        TransformsOn::Words => 1000,
    }
}

/// By rows of words.
fn of_words(base: &Natural, cube: bool, m: &Natural) -> Natural {
    let n = m.limbs().len();
    let ring = DivisionRing::usual(Cow::Borrowed(m.limbs()), m.bits() as usize);
    room!(arena = [0; 2 * n + ring.scratch_words()], FEW_WORDS, STACK_WORDS);
    let (arena, scratch) = arena.split_at_mut(2 * n);
    ring.enter(arena, 0, base.limbs(), scratch);
    ring.sqr(arena, n, 0, scratch);
    if cube {
        ring.mul(arena, n, n, 0, scratch);
    }
    Natural::from_limbs(&arena[n..])
}

/// By transforms, with a poll after each of its parts, the longest of which is the reciprocal. Error: `interrupted`.
fn of_transforms(base: &Natural, cube: bool, m: &Natural, pulse: &Pulse<'_>) -> Result<Natural, Error> {
    let (n, b) = (m.limbs().len(), base.limbs().len());
    let zeros = zero_words(m.limbs());
    let longest = (if cube { n + b } else { 2 * b }).max(n) - zeros;
    let asked = |x: Vec<u64>| if pulse.ask() { Ok(x) } else { Err(Error::Interrupted) };
    let mut divisor = LongDivisor::new(&m.limbs()[zeros..], longest);
    let square = asked(divisor.square(base.limbs()))?;
    let mut power = asked(remainder(&mut divisor, square, zeros))?;
    if cube {
        let product = asked(divisor.product(&power, base.limbs()))?;
        power = remainder(&mut divisor, product, zeros);
    }
    Ok(Natural::from_limbs(&power))
}

/// The remainder of x modulo the divisor with `zeros` zeros below.
fn remainder(divisor: &mut LongDivisor<'_>, mut x: Vec<u64>, zeros: usize) -> Vec<u64> {
    let rest = divisor.remainder(&x[zeros.min(x.len())..]);
    x.truncate(zeros);
    x.extend(rest);
    x
}

#[inline]
fn of_length<const N: usize>(base: &Natural, cube: bool, m_value: &Natural) -> Option<Natural> {
    let m: &[u64; N] = m_value.limbs().try_into().ok()?;
    let mut a = [0; N];
    a.get_mut(..base.limbs().len())?.copy_from_slice(base.limbs());
    let zeros = zero_words(m);
    let d = &m[zeros..];
    let divisor = ShortFactor::of_public_bits(d, 64 * d.len() - d[d.len() - 1].leading_zeros() as usize);
    // As a is below b^n, a^2 is below m b^(n + 1), and a product by a residue is below m b^n. N is at most 4.
    let mut p = [0; 9];
    schoolbook::add_rows(&mut p[..2 * N], &a, &a);
    let length = 2 * N + usize::from(base >= m_value);
    divisor.reduce(&mut p[zeros..length], d);
    if cube {
        let square: [u64; N] = core::array::from_fn(|i| p[i]);
        p = [0; 9];
        schoolbook::add_rows(&mut p[..2 * N], &square, &a);
        divisor.reduce(&mut p[zeros..2 * N], d);
    }
    Some(Natural::from_limbs(&p[..N]))
}

#[cfg(test)]
#[path = "../../../tests/inside/execute/few_products.rs"]
mod tests;
