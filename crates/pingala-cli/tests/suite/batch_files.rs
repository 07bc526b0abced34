//! `pingala batch`: files, signals, pipes, memory.

#[cfg(unix)]
use crate::common::command;
use crate::common::{Folder, Ran, feed, finish, run, signal, spawn, wait_for_work, wait_until};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::Child;
#[cfg(unix)]
use std::process::Stdio;

const ROW: &str = "{\"id\":1,\"base\":2,\"exponent\":3,\"modulus\":5}\n";
const ANSWER: &str = "{\"id\":1,\"result\":\"0x3\"}\n";

fn batch(input: &str, output: &str, more: &[&str]) -> Ran {
    run(&[&["batch", input, "--output", output, "--quiet"], more].concat())
}

#[test]
fn the_output_is_an_ordinary_file_alone_in_its_folder() {
    let folder = Folder::new();
    let (input, output) = (folder.file("in.jsonl", ROW), folder.path("out.jsonl"));
    assert_eq!(batch(&input, &output, &[]).status, 0);
    assert_eq!(fs::read_to_string(&output).unwrap(), ANSWER);
    assert_eq!(folder.names(), ["in.jsonl", "out.jsonl"]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &str| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&output), mode(&input));
    }
}

#[test]
fn error_rows_do_not_keep_the_output_back() {
    let folder = Folder::new();
    let input = folder.file("in.csv", "base,exponent,modulus\n2,3,5\n2,x,5\n");
    assert_eq!(batch(&input, &folder.path("out"), &[]).status, 3);
    assert_eq!(fs::read_to_string(folder.path("out")).unwrap().lines().count(), 2);
}

#[test]
fn an_existing_output_needs_force() {
    let folder = Folder::new();
    let (input, output) = (folder.file("in.jsonl", ROW), folder.file("out.jsonl", "old"));
    let ran = batch(&input, &output, &[]);
    assert_eq!((ran.status, ran.err), (1, format!("pingala: {output} exists; --force replaces it\n")));
    assert_eq!(fs::read_to_string(&output).unwrap(), "old");
    assert_eq!(batch(&input, &output, &["--force"]).status, 0);
    assert_eq!(fs::read_to_string(&output).unwrap(), ANSWER);
    assert_eq!(folder.names(), ["in.jsonl", "out.jsonl"]);
}

/// A file that appears while the run goes on is not overwritten either.
#[test]
fn an_output_that_appears_meanwhile_is_kept() {
    let folder = Folder::new();
    let output = folder.path("out");
    let mut child = waiting(&folder, &output);
    fs::write(&output, "somebody else's").unwrap();
    drop(child.stdin.take());
    let ran = finish(child);
    assert_eq!((ran.status, ran.err), (1, format!("pingala: {output} exists; --force replaces it\n")));
    assert_eq!(fs::read_to_string(&output).unwrap(), "somebody else's");
    assert_eq!(folder.names(), ["out"]);
}

#[test]
fn names_that_must_not_be_written_are_refused() {
    let folder = Folder::new();
    let input = folder.file("in.jsonl", ROW);
    fs::hard_link(&input, folder.path("same")).unwrap();
    for output in [input.clone(), folder.path("same")] {
        let ran = batch(&input, &output, &["--force"]);
        if cfg!(unix) || output == input {
            assert_eq!((ran.status, ran.err), (1, format!("pingala: {output} is also the input\n")));
        }
        // Elsewhere a second name of a file may be replaced; the file stays.
        assert_eq!(fs::read_to_string(&input).unwrap(), ROW);
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&input, folder.path("link")).unwrap();
        std::os::unix::fs::symlink("nowhere", folder.path("dangling")).unwrap();
        for name in ["link", "dangling"] {
            let ran = batch(&input, &folder.path(name), &["--force"]);
            assert_eq!(ran.status, 1);
            assert!(ran.err.contains("is a symbolic link"), "{}", ran.err);
        }
        let ran = batch(&input, "/dev/null", &["--force"]);
        assert_eq!(ran.status, 1);
        assert!(ran.err.contains("is not an ordinary file"), "{}", ran.err);
    }
    for output in [folder.path(""), folder.path("no/such/folder"), "/".to_string()] {
        let ran = batch(&input, &output, &["--force"]);
        assert_eq!((ran.status, ran.out.as_str()), (1, ""), "{output}");
    }
    assert_eq!(fs::read_to_string(&input).unwrap(), ROW);
}

