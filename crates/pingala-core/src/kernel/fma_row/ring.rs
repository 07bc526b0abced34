//! The ring: constants, numbers in and out, residues in tables.

#![allow(unsafe_code)]

use super::product::{ROOM_WORDS, RowModulus, RowTask, RowWork, starts};
use super::shape::RowShape;
use super::unit::{DoubleRows, LANES, LOW, RADIX_BITS, START_WORDS};
use crate::kernel::limbs::{add_assign, bits_from, join_all};
use crate::kernel::short::ShortFactor;
use crate::kernel::{ModulusParts, Ring, cache_line};
use crate::natural::linear;
use alloc::vec;
use alloc::vec::Vec;

/// The residues modulo one odd m: themselves, as signed digits, each a double in a word. A residue is below 2^(s+1) m in size, see
/// [`super::product`].
#[derive(Debug)]
pub(super) struct FmaRow<U> {
    unit: U,
    shape: RowShape,
    /// From a cache line on: the table, n rows of n digits, block by block; the digits of -2^s m; the starts of products and of squares; 2^(s+1) m in
    /// limbs of 52 bits; m.
    words: Vec<u64>,
    origin: usize,
    modulus_words: usize,
    /// See [`RowModulus::ratio`].
    ratio: f64,
    division: ShortFactor<u64>,
}

/// A digit as it lies in memory.
fn double(digit: i64) -> u64 {
    (digit as f64).to_bits()
}

/// Makes these limbs of 52 bits of a number below 2^(52n-1) signed digits; the top one may be 2^51.
fn put(out: &mut [u64], limbs: impl Iterator<Item = u64>, negative: bool) {
    let (mut carry, top) = (0, out.len() - 1);
    for (index, (out, limb)) in out.iter_mut().zip(limbs).enumerate() {
        let digit = limb as i64 + carry;
        carry = i64::from(digit >= 1 << (RADIX_BITS - 1) && index < top);
        let digit = digit - (carry << RADIX_BITS);
        debug_assert!(digit <= 1 << (RADIX_BITS - 1));
        *out = double(if negative { -digit } else { digit });
    }
}

/// The limbs of 52 bits of a number, without end.
fn limbs_of(value: &[u64]) -> impl Iterator<Item = u64> {
    (0..).map(|i| bits_from(value, 0, RADIX_BITS * i) & LOW)
}

/// The number of these digits plus this offset, in limbs of 52 bits; returns what is carried out, -1 for a negative number.
fn add_digits(limbs: &mut [u64], digits: &[u64], offset: Option<&[u64]>) -> i64 {
    let mut carry = 0;
    for (index, limb) in limbs.iter_mut().enumerate() {
        let sum = f64::from_bits(digits[index]) as i64 + offset.map_or(0, |offset| offset[index] as i64) + carry;
        (*limb, carry) = (sum as u64 & LOW, sum >> RADIX_BITS);
    }
    carry
}

/// 2^exponent.
fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << RADIX_BITS)
}

impl<U: DoubleRows> FmaRow<U> {
    pub(super) fn new(unit: U, parts: &ModulusParts<'_>) -> Self {
        let shape = RowShape::new(parts.odd_bits);
        let (n, s, m) = (shape.digits, shape.multiple_bits, parts.odd);
        let division = ShortFactor::of_public_bits(m, parts.odd_bits);
        let fixed = n * n + n + START_WORDS * n + n;
        let mut words = vec![0; fixed + m.len() + cache_line::spare::<u64>()];
        let origin = cache_line::first_word(&words);
        // The leading 64 bits, from 2^63 on, and 2^116 over them: an integer of at most 53 bits, cut by less than 2^-52, whatever the host rounds.
        let bits = parts.odd_bits;
        let leading = bits_from(m, 64usize.saturating_sub(bits), bits.saturating_sub(64));
        let quotient = (1u128 << 116) / u128::from(leading);
        let ratio = quotient as f64 * power_of_two((RADIX_BITS * (n - 1)) as i32 - s as i32 - bits as i32 + 64 - 116);
        let (table, rest) = words[origin..].split_at_mut(n * n);
        let (multiple, rest) = rest.split_at_mut(n);
        let (starting, rest) = rest.split_at_mut(START_WORDS * n);
        let (offset, rest) = rest.split_at_mut(n);
        rest[..m.len()].copy_from_slice(m);
        let shifted = |shift: usize| (0..n).map(move |i| bits_from(m, shift, RADIX_BITS * i) & LOW);
        put(multiple, shifted(s), true);
        offset.iter_mut().zip(shifted(s + 1)).for_each(|(limb, of)| *limb = of);
        for (out, square) in starting.chunks_exact_mut(START_WORDS * n / 2).zip([false, true]) {
            out.copy_from_slice(&starts(&shape, square));
        }
        fill(table, &shape, m, &division);
        Self { unit, shape, words, origin, modulus_words: m.len(), ratio, division }
    }

