//! Jacobi and Kronecker symbols, and square roots.

use crate::PINGALA_NEGATIVE_BASE;
use crate::length::Cap;
use crate::memory::{Answers, Capped, In, Out, Rows, Signs, Text, check_signs, given};
use crate::modulus::PingalaModulus;
use crate::options::{PingalaOptions, under};
use crate::power::BOTH;
use crate::rows::{check_width, write_all};
use crate::status::{bad_argument, enter};
use crate::{PINGALA_NEGATIVE_EXPONENT, width::Residues};
use core::mem::MaybeUninit;
use pingala_core::{Error, Integer, Natural, Options};
use pingala_primes::{
    jacobi_list_with, jacobi_with, kronecker, sqrt_mod, sqrt_mod_all, sqrt_mod_factored, sqrt_mod_list,
};

entry! {
    /// `*symbol` is the Jacobi symbol (a/n): 1, -1, or 0 if a and n have a common factor; n is odd. The flag is PINGALA_NEGATIVE_BASE, for a.
    /// Not for secrets. Errors: PINGALA_BAD_ARGUMENT for an even n, PINGALA_TOO_LONG above the limit of moduli, PINGALA_INTERRUPTED.
    pingala_jacobi_be, pingala_jacobi_limbs(
        symbol: place i32, a[a_len]: In, n[n_len]: In, signs: flags PINGALA_NEGATIVE_BASE, options
    ) {
        let cap = Cap::number(options);
        write_symbol(symbol, &a.integer(signs != 0, cap)?, &n.integer(false, cap)?, jacobi_with, options)
    }
}

entry! {
    /// symbols[i] = the Jacobi symbol (a[i]/n[i]) for each of `count` rows, as of pingala_jacobi_be; `n_count` is `count`, or 1 for one n below
    /// all. `signs` has PINGALA_NEGATIVE_BASE for a[i]. The error of the first row that has one is that of the call; `symbols` is then as it was.
    pingala_jacobi_list_be, pingala_jacobi_list_limbs(
        symbols: only *mut i32, a[a_width]: Rows(count), n[n_width]: Rows(n_count), n_count: only usize, count: only usize,
        signs: u8[count], symbols = Out::new(symbols, count), options
    ) {
        let (signs, cap) = (Signs::of(&signs, PINGALA_NEGATIVE_BASE)?, Cap::number(options));
        write_symbols(&symbols, a.capped(&signs, PINGALA_NEGATIVE_BASE, cap)?, n.capped(&Signs::none(), 0, cap)?, options)
    }
}

entry! {
    /// `*symbol` is the Kronecker symbol (a/n) for every n: the Jacobi symbol for an odd n above 0. The flags are PINGALA_NEGATIVE_BASE for a and
    /// PINGALA_NEGATIVE_EXPONENT for n. Not for secrets. Errors: PINGALA_TOO_LONG above the limit of moduli, PINGALA_INTERRUPTED.
    pingala_kronecker_be, pingala_kronecker_limbs(
        symbol: place i32, a[a_len]: In, n[n_len]: In, signs: flags BOTH, options
    ) {
        let cap = Cap::number(options);
        let a = a.integer(signs & PINGALA_NEGATIVE_BASE != 0, cap)?;
        let n = n.integer(signs & PINGALA_NEGATIVE_EXPONENT != 0, cap)?;
        write_symbol(symbol, &a, &n, kronecker, options)
    }
}

entry! {
    /// out = the lesser square root of a modulo a prime p, at most (p - 1) / 2. It is squared before it is written. The flag is
    /// PINGALA_NEGATIVE_BASE. Not for secrets. Errors: PINGALA_BAD_ARGUMENT if a is no square modulo p, or if no root is found because p is
    /// no prime; PINGALA_ZERO_MODULUS, PINGALA_TOO_LONG, PINGALA_INTERRUPTED.
    pingala_sqrt_mod_be, pingala_sqrt_mod_limbs(
        out[out_len]: Out, a[a_len]: In, p[p_len]: In, signs: flags PINGALA_NEGATIVE_BASE, options
    ) {
        let a = a.integer(signs != 0, Cap::number(options))?;
        let p = p.natural(Cap::modulus(options))?;
        out.check(&p)?;
        out.put(&one_root(&a, &p, &[], options)?)
    }
}

entry! {
    /// out[i] = the square roots of a modulo a prime p, in order, in rows of `width` units, at least as wide as p: the first ones, as many as the
    /// `out_len` units hold. `*needed`, unless NULL, receives the number of all of them, 0 to 2, so that a call without room tells how many there
    /// are. The flag is PINGALA_NEGATIVE_BASE. Not for secrets. Errors as of pingala_sqrt_mod_be, but for an a that is no square.
    pingala_sqrt_mod_all_be, pingala_sqrt_mod_all_limbs(
        out[out_len]: Out, width: usize, needed: place usize, a[a_len]: In, p[p_len]: In, signs: flags PINGALA_NEGATIVE_BASE, options
    ) {
        let a = a.integer(signs != 0, Cap::number(options))?;
        let p = p.natural(Cap::modulus(options))?;
        check_width::<U>(&out, width, &p)?;
        write_all(&out, width, needed, &all_roots(&a, &p, &[], u64::MAX, options)?)
    }
}

