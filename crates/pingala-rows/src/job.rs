//! A job: planned once, run in parts by any process that opens it, finished when every part is there.

use crate::binary;
use crate::compute::Computer;
use crate::error::{Doing, Error, ErrorRows, Result};
use crate::identity::{Facts, outline};
use crate::input::{self, Input};
use crate::output::{self, Done, Ready};
use crate::part::{self, Poll};
use crate::plan::{self, Plan};
use crate::prepare;
use crate::publish::{self, Runner};
use crate::reading::{Phase, Reading};
use crate::seal;
use crate::settings::{Measured, Settings, Summary};
use crate::stage;
use crate::task::{Request, Task};
use crate::text::shown;
use pingala_core::pairs;
use pingala_core::threads::Crew;
use std::collections::HashMap;
use std::fs;
use std::num::NonZeroUsize;
use std::panic;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// The time of a part on one thread, unless the caller sets its rows.
const PART_SECONDS: f64 = 10.0;
/// Fewest parts of a job that has enough rows for them.
const FEWEST_PARTS: u64 = 8;
/// Fewest rows of a part, unless the job has fewer or the caller sets them.
const FEWEST_PART_ROWS: u64 = 1000;

/// A job with its plan.
pub struct Job {
    pub(crate) folder: PathBuf,
    pub(crate) plan: Plan,
    /// Names the plan.
    pub(crate) digest: String,
    computer: OnceLock<Computer>,
    /// Length and SHA-256 of the parts that this process wrote.
    pub(crate) written: Mutex<HashMap<usize, (u64, String)>>,
}

impl std::fmt::Debug for Job {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Job").field("folder", &self.folder).field("digest", &self.digest).finish_non_exhaustive()
    }
}

impl Job {
    /// Plans a job, or finds the plan in its folder: the same request continues after the last finished part.
    ///
    /// Text is cut into Parquet first, in the folder `_input`. Errors: `bad_argument`, `bad_file`; `job_differs`, if the folder holds
    /// another job or an input has changed; `job_busy`; `interrupted`.
    pub fn plan(request: &Request, settings: &Settings<'_>) -> Result<Self> {
        let found = input::find(&request.inputs)?;
        if request.output.as_os_str().is_empty() {
            return Err(Error::argument("a job needs a folder for its results"));
        }
        if request.part_rows == Some(0) {
            return Err(Error::argument("a part has at least one row"));
        }
        let kinds = found.iter().map(|path| input::is_parquet(path)).collect::<Result<Vec<_>>>()?;
        let parquet = !kinds.contains(&false);
        if !parquet && kinds.contains(&true) {
            return Err(Error::argument("the inputs are Parquet and text; a job reads one of them"));
        }
        let task = Self::task(request, &found, parquet);
        if fs::symlink_metadata(request.output.join(plan::NAME)).is_err() {
            // Before anything is written: a request that cannot be done leaves no folder behind.
            is_possible(task.clone()?, &found, parquet, settings)?;
        }
        fs::create_dir_all(&request.output).doing("create", &request.output)?;
        publish::sync_folder(&request.output)?;
        let folder = fs::canonicalize(&request.output).doing("read", &request.output)?;
        if let Some(inside) = found.iter().find(|path| path.starts_with(&folder)) {
            return Err(Error::argument(format!("{} is in the folder of the results", inside.display())));
        }
        let _runner = Runner::of(&folder)?;
        match plan::read(&folder)? {
            None => is_free(&folder)?,
            Some(old) => {
                match Self::resume(&folder, old, (task.clone(), request.part_rows), (&found, parquet), settings) {
                    // Only a plan is there, so that nothing is lost.
                    Err(error) if error.code() == Error::DIFFERS && !is_begun(&folder)? => {}
                    resumed => {
                        prepare::remove(&folder)?;
                        return resumed;
                    }
                }
            }
        }
        let task = task?;
        let note = prepare::read(&folder)?;
        let (texts, inputs) = if parquet {
            prepare::announce(
                &folder,
                &found.iter().map(|path| Facts::named(path)).collect::<Result<Vec<_>>>()?,
                true,
            )?;
            let reading = Reading::bytes(settings, Phase::Reading, &found);
            let inputs = found.iter().map(|path| Input::identify(path, None, &reading));
            (Vec::new(), inputs.collect::<Result<Vec<_>>>()?)
        } else {
            let known =
                |path: &Path| note.iter().flat_map(|note| &note.inputs).find(|known| Path::new(&known.path) == path);
            let outlines = found.iter().map(|path| outline(path, false)).collect::<Result<Vec<_>>>()?;
            if note.is_none() {
                prepare::announce(&folder, &outlines, false)?;
            }
            let reading = Reading::bytes(settings, Phase::Reading, &found);
            let facts = pairs(&found, outlines)?.map(|(path, outline)| outline.with_content(known(path), &reading));
            let facts = facts.collect::<Result<Vec<_>>>()?;
            let staged = stage::cut(&folder, &facts, &task, settings)?;
            (facts, staged)
        };
        let trial = Plan::of(task.clone(), texts.clone(), &inputs, request.part_rows.unwrap_or(u64::MAX))?;
        are_said(&trial, &inputs, settings)?;
        let plan = match request.part_rows {
            Some(_) => trial,
            None => {
                let most = trial.rows.div_ceil(FEWEST_PARTS).max(FEWEST_PART_ROWS);
                let seconds = Self::new(folder.clone(), trial, String::new()).measure(settings)?.seconds_a_row;
                let rows = (PART_SECONDS / seconds.max(1e-9)) as u64;
                Plan::of(task, texts, &inputs, rows.clamp(1, most))?
            }
        };
        let (bytes, digest) = seal::seal(plan::KIND, &plan)?;
        publish::publish(&folder.join(plan::NAME), &bytes)?;
        prepare::remove(&folder)?;
        Ok(Self::new(folder, plan, digest))
    }

