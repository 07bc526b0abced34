//! The ring: constants, numbers in and out, residues in tables.

#![allow(unsafe_code)]

use super::product::{clear_edges, lanes, spread};
use super::reduction::{DotTask, DotWork, room_lanes};
use super::shape::{self, RADIX_BITS};
use super::unit::DotUnit;
use crate::kernel::hensel::quickest_inverse;
use crate::kernel::limbs::bits_from;
use crate::kernel::short::ShortFactor;
use crate::kernel::{ModulusParts, Ring, cache_line};
use crate::natural::linear;
use alloc::vec;
use alloc::vec::Vec;

const LOW: i32 = (1 << RADIX_BITS) - 1;

/// The residues modulo one odd m in Montgomery form x R, R = 2^(13 n) >= 16 m, four digits to a word. A residue is less than m in size and may be
/// negative.
#[derive(Debug)]
pub(super) struct DotRing<U> {
    unit: U,
    /// n.
    digits: usize,
    /// From a cache line on: the lanes of m, those of m^-1 mod R; m.
    words: Vec<u64>,
    origin: usize,
    modulus_words: usize,
    division: ShortFactor<u64>,
}

/// The digits of a number modulo R: at most 2^12 in size.
fn digits_of(value: &[u64], n: usize) -> Vec<i16> {
    let mut digits: Vec<i16> = (0..n).map(|i| bits_from(value, 0, RADIX_BITS * i) as i16 & LOW as i16).collect();
    balance(&mut digits);
    digits
}

/// Makes digits at most 2^12 in size, modulo R.
fn balance(digits: &mut [i16]) {
    let mut carry = 0;
    for digit in digits {
        let sum = i32::from(*digit) + carry + (LOW + 1) / 2;
        (*digit, carry) = (((sum & LOW) - (LOW + 1) / 2) as i16, sum >> RADIX_BITS);
    }
}

/// Makes the digits of a number of size below R limbs of 13 bits; all ones if it is negative, and then the limbs count R more.
fn to_limbs(digits: &mut [i16]) -> i32 {
    let mut carry = 0;
    for digit in digits {
        let sum = i32::from(*digit) + carry;
        (*digit, carry) = ((sum & LOW) as i16, sum >> RADIX_BITS);
    }
    carry
}

/// Words of the lanes of a number of n digits.
fn lane_words(n: usize) -> usize {
    lanes(n) / 2
}

impl<U: DotUnit> DotRing<U> {
    pub(super) fn new(unit: U, parts: &ModulusParts<'_>) -> Self {
        let (n, m) = (shape::digits(parts.odd_bits), parts.odd);
        let fixed = 2 * lane_words(n);
        let mut words = vec![0; fixed + m.len() + cache_line::spare::<u64>()];
        let origin = cache_line::first_word(&words);
        let (numbers, rest) = words[origin..].split_at_mut(fixed);
        rest[..m.len()].copy_from_slice(m);
        let inverse = quickest_inverse(m, RADIX_BITS * n);
        for (to, value) in numbers.chunks_exact_mut(lane_words(n)).zip([m, &inverse]) {
            // SAFETY: both have the lengths for n digits.
            unsafe {
                clear_edges(unit, to.as_mut_ptr().cast(), n);
                spread(unit, to.as_mut_ptr().cast(), digits_of(value, n).as_ptr(), n);
            }
        }
        Self { unit, digits: n, words, origin, modulus_words: m.len(), division: parts.short_factor() }
    }

    fn modulus(&self) -> &[u64] {
        &self.words[self.origin + 2 * lane_words(self.digits)..][..self.modulus_words]
    }

    /// Runs a task on residues of an arena: the offsets of its result and its factors.
    fn run(
        &self,
        arena: &mut [u64],
        at: [usize; 3],
        scratch: &mut [u64],
        task: impl FnOnce([*const i16; 2]) -> DotTask,
    ) {
        let (n, words, room) = (self.digits, self.words(), cache_line::aligned(scratch));
        let inside = at.iter().all(|&at| at <= arena.len() && words <= arena.len() - at);
        assert!(inside && room.len() >= room_lanes(n) / 2, "residues lie within the arena");
        let start = arena.as_mut_ptr();
        let [out, a, b] = at.map(|at| start.wrapping_add(at).cast::<i16>());
        let task = task([a, b].map(<*mut i16>::cast_const));
        let m = self.words[self.origin..].as_ptr().cast::<i32>();
        let m_inverse = m.wrapping_add(lanes(n));
        self.unit.run(&DotWork { n, m, m_inverse, task, out, room: room.as_mut_ptr().cast() });
        debug_assert!(self.is_residue(&arena[at[0]..][..words]), "a residue in range");
    }

    /// The digits of a residue.
    fn digits(&self, residue: &[u64]) -> Vec<i16> {
        let digits = residue[..shape::words(self.digits)].as_ptr().cast::<i16>();
        // SAFETY: a word has four digits.
        (0..self.digits).map(|i| unsafe { digits.add(i).read() }).collect()
    }

    fn put(&self, residue: &mut [u64], digits: &[i16]) {
        assert!(digits.len() == self.digits);
        let out = residue[..shape::words(self.digits)].as_mut_ptr().cast::<i16>();
        // SAFETY: a word has four digits.
        digits.iter().enumerate().for_each(|(i, digit)| unsafe { out.add(i).write(*digit) });
    }

