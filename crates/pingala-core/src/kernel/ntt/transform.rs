//! The transforms: from digits to residues modulo the linear factors of x^L - 1 or x^L + 1, and back.
//!
//! **Order.** [`super::tables`] says how a node is split. Block j of a number of odd length is tree j; within it the results of a node
//! stand in its place, the first before the second. The last levels, within blocks of WIDTH^2 residues, exchange lanes and places, so
//! that the results of a block are transposed; products do not mind, and the inverse takes them back.
//!
//! **Bounds,** in multiples of p. Forward: digits are reduced, below 2; a short transform of odd length leaves less than 16; a level adds
//! 2, as x + w y and x - w y + 2p. Before a level that could reach more than 16 the summands x are reduced; all others are
//! multiplied, which reduces them. Inverse: residues are reduced before each pass; level t of a pass, t = 0, 1, 2, takes x and y below
//! 2^(t+1) and gives x + y and (x - y + 2^(t+1) p) w; sums are reduced after the pass.

#![allow(unsafe_code)]

use super::instructions::Instructions;
use super::last_levels::LastLevels;
use super::length::Length;
use super::odd::{OddPass, OddPassOf};
use super::passes::{BACK, FIRST, LATER, LevelStarts, Pass, PassOf, TreeLevels};
use super::primes::Prime;
use super::tables::RootFactors;
use crate::natural::linear::with_constant;

/// The bound that no residue reaches, in multiples of 2p.
const LIMIT: u32 = 8;
/// Residues of a block that the nearest cache holds: more than the last levels take.
const NEAR: usize = 1 << 12;

/// The transforms of one prime.
#[derive(Debug)]
pub(super) struct Transform {
    field: Instructions,
    pub(super) prime: Prime,
    length: Length,
    factors: RootFactors,
    inverses: RootFactors,
    /// The starts of the factors of each tree: depth by depth, for all trees.
    starts: Box<[LevelStarts]>,
}

/// Whether polynomials are modulo x^L - 1 or modulo x^L + 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wrapping {
    /// Modulo x^L - 1.
    Cyclic,
    /// Modulo x^L + 1.
    Negacyclic,
}

impl Transform {
    /// The transforms of this length and of those that are shorter by a power of two.
    pub(super) fn new(field: Instructions, prime: Prime, length: Length) -> Self {
        let [factors, inverses] = RootFactors::with_inverses(field, &prime, length);
        // Tree j has the class j / 2^(d + 1) modulo the odd factor r at depth d; the last depths have fewer than two below them.
        let r = length.odd;
        let halved = |class: usize| if class.is_multiple_of(2) { class / 2 } else { (class + r) / 2 };
        let start = |class| factors.start(class);
        let mut starts = Vec::with_capacity(r * (length.log as usize + 1));
        let mut classes: Vec<usize> = (0..r).map(halved).collect();
        for _ in 0..=length.log {
            starts.extend(classes.iter().map(|&class| {
                let below = halved(class);
                [start(class), start(below), start(halved(below))]
            }));
            classes.iter_mut().for_each(|class| *class = halved(*class));
        }
        Self { field, prime, length, factors, inverses, starts: starts.into() }
    }

    /// Bytes of the tables.
    pub(super) fn bytes(&self) -> usize {
        self.factors.bytes() + self.inverses.bytes() + size_of_val(&*self.starts)
    }

    /// Transforms L digits to residues below 16p.
    pub(super) fn forward(&self, length: Length, kind: Wrapping, digits: &[u64], out: &mut [u64]) {
        assert!(digits.len() == out.len());
        let size = self.tree_size(length, out);
        let (from, to) = (digits.as_ptr(), out.as_mut_ptr());
        self.odd_pass::<false>(length, kind, from, to);
        // Bounds: below 2p are the digits, below 6p the results of 3 points of reduced residues, below 10p those of 5, below
        // 16p those of 7.
        let bound = match length.odd {
            1 => 1,
            3 | 9 => 3,
            5 => 5,
            _ => LIMIT,
        };
        // Only a single tree has its digits still.
        let digits = (length.odd == 1).then_some(from);
        for block in Self::trees(length, kind) {
            // SAFETY: the trees of the residues.
            self.walk::<false>(block, bound, digits, unsafe { to.add(block.tree * size) });
        }
    }

    /// Transforms reduced residues back to L times the coefficients, reduced.
    pub(super) fn inverse(&self, length: Length, kind: Wrapping, residues: &mut [u64]) {
        let size = self.tree_size(length, residues);
        let at = residues.as_mut_ptr();
        for block in Self::trees(length, kind) {
            // SAFETY: the trees of the residues.
            self.walk::<true>(block, LIMIT, None, unsafe { at.add(block.tree * size) });
        }
        self.odd_pass::<true>(length, kind, at, at);
    }

