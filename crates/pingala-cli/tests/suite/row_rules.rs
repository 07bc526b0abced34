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
    // Columns without a name are ignored: spreadsheets write them after the last one.
    let ran = feed(&["batch", "-", "--output", "-", "--input-format", "csv"], "base,exponent,modulus,,\n2,3,5,,\n");
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
    for (text, why) in
        [("nonsense\n[]\n", "line 1: not a JSON object"), ("{\"x\":1}\n", "neither a column nor a number")]
    {
        let input = folder.file("in.jsonl", text);
        let ran =
            run(&["job", "run", &input, "-o", &folder.path("out"), "--base", "b", "--exponent", "2", "--modulus", "7"]);
        assert!(ran.status == 1 && ran.err.contains(why), "{}", ran.err);
    }
}

/// Results and codes of rows whose bases are these texts, as `batch`, `job` and `verify` (of `n`) read them in a format.
fn read_alike(input: &str) -> [Vec<Value>; 3] {
    let folder = Folder::new();
    let numbers = ["--base", "b", "--exponent", "value:3", "--modulus", "value:1000003"];
    let ran = run(&[&["batch", input, "--output", "-", "-q"], &numbers[..]].concat());
    let of = |row: &Value| if row["error"].is_null() { row["result"].clone() } else { row["error"]["code"].clone() };
    let batch = ran.rows().iter().map(of).collect();
    let output = folder.path("out");
    let job = ["job", "run", input, "-o", &output, "--format", "jsonl", "-q"];
    run(&[&job[..], &numbers].concat());
    let text = std::fs::read_to_string(folder.path("out/part-00000.jsonl")).unwrap();
    let of = |row: Value| if row["error"].is_null() { row["result"].clone() } else { row["error"].clone() };
    let job = text.lines().map(|line| of(serde_json::from_str(line).unwrap())).collect();
    let ran = run(&["verify", input, "--output", "-", "-q", "--scheme", "rsa-pkcs1"]);
    [batch, job, ran.rows().iter().map(|row| row["error"]["code"].clone()).collect()]
}

/// One rule says which text is a number, whatever the format and the command: ASCII blanks around it are no part of it.
#[test]
fn batch_job_and_verify_read_one_language_of_numbers() {
    let folder = Folder::new();
    let good = ["5", " 5", "5 ", "\t5", "5\r", "+5", " +5 ", "0x5", "0X5", "+0X5", "005"];
    let bad = [" ", "\u{a0}5", "5\u{2003}", "\u{3000}", "5 5", "- 5", "0x", "--5", "5.0", "1_0", "true", "\u{665}"];
    let quoted = |text: &str| serde_json::to_string(text).unwrap();
    let row =
        |text: &str| format!("{{\"b\":{0},\"n\":{0},\"e\":\"65537\",\"message\":\"m\",\"s\":\"1\"}}\n", quoted(text));
    let mut json: Vec<String> = good.iter().chain(&bad).map(|text| row(text)).collect();
    json.push(row(""));
    let csv = |text: &&str| format!("\"{text}\",\"{text}\",65537,m,1\n");
    let csv = "b,n,e,message,s\n".to_string() + &good.iter().chain(&bad).map(csv).collect::<String>();
    for (input, bad) in
        [(folder.file("in.jsonl", json.concat()), bad.len() + 1), (folder.file("in.csv", csv), bad.len())]
    {
        let [batch, job, verify] = read_alike(&input);
        assert_eq!(batch, job, "{input}");
        let wanted = [vec!["0x7d"; good.len()], vec!["not_a_number"; bad]].concat();
        assert_eq!(batch, wanted, "{input}");
        // 5 is no modulus of RSA.
        let wanted = [vec!["bad_argument"; good.len()], vec!["not_a_number"; bad]].concat();
        assert_eq!(verify, wanted, "{input}");
    }
    // Under --hex-input a sign of either kind stands before the digits.
    let input = folder.file("hex.jsonl", "{\"b\":\"+10\"}\n{\"b\":\"10\"}\n{\"b\":\" 0X10\"}\n");
    let numbers = ["--base", "b", "--exponent", "value:1", "--modulus", "value:101"];
    let ran = run(&[&["batch", &input, "-o", "-", "-q", "--hex-input"], &numbers[..]].concat());
    assert!(ran.rows().iter().all(|row| row["result"] == "0x10"), "{}", ran.out);
}

