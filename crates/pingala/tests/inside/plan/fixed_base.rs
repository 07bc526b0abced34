//! Tests of `plan/fixed_base.rs`.

use super::*;

/// With an odd part, the table of the power of two gets its share of the memory by length, or two entries, and never more than there is;
/// without one it has no other limit.
#[test]
fn an_even_part_gets_its_share_of_the_memory() {
    let two = |modulus_bits, trailing_zeros, memory_bytes| {
        let shape = FixedBaseProblem {
            modulus_bits,
            trailing_zeros,
            even_base: false,
            exponent_bits: 100,
            memory_bytes,
            uses: 1,
            in_lists: false,
            secret: false,
        };
        let parts = shape.parts();
        (parts[parts.len() - 1].memory_bytes, parts[0].memory_bytes)
    };
    assert_eq!(two(4096, 1024, 1 << 20), (1 << 18, 1 << 20));
    // 16 words are two entries of four times their share.
    assert_eq!(two(4096, 1024, 600), (256, 600));
    assert_eq!(two(4096, 1024, 200), (200, 200));
    assert_eq!(two(1025, 1024, 5000), (5000, 5000));
}
