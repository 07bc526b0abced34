//! Plans: they print and parse back, can be forced, refuse what does not fit, and follow only the prices.

use pingala_core::algorithm::Algorithm;
use pingala_core::kernels::{every_form, forms};
use pingala_core::plan::summary::Row;
use pingala_core::plan::{FactorShape, Plan, Planner, Prices, Problem};
use pingala_core::{
    Integer, Job, Modulus, Natural, Options, SecretExponent, plan_list, plan_product_list, pow_list, pow_product_list,
};

fn factor(bits: u64, trailing_zeros: u64) -> FactorShape {
    FactorShape { bits, trailing_zeros, reduced_exponent_bits: None }
}

fn numbers(limbs: usize, odd: bool) -> (Natural, Integer, Integer) {
    let mut state = 88172645463325252u64 + limbs as u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut m: Vec<u64> = (0..limbs).map(|_| next()).collect();
    m[0] = if odd { m[0] | 1 } else { m[0] & !0xff };
    m[limbs - 1] |= 1 << 63;
    let base: Vec<u64> = (0..limbs).map(|_| next()).collect();
    let exponent = [next(), next() >> 30];
    (Natural::from_limbs(&m), Natural::from_limbs(&base).into(), Natural::from_limbs(&exponent).into())
}

/// Every algorithm on every kernel (and product) it is legal on, by forced line, gives the same power.
#[test]
fn every_algorithm_runs_on_every_kernel_by_forced_line() {
    for limbs in [1usize, 2, 3, 4, 5, 8, 9, 16, 17, 33] {
        let (m, base, exponent) = numbers(limbs, true);
        let modulus = Modulus::new(m).unwrap();
        let want = modulus.pow(&base, &exponent).unwrap();
        let mut lines = 0;
        for form in every_form(true, limbs) {
            for algorithm in Algorithm::all(5) {
                let line = format!("{algorithm} on {form}");
                let options = Options::default().with_plan(Some(&line));
                assert_eq!(modulus.pow_with(&base, &exponent, &options).as_ref(), Ok(&want), "{line}");
                assert_eq!(modulus.plan(&base, &exponent, &options).unwrap().to_string(), line);
                lines += 1;
            }
        }
        assert!(lines > 20);
    }
}

/// One power runs on one thread: a line that says otherwise is an error, on any kernel, for odd and even moduli, with and without numbers.
#[test]
fn one_power_takes_no_threads() {
    for (limbs, odd, inner) in [
        (200, true, "binary_left_to_right on portable_ntt_r64(n=200)"),
        (3, true, "sliding_window(w=4) on portable_r64"),
        (200, false, "even(binary_left_to_right on portable_ntt_r64, binary_left_to_right on portable_low_r64)"),
    ] {
        let (m, base, _) = numbers(limbs, odd);
        let (modulus, exponent) = (Modulus::new(m).unwrap(), Integer::from(65_537u64));
        for line in [
            format!("threads(2, {inner})"),
            format!(" threads(3, {inner})"),
            format!("threads(2, threads(2, {inner}))"),
        ] {
            let options = Options::default().with_plan(Some(&line));
            for error in [
                modulus.pow_with(&base, &exponent, &options).unwrap_err(),
                modulus.plan(&base, &exponent, &options).map(|plan| plan.to_string()).unwrap_err(),
            ] {
                assert_eq!(error.code(), "bad_plan", "{line}");
                assert!(error.to_string().contains("one power runs on one thread"), "{line}: {error}");
            }
        }
    }
}

