//! Reduction by folding: no quotient waits for another one.
//!
//! T = T_lo + 2^(52m) T_hi with T_lo = sum over i < m of T_i 2^(52i), T_i < 2^52. With the table
//! C_i = 2^(52(i - (m-1))) mod N, i = 0 .. m - 2:
//!
//!   S = 2^52 T_hi + T_(m-1) + sum T_i C_i + q N = T 2^(-52(m-1)) mod N,
//!
//! where q = -S_0 / N mod 2^52 makes the lowest limb 0. The result is S / 2^52 = T 2^(-52m) mod N. All of T_i C_i are
//! independent; q comes from one inner product of the T_i with D_i = -C_i / N mod 2^52 (D_(m-1) = -1 / N).
//!
//! **Range.** S / 2^52 < T_hi + ((m - 1) 2^52 N + 2^52 N + 2^52) / 2^52 = T_hi + mN + 1. Where T_hi < mN that is at most
//! 2mN: nothing is ever subtracted. Operands below 2mN give T_hi <= T / 2^(52m) < mN, see [`super::shape::Shape`].
//!
//! **Columns.** lo(T_i C_ij) lies in column j of S, hi(T_i C_ij) in column j + 1; at most m of each, below 2m 2^52, on top
//! of the columns of T_hi, which are below 2m 2^52 too and one carry: below 2^64 for m < 1024, see [`super::product`].
//!
//! **Carries.** One parallel pass leaves limbs below 2^52 + 2^12. A limb that is still 2^52 or more passes 1 on, through any
//! run of limbs that are all ones. For random numbers that is rare (2^-40 a limb), so the public path tests for it and
//! ripples in a cold function; the constant-time path resolves all carries by one addition of bit masks, always.

#![allow(unsafe_code)]
#![expect(clippy::needless_range_loop, reason = "one index for several arrays, constant bounds that unroll")]

use super::shape::{LANES, Shape, tiles_downwards};
use super::vectors::{MASK, Vectors};

/// Carries `vectors` vectors of columns at `at` until all limbs are below 2^52. Lane 0 of what it returns is the carry
/// out of the top, the other lanes are 0.
///
/// With `CT` no branch and no address depends on the columns.
///
/// # Safety
/// `at` has that many vectors.
#[inline(always)]
pub(super) unsafe fn carry<O: Vectors, const CT: bool>(ops: O, at: *mut u64, vectors: usize) -> O::Vector {
    let mask = ops.splat(MASK);
    // SAFETY: the caller's promise.
    unsafe {
        let (below, any) = carry_once(ops, at, vectors);
        let out = ops.up(ops.zero(), below);
        if CT {
            // A branch on the limbs, in a build that nobody runs: tools/ct_disasm.py must find it.
            if cfg!(pingala_planted_leak = "row_branch") && ops.above(any, mask) == 0 {
                return out;
            }
            ops.add(out, ops.keep(1, ops.splat(carry_by_masks(ops, at, vectors))))
        } else if ops.above(any, mask) != 0 {
            ops.add(out, ops.keep(1, ops.splat(ripple(at, LANES * vectors))))
        } else {
            out
        }
    }
}

/// The parallel pass of [`carry`]: each column keeps 52 bits and the carry of the one below. Returns the carries of the top
/// vector, and all limbs in one vector by a logical or.
///
/// # Safety
/// `at` has that many vectors.
#[inline(always)]
pub(super) unsafe fn carry_once<O: Vectors>(ops: O, at: *mut u64, vectors: usize) -> (O::Vector, O::Vector) {
    let mask = ops.splat(MASK);
    let (mut below, mut any) = (ops.zero(), ops.zero());
    for k in 0..vectors {
        // SAFETY: the caller's promise.
        unsafe {
            let at = at.add(LANES * k);
            let columns = ops.load(at);
            let carries = ops.carries(columns);
            let limbs = ops.add(ops.and(columns, mask), ops.up(carries, below));
            below = carries;
            any = ops.or(any, limbs);
            ops.store(at, limbs);
        }
    }
    (below, any)
}

