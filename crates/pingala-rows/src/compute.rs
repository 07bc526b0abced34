//! Computes the rows of a batch: reads their numbers, calls the library, and puts the results in the order of the rows.

use crate::argument::Argument;
use crate::error::{Error, Result, RowError};
use crate::input::Batch;
use crate::leaf::Leaf;
use crate::numbers::{Cell, Kind, cells};
use crate::pairs::exactly;
use crate::plan::{FLAW, Plan, Results};
use crate::powers::{NAMES, cap, modulus};
use crate::task::{Operand, Task, Workload};
use crate::text::from_hex;
use crate::verdicts::{Form, Given, Keys, Named, Signed};
use pingala::{Column, Error as LibraryError, FixedBase, Integer, Limits, Modulus, Options, Uses, pow_rows, pow_words};
use pingala_verify::{Check, PublicKey, verify_list};

/// Most memory of the table of one base.
const TABLE_BYTES: u64 = 1 << 26;

/// The results of a batch: for each row a value or none, and the errors.
#[derive(Debug)]
pub(crate) struct Answers {
    pub(crate) values: Values,
    /// The errors of rows, in order. A row with a null has neither a result nor an error.
    pub(crate) errors: Vec<(usize, RowError)>,
}

/// The results of a batch.
#[derive(Debug)]
pub(crate) enum Values {
    /// For each row the range of bytes that is its number.
    Numbers { bytes: Vec<u8>, rows: Vec<Option<(usize, usize)>> },
    /// For each row whether the signature is valid, and if not, the code of the reason.
    Truths(Vec<Option<(bool, Option<&'static str>)>>),
}

impl Values {
    /// Removes the result of a row.
    fn clear(&mut self, row: usize) {
        match self {
            Values::Numbers { rows, .. } => rows[row] = None,
            Values::Truths(truths) => truths[row] = None,
        }
    }
}

/// The cells of base, exponent, modulus, signature, message and key, where these are columns.
type Columns<'c> = [Option<Vec<Option<Cell<'c>>>>; 6];

/// The values that all rows of a job share in one process.
pub(crate) struct Computer {
    task: Task,
    results: Results,
    /// The places of base, exponent, modulus, signature, message and key among the columns.
    places: [Option<usize>; 6],
    /// The place of the flaws of text.
    flaws: Option<usize>,
    values: [Option<Integer>; 3],
    modulus: Option<Modulus>,
    table: Option<FixedBase>,
    key: Option<PublicKey>,
    limits: Limits,
}

impl Computer {
    /// For a plan; `kinds` are those of the columns, `exponent_bits` is the longest exponent that its column can hold.
    pub(crate) fn new(plan: &Plan, exponent_bits: Option<u64>, options: &Options<'_>) -> Result<Self> {
        let task = plan.task.clone();
        let columns = plan.columns();
        let flaws = columns.iter().position(|column| column == FLAW);
        let operands = task.operands();
        let place = |operand: &Option<Operand>| {
            let name = operand.as_ref().and_then(Operand::column)?;
            columns.iter().position(|column| column == name)
        };
        let places = std::array::from_fn(|at| place(&operands[at]));
        let value = |at: usize| operands[at].as_ref().and_then(Operand::value).transpose();
        let values = [value(0)?, value(1)?, value(2)?];
        let modulus = |value: &Integer| Modulus::with_limits(modulus(value.clone())?, options.limits());
        let modulus = values[2].as_ref().map(modulus).transpose()?;
        let key = match task.signatures.as_ref().and_then(|signatures| signatures.one_key.as_ref()) {
            Some(text) => Some(PublicKey::load(&key_bytes(text)?)?),
            None => None,
        };
        let table = match (&values, &modulus, exponent_bits, task.workload) {
            ([Some(base), None, _], Some(modulus), Some(bits), Workload::Power) => {
                // Without a table of this size the powers share what they can.
                FixedBase::for_uses(base, modulus, bits, TABLE_BYTES, Uses::new(plan.rows.max(1), true), options).ok()
            }
            _ => None,
        };
        Ok(Self { results: plan.results, places, flaws, values, modulus, table, key, limits: *options.limits(), task })
    }

