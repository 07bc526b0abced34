//! Products of lists modulo one handle.

use crate::list::signed_bases;
use crate::memory::{Answers, In, Out, Rows, Signs, Text, given};
use crate::modulus::PingalaModulus;
use crate::options::{PingalaOptions, under};
use crate::power::BOTH;
use crate::status::enter;
use crate::width::{Residues, width};
use crate::{PINGALA_NEGATIVE_BASE, PINGALA_NEGATIVE_EXPONENT};

entry! {
    /// out[i] = a[i] * b[i] modulo one handle. The rows of `a` and `b` are as wide as those of `out`. `signs` has PINGALA_NEGATIVE_BASE for
    /// a[i] and PINGALA_NEGATIVE_EXPONENT for b[i]. No plan can be forced, and no element has an error. Otherwise as
    /// pingala_modulus_pow_list_be.
    pingala_modulus_mul_list_be, pingala_modulus_mul_list_limbs(
        modulus: &PingalaModulus, out: Answers(modulus, status, count), a: Rows(modulus, count), b: Rows(modulus, count),
        count: only usize, status: only *mut i32, signs: u8[count], options
    ) {
        let signs = Signs::of(&signs, BOTH)?;
        let a = a.integers(&signs, PINGALA_NEGATIVE_BASE)?;
        let b = b.integers(&signs, PINGALA_NEGATIVE_EXPONENT)?;
        out.write(under(options, |options| modulus.0.mul_list(&a, &b, options))?.into_iter().map(Ok).collect())
    }
}

entry! {
    /// out[i] = values[i]^2 modulo one handle. The flag is PINGALA_NEGATIVE_BASE. Otherwise as pingala_modulus_mul_list_be.
    pingala_modulus_square_list_be, pingala_modulus_square_list_limbs(
        modulus: &PingalaModulus, out: Answers(modulus, status, count), values: Rows(modulus, count), count: only usize,
        status: only *mut i32, signs: u8[count], options
    ) {
        let values = signed_bases(values, &signs)?;
        out.write(under(options, |options| modulus.0.square_list(&values, options))?.into_iter().map(Ok).collect())
    }
}

entry! {
    /// out = the product of all values modulo one handle; of none it is 1 modulo the handle. The rows of `values` are as wide as in
    /// pingala_modulus_mul_list_be. The flag is PINGALA_NEGATIVE_BASE.
    pingala_modulus_product_be, pingala_modulus_product_limbs(
        modulus: &PingalaModulus, out[out_len]: Out(modulus), values: Rows(modulus, count), count: only usize,
        signs: u8[count], options
    ) {
        let values = signed_bases(values, &signs)?;
        out.put(&under(options, |options| modulus.0.product(&values, options))?)
    }
}

entry! {
    /// out[i] = the product of values[0] to values[i] modulo one handle, on one thread. The flag is PINGALA_NEGATIVE_BASE. Otherwise as
    /// pingala_modulus_mul_list_be.
    pingala_modulus_running_product_be, pingala_modulus_running_product_limbs(
        modulus: &PingalaModulus, out: Answers(modulus, status, count), values: Rows(modulus, count), count: only usize,
        status: only *mut i32, signs: u8[count], options
    ) {
        let values = signed_bases(values, &signs)?;
        let products = under(options, |options| modulus.0.running_product(&values, options))?;
        out.write(products.into_iter().map(Ok).collect())
    }
}
