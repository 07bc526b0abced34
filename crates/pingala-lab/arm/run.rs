//! One product, called as often as asked.

use crate::linear;
use crate::montgomery::sos::{Rows, Tiles};
use crate::montgomery::{Constants, Family, Product, neg_mod_inv_limb};
use crate::product::comba::{self, Comba};
use crate::product::{Leaf, karatsuba, schoolbook};
use crate::system::Output;
use alloc::vec::Vec;
use core::fmt::Write;
use core::hint::black_box;

/// Tiles and leaves of so many words.
#[derive(Clone, Copy, Debug)]
struct Words(usize);

impl Family<u32> for Words {
    fn rows(self, _: usize) -> impl Rows<u32> {
        Tiles(self.0)
    }
    fn leaf(self) -> impl Leaf<u32> {
        Comba(self.0)
    }
    fn padded_words(self, _: Product, n: usize) -> usize {
        n
    }
}

/// A modular product by organisation P of [`Product::ALL`], alone in a function, so that no caller's registers are in its way.
#[inline(never)]
fn mul<const P: usize>(
    words: Words,
    out: &mut [u32],
    t: &mut [u32],
    a: &[u32],
    b: &[u32],
    constants: &Constants<'_, u32>,
) {
    Product::ALL[P].mul(words, t, a, b, constants).finish(out, constants.m);
}

/// A modular square.
#[inline(never)]
fn sqr<const P: usize>(
    words: Words,
    out: &mut [u32],
    t: &mut [u32],
    a: &[u32],
    _: &[u32],
    constants: &Constants<'_, u32>,
) {
    Product::ALL[P].sqr(words, t, a, constants).finish(out, constants.m);
}

type Call = fn(Words, &mut [u32], &mut [u32], &[u32], &[u32], &Constants<'_, u32>);
const MUL: [Call; 9] = [mul::<0>, mul::<1>, mul::<2>, mul::<3>, mul::<4>, mul::<5>, mul::<6>, mul::<7>, mul::<8>];
const SQR: [Call; 9] = [sqr::<0>, sqr::<1>, sqr::<2>, sqr::<3>, sqr::<4>, sqr::<5>, sqr::<6>, sqr::<7>, sqr::<8>];

/// The words of a number, least significant first.
fn words(text: &str) -> Vec<u32> {
    let word = |digits: &[u8]| u32::from_str_radix(str::from_utf8(digits).expect("ASCII"), 16).expect("hexadecimal");
    text.as_bytes().rchunks(8).map(word).collect()
}

/// Hides from the compiler that every turn gets the same operands.
fn repeated(times: usize, mut call: impl FnMut()) {
    for _ in 0..black_box(times) {
        call();
    }
}

pub(crate) fn run(arguments: &[&str]) {
    let [name, operation, parameter, repetitions, a, b, m, m_prime] = arguments else {
        panic!("usage: products NAME mul|sqr PARAMETER REPETITIONS A B M M_PRIME")
    };
    let square = match *operation {
        "mul" => false,
        "sqr" => true,
        _ => panic!("mul or sqr, not {operation}"),
    };
    let number = |text: &str| text.parse::<usize>().expect("a count");
    let (parameter, times) = (number(parameter), number(repetitions));
    let (a, b, m, m_prime_full) = (words(a), words(b), words(m), words(m_prime));
    let n = m.len();
    assert!(a.len() == n && b.len() == n && m_prime_full.len() == n, "numbers of one length");
    let mut out = vec![0; n];
    let mut plain = vec![0; 2 * n];
    let mut scratch = vec![0u32; 12 * n + 64];
    match *name {
        "schoolbook" if square => repeated(times, || schoolbook::sqr(&mut plain, black_box(&a), parameter)),
        "schoolbook" => repeated(times, || schoolbook::mul(&mut plain, black_box(&a), &b, parameter)),
        "comba" if square => repeated(times, || comba::sqr(&mut plain, black_box(&a))),
        "comba" => repeated(times, || comba::mul(&mut plain, black_box(&a), &b)),
        "karatsuba" if square => {
            repeated(times, || karatsuba::sqr(&mut plain, black_box(&a), Comba(parameter), &mut scratch));
        }
        "karatsuba" => {
            repeated(times, || karatsuba::mul(&mut plain, black_box(&a), &b, Comba(parameter), &mut scratch));
        }
        name => {
            let product: Product = name.parse().expect("a product");
            let mut m_diff = vec![0; n / 2];
            let m_diff_negative = linear::abs_diff(&mut m_diff, &m[..n / 2], &m[n - n / 2..]);
            let constants = Constants {
                m: &m,
                m_prime: neg_mod_inv_limb(m[0]),
                m_prime_full: &m_prime_full,
                m_diff: &m_diff,
                m_diff_negative,
            };
            assert!(product.scratch_words(n, parameter) <= scratch.len());
            let at = Product::ALL.iter().position(|&listed| listed == product).expect("all are listed");
            let call = if square { SQR[at] } else { MUL[at] };
            repeated(times, || call(Words(parameter), &mut out, &mut scratch, black_box(&a), &b, &constants));
        }
    }
    let result = if plain.iter().any(|&word| word != 0) { &plain } else { &out };
    for word in result.iter().rev() {
        write!(Output, "{word:08x}").expect("standard output takes it");
    }
    writeln!(Output).expect("standard output takes it");
}
