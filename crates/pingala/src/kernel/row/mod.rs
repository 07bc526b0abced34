//! One number along vectors: residues of 52-bit limbs, eight to a vector, reduced by folding.
//!
//! For single exponentiations on CPUs with 512-bit multiply-accumulate. Every product has two halves that do not wait
//! for one another: columns of a b ([`product`]), and a reduction by a table of the modulus instead of a chain of quotients
//! ([`fold`]). The text is written once over [`vectors::Vectors`].

#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
mod avx512;
mod constants;
mod fold;
mod kcm;
mod limbs52;
mod low;
mod product;
mod program;
mod scan;
mod shape;
#[cfg(test)]
#[path = "../../../tests/inside/kernel/row.rs"]
mod tests;
mod vectors;

use super::cpu::Feature;
use super::form::{Form, Parameter};
use super::short::ShortFactor;
use super::{ModulusParts, Ring, SharedRing, cache_line};
use crate::error::Error;
use crate::exponent::SecretDigit;
use crate::natural::linear;
use constants::{Constants, ONE, PLAIN_ONE, RR};
use program::{Product, ShortProduct, Way};
use shape::{LANES, Shape};
use smallvec::SmallVec;
use vectors::Vectors;

/// What the kernel needs of the CPU.
pub(super) const REQUIRES: &[Feature] = &[Feature::Avx512f, Feature::Avx512bw, Feature::Avx512ifma];
/// Longest modulus, in limbs.
pub(super) const MAX_LIMBS: usize = shape::MAX_BITS / 64;

/// The first threshold of all kernels but that for long numbers (docs/records/thresholds.md has them all).
const SQUARE_FROM: Parameter = Parameter {
    name: "square_from",
    summary: "shortest numbers, in limbs of 52 bits, whose squares count each pair of limbs once",
    usual: 14,
    least: 1,
    most: 255,
    of_entering: false,
    tried: &[10, 20, 28],
    lengths: &[8, 12, 16, 24],
};

/// The thresholds of [`prepare`] for public numbers.
pub(super) const PARAMETERS: &[Parameter] = &[
    SQUARE_FROM,
    Parameter {
        name: "divide_to",
        summary: "longest modulus and number, in limbs, for which the number of a single power enters by a division",
        usual: 16,
        least: 0,
        most: 64,
        of_entering: true,
        tried: &[8, 12, 24],
        lengths: &[10, 14, 16, 20],
    },
];

/// The thresholds of [`prepare`] for secret numbers. Additions under a mask, which carry in part, gain where they go to ports that do
/// not multiply; at two vectors the carries wait long enough on every CPU.
pub(super) const SECRET_PARAMETERS: &[Parameter] = &[
    SQUARE_FROM,
    Parameter {
        name: "part_to",
        summary: "longest numbers, in vectors, whose low half is carried in part",
        usual: 2,
        least: 2,
        most: 5,
        of_entering: false,
        tried: &[5],
        lengths: &[16, 24, 32],
    },
];

/// The thresholds of [`prepare_low`].
pub(super) const LOW_PARAMETERS: &[Parameter] = &[SQUARE_FROM];

/// Prepares the ring of an odd modulus; with `CT`, the one whose operations are constant-time in the values.
///
/// Error: `bad_plan` where the CPU lacks the instructions.
#[cfg(target_arch = "x86_64")]
pub(super) fn prepare<const CT: bool>(form: &Form, parts: &ModulusParts<'_>) -> Result<SharedRing, Error> {
    if cfg!(pingala_without = "rows") {
        return Err(lacking());
    }
    let ops = avx512::Ifma::new().ok_or_else(lacking)?;
    let [square_from, second] = [0, 1].map(|place| form.settings.get(place));
    let (divide_to, part_to) = if CT { (0, second) } else { (second, 0) };
    let divides = parts.once.is_some_and(|words| words.max(parts.odd.len()) <= divide_to);
    let (short, thresholds) = (parts.short_factor(), [square_from, part_to]);
    Ok(std::sync::Arc::new(RowRing::<_, CT>::new(ops, parts.odd, parts.odd_bits, short, divides, thresholds)))
}

/// The same where there are no such instructions.
#[cfg(not(target_arch = "x86_64"))]
pub(super) fn prepare<const CT: bool>(_: &Form, _: &ModulusParts<'_>) -> Result<SharedRing, Error> {
    Err(lacking())
}

