//! Several powers of one base, and products of powers: the same answers as one power at a time, on every kernel, by every
//! algorithm, modulo numbers of every kind.

use pingala_core::algorithm::{ManyExponents, PowerProduct, ShapeBits};
use pingala_core::exponent::Exponent;
use pingala_core::kernels::{KERNELS, forms};
use pingala_core::plan::{Explanation, Plan, Planner, Prices, ShapeProblem};
use pingala_core::{Error, Integer, Job, Limits, Modulus, Natural, Options, Watch, pow_list};
use std::num::NonZeroUsize;
use std::sync::Mutex;

use super::common::{Random, exponent, power, skipped};

fn natural(random: &mut Random, bits: usize) -> Natural {
    random.exponent(bits).magnitude().clone()
}

/// `odd_bits` odd bits times 2^zeros.
fn modulus(random: &mut Random, odd_bits: usize, zeros: u64) -> Modulus {
    let odd =
        num_bigint::BigUint::from_bytes_be(&natural(random, odd_bits).to_be_bytes()) | num_bigint::BigUint::from(1u8);
    Modulus::new(Natural::from_be_bytes(&(odd << zeros).to_bytes_be())).unwrap()
}

/// Odd, even, powers of two, one limb and more.
fn moduli(random: &mut Random) -> Vec<Modulus> {
    let shapes = [(64, 0), (192, 0), (521, 0), (130, 3), (64, 200), (1, 1), (1, 2), (1, 300), (1, 0)];
    let mut moduli: Vec<Modulus> = shapes.map(|(odd_bits, zeros)| modulus(random, odd_bits, zeros)).into();
    let factors = [(Natural::from(1_000_003u64), 2), (Natural::from(2u64), 5), (Natural::from(65_537u64), 1)];
    let value = 1_000_003u128 * 1_000_003 * 32 * 65_537;
    let value = Natural::from_limbs(&[value as u64, (value >> 64) as u64]);
    moduli.push(Modulus::with_factors(value, &factors).unwrap());
    moduli
}

fn negative(number: Natural) -> Integer {
    format!("-{number}").parse().unwrap()
}

/// 0, 1, 2, negative ones, equal ones, all ones, short and long.
fn exponents(random: &mut Random) -> Vec<Integer> {
    let mut all: Vec<Integer> = [0u64, 1, 2, 3, 65_537, u64::MAX].map(Integer::from).into();
    let long = natural(random, 300);
    all.extend([long.clone().into(), long.clone().into(), negative(long), negative(5u64.into())]);
    all.extend([1, 63, 64, 65, 130, 200].map(|bits| Integer::from(natural(random, bits))));
    all
}

fn on(threads: usize) -> Options<'static> {
    Options::default().with_threads(NonZeroUsize::new(threads))
}

#[track_caller]
fn check_list(modulus: &Modulus, base: &Integer, exponents: &[Integer], options: &Options<'_>) {
    let powers = modulus.pow_exp_list(base, exponents, options).unwrap();
    assert_eq!(powers.len(), exponents.len());
    for (power, exponent) in powers.into_iter().zip(exponents) {
        assert_eq!(power, modulus.pow(base, exponent), "{base}^{exponent} mod {}", modulus.value());
    }
}

#[test]
fn many_exponents_modulo_every_kind() {
    let random = &mut Random::new(1);
    let exponents = exponents(random);
    for modulus in moduli(random) {
        for base in [Integer::from(natural(random, 130)), negative(7u64.into()), 0u64.into(), 6u64.into()] {
            check_list(&modulus, &base, &exponents, &on(1));
            check_list(&modulus, &base, &exponents, &on(3));
        }
    }
}

