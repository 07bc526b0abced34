//! The rings at real words: every organisation, every length, the moduli and operands at the edges.

use super::{Dice, big, dirt, words};
use crate::exponent::{Digits, SecretExponent};
use crate::kernel::division::DivisionRing;
use crate::kernel::hensel::inverse_mod_power_of_two;
use crate::kernel::montgomery::Product;
use crate::kernel::odd::OddRing;
use crate::kernel::power_of_two::PowerOfTwoRing;
use crate::kernel::registry::{Form, Kernel, Residence, Settings, Threshold};
use crate::kernel::{ModulusParts, Ring};
use crate::modulus::Facts;
use crate::natural::word::Word;
use crate::natural::{Natural, linear};
use crate::suite::common::skipped;
use num_bigint::BigUint;
use std::borrow::Cow;

/// Takes a ring through everything that it offers, with values at the edges, aliased registers and dirty buffers.
fn ring_is_right<W: Word>(ring: &(impl Ring<W> + ?Sized), m: &BigUint, dice: &mut Dice, what: &str) {
    let n = ring.words();
    let one = BigUint::from(1u32);
    scan_is_right(ring, dice, what);
    for dirt in dirt::<W>() {
        let mut scratch = vec![dirt; ring.scratch_words()];
        let mut arena = vec![dirt; 3 * n];
        let mut out = vec![dirt; n];
        ring.one(&mut arena, 0, &mut scratch);
        ring.leave(&mut out, &arena, 0, &mut scratch);
        assert_eq!(big(&out), &one % m, "{what}: one");
        let values: [Vec<W>; 4] = [vec![W::MAX; n], words(&(m - &one), n), dice.number(n), dice.number(n)];
        for (i, a) in values.iter().enumerate() {
            for b in &values[i..] {
                scratch.fill(dirt);
                ring.enter(&mut arena, n, a, &mut scratch);
                ring.enter(&mut arena, 2 * n, b, &mut scratch);
                ring.mul(&mut arena, 0, n, 2 * n, &mut scratch);
                scratch.fill(dirt);
                ring.leave(&mut out, &arena, 0, &mut scratch);
                assert_eq!(big(&out), big(a) * big(b) % m, "{what}: mul");
                ring.mul(&mut arena, n, n, 2 * n, &mut scratch);
                assert_eq!(arena[..n], arena[n..2 * n], "{what}: mul onto its operand");
                ring.enter(&mut arena, n, a, &mut scratch);
                ring.mul(&mut arena, 2 * n, n, 2 * n, &mut scratch);
                assert_eq!(arena[..n], arena[2 * n..], "{what}: mul onto its other operand");
            }
            let square = big(a) * big(a) % m;
            ring.enter(&mut arena, 0, a, &mut scratch);
            scratch.fill(dirt);
            ring.sqr(&mut arena, n, 0, &mut scratch);
            ring.leave(&mut out, &arena, n, &mut scratch);
            assert_eq!(big(&out), square, "{what}: sqr");
            ring.mul(&mut arena, 2 * n, 0, 0, &mut scratch);
            assert_eq!(arena[n..2 * n], arena[2 * n..], "{what}: mul by itself");
            ring.sqr(&mut arena, 0, 0, &mut scratch);
            assert_eq!(arena[..n], arena[n..2 * n], "{what}: sqr onto itself");
            let power = &square * &square * &square * &square % m;
            ring.enter(&mut arena, 0, a, &mut scratch);
            scratch.fill(dirt);
            ring.sqr_n(&mut arena, n, 0, 3, &mut scratch);
            ring.leave(&mut out, &arena, n, &mut scratch);
            assert_eq!(big(&out), power, "{what}: squarings in a row");
            ring.sqr_n(&mut arena, 0, 0, 3, &mut scratch);
            assert_eq!(arena[..n], arena[n..2 * n], "{what}: squarings in a row onto themselves");
            for small in [0, 1, 2, 3, 255, 0xffff_ffff, u64::MAX, dice.roll()] {
                let small = W::from_u64(small);
                ring.enter(&mut arena, 0, a, &mut scratch);
                scratch.fill(dirt);
                ring.mul_small(&mut arena, n, 0, small, &mut scratch);
                ring.leave(&mut out, &arena, n, &mut scratch);
                assert_eq!(big(&out), big(a) * small.to_u64() % m, "{what}: mul_small by {small:?}");
                ring.mul_small(&mut arena, 0, 0, small, &mut scratch);
                assert_eq!(arena[..n], arena[n..2 * n], "{what}: mul_small onto itself");
            }
        }
    }
}

