//! Powers modulo a number whose factors are known.

use super::{Options, positive_power};
use crate::error::Error;
use crate::execute::prepared::Prepared;
use crate::execute::pulse::Pulse;
use crate::exponent::Exponent;
use crate::modulus::{Factor, Facts, prime};
use crate::natural::Natural;
use crate::plan::FactorShape;

/// What the planner sees of a factor.
pub(super) fn shape(factor: &Factor) -> FactorShape {
    FactorShape {
        bits: factor.power().bits(),
        trailing_zeros: factor.power().trailing_zeros(),
        reduced_exponent_bits: factor.reduced_bits(),
    }
}

/// Finds out which factors are prime, where an exponent of so many bits gains by it. Error: `interrupted`.
pub(super) fn learn(modulus: &Prepared, exponent_bits: u64, pulse: &Pulse<'_>) -> Result<(), Error> {
    modulus.facts().factors().iter().try_for_each(|factor| {
        factor.learn(exponent_bits, |base| {
            let base = Prepared::new(Facts::new(base.clone()));
            prime::is_prime(base.facts().value(), |witness, exponent| {
                let exponent = Exponent::new(exponent.clone()).ok_or(Error::Fault("n - 1 has an odd part"))?;
                positive_power(&base, witness, &exponent, &Options::default(), pulse)
            })
        })
    })
}

/// The power modulo each factor by the cheapest plan of that part, recombined: what the plan `crt(...)` says, without the
/// tree.
pub(super) fn power(
    modulus: &Prepared,
    base: &Natural,
    exponent: &Exponent,
    options: &Options<'_>,
    pulse: &Pulse<'_>,
) -> Result<Natural, Error> {
    let parts = modulus.parts().iter().zip(modulus.facts().factors());
    let residues = parts.map(|(part, factor)| {
        let reduced = factor.reduce_exponent(exponent.magnitude());
        match Exponent::new(reduced.into_owned()) {
            Some(reduced) => positive_power(part, base, &reduced, options, pulse),
            None => Ok(Natural::from(1u64)),
        }
    });
    Ok(modulus.facts().recombine(&residues.collect::<Result<Vec<_>, _>>()?))
}
