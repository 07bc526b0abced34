//! The columns of the row of doubles on formal digits: for each shape, every column of products, squares and folds is the sum of the halves that the
//! comments of `product.rs` name, and digits, carries and the quotient come from the right columns, for all operands. Lemma
//! `formal.fma_row_columns` of proofs/README.md.
//!
//! The halves of a product are words drawn for its two digits, so that a column is a linear form in halves, evaluated modulo 2^64; the biases must
//! cancel. A digit is a word drawn for its column and the carry below, a carry one for its column, the quotient one for its three columns. Two
//! different forms agree with a probability of about 2^-60. That columns stay within their bounds is Columns.fma_row_column, for as
//! many halves. What runs is the text of `product.rs` over the operations of `unit.rs` as `fma_row_plain.rs` has them.

use super::MAX_LIMBS;
use super::plain::Arithmetic;
use super::product::{ROOM_WORDS, RowModulus, RowTask, RowWork, starts};
use super::shape::RowShape;
use super::unit::{ColumnChain, DoubleRows, HIGH_BIAS, LANES, LOW_BIAS};
use crate::kernel::vector::formal::drawn;
use core::cell::Cell;

thread_local! {
    /// Products so far, the one that is left out, and whether that one is 0.
    static COUNT: Cell<usize> = const { Cell::new(0) };
    static LEFT_OUT: Cell<usize> = const { Cell::new(usize::MAX) };
    static HARMLESS: Cell<bool> = const { Cell::new(false) };
}

/// A word for three.
fn word(a: u64, b: u64, c: u64) -> u64 {
    let first = drawn(drawn(a, b), c);
    first << 32 ^ drawn(first, 1)
}

/// The halves of a product without their biases; a word of 0 is the digit 0.
fn halves_of(x: u64, y: u64) -> [u64; 2] {
    if x == 0 || y == 0 { [0; 2] } else { [5, 6].map(|kind| word(x.min(y), x.max(y), kind)) }
}

#[derive(Clone, Copy, Debug)]
struct FormalDigits;

impl Arithmetic for FormalDigits {
    fn halves(x: u64, y: u64) -> [u64; 2] {
        let count = COUNT.get();
        COUNT.set(count + 1);
        let mut halves = halves_of(x, y);
        if count == LEFT_OUT.get() {
            HARMLESS.set(halves == [0; 2]);
            halves = [0; 2];
        }
        [LOW_BIAS.wrapping_add(halves[0]), HIGH_BIAS.wrapping_add(halves[1])]
    }

    fn digit(column: u64, chain: &mut ColumnChain) -> u64 {
        let digit = word(column, chain.carry.0[0], 7);
        chain.carry.0[0] = word(column, 0, 8);
        digit
    }

    fn whole([above, at, below]: [u64; 3], ratio: f64) -> u64 {
        word(word(above, at, 9), below, ratio.to_bits())
    }
}

/// The digits of columns.
fn digits_of(columns: &[u64]) -> Vec<u64> {
    let mut chain = ColumnChain::START;
    columns.iter().map(|&column| FormalDigits::digit(column, &mut chain)).collect()
}

/// Adds the product of a digit by a number, whose lowest digit belongs to column `first`.
fn add(columns: &mut [u64], first: usize, digit: u64, number: &[u64]) {
    for (j, &other) in number.iter().enumerate() {
        let [low, high] = halves_of(digit, other);
        columns[first + j] = columns[first + j].wrapping_add(low);
        columns[first + j + 1] = columns[first + j + 1].wrapping_add(high);
    }
}

fn given(name: u64, n: usize) -> Vec<u64> {
    (0..n).map(|index| word(name, index as u64, 10)).collect()
}

/// A residue between its vectors of zeros.
fn padded(digits: &[u64], shape: &RowShape) -> Vec<u64> {
    let mut words = vec![0; shape.words()];
    words[LANES..][..shape.digits].copy_from_slice(digits);
    words
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Product,
    Square,
    Short,
}

const RATIO: f64 = 3.0;
const SMALL: f64 = 5.0;