#[test]
fn every_algorithm_by_its_line_on_every_kernel() {
    let random = &mut Random::new(2);
    let exponents: Vec<Integer> = [200, 3, 64, 129, 200].map(|bits| natural(random, bits).into()).into();
    let bases: Vec<Integer> = [300, 3, 64, 129, 200].map(|bits| natural(random, bits).into()).into();
    for modulus in [modulus(random, 200, 0), modulus(random, 1, 150), modulus(random, 90, 70)] {
        let powers: Vec<Natural> = exponents.iter().map(|e| modulus.pow(&bases[0], e).unwrap()).collect();
        let product = oracle(&modulus, &bases, &exponents);
        for algorithm in ManyExponents::all(4) {
            let line = algorithm.to_string();
            let options = on(1).with_plan(Some(&line));
            let got: Vec<Natural> = modulus
                .pow_exp_list(&bases[0], &exponents, &options)
                .unwrap()
                .into_iter()
                .map(Result::unwrap)
                .collect();
            assert_eq!(got, powers, "{line} mod {}", modulus.value());
        }
        for algorithm in PowerProduct::all(4) {
            let line = algorithm.to_string();
            let options = on(1).with_plan(Some(&line));
            assert_eq!(modulus.pow_product(&bases, &exponents, &options).unwrap(), product, "{line}");
        }
    }
    let odd = modulus(random, 200, 0);
    let powers: Vec<Natural> = exponents.iter().map(|e| odd.pow(&bases[0], e).unwrap()).collect();
    for form in forms(true, 4).filter(|form| form.kernel.lanes() == 1 && form.kernel.entry().max_limbs != Some(4)) {
        let line = format!("{} on {form}", ManyExponents::all(3).last().unwrap());
        let options = on(1).with_plan(Some(&line));
        let got = odd.pow_exp_list(&bases[0], &exponents, &options).unwrap();
        assert_eq!(got.into_iter().map(Result::unwrap).collect::<Vec<_>>(), powers, "{line}");
    }
    assert!(KERNELS.len() > 4);
}

/// Long enough for the squarings to get a thread of their own; the shares of the others differ in length.
#[test]
fn long_exponents_on_several_threads() {
    let random = &mut Random::new(4);
    let modulus = modulus(random, 512, 0);
    let base: Integer = natural(random, 500).into();
    for bits in [vec![60_000; 4], vec![60_000, 50_000, 300, 65, 64, 1], vec![120_000]] {
        let exponents: Vec<Integer> = bits.into_iter().map(|bits| natural(random, bits).into()).collect();
        let alone: Vec<_> = exponents.iter().map(|exponent| modulus.pow(&base, exponent)).collect();
        for threads in [1, 2, 3, 5] {
            for plan in [None, Some("shared_squarings(w=4)"), Some("common_bits(c=2)")] {
                let options = on(threads).with_plan(plan);
                assert_eq!(modulus.pow_exp_list(&base, &exponents, &options).unwrap(), alone, "{threads} {plan:?}");
            }
        }
    }
}

/// A table that is made for the list, eight powers at a time from it, whatever their lengths and however many.
#[test]
fn lists_from_a_table_in_lanes() {
    let random = &mut Random::new(6);
    let planner = Planner::of_this_machine();
    let mut without = Vec::new();
    for (odd_bits, zeros) in [(300, 0), (512, 0), (768, 0), (1030, 0), (4096, 0), (900, 130)] {
        let modulus = modulus(random, odd_bits, zeros);
        let base: Integer = natural(random, 600).into();
        let problem = ShapeProblem {
            modulus_bits: modulus.value().bits(),
            trailing_zeros: zeros,
            factors: Vec::new(),
            memory_bytes: 1 << 30,
            work: ShapeBits::equal(64, 300),
        };
        let explanation = planner.explain_shape::<ManyExponents>(&problem, None, None).unwrap();
        let odd = explanation.candidates().next().unwrap().iter();
        let in_lanes = |line: &String| {
            let plan: Plan<ManyExponents> = line.parse().unwrap();
            matches!(plan, Plan::Run { form, .. } if form.kernel.lanes() > 1)
        };
        let lines: Vec<String> = odd.map(|candidate| candidate.plan()).filter(in_lanes).take(3).collect();
        if lines.is_empty() {
            without.push(odd_bits);
        }
        for (at, line) in lines.into_iter().enumerate() {
            let line = if zeros > 0 { format!("even({line}, )") } else { line };
            let line = line.replace(", )", ", common_bits(c=2))");
            for count in [1, 7, 8, 9, 30] {
                let mut exponents: Vec<Integer> =
                    (0..count).map(|i| natural(random, if i % 5 == 3 { 1 + i } else { 300 }).into()).collect();
                exponents.push(natural(random, 299).into());
                if at == 0 {
                    exponents.extend([negative(natural(random, 200)), 0u64.into()]);
                }
                for threads in [1, 3] {
                    check_list(&modulus, &base, &exponents, &on(threads).with_plan(Some(&line)));
                }
            }
        }
        let many: Vec<Integer> = (0..200).map(|_| natural(random, 512).into()).collect();
        check_list(&modulus, &base, &many, &on(1));
        check_list(&modulus, &base, &many, &on(4));
    }
    let has = |name: &str| forms(true, 8).any(|form| form.kernel.entry().name == name);
    let has_lanes = has("ifma_row_r52") && has("ifma_lanes_r52") || has("fma_lanes_r51");
    if has_lanes {
        assert_eq!(without, [0; 0], "lengths without lanes");
    } else {
        skipped("this CPU has no lanes that share a table");
    }
}

