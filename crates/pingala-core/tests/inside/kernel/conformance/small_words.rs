//! Whole instances of the generic texts over words of 4 and 8 bits, beside plain integers: every odd modulus, every operand.
//!
//! A test prints how many cases it compared; `make proofs` adds them up. `make -C proofs small-instances` sets
//! PINGALA_SMALL_INSTANCES to n: then shorter tiles and leaves are compared too, and of the moduli of three words of 4 bits every
//! n-th one; otherwise some at the edges.

use crate::kernel::Ring;
use crate::kernel::hensel::{divide, inverse_mod_power_of_two};
use crate::kernel::montgomery::{Family, Portable, Product, Unreduced, neg_mod_inv_limb, sos};
use crate::kernel::odd::OddRing;
use crate::kernel::power_of_two::PowerOfTwoRing;
use crate::kernel::product::comba::{self, Comba};
use crate::kernel::product::{Leaf, cyclic, karatsuba, low, schoolbook};
use crate::kernel::short::ShortFactor;
use crate::natural::word::Word;
use core::hint::black_box;
use core::ops::Range;

/// A word of 4 bits, b = 16, in the lower half of a byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Nibble(u8);

impl Nibble {
    /// A number below 256 as (low, high).
    fn cut(value: u8) -> (Self, Self) {
        (Self(value & 15), Self(value >> 4))
    }
}

impl Word for Nibble {
    const BITS: u32 = 4;
    const ZERO: Self = Self(0);
    const ONE: Self = Self(1);
    const MAX: Self = Self(15);

    fn mul_wide(self, other: Self) -> (Self, Self) {
        Self::cut(self.0 * other.0)
    }
    fn mul_low(self, other: Self) -> Self {
        self.mul_wide(other).0
    }
    fn mul_add(self, other: Self, addend: Self) -> (Self, Self) {
        Self::cut(self.0 * other.0 + addend.0)
    }
    fn mul_add_carry(self, other: Self, addend: Self, carry: Self) -> (Self, Self) {
        Self::cut(self.0 * other.0 + addend.0 + carry.0)
    }
    fn add_out(self, other: Self) -> (Self, bool) {
        self.add_carry(other, false)
    }
    fn add_carry(self, other: Self, carry: bool) -> (Self, bool) {
        let sum = self.0 + other.0 + u8::from(carry);
        (Self(sum & 15), sum > 15)
    }
    fn sub_out(self, other: Self) -> (Self, bool) {
        self.sub_borrow(other, false)
    }
    fn sub_borrow(self, other: Self, borrow: bool) -> (Self, bool) {
        let less = other.0 + u8::from(borrow);
        (Self(self.0.wrapping_sub(less) & 15), self.0 < less)
    }
    fn shift_right(self, count: u32) -> Self {
        assert!(count < Self::BITS);
        Self(self.0 >> count)
    }
    fn shift_left(self, count: u32) -> Self {
        assert!(count < Self::BITS);
        Self(self.0 << count & 15)
    }
    fn mask(condition: bool) -> Self {
        black_box(if condition { Self::MAX } else { Self::ZERO })
    }
    fn select(mask: Self, if_set: Self, if_clear: Self) -> Self {
        Self(if_clear.0 ^ (mask.0 & (if_set.0 ^ if_clear.0)))
    }
    fn flip(self, mask: Self) -> Self {
        Self(self.0 ^ mask.0)
    }
    fn is_zero(self) -> bool {
        self.0 == 0
    }
    fn from_u64(value: u64) -> Self {
        Self((value & 15) as u8)
    }
    fn to_u64(self) -> u64 {
        self.0.into()
    }
}

/// The generic text cut as no length in use here would cut it: leaves of Karatsuba of one word, tiles of a given length.
#[derive(Clone, Copy, Debug)]
struct Cut(usize);

impl<W: Word> Family<W> for Cut {
    fn leaf(self) -> impl Leaf<W> {
        Comba(1)
    }
    fn mul_rows(self, t: &mut [W], a: &[W], b: &[W]) {
        schoolbook::mul(t, a, b, self.0);
    }
    fn sqr_rows(self, t: &mut [W], a: &[W]) {
        schoolbook::sqr(t, a, self.0);
    }
    fn redc_rows(self, t: &mut [W], m: &[W], m_prime: W) -> bool {
        sos::redc_tiles(t, m, m_prime, self.0)
    }
    fn karatsuba_squares(self) -> usize {
        usize::MAX
    }
}

