//! What stands in the folder of a job and is not what the job wrote: refused, never followed, never written over.
#![cfg(unix)]

use pingala_rows::{Error, Job, Request, Settings};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use std::time::Duration;

/// A child that is being started has the files of all threads for a moment, and with them their locks: one test at a time.
static ALONE: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A folder of this test, which goes with the value.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("pingala-rows-{}-{}", std::process::id(), COUNT.fetch_add(1, Relaxed));
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).unwrap();
        Self(fs::canonicalize(path).unwrap())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A job of 60 rows in parts of 20, as text or as Parquet.
fn request(folder: &Folder, format: &str) -> Request {
    let input = folder.0.join("in.csv");
    let rows: String = (0..60).map(|row| format!("{row},{}\n", 1_000_003 + row)).collect();
    fs::write(&input, format!("b,m\n{rows}")).unwrap();
    let mut request = Request::default();
    request.inputs = vec![input.display().to_string()];
    request.output = folder.0.join("out");
    request.base = Some("b".into());
    request.exponent = Some("65537".into());
    request.modulus = Some("m".into());
    request.keep = vec!["b".into()];
    request.part_rows = Some(20);
    request.format = format.parse().unwrap();
    request
}

fn done(request: &Request) -> Result<(), Error> {
    Job::plan(request, &Settings::default())?.run(&Settings::default()).map(drop)
}

/// The body of a sealed file, changed, under a right checksum.
fn reseal(path: &Path, change: impl FnOnce(&mut Value)) {
    let text = fs::read_to_string(path).unwrap();
    let (frame, rest) = text.split_once("\"sha256\":\"").unwrap();
    let (_, body) = rest.split_once("\",\"body\":").unwrap();
    let mut value: Value = serde_json::from_str(body.trim_end().strip_suffix('}').unwrap()).unwrap();
    change(&mut value);
    let (before, body) = (format!("{frame}\"sha256\":\""), value.to_string());
    let digest: String = Sha256::new()
        .chain_update(&before)
        .chain_update(&body)
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    fs::write(path, format!("{before}{digest}\",\"body\":{body}}}\n")).unwrap();
}

/// Everything that can be asked of a job in a folder.
fn everything(request: &Request) -> Vec<Result<(), Error>> {
    let settings = Settings::default();
    let open = || Job::open(&request.output);
    vec![
        open().and_then(|job| job.status()).map(drop),
        open().and_then(|job| job.missing()).map(drop),
        open().and_then(|job| job.run_part(0, &settings)).map(drop),
        open().and_then(|job| job.run_part(2, &settings)).map(drop),
        open().and_then(|job| job.verify(10, &settings)).map(drop),
        open().and_then(|job| job.measure(&settings)).map(drop),
        open().and_then(|job| job.hold()).map(drop),
        open().and_then(|job| job.finish()).map(drop),
        open().and_then(|job| job.run(&settings)).map(drop),
        done(request),
    ]
}

