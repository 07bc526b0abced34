//! What the tables say, on the processor of the paper.

use crate::model::{Method, Profile, cost, saving};
use crate::processor::{Processor, SHIPPED};
use crate::{record, sweep};
use pingala_study::texts::Operation;

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

/// A simulation of the same methods, made before this one and apart from it, which leaves constant time aside: bits, cycles of a
/// load, the saving of KCM against CIOS and against the best baseline in per cent.
const SIMULATED: [(usize, f64, f64, f64); 12] = [
    (512, 1.0, 13.0, -10.0),
    (768, 1.0, 21.0, 2.0),
    (1024, 1.0, 27.0, 9.0),
    (1536, 1.0, 35.0, 19.0),
    (2048, 1.0, 40.0, 26.0),
    (4096, 1.0, 53.0, 42.0),
    (512, 2.0, 7.0, -14.0),
    (768, 2.0, 14.0, -4.0),
    (1024, 2.0, 21.0, 5.0),
    (1536, 2.0, 28.0, 14.0),
    (2048, 2.0, 35.0, 22.0),
    (4096, 2.0, 48.0, 38.0),
];

#[test]
fn the_sweep_over_lengths_is_that_of_a_simulation() {
    for (bits, load, against_cios, against_best) in SIMULATED {
        let processor = sa1100(load);
        let cios = saves(&processor, Method::Kcm, Method::Cios, bits);
        assert!((cios - against_cios).abs() < 2.0, "{bits} bits, loads of {load}: {cios}");
        let (best, _) = sweep::best_baseline(&processor, Profile::Risc, bits);
        let best = saves(&processor, Method::Kcm, best, bits);
        assert!(
            (best - against_best).abs() < if bits == 512 { 4.0 } else { 2.0 },
            "{bits} bits, loads of {load}: {best}"
        );
    }
}

/// Compares crossovers with those of that simulation, which looked at 512, 640, 768, 896, 1024, 1280 and 1536 bits.
#[test]
fn crossovers_are_those_of_a_simulation() {
    use Method::{Cios, Fips, KaratsubaComba, Kcm};
    let wanted = [
        (
            1.0,
            [
                (Kcm, Cios, 256..=512),
                (Kcm, Fips, 704..=768),
                (KaratsubaComba, Fips, 256..=512),
                (Kcm, KaratsubaComba, 1280..=1408),
            ],
        ),
        (
            2.0,
            [
                (Kcm, Cios, 256..=512),
                (Kcm, Fips, 896..=960),
                (KaratsubaComba, Fips, 256..=512),
                (Kcm, KaratsubaComba, 1472..=1536),
            ],
        ),
    ];
    for (load, wanted) in wanted {
        let found = sweep::crossovers(&sa1100(load), Profile::Risc);
        for (of, against, range) in wanted {
            let crossover = found.iter().find(|crossover| (crossover.of, crossover.against) == (of, against));
            let stays = crossover.and_then(|crossover| crossover.stays).expect("it stays below");
            assert!(range.contains(&stays), "{} below {} from {stays}, loads of {load}", of.name(), against.name());
        }
    }
}

/// A crossover is the length at which the sign of the saving changes, found here by other means.
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
