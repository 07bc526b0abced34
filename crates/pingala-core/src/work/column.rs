//! Columns of numbers: rows of bytes, words, numbers, or one number for all rows.

use crate::error::Error;
use crate::natural::bytes::write_be;
use crate::natural::{Integer, Natural};
use crate::work::{Modulus, Options};
use core::fmt;
use core::ops::{Deref, Range};
use std::borrow::Cow;

/// A column of numbers, each in a row of bytes that the caller owns, or one number for all rows.
///
/// Bytes are unsigned numbers, most significant first unless [`Column::little_endian`] says otherwise; no bytes are 0. Columns come
/// from [`Column::fixed`], and by `From` from rows of any length (`&[&[u8]]`), words (`&[u64]`), numbers (`&[Integer]`), one number
/// (`&Integer`), and one modulus with what it has prepared (`&Modulus`). Vectors may be given away.
#[derive(Clone)]
pub struct Column<'a> {
    source: ColumnRows<'a>,
    little_endian: bool,
}

#[derive(Clone)]
enum ColumnRows<'a> {
    One(Cow<'a, Integer>),
    Modulus(&'a Modulus),
    Numbers(Cow<'a, [Integer]>),
    Words(Cow<'a, [u64]>),
    Slices(Slices<'a>),
    Fixed { bytes: &'a [u8], width: usize },
}

/// As `Cow`, which would tie the two lifetimes to each other.
#[derive(Clone)]
enum Slices<'a> {
    Lent(&'a [&'a [u8]]),
    Own(Vec<&'a [u8]>),
}

impl<'a> Deref for Slices<'a> {
    type Target = [&'a [u8]];

    fn deref(&self) -> &[&'a [u8]] {
        match self {
            Self::Lent(rows) => rows,
            Self::Own(rows) => rows,
        }
    }
}

/// How many rows, and of what, without the numbers.
impl fmt::Debug for Column<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.source {
            ColumnRows::One(_) | ColumnRows::Modulus(_) => f.write_str("<Column: one number for all rows>"),
            ColumnRows::Numbers(numbers) => write!(f, "<Column of {} numbers>", numbers.len()),
            ColumnRows::Words(words) => write!(f, "<Column of {} words>", words.len()),
            ColumnRows::Slices(rows) => write!(f, "<Column of {} numbers>", rows.len()),
            &ColumnRows::Fixed { bytes, width } => {
                write!(f, "<Column of {} numbers of {width} bytes>", bytes.len().checked_div(width).unwrap_or(0))
            }
        }
    }
}

impl<'a> Column<'a> {
    /// Column of `width` bytes each, one behind the other.
    pub fn fixed(bytes: &'a [u8], width: usize) -> Self {
        Self { source: ColumnRows::Fixed { bytes, width }, little_endian: false }
    }

    /// The column with its bytes least significant first.
    pub fn little_endian(self) -> Self {
        Self { little_endian: true, ..self }
    }

    /// Words in rows, of which a single one stands for all of `count`.
    pub(crate) fn of_words(words: &'a [u64], count: usize) -> Self {
        match *words {
            [one] if count != 1 => Self::from(Integer::from(one)),
            _ => Self::from(words),
        }
    }

    /// Error: `bad_argument` for a column that has another number of rows.
    pub(crate) fn check(&self, what: &str, count: usize) -> Result<(), Error> {
        let found = match &self.source {
            ColumnRows::One(_) | ColumnRows::Modulus(_) => return Ok(()),
            ColumnRows::Numbers(numbers) => numbers.len(),
            ColumnRows::Words(words) => words.len(),
            ColumnRows::Slices(rows) => rows.len(),
            ColumnRows::Fixed { bytes, width } if count.checked_mul(*width) == Some(bytes.len()) => return Ok(()),
            ColumnRows::Fixed { bytes, width } => {
                let found = bytes.len();
                return Err(Error::BadArgument(format!("{found} bytes of {what} for {count} rows of {width} bytes")));
            }
        };
        if found == count { Ok(()) } else { Err(Error::BadArgument(format!("{found} {what} for {count} rows"))) }
    }

    /// The number in a row.
    pub(crate) fn number(&self, row: usize) -> Cow<'_, Integer> {
        match &self.source {
            ColumnRows::One(number) => Cow::Borrowed(&**number),
            ColumnRows::Modulus(modulus) => Cow::Owned(modulus.value().into()),
            ColumnRows::Numbers(numbers) => Cow::Borrowed(&numbers[row]),
            ColumnRows::Words(words) => Cow::Owned(words[row].into()),
            ColumnRows::Slices(rows) => Cow::Owned(self.natural(rows[row]).into()),
            ColumnRows::Fixed { bytes, width } => Cow::Owned(self.natural(&bytes[row * width..][..*width]).into()),
        }
    }

    fn natural(&self, bytes: &[u8]) -> Natural {
        if self.little_endian { Natural::from_le_bytes(bytes) } else { Natural::from_be_bytes(bytes) }
    }

    /// Whether a row has what the row before has.
    pub(crate) fn is_repeated(&self, row: usize) -> bool {
        match &self.source {
            ColumnRows::One(_) | ColumnRows::Modulus(_) => true,
            ColumnRows::Numbers(numbers) => numbers[row] == numbers[row - 1],
            ColumnRows::Words(words) => words[row] == words[row - 1],
            ColumnRows::Slices(rows) => rows[row] == rows[row - 1],
            ColumnRows::Fixed { bytes, width } => {
                let (before, here) = bytes[(row - 1) * width..(row + 1) * width].split_at(*width);
                before == here
            }
        }
    }

    /// Whether all rows have one number.
    pub(crate) fn is_one(&self) -> bool {
        matches!(self.source, ColumnRows::One(_) | ColumnRows::Modulus(_))
    }

    /// Whether all rows have this number.
    pub(crate) fn is_all(&self, number: i64) -> bool {
        matches!(&self.source, ColumnRows::One(one) if **one == Integer::from(number))
    }

    /// The words of all rows, or the one word for all; none of other columns.
    pub(crate) fn words(&self) -> Option<Cow<'_, [u64]>> {
        let one = match &self.source {
            ColumnRows::Words(words) => return Some(Cow::Borrowed(words)),
            ColumnRows::One(number) if !number.is_negative() => number.magnitude(),
            ColumnRows::Modulus(modulus) => modulus.value(),
            _ => return None,
        };
        match *one.limbs() {
            [] => Some(Cow::Borrowed(&[0])),
            [word] => Some(Cow::Owned(vec![word])),
            _ => None,
        }
    }

    /// The modulus of all rows, or what is wrong with it, where residues take rows of `width` bytes; none if each row has its own.
    pub(crate) fn modulus_of_all(
        &self,
        width: usize,
        options: &Options<'_>,
    ) -> Option<Result<Cow<'a, Modulus>, Error>> {
        match &self.source {
            ColumnRows::Modulus(modulus) => Some(fits(modulus.value(), width).map(|()| Cow::Borrowed(*modulus))),
            ColumnRows::One(number) => Some(
                checked(number, width, options)
                    .and_then(|()| Modulus::with_limits(number.magnitude().clone(), &options.limits))
                    .map(Cow::Owned),
            ),
            _ => None,
        }
    }

    /// Writes a number that fits as the bytes of a row, in the order of this column.
    pub(crate) fn write(&self, number: &Natural, out: &mut [u8]) {
        debug_assert!(number.bits() <= 8 * out.len() as u64);
        if !self.little_endian {
            return write_be(number.limbs(), out);
        }
        for (index, chunk) in out.chunks_mut(8).enumerate() {
            chunk.copy_from_slice(&number.limbs().get(index).copied().unwrap_or(0).to_le_bytes()[..chunk.len()]);
        }
    }

    /// The number whose row was written in the order of this column.
    pub(crate) fn word(&self, row: [u8; 8]) -> u64 {
        if self.little_endian { u64::from_le_bytes(row) } else { u64::from_be_bytes(row) }
    }

    /// The numbers in these rows, or the one number for all.
    pub(crate) fn read(&self, rows: Range<usize>) -> Cow<'_, [Integer]> {
        match &self.source {
            ColumnRows::One(number) => Cow::Borrowed(core::slice::from_ref(&**number)),
            ColumnRows::Modulus(modulus) => Cow::Owned(vec![modulus.value().into()]),
            ColumnRows::Numbers(numbers) => Cow::Borrowed(&numbers[rows]),
            _ => rows.map(|row| self.number(row).into_owned()).collect(),
        }
    }
}

