//! A run: the squarings, the challenge, the proof.

use crate::squaring::buckets::{Room, Shared, join, products_between};
use crate::squaring::challenge::challenge;
use crate::squaring::digits::Challenge;
use crate::squaring::kept::silent;
use crate::squaring::sizes::{Sizes, buckets};
use crate::squaring::{ProvedSquaring, SquaringProof, refusal};
use core::sync::atomic::AtomicU64;
use pingala_core::{Error, Integer, Modulus, Natural, Options, from_ubig};
use std::time::Instant;

/// Runs a job to its end. Errors: those of [`ProvedSquaring::run`].
pub(crate) fn run(job: &mut ProvedSquaring, options: &Options<'_>) -> Result<(Natural, SquaringProof), Error> {
    let one = Natural::from(1u64);
    let Some(n) = job.squarings.checked_sub(1) else {
        return Ok((job.base.clone(), SquaringProof::new(one)));
    };
    let (result, root) = match job.modulus.units(options)? {
        Some(order) => by_order(job, n, &order, options)?,
        None => {
            job.begin(n, options)?;
            squares(job, n, options)?;
            let result = job.modulus.sqr(&job.state.residue.clone().into());
            let root = prove(job, n, &result, options)?;
            (result, root)
        }
    };
    let proof = SquaringProof::canonical(root, job.modulus.value());
    let base = Integer::from(job.base.clone());
    match refusal(&base, job.squarings, &job.modulus, &result, &proof, 0, &silent(options))? {
        None => Ok((result, proof)),
        Some(_) => Err(Error::Fault("the proof does not hold: a computation went wrong")),
    }
}

impl ProvedSquaring {
    /// Chooses the sizes and makes the checkpoint, unless both are there.
    fn begin(&mut self, n: u64, options: &Options<'_>) -> Result<(), Error> {
        if self.state.sizes.is_none() {
            let residue_bytes = self.modulus.residues(&[], &silent(options))?.bytes_each();
            let sizes = Sizes::choose(n, residue_bytes, self.memory_bytes, options.threads());
            self.state.sizes = Some(sizes);
        }
        self.create_checkpoint()
    }

    fn sizes(&self) -> Result<Sizes, Error> {
        self.state.sizes.ok_or(Error::Fault("no sizes were chosen"))
    }
}

/// Whether it is time to save the checkpoint again. Without one no clock is read: WebAssembly has none.
fn is_due(job: &ProvedSquaring, saved: Option<Instant>) -> bool {
    match (&job.checkpoint, saved) {
        (Some(checkpoint), Some(saved)) => saved.elapsed() >= checkpoint.every,
        _ => false,
    }
}

/// Squares up to n times in all, and keeps residues. Errors: `interrupted`, `bad_file`, `bad_plan`.
fn squares(job: &mut ProvedSquaring, n: u64, options: &Options<'_>) -> Result<(), Error> {
    let sizes = job.sizes()?;
    let total = total(n, &sizes);
    let mut list = job.modulus.residues(&[job.state.residue.clone().into()], &silent(options))?;
    let between = products_between(job.modulus.value().bits());
    let mut saved = job.checkpoint.as_ref().map(|_| Instant::now());
    let mut until_poll = 0;
    loop {
        let state = &mut job.state;
        if (state.kept.len() as u64) < sizes.kept_after(state.done) {
            state.kept.push_from(&list, 0, options)?;
        }
        if state.done == n {
            break;
        }
        if until_poll == 0 {
            until_poll = between;
            options.watch().inspect(|watch| watch.progress(state.done as usize, total));
            let stops = options.watch().is_some_and(|watch| watch.stop());
            if stops || is_due(job, saved) {
                job.state.residue = list.get(0)?;
                let written = job.save_squarings();
                saved = saved.map(|_| Instant::now());
                if stops {
                    return Err(written.err().unwrap_or(Error::Interrupted));
                }
            }
        }
        let state = &mut job.state;
        let next_kept = (state.kept.len() as u64).saturating_mul(sizes.squarings_between());
        let to_kept = match (state.kept.len() as u64) < sizes.kept() {
            true => next_kept - state.done,
            false => u64::MAX,
        };
        let count = to_kept.min(n - state.done).min(until_poll);
        list.square_n(0, count as usize)?;
        state.done += count;
        until_poll -= count;
    }
    if job.state.tasks_done == 0 {
        job.state.residue = list.get(0)?;
        // The last squarings are not lost if the file can be written later.
        let _ = job.save_squarings();
    }
    Ok(())
}

