//! The ring of one number along vectors: a product is columns ([`super::product`]), carries ([`super::carry`]), and a fold.
//!
//! **Folding.** No quotient waits for another one.
//! T = T_lo + 2^(52m) T_hi with T_lo = sum over i < m of T_i 2^(52i), T_i < 2^52. With the table
//! C_i = 2^(52(i - (m-1))) mod N, i = 0 .. m - 2:
//!
//!   S = 2^52 T_hi + T_(m-1) + sum T_i C_i + q N = T 2^(-52(m-1)) mod N,
//!
//! where q = -S_0 / N mod 2^52 makes the lowest limb 0. The result is S / 2^52 = T 2^(-52m) mod N. All of T_i C_i are
//! independent; q comes from one inner product of the T_i with D_i = -C_i / N mod 2^52 (D_(m-1) = -1 / N).
//!
//! **Range.** S / 2^52 < T_hi + ((m - 1) (2^52 + 2^12) N + 2^52 N + 2^53) / 2^52 < T_hi + mN + m 2^-40 N + 2. Where
//! T_hi < (m - 1) N that is below 2mN: nothing is ever subtracted. Operands below 2mN give T_hi <= T / 2^(52m) < (m - 1) N, see
//! [`super::shape::Shape`].
//!
//! **Columns.** lo(T_i C_ij) lies in column j of S, hi(T_i C_ij) and b_i C_ij in column j + 1; at most m of each, below 3m 2^52,
//! on top of the columns of T_hi, which are below 2m 2^52 and one carry: below 2^64 for m < 819, see [`super::product`].
//!
//! Lemmas: Fold.fold_divisible, Fold.fold_congruent, Fold.fold_below, Columns.row_fold_column, formal.row_columns
//! (proofs/README.md).

#![allow(unsafe_code)]
#![expect(clippy::needless_range_loop, reason = "one index for several arrays, constant bounds that unroll")]

use super::constants::{ONE, PLAIN_ONE, RR, RowConstants};
use super::shape::{LANES, Shape, tiles_downwards};
use super::{carry, pad, product, residues, scan, split_scratch};
use crate::exponent::SecretDigit;
use crate::kernel::Ring;
use crate::kernel::limbs::{add_assign, join_all, split};
use crate::kernel::short::ShortFactor;
use crate::kernel::vector::MASK;
use crate::kernel::vector::across::{VectorProgram, Vectors};
use crate::natural::{Natural, chores, linear};
use alloc::boxed::Box;
use alloc::vec;

/// The residues modulo one odd N in Montgomery form x R, R = 2^(52m), below 2mN; shape and bounds in [`Shape`] and
/// above. Or, without constants, the residues modulo 2^k, kept modulo R for m = 8V: the low half of a product is carried, and
/// nothing is reduced.
///
/// The set-up is constant-time in the value of the modulus; with `CT` so are the operations in the values of the residues.
/// Without, a rare carry takes a branch. L and k are public.
#[derive(Debug)]
pub(super) struct RowRing<O: Vectors, const CT: bool> {
    pub(super) ops: O,
    pub(super) shape: Shape,
    /// Squares of shorter numbers, in limbs, are products.
    pub(super) square_from: usize,
    /// The constants of an odd modulus; none modulo a power of two.
    pub(super) constants: Option<RowConstants>,
    /// The constants by which numbers enter where R^2 mod N was omitted; secret moduli always have R^2 mod N.
    /// Apart, so that a ring of a secret has no room for them, into which a move would copy what the stack held before.
    pub(super) short: Option<Box<ShortFactor<u64>>>,
}

impl<O: Vectors> RowRing<O, true> {
    /// The ring modulo 2^k, k >= 1. The threshold is the value of [`super::SQUARE_FROM`].
    pub(super) fn of_power_of_two(ops: O, k: usize, square_from: usize) -> Self {
        Self { ops, shape: Shape::of_power_of_two(k), square_from, constants: None, short: None }
    }
}

impl<O: Vectors, const CT: bool> RowRing<O, CT> {
    /// The constants of the division, where numbers enter by one. None with `CT`: secrets have a single path, the only one that
    /// the check of the machine code must follow.
    fn divider(&self) -> Option<&ShortFactor<u64>> {
        if CT { None } else { self.short.as_deref() }
    }

