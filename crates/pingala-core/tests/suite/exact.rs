//! The counts that the documentation of each algorithm gives, computed from its parameter and the exponents: the oracle of what is
//! executed.

use num_bigint::BigUint;
use pingala_core::algorithm::fixed_base::FixedBaseAlgorithm;
use pingala_core::algorithm::{
    AdditionChain, Algorithm, Cost, Counts, ManyExponents, PowerProduct, ShapeBits, WindowBits,
};
use pingala_core::exponent::{Digits, Exponent, Windows, base_digits, fixed_digits};

/// One power.
pub fn of_power(algorithm: &Algorithm, exponent: &Exponent) -> Counts {
    let bits = exponent.bits();
    match algorithm {
        Algorithm::BinaryLeftToRight(_) => {
            Cost { squarings: bits - 1, base_multiplications: exponent.weight() - 1, ..Cost::default() }
        }
        Algorithm::BinaryRightToLeft(_) => {
            let base_multiplications = usize::from(exponent.is_odd() && bits > 1);
            let multiplications = exponent.weight() - 1 - base_multiplications;
            Cost { squarings: bits - 1, multiplications, base_multiplications, selections: 0 }
        }
        Algorithm::KAry(program) => {
            let w = program.0.width();
            let base_multiplications = (1 << w) - 2;
            let table = Cost { squarings: w * (bits.div_ceil(w) - 1), base_multiplications, ..Cost::default() };
            fixed_digits::<usize, _>(exponent, w as u32).skip(1).fold(table, |counts, digit| counts + by_odd(digit))
        }
        Algorithm::ModifiedKAry(program) => {
            odd_powers(program.0) + behind_table(bits, exponent.aligned_windows(program.0.get()))
        }
        Algorithm::SlidingWindow(program) => {
            odd_powers(program.0) + behind_table(bits, exponent.sliding_windows(program.0.get()))
        }
        Algorithm::MontgomeryLadder(_) => {
            Cost { squarings: bits, multiplications: bits - 1, base_multiplications: 0, selections: 3 * bits - 1 }
        }
        Algorithm::FixedWindow(program) => {
            let (w, half) = (program.0.width(), 1 << (program.0.get() - 1));
            let further = bits.div_ceil(w) - 1;
            let squarings = w * further + half - 1;
            Cost { squarings, multiplications: further, base_multiplications: half - 1, selections: further + 1 }
        }
        Algorithm::AdditionChain(program) => of_chain(program),
    }
}

/// A product by g^digit, by the base for 1, none for 0.
fn by_odd(digit: usize) -> Counts {
    let [base_multiplications, multiplications] = [digit == 1, digit > 1].map(usize::from);
    Cost { base_multiplications, multiplications, ..Cost::default() }
}

/// Odd powers up to 2^w - 1.
fn odd_powers(w: WindowBits) -> Counts {
    let squarings = usize::from(w.get() > 1);
    let multiplications = (1usize << (w.get() - 1)).saturating_sub(2);
    Cost { squarings, multiplications, base_multiplications: squarings, selections: 0 }
}

/// One squaring for each bit below the first window, one product for each further window.
fn behind_table(bits: usize, mut windows: Windows<'_>) -> Counts {
    let squarings = bits - windows.next().unwrap().length;
    windows.fold(Cost { squarings, ..Cost::default() }, |counts, window| counts + by_odd(window.value))
}

/// The steps that the target depends on.
fn of_chain(program: &AdditionChain) -> Counts {
    let chain = program.chain();
    let mut needed = vec![false; chain.length() + 1];
    needed[chain.length()] = true;
    let mut counts = Counts::default();
    for (index, &(low, high)) in chain.pairs().iter().enumerate().rev() {
        if needed[index + 1] {
            (needed[low], needed[high]) = (true, true);
            match (low, high) {
                _ if low == high => counts.squarings += 1,
                (0, _) => counts.base_multiplications += 1,
                _ => counts.multiplications += 1,
            }
        }
    }
    counts
}

fn products(squarings: usize, multiplications: usize) -> Counts {
    Cost { squarings, multiplications, ..Cost::default() }
}

/// The counts with products by the base as any other.
fn without_base(counts: Counts) -> Counts {
    products(counts.squarings, counts.multiplications + counts.base_multiplications)
}

/// A row of buckets: f - 1 suffix products of the f filled ones, and t products of them for the highest index t; with odd weights the
/// last of these is a squaring and a product. The first is a squaring if the bucket below the highest is empty.
pub(crate) fn of_buckets(filled: &[bool], odd: bool) -> Counts {
    let Some(top) = filled.iter().rposition(|&filled| filled) else { return Counts::default() };
    let suffixes = filled.iter().filter(|&&filled| filled).count() - 1;
    let odd = usize::from(odd && top > 0);
    let totals = top - odd;
    let doubled = usize::from(totals > 0 && !filled[top - 1]);
    products(doubled + odd, suffixes + totals - doubled + odd)
}