/// A plan is followed if it is the plan of its inputs. A right checksum says nothing of that.
#[test]
fn a_plan_with_a_right_checksum_is_checked() {
    let _alone = alone();
    type Change = fn(&mut Value);
    let structure: &[(&str, Change)] = &[
        ("an input that is none", |plan| plan["parts"][1][0]["input"] = json!(7)),
        ("an input beyond all", |plan| plan["parts"][1][0]["input"] = json!(u64::MAX)),
        ("no parts", |plan| plan["parts"] = json!([])),
        ("no parts and no rows", |plan| (plan["parts"], plan["rows"]) = (json!([]), json!(0))),
        ("an empty part", |plan| plan["parts"][1] = json!([])),
        ("no inputs", |plan| plan["inputs"] = json!([])),
        ("no rows", |plan| plan["rows"] = json!(0)),
        ("too many rows", |plan| plan["rows"] = json!(61)),
        ("rows of an input", |plan| plan["inputs"][0]["rows"] = json!(u64::MAX)),
        ("rows that overflow", |plan| plan["parts"][2][0]["rows"] = json!(u64::MAX)),
        ("rows beyond the end", |plan| plan["parts"][2][0]["first"] = json!(41)),
        ("a part twice", |plan| plan["parts"][1] = plan["parts"][0].clone()),
        ("parts that are turned", |plan| plan["parts"].as_array_mut().unwrap().swap(0, 1)),
        ("a part less", |plan| drop(plan["parts"].as_array_mut().unwrap().pop())),
        ("part rows", |plan| plan["part_rows"] = json!(0)),
        ("fewer part rows", |plan| plan["part_rows"] = json!(19)),
        ("a width of nothing", |plan| plan["results"] = json!({"fixed": 0})),
        ("a width beyond all", |plan| plan["results"] = json!({"fixed": 1u64 << 31})),
        ("truths", |plan| plan["results"] = json!("truth")),
        ("another piece of text", |plan| plan["inputs"][0]["path"] = json!("/etc/passwd")),
        ("a relative path", |plan| plan["inputs"][0]["path"] = json!("_input/text-00000.parquet")),
        ("a width of the task", |plan| plan["task"]["width"] = json!(1u64 << 31)),
        ("a delimiter", |plan| plan["task"]["delimiter"] = json!("\"")),
        ("a number", |plan| plan["task"]["exponent"] = json!({"value": "1e"})),
        ("no modulus", |plan| plan["task"]["modulus"] = Value::Null),
        ("a name twice", |plan| plan["task"]["result"] = json!("b")),
        ("another workload", |plan| plan["task"]["workload"] = json!("verify")),
        ("signatures", |plan| plan["task"]["signatures"] = json!({})),
    ];
    // What only the inputs can tell.
    let inputs: &[(&str, Change)] = &[
        ("words for bytes", |plan| plan["results"] = json!("word")),
        ("a width", |plan| plan["results"] = json!({"fixed": 3})),
        ("a column", |plan| plan["task"]["base"] = json!({"column": "x"})),
        ("a kept column", |plan| plan["task"]["keep"] = json!(["x"])),
        ("bytes of an input", |plan| plan["inputs"][0]["bytes"] = json!(1)),
        ("content of an input", |plan| plan["inputs"][0]["content"] = json!("00")),
    ];
    for finished in [false, true] {
        for (place, (what, change)) in structure.iter().chain(inputs).enumerate() {
            let folder = Folder::new();
            let request = request(&folder, "parquet");
            if finished {
                done(&request).unwrap();
            } else {
                Job::plan(&request, &Settings::default()).unwrap().run_part(1, &Settings::default()).unwrap();
            }
            reseal(&request.output.join("_plan.json"), change);
            let said = everything(&request);
            if place < structure.len() {
                assert!(said.iter().all(Result::is_err), "{what}: {said:?}");
            }
            // With another plan no part is of this job, and nothing is computed by it.
            assert!(said.last().unwrap().is_err(), "{what}: {said:?}");
            assert_eq!(request.output.join("part-00000.parquet").exists(), finished, "{what}");
        }
    }
}

#[test]
fn a_manifest_with_a_right_checksum_is_checked() {
    let _alone = alone();
    type Change = fn(&mut Value);
    let changes: &[Change] = &[
        |manifest| manifest["files"] = json!([]),
        |manifest| manifest["rows"] = json!(0),
        |manifest| manifest["errors"] = json!(1),
        |manifest| manifest["files"][0]["name"] = json!("../in.csv"),
        |manifest| manifest["files"][0]["rows"] = json!(u64::MAX),
        |manifest| manifest["files"][1]["errors"] = json!(u64::MAX),
        |manifest| manifest["files"].as_array_mut().unwrap().swap(0, 1),
        |manifest| manifest["plan"] = json!("00"),
    ];
    for (place, change) in changes.iter().enumerate() {
        let folder = Folder::new();
        let request = request(&folder, "parquet");
        done(&request).unwrap();
        reseal(&request.output.join("_manifest.json"), change);
        let job = Job::open(&request.output).unwrap();
        assert!(job.status().is_err() && job.verify(0, &Settings::default()).is_err(), "{place}");
        assert!(done(&request).is_err(), "{place}");
    }
}

/// A finished job that runs again reads what it wrote: one flipped byte, and it is no longer finished.
#[test]
fn a_flipped_byte_of_a_finished_job_is_found() {
    let _alone = alone();
    for format in ["parquet", "csv"] {
        let folder = Folder::new();
        let request = request(&folder, format);
        done(&request).unwrap();
        let part = request.output.join(format!("part-00001.{format}"));
        let mut bytes = fs::read(&part).unwrap();
        bytes[10] ^= 1;
        fs::write(&part, &bytes).unwrap();
        let again = done(&request).unwrap_err();
        assert!(again.code() == "bad_file" && again.to_string().contains("SHA-256"), "{format}: {again}");
        assert!(Job::open(&request.output).unwrap().finish().is_err(), "{format}");
        bytes[10] ^= 1;
        fs::write(&part, &bytes).unwrap();
        done(&request).unwrap();
    }
}

/// A request that cannot be done leaves nothing behind.
#[test]
fn a_request_that_is_refused_leaves_no_folder() {
    let _alone = alone();
    let folder = Folder::new();
    let of_text = request(&folder, "parquet");
    done(&of_text).unwrap();
    let mut of_parquet = of_text.clone();
    of_parquet.inputs = vec![of_text.output.join("part-00000.parquet").display().to_string()];
    (of_parquet.modulus, of_parquet.output) = (Some("1009".into()), folder.0.join("other"));
    let mut of_text = request(&folder, "parquet");
    of_text.output = folder.0.join("other");
    type Change = fn(&mut Request);
    let changes: &[Change] = &[
        |request| request.base = Some("nothing".into()),
        |request| request.keep = vec!["nothing".into()],
        |request| request.delimiter = Some('"'),
        |request| request.width = Some(0),
        |request| request.result = Some("b".into()),
    ];
    for request in [of_text, of_parquet] {
        for (place, change) in changes.iter().enumerate() {
            let mut request = request.clone();
            change(&mut request);
            assert!(Job::plan(&request, &Settings::default()).is_err(), "{place}");
            assert!(!request.output.exists(), "{place} {:?}", request.inputs);
        }
    }
}

