//! An exponent that is known in advance: its chain, searched once, kept, and run modulo any number.

use crate::search::Search;
use crate::text::{read_json, write_json};
use core::fmt;
use pingala_core::algorithm::{AdditionChain, Algorithm, Chain, Cost, Counts};
use pingala_core::exponent::Exponent;
use pingala_core::files::{Replacement, open_ordinary, read_to_cap};
use pingala_core::plan::{Plan, Planner};
use pingala_core::{Error, Integer, Modulus, Options, PlannedPower};
use std::io::Write;
use std::path::Path;

/// The longest file that is read as a chain.
const MAX_FILE_BYTES: u64 = 1 << 24;

/// A fixed exponent with its chain.
///
/// ```
/// use pingala::{Integer, Modulus};
/// use pingala_chains::{FixedExponent, evaluate};
/// let inverse = FixedExponent::search(&evaluate("2^61-3")?, 100_000, 1)?;
/// let modulus = Modulus::new("2305843009213693951".parse()?)?;
/// let power = inverse.modulo(&modulus)?;
/// assert_eq!(power.pow(&Integer::from(2u64))?.to_string(), "1152921504606846976");
/// # Ok::<(), pingala::Error>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct FixedExponent {
    chain: Chain,
}

/// Its length and the number of steps, without the steps.
impl fmt::Debug for FixedExponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<FixedExponent of {} bits, {} steps>", self.chain.target().bits(), self.chain.length())
    }
}

impl FixedExponent {
    /// The best chain of a search with `steps` moves: [`Search`].
    pub fn search(exponent: &Exponent, steps: u64, seed: u64) -> Result<Self, Error> {
        Ok(Self { chain: Search { steps, seed, ..Search::new(exponent) }.run()?.chain })
    }

    /// With a chain that was found before.
    pub fn new(chain: Chain) -> Self {
        Self { chain }
    }

    /// The chain.
    pub fn chain(&self) -> &Chain {
        &self.chain
    }

    /// The exponent.
    pub fn exponent(&self) -> &Exponent {
        self.chain.target()
    }

    /// Writes the chain to a file, JSON, which is there as a whole or not at all. It replaces a file of that name.
    pub fn save(&self, path: &Path) -> Result<(), Error> {
        let mut file = Replacement::create(path, true)?;
        file.write_all(write_json(&self.chain).as_bytes()).map_err(|error| bad_file(path, &error))?;
        file.finish()
    }

    /// Reads what [`FixedExponent::save`] wrote. No seal is needed: steps that do not lead to the exponent are an error, so that a
    /// file with any damage to either is refused.
    ///
    /// # Errors
    /// [`Error::BadFile`] says what is wrong.
    pub fn load(path: &Path) -> Result<Self, Error> {
        let bytes = open_ordinary(path).and_then(|file| read_to_cap(file, MAX_FILE_BYTES));
        let bytes = bytes.map_err(|error| bad_file(path, &error))?;
        let text = std::str::from_utf8(&bytes).map_err(|_| bad_file(path, &"it is not UTF-8 text"))?;
        read_json(text).map(Self::new).map_err(|error| bad_file(path, &error))
    }

    /// The powers modulo one number, planned once: [`PlannedPower::pow`], [`PlannedPower::pow_list`].
    pub fn modulo(&self, modulus: &Modulus) -> Result<PlannedPower, Error> {
        let algorithm = Algorithm::from(AdditionChain::new(self.chain.clone()));
        PlannedPower::new(modulus, self.exponent(), &algorithm)
    }

    /// What the chain saves modulo this number against the planner's choice for one call.
    pub fn explain(&self, modulus: &Modulus) -> Result<Saving, Error> {
        let base = Integer::from(modulus.value().clone());
        let exponent = Integer::from(self.exponent().magnitude().clone());
        let usual = modulus.plan(&base, &exponent, &Options::default())?;
        let ours = self.modulo(modulus)?;
        let of = |plan: &Plan| match plan {
            Plan::Run { algorithm, form } => {
                let counts = algorithm.exact(self.exponent());
                let price = Planner::of_this_machine().prices().of(form);
                (counts, price.map_or(0.0, |price| nanoseconds(&counts, price.sqr, price.mul)))
            }
            _ => (Counts::default(), 0.0),
        };
        let ((counts, ns), (usual_counts, usual_ns)) = (of(ours.plan()), of(&usual));
        Ok(Saving {
            products: counts.products(),
            usual_products: usual_counts.products(),
            usual: usual.to_string(),
            saved_ns: usual_ns - ns,
            share: if usual_ns > 0.0 { 1.0 - ns / usual_ns } else { 0.0 },
        })
    }
}

fn nanoseconds(counts: &Counts, sqr: f64, mul: f64) -> f64 {
    let Cost { squarings, multiplications, base_multiplications, .. } = *counts;
    squarings as f64 * sqr + (multiplications + base_multiplications) as f64 * mul
}

fn bad_file(path: &Path, reason: &dyn fmt::Display) -> Error {
    Error::BadFile { path: path.display().to_string(), reason: reason.to_string() }
}

/// What a chain saves.
#[derive(Clone, Debug, PartialEq)]
pub struct Saving {
    /// Products of the chain, squarings included.
    pub products: usize,
    /// Products of the planner's choice; 0 for a plan of several parts.
    pub usual_products: usize,
    /// The planner's choice.
    pub usual: String,
    /// What one power saves, by the prices of this machine.
    pub saved_ns: f64,
    /// This saving as a share.
    pub share: f64,
}

impl Saving {
    /// The number of powers after which a search of `search_seconds` has paid; `None` if it never does.
    pub fn pays_after(&self, search_seconds: f64) -> Option<u64> {
        (self.saved_ns > 0.0).then(|| (search_seconds * 1e9 / self.saved_ns).ceil() as u64)
    }
}

impl fmt::Display for Saving {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { products, usual_products, usual, saved_ns, share } = self;
        write!(
            f,
            "{products} products instead of the {usual_products} of {usual}: {:.1}% or {saved_ns:.0} ns a power.",
            100.0 * share
        )?;
        match self.pays_after(60.0) {
            Some(powers) => write!(f, " A search of one minute pays after {powers} powers."),
            None => write!(f, " It does not pay."),
        }
    }
}
