//! One name for one thing: no two types of the library share a name.

use super::rust_text::{Source, sources};
use std::collections::BTreeMap;

/// Complaints about names that types of two files have. A type may stand twice in one file, for two configurations.
fn repeated(files: &[Source]) -> Vec<String> {
    let mut places: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for file in files {
        for line in file.text.lines() {
            let words: Vec<&str> = line.split_whitespace().take(3).collect();
            let words = if words.first().is_some_and(|word| word.starts_with("pub")) { &words[1..] } else { &words };
            let indented = line.starts_with(' ');
            if let [kind, name, ..] = words
                && ["struct", "enum", "trait", "type", "union"].contains(kind)
                && !indented
            {
                let name: String = name.chars().take_while(|c| c.is_alphanumeric()).collect();
                let here = places.entry(name).or_default();
                if !here.contains(&&*file.path) {
                    here.push(&file.path);
                }
            }
        }
    }
    let twice = places.into_iter().filter(|(_, files)| files.len() > 1);
    twice.map(|(name, files)| format!("`{name}` stands for several things: {}", files.join(", "))).collect()
}

#[test]
fn a_type_has_its_name_for_itself() {
    let complaints = repeated(&sources("crates/pingala-core/src", &[".rs"]));
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// The test of the test.
#[test]
fn planted_names_are_found() {
    let file = |path: &str, text: &str| Source { path: path.into(), text: text.into() };
    let one = file("a.rs", "pub(crate) struct Part<'a> {\n    type Part = u64;\n}\n");
    assert_eq!(repeated(&[one, file("b.rs", "enum Part {}\n")]).len(), 1);
    let twice = "#[cfg(unix)]\npub type Report<T> = T;\n#[cfg(not(unix))]\npub struct Report<T>(T);\n";
    assert!(repeated(&[file("a.rs", twice), file("b.rs", "// struct Report\n    struct Report;\n")]).is_empty());
}
