//! Signatures in columns.

use super::arrow::Block;
use super::powers::{Errors, MOST_ROWS, grow};
use super::result::{Data, ResultColumn, Values, set};
use super::source::{Column, Kind, Role};
use super::{common_length, read_errors};
use crate::verify::{self, Ways, messages_or_digests};
use crate::watch::Caller;
use crate::{call, errors};
use pingala_core::{Error, Options, Watch};
use pingala_verify::{Check, Message, PublicKey, Signature, verify_list};
use pyo3::prelude::*;

/// Signatures, in rows.
struct Signatures {
    keys: Vec<PublicKey>,
    is_one_key: bool,
    signatures: Column,
    messages: Column,
    are_digests: bool,
    ways: Ways,
    length: usize,
    errors: Errors,
}

/// A watch that is asked whether to stop, and told nothing.
pub struct Quiet<'w>(pub &'w dyn Watch);

impl Watch for Quiet<'_> {
    fn stop(&self) -> bool {
        self.0.stop()
    }
}

impl Signatures {
    /// The verdicts on all rows. Errors: those of a row, with its index, if they are raised; `interrupted`; `bad_argument` for rows
    /// that lie outside of what their producer lends.
    fn run(&self, options: &Options<'_>, watch: Option<&dyn Watch>) -> Result<Data, Error> {
        let mut truths = Vec::new();
        grow(&mut truths, self.length.div_ceil(8))?;
        let mut out = Data::of(Values::Truths(Vec::new()), self.length, false)?;
        let (mut signatures, mut messages) = (Block::default(), Block::default());
        for first in (0..self.length).step_by(MOST_ROWS) {
            let rows = first..(first + MOST_ROWS).min(self.length);
            self.signatures.copy(rows.clone(), &mut signatures)?;
            self.messages.copy(rows.clone(), &mut messages)?;
            let present: Vec<usize> =
                (0..rows.len()).filter(|&row| !signatures.nulls[row] && !messages.nulls[row]).collect();
            let check = |&row: &usize| Check {
                key: &self.keys[if self.is_one_key { 0 } else { first + row }],
                scheme: self.ways.scheme,
                message: if self.are_digests {
                    Message::Digest(messages.row(row))
                } else {
                    Message::Raw(messages.row(row))
                },
                signature: Signature::Bytes(signatures.row(row), self.ways.encoding),
            };
            let checks: Vec<Check<'_>> = present.iter().map(check).collect();
            let quiet = watch.map(Quiet);
            let options = options.with_watch(quiet.as_ref().map(|watch| watch as &dyn Watch));
            let verdicts = verify_list(&checks, self.ways.policy, &options)?;
            watch.inspect(|watch| watch.progress(rows.end, self.length));
            out.nulls += rows.len() - present.len();
            for (row, verdict) in present.iter().map(|row| first + row).zip(verdicts) {
                match verdict {
                    Ok(verdict) => {
                        set(&mut out.valid, row);
                        match verdict.reason() {
                            None => set(&mut truths, row),
                            Some(reason) => out.failed.push((row, reason.code().into())),
                        }
                    }
                    Err(error) if self.errors == Errors::Raise => {
                        return Err(Error::At { index: row, error: Box::new(error) });
                    }
                    Err(error) => {
                        out.nulls += 1;
                        out.failed.push((row, error.code().into()));
                    }
                }
            }
        }
        out.values = Values::Truths(truths);
        Ok(out.with_codes(self.errors == Errors::Column))
    }
}

functions! {
    /// Whether each signature of a column is valid, as a Column of bool.
    ///
    /// keys: one DSAPublicKey or RSAPublicKey for all rows, or one for each. signatures, messages, digests: columns of bytes, as
    /// powmod_column takes them (text is its bytes). scheme, hash, mgf_hash, encoding, salt, policy, threads: as in verify_list. progress: as
    /// in powmod_list. Null in a column gives null.
    ///
    /// A signature that is not valid is false, and no error: Column.error_codes has the reason. An error is a key of another kind than
    /// the scheme's, or a digest of another width than the hash function's; errors: "raise" raises it, with its index; "null" makes the row
    /// null; "column" does so and gives Arrow a struct of result and error.
    ///
    /// Raises ArgumentError, TypeError. Releases the GIL; Ctrl-C stops it.
    fn verify_column(
        keys, signatures, messages: Option<&Bound<'py, PyAny>> = None, *, digests, scheme, hash, mgf_hash, encoding, salt,
        policy, errors, threads, progress
    ) as "(keys, signatures, messages=None, *, digests=None, scheme='dsa', hash=None, mgf_hash=None, encoding='der', \
          salt='any', policy='legacy', errors='raise', threads=None, progress=None)" -> ResultColumn = |py, given| {
        let (errors, ways) = (read_errors(py, given.errors)?, Ways::read(py, &given)?);
        let (source, are_digests) = messages_or_digests("verify_column", messages, given.digests)?;
        let (keys, is_one_key) = verify::keys(keys)?;
        let read = |name: &'static str, object: &Bound<'py, PyAny>| {
            let column = Column::read(Role::bytes(name), object)?;
            match column.kind {
                Kind::Bytes(_) | Kind::Text | Kind::Nulls => Ok(column),
                _ => Err(crate::list::refused(name, "a column of bytes", object)),
            }
        };
        let name = if are_digests { "digests" } else { "messages" };
        let (signatures, messages) = (read("signatures", signatures)?, read(name, source)?);
        let length = common_length(py, [("signatures", &signatures), (name, &messages)])?.unwrap_or(0);
        if !is_one_key && keys.len() != length {
            return Err(errors::bad_argument(py, format!("{length} signatures and {} keys", keys.len())));
        }
        let (keywords, caller) = (given.keywords()?, Caller::new(given.progress(length)?));
        let work = Signatures { keys, is_one_key, signatures, messages, are_digests, ways, length, errors };
        let data = call::run(py, Some(&caller), |watch| work.run(&keywords.options(None), watch))?;
        if length > 0 {
            given.tell_end(length)?;
        }
        Ok(data.into())
    }
}
