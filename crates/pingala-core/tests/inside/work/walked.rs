//! What is printed is what runs: over a grid of workloads execution records the leaves that it walks, and they are those of the
//! printed tree, which parses back and gives the same tree and the same answers when it is forced.

use super::{Job, Modulus, Options, plan_list, plan_product_list, pow_list, pow_product_list};
use crate::algorithm::PowerProduct;
use crate::engine::execute::poll::Watch;
use crate::engine::execute::poll::walked::{Walked, during};
use crate::engine::plan::{Plan, Planner, Problem};
use crate::exponent::SecretExponent;
use crate::natural::{Integer, Natural};
use crate::suite::common::Random;
use crate::work::fixed_base::FixedBase;
use core::fmt::Display;
use core::num::NonZeroUsize;
use core::str::FromStr;

/// A watch that only records.
struct Recorder(#[expect(dead_code, reason = "it must have a size")] u8);

impl Watch for Recorder {}

/// The leaves of a tree, as execution records them.
fn leaves<A: Display>(plan: &Plan<A>) -> Walked {
    let mut walked = Walked::new();
    let mut add = |leaf: String, elements: usize| *walked.entry(leaf).or_default() += elements;
    for (threads, classes) in plan.stages() {
        let alone = classes.len() == 1;
        for (node, count) in classes {
            match node {
                Plan::Share { plan, .. } => plan.runs().iter().for_each(|(algorithm, form)| {
                    let in_lanes = form.kernel.lanes() > 1;
                    let streams = if alone && threads > 1 && !in_lanes { "stream " } else { "" };
                    add(format!("{streams}{algorithm} on {form}"), 1);
                }),
                Plan::Stream { plan, .. } => {
                    plan.runs().iter().for_each(|(algorithm, form)| add(format!("stream {algorithm} on {form}"), 1));
                }
                plan => plan.runs().iter().for_each(|(algorithm, form)| add(format!("{algorithm} on {form}"), count)),
            }
        }
    }
    walked
}

/// What was walked of algorithms, without what runs within them: a table in lanes is read by its method's name.
fn of_leaves(walked: Walked, expected: &Walked) -> Walked {
    walked.into_iter().filter(|(leaf, _)| leaf != "threads" && expected.contains_key(leaf)).collect()
}

fn number(random: &mut Random, bits: u64) -> Natural {
    let mut limbs: Vec<u64> = (0..bits.div_ceil(64)).map(|_| random.next()).collect();
    let used = (bits - 1) % 64;
    if let Some(top) = limbs.last_mut() {
        *top = *top & ((1 << used) - 1) | 1 << used;
    }
    Natural::from_limbs(&limbs)
}

fn modulus(random: &mut Random, odd_bits: u64, zeros: usize) -> Modulus {
    let mut limbs = number(random, odd_bits).limbs().to_vec();
    limbs[0] |= 1;
    Modulus::new(Natural::from_limbs(&[vec![0; zeros], limbs].concat())).unwrap()
}

#[track_caller]
fn check_list(jobs: &[Job<'_>], options: Options<'_>) -> Plan {
    let plan = plan_list(jobs, &options).unwrap();
    let recorder = Recorder(0);
    let watched = Options { watch: Some(&recorder), ..options };
    let (answers, walked) = during(&recorder, || pow_list(jobs, &watched).unwrap());
    let (expected, mut walked) = (leaves(&plan), walked);
    // A power without an inverse is planned, and takes no product.
    let missing = answers.iter().filter(|answer| answer.is_err()).count();
    for (leaf, count) in walked.iter_mut().filter(|_| missing > 0) {
        let planned = expected.get(leaf).copied().unwrap_or(0);
        *count = if (planned.saturating_sub(missing)..=planned).contains(count) { planned } else { *count };
    }
    assert_eq!(of_leaves(walked, &expected), expected, "{plan}");
    for (job, answer) in jobs.iter().zip(&answers) {
        assert_eq!(answer, &job.modulus.pow(job.base, job.exponent), "{plan}");
    }
    let line = plan.to_string();
    assert_eq!(Plan::from_str(&line).as_ref(), Ok(&plan));
    let forced = Options { kernel: None, plan: Some(&line), ..options };
    assert_eq!(plan_list(jobs, &forced).as_ref(), Ok(&plan));
    assert_eq!(pow_list(jobs, &forced).unwrap(), answers, "{line}");
    plan
}

fn on(threads: usize) -> Options<'static> {
    Options { threads: NonZeroUsize::new(threads), ..Options::default() }
}

/// Lists of powers: alike and mixed, odd and even, with known factors, with elements that need no product, one exponent and many,
/// one thread and three, forced kernels.
#[test]
fn lists_walk_the_tree_that_is_printed() {
    let random = &mut Random::new(0x7ee5);
    let mut shapes: Vec<(Vec<Integer>, Vec<Integer>, Vec<Modulus>)> = Vec::new();
    for (lengths, zeros, exponents, count) in [
        (&[1024u64][..], &[0usize][..], &[300u64][..], 19),
        (&[64], &[0], &[17, 40, 64], 200),
        (&[2048, 1024, 300, 64], &[0], &[900, 17], 60),
        (&[512], &[0, 1, 3], &[512], 40),
        (&[1024], &[0], &[1024], 1),
        (&[1, 130], &[2], &[77], 12),
    ] {
        let moduli: Vec<Modulus> =
            (0..count).map(|at| modulus(random, lengths[at % lengths.len()], zeros[at % zeros.len()])).collect();
        let bases = (0..count).map(|at| Integer::new(at % 7 == 3, number(random, 900)));
        let bases: Vec<Integer> = bases.collect();
        let exponents = (0..count).map(|at| Integer::from(number(random, exponents[at % exponents.len()]))).collect();
        shapes.push((bases, exponents, moduli));
    }
    // Zeros, negative exponents with and without an inverse, a modulus of 1, small bases.
    let moduli = (0..50).map(|at| if at % 11 == 3 { modulus(random, 1, 0) } else { modulus(random, 700, at / 25) });
    let moduli: Vec<Modulus> = moduli.collect();
    let bases: Vec<Integer> = (0..50).map(|at| Integer::from(at as u64 % 6)).collect();
    let exponents =
        (0..50).map(|at| Integer::new(at % 5 == 2, if at % 8 == 0 { 0u64.into() } else { number(random, 99) }));
    let exponents: Vec<Integer> = exponents.collect();
    shapes.push((bases, exponents, moduli));
    // Known factors: 2^521 - 1, 2^607 - 1 and their product, and a modulus without.
    let mersenne = |bits: usize| {
        let limbs = (0..bits.div_ceil(64)).map(|i| u64::MAX >> (64 - (bits - 64 * i).min(64)));
        Natural::from_limbs(&limbs.collect::<Vec<_>>())
    };
    let (p, q) = (mersenne(521), mersenne(607));
    let n = crate::natural::chores::mul(&p, &q);
    let factored = Modulus::with_factors(n, &[(p, 1), (q, 1)]).unwrap();
    let plain = modulus(random, 1128, 0);
    let moduli = (0..30).map(|at| if at % 10 == 9 { plain.clone() } else { factored.clone() }).collect();
    let exponents = (0..30).map(|_| number(random, 1100).into()).collect();
    shapes.push(((0..30).map(|_| number(random, 1100).into()).collect(), exponents, moduli));
    let mut lines = Vec::new();
    for (bases, exponents, moduli) in &shapes {
        let job = |at: usize| Job { base: &bases[at], exponent: &exponents[at], modulus: &moduli[at] };
        let jobs: Vec<Job<'_>> = (0..bases.len()).map(job).collect();
        let shared = Job { exponent: &exponents[exponents.len() - 1], ..jobs[0] };
        let one_exponent: Vec<Job<'_>> = jobs.iter().map(|job| Job { exponent: shared.exponent, ..*job }).collect();
        for threads in [1, 3] {
            lines.push(check_list(&jobs, on(threads)).to_string());
            lines.push(check_list(&one_exponent, on(threads)).to_string());
            if moduli.iter().all(|modulus| !modulus.value().is_even()) {
                let forced = Options { kernel: Some("portable_r64"), ..on(threads) };
                lines.push(check_list(&jobs, forced).to_string());
            }
        }
    }
    for node in ["threads(3, ", "list(", "batch(", "parts(", "even("] {
        assert!(lines.iter().any(|line| line.contains(node)), "no {node} in {lines:#?}");
    }
}

/// Powers of one base that share runs: one side and both, short and long, on one thread and several.
#[test]
fn shared_runs_walk_the_tree_that_is_printed() {
    let random = &mut Random::new(0x0b5e);
    let mut lines = Vec::new();
    for (odd_bits, zeros, count, bits) in
        [(1024, 0, 4, 30_000), (1024, 0, 60, 900), (512, 1, 30, 2000), (2048, 0, 12, 4000)]
    {
        let modulus = modulus(random, odd_bits, zeros);
        // A prime, so that it has an inverse.
        let base = Integer::from(0xffff_ffff_ffff_ffc5_u64);
        let exponents: Vec<Integer> =
            (0..count).map(|at| Integer::new(at % 3 == 2 && zeros == 1, number(random, bits / (1 + at % 2)))).collect();
        let jobs: Vec<Job<'_>> =
            exponents.iter().map(|exponent| Job { base: &base, exponent, modulus: &modulus }).collect();
        for threads in [1, 2, 3] {
            lines.push(check_list(&jobs, on(threads)).to_string());
        }
    }
    for node in ["share(", "threads(2, "] {
        assert!(lines.iter().any(|line| line.contains(node)), "no {node} in {lines:#?}");
    }
}

/// Products of powers, with exponents of one sign and of both.
#[test]
fn products_walk_the_tree_that_is_printed() {
    let random = &mut Random::new(0x9d0c);
    let mut lines = Vec::new();
    for (odd_bits, zeros, count, bits) in [(1024, 0, 3, 1024), (1024, 1, 200, 1024), (512, 0, 2000, 128)] {
        let modulus = modulus(random, odd_bits, zeros);
        let bases: Vec<Integer> =
            (0..count).map(|_| Natural::from_limbs(&[random.next() | 1, random.next()]).into()).collect();
        for negative in [false, true] {
            let exponent =
                |at: usize| Integer::new(negative && at % 2 == 1, number(&mut Random::new(at as u64 + 1), bits));
            let exponents: Vec<Integer> = (0..count).map(exponent).collect();
            for threads in [1, 2] {
                let recorder = Recorder(0);
                let options = Options { watch: Some(&recorder), ..on(threads) };
                let plan = modulus.explain_product(&exponents, &options).unwrap().plan().clone();
                let (product, walked) = during(&recorder, || modulus.pow_product(&bases, &exponents, &options));
                let expected = match &plan {
                    Plan::Over { above, below } => {
                        let mut all = above.as_ref().map(|above| leaves(above)).unwrap_or_default();
                        leaves(below).into_iter().for_each(|(leaf, count)| *all.entry(leaf).or_default() += count);
                        all
                    }
                    plan => leaves(plan),
                };
                assert_eq!(of_leaves(walked, &expected), expected, "{plan}");
                let line = plan.to_string();
                assert_eq!(Plan::from_str(&line).as_ref(), Ok(&plan));
                let forced = Options { plan: Some(&line), ..on(threads) };
                assert_eq!(modulus.explain_product(&exponents, &forced).unwrap().plan(), &plan);
                assert_eq!(modulus.pow_product(&bases, &exponents, &forced), product, "{line}");
                lines.push(line);
            }
        }
    }
    for node in ["over(", "threads(2, split("] {
        assert!(lines.iter().any(|line| line.contains(node)), "no {node} in {lines:#?}");
    }
}

/// Lists of products: alike and mixed, odd and even, with negative exponents and bases, with elements that need no product or fail.
#[test]
fn product_lists_walk_the_tree_that_is_printed() {
    let random = &mut Random::new(0x9d0d);
    let mut lines = Vec::new();
    for (lengths, zeros, factors, bits, count) in [
        (&[1024u64][..], &[0usize][..], &[2usize][..], 160, 21),
        (&[512, 700], &[0], &[1, 3], 300, 40),
        (&[256, 100], &[0, 1], &[2, 5], 90, 50),
        (&[64, 2000], &[0], &[2], 64, 33),
        (&[1, 300], &[0, 2], &[4, 0], 40, 30),
    ] {
        let moduli: Vec<Modulus> =
            (0..count).map(|at| modulus(random, lengths[at % lengths.len()], zeros[at % zeros.len()])).collect();
        let (mut bases, mut exponents): (Vec<Vec<Integer>>, Vec<Vec<Integer>>) = (Vec::new(), Vec::new());
        for at in 0..count {
            let factors = factors[at / 2 % factors.len()];
            let sign = |of: usize| (at + of) % 7 == 3;
            bases.push((0..factors).map(|of| Integer::new(sign(of), number(random, 80 + at as u64 * 30))).collect());
            let exponent = |of: usize, random: &mut Random| match (at + of) % 11 {
                4 => 0u64.into(),
                5 => Integer::new(true, number(random, bits)),
                _ => number(random, bits).into(),
            };
            exponents.push((0..factors).map(|of| exponent(of, random)).collect());
        }
        let job = |at: usize| (&bases[at][..], &exponents[at][..], &moduli[at]);
        let mut jobs: Vec<_> = (0..count).map(job).collect();
        jobs[3].1 = &exponents[3][..exponents[3].len().saturating_sub(1)];
        for threads in [1, 3] {
            let plan = plan_product_list(&jobs, &on(threads)).unwrap();
            let recorder = Recorder(0);
            let options = Options { watch: Some(&recorder), ..on(threads) };
            let (products, walked) = during(&recorder, || pow_product_list(&jobs, &options).unwrap());
            let expected = leaves(&plan);
            assert_eq!(of_leaves(walked, &expected), expected, "{plan}");
            for ((bases, exponents, modulus), product) in jobs.iter().zip(&products) {
                assert_eq!(product, &modulus.pow_product(bases, exponents, &on(1)), "{plan}");
            }
            let line = plan.to_string();
            assert_eq!(Plan::<PowerProduct>::from_str(&line).as_ref(), Ok(&plan));
            let forced = Options { plan: Some(&line), ..on(threads) };
            assert_eq!(plan_product_list(&jobs, &forced).as_ref(), Ok(&plan));
            assert_eq!(pow_product_list(&jobs, &forced).unwrap(), products, "{line}");
            lines.push(line);
        }
    }
    // In lanes with several groups of bases, if this CPU has lanes.
    let moduli: Vec<Modulus> = (0..9).map(|_| modulus(random, 500, 0)).collect();
    let numbers: Vec<Integer> = (0..5).map(|_| number(random, 400).into()).collect();
    let jobs: Vec<_> = moduli.iter().map(|modulus| (&numbers[..], &numbers[..], modulus)).collect();
    let in_lanes = Options { plan: Some("straus(c=2, w=2) on ifma_lanes_r52"), ..on(1) };
    match pow_product_list(&jobs, &in_lanes) {
        Ok(products) => {
            for (job, product) in jobs.iter().zip(products) {
                assert_eq!(product, job.2.pow_product(job.0, job.1, &on(1)));
            }
            assert!(lines.iter().any(|line| line.contains("straus(c=2, w=2) on ifma_lanes_r52")), "{lines:#?}");
        }
        Err(error) => assert_eq!(error.code(), "bad_plan"),
    }
    let refused = |line: &str| {
        let error = pow_product_list(&jobs, &Options { plan: Some(line), ..on(1) }).unwrap_err();
        assert_eq!(error.code(), "bad_plan");
        error.to_string()
    };
    let run = "straus(c=2, w=1) on portable_r64(n=8, product=cios)";
    assert!(refused(&format!("threads(2, batch({run} x 8))")).contains("is for 8 elements, the list has 9"));
    assert!(refused("share(common_bits(c=2) on portable_r64(n=4, product=cios) x 9)").contains("one base"));
    let two = format!("threads(2, list(batch({run} x 8), {run}))");
    let forced = pow_product_list(&jobs, &Options { plan: Some(&two), ..on(1) }).unwrap();
    assert_eq!(forced, pow_product_list(&jobs, &on(1)).unwrap());
}

/// Lists of powers of a fixed base, whole packs and what is left over.
#[test]
fn fixed_bases_walk_the_tree_that_is_printed() {
    let random = &mut Random::new(0xf1bed);
    for (odd_bits, zeros) in [(1024, 0), (300, 2), (64, 0)] {
        let modulus = modulus(random, odd_bits, zeros);
        let base: Integer = number(random, odd_bits).into();
        let uses = pingala_core::Uses::new(1000, true);
        let table = FixedBase::for_uses(&base, &modulus, 500, 1 << 17, uses, &on(1)).unwrap();
        for count in [1, 7, 8, 17, 300] {
            let exponents: Vec<Integer> = (0..count).map(|_| number(random, 499).into()).collect();
            for threads in [1, 3] {
                let recorder = Recorder(0);
                let plan = table.plan_list(count, &on(threads)).unwrap();
                let options = Options { watch: Some(&recorder), ..on(threads) };
                let (powers, walked) = during(&recorder, || table.pow_list(&exponents, &options).unwrap());
                let expected = leaves(&plan);
                assert_eq!(of_leaves(walked, &expected), expected, "{plan}");
                let line = plan.to_string();
                let forced = Options { plan: Some(&line), ..on(threads) };
                assert_eq!(table.plan_list(count, &forced).as_ref(), Ok(&plan));
                assert_eq!(table.pow_list(&exponents, &forced).unwrap(), powers);
            }
        }
    }
}

/// Single powers, public and secret, and repeated squarings.
#[test]
fn single_runs_walk_the_tree_that_is_printed() {
    let random = &mut Random::new(0x51e6);
    let recorder = Recorder(0);
    let watched = Options { watch: Some(&recorder), ..Options::default() };
    let check = |plan: &Plan, walked: Walked| {
        let expected = leaves(plan);
        assert_eq!(of_leaves(walked.clone(), &expected), expected, "{plan}");
        assert!(walked.keys().all(|leaf| expected.contains_key(leaf)), "{walked:?} for {plan}");
        assert_eq!(Plan::from_str(&plan.to_string()).as_ref(), Ok(plan));
    };
    for (odd_bits, zeros) in [(1, 3), (64, 0), (200, 0), (192, 1), (1024, 0), (2048, 2), (9000, 0)] {
        let modulus = modulus(random, odd_bits, zeros);
        let base: Integer = Natural::from_limbs(&[random.next() | 1, random.next()]).into();
        let exponent: Integer = number(random, 300).into();
        let plan = modulus.plan(&base, &exponent, &watched).unwrap();
        let (power, walked) = during(&recorder, || modulus.pow_with(&base, &exponent, &watched).unwrap());
        check(&plan, walked);
        let line = plan.to_string();
        let forced = Options { plan: Some(&line), ..watched };
        let (again, walked) = during(&recorder, || modulus.pow_with(&base, &exponent, &forced).unwrap());
        assert_eq!(again, power);
        check(&plan, walked);

        let secret = SecretExponent::new(exponent.magnitude(), Some(300)).unwrap();
        let problem =
            Problem { trailing_zeros: 64 * zeros as u64, secret: true, ..Problem::new(modulus.value().bits(), 300) };
        let plan = Planner::of_this_machine().plan_with(&problem, None, None).unwrap();
        let line = plan.to_string();
        for options in [watched, Options { plan: Some(&line), ..watched }] {
            let (again, walked) = during(&recorder, || modulus.pow_sec(&base, &secret, &options).unwrap());
            assert_eq!(again, power);
            check(&plan, walked);
        }

        let explained = modulus.explain_repeated_square(900, &watched).unwrap();
        let line = explained.plan().to_string();
        let squared = modulus.pow(&base, &Natural::power_of_two(900).into()).unwrap();
        for options in [watched, Options { plan: Some(&line), ..watched }] {
            let (power, walked) = during(&recorder, || modulus.repeated_square(&base, 900, &options).unwrap());
            assert_eq!(power, squared);
            check(explained.plan(), walked);
        }
        if let (Plan::Run { form, .. }, true) = (explained.plan(), odd_bits > 1) {
            let other = format!("k_ary(w=3) on {form}");
            let error = modulus.repeated_square(&base, 900, &Options { plan: Some(&other), ..watched }).unwrap_err();
            assert!(error.to_string().contains("is not for squarings alone"), "{error}");
        }
    }
}

/// A tree for another list is refused with a sentence that says what differs.
#[test]
fn trees_of_other_lists_are_refused() {
    let random = &mut Random::new(0xbad);
    let modulus = modulus(random, 256, 0);
    let bases: Vec<Integer> = (0..20).map(|_| number(random, 256).into()).collect();
    let exponent: Integer = number(random, 200).into();
    let refused = |line: &str| {
        let error = modulus.pow_base_list(&bases, &exponent, &Options { plan: Some(line), ..on(1) }).unwrap_err();
        assert_eq!(error.code(), "bad_plan");
        error.to_string()
    };
    let run = "fixed_window(w=4) on portable_r64(n=4, product=cios)";
    assert!(refused(&format!("list(batch({run} x 7), {run})")).contains("is for 8 elements, the list has 20"));
    assert!(refused(&format!("threads(2, batch({run} x 21))")).contains("is for 21 elements"));
    let other = "fixed_window(w=4) on portable_r64(n=5, product=cios)";
    assert!(refused(&format!("list(batch({run} x 19), {other})")).contains("does not fit"));
    assert!(refused(&format!("list(batch({run} x 20)")).contains("unmatched"));
    assert!(refused("share(common_bits(c=2) on portable_r64(n=4, product=cios) x 20)").contains("one base"));
    assert!(refused(&format!("threads(1, batch({run} x 20))")).contains("2 to 4096 threads"));
    assert!(refused(&format!("batch({run} x 19)")).contains("expected a batch of 20"));
    let two = format!("threads(2, list(batch({run} x 19), {run}))");
    let options = Options { plan: Some(&two), ..on(1) };
    let want: Vec<_> = bases.iter().map(|base| modulus.pow(base, &exponent)).collect();
    assert_eq!(modulus.pow_base_list(&bases, &exponent, &options).unwrap(), want);
}
