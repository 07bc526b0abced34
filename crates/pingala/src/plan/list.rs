//! Which jobs of a list run side by side, and which alone: by price, job by job and pack by pack.

use super::line::Line;
use super::planner::Run;
use super::problem::Part;
use super::{Plan, Planner, Problem};
use crate::algorithm::Algorithm;
use crate::error::Error;
use crate::kernel::registry::{Form, KERNELS};
use crate::kernel::wish::Wish;
use core::cmp::Reverse;
use core::ops::Range;

/// Work below which a thread costs more than it saves.
pub(crate) const NANOSECONDS_PER_THREAD: f64 = 200_000.0;

/// Fewest parts of one power that are looked at for lanes. Two gain only where they are some 192 bits long, and less than it
/// takes to find out.
const FEWEST_PARTS: usize = 3;

/// One job of a list as a planner sees it.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    /// The job by itself.
    pub(crate) problem: Problem,
    /// Which of the known factors of a modulus it is modulo, or 0: neighbours modulo the same number share its constants.
    pub(crate) part: usize,
    /// Jobs with the same number here have the same exponent.
    pub(crate) exponent: usize,
    /// Whether it may stand in a lane: a modulus with an odd part above 1 and without known factors, an exponent above 0.
    pub(crate) fits_lanes: bool,
    /// The plan that is forced, where that is known already.
    pub(crate) plan: Option<Box<Plan>>,
}

/// Jobs that one thread does in one go.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Work {
    /// One job, which is planned by itself.
    Alone(usize),
    /// As many jobs as there are lanes, or fewer.
    Together {
        /// Modulo the odd parts.
        algorithm: Algorithm,
        form: Form,
        /// The jobs, each with its run modulo the power of two in its modulus.
        jobs: Vec<(usize, Option<Run>)>,
    },
}

/// A piece of work and its expected nanoseconds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Priced {
    pub(crate) work: Work,
    pub(crate) nanoseconds: f64,
}

/// Most shapes of a list that is done in order: random exponents of one length differ in a few bits. With more of them,
/// looking for each costs what sorting does.
const MOST_KINDS: usize = 64;

/// A job of a list that is done in order, as a planner sees it.
pub(crate) struct InLine {
    pub(crate) problem: Problem,
    /// Whether it has the exponent of the job before it.
    pub(crate) same_exponent: bool,
    /// Whether it may stand in a lane: a base of 0 or more, an exponent above 0.
    pub(crate) plain: bool,
}

/// A list that is done in order: neighbours side by side, or each job by itself.
pub(crate) struct InOrder {
    kinds: Vec<Kind>,
    steps: Vec<Step>,
}

/// Jobs of one shape.
struct Kind {
    part: Part,
    trailing_zeros: u64,
    /// The runs that neighbours share, modulo the odd part, and that each has modulo its power of two.
    together: Option<Neighbours>,
    /// Nanoseconds of one job by itself.
    alone: f64,
}

/// The runs of jobs that go side by side.
pub(crate) struct Neighbours {
    /// Modulo the odd parts, with the nanoseconds of a power where no lane is idle.
    pub(crate) odd: Run,
    /// Modulo the power of two of each.
    pub(crate) two: Option<Run>,
    /// Whether all have the same exponent.
    pub(crate) same_exponent: bool,
}

impl Neighbours {
    /// Nanoseconds of so many jobs.
    fn nanoseconds(&self, count: usize) -> f64 {
        let two = self.two.as_ref().map_or(0.0, |run| run.nanoseconds);
        self.odd.nanoseconds * self.odd.form.kernel.lanes() as f64 + two * count as f64
    }
}

/// Neighbours of one kind.
struct Step {
    jobs: Range<usize>,
    kind: usize,
}

impl InOrder {
    /// The expected nanoseconds of each step.
    pub(crate) fn prices(&self) -> Vec<f64> {
        let price = |at| match self.step(at) {
            (jobs, None) => jobs.len() as f64 * self.kinds[self.steps[at].kind].alone,
            (jobs, Some(together)) => together.nanoseconds(jobs.len()),
        };
        (0..self.steps.len()).map(price).collect()
    }

    /// How many steps there are.
    pub(crate) fn len(&self) -> usize {
        self.steps.len()
    }

