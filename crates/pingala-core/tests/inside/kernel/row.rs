//! The row kernel against big integers, in plain Rust on any machine; if the CPU has the instructions, bit for bit
//! the same.

#![allow(unsafe_code)]

use super::carry;
use super::constants::RowConstants;
use super::ring::{self, RowRing};
use super::shape::{LANES, Shape};
use crate::exponent::{Digits, SecretExponent};
use crate::kernel::Ring;
use crate::kernel::conformance::{Dice, big, cases, words};
use crate::kernel::limbs::split;
use crate::kernel::short::ShortFactor;
use crate::kernel::vector::MASK;
use crate::kernel::vector::across::{Compiles, VectorProgram, Vectors};
use crate::kernel::vector::plain::Plain;
use crate::natural::{Natural, linear};
#[cfg(target_arch = "x86_64")]
use crate::suite::common::skipped;
use num_bigint::BigUint;

const PLAIN: Plain = Plain;

/// The threshold `square_from` at the ends of its range: all squares as such, and all squares as products.
const SQUARES: [usize; 2] = [1, 255];

/// The kernel's instances that this machine can run, by R^2 mod N and by division, with all [`SQUARES`].
fn with_every_instance(mut test: impl FnMut(&dyn Fn(&[u64], bool) -> Box<dyn Ring<u64>>)) {
    fn make<O: Vectors>(ops: O, divides: bool, square_from: usize) -> impl Fn(&[u64], bool) -> Box<dyn Ring<u64>> {
        move |modulus, ct| {
            let bits = linear::bits(modulus);
            let short = ShortFactor::of_bits(modulus, bits);
            if ct {
                Box::new(RowRing::<O, true>::new(ops, modulus, bits, short, divides, square_from))
            } else {
                Box::new(RowRing::<O, false>::new(ops, modulus, bits, short, divides, square_from))
            }
        }
    }
    for square_from in SQUARES {
        test(&make(Plain, false, square_from));
        test(&make(Plain, true, square_from));
        #[cfg(target_arch = "x86_64")]
        match crate::kernel::vector::avx512::Avx512::detected() {
            Some(ops) => {
                test(&make(ops, false, square_from));
                test(&make(ops, true, square_from));
            }
            None => skipped("no AVX-512 IFMA, in plain Rust only"),
        }
    }
}

fn one() -> BigUint {
    BigUint::from(1u32)
}

/// Odd moduli of exactly that many bits, at the edges.
fn moduli(bits: usize, dice: &mut Dice) -> Vec<BigUint> {
    let power = one() << (bits - 1);
    let random = (big(&dice.number::<u64>(bits.div_ceil(64))) % &power) | &power | one();
    let full: BigUint = (&power << 1u32) - 1u32;
    let minus_one = if bits > 60 { &full - (one() << 52u32) + 2u32 } else { full.clone() };
    cases(1, [random, full, &power | one(), minus_one]).collect()
}

/// Operands of the ring at the edges: below 2mN, which is no multiple of anything nice.
fn operands(modulus: &BigUint, shape: &Shape, dice: &mut Dice) -> Vec<BigUint> {
    let bound = modulus * (2 * shape.limbs);
    let random = |dice: &mut Dice| big(&dice.number::<u64>(bound.bits().div_ceil(64) as usize)) % &bound;
    let ones: BigUint = (one() << (bound.bits() - 1)) - 1u32;
    let low_ones = ones.clone() >> (ones.bits() / 2);
    let high_ones = &ones - &low_ones;
    let (r1, r2, r3) = (random(dice), random(dice), random(dice));
    let edges = [&bound - 1u32, high_ones, low_ones, ones, BigUint::ZERO, one(), modulus - 1u32, r1, r2, r3];
    cases(2, edges).collect()
}

fn residue(value: &BigUint, shape: &Shape) -> Vec<u64> {
    let mut out = vec![0; shape.words()];
    let n = shape.limbs64();
    split(&mut out[LANES..][..shape.limbs], &words(value, n), 0, 52);
    out
}

fn value(residue: &[u64], shape: &Shape) -> BigUint {
    assert!(residue.iter().all(|&limb| limb <= MASK));
    let limbs = &residue[LANES..][..shape.limbs];
    limbs.iter().rev().fold(BigUint::ZERO, |value, &limb| (value << 52u32) + limb)
}

