//! Lists of powers, of products and of inverses.

use crate::length::Cap;
use crate::memory::{Answers, Capped, In, Rows, Signs, Text, Unit, check_signs, given};
use crate::modulus::PingalaModulus;
use crate::options::{PingalaOptions, under};
use crate::power::BOTH;
use crate::status::{bad_argument, enter};
use crate::width::{Residues, width};
use crate::{PINGALA_NEGATIVE_BASE, PINGALA_NEGATIVE_EXPONENT};
use pingala_core::{Error, Integer, Job, Modulus, Natural};

entry! {
    /// out[i] = bases[i]^exponents[i] modulo one handle, for `count` rows: those of `out` and `bases` as wide as the modulus WITHOUT its
    /// leading zeros (pingala_modulus_width_be), or as wide as pingala_options_set_width declares; those of `exponents` of
    /// `exponent_width` bytes. A modulus that was made from a padded buffer needs a declared width. `signs` has a byte of flags for
    /// each element, or is NULL for none. The call runs on several threads, and eight powers at a time if the CPU can.
    ///
    /// `status` receives the status of each element. An element with an error gets zeros, `why` describes the first one, and the call
    /// succeeds. If `status` is NULL, the first error is that of the call; the other rows are written all the same.
    pingala_modulus_pow_list_be, pingala_modulus_pow_list_limbs(
        modulus: &PingalaModulus, out: Answers(modulus, status, count), bases: Rows(modulus, count),
        exponents[exponent_width]: Rows(count), count: only usize, status: only *mut i32, signs: u8[count], options
    ) {
        Operands::read(bases, exponents, signs, options)?.pow_list(&out, &Moduli::One(modulus), options)
    }
}

entry! {
    /// out[i] = bases[i]^exponents[i] modulo moduli[modulus_of[i]], for `count` rows with these widths in bytes; `out_width` is at least
    /// that of the longest modulus. `modulus_of` may be NULL if there are `count` moduli, one each. Otherwise as
    /// pingala_modulus_pow_list_be.
    pingala_pow_list_be, pingala_pow_list_limbs(
        out[out_width]: Answers(status, count), bases[base_width]: Rows(count), exponents[exponent_width]: Rows(count),
        moduli[moduli_count]: Moduli(modulus_of, count), count: only usize, status: only *mut i32, signs: u8[count],
        options
    ) {
        moduli.check(&out)?;
        Operands::read(bases, exponents, signs, options)?.pow_list(&out, &moduli, options)
    }
}

/// The moduli of a list.
pub(crate) enum Moduli<'a> {
    /// All elements have this one.
    One(&'a PingalaModulus),
    /// Element i has the handle at place i, or at the place that is given for it.
    Several { handles: In<Option<&'a PingalaModulus>>, places: In<u32> },
}

impl<'a> Moduli<'a> {
    /// # Safety
    ///
    /// Until the call returns, `moduli` has `moduli_count` handles and `modulus_of` is NULL or has a place for each of `count` elements.
    pub(crate) unsafe fn new(
        moduli: *const Option<&'a PingalaModulus>,
        moduli_count: usize,
        modulus_of: *const u32,
        count: usize,
    ) -> Self {
        // SAFETY: the caller's, for both.
        let (handles, places) =
            unsafe { (In::new(moduli, moduli_count, "moduli"), In::new(modulus_of, count, "modulus_of")) };
        Self::Several { handles, places }
    }

    /// All of them.
    #[inline(never)]
    pub(crate) fn all(&self) -> Result<Vec<&'a Modulus>, Error> {
        match self {
            Self::One(modulus) => Ok(vec![&modulus.0]),
            Self::Several { handles, .. } => {
                handles.units()?.iter().map(|&modulus| Ok(&given(modulus, "one of the moduli")?.0)).collect()
            }
        }
    }

    /// Error: `bad_argument` unless results below each modulus fit.
    pub(crate) fn check<U: Unit>(&self, out: &Answers<U>) -> Result<(), Error> {
        self.all()?.iter().try_for_each(|modulus| out.check(modulus.value()))
    }

    /// The modulus of each element. Error: `bad_argument` for an element with a place beyond the end.
    #[inline(never)]
    pub(crate) fn of_each(&self, count: usize) -> Result<Vec<&'a Modulus>, Error> {
        let moduli = self.all()?;
        let places = match self {
            Self::One(_) => return Ok(vec![moduli[0]; count]),
            Self::Several { places, .. } if places.is_null() => None,
            Self::Several { places, .. } => Some(places.units()?),
        };
        let modulus = |element| {
            let place = places.map_or(element, |places| places[element] as usize);
            moduli.get(place).copied().ok_or_else(|| bad_argument(format!("there is no modulus {place}")))
        };
        (0..count).map(modulus).collect()
    }
}

/// Bases and exponents of a list.
pub(crate) struct Operands {
    pub(crate) bases: Vec<Integer>,
    pub(crate) exponents: Capped,
}

