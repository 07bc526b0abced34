//! The passes of the transforms over memory, each compiled for one instruction family: see [`super::transform`].

#![allow(unsafe_code)]
#![expect(clippy::needless_range_loop, reason = "one index for several arrays, constant bounds that unroll")]

use super::compiled::FieldProgram;
use super::field::Field;
use super::primes::Prime;
use super::tables::list_start;

/// The starts of the factors of a tree, at one level and at the two below it.
pub(super) type LevelStarts = [usize; 3];

/// The factors of up to three levels, of each of some trees.
#[derive(Clone, Copy)]
pub(super) struct TreeLevels<'l> {
    pub(super) words: *const u64,
    /// From a factor to its second word, in the first list of a class.
    pub(super) second: usize,
    pub(super) starts: &'l [LevelStarts],
}

impl TreeLevels<'_> {
    #[inline(always)]
    pub(super) fn tree(&self, tree: usize) -> Levels {
        Levels { words: self.words, second: self.second, starts: self.starts[tree] }
    }
}

/// The factors of up to three levels.
#[derive(Clone, Copy)]
pub(super) struct Levels {
    words: *const u64,
    second: usize,
    starts: LevelStarts,
}

impl Levels {
    /// Returns the factor of node `group` among those that a level has below a node; with LANES, one factor for each lane, for consecutive
    /// nodes.
    ///
    /// # Safety
    /// The level has these nodes.
    #[inline(always)]
    pub(super) unsafe fn factor<F: Field, const LANES: bool>(
        &self,
        field: F,
        level: usize,
        node: usize,
        group: usize,
    ) -> [F::Vector; 2] {
        // SAFETY: the caller's promise.
        unsafe {
            let at = self.words.add(self.starts[level] + (node << level));
            if LANES {
                let at = at.add(list_start(self.second, level) + group * F::WIDTH);
                [field.load(at), field.load(at.add(self.second << level))]
            } else {
                let at = at.add(group);
                [field.broadcast(at), field.broadcast(at.add(self.second))]
            }
        }
    }
}

/// Computes one level of several. The steps 0, 1 and 2 are the levels from the first to the last, or from the last to the first in an
/// inverse. `factor(level, group)` returns the factor of node `group` of a level; node g of the level has the places from 2hg on. STEP is a constant: a loop over levels is not always unrolled,
/// and then the vectors stay in memory (docs/records/ntt.md).
#[inline(always)]
pub(super) fn on_level<F: Field, const STEP: usize, const INVERSE: bool>(
    field: F,
    m: &F::Modulus,
    x: &mut [F::Vector; 8],
    levels: usize,
    factor: impl Fn(usize, usize) -> [F::Vector; 2],
) {
    let level = if INVERSE { 2 - STEP } else { STEP };
    if level >= levels {
        return;
    }
    let half = (1 << levels) >> (level + 1);
    for group in 0..1 << level {
        let w = factor(level, group);
        for at in 2 * half * group..(2 * group + 1) * half {
            let (a, b) = (x[at], x[at + half]);
            if !INVERSE {
                [x[at], x[at + half]] = field.split_pair(m, a, b, w);
                continue;
            }
            let difference = match levels - 1 - level {
                0 => field.sub::<0>(m, a, b),
                1 => field.sub::<1>(m, a, b),
                _ => field.sub::<2>(m, a, b),
            };
            x[at] = field.add(a, b);
            x[at + half] = field.times(m, difference, w);
        }
    }
}

/// Reduces the residues of the first places.
#[inline(always)]
pub(super) fn reduce_first<F: Field>(field: F, m: &F::Modulus, x: &mut [F::Vector; 8], places: usize) {
    for place in 0..places {
        x[place] = field.reduce(m, x[place]);
    }
}

/// A pass over the blocks of some trees, some levels at a time.
pub(super) struct Pass<'l> {
    pub(super) modulus: Prime,
    pub(super) levels: TreeLevels<'l>,
    pub(super) node: usize,
    /// Of each tree; the trees follow one another.
    pub(super) blocks: usize,
    pub(super) size: usize,
    /// Whether the summands of a transform are reduced first.
    pub(super) reduces: bool,
    /// The residues or digits that a transform reads first; an inverse reads `at`.
    pub(super) from: *const u64,
    pub(super) at: *mut u64,
}

/// The kinds of [`PassOf`]: from digits, from residues, and of the inverse.
pub(super) const FIRST: u8 = 0;
pub(super) const LATER: u8 = 1;
pub(super) const BACK: u8 = 2;

/// A pass of K levels.
pub(super) struct PassOf<'l, const K: usize, const KIND: u8>(pub(super) Pass<'l>);

impl<const K: usize, const KIND: u8> PassOf<'_, K, KIND> {
    /// The levels, in their order.
    #[inline(always)]
    fn levels<F: Field, const INVERSE: bool>(
        field: F,
        m: &F::Modulus,
        x: &mut [F::Vector; 8],
        w: &[[F::Vector; 2]; 7],
    ) {
        let factor = |level: usize, group: usize| w[(1 << level) - 1 + group];
        on_level::<F, 0, INVERSE>(field, m, x, K, factor);
        on_level::<F, 1, INVERSE>(field, m, x, K, factor);
        on_level::<F, 2, INVERSE>(field, m, x, K, factor);
    }
}

impl<const K: usize, const KIND: u8> FieldProgram for PassOf<'_, K, KIND> {
    #[inline(always)]
    fn run<F: Field>(self, field: F) {
        let Pass { modulus, levels, node, blocks, size, reduces, from, at } = self.0;
        let from = if KIND == BACK { at } else { from };
        let m = &field.modulus(&modulus);
        let (count, stride) = (1 << K, size >> K);
        for tree in 0..levels.starts.len() {
            let levels = levels.tree(tree);
            for block in 0..blocks {
                // SAFETY: the caller's blocks, and the nodes of their levels.
                unsafe {
                    let place = (tree * blocks + block) * size;
                    let (from, at) = (from.add(place), at.add(place));
                    let mut w = [[field.zero(); 2]; 7];
                    for level in 0..K {
                        for group in 0..1 << level {
                            w[(1 << level) - 1 + group] = levels.factor::<F, false>(field, level, node + block, group);
                        }
                    }
                    for j in (0..stride).step_by(F::WIDTH) {
                        let mut x = [w[0][0]; 8];
                        for place in 0..count {
                            let from = from.add(j + place * stride);
                            x[place] = if KIND == FIRST { field.digits(m, from) } else { field.load(from) };
                        }
                        if KIND == BACK {
                            Self::levels::<F, true>(field, m, &mut x, &w);
                            reduce_first(field, m, &mut x, count / 2);
                        } else {
                            if reduces {
                                reduce_first(field, m, &mut x, count / 2);
                            }
                            Self::levels::<F, false>(field, m, &mut x, &w);
                        }
                        for place in 0..count {
                            field.store(at.add(j + place * stride), x[place]);
                        }
                    }
                }
            }
        }
    }
}
