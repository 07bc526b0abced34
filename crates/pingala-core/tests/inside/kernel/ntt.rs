//! The transforms against a naive convolution, and Montgomery's reduction on them against big integers, for every instruction family
//! in plain Rust and, if the CPU has the instructions, in these.

#![allow(unsafe_code)]

#[path = "ntt_bounds.rs"]
mod bounds;
#[path = "ntt_parts.rs"]
mod parts;

use super::compiled::FieldProgram;
use super::digits;
use super::doubles::{DoubleField, Four};
use super::eight::Eight;
use super::instructions::Instructions;
use super::length::{Length, ODD_FACTORS, largest_digit};
use super::montgomery::{self, OddModulus};
use super::primes::{PRIME_SETS, PrimeSet};
use super::product;
use super::product::{CyclicProducts, LongProducts, long_products, product_by_pieces};
use super::products::Products;
use super::ring::NttRing;
use super::scalar::Scalar;
use super::transform::Wrapping;
use crate::kernel::Ring;
use crate::kernel::conformance::{Dice, big, cases, words};
use crate::kernel::vector::plain::Plain;
#[cfg(target_arch = "x86_64")]
use crate::suite::common::skipped;
pub(super) use bounds::Bounds;
use num_bigint::BigUint;

/// Four doubles in plain Rust.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlainFour;

fn lanes(f: impl FnMut(usize) -> u64) -> [u64; 4] {
    core::array::from_fn(f)
}

fn on_doubles(a: [u64; 4], b: [u64; 4], f: impl Fn(f64, f64) -> f64) -> [u64; 4] {
    lanes(|i| f(f64::from_bits(a[i]), f64::from_bits(b[i])).to_bits())
}

impl Four for PlainFour {
    type Vector = [u64; 4];

    fn run(self, program: impl FieldProgram) {
        program.run(DoubleField(self));
    }
    fn splat(self, x: f64) -> [u64; 4] {
        [x.to_bits(); 4]
    }
    // Additions are checked to be exact: a bound of the transforms that does not hold shows here.
    fn add(self, a: [u64; 4], b: [u64; 4]) -> [u64; 4] {
        on_doubles(a, b, |a, b| {
            assert!(a.abs().max(b.abs()) >= 9e15 || (a + b).abs() < 9_007_199_254_740_992.0, "{a} + {b}");
            a + b
        })
    }
    fn sub(self, a: [u64; 4], b: [u64; 4]) -> [u64; 4] {
        self.add(a, lanes(|i| b[i] ^ 1 << 63))
    }
    fn mul(self, a: [u64; 4], b: [u64; 4]) -> [u64; 4] {
        on_doubles(a, b, |a, b| a * b)
    }
    fn mul_sub(self, a: [u64; 4], b: [u64; 4], c: [u64; 4]) -> [u64; 4] {
        lanes(|i| f64::from_bits(a[i]).mul_add(f64::from_bits(b[i]), -f64::from_bits(c[i])).to_bits())
    }
    fn sub_product(self, c: [u64; 4], a: [u64; 4], b: [u64; 4]) -> [u64; 4] {
        lanes(|i| (-f64::from_bits(a[i])).mul_add(f64::from_bits(b[i]), f64::from_bits(c[i])).to_bits())
    }
    fn round(self, a: [u64; 4]) -> [u64; 4] {
        a.map(|a| f64::from_bits(a).round_ties_even().to_bits())
    }
    fn halves(self, words: [u64; 4]) -> [[u64; 4]; 2] {
        let double = |word: u64| (word as f64).to_bits();
        [words.map(|word| double(word & 0xffff_ffff)), words.map(|word| double(word >> 32 << 32))]
    }
    fn words(self, x: [u64; 4]) -> [u64; 4] {
        x.map(|x| {
            let x = f64::from_bits(x);
            assert!((0.0..4_503_599_627_370_496.0).contains(&x), "{x}");
            x as u64
        })
    }
    fn transpose(self, x: [[u64; 4]; 4]) -> [[u64; 4]; 4] {
        core::array::from_fn(|place| lanes(|lane| x[lane][place]))
    }
}

/// A test for any family.
trait Test {
    fn on(&mut self, field: Instructions, name: &str);
}

