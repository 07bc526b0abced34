//! Lengths of numbers in the caller's memory: looked at before anything is copied.

use crate::memory::Unit;
use crate::options::PingalaOptions;
use crate::status::bad_argument;
use pingala_core::{Error, Limits};

/// Bytes up to which a number is copied without a look: the library refuses it afterwards.
pub(crate) const SHORT_BYTES: usize = 1 << 16;

/// The most bits of a number, and what it is called when it has more.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cap {
    what: &'static str,
    bits: u64,
}

impl Cap {
    /// Of a number that is reduced, however long it is.
    pub(crate) const NONE: Cap = Cap { what: "number", bits: u64::MAX };

    pub(crate) fn of(what: &'static str, bits: u64) -> Self {
        Self { what, bits }
    }

    pub(crate) fn modulus(options: Option<&PingalaOptions>) -> Self {
        Self::of("modulus", limits(options).modulus_bits)
    }

    /// Of a number to test or to start from, with the limit of moduli.
    pub(crate) fn number(options: Option<&PingalaOptions>) -> Self {
        Self::of("number", limits(options).modulus_bits)
    }

    pub(crate) fn exponent(options: Option<&PingalaOptions>) -> Self {
        Self::of("exponent", limits(options).exponent_bits)
    }

    /// Error: `too_long`.
    pub(crate) fn check(self, length: u64) -> Result<(), Error> {
        let Self { what, bits: cap } = self;
        if length > cap { Err(Error::TooLong { what, length, cap }) } else { Ok(()) }
    }
}

fn limits(options: Option<&PingalaOptions>) -> Limits {
    options.map_or_else(Limits::default, |options| options.limits)
}

/// Error: `too_long` for a number above its cap, `bad_argument` if there is no memory for a copy.
#[inline]
pub(crate) fn admit<U: Unit>(units: &[U], cap: impl FnOnce() -> Cap) -> Result<(), Error> {
    if size_of_val(units) <= SHORT_BYTES { Ok(()) } else { admit_long(units, cap()) }
}

#[cold]
fn admit_long<U: Unit>(units: &[U], cap: Cap) -> Result<(), Error> {
    cap.check(U::bits(units))?;
    has_room(size_of_val(units))
}

/// Error: `bad_argument` unless this number of bytes can be allocated.
pub(crate) fn has_room(bytes: usize) -> Result<(), Error> {
    let mut room = Vec::<u8>::new();
    room.try_reserve_exact(bytes).map_err(|_| bad_argument("there is no memory for a copy of the numbers"))
}

/// Error: `too_long` for a row of a secret that is longer than the cap and a limb, unless it is short. Its length is public, its zeros
/// are not: the length that is declared for the secret has the cap of its own.
pub(crate) fn check_secret_row<U>(units: usize, cap: Cap) -> Result<(), Error> {
    if units.saturating_mul(size_of::<U>()) <= SHORT_BYTES {
        return Ok(());
    }
    let bits = (units as u64).saturating_mul(8 * size_of::<U>() as u64);
    cap.check(bits.saturating_sub(64))
}
