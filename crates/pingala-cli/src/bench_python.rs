//! Python's own `pow` for the power that `pingala bench` times, if this machine has a Python.

use crate::failure::Failure;
use pingala_core::{Integer, Natural};
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The program's name. On Windows `python3` may be a stub that opens a shop.
const PROGRAM: &str = if cfg!(windows) { "python" } else { "python3" };

/// Repeats the power for the seconds of the first argument, and prints Python's version, the least time of a call, and whether the
/// result is right. Numbers come by standard input: a command line has a limit.
const SCRIPT: &str = "\
import sys, time
base, exponent, modulus, expected = (int(text, 16) for text in sys.stdin.read().split())
least, is_right, start = float('inf'), True, time.perf_counter()
while least == float('inf') or time.perf_counter() - start < float(sys.argv[1]):
    call = time.perf_counter()
    result = pow(base, exponent, modulus)
    least = min(least, time.perf_counter() - call)
    is_right = is_right and result == expected
print(sys.version.split()[0], least, is_right)
";

/// What Python took.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Timed {
    pub(crate) version: String,
    /// The least time of a call.
    pub(crate) seconds: f64,
}

/// How long the interpreter may take to start.
const START: Duration = Duration::from_secs(3);

/// Repeats the power in Python for `wanted`. The inner error says why there is no time: no Python, or none that was done within
/// `most`.
///
/// # Errors
/// `fault` if Python computes another result.
pub(crate) fn time(
    (base, exponent, modulus): (&Integer, &Integer, &Natural),
    result: &Natural,
    wanted: Duration,
    most: Duration,
) -> Result<Result<Timed, String>, Failure> {
    let numbers = format!("{base:#x}\n{exponent:#x}\n{modulus:#x}\n{result:#x}\n");
    let line = match output(&numbers, wanted, most) {
        Ok(line) => line,
        Err(why) => return Ok(Err(why)),
    };
    let fields: Vec<&str> = line.split_whitespace().collect();
    match fields.as_slice() {
        [version, seconds, is_right] => match (seconds.parse(), *is_right) {
            (Ok(seconds), "True") => Ok(Ok(Timed { version: (*version).into(), seconds })),
            (Ok(_), _) => {
                Err(Failure::fault(format!("the plan and the pow of Python {version} give different results")))
            }
            (Err(_), _) => Ok(Err(format!("{PROGRAM} printed no time"))),
        },
        _ => Ok(Err(format!("{PROGRAM} printed no time"))),
    }
}

/// What the script prints for these numbers, or why it prints nothing.
fn output(numbers: &str, wanted: Duration, most: Duration) -> Result<String, String> {
    // Without modules of the user or of this folder.
    let mut command = Command::new(PROGRAM);
    command.args(["-I", "-S", "-c", SCRIPT, &wanted.as_secs_f64().to_string()]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|_| format!("there is no {PROGRAM}"))?;
    // One that is no Python may close its input unread.
    let _ = child.stdin.take().map(|mut stdin| stdin.write_all(numbers.as_bytes()));
    let start = Instant::now();
    while child.try_wait().is_ok_and(|ended| ended.is_none()) {
        if start.elapsed() > START + most {
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!("{PROGRAM} took more than {:.0} s for one power", most.as_secs_f64()));
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    // Its one line fits in the pipe.
    let output = child.wait_with_output().map_err(|_| format!("{PROGRAM} printed no time"))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
