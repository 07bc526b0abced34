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
//! **Carries.** One parallel pass leaves limbs of at most 2^52 + 2^12 - 2. A limb that is still 2^52 or more passes 1 on,
//! through any run of limbs that are all ones. For random numbers that is rare (2^-40 a limb), so the public path tests for it
//! and ripples in a cold function; the constant-time path resolves all carries by additions of bit masks, always. Those wait
//! for one another, which long numbers do not feel. Where numbers are short, and additions under a mask have ports of their own
//! (the threshold `part_to` of the form; at two vectors always), the constant-time path leaves the T_i as the one pass has made them,
//! T_i = U_i + 2^52 b_i with b_i 0 or 1. A product takes U_i, the low 52 bits, and
//!
//!   S / 2^52 = T_hi + (T_(m-1) + sum U_i C_i + q N) / 2^52 + sum b_i C_i,
//!
//! a sum of rows under masks, on ports that the products leave idle. q needs no b_i: it is a remainder modulo 2^52.
//!
//! **Range.** S / 2^52 < T_hi + ((m - 1) (2^52 + 2^12) N + 2^52 N + 2^53) / 2^52 < T_hi + mN + m 2^-40 N + 2. Where
//! T_hi < (m - 1) N that is below 2mN: nothing is ever subtracted. Operands below 2mN give T_hi <= T / 2^(52m) < (m - 1) N, see
//! [`super::shape::Shape`].
//!
//! **Columns.** lo(T_i C_ij) lies in column j of S, hi(T_i C_ij) and b_i C_ij in column j + 1; at most m of each, below 3m 2^52,
//! on top of the columns of T_hi, which are below 2m 2^52 and one carry: below 2^64 for m < 819, see [`super::product`].

#![allow(unsafe_code)]
#![expect(clippy::needless_range_loop, reason = "one index for several arrays, constant bounds that unroll")]

use super::shape::{LANES, Shape, tiles_downwards};
use super::vectors::{MASK, Vectors};

/// Carries the `vectors` vectors of columns at `from` into limbs below 2^52 at `to`. Lane 0 of what it returns is the carry
/// out of the top, the other lanes are 0.
///
/// With `CT` no branch and no address depends on the columns.
///
/// # Safety
/// `from` and `to` have that many vectors and are the same or disjoint.
#[inline(always)]
pub(super) unsafe fn carry<O: Vectors, const CT: bool>(
    ops: O,
    from: *const u64,
    to: *mut u64,
    vectors: usize,
) -> O::Vector {
    // SAFETY: the caller's promise.
    unsafe { if CT { carry_by_marks(ops, from, to, vectors) } else { carry_or_ripple(ops, from, to, vectors) } }
}

/// [`carry`] for public columns: a test for the rare case.
///
/// # Safety
/// As for [`carry`].
#[inline(always)]
unsafe fn carry_or_ripple<O: Vectors>(ops: O, from: *const u64, to: *mut u64, vectors: usize) -> O::Vector {
    let mask = ops.splat(MASK);
    let (mut below, mut any) = (ops.zero(), ops.zero());
    // SAFETY: the caller's promise.
    unsafe {
        for k in 0..vectors {
            let limbs = carry_once(ops, from.add(LANES * k), &mut below);
            any = ops.or(any, limbs);
            ops.store(to.add(LANES * k), limbs);
        }
        let out = ops.up(ops.zero(), below);
        if ops.above(any, mask) != 0 { ops.add(out, ops.keep(1, ops.splat(ripple(to, LANES * vectors)))) } else { out }
    }
}

/// The parallel pass alone: limbs of at most 2^52 + 2^12 - 2 at `at`, and the carry out of the top as [`carry`] has it.
///
/// # Safety
/// `at` has that many vectors.
#[inline(always)]
pub(super) unsafe fn carry_in_part<O: Vectors>(ops: O, at: *mut u64, vectors: usize) -> O::Vector {
    let mut below = ops.zero();
    for k in 0..vectors {
        // SAFETY: the caller's promise.
        unsafe {
            let at = at.add(LANES * k);
            ops.store(at, carry_once(ops, at, &mut below));
        }
    }
    ops.up(ops.zero(), below)
}

