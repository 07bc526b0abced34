//! Splits a modulus by its known factors, then by its power of two, into parts that one kernel can compute.

use super::line::Line;
use super::{FactorShape, Plan};
use crate::algorithm::{Catalogued, Wanted};
use crate::error::Error;
use crate::kernel::spec::KernelSpec;

/// Work modulo one number, for any workload.
pub(crate) trait Divisible: Sized {
    /// Work for one kernel.
    type Part;

    /// The coprime factors, if the work is done modulo each of them.
    fn factors(&self) -> &[FactorShape];
    /// The work modulo one of them.
    fn modulo(&self, factor: FactorShape) -> Self;
    /// Bits of the odd part of the modulus, and the k of its power of two.
    fn lengths(&self) -> (u64, u64);
    /// The part modulo the odd part.
    fn odd(&self) -> Self::Part;
    /// The part modulo the power of two.
    fn two(&self) -> Self::Part;

    /// In parts.
    fn parts(&self) -> Parts<Self::Part> {
        if !self.factors().is_empty() {
            return Parts::Crt(self.factors().iter().map(|&factor| self.modulo(factor).parts()).collect());
        }
        match self.lengths() {
            (_, 0) => Parts::Odd(self.odd()),
            (..=1, _) => Parts::Two(self.two()),
            _ => Parts::Even { odd: self.odd(), two: self.two() },
        }
    }
}

/// The tree of a plan before anything is chosen. Two trees with equal parts may differ: `Crt` of one part is not that part.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) enum Parts<P> {
    Odd(P),
    Two(P),
    Even { odd: P, two: P },
    Crt(Vec<Parts<P>>),
}

/// A part, and its forced plan.
pub(crate) struct PartRequest<'l, P, A: Catalogued> {
    pub(crate) part: P,
    /// By the line.
    pub(crate) algorithm: Option<&'l Wanted<A>>,
    /// By the line, or for all parts that the kernel can do.
    pub(crate) kernel: Option<&'l KernelSpec>,
}

/// The plan of a problem: `choose` plans each part, the power of two before its odd part.
///
/// Error: `bad_plan` for a line that has not the parts of the problem, or a kernel for none of them; the errors of `choose`.
pub(crate) fn decompose<D: Divisible, A: Catalogued, R: Into<Plan<A>>>(
    problem: &D,
    kernel: Option<&KernelSpec>,
    line: Option<&Line<A>>,
    mut choose: impl FnMut(PartRequest<'_, D::Part, A>) -> Result<R, Error>,
) -> Result<Plan<A>, Error> {
    let plan = problem.parts().choose(kernel, line, &mut |request| Ok(choose(request)?.into()))?;
    match kernel.filter(|spec| line.is_none() && !plan.runs_on(spec.kernel)) {
        Some(spec) => Err(Error::BadPlan(format!("no part of this problem can run on {spec}"))),
        None => Ok(plan),
    }
}

impl<P> Parts<P> {
    /// The tree with each part replaced by `change` of it.
    pub(crate) fn map<Q>(self, change: &impl Fn(P) -> Q) -> Parts<Q> {
        match self {
            Parts::Odd(part) => Parts::Odd(change(part)),
            Parts::Two(part) => Parts::Two(change(part)),
            Parts::Even { odd, two } => Parts::Even { odd: change(odd), two: change(two) },
            Parts::Crt(parts) => Parts::Crt(parts.into_iter().map(|part| part.map(change)).collect()),
        }
    }

    /// Every part, in the order of the plan.
    pub(crate) fn into_vec(self) -> Vec<P> {
        match self {
            Parts::Odd(part) | Parts::Two(part) => vec![part],
            Parts::Even { odd, two } => vec![odd, two],
            Parts::Crt(parts) => parts.into_iter().flat_map(Self::into_vec).collect(),
        }
    }

    fn choose<'l, A: Catalogued>(
        self,
        kernel: Option<&'l KernelSpec>,
        line: Option<&'l Line<A>>,
        choose: &mut dyn FnMut(PartRequest<'l, P, A>) -> Result<Plan<A>, Error>,
    ) -> Result<Plan<A>, Error> {
        let misfit = |what: &str| Err(Error::BadPlan(format!("{what} does not fit this problem")));
        // A line of one run without a kernel holds for every part.
        let open = matches!(line, None | Some(Line::Run { kernel: None, .. }));
        let mut one = |part, odd: bool, line: Option<&'l Line<A>>| {
            let (algorithm, spec) = match line {
                Some(Line::Run { algorithm, kernel }) => (Some(algorithm), kernel.as_ref()),
                None => (None, None),
                Some(_) => return Err(Error::BadPlan("the line has more parts than the problem".into())),
            };
            // A kernel for odd moduli does not constrain the power of two, nor the other way round.
            let kernel = spec.or(kernel.filter(|spec| spec.kernel.odd() == odd));
            choose(PartRequest { part, algorithm, kernel })
        };
        match self {
            Parts::Odd(part) => one(part, true, line),
            Parts::Two(part) => one(part, false, line),
            Parts::Even { odd, two } => {
                let (odd_line, two_line) = match line {
                    Some(Line::Even { odd, two }) => (Some(&**odd), Some(&**two)),
                    _ if open => (line, line),
                    _ => return misfit("an even modulus takes even(odd plan, plan of the power of two); this one"),
                };
                let two = Box::new(one(two, false, two_line)?);
                Ok(Plan::Even { odd: Box::new(one(odd, true, odd_line)?), two })
            }
            Parts::Crt(parts) => {
                let lines: Vec<_> = match line {
                    Some(Line::Crt(lines)) if lines.len() == parts.len() => lines.iter().map(Some).collect(),
                    _ if open => vec![line; parts.len()],
                    _ => return misfit("the plan for a modulus with known factors is crt(one plan each); this one"),
                };
                let plans = parts.into_iter().zip(lines).map(|(part, line)| part.choose(kernel, line, choose));
                Ok(Plan::Crt(plans.collect::<Result<_, _>>()?))
            }
        }
    }
}
