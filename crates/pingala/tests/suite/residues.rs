//! Lists of residues: chains of operations in place, on every kernel and every kind of modulus, against whole numbers.

use super::common::Random;
use num_bigint::{BigInt, BigUint};
use pingala::kernels::KERNELS;
use pingala::{Integer, Modulus, Natural, Options, Residues};

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
fn chain(random: &mut Random, m: &BigUint, options: [&Options<'_>; 2], steps: usize) -> Result<(), pingala::Error> {
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