/// Room for a modulus with the words that KCM adds.
const MOST: usize = 4;
/// What memory holds before a text writes to it.
const DIRT: u64 = 0xaa;

fn put<W: Word>(words: &mut [W], value: u64) {
    for (i, word) in words.iter_mut().enumerate() {
        *word = W::from_u64(value >> (i as u32 * W::BITS) & W::MAX.to_u64());
    }
}

fn number<W: Word>(words: &[W]) -> u64 {
    words.iter().rev().fold(0, |value, word| value << W::BITS | word.to_u64())
}

/// b^n.
fn power<W: Word>(n: usize) -> u64 {
    1 << (n as u32 * W::BITS)
}

fn dirty<W: Word>(n: usize) -> Vec<W> {
    vec![W::from_u64(DIRT); n]
}

/// R^-1 modulo m for R = 2^bits, by halving.
fn inverse_of_power(bits: u32, m: u64) -> u64 {
    (0..bits).fold(1 % m, |x, _| if x % 2 == 0 { x / 2 } else { (x + m) / 2 })
}

/// The ring of the shipped text. Its numbers enter by a division that needs words of at least 7 bits (`ShortFactor::STEP_BITS`), so
/// the tests below write residues into the arena.
fn ring<W: Word, F: Family<W>>(m: u64, n: usize, product: Product, family: F) -> OddRing<W, F> {
    let mut words = dirty::<W>(n);
    put(&mut words, m);
    let bits = (u64::BITS - m.leading_zeros()) as usize;
    OddRing::with_short_factor(&words, ShortFactor::of_public_bits(&words, bits), product, family)
}

/// Prints a count for `make proofs`.
fn report(what: &str, cases: u64) {
    println!("small instances: {what}: {cases} cases");
}

/// One modulus of n words: products of the numbers a, `left`, by the numbers b of n words that `right` accepts, with a b < R m; squares
/// of a and what leaves the form. On wish also products by a plain b, sums and short products where a is a residue.
fn products<W: Word, F: Family<W>>(
    (m, n): (u64, usize),
    (organisation, family): (Product, F),
    left: Range<u64>,
    right: impl Fn(u64) -> bool,
    with_others: bool,
) -> u64 {
    let ring = ring::<W, F>(m, n, organisation, family);
    let words = ring.words();
    let (r, whole) = (power::<W>(words), power::<W>(n));
    let r_inverse = inverse_of_power(words as u32 * W::BITS, m);
    let (mut scratch, mut arena) = (dirty(ring.scratch_words()), dirty(3 * words));
    let (mut value, mut cases) = ([W::from_u64(DIRT); MOST], 0);
    let (one, two) = (words, 2 * words);
    for a in left {
        let context = || format!("{organisation} {family:?}, {n} words of {} bits, m = {m}, a = {a}", W::BITS);
        put(&mut arena[one..two], a);
        // The Montgomery product by 1, and by b: a b R^-1.
        let step = a % m * r_inverse % m;
        ring.leave(&mut value[..words], &arena, one, &mut scratch);
        assert_eq!(number(&value[..words]), step, "{}: leave", context());
        if a * a < r * m {
            ring.sqr(&mut arena, 0, one, &mut scratch);
            assert_eq!(number(&arena[..words]), step * (a % m) % m, "{}: square", context());
        }
        cases += 2;
        for b in (0..whole).take_while(|b| a * b < r * m).filter(|&b| right(b)) {
            let want = step * (b % m) % m;
            put(&mut arena[two..], b);
            ring.mul(&mut arena, 0, one, two, &mut scratch);
            assert_eq!(number(&arena[..words]), want, "{}: by {b}", context());
            cases += 1;
            if with_others && a < m {
                assert!(ring.leave_times(&mut value[..words], &arena, one, &arena[two..two + n], &mut scratch));
                assert_eq!(number(&value[..words]), want, "{}: by a plain {b}", context());
                cases += 1;
            }
            if with_others && a < m && b < m {
                put(&mut arena[..words], a);
                assert!(ring.add_canonical(&mut arena, 0, two));
                assert_eq!(number(&arena[..words]), (a + b) % m, "{}: plus {b}", context());
                cases += 1;
            }
        }
        for small in 0..if with_others && a < m { power::<W>(1) } else { 0 } {
            ring.mul_small(&mut arena, 0, one, W::from_u64(small), &mut scratch);
            assert_eq!(number(&arena[..words]), a * small % m, "{}: by one word, {small}", context());
            cases += 1;
        }
    }
    cases
}

