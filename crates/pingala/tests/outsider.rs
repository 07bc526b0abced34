//! What a program outside the workspace does: it names `pingala` and nothing else. The last test is of the crate's own people.

use pingala::plan::{self, Explanation, Plan, Summary};
use pingala::{
    Column, Error, FixedBase, Integer, Job, Limits, Modulus, Natural, Options, RepeatedSquare, SecretExponent, Uses,
    Watch, jacobi, mulmod_words, plan_list, pow_list, pow_product_list, pow_rows, pow_words, powmod, powmod_with,
};
use std::sync::atomic::{AtomicUsize, Ordering};

fn modulus() -> Modulus {
    Modulus::new(1_000_003u64.into()).expect("above 0")
}

/// A type of a program that keeps what calls return: every type has a name.
struct Kept {
    plan: Plan,
    table_plan: Plan<plan::FixedBaseAlgorithm>,
    explanation: Explanation,
    of_product: Explanation<plan::PowerProduct>,
    summary: Summary,
}

#[test]
fn plans_and_explanations_can_be_kept_printed_and_forced() {
    let (modulus, options) = (modulus(), Options::default());
    let (base, exponent) = (Integer::from(3u64), Integer::from(65537u64));
    let table = FixedBase::new(&base, &modulus, 64, 1 << 14, &options).unwrap();
    let explanation = modulus.explain(&base, &exponent, &options).unwrap();
    let kept = Kept {
        plan: modulus.plan(&base, &exponent, &options).unwrap(),
        table_plan: table.plan(),
        of_product: modulus.explain_product(std::slice::from_ref(&exponent), &options).unwrap(),
        summary: explanation.summary(),
        explanation,
    };
    let line = kept.plan.to_string();
    assert_eq!(line.parse::<Plan>().unwrap(), kept.plan);
    assert_eq!(kept.explanation.plan(), &kept.plan);
    assert_eq!(kept.summary.plan, line);
    assert!(kept.summary.parts.iter().any(|part| part.candidates.iter().any(|row| row.chosen && row.plan() == line)));
    assert!(kept.table_plan.to_string().contains(" on "));
    assert!(kept.of_product.seconds() > 0.0);
    let forced = modulus.pow_with(&base, &exponent, &options.with_plan(Some(&line)));
    assert_eq!(forced, modulus.pow(&base, &exponent));
}

#[test]
fn every_workload_gives_one_power() {
    let (modulus, options) = (modulus(), Options::default());
    let (base, exponent) = (Integer::from(3u64), Integer::from(65537u64));
    let power = Natural::from(486_750u64);
    assert_eq!(powmod(&base, &exponent, modulus.value()), Ok(power.clone()));
    assert_eq!(powmod_with(&base, &exponent, modulus.value(), &options), Ok(power.clone()));
    let job = Job { base: &base, exponent: &exponent, modulus: &modulus };
    assert_eq!(pow_list(&[job], &options).unwrap(), [Ok(power.clone())]);
    assert!(plan_list(&[job], &options).is_ok());
    let product = (std::slice::from_ref(&base), std::slice::from_ref(&exponent), &modulus);
    assert_eq!(pow_product_list(&[product], &options).unwrap(), [Ok(power.clone())]);
    let table = FixedBase::for_uses(&base, &modulus, 64, 1 << 14, Uses::new(9, false), &options).unwrap();
    assert_eq!(table.pow(&exponent), Ok(power.clone()));
    let secret = SecretExponent::from_be_bytes(&[1, 0, 1], 24).unwrap();
    assert_eq!(modulus.pow_sec(&base, &secret, &options), Ok(power.clone()));
    let mut words = [0];
    assert_eq!(pow_words(&[3], &[65537], &[1_000_003], &mut words, &options).unwrap(), []);
    assert_eq!(Natural::from(words[0]), power);
    assert!(mulmod_words(&[words[0]], &[1], &[1_000_003], &mut words, &options).unwrap().is_empty());
    let (exponents, moduli) = ([1, 0, 1], [15, 66, 67]);
    let columns = [&[0, 0, 3][..], &exponents, &moduli].map(|bytes| Column::fixed(bytes, 3));
    let mut rows = [0; 3];
    assert!(
        pow_rows(columns[0].clone(), columns[1].clone(), columns[2].clone(), &mut rows, 3, &options)
            .unwrap()
            .is_empty()
    );
    assert_eq!(Natural::from_be_bytes(&rows), power);
    let squared = RepeatedSquare::new(&modulus, &base, 16).unwrap().run(&options).unwrap();
    assert_eq!(modulus.mul(&squared.into(), &base), power);
    assert_eq!(jacobi(&base, &1_000_003u64.into(), &options), Ok(-1));
}

/// Counts how often it is asked.
#[derive(Default)]
struct Asked(AtomicUsize);

impl Watch for Asked {
    fn stop(&self) -> bool {
        self.0.fetch_add(1, Ordering::Relaxed) > 2
    }
}

#[test]
fn calls_are_limited_and_stopped() {
    let long = Options::default().with_limits(Limits::new(64, 16));
    let refused = modulus().pow_with(&3u64.into(), &65537u64.into(), &long).unwrap_err();
    assert_eq!(refused.code(), "too_long");
    let asked = Asked::default();
    let options = Options::default().with_watch(Some(&asked));
    let stopped = modulus().repeated_square(&3u64.into(), 1 << 40, &options);
    assert_eq!(stopped, Err(Error::Interrupted));
}

/// What a crate of ours takes from `pingala_core` fits what a program has from `pingala`.
#[test]
fn types_are_those_of_the_core() {
    let modulus = modulus();
    let inverse: Result<Natural, Error> = pingala_core::invert(&3u64.into(), modulus.value(), &Options::default());
    assert_eq!(inverse, modulus.invert(&3u64.into()));
}
