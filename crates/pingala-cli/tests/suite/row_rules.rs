//! Rules for rows of text that `batch`, `verify` and `job` share.

use crate::common::{Folder, feed, run};
use serde_json::Value;

/// What each of the three says of two rows, of which the first is `row`: the code of its error, and whether the second has one.
fn codes(head: &str, row: &str, good: &str, extension: &str) -> Vec<(&'static str, Option<String>, bool)> {
    let folder = Folder::new();
    let input = folder.file(&format!("in.{extension}"), format!("{head}{row}\n{good}\n"));
    let numbers = ["--base", "b", "--exponent", "value:2", "--modulus", "value:101"];
    let code = |row: &Value| row["error"]["code"].as_str().or(row["error"].as_str()).map(str::to_string);
    let mut found = Vec::new();
    let mut note = |name, rows: &[Value]| {
        assert_eq!(rows.len(), 2, "{name} {row}");
        found.push((name, code(&rows[0]), code(&rows[1]).is_some()));
    };
    let ran = run(&[&["batch", &input, "--output", "-", "--quiet"], &numbers[..]].concat());
    note("batch", &ran.rows());
    let ran = run(&["verify", &input, "--output", "-", "--scheme", "rsa-pkcs1"]);
    note("verify", &ran.rows());
    let output = folder.path("out");
    let ran =
        run(&[&["job", "run", &input, "--output", &output, "--format", "jsonl", "--keep", "s"], &numbers[..]].concat());
    let text = std::fs::read_to_string(folder.path("out/part-00000.jsonl"));
    let text = text.unwrap_or_else(|_| panic!("{row}: {}", ran.err));
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    note("job", &rows);
    found
}

/// A name that an object has twice is refused, whatever it means, wherever it stands, and however it is written.
#[test]
fn a_field_that_is_given_twice_is_refused() {
    let key = "\"n\":\"0xc7fb\",\"e\":\"0x11\",\"message\":\"x\"";
    let good = format!("{{\"b\":2,\"s\":3,{key}}}");
    for twice in [
        format!("{{\"b\":2,\"b\":2,\"s\":3,{key}}}"),
        format!("{{\"b\":2,\"b\":3,\"s\":3,{key}}}"),
        format!("{{\"b\":2,\"\\u0062\":3,\"s\":3,{key}}}"),
        format!("{{\"b\":2,\"s\":3,\"message\":\"y\",{key}}}"),
        format!("{{\"b\":2,\"s\":3,\"other\":1,\"other\":2,{key}}}"),
        format!("{{\"b\":2,\"s\":3,\"other\":{{\"x\":1,\"x\":2}},{key}}}"),
        format!("{{\"b\":2,\"s\":3,\"other\":[1,[{{\"y\":{{\"x\":1,\"x\":1}}}}]],{key}}}"),
        format!("{{\"id\":1,\"id\":2,\"b\":2,\"s\":3,{key}}}"),
    ] {
        for (name, code, next_fails) in codes("", &twice, &good, "jsonl") {
            assert_eq!(code.as_deref(), Some("bad_row"), "{name} {twice}");
            assert!(name == "verify" || !next_fails, "{name} {twice}");
        }
    }
    for once in
        [good.clone(), format!("{{\"b\":2,\"s\":3,\"x\":{{\"b\":1,\"y\":[{{\"b\":1}},{{\"b\":1}}]}},\"B\":4,{key}}}")]
    {
        for (name, code, _) in codes("", &once, &good, "jsonl") {
            assert_ne!(code.as_deref(), Some("bad_row"), "{name} {once}");
        }
    }
}

#[test]
fn a_column_that_is_named_twice_is_refused() {
    let folder = Folder::new();
    for header in ["b,s,n,e,message,b", "b,s,n,e,message,other,other", "b,s,n,e,message,\"s\"", "b,s,n,e,message, n "] {
        let columns = header.split(',').count();
        let row = vec!["3"; columns].join(",");
        let input = folder.file("in.csv", format!("{header}\n{row}\n"));
        let numbers = ["--base", "b", "--exponent", "value:2", "--modulus", "value:101"];
        let output = folder.path("out");
        for arguments in [
            [&["batch", &input, "--output", "-"], &numbers[..]].concat(),
            vec!["verify", &input, "--output", "-", "--scheme", "rsa-pkcs1"],
            [&["job", "run", &input, "--output", &output], &numbers[..]].concat(),
        ] {
            let ran = run(&arguments);
            assert!(ran.status == 1 && ran.err.contains("twice"), "{header} {arguments:?}: {}", ran.err);
        }
    }
    // Columns without a name are nobody's: spreadsheets write them behind the last one.
    let ran = feed(&["batch", "-", "--output", "-", "--format", "csv"], "base,exponent,modulus,,\n2,3,5,,\n");
    assert_eq!((ran.status, &ran.rows()[0]["result"]), (0, &Value::from("0x3")), "{}", ran.err);
}

/// A row of JSON Lines that is missing a field, or is no object, has no say in the rows behind it, also if it is the first.
#[test]
fn a_bad_first_row_is_one_bad_row() {
    let good = "{\"b\":2,\"s\":3}";
    for (bad, code) in
        [("{\"s\":3}", None), ("nonsense", Some("bad_row")), ("[1,2]", Some("bad_row")), ("{\"b\":", Some("bad_row"))]
    {
        for (name, found, next_fails) in codes("", bad, good, "jsonl") {
            if name == "job" {
                assert_eq!((found.as_deref(), next_fails), (code, false), "{bad}");
            } else {
                assert_eq!(found.as_deref(), Some("bad_row"), "{name} {bad}");
            }
        }
    }
    let folder = Folder::new();
    for (text, why) in [("nonsense\n[]\n", "line 1: no JSON object"), ("{\"x\":1}\n", "neither a column nor a number")]
    {
        let input = folder.file("in.jsonl", text);
        let ran =
            run(&["job", "run", &input, "-o", &folder.path("out"), "--base", "b", "--exponent", "2", "--modulus", "7"]);
        assert!(ran.status == 1 && ran.err.contains(why), "{}", ran.err);
    }
}
