//! Montgomery products by division: the smallest possible kernel, which tests the steps of adding one.

use super::registry::Form;
use super::{ModulusParts, Ring, SharedRing};
use crate::error::Error;
use crate::natural::{Natural, chores, euclid};
use std::sync::Arc;

/// Prepares the ring of an odd modulus.
pub(super) fn prepare(form: &Form, parts: &ModulusParts<'_>) -> Result<SharedRing, Error> {
    let m = Natural::from_limbs(parts.odd);
    let r = chores::pow(&Natural::from(2u64), 64 * form.n as u32);
    let r_inverse = euclid::inverse(&r, &m, crate::natural::testing::plain()).unwrap().unwrap_or_default();
    Ok(Arc::new(Toy { m, n: form.n, r, r_inverse }))
}

/// The residues modulo one odd m in Montgomery form x R, R = 2^(64 n), below m.
#[derive(Debug)]
struct Toy {
    m: Natural,
    n: usize,
    r: Natural,
    r_inverse: Natural,
}

impl Toy {
    /// `out` = a b mod m.
    fn store(&self, out: &mut [u64], a: &Natural, b: &Natural) {
        let product = chores::rem(&chores::mul(a, b), &self.m);
        let (limbs, zeros) = out.split_at_mut(product.limbs().len());
        limbs.copy_from_slice(product.limbs());
        zeros.fill(0);
    }

    fn load(&self, arena: &[u64], from: usize) -> Natural {
        Natural::from_limbs(&arena[from..from + self.n])
    }
}

impl Ring<u64> for Toy {
    fn words(&self) -> usize {
        self.n
    }

    fn bytes(&self) -> usize {
        3 * size_of::<u64>() * self.n
    }

    fn scratch_words(&self) -> usize {
        0
    }

    fn one(&self, arena: &mut [u64], out: usize, scratch: &mut [u64]) {
        self.enter(arena, out, &[1], scratch);
    }

    fn enter(&self, arena: &mut [u64], out: usize, value: &[u64], _: &mut [u64]) {
        self.store(&mut arena[out..out + self.n], &Natural::from_limbs(value), &self.r);
    }

    fn leave(&self, value: &mut [u64], arena: &[u64], from: usize, _: &mut [u64]) {
        self.store(value, &self.load(arena, from), &self.r_inverse);
    }

    fn mul(&self, arena: &mut [u64], out: usize, a: usize, b: usize, _: &mut [u64]) {
        let product = chores::mul(&self.load(arena, a), &self.load(arena, b));
        self.store(&mut arena[out..out + self.n], &product, &self.r_inverse);
    }

    fn sqr(&self, arena: &mut [u64], out: usize, a: usize, scratch: &mut [u64]) {
        self.mul(arena, out, a, a, scratch);
    }

    fn mul_small(&self, arena: &mut [u64], out: usize, a: usize, small: u64, _: &mut [u64]) {
        let a = self.load(arena, a);
        self.store(&mut arena[out..out + self.n], &a, &Natural::from(small));
    }
}
