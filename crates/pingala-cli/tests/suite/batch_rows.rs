//! `pingala batch`: what comes of each row.

use crate::common::{batch, batch_csv, feed, vectors};
use serde_json::{Value, json};

fn result(id: Value, result: &str) -> Value {
    json!({"id": id, "result": result})
}

/// Code and line of an error row.
fn error(row: &Value) -> (&str, &str, u64) {
    let error = &row["error"];
    (error["code"].as_str().unwrap(), error["message"].as_str().unwrap(), error["line"].as_u64().unwrap())
}

#[test]
fn numbers_of_every_notation_in_input_order() {
    let ran = batch(
        r#"{"id":1,"base":2,"exponent":10,"modulus":1000}
{"modulus":"1000","exponent":"0xA","base":"0x2","id":"two"}
{"id":null,"base":-3,"exponent":"5","modulus":"0x7"}
{"id":-1.50,"base":"-0x3","exponent":-5,"modulus":7}
{"id":true,"base":"+2","exponent":"\u0031\u0030","modulus":1000}
{"base":123456789012345678901234567890123456789012345678901234567890,"exponent":1,"modulus":18446744073709551616}
{"base":5,"exponent":-1,"modulus":1,"else":{"deep":[1,{"x":2.5}]},"more":null}
"#,
    );
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert_eq!(ran.err, "");
    assert_eq!(ran.rows()[..3], [result(json!(1), "0x18"), result(json!("two"), "0x18"), result(Value::Null, "0x2")]);
    // An id is echoed in its own notation.
    assert!(ran.out.contains("{\"id\":-1.50,\"result\":\"0x4\"}\n"), "{}", ran.out);
    assert_eq!(ran.rows()[4], result(json!(true), "0x18"));
    assert_eq!(ran.rows()[5], result(json!(6), "0x8ccff196ce3f0ad2"));
    assert_eq!(ran.rows()[6], result(json!(7), "0x0"));
}