/// A text is text: a number or a truth value of JSON is not taken for its digits or its name.
#[test]
fn values_of_json_that_are_no_text_are_no_messages() {
    let folder = Folder::new();
    let key = "\"n\":\"0xc7fb\",\"e\":\"0x11\",\"s\":\"3\"";
    let wrong = ["true", "5", "{\"a\":1}", "[]"];
    let rows: String = wrong.map(|value| format!("{{\"message\":{value},{key}}}\n")).concat();
    let ran = feed(&["verify", "-", "--output", "-", "-q", "--scheme", "rsa-pkcs1"], &rows);
    let whats = ["true or false", "a number", "an object", "a list"];
    for (row, (what, value)) in ran.rows().iter().zip(whats.iter().zip(wrong)) {
        assert_eq!(row["error"]["code"], "bad_row", "{row}");
        assert_eq!(row["error"]["message"], format!("message is {what}; expected text: '{value}'"), "{row}");
    }
    let rows = wrong.map(|value| format!("{{\"m\":{value},\"sig\":\"0x00\",\"n\":51195,\"e\":17}}\n")).concat();
    let (input, output) = (folder.file("in.jsonl", rows), folder.path("out"));
    let names = ["--signature", "sig", "--message", "m", "--modulus", "n", "--exponent", "e"];
    let job = ["job", "run", &input, "-o", &output, "--verify", "rsa-pkcs1", "--format", "jsonl"];
    let ran = run(&[&job[..], &names].concat());
    let text = std::fs::read_to_string(folder.path("out/part-00000.jsonl")).unwrap_or_else(|_| panic!("{}", ran.err));
    assert!(text.lines().count() == 4 && text.lines().all(|line| line.contains("\"error\":\"bad_row\"")), "{text}");
}

/// Options of `verify` that stand in a row would be ignored: the row is refused.
#[test]
fn options_in_rows_are_refused() {
    let key = "\"n\":\"0xc7fb\",\"e\":\"0x11\",\"message\":\"x\",\"s\":\"3\"";
    for (name, option) in [
        ("salt", "salt"),
        ("mgf_hash", "mgf-hash"),
        ("mgf-hash", "mgf-hash"),
        ("policy", "policy"),
        ("fail_on", "fail-on"),
    ] {
        let rows = format!("{{\"{name}\":\"x\",{key}}}\n{{\"{name}\":null,{key}}}\n{{\"other\":1,{key}}}\n");
        let ran = feed(&["verify", "-", "--output", "-", "-q", "--scheme", "rsa-pss"], rows);
        let wanted = format!("{name} is no field of a row; the option --{option} says it for all rows");
        assert_eq!(ran.rows()[0]["error"]["message"], wanted, "{}", ran.out);
        assert!(ran.rows()[1..].iter().all(|row| row["error"]["code"] != "bad_row"), "{}", ran.out);
        let csv = format!("n,e,message,s,{name}\n0xc7fb,0x11,x,3,1\n0xc7fb,0x11,x,3,\n");
        let ran = feed(&["verify", "-", "--output", "-", "-q", "--scheme", "rsa-pss"], csv);
        assert_eq!(ran.rows()[0]["error"]["message"], wanted, "{}", ran.out);
        assert_ne!(ran.rows()[1]["error"]["code"], "bad_row", "{}", ran.out);
    }
}

/// Text in another encoding, or with the line ends of old Macs, is named.
#[test]
fn unusual_text_is_named() {
    let folder = Folder::new();
    let text = "base,exponent,modulus\n2,3,5\n";
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    for (content, why) in [
        (text.replace('\n', "\r").into_bytes(), "lines that end with CR alone"),
        (little, "UTF-16 text"),
        (big, "UTF-16 text"),
    ] {
        let input = folder.file("in.csv", content);
        let numbers = ["--base", "base", "--exponent", "exponent", "--modulus", "modulus"];
        for arguments in [
            vec!["batch", &input, "--output", "-"],
            vec!["verify", &input, "--output", "-"],
            [&["job", "run", &input, "-o", &folder.path("out")], &numbers[..]].concat(),
        ] {
            let ran = run(&arguments);
            assert!(ran.status == 1 && ran.err.contains(why), "{arguments:?}: {}", ran.err);
        }
    }
}

