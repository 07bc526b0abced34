//! A cost model in whole numbers, for the many comparisons of an annealing.

use crate::cost::CostModel;

/// Whole units of a step where its prices differ.
const UNITS: f64 = 48.0;
/// Prices in whole units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pricing {
    /// Of the dearest step.
    pub(super) step: usize,
    /// Of a doubling.
    pub(super) doubling: usize,
    /// Of a sum of two different elements.
    pub(super) sum: usize,
    /// Of a register.
    register: usize,
    most_registers: Option<usize>,
    /// Of a register beyond the most.
    excess: usize,
}

impl Pricing {
    /// The prices for a target of `bits` bits, in the least units that keep them apart: one unit if all steps cost the same.
    pub(super) fn new(cost: &CostModel, bits: usize) -> Self {
        // Of a run of doublings all but one are cheaper, and nearly every sum ends a run.
        let (doubling, sum) = (cost.squaring - cost.shift_in_row, cost.product + cost.shift_in_row);
        let dearest = doubling.max(sum);
        let (most_registers, excess) = (cost.most_registers, excess(bits, cost.most_registers));
        if doubling == sum && cost.register == 0.0 {
            return Self { step: 1, doubling: 1, sum: 1, register: 0, most_registers, excess };
        }
        let units = |price: f64| (UNITS * price.max(0.0) / dearest).round() as usize;
        let step = units(dearest);
        Self {
            step,
            doubling: units(doubling).max(1),
            sum: units(sum).max(1),
            register: units(cost.register).min(step * 64),
            most_registers,
            excess: excess * step,
        }
    }

    /// Whether a doubling costs what every other step costs.
    pub(super) fn is_even(&self) -> bool {
        self.doubling == self.sum
    }

    /// Whether nothing counts but steps, and a step costs 1.
    pub(super) fn is_of_steps(&self) -> bool {
        self.step == 1 && self.is_even() && !self.counts_registers()
    }

    /// Whether registers count.
    pub(super) fn counts_registers(&self) -> bool {
        self.register > 0 || self.most_registers.is_some()
    }

    /// The price of a number of registers.
    pub(super) fn registers(&self, registers: usize) -> usize {
        let excess = registers.saturating_sub(self.most_registers.unwrap_or(usize::MAX));
        registers * self.register + excess * self.excess
    }

    /// Whether the cap allows this number of registers.
    pub(super) fn allows(&self, registers: usize) -> bool {
        self.most_registers.is_none_or(|most| registers <= most)
    }
}

/// What a register beyond the most costs, in steps: more than it saves, so that a search is driven back, and not so much that it never
/// goes past. With r registers windows have w = log2 r + 1 bits, and a main line has about bits / (w + 1) terms; the slope of that,
/// and half of it more.
fn excess(bits: usize, most_registers: Option<usize>) -> usize {
    let most = most_registers.unwrap_or(1).max(1) as f64;
    2 + (1.5 * bits as f64 / ((most.log2() + 2.0).powi(2) * most * core::f64::consts::LN_2)) as usize
}
