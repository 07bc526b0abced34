use super::*;
use crate::kernel::registry;

#[test]
fn no_residue_is_longer_than_the_bound_that_spares_its_length() {
    for bits in [1usize, 64, 65, 500, 2048, 9000, 65_536, 1 << 20, 1 << 24] {
        let limbs = bits.div_ceil(64);
        for form in registry::every_form(true, limbs).chain(registry::every_form(false, limbs)) {
            let bytes = form.residue_bytes(bits) * form.kernel.lanes();
            assert!(bytes <= MOST_BYTES_PER_LIMB * (limbs + 64), "{bits} bits: {bytes} bytes on {form:?}");
        }
    }
}
