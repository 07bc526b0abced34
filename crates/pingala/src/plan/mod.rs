//! Problem, Plan, planner, prices of this machine.
use core::fmt;
/// A plan: prints as one nested line, and the line parses back.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan(String);
impl fmt::Display for Plan { fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.write_str(&self.0) } }
impl core::str::FromStr for Plan { type Err = crate::Error; fn from_str(s: &str) -> Result<Self, Self::Err> { Ok(Plan(s.into())) } }
/// The plan chosen and the candidates it was chosen from; `Display` prints a table.
#[derive(Clone, Debug)]
pub struct Explanation { /// The cheapest.
    pub plan: Plan, /// All that were priced, cheapest first.
    pub candidates: Vec<Candidate> }
/// One priced candidate.
#[derive(Clone, Debug)]
pub struct Candidate { /// The line.
    pub plan: Plan, /// Expected squarings.
    pub squarings: f64, /// Expected multiplications.
    pub multiplications: f64, /// Expected seconds of the whole call, set-up included.
    pub seconds: f64 }
impl fmt::Display for Explanation { fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { writeln!(f, "{}", self.plan) } }
/// A problem by sizes alone: the odd part and trailing zeros of the modulus, the exponent.
#[derive(Clone, Debug)]
pub struct Problem { /// Bits of the modulus.
    pub modulus_bits: u64, /// Trailing zeros of the modulus.
    pub trailing_zeros: u64, /// Bits of the exponent.
    pub exponent_bits: u64, /// Whether exponent and base are secret.
    pub secret: bool, /// Bits of the base where it is short (at most 32), otherwise None.
    pub short_base_bits: Option<u32>, /// How many powers of this shape.
    pub count: u64 }
/// Explains a problem given by sizes.
pub fn explain(_problem: &Problem) -> Result<Explanation, crate::Error> { Err(crate::Error::BadPlan("temporary".into())) }