    /// Brings a number of any length into Montgomery form by a division on 64-bit limbs, where R^2 mod N was omitted.
    fn enter_by_division(
        &self,
        constants: &RowConstants,
        short: &ShortFactor<u64>,
        out: &mut [u64],
        value: &[u64],
        product: &mut [u64],
    ) {
        let modulus = constants.modulus64();
        let (limbs64, rest) = product.split_at_mut(modulus.len());
        short.enter_shifted(limbs64, value, 52 * self.shape.limbs, modulus, rest);
        self.spread(out, limbs64);
    }

    /// `residue` = these 64-bit limbs, modulo R.
    fn spread(&self, residue: &mut [u64], value: &[u64]) {
        residue.fill(0);
        split(&mut residue[LANES..][..self.shape.limbs], value, 0, 52);
    }

    /// `out = a b`, or without b `a^(2^count)`, for residues with their padding.
    ///
    /// # Safety
    /// The pointers are to whole residues and the same or disjoint; `out` may be written.
    unsafe fn product(&self, out: *mut u64, a: *const u64, b: Option<*const u64>, count: usize, product: &mut [u64]) {
        debug_assert!(product.len() == 2 * self.shape.span() && count > 0 && (count == 1 || b.is_none()));
        // Rings modulo a power of two have `CT`.
        let low = self.constants.is_none();
        let table = self.constants.as_ref().map_or(FoldTable::NONE, RowConstants::table);
        let (shape, square_from, product) = (self.shape, self.square_from, product.as_mut_ptr());
        let work = RowProduct::<CT> { shape, square_from, table, product, out, a, b, count };
        if const { CT } && low {
            work.run::<O, true>(self.ops)
        } else {
            work.run::<O, false>(self.ops)
        }
        // SAFETY: the caller's promise.
        debug_assert!(unsafe { self.in_range(core::slice::from_raw_parts(out, self.shape.words())) });
    }
}

impl<O: Vectors, const CT: bool> Ring<u64> for RowRing<O, CT> {
    fn words(&self) -> usize {
        self.shape.words()
    }

    fn bytes(&self) -> usize {
        self.constants.as_ref().map_or(0, RowConstants::bytes)
    }

    /// 2V vectors for a product, a residue, and the words that aligning them may skip.
    fn scratch_words(&self) -> usize {
        2 * self.shape.span() + self.shape.words() + LANES - 1
    }

    fn packed_words(&self) -> usize {
        self.shape.limbs
    }

    fn pack(&self, packed: &mut [u64], arena: &[u64], from: usize) {
        packed.copy_from_slice(&arena[from + LANES..][..self.shape.limbs]);
    }

    fn unpack(&self, arena: &mut [u64], out: usize, packed: &[u64]) {
        let (residue, limbs) = (&mut arena[out..][..self.words()], self.shape.limbs);
        residue[..LANES].fill(0);
        residue[LANES..][..limbs].copy_from_slice(packed);
        residue[LANES + limbs..].fill(0);
    }

    fn one(&self, arena: &mut [u64], out: usize, _scratch: &mut [u64]) {
        let out = &mut arena[out..][..self.words()];
        match &self.constants {
            Some(constants) => out.copy_from_slice(constants.residue(ONE)),
            None => self.spread(out, &[1]),
        }
    }

    /// Horner's rule over pieces c of 52m bits, from the top: A <- (A + c) R, one product by R^2 mod N each. A is brought
    /// below 2N first, and an A + c that runs over R loses 2N, by mask. A product of a number below R by one below 2N is
    /// below 2N + mN + N <= 2mN.
    ///
    /// Modulo a power of two all pieces but the lowest are left out.
    fn enter(&self, arena: &mut [u64], out: usize, value: &[u64], scratch: &mut [u64]) {
        let (m, piece_bits) = (self.shape.limbs, 52 * self.shape.limbs);
        let (product, sum) = split_scratch(&self.shape, scratch);
        let result = &mut arena[out..][..self.shape.words()];
        let Some(constants) = &self.constants else { return self.spread(result, value) };
        if let Some(short) = self.divider() {
            return self.enter_by_division(constants, short, result, value, product);
        }
        let rr = constants.residue(RR).as_ptr();
        result.fill(0);
        sum.fill(0);
        for piece in (0..(64 * value.len()).div_ceil(piece_bits)).rev() {
            let limbs = &mut sum[LANES..][..m];
            split(limbs, value, piece * piece_bits, 52);
            let own = result.as_mut_ptr();
            // SAFETY: result, sum and the constant are residues by their lengths.
            unsafe { self.short_product(constants, own, own, 1) };
            let over = add_assign(limbs, &result[LANES..][..m], 52);
            subtract_twice_if(limbs, constants.complement(), over);
            // SAFETY: as above.
            unsafe { self.product(result.as_mut_ptr(), sum.as_ptr(), Some(rr), 1, product) };
        }
    }

