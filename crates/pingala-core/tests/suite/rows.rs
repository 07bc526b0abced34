//! Powers of rows of bytes and of words: each row as one call gives it, whatever stands in the other rows.

use super::common::Random;
use pingala_core::{Column, Error, Integer, Modulus, Natural, Options, Watch, pow_rows, pow_words, powmod};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Columns of numbers with rows of different lengths, some of which fail.
struct Table {
    bases: Vec<Natural>,
    exponents: Vec<Natural>,
    moduli: Vec<Natural>,
}

const WIDTH: usize = 40;

impl Table {
    fn new(random: &mut Random, count: usize, bits: usize) -> Self {
        let mut number = |at: usize, most: usize| match (at * 7 + most) % 11 {
            0 => Natural::default(),
            1 => 1u64.into(),
            2 => 2u64.into(),
            _ => random.exponent(1 + (at * 37) % most).magnitude().clone(),
        };
        Self {
            bases: (0..count).map(|at| number(at, bits + 9)).collect(),
            exponents: (0..count).map(|at| number(at, 80)).collect(),
            // In runs of two, so that rows share a modulus.
            moduli: (0..count).map(|at| number(at / 2 + 3, bits)).collect(),
        }
    }

    fn wanted(&self, row: usize) -> Result<Natural, Error> {
        powmod(&(&self.bases[row]).into(), &(&self.exponents[row]).into(), &self.moduli[row])
    }

    #[track_caller]
    fn check(&self, out: &[u8], failed: &[(usize, Error)], little_endian: bool) {
        let mut failures = failed.iter();
        for (row, out) in out.chunks(WIDTH).enumerate() {
            let number = if little_endian { Natural::from_le_bytes(out) } else { Natural::from_be_bytes(out) };
            match self.wanted(row) {
                Ok(power) => assert_eq!(number, power, "row {row}"),
                Err(error) => {
                    assert_eq!(failures.next(), Some(&(row, error)));
                    assert!(number.is_zero(), "row {row}");
                }
            }
        }
        assert_eq!(failures.next(), None);
    }
}

fn packed(numbers: &[Natural], little_endian: bool) -> Vec<u8> {
    let row = |number: &Natural| {
        let mut row = number.to_be_bytes_padded(WIDTH).unwrap();
        if little_endian {
            row.reverse();
        }
        row
    };
    numbers.iter().flat_map(row).collect()
}

fn threads(count: usize) -> Options<'static> {
    Options::default().with_threads(NonZeroUsize::new(count))
}

/// Fixed rows in both orders, rows of their own lengths, numbers; lengths around eight and of many blocks.
#[test]
fn rows_are_the_powers_one_by_one() {
    let mut random = Random::new(31);
    for (count, bits) in [(0, 9), (1, 300), (7, 64), (8, 65), (9, 310), (400, 130), (40_000, 60)] {
        let columns = Table::new(&mut random, count, bits);
        let of = [&columns.bases, &columns.exponents, &columns.moduli];
        for little_endian in [false, true] {
            let [bases, exponents, moduli] = of.map(|numbers| packed(numbers, little_endian));
            let rows = |bytes| {
                let rows = Column::fixed(bytes, WIDTH);
                if little_endian { rows.little_endian() } else { rows }
            };
            for options in [threads(1), threads(2)] {
                let mut out = vec![7; count * WIDTH];
                let failed =
                    pow_rows(rows(&bases), rows(&exponents), rows(&moduli), &mut out, WIDTH, &options).unwrap();
                columns.check(&out, &failed, little_endian);
            }
        }
        let bytes = of.map(|numbers| numbers.iter().map(Natural::to_be_bytes).collect::<Vec<_>>());
        let slices = bytes.each_ref().map(|rows| rows.iter().map(|row| &row[..]).collect::<Vec<_>>());
        let numbers: Vec<Integer> = columns.exponents.iter().map(Integer::from).collect();
        let mut out = vec![7; count * WIDTH];
        let [bases, _, moduli] = slices.each_ref().map(|rows| Column::from(&rows[..]));
        let failed = pow_rows(bases, numbers[..].into(), moduli, &mut out, WIDTH, &threads(2)).unwrap();
        columns.check(&out, &failed, false);
    }
}

