//! Text that is cut into pieces before a job computes: what is reported meanwhile, and what a killed run leaves to the next one.
#![cfg(unix)]

use pingala_rows::{Job, Phase, Preparing, Request, Settings, Step, Steps};
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, id};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Most rows of a piece.
const PIECE_ROWS: usize = 1 << 17;
/// Names the folder in which a child plans a job, and is killed.
const CHILD: &str = "PINGALA_TEST_CUTTING";
/// The number of pieces after which it is killed.
const PIECES: &str = "PINGALA_TEST_PIECES";

struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let path = std::env::temp_dir().join(format!("pingala-cutting-{}-{}", id(), COUNT.fetch_add(1, Relaxed)));
        fs::create_dir_all(&path).unwrap();
        Self(fs::canonicalize(path).unwrap())
    }

    fn out(&self) -> PathBuf {
        self.0.join("out")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// All texts of a folder; each row squares its number modulo 1009.
fn request(folder: &Path) -> Request {
    let mut request = Request::default();
    let names = ["a.csv", "b.csv", "b.csv.gz", "c.jsonl"].map(|name| folder.join(name));
    request.inputs = names.iter().filter(|path| path.exists()).map(|path| path.display().to_string()).collect();
    request.output = folder.join("out");
    request.base = Some("b".into());
    request.exponent = Some("2".into());
    request.modulus = Some("1009".into());
    request.keep = vec!["b".into()];
    request.part_rows = Some(1 << 18);
    request.format = "csv".parse().unwrap();
    request.decimal = true;
    request
}

/// CSV of these numbers; the first field of some rows has two lines, so that lines are no rows.
fn csv(numbers: std::ops::Range<usize>) -> String {
    let row = |number: usize| match number % 1000 {
        7 => format!("\"two\nlines\",{number}\n"),
        _ => format!("x,{number}\n"),
    };
    format!("note,b\n{}", numbers.map(row).collect::<String>())
}

fn packed(text: &str) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(text.as_bytes()).unwrap();
    packer.finish().unwrap()
}

/// A step: its phase and files; the units that were done before, that are done, and in all.
type Said = (Phase, String, u64, u64, u64);

/// Keeps all steps; kills the process when so many pieces are there.
#[derive(Default)]
struct Recorded {
    steps: Mutex<Vec<Said>>,
    kill: Option<(PathBuf, usize)>,
}

impl Steps for Recorded {
    fn step(&self, step: &Step<'_>) {
        let Step { phase, files, before, done, total, .. } = *step;
        self.steps.lock().unwrap().push((phase, files.to_string(), before, done, total));
        if let Some((out, pieces)) = &self.kill
            && phase == Phase::Cutting
            && out.join(format!("_input/text-{:05}.parquet", pieces - 1)).exists()
        {
            Command::new("kill").args(["-9", &id().to_string()]).status().unwrap();
        }
    }
}

/// Is no test by itself: the others start it as a process that is killed.
#[test]
fn child_that_is_killed() {
    let Some(folder) = std::env::var_os(CHILD).map(PathBuf::from) else { return };
    let pieces: usize = std::env::var(PIECES).unwrap().parse().unwrap();
    let steps = Recorded { kill: Some((folder.join("out"), pieces)), ..Recorded::default() };
    let mut settings = Settings::default();
    settings.steps = Some(&steps);
    let _ = Job::plan(&request(&folder), &settings);
    unreachable!("the job has fewer pieces");
}

/// Plans the job of a folder in a process that is killed as soon as so many pieces are there.
fn killed(folder: &Folder, pieces: usize) {
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child_that_is_killed"])
        .env(CHILD, &folder.0)
        .env(PIECES, pieces.to_string())
        .output()
        .unwrap();
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&child.status), Some(9), "{child:?}");
    assert!(!folder.out().join("_plan.json").exists());
}

/// The pieces, by name: number of the file, and time of its last change.
fn pieces(folder: &Folder) -> BTreeMap<String, (u64, i64, i64)> {
    let entries = fs::read_dir(folder.out().join("_input")).unwrap().map(Result::unwrap);
    let facts = entries.map(|entry| (entry.file_name().into_string().unwrap(), entry.metadata().unwrap()));
    let whole = facts.filter(|(name, _)| name.starts_with("text-"));
    whole.map(|(name, facts)| (name, (facts.ino(), facts.mtime(), facts.mtime_nsec()))).collect()
}

