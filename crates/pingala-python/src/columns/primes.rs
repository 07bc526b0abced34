//! Tests of primality, and Jacobi symbols, in columns.

use super::arrow::Block;
use super::order::Order;
use super::result::{Data, ResultColumn, Values, is_set, set};
use super::source::{Argument, Column, Kind, Role};
use super::{Errors, blocks, columns_of, common_length, grow, read_errors};
use crate::{errors, number};
use pingala_core::{Error, Integer, Options, Watch};
use pingala_primes::{is_prime_list, is_prime_words, jacobi_with};
use pyo3::prelude::*;

/// The answers of a block, and its rows with an error.
type Answered = (Vec<bool>, Vec<(usize, Error)>);

/// Numbers, in rows.
struct Candidates {
    numbers: Column,
    rounds: u32,
    little_endian: bool,
    errors: Errors,
}

impl Candidates {
    /// The answers for all rows. Errors: those of a row, with its index, if they are raised; `interrupted`; `bad_argument` for rows that lie
    /// outside of what their producer lends.
    fn run(&self, options: &Options<'_>) -> Result<Data, Error> {
        let (length, watch) = (self.numbers.length, options.watch());
        let (mut truths, mut block) = (Vec::new(), Block::default());
        grow(&mut truths, length.div_ceil(8))?;
        let mut out = Data::of(Values::Truths(Vec::new()), length, false)?;
        for rows in blocks(length) {
            self.numbers.copy(rows.clone(), &mut block)?;
            let (answers, failed) = self.block(&block, rows.len(), options, watch)?;
            out.settle(rows.start, &block.nulls, &failed, self.errors)?;
            for row in rows.clone().filter(|row| answers[row - rows.start] && is_set(&out.valid, *row)) {
                set(&mut truths, row);
            }
            watch.inspect(|watch| watch.progress(rows.end, length));
        }
        out.values = Values::Truths(truths);
        Ok(out.finished(self.errors))
    }

    /// A block of rows. Errors: those of the call.
    fn block(
        &self,
        block: &Block,
        rows: usize,
        options: &Options<'_>,
        watch: Option<&dyn Watch>,
    ) -> Result<Answered, Error> {
        let quiet = watch.map(super::verdicts::Quiet);
        let options = options.with_watch(quiet.as_ref().map(|watch| watch as &dyn Watch));
        let column = &self.numbers;
        if let Kind::Words | Kind::SignedWords = column.kind {
            let mut answers = vec![false; rows];
            if column.kind == Kind::Words {
                is_prime_words(&block.words, &mut answers, &options)?;
            } else {
                let words: Vec<u64> = block.words.iter().map(|&word| (word as i64).max(0) as u64).collect();
                is_prime_words(&words, &mut answers, &options)?;
            }
            return Ok((answers, self.long_words(block, &options)));
        }
        let mut failed = Vec::new();
        let mut numbers = vec![Integer::default(); rows];
        for (row, number) in numbers.iter_mut().enumerate().filter(|(row, _)| !block.nulls[*row]) {
            match column.number(block, row, self.little_endian) {
                Ok(read) => *number = read,
                Err(error) => failed.push((row, error)),
            }
        }
        let answers = is_prime_list(&numbers, self.rounds, &options)?;
        Ok((answers.into_iter().map(|answer| answer.prime).collect(), failed))
    }

    /// The words above a cap of less than 64 bits, each with its error.
    fn long_words(&self, block: &Block, options: &Options<'_>) -> Vec<(usize, Error)> {
        let cap = options.limits().modulus_bits;
        let signed = self.numbers.kind == Kind::SignedWords;
        let magnitude = |word: u64| if signed { (word as i64).unsigned_abs() } else { word };
        let length = |word| u64::from(u64::BITS - magnitude(word).leading_zeros());
        let words = if cap < 64 { &block.words[..] } else { &[] };
        let long = words.iter().enumerate().filter(|&(row, &word)| !block.nulls[row] && length(word) > cap);
        long.map(|(row, &word)| (row, Error::TooLong { what: "number", length: length(word), cap })).collect()
    }
}

/// Numbers above and below in Jacobi symbols; one at least is a column, and columns are equally long.
struct Symbols {
    columns: [Argument; 2],
    /// The error of a number for all rows.
    bad: Option<Error>,
    length: usize,
    little_endian: bool,
    errors: Errors,
}