/// Base and exponent of a row.
type InRow<'a> = &'a dyn Fn(usize) -> (Integer, Integer);

/// One number for all rows, and a modulus with known factors.
#[test]
fn one_number_stands_in_every_row() {
    let mut random = Random::new(32);
    let columns = Table::new(&mut random, 700, 200);
    let factors: Vec<(Natural, u32)> = vec![(1_000_003u64.into(), 3), (65537u64.into(), 2)];
    let product = Natural::from(1_000_003u128.pow(3) * 65537 * 65537);
    let (plain, known) = (Modulus::new(product.clone()), Modulus::with_factors(product, &factors));
    let even = Modulus::new((1_000_003u128 << 70).into());
    let bases = packed(&columns.bases, false);
    let exponents = packed(&columns.exponents, false);
    let (base, exponent, minus_one) = (Integer::from(-5i64), Integer::from(-3i64), Integer::from(-1i64));
    for modulus in &[plain.unwrap(), known.unwrap(), even.unwrap()] {
        let number = Integer::from(modulus.value());
        for rows in [Column::from(modulus), Column::from(&number)] {
            let own = |row: usize| Integer::from(&columns.exponents[row]);
            let cases: [(Column<'_>, Column<'_>, InRow<'_>); 4] = [
                (Column::fixed(&bases, WIDTH), (&exponent).into(), &|row| {
                    ((&columns.bases[row]).into(), exponent.clone())
                }),
                (Column::fixed(&bases, WIDTH), (&minus_one).into(), &|row| {
                    ((&columns.bases[row]).into(), minus_one.clone())
                }),
                (Column::from(&base), Column::fixed(&exponents, WIDTH), &|row| (base.clone(), own(row))),
                (Column::from(&base), (&exponent).into(), &|_| (base.clone(), exponent.clone())),
            ];
            for (bases, exponents, numbers) in cases {
                let mut out = vec![7; 700 * WIDTH];
                let failed = pow_rows(bases, exponents, rows.clone(), &mut out, WIDTH, &threads(2)).unwrap();
                let mut failures = failed.into_iter();
                for (row, out) in out.chunks(WIDTH).enumerate() {
                    let (base, exponent) = numbers(row);
                    match modulus.pow(&base, &exponent) {
                        Ok(power) => assert_eq!(Natural::from_be_bytes(out), power),
                        Err(error) => assert_eq!(failures.next(), Some((row, error))),
                    }
                }
                assert_eq!(failures.next(), None);
            }
        }
    }
}

/// Lengths that differ, rows too short for a residue, moduli that are none.
#[test]
fn refusals_leave_nothing_half_done() {
    let number = Integer::from(5u64);
    let refused = |bases: Column<'_>, moduli: Column<'_>, out: &mut [u8], width: usize| {
        out.fill(9);
        let done = pow_rows(bases, (&number).into(), moduli, out, width, &Options::default());
        if done.is_err() {
            assert!(out.iter().all(|&byte| byte == 0));
        }
        done.map_err(|error| error.code())
    };
    let mut out = [0; 12];
    let no_numbers: &[Integer] = &[];
    assert_eq!(refused(Column::fixed(&[1; 5], 2), (&number).into(), &mut out, 4), Err("bad_argument"));
    assert_eq!(refused(Column::fixed(&[1; 6], 2), (&number).into(), &mut out, 5), Err("bad_argument"));
    assert_eq!(refused(Column::fixed(&[], usize::MAX), (&number).into(), &mut out, 4), Err("bad_argument"));
    assert_eq!(refused((&number).into(), (&number).into(), &mut out, 0), Err("bad_argument"));
    assert_eq!(refused(no_numbers.into(), (&number).into(), &mut out, 4), Err("bad_argument"));
    assert_eq!(refused(Column::fixed(&[], 0), (&number).into(), &mut out, 4), Ok(vec![]), "no bytes are 0");
    let negative = Integer::from(-7i64);
    let all = |error: Error| Ok((0..3).map(|row| (row, error.clone())).collect());
    assert_eq!(refused((&number).into(), (&negative).into(), &mut out, 4), all(Error::NegativeModulus));
    // 2^32 has residues of four bytes, 2^32 + 1 has one of five.
    let two = Integer::from(1u64 << 32);
    assert_eq!(refused((&number).into(), (&two).into(), &mut out, 4), Ok(vec![]));
    let longer = Integer::from(1u64 << 32 | 1);
    let too_long = Error::TooLong { what: "modulus", length: 33, cap: 32 };
    assert_eq!(refused((&number).into(), (&longer).into(), &mut out, 4), all(too_long.clone()));
    let modulus = Modulus::new(longer.magnitude().clone()).unwrap();
    assert_eq!(refused((&number).into(), (&modulus).into(), &mut out, 4), all(too_long));
}

/// A kernel, a line for each row, and a tree for the list.
#[test]
fn plans_can_be_forced() {
    let mut random = Random::new(33);
    let numbers =
        |random: &mut Random| -> Vec<Natural> { (0..300).map(|_| random.exponent(256).magnitude().clone()).collect() };
    let (bases, mut moduli) = (numbers(&mut random), numbers(&mut random));
    for m in &mut moduli {
        let mut limbs = m.limbs().to_vec();
        limbs[0] |= 1;
        *m = Natural::from_limbs(&limbs);
    }
    let columns = Table { exponents: vec![65537u64.into(); 300], bases, moduli };
    let (bases, moduli) = (packed(&columns.bases, false), packed(&columns.moduli, false));
    let exponent = Integer::from(65537u64);
    let run = |options: Options<'_>| -> Result<(), Error> {
        let mut out = vec![7; 300 * WIDTH];
        let (bases, moduli) = (Column::fixed(&bases, WIDTH), Column::fixed(&moduli, WIDTH));
        let failed = pow_rows(bases, (&exponent).into(), moduli, &mut out, WIDTH, &options)?;
        columns.check(&out, &failed, false);
        Ok(())
    };
    run(Options::default().with_kernel(Some("portable_r64"))).unwrap();
    run(Options::default().with_plan(Some("binary_left_to_right"))).unwrap();
    run(Options::default().with_plan(Some("batch(sliding_window(w=2) on portable_r64(n=4) x 300)"))).unwrap();
    assert_eq!(run(threads(1).with_kernel(Some("abacus"))).map_err(|error| error.code()), Err("bad_plan"));
    let mut words = [0; 300];
    let word = |numbers: &[Natural]| numbers.iter().map(|number| number.limbs()[0]).collect::<Vec<_>>();
    let (bases, moduli) = (word(&columns.bases), word(&columns.moduli));
    let options = Options::default().with_kernel(Some("portable_r64"));
    assert_eq!(pow_words(&bases, &[65537], &moduli, &mut words, &options), Ok(vec![]));
    let mut free = [0; 300];
    assert_eq!(pow_words(&bases, &[65537], &moduli, &mut free, &Options::default()), Ok(vec![]));
    assert_eq!(words, free);
}

