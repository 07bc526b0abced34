//! Work on rows: the same answers in whatever form the columns are, and whichever rows take no part.

use super::common::Random;
use pingala_core::{
    Column, Error, FixedBase, Integer, Limits, Modulus, Natural, Options, RowRequest, pow_rows, powmod_with,
};
use std::num::NonZeroUsize;

type Numbers = Vec<Integer>;

/// What is computed of a row.
#[derive(Clone, Copy)]
enum Operation<'a> {
    Power,
    Table(&'a FixedBase),
    Product,
}

impl Operation<'_> {
    fn wanted(self, [a, b, m]: [&Integer; 3], options: &Options<'_>) -> Result<Natural, Error> {
        match self {
            Self::Product => Ok(Modulus::with_limits(m.magnitude().clone(), options.limits())?.mul(a, b)),
            _ => powmod_with(a, b, m.magnitude(), options),
        }
    }
}

/// The numbers of a column in every form that has them: numbers, rows of bytes, words, or one number.
fn forms<'a>(numbers: &'a Numbers, bytes: &'a [Vec<u8>]) -> Vec<Column<'a>> {
    if let [one] = &numbers[..] {
        return vec![one.into(), one.clone().into()];
    }
    let word =
        |number: &Integer| (number.magnitude().bits() <= 64).then(|| number.magnitude().limbs().first().copied());
    let words: Option<Vec<u64>> = numbers.iter().map(|number| Some(word(number)?.unwrap_or(0))).collect();
    let slices: Vec<&[u8]> = bytes.iter().map(|row| &row[..]).collect();
    let mut forms = vec![Column::from(&numbers[..]), numbers.clone().into(), slices.into()];
    forms.extend(words.map(Column::from));
    forms
}

