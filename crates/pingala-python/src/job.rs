//! Jobs: files bigger than memory, in parts. The work is in the crate `pingala-rows`; clusters are in `python/pingala/_cluster.py`.

use crate::keywords::Given;
use crate::list::{elements, refused};
use crate::number::Count;
use crate::watch::Caller;
use crate::{errors, number};
use pingala_cli::ClusterRun;
use pingala_core::Limits;
use pingala_rows::{Binaries, Error, ErrorRows, Hold, Meaning, Request, Settings, Signatures, Status, Summary};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use std::path::PathBuf;
use std::str::FromStr;

/// The exception for an error of a job.
fn raise(py: Python<'_>, error: &Error) -> PyErr {
    errors::of_code(py, error.code(), &error.to_string(), None)
}

fn word<T: FromStr<Err = Error>>(py: Python<'_>, word: &str) -> PyResult<T> {
    word.parse().map_err(|error| raise(py, &error))
}

/// A word for all binary columns, or a dict with the word of each. TypeError, ArgumentError.
fn binaries(py: Python<'_>, binary: &Bound<'_, PyAny>) -> PyResult<Binaries> {
    if binary.is_none() {
        return Ok(Binaries::default());
    }
    let expected = "\"big\", \"little\", \"signed-big\", \"signed-little\" or \"text\", or a dict with one of them for each column,";
    let text = |object: &Bound<'_, PyAny>| object.extract::<String>().map_err(|_| refused("binary", expected, object));
    let meanings = match binary.cast::<PyDict>() {
        Ok(words) => words
            .iter()
            .map(|(column, binary)| Ok(Meaning::new(Some(text(&column)?), word(py, &text(&binary)?)?)))
            .collect::<PyResult<Vec<_>>>()?,
        Err(_) => vec![Meaning::new(None, word(py, &text(binary)?)?)],
    };
    Binaries::new(meanings).map_err(|error| raise(py, &error))
}

/// A column's name, or a number, which no column's name wins over.
fn operand(name: &str, object: Option<&Bound<'_, PyAny>>) -> PyResult<Option<String>> {
    let Some(object) = object.filter(|object| !object.is_none()) else { return Ok(None) };
    if let Ok(text) = object.cast::<PyString>() {
        return Ok(Some(text.to_cow()?.into_owned()));
    }
    if number::index(name, object).is_err() {
        return Err(refused(name, "the name of a column, or an integer,", object));
    }
    let value = number::within(name, object, "number", Limits::default().exponent_bits)?;
    Ok(Some(format!("value:{value:#x}")))
}

/// The columns to copy. TypeError, also for one name that is no list.
fn names(keep: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let name = |name: PyResult<Bound<'_, PyAny>>| {
        name?
            .extract::<String>()
            .map_err(|_| PyTypeError::new_err("keep must be a list of names of columns, such as [\"id\"], each a str"))
    };
    elements("keep", "a list of names of columns, such as [\"id\"]", keep)?.map(name).collect()
}

/// Has work done without the interpreter; what a signal handler or `progress` raises comes first.
fn run<T: Send>(
    py: Python<'_>,
    given: &Given<'_, '_>,
    rows: u64,
    work: impl FnOnce(&Settings<'_>) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let (keywords, caller) = (given.keywords()?, Caller::new(given.progress(rows as usize)?));
    let done = py.detach(|| {
        let mut settings = Settings::default();
        settings.threads = keywords.threads;
        settings.memory_bytes = keywords.memory_bytes;
        settings.kernel = keywords.kernel;
        settings.plan = keywords.plan;
        settings.watch = &caller;
        work(&settings)
    });
    if let Some(raised) = caller.raised() {
        return Err(raised);
    }
    let done = done.map_err(|error| raise(py, &error))?;
    given.tell_end(rows as usize)?;
    Ok(done)
}

/// A job: powers of columns of files bigger than memory, in parts that are whole or not there.
///
/// Job.plan(...) plans a job, or finds the plan that its folder has; Job.open(folder) opens a planned one. run() computes what is
/// missing, and may be killed at any moment: the same call continues. run_part(i) computes one part, in any process on any machine.
#[pyclass(frozen, module = "pingala")]
#[derive(Debug)]
pub struct Job(pingala_rows::Job);

/// The right to be the only runner of a job.
#[pyclass(frozen, module = "pingala._pingala", name = "_JobHold")]
#[derive(Debug)]
pub struct JobHold(Hold);

fn summary<'py>(py: Python<'py>, summary: &Summary) -> PyResult<Bound<'py, PyDict>> {
    let ErrorRows { rows, codes, first, .. } = &summary.errors;
    Ok(dict!(py;
        rows = summary.rows, errors = rows, codes = codes, first_error = first, parts = summary.parts,
        computed_parts = summary.computed_parts, computed_rows = summary.computed_rows,
        removed_partials = summary.removed_partials,
    ))
}

