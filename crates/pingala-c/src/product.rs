//! Products of powers, and lists of them.

use crate::length::Cap;
use crate::list::Moduli;
use crate::memory::{Answers, Capped, In, Out, Rows, Signs, Text, Unit};
use crate::modulus::PingalaModulus;
use crate::options::{PingalaOptions, under};
use crate::power::BOTH;
use crate::status::{bad_argument, enter};
use crate::width::{rows_of, width};
use crate::{PINGALA_NEGATIVE_BASE, PINGALA_NEGATIVE_EXPONENT};
use core::ffi::c_char;
use pingala::{Error, Integer, Modulus};

/// out = the product of bases[i]^exponents[i] modulo one handle, for `count` rows; 1 for none. The rows of `bases` are as wide as in
/// pingala_modulus_pow_list_be. Negative exponents share one inversion.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_modulus_pow_product_be(
    modulus: Option<&PingalaModulus>,
    out: *mut u8,
    out_len: usize,
    bases: *const u8,
    exponents: *const u8,
    exponent_width: usize,
    count: usize,
    signs: *const u8,
    options: Option<&PingalaOptions>,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    // SAFETY: the contract of the header.
    let (out, bases, exponents, signs, why) = unsafe {
        (
            Out::new(out, out_len),
            Rows::new(bases, width::<u8>(modulus, options), count, "bases"),
            Rows::new(exponents, exponent_width, count, "exponents"),
            In::new(signs, count, "signs"),
            Text::new(why, why_len),
        )
    };
    enter(why, || pow_product(modulus, out, bases, exponents, signs, options))
}

/// The same by limbs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_modulus_pow_product_limbs(
    modulus: Option<&PingalaModulus>,
    out: *mut u64,
    out_len: usize,
    bases: *const u64,
    exponents: *const u64,
    exponent_width: usize,
    count: usize,
    signs: *const u8,
    options: Option<&PingalaOptions>,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    // SAFETY: the contract of the header.
    let (out, bases, exponents, signs, why) = unsafe {
        (
            Out::new(out, out_len),
            Rows::new(bases, width::<u64>(modulus, options), count, "bases"),
            Rows::new(exponents, exponent_width, count, "exponents"),
            In::new(signs, count, "signs"),
            Text::new(why, why_len),
        )
    };
    enter(why, || pow_product(modulus, out, bases, exponents, signs, options))
}

fn pow_product<U: Unit>(
    modulus: Option<&PingalaModulus>,
    out: Out<U>,
    bases: Rows<U>,
    exponents: Rows<U>,
    signs: In<u8>,
    options: Option<&PingalaOptions>,
) -> Result<(), Error> {
    let modulus = &rows_of::<U, _>(modulus, options)?.0;
    out.check(modulus.value())?;
    let signs = Signs::of(&signs, BOTH)?;
    let bases = bases.integers(&signs, PINGALA_NEGATIVE_BASE)?;
    let exponents = exponents.capped(&signs, PINGALA_NEGATIVE_EXPONENT, Cap::exponent(options))?.all()?;
    out.write(&under(options, |options| modulus.pow_product(&bases, &exponents, options))?)
}

/// out[i] = a product modulo moduli[modulus_of[i]], for `count` products: of bases[j]^exponents[j] for j from ends[i - 1] (0 for the
/// first) up to and without ends[i]; 1 for none. There are `factor_count` rows of bases, of exponents, and bytes of `signs`; ends[count - 1]
/// is `factor_count`. `status` has an element for each product. Products of equal shape are computed eight at a time where the CPU can.
/// Otherwise as pingala_pow_list_be.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_pow_product_list_be(
    out: *mut u8,
    out_width: usize,
    bases: *const u8,
    base_width: usize,
    exponents: *const u8,
    exponent_width: usize,
    factor_count: usize,
    ends: *const u64,
    moduli: *const Option<&PingalaModulus>,
    moduli_count: usize,
    modulus_of: *const u32,
    count: usize,
    status: *mut i32,
    signs: *const u8,
    options: Option<&PingalaOptions>,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    // SAFETY: the contract of the header.
    let (answers, bases, exponents, ends, moduli, signs, why) = unsafe {
        (
            Answers::new(out, out_width, status, count, Text::new(why, why_len)),
            Rows::new(bases, base_width, factor_count, "bases"),
            Rows::new(exponents, exponent_width, factor_count, "exponents"),
            In::new(ends, count, "ends"),
            Moduli::new(moduli, moduli_count, modulus_of, count),
            In::new(signs, factor_count, "signs"),
            Text::new(why, why_len),
        )
    };
    enter(why, || ProductList { bases, exponents, ends, moduli, signs }.pow(&answers, options))
}

/// The same by limbs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_pow_product_list_limbs(
    out: *mut u64,
    out_width: usize,
    bases: *const u64,
    base_width: usize,
    exponents: *const u64,
    exponent_width: usize,
    factor_count: usize,
    ends: *const u64,
    moduli: *const Option<&PingalaModulus>,
    moduli_count: usize,
    modulus_of: *const u32,
    count: usize,
    status: *mut i32,
    signs: *const u8,
    options: Option<&PingalaOptions>,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    // SAFETY: the contract of the header.
    let (answers, bases, exponents, ends, moduli, signs, why) = unsafe {
        (
            Answers::new(out, out_width, status, count, Text::new(why, why_len)),
            Rows::new(bases, base_width, factor_count, "bases"),
            Rows::new(exponents, exponent_width, factor_count, "exponents"),
            In::new(ends, count, "ends"),
            Moduli::new(moduli, moduli_count, modulus_of, count),
            In::new(signs, factor_count, "signs"),
            Text::new(why, why_len),
        )
    };
    enter(why, || ProductList { bases, exponents, ends, moduli, signs }.pow(&answers, options))
}

