//! `pingala job`: an input is its content, whatever its length, its times and its footer say.

use crate::common::{Folder, Ran, run};
use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};

const NUMBERS: [&str; 6] = ["--base", "b", "--exponent", "value:3", "--modulus", "value:1000003"];

fn job(input: &str, output: &str, more: &[&str]) -> Ran {
    let part_rows = if more.is_empty() { "20000" } else { "100000" };
    run(&[&["job", "run", input, "--output", output, "--quiet", "--part-rows", part_rows], &NUMBERS[..], more].concat())
}

/// Other bytes in the place of some, and the time of the last change as it was.
fn change(path: &str, at: u64, bytes: &[u8]) {
    let modified = fs::metadata(path).unwrap().modified().unwrap();
    let mut file = File::options().write(true).open(path).unwrap();
    file.seek(SeekFrom::Start(at)).unwrap();
    file.write_all(bytes).unwrap();
    file.set_modified(modified).unwrap();
}

/// Half of a job is done when bytes in the middle of its input change in place: text, and the data pages of Parquet.
#[test]
fn bytes_that_change_in_place_are_seen() {
    let folder = Folder::new();
    let text: String = (0..60_000).map(|row| format!("{},{:030}\n", row % 10, row)).collect();
    let csv = folder.file("in.csv", format!("b,note\n{text}"));
    // The output of a job is Parquet too; the column of notes is kept unchanged.
    let made = job(&csv, &folder.path("made"), &["--keep", "b,note", "--result", "cube"]);
    assert_eq!(made.status, 0, "{}", made.err);
    let parquet = folder.path("in.parquet");
    fs::copy(folder.path("made/part-00000.parquet"), &parquet).unwrap();
    for input in [&csv, &parquet] {
        let output = folder.path("out");
        let _ = fs::remove_dir_all(&output);
        assert_eq!(job(input, &output, &[]).status, 0);
        let parts = fs::read_dir(&output)
            .unwrap()
            .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().starts_with("part-"));
        assert!(parts.count() >= 3);
        let stop_halfway = || {
            let _ = fs::remove_file(format!("{output}/_manifest.json"));
            let _ = fs::remove_file(format!("{output}/part-00002.parquet"));
        };
        stop_halfway();
        let whole = fs::read(input).unwrap();
        let middle = whole.len() / 2;
        // The same bytes, written once more, and another name in between, are no change.
        change(input, middle as u64, &whole[middle..middle + 1]);
        fs::rename(input, format!("{input}.other")).unwrap();
        fs::copy(format!("{input}.other"), input).unwrap();
        let ran = job(input, &output, &[]);
        assert_eq!(ran.status, 0, "{}", ran.err);
        assert_eq!(run(&["job", "verify", &output, "--quiet"]).status, 0);
        stop_halfway();
        // One that is a digit stays a digit.
        change(input, middle as u64, &[whole[middle] ^ 1]);
        let ran = job(input, &output, &[]);
        assert!(ran.status == 1 && ran.err.contains("has changed since the job began"), "{input}: {}", ran.err);
        change(input, middle as u64, &whole[middle..middle + 1]);
        assert_eq!(job(input, &output, &[]).status, 0);
        // A finished job refuses another input too, if it reads it.
        if input == &parquet {
            change(input, middle as u64, &[whole[middle] ^ 1]);
            let ran = run(&["job", "verify", &output]);
            assert!(ran.status == 1 && ran.err.contains("has changed"), "{}", ran.err);
        }
    }
}

/// The pieces into which text was cut are inputs too.
#[test]
fn staged_text_is_known_by_its_content() {
    let folder = Folder::new();
    let text: String = (0..60_000).map(|row| format!("{row}\n")).collect();
    let csv = folder.file("in.csv", format!("b\n{text}"));
    let output = folder.path("out");
    assert_eq!(job(&csv, &output, &[]).status, 0);
    fs::remove_file(format!("{output}/part-00001.parquet")).unwrap();
    let staged = format!("{output}/_input/text-00000.parquet");
    let whole = fs::read(&staged).unwrap();
    change(&staged, whole.len() as u64 / 2, &[whole[whole.len() / 2] ^ 1]);
    let ran = job(&csv, &output, &[]);
    assert!(ran.status == 1 && ran.err.contains("has changed since the job began"), "{}", ran.err);
}