/// Hexadecimal without 0x, as databases and Python write it: all numbers are read by one option, and without it a complaint names it.
#[test]
fn hexadecimal_without_its_mark_is_read_on_request() {
    let folder = Folder::new();
    let (base, modulus) = (0x0a1bu64, 0x1001u64);
    let text = "b,m\nff,1001\n10,1001\n0a1b,1001\n0xA1B,0x1001\n-10,1001\n1e5,1001\n";
    let wanted = [0xffu64, 0x10, base, base, modulus - 0x10, 0x1e5].map(|value| format!("{:#x}", value % modulus));
    let lines = "{\"b\":\"ff\",\"m\":\"1001\"}\n{\"b\":\"10\",\"m\":1001}\n{\"b\":\"0a1b\",\"m\":\"1001\"}\n";
    for (name, text) in [("in.csv", text), ("in.jsonl", lines)] {
        let input = folder.file(name, text);
        let numbers = ["--base", "b", "--exponent", "value:1", "--modulus", "m"];
        let output = folder.path("out");
        let _ = std::fs::remove_dir_all(&output);
        let batch = |more: &[&str]| run(&[&["batch", &input, "--output", "-"], &numbers[..], more].concat());
        let job = |more: &[&str]| {
            let _ = std::fs::remove_dir_all(&output);
            let ran = run(&[&["job", "run", &input, "-o", &output, "--format", "jsonl"], &numbers[..], more].concat());
            let text = std::fs::read_to_string(folder.path("out/part-00000.jsonl")).unwrap();
            (ran, text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()).collect::<Vec<_>>())
        };
        let read = batch(&["--hex-input"]);
        let (ran, rows) = job(&["--hex-input"]);
        assert_eq!((read.status, ran.status), (0, 0), "{} {}", read.err, ran.err);
        for (place, wanted) in wanted.iter().take(text.lines().count() - usize::from(name == "in.csv")).enumerate() {
            assert_eq!(
                (read.rows()[place]["result"].as_str(), rows[place]["result"].as_str()),
                (Some(&**wanted), Some(&**wanted))
            );
        }
        // The job is another one.
        let again = run(&[&["job", "run", &input, "-o", &output, "--format", "jsonl"], &numbers[..]].concat());
        assert!(again.status == 1 && again.err.contains("holds another job"), "{}", again.err);
        let count = if name == "in.csv" { 3 } else { 2 };
        for said in [batch(&[]).err, job(&[]).0.err] {
            assert!(said.contains("--hex-input"), "{said}");
            assert!(said.contains(&format!("errors by code: {count} not_a_number")), "{said}");
            assert!(
                said.contains("first error: ") && said.contains("line") && said.contains("' is not a number"),
                "{said}"
            );
        }
    }
    let row = |n: &str| format!("{{\"n\":\"{n}\",\"e\":\"10001\",\"signature\":\"00\",\"message\":\"\"}}\n");
    let n = format!("c{}1", "0".repeat(254));
    let verify = |more: &[&str], n: &str| {
        feed(&[&["verify", "-", "--output", "-", "--scheme", "rsa-pkcs1"], more].concat(), row(n)).rows()[0].clone()
    };
    assert!(verify(&[], &n)["error"]["message"].as_str().unwrap().contains("--hex-input"));
    assert_eq!(verify(&["--hex-input"], &n)["valid"], false);
    assert_eq!(verify(&["--hex-input"], &format!("0x{n}"))["valid"], false);
}

/// What a file says is shown, not obeyed.
#[cfg(unix)]
#[test]
fn a_terminal_obeys_nothing_from_a_file() {
    let folder = Folder::new();
    let evil = "\u{1b}]0;title\u{7}\u{1b}[2J\r\u{9b}31m\u{202e}";
    let csv = folder.file("in.csv", format!("b{evil},s\n1,2\n"));
    let twice = folder.file("twice.csv", format!("s,\"{evil}\",\"{evil}\"\n1,2,3\n"));
    let json = folder.file("in.jsonl", format!("{{{}:1,{0}:2}}\n", serde_json::to_string(evil).unwrap()));
    let value = folder
        .file("value.jsonl", format!("{{\"b\":{},\"s\":1,\"message\":\"\"}}\n", serde_json::to_string(evil).unwrap()));
    let named = folder.file(&format!("in{evil}.csv"), "x\n1\n");
    let key = folder.file(
        "key.jsonl",
        format!("{{\"key\":{},\"s\":1,\"message\":\"\",\"expected\":{0}}}\n", serde_json::to_string(evil).unwrap()),
    );
    let output = folder.path("out");
    for input in [&csv, &twice, &json, &value, &named, &key] {
        for arguments in [
            vec!["batch", input, "--output", "-", "--exponent", "3", "--modulus", "7"],
            vec!["batch", input, "--output", "-", "--base", evil, "--exponent", "3", "--modulus", "7"],
            vec!["verify", input, "--output", "-"],
            vec!["job", "run", input, "-o", &output, "--base", "b", "--exponent", "3", "--modulus", "7"],
            vec![
                "job",
                "run",
                input,
                "-o",
                &output,
                "--base",
                "b",
                "--exponent",
                "3",
                "--modulus",
                "7",
                "--keep",
                evil,
            ],
            vec!["pow", evil, "3", "7"],
            vec!["pow", &format!("@{input}"), "3", "7"],
            vec![evil],
        ] {
            let ran = run(&arguments);
            let obeyed = ran.err.chars().find(|letter| letter.is_control() && *letter != '\n' || *letter == '\u{202e}');
            assert_eq!(obeyed, None, "{arguments:?}: {:?}", ran.err);
        }
    }
}

