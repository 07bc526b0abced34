//! The ring: residues as digits, and the ways in and out.

use super::digits;
use super::instructions::Instructions;
use super::montgomery::Montgomery;
use crate::kernel::short::ShortFactor;
use crate::kernel::team::Team;
use crate::kernel::{Ring, SharedRing, cache_line};
use crate::natural::{Natural, chores, linear};
use std::sync::Arc;

/// The residues modulo one odd N in Montgomery form x R, below N, as digits of a [`super::length::Length`].
#[derive(Debug)]
pub(super) struct NttRing {
    constants: Arc<NttConstants>,
    /// The threads that share each product.
    team: Option<Arc<Team>>,
}

/// What belongs to the modulus.
#[derive(Debug)]
struct NttConstants {
    montgomery: Montgomery,
    /// N in limbs.
    modulus: Box<[u64]>,
    short: ShortFactor<u64>,
    /// R mod N and R^2 mod N in digits.
    one: Box<[u64]>,
    rr: Box<[u64]>,
}

/// A squaring costs at least as much as this many products by one word.
const SHORT_PRODUCTS: usize = 16;
/// The most bits of the power of two in one product by a word.
const SHORT_BITS: usize = 63;
/// What aligning the scratch may skip, in words.
const SPARE: usize = cache_line::spare::<u64>();

impl NttRing {
    /// The ring of an odd modulus of 64-bit limbs; zero limbs on top are legal.
    ///
    /// Count, beside [`Montgomery::new`]: about log2(m / 1000) squarings and 32 products by one word for R^2 mod N. A team
    /// shares the squarings, and the ring is one for any thread.
    pub(super) fn new(field: Instructions, modulus: &[u64], team: Option<&Team>) -> Self {
        let bits = linear::bits(modulus);
        let modulus: Box<[u64]> = modulus[..bits.div_ceil(64)].into();
        let montgomery = Montgomery::new(field, &modulus, bits, team);
        Self::with_montgomery(montgomery, modulus, team)
    }

    pub(super) fn with_montgomery(montgomery: Montgomery, modulus: Box<[u64]>, team: Option<&Team>) -> Self {
        let short = ShortFactor::of_public_bits(&modulus, linear::bits(&modulus));
        let none = || Vec::new().into_boxed_slice();
        let mut constants = NttConstants { montgomery, modulus, short, one: none(), rr: none() };
        constants.prepare_powers_of_r(team);
        Self { constants: Arc::new(constants), team: None }
    }

    /// `a b / R mod N`, or without b `a^2 / R mod N`, in the scratch.
    fn product<'s>(&self, a: &[u64], b: Option<&[u64]>, scratch: &'s mut [u64]) -> &'s [u64] {
        self.constants.montgomery.product(a, b, scratch, self.team.as_deref())
    }
}

impl NttConstants {
    fn words(&self) -> usize {
        self.montgomery.length.digits()
    }

    /// A product, a number to enter or to leave with, and a residue in limbs with one word more.
    fn scratch_words(&self) -> usize {
        self.montgomery.scratch_words() + 2 * self.words() + SPARE
    }

    /// R mod N by doubling 2^bits - N, or by a division where that is far below R; then form(R) = R^2 mod N by building the exponent m from
    /// its top bits down, because form(2^k)^2 = form(2^2k).
    fn prepare_powers_of_r(&mut self, team: Option<&Team>) {
        let (n, bits, m) = (self.modulus.len(), linear::bits(&self.modulus), self.montgomery.length.bits());
        let mut power = self.modulus.to_vec();
        let mut scratch = vec![0; self.scratch_words()];
        if m - bits > SHORT_PRODUCTS * SHORT_BITS {
            // Words one by one would take time quadratic in the length.
            let rest = chores::rem(&Natural::power_of_two(m as u64), &Natural::from_limbs(&self.modulus));
            power.fill(0);
            power[..rest.limbs().len()].copy_from_slice(rest.limbs());
        } else {
            // 2^bits - N is at most N; equal only for N = 1.
            linear::negate(&mut power);
            linear::truncate(&mut power, bits);
            scratch[..n].copy_from_slice(&power);
            linear::subtract_once(&mut power, &scratch[..n], false, &self.modulus);
            self.times_power_of_two(&mut power, m - bits, &mut scratch);
        }
        self.one = self.digits_of(&power);
        let mut halvings = 0;
        while m >> halvings > SHORT_PRODUCTS * SHORT_BITS {
            halvings += 1;
        }
        self.times_power_of_two(&mut power, m >> halvings, &mut scratch);
        let mut form = self.digits_of(&power);
        for bit in (0..halvings).rev() {
            let square = self.montgomery.product(&form, None, aligned(&mut scratch), team);
            form.copy_from_slice(square);
            if m >> bit & 1 == 1 {
                self.double(&mut form);
            }
        }
        self.rr = form;
    }

