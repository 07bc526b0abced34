//! A comb table for one list, and every power from it.

use super::one_by_one;
use crate::algorithm::fixed_base::{Comb, CombShape, FixedBaseProgram};
use crate::algorithm::{ExpectedCost, Monoid, Register, ShapeBits, ShapeProgram};
use crate::exponent::{Exponent, order};
use alloc::vec::Vec;

/// The method of Lim and Lee for a fixed base, whose table is built for this one list.
///
/// 1. The table of [`Comb`] for exponents as long as the longest.
/// 2. Each power from the table.
///
/// Exactly: [`Comb`]'s building once, and its run for each exponent. With h rows and v blocks, k exponents of n bits take about
/// n + v 2^h + k (n/h + n/(h v)), of which the products and squarings of eight powers may go side by side.
///
/// Memory: v (2^h - 1) + k registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedComb(pub CombShape);

impl SharedComb {
    pub(crate) fn comb(&self) -> Comb {
        Comb(self.0)
    }
}

/// The time that a squaring may take, as a share of a product with its entry: in lanes and single.
const SQUARING: [f64; 2] = [0.6, 0.8];

named! {
    SharedComb(CombShape), "comb",
    "[lim1994more], its table for one list",
    "a comb's table for the longest exponent, and every power from it"
}

impl ShapeProgram for SharedComb {
    fn most_registers(&self, bits: &ShapeBits) -> usize {
        self.comb().entries(bits.max_bits).saturating_add(bits.count)
    }

    fn expected(&self, bits: &ShapeBits) -> ExpectedCost {
        let (comb, table_bits) = (self.comb(), bits.max_bits);
        let building = ExpectedCost::from(comb.build_cost(table_bits));
        bits.classes()
            .into_iter()
            .fold(building, |cost, (count, bits)| cost + comb.expected_of(table_bits, bits) * count)
    }

    fn run<M: Monoid<Digit = usize>>(&self, exponents: &[Exponent], monoid: &mut M) -> Vec<Register> {
        self.run_telling(exponents, monoid, &mut |_| {})
    }

    fn run_telling<M: Monoid<Digit = usize>>(
        &self,
        exponents: &[Exponent],
        monoid: &mut M,
        tell: &mut dyn FnMut(usize),
    ) -> Vec<Register> {
        let (comb, bits) = (self.comb(), ShapeBits::of(exponents).max_bits);
        comb.build(bits, monoid);
        one_by_one(exponents, comb.entries(bits), tell, |exponent, power| {
            comb.rounds(bits, exponent).expect("a comb has rounds").run(power, monoid)
        })
    }

    /// Those that take less, roughly, than all with fewer entries.
    fn candidates(bits: &ShapeBits) -> Vec<Self> {
        let (longest, count) = (bits.max_bits as f64, bits.count as f64);
        let mut all = Vec::new();
        for rows in 1..=16u32.min(bits.max_bits as u32) {
            let columns = bits.max_bits.div_ceil(rows as usize);
            let values = ((1 << rows) - 1) as f64;
            let blocks = core::iter::successors(Some(1), |blocks| Some(blocks + (blocks / 4).max(1)));
            let mut least = [f64::INFINITY; 2];
            for blocks in blocks.take_while(|&blocks| blocks <= columns.min(1 << 16)) {
                let entries = blocks as f64 * values;
                let products = entries + count * columns as f64 * values / (values + 1.0);
                let squarings = longest + count * columns as f64 / blocks as f64;
                let costs = SQUARING.map(|squaring| products + squaring * squarings);
                let shape = CombShape::new(rows, blocks).expect("1 to 16 rows, 1 to 2^16 blocks");
                all.push((entries, costs, shape));
                if !improves(&mut least, costs) {
                    break;
                }
            }
        }
        order::sort(&mut all, |(a, ..), (b, ..)| a.total_cmp(b));
        let mut least = [f64::INFINITY; 2];
        all.retain(|(_, costs, _)| improves(&mut least, *costs));
        all.into_iter().map(|(.., shape)| Self(shape)).collect()
    }
}

/// Whether one of the costs is less than any before.
fn improves(least: &mut [f64; 2], costs: [f64; 2]) -> bool {
    let improves = costs.iter().zip(&*least).any(|(cost, least)| cost < least);
    *least = [least[0].min(costs[0]), least[1].min(costs[1])];
    improves
}