/// Squarings and digits.
fn total(n: u64, sizes: &Sizes) -> usize {
    n.saturating_add(sizes.blocks()) as usize
}

/// base^floor(2^n / l). Errors: `interrupted`, `bad_file`, `bad_plan`.
fn prove(job: &mut ProvedSquaring, n: u64, result: &Natural, options: &Options<'_>) -> Result<Natural, Error> {
    let sizes = job.sizes()?;
    let challenge = Challenge::new(challenge(job.modulus.value(), &job.base, job.squarings, result)?);
    let total = total(n, &sizes);
    let rows = |task| {
        let task = sizes.task(task);
        task.to - task.from
    };
    let digits_done = AtomicU64::new((0..job.state.tasks_done).map(rows).sum());
    let watch = options.watch();
    let report = |digits: u64| {
        watch.inspect(|watch| watch.progress(n.saturating_add(digits) as usize, total));
    };
    let threads = threads(job, &sizes, options)?;
    let mut root = job.modulus.residues(&[job.state.root.clone().into()], &silent(options))?;
    let rooms = (0..threads).map(|_| Room::new(&job.modulus, &sizes, options));
    let mut rooms = rooms.collect::<Result<Vec<_>, _>>()?;
    let mut saved = job.checkpoint.as_ref().map(|_| Instant::now());
    while job.state.tasks_done < sizes.tasks() {
        let count = threads.min(sizes.tasks() - job.state.tasks_done);
        let first = job.state.tasks_done;
        let tasks: Vec<_> = (first..first + count).map(|task| sizes.task(task)).collect();
        let shared = Shared {
            kept: &job.state.kept,
            challenge: &challenge,
            sizes,
            options,
            digits_done: &digits_done,
            report: &report,
        };
        let products = shared.products(&tasks, &mut rooms);
        let stops = products.is_err();
        if !stops {
            join(&mut root, &tasks, &rooms, sizes.bits)?;
            job.state.tasks_done += count;
        }
        let due = is_due(job, saved);
        if stops || due || job.state.tasks_done == sizes.tasks() {
            job.state.root = root.get(0)?;
            let written = job.save_proof();
            saved = saved.map(|_| Instant::now());
            if let Err(error) = products {
                return Err(if error == Error::Interrupted { written.err().unwrap_or(error) } else { error });
            }
        }
    }
    watch.inspect(|watch| watch.progress(total, total));
    Ok(job.state.root.clone())
}

/// How many threads the work is worth and the memory allows.
fn threads(job: &ProvedSquaring, sizes: &Sizes, options: &Options<'_>) -> Result<u64, Error> {
    let residues = job.modulus.residues(&[], &silent(options))?;
    let residue_bytes = residues.bytes_each().max(1) as u64;
    let room = (job.memory_bytes / residue_bytes).saturating_sub(sizes.kept()) / buckets(sizes.bits);
    // Threads start anew for each of these rounds.
    let rounds = sizes.tasks().div_ceil(options.threads() as u64).max(1);
    let worth = options.threads_for(sizes.blocks() as f64 / rounds as f64 * residues.nanoseconds_each());
    Ok((worth as u64).min(room).max(1))
}

/// The power and the number of the proof, by the order of the group: x^order = 1.
fn by_order(job: &ProvedSquaring, n: u64, order: &Natural, options: &Options<'_>) -> Result<(Natural, Natural), Error> {
    let power =
        |exponent: &Natural| job.modulus.pow_with(&job.base.clone().into(), &exponent.clone().into(), &silent(options));
    let two_to = |count: u64, modulus: Natural| Modulus::new(modulus)?.pow(&Integer::from(2u64), &Integer::from(count));
    let result = power(&two_to(job.squarings, order.clone())?)?;
    let challenge = challenge(job.modulus.value(), &job.base, job.squarings, &result)?;
    // For 2^n = q l + r: 2^n mod (l order) = (q mod order) l + r.
    let challenge = from_ubig(&challenge);
    let both = two_to(n, order * &challenge)?;
    Ok((result, power(&(both / challenge))?))
}
