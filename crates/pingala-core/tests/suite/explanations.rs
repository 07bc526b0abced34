//! Explanations of every kind of work: two sentences, then a few candidates, or all.

use super::common::Random;
use pingala_core::plan::{Planner, Problem, Summary};
use pingala_core::{FixedBase, Integer, Modulus, Natural, Options, explain_product_list, plan_product_list};

fn count_of_rows(text: &str) -> usize {
    text.lines().filter(|line| line.starts_with("> ") || line.starts_with("  ") && line.contains(" on ")).count()
}

fn check(summary: &Summary) {
    let (text, all) = (summary.to_string(), format!("{summary:#}"));
    let sentences = ["Chosen: ", "Forced: "].iter().any(|verb| summary.chosen.starts_with(verb));
    assert!(sentences && summary.chosen.ends_with('.'), "{text}");
    assert!(summary.next_best.is_empty() || summary.next_best.ends_with('.'), "{text}");
    assert!(!text.contains("NaN") && !text.contains("inf "), "{text}");
    let whole = summary.parts.iter().map(|part| part.candidates.len()).sum::<usize>();
    assert!((1..=12).contains(&count_of_rows(&text)), "{text}");
    assert_eq!((count_of_rows(&all), count_of_rows(&text) + summary.left_out()), (whole, whole), "{all}");
    for part in &summary.parts {
        assert!(part.candidates.is_sorted_by(|a, b| a.ratio <= b.ratio), "{all}");
        let chosen: Vec<_> = part.candidates.iter().filter(|row| row.chosen).collect();
        assert!(chosen.len() == 1 && chosen[0].ratio == 1.0, "{all}");
        assert!(summary.plan.contains(&chosen[0].algorithm) || summary.plan.starts_with("list("), "{all}");
    }
}

#[test]
fn every_kind_of_work_is_explained_alike() {
    let random = &mut Random::new(77);
    let options = Options::default().with_threads(core::num::NonZeroUsize::new(1));
    let mut natural = |bits| random.exponent(bits).magnitude().clone();
    let exponents: Vec<Integer> = (0..20).map(|at| Integer::new(at % 5 == 4, natural(700))).collect();
    let mut limbs = |low: u64| [&[low][..], natural(500).limbs()].concat();
    let [odd, even] = [limbs(77), limbs(80)].map(|limbs| Modulus::new(Natural::from_limbs(&limbs)).unwrap());
    let [two, short] = [[0, 0, 1], [5, 0, 0]].map(|limbs| Modulus::new(Natural::from_limbs(&limbs)).unwrap());
    let (p, q) = ((1u64 << 61) - 1, (1u64 << 31) - 1);
    let value = u128::from(p) * u128::from(q);
    let value = Natural::from_limbs(&[value as u64, (value >> 64) as u64]);
    let known = Modulus::with_factors(value, &[(p.into(), 1), (q.into(), 1)]).unwrap();
    for modulus in [odd, even, two, short, known] {
        for exponent in [&exponents[0], &exponents[3], &1u64.into(), &65_537u64.into(), &0u64.into()] {
            check(&modulus.explain(&7u64.into(), exponent, &options).unwrap().summary());
            // An exponent of 0 takes no plan.
            if let Ok(explained) = modulus.explain_base_list(&exponents[..9], exponent, &options) {
                check(&explained.summary());
            }
        }
        check(&modulus.explain_exp_list(&exponents, &options).unwrap().summary());
        check(&modulus.explain_product(&exponents, &options).unwrap().summary());
        for count in [1, 8, 21] {
            let products = vec![(&exponents[..2], &exponents[5..7], &modulus); count];
            check(&explain_product_list(&products, &options).unwrap().summary());
        }
        let squarings = modulus.explain_repeated_square(1000, &options).unwrap().summary();
        check(&squarings);
        // What a squaring would refuse is no candidate.
        for row in squarings.parts.iter().filter(|_| squarings.parts.len() == 1).flat_map(|part| &part.candidates) {
            let line = row.plan();
            assert!(modulus.explain_repeated_square(1000, &options.with_plan(Some(&line))).is_ok(), "{line}");
        }
        check(&FixedBase::explain(&7u64.into(), &modulus, 300, 1 << 16, 100, &options).unwrap().summary());
    }
}

