//! The lengths from which each kernel is the cheapest, by a list of prices.

use pingala_core::Error;
use pingala_core::kernels::Kernel;
use pingala_core::plan::{Plan, Planner, Problem};

/// From here on, to the next one, this kernel wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crossover {
    /// Bits of the modulus.
    pub from_bits: u64,
    /// The kernel of the cheapest plan.
    pub kernel: Kernel,
}

/// The kernels that do the odd moduli of `problem(bits)` cheapest, for moduli up to `longest_bits` in steps of a limb.
///
/// Error: `bad_plan` if nothing has a price.
pub fn crossovers(
    planner: &Planner,
    longest_bits: u64,
    problem: impl Fn(u64) -> Problem,
) -> Result<Vec<Crossover>, Error> {
    let mut found: Vec<Crossover> = Vec::new();
    for bits in (64..=longest_bits).step_by(64) {
        let kernel = kernel_of(&planner.plan(&problem(bits))?);
        if found.last().map(|last| last.kernel) != kernel {
            // A limb longer than the one before, which may be filled.
            found.extend(kernel.map(|kernel| Crossover { from_bits: bits - 63, kernel }));
        }
    }
    Ok(found)
}

/// The kernel of a plan that has one for its odd part.
fn kernel_of(plan: &Plan) -> Option<Kernel> {
    match plan {
        Plan::Run { form, .. } => Some(form.kernel),
        Plan::Even { odd: plan, .. } | Plan::Batch { plan, .. } => kernel_of(plan),
        _ => None,
    }
}