/// The rare case of [`carry`], exact and serial; returns the carry out.
///
/// # Safety
/// `at` has `limbs` words.
#[cold]
#[inline(never)]
unsafe fn ripple(at: *mut u64, limbs: usize) -> u64 {
    let mut carry = 0;
    for i in 0..limbs {
        // SAFETY: the caller's promise.
        unsafe {
            let limb = *at.add(i) + carry;
            *at.add(i) = limb & MASK;
            carry = limb >> 52;
        }
    }
    carry
}

/// The same without a branch, for limbs below 2^53 - 1; returns the carry out.
///
/// A limb above 2^52 - 1 generates a carry, one equal to it passes a carry on, and never both: see [`receivers`]. Eight
/// vectors are one 64-bit addition.
///
/// # Safety
/// `at` has `vectors` vectors.
#[inline(always)]
unsafe fn carry_by_masks<O: Vectors>(ops: O, at: *mut u64, vectors: usize) -> u64 {
    let mask = ops.splat(MASK);
    let mut carry = 0;
    let mut start = 0;
    while start < vectors {
        let count = if vectors - start < LANES { vectors - start } else { LANES };
        // SAFETY: the caller's promise.
        unsafe {
            let at = at.add(LANES * start);
            let (mut generate, mut pass) = (0u64, 0u64);
            for k in 0..count {
                let limbs = ops.load(at.add(LANES * k));
                generate |= u64::from(ops.above(limbs, mask)) << (LANES * k);
                pass |= u64::from(ops.equal(limbs, mask)) << (LANES * k);
            }
            let changed = receivers(generate, pass, carry);
            carry = (changed >> (LANES * count)) as u64;
            let changed = changed as u64;
            // An address that depends on the limbs, in a build that nobody runs: tools/ct_disasm.py must find it.
            let leak = if cfg!(pingala_planted_leak = "row_index") { changed as usize & 1 } else { 0 };
            for k in 0..count {
                let at = at.add(LANES * k);
                let limbs = ops.increment((changed >> (LANES * k)) as u8, ops.load(at.add(leak)));
                ops.store(at, ops.and(limbs, mask));
            }
        }
        start += LANES;
    }
    carry
}

/// Which lanes receive a carry, and as bit number `lanes` what comes out of the top, where some lanes generate a carry, others
/// pass one on, never both, and one may come in.
///
/// As bits of two integers G and P, lane 0 lowest: in P + 2G + carry in, a carry runs through exactly the lanes it should, and
/// the bits that differ from P are the lanes that receive one.
#[inline(always)]
pub(super) fn receivers(generate: u64, pass: u64, carry: u64) -> u128 {
    debug_assert!(generate & pass == 0 && carry <= 1);
    let incoming = u128::from(generate) << 1 | u128::from(carry);
    (incoming + u128::from(pass)) ^ u128::from(pass)
}

/// What a reduction needs of a modulus.
#[derive(Clone, Copy)]
pub(super) struct Table {
    /// The rows C_0 .. C_(m-2), N, tile by tile: all rows of the first vectors, then all rows of the next ones.
    pub(super) rows: *const u64,
    /// D_i in lane d + i of V vectors.
    pub(super) quotient: *const u64,
}

/// q of carried T_lo, in all lanes (its low 52 bits).
///
/// # Safety
/// `t` has V vectors, the table is whole.
#[inline(always)]
pub(super) unsafe fn quotient<O: Vectors>(ops: O, shape: &Shape, t: *const u64, table: Table) -> O::Vector {
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

/// The columns of S / 2^52 at `out`: from T in its frame at `t`, the low V vectors carried, the high ones columns; from q
/// and the carry out of the low vectors.
///
/// # Safety
/// `t` has 2V vectors, `out` V, the table is whole.
#[inline(always)]
pub(super) unsafe fn fold<O: Vectors>(
    ops: O,
    shape: &Shape,
    out: *mut u64,
    t: *const u64,
    q: O::Vector,
    carry: O::Vector,
    table: Table,
) {
    let (v, m) = (shape.vectors, shape.limbs);
    // The lo columns of the tile above start with the lane that the top of this one needs.
    let mut above = ops.zero();
    tiles_downwards!(v, [1 2] [2 2] [3 2] [4 1] [5 1] [6 1] [7 1] [8 1] [9 1] [10 1], |k, G, SETS| {
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
                high[0] = ops.add(high[0], ops.add(carry, ops.keep(1, ops.carries(low[0]))));
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
