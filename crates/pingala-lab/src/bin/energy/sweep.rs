//! What happens when the processor or the length changes: savings on a grid, and the lengths at which one method passes another.

use crate::model::{Method, Profile, cost, saving};
use crate::processor::Processor;
use pingala_study::texts::Operation;
use serde_json::{Value, json};

/// The lengths of the grid.
pub const LENGTHS: [usize; 8] = [256, 512, 768, 1024, 1536, 2048, 3072, 4096];
/// Cycles of a multiplication.
pub const MULTIPLY_CYCLES: std::ops::RangeInclusive<u32> = 1..=16;
/// Cycles of a load.
pub const LOAD_CYCLES: [u32; 2] = [1, 2];
/// The finer lengths at which crossovers are looked for: every even number of words.
const STEP: usize = 64;
const LONGEST: usize = 4096;
/// What the paper says that a KCM product of 1024 bits saves, in percent.
pub const CLAIM: f64 = 22.0;

fn microjoule(processor: &Processor, profile: Profile, method: Method, bits: usize) -> f64 {
    cost(processor, profile, method, Operation::Mul, bits).microjoule
}

/// The baseline with the least energy.
pub fn best_baseline(processor: &Processor, profile: Profile, bits: usize) -> (Method, f64) {
    let all = Method::BASELINES.map(|method| (method, microjoule(processor, profile, method, bits)));
    all.into_iter().min_by(|a, b| a.1.total_cmp(&b.1)).expect("there are baselines")
}

/// One point of the grid.
pub struct Point {
    pub bits: usize,
    pub multiply_cycles: u32,
    pub load_cycles: u32,
    pub best: Method,
    /// Savings in percent: of KCM and of Karatsuba-Comba, each against CIOS and against the best baseline.
    pub kcm: [f64; 2],
    pub karatsuba_comba: [f64; 2],
}

/// The whole grid.
pub fn grid(processor: &Processor, profile: Profile) -> Vec<Point> {
    let mut points = Vec::new();
    for load_cycles in LOAD_CYCLES {
        for multiply_cycles in MULTIPLY_CYCLES {
            let changed = processor.with(Some(multiply_cycles.into()), load_cycles.into(), 0.0);
            for bits in LENGTHS {
                let cios = microjoule(&changed, profile, Method::Cios, bits);
                let (best, least) = best_baseline(&changed, profile, bits);
                let savings = |method| {
                    let energy = microjoule(&changed, profile, method, bits);
                    [saving(energy, cios), saving(energy, least)]
                };
                let (kcm, karatsuba_comba) = (savings(Method::Kcm), savings(Method::KaratsubaComba));
                points.push(Point { bits, multiply_cycles, load_cycles, best, kcm, karatsuba_comba });
            }
        }
    }
    points
}

pub fn record(points: &[Point]) -> Value {
    let point = |point: &Point| {
        json!({
            "bits": point.bits,
            "multiply_cycles": point.multiply_cycles,
            "load_cycles": point.load_cycles,
            "best_baseline": point.best.name(),
            "kcm_saves_percent": { "cios": point.kcm[0], "best_baseline": point.kcm[1] },
            "karatsuba_comba_saves_percent": {
                "cios": point.karatsuba_comba[0], "best_baseline": point.karatsuba_comba[1],
            },
        })
    };
    points.iter().map(point).collect()
}

/// The length at which one method passes another, among the even numbers of words.
pub struct Crossover {
    pub of: Method,
    pub against: Method,
    /// The first length at which it takes less.
    pub first: Option<usize>,
    /// The first length from which on it always does.
    pub stays: Option<usize>,
}

/// Every crossover of the two with Karatsuba against all others, lengths of 256 to 4096 bits.
pub fn crossovers(processor: &Processor, profile: Profile) -> Vec<Crossover> {
    let pairs = [Method::Kcm, Method::KaratsubaComba]
        .into_iter()
        .flat_map(|of| Method::BASELINES.map(|against| (of, against)))
        .chain([(Method::Kcm, Method::KaratsubaComba)]);
    let lengths: Vec<usize> = (256..=LONGEST).step_by(STEP).collect();
    let crossover = |(of, against)| {
        let energy = |method, bits| microjoule(processor, profile, method, bits);
        let wins: Vec<bool> = lengths.iter().map(|&bits| energy(of, bits) < energy(against, bits)).collect();
        let first = wins.iter().position(|&win| win).map(|at| lengths[at]);
        let from = wins.iter().rposition(|&win| !win).map_or(0, |at| at + 1);
        Crossover { of, against, first, stays: lengths.get(from).copied() }
    };
    pairs.map(crossover).collect()
}

pub fn record_crossovers(crossovers: &[Crossover]) -> Value {
    let one = |crossover: &Crossover| {
        json!({
            "of": crossover.of.name(),
            "against": crossover.against.name(),
            "first_bits": crossover.first,
            "stays_from_bits": crossover.stays,
        })
    };
    crossovers.iter().map(one).collect()
}

/// The least cycles of a multiplication, up to 64, with which KCM saves what the paper claims against a method.
pub fn cycles_for_the_claim(processor: &Processor, profile: Profile, against: Method, bits: usize) -> Option<u32> {
    let load = processor.classes.load.cycles.value;
    (1..=64).find(|&cycles| {
        let changed = processor.with(Some(cycles.into()), load, 0.0);
        let [kcm, other] = [Method::Kcm, against].map(|method| microjoule(&changed, profile, method, bits));
        saving(kcm, other) >= CLAIM
    })
}

/// The shortest length, up to 4096 bits, at which KCM saves what the paper claims against a method.
pub fn bits_for_the_claim(processor: &Processor, profile: Profile, against: Method) -> Option<usize> {
    (256..=LONGEST).step_by(STEP).find(|&bits| {
        let [kcm, other] = [Method::Kcm, against].map(|method| microjoule(processor, profile, method, bits));
        saving(kcm, other) >= CLAIM
    })
}
