//! Residues in the form of one kernel, or of two that share an even modulus, and their products.

use crate::engine::execute::{Prepared, even, reserve};
use crate::error::Error;
use crate::kernel::registry::Form;
use crate::kernel::{SharedRing, cache_line};
use crate::natural::Natural;

/// Residues of one length one after the other, from a cache line on.
#[derive(Debug)]
struct Rows {
    /// Words of a residue.
    words: usize,
    /// How many residues there is room for.
    capacity: usize,
    origin: usize,
    memory: Vec<u64>,
}

impl Rows {
    /// Room for `capacity` residues. Error: `bad_plan` if the system does not have the memory.
    fn new(words: usize, capacity: usize) -> Result<Self, Error> {
        let mut memory = Vec::new();
        let length = words.saturating_mul(capacity).saturating_add(cache_line::spare::<u64>());
        reserve(&mut memory, length)?;
        memory.resize(length, 0);
        let origin = cache_line::first_word(&memory);
        Ok(Self { words, capacity, origin, memory })
    }

    fn all(&self) -> &[u64] {
        &self.memory[self.origin..][..self.words * self.capacity]
    }

    fn all_mut(&mut self) -> &mut [u64] {
        &mut self.memory[self.origin..][..self.words * self.capacity]
    }

    fn row(&self, index: usize) -> &[u64] {
        &self.all()[index * self.words..][..self.words]
    }

    fn row_mut(&mut self, index: usize) -> &mut [u64] {
        let words = self.words;
        &mut self.all_mut()[index * words..][..words]
    }

    /// Makes room for one more than `count` residues; twice as many if there is none. Error: as [`Rows::new`].
    fn grow(&mut self, count: usize) -> Result<(), Error> {
        if count < self.capacity {
            return Ok(());
        }
        let mut larger = Self::new(self.words, (2 * self.capacity).max(count + 1))?;
        larger.all_mut()[..self.words * self.capacity].copy_from_slice(self.all());
        *self = larger;
        Ok(())
    }
}

/// Residues modulo one part of the modulus, with the memory of a product.
#[derive(Debug)]
pub(super) struct PartResidues {
    form: Form,
    ring: SharedRing,
    rows: Rows,
    scratch: Vec<u64>,
}

impl PartResidues {
    fn of(form: Form, ring: SharedRing, capacity: usize) -> Result<Self, Error> {
        let rows = Rows::new(ring.words(), capacity)?;
        let mut scratch = Vec::new();
        reserve(&mut scratch, ring.scratch_words())?;
        scratch.resize(ring.scratch_words(), 0);
        Ok(Self { form, ring, rows, scratch })
    }

    fn at(&self, index: usize) -> usize {
        index * self.rows.words
    }

    fn enter(&mut self, out: usize, value: &[u64]) {
        let out = self.at(out);
        self.ring.enter(self.rows.all_mut(), out, value, &mut self.scratch);
    }

    fn one(&mut self, out: usize) {
        let out = self.at(out);
        self.ring.one(self.rows.all_mut(), out, &mut self.scratch);
    }

    fn mul(&mut self, out: usize, a: usize, b: usize) {
        let [out, a, b] = [out, a, b].map(|index| self.at(index));
        self.ring.mul(self.rows.all_mut(), out, a, b, &mut self.scratch);
    }

    fn sqr_n(&mut self, out: usize, a: usize, count: usize) {
        let [out, a] = [out, a].map(|index| self.at(index));
        self.ring.sqr_n(self.rows.all_mut(), out, a, count, &mut self.scratch);
    }

    /// The canonical number; `value` is memory to use.
    fn leave(&mut self, from: usize, value: &mut Vec<u64>) -> Natural {
        let from = self.at(from);
        value.resize(self.rows.words, 0);
        self.ring.leave(value, self.rows.all(), from, &mut self.scratch);
        Natural::from_limbs(value)
    }
}

/// Residues modulo the whole, each in the form of its kernels: in one part, in an odd one and a power of two, or modulo 1 in none.
#[derive(Debug, Default)]
pub(super) struct ResidueRoom {
    parts: Vec<PartResidues>,
    value: Vec<u64>,
}

impl ResidueRoom {
    /// Room for `capacity` residues in these forms. Errors: `bad_plan`, if the system does not have the memory; those of rings.
    pub(super) fn new(modulus: &Prepared<'_>, forms: &[Form], capacity: usize) -> Result<Self, Error> {
        let part = |form: &Form| PartResidues::of(*form, modulus.ring(form)?, capacity);
        Ok(Self { parts: forms.iter().map(part).collect::<Result<_, _>>()?, value: Vec::new() })
    }

    /// Room for `capacity` residues of the same forms. Error: as above.
    pub(super) fn alike(&self, capacity: usize) -> Result<Self, Error> {
        let part = |part: &PartResidues| PartResidues::of(part.form, part.ring.clone(), capacity);
        Ok(Self { parts: self.parts.iter().map(part).collect::<Result<_, _>>()?, value: Vec::new() })
    }

    /// Bytes of a residue.
    pub(super) fn bytes_each(&self) -> usize {
        self.parts.iter().map(|part| size_of::<u64>() * part.rows.words).sum()
    }

    /// Whether the residues of both lie alike, for equal moduli.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.parts.len() == other.parts.len()
            && (self.parts.iter().zip(&other.parts)).all(|(a, b)| a.form.is_as_wide(&b.form))
    }

    pub(super) fn grow(&mut self, count: usize) -> Result<(), Error> {
        self.parts.iter_mut().try_for_each(|part| part.rows.grow(count))
    }

    pub(super) fn enter(&mut self, out: usize, value: &Natural) {
        self.parts.iter_mut().for_each(|part| part.enter(out, value.limbs()));
    }

    pub(super) fn one(&mut self, out: usize) {
        self.parts.iter_mut().for_each(|part| part.one(out));
    }

    pub(super) fn mul(&mut self, out: usize, a: usize, b: usize) {
        self.parts.iter_mut().for_each(|part| part.mul(out, a, b));
    }

    pub(super) fn sqr_n(&mut self, out: usize, a: usize, count: usize) {
        self.parts.iter_mut().for_each(|part| part.sqr_n(out, a, count));
    }

    /// Copies residue `from` of other room in the same forms.
    pub(super) fn bring(&mut self, out: usize, other: &Self, from: usize) {
        for (part, other) in self.parts.iter_mut().zip(&other.parts) {
            part.rows.row_mut(out).copy_from_slice(other.rows.row(from));
        }
    }

    pub(super) fn copy(&mut self, out: usize, from: usize) {
        for part in &mut self.parts {
            let (out, from, words) = (part.at(out), part.at(from), part.rows.words);
            part.rows.all_mut().copy_within(from..from + words, out);
        }
    }

    /// The canonical number.
    pub(super) fn leave(&mut self, modulus: &Prepared<'_>, from: usize) -> Natural {
        let value = &mut self.value;
        joined(modulus, self.parts.iter_mut().map(|part| part.leave(from, value)))
    }
}

/// The number that has these residues modulo the parts.
fn joined(modulus: &Prepared<'_>, mut residues: impl Iterator<Item = Natural>) -> Natural {
    let mut residue = residues.next().unwrap_or_default();
    if let Some(two) = residues.next() {
        even::recombine(modulus, &mut residue, &two);
    }
    residue
}
