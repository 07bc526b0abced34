use super::*;
use crate::evaluate;

fn length(n: u32) -> usize {
    exact(&evaluate(&n.to_string()).unwrap()).unwrap().chain.length()
}

/// \[knuth1997seminumerical\] 4.6.3, figure 15 and OEIS A003313.
#[test]
fn the_first_lengths() {
    let lengths =
        [0, 1, 2, 2, 3, 3, 4, 3, 4, 4, 5, 4, 5, 5, 5, 4, 5, 5, 6, 5, 6, 6, 6, 5, 6, 6, 6, 6, 7, 6, 7, 5, 6, 6, 7];
    for (n, wanted) in (1..).zip(lengths) {
        assert_eq!(length(n), wanted, "{n}");
    }
}

/// OEIS A003064: the least number that takes r steps.
#[test]
fn the_first_to_take_so_many_steps() {
    let least = [1, 2, 3, 5, 7, 11, 19, 29, 47, 71, 127, 191, 379, 607, 1087, 1903, 3583];
    for (r, n) in least.into_iter().enumerate() {
        assert_eq!(length(n), r, "{n}");
        if n > 2 {
            assert!(length(n - 1) <= r, "{n}");
        }
    }
}

#[test]
fn the_shortest_chain_found_for_12509_is_no_star_chain() {
    let found = exact(&evaluate("12509").unwrap()).unwrap();
    assert!(found.chain.length() == 17 && !crate::shape(&found.chain).is_star);
}
