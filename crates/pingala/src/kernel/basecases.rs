//! The products of words that an instruction family has, where this CPU has it, and rings on them.

use super::ModulusParts;
use super::form::Form;
use super::montgomery::{Family, Portable};
#[cfg(target_arch = "x86_64")]
use super::mulx::Mulx;
use super::odd::OddRing;
#[cfg(target_arch = "aarch64")]
use super::umulh::Umulh;
use crate::error::Error;

/// The ring of an odd modulus by the basecases of a family, if this CPU has it.
#[inline]
pub(super) fn odd_ring<F: Family<u64>>(
    form: &Form,
    parts: &ModulusParts<'_>,
    family: Option<F>,
) -> Result<OddRing<u64, F>, Error> {
    Ok(OddRing::with_short_factor(parts.odd, parts.short_factor(), form.named_product()?, present(form, family)?))
}

/// The basecases that a form asks for. Error: `bad_plan` where this CPU lacks them.
fn present<F>(form: &Form, family: Option<F>) -> Result<F, Error> {
    family.ok_or_else(|| Error::BadPlan(format!("this CPU cannot run {form}")))
}

#[cfg(target_arch = "x86_64")]
pub(super) fn mulx(form: &Form) -> Option<Mulx> {
    Mulx::new(form.settings)
}

#[cfg(not(target_arch = "x86_64"))]
pub(super) fn mulx(_: &Form) -> Option<Portable> {
    None
}

#[cfg(target_arch = "aarch64")]
pub(super) fn umulh(form: &Form) -> Option<Umulh> {
    Umulh::new(form.settings)
}

#[cfg(not(target_arch = "aarch64"))]
pub(super) fn umulh(_: &Form) -> Option<Portable> {
    None
}
