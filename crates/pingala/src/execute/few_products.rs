//! Squares and cubes modulo short numbers: one or two products and as many divisions, without a plan.

use crate::kernel::product::schoolbook;
use crate::kernel::short::ShortFactor;
use crate::natural::Natural;

/// base^2, or base^3, mod m, for an m above 1 of up to four limbs and a base that is no longer; otherwise none.
#[inline]
pub(crate) fn power(base: &Natural, cube: bool, m: &Natural) -> Option<Natural> {
    match m.limbs().len() {
        1 => of_length::<1>(base, cube, m),
        2 => of_length::<2>(base, cube, m),
        3 => of_length::<3>(base, cube, m),
        4 => of_length::<4>(base, cube, m),
        _ => None,
    }
}

#[inline]
fn of_length<const N: usize>(base: &Natural, cube: bool, m_value: &Natural) -> Option<Natural> {
    let m: &[u64; N] = m_value.limbs().try_into().ok()?;
    let mut a = [0; N];
    a.get_mut(..base.limbs().len())?.copy_from_slice(base.limbs());
    // Limbs of 0 at the bottom of m and those above are divided separately.
    let zeros = m.iter().take_while(|&&limb| limb == 0).count();
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
#[path = "../../tests/inside/execute/few_products.rs"]
mod tests;