    /// The task of a request, by the columns of the first input.
    fn task(request: &Request, found: &[PathBuf], parquet: bool) -> Result<Task> {
        let first = found.first().ok_or_else(|| Error::argument("a job needs an input"))?;
        let columns = if parquet { Input::open(first)?.columns() } else { stage::columns(first, request)? };
        let task = Task::of(request, &columns)?;
        if parquet { Ok(task) } else { stage::check(&task).map(|()| task) }
    }

    /// Resumes the job in a folder. Error: `job_differs`, if the request is for another job or an input has changed.
    fn resume(
        folder: &Path,
        (old, digest): (Plan, String),
        (task, part_rows): (Result<Task>, Option<u64>),
        (found, parquet): (&[PathBuf], bool),
        settings: &Settings<'_>,
    ) -> Result<Self> {
        let reading = Reading::bytes(settings, Phase::Reading, found);
        let known = if parquet { &old.inputs } else { &old.texts };
        let known = |path: &Path| known.iter().find(|known| Path::new(&known.path) == path);
        let texts = found.iter().filter(|_| !parquet);
        let texts = texts.map(|path| outline(path, false)?.with_content(known(path), &reading));
        let texts = texts.collect::<Result<Vec<_>>>()?;
        let files = |count: usize, text: bool| {
            format!("{count} {} file{}", if text { "text" } else { "Parquet" }, if count == 1 { "" } else { "s" })
        };
        let began = if old.texts.is_empty() { files(old.inputs.len(), false) } else { files(old.texts.len(), true) };
        let differ = || {
            let (folder, now) = (folder.display(), files(found.len(), !parquet));
            Error::differs(format!(
                "the job in {folder} began with other inputs ({began}, now {now}); a new job needs a new output folder"
            ))
        };
        same_inputs(&old.texts, &texts, &differ)?;
        let inputs = if parquet {
            found.iter().map(|path| Input::identify(path, known(path), &reading)).collect::<Result<Vec<_>>>()?
        } else {
            expected(&old, settings)?
        };
        let facts: Vec<_> = inputs.iter().map(|input| input.facts().clone()).collect();
        same_inputs(&old.inputs, &facts, &differ)?;
        let task = task?;
        same_task(folder, &old, &task, part_rows)?;
        // Inputs and task decide all other fields of a plan.
        let again = Plan::of(task, texts, &inputs, old.part_rows)?;
        if (again.results, again.rows, &again.parts) != (old.results, old.rows, &old.parts) {
            return Err(Error::file(&folder.join(plan::NAME), "its parts are not those of its inputs"));
        }
        Ok(Self::new(folder.to_path_buf(), old, digest))
    }