/// Every entry of a table of five by a secret digit, to a residue in front of the table and to one behind it.
fn scan_is_right<W: Word>(ring: &(impl Ring<W> + ?Sized), dice: &mut Dice, what: &str) {
    let (n, count) = (ring.words(), 5);
    let mut scratch = vec![W::MAX; ring.scratch_words()];
    let mut table = vec![W::MAX; count * n];
    for entry in 0..count {
        ring.enter(&mut table, entry * n, &dice.number::<W>(n), &mut scratch);
    }
    for (digit, entry) in table.chunks_exact(n).enumerate() {
        let secret = SecretExponent::new(&Natural::from(digit as u64), Some(8)).unwrap();
        for dirt in dirt::<W>() {
            let around = vec![dirt; n];
            let clean = [&around, &*table, &around].concat();
            for out in [0, (count + 1) * n] {
                let mut arena = clean.clone();
                ring.scan(&mut arena, out, n, count, secret.digit(0, 4));
                assert_eq!(&arena[out..out + n], entry, "{what}: scan for entry {digit}");
                arena[out..out + n].fill(dirt);
                assert_eq!(arena, clean, "{what}: scan writes one residue");
            }
        }
    }
}

/// Odd moduli of n words at the edges: all ones, b^n - small, b^(n-1) + 1, a lone top bit, equal halves, short ones.
fn moduli<W: Word>(n: usize, dice: &mut Dice) -> Vec<Vec<W>> {
    let sparse = |top: W| {
        let mut m = vec![W::ZERO; n];
        m[n - 1] = top;
        m[0] = W::select(W::mask(n == 1), W::select(W::mask(top == W::ONE), W::ONE, W::MAX), W::ONE);
        m
    };
    let mut near_full = vec![W::MAX; n];
    near_full[0] = W::MAX.sub_borrow(W::from_u64(188), false).0;
    // A top word of b/2 over ones: here the quotient estimate of a short product saturates.
    let mut half_over_ones = vec![W::MAX; n];
    half_over_ones[n - 1] = if n == 1 { W::MAX } else { W::ONE.shift_left(W::BITS - 1) };
    let mut all =
        vec![vec![W::MAX; n], near_full, half_over_ones, sparse(W::ONE), sparse(W::ONE.shift_left(W::BITS - 1))];
    for _ in 0..3 {
        let mut m: Vec<W> = dice.number(n);
        m[0] = W::select(W::ONE, W::MAX, m[0]);
        all.push(m);
    }
    all
}

fn odd_rings_are_right<W: Word>(lengths: impl Iterator<Item = usize>) {
    let mut dice = Dice::new(5);
    for n in lengths {
        for m in moduli::<W>(n, &mut dice) {
            for product in Product::ALL {
                let ring = OddRing::new(&m, product);
                assert_eq!(ring.words(), product.padded_words(n));
                ring_is_right(&ring, &big(&m), &mut dice, &format!("{product}, m = {m:x?}"));
            }
        }
    }
}

