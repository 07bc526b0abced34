//! Computes the rows of a batch: reads their numbers, calls the library, and puts the results in the order of the rows.

use crate::argument::Argument;
use crate::error::{Error, Result};
use crate::input::Batch;
use crate::leaf::Leaf;
use crate::numbers::{Cell, Kind, cells};
use crate::plan::{FLAW, Plan, Results};
use crate::powers::{NAMES, cap, modulus};
use crate::task::{Operand, Task, Workload};
use crate::text::from_hex;
use crate::verdicts::{Form, Keys, Named, Signed};
use pingala_core::{
    Column, Error as LibraryError, FixedBase, Integer, Limits, Modulus, Options, Uses, pairs, pow_rows, pow_words,
};
use pingala_primes::{ROUNDS, is_prime_list, is_prime_words};
use pingala_verify::{Check, PublicKey, verify_list};

/// Most memory of the table of one base.
const TABLE_BYTES: u64 = 1 << 26;

/// The answers of a batch.
#[derive(Debug)]
pub(crate) struct Answers {
    /// The bytes of all numbers.
    pub(crate) bytes: Vec<u8>,
    pub(crate) rows: Vec<Answer>,
}

/// The answer of a row.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    /// Of a row with a null.
    Null,
    Error(Error),
    /// From where to where its bytes are.
    Number(usize, usize),
    /// Whether the number is prime, or the signature valid, and if not, the code of the reason.
    Truth(bool, Option<&'static str>),
}

impl Answer {
    /// The code of its error.
    pub(crate) fn code(&self) -> Option<&'static str> {
        if let Answer::Error(flaw) = self { Some(flaw.code()) } else { None }
    }

    /// Why its signature is not valid.
    pub(crate) fn reason(&self) -> Option<&'static str> {
        if let Answer::Truth(_, reason) = self { *reason } else { None }
    }
}

impl Answers {
    /// Error: `fault`, if a result is not of this type, so that none becomes a null.
    pub(crate) fn are(&self, results: Results) -> Result<()> {
        let is_one = |answer: &Answer| match *answer {
            Answer::Null | Answer::Error(_) => true,
            Answer::Truth(..) => results == Results::Truth,
            Answer::Number(start, end) => match results {
                Results::Truth => false,
                Results::Variable => true,
                results => (end - start) as u64 == results.bytes(),
            },
        };
        if self.rows.iter().all(is_one) {
            Ok(())
        } else {
            Err(LibraryError::Fault("a result differs from its column in type").into())
        }
    }

