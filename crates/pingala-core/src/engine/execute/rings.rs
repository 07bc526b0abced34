//! The rings of one modulus: prepared for one call, or kept.

use crate::error::Error;
use crate::kernel::registry::{Form, Residence};
use crate::kernel::{ModulusParts, Ring, SharedRing};
use std::sync::RwLock;

/// Most bytes of constants that one modulus keeps, or [`KEPT_TIMES`] its own bytes if that is more; the constants of a form beyond that
/// are computed again in each call. The transforms of one length take about 25 times the bytes of the modulus.
const KEPT_BYTES: usize = 1 << 20;
const KEPT_TIMES: usize = 48;

/// The rings of one modulus, as many as fit. They are not shared, so the constants of a secret factor are dropped with it.
#[derive(Debug, Default)]
pub(crate) struct Rings(pub(super) RwLock<Vec<(Form, SharedRing)>>);

impl Rings {
    /// Returns the ring of the form's kernel.
    ///
    /// It never waits for the lock: after a fork a copied lock is never released. A caller that finds it held prepares a ring of its
    /// own.
    pub(crate) fn ring(&self, form: &Form, parts: &ModulusParts<'_>) -> Result<SharedRing, Error> {
        let of_form =
            |rings: &Vec<(Form, SharedRing)>| rings.iter().find(|(kept, _)| kept == form).map(|(_, ring)| ring.clone());
        if let Some(ring) = self.0.try_read().ok().and_then(|rings| of_form(&rings)) {
            return Ok(ring);
        }
        let ring = prepare(form, parts)?;
        let Ok(mut rings) = self.0.try_write() else { return Ok(ring) };
        // Another thread may have added it meanwhile.
        if let Some(ring) = of_form(&rings) {
            return Ok(ring);
        }
        let bytes: usize = rings.iter().map(|(_, ring)| ring.bytes()).sum();
        if bytes + ring.bytes() <= KEPT_BYTES.max(KEPT_TIMES * size_of_val(parts.odd)) {
            rings.push((*form, ring.clone()));
        }
        Ok(ring)
    }
}

/// Prepares a ring that is not kept.
pub(crate) fn prepare(form: &Form, parts: &ModulusParts<'_>) -> Result<SharedRing, Error> {
    match form.kernel.residence() {
        Residence::Arena { prepare, .. } => prepare(form, parts),
        Residence::Registers(rings) => Ok(rings.shared(parts.odd, parts.trailing_zeros, form.n)),
        _ => Err(Error::BadPlan(format!("{form} computes several numbers side by side"))),
    }
}

/// Calls `work` with a ring that is not kept, on the stack if it fits.
pub(crate) fn with_new_ring<T>(
    form: &Form,
    parts: &ModulusParts<'_>,
    work: impl FnOnce(&dyn Ring<u64>) -> Result<T, Error>,
) -> Result<T, Error> {
    let Residence::Arena { with_stack_ring: Some(with_stack_ring), .. } = form.kernel.residence() else {
        return work(&*prepare(form, parts)?);
    };
    let (mut work, mut done) = (Some(work), Err(Error::Interrupted));
    with_stack_ring(form, parts, &mut |ring| {
        if let Some(work) = work.take() {
            done = work(ring);
        }
    })?;
    done
}
