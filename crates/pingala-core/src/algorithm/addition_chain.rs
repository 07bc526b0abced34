//! Exponentiation along a given addition chain: HAC 14.104, Algorithm 7 of \[tandrup2004fast\].

use super::{BASE, Chain, Counts, ExpectedCost, ExponentShape, Monoid, Program, Register};
use crate::exponent::Exponent;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

/// Raises to the target of one given chain.
///
/// 1. g\[0\] <- g.
/// 2. For i from 1 to r: g\[i\] <- g\[i1\] * g\[i2\].
/// 3. The result is g\[r\].
///
/// (The report calls the input b, gives the array r cells where r + 1 are needed, and writes s for r.)
///
/// Departures, all planned once when the chain is given: an element that the target does not depend on is not computed;
/// an element's register is used again after its last use; a pair (i, i) is a squaring, a run of them whose inner
/// elements serve nothing else is one call, and a pair (0, i) is a product by the base.
///
/// Exactly and expected: of the elements that the target depends on, those with pair (i, i) as squarings, those with
/// pair (0, i), i > 0, as products by the base, the rest as general products.
#[derive(Clone, Debug, PartialEq)]
pub struct AdditionChain(Arc<Planned>);

#[derive(Debug, PartialEq)]
struct Planned {
    chain: Chain,
    steps: Vec<ChainStep>,
    result: Register,
    registers: usize,
    counts: Counts,
}

/// One call to the monoid.
#[derive(Clone, Copy, Debug, PartialEq)]
enum ChainStep {
    Square { out: Register, from: Register, count: usize },
    ByBase { out: Register, a: Register },
    Multiply { out: Register, a: Register, b: Register },
}

impl AdditionChain {
    /// Plans the registers of this chain.
    pub fn new(chain: Chain) -> Self {
        Self(Arc::new(Planned::new(chain)))
    }

    /// The chain.
    pub fn chain(&self) -> &Chain {
        &self.0.chain
    }

    /// Raises the base to the target on elements of any kind, secret ones too: the steps depend on no value.
    #[inline]
    pub(crate) fn walk<M: Monoid + ?Sized>(&self, monoid: &mut M) -> Register {
        for &step in &self.0.steps {
            match step {
                ChainStep::Square { out, from, count } => monoid.sqr_n(out, from, count),
                ChainStep::ByBase { out, a } => monoid.mul_base(out, a),
                ChainStep::Multiply { out, a, b } => monoid.mul(out, a, b),
            }
        }
        self.0.result
    }
}

impl Planned {
    fn new(chain: Chain) -> Self {
        let uses = ElementUses::of(&chain);
        let mut registers = Registers { free: Vec::new(), used: 1 };
        // Where each element stands. Only looked at while the element lives.
        let mut place = vec![BASE; chain.length() + 1];
        let mut steps: Vec<ChainStep> = Vec::new();
        let mut counts = Counts::default();
        let mut previous = 0;
        for (index, &(low, high)) in (1..).zip(chain.pairs()) {
            if uses.last[index] == 0 {
                continue;
            }
            let (a, b) = (place[low], place[high]);
            if let Some(ChainStep::Square { out, count, .. }) = steps.last_mut()
                && low == high
                && high == previous
                && uses.number[high] == 1
            {
                // The run of doublings goes on: what was squared so far serves nothing else.
                *count += 1;
                counts.squarings += 1;
                place[index] = *out;
                previous = index;
                continue;
            }
            for operand in [low, high] {
                if uses.last[operand] == index && operand > 0 {
                    registers.release(place[operand]);
                }
            }
            let out = registers.take();
            steps.push(if low == high {
                counts.squarings += 1;
                ChainStep::Square { out, from: a, count: 1 }
            } else if low == 0 {
                counts.base_multiplications += 1;
                ChainStep::ByBase { out, a: b }
            } else {
                counts.multiplications += 1;
                ChainStep::Multiply { out, a, b }
            });
            place[index] = out;
            previous = index;
        }
        let result = place[chain.length()];
        Self { chain, steps, result, registers: registers.used, counts }
    }
}

/// When the elements of a chain serve.
struct ElementUses {
    /// The last element computed from this one; 0 for one that the target does not depend on.
    last: Vec<usize>,
    /// The number of elements computed from this one.
    number: Vec<usize>,
}

impl ElementUses {
    fn of(chain: &Chain) -> Self {
        let r = chain.length();
        let (mut last, mut number) = (vec![0; r + 1], vec![0; r + 1]);
        last[r] = usize::MAX;
        for (index, &(low, high)) in (1..r + 1).zip(chain.pairs()).rev() {
            if last[index] > 0 {
                for operand in [low, high] {
                    last[operand] = last[operand].max(index);
                }
                number[low] += 1;
                number[high] += usize::from(low != high);
            }
        }
        Self { last, number }
    }
}

/// Registers in and out of use, the base's apart.
struct Registers {
    free: Vec<Register>,
    used: usize,
}

impl Registers {
    fn take(&mut self) -> Register {
        self.free.pop().unwrap_or_else(|| {
            self.used += 1;
            Register(self.used - 1)
        })
    }

    /// Both operands of a squaring name the same register: it is released once.
    fn release(&mut self, register: Register) {
        if !self.free.contains(&register) {
            self.free.push(register);
        }
    }
}

named! {
    @ AdditionChain, Chain, Self::new, |program: &AdditionChain| program.0.chain.clone(),
    "addition_chain",
    "[menezes1996handbook] 14.104; [tandrup2004fast] algorithm 7 corrected",
    "one product per step of a given addition chain, for one exponent used again and again"
}

impl Program for AdditionChain {
    fn registers(&self, _exponent_bits: usize) -> usize {
        self.0.registers
    }

    fn expected(&self, _shape: &ExponentShape) -> ExpectedCost {
        self.0.counts.into()
    }

    /// Its target only.
    #[inline]
    fn serves(&self, exponent: &Exponent) -> bool {
        self.chain().target() == exponent
    }

    /// # Panics
    /// If the exponent is not the chain's target.
    #[inline]
    fn run<M: Monoid<Digit = usize> + ?Sized>(&self, exponent: &Exponent, monoid: &mut M) -> Register {
        assert!(self.serves(exponent), "an addition chain serves one exponent, its target");
        self.walk(monoid)
    }
}

#[cfg(test)]
#[path = "../../tests/inside/algorithm/addition_chain.rs"]
mod tests;