    /// The jobs of a step, and their runs where they go together.
    pub(crate) fn step(&self, at: usize) -> (Range<usize>, Option<&Neighbours>) {
        let Step { jobs, kind } = &self.steps[at];
        let kind = &self.kinds[*kind];
        let gains = |together: &&Neighbours| together.nanoseconds(jobs.len()) < jobs.len() as f64 * kind.alone;
        (jobs.clone(), kind.together.as_ref().filter(gains))
    }

    fn push(&mut self, job: usize, kind: usize, same_exponent: bool) {
        if let (Some(step), Some(together)) = (self.steps.last_mut(), &self.kinds[kind].together)
            && step.kind == kind
            && step.jobs.len() < together.odd.form.kernel.lanes()
            && (same_exponent || !together.same_exponent)
        {
            step.jobs.end += 1;
            return;
        }
        self.steps.push(Step { jobs: job..job + 1, kind });
    }
}

impl Planner {
    /// The steps of a list none of which gains by being sorted; none where some job may gain. Quicker than
    /// [`Planner::share_out`], which costs as much as a short power.
    pub(crate) fn in_order(&self, jobs: impl ExactSizeIterator<Item = InLine>) -> Result<Option<InOrder>, Error> {
        let lanes = most_lanes() as u64;
        let mut order = InOrder { kinds: Vec::new(), steps: Vec::with_capacity(jobs.len()) };
        for (index, InLine { problem, same_exponent, plain }) in jobs.enumerate() {
            if !problem.factors.is_empty() {
                return Ok(None);
            }
            let count = if plain && problem.odd_bits() > 1 { lanes } else { 1 };
            let (part, trailing_zeros) =
                (side_by_side(&problem, count, same_exponent).canonical(), problem.trailing_zeros);
            let alike = |kind: &Kind| kind.part == part && kind.trailing_zeros == trailing_zeros;
            let kind = match order.kinds.iter().rposition(alike) {
                Some(at) => at,
                None if order.kinds.len() == MOST_KINDS => return Ok(None),
                None => {
                    let odd = self.cheapest(&part)?;
                    if odd.form.kernel.lanes() > 1 && !odd.form.kernel.takes_neighbours() {
                        return Ok(None);
                    }
                    let [alone, two] = self.runs(&problem)?;
                    let nanoseconds = [&alone, &two].into_iter().flatten().map(|run| run.nanoseconds).sum();
                    let together = (odd.form.kernel.lanes() > 1).then_some(Neighbours { odd, two, same_exponent });
                    order.kinds.push(Kind { part, trailing_zeros, together, alone: nanoseconds });
                    order.kinds.len() - 1
                }
            };
            order.push(index, kind, same_exponent);
        }
        Ok(Some(order))
    }

    /// Shares out a list, the dearest work first. A forced kernel or line decides for every job that it fits; the others
    /// run alone and say themselves what is wrong.
    ///
    /// Error: `bad_plan` where the kernel or the line cannot be read, or nothing has a price.
    pub(crate) fn share_out(
        &self,
        shapes: &[Shape],
        kernel: Option<&str>,
        line: Option<&str>,
    ) -> Result<Vec<Priced>, Error> {
        let kernel: Option<Wish> = kernel.map(str::parse).transpose()?;
        let line: Option<Line> = line.map(str::parse).transpose()?;
        let lanes = most_lanes();
        let mut priced = Vec::with_capacity(shapes.len().div_ceil(lanes));
        let mut alone = |job: usize, nanoseconds| priced.push(Priced { work: Work::Alone(job), nanoseconds });
        let mut fitting = Vec::new();
        for (job, shape) in shapes.iter().enumerate() {
            if lanes > 1 && shapes.len() > 1 && shape.fits_lanes {
                fitting.push(job);
            } else {
                alone(job, self.estimate(&shape.problem));
            }
        }
        // Neighbours are alike: of one length, then with exponents of one length, then with one exponent.
        fitting.sort_by_cached_key(|&job| {
            let Shape { problem, part, exponent, .. } = &shapes[job];
            (Reverse(problem.odd_bits().div_ceil(64)), Reverse(problem.exponent_bits), *part, *exponent)
        });
        if kernel.is_some() || line.is_some() {
            self.share_out_forced(shapes, &fitting, kernel.as_ref(), line.as_ref(), &mut priced)?;
        } else {
            self.share_out_by_price(shapes, &fitting, lanes, &mut priced)?;
        }
        priced.sort_by(|a, b| b.nanoseconds.total_cmp(&a.nanoseconds));
        Ok(priced)
    }

