//! SOS, separated operand scanning: the whole product row by row, then the reduction row by row.
//!
//! Count: 2n^2 + n products; squaring 3n^2/2 + 3n/2, because the separated product is a true squaring.

use super::{Constants, Unreduced};
use crate::kernel::product::schoolbook;
use crate::natural::word::Word;

/// Words of scratch.
pub(crate) const fn scratch_words(n: usize) -> usize {
    2 * n
}

/// a * b * R^-1, below 2m.
pub(crate) fn mul<'t, W: Word>(t: &'t mut [W], a: &[W], b: &[W], constants: &Constants<'_, W>) -> Unreduced<'t, W> {
    let t = &mut t[..2 * a.len()];
    schoolbook::mul(t, a, b);
    redc(t, constants)
}

/// a^2 * R^-1, below 2m.
pub(crate) fn sqr<'t, W: Word>(t: &'t mut [W], a: &[W], constants: &Constants<'_, W>) -> Unreduced<'t, W> {
    let t = &mut t[..2 * a.len()];
    schoolbook::sqr(t, a);
    redc(t, constants)
}

/// T * R^-1 for T < R m in 2n words.
///
/// Step i adds u m b^i with u such that word i becomes 0. Departure from the paper: the row's carry belongs at word i+n
/// and may itself run over by a bit; that bit waits in a register for the next row, whose carry goes one word higher,
/// instead of being chased up the number. So the count does not depend on values.
fn redc<'t, W: Word>(t: &'t mut [W], constants: &Constants<'_, W>) -> Unreduced<'t, W> {
    let n = constants.m.len();
    let mut waiting = false;
    for i in 0..n {
        W::turn();
        let u = t[i].load().mul_low(constants.m_prime);
        let carry = schoolbook::add_row(&mut t[i..i + n], constants.m, u);
        let (sum, next) = t[i + n].load().add_carry(carry, waiting);
        t[i + n].store(sum);
        waiting = next;
    }
    Unreduced { words: &t[n..2 * n], overflow: waiting }
}
