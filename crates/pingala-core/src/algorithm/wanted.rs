//! Shared by all catalogues: rows by name, and names whose parameter is still open.

use super::{Algorithm, ExpectedCost, Named, Parameter, Schedule};
use crate::error::Error;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

/// An enum of algorithms of one kind, with a row for each.
pub trait Catalogued: Clone + fmt::Debug + fmt::Display + Sized + 'static {
    /// All that an expectation knows of the work.
    type Shape: fmt::Debug + 'static;

    /// The rows, in the order of the sources.
    fn entries() -> &'static [CatalogueEntry<Self>];
    /// Expected operations, in (nearly) constant time.
    fn expected(&self, shape: &Self::Shape) -> ExpectedCost;
}

/// One row of a catalogue: an algorithm by its name, without its parameter. The default type is the catalogue of powers.
#[derive(Debug)]
pub struct CatalogueEntry<A: Catalogued = Algorithm> {
    /// The name in plans.
    pub name: &'static str,
    /// How the parameter is written behind the name; empty if there is none.
    pub form: &'static str,
    /// Its origin, with keys into docs/references.bib.
    pub source: &'static str,
    /// One sentence on what it does.
    pub summary: &'static str,
    /// What its sequence of operations depends on.
    pub schedule: Schedule,
    read: fn(Option<&str>) -> Option<A>,
    candidates: fn(&A::Shape) -> Vec<A>,
    all: fn(u32) -> Vec<A>,
}

impl<A: Catalogued> CatalogueEntry<A> {
    /// The row of a program, with its instances worth pricing.
    pub(super) const fn of<P: Named>(candidates: fn(&A::Shape) -> Vec<A>) -> Self
    where
        A: From<P>,
    {
        Self {
            name: P::NAME,
            form: P::Parameter::FORM,
            source: P::SOURCE,
            summary: P::SUMMARY,
            schedule: P::SCHEDULE,
            read: |text| P::Parameter::read(text).map(|parameter| P::with(parameter).into()),
            candidates,
            all: |max_window_bits| P::all(max_window_bits).into_iter().map(A::from).collect(),
        }
    }

    /// The row of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        A::entries().iter().find(|entry| entry.name == name)
    }

    /// The instances worth pricing for this shape; none for addition chains.
    pub fn candidates(&self, shape: &A::Shape) -> Vec<A> {
        (self.candidates)(shape)
    }

    /// Every instance with windows up to `max_window_bits`; none if they cannot be listed.
    pub fn all(&self, max_window_bits: u32) -> Vec<A> {
        (self.all)(max_window_bits)
    }

    /// The instance with the fewest expected products for this shape, the smaller window on a tie; `None` for addition
    /// chains.
    pub fn fill(&self, shape: &A::Shape) -> Option<A> {
        let products = |algorithm: &A| algorithm.expected(shape).products();
        self.candidates(shape).into_iter().min_by(|a, b| products(a).total_cmp(&products(b)))
    }
}

/// An algorithm as a caller asks for it, one of powers unless it says otherwise: complete, or by its bare name, to be filled in when the exponent is known.
#[derive(Clone, Debug)]
pub enum Wanted<A: Catalogued = Algorithm> {
    /// With its parameter, or without need of one.
    Exactly(A),
    /// Only the name of an algorithm that takes a parameter.
    Named(&'static CatalogueEntry<A>),
}

impl<A: Catalogued> Wanted<A> {
    /// What may be meant: the algorithm, or its instances worth pricing for this shape if the parameter was left open.
    pub(crate) fn candidates(&self, shape: &A::Shape) -> Vec<A> {
        match self {
            Wanted::Exactly(algorithm) => vec![algorithm.clone()],
            Wanted::Named(entry) => entry.candidates(shape),
        }
    }

    /// The algorithm, with the parameter of the fewest expected products if it was left open.
    pub fn fill(&self, shape: &A::Shape) -> Option<A> {
        match self {
            Wanted::Exactly(algorithm) => Some(algorithm.clone()),
            Wanted::Named(entry) => entry.fill(shape),
        }
    }

    /// The algorithm, if nothing was left open.
    pub(crate) fn complete(self, text: &str) -> Result<A, Error> {
        match self {
            Wanted::Exactly(algorithm) => Ok(algorithm),
            Wanted::Named(entry) => {
                Err(Error::BadPlan(format!("`{}` needs its parameter: {}{}", text.trim(), entry.name, entry.form)))
            }
        }
    }
}

impl<A: Catalogued> fmt::Display for Wanted<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wanted::Exactly(algorithm) => fmt::Display::fmt(algorithm, f),
            Wanted::Named(entry) => f.write_str(entry.name),
        }
    }
}

impl<A: Catalogued> FromStr for Wanted<A> {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let text = text.trim();
        let (name, parameter) = match text.split_once('(') {
            None => (text, None),
            Some((name, rest)) => match rest.strip_suffix(')') {
                Some(parameter) => (name, Some(parameter)),
                None => return Err(Error::BadPlan(format!("`{text}` lacks its closing parenthesis"))),
            },
        };
        let Some(entry) = CatalogueEntry::<A>::named(name.trim_end()) else {
            let names: Vec<_> = A::entries().iter().map(|entry| entry.name).collect();
            return Err(Error::BadPlan(format!("no algorithm `{name}`; there are {}", names.join(", "))));
        };
        match (entry.read)(parameter) {
            Some(algorithm) => Ok(Wanted::Exactly(algorithm)),
            // A chain cannot be filled in from a length.
            None if parameter.is_none() && !entry.all(1).is_empty() => Ok(Wanted::Named(entry)),
            None => Err(Error::BadPlan(format!("`{text}` should read {}{}", entry.name, entry.form))),
        }
    }
}
