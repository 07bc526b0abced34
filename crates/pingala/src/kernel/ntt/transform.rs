//! The transforms: from digits to residues modulo the linear factors of x^L - 1 or x^L + 1, and back.
//!
//! **Order.** [`super::tables`] says how a node is split. TreeBlock j of a number of odd length is tree j; within it the results of a node
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
use super::odd::{OddForward, OddInverse, OddPass};
use super::passes::{Forward, Inverse, LevelStarts, Pass, TreeLevels};
use super::primes::Prime;
use super::tables::RootFactors;

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
        let factors = RootFactors::new(field, &prime, length);
        let inverses = factors.inverses(&prime, length);
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

    fn levels(&self, factors: &RootFactors, block: TreeBlock, depth: u32) -> TreeLevels<'_> {
        let starts = &self.starts[depth as usize * self.length.odd + block.tree..][..block.trees];
        TreeLevels { words: factors.all(), second: factors.second(), starts }
    }

    /// Transforms L digits to residues below 16p.
    pub(super) fn forward(&self, length: Length, kind: Wrapping, digits: &[u64], out: &mut [u64]) {
        let l = length.digits();
        assert!(digits.len() == l && out.len() == l && length.odd == self.length.odd && length.log <= self.length.log);
        let (from, to) = (digits.as_ptr(), out.as_mut_ptr());
        let size = 1 << length.log;
        if length.odd > 1 {
            let words = self.factors.odd_words();
            let negative = kind == Wrapping::Negacyclic;
            let pass = OddPass { modulus: self.prime, words, size, negative, from, to };
            match length.odd {
                3 => self.field.run(OddForward::<3>(pass)),
                5 => self.field.run(OddForward::<5>(pass)),
                7 => self.field.run(OddForward::<7>(pass)),
                _ => self.field.run(OddForward::<9>(pass)),
            }
        }
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
            self.descend(block, bound, digits, unsafe { to.add(block.tree * size) });
        }
    }

    /// All trees: short ones together, long ones one after the other.
    fn trees(length: Length, kind: Wrapping) -> impl Iterator<Item = TreeBlock> {
        let (node, log) = ((kind == Wrapping::Negacyclic).into(), length.log);
        let trees = if 1 << log < NEAR { length.odd } else { 1 };
        (0..length.odd).step_by(trees).map(move |tree| TreeBlock { tree, trees, depth: 0, node, log })
    }

    /// All levels of a block. `bound` is that of its residues in multiples of 2p.
    fn descend(&self, block: TreeBlock, mut bound: u32, mut digits: Option<*const u64>, at: *mut u64) {
        let last = 2 * self.field.log();
        let mut blocks = 1;
        let mut log = block.log;
        while log > last {
            let levels = step(self.field.levels(), log - last);
            let reduces = bound + levels > LIMIT;
            bound = if reduces { 1 + levels } else { bound + levels };
            let depth = block.depth + (block.log - log);
            let pass = Pass {
                modulus: self.prime,
                levels: self.levels(&self.factors, block, depth),
                tree: 1 << block.log,
                node: block.node << (block.log - log),
                blocks,
                size: 1 << log,
                reduces,
                from: digits.unwrap_or(at),
                at,
            };
            match (levels, digits.take().is_some()) {
                (1, false) => self.field.run(Forward::<1, false>(pass)),
                (2, false) => self.field.run(Forward::<2, false>(pass)),
                (_, false) => self.field.run(Forward::<3, false>(pass)),
                (1, true) => self.field.run(Forward::<1, true>(pass)),
                (2, true) => self.field.run(Forward::<2, true>(pass)),
                (_, true) => self.field.run(Forward::<3, true>(pass)),
            }
            log -= levels;
            blocks <<= levels;
            if 1 << log >= NEAR {
                for child in 0..blocks {
                    let node = (block.node << (block.log - log)) + child;
                    let part = TreeBlock { depth: block.depth + (block.log - log), node, log, ..block };
                    // SAFETY: the blocks of the pass, one after the other.
                    self.descend(part, bound, None, unsafe { at.add(child << log) });
                }
                return;
            }
        }
        if self.field.log() > 0 {
            let depth = block.depth + (block.log - last);
            let levels = [0, self.field.log()].map(|more| self.levels(&self.factors, block, depth + more));
            let node = block.node << (block.log - last);
            let reduces = bound + self.field.log() > LIMIT;
            self.field.run(LastLevels::<false> { modulus: self.prime, levels, node, blocks, reduces, at });
        }
    }

    /// Transforms reduced residues back to L times the coefficients, reduced.
    pub(super) fn inverse(&self, length: Length, kind: Wrapping, residues: &mut [u64]) {
        let l = length.digits();
        assert!(residues.len() == l && length.odd == self.length.odd && length.log <= self.length.log);
        let at = residues.as_mut_ptr();
        let size = 1 << length.log;
        for block in Self::trees(length, kind) {
            // SAFETY: the trees of the residues.
            self.ascend(block, unsafe { at.add(block.tree * size) });
        }
        if length.odd > 1 {
            let words = self.inverses.odd_words();
            let negative = kind == Wrapping::Negacyclic;
            let pass = OddPass { modulus: self.prime, words, size, negative, from: at, to: at };
            match length.odd {
                3 => self.field.run(OddInverse::<3>(pass)),
                5 => self.field.run(OddInverse::<5>(pass)),
                7 => self.field.run(OddInverse::<7>(pass)),
                _ => self.field.run(OddInverse::<9>(pass)),
            }
        }
    }

    fn ascend(&self, block: TreeBlock, at: *mut u64) {
        let last = 2 * self.field.log();
        // The passes of the transform, and how far down the blocks are done one by one.
        let mut steps = [0; 32];
        let (mut count, mut log, mut one_by_one) = (0, block.log, None);
        while log > last {
            let levels = step(self.field.levels(), log - last);
            steps[count] = levels;
            count += 1;
            log -= levels;
            if 1 << log >= NEAR {
                one_by_one = Some(log);
                break;
            }
        }
        if let Some(log) = one_by_one {
            for child in 0..1 << (block.log - log) {
                let node = (block.node << (block.log - log)) + child;
                let part = TreeBlock { depth: block.depth + (block.log - log), node, log, ..block };
                // SAFETY: the blocks, one after the other.
                self.ascend(part, unsafe { at.add(child << log) });
            }
        } else if self.field.log() > 0 {
            let depth = block.depth + (block.log - last);
            let levels = [0, self.field.log()].map(|more| self.levels(&self.inverses, block, depth + more));
            let node = block.node << (block.log - last);
            let blocks = 1 << (block.log - last);
            self.field.run(LastLevels::<true> { modulus: self.prime, levels, node, blocks, reduces: false, at });
        }
        for &levels in steps[..count].iter().rev() {
            log += levels;
            let depth = block.depth + (block.log - log);
            let pass = Pass {
                modulus: self.prime,
                levels: self.levels(&self.inverses, block, depth),
                tree: 1 << block.log,
                node: block.node << (block.log - log),
                blocks: 1 << (block.log - log),
                size: 1 << log,
                reduces: true,
                from: at,
                at,
            };
            match levels {
                1 => self.field.run(Inverse::<1>(pass)),
                2 => self.field.run(Inverse::<2>(pass)),
                _ => self.field.run(Inverse::<3>(pass)),
            }
        }
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

/// One block of a tree, or one in each of several trees that are no longer than the block: its depth, its node, the logarithm of
/// its residues.
#[derive(Clone, Copy)]
struct TreeBlock {
    tree: usize,
    trees: usize,
    depth: u32,
    node: usize,
    log: u32,
}
