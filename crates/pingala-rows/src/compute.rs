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
use pingala_core::{Column, Error as LibraryError, FixedBase, Integer, Limits, Modulus, Options, RowRequest, pairs};
use pingala_primes::{ROUNDS, is_prime_list, is_prime_words};
use pingala_verify::{Check, PublicKey, verify_list};

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
                RowRequest::table_for(base, modulus, bits, plan.rows, options)
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

    /// These arguments, and the rows that take no part: those with a null, and those with a flaw, which is their answer.
    fn arguments<'c>(&self, columns: &Columns<'c>, answers: &mut [Answer]) -> (Vec<bool>, [Argument<'c>; 3]) {
        let is_null = |row: usize| columns[..3].iter().flatten().any(|column| column[row].is_none());
        let mut absent: Vec<bool> = (0..answers.len()).map(is_null).collect();
        let is_prime = self.task.workload == Workload::IsPrime;
        let arguments = std::array::from_fn(|at| match (&self.values[at], &columns[at]) {
            (Some(value), _) => Argument::One(value.clone()),
            (None, Some(cells)) => {
                let name = if is_prime { "number" } else { NAMES[at] };
                let how = (name, cap(&self.limits, at), self.task.hex_input);
                Argument::read(cells, how, &mut absent, |row, flaw| answers[row] = Answer::Error(flaw))
            }
            // The exponent of an inverse.
            (None, None) => Argument::One(Integer::new(true, 1u64.into())),
        });
        (absent, arguments)
    }

    fn powers(&self, count: usize, columns: &Columns<'_>, options: &Options<'_>) -> Result<Answers> {
        let mut rows = vec![Answer::Null; count];
        let (absent, [bases, exponents, moduli]) = self.arguments(columns, &mut rows);
        let present = || (0..count).filter(|row| !absent[*row]);
        let width = match self.results {
            Results::Fixed(width) => width as usize,
            Results::Word => 8,
            _ => present().map(|row| moduli.length(row)).max().unwrap_or(1),
        };
        for row in present() {
            let length = if self.results == Results::Variable { moduli.length(row) } else { width };
            rows[row] = Answer::Number((row + 1) * width - length, (row + 1) * width);
        }
        let moduli = self.modulus.as_ref().map_or_else(|| moduli.column(), Column::from);
        let mut work = RowRequest::powers(bases.column(), exponents.column(), moduli).without(&absent);
        if let Some(table) = &self.table {
            work = work.by_table(table);
        }
        let (mut bytes, failed);
        if self.results == Results::Word {
            let mut words = vec![0; count];
            failed = work.words(&mut words, options)?;
            bytes = words.into_iter().flat_map(u64::to_be_bytes).collect();
        } else {
            bytes = vec![0; count * width];
            failed = work.bytes(&mut bytes, width, options)?;
        }
        failed.into_iter().for_each(|(row, error)| rows[row] = Answer::Error(error.into()));
        Ok(Answers { bytes, rows })
    }

    fn primes(&self, count: usize, columns: &Columns<'_>, options: &Options<'_>) -> Result<Answers> {
        let mut rows = vec![Answer::Null; count];
        let (absent, [numbers, ..]) = self.arguments(columns, &mut rows);
        let present = (0..count).filter(|row| !absent[*row]);
        if let Argument::Words(words) = &numbers {
            let mut truths = vec![false; words.len()];
            is_prime_words(words, &mut truths, options)?;
            present.for_each(|row| rows[row] = Answer::Truth(truths[row], None));
            return Ok(Answers { bytes: Vec::new(), rows });
        }
        let (mut places, mut within) = (Vec::new(), Vec::new());
        for row in present {
            let number = numbers.integer(row);
            let (length, cap) = (number.magnitude().bits(), self.limits.modulus_bits);
            if length > cap {
                rows[row] = Answer::Error(LibraryError::TooLong { what: "number", length, cap }.into());
            } else {
                places.push(row);
                within.push(number);
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
        let (absent, [_, exponents, moduli]) = self.arguments(columns, &mut rows);
        let (mut keys, mut signed) = (Keys::new(None, None), Vec::new());
        for row in (0..rows.len()).filter(|row| !absent[*row]) {
            let of = |at: usize| columns[at].as_ref().and_then(|column| column[row]).map(raw);
            let (Some(signature), Some(message)) = (of(3), of(4)) else { continue };
            let key = match (&self.key, &columns[5], of(5)) {
                (Some(key), ..) => Ok(key.clone()),
                (None, None, _) => {
                    Named::rsa(moduli.integer(row), exponents.integer(row)).and_then(|key| keys.get(key))
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