/// Exponents, the longest first, in groups of c.
fn groups(exponents: &[Exponent], c: usize) -> Vec<Vec<&Exponent>> {
    let mut sorted: Vec<&Exponent> = exponents.iter().collect();
    sorted.sort_by_key(|exponent| std::cmp::Reverse(exponent.bits()));
    sorted.chunks(c).map(<[_]>::to_vec).collect()
}

/// Several powers of one base.
pub fn of_many(program: &ManyExponents, exponents: &[Exponent]) -> Counts {
    let lengths = ShapeBits::of(exponents);
    match program {
        ManyExponents::SeparateWindows(program) => exponents.iter().fold(odd_powers(program.0), |counts, exponent| {
            counts + behind_table(exponent.bits(), exponent.sliding_windows(program.0.get()))
        }),
        ManyExponents::SharedComb(_) => {
            let comb = program.table().unwrap();
            let building = comb.build_cost(lengths.max_bits);
            exponents.iter().fold(building, |counts, exponent| counts + of_table(&comb, lengths.max_bits, exponent))
        }
        ManyExponents::CommonBits(program) => {
            let mut multiplications = 0;
            for group in groups(exponents, program.0.get()) {
                let mut filled = vec![false; 1 << group.len()];
                for bit in 0..lengths.max_bits {
                    let set = group.iter().rev().fold(0, |set, exponent| 2 * set + usize::from(exponent.bit(bit)));
                    multiplications += usize::from(set > 0 && std::mem::replace(&mut filled[set], true));
                }
                filled[0] = false;
                for index in (0..group.len()).rev() {
                    let upper = filled.split_off(1 << index);
                    multiplications += upper.iter().filter(|&&filled| filled).count() - 1;
                    for (lower, upper) in filled.iter_mut().zip(upper).skip(1) {
                        multiplications += usize::from(*lower && upper);
                        *lower |= upper;
                    }
                }
            }
            products(lengths.max_bits - 1, multiplications)
        }
        ManyExponents::SharedSquarings(program) => {
            let (mut counts, mut last) = (Counts::default(), 0);
            for exponent in exponents {
                let w = program.0.up_to_best(exponent.bits()).get();
                let mut filled = vec![false; 1 << (w - 1)];
                for (position, value) in exponent.low_windows(w) {
                    counts.multiplications += usize::from(std::mem::replace(&mut filled[value / 2], true));
                    last = last.max(position);
                }
                counts = counts + of_buckets(&filled, true);
            }
            counts + products(last, 0)
        }
    }
}

/// A product of powers of several bases.
pub fn of_product(program: &PowerProduct, exponents: &[Exponent]) -> Counts {
    let max_bits = ShapeBits::of(exponents).max_bits;
    match program {
        PowerProduct::Straus(program) => {
            let (c, w) = (program.0.size(), program.0.window_bits());
            let top = (max_bits - 1) / w as usize * w as usize;
            let mut counts = products(top, 0);
            for group in groups(exponents, c) {
                let squarings = group.len() * ((1 << (w - 1)) - 1);
                let table = (1 << (group.len() * w as usize)) - 1 - group.len() - squarings;
                let factors = (0..=top)
                    .step_by(w as usize)
                    .filter(|&bit| group.iter().any(|exponent| Digits::<usize>::digit(*exponent, bit, w) != 0));
                counts = counts + products(squarings, table + factors.count());
            }
            counts.multiplications -= 1;
            counts
        }
        PowerProduct::InterleavedWindows(program) => {
            let (mut counts, mut top, mut windows) = (Counts::default(), 0, 0);
            for exponent in exponents {
                let w = program.0.up_to_best(exponent.bits());
                let mut position = exponent.bits();
                for window in exponent.sliding_windows(w.get()) {
                    position -= window.squarings();
                    if window.value > 0 {
                        (top, windows) = (top.max(position), windows + 1);
                    }
                }
                counts = counts + without_base(odd_powers(w));
            }
            counts + products(top, windows - 1)
        }
        PowerProduct::Pippenger(program) => {
            let w = program.0.width();
            let mut counts = products((max_bits - 1) / w * w, 0);
            let mut windows = 0;
            for position in (0..max_bits).step_by(w) {
                let mut filled = vec![false; 1 << w];
                for exponent in exponents {
                    let digit: usize = exponent.digit(position, w as u32);
                    counts.multiplications += usize::from(digit > 0 && std::mem::replace(&mut filled[digit], true));
                }
                counts = counts + of_buckets(&filled[1..], false);
                windows += usize::from(filled.contains(&true));
            }
            counts + products(0, windows - 1)
        }
        PowerProduct::BosCoster(_) => {
            let segment = if exponents.len() == 1 { max_bits } else { 256 * 64 };
            let mask = (BigUint::from(1u8) << segment) - 1u8;
            let (mut counts, mut results) = (Counts::default(), 0);
            for index in 0..max_bits.div_ceil(segment) {
                let part = |exponent: &Exponent| big(exponent) >> (index * segment) & &mask;
                let (of_segment, is_there) = of_euclid(exponents.iter().map(part).collect(), by_windows);
                counts = counts + of_segment;
                results += usize::from(is_there);
            }
            counts + products((max_bits.div_ceil(segment) - 1) * segment, results - 1)
        }
    }
}

