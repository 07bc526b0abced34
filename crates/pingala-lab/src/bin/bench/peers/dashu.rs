//! dashu-int's modular rings: `ConstDivisor`, for every modulus, and `MontgomeryRepr`, for odd ones.

use super::{Peer, Task};
use crate::work::Work;
use dashu_int::UBig;
use dashu_int::fast_div::ConstDivisor;
use dashu_int::monty::MontgomeryRepr;
use pingala_core::Natural;
use std::rc::Rc;

/// The ring with divisions, in tables.
pub const REDUCED: &str = "dashu-int Reduced";

/// Which ring is timed.
#[derive(Clone, Copy, PartialEq)]
pub enum Ring {
    Reduced,
    Montgomery,
}

impl Ring {
    pub const ALL: [Self; 2] = [Ring::Reduced, Ring::Montgomery];
}

struct Loaded {
    ring: Ring,
    jobs: Vec<[UBig; 3]>,
    results: Vec<UBig>,
}

impl Peer for Ring {
    fn name(&self) -> String {
        match self {
            Ring::Reduced => REDUCED.into(),
            Ring::Montgomery => "dashu-int Montgomery".into(),
        }
    }

    fn version(&self) -> String {
        match self {
            Ring::Reduced => "dashu-int 0.6, ConstDivisor::new, Reduced::pow".into(),
            Ring::Montgomery => "dashu-int 0.6, MontgomeryRepr::new, Montgomery::pow".into(),
        }
    }

    fn load(&self, work: &Rc<Work>) -> Option<Box<dyn Task>> {
        let even = work.jobs.iter().any(|job| job.modulus.is_even());
        let big = |value: &Natural| UBig::from_words(value.limbs());
        let jobs = work.jobs.iter().map(|job| [&job.base, &job.exponent, &job.modulus].map(big)).collect();
        let fits = !(work.default_options || even && *self == Ring::Montgomery);
        fits.then(|| Box::new(Loaded { ring: *self, jobs, results: Vec::new() }) as Box<dyn Task>)
    }
}

impl Task for Loaded {
    fn run(&mut self) {
        let ring = self.ring;
        let power = |[base, exponent, modulus]: &[UBig; 3]| match ring {
            Ring::Reduced => ConstDivisor::new(modulus.clone()).reduce(base.clone()).pow(exponent).residue(),
            Ring::Montgomery => MontgomeryRepr::new(modulus.clone()).reduce(base.clone()).pow(exponent).residue(),
        };
        self.results = self.jobs.iter().map(power).collect();
    }

    fn answers(&mut self) -> Vec<Natural> {
        self.results.iter().map(|result| Natural::from_limbs(result.as_words())).collect()
    }
}