/// An even modulus as a whole: by force, with every algorithm, and by price if the exponent is short. Lines parse back, for one power
/// and for each of a list.
#[test]
fn even_moduli_as_a_whole() {
    for limbs in [1usize, 2, 3, 4, 5, 9, 16, 17, 33] {
        let (m, base, exponent) = numbers(limbs, false);
        let modulus = Modulus::new(m).unwrap();
        let want = modulus.pow(&base, &exponent).unwrap();
        for algorithm in Algorithm::all(5) {
            let line = format!("{algorithm} on division_r64(n={limbs})");
            let options = Options::default().with_plan(Some(&line));
            assert_eq!(modulus.pow_with(&base, &exponent, &options).as_ref(), Ok(&want), "{line}");
            assert_eq!(modulus.plan(&base, &exponent, &options).unwrap().to_string(), line);
            let job = Job { base: &base, exponent: &exponent, modulus: &modulus };
            let list = pow_list(&[job, job], &options).unwrap();
            assert_eq!(list, [Ok(want.clone()), Ok(want.clone())], "{line}");
        }
        let forced = Options::default().with_kernel(Some("division_r64"));
        for exponent in 1..=40u64 {
            let exponent = Integer::from(exponent);
            let plan = modulus.plan(&base, &exponent, &Options::default()).unwrap().to_string();
            let want = modulus.pow(&base, &exponent).unwrap();
            let again = modulus.pow_with(&base, &exponent, &Options::default().with_plan(Some(&plan)));
            assert_eq!(again.as_ref(), Ok(&want), "{plan}");
            assert_eq!(modulus.pow_with(&base, &exponent, &forced).as_ref(), Ok(&want));
            let explained = modulus.explain(&base, &exponent, &Options::default()).unwrap().to_string();
            assert!(explained.contains(&plan), "{explained}");
        }
    }
    // A power of two has kernels of its own, and no odd part is divided beside one. The kernel for even moduli alone is gone.
    for (m, line) in [
        (1u64 << 40, "binary_left_to_right on division_r64(n=1)"),
        (12, "even(binary_left_to_right on division_r64(n=1), binary_left_to_right on portable_low_r64(n=1))"),
        (12, "binary_left_to_right on division_even_r64(n=1)"),
    ] {
        let modulus = Modulus::new(Natural::from(m)).unwrap();
        let power = modulus.pow_with(&3u64.into(), &5u64.into(), &Options::default().with_plan(Some(line)));
        assert_eq!(power.map_err(|error| error.code()), Err("bad_plan"), "{line}");
    }
}

#[test]
fn every_algorithm_runs_modulo_a_power_of_two_by_forced_line() {
    for bits in [1u64, 2, 3, 63, 64, 65, 128, 200, 256, 257, 1000] {
        let mut limbs = vec![0u64; bits as usize / 64 + 1];
        limbs[bits as usize / 64] = 1 << (bits % 64);
        let modulus = Modulus::new(Natural::from_limbs(&limbs)).unwrap();
        let (_, base, exponent) = numbers(5, true);
        let want = modulus.pow(&base, &exponent).unwrap();
        for form in forms(false, bits.div_ceil(64) as usize) {
            for algorithm in Algorithm::all(4) {
                let line = format!("{algorithm} on {form}");
                let options = Options::default().with_plan(Some(&line));
                assert_eq!(modulus.pow_with(&base, &exponent, &options).as_ref(), Ok(&want), "{line} at 2^{bits}");
            }
        }
    }
}

#[test]
fn lines_parse_back() {
    let planner = Planner::of_this_machine();
    for modulus_bits in [1u64, 2, 64, 65, 255, 256, 257, 1024, 2048, 2049, 4096, 16384] {
        for trailing_zeros in [0, 1, 63, 64, 65, modulus_bits / 2, modulus_bits - 1] {
            for exponent_bits in [1u64, 2, 17, 256, 2048] {
                for (secret, count) in [(false, 1), (true, 1), (false, 1000)] {
                    let problem = Problem {
                        trailing_zeros: trailing_zeros.min(modulus_bits - 1),
                        secret,
                        count,
                        ..Problem::new(modulus_bits, exponent_bits)
                    };
                    let plan = planner.plan(&problem).unwrap();
                    let line = plan.to_string();
                    assert_eq!(line.parse::<Plan>().unwrap(), plan, "{line}");
                    assert_eq!(planner.plan_with(&problem, None, Some(&line)).unwrap(), plan, "{line}");
                }
            }
        }
    }
    let factored =
        Problem { factors: vec![factor(1024, 0), factor(1024, 0), factor(3, 2)], ..Problem::new(2049, 2048) };
    let plan = planner.plan(&factored).unwrap();
    assert!(plan.to_string().starts_with("crt("), "{plan}");
    assert_eq!(plan.to_string().parse::<Plan>().unwrap(), plan);
}

