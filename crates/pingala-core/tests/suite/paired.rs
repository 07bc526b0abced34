//! Sequences that belong together are paired by `error::pairs`, which refuses different lengths: a bare `zip` leaves out the rest of the
//! longer one without a word, and a result that is left out looks like a result.

use super::rust_text::{Source, sources};

/// The modules that combine results, of all crates.
const COMBINE: [&str; 7] = [
    "crates/pingala-core/src/work/",
    "crates/pingala-core/src/engine/execute/",
    "crates/pingala-core/src/modulus/",
    "crates/pingala-primes/src/test.rs",
    "crates/pingala-primes/src/next.rs",
    "crates/pingala-proofs/src/accumulator/",
    "crates/pingala-proofs/src/squaring/",
];

/// Where those modules are.
const FOLDERS: [&str; 3] = ["crates/pingala-core/src", "crates/pingala-primes/src", "crates/pingala-proofs/src"];

/// Whether a file combines results: plans have none, but that of lists of products sorts what is computed.
fn combines(path: &str) -> bool {
    let plans = path.ends_with("plan.rs") && !path.ends_with("product_list/plan.rs");
    !plans && COMBINE.iter().any(|place| path.starts_with(place))
}

/// A bare `zip` that is right there, and why.
const RIGHT: [(&str, &str, &str); 14] = [
    ("engine/execute/even.rs", "difference.iter_mut().zip(&*x)", "the words of the shorter number"),
    ("engine/execute/guarded_factors.rs", "a.iter().zip(b)", "asserted before"),
    ("work/words/run.rs", "rows.iter().zip(residues)", "an array of lanes, of which the last may be empty"),
    ("work/words/run.rs", "rows.iter().zip(&mut residues)", "an array of lanes, of which the last may be empty"),
    ("work/fixed_base/lanes.rs", "algorithm.table().zip(", "two options"),
    ("engine/execute/lanes.rs", "digits.iter_mut().zip(self.0)", "arrays of one length"),
    ("engine/execute/lanes.rs", "joint.iter_mut().zip(lanes)", "arrays of one length"),
    ("engine/execute/secret_prime.rs", "odd.iter_mut().zip(half.iter())", "two copies of one number"),
    ("work/residues/run.rs", "self.parts.iter().zip(&other.parts)", "their lengths are compared first"),
    ("work/residues/run.rs", "self.parts.iter_mut().zip(&other.parts)", "lists that `is_like` has compared"),
    ("squaring/digits.rs", "out.iter_mut().zip(value.to_le_bytes().chunks(8))", "the limbs above are zeros"),
    ("pingala-primes/src/test.rs", "(NUMBERS_AT_ONCE * index..).zip(", "an open range"),
    ("work/residues/run.rs", "self.parts.iter().zip(share)", "a share has a slice for each part"),
    ("work/shared_work/stream.rs", "shares.zip(receivers)", "a receiver is made for each share"),
];

/// A complaint for each bare `zip` that is not with an open range.
fn unpaired(files: &[Source]) -> Vec<String> {
    let mut complaints = Vec::new();
    for file in files.iter().filter(|file| combines(&file.path)) {
        let code = file.text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
        for (number, line) in code.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//")) {
            let right = |(path, text, _): &(&str, &str, &str)| file.path.ends_with(path) && line.contains(text);
            let open = line.contains("..).zip(") || line.contains(".zip((first.0..)");
            if line.contains(".zip(") && !open && !RIGHT.iter().any(right) {
                complaints.push(format!("{}:{}: pair by `error::pairs`: {}", file.path, number + 1, line.trim()));
            }
        }
    }
    complaints
}

#[test]
fn results_are_paired_by_length() {
    let files: Vec<Source> = FOLDERS.iter().flat_map(|folder| sources(folder, &[".rs"])).collect();
    let complaints = unpaired(&files);
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    for (path, text, why) in RIGHT {
        let there = files.iter().any(|file| file.path.ends_with(path) && file.text.contains(text));
        assert!(there, "{path} has no `{text}` ({why})");
    }
}

/// The test of the test.
#[test]
fn a_planted_zip_is_found() {
    let file = |text: &str| Source { path: "crates/pingala-core/src/engine/execute/x.rs".into(), text: text.into() };
    assert_eq!(unpaired(&[file("let all = parts.iter().zip(residues);")]).len(), 1);
    assert_eq!(unpaired(&[file("// parts.iter().zip(residues)\nlet each = (0..).zip(residues);")]).len(), 0);
}