/// One modulus of n words: the reduction of every T below `end`, at most R m.
fn reductions<W: Word, F: Family<W>>((m, n): (u64, usize), (organisation, family): (Product, F), end: u64) -> u64 {
    let ring = ring::<W, F>(m, n, organisation, family);
    let words = ring.words();
    let r_inverse = inverse_of_power(words as u32 * W::BITS, m);
    let (mut t, mut out) = (dirty(ring.scratch_words()), [W::from_u64(DIRT); MOST]);
    let constants = ring.montgomery();
    let mut want = 0;
    for number_of_t in 0..end {
        put(&mut t[..2 * words], number_of_t);
        let reduced = organisation.redc(family, &mut t, &constants);
        family.finish(reduced, &mut out[..words], constants.m);
        assert_eq!(number(&out[..words]), want, "{organisation} {family:?}, m = {m}, T = {number_of_t}");
        want += r_inverse;
        want -= if want >= m { m } else { 0 };
    }
    end
}

/// All odd moduli of at most n words and every pair of numbers of n words whose product the organisation may be given; then every
/// T < b^n m.
fn organisations<W: Word>(n: usize) {
    for product in Product::ALL {
        let whole = power::<W>(n);
        let (mut cases, mut reduced) = (0, 0);
        // The reduction of CIOS alone is that of SOS.
        let reduces = product != Product::Cios;
        let others = everything() || !reduces;
        for m in (1..whole).step_by(2) {
            cases += products::<W, _>((m, n), (product, Portable::USUAL), 0..whole, |_| true, others);
            if everything() {
                cases += products::<W, _>((m, n), (product, Cut(1)), 0..whole, |_| true, others);
            }
            if reduces {
                reduced += reductions::<W, _>((m, n), (product, Portable::USUAL), whole * m);
            }
            if reduces && everything() {
                reduced += reductions::<W, _>((m, n), (product, Cut(1)), whole * m);
            }
        }
        report(&format!("{product}, {n} words of {} bits", W::BITS), cases);
        if reduced > 0 {
            report(&format!("reduction of {product}, {n} words of {} bits", W::BITS), reduced);
        }
    }
}

#[test]
fn one_nibble() {
    organisations::<Nibble>(1);
}

#[test]
fn two_nibbles() {
    organisations::<Nibble>(2);
}

#[test]
fn one_byte() {
    organisations::<u8>(1);
}

/// Every product, low product, product modulo b^n - 1 and square of a pair of numbers, by every text, tile and leaf.
fn plain_products<W: Word>(n: usize) -> u64 {
    let (whole, mut cases) = (power::<W>(n), 0);
    let mut scratch = dirty::<W>(8 * n + karatsuba::scratch_words(n, 1));
    let mut t = dirty::<W>(2 * n);
    let (mut a_words, mut b_words) = (dirty::<W>(n), dirty::<W>(n));
    let tiles: Vec<usize> = (1..=n).filter(|&tile| n.is_multiple_of(tile)).collect();
    for a in 0..whole {
        put(&mut a_words, a);
        let is = |t: &[W], want: u64, what: &str, b: u64| {
            assert_eq!(number(t), want, "{what}, {n} words of {} bits: {a} by {b}", W::BITS);
            1
        };
        for &tile in &tiles {
            schoolbook::sqr(&mut t, &a_words, tile);
            cases += is(&t, a * a, "schoolbook", a);
        }
        comba::sqr(&mut t, &a_words);
        cases += is(&t, a * a, "comba", a);
        karatsuba::sqr(&mut t, &a_words, Comba(1), &mut scratch);
        cases += is(&t, a * a, "karatsuba", a);
        low::low_sqr(&mut t[..n], &a_words, Comba(1), &mut scratch);
        cases += is(&t[..n], a * a % whole, "low", a);
        for b in 0..whole {
            put(&mut b_words, b);
            for &tile in &tiles {
                schoolbook::mul(&mut t, &a_words, &b_words, tile);
                cases += is(&t, a * b, "schoolbook", b);
            }
            comba::mul(&mut t, &a_words, &b_words);
            cases += is(&t, a * b, "comba", b);
            karatsuba::mul(&mut t, &a_words, &b_words, Comba(1), &mut scratch);
            cases += is(&t, a * b, "karatsuba", b);
            low::low_mul(&mut t[..n], &a_words, &b_words, Comba(1), &mut scratch);
            cases += is(&t[..n], a * b % whole, "low", b);
            low::low_mul(&mut t[..n], &a_words, &b_words, Comba(n), &mut scratch);
            cases += is(&t[..n], a * b % whole, "low leaf", b);
            cyclic::mul(&mut t[..n], &a_words, &b_words, &[], Comba(1), &mut scratch);
            let cyclic = number(&t[..n]);
            assert!(cyclic % (whole - 1) == a * b % (whole - 1) && (cyclic == 0 || a * b > 0), "cyclic: {a} by {b}");
            cases += 1;
        }
    }
    cases
}

