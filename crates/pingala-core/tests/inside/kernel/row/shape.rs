//! Tests of `kernel/row/shape.rs`.

use super::{MAX_BITS, Shape, has_tile, tiles};

/// The premise of the bounds in `ring.rs`, at every length: 2^s >= 4m + 8; and no residue is longer than it needs.
#[test]
fn residues_have_the_spare_bits_that_the_bounds_need() {
    let fits = |limbs: usize, bits: usize| {
        (52 * limbs).checked_sub(bits).is_some_and(|spare| 1 << spare.min(63) >= 4 * limbs as u64 + 8)
    };
    for bits in 1..=MAX_BITS {
        let limbs = Shape::new(bits).limbs;
        assert!(fits(limbs, bits), "{bits} bits in {limbs} limbs");
        assert!(limbs == 4 || !fits(limbs - 2, bits), "{bits} bits need no {limbs} limbs");
    }
}

#[test]
fn tiles_of_a_known_number_of_vectors() {
    for (vectors, most) in (1..=100).flat_map(|vectors| [(vectors, 5), (vectors, 10)]) {
        for length in 1..=most {
            let is_there = tiles(vectors, most).any(|(_, other)| other == length);
            assert_eq!(has_tile(vectors, most, length), is_there, "{length} of {vectors} by {most}");
            assert!(has_tile(0, most, length));
        }
    }
}
