//! throwaway
use crate::error::Error;
use core::fmt;
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Product {
    #[default]
    Cios,
}
impl Product {
    pub const ALL: &'static [Product] = &[Product::Cios];
    pub fn padded_words(self, n: usize) -> usize {
        n
    }
}
impl fmt::Display for Product {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("cios")
    }
}
impl core::str::FromStr for Product {
    type Err = Error;
    fn from_str(s: &str) -> Result<Self, Error> {
        if s == "cios" { Ok(Product::Cios) } else { Err(Error::BadPlan("product".into())) }
    }
}
