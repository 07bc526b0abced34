//! Against plain integers, at the carry edges, in every lane, in every floating-point environment that a host may have.

use super::plain::PlainFma;
use super::product::FmaOperands;
use super::ring::FmaRing;
use super::unit::{Doubles, FourLimbs, LANES, LOW, WIDTH};
use super::*;
use crate::kernel::conformance::environments::{ENVIRONMENTS, within};
use crate::kernel::conformance::{Dice, big, cases};
use crate::kernel::lane_ring::LaneRing;
use crate::kernel::vector::{self, Lanes};
use crate::suite::common::skipped;
use core::array::from_fn;
use core::cell::Cell;
use num_bigint::BigUint;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The unit in plain Rust, in the usual environment only, and that of this CPU.
#[derive(Clone, Copy, Debug)]
enum Unit {
    Plain,
    #[cfg(target_arch = "x86_64")]
    Twice(avx2::Avx2<true>),
    #[cfg(target_arch = "x86_64")]
    Once(avx2::Avx2<false>),
}

impl Unit {
    fn ring(self, moduli: &[&[u64]; vector::LANES], n: usize) -> Box<dyn LaneRing> {
        match self {
            Unit::Plain => Box::new(FmaRing::new(PlainFma, moduli, n)),
            #[cfg(target_arch = "x86_64")]
            Unit::Twice(unit) => Box::new(FmaRing::new(unit, moduli, n)),
            #[cfg(target_arch = "x86_64")]
            Unit::Once(unit) => Box::new(FmaRing::new(unit, moduli, n)),
        }
    }
}

/// The units, each with the environments in which it runs.
fn units() -> Vec<(Unit, &'static [u32])> {
    #[cfg(target_arch = "x86_64")]
    let native: Vec<_> =
        avx2::Avx2::detected().map(Unit::Twice).into_iter().chain(avx2::Avx2::detected().map(Unit::Once)).collect();
    #[cfg(not(target_arch = "x86_64"))]
    let native = Vec::new();
    if native.is_empty() {
        skipped("no fused multiply-add on vectors of 256 bits");
    }
    native.into_iter().map(|unit| (unit, ENVIRONMENTS)).chain([(Unit::Plain, &ENVIRONMENTS[..1])]).collect()
}

/// A number of at most `bits` bits that likes the carry edges of 51-bit limbs.
fn number(dice: &mut Dice, bits: usize) -> BigUint {
    let mut value = BigUint::ZERO;
    let kind = dice.below(4);
    for _ in 0..bits.div_ceil(RADIX_BITS) {
        let limb = match (kind, dice.below(6)) {
            (0, _) => LOW,
            (1, _) | (_, 5) => dice.roll() & LOW,
            (_, 0) => 0,
            (_, 1) => 1,
            (_, 2) => LOW - 1,
            (_, 3) => 1 << 50,
            _ => LOW,
        };
        value = value << RADIX_BITS | BigUint::from(limb);
    }
    value % (BigUint::from(1u32) << bits)
}

/// Four moduli for n limbs, at the edges: one of several sets.
fn moduli(dice: &mut Dice, n: usize, set: usize) -> [BigUint; LANES] {
    let (one, most) = (BigUint::from(1u32), modulus_bits(n).unwrap());
    let odd = |value: BigUint| value | &one;
    let mut of = |bits: usize| odd(number(dice, bits) | &one << (bits - 1));
    match set {
        0 => [(&one << most) - &one, odd(&one << (most - 1)), one.clone(), of(most)],
        1 => [of(most), of((most / 2).max(1)), of(most.min(64)), of(1 + n % most)],
        _ => from_fn(|_| of(most)),
    }
}

fn digits(values: &[BigUint; LANES]) -> [Vec<u64>; vector::LANES] {
    from_fn(|lane| values[lane % LANES].to_u64_digits())
}

