//! Tests of `kernel/product/`: how lengths are cut and padded, how much room that takes, sums of products of two lengths, and which
//! products this CPU has.

use super::comba::Comba;
use super::{Leaf, accumulate, blocks, karatsuba, schoolbook};
use crate::kernel::basecases::{best_leaf_is_in_assembly, with_leaf};
use crate::kernel::conformance::{Dice, big};
#[cfg(target_arch = "x86_64")]
use crate::kernel::cpu::{self, Feature};
use crate::kernel::montgomery::{LEAF, Product};

const UNTOUCHED: u64 = 0x9e37_79b9_7f4a_7c15;

#[test]
fn blocks_are_the_fewest_and_the_last_two_share_the_rest() {
    for (most, n) in (1..=9).flat_map(|most| (0..=60).map(move |n| (most, n))) {
        let all: Vec<(usize, usize)> = blocks(n, most).take(n + 1).collect();
        let mut at = 0;
        for &(first, rows) in &all {
            assert!(first == at && (1..=most).contains(&rows), "{n} rows by {most}: {all:?}");
            at += rows;
        }
        assert_eq!((at, all.len()), (n, n.div_ceil(most)), "{n} rows by {most}: {all:?}");
        let (full, last) = all.split_at(all.len().saturating_sub(2));
        assert!(full.iter().all(|&(_, rows)| rows == most), "{n} rows by {most}: {all:?}");
        if let [(_, long), (_, short)] = *last {
            assert!(long == short || long == short + 1, "{n} rows by {most}: {all:?}");
        }
    }
}

#[test]
fn tiles_divide_padded_lengths() {
    for n in 1..=300 {
        let fits = |&padded: &usize| padded <= 8 || (4..=8).any(|tile| padded.is_multiple_of(tile));
        let padded = (n..).find(fits);
        assert_eq!(Some(schoolbook::padded_words(n)), padded, "{n} words");
        for product in Product::ALL {
            let by_tiles = matches!(product, Product::Sos | Product::KaratsubaSos);
            let unpadded = if product == Product::Kcm { n.next_multiple_of(2) } else { n };
            assert_eq!(Some(product.padded_words(n)), if by_tiles { padded } else { Some(unpadded) }, "{product}");
            assert_eq!(product.unpadded_words(n), unpadded, "{product}");
        }
    }
}

/// Two or three levels of even halves run together.
#[test]
fn even_halves_run_together() {
    for (leaf, n) in (1..=24).flat_map(|leaf| (1..=300).map(move |n| (leaf, n))) {
        let (mut half, mut levels, mut even) = (n, 0, true);
        while half > leaf {
            even &= half % 2 == 0;
            half /= 2;
            levels += 1;
        }
        let together = (even && (2..=3).contains(&levels)).then_some(levels);
        assert_eq!(karatsuba::levels(n, leaf), together, "{n} words, leaves of {leaf}");
    }
}

/// Levels that run together write all of their scratch.
#[test]
fn levels_use_their_scratch() {
    let mut dice = Dice::new(41);
    for (leaf, n) in [4, 5, 8].into_iter().flat_map(|leaf| (1..=80).map(move |n| (leaf, n))) {
        if karatsuba::levels(n, leaf).is_none() {
            continue;
        }
        let (a, b): (Vec<u64>, Vec<u64>) = (dice.number(n), dice.number(n));
        let mut scratch = vec![UNTOUCHED; karatsuba::scratch_words(n, leaf)];
        let mut t = vec![UNTOUCHED; 2 * n];
        karatsuba::mul(&mut t, &a, &b, Comba(leaf), &mut scratch);
        assert_eq!(big(&t), big(&a) * big(&b));
        assert_ne!(scratch.last(), Some(&UNTOUCHED), "{n} words, leaves of {leaf}");
    }
}

/// Lengths around those at which an operand is cut into pieces, in exactly the room that is asked for, in either order.
#[test]
fn sums_of_products_of_two_lengths() {
    let mut dice = Dice::new(42);
    let lengths = [1, 2, 31, 32, 33, 40, 64, 65, 100];
    for (a, b) in lengths.into_iter().flat_map(|a| lengths.map(|b| (a, b))) {
        let room = accumulate::scratch_words(a, b, 8);
        assert_eq!(room, accumulate::scratch_words(b, a, 8));
        assert_eq!(room == 0, a.min(b) < 32, "{a} and {b} words");
        let (x, y): (Vec<u64>, Vec<u64>) = (dice.number(a), dice.number(b));
        for start in [dice.number(a.max(b)), vec![u64::MAX; a.max(b)]] {
            let sum = big(&start) + big(&x) * big(&y);
            let mut t = [start, vec![0; a.min(b)]].concat();
            accumulate::add_product(&mut t, &x, &y, Comba(8), &mut vec![UNTOUCHED; room]);
            assert_eq!(big(&t), sum, "{a} and {b} words");
        }
    }
}

/// What is left of an operand that is cut into pieces has every length.
#[test]
#[cfg_attr(miri, ignore)]
fn sums_of_products_with_any_rest() {
    let mut dice = Dice::new(43);
    for b in [32, 33, 34, 40, 47, 48, 63, 64, 65, 66, 67, 96, 129] {
        for a in b..=3 * b {
            let (x, y): (Vec<u64>, Vec<u64>) = (dice.number(a), dice.number(b));
            let mut t = vec![0; a + b];
            let mut scratch = vec![UNTOUCHED; accumulate::scratch_words(a, b, LEAF)];
            accumulate::add_product(&mut t, &x, &y, Comba(LEAF), &mut scratch);
            assert_eq!(big(&t), big(&x) * big(&y), "{a} and {b} words");
        }
    }
}

/// Rows of a leaf in assembly; the products that the compiler makes have none.
fn rows_of_leaf() -> usize {
    with_leaf!(leaf => Leaf::<u64>::rows(leaf))
}

#[test]
fn the_best_leaf_is_in_assembly_where_the_cpu_has_it() {
    let in_assembly = best_leaf_is_in_assembly();
    assert_eq!(rows_of_leaf() > 0, in_assembly);
    #[cfg(target_arch = "x86_64")]
    assert_eq!(cpu::has(Feature::Bmi2) && cpu::has(Feature::Adx), in_assembly);
}
