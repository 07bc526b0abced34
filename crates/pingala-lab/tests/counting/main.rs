//! Executed tallies against formulas, formulas against the docs, results against the oracle, and a planted addition.

mod arm_counts;
mod formula;

use num_bigint::BigUint;
use pingala_core::texts::{Accumulator, Word};
use pingala_lab::counting::{Counted, Instructions, Kind, Tally, count, tally, tally_of};
use pingala_study::texts::{Operands, Operation, Text};
use std::collections::BTreeMap;

/// The number that the words stand for.
fn big<W: Word>(words: &[W]) -> BigUint {
    words.iter().rev().fold(BigUint::ZERO, |value, word| (value << W::BITS) | BigUint::from(word.to_u64()))
}

/// The words of a number below b^n, the least significant first.
fn words<W: Word>(value: &BigUint, n: usize) -> Vec<W> {
    let word = |i: usize| value >> (W::BITS as usize * i) & BigUint::from(u64::MAX >> (64 - W::BITS));
    (0..n).map(|i| W::from_u64(u64::try_from(word(i)).expect("a word"))).collect()
}

/// The lengths at which every text is counted, halves even and uneven.
const LENGTHS: core::ops::RangeInclusive<usize> = 2..=128;

/// Some numbers of n words: with runs of ones and zeros, or thrown; below the odd modulus that comes last.
fn numbers<W: Word>(n: usize, seed: u64) -> [Vec<W>; 3] {
    let thrown = |i: u64| {
        let x = (seed * 1000 + i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        W::from_u64((x ^ x >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> (64 - W::BITS))
    };
    let number = |from: u64| match seed {
        0 => vec![W::MAX; n],
        1 => (0..n).map(|i| if i < n / 2 { W::MAX } else { W::ZERO }).collect(),
        2 => (0..n).map(|i| if i < n / 2 { W::ZERO } else { W::MAX }).collect(),
        _ => (0..n as u64).map(|i| thrown(from + i)).collect::<Vec<W>>(),
    };
    let mut modulus = if seed < 3 { vec![W::MAX; n] } else { number(2 * n as u64) };
    modulus[0] = if seed < 3 { W::MAX } else { W::from_u64(modulus[0].to_u64() | 1) };
    modulus[n - 1] = W::from_u64(modulus[n - 1].to_u64() | 1 << (W::BITS - 1));
    let below = |number: Vec<W>| words(&(big(&number) % big(&modulus)), n);
    [below(number(0)), below(number(n as u64)), modulus]
}

#[test]
fn executed_tallies_equal_the_formulas() {
    let mut compared = 0;
    for n in LENGTHS {
        // Karatsuba's at every short length, at powers of two, and at some uneven halves.
        let halved = n <= 36 || n.is_power_of_two() || [63, 65, 96, 99, 100, 127].contains(&n);
        let texts = Text::all(n).into_iter().filter(|text| halved || !text.to_string().contains("leaf="));
        for text in texts {
            for operation in Operation::ALL {
                assert_eq!(
                    count(text, operation, n),
                    Some(formula::of(text, operation, n)),
                    "{text} {operation:?}, {n} words"
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 2500, "{compared} tallies were compared");
}

/// The texts computed while they were counted, and what they were asked does not depend on values or on the word.
#[test]
fn what_is_counted_is_right_and_independent_of_values() {
    for (n, seeds) in [(1, 5), (2, 5), (3, 5), (6, 5), (9, 5), (12, 5), (16, 5), (32, 2), (64, 1), (128, 1)] {
        for seed in 0..seeds {
            let [a, b, m] = numbers::<u32>(n, seed);
            let inverse = {
                let r = BigUint::from(1u8) << (32 * n);
                // R^-1 modulo m, by what R R' - m m' = 1 says of -m^-1 modulo R.
                r.modinv(&big(&m)).expect("m is odd")
            };
            let counted = |words: &[u32]| words.iter().map(|&word| Counted(word)).collect::<Vec<_>>();
            for text in Text::all(n) {
                for operation in Operation::ALL {
                    let mut operands = Operands::new(counted(&a), counted(&b), &counted(&m));
                    let tally = tally(&mut operands, text, operation);
                    assert_eq!(tally, formula::of(text, operation, n), "{text} {operation:?}, {n} words");
                    let b = if operation == Operation::Sqr { &a } else { &b };
                    let product = big(&a) * big(b);
                    let got = big(&operands.result);
                    match text {
                        Text::Schoolbook { .. } | Text::Comba | Text::Karatsuba { .. } => assert_eq!(got, product),
                        _ => assert_eq!(big(&operands.result[..n]), product * &inverse % big(&m), "{text}"),
                    }
                }
            }
        }
    }
    for text in Text::all(12) {
        for operation in Operation::ALL {
            let bytes = tally(&mut Operands::<Counted<u8>>::some(12), text, operation);
            let limbs = tally(&mut Operands::<Counted<u64>>::some(12), text, operation);
            assert_eq!((Some(bytes), bytes), (count(text, operation, 12), limbs), "{text} {operation:?}");
        }
    }
}

/// A counting word that adds once more than it is asked to, when it is asked for a quotient word or a store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct OneMore(Counted<u32>);

macro_rules! passed_on {
    ($($name:ident($($argument:ident: $type:tt),*) -> $result:ty, $back:expr;)+) => {
        $(fn $name(self $(, $argument: $type)*) -> $result { $back(self.0.$name($(passed_on!(@ $argument: $type)),*)) })+
    };
    (@ $argument:ident: Self) => { $argument.0 };
    (@ $argument:ident: $type:tt) => { $argument };
}

impl Word for OneMore {
    const BITS: u32 = 32;
    const ZERO: Self = Self(Counted::ZERO);
    const ONE: Self = Self(Counted::ONE);
    const MAX: Self = Self(Counted::MAX);

    passed_on! {
        mul_wide(other: Self) -> (Self, Self), |(low, high)| (Self(low), Self(high));
        mul_low(other: Self) -> Self, Self;
        mul_add(other: Self, addend: Self) -> (Self, Self), |(low, high)| (Self(low), Self(high));
        mul_add_carry(other: Self, addend: Self, carry: Self) -> (Self, Self), |(low, high)| (Self(low), Self(high));
        add_out(other: Self) -> (Self, bool), |(low, carry)| (Self(low), carry);
        add_carry(other: Self, carry: bool) -> (Self, bool), |(low, carry)| (Self(low), carry);
        sub_out(other: Self) -> (Self, bool), |(low, carry)| (Self(low), carry);
        sub_borrow(other: Self, borrow: bool) -> (Self, bool), |(low, carry)| (Self(low), carry);
        shift_right(count: u32) -> Self, Self;
        shift_left(count: u32) -> Self, Self;
        flip(mask: Self) -> Self, Self;
        is_zero() -> bool, |zero| zero;
        to_u64() -> u64, |value| value;
    }

    fn accumulate(accumulator: &mut Accumulator<Self>, a: Self, b: Self) {
        let mut sum = Accumulator { low: accumulator.low.0, mid: accumulator.mid.0, high: accumulator.high.0 };
        Word::accumulate(&mut sum, a.0, b.0);
        *accumulator = Accumulator { low: Self(sum.low), mid: Self(sum.mid), high: Self(sum.high) };
    }
    fn mask(condition: bool) -> Self {
        Self(Counted::mask(condition))
    }
    fn select(mask: Self, if_set: Self, if_clear: Self) -> Self {
        Self(Counted::select(mask.0, if_set.0, if_clear.0))
    }
    fn load(&self) -> Self {
        Self(self.0.load())
    }
    fn store(&mut self, value: Self) {
        ONCE.with(|once| {
            if once.replace(false) {
                let _ = value.0.add_out(Counted::ZERO);
            }
        });
        self.0.store(value.0);
    }
    fn turn() {
        Counted::<u32>::turn();
    }
    fn from_u64(value: u64) -> Self {
        Self(Counted::from_u64(value))
    }
}

thread_local! {
    static ONCE: core::cell::Cell<bool> = const { core::cell::Cell::new(false) };
}

/// The test of the test: one addition more in any product is one addition more in its tally, and no formula has it.
#[test]
fn one_addition_more_is_seen() {
    for n in [2, 8, 12, 32] {
        for text in Text::all(n) {
            for operation in Operation::ALL {
                let mut operands = Operands::<OneMore>::some(n);
                assert_eq!(tally(&mut operands, text, operation), formula::of(text, operation, n));
                ONCE.set(true);
                let planted = tally(&mut operands, text, operation);
                assert!(!ONCE.get(), "{text} stores nothing");
                let formula = formula::of(text, operation, n);
                assert_ne!(planted, formula, "{text} {operation:?}, {n} words");
                assert_eq!(planted, formula + Tally::only(Kind::Add, 1));
            }
        }
    }
}

#[test]
fn profiles_split_the_same_tally() {
    let tally = tally_of(|| {
        let x = Counted(3u32);
        let _ = (x.mul_wide(x), x.mul_low(x), x.mul_add(x, x), x.mul_add_carry(x, x, x));
        let mut sum = Accumulator::ZERO;
        sum.add_product(x, x);
        let _ = (x.sub_out(x), x.flip(x), Counted::<u32>::mask(true), x.shift_left(1), x.is_zero());
    });
    let risc = Instructions {
        multiply: 4,
        multiply_low: 1,
        add: 1 + 2 + 1 + 1,
        add_carry: 1 + 2 + 2,
        shift: 1,
        select: 2,
        compare: 1,
        ..Instructions::default()
    };
    assert_eq!(tally.risc(), risc);
    // umlal takes in the two additions of the first word that is added to a product.
    assert_eq!(tally.arm(), Instructions { multiply: 2, multiply_accumulate: 2, add: 3, add_carry: 3, ..risc });
    assert_eq!((risc.total(), tally.arm().total()), (19, 15));
}

/// `1.5s² + 3.5s`, `4s² - s`, `2s`: its value.
fn polynomial(text: &str, s: f64) -> f64 {
    let text = text.replace(" - ", " + -");
    let term = |term: &str| {
        let (factor, power) = match (term.strip_suffix("s²"), term.strip_suffix('s')) {
            (Some(factor), _) => (factor, s * s),
            (_, Some(factor)) => (factor, s),
            _ => (term, 1.0),
        };
        let factor = match factor {
            "" => 1.0,
            "-" => -1.0,
            number => number.parse().unwrap_or_else(|_| panic!("'{term}' is no term of a polynomial")),
        };
        factor * power
    };
    text.split(" + ").map(term).sum()
}

/// The rows of the tables of papers/counting.md whose first cell is a text in code marks: (text, operation or source, cells).
fn page() -> Vec<(String, String, Vec<String>)> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../papers/counting.md");
    let page = std::fs::read_to_string(path).expect("papers/counting.md");
    let row = |line: &str| {
        let cells: Vec<String> = line.strip_prefix("| `")?.split('|').map(|cell| cell.trim().to_string()).collect();
        let text = cells[0].trim_end_matches('`').to_string();
        Some((text, cells[1].clone(), cells[2..].iter().filter(|cell| !cell.is_empty()).cloned().collect()))
    };
    page.lines().filter_map(row).collect()
}

/// Multiplications, additions, loads and stores of a text, as the page has its columns.
fn four(text: Text, operation: Operation, n: usize) -> [f64; 4] {
    let risc = count(text, operation, n).expect("it takes this length").risc();
    [risc.multiplications(), risc.additions(), risc.load, risc.store].map(|count| count as f64)
}

/// The lengths of a text's row: straight-line code keeps more in registers than the page says.
fn on_the_page(text: Text, n: usize) -> bool {
    !matches!(text, Text::SeparatedComba) || n > 8
}

/// The closed forms of the page are those of the executed texts, and so is a simulation's count with its terms.
#[test]
fn the_page_has_the_executed_counts() {
    let mut seen = BTreeMap::new();
    // Polynomials of degree two, compared at more than three lengths.
    for n in (2..=20).chain([32, 77, 128]) {
        let texts: BTreeMap<String, Text> = Text::all(n).into_iter().map(|text| (text.to_string(), text)).collect();
        for (name, what, cells) in page() {
            let Some(&text) = texts.get(&name).filter(|&&text| on_the_page(text, n)) else { continue };
            if let Some(operation) = Operation::ALL.into_iter().find(|operation| operation.name() == what) {
                let written: Vec<f64> = cells.iter().map(|cell| polynomial(cell, n as f64)).collect();
                assert_eq!(written, four(text, operation, n), "{name} {what}, {n} words");
            } else {
                let class = ["additions", "loads", "stores"].iter().position(|class| *class == what);
                let terms = cells[1].split("; ").map(|term| term.split(" (").next().expect("a term"));
                let written: f64 = terms.chain([&*cells[0]]).map(|term| polynomial(term, n as f64)).sum();
                let counted = four(text, Operation::Mul, n)[1 + class.expect("a class")];
                assert_eq!(written, counted, "{name}, {what}, {n} words");
            }
            *seen.entry((name, what)).or_insert(0) += 1;
        }
    }
    // 13 closed forms and 21 rows of the simulation, each at 15 lengths or more.
    assert_eq!((seen.len(), seen.values().min()), (34, Some(&15)), "{seen:?}");
}

/// Evaluates the recurrences of the page: the four counts of `part` at s words.
fn recurrence(rows: &BTreeMap<String, Vec<String>>, part: &str, s: usize, leaf: usize) -> [f64; 4] {
    let own = |name: &str| {
        let cells = rows.get(name).unwrap_or_else(|| panic!("no row '{name}'"));
        [0, 1, 2, 3].map(|column| polynomial(&cells[column], s as f64))
    };
    let plus = |a: [f64; 4], times: f64, b: [f64; 4]| core::array::from_fn(|i| a[i] + times * b[i]);
    let call = |part: &str, s: usize| recurrence(rows, part, s, leaf);
    match part {
        "K" if s <= leaf => own("comba mul"),
        "Q" if s <= leaf => own("comba sqr"),
        "L" if s <= leaf => own("L leaf"),
        "K" | "Q" => plus(own(part), 3.0, call(part, s / 2)),
        "L" => plus(plus(own("L"), 1.0, call("K", s / 2)), 2.0, call("L", s / 2)),
        "R" => plus(plus(own("R"), 1.0, call("L", s)), 2.0, call("K", s / 2)),
        _ => own(part),
    }
}

/// The recurrences of the page, at powers of two with every leaf.
#[test]
fn the_page_has_the_recurrences() {
    let rows: BTreeMap<String, Vec<String>> = page()
        .into_iter()
        .map(|(name, what, cells)| if name == "comba" { (format!("{name} {what}"), cells) } else { (name, cells) })
        .collect();
    for s in [2, 4, 8, 16, 32, 64, 128] {
        for leaf in [1, 2, 4, 8, 16, 32, 64] {
            for operation in Operation::ALL {
                let product = if operation == Operation::Mul { "K" } else { "Q" };
                let sum = |parts: &[&str]| {
                    let parts = parts.iter().map(|part| recurrence(&rows, part, s, leaf));
                    parts.fold([0.0; 4], |a, b| core::array::from_fn(|i| a[i] + b[i]))
                };
                assert_eq!(sum(&[product]), four(Text::Karatsuba { leaf }, operation, s), "{s} words, leaf {leaf}");
                assert_eq!(
                    sum(&[product, "R", "end"]),
                    four(Text::Kcm { leaf }, operation, s),
                    "{s} words, leaf {leaf}"
                );
                if s > 8 {
                    let text = Text::KaratsubaComba { leaf };
                    assert_eq!(sum(&[product, "C", "end"]), four(text, operation, s), "{s} words, leaf {leaf}");
                }
            }
        }
    }
}