/// What the digits of the result are.
fn wanted(what: What, n: usize, [a, b, multiple]: [&[u64]; 3], table: &[Vec<u64>]) -> Vec<u64> {
    let mut columns = vec![0; 2 * n + 1];
    match what {
        What::Product => (0..n).for_each(|i| add(&mut columns, i, a[i], b)),
        What::Square => (0..n).for_each(|i| add(&mut columns, i, a[i], a)),
        What::Short => add(&mut columns, 0, SMALL.to_bits(), a),
    }
    let mut sums = columns[..=n].to_vec();
    if what != What::Short {
        sums[n] = 0;
        digits_of(&columns[n..2 * n]).iter().zip(table).for_each(|(&digit, row)| add(&mut sums, 0, digit, row));
    }
    let q = FormalDigits::whole([sums[n], sums[n - 1], sums[n - 2]], RATIO);
    add(&mut sums, 0, q, multiple);
    digits_of(&sums[..n])
}

/// Runs the text for a shape without one of its products, or with all; whether the result is right. It lies in the place of a.
fn fma_row_columns(shape: RowShape, what: What, left_out: usize) -> bool {
    let RowShape { digits: n, vectors, .. } = shape;
    let (a, b, multiple) = (given(1, n), given(2, n), given(3, n));
    let rows: Vec<Vec<u64>> = (0..n).map(|i| given(100 + i as u64, n)).collect();
    // Block by block, as `FmaRow` has them.
    let width = LANES * vectors;
    let mut table = vec![0; n * n];
    for (i, row) in rows.iter().enumerate() {
        for (block, digits) in row.chunks_exact(width).enumerate() {
            table[width * (n * block + i)..][..width].copy_from_slice(digits);
        }
    }
    let of_starts = [false, true].map(|square| starts(&shape, square));
    let constants = RowModulus {
        shape,
        table: table.as_ptr(),
        multiple: multiple.as_ptr(),
        starts: of_starts.each_ref().map(|starts| starts.as_ptr()),
        ratio: RATIO,
    };
    let (mut onto, other) = (padded(&a, &shape), padded(&b, &shape));
    let mut room = vec![u64::MAX; ROOM_WORDS * n];
    let [out, b_digits] = [onto[LANES..].as_mut_ptr(), other[LANES..].as_ptr().cast_mut()];
    let task = match what {
        What::Product => RowTask::Product([out.cast_const(), b_digits.cast_const()]),
        What::Square => RowTask::Squarings(out, 1),
        What::Short => RowTask::Short(out, SMALL),
    };
    COUNT.set(0);
    LEFT_OUT.set(left_out);
    HARMLESS.set(false);
    FormalDigits.run(&RowWork { constants, task, out, room: room.as_mut_ptr() });
    onto == padded(&wanted(what, n, [&a, &b, &multiple], &rows), &shape)
}

const ALL: [What; 3] = [What::Product, What::Square, What::Short];

#[test]
fn columns_of_every_shape() {
    let mut shapes: Vec<RowShape> = (1..=64 * MAX_LIMBS).map(RowShape::new).collect();
    shapes.dedup_by_key(|shape| shape.digits);
    for &shape in &shapes {
        for what in ALL {
            assert!(fma_row_columns(shape, what, usize::MAX), "{what:?}, {shape:?}");
        }
    }
    println!("formal: columns of the row of doubles: {} shapes", shapes.len());
}

/// Each product matters: the run without it gives something else, unless a factor is 0.
#[test]
fn no_product_may_be_left_out() {
    let (mut found, mut harmless) = (0, 0);
    for bits in [500, 1000, 1500] {
        for what in ALL {
            let shape = RowShape::new(bits);
            assert!(fma_row_columns(shape, what, usize::MAX));
            for left_out in 0..COUNT.get() {
                let is_right = fma_row_columns(shape, what, left_out);
                assert!(!is_right || HARMLESS.get(), "{what:?}, {shape:?}, without {left_out}");
                found += usize::from(!is_right);
                harmless += usize::from(is_right);
            }
        }
    }
    println!("formal: {found} products of digits left out are found, {harmless} are 0");
}
