//! Residues in the form of one kernel, or of two that share an even modulus, and their products.

use crate::engine::execute::{Poll, Prepared, Watch, even, parallel_in_order, report_done, reserve};
use crate::error::{Error, pairs};
use crate::kernel::registry::Form;
use crate::kernel::{SharedRing, cache_line};
use crate::natural::Natural;
use crate::work::residues::plan::Shares;
use std::sync::{Mutex, PoisonError};

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
        self.enlarge((2 * self.capacity).max(count + 1))
    }

    /// Makes room for `capacity` residues, more than there is room for. Error: as [`Rows::new`].
    fn enlarge(&mut self, capacity: usize) -> Result<(), Error> {
        let mut larger = Self::new(self.words, capacity)?;
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

    /// The canonical product by a plain number. It overwrites `room`.
    fn leave_times(&mut self, from: usize, plain: &[u64], room: usize, value: &mut Vec<u64>) -> Natural {
        let at = self.at(from);
        value.resize(self.rows.words, 0);
        if self.ring.leave_times(value, self.rows.all(), at, plain, &mut self.scratch) {
            return Natural::from_limbs(value);
        }
        self.enter(room, plain);
        self.mul(room, from, room);
        self.leave(room, value)
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

    /// Makes room for `more` residues than `count`.
    pub(super) fn reserve(&mut self, count: usize, more: usize) -> Result<(), Error> {
        let capacity = count.saturating_add(more);
        self.parts
            .iter_mut()
            .filter(|part| part.rows.capacity < capacity)
            .try_for_each(|part| part.rows.enlarge(capacity))
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

    pub(super) fn prefetch(&self, at: usize) {
        self.parts.iter().for_each(|part| cache_line::prefetch(part.rows.row(at)));
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

    /// The canonical product by a plain number. It overwrites residue `room`.
    pub(super) fn leave_times(&mut self, modulus: &Prepared<'_>, from: usize, by: &Natural, room: usize) -> Natural {
        let value = &mut self.value;
        joined(modulus, self.parts.iter_mut().map(|part| part.leave_times(from, by.limbs(), room, value)))
    }

    /// The residues of each part, in shares of `elements` from residue `first` on.
    fn shares(&mut self, first: usize, elements: usize) -> Vec<Vec<&mut [u64]>> {
        let mut shares: Vec<Vec<&mut [u64]>> = Vec::new();
        for part in &mut self.parts {
            let words = part.rows.words;
            for (index, share) in part.rows.all_mut()[first * words..].chunks_mut(elements * words).enumerate() {
                if index == shares.len() {
                    shares.push(Vec::new());
                }
                shares[index].push(share);
            }
        }
        shares
    }

    /// Writes residue `from` to place `at` of a share.
    fn store(&self, share: &mut [&mut [u64]], at: usize, from: usize) {
        for (part, share) in self.parts.iter().zip(share) {
            let words = part.rows.words;
            share[at * words..][..words].copy_from_slice(part.rows.row(from));
        }
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

/// Work on the elements of a list, on several threads.
pub(super) struct SharedWork<'w> {
    count: usize,
    shares: Shares,
    watch: Option<&'w dyn Watch>,
    /// Memory, one for each thread.
    rooms: Mutex<Vec<ResidueRoom>>,
}

impl<'w> SharedWork<'w> {
    /// Work on `count` elements, each thread in a room that `room` makes. Error: that of `room`.
    pub(super) fn new(
        count: usize,
        shares: Shares,
        watch: Option<&'w dyn Watch>,
        room: impl Fn() -> Result<ResidueRoom, Error>,
    ) -> Result<Self, Error> {
        let rooms = (0..shares.threads).map(|_| room()).collect::<Result<_, _>>()?;
        Ok(Self { count, shares, watch, rooms: Mutex::new(rooms) })
    }

    /// Hands shares to the threads: `work(room, share)` says how many elements it has. Gives the rooms. Error: `interrupted`.
    fn run<T: Send>(
        self,
        shares: impl Iterator<Item = T> + Send,
        work: impl Fn(&mut ResidueRoom, T) -> usize + Sync,
    ) -> Result<Vec<ResidueRoom>, Error> {
        let Self { count, shares: Shares { threads, .. }, watch, rooms } = self;
        let free = || rooms.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let each = |(): &mut (), room: &mut Option<ResidueRoom>, share: T, _: &Poll<'_>| {
            if room.is_none() {
                *room = free();
            }
            room.as_mut().map_or(0, |room| work(room, share))
        };
        let (used, finished) = parallel_in_order(shares, threads, watch, (0, count), each)?;
        if finished != count {
            return Err(Error::Fault("elements of a list were left out"));
        }
        report_done(watch, count)?;
        Ok(used.into_iter().flatten().collect())
    }

    /// The number of each element. Error: `interrupted`.
    pub(super) fn numbers(
        self,
        number: impl Fn(&mut ResidueRoom, usize) -> Natural + Sync,
    ) -> Result<Vec<Natural>, Error> {
        let elements = self.shares.elements;
        let mut numbers = Vec::new();
        reserve(&mut numbers, self.count)?;
        numbers.resize(self.count, Natural::default());
        self.run(numbers.chunks_mut(elements).enumerate(), |room, (share, out)| {
            out.iter_mut().enumerate().for_each(|(at, out)| *out = number(room, share * elements + at));
            out.len()
        })?;
        Ok(numbers)
    }

    /// Leaves the residue of each element in `out`, from residue `first` on: `residue(room, index)` computes it as residue 0 of the room.
    /// Error: `interrupted`.
    pub(super) fn residues(
        self,
        out: &mut ResidueRoom,
        first: usize,
        residue: impl Fn(&mut ResidueRoom, usize) + Sync,
    ) -> Result<(), Error> {
        let (elements, count) = (self.shares.elements, self.count);
        let starts = (0..count).step_by(elements);
        let mut shares = out.shares(first, elements);
        shares.resize_with(starts.len(), Vec::new);
        self.run(pairs(starts, shares)?, |room, (start, mut share)| {
            let length = elements.min(count - start);
            for at in 0..length {
                residue(room, start + at);
                room.store(&mut share, at, 0);
            }
            length
        })?;
        Ok(())
    }

    /// The row of each element, `width` bytes of `out`: `row(room, index, bytes)`. Error: `interrupted`.
    pub(super) fn rows(
        self,
        out: &mut [u8],
        width: usize,
        row: impl Fn(&mut ResidueRoom, usize, &mut [u8]) + Sync,
    ) -> Result<(), Error> {
        let elements = self.shares.elements;
        self.run(out.chunks_mut(elements * width).enumerate(), |room, (share, out)| {
            let rows = out.chunks_exact_mut(width).enumerate();
            rows.map(|(at, out)| row(room, share * elements + at, out)).count()
        })?;
        Ok(())
    }

    /// Works on each element; gives the rooms of the threads that did. Error: `interrupted`.
    pub(super) fn rooms(self, work: impl Fn(&mut ResidueRoom, usize) + Sync) -> Result<Vec<ResidueRoom>, Error> {
        let (elements, count) = (self.shares.elements, self.count);
        self.run((0..count).step_by(elements), |room, start| {
            let length = elements.min(count - start);
            (start..start + length).for_each(|index| work(room, index));
            length
        })
    }
}
