//! Chains by continued fractions, with the dichotomic choice: \[bergeron1994fast\].
//!
//! A chain for n > 3, no power of 2: k is n over 2^ceil(b/2), where 2^b is the highest power of 2 in n, and n = q k + r. A chain for k and
//! r, then one for q on top of k, then + r. A chain for two numbers or more goes by the two largest in the same way.

use dashu_int::UBig;
use dashu_int::ops::{BitTest, DivRem};
use std::collections::{BTreeSet, HashMap};

type Elements = BTreeSet<UBig>;

/// The elements of a chain for these numbers.
pub(super) fn elements(targets: &[UBig]) -> Vec<UBig> {
    let mut known = HashMap::new();
    several(targets.iter().cloned().collect(), &mut known).into_iter().collect()
}

/// A chain for one number.
fn one(n: &UBig, known: &mut HashMap<UBig, Elements>) -> Elements {
    let bits = n.bit_len();
    if n.trailing_zeros() == Some(bits - 1) {
        return (0..bits).map(|k| UBig::ONE << k).collect();
    }
    if *n == UBig::from(3u8) {
        return [1u8, 2, 3].map(UBig::from).into();
    }
    if let Some(chain) = known.get(n) {
        return chain.clone();
    }
    let k = n >> (bits - 1).div_ceil(2);
    let (quotient, rest) = n.div_rem(&k);
    let mut targets: Elements = [k.clone()].into();
    if rest != UBig::ZERO {
        targets.insert(rest);
    }
    let mut chain = several(targets, known);
    chain.extend(one(&quotient, known).into_iter().map(|element| element * &k));
    chain.insert(n.clone());
    known.insert(n.clone(), chain.clone());
    chain
}

/// A chain for several numbers.
fn several(mut targets: Elements, known: &mut HashMap<UBig, Elements>) -> Elements {
    let mut chain = Elements::new();
    // From the largest down, each over the next.
    while let Some(largest) = targets.pop_last() {
        let Some(next) = targets.last().cloned() else {
            chain.extend(one(&largest, known));
            break;
        };
        let (quotient, rest) = (&largest).div_rem(&next);
        chain.extend(one(&quotient, known).into_iter().map(|element| element * &next));
        chain.insert(largest);
        if rest != UBig::ZERO {
            targets.insert(rest);
        }
    }
    chain
}
