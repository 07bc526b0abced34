//! One product, called as often as asked.

use crate::linear;
use crate::montgomery::karatsuba_sos::USUAL_KARATSUBA_SQUARES;
use crate::montgomery::{Constants, Family, Product, kcm, neg_mod_inv_limb, sos};
use crate::organisations::{cihs, fios, fips, karatsuba_comba, separated_comba};
use crate::product::comba::{self, Comba};
use crate::product::{Leaf, karatsuba, schoolbook};
use crate::system::Output;
use crate::word::Word;
use alloc::vec::Vec;
use core::fmt::Write;
use core::hint::black_box;

/// The length of tiles and leaves, in words.
#[derive(Clone, Copy, Debug)]
struct Words(usize);

impl<W: Word> Family<W> for Words {
    fn leaf(self) -> impl Leaf<W> {
        Comba(self.0)
    }
    fn mul_rows(self, t: &mut [W], a: &[W], b: &[W]) {
        schoolbook::mul(t, a, b, self.0);
    }
    fn sqr_rows(self, t: &mut [W], a: &[W]) {
        schoolbook::sqr(t, a, self.0);
    }
    #[inline(always)]
    fn redc_rows(self, t: &mut [W], m: &[W], m_prime: W) -> bool {
        sos::redc_tiles(t, m, m_prime, self.0)
    }
    fn karatsuba_squares(self) -> usize {
        USUAL_KARATSUBA_SQUARES
    }
}

/// The Montgomery products by name: those of [`Product::ALL`], then those of the study.
const NAMES: [&str; 9] =
    ["sos", "cios", "karatsuba_sos", "kcm", "fios", "fips", "cihs", "separated_comba", "karatsuba_comba"];

/// A modular product by the organisation `NAMES[P]`, in a separate function, so that no caller's registers are in its way.
#[inline(never)]
fn mul<W: Word, const P: usize>(
    words: Words,
    out: &mut [W],
    t: &mut [W],
    a: &[W],
    b: &[W],
    constants: &Constants<'_, W>,
) {
    match P {
        4 => fios::mul(t, a, b, constants),
        5 => fips::mul(t, a, b, constants),
        6 => cihs::mul(t, a, b, constants),
        7 => separated_comba::mul(t, a, b, constants),
        8 => karatsuba_comba::mul(t, a, b, constants, Comba(words.0)),
        _ => Product::ALL[P].mul(words, t, a, b, constants),
    }
    .finish(out, constants.m);
}

/// A modular square.
#[inline(never)]
fn sqr<W: Word, const P: usize>(
    words: Words,
    out: &mut [W],
    t: &mut [W],
    a: &[W],
    _: &[W],
    constants: &Constants<'_, W>,
) {
    match P {
        4 => fios::mul(t, a, a, constants),
        5 => fips::sqr(t, a, constants),
        6 => cihs::mul(t, a, a, constants),
        7 => separated_comba::sqr(t, a, constants),
        8 => karatsuba_comba::sqr(t, a, constants, Comba(words.0)),
        _ => Product::ALL[P].sqr(words, t, a, constants),
    }
    .finish(out, constants.m);
}

type Call<W> = fn(Words, &mut [W], &mut [W], &[W], &[W], &Constants<'_, W>);

/// A function for each of [`NAMES`].
macro_rules! of_all {
    ($function:ident, $word:ty) => { of_all!($function, $word; 0 1 2 3 4 5 6 7 8) };
    ($function:ident, $word:ty; $($at:literal)*) => { [$($function::<$word, $at>),*] };
}

/// The function of a product by its place in [`NAMES`].
fn call<W: Word>(at: usize, square: bool) -> Call<W> {
    let (mul, sqr): ([Call<W>; 9], [Call<W>; 9]) = (of_all!(mul, W), of_all!(sqr, W));
    if square { sqr[at] } else { mul[at] }
}

/// Hexadecimal digits of a word.
fn digits<W: Word>() -> usize {
    W::BITS as usize / 4
}

/// The words of a number, least significant first.
fn words<W: Word>(text: &str) -> Vec<W> {
    let word = |digits: &[u8]| u64::from_str_radix(str::from_utf8(digits).expect("ASCII"), 16).expect("hexadecimal");
    text.as_bytes().rchunks(digits::<W>()).map(|digits| W::from_u64(word(digits))).collect()
}

/// Hides from the compiler that every turn gets the same operands.
fn repeated(times: usize, mut call: impl FnMut()) {
    for _ in 0..black_box(times) {
        call();
    }
}

pub(crate) fn run(arguments: &[&str]) {
    match arguments {
        ["32", rest @ ..] => run_over::<u32>(rest),
        ["64", rest @ ..] => run_over::<u64>(rest),
        _ => panic!("usage: products 32|64 NAME mul|sqr PARAMETER REPETITIONS A B M M_PRIME"),
    }
}

fn run_over<W: Word>(arguments: &[&str]) {
    let [name, operation, parameter, repetitions, a, b, m, m_prime] = arguments else {
        panic!("too few arguments, or too many")
    };
    let square = match *operation {
        "mul" => false,
        "sqr" => true,
        _ => panic!("mul or sqr, not {operation}"),
    };
    let number = |text: &str| text.parse::<usize>().expect("a count");
    let (parameter, times) = (number(parameter), number(repetitions));
    let (a, b, m, m_prime_full) = (words::<W>(a), words::<W>(b), words::<W>(m), words::<W>(m_prime));
    let n = m.len();
    assert!(a.len() == n && b.len() == n && m_prime_full.len() == n, "numbers of one length");
    let mut out = vec![W::ZERO; n];
    let mut plain = vec![W::ZERO; 2 * n];
    let mut scratch = vec![W::ZERO; 12 * n + 64];
    assert!(kcm::scratch_words(n, parameter).max(karatsuba_comba::scratch_words(n, parameter)) <= scratch.len());
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
            let at = NAMES.iter().position(|known| *known == name).expect("a product");
            let mut m_halves = vec![W::ZERO; n / 2];
            let m_diff_negative = linear::abs_diff(&mut m_halves, &m[..n / 2], &m[n - n / 2..]);
            let constants = Constants {
                m: &m,
                m_prime: neg_mod_inv_limb(m[0]),
                m_prime_full: &m_prime_full,
                m_halves: &m_halves,
                m_diff_negative,
            };
            let call = call::<W>(at, square);
            repeated(times, || call(Words(parameter), &mut out, &mut scratch, black_box(&a), &b, &constants));
        }
    }
    let result = if plain.iter().any(|word| !word.is_zero()) { &plain } else { &out };
    for word in result.iter().rev() {
        write!(Output, "{:0width$x}", word.to_u64(), width = digits::<W>()).expect("standard output takes it");
    }
    writeln!(Output).expect("standard output takes it");
}