/// Limbs of a residue of [`prepare_kcm`] in a table, and its words in an arena, for an odd modulus of so many bits.
pub(super) fn residue_lengths_kcm(bits: usize) -> [usize; 2] {
    kcm::residue_lengths(bits)
}

/// Longest modulus of [`prepare_kcm`], in limbs.
pub(super) const MAX_KCM_LIMBS: usize = kcm::MAX_BITS / 64;

/// Prepares the ring of an odd modulus for long numbers: Karatsuba in product and reduction.
///
/// Error: `bad_plan` where the CPU lacks the instructions.
#[cfg(target_arch = "x86_64")]
pub(super) fn prepare_kcm(parts: &ModulusParts<'_>) -> Result<SharedRing, Error> {
    if cfg!(pingala_without = "rows") {
        return Err(lacking());
    }
    let ops = avx512::Ifma::new().ok_or_else(lacking)?;
    Ok(std::sync::Arc::new(kcm::KcmRing::new(ops, parts.odd)))
}

/// The same where there are no such instructions.
#[cfg(not(target_arch = "x86_64"))]
pub(super) fn prepare_kcm(_: &ModulusParts<'_>) -> Result<SharedRing, Error> {
    Err(lacking())
}

/// Prepares the ring modulo the power of two in a modulus. Error: `bad_plan` where the CPU lacks the instructions.
#[cfg(target_arch = "x86_64")]
pub(super) fn prepare_low(form: &Form, parts: &ModulusParts<'_>) -> Result<SharedRing, Error> {
    if cfg!(pingala_without = "rows") {
        return Err(lacking());
    }
    let ops = avx512::Ifma::new().ok_or_else(lacking)?;
    Ok(std::sync::Arc::new(low::LowRow::new(ops, parts.trailing_zeros, form.settings.get(0))))
}

/// The same where there are no such instructions.
#[cfg(not(target_arch = "x86_64"))]
pub(super) fn prepare_low(_: &Form, _: &ModulusParts<'_>) -> Result<SharedRing, Error> {
    Err(lacking())
}

/// Limbs of a residue in a table, and its words in an arena, modulo an odd number of `bits` bits or modulo 2^`bits`.
pub(super) fn residue_lengths(odd: bool, bits: usize) -> [usize; 2] {
    let shape = if odd { Shape::new(bits) } else { Shape::of_power_of_two(bits) };
    [shape.limbs, shape.words()]
}

fn lacking() -> Error {
    Error::BadPlan("this CPU has no 512-bit multiply-accumulate".into())
}

/// The residues modulo one odd N in Montgomery form x R, R = 2^(52m), below 2mN; shape and bounds in [`Shape`] and
/// [`fold`].
///
/// The set-up is constant-time in the value of the modulus; with `CT` so are the operations in the values of the residues.
/// Without, a rare carry takes a branch.
#[derive(Debug)]
struct RowRing<O: Vectors, const CT: bool> {
    ops: O,
    shape: Shape,
    way: Way,
    constants: Constants,
    /// How numbers enter where R^2 mod N was left out, which is never done modulo a secret.
    short: Option<ShortFactor<u64>>,
}

impl<O: Vectors, const CT: bool> RowRing<O, CT> {
    /// For an odd modulus of exactly `bits` bits, at most [`MAX_LIMBS`] limbs; zero limbs on top are legal.
    ///
    /// Count: m Montgomery steps of one limb for the table; two to four products by one word for R and 2^t R mod N; about
    /// log2(52m / 100) squarings for R^2 mod N, as form(2^k)^2 = form(2^2k). Where a number enters by a division, `divides`,
    /// R^2 mod N is left out: the division takes longer than the product by R^2, and less than to make that.
    ///
    /// The thresholds are the values of [`SQUARE_FROM`] and of `part_to`.
    fn new(
        ops: O,
        modulus: &[u64],
        bits: usize,
        mut short: ShortFactor<u64>,
        divides: bool,
        [square_from, part_to]: [usize; 2],
    ) -> Self {
        assert!(modulus.first().is_some_and(|limb| limb & 1 == 1), "the modulus is odd");
        let modulus = &modulus[..bits.div_ceil(64)];
        let (shape, divides) = (Shape::new(bits), divides && !CT);
        let way = Way::new(&shape, square_from, part_to);
        let mut ring = Self { ops, shape, way, constants: Constants::new(ops, &shape, modulus, &short), short: None };
        ring.prepare_powers_of_r(modulus, &short, divides);
        if divides {
            ring.short = Some(short);
        }
        short.wipe();
        ring
    }

