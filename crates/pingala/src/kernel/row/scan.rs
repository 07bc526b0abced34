//! A table look-up that reads every entry.

#![allow(unsafe_code)]

use super::pad;
use super::residues;
use super::shape::{LANES, Shape, tiles_downwards};
use crate::exponent::SecretDigit;
use crate::kernel::scan_words;
use crate::kernel::vector::across::{VectorProgram, Vectors};

/// `out` = entry `digit` of the `length` residues at `table`, which are offsets in the arena; `out` is not among them. No branch
/// and no address depends on the digit.
pub(super) fn scan<O: Vectors>(
    ops: O,
    shape: &Shape,
    arena: &mut [u64],
    [out, table]: [usize; 2],
    length: usize,
    digit: SecretDigit,
) {
    let words = shape.words();
    assert!(table <= arena.len() && length * words <= arena.len() - table, "the table lies within the arena");
    debug_assert!(out + words <= table || table + length * words <= out);
    let [out, table] = residues(arena, [out, table], words);
    ops.run(Scan { shape: *shape, out, table, length, digit });
}

/// The code of [`scan`].
///
/// The tile of the result stays in registers while it reads all entries, so that each word of the table is read once. The
/// digit is compared as a vector: an entry's mask never leaves the vector registers.
struct Scan {
    shape: Shape,
    /// A residue to be written.
    out: *mut u64,
    /// `length` residues, `out` not among them.
    table: *const u64,
    length: usize,
    digit: SecretDigit,
}

impl VectorProgram for Scan {
    #[inline(always)]
    fn run<O: Vectors>(self, ops: O) {
        let Self { shape, out, table, length, digit } = self;
        let (out, table) = (out.wrapping_add(LANES), table.wrapping_add(LANES));
        let digit = ops.splat(digit.for_vectors());
        tiles_downwards!(shape.vectors, 0, [1 1] [2 1] [3 1] [4 1] [5 1] [6 1] [7 1] [8 1] [9 1] [10 1], |k, G, _SETS| {
            let mut kept = [ops.zero(); G];
            let mut count = ops.zero();
            for index in 0..length {
                let mask = ops.lanes_where_equal(count, digit);
                count = ops.add(count, ops.splat(1));
                let entry = table.wrapping_add(index * shape.words() + LANES * k);
                for (g, kept) in kept.iter_mut().enumerate() {
                    // SAFETY: `scan` has seen that the table has `length` residues; a residue has V vectors from
                    // LANES words on.
                    let limbs = unsafe { ops.load(entry.wrapping_add(LANES * g)) };
                    *kept = ops.or(*kept, ops.and(limbs, mask));
                }
            }
            for (g, kept) in kept.into_iter().enumerate() {
                // SAFETY: as above, for the residue `out`.
                unsafe { ops.store(out.wrapping_add(LANES * (k + g)), kept) };
            }
        });
        // SAFETY: as above; a residue has a vector on either side.
        unsafe { pad(ops, out, shape.vectors) };
    }
}

/// `packed` = entry `digit - 1` of a table of packed residues, or `one` for digit 0. No branch and no address depends on the digit.
pub(super) fn scan_packed<O: Vectors>(ops: O, packed: &mut [u64], one: &[u64], table: &[u64], digit: SecretDigit) {
    let limbs = packed.len();
    if limbs < LANES {
        return scan_words(packed, one, table, digit);
    }
    assert!(one.len() == limbs, "an entry of as many limbs");
    let (out, one, end) = (packed.as_mut_ptr(), one.as_ptr(), table.as_ptr_range().end);
    ops.run(ScanPacked { limbs, out, one, table: table.as_ptr(), end, digit });
}

/// The code of [`scan_packed`], as that of [`Scan`]. The last vector of an entry may begin in the one before it, so that none
/// ends behind the entry.
struct ScanPacked {
    /// At least a vector.
    limbs: usize,
    out: *mut u64,
    one: *const u64,
    /// Entries up to `end`.
    table: *const u64,
    end: *const u64,
    digit: SecretDigit,
}

impl VectorProgram for ScanPacked {
    #[inline(always)]
    fn run<O: Vectors>(self, ops: O) {
        let Self { limbs, out, one, table, end, digit } = self;
        let digit = ops.splat(digit.for_vectors());
        tiles_downwards!(limbs.div_ceil(LANES), 0, [1 1] [2 1] [3 1] [4 1] [5 1] [6 1] [7 1] [8 1] [9 1] [10 1], |k, G, _SETS| {
            let last = limbs - LANES;
            let at = |g: usize| (LANES * (k + g)).min(last);
            let mut kept = [ops.zero(); G];
            let (mut count, mut entry, mut next) = (ops.zero(), one, table);
            loop {
                let mask = ops.lanes_where_equal(count, digit);
                count = ops.add(count, ops.splat(1));
                for (g, kept) in kept.iter_mut().enumerate() {
                    // SAFETY: an entry has `limbs` limbs, of which the vector ends with the last one at most.
                    let limbs = unsafe { ops.load(entry.wrapping_add(at(g))) };
                    *kept = ops.or(*kept, ops.and(limbs, mask));
                }
                if next.wrapping_add(limbs) > end {
                    break;
                }
                (entry, next) = (next, next.wrapping_add(limbs));
            }
            for (g, kept) in kept.into_iter().enumerate() {
                // SAFETY: as above, for the residue at `out`.
                unsafe { ops.store(out.wrapping_add(at(g)), kept) };
            }
        });
    }
}
