//! `pingala chain`, `trace`, `algorithms`, `info`, and help.

use crate::common::run;
use serde_json::Value;

fn algorithms() -> Vec<Value> {
    let object: Value = serde_json::from_str(&run(&["algorithms", "--json"]).out).unwrap();
    object["algorithms"].as_array().unwrap().clone()
}

#[test]
fn the_chain_of_13() {
    let ran = run(&["chain", "--algorithm", "binary_left_to_right", "13"]);
    assert_eq!((ran.out.as_str(), ran.status), ("1 2 3 6 12 13\n(0,0) (0,1) (2,2) (3,3) (0,4)\n", 0));
    assert_eq!(ran.err, "");
    assert_eq!(run(&["chain", "--algorithm", "binary_left_to_right", "0xd"]).out, ran.out);
}

/// Every algorithm leads to the exponent, and each element is the sum that its pair names.
#[test]
fn every_algorithm_gives_a_chain_and_a_trace() {
    for algorithm in algorithms() {
        let name = match algorithm["name"].as_str().unwrap() {
            "addition_chain" => "addition_chain(0+0 1+1 2+2 3+3 0+4 5+5 0+6 7+7 8+8 0+9 10+10 0+11)",
            name => name,
        };
        let ran = run(&["chain", "--algorithm", name, "283"]);
        let lines: Vec<_> = ran.out.lines().collect();
        assert_eq!((ran.status, lines.len()), (0, 2), "{name}: {}", ran.err);
        let elements: Vec<u64> = lines[0].split(' ').map(|element| element.parse().unwrap()).collect();
        let pairs = lines[1].split(' ').map(|pair| {
            let (low, high) = pair.trim_matches(['(', ')']).split_once(',').unwrap();
            (low.parse::<usize>().unwrap(), high.parse::<usize>().unwrap())
        });
        assert_eq!((elements[0], elements[elements.len() - 1]), (1, 283), "{name}");
        for (index, (low, high)) in (1..).zip(pairs) {
            assert!(high < index && elements[index] == elements[low] + elements[high], "{name}");
        }
        let ran = run(&["trace", "--algorithm", name, "283"]);
        assert_eq!(ran.status, 0, "{name}: {}", ran.err);
        assert!(ran.out.contains("g^283"), "{name}");
    }
}

/// Tables 2.1 and 2.2 of the report.
#[test]
fn traces_of_283() {
    let golden = |name: &str| {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../pingala-core/tests/suite/golden");
        std::fs::read_to_string(format!("{folder}/trace_283_{name}.txt")).unwrap()
    };
    for name in ["left_to_right", "right_to_left"] {
        let ran = run(&["trace", "--algorithm", &format!("binary_{name}"), "283"]);
        assert_eq!(ran.out.trim_end(), golden(name).trim_end());
    }
}

#[test]
fn a_parameter_left_open_is_told() {
    let ran = run(&["chain", "-a", "sliding_window", "283"]);
    assert_eq!(ran.err, "pingala: sliding_window(w=1) takes the fewest products\n");
    assert_eq!(run(&["chain", "-a", "sliding_window(w=1)", "283"]).out, ran.out);
}

#[test]
fn without_an_algorithm_all_are_compared() {
    let ran = run(&["chain", "283"]);
    let lines: Vec<Vec<&str>> = ran.out.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!((ran.status, lines[0][..2].to_vec()), (0, vec!["algorithm", "length"]), "{}", ran.err);
    let rows: Vec<_> = lines[1..].iter().take_while(|row| !row.is_empty()).collect();
    let lengths: Vec<usize> = rows.iter().map(|row| row[1].parse().unwrap()).collect();
    assert!(lengths.is_sorted() && rows.len() >= 9, "{}", ran.out);
    for (row, &length) in rows.iter().zip(&lengths) {
        assert_eq!(row.get(4).is_some_and(|&word| word == "shortest"), length == lengths[0], "{}", ran.out);
        let chain = run(&["chain", "--algorithm", row[0], "283"]).out;
        assert_eq!(chain.lines().next().unwrap().split(' ').count(), length + 1, "{}", row[0]);
    }
    // 9 squarings and 3 multiplications are more than a length of 11.
    assert!(ran.out.contains("\nThe length counts different elements."), "{}", ran.out);
    assert!(ran.out.ends_with("\nAny addition chain for this exponent has a length of 11 at least.\n"), "{}", ran.out);
    for (exponent, bound) in [("1", "0"), ("2", "1"), ("3", "2"), ("15", "5"), ("0xffffffff", "35")] {
        let ran = run(&["chain", exponent]);
        assert!(ran.out.contains(&format!(" a length of {bound} at least")), "{exponent}: {}", ran.out);
    }
}

