//! Bos and Coster's heuristics for addition sequences: \[bos1989addition\].
//!
//! While numbers are left, the largest, f, is taken away and made a sum of what is left:
//! - *approximation*: a <= b of the set with f - (a + b) least and not negative: a + f - (a + b) joins the set, if that is small;
//! - *halving*: f is at least 2^u times a number s of the set: with d = f - s 2^... even parts, f = 2^u d + s': d, ..., 2^u d join;
//! - otherwise the *delta* of f and the next smaller number joins.

use dashu_int::UBig;
use dashu_int::ops::BitTest;
use std::collections::BTreeSet;

/// The elements of a chain with these numbers.
pub(super) fn elements(targets: &[UBig]) -> Vec<UBig> {
    let mut open: BTreeSet<UBig> = targets.iter().cloned().collect();
    open.extend([UBig::ONE, UBig::from(2u8)]);
    let mut done = Vec::new();
    while open.len() > 2 {
        let f = open.pop_last().expect("more than two");
        let joins = halving(&open, &f).or_else(|| approximation(&open, &f)).unwrap_or_else(|| delta(&open, &f));
        debug_assert!(joins.iter().all(|number| *number < f), "it ends");
        open.extend(joins);
        done.push(f);
    }
    done.extend(open);
    done
}

/// f = a + (f - a) with a the largest number left.
fn delta(open: &BTreeSet<UBig>, f: &UBig) -> Vec<UBig> {
    let next = open.last().expect("1 and 2");
    vec![f - next]
}

/// The pair with the largest sum up to f, completed, where little is missing.
fn approximation(open: &BTreeSet<UBig>, f: &UBig) -> Option<Vec<UBig>> {
    let numbers: Vec<&UBig> = open.iter().collect();
    let mut best: Option<(UBig, UBig)> = None;
    let (mut low, mut high) = (0, numbers.len() - 1);
    while low <= high {
        let sum = numbers[low] + numbers[high];
        if sum > *f {
            if high == 0 {
                break;
            }
            high -= 1;
            continue;
        }
        let missing = f - sum;
        if best.as_ref().is_none_or(|(least, _)| missing < *least) {
            best = Some((missing, numbers[low].clone()));
        }
        low += 1;
    }
    let (missing, a) = best?;
    // A large rest would be no help: the difference of the two largest serves as well.
    if (&missing << 1usize) > *f {
        return None;
    }
    Some(if missing == UBig::ZERO { Vec::new() } else { vec![a + missing] })
}

/// f far above all others: its half, and half of that, as far as the next number allows.
fn halving(open: &BTreeSet<UBig>, f: &UBig) -> Option<Vec<UBig>> {
    let next = open.last()?;
    let (f_bits, next_bits) = (f.bit_len(), next.bit_len());
    if f_bits <= next_bits + 1 {
        return None;
    }
    // f = d 2^u + s with s below 2^u: d is as long as the next number; s is what is added at the end.
    let doublings = f_bits - next_bits;
    let d = f >> doublings;
    let s = f - (&d << doublings);
    let mut joins: Vec<UBig> = (0..doublings).map(|k| &d << k).collect();
    if s != UBig::ZERO {
        joins.push(&d << doublings);
        joins.push(s);
    }
    Some(joins)
}
