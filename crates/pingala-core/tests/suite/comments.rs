//! Comments name the record of a measurement (docs/records/) instead of holding its figures.

use super::rust_text::{Source, sources};

/// Files that tell CPU families apart, and so name them.
const NAME_CPU_FAMILIES: [&str; 2] = ["kernel/cpu/of_process.rs", "engine/plan/prices.rs"];

const CPU_MODELS: [&str; 7] = ["EPYC", "Xeon", "Ryzen", "Zen ", "Skylake", "Ice Lake", "Neoverse"];

/// `57.3 ms`, `30 ns`: a number and a unit of time.
fn holds_a_time(line: &str) -> bool {
    let words: Vec<&str> = line.split([' ', ',', '.', ';', ':', '(', ')']).filter(|word| !word.is_empty()).collect();
    let number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    words.windows(2).any(|pair| number(pair[0]) && ["ns", "us", "ms"].contains(&pair[1]))
}

/// A day of this millennium: `2026-11-23`.
fn holds_a_date(line: &str) -> bool {
    let pattern = |bytes: &[u8]| {
        bytes.iter().zip(b"2000-00-00").all(|(byte, form)| match form {
            b'0' => byte.is_ascii_digit(),
            _ => byte == form,
        })
    };
    line.as_bytes().windows(10).any(pattern)
}

fn measurements_in_comments(files: &[Source]) -> Vec<String> {
    let mut complaints = Vec::new();
    for file in files {
        let may_name_cpus = NAME_CPU_FAMILIES.iter().any(|path| file.path.ends_with(path));
        let names_a_cpu = |line: &str| !may_name_cpus && CPU_MODELS.iter().any(|model| line.contains(model));
        for (at, line) in file.text.lines().enumerate() {
            let Some(comment) = line.trim_start().strip_prefix("//") else { continue };
            if names_a_cpu(comment) || holds_a_time(comment) || holds_a_date(comment) {
                complaints.push(format!("{}:{}: belongs in docs/records/: {}", file.path, at + 1, line.trim()));
            }
        }
    }
    complaints
}

#[test]
fn comments_hold_no_measurements() {
    let complaints = measurements_in_comments(&sources("crates/pingala-core/src", &[".rs"]));
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// The test of the test.
#[test]
fn planted_measurements_are_found() {
    let found = |path: &str, text: &str| {
        let file = Source { path: format!("crates/pingala-core/src/{path}"), text: text.into() };
        measurements_in_comments(&[file]).len()
    };
    assert_eq!(found("x.rs", "/// 57.3 ms with 64 KiB,\n    // (0.44 ns a word)"), 2);
    assert_eq!(found("x.rs", "//! Measured 2026-11-23.\n/// On an AMD EPYC it loses."), 2);
    assert_eq!(found("kernel/cpu/of_process.rs", "/// The family: 25 is Zen 3 and 4"), 0);
    assert_eq!(found("x.rs", "let text = \"30 ns\"; // n columns\n/// Algorithm 14.36, 64 bits, 2001-2003"), 0);
}
