//! Against plain integers, at the carry edges, in every lane, on every unit that this CPU has.

use super::*;
use crate::kernel::conformance::{Dice, big, cases};
use crate::kernel::vector::plain::Plain;
use crate::kernel::vector::words;
use crate::suite::common::skipped;
use num_bigint::BigUint;

/// A number of at most `bits` bits that likes the carry edges of 52-bit limbs.
fn number(dice: &mut Dice, bits: usize) -> BigUint {
    let mut value = BigUint::ZERO;
    let kind = dice.below(4);
    for _ in 0..bits.div_ceil(52) {
        let limb = match (kind, dice.below(6)) {
            (0, _) => MASK,
            (1, _) | (_, 5) => dice.roll() & MASK,
            (_, 0) => 0,
            (_, 1) => 1,
            (_, 2) => MASK - 1,
            (_, 3) => 1 << 51,
            _ => MASK,
        };
        value = value << 52 | BigUint::from(limb);
    }
    value % (BigUint::from(1u32) << bits)
}

/// Eight moduli for n limbs: the largest that fits, only the top bit, 1, short ones, and some at the edges.
fn moduli(dice: &mut Dice, n: usize) -> [BigUint; LANES] {
    let (one, most) = (BigUint::from(1u32), 52 * n - 2);
    let odd = |value: BigUint| value | &one;
    let mut of = |bits: usize| odd(number(dice, bits) | &one << (bits - 1));
    [
        (&one << most) - &one,
        odd(&one << (most - 1)),
        one.clone(),
        of(most),
        of(most),
        of((most / 2).max(1)),
        of(most.min(64)),
        of(1 + n % most),
    ]
}

fn digits(values: &[BigUint; LANES]) -> [Vec<u64>; LANES] {
    values.each_ref().map(BigUint::to_u64_digits)
}

fn slices(values: &[Vec<u64>; LANES]) -> [&[u64]; LANES] {
    values.each_ref().map(Vec::as_slice)
}

/// What the eight lanes of a register stand for.
fn values(ring: &dyn LaneRing, arena: &mut [Lanes], from: usize, dirt: u64) -> [BigUint; LANES] {
    let mut scratch = vec![Lanes([dirt; LANES]); ring.scratch_vectors()];
    let residues = ring.leave(arena, from, &mut scratch);
    core::array::from_fn(|index| {
        let mut limbs = vec![dirt; (52 * ring.vectors()).div_ceil(64)];
        ring.lane(residues, index, &mut limbs);
        big(&limbs)
    })
}

/// The number in a lane of an almost reduced residue.
fn raw(limbs: &[Lanes], lane: usize) -> BigUint {
    limbs.iter().rev().fold(BigUint::ZERO, |value, limb| value << 52 | BigUint::from(limb.0[lane] & MASK))
}