    /// The errors of rows, in order.
    pub(crate) fn errors(&self) -> impl Iterator<Item = (usize, &Error)> {
        self.rows.iter().enumerate().filter_map(|(row, answer)| match answer {
            Answer::Error(flaw) => Some((row, flaw)),
            _ => None,
        })
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
        let key = task.signatures.as_ref().and_then(|signatures| signatures.one_key.as_ref());
        let key = key.map(|text| PublicKey::load(&raw(Cell::Text(text.as_bytes())))).transpose()?;
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
            Workload::IsPrime => self.primes(batch.rows, &columns, options)?,
            _ => self.powers(batch.rows, &columns, options)?,
        };
        if let Some(Leaf::Bytes(flaws)) = self.flaws.and_then(|place| batch.columns[place].first()) {
            // Numbers that all rows share give such a row a result too.
            for (row, flaw) in flaws.rows().enumerate().filter_map(|(row, flaw)| Some((row, flaw?))) {
                answers.rows[row] = Answer::Error(Error::bad_row(String::from_utf8_lossy(flaw.data())));
            }
        }
        Ok(answers)
    }

    /// The rows in which these arguments are numbers, and those numbers.
    fn live<'c>(&self, columns: &Columns<'c>, answers: &mut [Answer]) -> (Vec<usize>, [Argument<'c>; 3]) {
        let rows = answers.len();
        let mut live = Vec::with_capacity(rows);
        let mut arguments: [Argument<'c>; 3] = std::array::from_fn(|at| match (&self.values[at], &columns[at]) {
            (Some(value), _) => Argument::One(value.clone()),
            (None, Some(column)) => Argument::of(column.iter().flatten().next().copied(), rows),
            // The exponent of an inverse.
            (None, None) => Argument::One(Integer::new(true, 1u64.into())),
        });
        let is_prime = self.task.workload == Workload::IsPrime;
        let name = |at: usize| if is_prime { "number" } else { NAMES[at] };
        let is_null = |row: usize| columns[..3].iter().flatten().any(|column| column[row].is_none());
        for row in (0..rows).filter(|&row| !is_null(row)) {
            let push = |at: usize| match columns[at].as_ref().and_then(|column| column[row]) {
                Some(cell) => arguments[at].push(cell, name(at), cap(&self.limits, at), self.task.hex_input),
                None => Ok(()),
            };
            match (0..3).try_for_each(push) {
                Ok(()) => live.push(row),
                Err(flaw) => {
                    arguments.iter_mut().for_each(|argument| argument.truncate(live.len()));
                    answers[row] = Answer::Error(flaw);
                }
            }
        }
        (live, arguments)
    }

    fn powers(&self, rows: usize, columns: &Columns<'_>, options: &Options<'_>) -> Result<Answers> {
        let mut rows = vec![Answer::Null; rows];
        let (live, arguments) = self.live(columns, &mut rows);
        let moduli = &arguments[2];
        let width = match self.results {
            Results::Fixed(width) => width as usize,
            Results::Word => 8,
            _ => (0..live.len()).map(|index| moduli.length(index)).max().unwrap_or(1),
        };
        let mut bytes = vec![0; live.len() * width];
        let failed = self.fill_rows(&arguments, &mut bytes, width, options)?;
        for (index, &row) in live.iter().enumerate() {
            let length = if self.results == Results::Variable { moduli.length(index) } else { width };
            rows[row] = Answer::Number((index + 1) * width - length, (index + 1) * width);
        }
        for (index, error) in failed {
            rows[live[index]] = Answer::Error(error.into());
        }
        Ok(Answers { bytes, rows })
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
            pairs(out.chunks_exact_mut(8), words)?.for_each(|(out, word)| out.copy_from_slice(&word.to_be_bytes()));
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
        for (index, (result, out)) in pairs(listed, out.chunks_exact_mut(width))?.enumerate() {
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

    fn primes(&self, rows: usize, columns: &Columns<'_>, options: &Options<'_>) -> Result<Answers> {
        let mut rows = vec![Answer::Null; rows];
        let (live, [numbers, ..]) = self.live(columns, &mut rows);
        if let Argument::Words(words) = &numbers {
            let mut truths = vec![false; words.len()];
            is_prime_words(words, &mut truths, options)?;
            pairs(live, truths)?.for_each(|(row, truth)| rows[row] = Answer::Truth(truth, None));
            return Ok(Answers { bytes: Vec::new(), rows });
        }
        let (mut places, mut within) = (Vec::new(), Vec::new());
        for (row, number) in pairs(&live, numbers.integers(live.len()).iter())? {
            let (length, cap) = (number.magnitude().bits(), self.limits.modulus_bits);
            if length > cap {
                rows[*row] = Answer::Error(LibraryError::TooLong { what: "number", length, cap }.into());
            } else {
                places.push(*row);
                within.push(number.clone());
            }
        }
        let answers = is_prime_list(&within, self.task.rounds.unwrap_or(ROUNDS), options)?;
        pairs(places, answers)?.for_each(|(row, answer)| rows[row] = Answer::Truth(answer.prime, None));
        Ok(Answers { bytes: Vec::new(), rows })
    }

    fn verdicts(&self, rows: usize, columns: &Columns<'_>, options: &Options<'_>) -> Result<Answers> {
        let Some(signatures) = &self.task.signatures else { return Err(Error::argument("this job has no signatures")) };
        let (scheme, encoding, policy) = (signatures.scheme()?, signatures.encoding()?, signatures.policy()?);
        let mut rows = vec![Answer::Null; rows];
        // Exponents and moduli are e and n of keys of RSA; a task with other keys has none.
        let (live, [_, exponents, moduli]) = self.live(columns, &mut rows);
        let (mut keys, mut signed) = (Keys::new(None, None), Vec::new());
        for (index, &row) in live.iter().enumerate() {
            let of = |at: usize| columns[at].as_ref().and_then(|column| column[row]).map(raw);
            let (Some(signature), Some(message)) = (of(3), of(4)) else { continue };
            let key = match (&self.key, &columns[5], of(5)) {
                (Some(key), ..) => Ok(key.clone()),
                (None, None, _) => {
                    Named::rsa(moduli.integer(index), exponents.integer(index)).and_then(|key| keys.get(key))
                }
                (None, Some(_), Some(key)) => keys.get(Named::Content(key)),
                (None, Some(_), None) => continue,
            };
            let (is_digest, signature) = (signatures.digests, Form::Bytes(signature, encoding));
            match key {
                Ok(key) => signed.push((row, Signed { key, scheme, message, is_digest, signature })),
                Err(flaw) => rows[row] = Answer::Error(flaw),
            }
        }
        let checks: Vec<Check<'_>> = signed.iter().map(|(_, signed)| signed.check()).collect();
        for ((row, _), verdict) in pairs(&signed, verify_list(&checks, policy, options)?)? {
            rows[*row] = match verdict {
                Ok(verdict) => Answer::Truth(verdict.is_valid(), verdict.reason().map(|reason| reason.code())),
                Err(error) => Answer::Error(error.into()),
            };
        }
        Ok(Answers { bytes: Vec::new(), rows })
    }
}

/// The bytes of a cell that is no number: those of its text, or if it begins with `0x`, those that its digits stand for.
fn raw(cell: Cell<'_>) -> Vec<u8> {
    match cell {
        Cell::Bytes(bytes) | Cell::Twos(bytes) | Cell::Little(bytes) | Cell::TwosLittle(bytes) => bytes.to_vec(),
        Cell::Text(text) => text.strip_prefix(b"0x").and_then(from_hex).unwrap_or_else(|| text.to_vec()),
        Cell::Signed(number) => number.to_be_bytes().to_vec(),
        Cell::Unsigned(number) => number.to_be_bytes().to_vec(),
    }
}

#[cfg(test)]
#[path = "../tests/inside/compute.rs"]
mod tests;
