//! `--format` is the output's and `--input-format` the input's, in every command on rows.

use crate::common::{Folder, Ran, feed, run};
use std::process::Command;

/// Rows of every kind: a result, an id that CSV quotes, a bad number, and two that expect something.
const JSON: &str = concat!(
    "{\"id\":\"a,\\\"b\\\"\\n\",\"base\":2,\"exponent\":10,\"modulus\":1009}\n",
    "{\"base\":\"0xhello\",\"exponent\":10,\"modulus\":1009}\n",
    "{\"id\":\"\",\"base\":2,\"exponent\":10,\"modulus\":1009,\"expected\":15}\n",
    "{\"id\":7,\"base\":2,\"exponent\":-1,\"modulus\":4,\"expected\":3}\n",
);
const CSV: &str =
    "id,base,exponent,modulus,expected\n\"a,\"\"b\"\"\n\",2,10,1009,\n,0xhello,10,1009,\nx,2,10,1009,15\n7,2,-1,4,3\n";

/// The rows of a file of CSV as another reader has them, as JSON.
fn read_back(path: &str) -> serde_json::Value {
    let program = "import csv, json, sys; print(json.dumps(list(csv.DictReader(open(sys.argv[1], newline='')))))";
    let ran = Command::new("python3").args(["-c", program, path]).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    serde_json::from_slice(&ran.stdout).unwrap()
}

/// The rows of a file of either format, in the form of JSON Lines: id, result, match, code.
fn rows(path: &str, format: &str) -> Vec<[String; 4]> {
    let text = |value: &serde_json::Value| value.as_str().map_or_else(|| value.to_string(), str::to_string);
    let text = |value: &serde_json::Value| if value.is_null() { String::new() } else { text(value) };
    let row = |row: &serde_json::Value| match format {
        "csv" => ["id", "result", "match", "error"].map(|name| text(&row[name])),
        _ => [&row["id"], &row["result"], &row["match"], &row["error"]["code"]].map(text),
    };
    match format {
        "csv" => read_back(path).as_array().unwrap().iter().map(row).collect(),
        _ => std::fs::read_to_string(path)
            .unwrap()
            .lines()
            .map(|line| row(&serde_json::from_str(line).unwrap()))
            .collect(),
    }
}

/// Both formats in, both out, each said by the name of the file or by an option: the rows are the same.
#[test]
fn each_format_becomes_each_format() {
    let folder = Folder::new();
    for (from, text) in [("jsonl", JSON), ("csv", CSV)] {
        for to in ["jsonl", "csv"] {
            for (said_in, said_out) in [(false, false), (false, true), (true, false), (true, true)] {
                let input = folder.file(&if said_in { "in".into() } else { format!("in.{from}") }, text);
                let output = folder.path(&if said_out { "out".into() } else { format!("out.{to}") });
                let mut arguments = vec!["batch", &input, "--output", &output, "--force", "--quiet"];
                // The format of an output without a name for it needs that of the input beside it.
                arguments.extend(if said_in || said_out { vec!["--input-format", from] } else { vec![] });
                arguments.extend(if said_out { vec!["--format", to] } else { vec![] });
                let ran = run(&arguments);
                assert_eq!((ran.status, ran.err.as_str()), (4, ""), "{arguments:?}");
                let mut found = rows(&output, to);
                // Lines count from the header of CSV; a field may have two.
                assert_eq!(found[1][0], if from == "csv" { "4" } else { "2" });
                found[1][0].clear();
                // CSV has no empty id: it is absent there.
                let ids = if from == "csv" { ["a,\"b\"\n", "x", "7"] } else { ["a,\"b\"\n", "", "7"] };
                let wanted = [
                    [ids[0], "0xf", "", ""],
                    ["", "", "", "not_a_number"],
                    [ids[1], "0xf", "true", ""],
                    [ids[2], "", "false", "not_invertible"],
                ];
                assert_eq!(found, wanted, "{arguments:?}");
            }
        }
    }
}