/// Runs the job of a folder to its end; the steps of its phases.
fn finished(folder: &Folder, numbers: std::ops::Range<usize>) -> Vec<Said> {
    let steps = Recorded::default();
    let mut settings = Settings::default();
    settings.steps = Some(&steps);
    let job = Job::plan(&request(&folder.0), &settings).unwrap();
    assert_eq!(job.run(&settings).unwrap().rows, numbers.len() as u64);
    let mut found = Vec::new();
    for part in 0..job.parts() {
        let text = fs::read_to_string(folder.out().join(format!("part-{part:05}.csv"))).unwrap();
        found.extend(text.lines().skip(1).map(str::to_string));
    }
    assert!(found.into_iter().eq(numbers.map(|number| format!("{number},{},", number * number % 1009))));
    assert!(!folder.out().join("_preparing.json").exists());
    let names = fs::read_dir(folder.out().join("_input")).unwrap();
    assert!(names.map(Result::unwrap).all(|entry| entry.file_name().to_string_lossy().starts_with("text-")));
    steps.steps.into_inner().unwrap()
}

/// Finished pieces are the same files after the kill, and the text before their end is not cut again.
#[test]
fn a_killed_run_goes_on_behind_its_last_piece() {
    let folder = Folder::new();
    let numbers = 0..PIECE_ROWS * 3 + 5000;
    let text = csv(numbers.clone());
    fs::write(folder.0.join("a.csv"), &text).unwrap();
    killed(&folder, 1);
    let first = pieces(&folder);
    assert_eq!(first.keys().collect::<Vec<_>>(), ["text-00000.parquet"]);
    let preparing = Preparing::of(&folder.out()).unwrap().unwrap();
    let cut = preparing.cut_bytes.unwrap();
    assert_eq!((preparing.inputs.as_deref(), preparing.bytes), (Some("a.csv"), text.len() as u64));
    assert_eq!((preparing.pieces, preparing.running), (1, false));
    // The piece ends with a row of the text.
    let row = format!("x,{}\n", PIECE_ROWS - 1);
    assert!(text[..cut as usize].ends_with(&row), "{cut}");
    let refused = Job::open(&folder.out()).unwrap_err();
    assert!(refused.code() == "job_differs" && refused.to_string().contains("being prepared"), "{refused}");
    killed(&folder, 3);
    let second = pieces(&folder);
    assert_eq!(second.len(), 3);
    assert!(first.iter().all(|(name, facts)| second[name] == *facts));
    let steps = finished(&folder, numbers);
    let third = pieces(&folder);
    assert_eq!(third.len(), 4);
    assert!(second.iter().all(|(name, facts)| third[name] == *facts));
    let cutting: Vec<_> = steps.iter().filter(|step| step.0 == Phase::Cutting).collect();
    let (_, files, before, done, total) = cutting[0];
    assert_eq!((files.as_str(), *total), ("a.csv", text.len() as u64));
    assert!(before == done && *before > text.len() as u64 * 9 / 10, "{before} of {total}");
    assert!(Preparing::of(&folder.out()).unwrap().is_none());
}

/// Several texts, one of them packed, whose pieces end in any of them.
#[test]
fn several_texts_are_one_row_of_pieces() {
    let folder = Folder::new();
    let (first, second) = (PIECE_ROWS + 1000, PIECE_ROWS * 5 / 2);
    fs::write(folder.0.join("a.csv"), csv(0..first)).unwrap();
    fs::write(folder.0.join("b.csv.gz"), packed(&csv(first..second))).unwrap();
    let lines: String = (second..PIECE_ROWS * 3).map(|number| format!("{{\"b\":{number}}}\n")).collect();
    fs::write(folder.0.join("c.jsonl"), lines).unwrap();
    killed(&folder, 1);
    killed(&folder, 2);
    let before = pieces(&folder);
    assert_eq!(Preparing::of(&folder.out()).unwrap().unwrap().inputs.as_deref(), Some("3 files"));
    finished(&folder, 0..PIECE_ROWS * 3);
    let after = pieces(&folder);
    assert!(before.len() == 2 && before.iter().all(|(name, facts)| after[name] == *facts), "{before:?} {after:?}");
}

/// Another content, in place of the old one or behind it, is cut anew, and rows of both never mix.
#[test]
fn a_text_that_changes_between_two_runs_is_cut_anew() {
    let folder = Folder::new();
    let path = folder.0.join("a.csv");
    let old = csv(0..PIECE_ROWS + 10);
    fs::write(&path, &old).unwrap();
    killed(&folder, 1);
    let before = pieces(&folder);
    // Of the same length, in the middle, and with the old time.
    let times = fs::metadata(&path).unwrap().modified().unwrap();
    let new = csv(1..PIECE_ROWS + 11);
    fs::write(&path, &new).unwrap();
    fs::File::options().write(true).open(&path).unwrap().set_modified(times).unwrap();
    finished(&folder, 1..PIECE_ROWS + 11);
    assert_ne!(before["text-00000.parquet"], pieces(&folder)["text-00000.parquet"]);
}