fn big(exponent: &Exponent) -> BigUint {
    BigUint::from_bytes_be(&exponent.magnitude().to_be_bytes())
}

/// A power by windows of at most eight bits.
fn by_windows(exponent: &Exponent) -> Counts {
    let w = WindowBits::new(8).up_to_best(exponent.bits());
    without_base(odd_powers(w) + behind_table(exponent.bits(), exponent.sliding_windows(w.get())))
}

/// The largest number divided by the second largest until one is left: a product for each step, and the powers with the quotients and
/// with the last number. Whether there is one that is not 0.
fn of_euclid(mut numbers: Vec<BigUint>, power: fn(&Exponent) -> Counts) -> (Counts, bool) {
    let zero = BigUint::default();
    let counted = |number: &BigUint| power(&Exponent::from_limbs(&number.to_u64_digits()).unwrap());
    let mut counts = Counts::default();
    numbers.retain(|number| *number != zero);
    numbers.sort();
    while numbers.len() > 1 {
        let largest = numbers.pop().unwrap();
        let second = numbers.last().unwrap();
        let rest = &largest % second;
        counts = counts + products(0, 1) + counted(&(largest / second));
        if rest != zero {
            let place = numbers.partition_point(|number| *number < rest);
            numbers.insert(place, rest);
        }
    }
    (numbers.iter().fold(counts, |counts, last| counts + counted(last)), !numbers.is_empty())
}

/// Digits of table entries that are multiplied into buckets, [brickell1992fast]: a product for each digit that is not 0 but the
/// first, and one for each bucket below the top.
pub fn of_windowing(digits: impl Iterator<Item = u64>) -> Counts {
    let digits: Vec<u64> = digits.filter(|&digit| digit > 0).collect();
    products(0, digits.len() + digits.iter().max().map_or(0, |&top| top as usize) - 2)
}

/// Digits of table entries by the Euclidean method, whose small powers go bit by bit.
pub fn of_euclidean(digits: Vec<BigUint>) -> Counts {
    of_euclid(digits, |power| products(power.bits() - 1, power.weight() - 1)).0
}

/// A power from a table for exponents of `bits` bits.
pub fn of_table(method: &FixedBaseAlgorithm, bits: usize, exponent: &Exponent) -> Counts {
    match method {
        FixedBaseAlgorithm::Windowing(program) => {
            let digits = base_digits(exponent, program.0.get());
            of_windowing(digits.into_iter().map(u64::from))
        }
        FixedBaseAlgorithm::Euclidean(program) => {
            let d = program.0.get();
            let mask = (BigUint::from(1u8) << d) - 1u8;
            let digits = (0..exponent.bits().div_ceil(d)).map(|index| big(exponent) >> (index * d) & &mask);
            of_euclidean(digits.collect())
        }
        FixedBaseAlgorithm::Comb(program) => {
            let columns = bits.div_ceil(program.0.rows() as usize);
            let width = columns.div_ceil(program.0.blocks());
            let is_filled = |column: &usize| (*column..bits).step_by(columns).any(|bit| exponent.bit(bit));
            let filled: Vec<usize> = (0..columns).filter(is_filled).collect();
            products(filled.iter().map(|column| column % width).max().unwrap(), filled.len() - 1)
        }
        FixedBaseAlgorithm::BitPowers(program) => {
            let windows = exponent.sliding_windows(program.0.get()).filter(|window| window.length > 0);
            let top = windows.clone().map(|window| window.value / 2).max().unwrap();
            products(top.min(1), windows.count() - 1 + top)
        }
        FixedBaseAlgorithm::BitCombinations(program) => {
            let digits = fixed_digits::<usize, _>(exponent, program.0.get());
            products(0, digits.filter(|&digit| digit > 0).count() - 1)
        }
    }
}
