//! Repeated squaring.

use crate::PINGALA_NEGATIVE_BASE;
use crate::length::Cap;
use crate::memory::{In, Name, Out, Text, Unit, check_signs, given};
use crate::modulus::PingalaModulus;
use crate::options::{PingalaOptions, under};
use crate::status::enter;
use core::ffi::c_char;
use core::time::Duration;
use pingala::{Error, RepeatedSquare};
use std::path::PathBuf;

/// out = base^(2^squarings) modulo a handle, by successive squarings, at most 2^40. `checkpoint` is the path of a file for the state, or
/// NULL: the call writes it at the start, after every `every_milliseconds`, when it is stopped, and at the end; if it exists, the
/// call resumes from it. The file is always replaced as a whole. The flag is PINGALA_NEGATIVE_BASE. Errors: PINGALA_INTERRUPTED,
/// PINGALA_BAD_FILE, PINGALA_TOO_LONG.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_modulus_repeated_square_be(
    modulus: Option<&PingalaModulus>,
    out: *mut u8,
    out_len: usize,
    base: *const u8,
    base_len: usize,
    squarings: u64,
    signs: u32,
    checkpoint: *const c_char,
    every_milliseconds: u64,
    options: Option<&PingalaOptions>,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    // SAFETY: the contract of the header.
    let (out, base, checkpoint, why) = unsafe {
        (Out::new(out, out_len), In::new(base, base_len, "base"), Name::new(checkpoint), Text::new(why, why_len))
    };
    enter(why, || {
        check_signs(signs, PINGALA_NEGATIVE_BASE)?;
        let checkpoint = checkpoint.path()?.map(|path| (path, Duration::from_millis(every_milliseconds)));
        square(modulus, out, base, (squarings, signs), checkpoint, options)
    })
}

/// The same by limbs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_modulus_repeated_square_limbs(
    modulus: Option<&PingalaModulus>,
    out: *mut u64,
    out_len: usize,
    base: *const u64,
    base_len: usize,
    squarings: u64,
    signs: u32,
    checkpoint: *const c_char,
    every_milliseconds: u64,
    options: Option<&PingalaOptions>,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    // SAFETY: the contract of the header.
    let (out, base, checkpoint, why) = unsafe {
        (Out::new(out, out_len), In::new(base, base_len, "base"), Name::new(checkpoint), Text::new(why, why_len))
    };
    enter(why, || {
        check_signs(signs, PINGALA_NEGATIVE_BASE)?;
        let checkpoint = checkpoint.path()?.map(|path| (path, Duration::from_millis(every_milliseconds)));
        square(modulus, out, base, (squarings, signs), checkpoint, options)
    })
}

fn square<U: Unit>(
    modulus: Option<&PingalaModulus>,
    out: Out<U>,
    base: In<U>,
    (squarings, signs): (u64, u32),
    checkpoint: Option<(PathBuf, Duration)>,
    options: Option<&PingalaOptions>,
) -> Result<(), Error> {
    let modulus = &given(modulus, "modulus")?.0;
    out.check(modulus.value())?;
    let mut job = RepeatedSquare::new(modulus, &base.integer(signs != 0, Cap::NONE)?, squarings)?;
    if let Some((path, every)) = checkpoint {
        job = job.with_checkpoint(&path, every)?;
    }
    out.write(&under(options, |options| job.run(options))?)
}