    fn prepare_powers_of_r(&mut self, modulus: &[u64], short: &ShortFactor<u64>, divides: bool) {
        let (n, r_bits) = (modulus.len(), 52 * self.shape.limbs);
        let mut buffer: SmallVec<[u64; FEW]> = SmallVec::from_elem(0, 3 * n + 1);
        let (power, scratch) = buffer.split_at_mut(n);
        // 2^L - N is at most N, because N >= 2^(L-1); equal only for N = 1.
        power.copy_from_slice(modulus);
        linear::negate(power);
        linear::truncate(power, self.shape.bits);
        scratch[..n].copy_from_slice(power);
        linear::subtract_once(power, &scratch[..n], false, modulus);
        times_power_of_two(short, power, r_bits - self.shape.bits, modulus, scratch);
        limbs52::from_limbs64(self.constants.mut_residue(ONE), power, 0);
        if divides {
            return linear::wipe(&mut buffer);
        }

        // form(1) is there; form(R) = R^2 mod N by building the exponent r_bits from its top bits down.
        let mut halvings = 0;
        while r_bits >> halvings > 2 * SHORT_BITS {
            halvings += 1;
        }
        times_power_of_two(short, power, r_bits >> halvings, modulus, scratch);
        let words = self.shape.words();
        let mut arena = vec![0; words];
        let mut work = vec![0; self.scratch_words()];
        limbs52::from_limbs64(&mut arena[LANES..][..self.shape.span()], power, 0);
        for bit in (0..halvings).rev() {
            self.sqr(&mut arena, 0, 0, &mut work);
            if r_bits >> bit & 1 == 1 {
                self.mul_small(&mut arena, 0, 0, 2, &mut work);
            }
        }
        // Below 2N, so that the product by any number below R is in range.
        self.mul_small(&mut arena, 0, 0, 1, &mut work);
        self.constants.mut_residue(RR).copy_from_slice(&arena[LANES..words - LANES]);
        for secret in [&mut buffer[..], &mut arena, &mut work] {
            linear::wipe(secret);
        }
    }

    /// What divides, where numbers enter so. Never in constant time: secrets take one way, and the check of its machine code
    /// has no other to follow.
    fn divider(&self) -> Option<&ShortFactor<u64>> {
        if CT { None } else { self.short.as_ref() }
    }

    /// The residue of a number of any length: by a division, 64-bit limbs of it, where R^2 mod N is not there.
    fn enter_by_division(&self, short: &ShortFactor<u64>, out: &mut [u64], value: &[u64], product: &mut [u64]) {
        let modulus = self.constants.modulus64();
        let (limbs64, rest) = product.split_at_mut(modulus.len());
        short.enter_shifted(limbs64, value, 52 * self.shape.limbs, modulus, rest);
        out.fill(0);
        limbs52::from_limbs64(&mut out[LANES..][..self.shape.limbs], limbs64, 0);
    }

    /// `out = a b`, or without b `a^(2^count)`, for residues with their padding.
    ///
    /// # Safety
    /// The pointers are those of whole residues, `out` may be written; they are the same or disjoint.
    unsafe fn product(&self, out: *mut u64, a: *const u64, b: Option<*const u64>, count: usize, product: &mut [u64]) {
        debug_assert!(product.len() == 2 * self.shape.span() && count > 0 && (count == 1 || b.is_none()));
        let table = self.constants.table();
        let (shape, way, product) = (self.shape, self.way, product.as_mut_ptr());
        Product::<CT> { shape, way, table, product, out, a, b, count }.run(self.ops);
        // SAFETY: the caller's promise.
        debug_assert!(unsafe { self.in_range(core::slice::from_raw_parts(out, self.shape.words())) });
    }

    /// `out = small a` modulo N, below 2N, for small of at most 32 bits and residues with their padding, the same or disjoint.
    ///
    /// 1. h = floor(a / 2^(L-44)), below 2^55 because a < 2mN < 2^(L+11).
    /// 2. q = floor(floor(h r / 2^64) small / 2^43) with r = about 2^(127+L-64) / N: a lower estimate of small a / N, too low
    ///    by less than 1 + 2^-9 (the cut of h and the cut of the first floor cost 2^-11 each, r costs 2^-18).
    /// 3. small a - q N < 2N, as small a + q (2^(52m) - 1 - N) + q modulo 2^(52m).
    unsafe fn short_product(&self, out: *mut u64, a: *const u64, small: u64) {
        debug_assert!(small >> 32 == 0);
        // SAFETY: the caller's residue; m limbs of it.
        let limbs = unsafe { core::slice::from_raw_parts(a.add(LANES), self.shape.limbs) };
        let at = self.shape.bits.saturating_sub(44);
        let limb = |index: usize| u128::from(limbs.get(index).copied().unwrap_or(0));
        let high = limb(at / 52) | limb(at / 52 + 1) << 52 | limb(at / 52 + 2) << 104;
        let high = ((high >> (at % 52)) as u64) << (44 - self.shape.bits.min(44));
        debug_assert!(high >> 55 == 0);
        let ratio = (u128::from(high) * u128::from(self.constants.reciprocal)) >> 64;
        let q = ((ratio * u128::from(small)) >> 43) as u64;
        let complement = self.constants.complement().as_ptr();
        self.ops.run(ShortProduct::<CT> { shape: self.shape, complement, q, small, out, a });
    }

