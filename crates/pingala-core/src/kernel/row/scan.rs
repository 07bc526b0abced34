//! A table look-up that reads every entry.

#![allow(unsafe_code)]

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
    let (words, limbs) = (shape.words(), shape.span());
    assert!(table <= arena.len() && length * words <= arena.len() - table, "the table lies within the arena");
    debug_assert!(out + words <= table || table + length * words <= out);
    let more = length.checked_sub(1).expect("a table has entries");
    let [to, first] = residues(arena, [out, table], words).map(|residue| residue.wrapping_add(LANES));
    ops.run(Scan { limbs, stride: words, out: to, first, rest: first.wrapping_add(words), more, digit });
    // A residue has a vector of zeros on either side.
    arena[out..][..LANES].fill(0);
    arena[out + words - LANES..][..LANES].fill(0);
}

/// `packed` = entry `digit - 1` of a table of packed residues, or `one` for digit 0. No branch and no address depends on the digit.
pub(super) fn scan_packed<O: Vectors>(ops: O, packed: &mut [u64], one: &[u64], table: &[u64], digit: SecretDigit) {
    let limbs = packed.len();
    if limbs < LANES {
        return scan_words(packed, one, table, digit);
    }
    assert!(one.len() == limbs, "an entry of as many limbs");
    let (out, first, rest, more) = (packed.as_mut_ptr(), one.as_ptr(), table.as_ptr(), table.len() / limbs);
    ops.run(Scan { limbs, stride: limbs, out, first, rest, more, digit });
}

/// The code of [`scan`] and [`scan_packed`].
///
/// The tile of the result stays in registers while it reads all entries, so that each word of the table is read once. The
/// digit is compared as a vector: an entry's mask never leaves the vector registers. The last vector of an entry may begin in the one
/// before it, so that none ends behind the entry.
struct Scan {
    /// Of an entry: at least a vector.
    limbs: usize,
    /// From an entry of `rest` to the next one.
    stride: usize,
    /// An entry to be written.
    out: *mut u64,
    first: *const u64,
    /// `more` entries, `out` not among them.
    rest: *const u64,
    more: usize,
    digit: SecretDigit,
}

impl VectorProgram for Scan {
    #[inline(always)]
    fn run<O: Vectors>(self, ops: O) {
        let Self { limbs, stride, out, first, rest, more, digit } = self;
        let digit = ops.splat(digit.for_vectors());
        tiles_downwards!(limbs.div_ceil(LANES), 0, [1 1] [2 1] [3 1] [4 1] [5 1] [6 1] [7 1] [8 1] [9 1] [10 1], |k, G, _SETS| {
            let last = limbs - LANES;
            let at = |g: usize| if g + 1 < G { LANES * (k + g) } else { (LANES * (k + g)).min(last) };
            let mut kept = [ops.zero(); G];
            let (mut count, mut entry, mut next) = (ops.zero(), first, rest);
            for _ in 0..more + 1 {
                let mask = ops.lanes_where_equal(count, digit);
                count = ops.add(count, ops.splat(1));
                for (g, kept) in kept.iter_mut().enumerate() {
                    // SAFETY: an entry has `limbs` limbs, of which the vector ends with the last one at most, and there are 1 + `more`.
                    let limbs = unsafe { ops.load(entry.wrapping_add(at(g))) };
                    *kept = ops.or(*kept, ops.and(limbs, mask));
                }
                (entry, next) = (next, next.wrapping_add(stride));
            }
            for (g, kept) in kept.into_iter().enumerate() {
                // SAFETY: as above, for the entry at `out`.
                unsafe { ops.store(out.wrapping_add(at(g)), kept) };
            }
        });
    }
}