fn slices(values: &[Vec<u64>; vector::LANES]) -> [&[u64]; vector::LANES] {
    values.each_ref().map(Vec::as_slice)
}

/// The number in a lane of a residue.
fn raw(residue: &[Lanes], lane: usize) -> BigUint {
    let limbs = residue.iter().flat_map(|vector| {
        let of = |half: usize| f64::from_bits(vector.0[half * LANES + lane]);
        [of(0), of(1)]
    });
    limbs.rev().fold(BigUint::ZERO, |value, limb| {
        assert!((0.0..=LOW as f64).contains(&limb) && limb.fract() == 0.0, "{limb} is a limb");
        value << RADIX_BITS | BigUint::from(limb as u64)
    })
}

/// What the lanes of a register stand for.
fn values(
    ring: &dyn LaneRing,
    m: &[BigUint; LANES],
    arena: &mut [Lanes],
    from: usize,
    environment: u32,
) -> [BigUint; LANES] {
    let mut scratch = vec![Lanes([u64::MAX; vector::LANES]); ring.scratch_vectors()];
    let before = arena.to_vec();
    let mut all: [Vec<u64>; LANES] = m.each_ref().map(|m| vec![u64::MAX; m.to_u64_digits().len() + 1]);
    within(environment, || {
        let left = ring.leave(arena, from, &mut scratch);
        all.iter_mut().enumerate().for_each(|(lane, limbs)| ring.lane(left, lane, limbs));
    });
    assert_eq!(arena, before, "what leaves stays");
    all.map(|limbs| big(&limbs))
}