/// Products, squares and short products of operands that `enter` never makes, and the range of what comes out.
fn raw_operations(bits: usize, dice: &mut Dice) {
    for modulus in moduli(bits, dice) {
        let shape = Shape::new(bits);
        let (n, r) = (shape.words(), one() << (52 * shape.limbs));
        let bound = &modulus * (2 * shape.limbs);
        let operands = operands(&modulus, &shape, dice);
        let mut outcomes: Vec<Vec<u64>> = Vec::new();
        with_every_instance(|make| {
            for ct in [false, true] {
                let ring = make(&words(&modulus, bits.div_ceil(64)), ct);
                let mut scratch = vec![u64::MAX; ring.scratch_words()];
                let mut outcome = Vec::new();
                for (index, a) in operands.iter().enumerate() {
                    for b in &operands[index..] {
                        let mut arena = [residue(a, &shape), residue(b, &shape), vec![u64::MAX; n]].concat();
                        scratch.fill(u64::MAX);
                        ring.mul(&mut arena, 2 * n, 0, n, &mut scratch);
                        let product = value(&arena[2 * n..], &shape);
                        assert!(product < bound);
                        assert_eq!(
                            product * &r % &modulus,
                            a * b % &modulus,
                            "{bits} bits: {a:x} * {b:x} mod {modulus:x}"
                        );
                        outcome.extend_from_slice(&arena[2 * n..]);
                    }
                    let mut arena = [residue(a, &shape), vec![u64::MAX; n]].concat();
                    ring.sqr(&mut arena, n, 0, &mut scratch);
                    let square = value(&arena[n..], &shape);
                    assert!(square < bound);
                    assert_eq!(square * &r % &modulus, a * a % &modulus, "{bits} bits: {a:x}^2 mod {modulus:x}");
                    outcome.extend_from_slice(&arena[n..]);
                    for small in [0, 1, 2, 0x8000_0000, 0xffff_ffff] {
                        ring.mul_small(&mut arena, n, 0, small, &mut scratch);
                        let short = value(&arena[n..], &shape);
                        assert!(short < &modulus * 2u32);
                        assert_eq!(short % &modulus, a * small % &modulus);
                        outcome.extend_from_slice(&arena[n..]);
                    }
                }
                outcomes.push(outcome);
            }
        });
        // Public and constant-time residues of one number may differ by a multiple of the modulus, and the latter by where
        // additions go.
        let mut halves = outcomes.chunks(outcomes.len() / 2);
        let alike = |half: &[Vec<u64>]| half.windows(3).all(|ways| ways[0] == ways[2]);
        assert!(halves.all(alike), "{bits} bits: the instances differ");
    }
}

#[test]
fn raw_operations_at_the_edges_of_the_range() {
    let mut dice = Dice::new(21);
    let around = (3..=24).flat_map(|limbs| (52 * limbs - 2)..=(52 * limbs + 1));
    let sizes = [2, 3, 44, 63, 65, 256, 512, 600, 1024, 1100, 1500, 2048, 2049, 2600, 3072, 3500, 4096];
    for bits in cases(2, [500, 64, 128].into_iter().chain(around).chain(sizes)) {
        raw_operations(bits, &mut dice);
    }
}

#[test]
#[cfg_attr(miri, ignore = "the same text as for short ones")]
fn raw_operations_of_long_numbers() {
    let mut dice = Dice::new(22);
    for bits in [6000, 8192, 8257, 12_000, 16_384] {
        raw_operations(bits, &mut dice);
    }
}

/// What checks residues in debug builds sees a number at the bound, a limb of 53 bits, and a word of the padding.
#[test]
fn residues_out_of_range_are_seen() {
    let mut dice = Dice::new(25);
    for bits in cases(1, [100, 512, 1000]) {
        let (shape, modulus) = (Shape::new(bits), &moduli(bits, &mut dice)[0]);
        let m = words(modulus, bits.div_ceil(64));
        let ring = RowRing::<_, true>::new(PLAIN, &m, bits, ShortFactor::of_bits(&m, bits), false, SQUARES[0]);
        let bound = modulus * (2 * shape.limbs);
        assert!(ring.in_range(&residue(&(&bound - 1u32), &shape)) && !ring.in_range(&residue(&bound, &shape)));
        let limbs = LANES..LANES + shape.limbs;
        for at in 0..shape.words() {
            let mut changed = residue(&one(), &shape);
            changed[at] |= if limbs.contains(&at) { MASK + 1 } else { 1 };
            assert!(!ring.in_range(&changed), "{bits} bits, word {at}");
        }
    }
}

/// Carries columns by both ways of [`carry::carry`] and hands back the limbs, the carry out on top.
struct Carry<'a> {
    columns: &'a [u64],
    ways: &'a mut [Vec<u64>; 2],
}

impl VectorProgram for Carry<'_> {
    #[inline(always)]
    fn run<O: Vectors>(self, ops: O) {
        let vectors = self.columns.len() / LANES;
        let mut out = [0; LANES];
        for (way, ct) in self.ways.iter_mut().zip([false, true]) {
            way.clear();
            way.extend_from_slice(self.columns);
            // SAFETY: both buffers are as long as the vectors that are read and written.
            unsafe {
                let at = way.as_mut_ptr();
                let carry = if ct {
                    carry::carry::<O, true>(ops, at, at, vectors)
                } else {
                    carry::carry::<O, false>(ops, at, at, vectors)
                };
                ops.store(out.as_mut_ptr(), carry);
            }
            assert!(out[1..].iter().all(|&lane| lane == 0));
            way.push(out[0]);
        }
    }
}

