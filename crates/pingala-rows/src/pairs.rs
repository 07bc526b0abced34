//! Sequences that belong together, element by element.

use pingala::Error;
use std::iter::Zip;

/// The pairs of two sequences of one length. Error: `fault`, if one is longer than the other, so that no result is left out in
/// silence.
pub fn exactly<A, B>(a: A, b: B) -> Result<Zip<A::IntoIter, B::IntoIter>, Error>
where
    A: IntoIterator<IntoIter: ExactSizeIterator>,
    B: IntoIterator<IntoIter: ExactSizeIterator>,
{
    let (a, b) = (a.into_iter(), b.into_iter());
    if a.len() != b.len() {
        return Err(Error::Fault("two sequences that belong together differ in length"));
    }
    Ok(a.zip(b))
}

#[cfg(test)]
#[path = "../tests/inside/pairs.rs"]
mod tests;
