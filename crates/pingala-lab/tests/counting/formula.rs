//! The tallies as exact formulas of the length n, with the reasons. A sum that has a closed form is written so;
//! Karatsuba, low products and KCM are recurrences, as their texts are.
//!
//! papers/counting.md lists them in RISC instructions, as polynomials, and compares them with the literature's.

use Kind::{
    Accumulate, Add, AddCarry, Compare, Load, Mask, Multiply, MultiplyAdd, MultiplyAddCarry, MultiplyLow, Select,
    Shift, Store, SubtractBorrow, Turn,
};
use pingala_core::texts::{
    comba::UNROLLED,
    karatsuba::levels,
    karatsuba_sos::USUAL_KARATSUBA_SQUARES,
    schoolbook::{TILE, tile_words},
};
use pingala_lab::counting::{Kind, Tally};
use pingala_study::texts::{Operation, Text};

/// The tally of a text that takes this length.
pub(super) fn of(text: Text, operation: Operation, words: usize) -> Tally {
    let n = words as u64;
    let square = operation == Operation::Sqr;
    let montgomery = |tally| tally + finish(n);
    match text {
        Text::Schoolbook { tile } => schoolbook(n, tile as u64, square),
        Text::Comba => comba(n, square),
        Text::Karatsuba { leaf } => karatsuba(n, leaf as u64, square),
        Text::Sos { tile } => montgomery(schoolbook(n, tile as u64, square) + reduction_by_tiles(n, tile as u64)),
        Text::Cios => montgomery(cios(n)),
        Text::Fios => montgomery(fios(n)),
        Text::Fips => montgomery(fips(n, square)),
        Text::Cihs => montgomery(cihs(n)),
        Text::SeparatedComba => montgomery(comba(n, square) + reduction_by_columns(n)),
        Text::KaratsubaComba { leaf } => montgomery(karatsuba(n, leaf as u64, square) + reduction_by_columns(n)),
        Text::KaratsubaSos { leaf } => {
            let tile = tile_words(words) as u64;
            let by_rows = square && TILE < words && words < USUAL_KARATSUBA_SQUARES;
            let product = if by_rows { schoolbook(n, tile, true) } else { karatsuba(n, leaf as u64, square) };
            montgomery(product + reduction_by_tiles(n, tile))
        }
        Text::Kcm { leaf } => montgomery(karatsuba(n, leaf as u64, square) + kcm_reduction(n, leaf as u64)),
    }
}

/// A sum of kinds, each times its number.
fn sum<const N: usize>(parts: [(Kind, u64); N]) -> Tally {
    parts.into_iter().map(|(kind, times)| Tally::only(kind, times)).sum()
}

// --- pieces ---------------------------------------------------------------------------------------------------------

/// Turns of a carry chain over n words, eight to a turn, the rest one by one.
fn chain_turns(n: u64) -> u64 {
    n / 8 + n % 8
}

/// A carry chain over two operands: each word loads two, does `step`, stores one.
fn chain(n: u64, step: Kind) -> Tally {
    sum([(Load, 2 * n), (step, n), (Store, n), (Turn, chain_turns(n))])
}

/// A carry chain over one operand.
fn chain_each(n: u64, step: Kind) -> Tally {
    sum([(Load, n), (step, n), (Store, n), (Turn, chain_turns(n))])
}

/// A chain of additions in which one operand is complemented by a mask.
fn flip_add(n: u64) -> Tally {
    chain(n, AddCarry) + Tally::only(Select, n)
}

/// One word added at the bottom of n, the carry running to the end; of none, whether there would be one.
fn add_word(n: u64) -> Tally {
    match n {
        0 => Tally::only(Compare, 1),
        _ => sum([(Load, 1), (Add, 1), (Store, 1)]) + chain_each(n - 1, AddCarry),
    }
}

/// n words copied.
fn copy(n: u64) -> Tally {
    sum([(Load, n), (Store, n), (Turn, n)])
}

/// |a - b| for b of `shorter` words: a chain, the borrow through what a has more, then a negation by mask.
fn abs_diff(n: u64, shorter: u64) -> Tally {
    let rest = n - shorter;
    chain(shorter, SubtractBorrow)
        + sum([(Load, rest), (SubtractBorrow, rest), (Store, rest), (Turn, rest), (Mask, 1)])
        + chain_each(n, AddCarry)
        + Tally::only(Select, n)
}

/// A row, n words plus a word times n words: four words to a turn.
fn row(n: u64) -> Tally {
    sum([(Load, 2 * n), (MultiplyAddCarry, n), (Store, n), (Turn, n / 4 + n % 4)])
}

/// A column of n products.
fn column(n: u64) -> Tally {
    sum([(Load, 2 * n), (Accumulate, n), (Turn, n)])
}

/// One word added to a column sum of three.
fn to_sum() -> Tally {
    sum([(Add, 1), (AddCarry, 2)])
}

/// The final subtraction: always a chain of subtractions and a selection between its operand and its result, so that
/// nothing depends on which it is: 4n loads, 2n stores.
fn finish(n: u64) -> Tally {
    chain(n, SubtractBorrow) + sum([(Mask, 1), (Load, 2 * n), (Select, n), (Store, n), (Turn, n)])
}

