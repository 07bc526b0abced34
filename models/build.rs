//! Takes what threads share from the library's own text, and puts the checkers' locks and atomics in place of those of the standard
//! library. A text that no longer has what is replaced here ends the build.

use std::path::Path;
use std::{env, fs};

const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/pingala-core/src/");

/// A file, or the part from one line to another one, without what may stand only at the head of a file.
fn text(file: &str, part: Option<(&str, &str)>) -> String {
    let path = format!("{SOURCE}{file}");
    println!("cargo::rerun-if-changed={path}");
    let mut text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    if let Some((from, to)) = part {
        let start = text.find(from).unwrap_or_else(|| panic!("{file}: no {from}"));
        let end = text[start..].find(to).unwrap_or_else(|| panic!("{file}: no {to} behind it")) + start;
        // Without the comment above the last line.
        let end = text[..end].rfind("}\n").map_or(end, |brace| brace + 2);
        text = text[start..end].into();
    }
    let head = |line: &&str| !line.starts_with("//!") && !line.starts_with("#![");
    text.lines().filter(head).map(|line| format!("{line}\n")).collect()
}

/// Puts one text in place of another, which is there.
fn put(text: &mut String, old: &str, new: &str) {
    assert!(text.contains(old), "nothing to replace: {old}");
    *text = text.replace(old, new);
}

/// Names of the standard library and of the crate.
fn named(text: &str, checker: &str, room: &str) -> String {
    let mut text = text.replace("crate::", &format!("crate::{room}::"));
    for (old, new) in [
        ("core::sync::atomic", "CHECKER::sync::atomic"),
        ("std::sync::PoisonError", "std::sync::PoisonErr0r"),
        ("PoisonError}", "}"),
        ("std::sync::", "CHECKER::sync::"),
        ("std::thread::", "CHECKER::thread::"),
        ("core::hint::spin_loop", "CHECKER::hint::spin_loop"),
        ("std::time::Instant", "crate::time::Instant"),
        ("#[cfg(test)]", "#[cfg(any())]"),
    ] {
        text = text.replace(old, &new.replace("CHECKER", checker));
    }
    text.replace("PoisonErr0r", "PoisonError").replace("PoisonError::", "std::sync::PoisonError::")
}

fn main() {
    let out = env::var("OUT_DIR").expect("cargo sets it");
    let write = |name: &str, text: &str| fs::write(Path::new(&out).join(name), text).expect("written");

    let rings = ("#[derive(Debug, Default)]\npub(crate) struct Rings", "pub(crate) fn prepare(");
    let mut rings = named(&text("engine/execute/rings.rs", Some(rings)), "loom", "loomed");
    put(&mut rings, "#[derive(Debug, Default)]\n", "");
    write("rings.rs", &rings);
    // A defect: who was slower keeps a second one.
    put(&mut rings, "if let Some(ring) = of_form(&rings)", "if let (Some(ring), false) = (of_form(&rings), true)");
    write("rings_planted.rs", &rings);

    let pairs = ("#[derive(Default)]\npub(crate) struct BlindingPairs", "/// The number of this process");
    let mut pairs = named(&text("engine/execute/blinding_pairs.rs", Some(pairs)), "loom", "loomed");
    put(&mut pairs, "#[derive(Default)]\n", "");
    write("pairs.rs", &pairs);

    let mut threads = named(&text("engine/execute/threads.rs", None), "shuttle", "shuttled");
    put(&mut threads, "thread::{Builder, Scope,", "thread::{Scope,");
    put(
        &mut threads,
        "Builder::new().name(\"pingala worker\".into()).spawn_scoped(scope, serve).ok()",
        "crate::may_start().then(|| scope.spawn(serve))",
    );
    threads.truncate(threads.find("#[cfg(any())]\n#[path").expect("the place of the tests"));
    write("threads.rs", &threads);
    let mut poll = named(&text("engine/execute/poll.rs", None), "shuttle", "shuttled");
    poll.truncate(poll.find("/// What the runs under one watch walked").expect("the place of the tests"));
    write("poll.rs", &poll);
}
