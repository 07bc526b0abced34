//! Chains: one conformance suite for all methods, files, generated code, the table of results.

mod exact;
mod fixed;
mod generate;
mod methods;
mod secret_bases;
mod table;
mod text;

use dashu_int::UBig;
use pingala_chains::{Chain, number};

/// The check of the tests' own: every element is the sum of two before it, and the last is the target.
fn leads_to(pairs: &[(usize, usize)], target: &UBig) -> bool {
    let mut elements = vec![UBig::ONE];
    for &(low, high) in pairs {
        elements.push(&elements[low] + &elements[high]);
    }
    elements.last() == Some(target)
}

fn is_right(chain: &Chain) -> bool {
    leads_to(chain.pairs(), &number(chain.target()))
}
