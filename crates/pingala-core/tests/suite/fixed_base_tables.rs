//! `FixedBase`: right on every kernel and modulus, kept in files that are checked before they are used.

use super::common::mapped;
use super::common::{Random, skipped};
use pingala_core::algorithm::fixed_base::{FixedBaseAlgorithm, TableShape};
use pingala_core::kernels::{Entry, KERNELS, forms};
use pingala_core::plan::summary::Row;
use pingala_core::plan::{Explanation, Plan, Planner};
use pingala_core::{Error, Expected, FixedBase, Integer, Modulus, Natural, Options, Uses};
use std::fs;
use std::path::PathBuf;

/// A folder of its own, removed with what is in it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("pingala-tables-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap();
    }
}

fn odd(random: &mut Random, bits: usize) -> Natural {
    let mut limbs = random.exponent(bits).magnitude().limbs().to_vec();
    limbs[0] |= 1;
    Natural::from_limbs(&limbs)
}

fn shifted(value: &Natural, count: usize) -> Natural {
    let bits = (0..value.bits()).filter(|&bit| value.bit(bit));
    super::common::from_bits(bits.map(|bit| bit as usize + count)).magnitude().clone()
}

fn number(random: &mut Random, bits: usize) -> Integer {
    Integer::from(random.exponent(bits).magnitude())
}

fn negated(value: &Integer) -> Integer {
    Integer::new(!value.is_negative(), value.magnitude().clone())
}

/// Exponents at the edges of a length, and negative ones.
fn exponents(random: &mut Random, bits: usize) -> Vec<Integer> {
    let ones = |bits| Integer::from(super::common::from_bits(0..bits).magnitude());
    let top = Integer::from(super::common::from_bits([bits - 1]).magnitude());
    let mut all = vec![Integer::from(0u64), Integer::from(1u64), ones(bits), top, ones(bits.div_ceil(2))];
    all.extend((0..3).map(|_| number(random, bits)));
    let negative: Vec<Integer> = all.iter().map(negated).collect();
    all.into_iter().chain(negative).collect()
}

#[track_caller]
fn agrees(table: &FixedBase, base: &Integer, exponents: &[Integer], what: &str) {
    let want: Vec<_> = exponents.iter().map(|exponent| table.modulus().pow(base, exponent)).collect();
    for (exponent, want) in exponents.iter().zip(&want) {
        assert_eq!(table.pow(exponent), *want, "{what}, {}: exponent {exponent}", table.plan());
    }
    let listed = table.pow_list(exponents, &Options::default()).unwrap();
    assert_eq!(listed, want, "{what}: a list");
}

/// Odd moduli, powers of two, others, 1 and 2; bases of every kind.
#[test]
fn powers_are_those_of_the_modulus() {
    let mut random = Random::new(5);
    for bits in [1, 2, 40, 64, 130, 700, 2048] {
        for zeros in [0, 1, 2, 3, 64, 90, 300] {
            let mut moduli = vec![shifted(&odd(&mut random, bits), zeros)];
            if zeros > 0 {
                moduli.push(shifted(&Natural::from(1u64), zeros));
            }
            for value in moduli {
                let modulus = Modulus::new(value.clone()).unwrap();
                let long = number(&mut random, bits + 70);
                for base in [Integer::from(0u64), Integer::from(2u64), negated(&Integer::from(3u64)), long] {
                    for exponent_bits in [1, 65, 200] {
                        let exponents = exponents(&mut random, exponent_bits);
                        let table = FixedBase::new(&base, &modulus, exponent_bits as u64, 1 << 18, &Options::default())
                            .unwrap();
                        assert!(table.table_bytes() <= 1 << 18);
                        assert_eq!(Ok(table.base().clone()), modulus.pow(&base, &1u64.into()));
                        agrees(&table, &base, &exponents, &format!("{base} modulo {value}"));
                        table.verify(&Options::default()).unwrap();
                    }
                }
            }
        }
    }
}