    /// The job in a folder.
    pub fn open(folder: &Path) -> Result<Self> {
        let folder = fs::canonicalize(folder).doing("read", folder)?;
        match plan::read(&folder)? {
            Some((plan, digest)) => Ok(Self::new(folder, plan, digest)),
            None => Err(prepare::no_plan(&folder)),
        }
    }

    fn new(folder: PathBuf, plan: Plan, digest: String) -> Self {
        Self { folder, plan, digest, computer: OnceLock::new(), written: Mutex::default() }
    }

    /// The folder of the results.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// How many parts there are.
    pub fn parts(&self) -> usize {
        self.plan.parts.len()
    }

    /// How many rows there are.
    pub fn rows(&self) -> u64 {
        self.plan.rows
    }

    /// Rows of a part; 0 of one that the job does not have.
    pub fn part_rows(&self, part: usize) -> u64 {
        if part < self.parts() { self.plan.part_len(part) } else { 0 }
    }

    /// The parts that are not there yet, in order. Errors as [`Job::run_part`].
    pub fn missing(&self) -> Result<Vec<usize>> {
        let found = self.found()?;
        Ok((0..self.parts()).filter(|&part| found[part].is_none()).collect())
    }

    /// What each part says of itself; none for those that are not there.
    pub(crate) fn found(&self) -> Result<Vec<Option<Done>>> {
        (0..self.parts()).map(|part| self.done(part)).collect()
    }

    pub(crate) fn done(&self, part: usize) -> Result<Option<Done>> {
        output::done(&self.folder, (&self.plan, &self.digest), part)
    }

    fn computer(&self, settings: &Settings<'_>) -> Result<&Computer> {
        if let Some(computer) = self.computer.get() {
            return Ok(computer);
        }
        let bits = match self.plan.inputs.first() {
            Some(facts) => {
                let input = Input::expect(facts, &Reading::silent(settings.watch))?;
                self.plan.fits(&input)?;
                part::exponent_bits(&self.plan, &input)?
            }
            None => None,
        };
        let options = settings.options(Some(settings.threads())).with_plan(None);
        let computer = Computer::new(&self.plan, bits, &options)?;
        Ok(self.computer.get_or_init(|| computer))
    }

    /// Computes the first rows, and writes nothing.
    pub fn measure(&self, settings: &Settings<'_>) -> Result<Measured> {
        const ENOUGH: Duration = Duration::from_millis(100);
        const ROWS: [u64; 4] = [16, 64, 256, 1024];
        let mut measured = Measured::default();
        let Some(place) = self.plan.inputs.iter().position(|facts| facts.rows > 0) else { return Ok(measured) };
        let facts = &self.plan.inputs[place];
        let (input, kinds) = part::open(&self.plan, place, settings.watch)?;
        let computer = self.computer(settings)?;
        let options = settings.options(Some(NonZeroUsize::MIN));
        for rows in ROWS {
            let mut batches = input.rows(&self.plan.columns(), 0, rows.min(facts.rows))?;
            let started = Instant::now();
            let (mut count, mut errors) = (0, ErrorRows::default());
            while let Some(batch) = batches.next(ROWS[3] as usize)? {
                let answers = computer.answers(&batch, &kinds, &options)?;
                for (row, flaw) in answers.errors() {
                    errors.add(|| part::place_of_row(&self.plan, place, count + row as u64), flaw);
                }
                count += batch.rows as u64;
            }
            measured.seconds_a_row = started.elapsed().as_secs_f64() / count.max(1) as f64;
            (measured.rows, measured.errors) = (count, errors);
            if started.elapsed() > ENOUGH || settings.watch.stop() {
                break;
            }
        }
        Ok(measured)
    }

