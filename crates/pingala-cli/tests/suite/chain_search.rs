//! `pingala chain search`, `check`, `show`, `best`, `gen`.

use crate::common::{feed, finish, run, signal, spawn, wait_for_work};
use serde_json::Value;

fn steps(text: &str) -> (String, Vec<(usize, usize)>) {
    let document: Value = serde_json::from_str(text).unwrap();
    let pair = |pair: &Value| (pair[0].as_u64().unwrap() as usize, pair[1].as_u64().unwrap() as usize);
    let steps = document["steps"].as_array().unwrap().iter().map(pair).collect();
    (document["exponent"].as_str().unwrap().to_string(), steps)
}

#[test]
fn a_chain_is_searched_checked_shown_and_turned_into_code() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("chain.json");
    let path = path.to_str().unwrap();
    let search = ["chain", "search", "(2^31 - 1) * 2 + 1", "--steps", "1000", "--threads", "1", "--output", path];
    let ran = run(&search);
    assert_eq!((ran.out.as_str(), ran.status), ("", 0), "{}", ran.err);
    assert!(ran.err.contains("steps:") && ran.err.contains("at least"), "{}", ran.err);
    let (exponent, pairs) = steps(&std::fs::read_to_string(path).unwrap());
    assert_eq!(exponent, "0xffffffff");
    let mut elements = vec![1u64];
    for (low, high) in pairs {
        elements.push(elements[low] + elements[high]);
    }
    assert_eq!((elements.len(), *elements.last().unwrap()), (37, 0xffff_ffff));

    // A file is only replaced on request, and goes on from what is there.
    assert_eq!(run(&search).status, 1);
    let resumed = run(&[&search[..], &["--resume", "--quiet"]].concat());
    assert_eq!((resumed.status, resumed.err.as_str()), (0, ""));

    let check = run(&["chain", "check", path]);
    assert!(
        check.out.starts_with("an addition chain for 0xffffffff\n36 steps: 31 squarings, 5 products"),
        "{}",
        check.out
    );
    let script = run(&["chain", "show", path]);
    assert!(script.out.contains("return"), "{}", script.out);
    let script_path = folder.path().join("chain.acc");
    std::fs::write(&script_path, &script.out).unwrap();
    assert!(run(&["chain", "check", script_path.to_str().unwrap()]).out.contains("36 steps: 31 squarings, 5 products"));
    // A long chain has small dots without numbers.
    let long = run(&["chain", "show", "--svg", path]).out;
    assert!(long.starts_with("<svg") && long.contains("r=\"1.6\"") && !long.contains(">4</text>"), "{long}");
    assert!(
        run(&["chain", "gen", path, "--to", "c", "--function", "inverse", "--type", "fe"])
            .out
            .contains("void inverse(fe *out")
    );
}

/// In a picture of a short chain each element stands at its dot.
#[test]
fn a_picture_of_a_short_chain_has_its_numbers() {
    let chain = run(&["chain", "search", "283", "-q"]).out;
    let (_, pairs) = steps(&chain);
    let picture = feed(&["chain", "show", "--svg", "-"], &chain).out;
    let mut elements = vec![1u64];
    for (low, high) in pairs {
        elements.push(elements[low] + elements[high]);
    }
    for element in &elements {
        assert!(picture.contains(&format!(">{element}</text>")), "{element}: {picture}");
    }
    assert_eq!(picture.matches("<circle ").count(), elements.len());
    assert!(picture.contains("r=\"5.5\"") && !picture.contains("r=\"1.6\""), "{picture}");
}

#[test]
fn a_short_exponent_gets_a_shortest_chain() {
    let ran = run(&["chain", "search", "12509"]);
    assert_eq!(steps(&ran.out).1.len(), 17);
    assert!(ran.err.contains("17 (exhaustive search)"), "{}", ran.err);
}

/// On a terminal the search shows each of its parts from its beginning on, and leaves no bar behind.
#[cfg(target_os = "linux")]
#[test]
fn a_search_on_a_terminal_shows_what_it_does() {
    use crate::common::command;
    use std::process::Command;
    let program = command().get_program().to_str().unwrap().to_string();
    // `script` gives the command a terminal.
    let line = format!("{program} chain search 2^255-21 --steps 200000 --threads 1");
    let output = Command::new("script").args(["-qec", &line, "/dev/null"]).output().unwrap();
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{shown}");
    for part in [" methods, ", "annealing, ", " of 200,000 moves, best chain ", "pruning, ", " so far"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert!(shown.contains("\"steps\"") && shown.contains("at least"), "{shown}");
    // The exhaustive search of a short exponent has no known end.
    let line = format!("{program} chain search 1000003 --threads 1");
    let output = Command::new("script").args(["-qec", &line, "/dev/null"]).output().unwrap();
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && shown.contains("exhaustive search"), "{shown}");
}

/// Ctrl-C ends a search that would take weeks, with a chain and the status of an interrupt, also at moves that take ten microseconds each.
#[test]
fn an_interrupted_search_gives_its_best_chain() {
    let child = spawn(&["chain", "search", "2**4000-12345", "--threads", "1", "--steps", "1000000000000"]);
    wait_for_work(&child);
    let status = signal(&child, "INT");
    let ran = finish(child);
    assert_eq!(ran.status, status, "{}", ran.err);
    assert!(steps(&ran.out).1.len() > 4000 && ran.err.contains("interrupted; "), "{}", ran.err);
}

#[test]
fn the_table_is_listed_and_looked_up() {
    let list = run(&["chain", "best"]);
    assert!(list.out.lines().count() > 40, "{}", list.out);
    let chain = run(&["chain", "best", "2^255-21"]);
    assert!(steps(&chain.out).1.len() <= 265);
    assert_eq!(run(&["chain", "best", "25519_inverse"]).out, chain.out);
    let none = run(&["chain", "best", "2^255-22"]);
    assert_eq!((none.status, none.out.as_str()), (1, ""));
}

#[test]
fn what_cannot_be_read_is_an_error() {
    for (option, text, why) in [
        ("--seed", "a", "expected a whole number from 0 on"),
        ("--seconds", "x", "expected a number of seconds from 0 to"),
        ("--rounds", "0", "expected a number from 1 on"),
        ("--threads", "0", "omit the option to use all cores"),
    ] {
        let ran = run(&["chain", "search", "283", option, text]);
        assert!(ran.status == 2 && ran.err.contains(why), "{}", ran.err);
    }
    assert_eq!(run(&["chain", "search", "283", "--seconds", "0.1", "-q"]).status, 0);
    for (arguments, status) in [
        (&["search", "2^"][..], 2),
        (&["search", "0"], 2),
        (&["search", "7/2"], 2),
        (&["search", "7", "--cost", "price:1"], 2),
        (&["search", "7", "--cost", "price:no_kernel:64"], 2),
        (&["check", "no such file"], 1),
        (&["gen", "no such file", "--to", "cobol"], 2),
        (&["gen", "no such file", "--to", "c"], 1),
    ] {
        let ran = run(&[&["chain"], arguments].concat());
        assert_eq!((ran.status, ran.out.as_str()), (status, ""), "{arguments:?}: {}", ran.err);
    }
}
