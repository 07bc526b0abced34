//! num-bigint, `BigUint::modpow`.

use super::{Peer, Task};
use crate::work::Work;
use num_bigint::BigUint;
use pingala_core::Natural;
use std::rc::Rc;

pub struct NumBigint;

struct Loaded {
    jobs: Vec<[BigUint; 3]>,
    results: Vec<BigUint>,
}

impl Peer for NumBigint {
    fn name(&self) -> String {
        "num-bigint".into()
    }

    fn version(&self) -> String {
        "num-bigint 0.5, modpow".into()
    }

    fn load(&self, work: &Rc<Work>) -> Option<Box<dyn Task>> {
        let big = |value: &Natural| BigUint::from_bytes_be(&value.to_be_bytes());
        let jobs: Vec<_> =
            work.jobs.iter().map(|job| [big(&job.base), big(&job.exponent), big(&job.modulus)]).collect();
        let results = vec![BigUint::default(); jobs.len()];
        (!work.default_options).then(|| Box::new(Loaded { jobs, results }) as Box<dyn Task>)
    }
}

impl Task for Loaded {
    fn run(&mut self) {
        for ([base, exponent, modulus], result) in self.jobs.iter().zip(&mut self.results) {
            *result = base.modpow(exponent, modulus);
        }
    }

    fn answers(&mut self) -> Vec<Natural> {
        self.results.iter().map(|result| Natural::from_be_bytes(&result.to_bytes_be())).collect()
    }
}