/// Words at the edges: 0, 1, powers of two, all ones, even and odd, with one exponent and with their own.
#[test]
fn words_are_the_powers_one_by_one() {
    let mut random = Random::new(34);
    let mut edges = vec![0, 1, 2, 3, 4, 6, 1 << 32, 1 << 63, (1 << 63) + 1, u64::MAX, u64::MAX - 1, 12, 65537];
    edges.extend((0..20).map(|_| random.next() >> random.below(64)));
    let mut columns: [Vec<u64>; 3] = Default::default();
    for &base in &edges {
        for &exponent in &edges {
            for &modulus in &edges {
                columns[0].push(base);
                columns[1].push(exponent);
                columns[2].push(modulus);
            }
        }
    }
    let count = columns[0].len();
    let ones: Vec<[Vec<u64>; 3]> = edges
        .iter()
        .map(|&word| [columns[0][..count / 9].to_vec(), vec![word], columns[2][..count / 9].to_vec()])
        .chain(edges.iter().map(|&word| [columns[2][..200].to_vec(), columns[1][..200].to_vec(), vec![word]]))
        .chain([0, 1, 7, 8, 9].map(|count| columns.each_ref().map(|column| column[count..2 * count].to_vec())))
        .collect();
    for [bases, exponents, moduli] in ones.into_iter().chain([columns]) {
        let count = bases.len();
        for threads in [1, 3] {
            let mut out = vec![9; count];
            let options = self::threads(threads);
            let failed = pow_words(&bases, &exponents, &moduli, &mut out, &options).unwrap();
            let mut failures = failed.into_iter();
            for row in 0..count {
                let at = |column: &[u64]| if column.len() == 1 { column[0] } else { column[row] };
                let (base, exponent, modulus) = (at(&bases), at(&exponents), at(&moduli));
                match powmod(&base.into(), &exponent.into(), &modulus.into()) {
                    Ok(power) => assert_eq!(Natural::from(out[row]), power, "{base}^{exponent} mod {modulus}"),
                    Err(error) => {
                        assert_eq!((failures.next(), out[row]), (Some((row, error)), 0));
                    }
                }
            }
            assert_eq!(failures.next(), None);
        }
    }
    let mut out = [9; 3];
    let differ = pow_words(&[1, 2], &[1], &[1], &mut out, &Options::default());
    assert_eq!(differ.map_err(|error| error.code()), Err("bad_argument"));
    assert_eq!(out, [0; 3]);
}

