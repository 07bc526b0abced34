//! `pingala square --proof` and `--verify`.

use crate::common::{Folder, feed, finish, run, signal, spawn, wait_for_work, wait_until};
use std::fs;
use std::process::Child;

/// Modulus, base, squarings, result, proof.
fn vectors() -> Vec<[&'static str; 5]> {
    let lines = include_str!("../../../pingala-proofs/tests/squarings.tsv").lines().skip(1);
    lines.map(|line| line.split('\t').collect::<Vec<_>>().try_into().unwrap()).collect()
}

/// One of 1024 bits with many squarings.
fn vector() -> [&'static str; 5] {
    vectors().into_iter().find(|[modulus, _, squarings, ..]| modulus.len() == 258 && squarings.len() > 3).unwrap()
}

fn verify([modulus, base, squarings, result, proof]: [&str; 5]) -> (i32, String) {
    let ran = run(&["square", base, squarings, modulus, "--result", result, "--verify", proof]);
    assert!(ran.status == 4 || ran.status == 0 || ran.out.is_empty(), "{}", ran.out);
    (ran.status, ran.out + &ran.err)
}

#[test]
fn vectors_are_proved_and_verified() {
    for row in vectors() {
        let [modulus, base, squarings, result, proof] = row;
        for more in [&["-q"][..], &["-q", "--threads", "1", "--memory", "4K"], &["-q", "--kernel", "portable_r64"]] {
            let ran = run(&[&["square", base, squarings, modulus, "--proof"], more].concat());
            assert_eq!((ran.out, &*ran.err, ran.status), (format!("{result}\n{proof}\n"), "", 0), "{row:?}");
        }
        let short = (4, "not valid: the modulus is too short: its factors can be found\n".to_string());
        let want = if modulus.len() < 258 { short } else { (0, "valid\n".into()) };
        assert_eq!(verify(row), want, "{row:?}");
        let ran = run(&["square", base, squarings, modulus, "--proof"]);
        assert_eq!(ran.err.contains("--verify refuses those below 1024"), modulus.len() < 258, "{}", ran.err);
    }
}

#[test]
fn forged_proofs_are_refused() {
    let good = vector();
    assert_eq!(verify(good), (0, "valid\n".into()));
    let refused = |field: usize, value: &str, why: &str| {
        let mut forged: [&str; 5] = good;
        forged[field] = value;
        assert_eq!(verify(forged), (4, format!("not valid: {why}\n")), "{forged:?}");
    };
    let mismatch = "the proof does not belong to this base, count, modulus and result";
    let plus = |text: &str| format!("{text}+1");
    refused(1, "5", mismatch);
    refused(2, "12346", mismatch);
    refused(2, "0", mismatch);
    refused(3, "1", mismatch);
    let (negative, same, other) =
        (format!("{}-{}", good[0], good[3]), format!("{}+{}", good[0], good[3]), plus(good[3]));
    refused(3, &negative, mismatch);
    refused(3, &other, mismatch);
    refused(3, &same, "the result is not below the modulus");
    refused(3, "0", "the result has a divisor in common with the modulus");
    refused(1, "0", "the base has a divisor in common with the modulus");
    let even = plus(good[0]);
    refused(0, &even, "the modulus is not an odd number above 1");
    refused(0, "1", "the modulus is not an odd number above 1");
    refused(4, "wesolowski-v1:0x1", mismatch);
    let range = "the number of the proof is not between 1 and half of the modulus";
    refused(4, "wesolowski-v1:0x0", range);
    let long = format!("wesolowski-v1:{}", good[0]);
    refused(4, &long, range);
}

