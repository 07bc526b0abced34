//! The examples of docs/command.md and docs/jobs.md, run in a shell.

#![cfg(unix)]

use crate::common::{Folder, command};
use std::path::Path;
use std::process::Command;

/// The commands of a page's `console` blocks, each with the output that follows it. `...` stands for any text.
fn examples(page: &str) -> Vec<(String, String)> {
    let mut examples: Vec<(String, String)> = Vec::new();
    for block in page.split("```console\n").skip(1) {
        for line in block.split("```").next().unwrap().lines() {
            match line.strip_prefix("$ ") {
                Some(command) => examples.push((command.to_string(), String::new())),
                None => {
                    let output = &mut examples.last_mut().unwrap().1;
                    output.push_str(line);
                    output.push('\n');
                }
            }
        }
    }
    examples
}

/// Whether the pieces of `expected` between its `...` follow each other in `got`.
fn fits(expected: &str, got: &str) -> bool {
    let pieces: Vec<&str> = expected.split("...").map(|piece| piece.trim_matches('\n')).collect();
    let (first, last) = (pieces[0], pieces[pieces.len() - 1]);
    let got = got.trim_matches('\n');
    if pieces.len() == 1 {
        return got == first;
    }
    let mut rest = got;
    let found = pieces.iter().all(|piece| match rest.find(piece) {
        Some(at) => {
            rest = &rest[at + piece.len()..];
            true
        }
        None => false,
    });
    found && got.starts_with(first) && got.ends_with(last)
}

#[test]
fn the_examples_are_true() {
    are_true(include_str!("../../../../docs/command.md"), 20);
    are_true(include_str!("../../../../docs/jobs.md"), 5);
}

/// The fewest examples.
fn are_true(page: &str, count: usize) {
    let folder = Folder::new();
    let binary = command();
    let binary = Path::new(binary.get_program()).parent().unwrap().to_path_buf();
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap());
    let examples = examples(page);
    assert!(examples.len() >= count);
    for (line, expected) in examples {
        let mut shell = Command::new("sh");
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("PINGALA_")) {
            shell.env_remove(name);
        }
        shell.env("PINGALA_PRICES", "built-in").env("PATH", &path).current_dir(folder.path(""));
        let output = shell.args(["-c", &format!("({line}) 2>&1")]).output().unwrap();
        let got = String::from_utf8(output.stdout).unwrap();
        assert!(fits(&expected, &got), "$ {line}\nis\n{got}\nand the page has\n{expected}");
    }
}

#[test]
fn what_fits() {
    for (expected, got, fit) in [
        ("a\n", "a\n", true),
        ("a\n", "b\n", false),
        ("a\n...\nc\n", "a\nb\nc\n", true),
        ("a\n...\nc\n", "x\na\nb\nc\n", false),
        ("a ...\n", "a b\nc\n", true),
        ("...\n", "x\n", true),
        ("a\n...\nb\n...\n", "a\nc\nd\n", false),
    ] {
        assert_eq!(fits(expected, got), fit, "{expected:?} {got:?}");
    }
}
