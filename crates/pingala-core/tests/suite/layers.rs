//! Who may use whom, read from the source: the rooms of ARCHITECTURE.md and a few rules that no compiler knows.
//!
//! The reader is lexical: comments and literals are dropped, `#[cfg(test)]` items and files named `tests.rs` may use
//! anything, and every path that starts with `crate`, `self` or `super` is resolved to the room it reaches. Each rule is
//! a function from named text to complaints, so that the last test can plant a violation of each and see it caught.

mod circles;
mod crates;
mod planted;
mod structure;

use super::rust_text::{Source, module_of, root, sources, tokens, without_tests};
use circles::{against_the_order, circles, whole_circles};
use crates::{CRATES, dependencies_in_their_place, imports_in_their_place, order_of_crates};
use std::collections::BTreeMap;
use std::fs;
use std::process::Command;
use structure::STRUCTURE;

/// Each folder, and the path prefixes that it may use in addition to itself, `error` and `once`; `*` stands for all. A folder uses
/// only those above it in this table.
const MAY_USE: &[(&str, &[&str])] = &[
    ("error", &[]),
    ("once", &[]),
    ("secrecy", &[]),
    ("natural", &["secrecy"]),
    ("exponent", &["natural", "secrecy"]),
    ("algorithm", &["exponent"]),
    ("modulus", &["natural"]),
    // `suite`: its tests say what they skip.
    ("kernel", &["natural", "exponent::SecretDigit", "secrecy", "suite::common"]),
    ("text", &["natural", "kernel::ntt"]),
    ("table", &["natural", "algorithm", "kernel"]),
    // Descriptors and sizes: no limb, no ring.
    (
        "engine::plan",
        &[
            "algorithm",
            "exponent",
            "modulus",
            "kernel::registry",
            "kernel::spec",
            "kernel::cpu",
            "kernel::basecases::best_leaf_is_in_assembly",
            "kernel::ntt::LINKED",
            "kernel::ntt::MAX_LIMBS",
            "kernel::ntt::TransformsOn",
            "kernel::ntt::transforms_on",
        ],
    ),
    ("engine::execute", &["natural", "exponent", "algorithm", "modulus", "kernel", "engine::plan", "secrecy"]),
    ("engine", &[]),
    (
        WORK_PLANS,
        &["algorithm", "exponent", "modulus", "kernel::registry", "kernel::spec", "kernel::cpu", "engine::plan"],
    ),
    (
        "work",
        &["natural", "exponent", "algorithm", "modulus", "kernel", "table", "text", "engine", "secrecy", WORK_PLANS],
    ),
    ("lib", &["*"]),
];

/// The room of the files `plan.rs` and `*_plan.rs` below `work/`: like the planner they see descriptors and sizes only.
const WORK_PLANS: &str = "plans of work";

/// The room of a module: its folder; of the two large folders, the part.
fn room_of(module: &[String]) -> &str {
    match module {
        [first, part, ..] if first == "engine" && part == "plan" => "engine::plan",
        [first, part, ..] if first == "engine" && part == "execute" => "engine::execute",
        [first, _, file, ..] if first == "work" && (file == "plan" || file.ends_with("_plan")) => WORK_PLANS,
        [first, ..] => first,
        [] => "lib",
    }
}

/// Files and folders of `algorithm/` that are no algorithm: the traits, the lists, and what several algorithms share.
const NOT_AN_ALGORITHM: &[&str] = &[
    "mod",
    "catalogue",
    "chain",
    "cost",
    "fixed_base",
    "named",
    "parameter",
    "powers",
    "program",
    "real",
    "rounds",
    "shape_program",
    "wanted",
    "buckets",
    "many_exponents",
    "insertions",
    "power_product",
    "descent",
    "tests",
];

