//! Which crates a crate depends on, and what the folders of other languages import.

use super::super::rust_text::Source;

/// A folder with a manifest, those of our crates that it may depend on, and the crates of big numbers that it may compute with. Each uses only
/// those above it.
type CrateRow = (&'static str, &'static [&'static str], &'static [&'static str]);

pub(super) const CRATES: &[CrateRow] = &[
    // `num-bigint` and `crypto-bigint` for conversions that a feature switches on.
    ("crates/pingala-core", &[], &["crypto-bigint", "dashu-int", "num-bigint", "num-bigint-04"]),
    ("crates/pingala", &["pingala-core"], &[]),
    ("crates/pingala-study", &["pingala-core"], &[]),
    ("crates/pingala-primes", &["pingala-core"], &["dashu-int"]),
    // Its numbers are exponents.
    ("crates/pingala-chains", &["pingala-core"], &["dashu-int"]),
    ("crates/pingala-proofs", &["pingala-core", "pingala-primes"], &["dashu-int"]),
    ("crates/pingala-verify", &["pingala-core"], &[]),
    ("crates/pingala-rows", &["pingala-core", "pingala-primes", "pingala-verify"], &[]),
    (
        "crates/pingala-cli",
        &[
            "pingala-chains",
            "pingala-core",
            "pingala-primes",
            "pingala-proofs",
            "pingala-rows",
            "pingala-study",
            "pingala-verify",
        ],
        &[],
    ),
    (
        "crates/pingala-c",
        &["pingala-chains", "pingala-core", "pingala-primes", "pingala-proofs", "pingala-study", "pingala-verify"],
        &[],
    ),
    ("crates/pingala-js", &["pingala-core", "pingala-primes", "pingala-proofs", "pingala-verify"], &[]),
    (
        "crates/pingala-python",
        &[
            "pingala-chains",
            "pingala-cli",
            "pingala-core",
            "pingala-primes",
            "pingala-proofs",
            "pingala-rows",
            "pingala-verify",
        ],
        &[],
    ),
    // Benchmarks and fuzzing compare with other crates.
    (
        "crates/pingala-lab",
        &["pingala-core", "pingala-primes", "pingala-study", "pingala-verify"],
        &["crypto-bigint", "dashu-int", "num-bigint"],
    ),
    // It compiles single files of the library by their paths.
    ("crates/pingala-lab/arm", &[], &[]),
    ("lab/wasm", &["pingala-core", "pingala-study"], &[]),
    ("fuzz", &["pingala-chains", "pingala-cli", "pingala-core", "pingala-rows", "pingala-verify"], &["num-bigint"]),
    ("models", &[], &[]),
];

/// The crates that compute with big numbers.
const BIG_NUMBER_CRATES: &[&str] =
    &["num-bigint", "num-bigint-04", "dashu", "dashu-int", "rug", "malachite", "ibig", "crypto-bigint"];

/// The names of a manifest's dependencies, without those of its tests and of its build.
fn dependencies(manifest: &str) -> Vec<&str> {
    let (mut found, mut counts) = (Vec::new(), false);
    for line in manifest.lines() {
        if let Some(section) = line.strip_prefix('[') {
            counts = section == "dependencies]" || section.ends_with(".dependencies]");
        } else if counts && line.starts_with(|c: char| c.is_alphabetic()) {
            found.push(line.split(['=', '.', ' ']).next().unwrap_or(""));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Rule 6: each manifest has a row, and depends on the crates of its row, no more and no fewer. The bindings convert and call: without a crate
/// of big numbers they compute nothing.
pub(super) fn dependencies_in_their_place(manifests: &[Source], table: &[CrateRow]) -> Vec<String> {
    let mut complaints = Vec::new();
    for manifest in manifests {
        let folder = manifest.path.trim_end_matches("/Cargo.toml");
        let Some((_, ours, big_numbers)) = table.iter().find(|(name, ..)| *name == folder) else {
            complaints.push(format!("{folder} has no row in CRATES"));
            continue;
        };
        let all = dependencies(&manifest.text);
        for (kind, allowed, is_of_kind) in [
            ("our crates", ours, &(|name: &str| name.starts_with("pingala")) as &dyn Fn(&str) -> bool),
            ("crates of big numbers", big_numbers, &|name| BIG_NUMBER_CRATES.contains(&name)),
        ] {
            let found: Vec<&str> = all.iter().copied().filter(|name| is_of_kind(name)).collect();
            if found != *allowed {
                complaints.push(format!("{folder} depends on {found:?} of {kind}; its row has {allowed:?}"));
            }
        }
    }
    complaints
}

/// Rule 6a: a crate of ours depends only on those above it.
pub(super) fn order_of_crates(table: &[CrateRow]) -> Vec<String> {
    let is_above = |name: &str, at: usize| table[..at].iter().any(|(folder, ..)| folder.ends_with(&format!("/{name}")));
    let rows = table.iter().enumerate();
    let pairs = rows.flat_map(|(at, (folder, ours, _))| ours.iter().map(move |name| (at, *folder, *name)));
    pairs
        .filter(|&(at, _, name)| !is_above(name, at))
        .map(|(_, folder, name)| format!("`{folder}` uses `{name}`, which is not above it"))
        .collect()
}

/// What the files of a folder may import: names, and beginnings of names that end with a dot, a slash or a colon. The first row that fits
/// counts. Of Go's standard library all but `C` and `unsafe` is allowed. Tests and benchmarks may import anything.
pub(super) const LANGUAGES: &[(&str, &[&str])] = &[
    // The C ABI is called in one package.
    ("go/internal/abi/", &["C", "unsafe", "github.com/ebitengine/purego"]),
    ("go/multiexp/", &["example.org/pingala"]),
    ("go/", &["example.org/pingala/internal/abi", "unsafe"]),
    (
        "java/pingala/src/main/c/",
        &["dlfcn.h", "functions.h", "jni.h", "pingala.h", "stdint.h", "stdio.h", "stdlib.h", "string.h", "windows.h"],
    ),
    ("java/pingala-spark", &["java.", "org.apache.spark.", "org.pingala.", "scala."]),
    ("java/openjdk/", &["java.", "org.pingala."]),
    ("java/pingala", &["java."]),
    // What is made from rows is exported from a folder of its own.
    ("js/src/generated/", &["../rows.js"]),
    ("js/src/", &["./", "node:"]),
    // The functions of a data base come with it.
    ("python/pingala/duckdb.py", &[".", "__future__", "collections.", "contextlib", "duckdb", "typing"]),
    ("python/pingala/polars.py", &[".", "__future__", "collections.", "polars", "typing"]),
    (
        "python/pingala/",
        &[
            ".",
            "__future__",
            "collections.",
            "contextlib",
            "dataclasses",
            "html",
            "importlib",
            "importlib.",
            "os",
            "pathlib",
            "signal",
            "sys",
            "time",
            "types",
            "typing",
        ],
    ),
    (
        "tcl/",
        &[
            "calls.h",
            "commands.h",
            "limits.h",
            "number.h",
            "pingala.h",
            "stddef.h",
            "stdint.h",
            "stdio.h",
            "stdlib.h",
            "string.h",
            "tcl.h",
            "tclTomMath.h",
            "tclTomMathDecls.h",
        ],
    ),
];

/// The text between the first two of some marks behind a word.
fn quoted<'t>(line: &'t str, word: &str, marks: [char; 2]) -> Option<&'t str> {
    let behind = line.split_once(word)?.1.trim_start();
    behind.starts_with(marks).then(|| behind[1..].split(marks).next()).flatten()
}

/// What a file of another language imports.
fn imports(source: &Source) -> Vec<&str> {
    let ending = source.path.rsplit_once('.').map_or("", |(_, ending)| ending);
    let lines = source.text.lines();
    match ending {
        "go" => {
            let (mut found, mut inside) = (Vec::new(), false);
            for line in lines {
                inside = line == "import (" || inside && line != ")";
                if inside || line.starts_with("import ") {
                    found.extend(line.split('"').nth(1));
                }
            }
            let standard = |name: &str| !name.split('/').next().unwrap_or("").contains('.');
            found.retain(|name| !standard(name) || ["C", "unsafe"].contains(name));
            found
        }
        "java" | "scala" => {
            let named = lines.filter_map(|line| line.strip_prefix("import "));
            named.map(|name| name.trim_start_matches("static ").trim_end_matches(';')).collect()
        }
        "js" => {
            let words = ["from ", "import(", "require("];
            lines.flat_map(|line| words.into_iter().filter_map(|word| quoted(line, word, ['\'', '"']))).collect()
        }
        "py" => {
            let named = lines.map(str::trim).filter_map(|line| {
                let from = line.strip_prefix("from ").filter(|rest| rest.contains(" import "));
                from.or_else(|| line.strip_prefix("import "))
            });
            let first = named.map(|name| name.split([' ', ',']).next().unwrap_or(""));
            first.map(|name| if name.starts_with('.') { "." } else { name }).collect()
        }
        "c" | "h" => {
            lines.filter_map(|line| quoted(line, "#include", ['<', '"'])).map(|it| it.trim_end_matches('>')).collect()
        }
        _ => Vec::new(),
    }
}

/// Rule 7: a folder of another language imports only what its row allows.
pub(super) fn imports_in_their_place(files: &[Source]) -> Vec<String> {
    let mut complaints = Vec::new();
    let tests =
        |path: &str| ["_test.go", "/test_", "/test/", "/tests/", "/bench/"].iter().any(|part| path.contains(part));
    for file in files.iter().filter(|file| !tests(&file.path)) {
        let Some((folder, may)) = LANGUAGES.iter().find(|(folder, _)| file.path.starts_with(folder)) else { continue };
        let allows = |name: &str| {
            may.iter()
                .any(|allowed| name == *allowed || allowed.ends_with(['.', '/', ':']) && name.starts_with(allowed))
        };
        for name in imports(file).into_iter().filter(|name| !allows(name)) {
            complaints.push(format!("{}: `{folder}` must not import `{name}`", file.path));
        }
    }
    complaints
}
