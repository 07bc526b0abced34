//! Two parts of one power in turn, on one thread.

use super::{FactorShape, Plan, Problem};
use crate::algorithm::Algorithm;
use crate::kernel::cpu;
use crate::kernel::registry::{Form, Kernel};

/// Longest modulus, in limbs, on which two in turn are quicker than one after the other.
const LIMBS: usize = 24;

/// Shortest modulus, in bits, for which it is worth finding out.
const FEWEST_BITS: u64 = 320;

/// Longest exponent, in bits: what a run does is written down before, 2 MB of it here.
const EXPONENT_BITS: u64 = 1 << 18;

/// The share of their time that two runs take in turn.
pub(super) const SHARE: f64 = 0.95;

/// Whether a plan of this power could go in turn, before one is made: short powers are not kept waiting for it.
pub(super) fn may_go_in_turn(problem: &Problem) -> bool {
    let fits =
        |factor: &FactorShape| (FEWEST_BITS..=64 * LIMBS as u64).contains(&factor.bits) && factor.trailing_zeros == 0;
    quicker_here()
        && problem.factors.len() == 2
        && !problem.secret
        && problem.count <= 1
        && problem.factors.iter().all(fits)
}

/// Whether this CPU is of the family on which two in turn were measured to be quicker, Zen 5.
fn quicker_here() -> bool {
    cpu::is_of("AMD", 26)
}

/// Whether this plan of a power goes in turn.
pub(super) fn goes_in_turn(plan: &Plan, problem: &Problem) -> bool {
    let longest = problem.factors.iter().map(|&factor| problem.factor(factor).exponent_bits).max();
    matches!(plan, Plan::Crt(parts) if !problem.secret && in_turn(parts, longest.unwrap_or(0)).is_some())
}

/// The runs of two parts that go in turn, product by product: on the kernel whose products are mostly waiting for their own
/// carries, and none of them so long that the tables of both push one another out of the first cache. A given addition chain
/// goes by itself, where it is seen whether it leads to the exponent.
///
/// Measured on an AMD EPYC (Zen 5): squarings by themselves take in turn, of the time one after the other, 0.78 at 512 bits,
/// 0.85 at 768, 0.88 at 1024, 0.92 at 1536, 0.96 at 2048 and 1.18 at 3072; whole powers 0.93 to 0.97 from 512 to 1536 bits,
/// as every product is a call, and 1.00 at 2048. Lanes gain nothing so: 0.99 to 1.02 at all lengths. On an Intel Xeon (family
/// 6 model 167) whole powers take 1.28 in turn at 512 bits, 1.26 at 768, 1.1 to 1.2 at 1024 and 1.08 at 1536, and on an EPYC of
/// family 25 (Zen 4) 1.03 to 1.34, 1.28, 1.22 and 1.10: not there.
pub(crate) fn in_turn(plans: &[Plan], longest_exponent: u64) -> Option<[(&Algorithm, &Form); 2]> {
    fn run(plan: &Plan) -> Option<(&Algorithm, &Form)> {
        match plan {
            Plan::Run { algorithm: Algorithm::AdditionChain(_), .. } => None,
            Plan::Run { algorithm, form } if form.kernel == Kernel::IfmaRow && form.n <= LIMBS => {
                Some((algorithm, form))
            }
            _ => None,
        }
    }
    match plans {
        [first, second] if quicker_here() && longest_exponent <= EXPONENT_BITS => Some([run(first)?, run(second)?]),
        _ => None,
    }
}
