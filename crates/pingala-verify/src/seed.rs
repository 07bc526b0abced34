//! Whether domain parameters of DSA come from the seed that their maker published (FIPS 186-4, appendix A.1.1.3 and A.2.4).

use crate::key::DsaKey;
use crate::validate::small_primes;
use crate::{Defect, Hash};
use pingala_core::{Error, Integer, Modulus, Natural, Options};

/// Where p and q, and perhaps g, are said to come from.
#[derive(Clone, Copy, Debug)]
pub struct DsaSeed<'a> {
    /// The hash function, whose digests are at least as long as q.
    pub hash: Hash,
    /// `domain_parameter_seed`, at least as long as q.
    pub seed: &'a [u8],
    /// `counter`.
    pub counter: u32,
    /// `index` of a generator that was made verifiably; none if g was chosen in another way.
    pub index: Option<u8>,
}

impl DsaKey {
    /// Checks that p, q and g follow from the seed, p as the first prime among the candidates; empty if they do. Parameters that
    /// follow from a seed were not chosen for a hidden structure. The lengths must be those of FIPS 186-4.
    ///
    /// Of the options threads, kernel and watch apply. It takes about as long as it took to make p: seconds at 3072 bits. Errors:
    /// `bad_argument` for other lengths, a short digest or seed, a counter of 4 L or more; `interrupted`.
    pub fn validate_seed(&self, from: &DsaSeed<'_>, options: &Options<'_>) -> Result<Vec<Defect>, Error> {
        let options = &options.with_plan(None);
        let (l, n) = (self.p().bits() as usize, self.q().bits() as usize);
        let refused = |what: &str| Err(Error::BadArgument(what.into()));
        if !self.has_fips_sizes() {
            return refused("parameters from a seed have the lengths of FIPS 186-4");
        }
        if 8 * from.hash.width() < n || 8 * from.seed.len() < n {
            return refused("the digest and the seed must be at least as long as q");
        }
        if from.counter as usize >= 4 * l {
            return refused("the counter must be below four times the length of p");
        }
        let mut defects = Vec::new();
        if candidate(&from.hash.digest(from.seed), n, true) != *self.q() || !self.shared.q.is_prime(options)? {
            defects.push(Defect::OrderNotFromSeed);
        }
        if !self.field_is_from(from, options)? {
            defects.push(Defect::FieldNotFromSeed);
        }
        if let Some(index) = from.index
            && !self.generator_is_from(from, index, options)?
        {
            defects.push(Defect::GeneratorNotFromSeed);
        }
        Ok(defects)
    }

    /// A.1.1.3, steps 10 to 12.
    fn field_is_from(&self, from: &DsaSeed<'_>, options: &Options<'_>) -> Result<bool, Error> {
        let l = self.p().bits() as usize;
        let digests = l.div_ceil(8 * from.hash.width()) as u64;
        let two_q = self.q() << 1;
        for at in 0..=u64::from(from.counter) {
            if options.watch().is_some_and(|watch| watch.stop()) {
                return Err(Error::Interrupted);
            }
            // W = V_0 + V_1 2^outlen + ..., of which L - 1 bits count; X = W + 2^(L-1).
            let first = 1 + at * digests;
            let w: Vec<u8> =
                (first..first + digests).rev().flat_map(|by| from.hash.digest(&plus(from.seed, by))).collect();
            let x = candidate(&w, l, false);
            // X - (X mod 2q) + 1.
            let p = &x - &x % &two_q + 1;
            if p.bits() as usize == l
                && small_primes().all(|prime| &p % prime != 0)
                && Modulus::new(p.clone())?.is_prime(options)?
            {
                return Ok(at == u64::from(from.counter) && p == *self.p());
            }
        }
        Ok(false)
    }

    /// A.2.4: g = Hash(seed, "ggen", index, count)^((p - 1) / q) for the first count that gives no 0 or 1.
    fn generator_is_from(&self, from: &DsaSeed<'_>, index: u8, options: &Options<'_>) -> Result<bool, Error> {
        let one = Natural::from(1u64);
        if self.shared.q.mul(&self.p().clone().into(), &1u64.into()) != one {
            return Ok(false);
        }
        let quotient = Integer::from((self.p() - &one) / self.q());
        for count in 1..=u16::MAX {
            let w = from.hash.digest(&[from.seed, b"ggen", &[index], &count.to_be_bytes()].concat());
            let w = [Integer::from(Natural::from_be_bytes(&w))];
            let Some(g) = self.shared.p.pow_base_list(&w, &quotient, options)?.pop() else { break };
            let g = g?;
            if !g.is_zero() && g != one {
                return Ok(g == *self.g());
            }
        }
        Ok(false)
    }
}

/// The lowest `bits` bits, a multiple of 8, with the highest of them set, and the lowest too if `odd`.
fn candidate(bytes: &[u8], bits: usize, odd: bool) -> Natural {
    let mut low = bytes[bytes.len() - bits / 8..].to_vec();
    low[0] |= 0x80;
    if let Some(last) = low.last_mut() {
        *last |= u8::from(odd);
    }
    Natural::from_be_bytes(&low)
}

/// The seed as a number, plus another one, modulo a power of two: as long as the seed.
fn plus(seed: &[u8], by: u64) -> Vec<u8> {
    let (mut sum, mut carry) = (seed.to_vec(), by);
    for byte in sum.iter_mut().rev() {
        carry += u64::from(*byte);
        *byte = carry as u8;
        carry >>= 8;
    }
    sum
}