/// One field may be two arguments, and a number that the command line forces is no field's.
#[test]
fn names_are_fields_in_both_formats() {
    for (format, row) in [("jsonl", "{\"x\":3,\"m\":101,\"\":9}\n"), ("csv", "x,m,\n3,101,9\n")] {
        let arguments = ["batch", "-", "--output", "-", "-q", "--decimal", "--input-format", format, "--modulus", "m"];
        let batch = |more: &[&str]| feed(&[&arguments[..], more].concat(), row).rows()[0]["result"].clone();
        assert_eq!(batch(&["--base", "x", "--exponent", "x"]), "27", "{format}");
        assert_eq!(batch(&["--base", "value:2", "--exponent", "x"]), "8", "{format}");
    }
}

/// What holds for the rows of one command holds for those of the other: packed input, bad rows that keep their id, lines over the cap,
/// rows that are answered as they come, and files that hold something else.
#[test]
fn batch_and_verify_read_by_one_reader() {
    use std::io::{BufRead, BufReader, Write};
    let folder = Folder::new();
    let commands: [&[&str]; 2] = [&["batch"], &["verify", "--scheme", "rsa-pkcs1"]];
    let run_on = |command: &[&str], input: &str| run(&[command, &[input, "--output", "-", "--quiet"]].concat());
    // gzip of `{"id":"a"}` and a line end, without compression.
    let text = b"{\"id\":\"a\"}\n";
    let mut packed = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1, 11, 0, 0xf4, 0xff];
    packed.extend(text);
    packed.extend(crc32(text).to_le_bytes());
    packed.extend(11u32.to_le_bytes());
    let packed = folder.file("in.jsonl.gz", packed);
    let short = folder.file("short.csv", "id,base,exponent,modulus,signature,message\na,1\n");
    let twice = folder.file("twice.jsonl", "{\"id\":\"a\",\"x\":1,\"x\":2}\n");
    let long = folder.file("long.jsonl", format!("{}\n{{\"id\":\"a\"}}\n", "0".repeat((1 << 26) + 1)));
    let archive = folder.file("in.zip", b"PK\x03\x04");
    let top = folder.path("");
    for command in commands {
        for input in [&packed, &short, &twice] {
            let ran = run_on(command, input);
            let rows = ran.rows();
            assert_eq!(
                (ran.status, rows.len(), &rows[0]["id"]),
                (3, 1, &"a".into()),
                "{command:?} {input} {}",
                ran.err
            );
            assert_eq!(rows[0]["error"]["code"], "bad_row", "{command:?} {input}");
        }
        let rows = run_on(command, &long).rows();
        assert_eq!((&rows[0]["error"]["code"], &rows[1]["id"]), (&"too_long".into(), &"a".into()), "{command:?}");
        let ran = run_on(command, &archive);
        assert!(ran.status == 1 && ran.err.contains("holds a zip archive, expected JSON Lines or CSV"), "{}", ran.err);
        let ran = run_on(command, &top);
        assert!(ran.status == 1 && ran.err.contains("cannot read"), "{}", ran.err);
        let mut child = crate::common::spawn(&[command, &["-", "--output", "-", "--quiet"]].concat());
        let (mut stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let mut stdout = BufReader::new(stdout);
        for id in ["1", "2"] {
            writeln!(stdin, "{{\"id\":{id}}}").unwrap();
            let mut answer = String::new();
            stdout.read_line(&mut answer).unwrap();
            assert!(answer.starts_with(&format!("{{\"id\":{id},")), "{command:?}: {answer}");
        }
        drop(stdin);
        assert_eq!(child.wait().unwrap().code(), Some(3), "{command:?}");
    }
    // What is empty in a column is missing, also if the name of the column is a number.
    let named = folder.file("named.csv", "10,g\n,2\n3,5\n");
    let ran = run(&["batch", &named, "--output", "-", "--base", "10", "--exponent", "g", "--modulus", "7"]);
    assert_eq!(ran.rows()[0]["error"]["message"], "base is missing", "{}", ran.out);
    assert_eq!(ran.rows()[1]["result"], "0x5", "{}", ran.out);
}