/// Result and proof are read from files and from standard input; what cannot be read is no verdict.
#[test]
fn proofs_that_cannot_be_read() {
    let folder = Folder::new();
    let (file, [modulus, base, squarings, result, proof]) = (folder.path("proof"), vector());
    let by_file = format!("@{file}");
    let ask = |result: &str, proof: &str, input: &str| {
        let ran = feed(&["square", base, squarings, modulus, "--result", result, "--verify", proof], input);
        (ran.status, ran.out + &ran.err)
    };
    fs::write(&file, format!("{proof}\n")).unwrap();
    assert_eq!(ask(result, &by_file, ""), (0, "valid\n".into()));
    assert_eq!(ask(result, "-", proof), (0, "valid\n".into()));
    assert_eq!(ask("-", proof, result), (0, "valid\n".into()));
    assert_eq!(ask("-", "-", result).0, 2);
    for text in
        ["", "0x1", "wesolowski-v2:0x1", "wesolowski-v1:1", "wesolowski-v1:0x01", "wesolowski-v1:0xA", "-1", "--"]
    {
        let (status, said) = ask(result, text, "");
        assert!(status == 2 && said.contains("expected") && !said.contains("valid\n"), "{text}: {status}, {said}");
        fs::write(&file, text).unwrap();
        let (status, said) = ask(result, &by_file, "");
        assert!(status == 1 && said.contains("expected"), "{text}: {status}, {said}");
    }
    fs::write(&file, [0xff; 9]).unwrap();
    assert_eq!(ask(result, &by_file, "").0, 1);
    fs::write(&file, vec![b'1'; 1 << 24]).unwrap();
    assert_eq!(ask(result, &by_file, "").0, 1);
    assert_eq!(ask(result, "@/nonexistent", "").0, 1);
    assert_eq!(ask("-5", proof, "").0, 2);
    assert_eq!(ask("x", proof, "").0, 2);
}

#[test]
fn options_that_do_not_go_together() {
    let [modulus, base, squarings, result, proof] = vector();
    let numbers = ["square", base, squarings, modulus];
    let pair = ["--result", result, "--verify", proof];
    for options in [
        &pair[..2],
        &pair[2..],
        &[&pair[..], &["--proof"]].concat(),
        &[&pair[..], &["--checkpoint", "state"]].concat(),
        &[&pair[..], &["--explain"]].concat(),
        &[&pair[..], &["--hex"]].concat(),
        &[&pair[..], &["--memory", "1M"]].concat(),
        &[&pair[..], &["--threads", "2"]].concat(),
        &[&pair[..], &["--every", "2"]].concat(),
        &["--memory", "1M"],
        &["--threads", "2"],
        &["--proof", "--explain"],
        &["--proof", "--plan", "x"],
    ] {
        let ran = run(&[&numbers[..], options].concat());
        assert_eq!((&*ran.out, ran.status), ("", 2), "{options:?}");
    }
    assert_eq!(run(&["square", "3", "5", "1000", "--proof"]).status, 1);
    assert_eq!(run(&["square", "3", "5", "1", "--proof"]).status, 1);
    let ran = run(&["square", "3", "5", "1005", "--proof", "-q"]);
    assert!(ran.status == 1 && ran.out.is_empty() && ran.err.contains("not invertible"), "{}", ran.err);
    let ran = run(&["square", "-3", "5", "1001", "--proof", "-q"]);
    assert_eq!((ran.out.lines().next(), ran.status), (run(&["square", "3", "5", "1001"]).out.lines().next(), 0));
}

/// Waits until a run has written its file and added to it some times, or has ended.
fn wait_for_growth(child: &mut Child, file: &str, additions: u64) {
    let length = || fs::metadata(file).map_or(0, |file| file.len());
    for _ in 0..=additions {
        let before = length();
        wait_until(|| length() != before || child.try_wait().unwrap().is_some());
    }
}

/// Killed at random moments of squaring and proof, the run ends with the same proof.
#[test]
fn killed_runs_go_on() {
    let folder = Folder::new();
    let (file, [modulus, base, ..]) = (folder.path("state"), vector());
    let squarings = "400000";
    let plain = ["square", base, squarings, modulus, "--proof", "--memory", "1M"];
    let arguments = [&plain[..], &["--checkpoint", &file, "--every", "0.002"]].concat();
    let want = run(&[&plain[..], &["-q"]].concat());
    let result = run(&["square", base, squarings, modulus]).out;
    assert!(want.status == 0 && want.err.is_empty() && want.out.starts_with(&result), "{}", want.err);
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    for _ in 0..12 {
        let mut child = spawn(&arguments);
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        wait_for_growth(&mut child, &file, state % 4);
        let _ = child.kill();
        let ran = finish(child);
        assert!(!ran.err.contains("bad file"), "{}", ran.err);
    }
    let ran = run(&arguments);
    assert!(ran.err.contains("squarings are done already"), "it began anew: {}", ran.err);
    assert_eq!((&ran.out, ran.status), (&want.out, 0), "{}", ran.err);
    let again = run(&arguments);
    assert!(again.out == want.out && again.err.contains("399,999 squarings are done already"), "{}", again.err);
    let mut lines = want.out.lines();
    let forged = [modulus, base, squarings, lines.next().unwrap(), lines.next().unwrap()];
    assert_eq!(verify(forged), (0, "valid\n".into()));

    // A file belongs to one count, and to runs with a proof.
    let other = |squarings: &str, more: &[&str]| {
        let ran = run(&[&["square", base, squarings, modulus, "--checkpoint", &file], more].concat());
        assert!(ran.status == 1 && ran.out.is_empty() && ran.err.contains("bad file"), "{}", ran.err);
    };
    other("400001", &["--proof"]);
    other(squarings, &[]);
    fs::remove_file(&file).unwrap();
    assert_eq!(run(&["square", base, "9", modulus, "--checkpoint", &file]).status, 0);
    other("9", &["--proof"]);
}

