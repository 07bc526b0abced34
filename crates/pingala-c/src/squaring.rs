//! Repeated squaring.

use crate::PINGALA_NEGATIVE_BASE;
use crate::length::Cap;
use crate::memory::{In, Name, Out, Text, check_signs, given};
use crate::modulus::PingalaModulus;
use crate::options::{PingalaOptions, under};
use crate::status::enter;
use crate::width::Residues;
use core::time::Duration;
use pingala::RepeatedSquare;

entry! {
    /// out = base^(2^squarings) modulo a handle, by successive squarings. `checkpoint` is the path of a file for the state, or
    /// NULL: the call writes it at the start, after every `every_milliseconds`, when it is stopped, and at the end; if it exists, the
    /// call resumes from it. The file is always replaced as a whole. The flag is PINGALA_NEGATIVE_BASE. Errors: PINGALA_INTERRUPTED,
    /// PINGALA_BAD_FILE, PINGALA_TOO_LONG.
    pingala_modulus_repeated_square_be, pingala_modulus_repeated_square_limbs(
        modulus: &PingalaModulus, out[out_len]: Out(modulus), base[base_len]: In, squarings: u64,
        signs: flags PINGALA_NEGATIVE_BASE, checkpoint: Path, every_milliseconds: u64, options
    ) {
        let mut job = RepeatedSquare::new(&modulus.0, &base.integer(signs != 0, Cap::NONE)?, squarings)?;
        if let Some(path) = checkpoint.path()? {
            job = job.with_checkpoint(&path, Duration::from_millis(every_milliseconds))?;
        }
        out.write(&under(options, |options| job.run(options))?)
    }
}