/// Every method on every kernel that this CPU has, and the plan's line back.
#[test]
fn every_method_on_every_kernel() {
    let mut random = Random::new(6);
    for bits in [64, 129, 1030] {
        let value = odd(&mut random, bits);
        let modulus = Modulus::new(value).unwrap();
        let base = number(&mut random, bits - 1);
        let exponents = exponents(&mut random, 130);
        let methods = FixedBaseAlgorithm::candidates(&TableShape { exponent_bits: 130, max_entries: 400 });
        for (at, form) in forms(true, bits.div_ceil(64)).enumerate() {
            // Other methods for each form, so that each method meets some.
            for method in methods.iter().skip(at % 9).step_by(9) {
                let line = format!("{method} on {form}");
                let options = Options::default().with_plan(Some(&line));
                let table = FixedBase::new(&base, &modulus, 130, 1 << 20, &options);
                if form.kernel.lanes() > 1 || form.kernel.entry().name.starts_with("portable_fixed") {
                    assert_eq!(table.unwrap_err().code(), "bad_plan", "{line}");
                    continue;
                }
                let table = table.unwrap();
                assert_eq!(table.plan().to_string(), line);
                assert_eq!(line.parse::<Plan<FixedBaseAlgorithm>>(), Ok(table.plan()));
                agrees(&table, &base, &exponents, "forced");
            }
        }
    }
}