    /// The residues of a tree, of those that a transform of this length has.
    fn tree_size(&self, length: Length, residues: &[u64]) -> usize {
        let fits = length.odd == self.length.odd && length.log <= self.length.log;
        assert!(fits && residues.len() == length.digits());
        1 << length.log
    }

    fn factors<const INVERSE: bool>(&self) -> &RootFactors {
        if INVERSE { &self.inverses } else { &self.factors }
    }

    /// The short transforms, or their inverses, of a length with an odd factor.
    fn odd_pass<const INVERSE: bool>(&self, length: Length, kind: Wrapping, from: *const u64, to: *mut u64) {
        let (words, negative) = (self.factors::<INVERSE>().odd_words.as_ptr(), kind == Wrapping::Negacyclic);
        let pass = OddPass { modulus: self.prime, words, size: 1 << length.log, negative, from, to };
        with_constant!(length.odd, R in [3 5 7 9], self.field.run(OddPassOf::<R, INVERSE>(pass)), {});
    }

    /// All trees: short ones together, long ones one after the other.
    fn trees(length: Length, kind: Wrapping) -> impl Iterator<Item = TreeBlocks> {
        let (node, log) = ((kind == Wrapping::Negacyclic).into(), length.log);
        let trees = if 1 << log < NEAR { length.odd } else { 1 };
        (0..length.odd).step_by(trees).map(move |tree| TreeBlocks { tree, trees, depth: 0, node, blocks: 1, log })
    }

    /// Computes all levels below some blocks: a pass, then the levels below its results, one block after the other if they are long. The
    /// inverse goes the other way round. `bound` is that of the residues of a transform in multiples of 2p, `digits` is where it begins from, if not `at`.
    fn walk<const INVERSE: bool>(&self, block: TreeBlocks, bound: u32, digits: Option<*const u64>, at: *mut u64) {
        let TreeBlocks { depth, node, blocks, log, .. } = block;
        let (modulus, lanes) = (self.prime, self.field.log);
        let factors = self.factors::<INVERSE>();
        let levels_at = |depth: u32| {
            let starts = &self.starts[depth as usize * self.length.odd + block.tree..][..block.trees];
            TreeLevels { words: factors.all(), second: factors.first, starts }
        };
        if log == 2 * lanes {
            if lanes > 0 {
                let levels = [levels_at(depth), levels_at(depth + lanes)];
                let reduces = bound + lanes > LIMIT;
                self.field.run(LastLevels::<INVERSE> { modulus, levels, node, blocks, reduces, at });
            }
            return;
        }
        let count = step(self.field.levels, log - 2 * lanes);
        let reduces = bound + count > LIMIT;
        let bound = if reduces { 1 + count } else { bound + count };
        let (levels, size, from) = (levels_at(depth), 1 << log, digits.unwrap_or(at));
        let pass = Pass { modulus, levels, node, blocks, size, reduces, from, at };
        let (depth, node, blocks, log) = (depth + count, node << count, blocks << count, log - count);
        let parts = TreeBlocks { depth, node, blocks, log, ..block };
        let results = || {
            if 1 << log < NEAR {
                return self.walk::<INVERSE>(parts, bound, None, at);
            }
            for part in 0..blocks {
                let one = TreeBlocks { node: node + part, blocks: 1, ..parts };
                // SAFETY: the blocks of the pass, one after the other.
                self.walk::<INVERSE>(one, bound, None, unsafe { at.add(part << log) });
            }
        };
        if INVERSE {
            results();
            return with_constant!(count, K in [1 2 3], self.field.run(PassOf::<K, BACK>(pass)));
        }
        if digits.is_some() {
            with_constant!(count, K in [1 2 3], self.field.run(PassOf::<K, FIRST>(pass)));
        } else {
            with_constant!(count, K in [1 2 3], self.field.run(PassOf::<K, LATER>(pass)));
        }
        results();
    }
}

/// The number of levels of the next pass, `most` at most, if `left` levels are left.
fn step(most: u32, left: u32) -> u32 {
    match left {
        1 => 1,
        _ if left.is_multiple_of(2) && (most == 2 || left == 2 || left == 4) => 2,
        _ => 3,
    }
}

/// Consecutive blocks of one tree, or all blocks of several trees: the first tree, the number of trees, the depth, the node of the first
/// block, the blocks of each tree, the logarithm of the residues of a block.
#[derive(Clone, Copy)]
struct TreeBlocks {
    tree: usize,
    trees: usize,
    depth: u32,
    node: usize,
    blocks: usize,
    log: u32,
}
