//! Tests of primality in columns.

use super::arrow::Block;
use super::powers::{Errors, MOST_ROWS, grow};
use super::read_errors;
use super::result::{Data, ResultColumn, Values, set};
use super::source::{self, Column, Kind, Role};
use crate::watch::Caller;
use crate::{call, errors};
use pingala::{Error, Integer, Options, Watch};
use pingala_primes::{is_prime_list, is_prime_words};
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
    fn run(&self, options: &Options<'_>, watch: Option<&dyn Watch>) -> Result<Data, Error> {
        let length = self.numbers.length;
        let mut truths = Vec::new();
        grow(&mut truths, length.div_ceil(8))?;
        let mut out = Data::of(Values::Truths(Vec::new()), length, false)?;
        let mut block = Block::default();
        for first in (0..length).step_by(MOST_ROWS) {
            let rows = (first + MOST_ROWS).min(length) - first;
            self.numbers.copy(first..first + rows, &mut block)?;
            let (answers, failed) = self.block(&block, rows, options, watch)?;
            if let (Errors::Raise, Some((row, error))) = (self.errors, failed.first()) {
                return Err(Error::At { index: first + row, error: Box::new(error.clone()) });
            }
            let mut failures = failed.iter().peekable();
            for (row, answer) in answers.into_iter().enumerate() {
                if failures.next_if(|(at, _)| *at == row).is_some() || block.nulls[row] {
                    out.nulls += 1;
                    continue;
                }
                set(&mut out.valid, first + row);
                if answer {
                    set(&mut truths, first + row);
                }
            }
            out.failed.extend(failed.iter().map(|(row, error)| (first + row, error.code().into())));
            watch.inspect(|watch| watch.progress(first + rows, length));
        }
        out.values = Values::Truths(truths);
        Ok(out.with_codes(self.errors == Errors::Column))
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
        let mut failed: Vec<(usize, Error)> =
            block.long.iter().map(|&(row, bytes)| (row, column.role.too_long(column.kind, bytes))).collect();
        let mut numbers = vec![Integer::default(); rows];
        for (row, number) in numbers.iter_mut().enumerate() {
            if block.nulls[row] || failed.binary_search_by_key(&row, |(at, _)| *at).is_ok() {
                continue;
            }
            let read = match column.kind {
                Kind::Text => source::parsed(block.row(row), column.role.text_bits),
                kind => Ok(source::integer(kind, block, row, self.little_endian)),
            };
            match read.and_then(|number| self.short_enough(number, &options)) {
                Ok(read) => *number = read,
                Err(error) => {
                    failed.push((row, error));
                    failed.sort_by_key(|(row, _)| *row);
                }
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

    /// A number that is not above the cap. Error: `too_long`.
    fn short_enough(&self, number: Integer, options: &Options<'_>) -> Result<Integer, Error> {
        let (length, cap) = (number.magnitude().bits(), options.limits().modulus_bits);
        if length > cap { Err(Error::TooLong { what: "number", length, cap }) } else { Ok(number) }
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
        numbers, rounds: u32 = 1, *, errors, byteorder, threads, progress, max_modulus_bits
    ) -> ResultColumn = |py, given| {
        let (errors, keywords) = (read_errors(py, given.errors)?, given.keywords()?);
        let little_endian = match given.byteorder {
            "big" => false,
            "little" => true,
            other => {
                return Err(errors::bad_argument(py, format!("byteorder must be 'big' or 'little', not {other:?}")));
            }
        };
        let numbers = Column::read(Role::candidates(&given.limits()), numbers)?;
        let (length, caller) = (numbers.length, Caller::new(given.progress(numbers.length)?));
        let work = Candidates { numbers, rounds, little_endian, errors };
        let data = call::run(py, Some(&caller), |watch| work.run(&keywords.options(None), watch))?;
        if length > 0 {
            given.tell_end(length)?;
        }
        Ok(data.into())
    }
}
