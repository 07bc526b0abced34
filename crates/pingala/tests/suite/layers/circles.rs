//! Arrows between files: which file uses which, and whether they form a circle through several folders.
//!
//! A name that a module only passes on by `pub use` is looked up in the file that defines it, and passing it on is no use. Files of one
//! folder may use each other in any order.

use super::super::rust_text::{Source, module_of, tokens, without_tests};
use super::{paths, read_tree};
use std::collections::{BTreeMap, BTreeSet};

type Module = Vec<String>;

/// The folder of a module: that of its name if it has submodules, otherwise that of its parent.
fn folder(module: &Module, all: &BTreeMap<Module, Uses>) -> String {
    let is_parent = all.keys().any(|other| other.len() == module.len() + 1 && other.starts_with(module));
    let length = if is_parent { module.len() } else { module.len().saturating_sub(1) };
    module[..length].join("/")
}

/// What a file uses, as paths from the crate's root, and the names that it passes on, each with the path behind it.
struct Uses {
    used: BTreeSet<Vec<String>>,
    passed_on: BTreeMap<String, Vec<String>>,
}

impl Uses {
    fn of(source: &Source) -> Self {
        let (module, tokens) = (module_of(&source.path), without_tests(&tokens(&source.text)));
        let mut used: BTreeSet<_> = paths(source).into_iter().collect();
        let (mut passed, mut relative) = (Vec::new(), Vec::new());
        for i in (0..tokens.len()).filter(|&i| tokens[i] == "use") {
            let public = i > 0 && ["pub", ")"].contains(&tokens[i - 1].as_str());
            let start = tokens.get(i + 1).map_or("", String::as_str);
            let prefix = match start {
                "crate" => &[],
                "super" => &module[..module.len().saturating_sub(1)],
                _ => &module[..],
            };
            let skip = if ["crate", "super", "self"].contains(&start) { 3 } else { 1 };
            let found = if public { &mut passed } else { &mut relative };
            if public || skip == 1 {
                read_tree(&tokens, i + skip, prefix, found);
            }
        }
        used.retain(|path| !passed.contains(path));
        used.extend(relative);
        let passed_on = passed.into_iter().filter_map(|path| Some((path.last()?.clone(), path))).collect();
        Self { used, passed_on }
    }
}

/// The module that defines what a path names.
fn owner(path: &[String], all: &BTreeMap<Module, Uses>, depth: usize) -> Option<Module> {
    let length = (0..=path.len()).rev().find(|&length| all.contains_key(&path[..length]))?;
    let module = path[..length].to_vec();
    let behind = path.get(length).and_then(|name| all[&module].passed_on.get(name));
    match behind.filter(|behind| depth > 0 && behind.as_slice() != path) {
        Some(behind) => {
            let whole: Vec<String> = behind.iter().chain(&path[length + 1..]).cloned().collect();
            owner(&whole, all, depth - 1)
        }
        None => Some(module),
    }
}

/// Everything that can be reached from a module, itself only by a circle.
fn reached(from: &Module, arrows: &BTreeMap<Module, BTreeSet<Module>>) -> BTreeSet<Module> {
    let (mut found, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(module) = open.pop() {
        open.extend(arrows[module].iter().filter(|next| found.insert((*next).clone())));
    }
    found
}

/// A complaint for each arrow between folders from which a way leads back.
pub(super) fn circles(files: &[Source]) -> Vec<String> {
    let all: BTreeMap<Module, Uses> = files.iter().map(|file| (module_of(&file.path), Uses::of(file))).collect();
    let arrows: BTreeMap<Module, BTreeSet<Module>> = all
        .iter()
        .map(|(module, uses)| {
            let owners = uses.used.iter().filter_map(|path| owner(path, &all, 9));
            (module.clone(), owners.filter(|owner| owner != module && !owner.is_empty()).collect())
        })
        .collect();
    let mut complaints = Vec::new();
    for (module, next) in &arrows {
        for other in next.iter().filter(|other| folder(module, &all) != folder(other, &all)) {
            if reached(other, &arrows).contains(module) {
                complaints.push(format!("{} uses {}, which uses it", module.join("/"), other.join("/")));
            }
        }
    }
    complaints
}