/// Columns of what a source can be made of, which is lent or given away.
macro_rules! columns_from {
    ($($type:ty: $source:ident($value:ident) = $held:expr;)*) => {
        $(impl<'a> From<$type> for Column<'a> {
            fn from($value: $type) -> Self {
                Self { source: ColumnRows::$source($held), little_endian: false }
            }
        })*
    };
}

columns_from! {
    &'a Integer: One(number) = Cow::Borrowed(number);
    Integer: One(number) = Cow::Owned(number);
    &'a Modulus: Modulus(modulus) = modulus;
    &'a [Integer]: Numbers(numbers) = Cow::Borrowed(numbers);
    Vec<Integer>: Numbers(numbers) = Cow::Owned(numbers);
    &'a [u64]: Words(words) = Cow::Borrowed(words);
    Vec<u64>: Words(words) = Cow::Owned(words);
    &'a [&'a [u8]]: Slices(rows) = Slices::Lent(rows);
    Vec<&'a [u8]>: Slices(rows) = Slices::Own(rows);
}

/// The rows that take no part in a call: all of them have a 0 as their result, and none an error.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct AbsentRows<'a>(pub(crate) &'a [bool]);

impl AbsentRows<'_> {
    /// Whether this row takes no part.
    #[inline(always)]
    pub(crate) fn has(self, row: usize) -> bool {
        self.0.get(row).is_some_and(|absent| *absent)
    }

    /// Makes the results of these rows 0, those from `first` on.
    pub(crate) fn clear(self, first: usize, out: &mut [u64]) {
        if !self.0.is_empty() {
            (first..).zip(out).filter(|(row, _)| self.has(*row)).for_each(|(_, out)| *out = 0);
        }
    }
}

/// Errors: `zero_modulus`, `negative_modulus`, `too_long`.
pub(crate) fn checked(modulus: &Integer, width: usize, options: &Options<'_>) -> Result<(), Error> {
    if modulus.is_negative() {
        return Err(Error::NegativeModulus);
    }
    options.limits.check_modulus(modulus.magnitude())?;
    fits(modulus.magnitude(), width)
}

/// Error: `too_long`, where not all residues fit the rows of the results.
fn fits(modulus: &Natural, width: usize) -> Result<(), Error> {
    let bits = modulus.bits();
    // A power of two is a bit longer than its residues.
    let residue_bits = bits - u64::from(modulus.trailing_zeros() + 1 == bits);
    let cap = 8 * width as u64;
    if residue_bits > cap { Err(Error::TooLong { what: "modulus", length: bits, cap }) } else { Ok(()) }
}