/// Planted runs of limbs that are all ones, which a carry from below runs through: over lanes, over vectors, over
/// groups of three, out of the top, and not at all if nothing comes from below.
#[test]
fn rare_carries() {
    let mut dice = Dice::new(23);
    let sum = |limbs: &[u64]| limbs.iter().rev().fold(BigUint::ZERO, |sum, &limb| (sum << 52u32) + limb);
    for vectors in cases(4, (1..=10).chain([15, 16, 17, 40])) {
        let length = LANES * vectors;
        for round in cases(4, 0..200) {
            let mut columns: Vec<u64> = (0..length).map(|_| dice.roll() >> dice.below(64)).collect();
            for _ in 0..=round % 4 {
                let (start, stop) = (dice.below(length), dice.below(length + 1));
                let stop = if round % 3 == 0 { length } else { stop };
                columns.get_mut(start..stop).unwrap_or_default().fill(MASK);
                // From below comes 1, the most there is, or nothing.
                columns[start] = [MASK + 1, u64::MAX, MASK, MASK - 1][dice.below(4)];
            }
            let mut outcomes = Vec::new();
            let mut run = |ops: &dyn Fn(Carry<'_>)| {
                let mut ways = [Vec::new(), Vec::new()];
                ops(Carry { columns: &columns, ways: &mut ways });
                outcomes.extend(ways);
            };
            run(&|carry| PLAIN.run(carry));
            #[cfg(target_arch = "x86_64")]
            if let Some(ops) = crate::kernel::vector::avx512::Avx512::detected() {
                run(&|carry| ops.run(carry));
            }
            for limbs in outcomes {
                assert!(limbs[..length].iter().all(|&limb| limb <= MASK));
                assert_eq!(sum(&limbs), sum(&columns), "{columns:x?}");
            }
        }
    }
}

/// Reduces columns of T in its frame.
struct Reduce<'a> {
    shape: &'a Shape,
    table: ring::FoldTable,
    columns: &'a [u64],
    result: &'a mut Vec<u64>,
}

impl VectorProgram for Reduce<'_> {
    #[inline(always)]
    fn run<O: Vectors>(self, ops: O) {
        let (shape, v) = (self.shape, self.shape.vectors);
        let mut t = self.columns.to_vec();
        self.result.resize(shape.span(), u64::MAX);
        // SAFETY: T has 2V vectors, the result has V, the table belongs to the shape.
        unsafe {
            let (t, out) = (t.as_mut_ptr(), self.result.as_mut_ptr());
            let carry = carry::carry::<O, true>(ops, t, t, v);
            let q = ring::quotient(ops, shape, t, self.table);
            ring::fold::<O, 0>(ops, shape, out, t, q, carry, self.table);
            carry::carry::<O, true>(ops, out, out, v);
        }
    }
}

/// Limbs of T that are 2^52 and more after the one pass, single and in runs: random numbers show them once in 2^40.
#[test]
fn limbs_of_53_bits() {
    let mut dice = Dice::new(24);
    for bits in cases(1, [100, 512, 400, 600, 826, 1024, 1536, 2048, 3072]) {
        let shape = Shape::new(bits);
        let (m, d, r) = (shape.limbs, shape.shift(), one() << (52 * shape.limbs));
        for modulus in moduli(bits, &mut dice) {
            let n = words(&modulus, bits.div_ceil(64));
            let constants = RowConstants::new(PLAIN, &shape, &n, &ShortFactor::of_bits(&n, linear::bits(&n)));
            for round in cases(3, 0..40) {
                let mut columns = vec![0; 2 * shape.span()];
                columns[d..d + 2 * m - 3].fill_with(|| dice.roll() >> 12);
                for _ in 0..round % 6 {
                    let (start, stop) = (dice.below(m), dice.below(m + 1));
                    columns[d..][..m].get_mut(start..stop).unwrap_or_default().fill(MASK);
                    columns[d + start] = [MASK + 1, 2 * m as u64 * MASK, MASK][dice.below(3)];
                }
                if round == 0 {
                    columns[d..][..m].fill((2 * m as u64 * MASK) | MASK);
                }
                let t = columns[d..].iter().rev().fold(BigUint::ZERO, |sum, &limb| (sum << 52u32) + limb);
                let mut outcomes = Vec::new();
                let mut run = |ops: &dyn Fn(Reduce<'_>)| {
                    let mut result = Vec::new();
                    ops(Reduce { shape: &shape, table: constants.table(), columns: &columns, result: &mut result });
                    outcomes.push(result);
                };
                run(&|reduce| PLAIN.run(reduce));
                #[cfg(target_arch = "x86_64")]
                if let Some(ops) = crate::kernel::vector::avx512::Avx512::detected() {
                    run(&|reduce| ops.run(reduce));
                }
                assert!(outcomes.windows(2).all(|pair| pair[0] == pair[1]), "{bits} bits: the instances differ");
                let limbs = &outcomes[0];
                let result = limbs.iter().rev().fold(BigUint::ZERO, |sum, &limb| (sum << 52u32) + limb);
                assert!(limbs.iter().all(|&limb| limb <= MASK) && result < &modulus * (2 * m));
                assert_eq!(result * &r % &modulus, &t % &modulus, "{bits} bits, {columns:x?}");
            }
        }
    }
}