    /// By a division: for a constant.
    fn enter_canonical(&self, arena: &mut [u64], out: usize, value: &[u64], scratch: &mut [u64]) {
        self.enter(arena, out, value, scratch);
        let Some(constants) = &self.constants else { return };
        let residue = &mut arena[out..][..self.words()];
        let mut limbs64 = vec![0; self.shape.limbs64()];
        join_all::<52>(&mut limbs64, &residue[LANES..][..self.shape.limbs]);
        let modulus = Natural::from_limbs(constants.modulus64());
        self.spread(residue, chores::rem(&Natural::from_limbs(&limbs64), &modulus).limbs());
    }

    /// A sum is below (2m + 1) N. For two of them T_hi < (2m + 1)^2 / (4m + 8) N = ((m - 1) + 9 / (4m + 8)) N, see [`Shape`], and the product
    /// is below T_hi + mN + m 2^-40 N + 2 < 2mN.
    fn add_canonical(&self, arena: &mut [u64], out: usize, c: usize) -> bool {
        if self.constants.is_none() {
            return false;
        }
        let (low, high) = arena.split_at_mut(c);
        let limbs = self.shape.limbs;
        let carry = add_assign(&mut low[out + LANES..][..limbs], &high[LANES..][..limbs], 52);
        debug_assert_eq!(carry, 0, "(2m + 1) N is below 2^(52m)");
        true
    }

