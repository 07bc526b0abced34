//! The factors of the transforms of one length, for one prime and one direction.
//!
//! A transform splits numbers modulo x^M - c, for a power of two M, into numbers modulo x^(M/2) - s and x^(M/2) + s with s^2 = c. It
//! begins with c = 1 (cyclic, base 0) or c = -1 (negacyclic, base 1), and the two results of node i are nodes 2i and 2i + 1. Then
//! node i needs the factor w_i with w_0 = 1, w_1^2 = -1, w_2i^2 = w_i and w_(2i+1)^2 = -w_i, at every depth and for both bases.
//!
//! An odd factor r of a length is split off first: x^(rM) - c, c = 1 or -1, into x^M - c z^j for j < r, with z of order r. The square
//! root of z^j is a power of z, because r is odd: the nodes of tree j need w_i z^e, with e = j / 2^(d+1) mod r at depth d. So the
//! r sequences w_i z^e, *class* e each, are all that there is. A sequence for 2M contains that for M.
//!
//! **Lists.** A pass over memory takes a factor for all lanes. In the last levels, level k < LOG of vectors of W = 2^LOG lanes takes 2^k
//! nodes to a lane, so list k of a class has its nodes in blocks of 2^k vectors: lane j of vector i of a block is its node 2^k j + i. List 0 is
//! in the order of the nodes. The last list has all M nodes, each list half as many as the next: that many nodes its level has at most.

use super::instructions::Instructions;
use super::length::Length;
use super::primes::Prime;
use crate::kernel::cache_line;

/// The constants of the short transforms of odd length, two words each.
type OddWords = [u64; 16];

/// The factors of one prime and one direction.
#[derive(Debug)]
pub(super) struct RootFactors {
    /// The lists of each class: the factors, then their second words.
    words: Vec<u64>,
    /// The word at which a cache line starts.
    origin: usize,
    /// The constants of the short transforms, two words each.
    pub(super) odd_words: OddWords,
    /// Nodes of list 0, which is as far as from a factor in it to its second word.
    pub(super) first: usize,
    field: Instructions,
}

impl RootFactors {
    /// The factors of a length, and their inverses.
    ///
    /// 1 / w_i is -w_j for i > 0, where j is i with all bits below the highest flipped: the w_i from 2^k to 2^(k+1) - 1 are powers of
    /// one root whose exponents are opposite there. So 1 / (w_i z^e) = -w_j z^(r-e).
    pub(super) fn with_inverses(field: Instructions, prime: &Prime, length: Length) -> [Self; 2] {
        let (r, m) = (length.odd, 1usize << length.log);
        let mut w = vec![1; m];
        // w_(filled + i) = w_i w_filled, and w_filled has the order 4 filled.
        let mut roots = [prime.root(2 * m as u64); usize::BITS as usize];
        for level in (0..length.log.saturating_sub(1) as usize).rev() {
            roots[level] = prime.mul(roots[level + 1], roots[level + 1]);
        }
        for (level, root) in roots.into_iter().enumerate().take(length.log as usize) {
            let (known, new) = w[..2 << level].split_at_mut(1 << level);
            for (new, known) in new.iter_mut().zip(&*known) {
                *new = prime.mul(*known, root);
            }
        }
        let z = prime.root(r as u64);
        let [mut factors, mut inverses] =
            [z, prime.inverse(z)].map(|z| Self::empty(field, length, odd_words(field, prime, r, z)));
        let (mut nodes, mut inverse_nodes) = (vec![[0; 2]; m], vec![[0; 2]; m]);
        let (mut power, words) = (1, field.factors);
        for class in 0..r {
            for (node, w) in nodes.iter_mut().zip(&w) {
                *node = words.of(prime, if power == 1 { *w } else { prime.mul(*w, power) });
            }
            inverse_nodes[0] = nodes[0];
            for start in (0..length.log).map(|level| 1 << level) {
                let opposite = nodes[start..2 * start].iter().rev();
                for (inverse, node) in inverse_nodes[start..2 * start].iter_mut().zip(opposite) {
                    *inverse = words.negative(prime, *node);
                }
            }
            factors.set(class, &nodes);
            inverses.set((r - class) % r, &inverse_nodes);
            power = prime.mul(power, z);
        }
        [factors, inverses]
    }

    fn empty(field: Instructions, length: Length, odd_words: OddWords) -> Self {
        let first = 1 << (length.log + 1 - lists(field));
        let words = vec![0; length.odd * list_start(first, lists(field) as usize) + cache_line::spare::<u64>()];
        let origin = cache_line::first_word(&words);
        Self { words, origin, odd_words, first, field }
    }

