use super::*;
use crate::natural::testing::{structured_natural, to_oracle};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn squares_and_cubes_agree_with_the_oracle(base in structured_natural(5), m in structured_natural(5)) {
        // A fifth of the structured numbers are 0 or 1: more than may be rejected.
        if m.is_zero() || m.is_one() {
            return Ok(());
        }
        for (cube, exponent) in [(false, 2u32), (true, 3)] {
            let expected = to_oracle(&base).modpow(&exponent.into(), &to_oracle(&m));
            let fits = m.limbs().len() < 5 && base.limbs().len() <= m.limbs().len();
            let found = power(&base, cube, &m);
            prop_assert_eq!(found.is_some(), fits);
            if let Some(found) = found {
                prop_assert_eq!(to_oracle(&found), expected);
            }
        }
    }
}

#[test]
fn every_length_at_its_edges() {
    let edges = [0, 1, 2, 1 << 63, u64::MAX - 1, u64::MAX];
    for n in 1..=4usize {
        for top in &edges[1..] {
            for fill in edges {
                for low in edges {
                    let mut m = vec![fill; n];
                    (m[0], m[n - 1]) = (low, *top);
                    let m = Natural::from_limbs(&m);
                    if m.limbs().len() != n || m.is_one() {
                        continue;
                    }
                    for base in [vec![u64::MAX; n], vec![fill; n], [vec![0; n - 1], vec![*top]].concat()] {
                        let base = Natural::from_limbs(&base);
                        for (cube, exponent) in [(false, 2u32), (true, 3)] {
                            let expected = to_oracle(&base).modpow(&exponent.into(), &to_oracle(&m));
                            assert_eq!(to_oracle(&power(&base, cube, &m).unwrap()), expected, "{base} {m}");
                        }
                    }
                }
            }
        }
    }
}
