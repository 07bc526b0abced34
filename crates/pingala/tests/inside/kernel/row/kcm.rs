//! Against big integers, in plain Rust on any machine (where a column that leaves its bound panics); where the CPU has the
//! instructions, bit for bit the same. Short pieces reach every level with short numbers.

use super::columns::{Difference, Normalise};
use super::layout::PieceLayout;
use super::product::{self, CyclicFactor};
use super::{KcmRing, LANES, MASK, constants};
use crate::exponent::{Digits, SecretExponent};
use crate::kernel::Ring;
use crate::kernel::conformance::{Dice, big, cases, words};
use crate::kernel::row::limbs52;
use crate::kernel::row::vectors::{PlainVectors, Vectors};
use crate::natural::Natural;
#[cfg(target_arch = "x86_64")]
use crate::suite::common::skipped;
use num_bigint::{BigInt, BigUint};

fn one() -> BigUint {
    BigUint::from(1u32)
}

/// Runs a test on every instance of the vector operations; all must give the same.
macro_rules! on_every_instance {
    (|$ops:ident| $run:expr) => {{
        let plain = {
            let $ops = PlainVectors;
            $run
        };
        #[cfg(target_arch = "x86_64")]
        match crate::kernel::row::avx512::Ifma::new() {
            Some($ops) => assert!(plain == $run, "the instances differ"),
            None => skipped("no AVX-512 IFMA, in plain Rust only"),
        }
        plain
    }};
}

fn layouts() -> impl Iterator<Item = PieceLayout> {
    let short = (1..=3).flat_map(|piece| (0..=4).map(move |levels| PieceLayout { piece, levels }));
    let all = short.chain([PieceLayout { piece: 9, levels: 1 }, PieceLayout { piece: 11, levels: 2 }]);
    cases(3, all)
}

fn radix(layout: PieceLayout) -> BigUint {
    one() << (52 * layout.limbs())
}

fn operand(layout: PieceLayout, value: &BigUint) -> Vec<u64> {
    let mut limbs = vec![0; layout.limbs()];
    limbs52::from_limbs64(&mut limbs, &words(value, (52 * layout.limbs()).div_ceil(64)), 0);
    let mut operand = vec![u64::MAX; layout.words()];
    layout.spread(&mut operand, &limbs);
    operand
}

fn value(layout: PieceLayout, operand: &[u64]) -> BigUint {
    let mut limbs = vec![0; layout.limbs()];
    layout.gather(&mut limbs, operand);
    assert!(limbs.iter().all(|&limb| limb <= MASK));
    let mut again = vec![u64::MAX; layout.words()];
    layout.spread(&mut again, &limbs);
    assert_eq!(again, operand, "the padding is zeros");
    limbs.iter().rev().fold(BigUint::ZERO, |value, &limb| (value << 52u32) + limb)
}

/// The value of signed columns.
fn sum(columns: &[u64]) -> BigInt {
    columns.iter().rev().fold(BigInt::ZERO, |sum, &column| (sum << 52u32) + column.cast_signed())
}

/// The same modulo m.
fn residue_of(columns: &[u64], m: &BigUint) -> BigUint {
    let m = BigInt::from(m.clone());
    (((sum(columns) % &m) + &m) % &m).to_biguint().unwrap()
}

/// Numbers below a bound, at its edges.
fn edges(bound: &BigUint, dice: &mut Dice) -> Vec<BigUint> {
    let random = |dice: &mut Dice| big(&dice.number::<u64>(bound.bits().div_ceil(64) as usize)) % bound;
    let ones: BigUint = (one() << (bound.bits() - 1)) - 1u32;
    let low_ones = ones.clone() >> (ones.bits() / 2);
    let high_ones = &ones - &low_ones;
    let top = one() << (bound.bits() - 1 - u64::from(bound.count_ones() == 1));
    let edges = [bound - 1u32, high_ones, low_ones, ones, top, BigUint::ZERO, one(), random(dice), random(dice)];
    cases(2, edges).collect()
}

