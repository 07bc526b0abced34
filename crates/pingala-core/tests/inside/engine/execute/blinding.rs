//! Tests of `engine/execute/blinding.rs`.

use super::{Blinding, USES, draw};
use crate::engine::execute::blinding_pairs::BlindingPair;
use crate::engine::execute::poll::Poll;
use crate::engine::execute::prepared::Prepared;
use crate::engine::plan::{Plan, Planner, Problem};
use crate::modulus::Facts;
use crate::natural::{Natural, chores, euclid};

/// 2^127 - 1 times 2^89 - 1.
fn modulus() -> Natural {
    chores::mul(&Natural::from(u128::MAX >> 1), &Natural::from(u128::MAX >> 39))
}

fn plan(modulus: &Prepared<'_>, e: &Natural) -> Plan {
    let problem = Problem { secret: true, ..Problem::new(modulus.facts().bits(), e.bits()) };
    Planner::of_this_machine().plan(&problem).unwrap()
}

/// s^e (s^-1)^e = 1.
fn is_pair(m: &Natural, e: &Natural, pair: &BlindingPair) -> bool {
    let power = |base: &[u64]| crate::powmod(&Natural::from_limbs(base).into(), &e.clone().into(), m).unwrap();
    chores::rem(&chores::mul(&Natural::from_limbs(&pair.forward), &power(&pair.back)), m).is_one()
}

#[test]
fn a_pair_is_of_one_number_and_stays_one_when_it_is_squared() {
    let (m, e) = (modulus(), Natural::from(65537u64));
    let prepared = Prepared::new(Facts::new(m.clone()));
    let plan = plan(&prepared, &e);
    let base = Natural::from(12345u64);
    let (mut seen, mut drawn) = (Vec::new(), 0);
    for _ in 0..3 * USES {
        let blinding = Blinding::new(&prepared, &plan, &e, &[1], &Poll::none()).unwrap();
        assert!(is_pair(&m, &e, &blinding.pair));
        drawn += u32::from(blinding.pair.uses == 0);
        let used = Natural::from_limbs(&blinding.blinded(base.limbs()).unwrap());
        assert!(!seen.contains(&used), "every power has a base of its own");
        seen.push(used);
        blinding.unblinded(&[1, 0, 0, 0]).unwrap();
    }
    assert_eq!(drawn, 3, "a number serves a limited number of powers");
}

#[test]
fn another_exponent_and_another_process_draw_their_own() {
    let (m, e) = (modulus(), Natural::from(65537u64));
    let prepared = Prepared::new(Facts::new(m.clone()));
    let plan = plan(&prepared, &e);
    let mut pair = draw(&prepared, &plan, &e, &[1], &Poll::none()).unwrap();
    pair.process ^= 1;
    prepared.pairs().keep(pair);
    assert!(prepared.pairs().take(&e).is_none(), "the pair of a parent");
    prepared.pairs().keep(draw(&prepared, &plan, &e, &[1], &Poll::none()).unwrap());
    assert!(prepared.pairs().take(&Natural::from(3u64)).is_none());
    assert!(prepared.pairs().take(&e).is_some());
}

/// (base s^e)^d s^-1 = base^d, a negative base included: its sign passes by the blinding.
#[test]
fn what_is_blinded_gives_the_same_power() {
    let (m, e) = (modulus(), Natural::from(65537u64));
    let prepared = Prepared::new(Facts::new(m.clone()));
    let plan = plan(&prepared, &e);
    let order = chores::mul(&Natural::from((u128::MAX >> 1) - 1), &Natural::from((u128::MAX >> 39) - 1));
    let d = euclid::inverse(&e, &order, crate::natural::testing::plain()).unwrap().unwrap();
    let power = |base: &Natural| crate::powmod(&base.clone().into(), &d.clone().into(), &m).unwrap();
    for base in [Natural::default(), Natural::from(1u64), Natural::from(u128::MAX >> 1), Natural::from(77u64)] {
        for negative in [false, true] {
            let blinding = Blinding::new(&prepared, &plan, &e, &[1], &Poll::none()).unwrap();
            let blinded = Natural::from_limbs(&blinding.blinded(base.limbs()).unwrap());
            let blinded = if negative { chores::negate(blinded, &m) } else { blinded };
            let result = blinding.unblinded(power(&blinded).limbs()).unwrap();
            let want = if negative { chores::negate(power(&base), &m) } else { power(&base) };
            assert_eq!(Natural::from_limbs(&result), want, "{base} {negative}");
        }
    }
}
