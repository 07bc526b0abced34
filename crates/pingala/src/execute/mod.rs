//! Runs a plan. The plan names algorithm, kernel and parts; nothing is chosen here.

pub(crate) mod crt;
mod even;
mod fixed;
pub(crate) mod fixed_base;
pub(crate) mod guarded;
pub(crate) mod inverses;
pub(crate) mod lanes;
#[cfg(any(test, feature = "study"))]
pub(crate) mod measure;
pub(crate) mod one_base_list;
pub(crate) mod power_list;
pub(crate) mod prepared;
pub(crate) mod pulse;
pub(crate) mod residues;
mod room;
pub(crate) mod secret;
pub(crate) mod secret_factor;
pub(crate) mod shared_work;
pub(crate) mod squaring;
mod stream;
pub(crate) mod table_lanes;
pub(crate) mod threads;
#[cfg(any(test, feature = "study"))]
pub(crate) mod tune;

use crate::algorithm::{Algorithm, BASE, ExponentShape, Register};
use crate::error::Error;
use crate::exponent::Exponent;
use crate::kernel::Ring;
use crate::kernel::registry::{Form, Residence};
use crate::natural::{Natural, chores};
use crate::plan::{Plan, Run};
use fixed::Power;
use lanes::{LaneJob, Workspace};
use prepared::Prepared;
use pulse::Pulse;
use residues::{Public, Residues};
use room::room;
use smallvec::SmallVec;
use std::borrow::Cow;

/// base^exponent mod m for a base of 0 or more and an exponent of 1 or more, canonical.
pub(crate) fn power(
    modulus: &Prepared,
    plan: &Plan,
    base: &Natural,
    exponent: &Exponent,
    pulse: &Pulse<'_>,
) -> Result<Natural, Error> {
    match plan {
        Plan::Run { algorithm, form } => run(modulus, algorithm, form, base, exponent, pulse),
        Plan::Even { odd, two } => {
            let mut result = power(modulus, odd, base, exponent, pulse)?;
            even::recombine(modulus, &mut result, &power(modulus, two, base, exponent, pulse)?);
            Ok(result)
        }
        Plan::Crt(plans) => crt::power(modulus, plans, base, exponent, pulse),
        Plan::Batch { plan, count: 1 } => power(modulus, plan, base, exponent, pulse),
        _ => Err(Error::BadPlan("a plan for a list does not fit one power".into())),
    }
}

/// The same from the runs of the parts, without a tree: an odd modulus, a power of two, or both.
pub(crate) fn power_parts(
    modulus: &Prepared,
    odd: Option<&Run>,
    two: Option<&Run>,
    base: &Natural,
    exponent: &Exponent,
    pulse: &Pulse<'_>,
) -> Result<Natural, Error> {
    // Results go straight to the caller: a short call feels every move.
    let part = |part: &Run| run(modulus, &part.algorithm, &part.form, base, exponent, pulse);
    match (odd, two) {
        (Some(odd), Some(two)) => {
            let mut result = part(odd);
            if let Ok(residue) = &mut result {
                match &part(two) {
                    Ok(modulo_two) => even::recombine(modulus, residue, modulo_two),
                    Err(error) => return Err(error.clone()),
                }
            }
            result
        }
        (Some(only), None) | (None, Some(only)) => part(only),
        (None, None) => Ok(Natural::default()),
    }
}

