use super::*;
use crate::engine::execute::poll::Watch;
use crate::natural::testing::{structured_natural, to_oracle};
use crate::natural::{Integer, chores};
use crate::work::{Options, powmod, powmod_with};
use core::sync::atomic::{AtomicUsize, Ordering};
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
            let found = of_few_limbs(&base, cube, &m);
            prop_assert_eq!(found.is_some(), base.limbs().len() <= m.limbs().len() && m.limbs().len() <= 4);
            if let Some(found) = found {
                prop_assert_eq!(to_oracle(&found), expected);
            }
        }
    }

    #[test]
    fn rows_of_words_agree_with_the_oracle(base in structured_natural(40), m in structured_natural(40)) {
        if m.limbs().len() < 2 || m.trailing_zeros() + 1 == m.bits() {
            return Ok(());
        }
        for (cube, exponent) in [(false, 2u32), (true, 3)] {
            let expected = to_oracle(&base).modpow(&exponent.into(), &to_oracle(&m));
            prop_assert_eq!(to_oracle(&by_plan(&base, cube, &m)), expected.clone());
            if base.limbs().len() <= m.limbs().len() {
                prop_assert_eq!(to_oracle(&by_division(&base, cube, &m)), expected);
            }
        }
    }
}

/// By a plan with divisions.
fn by_plan(base: &Natural, cube: bool, m: &Natural) -> Natural {
    let options = Options::default().with_kernel(Some("division_r64"));
    powmod_with(&base.clone().into(), &Integer::from(2 + u64::from(cube)), m, &options).unwrap()
}

/// Cancels at the poll of that number.
struct At(AtomicUsize);

impl Watch for At {
    fn stop(&self) -> bool {
        self.0.fetch_sub(1, Ordering::Relaxed) == 1
    }
}

#[test]
fn a_long_square_stops_at_each_of_its_parts() {
    const POLLS: usize = 2;
    let m = Natural::from_limbs(&vec![u64::MAX; 700]);
    let base = Natural::from_limbs(&vec![0x9e37_79b9_7f4a_7c15; 700]);
    for at in 1..=POLLS + 1 {
        let watch = At(AtomicUsize::new(at));
        let found = by_reciprocal(&base, &m, &Poll::new(Some(&watch), None));
        assert_eq!(found.is_err(), at <= POLLS, "{at}");
        assert!(!matches!(found, Err(error) if error != Error::Interrupted));
    }
}

/// Every length up to 70 limbs by division and some by transforms, at the edges of carries and corrections.
#[test]
fn longer_numbers_at_their_edges() {
    let by_transforms = |base: &Natural, m: &Natural| by_reciprocal(base, m, &Poll::none()).unwrap();
    for n in (2..=70).chain([127, 128, 129, 200, 701]) {
        for zeros in [0, 1, n / 2, n - 1] {
            for top in [1, 1 << 63, u64::MAX] {
                for fill in [0, 1, u64::MAX, 0x9e37_79b9_7f4a_7c15] {
                    let mut m = vec![fill; n];
                    m[..zeros].fill(0);
                    m[n - 1] = top;
                    let m = Natural::from_limbs(&m);
                    let less = chores::sub(&m, &Natural::from(1u64));
                    let more = Natural::from_limbs(&vec![u64::MAX; n]);
                    let half = Natural::from_limbs(&vec![u64::MAX; n / 2 + 1]);
                    for base in [&m, &less, &more, &half, &Natural::default(), &Natural::from(2u64)] {
                        let square = to_oracle(base).pow(2u32) % to_oracle(&m);
                        if matches!(n, 2 | 63 | 127..) {
                            assert_eq!(to_oracle(&by_transforms(base, &m)), square, "{base:x} {m:x}");
                        }
                        if n <= 70 {
                            let cube = to_oracle(base).pow(3u32) % to_oracle(&m);
                            assert_eq!(to_oracle(&by_division(base, false, &m)), square, "{base:x} {m:x}");
                            assert_eq!(to_oracle(&by_division(base, true, &m)), cube, "{base:x} {m:x}");
                        }
                    }
                }
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
                            assert_eq!(to_oracle(&of_few_limbs(&base, cube, &m).unwrap()), expected, "{base} {m}");
                        }
                    }
                }
            }
        }
    }
}

/// Long powers of two and others with a short odd part, in the way that the planner takes.
#[test]
fn many_zeros() {
    for n in [300, 1359, 1360, 4001] {
        for top in [1, 2, 3, u64::MAX] {
            let m = Natural::from_limbs(&[vec![0; n - 1], vec![top]].concat());
            let base = Natural::from_limbs(&vec![0x9e37_79b9_7f4a_7c15; n]);
            for exponent in [2u32, 3] {
                let found = powmod(&base.clone().into(), &Integer::from(u64::from(exponent)), &m).unwrap();
                assert_eq!(to_oracle(&found), to_oracle(&base).pow(exponent) % to_oracle(&m));
            }
        }
    }
}
