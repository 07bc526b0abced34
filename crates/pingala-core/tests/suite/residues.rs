//! Lists of residues: chains of operations in place, on every kernel and every kind of modulus, against whole numbers.

use super::common::Random;
use num_bigint::{BigInt, BigUint};
use pingala_core::kernels::KERNELS;
use pingala_core::{Column, Error, Integer, Modulus, Natural, Options, Residues, Watch, mulmod_rows, mulmod_words};
use std::num::NonZeroUsize;

fn natural(value: &BigUint) -> Natural {
    Natural::from_le_bytes(&value.to_bytes_le())
}

fn integer(value: &BigInt) -> Integer {
    Integer::new(value.sign() == num_bigint::Sign::Minus, natural(value.magnitude()))
}

fn plain(value: &Natural) -> BigUint {
    BigUint::from_bytes_le(&value.to_le_bytes())
}

fn residue(value: &BigInt, m: &BigUint) -> BigUint {
    let m = BigInt::from(m.clone());
    ((value % &m + &m) % &m).magnitude().clone()
}

/// A number of this length whose words are often all zeros or all ones.
fn drawn(random: &mut Random, bits: u64) -> BigUint {
    let words = (0..bits.div_ceil(32)).map(|_| match random.below(8) {
        0 => 0,
        1 => u32::MAX,
        _ => random.next() as u32,
    });
    let mut value = BigUint::new(words.collect()) % (BigUint::from(1u32) << bits);
    value.set_bit(bits - 1, true);
    value
}

/// 0, 1, m - 1, m, m + 1, 2m, m^2 - 1, negative numbers, and some below m.
fn values(random: &mut Random, m: &BigUint) -> Vec<BigInt> {
    let m = BigInt::from(m.clone());
    let one = BigInt::from(1);
    let mut values = vec![BigInt::ZERO, one.clone(), &m - &one, m.clone(), &m + &one, &m * 2, &m * &m - &one];
    values.extend([-one.clone(), -&m, -(&m * &m) + &one]);
    values.extend((0..6).map(|_| BigInt::from(drawn(random, m.bits() + 3)) % &m));
    values
}

/// Odd, even, powers of two and 1, from one word to the lengths of transforms.
fn moduli(random: &mut Random) -> Vec<BigUint> {
    let one = BigUint::from(1u32);
    let mut moduli = vec![one.clone(), BigUint::from(2u32), BigUint::from(3u32), BigUint::from(6u32)];
    for bits in [31, 52, 63, 64, 65, 127, 128, 129, 192, 256, 257, 320, 521, 832, 1024, 2047, 2048, 4096] {
        moduli.push(drawn(random, bits) | &one);
        moduli.push((&one << bits) - &one);
        moduli.push(&one << bits);
        moduli.push((drawn(random, bits) | &one) << 3);
        moduli.push((drawn(random, 40) | &one) << (bits + 7));
        moduli.push((drawn(random, bits) | &one) << 130);
    }
    moduli
}