/// A forced plan is marked, also if no planner would consider it, and the first sentence says whether it is the cheapest.
#[test]
fn what_is_forced_stands_beside_the_cheapest() {
    let planner = Planner::of_this_machine();
    let problem = Problem { secret: true, ..Problem::new(2048, 2048) };
    check(&planner.explain(&problem, None, None).unwrap().summary());
    let problem = Problem::new(2048, 2048);
    let cheapest = planner.plan(&problem).unwrap().to_string();
    for (line, is_cheapest) in
        [("montgomery_ladder", false), ("sliding_window(w=9) on portable_r64(product=cios)", false), (&*cheapest, true)]
    {
        let summary = planner.explain(&problem, None, Some(line)).unwrap().summary();
        check(&summary);
        assert!(summary.chosen.starts_with("Forced: "));
        assert_eq!(summary.chosen.contains(": the cheapest of "), is_cheapest, "{summary}");
        assert_eq!(summary.next_best.starts_with("The cheapest is "), !is_cheapest, "{summary}");
    }
}

/// With known factors that go side by side, the candidates of a part are priced as such.
#[test]
fn parts_with_one_plan_are_one() {
    let value = Natural::from(15u64);
    let modulus = Modulus::with_factors(value, &[(3u64.into(), 1), (5u64.into(), 1)]).unwrap();
    let summary = modulus.explain(&2u64.into(), &3u64.into(), &Options::default()).unwrap().summary();
    check(&summary);
    assert_eq!(summary.parts.iter().map(|part| part.count).sum::<usize>(), 2, "{summary}");
}

/// The plan on two threads may have windows that no candidate below it has: the part says what its candidates are.
#[test]
fn candidates_of_shared_runs_are_those_of_one_thread() {
    let modulus = Modulus::new(Natural::from_limbs(&[u64::MAX; 32])).unwrap();
    let exponents = vec![Integer::from(Natural::from_limbs(&[u64::MAX; 320])); 4];
    let of = |threads: usize| {
        let options = Options::default().with_threads(core::num::NonZeroUsize::new(threads));
        let summary = modulus.explain_exp_list(&exponents, &options).unwrap().summary();
        let noted = summary.parts.iter().all(|part| part.problem.ends_with("candidates on one thread"));
        (summary.plan.starts_with("threads("), noted)
    };
    assert_eq!((of(1), of(2)), ((false, false), (true, true)));
}

/// A list of products is explained by the plan that it follows: its most expensive products, those in lanes included.
#[test]
fn lists_of_products_are_explained() {
    let modulus = Modulus::new(Natural::from_limbs(&[u64::MAX; 16])).unwrap();
    let (bases, long) = ([3u64.into(), 5u64.into()], vec![Integer::from(Natural::from_limbs(&[u64::MAX; 4])); 2]);
    let short: [Integer; 2] = [65_537u64.into(), 3u64.into()];
    let mut products = vec![(&bases[..], &short[..], &modulus); 3];
    products.extend(vec![(&bases[..], &long[..], &modulus); 20]);
    let free = Options::default().with_threads(core::num::NonZeroUsize::new(1));
    let explain = |options: &Options<'_>| explain_product_list(&products, options).unwrap().summary();
    let summary = explain(&free);
    check(&summary);
    assert_eq!(summary.plan, plan_product_list(&products, &free).unwrap().to_string());
    assert_eq!(
        summary.problem, "modulus of 1024 bits, 2 bases, exponents of up to 256 bits, 20 times; 3 other products",
        "{summary}"
    );
    for forced in
        [free.with_kernel(Some("portable_r64")), free.with_plan(Some("straus")), free.with_plan(Some(&summary.plan))]
    {
        let summary = explain(&forced);
        check(&summary);
        assert!(summary.chosen.starts_with("Forced: "), "{summary}");
    }
    let none: [(&[Integer], &[Integer], &Modulus); 1] = [(&[], &[], &modulus)];
    assert_eq!(explain_product_list(&none, &free).unwrap_err().code(), "bad_argument");
    let misfit = free.with_plan(Some("binary_left_to_right"));
    assert_eq!(explain_product_list(&products, &misfit).unwrap_err().code(), "bad_plan");
}
