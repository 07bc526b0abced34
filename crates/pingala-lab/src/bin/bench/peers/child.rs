//! Peers in Python, each a process of its own that sleeps while it is not its turn. They inherit the processor
//! that this process is pinned to. `peers/child.py` documents the protocol.

use super::{Peer, Task};
use crate::clocks::Timing;
use crate::work::Work;
use pingala_core::Natural;
use std::cell::{Cell, RefCell};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::rc::Rc;

/// The lab's folder of peers.
const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/peers");
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// A process that answers one line to each request.
struct Process {
    child: Child,
    requests: Option<ChildStdin>,
    replies: BufReader<ChildStdout>,
}

impl Process {
    fn start(command: &mut Command) -> std::io::Result<Self> {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let requests = child.stdin.take();
        let replies = BufReader::new(child.stdout.take().ok_or(std::io::ErrorKind::BrokenPipe)?);
        Ok(Self { child, requests, replies })
    }

    fn reply(&mut self) -> Option<String> {
        let mut line = String::new();
        let length = self.replies.read_line(&mut line).ok()?;
        (length > 0).then(|| line.trim_end().to_string())
    }

    fn ask(&mut self, request: &str) -> Option<String> {
        writeln!(self.requests.as_mut()?, "{request}").ok()?;
        self.reply()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The end of its input ends it.
        self.requests = None;
        let _ = self.child.wait();
    }
}

pub struct Foreign {
    name: &'static str,
    version: String,
    process: Rc<RefCell<Process>>,
    loaded: Cell<usize>,
}

impl Foreign {
    fn start(name: &'static str, command: &mut Command) -> Result<Self, String> {
        let mut process = Process::start(command).map_err(|error| format!("{name}: {error}"))?;
        let version = process.reply().ok_or(format!("{name}: {command:?} does not have it"))?;
        Ok(Self { name, version, process: Rc::new(RefCell::new(process)), loaded: Cell::new(0) })
    }
}

/// CPython's `pow`, gmpy2, FLINT and Pingala's own package under the interpreter of `make build`, or any.
pub fn all() -> Vec<Result<Foreign, String>> {
    let own = PathBuf::from(ROOT).join(".venv/bin/python");
    let interpreter = if own.exists() { own } else { PathBuf::from("python3") };
    let script = Path::new(SOURCES).join("child.py");
    let python = |name, function: &str| Foreign::start(name, Command::new(&interpreter).arg(&script).arg(function));
    vec![python(POW, "pow"), python(GMPY2, "gmpy2"), python(FLINT, "flint"), python(PACKAGE, "pingala")]
}

/// Names in tables.
pub const GMPY2: &str = "gmpy2";
pub const FLINT: &str = "FLINT";
pub const PACKAGE: &str = "Python pingala";
pub const POW: &str = "CPython pow";

impl Peer for Foreign {
    fn name(&self) -> String {
        self.name.into()
    }

    fn version(&self) -> String {
        self.version.clone()
    }

    fn load(&self, work: &Rc<Work>) -> Option<Box<dyn Task>> {
        if work.default_options {
            return None;
        }
        let id = self.loaded.get();
        self.loaded.set(id + 1);
        let mut request = format!("load {id} {}", work.jobs.len());
        for job in &work.jobs {
            request += &format!("\n{:x} {:x} {:x}", job.base, job.exponent, job.modulus);
        }
        let reply = self.process.borrow_mut().ask(&request);
        (reply.as_deref() == Some("ok"))
            .then(|| Box::new(Loaded { id, process: self.process.clone() }) as Box<dyn Task>)
    }
}

struct Loaded {
    id: usize,
    process: Rc<RefCell<Process>>,
}

impl Loaded {
    fn ask(&self, request: &str) -> String {
        self.process.borrow_mut().ask(request).expect("the peer's process has ended")
    }
}

impl Task for Loaded {
    fn run(&mut self) {
        self.ask(&format!("run {} 1", self.id));
    }

    fn answers(&mut self) -> Vec<Natural> {
        let reply = self.ask(&format!("answers {}", self.id));
        reply.split(' ').map(|text| format!("0x{text}").parse().expect("a hexadecimal number")).collect()
    }

    /// The process measures itself: asking takes time of its own. It has no time stamp counter.
    fn time(&mut self, calls: usize, _work: &Work) -> Timing {
        let reply = self.ask(&format!("run {} {calls}", self.id));
        let clocks: Vec<f64> = reply.split(' ').map(|text| text.parse().expect("nanoseconds")).collect();
        Timing::of(clocks[0], &clocks)
    }
}
