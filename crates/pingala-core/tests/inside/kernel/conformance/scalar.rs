//! Rows in assembly: every length to beyond eight blocks, against the oracle and the reduction that ships everywhere.

use super::products::operands;
use super::{Dice, big, words};
#[cfg(target_arch = "x86_64")]
use crate::kernel::montgomery::{Constants, Unreduced};
use crate::kernel::montgomery::{Family, neg_mod_inv_limb, sos};
#[cfg(target_arch = "x86_64")]
use crate::kernel::mulx::Mulx as Scalar;
use crate::kernel::product::{Leaf, karatsuba, low};
use crate::kernel::registry::Kernel;
#[cfg(target_arch = "aarch64")]
use crate::kernel::umulh::Umulh as Scalar;
use crate::suite::common::skipped;
#[cfg(target_arch = "x86_64")]
use num_bigint::BigUint;

/// Words around each buffer that must stay unwritten.
const GUARD: usize = 9;

/// Runs `work` on dirty words between guards and returns them.
fn guarded(words: usize, work: impl FnOnce(&mut [u64])) -> Vec<u64> {
    let mut room: Vec<u64> = (0..(words + 2 * GUARD) as u64).map(|i| u64::MAX - i).collect();
    let whole = room.clone();
    work(&mut room[GUARD..GUARD + words]);
    assert_eq!(room[..GUARD], whole[..GUARD], "below the buffer");
    assert_eq!(room[GUARD + words..], whole[GUARD + words..], "above the buffer");
    room[GUARD..GUARD + words].to_vec()
}

/// The family of this architecture.
pub(super) fn scalar() -> Option<Scalar> {
    let name = if cfg!(target_arch = "x86_64") { "mulx_r64" } else { "umulh_r64" };
    let scalar = Scalar::new(Kernel::by_name(name).unwrap().usual_settings());
    if scalar.is_none() {
        skipped("this CPU has no BMI2 or no ADX");
    }
    scalar
}

#[test]
fn products_in_assembly_are_exact() {
    let Some(scalar) = scalar() else { return };
    let mut dice = Dice::new(21);
    for n in (1..=70).chain([100, 127, 128, 129]) {
        let operands = operands::<u64>(n, &mut dice);
        for (i, a) in operands.iter().enumerate() {
            let square = guarded(2 * n, |t| scalar.sqr_rows(t, a));
            assert_eq!(square, words::<u64>(&(big(a) * big(a)), 2 * n), "n = {n}: {a:x?}^2");
            for b in &operands[..=i] {
                let product = guarded(2 * n, |t| scalar.mul_rows(t, a, b));
                assert_eq!(product, words::<u64>(&(big(a) * big(b)), 2 * n), "n = {n}: {a:x?} * {b:x?}");
            }
        }
    }
}

/// Whole products and squares of up to 8 words, the result apart from the operands and in their place.
#[cfg(target_arch = "x86_64")]
#[test]
fn short_products_in_assembly_are_reduced() {
    let Some(scalar) = scalar() else { return };
    let mut dice = Dice::new(23);
    for n in 1..=8 {
        for mut m in operands::<u64>(n, &mut dice) {
            m[0] |= 1;
            m[n - 1] |= 1 << 63;
            let m_prime = neg_mod_inv_limb(m[0]);
            let constants = Constants { m: &m, m_prime, m_prime_full: &[], m_halves: &[], m_diff_negative: 0 };
            let inverse = (BigUint::from(1u8) << (64 * n)).modinv(&big(&m)).expect("m is odd");
            for a in operands::<u64>(n, &mut dice) {
                let a = words::<u64>(&(big(&a) % big(&m)), n);
                let b = words::<u64>(&(big(&dice.number::<u64>(n)) % big(&m)), n);
                let wanted = [&b, &a].map(|b| words::<u64>(&(big(&a) * big(b) * &inverse % big(&m)), n));
                // The result, a and b, which stay unchanged, and the words to work in.
                let product = guarded(3 * n, |arena| {
                    arena[n..2 * n].copy_from_slice(&a);
                    arena[2 * n..].copy_from_slice(&b);
                    assert!(scalar.cios(arena, 0, n, 2 * n, &constants));
                });
                assert_eq!(product, [&wanted[0][..], &a, &b].concat(), "m = {m:x?}");
                let in_place = guarded(2 * n, |arena| {
                    arena[..n].copy_from_slice(&a);
                    arena[n..].copy_from_slice(&b);
                    assert!(scalar.cios(arena, 0, 0, n, &constants));
                });
                assert_eq!(in_place, [&wanted[0][..], &b].concat(), "m = {m:x?}, onto a");
                for from in [0, n] {
                    let mut work = Vec::new();
                    let square = guarded(2 * n, |arena| {
                        arena[from..from + n].copy_from_slice(&a);
                        work = guarded(2 * n, |t| assert!(scalar.short_sqr(arena, 0, from, t, &constants)));
                    });
                    assert_eq!(square[..n], wanted[1], "m = {m:x?}, from {from}");
                    assert!(from == 0 || square[n..] == a[..], "the operand is left alone");
                    assert_eq!(work.len(), 2 * n);
                }
            }
        }
    }
}