    /// The answers of a batch whose columns have these kinds.
    pub(crate) fn answers(&self, batch: &Batch, kinds: &[Option<Kind>], options: &Options<'_>) -> Result<Answers> {
        let columns: Columns<'_> = std::array::from_fn(|at| {
            let place = self.places[at]?;
            Some(cells(batch.columns[place].first()?, kinds[place]?))
        });
        let mut answers = match self.task.workload {
            Workload::Verify => self.verdicts(batch.rows, &columns, options)?,
            _ => self.powers(batch.rows, &columns, options)?,
        };
        if let Some(Leaf::Bytes(flaws)) = self.flaws.and_then(|place| batch.columns[place].first()) {
            let flawed: Vec<_> = flaws.rows().enumerate().filter_map(|(row, flaw)| Some((row, flaw?))).collect();
            // Numbers that all rows share give such a row a result too.
            answers.errors.retain(|(row, _)| flawed.binary_search_by_key(row, |(row, _)| *row).is_err());
            for (row, flaw) in flawed {
                answers.values.clear(row);
                let message = String::from_utf8_lossy(flaw.data()).into_owned();
                answers.errors.push((row, RowError { code: "bad_row", message }));
            }
        }
        answers.errors.sort_by_key(|(row, _)| *row);
        Ok(answers)
    }

    /// The rows in which these arguments are numbers, and those numbers.
    fn live<'c>(
        &self,
        rows: usize,
        columns: &Columns<'c>,
        errors: &mut Vec<(usize, RowError)>,
    ) -> (Vec<usize>, [Argument<'c>; 3]) {
        let mut live = Vec::with_capacity(rows);
        let mut arguments: [Argument<'c>; 3] = std::array::from_fn(|at| match (&self.values[at], &columns[at]) {
            (Some(value), _) => Argument::One(value.clone()),
            (None, Some(column)) => Argument::of(column.iter().flatten().next().copied(), rows),
            // The exponent of an inverse.
            (None, None) => Argument::One(Integer::new(true, 1u64.into())),
        });
        let is_null = |row: usize| columns[..3].iter().flatten().any(|column| column[row].is_none());
        for row in (0..rows).filter(|&row| !is_null(row)) {
            let push = |at: usize| match columns[at].as_ref().and_then(|column| column[row]) {
                Some(cell) => arguments[at].push(cell, NAMES[at], cap(&self.limits, at)),
                None => Ok(()),
            };
            match (0..3).try_for_each(push) {
                Ok(()) => live.push(row),
                Err(flaw) => {
                    arguments.iter_mut().for_each(|argument| argument.truncate(live.len()));
                    errors.push((row, flaw));
                }
            }
        }
        (live, arguments)
    }

    fn powers(&self, rows: usize, columns: &Columns<'_>, options: &Options<'_>) -> Result<Answers> {
        let mut errors = Vec::new();
        let (live, arguments) = self.live(rows, columns, &mut errors);
        let moduli = &arguments[2];
        let width = match self.results {
            Results::Fixed(width) => width as usize,
            Results::Word => 8,
            _ => (0..live.len()).map(|index| moduli.length(index)).max().unwrap_or(1),
        };
        let mut bytes = vec![0; live.len() * width];
        let failed = self.fill_rows(&arguments, &mut bytes, width, options)?;
        let mut places = vec![None; rows];
        for (index, &row) in live.iter().enumerate() {
            let length = if self.results == Results::Variable { moduli.length(index) } else { width };
            places[row] = Some(((index + 1) * width - length, (index + 1) * width));
        }
        for (index, error) in failed {
            places[live[index]] = None;
            errors.push((live[index], error.into()));
        }
        Ok(Answers { values: Values::Numbers { bytes, rows: places }, errors })
    }

    /// The results of the rows that take part, by the way that shares most; gives those that failed.
    fn fill_rows(
        &self,
        [bases, exponents, moduli]: &[Argument<'_>; 3],
        out: &mut [u8],
        width: usize,
        options: &Options<'_>,
    ) -> Result<Vec<(usize, LibraryError)>> {
        if out.is_empty() {
            return Ok(Vec::new());
        }
        if let (Results::Word, [Some(bases), Some(exponents), Some(moduli)]) =
            (self.results, [bases.words(), exponents.words(), moduli.words()])
        {
            let mut words = vec![0; out.len() / width];
            let failed = pow_words(&bases, &exponents, &moduli, &mut words, options)?;
            exactly(out.chunks_exact_mut(8), words)?.for_each(|(out, word)| out.copy_from_slice(&word.to_be_bytes()));
            return Ok(failed);
        }
        let rows = out.len() / width;
        let listed = match (&self.modulus, &self.table, self.task.workload) {
            (Some(modulus), _, Workload::Inverse) => Some(modulus.invert_list(&bases.integers(rows), options)?),
            (_, Some(table), _) => Some(table.pow_list(&exponents.integers(rows), options)?),
            _ => None,
        };
        let Some(listed) = listed else {
            let [of_bases, of_exponents, of_moduli] = &mut [const { Vec::new() }; 3];
            let moduli = self.modulus.as_ref().map_or_else(|| moduli.column(of_moduli), Column::from);
            let (bases, exponents) = (bases.column(of_bases), exponents.column(of_exponents));
            return Ok(pow_rows(bases, exponents, moduli, out, width, options)?);
        };
        let mut failed = Vec::new();
        for (index, (result, out)) in exactly(listed, out.chunks_exact_mut(width))?.enumerate() {
            let padded = result.and_then(|value| {
                let (length, cap) = (value.bits(), 8 * width as u64);
                value.to_be_bytes_padded(width).ok_or(LibraryError::TooLong { what: "result", length, cap })
            });
            match padded {
                Ok(bytes) => out.copy_from_slice(&bytes),
                Err(error) => failed.push((index, error)),
            }
        }
        Ok(failed)
    }

    fn verdicts(&self, rows: usize, columns: &Columns<'_>, options: &Options<'_>) -> Result<Answers> {
        let Some(signatures) = &self.task.signatures else { return Err(Error::argument("this job has no signatures")) };
        let (scheme, encoding, policy) = (signatures.scheme()?, signatures.encoding()?, signatures.policy()?);
        let mut errors = Vec::new();
        let by_numbers = self.key.is_none() && columns[5].is_none();
        let (live, [_, exponents, moduli]) = if by_numbers {
            let mut numbers: Columns<'_> = std::array::from_fn(|_| None);
            numbers[1].clone_from(&columns[1]);
            numbers[2].clone_from(&columns[2]);
            self.live(rows, &numbers, &mut errors)
        } else {
            ((0..rows).collect(), std::array::from_fn(|_| Argument::Integers(Vec::new())))
        };
        let (mut keys, mut signed) = (Keys::new(None, None), Vec::new());
        for (index, &row) in live.iter().enumerate() {
            let of = |at: usize| columns[at].as_ref().and_then(|column| column[row]).map(raw);
            let (Some(signature), Some(message)) = (of(3), of(4)) else { continue };
            let key = match (&self.key, by_numbers) {
                (Some(key), _) => Ok(key.clone()),
                (None, true) => {
                    Named::rsa(moduli.integer(index), exponents.integer(index)).and_then(|key| keys.get(key))
                }
                (None, false) => {
                    let Some(key) = of(5) else { continue };
                    keys.get(Named::Content(key))
                }
            };
            let message = if signatures.digests { Given::Digest(message) } else { Given::Message(message) };
            match key {
                Ok(key) => {
                    signed.push((row, Signed { key, scheme, message, signature: Form::Bytes(signature, encoding) }))
                }
                Err(flaw) => errors.push((row, flaw)),
            }
        }
        let checks: Vec<Check<'_>> = signed.iter().map(|(_, signed)| signed.check()).collect();
        let mut truths = vec![None; rows];
        for ((row, _), verdict) in exactly(&signed, verify_list(&checks, policy, options)?)? {
            match verdict {
                Ok(verdict) => truths[*row] = Some((verdict.is_valid(), verdict.reason().map(|reason| reason.code()))),
                Err(error) => errors.push((*row, error.into())),
            }
        }
        Ok(Answers { values: Values::Truths(truths), errors })
    }
}

/// The bytes of a cell that is no number: those of its text, or if it begins with `0x`, those that its digits stand for.
fn raw(cell: Cell<'_>) -> Vec<u8> {
    match cell {
        Cell::Bytes(bytes) | Cell::Twos(bytes) => bytes.to_vec(),
        Cell::Text(text) | Cell::Hexadecimal(text) => {
            text.strip_prefix(b"0x").and_then(from_hex).unwrap_or_else(|| text.to_vec())
        }
        Cell::Signed(number) => number.to_be_bytes().to_vec(),
        Cell::Unsigned(number) => number.to_be_bytes().to_vec(),
    }
}

/// The bytes of a key of the command line.
fn key_bytes(text: &str) -> Result<Vec<u8>> {
    match text.strip_prefix("0x") {
        None => Ok(text.as_bytes().to_vec()),
        Some(digits) => {
            from_hex(digits.as_bytes()).ok_or_else(|| Error::argument("the key is no hexadecimal of whole bytes"))
        }
    }
}