impl Symbols {
    /// The symbols of all rows. Errors: those of a row, with its index, if they are raised; `interrupted`; `bad_argument` for rows that lie
    /// outside of what their producer lends.
    fn run(&self, options: &Options<'_>) -> Result<Data, Error> {
        let watch = options.watch();
        let mut symbols = Vec::new();
        grow(&mut symbols, self.length)?;
        let mut out = Data::of(Values::Symbols(Vec::new()), self.length, false)?;
        let mut blocks = [Block::default(), Block::default()];
        for rows in super::blocks(self.length) {
            let (mut absent, mut failed) = (vec![false; rows.len()], Vec::new());
            for (argument, block) in self.columns.iter().zip(&mut blocks) {
                if let Argument::Many(column) = argument {
                    column.copy(rows.clone(), block)?;
                    absent.iter_mut().zip(&block.nulls).for_each(|(absent, null)| *absent |= null);
                }
            }
            for row in (0..rows.len()).filter(|row| !absent[*row]) {
                if row.is_multiple_of(64) && watch.is_some_and(|watch| watch.stop()) {
                    return Err(Error::Interrupted);
                }
                match self.symbol(&blocks, row, options) {
                    Ok(symbol) => symbols[rows.start + row] = symbol as u8,
                    Err(Error::Interrupted) => return Err(Error::Interrupted),
                    Err(error) => failed.push((row, error)),
                }
                if self.errors == Errors::Raise && !failed.is_empty() {
                    break;
                }
            }
            out.settle(rows.start, &absent, &failed, self.errors)?;
            watch.inspect(|watch| watch.progress(rows.end, self.length));
        }
        out.values = Values::Symbols(symbols);
        Ok(out.finished(self.errors))
    }

    /// The symbol of a row. Errors: those of the row, and `interrupted`.
    fn symbol(&self, blocks: &[Block; 2], row: usize, options: &Options<'_>) -> Result<i8, Error> {
        let number = |at: usize| match &self.columns[at] {
            Argument::One(number) => Ok(Integer::new(number.is_negative(), number.magnitude().clone())),
            Argument::Many(column) => column.number(&blocks[at], row, self.little_endian),
        };
        if let Some(error) = &self.bad {
            return Err(error.clone());
        }
        Ok(jacobi_with(&number(0)?, &number(1)?, options)? as i8)
    }
}

functions! {
    /// Whether the number in each row of a column is prime, as is_prime has it: a Column of bool.
    ///
    /// numbers: a column, as powmod_column takes it; below 2**64 the answers are proved. rounds: as in is_prime. Null gives null.
    /// errors: "raise" raises the error of the first bad row, with its index; "null" makes bad rows null; "column" does so and adds
    /// their codes.
    ///
    /// byteorder, threads, progress, max_modulus_bits: as in powmod_column. Raises ArgumentError, TypeError, and those of rows. Releases the
    /// GIL; Ctrl-C stops it.
    fn is_prime_column(
        numbers, #[pyo3(from_py_with = number::few)] rounds: u32 = 1, *, errors, byteorder, threads, progress, max_modulus_bits
    ) -> ResultColumn = |py, given| {
        let (errors, order) = (read_errors(py, given.errors)?, Order::read(py, given.byteorder)?);
        let little_endian = order.is_some_and(|order| order.little_endian);
        let numbers = Column::read(Role::candidates(&given.limits()), numbers)?.ordered(order)?;
        let work = Candidates { numbers, rounds, little_endian, errors };
        Ok(given.run(py, work.numbers.length, |options| work.run(options))?.into())
    }

    /// The Jacobi symbol of the numbers a and n in each row, as jacobi has it: a Column of int8.
    ///
    /// a, n: each a column, as powmod_column takes it, or one int for all rows. Null in a column gives null. errors, byteorder, progress,
    /// max_modulus_bits: as in is_prime_column. timeout: as in powmod. Raises ArgumentError, TypeError, and those of rows. Releases the GIL; Ctrl-C stops it.
    fn jacobi_column(a, n, *, errors, byteorder, progress, timeout, max_modulus_bits) -> ResultColumn = |py, given| {
        let (errors, order) = (read_errors(py, given.errors)?, Order::read(py, given.byteorder)?);
        let little_endian = order.is_some_and(|order| order.little_endian);
        let (limits, mut bad) = (given.limits(), None);
        let mut read = |name, object| Argument::read(Role::symbol(name, &limits), object, &mut bad)?.ordered(order);
        let columns = [read("a", a)?, read("n", n)?];
        let Some(length) = common_length(py, columns_of(["a", "n"], &columns))? else {
            return Err(errors::bad_argument(py, "at least one of a and n must be a column"));
        };
        let work = Symbols { columns, bad, length, little_endian, errors };
        Ok(given.run(py, length, |options| work.run(options))?.into())
    }
}
