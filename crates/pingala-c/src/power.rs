//! One power, one inverse.

use crate::length::{Cap, admit};
use crate::memory::{In, Out, Text, Unit, check_signs, given};
use crate::modulus::PingalaModulus;
use crate::options::{PingalaOptions, at_once_under};
use crate::status::enter;
use crate::width::Residues;
use crate::{PINGALA_NEGATIVE_BASE, PINGALA_NEGATIVE_EXPONENT};
use pingala_core::{Integer, powmod_with};

/// Both flags.
pub(crate) const BOTH: u32 = PINGALA_NEGATIVE_BASE | PINGALA_NEGATIVE_EXPONENT;

entry! {
    /// out = base^exponent mod modulus. `signs` makes base and exponent negative by PINGALA_NEGATIVE_BASE and PINGALA_NEGATIVE_EXPONENT.
    /// `out` must be as long as the modulus without its leading zeros, or longer. Errors: PINGALA_ZERO_MODULUS,
    /// PINGALA_NOT_INVERTIBLE, PINGALA_TOO_LONG; with options PINGALA_BAD_PLAN, PINGALA_INTERRUPTED.
    pingala_powmod_be, pingala_powmod_limbs(
        out[out_len]: Out, base[base_len]: In, exponent[exponent_len]: In, modulus[modulus_len]: In, signs: flags BOTH, options
    ) {
        // Each number is made in its final place: in short calls moves are measurable.
        let (base, exponent, modulus) = (base.units()?, exponent.units()?, modulus.units()?);
        admit(base, || Cap::NONE)?;
        admit(exponent, || Cap::exponent(options))?;
        admit(modulus, || Cap::modulus(options))?;
        let modulus = U::natural(modulus);
        out.check(&modulus)?;
        let base = Integer::new(signs & PINGALA_NEGATIVE_BASE != 0, U::natural(base));
        let exponent = Integer::new(signs & PINGALA_NEGATIVE_EXPONENT != 0, U::natural(exponent));
        out.write(&at_once_under(options, |options| powmod_with(&base, &exponent, &modulus, options))?)
    }
}

entry! {
    /// out = base^exponent modulo a handle. `out` must be as long as the modulus, or longer. Errors as pingala_powmod_be.
    pingala_modulus_pow_be, pingala_modulus_pow_limbs(
        modulus: &PingalaModulus, out[out_len]: Out(modulus), base[base_len]: In, exponent[exponent_len]: In,
        signs: flags BOTH, options
    ) {
        let (base, exponent) = (base.units()?, exponent.units()?);
        admit(base, || Cap::NONE)?;
        admit(exponent, || Cap::exponent(options))?;
        let base = Integer::new(signs & PINGALA_NEGATIVE_BASE != 0, U::natural(base));
        let exponent = Integer::new(signs & PINGALA_NEGATIVE_EXPONENT != 0, U::natural(exponent));
        out.write(&at_once_under(options, |options| modulus.0.pow_with(&base, &exponent, options))?)
    }
}

entry! {
    /// out = value^-1 modulo a handle; the flag is PINGALA_NEGATIVE_BASE. Error: PINGALA_NOT_INVERTIBLE.
    pingala_modulus_invert_be, pingala_modulus_invert_limbs(
        modulus: &PingalaModulus, out[out_len]: Out(modulus), value[value_len]: In, signs: flags PINGALA_NEGATIVE_BASE
    ) {
        out.write(&modulus.0.invert(&value.integer(signs != 0, Cap::NONE)?)?)
    }
}