/// Every entry of tables of every length of tiles; the padding of the result is zeros again.
#[test]
fn a_secret_digit_selects_its_entry() {
    let mut dice = Dice::new(23);
    for bits in cases(1, [512, 64, 1024, 2048, 4096, 4300, 8192]) {
        let shape = Shape::new(bits);
        let n = shape.words();
        let modulus = &moduli(bits, &mut dice)[0];
        let operands = operands(modulus, &shape, &mut dice);
        let table: Vec<u64> = operands.iter().flat_map(|operand| residue(operand, &shape)).collect();
        with_every_instance(|make| {
            let ring = make(&words(modulus, bits.div_ceil(64)), true);
            for (digit, operand) in operands.iter().enumerate() {
                let secret = SecretExponent::new(&Natural::from(digit as u64), Some(8)).unwrap();
                let mut arena = [&table[..], &vec![u64::MAX; n]].concat();
                ring.scan(&mut arena, table.len(), 0, operands.len(), secret.digit(0, 4));
                assert_eq!(&arena[table.len()..], residue(operand, &shape), "{bits} bits, entry {digit}");
                assert_eq!(&arena[..table.len()], table);
            }
            let packed = |operand: &BigUint| {
                let mut packed = vec![u64::MAX; ring.packed_words()];
                ring.pack(&mut packed, &residue(operand, &shape), 0);
                packed
            };
            let (one, rest) = (packed(&operands[0]), operands[1..].iter().flat_map(packed).collect::<Vec<_>>());
            for (digit, operand) in operands.iter().enumerate() {
                let secret = SecretExponent::new(&Natural::from(digit as u64), Some(8)).unwrap();
                let mut entry = vec![u64::MAX; one.len()];
                ring.scan_packed(&mut entry, &one, &rest, secret.digit(0, 4));
                assert_eq!(entry, packed(operand), "{bits} bits, packed entry {digit}");
            }
        });
    }
}

/// Products and squares modulo 2^k, as such and as products, onto an operand too.
#[test]
fn low_products_in_plain_rust() {
    let mut dice = Dice::new(26);
    for bits in cases(1, [500, 416, 1, 52, 1000, 1248, 2000, 2080, 2500, 4096]) {
        for square_from in SQUARES {
            let ring = RowRing::of_power_of_two(PLAIN, bits, square_from);
            let (n, power, limbs) = (ring.words(), one() << bits, bits.div_ceil(64));
            let mut scratch = vec![u64::MAX; ring.scratch_words()];
            let mut arena = vec![u64::MAX; 3 * n];
            for _ in cases(2, 0..8) {
                let [a, b] = [0; 2].map(|_| dice.number::<u64>(limbs));
                ring.enter(&mut arena, 0, &a, &mut scratch);
                ring.enter(&mut arena, n, &b, &mut scratch);
                let [a, b] = [a, b].map(|limbs| big(&limbs));
                let left = |arena: &[u64], scratch: &mut [u64]| {
                    let mut out = vec![u64::MAX; limbs];
                    ring.leave(&mut out, arena, 2 * n, scratch);
                    big(&out)
                };
                ring.mul(&mut arena, 2 * n, 0, n, &mut scratch);
                assert_eq!(left(&arena, &mut scratch), &a * &b % &power, "{bits} bits, {a:x} * {b:x}");
                ring.mul_small(&mut arena, 2 * n, n, u64::MAX, &mut scratch);
                assert_eq!(left(&arena, &mut scratch), &b * u64::MAX % &power, "{bits} bits, {b:x}");
                ring.sqr(&mut arena, 2 * n, 0, &mut scratch);
                assert_eq!(left(&arena, &mut scratch), &a * &a % &power, "{bits} bits, {a:x}^2");
                ring.mul(&mut arena, 2 * n, 2 * n, n, &mut scratch);
                assert_eq!(left(&arena, &mut scratch), &a * &a * &b % &power, "{bits} bits, onto an operand");
            }
        }
    }
}
