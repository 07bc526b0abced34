//! What a chain costs, whatever its numbers are.

use pingala_core::algorithm::{AdditionChain, Chain, Program};

/// The figures of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Steps.
    pub length: usize,
    /// Steps that double.
    pub squarings: usize,
    /// All others.
    pub products: usize,
    /// The most values that live at the same time, base included, if a value's place is used again after its last use.
    pub registers: usize,
    /// The most steps one of which needs the one before.
    pub depth: usize,
    /// Whether each step uses the element before it.
    pub is_star: bool,
}

/// The figures of a chain.
pub fn shape(chain: &Chain) -> Shape {
    let mut depths = vec![0; chain.length() + 1];
    for (place, &(low, high)) in (1..).zip(chain.pairs()) {
        depths[place] = 1 + depths[low].max(depths[high]);
    }
    let squarings = chain.pairs().iter().filter(|(low, high)| low == high).count();
    Shape {
        length: chain.length(),
        squarings,
        products: chain.length() - squarings,
        registers: AdditionChain::new(chain.clone()).registers(chain.target().bits()),
        depth: depths[chain.length()],
        is_star: chain.pairs().iter().enumerate().all(|(place, &(_, high))| high == place),
    }
}
