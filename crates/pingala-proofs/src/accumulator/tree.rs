//! The product tree, level by level, and depth first where a level is larger than the memory.

use crate::accumulator::checkpoint::Steps;
use crate::accumulator::{chunk_length, step_bits};
use pingala_core::{Error, Integer, Modulus, Natural, pairs};

/// A node: g to the product of all elements but those from `from` to before `to`.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) value: Integer,
}

impl Node {
    fn middle(&self) -> usize {
        self.from + (self.to - self.from).div_ceil(2)
    }

    fn is_leaf(&self) -> bool {
        self.to - self.from == 1
    }
}

/// The powers that lead from one level to the next.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Level {
    pub(crate) powers: usize,
    /// Bits of all their exponents.
    pub(crate) bits: u64,
}

/// The levels of a tree over these exponents.
pub(crate) fn levels(exponents: &[Natural]) -> Vec<Level> {
    let mut levels = Vec::new();
    let mut nodes = vec![(0, exponents.len())];
    let mut bits_before = vec![0u64];
    for exponent in exponents {
        bits_before.push(bits_before.last().unwrap_or(&0) + exponent.bits());
    }
    loop {
        let split: Vec<_> = nodes.into_iter().filter(|(from, to)| to - from > 1).collect();
        if split.is_empty() {
            return levels;
        }
        let bits = split.iter().map(|&(from, to)| bits_before[to] - bits_before[from]).sum();
        levels.push(Level { powers: 2 * split.len(), bits });
        nodes = split
            .into_iter()
            .flat_map(|(from, to)| {
                let middle = from + (to - from).div_ceil(2);
                [(from, middle), (middle, to)]
            })
            .collect();
    }
}

/// The product of numbers, by halves.
pub(crate) fn product(numbers: &[Natural]) -> Natural {
    match numbers {
        [] => Natural::from(1u64),
        [one] => one.clone(),
        _ => {
            let (low, high) = numbers.split_at(numbers.len() / 2);
            product(low) * product(high)
        }
    }
}

/// Bits of the exponent of one power of a step.
pub(crate) fn chunk_bits(modulus: &Modulus) -> u64 {
    (step_bits(modulus) / 16).clamp(1 << 12, 1 << 18)
}

/// Fewest powers of a step, if the level has them: they fill the lanes of some threads.
const POWERS_AT_ONCE: usize = 64;

/// What the steps of a job follow from, besides its numbers and its memory: bytes of a node, powers and bits of a step, bits of a power.
pub(crate) fn sizes(modulus: &Modulus) -> [u64; 4] {
    [node_bytes(modulus), POWERS_AT_ONCE as u64, step_bits(modulus), chunk_bits(modulus)]
}

/// Bytes of a node of the tree.
fn node_bytes(modulus: &Modulus) -> u64 {
    modulus.value().bits().div_ceil(8) + size_of::<Node>() as u64 + 16
}

/// The most bytes of all results of all steps, with some to spare: a power by a long exponent is taken by chunks of it, and two of these that
/// follow each other have more than [`chunk_bits`].
pub(crate) fn most_bytes(modulus: &Modulus, exponents: &[Natural]) -> u64 {
    let of_level =
        |level: &Level| (level.powers as u64).saturating_add(level.bits / chunk_bits(modulus)).saturating_mul(2);
    let values = levels(exponents).iter().fold(0u64, |sum, level| sum.saturating_add(of_level(level)));
    values.saturating_mul(modulus.value().bits().div_ceil(8))
}

/// The values of the leaves below `root`, in order.
pub(crate) fn descend(
    root: Node,
    exponents: &[Natural],
    memory_bytes: u64,
    mut steps: Steps<'_>,
) -> Result<Vec<Natural>, Error> {
    // Parts of levels wait while others are computed: at most half a level's share of the memory at each depth.
    let depth = u64::from(usize::BITS - exponents.len().leading_zeros());
    let most_nodes = (memory_bytes / node_bytes(steps.modulus()) / (2 + depth / 2)).max(1) as usize;
    let mut results = Vec::with_capacity(exponents.len());
    let mut waiting = vec![vec![root]];
    while let Some(mut nodes) = waiting.pop() {
        if nodes.iter().all(Node::is_leaf) {
            results.extend(nodes.into_iter().map(|leaf| leaf.value.into_magnitude()));
            continue;
        }
        let children: usize = nodes.iter().map(|node| if node.is_leaf() { 1 } else { 2 }).sum();
        if children > most_nodes && nodes.len() > 1 {
            let later = nodes.split_off(nodes.len() / 2);
            waiting.extend([later, nodes]);
            continue;
        }
        waiting.push(next_level(nodes, exponents, &mut steps)?);
    }
    steps.finish()?;
    Ok(results)
}

/// The children of these nodes, and the leaves among them.
fn next_level(nodes: Vec<Node>, exponents: &[Natural], steps: &mut Steps<'_>) -> Result<Vec<Node>, Error> {
    let (step_bits, chunk_bits) = (step_bits(steps.modulus()), chunk_bits(steps.modulus()));
    let mut children = Vec::with_capacity(2 * nodes.len());
    // The exponents that a child's value lacks: those of the other child.
    let mut lacking: Vec<&[Natural]> = Vec::with_capacity(2 * nodes.len());
    for node in nodes {
        if node.is_leaf() {
            children.push(node);
            lacking.push(&[]);
            continue;
        }
        let Node { from, to, .. } = node;
        let middle = node.middle();
        children.push(Node { from, to: middle, value: node.value.clone() });
        children.push(Node { from: middle, to, value: node.value });
        lacking.extend([&exponents[middle..to], &exponents[from..middle]]);
    }
    let mut at = 0;
    while at < children.len() {
        let end = at + batch_length(&lacking[at..], step_bits, chunk_bits);
        let (batch, lacking) = (&mut children[at..end], &mut lacking[at..end]);
        at = end;
        // A long exponent is a product, and the power is taken by its factors in turn.
        while lacking.iter().any(|exponents| !exponents.is_empty()) {
            let mut places = Vec::with_capacity(batch.len());
            let mut powers = Vec::with_capacity(batch.len());
            for (place, exponents) in lacking.iter_mut().enumerate().filter(|(_, exponents)| !exponents.is_empty()) {
                let (chunk, rest) = exponents.split_at(chunk_length(exponents, chunk_bits));
                *exponents = rest;
                places.push(place);
                powers.push(chunk);
            }
            let bases = places.iter().map(|&place| &batch[place].value).collect();
            let values = steps.powers(bases, &powers)?;
            pairs(places, values)?.for_each(|(place, value)| batch[place].value = value);
        }
    }
    Ok(children)
}

/// How many of the powers run in one step.
fn batch_length(lacking: &[&[Natural]], step_bits: u64, chunk_bits: u64) -> usize {
    let mut sum = 0;
    let fits = lacking.iter().take_while(|exponents| {
        let bits: u64 = exponents.iter().map(Natural::bits).sum();
        sum += bits.min(chunk_bits);
        sum <= step_bits
    });
    let count = fits.count();
    // Whole packs of lanes.
    (count - count % POWERS_AT_ONCE).max(POWERS_AT_ONCE).min(lacking.len())
}
