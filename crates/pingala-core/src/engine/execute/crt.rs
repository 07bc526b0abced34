//! One power computed modulo each known factor and recombined.

use crate::algorithm::Schedule;
use crate::engine::execute::{Answer, LaneJob, Poll, Power, Prepared, Workspace};
use crate::engine::plan::Plan;
use crate::error::{Error, pairs};
use crate::exponent::Exponent;
use crate::modulus::Factor;
use crate::natural::Natural;
use std::borrow::{Borrow, Cow};

/// The exponent to use modulo one factor: reduced, unless a given chain leads to the exponent as it was.
pub(crate) fn exponent<'e>(factor: &Factor, exponent: &'e Exponent, plan: Option<&Plan>) -> Cow<'e, Exponent> {
    let serves = |plan: &Plan, exponent: &Exponent| plan.runs().iter().all(|(algorithm, _)| algorithm.serves(exponent));
    match factor.reduce_exponent(exponent.magnitude()) {
        Cow::Borrowed(_) => Cow::Borrowed(exponent),
        Cow::Owned(reduced) => match Exponent::new(reduced) {
            Some(reduced) if plan.is_none_or(|plan| serves(plan, &reduced)) => Cow::Owned(reduced),
            _ => Cow::Borrowed(exponent),
        },
    }
}

/// The power by one plan for each factor. Parts that have the same run on a kernel with lanes go side by side, if
/// their exponents may differ there.
pub(super) fn power(of: &Power<'_>, plans: &[Plan]) -> Answer {
    let factors = pairs(of.modulus.facts().factors(), plans)?;
    let exponents: Vec<_> = factors.map(|(factor, plan)| exponent(factor, of.exponent, Some(plan))).collect();
    powers(of.modulus, plans, of.base, &exponents, of.poll)
}

/// Computes the power with an exponent that differs modulo each factor.
pub(crate) fn powers(
    modulus: &Prepared,
    plans: &[Plan],
    base: &Natural,
    exponents: &[impl Borrow<Exponent>],
    poll: &Poll<'_>,
) -> Answer {
    let parts = modulus.parts();
    if plans.len() != parts.len() || exponents.len() != parts.len() {
        return Err(Error::Fault("a plan with another number of parts than the modulus"));
    }
    let exponents: Vec<&Exponent> = exponents.iter().map(Borrow::borrow).collect();
    let mut residues = vec![None; parts.len()];
    let mut workspace = Workspace::default();
    for first in 0..parts.len() {
        if residues[first].is_some() {
            continue;
        }
        let plan = &plans[first];
        if let Plan::Run { algorithm, form } = plan {
            let uniform = algorithm.schedule() == Schedule::Uniform;
            let goes_along = |&other: &usize| {
                residues[other].is_none() && plans[other] == *plan && (uniform || exponents[other] == exponents[first])
            };
            let pack: Vec<usize> = (first..parts.len()).filter(goes_along).take(form.kernel.lanes()).collect();
            if pack.len() > 1 {
                let job = |&part: &usize| LaneJob {
                    modulus: parts[part].facts().odd(),
                    base,
                    exponent: exponents[part].magnitude(),
                };
                let jobs: Vec<LaneJob<'_>> = pack.iter().map(job).collect();
                workspace.powers(&jobs, algorithm, form, poll, |at, power| residues[pack[at]] = Some(power))?;
                continue;
            }
        }
        let of = Power { modulus: &parts[first], base, exponent: exponents[first], poll };
        residues[first] = Some(of.by(plan)?);
    }
    modulus.facts().recombine(&residues.into_iter().flatten().collect::<Vec<_>>())
}
