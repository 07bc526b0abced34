//! The products of words of an instruction family, if this CPU has it, rings on them, and work that no plan has a form for.

use super::ModulusParts;
use super::form::Form;
use super::montgomery::{Family, Portable};
#[cfg(target_arch = "x86_64")]
use super::mulx::{Mulx, THRESHOLDS};
use super::odd::OddRing;
use super::power_of_two::PowerOfTwoRing;
use super::product::Leaf;
#[cfg(target_arch = "x86_64")]
use super::threshold::Settings;
#[cfg(target_arch = "aarch64")]
use super::umulh::Umulh;
use crate::error::Error;
use alloc::format;

/// The ring of an odd modulus by the basecases of a family, if this CPU has it.
#[inline]
pub(super) fn odd_ring<F: Family<u64>>(
    form: &Form,
    parts: &ModulusParts<'_>,
    family: Option<F>,
) -> Result<OddRing<u64, F>, Error> {
    Ok(OddRing::with_short_factor(parts.odd, parts.short_factor(), form.named_product()?, present(form, family)?))
}

/// The ring of a power of two by the products of a family, if this CPU has it.
pub(super) fn power_of_two_ring<F: Family<u64>>(
    form: &Form,
    parts: &ModulusParts<'_>,
    family: Option<F>,
) -> Result<PowerOfTwoRing<u64, impl Leaf<u64> + use<F>>, Error> {
    Ok(PowerOfTwoRing::with_leaf(parts.trailing_zeros, present(form, family)?.leaf()))
}

/// The basecases that a form asks for. Error: `bad_plan` if this CPU lacks them.
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

/// The rows of mulx with the usual thresholds, if this CPU has them.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(crate) fn usual_mulx() -> Option<Mulx> {
    Mulx::new(Settings::usual(THRESHOLDS))
}

/// Returns from the function with the value of `$work` on these rows of mulx, or on [`usual_mulx`], if there are any; otherwise its value
/// is that of `$work` on the compiler's products. Only for the last expression of a function.
macro_rules! with_leaf {
    ($leaf:ident => $work:expr) => { with_leaf!($crate::kernel::basecases::usual_mulx(), $leaf => $work) };
    ($mulx:expr, $leaf:ident => $work:expr) => {{
        #[cfg(target_arch = "x86_64")]
        if let Some($leaf) = $mulx {
            return $work;
        }
        let $leaf = $crate::kernel::product::comba::Comba($crate::kernel::montgomery::LEAF);
        $work
    }};
}
pub(crate) use with_leaf;

/// Whether [`with_leaf`] computes by rows of mulx here.
#[inline]
pub(crate) fn best_leaf_is_in_assembly() -> bool {
    #[cfg(target_arch = "x86_64")]
    return usual_mulx().is_some();
    #[cfg(not(target_arch = "x86_64"))]
    false
}
