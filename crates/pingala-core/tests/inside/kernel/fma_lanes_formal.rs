//! The products in lanes of doubles on formal limbs, as `formal.rs` has them: for each even number of limbs, the biases and loans of every column cancel, its sum
//! is between 0 and 2^64, and the result times R is A B + Q M, for all operands. Lemma `formal.fma_lanes_products` of proofs/README.md.
//!
//! A limb is its value; a sum is the value of its halves, the words that are added to them, and how many low and high halves it has.
//! The halves of a product x y are any h and l with x y = h b + l, |l| <= b and 0 <= h <= b: Exact.nearest_halves and
//! Exact.nearest_halves_of_two. What runs is the text of `product.rs` over the operations of `unit.rs` as `fma_plain.rs` has them.

use super::MAX_LIMBS;
use super::plain::Arithmetic;
use super::product::{FmaOperands, starts};
use super::unit::{Doubles, FourLimbs, FourSums, HIGH_BIAS, LANES, LOW_BIAS, Number, RADIX_BITS, Sums};
use crate::kernel::vector::formal::{difference, drawn, product, sum};
use core::cell::Cell;

const A: u64 = 201;
const B: u64 = 202;
const M_PLUS_1: u64 = 203;

thread_local! {
    /// n, the columns that are read so far, and the carry of the last.
    static LENGTH: Cell<u64> = const { Cell::new(0) };
    static COLUMNS: Cell<u64> = const { Cell::new(0) };
    static CARRY: Cell<u64> = const { Cell::new(0) };
    /// Steps so far, and the one that is left out.
    static COUNT: Cell<usize> = const { Cell::new(0) };
    static LEFT_OUT: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// Whether the step is left out.
fn is_left_out() -> bool {
    let count = COUNT.get();
    COUNT.set(count + 1);
    count == LEFT_OUT.get()
}

/// b modulo the prime.
fn radix() -> u64 {
    1 << RADIX_BITS
}

fn limb_of(value: u64) -> FourLimbs {
    FourLimbs([f64::from_bits(value); LANES])
}

fn value_of(limb: &FourLimbs) -> u64 {
    limb.0[0].to_bits()
}

/// The places of a sum: the value of its halves, words added to it modulo 2^64, numbers of low halves and of high halves, 32 bits each, and the largest carry.
const VALUE: usize = 0;
const WORDS: usize = 1;
const HALVES: usize = 2;
const LARGEST: usize = 3;
const ONE_HIGH: u64 = 1 << 32;

#[derive(Clone, Copy, Debug)]
struct FormalFma;

impl Arithmetic for FormalFma {
    fn products(x: &mut Sums, column: usize, factors: &[[FourLimbs; 2]]) {
        if is_left_out() {
            return;
        }
        for [a, b] in factors {
            let (a, b) = (value_of(a), value_of(b));
            // The halves depend on how a tie is rounded, and thus on the product before: each has its own.
            let high = drawn(drawn(a, b), COUNT.get() as u64);
            let low = difference(product(a, b), product(radix(), high));
            x[column].0[VALUE] = sum(x[column].0[VALUE], low);
            x[column].0[HALVES] += 1;
            x[column + 1].0[VALUE] = sum(x[column + 1].0[VALUE], high);
            x[column + 1].0[HALVES] += ONE_HIGH;
        }
        x[column].0[WORDS] = x[column].0[WORDS].wrapping_add(LOW_BIAS);
        x[column + 1].0[WORDS] = x[column + 1].0[WORDS].wrapping_add(HIGH_BIAS);
    }

    /// Here a sum is whole: the carry and all that was added to the column.
    fn limb(x: &mut FourSums) -> FourLimbs {
        let (n, column) = (LENGTH.get(), COLUMNS.get());
        COLUMNS.set(column + 1);
        // What the column above lends, less what it lends itself.
        let words = 2 * n * radix() - if column > 0 { 2 * n } else { 0 };
        let (lows, highs) = (x.0[HALVES] % ONE_HIGH, x.0[HALVES] / ONE_HIGH);
        assert!(x.0[WORDS] == words, "biases of column {column}");
        assert!(words > lows * radix(), "column {column} is above 0");
        let largest = [lows * radix(), highs * radix(), x.0[LARGEST]].into_iter().try_fold(words, u64::checked_add);
        let largest = largest.expect("a column below 2^64");
        let value = sum(x.0[VALUE], words % ((1 << 61) - 1));
        let carry = drawn(value, COUNT.get() as u64);
        CARRY.set(carry);
        *x = FourSums([carry, 0, 0, largest >> RADIX_BITS]);
        limb_of(difference(value, product(radix(), carry)))
    }

    fn add(x: &mut FourSums, other: &FourSums) {
        if is_left_out() {
            return;
        }
        x.0[VALUE] = sum(x.0[VALUE], other.0[VALUE]);
        x.0[WORDS] = x.0[WORDS].wrapping_add(other.0[WORDS]);
        x.0[HALVES] += other.0[HALVES];
        x.0[LARGEST] += other.0[LARGEST];
    }

    fn double(x: &mut Sums) {
        if is_left_out() {
            return;
        }
        for x in x {
            let twice = *x;
            x.0[VALUE] = sum(x.0[VALUE], twice.0[VALUE]);
            x.0[WORDS] = x.0[WORDS].wrapping_mul(2);
            x.0[HALVES] *= 2;
        }
    }

    fn begin(x: &mut Sums, starts: &[u64]) {
        *x = Sums::default();
        x.iter_mut().zip(starts).for_each(|(x, &start)| x.0[WORDS] = start);
    }
}

/// The value of a number.
fn number<'a>(limbs: impl DoubleEndedIterator<Item = &'a FourLimbs>) -> u64 {
    limbs.rev().fold(0, |value, limb| sum(product(value, radix()), value_of(limb)))
}