#[test]
fn products_of_every_kind() {
    let mut dice = Dice::new(41);
    for layout in layouts() {
        let (n, r) = (layout.limbs(), radix(layout));
        let circle = &r - 1u32;
        let operands = edges(&r, &mut dice);
        for (index, x) in operands.iter().enumerate() {
            for y in &operands[index..] {
                let (a, b) = (operand(layout, x), operand(layout, y));
                let outcome = on_every_instance!(|ops| {
                    let mut scratch = vec![u64::MAX; product::scratch_words(layout)];
                    let mut full = vec![u64::MAX; 2 * n];
                    product::mul(ops, layout, &mut full, &a, &b, &mut scratch);
                    let mut square = vec![u64::MAX; 2 * n];
                    product::sqr(ops, layout, &mut square, &a, &mut scratch);
                    let mut scratch = vec![u64::MAX; product::low_scratch_words(layout)];
                    let mut low = vec![u64::MAX; n];
                    product::mul_low(ops, layout, &mut low, &a, &b, &mut scratch);
                    let mut factor = vec![u64::MAX; product::cyclic_factor_words(layout)];
                    let mut signs = vec![3; layout.levels as usize];
                    let mut limbs = vec![0; n];
                    layout.gather(&mut limbs, &b);
                    constants::prepare_cyclic(layout, &mut factor, &mut signs, &mut limbs);
                    let mut scratch = vec![u64::MAX; product::cyclic_scratch_words(layout)];
                    let mut cyclic = vec![u64::MAX; n];
                    let factor = CyclicFactor { operands: &factor, signs: &signs };
                    product::mul_cyclic(ops, layout, &mut cyclic, &a, factor, &mut scratch);
                    [full, square, low, cyclic]
                });
                let [full, square, low, cyclic] = outcome;
                assert_eq!(sum(&full), BigInt::from(x * y), "{layout:?}: {x:x} * {y:x}");
                assert_eq!(sum(&square), BigInt::from(x * x), "{layout:?}: {x:x}^2");
                assert_eq!(residue_of(&low, &r), x * y % &r, "{layout:?}: {x:x} * {y:x} mod R");
                assert_eq!(residue_of(&cyclic, &circle), x * y % &circle, "{layout:?}: {x:x} * {y:x} mod R - 1");
                let bound = (5u64 << 52) << (2 * layout.levels);
                let all = [full, square, low, cyclic].concat();
                assert!(all.iter().all(|column| column.cast_signed().unsigned_abs() < bound));
            }
        }
    }
}

/// Planted runs of limbs that are all ones or zeros, with columns of either sign at the proved bound, around them.
#[test]
fn columns_become_numbers() {
    let mut dice = Dice::new(42);
    let most = 3 * 256 * ((1i64 << 52) + (1 << 12));
    for layout in layouts() {
        let (n, r) = (layout.limbs(), radix(layout));
        for round in cases(4, 0..120) {
            let mut columns: Vec<u64> = (0..n)
                .map(|_| (dice.roll().cast_signed() % (most + 1)).cast_unsigned())
                .map(|column| if round % 2 == 0 { column & MASK } else { column })
                .collect();
            for _ in 0..=round % 3 {
                let (start, stop) = (dice.below(n), if round % 4 == 0 { n } else { dice.below(n + 1) });
                let filler = [MASK, 0, most.cast_unsigned(), (-most).cast_unsigned()][dice.below(4)];
                columns.get_mut(start..stop).unwrap_or_default().fill(filler);
                // From below comes 1, nothing, or -1.
                columns[start] = [MASK + 1, MASK, 0, u64::MAX][dice.below(4)];
            }
            match round {
                0 => columns.fill(0),
                1 => columns.fill(MASK),
                2 => columns.fill(most.cast_unsigned()),
                3 => columns.fill((-most).cast_unsigned()),
                _ => {}
            }
            for cyclic in [false, true] {
                let m = if cyclic { &r - 1u32 } else { r.clone() };
                let number = on_every_instance!(|ops| {
                    let mut out = vec![u64::MAX; layout.words()];
                    ops.run(Normalise { layout, cyclic, out: &mut out, columns: &mut columns.clone() });
                    out
                });
                let number = value(layout, &number);
                assert_eq!(number.clone() % &m, residue_of(&columns, &m), "{layout:?}: {columns:x?}");
                assert!(round != 0 || number == BigUint::ZERO, "zeros give 0");
            }
        }
    }
}

#[test]
fn differences_are_absolute() {
    let mut dice = Dice::new(43);
    for layout in layouts() {
        let operands = edges(&radix(layout), &mut dice);
        for x in &operands {
            for y in &operands {
                let (a, b) = (operand(layout, x), operand(layout, y));
                let (out, negative) = on_every_instance!(|ops| {
                    let (mut out, mut negative) = (vec![u64::MAX; layout.words()], 3);
                    ops.run(Difference { layout, out: &mut out, a: &a, b: &b, negative: &mut negative });
                    (out, negative)
                });
                assert_eq!(negative, u64::from(x < y).wrapping_neg());
                assert_eq!(value(layout, &out), if x < y { y - x } else { x - y });
            }
        }
    }
}

