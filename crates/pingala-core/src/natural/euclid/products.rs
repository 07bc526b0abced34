//! What Euclid's algorithm on long numbers takes from elsewhere: products of long numbers, and when to stop.

use crate::error::Error;
use crate::natural::Natural;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt::{self, Debug};

/// Whether long work goes on: polled about every millisecond.
pub(crate) type GoOn<'p> = &'p dyn Fn() -> bool;

/// Products by the four entries of a matrix, and divisions.
///
/// This room knows no kernel, so the products come in through this trait.
pub(crate) trait MatrixProducts: Debug {
    /// The factors from now on: m\[0\]\[0\], m\[0\]\[1\], m\[1\]\[0\], m\[1\]\[1\]. A number times one of them, and a sum of two such products, has fewer than
    /// `limbs` limbs. Error: `interrupted`.
    fn set_matrix(&mut self, entries: [&[u64]; 4], limbs: usize, go_on: GoOn<'_>) -> Result<(), Error>;

    /// x m\[0\]\[0\] + y m\[1\]\[0\] and x m\[0\]\[1\] + y m\[1\]\[1\]: a row of a matrix times the matrix. Error: `interrupted`.
    fn row(&mut self, row: [&[u64]; 2], go_on: GoOn<'_>) -> Result<[Vec<u64>; 2], Error>;

    /// x m\[1\]\[1\] - y m\[0\]\[1\] and y m\[0\]\[0\] - x m\[1\]\[0\], each as a sign, true below 0, and a magnitude: the inverse matrix times a column, but for the
    /// determinant. Error: `interrupted`.
    fn solved(&mut self, column: [&[u64]; 2], go_on: GoOn<'_>) -> Result<[(bool, Vec<u64>); 2], Error>;

    /// Quotient and remainder, for a divisor above 0.
    fn div_rem(&mut self, dividend: &Natural, divisor: &Natural) -> (Natural, Natural);

    /// a b.
    fn mul(&mut self, a: &[u64], b: &[u64]) -> Vec<u64>;
}

/// When to stop, and whose products to take.
#[derive(Clone, Copy)]
pub(crate) struct Means<'p> {
    /// Whether the work goes on.
    pub(crate) go_on: GoOn<'p>,
    /// Products of up to so many limbs.
    pub(crate) products: fn(usize) -> Box<dyn MatrixProducts>,
}

impl Debug for Means<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Means").finish_non_exhaustive()
    }
}
