use super::*;
use crate::natural::testing::{from_oracle, structured_natural, to_oracle};
use core::cell::Cell;
use num_bigint::BigUint;
use proptest::prelude::*;
use std::rc::Rc;

/// A short leaf, so that short numbers have many levels.
const SHORT_LEAF: usize = 64;

/// Reads and writes the text in every way, and compares with the oracle.
fn check(text: &str) {
    let oracle: BigUint = text.parse().unwrap();
    let (value, written) = (from_oracle(&oracle), oracle.to_string());
    assert!(read(text) == value, "{} digits read", text.len());
    assert!(write(&value) == written, "{} digits written", text.len());
    for leaf in [SHORT_LEAF, 3 * SHORT_LEAF, 22 * SHORT_LEAF] {
        let mut fives = Fives::with_leaf(text.len().max(1), leaf);
        assert!(read_by(text.as_bytes(), &mut fives) == value, "{} digits read by leaves of {leaf}", text.len());
        for longest in [0, 100, 2000, MAX_LIMBS] {
            let now = write_by(&value, &mut fives, longest);
            assert!(now == written, "{} digits written by leaves of {leaf}, products of {longest}", text.len());
        }
    }
}

/// Numbers of about `digits` digits at which carries run far and fractions come close to whole numbers.
fn edges(digits: usize) -> Vec<String> {
    let nines = "9".repeat(digits);
    let zeros = "0".repeat(digits - 1);
    let half = digits / 2;
    vec![
        nines.clone(),
        format!("1{zeros}"),
        format!("1{zeros}1"),
        format!("{}8", &nines[1..]),
        // Both halves close to both ends.
        format!("{}{}", &nines[..half], &zeros[..digits - half - 1]),
        format!("1{}{}", &zeros[..half], &nines[..digits - half - 1]),
        format!("{}8{}", &nines[..half], &nines[..digits - half]),
        "90".repeat(half),
        format!("5{zeros}"),
        format!("4{}", &nines[1..]),
        // Zeros in front.
        format!("{zeros}7"),
        format!("{}{}", &zeros[..half], &nines[..half]),
    ]
}

#[test]
fn the_edges_of_every_length() {
    // Around one, two and four leaves of each size.
    for digits in
        [2, 63, 64, 65, 127, 128, 129, 191, 192, 193, 256, 383, 384, 385, 768, 1407, 1408, 1409, 2816, 2817, 5633]
    {
        for text in edges(digits) {
            check(&text);
        }
    }
}

#[test]
fn the_edges_of_long_numbers() {
    for digits in [LONG_READ - 1, LONG_READ, 45_056, 45_057, LONG_WRITTEN - 1, LONG_WRITTEN, 90_112, 90_113] {
        for text in edges(digits) {
            let oracle: BigUint = text.parse().unwrap();
            let value = from_oracle(&oracle);
            assert!(read(&text) == value, "{digits} digits read");
            assert!(write(&value) == oracle.to_string(), "{digits} digits written");
        }
    }
}

#[test]
fn every_split_point() {
    // One digit in zeros, and one other than nine in nines, at each place of the first splits.
    let digits = 8 * SHORT_LEAF;
    let mut fives = Fives::with_leaf(digits, SHORT_LEAF);
    for at in 0..digits {
        for (most, one) in [(b'0', b'1'), (b'9', b'8')] {
            let mut text = vec![most; digits];
            text[at] = one;
            let expected = String::from_utf8(text.clone()).unwrap();
            let value = read_by(&text, &mut fives);
            assert_eq!(to_oracle(&value), expected.parse::<BigUint>().unwrap());
            for longest in [0, MAX_LIMBS] {
                assert_eq!(write_by(&value, &mut fives, longest), expected.trim_start_matches('0'));
            }
        }
    }
}

#[test]
fn a_million_digits_both_ways() {
    let power = BigUint::from(7u8).pow(1_183_295);
    let text = write(&from_oracle(&power));
    assert_eq!(text.len(), 1_000_001);
    // The oracle reads; it writes too slowly.
    assert!(text.parse::<BigUint>().unwrap() == power);
    assert!(to_oracle(&read(&text)) == power);
}

/// Adds up the limbs of the products that are asked for.
#[derive(Debug)]
struct Counted {
    products: Box<dyn LongProducts>,
    longest: usize,
    limbs: Rc<Cell<usize>>,
}

