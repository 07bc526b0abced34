//! The record of a run: everything that its figures depend on, in JSON.

use crate::cell::{Cell, Effort};
use crate::machine::{cpu, first_line, processors};
use crate::peers::Peer;
use pingala_core::kernels;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Where records are kept.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/bench");

/// Host, date, commit, compiler, peers.
pub fn header(peers: &[Box<dyn Peer>], effort: &Effort) -> Value {
    let peers: serde_json::Map<_, _> = peers.iter().map(|peer| (peer.name(), json!(peer.version()))).collect();
    json!({
        "cpu": cpu(),
        "system": first_line("uname", &["-srm"]),
        "date": first_line("date", &["-u", "+%Y-%m-%dT%H:%M:%SZ"]),
        "commit": first_line("git", &["describe", "--always", "--dirty"]),
        "rustc": first_line("rustc", &["--version"]),
        "masked": masked(),
        "default_threads": processors(),
        "rounds": effort.rounds,
        "time": "of the process on one processor, on the wall with default options; nanoseconds per power",
        "peers": peers,
    })
}

/// The features that PINGALA_CPU masks.
pub fn masked() -> String {
    kernels::masked().unwrap_or_default().iter().map(|feature| feature.name()).collect::<Vec<_>>().join(" ")
}

/// Samples of a run that were dropped because the clocks disagreed by more than 2%, and all.
pub fn dropped(cells: &[Cell]) -> [usize; 2] {
    cells.iter().map(Cell::dropped).fold([0, 0], |sum, one| [sum[0] + one[0], sum[1] + one[1]])
}

/// Whether one sample in ten or more was dropped: then the figures say little.
pub fn is_busy(cells: &[Cell]) -> bool {
    let [dropped, all] = dropped(cells);
    10 * dropped > all
}

/// One cell with the quartiles of all its contenders.
pub fn cell(cell: &Cell) -> Value {
    let contenders: serde_json::Map<_, _> = cell
        .contenders
        .iter()
        .map(|contender| {
            let q = contender.quartiles();
            let value = json!({
                "least": q.least, "lower": q.lower, "median": q.median, "upper": q.upper,
                "samples": q.samples, "dropped": contender.dropped()[0],
            });
            (contender.name.clone(), value)
        })
        .collect();
    json!({
        "shape": cell.work.shape.key(),
        "label": cell.work.label,
        "modulus_bits": cell.work.modulus_bits,
        "powers": cell.work.jobs.len(),
        "default_options": cell.work.default_options,
        "plan": cell.plan,
        "contenders": contenders,
    })
}

/// Writes `text` next to the other records, named by the record's date and `ending`; returns the path.
pub fn write(header: &Value, ending: &str, text: &str) -> std::io::Result<PathBuf> {
    std::fs::create_dir_all(FOLDER)?;
    let date = header["date"].as_str().unwrap_or("undated").replace(':', "");
    let path = Path::new(FOLDER).join(format!("{date}.{ending}"));
    std::fs::write(&path, text)?;
    path.canonicalize()
}
