//! Signatures in columns.

use super::arrow::Block;
use super::result::{Data, ResultColumn, Values, set};
use super::source::{Column, Kind, Role};
use super::{Errors, blocks, common_length, grow, read_errors};
use crate::errors;
use crate::verify::{self, Ways, messages_or_digests};
use pingala_core::{Error, Options, Watch, pairs};
use pingala_verify::{Check, PublicKey, Signature, verify_list};
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
    fn run(&self, options: &Options<'_>) -> Result<Data, Error> {
        let (mut truths, watch) = (Vec::new(), options.watch());
        grow(&mut truths, self.length.div_ceil(8))?;
        let mut out = Data::of(Values::Truths(Vec::new()), self.length, false)?;
        let (mut signatures, mut messages) = (Block::default(), Block::default());
        for rows in blocks(self.length) {
            self.signatures.copy(rows.clone(), &mut signatures)?;
            self.messages.copy(rows.clone(), &mut messages)?;
            let absent: Vec<bool> =
                signatures.nulls.iter().zip(&messages.nulls).map(|(one, other)| one | other).collect();
            let present: Vec<usize> = (0..rows.len()).filter(|row| !absent[*row]).collect();
            let check = |&row: &usize| Check {
                key: &self.keys[if self.is_one_key { 0 } else { rows.start + row }],
                scheme: self.ways.scheme,
                message: self.ways.message(messages.row(row), self.are_digests),
                signature: Signature::Bytes(signatures.row(row), self.ways.encoding),
            };
            let checks: Vec<Check<'_>> = present.iter().map(check).collect();
            let quiet = watch.map(Quiet);
            let options = options.with_watch(quiet.as_ref().map(|watch| watch as &dyn Watch));
            let verdicts = verify_list(&checks, self.ways.policy, &options)?;
            watch.inspect(|watch| watch.progress(rows.end, self.length));
            let (mut failed, mut reasons) = (Vec::new(), Vec::new());
            for (row, verdict) in pairs(present, verdicts)? {
                match verdict.map(|verdict| verdict.reason()) {
                    Ok(None) => set(&mut truths, rows.start + row),
                    Ok(Some(reason)) => reasons.push((rows.start + row, reason.code().into())),
                    Err(error) => failed.push((row, error)),
                }
            }
            out.settle(rows.start, &absent, &failed, self.errors)?;
            out.failed.extend(reasons);
        }
        out.failed.sort_by_key(|(row, _)| *row);
        out.values = Values::Truths(truths);
        Ok(out.finished(self.errors))
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
        let work = Signatures { keys, is_one_key, signatures, messages, are_digests, ways, length, errors };
        Ok(given.run(py, length, |options| work.run(options))?.into())
    }
}