fn ring_is_right(unit: impl VectorUnit, n: usize, dice: &mut Dice) {
    let m = moduli(dice, n);
    let ring = LanesRing::new(unit, &slices(&digits(&m)), n);
    let check = |got: [BigUint; LANES], want: &dyn Fn(usize) -> BigUint, what: &str| {
        for index in 0..LANES {
            assert_eq!(got[index], want(index) % &m[index], "{what}, {unit:?}, n = {n}, lane {index}");
        }
    };
    let below_twice = |limbs: &[Lanes]| (0..LANES).all(|lane| raw(limbs, lane) < &m[lane] * 2u32);
    for dirt in cases(1, [0xaaaa_aaaa_aaaa_aaaa, u64::MAX]) {
        let mut scratch = vec![Lanes([dirt; LANES]); ring.scratch_vectors()];
        let mut arena = vec![Lanes([dirt; LANES]); 3 * n];
        let r_minus_1 = (BigUint::from(1u32) << (52 * n)) - 1u32;
        ring.one(&mut arena, 0);
        check(values(&ring, &mut arena, 0, dirt), &|_| BigUint::from(1u32), "one");
        let a: [BigUint; LANES] =
            core::array::from_fn(|i| if i < 3 { r_minus_1.clone() } else { number(dice, 52 * n) });
        let b: [BigUint; LANES] = core::array::from_fn(|i| if i < 2 { &m[i] - 1u32 } else { number(dice, 52 * n) });
        let (a_digits, b_digits) = (digits(&a), digits(&b));
        let refill = |arena: &mut [Lanes], scratch: &mut [Lanes]| {
            scratch.fill(Lanes([dirt; LANES]));
            ring.enter(arena, 0, &slices(&a_digits), scratch);
            ring.enter(arena, n, &slices(&b_digits), scratch);
            scratch.fill(Lanes([dirt; LANES]));
        };
        refill(&mut arena, &mut scratch);
        assert!(below_twice(&arena[..n]) && below_twice(&arena[n..2 * n]));
        check(values(&ring, &mut arena, 0, dirt), &|i| a[i].clone(), "enter and leave");
        ring.mul(&mut arena, 2 * n, 0, n, &mut scratch);
        assert!(below_twice(&arena[2 * n..]));
        check(values(&ring, &mut arena, 2 * n, dirt), &|i| &a[i] * &b[i], "mul");
        let product = arena[2 * n..].to_vec();
        ring.mul(&mut arena, n, 0, n, &mut scratch);
        assert_eq!(arena[n..2 * n], product, "mul onto b");
        refill(&mut arena, &mut scratch);
        ring.mul(&mut arena, 0, 0, n, &mut scratch);
        assert_eq!(arena[..n], product, "mul onto a");
        refill(&mut arena, &mut scratch);
        ring.sqr_n(&mut arena, 2 * n, 0, 1, &mut scratch);
        assert!(below_twice(&arena[2 * n..]));
        check(values(&ring, &mut arena, 2 * n, dirt), &|i| &a[i] * &a[i], "sqr");
        ring.sqr_n(&mut arena, 2 * n, 2 * n, 2, &mut scratch);
        check(values(&ring, &mut arena, 2 * n, dirt), &|i| a[i].pow(8), "sqr_n");
        ring.sqr_n(&mut arena, 0, 0, 3, &mut scratch);
        assert_eq!(arena[..n], arena[2 * n..], "sqr onto itself");
        // Long chains keep their bound, and squares agree with products.
        ring.mul(&mut arena, 2 * n, 0, 0, &mut scratch);
        ring.sqr_n(&mut arena, n, 0, 1, &mut scratch);
        check(values(&ring, &mut arena, n, dirt), &|i| a[i].pow(16), "sqr as mul");
        check(values(&ring, &mut arena, 2 * n, dirt), &|i| a[i].pow(16), "mul as sqr");
        ring.sqr_n(&mut arena, n, n, 20, &mut scratch);
        assert!(below_twice(&arena[n..2 * n]));
        let before = arena.clone();
        let from: [usize; LANES] = core::array::from_fn(|lane| lane * 5 % 3 * n);
        ring.select(&mut arena, n, from);
        for limb in 0..n {
            let want = core::array::from_fn(|lane| before[from[lane] + limb].0[lane]);
            assert_eq!(arena[n + limb], Lanes(want), "select onto a register of the table");
        }
        // The extremes: 2m - 1 in every lane, stored with dirt above the 52 bits.
        for (lane, m) in m.iter().enumerate() {
            let value: BigUint = m * 2u32 - 1u32;
            setup::spread(&mut arena[..n], lane, &value.to_u64_digits(), 0);
        }
        arena[..n].iter_mut().for_each(|limb| limb.0.iter_mut().for_each(|word| *word |= dirt << 52));
        let r = BigUint::from(1u32) << (52 * n);
        ring.sqr_n(&mut arena, n, 0, 1, &mut scratch);
        ring.mul(&mut arena, 2 * n, 0, 0, &mut scratch);
        for (lane, m) in m.iter().enumerate() {
            let want = (m * 2u32 - 1u32).pow(2) % m;
            for out in [&arena[n..2 * n], &arena[2 * n..]] {
                let got = raw(out, lane);
                assert!(got < m * 2u32, "2m - 1 squared is below 2m, n = {n}");
                assert_eq!(got * &r % m, want, "2m - 1 squared, n = {n}, lane {lane}");
            }
        }
    }
}

#[test]
fn lanes_in_plain_rust() {
    let mut dice = Dice::new(52);
    for n in cases(2, (1..=44).chain([50, 59, 60, 61, 79, 80, 95, 158])) {
        ring_is_right(Plain, n, &mut dice);
    }
}

