//! `pingala job`: results of rows, compared with those of single rows.

use crate::common::{Folder, Ran, run};
use pingala_rows::{Job, Request, Settings};
use std::path::PathBuf;
use std::sync::Mutex;

/// Runs a job of text to JSON Lines, and gives its rows.
fn job(folder: &Folder, input: &str, arguments: &[&str]) -> (i32, Vec<serde_json::Value>) {
    let output = folder.path("out");
    let _ = std::fs::remove_dir_all(&output);
    let all = [&["job", "run", input, "--output", &output, "--format", "jsonl", "--decimal"], arguments].concat();
    let ran = run(&all);
    let text = std::fs::read_to_string(folder.path("out/part-00000.jsonl")).unwrap_or_default();
    (ran.status, text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

/// Numbers and columns in every mixture, for powers and inverses: each row has the result of a job with only this row.
#[test]
fn numbers_for_all_rows_and_columns_mix() {
    let folder = Folder::new();
    let rows = [(5u64, 3u64, 101u64), (7, 20, 101), (5, 0, 103), (11, 1, 107), (5, 9, 101)];
    let text: String = rows.iter().map(|(b, e, m)| format!("{b},{e},{m}\n")).collect();
    let input = folder.file("in.csv", format!("b,e,m\n{text}"));
    let power = |base: u64, exponent: u64, modulus: u64| (0..exponent).fold(1 % modulus, |x, _| x * base % modulus);
    for mixture in 0..8u32 {
        let is_one = |bit: u32| mixture >> bit & 1 == 1;
        let base = if is_one(0) { "value:5" } else { "b" };
        let exponent = if is_one(1) { "value:9" } else { "e" };
        let modulus = if is_one(2) { "value:101" } else { "m" };
        let of = |(b, e, m): (u64, u64, u64)| {
            (if is_one(0) { 5 } else { b }, if is_one(1) { 9 } else { e }, if is_one(2) { 101 } else { m })
        };
        let (status, got) =
            job(&folder, &input, &["--base", base, "--exponent", exponent, "--modulus", modulus, "--keep", "b"]);
        assert_eq!((status, got.len()), (0, rows.len()), "{mixture}");
        for (row, got) in rows.iter().zip(&got) {
            let (b, e, m) = of(*row);
            assert_eq!(got["result"], power(b, e, m).to_string(), "{mixture} {row:?}");
        }
        if is_one(1) {
            continue;
        }
        let (status, got) = job(&folder, &input, &["--inverse", "--base", base, "--modulus", modulus, "--keep", "b"]);
        assert_eq!((status, got.len()), (0, rows.len()), "{mixture}");
        for (row, got) in rows.iter().zip(&got) {
            let (b, _, m) = of(*row);
            assert_eq!(got["result"], power(b, m - 2, m).to_string(), "inverse {mixture} {row:?}");
        }
    }
}

/// A row that cannot be read has no result, also if its result does not depend on it.
#[test]
fn a_bad_row_has_no_result_of_numbers_for_all_rows() {
    let folder = Folder::new();
    let input = folder.file("in.csv", "id,x\na,1\nb\nc,3\n");
    for arguments in [
        &["--inverse", "--base", "5", "--modulus", "101", "--keep", "id"][..],
        &["--base", "5", "--exponent", "2", "--modulus", "101", "--keep", "id"],
    ] {
        let (status, got) = job(&folder, &input, arguments);
        assert_eq!((status, got.len()), (3, 3));
        let found: Vec<_> = got.iter().map(|row| (row["result"].is_null(), row["error"].as_str())).collect();
        assert_eq!(found, [(false, None), (true, Some("bad_row")), (false, None)], "{arguments:?}");
    }
}

/// The numbers of keys have no sign: columns and numbers for all rows, n and e.
#[test]
fn a_negative_number_is_no_part_of_a_key() {
    let folder = Folder::new();
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../pingala-verify/tests/data");
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let pem = std::fs::read_to_string(format!("{data}/rsa.pem")).unwrap();
    let base64: String = pem.lines().filter(|line| !line.starts_with('-')).collect();
    let der = pingala_verify::base64(&base64).unwrap();
    let (n, e) = (hex(&der[der.len() - 261..der.len() - 5]), hex(&der[der.len() - 3..]));
    let signature = hex(&std::fs::read(format!("{data}/rsa.sig")).unwrap());
    let mut text = String::from("s,m,n,e\n");
    for (of_n, of_e) in [("", ""), ("-", ""), ("", "-"), ("-", "-")] {
        text += &format!("0x{signature},\"Pingala\n\",{of_n}0x{n},{of_e}0x{e}\n");
    }
    let input = folder.file("in.csv", text);
    let signatures = ["--verify", "rsa-pkcs1", "--signature", "s", "--message", "m"];
    let verdicts = |n: &str, e: &str| {
        let (modulus, exponent) = (format!("--modulus={n}"), format!("--exponent={e}"));
        let got = job(&folder, &input, &[&signatures[..], &[&modulus, &exponent]].concat());
        let verdict = |row: &serde_json::Value| (row["result"].as_bool(), row["error"].as_str().map(str::to_string));
        (got.0, got.1.iter().map(verdict).collect::<Vec<_>>())
    };
    let (valid, error) = ((Some(true), None), (None, Some("bad_argument".to_string())));
    assert_eq!(verdicts("n", "e").1, [valid.clone(), error.clone(), error.clone(), error.clone()]);
    assert_eq!(verdicts("n", &format!("value:-0x{e}")).1, vec![error; 4]);
    assert_eq!(verdicts(&format!("value:0x{n}"), &format!("value:0x{e}")).1, vec![valid; 4]);
    assert_eq!(verdicts(&format!("value:-0x{n}"), "e").0, 1);
}

/// A null in any argument is no error, whatever the others are.
#[test]
fn a_null_in_a_row_comes_before_its_errors() {
    let folder = Folder::new();
    let input = folder.file("in.csv", "b,e,m\nx,3,\n,x,7\n2,,y\n2,3,7\nx,3,7\n");
    let (status, rows) = job(&folder, &input, &["--base", "b", "--exponent", "e", "--modulus", "m"]);
    let errors: Vec<_> = rows.iter().map(|row| row["error"].as_str()).collect();
    assert_eq!((status, errors), (3, vec![None, None, None, None, Some("not_a_number")]));
    assert_eq!((&rows[0]["result"], rows[3]["result"].as_str()), (&serde_json::Value::Null, Some("1")));
}

/// A job reads its input again, and a pipe can be read once.
#[test]
fn a_pipe_is_refused() {
    let folder = Folder::new();
    let arguments = ["job", "run", "-", "-o", &folder.path("out"), "--base", "b", "--exponent", "3", "--modulus", "7"];
    let ran = run(&arguments);
    assert!(ran.status == 1 && ran.err.contains("- is no ordinary file") && ran.err.contains("`pingala batch`"));
    assert!(!std::path::Path::new(&folder.path("out")).exists());
}

/// A plan without parts does not keep its folder: another command plans anew.
#[test]
fn a_plan_without_parts_gives_way() {
    let folder = Folder::new();
    let rows: String = (1..=50).map(|row| format!("{row},{row},x{row}\n")).collect();
    let input = folder.file("in.csv", format!("b,m,note\n{rows}"));
    let other = folder.file("other.csv", format!("b,m,note\n{rows}{rows}"));
    let lines = folder.file("in.jsonl", "{\"b\":1,\"m\":9}\n");
    let output = folder.path("out");
    let plan = |input: &str, more: &[&str]| {
        let numbers = ["--base", "b", "--exponent", "3", "--part-rows", "20", "--modulus", "m"];
        let ran = run(&[&["job", "run", input, "--output", &output], &numbers[..], more].concat());
        (ran.status, ran.err)
    };
    for (input, more) in [
        (&input, &["--plan-only"][..]),
        (&input, &["--plan-only", "--keep", "note"]),
        (&input, &["--plan-only", "--keep", "note", "--errors", "fail"]),
        (&other, &["--plan-only", "--keep", "b"]),
        (&lines, &["--plan-only", "--format", "csv"]),
        (&input, &["--plan-only", "--keep", "note"]),
    ] {
        let (status, said) = plan(input, more);
        assert_eq!(status, 0, "{more:?}: {said}");
    }
    // The input changes before anything was computed.
    std::fs::write(&input, format!("b,m,note\n{rows}7,9,y\n")).unwrap();
    assert_eq!(plan(&input, &["--keep", "note"]).0, 0);
    std::fs::remove_file(folder.path("out/part-00001.parquet")).unwrap();
    std::fs::remove_file(folder.path("out/_manifest.json")).unwrap();
    let (status, said) = plan(&input, &["--keep", "note,m"]);
    assert!(status == 1 && said.contains("holds another job: its keep is"), "{said}");
    let (status, said) = plan(&input, &["--keep", "note"]);
    assert!(status == 0 && said.contains("51 rows, 0 errors, 3 parts; 17 rows of this run"), "{said}");
    let (status, said) = plan(&input, &["--keep", "note"]);
    assert!(status == 0 && said.contains("3 parts; the job was finished before this run"), "{said}");
    // A setting appears in the notation of the command line.
    let numbers = ["--base", "b", "--exponent", "5", "--part-rows", "20", "--modulus", "m", "--keep", "note"];
    let ran = run(&[&["job", "run", &input, "--output", &output], &numbers[..]].concat());
    assert!(ran.status == 1 && ran.err.contains("its exponent is 0x3, not 0x5;"), "{}", ran.err);
}

/// Parquet whose text is not said to be text: never read as numbers of other values in silence.
#[test]
fn binary_that_reads_as_text_is_what_it_is_said_to_be() {
    let folder = Folder::new();
    // The bytes of results are the digits of other numbers: a column of binary that holds text.
    let texts = ["2", "12", "0x1f", "144", "7"];
    let rows: String = texts
        .iter()
        .map(|text| {
            let bytes: String = text.bytes().map(|byte| format!("{byte:02x}")).collect();
            format!("0x{bytes},0x{}\n", "ff".repeat(text.len()))
        })
        .collect();
    let csv = folder.file("in.csv", format!("b,m\n{rows}"));
    let made = ["job", "run", &csv, "-o", &folder.path("made"), "--base", "b", "--exponent", "1", "--modulus", "m"];
    assert_eq!(run(&[&made[..], &["--result", "t", "-q"]].concat()).status, 0);
    let parquet = folder.path("made/part-00000.parquet");
    let arguments = ["--base", "t", "--exponent", "1", "--modulus", "1000003"];
    let results = |more: &[&str]| {
        let (status, got) = job(&folder, &parquet, &[&arguments[..], more].concat());
        assert_eq!(status, 0);
        got.iter().map(|row| row["result"].as_str().unwrap().to_string()).collect::<Vec<_>>()
    };
    // What this program wrote is read as its own.
    assert_eq!(results(&[]), ["50", "12594", "180895", "224619", "55"]);
    assert_eq!(results(&["--binary", "text"]), ["2", "12", "31", "144", "7"]);
    assert_eq!(results(&["--binary", "text", "--hex-input"]), ["2", "18", "31", "324", "7"]);
    assert_eq!(results(&["--binary", "bytes"])[..2], ["50", "12594"]);
    // Bytes that are no text need no word, as before.
    folder.file("in.csv", "b,m\n2,1009\n12,1009\n49,1009\n");
    let _ = std::fs::remove_dir_all(folder.path("made"));
    assert_eq!(run(&[&made[..], &["--result", "t", "-q"]].concat()).status, 0);
    assert_eq!(results(&[]), ["2", "12", "49"]);
}

/// Asks for the status as soon as a piece of text is there, and stops the job then.
struct UntilPiece {
    piece: PathBuf,
    output: String,
    said: Mutex<Vec<Ran>>,
}

impl pingala_core::Watch for UntilPiece {
    fn stop(&self) -> bool {
        let is_there = self.piece.exists();
        if is_there {
            let both = [run(&["job", "status", &self.output]), run(&["job", "status", &self.output, "--json"])];
            self.said.lock().unwrap().extend(both);
        }
        is_there
    }
}

/// A job whose text is being cut has a status: while it runs, when it was stopped, and with --json.
#[test]
fn the_status_speaks_while_text_is_cut() {
    let folder = Folder::new();
    // A piece has 2^17 rows.
    let text = format!("b,m\n{}", "3,7\n".repeat((1 << 17) + 20_000));
    let input = folder.file("in.csv", &text);
    let output = folder.path("out");
    let mut request = Request::default();
    request.inputs = vec![input.clone()];
    request.output = PathBuf::from(&output);
    (request.base, request.exponent, request.modulus) = (Some("b".into()), Some("2".into()), Some("m".into()));
    let piece = PathBuf::from(folder.path("out/_input/text-00000.parquet"));
    let watch = UntilPiece { piece, output: output.clone(), said: Mutex::default() };
    let mut settings = Settings::default();
    settings.watch = &watch;
    assert_eq!(Job::plan(&request, &settings).unwrap_err().code(), "interrupted");
    let said = watch.said.into_inner().unwrap();
    let after = [run(&["job", "status", &output]), run(&["job", "status", &output, "--json"])];
    for ([shown, json], state) in
        [([&said[0], &said[1]], "running"), ([&after[0], &after[1]], "not running; the same command continues it")]
    {
        assert_eq!((shown.status, json.status), (0, 0));
        assert_eq!(shown.out, format!("preparing: 524 of 604 kB of in.csv cut into pieces; {state}\n"));
        let value = &json.rows()[0];
        let preparing =
            serde_json::json!({"inputs": "in.csv", "bytes": text.len(), "cut_bytes": 4 + (4 << 17), "pieces": 1});
        assert_eq!(value["preparing"], preparing);
        assert_eq!((value["running"].as_bool(), value["finished"].as_bool()), (Some(state == "running"), Some(false)));
        assert!(value["rows"].is_null() && value["done_rows"] == 0, "{value}");
    }
    let numbers = ["--base", "b", "--exponent", "2", "--modulus", "m", "-q"];
    assert_eq!(run(&[&["job", "run", &input, "-o", &output], &numbers[..]].concat()).status, 0);
    let ran = run(&["job", "status", &output, "--json"]);
    assert!(ran.rows()[0]["preparing"].is_null() && ran.rows()[0]["rows"] == (1 << 17) + 20_000, "{}", ran.out);
}