/// Checks work of these columns in all forms, with all rows, every third one left out, and all left out.
#[track_caller]
fn check(columns: [&Numbers; 3], count: usize, operation: Operation<'_>, limits: Limits) {
    let width = columns[2].iter().map(|m| m.magnitude().bits().div_ceil(8)).max().unwrap_or(1).max(8) as usize;
    let bytes = columns.map(|numbers| numbers.iter().map(|n| n.magnitude().to_be_bytes()).collect::<Vec<_>>());
    let forms: [Vec<Column<'_>>; 3] = std::array::from_fn(|at| forms(columns[at], &bytes[at]));
    let masks = [vec![], (0..count).map(|row| row % 3 == 1).collect(), vec![true; count]];
    for form in 0..forms.iter().map(Vec::len).max().unwrap_or(0) {
        let [a, b, m] = forms.each_ref().map(|forms| forms[form % forms.len()].clone());
        for absent in &masks {
            for threads in [1, 2] {
                let options = Options::default().with_limits(limits).with_threads(NonZeroUsize::new(threads));
                let (a, b, m) = (a.clone(), b.clone(), m.clone());
                let work = match operation {
                    Operation::Power => RowRequest::powers(a, b, m),
                    Operation::Table(table) => RowRequest::powers(a, b, m).by_table(table),
                    Operation::Product => RowRequest::products(a, b, m),
                };
                let work = work.without(absent);
                let (mut out, mut words) = (vec![7; count * width], vec![7; count]);
                let failed = work.bytes(&mut out, width, &options).unwrap();
                let fit_words = columns[2].iter().all(|m| m.magnitude().bits() <= 64);
                let failed_words = if fit_words { work.words(&mut words, &options).unwrap() } else { failed.clone() };
                assert_eq!(failed, failed_words, "form {form}");
                let mut failures = failed.into_iter();
                for row in 0..count {
                    let numbers = columns.map(|numbers| numbers.get(row).unwrap_or(&numbers[0]));
                    let found = Natural::from_be_bytes(&out[row * width..][..width]);
                    let expected = match operation.wanted(numbers, &options) {
                        _ if absent.get(row) == Some(&true) => Natural::default(),
                        Ok(result) => result,
                        Err(error) => {
                            assert_eq!(failures.next(), Some((row, error)), "form {form}");
                            Natural::default()
                        }
                    };
                    assert_eq!(found, expected, "row {row} of form {form}: {numbers:?}");
                    assert!(!fit_words || Natural::from(words[row]) == expected, "word {row} of form {form}");
                }
                assert_eq!(failures.next(), None);
            }
        }
    }
}

fn numbers(random: &mut Random, count: usize, bits: usize) -> Numbers {
    let mut number = |at: usize| Integer::from(random.exponent(1 + (at * 31) % bits).magnitude());
    (0..count).map(|at| if at % 9 == 4 { Integer::default() } else { number(at) }).collect()
}

#[test]
fn every_form_of_every_column_gives_the_same_rows() {
    let mut random = Random::new(61);
    let free = Limits::default();
    for (count, bits) in [(0, 64), (1, 64), (17, 64), (300, 64), (60, 200)] {
        let (a, b) = (numbers(&mut random, count, bits), numbers(&mut random, count, 60));
        let moduli = numbers(&mut random, count, bits);
        let one = vec![Integer::from(&Natural::from_limbs(&vec![u64::MAX; bits.div_ceil(64)]))];
        for moduli in [&moduli, &one, &vec![Integer::default()]] {
            check([&a, &b, moduli], count, Operation::Power, free);
            check([&a, &b, moduli], count, Operation::Product, free);
            check([&a, &vec![Integer::from(65537u64)], moduli], count, Operation::Power, free);
            check([&vec![Integer::from(3u64)], &b, moduli], count, Operation::Power, free);
        }
    }
}

/// Inverses modulo one number share inversions; a number without one affects no other row.
#[test]
fn inverses_of_rows() {
    let mut random = Random::new(62);
    let minus_one = vec![Integer::from(-1i64)];
    for modulus in [1, 2, 1000, u64::MAX, 1_000_003] {
        check(
            [&numbers(&mut random, 40, 90), &minus_one, &vec![modulus.into()]],
            40,
            Operation::Power,
            Limits::default(),
        );
    }
    let long = vec![Integer::from(&Natural::from_limbs(&[u64::MAX, 5, u64::MAX]))];
    check([&numbers(&mut random, 200, 250), &minus_one, &long], 200, Operation::Power, Limits::default());
    check([&vec![], &minus_one, &long], 0, Operation::Power, Limits::default());
    // An exponent of one bit is too long where none is allowed.
    check([&numbers(&mut random, 5, 90), &minus_one, &long], 5, Operation::Power, Limits::new(1 << 20, 0));
}

#[test]
fn caps_are_for_rows_of_every_form() {
    let mut random = Random::new(63);
    let (a, b, m) = (numbers(&mut random, 50, 64), numbers(&mut random, 50, 40), numbers(&mut random, 50, 64));
    for limits in [Limits::new(30, 64), Limits::new(64, 20), Limits::new(7, 7)] {
        check([&a, &b, &m], 50, Operation::Power, limits);
        check([&a, &b, &m], 50, Operation::Product, Limits::new(limits.modulus_bits, u64::MAX));
    }
}

#[test]
fn rows_by_a_table() {
    let mut random = Random::new(64);
    let options = Options::default();
    for modulus in [1_000_003u64, u64::MAX, 1 << 40] {
        let (base, m) = (Integer::from(7u64), Modulus::new(modulus.into()).unwrap());
        let table = RowRequest::table_for(&base, &m, 60, 500, &options).unwrap();
        let exponents = numbers(&mut random, 120, 60);
        check([&vec![base], &exponents, &vec![modulus.into()]], 120, Operation::Table(&table), Limits::default());
    }
    // Without memory for a table there is none.
    let m = Modulus::new(1_000_003u64.into()).unwrap();
    assert!(RowRequest::table_for(&3u64.into(), &m, 0, 10, &options).is_none());
    // A result that a row cannot hold is the error of that row.
    let table = FixedBase::new(&2u64.into(), &m, 20, 1 << 20, &options).unwrap();
    let exponents: Vec<u64> = vec![3, 18, 7];
    let mut out = [9; 3];
    let work = RowRequest::powers(Integer::from(2u64).into(), exponents.into(), (&m).into()).by_table(&table);
    let failed = work.bytes(&mut out, 1, &options).unwrap();
    assert_eq!((failed, out), (vec![(1, Error::TooLong { what: "modulus", length: 20, cap: 8 })], [8, 0, 128]));
}

#[test]
fn what_contradicts_itself_is_refused() {
    let (numbers, one) = ([3u64, 4, 5], Integer::from(7u64));
    let work = || RowRequest::powers(numbers[..].into(), (&one).into(), (&one).into());
    let mut out = [9; 3];
    let refused = work().without(&[true, false]).words(&mut out, &Options::default());
    assert_eq!((refused.map_err(|error| error.code()), out), (Err("bad_argument"), [0; 3]));
    let short = RowRequest::powers(vec![3u64].into(), (&one).into(), (&one).into());
    let refused = short.words(&mut out, &Options::default());
    assert_eq!(refused.map_err(|error| error.code()), Err("bad_argument"));
    let mut bytes = [9; 4];
    let refused = work().bytes(&mut bytes, 1, &Options::default());
    assert_eq!((refused.map_err(|error| error.code()), bytes), (Err("bad_argument"), [0; 4]));
    let refused = work().bytes(&mut [], 0, &Options::default());
    assert_eq!(refused.map_err(|error| error.code()), Err("bad_argument"));
    let differ = pow_rows(numbers[..2].into(), (&one).into(), (&one).into(), &mut [0; 3], 1, &Options::default());
    assert_eq!(differ.map_err(|error| error.code()), Err("bad_argument"));
}

#[test]
fn a_modulus_of_zero_is_the_first_error() {
    let long = |what| Error::TooLong { what, length: 9, cap: 8 };
    assert_eq!(long("exponent").unless_modulus_is_zero(|| true), Error::ZeroModulus);
    assert_eq!(long("exponent").unless_modulus_is_zero(|| false), long("exponent"));
    // What was not read is not known to be 0.
    assert_eq!(long("modulus").unless_modulus_is_zero(|| true), long("modulus"));
    assert_eq!(Error::NotInvertible.unless_modulus_is_zero(|| true), Error::NotInvertible);
}