/// The parallel pass over one vector of columns: limbs of at most 2^52 + 2^12 - 2. `below` has the carries of the vector
/// below, and gets those of this one.
///
/// # Safety
/// `from` is a vector.
#[inline(always)]
unsafe fn carry_once<O: Vectors>(ops: O, from: *const u64, below: &mut O::Vector) -> O::Vector {
    // SAFETY: the caller's promise.
    let columns = unsafe { ops.load(from) };
    let carries = ops.carries(columns);
    let limbs = ops.add(ops.and(columns, ops.splat(MASK)), ops.up(carries, *below));
    *below = carries;
    limbs
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

/// Most vectors of [`carry_group`]: two marks for each limb and one for the carry out are at most 64 bits.
const GROUP: usize = 3;

/// [`carry`] without a branch.
///
/// # Safety
/// As for [`carry`].
#[inline(always)]
unsafe fn carry_by_marks<O: Vectors>(ops: O, from: *const u64, to: *mut u64, vectors: usize) -> O::Vector {
    let (mut below, mut carry) = (ops.zero(), None);
    // SAFETY: the caller's promise.
    unsafe {
        for group in 0..vectors / GROUP {
            let start = LANES * GROUP * group;
            carry = Some(carry_group::<O, GROUP>(ops, from.add(start), to.add(start), &mut below, carry));
        }
        let start = LANES * (vectors - vectors % GROUP);
        let (from, to) = (from.add(start), to.add(start));
        match vectors % GROUP {
            0 => {}
            1 => carry = Some(carry_group::<O, 1>(ops, from, to, &mut below, carry)),
            _ => carry = Some(carry_group::<O, 2>(ops, from, to, &mut below, carry)),
        }
    }
    let out = ops.up(ops.zero(), below);
    carry.map_or(out, |carry| ops.add(out, ops.ones_at(carry)))
}

/// G vectors of it: the parallel pass, then all carries that are left. `below` has the carries of the vector below in the
/// parallel pass and gets those of the top; `carry` is the one that was left below, a mark of limb 0, and so is the result.
///
/// After the pass a limb above 2^52 - 1 generates a carry, one equal to it passes a carry on, and none is above
/// 2^52 + 2^12 - 2. One test of the limb plus 1 tells which, by two marks: the upper one where that has bit 52, the lower one
/// where its low half is not 0. So a limb that generates has 11, one that passes on 10, any other 00 or 01. With 01 added for
/// each limb, a carry runs out of 11, through 10, and neither out of nor through the others: through exactly the limbs it
/// should. Where none comes in, the lower mark differs from what it was, and the limb plus 1 loses its 1 again.
///
/// One test, not a comparison for either mark: on some CPUs what makes a mask takes the ports that multiply, and what follows here
/// takes others (docs/records/row-kernel-carries.md).
///
/// # Safety
/// `from` and `to` have G vectors.
#[inline(always)]
unsafe fn carry_group<O: Vectors, const G: usize>(
    ops: O,
    from: *const u64,
    to: *mut u64,
    below: &mut O::Vector,
    carry: Option<O::Marks>,
) -> O::Marks {
    let mask = ops.splat(MASK);
    let mut more = [ops.zero(); G];
    for k in 0..G {
        // SAFETY: the caller's promise.
        more[k] = ops.add(unsafe { carry_once(ops, from.add(LANES * k), below) }, ops.splat(1));
    }
    let mut edges = ops.edges(more[0]);
    if G > 1 {
        edges = ops.beside_16(edges, ops.edges(more[1]));
    }
    if G > 2 {
        edges = ops.beside_32(edges, ops.edges(more[2]));
    }
    // What comes from below comes last, as it is waited for.
    let mut sum = ops.sum_of_marks(edges, ops.lower_marks::<G>());
    if let Some(carry) = carry {
        sum = ops.sum_of_marks(sum, carry);
    }
    let alone = ops.differing(sum, edges);
    for k in 0..G {
        // SAFETY: the caller's promise.
        unsafe {
            // Leaks in builds that nobody runs, which tools/ct_disasm.py must find: a branch and an address that depend on
            // the limbs.
            if cfg!(pingala_planted_leak = "row_branch") && ops.above(more[k], mask) == 0 {
                return sum;
            }
            if cfg!(pingala_planted_leak = "row_index") {
                more[k] = ops.load(from.add(usize::from(ops.above(more[k], mask))));
            }
            let limbs = ops.sub_signed(more[k], ops.ones_at(marks_from(ops, alone, k)));
            ops.store(to.add(LANES * k), ops.and(limbs, mask));
        }
    }
    marks_from(ops, sum, G)
}

/// Marks from vector k on.
#[inline(always)]
fn marks_from<O: Vectors>(ops: O, marks: O::Marks, k: usize) -> O::Marks {
    match k {
        0 => marks,
        1 => ops.marks_down::<16>(marks),
        2 => ops.marks_down::<32>(marks),
        _ => ops.marks_down::<48>(marks),
    }
}

/// What a reduction needs of a modulus.
#[derive(Clone, Copy)]
pub(super) struct Table {
    /// The rows C_0 .. C_(m-2), N, tile by tile: all rows of the first vectors, then all rows of the next ones.
    pub(super) rows: *const u64,
    /// D_i in lane d + i of V vectors.
    pub(super) quotient: *const u64,
}

/// q of T_lo, carried at least in part, in all lanes (its low 52 bits).
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
/// and the carry out of the low vectors. With `PART` the low vectors are carried in part.
///
/// # Safety
/// `t` has 2V vectors, `out` V, the table is whole. The parameter is V, or 0.
#[inline(always)]
pub(super) unsafe fn fold<O: Vectors, const PART: bool, const V: usize>(
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
    tiles_downwards!(v, V, [1 2] [2 2] [3 2] [4 1] [5 1] [6 1] [7 1] [8 1] [9 1] [10 1], |k, G, SETS| {
        // SAFETY: the caller's promise; tile k has m rows of G vectors from vector k m on.
        unsafe {
            let (mut lows, mut highs) = ([[ops.zero(); G]; SETS], [[ops.zero(); G]; SETS]);
            // Rows of limbs with b_i = 1: a sum of their own, or those of hi halves would be too long a chain.
            let mut over = [ops.zero(); G];
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
                    fold_limb::<O, G, PART>(ops, &mut lows[set], &mut highs[set], &mut over, row, limb);
                    limb = limb.add(1);
                    row = row.add(LANES * G);
                }
            }
            while limb < limbs_end {
                fold_limb::<O, G, PART>(ops, &mut lows[0], &mut highs[0], &mut over, row, limb);
                limb = limb.add(1);
                row = row.add(LANES * G);
            }
            fold_row(ops, &mut lows[SETS - 1], &mut highs[SETS - 1], row, q);
            let (low, mut high) = (sum_sets(ops, &lows), sum_sets(ops, &highs));
            for g in 0..G {
                // Column j of the result is column j + 1 of S.
                let next = if g + 1 < G { low[g + 1] } else { above };
                let mut sum = ops.add(high[g], ops.down(next, low[g]));
                if PART {
                    sum = ops.add(sum, over[g]);
                }
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

/// One row of the table times the limb at `limb`; with `PART` that may have 53 bits, and the row is added to `over` where
/// the highest is set.
///
/// # Safety
/// The row has G vectors, the limb may be read.
#[inline(always)]
unsafe fn fold_limb<O: Vectors, const G: usize, const PART: bool>(
    ops: O,
    low: &mut [O::Vector; G],
    high: &mut [O::Vector; G],
    over: &mut [O::Vector; G],
    row: *const u64,
    limb: *const u64,
) {
    // SAFETY: the caller's promise.
    unsafe {
        let limb = ops.broadcast(limb);
        fold_row(ops, low, high, row, limb);
        if PART {
            let marks = ops.mark_common(limb, ops.splat(MASK + 1));
            for g in 0..G {
                over[g] = ops.add_marked(marks, over[g], ops.load(row.add(LANES * g)));
            }
        }
    }
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
