//! Carries of columns, eight to a vector.
//!
//! One parallel pass leaves limbs of at most 2^52 + 2^12 - 2. A limb that is still 2^52 or more passes 1 on,
//! through any run of limbs that are all ones. For random numbers that is rare (2^-40 a limb), so the public path tests for it
//! and ripples in a cold function; the constant-time path resolves all carries by additions of bit masks, always.
//!
//! Lemmas: Columns.carry_pass, Columns.carry_left, vectors.carry_group (proofs/README.md).

#![allow(unsafe_code)]
#![expect(clippy::needless_range_loop, reason = "one index for several arrays, constant bounds that unroll")]

use super::shape::LANES;
use crate::kernel::vector::MASK;
use crate::kernel::vector::across::Vectors;

/// Carries the `vectors` vectors of columns at `from` into limbs below 2^52 at `to`. Lane 0 of the result is the carry out of
/// the top, the other lanes are 0.
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

/// [`carry`] for public columns: it branches on the rare case.
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

/// The parallel pass over one vector of columns: limbs of at most 2^52 + 2^12 - 2. `below` has the carries of the vector
/// below and receives those of this one.
///
/// # Safety
/// `from` is a vector.
#[inline(always)]
unsafe fn carry_once<O: Vectors>(ops: O, from: *const u64, below: &mut O::Vector) -> O::Vector {
    // SAFETY: the caller's promise.
    let columns = unsafe { ops.load(from) };
    let carries = ops.carry(columns);
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

/// The most vectors of [`carry_group`]: two marks for each limb and one for the carry out must fit 64 bits.
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

/// [`carry_by_marks`] for G vectors: the parallel pass, then the remaining carries. `below` has the carries of the vector below
/// in the parallel pass and receives those of the top vector. `carry` is the remaining carry from below, as a mark of limb 0; the
/// result is the one to the vectors above.
///
/// After the pass a limb above 2^52 - 1 generates a carry, one equal to it passes a carry on, and none is above
/// 2^52 + 2^12 - 2. One test of the limb plus 1 distinguishes them by two marks: the upper mark is bit 52 of the sum, the lower
/// mark is set if its low half is not 0. So a limb that generates has 11, one that passes on 10, any other 00 or 01. When 01 is
/// added for each limb, a carry runs out of 11, through 10, and neither out of nor through the others, which is what the limbs
/// require. If no carry comes in, the addition changes the lower mark, and the 1 is subtracted from the limb again.
///
/// There is one test instead of a comparison for each mark: on some CPUs the instructions that make a mask use the ports that
/// multiply; the instructions after the test use others (docs/records/row-kernel-carries.md).
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
    // The carry from below is added last, because it is available last.
    let mut sum = ops.sum_of_marks(edges, ops.lower_marks::<G>());
    if let Some(carry) = carry {
        sum = ops.sum_of_marks(sum, carry);
    }
    let alone = ops.differing(sum, edges);
    for k in 0..G {
        // SAFETY: the caller's promise.
        unsafe {
            // Planted leaks, in builds that only test tools/ct_disasm.py, which must find them: a branch and an address that
            // depend on the limbs.
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