/// Where `unsafe` may stand: kernels, maps of files and the option that asks for one, the C ABI, Node-API and the border of WebAssembly, that of Python's integers, what Arrow and Python lend in columns, the look at standard output before `main`,
/// valgrind's requests, and in the bench the C ABI of its peers and the clocks.
const UNSAFE_ALLOWED: &[&str] = &[
    "crates/pingala-core/src/kernel/",
    "crates/pingala-core/src/secrecy/valgrind.rs",
    "crates/pingala-core/src/table/map.rs",
    "crates/pingala-core/src/work/fixed_base/stored.rs",
    "crates/pingala-c/src/",
    "crates/pingala-js/src/addon/",
    "crates/pingala-js/src/wasm.rs",
    "crates/pingala-python/src/columns/arrow/",
    "crates/pingala-python/src/columns/capsule.rs",
    "crates/pingala-python/src/columns/result.rs",
    "crates/pingala-python/src/number.rs",
    "crates/pingala-python/src/fixed_base.rs",
    "crates/pingala-cli/src/interrupt.rs",
    "crates/pingala-cli/src/main.rs",
    "crates/pingala-cli/src/table.rs",
    "crates/pingala-lab/src/bin/ct_gate/memcheck.rs",
    "crates/pingala-lab/src/bin/bench/machine.rs",
    "crates/pingala-lab/src/bin/bench/peers/",
];

/// The files of the largest circle of imports. A change that makes it smaller lowers this number; none raises it.
const LARGEST_CIRCLE: usize = 6;

/// The one place that asks the CPU.
const CPU_DETECTION: &str = "crates/pingala-core/src/kernel/cpu/of_process.rs";

/// What belongs to the planner and to prices: neither execution nor a kernel asks for it.
const PLANNERS_WORDS: &[&str] = &[
    "Planner",
    "Prices",
    "FormPrice",
    "available_parallelism",
    "is_by",
    "is_of",
    "splits_256_bit_vectors",
    "transforms_on",
    "best_leaf_is_in_assembly",
];

/// Where work is executed: parts of paths below `src/`.
const EXECUTION: [&str; 6] = ["kernel/", "engine/execute/", "run.rs", "/lanes.rs", "/stream.rs", "work/rows.rs"];

/// Where such a word stands all the same. Whatever measures prices has to name them, and the CPU's family is asked for where the CPU
/// is.
const PLANNERS_WORDS_ALLOWED: &[(&str, &str)] = &[
    ("engine/execute/measure.rs", "FormPrice"),
    ("kernel/basecases.rs", "best_leaf_is_in_assembly"),
    ("kernel/cpu/mod.rs", "is_by"),
    ("kernel/cpu/mod.rs", "is_of"),
    ("kernel/cpu/mod.rs", "splits_256_bit_vectors"),
    ("kernel/cpu/of_process.rs", "is_by"),
    ("kernel/cpu/of_process.rs", "is_of"),
    ("kernel/cpu/of_process.rs", "splits_256_bit_vectors"),
    ("kernel/cpu/of_target.rs", "splits_256_bit_vectors"),
    // Products by matrices serve Euclid's algorithm, which has no plan.
    ("kernel/matrix_products.rs", "transforms_on"),
    ("kernel/ntt/mod.rs", "transforms_on"),
    ("kernel/ntt/product.rs", "transforms_on"),
    ("kernel/registry.rs", "splits_256_bit_vectors"),
];

/// The numbers that execution compares lengths with: bits of a byte and of words.
const WORD_BITS: [usize; 3] = [8, 32, 64];

/// Where a kernel may be named.
const KERNEL_NAMES_ALLOWED: &[&str] = &["kernel/registry.rs"];

/// Longest file below a folder, in lines. A stub has a line for each parameter of each function.
const MAX_LINES: [(&str, usize); 3] =
    [("crates/pingala-core/src/", 500), ("python/pingala/_pingala.pyi", 1600), ("", 600)];

/// Reads the path or use-tree that continues behind `prefix` at `i`, adds every path in it, and returns where it ends.
fn read_tree(tokens: &[String], mut i: usize, prefix: &[String], found: &mut Vec<Vec<String>>) -> usize {
    let mut path = prefix.to_vec();
    loop {
        match tokens.get(i).map(String::as_str) {
            Some("{") => {
                i += 1;
                while tokens.get(i).is_some_and(|token| token != "}") {
                    i = if tokens[i] == "," { i + 1 } else { read_tree(tokens, i, &path, found) };
                }
                return i + 1;
            }
            Some("super") => {
                path.pop();
            }
            Some("self" | "crate") => {}
            Some(word) if word.starts_with(|c: char| c.is_alphanumeric() || c == '_') => path.push(word.into()),
            _ => {}
        }
        i += 1;
        if tokens.get(i).is_none_or(|token| token != "::") {
            break;
        }
        i += 1;
    }
    if tokens.get(i).is_some_and(|token| token == "as") {
        i += 2;
    }
    found.push(path);
    i
}