/// Runs a block for each unit of this CPU, of 512 and of 256 bits.
macro_rules! on_this_cpu {
    ($unit:ident => $run:block) => {
        #[cfg(target_arch = "x86_64")]
        {
            match Avx512::detected() {
                Some($unit) => $run,
                None => skipped("no 52-bit multiply-accumulate on vectors of 512 bits"),
            }
            match (Half::of_avx_ifma(), Half::of_avx512()) {
                (Some($unit), _) => $run,
                (None, Some($unit)) => $run,
                (None, None) => skipped("no 52-bit multiply-accumulate on vectors of 256 bits"),
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        skipped("no 52-bit multiply-accumulate on vectors");
    };
}

#[test]
fn lanes_on_this_cpu() {
    on_this_cpu!(unit => {
        let mut dice = Dice::new(53);
        for n in (1..=100).chain([119, 120, 157, 158, 159, 160, 197, 316, 320]) {
            ring_is_right(unit, n, &mut dice);
        }
    });
}

/// Packed residues as the row kernel has them, up to 2n m - 1, each lane one of its own: products of two, and of products.
fn packed_residues(unit: impl VectorUnit) {
    let mut dice = Dice::new(57);
    for n in [4_usize, 6, 20, 40, 80] {
        // The least that is spared: R > 4n m.
        let bits = 52 * n - (4 * n).ilog2() as usize - 1;
        let m = number(&mut dice, bits) | BigUint::from(1u32) | BigUint::from(1u32) << (bits - 1);
        let moduli = core::array::from_fn(|_| m.clone());
        let ring = LanesRing::new(unit, &slices(&digits(&moduli)), n);
        let r = BigUint::from(1u32) << (52 * n);
        assert!(&m * (4 * n) < r);
        let most = &m * (2 * n) - 1u32;
        let raws: [BigUint; LANES] =
            core::array::from_fn(|lane| if lane < 2 { most.clone() } else { number(&mut dice, 52 * n) % &most });
        let packed = raws.each_ref().map(|value| {
            let limb = |index: usize| (value >> (52 * index) & BigUint::from(MASK)).try_into().unwrap_or(u64::MAX);
            (0..n).map(limb).collect::<Vec<u64>>()
        });
        let dirt = u64::MAX;
        let mut arena = vec![Lanes([dirt; LANES]); 3 * n];
        let mut scratch = vec![Lanes([dirt; LANES]); ring.scratch_vectors()];
        // Lane by lane another one, some of them twice.
        let of = |lane: usize| lane * 3 % 7;
        ring.gather(&mut arena, 0, core::array::from_fn(|lane| &packed[of(lane)][..]));
        ring.gather(&mut arena, n, core::array::from_fn(|lane| &packed[lane][..]));
        assert!((0..LANES).all(|lane| raw(&arena[..n], lane) == raws[of(lane)]));
        ring.mul(&mut arena, 2 * n, 0, n, &mut scratch);
        ring.sqr_n(&mut arena, 0, 0, 1, &mut scratch);
        ring.mul(&mut arena, 0, 0, 2 * n, &mut scratch);
        ring.mul(&mut arena, 0, 0, n, &mut scratch);
        for lane in 0..LANES {
            let (a, b) = (&raws[of(lane)], &raws[lane]);
            let product = raw(&arena[2 * n..], lane);
            assert!(product < &m * (n + 1) && raw(&arena[..n], lane) < &m * (n + 1));
            assert_eq!(product * &r % &m, a * b % &m, "{unit:?}, n = {n}, lane {lane}");
        }
        let unscale = |value: BigUint| value * r.modinv(&m).unwrap() % &m;
        let plain = raws.each_ref().map(|value| unscale(value.clone()));
        let got = values(&ring, &mut arena, 0, dirt);
        for lane in 0..LANES {
            let (a, b) = (&plain[of(lane)], &plain[lane]);
            assert_eq!(got[lane], a.pow(3) * b.pow(2) % &m, "{unit:?}, n = {n}, lane {lane}");
        }
        let layout = Layout { odd: true, montgomery: true, limb_bits: 52, limbs: n };
        ring.gather(&mut arena, 0, [&ring.packed_one(&layout); LANES]);
        assert!(values(&ring, &mut arena, 0, dirt).iter().all(|one| *one == BigUint::from(1u32)));
    }
}

#[test]
fn packed_residues_are_gathered() {
    packed_residues(Plain);
    on_this_cpu!(unit => { packed_residues(unit) });
}

/// The longest form at its largest columns: debug builds stop in the plain unit if a sum overflows.
#[test]
fn the_longest_columns_fit() {
    let mut dice = Dice::new(54);
    ring_is_right(Plain, MAX_LIMBS, &mut dice);
}

/// Forms have room for every modulus, and not a limb too many; they take tables of Montgomery's form in their radix.
#[test]
fn lengths_of_lanes() {
    for family in [FAMILY_512, FAMILY_256] {
        for limbs64 in 1..=768 {
            let [shorter, bits] = [1, 0].map(|less| (family.modulus_bits)(limbs(limbs64) - less));
            assert!(bits.unwrap() >= 64 * limbs64 && shorter.is_none_or(|bits| bits < 64 * limbs64), "{limbs64} limbs");
        }
        assert_eq!([0, MAX_LIMBS, MAX_LIMBS + 1].map(family.modulus_bits), [None, Some(52 * MAX_LIMBS - 2), None]);
        let layout = |odd, limb_bits| Layout { odd, montgomery: odd, limb_bits, limbs: 20 };
        let tables = [layout(true, 52), layout(true, 64), layout(false, 52)];
        assert_eq!(tables.map(|layout| (family.limbs_for_table)(&layout)), [Some(20), None, None]);
    }
}

/// All units leave the same bits behind, what lies above 52 bits included.
#[test]
fn units_agree() {
    on_this_cpu!(unit => {
        let mut dice = Dice::new(55);
        for n in (1..=42).chain([79]) {
            let m = moduli(&mut dice, n);
            let (m, a) = (digits(&m), digits(&core::array::from_fn(|_| number(&mut dice, 52 * n))));
            let (native, plain) = (LanesRing::new(unit, &slices(&m), n), LanesRing::new(Plain, &slices(&m), n));
            assert_eq!((&native.constants, native.m_prime), (&plain.constants, plain.m_prime));
            let mut arenas = [vec![Lanes::default(); 3 * n], vec![Lanes::default(); 3 * n]];
            let mut scratch = vec![Lanes::default(); native.scratch_vectors()];
            native.enter(&mut arenas[0], 0, &slices(&a), &mut scratch);
            plain.enter(&mut arenas[1], 0, &slices(&a), &mut scratch);
            native.sqr_n(&mut arenas[0], n, 0, 5, &mut scratch);
            plain.sqr_n(&mut arenas[1], n, 0, 5, &mut scratch);
            native.mul(&mut arenas[0], 2 * n, 0, n, &mut scratch);
            plain.mul(&mut arenas[1], 2 * n, 0, n, &mut scratch);
            assert_eq!(arenas[0], arenas[1], "n = {n}");
        }
    });
}

#[test]
fn numbers_go_in_and_out() {
    let mut dice = Dice::new(56);
    for n in 1..=40 {
        for shift in [0, 1, 51, 52, 53, 104, 200].into_iter().filter(|&shift| shift < 52 * n) {
            let value = number(&mut dice, 52 * n - shift);
            let mut vectors = vec![Lanes([u64::MAX; LANES]); n];
            setup::spread(&mut vectors, 3, &value.to_u64_digits(), shift);
            assert_eq!(raw(&vectors, 3), &value << shift);
            assert!(vectors.iter().all(|limb| limb.0[3] <= MASK && limb.0[2] == u64::MAX));
            let mut words = vec![0; (52 * n).div_ceil(64) + 1];
            limbs::join::<52>(&mut words, |index| vectors.get(index).map_or(0, |limb| limb.0[3]));
            assert_eq!(big(&words), value << shift);
        }
    }
}

/// A residue becomes rows in its place, and rows become lanes again, each lane from another residue.
fn rows(unit: impl VectorUnit) {
    let mut dice = Dice::new(58);
    for n in (1..=33).chain([79, 158]) {
        let ring = LanesRing::new(unit, &slices(&digits(&moduli(&mut dice, n))), n);
        let residues: Vec<Lanes> =
            core::iter::repeat_with(|| Lanes(core::array::from_fn(|_| dice.roll()))).take(LANES * n).collect();
        let guard = Lanes([0x5a; LANES]);
        let mut arena = [&[guard; 2][..], &residues, &[guard; 2]].concat();
        let mut scratch = vec![Lanes([u64::MAX; LANES]); ring.scratch_vectors()];
        for register in 0..LANES {
            ring.arrange(&mut arena, 2 + register * n, &mut scratch);
        }
        assert!(arena[..2] == [guard; 2] && arena[2 + LANES * n..] == [guard; 2]);
        let of = |lane: usize| (lane * 5 + 3) % LANES;
        let rows = words(&arena[2..]).to_vec();
        let row = |lane: usize| &rows[(LANES * of(lane) + lane) * n..][..n];
        let mut out = vec![guard; n + 2];
        ring.gather(&mut out, 1, core::array::from_fn(row));
        assert!(out[0] == guard && out[n + 1] == guard);
        for (limb, lane) in (0..n).flat_map(|limb| (0..LANES).map(move |lane| (limb, lane))) {
            assert_eq!(out[1 + limb].0[lane], residues[of(lane) * n + limb].0[lane], "{unit:?}, n = {n}");
        }
    }
}

#[test]
fn rows_go_in_and_out() {
    rows(Plain);
    on_this_cpu!(unit => { rows(unit) });
}
