//! Tests of `algorithm/chain.rs`.

use super::*;
use crate::natural::Natural;

fn exponents(values: &[u64]) -> Vec<Exponent> {
    values.iter().map(|&value| Exponent::new(Natural::from(value)).unwrap()).collect()
}

/// The example of the report, 3.2.
#[test]
fn the_example_of_the_report() {
    let pairs = vec![(0, 0), (0, 1), (1, 2), (3, 3), (2, 4)];
    let chain = Chain::new(&exponents(&[1, 2, 3, 5, 10, 13]), pairs).unwrap();
    assert_eq!(chain.target().to_string(), "13");
    assert_eq!(chain.length(), 5);
}

#[test]
fn what_is_no_chain_is_refused() {
    for (elements, pairs) in [
        (&[1, 2, 4][..], vec![(0, 0), (2, 2)]),
        (&[1, 2, 5][..], vec![(0, 0), (1, 1)]),
        (&[1, 2][..], vec![(0, 0), (1, 1)]),
        (&[2][..], vec![]),
        (&[][..], vec![]),
    ] {
        assert_eq!(Chain::new(&exponents(elements), pairs).unwrap_err().code(), "bad_argument");
    }
    assert!(Chain::from_pairs(vec![(0, 0); MAX_STEPS + 1]).is_err());
    assert_eq!(Chain::from_pairs(vec![]).unwrap().target(), &Exponent::one());
}

#[test]
fn the_cap_itself_is_no_step_too_many() {
    assert!(Chain::check_steps(MAX_STEPS).is_ok());
    assert_eq!(Chain::check_steps(MAX_STEPS + 1).unwrap_err().code(), "bad_argument");
}
