//! What is asked of rows of three columns, and the one place that chooses the call that serves them: words, a table, powers or products
//! of numbers of any length.

use crate::error::{Error, pairs};
use crate::natural::Integer;
use crate::work::column::AbsentRows;
use crate::work::fixed_base::{FixedBase, Uses};
use crate::work::residues::rows::{products, products_in_words};
use crate::work::rows::{self, FailedRows, at, or_zeros, rows_of};
use crate::work::words::{self, into_words};
use crate::work::{Column, Modulus, Options};

/// What is computed of each row of three columns. Bases, exponents and moduli, or two factors and moduli, are given in whatever form they
/// are; how they are computed is chosen here.
///
/// The rows that failed are returned, in order, each with its error. They are zeros, as the rows that take no part are. No row affects
/// another one. Of two errors of a row a modulus of 0 is the first.
///
/// ```
/// # use pingala_core as pingala;
/// use pingala::{Column, Error, Integer, Options, RowRequest};
/// let (bases, exponent, moduli) = (vec![2u64, 3, 4, 5], Integer::from(10u64), vec![1000u64, 0, 1002, 1003]);
/// let request = RowRequest::powers(bases.into(), (&exponent).into(), moduli.into());
/// let mut out = [9; 4];
/// let failed = request.without(&[false, false, true, false]).words(&mut out, &Options::default())?;
/// assert_eq!(failed, [(1, Error::ZeroModulus)]);
/// assert_eq!(out, [24, 0, 0, 417]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct RowRequest<'a> {
    operation: RowOperation<'a>,
    columns: [Column<'a>; 3],
    absent: AbsentRows<'a>,
}

/// What is computed of the first two columns.
#[derive(Clone, Copy, Debug)]
enum RowOperation<'a> {
    Powers,
    /// By the table of the one base modulo the one modulus.
    Table(&'a FixedBase),
    Products,
}

impl<'a> RowRequest<'a> {
    /// base^exponent mod modulus in each row.
    pub fn powers(bases: Column<'a>, exponents: Column<'a>, moduli: Column<'a>) -> Self {
        let columns = [bases, exponents, moduli];
        Self { operation: RowOperation::Powers, columns, absent: AbsentRows::default() }
    }

    /// a * b mod modulus in each row.
    pub fn products(a: Column<'a>, b: Column<'a>, moduli: Column<'a>) -> Self {
        Self { operation: RowOperation::Products, ..Self::powers(a, b, moduli) }
    }

    /// Powers by a table, which has the base and the modulus of all rows.
    pub fn by_table(self, table: &'a FixedBase) -> Self {
        Self { operation: RowOperation::Table(table), ..self }
    }

    /// Leaves out the rows of which this is true, whatever stands in them.
    pub fn without(self, absent: &'a [bool]) -> Self {
        Self { absent: AbsentRows(absent), ..self }
    }

    /// The table for powers of this base modulo this number, of which about `rows` come, with exponents of `exponent_bits` bits at most; none
    /// if there is none of moderate size. Rows without a table share what they can.
    pub fn table_for(
        base: &Integer,
        modulus: &Modulus,
        exponent_bits: u64,
        rows: u64,
        options: &Options<'_>,
    ) -> Option<FixedBase> {
        const TABLE_BYTES: u64 = 1 << 26;
        FixedBase::for_uses(base, modulus, exponent_bits, TABLE_BYTES, Uses::new(rows.max(1), true), options).ok()
    }

    /// Computes rows of `width` bytes, in the byte order of the moduli. Errors as [`pow_rows`](crate::pow_rows), and `bad_argument` unless
    /// all rows, or none, are said to take part or not.
    pub fn bytes(&self, out: &mut [u8], width: usize, options: &Options<'_>) -> Result<Vec<(usize, Error)>, Error> {
        or_zeros(out, |out| {
            self.check(out.len() / width.max(1))?;
            self.rows(out, width, options)
        })
    }

    /// Computes words. Of a modulus of more than 64 bits the residues have to fit. Errors as [`RowRequest::bytes`].
    pub fn words(&self, out: &mut [u64], options: &Options<'_>) -> Result<Vec<(usize, Error)>, Error> {
        or_zeros(out, |out| {
            self.check(out.len())?;
            let names = match self.operation {
                RowOperation::Products => ["factors", "factors", "moduli"],
                _ => ["bases", "exponents", "moduli"],
            };
            for (name, column) in pairs(names, &self.columns)? {
                column.check(name, out.len())?;
            }
            let of_words = match self.operation {
                RowOperation::Powers => words::powers,
                RowOperation::Products => products_in_words,
                RowOperation::Table(_) => return into_words(&self.columns[2], out, |out| self.rows(out, 8, options)),
            };
            match self.columns.each_ref().map(Column::words) {
                [Some(a), Some(b), Some(moduli)] => of_words([&a, &b, &moduli], self.absent, out, options),
                _ => into_words(&self.columns[2], out, |out| self.rows(out, 8, options)),
            }
        })
    }

    fn check(&self, count: usize) -> Result<(), Error> {
        let said = self.absent.0.len();
        if said == 0 || said == count {
            return Ok(());
        }
        Err(Error::BadArgument(format!("{said} rows are said to take part or not, of {count}")))
    }

    fn rows(&self, out: &mut [u8], width: usize, options: &Options<'_>) -> Result<FailedRows, Error> {
        let columns = self.columns.each_ref();
        match self.operation {
            RowOperation::Powers => rows::powers(columns, self.absent, out, width, options),
            RowOperation::Products => products(columns, self.absent, out, width, options),
            RowOperation::Table(table) => self.by_entries(table, out, width, options),
        }
    }

    /// Rows of powers by a table. Errors: `bad_argument`, `bad_plan`, `interrupted`.
    fn by_entries(
        &self,
        table: &FixedBase,
        out: &mut [u8],
        width: usize,
        options: &Options<'_>,
    ) -> Result<FailedRows, Error> {
        let [bases, exponents, moduli] = &self.columns;
        let count = rows_of(out, width, [(bases, "bases"), (exponents, "exponents"), (moduli, "moduli")])?;
        let exponents = exponents.read(0..count);
        let powers = table.powers(count, |row| at(&exponents, row), self.absent, options)?;
        let mut failed = Vec::new();
        for (row, (power, out)) in pairs(powers, out.chunks_exact_mut(width))?.enumerate() {
            let fits = power.and_then(|power| {
                let (length, cap) = (table.modulus().value().bits(), 8 * width as u64);
                let is_long = power.bits() > cap;
                if is_long { Err(Error::TooLong { what: "modulus", length, cap }) } else { Ok(power) }
            });
            match fits {
                Ok(power) => moduli.write(&power, out),
                Err(error) => {
                    out.fill(0);
                    failed.push((row, error));
                }
            }
        }
        Ok(failed)
    }
}
