//! Bases far longer than the modulus.

use crate::engine::execute::pulse::Pulse;
use crate::natural::{Natural, chores};
use std::borrow::Cow;

/// A base far longer than the modulus, reduced piece by piece, with a poll in between; a stop leaves a
/// worthless number, as it does everywhere. Other bases are returned unreduced: the ring reduces them.
pub(crate) fn reduced_base<'b>(base: &'b Natural, modulus: &Natural, pulse: &Pulse<'_>) -> Cow<'b, Natural> {
    const PIECE: usize = 1 << 10;
    let (limbs, piece) = (base.limbs(), modulus.limbs().len().max(PIECE));
    if limbs.len() <= 2 * piece {
        return Cow::Borrowed(base);
    }
    let mut rest = Natural::default();
    for piece in limbs.chunks(piece).rev() {
        if !pulse.ask() {
            break;
        }
        rest = chores::rem(&Natural::from_limbs(&[piece, rest.limbs()].concat()), modulus);
    }
    Cow::Owned(rest)
}
