//! What is forced is obeyed or refused: kernels and lines together, trees that miscount, lines for another kind of work.

use pingala_core::{Error, Integer, Job, Modulus, Natural, Options, plan_list, pow_list};

fn modulus(limbs: usize) -> Modulus {
    Modulus::new(Natural::from_limbs(&vec![u64::MAX - 58; limbs])).unwrap()
}

fn exponent() -> Integer {
    Natural::from_limbs(&[u64::MAX; 3]).into()
}

fn forcing<'a>(kernel: &'a str, plan: &'a str) -> Options<'a> {
    Options::default().with_kernel(Some(kernel)).with_plan(Some(plan))
}

/// A kernel and a line are obeyed both, or refused.
#[test]
fn a_line_does_not_silence_a_kernel() {
    let (base, exponent, modulus) = (Integer::from(5u64), exponent(), modulus(3));
    let one = |kernel, line| modulus.pow_with(&base, &exponent, &forcing(kernel, line)).map_err(|error| error.code());
    let want = Ok(modulus.pow(&base, &exponent).unwrap());
    let agreeing = [
        ("portable_r64", "binary_left_to_right"),
        ("portable_r64", "binary_left_to_right on portable_r64"),
        ("portable_r64", "binary_left_to_right on portable_r64(n=3, product=cios)"),
        ("portable_r64(product=cios)", "binary_left_to_right on portable_r64(n=3, product=cios)"),
        ("portable_r64(product=cios)", "binary_left_to_right"),
    ];
    for (kernel, line) in agreeing {
        assert_eq!(one(kernel, line), want, "{kernel}: {line}");
    }
    let differing = [
        ("portable_r64", "binary_left_to_right on portable_fixed_r64"),
        ("portable_fixed_r64", "binary_left_to_right on portable_r64(n=3, product=cios)"),
        ("portable_r64(product=cios)", "binary_left_to_right on portable_r64(product=karatsuba_sos)"),
        ("portable_r64(product=cios)", "binary_left_to_right on portable_r64"),
        ("portable_low_r64", "binary_left_to_right on portable_r64"),
    ];
    for (kernel, line) in differing {
        assert_eq!(one(kernel, line), Err("bad_plan"), "{kernel}: {line}");
    }
    let even = Modulus::new(Natural::from(3u64 << 40)).unwrap();
    let line = "even(binary_left_to_right on portable_fixed_r64, binary_left_to_right on portable_low_r64)";
    let code = |kernel| even.pow_with(&base, &exponent, &forcing(kernel, line)).map_err(|error| error.code()).err();
    assert_eq!(
        [code("portable_fixed_r64"), code("portable_low_r64"), code("portable_r64")],
        [None, None, Some("bad_plan")]
    );
}

/// The trees of lists name kernels too, those of shared runs included.
#[test]
fn a_tree_does_not_silence_a_kernel() {
    let (base, modulus) = (Integer::from(5u64), modulus(3));
    let exponents = [exponent(), exponent(), exponent()];
    for line in [
        "batch(binary_left_to_right on portable_r64(n=3, product=cios) x 3)",
        "list(batch(binary_left_to_right on portable_r64(n=3, product=cios) x 3))",
        "share(shared_squarings(w=4) on portable_r64(n=3, product=cios) x 3)",
    ] {
        let code =
            |kernel| modulus.pow_exp_list(&base, &exponents, &forcing(kernel, line)).map_err(|error| error.code());
        assert!(code("portable_r64").is_ok(), "{line}");
        assert_eq!(code("portable_fixed_r64"), Err("bad_plan"), "{line}");
    }
}

/// A class of powers that share a run counts those of the run.
#[test]
fn a_shared_run_counts_its_powers() {
    let (base, modulus) = (Integer::from(5u64), modulus(3));
    let exponents = [exponent(), exponent(), exponent()];
    let run = "shared_squarings(w=4) on portable_r64(n=3, product=cios)";
    let code = |line: &str| {
        let options = Options::default().with_plan(Some(line));
        modulus.pow_exp_list(&base, &exponents, &options).map_err(|error| error.code()).err()
    };
    assert_eq!(code(&format!("share({run} x 3)")), None);
    assert_eq!(code(&format!("batch(share({run} x 99) x 3)")), Some("bad_plan"));
    assert_eq!(code(&format!("batch(share({run} x 1) x 3)")), Some("bad_plan"));
}

/// A hostile line takes no more stack than another one.
#[test]
fn threads_nest_no_deeper_than_a_plan_may() {
    let (base, exponent, modulus) = (Integer::from(5u64), exponent(), modulus(3));
    for depth in [10, 100_000] {
        let line = format!("{}binary_left_to_right{}", "threads(2, ".repeat(depth), ")".repeat(depth));
        let options = Options::default().with_plan(Some(&line));
        assert_eq!(modulus.pow_with(&base, &exponent, &options).map_err(|error| error.code()), Err("bad_plan"));
        let job = Job { base: &base, exponent: &exponent, modulus: &modulus };
        assert_eq!(pow_list(&[job, job], &options).map_err(|error| error.code()), Err("bad_plan"));
    }
}

/// A kernel that fits no element of a list has no plan to print.
#[test]
fn a_list_that_a_kernel_does_not_fit_has_no_plan() {
    let (base, exponent, long, short) = (Integer::from(5u64), exponent(), modulus(9), modulus(3));
    let [long, short] = [&long, &short].map(|modulus| Job { base: &base, exponent: &exponent, modulus });
    let options = Options::default().with_kernel(Some("portable_fixed_r64"));
    let refused = plan_list(&[long, long], &options).unwrap_err();
    assert_eq!(Err(refused), long.modulus.pow_with(&base, &exponent, &options));
    assert!(plan_list(&[long, short], &options).unwrap().to_string().contains("portable_fixed_r64"));
    assert_eq!(plan_list(&[], &options).unwrap().to_string(), "list()");
}

/// What needs no plan does not obey one: as one power, so a list.
#[test]
fn without_an_element_no_line_is_for_other_work() {
    let (base, modulus) = (Integer::from(5u64), modulus(1));
    let options = Options::default().with_plan(Some("straus"));
    let list = |exponent: &Integer| {
        let job = Job { base: &base, exponent, modulus: &modulus };
        pow_list(&[job, job], &options).map_err(|error| error.code())
    };
    let inverse = modulus.invert(&base).unwrap();
    assert_eq!(list(&Integer::from(-1i64)), Ok(vec![Ok(inverse.clone()), Ok(inverse)]));
    assert_eq!(list(&Integer::from(0u64)), Ok(vec![Ok(Natural::from(1u64)); 2]));
    assert_eq!(list(&Integer::from(5u64)), Err("bad_plan"));
}

/// An explanation counts the powers that are planned: none that is an error.
#[test]
fn an_explanation_counts_no_error() {
    let modulus = Modulus::new(Natural::from(15u64)).unwrap();
    let bases: Vec<Integer> = [2u64, 3, 4, 5, 7].map(Integer::from).into();
    let explained = modulus.explain_base_list(&bases, &Integer::from(-77i64), &Options::default()).unwrap();
    assert!(explained.summary().problem.ends_with(", 3 times"), "{}", explained.summary().problem);
    let none = modulus.explain_base_list(&bases[1..2], &Integer::from(-77i64), &Options::default());
    assert_eq!(none.unwrap_err(), Error::BadArgument("without a power there is nothing to plan".into()));
}
