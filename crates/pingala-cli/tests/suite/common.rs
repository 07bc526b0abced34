//! Runs the command and keeps what it said.

use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A test that waits for so long hangs, on whatever machine.
const HANGS: Duration = Duration::from_secs(600);

/// What a run came to.
#[derive(Debug)]
pub struct Ran {
    pub status: i32,
    pub out: String,
    pub err: String,
}

impl Ran {
    /// The output as JSON, one value a line.
    pub fn rows(&self) -> Vec<Value> {
        self.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

pub fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pingala"));
    command
        .env_remove("PINGALA_CPU")
        .env_remove("PINGALA_KERNEL")
        .env_remove("PINGALA_PLAN")
        .env("PINGALA_PRICES", "built-in");
    #[cfg(windows)]
    {
        use std::os::windows::process::CommandExt;
        const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;
        // Ctrl-Break then reaches only one run.
        command.creation_flags(CREATE_NEW_PROCESS_GROUP);
    }
    command
}

/// Runs with this text as standard input.
pub fn feed(arguments: &[&str], input: impl AsRef<[u8]>) -> Ran {
    let mut child = spawn(arguments);
    let (mut stdin, input) = (child.stdin.take().unwrap(), input.as_ref().to_vec());
    // A command that does not read its input closes the pipe, which is no error here.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let ran = finish(child);
    writer.join().unwrap();
    ran
}

/// Runs without input.
pub fn run(arguments: &[&str]) -> Ran {
    feed(arguments, "")
}

/// Starts with all three streams piped.
pub fn spawn(arguments: &[&str]) -> Child {
    command().args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits for the end; standard input is closed first, if it is still there.
pub fn finish(child: Child) -> Ran {
    let output = child.wait_with_output().unwrap();
    Ran {
        status: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Rows from text through standard input and output, as JSON Lines.
pub fn batch(input: impl AsRef<[u8]>) -> Ran {
    feed(&["batch", "-", "--output", "-", "--format", "jsonl", "--quiet"], input)
}

/// A batch of CSV.
pub fn batch_csv(input: impl AsRef<[u8]>) -> Ran {
    feed(&["batch", "-", "--output", "-", "--input-format", "csv", "--quiet"], input)
}

/// What the system says of a file that is not there, without its number.
pub fn nothing_there() -> String {
    let error = std::fs::File::open("/nonexistent").unwrap_err().to_string();
    error.split(" (os error").next().unwrap().to_string()
}

/// A folder that disappears with its value, and paths in it.
pub struct Folder(tempfile::TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_string()
    }

    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    /// The names of all files, hidden ones too.
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

/// A file of the repository's test vectors.
pub fn vectors(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors").join(name)
}

/// Interrupts a child by SIGINT or SIGTERM, or as Windows can interrupt one process: by Ctrl-Break, which the handler of Ctrl-C
/// receives. Returns the status with which the command then ends.
pub fn signal(child: &Child, name: &str) -> i32 {
    #[cfg(windows)]
    #[allow(unsafe_code)]
    {
        use windows_sys::Win32::System::Console::{CTRL_BREAK_EVENT, GenerateConsoleCtrlEvent};
        // SAFETY: the call takes numbers.
        assert_ne!(unsafe { GenerateConsoleCtrlEvent(CTRL_BREAK_EVENT, child.id()) }, 0);
    }
    #[cfg(not(windows))]
    assert!(Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status().unwrap().success());
    if cfg!(windows) || name == "INT" { 130 } else { 143 }
}

/// Waits until a child has a handler for SIGINT, because a signal sent before would end it without a word, and has computed for some
/// ticks of the processor since; or until it has ended.
pub fn wait_for_work(child: &Child) {
    if !cfg!(target_os = "linux") {
        std::thread::sleep(Duration::from_secs(1));
        return;
    }
    let of_child = |file: &str| std::fs::read_to_string(format!("/proc/{}/{file}", child.id())).unwrap();
    wait_until(|| {
        let status = of_child("status");
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap().trim();
        u64::from_str_radix(caught, 16).unwrap() >> 1 & 1 == 1 || status.contains("State:\tZ")
    });
    let ticks = || -> u64 {
        let stat = of_child("stat");
        // Behind the name, which may have spaces: the state first, ticks of user and system as the twelfth and thirteenth.
        let mut fields = stat.rsplit_once(')').unwrap().1.split_whitespace();
        if fields.next() == Some("Z") {
            return u64::MAX;
        }
        fields.skip(10).take(2).map(|ticks| ticks.parse::<u64>().unwrap()).sum()
    };
    let enough = ticks().saturating_add(10);
    wait_until(|| ticks() >= enough);
}

/// Waits until something is so. The limit only ends a test that hangs.
pub fn wait_until(mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < HANGS, "waited in vain");
        std::thread::sleep(Duration::from_millis(5));
    }
}