/// The explanation says what the list does: together, in pieces, or each by itself if nothing else fits; what it says can be
/// forced, and a bare name is filled in by price, memory and kernel.
#[test]
fn what_a_list_does_is_explained() {
    let random = &mut Random::new(8);
    let modulus = modulus(random, 1024, 0);
    let base: Integer = natural(random, 1000).into();
    let exponents: Vec<Integer> = (0..40).map(|_| natural(random, 1024).into()).collect();
    let explained = modulus.explain_exp_list(&exponents, &on(1)).unwrap();
    let separate = |told: &Explanation| told.summary().alternative.filter(|other| other.what == "each power by itself");
    assert!(explained.seconds() < separate(&explained).unwrap().seconds, "{explained}");
    let Plan::Share { plan: piece, count: 40 } = explained.plan() else { panic!("{explained}") };
    assert!(explained.to_string().contains("\ninstead   each power by itself: "), "{explained}");
    let line = piece.to_string();
    let forced = on(1).with_plan(Some(&line));
    let told = modulus.explain_exp_list(&exponents, &forced).unwrap();
    assert!(separate(&told).is_none() && told.plan() == explained.plan(), "{told}");
    check_list(&modulus, &base, &exponents, &forced);

    let tight = on(1).with_memory_bytes(Some(100));
    let told = modulus.explain_exp_list(&exponents, &tight).unwrap();
    let shares = |told: &Explanation| told.plan().to_string().matches("share(").count();
    assert_eq!(shares(&told), 0, "{told}");
    let line = told.plan().to_string();
    let alone = on(1).with_plan(Some(&line)).with_memory_bytes(Some(100));
    let alone = modulus.explain_exp_list(&exponents, &alone).unwrap();
    assert!((told.seconds() / alone.seconds() - 1.0).abs() < 1e-9, "{told}{alone}");
    check_list(&modulus, &base, &exponents, &tight);
    let ordinary = on(1).with_plan(Some("fixed_window(w=3)"));
    let told = modulus.explain_exp_list(&exponents, &ordinary).unwrap().to_string();
    assert!(told.contains("plan      batch(fixed_window(w=3) on ") && !told.contains("instead"), "{told}");

    // Both signs: a piece for each. A single short power shares nothing.
    let mut both = exponents.clone();
    both.extend((0..40).map(|_| negative(natural(random, 700))));
    assert!(shares(&modulus.explain_exp_list(&both, &on(1)).unwrap()) >= 2);
    assert_eq!(shares(&modulus.explain_exp_list(&exponents[..1], &on(1)).unwrap()), 0);
    for nothing in [&[][..], &[0u64.into()]] {
        assert_eq!(modulus.explain_exp_list(nothing, &on(1)).unwrap_err().code(), "bad_argument");
    }

    // Two threads: what they do takes less than one, and can be forced.
    let long: Vec<Integer> = (0..4).map(|_| natural(random, 60_000).into()).collect();
    let told = modulus.explain_exp_list(&long, &on(2)).unwrap();
    let one = modulus.explain_exp_list(&long, &on(1)).unwrap();
    let line = told.plan().to_string();
    assert!(told.seconds() < one.seconds() && line.starts_with("threads(2, "), "{told}");
    let forced = on(2).with_plan(Some(&line));
    assert_eq!(modulus.explain_exp_list(&long, &forced).unwrap().plan(), told.plan());
    check_list(&modulus, &base, &long, &forced);
    let tight = on(2).with_memory_bytes(Some(100));
    assert_eq!(shares(&modulus.explain_exp_list(&exponents, &tight).unwrap()), 0);

    let limits = Limits::new(Limits::default().modulus_bits, 500);
    for plan in [None, Some("comb")] {
        let error = modulus.explain_exp_list(&exponents, &on(1).with_limits(limits).with_plan(plan)).unwrap_err();
        assert!(matches!(&error, Error::At { index: 0, error } if error.code() == "too_long"), "{error}");
    }

    for memory_bytes in [6_000, 60_000, 1 << 30] {
        let named = |plan| on(1).with_plan(plan).with_memory_bytes(Some(memory_bytes));
        let told = modulus.explain_exp_list(&exponents, &named(Some("comb"))).unwrap();
        let combs = told.candidates().next().unwrap().iter().filter(|row| row.algorithm.starts_with("comb("));
        let least = combs.map(|candidate| candidate.seconds).fold(f64::INFINITY, f64::min);
        let first = told.candidates().next().unwrap().iter().find(|row| row.chosen).unwrap();
        assert!((first.seconds / least - 1.0).abs() < 1e-9, "{memory_bytes}: {told}");
        check_list(&modulus, &base, &exponents, &named(Some("comb")));
    }
}

