//! Files: tables, checkpoints, rows, Parquet, plans of jobs, in a folder that `tools/fuzz.sh` keeps in memory.

use crate::numbers::one_thread;
use pingala_core::{Expected, FixedBase, Integer, Modulus, RepeatedSquare};
use pingala_rows::{Job, Request, Settings};
use sha2::{Digest, Sha256};
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

/// A folder of this process, empty. libFuzzer ends the process without destructors, so `tools/fuzz.sh` removes the folder.
fn folder() -> PathBuf {
    static TOP: LazyLock<PathBuf> =
        LazyLock::new(|| std::env::temp_dir().join(format!("pingala-fuzz-{}", std::process::id())));
    drop(fs::remove_dir_all(&*TOP));
    fs::create_dir_all(&*TOP).expect("a folder");
    TOP.clone()
}

/// A head of 64 bytes and a payload with the length of the payload in the head, and the seal behind both.
fn with_seal(mut file: Vec<u8>) -> Vec<u8> {
    let length = (file.len() - 64) as u64;
    file[16..24].copy_from_slice(&length.to_le_bytes());
    let seal = Sha256::digest(&file);
    file.extend_from_slice(&seal);
    file
}

/// Bytes with a right length and seal, which random input never has, so that the fuzzer reaches the reader behind the seal. Every other
/// input is not changed.
fn sealed(data: &[u8], like: &[u8]) -> Vec<u8> {
    match data.split_first() {
        Some((&first, rest)) if first & 1 == 1 => with_seal([&like[..64], rest].concat()),
        // The payload of a true file, changed in places, with its own seal.
        Some((&first, rest)) if first & 2 == 2 => {
            let mut file = like[..like.len() - 32].to_vec();
            for change in rest.chunks_exact(4) {
                let at = usize::from(u16::from_le_bytes([change[0], change[1]])) % (file.len() - 64) + 64;
                file[at] = change[2];
                if change[3] & 15 == 0 {
                    file.truncate(at.max(65));
                }
            }
            with_seal(file)
        }
        _ => data.to_vec(),
    }
}

fn modulus() -> &'static Modulus {
    static MODULUS: LazyLock<Modulus> = LazyLock::new(|| {
        Modulus::new("0xf123456789abcdef0123456789abcdef0123456789abcdef".parse().expect("a number")).expect("odd")
    });
    &MODULUS
}

/// Tables, also with a right seal around anything.
pub fn table(data: &[u8]) {
    static LIKE: LazyLock<Vec<u8>> = LazyLock::new(|| {
        let path = folder().join("like");
        let table = FixedBase::new(&3u64.into(), modulus(), 64, 1024, &one_thread()).expect("a table");
        table.save(&path).expect("written");
        fs::read(path).expect("read")
    });
    let path = folder().join("table");
    fs::write(&path, sealed(data, &LIKE)).expect("written");
    if let Ok(table) = FixedBase::load(&path, &Expected::default().with_max_bytes(1 << 20), &one_thread()) {
        // A table of other numbers with a right seal: no power is promised, but an end is.
        let power = table.pow(&Integer::from(0x1234_5678u64));
        if table.verify(&one_thread()).is_ok() && table.exponent_bits() >= 29 {
            let wanted = table.modulus().pow(&table.base().into(), &Integer::from(0x1234_5678u64));
            assert_eq!(power, wanted, "a table that is right");
        }
    }
}

/// Checkpoints of repeated squaring.
pub fn checkpoint(data: &[u8]) {
    fn start() -> RepeatedSquare {
        RepeatedSquare::new(modulus(), &3u64.into(), 40).expect("a start")
    }
    static LIKE: LazyLock<Vec<u8>> = LazyLock::new(|| {
        let path = folder().join("like");
        let mut run = start().with_checkpoint(&path, Duration::from_secs(100)).expect("a checkpoint");
        run.run(&one_thread()).expect("a power");
        fs::read(path).expect("read")
    });
    let path = folder().join("state");
    fs::write(&path, sealed(data, &LIKE)).expect("written");
    if let Ok(mut run) = start().with_checkpoint(&path, Duration::from_secs(100)) {
        drop(run.run(&one_thread()));
    }
}

/// Files of rows, by the command, as CSV and as JSON Lines.
pub fn batch(data: &[u8]) {
    let Some((&choice, text)) = data.split_first() else { return };
    if text.len() > 4096 {
        return;
    }
    let folder = folder();
    let name = ["rows.csv", "rows.jsonl", "rows.csv.gz", "rows.jsonl.zst"][usize::from(choice) % 4];
    fs::write(folder.join(name), text).expect("written");
    let (input, output) = (folder.join(name), folder.join("out"));
    let caps = ["--max-modulus-bits=4096", "--max-exponent-bits=4096", "--max-line-bytes=2000"];
    let (which, caps) = if choice & 0x40 == 0 { ("batch", &caps[..]) } else { ("verify", &[][..]) };
    let mut line: Vec<std::ffi::OsString> =
        vec!["pingala".into(), which.into(), input.into(), "--output".into(), output.into()];
    line.extend(["--threads=1", "--quiet"].iter().chain(caps).map(Into::into));
    let status = pingala_cli::run(line);
    assert!((0..=4).contains(&status), "status {status}");
}

fn request(folder: &Path, name: &str) -> Request {
    let mut request = Request::default();
    request.inputs = vec![folder.join(name).display().to_string()];
    request.output = folder.join("out");
    request.base = Some("base".into());
    request.exponent = Some("65537".into());
    request.modulus = Some("modulus".into());
    request.part_rows = Some(7);
    request
}

fn run(request: &Request) {
    let mut settings = Settings::default();
    settings.threads = NonZeroUsize::new(1);
    settings.memory_bytes = Some(8 << 20);
    if let Ok(job) = Job::plan(request, &settings)
        && job.parts() < 50
        && job.rows() < 1000
    {
        drop(job.run(&settings));
    }
}

/// Parquet files, whole or damaged: a true file with changed bytes, or anything behind the magic word.
pub fn parquet(data: &[u8]) {
    if data.len() > 1 << 16 {
        return;
    }
    let folder = folder();
    fs::write(folder.join("in.parquet"), data).expect("written");
    run(&request(&folder, "in.parquet"));
}

/// Jobs on text, which is cut into Parquet first.
pub fn text_job(data: &[u8]) {
    let Some((&choice, text)) = data.split_first() else { return };
    if text.len() > 4096 {
        return;
    }
    let folder = folder();
    let name = ["in.csv", "in.jsonl", "in.csv.gz", "in.jsonl.zst"][usize::from(choice) % 4];
    fs::write(folder.join(name), text).expect("written");
    run(&request(&folder, name));
}

/// Plans of jobs with a right digest around anything.
pub fn plan_file(data: &[u8]) {
    let folder = folder();
    let body = std::str::from_utf8(data).unwrap_or("{}");
    let before = "{\"pingala\":\"job plan\",\"version\":1,\"sha256\":\"";
    let digest = Sha256::new().chain_update(before).chain_update(body).finalize();
    let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    let text = format!("{before}{hex}\",\"body\":{body}}}\n");
    fs::write(folder.join("_plan.json"), text).expect("written");
    if let Ok(job) = Job::open(&folder) {
        drop(job.missing());
        if job.parts() < 10 && job.rows() < 1000 {
            let mut settings = Settings::default();
            settings.threads = NonZeroUsize::new(1);
            drop(job.run(&settings));
        }
    }
}