/// Not every window is priced. None of those left out is cheaper, by the same prices, than the plan.
#[test]
fn no_window_that_is_left_out_is_cheaper() {
    let planner = Planner::of_this_machine();
    for (modulus_bits, secret, count) in
        [(256, true, 1), (2048, true, 1), (4096, true, 1), (2048, false, 1), (2048, false, 800)]
    {
        for exponent_bits in (2..=24).map(|log| 1u64 << log) {
            let problem = Problem { secret, count, ..Problem::new(modulus_bits, exponent_bits) };
            let seconds =
                |line: Option<&str>| planner.explain(&problem, None, line).map(|explained| explained.seconds());
            let planned = seconds(None).unwrap();
            for algorithm in Algorithm::all(16) {
                let line = algorithm.to_string();
                // Errors: an algorithm that follows the exponent, for a secret one.
                if let Ok(forced) = seconds(Some(&line)) {
                    assert!(
                        planned <= forced * (1.0 + 1e-9),
                        "{line}, {exponent_bits} bits, {problem:?}: {forced} < {planned}"
                    );
                }
            }
        }
    }
}

/// A forced line that does not fit is an error, never a fallback.
#[test]
fn what_does_not_fit_is_refused() {
    let (m, base, exponent) = numbers(5, true);
    let odd = Modulus::new(m).unwrap();
    let (m, _, _) = numbers(5, false);
    let even = Modulus::new(m).unwrap();
    for (modulus, line) in [
        (&odd, "sliding_window(w=4) on portable_r64(n=6, product=cios)"),
        (&odd, "sliding_window(w=4) on portable_fixed_r64(n=5)"),
        (&odd, "sliding_window(w=4) on portable_low_r64"),
        (&odd, "sliding_window(w=4) on nonsense"),
        (&odd, "sliding_window(w=4) on portable_r64(n=5, product=nonsense)"),
        (&odd, "sliding_window(w=4) on portable_r64(m=5)"),
        (&odd, "sliding_window(w=0) on portable_r64"),
        (&odd, "sliding_window(w=17) on portable_r64"),
        (&odd, "sliding(w=4) on portable_r64"),
        (&odd, "even(sliding_window, sliding_window)"),
        (&odd, "crt(sliding_window, sliding_window)"),
        (&odd, "sliding_window on portable_r64 on portable_r64"),
        (&odd, "sliding_window) on portable_r64"),
        (&odd, "even(sliding_window"),
        (&odd, "batch(sliding_window x many)"),
        (&odd, ""),
        (&odd, "addition_chain"),
        (&even, "sliding_window(w=4) on portable_r64"),
        (&even, "even(sliding_window)"),
        (&even, "even(sliding_window on portable_low_r64, sliding_window on portable_low_r64)"),
    ] {
        let options = Options::default().with_plan(Some(line));
        let result = modulus.pow_with(&base, &exponent, &options);
        assert_eq!(result.map_err(|error| error.code()), Err("bad_plan"), "'{line}'");
    }
    let deep = "even(".repeat(100_000);
    assert!(deep.parse::<Plan>().is_err());
    for (modulus, kernel) in [(&odd, "portable_fixed_r64"), (&odd, "no_such_kernel"), (&odd, "portable_r64(n=4)")] {
        let options = Options::default().with_kernel(Some(kernel));
        assert_eq!(modulus.pow_with(&base, &exponent, &options).map_err(|error| error.code()), Err("bad_plan"));
    }
    let line = "sliding_window(w=4) on portable_r64(n=6, product=cios)";
    let refused = odd.pow_with(&base, &exponent, &Options::default().with_plan(Some(line))).unwrap_err();
    assert!(
        refused.to_string().ends_with(&format!("does not fit an odd modulus of {} bits", odd.value().bits())),
        "{refused}"
    );
    let secret = SecretExponent::new(exponent.magnitude(), Some(128)).unwrap();
    for line in ["sliding_window(w=4)", "binary_left_to_right", "fixed_window(w=4) on portable_fixed_r64"] {
        let options = Options::default().with_plan(Some(line));
        assert_eq!(odd.pow_sec(&base, &secret, &options).map_err(|error| error.code()), Err("bad_plan"), "{line}");
    }
}

/// Settings are read before any work, and also if there is no work.
#[test]
fn nonsense_is_refused_without_work_too() {
    let nonsense = [Options::default().with_plan(Some("nonsense")), Options::default().with_kernel(Some("nonsense"))];
    for options in nonsense {
        for (modulus, exponent) in [(1u64, 5u64), (7, 0)] {
            let modulus = Modulus::new(Natural::from(modulus)).unwrap();
            let base = Integer::from(3u64);
            assert_eq!(modulus.pow_with(&base, &exponent.into(), &options).unwrap_err().code(), "bad_plan");
            let secret = SecretExponent::new(&exponent.into(), Some(8)).unwrap();
            assert_eq!(modulus.pow_sec(&base, &secret, &options).unwrap_err().code(), "bad_plan");
        }
    }
}