/// Long exponents among many short ones go by themselves; pieces that run at the same time share the memory; the end is reported
/// once, when all is done.
#[test]
fn pieces_of_a_list() {
    #[derive(Default)]
    struct Heard(Mutex<Vec<(usize, usize)>>);
    impl Watch for Heard {
        fn progress(&self, finished: usize, total: usize) {
            self.0.lock().unwrap().push((finished, total));
        }
    }
    let random = &mut Random::new(7);
    let modulus = modulus(random, 1024, 0);
    let base: Integer = natural(random, 1000).into();
    let mut exponents: Vec<Integer> = (0..12).map(|_| natural(random, 30_000).into()).collect();
    exponents.extend((0..700).map(|_| Integer::from(natural(random, 200))));
    exponents.extend((0..40).map(|_| negative(natural(random, 900))));
    exponents.push(0u64.into());
    for (plan, threads, memory_bytes) in [
        (None, 1, None),
        (None, 3, None),
        (None, 3, Some(300_000)),
        (Some("comb(h=3, v=2)"), 1, None),
        (Some("separate_windows"), 2, None),
    ] {
        let heard = Heard::default();
        let options = on(threads).with_plan(plan).with_memory_bytes(memory_bytes).with_watch(Some(&heard));
        check_list(&modulus, &base, &exponents, &options);
        let heard = heard.0.into_inner().unwrap();
        assert!(heard.is_sorted_by_key(|(finished, _)| *finished), "{plan:?}, {threads} threads");
        // Other threads may be done before the calling thread reports anything but the end.
        assert!(threads > 1 || heard.len() >= 4, "{plan:?} {threads} {memory_bytes:?}: {heard:?}");
        let ends = heard.iter().filter(|(finished, total)| finished == total).count();
        assert_eq!((ends, heard.last()), (1, Some(&(exponents.len(), exponents.len()))));
    }
}