/// The message and the line of an error stand in CSV too, and an empty id is not an absent one.
#[test]
fn csv_has_every_member_of_the_objects() {
    let folder = Folder::new();
    let output = folder.path("out.csv");
    assert_eq!(feed(&["batch", "-", "--output", &output, "--quiet"], JSON).status, 4);
    let text = std::fs::read_to_string(&output).unwrap();
    assert!(
        text.starts_with("id,result,match,error,message,line\n\"a,\"\"b\"\"\n\",0xf,,,,\n2,,,not_a_number,"),
        "{text}"
    );
    assert!(text.contains("\n\"\",0xf,true,,,\n"), "{text}");
    let rows = read_back(&output);
    assert!(rows[1]["message"].as_str().unwrap().contains("'0xhello'"), "{rows}");
    assert_eq!(rows[1]["line"], "2");
    // The delimiter is that of input and output.
    let ran = feed(
        &["batch", "-", "-o", "-", "-q", "--delimiter", ";", "--input-format", "csv", "--format", "csv"],
        "id;base;exponent;modulus\na;2;3;7\n",
    );
    assert_eq!((ran.status, ran.out.as_str()), (0, "id;result;match;error;message;line\na;0x1;;;;\n"));
}

/// What `--format csv` meant before: never another output without a word.
#[test]
fn an_old_command_line_is_never_answered_in_silence() {
    let folder = Folder::new();
    let named = folder.file("in.csv", "base,exponent,modulus\n2,3,7\n");
    let nameless = folder.file("in", "base,exponent,modulus\n2,3,7\n");
    let says = |ran: &Ran| ran.err.contains("--input-format") && ran.err.contains("--format csv");
    for input in [&named, &nameless] {
        for output in ["-", &folder.path("out"), &folder.path("out.jsonl")] {
            let ran = run(&["batch", input, "--output", output, "--format", "csv", "-q"]);
            assert!(ran.status == 2 && ran.out.is_empty() && says(&ran), "{output}: {}", ran.err);
        }
        let output = folder.path("out.csv");
        let ran = run(&["batch", input, "--output", &output, "--format", "csv", "--force", "-q"]);
        assert!(ran.status == 0 && says(&ran), "{}", ran.err);
        assert_eq!(read_back(&output)[0]["result"], "0x1");
    }
    // Both meanings give the same here.
    let ran =
        feed(&["batch", "-", "-o", "-", "--format", "jsonl", "-q"], "{\"base\":2,\"exponent\":3,\"modulus\":7}\n");
    assert_eq!((ran.status, ran.out.as_str(), ran.err.as_str()), (0, "{\"id\":1,\"result\":\"0x1\"}\n", ""));
    // An input of another format: there is one meaning only.
    let lines = folder.file("in.jsonl", "{\"id\":\"x\",\"base\":2,\"exponent\":3,\"modulus\":7}\n");
    let ran = run(&["batch", &lines, "-o", "-", "--format", "csv", "-q"]);
    assert_eq!(
        (ran.status, ran.out.as_str(), ran.err.as_str()),
        (0, "id,result,match,error,message,line\nx,0x1,,,,\n", "")
    );
}

/// Names of outputs that say what is not written here.
#[test]
fn outputs_that_are_not_written_are_refused() {
    let folder = Folder::new();
    let input = folder.file("in.csv", "base,exponent,modulus\n2,3,7\n");
    for (name, word) in
        [("out.parquet", "pingala job run"), ("out.csv.gz", "not packed"), ("out.jsonl.zst", "not packed")]
    {
        let output = folder.path(name);
        let ran = run(&["batch", &input, "--output", &output]);
        assert!(ran.status == 2 && ran.err.contains(word), "{name}: {}", ran.err);
        assert!(!std::path::Path::new(&output).exists());
    }
}

/// Verdicts as CSV.
#[test]
fn verdicts_are_written_as_csv() {
    let folder = Folder::new();
    let key = concat!(env!("CARGO_MANIFEST_DIR"), "/../pingala-verify/tests/data/rsa.pem");
    let input = folder.file("in.csv", "id,signature,message,expected\na,00,x,\nb,zz,x,false\n");
    let output = folder.path("out.csv");
    let ran = run(&["verify", &input, "-o", &output, "--key", key, "--scheme", "rsa-pkcs1", "-q"]);
    assert_eq!((ran.status, ran.err.as_str()), (4, ""));
    let rows = read_back(&output);
    assert_eq!((&rows[0]["id"], &rows[0]["valid"]), (&"a".into(), &"false".into()));
    assert!(!rows[0]["reason"].as_str().unwrap().is_empty() && rows[0]["error"] == "", "{rows}");
    assert_eq!((&rows[1]["valid"], &rows[1]["error"], &rows[1]["line"]), (&"".into(), &"bad_row".into(), &"3".into()));
}