/// A line may leave kernels and windows open; the planner fills them in.
/// Never a fallback: a kernel that no part of the problem can run on is an error.
#[test]
fn a_forced_kernel_runs_or_is_refused() {
    let (base, exponent) = (Integer::from(3u64), Integer::from(1000u64));
    let planned = |modulus: u64, kernel| {
        let options = Options::default().with_kernel(Some(kernel));
        let modulus = Modulus::new(Natural::from(modulus)).unwrap();
        assert_eq!(
            modulus.pow_with(&base, &exponent, &options).is_ok(),
            modulus.plan(&base, &exponent, &options).is_ok()
        );
        modulus.plan(&base, &exponent, &options).map(|plan| plan.to_string())
    };
    assert!(planned(1 << 40, "portable_r64").unwrap_err().to_string().contains("portable_r64"));
    assert!(planned((1 << 40) + 1, "portable_low_r64").is_err());
    assert!(planned((1 << 40) + 1, "portable_r64").unwrap().contains("on portable_r64(n=1"));
    assert!(planned(1 << 40, "portable_low_r64").unwrap().contains("on portable_low_r64(n=1"));
    let even = planned(3 << 40, "portable_r64").unwrap();
    assert!(even.starts_with("even(") && even.contains("on portable_r64(n=1"), "{even}");
}

/// Prices that lack a kernel leave a problem without a plan, not without a process.
#[test]
fn a_problem_that_nothing_has_a_price_for_is_refused() {
    let planner = Planner::new(Prices::parse("portable_r64 cios 4 100 20 5 6 2 1").unwrap());
    assert!(planner.plan(&Problem::new(256, 256)).is_ok());
    let even = Problem { trailing_zeros: 60, ..Problem::new(256, 256) };
    assert_eq!(planner.plan(&even).unwrap_err().code(), "bad_plan");
    let power_of_two = Problem { trailing_zeros: 255, ..Problem::new(256, 256) };
    assert_eq!(planner.plan(&power_of_two).unwrap_err().code(), "bad_plan");
}

/// A given chain runs if it leads to the exponent, even if the power of two would shorten the exponent; any other is refused.
#[test]
fn a_forced_chain_serves_its_exponent_only() {
    let right = "addition_chain(0+0 0+1 2+2 3+3 0+4)";
    for modulus in [1_000_003u64, 16, 48, 1 << 40, 3 << 40] {
        let base = Integer::from(3u64);
        let modulus = Modulus::new(Natural::from(modulus)).unwrap();
        let want = modulus.pow(&base, &Integer::from(13u64)).unwrap();
        for form in forms(true, 1).chain(forms(false, 1)) {
            let line = match (modulus.value().is_even(), form.kernel.odd()) {
                (false, true) => format!("{right} on {form}"),
                _ => right.to_string(),
            };
            let options = Options::default().with_plan(Some(&line));
            assert_eq!(modulus.pow_with(&base, &Integer::from(13u64), &options).as_ref(), Ok(&want), "{line}");
            let other = modulus.pow_with(&base, &Integer::from(14u64), &options);
            assert_eq!(other.map_err(|error| error.code()), Err("bad_plan"), "{line}");
        }
    }
}

/// The plan of a negative exponent is that of the inverse, which is seldom short.
#[test]
fn the_plan_of_a_negative_exponent_is_the_one_that_runs() {
    let (m, _, exponent) = numbers(32, true);
    let modulus = Modulus::new(m).unwrap();
    let (two, options) = (Integer::from(2u64), Options::default());
    let negative = Integer::new(true, exponent.magnitude().clone());
    let inverse = Integer::from(modulus.invert(&two).unwrap());
    let planned = modulus.plan(&two, &negative, &options).unwrap();
    assert_eq!(planned, modulus.plan(&inverse, &exponent, &options).unwrap());
    let even = Modulus::new(Natural::from(4u64)).unwrap();
    assert_eq!(even.plan(&two, &negative, &options).unwrap_err().code(), "not_invertible");
}

