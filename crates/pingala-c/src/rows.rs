//! Results of calls that are not short. A list whose length the caller does not know fills the rows that
//! it gets, and tells the number of all.

use crate::memory::{Capped, Out, Unit};
use crate::status::bad_argument;
use core::mem::MaybeUninit;
use pingala_core::{Error, Integer, Natural};

impl Capped {
    /// All of them, without signs. Error: `too_long` for the first that is, with its place.
    #[inline(never)]
    pub(crate) fn naturals(self) -> Result<Vec<Natural>, Error> {
        Ok(self.all()?.into_iter().map(Integer::into_magnitude).collect())
    }
}

impl<U: Unit> Out<U> {
    /// [`Out::write`] for calls that are not short: one function, not a copy in each.
    #[inline(never)]
    pub(crate) fn put(&self, number: &Natural) -> Result<(), Error> {
        self.write(number)
    }
}

/// Error: `bad_argument` for rows that do not hold numbers below the modulus.
pub(crate) fn check_width<U: Unit>(out: &Out<U>, width: usize, modulus: &Natural) -> Result<(), Error> {
    let least = U::width(modulus).max(1);
    if !out.is_empty() && width < least {
        return Err(bad_argument(format!("rows of {width} units for numbers below one of {least}")));
    }
    Ok(())
}

/// Writes the first of the numbers, as many as fit, and says how many there are.
pub(crate) fn write_all<U: Unit>(
    out: &Out<U>,
    width: usize,
    needed: Option<&mut MaybeUninit<usize>>,
    numbers: &[Natural],
) -> Result<(), Error> {
    out.fill(|out| out.chunks_exact_mut(width).zip(numbers).for_each(|(row, number)| U::write(number, row)))?;
    needed.map(|needed| needed.write(numbers.len()));
    Ok(())
}
