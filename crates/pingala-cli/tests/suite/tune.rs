//! `pingala tune`, and the prices that `pingala info` shows.

use crate::common::{Folder, Ran, command, finish};
use std::path::Path;
use std::process::Stdio;

/// Runs with a folder for settings, and PINGALA_PRICES if it is given.
fn run(folder: &Folder, prices: Option<&str>, arguments: &[&str]) -> Ran {
    let mut command = command();
    command.env_remove("PINGALA_PRICES").env("XDG_CONFIG_HOME", folder.path("")).env("APPDATA", folder.path(""));
    command.envs(prices.map(|prices| ("PINGALA_PRICES", prices)));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    finish(command.spawn().unwrap())
}

const ONE_KERNEL: [&str; 3] = ["tune", "--kernel", "portable_fixed_r64"];

#[test]
fn prices_are_written_where_they_are_looked_for() {
    let folder = Folder::new();
    let ran = run(&folder, None, &ONE_KERNEL);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let path = Path::new(&folder.path("pingala")).join("prices.txt").display().to_string();
    assert!(ran.out.contains(&format!("written to {path}")) && ran.out.contains("one call"), "{}", ran.out);
    let text = std::fs::read_to_string(&path).unwrap();
    let points = text.lines().filter(|line| line.starts_with("portable_fixed_r64 - ")).count();
    assert!(points == 4 && text.contains("\ncpu: ") && text.contains("\ncompiler: rustc "), "{text}");
    let info = run(&folder, None, &["info"]);
    assert!(info.out.contains(&format!("  {path}\n    kernels   portable_fixed_r64\n")), "{}", info.out);
    // It counts for plans.
    let plan = |prices| run(&folder, prices, &["plan", "--modulus-bits", "250", "--exponent-bits", "250"]).out;
    assert!(plan(Some("built-in")).contains("portable_fixed_r64(n=4)"), "{}", plan(Some("built-in")));
    let dear = text.replace("portable_fixed_r64 - 4 ", "portable_fixed_r64 - 4 1e9 1e9 1e9 1e9 1e9 1e9\n#");
    std::fs::write(&path, &dear).unwrap();
    assert!(!plan(None).contains("portable_fixed_r64"), "{}", plan(None));
    // Another file, or none.
    let info = run(&folder, Some("built-in"), &["info"]);
    assert!(!info.out.contains(&path) && info.out.contains("built-in, "), "{}", info.out);
    let other = folder.file("other.txt", text.replace("cpu: ", "cpu: not "));
    let info = run(&folder, Some(&other), &["info"]);
    assert!(info.out.contains(&format!("note: {other} was measured on CPU not ")), "{}", info.out);
    assert!(!info.out.contains(&path), "{}", info.out);
    assert_eq!(folder.names(), ["other.txt", "pingala"]);
}

#[test]
fn a_broken_file_changes_no_answer_and_can_be_measured_anew() {
    let folder = Folder::new();
    let file = folder.file("prices.txt", "cpu: x\nthis is nothing");
    let unstamped = folder.file("unstamped.txt", "this is nothing");
    for broken in [&unstamped, &folder.path("missing.txt"), &folder.path("")] {
        let ran = run(&folder, Some(broken), &["pow", "3", "5", "7"]);
        assert_eq!((ran.status, ran.out.as_str()), (0, "5\n"), "{}", ran.err);
        for arguments in [&["info"][..], &["plan", "--explain", "--modulus-bits", "9", "--exponent-bits", "9"]] {
            let ran = run(&folder, Some(broken), arguments);
            assert_eq!(ran.status, 0, "{}", ran.err);
            assert!(ran.out.contains(broken) && ran.out.contains("built-in prices are used"), "{}", ran.out);
        }
    }
    let arguments = [&ONE_KERNEL[..], &["--quiet"]].concat();
    let ran = run(&folder, Some(&file), &arguments);
    assert_eq!((ran.status, ran.out.as_str(), ran.err.as_str()), (0, "", ""));
    assert_eq!(run(&folder, Some(&file), &["pow", "3", "5", "7"]).out, "5\n");
}

#[test]
fn prices_can_go_elsewhere_or_nowhere() {
    let folder = Folder::new();
    let ran = run(&folder, None, &[&ONE_KERNEL[..], &["--output", "-", "--note", "a remark"]].concat());
    assert!(ran.out.starts_with("# Prices") && ran.out.contains("\nnote: a remark\n"), "{}", ran.out);
    assert!(ran.err.contains("one call"), "{}", ran.err);
    let ran = run(&folder, None, &[&ONE_KERNEL[..], &["--dry-run"]].concat());
    assert!(ran.out.contains("one call") && !ran.out.contains("written"), "{}", ran.out);
    assert!(folder.names().is_empty());
    let file = folder.path("here.txt");
    assert_eq!(run(&folder, None, &[&ONE_KERNEL[..], &["--output", &file]].concat()).status, 0);
    assert_eq!(folder.names(), ["here.txt"]);
    let ran = run(&folder, None, &["tune", "--kernel", "abacus"]);
    assert!(ran.status == 2 && ran.err.contains("there are portable_fixed_r64, "), "{}", ran.err);
    assert_eq!(run(&folder, Some("built-in"), &ONE_KERNEL).status, 1);
}

/// On a terminal the bar is there from the first measurement on; a time left comes later, if at all.
#[cfg(target_os = "linux")]
#[test]
fn measurements_are_counted_on_a_terminal() {
    let program = command().get_program().to_str().unwrap().to_string();
    let line = format!("{program} {} --dry-run", ONE_KERNEL.join(" "));
    // `script` gives the command a terminal.
    let output = std::process::Command::new("script").args(["-qec", &line, "/dev/null"]).output().unwrap();
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && shown.contains("one call"), "{shown}");
    assert!(shown.contains(" 0 of ") && shown.contains(" measurements  0 s so far"), "{shown}");
}
