//! The comb of Lim and Lee: h rows, v blocks.

use super::{CombShape, FixedBaseProgram, Rounds, ScannedTable, TableShape};
use crate::algorithm::real::powi;
use crate::algorithm::{Cost, Counts, ExpectedCost, Monoid, Register};
use crate::exponent::{CombColumns, Exponent, comb_columns};
use alloc::vec::Vec;

/// The exponent of n bits as a matrix: h rows of a = ceil(n/h) bits, the first row the lowest bits. A column is h bits that
/// stand a apart. The columns are cut into v blocks of b = ceil(a/v), and each block has a table of its own: g to every
/// non-empty sum of the places of its first column.
///
/// 1. For k from b - 1 down to 0: A <- A^2, then for each block j: A <- A * (entry of column b j + k in table j), unless
///    that column is 0.
///
/// Departure: A starts as the entry of the first column that is not 0.
///
/// Exactly, with c columns that are not 0, and k the highest place of one in its block: c - 1 products, k squarings.
/// Expected: a (1 - 2^-h) - 1 products (the rows that the top row lacks taken into account), b - 1 squarings.
///
/// Building: the powers of single places by one chain of squarings, all others by one product each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comb(pub CombShape);

/// The matrix for one length; rows and blocks that would stay empty are left out.
struct Matrix {
    rows: usize,
    columns: usize,
    blocks: usize,
    /// Columns of a block; the last block may have fewer.
    width: usize,
}

impl Matrix {
    /// Entries of one block: the values of a column, 0 left out.
    fn values(&self) -> usize {
        (1 << self.rows) - 1
    }

    /// Expected columns that are not 0, of an exponent of `bits` random bits; `certain` of them are known to have a one bit in
    /// its top row.
    fn filled(&self, bits: usize, certain: usize) -> f64 {
        let rows = bits.div_ceil(self.columns);
        // Columns above the end of the top row are a bit shorter.
        let full = bits - (rows - 1) * self.columns;
        let zero = powi(0.5, rows as i32);
        let uncertain = (full - certain) as f64 * (1.0 - zero) + (self.columns - full) as f64 * (1.0 - 2.0 * zero);
        certain as f64 + uncertain
    }

    /// The bit of row `row` in the first column of block `block`.
    fn place(&self, row: usize, block: usize) -> usize {
        row * self.columns + block * self.width
    }
}

impl Comb {
    /// Expected operations of a run, from a table for exponents of `table_bits` bits, for one of exactly `bits` bits.
    pub(in crate::algorithm) fn expected_of(&self, table_bits: usize, bits: usize) -> ExpectedCost {
        let matrix = self.matrix(table_bits);
        let highest = matrix.width.min(bits) - 1;
        Cost { squarings: highest as f64, multiplications: matrix.filled(bits, 1) - 1.0, ..Cost::default() }
    }

    fn matrix(&self, exponent_bits: usize) -> Matrix {
        let columns = exponent_bits.div_ceil(self.0.rows() as usize);
        let width = columns.div_ceil(self.0.blocks());
        Matrix { rows: exponent_bits.div_ceil(columns), columns, blocks: columns.div_ceil(width), width }
    }
}

named! {
    Comb(CombShape), "comb",
    "[lim1994more]",
    "columns of h bits that stand apart, over v tables of all their sums"
}

impl FixedBaseProgram for Comb {
    fn entries(&self, exponent_bits: usize) -> usize {
        let matrix = self.matrix(exponent_bits);
        matrix.blocks * matrix.values()
    }

    fn entry_exponent(&self, exponent_bits: usize, index: usize) -> Exponent {
        let matrix = self.matrix(exponent_bits);
        let (block, value) = (index / matrix.values(), index % matrix.values() + 1);
        let rows = (0..matrix.rows).filter(|row| value >> row & 1 == 1);
        Exponent::of_bits(rows.map(|row| matrix.place(row, block)))
    }

    fn build_cost(&self, exponent_bits: usize) -> Counts {
        let matrix = self.matrix(exponent_bits);
        Cost {
            squarings: matrix.place(matrix.rows - 1, matrix.blocks - 1),
            multiplications: matrix.blocks * (matrix.values() - matrix.rows),
            ..Cost::default()
        }
    }

