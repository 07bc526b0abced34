//! The plain products at real words, every length to beyond the third halving, against the oracle.

use super::{Dice, big, dirt, words};
use crate::kernel::product::comba::{self, Comba};
use crate::kernel::product::{karatsuba, low, schoolbook};
use crate::natural::word::Word;

/// Operands at the carry edges: all ones, ones in one half only, a single top bit, and thrown ones.
pub(super) fn operands<W: Word>(n: usize, dice: &mut Dice) -> Vec<Vec<W>> {
    let mut all = vec![vec![W::MAX; n], vec![W::ZERO; n]];
    let split = n.div_ceil(2);
    all.push((0..n).map(|i| if i < split { W::MAX } else { W::ZERO }).collect());
    all.push((0..n).map(|i| if i < split { W::ZERO } else { W::MAX }).collect());
    all.push((0..n).map(|i| if i == n - 1 { W::ONE.shift_left(W::BITS - 1) } else { W::ZERO }).collect());
    all.extend((0..6).map(|_| dice.number(n)));
    all
}

fn products_are_exact<W: Word>(lengths: impl Iterator<Item = usize>, leaves: &[usize]) {
    let mut dice = Dice::new(u64::from(W::BITS));
    for n in lengths {
        let operands = operands::<W>(n, &mut dice);
        for (i, a) in operands.iter().enumerate() {
            let square = words::<W>(&(big(a) * big(a)), 2 * n);
            let dirt = dirt::<W>()[i % 2];
            let mut t = vec![dirt; 2 * n];
            schoolbook::sqr(&mut t, a, schoolbook::tile_words(n));
            assert_eq!(t, square, "schoolbook, n = {n}");
            t.fill(dirt);
            comba::sqr(&mut t, a);
            assert_eq!(t, square, "comba, n = {n}");
            for &leaf in leaves {
                let mut scratch = vec![dirt; karatsuba::scratch_words(n, leaf)];
                t.fill(dirt);
                karatsuba::sqr(&mut t, a, Comba(leaf), &mut scratch);
                assert_eq!(t, square, "karatsuba, n = {n}, leaf = {leaf}");
                let mut scratch = vec![dirt; low::scratch_words(n, leaf)];
                let mut t = vec![dirt; n];
                low::low_sqr(&mut t, a, Comba(leaf), &mut scratch);
                assert_eq!(t, square[..n], "low, n = {n}, leaf = {leaf}");
            }
            for b in &operands[..=i] {
                let product = words::<W>(&(big(a) * big(b)), 2 * n);
                t.fill(dirt);
                schoolbook::mul(&mut t, a, b, schoolbook::tile_words(n));
                assert_eq!(t, product, "schoolbook, n = {n}");
                t.fill(dirt);
                comba::mul(&mut t, a, b);
                assert_eq!(t, product, "comba, n = {n}");
                for &leaf in leaves {
                    let mut scratch = vec![dirt; karatsuba::scratch_words(n, leaf)];
                    t.fill(dirt);
                    karatsuba::mul(&mut t, a, b, Comba(leaf), &mut scratch);
                    assert_eq!(t, product, "karatsuba, n = {n}, leaf = {leaf}");
                    let mut scratch = vec![dirt; low::scratch_words(n, leaf)];
                    let mut t = vec![dirt; n];
                    low::low_mul(&mut t, a, b, Comba(leaf), &mut scratch);
                    assert_eq!(t, product[..n], "low, n = {n}, leaf = {leaf}");
                }
            }
        }
    }
}

#[test]
fn products_of_u64_are_exact() {
    products_are_exact::<u64>(1..=70, &[1, 4, 5, 8]);
}

#[test]
fn products_of_u32_are_exact() {
    products_are_exact::<u32>(1..=40, &[2, 3, 7, 8, 16]);
}

/// Around every length at which the recursion gets one level deeper.
#[test]
fn long_products_at_the_thresholds() {
    let thresholds = [128usize, 256, 512].into_iter().flat_map(|n| n - 1..=n + 1);
    products_are_exact::<u64>(thresholds, &[8]);
}

/// Every tile that divides a length, tiles of one word among them.
#[test]
fn schoolbook_by_every_tile() {
    let mut dice = Dice::new(11);
    for n in (1..=24).chain([30, 32, 35, 40, 42, 56]) {
        for a in operands::<u64>(n, &mut dice) {
            let b: Vec<u64> = dice.number(n);
            for tile in (1..=schoolbook::TILE).filter(|tile| n % tile == 0) {
                let mut t = vec![u64::MAX; 2 * n];
                schoolbook::mul(&mut t, &a, &b, tile);
                assert_eq!(t, words::<u64>(&(big(&a) * big(&b)), 2 * n), "n = {n}, tile = {tile}");
                t.fill(u64::MAX);
                schoolbook::sqr(&mut t, &a, tile);
                assert_eq!(t, words::<u64>(&(big(&a) * big(&a)), 2 * n), "n = {n}, tile = {tile}");
            }
        }
    }
}