    /// 2^(s+1) m in limbs of 52 bits.
    fn offset(&self) -> &[u64] {
        let n = self.shape.digits;
        &self.words[self.origin + n * n + n + START_WORDS * n..][..n]
    }

    fn modulus(&self) -> &[u64] {
        let n = self.shape.digits;
        &self.words[self.origin + n * n + 2 * n + START_WORDS * n..][..self.modulus_words]
    }

    fn constants(&self) -> RowModulus {
        let (n, at) = (self.shape.digits, self.words[self.origin..].as_ptr());
        let multiple = at.wrapping_add(n * n);
        let starts = [multiple.wrapping_add(n), multiple.wrapping_add(n + START_WORDS * n / 2)];
        RowModulus { shape: self.shape, table: at, multiple, starts, ratio: self.ratio }
    }

    /// Runs a task on residues of an arena: the offsets of its result and its factors.
    fn run(
        &self,
        arena: &mut [u64],
        at: [usize; 3],
        scratch: &mut [u64],
        task: impl FnOnce([*const u64; 2]) -> RowTask,
    ) {
        let (words, room) = (self.words(), cache_line::aligned(scratch));
        let inside = at.iter().all(|&at| at <= arena.len() && words <= arena.len() - at);
        assert!(inside && room.len() >= ROOM_WORDS * self.shape.digits, "residues lie within the arena");
        let start = arena.as_mut_ptr();
        let [out, a, b] = at.map(|at| start.wrapping_add(at + LANES));
        let task = task([a, b].map(<*mut u64>::cast_const));
        self.unit.run(&RowWork { constants: self.constants(), task, out, room: room.as_mut_ptr() });
        debug_assert!(self.is_in_range(&arena[at[0]..][..words]), "a residue in range");
    }

    /// Whether digits are below 2^51 + 2^10 in size, and their number below 2^(s+1) m.
    fn is_in_range(&self, residue: &[u64]) -> bool {
        let (n, most) = (self.shape.digits, ((1u64 << (RADIX_BITS - 1)) + (1 << 10)) as f64);
        let digits = &residue[LANES..][..n];
        let mut limbs = vec![0; n];
        let whole = |digit: f64| digit as i64 as f64 == digit;
        let small = digits.iter().map(|&bits| f64::from_bits(bits)).all(|digit| digit.abs() <= most && whole(digit));
        // 0 < V + 2^(s+1) m < 2^(s+2) m.
        let sign = add_digits(&mut limbs, digits, Some(self.offset()));
        let mut bound = self.offset().to_vec();
        add_assign(&mut bound, self.offset(), RADIX_BITS as u32);
        small && sign == 0 && limbs.iter().rev().lt(bound.iter().rev())
    }

    /// Sets a residue to a number below m.
    fn spread(&self, residue: &mut [u64], value: &[u64]) {
        residue.fill(0);
        put(&mut residue[LANES..][..self.shape.digits], limbs_of(value), false);
    }
}

/// Fills the table: row i has the digits of 2^(52(n+i)) mod m, or of that less m, whichever is smaller in size.
fn fill(table: &mut [u64], shape: &RowShape, m: &[u64], division: &ShortFactor<u64>) {
    let RowShape { digits: n, vectors, .. } = *shape;
    let width = LANES * vectors;
    let (mut row, mut other, mut room) = (vec![0; m.len()], vec![0; m.len()], vec![0; m.len() + 1]);
    let mut digits = vec![0; n];
    division.enter_shifted(&mut row, &[1], RADIX_BITS * n, m, &mut room);
    for i in 0..n {
        other.copy_from_slice(m);
        linear::sub_shorter(&mut other, &row);
        let negative = other.iter().rev().lt(row.iter().rev());
        put(&mut digits, limbs_of(if negative { &other } else { &row }), negative);
        for (block, digits) in digits.chunks_exact(width).enumerate() {
            table[width * (n * block + i)..][..width].copy_from_slice(digits);
        }
        if i + 1 < n {
            division.enter_shifted(&mut other, &row, RADIX_BITS, m, &mut room);
            core::mem::swap(&mut row, &mut other);
        }
    }
}

