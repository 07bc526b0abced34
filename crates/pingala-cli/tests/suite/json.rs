//! `--json`: every command prints objects, whose fields docs/command.md lists, and an error is an object too.

use crate::common::{Folder, command, feed, run};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The commands that have no subcommands, by their help, such as `chain search`; and `chain`, which works without one too.
fn commands() -> BTreeSet<String> {
    let mut found = BTreeSet::from(["chain".to_string()]);
    let mut open = vec![Vec::new()];
    while let Some(path) = open.pop() {
        let help =
            run(&[&path[..], &["--help".to_string()]].concat().iter().map(String::as_str).collect::<Vec<_>>()).out;
        let Some(listed) = help.split("\nCommands:\n").nth(1) else {
            found.insert(path.join(" "));
            continue;
        };
        let lines = listed.split("\n\n").next().unwrap().lines().filter(|line| !line.starts_with("   "));
        let names = lines.map(|line| line.split_whitespace().next().unwrap().to_string());
        // `help` prints help.
        open.extend(names.filter(|name| name != "help").map(|name| [&path[..], &[name]].concat()));
    }
    found
}

/// What docs/command.md says of each command: the names in quotes in its row.
fn documented() -> BTreeMap<String, BTreeSet<String>> {
    let page = include_str!("../../../../docs/command.md");
    let section = page.split("\n## JSON\n").nth(1).unwrap().split("\n## ").next().unwrap();
    let quoted = |text: &str| -> BTreeSet<String> { text.split('`').skip(1).step_by(2).map(str::to_string).collect() };
    let mut rows = BTreeMap::new();
    for line in section.lines().filter(|line| line.starts_with("| `")) {
        let (commands, fields) = line[2..].split_once(" | ").unwrap();
        let (commands, fields) = (quoted(commands), quoted(fields));
        for command in commands {
            // `square --verify` is `square`.
            let command = command.split(" --").next().unwrap().to_string();
            rows.entry(command).or_insert_with(BTreeSet::new).extend(fields.clone());
        }
    }
    rows
}

/// Fields whose objects have names of other things as fields.
const MAPS: [&str; 4] = ["codes", "reasons", "weaknesses", "stamp"];

/// The names of all fields.
fn names(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                found.insert(name.clone());
                if !MAPS.contains(&name.as_str()) {
                    names(value, found);
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|value| names(value, found)),
        _ => {}
    }
}

