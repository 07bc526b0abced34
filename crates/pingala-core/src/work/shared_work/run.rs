//! Runs plans of powers that share work: several powers of one base, a product of powers.

use super::stream;
use crate::algorithm::{BASE, ManyExponents, Monoid, PowerProduct, Register};
use crate::engine::execute::{
    Answering, Answers, Poll, Prepared, ProductOf, Public, Reduced, RingResidues, Watch, even, while_reading,
    with_registers,
};
use crate::engine::plan::{Chunk, Plan};
use crate::error::{Error, pairs};
use crate::exponent::Exponent;
use crate::kernel::registry::Form;
use crate::natural::{Natural, chores};
use crate::work::fixed_base::lanes as table_lanes;
use crate::work::request::Powers;

/// Progress reports of one run of short powers.
const REPORTS_PER_RUN: usize = 256;

/// base^e for each of the exponents, canonical, in order; on this thread, or with the squarings modulo an odd number on
/// another one, or with a table that several threads share.
pub(crate) fn powers(
    modulus: &Prepared,
    plan: &Plan<ManyExponents>,
    whole: &Powers<'_>,
) -> Result<Vec<Natural>, Error> {
    let (mut part, parts) = (0, plan.runs().len());
    on_parts(modulus, plan, whole.exponents, &mut |modulus, exponents, algorithm, form| {
        let progress = whole.progress.map(|slice| slice.part(part, parts));
        part += 1;
        let wanted = Powers { exponents, progress, ..*whole };
        let streams = if whole.threads > 1 && form.kernel.lanes() == 1 { "stream " } else { "" };
        whole.poll.walked(1, &format_args!("{streams}{algorithm} on {form}"));
        if form.kernel.lanes() > 1 {
            return table_lanes::list(modulus, algorithm, form, &wanted);
        }
        let Powers { base, poll, .. } = wanted;
        if form.kernel.odd() {
            if wanted.threads > 1 {
                // If the system starts no more threads, this one does it all.
                if let Some(streamed) = stream::powers(&*modulus.ring(form)?, algorithm, &wanted) {
                    return streamed;
                }
            }
            let registers = algorithm.registers(exponents);
            let max_bits = exponents.iter().map(Exponent::bits).max().unwrap_or(1);
            return run(modulus, form, registers, &[base], poll, &mut |residues| {
                // As the algorithm would run by itself, with progress reports in between.
                let (mut power, mut position) = (BASE, 0);
                let powers = algorithm.run_on_powers(exponents, residues, &mut |residues, bits, first| {
                    for (&bit, out) in bits.iter().zip((first.0..).map(Register)) {
                        residues.sqr_n(out, power, bit - position);
                        (power, position) = (out, bit);
                    }
                    progress.inspect(|slice| slice.report(position, max_bits));
                });
                powers.unwrap_or_else(|| {
                    let step = exponents.len().div_ceil(REPORTS_PER_RUN);
                    algorithm.run_telling(exponents, residues, &mut |done| {
                        progress
                            .filter(|_| done.is_multiple_of(step))
                            .inspect(|slice| slice.report(done, exponents.len()));
                    })
                })
            });
        }
        let k = modulus.facts().trailing_zeros();
        let reduced: Vec<Reduced<'_>> = exponents.iter().map(|e| even::reduce_exponent(base, e, k)).collect();
        let open = reduced.iter().filter_map(|reduced| match reduced {
            Reduced::Known(_) => None,
            Reduced::Exponent(exponent) => Some(Exponent::clone(exponent)),
        });
        let open: Vec<Exponent> = open.collect();
        let mut powers = Vec::new().into_iter();
        if !open.is_empty() {
            let registers = algorithm.registers(&open);
            powers = run(modulus, form, registers, &[base], poll, &mut |residues| algorithm.run(&open, residues))?
                .into_iter();
        }
        let result = |reduced| match reduced {
            Reduced::Known(result) => Ok(result),
            Reduced::Exponent(_) => powers.next().ok_or(Error::Fault("a power modulo a power of two is missing")),
        };
        reduced.into_iter().map(result).collect()
    })
}

/// The product, canonical.
pub(crate) fn product(
    &ProductOf { modulus, bases, exponents }: &ProductOf<'_>,
    plan: &Plan<PowerProduct>,
    poll: &Poll<'_>,
) -> Result<Natural, Error> {
    let mut product = on_parts(modulus, plan, exponents, &mut |modulus, exponents, algorithm, form| {
        poll.walked(1, &format_args!("{algorithm} on {form}"));
        if form.kernel.odd() {
            let registers = algorithm.registers(exponents);
            return run(modulus, form, registers, bases, poll, &mut |residues| algorithm.run(exponents, residues));
        }
        let k = modulus.facts().trailing_zeros();
        let (mut open_bases, mut open) = (Vec::new(), Vec::new());
        for (&base, exponent) in pairs(bases, exponents)? {
            match even::reduce_exponent(base, exponent, k) {
                // A power that is known is 0 or 1.
                Reduced::Known(zero) if zero.is_zero() => return Ok(vec![zero]),
                Reduced::Known(_) => {}
                Reduced::Exponent(exponent) => {
                    open_bases.push(base);
                    open.push(exponent.into_owned());
                }
            }
        }
        if open.is_empty() {
            return Ok(vec![Natural::from(1u64)]);
        }
        let registers = algorithm.registers(&open);
        run(modulus, form, registers, &open_bases, poll, &mut |residues| algorithm.run(&open, residues))
    })?;
    product.pop().ok_or(Error::Fault("a product without a result"))
}