    fn build<M: Monoid>(&self, exponent_bits: usize, monoid: &mut M) {
        let matrix = self.matrix(exponent_bits);
        let entry = |block: usize, value: usize| Register(block * matrix.values() + value - 1);
        let (mut from, mut place) = (entry(0, 1), 0);
        for row in 0..matrix.rows {
            for block in 0..matrix.blocks {
                let next = matrix.place(row, block);
                if next > place {
                    monoid.sqr_n(entry(block, 1 << row), from, next - place);
                    (from, place) = (entry(block, 1 << row), next);
                }
            }
        }
        for block in 0..matrix.blocks {
            for value in (3..=matrix.values()).filter(|value| !value.is_power_of_two()) {
                let top = 1 << value.ilog2();
                monoid.mul(entry(block, value), entry(block, value - top), entry(block, top));
            }
        }
    }

    fn expected(&self, &TableShape { exponent_bits, .. }: &TableShape) -> ExpectedCost {
        let matrix = self.matrix(exponent_bits);
        let columns = matrix.filled(exponent_bits, 0);
        Cost { squarings: (matrix.width - 1) as f64, multiplications: (columns - 1.0).max(0.0), ..Cost::default() }
    }

    /// The columns in the order of their products.
    fn rounds(&self, exponent_bits: usize, exponent: &Exponent) -> Option<Rounds> {
        let matrix = self.matrix(exponent_bits);
        let columns = comb_columns(exponent, matrix.rows, matrix.columns);
        let step = |k: usize, block: usize| {
            let column = columns.get(block * matrix.width + k).map_or(0, |&column| usize::from(column));
            (column > 0).then(|| Register(block * matrix.values() + column - 1))
        };
        let places = (0..matrix.width).rev().flat_map(|k| (0..matrix.blocks).map(move |block| (k, block)));
        Some(Rounds { per_round: matrix.blocks, steps: places.map(|(k, block)| step(k, block)).collect() })
    }

    /// One step for each column, one round for each place in a block.
    fn rounds_cost(&self, exponent_bits: usize) -> Option<Counts> {
        let Matrix { columns, width, .. } = self.matrix(exponent_bits);
        Some(Cost { squarings: width - 1, multiplications: columns - 1, selections: columns, ..Cost::default() })
    }

    /// One block.
    fn scanned(&self, exponent_bits: usize) -> Option<usize> {
        Some(self.matrix(exponent_bits).values())
    }

    /// Every column is multiplied, and one of value 0 is a 1. The first column of a block exists in every block, and column
    /// `width - 1` in the first.
    fn run_uniform<M: ScannedTable, E: CombColumns<M::Digit>>(
        &self,
        exponent_bits: usize,
        exponent: &E,
        monoid: &mut M,
    ) -> Option<Register> {
        let matrix = self.matrix(exponent_bits);
        let entries = self.entries(exponent_bits);
        let (power, factor) = (Register(entries), Register(entries + 1));
        let mut is_first = true;
        for k in (0..matrix.width).rev() {
            if !is_first {
                monoid.sqr_n(power, power, 1);
            }
            for block in (0..matrix.blocks).filter(|block| block * matrix.width + k < matrix.columns) {
                let digit = exponent.column(block * matrix.width + k, matrix.columns, matrix.rows);
                let table = Register(block * matrix.values());
                if core::mem::take(&mut is_first) {
                    monoid.select_or_one(power, table, matrix.values(), digit);
                } else {
                    monoid.select_or_one(factor, table, matrix.values(), digit);
                    monoid.mul(power, power, factor);
                }
            }
        }
        Some(power)
    }

    fn candidates(&TableShape { exponent_bits, max_entries }: &TableShape) -> Vec<Self> {
        let mut all = Vec::new();
        for rows in 1..=16u32.min(exponent_bits as u32) {
            let columns = exponent_bits.div_ceil(rows as usize);
            let most = (max_entries / ((1 << rows) - 1)).min(columns).min(1 << 16);
            // The most blocks that fit, and fewer, for tables that are used seldom: of those with an equal number of squarings the
            // fewest.
            let blocks = core::iter::successors(Some(most), |blocks| Some(blocks / 2));
            let blocks = blocks.take_while(|&blocks| blocks > 0);
            let mut fitting: Vec<usize> = blocks.map(|blocks| columns.div_ceil(columns.div_ceil(blocks))).collect();
            fitting.dedup();
            let shape = |blocks| CombShape::new(rows, blocks).expect("1 to 16 rows, 1 to 2^16 blocks");
            all.extend(fitting.into_iter().map(shape).map(Self));
        }
        all
    }
}