/// Every path inside the crate that this file names outside its tests, from the crate's root.
fn paths(source: &Source) -> Vec<Vec<String>> {
    let tokens = without_tests(&tokens(&source.text));
    let mut module = module_of(&source.path);
    // Inline modules, each by the depth of braces at which it closes.
    let (mut depth, mut inline) = (0usize, Vec::new());
    let (mut found, mut i) = (Vec::new(), 0);
    while i < tokens.len() {
        let next = |k: usize| tokens.get(i + k).map_or("", String::as_str);
        match tokens[i].as_str() {
            "mod" if next(2) == "{" => {
                module.push(next(1).into());
                inline.push(depth);
            }
            "{" => depth += 1,
            "}" => {
                depth = depth.saturating_sub(1);
                if inline.last() == Some(&depth) {
                    inline.pop();
                    module.pop();
                }
            }
            // `pub(in crate::kernel)` says who may use, and uses nothing.
            start @ ("crate" | "super" | "self")
                if next(1) == "::" && (i == 0 || !["::", "in"].contains(&tokens[i - 1].as_str())) =>
            {
                let prefix = match start {
                    "crate" => &[],
                    "super" => &module[..module.len().saturating_sub(1)],
                    _ => &module[..],
                };
                i = read_tree(&tokens, i + 2, prefix, &mut found);
                continue;
            }
            _ => {}
        }
        i += 1;
    }
    found
}

/// Names that `lib.rs` offers at the crate's root, each with the path behind it.
fn reexports(lib: &Source) -> BTreeMap<String, Vec<String>> {
    let tokens = without_tests(&tokens(&lib.text));
    let mut found = Vec::new();
    for i in 0..tokens.len() {
        if tokens[i] == "use" {
            read_tree(&tokens, i + 1, &[], &mut found);
        }
    }
    found.into_iter().filter(|path| path.len() > 1).map(|path| (path[path.len() - 1].clone(), path)).collect()
}

/// Rule 1: a room uses only what the table allows.
fn layering(files: &[Source]) -> Vec<String> {
    let lib = files.iter().find(|file| file.path.ends_with("src/lib.rs"));
    let at_root = lib.map(reexports).unwrap_or_default();
    let mut complaints = Vec::new();
    for file in files.iter().filter(|file| !file.path.ends_with("/tests.rs") && !file.path.contains("/tests/")) {
        let module = module_of(&file.path);
        let room = room_of(&module);
        let Some((_, may_use)) = MAY_USE.iter().find(|(name, _)| *name == room) else {
            complaints.push(format!("{}: the room `{room}` has no row in MAY_USE", file.path));
            continue;
        };
        for path in paths(file) {
            let path = at_root.get(path.first().map_or("", String::as_str)).cloned().unwrap_or(path);
            let Some(target) = path.first().map(String::as_str) else { continue };
            let line = path.join("::");
            let covers = |prefix: &&str| line == *prefix || line.starts_with(&format!("{prefix}::"));
            let reached = room_of(&path);
            let free = reached == room || ["error", "once"].contains(&target) || may_use.contains(&"*");
            if !free && !may_use.contains(&reached) && !may_use.iter().any(covers) {
                complaints.push(format!("{}: `{room}` must not use `{line}`", file.path));
            }
        }
    }
    complaints
}

/// Rule 1a: the table has an order, from the lowest folder to the highest.
fn order(table: &[(&'static str, &[&'static str])]) -> Vec<String> {
    let place = |name: &str| table.iter().position(|(folder, _)| *folder == name);
    let mut complaints = Vec::new();
    for (i, (folder, prefixes)) in table.iter().enumerate() {
        // A prefix that has a row of its own stands for that row, any other for its folder's.
        let row = |prefix: &'static str| match place(prefix) {
            Some(_) => prefix,
            None => prefix.split("::").next().unwrap_or(""),
        };
        for target in prefixes.iter().copied().map(row).filter(|target| place(target).is_some_and(|place| place >= i)) {
            complaints.push(format!("`{folder}` may use `{target}`, which is not below it"));
        }
    }
    complaints
}