fn ring_is_right(unit: Unit, environment: u32, n: usize, set: usize, dice: &mut Dice) {
    let m = moduli(dice, n, set);
    let dirt = dice.roll() | 0x7ff8 << 48;
    let mut ring = unit.ring(&slices(&digits(&from_fn(|_| BigUint::from(1u32)))), n);
    within(environment, || ring.change(&slices(&digits(&m)), &mut Vec::new()));
    let vectors = ring.vectors();
    let scaled: [BigUint; LANES] = from_fn(|lane| {
        let b = BigUint::from(1u32) << RADIX_BITS;
        (&b - m[lane].modinv(&b).unwrap_or_else(|| BigUint::from(1u32))) % &b * &m[lane]
    });
    let check = |got: [BigUint; LANES], want: &dyn Fn(usize) -> BigUint, what: &str| {
        for lane in 0..LANES {
            assert_eq!(got[lane], want(lane) % &m[lane], "{what}, {unit:?} in {environment:#x}, n = {n}, lane {lane}");
        }
    };
    let below_twice = |residue: &[Lanes]| (0..LANES).all(|lane| raw(residue, lane) < &scaled[lane] * 2u32);
    let mut scratch = vec![Lanes([dirt; vector::LANES]); ring.scratch_vectors()];
    let mut arena = vec![Lanes([dirt; vector::LANES]); 3 * vectors];
    let (first, second, third) = (0, vectors, 2 * vectors);
    ring.one(&mut arena, first);
    check(values(&*ring, &m, &mut arena, first, environment), &|_| BigUint::from(1u32), "one");
    let r_minus_1 = (BigUint::from(1u32) << (RADIX_BITS * n)) - 1u32;
    let a: [BigUint; LANES] = from_fn(|i| if i < 2 { r_minus_1.clone() } else { number(dice, RADIX_BITS * n) });
    let b: [BigUint; LANES] = from_fn(|i| if i < 1 { &m[i] - 1u32 } else { number(dice, RADIX_BITS * n) });
    let (a_digits, b_digits) = (digits(&a), digits(&b));
    within(environment, || {
        ring.enter(&mut arena, first, &slices(&a_digits), &mut scratch);
        ring.enter(&mut arena, second, &slices(&b_digits), &mut scratch);
    });
    assert!(below_twice(&arena[..second]) && below_twice(&arena[second..third]));
    check(values(&*ring, &m, &mut arena, first, environment), &|i| a[i].clone(), "enter and leave");
    scratch.fill(Lanes([dirt; vector::LANES]));
    within(environment, || ring.mul(&mut arena, third, first, second, &mut scratch));
    assert!(below_twice(&arena[third..]));
    check(values(&*ring, &m, &mut arena, third, environment), &|i| &a[i] * &b[i], "mul");
    let (product, entered) = (arena[third..].to_vec(), arena[..third].to_vec());
    within(environment, || ring.mul(&mut arena, second, first, second, &mut scratch));
    assert_eq!(arena[second..third], product, "mul onto b");
    arena[..third].copy_from_slice(&entered);
    within(environment, || ring.mul(&mut arena, first, first, second, &mut scratch));
    assert_eq!(arena[..second], product, "mul onto a");
    arena[..third].copy_from_slice(&entered);
    within(environment, || ring.sqr_n(&mut arena, third, first, 3, &mut scratch));
    assert!(below_twice(&arena[third..]));
    check(values(&*ring, &m, &mut arena, third, environment), &|i| a[i].pow(8), "sqr_n");
    within(environment, || ring.sqr_n(&mut arena, first, first, 3, &mut scratch));
    assert_eq!(arena[..second], arena[third..], "sqr_n onto itself");
    within(environment, || ring.mul(&mut arena, second, first, first, &mut scratch));
    check(values(&*ring, &m, &mut arena, second, environment), &|i| a[i].pow(16), "mul as sqr");
    within(environment, || ring.sqr_n(&mut arena, second, second, 20, &mut scratch));
    assert!(below_twice(&arena[second..third]), "long chains keep their bound");
    let before = arena.clone();
    let from: [usize; vector::LANES] = from_fn(|lane| lane * 5 % 3 * vectors);
    within(environment, || ring.select(&mut arena, second, from));
    for lane in 0..LANES {
        assert_eq!(raw(&arena[second..third], lane), raw(&before[from[lane]..][..vectors], lane), "select");
    }
    // The extremes: 2M - 1 in every lane.
    let put = |arena: &mut [Lanes], number: &dyn Fn(usize) -> BigUint| {
        for lane in 0..LANES {
            let value = number(lane);
            for limb in 0..n {
                let limb_value = u64::try_from((&value >> (RADIX_BITS * limb)) & BigUint::from(LOW)).unwrap();
                arena[limb / 2].0[limb % 2 * LANES + lane] = (limb_value as f64).to_bits();
            }
        }
    };
    put(&mut arena[..second], &|lane| &scaled[lane] * 2u32 - 1u32);
    let r = BigUint::from(1u32) << (RADIX_BITS * n);
    within(environment, || {
        ring.sqr_n(&mut arena, second, first, 1, &mut scratch);
        ring.mul(&mut arena, third, first, first, &mut scratch);
    });
    for lane in 0..LANES {
        let want = (&scaled[lane] * 2u32 - 1u32).pow(2) % &m[lane];
        for out in [&arena[second..third], &arena[third..]] {
            let got = raw(out, lane);
            assert!(got < &scaled[lane] * 2u32, "2M - 1 squared is below 2M, n = {n}");
            assert_eq!(got * &r % &m[lane], want, "2M - 1 squared, n = {n}, lane {lane}");
        }
    }
}

#[test]
fn fma_lanes_are_right() {
    for (unit, environments) in units() {
        let mut dice = Dice::new(61);
        for n in cases(1, [4, 2].into_iter().chain((6..=60).step_by(2)).chain([82, 100, 166])) {
            for &environment in environments {
                let sets = cases(1, 0..if n <= 30 { 3 } else { 2 });
                sets.for_each(|set| ring_is_right(unit, environment, n, set, &mut dice));
            }
        }
    }
}