/// Products, squares and short products of residues at the edges of the range, and the range of what comes out.
fn raw_operations(layout: PieceLayout, bits: usize, dice: &mut Dice) {
    let power = one() << (bits - 1);
    let full: BigUint = (&power << 1u32) - 1u32;
    let random = (big(&dice.number::<u64>(bits.div_ceil(64))) % &power) | &power | one();
    for modulus in cases(1, [random, &full - ((one() << (bits / 2)) - 1u32) * 2u32, full, &power | one()]) {
        let r = radix(layout) % &modulus;
        let bound = &modulus * 2u32;
        let operands = edges(&bound, dice);
        on_every_instance!(|ops| {
            let ring = KcmRing::with_layout(ops, layout, &words(&modulus, bits.div_ceil(64)));
            assert_eq!((value(layout, ring.constants.m_prime()) * &modulus + 1u32) % radix(layout), BigUint::ZERO);
            let n = ring.words();
            let mut scratch = vec![u64::MAX; ring.scratch_words()];
            let mut outcome = Vec::new();
            let mut check = |out: &[u64], want: BigUint, times_r: bool| {
                let got = value(layout, out);
                assert!(got < bound);
                let got = if times_r { got * &r } else { got };
                assert_eq!(got % &modulus, want % &modulus, "{layout:?}, {bits} bits, {modulus:x}");
                outcome.extend_from_slice(out);
            };
            for (index, a) in operands.iter().enumerate() {
                for b in &operands[index..] {
                    let mut arena = [operand(layout, a), operand(layout, b), vec![u64::MAX; n]].concat();
                    scratch.fill(u64::MAX);
                    ring.mul(&mut arena, 2 * n, 0, n, &mut scratch);
                    check(&arena[2 * n..], a * b, true);
                    ring.mul(&mut arena, n, 0, n, &mut scratch);
                    assert_eq!(arena[n..2 * n], arena[2 * n..], "onto an operand");
                }
                let mut arena = [operand(layout, a), vec![u64::MAX; n]].concat();
                ring.sqr(&mut arena, n, 0, &mut scratch);
                check(&arena[n..], a * a, true);
                for small in [0, 1, 2, 0xffff_ffff, u64::MAX] {
                    ring.mul_small(&mut arena, n, 0, small, &mut scratch);
                    check(&arena[n..], a * small, false);
                }
                let mut canonical = vec![u64::MAX; n];
                ring.leave(&mut canonical, &arena, 0, &mut scratch);
                assert_eq!(big(&canonical) * &r % &modulus, a % &modulus);
                assert!(big(&canonical) < modulus);
                // What enters may be as long as it likes.
                let long = a.pow(3) + 1u32;
                ring.enter(&mut arena, 0, &words(&long, long.bits().div_ceil(64) as usize), &mut scratch);
                check(&arena[..n], &long * &r, false);
            }
            outcome
        });
    }
}

#[test]
fn raw_operations_at_the_edges_of_the_range() {
    let mut dice = Dice::new(44);
    for layout in layouts() {
        let longest = 52 * layout.limbs() - 2;
        for bits in cases(1, [longest, longest - 1, longest / 2 + 3, 5]) {
            raw_operations(layout, bits, &mut dice);
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "the same text as for short ones")]
fn raw_operations_of_long_numbers() {
    let mut dice = Dice::new(45);
    // The first lengths of one, two, three and four levels among them.
    for bits in [6238, 6239, 16_384, 24_959, 49_919] {
        raw_operations(PieceLayout::new(bits), bits, &mut dice);
    }
}

#[test]
fn layouts_have_room() {
    for bits in (1..10_000).chain((10_000..=super::MAX_BITS).step_by(97)).chain([super::MAX_BITS]) {
        let layout = PieceLayout::new(bits);
        assert!(bits + 2 <= 52 * layout.limbs() && layout.levels <= super::layout::MAX_LEVELS);
        assert!(layout.piece <= 20 && layout.limbs() <= LANES * super::layout::MAX_VECTORS);
    }
    assert_eq!(PieceLayout::new(super::MAX_BITS).limbs(), LANES * super::layout::MAX_VECTORS);
}

/// Every entry of a table, by a secret digit.
#[test]
fn a_secret_digit_selects_its_entry() {
    let mut dice = Dice::new(46);
    for layout in layouts() {
        let modulus = radix(layout) / 4u32 - 1u32;
        let operands = edges(&modulus, &mut dice);
        let table: Vec<u64> = operands.iter().flat_map(|value| operand(layout, value)).collect();
        on_every_instance!(|ops| {
            let ring = KcmRing::with_layout(ops, layout, &words(&modulus, (52 * layout.limbs()).div_ceil(64)));
            for (digit, value) in operands.iter().enumerate() {
                let secret = SecretExponent::new(&Natural::from(digit as u64), Some(8)).unwrap();
                let mut arena = [&table[..], &vec![u64::MAX; layout.words()]].concat();
                ring.scan(&mut arena, table.len(), 0, operands.len(), secret.digit(0, 4));
                assert_eq!(&arena[table.len()..], operand(layout, value));
            }
        });
    }
}