/// Rule 2: `unsafe` and CPU detection each in their place.
fn dangerous_words(files: &[Source]) -> Vec<String> {
    let mut complaints = Vec::new();
    for file in files {
        for token in tokens(&file.text) {
            if token == "unsafe" && !UNSAFE_ALLOWED.iter().any(|place| file.path.starts_with(place)) {
                complaints.push(format!("{}: `unsafe` outside {UNSAFE_ALLOWED:?}", file.path));
            }
            if token == "is_x86_feature_detected" && file.path != CPU_DETECTION {
                complaints.push(format!("{}: the CPU is detected in {CPU_DETECTION} only", file.path));
            }
        }
    }
    complaints
}

/// Rule 3: the catalogue lists every algorithm, no kernel names one, and the API shows no window and no instruction set.
fn names_in_their_place(files: &[Source]) -> Vec<String> {
    let mut complaints = Vec::new();
    let algorithms: Vec<String> = files
        .iter()
        .filter(|file| file.path.contains("src/algorithm/"))
        .filter_map(|file| module_of(&file.path).into_iter().skip(1).last())
        .filter(|name| !NOT_AN_ALGORITHM.contains(&name.as_str()))
        .collect();
    let catalogue = files.iter().find(|file| file.path.ends_with("src/algorithm/catalogue.rs"));
    // By its module or by its type: `sliding_window`, `SlidingWindow`.
    let listed: Vec<String> =
        catalogue.map(|file| tokens(&file.text).iter().map(|word| snake_case(word)).collect()).unwrap_or_default();
    for name in algorithms.iter().filter(|name| !listed.contains(name)) {
        complaints.push(format!("algorithm/catalogue.rs does not list {name}.rs"));
    }
    for file in files {
        let words = without_tests(&tokens(&file.text));
        match module_of(&file.path).first().map(String::as_str) {
            Some("kernel") => {
                for word in words.iter().filter(|word| algorithms.contains(&snake_case(word))) {
                    complaints.push(format!("{}: a kernel names the algorithm `{word}`", file.path));
                }
            }
            None | Some("work") => {
                let families = ["window", "ifma", "mulx", "avx", "adx", "umulh"];
                for word in words.iter().filter(|word| families.iter().any(|f| word.to_lowercase().contains(f))) {
                    complaints.push(format!("{}: the API mentions `{word}`", file.path));
                }
            }
            _ => {}
        }
    }
    complaints
}