#[test]
fn problems_that_no_numbers_have_are_refused() {
    let planner = Planner::new(Prices::built_in().clone());
    let whole = Problem::new(64, 64);
    for problem in [
        Problem::new(0, 5),
        Problem::new(5, 0),
        Problem::default(),
        Problem { trailing_zeros: 9, ..Problem::new(5, 5) },
        Problem { exponent_weight: Some(65), ..whole.clone() },
        Problem { factors: vec![factor(3, 3)], ..whole.clone() },
        Problem::new(u64::MAX, u64::MAX),
    ] {
        assert_eq!(planner.plan(&problem).unwrap_err().code(), "bad_argument", "{problem:?}");
        assert!(planner.explain(&problem, None, None).is_err());
    }
    assert!(planner.plan(&whole).is_ok());
}

#[test]
fn incomplete_lines_are_filled_in() {
    let (m, base, exponent) = numbers(5, true);
    let odd = Modulus::new(m).unwrap();
    let (m, _, _) = numbers(5, false);
    let even = Modulus::new(m).unwrap();
    for (modulus, line, start) in [
        (&odd, "k_ary", "k_ary(w="),
        (&odd, "montgomery_ladder on portable_r64", "montgomery_ladder on portable_r64(n=5, product="),
        (
            &odd,
            "fixed_window(w=3) on portable_r64(product=cios)",
            "fixed_window(w=3) on portable_r64(n=5, product=cios)",
        ),
        (&even, "binary_right_to_left", "even(binary_right_to_left on "),
    ] {
        let options = Options::default().with_plan(Some(line));
        let plan = modulus.plan(&base, &exponent, &options).unwrap().to_string();
        assert!(plan.starts_with(start), "{line} became {plan}");
        assert_eq!(modulus.pow_with(&base, &exponent, &options), modulus.pow(&base, &exponent));
    }
}

/// Nothing but the prices decides: the same problem under other prices gets another plan.
#[test]
fn changing_only_the_prices_changes_the_plan() {
    let problem = Problem::new(2048, 2048);
    let now = Planner::new(Prices::built_in().clone()).plan(&problem).unwrap();
    let Plan::Run { form: chosen, .. } = now.clone() else { panic!("{now}") };
    // The chosen kernel and product a thousand times dearer: another form.
    let dearer = Prices::built_in().map(|form, mut price| {
        if form.kernel == chosen.kernel && form.product == chosen.product {
            price.sqr *= 1000.0;
            price.mul *= 1000.0;
        }
        price
    });
    let other = Planner::new(dearer).plan(&problem).unwrap();
    assert!(matches!(&other, Plan::Run { form, .. } if *form != chosen), "{other}");
    // Products that cost nothing compared with squarings: a wider window, whose first table entry saves squarings.
    let windows = [1.0, 0.001].map(|factor| {
        let prices = Prices::built_in().map(|_, mut price| {
            price.mul *= factor;
            price.mul_small *= factor;
            price
        });
        let plan = Planner::new(prices).plan(&problem).unwrap().to_string();
        plan.split_once("(w=").and_then(|(_, rest)| rest.split_once(')')?.0.parse::<u32>().ok()).unwrap_or(0)
    });
    assert!(windows[0] < windows[1], "{windows:?}");
    // A product by the base for nothing: left to right, bit by bit.
    let free = Prices::built_in().map(|_, mut price| {
        price.mul_small = 1e-6;
        price
    });
    let base_two = Problem { short_base_bits: Some(2), ..problem };
    let plan = Planner::new(free).plan(&base_two).unwrap().to_string();
    assert!(plan.starts_with("binary_left_to_right"), "{plan}");
}

/// Organisations that are for study only are not products of a kernel. The error names those that are.
#[test]
fn products_for_study_are_refused() {
    let planner = Planner::of_this_machine();
    for product in ["fios", "fips", "cihs", "separated_comba", "karatsuba_comba"] {
        let line = format!("sliding_window(w=5) on portable_r64(n=32, product={product})");
        let why = planner.plan_with(&Problem::new(2048, 2048), None, Some(&line)).unwrap_err().to_string();
        assert!(why.contains(&format!("'{product}' (there are sos, cios, karatsuba_sos, kcm)")), "{why}");
    }
}

