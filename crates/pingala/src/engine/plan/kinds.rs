//! The elements of a list, sorted into kinds that cost the same.

use super::memory::PartHasher;
use super::problem::Part;
use super::{Plan, Problem};
use crate::exponent::order;
use core::cmp::Reverse;
use core::hash::BuildHasherDefault;
use core::ops::Range;
use std::collections::HashMap;

/// The number of an exponent that no other element has.
pub(crate) const OWN_EXPONENT: usize = usize::MAX;

/// One power of a list as a planner sees it, with an exponent of 1 or more.
#[derive(Clone, Debug)]
pub(crate) struct ListedProblem {
    /// The power as a problem of its own.
    pub(crate) problem: Problem,
    /// The known factor of the modulus for which it is the part of a power; none for a whole power. Adjacent elements modulo the same
    /// factor share its constants.
    pub(crate) factor: Option<usize>,
    /// Elements with the same number here have the same exponent, but for [`OWN_EXPONENT`].
    pub(crate) exponent: usize,
    /// The forced plan, if it is known already.
    pub(crate) forced: Option<Box<Plan>>,
}

/// Elements with the same cost to the planner.
pub(crate) struct Kind {
    key: Key,
    /// The first of them.
    pub(crate) element: ListedProblem,
    /// How many.
    pub(crate) count: usize,
}

/// The key of a kind, which needs no memory for each element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    part: Part,
    has_odd_part: bool,
    trailing_zeros: u64,
    /// See [`ListedProblem::factor`] and [`ListedProblem::exponent`].
    factor: Option<usize>,
    exponent: usize,
    /// Elements with known factors, or a forced plan of their own, are alike only modulo the same number.
    modulus: usize,
}

impl Key {
    /// The key of a whole power, or of its part modulo a known factor. A part never has the key of a whole power: their plans differ even
    /// if their lengths are the same, because a whole power modulo a number with one known factor is split and its part is not.
    /// `modulus` is 0 if moduli of one length need no telling apart.
    #[inline]
    pub(crate) fn new(problem: &Problem, factor: Option<usize>, exponent: usize, modulus: usize) -> Self {
        let odd_bits = problem.odd_bits();
        let part = problem.odd_part(odd_bits).canonical();
        Self { part, has_odd_part: odd_bits > 1, trailing_zeros: problem.trailing_zeros, factor, exponent, modulus }
    }
}

impl Kind {
    /// Whether it may stand in a lane.
    pub(crate) fn fits_lanes(&self) -> bool {
        self.key.has_odd_part && self.element.problem.factors.is_empty()
    }

    pub(crate) fn repeats_its_exponent(&self) -> bool {
        self.element.exponent != OWN_EXPONENT
    }
}

/// Elements sorted into kinds.
#[derive(Default)]
pub(crate) struct Kinds {
    pub(crate) kinds: Vec<Kind>,
    /// The kind of each element, from the first one on that is not of the first kind.
    of: Vec<usize>,
    by_key: HashMap<Key, usize, BuildHasherDefault<PartHasher>>,
}

impl Kinds {
    /// The most kinds that are searched one by one.
    const FEW: usize = 4;

    /// The kinds of `count` elements. A key may be left out if it equals the one before.
    pub(crate) fn new(
        count: usize,
        key: impl Fn(usize) -> Option<Key>,
        element: impl Fn(usize) -> ListedProblem,
    ) -> Self {
        let (mut kinds, mut last) = (Self::default(), 0);
        for index in 0..count {
            if let Some(key) = key(index)
                && kinds.kinds.get(last).is_none_or(|kind| kind.key != key)
            {
                let known = kinds.known(&key);
                last = known.unwrap_or(kinds.kinds.len());
                if known.is_none() {
                    kinds.add(Kind { key, element: element(index), count: 0 });
                }
            }
            if last > 0 && kinds.of.is_empty() {
                kinds.of.reserve_exact(count);
                kinds.of.resize(index, 0);
            }
            if !kinds.of.is_empty() {
                kinds.of.push(last);
            }
            kinds.kinds[last].count += 1;
        }
        kinds
    }

