//! Where an algorithm meets a kernel.
use crate::api::Options;
use crate::error::Error;
use crate::natural::{Integer, Natural, chores};
/// Stands in until the engine lands.
pub(crate) fn temporary(base: &Integer, exponent: &Integer, m: &Natural, _options: &Options<'_>) -> Result<Natural, Error> {
    let mut b = chores::reduce(base, m);
    if exponent.is_negative() {
        b = chores::inverse(&b, m).ok_or(Error::NotInvertible)?;
    }
    let mut r = chores::div_rem(&Natural::from(1u64), m).1;
    for i in (0..exponent.magnitude().bits()).rev() {
        r = chores::mul_mod(&r, &r, m);
        if exponent.magnitude().bit(i) {
            r = chores::mul_mod(&r, &b, m);
        }
    }
    Ok(r)
}
