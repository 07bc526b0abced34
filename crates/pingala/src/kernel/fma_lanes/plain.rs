//! The vector operations in plain Rust: the meaning of the others.

use super::unit::{C1, C2, DIGIT_BIAS, Doubles, FourLimbs, LANES, LOW, LimbPlace, Number, RADIX_BITS, Sums, WIDTH};
use core::array::from_fn;

#[derive(Clone, Copy, Debug)]
pub(super) struct PlainFma;

impl PlainFma {
    /// See [`Doubles`].
    fn product(x: &mut Sums<Self>, column: usize, a: &impl LimbPlace, b: &impl LimbPlace) {
        let (a, b) = (a.limbs().0, b.limbs().0);
        for lane in 0..LANES {
            let high = a[lane].mul_add(b[lane], C1);
            let low = a[lane].mul_add(b[lane], C2 - high);
            x[column + 1][lane] = x[column + 1][lane].wrapping_add(high.to_bits());
            x[column][lane] = x[column][lane].wrapping_add(low.to_bits());
        }
    }

    /// The low 51 bits as a double, and the carry.
    fn digit(sum: [u64; LANES]) -> (FourLimbs, [u64; LANES]) {
        let double = |sum: u64| f64::from_bits(sum & LOW | DIGIT_BIAS.to_bits()) - DIGIT_BIAS;
        (FourLimbs(sum.map(double)), sum.map(|sum| sum >> RADIX_BITS))
    }
}

impl Doubles for PlainFma {
    type Sum = [u64; LANES];

    fn splat(self, word: u64) -> [u64; LANES] {
        [word; LANES]
    }

    fn add(self, a: [u64; LANES], b: [u64; LANES]) -> [u64; LANES] {
        from_fn(|lane| a[lane].wrapping_add(b[lane]))
    }

    fn to_memory(self, x: Sums<Self>) -> Sums<Self> {
        x
    }

    fn rows(self, x: &mut Sums<Self>, b: Number<'_>, a: &[impl LimbPlace]) {
        for (i, row) in b.iter().enumerate() {
            (0..WIDTH).for_each(|column| Self::product(x, column, row, &a[b.len() - 1 - i + column]));
        }
    }

    fn low_triangle(self, x: &mut Sums<Self>, b: Number<'_>, a: Number<'_>) {
        for (i, row) in (WIDTH - b.len()..).zip(b) {
            (0..WIDTH - i).for_each(|v| Self::product(x, i + v, row, &a[v]));
        }
    }

    fn high_triangle(self, x: &mut Sums<Self>, b: Number<'_>, a: &[impl LimbPlace]) {
        for (i, row) in b.iter().enumerate() {
            (0..=i).for_each(|v| Self::product(x, v, row, &a[a.len() - 1 - i + v]));
        }
    }

    fn low_pairs(self, x: &mut Sums<Self>, a: Number<'_>) {
        for (i, row) in a.iter().enumerate() {
            for (v, other) in a.iter().enumerate().skip(i + 1).filter(|(v, _)| i + v < a.len()) {
                Self::product(x, WIDTH - a.len() + i + v, row, other);
            }
        }
    }

    fn high_pairs(self, x: &mut Sums<Self>, a: Number<'_>) {
        let middle = a.len() / 2;
        for i in 1..=middle {
            (0..2 * i).for_each(|v| Self::product(x, v, &a[middle + i], &a[middle - i + v]));
        }
    }

    fn squares(self, x: &mut Sums<Self>, a: Number<'_>, column: usize) {
        a.iter().enumerate().for_each(|(i, a)| Self::product(x, column + 2 * i, a, a));
    }

    fn quotient(
        self,
        x: &mut Sums<Self>,
        column: usize,
        carry: Self::Sum,
        q: Number<'_>,
        m: &[FourLimbs],
    ) -> Self::Sum {
        let k = q.len() - 1;
        (0..k).for_each(|i| Self::product(x, column, &q[i], &m[k - i]));
        let (digit, carry) = Self::digit(self.add(x[column], carry));
        q[k].set(digit);
        carry
    }

    fn finish(self, x: &Sums<Self>, out: Number<'_>) -> Self::Sum {
        let mut carry = self.splat(0);
        for (sum, out) in x.iter().zip(out) {
            let (digit, next) = Self::digit(self.add(*sum, carry));
            out.set(digit);
            carry = next;
        }
        carry
    }
}