    /// Computes a part, unless it is there already, and says whether it did. Several processes may run parts of one job at once.
    ///
    /// Errors: `job_differs`, if an input has changed or the part's name is taken by another file; `bad_file`; `bad_row`, if the
    /// job ends at errors; `interrupted`.
    pub fn run_part(&self, part: usize, settings: &Settings<'_>) -> Result<bool> {
        if part >= self.parts() {
            return Err(Error::argument(format!("there is no part {part}: the job has {}", self.parts())));
        }
        if self.done(part)?.is_some() {
            return Ok(false);
        }
        self.compute(&[part], settings, &|_, _| {}).map(|_| true)
    }

    /// Runs what is missing, and finishes the job. Errors as [`Job::run_part`], and `job_busy`.
    pub fn run(&self, settings: &Settings<'_>) -> Result<Summary> {
        let _runner = Runner::of(&self.folder)?;
        let removed = publish::remove_partials(&self.folder)?;
        let watch = settings.watch;
        expected(&self.plan, settings)?;
        self.is_ours()?;
        let missing = self.missing()?;
        let of_others = self.rows() - missing.iter().map(|&part| self.plan.part_len(part)).sum::<u64>();
        watch.progress(of_others as usize, self.rows() as usize);
        let computed_rows = self
            .compute(&missing, settings, &|rows, total| watch.progress((of_others + rows) as usize, total as usize))?;
        let summary = self.end(settings)?;
        watch.progress(self.rows() as usize, self.rows() as usize);
        Ok(Summary { computed_parts: missing.len() as u64, computed_rows, removed_partials: removed as u64, ..summary })
    }

    /// The right to be the only runner of this job, for a caller that has its parts run elsewhere; it ends when the value is dropped.
    /// Files that killed writers left are removed. Error: `job_busy`.
    pub fn hold(&self) -> Result<Hold> {
        let runner = Runner::of(&self.folder)?;
        publish::remove_partials(&self.folder)?;
        self.is_ours()?;
        Ok(Hold(runner))
    }

