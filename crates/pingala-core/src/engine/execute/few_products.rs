//! Squares and cubes without a kernel: a product and a division for each step.

use crate::engine::execute::{Poll, stack_or_heap};
use crate::error::Error;
use crate::kernel::Ring;
use crate::kernel::division::{DivisionRing, zero_words};
use crate::kernel::ntt::LongDivisor;
use crate::kernel::product::schoolbook;
use crate::kernel::short::ShortFactor;
use crate::natural::Natural;
use std::borrow::Cow;

/// Words of numbers and scratch on the stack.
const FEW_WORDS: usize = 64;
const STACK_WORDS: usize = 320;

/// base^2, or base^3, mod m, for an m above 1 of at most four limbs and a base that has no more limbs; none for others. No kernel is as
/// quick, so no price is asked.
#[inline]
pub(crate) fn of_few_limbs(base: &Natural, cube: bool, m: &Natural) -> Option<Natural> {
    match m.limbs().len() {
        1 => of_length::<1>(base, cube, m),
        2 => of_length::<2>(base, cube, m),
        3 => of_length::<3>(base, cube, m),
        4 => of_length::<4>(base, cube, m),
        _ => None,
    }
}

/// base^2, or base^3, mod m, for an m above 1 and a base that has no more limbs: as a plan on `division_r64` computes them, without the time that following a plan
/// takes.
pub(crate) fn by_division(base: &Natural, cube: bool, m: &Natural) -> Natural {
    let n = m.limbs().len();
    let ring = DivisionRing::usual(Cow::Borrowed(m.limbs()), m.bits() as usize);
    stack_or_heap!(arena = [0; 2 * n + ring.scratch_words()], FEW_WORDS, STACK_WORDS);
    let (arena, scratch) = arena.split_at_mut(2 * n);
    ring.enter(arena, 0, base.limbs(), scratch);
    ring.sqr(arena, n, 0, scratch);
    if cube {
        ring.mul(arena, n, n, 0, scratch);
    }
    Natural::from_limbs(&arena[n..])
}

/// base^2 mod m, for a base that has no more limbs: by transforms, with a poll after both of its parts, the longer of which is the reciprocal.
/// Error: `interrupted`.
pub(crate) fn by_reciprocal(base: &Natural, m: &Natural, poll: &Poll<'_>) -> Result<Natural, Error> {
    let zeros = zero_words(m.limbs());
    let longest = (2 * base.limbs().len()).max(m.limbs().len()) - zeros;
    let polled = |x: Vec<u64>| if poll.now() { Ok(x) } else { Err(Error::Interrupted) };
    let mut divisor = LongDivisor::new(&m.limbs()[zeros..], longest);
    let mut power = polled(divisor.square(base.limbs()))?;
    let rest = divisor.remainder(&power[zeros.min(power.len())..]);
    power.truncate(zeros);
    power.extend(rest);
    Ok(Natural::from_limbs(&polled(power)?))
}

/// By words of a known length; none for a number of another length.
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
#[path = "../../../tests/inside/engine/execute/few_products.rs"]
mod tests;