/// The longest form at its largest columns, in one rounding mode: shorter ones run in all, and the lemmas of formal vectors count the columns of every length.
#[test]
#[cfg_attr(miri, ignore)]
fn the_longest_columns_fit() {
    for (unit, environments) in units() {
        let mut dice = Dice::new(62);
        ring_is_right(unit, environments[0], MAX_LIMBS, 0, &mut dice);
    }
}

/// In every rounding mode a product leaves the same limbs.
#[test]
#[cfg_attr(miri, ignore)]
fn environments_and_units_agree() {
    let mut dice = Dice::new(63);
    for n in (2..=42).step_by(2).chain([82]) {
        let m = digits(&moduli(&mut dice, n, 2));
        let numbers: [Vec<u64>; 2] = from_fn(|_| number(&mut dice, RADIX_BITS * n).to_u64_digits());
        let mut results: Vec<[BigUint; 2]> = Vec::new();
        for (unit, environments) in units() {
            for &environment in environments {
                let ring = unit.ring(&slices(&m), n);
                let (mut arena, mut scratch) =
                    (vec![Lanes::default(); 3 * ring.vectors()], vec![Lanes::default(); ring.scratch_vectors()]);
                let [a, b] = [0, 1].map(|at| at * ring.vectors());
                let out = 2 * ring.vectors();
                ring.enter(&mut arena, a, &from_fn(|_| &numbers[0][..]), &mut scratch);
                ring.enter(&mut arena, b, &from_fn(|_| &numbers[1][..]), &mut scratch);
                within(environment, || {
                    ring.sqr_n(&mut arena, a, a, 5, &mut scratch);
                    ring.mul(&mut arena, out, a, b, &mut scratch);
                });
                results.push([raw(&arena[a..b], 3), raw(&arena[out..], 3)]);
            }
        }
        assert!(results.iter().all(|result| *result == results[0]), "n = {n}");
    }
}

/// Entries of tables as kernels of full words have them: any number below 2^64w, and m of all ones. One is squared once it is settled;
/// others multiply in long rows, with squarings between, and residues keep to their limbs.
#[test]
#[cfg_attr(miri, ignore)]
fn entries_of_tables_are_factors() {
    let mut dice = Dice::new(64);
    for (unit, environments) in units() {
        for words in [1, 2, 4, 8, 16, 31, 32, 64] {
            let layout = Layout { odd: true, montgomery: true, limb_bits: 64, limbs: words };
            let n = limbs_for_table(&layout).unwrap();
            let scale = BigUint::from(1u32) << (64 * words);
            let m: [BigUint; LANES] = [0, 1, 2, 3].map(|lane| match lane {
                0 => &scale - 1u32,
                1 => &scale / 2u32 + 1u32,
                _ => number(&mut dice, 64 * words) | BigUint::from(1u32) | (&scale / 2u32),
            });
            let ring = unit.ring(&slices(&digits(&m)), n);
            let vectors = ring.vectors();
            let (mut arena, mut scratch) =
                (vec![Lanes::default(); 3 * vectors], vec![Lanes::default(); ring.scratch_vectors()]);
            let entries: [BigUint; 8] = from_fn(|i| if i < 4 { &scale - 1u32 } else { number(&mut dice, 64 * words) });
            let packed = entries.each_ref().map(|entry| {
                let mut limbs = entry.to_u64_digits();
                limbs.resize(words, 0);
                limbs
            });
            let plain = |entry: usize, lane: usize| &entries[entry] * scale.modinv(&m[lane]).unwrap() % &m[lane];
            for &environment in environments {
                let mut want: [BigUint; LANES] = from_fn(|lane| plain(lane, lane));
                within(environment, || {
                    ring.gather(&mut arena, 0, from_fn(|lane| &packed[lane][..]));
                    ring.settle(&mut arena, 0, &mut scratch);
                });
                for round in 0..3 {
                    within(environment, || ring.sqr_n(&mut arena, 0, 0, 2, &mut scratch));
                    want = from_fn(|lane| want[lane].modpow(&BigUint::from(4u32), &m[lane]));
                    for step in 0..9 {
                        let of = |lane: usize| (lane * 3 + step + round) % 8;
                        within(environment, || {
                            ring.gather(&mut arena, vectors, from_fn(|lane| &packed[of(lane)][..]));
                            ring.mul(&mut arena, 0, 0, vectors, &mut scratch);
                        });
                        want = from_fn(|lane| &want[lane] * plain(of(lane), lane) % &m[lane]);
                    }
                }
                assert_eq!(
                    values(&*ring, &m, &mut arena, 0, environment),
                    want,
                    "{unit:?} in {environment:#x}, {words} words"
                );
                ring.gather(&mut arena, 0, [&ring.packed_one(&layout); vector::LANES]);
                assert_eq!(values(&*ring, &m, &mut arena, 0, environment)[0], BigUint::from(1u32));
            }
        }
    }
}

