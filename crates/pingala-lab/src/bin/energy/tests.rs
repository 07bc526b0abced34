//! What the tables say, on the processor of the paper.

use crate::model::{Method, Profile, cost, saving};
use crate::processor::{Processor, SHIPPED};
use crate::{record, sweep};
use pingala::counting::Operation;

fn sa1100(load: f64) -> Processor {
    Processor::parse(SHIPPED[0]).expect("SA-1100").with(None, load, 0.0)
}

fn saves(processor: &Processor, of: Method, against: Method, bits: usize) -> f64 {
    let energy = |method| cost(processor, Profile::Risc, method, Operation::Mul, bits).microjoule;
    saving(energy(of), energy(against))
}

#[test]
fn shipped_processors_are_read() {
    for text in SHIPPED {
        let processor = Processor::parse(text).expect("a shipped processor");
        assert!(processor.record()["numbers"].as_object().is_some_and(|numbers| numbers.len() == 22));
    }
}

/// The claim of 22 % lies between what KCM saves against CIOS with loads of two cycles and of one.
#[test]
fn kcm_against_cios_at_1024_bits() {
    let (fast, slow) =
        (saves(&sa1100(1.0), Method::Kcm, Method::Cios, 1024), saves(&sa1100(2.0), Method::Kcm, Method::Cios, 1024));
    assert!((20.0..27.0).contains(&fast) && (20.0..fast).contains(&slow), "{fast} {slow}");
    let fips = saves(&sa1100(1.0), Method::Kcm, Method::Fips, 1024);
    assert!(fips < 10.0, "against FIPS it saves less: {fips}");
}

/// A crossover is where the sign of the saving changes, looked up again by other means.
#[test]
fn crossovers_are_where_the_saving_changes_sign() {
    let processor = sa1100(1.0);
    for crossover in sweep::crossovers(&processor, Profile::Risc) {
        let wins = |bits| saves(&processor, crossover.of, crossover.against, bits) > 0.0;
        if let Some(first) = crossover.first {
            assert!(wins(first) && (first == 256 || !wins(first - 64)));
        }
        if let Some(stays) = crossover.stays {
            assert!((stays..=4096).step_by(64).all(wins) && (stays == 256 || !wins(stays - 64)));
            assert!(crossover.first <= Some(stays));
        }
    }
}

#[test]
fn the_record_has_a_saving_against_every_product() {
    let record = record::processor(&sa1100(1.0), Profile::Risc);
    let products = record["variants"][0]["products"].as_array().expect("products");
    let kcm = products.iter().find(|p| p["method"] == "kcm" && p["bits"] == 1024 && p["operation"] == "mul");
    let savings = kcm.expect("KCM at 1024 bits")["saves_percent_against"].as_object().expect("savings");
    assert_eq!(savings.len(), Method::ALL.len());
    for method in Method::ALL {
        let recorded = savings[method.name()].as_f64().expect("a number");
        assert!((recorded - saves(&sa1100(1.0), Method::Kcm, method, 1024)).abs() < 1e-9);
    }
    assert!(record::BASELINE.contains("unknown"));
}