/// Stops at the poll of this number.
struct Impatient {
    left: AtomicUsize,
    last: AtomicUsize,
}

impl Watch for Impatient {
    fn stop(&self) -> bool {
        self.left.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_err()
    }

    fn progress(&self, finished: usize, total: usize) {
        assert!(finished <= total);
        self.last.store(finished, Relaxed);
    }
}

/// Stopped early, late and not at all, in blocks and as words: all zeros, or all there.
#[test]
fn a_stop_leaves_zeros() {
    let mut random = Random::new(35);
    let count = 40_000;
    let words = |random: &mut Random| (0..count).map(|_| random.next() | 1).collect::<Vec<_>>();
    let (bases, exponents, moduli) = (words(&mut random), words(&mut random), words(&mut random));
    let bytes = |words: &[u64]| words.iter().flat_map(|word| word.to_be_bytes()).collect::<Vec<_>>();
    let columns = [&bases, &exponents, &moduli].map(|words| bytes(words));
    let mut stopped = 0;
    for asked in [0, 1, 3, usize::MAX] {
        for of_threads in [1, 2] {
            let watch = Impatient { left: asked.into(), last: 0.into() };
            let options = threads(of_threads).with_watch(Some(&watch));
            let mut out = vec![9; count];
            match pow_words(&bases, &exponents, &moduli, &mut out, &options) {
                Err(error) => {
                    assert_eq!(error, Error::Interrupted);
                    assert!(out.iter().all(|&word| word == 0));
                    stopped += 1;
                }
                Ok(failed) => assert_eq!((failed, watch.last.load(Relaxed)), (vec![], count)),
            }
            let watch = Impatient { left: asked.into(), last: 0.into() };
            let options = threads(of_threads).with_watch(Some(&watch));
            let mut rows = vec![9; 8 * count];
            let [b, e, m] = columns.each_ref().map(|bytes| Column::fixed(bytes, 8));
            match pow_rows(b, e, m, &mut rows, 8, &options) {
                Err(error) => {
                    assert_eq!(error, Error::Interrupted);
                    assert!(rows.iter().all(|&byte| byte == 0));
                    stopped += 1;
                }
                Ok(failed) => {
                    assert_eq!((failed, watch.last.load(Relaxed)), (vec![], count));
                    assert_eq!(rows, bytes(&out));
                }
            }
        }
    }
    assert!(stopped >= 8);
}

/// One power of words is that of the same numbers as any others.
#[test]
fn one_power_of_words() {
    let edges = [0, 1, 2, 3, 4, 5, 1 << 31, (1 << 32) - 1, 1 << 32, (1 << 32) + 1, 1 << 63, u64::MAX - 1, u64::MAX];
    for modulus in edges.into_iter().chain([1_000_003, 0x7fff_ffff_ffff_ffe7, 6 << 40]) {
        for base in edges.into_iter().chain([modulus.wrapping_sub(1), modulus, modulus.wrapping_add(1)]) {
            for exponent in edges.into_iter().chain([17, 65537]) {
                let expected = powmod(&base.into(), &exponent.into(), &modulus.into());
                let expected = expected.ok().map(|power| power.limbs().first().copied().unwrap_or(0));
                assert_eq!(
                    pingala_core::powmod_word(base, exponent, modulus),
                    expected,
                    "{base}^{exponent} mod {modulus}"
                );
            }
        }
    }
}