#[test]
fn products_of_small_words() {
    report("products, 1 words of 4 bits", plain_products::<Nibble>(1));
    report("products, 2 words of 4 bits", plain_products::<Nibble>(2));
    report("products, 1 words of 8 bits", plain_products::<u8>(1));
}

/// The inverse of every odd number of n words, and quotients by it.
fn inverses<W: Word>(n: usize) -> u64 {
    let (whole, bits) = (power::<W>(n), n as u32 * W::BITS);
    let (mut words, mut quotient, mut dividend) = (dirty::<W>(n), dirty::<W>(n), dirty::<W>(n));
    let mut cases = 0;
    for odd in (1..whole).step_by(2) {
        put(&mut words, odd);
        if n == 1 {
            assert_eq!(neg_mod_inv_limb(words[0]).to_u64() * odd % whole, whole - 1);
        }
        for k in 1..=bits {
            let inverse = number(&inverse_mod_power_of_two(&words, k as usize));
            assert!(inverse < 1 << k && inverse * odd % (1 << k) == 1 % (1 << k), "1/{odd} modulo 2^{k}");
            cases += 1;
        }
        for a in 0..if whole > 1 << 12 { 64 } else { whole } {
            put(&mut dividend, a);
            divide(&mut quotient, &mut dividend, &words);
            assert_eq!(number(&quotient) * odd % whole, a, "{a} / {odd}");
            cases += 1;
        }
    }
    cases
}

/// Residues modulo 2^k in n words: products and squares.
fn powers_of_two<W: Word>(n: usize) -> u64 {
    let mut cases = 0;
    for k in (n - 1) as u32 * W::BITS + 1..=n as u32 * W::BITS {
        let ring = PowerOfTwoRing::<W>::new(k as usize);
        let (mut scratch, mut arena) = (dirty(ring.scratch_words()), dirty(3 * n));
        for a in 0..1 << k {
            put(&mut arena[n..2 * n], a);
            ring.sqr(&mut arena, 0, n, &mut scratch);
            assert_eq!(number(&arena[..n]), a * a % (1 << k), "{a}^2 modulo 2^{k}");
            for b in 0..1 << k {
                put(&mut arena[2 * n..], b);
                ring.mul(&mut arena, 0, n, 2 * n, &mut scratch);
                assert_eq!(number(&arena[..n]), a * b % (1 << k), "{a} by {b} modulo 2^{k}");
                cases += 1;
            }
        }
    }
    cases
}

#[test]
fn small_powers_of_two() {
    report("inverses, 4 bits", inverses::<Nibble>(1) + inverses::<Nibble>(2) + inverses::<Nibble>(3));
    report("inverses, 8 bits", inverses::<u8>(1) + inverses::<u8>(2));
    report("modulo powers of two", powers_of_two::<Nibble>(1) + powers_of_two::<Nibble>(2) + powers_of_two::<u8>(1));
}

