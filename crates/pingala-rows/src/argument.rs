//! One argument of the rows of a batch, in a form that the library takes without a copy.

use crate::error::Error as Failure;
use crate::numbers::{Cell, integer};
use pingala_core::{Column, Error, Integer, Natural};
use std::borrow::Cow;

/// The numbers of one argument.
pub(crate) enum Argument<'c> {
    /// One number for all rows.
    One(Integer),
    /// Machine words.
    Words(Vec<u64>),
    /// Unsigned, most significant byte first, without zeros on top.
    Slices(Vec<&'c [u8]>),
    Integers(Vec<Integer>),
}

impl<'c> Argument<'c> {
    /// For cells like this one.
    pub(crate) fn of(cell: Option<Cell<'c>>, rows: usize) -> Self {
        match cell {
            Some(Cell::Signed(_) | Cell::Unsigned(_)) => Argument::Words(Vec::with_capacity(rows)),
            Some(Cell::Bytes(_)) => Argument::Slices(Vec::with_capacity(rows)),
            _ => Argument::Integers(Vec::with_capacity(rows)),
        }
    }

    /// Adds a row. Errors: `too_long`, `not_a_number`.
    pub(crate) fn push(
        &mut self,
        cell: Cell<'c>,
        what: &'static str,
        cap: u64,
        is_hexadecimal: bool,
    ) -> Result<(), Failure> {
        match (&mut *self, cell) {
            (Argument::Words(words), Cell::Unsigned(word)) => words.push(word),
            (Argument::Words(words), Cell::Signed(word)) if word >= 0 => words.push(word.unsigned_abs()),
            (Argument::Words(words), cell) => {
                // The first negative one.
                let mut integers: Vec<Integer> = words.iter().map(|&word| word.into()).collect();
                integers.push(integer(cell, what, cap, is_hexadecimal)?);
                *self = Argument::Integers(integers);
            }
            (Argument::Slices(slices), Cell::Bytes(bytes)) => {
                let bytes = without_zeros(bytes);
                let length = bits(bytes);
                if length > cap {
                    return Err(Error::TooLong { what, length, cap }.into());
                }
                slices.push(bytes);
            }
            (Argument::Integers(integers), cell) => integers.push(integer(cell, what, cap, is_hexadecimal)?),
            // A column has cells of one kind.
            (Argument::One(_) | Argument::Slices(_), _) => return Err(Error::Fault("a column of two kinds").into()),
        }
        Ok(())
    }

    pub(crate) fn truncate(&mut self, rows: usize) {
        match self {
            Argument::One(_) => {}
            Argument::Words(words) => words.truncate(rows),
            Argument::Slices(slices) => slices.truncate(rows),
            Argument::Integers(integers) => integers.truncate(rows),
        }
    }

    /// The words, or one word for all rows.
    pub(crate) fn words(&self) -> Option<Cow<'_, [u64]>> {
        match self {
            Argument::Words(words) => Some(Cow::Borrowed(words)),
            Argument::One(number) if !number.is_negative() => match number.magnitude().limbs() {
                [] => Some(Cow::Borrowed(&[0])),
                [limb] => Some(Cow::Owned(vec![*limb])),
                _ => None,
            },
            _ => None,
        }
    }

    /// As the library takes it; words become integers in `room`.
    pub(crate) fn column<'s>(&'s self, room: &'s mut Vec<Integer>) -> Column<'s> {
        match self {
            Argument::One(number) => number.into(),
            Argument::Slices(slices) => slices[..].into(),
            Argument::Integers(integers) => integers[..].into(),
            Argument::Words(words) => {
                room.extend(words.iter().map(|&word| Integer::from(word)));
                room[..].into()
            }
        }
    }

    /// The integers of `rows` rows.
    pub(crate) fn integers(&self, rows: usize) -> Cow<'_, [Integer]> {
        match self {
            Argument::Integers(integers) => Cow::Borrowed(integers),
            _ => (0..rows).map(|row| self.integer(row)).collect(),
        }
    }

    /// One row.
    pub(crate) fn integer(&self, row: usize) -> Integer {
        match self {
            Argument::One(number) => number.clone(),
            Argument::Words(words) => words[row].into(),
            Argument::Slices(slices) => Natural::from_be_bytes(slices[row]).into(),
            Argument::Integers(integers) => integers[row].clone(),
        }
    }

    /// Bytes of the number in a row, at least 1.
    pub(crate) fn length(&self, row: usize) -> usize {
        let of = |number: &Natural| number.bits().div_ceil(8) as usize;
        let length = match self {
            Argument::One(number) => of(number.magnitude()),
            Argument::Words(words) => (u64::BITS - words[row].leading_zeros()).div_ceil(8) as usize,
            Argument::Slices(slices) => slices[row].len(),
            Argument::Integers(integers) => of(integers[row].magnitude()),
        };
        length.max(1)
    }
}

fn without_zeros(bytes: &[u8]) -> &[u8] {
    &bytes[bytes.iter().take_while(|&&byte| byte == 0).count()..]
}

/// The length of a number without zeros on top.
fn bits(bytes: &[u8]) -> u64 {
    bytes.first().map_or(0, |top| 8 * bytes.len() as u64 - u64::from(top.leading_zeros()))
}
