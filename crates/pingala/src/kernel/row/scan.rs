//! A table look-up that reads every entry.

#![allow(unsafe_code)]

use super::pad;
use super::residues;
use super::shape::{LANES, Shape, tiles_downwards};
use super::vectors::{VectorProgram, Vectors};
use crate::exponent::SecretDigit;

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
