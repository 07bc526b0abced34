//! How wide rows are in calls on one handle: as wide as its modulus, or as the options declare.
//!
//! A modulus that was made from a padded buffer says that its caller's rows may be padded as well. Rows of one width read as rows of
//! another are wrong numbers without an error, so that such a handle has no rows until their width is declared.

use crate::fixed_base::PingalaFixedBase;
use crate::fixed_exponent::PingalaFixedPower;
use crate::memory::Unit;
use crate::modulus::PingalaModulus;
use crate::options::PingalaOptions;
use crate::status::bad_argument;
use pingala_core::{Error, Modulus};

/// Bytes of the memory that a modulus with leading zeros was made from; 0 without any.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MadeFrom(pub(crate) usize);

/// A handle whose calls take and give residues: of which modulus, and what that was made from.
pub(crate) trait Residues {
    fn residues(&self) -> (&Modulus, MadeFrom);
}

impl Residues for PingalaModulus {
    fn residues(&self) -> (&Modulus, MadeFrom) {
        (&self.0, self.1)
    }
}

impl Residues for PingalaFixedBase {
    fn residues(&self) -> (&Modulus, MadeFrom) {
        (self.0.modulus(), self.1)
    }
}

impl Residues for PingalaFixedPower {
    fn residues(&self) -> (&Modulus, MadeFrom) {
        (&self.modulus, self.made_from)
    }
}

/// Units of a row that holds a residue. Error: `bad_argument` for a declared width below that of the modulus, and for none if the
/// modulus was padded.
pub(crate) fn width<U: Unit>(handle: &impl Residues, options: Option<&PingalaOptions>) -> Result<usize, Error> {
    let (modulus, made_from) = handle.residues();
    let (least, padded) = (U::width(modulus.value()), made_from.0.div_ceil(size_of::<U>()));
    match options.and_then(|options| options.width) {
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