impl<U: DoubleRows> Ring<u64> for FmaRow<U> {
    fn words(&self) -> usize {
        self.shape.words()
    }

    fn bytes(&self) -> usize {
        size_of_val(&*self.words)
    }

    fn scratch_words(&self) -> usize {
        ROOM_WORDS * self.shape.digits + cache_line::spare::<u64>()
    }

    fn packed_words(&self) -> usize {
        self.shape.digits
    }

    /// The limbs of a number that is not negative.
    fn pack(&self, packed: &mut [u64], arena: &[u64], from: usize) {
        let digits = &arena[from + LANES..];
        if add_digits(packed, digits, None) < 0 {
            add_digits(packed, digits, Some(self.offset()));
        }
    }

    fn unpack(&self, arena: &mut [u64], out: usize, packed: &[u64]) {
        let residue = &mut arena[out..][..self.words()];
        residue.fill(0);
        put(&mut residue[LANES..][..packed.len()], packed.iter().copied(), false);
    }

    fn one(&self, arena: &mut [u64], out: usize, _scratch: &mut [u64]) {
        self.spread(&mut arena[out..][..self.words()], &[1]);
    }

    fn enter(&self, arena: &mut [u64], out: usize, value: &[u64], _scratch: &mut [u64]) {
        let m = self.modulus();
        let (mut limbs, mut room) = (vec![0; m.len()], vec![0; m.len() + 1]);
        self.division.enter_shifted(&mut limbs, value, 0, m, &mut room);
        self.spread(&mut arena[out..][..self.words()], &limbs);
    }

    fn leave(&self, value: &mut [u64], arena: &[u64], from: usize, _scratch: &mut [u64]) {
        let (n, m) = (self.shape.digits, self.modulus());
        let (mut limbs, mut words) = (vec![0; n], vec![0; (RADIX_BITS * n).div_ceil(64)]);
        // Below 2^(s+2) m <= 2^(52n).
        let carry = add_digits(&mut limbs, &arena[from + LANES..], Some(self.offset()));
        debug_assert!(carry == 0);
        join_all::<RADIX_BITS>(&mut words, &limbs);
        let (value, rest) = value.split_at_mut(m.len());
        self.division.enter_shifted(value, &words, 0, m, &mut vec![0; m.len() + 1]);
        rest.fill(0);
    }

    fn mul(&self, arena: &mut [u64], out: usize, a: usize, b: usize, scratch: &mut [u64]) {
        self.run(arena, [out, a, b], scratch, RowTask::Product);
    }

    fn sqr(&self, arena: &mut [u64], out: usize, a: usize, scratch: &mut [u64]) {
        self.sqr_n(arena, out, a, 1, scratch);
    }

    fn sqr_n(&self, arena: &mut [u64], out: usize, a: usize, count: usize, scratch: &mut [u64]) {
        self.run(arena, [out, a, a], scratch, |[a, _]| RowTask::Squarings(a, count));
    }

    /// A factor below 2^48 takes one row. Others enter the ring first.
    fn mul_small(&self, arena: &mut [u64], out: usize, a: usize, small: u64, scratch: &mut [u64]) {
        if small >> 48 == 0 {
            return self.run(arena, [out, a, a], scratch, |[a, _]| RowTask::Short(a, small as f64));
        }
        let mut both = vec![0; 2 * self.words()];
        let (factor, product) = both.split_at_mut(self.words());
        self.enter(factor, 0, &[small], scratch);
        product.copy_from_slice(&arena[a..][..self.words()]);
        self.mul(&mut both, 0, 0, self.words(), scratch);
        arena[out..][..self.words()].copy_from_slice(&both[..self.words()]);
    }
}