/// The rings without a form of their own, modulo odd numbers, and modulo even ones with words of zeros below and without.
#[test]
fn rings_by_division() {
    let mut dice = Dice::new(17);
    for n in (1..=20).chain([31, 32, 33, 48, 64, 65]) {
        for odd in moduli::<u64>(n, &mut dice) {
            for (words, bits) in [(0, 0), (0, 1), (0, 63), (1, 0), (2, 17), (n, 0)] {
                let m = (big(&odd) << (64 * words + bits)).to_u64_digits();
                if m == [1] {
                    continue;
                }
                let ring = DivisionRing::new(Cow::Borrowed(&m), linear::bits(&m), if bits == 0 { 64 } else { 9 });
                ring_is_right(&ring, &big(&m), &mut dice, &format!("division, m = {m:x?}"));
                // A number far longer than the modulus, whose quotient words are all ones.
                let long = (big(&m) << (64 * (3 * n + 9))) - 1u32;
                let (mut arena, mut scratch) = (vec![7; m.len()], vec![7; ring.scratch_words()]);
                ring.enter(&mut arena, 0, &long.to_u64_digits(), &mut scratch);
                assert_eq!(big(&arena), long % big(&m), "m = {m:x?}");
            }
        }
    }
}

/// Tests rings through the assembly, and around the lengths at which its Karatsuba adds a level.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[test]
fn odd_rings_of_assembly() {
    let Some(scalar) = super::scalar::scalar() else { return };
    let kernel = Kernel::by_name(if cfg!(target_arch = "x86_64") { "mulx_r64" } else { "umulh_r64" }).unwrap();
    let mut dice = Dice::new(12);
    for n in (1..=70).chain([79, 80, 81, 112, 113, 128, 162]) {
        for m in moduli::<u64>(n, &mut dice) {
            for &product in kernel.entry().products {
                let ring = OddRing::of_bits(&m, linear::bits(&m), product, scalar);
                assert_eq!(ring.words(), product.unpadded_words(n));
                ring_is_right(&ring, &big(&m), &mut dice, &format!("{kernel:?} {product}, m = {m:x?}"));
                // Twice as long as the modulus, with quotient words of ones.
                let long = (big(&m) << (64 * n)) - 1u32;
                let (mut arena, mut scratch) = (vec![7; ring.words()], vec![7; ring.scratch_words()]);
                ring.enter(&mut arena, 0, &long.to_u64_digits(), &mut scratch);
                assert_eq!(big(&arena), (long << (64 * ring.words())) % big(&m), "{kernel:?} {product}, m = {m:x?}");
            }
        }
    }
}

#[test]
fn odd_rings_of_u64() {
    odd_rings_are_right::<u64>(1..=70);
}

#[test]
fn odd_rings_of_u32() {
    odd_rings_are_right::<u32>(1..=34);
}

/// Bytes again, for the lengths that Karatsuba's leaf of 8 words needs; 2n products of a column must stay below b.
#[test]
fn odd_rings_of_u8() {
    odd_rings_are_right::<u8>((1..=20).chain([31, 32, 33, 64]));
}

/// Every kernel for odd moduli with residues in an arena and one product of its own, by its row of the registry.
#[test]
fn odd_rings_of_the_registry() {
    let mut dice = Dice::new(10);
    let of_kind = |kernel: &Kernel| {
        let entry = kernel.entry();
        entry.odd && entry.products.is_empty()
    };
    for kernel in Kernel::all().filter(of_kind) {
        let entry = kernel.entry();
        let Residence::Arena { prepare, .. } = entry.residence else { continue };
        if !entry.available() {
            skipped(&format!("this CPU cannot run {}", entry.name));
            continue;
        }
        let longest = entry.max_limbs.unwrap_or(usize::MAX);
        for n in (1..=34).chain([40, 47, 48, 63, 64, 65, 128]).filter(|&n| n <= longest) {
            for m in moduli::<u64>(n, &mut dice) {
                let form = Form::new(kernel, n, None);
                let ring = prepare(&form, &ModulusParts::of(&Facts::new(Natural::from_limbs(&m)))).unwrap();
                ring_is_right(&*ring, &big(&m), &mut dice, &format!("{form}, m = {m:x?}"));
            }
        }
    }
}

