//! What a new kernel takes: `tests/inside/kernel/toy.rs`, its row in the registry and its file of prices. Everything else finds it there. The
//! suites that go over all kernels (conformance, plans, formats, squarings, tables) have it among theirs.

use super::common::Random;
use super::tune::tune;
use pingala_core::kernels::{KERNELS, Kernel, forms};
use pingala_core::plan::{Planner, Prices, Problem};
use pingala_core::{FixedBase, Integer, Job, Modulus, Natural, Options, pow_list};

const TOY: &str = "toy_r64";

fn toy() -> Kernel {
    Kernel::by_name(TOY).expect("the tests have it")
}

fn number(random: &mut Random, limbs: usize) -> Natural {
    Natural::from_limbs(&(0..limbs).map(|_| random.next()).collect::<Vec<_>>())
}

fn odd(random: &mut Random, limbs: usize) -> Natural {
    let mut limbs: Vec<u64> = (0..limbs).map(|_| random.next()).collect();
    limbs[0] |= 1;
    *limbs.last_mut().unwrap() |= 1 << 63;
    Natural::from_limbs(&limbs)
}

#[test]
fn it_is_listed_where_it_fits() {
    assert!(KERNELS.iter().any(|entry| entry.name == TOY && entry.available() && !entry.summary.is_empty()));
    let fits = |odd: bool, limbs: usize| forms(odd, limbs).any(|form| form.kernel == toy());
    assert!(fits(true, 1) && fits(true, 8) && !fits(true, 9) && !fits(false, 4));
    let sources: Vec<_> = Prices::built_in().sources().filter(|(_, kernels)| kernels.contains(&toy())).collect();
    assert!(matches!(&sources[..], [(source, kernels)] if source.name() == "built-in, toy" && kernels.len() == 1));
}

/// It is taken where its prices are the lowest, as far as it goes, and the explanation has it among its candidates. Its built-in prices hold
/// on no CPU: by them it is not taken, however low they are, unless a plan line or a setting names it.
#[test]
fn it_is_planned_and_explained_by_its_prices() {
    let dear = Planner::new(Prices::built_in().clone());
    let low = Prices::built_in().map(|form, mut price| {
        if form.kernel == toy() {
            (price.setup, price.convert) = (1e-3, 1e-3);
            (price.sqr, price.mul, price.mul_small) = (1e-3, 1e-3, 1e-3);
        }
        price
    });
    let cheap = Planner::new(Prices::parse(&low.to_string()).unwrap());
    let unmeasured = Planner::new(low);
    for bits in [64, 200, 512, 513, 2048] {
        let problem = Problem::new(bits, bits);
        let on_toy = |planner: &Planner| planner.plan(&problem).unwrap().to_string().contains(TOY);
        assert!(!on_toy(&dear) && !on_toy(&unmeasured), "{bits} bits");
        assert_eq!(on_toy(&cheap), bits <= 512, "{bits} bits");
        let explanation = cheap.explain(&problem, None, None).unwrap();
        assert_eq!(explanation.plan().to_string().contains(TOY), bits <= 512);
        let explained = explanation.candidates().flatten().any(|candidate| candidate.plan().contains(TOY));
        assert_eq!(explained, bits <= 512, "{bits} bits");
        let explanation = unmeasured.explain(&problem, None, None).unwrap();
        assert!(explanation.candidates().flatten().all(|candidate| !candidate.plan().contains(TOY)), "{bits} bits");
        for (kernel, line) in [(Some(TOY), None), (None, Some("sliding_window(w=3) on toy_r64"))] {
            let forced = unmeasured.explain(&problem, kernel, line);
            assert_eq!(forced.is_ok_and(|forced| forced.plan().to_string().contains(TOY)), bits <= 512, "{bits} bits");
        }
    }
    let crossovers = super::crossovers::crossovers(&cheap, 1024, |bits| Problem::new(bits, bits)).unwrap();
    assert_eq!(crossovers[0].kernel, toy());
    assert_eq!(crossovers[1].from_bits, 513);
}

/// Single powers, even moduli, lists, tables and squarings, by force.
#[test]
fn it_is_executed() {
    let random = &mut Random::new(19);
    let options = Options::default().with_kernel(Some(TOY));
    for limbs in [1, 2, 5, 8] {
        let (m, base, exponent) = (odd(random, limbs), number(random, limbs + 1), number(random, 2));
        let (base, exponent) = (Integer::from(base), Integer::from(exponent));
        let even = Natural::from_limbs(&[&[0][..], m.limbs()].concat());
        for m in [m, even] {
            let modulus = Modulus::new(m).unwrap();
            let want = modulus.pow(&base, &exponent).unwrap();
            assert_eq!(modulus.pow_with(&base, &exponent, &options).as_ref(), Ok(&want));
            let line = modulus.plan(&base, &exponent, &options).unwrap().to_string();
            assert!(line.contains(TOY), "{line}");
            assert_eq!(
                modulus.pow_with(&base, &exponent, &Options::default().with_plan(Some(&line))),
                Ok(want.clone())
            );
            let jobs: Vec<_> = (0..3).map(|_| Job { modulus: &modulus, base: &base, exponent: &exponent }).collect();
            assert_eq!(pow_list(&jobs, &options).unwrap(), vec![Ok(want.clone()); 3]);
            let power_of_two = Integer::from(1u64 << 9);
            let squared = modulus.repeated_square(&base, 9, &options).unwrap();
            assert_eq!(squared, modulus.pow(&base, &power_of_two).unwrap());
            let table = FixedBase::new(&base, &modulus, 128, 1 << 16, &options).unwrap();
            assert_eq!(table.pow(&exponent), Ok(want));
        }
    }
    let long = Modulus::new(odd(random, 9)).unwrap();
    let error = long.pow_with(&Integer::from(3u64), &Integer::from(5u64), &options).unwrap_err();
    assert_eq!(error.code(), "bad_plan");
}

/// Every length that it takes gets prices, which are written and read as those of others, and stand over what ships.
#[test]
fn it_is_tuned() {
    let prices = tune(&[toy()], Some("a toy\nportable_r64 - 1"), |_, _| {});
    let stamp = prices.sources().next().unwrap().0.stamp().to_vec();
    let names: Vec<_> = stamp.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["cpu", "date", "compiler", "version", "format", "note"]);
    // A note stays in its line.
    assert!(stamp.iter().all(|(_, value)| !value.is_empty() && !value.contains('\n')), "{stamp:?}");
    assert_eq!(Prices::parse(&prices.to_string()).unwrap().to_string(), prices.to_string());
    for form in (1..=8).flat_map(|limbs| forms(true, limbs)).filter(|form| form.kernel == toy()) {
        let price = prices.of(&form).unwrap();
        assert!(price.sqr > 0.0 && price.mul > 0.0 && price.setup > 0.0, "{form}: {price:?}");
    }
    let in_force = prices.over(Prices::built_in());
    let (source, kernels) = in_force.sources().next().unwrap();
    assert_eq!((source.name(), kernels), ("measured now", vec![toy()]));
}
