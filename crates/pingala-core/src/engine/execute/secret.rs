//! Powers with a secret exponent and base: uniform algorithms, full-table selection, no trimming, all memory wiped.

use crate::algorithm::{Algorithm, BASE, Register};
use crate::engine::execute::{Poll, Prepared, RingResidues, Secret, even, with_registers};
use crate::engine::plan::Plan;
use crate::error::Error;
use crate::exponent::SecretExponent;
use crate::kernel::Ring;
use crate::kernel::registry::Form;
use crate::natural::Wiped;

/// A power of a base, with its sign, to a secret exponent.
///
/// Leaks: the lengths of the base and of the exponent as declared, the sign of the base, the modulus.
#[derive(Clone, Copy)]
pub(crate) struct SecretPower<'a> {
    pub(crate) base: &'a [u64],
    pub(crate) negative: bool,
    /// None for a public exponent, for which the algorithms of the plan are addition chains; it leaks.
    pub(crate) exponent: Option<&'a SecretExponent>,
    pub(crate) poll: &'a Poll<'a>,
}

/// Computes a b modulo an odd number, as long as the modulus, on the ring of a plan.
///
/// Leaks: lengths.
pub(crate) fn product(modulus: &Prepared, plan: &Plan, a: &[u64], b: &[u64]) -> Result<Wiped, Error> {
    let ring = modulus.ring(constant_time(plan)?.1)?;
    with_registers(&*ring, 2, &Poll::none(), |mut residues: RingResidues<'_, u64, Secret>| {
        let other = Register(1);
        residues.set(BASE, a);
        residues.set(other, b);
        residues.multiply(BASE, other);
        let mut value = residues.secret(BASE)?;
        value.truncate(modulus.facts().value().limbs().len());
        Ok(value)
    })
}

/// Returns the one run of a plan. Error: `bad_plan` for a plan of several parts, or on a kernel without a constant-time path.
pub(crate) fn constant_time(plan: &Plan) -> Result<(&Algorithm, &Form), Error> {
    match plan {
        Plan::Run { algorithm, form } if form.kernel.entry().constant_time => Ok((algorithm, form)),
        _ => Err(Error::BadPlan(format!("{plan} has no constant-time path"))),
    }
}

impl SecretPower<'_> {
    /// The declared width of the exponent.
    pub(crate) fn exponent_bits(&self) -> usize {
        self.exponent.map_or(1, SecretExponent::bits)
    }

    /// Computes the power modulo m, in the limbs of a residue.
    pub(crate) fn modulo(&self, modulus: &Prepared, plan: &Plan) -> Result<Wiped, Error> {
        let facts = modulus.facts();
        match plan {
            Plan::Run { .. } => {
                let (algorithm, form) = constant_time(plan)?;
                self.poll.walked(1, &format_args!("{algorithm} on {form}"));
                if form.kernel.odd() {
                    return self.on(&*modulus.ring(form)?, algorithm, facts.odd().limbs());
                }
                let mut value = self.on(&*modulus.ring(form)?, algorithm, &[])?;
                value.truncate(facts.trailing_zeros().div_ceil(64) as usize);
                Ok(value)
            }
            Plan::Even { odd, two } => {
                let (modulo_odd, modulo_two) = (self.modulo(modulus, odd)?, self.modulo(modulus, two)?);
                let mut out = Wiped::new(vec![0; facts.value().limbs().len()]);
                even::recombine_secrets(modulus, &mut out, &modulo_odd, &modulo_two);
                Ok(out)
            }
            Plan::Batch { plan, .. } => self.modulo(modulus, plan),
            Plan::Crt(_) => Err(Error::BadPlan("a secret exponent runs modulo the whole modulus".into())),
            _ => Err(Error::BadPlan("a plan for a list does not fit one power".into())),
        }
    }

    /// Computes the power by one algorithm on the ring of a constant-time kernel, as long as `modulus`. That is empty for a power of two,
    /// whose -1 is all ones.
    pub(crate) fn on(&self, ring: &dyn Ring<u64>, algorithm: &Algorithm, modulus: &[u64]) -> Result<Wiped, Error> {
        #[cfg(test)]
        tests::record(self.base, self.exponent);
        let registers = algorithm.registers(self.exponent_bits());
        // One register more than the algorithm uses, for the -1 of a negative base.
        let spare = Register(registers);
        with_registers(ring, registers + 1, self.poll, |mut residues: RingResidues<'_, u64, Secret>| {
            residues.set(BASE, self.base);
            if self.negative {
                let mut minus_one = Wiped::new(vec![u64::MAX; ring.words()]);
                if let [lowest, rest @ ..] = modulus {
                    minus_one.fill(0);
                    minus_one[0] = lowest - 1;
                    minus_one[1..modulus.len()].copy_from_slice(rest);
                }
                residues.set(spare, &minus_one);
                residues.multiply(BASE, spare);
            }
            let result = match (algorithm, self.exponent) {
                (Algorithm::AdditionChain(chain), None) => {
                    #[cfg(pingala_planted_leak = "chain")]
                    crate::secrecy::planted::branch(self.base[0]);
                    Some(chain.walk(&mut residues))
                }
                (_, None) => None,
                (algorithm, Some(exponent)) => algorithm.run_uniform(exponent, &mut residues),
            };
            let result = result.ok_or_else(|| Error::BadPlan(format!("{algorithm} branches on the exponent")))?;
            let mut value = residues.secret(result)?;
            if !modulus.is_empty() {
                value.truncate(modulus.len());
            }
            Ok(value)
        })
    }
}

#[cfg(test)]
#[path = "../../../tests/inside/engine/execute/secret.rs"]
mod tests;