fn objects(text: &str) -> Vec<Map<String, Value>> {
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

const SIZES: [&str; 4] = ["--modulus-bits", "256", "--exponent-bits", "256"];

/// The files that the commands below read.
fn files() -> Folder {
    let folder = Folder::new();
    folder.file(
        "rows.jsonl",
        "{\"base\":2,\"exponent\":10,\"modulus\":1009}\n{\"base\":2,\"exponent\":-1,\"modulus\":4}\n",
    );
    folder.file("exponents.txt", "2\n\n3\n");
    folder.file("pairs.txt", "2 10\n3 4\n");
    folder.file("numbers.csv", "n\n7\n8\nx\n");
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../pingala-verify/tests/data");
    std::fs::copy(format!("{data}/rsa.pem"), folder.path("rsa.pem")).unwrap();
    let signature: String =
        std::fs::read(format!("{data}/rsa.sig")).unwrap().iter().map(|b| format!("{b:02x}")).collect();
    let row = |message: &str| json!({ "signature": signature, "message": message }).to_string();
    folder.file("signatures.jsonl", format!("{}\n{}\n", row("Pingala\n"), row("other")));
    let chain = run(&["chain", "search", "283", "-q", "--output", &folder.path("chain.json")]);
    assert_eq!(chain.status, 0, "{}", chain.err);
    let table = run(&["table", "build", "3", "2**127-1", &folder.path("three.table"), "--memory", "4K"]);
    assert_eq!(table.status, 0, "{}", table.err);
    let proved = run(&["prime", "random", "128", "--proof", "--output", &folder.path("certificate.txt")]);
    assert_eq!(proved.status, 0, "{}", proved.err);
    folder
}

/// A command line of every command, with its exit status and the number of objects on standard output.
fn lines() -> Vec<(&'static str, &'static [&'static str], i32, usize)> {
    let key: &[&str] = &["signatures.jsonl", "--scheme", "rsa-pkcs1", "--key", "rsa.pem", "--output", "verdicts"];
    vec![
        ("pow", &["3", "5", "7"], 0, 1),
        ("square", &["3", "5", "1009"], 0, 1),
        ("square", &["3", "5", "1009", "--proof"], 0, 1),
        ("batch", &["rows.jsonl", "--output", "results.jsonl"], 3, 1),
        ("verify", key, 4, 1),
        ("verify", &["signatures.jsonl", "--scheme", "rsa-pkcs1", "--key", "rsa.pem", "--explain"], 0, 1),
        ("multi", &["3", "1009", "exponents.txt"], 0, 2),
        ("product", &["1009", "pairs.txt"], 0, 1),
        (
            "job run",
            &[
                "rows.jsonl",
                "--base",
                "base",
                "--exponent",
                "value:3",
                "--modulus",
                "modulus",
                "-o",
                "job",
                "--plan-only",
            ],
            0,
            1,
        ),
        (
            "job run",
            &["rows.jsonl", "--base", "base", "--exponent", "value:3", "--modulus", "modulus", "-o", "job"],
            0,
            1,
        ),
        ("job status", &["job"], 0, 1),
        ("job verify", &["job"], 0, 1),
        ("table build", &["3", "2**89-1", "other.table", "--memory", "4K"], 0, 1),
        ("table info", &["three.table"], 0, 1),
        ("table verify", &["three.table"], 0, 1),
        ("table pow", &["three.table", "exponents.txt"], 0, 2),
        ("prime test", &["91", "97"], 4, 2),
        ("prime next", &["100", "--count", "3"], 0, 3),
        ("prime between", &["90", "102"], 0, 2),
        ("prime random", &["64"], 0, 1),
        ("prime random", &["64", "--estimate"], 0, 1),
        ("prime random", &["96", "--proof"], 0, 1),
        ("prime random", &["128", "--pair", "paillier", "--output", "secret.txt"], 0, 1),
        ("prime certify", &["1000003"], 0, 1),
        ("prime check", &["certificate.txt"], 0, 1),
        ("prime symbol", &["2", "15"], 0, 1),
        ("prime sqrt", &["1", "--factors", "2^3,7", "--all"], 0, 8),
        ("plan", &SIZES, 0, 1),
        ("explain", &SIZES, 0, 1),
        ("chain", &["283"], 0, 1),
        ("chain", &["--algorithm", "sliding_window(w=3)", "283"], 0, 1),
        ("chain search", &["283"], 0, 1),
        ("chain check", &["chain.json"], 0, 1),
        ("chain show", &["chain.json"], 0, 1),
        ("chain best", &[], 0, 1),
        ("chain best", &["25519_inverse"], 0, 1),
        ("chain gen", &["chain.json", "--to", "go"], 0, 1),
        ("trace", &["--algorithm", "binary_left_to_right", "13"], 0, 1),
        ("algorithms", &[], 0, 1),
        ("info", &[], 0, 1),
        ("tune", &["--kernel", "portable_fixed_r64", "--output", "prices.txt"], 0, 1),
        ("bench", &["--modulus-bits", "256", "--seconds", "0.05"], 0, 1),
        ("bench", &["--modulus-bits", "256", "--seconds", "0.01", "--energy"], 0, 1),
        ("completions", &["bash"], 0, 1),
        ("man", &[], 0, 1),
        ("man", &["--out", "man1"], 0, 1),
    ]
}

/// Every command of the tree prints objects with fields that the page lists, and nothing else.
#[test]
fn every_command_prints_objects() {
    let (folder, documented) = (files(), documented());
    let tried: BTreeSet<String> = lines().iter().map(|line| line.0.to_string()).collect();
    assert_eq!(tried, commands(), "each command needs a line in this test");
    assert_eq!(
        documented.keys().cloned().collect::<BTreeSet<_>>(),
        tried,
        "each command needs a row in docs/command.md"
    );
    for (name, arguments, status, count) in lines() {
        let words = name.split(' ').chain(arguments.iter().copied()).chain(["--json"]);
        let output = command().args(words).current_dir(folder.path("")).output().unwrap();
        let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        assert_eq!((output.status.code(), err.as_str()), (Some(status), ""), "{name} {arguments:?}: {out}");
        let printed = objects(&out);
        assert_eq!(printed.len(), count, "{name} {arguments:?}: {out}");
        if name == "explain" {
            // Its fields have a table of their own.
            assert!(printed[0].contains_key("parts") && printed[0].contains_key("next_best"), "{out}");
            continue;
        }
        let mut found = BTreeSet::new();
        printed.iter().for_each(|object| names(&Value::Object(object.clone()), &mut found));
        let unknown: Vec<_> = found.difference(&documented[name]).collect();
        assert!(unknown.is_empty(), "docs/command.md does not list {unknown:?} of {name}");
        let is_snake =
            |name: &String| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
        assert!(found.iter().all(is_snake), "{found:?}");
    }
}

/// Every command answers a wrong command line with one object on standard error.
#[test]
fn every_command_reports_errors_as_objects() {
    for name in commands() {
        let words: Vec<&str> = name.split(' ').chain(["--json", "--no-such-option"]).collect();
        let ran = run(&words);
        let printed = objects(&ran.err);
        assert_eq!((ran.status, ran.out.as_str(), printed.len()), (2, "", 1), "{name}: {}", ran.err);
        let error = printed[0]["error"].as_object().unwrap();
        assert_eq!(error["code"], "usage", "{name}");
        let message = error["message"].as_str().unwrap();
        // If the option could be read as a number, the missing numbers are named first.
        let missed = ["required arguments were not provided", "the modulus is missing"];
        let what = message.contains("--no-such-option") || missed.iter().any(|text| message.contains(text));
        assert!(what && !message.contains("Usage:"), "{name}: {message}");
    }
}

#[test]
fn the_status_is_that_of_the_run_and_the_code_says_why() {
    for (arguments, status, code) in [
        (&["pow", "2", "-1", "4"][..], 1, "not_invertible"),
        (&["pow", "2", "x", "4"], 2, "usage"),
        (&["pow", "2", "3", "0"], 1, "zero_modulus"),
        (&["pow", "2", "3", "2**200", "--max-modulus-bits", "64"], 1, "too_long"),
        (&["pow", "2", "3", "@no such file"], 1, "bad_file"),
        (&["pow", "2", "3", "7", "--kernel", "abacus"], 1, "bad_plan"),
        (&["batch", "no such file", "--output", "-"], 1, "bad_file"),
        (&["verify", "no such file", "--output", "-"], 1, "bad_file"),
        (&["table", "info", "no such file"], 1, "bad_file"),
        (&["multi", "2", "7", "no such file"], 1, "bad_file"),
        (&["prime", "check", "no such file"], 1, "bad_file"),
        (&["prime", "random", "64", "--secret", "--output", "-"], 2, "usage"),
        (&["chain", "best", "2^255-22"], 1, "bad_argument"),
        (&["chain", "show", "x", "--svg"], 2, "usage"),
        (&["chain", "best", "--svg"], 2, "usage"),
        (&["job", "status", "no such folder"], 1, "bad_file"),
        (&["--cpu=-abacus", "info"], 2, "usage"),
    ] {
        let ran = run(&[&["--json"], arguments].concat());
        let printed = objects(&ran.err);
        assert_eq!((ran.status, ran.out.as_str(), printed.len()), (status, "", 1), "{arguments:?}: {}", ran.err);
        assert_eq!(printed[0]["error"]["code"], code, "{arguments:?}: {}", ran.err);
    }
    // The line of a file is named, with the code of its error.
    let ran = feed(&["multi", "2", "7", "-", "--json"], "1\nx\n");
    let error = &objects(&ran.err)[0]["error"];
    assert!(error["code"] == "not_a_number" && error["message"].as_str().unwrap().contains("line 2"), "{}", ran.err);
}

/// Numbers are hexadecimal text whatever the arguments are, and decimal on request.
#[test]
fn answers_are_right() {
    let one = |arguments: &[&str]| -> Value { serde_json::from_str(&run(arguments).out).unwrap() };
    assert_eq!(one(&["pow", "3", "4", "1009", "--json"]), json!({ "result": "0x51" }));
    assert_eq!(one(&["pow", "3", "0x4", "1009", "--json", "--decimal"]), json!({ "result": "81" }));
    assert_eq!(one(&["prime", "symbol", "2", "15", "--json"]), json!({ "symbol": 1 }));
    assert_eq!(one(&["prime", "sqrt", "-1", "13", "--json"]), json!({ "root": "0x5" }));
    let rows = feed(&["multi", "3", "1009", "-", "--json"], "2\n\n3\n").rows();
    assert_eq!(rows, [json!({ "id": 1, "result": "0x9" }), json!({ "id": 3, "result": "0x1b" })]);
    let chain = one(&["chain", "-a", "binary_left_to_right", "13", "--json"]);
    assert_eq!(
        (&chain["elements"], &chain["steps"]),
        (&json!(["0x1", "0x2", "0x3", "0x6", "0xc", "0xd"]), &json!([[0, 0], [0, 1], [2, 2], [3, 3], [0, 4]]))
    );
    // An explanation is an object on standard error.
    let ran = run(&["pow", "3", "1000", "1000003", "--explain", "--json"]);
    assert_eq!((ran.status, objects(&ran.out).len()), (0, 1));
    assert!(objects(&ran.err)[0]["explanation"]["plan"].is_string(), "{}", ran.err);
}

/// Rows take standard output; the summary goes to standard error then.
#[test]
fn summaries_count_rows() {
    let input =
        "{\"base\":2,\"exponent\":10,\"modulus\":1009,\"expected\":1}\n{\"base\":2,\"exponent\":-1,\"modulus\":4}\n";
    let ran = feed(&["batch", "-", "--output", "-", "--json"], input);
    assert_eq!((ran.status, ran.rows().len()), (4, 2));
    let summary = &objects(&ran.err)[0];
    let expected = json!({ "rows": 2, "results": 1, "expected_errors": 0, "errors": 1, "codes": { "not_invertible": 1 }, "mismatches": 1, "first_mismatch": "line 1" });
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(&summary[name], value, "{name}: {}", ran.err);
    }
    assert!(summary["first_error"].as_str().unwrap().starts_with("line 2: "), "{}", ran.err);

    let folder = files();
    let ran = run(&["prime", "test", "--file", &folder.path("numbers.csv"), "--field", "n", "--json"]);
    let summary = &objects(&ran.err)[0];
    assert_eq!((ran.status, ran.rows().len(), &summary["not_prime"], &summary["errors"]), (4, 3, &json!(1), &json!(1)));

    let (path, key) = (folder.path("signatures.jsonl"), folder.path("rsa.pem"));
    let ran = run(&["verify", &path, "--scheme", "rsa-pkcs1", "--key", &key, "--output", "-", "--json"]);
    let summary = &objects(&ran.err)[0];
    assert_eq!((ran.status, &summary["valid"], &summary["reasons"]), (4, &json!(1), &json!({ "mismatch": 1 })));
}

/// What one command prints as JSON, another reads.
#[test]
fn objects_are_files_of_other_commands() {
    let folder = Folder::new();
    let chain = run(&["chain", "search", "2^31-1", "--steps", "100", "--json"]);
    let file = folder.file("chain.json", &chain.out);
    let shown = run(&["chain", "show", &file, "--json"]);
    let again = folder.file("again.json", &shown.out);
    let check: Value = serde_json::from_str(&run(&["chain", "check", &again, "--json"]).out).unwrap();
    assert_eq!((&check["exponent"], &check["length"]), (&json!("0x7fffffff"), &objects(&chain.out)[0]["length"]));

    // The modulus of RSA-1024, whose factors were never published.
    let modulus = include_str!("../../../pingala-proofs/tests/squarings.tsv")
        .lines()
        .filter_map(|line| line.split('\t').next().filter(|modulus| modulus.len() == 258))
        .next()
        .unwrap();
    let proved = run(&["square", "3", "100", modulus, "--proof", "--json"]);
    let file = folder.file("proved.json", &proved.out);
    let verified = run(&["square", "--verify", &file, "--json"]);
    let verdict = &objects(&verified.out)[0];
    assert_eq!(
        (verified.status, &verdict["valid"], &verdict["squarings"]),
        (0, &json!(true), &json!(100)),
        "{}",
        verified.err
    );
    let other = run(&["square", "3", "101", modulus, "--verify", &file, "--json"]);
    assert_eq!((other.status, &objects(&other.out)[0]["valid"]), (4, &json!(false)));
}