    /// Computes parts on all threads; returns the number of their rows.
    fn compute(&self, parts: &[usize], settings: &Settings<'_>, report: &dyn Fn(u64, u64)) -> Result<u64> {
        if parts.is_empty() {
            return Ok(0);
        }
        let computer = self.computer(settings)?;
        let threads = settings.threads();
        let workers = threads.get().min(parts.len());
        // The first workers get the threads that are left over.
        let of_worker = |worker: usize| {
            let mine = threads.get() / workers + usize::from(worker < threads.get() % workers);
            let memory_bytes = Some(settings.memory_bytes() / workers as u64);
            Settings { threads: NonZeroUsize::new(mine.max(1)), memory_bytes, ..*settings }
        };
        let next = AtomicUsize::new(0);
        let failure: Mutex<Option<Error>> = Mutex::new(None);
        let polls: Vec<Poll> = parts.iter().map(|_| Poll::default()).collect();
        let stop = || polls.iter().for_each(|poll| poll.stop.store(true, Relaxed));
        let failed = |error: Error| {
            failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            stop();
        };
        let name = |ready: Ready| {
            let (part, written) = (ready.done.part, ready.written.clone());
            match ready.publish() {
                Ok(()) => {
                    self.written.lock().unwrap_or_else(PoisonError::into_inner).insert(part, written);
                }
                Err(error) => failed(error),
            }
        };
        // A thread of its own syncs parts, while the workers compute the next ones. At most one part of each worker waits.
        let (send, receive) = mpsc::sync_channel::<Ready>(workers);
        let work = |worker: usize, names: Option<mpsc::SyncSender<Ready>>| {
            loop {
                let place = next.fetch_add(1, Relaxed);
                let (Some(&part), Some(poll)) = (parts.get(place), polls.get(place)) else { break };
                if poll.stop.load(Relaxed) {
                    break;
                }
                let of = (&self.plan, self.digest.as_str());
                match (part::run(&self.folder, of, part, computer, &of_worker(worker), poll), &names) {
                    (Err(error), _) => {
                        failed(error);
                        break;
                    }
                    (Ok(ready), None) => name(ready),
                    (Ok(ready), Some(names)) => {
                        if let Err(mpsc::SendError(ready)) = names.send(ready) {
                            name(ready);
                        }
                    }
                }
            }
        };
        let rows = || polls.iter().map(|poll| poll.rows.load(Relaxed)).sum::<u64>();
        let crew = Crew::new();
        thread::scope(|scope| {
            let name = &name;
            let syncing = crew.start(scope, move || receive.iter().for_each(name));
            let send = syncing.is_some().then_some(send);
            let started = (0..workers).map_while(|worker| {
                let (work, names) = (&work, send.clone());
                crew.start(scope, move || work(worker, names))
            });
            let mut running: Vec<_> = started.collect();
            if running.is_empty() {
                // The system starts no other thread: this one computes, without progress.
                return work(0, send);
            }
            running.extend(syncing);
            drop(send);
            let join_ended = |running: &mut Vec<thread::ScopedJoinHandle<'_, ()>>| {
                for ended in running.extract_if(.., |thread| thread.is_finished()) {
                    if let Err(panic) = ended.join() {
                        // The others end before the panic goes on.
                        stop();
                        panic::resume_unwind(panic);
                    }
                }
            };
            crew.wait(|| {
                report(rows(), self.rows());
                join_ended(&mut running);
                if settings.watch.stop() {
                    stop();
                }
            });
            report(rows(), self.rows());
            for ended in running {
                // The last thread may have ended by a panic after the last poll.
                if let Err(panic) = ended.join() {
                    panic::resume_unwind(panic);
                }
            }
        });
        match failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error),
            None if next.load(Relaxed) < parts.len() => Err(Error::interrupted()),
            None => Ok(rows()),
        }
    }

    /// Error: `job_differs`, for files with names of parts that are no parts.
    fn is_ours(&self) -> Result<()> {
        let is_foreign = |name: &String| !name.starts_with(['.', '_']) && self.plan.part_of(name).is_none();
        match names(&self.folder)?.into_iter().find(is_foreign) {
            None => Ok(()),
            Some(name) => Err(Error::differs(format!(
                "{} is not of this job; a reader of the folder would take it for one of its parts",
                self.folder.join(name).display()
            ))),
        }
    }
}

