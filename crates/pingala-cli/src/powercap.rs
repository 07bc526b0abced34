//! Energy counters of Linux's powercap interface (RAPL), on machines that have them and permit reading.
//!
//! A zone is a folder with `name`, `energy_uj`, a counter in microjoule that starts again behind `max_energy_range_uj`.
//! Packages are top zones; DRAM, which no package contains, is a zone within one. They belong to the whole machine: what
//! else runs is measured too, which is why a measurement takes the idle power off.
//!
//! A package may be there more than once: `intel-rapl:0` by its registers and `intel-rapl-mmio:0` by memory, both `package-0`;
//! and on some AMD processors each die has a zone of its own, `package-0-die-1`, that shows the package's counter again, where
//! other dies have counters of their own (codecarbon's pull requests 950 and 1276). Of several with one name, the first by folder is used
//! counts.

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
mod tests {
    use super::*;

    /// A powercap tree: (folder, name, counter, range).
    fn tree(zones: &[(&str, &str, &str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (folder, name, counter, range) in zones {
            let folder = root.path().join(folder);
            fs::create_dir(&folder).unwrap();
            for (file, text) in [("name", name), ("energy_uj", counter), ("max_energy_range_uj", range)] {
                fs::write(folder.join(file), format!("{text}\n")).unwrap();
            }
        }
        root
    }

    fn set(root: &tempfile::TempDir, folder: &str, counter: u64) {
        fs::write(root.path().join(folder).join("energy_uj"), format!("{counter}\n")).unwrap();
    }

    #[test]
    fn packages_and_dram_are_added_and_nothing_twice() {
        let root = tree(&[
            ("intel-rapl:0", "package-0", "100", "1000"),
            ("intel-rapl:0:0", "core", "50", "1000"),
            ("intel-rapl:0:1", "dram", "7", "1000"),
            ("intel-rapl:1", "psys", "3", "1000"),
        ]);
        fs::create_dir(root.path().join("intel-rapl")).unwrap();
        let mut meter = Meter::open(root.path()).unwrap();
        assert_eq!(meter.names(), "package-0 dram");
        assert_eq!(meter.read(), Ok(0));
        set(&root, "intel-rapl:0", 350);
        set(&root, "intel-rapl:0:0", 200);
        set(&root, "intel-rapl:0:1", 10);
        assert_eq!(meter.read(), Ok(253));
    }

    #[test]
    fn a_package_that_is_there_twice_counts_once() {
        let root = tree(&[
            ("intel-rapl-mmio:0", "package-0", "100", "1000"),
            ("intel-rapl-mmio:0:0", "dram", "5", "1000"),
            ("intel-rapl:0", "package-0", "100", "1000"),
            ("intel-rapl:0:1", "dram", "5", "1000"),
            ("intel-rapl:1", "package-1", "0", "1000"),
            ("intel-rapl:1:0", "dram", "0", "1000"),
        ]);
        let mut meter = Meter::open(root.path()).unwrap();
        assert_eq!(meter.names(), "package-0 dram package-1 dram");
        for (folder, counter) in
            [("intel-rapl-mmio:0", 130), ("intel-rapl-mmio:0:0", 6), ("intel-rapl:0", 130), ("intel-rapl:0:1", 6)]
        {
            set(&root, folder, counter);
        }
        set(&root, "intel-rapl:1", 400);
        assert_eq!(meter.read(), Ok(30 + 1 + 400));

        let root = tree(&[
            ("intel-rapl:0", "package-0-die-0", "50000000", "100000000"),
            ("intel-rapl:1", "package-0-die-1", "50000400", "100000000"),
            ("intel-rapl:2", "package-1-die-0", "90000000", "100000000"),
            ("intel-rapl:3", "package-1-die-1", "20000000", "100000000"),
        ]);
        let mut meter = Meter::open(root.path()).unwrap();
        assert_eq!(meter.names(), "package-0-die-0 package-1-die-0 package-1-die-1");
        for (folder, counter) in
            [("intel-rapl:0", 50_000_010), ("intel-rapl:1", 50_000_410), ("intel-rapl:2", 90_000_005)]
        {
            set(&root, folder, counter);
        }
        set(&root, "intel-rapl:3", 20_000_001);
        assert_eq!(meter.read(), Ok(10 + 5 + 1));
    }

    #[test]
    fn a_counter_that_starts_again_goes_on() {
        let root = tree(&[("intel-rapl:0", "package-0", "990", "1000"), ("intel-rapl:1", "package-1", "0", "500")]);
        let mut meter = Meter::open(root.path()).unwrap();
        set(&root, "intel-rapl:0", 25);
        assert_eq!(meter.read(), Ok(35));
        set(&root, "intel-rapl:1", 400);
        assert_eq!(meter.read(), Ok(435));
        set(&root, "intel-rapl:0", 24);
        set(&root, "intel-rapl:1", 399);
        assert_eq!(meter.read(), Ok(435 + 999 + 499));
    }

    #[test]
    fn what_is_missing_is_said() {
        let root = tree(&[("intel-rapl:0:0", "core", "1", "2")]);
        let none = root.path().join("none");
        let why = plain(&fs::read_dir(&none).unwrap_err());
        assert!(Meter::open(&none).unwrap_err().contains(&why), "{why}");
        assert!(Meter::open(root.path()).unwrap_err().contains("no zone of a package"));
        let root = tree(&[("intel-rapl:0", "package-0", "many", "2")]);
        assert!(Meter::open(root.path()).unwrap_err().contains("has no number: 'many'"));
        fs::remove_file(root.path().join("intel-rapl:0/energy_uj")).unwrap();
        assert!(Meter::open(root.path()).unwrap_err().contains("cannot read"));
    }
}