/// Other options keep the pieces that they would cut again, and no others.
#[test]
fn other_options_keep_pieces_with_the_same_columns() {
    let folder = Folder::new();
    fs::write(folder.0.join("a.csv"), csv(0..PIECE_ROWS + 10)).unwrap();
    killed(&folder, 1);
    let before = pieces(&folder);
    let mut other = request(&folder.0);
    other.exponent = Some("3".into());
    let job = Job::plan(&other, &Settings::default()).unwrap();
    assert_eq!(before["text-00000.parquet"], pieces(&folder)["text-00000.parquet"]);
    assert_eq!(job.rows(), (PIECE_ROWS + 10) as u64);
    let folder = Folder::new();
    fs::write(folder.0.join("a.csv"), csv(0..PIECE_ROWS + 10)).unwrap();
    killed(&folder, 1);
    let before = pieces(&folder);
    let mut other = request(&folder.0);
    other.keep = vec!["note".into(), "b".into()];
    let job = Job::plan(&other, &Settings::default()).unwrap();
    assert_ne!(before["text-00000.parquet"], pieces(&folder)["text-00000.parquet"]);
    job.run(&Settings::default()).unwrap();
    let text = fs::read_to_string(folder.out().join("part-00000.csv")).unwrap();
    assert!(text.starts_with("note,b,result,error\nx,0,0,\nx,1,1,\n"), "{}", &text[..60]);
}

/// Changes a text as soon as it is being cut.
struct Changes(PathBuf, AtomicUsize);

impl Steps for Changes {
    fn step(&self, step: &Step<'_>) {
        if step.phase == Phase::Cutting && step.done > 0 && self.1.fetch_add(1, Relaxed) == 0 {
            let mut bytes = fs::read(&self.0).unwrap();
            let last = bytes.len() - 2;
            bytes[last] = if bytes[last] == b'1' { b'2' } else { b'1' };
            fs::write(&self.0, bytes).unwrap();
        }
    }
}

/// A text that changes while it is cut leaves no piece, because a piece of the new text would have the name of the old one.
#[test]
fn a_text_that_changes_while_it_is_cut_leaves_no_piece() {
    let folder = Folder::new();
    let path = folder.0.join("a.csv");
    fs::write(&path, csv(0..PIECE_ROWS + 10)).unwrap();
    let changes = Changes(path, AtomicUsize::new(0));
    let mut settings = Settings::default();
    settings.steps = Some(&changes);
    let refused = Job::plan(&request(&folder.0), &settings).unwrap_err();
    assert!(refused.code() == "job_differs" && refused.to_string().contains("has changed"), "{refused}");
    assert!(pieces(&folder).is_empty());
}

/// Each phase begins with nothing done, never goes back, and ends with all done.
#[test]
fn phases_are_reported_from_nothing_to_all() {
    let folder = Folder::new();
    let text = csv(0..5000);
    fs::write(folder.0.join("a.csv"), &text).unwrap();
    let steps = finished(&folder, 0..5000);
    let of = |phase: Phase, files: &str| -> Vec<(u64, u64)> {
        let wanted = steps.iter().filter(|step| step.0 == phase && step.1 == files);
        wanted.map(|step| (step.3, step.4)).collect()
    };
    let (reading, cutting) = (of(Phase::Reading, "a.csv"), of(Phase::Cutting, "a.csv"));
    let bytes = text.len() as u64;
    assert_eq!(reading[..2], [(0, bytes), (bytes, bytes)]);
    assert!(cutting.len() >= 5 && cutting[0].0 == 0 && cutting.is_sorted(), "{cutting:?}");
    assert!(cutting.iter().all(|&(done, total)| done <= total && total == bytes));
    let opening = of(Phase::Opening, "text-00000.parquet");
    assert_eq!((opening.first(), opening.last()), (Some(&(0, 1)), Some(&(1, 1))));
    // A finished job reads its results once more.
    let recorded = Recorded::default();
    let mut settings = Settings::default();
    settings.steps = Some(&recorded);
    Job::open(&folder.out()).unwrap().verify(0, &settings).unwrap();
    let part = fs::metadata(folder.out().join("part-00000.csv")).unwrap().len();
    let steps = recorded.steps.into_inner().unwrap();
    let name = "part-00000.csv".to_string();
    assert_eq!(steps.first(), Some(&(Phase::Checking, name.clone(), 0, 0, part)));
    assert_eq!(steps.last(), Some(&(Phase::Checking, name, 0, part, part)));
}