    /// Whether a residue is as the product wants it: limbs below 2^52, below 2mN, padding of zeros.
    fn in_range(&self, residue: &[u64]) -> bool {
        let limbs = &residue[LANES..][..self.shape.limbs];
        let n = self.shape.limbs64();
        let mut value = vec![0; n + 1];
        limbs52::to_limbs64(&mut value, limbs);
        let mut bound = vec![0; n + 1];
        let mut carry = 0;
        for (bound, limb) in bound.iter_mut().zip(self.constants.modulus64().iter().chain(&[0])) {
            let product = u128::from(*limb) * (2 * self.shape.limbs as u128) + carry;
            (*bound, carry) = (product as u64, product >> 64);
        }
        let padding = residue[..LANES].iter().chain(&residue[LANES + self.shape.limbs..]);
        limbs.iter().all(|&limb| limb <= vectors::MASK)
            && padding.into_iter().all(|&word| word == 0)
            && linear::less(&value, &bound)
    }
}

/// Words of set-up that need no allocation.
const FEW: usize = 64;

/// Most bits of the power of two in one product by a word.
const SHORT_BITS: usize = 63;

/// `power = power * 2^count` mod N, by words.
fn times_power_of_two(short: &ShortFactor<u64>, power: &mut [u64], count: usize, modulus: &[u64], scratch: &mut [u64]) {
    for done in (0..count).step_by(SHORT_BITS) {
        short.mul(power, 0, 0, 1 << SHORT_BITS.min(count - done), modulus, scratch);
    }
}

impl<O: Vectors, const CT: bool> Ring<u64> for RowRing<O, CT> {
    fn words(&self) -> usize {
        self.shape.words()
    }

    fn bytes(&self) -> usize {
        self.constants.bytes()
    }

    /// 2V vectors for a product, a residue, and what their alignment takes.
    fn scratch_words(&self) -> usize {
        2 * self.shape.span() + self.shape.words() + LANES - 1
    }

    fn packed_words(&self) -> usize {
        self.shape.limbs
    }

    fn pack(&self, packed: &mut [u64], arena: &[u64], from: usize) {
        self.shape.pack(packed, &arena[from..]);
    }

    fn unpack(&self, arena: &mut [u64], out: usize, packed: &[u64]) {
        self.shape.unpack(&mut arena[out..], packed);
    }

    fn one(&self, arena: &mut [u64], out: usize, _scratch: &mut [u64]) {
        arena[out..out + self.words()].copy_from_slice(self.constants.residue(ONE));
    }

    /// Horner's rule over pieces c of 52m bits, from the top: A <- (A + c) R, one product by R^2 mod N each. A is brought
    /// below 2N first, and an A + c that runs over R loses 2N, by mask. A product of a number below R by one below 2N is
    /// below 2N + mN + N <= 2mN.
    fn enter(&self, arena: &mut [u64], out: usize, value: &[u64], scratch: &mut [u64]) {
        let (m, piece_bits) = (self.shape.limbs, 52 * self.shape.limbs);
        let (product, sum) = split_scratch(&self.shape, scratch);
        let result = &mut arena[out..][..self.shape.words()];
        if let Some(short) = self.divider() {
            return self.enter_by_division(short, result, value, product);
        }
        let rr = self.constants.residue(RR).as_ptr();
        result.fill(0);
        sum.fill(0);
        for piece in (0..(64 * value.len()).div_ceil(piece_bits)).rev() {
            let limbs = &mut sum[LANES..][..m];
            limbs52::from_limbs64(limbs, value, piece * piece_bits);
            // SAFETY: result, sum and the constant are residues by their lengths.
            unsafe { self.short_product(result.as_mut_ptr(), result.as_ptr(), 1) };
            let over = limbs52::add_assign(limbs, &result[LANES..][..m]);
            limbs52::subtract_twice_if(limbs, self.constants.complement(), over);
            // SAFETY: as above.
            unsafe { self.product(result.as_mut_ptr(), sum.as_ptr(), Some(rr), 1, product) };
        }
    }

