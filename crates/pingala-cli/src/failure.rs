//! How a subcommand ends: with an exit status, or with a sentence for standard error and a status.

pub(crate) use pingala_rows::without_number;
use std::io;
use std::path::Path;

/// Everything went well.
pub(crate) const GOOD: i32 = 0;
/// The run failed.
pub(crate) const FAILED: i32 = 1;
/// The command line is wrong.
pub(crate) const USAGE: i32 = 2;
/// Some rows of a batch are errors.
pub(crate) const BAD_ROWS: i32 = 3;
/// Some results of a batch differ from what their row expected.
pub(crate) const MISMATCHES: i32 = 4;
/// The code of a wrong command line.
pub(crate) const USAGE_CODE: &str = "usage";
/// The code of a run that a signal ended.
pub(crate) const INTERRUPTED: &str = "interrupted";
/// What a shell shows for a program ended by SIGPIPE.
const PIPE_CLOSED: i32 = 141;

/// What a subcommand gives: its exit status, or why it ended early.
pub(crate) type Outcome = Result<i32, Failure>;

/// Why a subcommand ended early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The command line, or a number on it, cannot be read.
    Usage(String),
    /// Anything else: a stable code, which `--json` shows, and a sentence.
    Failed(&'static str, String),
    /// The reader of standard output closed it. That is no error to report.
    PipeClosed,
}

impl Failure {
    /// A failed operation on a file: `cannot read rows.csv: No such file or directory`.
    pub(crate) fn of_file(verb: &str, path: &Path, error: &io::Error) -> Self {
        Failure::bad_file(format!("cannot {verb} {}: {}", path.display(), plain(error)))
    }

    /// A file that cannot be read or written, or is not what it should be.
    pub(crate) fn bad_file(message: impl Into<String>) -> Self {
        Failure::Failed("bad_file", message.into())
    }

    /// A result that another computation contradicts.
    pub(crate) fn fault(message: impl Into<String>) -> Self {
        Failure::Failed("fault", message.into())
    }

    /// An argument that can be read and that the run cannot use.
    pub(crate) fn bad_argument(message: impl Into<String>) -> Self {
        Failure::Failed("bad_argument", message.into())
    }

    /// What an error of the library says.
    pub(crate) fn sentence(error: pingala_core::Error) -> String {
        match Self::from(error) {
            Failure::Usage(message) | Failure::Failed(_, message) => message,
            Failure::PipeClosed => String::new(),
        }
    }

    /// A failed write to standard output.
    pub(crate) fn of_stdout(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::PipeClosed,
            _ => Failure::bad_file(format!("cannot write to standard output: {}", plain(error))),
        }
    }

    /// Prints the sentence, or with --json the object, and gives the exit status.
    pub(crate) fn report(self) -> i32 {
        match self {
            Failure::Usage(message) => {
                crate::print::error(USAGE_CODE, &message);
                USAGE
            }
            Failure::Failed(code, message) => {
                crate::print::error(code, &message);
                FAILED
            }
            Failure::PipeClosed => PIPE_CLOSED,
        }
    }
}

impl From<pingala_core::Error> for Failure {
    fn from(error: pingala_core::Error) -> Self {
        Failure::Failed(error.code(), without_number(&error.to_string()))
    }
}

impl From<pingala_rows::Error> for Failure {
    fn from(error: pingala_rows::Error) -> Self {
        Failure::Failed(error.code(), without_number(&error.to_string()))
    }
}

/// The system's sentence without its number: `No such file or directory (os error 2)` is for programmers.
pub(crate) fn plain(error: &io::Error) -> String {
    without_number(&error.to_string())
}
