//! Chains by continued fractions: \[bergeron1994fast\].
//!
//! A chain for n > 3, no power of 2: choose k, n = q k + r. A chain for k and r, then one for q on top of k, then + r. The choice
//! of k is the strategy. A chain for two numbers or more goes by the two largest in the same way.

use core::fmt;
use dashu_int::UBig;
use dashu_int::ops::{BitTest, DivRem, SquareRoot};
use pingala::Error;
use std::collections::{BTreeSet, HashMap};

/// How k is chosen. Strategies with more than one choice take the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ContinuedFraction {
    /// The half, rounded down: the binary method.
    Binary,
    /// The half, rounded down or up.
    CoBinary,
    /// n over 2^ceil(b/2), where 2^b is the highest power of 2 in n.
    Dichotomic,
    /// n over each power of 2. For numbers of up to 24 bits.
    Dyadic,
    /// The square root.
    SquareRoot,
    /// Every number from 2 on. For numbers of up to 10 bits.
    Total,
}

impl ContinuedFraction {
    /// The longest number that the strategy is for.
    const fn max_bits(self) -> usize {
        match self {
            ContinuedFraction::Dyadic => 24,
            ContinuedFraction::Total => 10,
            _ => 1 << 13,
        }
    }

    fn choices(self, n: &UBig) -> Vec<UBig> {
        let half = n >> 1usize;
        match self {
            ContinuedFraction::Binary => vec![half],
            // The two choices only differ for an odd number, whose upper half is then tried if it is the odd one.
            ContinuedFraction::CoBinary if n.bit(0) && n.bit(1) => vec![half + UBig::ONE],
            ContinuedFraction::CoBinary => vec![half],
            ContinuedFraction::Dichotomic => vec![n >> (n.bit_len() - 1).div_ceil(2)],
            ContinuedFraction::Dyadic => (1..n.bit_len() - 1).map(|k| n >> k).collect(),
            ContinuedFraction::SquareRoot => vec![n.sqrt()],
            ContinuedFraction::Total => (2..u64::try_from(n).unwrap_or(2)).map(UBig::from).collect(),
        }
    }
}

impl fmt::Display for ContinuedFraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ContinuedFraction::Binary => "binary",
            ContinuedFraction::CoBinary => "co_binary",
            ContinuedFraction::Dichotomic => "dichotomic",
            ContinuedFraction::Dyadic => "dyadic",
            ContinuedFraction::SquareRoot => "square_root",
            ContinuedFraction::Total => "total",
        })
    }
}

/// The elements of a chain for these numbers.
pub(super) fn elements(strategy: ContinuedFraction, targets: &[UBig]) -> Result<Vec<UBig>, Error> {
    let longest = targets.iter().map(BitTest::bit_len).max().unwrap_or(0);
    if longest > strategy.max_bits() {
        let cap = strategy.max_bits();
        return Err(Error::BadArgument(format!("the strategy {strategy} is for {cap} bits, not for {longest}")));
    }
    let mut finder = Finder { strategy, known: HashMap::new() };
    Ok(finder.several(targets.iter().cloned().collect()).into_iter().collect())
}

type Elements = BTreeSet<UBig>;

struct Finder {
    strategy: ContinuedFraction,
    known: HashMap<UBig, Elements>,
}

impl Finder {
    /// A chain for one number.
    fn one(&mut self, n: &UBig) -> Elements {
        let bits = n.bit_len();
        if n.trailing_zeros() == Some(bits - 1) {
            return (0..bits).map(|k| UBig::ONE << k).collect();
        }
        if *n == UBig::from(3u8) {
            return [1u8, 2, 3].map(UBig::from).into();
        }
        if let Some(known) = self.known.get(n) {
            return known.clone();
        }
        let choices = self.strategy.choices(n);
        let chains = choices.into_iter().filter(|k| *k > UBig::ONE).map(|k| self.two(n, k));
        let found =
            chains.collect::<Vec<_>>().into_iter().min_by_key(BTreeSet::len).expect("a number above 3 has a choice");
        self.known.insert(n.clone(), found.clone());
        found
    }

    /// A chain for n that contains k: for k and the rest, for the quotient on top of k, and the rest added.
    fn two(&mut self, n: &UBig, k: UBig) -> Elements {
        let (quotient, rest) = n.div_rem(&k);
        let mut targets: Elements = [k.clone()].into();
        if rest != UBig::ZERO {
            targets.insert(rest.clone());
        }
        let mut chain = self.several(targets);
        chain.extend(self.one(&quotient).into_iter().map(|element| element * &k));
        chain.insert(n.clone());
        chain
    }

    /// A chain for several numbers.
    fn several(&mut self, mut targets: Elements) -> Elements {
        let mut chain = Elements::new();
        // From the largest down, each over the next.
        while let Some(largest) = targets.pop_last() {
            let Some(next) = targets.last().cloned() else {
                chain.extend(self.one(&largest));
                break;
            };
            let (quotient, rest) = (&largest).div_rem(&next);
            chain.extend(self.one(&quotient).into_iter().map(|element| element * &next));
            chain.insert(largest);
            if rest != UBig::ZERO {
                targets.insert(rest);
            }
        }
        chain
    }
}