    /// `x = 2 x mod N`.
    fn double(&self, x: &mut [u64]) {
        let (d, modulus) = (self.montgomery.length.digit_bits, self.montgomery.modulus());
        let same = x.to_vec();
        let over = digits::add(x, &same, d);
        if over || !super::montgomery::is_below(x, modulus) {
            digits::sub(x, modulus, d);
        }
    }

    /// `power = power 2^count mod N`, by words.
    fn times_power_of_two(&self, power: &mut [u64], count: usize, scratch: &mut [u64]) {
        for done in (0..count).step_by(SHORT_BITS) {
            let factor = 1 << SHORT_BITS.min(count - done);
            self.short.mul(power, 0, 0, factor, &self.modulus, scratch);
        }
    }

    fn digits_of(&self, limbs: &[u64]) -> Box<[u64]> {
        let mut out = vec![0; self.words()].into_boxed_slice();
        digits::from_limbs(&mut out, limbs, 0, self.montgomery.length.digit_bits);
        out
    }

    /// Writes the canonical number of some digits below N.
    fn to_limbs(&self, value: &mut [u64], residue: &[u64]) {
        digits::to_limbs(value, residue, self.montgomery.length.digit_bits);
    }
}

/// The words from the first multiple of 64 bytes on.
fn aligned(scratch: &mut [u64]) -> &mut [u64] {
    let origin = cache_line::first_word(scratch);
    &mut scratch[origin..]
}

impl Ring<u64> for NttRing {
    fn words(&self) -> usize {
        self.constants.montgomery.length.digits()
    }

    fn bytes(&self) -> usize {
        self.constants.montgomery.bytes()
            + size_of_val(&*self.constants.modulus)
            + size_of_val(&*self.constants.one)
            + size_of_val(&*self.constants.rr)
    }

    fn scratch_words(&self) -> usize {
        self.constants.scratch_words()
    }

    fn shared_by(&self, team: Arc<Team>) -> Option<SharedRing> {
        Some(Arc::new(Self { constants: self.constants.clone(), team: Some(team) }))
    }

    fn one(&self, arena: &mut [u64], out: usize, _scratch: &mut [u64]) {
        arena[out..][..self.words()].copy_from_slice(&self.constants.one);
    }

    /// Horner's rule over pieces c of m bits, from the top: A <- (A + c) R, one product by R^2 each. An A + c of R or more loses N,
    /// because A < N.
    fn enter(&self, arena: &mut [u64], out: usize, value: &[u64], scratch: &mut [u64]) {
        let (l, d, m) =
            (self.words(), self.constants.montgomery.length.digit_bits, self.constants.montgomery.length.bits());
        let (sum, scratch) = aligned(scratch).split_at_mut(l);
        let result = &mut arena[out..][..l];
        result.fill(0);
        for piece in (0..(64 * value.len()).div_ceil(m)).rev() {
            digits::from_limbs(sum, value, piece * m, d);
            if digits::add(sum, result, d) {
                digits::sub(sum, self.constants.montgomery.modulus(), d);
            }
            result.copy_from_slice(self.product(sum, Some(&self.constants.rr), scratch));
        }
    }

    fn leave(&self, value: &mut [u64], arena: &[u64], from: usize, scratch: &mut [u64]) {
        self.leave_times(value, arena, from, &[1], scratch);
    }

    /// The product of a form and a number below R is below N.
    fn leave_times(&self, value: &mut [u64], arena: &[u64], a: usize, plain: &[u64], scratch: &mut [u64]) -> bool {
        let (l, length) = (self.words(), self.constants.montgomery.length);
        if linear::bits(plain) > length.bits() {
            return false;
        }
        let (factor, scratch) = aligned(scratch).split_at_mut(l);
        digits::from_limbs(factor, plain, 0, length.digit_bits);
        let product = self.product(factor, Some(&arena[a..][..l]), scratch);
        self.constants.to_limbs(value, product);
        true
    }

    fn mul(&self, arena: &mut [u64], out: usize, a: usize, b: usize, scratch: &mut [u64]) {
        let l = self.words();
        let product = self.product(&arena[a..][..l], Some(&arena[b..][..l]), aligned(scratch));
        arena[out..][..l].copy_from_slice(product);
    }

    fn sqr(&self, arena: &mut [u64], out: usize, a: usize, scratch: &mut [u64]) {
        let l = self.words();
        let square = self.product(&arena[a..][..l], None, aligned(scratch));
        arena[out..][..l].copy_from_slice(square);
    }

    /// Computed by words, see [`ShortFactor`].
    fn mul_small(&self, arena: &mut [u64], out: usize, a: usize, small: u64, scratch: &mut [u64]) {
        let (l, n) = (self.words(), self.constants.modulus.len());
        let (value, rest) = scratch.split_at_mut(n);
        self.constants.to_limbs(value, &arena[a..][..l]);
        self.constants.short.mul(value, 0, 0, small, &self.constants.modulus, rest);
        digits::from_limbs(&mut arena[out..][..l], value, 0, self.constants.montgomery.length.digit_bits);
    }
}