/// All thresholds at the ends of their ranges, together and one by one, around the lengths at which they decide.
#[test]
fn thresholds_change_no_result() {
    let mut dice = Dice::new(31);
    let with_arena = |kernel: &Kernel| matches!(kernel.entry().residence, Residence::Arena { .. });
    for kernel in Kernel::all().filter(|kernel| with_arena(kernel) && !kernel.entry().thresholds.is_empty()) {
        let (entry, usual) = (kernel.entry(), kernel.usual_settings());
        let Residence::Arena { prepare, .. } = entry.residence else { continue };
        if !entry.available() {
            skipped(&format!("this CPU cannot run {}", entry.name));
            continue;
        }
        let set = |settings: Settings, threshold: &Threshold, value: u8| {
            settings.with(entry.thresholds, threshold.name, value.into()).unwrap()
        };
        let all = |value: fn(&Threshold) -> u8| {
            entry.thresholds.iter().fold(usual, |settings, threshold| set(settings, threshold, value(threshold)))
        };
        let mut settings = vec![all(|threshold| threshold.least), all(|threshold| threshold.most)];
        for threshold in entry.thresholds {
            settings.extend([threshold.least, threshold.most].map(|value| set(usual, threshold, value)));
        }
        let products = entry.products.iter().map(|&product| Some(product));
        let products: Vec<_> = products.chain(entry.products.is_empty().then_some(None)).collect();
        for (n, &settings) in
            [7, 8, 9, 17, 34, 40, 49, 64, 97, 130].iter().flat_map(|n| settings.iter().map(move |s| (*n, s)))
        {
            for &product in &products {
                let form = Form { settings, ..Form::new(kernel, n, product) };
                let m: Vec<u64> = match entry.odd {
                    true => moduli::<u64>(n, &mut dice).swap_remove(dice.below(8)),
                    false => [vec![0; n - 1], vec![1 << dice.below(64)]].concat(),
                };
                let modulus = Natural::from_limbs(&m);
                let parts = Facts::new(modulus);
                let parts = ModulusParts { once: Some(n), ..ModulusParts::of(&parts) };
                let ring = prepare(&form, &parts).unwrap();
                ring_is_right(&*ring, &big(&m), &mut dice, &format!("{form}, m = {m:x?}"));
            }
        }
    }
}

#[test]
fn powers_of_two() {
    let mut dice = Dice::new(6);
    assert_eq!(PowerOfTwoRing::<u64>::new(200).bytes(), 0, "no constants");
    for k in (1usize..=200).chain([511, 512, 513, 575, 576, 577, 1024, 1100, 4100]) {
        let m = BigUint::from(1u32) << k;
        ring_is_right(&PowerOfTwoRing::<u64>::new(k), &m, &mut dice, &format!("2^{k} by u64"));
        ring_is_right(&PowerOfTwoRing::<u32>::new(k), &m, &mut dice, &format!("2^{k} by u32"));
        ring_is_right(&PowerOfTwoRing::<u8>::new(k.min(900)), &(BigUint::from(1u32) << k.min(900)), &mut dice, "by u8");
    }
}

/// Every kernel for powers of two with residues in an arena, by its row of the registry.
#[test]
fn powers_of_two_of_the_registry() {
    let mut dice = Dice::new(16);
    let of_kind = |kernel: &Kernel| {
        let entry = kernel.entry();
        !entry.odd
    };
    for kernel in Kernel::all().filter(of_kind) {
        let entry = kernel.entry();
        let Residence::Arena { prepare, .. } = entry.residence else { continue };
        if !entry.available() {
            skipped(&format!("this CPU cannot run {}", entry.name));
            continue;
        }
        let around = (1..=20).flat_map(|v| [416 * v - 1, 416 * v, 416 * v + 1]);
        for k in (1usize..=120).chain(around).chain([511, 512, 513, 1024, 4096, 16384]) {
            let form = Form::new(kernel, k.div_ceil(64), None);
            let m = BigUint::from(1u32) << k;
            let mut limbs = vec![0; k / 64 + 1];
            limbs[k / 64] = 1 << (k % 64);
            let ring = prepare(&form, &ModulusParts::of(&Facts::new(Natural::from_limbs(&limbs)))).unwrap();
            ring_is_right(&*ring, &m, &mut dice, &format!("{form}, 2^{k}"));
        }
    }
}

