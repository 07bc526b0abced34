//! Jobs of a list that share a run in lanes: the odd parts together, the powers of two one by one.

use crate::algorithm::Algorithm;
use crate::error::Error;
use crate::execute::even;
use crate::execute::lanes::{LaneJob, Workspace};
use crate::execute::prepared::Prepared;
use crate::execute::pulse::Pulse;
use crate::exponent::Exponent;
use crate::kernel::registry::Form;
use crate::natural::{Natural, chores};
use crate::plan::Run;

/// base^exponent for an exponent of 1 or more modulo a number whose odd part is above 1.
#[derive(Debug)]
pub(crate) struct Job<'a> {
    pub(crate) modulus: &'a Prepared,
    pub(crate) base: &'a Natural,
    /// Whether the base has a minus.
    pub(crate) negative: bool,
    pub(crate) exponent: Exponent,
    /// The run modulo the power of two, where the modulus has one.
    pub(crate) two: Option<&'a Run>,
}

/// The powers, canonical, in order.
pub(crate) fn powers(
    workspace: &mut Workspace,
    jobs: &[Job<'_>],
    algorithm: &Algorithm,
    form: &Form,
    pulse: &Pulse<'_>,
) -> Result<Vec<Natural>, Error> {
    let lanes =
        jobs.iter().map(|job| LaneJob { modulus: job.modulus.facts().odd(), base: job.base, exponent: &job.exponent });
    let modulo_odd = workspace.powers(&lanes.collect::<Vec<_>>(), algorithm, form, pulse)?;
    jobs.iter().zip(modulo_odd).map(|(job, modulo_odd)| job.finish(modulo_odd, pulse)).collect()
}

impl Job<'_> {
    /// The power from the one modulo the odd part; the sign of the base comes last, since (-b)^e = -(b^e) for odd e.
    fn finish(&self, modulo_odd: Natural, pulse: &Pulse<'_>) -> Result<Natural, Error> {
        let power = match self.two {
            None => modulo_odd,
            Some(run) => {
                let modulo_two = super::run(self.modulus, &run.algorithm, &run.form, self.base, &self.exponent, pulse)?;
                even::recombine(self.modulus, modulo_odd, &modulo_two)
            }
        };
        let negative = self.negative && self.exponent.is_odd();
        Ok(if negative { chores::negate(power, self.modulus.facts().value()) } else { power })
    }
}