    fn known(&self, key: &Key) -> Option<usize> {
        if self.kinds.len() <= Self::FEW {
            return self.kinds.iter().position(|kind| kind.key == *key);
        }
        self.by_key.get(key).copied()
    }

    fn add(&mut self, kind: Kind) {
        self.kinds.push(kind);
        let new = if self.kinds.len() == Self::FEW + 1 { 0 } else { self.kinds.len() - 1 };
        if self.kinds.len() > Self::FEW {
            self.by_key.extend((new..self.kinds.len()).map(|at| (self.kinds[at].key, at)));
        }
    }

    /// The elements of a kind.
    pub(crate) fn elements(&self, kind: usize, count: usize) -> Vec<usize> {
        (0..count).filter(|&index| self.of.get(index).copied().unwrap_or(0) == kind).collect()
    }
}

/// Elements in the order of the tree, by kind.
pub(crate) struct Sequence {
    pub(crate) kinds: Vec<Kind>,
}

impl Sequence {
    /// The kinds of the elements in a range of the order, each with how many of them are there.
    pub(crate) fn within(&self, range: Range<usize>) -> Vec<(&Kind, usize)> {
        let (mut first, mut within) = (0, Vec::new());
        for kind in &self.kinds {
            let here = range.end.min(first + kind.count).saturating_sub(range.start.max(first));
            if here > 0 {
                within.push((kind, here));
            }
            first += kind.count;
        }
        within
    }

    /// The kinds of the next `count` elements, starting with the one at `offset` of a kind.
    pub(crate) fn next(&self, (kind, offset): (usize, usize), count: usize) -> Vec<(&Kind, usize)> {
        let (mut left, mut offset, mut next) = (count, offset, Vec::new());
        for kind in &self.kinds[kind..] {
            let here = left.min(kind.count - offset);
            if here > 0 {
                next.push((kind, here));
            }
            (left, offset) = (left - here, 0);
            if left == 0 {
                break;
            }
        }
        next
    }
}

/// The kinds in canonical order, the elements in that order if it is not their own, and the plan of each kind. Similar
/// elements are adjacent, so that they share lanes; the most expensive come first.
pub(crate) fn in_order(kinds: Kinds, plans: Vec<Option<Plan>>) -> (Sequence, Option<Vec<usize>>, Vec<Option<Plan>>) {
    let Kinds { kinds, of, .. } = kinds;
    if of.is_empty() {
        let kinds = kinds.into_iter().filter(|kind| kind.count > 0).collect();
        return (Sequence { kinds }, None, plans);
    }
    let mut by_length: Vec<usize> = (0..kinds.len()).filter(|&at| kinds[at].count > 0).collect();
    let key = |at: usize| {
        let ListedProblem { problem, factor, exponent, .. } = &kinds[at].element;
        let lengths = [problem.odd_bits(), problem.trailing_zeros].map(|bits| Reverse(bits.div_ceil(64)));
        (!kinds[at].fits_lanes(), lengths, Reverse(problem.exponent_bits), *factor, *exponent)
    };
    order::sort(&mut by_length, |&a, &b| key(a).cmp(&key(b)));
    let (mut starts, mut start) = (vec![None; kinds.len()], 0);
    for &at in &by_length {
        starts[at] = Some(start);
        start += kinds[at].count;
    }
    let mut order = vec![0; start];
    for (index, &kind) in of.iter().enumerate() {
        if let Some(next) = &mut starts[kind] {
            order[*next] = index;
            *next += 1;
        }
    }
    let planned = plans.into_iter().map(Some).chain(core::iter::repeat_with(|| None));
    let mut taken: Vec<Option<(Kind, Option<Option<Plan>>)>> = kinds.into_iter().zip(planned).map(Some).collect();
    let (kinds, plans): (Vec<Kind>, Vec<_>) = by_length.iter().filter_map(|&at| taken[at].take()).unzip();
    (Sequence { kinds }, Some(order), plans.into_iter().map(Option::flatten).collect())
}