/// A line for powers of one base says what is wrong with it, or with the list.
#[test]
fn lines_for_one_base() {
    let modulus = Modulus::new(1009u64.into()).unwrap();
    let exponents: Vec<Integer> = [2u64, 3].map(Integer::from).into();
    let refused = |line: &str| {
        let options = on(1).with_plan(Some(line));
        modulus.pow_exp_list(&3u64.into(), &exponents, &options).unwrap_err().to_string()
    };
    assert!(refused("comb(h=0, v=1)").contains("should read comb(h=1..16, v=1..)"), "{}", refused("comb(h=0, v=1)"));
    for kernel in ["foo", "ifma_row_kcm_r52", "ifma_row_kcm_r52(n=64)"] {
        let name = kernel.split('(').next().unwrap_or(kernel);
        assert!(refused(&format!("comb(h=3, v=2) on {kernel}")).contains(&format!("no kernel '{name}'")));
    }
    let bases: Vec<Integer> = [2u64, 3].map(Integer::from).into();
    let options = on(1).with_plan(Some("comb(h=3, v=2)"));
    let jobs: Vec<Job<'_>> =
        bases.iter().zip(&exponents).map(|(base, exponent)| Job { base, exponent, modulus: &modulus }).collect();
    assert!(pow_list(&jobs, &options).unwrap_err().to_string().contains("one base"));
    assert_eq!(pow_list(&[], &options), Ok(Vec::new()));
}

/// One power at a time, by the library's own single powers.
fn oracle(modulus: &Modulus, bases: &[Integer], exponents: &[Integer]) -> Natural {
    let m = num_bigint::BigUint::from_bytes_be(&modulus.value().to_be_bytes());
    let power = |(base, exponent)| modulus.pow(base, exponent).unwrap();
    let product = bases.iter().zip(exponents).map(power).fold(num_bigint::BigUint::from(1u8), |product, power| {
        product * num_bigint::BigUint::from_bytes_be(&power.to_be_bytes()) % &m
    });
    Natural::from_be_bytes(&(product % &m).to_bytes_be())
}

#[test]
fn products_modulo_every_kind() {
    let random = &mut Random::new(3);
    for modulus in moduli(random) {
        for count in [0, 1, 2, 9, 40] {
            let bases: Vec<Integer> = (0..count)
                .map(|i| match i % 3 {
                    0 => negative(natural(random, 1 + 7 * i)),
                    _ => Integer::from(natural(random, 300)),
                })
                .collect();
            let exponents: Vec<Integer> =
                (0..count).map(|i| if i == 3 { 0u64.into() } else { natural(random, 1 + 9 * i).into() }).collect();
            let product = modulus.pow_product(&bases, &exponents, &on(1));
            assert_eq!(product.unwrap(), oracle(&modulus, &bases, &exponents), "{count} mod {}", modulus.value());
        }
    }
}

#[test]
fn a_product_with_negative_exponents_isolates_the_base_without_inverse() {
    let modulus = Modulus::new((3u64 * 5 * 7 * 11).into()).unwrap();
    let bases: Vec<Integer> = [2u64, 13, 17, 19].map(Integer::from).into();
    let exponents: Vec<Integer> = ["-3", "5", "-70", "0"].map(|text| text.parse().unwrap()).into();
    let product = modulus.pow_product(&bases, &exponents, &Options::default()).unwrap();
    assert_eq!(product, oracle(&modulus, &bases, &exponents));
    let bases: Vec<Integer> = [2u64, 13, 35, 19].map(Integer::from).into();
    let error = modulus.pow_product(&bases, &exponents, &Options::default()).unwrap_err();
    assert_eq!(error, Error::At { index: 2, error: Box::new(Error::NotInvertible) });
    let error = modulus.pow_product(&bases, &exponents[1..], &Options::default()).unwrap_err();
    assert_eq!(error.code(), "bad_argument");
}

#[test]
fn a_base_without_inverse_spoils_only_the_negative_exponents() {
    let modulus = Modulus::new(1001u64.into()).unwrap();
    let exponents: Vec<Integer> = ["3", "-1", "0", "9"].map(|text| text.parse().unwrap()).into();
    let powers = modulus.pow_exp_list(&7u64.into(), &exponents, &Options::default()).unwrap();
    assert_eq!(powers[1], Err(Error::NotInvertible));
    assert_eq!(powers[0], Ok(343u64.into()));
    assert_eq!(powers[2], Ok(1u64.into()));
}