/// The product by a tree: whole, or split into products of equally many factors on the threads that the tree names.
pub(crate) fn product_of_parts(
    whole: &ProductOf<'_>,
    plan: &Plan<PowerProduct>,
    watch: Option<&dyn Watch>,
) -> Result<Natural, Error> {
    let ProductOf { modulus, bases, exponents } = *whole;
    let stages = plan.stages();
    let [(threads, classes)] = &stages[..] else {
        return Err(Error::BadPlan("the plan of a product has one class".into()));
    };
    let [(plan, parts)] = classes[..] else {
        return Err(Error::BadPlan("the plan of a product has one class".into()));
    };
    if parts == 1 {
        return product(whole, plan, &Poll::new(watch, None));
    }
    let work = |(): &mut (), chunk: &Chunk, poll: &Poll<'_>, answer: Answering<'_>| {
        for part in chunk.elements.clone() {
            let range = part * bases.len() / parts..(part + 1) * bases.len() / parts;
            let share = ProductOf { modulus, bases: &bases[range.clone()], exponents: &exponents[range] };
            answer(part, product(&share, plan, poll));
        }
    };
    let chunks: Vec<Chunk> = (0..parts).map(|part| Chunk { class: 0, elements: part..part + 1 }).collect();
    let mut products = Answers::new(parts, Vec::new(), watch);
    products.run_chunks(&chunks, *threads, work)?;
    let m = modulus.facts().value();
    products
        .finish()?
        .into_iter()
        .try_fold(Natural::from(1u64), |all, product| Ok(chores::rem(&chores::mul(&all, &product?), m)))
}

/// Computes the work modulo a part, from its modulus, its exponents, algorithm and form.
type RunOfPart<'r, A> = &'r mut dyn FnMut(&Prepared, &[Exponent], &A, &Form) -> Result<Vec<Natural>, Error>;

/// Walks the tree; `run` gives the results modulo a part, in order.
fn on_parts<A>(
    modulus: &Prepared,
    plan: &Plan<A>,
    exponents: &[Exponent],
    run: RunOfPart<'_, A>,
) -> Result<Vec<Natural>, Error> {
    match plan {
        Plan::Run { algorithm, form } => run(modulus, exponents, algorithm, form),
        Plan::Even { odd, two } => {
            let mut powers = on_parts(modulus, odd, exponents, run)?;
            let modulo_two = on_parts(modulus, two, exponents, run)?;
            pairs(&mut powers, &modulo_two)?.for_each(|(power, two)| even::recombine(modulus, power, two));
            Ok(powers)
        }
        Plan::Crt(plans) => {
            let mut parts = Vec::with_capacity(plans.len());
            for (plan, (part, factor)) in pairs(plans, pairs(modulus.parts(), modulus.facts().factors())?)? {
                let reduced = exponents
                    .iter()
                    .map(|exponent| Exponent::of_nonzero(factor.reduce_exponent(exponent.magnitude()).into_owned()));
                parts.push(on_parts(part, plan, &reduced.collect::<Vec<_>>(), run)?.into_iter());
            }
            let Some(count) =
                parts.first().map(ExactSizeIterator::len).filter(|&count| parts.iter().all(|part| part.len() == count))
            else {
                return Err(Error::Fault("factors with different numbers of residues"));
            };
            let mut next = || parts.iter_mut().filter_map(Iterator::next).collect::<Vec<_>>();
            (0..count).map(|_| modulus.facts().recombine(&next())).collect()
        }
        _ => Err(Error::BadPlan("a plan for a list does not fit one run".into())),
    }
}

/// One algorithm on one kernel: the bases enter the first registers, the results leave those that `run` names.
fn run(
    modulus: &Prepared,
    form: &Form,
    registers: usize,
    bases: &[&Natural],
    poll: &Poll<'_>,
    run: &mut dyn FnMut(&mut RingResidues<'_, u64, Public>) -> Vec<Register>,
) -> Result<Vec<Natural>, Error> {
    let watch = poll.nested(None);
    with_registers(&*modulus.ring(form)?, registers, poll, |mut residues| {
        for (index, base) in bases.iter().enumerate() {
            while_reading(Some(&watch), index + 1)?;
            residues.set(Register(index), base.limbs());
        }
        let results = run(&mut residues);
        let take = |(index, &result): (usize, &Register)| {
            while_reading(Some(&watch), index + 1)?;
            residues.number(result, 0)
        };
        results.iter().enumerate().map(take).collect()
    })
}

#[cfg(test)]
#[path = "../../../tests/inside/work/shared_work/run.rs"]
mod tests;