#[test]
fn explanations_list_their_candidates_cheapest_first() {
    let planner = Planner::of_this_machine();
    let problem = Problem { trailing_zeros: 100, ..Problem::new(2048, 2048) };
    let explanation = planner.explain(&problem, None, None).unwrap();
    let text = explanation.to_string();
    assert!(text.contains(&explanation.plan().to_string()), "{text}");
    assert!(explanation.seconds() > 0.0);
    let parts: Vec<_> = explanation.candidates().collect();
    assert_eq!(parts.len(), 2);
    for candidates in parts {
        assert!(candidates.len() > 20);
        assert!(candidates.is_sorted_by(|a, b| a.seconds <= b.seconds));
        assert!(candidates.iter().all(|candidate| candidate.squarings >= 0.0));
        assert!(explanation.plan().to_string().contains(&candidates[0].plan()));
    }
}

/// There is nothing to compute modulo 1; a plan that no secret may follow is refused all the same.
#[test]
fn plans_are_checked_for_secrets_modulo_one() {
    use pingala_core::SecretExponent;
    let modulus = Modulus::new(Natural::from(1u64)).unwrap();
    let secret = SecretExponent::from_be_bytes(&[7], 8).unwrap();
    let power = |line| modulus.pow_sec(&3u64.into(), &secret, &Options::default().with_plan(line));
    assert_eq!(power(None), Ok(Natural::default()));
    assert_eq!(power(Some("fixed_window(w=2)")), Ok(Natural::default()));
    assert_eq!(power(Some("sliding_window(w=2)")).unwrap_err().code(), "bad_plan");
    let on = Options::default().with_kernel(Some("none"));
    assert_eq!(modulus.pow_sec(&3u64.into(), &secret, &on).unwrap_err().code(), "bad_plan");
}

/// Eight deep and no deeper, for lines and for trees.
#[test]
fn plans_nest_eight_deep() {
    let leaf = "binary_left_to_right on portable_r64(n=1, product=cios)";
    for name in ["crt", "parts"] {
        let nested =
            |depth: usize| format!("{}{leaf}{}", format!("{name}(").repeat(depth), ")".repeat(depth)).parse::<Plan>();
        assert!(nested(8).is_ok(), "{name}");
        assert_eq!(nested(9).unwrap_err().code(), "bad_plan", "{name}");
    }
}

/// A forced kernel is the only one among the candidates of its part; the exponent modulo a power of two is reduced.
#[test]
fn candidates_are_those_of_each_part() {
    let planner = Planner::of_this_machine();
    let portable = pingala_core::kernels::Kernel::by_name("portable_r64").unwrap();
    let problem = Problem { trailing_zeros: 40, in_parts: true, ..Problem::new(300, 1000) };
    let explained = planner.explain(&problem, Some("portable_r64"), None).unwrap();
    let [odd, two] = explained.candidates().collect::<Vec<_>>()[..] else { panic!("{explained}") };
    let on_portable = |row: &Row| row.plan().parse::<Plan>().unwrap().runs_on(portable);
    assert!(odd.iter().all(on_portable), "{explained:#}");
    assert!(two.len() > 1, "{explained:#}");
    let summary = explained.summary();
    let headings: Vec<&str> = summary.parts.iter().map(|part| part.problem.as_str()).collect();
    assert_eq!(
        headings,
        ["odd modulus of 260 bits, exponent of 1000 bits", "power of two of 40 bits, exponent of 38 bits"]
    );
}

/// Right to left, products run next to squarings if a kernel has two chains; known factors in lanes share one run.
#[test]
fn prices_of_one_power_are_sums() {
    let planner = |kernel: &str| Planner::new(Prices::parse(&format!("{kernel} - 1 1009 211 53 61 17 7")).unwrap());
    let close = |got: f64, want: f64| assert!((got * 1e9 / want - 1.0).abs() < 1e-9, "{got}, {want}");
    let line = "binary_right_to_left on portable_fixed_r64(n=1)";
    let explained = planner("portable_fixed_r64").explain(&Problem::new(64, 200), None, Some(line)).unwrap();
    let cost = explained.candidates().flatten().find(|candidate| candidate.plan() == line).unwrap();
    let products = 61.0 * (cost.products + cost.base_products);
    let beside = products.min(0.08 * 53.0 * cost.squarings);
    close(explained.seconds(), 1009.0 + 211.0 + 53.0 * cost.squarings + beside);

    let leaf = "fixed_window(w=4) on portable_lanes_r64(n=1)";
    let problem = Problem { factors: vec![factor(60, 0); 8], ..Problem::new(480, 60) };
    let line = format!("crt({})", [leaf; 8].join(", "));
    let explained = planner("portable_lanes_r64").explain(&problem, None, Some(&line)).unwrap();
    let cost = explained.candidates().flatten().find(|candidate| candidate.plan() == leaf).unwrap();
    let products = 53.0 * cost.squarings + 61.0 * (cost.products + cost.base_products);
    close(explained.seconds(), 1009.0 + 211.0 + products + 7.0 * cost.selections);
}