methods! {
    Job {
        /// Open the job in a folder that Job.plan has planned. Raises JobError, FileError.
        #[staticmethod]
        fn open(py: Python<'_>, folder: PathBuf) -> PyResult<Self> {
            py.detach(|| pingala_rows::Job::open(&folder)).map(Self).map_err(|error| raise(py, &error))
        }

        /// Whether the other one is the job of the same folder.
        fn __eq__(&self, other: &Self) -> bool {
            self.0.folder() == other.0.folder()
        }

        fn __hash__<'py>(&self, py: Python<'py>) -> PyResult<isize> {
            self.folder(py)?.hash()
        }

        /// How many parts there are.
        #[getter]
        fn parts(&self) -> usize {
            self.0.parts()
        }

        /// How many rows there are.
        #[getter]
        fn rows(&self) -> u64 {
            self.0.rows()
        }

        /// The folder of the results.
        #[getter]
        fn folder<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
            py.import("pathlib")?.getattr("Path")?.call1((self.0.folder(),))
        }

        /// The parts that are not there yet, in order.
        fn missing(&self, py: Python<'_>) -> PyResult<Vec<usize>> {
            py.detach(|| self.0.missing()).map_err(|error| raise(py, &error))
        }

        /// Write the manifest, when every part is there and whole. Returns a summary as run() does.
        fn finish<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
            let done = py.detach(|| self.0.finish()).map_err(|error| raise(py, &error))?;
            summary(py, &done)
        }

        /// How far the job is, as its files say: parts, done_parts, rows, done_rows, errors, codes, first_error, finished, running.
        fn status<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
            let status: Status = py.detach(|| self.0.status()).map_err(|error| raise(py, &error))?;
            let ErrorRows { rows, codes, first, .. } = &status.errors;
            Ok(dict!(py;
                parts = status.parts, done_parts = status.done_parts, rows = status.rows, done_rows = status.done_rows,
                errors = rows, codes = codes, first_error = first, finished = status.finished, running = status.running,
            ))
        }

        /// Rows of a part.
        fn _part_rows(&self, part: usize) -> u64 {
            self.0.part_rows(part)
        }

        /// The right to be the only runner.
        fn _hold(&self, py: Python<'_>) -> PyResult<JobHold> {
            py.detach(|| self.0.hold()).map(JobHold).map_err(|error| raise(py, &error))
        }

        /// Finishes the job for who holds it.
        fn _finish<'py>(&self, py: Python<'py>, hold: &JobHold) -> PyResult<Bound<'py, PyDict>> {
            let done = py.detach(|| self.0.finish_held(&hold.0)).map_err(|error| raise(py, &error))?;
            summary(py, &done)
        }

        fn __repr__(&self) -> String {
            format!("<pingala.Job {} of {} rows in {} parts>", self.0.folder().display(), self.0.rows(), self.0.parts())
        }
    }

    /// Plan a job over files, or find the plan that its folder has.
    ///
    /// inputs: a path, or several: files, folders, names with * and ?. Parquet; or CSV with a header line or JSON Lines, also as .gz
    /// or .zst, which are cut into Parquet first. output: the folder of the results. base, exponent, modulus: the name of a column, or
    /// an int for all rows. Numbers in columns are unsigned bytes (most significant first), text, or integers.
    ///
    /// workload: "power", "inverse" (of base), or "verify", which takes signature, message or digest, and key (columns; key may be
    /// bytes for all rows; without it modulus and exponent are n and e) and scheme, hash, mgf_hash, salt, encoding, policy as
    /// verify_list does; or "is_prime" (whether base is prime, with rounds as in is_prime).
    ///
    /// keep: columns to copy. result: the name of the results' column. part_rows: rows of a part; by default as many as take ten
    /// seconds of one thread. errors: "column" puts a code into the column error, "fail" ends the job. width: bytes of each result; by
    /// default those of the modulus's type. format: "parquet", "csv" or "jsonl"; decimal: its numbers in decimal.
    /// hex_input: text in columns of numbers is hexadecimal, with 0x or without. binary: what binary columns hold to which Parquet gives no
    /// meaning: "big" or "little" (unsigned, most or least significant byte first), "signed-big" or "signed-little" (two's complement), or
    /// "text"; one word for all, or a dict with the word of each column. Without it bytes of fixed width are refused, and so are those of
    /// any width that all read as text; others are big. delimiter: of CSV, a comma by default. threads: for cutting text; all cores by
    /// default.
    ///
    /// Raises ArgumentError, FileError, JobError (another job in the folder, an input that has changed), JobBusyError.
    #[staticmethod]
    fn plan(
        inputs, output: PathBuf, *, base: Option<&Bound<'py, PyAny>> = None, exponent: Option<&Bound<'py, PyAny>> = None,
        modulus: Option<&Bound<'py, PyAny>> = None, workload: &str = "power", #[pyo3(from_py_with = number::few_or_none)] rounds: Option<u32> = None, keep: Option<&Bound<'py, PyAny>> = None,
        result: &str = "result", part_rows: Option<Count> = None, errors: &str = "column", width, format: &str = "parquet",
        decimal: bool = false, hex_input: bool = false, binary: Option<&Bound<'py, PyAny>> = None, delimiter: Option<char> = None,
        signature: Option<&str> = None, message: Option<&str> = None, digest: Option<&str> = None,
        key: Option<&Bound<'py, PyAny>> = None, scheme, hash, mgf_hash, #[pyo3(from_py_with = number::few_or_none)] salt: Option<u32> = None, encoding, policy, threads
    ) -> Self = |py, given| {
        let mut request = Request::default();
        request.inputs = match inputs.extract::<PathBuf>() {
            Ok(path) => vec![path.to_string_lossy().into_owned()],
            Err(_) => elements("inputs", "a path, or several,", inputs)?
                .map(|path| {
                    let path = path?;
                    let read = path.extract::<PathBuf>().map_err(|_| refused("one of inputs", "a path", &path))?;
                    Ok(read.to_string_lossy().into_owned())
                })
                .collect::<PyResult<_>>()?,
        };
        request.output = output;
        request.workload = word(py, workload)?;
        request.rounds = rounds;
        request.base = operand("base", base)?;
        request.exponent = operand("exponent", exponent)?;
        request.modulus = operand("modulus", modulus)?;
        request.keep = keep.map_or(Ok(Vec::new()), names)?;
        request.result = Some(result.into());
        request.part_rows = part_rows.map(u64::from);
        request.errors = word(py, errors)?;
        request.width = given.width.map(|width| u32::try_from(u64::from(width)).unwrap_or(u32::MAX));
        request.format = word(py, format)?;
        (request.decimal, request.hex_input, request.delimiter) = (decimal, hex_input, delimiter);
        request.binary = binary.map_or(Ok(Binaries::default()), |binary| binaries(py, binary))?;
        if let Some(signature) = signature {
            let digests = digest.is_some();
            let message =
                message.xor(digest).ok_or_else(|| PyTypeError::new_err("one of message and digest is needed"))?;
            let (column, one_key) = match key.filter(|key| !key.is_none()) {
                None => (None, None),
                Some(key) => match key.cast::<PyBytes>() {
                    Ok(bytes) => {
                        let hexadecimal: String = bytes.as_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
                        (None, Some(format!("0x{hexadecimal}")))
                    }
                    Err(_) => {
                        let column = key.extract::<String>();
                        (Some(column.map_err(|_| refused("key", "the name of a column, or bytes,", key))?), None)
                    }
                },
            };
            request.signatures = Signatures {
                scheme: given.scheme.into(),
                hash: given.hash.map(String::from),
                mgf_hash: given.mgf_hash.map(String::from),
                salt,
                encoding: given.encoding.into(),
                policy: given.policy.into(),
                signature: signature.into(),
                message: message.into(),
                digests,
                key: column,
                one_key,
            };
        }
        run(py, &given, 0, |settings| pingala_rows::Job::plan(&request, settings)).map(Self)
    }

    /// Compute one part, unless it is there already; True if this call computed it. Several processes, on several machines that
    /// share the folder and the inputs, may run parts of one job at once. threads, kernel: as in powmod_list.
    fn run_part(&this, part: usize, *, threads, memory, kernel, plan) -> bool = |py, given| {
        let job = &this.get().0;
        run(py, &given, 0, |settings| job.run_part(part, settings))
    }

    /// Compute what is missing, and finish the job. Returns a summary: rows, errors, codes (the number of each error), first_error (its
    /// place and message, or None), parts, computed_parts, computed_rows, removed_partials.
    ///
    /// progress: called as progress(done, total), in rows, at most about ten times a second; an exception from it stops the job, and so
    /// does Ctrl-C. Finished parts stay. threads: all cores by default. kernel: force one. memory: about the most bytes for rows (512 MiB).
    /// on="ray" runs the parts on a Ray cluster (pip install "pingala[ray]"), at address if Ray is not initialised yet.
    ///
    /// Raises JobBusyError if another runner has the job, JobError for inputs that have changed and for files that are no parts
    /// of it, FileError.
    fn run(
        &this, *, progress, threads, memory, kernel, plan, on: Option<&str> = None, address: Option<&str> = None
    ) -> Bound<'py, PyAny> = |py, given| {
        if let Some(on) = on {
            let Given { progress, memory, kernel, plan, .. } = given;
            let arguments = (this, on, address, progress, memory.map(u64::from), kernel, plan);
            return py.import("pingala._cluster")?.getattr("run")?.call1(arguments);
        }
        let job = &this.get().0;
        let done = run(py, &given, job.rows(), |settings| job.run(settings))?;
        summary(py, &done).map(Bound::into_any)
    }

    /// Check a finished job: every byte of its files by the manifest, and at least `rows` rows by another algorithm and kernel.
    /// Returns the number of rows that were computed again. Raises FileError for damage, FaultError for a result that differs.
    fn verify(&this, rows: Option<Count> = None) -> u64 = |py, given| {
        let job = &this.get().0;
        run(py, &given, 0, |settings| job.verify(rows.map_or(1000, u64::from), settings))
    }
}

/// Runs the parts of a job of the command on a cluster.
pub fn on_cluster(run: &ClusterRun) -> Result<(), String> {
    let ran = Python::try_attach(|py| -> PyResult<()> {
        let arguments = (run.folder.as_path(), run.on.as_str(), run.address.as_deref(), run.quiet);
        py.import("pingala._cluster")?.getattr("from_command")?.call1(arguments)?;
        Ok(())
    });
    match ran {
        Some(Ok(())) => Ok(()),
        Some(Err(error)) => Err(Python::attach(|py| error.value(py).to_string())),
        None => Err("the interpreter is shutting down".into()),
    }
}
