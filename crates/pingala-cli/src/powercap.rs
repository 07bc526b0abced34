//! Energy counters of Linux's powercap interface (RAPL), on machines that have them and permit reading.
//!
//! A zone is a folder with `name`, `energy_uj`, a counter in microjoule that starts again behind `max_energy_range_uj`.
//! Packages are top zones; DRAM, which no package contains, is a zone within one. They belong to the whole machine: what
//! else runs is measured too, which is why a measurement takes the idle power off.
//!
//! A package may be there more than once: `intel-rapl:0` by its registers and `intel-rapl-mmio:0` by memory, both `package-0`;
//! and on some AMD processors each die has a zone of its own, `package-0-die-1`, that shows the package's counter again, where
//! other dies have counters of their own (codecarbon's pull requests 950 and 1276). Of several with one name, the first by
//! folder counts.

use crate::failure::plain;
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Where Linux keeps the zones.
pub(crate) const ROOT: &str = "/sys/class/powercap";

/// One counter.
#[derive(Debug)]
struct Zone {
    name: String,
    counter: PathBuf,
    range: u64,
    last: u64,
    microjoule: u64,
}

/// The counters of packages and DRAM, and what they have risen by.
#[derive(Debug)]
pub(crate) struct Meter {
    zones: Vec<Zone>,
}

impl Meter {
    /// Finds the zones below `root` and reads them once. The error is a sentence that says what is missing.
    pub(crate) fn open(root: &Path) -> Result<Self, String> {
        let entries = fs::read_dir(root).map_err(|error| format!("no {}: {}", root.display(), plain(&error)))?;
        let mut folders: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        folders.sort();
        let mut zones = Vec::new();
        let mut seen = HashSet::new();
        for folder in folders {
            let Ok(name) = fs::read_to_string(folder.join("name")) else { continue };
            let name = name.trim().to_string();
            // Zones within a package are links in the root too. Cores are part of their package, psys is all of it.
            if !name.starts_with("package") && name != "dram" {
                continue;
            }
            if !seen.insert(measured(&folder, &name)) {
                continue;
            }
            let counter = folder.join("energy_uj");
            let range = number(&folder.join("max_energy_range_uj"))?;
            let last = number(&counter)?;
            let mirrored = |zone: &Zone| {
                package(&zone.name) == package(&name) && last > 0 && zone.last.abs_diff(last) < MIRRORED_WITHIN
            };
            if name.contains("-die-") && zones.iter().any(mirrored) {
                continue;
            }
            zones.push(Zone { name, counter, range, last, microjoule: 0 });
        }
        if zones.is_empty() {
            Err(format!("no zone of a package below {}", root.display()))
        } else {
            Ok(Self { zones })
        }
    }

    /// The names of the zones: `package-0 dram`.
    pub(crate) fn names(&self) -> String {
        self.zones.iter().map(|zone| zone.name.as_str()).collect::<Vec<_>>().join(" ")
    }

    /// Microjoule of all zones since they were opened. A counter that stands lower than before has started again once:
    /// it must be read more often than it wraps, which at 100 W takes some 40 minutes.
    pub(crate) fn read(&mut self) -> Result<u64, String> {
        for zone in &mut self.zones {
            let now = number(&zone.counter)?;
            zone.microjoule +=
                if now >= zone.last { now - zone.last } else { zone.range.saturating_sub(zone.last) + now };
            zone.last = now;
        }
        Ok(self.zones.iter().map(|zone| zone.microjoule).sum())
    }
}

/// What a zone measures: the same for the two ways to one counter.
fn measured(folder: &Path, name: &str) -> String {
    if name == "dram" {
        // `intel-rapl:0:1` and `intel-rapl-mmio:0:0` are both within zone 0.
        let folder = folder.file_name().unwrap_or_default().to_string_lossy();
        return format!("dram {}", folder.split(':').nth(1).unwrap_or(&folder));
    }
    name.to_string()
}

/// The package of a die: `package-0` of `package-0-die-1`.
fn package(name: &str) -> &str {
    name.split("-die-").next().unwrap_or(name)
}

/// Two dies whose counters have run since the machine was started, and stand closer than this, in microjoule, show the same one:
/// it rises between the two readings.
const MIRRORED_WITHIN: u64 = 1_000_000;

fn number(path: &Path) -> Result<u64, String> {
    let text =
        fs::read_to_string(path).map_err(|error| format!("cannot read {}: {}", path.display(), plain(&error)))?;
    text.trim().parse().map_err(|_| format!("{} has no number: '{}'", path.display(), text.trim()))
}

#[cfg(test)]
#[path = "../tests/inside/powercap.rs"]
mod tests;