#[test]
fn an_interrupt_is_no_loss() {
    let folder = Folder::new();
    let (file, [modulus, base, ..]) = (folder.path("state"), vector());
    let arguments = ["square", base, "1e12", modulus, "--proof", "--checkpoint", &file, "--every", "0.05"];
    let mut child = spawn(&arguments);
    wait_for_growth(&mut child, &file, 1);
    let status = signal(&child, "INT");
    let ran = finish(child);
    assert!(ran.status == status && ran.out.is_empty(), "{}", ran.err);
    assert!(ran.err.contains("interrupted; ") && ran.err.contains(" of 1,000,000,000,000 squarings"), "{}", ran.err);
    let child = spawn(&arguments);
    wait_for_work(&child);
    let status = signal(&child, "TERM");
    let ran = finish(child);
    assert!(ran.status == status && ran.err.contains("are done already"), "{}", ran.err);
}

#[test]
fn a_file_is_all_that_another_machine_needs() {
    let [modulus, base, squarings, result, _] = vector();
    let folder = Folder::new();
    let file = folder.path("proved.json");
    let prove = |more: &[&str]| {
        run(&[&["square", base, squarings, modulus, "--proof", "-q", "--output", &file], more].concat())
    };
    let ran = prove(&[]);
    assert_eq!((ran.status, ran.out, &*ran.err), (0, format!("{result}\n"), ""));
    assert_eq!(prove(&[]).status, 1, "an existing file is not replaced");
    assert_eq!(prove(&["--force"]).status, 0);
    let ran = run(&["square", "--verify", &file]);
    let facts = format!("valid\nbase {base}\nsquarings {squarings}\nmodulus {modulus}\nresult {result}\n");
    assert_eq!((ran.status, &ran.out), (0, &facts), "{}", ran.err);
    let text = fs::read_to_string(&file).unwrap();
    assert_eq!(feed(&["square", "--verify", "-"], &text).out, facts);
    let any = run(&["square", "--verify", &file, "--max-modulus-bits", "18446744073709551615"]);
    assert_eq!((any.status, &any.out), (0, &facts), "{}", any.err);
    // The numbers that the verifier expects.
    assert_eq!(run(&["square", "--verify", &file, base, squarings, modulus]).out, "valid\n");
    let other = run(&["square", "--verify", &file, "0x5", squarings, modulus]);
    assert_eq!((other.status, &*other.out), (4, "not valid: the file is about another base, count or modulus\n"));
    // Changed files.
    let change = |from: &str, to: &str| feed(&["square", "--verify", "-"], text.replacen(from, to, 1));
    let ran = change(&format!("\"squarings\": {squarings}"), "\"squarings\": 7");
    assert!(ran.status == 4 && ran.out.starts_with("not valid: the proof does not belong"), "{}{}", ran.out, ran.err);
    for (from, to, why) in [
        ("\"base\"", "\"bass\"", "unknown field"),
        ("wesolowski", "wesolowsky", "proof: "),
        ("\"modulus\": \"0x", "\"modulus\": \"-0x", "modulus is negative"),
        ("\"base\": \"0x", "\"base\": \"@0x", "base: "),
        ("{", "", "no file of square --proof --output"),
    ] {
        let ran = change(from, to);
        assert!(ran.status == 1 && ran.err.contains(why), "{to}: {}{}", ran.out, ran.err);
    }
    for wrong in [&["square", base, squarings][..], &["square"], &["square", "--verify", &file, base]] {
        assert_eq!(run(wrong).status, 2, "{wrong:?}");
    }
    assert_eq!(run(&["square", "--verify", "/nowhere.json"]).status, 1);
}
