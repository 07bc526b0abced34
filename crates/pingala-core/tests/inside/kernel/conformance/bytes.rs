//! Words of one byte: every carry path is within reach of plain enumeration, and the oracle is machine arithmetic.

use super::Dice;
use crate::kernel::Ring;
use crate::kernel::hensel::{divide, inverse_mod_power_of_two};
use crate::kernel::montgomery::{Constants, Product, Unreduced, kcm, neg_mod_inv_limb, sos};
use crate::kernel::odd::OddRing;
use crate::kernel::product::comba::{self, Comba};
use crate::kernel::product::{Leaf, cyclic, karatsuba, low, schoolbook};

fn number(words: &[u8]) -> u128 {
    words.iter().rev().fold(0, |value, &word| value << 8 | u128::from(word))
}

#[test]
fn every_byte_has_its_inverse() {
    for m in (1..=u8::MAX).step_by(2) {
        assert_eq!(m.wrapping_mul(neg_mod_inv_limb(m)), u8::MAX);
        assert_eq!(m.wrapping_mul(inverse_mod_power_of_two(&[m], 8)[0]), 1);
    }
    for m in (1..=u16::MAX).step_by(2) {
        assert_eq!(m.wrapping_mul(neg_mod_inv_limb(m)), u16::MAX);
        let inverse = number(&inverse_mod_power_of_two(&m.to_le_bytes(), 16)) as u16;
        assert_eq!(m.wrapping_mul(inverse), 1);
    }
}

/// Quotients of two bytes by odd numbers of one to three: times the divisor they are the dividend again.
#[test]
fn odd_numbers_divide() {
    for odd in (1..=u16::MAX).step_by(if cfg!(miri) { 1010 } else { 2 }) {
        let [low, high] = odd.to_le_bytes();
        for a in [0, 1, 2, 0xff, 0x100, 0x7fff, 0x8000, 0xfeff, 0xffff, odd, odd.wrapping_mul(0x1234)] {
            let divisors = [&[low][..], &[low, high], &[low, high, 0x5a]];
            for divisor in divisors {
                let (mut quotient, mut dividend) = ([0xaa; 2], a.to_le_bytes());
                divide(&mut quotient, &mut dividend, divisor);
                let known = number(&divisor[..divisor.len().min(2)]) as u16;
                assert_eq!(u16::from_le_bytes(quotient).wrapping_mul(known), a, "{a:x} / {divisor:x?}");
            }
        }
    }
}

/// All odd moduli of one word, all pairs of residues, all organisations.
#[test]
fn one_word_exhaustively() {
    for product in Product::ALL {
        for m in (1..=u8::MAX).step_by(2) {
            let ring = OddRing::new(&[m], product);
            let n = ring.words();
            let r = (1u32 << (8 * n)) % u32::from(m);
            let mut scratch = vec![0xaa; ring.scratch_words()];
            let mut arena = vec![0u8; 3 * n];
            let (one, value) = (0, &mut [0u8; 2][..n]);
            ring.one(&mut arena, one, &mut scratch);
            assert_eq!(u32::from(arena[0]), r);
            for a in 0..m {
                arena[n] = a;
                ring.sqr(&mut arena, 0, n, &mut scratch);
                let a = u32::from(a);
                assert!(
                    arena[0] < m && u32::from(arena[0]) * r % u32::from(m) == a * a % u32::from(m),
                    "{product} {m} {a}^2"
                );
                for b in 0..m {
                    arena[2 * n] = b;
                    ring.mul(&mut arena, 0, n, 2 * n, &mut scratch);
                    let got = u32::from(arena[0]);
                    let b = u32::from(b);
                    assert!(
                        got < u32::from(m) && got * r % u32::from(m) == a * b % u32::from(m),
                        "{product} {m} {a}*{b}"
                    );
                }
            }
            for small in 0..=u8::MAX {
                arena[n] = m - 1;
                ring.mul_small(&mut arena, 0, n, small, &mut scratch);
                assert_eq!(u32::from(arena[0]), (u32::from(m) - 1) * u32::from(small) % u32::from(m));
                ring.enter(&mut arena, 0, &[small], &mut scratch);
                assert_eq!(u32::from(arena[0]), u32::from(small) * r % u32::from(m));
                ring.leave(value, &arena, 0, &mut scratch);
                assert_eq!(value[0], small % m);
            }
        }
    }
}

