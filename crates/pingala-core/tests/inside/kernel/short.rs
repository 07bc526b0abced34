//! Tests of `kernel/short.rs`.

use super::*;
use crate::kernel::product::schoolbook;

#[test]
fn reciprocals_are_exact() {
    for d in 0x80..=u8::MAX {
        assert_eq!(u32::from(reciprocal_of_word(d)) + 256, 0xffff / u32::from(d), "{d}");
        for d0 in 0..=u8::MAX {
            let divisor = u32::from(d) << 8 | u32::from(d0);
            assert_eq!(u32::from(reciprocal(d, d0, reciprocal_of_word(d))) + 256, 0xff_ffff / divisor, "{divisor:x}");
        }
    }
    let exact = |d: u64| (u128::MAX / u128::from(d) - (1 << 64)) as u64;
    let top = 1u64 << 63;
    let scattered = (0..20_000u64).map(|i| top | i.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    for d in (0..1000).flat_map(|i| [top + i, u64::MAX - i, top | 1 << (i % 63)]).chain(scattered) {
        assert_eq!(reciprocal_of_word(d), exact(d), "{d:x}");
        assert_eq!(reciprocal(d, 0, exact(d)), exact(d), "{d:x}");
    }
}

/// By a division or without one, the estimate of a quotient is the same.
#[test]
fn both_reciprocals_are_the_same() {
    for d in 0x80..=0xffu8 {
        for below in [0, 1, 0x7f, 0x80, 0xff] {
            for (m, bits) in [([below, d, 0], 16), ([below, d >> 3, 0], 13), ([below, below, d], 24)] {
                let (divided, iterated) = (ShortFactor::of_public_bits(&m, bits), ShortFactor::of_bits(&m, bits));
                assert_eq!(divided.reciprocal, iterated.reciprocal, "{m:x?}");
            }
        }
        let m = [0, u64::from(d) << 56 | 0x1234_5678_9abc];
        let (divided, iterated) = (ShortFactor::of_public_bits(&m, 128), ShortFactor::of_bits(&m, 128));
        assert_eq!(divided.reciprocal, iterated.reciprocal, "{m:x?}");
    }
}

/// Every divisor of two bytes, with dividends around every multiple at which an estimate could go wrong, and its edges.
#[test]
fn quotients_are_exact() {
    for divisor in 0x8000..=0xffffu32 {
        let short = ShortFactor::of_bits(&[divisor as u8, (divisor >> 8) as u8], 16);
        let edges = [0, 1, 2, 127, 128, 254, 255].map(|q| q * divisor);
        let around =
            edges.into_iter().flat_map(|p| [p, p + 1, p + divisor - 1]).chain([divisor << 8, divisor << 8 | 255]);
        for p in around {
            let q = short.quotient((p >> 16) as u8, (p >> 8) as u8, p as u8);
            assert_eq!(u32::from(q), (p / divisor).min(255), "{p:x} / {divisor:x}");
        }
    }
}

/// Moduli of one and two bytes, padded or not, and values of up to four.
#[test]
fn values_enter() {
    let values = [0u32, 1, 0xff, 0x100, 0xffff, 0x7fff, 0x12_3456, 0x8000_0000, 0xff00_ff01, u32::MAX];
    for m in (1..=0xffffu32).step_by(if cfg!(miri) { 1009 } else { 3 }) {
        let words = [m as u8, (m >> 8) as u8, 0];
        let short = ShortFactor::of_bits(&words, linear::bits(&words));
        for value in values.into_iter().chain([m, m - 1]) {
            for length in value.to_le_bytes().iter().rposition(|&byte| byte != 0).map_or(0, |top| top + 1)..=4 {
                for n in (if m < 0x100 { 1 } else { 2 })..=3 {
                    let mut out = [0xaa; 3];
                    short.enter(&mut out[..n], &value.to_le_bytes()[..length], &words[..n], &mut [0xaa; 4]);
                    let got = out[..n].iter().rev().fold(0, |sum, &word| sum << 8 | u64::from(word));
                    let want = |zeros| (u64::from(value) << zeros) % u64::from(m);
                    assert_eq!(got, want(8 * n), "{value:x} 2^{} mod {m:x}", 8 * n);
                    let zeros = value as usize % 32;
                    let value_words = &value.to_le_bytes()[..length];
                    short.enter_shifted(&mut out[..n], value_words, zeros, &words[..n], &mut [0xaa; 4]);
                    let got = out[..n].iter().rev().fold(0, |sum, &word| sum << 8 | u64::from(word));
                    assert_eq!(got, want(zeros), "{value:x} 2^{zeros} mod {m:x}");
                }
            }
        }
    }
}

/// Rows for blocks of a few words of the quotient, in generic code.
#[derive(Clone, Copy, Debug)]
struct Rows(usize);

impl Leaf<u8> for Rows {
    fn words(self) -> usize {
        1
    }
    fn square_words(self) -> usize {
        1
    }
    fn low_words(self) -> usize {
        1
    }
    fn mul(self, _: &mut [u8], _: &[u8], _: &[u8]) {
        unreachable!()
    }
    fn sqr(self, _: &mut [u8], _: &[u8]) {
        unreachable!()
    }
    fn low_mul(self, _: &mut [u8], _: &[u8], _: &[u8]) {
        unreachable!()
    }
    fn low_sqr(self, _: &mut [u8], _: &[u8]) {
        unreachable!()
    }
    fn rows(self) -> usize {
        self.0
    }
    fn add_rows(self, t: &mut [u8], a: &[u8], b: &[u8]) {
        t[a.len()..].fill(0);
        for (i, &factor) in b.iter().enumerate() {
            let (row, above) = t[i..].split_at_mut(a.len());
            let carry = schoolbook::add_row(row, a, factor);
            assert!(!linear::add_word(above, carry));
        }
    }
}

/// Divisors with long runs of zeros and ones by blocks of every length, with quotients at their edges and dividends next to multiples.
#[test]
fn remainders_by_blocks() {
    let big = |words: &[u8]| num_bigint::BigUint::from_bytes_le(words);
    let tops: &[u8] = if cfg!(miri) { &[1, 0xff] } else { &[1, 2, 0x7f, 0x80, 0x81, 0xfe, 0xff] };
    let edges = [[0, 0], [1, 0], [0xff, 0xff], [0xfe, 0xff], [0, 0x80], [0x5a, 0xa7]];
    let lengths = if cfg!(miri) { [3, 7] } else { [3, 12] };
    for length in lengths[0]..=lengths[1] {
        let divisors = tops.iter().flat_map(|&top| {
            edges.map(|[low, middle]| {
                let mut m = vec![middle; length];
                (m[0], m[length - 1]) = (low, top);
                m
            })
        });
        for m in divisors {
            let short = ShortFactor::of_bits(&m, linear::bits(&m));
            for rows in [1, 2, 3, 8] {
                for quotient_words in [1, 2, 5, 9] {
                    for [low, middle] in edges {
                        let mut quotient = vec![middle; quotient_words];
                        quotient[0] = low;
                        let product = big(&quotient) * big(&m);
                        for rest in [big(&[0]), big(&[1]), big(&m) - 1u32] {
                            let mut p = (&product + &rest).to_bytes_le();
                            p.resize(length + quotient_words, 0);
                            short.reduce_by_blocks(&mut p, &m, Rows(rows));
                            assert_eq!(big(&p[..length]), rest, "{m:x?}, {quotient:x?}, blocks of {rows}");
                        }
                    }
                }
            }
        }
    }
}

/// Divisors of three bytes by both texts, with dividends next to multiples.
#[test]
fn remainders_by_rows() {
    let add_row = |t: &mut [u8], a: &[u8], factor: u8| schoolbook::add_row(t, a, factor);
    let edges = [0, 1, 2, 0x7f, 0x80, 0xfe, 0xff];
    for top in (1..=255u8).step_by(if cfg!(miri) { 51 } else { 1 }) {
        for [middle, low] in edges.into_iter().flat_map(|middle| edges.map(|low| [middle, low])) {
            let m = [low, middle, top];
            let number = |words: &[u8]| words.iter().rev().fold(0u64, |sum, &word| sum << 8 | u64::from(word));
            let divisor = ShortFactor::of_bits(&m, linear::bits(&m));
            for quotient in edges.into_iter().flat_map(|high| edges.map(|low| u64::from(high) << 8 | u64::from(low))) {
                for rest in [0, 1, number(&m) - 1] {
                    let p = (quotient * number(&m) + rest).to_le_bytes();
                    for by_rows in [false, true] {
                        let mut p = p;
                        let p = &mut p[..5];
                        if by_rows {
                            divisor.reduce_by_rows(p, &m, add_row);
                        } else {
                            divisor.reduce(p, &m);
                        }
                        assert_eq!((number(&p[..3]), &p[3..]), (rest, &[0, 0][..]), "{m:x?}, {quotient:x}, {rest:x}");
                    }
                }
            }
        }
    }
}

/// Values enter by blocks as they do without, with as little scratch as there may be, and more.
#[test]
fn values_enter_by_blocks() {
    for (n, length) in [(BLOCKS_FROM - 1, BLOCKS_FROM - 1), (BLOCKS_FROM, BLOCKS_FROM), (BLOCKS_FROM + 2, BLOCKS_FROM)]
    {
        let m: Vec<u8> = (0..n).map(|i| if i < length { 151 - (3 * i) as u8 } else { 0 }).collect();
        let short = ShortFactor::of_bits(&m, linear::bits(&m));
        for value_words in [0, 1, 2, length, length + 9, 3 * length] {
            let value: Vec<u8> = (0..value_words).map(|i| (i * i + 200) as u8).collect();
            let mut expected = vec![7; n];
            short.enter(&mut expected, &value, &m, &mut vec![7; n + 1]);
            for scratch_words in [n + 1, n + value_words, n + value_words + 1, n + value_words + 9] {
                let (mut out, mut scratch) = (vec![7; n], vec![7; scratch_words.max(n + 1)]);
                short.enter_on(&mut out, &value, &m, &mut scratch, Rows(8));
                assert_eq!(out, expected, "{value_words} words modulo {length} of {n}, {scratch_words} of scratch");
            }
        }
    }
}

#[test]
fn constants_are_wiped() {
    let mut short = ShortFactor::of_bits(&[0x1234_5678_u64, 0x8765_4321], 96);
    assert!([short.divisor, short.below, short.reciprocal].iter().all(|&word| word != 0));
    short.wipe();
    assert_eq!([short.divisor, short.below, short.reciprocal], [0; 3]);
}