/// The files that a job opens or writes in its folder.
fn names(format: &str) -> Vec<String> {
    let mut names =
        vec!["_lock".to_string(), "_plan.json".into(), "_manifest.json".into(), format!("part-00000.{format}")];
    names.push("_preparing.json".into());
    names.push("_input/text-00000.parquet".into());
    names.extend((format != "parquet").then(|| format!("_part-00000.{format}.json")));
    names
}

/// Links in the place of files that a job writes: no command changes their targets.
#[test]
fn links_are_not_followed() {
    let _alone = alone();
    for format in ["parquet", "csv"] {
        for name in names(format) {
            for begun in [false, true] {
                for exists in [true, false] {
                    let folder = Folder::new();
                    let request = request(&folder, format);
                    if begun {
                        done(&request).unwrap();
                        fs::remove_file(request.output.join("_manifest.json")).unwrap();
                    }
                    let (path, target) = (request.output.join(&name), folder.0.join("target"));
                    fs::create_dir_all(path.parent().unwrap()).unwrap();
                    let _ = fs::remove_file(&path);
                    if exists {
                        fs::write(&target, "of somebody else").unwrap();
                    }
                    symlink(&target, &path).unwrap();
                    let said = everything(&request);
                    assert!(said.last().unwrap().is_err(), "{name} {begun} {exists}: {said:?}");
                    assert!(fs::symlink_metadata(&path).unwrap().is_symlink(), "{name}");
                    assert_eq!(
                        fs::read_to_string(&target).ok().as_deref(),
                        exists.then_some("of somebody else"),
                        "{name}"
                    );
                }
            }
        }
    }
    // The folder of text that was cut.
    let folder = Folder::new();
    let request = request(&folder, "parquet");
    let other = folder.0.join("other");
    fs::create_dir_all(&request.output).unwrap();
    fs::create_dir(&other).unwrap();
    symlink(&other, request.output.join("_input")).unwrap();
    assert!(done(&request).is_err());
    assert_eq!(fs::read_dir(&other).unwrap().count(), 0);
}

/// Files of those names that somebody else wrote, and names of files that belong to somebody else as well.
#[test]
fn files_of_others_are_left_as_they_are() {
    let _alone = alone();
    for format in ["parquet", "csv"] {
        for name in names(format) {
            let folder = Folder::new();
            let request = request(&folder, format);
            let path = request.output.join(&name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "notes of mine\n").unwrap();
            assert!(done(&request).is_err(), "{name}");
            assert_eq!(fs::read_to_string(&path).unwrap(), "notes of mine\n", "{name}");
        }
    }
    let folder = Folder::new();
    let request = request(&folder, "parquet");
    fs::create_dir_all(&request.output).unwrap();
    let other = folder.0.join("other");
    fs::write(&other, "").unwrap();
    fs::hard_link(&other, request.output.join("_lock")).unwrap();
    assert!(done(&request).is_err());
    assert_eq!(fs::read_to_string(&other).unwrap(), "");
    fs::remove_file(request.output.join("_lock")).unwrap();
    // No file of a writer of parts has this name.
    let notes = request.output.join(".notes.v1.partial");
    fs::write(&notes, "mine").unwrap();
    assert!(done(&request).is_err());
    assert!(notes.exists());
    fs::remove_file(&notes).unwrap();
    done(&request).unwrap();
    fs::write(&notes, "mine").unwrap();
    done(&request).unwrap();
    assert!(notes.exists());
}

/// A call that takes so long hangs, on whatever machine.
const HANGS: Duration = Duration::from_secs(600);

/// Pipes in the place of files: no call waits for somebody to write.
#[test]
fn pipes_hang_nothing() {
    let _alone = alone();
    for format in ["parquet", "csv"] {
        for name in names(format) {
            for begun in [false, true] {
                let folder = Folder::new();
                let request = request(&folder, format);
                if begun {
                    done(&request).unwrap();
                    fs::remove_file(request.output.join("_manifest.json")).unwrap();
                }
                let path = request.output.join(&name);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                let _ = fs::remove_file(&path);
                assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
                let (send, receive) = mpsc::channel();
                let asked = request.clone();
                std::thread::spawn(move || send.send(everything(&asked)));
                let said = receive.recv_timeout(HANGS).unwrap_or_else(|_| panic!("{name} hangs"));
                assert!(said.last().unwrap().is_err(), "{name} {begun}: {said:?}");
            }
        }
    }
}