    /// The limbs of 13 bits of m.
    fn modulus_limbs(&self) -> impl Iterator<Item = i16> {
        (0..self.digits).map(|i| bits_from(self.modulus(), 0, RADIX_BITS * i) as i16 & LOW as i16)
    }

    /// Makes the digits of a number between -m and m the limbs of 13 bits of the canonical number.
    fn canonical(&self, digits: &mut [i16]) {
        let negative = to_limbs(digits);
        for (digit, m) in digits.iter_mut().zip(self.modulus_limbs()) {
            *digit += m & negative as i16;
        }
        let carried = to_limbs(digits);
        debug_assert!(carried + negative == 0);
    }

    /// Whether digits are in range and their number less than m in size.
    fn is_residue(&self, residue: &[u64]) -> bool {
        let mut size = self.digits(residue);
        let in_range = size.iter().all(|digit| digit.unsigned_abs() <= (1 << (RADIX_BITS - 1)) + 33);
        if to_limbs(&mut size.clone()) != 0 {
            size.iter_mut().for_each(|digit| *digit = -*digit);
        }
        let mut rest: Vec<i16> = self.modulus_limbs().zip(size).map(|(m, size)| m - size).collect();
        in_range && to_limbs(&mut rest) == 0
    }
}

impl<U: DotUnit> Ring<u64> for DotRing<U> {
    fn words(&self) -> usize {
        shape::words(self.digits)
    }

    fn bytes(&self) -> usize {
        size_of_val(&*self.words)
    }

    fn scratch_words(&self) -> usize {
        room_lanes(self.digits) / 2 + cache_line::spare::<u64>()
    }

    fn packed_words(&self) -> usize {
        self.digits
    }

    fn pack(&self, packed: &mut [u64], arena: &[u64], from: usize) {
        let mut digits = self.digits(&arena[from..]);
        self.canonical(&mut digits);
        packed.iter_mut().zip(digits).for_each(|(packed, digit)| *packed = digit as u64);
    }

    fn unpack(&self, arena: &mut [u64], out: usize, packed: &[u64]) {
        let mut digits: Vec<i16> = packed.iter().map(|&limb| limb as i16).collect();
        balance(&mut digits);
        self.put(&mut arena[out..], &digits);
    }

    fn one(&self, arena: &mut [u64], out: usize, scratch: &mut [u64]) {
        self.enter(arena, out, &[1], scratch);
    }

    fn enter(&self, arena: &mut [u64], out: usize, value: &[u64], _scratch: &mut [u64]) {
        let m = self.modulus();
        let (mut limbs, mut room) = (vec![0; m.len()], vec![0; m.len() + 1]);
        self.division.enter_shifted(&mut limbs, value, RADIX_BITS * self.digits, m, &mut room);
        self.put(&mut arena[out..], &digits_of(&limbs, self.digits));
    }

    fn add_canonical(&self, arena: &mut [u64], out: usize, c: usize) -> bool {
        let mut sum = self.digits(&arena[out..]);
        sum.iter_mut().zip(self.digits(&arena[c..])).for_each(|(sum, c)| *sum += c);
        balance(&mut sum);
        self.put(&mut arena[out..], &sum);
        true
    }

    /// A residue or a sum of two, times R^-1, is less than m in size, so one addition of m makes it canonical.
    fn leave(&self, value: &mut [u64], arena: &[u64], from: usize, scratch: &mut [u64]) {
        let words = self.words();
        value.copy_from_slice(&arena[from..from + words]);
        self.run(value, [0; 3], scratch, |[a, _]| DotTask::Leave(a));
        let mut limbs = self.digits(value);
        self.canonical(&mut limbs);
        value.fill(0);
        for (index, limb) in limbs.into_iter().enumerate() {
            let (at, low) = (RADIX_BITS * index / 64, RADIX_BITS * index % 64);
            value[at] |= (limb as u64) << low;
            if low > 64 - RADIX_BITS && at + 1 < words {
                value[at + 1] |= limb as u64 >> (64 - low);
            }
        }
    }

    fn mul(&self, arena: &mut [u64], out: usize, a: usize, b: usize, scratch: &mut [u64]) {
        self.run(arena, [out, a, b], scratch, DotTask::Product);
    }

    fn sqr(&self, arena: &mut [u64], out: usize, a: usize, scratch: &mut [u64]) {
        self.sqr_n(arena, out, a, 1, scratch);
    }

    fn sqr_n(&self, arena: &mut [u64], out: usize, a: usize, count: usize, scratch: &mut [u64]) {
        self.run(arena, [out, a, a], scratch, |[a, _]| DotTask::Squarings(a, count));
    }

    /// The factor enters the ring first.
    fn mul_small(&self, arena: &mut [u64], out: usize, a: usize, small: u64, scratch: &mut [u64]) {
        let words = self.words();
        let mut both = vec![0; 2 * words];
        let (factor, product) = both.split_at_mut(words);
        self.enter(factor, 0, &[small], scratch);
        product.copy_from_slice(&arena[a..][..words]);
        self.mul(&mut both, 0, 0, words, scratch);
        arena[out..][..words].copy_from_slice(&both[..words]);
    }
}

impl<U> Drop for DotRing<U> {
    /// The modulus may be a secret factor.
    fn drop(&mut self) {
        linear::wipe(&mut self.words);
        self.division.wipe();
    }
}