fn on_every_family(mut test: impl Test) {
    test.on(Scalar.into(), "words");
    test.on(Eight(Plain).into(), "eight lanes in plain Rust");
    test.on(DoubleField(PlainFour).into(), "doubles in plain Rust");
    #[cfg(target_arch = "x86_64")]
    {
        match crate::kernel::vector::avx512::Avx512::detected() {
            Some(ops) => test.on(Eight(ops).into(), "IFMA"),
            None => skipped("no AVX-512 IFMA, in plain Rust only"),
        }
        match super::avx2::FourOnAvx2::new() {
            Some(ops) => test.on(DoubleField(ops).into(), "AVX2"),
            None => skipped("no AVX2 and FMA, in plain Rust only"),
        }
    }
}

/// Every odd factor, with the shortest powers of two and with some that take passes of one, two and three levels.
fn lengths(most: usize) -> impl Iterator<Item = Length> {
    let of_odd = move |odd: usize| {
        let least = if odd == 1 { 7 } else { 6 };
        (least..14).map(move |log| Length { odd, log, digit_bits: if log.is_multiple_of(2) { 64 } else { 60 } })
    };
    ODD_FACTORS.into_iter().flat_map(of_odd).filter(move |length| length.digits() <= most)
}

fn number(digits: &[u64], length: Length) -> BigUint {
    let mut limbs = vec![0; length.digits()];
    digits::to_limbs(&mut limbs, digits, length.digit_bits);
    big(&limbs)
}

fn digits_of(number: &BigUint, length: Length) -> Vec<u64> {
    let mut out = vec![0; length.digits()];
    digits::from_limbs(&mut out, &words::<u64>(number, length.digits() + 1), 0, length.digit_bits);
    out
}

#[test]
fn the_primes_are_prime_and_have_the_roots() {
    for prime in PRIME_SETS.iter().flat_map(|set| &set.primes) {
        let (p, order) = (prime.p, prime.order);
        assert!((1..1 << 24).all(|divisor: u64| divisor < 2 || !p.is_multiple_of(divisor)), "{p} has a divisor");
        assert!(p % order == 1 && p >> 47 == 1);
        for factor in [2, 3, 5, 7] {
            if order.is_multiple_of(factor) {
                assert_ne!(prime.power(prime.root(order), order / factor), 1, "{p}");
            }
        }
        assert_eq!(prime.power(prime.root(order), order), 1);
        for a in [0, 1, 2, p / 2, p - 2, p - 1] {
            for bits in [52, 64] {
                assert_eq!(u128::from(prime.quotient(a, bits)), (u128::from(a) << bits) / u128::from(p));
            }
            for b in [0, 1, p / 3, p - 1] {
                assert_eq!(u128::from(prime.mul(a, b)), u128::from(a) * u128::from(b) % u128::from(p));
            }
        }
    }
}

/// Products modulo 2^m - 1 and 2^m + 1 of numbers at the edges.
struct Wrapped(usize);

impl Test for Wrapped {
    fn on(&mut self, field: Instructions, name: &str) {
        let mut dice = Dice::new(11);
        // Under Miri the one that has an odd factor: others do without.
        for length in lengths(self.0).skip(usize::from(cfg!(miri))) {
            let (products, l) = (Products::new(field, length), length.digits());
            let largest = largest_digit(length.digit_bits);
            let random: Vec<u64> = dice.number::<u64>(l).into_iter().map(|word| word & largest).collect();
            let mut one = vec![0; l];
            one[0] = 1;
            let mut top = vec![0; l];
            top[l - 1] = largest;
            let edges: Vec<_> = cases(1, [random, vec![largest; l], vec![0; l], one, top]).collect();
            for (i, a) in edges.iter().enumerate() {
                for b in &edges[i..] {
                    wraps(&products, [a, b], name);
                }
            }
        }
    }
}

/// The product of two numbers modulo 2^m - 1 and 2^m + 1.
fn wraps(products: &Products, [a, b]: [&[u64]; 2], name: &str) {
    let length = products.length;
    let l = length.digits();
    let product = number(a, length) * number(b, length);
    for kind in [Wrapping::Cyclic, Wrapping::Negacyclic] {
        let (mut x, mut y) = (vec![0; 3 * l], vec![0; l]);
        for (i, x) in x.chunks_exact_mut(l).enumerate() {
            products.forward_one(i, kind, a, x);
            products.forward_one(i, kind, b, &mut y);
            products.reduce_one(i, &mut y);
            products.multiply_one(i, kind, [x, &mut []], Some(&y));
        }
        let mut out = vec![0; l];
        let whole = products.wrapped(kind, &x, &mut out);
        let power = BigUint::from(1u32) << length.bits();
        let (modulus, got) = match kind {
            Wrapping::Cyclic => (&power - 1u32, number(&out, length)),
            Wrapping::Negacyclic if whole => (&power + 1u32, power.clone()),
            Wrapping::Negacyclic => (&power + 1u32, number(&out, length)),
        };
        assert_eq!(got % &modulus, &product % &modulus, "{name}, {length:?}, {kind:?}");
    }
}

