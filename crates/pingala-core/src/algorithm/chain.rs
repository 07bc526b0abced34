//! Addition chains: \[tandrup2004fast\] 3.1, with the bounds of its definition corrected.

use super::Parameter;
use crate::error::Error;
use crate::exponent::Exponent;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

/// The longest chain that is accepted. Elements have up to one bit per step, so this bounds the memory of a chain of
/// doublings by 64 MiB.
const MAX_STEPS: usize = 1 << 15;

/// An addition chain of length r: elements a_0 = 1, a_1, ..., a_r and pairs w_1, ..., w_r with w_i = (i1, i2),
/// i1, i2 < i and a_i = a_i1 + a_i2 for i = 1, ..., r. Its target is a_r.
///
/// A value of this type is valid. The elements need not increase. The smaller index of a pair stands first.
///
/// It prints as two lines, elements and pairs:
///
/// ```
/// # use pingala_core::algorithm::Chain;
/// let chain = Chain::from_pairs(vec![(0, 0), (0, 1), (2, 2), (3, 3), (0, 4)]).unwrap();
/// assert_eq!(chain.to_string(), "1 2 3 6 12 13\n(0,0) (0,1) (2,2) (3,3) (0,4)");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    elements: Vec<Exponent>,
    pairs: Vec<(usize, usize)>,
}

impl Chain {
    /// Refuses more steps than a chain may have. Error: [`Error::BadArgument`].
    pub fn check_steps(steps: usize) -> Result<(), Error> {
        let over = || Error::BadArgument(format!("a chain of {steps} steps is over the cap of {MAX_STEPS}"));
        if steps > MAX_STEPS { Err(over()) } else { Ok(()) }
    }

    /// Builds a chain from only its associated pairs: the elements follow from them.
    ///
    /// # Errors
    /// [`Error::BadArgument`] if a pair refers to its own place or a later one, or the chain is longer than 2^15 steps.
    pub fn from_pairs(mut pairs: Vec<(usize, usize)>) -> Result<Self, Error> {
        Self::check_steps(pairs.len())?;
        let mut elements = vec![Exponent::one()];
        for (step, (low, high)) in pairs.iter_mut().enumerate() {
            if low > high {
                core::mem::swap(low, high);
            }
            if *high > step {
                let place = step + 1;
                return Err(Error::BadArgument(format!("pair {place}, ({low},{high}), refers beyond its past")));
            }
            elements.push(&elements[*low] + &elements[*high]);
        }
        Ok(Self { elements, pairs })
    }

    /// From elements and pairs, each element checked against its pair.
    ///
    /// # Errors
    /// As [`Chain::from_pairs`]; [`Error::BadArgument`] also if an element is not the sum that its pair names, or the
    /// numbers of elements and pairs do not agree.
    pub fn new(elements: &[Exponent], pairs: Vec<(usize, usize)>) -> Result<Self, Error> {
        let chain = Self::from_pairs(pairs)?;
        if elements.len() != chain.elements.len() {
            let (n_elements, n_pairs) = (elements.len(), chain.pairs.len());
            return Err(Error::BadArgument(format!("{n_elements} elements do not go with {n_pairs} pairs")));
        }
        match elements.iter().zip(&chain.elements).position(|(given, sum)| given != sum) {
            Some(place) => Err(Error::BadArgument(format!("element {place} is not the sum that its pair names"))),
            None => Ok(chain),
        }
    }

    /// a_0 = 1 to a_r.
    pub fn elements(&self) -> &[Exponent] {
        &self.elements
    }

    /// w_1 to w_r: `pairs()[i - 1]` makes `elements()[i]`.
    pub fn pairs(&self) -> &[(usize, usize)] {
        &self.pairs
    }

    /// The number of steps r.
    pub fn length(&self) -> usize {
        self.pairs.len()
    }

    /// a_r, the exponent that the chain is for.
    pub fn target(&self) -> &Exponent {
        &self.elements[self.pairs.len()]
    }
}

impl fmt::Display for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_row(f, &self.elements, |element| format!("{element}"))?;
        writeln!(f)?;
        write_row(f, &self.pairs, |(low, high)| format!("({low},{high})"))
    }
}

fn write_row<T>(f: &mut fmt::Formatter<'_>, items: &[T], text: impl Fn(&T) -> String) -> fmt::Result {
    for (index, item) in items.iter().enumerate() {
        write!(f, "{}{}", if index > 0 { " " } else { "" }, text(item))?;
    }
    Ok(())
}

/// In an algorithm's name a chain stands as its pairs: `0+0 0+1 2+2 3+3 0+4`.
impl Parameter for Chain {
    const FORM: &'static str = "(i+j i+j ...)";

    fn read(text: Option<&str>) -> Option<Self> {
        let pair = |word: &str| {
            let (low, high) = word.split_once('+')?;
            Some((low.parse().ok()?, high.parse().ok()?))
        };
        // One more than the cap is enough to have it refused.
        let pairs: Option<Vec<_>> = text?.split_whitespace().take(MAX_STEPS + 1).map(pair).collect();
        Self::from_pairs(pairs?).ok()
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "(")?;
        write_row(f, &self.pairs, |(low, high)| format!("{low}+{high}"))?;
        write!(f, ")")
    }

    fn values(_: u32) -> Vec<Self> {
        Vec::new()
    }
}

#[cfg(test)]
#[path = "../../tests/inside/algorithm/chain.rs"]
mod tests;