#[test]
fn a_run_that_fails_leaves_nothing() {
    let folder = Folder::new();
    let input = folder.file("in.csv", "base,exponent\n1,2\n");
    let ran = batch(&input, &folder.path("out"), &[]);
    let why = format!("pingala: {input}, line 1: the header names no column modulus: ");
    assert!(ran.status == 1 && ran.err.starts_with(&why), "{}", ran.err);
    for missing in [folder.path("missing"), folder.path("")] {
        assert_eq!(batch(&missing, &folder.path("out"), &[]).status, 1);
    }
    assert_eq!(folder.names(), ["in.csv"]);
}

#[test]
fn usage_is_checked() {
    for arguments in
        [&["batch", "-"][..], &["batch", "-", "-o", "-", "--threads", "0"], &["batch", "-", "-o", "-", "-f"]]
    {
        let ran = run(arguments);
        assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{arguments:?}");
        assert!(ran.err.starts_with("pingala: "), "{}", ran.err);
    }
}

/// A run that has written a row to its temporary file and waits for more.
fn waiting(folder: &Folder, output: &str) -> Child {
    let before = folder.names().len();
    let mut child = spawn(&["batch", "-", "--output", output, "--quiet"]);
    child.stdin.as_mut().unwrap().write_all(ROW.as_bytes()).unwrap();
    wait_until(|| folder.names().len() > before);
    child
}

#[test]
fn ctrl_c_leaves_nothing() {
    for name in ["INT", "TERM"] {
        let folder = Folder::new();
        let mut child = waiting(&folder, &folder.path("out"));
        // Held open, so that only the signal can end the run.
        let _stdin = child.stdin.take();
        let status = signal(&child, name);
        let ran = finish(child);
        assert_eq!((ran.status, ran.err.as_str()), (status, "pingala: interrupted; no output was written\n"));
        assert_eq!(folder.names(), [""; 0]);
    }
}

/// One power that takes hours is left.
#[test]
fn ctrl_c_stops_a_long_power() {
    let folder = Folder::new();
    let f = |count| "f".repeat(count);
    let row = format!("{{\"base\":3,\"exponent\":\"0x{}\",\"modulus\":\"0x{}\"}}\n", f(1 << 20), f(1 << 14));
    let input = folder.file("in.jsonl", row);
    let child = spawn(&["batch", &input, "--output", &folder.path("out"), "--quiet"]);
    wait_until(|| folder.names().len() > 1);
    wait_for_work(&child);
    let status = signal(&child, "INT");
    let ran = finish(child);
    assert_eq!(ran.status, status);
    assert_eq!(folder.names(), ["in.jsonl"]);
}

/// Killed without a chance to clean up: no file of that name, and what is left cannot be taken for one.
#[test]
fn kill_leaves_no_output() {
    let folder = Folder::new();
    let mut child = waiting(&folder, &folder.path("out.jsonl"));
    child.kill().unwrap();
    child.wait().unwrap();
    let names = folder.names();
    assert_eq!(names.len(), 1);
    assert!(names[0].starts_with(".out.jsonl.") && names[0].ends_with(".tmp"), "{names:?}");
}

/// Killed at any moment: the output is whole or not there. The moments are lengths of the file aside: from before it is there to the end.
#[test]
fn an_output_is_whole_or_not_there() {
    let folder = Folder::new();
    let (input, output) = (folder.file("in.jsonl", ROW.repeat(50_000)), folder.path("out.jsonl"));
    assert_eq!(batch(&input, &output, &[]).status, 0);
    let whole = fs::read(&output).unwrap();
    let written = || {
        let mut names = folder.names().into_iter();
        let aside = names.find(|name| name.ends_with(".tmp"));
        aside.and_then(|name| fs::metadata(folder.path(&name)).ok()).map_or(0, |file| file.len() as usize)
    };
    for step in 0..16 {
        fs::remove_file(&output).unwrap_or_default();
        let mut child = spawn(&["batch", &input, "--output", &output, "--quiet"]);
        wait_until(|| child.try_wait().unwrap().is_some() || written() >= whole.len() * step / 15);
        child.kill().unwrap();
        child.wait().unwrap();
        let left = folder.names().into_iter().filter(|name| name.ends_with(".tmp"));
        left.for_each(|name| fs::remove_file(folder.path(&name)).unwrap());
        if let Ok(content) = fs::read(&output) {
            assert!(content == whole, "{} of {} bytes at step {step}", content.len(), whole.len());
        }
    }
}

