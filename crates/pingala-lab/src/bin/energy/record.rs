//! The record: everything that the tables show, in JSON, with what they leave out.

use crate::exponentiation::{self, Power};
use crate::model::{Method, Profile, WORD_BITS, cost, saving, tally};
use crate::processor::Processor;
use crate::sweep::{self, LENGTHS, LOAD_CYCLES};
use pingala_lab::counting::koc_acar_kaliski::{Accesses, Paper};
use pingala_lab::counting::{Count, Instructions};
use pingala_study::texts::{Operation, Text};
use serde_json::{Value, json};

/// Said wherever a saving is: the abstract does not say against what.
pub const BASELINE: &str = "The paper's own baseline is unknown: its abstract says 'other modular multiplication techniques', and \
     its tables were not at hand. So the saving is given against every product.";

fn instructions(counts: &Instructions) -> Value {
    json!({
        "multiply": counts.multiply,
        "multiply_low": counts.multiply_low,
        "multiply_accumulate": counts.multiply_accumulate,
        "multiplications": counts.multiplications(),
        "add": counts.add,
        "add_carry": counts.add_carry,
        "additions": counts.additions(),
        "shift": counts.shift,
        "select": counts.select,
        "compare": counts.compare,
        "load": counts.load,
        "store": counts.store,
        "total": counts.total(),
        "turns": counts.turns,
    })
}

/// Every text at every length of the tables, by both profiles.
pub fn counts() -> Value {
    let mut rows = Vec::new();
    for bits in LENGTHS {
        let words = bits / WORD_BITS;
        for text in Text::all(words) {
            for operation in Operation::ALL {
                let tally = tally(text, operation, words);
                rows.push(json!({
                    "text": text.to_string(),
                    "name": text.name(),
                    "operation": operation.name(),
                    "bits": bits,
                    "words": words,
                    "equals_formula": Some(tally) == text.formula(operation, words),
                    "risc": instructions(&tally.risc()),
                    "arm": instructions(&tally.arm()),
                }));
            }
        }
    }
    rows.into()
}

fn accesses(counts: &Accesses) -> Value {
    json!({
        "multiplications": counts.multiplications,
        "additions": counts.additions,
        "reads": counts.reads,
        "writes": counts.writes,
    })
}

/// The memory machine: executed, published, and the difference.
pub fn memory_machine() -> Value {
    let mut rows = Vec::new();
    for paper in Paper::ALL {
        for words in [8usize, 16, 32, 64, 128] {
            let (counted, published) = (paper.count(words), paper.published(words as u64));
            rows.push(json!({
                "text": paper.name(),
                "words": words,
                "counted": accesses(&counted),
                "published": accesses(&published),
                "difference": {
                    "multiplications": counted.multiplications as i64 - published.multiplications as i64,
                    "additions": counted.additions as i64 - published.additions as i64,
                    "reads": counted.reads as i64 - published.reads as i64,
                    "writes": counted.writes as i64 - published.writes as i64,
                },
            }));
        }
    }
    rows.into()
}

fn power(power: &Power, cios: f64) -> Value {
    json!({
        "bits": power.bits,
        "algorithm": power.algorithm.to_string(),
        "squarings": power.counts.squarings,
        "products": power.counts.products() - power.counts.squarings,
        "method": power.method.name(),
        "mul_text": power.texts[0].to_string(),
        "sqr_text": power.texts[1].to_string(),
        "millijoule": power.millijoule,
        "saves_percent_against_cios": saving(power.millijoule, cios),
    })
}

/// One processor read by one profile, with loads of one cycle and of two.
pub fn processor(processor: &Processor, profile: Profile) -> Value {
    let variants: Vec<Value> = LOAD_CYCLES
        .into_iter()
        .flat_map(|load| [(load, 0u32), (load, 3)])
        .map(|(load, turn)| {
            let changed = processor.with(None, load.into(), turn.into());
            let mut products = Vec::new();
            for bits in LENGTHS {
                for operation in Operation::ALL {
                    let costs = Method::ALL.map(|method| cost(&changed, profile, method, operation, bits));
                    for of in costs {
                        let savings: serde_json::Map<_, _> = costs
                            .iter()
                            .map(|against| {
                                (against.method.name().into(), saving(of.microjoule, against.microjoule).into())
                            })
                            .collect();
                        products.push(json!({
                            "bits": bits,
                            "operation": operation.name(),
                            "method": of.method.name(),
                            "text": of.text.to_string(),
                            "microjoule": of.microjoule,
                            "saves_percent_against": savings,
                        }));
                    }
                }
            }
            let powers = exponentiation::powers(&changed, profile);
            let powers: Vec<Value> = powers
                .iter()
                .map(|of| {
                    let cios = powers.iter().find(|cios| (cios.bits, cios.method) == (of.bits, Method::Cios));
                    power(of, cios.map_or(f64::NAN, |cios| cios.millijoule))
                })
                .collect();
            let claim = |method: Method| {
                json!({
                    "against": method.name(),
                    "at_1024_bits_from_multiply_cycles":
                        sweep::cycles_for_the_claim(&changed, profile, method, 1024),
                    "from_bits": sweep::bits_for_the_claim(&changed, profile, method),
                })
            };
            json!({
                "load_cycles": load,
                "turn_cycles": turn,
                "products": products,
                "exponentiations": powers,
                "crossovers": sweep::record_crossovers(&sweep::crossovers(&changed, profile)),
                "claim": Method::BASELINES.map(claim),
            })
        })
        .collect();
    json!({
        "processor": processor.record(),
        "profile": profile.name(),
        "variants": variants,
        "sweep": sweep::record(&sweep::grid(processor, profile)),
    })
}

/// The whole record.
pub fn all(processors: &[Processor]) -> Value {
    let read = |of: &Processor| Profile::ALL.map(|profile| processor(of, profile));
    let processors: Vec<Value> = processors.iter().flat_map(read).collect();
    json!({
        "word_bits": WORD_BITS,
        "claimed_saving_percent": sweep::CLAIM,
        "baseline": BASELINE,
        "counts": counts(),
        "memory_machine": memory_machine(),
        "processors": processors,
    })
}
