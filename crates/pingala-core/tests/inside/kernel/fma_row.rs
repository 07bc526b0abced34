//! Against plain integers, at the carry edges, for every width of blocks, in every floating-point environment that a host may have.

use super::plain::PlainRow;
use super::ring::FmaRow;
use super::shape::RowShape;
use super::unit::{LANES, RADIX_BITS};
use crate::kernel::conformance::environments::{ENVIRONMENTS, within};
use crate::kernel::conformance::{Dice, big, cases};
use crate::kernel::{ModulusParts, Ring};
use crate::suite::common::skipped;
use num_bigint::{BigInt, BigUint, Sign};

/// A unit, its ring, and the environments in which it runs.
type OnUnit = (&'static str, Box<dyn Ring<u64>>, &'static [u32]);

/// The rings on all units: in plain Rust in the usual environment only.
fn rings(m: &BigUint) -> Vec<OnUnit> {
    let odd = m.to_u64_digits();
    let parts = ModulusParts::secret(&odd, m.bits() as usize);
    let mut rings: Vec<OnUnit> = vec![("plain", Box::new(FmaRow::new(PlainRow, &parts)), &ENVIRONMENTS[..1])];
    #[cfg(target_arch = "x86_64")]
    if let (Some(once), Some(twice)) =
        (super::avx2::DoubleRowUnit::<false>::detected(), super::avx2::DoubleRowUnit::<true>::detected())
    {
        rings.push(("once", Box::new(FmaRow::new(once, &parts)), ENVIRONMENTS));
        rings.push(("twice", Box::new(FmaRow::new(twice, &parts)), &ENVIRONMENTS[..1]));
    }
    if rings.len() == 1 {
        skipped("no fused multiply-add on vectors of 256 bits");
    }
    rings
}

/// A number of `bits` bits at most that likes the edges of signed digits of 52 bits.
fn number(dice: &mut Dice, bits: usize) -> BigUint {
    let (mut value, kind) = (BigUint::ZERO, dice.below(5));
    for _ in 0..bits.div_ceil(RADIX_BITS) {
        let limb = match (kind, dice.below(8)) {
            (0, _) => (1 << RADIX_BITS) - 1,
            (1, _) | (_, 7) => dice.roll() >> 12,
            (2, _) | (_, 6) => 1 << (RADIX_BITS - 1),
            (3, _) | (_, 5) => (1 << (RADIX_BITS - 1)) - 1,
            (_, 0) => 1,
            (_, 1) => (1 << RADIX_BITS) - 1,
            (_, 2) => (1 << (RADIX_BITS - 1)) + 1,
            _ => 0,
        };
        value = value << RADIX_BITS | BigUint::from(limb);
    }
    value % (BigUint::from(1u32) << bits)
}

fn modulus(dice: &mut Dice, bits: usize, set: usize) -> BigUint {
    let one = BigUint::from(1u32);
    let top = &one << (bits - 1);
    match set {
        0 => (top << 1) - 1u32,
        1 => top + 1u32,
        2 => top + (&one << (bits / 2)) - 1u32,
        _ => number(dice, bits - 1) | top | one,
    }
}

/// The canonical residue.
fn modulo(value: &BigInt, m: &BigInt) -> BigInt {
    (value % m + m) % m
}

/// Writes a residue, of signed digits; where a digit near the edge has two ways to be written, by a throw of the dice.
fn put(dice: &mut Dice, residue: &mut [u64], n: usize, value: &BigInt) {
    let (half, mut rest) = (1i64 << (RADIX_BITS - 1), value.clone());
    residue.fill(0);
    for at in 0..n {
        let mut digit = i64::try_from(modulo(&rest, &BigInt::from(1u64 << RADIX_BITS))).unwrap();
        let slack = if dice.below(2) == 0 { 0 } else { 1 << 9 };
        if digit > half + slack || (digit >= half && slack == 0) {
            digit -= 1 << RADIX_BITS;
        }
        if at == n - 1 {
            digit = i64::try_from(&rest).unwrap();
        }
        residue[LANES + at] = (digit as f64).to_bits();
        rest = (rest - digit) >> RADIX_BITS;
    }
}

/// The number of a residue.
fn get(residue: &[u64], n: usize) -> BigInt {
    residue[LANES..][..n].iter().rev().fold(BigInt::ZERO, |value, &digit| {
        let digit = f64::from_bits(digit);
        assert!(digit.fract() == 0.0 && digit.abs() <= (1u64 << 51) as f64 + 1024.0, "{digit} is a digit");
        (value << RADIX_BITS) + BigInt::from(digit as i64)
    })
}