impl Operands {
    pub(crate) fn read<U: Unit>(
        bases: Rows<U>,
        exponents: Rows<U>,
        signs: In<u8>,
        options: Option<&PingalaOptions>,
    ) -> Result<Self, Error> {
        let signs = Signs::of(&signs, BOTH)?;
        let bases = bases.integers(&signs, PINGALA_NEGATIVE_BASE)?;
        let exponents = exponents.capped(&signs, PINGALA_NEGATIVE_EXPONENT, Cap::exponent(options))?;
        Ok(Self { bases, exponents })
    }

    /// A power of each base.
    pub(crate) fn jobs<'a>(&'a self, moduli: &Moduli<'a>) -> Result<Vec<Job<'a>>, Error> {
        let moduli = moduli.of_each(self.bases.len())?;
        let pairs = self.bases.iter().zip(&self.exponents.numbers);
        Ok(pairs.zip(moduli).map(|((base, exponent), modulus)| Job { base, exponent, modulus }).collect())
    }

    fn pow_list<U: Unit>(
        self,
        out: &Answers<U>,
        moduli: &Moduli<'_>,
        options: Option<&PingalaOptions>,
    ) -> Result<(), Error> {
        let jobs = self.jobs(moduli)?;
        let powers = under(options, |options| pingala_core::pow_list(&jobs, options))?;
        out.write_but(powers, self.exponents.too_long)
    }
}

entry! {
    /// out[i] = base^exponents[i] modulo one handle: powers that share squarings or a table. `base_signs` is the flag of the base,
    /// `signs` has those of the exponents. Otherwise as pingala_modulus_pow_list_be.
    pingala_modulus_pow_exp_list_be, pingala_modulus_pow_exp_list_limbs(
        modulus: &PingalaModulus, out: Answers(modulus, status, count), base[base_len]: In,
        base_signs: flags PINGALA_NEGATIVE_BASE, exponents[exponent_width]: Rows(count), count: only usize,
        status: only *mut i32, signs: u8[count], options
    ) {
        let base = base.integer(base_signs != 0, Cap::NONE)?;
        let exponents = signed_exponents(exponents, &signs, Cap::exponent(options))?;
        let powers = under(options, |options| modulus.0.pow_exp_list(&base, &exponents.numbers, options))?;
        out.write_but(powers, exponents.too_long)
    }
}

/// Exponents, of which signs may make each negative.
pub(crate) fn signed_exponents<U: Unit>(exponents: Rows<U>, signs: &In<u8>, cap: Cap) -> Result<Capped, Error> {
    let signs = Signs::of(signs, PINGALA_NEGATIVE_EXPONENT)?;
    exponents.capped(&signs, PINGALA_NEGATIVE_EXPONENT, cap)
}

/// Bases, of which signs may make each negative.
pub(crate) fn signed_bases<U: Unit>(bases: Rows<U>, signs: &In<u8>) -> Result<Vec<Integer>, Error> {
    let signs = Signs::of(signs, PINGALA_NEGATIVE_BASE)?;
    bases.integers(&signs, PINGALA_NEGATIVE_BASE)
}

entry! {
    /// out[i] = bases[i]^exponent modulo one handle: the exponent is recoded once. `exponent_signs` is the flag of the exponent, `signs`
    /// has those of the bases. Otherwise as pingala_modulus_pow_list_be.
    pingala_modulus_pow_base_list_be, pingala_modulus_pow_base_list_limbs(
        modulus: &PingalaModulus, out: Answers(modulus, status, count), bases: Rows(modulus, count),
        exponent[exponent_len]: In, exponent_signs: flags PINGALA_NEGATIVE_EXPONENT, count: only usize,
        status: only *mut i32, signs: u8[count], options
    ) {
        let bases = signed_bases(bases, &signs)?;
        let exponent = exponent.integer(exponent_signs != 0, Cap::exponent(options));
        out.write(powers_of_bases(&modulus.0, &bases, exponent, options)?)
    }
}

/// One function for both kinds of units.
#[inline(never)]
fn powers_of_bases(
    modulus: &Modulus,
    bases: &[Integer],
    exponent: Result<Integer, Error>,
    options: Option<&PingalaOptions>,
) -> Result<Vec<Result<Natural, Error>>, Error> {
    let exponent = match exponent {
        // The error of each element, as the library gives it for an exponent that is a little too long.
        Err(error @ Error::TooLong { .. }) => return Ok(vec![Err(error); bases.len()]),
        exponent => exponent?,
    };
    under(options, |options| modulus.pow_base_list(bases, &exponent, options))
}

entry! {
    /// out[i] = values[i]^-1 modulo one handle; about a hundred values share one inversion. A value without an inverse does not affect
    /// the others. The flag is PINGALA_NEGATIVE_BASE; otherwise as pingala_modulus_pow_list_be.
    pingala_modulus_invert_list_be, pingala_modulus_invert_list_limbs(
        modulus: &PingalaModulus, out: Answers(modulus, status, count), values: Rows(modulus, count), count: only usize,
        status: only *mut i32, signs: u8[count], options
    ) {
        let values = signed_bases(values, &signs)?;
        out.write(under(options, |options| modulus.0.invert_list(&values, options))?)
    }
}