    /// a 1 / R is below 2mN again; a quotient estimate brings it below 2N, one subtraction by mask below N.
    fn leave(&self, value: &mut [u64], arena: &[u64], from: usize, scratch: &mut [u64]) {
        let (product, residue) = split_scratch(&self.shape, scratch);
        let a = arena[from..][..self.shape.words()].as_ptr();
        let one = self.constants.residue(PLAIN_ONE).as_ptr();
        let out = residue.as_mut_ptr();
        // SAFETY: all are residues by their lengths.
        unsafe {
            self.product(out, a, Some(one), 1, product);
            self.short_product(out, out, 1);
        }
        let modulus = self.constants.modulus64();
        let below_2n = &mut product[..modulus.len()];
        limbs52::to_limbs64(below_2n, &residue[LANES..][..self.shape.limbs]);
        let (value, rest) = value.split_at_mut(modulus.len());
        linear::subtract_once(value, below_2n, false, modulus);
        rest.fill(0);
    }

    fn mul(&self, arena: &mut [u64], out: usize, a: usize, b: usize, scratch: &mut [u64]) {
        let (product, _) = split_scratch(&self.shape, scratch);
        let [out, a, b] = residues(arena, [out, a, b], self.shape.words());
        // SAFETY: the three are within the arena, and the same or disjoint by the contract of `Ring`.
        unsafe { self.product(out, a, Some(b), 1, product) };
    }

    fn sqr(&self, arena: &mut [u64], out: usize, a: usize, scratch: &mut [u64]) {
        self.sqr_n(arena, out, a, 1, scratch);
    }

    fn sqr_n(&self, arena: &mut [u64], out: usize, a: usize, count: usize, scratch: &mut [u64]) {
        let (product, _) = split_scratch(&self.shape, scratch);
        let [out, a] = residues(arena, [out, a], self.shape.words());
        // SAFETY: as in `mul`.
        unsafe { self.product(out, a, None, count, product) };
    }

    /// Of at most 32 bits: one row and a quotient estimate. Longer ones enter the ring first. Leaks which of the two.
    fn mul_small(&self, arena: &mut [u64], out: usize, a: usize, small: u64, scratch: &mut [u64]) {
        let [out, a] = residues(arena, [out, a], self.shape.words());
        if small >> 32 == 0 {
            // SAFETY: as in `mul`.
            unsafe { self.short_product(out, a, small) };
            return;
        }
        let (product, factor) = split_scratch(&self.shape, scratch);
        if let Some(short) = self.divider() {
            self.enter_by_division(short, factor, &[small], product);
        } else {
            factor.fill(0);
            limbs52::from_limbs64(&mut factor[LANES..][..self.shape.limbs], &[small], 0);
            let (factor, rr) = (factor.as_mut_ptr(), self.constants.residue(RR).as_ptr());
            // SAFETY: the factor and the constant are residues by their lengths.
            unsafe { self.product(factor, factor, Some(rr), 1, product) };
        }
        // SAFETY: as in `mul`; the factor is a residue by its length.
        unsafe { self.product(out, a, Some(factor.as_ptr()), 1, product) };
    }

    fn scan(&self, arena: &mut [u64], out: usize, table: usize, length: usize, digit: SecretDigit) {
        scan::scan(self.ops, &self.shape, arena, [out, table], length, digit);
    }
}

/// Splits scratch into the 2V vectors of a product, at a multiple of 64 bytes, and a residue.
fn split_scratch<'s>(shape: &Shape, scratch: &'s mut [u64]) -> (&'s mut [u64], &'s mut [u64]) {
    let origin = cache_line::first_word(scratch);
    let (product, rest) = scratch[origin..].split_at_mut(2 * shape.span());
    (product, &mut rest[..shape.words()])
}

/// Pointers to residues of an arena. Panics where one is not inside.
fn residues<const COUNT: usize>(arena: &mut [u64], at: [usize; COUNT], words: usize) -> [*mut u64; COUNT] {
    assert!(at.iter().all(|&at| at <= arena.len() && words <= arena.len() - at), "residues lie within the arena");
    let start = arena.as_mut_ptr();
    at.map(|at| start.wrapping_add(at))
}