// --- products -------------------------------------------------------------------------------------------------------

/// A tile of S words at work: S words of the sum in and out, and S rows that each load the S words of the operand.
fn tile(s: u64) -> Tally {
    sum([(Load, s + s * s), (MultiplyAddCarry, s * s), (Store, s), (Turn, 1)])
}

/// The product by tiles, r = n / S rows of r tiles; the square has the r(r-1)/2 tiles above the diagonal, the triangles on
/// it, then one pass that doubles and adds the squares.
fn schoolbook(n: u64, s: u64, square: bool) -> Tally {
    let rows = n / s;
    let clear = sum([(Store, n), (Turn, n)]);
    // Each row loads its S factors and stores the S words of its carry.
    let around = rows * sum([(Load, s), (Store, s), (Turn, 1)]);
    if !square {
        return clear + around + rows * rows * tile(s);
    }
    // Word 0 of a tile on the diagonal gets no product.
    let diagonal = sum([(Load, s - 1), (MultiplyAddCarry, s * (s - 1) / 2), (Store, s - 1)]);
    clear + around + rows * (rows - 1) / 2 * tile(s) + rows * diagonal + double_and_add_squares(n)
}

/// For each word its square, and two words of the sum shifted left by a bit.
fn double_and_add_squares(n: u64) -> Tally {
    n * sum([(Load, 3), (Multiply, 1), (Shift, 4), (Add, 2), (AddCarry, 2), (Store, 2), (Turn, 1)])
}

/// n^2 products in 2n columns; the square has the n(n-1)/2 pairs.
fn comba(n: u64, square: bool) -> Tally {
    let products = if square { n * (n - 1) / 2 } else { n * n };
    let columns = sum([(Store, 2 * n), (Turn, 2 * n)]) + column(products);
    let columns = straight_line(n, columns);
    if square { columns + double_and_add_squares(n) } else { columns }
}

/// Straight-line code has no turns.
fn straight_line(n: u64, mut tally: Tally) -> Tally {
    if n <= UNROLLED as u64 {
        tally = tally.without(Turn);
    }
    tally
}

/// a * b mod b^n by columns: n(n-1)/2 products below the last column, and the n low words of that one.
fn comba_low(n: u64) -> Tally {
    let columns = column(n * (n - 1) / 2) + sum([(Store, n), (Turn, n - 1)]);
    straight_line(n, columns + sum([(Load, 2 * n), (MultiplyLow, n), (Add, n), (Turn, n)]))
}

/// Two differences (of a square one), three half-length products, and the middle put together; levels of even halves in
/// loops.
fn karatsuba(n: u64, leaf: u64, square: bool) -> Tally {
    if n <= leaf {
        return comba(n, square);
    }
    let half = n.div_ceil(2);
    let rest = n - half;
    let Some(levels) = levels(n as usize, leaf as usize) else {
        let halved = 2 * karatsuba(half, leaf, square) + karatsuba(rest, leaf, square);
        // A loop over one number puts even halves together.
        return number(half, rest, square) + halved + Tally::only(Turn, u64::from(half == rest));
    };
    let operands = if square { 1 } else { 2 };
    let level = |level: u32| {
        let half = n >> (level + 1);
        let turns = Tally::only(Turn, operands + 1);
        3u64.pow(level) * (number(half, half, square) + turns) + turns
    };
    let leaves = 3u64.pow(levels) * (comba(n >> levels, square) + Tally::only(Turn, 1));
    (0..levels).map(level).sum::<Tally>() + leaves
}

/// What Karatsuba does with a number apart from its products: the differences, the sign of their product, the middle.
fn number(half: u64, rest: u64, square: bool) -> Tally {
    let differences = if square {
        abs_diff(half, rest)
    } else {
        2 * abs_diff(half, rest) + sum([(Store, 2), (Load, 2), (Select, 2)])
    };
    differences + combine(half, rest)
}

/// L + H - D added to the result above its lowest h words, its lower half with a copy of the upper half of L in D's room;
/// of uneven halves, H has two words less. What is left above the middle has 2n - 3h words.
fn combine(half: u64, rest: u64) -> Tally {
    let above = 2 * rest - half;
    let word = sum([(Load, 4), (AddCarry, 3), (Select, 1), (Store, 1)]);
    half * (word + Tally::only(Store, 1))
        + above * word
        + (half - above) * sum([(Load, 3), (AddCarry, 3), (Select, 1), (Store, 1)])
        + Tally::only(Turn, half / 4 + above / 4)
        + add_word(above)
        + top_word()
}

/// The top word of the middle from two carries and a sign, plus the carry of the addition that follows.
fn top_word() -> Tally {
    sum([(Compare, 1), (AddCarry, 3), (SubtractBorrow, 1)])
}