    /// Sets the lists of a class, from what belongs to each node.
    fn set(&mut self, class: usize, nodes: &[[u64; 2]]) {
        let lanes = self.field.log;
        for list in 0..lists(self.field) {
            let (start, count) = (self.start(class) + list_start(self.first, list as usize), self.first << list);
            let (first, second) = self.words[self.origin + start..][..2 * count].split_at_mut(count);
            let block = 1 << (lanes + list);
            let blocks = first.chunks_mut(block).zip(second.chunks_mut(block));
            for ((first, second), nodes) in blocks.zip(nodes.chunks(block)) {
                for (place, (first, second)) in first.iter_mut().zip(second).enumerate() {
                    let (vector, lane) = (place >> lanes, place & ((1 << lanes) - 1));
                    [*first, *second] = nodes[(lane << list) + vector];
                }
            }
        }
    }

    /// The factors of all classes.
    pub(super) fn all(&self) -> *const u64 {
        self.words[self.origin..].as_ptr()
    }

    /// Where those of a class start, list 0 from node 0 on.
    pub(super) fn start(&self, class: usize) -> usize {
        class * list_start(self.first, lists(self.field) as usize)
    }

    /// Bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.words)
    }
}

/// The lists of a class: one for each level that vectors end within, or for all.
fn lists(field: Instructions) -> u32 {
    field.log.max(1)
}

/// The start of a list in its class, for `first` nodes of list 0. List k has 2^k `first` words, and the same
/// number of second words behind them.
pub(super) const fn list_start(first: usize, list: usize) -> usize {
    2 * first * ((1 << list) - 1)
}

/// The constants that `odd.rs` names, for r points by the root z: those of 3 points, of 5, of 7, and z, z^2, z^4 of 9 points.
fn odd_words(field: Instructions, prime: &Prime, r: usize, z: u64) -> OddWords {
    let total = |powers: &[u64]| powers.iter().fold(0, |total, &power| (total + prime.power(z, power)) % prime.p);
    // Some powers of z less others, times a factor.
    let weighted = |factor: u64, plus: &[u64], minus: &[u64]| {
        prime.mul((total(plus) + prime.negative(total(minus))) % prime.p, factor)
    };
    let (half, third) = (prime.p.div_ceil(2), r as u64 / 3);
    let of_3 = || [prime.negative(half), weighted(half, &[third], &[2 * third])];
    let mut constants = [0; 8];
    match r {
        3 => constants[..2].copy_from_slice(&of_3()),
        5 => {
            // (a_1 + a_2) / 2, (a_1 - a_2) / 2, b_1, b_2 - b_1, b_1 + b_2.
            let quarter = prime.mul(half, half);
            constants[2] = weighted(quarter, &[1, 4, 2, 3], &[]);
            constants[3] = weighted(quarter, &[1, 4], &[2, 3]);
            constants[4] = weighted(half, &[1], &[4]);
            constants[5] = weighted(half, &[2, 4], &[1, 3]);
            constants[6] = weighted(half, &[1, 2], &[3, 4]);
        }
        7 => {
            // (a_i + a_j + a_k) / 3 with coefficients 1, -1 and 2, -2.
            let sixth = prime.inverse(6);
            constants = [
                weighted(sixth, &[1, 6, 2, 5, 3, 4], &[]),
                weighted(sixth, &[1, 6, 1, 6], &[2, 5, 3, 4]),
                weighted(sixth, &[1, 6, 3, 4], &[2, 5, 2, 5]),
                weighted(sixth, &[1, 6, 2, 5], &[3, 4, 3, 4]),
                weighted(sixth, &[1, 2, 4], &[6, 5, 3]),
                weighted(sixth, &[1, 1, 5, 3], &[6, 6, 2, 4]),
                weighted(sixth, &[1, 5, 5, 4], &[6, 2, 2, 3]),
                weighted(sixth, &[1, 2, 3, 3], &[6, 5, 4, 4]),
            ];
        }
        9 => {
            constants[..2].copy_from_slice(&of_3());
            constants[5..].copy_from_slice(&[1, 2, 4].map(|power| prime.power(z, power)));
        }
        _ => {}
    }
    let mut words = [0; 16];
    for (words, constant) in words.chunks_exact_mut(2).zip(constants) {
        words.copy_from_slice(&field.factors.of(prime, constant));
    }
    words
}