/// One algorithm on one kernel.
fn run(
    modulus: &Prepared,
    algorithm: &Algorithm,
    form: &Form,
    base: &Natural,
    exponent: &Exponent,
    pulse: &Pulse<'_>,
) -> Result<Natural, Error> {
    if !algorithm.serves(exponent) {
        return Err(Error::BadPlan(format!("{algorithm} leads to another exponent")));
    }
    if form.kernel.lanes() == 1 {
        pulse.walked(1, &format_args!("{algorithm} on {form}"));
    }
    let facts = modulus.facts();
    let reduced;
    let exponent = if form.kernel.odd() {
        exponent
    } else {
        match even::reduce_exponent(base, exponent, facts.trailing_zeros()) {
            even::Reduced::Known(result) => return Ok(result),
            // A given chain leads to the exponent as it was.
            even::Reduced::Exponent(other) if algorithm.serves(&other) => {
                reduced = other;
                &*reduced
            }
            even::Reduced::Exponent(_) => exponent,
        }
    };
    match form.kernel.residence() {
        Residence::Registers(rings) => {
            let power = Power { algorithm, base, exponent, pulse };
            rings.visit(facts.odd().limbs(), facts.trailing_zeros() as usize, form.n, power)
        }
        Residence::Vectors(_) | Residence::LimbLanes => {
            let job = LaneJob { modulus: facts.odd(), base, exponent: exponent.magnitude() };
            let mut result = Natural::default();
            Workspace::default().powers(&[job], algorithm, form, pulse, |_, power| result = power)?;
            Ok(result)
        }
        Residence::Arena { .. } if form.kernel.odd() => {
            let base = reduced_base(base, facts.odd(), pulse);
            // With room for the power of two beside it.
            let room_words = facts.value().limbs().len();
            modulus.with_ring(form, base.limbs().len(), |ring| {
                run_ring(ring, algorithm, &base, exponent, room_words, pulse)
            })
        }
        Residence::Arena { .. } => run_ring(&*modulus.ring(form)?, algorithm, base, exponent, 0, &pulse.silent()),
    }
}

/// A base far longer than the modulus, reduced piece by piece, so that the caller is heard in between; a stop leaves a
/// worthless number, as it does everywhere. Others as they are: the ring reduces them.
fn reduced_base<'b>(base: &'b Natural, modulus: &Natural, pulse: &Pulse<'_>) -> Cow<'b, Natural> {
    const PIECE: usize = 1 << 10;
    let (limbs, piece) = (base.limbs(), modulus.limbs().len().max(PIECE));
    if limbs.len() <= 2 * piece {
        return Cow::Borrowed(base);
    }
    let mut rest = Natural::default();
    for piece in limbs.chunks(piece).rev() {
        if !pulse.ask() {
            break;
        }
        rest = chores::rem(&Natural::from_limbs(&[piece, rest.limbs()].concat()), modulus);
    }
    Cow::Owned(rest)
}

/// Room that fits the stack: short exponents modulo numbers of up to 16 limbs on 64-bit words.
const STACK_WORDS: usize = 112;

/// The same for rows of vectors, whose padding takes more than the limbs.
const STACK_VECTOR_WORDS: usize = 256;

/// Public digits on a ring of any length; the result has room for `room_words`.
fn run_ring(
    ring: &dyn Ring<u64>,
    algorithm: &Algorithm,
    base: &Natural,
    exponent: &Exponent,
    room_words: usize,
    pulse: &Pulse<'_>,
) -> Result<Natural, Error> {
    let bits = exponent.bits();
    let products = || {
        let weight = Some(exponent.magnitude().weight() as usize);
        let cost = algorithm.expected(&ExponentShape { bits, weight });
        // Those by a short base are put off and done together.
        if base.bits() <= 32 { cost.squarings + cost.multiplications } else { cost.products() }
    };
    let pulse = pulse.for_words(ring.words()).for_power(bits, products);
    let registers = algorithm.registers(bits);
    let words = Residues::<u64, Public>::room_words(ring, registers);
    room!(room = [0; words], STACK_WORDS, STACK_VECTOR_WORDS);
    let mut residues = Residues::<u64, Public>::new(ring, room, &pulse);
    enter_base(&mut residues, base);
    let result = algorithm.run(exponent, &mut residues);
    if pulse.halted() {
        return Err(Error::Interrupted);
    }
    Ok(taken(&mut residues, result, room_words))
}

/// Brings the base into its register, so that products by it are as cheap as they can be.
#[inline]
fn enter_base<'r>(residues: &mut Residues<'r, u64, Public>, base: &'r Natural) {
    residues.set(BASE, base.limbs());
    if let [word @ 0..=0xffff_ffff] = *base.limbs() {
        residues.set_short_base(word);
    } else {
        residues.set_plain_base(base.limbs());
    }
}

/// The number in a register, canonical, with room for `room_words`.
#[inline]
fn taken(residues: &mut Residues<'_, u64, Public>, result: Register, room_words: usize) -> Natural {
    let mut value = SmallVec::with_capacity(room_words.max(residues.words()));
    value.resize(residues.words(), 0);
    residues.take(&mut value, result);
    Natural::from_limb_buffer(value)
}
