//! This CPU as a lesser one: the suite runs again in processes of its own, in which `PINGALA_CPU` masks features.

use super::common::skipped;
use pingala_core::kernels::{self, Feature, KERNELS, has};
use pingala_core::plan::{Planner, Problem};
use pingala_core::{FixedBase, Integer, Modulus, Natural, Options, SecretExponent, modexp, pow_list, powmod};
use std::env;
use std::process::{Command, Output};

/// An AVX2 machine, and one without any instruction that a kernel asks for by name.
const MASKS: [&str; 2] = ["-avx512f,-avxifma", "-avx2,-bmi2,-adx"];

/// What runs masked: powers, lists, tables.
const AGAIN: [&str; 6] = [
    "suite::calls::more_calls",
    "suite::masked::kernels_need_what_is_there",
    "suite::masked::lists_take_the_lanes_that_are_there",
    "suite::lists::lists_agree_with_single_calls",
    "suite::fixed_base_tables::lists_share_the_lanes",
    "suite::shape_powers::many_exponents_modulo_every_kind",
];

/// This program again, with these arguments, on a CPU that is masked.
fn again(mask: &str, arguments: &[&str]) -> Output {
    let program = env::current_exe().unwrap();
    Command::new(program)
        .args(arguments)
        .args(["--test-threads", "2"])
        .env("PINGALA_CPU", mask)
        .env_remove("PINGALA_SKIPPED")
        .output()
        .unwrap()
}

#[track_caller]
fn passes(ran: &Output) {
    let text = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success() && !text.contains(" 0 passed"), "{text}\n{}", String::from_utf8_lossy(&ran.stderr));
}

#[test]
fn powers_lists_and_tables_on_lesser_machines() {
    if env::var_os("PINGALA_CPU").is_some_and(|mask| !mask.is_empty()) {
        return skipped("masked already");
    }
    for mask in MASKS {
        passes(&again(mask, &AGAIN));
    }
}

#[test]
fn kernels_need_what_is_there() {
    let masked = kernels::masked().unwrap();
    assert!(masked.iter().all(|&feature| !has(feature)));
    for entry in KERNELS.iter() {
        let whole = entry.requires.iter().any(|set| set.iter().all(|&feature| has(feature)));
        assert_eq!(entry.available(), whole, "{}", entry.name);
    }
    if masked.contains(&Feature::Avx512f) {
        let modulus = Modulus::new(Natural::from(1_000_003u64)).unwrap();
        let text = modulus.explain(&3u64.into(), &65_537u64.into(), &Options::default()).unwrap().to_string();
        assert!(text.contains("\nmasked    ") && text.contains("avx512ifma"), "{text}");
        let forced = Options::default().with_kernel(Some("ifma_row_r52"));
        assert_eq!(modulus.pow_with(&3u64.into(), &5u64.into(), &forced).unwrap_err().code(), "bad_plan");
    }
}

/// Lists go by the lanes of the CPU: an AVX2 machine has those of doubles, and a row that is as quick on some.
#[test]
fn lists_take_the_lanes_that_are_there() {
    let planner = Planner::of_this_machine();
    let doubles = has(Feature::Avx2) && has(Feature::Fma);
    for (bits, n) in [(1024, 22), (2048, 42), (4096, 82)] {
        let problem = Problem { count: 1000, ..Problem::new(bits, bits) };
        let line = planner.plan(&problem).unwrap().to_string();
        if has(Feature::Avx512ifma) || has(Feature::AvxIfma) {
            assert!(line.contains("ifma_lanes_r52("), "{line}");
        } else if doubles {
            let row = line.contains(&format!(" on fma_row_r52(n={}) x 1000)", bits / 64));
            assert!(row || line.contains(&format!(" on fma_lanes_r51(n={n}) x 1000)")), "{line}");
        } else {
            assert!(!line.contains("lanes"), "{line}");
        }
    }
}

/// Every function that takes settings says so; the one that takes none computes.
#[test]
fn a_mask_that_cannot_be_read() {
    const MASK: &str = "-avx512f,-avx1024";
    if env::var("PINGALA_CPU").as_deref() != Ok(MASK) {
        passes(&again(MASK, &["--exact", "suite::masked::a_mask_that_cannot_be_read"]));
        return;
    }
    let (base, exponent) = (Integer::from(3u64), Integer::from(65_537u64));
    let (natural, options) = (Natural::from(1_000_003u64), Options::default());
    let modulus = Modulus::new(natural.clone()).unwrap();
    let secret = SecretExponent::from_be_bytes(&[7], 8).unwrap();
    let job = pingala_core::Job { base: &base, exponent: &exponent, modulus: &modulus };
    let forced = Options::default().with_plan(Some("comb(h=2, v=1)"));
    let named = Options::default().with_kernel(Some("portable_r64"));
    let errors = [
        modulus.pow(&base, &exponent).err(),
        modulus.pow_with(&base, &exponent, &named).err(),
        modulus.pow_sec(&base, &secret, &options).err(),
        modulus.plan(&base, &exponent, &options).err(),
        modulus.explain(&base, &exponent, &options).err(),
        modulus.pow_exp_list(&base, core::slice::from_ref(&exponent), &options).err(),
        modulus.pow_product(core::slice::from_ref(&base), core::slice::from_ref(&exponent), &options).err(),
        powmod(&base, &exponent, &natural).err(),
        pow_list(&[job], &options).err(),
        FixedBase::new(&base, &modulus, 64, 1 << 20, &options).err(),
        FixedBase::new(&base, &modulus, 64, 1 << 20, &forced).err(),
    ];
    for (at, error) in errors.into_iter().enumerate() {
        let error = error.unwrap_or_else(|| panic!("entry {at} takes the mask"));
        assert_eq!(error.code(), "bad_argument", "entry {at}");
        let text = error.to_string();
        assert!(text.contains("PINGALA_CPU") && text.contains("-avx1024") && text.contains("-avx512ifma"), "{text}");
    }
    assert_eq!(modexp(&[3], &[4], &[100]), [81]);
}
