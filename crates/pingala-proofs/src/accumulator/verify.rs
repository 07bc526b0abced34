//! Whether witnesses belong to an accumulator.

use crate::accumulator::check_exponents;
use crate::squaring::{SMALLEST_MODULUS_BITS, is_invertible};
use crate::weak::weakness;
use pingala_core::{Error, Integer, Job, Limits, Modulus, Natural, Options, pairs};
use sha2::{Digest, Sha256};

/// Bits of a coefficient.
const COEFFICIENT_BITS: u64 = 128;
/// Powers of one product: its memory stays small, and a longer one is hardly faster.
const AT_ONCE: usize = 1 << 16;

/// Whether each witness to its exponent is the accumulator or its negative, all of them by one product of powers with random coefficients
/// \[bellare1998batch\]. The exact question, also about signs, is answered by [`failing_witnesses`], which takes several times longer.
///
/// True proves for each i that witness^exponent = u · accumulator, where u is a root of unity modulo m of small order: whoever
/// finds one besides 1 and -1 (of an order d, he passes with a chance of 1/d) can do so only with knowledge of the factors of m, as far as is
/// known. A wrong witness of another kind passes with probability 2^-128. The coefficients are SHA-256 of all
/// arguments, so the answer is always the same.
///
/// Modulo a number of fewer than [`SMALLEST_MODULUS_BITS`](crate::SMALLEST_MODULUS_BITS) bits or with a known [`weakness`](crate::weakness), and
/// where the accumulator has a divisor in common with m, each power is compared exactly: the negative is refused there, too. False for a number of m or more. Errors: `bad_argument` for
/// lists of different lengths; `too_long` as for [`accumulate`](crate::accumulate); `bad_plan`, `interrupted`.
pub fn verify_witnesses(
    accumulator: &Natural,
    exponents: &[Natural],
    witnesses: &[Natural],
    modulus: &Modulus,
    options: &Options<'_>,
) -> Result<bool, Error> {
    check(exponents, witnesses, options)?;
    let m = modulus.value();
    if accumulator >= m || witnesses.iter().any(|witness| witness >= m) {
        return Ok(false);
    }
    // Products of what has no inverse prove nothing about the factors. Where an element of small order is known, a batch proves nothing.
    let is_weak = m.bits() < SMALLEST_MODULUS_BITS || weakness(modulus, options)?.is_some();
    if is_weak || !is_invertible(accumulator, modulus)? {
        return Ok(failing_witnesses(accumulator, exponents, witnesses, modulus, options)?.is_empty());
    }
    let longest = exponents.iter().map(Natural::bits).max().unwrap_or(0) + COEFFICIENT_BITS + 64;
    let options = options.with_limits(Limits::new(options.limits().modulus_bits, longest));
    let mut coefficients = Coefficients::new(accumulator, exponents, witnesses, m);
    for (exponents, witnesses) in pairs(exponents.chunks(AT_ONCE), witnesses.chunks(AT_ONCE))? {
        let mut sum = Natural::default();
        let mut powers = Vec::with_capacity(exponents.len());
        for exponent in exponents {
            let coefficient = coefficients.next();
            powers.push(Integer::from(exponent * &coefficient));
            sum = sum + coefficient;
        }
        let bases: Vec<Integer> = witnesses.iter().cloned().map(Integer::from).collect();
        let found = modulus.pow_product(&bases, &powers, &options)?;
        let wanted = modulus.pow_with(&accumulator.clone().into(), &sum.into(), &options)?;
        if found != wanted && &(found + wanted) != m {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The places of the witnesses that are not reduced, or whose power by their exponent is not exactly the accumulator: all powers, in lanes and on
/// all threads. Errors: as [`verify_witnesses`].
pub fn failing_witnesses(
    accumulator: &Natural,
    exponents: &[Natural],
    witnesses: &[Natural],
    modulus: &Modulus,
    options: &Options<'_>,
) -> Result<Vec<usize>, Error> {
    check(exponents, witnesses, options)?;
    let mut failing = Vec::new();
    for (block, witnesses) in witnesses.chunks(AT_ONCE).enumerate() {
        let from = block * AT_ONCE;
        let bases: Vec<Integer> = witnesses.iter().cloned().map(Integer::from).collect();
        let powers: Vec<Integer> = exponents[from..from + bases.len()].iter().cloned().map(Integer::from).collect();
        let jobs = pairs(&bases, &powers)?.map(|(base, exponent)| Job { base, exponent, modulus });
        let results = pingala_core::pow_list(&jobs.collect::<Vec<_>>(), options)?;
        for (place, (result, witness)) in pairs(results, witnesses)?.enumerate() {
            if result? != *accumulator || witness >= modulus.value() {
                failing.push(from + place);
            }
        }
    }
    Ok(failing)
}

fn check(exponents: &[Natural], witnesses: &[Natural], options: &Options<'_>) -> Result<(), Error> {
    if exponents.len() != witnesses.len() {
        let (n_exponents, n_witnesses) = (exponents.len(), witnesses.len());
        return Err(Error::BadArgument(format!("{n_exponents} exponents and {n_witnesses} witnesses")));
    }
    check_exponents(exponents, options)
}

/// Coefficients that nobody chooses: SHA-256 of a counter and of everything they are for.
struct Coefficients {
    seed: [u8; 32],
    count: u64,
}

impl Coefficients {
    fn new(accumulator: &Natural, exponents: &[Natural], witnesses: &[Natural], modulus: &Natural) -> Self {
        let mut hash = Sha256::new();
        hash.update(b"pingala witnesses v1\0");
        for number in [modulus, accumulator].into_iter().chain(exponents).chain(witnesses) {
            let bytes = number.to_le_bytes();
            hash.update((bytes.len() as u64).to_le_bytes());
            hash.update(&bytes);
        }
        Self { seed: hash.finalize().into(), count: 0 }
    }

    fn next(&mut self) -> Natural {
        let mut hash = Sha256::new();
        hash.update(self.seed);
        hash.update(self.count.to_le_bytes());
        self.count += 1;
        Natural::from_le_bytes(&hash.finalize()[..COEFFICIENT_BITS as usize / 8])
    }
}