/// A slow stream is answered as it comes.
#[test]
fn a_row_is_answered_before_the_next_one_is_asked() {
    let mut child = spawn(&["batch", "-", "--output", "-", "--quiet"]);
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    for _ in 0..3 {
        stdin.write_all(ROW.as_bytes()).unwrap();
        let mut answer = String::new();
        stdout.read_line(&mut answer).unwrap();
        assert_eq!(answer, ANSWER);
    }
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let mut child = spawn(&["batch", "-", "--output", "-"]);
    let mut stdin = child.stdin.take().unwrap();
    drop(child.stdout.take());
    let _ = stdin.write_all(ROW.as_bytes());
    // Standard input stays open: the run ends all the same.
    let mut complaint = String::new();
    child.stderr.take().unwrap().read_to_string(&mut complaint).unwrap();
    assert_eq!((complaint.as_str(), child.wait().unwrap().code()), ("", Some(141)));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut run = command();
    run.args(["batch", "-", "--output", "-"]).stdin(Stdio::piped()).stdout(full).stderr(Stdio::piped());
    let mut child = run.spawn().unwrap();
    child.stdin.take().unwrap().write_all(ROW.as_bytes()).unwrap();
    let ran = finish(child);
    assert_eq!(
        (ran.status, ran.err.as_str()),
        (1, "pingala: cannot write to standard output: No space left on device\n")
    );
}

/// Peak memory in KiB so far.
#[cfg(target_os = "linux")]
fn peak_kib(child: &Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Feeds chunks of text, then reads the peak before it lets the run end.
#[cfg(target_os = "linux")]
fn peak_of(arguments: &[&str], chunks: impl Iterator<Item = String>, output: &std::path::Path) -> u64 {
    let mut run = command();
    let file = fs::File::create(output).unwrap();
    run.args(arguments).stdin(Stdio::piped()).stdout(file).stderr(Stdio::null());
    let mut child = run.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    for chunk in chunks {
        stdin.write_all(chunk.as_bytes()).unwrap();
    }
    stdin.write_all(b"{\"id\":\"last\"}\n").unwrap();
    wait_until(|| fs::read_to_string(output).unwrap().contains("\"last\""));
    let peak = peak_kib(&child);
    drop(stdin);
    child.wait().unwrap();
    peak
}

#[cfg(target_os = "linux")]
#[test]
fn memory_is_constant_however_long_the_stream() {
    let folder = Folder::new();
    let output = folder.path("out");
    // 200,000 rows of 500 bytes: 100 MB.
    let padding = "x".repeat(440);
    let chunk = |start: u64| {
        let row = |i| format!("{{\"base\":{i},\"exponent\":3,\"modulus\":1000003,\"padding\":\"{padding}\"}}\n");
        (start..start + 1000).map(row).collect::<String>()
    };
    let peak = peak_of(&["batch", "-", "-o", "-"], (0..200_000).step_by(1000).map(chunk), output.as_ref());
    assert!(peak < 64 << 10, "{peak} KiB");
    assert_eq!(fs::read_to_string(&output).unwrap().lines().count(), 200_001);
}

#[cfg(target_os = "linux")]
#[test]
fn a_line_over_the_cap_takes_no_memory() {
    let folder = Folder::new();
    let zeros = "0".repeat(1 << 20);
    // 200 MB in one line.
    let chunks = (0..200).map(|_| zeros.clone()).chain(["\n".to_string()]);
    let arguments = ["batch", "-", "-o", "-", "--max-line-bytes", "1000000"];
    let peak = peak_of(&arguments, chunks, folder.path("out").as_ref());
    assert!(peak < 32 << 10, "{peak} KiB");
}

#[test]
fn standard_error_is_plain_where_it_is_no_terminal() {
    let ran = feed(&["batch", "-", "--output", "-"], ROW);
    assert!(ran.err.starts_with("pingala: 1 row: 1 result, 0 errors, 0 mismatches; "), "{}", ran.err);
    assert!(!ran.err.contains(['\r', '\u{1b}']), "{:?}", ran.err);
    assert_eq!(ran.err.lines().count(), 1);
}
