//! Jobs of a list that share a run in lanes: the odd parts together, the powers of two one by one.

use crate::algorithm::Algorithm;
use crate::error::Error;
use crate::execute::lanes::{LaneJob, Workspace};
use crate::execute::prepared::Prepared;
use crate::execute::pulse::Pulse;
use crate::execute::{even, fixed};
use crate::exponent::Exponent;
use crate::kernel::registry::Form;
use crate::kernel::vector::LANES;
use crate::natural::{Natural, chores};
use crate::plan::{Neighbours, Run};
use smallvec::SmallVec;

/// base^exponent for an exponent of 1 or more modulo a number whose odd part is above 1.
#[derive(Debug)]
pub(crate) struct Job<'a> {
    pub(crate) modulus: &'a Prepared<'a>,
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
    fn finish(&self, mut power: Natural, pulse: &Pulse<'_>) -> Result<Natural, Error> {
        if let Some(run) = self.two {
            let modulo_two = super::run(self.modulus, &run.algorithm, &run.form, self.base, &self.exponent, pulse)?;
            even::recombine(self.modulus, &mut power, &modulo_two);
        }
        let negative = self.negative && self.exponent.is_odd();
        Ok(if negative { chores::negate(power, self.modulus.facts().value()) } else { power })
    }
}

/// One of several neighbours in a list: base^exponent for an exponent of 1 or more modulo a number whose odd part has one limb
/// and is above 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neighbour<'a> {
    pub(crate) modulus: &'a Prepared<'a>,
    pub(crate) base: &'a Natural,
    pub(crate) exponent: &'a Natural,
}

/// The powers of at most as many neighbours as there are lanes, in order, by the runs that they share.
pub(crate) fn neighbours(
    jobs: &[Neighbour<'_>],
    together: &Neighbours,
    pulse: &Pulse<'_>,
    mut answer: impl FnMut(Result<Natural, Error>),
) {
    let Neighbours { odd, two, same_exponent } = together;
    let own = |at: usize| if *same_exponent { 0 } else { at };
    let different = &jobs[..own(jobs.len() - 1) + 1];
    let exponents = different.iter().map(|job| Exponent::of_nonzero(job.exponent.clone()));
    let exponents: SmallVec<[Exponent; LANES]> = exponents.collect();
    let lanes = jobs.iter().enumerate().map(|(at, job)| LaneJob {
        modulus: job.modulus.facts().odd(),
        base: job.base,
        exponent: &exponents[own(at)],
    });
    match fixed::powers_of_limbs(&lanes.collect::<SmallVec<[_; LANES]>>(), &odd.algorithm, pulse) {
        Err(error) => jobs.iter().for_each(|_| answer(Err(error.clone()))),
        Ok(powers) => jobs.iter().enumerate().for_each(|(at, job)| {
            let mut power = Ok(Natural::from(powers[at]));
            if let (Some(run), Ok(residue)) = (two, &mut power) {
                match super::run(job.modulus, &run.algorithm, &run.form, job.base, &exponents[own(at)], pulse) {
                    Ok(modulo_two) => even::recombine(job.modulus, residue, &modulo_two),
                    Err(error) => power = Err(error),
                }
            }
            answer(power);
        }),
    }
}