fn given(name: u64, n: usize) -> Vec<FourLimbs> {
    (0..n).map(|index| limb_of(drawn(name, index as u64))).collect()
}

fn cells(limbs: &mut [FourLimbs]) -> Number<'_> {
    Cell::from_mut(limbs).as_slice_of_cells()
}

/// Runs the text for n limbs without one of its steps, or with all; whether the result is right. It lies in the place of a.
fn fma_lanes_products(n: usize, square: bool, left_out: usize) -> bool {
    let (mut a, mut b, mut m, mut q) = (given(A, n), given(B, n), given(M_PLUS_1, n), given(B + 10, n));
    // M = -1 modulo b.
    m[0] = limb_of(0);
    let [a_value, b_value, m_plus_1] = [&a, &b, &m].map(|limbs| number(limbs.iter()));
    LENGTH.set(n as u64);
    COLUMNS.set(0);
    COUNT.set(0);
    LEFT_OUT.set(left_out);
    let all = [starts(n, false), starts(n, true)];
    let (onto, q_cells) = (cells(&mut a), cells(&mut q));
    let operands = FmaOperands { out: onto, a: onto, b: cells(&mut b), m: &m, q: q_cells, starts: [&all[0], &all[1]] };
    FormalFma.run(&operands, square.then_some(1));
    let want = product(a_value, if square { a_value } else { b_value });
    // The loans add up to 2n b^2n, which the highest carry gives back: the result is below 2M.
    let above = difference(CARRY.get(), 2 * n as u64);
    let power = (0..n).fold(1, |value, _| product(value, radix()));
    let whole = product(sum(number(a.iter()), product(above, power)), power);
    let m_value = difference(m_plus_1, 1);
    COLUMNS.get() == 2 * n as u64 && difference(whole, product(number(q.iter()), m_value)) == want
}

#[test]
fn fma_products_of_every_length() {
    let lengths: Vec<usize> = if std::env::var_os("PINGALA_SMALL_INSTANCES").is_some() {
        (2..=MAX_LIMBS).step_by(2).collect()
    } else {
        (2..=44).step_by(2).chain([98, 100, 510, MAX_LIMBS - 2, MAX_LIMBS]).collect()
    };
    for &n in &lengths {
        for square in [false, true] {
            assert!(fma_lanes_products(n, square, usize::MAX), "{n} limbs, square: {square}");
        }
    }
    println!("formal: products in lanes of doubles: {} lengths", lengths.len());
}

/// Without any step the run stops, as biases do not cancel, or gives something else; the last sum is above the number.
#[test]
fn no_step_of_fma_may_be_left_out() {
    let mut found = 0;
    for n in [2, 8, 10, 18] {
        for square in [false, true] {
            assert!(fma_lanes_products(n, square, usize::MAX));
            let count = COUNT.get();
            for left_out in 0..count {
                let run = std::panic::catch_unwind(|| fma_lanes_products(n, square, left_out));
                let is_right = run.unwrap_or(false);
                assert!(!is_right || left_out + 1 == count, "{n} limbs, square: {square}, without step {left_out}");
                found += usize::from(!is_right);
            }
        }
    }
    println!("formal: {found} steps left out are found");
}

#[test]
#[should_panic(expected = "a column below 2^64")]
fn two_limbs_more_overflow() {
    fma_lanes_products(MAX_LIMBS + 2, false, usize::MAX);
}
