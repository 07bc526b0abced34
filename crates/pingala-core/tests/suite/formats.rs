//! Files that earlier versions wrote load for ever, on every kernel: those of vectors/formats/.

use super::common::mapped;
use pingala_core::kernels::KERNELS;
use pingala_core::{Error, Expected, FixedBase, Integer, Modulus, Options, RepeatedSquare};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

struct Row {
    id: String,
    path: PathBuf,
    base: Integer,
    modulus: Modulus,
    fields: Value,
}

/// The rows of files.jsonl for files with this ending: every such file has one.
fn rows(ending: &str) -> Vec<Row> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/formats");
    let text = fs::read_to_string(folder.join("files.jsonl")).unwrap();
    let fields = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let row = |fields: Value| {
        let field = |name: &str| fields[name].as_str().unwrap().to_string();
        let path = folder.join(field("file"));
        let (base, modulus) =
            (field("base").parse().unwrap(), Modulus::new(field("modulus").parse().unwrap()).unwrap());
        Row { id: field("id"), path, base, modulus, fields }
    };
    let ends_so = |path: &Path| path.extension().is_some_and(|extension| extension == ending);
    let rows: Vec<Row> = fields.map(row).filter(|row| ends_so(&row.path)).collect();
    let files = fs::read_dir(&folder).unwrap().filter(|file| ends_so(&file.as_ref().unwrap().path())).count();
    assert!(files > 0 && files == rows.len());
    rows
}

/// Every kernel of this CPU, by name, and the planner's choice.
fn kernels() -> impl Iterator<Item = Option<&'static str>> {
    let names = KERNELS.iter().filter(|entry| entry.available()).map(|entry| Some(entry.name));
    [None].into_iter().chain(names)
}

/// The golden tables give right powers on every kernel that takes them: each loads on two at least, its own and another.
#[test]
fn tables_of_version_0_1_load_on_every_kernel() {
    for row in rows("table") {
        let bits = row.fields["exponent_bits"].as_u64().unwrap();
        let ones = format!("0x{}", "f".repeat(bits as usize / 4)).parse().unwrap();
        let exponents: [Integer; 5] = [0u64.into(), 1u64.into(), 0xdead_beefu64.into(), (-5i64).into(), ones];
        let mut loads = 0;
        for kernel in kernels() {
            for map in [false, true] {
                let options = Options::default().with_kernel(kernel);
                let modulus = Some(row.modulus.value());
                let expected = mapped(Expected::default().with_modulus(modulus).with_base(Some(&row.base)), map);
                let table = match FixedBase::load(&row.path, &expected, &options) {
                    Ok(table) => table,
                    // A kernel for other moduli or for lists.
                    Err(Error::BadPlan(_)) if kernel.is_some() => continue,
                    Err(error) => panic!("{} on {kernel:?}: {error}", row.id),
                };
                for exponent in &exponents {
                    let want = row.modulus.pow(&row.base, exponent);
                    assert_eq!(table.pow(exponent), want, "{} on {kernel:?}: exponent {exponent}", row.id);
                }
                table.verify(&Options::default()).unwrap();
                assert_eq!(table.exponent_bits(), bits);
                loads += 1;
            }
        }
        assert!(loads >= 4, "{} loads {loads} times", row.id);
    }
}

/// A run of version 0.1 is finished on every kernel.
#[test]
fn checkpoints_of_version_0_1_go_on_on_every_kernel() {
    let copy = std::env::temp_dir().join(format!("pingala-formats-{}", std::process::id()));
    for row in rows("checkpoint") {
        let [squarings, done] = ["squarings", "done"].map(|name| row.fields[name].as_u64().unwrap());
        let want = row.modulus.repeated_square(&row.base, squarings, &Options::default()).unwrap();
        let mut runs = 0;
        for kernel in kernels() {
            fs::copy(&row.path, &copy).unwrap();
            let job = RepeatedSquare::new(&row.modulus, &row.base, squarings).unwrap();
            let mut job = job.with_checkpoint(&copy, Duration::from_secs(30)).unwrap();
            assert_eq!(job.done(), done, "{}", row.id);
            match job.run(&Options::default().with_kernel(kernel)) {
                Ok(result) => assert_eq!(result, want, "{} on {kernel:?}", row.id),
                Err(Error::BadPlan(_)) if kernel.is_some() => continue,
                Err(error) => panic!("{} on {kernel:?}: {error}", row.id),
            }
            runs += 1;
        }
        assert!(runs >= 2, "{} goes on {runs} times", row.id);
    }
    fs::remove_file(copy).unwrap();
}
