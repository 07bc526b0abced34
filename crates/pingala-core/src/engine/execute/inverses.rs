//! Many inverses with one inversion: Montgomery's trick [montgomery1987speeding].

use crate::algorithm::{Monoid, Register};
use crate::engine::execute::{Poll, Prepared, Public, RingResidues, even, two_adic, with_registers};
use crate::error::{Error, pairs};
use crate::kernel::Ring;
use crate::kernel::matrix_products::means;
use crate::kernel::registry::Form;
use crate::natural::{Natural, chores, euclid};

/// The inverse of each of the numbers modulo m, canonical; None for a number without an inverse. The form is one modulo the odd part.
///
/// Modulo the power of two in m each number is inverted separately, by Hensel lifting, which takes few products.
///
/// Error: `interrupted`.
pub(crate) fn inverses(
    modulus: &Prepared,
    form: Option<&Form>,
    values: &[Natural],
    poll: &Poll<'_>,
) -> Result<Vec<Option<Natural>>, Error> {
    let facts = modulus.facts();
    let k = facts.trailing_zeros();
    // An even number has no inverse modulo a power of two, so it is left out.
    let candidates: Vec<&Natural> = values.iter().filter(|value| k == 0 || !value.is_even()).collect();
    let mut odd = match form {
        Some(form) => modulo_odd(&*modulus.ring(form)?, facts.odd(), &candidates, poll)?,
        None => vec![Some(Natural::default()); candidates.len()],
    }
    .into_iter();
    let whole = |value: &Natural| {
        if k == 0 {
            return odd.next()?;
        }
        if value.is_even() {
            return None;
        }
        let mut inverse = odd.next()??;
        let modulo_two = two_adic::inverse_mod_power_of_two(value.limbs(), k as usize);
        even::recombine(modulus, &mut inverse, &Natural::from_limb_buffer(modulo_two.into_iter().collect()));
        Some(inverse)
    };
    Ok(values.iter().map(whole).collect())
}

/// Inverts modulo an odd number, on its ring.
///
/// 1. p_i = x_1 ... x_i for each i
/// 2. u = p_n^-1
/// 3. for i from n to 2: x_i^-1 = u p_(i-1), u = u x_i; then x_1^-1 = u
///
/// Count: 3 (n - 1) products and one inversion. Where p_n has no inverse, a prime that some x_i shares with m is one that p_n
/// shares too: with d = gcd(p_n, m), x_i has an inverse if and only if gcd(x_i, d) = 1. Those that have none are left out, and
/// what is left is done anew.
fn modulo_odd(
    ring: &dyn Ring<u64>,
    odd: &Natural,
    values: &[&Natural],
    poll: &Poll<'_>,
) -> Result<Vec<Option<Natural>>, Error> {
    let n = values.len();
    if n == 0 {
        return Ok(Vec::new());
    }
    if n == 1 {
        return Ok(vec![euclid::inverse(values[0], odd, means(&|| poll.now()))?]);
    }
    with_registers(ring, 2 * n, poll, |mut residues: RingResidues<'_, u64, Public>| {
        // The first product is the first number.
        let (number, product) = (|i: usize| Register(i), |i: usize| if i == 0 { Register(0) } else { Register(n + i) });
        for (i, value) in values.iter().enumerate() {
            residues.set(number(i), value.limbs());
        }
        for i in 1..n {
            residues.mul(product(i), product(i - 1), number(i));
        }
        let all = residues.number(product(n - 1), 0)?;
        if !poll.now() {
            return Err(Error::Interrupted);
        }
        let Some(inverse) = euclid::inverse(&all, odd, means(&|| poll.now()))? else {
            return without(&all, ring, odd, values, poll);
        };
        let rest = Register(n);
        residues.set(rest, inverse.limbs());
        for i in (1..n).rev() {
            // The inverse replaces the product up to i, which is not needed any more.
            residues.mul(product(i), rest, product(i - 1));
            residues.mul(rest, rest, number(i));
        }
        (0..n).map(|i| residues.number(if i == 0 { rest } else { product(i) }, 0).map(Some)).collect()
    })
}

/// The inverses of numbers whose product has none.
fn without(
    product: &Natural,
    ring: &dyn Ring<u64>,
    odd: &Natural,
    values: &[&Natural],
    poll: &Poll<'_>,
) -> Result<Vec<Option<Natural>>, Error> {
    let go_on = || poll.now();
    let means = means(&go_on);
    let shared = euclid::gcd(product, odd, means)?;
    let is_unit = |value: &&Natural| Ok(euclid::gcd(&chores::rem(value, &shared), &shared, means)?.is_one());
    let units = values.iter().map(is_unit).collect::<Result<Vec<bool>, Error>>()?;
    let left: Vec<&Natural> = pairs(values, &units)?.filter(|(_, unit)| **unit).map(|(value, _)| *value).collect();
    // What the gcd says is believed with a proof, which a single inversion brings.
    let alone = |value: &Natural| euclid::inverse(value, odd, means);
    if left.len() == values.len() {
        return values.iter().map(|value| alone(value)).collect();
    }
    let mut inverses = modulo_odd(ring, odd, &left, poll)?.into_iter();
    let inverse = |(value, unit): (&&Natural, bool)| {
        if unit { inverses.next().ok_or(Error::Fault("the inverse of a unit is missing")) } else { alone(value) }
    };
    pairs(values, units)?.map(inverse).collect()
}

#[cfg(test)]
#[path = "../../../tests/inside/engine/execute/inverses.rs"]
mod tests;