/// Powers that share lanes need one exponent, or a method that does not follow it.
#[test]
fn a_tree_that_follows_exponents_is_refused_where_they_differ() {
    let modulus = Modulus::new(Natural::from(1_000_003u64)).unwrap();
    let (base, first, second) = (Integer::from(3u64), Integer::from(1_000_001u64), Integer::from(999_999u64));
    let job = |exponent| Job { base: &base, exponent, modulus: &modulus };
    let line = "list(batch(sliding_window(w=2) on portable_lanes_r64(n=1) x 2))";
    let options = Options::default().with_plan(Some(line));
    let error = pow_list(&[job(&first), job(&second)], &options).unwrap_err().to_string();
    assert!(error.contains("the exponents of powers that share its lanes differ"), "{error}");
    assert!(pow_list(&[job(&first), job(&first)], &options).is_ok());
}

/// Counts of classes whose sum wraps around are those of no list.
#[test]
fn counts_that_wrap_around_are_refused() {
    let modulus = Modulus::new(101u64.into()).unwrap();
    let (bases, exponents) = ([3u64, 4, 5].map(Integer::from), [6u64, 7, 8].map(Integer::from));
    let job = |at: usize| Job { base: &bases[at], exponent: &exponents[at], modulus: &modulus };
    let leaf = modulus.plan(&bases[0], &exponents[0], &Options::default()).unwrap();
    let half = 1u64 << 63;
    for line in [
        format!("list(batch({leaf} x {half}), batch({leaf} x {half}), batch({leaf} x 3))"),
        format!("list(batch({leaf} x {half}), batch({leaf} x {}))", half + 3),
    ] {
        let refused = pow_list(&[0, 1, 2].map(job), &Options::default().with_plan(Some(&line)));
        assert_eq!(refused.unwrap_err().code(), "bad_plan", "{line}");
    }
}

/// A list modulo known factors by one forced algorithm prints a tree that is accepted again, even if only some powers go in lanes.
#[test]
fn a_list_by_factors_prints_what_it_reads() {
    let value = 101u64.pow(4);
    let modulus = Modulus::with_factors(value.into(), &[(101u64.into(), 4)]).unwrap();
    let exponents: Vec<Integer> =
        (3u64..18).step_by(2).map(Integer::from).chain(["1000000000000000000000".parse().unwrap()]).collect();
    let base = Integer::from(5u64);
    let jobs: Vec<Job<'_>> =
        exponents.iter().map(|exponent| Job { base: &base, exponent, modulus: &modulus }).collect();
    let want: Vec<_> = jobs.iter().map(|job| modulus.pow(job.base, job.exponent)).collect();
    for algorithm in ["fixed_window", "sliding_window", "k_ary(w=2)"] {
        let line = plan_list(&jobs, &Options::default().with_plan(Some(algorithm))).unwrap().to_string();
        let options = Options::default().with_plan(Some(&line));
        assert_eq!(pow_list(&jobs, &options).unwrap(), want, "{line}");
        assert_eq!(plan_list(&jobs, &options).unwrap().to_string(), line);
    }
}

/// Products of different numbers of powers that follow each other in full packs of one plan: the printed tree is accepted again.
#[test]
fn packs_of_unlike_products_print_what_they_read() {
    let (m, base, exponent) = numbers(8, true);
    let modulus = Modulus::new(m).unwrap();
    let (bases, exponents) = (vec![base; 3], vec![exponent; 3]);
    let products: Vec<(&[Integer], &[Integer], &Modulus)> =
        (0..16).map(|at| (&bases[..2 + at % 2], &exponents[..2 + at % 2], &modulus)).collect();
    for algorithm in ["straus(c=1, w=2)", "straus(c=1, w=1)"] {
        let free = Options::default().with_plan(Some(algorithm));
        let want = pow_product_list(&products, &free).unwrap();
        let line = plan_product_list(&products, &free).unwrap().to_string();
        let forced = Options::default().with_plan(Some(&line));
        assert_eq!(pow_product_list(&products, &forced).unwrap(), want, "{line}");
    }
}