/// Lists of every length in lanes and one by one, by price and forced, with exponents of every kind among them.
#[test]
fn lists_share_the_lanes() {
    let mut random = Random::new(14);
    let available = |name: &&str| KERNELS.iter().any(|entry| entry.name == *name && entry.available());
    let here = |names: &[&'static str]| -> Vec<&'static str> { names.iter().copied().filter(available).collect() };
    let (ifma, fma) = (here(&["ifma_lanes_r52", "avxifma_lanes_r52"]), here(&["fma_lanes_r51"]));
    let makers = [("ifma_row_r52", &ifma), ("mulx_r64", &fma), ("portable_r64", &fma)];
    let makers: Vec<_> = makers.into_iter().filter(|(maker, lanes)| available(maker) && !lanes.is_empty()).collect();
    if makers.is_empty() {
        return skipped("this CPU has no table that lanes take");
    }
    let lengths = [(3, 0), (64, 0), (129, 70), (1030, 0), (2048, 0)];
    for ((bits, zeros), (row, lanes)) in lengths.into_iter().flat_map(|length| makers.iter().map(move |&m| (length, m)))
    {
        let modulus = Modulus::new(shifted(&odd(&mut random, bits), zeros)).unwrap();
        let base = number(&mut random, bits + zeros - 1);
        for (method, exponent_bits) in [("comb(h=5, v=3)", 130), ("comb(h=1, v=1)", 20), ("bit_combinations(w=3)", 130)]
        {
            let options = Options::default().with_kernel(Some(row)).with_plan(Some(method));
            let table = FixedBase::new(&base, &modulus, exponent_bits as u64, 1 << 20, &options).unwrap();
            let mut exponents = exponents(&mut random, exponent_bits);
            exponents.push(Integer::from(super::common::from_bits([exponent_bits]).magnitude()));
            let want: Vec<_> = exponents.iter().map(|exponent| table.pow(exponent)).collect();
            for (exponent, want) in exponents.iter().zip(&want).take(exponents.len() - 1) {
                assert_eq!(*want, modulus.pow(&base, exponent));
            }
            for kernel in lanes.iter().map(|&name| Some(name)).chain([Some(row), None]) {
                let options = Options::default().with_kernel(kernel);
                for count in 0..=exponents.len() {
                    let got = table.pow_list(&exponents[exponents.len() - count..], &options).unwrap();
                    assert_eq!(got, want[want.len() - count..], "{count} of {bits} bits, {method}, {kernel:?}");
                }
                for count in [1, 2, 8, 17] {
                    let plan = table.plan_list(count, &options).unwrap();
                    assert!(kernel.is_none_or(|kernel| plan.to_string().contains(kernel)), "{plan}");
                    assert!(plan.to_string().contains(method));
                    let line = plan.to_string();
                    assert_eq!(line.parse::<Plan<FixedBaseAlgorithm>>(), Ok(plan.clone()));
                    let forced = Options::default().with_plan(Some(&line));
                    assert_eq!(table.plan_list(count, &forced), Ok(plan));
                    // As many that need a product.
                    let some = exponents.iter().zip(&want).filter(|(e, w)| w.is_ok() && !e.magnitude().is_zero());
                    let (some, want): (Vec<Integer>, Vec<_>) =
                        some.cycle().take(count).map(|(e, w)| (e.clone(), w.clone())).unzip();
                    assert_eq!(table.pow_list(&some, &forced).unwrap(), want, "{line}");
                }
            }
            // However many: a plan of a list holds nothing for each of its powers.
            let endless = usize::MAX;
            let plan = table.plan_list(endless, &Options::default()).unwrap().to_string();
            assert!(plan.contains("batch(") && plan.len() < 300, "{plan}");
            let refused = |plan: &str| table.plan_list(8, &Options::default().with_plan(Some(plan)));
            let another = if row == "portable_r64" { "comb on mulx_r64" } else { "comb on portable_r64" };
            for line in ["comb(h=2, v=2)", "windowing", another, "batch(comb x 9)", "comb(", "crt(comb)"] {
                assert_eq!(refused(line).unwrap_err().code(), "bad_plan", "{line}");
            }
        }
    }
    // What has no rounds, or is in no form that lanes take, runs one by one.
    let modulus = Modulus::new(odd(&mut random, 700)).unwrap();
    let (row, lanes) = makers[0];
    let mut others = vec![(row, "windowing(h=8)", lanes), (row, "euclidean(digit_bits=20)", lanes)];
    others.extend((!ifma.is_empty()).then_some(("portable_r64", "comb(h=4, v=2)", &ifma)));
    for (kernel, plan, lanes) in others {
        let options = Options::default().with_kernel(Some(kernel)).with_plan(Some(plan));
        let table = FixedBase::new(&Integer::from(3u64), &modulus, 100, 1 << 20, &options).unwrap();
        let taken = table.plan_list(1000, &Options::default()).unwrap().to_string();
        assert!(taken.contains(kernel) || kernel == "portable_r64", "{taken}");
        for name in lanes {
            let forced = Options::default().with_kernel(Some(name));
            assert_eq!(table.plan_list(8, &forced).unwrap_err().code(), "bad_plan");
        }
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let modulus = Modulus::new("0x10001000000000000000000000000001".parse().unwrap()).unwrap();
    let new = |exponent_bits, bytes, plan| {
        let options = Options::default().with_plan(plan);
        FixedBase::new(&Integer::from(3u64), &modulus, exponent_bits, bytes, &options)
    };
    let table = new(100, 4096, None).unwrap();
    let long = Integer::from(super::common::from_bits([100]).magnitude());
    assert_eq!(table.pow(&long), Err(Error::TooLong { what: "exponent", length: 101, cap: 100 }));
    assert_eq!(table.pow(&negated(&long)).unwrap_err().code(), "too_long");
    assert_eq!(new(100, 10, None).unwrap_err().code(), "bad_argument");
    assert_eq!(new(0, 4096, None).unwrap_err().code(), "bad_argument");
    assert_eq!(new(1 << 40, 4096, None).unwrap_err().code(), "too_long");
    assert_eq!(new(100, 64, Some("comb(h=8, v=2)")).unwrap_err().code(), "bad_argument");
    for line in ["sliding_window(w=3)", "comb(h=2, v=1) on nothing", "even(comb(h=2, v=1), comb(h=2, v=1))", "comb("] {
        assert_eq!(new(100, 4096, Some(line)).unwrap_err().code(), "bad_plan", "{line}");
    }
    // 3 divides both: no power but the 0th has an inverse.
    let modulus = Modulus::new(Natural::from(15u64)).unwrap();
    let table = FixedBase::new(&Integer::from(3u64), &modulus, 10, 4096, &Options::default()).unwrap();
    assert_eq!(table.pow(&Integer::from(-2i64)).unwrap_err().code(), "not_invertible");
}

/// The choice: within its memory, by price and uses, and with more memory never slower.
#[test]
fn the_planner_takes_the_cheapest_that_fits() {
    let modulus = Modulus::new(odd(&mut Random::new(3), 2048)).unwrap();
    let base = Integer::from(65_537u64);
    let explain = |bytes, uses| FixedBase::explain(&base, &modulus, 2048, bytes, uses, &Options::default()).unwrap();
    // With the share of a million powers in the building.
    let shared = |row: &Row| row.seconds + row.table.unwrap().build_seconds * 1e-6;
    let mut last = f64::INFINITY;
    for kib in [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 4096] {
        let explanation = explain(kib << 10, 1_000_000);
        let best = &explanation.candidates().next().unwrap()[0];
        println!("{kib} KiB: {} {:.1} products, {:.2} us", best.algorithm, best.products, best.seconds * 1e6);
        assert!(best.table.unwrap().bytes <= kib << 10 && shared(best) <= last);
        last = shared(best);
    }
    println!("{}", explain(256 << 10, 10_000));
    // In lists a power costs no more, because each may still be computed by itself.
    for kib in [4, 16, 64, 256, 1024] {
        let uses = Uses::new(1_000_000, true);
        let lists = FixedBase::explain(&base, &modulus, 2048, kib << 10, uses, &Options::default()).unwrap();
        let [alone, listed] = [explain(kib << 10, 1_000_000), lists.clone()].map(|explanation| {
            let best = &explanation.candidates().next().unwrap()[0];
            println!("{kib} KiB: {} {:.2} us", best.algorithm, best.seconds * 1e6);
            shared(best)
        });
        assert!(listed <= alone && lists.to_string().contains("uses in lists"));
    }
    let (few, many) = (explain(1 << 20, 2), explain(1 << 20, 1_000_000));
    let build = |explanation: &Explanation<FixedBaseAlgorithm>| {
        explanation.candidates().next().unwrap()[0].table.unwrap().build_seconds
    };
    assert!(build(&few) < build(&many));
    // The counts of what is chosen stand by the prices of the machine: no other candidate is cheaper.
    let planner = Planner::of_this_machine();
    for candidate in many.candidates().next().unwrap() {
        let Ok(Plan::<FixedBaseAlgorithm>::Run { form, .. }) = candidate.plan().parse() else { panic!("a run") };
        assert!(planner.prices().of(&form).is_some());
    }
}

#[test]
fn files_give_back_what_was_saved() {
    let folder = Folder::new("back");
    let path = folder.0.join("table");
    let mut random = Random::new(8);
    for (bits, zeros) in [(64, 0), (700, 0), (700, 70), (1, 100)] {
        let modulus = Modulus::new(shifted(&odd(&mut random, bits), zeros)).unwrap();
        let base = number(&mut random, bits + zeros);
        let table = FixedBase::new(&base, &modulus, 150, 1 << 16, &Options::default()).unwrap();
        table.save(&path).unwrap();
        let exponents = exponents(&mut random, 150);
        for map in [false, true] {
            let expected = mapped(Expected::default().with_modulus(Some(modulus.value())).with_base(Some(&base)), map);
            let loaded = FixedBase::load(&path, &expected, &Options::default()).unwrap();
            assert_eq!((loaded.plan(), loaded.table_bytes()), (table.plan(), table.table_bytes()));
            assert_eq!(loaded.notes(), [] as [String; 0]);
            agrees(&loaded, &base, &exponents, "loaded");
            loaded.verify(&Options::default()).unwrap();
        }
        let bytes = table.to_bytes().unwrap();
        assert_eq!(bytes, fs::read(&path).unwrap());
        bytes_are_checked(&bytes, &table, &exponents);
    }
}

/// The bytes of a table give it back, and damaged or foreign ones do not.
fn bytes_are_checked(bytes: &[u8], table: &FixedBase, exponents: &[Integer]) {
    let (options, base) = (Options::default(), Integer::from(table.base()));
    let expected = Expected::default().with_modulus(Some(table.modulus().value())).with_base(Some(&base));
    agrees(&FixedBase::from_bytes(bytes, &mapped(expected, true), &options).unwrap(), &base, exponents, "of bytes");
    let other = Natural::from(5u64);
    let too_long = Expected::default().with_max_bytes(8);
    for expected in [too_long, Expected::default().with_modulus(Some(&other))] {
        assert_eq!(FixedBase::from_bytes(bytes, &expected, &options).unwrap_err().code(), "bad_file");
    }
    for at in [0, 9, 17, 70, bytes.len() / 2, bytes.len() - 1] {
        let mut damaged = bytes.to_vec();
        damaged[at] ^= 4;
        for wrong in [&damaged[..], &bytes[..at]] {
            assert_eq!(FixedBase::from_bytes(wrong, &expected, &options).unwrap_err().code(), "bad_file");
        }
    }
}

/// A table of every kernel, loaded for every other.
#[test]
fn tables_of_other_forms_are_converted_and_it_is_said() {
    let folder = Folder::new("convert");
    let path = folder.0.join("table");
    let mut random = Random::new(9);
    let modulus = Modulus::new(shifted(&odd(&mut random, 523), 140)).unwrap();
    let base = number(&mut random, 600);
    let exponents = exponents(&mut random, 150);
    let fit = |entry: &&Entry| {
        let takes = entry.takes(523_usize.div_ceil(64));
        takes && entry.available() && !entry.plain && !entry.name.contains("lanes") && !entry.name.contains("fixed")
    };
    let names: Vec<&str> = KERNELS.iter().filter(fit).map(|entry| entry.name).collect();
    let mut converted = 0;
    for from in &names {
        let options = Options::default().with_kernel(Some(from));
        FixedBase::new(&base, &modulus, 150, 1 << 16, &options).unwrap().save(&path).unwrap();
        for to in &names {
            for map in [false, true] {
                let options = Options::default().with_kernel(Some(to));
                let expected = mapped(Expected::default(), map);
                let loaded = FixedBase::load(&path, &expected, &options).unwrap();
                assert!(loaded.plan().to_string().contains(to));
                agrees(&loaded, &base, &exponents, &format!("{from} to {to}"));
                converted += usize::from(!loaded.notes().is_empty());
                if from == to {
                    assert!(loaded.notes().iter().all(|note| !note.contains(to)), "{:?}", loaded.notes());
                }
            }
        }
    }
    if names.iter().any(|name| name.contains("r52")) {
        assert!(converted > 0);
    } else {
        skipped("this CPU has one form only");
    }
}

#[test]
fn every_flipped_byte_and_every_other_owner_is_refused() {
    let folder = Folder::new("flip");
    let path = folder.0.join("table");
    let modulus = Modulus::new("0xffffffffffffffc5ffffffffffffffc5ffffffffffffffc5".parse().unwrap()).unwrap();
    let base = Integer::from(3u64);
    let table = FixedBase::new(&base, &modulus, 20, 1 << 10, &Options::default()).unwrap();
    table.save(&path).unwrap();
    let load = |expected: &Expected<'_>| FixedBase::load(&path, expected, &Options::default());
    let whole = fs::read(&path).unwrap();
    for at in 0..whole.len() {
        for map in [false, true] {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << (at % 8);
            fs::write(&path, &bytes).unwrap();
            let error = load(&mapped(Expected::default(), map)).unwrap_err();
            assert_eq!(error.code(), "bad_file", "byte {at}");
            assert!(error.to_string().contains(&*path.to_string_lossy()));
        }
    }
    for length in [0, 1, 63, 64, 95, 96, whole.len() - 1] {
        fs::write(&path, &whole[..length]).unwrap();
        assert_eq!(load(&Expected::default()).unwrap_err().code(), "bad_file");
    }
    fs::write(&path, &whole).unwrap();
    let other: Natural = "0xffffffffffffffc5ffffffffffffffc5ffffffffffffffc7".parse().unwrap();
    let error = load(&Expected::default().with_modulus(Some(&other))).unwrap_err().to_string();
    assert!(error.contains("ffffffc5") && error.contains("ffffffc7"), "{error}");
    let error = load(&Expected::default().with_base(Some(&Integer::from(5u64)))).unwrap_err().to_string();
    assert!(error.contains("0x3") && error.contains("0x5"), "{error}");
    let error = load(&Expected::default().with_max_bytes(100)).unwrap_err().to_string();
    assert!(error.contains("cap"), "{error}");
    load(&Expected::default().with_modulus(Some(modulus.value())).with_base(Some(&base))).unwrap();
}

#[test]
fn one_table_serves_many_threads() {
    let mut random = Random::new(10);
    let modulus = Modulus::new(odd(&mut random, 300)).unwrap();
    let table = FixedBase::new(&Integer::from(7u64), &modulus, 300, 1 << 15, &Options::default()).unwrap();
    let exponents: Vec<Integer> = (0..500).map(|_| number(&mut random, 300)).collect();
    let want = table.pow_list(&exponents, &Options::default().with_threads(Some(1.try_into().unwrap()))).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            let (table, exponents, want) = (table.clone(), &exponents, &want);
            scope.spawn(move || {
                for (exponent, want) in exponents.iter().zip(want) {
                    assert_eq!(&table.pow(exponent), want);
                }
            });
        }
    });
}

/// The limit on entries has a message of its own, which does not blame the memory.
#[test]
fn a_table_of_too_many_entries() {
    let modulus = Modulus::new(Natural::from(0xffff_ffff_ffff_ffc5u64)).unwrap();
    let forced = Options::default().with_plan(Some("bit_combinations(w=16)"));
    let build = |memory| FixedBase::new(&Integer::from(3u64), &modulus, 1 << 19, memory, &forced).unwrap_err();
    for memory in [1 << 50, u64::MAX] {
        let error = build(memory);
        assert_eq!(error.code(), "bad_argument");
        assert!(error.to_string().contains("more than 2^30 entries"), "{error}");
    }
    assert!(build(1 << 30).to_string().contains("the memory limit is"));
}

/// The bytes of a table are those of its entries, a little more than the modulus has.
#[test]
fn a_table_says_how_long_it_is() {
    let mut random = Random::new(12);
    let modulus = Modulus::new(odd(&mut random, 2048)).unwrap();
    let table = FixedBase::new(&Integer::from(3u64), &modulus, 200, 1 << 16, &Options::default()).unwrap();
    assert!((256..=512).contains(&(table.table_bytes() / table.entries())), "{} bytes", table.table_bytes());
}
