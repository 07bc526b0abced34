//! crypto-bigint, `BoxedMontyForm::pow`: constant time in base and exponent, odd moduli only.

use super::{Peer, Task};
use crate::work::Work;
use crypto_bigint::modular::{BoxedMontyForm, BoxedMontyParams};
use crypto_bigint::{BoxedUint, Odd};
use pingala_core::Natural;
use std::rc::Rc;

pub struct CryptoBigint;

struct Call {
    base: BoxedUint,
    exponent: BoxedUint,
    exponent_bits: u32,
    modulus: Odd<BoxedUint>,
}

struct Loaded {
    calls: Vec<Call>,
    results: Vec<BoxedUint>,
}

fn boxed(value: &Natural, bits: u32) -> BoxedUint {
    BoxedUint::from_be_slice(&value.to_be_bytes(), bits).expect("the value has no more bits")
}

impl Peer for CryptoBigint {
    fn name(&self) -> String {
        "crypto-bigint".into()
    }

    fn version(&self) -> String {
        "crypto-bigint 0.7, BoxedMontyForm::pow_bounded_exp, parameters by new_vartime".into()
    }

    fn load(&self, work: &Rc<Work>) -> Option<Box<dyn Task>> {
        if work.default_options {
            return None;
        }
        let call = |job: &crate::work::Job| {
            let width = (job.modulus.bits() as u32).next_multiple_of(64);
            let modulus = Option::from(Odd::new(boxed(&job.modulus, width)))?;
            let exponent_bits = job.exponent.bits() as u32;
            let exponent = boxed(&job.exponent, exponent_bits.next_multiple_of(64));
            // The form wants its integer below the modulus already.
            (job.base < job.modulus).then(|| Call { base: boxed(&job.base, width), exponent, exponent_bits, modulus })
        };
        let calls = work.jobs.iter().map(call).collect::<Option<Vec<_>>>()?;
        Some(Box::new(Loaded { calls, results: Vec::new() }))
    }
}

impl Task for Loaded {
    fn run(&mut self) {
        self.results.clear();
        for call in &self.calls {
            let params = BoxedMontyParams::new_vartime(call.modulus.clone());
            let base = BoxedMontyForm::new(call.base.clone(), &params);
            self.results.push(base.pow_bounded_exp(&call.exponent, call.exponent_bits).retrieve());
        }
    }

    fn answers(&mut self) -> Vec<Natural> {
        self.results.iter().map(|result| Natural::from_be_bytes(&result.to_be_bytes())).collect()
    }
}