    /// The next lanes' worth of jobs goes together if that is cheaper than each by itself; otherwise the first of them, the
    /// longest, goes alone.
    fn share_out_by_price(
        &self,
        shapes: &[Shape],
        jobs: &[usize],
        lanes: usize,
        priced: &mut Vec<Priced>,
    ) -> Result<(), Error> {
        // A list mostly repeats its shapes: the part priced last is remembered.
        let mut last: Option<(Part, f64)> = None;
        let mut price = |&job: &usize| {
            let part = shapes[job].odd_part().canonical();
            match &last {
                Some((seen, price)) if *seen == part => Ok(*price),
                _ => Ok(last.insert((part, self.cheapest(&part)?.nanoseconds)).1),
            }
        };
        let prices: Vec<f64> = jobs.iter().map(&mut price).collect::<Result<_, Error>>()?;
        let mut last: Option<(Part, Run)> = None;
        let mut at = 0;
        while at < jobs.len() {
            let chunk = &jobs[at..jobs.len().min(at + lanes)];
            let part = pack(shapes, chunk).canonical();
            let run = match &last {
                Some((seen, run)) if *seen == part => run,
                _ => &last.insert((part, self.cheapest(&part)?)).1,
            };
            let together = run.nanoseconds * chunk.len() as f64;
            if run.form.kernel.lanes() > 1 && together < prices[at..at + chunk.len()].iter().sum() {
                let job = |&job: &usize| Ok((job, self.run_of_two(&shapes[job], None)?));
                let jobs: Vec<_> = chunk.iter().map(job).collect::<Result<_, Error>>()?;
                let two: f64 = jobs.iter().filter_map(|(_, run)| run.as_ref()).map(|run| run.nanoseconds).sum();
                let work = Work::Together { algorithm: run.algorithm.clone(), form: run.form, jobs };
                priced.push(Priced { work, nanoseconds: together + two });
                at += chunk.len();
            } else {
                let two = self.run_of_two(&shapes[jobs[at]], None)?.map_or(0.0, |run| run.nanoseconds);
                priced.push(Priced { work: Work::Alone(jobs[at]), nanoseconds: prices[at] + two });
                at += 1;
            }
        }
        Ok(())
    }

    /// Jobs whose forced plan is the same run on a kernel with lanes go together; the others go alone.
    fn share_out_forced(
        &self,
        shapes: &[Shape],
        jobs: &[usize],
        kernel: Option<&Wish>,
        line: Option<&Line>,
        priced: &mut Vec<Priced>,
    ) -> Result<(), Error> {
        let same_exponent = jobs.iter().all(|&job| shapes[job].exponent == shapes[jobs[0]].exponent);
        let mut open: Option<Priced> = None;
        // A list mostly repeats its shapes: what was planned last is remembered.
        struct Planned {
            problem: Problem,
            forced: Option<Box<Plan>>,
            plan: Option<Plan>,
            nanoseconds: f64,
        }
        let mut last: Option<Planned> = None;
        for &job in jobs {
            let shape = &shapes[job];
            let count = jobs.len() as u64;
            let exponent_weight = shape.problem.exponent_weight.filter(|_| same_exponent);
            let problem = Problem { count, same_exponent, exponent_weight, ..shape.problem.clone() };
            if last.as_ref().is_none_or(|last| last.problem != problem || last.forced != shape.plan) {
                let plan = shape.plan.as_deref().cloned().or_else(|| self.plan_each(&problem, kernel, line).ok());
                let nanoseconds = plan.as_ref().map_or(0.0, |plan| self.price_of(plan, &problem));
                last = Some(Planned { problem, forced: shape.plan.clone(), plan, nanoseconds });
            }
            let Some(Planned { plan, nanoseconds, .. }) = &last else { unreachable!("it was just filled") };
            let (odd, two) = match plan {
                Some(Plan::Even { odd, two }) => (Some(&**odd), Some(&**two)),
                plan => (plan.as_ref(), None),
            };
            let (algorithm, form) = match odd {
                Some(Plan::Run { algorithm, form }) if form.kernel.lanes() > 1 => (algorithm, *form),
                _ => {
                    priced.push(Priced { work: Work::Alone(job), nanoseconds: *nanoseconds });
                    continue;
                }
            };
            let job = (job, self.run_of_two(shape, two)?);
            match &mut open {
                // Exponents that were the same differ modulo different factors.
                Some(Priced { work: Work::Together { algorithm: a, form: f, jobs }, nanoseconds: sum })
                    if a == algorithm
                        && *f == form
                        && jobs.len() < form.kernel.lanes()
                        && shapes[jobs[0].0].part == shape.part =>
                {
                    jobs.push(job);
                    *sum += nanoseconds;
                }
                _ => {
                    let work = Work::Together { algorithm: algorithm.clone(), form, jobs: vec![job] };
                    priced.extend(open.replace(Priced { work, nanoseconds: *nanoseconds }));
                }
            }
        }
        priced.extend(open);
        Ok(())
    }