impl LongProducts for Counted {
    fn set_factor(&mut self, b: &[u64], limbs: usize) {
        self.longest = limbs;
        self.limbs.set(self.limbs.get() + limbs);
        self.products.set_factor(b, limbs);
    }
    fn times(&mut self, out: &mut [u64], a: &[u64]) {
        self.limbs.set(self.limbs.get() + self.longest);
        self.products.times(out, a);
    }
    fn foresee(&mut self, limbs: usize) {
        self.products.foresee(limbs);
    }
    fn limbs(&self) -> usize {
        self.products.limbs()
    }
    fn square(&mut self, out: &mut [u64], a: &[u64], limbs: usize) {
        self.limbs.set(self.limbs.get() + 2 * limbs);
        self.products.square(out, a, limbs);
    }
}

#[test]
fn work_is_nearly_linear() {
    // Limbs of products a digit, reading and writing, for leaves of the same length.
    let work = |levels: u32| {
        let digits = 1280 << levels;
        let mut fives = Fives::new(digits);
        assert_eq!((fives.leaf, fives.digits()), (1280, digits));
        let limbs = Rc::new(Cell::new(0));
        let products = core::mem::replace(&mut fives.products, ntt::long_products(1));
        fives.products = Box::new(Counted { products, longest: 0, limbs: limbs.clone() });
        let text = "1234567890".repeat(digits / 10);
        let value = read_by(text.as_bytes(), &mut fives);
        let read = limbs.replace(0);
        assert!(write_by(&value, &mut fives, MAX_LIMBS) == text);
        [read, limbs.get()].map(|limbs| limbs as f64 / digits as f64)
    };
    let [short, middle, long] = [4, 7, 10].map(work);
    for way in 0..2 {
        // The same for each level, and what the top takes.
        let steps = [middle[way] - short[way], long[way] - middle[way]];
        assert!(steps[0] > 0.0 && (0.9..1.1).contains(&(steps[1] / steps[0])), "{short:?}, {middle:?}, {long:?}");
        assert!(long[way] < 2.0, "{long:?}");
    }
}

/// Where fractions may not be long, numbers are divided first, which takes more.
#[test]
fn fractions_are_no_longer_than_allowed() {
    let text = "1234567890123456".repeat(4 * SHORT_LEAF);
    let value = from_oracle(&text.parse().unwrap());
    let work = |longest: usize| {
        let mut fives = Fives::with_leaf(text.len(), SHORT_LEAF);
        let limbs = Rc::new(Cell::new(0));
        let products = core::mem::replace(&mut fives.products, ntt::long_products(1));
        fives.products = Box::new(Counted { products, longest: 0, limbs: limbs.clone() });
        assert!(write_by(&value, &mut fives, longest) == text);
        limbs.get()
    };
    let [never, short, always] = [0, 100, MAX_LIMBS].map(work);
    assert!(never > short && short > always, "{never}, {short}, {always}");
}

#[test]
fn zero_and_short_numbers() {
    for text in ["0", "1", "9", "10", "18446744073709551615", "18446744073709551616"] {
        check(text);
    }
    assert_eq!(read(""), Natural::default());
    assert_eq!(write(&Natural::default()), "0");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn long_numbers_agree_with_the_oracle(value in structured_natural(900), leaf in 1..5usize, longest in 0..1500usize) {
        let oracle = to_oracle(&value).to_string();
        prop_assert_eq!(&write(&value), &oracle);
        prop_assert_eq!(read(&oracle), value.clone());
        let mut fives = Fives::with_leaf(oracle.len(), 64 * leaf);
        prop_assert_eq!(write_by(&value, &mut fives, longest), &*oracle);
        prop_assert_eq!(read_by(oracle.as_bytes(), &mut fives), value);
    }

    #[test]
    fn digits_in_runs_agree_with_the_oracle(runs in proptest::collection::vec((0..10u8, 1..400usize), 1..40), leaf in 1..5usize) {
        let text: String = runs.iter().flat_map(|&(digit, count)| core::iter::repeat_n(char::from(b'0' + digit), count)).collect();
        let oracle: BigUint = text.parse().unwrap();
        let value = from_oracle(&oracle);
        let mut fives = Fives::with_leaf(text.len(), 64 * leaf);
        prop_assert_eq!(read_by(text.as_bytes(), &mut fives), value.clone());
        prop_assert_eq!(write_by(&value, &mut fives, 300), oracle.to_string());
    }
}
