//! Rust source as the layers test reads it: files by their path, words and marks without comments and literals, items without tests.

use std::fs;
use std::path::{Path, PathBuf};

/// A file by its path from the repository's root.
pub struct Source {
    pub path: String,
    pub text: String,
}

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("crates/pingala-core lies two below the root")
        .into()
}

/// Every text file under `folder` (from the root) with one of these endings, sorted.
pub fn sources(folder: &str, endings: &[&str]) -> Vec<Source> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        let Ok(entries) = fs::read_dir(folder) else { return };
        for path in entries.map(|entry| entry.expect("readable folder").path()) {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir()
                && !name.starts_with('.')
                && !["target", "__pycache__", "node_modules"].contains(&name.as_str())
            {
                walk(&path, found);
            } else if path.is_file() {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    walk(&root().join(folder), &mut found);
    found.sort();
    found
        .into_iter()
        .filter(|path| endings.iter().any(|ending| path.to_string_lossy().ends_with(ending)))
        .filter_map(|path| {
            let name = path.strip_prefix(root()).expect("found under the root").to_string_lossy().replace('\\', "/");
            Some(Source { path: name, text: String::from_utf8(fs::read(path).ok()?).ok()? })
        })
        .collect()
}

/// Words, `::` and single marks of Rust text, without comments, strings, characters and lifetimes.
pub fn tokens(text: &str) -> Vec<String> {
    let marks: Vec<char> = text.chars().collect();
    let at = |i: usize| marks.get(i).copied().unwrap_or('\0');
    let (mut out, mut i) = (Vec::new(), 0);
    while i < marks.len() {
        let c = at(i);
        let hashes = marks[i + 1..].iter().take_while(|&&mark| mark == '#').count();
        if c == '/' && at(i + 1) == '/' {
            while i < marks.len() && at(i) != '\n' {
                i += 1;
            }
        } else if c == '/' && at(i + 1) == '*' {
            let mut depth = 0;
            while i < marks.len() {
                match (at(i), at(i + 1)) {
                    ('/', '*') => (depth, i) = (depth + 1, i + 2),
                    ('*', '/') => (depth, i) = (depth - 1, i + 2),
                    _ => i += 1,
                }
                if depth == 0 {
                    break;
                }
            }
        } else if c == 'r' && at(i + 1 + hashes) == '"' {
            let end: Vec<char> = std::iter::once('"').chain(std::iter::repeat_n('#', hashes)).collect();
            i += hashes + 2;
            while i < marks.len() && !marks[i..].starts_with(&end) {
                i += 1;
            }
            i += end.len();
        } else if c == '"' {
            i += 1;
            while i < marks.len() && at(i) != '"' {
                i += if at(i) == '\\' { 2 } else { 1 };
            }
            i += 1;
        } else if c == '\'' && at(i + 1) == '\\' {
            i += 3;
            while i < marks.len() && at(i) != '\'' {
                i += 1;
            }
            i += 1;
        } else if c == '\'' {
            // A character closes after one mark; otherwise this is a lifetime.
            i += if at(i + 2) == '\'' { 3 } else { 1 };
        } else if c.is_alphanumeric() || c == '_' {
            let start = i;
            while at(i).is_alphanumeric() || at(i) == '_' {
                i += 1;
            }
            out.push(marks[start..i].iter().collect());
        } else if c == ':' && at(i + 1) == ':' {
            out.push("::".into());
            i += 2;
        } else {
            if !c.is_whitespace() {
                out.push(c.to_string());
            }
            i += 1;
        }
    }
    out
}

/// The index behind the item or attribute that starts at `i`: behind its closing bracket, or behind its semicolon where
/// that comes first.
fn behind(tokens: &[String], mut i: usize, close: &str) -> usize {
    let mut depth = 0;
    while i < tokens.len() {
        match tokens[i].as_str() {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => {
                depth -= 1;
                if depth == 0 && tokens[i] == close {
                    return i + 1;
                }
            }
            ";" if depth == 0 => return i + 1,
            _ => {}
        }
        i += 1;
    }
    i
}

/// The tokens without items under `#[cfg(test)]`.
pub fn without_tests(tokens: &[String]) -> Vec<String> {
    let cfg_test = ["#", "[", "cfg", "(", "test", ")", "]"];
    let (mut out, mut i) = (Vec::new(), 0);
    while i < tokens.len() {
        if tokens[i..].len() >= cfg_test.len() && tokens[i..].iter().zip(cfg_test).all(|(a, b)| a == b) {
            i += cfg_test.len();
            while tokens.get(i).is_some_and(|token| token == "#") {
                i = behind(tokens, i + 1, "]");
            }
            i = behind(tokens, i, "}");
        } else {
            out.push(tokens[i].clone());
            i += 1;
        }
    }
    out
}

/// The module path of a file: `kernel/portable/mod.rs` is `kernel portable`, `lib.rs` is empty.
pub fn module_of(path: &str) -> Vec<String> {
    let inside = path.rsplit_once("src/").map_or(path, |(_, inside)| inside).trim_end_matches(".rs");
    let mut module: Vec<String> = inside.split('/').map(String::from).collect();
    if matches!(module.last().map(String::as_str), Some("mod" | "lib")) {
        module.pop();
    }
    module
}