    /// a 1 / R is below 2mN again; a quotient estimate brings it below 2N, one subtraction by mask below N.
    fn leave(&self, value: &mut [u64], arena: &[u64], from: usize, scratch: &mut [u64]) {
        let a = &arena[from..][..self.shape.words()];
        let Some(constants) = &self.constants else {
            join_all::<52>(value, &a[LANES..][..self.shape.limbs]);
            return linear::truncate(value, self.shape.bits);
        };
        let (product, residue) = split_scratch(&self.shape, scratch);
        let (out, one) = (residue.as_mut_ptr(), constants.residue(PLAIN_ONE).as_ptr());
        // SAFETY: all are residues by their lengths.
        unsafe {
            self.product(out, a.as_ptr(), Some(one), 1, product);
            self.short_product(constants, out, out, 1);
        }
        let modulus = constants.modulus64();
        let below_2n = &mut product[..modulus.len()];
        join_all::<52>(below_2n, &residue[LANES..][..self.shape.limbs]);
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

    /// Modulo an odd number a factor of at most 32 bits takes one row and a quotient estimate. Others enter the ring first.
    ///
    /// Leaks: which of the two.
    fn mul_small(&self, arena: &mut [u64], out: usize, a: usize, small: u64, scratch: &mut [u64]) {
        let [out, a] = residues(arena, [out, a], self.shape.words());
        let (product, factor) = split_scratch(&self.shape, scratch);
        match &self.constants {
            // SAFETY: as in `mul`.
            Some(constants) if small >> 32 == 0 => return unsafe { self.short_product(constants, out, a, small) },
            Some(constants) => match self.divider() {
                Some(short) => self.enter_by_division(constants, short, factor, &[small], product),
                None => {
                    self.spread(factor, &[small]);
                    let (factor, rr) = (factor.as_mut_ptr(), constants.residue(RR).as_ptr());
                    // SAFETY: the factor and the constant are residues by their lengths.
                    unsafe { self.product(factor, factor, Some(rr), 1, product) };
                }
            },
            None => self.spread(factor, &[small]),
        }
        // SAFETY: as in `mul`; the factor is a residue by its length.
        unsafe { self.product(out, a, Some(factor.as_ptr()), 1, product) };
    }

    fn scan(&self, arena: &mut [u64], out: usize, table: usize, length: usize, digit: SecretDigit) {
        scan::scan(self.ops, &self.shape, arena, [out, table], length, digit);
    }

    fn scan_packed(&self, packed: &mut [u64], one: &[u64], table: &[u64], digit: SecretDigit) {
        scan::scan_packed(self.ops, packed, one, table, digit);
    }
}

/// `a -= 2 n` modulo 2^(52 length) if `condition` is 1, unchanged if it is 0; n by its complement in limbs, all ones
/// minus n.
fn subtract_twice_if(a: &mut [u64], complement: &[u64], condition: u64) {
    // a + 2 (2^(52 length) - 1 - n) + 2
    let mask = condition.wrapping_neg();
    let mut carry = 2 & mask;
    for (a, c) in a.iter_mut().zip(complement) {
        let sum = *a + ((2 * c) & mask) + carry;
        *a = sum & MASK;
        carry = sum >> 52;
    }
}

/// A product of residues, or consecutive squarings: a call for each would cost a tenth of a squaring of 512 bits.
struct RowProduct<const CT: bool> {
    shape: Shape,
    square_from: usize,
    table: FoldTable,
    product: *mut u64,
    out: *mut u64,
    a: *const u64,
    b: Option<*const u64>,
    /// The number of squarings; 1 with b.
    count: usize,
}

impl<const CT: bool> RowProduct<CT> {
    /// Runs a separate function for each number of vectors that is worth one; a single function for all takes a minute to compile.
    fn run<O: Vectors, const LOW: bool>(self, ops: O) {
        match self.shape.vectors {
            1 => ops.run(OfVectors::<CT, LOW, 1>(self)),
            2 => ops.run(OfVectors::<CT, LOW, 2>(self)),
            3 => ops.run(OfVectors::<CT, LOW, 3>(self)),
            4 if !LOW => ops.run(OfVectors::<CT, false, 4>(self)),
            5 => ops.run(OfVectors::<CT, LOW, 5>(self)),
            // Longer sums leave no registers free, and carries are a smaller part of their time.
            8 if !LOW => ops.run(OfVectors::<CT, false, 8>(self)),
            _ => ops.run(OfVectors::<CT, LOW, 0>(self)),
        }
    }
}

/// A product of V vectors, or of any number of them with V = 0; LOW modulo a power of two.
struct OfVectors<const CT: bool, const LOW: bool, const V: usize>(RowProduct<CT>);

impl<const CT: bool, const LOW: bool, const V: usize> VectorProgram for OfVectors<CT, LOW, V> {
    #[inline(always)]
    fn run<O: Vectors>(self, ops: O) {
        let RowProduct { shape, square_from, table, product: low, out, mut a, b, count } = self.0;
        let v = if V > 0 { V } else { shape.vectors };
        let limbs = if LOW { LANES * v } else { shape.limbs };
        let shape = Shape { vectors: v, limbs, ..shape };
        let high = low.wrapping_add(shape.span());
        for _ in 0..count {
            let b = if shape.limbs < square_from { Some(b.unwrap_or(a)) } else { b };
            // SAFETY: the contract of `RowRing::product`, and its scratch and table; from the second iteration on a is `out`.
            unsafe {
                let (out, a) = (out.add(LANES), a.add(LANES));
                match b {
                    Some(b) => product::half::<O, false, false, V>(ops, &shape, low, a, b.add(LANES)),
                    None => {
                        product::squares(ops, &shape, low, a);
                        product::half::<O, false, true, V>(ops, &shape, low, a, a);
                    }
                }
                if const { LOW } {
                    // The carry out of the top is a multiple of 2^(52m).
                    carry::carry::<O, CT>(ops, low, out, v);
                } else {
                    // The low half is carried while the high half is summed.
                    let carry = carry::carry::<O, CT>(ops, low, low, v);
                    let q = quotient(ops, &shape, low, table);
                    match b {
                        Some(b) => product::half::<O, true, false, V>(ops, &shape, high, a, b.add(LANES)),
                        None => product::half::<O, true, true, V>(ops, &shape, high, a, a),
                    }
                    fold::<O, V>(ops, &shape, out, low, q, carry, table);
                    carry::carry::<O, CT>(ops, out, out, v);
                }
                pad(ops, out, v);
            }
            a = out;
        }
    }
}

/// The constants of a modulus that a reduction needs.
#[derive(Clone, Copy)]
pub(super) struct FoldTable {
    /// The rows C_0 .. C_(m-2), N, tile by tile: all rows of the first vectors, then all rows of the next ones.
    pub(super) rows: *const u64,
    /// D_i in lane d + i of V vectors.
    pub(super) quotient: *const u64,
}

impl FoldTable {
    /// Modulo a power of two, where nothing is reduced.
    const NONE: Self = Self { rows: core::ptr::null(), quotient: core::ptr::null() };
}

/// q of T_lo, in the low 52 bits of all lanes; T_lo is carried.
///
/// # Safety
/// `t` has V vectors, the table is whole.
#[inline(always)]
pub(super) unsafe fn quotient<O: Vectors>(ops: O, shape: &Shape, t: *const u64, table: FoldTable) -> O::Vector {
    let mut products = ops.zero();
    for k in 0..shape.vectors {
        // SAFETY: the caller's promise.
        unsafe {
            let limbs = ops.load(t.add(LANES * k));
            products = ops.madd_low(products, limbs, ops.load(table.quotient.add(LANES * k)));
        }
    }
    ops.sum(products)
}

/// Computes the columns of S / 2^52 at `out` from T in its frame at `t`, from q and from the carry out of the low vectors. Of T
/// the low V vectors are carried; the high V vectors are columns.
///
/// # Safety
/// `t` has 2V vectors, `out` V, the table is whole. The parameter is V, or 0.
#[inline(always)]
pub(super) unsafe fn fold<O: Vectors, const V: usize>(
    ops: O,
    shape: &Shape,
    out: *mut u64,
    t: *const u64,
    q: O::Vector,
    carry: O::Vector,
    table: FoldTable,
) {
    let (v, m) = (shape.vectors, shape.limbs);
    // The lo columns of the tile above start with the lane that the top of this one needs.
    let mut above = ops.zero();
    tiles_downwards!(v, V, [1 2] [2 2] [3 2] [4 1] [5 1] [6 1] [7 1] [8 1] [9 1] [10 1], |k, G, SETS| {
        // SAFETY: the caller's promise; tile k has m rows of G vectors from vector k m on.
        unsafe {
            let (mut lows, mut highs) = ([[ops.zero(); G]; SETS], [[ops.zero(); G]; SETS]);
            let mut row = table.rows.add(LANES * k * m);
            let mut limb = t.add(shape.shift());
            let limbs_end = t.add(LANES * v - 1);
            if k == 0 {
                // T_(m-1), the top lane of T_lo.
                lows[0][0] = ops.up(ops.zero(), ops.load(t.add(LANES * (v - 1))));
            }
            // m - 1 rows, an odd number, then q's.
            while limb.add(SETS) <= limbs_end {
                for set in 0..SETS {
                    fold_row(ops, &mut lows[set], &mut highs[set], row, ops.broadcast(limb));
                    limb = limb.add(1);
                    row = row.add(LANES * G);
                }
            }
            while limb < limbs_end {
                fold_row(ops, &mut lows[0], &mut highs[0], row, ops.broadcast(limb));
                limb = limb.add(1);
                row = row.add(LANES * G);
            }
            fold_row(ops, &mut lows[SETS - 1], &mut highs[SETS - 1], row, q);
            let (low, mut high) = (sum_sets(ops, &lows), sum_sets(ops, &highs));
            for g in 0..G {
                // Column j of the result is column j + 1 of S.
                let next = if g + 1 < G { low[g + 1] } else { above };
                let sum = ops.add(high[g], ops.down(next, low[g]));
                high[g] = ops.add(sum, ops.load(t.add(LANES * (v + k + g))));
            }
            if k == 0 {
                // The dropped column is a multiple of 2^52; and the carry out of T_lo belongs to T_hi.
                high[0] = ops.add(high[0], ops.add(carry, ops.keep(1, ops.carry(low[0]))));
            }
            above = low[0];
            for g in 0..G {
                ops.store(out.add(LANES * (k + g)), high[g]);
            }
        }
    });
}

/// One row of the table times one limb.
#[inline(always)]
unsafe fn fold_row<O: Vectors, const G: usize>(
    ops: O,
    low: &mut [O::Vector; G],
    high: &mut [O::Vector; G],
    row: *const u64,
    limb: O::Vector,
) {
    for g in 0..G {
        // SAFETY: the caller's row has G vectors.
        let vector = unsafe { ops.load(row.add(LANES * g)) };
        low[g] = ops.madd_low(low[g], vector, limb);
        high[g] = ops.madd_high(high[g], vector, limb);
    }
}

/// The sums of all sets.
#[inline(always)]
fn sum_sets<O: Vectors, const G: usize, const SETS: usize>(ops: O, sets: &[[O::Vector; G]; SETS]) -> [O::Vector; G] {
    let mut sums = sets[0];
    for set in 1..SETS {
        for g in 0..G {
            sums[g] = ops.add(sums[g], sets[set][g]);
        }
    }
    sums
}
