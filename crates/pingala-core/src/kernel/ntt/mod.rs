//! Long numbers by number-theoretic transforms: products in time nearly proportional to the length.
//!
//! A number is digits of 64 or 60 bits ([`length`]), transformed modulo three primes of 48 bits ([`transform`], [`primes`]). Products modulo
//! 2^m - 1 and 2^m + 1 together are a product, and [`montgomery`] and [`ring`] need nothing else; the set-up of a ring takes those modulo
//! 2^m - 1 ([`two_adic`], [`reciprocal`]). The text is written once over [`field::Field`], for
//! vectors of 52-bit multiply-accumulate ([`eight`]), for doubles with fused multiply-add ([`doubles`]) and for words ([`scalar`]).

#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
mod avx2;
mod compiled;
mod digits;
mod doubles;
mod eight;
mod field;
mod instructions;
mod last_levels;
mod length;
mod matrix;
mod montgomery;
mod odd;
mod passes;
mod primes;
mod product;
mod products;
mod reciprocal;
mod recombine;
mod ring;
mod scalar;
mod tables;
#[cfg(test)]
#[path = "../../../tests/inside/kernel/ntt.rs"]
mod tests;
mod transform;
mod two_adic;

use super::cpu::Feature;
use super::descriptor::Prepare;
use super::form::Form;
use super::{ModulusParts, SharedRing};
use crate::error::Error;
use alloc::sync::Arc;
use instructions::Instructions;
use length::Length;
pub(crate) use length::MAX_LIMBS;
pub(crate) use matrix::MatrixTransforms;
pub(crate) use product::{LongProducts, TransformsOn, long_products, product, transforms_on};
pub(crate) use reciprocal::{LongDivisor, reciprocal};
use ring::NttRing;
pub(crate) use two_adic::inverse;

/// Whether transforms are linked: in WebAssembly, where a module is to be small, nothing chooses them.
pub(crate) const LINKED: bool = cfg!(not(target_arch = "wasm32"));

/// The features that transforms need on vectors of 52-bit multiply-accumulate, on doubles, on words, and who prepares rings there.
pub(super) const IFMA: (&[&[Feature]], Prepare) =
    (&[super::vector::AVX512], |form, parts| prepare(Instructions::ifma(), form, parts));
pub(super) const FMA: (&[&[Feature]], Prepare) =
    (&[doubles::AVX2_FMA], |form, parts| prepare(Instructions::doubles(), form, parts));
pub(super) const WORDS: (&[&[Feature]], Prepare) =
    (&[&[]], |form, parts| prepare(Some(scalar::Scalar.into()), form, parts));

/// Lengths of moduli at which the tuner measures in addition to the usual ones: each the longest of its transform.
pub(super) const TUNED: &[usize] = &[320, 640, 1536, 2048, 4096, 16_384];

/// The longest modulus, in limbs, of a transform that takes one of `limbs` limbs.
pub(super) fn padded_limbs(limbs: usize) -> usize {
    Length::of_bits(64 * limbs).bits() / 64
}

/// Bits of a digit, for a modulus of `bits` bits.
pub(super) fn digit_bits(bits: usize) -> u32 {
    Length::of_bits(bits).digit_bits
}

/// Digits of a residue, in a table and in an arena, for a modulus of `bits` bits.
pub(super) fn residue_lengths(bits: usize) -> [usize; 2] {
    [Length::of_bits(bits).digits(); 2]
}

/// The ring of an odd modulus, or of a power of two. Error: `bad_plan` if the CPU lacks the instructions.
fn prepare(field: Option<Instructions>, form: &Form, parts: &ModulusParts<'_>) -> Result<SharedRing, Error> {
    let field = field.ok_or_else(|| Error::BadPlan(format!("this CPU cannot run {form}")))?;
    let bits = parts.trailing_zeros;
    Ok(Arc::new(if form.kernel.odd() {
        NttRing::new(field, parts.odd)
    } else {
        NttRing::of_power_of_two(field, bits, Length::of_bits(bits))
    }))
}
