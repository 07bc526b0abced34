//! Products of powers, and lists of them.

use crate::list::{Moduli, Operands};
use crate::memory::{Answers, In, Out, Rows, Text, Unit, given};
use crate::modulus::PingalaModulus;
use crate::options::{PingalaOptions, under};
use crate::status::{bad_argument, enter};
use crate::width::{Residues, width};
use pingala_core::{Error, Integer, Modulus, Natural};

entry! {
    /// out = the product of bases[i]^exponents[i] modulo one handle, for `count` rows; 1 for none. The rows of `bases` are as wide as in
    /// pingala_modulus_pow_list_be. Negative exponents share one inversion.
    pingala_modulus_pow_product_be, pingala_modulus_pow_product_limbs(
        modulus: &PingalaModulus, out[out_len]: Out(modulus), bases: Rows(modulus, count),
        exponents[exponent_width]: Rows(count), count: only usize, signs: u8[count], options
    ) {
        out.put(&Operands::read(bases, exponents, signs, options)?.pow_product(&modulus.0, options)?)
    }
}

entry! {
    /// out[i] = a product modulo moduli[modulus_of[i]], for `count` products: of bases[j]^exponents[j] for j from ends[i - 1] (0 for the
    /// first) up to and without ends[i]; 1 for none. There are `factor_count` rows of bases, of exponents, and bytes of `signs`;
    /// ends[count - 1] is `factor_count`. `status` has an element for each product. Products of equal shape are computed eight at a time
    /// if the CPU can. Otherwise as pingala_pow_list_be.
    pingala_pow_product_list_be, pingala_pow_product_list_limbs(
        out[out_width]: Answers(status, count), bases[base_width]: Rows(factor_count),
        exponents[exponent_width]: Rows(factor_count), factor_count: only usize, ends: u64[count],
        moduli[moduli_count]: Moduli(modulus_of, count), count: only usize, status: only *mut i32,
        signs: u8[factor_count], options
    ) {
        moduli.check(&out)?;
        Operands::read(bases, exponents, signs, options)?.pow_product_list(&out, ends, &moduli, options)
    }
}

entry! {
    /// out[i] = a product modulo one handle, for `count` products: of bases[j]^exponents[j] for j from ends[i - 1] (0 for the first) up to
    /// and without ends[i]; 1 for none. The rows of `out` and `bases` are as wide as in pingala_modulus_pow_list_be. Otherwise as
    /// pingala_pow_product_list_be.
    pingala_modulus_pow_product_list_be, pingala_modulus_pow_product_list_limbs(
        modulus: &PingalaModulus, out: Answers(modulus, status, count), bases: Rows(modulus, factor_count),
        exponents[exponent_width]: Rows(factor_count), factor_count: only usize, ends: u64[count], count: only usize,
        status: only *mut i32, signs: u8[factor_count], options
    ) {
        Operands::read(bases, exponents, signs, options)?.pow_product_list(&out, ends, &Moduli::One(modulus), options)
    }
}

/// A product as the library takes it.
type Product<'a> = (&'a [Integer], &'a [Integer], &'a Modulus);

impl Operands {
    #[inline(never)]
    fn pow_product(self, modulus: &Modulus, options: Option<&PingalaOptions>) -> Result<Natural, Error> {
        let (bases, exponents) = (self.bases, self.exponents.all()?);
        under(options, |options| modulus.pow_product(&bases, &exponents, options))
    }

    /// A product of the powers of each part that ends at `ends`. Error: `bad_argument` for ends that do not rise to the number of powers.
    pub(crate) fn products<'a>(&'a self, ends: &[u64], moduli: &Moduli<'a>) -> Result<Vec<Product<'a>>, Error> {
        let moduli = moduli.of_each(ends.len())?;
        let mut start = 0;
        let mut product = |(index, (&end, modulus)): (usize, (&u64, _))| {
            let place = usize::try_from(end).ok().filter(|&end| start <= end && end <= self.bases.len());
            let end = place
                .ok_or_else(|| bad_argument(format!("ends[{index}] is {end}: below the one before, or too large")))?;
            let factors = start..end;
            start = end;
            Ok((&self.bases[factors.clone()], &self.exponents.numbers[factors], modulus))
        };
        let products = ends.iter().zip(moduli).enumerate().map(&mut product).collect::<Result<Vec<_>, Error>>()?;
        if start != self.bases.len() {
            return Err(bad_argument(format!("the last of ends is {start}, factor_count {}", self.bases.len())));
        }
        Ok(products)
    }

    fn pow_product_list<U: Unit>(
        self,
        out: &Answers<U>,
        ends: In<u64>,
        moduli: &Moduli<'_>,
        options: Option<&PingalaOptions>,
    ) -> Result<(), Error> {
        let ends = ends.units()?;
        let products = self.products(ends, moduli)?;
        let products = under(options, |options| pingala_core::pow_product_list(&products, options))?;
        let of_product = |(factor, error): (usize, Error)| {
            let product = ends.partition_point(|&end| end <= factor as u64);
            let start = product.checked_sub(1).map_or(0, |before| ends[before] as usize);
            (product, Error::At { index: factor - start, error: Box::new(error) })
        };
        out.write_but(products, self.exponents.too_long.into_iter().map(of_product).collect())
    }
}