entry! {
    /// out = a square root of a modulo the modulus of a handle: the lesser of it and its negative. Its factors, by which it was made, are primes;
    /// without factors it is a prime itself. The root is squared before it is written. Flag and errors are those of pingala_sqrt_mod_be.
    pingala_modulus_sqrt_be, pingala_modulus_sqrt_limbs(
        modulus: &PingalaModulus, out[out_len]: Out(modulus), a[a_len]: In, signs: flags PINGALA_NEGATIVE_BASE, options
    ) {
        let a = a.integer(signs != 0, Cap::number(options))?;
        out.put(&one_root(&a, modulus.0.value(), &modulus.2, options)?)
    }
}

entry! {
    /// out[i] = all square roots of a modulo the modulus of a handle, as of pingala_modulus_sqrt_be, in the form of pingala_sqrt_mod_all_be. A power
    /// of a prime has many roots of a number that it divides: more than `most` of them are PINGALA_BAD_ARGUMENT.
    pingala_modulus_sqrt_all_be, pingala_modulus_sqrt_all_limbs(
        modulus: &PingalaModulus, out[out_len]: Out, width: usize, needed: place usize, a[a_len]: In, most: u64,
        signs: flags PINGALA_NEGATIVE_BASE, options
    ) {
        let a = a.integer(signs != 0, Cap::number(options))?;
        check_width::<U>(&out, width, modulus.0.value())?;
        write_all(&out, width, needed, &all_roots(&a, modulus.0.value(), &modulus.2, most, options)?)
    }
}

entry! {
    /// out[i] = the square root of values[i] modulo primes[i], as of pingala_sqrt_mod_be, with all powers side by side; `prime_count` is `count`,
    /// or 1 for one prime for all. The rows of `out` are as wide as those of `primes` at least. `status` and `signs` are as in
    /// pingala_modulus_pow_list_be.
    pingala_sqrt_mod_list_be, pingala_sqrt_mod_list_limbs(
        out[out_width]: Answers(status, count), values[value_width]: Rows(count), primes[prime_width]: Rows(prime_count),
        prime_count: only usize, count: only usize, status: only *mut i32, signs: u8[count], options
    ) {
        let signs = Signs::of(&signs, PINGALA_NEGATIVE_BASE)?;
        let values = values.capped(&signs, PINGALA_NEGATIVE_BASE, Cap::number(options))?.all()?;
        let primes = primes.capped(&Signs::none(), 0, Cap::modulus(options))?.naturals()?;
        if let Some(longest) = primes.iter().max() {
            out.check(longest)?;
        }
        out.write(root_of_each(&values, &primes, options)?)
    }
}

// What is not of one kind of units is one function each, not a copy in every call.

/// Writes the symbol of two numbers. Error: `too_long` for one above the limit of moduli, which a short number has not met yet.
#[inline(never)]
fn write_symbol(
    symbol: Option<&mut MaybeUninit<i32>>,
    a: &Integer,
    n: &Integer,
    of: fn(&Integer, &Integer, &Options<'_>) -> Result<i32, Error>,
    options: Option<&PingalaOptions>,
) -> Result<(), Error> {
    let symbol = symbol.ok_or_else(|| bad_argument("symbol is NULL"))?;
    for number in [a, n] {
        Cap::number(options).check(number.magnitude().bits())?;
    }
    symbol.write(under(options, |options| of(a, n, options))?);
    Ok(())
}

/// Writes the symbols of rows. Error: `too_long` for the first number above the limit of moduli, with its place.
#[inline(never)]
fn write_symbols(symbols: &Out<i32>, a: Capped, n: Capped, options: Option<&PingalaOptions>) -> Result<(), Error> {
    let (a, n) = (a.all()?, n.all()?);
    for (index, number) in a.iter().enumerate().chain(n.iter().enumerate()) {
        let checked = Cap::number(options).check(number.magnitude().bits());
        checked.map_err(|error| Error::At { index, error: Box::new(error) })?;
    }
    let found = under(options, |options| jacobi_list_with(&a, &n, options))?;
    symbols.fill(|out| out.iter_mut().zip(found).for_each(|(to, symbol)| _ = to.write(symbol)))
}

/// A square root modulo p, which is a prime if no factors are given.
#[inline(never)]
fn one_root(
    a: &Integer,
    p: &Natural,
    factors: &[(Natural, u32)],
    options: Option<&PingalaOptions>,
) -> Result<Natural, Error> {
    under(options, |options| match factors {
        [] => sqrt_mod(a, p, options),
        factors => sqrt_mod_factored(a, factors, options),
    })
}

#[inline(never)]
fn root_of_each(
    values: &[Integer],
    primes: &[Natural],
    options: Option<&PingalaOptions>,
) -> Result<Vec<Result<Natural, Error>>, Error> {
    under(options, |options| sqrt_mod_list(values, primes, options))
}

#[inline(never)]
fn all_roots(
    a: &Integer,
    p: &Natural,
    factors: &[(Natural, u32)],
    most: u64,
    options: Option<&PingalaOptions>,
) -> Result<Vec<Natural>, Error> {
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let prime = [(p.clone(), 1)];
    let factors = if factors.is_empty() { &prime } else { factors };
    under(options, |options| sqrt_mod_all(a, factors, most, options))
}
