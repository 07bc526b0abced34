//! Bases far longer than the modulus.

use crate::engine::execute::Poll;
use crate::natural::{Natural, chores};
use std::borrow::Cow;

/// Reduces a base that is far longer than the modulus piece by piece, with a poll after each piece; after a stop the number is
/// worthless. The ring reduces shorter bases.
pub(crate) fn reduced_base<'b>(base: &'b Natural, modulus: &Natural, poll: &Poll<'_>) -> Cow<'b, Natural> {
    const PIECE: usize = 1 << 10;
    let (limbs, piece) = (base.limbs(), modulus.limbs().len().max(PIECE));
    if limbs.len() <= 2 * piece {
        return Cow::Borrowed(base);
    }
    let mut rest = Natural::default();
    for piece in limbs.chunks(piece).rev() {
        if !poll.now() {
            break;
        }
        rest = chores::rem(&Natural::from_limbs(&[piece, rest.limbs()].concat()), modulus);
    }
    Cow::Owned(rest)
}