/// Ten million Montgomery products of two words, half of them and more with edge words.
#[test]
fn two_words_sampled() {
    let mut dice = Dice::new(1);
    for product in Product::ALL {
        for _ in 0..1250 {
            let mut m: Vec<u8> = dice.number(2);
            m[0] |= 1;
            let ring = OddRing::new(&m, product);
            let m = number(&m) as u64;
            let mut scratch = vec![0xff; ring.scratch_words()];
            let mut arena = vec![0u8; 6];
            for _ in 0..500 {
                let (a, b): (Vec<u8>, Vec<u8>) = (dice.number(2), dice.number(2));
                let (a, b) = (number(&a) as u64 % m, number(&b) as u64 % m);
                arena[2..4].copy_from_slice(&(a as u16).to_le_bytes());
                arena[4..6].copy_from_slice(&(b as u16).to_le_bytes());
                ring.mul(&mut arena, 0, 2, 4, &mut scratch);
                let got = number(&arena[..2]) as u64;
                assert!(got < m && (got << 16) % m == a * b % m, "{product} {m:#x}: {a:#x} * {b:#x} gave {got:#x}");
                ring.sqr(&mut arena, 0, 2, &mut scratch);
                let got = number(&arena[..2]) as u64;
                assert!(got < m && (got << 16) % m == a * a % m, "{product} {m:#x}: {a:#x}^2 gave {got:#x}");
            }
        }
    }
}

/// Every square of two words, by every squaring.
#[test]
fn two_word_squares_exhaustively() {
    let mut scratch = [0xaa; 16];
    for a in 0..=u16::MAX {
        let words = a.to_le_bytes();
        let want = (u32::from(a) * u32::from(a)).to_le_bytes();
        let mut t = [0xaa; 4];
        schoolbook::sqr(&mut t, &words, 1);
        assert_eq!(t, want, "schoolbook {a:#x}");
        t.fill(0xff);
        schoolbook::sqr(&mut t, &words, 2);
        assert_eq!(t, want, "schoolbook {a:#x}");
        t.fill(0xff);
        comba::sqr(&mut t, &words);
        assert_eq!(t, want, "comba {a:#x}");
        t.fill(0xaa);
        karatsuba::sqr(&mut t, &words, Comba(1), &mut scratch);
        assert_eq!(t, want, "karatsuba {a:#x}");
        low::low_sqr(&mut t[..2], &words, Comba(1), &mut scratch);
        assert_eq!(t[..2], want[..2], "low {a:#x}");
    }
}

/// Montgomery squarings of two words for moduli at the edges, every residue.
#[test]
fn two_word_montgomery_squares_exhaustively() {
    for product in Product::ALL {
        for m in [1u16, 3, 0xff, 0x101, 0x7fff, 0x8001, 0xff01, 0xfeff, 0xfffd, 0xffff] {
            let ring = OddRing::new(&m.to_le_bytes(), product);
            let mut scratch = vec![0xaa; ring.scratch_words()];
            for a in 0..m {
                let mut arena = a.to_le_bytes();
                ring.sqr(&mut arena, 0, 0, &mut scratch);
                let got = u64::from(u16::from_le_bytes(arena));
                let (a, m) = (u64::from(a), u64::from(m));
                assert!(got < m && (got << 16) % m == a * a % m, "{product} {m:#x}: {a:#x}^2 gave {got:#x}");
            }
        }
    }
}

/// Short products of two words for moduli at the edges, every residue.
#[test]
fn two_word_short_products_exhaustively() {
    for m in [1u16, 3, 0xff, 0x101, 0x1ff, 0x7fff, 0x8001, 0x80ff, 0x81ff, 0xc0ff, 0xff01, 0xfffd, 0xffff] {
        let ring = OddRing::new(&m.to_le_bytes(), Product::Cios);
        let mut scratch = vec![0xaa; ring.scratch_words()];
        for a in 0..m {
            for small in [0, 1, 2, 3, 127, 128, 254, 255] {
                let mut arena = a.to_le_bytes();
                ring.mul_small(&mut arena, 0, 0, small, &mut scratch);
                let want = u32::from(a) * u32::from(small) % u32::from(m);
                assert_eq!(u32::from(u16::from_le_bytes(arena)), want, "{a:#x} * {small} mod {m:#x}");
            }
        }
    }
}

/// SOS by tiles of one and two words in 2, 4, 6 and 8 bytes: the bit that waits between the rows of tiles.
#[test]
fn sos_tiles_at_bytes() {
    let mut dice = Dice::new(4);
    for n in [2, 4, 6, 8] {
        for _ in 0..400 {
            let mut m: Vec<u8> = dice.number(n);
            m[0] |= 1;
            let redc = |t: &mut [u8], out: &mut [u8], tile| {
                let overflow = sos::redc_tiles(t, &m, neg_mod_inv_limb(m[0]), tile);
                Unreduced { words: &t[n..], overflow }.finish(out, &m);
            };
            let modulus = number(&m);
            for _ in 0..100 {
                let (a, b): (Vec<u8>, Vec<u8>) = (dice.number(n), dice.number(n));
                let (a, b) = (number(&a), number(&b) % modulus);
                let words = (a.to_le_bytes(), b.to_le_bytes());
                for tile in [1, 2] {
                    let (mut t, mut out) = (vec![0xaa; 2 * n], vec![0xaa; n]);
                    schoolbook::mul(&mut t, &words.0[..n], &words.1[..n], tile);
                    redc(&mut t, &mut out, tile);
                    check(number(&out), n, a, b, modulus);
                    schoolbook::sqr(&mut t, &words.1[..n], tile);
                    redc(&mut t, &mut out, tile);
                    check(number(&out), n, b, b, modulus);
                }
            }
        }
    }
}