#[test]
fn products_wrap_around() {
    on_every_family(Wrapped(if cfg!(miri) { 200 } else { 1100 }));
}

/// Lengths whose blocks are done one by one, at two depths, and for each of several trees, in one family. One number is short, for the
/// oracle's sake.
struct Far(&'static str);

impl Test for Far {
    fn on(&mut self, field: Instructions, name: &str) {
        if name != self.0 {
            return;
        }
        let mut dice = Dice::new(17);
        for (odd, log) in [(1, 18), (3, 15), (9, 15)] {
            let length = Length { odd, log, digit_bits: 60 };
            let products = Products::new(field, length);
            let [a, b] = [length.digits(), 3].map(|count| {
                let mut number: Vec<u64> = dice.number::<u64>(count).into_iter().map(|word| word >> 4).collect();
                number.resize(length.digits(), 0);
                number
            });
            wraps(&products, [&a, &b], name);
        }
    }
}

#[test]
#[cfg_attr(miri, ignore)]
fn far_blocks_of_words_one_by_one() {
    on_every_family(Far("words"));
}

#[test]
#[cfg_attr(miri, ignore)]
fn far_blocks_on_ifma_one_by_one() {
    on_every_family(Far("IFMA"));
}

#[test]
#[cfg_attr(miri, ignore)]
fn far_blocks_on_avx2_one_by_one() {
    on_every_family(Far("AVX2"));
}

/// A product, a square: against big integers, for moduli and operands at the edges, S = 2^m among the results.
struct Reduced(usize);

impl Test for Reduced {
    fn on(&mut self, field: Instructions, name: &str) {
        let mut dice = Dice::new(12);
        let one = BigUint::from(1u32);
        for length in lengths(self.0) {
            let products = Products::new(field, length);
            let m = length.bits();
            let r = &one << m;
            let mut random = |bits: usize| big(&dice.number::<u64>(bits.div_ceil(64))) % (&one << bits);
            let moduli = [
                random(m) | &one | &one << (m - 1),
                &r - 1u32,
                &r - 59u32,
                (&one << (m - 1)) + 1u32,
                (&one << (m - 1)) - 1u32,
                (&one << (m * 2 / 3)) + 1u32,
                BigUint::from(3u32),
                one.clone(),
            ];
            for n in cases(1, &moduli) {
                let limbs = n.to_u64_digits();
                let odd = OddModulus::new(&products, &limbs);
                let mut scratch = vec![0xdead_beef_dead_beef; montgomery::scratch_words(length)];
                let mut operands: Vec<_> = cases(1, [random(m) % n, n - 1u32, BigUint::ZERO, &one % n]).collect();
                // t = -1 for the product by 1: a = q N - R.
                let q = (&r + n - 1u32) / n;
                let a = &q * n - &r;
                if q < r && &a < n {
                    operands.push(a);
                }
                for (i, a) in operands.iter().enumerate() {
                    for b in operands[i..].iter().map(Some).chain([None]) {
                        let [x, y] = [a, b.unwrap_or(a)].map(|number| digits_of(number, length));
                        let got = odd.product(&products, (&x, b.map(|_| &*y)), &mut scratch);
                        let got = number(got, length);
                        assert!(
                            &got < n && (&got << m) % n == a * b.unwrap_or(a) % n,
                            "{name}, {length:?}, {n:x}, {a:x}"
                        );
                    }
                }
                let top = digits_of(&(&r - 1u32), length);
                let other = digits_of(&(n - 1u32), length);
                let got = number(odd.product(&products, (&top, Some(&other)), &mut scratch), length);
                assert!(&got < n && (got << m) % n == (&r - 1u32) * (n - 1u32) % n, "{name}, {length:?}");
            }
        }
    }
}

#[test]
fn products_are_reduced() {
    on_every_family(Reduced(if cfg!(miri) { 128 } else { 700 }));
}

/// The ring modulo a power of two: against big integers, for residues and factors at the edges, modulo 2^(DL), a little less, and one bit.
struct Low(usize);

impl Test for Low {
    fn on(&mut self, field: Instructions, name: &str) {
        let mut dice = Dice::new(16);
        for length in lengths(self.0) {
            let limbs = length.bits() / 64;
            for bits in cases(1, [length.bits() - 1, length.bits(), length.bits() - 64, length.bits() / 2 + 3, 1]) {
                let ring = NttRing::of_power_of_two(field, bits, length);
                let (l, m) = (ring.words(), BigUint::from(1u8) << bits);
                let dirt = 0xdead_beef_dead_beef;
                let (mut arena, mut scratch) = (vec![dirt; 3 * l], vec![dirt; ring.scratch_words()]);
                let mut out = vec![dirt; l];
                let mut one = vec![0; limbs];
                one[0] = 1;
                let edges = [dice.number(2 * limbs + 1), vec![u64::MAX; limbs], vec![], one, dice.number(limbs)];
                let edges: Vec<_> = cases(1, edges).collect();
                for (i, a) in edges.iter().enumerate() {
                    ring.enter(&mut arena, 0, a, &mut scratch);
                    for b in &edges[i..] {
                        ring.enter(&mut arena, l, b, &mut scratch);
                        ring.mul(&mut arena, 2 * l, 0, l, &mut scratch);
                        ring.leave(&mut out, &arena, 2 * l, &mut scratch);
                        assert_eq!(big(&out), big(a) * big(b) % &m, "{name}, {length:?}, {bits} bits");
                        ring.mul(&mut arena, l, 0, l, &mut scratch);
                        assert_eq!(arena[l..2 * l], arena[2 * l..], "onto its operand");
                    }
                    ring.sqr_n(&mut arena, l, 0, 2, &mut scratch);
                    ring.leave(&mut out, &arena, l, &mut scratch);
                    assert_eq!(big(&out), big(a).modpow(&BigUint::from(4u8), &m), "{name}, {length:?}, {bits} bits");
                    for small in cases(1, [3, 0, 1, u64::MAX]) {
                        ring.mul_small(&mut arena, l, 0, small, &mut scratch);
                        ring.leave(&mut out, &arena, l, &mut scratch);
                        assert_eq!(big(&out), big(a) * small % &m, "{name}, {length:?}, {bits} bits, {small:x}");
                        ring.mul_small(&mut arena, l, l, u64::MAX, &mut scratch);
                        ring.leave(&mut out, &arena, l, &mut scratch);
                        assert_eq!(big(&out), big(a) * small * u64::MAX % &m, "{name}, {length:?}, {bits} bits");
                    }
                }
                ring.one(&mut arena, 0, &mut scratch);
                ring.leave(&mut out, &arena, 0, &mut scratch);
                assert_eq!(big(&out), BigUint::from(1u8) % &m);
            }
        }
    }
}

#[test]
fn low_products() {
    on_every_family(Low(if cfg!(miri) { 128 } else { 700 }));
}

/// Long moduli, whose digits have 64 and 60 bits: every instance against big integers.
struct Long;

impl Test for Long {
    fn on(&mut self, field: Instructions, name: &str) {
        if name.contains("plain Rust") {
            return;
        }
        let mut dice = Dice::new(13);
        for limbs in [521, 1900, 4095, 33_000] {
            let mut modulus = dice.number::<u64>(limbs);
            modulus[0] |= 1;
            modulus[limbs - 1] |= 1;
            let ring = NttRing::new(field, &modulus);
            let l = ring.words();
            let (mut arena, mut scratch) = (vec![0; 3 * l], vec![0; ring.scratch_words()]);
            let [a, b] = [0, 1].map(|_| dice.number::<u64>(limbs));
            let mut out = vec![0; limbs];
            ring.enter(&mut arena, 0, &a, &mut scratch);
            ring.enter(&mut arena, l, &b, &mut scratch);
            ring.mul(&mut arena, 2 * l, 0, l, &mut scratch);
            ring.leave(&mut out, &arena, 2 * l, &mut scratch);
            assert_eq!(big(&out), big(&a) * big(&b) % big(&modulus), "{name}, {limbs}");
        }
    }
}

#[test]
#[cfg_attr(miri, ignore)]
fn long_numbers_are_right() {
    on_every_family(Long);
}

/// The lengths leave no gap of more than a fifth, hold what they are for, and stay within the bounds of the digits.
#[test]
fn lengths_hold_their_numbers() {
    let mut before = 0;
    for limbs in (1..2000).chain((2000..super::MAX_LIMBS).step_by(997)).chain([super::MAX_LIMBS]) {
        let length = Length::of_bits(64 * limbs);
        assert!(length.bits() >= 64 * limbs && length.digits() >= before, "{limbs}: {length:?}");
        // The widest gap is from 5 2^k to 6 2^k.
        assert!(limbs <= 512 || 5 * length.bits() <= 6 * 64 * limbs + 320, "{limbs}: {length:?}");
        let coefficient = BigUint::from(length.digits()) << (2 * length.digit_bits);
        let p: BigUint = PrimeSet::of_odd(length.odd).primes.iter().map(|prime| BigUint::from(prime.p)).product();
        assert!(coefficient * 100u32 <= p * 47u32, "{length:?}");
        before = length.digits();
    }
}

/// The ring of a length with digits of 60 bits, which planned moduli reach only at two million bits.
#[test]
fn rings_of_short_digits_are_right() {
    let length = Length { odd: 1, log: 7, digit_bits: 60 };
    let mut dice = Dice::new(14);
    for bits in [length.bits(), length.bits() - 1, 3000] {
        let modulus = (big(&dice.number::<u64>(bits.div_ceil(64))) % (BigUint::from(1u32) << bits))
            | BigUint::from(1u32)
            | BigUint::from(1u32) << (bits - 1);
        let limbs = modulus.to_u64_digits();
        let ring = NttRing::of_odd(Scalar.into(), &limbs, length);
        let l = ring.words();
        let (mut arena, mut scratch) = (vec![0; 2 * l], vec![0; ring.scratch_words()]);
        let (a, mut out) = (dice.number::<u64>(300), vec![0; l]);
        ring.enter(&mut arena, 0, &a, &mut scratch);
        ring.sqr(&mut arena, l, 0, &mut scratch);
        ring.mul_small(&mut arena, l, l, u64::MAX, &mut scratch);
        ring.leave(&mut out, &arena, l, &mut scratch);
        assert_eq!(big(&out), big(&a) * big(&a) * u64::MAX % &modulus, "{bits}");
    }
}

/// Products by one factor, on a family.
struct Factors(Dice);

impl Test for Factors {
    fn on(&mut self, field: Instructions, name: &str) {
        for limbs in cases(1, [128, 192, 200, 320, 576, 960, 1000]) {
            let (a_limbs, b_limbs) = (limbs * 2 / 3, limbs / 2);
            let mut products = CyclicProducts::new(field, limbs);
            let pairs = [
                (vec![u64::MAX; a_limbs], vec![u64::MAX; b_limbs]),
                (vec![0; a_limbs], vec![u64::MAX; b_limbs]),
                (self.0.number(a_limbs), self.0.number(b_limbs)),
                (self.0.number(limbs), vec![1]),
            ];
            for (a, b) in cases(1, pairs) {
                products.set_factor(&b, limbs);
                // What is above m bits comes in at the bottom.
                let m = 64 * products.limbs();
                let modulus = (BigUint::from(1u8) << m) - 1u8;
                let mut out = vec![1; m / 64];
                products.times(&mut out, &a);
                assert_eq!(big(&out) % &modulus, big(&a) * big(&b) % &modulus, "{name}, {limbs} limbs");
            }
        }
    }
}

#[test]
fn factors_wrap_around() {
    on_every_family(Factors(Dice::new(7)));
}

#[test]
fn long_products_by_pieces() {
    let mut dice = Dice::new(8);
    let mut products = long_products(1000);
    for [a, b] in [[0, 5], [1, 1], [99, 100], [100, 101], [250, 301], [700, 3]] {
        for (a, b) in [(dice.number(a), dice.number(b)), (vec![u64::MAX; a], vec![u64::MAX; b])] {
            let expected = big(&a) * big(&b);
            assert_eq!(big(&product(&mut *products, &a, &b)), expected);
            assert_eq!(big(&product_by_pieces(&mut *products, &a, &b, 100)), expected);
        }
    }
}