/// Every modulus of n words, odd or even: remainders of all numbers of 2n words below b^n m, and the residue of all below 2m.
fn remainders<W: Word>(n: usize) -> u64 {
    let (whole, mut cases) = (power::<W>(n), 0);
    let (mut words, mut p) = (dirty::<W>(n), dirty::<W>(2 * n));
    for m in 1..whole {
        put(&mut words, m);
        let bits = (u64::BITS - m.leading_zeros()) as usize;
        let divisor = ShortFactor::of_public_bits(&words, bits);
        for value in 0..whole * m {
            put(&mut p, value);
            divisor.reduce(&mut p, &words);
            assert_eq!(number(&p[..n]), value % m, "{value} modulo {m}");
        }
        for value in 0..2 * m {
            put(&mut p[..n], value % whole);
            let (value_words, out) = p.split_at_mut(n);
            Unreduced { words: value_words, overflow: value >= whole }.finish(out, &words);
            assert_eq!(number(out), value % m, "{value} modulo {m}");
        }
        cases += whole * m + 2 * m;
    }
    cases
}

#[test]
fn small_remainders() {
    report("remainders, 4 bits", remainders::<Nibble>(1) + remainders::<Nibble>(2));
    report("remainders, 8 bits", remainders::<u8>(1));
}

/// Moduli at the edges of two bytes, every a, and b at the edges and between them.
#[test]
fn two_bytes_at_edges() {
    let moduli = [1, 3, 0x7f, 0x81, 0xff, 0x101, 0x1ff, 0x7fff, 0x8001, 0x80ff, 0xc0ff, 0xff01, 0xfeff, 0xfffd, 0xffff];
    let is_edge = |b: u64| b % 0x1003 == 7 || [0, 1, 0xff, 0x100, 0x7fff, 0x8000, 0xff00, 0xfffe, 0xffff].contains(&b);
    for product in Product::ALL {
        let mut cases = 0;
        for m in moduli {
            let some = if everything() { 0..1 << 16 } else { 0xff00..1 << 16 };
            cases += products::<u8, _>((m, 2), (product, Portable::USUAL), some.clone(), is_edge, true);
            cases += products::<u8, _>((m, 2), (product, Cut(1)), some, is_edge, true);
        }
        report(&format!("{product}, 2 words of 8 bits at edges"), cases);
    }
}

/// n of PINGALA_SMALL_INSTANCES.
fn every() -> Option<usize> {
    let text = std::env::var("PINGALA_SMALL_INSTANCES").ok()?;
    Some(text.parse().expect("PINGALA_SMALL_INSTANCES is a number"))
}

/// Whether this is the long run.
fn everything() -> bool {
    every().is_some()
}

/// Runs `check` on odd moduli of three words of 4 bits, on all processors; returns the cases.
fn of_three_nibbles(check: impl Fn(u64) -> u64 + Sync) -> u64 {
    let moduli: Vec<u64> = match every() {
        Some(n) => (0..1 << 11).rev().step_by(n).map(|half: u64| 2 * half + 1).collect(),
        None => vec![1, 0x101, 0xfff],
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let share = |first| moduli.iter().skip(first).step_by(threads).map(|&m| check(m)).sum::<u64>();
    std::thread::scope(|scope| {
        let running: Vec<_> = (0..threads)
            .map(|first| {
                scope.spawn({
                    let share = &share;
                    move || share(first)
                })
            })
            .collect();
        running.into_iter().map(|thread| thread.join().unwrap()).sum()
    })
}

/// CIOS and SOS, which plans of three words use: all pairs of residues, every T < R m, and all products that are reduced.
#[test]
fn three_nibbles() {
    let residues = |m| products::<Nibble, _>((m, 3), (Product::Cios, Portable::USUAL), 0..m, move |b| b < m, false);
    report("cios, 3 words of 4 bits", of_three_nibbles(residues));
    for family in [3, 1] {
        let of_t = |m| reductions::<Nibble, _>((m, 3), (Product::Sos, Cut(family)), m << 12);
        report(&format!("reduction of sos by tiles of {family}, 3 words of 4 bits"), of_three_nibbles(of_t));
    }
    if everything() {
        report("products, 3 words of 4 bits", plain_products::<Nibble>(3));
    }
}