/// `SlidingWindow` and `SLIDING_WINDOW` as `sliding_window`.
fn snake_case(word: &str) -> String {
    let camel = word.contains(|c: char| c.is_lowercase());
    let mut out = String::new();
    for (i, c) in word.chars().enumerate() {
        if camel && i > 0 && c.is_uppercase() {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}

/// Rule 3a: execution and kernels choose nothing.
fn choices_in_their_place(files: &[Source]) -> Vec<String> {
    let mut complaints = Vec::new();
    let mut found = Vec::new();
    for file in files {
        let path = file.path.rsplit_once("src/").map_or(&*file.path, |(_, inside)| inside);
        if !EXECUTION.iter().any(|part| path.contains(part)) {
            continue;
        }
        for word in without_tests(&tokens(&file.text)).iter().filter(|word| PLANNERS_WORDS.contains(&word.as_str())) {
            found.push((path, word.clone()));
            if !PLANNERS_WORDS_ALLOWED.contains(&(path, word)) {
                complaints.push(format!("{}: `{word}` is for `engine/plan/`", file.path));
            }
        }
    }
    let stale = |(path, word): &&(&str, &str)| {
        files.iter().any(|file| file.path.ends_with(path)) && !found.iter().any(|(at, it)| at == path && it == word)
    };
    let stale = PLANNERS_WORDS_ALLOWED.iter().filter(stale);
    complaints.extend(stale.map(|(path, word)| format!("{path} no longer needs its exception for `{word}`")));
    complaints
}

/// The tokens without the arguments of `assert!` and `debug_assert!`.
fn without_assertions(words: &[String]) -> Vec<String> {
    let (mut kept, mut depth) = (Vec::new(), 0usize);
    for (at, word) in words.iter().enumerate() {
        let opens = at > 1 && words[at - 1] == "!" && ["assert", "debug_assert"].contains(&words[at - 2].as_str());
        match word.as_str() {
            "(" if depth > 0 || opens => depth += 1,
            ")" if depth > 0 => depth -= 1,
            _ if depth == 0 => kept.push(word.clone()),
            _ => {}
        }
    }
    kept
}

/// Rule 3a: a kernel has no threshold of its own, and execution has none.
fn thresholds_in_their_place(files: &[Source], structure: &[(&str, &[&str])]) -> Vec<String> {
    let known = |path: &str, name: &str| structure.iter().any(|(file, names)| *file == path && names.contains(&name));
    let mut complaints = Vec::new();
    let mut found = Vec::new();
    for file in files {
        let path = file.path.rsplit_once("src/").map_or(&*file.path, |(_, inside)| inside);
        if !EXECUTION.iter().any(|part| path.contains(part)) {
            continue;
        }
        let words = without_tests(&tokens(&file.text));
        // What an assertion compares decides nothing.
        let decides = without_assertions(&words);
        for marks in decides.windows(3).filter(|_| !path.starts_with("kernel/")) {
            let [before, mark, number] = [0, 1, 2].map(|at| marks[at].as_str());
            let is_angle = |mark| ["<", ">"].contains(&mark);
            let compares = is_angle(mark) && before != mark && before != "::" || mark == "=" && is_angle(before);
            let number: usize = number.replace('_', "").parse().unwrap_or(0);
            if compares && number > 4 && !WORD_BITS.contains(&number) {
                complaints.push(format!("{}: a comparison with {number} is for `engine/plan/`", file.path));
            }
        }
        for words in words.windows(5) {
            let [declared, name, colon, of, is] = words else { continue };
            // Without a value it is a parameter of a type.
            let is_number = [declared, colon, is] == ["const", ":", "="];
            if !is_number || !["usize", "u32", "u16", "u8"].contains(&of.as_str()) {
                continue;
            }
            found.push((path, name.clone()));
            if !known(path, name) {
                complaints
                    .push(format!("{}: `{name}` belongs into the form or the plan, or into STRUCTURE", file.path));
            }
        }
    }
    let entries = structure.iter().flat_map(|(file, names)| names.iter().map(move |name| (*file, *name)));
    let stale = entries.filter(|(file, name)| !found.iter().any(|(path, it)| path == file && it == name));
    complaints.extend(stale.map(|(path, name)| format!("{path} has no `{name}`")));
    complaints
}

/// Rule 3b: the registry alone names a kernel, outside of tests, comments and examples. The type `Kernel` shows nothing else by which
/// one could be told from another.
fn kernels_in_their_place(files: &[Source], names: &[&str]) -> Vec<String> {
    let mut complaints = Vec::new();
    for file in files {
        let path = file.path.rsplit_once("src/").map_or(&*file.path, |(_, inside)| inside);
        let text = file.text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        if KERNEL_NAMES_ALLOWED.iter().any(|place| path.starts_with(place)) {
            continue;
        }
        for line in code.filter(|line| names.iter().any(|name| line.contains(name))) {
            complaints.push(format!("{}: names a kernel: {}", file.path, line.trim()));
        }
    }
    complaints
}

/// Rule 4: files that fit a head.
fn lengths(files: &[Source]) -> Vec<String> {
    let most = |file: &Source| {
        MAX_LINES.into_iter().find(|(folder, _)| file.path.starts_with(folder)).map_or(0, |(_, most)| most)
    };
    let too_long = |file: &&Source| file.text.lines().count() > most(file);
    files.iter().filter(too_long).map(|file| format!("{}: more than {} lines", file.path, most(file))).collect()
}

/// Rule 5: no path of somebody's machine.
fn machine_paths(files: &[Source]) -> Vec<String> {
    let mut complaints = Vec::new();
    for file in files {
        for (number, line) in file.text.lines().enumerate() {
            for folder in [concat!("/wo", "rk/"), concat!("/tm", "p/"), concat!("/ho", "me/"), concat!("/ro", "ot/")] {
                // Behind a letter, a dot or a brace it is the tail of a relative path, an address or a variable.
                let tail = |at: usize| line[..at].ends_with(|c: char| c.is_alphanumeric() || "_-.}*~".contains(c));
                if line.match_indices(folder).any(|(at, _)| !tail(at)) {
                    complaints.push(format!("{}:{}: a path of one machine, {folder}", file.path, number + 1));
                }
            }
        }
    }
    complaints
}

/// Every text file that git tracks; without git, every text file of the folders that are ours.
fn tracked() -> Vec<Source> {
    let listed = Command::new("git").args(["ls-files", "-z"]).current_dir(root()).output();
    let Some(listed) = listed.ok().filter(|out| out.status.success() && !out.stdout.is_empty()) else {
        let folders = ["crates", "python", "docs", "papers", "tools", "demo", "vectors", "fuzz"];
        return folders.iter().flat_map(|folder| sources(folder, &[""])).collect();
    };
    let names = String::from_utf8_lossy(&listed.stdout).into_owned();
    let read = |name: &str| String::from_utf8(fs::read(root().join(name)).ok()?).ok();
    names.split_terminator('\0').filter_map(|name| Some(Source { path: name.into(), text: read(name)? })).collect()
}

#[track_caller]
fn none(complaints: Vec<String>) {
    assert!(complaints.is_empty(), "{} complaints:\n{}", complaints.len(), complaints.join("\n"));
}

#[test]
fn rooms_use_only_what_they_may() {
    let files = sources("crates/pingala-core/src", &[".rs"]);
    assert!(files.iter().map(|file| paths(file).len()).sum::<usize>() > 10, "the reader found hardly any import");
    none(layering(&files));
    none(order(MAY_USE));
    none(circles(&files));
}

#[test]
fn circles_of_files_are_small() {
    let circles = whole_circles(&sources("crates/pingala-core/src", &[".rs"]));
    let largest = circles.first().map_or(0, |circle| circle.len());
    assert_eq!(largest, LARGEST_CIRCLE, "files of the circles, the largest first: {circles:#?}");
}

/// Two uses run against it: a modulus with factors raises to powers modulo each of them, and powers that share no work are a list.
#[test]
fn rooms_of_work_have_an_order() {
    let against = against_the_order(&sources("crates/pingala-core/src", &[".rs"]));
    assert_eq!(against, ["work/factored uses work/power", "work/shared_work uses work/list"]);
}

#[test]
fn unsafe_and_cpu_detection_stay_in_the_kernel() {
    let files = sources("crates", &[".rs"]);
    none(dangerous_words(&files.into_iter().filter(|file| file.path.contains("/src/")).collect::<Vec<_>>()));
}

#[test]
fn algorithms_are_listed_and_named_where_they_may_be() {
    none(names_in_their_place(&sources("crates/pingala-core/src", &[".rs"])));
}

#[test]
fn execution_and_kernels_choose_nothing() {
    none(choices_in_their_place(&sources("crates/pingala-core/src", &[".rs"])));
}

#[test]
fn kernels_and_execution_have_no_thresholds() {
    none(thresholds_in_their_place(&sources("crates/pingala-core/src", &[".rs"]), STRUCTURE));
}

#[test]
fn the_registry_alone_names_kernels() {
    let names: Vec<&str> = pingala_core::kernels::KERNELS.iter().map(|entry| entry.name).collect();
    none(kernels_in_their_place(&sources("crates/pingala-core/src", &[".rs"]), &names));
}

#[test]
fn files_fit_a_head() {
    let mut files = sources("crates", &[".rs"]);
    files.extend(
        ["python", "papers", "tools", "demo"].iter().flat_map(|folder| sources(folder, &[".py", ".sh", ".pyi"])),
    );
    let mut lines: Vec<usize> = files.iter().map(|file| file.text.lines().count()).collect();
    lines.sort_unstable();
    let (count, median, most) = (lines.len(), lines[lines.len() / 2], lines[lines.len() * 9 / 10]);
    println!("{count} files, median {median} lines, 90th percentile {most}");
    none(lengths(&files));
}

#[test]
fn no_path_of_one_machine_is_tracked() {
    none(machine_paths(&tracked()));
}

#[test]
fn crates_depend_only_on_what_they_may() {
    let folders = ["crates", "fuzz", "lab/wasm", "models"];
    let manifests: Vec<Source> = folders.iter().flat_map(|folder| sources(folder, &["Cargo.toml"])).collect();
    none(dependencies_in_their_place(&manifests, CRATES));
    none(order_of_crates(CRATES));
    let missing = CRATES.iter().filter(|(folder, ..)| !root().join(folder).exists());
    none(missing.map(|(folder, ..)| format!("there is no {folder}")).collect());
}

#[test]
fn languages_import_only_what_they_may() {
    none(imports_in_their_place(&tracked()));
}
