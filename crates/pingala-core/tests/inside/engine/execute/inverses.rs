//! Tests of `engine/execute/inverses.rs`.

use super::*;
use crate::kernel::registry::forms;
use crate::modulus::Facts;

/// Numbers with and without inverses, in lists and single, on every kernel and kind of modulus.
#[test]
fn each_inverse_is_its_own() {
    for (bits, zeros) in [(64u64, 0u64), (500, 0), (500, 3), (200, 130), (1, 70), (2048, 0)] {
        // 3 * 5 * 2^zeros and more, so that many numbers have no inverse.
        let mut limbs = vec![0x9e37_79b9_7f4a_7c15u64; bits.div_ceil(64) as usize];
        limbs[0] |= 1;
        let odd = if bits == 1 { 1u64.into() } else { chores::mul(&Natural::from_limbs(&limbs), &15u64.into()) };
        let m = chores::mul(&odd, &Natural::power_of_two(zeros));
        let modulus = Prepared::new(Facts::new(m.clone()));
        let value = |i: u64| chores::rem(&Natural::from_limbs(&[i, i << 7, !i, i, 3 * i]), &m);
        let odd_bits = odd.bits() as usize;
        let all = (bits > 1).then(|| forms(true, odd_bits.div_ceil(64)).filter(|form| form.kernel.has_arena()));
        let forms: Vec<Option<Form>> = all.map_or(vec![None], |all| all.map(Some).collect());
        for form in forms {
            for range in [0..0, 0..1, 1..2, 1..3, 2..40] {
                let values: Vec<Natural> = range.map(value).collect();
                let got = inverses(&modulus, form.as_ref(), &values, &Poll::none()).unwrap();
                let want: Vec<_> = values
                    .iter()
                    .map(|value| euclid::inverse(value, &m, crate::natural::testing::plain()).unwrap())
                    .collect();
                assert_eq!(got, want, "{form:?} modulo {m}");
            }
        }
    }
}
