//! Splits a modulus by its known factors, then by its power of two, into parts that one kernel can compute.

use super::line::{Forced, Line};
use super::planner::Run;
use super::{FactorShape, Plan, Planner};
use crate::algorithm::{Algorithm, Catalogued, Wanted};
use crate::error::Error;
use crate::kernel::spec::KernelSpec;

/// Work modulo one number, for any workload.
pub(crate) trait Divisible: Sized {
    /// Work for one kernel.
    type Part;

    /// Bits of the modulus, the k of its power of two, and its coprime factors if the work is done modulo each of them.
    fn modulus(&self) -> (u64, u64, &[FactorShape]);
    /// The work modulo one of its factors, modulo its odd part, or modulo its power of two.
    fn modulo(&self, factor: FactorShape) -> Self;
    /// Work modulo an odd number or a power of two, for one kernel.
    fn part(self) -> Self::Part;

    /// Each part once.
    fn cut(&self) -> Cut<Self> {
        let (bits, k, factors) = self.modulus();
        let modulo = |bits, trailing_zeros| {
            self.modulo(FactorShape { bits, trailing_zeros, reduced_exponent_bits: None }).part()
        };
        match bits - k {
            _ if !factors.is_empty() => Cut::Factors(factors.iter().map(|&factor| self.modulo(factor)).collect()),
            odd if k == 0 => Cut::One { part: modulo(odd, 0), odd: true },
            ..=1 => Cut::One { part: modulo(k + 1, k), odd: false },
            odd => Cut::Even { odd: modulo(odd, 0), two: modulo(k + 1, k) },
        }
    }

    /// Every part, in the order of the plan.
    fn parts(&self) -> Vec<Self::Part> {
        match self.cut() {
            Cut::One { part, .. } => vec![part],
            Cut::Even { odd, two } => vec![odd, two],
            Cut::Factors(works) => works.iter().flat_map(Self::parts).collect(),
        }
    }
}

/// What a modulus is made of.
pub(crate) enum Cut<W: Divisible> {
    One { part: W::Part, odd: bool },
    Even { odd: W::Part, two: W::Part },
    Factors(Vec<W>),
}

/// The runs of one part, priced.
pub(crate) type Priced<A = Algorithm> = Result<Vec<Run<A>>, Error>;

/// A part that the planner can price.
pub(crate) trait PlannedPart<A: Catalogued> {
    /// The heading above its candidates.
    fn heading(&self) -> String;

    fn is_odd(&self) -> bool;

    /// The runs by what is wanted and on what is named, priced, at least one. `all`: with those on kernels that others beat in every price.
    ///
    /// Error: `bad_plan` if there are none.
    fn runs(&self, planner: &Planner, wanted: Option<&Wanted<A>>, kernel: Option<KernelSpec>, all: bool) -> Priced<A>;

    /// The cheapest of these runs. Errors as [`PlannedPart::runs`].
    fn cheapest(
        &self,
        planner: &Planner,
        wanted: Option<&Wanted<A>>,
        kernel: Option<KernelSpec>,
    ) -> Result<Run<A>, Error> {
        cheapest(self.runs(planner, wanted, kernel, false)?)
    }
}

/// The cheapest of these runs.
pub(crate) fn cheapest<A>(runs: Vec<Run<A>>) -> Result<Run<A>, Error> {
    let cheapest = runs.into_iter().min_by(|a, b| a.nanoseconds.total_cmp(&b.nanoseconds));
    cheapest.ok_or(Error::Fault("a part without candidates"))
}

/// A part; the algorithm that the line forces; the kernel, forced by the line or for all parts that it can do.
pub(crate) type PartRequest<'l, P, A> = (P, Option<&'l Wanted<A>>, Option<KernelSpec>);

/// The plan of a problem, and the expected nanoseconds of its parts: `choose` plans each part, the power of two before its odd part.
///
/// Error: `bad_plan` for a line that has not the parts of the problem, or a kernel for none of them; the errors of `choose`.
pub(crate) fn decompose<D: Divisible, A: Catalogued>(
    problem: &D,
    forced: &Forced<A>,
    mut choose: impl FnMut(PartRequest<'_, D::Part, A>) -> Result<Run<A>, Error>,
) -> Result<(Plan<A>, f64), Error> {
    if let Some(tree) = forced.tree() {
        return Err(Error::BadPlan(format!("{tree} is for a list, a product or several threads")));
    }
    let mut nanoseconds = 0.0;
    let plan = choose_parts(problem, forced.kernel, forced.line.as_ref(), &mut |request| {
        let run = choose(request)?;
        nanoseconds += run.nanoseconds;
        Ok(run.into())
    })?;
    match forced.kernel.filter(|spec| !plan.runs_on(spec.kernel)) {
        Some(spec) => Err(Error::BadPlan(format!("no part of this problem can run on {spec}"))),
        None => Ok((plan, nanoseconds)),
    }
}

fn choose_parts<'l, D: Divisible, A: Catalogued>(
    problem: &D,
    kernel: Option<KernelSpec>,
    line: Option<&'l Line<A>>,
    choose: &mut dyn FnMut(PartRequest<'l, D::Part, A>) -> Result<Plan<A>, Error>,
) -> Result<Plan<A>, Error> {
    let misfit = |what: &str| Err(Error::BadPlan(format!("{what} does not fit this problem")));
    // A line of one run without a kernel holds for every part.
    let open = matches!(line, None | Some(Plan::Run { form: None, .. }));
    let mut one = |part, odd: bool, line: Option<&'l Line<A>>| {
        let (algorithm, spec) = match line {
            Some(Plan::Run { algorithm, form }) => (Some(algorithm), *form),
            None => (None, None),
            Some(_) => return Err(Error::BadPlan("the line has more parts than the problem".into())),
        };
        // A kernel for odd moduli does not constrain the power of two, nor the other way round.
        choose((part, algorithm, spec.or(kernel.filter(|spec| spec.kernel.odd() == odd))))
    };
    match problem.cut() {
        Cut::One { part, odd } => one(part, odd, line),
        Cut::Even { odd, two } => {
            let (odd_line, two_line) = match line {
                Some(Plan::Even { odd, two }) => (Some(&**odd), Some(&**two)),
                _ if open => (line, line),
                _ => return misfit("an even modulus takes even(odd plan, plan of the power of two); this one"),
            };
            let two = Box::new(one(two, false, two_line)?);
            Ok(Plan::Even { odd: Box::new(one(odd, true, odd_line)?), two })
        }
        Cut::Factors(parts) => {
            let lines: Vec<_> = match line {
                Some(Plan::Crt(lines)) if lines.len() == parts.len() => lines.iter().map(Some).collect(),
                _ if open => vec![line; parts.len()],
                _ => return misfit("the plan for a modulus with known factors is crt(one plan each); this one"),
            };
            let plans = parts.iter().zip(lines).map(|(part, line)| choose_parts(part, kernel, line, choose));
            Ok(Plan::Crt(plans.collect::<Result<_, _>>()?))
        }
    }
}