/// A plan prints, parses back, is forced by its line, changes with the prices, and keeps to the memory.
#[test]
fn plans_are_lines_and_keep_to_the_memory() {
    let planner = Planner::of_this_machine();
    let problem = |memory_bytes| ShapeProblem {
        modulus_bits: 2048,
        trailing_zeros: 0,
        factors: Vec::new(),
        memory_bytes,
        work: ShapeBits::equal(4, 20_000),
    };
    let plan = |memory_bytes, line: Option<&str>| {
        planner.explain_shape::<ManyExponents>(&problem(memory_bytes), None, line).map(|told| told.plan().clone())
    };
    let chosen = plan(1 << 30, None).unwrap();
    let line = chosen.to_string();
    assert_eq!(line.parse::<Plan<ManyExponents>>().unwrap(), chosen);
    assert_eq!(plan(1 << 30, Some(&line)).unwrap(), chosen);
    assert_ne!(plan(8 << 10, None).unwrap(), chosen, "{line}");
    assert_eq!(plan(100, None).unwrap_err().code(), "bad_plan");
    let explanation = planner.explain_shape::<ManyExponents>(&problem(1 << 30), None, None).unwrap().to_string();
    assert!(explanation.contains("separate_windows"), "{explanation}");
    assert!(explanation.contains(&line), "{explanation}");
}

/// Bos and Coster's method has the fewest products, but each comes with a division among all exponents: where products are
/// quick, buckets win.
#[test]
fn divisions_have_a_price() {
    let method = |product: f64, count: usize, bits: usize| {
        let prices = format!("portable_r64 cios 32 100 100 {product} {product} {product} 10");
        let planner = Planner::new(Prices::parse(&prices).unwrap());
        let problem = ShapeProblem {
            modulus_bits: 2048,
            trailing_zeros: 0,
            factors: Vec::new(),
            memory_bytes: 1 << 30,
            work: ShapeBits::equal(count, bits),
        };
        planner.explain_shape::<PowerProduct>(&problem, None, None).unwrap().plan().to_string()
    };
    let starts = |line: String, with: &str| assert!(line.starts_with(with), "{line}");
    for (count, bits) in [(4096, 2048), (20_000, 256), (100_000, 64)] {
        starts(method(100.0, count, bits), "pippenger");
        starts(method(2000.0, count, bits), "bos_coster");
    }
}

/// A prime below 2^64, and the value of an exponent modulo its order: by Fermat an answer's other way.
const PRIME: u64 = 0xffff_ffff_ffff_ffc5;

fn modulo_order(long: &Natural) -> Exponent {
    let order = u128::from(PRIME - 1);
    let rest = long.limbs().iter().rev().fold(0, |rest, &limb| (rest << 64 | u128::from(limb)) % order);
    exponent(rest as u64)
}

/// The most bases and the longest exponents that are planned for, once each.
#[test]
fn the_largest_work() {
    let random = &mut Random::new(5);
    let modulus = Modulus::new(PRIME.into()).unwrap();
    let bases: Vec<u64> = (0..100_000).map(|_| 1 + random.below(PRIME - 1)).collect();
    let exponents: Vec<Natural> = (0..100_000).map(|i| natural(random, 256 - i % 3)).collect();
    let product = bases.iter().zip(&exponents).fold(1, |product, (&base, exponent)| {
        let power = power(base, &modulo_order(exponent), PRIME);
        (u128::from(product) * u128::from(power) % u128::from(PRIME)) as u64
    });
    let bases: Vec<Integer> = bases.into_iter().map(Integer::from).collect();
    let exponents: Vec<Integer> = exponents.into_iter().map(Integer::from).collect();
    assert_eq!(modulus.pow_product(&bases, &exponents, &on(1)), Ok(product.into()));

    let exponents: Vec<Natural> = [1 << 26, (1 << 26) - 77].map(|bits| natural(random, bits)).into();
    let powers = exponents.iter().map(|exponent| Ok(power(3, &modulo_order(exponent), PRIME).into()));
    let powers: Vec<Result<Natural, Error>> = powers.collect();
    let exponents: Vec<Integer> = exponents.into_iter().map(Integer::from).collect();
    assert_eq!(modulus.pow_exp_list(&3u64.into(), &exponents, &on(1)), Ok(powers));
}