/// The right to run a job: see [`Job::hold`].
#[derive(Debug)]
pub struct Hold(#[expect(dead_code, reason = "the lock goes with it")] Runner);

/// The names of the files in a folder.
fn names(folder: &Path) -> Result<Vec<String>> {
    let entries = fs::read_dir(folder).doing("read", folder)?;
    Ok(entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect())
}

/// Error: `job_differs`, for a folder without a plan that holds something else.
fn is_free(folder: &Path) -> Result<()> {
    let is_foreign =
        |name: &String| !publish::is_ours(name) && ![stage::FOLDER, prepare::NAME].contains(&name.as_str());
    if let Some(name) = names(folder)?.into_iter().find(is_foreign) {
        let folder = folder.display();
        return Err(Error::differs(format!("{folder} holds {name} and no job; name a new folder for the results")));
    }
    publish::remove_partials(folder).map(drop)
}

/// Error: that of a plan which cannot be made for a task over Parquet. Of text all columns are text.
fn is_possible(task: Task, found: &[PathBuf], parquet: bool, settings: &Settings<'_>) -> Result<()> {
    if !parquet || found.is_empty() {
        return Ok(());
    }
    let reading = Reading::footers(settings, found);
    let open = |path: &PathBuf| Input::open(path).and_then(|input| reading.add(1).map(|()| input));
    let inputs = found.iter().map(open).collect::<Result<Vec<_>>>()?;
    are_said(&Plan::of(task, Vec::new(), &inputs, u64::MAX)?, &inputs, settings)
}

/// Error: `bad_argument`, for binary columns that may be several things.
fn are_said(trial: &Plan, inputs: &[Input], settings: &Settings<'_>) -> Result<()> {
    let paths: Vec<&String> = inputs.iter().map(|input| &input.facts().path).collect();
    let reading = Reading::footers(settings, &paths);
    inputs.iter().try_for_each(|input| binary::is_said(trial, input).and_then(|()| reading.add(1)))
}

/// The inputs of a plan. Error: `job_differs`, if one has changed.
pub(crate) fn expected(plan: &Plan, settings: &Settings<'_>) -> Result<Vec<Input>> {
    let paths: Vec<&String> = plan.inputs.iter().map(|facts| &facts.path).collect();
    let reading = Reading::bytes(settings, Phase::Reading, &paths);
    plan.inputs.iter().map(|facts| Input::expect(facts, &reading)).collect()
}

/// Whether a folder has more than a plan: a part, a manifest, or a file of a process that computes one.
fn is_begun(folder: &Path) -> Result<bool> {
    publish::remove_partials(folder)?;
    Ok(names(folder)?.into_iter().any(|name| {
        let is_of_a_plan =
            [plan::NAME, prepare::NAME, stage::FOLDER].contains(&name.as_str()) || publish::is_lock(&name);
        // The record of a text part comes before the part.
        !(is_of_a_plan || name.starts_with("_part-") && name.ends_with(".json"))
    }))
}

fn same_inputs(old: &[Facts], new: &[Facts], differ: &dyn Fn() -> Error) -> Result<()> {
    // A file with another content is named first, also if the lists differ in length.
    if let Some((old, _)) = old.iter().zip(new).find(|(old, new)| old.path == new.path && old.differ(new)) {
        return Err(old.changed());
    }
    if old.len() != new.len() || pairs(old, new)?.any(|(old, new)| old.differ(new)) {
        return Err(differ());
    }
    Ok(())
}

/// A setting in the way in which a user typed it: an operand is a column or a number.
fn typed(setting: &serde_json::Value) -> String {
    let operand = setting.as_object().filter(|operand| operand.len() == 1).and_then(|operand| operand.values().next());
    match operand.unwrap_or(setting) {
        serde_json::Value::String(text) => shown(text),
        serde_json::Value::Null => "none".into(),
        other => other.to_string(),
    }
}

fn same_task(folder: &Path, old: &Plan, task: &Task, part_rows: Option<u64>) -> Result<()> {
    let differs = |what: &str, old: &dyn std::fmt::Display, new: &dyn std::fmt::Display| {
        Err(Error::differs(format!(
            "{} holds another job: its {what} is {old}, not {new}; a new job needs a new output folder",
            folder.display()
        )))
    };
    if old.task != *task {
        let fields = |task: &Task| serde_json::to_value(task).unwrap_or_default();
        let (old, new) = (fields(&old.task), fields(task));
        let names = [&old, &new].into_iter().filter_map(|fields| fields.as_object()).flat_map(serde_json::Map::keys);
        let null = serde_json::Value::Null;
        let value = |fields: &'_ serde_json::Value, name: &str| typed(fields.get(name).unwrap_or(&null));
        if let Some(name) = names.into_iter().find(|name| old.get(name.as_str()) != new.get(name.as_str())) {
            return differs(name, &value(&old, name), &value(&new, name));
        }
        return differs("task", &old, &new);
    }
    match part_rows {
        Some(rows) if rows != old.part_rows => differs("number of rows a part", &old.part_rows, &rows),
        _ => Ok(()),
    }
}
