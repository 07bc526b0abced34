//! What primes are asked for.

use pingala_core::{Error, Natural};
use std::fmt;

/// A generator of random bytes: fills all of what it gets. Threads call it at the same time.
pub type RandomSource<'a> = &'a (dyn Fn(&mut [u8]) -> Result<(), Error> + Sync);

/// Conditions on a random prime. `PrimeOptions::default()` asks for any prime of the length; each `with_` method changes one condition.
///
/// ```
/// use pingala_primes::PrimeOptions;
/// let (one, eight) = (1u64.into(), 8u64.into());
/// let options = PrimeOptions::default().with_residue(Some((&one, &eight))).with_top_bits(2);
/// ```
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct PrimeOptions<'a> {
    pub(crate) safe: bool,
    pub(crate) residue: Option<(&'a Natural, &'a Natural)>,
    pub(crate) top_bits: u32,
    pub(crate) uniform: bool,
    pub(crate) proof: bool,
    pub(crate) rounds: Option<u32>,
    pub(crate) source: Option<RandomSource<'a>>,
}

impl Default for PrimeOptions<'_> {
    fn default() -> Self {
        Self { safe: false, residue: None, top_bits: 1, uniform: false, proof: false, rounds: None, source: None }
    }
}

impl<'a> PrimeOptions<'a> {
    /// Whether (p - 1) / 2 has to be prime too; default no.
    pub fn with_safe(self, safe: bool) -> Self {
        Self { safe, ..self }
    }

    /// (r, q) for p = r modulo q; r need not be below q.
    pub fn with_residue(self, residue: Option<(&'a Natural, &'a Natural)>) -> Self {
        Self { residue, ..self }
    }

    /// How many of the highest bits are set, 1 (default) or 2. The product of two primes with 2 has twice their length.
    pub fn with_top_bits(self, top_bits: u32) -> Self {
        Self { top_bits, ..self }
    }

    /// Whether each prime that fits has the same probability: each candidate is then drawn afresh. Default no.
    pub fn with_uniform(self, uniform: bool) -> Self {
        Self { uniform, ..self }
    }

    /// Whether the prime comes with a certificate that proves it; default no.
    pub fn with_proof(self, proof: bool) -> Self {
        Self { proof, ..self }
    }

    /// Rounds of Miller and Rabin's test with random bases. Default: 1 after the test of Baillie and PSW; for secret primes, which have no
    /// other test, [`secret_rounds`](crate::secret_rounds).
    pub fn with_rounds(self, rounds: Option<u32>) -> Self {
        Self { rounds, ..self }
    }

    /// Where candidates and bases of the search come from; default the system's generator. (Bases of the tests always come from the system.)
    pub fn with_source(self, source: Option<RandomSource<'a>>) -> Self {
        Self { source, ..self }
    }

    /// Fills bytes with random bits. Error: `fault` if the system has none.
    pub(crate) fn fill(&self, bytes: &mut [u8]) -> Result<(), Error> {
        match self.source {
            Some(source) => source(bytes),
            None => getrandom::fill(bytes).map_err(|_| Error::Fault("the system gave no random numbers")),
        }
    }
}

impl fmt::Debug for PrimeOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { safe, residue, top_bits, uniform, proof, rounds, .. } = self;
        write!(f, "PrimeOptions {{ safe: {safe}, residue: {residue:?}, top_bits: {top_bits}, uniform: {uniform}, ")?;
        write!(f, "proof: {proof}, rounds: {rounds:?} }}")
    }
}
