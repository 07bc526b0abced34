//! One argument of the rows of a batch, in a form that the library takes without a copy.

use crate::error::Error as Failure;
use crate::numbers::{Cell, integer};
use pingala_core::{Column, Error, Integer, Natural};

/// The numbers of one argument; any number stands in the rows that take no part.
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
    /// The cells of a column as numbers of at most `cap` bits; text may be hexadecimal without 0x too. `absent` has the rows that take no
    /// part, of which a cell that is no such number makes one: `fail` gets its error, `too_long` or `not_a_number`.
    pub(crate) fn read(
        cells: &[Option<Cell<'c>>],
        (what, cap, is_hexadecimal): (&'static str, u64, bool),
        absent: &mut [bool],
        mut fail: impl FnMut(usize, Failure),
    ) -> Self {
        let mut numbers = match cells.iter().flatten().next() {
            Some(Cell::Signed(_) | Cell::Unsigned(_)) => Argument::Words(Vec::with_capacity(cells.len())),
            Some(Cell::Bytes(_)) => Argument::Slices(Vec::with_capacity(cells.len())),
            _ => Argument::Integers(Vec::with_capacity(cells.len())),
        };
        for (row, (cell, absent)) in (0..).zip(cells.iter().zip(absent)) {
            let Some(cell) = cell.filter(|_| !*absent) else {
                numbers.push_nothing();
                continue;
            };
            if let Err(flaw) = numbers.push(cell, what, cap, is_hexadecimal) {
                numbers.push_nothing();
                *absent = true;
                fail(row, flaw);
            }
        }
        numbers
    }

    /// Adds a row. Errors: `too_long`, `not_a_number`.
    fn push(&mut self, cell: Cell<'c>, what: &'static str, cap: u64, is_hexadecimal: bool) -> Result<(), Failure> {
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

    /// Adds a row that takes no part.
    fn push_nothing(&mut self) {
        match self {
            Argument::One(_) => {}
            Argument::Words(words) => words.push(0),
            Argument::Slices(slices) => slices.push(&[]),
            Argument::Integers(integers) => integers.push(Integer::default()),
        }
    }

    /// As the library takes it.
    pub(crate) fn column(self) -> Column<'c> {
        match self {
            Argument::One(number) => number.into(),
            Argument::Words(words) => words.into(),
            Argument::Slices(slices) => slices.into(),
            Argument::Integers(integers) => integers.into(),
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