#[test]
fn a_bad_row_is_an_error_row_and_spoils_no_neighbour() {
    let good = r#"{"id":"good","base":2,"exponent":3,"modulus":5}"#;
    for (bad, code, message) in [
        (
            r#"{"base":1e5,"exponent":3,"modulus":5}"#,
            "not_a_number",
            "base: '1e5' is not a number: a float; write integers",
        ),
        (r#"{"base":2,"exponent":1.0,"modulus":5}"#, "not_a_number", "exponent: '1.0' is not a number: a float"),
        (r#"{"base":2,"exponent":3,"modulus":"5.0"}"#, "not_a_number", "modulus: '5.0' is not a number: a float"),
        (
            r#"{"base":"0x","exponent":3,"modulus":5}"#,
            "not_a_number",
            "base: '0x' is not a number: expected a hexadecimal",
        ),
        (
            r#"{"base":"","exponent":3,"modulus":5}"#,
            "not_a_number",
            "base: '' is not a number: expected a decimal digit",
        ),
        (r#"{"base":"2 0","exponent":3,"modulus":5}"#, "not_a_number", "base: '2 0' is not a number: no white space"),
        (
            r#"{"base":" ","exponent":3,"modulus":5}"#,
            "not_a_number",
            "base: '' is not a number: expected a decimal digit",
        ),
        (r#"{"base":"1_0","exponent":3,"modulus":5}"#, "not_a_number", "base: '1_0' is not a number: no underscore"),
        (
            r#"{"base":"٣","exponent":3,"modulus":5}"#,
            "not_a_number",
            "base: '٣' is not a number: expected a decimal digit",
        ),
        (
            r#"{"base":"--2","exponent":3,"modulus":5}"#,
            "not_a_number",
            "base: '--2' is not a number: expected a decimal digit",
        ),
        (r#"{"base":null,"exponent":3,"modulus":5}"#, "not_a_number", "base: not a number: it is null"),
        (r#"{"base":[2],"exponent":3,"modulus":5}"#, "not_a_number", "base: not a number: it is a list"),
        (r#"{"base":{"a":2},"exponent":3,"modulus":5}"#, "not_a_number", "base: not a number: it is an object"),
        (r#"{"base":true,"exponent":3,"modulus":5}"#, "not_a_number", "base: not a number: it is true or false"),
        (r#"{"base":"\ud800","exponent":3,"modulus":5}"#, "not_a_number", "base: not a number: it is text with half"),
        (r#"{"base":2,"exponent":3,"modulus":5,"expected":"x"}"#, "not_a_number", "expected: 'x' is not a number"),
        (r#"{"exponent":3,"modulus":5}"#, "bad_row", "base is missing"),
        (r#"{"base":2,"exponent":3}"#, "bad_row", "modulus is missing"),
        (r#"{}"#, "bad_row", "base is missing"),
        (r#"{"base":2,"base":2,"exponent":3,"modulus":5}"#, "bad_row", "base is given twice"),
        (r#"{"id":[1],"base":2,"exponent":3,"modulus":5}"#, "bad_row", "id is neither text nor a number"),
        (r#"{"base":2,"exponent":3,"modulus":5"#, "bad_row", "not a JSON object: EOF while parsing"),
        (r#"{"base":2,"exponent":3,"modulus":5}}"#, "bad_row", "not a JSON object: trailing characters, at byte 36"),
        (r#"{"base":02,"exponent":3,"modulus":5}"#, "bad_row", "not a JSON object: invalid number"),
        (r#"{"base":NaN,"exponent":3,"modulus":5}"#, "bad_row", "not a JSON object: expected value"),
        (r#"[2,3,5]"#, "bad_row", "not a JSON object: it is an array"),
        ("2,3,5", "bad_row", "not a JSON object: "),
        ("\u{0}", "bad_row", "not a JSON object: "),
        (r#"{"base":2,"exponent":3,"modulus":0}"#, "zero_modulus", "zero modulus"),
        (r#"{"base":2,"exponent":3,"modulus":-0}"#, "zero_modulus", "zero modulus"),
        (r#"{"base":2,"exponent":3,"modulus":-5}"#, "negative_modulus", "negative modulus"),
        (r#"{"base":2,"exponent":-3,"modulus":4}"#, "not_invertible", "base is not invertible for the given modulus"),
    ] {
        let ran = batch(format!("{good}\n{bad}\n{good}\n"));
        let rows = ran.rows();
        assert_eq!((ran.status, rows.len()), (3, 3), "{bad}");
        assert_eq!((&rows[0], &rows[2]), (&result(json!("good"), "0x3"), &result(json!("good"), "0x3")), "{bad}");
        let (got_code, got_message, line) = error(&rows[1]);
        assert_eq!((got_code, line), (code, 2), "{bad}");
        assert!(got_message.starts_with(message), "{bad}: {got_message}");
        assert_eq!(rows[1]["id"], 2, "{bad}");
    }
}

#[test]
fn a_bad_row_keeps_its_id() {
    let ran = batch(r#"{"id":"x\"y","base":"z","exponent":3,"modulus":5,"expected":3}"#);
    let row = &ran.rows()[0];
    assert_eq!(row["id"], "x\"y");
    // It was not computed, so nothing can be said about a match.
    assert_eq!(row.get("match"), None);
    assert_eq!(ran.status, 3);
}

#[test]
fn nothing_deep_is_followed() {
    let ran = batch(format!("{{\"base\":{}1", "[".repeat(1 << 20)));
    assert_eq!(ran.status, 3);
    let ran = batch(format!(
        "{{\"x\":{}{},\"base\":2,\"exponent\":3,\"modulus\":5}}",
        "[".repeat(50_000),
        "]".repeat(50_000)
    ));
    assert!(ran.status == 0 || error(&ran.rows()[0]).0 == "bad_row", "{}", ran.out);
}

#[test]
fn expected_results_are_compared() {
    let ran = batch(
        r#"{"id":1,"base":2,"exponent":3,"modulus":5,"expected":3}
{"id":2,"base":2,"exponent":3,"modulus":5,"expected":"0x03"}
{"id":3,"base":2,"exponent":3,"modulus":5,"expected":null}
{"id":4,"base":2,"exponent":3,"modulus":0,"expected":"error"}
{"id":5,"base":2,"exponent":-3,"modulus":4,"expected":"error"}
"#,
    );
    let rows = ran.rows();
    let matches: Vec<_> = rows.iter().map(|row| row.get("match").cloned()).collect();
    assert_eq!(matches, [Some(json!(true)), Some(json!(true)), None, Some(json!(true)), Some(json!(true))]);
    assert_eq!(error(&rows[3]), ("zero_modulus", "zero modulus", 4));
    assert_eq!(ran.status, 0);

    for row in [
        r#"{"base":2,"exponent":3,"modulus":5,"expected":4}"#,
        r#"{"base":2,"exponent":3,"modulus":5,"expected":-2}"#,
        r#"{"base":2,"exponent":3,"modulus":5,"expected":8}"#,
        r#"{"base":2,"exponent":3,"modulus":5,"expected":"error"}"#,
        r#"{"base":2,"exponent":3,"modulus":0,"expected":1}"#,
    ] {
        let ran = batch(format!("{row}\nnonsense\n"));
        assert_eq!((ran.rows()[0]["match"].clone(), ran.status), (json!(false), 4), "{row}");
    }
}

#[test]
fn lines_are_counted_as_an_editor_counts_them() {
    let row = r#"{"base":2,"exponent":3,"modulus":5}"#;
    let ran = batch(format!("\u{feff}{row}\r\n\r\n  \t\n{row}\n\n\nx\r\n{row}"));
    let ids: Vec<_> = ran.rows().iter().map(|row| row["id"].as_u64().unwrap()).collect();
    assert_eq!(ids, [1, 4, 7, 8]);
    assert_eq!(error(&ran.rows()[2]).2, 7);
}

#[test]
fn bytes_that_are_no_text_are_one_bad_row() {
    let good = br#"{"base":2,"exponent":3,"modulus":5}"#;
    let ran = batch([good, &b"\n{\"base\":\"\xff\"}\n"[..], good].concat());
    assert_eq!(error(&ran.rows()[1]), ("bad_row", "not UTF-8 at byte 10 of the line", 2));
    assert_eq!((ran.rows().len(), ran.status), (3, 3));
}

#[test]
fn lengths_are_capped() {
    let row = |base: &str, exponent: &str, modulus: &str| {
        format!("{{\"base\":\"{base}\",\"exponent\":\"{exponent}\",\"modulus\":\"{modulus}\"}}\n")
    };
    let ones = |count| "1".repeat(count);
    let input = [
        row("2", "3", &ones(40)),
        row("2", &ones(40), "5"),
        row("2", &format!("0x{}", ones(40)), "5"),
        row(&ones(80), "3", "5"),
        row("2", "3", "5"),
    ];
    let caps = ["--max-modulus-bits", "100", "--max-exponent-bits", "120"];
    let ran = feed(&[&["batch", "-", "-o", "-"], &caps[..]].concat(), input.concat());
    let rows = ran.rows();
    assert_eq!(error(&rows[0]).0, "too_long");
    assert!(error(&rows[0]).1.starts_with("modulus of 130 bits is over the cap of 100"), "{}", rows[0]);
    assert!(error(&rows[1]).1.starts_with("exponent of 130 bits is over the cap of 120"), "{}", rows[1]);
    assert!(error(&rows[2]).1.starts_with("exponent of 157 bits is over the cap of 120"), "{}", rows[2]);
    assert!(error(&rows[3]).1.starts_with("base of 263 bits is over the cap of 120"), "{}", rows[3]);
    assert_eq!(rows[4]["result"], "0x3");

    let ran = feed(&["batch", "-", "-o", "-", "--max-line-bytes", "50"], input.concat());
    let rows = ran.rows();
    assert_eq!(error(&rows[0]), ("too_long", "the line is over the cap of 50 bytes", 1));
    assert_eq!(rows[4]["result"], "0x3");
}

#[test]
fn csv_columns_in_any_order_quoted_or_not() {
    let ran = batch_csv(
        "\u{feff}id, modulus ,\"base\",note,exponent,expected\r\n\
         a,5,2,,3,3\r\n\
         \"b \"\"q\"\", c\",\"5\",\" 2 \",\"two\r\nlines\",0x3,\r\n\
         \r\n\
         ,7,-3,x,-5,0x4\r\n\
         17,0,1,x,1,error\r\n",
    );
    assert_eq!(ran.status, 0, "{}", ran.out);
    assert_eq!(
        ran.rows()[..3],
        [
            json!({"id": "a", "result": "0x3", "match": true}),
            json!({"id": "b \"q\", c", "result": "0x3"}),
            json!({"id": 6, "result": "0x4", "match": true}),
        ]
    );
    assert_eq!((&ran.rows()[3]["id"], error(&ran.rows()[3]).2), (&json!("17"), 7));
}

#[test]
fn bad_csv_rows() {
    let ran = batch_csv("base,exponent,modulus\n2,3\n2,3,5,7\n2,,5\n\"2\"x,3,5\n1.5,3,5\n2,3,5\n2,3,\"5\n2,3,5\n");
    let rows = ran.rows();
    let errors: Vec<_> = rows.iter().filter(|row| row.get("error").is_some()).map(error).collect();
    assert_eq!(
        errors,
        [
            ("bad_row", "the row has 2 fields, the header 3: '2,3'", 2),
            ("bad_row", "the row has 4 fields, the header 3: '2,3,5,7'", 3),
            ("bad_row", "exponent is missing", 4),
            ("bad_row", "text behind the closing quote of field 1: '\"2\"x,3,5'", 5),
            ("not_a_number", "base: '1.5' is not a number: a float; write integers out in full", 6),
            ("bad_row", "a quote is never closed: '2,3,\"5\\n2,3,5'", 8),
        ]
    );
    assert_eq!(rows[5], json!({"id": 7, "result": "0x3"}));
    assert_eq!(ran.status, 3);
    // A quote that is never closed swallows no more than a line's cap.
    let input = format!("base,exponent,modulus\n\"2,3,5\n{}", "2,3,5\n".repeat(100));
    let ran = feed(&["batch", "-", "-o", "-", "--max-line-bytes", "60"], input);
    assert_eq!(error(&ran.rows()[0]), ("too_long", "the line is over the cap of 60 bytes", 2));
    assert!(ran.rows()[1..].iter().all(|row| row["result"] == "0x3"));
    assert!(ran.rows().len() > 90);
}

#[test]
fn a_csv_needs_its_header() {
    for (input, why) in [
        ("", "standard input has no header line"),
        ("\n\n", "standard input has no header line"),
        (
            "base,exponent\n1,2\n",
            "standard input, line 1: the header names no column modulus: it is 'base,exponent'; expected",
        ),
        ("\nbase,base,exponent,modulus\n", "standard input, line 2: the header names the column base twice"),
    ] {
        let ran = batch_csv(input);
        assert_eq!((ran.status, ran.out.as_str()), (1, ""), "{input:?}");
        assert!(ran.err.starts_with(&format!("pingala: {why}")), "{input:?}: {}", ran.err);
    }
}

#[test]
fn the_format_is_told_from_the_first_line() {
    let sniffed = |input: &str| feed(&["batch", "-", "-o", "-", "-q"], input).rows();
    assert_eq!(sniffed("\n\nmodulus,exponent,base\n5,3,2\n"), [result(json!(4), "0x3")]);
    assert_eq!(sniffed("\n {\"base\":2,\"exponent\":3,\"modulus\":5}"), [result(json!(2), "0x3")]);
    assert_eq!(error(&sniffed("nonsense\n{\"base\":2,\"exponent\":3,\"modulus\":5}")[0]).0, "bad_row");
    assert_eq!(sniffed(""), [Value::Null; 0]);
}

/// Every vector of the repository: the truth is independent of this code.
#[test]
fn the_vectors_of_the_repository() {
    for (name, least) in [("edges.jsonl", 900), ("mozilla_rsa_roots.jsonl", 50), ("rfc3526_agreements.jsonl", 30)] {
        let path = vectors(name);
        let ran = feed(&["batch", path.to_str().unwrap(), "--output", "-", "--quiet"], "");
        assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{name}");
        assert!(ran.rows().len() >= least, "{name}");
        assert!(ran.rows().iter().all(|row| row["match"] == true), "{name}");
    }
}

/// Many rows through many threads, each with its own answer in its own place.
#[test]
fn order_is_kept() {
    let prime = 1_000_003u64;
    let rows = (0..20_000u64).map(|i| match i % 7 {
        0 => format!("{{\"id\":{i},\"base\":{i},\"exponent\":1,\"modulus\":0}}\n"),
        _ => format!("{{\"id\":{i},\"base\":{i},\"exponent\":2,\"modulus\":{prime},\"expected\":{}}}\n", i * i % prime),
    });
    let ran = feed(&["batch", "-", "-o", "-", "--threads", "4"], rows.collect::<String>());
    for (i, row) in (0..).zip(ran.rows()) {
        assert_eq!(row["id"], i);
        assert_eq!(row.get("match").is_some(), i % 7 != 0);
        assert_ne!(row.get("match"), Some(&json!(false)));
    }
    assert_eq!(ran.rows().len(), 20_000);
    assert_eq!(ran.status, 3);
    let summary = "pingala: 20,000 rows: 17,142 results, 2,858 errors, 0 mismatches; ";
    assert!(ran.err.starts_with(summary), "{}", ran.err);
    let errors = "pingala: first error: line 1: zero modulus\npingala: errors by code: 2,858 zero_modulus\n";
    assert!(ran.err.ends_with(&format!(" rows/s\n{errors}")), "{}", ran.err);
}

/// A setting that nothing can follow ends the run, and one that some rows cannot follow is their error.
#[test]
fn kernels_and_plans_can_be_forced() {
    let input = "{\"base\":2,\"exponent\":3,\"modulus\":5}\n{\"base\":2,\"exponent\":3,\"modulus\":6}\n";
    let forced = |option, value| feed(&["batch", "-", "-o", "-", "-q", option, value], input);
    let ran = forced("--plan", "sliding_window(w=2)");
    assert_eq!((ran.status, ran.rows()), (0, vec![result(json!(1), "0x3"), result(json!(2), "0x2")]));
    for (option, value) in [("--plan", "nonsense"), ("--kernel", "nonsense")] {
        let ran = forced(option, value);
        assert_eq!((ran.status, ran.out.as_str()), (1, ""));
        assert!(ran.err.starts_with("pingala: bad plan: "), "{}", ran.err);
    }
    let ran = forced("--plan", "sliding_window(w=2) on portable_r64");
    assert_eq!((ran.status, &ran.rows()[0]), (3, &result(json!(1), "0x3")));
    assert_eq!(error(&ran.rows()[1]).0, "bad_plan");
}

/// What is no rows says what it is, what was expected, and what to type.
#[test]
fn files_of_other_kinds_are_recognised() {
    for (input, words) in [
        (&b"PAR1\x15\x04\x00"[..], ["a Parquet file", "pingala job run"]),
        (b"\x1f\x8b\x08\x00\x00", ["cannot read standard input", ""]),
        (b"\xff\xfe{\0}\0", ["UTF-16 text", "expected JSON Lines or CSV"]),
    ] {
        let ran = batch(input);
        assert_eq!((ran.status, &*ran.out), (1, ""));
        assert!(words.iter().all(|word| ran.err.contains(word)), "{}", ran.err);
    }
    let ran = batch("[{\"base\":2,\"exponent\":10,\"modulus\":1000}]\n");
    assert!(ran.status == 3 && ran.out.contains("it is an array; expected one object a line"), "{}", ran.out);
    for header in ["Base,Exponent,Modulus", "base;exponent;modulus"] {
        let ran = batch_csv(format!("{header}\n2,3,5\n"));
        assert!(ran.status == 1 && ran.err.contains(&format!("it is '{header}'")), "{}", ran.err);
        assert!(ran.err.contains("as in base,exponent,modulus"), "{}", ran.err);
    }
}

#[test]
fn numbers_and_names_for_all_rows() {
    let run = |arguments: &[&str], input: &str| {
        let ran = feed(&[&["batch", "-", "--quiet", "--output", "-"], arguments].concat(), input);
        (ran.status, ran.out.lines().map(str::to_string).collect::<Vec<_>>().join(" "), ran.err)
    };
    let jsonl = "{\"g\":2,\"base\":9,\"10\":3}\n";
    let ran = run(&["--base", "g", "--exponent", "value:10", "--modulus", "10**3"], jsonl);
    assert_eq!(ran, (0, "{\"id\":1,\"result\":\"0x18\"}".into(), String::new()));
    // The field of the name wins over the number, in CSV too; decimal on wish.
    let ran = run(&["--base", "g", "--exponent", "10", "--modulus", "1000", "--decimal"], jsonl);
    assert_eq!(ran.1, "{\"id\":1,\"result\":\"8\"}");
    let ran =
        run(&["--base", "g", "--exponent", "10", "--modulus", "1000", "--delimiter", ";"], "id;10;g\n7;3;\"2\"\n");
    assert_eq!(ran.1, "{\"id\":\"7\",\"result\":\"0x8\"}");
    let ran = run(&["--base", "g", "--exponent", "-1", "--modulus", "7", "--delimiter", "\\t"], "x\tg\n7\t3\n");
    assert_eq!(ran.1, "{\"id\":2,\"result\":\"0x5\"}");
    let ran = run(&["--base", "b", "--exponent", "3", "--modulus", "7", "--input-format", "csv"], "base,b2\n1,2\n");
    assert!(ran.0 == 1 && ran.2.contains("the header names no column b:"), "{ran:?}");
    assert_eq!(run(&["--modulus", "value:x"], jsonl).0, 2);
    assert_eq!(run(&["--delimiter", "ab"], jsonl).0, 2);
    let missing = run(&["--exponent", "3", "--modulus", "7"], "{\"b\":1}\n");
    assert!(missing.0 == 3 && missing.1.contains("base is missing"), "{missing:?}");
}

/// A message on a bad row shows the value, cut if it is long.
#[test]
fn messages_on_bad_rows_show_the_value() {
    let long = format!("{{\"base\":\"0xhello{}z\",\"exponent\":3,\"modulus\":5}}", "0".repeat(1000));
    for (row, shown) in [
        (r#"{"base":"0xhello","exponent":3,"modulus":5}"#, "'0xhello'"),
        (r#"{"base":[2, "x"],"exponent":3,"modulus":5}"#, "'[2, \"x\"]'"),
        (r#"{"base":true,"exponent":3,"modulus":5}"#, "'true'"),
        (r#"{"id":{"a":1},"base":2,"exponent":3,"modulus":5}"#, "'{\"a\":1}'"),
        ("hello", "'hello'"),
        (&long, "'0xhello00000000000000000...00000000000000000000000z'"),
    ] {
        let ran = batch(row);
        let message = ran.rows()[0]["error"]["message"].as_str().unwrap().to_string();
        assert!(message.contains(shown), "{row}: {message}");
    }
    for (row, shown) in [("2,3", "'2,3'"), ("\"2\"x,3,7", "'\"2\"x,3,7'"), ("x,3,7", "'x'")] {
        let ran = batch_csv(format!("base,exponent,modulus\n{row}\n"));
        let message = ran.rows()[0]["error"]["message"].as_str().unwrap().to_string();
        assert!(message.contains(shown), "{row}: {message}");
    }
}
