//! How wide rows are in calls on one handle: as wide as its modulus, or as the options declare.
//!
//! A modulus that was made from a padded buffer says that its caller's rows may be padded as well. Rows of one width read as rows of
//! another are wrong numbers without an error, so that such a handle has no rows until their width is declared.

use crate::fixed_base::PingalaFixedBase;
use crate::fixed_exponent::PingalaFixedPower;
use crate::memory::{Unit, given};
use crate::modulus::PingalaModulus;
use crate::options::PingalaOptions;
use crate::status::bad_argument;
use pingala::{Error, Modulus};

/// Bytes of the memory that a modulus with leading zeros was made from; 0 without any.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MadeFrom(pub(crate) usize);

/// A handle whose calls take and give rows of residues.
pub(crate) trait Residues {
    const NAME: &'static str;
    fn modulus(&self) -> &Modulus;
    fn made_from(&self) -> MadeFrom;
}

impl Residues for PingalaModulus {
    const NAME: &'static str = "modulus";

    fn modulus(&self) -> &Modulus {
        &self.0
    }

    fn made_from(&self) -> MadeFrom {
        self.1
    }
}

impl Residues for PingalaFixedBase {
    const NAME: &'static str = "fixed";

    fn modulus(&self) -> &Modulus {
        self.0.modulus()
    }

    fn made_from(&self) -> MadeFrom {
        self.1
    }
}

impl Residues for PingalaFixedPower {
    const NAME: &'static str = "power";

    fn modulus(&self) -> &Modulus {
        &self.modulus
    }

    fn made_from(&self) -> MadeFrom {
        self.made_from
    }
}

/// Units of a row that holds a residue. Error: `bad_argument` for a declared width below that of the modulus, and for none if the
/// modulus was padded.
fn checked<U: Unit>(handle: &impl Residues, options: Option<&PingalaOptions>) -> Result<usize, Error> {
    let least = U::width(handle.modulus().value());
    let padded = handle.made_from().0.div_ceil(size_of::<U>());
    match options.and_then(PingalaOptions::width) {
        Some(width) if width < least => {
            Err(bad_argument(format!("rows of {width} units are declared; the modulus takes {least}")))
        }
        Some(width) => Ok(width),
        None if padded > least => Err(bad_argument(format!(
            "the modulus takes {least} units and was made from {padded}, so that the width of rows is not known: declare it by \
             pingala_options_set_width"
        ))),
        None => Ok(least),
    }
}

/// Units of a row that holds a residue; 0 if [`rows_of`] has an error.
pub(crate) fn width<U: Unit>(handle: Option<&impl Residues>, options: Option<&PingalaOptions>) -> usize {
    handle.and_then(|handle| checked::<U>(handle, options).ok()).unwrap_or(0)
}

/// The handle, for a call whose rows have the width [`width`]. Error: `bad_argument` for NULL and for a width that is wrong or not known.
pub(crate) fn rows_of<'a, U: Unit, H: Residues>(
    handle: Option<&'a H>,
    options: Option<&PingalaOptions>,
) -> Result<&'a H, Error> {
    let handle = given(handle, H::NAME)?;
    checked::<U>(handle, options)?;
    Ok(handle)
}
