//! `pingala square`: answers, checkpoints, and what a kill leaves.

use crate::common::{Folder, finish, run, signal, spawn, wait_for_work, wait_until};
use std::fs;
use std::path::Path;
use std::process::Child;

const MODULUS: &str =
    "0xa3c59d2f17e0b46b8d1f20c37e95a4b8f6013d5c7a9e2b4d6f81a3c5e7092b4d6f8ab1c3d5e7f9012b4d6f8091a3b5c7";

#[test]
fn the_answer_is_that_of_pow() {
    for (base, squarings) in [("3", 0u32), ("-5", 1), ("0x123456789abcdef", 9), ("7", 1000)] {
        let exponent = format!("0x1{:0>1$}", "", squarings as usize / 4);
        let exponent = if squarings % 4 == 0 { exponent } else { (1u128 << squarings).to_string() };
        for modulus in [MODULUS, "1", "2", "1000003", "0x60000000000000000000000000000000000000000", "65536"] {
            let want = run(&["pow", base, &exponent, modulus, "--hex", "-q"]);
            let got = run(&["square", base, &squarings.to_string(), modulus, "--hex", "-q"]);
            assert_eq!((&got.out, &*got.err, got.status), (&want.out, "", 0), "{base}^(2^{squarings}) mod {modulus}");
        }
    }
    assert_eq!(run(&["square", "2", "2**64", "5"]).status, 2);
}

/// The table goes to standard error, the answer to standard output; the plan in it forces itself.
#[test]
fn the_plan_is_explained() {
    let want = run(&["square", "3", "1000", MODULUS, "-q"]);
    let got = run(&["square", "3", "1000", MODULUS, "-q", "--explain"]);
    assert_eq!((&got.out, got.status), (&want.out, 0));
    let line = got.err.lines().find_map(|line| line.strip_prefix("plan ")).expect("a plan").trim();
    let forced = run(&["square", "3", "1000", MODULUS, "-q", "--plan", line]);
    assert_eq!((forced.out, &*forced.err, forced.status), (want.out, "", 0));
    assert_eq!(run(&["square", "3", "1000", MODULUS, "-q", "--plan", "crt(k_ary)"]).status, 1);
}

/// Waits until a run has written its file and exchanged it some times more, or has ended. What it writes first may say that nothing is done.
pub fn wait_for_checkpoints(child: &mut Child, file: &str, exchanges: u64) {
    wait_until(|| Path::new(file).exists() || child.try_wait().unwrap().is_some());
    for _ in 0..exchanges {
        let before = fs::read(file).ok();
        wait_until(|| fs::read(file).ok() != before || child.try_wait().unwrap().is_some());
    }
}

/// Killed again and again at random checkpoints, the run ends with the right answer, and the file is never broken.
#[test]
fn killed_twenty_times_it_goes_on() {
    let folder = Folder::new();
    let file = folder.path("state");
    let squarings = "6000000";
    let arguments = ["square", "3", squarings, MODULUS, "--checkpoint", &file, "--every", "0.002"];
    let want = run(&["square", "3", squarings, MODULUS, "-q"]);
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    for kill in 0..20 {
        let mut child = spawn(&arguments);
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        // Some squarings are done at the first kill; a later one may come before the first checkpoint of a run.
        wait_for_checkpoints(&mut child, &file, if kill == 0 { 2 } else { state % 4 });
        // SIGKILL: nothing of the program runs after it.
        let _ = child.kill();
        let ran = finish(child);
        assert!(!ran.err.contains("bad file"), "{}", ran.err);
        assert!(Path::new(&file).exists(), "a killed run took the file with it");
    }
    let ran = run(&arguments);
    assert!(ran.err.contains("squarings are done already"), "it began anew: {}", ran.err);
    assert_eq!((ran.out, ran.status), (want.out, 0), "{}", ran.err);
    // The file at the end holds the answer.
    let again = run(&arguments);
    assert!(again.err.contains("6,000,000 squarings are done already"), "{}", again.err);
}

/// Ctrl-C keeps what was done.
#[test]
fn an_interrupt_is_no_loss() {
    let folder = Folder::new();
    let file = folder.path("state");
    let mut child = spawn(&["square", "3", "1e15", MODULUS, "--checkpoint", &file, "--every", "0.05"]);
    wait_for_checkpoints(&mut child, &file, 2);
    let status = signal(&child, "INT");
    let ran = finish(child);
    assert_eq!(ran.status, status, "{}", ran.err);
    assert!(
        ran.err.contains("interrupted; ") && ran.err.contains(" of 1,000,000,000,000,000 squarings"),
        "{}",
        ran.err
    );
    assert_eq!(folder.names(), ["state"]);
    let child = spawn(&["square", "3", "1e15", MODULUS, "--checkpoint", &file]);
    wait_for_work(&child);
    let status = signal(&child, "TERM");
    let ran = finish(child);
    assert!(ran.status == status && ran.err.contains("are done already"), "{}", ran.err);
    // Without a file there is nothing to keep.
    let child = spawn(&["square", "3", "1e15", MODULUS]);
    wait_for_work(&child);
    let status = signal(&child, "INT");
    let ran = finish(child);
    assert!(ran.status == status && ran.err.contains("--checkpoint FILE would have kept them"), "{}", ran.err);
}

#[test]
fn files_of_other_runs_and_damaged_ones_are_refused() {
    let folder = Folder::new();
    let file = folder.path("state");
    let square = |base: &str, squarings: &str, modulus: &str| {
        run(&["square", base, squarings, modulus, "--checkpoint", &file, "-q"])
    };
    let done = square("3", "100", MODULUS);
    assert_eq!(done.status, 0, "{}", done.err);
    wait_until(|| Path::new(&file).exists());
    for (ran, words) in [
        (square("4", "100", MODULUS), &["base 0x3, not of 0x4"][..]),
        (square("3", "99", MODULUS), &["100 squarings (100 done), not of 99"]),
        (square("3", "100", "1000003"), &["modulus 0xa3c59d2f17e0b46b...", "not of 0xf4243"]),
    ] {
        assert_eq!(ran.status, 1);
        assert!(words.iter().all(|word| ran.err.contains(word)), "{}", ran.err);
    }
    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&file, bytes).unwrap();
    let ran = square("3", "100", MODULUS);
    assert!(ran.status == 1 && ran.err.contains("SHA-256") && ran.out.is_empty(), "{}", ran.err);
    fs::write(&file, "short").unwrap();
    assert_eq!(square("3", "100", MODULUS).status, 1);
}

#[test]
fn a_finished_run_is_extended() {
    let folder = Folder::new();
    let file = folder.path("state");
    for modulus in [MODULUS, "1000003", "0x60000000000000000000000000000000000000000", "65536", "1"] {
        for squarings in ["0", "100", "1000"] {
            let want = run(&["square", "3", squarings, modulus, "-q"]);
            let got = run(&["square", "3", squarings, modulus, "--checkpoint", &file, "-q"]);
            assert_eq!((got.out, &*got.err, got.status), (want.out, "", 0), "{squarings} modulo {modulus}");
        }
        fs::remove_file(&file).unwrap();
    }
    run(&["square", "3", "100", MODULUS, "--checkpoint", &file, "-q"]);
    let ran = run(&["square", "3", "150", MODULUS, "--checkpoint", &file]);
    assert!(ran.status == 0 && ran.err.contains("100 squarings are done already"), "{}", ran.err);
}
