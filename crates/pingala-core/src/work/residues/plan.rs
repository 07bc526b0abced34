//! Which kernels keep the residues of a list: the cheapest for the products that are expected, or the one that is forced.

use crate::engine::plan::parts::{Cut, Divisible};
use crate::engine::plan::problem::Part;
use crate::engine::plan::{Planner, Problem, ThreadBudget};
use crate::error::Error;
use crate::kernel::registry::Form;
use crate::kernel::spec::KernelSpec;

/// Expected work for each element of a list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ElementWork {
    /// How many elements share the constants; none if a modulus keeps them.
    pub(crate) sharing: Option<usize>,
    /// Conversions, each of one number into the kernel's form and one out of it.
    pub(crate) conversions: f64,
    /// Products.
    pub(crate) products: f64,
}

impl ElementWork {
    /// Of residues that stay in their kernel's form for any number of products.
    pub(crate) const KEPT: Self = Self { sharing: None, conversions: 0.0, products: 1.0 };

    /// Of `count` numbers that meet one product each.
    pub(crate) fn of_one_product(count: usize, conversions: f64) -> Self {
        Self { sharing: Some(count.max(1)), conversions, products: 1.0 }
    }
}

/// The kernels that keep the residues of one modulus: one for an odd number, a power of two or an even number as a whole, or one for
/// the odd part and one for the power of two; none modulo 1.
#[derive(Clone, Debug)]
pub(crate) struct ResiduePlan {
    pub(crate) forms: Vec<Form>,
    /// Expected nanoseconds of an element.
    pub(crate) nanoseconds: f64,
}

/// Elements of a list in shares of equal length.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shares {
    pub(crate) threads: usize,
    /// How many elements a thread takes at once.
    pub(crate) elements: usize,
}

/// Expected time of the elements that a thread takes at once, because it polls before each share; and the least time of an element in
/// this estimate, because prices omit what is done beside products.
const NANOSECONDS_AT_ONCE: f64 = 2e6;
const LEAST_NANOSECONDS: f64 = 20.0;

/// Shares for each thread, so that all threads finish at about the same time.
const SHARES_PER_THREAD: usize = 16;

impl ResiduePlan {
    /// The kernels for this work modulo a number of `bits` bits, `trailing_zeros` of them zeros at the bottom.
    ///
    /// Error: `bad_plan`, for a kernel that does not fit.
    pub(crate) fn new(
        (bits, trailing_zeros): (u64, u64),
        kernel: Option<&str>,
        work: ElementWork,
    ) -> Result<Self, Error> {
        let spec: Option<KernelSpec> = kernel.map(str::parse).transpose()?;
        if bits == 1 {
            return Ok(Self { forms: Vec::new(), nanoseconds: 0.0 });
        }
        let problem = Problem { trailing_zeros, ..Problem::new(bits, 1) };
        let misfit = |spec: KernelSpec| Error::BadPlan(format!("no part of this problem can run on {spec}"));
        let for_odd = spec.filter(|spec| spec.kernel.odd());
        let for_two = spec.filter(|spec| !spec.kernel.odd());
        let by_force = spec.filter(|spec| spec.kernel.entry().plain);
        let choice = match problem.cut() {
            Cut::One { part, odd } => match if odd { for_two } else { for_odd } {
                Some(spec) => return Err(misfit(spec)),
                None => vec![cheapest(&part, spec, work)?],
            },
            Cut::Even { odd, two } => {
                let whole = problem.whole_part().filter(|_| spec.is_none() || by_force.is_some());
                let whole = whole.map(|part| cheapest(&part, spec, work));
                if by_force.is_some() {
                    whole.into_iter().collect::<Result<_, _>>()?
                } else {
                    let parts = vec![cheapest(&odd, for_odd, work)?, cheapest(&two, for_two, work)?];
                    let joint = parts.iter().map(|(_, nanoseconds)| nanoseconds).sum::<f64>();
                    let whole = whole.and_then(Result::ok).filter(|(_, nanoseconds)| *nanoseconds < joint);
                    whole.map_or(parts, |whole| vec![whole])
                }
            }
            Cut::Factors(_) => return Err(Error::Fault("residues are not split by factors")),
        };
        let nanoseconds = choice.iter().map(|(_, nanoseconds)| nanoseconds).sum();
        Ok(Self { forms: choice.into_iter().map(|(form, _)| form).collect(), nanoseconds })
    }

    /// How threads share `count` elements that need this work each.
    pub(crate) fn shares(&self, count: usize, budget: ThreadBudget) -> Shares {
        let each = self.nanoseconds.max(LEAST_NANOSECONDS);
        let total = each * count as f64;
        let threads = budget.for_work(total).min(count).max(1);
        let share = if threads > 1 { count.div_ceil(threads * SHARES_PER_THREAD) } else { count };
        Shares { threads, elements: share.min((NANOSECONDS_AT_ONCE / each) as usize).max(1) }
    }
}

/// Nanoseconds of a product of whole numbers and a division by words: for each row, and for each product of words in it.
const EACH_ROW: f64 = 5.0;
const EACH_WORD: f64 = 1.0;

/// How threads share `count` rows of products modulo numbers of `words` words, without a kernel.
pub(crate) fn shares_of_words(count: usize, words: usize, budget: ThreadBudget) -> Shares {
    let nanoseconds = EACH_ROW + EACH_WORD * (words * words) as f64;
    ResiduePlan { forms: Vec::new(), nanoseconds }.shares(count, budget)
}

/// The cheapest form of a part, with the expected nanoseconds of an element. Error: `bad_plan` if none fits.
fn cheapest(part: &Part, spec: Option<KernelSpec>, work: ElementWork) -> Result<(Form, f64), Error> {
    let forms = Planner::of_this_machine().all_forms(part, spec).into_iter();
    let priced = forms.filter(|(form, _)| form.kernel.lanes() == 1).map(|(form, price)| {
        let setup = work.sharing.map_or(0.0, |count| price.setup / count as f64);
        (form, setup + work.conversions * price.convert + work.products * price.mul)
    });
    priced.min_by(|a, b| a.1.total_cmp(&b.1)).ok_or_else(|| {
        Error::BadPlan(match spec {
            Some(spec) if spec.kernel.lanes() > 1 => format!("{spec} computes several numbers side by side"),
            Some(spec) => format!("{spec} does not fit {part}"),
            None => format!("no kernel of this CPU has a price for {part}"),
        })
    })
}
