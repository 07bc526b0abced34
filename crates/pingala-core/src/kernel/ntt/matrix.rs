//! Products by the four entries of a matrix: each entry and each number is transformed once, and sums of products are made of transforms.
//!
//! All products are shorter than 2^m - 1, so that nothing is wrapped, but for the sign of a difference.

use super::digits;
use super::instructions::Instructions;
use super::product::CyclicProducts;
use super::transform::Wrapping;
use crate::error::Error;
use crate::natural::euclid::GoOn;

/// The transforms of the entries, and room.
#[derive(Debug)]
pub(crate) struct MatrixTransforms {
    lengths: CyclicProducts,
    /// Those of the entries, one after the other, reduced.
    entries: Vec<u64>,
    room: Vec<u64>,
}

/// How two products become one number.
#[derive(Clone, Copy)]
enum Joined {
    Sum,
    Difference,
}

impl MatrixTransforms {
    /// For products of up to `limbs` limbs; longer ones may make tables twice.
    pub(crate) fn new(limbs: usize) -> Self {
        Self::on(Instructions::quickest(), limbs)
    }

    fn on(field: Instructions, limbs: usize) -> Self {
        let lengths = CyclicProducts::new(field, limbs);
        Self { lengths, entries: Vec::new(), room: Vec::new() }
    }

    /// Transforms the entries. Error: `interrupted`.
    ///
    /// Count: four transforms, and perhaps tables.
    pub(crate) fn set(&mut self, entries: [&[u64]; 4], limbs: usize, go_on: GoOn<'_>) -> Result<(), Error> {
        self.lengths.set_length(limbs);
        let products = self.lengths.now();
        let l = products.length.digits();
        self.entries.resize(12 * l, 0);
        self.room.resize(8 * l, 0);
        for (entry, parts) in entries.into_iter().zip(self.entries.chunks_exact_mut(3 * l)) {
            poll(go_on)?;
            let digits = &mut self.room[..l];
            digits::from_limbs(digits, entry, 0, products.length.digit_bits);
            for (i, part) in parts.chunks_exact_mut(l).enumerate() {
                products.forward_one(i, Wrapping::Cyclic, digits, part);
                products.reduce_one(i, part);
            }
        }
        Ok(())
    }

    /// x m\[0\]\[0\] + y m\[1\]\[0\] and x m\[0\]\[1\] + y m\[1\]\[1\]. Error: `interrupted`.
    ///
    /// Count: two transforms, and two back.
    pub(crate) fn row(&mut self, row: [&[u64]; 2], go_on: GoOn<'_>) -> Result<[Vec<u64>; 2], Error> {
        let out = self.joined(row, [[0, 2], [1, 3]], Joined::Sum, go_on)?;
        Ok(out.map(|digits| digits.1))
    }

    /// x m\[1\]\[1\] - y m\[0\]\[1\] and y m\[0\]\[0\] - x m\[1\]\[0\], each as a sign, true below 0, and a magnitude. Error: `interrupted`.
    ///
    /// Count: as [`Self::row`].
    pub(crate) fn solved(&mut self, column: [&[u64]; 2], go_on: GoOn<'_>) -> Result<[(bool, Vec<u64>); 2], Error> {
        let [first, (negative, second)] = self.joined(column, [[3, 1], [2, 0]], Joined::Difference, go_on)?;
        Ok([first, (!negative, second)])
    }

    /// x e + y f, or x e - y f, for two pairs of entries e and f.
    ///
    /// A coefficient of a product has at most as many summands as the shorter number has digits. A product x e has fewer than m bits, so
    /// these are L / 2 at most, and the coefficients of a sum are bounded as those of one product are.
    fn joined(
        &mut self,
        [x, y]: [&[u64]; 2],
        places: [[usize; 2]; 2],
        how: Joined,
        go_on: GoOn<'_>,
    ) -> Result<[(bool, Vec<u64>); 2], Error> {
        let products = self.lengths.now();
        let (length, l) = (products.length, products.length.digits());
        let (room, digits) = self.room.split_at_mut(7 * l);
        let (other, outs) = room.split_at_mut(l);
        let (first, second) = outs.split_at_mut(3 * l);
        for i in 0..3 {
            poll(go_on)?;
            let [first, second] = [&mut *first, &mut *second].map(|out| &mut out[i * l..][..l]);
            digits::from_limbs(digits, x, 0, length.digit_bits);
            products.forward_one(i, Wrapping::Cyclic, digits, first);
            second.copy_from_slice(first);
            digits::from_limbs(digits, y, 0, length.digit_bits);
            products.forward_one(i, Wrapping::Cyclic, digits, other);
            products.reduce_one(i, other);
            for (out, [e, f]) in [first, second].into_iter().zip(places) {
                let [e, f] = [e, f].map(|entry| &self.entries[(3 * entry + i) * l..][..l]);
                match how {
                    Joined::Sum => products.plus_product_one(i, Wrapping::Cyclic, out, [e, other, f]),
                    Joined::Difference => products.minus_product_one(i, Wrapping::Cyclic, out, [e, other, f]),
                }
            }
        }
        let mut result = [first, second].map(|out| {
            products.wrapped(Wrapping::Cyclic, out, digits);
            let mut limbs = vec![0; length.bits() / 64];
            digits::to_limbs(&mut limbs, digits, length.digit_bits);
            (false, limbs)
        });
        if let Joined::Difference = how {
            for (negative, limbs) in &mut result {
                // 2^m - 1 - |d| for a difference d < 0, and perhaps for 0.
                *negative = limbs.last().is_some_and(|top| top >> 63 == 1);
                if *negative {
                    limbs.iter_mut().for_each(|limb| *limb = !*limb);
                }
            }
        }
        Ok(result)
    }
}

fn poll(go_on: GoOn<'_>) -> Result<(), Error> {
    if go_on() { Ok(()) } else { Err(Error::Interrupted) }
}

#[cfg(test)]
#[path = "../../../tests/inside/kernel/ntt_matrix.rs"]
mod tests;