/// Operations in place, drawn at random, on two lists of one modulus.
fn chain(random: &mut Random, m: &BigUint, options: [&Options<'_>; 2], steps: usize) -> Result<(), Error> {
    let modulus = Modulus::new(natural(m))?;
    let starts = [values(random, m), values(random, m)];
    let mut lists = starts.each_ref().map(|values| values.iter().map(|value| residue(value, m)).collect::<Vec<_>>());
    let mut residues: Vec<Residues> = Vec::new();
    for (values, options) in starts.iter().zip(options) {
        let values: Vec<Integer> = values.iter().map(integer).collect();
        let (first, rest) = values.split_at(values.len() / 2);
        let mut list = modulus.residues(first, options)?;
        rest.iter().try_for_each(|value| list.push(value))?;
        residues.push(list);
    }
    for _ in 0..steps {
        let which = random.below(2) as usize;
        let (list, other) = (lists[which].len() as u64, lists[1 - which].len() as u64);
        let (at, by, from) = (random.below(list) as usize, random.below(list) as usize, random.below(other) as usize);
        let (one, two) = residues.split_at_mut(1);
        let (mine, theirs) = if which == 0 { (&mut one[0], &two[0]) } else { (&mut two[0], &one[0]) };
        match random.below(8) {
            0 | 1 => {
                let count = random.below(4) as usize;
                mine.square_n(at, count)?;
                (0..count).for_each(|_| lists[which][at] = &lists[which][at] * &lists[which][at] % m);
            }
            2 => {
                mine.mul_assign(at, theirs, from)?;
                lists[which][at] = &lists[which][at] * &lists[1 - which][from] % m;
            }
            3 => {
                mine.mul_own(at, by)?;
                lists[which][at] = &lists[which][at] * &lists[which][by] % m;
            }
            4 => {
                mine.copy(by, at)?;
                lists[which][at] = lists[which][by].clone();
            }
            5 if list < 40 => {
                mine.push_from(theirs, from)?;
                let value = lists[1 - which][from].clone();
                lists[which].push(value);
            }
            6 if random.below(4) == 0 => {
                mine.set_one(at)?;
                lists[which][at] = BigUint::from(1u32) % m;
            }
            _ => {
                let value = BigInt::from(drawn(random, m.bits() + 70)) * if random.below(2) == 0 { 1 } else { -1 };
                mine.set(at, &integer(&value))?;
                lists[which][at] = residue(&value, m);
            }
        }
    }
    for (list, residues) in lists.iter().zip(&residues) {
        assert_eq!(residues.len(), list.len());
        for (index, want) in list.iter().enumerate() {
            assert_eq!(plain(&residues.get(index)?), *want, "residue {index} mod {m:#x} by {options:?}");
        }
    }
    Ok(())
}

#[test]
fn chains_modulo_every_kind_of_number() {
    let mut random = Random::new(43);
    for m in moduli(&mut random) {
        chain(&mut random, &m, [&Options::default(); 2], 60).unwrap();
    }
    for bits in [9_000, 40_000] {
        let m = drawn(&mut random, bits);
        for m in [&m | BigUint::from(1u32), &m << 65, BigUint::from(1u32) << bits] {
            chain(&mut random, &m, [&Options::default(); 2], 12).unwrap();
        }
    }
}

/// Each kernel that fits, and lists on two kernels.
#[test]
fn chains_on_every_kernel() {
    let mut random = Random::new(44);
    let mut moduli = moduli(&mut random);
    moduli.extend([4_200, 6_000].map(|bits| drawn(&mut random, bits) | BigUint::from(1u32)));
    moduli.push(BigUint::from(1u32) << 5_000);
    for entry in KERNELS.iter().filter(|entry| entry.available()) {
        let options = Options::default().with_kernel(Some(entry.name));
        let mut fits = 0;
        for m in &moduli {
            for other in [&options, &Options::default()] {
                match chain(&mut random, m, [&options, other], 25) {
                    Ok(()) => fits += 1,
                    Err(error) => assert_eq!(error.code(), "bad_plan", "{}", entry.name),
                }
            }
        }
        assert_eq!(fits > 4, entry.lanes == 1, "{} fits {fits} moduli", entry.name);
    }
}

#[test]
fn bad_arguments() {
    let modulus = Modulus::new(1009u64.into()).unwrap();
    let options = Options::default();
    let mut list = modulus.residues(&[3u64.into()], &options).unwrap();
    let other = Modulus::new(1013u64.into()).unwrap().residues(&[3u64.into()], &options).unwrap();
    let equal = Modulus::new(1009u64.into()).unwrap().residues(&[5u64.into()], &options).unwrap();
    let refused = [
        list.get(1).map(drop),
        list.set(1, &3u64.into()),
        list.set_one(1),
        list.copy(0, 1),
        list.copy(1, 0),
        list.square_n(1, 1),
        list.mul_own(0, 1),
        list.mul_own(1, 0),
        list.mul_assign(1, &equal, 0),
        list.mul_assign(0, &equal, 1),
        list.mul_assign(0, &other, 0),
        list.push_from(&other, 0),
        list.push_from(&equal, 1),
    ];
    for (place, refused) in refused.into_iter().enumerate() {
        assert_eq!(refused.unwrap_err().code(), "bad_argument", "call {place}");
    }
    list.mul_assign(0, &equal, 0).unwrap();
    assert_eq!((list.len(), list.get(0).unwrap()), (1, 15u64.into()));
    assert_eq!(list.bytes_each(), 8);
    list.truncate(0);
    assert!(list.is_empty());
    let line = options.with_plan(Some("binary_left_to_right"));
    assert_eq!(modulus.residues(&[], &line).unwrap_err().code(), "bad_plan");
}

/// Every call on lists, against whole numbers.
fn lists(random: &mut Random, m: &BigUint, options: &Options<'_>) -> Result<(), Error> {
    let modulus = Modulus::new(natural(m))?;
    let (a, mut b) = (values(random, m), values(random, m));
    b.rotate_left(3);
    let (x, y): (Vec<Integer>, Vec<Integer>) = (a.iter().map(integer).collect(), b.iter().map(integer).collect());
    let plains = |numbers: Vec<Natural>| numbers.iter().map(plain).collect::<Vec<_>>();
    let of = |products: Vec<BigInt>| products.iter().map(|product| residue(product, m)).collect::<Vec<_>>();
    let pairs = |a: &[BigInt], b: &[BigInt]| of(a.iter().zip(b).map(|(a, b)| a * b).collect());
    let each = |by: &BigInt| of(a.iter().map(|a| a * by).collect());
    let running: Vec<BigUint> = a
        .iter()
        .scan(BigUint::from(1u32), |product, a| {
            *product = &*product * residue(a, m) % m;
            Some(product.clone())
        })
        .collect();
    let context = format!("mod {m:#x} by {options:?}");
    assert_eq!(plains(modulus.mul_list(&x, &y, options)?), pairs(&a, &b), "{context}");
    for (by, signed) in y.iter().zip(&b).step_by(2) {
        assert_eq!(plains(modulus.mul_list(&x, core::slice::from_ref(by), options)?), each(signed), "{context}");
        assert_eq!(plains(modulus.mul_list(core::slice::from_ref(by), &x, options)?), each(signed), "{context}");
    }
    assert_eq!(plains(modulus.square_list(&x, options)?), pairs(&a, &a), "{context}");
    assert_eq!(plains(modulus.running_product(&x, options)?), running, "{context}");
    for length in 0..x.len() {
        let want = if length == 0 { BigUint::from(1u32) % m } else { running[length - 1].clone() };
        assert_eq!(plain(&modulus.product(&x[..length], options)?), want, "{context}");
        let kept = modulus.residues(&x[..length], options)?;
        assert_eq!(plain(&kept.product(options)?), want, "{context}");
    }
    let (p, q) = (modulus.residues(&x, options)?, modulus.residues(&y, options)?);
    assert_eq!(plains(p.mul(&q, options)?.to_naturals(options)?), pairs(&a, &b), "{context}");
    assert_eq!(plains(p.square(options)?.to_naturals(options)?), pairs(&a, &a), "{context}");
    assert_eq!(plains(p.running_product(options)?.to_naturals(options)?), running, "{context}");
    let selected = p.select(&[3, 0, 3])?.to_naturals(options)?;
    assert_eq!(plains(selected), [3, 0, 3].map(|index: usize| residue(&a[index], m)), "{context}");
    assert_eq!(p.select(&[x.len()]).unwrap_err().code(), "bad_argument");
    let one = modulus.residues(&y[..1], options)?;
    assert_eq!(plains(p.mul(&one, options)?.to_naturals(options)?), each(&b[0]), "{context}");
    assert_eq!(plains(one.mul(&p, options)?.to_naturals(options)?), each(&b[0]), "{context}");
    let width = m.bits().div_ceil(8) as usize + 1;
    let mut out = vec![7; width * x.len()];
    assert!(mulmod_rows((&x[..]).into(), (&y[..]).into(), (&modulus).into(), &mut out, width, options)?.is_empty());
    let rows = |out: &[u8]| out.chunks(width).map(BigUint::from_bytes_be).collect::<Vec<_>>();
    assert_eq!(rows(&out), pairs(&a, &b), "{context}");
    let moduli: Vec<Integer> = vec![Integer::from(natural(m)); x.len()];
    let failed = mulmod_rows((&x[..]).into(), (&y[1]).into(), (&moduli[..]).into(), &mut out, width, options)?;
    if let Some((_, error)) = failed.into_iter().next() {
        return Err(error);
    }
    assert_eq!(rows(&out), each(&b[1]), "{context}");
    Ok(())
}

#[test]
fn lists_modulo_every_kind_of_number() {
    let mut random = Random::new(45);
    for m in moduli(&mut random) {
        lists(&mut random, &m, &Options::default()).unwrap();
    }
    for bits in [9_000, 40_000] {
        let m = drawn(&mut random, bits);
        for m in [&m | BigUint::from(1u32), &m << 65] {
            lists(&mut random, &m, &Options::default()).unwrap();
        }
    }
}

#[test]
fn lists_on_every_kernel() {
    let mut random = Random::new(46);
    let moduli = moduli(&mut random);
    for entry in KERNELS.iter().filter(|entry| entry.available()) {
        let options = Options::default().with_kernel(Some(entry.name));
        for m in moduli.iter().step_by(2) {
            if let Err(error) = lists(&mut random, m, &options) {
                assert_eq!(error.code(), "bad_plan", "{}", entry.name);
            }
        }
    }
}

/// Says stop after some polls.
struct StopAfter(std::sync::atomic::AtomicUsize);

impl Watch for StopAfter {
    fn stop(&self) -> bool {
        use std::sync::atomic::Ordering::Relaxed;
        self.0.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_err()
    }
}

/// Lists long enough for several threads: the same results, and a stop.
#[test]
fn long_lists_on_threads() {
    let mut random = Random::new(47);
    for m in [drawn(&mut random, 1024) | BigUint::from(1u32), drawn(&mut random, 900) << 5, BigUint::from(1u32) << 777]
    {
        let modulus = Modulus::new(natural(&m)).unwrap();
        let a: Vec<BigUint> = (0..6_000).map(|_| drawn(&mut random, 1000)).collect();
        let x: Vec<Integer> = a.iter().map(|a| natural(a).into()).collect();
        let want: Vec<Natural> = a.iter().zip(a.iter().rev()).map(|(a, b)| natural(&(a * b % &m))).collect();
        let product = natural(&a.iter().fold(BigUint::from(1u32), |product, a| product * a % &m));
        let y: Vec<Integer> = x.iter().rev().cloned().collect();
        for threads in [1, 2, 3] {
            let options = Options::default().with_threads(NonZeroUsize::new(threads));
            assert_eq!(modulus.mul_list(&x, &y, &options).unwrap(), want);
            assert_eq!(modulus.product(&x, &options).unwrap(), product);
            let (p, q) = (modulus.residues(&x, &options).unwrap(), modulus.residues(&y, &options).unwrap());
            assert_eq!(p.mul(&q, &options).unwrap().to_naturals(&options).unwrap(), want);
            assert_eq!(p.product(&options).unwrap(), product);
            assert_eq!(p.running_product(&options).unwrap().get(5_999).unwrap(), product);
            let mut out = vec![0; 128 * x.len()];
            let columns = [&x, &y].map(|numbers| Column::from(&numbers[..]));
            mulmod_rows(columns[0].clone(), columns[1].clone(), (&modulus).into(), &mut out, 128, &options).unwrap();
            assert!(out.chunks(128).map(Natural::from_be_bytes).eq(want.iter().cloned()));
            let watch = StopAfter(1.into());
            let stopped = modulus.mul_list(&x, &y, &options.with_watch(Some(&watch)));
            assert!(stopped.is_err_and(|error| error == Error::Interrupted));
        }
    }
}

/// Words at their edges: columns, and one word for all rows.
#[test]
fn words() {
    let edges = [0, 1, 2, 3, 4, 6, (1 << 32) - 1, 1 << 32, (1 << 63) - 25, 1 << 63, u64::MAX - 1, u64::MAX];
    let (mut a, mut b, mut m) = (Vec::new(), Vec::new(), Vec::new());
    for (x, y) in edges.iter().flat_map(|x| edges.iter().map(move |y| (x, y))) {
        for modulus in edges {
            a.push(*x);
            b.push(*y);
            m.push(modulus);
        }
    }
    let product =
        |a: u64, b: u64, m: u64| if m == 0 { 0 } else { (u128::from(a) * u128::from(b) % u128::from(m)) as u64 };
    let zeros: Vec<usize> = (0..m.len()).filter(|row| m[*row] == 0).collect();
    for options in [Options::default(), Options::default().with_kernel(Some("portable_fixed_r64"))] {
        let mut out = vec![9; m.len()];
        let failed = mulmod_words(&a, &b, &m, &mut out, &options).unwrap();
        let misfits: Vec<usize> =
            failed.iter().filter(|(_, error)| error.code() == "bad_plan").map(|failed| failed.0).collect();
        assert_eq!(failed.len() - misfits.len(), zeros.len());
        for row in (0..m.len()).filter(|row| !misfits.contains(row)) {
            assert_eq!(out[row], product(a[row], b[row], m[row]), "{} * {} mod {}", a[row], b[row], m[row]);
        }
        for modulus in edges.into_iter().filter(|modulus| modulus % 2 == 1) {
            assert!(mulmod_words(&a, &b, &[modulus], &mut out, &options).unwrap().is_empty());
            assert!((0..m.len()).all(|row| out[row] == product(a[row], b[row], modulus)), "mod {modulus}");
            assert!(mulmod_words(&a, &[u64::MAX], &[modulus], &mut out, &options).unwrap().is_empty());
            assert!((0..m.len()).all(|row| out[row] == product(a[row], u64::MAX, modulus)), "mod {modulus}");
        }
    }
    let mut out = [1, 2];
    let refused = mulmod_words(&[1, 2, 3], &[1], &[5], &mut out, &Options::default()).unwrap_err();
    assert_eq!((refused.code(), out), ("bad_argument", [0, 0]));
    let line = Options::default().with_plan(Some("binary_left_to_right"));
    assert_eq!(mulmod_words(&[1], &[1], &[5], &mut out, &line).unwrap_err().code(), "bad_plan");
    let lists = Modulus::new(7u64.into()).unwrap().mul_list(&[], &[1u64.into(), 2u64.into()], &Options::default());
    assert_eq!(lists.unwrap_err().code(), "bad_argument");
}

/// Memory that is taken before, and residues that are loaded before, change nothing.
#[test]
fn reserved_and_prefetched() {
    let modulus = Modulus::new(Natural::from(1_000_003u64)).unwrap();
    let mut list = modulus.residues(&[], &Options::default()).unwrap();
    for more in [0, 1, 5, 100] {
        list.reserve(more).unwrap();
        list.push(&(7 * more as u64).into()).unwrap();
        (0..5).for_each(|index| list.prefetch(index));
    }
    let values: Vec<Natural> = (0..4).map(|index| list.get(index).unwrap()).collect();
    assert_eq!(values, [0u64, 7, 35, 700].map(Natural::from));
}
