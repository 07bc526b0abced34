//! The vector operations of the lanes of doubles in plain Rust: what the others compute. They are written over an arithmetic: doubles, or the
//! formal limbs of `fma_lanes_formal.rs`.

use super::product::FullRows;
use super::unit::{
    C1, C2, DIGIT_BIAS, Doubles, FourLimbs, FourSums, LANES, LOW, LimbPlace, Number, Quotients, RADIX_BITS, Sums, WIDTH,
};
use core::cell::Cell;

#[derive(Clone, Copy, Debug)]
pub(super) struct PlainFma;

/// What the operations are made of.
pub(super) trait Arithmetic: Copy + core::fmt::Debug + Send + Sync + 'static {
    /// Adds one product or two to a column; see [`Doubles`].
    fn products(x: &mut Sums, column: usize, factors: &[[FourLimbs; 2]]);
    /// The low 51 bits of a sum as a limb, the carry in its place.
    fn limb(sum: &mut FourSums) -> FourLimbs;
    /// `sum += other`.
    fn add(sum: &mut FourSums, other: &FourSums);
    /// Doubles all sums.
    fn double(x: &mut Sums);
    /// Sets the columns to what they start at.
    fn begin(x: &mut Sums, starts: &[u64]);

    /// Adds the products of these rows by the limbs that `limb` returns for a row and a column, if any: by twos, a last row by itself.
    fn by_twos(x: &mut Sums, rows: &[Cell<FourLimbs>], limb: impl Fn(usize, usize) -> Option<FourLimbs>) {
        for (i, rows) in rows.chunks(2).enumerate() {
            for column in 0..WIDTH {
                let factors =
                    rows.iter().enumerate().filter_map(|(j, row)| Some([row.get(), limb(2 * i + j, column)?]));
                let factors: Vec<_> = factors.collect();
                if !factors.is_empty() {
                    Self::products(x, column, &factors);
                }
            }
        }
    }
}

impl Arithmetic for PlainFma {
    fn products(x: &mut Sums, column: usize, factors: &[[FourLimbs; 2]]) {
        for lane in 0..LANES {
            let (mut high, mut low) = (C1, 0.0);
            for (i, [a, b]) in factors.iter().enumerate() {
                let (a, b, before) = (a.0[lane], b.0[lane], if i == 0 { C2 } else { high });
                high = a.mul_add(b, high);
                low += a.mul_add(b, before - high);
            }
            x[column + 1].0[lane] = x[column + 1].0[lane].wrapping_add(high.to_bits());
            x[column].0[lane] = x[column].0[lane].wrapping_add(low.to_bits());
        }
    }

    fn limb(sum: &mut FourSums) -> FourLimbs {
        let double = |sum: u64| f64::from_bits(sum & LOW | DIGIT_BIAS.to_bits()) - DIGIT_BIAS;
        let limbs = FourLimbs(sum.0.map(double));
        sum.0 = sum.0.map(|sum| sum >> RADIX_BITS);
        limbs
    }

    fn add(sum: &mut FourSums, other: &FourSums) {
        sum.0.iter_mut().zip(&other.0).for_each(|(sum, other)| *sum = sum.wrapping_add(*other));
    }

    fn double(x: &mut Sums) {
        x.iter_mut().for_each(|sum| sum.0 = sum.0.map(|sum| sum.wrapping_mul(2)));
    }

    fn begin(x: &mut Sums, starts: &[u64]) {
        *x = Sums::default();
        x.iter_mut().zip(starts).for_each(|(sum, &start)| sum.0 = [start; LANES]);
    }
}

impl<A: Arithmetic> Doubles for A {
    fn start(self, x: &mut Sums, carry: Option<&mut FourSums>, starts: &[u64]) {
        Self::begin(x, starts);
        carry.into_iter().for_each(|carry| *carry = FourSums::default());
    }

    fn rows(self, x: &mut Sums, FullRows { b, a }: FullRows<'_, impl LimbPlace>) {
        Self::by_twos(x, b, |row, column| Some(a[b.len() - 1 - row + column].limbs()));
    }

    fn low_triangle(self, x: &mut Sums, rows: FullRows<'_, Cell<FourLimbs>>, b: Number<'_>, a: Number<'_>) {
        self.rows(x, rows);
        let skip = WIDTH - b.len();
        Self::by_twos(x, b, |row, column| Some(a[column.checked_sub(skip + row)?].get()));
    }

    fn high_triangle<P: LimbPlace>(self, x: &mut Sums, rows: FullRows<'_, P>, b: Number<'_>, a: &[P]) {
        self.rows(x, rows);
        let limb = |row: usize, column: usize| a[a.len() - 1 - row..].get(column).map(LimbPlace::limbs);
        Self::by_twos(x, &b[..1], limb);
        Self::by_twos(x, &b[1..], |row, column| limb(row + 1, column));
    }

    fn low_square(self, x: &mut Sums, rows: FullRows<'_, Cell<FourLimbs>>, a: Number<'_>) {
        self.rows(x, rows);
        let skip = WIDTH - a.len();
        for (i, row) in a.iter().enumerate() {
            for (v, other) in a.iter().enumerate().skip(i + 1).filter(|(v, _)| i + v < a.len()) {
                Self::products(x, skip + i + v, &[[row.get(), other.get()]]);
            }
        }
        Self::double(x);
        for (i, a) in a[..a.len() / 2].iter().enumerate() {
            Self::products(x, skip + 2 * i, &[[a.get(); 2]]);
        }
    }

    fn high_square(self, x: &mut Sums, rows: FullRows<'_, Cell<FourLimbs>>, a: Number<'_>) {
        self.rows(x, rows);
        let middle = a.len() / 2;
        for i in 1..=middle {
            (0..2 * i).for_each(|v| Self::products(x, v, &[[a[middle + i].get(), a[middle - i + v].get()]]));
        }
        Self::double(x);
        (0..=middle).for_each(|i| Self::products(x, 2 * i, &[[a[middle + i].get(); 2]]));
    }

    fn quotients(
        self,
        x: &mut Sums,
        carry: &mut FourSums,
        Quotients { q, m, starts }: Quotients<'_>,
        next: &mut Sums,
        rows: FullRows<'_, Cell<FourLimbs>>,
    ) {
        let first = WIDTH - q.len();
        for (i, limb) in q.iter().enumerate() {
            Self::add(carry, &x[first + i]);
            limb.set(Self::limb(carry));
            (1..q.len() - i).for_each(|v| Self::products(x, first + i + v, &[[limb.get(), m[v]]]));
        }
        Self::add(carry, &x[WIDTH]);
        self.start(next, None, starts);
        self.rows(next, rows);
    }

    fn finish(self, x: &mut Sums, carry: &mut FourSums, out: Number<'_>) {
        for (sum, out) in x.iter().zip(out) {
            Self::add(carry, sum);
            out.set(Self::limb(carry));
        }
        Self::add(carry, &x[WIDTH]);
    }
}
