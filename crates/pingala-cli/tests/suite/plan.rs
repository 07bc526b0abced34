//! `pingala plan`: its command line.

use crate::common::run;
use serde_json::Value;

#[test]
fn a_problem_needs_a_modulus_and_an_exponent() {
    for (arguments, why) in [
        (&["--modulus-bits", "64"][..], "the following required arguments were not provided"),
        (&["--exponent-bits", "64"][..], "the following required arguments were not provided"),
        (&["--modulus-bits", "9", "--modulus", "9", "--exponent", "3"][..], "the argument '--modulus-bits <BITS>'"),
        (&["--modulus", "9", "--trailing-zeros", "1", "--exponent", "3"][..], "the argument '--modulus <NUMBER>'"),
        (
            &["--modulus-bits", "8", "--trailing-zeros", "8", "--exponent-bits", "8"][..],
            "a modulus of 8 bits cannot end",
        ),
        (&["--modulus-bits", "-8", "--exponent-bits", "8"][..], "invalid value '-8'"),
        (&["--modulus-bits", "8", "--exponent-bits", "8", "--count", "0"][..], "invalid value '0'"),
        (&["--modulus", "x", "--exponent", "3"][..], "modulus: 'x' is not a number"),
    ] {
        let ran = run(&[&["plan"], arguments].concat());
        assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{arguments:?}");
        assert!(ran.err.starts_with(&format!("pingala: {why}")), "{arguments:?}: {}", ran.err);
    }
}

/// The numbers of a call, in its order, are as good as options.
#[test]
fn a_call_is_planned_by_its_numbers() {
    for numbers in [["7", "65537", "0xffffffffffffffffffffffff"], ["-7", "-5", "2**90+1"]] {
        let [base, exponent, modulus] = numbers;
        let options = ["--base", base, "--exponent", exponent, "--modulus", modulus];
        for command in ["plan", "explain"] {
            let ran = run(&[&[command], &numbers[..]].concat());
            assert_eq!((ran.status, ran.err.as_str()), (0, ""));
            assert_eq!(ran.out, run(&[&[command], &options[..]].concat()).out);
            let more = ["--kernel", "portable_r64"];
            let behind = run(&[&[command], &numbers[..], &more].concat());
            assert_eq!((behind.status, behind.out), (0, run(&[&[command], &more[..], &options].concat()).out));
        }
    }
    for (arguments, why) in [
        (&["3", "5"][..], "the following required arguments were not provided"),
        (&["3", "5", "7", "9"][..], "unexpected argument '9'"),
        (&["3", "5", "7", "--modulus", "9"][..], "cannot be used with"),
        (&["3", "5", "7", "--secret"][..], "cannot be used with"),
        (&["3", "x", "7"][..], "exponent: 'x' is not a number"),
    ] {
        let ran = run(&[&["explain"], arguments].concat());
        assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{arguments:?}");
        assert!(ran.err.contains(why), "{arguments:?}: {}", ran.err);
    }
}

#[test]
fn a_secret_exponent_is_planned_by_its_length() {
    let ran = run(&["plan", "--modulus-bits", "64", "--exponent", "5", "--secret"]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("cannot be used with"), "{}", ran.err);
}

#[test]
fn a_modulus_must_be_positive() {
    for (modulus, err) in [("0", "pingala: zero modulus\n"), ("-0x5", "pingala: negative modulus\n")] {
        let ran = run(&["plan", "--modulus", modulus, "--exponent", "-3", "--base", "-2"]);
        assert_eq!((ran.status, ran.err.as_str()), (1, err));
    }
}

fn plan(arguments: &[&str]) -> String {
    let ran = run(&[&["plan"], arguments].concat());
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{arguments:?}");
    ran.out
}

const SIZES: [&str; 4] = ["--modulus-bits", "2048", "--exponent-bits", "2048"];

/// The choice follows prices, which change; what is stable is the form.
#[test]
fn a_plan_is_one_line_that_is_taken_back() {
    let line = plan(&SIZES);
    assert_eq!(line.lines().count(), 1);
    assert!(line.contains(" on ") && line.contains("(n="), "{line}");
    assert_eq!(plan(&[&SIZES[..], &["--plan", line.trim()]].concat()), line);

    let line = plan(&["--modulus", "0xffffffffffffffffffffffff", "--exponent", "65537", "--base", "7"]);
    let numbers = ["pow", "7", "65537", "0xffffffffffffffffffffffff", "--quiet"];
    let forced = run(&[&numbers[..], &["--plan", line.trim()]].concat());
    assert_eq!((forced.status, forced.out), (0, run(&numbers).out));
}

#[test]
fn plans_follow_the_problem() {
    let with = |more: &[&str]| plan(&[&SIZES[..], more].concat());
    assert!(with(&["--trailing-zeros", "5"]).starts_with("even("));
    assert!(with(&["--count", "1000"]).starts_with("batch(") && with(&["--count", "1000"]).ends_with(" x 1000)\n"));
    let secret = with(&["--secret"]);
    assert!(secret.contains("fixed_window") || secret.contains("montgomery_ladder"), "{secret}");
    assert!(with(&["--base-bits", "2", "--explain"]).contains("base of 2 bits"));
    assert!(with(&["--plan", "sliding_window(w=3)"]).starts_with("sliding_window(w=3) on "));
    // A power of two leaves no odd part.
    assert!(!plan(&["--modulus", "1024", "--exponent", "77", "--base", "3"]).contains("even("));
}