/// The final subtraction: every length to beyond two chunks of words, below m and not, with an overflow and without.
#[cfg(target_arch = "x86_64")]
#[test]
fn the_final_subtraction_in_assembly() {
    let Some(scalar) = scalar() else { return };
    let mut dice = Dice::new(24);
    for n in 1..=21 {
        for mut m in operands::<u64>(n, &mut dice) {
            m[n - 1] |= 1;
            for residue in operands::<u64>(n, &mut dice) {
                let residue = big(&residue) % big(&m);
                for value in [residue.clone(), &residue + big(&m)] {
                    let overflow = value.bits() > 64 * n as u64;
                    let low = words::<u64>(&(&value % (BigUint::from(1u8) << (64 * n))), n);
                    let got = guarded(n, |out| scalar.finish(Unreduced { words: &low, overflow }, out, &m));
                    assert_eq!(big(&got), residue, "{value:x} modulo {m:x?}");
                }
            }
        }
    }
}

#[test]
fn reductions_in_assembly_agree_with_the_portable_ones() {
    let Some(scalar) = scalar() else { return };
    let mut dice = Dice::new(22);
    for n in 1..=70 {
        for mut m in operands::<u64>(n, &mut dice) {
            m[0] |= 1;
            let m_prime = neg_mod_inv_limb(m[0]);
            // Any 2n words will do: the sum runs over by a bit at most.
            for t in operands::<u64>(2 * n, &mut dice) {
                let mut overflow = false;
                let reduced = guarded(2 * n, |room| {
                    room.copy_from_slice(&t);
                    overflow = scalar.redc_rows(room, &m, m_prime);
                });
                let mut want = t.clone();
                let runs_over = sos::redc_tiles(&mut want, &m, m_prime, 1);
                assert_eq!((&reduced[n..], overflow), (&want[n..], runs_over), "n = {n}: {t:x?} modulo {m:x?}");
            }
        }
    }
}

/// Karatsuba and low products on the leaves in assembly, across every length at which a level is added.
#[test]
fn leaves_in_assembly_carry_karatsuba() {
    let Some(scalar) = scalar() else { return };
    let mut dice = Dice::new(23);
    let leaf = Leaf::words(scalar);
    for n in (1..=90).chain([127, 128, 129, 191, 192, 193, 255, 256, 257]) {
        let operands = operands::<u64>(n, &mut dice);
        for (i, a) in operands.iter().enumerate() {
            let b = &operands[(i + 4) % operands.len()];
            let square = words::<u64>(&(big(a) * big(a)), 2 * n);
            let product = words::<u64>(&(big(a) * big(b)), 2 * n);
            let mut scratch = vec![u64::MAX; karatsuba::scratch_words(n, leaf)];
            assert_eq!(guarded(2 * n, |t| karatsuba::mul(t, a, b, scalar, &mut scratch)), product, "n = {n}");
            assert_eq!(guarded(2 * n, |t| karatsuba::sqr(t, a, scalar, &mut scratch)), square, "n = {n}");
            let mut scratch = vec![u64::MAX; low::scratch_words(n, leaf)];
            assert_eq!(guarded(n, |t| low::low_mul(t, a, b, scalar, &mut scratch)), product[..n], "n = {n}");
            assert_eq!(guarded(n, |t| low::low_sqr(t, a, scalar, &mut scratch)), square[..n], "n = {n}");
        }
    }
}

/// Low products by rows only, up to the largest threshold.
#[test]
fn low_products_in_assembly_are_exact() {
    let Some(scalar) = scalar() else { return };
    let mut dice = Dice::new(25);
    for n in 1..=48 {
        let operands = operands::<u64>(n, &mut dice);
        for (i, a) in operands.iter().enumerate() {
            let b = &operands[(i + 4) % operands.len()];
            let [square, product] = [a, b].map(|b| words::<u64>(&(big(a) * big(b)), 2 * n));
            assert_eq!(guarded(n, |t| Leaf::low_sqr(scalar, t, a)), square[..n], "n = {n}: {a:x?}^2");
            assert_eq!(guarded(n, |t| Leaf::low_mul(scalar, t, a, b)), product[..n], "n = {n}: {a:x?} * {b:x?}");
        }
    }
}