/// Whether `got` = a b R^-1 mod m, R = 2^8n.
fn check(mut got: u128, n: usize, a: u128, b: u128, m: u128) {
    assert!(got < m);
    for _ in 0..n {
        got = (got << 8) % m;
    }
    assert_eq!(got, (a % m) * b % m, "{m:#x}: {a:#x} * {b:#x}");
}

/// KCM with every leaf down to one word, so that each level of its carries is met in 2 to 8 bytes.
#[test]
fn kcm_recursion_at_bytes() {
    let mut dice = Dice::new(2);
    for n in [2, 4, 6, 8] {
        for _ in 0..400 {
            let mut m: Vec<u8> = dice.number(n);
            m[0] |= 1;
            let ring = OddRing::new(&m, Product::Kcm);
            let constants = ring.montgomery();
            let modulus = number(&m);
            for _ in 0..100 {
                let (a, b): (Vec<u8>, Vec<u8>) = (dice.number(n), dice.number(n));
                // One operand below m is enough.
                let (a, b) = (number(&a), number(&b) % modulus);
                let words = (a.to_le_bytes(), b.to_le_bytes());
                for leaf in 1..=n {
                    let mut t = vec![0xaa; kcm::scratch_words(n, leaf)];
                    let mut out = vec![0xaa; n];
                    let (product, scratch) = t.split_at_mut(2 * n);
                    karatsuba::mul(product, &words.0[..n], &words.1[..n], Comba(leaf), scratch);
                    kcm::redc(product, &constants, Comba(leaf), scratch).finish(&mut out, &m);
                    check(number(&out), n, a, b, modulus);
                    let leaf = Cyclic(Comba(leaf), 2);
                    let mut m_halves = vec![0xaa; kcm::halves_words(n, leaf)];
                    let m_diff_negative = kcm::prepare_halves(&mut m_halves, &m, leaf);
                    let constants = Constants { m_halves: &m_halves, m_diff_negative, ..constants };
                    t.fill(0xaa);
                    let (product, scratch) = t.split_at_mut(2 * n);
                    karatsuba::mul(product, &words.0[..n], &words.1[..n], leaf, scratch);
                    kcm::redc(product, &constants, leaf, scratch).finish(&mut out, &m);
                    check(number(&out), n, a, b, modulus);
                }
            }
        }
    }
}

/// A leaf, and the least number of words from which its products modulo b^n - 1 are halved.
#[derive(Clone, Copy, Debug)]
struct Cyclic(Comba, usize);

impl Leaf<u8> for Cyclic {
    fn words(self) -> usize {
        Leaf::<u8>::words(self.0)
    }
    fn square_words(self) -> usize {
        Leaf::<u8>::square_words(self.0)
    }
    fn low_words(self) -> usize {
        Leaf::<u8>::low_words(self.0)
    }
    fn cyclic_words(self) -> usize {
        self.1
    }
    fn mul(self, t: &mut [u8], a: &[u8], b: &[u8]) {
        self.0.mul(t, a, b);
    }
    fn sqr(self, t: &mut [u8], a: &[u8]) {
        self.0.sqr(t, a);
    }
    fn low_mul(self, t: &mut [u8], a: &[u8], b: &[u8]) {
        self.0.low_mul(t, a, b);
    }
    fn low_sqr(self, t: &mut [u8], a: &[u8]) {
        self.0.low_sqr(t, a);
    }
}