#[test]
fn explanations_list_the_candidates_in_columns() {
    let text = plan(&[&SIZES[..], &["--explain"]].concat());
    let line = plan(&SIZES);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with(&format!("Chosen: {}, ", line.trim())), "{text}");
    assert!(lines[0].contains(": the cheapest of ") && lines[0].ends_with(" candidates by built-in prices."), "{text}");
    assert!(lines[1].starts_with("Next best: ") && lines[1].contains(" more expensive"), "{text}");
    assert_eq!(
        lines[2..5].join("\n"),
        format!("\nproblem   modulus of 2048 bits, exponent of 2048 bits\nplan      {}", line.trim())
    );
    for word in ["estimate  ", "candidate", "squarings", "time", "sliding_window(w=6) on ", "modified_k_ary(w="] {
        assert!(text.contains(word), "{text}");
    }
    assert!(lines.last().unwrap().ends_with(" candidates are left out; --explain=all shows them"), "{text}");
    assert_eq!(text.matches(" on ").count() - lines[..5].join(" ").matches(" on ").count(), 12, "{text}");
    let pow = run(&["pow", "3", "0xfffffffffff", "0xffffffffffffffc5", "--explain", "--quiet"]);
    assert_eq!(pow.status, 0);
    assert!(pow.err.starts_with("Chosen: "), "{}", pow.err);
    assert!(
        pow.err.contains("\n\nproblem   modulus of 64 bits, exponent of 44 bits, base of 2 bits\nplan      "),
        "{}",
        pow.err
    );
    // The command that explains is the same, by another name, and names its own option.
    let explained = run(&[&["explain"], &SIZES[..]].concat()).out;
    assert_eq!(explained, text.replace("--explain=all", "--all"));
    let all = run(&[&["explain", "--all"], &SIZES[..]].concat()).out;
    assert!(all.lines().count() > 100 && !all.contains("left out"), "{all}");
    assert_eq!(plan(&[&SIZES[..], &["--explain=all"]].concat()), all);
}

#[test]
fn explanations_are_json_too() {
    let text = run(&[&["explain", "--json"], &SIZES[..]].concat()).out;
    let value: Value = serde_json::from_str(&text).unwrap();
    let explained = plan(&[&SIZES[..], &["--explain=json"]].concat());
    assert_eq!(serde_json::from_str::<Value>(&explained).unwrap(), value);
    // One is for people and has lines, the other is one line of objects.
    assert!(explained.lines().count() > 100 && text.lines().count() == 1);
    assert_eq!(value["plan"], plan(&SIZES).trim());
    assert!(value["chosen"].as_str().unwrap().starts_with("Chosen: ") && value["alternative"].is_null(), "{text}");
    let [part] = &value["parts"].as_array().unwrap()[..] else { panic!("{text}") };
    let candidates = part["candidates"].as_array().unwrap();
    let chosen: Vec<_> = candidates.iter().filter(|candidate| candidate["chosen"] == true).collect();
    assert!(candidates.len() > 100 && chosen.len() == 1);
    assert_eq!((&chosen[0]["plan"], &chosen[0]["ratio"]), (&value["plan"], &Value::from(1.0)));
    for field in ["algorithm", "kernel", "squarings", "products", "base_products", "selections", "seconds"] {
        assert!(!chosen[0][field].is_null(), "{field}");
    }
    let pow = run(&["pow", "3", "5", "77", "--explain=json", "-q"]);
    assert!(serde_json::from_str::<Value>(&pow.err).unwrap()["seconds"].is_f64(), "{}", pow.err);
}

/// A forced plan is named, next to the cheapest.
#[test]
fn what_is_forced_is_explained() {
    for line in ["montgomery_ladder", "sliding_window(w=9) on portable_r64(product=cios)"] {
        let text = plan(&[&SIZES[..], &["--explain", "--plan", line]].concat());
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].starts_with(&format!("Forced: {}", line.split('(').next().unwrap())), "{text}");
        assert!(lines[1].starts_with("The cheapest is ") && lines[1].contains(" cheaper, because "), "{text}");
        assert_eq!(lines.iter().filter(|line| line.starts_with("> ")).count(), 1, "{text}");
    }
}

#[test]
fn what_cannot_be_planned_says_so() {
    for (arguments, why) in [
        (&["--plan", "nonsense"][..], "bad plan: "),
        (&["--kernel", "nonsense"][..], "bad plan: no kernel 'nonsense'; `pingala info` lists "),
        (&["--secret", "--plan", "sliding_window(w=5)"][..], "bad plan: "),
        (
            &["--max-modulus-bits", "2047"][..],
            "modulus of 2048 bits is over the cap of 2047; --max-modulus-bits raises it",
        ),
        (
            &["--max-exponent-bits", "2047"][..],
            "exponent of 2048 bits is over the cap of 2047; --max-exponent-bits raises it",
        ),
    ] {
        let ran = run(&[&["plan"], &SIZES[..], arguments].concat());
        assert_eq!((ran.status, ran.out.as_str()), (1, ""), "{arguments:?}");
        assert!(ran.err.starts_with(&format!("pingala: {why}")), "{arguments:?}: {}", ran.err);
        assert_eq!(ran.err.lines().count(), 1);
    }
    let most = u64::MAX.to_string();
    for sizes in [["--modulus-bits", &most, "--exponent-bits", "9"], ["--modulus-bits", "9", "--exponent-bits", &most]]
    {
        assert_eq!(run(&[&["plan"], &sizes[..]].concat()).status, 1);
    }
}
