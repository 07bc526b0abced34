//! Tests of `work/fixed_base/plan.rs`.

use super::*;

/// With an odd part, the table of the power of two gets its share of the memory by length; without one it has no other limit.
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
    assert_eq!(two(4096, 1024, 600), (150, 600));
    assert_eq!(two(1025, 1024, 5000), (5000, 5000));
}

/// Entries of vectors are longer than the share of a short power of two.
#[test]
fn a_short_power_of_two_has_room_for_two_entries_on_every_kernel() {
    use crate::kernels::KERNELS;
    let limbs: Vec<u64> = core::iter::once(0xffff_ffff_ffff_fff2).chain([u64::MAX; 40]).collect();
    let modulus = crate::Modulus::new(crate::Natural::from_limbs(&limbs)).unwrap();
    let (base, exponent) =
        (crate::Integer::from(3u64), crate::Integer::from(&crate::Natural::from_limbs(&[u64::MAX; 9])));
    let wanted = modulus.pow(&base, &exponent).unwrap();
    let mut tried = 0;
    for entry in KERNELS {
        let options = crate::Options::default().with_kernel(Some(entry.name));
        match crate::FixedBase::new(&base, &modulus, 1000, 1 << 14, &options) {
            Ok(table) => {
                assert_eq!(table.pow(&exponent).unwrap(), wanted, "{}", entry.name);
                tried += 1;
            }
            Err(error) => assert_eq!(error.code(), "bad_plan", "{}: {error}", entry.name),
        }
    }
    assert!(tried > 1);
}