/// Tables of whole words have the shortest form whose R exceeds M by enough bits, if any; other tables have none.
#[test]
fn tables_of_whole_words_have_a_form() {
    let layout = |odd, limb_bits, limbs| Layout { odd, montgomery: odd, limb_bits, limbs };
    for words in 1..=1100 {
        let fits = |n: usize| RADIX_BITS * n >= 64 * words + RADIX_BITS + TABLE_BITS;
        match limbs_for_table(&layout(true, 64, words)) {
            Some(n) => assert!(n.is_multiple_of(2) && n <= MAX_LIMBS && fits(n) && !fits(n - 2), "{words} words"),
            None => assert!(!fits(MAX_LIMBS), "{words} words"),
        }
        assert_eq!(
            [layout(false, 64, words), layout(true, 52, words)].map(|layout| limbs_for_table(&layout)),
            [None; 2]
        );
    }
}

/// As many gathered factors as the bound of residues allows: a residue is below 2M, each of them adds M, and c M may be squared as
/// long as c is below 2^17 - 1.
#[test]
fn gathered_factors_keep_to_the_bound() {
    let one: &[u64] = &[1];
    let ring = FmaRing::new(PlainFma, &[one; vector::LANES], 4);
    assert_eq!(2 + ring.most_gathered() + 1, (1 << 17) - 1);
}

/// The vector code checks lengths before it takes addresses: a number that is longer than the others stops it.
#[test]
fn numbers_of_different_lengths_stop_a_product() {
    for longer in 0..5 {
        let length = |which: usize| if which == longer { 6 } else { 4 };
        let mut numbers: [Vec<FourLimbs>; 5] = from_fn(|which| vec![FourLimbs::default(); length(which)]);
        let [out, a, b, q, m] = numbers.each_mut();
        let [out, a, b, q] = [out, a, b, q].map(|number| Cell::from_mut(&mut number[..]).as_slice_of_cells());
        let starts = [false, true].map(|square| product::starts(4, square));
        let starts = starts.each_ref().map(|starts| &**starts);
        let stopped = catch_unwind(AssertUnwindSafe(|| PlainFma.run(&FmaOperands { out, a, b, m, q, starts }, None)));
        let why = stopped.unwrap_err();
        assert_eq!(why.downcast_ref(), Some(&"numbers of one even length"), "number {longer}");
    }
}

/// The text's layout, which the assembly relies on.
#[test]
fn limbs_are_vectors() {
    assert_eq!((size_of::<FourLimbs>(), align_of::<FourLimbs>(), WIDTH), (32, 32, 8));
    assert_eq!([1, 4, 8, 16, 32, 64, 768].map(limbs), [4, 8, 12, 22, 42, 82, 966]);
    assert!((1..=768).all(|words| modulus_bits(limbs(words)).unwrap() >= 64 * words && limbs(words) <= MAX_LIMBS));
}
