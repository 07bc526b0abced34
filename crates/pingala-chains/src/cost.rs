//! What is minimised: the length, or a price of squarings and products.

use crate::shape::{Shape, shape};
use pingala_core::algorithm::Chain;
use pingala_core::plan::{Plan, Planner};
use pingala_core::{Error, Integer, Modulus, Natural, Options};

/// Prices of the steps, and the most registers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CostModel {
    /// Of a squaring.
    pub squaring: f64,
    /// Of a product.
    pub product: f64,
    /// The most registers; `None` for any number.
    pub most_registers: Option<usize>,
}

impl CostModel {
    /// Each step costs 1.
    pub const LENGTH: Self = Self { squaring: 1.0, product: 1.0, most_registers: None };

    /// The prices of this machine, in nanoseconds, on a kernel modulo odd numbers of `modulus_bits` bits.
    ///
    /// # Errors
    /// [`Error::BadPlan`] for a kernel that this CPU or the length does not allow.
    pub fn of_kernel(kernel: &str, modulus_bits: u64) -> Result<Self, Error> {
        if !(2..=1 << 24).contains(&modulus_bits) {
            return Err(Error::BadArgument(format!("a modulus has 2 to 2^24 bits, not {modulus_bits}")));
        }
        let mut limbs = vec![u64::MAX; modulus_bits.div_ceil(64) as usize];
        if let Some(top) = limbs.last_mut() {
            *top >>= (64 - modulus_bits % 64) % 64;
        }
        let modulus = Modulus::new(Natural::from_limbs(&limbs))?;
        let base = Integer::from(modulus.value().clone());
        let options = Options::default().with_kernel(Some(kernel));
        let plan = modulus.plan(&base, &Integer::from(u64::MAX), &options)?;
        let price = match &plan {
            Plan::Run { form, .. } => Planner::of_this_machine().prices().of(form),
            _ => None,
        };
        let no_price = || Error::BadPlan(format!("{kernel} has no price for {modulus_bits} bits"));
        let price = price.ok_or_else(no_price)?;
        Ok(Self { squaring: price.sqr, product: price.mul, ..Self::LENGTH })
    }

    /// The price; `None` for a chain that takes too many registers.
    pub fn price(&self, chain: &Chain) -> Option<f64> {
        let Shape { squarings, products, registers, .. } = shape(chain);
        if self.most_registers.is_some_and(|most| registers > most) {
            return None;
        }
        Some(self.squaring * squarings as f64 + self.product * products as f64)
    }
}