/// Lo(n) = F(h) + 2 Lo(l), two additions of l words, and h words copied.
fn low_product(n: u64, leaf: u64) -> Tally {
    if n <= leaf {
        return comba_low(n);
    }
    let half = n.div_ceil(2);
    let rest = n - half;
    karatsuba(half, leaf, false) + 2 * low_product(rest, leaf) + 2 * chain(rest, AddCarry) + copy(half)
}

// --- reductions and interleaved products -------------------------------------------------------------------------------

/// By tiles: the first tile of a row gives S quotient words and is not stored, r - 1 tiles follow, and the row's carry is
/// added to the S words above it.
fn reduction_by_tiles(n: u64, s: u64) -> Tally {
    let rows = n / s;
    let first =
        sum([(Load, s + s * s), (MultiplyLow, s), (MultiplyAdd, s), (MultiplyAddCarry, s * (s - 1)), (Turn, 1)]);
    let carry = chain_each(s, AddCarry);
    rows * (first + carry) + rows * (rows - 1) * tile(s)
}

/// By columns: n(n-1) products of u m, and the n that make a column vanish; each of the 2n columns takes a word of T.
/// Straight-line code keeps the words u in registers.
fn reduction_by_columns(n: u64) -> Tally {
    let words = 2 * n * (to_sum() + Tally::only(Load, 1));
    let quotients = n * sum([(MultiplyLow, 1), (Load, 1), (Accumulate, 1)]);
    let loops = column(n * (n - 1)) + sum([(Store, 2 * n), (Turn, 2 * n)]);
    let straight = sum([(Load, n * (n - 1)), (Accumulate, n * (n - 1)), (Store, n)]);
    let products = if n <= UNROLLED as u64 { straight } else { loops };
    words + quotients + products + Tally::only(Compare, 1)
}

/// The row of a reduction that moves the number down a word: a quotient word, then n steps of which the first stores
/// nothing.
fn row_down(n: u64) -> Tally {
    sum([
        (Load, 1 + 2 * n),
        (MultiplyLow, 1),
        (MultiplyAdd, 1),
        (MultiplyAddCarry, n - 1),
        (Store, n - 1),
        (Turn, n - 1),
    ])
}

/// n times a row of the product and one of the reduction; the words n and n + 1 stay in registers, at four additions a row.
fn cios(n: u64) -> Tally {
    let top = sum([(Load, 1), (Add, 2), (AddCarry, 2), (Store, 1), (Turn, 1)]);
    sum([(Store, n), (Turn, n), (Compare, 1)]) + n * (row(n) + row_down(n) + top)
}

/// n times one row of both: the words of t are loaded and stored once.
fn fios(n: u64) -> Tally {
    let first = sum([(Load, 4), (MultiplyLow, 1), (MultiplyAdd, 2), (Turn, 1)]);
    let rest = (n - 1) * sum([(Load, 3), (MultiplyAddCarry, 2), (Store, 1), (Turn, 1)]);
    let top = sum([(Add, 2), (AddCarry, 2), (Store, 1)]);
    sum([(Store, n), (Turn, n), (Compare, 1)]) + n * (first + rest + top)
}

/// 2n columns of both, one store each. A squaring's column of L products takes floor(L/2) pairs, doubles them, adds them
/// to the sum, and takes the square in the middle where L is odd; lengths are 1 to n, then n - 1 to 0: n are odd.
fn fips(n: u64, square: bool) -> Tally {
    let quotients = n * sum([(MultiplyLow, 1), (Load, 1), (Accumulate, 1)]);
    let columns = column(n * (n - 1)) + sum([(Store, 2 * n), (Turn, 2 * n), (Compare, 1)]);
    let product = if square {
        column(n * (n - 1) / 2) + n * sum([(Load, 1), (Accumulate, 1)]) + 2 * n * (2 * to_sum())
    } else {
        column(n * n)
    };
    quotients + columns + product
}

/// The lower half of the product by rows of n to 1 words; then n rows of the reduction, each of which takes a column of
/// the upper half, n - 1 to 0 products. Each row's carry goes to a sum of three words.
fn cihs(n: u64) -> Tally {
    let lower: Tally = (1..=n).map(row).sum::<Tally>() + n * (to_sum() + sum([(Load, 1), (Turn, 1)]));
    let upper = n * (row_down(n) + to_sum() + sum([(Store, 1), (Turn, 1)])) + column(n * (n - 1) / 2);
    sum([(Store, n), (Turn, n), (Compare, 1)]) + lower + upper
}

/// KCM's reduction: the low product Q, the upper half of Q m by two half-length products, and the sum with T's.
fn kcm_reduction(n: u64, leaf: u64) -> Tally {
    let half = n / 2;
    let products = low_product(n, leaf) + 2 * karatsuba(half, leaf, false);
    // Step 1: the difference of Q's halves, the sign, and T's lower half negated.
    let step_1 = abs_diff(half, half) + Tally::only(Select, 2) + chain_each(n, SubtractBorrow);
    // Steps 2 to 4: D joins by halves, H is added to each, L's upper half is what remains.
    let steps = 2 * flip_add(half) + 3 * chain(half, AddCarry) + chain(half, SubtractBorrow);
    products + step_1 + steps + top_word() + add_word(half) + chain(n, AddCarry)
}
