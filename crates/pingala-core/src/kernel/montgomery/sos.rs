//! SOS, separated operand scanning: the whole product row by row, then the reduction row by row, both by tiles of rows
//! (see `product::schoolbook`; tiles of one word are the organisation of the paper).
//!
//! Count: 2n^2 + n products; squaring 3n^2/2 + 3n/2, because the separated product is a true squaring.
//!
//! Lemmas: Montgomery.rows_are_redc, Montgomery.rows_below_2m, Columns.waiting_bit, small.organisations (proofs/README.md).

use super::{Constants, Family, Unreduced};
use crate::kernel::product::schoolbook::with_tile;
use crate::kernel::product::schoolbook::{add_tile, load};
use crate::natural::linear;
use crate::natural::word::Word;

/// T * R^-1, below 2m, for T < R m in 2n words, by the rows of a family.
pub(crate) fn redc<'t, W: Word>(
    t: &'t mut [W],
    constants: &Constants<'_, W>,
    family: impl Family<W>,
) -> Unreduced<'t, W> {
    let n = constants.m.len();
    let t = &mut t[..2 * n];
    let overflow = family.redc_rows(t, constants.m, constants.m_prime);
    Unreduced { words: &t[n..], overflow }
}

/// The upper half of `t` becomes (T + Q m) / W^n, T being all of `t` in 2n words, for the Q < W^n that makes the division exact, by tiles of
/// `tile` words, 1 to 8, which divides n; returns the overflow. The lower half is destroyed.
#[inline(always)]
pub fn redc_tiles<W: Word>(t: &mut [W], m: &[W], m_prime: W, tile: usize) -> bool {
    with_tile!(tile, S, reduce_tiles::<W, S>(t, m, m_prime))
}

/// Row i of tiles adds u m b^(iS) for the S words u that make tile i vanish. Departure from the paper: the row's carry
/// belongs above the row, and adding it may carry one more bit. That bit stays in a register for the next row, whose carry
/// goes one tile higher; it is not propagated through the number. So the count does not depend on values.
fn reduce_tiles<W: Word, const S: usize>(t: &mut [W], m: &[W], m_prime: W) -> bool {
    debug_assert!(m.len().is_multiple_of(S));
    let (t, _) = t.as_chunks_mut::<S>();
    let (m, _) = m.as_chunks::<S>();
    let mut waiting = false;
    for i in 0..m.len() {
        W::turn();
        let (row, above) = t[i..].split_at_mut(m.len());
        let (u, mut carry) = quotient_tile(&row[0], &m[0], m_prime);
        for (t, m) in row[1..].iter_mut().zip(&m[1..]) {
            W::turn();
            carry = add_tile(t, m, &u, &carry);
        }
        waiting = linear::add_registers(&mut above[0], &carry, waiting);
    }
    waiting
}

/// The S quotient words of a tile of T, and the carry of `t + u * m` out of the tile, which u makes vanish.
///
/// One triangle of products determines u; the other triangle is the carry. Row i: the window's lowest word gives u_i, and
/// adding the row makes that word 0.
#[inline(always)]
pub(crate) fn quotient_tile<W: Word, const S: usize>(t: &[W; S], m: &[W; S], m_prime: W) -> ([W; S], [W; S]) {
    let mut u = [W::ZERO; S];
    let mut window = load(t);
    for u in &mut u {
        *u = window[0].mul_low(m_prime);
        let (zero, mut carry) = m[0].load().mul_add(*u, window[0]);
        debug_assert!(zero == W::ZERO);
        for j in 1..S {
            let (low, high) = m[j].load().mul_add_carry(*u, window[j], carry);
            window[j - 1] = low;
            carry = high;
        }
        window[S - 1] = carry;
    }
    (u, window)
}
