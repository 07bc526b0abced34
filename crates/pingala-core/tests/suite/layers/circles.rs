//! Arrows between files: which file uses which, and whether they form a circle through several folders.
//!
//! A name that a module only passes on by `pub use` is looked up in the file that defines it, and passing it on is no use. Files of one
//! folder may use each other in any order. The sizes of all circles are measured more strictly: there a module uses what it passes on, so that
//! one that lists modules and defines what they use stands in the middle of a circle.

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
    /// What it passes on, and the submodules that its text names.
    listed: BTreeSet<Vec<String>>,
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
        let mut listed: BTreeSet<_> = passed.iter().cloned().collect();
        // `submodule::f()`, and all other words before `::`, which lead to no file.
        let starts = (1..tokens.len()).filter(|&i| tokens[i] == "::" && (i < 2 || tokens[i - 2] != "::"));
        listed.extend(starts.map(|i| [&module[..], &tokens[i - 1..i]].concat()));
        let passed_on = passed.into_iter().filter_map(|path| Some((path.last()?.clone(), path))).collect();
        Self { used, listed, passed_on }
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

/// The modules of these files by their names.
fn modules(files: &[Source]) -> BTreeMap<Module, Uses> {
    files.iter().map(|file| (module_of(&file.path), Uses::of(file))).collect()
}

/// The arrows from each module to those that define what it uses; `all_uses` chooses among its uses.
fn arrows<'a, I: Iterator<Item = &'a Vec<String>>>(
    all: &'a BTreeMap<Module, Uses>,
    all_uses: impl Fn(&'a Uses) -> I,
) -> BTreeMap<Module, BTreeSet<Module>> {
    let next = |(module, uses): (&Module, &'a Uses)| {
        let owners = all_uses(uses).filter_map(|path| owner(path, all, 9));
        (module.clone(), owners.filter(|owner| owner != module && !owner.is_empty()).collect())
    };
    all.iter().map(next).collect()
}

/// A complaint for each arrow between folders from which a way leads back.
pub(super) fn circles(files: &[Source]) -> Vec<String> {
    let all = modules(files);
    let arrows = arrows(&all, |uses| uses.used.iter());
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

/// The circles, the largest first: files that all reach each other, each by its module.
pub(super) fn whole_circles(files: &[Source]) -> Vec<BTreeSet<String>> {
    let all = modules(files);
    let arrows = arrows(&all, |uses| uses.used.union(&uses.listed));
    let reached: BTreeMap<&Module, BTreeSet<Module>> =
        arrows.keys().map(|module| (module, reached(module, &arrows))).collect();
    let both_ways = |module: &Module| -> BTreeSet<String> {
        let back = reached[module].iter().filter(|other| reached[other].contains(module));
        back.map(|other| other.join("/")).collect()
    };
    let found: BTreeSet<BTreeSet<String>> = arrows.keys().map(both_ways).filter(|circle| circle.len() > 1).collect();
    let mut found: Vec<_> = found.into_iter().collect();
    found.sort_by_key(|circle| std::cmp::Reverse(circle.len()));
    found
}

/// The rooms of `work/`, each a file or a folder, from the lowest to the highest.
const ROOMS_OF_WORK: &[&str] = &[
    "options",
    "modulus",
    "column",
    "request",
    "factored",
    "power",
    "inverse",
    "squaring",
    "lucas",
    "fixed_base",
    "shared_work",
    "list",
    "product_list",
    "rows",
    "words",
    "residues",
    "row_request",
    "two",
    "secret",
    "fixed_exponent",
];

/// The uses between rooms of `work/` that run against their order, and a complaint for each room that has no place in it.
pub(super) fn against_the_order(files: &[Source]) -> Vec<String> {
    let all = modules(files);
    let arrows = arrows(&all, |uses| uses.used.union(&uses.listed));
    let room = |module: &Module| module.get(1).filter(|_| module[0] == "work").cloned();
    let place = |room: &str| ROOMS_OF_WORK.iter().position(|name| *name == room);
    let mut complaints = Vec::new();
    for (module, next) in &arrows {
        let Some(from) = room(module) else { continue };
        if place(&from).is_none() {
            complaints.push(format!("{} is in no room of ROOMS_OF_WORK", module.join("/")));
        }
        for other in next.iter().filter(|other| room(other).is_some_and(|to| place(&to) > place(&from))) {
            complaints.push(format!("{} uses {}", module.join("/"), other.join("/")));
        }
    }
    complaints
}
