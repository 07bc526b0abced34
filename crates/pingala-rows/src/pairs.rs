//! Sequences that belong together, element by element.

use pingala::Error;
use std::iter::Zip;

/// The pairs of two sequences of one length. Error: `fault`, if one is longer than the other: a result that is missing, or that
/// nobody asked for, is never left out in silence.
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
mod tests {
    use super::*;

    #[test]
    fn a_difference_in_length_is_a_fault() {
        assert_eq!(exactly([1, 2], ["a", "b"]).unwrap().collect::<Vec<_>>(), [(1, "a"), (2, "b")]);
        for (a, b) in [(vec![1], vec![1, 2]), (vec![1, 2], vec![1]), (vec![], vec![1])] {
            assert_eq!(exactly(a, b).unwrap_err().code(), "fault");
        }
    }
}
