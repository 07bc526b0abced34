//! `pingala bench`.

use crate::common::{Folder, Ran, command, finish};
use std::process::Stdio;

/// A short run, whose programs are those of a folder if one is given.
fn bench(programs: Option<&Folder>, arguments: &[&str]) -> Ran {
    let mut command = command();
    command.args(["bench", "--modulus-bits", "512", "--seconds", "0.05"]).args(arguments).env("COLUMNS", "80");
    command.envs(programs.map(|folder| ("PATH", folder.path(""))));
    finish(command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
}

#[test]
fn bars_fit_the_terminal() {
    let ran = bench(None, &[]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    let rows: Vec<&str> = ran.out.lines().filter(|line| line.contains(['█', '▏'])).collect();
    assert!(rows.len() > 2, "{}", ran.out);
    assert!(ran.out.lines().all(|line| line.chars().count() <= 80), "{}", ran.out);
    // The least time is not above the mean.
    let time = ran.out.lines().find(|line| line.starts_with("time ")).unwrap();
    let fields: Vec<&str> = time.split_whitespace().collect();
    let [least, mean] = [fields[1], fields[5]].map(|text| text.parse::<f64>().unwrap());
    assert!(
        least <= mean && fields[2..5].join(" ") == "us at least," && fields[6..].join(" ") == "us in the mean",
        "{time}"
    );
}

#[test]
fn without_python_nothing_is_compared() {
    let ran = bench(Some(&Folder::new()), &[]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    let last = ran.out.lines().last().unwrap();
    assert!(
        last.starts_with("Python's pow is not compared: there is no python") && !ran.out.contains("pow of"),
        "{}",
        ran.out
    );
}

/// A program of the name that answers as Python would.
#[cfg(unix)]
#[test]
fn python_is_compared_and_believed_only_if_it_is_right() {
    use std::os::unix::fs::PermissionsExt;
    for (answer, status, expected) in [
        ("3.99.0 0.5 True", 0, "Python 3.99.0's pow takes 500 ms, "),
        ("3.99.0 0.5 False", 1, "the plan and the pow of Python 3.99.0 give different results"),
        ("something else", 0, "Python's pow is not compared: python3 printed no time."),
    ] {
        let folder = Folder::new();
        let program = folder.file("python3", format!("#!/bin/sh\necho '{answer}'\n"));
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        let ran = bench(Some(&folder), &[]);
        assert_eq!(ran.status, status, "{}{}", ran.out, ran.err);
        assert!((ran.out + &ran.err).contains(expected), "{answer}");
    }
}

/// The Python of this machine, if there is one, computes the power that the library computes.
#[test]
fn the_python_of_this_machine_is_right() {
    let has_python =
        std::process::Command::new("python3").arg("--version").output().is_ok_and(|ran| ran.status.success());
    let ran = bench(None, &[]);
    let last = ran.out.lines().last().unwrap();
    let expected = if has_python { "Python 3." } else { "Python's pow is not compared: " };
    assert!(ran.status == 0 && last.starts_with(expected), "{}{}", ran.out, ran.err);
    assert_eq!(ran.out.lines().filter(|line| line.starts_with("pow of Python  ")).count(), usize::from(has_python));
}