/// A line end between quotes is a part of the field, whichever it is.
#[test]
fn line_ends_between_quotes_stay() {
    let folder = Folder::new();
    for (name, end) in [("unix", "\n"), ("dos", "\r\n")] {
        let field = format!("x{end}{end}y");
        let input = folder.file(&format!("{name}.csv"), format!("id,b{end}\"{field}\",2{end}"));
        let numbers = ["--base", "b", "--exponent", "3", "--modulus", "7"];
        let ran = run(&[&["batch", &input, "-o", "-", "-q"], &numbers[..]].concat());
        assert_eq!((ran.status, &ran.rows()[0]["id"]), (0, &field.as_str().into()), "{name}");
        let output = folder.path(name);
        let job = ["job", "run", &input, "-o", &output, "--keep", "id", "--format", "csv", "-q"];
        assert_eq!(run(&[&job[..], &numbers].concat()).status, 0);
        let part = std::fs::read_to_string(format!("{output}/part-00000.csv")).unwrap();
        assert_eq!(part, format!("id,result,error\n\"{field}\",0x1,\n"));
        let ran = run(&["job", "verify", &output]);
        assert_eq!(ran.status, 0, "{}", ran.err);
    }
}

/// `batch` reads the Parquet that a job writes: text, bytes and nulls. The place of an error is a row.
#[test]
fn batch_reads_parquet() {
    let folder = Folder::new();
    let input = folder.file("in.csv", "id,b,e,m,\na,2,10,1009,\nb,-0x3,5,7,\nc,x,1,7,\nd,2,,7,\n");
    let (output, numbers) = (folder.path("out"), ["--base", "b", "--exponent", "e", "--modulus", "m"]);
    let job = ["job", "run", &input, "-o", &output, "--keep", "id,b,e,m", "--result", "expected", "-q"];
    assert_eq!(run(&[&job[..], &numbers].concat()).status, 3);
    let part = folder.path("out/part-00000.parquet");
    let ran = run(&[&["batch", &part, "--output", "-", "--decimal"], &numbers[..]].concat());
    let rows = ran.rows();
    assert_eq!(rows[0], serde_json::json!({"id": "a", "result": "15", "match": true}));
    assert_eq!(rows[1], serde_json::json!({"id": "b", "result": "2", "match": true}));
    assert_eq!((&rows[2]["error"]["code"], &rows[2]["error"]["row"]), (&"not_a_number".into(), &2.into()));
    assert_eq!((&rows[3]["error"]["code"], &rows[3]["id"]), (&"bad_row".into(), &"d".into()));
    assert!(ran.status == 3 && ran.err.contains("first error: row 2: base: '"), "{}", ran.err);
    assert!(ran.err.contains("' is not a number: "), "{}", ran.err);
    // The result column as the base: bytes. Rows without an id have their number.
    let ran = run(&["batch", &part, "-o", "-", "-q", "--base", "expected", "--exponent", "1", "--modulus", "1009"]);
    assert_eq!(ran.rows()[0]["result"], "0xf");
    // Numbers for all rows, and no column that is read.
    let numbers = ["--base", "value:2", "--exponent", "value:3", "--modulus", "value:7"];
    let job = ["job", "run", &input, "-o", &folder.path("bare"), "--keep", "b", "-q"];
    assert_eq!(run(&[&job[..], &numbers].concat()).status, 0);
    let ran = run(&[&["batch", &folder.path("bare/part-00000.parquet"), "-o", "-", "-q"], &numbers[..]].concat());
    assert_eq!(ran.rows().iter().map(|row| row["id"].clone()).collect::<Vec<_>>(), [0, 1, 2, 3]);
    let ran = run(&["batch", &part, "--output", "-", "--base", "b", "--exponent", "x", "--modulus", "m"]);
    assert!(ran.status == 1 && ran.err.contains("there is no column x; there are id, b, e, m, "), "{}", ran.err);
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 })
    })
}