#[test]
fn what_has_no_chain_says_so() {
    for (name, exponent, status, why) in [
        ("binary_left_to_right", "0", 2, "the exponent is 0"),
        ("binary_left_to_right", "-3", 2, "the exponent is negative"),
        ("binary_left_to_right", "x", 2, "exponent: 'x' is not a number"),
        ("binary", "3", 2, "no algorithm `binary`; there are binary_right_to_left, "),
        ("sliding_window(w=99)", "3", 2, "`sliding_window(w=99)` should read sliding_window(w=1..16)"),
        ("addition_chain", "3", 2, "`addition_chain` should read "),
        ("addition_chain(0+0)", "3", 1, "this addition chain does not lead to 3"),
        ("k_ary(w=16)", "0xfffffffff", 1, "k_ary(w=16) takes "),
    ] {
        let ran = run(&["chain", "--algorithm", name, exponent]);
        assert_eq!((ran.status, ran.out.as_str()), (status, ""), "{name} {exponent}");
        assert!(ran.err.starts_with(&format!("pingala: {why}")), "{}", ran.err);
    }
    let long = format!("0x1{}", "0".repeat(1 << 11));
    let ran = run(&["trace", "--algorithm", "binary_left_to_right", &long]);
    assert_eq!(ran.err, "pingala: exponent of 8193 bits is over the cap of 8192\n");
}

#[test]
fn the_list_is_good_to_read() {
    let ran = run(&["algorithms"]);
    for algorithm in algorithms() {
        for key in ["name", "schedule", "summary"] {
            assert!(ran.out.contains(algorithm[key].as_str().unwrap()), "{algorithm}");
        }
        assert!(algorithm["source"].as_str().unwrap().contains('['), "{algorithm}");
    }
    assert!(algorithms().len() >= 10);
    assert!(ran.out.lines().all(|line| line.len() <= 100 && line.trim_end() == line));
}

#[test]
fn info_and_version() {
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(run(&["--version"]).out, format!("pingala {version}\n"));
    let info = run(&["info"]);
    assert_eq!(info.status, 0);
    for text in [version, std::env::consts::ARCH, "16,777,216 bits", "portable_r64", "prices"] {
        assert!(info.out.contains(text), "{}", info.out);
    }
}

#[test]
fn help_names_every_subcommand_and_status() {
    let ran = run(&["--help"]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    for name in ["pow", "batch", "plan", "chain", "trace", "algorithms", "info", "tune", "bench"] {
        assert!(ran.out.contains(&format!("\n  {name} ")), "{name}");
        let help = run(&[name, "--help"]);
        assert_eq!(help.status, 0, "{name}");
        assert!(help.out.contains("Usage: pingala "), "{name}");
        assert!(help.out.lines().all(|line| line.chars().count() <= 120 && line.trim_end() == line), "{}", help.out);
    }
    for status in ["  0    ", "  1    ", "  2    ", "  3    ", "  4    ", "  130  ", "  141  "] {
        assert!(ran.out.contains(status) && run(&["batch", "--help"]).out.contains(status), "{status}");
    }
    for variable in ["PINGALA_KERNEL", "PINGALA_PLAN"] {
        assert!(ran.out.contains(variable) && run(&["pow", "--help"]).out.contains(variable), "{variable}");
    }
    assert_eq!(run(&[]).status, 2);
    let ran = run(&["bogus"]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.starts_with("pingala: unrecognized subcommand 'bogus'"), "{}", ran.err);
}

/// Time is always shown; energy, or in its place why not.
#[test]
fn bench_without_counters_says_so() {
    let common = ["bench", "--modulus-bits", "256", "--seconds", "0.02"];
    let plain = run(&common);
    assert_eq!((plain.status, &*plain.err), (0, ""));
    assert!(plain.out.starts_with("power     256 bits to 256 bits\nplan      ") && !plain.out.contains("energy"));
    // The kernels of this machine, with bars; for a kernel that is forced, nothing to compare.
    assert!(plain.out.contains("\nkernel ") && plain.out.contains("\nportable_r64 "), "{}", plain.out);
    assert!(plain.out.lines().filter(|line| line.contains('█')).count() > 1, "{}", plain.out);
    let forced = run(&[&common[..], &["--kernel", "portable_r64"]].concat());
    assert_eq!((forced.status, forced.out.contains("\nkernel ")), (0, false), "{}", forced.out);
    let energy = run(&[&common[..], &["--energy", "--powercap", "no-such-folder"]].concat());
    assert_eq!((energy.status, &*energy.err), (0, ""));
    assert!(energy.out.contains("\ntime      ") && energy.out.contains(" us in the mean\n"), "{}", energy.out);
    assert!(energy.out.contains("energy    not available: no no-such-folder: "), "{}", energy.out);
    assert_eq!(run(&["bench", "--seconds", "0"]).status, 2);
}
