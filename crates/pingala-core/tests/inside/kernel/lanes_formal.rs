//! The products in lanes on formal words: for each number of limbs, no column leaves 64 bits, and the result times R is A B + Q m, for all
//! operands. Lemma `formal.lanes_products` of proofs/README.md.

use super::*;
use crate::kernel::vector::formal::{
    Formal, begin, difference, given, given_below, nothing_is_left_out, number, operations, power, product, sum,
};
use std::panic::catch_unwind;

const A: u64 = 101;
const B: u64 = 102;
const M: u64 = 103;
const M_PRIME: u64 = 104;

/// Lengths in every run; all lengths in `make -C proofs small-instances`.
fn lengths() -> Vec<usize> {
    if std::env::var_os("PINGALA_SMALL_INSTANCES").is_some() {
        (1..=MAX_LIMBS).collect()
    } else {
        (1..=45).chain([50, 51, 99, 100, 101, 509, MAX_LIMBS - 1, MAX_LIMBS]).collect()
    }
}

/// What runs: a product, a square, or the division of a number by R; onto its operand or beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Product,
    Square,
    Division,
}

/// Runs the text for n limbs without one of its operations, or with all; whether the result is right.
fn lanes_products(n: usize, what: What, in_place: bool, left_out: usize) -> bool {
    let numbers = |name| (0..n).map(move |index| given(name, index));
    let constants: Box<[Lanes]> = (0..3 * n).map(|index| given_below(M, index)).collect();
    let ring = LanesRing { unit: Formal, n, constants, m_prime: given_below(M_PRIME, 0) };
    let mut arena: Vec<Lanes> = numbers(A).chain(numbers(B)).chain(numbers(B + 10)).collect();
    let mut scratch = vec![Lanes::default(); 2 * n];
    let [a, b] = [number(&arena[..n])[0], number(&arena[n..2 * n])[0]];
    begin(&ring.m_prime, &ring.constants[0], left_out);
    let out = if in_place { 0 } else { 2 * n };
    let want = match what {
        What::Product => {
            ring.mul(&mut arena, out, 0, n, &mut scratch);
            product(a, b)
        }
        What::Square => {
            ring.sqr_n(&mut arena, out, 0, 1, &mut scratch);
            product(a, a)
        }
        What::Division => {
            let (q, value) = cells(&mut scratch).split_at(n);
            let limbs = &cells(&mut arena)[..n];
            ring.unit.run_task(Redc { reduction: ring.reduction(q), out: value, limbs });
            arena[out..out + n].copy_from_slice(&scratch[n..]);
            a
        }
    };
    // The carry out of the highest limb is 0, as the result is below 2m: Montgomery.amm_product.
    let [result, carry] = number(&arena[out..out + n]);
    let [q, _] = number(&scratch[..n]);
    let [m, _] = number(ring.m());
    let whole = product(sum(result, product(carry, power(n))), power(n));
    difference(whole, product(q, m)) == want
}

const ALL: [What; 3] = [What::Product, What::Square, What::Division];

#[test]
fn products_of_every_length() {
    let lengths = lengths();
    for &n in &lengths {
        for what in ALL {
            for in_place in [true, false] {
                assert!(lanes_products(n, what, in_place, usize::MAX), "{what:?} of {n} limbs");
            }
        }
    }
    println!("formal: products in lanes: {} lengths", lengths.len());
}

/// Each operation matters: the run without it gives something else, unless the operation adds 0 or is the carry out of the highest limb.
/// For products of one block of columns, and longer ones.
#[test]
fn no_operation_may_be_left_out() {
    let (mut found, mut harmless) = (0, 0);
    for n in [3, 10, 11, 17, 26] {
        for what in ALL {
            assert!(lanes_products(n, what, true, usize::MAX));
            let count = operations();
            for left_out in 0..count {
                // A limb that is not masked may be any word: then sums overflow.
                if catch_unwind(|| lanes_products(n, what, true, left_out)).unwrap_or(false) {
                    assert!(nothing_is_left_out() || left_out + 1 == count, "{what:?} of {n} limbs without {left_out}");
                    harmless += 1;
                } else {
                    found += 1;
                }
            }
        }
    }
    println!("formal: {found} operations left out are found, {harmless} do nothing");
}

#[test]
#[should_panic(expected = "a sum below 2^64")]
fn two_limbs_more_overflow() {
    lanes_products(MAX_LIMBS + 2, What::Product, true, usize::MAX);
}
