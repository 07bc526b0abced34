//! Prices as files: text and back, whose machine they belong to, and what broken ones say.

use pingala_core::kernels::{self, Form, Kernel};
use pingala_core::plan::{Planner, Prices, Problem};
use std::fs;
use std::path::PathBuf;

const POINTS: &str = "mulx_r64 cios 4 100.0 20.00 5.000 6.000 2.000 1.000\nportable_low_r64 - 3 100 20 5 6 2 1\n";

fn stamped(cpu: &str, version: &str, points: &str) -> String {
    format!("# a comment\ncpu: {cpu}\ndate: 2026-11-21\ncompiler: rustc\nversion: {version}\n{points}")
}

/// A stamp of this machine and version.
fn ours(points: &str) -> String {
    stamped(&kernels::model(), env!("CARGO_PKG_VERSION"), points)
}

/// A file that goes with its value.
struct File(PathBuf);

impl File {
    fn new(name: &str, content: impl AsRef<[u8]>) -> Self {
        let path = std::env::temp_dir().join(format!("pingala-{}-{name}.txt", std::process::id()));
        fs::write(&path, content).unwrap();
        Self(path)
    }

    fn name(&self) -> String {
        self.0.display().to_string()
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn kernel(name: &str) -> Kernel {
    Kernel::by_name(name).unwrap()
}

fn source_of(prices: &Prices, kernel: Kernel) -> String {
    let mut sources = prices.sources().filter(|(_, kernels)| kernels.contains(&kernel));
    let (source, _) = sources.next().expect("a kernel with prices has a source");
    assert!(sources.next().is_none(), "one source for each kernel");
    source.name().into()
}

#[test]
fn text_and_back() {
    let prices = Prices::parse(&ours(POINTS)).unwrap();
    assert_eq!(Prices::parse(&prices.to_string()).as_ref(), Ok(&prices));
    let form = Form::new(kernel("mulx_r64"), 4, Some(kernels::Product::Cios));
    assert_eq!(prices.of(&form).map(|price| (price.setup, price.select)), Some((100.0, 1.0)));
    // All that ships, too, but for the digits that no measurement has.
    let again = Prices::parse(&Prices::built_in().to_string()).unwrap();
    assert_eq!(Prices::parse(&again.to_string()).as_ref(), Ok(&again));
    let problem = Problem::new(2048, 2048);
    // Of one kernel: on a CPU of a family without a file the built-in prices do not choose kernels of doubles, and text does not say so.
    let plan = |prices: &Prices| {
        Planner::new(prices.clone()).plan_with(&problem, Some("portable_r64"), None).unwrap().to_string()
    };
    // Of two plans of one price the digits that are gone may choose the other.
    let planner = Planner::new(Prices::built_in().clone());
    let [before, after] = [plan(Prices::built_in()), plan(&again)]
        .map(|line| planner.explain(&problem, None, Some(&line)).unwrap().seconds());
    assert!((before - after).abs() <= 0.01 * before, "{before} {after}");
}

#[test]
fn each_built_in_file_has_its_own_stamp() {
    let sources: Vec<_> = Prices::built_in().sources().collect();
    // One file prices nearly all kernels on a CPU that has its own; that of another architecture is always there.
    assert!(sources.len() >= 2, "{sources:?}");
    for (source, kernels) in sources {
        let names: Vec<_> = source.stamp().iter().map(|(name, _)| name.as_str()).collect();
        assert!(names.starts_with(&["cpu", "date", "compiler", "version"]), "{source:?}");
        assert!(!kernels.is_empty() && source.name().starts_with("built-in, "), "{source:?}");
    }
    let all: Vec<_> = Kernel::all().map(|kernel| source_of(Prices::built_in(), kernel)).collect();
    assert_eq!(all.len(), kernels::KERNELS.len());
}

#[test]
fn a_file_of_this_machine_comes_before_the_built_in_prices() {
    let file = File::new("ours", ours(POINTS));
    let prices = Prices::read(&file.0).unwrap();
    assert_eq!(source_of(&prices, kernel("mulx_r64")), file.name());
    assert_eq!(source_of(&prices, kernel("portable_low_r64")), file.name());
    assert_eq!(source_of(&prices, kernel("portable_r64")), source_of(Prices::built_in(), kernel("portable_r64")));
    assert!(prices.notes().is_empty());
    // A commit behind the version is for people.
    let file = File::new("commit", stamped(&kernels::model(), concat!(env!("CARGO_PKG_VERSION"), " at 0abc"), POINTS));
    assert_eq!(source_of(&Prices::read(&file.0).unwrap(), kernel("mulx_r64")), file.name());
}

/// Its points need not even be known here.
#[test]
fn a_file_of_another_machine_or_format_is_set_aside_with_a_note() {
    let points = "kernel_of_tomorrow - 1 2 3\n";
    for (name, text) in [
        ("cpu", stamped("Z80", env!("CARGO_PKG_VERSION"), points)),
        ("format", format!("format: 2\n{}", stamped(&kernels::model(), "99.0.0", points))),
    ] {
        let file = File::new(name, text);
        let prices = Prices::read(&file.0).unwrap();
        assert!(prices.sources().eq(Prices::built_in().sources()), "{name}");
        let [note] = prices.notes() else { panic!("{name}: {:?}", prices.notes()) };
        assert!(note.contains(&file.name()) && note.contains("not used"), "{note}");
    }
}

/// A release does not set everybody's prices aside; kernels that it no longer has, it does not miss.
#[test]
fn a_file_of_another_release_counts() {
    let points = format!("{POINTS}kernel_of_tomorrow - 4 1 2 3 4 5 6\nkernel_of_tomorrow - 5 1 2 3 4 5 6\n");
    let file = File::new("release", stamped(&kernels::model(), "0.0.1", &points));
    let prices = Prices::read(&file.0).unwrap();
    assert_eq!(source_of(&prices, kernel("mulx_r64")), file.name());
    let [note] = prices.notes() else { panic!("{:?}", prices.notes()) };
    assert!(note.contains("kernel_of_tomorrow"), "{note}");
}

#[test]
fn a_broken_file_is_an_error_that_names_file_and_line() {
    let point = |line: &str| ours(&format!("{POINTS}{line}\n"));
    for (name, text, line, why) in [
        ("short", point("mulx_r64 cios 5 1 2 3"), Some(8), "is not a measured point"),
        ("long", point("mulx_r64 cios 5 1 2 3 4 5 6 7"), Some(8), "is not a measured point"),
        ("zero", point("mulx_r64 cios 5 1 2 0 4 5 6"), Some(8), "is not a measured point"),
        ("nan", point("mulx_r64 cios 5 1 2 NaN 4 5 6"), Some(8), "is not a measured point"),
        ("infinite", point("mulx_r64 cios 5 1 2 inf 4 5 6"), Some(8), "is not a measured point"),
        ("length", point("mulx_r64 cios 0 1 2 3 4 5 6"), Some(8), "is not a measured point"),
        ("kernel", point("mulx cios 5 1 2 3 4 5 x"), Some(8), "is not a measured point"),
        ("product", point("mulx_r64 comba 5 1 2 3 4 5 6"), Some(8), "is not a measured point"),
        ("no-product", point("mulx_r64 - 5 1 2 3 4 5 6"), Some(8), "is not a measured point"),
        ("one-too-many", point("portable_low_r64 cios 5 1 2 3 4 5 6"), Some(8), "is not a measured point"),
        ("twice", point("mulx_r64 cios 4 1 2 3 4 5 6"), Some(8), "repeats a length"),
        ("empty", ours(""), None, "no measured point"),
        ("unstamped", POINTS.to_string(), None, "no line 'cpu: ...'"),
    ] {
        let file = File::new(name, text);
        let error = Prices::read(&file.0).unwrap_err();
        let place = line.map_or(file.name(), |line| format!("{} line {line}: ", file.name()));
        let sentence = error.to_string();
        assert_eq!(error.code(), "bad_argument");
        assert!(sentence.contains(&place) && sentence.contains(why), "{name}: {sentence}");
    }
    for (name, content) in [("binary", vec![0xff; 99]), ("huge", vec![b'#'; (1 << 20) + 1])] {
        let file = File::new(name, content);
        assert!(Prices::read(&file.0).unwrap_err().to_string().contains(&file.name()), "{name}");
    }
    let nowhere = std::env::temp_dir().join("pingala/there/is/no/such.txt");
    assert!(Prices::read(&nowhere).unwrap_err().to_string().contains("such.txt"));
}

/// Between two lengths a price follows the power law through them, and beyond them too.
#[test]
fn prices_between_measured_lengths() {
    let points = "portable_r64 cios 4 100 20 5 6 2 1\nportable_r64 cios 64 1600 20 80 1536 2 1\n";
    let prices = Prices::parse(&ours(points)).unwrap();
    for (n, setup, sqr, mul) in [(4, 100.0, 5.0, 6.0), (16, 400.0, 20.0, 96.0), (256, 6400.0, 320.0, 24_576.0)] {
        let price = prices.of(&Form::new(kernel("portable_r64"), n, Some(kernels::Product::Cios))).unwrap();
        for (got, want) in [(price.setup, setup), (price.sqr, sqr), (price.mul, mul), (price.convert, 20.0)] {
            assert!((got / want - 1.0).abs() < 1e-9, "{n} limbs: {got}, {want}");
        }
    }
}

/// The first kernel starts at the first bit, and no two neighbours are the same.
#[test]
fn crossovers_follow_the_prices() {
    let crossovers = |prices: Prices| {
        super::crossovers::crossovers(&Planner::new(prices), 4096, |bits| Problem::new(bits, bits)).unwrap()
    };
    let found = crossovers(Prices::built_in().clone());
    assert_eq!(found[0].from_bits, 1);
    assert!(found.windows(2).all(|pair| pair[0].kernel != pair[1].kernel && pair[0].from_bits < pair[1].from_bits));
    let others_dear = Prices::built_in().map(|form, mut price| {
        if form.kernel != kernel("portable_r64") {
            (price.setup, price.sqr) = (1e12, 1e12);
        }
        price
    });
    let alone: Vec<_> = crossovers(others_dear).iter().map(|crossover| crossover.kernel).collect();
    assert_eq!(alone, [kernel("portable_r64")]);
}

#[test]
fn dates_of_stamps() {
    for (days, want) in [
        (0, (1970, 1, 1)),
        (58, (1970, 2, 28)),
        (59, (1970, 3, 1)),
        (11_016, (2000, 2, 29)),
        (11_017, (2000, 3, 1)),
        (20_454, (2026, 1, 1)),
        (47_540, (2100, 2, 28)),
        (47_541, (2100, 3, 1)),
    ] {
        assert_eq!(super::tune::date(days), want);
    }
}

/// Built-in prices stand at the usual lengths, which one kernel has all of, and at those that a kernel's row adds. The tuner would leave out
/// an added length that a form pads.
#[test]
fn prices_stand_where_the_tuner_measures() {
    let text = Prices::built_in().to_string();
    let points: Vec<(Kernel, usize)> = text
        .lines()
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            let kernel = Kernel::by_name(words.next()?)?;
            Some((kernel, words.nth(1)?.parse().ok()?))
        })
        .collect();
    let usual: Vec<usize> =
        points.iter().filter(|(kernel, _)| kernel.entry().name == "portable_low_r64").map(|&(_, n)| n).collect();
    assert!(usual.len() > 30);
    for (kernel, n) in points {
        let entry = kernel.entry();
        assert!(usual.contains(&n) || entry.tuned.contains(&n) || entry.limb_bits < 64, "{kernel:?}, {n} limbs");
    }
    for (kernel, &n) in Kernel::all().flat_map(|kernel| kernel.entry().tuned.iter().map(move |n| (kernel, n))) {
        assert_eq!(Form::new(kernel, n, kernel.entry().products.first().copied()).words(), n, "{kernel:?}");
    }
}
