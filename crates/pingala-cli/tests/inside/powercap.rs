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
    for (folder, counter) in [("intel-rapl:0", 50_000_010), ("intel-rapl:1", 50_000_410), ("intel-rapl:2", 90_000_005)]
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
