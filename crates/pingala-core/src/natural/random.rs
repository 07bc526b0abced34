//! Random numbers from the system.

use crate::error::Error;

/// Fills limbs with bits of the system's generator. Error: `fault` if it has none.
pub(crate) fn fill(limbs: &mut [u64]) -> Result<(), Error> {
    for limb in limbs {
        *limb = getrandom::u64().map_err(|_| Error::Fault("the system gave no random numbers"))?;
    }
    Ok(())
}