/// All pairs of one and two bytes modulo b^n - 1, and pairs of longer ones; 0 if a factor is 0.
#[test]
fn cyclic_products_at_bytes() {
    let check = |n: usize, a: u128, b: u128, leaf: Cyclic| {
        let (a_words, b_words) = (a.to_le_bytes(), b.to_le_bytes());
        let mut operand = vec![0xaa; cyclic::operand_words(n, leaf.1)];
        cyclic::prepare(&mut operand, &b_words[..n], leaf.1);
        let mut scratch = vec![0xaa; 2 * n + karatsuba::scratch_words(n, leaf.words())];
        let mut out = vec![0xaa; n];
        cyclic::mul(&mut out, &a_words[..n], &b_words[..n], &operand, leaf, &mut scratch);
        let (got, m) = (number(&out), (1u128 << (8 * n)) - 1);
        assert_eq!(got % m, (a % m) * (b % m) % m, "{n} bytes, {leaf:?}: {a:#x} * {b:#x}");
        assert!(got == 0 || (a != 0 && b != 0), "{n} bytes, {leaf:?}: {a:#x} * {b:#x}");
    };
    let halved = Cyclic(Comba(1), 2);
    for b in (0..1 << 16).step_by(7).chain([1, 0xff, 0x100, 0xff00, 0xfeff, 0xffff]) {
        for a in (0..1 << 16).step_by(if b % 255 == 0 { 1 } else { 101 }) {
            check(2, a, b, halved);
        }
    }
    let mut dice = Dice::new(7);
    for n in [3, 4, 6, 8] {
        for _ in 0..200_000 {
            let (a, b): (Vec<u8>, Vec<u8>) = (dice.number(n), dice.number(n));
            for at in [2, 4, 8] {
                check(n, number(&a), number(&b), Cyclic(Comba(1), at));
            }
        }
    }
}

/// C(n) = F(n/2) + C(n/2) word products, and F(n) if nothing is halved: counted at leaves of one word, where F(n) = 3^log2(n).
#[test]
fn cyclic_products_count() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static PRODUCTS: AtomicUsize = AtomicUsize::new(0);
    #[derive(Clone, Copy, Debug)]
    struct Counted(usize);
    impl Leaf<u8> for Counted {
        fn words(self) -> usize {
            1
        }
        fn square_words(self) -> usize {
            1
        }
        fn low_words(self) -> usize {
            1
        }
        fn cyclic_words(self) -> usize {
            self.0
        }
        fn mul(self, t: &mut [u8], a: &[u8], b: &[u8]) {
            PRODUCTS.fetch_add(1, Ordering::Relaxed);
            comba::mul(t, a, b);
        }
        fn sqr(self, t: &mut [u8], a: &[u8]) {
            self.mul(t, a, a);
        }
        fn low_mul(self, t: &mut [u8], a: &[u8], b: &[u8]) {
            t[0] = a[0].wrapping_mul(b[0]);
        }
        fn low_sqr(self, t: &mut [u8], a: &[u8]) {
            self.low_mul(t, a, a);
        }
    }
    for (cyclic, want) in [(2, 9 + 3 + 1 + 1), (4, 9 + 3 + 3), (8, 9 + 9), (16, 27)] {
        let (a, mut out) = ([0x5a; 8], [0; 8]);
        let mut operand = vec![0; cyclic::operand_words(8, cyclic)];
        cyclic::prepare(&mut operand, &a, cyclic);
        let mut scratch = vec![0; 16 + karatsuba::scratch_words(8, 1)];
        PRODUCTS.store(0, Ordering::Relaxed);
        cyclic::mul(&mut out, &a, &a, &operand, Counted(cyclic), &mut scratch);
        assert_eq!(PRODUCTS.load(Ordering::Relaxed), want, "halved from {cyclic} words on");
    }
}

/// Products of 2 to 8 bytes by every organisation and leaf, edge words mostly.
#[test]
fn short_products_at_bytes() {
    let mut dice = Dice::new(3);
    for n in 1..=8usize {
        for _ in 0..20_000 {
            let (a, b): (Vec<u8>, Vec<u8>) = (dice.number(n), dice.number(n));
            let product = (number(&a) * number(&b)).to_le_bytes();
            let square = (number(&a) * number(&a)).to_le_bytes();
            let (product, square) = (&product[..2 * n], &square[..2 * n]);
            let mut t = vec![0xaa; 2 * n];
            let mut scratch = vec![0xff; 128];
            schoolbook::mul(&mut t, &a, &b, schoolbook::tile_words(n));
            assert_eq!(t, product);
            comba::mul(&mut t, &a, &b);
            assert_eq!(t, product);
            schoolbook::sqr(&mut t, &a, schoolbook::tile_words(n));
            assert_eq!(t, square);
            comba::sqr(&mut t, &a);
            assert_eq!(t, square);
            for leaf in 1..n.max(2) {
                karatsuba::mul(&mut t, &a, &b, Comba(leaf), &mut scratch);
                assert_eq!(t, product, "leaf {leaf}: {a:x?} * {b:x?}");
                karatsuba::sqr(&mut t, &a, Comba(leaf), &mut scratch);
                assert_eq!(t, square, "leaf {leaf}: {a:x?}^2");
                low::low_mul(&mut t[..n], &a, &b, Comba(leaf), &mut scratch);
                assert_eq!(t[..n], product[..n], "leaf {leaf}: {a:x?} * {b:x?}");
                low::low_sqr(&mut t[..n], &a, Comba(leaf), &mut scratch);
                assert_eq!(t[..n], square[..n], "leaf {leaf}: {a:x?}^2");
            }
        }
    }
}