    /// The plan of one power modulo known factors where some of them are cheaper side by side: those have the same run on a
    /// kernel with lanes. None where each goes by itself.
    pub(crate) fn parts_side_by_side(&self, problem: &Problem) -> Result<Option<Plan>, Error> {
        if problem.factors.len() < FEWEST_PARTS || problem.secret || problem.count > 1 {
            return Ok(None);
        }
        let shape = |(index, &factor)| {
            let problem = problem.factor(factor);
            let fits_lanes = problem.odd_bits() > 1 && problem.trailing_zeros == 0;
            let exponent = if factor.reduced_exponent_bits.is_some() { 1 + index } else { 0 };
            Shape { problem, part: 0, exponent, fits_lanes, plan: None }
        };
        let shapes: Vec<Shape> = problem.factors.iter().enumerate().map(shape).collect();
        let shared = self.share_out(&shapes, None, None)?;
        if !shared.iter().any(|unit| matches!(unit.work, Work::Together { .. })) {
            return Ok(None);
        }
        let mut plans = vec![None; shapes.len()];
        for unit in shared {
            match unit.work {
                Work::Alone(part) => plans[part] = Some(self.plan_each(&shapes[part].problem, None, None)?),
                Work::Together { algorithm, form, jobs } => {
                    let plan = Plan::Run { algorithm, form };
                    jobs.iter().for_each(|(part, _)| plans[*part] = Some(plan.clone()));
                }
            }
        }
        Ok(Some(Plan::Crt(plans.into_iter().flatten().collect())))
    }

    /// The run modulo the power of two of an even modulus: the planned one, or the cheapest.
    fn run_of_two(&self, shape: &Shape, plan: Option<&Plan>) -> Result<Option<Run>, Error> {
        let k = shape.problem.trailing_zeros;
        if k == 0 {
            return Ok(None);
        }
        let run = self.cheapest(&shape.problem.power_of_two_part(k))?;
        Ok(Some(match plan {
            Some(Plan::Run { algorithm, form }) => Run { algorithm: algorithm.clone(), form: *form, ..run },
            _ => run,
        }))
    }
}

impl Shape {
    fn odd_part(&self) -> Part {
        self.problem.odd_part(self.problem.odd_bits())
    }
}

/// The part that several jobs are together: as long as the longest.
fn pack(shapes: &[Shape], jobs: &[usize]) -> Part {
    let first = &shapes[jobs[0]];
    let same_exponent = jobs.iter().all(|&job| shapes[job].exponent == first.exponent);
    let most = |of: fn(&Shape) -> u64| jobs.iter().map(|&job| of(&shapes[job])).max().unwrap_or(1);
    Part {
        bits: most(|shape| shape.problem.odd_bits()),
        exponent_bits: most(|shape| shape.problem.exponent_bits),
        ..side_by_side(&first.problem, jobs.len() as u64, same_exponent)
    }
}

/// The odd part of `count` problems like this one.
#[inline]
fn side_by_side(problem: &Problem, count: u64, same_exponent: bool) -> Part {
    Part {
        exponent_weight: problem.exponent_weight.filter(|_| same_exponent),
        short_base_bits: None,
        count,
        same_exponent: same_exponent || count == 1,
        ..problem.odd_part(problem.odd_bits())
    }
}

/// The most powers that a run of this CPU gives at once.
fn most_lanes() -> usize {
    KERNELS.iter().filter(|entry| entry.kernel.available()).map(|entry| entry.lanes).max().unwrap_or(1)
}