fn ring_is_right(bits: usize, set: usize, dice: &mut Dice) {
    let m = modulus(dice, bits, set);
    let shape = RowShape::new(bits);
    let (n, words, signed) = (shape.digits, shape.words(), BigInt::from(m.clone()));
    let bound = &signed << (shape.multiple_bits + 1);
    let operands: Vec<BigInt> = (0..2)
        .map(|_| match dice.below(5) {
            0 => &bound - 1,
            1 => 1 - &bound,
            2 => &signed - 1,
            3 => BigInt::from(number(dice, bits)) % &bound,
            _ => BigInt::from_biguint(
                if dice.below(2) == 0 { Sign::Plus } else { Sign::Minus },
                number(dice, bits + shape.multiple_bits),
            ),
        })
        .collect();
    for (unit, ring, environments) in rings(&m) {
        assert_eq!((ring.words(), ring.packed_words()), (words, n));
        for &environment in environments {
            let (mut arena, mut scratch) = (vec![0; 3 * words], vec![dice.roll() | 0x7ff8 << 48; ring.scratch_words()]);
            let [first, second, third] = [0, words, 2 * words];
            let check = |arena: &[u64], at: usize, want: BigInt, what: &str| {
                let got = get(&arena[at..], n);
                assert!(
                    got.magnitude() < bound.magnitude(),
                    "{what} is in range: {unit}, {bits} bits, {environment:#x}"
                );
                assert_eq!(modulo(&(got - &want), &signed), BigInt::ZERO, "{what}, {unit}, {bits} bits, {m:#x}");
                let pads = [&arena[at..at + LANES], &arena[at + LANES + n..at + words]].concat();
                assert!(pads.iter().all(|&word| word == 0), "zeros around {what}");
            };
            let [a, b] = [&operands[0], &operands[1]];
            put(dice, &mut arena[first..second], n, a);
            put(dice, &mut arena[second..third], n, b);
            let before = arena.clone();
            within(environment, || ring.mul(&mut arena, third, first, second, &mut scratch));
            check(&arena, third, a * b, "mul");
            within(environment, || ring.mul(&mut arena, first, first, second, &mut scratch));
            check(&arena, first, a * b, "mul onto a");
            arena[..third].copy_from_slice(&before[..third]);
            within(environment, || ring.mul(&mut arena, second, first, second, &mut scratch));
            check(&arena, second, a * b, "mul onto b");
            arena[..third].copy_from_slice(&before[..third]);
            within(environment, || ring.mul(&mut arena, third, first, first, &mut scratch));
            check(&arena, third, a * a, "mul as sqr");
            within(environment, || ring.sqr(&mut arena, third, first, &mut scratch));
            check(&arena, third, a * a, "sqr");
            within(environment, || ring.sqr_n(&mut arena, first, first, 3, &mut scratch));
            check(&arena, first, a.pow(8), "sqr_n");
            within(environment, || ring.mul(&mut arena, third, first, second, &mut scratch));
            check(&arena, third, a.pow(8) * b, "a product of what was not reduced");
            for small in [0, 1, 2, 3, u64::from(u32::MAX), (1 << 48) - 1, 1 << 48, u64::MAX] {
                within(environment, || ring.mul_small(&mut arena, third, second, small, &mut scratch));
                check(&arena, third, b * small, "mul_small");
                within(environment, || ring.mul_small(&mut arena, third, third, small, &mut scratch));
                check(&arena, third, b * small * small, "mul_small in place");
            }
            let mut packed = vec![u64::MAX; n];
            within(environment, || ring.pack(&mut packed, &arena, second));
            assert!(packed.iter().all(|limb| limb >> RADIX_BITS == 0), "limbs of 52 bits");
            within(environment, || ring.unpack(&mut arena, third, &packed));
            check(&arena, third, b.clone(), "pack and unpack");
            let mut left = vec![u64::MAX; words];
            within(environment, || ring.leave(&mut left, &arena, second, &mut scratch));
            assert_eq!(BigInt::from(big(&left)), modulo(b, &signed), "leave, {unit}, {bits} bits");
            let long = number(dice, 3 * bits);
            within(environment, || ring.enter(&mut arena, third, &long.to_u64_digits(), &mut scratch));
            check(&arena, third, BigInt::from(long), "enter");
            assert_eq!(get(&arena[third..], n), modulo(&get(&arena[third..], n), &signed), "what enters is below m");
            ring.one(&mut arena, third, &mut scratch);
            check(&arena, third, BigInt::from(1u32), "one");
        }
    }
}

#[test]
fn rows_of_doubles_are_right() {
    let mut dice = Dice::new(71);
    // 1 to 6 blocks of each width, and the shortest and the longest modulus of a shape.
    let lengths =
        [1, 63, 142, 600, 614, 615, 822, 1024, 1030, 1031, 1238, 1654, 2048, 2070, 2487, 3072, 3110, 3734, 4096, 4150];
    for bits in cases(2, lengths) {
        cases(1, 0..6).for_each(|set| ring_is_right(bits, set, &mut dice));
    }
    let mut shapes: Vec<_> = (512..4150).map(RowShape::new).map(|shape| (shape.vectors, shape.blocks)).collect();
    shapes.sort_unstable();
    shapes.dedup();
    assert!(
        [3, 4, 5].iter().all(|v| [1, 2].iter().all(|q| shapes.contains(&(*v, *q)) || (*v, *q) == (3, 1))),
        "{shapes:?}"
    );
}

/// The longest form at its largest columns.
#[test]
#[cfg_attr(miri, ignore)]
fn the_longest_columns_of_a_row_fit() {
    let mut dice = Dice::new(72);
    for bits in [6144, 8192, 9350, 9351, 12288, 64 * super::MAX_LIMBS] {
        (0..2).for_each(|set| ring_is_right(bits, set, &mut dice));
    }
}
