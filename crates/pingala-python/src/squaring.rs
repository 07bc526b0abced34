//! `repeated_square`, and what it would do.

use crate::call::Divisor;
use crate::errors;
use crate::explanation::explained;
use crate::number;
use crate::proofs;
use pingala_core::RepeatedSquare;
use pyo3::prelude::*;
use std::path::PathBuf;

functions! {
    /// x^(2^t) mod modulus, by t successive squarings (by none, if modulus is a Modulus whose factors are all known and prime).
    ///
    /// t: from 0 to 2**64 - 1. checkpoint: a file for the state. The call writes it at the start, every checkpoint_seconds, when
    /// Ctrl-C or an exception from progress stops the call, and at the end. If the file exists, the call resumes from it; a call
    /// with a larger t continues from the checkpoint of a finished one. The file is always replaced as a whole. progress: called
    /// as progress(done, t) on this thread, at most about ten times a second and once at the end; an exception from it stops the
    /// call.
    ///
    /// proof: "wesolowski" makes the call return a tuple of the result and a proof, a str, which verify_squaring checks in less than a
    /// millisecond. The modulus is odd then, and x prime to it; the call warns (UserWarning) of a modulus that verify_squaring refuses. memory: the most bytes of residues that are kept for it, 64 million by
    /// default; the proof adds about a tenth of the time. Its checkpoint is another file than that of the plain call, which only
    /// grows, and belongs to one t; progress also counts the proof.
    ///
    /// timeout: the seconds that the call may take; the checkpoint keeps what was reached. kernel, plan, max_modulus_bits: as in powmod; a plan crt(...) goes by the factors of a Modulus, of any other only the
    /// kernels count. threads: as in powmod_list; squarings depend on one another, so only one thread is used.
    ///
    /// Raises FileError for a checkpoint that is damaged, or of another x, t or modulus, or that cannot be written;
    /// ArgumentError, ZeroModulusError, TooLongError, PlanError, TimeLimitError, TypeError.
    fn repeated_square(
        x, t, modulus, *, checkpoint: Option<PathBuf> = None, checkpoint_seconds: f64 = 30.0, proof: Option<&str> = None,
        memory, progress, timeout, kernel, plan, threads, max_modulus_bits
    ) -> Bound<'py, PyAny> = |py, given| {
        let x = number::integer("x", x)?;
        let squarings = read_squarings(t)?;
        let every = proofs::interval(py, checkpoint_seconds)?;
        let divisor = Divisor::of(modulus, &given.limits())?;
        if let Some(way) = proof {
            let modulus = divisor.positive(py, &given.limits())?;
            let checkpoint = checkpoint.as_deref().map(|path| (path, every));
            let of = (&x, squarings, &modulus);
            return Ok(proofs::proved(py, (way, given.memory), of, checkpoint, &given)?.into_any());
        }
        let result = given.run(py, squarings as usize, |options| {
            let job = RepeatedSquare::new(&divisor.kept(options.limits())?, &x, squarings)?;
            let mut job = match &checkpoint {
                Some(path) => job.with_checkpoint(path, every)?,
                None => job,
            };
            job.run(options)
        })?;
        divisor.result(py, &result)
    }

    /// The plan of repeated_square(x, t, modulus) for any x, and its reasons: an Explanation, which can be printed.
    ///
    /// kernel, plan, threads, max_modulus_bits: as in repeated_square. Raises the errors of that call.
    fn explain_repeated_square(
        t, modulus, *, kernel, plan, threads, max_modulus_bits
    ) -> Bound<'py, PyAny> = |py, given| {
        let (squarings, divisor) = (read_squarings(t)?, Divisor::of(modulus, &given.limits())?);
        explained(py, &given, |options| {
            Ok(divisor.kept(options.limits())?.explain_repeated_square(squarings, options)?.summary())
        })
    }
}

pub fn read_squarings(t: &Bound<'_, PyAny>) -> PyResult<u64> {
    let squarings = number::index("t", t)?.extract().ok();
    squarings.ok_or_else(|| errors::bad_argument(t.py(), "t is not in 0..2**64"))
}
