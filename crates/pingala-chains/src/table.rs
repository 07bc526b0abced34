//! The table of results: exponents in use, each with the best chain known here, checked in as data.

use crate::{evaluate, read_json};
use pingala::Error;
use pingala::algorithm::Chain;
use pingala::exponent::Exponent;
use serde_json::Value;

/// An exponent of the table.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// A short name, also of the file of its chain.
    pub name: &'static str,
    /// The exponent as an expression.
    pub expression: &'static str,
    /// What it is for.
    pub note: &'static str,
    /// The length that addchain finds, v0.4.0 of 2021, from its results or by a run of it.
    pub addchain: Option<usize>,
    /// The shortest chain known from elsewhere, and whose it is.
    pub elsewhere: Option<(usize, &'static str)>,
    file: &'static str,
}

/// A chain of the table with its source.
#[derive(Clone, Debug)]
pub struct Kept {
    /// The chain, checked.
    pub chain: Chain,
    /// The method that found it.
    pub method: String,
    /// Moves and seed of the search that finds it again.
    pub steps: u64,
    /// Its seed.
    pub seed: u64,
    /// Its time in seconds, on the machine of docs/records/chains.md.
    pub seconds: f64,
}

impl Entry {
    /// The exponent.
    pub fn exponent(&self) -> Result<Exponent, Error> {
        evaluate(self.expression)
    }

    /// The chain. Error: [`Error::BadArgument`] for a file that was damaged.
    pub fn kept(&self) -> Result<Kept, Error> {
        let document: Value = serde_json::from_str(self.file).map_err(|error| Error::BadArgument(error.to_string()))?;
        let whole = |name: &str| document.get(name).and_then(Value::as_u64).unwrap_or(0);
        Ok(Kept {
            chain: read_json(self.file)?,
            method: document.get("method").and_then(Value::as_str).unwrap_or("").to_string(),
            steps: whole("moves"),
            seed: whole("seed"),
            seconds: document.get("seconds").and_then(Value::as_f64).unwrap_or(0.0),
        })
    }
}

/// The best chain of the table for an exponent, if it is in there.
pub fn best(exponent: &Exponent) -> Result<Option<(&'static Entry, Kept)>, Error> {
    for entry in TABLE {
        if entry.exponent()? == *exponent {
            return Ok(Some((entry, entry.kept()?)));
        }
    }
    Ok(None)
}

include!("../data/table.rs");