fn inverses<W: Word>(dice: &mut Dice) {
    for k in (1usize..=200).chain([640, 2048, 4095, 4096, 4097]) {
        let n = k.div_ceil(W::BITS as usize);
        for _ in 0..4 {
            let mut odd: Vec<W> = dice.number(n);
            odd[0] = W::select(W::ONE, W::MAX, odd[0]);
            let inverse = inverse_mod_power_of_two(&odd, k);
            assert_eq!(inverse.len(), n);
            let m = BigUint::from(1u32) << k;
            assert!(big(&inverse) < m);
            assert_eq!(big(&inverse) * big(&odd) % &m, BigUint::from(1u32) % &m, "k = {k}");
        }
        // A short and a long operand: zeros are understood, bits beyond k are of no effect.
        let three = inverse_mod_power_of_two(&[W::from_u64(3)], k);
        let long = inverse_mod_power_of_two(&[vec![W::from_u64(3)], vec![W::ZERO; n - 1], vec![W::MAX; 2]].concat(), k);
        assert_eq!(three, long);
        assert_eq!(big(&three) * 3u32 % (BigUint::from(1u32) << k), BigUint::from(1u32));
    }
}

#[test]
fn inverses_modulo_powers_of_two() {
    inverses::<u64>(&mut Dice::new(7));
    inverses::<u32>(&mut Dice::new(8));
}

#[test]
fn long_values_enter() {
    let mut dice = Dice::new(9);
    for n in [1, 2, 3, 5, 8, 9, 17, 32] {
        for m in moduli::<u64>(n, &mut dice) {
            for product in [Product::Cios, Product::Sos, Product::Kcm] {
                let ring = OddRing::new(&m, product);
                let n = ring.words();
                let mut scratch = vec![u64::MAX; ring.scratch_words()];
                let (mut arena, mut out) = (vec![0; n], vec![0; n]);
                for length in [0, 1, n - 1, n, n + 1, 2 * n - 1, 2 * n, 5 * n + 2] {
                    for value in [vec![u64::MAX; length], dice.number(length.max(1))] {
                        ring.enter(&mut arena, 0, &value, &mut scratch);
                        assert!(big(&arena) < big(&m));
                        ring.leave(&mut out, &arena, 0, &mut scratch);
                        assert_eq!(big(&out), big(&value) % big(&m), "{product}, {length} words");
                    }
                }
            }
        }
    }
}

/// A residue times a plain number that is not longer, canonical; a longer one is refused and nothing is written.
fn leaves_times_plain<W: Word>(ring: &impl Ring<W>, m: &BigUint, dice: &mut Dice, what: &str) {
    let n = ring.words();
    for dirt in dirt::<W>() {
        let (mut arena, mut scratch) = (vec![dirt; n], vec![dirt; ring.scratch_words()]);
        let a: Vec<W> = dice.number(n);
        ring.enter(&mut arena, 0, &a, &mut scratch);
        for length in [0, 1, n - 1, n, n + 1] {
            for plain in [dice.number(length), vec![W::MAX; length]] {
                let mut out = vec![dirt; n];
                scratch.fill(dirt);
                assert_eq!(ring.leave_times(&mut out, &arena, 0, &plain, &mut scratch), length <= n, "{what}");
                if length <= n {
                    assert_eq!(big(&out), big(&a) * big(&plain) % m, "{what}, {length} plain words");
                } else {
                    assert_eq!(out, vec![dirt; n], "{what}");
                }
            }
        }
    }
}

#[test]
fn residues_leave_times_plain_numbers() {
    let mut dice = Dice::new(33);
    for n in [1, 2, 3, 7, 8, 9, 16, 17, 40] {
        for m in moduli::<u64>(n, &mut dice) {
            for product in Product::ALL {
                leaves_times_plain(&OddRing::new(&m, product), &big(&m), &mut dice, &format!("{product}, m = {m:x?}"));
            }
            #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
            if let Some(scalar) = super::scalar::scalar() {
                for product in [Product::Cios, Product::KaratsubaSos, Product::Kcm] {
                    let ring = OddRing::of_bits(&m, linear::bits(&m), product, scalar);
                    leaves_times_plain(&ring, &big(&m), &mut dice, &format!("assembly, {product}, m = {m:x?}"));
                }
            }
        }
    }
}