/// out[i] = a product modulo one handle, for `count` products: of bases[j]^exponents[j] for j from ends[i - 1] (0 for the first) up to and
/// without ends[i]; 1 for none. The rows of `out` and `bases` are as wide as in pingala_modulus_pow_list_be. Otherwise as
/// pingala_pow_product_list_be.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_modulus_pow_product_list_be(
    modulus: Option<&PingalaModulus>,
    out: *mut u8,
    bases: *const u8,
    exponents: *const u8,
    exponent_width: usize,
    factor_count: usize,
    ends: *const u64,
    count: usize,
    status: *mut i32,
    signs: *const u8,
    options: Option<&PingalaOptions>,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    // SAFETY: the contract of the header; `modulus` is a parameter of this call.
    let (answers, bases, exponents, ends, moduli, signs, why) = unsafe {
        (
            Answers::new(out, width::<u8>(modulus, options), status, count, Text::new(why, why_len)),
            Rows::new(bases, width::<u8>(modulus, options), factor_count, "bases"),
            Rows::new(exponents, exponent_width, factor_count, "exponents"),
            In::new(ends, count, "ends"),
            Moduli::one(&raw const modulus),
            In::new(signs, factor_count, "signs"),
            Text::new(why, why_len),
        )
    };
    enter(why, || {
        rows_of::<u8, _>(modulus, options)?;
        ProductList { bases, exponents, ends, moduli, signs }.pow(&answers, options)
    })
}

/// The same by limbs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_modulus_pow_product_list_limbs(
    modulus: Option<&PingalaModulus>,
    out: *mut u64,
    bases: *const u64,
    exponents: *const u64,
    exponent_width: usize,
    factor_count: usize,
    ends: *const u64,
    count: usize,
    status: *mut i32,
    signs: *const u8,
    options: Option<&PingalaOptions>,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    // SAFETY: the contract of the header; `modulus` is a parameter of this call.
    let (answers, bases, exponents, ends, moduli, signs, why) = unsafe {
        (
            Answers::new(out, width::<u64>(modulus, options), status, count, Text::new(why, why_len)),
            Rows::new(bases, width::<u64>(modulus, options), factor_count, "bases"),
            Rows::new(exponents, exponent_width, factor_count, "exponents"),
            In::new(ends, count, "ends"),
            Moduli::one(&raw const modulus),
            In::new(signs, factor_count, "signs"),
            Text::new(why, why_len),
        )
    };
    enter(why, || {
        rows_of::<u64, _>(modulus, options)?;
        ProductList { bases, exponents, ends, moduli, signs }.pow(&answers, options)
    })
}

/// A list of products, as it is given.
pub(crate) struct ProductList<'a, U> {
    pub(crate) bases: Rows<U>,
    pub(crate) exponents: Rows<U>,
    pub(crate) ends: In<u64>,
    pub(crate) moduli: Moduli<'a>,
    pub(crate) signs: In<u8>,
}

impl<U: Unit> ProductList<'_, U> {
    fn pow(&self, answers: &Answers<U>, options: Option<&PingalaOptions>) -> Result<(), Error> {
        self.moduli.all()?.iter().try_for_each(|modulus| answers.check(modulus.value()))?;
        let (products, too_long) =
            self.run(options, |products| under(options, |options| pingala::pow_product_list(products, options)))?;
        answers.write_but(products, too_long)
    }

    /// Runs what takes a list of products, with 0 for exponents that are too long: returns the products that have one as well.
    pub(crate) fn run<T>(
        &self,
        options: Option<&PingalaOptions>,
        run: impl FnOnce(&[(&[Integer], &[Integer], &Modulus)]) -> Result<T, Error>,
    ) -> Result<(T, Vec<(usize, Error)>), Error> {
        let signs = Signs::of(&self.signs, BOTH)?;
        let bases = self.bases.integers(&signs, PINGALA_NEGATIVE_BASE)?;
        let Capped { numbers: exponents, too_long } =
            self.exponents.capped(&signs, PINGALA_NEGATIVE_EXPONENT, Cap::exponent(options))?;
        let ends = self.ends.units()?;
        let mut start = 0;
        let mut product = |(index, (&end, modulus)): (usize, (&u64, _))| {
            let place = usize::try_from(end).ok().filter(|&end| start <= end && end <= bases.len());
            let end = place
                .ok_or_else(|| bad_argument(format!("ends[{index}] is {end}: below the one before, or too large")))?;
            let factors = start..end;
            start = end;
            Ok((&bases[factors.clone()], &exponents[factors], modulus))
        };
        let moduli = self.moduli.of_each(ends.len())?;
        let products = ends.iter().zip(moduli).enumerate().map(&mut product).collect::<Result<Vec<_>, Error>>()?;
        if start != bases.len() {
            return Err(bad_argument(format!("the last of ends is {start}, factor_count {}", bases.len())));
        }
        let of_product = |(factor, error): (usize, Error)| {
            let product = ends.partition_point(|&end| end <= factor as u64);
            let start = product.checked_sub(1).map_or(0, |before| ends[before] as usize);
            (product, Error::At { index: factor - start, error: Box::new(error) })
        };
        let too_long = too_long.into_iter().map(of_product).collect();
        Ok((run(&products)?, too_long))
    }
}
